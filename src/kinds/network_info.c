/* SPDX-License-Identifier: MIT */
/* network_info.c: a network on one page, and what `check` says of it. Text is in the file's units, JSON in SI. */
#include <math.h>

#include <sluice/estimate.h>
#include <sluice/units.h>

#include "base/count_text.h"
#include "base/number.h"
#include "kinds/network_explain.h"
#include "kinds/network_facts.h"
#include "kinds/rows.h"
#include "network/epanet_units.h"

/* All that a page is made of. */
typedef struct page {
    sl_out *out;
    const sl_load *load;
    const sl_network *net;
    sl_facts facts;
    int n_item; /* items written in the current row */
    sl_run_figures figures;
} page;

static const char *const demand_model_words[] = {"DDA", "PDA"};
static const char *const quality_words[] = {"none", "chemical", "age", "trace"};

/* ---- Text --------------------------------------------------------------------------------------- */

static void row(page *p, const char *label) {
    sl_out_printf(p->out, "\n  %s", label);
    sl_out_pad(p->out, 16, 2);
    p->n_item = 0;
}

/* Items of a row are separated by commas. */
static sl_out *item(page *p) {
    if (p->n_item++ > 0) {
        sl_out_z(p->out, ", ");
    }
    return p->out;
}

static void item_count(page *p, int64_t n, const char *one, const char *many) {
    char text[SL_PLURAL_MAX];
    if (n > 0) {
        sl_out_z(item(p), sl_plural(n, one, many, text));
    }
}

static void put_rounded(page *p, double x, int digits) {
    char text[SL_NUMBER_MAX];
    sl_number_format_digits(x, digits, text);
    sl_out_z(p->out, text);
}

static void put_range(page *p, sl_range range, double factor, const char *unit) {
    put_rounded(p, range.min / factor, 5);
    if (range.max > range.min) {
        sl_out_z(p->out, " to ");
        put_rounded(p, range.max / factor, 5);
    }
    sl_out_printf(p->out, " %s", unit);
}

static void put_time(page *p, double seconds) {
    char text[64];
    sl_time_format(seconds, text, sizeof text);
    sl_out_z(p->out, text);
}

static void page_head(page *p) {
    char size[SL_PLURAL_MAX];
    sl_out_z(p->out, p->load->source->name);
    sl_out_printf(p->out, " (%s)", sl_size_text(p->load->source->n, size));
    for (int32_t i = 0; i < p->net->n_title && i < 3; i++) {
        sl_out_z(p->out, "\n  ");
        sl_out_z(p->out, p->net->title[i]);
    }
    sl_out_char(p->out, '\n');
}

static void page_objects(page *p, const double *factor, bool metric) {
    const sl_network *net = p->net;
    const sl_facts *f = &p->facts;
    row(p, "Nodes");
    item_count(p, net->n_junction, "junction", NULL);
    item_count(p, net->n_reservoir, "reservoir", NULL);
    item_count(p, net->n_tank, "tank", NULL);
    row(p, "Links");
    item_count(p, net->n_pipe, "pipe", NULL);
    item_count(p, net->n_pump, "pump", NULL);
    item_count(p, net->n_valve, "valve", NULL);
    if (net->n_valve > 0) {
        row(p, "Valves");
        for (int k = 0; k < SL_VALVE_KIND_COUNT; k++) {
            if (f->valves[k] > 0) {
                sl_out_printf(item(p), "%d %s", f->valves[k], sl_valve_kind_word((sl_valve_kind)k));
            }
        }
    }
    if (net->n_pipe > 0) {
        row(p, "Pipes");
        item(p);
        put_rounded(p, f->pipe_length / 1000, 5);
        sl_out_z(p->out, " km");
        sl_out_z(item(p), "diameter ");
        put_range(p, f->pipe_diameter, factor[SL_Q_DIAMETER], metric ? "mm" : "in");
        item_count(p, f->check_valves, "check valve", NULL);
        item_count(p, f->leaking_pipes, "leaking pipe", NULL);
    }
    if (!isnan(f->elevation.min)) {
        row(p, "Elevation");
        item(p);
        put_range(p, f->elevation, factor[SL_Q_LENGTH], metric ? "m" : "ft");
    }
    row(p, "Parts");
    sl_out_printf(item(p), "%s", f->islands == 1 ? "all connected" : "");
    if (f->islands != 1) {
        char text[SL_PLURAL_MAX];
        sl_out_z(p->out, sl_plural(f->islands, "separate component", NULL, text));
    }
    if (f->dry_islands > 0) {
        sl_out_printf(item(p), "%d without a reservoir or tank", f->dry_islands);
    }
    item_count(p, f->closed_links, "closed link", NULL);
}

