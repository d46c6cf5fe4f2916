/* SPDX-License-Identifier: MIT */
/* verify.c: is a saved result a solution of the model? Matching, units, the way through the periods, and the verdict.
 *
 * A result file holds 4-byte floats, so a residual is never zero. Each is judged against what rounding the numbers that
 * enter it can explain, plus a small allowance that the caller chooses; docs/theory/verify.md derives them. Only a series
 * of moments can be verified: averages and extremes satisfy no equation.
 */
#include "results/verify.h"

#include <math.h>
#include <string.h>

#include "base/handle.h"
#include "base/context.h"
#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"
#include "network/epanet_units.h"
#include "results/out_layout.h"

enum { SAID_MAX = 20, ID_BYTES = 31, TEXT_MAX = 512 };

void sl_verify_default_fill(sl_verify_def *def, size_t size) {
    /* head_abs: ten times the 1e-4 m that Sluice asks of its own solutions, a tenth of the centimetre that matters.
     * mass_rel: what Sluice asks of itself. */
    const sl_verify_def all = {.head_abs = 1e-3, .mass_rel = 1e-6};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- Judging ------------------------------------------------------------------------------------ */

double sl_verify_round(double x) {
    return SL_VERIFY_ROUND * fabs(x);
}

static bool about_links(sl_verify_check check) {
    return check == SL_VERIFY_HEADLOSS || check == SL_VERIFY_CLOSED || check == SL_VERIFY_STATUS ||
           check == SL_VERIFY_LINK_QUALITY;
}

bool sl_verify_check_residual(sl_verifier *v, sl_verify_check check, int32_t element, double residual,
                              double tolerance) {
    sl_verify_row *row = &v->out->row[check];
    row->n++;
    bool fine = residual <= tolerance; /* false for NaN */
    double excess = isnan(residual) ? HUGE_VAL : residual / fmax(tolerance, 1e-300);
    row->n_bad += !fine;
    if (check == SL_VERIFY_STATUS) {
        row->worst = (double)row->n_bad;
    } else if (!(residual <= row->worst)) {
        row->worst = isnan(residual) ? HUGE_VAL : residual;
    }
    if (row->element < 0 || excess > row->worst_excess) {
        row->worst_excess = excess;
        row->element = element;
        row->period = v->period;
    }
    return !fine && v->n_said[check]++ < SAID_MAX;
}

void sl_verify_add_diag(sl_verifier *v, sl_verify_check check, int32_t element, const char *fmt, ...) {
    static const char *const node_words[] = {"junction", "reservoir", "tank"};
    static const char *const link_words[] = {"pipe", "pump", "valve"};
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    bool link = about_links(check);
    sl_diag d = {.size = sizeof d,
                 .severity = SL_ERROR,
                 .code = SL_CODE_UNSOUND,
                 .text = text,
                 .object_kind = link ? link_words[sl_network_link_kind(v->net, element)]
                                     : node_words[sl_network_node_kind(v->net, element)],
                 .object_id = link ? sl_network_link_id(v->net, element) : sl_network_node_id(v->net, element),
                 .time = v->time};
    sl_diags_add(v->diags, &d);
}

double sl_verify_pattern(const sl_verifier *v, int32_t pattern) {
    if (pattern < 0) {
        return 1.0;
    }
    const sl_times *t = &v->net->times;
    int32_t first = v->net->pattern_start[pattern], n = v->net->pattern_start[pattern + 1] - first;
    double period =
        fmax(floor((v->time + t->pattern_start) / t->pattern_step), 0.0); /* a damaged file may say any time */
    return v->net->pattern_factor[first + (int32_t)fmod(period, n)];
}

/* ---- Matching ----------------------------------------------------------------------------------- */

static void complain(sl_verifier *v, const char *kind, const char *id, const char *text) {
    sl_report(v->diags, SL_ERROR, SL_CODE_NOT_THIS_MODEL, NULL, kind, id, NULL, "%s", text);
}

/* Files keep the first 31 bytes of an id; ours do not cut a character in two. */
static bool same_id(const char *model, const char *file) {
    size_t kept = sl_outfile_text_bytes(model, ID_BYTES + 1);
    return strncmp(model, file, ID_BYTES) == 0 || (strncmp(model, file, kept) == 0 && file[kept] == '\0');
}

static sl_str kept_id(const char *id) {
    return (sl_str){id, sl_outfile_text_bytes(id, ID_BYTES + 1)};
}

static bool match_nodes(sl_verifier *v) {
    for (int32_t i = 0; i < v->net->n_node; i++) {
        const char *id = sl_network_node_id(v->net, i);
        int32_t at = v->net->node_rank[i]; /* most likely: both programs write this order */
        if (!same_id(id, sl_outfile_node_id(v->file, at))) {
            at = sl_outfile_find_node(v->file, kept_id(id));
        }
        if (at < 0) {
            complain(v, "node", id, "is in the model but not in the result");
            return false;
        }
        v->node_place[i] = at;
    }
    for (int32_t i = 0; i < v->info->n_fixed; i++) {
        v->raw[v->info->fixed_node[i]] = 1; /* raw is zeroed: marks what the file takes for a reservoir or tank */
    }
    for (int32_t i = 0; i < v->net->n_node; i++) {
        if ((v->raw[v->node_place[i]] != 0) != (i >= v->net->n_junction)) {
            complain(v, "node", sl_network_node_id(v->net, i), "is of another kind in the result");
            return false;
        }
    }
    return true;
}

/* EPANET's code of a link's kind. */
static int32_t link_code(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return valve >= 0 ? 3 + net->valve_kind[valve] : link >= net->n_pipe ? 2 : net->pipe_check[link] ? 0 : 1;
}

static bool match_links(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        const char *id = sl_network_link_id(net, k);
        int32_t at = net->link_rank[k];
        if (!same_id(id, sl_outfile_link_id(v->file, at))) {
            at = sl_outfile_find_link(v->file, kept_id(id));
        }
        const char *fault = at < 0 ? "is in the model but not in the result"
                            : v->info->link_from[at] != v->node_place[net->link_from[k]] ||
                                    v->info->link_to[at] != v->node_place[net->link_to[k]]
                                ? "joins other nodes in the result"
                            : v->info->link_type[at] != link_code(net, k) ? "is of another kind in the result"
                                                                          : NULL;
        if (fault) {
            complain(v, "link", id, fault);
            return false;
        }
        v->link_place[k] = at;
    }
    return true;
}

