/* SPDX-License-Identifier: MIT */
/* network_explain.c: `explain` of a network: elements with their laws in numbers, or the model as a whole: sizes, laws, options in
 * force, controls and rules in words.
 */
#include "kinds/network_explain.h"

#include <string.h>

#include "base/ids.h"
#include "kinds/rows.h"

/* ---- Elements ----------------------------------------------------------------------------------- */

/* The id that was probably meant; NULL: none is near. */
static const char *nearest_id(const sl_network *net, const char *id, bool links) {
    enum { LOOKED_AT = 20000 };
    int32_t n = links ? net->n_link : net->n_node;
    const char *best = NULL;
    int least = 3; /* a slip and a change of case */
    for (int32_t i = 0; i < n && i < LOOKED_AT; i++) {
        const char *other = (links ? sl_network_link_id : sl_network_node_id)(net, i);
        int distance = sl_edit_distance(sl_str_z(id), sl_str_z(other), least - 1);
        if (distance < least) {
            best = other;
            least = distance;
        }
    }
    return best;
}

static int32_t find_one(const sl_network *net, const char *id, bool links, sl_diags *diags) {
    int32_t at = (links ? sl_network_find_link : sl_network_find_node)(net, sl_str_z(id));
    if (at >= 0) {
        return at;
    }
    bool other = (links ? sl_network_find_node : sl_network_find_link)(net, sl_str_z(id)) >= 0;
    const char *near = nearest_id(net, id, links), *word = links ? "node" : "link";
    char hint[SL_WORDS_MAX];
    if (other) {
        (void)sl_format(hint, sizeof hint, "it is a %s: --%s %.100s", word, word, id);
    } else {
        (void)sl_format(hint, sizeof hint, near ? "did you mean '%.100s'?" : "`sluice vars --all` lists the elements",
                        near);
    }
    sl_report(diags, SL_ERROR, links ? SL_CODE_UNKNOWN_LINK : SL_CODE_UNKNOWN_NODE, NULL, NULL, NULL, hint,
              "there is no %s '%.100s'", links ? "link" : "node", id);
    return -1;
}