static void page_demands(page *p, const double *factor) {
    const sl_network *net = p->net;
    row(p, "Demand");
    item(p);
    put_rounded(p, p->facts.base_demand / factor[SL_Q_FLOW], 6);
    sl_out_printf(p->out, " %s in total", sl_flow_unit_word(net->hydraulics.flow_unit));
    sl_out_printf(item(p), "%s driven", net->hydraulics.demand_model == SL_PDA ? "pressure" : "demand");
    if (net->hydraulics.demand_multiplier != 1) {
        sl_out_z(item(p), "multiplied by ");
        put_rounded(p, net->hydraulics.demand_multiplier, 6);
    }
    item_count(p, net->n_demand, "category", "categories");
    item_count(p, p->facts.emitters, "emitter", NULL);
    if (net->n_pattern + net->n_curve_named + net->n_control + net->n_rule > 0) {
        row(p, "Data");
        item_count(p, net->n_pattern, "pattern", NULL);
        item_count(p, net->n_curve_named, "curve", NULL);
        item_count(p, net->n_control, "control", NULL);
        item_count(p, net->n_rule, "rule", NULL);
    }
}

static void page_quality(page *p) {
    const sl_quality_options *q = &p->net->quality;
    row(p, "Quality");
    switch (q->kind) {
    case SL_QUALITY_NONE: sl_out_z(p->out, "none"); break;
    case SL_QUALITY_AGE: sl_out_z(p->out, "age of the water"); break;
    case SL_QUALITY_CHEMICAL:
        sl_out_printf(p->out, "%s in %s", q->chemical ? q->chemical : "chemical", q->mass_unit ? q->mass_unit : "mg/L");
        break;
    case SL_QUALITY_TRACE:
        sl_out_printf(p->out, "trace of %s",
                      q->trace_node >= 0 ? sl_network_node_id(p->net, q->trace_node) : "nothing");
        break;
    }
}

static void page_times(page *p) {
    const sl_times *t = &p->net->times;
    row(p, "Time");
    item(p);
    if (t->duration > 0) {
        put_time(p, t->duration);
        sl_out_z(item(p), "steps: hydraulics ");
        put_time(p, t->hydraulic_step);
        if (p->net->quality.kind != SL_QUALITY_NONE) {
            sl_out_z(item(p), "quality ");
            put_time(p, t->quality_step);
        }
        if (p->net->n_pattern > 0) {
            sl_out_z(item(p), "patterns ");
            put_time(p, t->pattern_step);
        }
        sl_out_z(item(p), "report ");
        put_time(p, t->report_step);
    } else {
        sl_out_z(p->out, "one moment (duration 0:00)");
    }
}

/* What a run will cost, in words that do not promise more than the figure can. */
static void page_estimate(page *p) {
    double ms = sl_estimate_runtime_ms(&p->figures);
    row(p, "Estimate");
    sl_out_printf(p->out, "%s effort, about ", sl_effort_word(sl_estimate_effort(ms)));
    if (ms < 1e3) {
        put_rounded(p, fmax(ms, 1), 1);
        sl_out_z(p->out, " ms");
    } else if (ms < 120e3) {
        put_rounded(p, ms / 1e3, 2);
        sl_out_z(p->out, " s");
    } else {
        put_rounded(p, ms / 60e3, 2);
        sl_out_z(p->out, " min");
    }
    sl_out_z(p->out, " to run");
}