static bool match(sl_verifier *v) {
    const sl_network *net = v->net;
    const sl_outfile_info *f = v->info;
    if (f->statistic != SL_STAT_SERIES) {
        complain(v, NULL, NULL,
                 "the result holds averages or extremes; only a series of moments can be verified (STATISTIC NONE)");
        return false;
    }
    if (f->n_node != net->n_node || f->n_fixed != net->n_reservoir + net->n_tank || f->n_link != net->n_link ||
        f->n_pump != net->n_pump || f->n_valve != net->n_valve) {
        sl_report(
            v->diags, SL_ERROR, SL_CODE_NOT_THIS_MODEL, NULL, NULL, NULL, NULL,
            "the result is of another network: it has %d nodes (%d reservoirs and tanks) and %d links (%d pumps, %d "
            "valves), the model %d (%d) and %d (%d, %d)",
            f->n_node, f->n_fixed, f->n_link, f->n_pump, f->n_valve, net->n_node, net->n_reservoir + net->n_tank,
            net->n_link, net->n_pump, net->n_valve);
        return false;
    }
    if (f->n_period == 0) {
        complain(v, NULL, NULL, "the result has no period: there is nothing to verify");
        return false;
    }
    return match_nodes(v) && match_links(v);
}

/* Geometry that differs tells of a model that was edited after the run; the first such element is named. */
static void compare_geometry(sl_verifier *v) {
    const sl_network *net = v->net;
    const double near = 1e-5; /* files are written in 4 bytes, models with some 5 digits */
    double diameter_unit = sl_flow_unit_is_metric(v->info->flow_unit) ? 1e-3 : SL_EPANET_FOOT / 12.0;
    for (int32_t i = 0; i < net->n_node; i++) {
        double z = (double)v->info->elevation[v->node_place[i]] * v->length_unit;
        if (fabs(z - net->node_elevation[i]) > near * (1.0 + fabs(z))) {
            sl_report(v->diags, SL_WARNING, SL_CODE_NOT_THIS_MODEL, NULL, "node", sl_network_node_id(net, i), NULL,
                      "has another elevation in the result: the model has changed since");
            return;
        }
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        double length = (double)v->info->length[v->link_place[k]] * v->length_unit;
        double diameter = (double)v->info->diameter[v->link_place[k]] * diameter_unit;
        if (fabs(length - net->pipe_length[k]) > near * length ||
            fabs(diameter - net->pipe_diameter[k]) > near * diameter) {
            sl_report(v->diags, SL_WARNING, SL_CODE_NOT_THIS_MODEL, NULL, "pipe", sl_network_link_id(net, k), NULL,
                      "has another length or diameter in the result: the model has changed since");
            return;
        }
    }
}