sl_status sl_asked_find(const sl_network *net, const sl_page_def *def, sl_diags *diags, sl_asked *out) {
    bool fine = true;
    *out = (sl_asked){0};
    for (int i = 0; def->nodes && i < def->nodes->n; i++) {
        out->node[out->n_node] = find_one(net, def->nodes->at[i], false, diags);
        fine = out->node[out->n_node++] >= 0 && fine;
    }
    for (int i = 0; def->links && i < def->links->n; i++) {
        out->link[out->n_link] = find_one(net, def->links->at[i], true, diags);
        fine = out->link[out->n_link++] >= 0 && fine;
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static void put_sizes(sl_network_page *p) {
    const sl_network *net = p->net;
    sl_sheet_section(&p->page, "sizes", "Sizes");
    sl_sheet_count(&p->page, "junctions", "junctions", net->n_junction);
    sl_sheet_count(&p->page, "reservoirs", "reservoirs", net->n_reservoir);
    sl_sheet_count(&p->page, "tanks", "tanks", net->n_tank);
    sl_sheet_count(&p->page, "pipes", "pipes", net->n_pipe);
    sl_sheet_count(&p->page, "pumps", "pumps", net->n_pump);
    sl_sheet_count(&p->page, "valves", "valves", net->n_valve);
    sl_sheet_count(&p->page, "patterns", "patterns", net->n_pattern);
    sl_sheet_count(&p->page, "curves", "curves", net->n_curve_named);
}

static void put_laws(sl_network_page *p) {
    static const char *const losses[] = {"10.66683*L*abs(Q)^0.852*Q/(C^1.852*D^4.871)", "f*L*abs(Q)*Q/(2*g*D*A^2)",
                                         "10.2366*n^2*L*abs(Q)*Q/D^5.333"};
    const sl_hydraulic_options *o = &p->net->hydraulics;
    sl_sheet_section(&p->page, "laws", "Laws");
    sl_sheet_words(&p->page, "link", "every link", "the loss h(Q) is the difference of the heads at its ends");
    sl_sheet_words(&p->page, "junction", "every junction",
                   "what links bring leaves as demand, through emitters and leaks");
    sl_sheet_words(&p->page, "headloss", "friction of pipes", "%s", sl_headloss_name(o->headloss));
    sl_sheet_formula(&p->page, "headloss_formula", "", "h", losses[o->headloss]);
    sl_sheet_formula(&p->page, "minor_formula", "minor loss, added", "h", "0.0825787*K*abs(Q)*Q/D^4");
    sl_sheet_words(&p->page, "demand", "demand", "%s",
                   o->demand_model == SL_PDA ? "pressure driven (Wagner)"
                                             : "demand driven: delivered whatever the pressure is");
    if (o->demand_model == SL_PDA) {
        sl_sheet_formula(&p->page, "demand_formula", "", "q", "D*min(1, max(0, (p - p_min)/(p_req - p_min)))^g");
        sl_sheet_value(&p->page, "pressure_min", "p_min", o->pressure_min, "m", p->shown.pressure);
        sl_sheet_value(&p->page, "pressure_required", "p_req", o->pressure_required, "m", p->shown.pressure);
        sl_sheet_si(&p->page, "pressure_exponent", "g", o->pressure_exponent, "");
    }
    sl_sheet_si(&p->page, "demand_multiplier", "demand multiplier", o->demand_multiplier, "");
    sl_sheet_si(&p->page, "emitter_exponent", "emitter exponent", o->emitter_exponent, "");
    sl_sheet_si(&p->page, "specific_gravity", "specific gravity", o->specific_gravity, "");
    sl_sheet_si(&p->page, "viscosity", "kinematic viscosity", o->viscosity, "m2/s");
}

static void put_quality(sl_network_page *p) {
    const sl_quality_options *q = &p->net->quality;
    static const char *const kinds[] = {"none", "chemical", "age of the water", "trace of a node"};
    sl_sheet_words(&p->page, "quality", "quality", "%s%s%.100s", kinds[q->kind],
                   q->kind == SL_QUALITY_CHEMICAL || q->kind == SL_QUALITY_TRACE ? ": " : "",
                   q->kind == SL_QUALITY_CHEMICAL                      ? q->chemical
                   : q->kind == SL_QUALITY_TRACE && q->trace_node >= 0 ? sl_network_node_id(p->net, q->trace_node)
                                                                       : "");
}

static void put_time(sl_network_page *p, const char *key, const char *label, double t) {
    sl_sheet_value(&p->page, key, label, t, "s", (sl_display_unit){3600.0, "h"});
}

static void put_options(sl_network_page *p) {
    const sl_hydraulic_options *o = &p->net->hydraulics;
    const sl_times *t = &p->net->times;
    sl_sheet_section(&p->page, "options", "Options in force");
    sl_sheet_words(&p->page, "flow_unit", "units", "%s, %s", sl_flow_unit_word(o->flow_unit),
                   sl_pressure_unit_word(o->pressure_unit));
    put_time(p, "duration", "duration", t->duration);
    put_time(p, "hydraulic_step", "hydraulic step", t->hydraulic_step);
    put_time(p, "pattern_step", "pattern step", t->pattern_step);
    put_time(p, "report_step", "report step", t->report_step);
    put_time(p, "rule_step", "rule step", t->rule_step);
    put_time(p, "start_clock", "clock time at the start", t->start_clock);
    put_quality(p);
    sl_sheet_count(&p->page, "trials", "trials at most", o->trials);
    sl_sheet_si(&p->page, "accuracy", "accuracy (flow change)", o->accuracy, "");
    sl_sheet_quantity(&p->page, "head_tolerance", "head tolerance of statuses", o->head_tolerance, "m");
    sl_sheet_quantity(&p->page, "flow_tolerance", "flow tolerance of statuses", o->flow_tolerance, "m3/s");
    sl_sheet_words(&p->page, "unbalanced", "when not balanced",
                   o->unbalanced_extra < 0 ? "the run stops" : "the run goes on after %d more trials",
                   (int)o->unbalanced_extra);
}

static void put_steering(sl_network_page *p) {
    sl_sheet_section(&p->page, "steering", "Controls and rules");
    if (sl_explain_controls(p, -1) + sl_explain_rules(p, -1) == 0) {
        sl_sheet_words(&p->page, "none", "none", "every link stays as the file has it, but for its own law");
    }
}

/* What the session says of the whole at its time. */
static void put_state(sl_network_page *p) {
    static const char *const rows[][3] = {{"inflow", "inflow so far", "balance.inflow"},
                                          {"outflow", "outflow so far", "balance.outflow"},
                                          {"storage", "more in tanks than at first", "balance.storage"},
                                          {"trials", "trials of this solution", "solver.trials"},
                                          {"head_error", "largest head residual", "solver.head_error"},
                                          {"mass_error", "largest imbalance", "solver.mass_error"},
                                          {"unserved", "demand of islands that are cut off", "unserved"}};
    sl_sheet_section(&p->page, "state", "State");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_sheet_field(&p->page, rows[i][0], rows[i][1], rows[i][2], 0);
    }
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void put_whole(sl_network_page *p) {
    put_sizes(p);
    put_laws(p);
    put_options(p);
    put_steering(p);
    if (p->s) {
        put_state(p);
    }
}

static sl_status explain_model(const sl_load *load, const sl_page_def *def, const sl_model *model,
                               const sl_sink *sink) {
    sl_network_page p = {.net = sl_model_network(model)};
    sl_asked asked;
    sl_status status = sl_asked_find(p.net, def, load->diags, &asked);
    p.shown = sl_display_units_of(p.net);
    if (status == SL_OK && (asked.n_node + asked.n_link > 0 || def->at.is_given)) {
        status = sl_sheet_run(load->ctx, model, def, load->diags, &p.s);
        p.time = p.s ? sl_session_time(p.s) : 0.0;
    }
    status = status == SL_OK ? sl_sheet_begin(&p.page, &sl_kind_network, load, def, p.s, true, &p.shown, sink) : status;
    if (status == SL_OK && asked.n_node + asked.n_link == 0) {
        put_whole(&p);
    }
    for (int32_t i = 0; status == SL_OK && i < asked.n_node; i++) {
        sl_explain_node(&p, asked.node[i]);
    }
    for (int32_t i = 0; status == SL_OK && i < asked.n_link; i++) {
        sl_explain_link(&p, asked.link[i]);
    }
    status = status == SL_OK ? sl_sheet_close(&p.page) : status;
    sl_session_destroy(p.s);
    return status;
}

sl_status sl_network_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink) {
    return sl_sheet_explain(&sl_kind_network, load, def, sink, explain_model);
}