static void page_rest(page *p, bool metric) {
    const sl_network *net = p->net;
    row(p, "Units");
    sl_out_printf(p->out, "%s, %s (%s)", sl_flow_unit_word(net->hydraulics.flow_unit),
                  sl_pressure_unit_word(net->hydraulics.pressure_unit), metric ? "metric" : "US customary");
    row(p, "Head loss");
    sl_out_z(p->out, sl_headloss_name(net->hydraulics.headloss));
    page_quality(p);
    page_times(p);
    page_estimate(p);
    row(p, "Map");
    if (p->facts.located_nodes == 0) {
        sl_out_z(p->out, "no coordinates");
    } else {
        sl_out_printf(item(p), "%d of %d nodes have coordinates", p->facts.located_nodes, net->n_node);
        item_count(p, p->facts.vertices, "vertex", "vertices");
        item_count(p, net->n_label, "label", NULL);
    }
    int64_t warnings = sl_diags_count(p->load->diags, SL_WARNING);
    if (warnings > 0) {
        row(p, "Warnings");
        sl_out_printf(p->out, "%lld, listed by `sluice check`", (long long)warnings);
    }
    sl_out_char(p->out, '\n');
}

static void write_text(page *p) {
    double factor[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(&p->net->hydraulics, &p->net->quality);
    sl_epanet_factors(&units, factor);
    bool metric = sl_flow_unit_is_metric(p->net->hydraulics.flow_unit);
    page_head(p);
    page_objects(p, factor, metric);
    page_demands(p, factor);
    page_rest(p, metric);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

typedef struct member {
    const char *key;
    int64_t n;
} member;

static void put_members(sl_json *json, const member *members, size_t n) {
    for (size_t i = 0; i < n; i++) {
        sl_json_member_int(json, members[i].key, members[i].n);
    }
}

#define PUT_MEMBERS(json, ...) \
    put_members((json), (const member[]){__VA_ARGS__}, sizeof((const member[]){__VA_ARGS__}) / sizeof(member))

static void json_counts(sl_json *json, const page *p) {
    const sl_network *net = p->net;
    const sl_facts *f = &p->facts;
    sl_json_key(json, "counts");
    sl_json_object(json);
    PUT_MEMBERS(json, {"junctions", net->n_junction}, {"reservoirs", net->n_reservoir}, {"tanks", net->n_tank},
                {"pipes", net->n_pipe}, {"pumps", net->n_pump}, {"valves", net->n_valve});
    sl_json_end(json);
    sl_json_key(json, "valve_kinds");
    sl_json_object(json);
    for (int k = 0; k < SL_VALVE_KIND_COUNT; k++) {
        PUT_MEMBERS(json, {sl_valve_kind_word((sl_valve_kind)k), f->valves[k]});
    }
    sl_json_end(json);
    PUT_MEMBERS(json, {"check_valves", f->check_valves}, {"closed_links", f->closed_links},
                {"leaking_pipes", f->leaking_pipes}, {"emitters", f->emitters}, {"demand_categories", net->n_demand},
                {"demand_junctions", f->demand_junctions}, {"patterns", net->n_pattern}, {"curves", net->n_curve_named},
                {"controls", net->n_control}, {"rules", net->n_rule}, {"quality_sources", net->n_source},
                {"labels", net->n_label}, {"nodes_with_coordinates", f->located_nodes}, {"vertices", f->vertices},
                {"connected_parts", f->islands}, {"parts_without_source", f->dry_islands});
}

static void json_quantities(sl_json *json, const page *p) {
    const sl_facts *f = &p->facts;
    const sl_times *t = &p->net->times;
    sl_json_member_number(json, "base_demand_m3_per_s", f->base_demand);
    sl_json_member_number(json, "demand_multiplier", p->net->hydraulics.demand_multiplier);
    sl_json_member_number(json, "pipe_length_m", f->pipe_length);
    sl_json_member_number(json, "pipe_diameter_min_m", f->pipe_diameter.min);
    sl_json_member_number(json, "pipe_diameter_max_m", f->pipe_diameter.max);
    sl_json_member_number(json, "elevation_min_m", f->elevation.min);
    sl_json_member_number(json, "elevation_max_m", f->elevation.max);
    sl_json_member_number(json, "duration_s", t->duration);
    sl_json_member_number(json, "hydraulic_step_s", t->hydraulic_step);
    sl_json_member_number(json, "quality_step_s", t->quality_step);
    sl_json_member_number(json, "pattern_step_s", t->pattern_step);
    sl_json_member_number(json, "report_step_s", t->report_step);
    sl_json_member_number(json, "rule_step_s", t->rule_step);
}

static void json_options(sl_json *json, const page *p) {
    const sl_hydraulic_options *h = &p->net->hydraulics;
    const sl_quality_options *q = &p->net->quality;
    sl_json_member_z(json, "flow_unit", sl_flow_unit_word(h->flow_unit));
    sl_json_member_z(json, "pressure_unit", sl_pressure_unit_word(h->pressure_unit));
    sl_json_member_z(json, "headloss", sl_headloss_word(h->headloss));
    sl_json_member_z(json, "demand_model", demand_model_words[h->demand_model]);
    sl_json_member_z(json, "quality", quality_words[q->kind]);
    if (q->kind == SL_QUALITY_CHEMICAL) {
        sl_json_member_z(json, "chemical", q->chemical);
        sl_json_member_z(json, "mass_unit", q->mass_unit);
    } else if (q->kind == SL_QUALITY_TRACE) {
        sl_json_member_z(json, "trace_node", q->trace_node >= 0 ? sl_network_node_id(p->net, q->trace_node) : NULL);
    }
}

static void json_estimate(sl_json *json, const page *p) {
    double ms = sl_estimate_runtime_ms(&p->figures);
    sl_json_key(json, "estimate");
    sl_json_object(json);
    sl_json_member_number(json, "ms", ms);
    sl_json_member_z(json, "effort", sl_effort_word(sl_estimate_effort(ms)));
    sl_json_member_number(json, "loops", (double)p->figures.loops);
    sl_json_member_number(json, "factor_multiplications", p->figures.factor);
    sl_json_end(json);
}

static void put_title(sl_json *json, const sl_network *net) {
    sl_json_key(json, "title");
    sl_json_array(json);
    for (int32_t i = 0; i < net->n_title; i++) {
        sl_json_z(json, net->title[i]);
    }
    sl_json_end(json);
}

/* ---- Functions of the row ----------------------------------------------------------------------- */

/* Errors count, also where there is a network in spite of them. */
static sl_status read_network(const sl_load *load, sl_network **net) {
    int64_t errors = sl_diags_count(load->diags, SL_ERROR);
    sl_status status = sl_network_load(load, -1, net);
    status = status == SL_OK ? sl_network_bound_steps(load, *net) : status;
    return status == SL_OK && sl_diags_count(load->diags, SL_ERROR) > errors ? SL_ERR_INPUT : status;
}

sl_status sl_network_info(const sl_load *load, sl_out *out, sl_json *json) {
    sl_network *net = NULL;
    sl_status status = read_network(load, &net);
    page p = {.load = load, .net = net, .out = out, .figures = sl_run_figures_default()};
    if (status == SL_OK && !sl_facts_gather(load->ctx, net, &p.facts)) {
        status = SL_ERR_MEMORY;
    }
    status = status == SL_OK ? sl_run_figures_of(net, &p.figures) : status;
    if (status == SL_OK && out) {
        write_text(&p);
    } else if (status == SL_OK) {
        put_title(json, net);
        json_counts(json, &p);
        json_quantities(json, &p);
        json_options(json, &p);
        json_estimate(json, &p);
    }
    sl_network_destroy(net);
    return status;
}

/* "92 junctions, 3 tanks, 117 pipes": kinds that are there. */
static void put_counts(const sl_network *net, char *buf, size_t size) {
    const struct {
        int32_t n;
        const char *one;
    } kinds[] = {{net->n_junction, "junction"}, {net->n_reservoir, "reservoir"}, {net->n_tank, "tank"},
                 {net->n_pipe, "pipe"},         {net->n_pump, "pump"},           {net->n_valve, "valve"}};
    (void)sl_format(buf, size, "%s", net->n_node + net->n_link > 0 ? "" : "empty");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char one[SL_PLURAL_MAX];
        if (kinds[i].n > 0) {
            sl_append(buf, size, "%s%s", buf[0] ? ", " : "", sl_plural(kinds[i].n, kinds[i].one, NULL, one));
        }
    }
}

sl_status sl_network_check(const sl_load *load, sl_kind_facts *facts) {
    sl_network *net = NULL;
    sl_status status = read_network(load, &net);
    if (net) {
        put_counts(net, facts->brief, sizeof facts->brief);
    }
    if (status == SL_OK && net && sl_diags_count(load->diags, SL_ERROR) == 0) {
        const sl_eps_def def = sl_network_eps_def(load);
        sl_model *model = NULL;
        status = sl_model_from_network(load->ctx, net, &def, load->diags, &model);
        sl_model_destroy(model);
    }
    sl_network_destroy(net);
    return status;
}