/* ---- Preparing ---------------------------------------------------------------------------------- */

static void *take(sl_verifier *v, int32_t n, size_t size) {
    return sl_arena_alloc(&v->arena, ((size_t)n + 1) * size);
}

static bool allocate(sl_verifier *v) {
    int32_t n_node = v->net->n_node, n_link = v->net->n_link, n_tank = v->net->n_tank;
    double **per_node[] = {&v->demand,      &v->head,  &v->net_inflow,  &v->net_inflow_slack, &v->throughput,
                           &v->part_demand, &v->share, &v->share_slack, &v->head_then};
    double **per_link[] = {&v->flow, &v->setting, &v->flow_then, &v->setting_then};
    double **per_tank[] = {&v->level_before, &v->inflow_before, &v->pull, &v->planned};
    uint8_t **flags[] = {&v->status, &v->open, &v->open_before, &v->steered, &v->status_then, &v->open_then};
    bool ok = true;
    for (size_t i = 0; i < sizeof per_node / sizeof *per_node; i++) {
        ok = ok && (*per_node[i] = take(v, n_node, sizeof(double)));
    }
    for (size_t i = 0; i < sizeof per_link / sizeof *per_link; i++) {
        ok = ok && (*per_link[i] = take(v, n_link, sizeof(double)));
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        ok = ok && (*flags[i] = take(v, n_link, 1));
    }
    for (size_t i = 0; i < sizeof per_tank / sizeof *per_tank; i++) {
        ok = ok && (*per_tank[i] = take(v, n_tank, sizeof(double)));
    }
    if (v->net->pipe_leak_area) {
        ok = ok && (v->leak_area = take(v, n_node, sizeof(double))) &&
             (v->leak_expansion = take(v, n_node, sizeof(double)));
    }
    return ok && (v->cut = take(v, n_node, 1)) && (v->supplied = take(v, n_node, 1)) &&
           (v->drained = take(v, n_node, 1)) && (v->parent = take(v, n_node, sizeof(int32_t))) &&
           (v->other_parent = take(v, n_node, sizeof(int32_t))) &&
           (v->raw = take(v, n_node > n_link ? n_node : n_link, sizeof(float))) &&
           (v->node_place = take(v, n_node, sizeof(int32_t))) && (v->link_place = take(v, n_link, sizeof(int32_t)));
}

static void take_units(sl_verifier *v) {
    sl_unit_system units = sl_network_units(&v->net->hydraulics, &v->net->quality);
    units.flow = v->info->flow_unit; /* the file's, whatever the model says now */
    units.pressure = v->info->pressure_unit;
    double factor[SL_Q_COUNT];
    sl_epanet_factors(&units, factor);
    v->flow_unit = factor[SL_Q_FLOW];
    v->length_unit = factor[SL_Q_LENGTH];
    v->pressure_unit = factor[SL_Q_PRESSURE];
    v->flow_word = sl_flow_unit_word(v->info->flow_unit);
    v->length_word = sl_flow_unit_is_metric(v->info->flow_unit) ? "m" : "ft";
}

static void find_steered(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_control; i++) {
        v->steered[net->controls[i].link] |= net->controls[i].enabled ? SL_VERIFY_BY_CONTROL : 0;
    }
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        v->has_rules |= rule->enabled;
        for (int32_t i = 0; rule->enabled && i < rule->n_then; i++) {
            v->steered[net->actions[rule->then_start + i].link] |= SL_VERIFY_BY_RULE;
        }
        for (int32_t i = 0; rule->enabled && i < rule->n_else; i++) {
            v->steered[net->actions[rule->else_start + i].link] |= SL_VERIFY_BY_RULE;
        }
    }
}

/* Half of a pipe's leak is at each end, all of it at the junction when the other end is a reservoir or tank. */
static void share_leaks(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t k = 0; v->leak_area && k < net->n_pipe; k++) {
        int32_t end[2] = {net->link_from[k], net->link_to[k]};
        int n = (end[0] < net->n_junction) + (end[1] < net->n_junction);
        for (int i = 0; i < 2; i++) {
            if (end[i] < net->n_junction) {
                v->leak_area[end[i]] += net->pipe_leak_area[k] * net->pipe_length[k] / n;
                v->leak_expansion[end[i]] += net->pipe_leak_expansion[k] * net->pipe_length[k] / n;
            }
        }
    }
}

/* ---- Periods ------------------------------------------------------------------------------------ */

static sl_status load(sl_verifier *v, sl_out_variable variable, const int32_t *place, int32_t n, double unit,
                      double *x) {
    sl_status status = sl_outfile_read(v->file, v->period, variable, v->raw);
    for (int32_t i = 0; status == SL_OK && i < n; i++) {
        x[i] = (double)v->raw[place[i]] * unit;
    }
    return status;
}

static double setting_unit(const sl_verifier *v, int32_t link) {
    int32_t valve = link - v->net->n_pipe - v->net->n_pump;
    int kind = valve >= 0 ? v->net->valve_kind[valve] : SL_VALVE_KIND_COUNT;
    return kind == SL_PRV || kind == SL_PSV || kind == SL_PBV ? v->pressure_unit : kind == SL_FCV ? v->flow_unit : 1.0;
}

static sl_status load_period(sl_verifier *v) {
    const sl_network *net = v->net;
    sl_status status = load(v, SL_OUT_DEMAND, v->node_place, net->n_node, v->flow_unit, v->demand);
    status = status ? status : load(v, SL_OUT_HEAD, v->node_place, net->n_node, v->length_unit, v->head);
    status = status ? status : load(v, SL_OUT_STATUS, v->link_place, net->n_link, 1.0, v->flow);
    for (int32_t k = 0; status == SL_OK && k < net->n_link; k++) { /* anything unknown becomes 255: no code */
        v->status[k] =
            v->flow[k] >= 0 && v->flow[k] <= 7 && v->flow[k] == floor(v->flow[k]) ? (uint8_t)v->flow[k] : 255;
    }
    status = status ? status : load(v, SL_OUT_SETTING, v->link_place, net->n_link, 1.0, v->setting);
    for (int32_t k = net->n_pipe; status == SL_OK && k < net->n_link; k++) {
        v->setting[k] *= setting_unit(v, k);
    }
    if (status == SL_OK && v->quality.on) {
        status = load(v, SL_OUT_QUALITY, v->node_place, net->n_node, 1.0, v->quality.node);
        status = status ? status : load(v, SL_OUT_LINK_QUALITY, v->link_place, net->n_link, 1.0, v->quality.link);
    }
    return status ? status : load(v, SL_OUT_FLOW, v->link_place, net->n_link, v->flow_unit, v->flow);
}

static sl_status verify_periods(sl_verifier *v) {
    for (v->period = 0; v->period < v->info->n_period; v->period++) {
        v->time = sl_outfile_time(v->file, v->period);
        sl_status status = load_period(v);
        if (status != SL_OK) {
            return status;
        }
        sl_verify_connect(v);
        sl_verify_sum(v);
        sl_verify_links(v);
        sl_verify_nodes(v);
        sl_verify_tanks(v);
        if (v->quality.on) {
            sl_verify_quality_period(v);
        }
        v->out->n_period++;
        if (!sl_progress_report(v->ctx, "verifying", v->period + 1, v->info->n_period)) {
            return SL_ERR_CANCELLED;
        }
    }
    return SL_OK;
}

/* What is worth knowing beside the checks. */
static void close_report(sl_verifier *v) {
    const sl_outfile_info *f = v->info;
    for (int i = 0; i < SL_VERIFY_CHECK_COUNT; i++) {
        if (v->n_said[i] > SAID_MAX) {
            static const char *const names[SL_VERIFY_CHECK_COUNT] = {
                "head losses", "nodes' balances", "closed links",       "statuses",           "tank levels",
                "demands",     "reservoirs",      "qualities of nodes", "qualities of links", "balances of mass"};
            sl_report(v->diags, SL_INFO, SL_CODE_UNSOUND, NULL, NULL, NULL, NULL, "%lld more %s are out of tolerance",
                      (long long)(v->out->row[i].n_bad - SAID_MAX), names[i]);
        }
    }
    double wanted = floor((f->duration - f->report_start) / f->report_step) + 1.0;
    if (f->report_step > 0 && f->n_period < wanted) {
        sl_report(v->diags, SL_WARNING, SL_CODE_RESULT_FILE, NULL, NULL, NULL, NULL,
                  "the result ends early: %d of %.0f periods", f->n_period, wanted);
    }
}

sl_status sl_verify(sl_context *ctx, const sl_network *net, sl_outfile *file, const sl_verify_def *def, sl_diags *diags,
                    sl_verify_result *out) {
    if (!ctx || !net || !SL_HANDLE_IS(file, SL_HANDLE_OUTFILE) || !out) {
        return SL_ERR_USE;
    }
    sl_verify_result result = {.size = sizeof result};
    sl_verifier v = {
        .ctx = ctx, .net = net, .file = file, .info = sl_outfile_get_info(file), .diags = diags, .out = &result};
    v.def = sl_verify_default();
    v.share_period = v.supply_period = v.drain_period = -1;
    for (int i = 0; i < SL_VERIFY_CHECK_COUNT; i++) {
        result.row[i].element = result.row[i].period = -1;
    }
    if (!sl_sized_valid(out) || !sl_sized_take(&v.def, sizeof v.def, def) || !(v.def.head_abs >= 0.0) ||
        !(v.def.mass_rel >= 0.0)) {
        return SL_ERR_USE;
    }
    sl_arena_init(&v.arena, ctx);
    sl_status status = allocate(&v) ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK && !match(&v)) {
        status = SL_ERR_INPUT;
    }
    if (status == SL_OK) {
        take_units(&v);
        compare_geometry(&v);
        find_steered(&v);
        share_leaks(&v);
        status = sl_verify_quality_begin(&v);
    }
    if (status == SL_OK) {
        status = verify_periods(&v);
    }
    if (status == SL_OK && v.quality.on) {
        sl_verify_quality_end(&v);
    }
    if (status == SL_OK) {
        close_report(&v);
        result.consistent = true;
        for (int i = 0; i < SL_VERIFY_CHECK_COUNT; i++) {
            result.consistent = result.consistent && result.row[i].n_bad == 0;
        }
    }
    sl_arena_fini(&v.arena);
    sl_sized_give(out, &result, sizeof result);
    return status;
}
