/* SPDX-License-Identifier: MIT */
/* compare.c: are two result files the same within tolerances?
 *
 * Elements are matched by id, periods by time, b is converted to the units of a. The tolerance of a variable is an
 * absolute part plus a part of its scale in a (range or largest value over all elements and periods), so that it is known
 * after the whole file was seen: one pass finds scales and worst differences, a second one counts what is over, for the
 * variables that have any.
 *
 * Where closed links cut nodes off from every tank and reservoir in a, heads are made by round-off: those nodes are left
 * out of heads, pressures and demands, their links out of head loss, friction and status.
 */
#include <math.h>

#include <sluice/results.h>

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"
#include "network/epanet_units.h"
#include "results/out_layout.h"

typedef struct comparison {
    sl_outfile *a, *b;
    const sl_outfile_info *fa, *fb;
    const sl_compare_def *def;
    sl_diags *diags;
    sl_compare_result *result;
    sl_arena arena;
    int32_t *node_in_b, *link_in_b; /* by element of a */
    double to_a[SL_OUT_VARIABLE_COUNT];
    double *setting_to_a; /* by link of a */
    int32_t *energy_in_b; /* by link of b: its row in the energy table, -1: none */
    float *xa, *xb;
    double low[SL_OUT_VARIABLE_COUNT], high[SL_OUT_VARIABLE_COUNT]; /* of a */
    int32_t *parent;                                                /* union-find over nodes */
    uint8_t *closed, *cut_node, *cut_link;                          /* in the period at hand */
    int32_t n_cut;
    bool knows_cuts;
} comparison;

void sl_compare_default_fill(sl_compare_def *def, size_t size) {
    const sl_compare_def all = {.head_abs = 1e-3,
                                .head_rel = 1e-4,
                                .flow_rel = 1e-3,
                                .quality_abs = 1e-3,
                                .quality_rel = 1e-3,
                                .other_rel = 1e-3};
    sl_sized_default(def, size, &all, sizeof all);
}

static void differs(comparison *c, sl_severity severity, const char *hint, const char *text) {
    c->result->same = false;
    sl_report(c->diags, severity, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, hint, "%s", text);
}

/* ---- Matching ----------------------------------------------------------------------------------- */

/* Where each element of a is in b. Equal lists match place by place, cut ids and all. */
static bool match(comparison *c, bool links, int32_t *in_b) {
    const char *(*id)(const sl_outfile *, int32_t) = links ? sl_outfile_link_id : sl_outfile_node_id;
    int32_t n = links ? c->fa->n_link : c->fa->n_node;
    const char *missing = NULL;
    bool in_order = n == (links ? c->fb->n_link : c->fb->n_node);
    for (int32_t i = 0; i < n && in_order; i++) {
        in_b[i] = i;
        in_order = strcmp(id(c->a, i), id(c->b, i)) == 0;
    }
    for (int32_t i = 0; i < n && !in_order && !missing; i++) {
        sl_str text = sl_str_z(id(c->a, i));
        in_b[i] = links ? sl_outfile_find_link(c->b, text) : sl_outfile_find_node(c->b, text);
        missing = in_b[i] < 0 ? text.ptr : NULL;
    }
    bool same_number = n == (links ? c->fb->n_link : c->fb->n_node);
    if (missing || !same_number) {
        c->result->same = false;
        sl_report(c->diags, SL_ERROR, SL_CODE_NOT_COMPARABLE, NULL, links ? "link" : "node", missing, NULL,
                  "the files are results of different networks: %d and %d %s%s", (int)n,
                  (int)(links ? c->fb->n_link : c->fb->n_node), links ? "links" : "nodes",
                  missing ? "; this one is in the first only" : "");
    }
    return !missing && same_number;
}

static bool near(float a, float b, double factor) {
    return fabs((double)a - (double)b * factor) <= 1e-4 * fmax(1.0, fabs((double)a));
}

/* Elevations, lengths, diameters, types and ends: different ones are another model, though the ids agree. */
static void compare_model(comparison *c, const double fa[SL_Q_COUNT], const double fb[SL_Q_COUNT]) {
    const sl_outfile_info *a = c->fa, *b = c->fb;
    double length = fb[SL_Q_LENGTH] / fa[SL_Q_LENGTH], diameter = fb[SL_Q_DIAMETER] / fa[SL_Q_DIAMETER];
    int32_t n_bad = 0;
    for (int32_t i = 0; i < a->n_node; i++) {
        n_bad += !near(a->elevation[i], b->elevation[c->node_in_b[i]], length);
    }
    for (int32_t i = 0; i < a->n_link; i++) {
        int32_t k = c->link_in_b[i];
        n_bad += !near(a->length[i], b->length[k], length) || !near(a->diameter[i], b->diameter[k], diameter) ||
                 a->link_type[i] != b->link_type[k] || c->node_in_b[a->link_from[i]] != b->link_from[k] ||
                 c->node_in_b[a->link_to[i]] != b->link_to[k];
    }
    if (n_bad > 0) {
        char text[160];
        sl_format(text, sizeof text, "%d elements differ in elevation, length, diameter, type or end nodes",
                  (int)n_bad);
        differs(c, SL_WARNING, "the models were not the same", text);
    }
}

static void set_conversion(comparison *c) {
    double fa[SL_Q_COUNT], fb[SL_Q_COUNT];
    sl_unit_system u = {.flow = c->fa->flow_unit, .pressure = c->fa->pressure_unit, .specific_gravity = 1.0};
    sl_epanet_factors(&u, fa);
    u.flow = c->fb->flow_unit;
    u.pressure = c->fb->pressure_unit;
    sl_epanet_factors(&u, fb);
    static const sl_quantity quantity[SL_OUT_VARIABLE_COUNT] = {
        [SL_OUT_DEMAND] = SL_Q_FLOW, [SL_OUT_HEAD] = SL_Q_LENGTH,     [SL_OUT_PRESSURE] = SL_Q_PRESSURE,
        [SL_OUT_FLOW] = SL_Q_FLOW,   [SL_OUT_VELOCITY] = SL_Q_LENGTH,
    };
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        c->to_a[v] = fb[quantity[v]] / fa[quantity[v]];
    }
    for (int32_t i = 0; i < c->fa->n_link; i++) {
        int32_t type = c->fa->link_type[i];
        sl_quantity q = type >= 3 ? sl_valve_setting_quantity((sl_valve_kind)(type - 3)) : SL_Q_NONE;
        c->setting_to_a[i] = fb[q] / fa[q];
    }
    if (c->fa->flow_unit != c->fb->flow_unit || c->fa->pressure_unit != c->fb->pressure_unit) {
        sl_report(c->diags, SL_INFO, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, NULL,
                  "the units differ (%s, %s): compared in %s, for water", sl_flow_unit_word(c->fa->flow_unit),
                  sl_flow_unit_word(c->fb->flow_unit), sl_flow_unit_word(c->fa->flow_unit));
    }
    compare_model(c, fa, fb);
}

static bool same_quality(const comparison *c) {
    int32_t a = c->fa->trace_node, b = c->fb->trace_node;
    return c->fa->quality == c->fb->quality && (a > 0 ? c->node_in_b[a - 1] + 1 : 0) == b;
}

/* What belongs to the runs as a whole. False: nothing can be compared. */
static bool compare_runs(comparison *c) {
    const sl_outfile_info *a = c->fa, *b = c->fb;
    if (a->statistic != b->statistic) {
        differs(c, SL_ERROR, NULL, "the files hold different time statistics: there is nothing to compare");
        return false;
    }
    if (!same_quality(c)) {
        differs(c, SL_WARNING, NULL,
                "the files are of different kinds of quality analysis: qualities are not compared");
    }
    if (!a->complete || !b->complete) {
        differs(c, SL_WARNING, NULL,
                a->complete   ? "the second file is cut off"
                : b->complete ? "the first file is cut off"
                              : "both are cut off");
    }
    return true;
}

/* The period of b at the time of a's, or -1. */
static int32_t period_in_b(const comparison *c, int32_t period) {
    const sl_outfile_info *a = c->fa, *b = c->fb;
    if (a->statistic != SL_STAT_SERIES || (a->report_start == b->report_start && a->report_step == b->report_step)) {
        return period < b->n_period ? period : -1;
    }
    double since = sl_outfile_time(c->a, period) - b->report_start;
    double k = b->report_step > 0.0 ? since / b->report_step : since == 0.0 ? 0.0 : -1.0;
    return k >= 0.0 && k == floor(k) && k < b->n_period ? (int32_t)k : -1;
}

/* ---- Nodes that are cut off --------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* From the statuses in a; nothing to do when the closed links are those of the period before. */
static void find_cuts(comparison *c, const float *status) {
    const sl_outfile_info *a = c->fa;
    bool changed = !c->knows_cuts;
    for (int32_t i = 0; i < a->n_link; i++) {
        uint8_t closed = status[i] <= (float)SL_STATUS_CLOSED;
        changed = changed || closed != c->closed[i];
        c->closed[i] = closed;
    }
    if (!changed) {
        return;
    }
    c->knows_cuts = true;
    for (int32_t i = 0; i < a->n_node; i++) {
        c->parent[i] = i;
        c->cut_node[i] = 1;
    }
    for (int32_t i = 0; i < a->n_link; i++) {
        if (!c->closed[i]) {
            c->parent[root_of(c->parent, a->link_from[i])] = root_of(c->parent, a->link_to[i]);
        }
    }
    for (int32_t i = 0; i < a->n_fixed; i++) {
        c->cut_node[root_of(c->parent, a->fixed_node[i])] = 0;
    }
    c->n_cut = 0;
    for (int32_t i = 0; i < a->n_node; i++) { /* a root comes with its own answer, others ask their root */
        int32_t root = root_of(c->parent, i);
        c->cut_node[i] = c->cut_node[root];
        c->n_cut += c->cut_node[i];
    }
    for (int32_t i = 0; i < a->n_link; i++) {
        c->cut_link[i] = c->cut_node[a->link_from[i]] || c->cut_node[a->link_to[i]];
    }
}

static const uint8_t *left_out(const comparison *c, sl_out_variable v) {
    switch (v) {
    case SL_OUT_DEMAND:
    case SL_OUT_HEAD:
    case SL_OUT_PRESSURE: return c->cut_node;
    case SL_OUT_HEADLOSS:
    case SL_OUT_FRICTION:
    case SL_OUT_STATUS: return c->cut_link;
    default: return NULL;
    }
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* A value of b for element i of a, in the units of a. */
static double in_units_of_a(const comparison *c, sl_out_variable v, int32_t i, double b) {
    switch (v) {
    case SL_OUT_SETTING: return b * c->setting_to_a[i];
    case SL_OUT_HEADLOSS: return c->fa->link_type[i] >= 2 ? b * c->to_a[SL_OUT_HEAD] : b; /* a pipe's is a slope */
    default: return b * c->to_a[v];
    }
}

/* How far b is from a. A setting may be a speed, a flow or a pressure: parts of the larger value instead. */
static double distance(sl_out_variable v, double a, double b) {
    if (a == b || (isnan(a) && isnan(b))) {
        return 0.0;
    }
    return v == SL_OUT_SETTING ? fabs(a - b) / fmax(fabs(a), fabs(b)) : fabs(a - b);
}

typedef struct place {
    sl_out_variable variable;
    int32_t period; /* of a */
} place;

/* A difference counts as the worst when it is larger than all before; NaN and infinity are larger than anything. */
static void note(sl_compare_row *row, double difference, int32_t element, int32_t period, double a, double b) {
    difference = difference >= 0.0 ? difference : (double)INFINITY;
    if (difference > row->worst || row->element < 0) {
        row->worst = difference;
        row->element = element;
        row->period = period;
        row->a = a;
        row->b = b;
    }
}

/* Open in one file and closed in the other; the first place is kept. */
static void count_status(sl_compare_row *row, place at, int32_t element, double a, double b) {
    if ((a <= SL_STATUS_CLOSED) != (b <= SL_STATUS_CLOSED)) {
        if (row->n_over++ == 0) {
            *row = (sl_compare_row){.n = row->n, .n_over = 1, .element = element, .period = at.period, .a = a, .b = b};
        }
        row->worst = (double)row->n_over;
    }
}

static void first_look(comparison *c, place at, int32_t n, const int32_t *in_b, const uint8_t *skip) {
    sl_compare_row *row = &c->result->row[at.variable];
    for (int32_t i = 0; i < n; i++) {
        if (skip && skip[i]) {
            continue;
        }
        double a = (double)c->xa[i], b = in_units_of_a(c, at.variable, i, (double)c->xb[in_b[i]]);
        row->n++;
        if (isfinite(a)) {
            c->low[at.variable] = fmin(c->low[at.variable], a);
            c->high[at.variable] = fmax(c->high[at.variable], a);
        }
        double d = distance(at.variable, a, b);
        if (at.variable == SL_OUT_STATUS) {
            count_status(row, at, i, a, b);
        } else if (d != 0.0) {
            note(row, d, i, at.period, a, b);
        }
    }
}

static void count_over(comparison *c, place at, int32_t n, const int32_t *in_b, const uint8_t *skip) {
    sl_compare_row *row = &c->result->row[at.variable];
    for (int32_t i = 0; i < n; i++) {
        double a = (double)c->xa[i], b = in_units_of_a(c, at.variable, i, (double)c->xb[in_b[i]]);
        row->n_over += !(skip && skip[i]) && !(distance(at.variable, a, b) <= row->tolerance);
    }
}

static bool is_compared(const comparison *c, sl_out_variable v) {
    bool quality = v == SL_OUT_QUALITY || v == SL_OUT_LINK_QUALITY || v == SL_OUT_REACTION;
    return !quality || same_quality(c);
}

typedef void (*look_fn)(comparison *c, place at, int32_t n, const int32_t *in_b, const uint8_t *skip);

/* One pass over all common periods for the variables in the mask. */
static sl_status each_value(comparison *c, uint32_t mask, look_fn look) {
    c->result->n_period = 0;
    c->result->n_isolated = 0;
    for (int32_t period = 0; period < c->fa->n_period; period++) {
        int32_t other = period_in_b(c, period);
        if (other < 0) {
            continue;
        }
        sl_status status = sl_outfile_read(c->a, period, SL_OUT_STATUS, c->xa);
        if (status == SL_OK) {
            find_cuts(c, c->xa);
        }
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT && status == SL_OK; v++) {
            if (!(mask & UINT32_C(1) << v)) {
                continue;
            }
            status = sl_outfile_read(c->a, period, (sl_out_variable)v, c->xa);
            status = status == SL_OK ? sl_outfile_read(c->b, other, (sl_out_variable)v, c->xb) : status;
            if (status == SL_OK) {
                bool node = v < SL_OUT_FLOW;
                look(c, (place){(sl_out_variable)v, period}, node ? c->fa->n_node : c->fa->n_link,
                     node ? c->node_in_b : c->link_in_b, left_out(c, (sl_out_variable)v));
            }
        }
        if (status != SL_OK) {
            return status;
        }
        c->result->n_period++;
        c->result->n_isolated += c->n_cut;
    }
    return SL_OK;
}

static void set_tolerance(comparison *c, sl_out_variable v) {
    const sl_compare_def *d = c->def;
    sl_compare_row *row = &c->result->row[v];
    double range = fmax(c->high[v] - c->low[v], 0.0);
    double largest = row->n > 0 ? fmax(fabs(c->low[v]), fabs(c->high[v])) : 0.0;
    largest = isfinite(largest) ? largest : 0.0;
    range = isfinite(range) ? range : 0.0;
    switch (v) {
    case SL_OUT_HEAD:
    case SL_OUT_PRESSURE:
        row->scale = range;
        row->tolerance = d->head_abs + d->head_rel * range;
        break;
    case SL_OUT_DEMAND:
    case SL_OUT_FLOW:
        row->scale = largest;
        row->tolerance = d->flow_abs + d->flow_rel * largest;
        break;
    case SL_OUT_QUALITY:
    case SL_OUT_LINK_QUALITY:
        row->scale = range;
        row->tolerance = d->quality_abs + d->quality_rel * range;
        break;
    case SL_OUT_STATUS: break;
    case SL_OUT_SETTING:
        row->scale = largest;
        row->tolerance = d->other_rel;
        break;
    default:
        row->scale = largest;
        row->tolerance = d->other_rel * largest;
        break;
    }
    row->decisive = v != SL_OUT_VELOCITY && v != SL_OUT_HEADLOSS && v != SL_OUT_REACTION && v != SL_OUT_FRICTION;
}

static void check_periods(comparison *c) {
    int32_t n = c->result->n_period, n_a = c->fa->n_period, n_b = c->fb->n_period;
    if (n == 0 || n < n_a || n < n_b) {
        char text[160];
        sl_format(text, sizeof text, "%d periods are in both files; the first has %d, the second %d", (int)n, (int)n_a,
                  (int)n_b);
        differs(c, SL_WARNING, NULL, text);
    }
}

static sl_status compare_values(comparison *c) {
    uint32_t all = 0, over = 0;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        c->low[v] = (double)INFINITY;
        c->high[v] = -(double)INFINITY;
        c->result->row[v].element = c->result->row[v].period = -1;
        all |= is_compared(c, (sl_out_variable)v) ? UINT32_C(1) << v : 0;
    }
    sl_status status = each_value(c, all, first_look);
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT && status == SL_OK; v++) {
        set_tolerance(c, (sl_out_variable)v);
        over |= v != SL_OUT_STATUS && c->result->row[v].worst > c->result->row[v].tolerance ? UINT32_C(1) << v : 0;
    }
    if (status == SL_OK) {
        check_periods(c);
    }
    if (status == SL_OK && over) {
        status = each_value(c, over, count_over);
    }
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const sl_compare_row *row = &c->result->row[v];
        c->result->same = c->result->same && !(row->decisive && row->n_over > 0);
    }
    return status;
}

/* ---- Energy ------------------------------------------------------------------------------------- */

enum { N_ENERGY = 6, CHARGE = 6 };

static void energy_of(const sl_out_energy *e, double x[N_ENERGY]) {
    const float values[N_ENERGY] = {e->utilization, e->efficiency, e->kwh_per_volume,
                                    e->average_kw,  e->peak_kw,    e->cost_per_day};
    for (int i = 0; i < N_ENERGY; i++) {
        x[i] = (double)values[i];
    }
}

static void inspect_energy(comparison *c, double a, double b, double scale, int32_t element, int column) {
    sl_compare_row *row = &c->result->energy;
    row->n++;
    if (a == b || (isnan(a) && isnan(b))) {
        return;
    }
    double part = fabs(a - b) / scale; /* infinite where all of a's column is 0 */
    note(row, part, element, column, a, b);
    row->n_over += !(part <= row->tolerance);
}

/* kWh per m3 from kWh per million gallons and the reverse, by EPANET's figures. */
static double volume_to_a(const comparison *c) {
    double factor[SL_Q_COUNT], gallon, litre;
    sl_unit_system u = {.flow = SL_GPM, .specific_gravity = 1.0};
    sl_epanet_factors(&u, factor);
    gallon = factor[SL_Q_FLOW] * 60.0;
    u.flow = SL_LPS;
    sl_epanet_factors(&u, factor);
    litre = factor[SL_Q_FLOW];
    double m3_per_mgal = gallon * 1e6 / (litre * 1e3);
    bool a = sl_flow_unit_is_metric(c->fa->flow_unit), b = sl_flow_unit_is_metric(c->fb->flow_unit);
    return a == b ? 1.0 : a ? 1.0 / m3_per_mgal : m3_per_mgal;
}

static void compare_energy(comparison *c) {
    sl_compare_row *row = &c->result->energy;
    *row =
        (sl_compare_row){.element = -1, .period = -1, .tolerance = c->def->other_rel, .scale = 1.0, .decisive = true};
    double largest[N_ENERGY] = {0}, x[N_ENERGY], y[N_ENERGY], volume = volume_to_a(c);
    for (int32_t i = 0; i < c->fb->n_link; i++) {
        c->energy_in_b[i] = -1;
    }
    for (int32_t i = 0; i < c->fb->n_pump; i++) {
        c->energy_in_b[c->fb->energy[i].link] = i;
    }
    for (int32_t i = 0; i < c->fa->n_pump; i++) {
        energy_of(&c->fa->energy[i], x);
        for (int k = 0; k < N_ENERGY; k++) {
            largest[k] = isfinite(x[k]) ? fmax(largest[k], fabs(x[k])) : largest[k];
        }
    }
    for (int32_t i = 0; i < c->fa->n_pump; i++) {
        const sl_out_energy *e = &c->fa->energy[i];
        int32_t other = c->energy_in_b[c->link_in_b[e->link]];
        energy_of(e, x);
        energy_of(other >= 0 ? &c->fb->energy[other] : &(sl_out_energy){0}, y);
        y[2] *= volume;
        for (int k = 0; k < N_ENERGY; k++) {
            inspect_energy(c, x[k], y[k], largest[k], e->link, k);
        }
    }
    double charge = (double)c->fa->demand_charge;
    inspect_energy(c, charge, (double)c->fb->demand_charge, fabs(charge), -1, CHARGE);
    c->result->same = c->result->same && row->n_over == 0;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static bool alloc_buffers(comparison *c) {
    size_t n_node = (size_t)c->fa->n_node, n_link = (size_t)c->fa->n_link;
    size_t most = n_node > n_link ? n_node : n_link;
    c->node_in_b = sl_arena_alloc(&c->arena, n_node * sizeof *c->node_in_b);
    c->link_in_b = sl_arena_alloc(&c->arena, n_link * sizeof *c->link_in_b);
    c->setting_to_a = sl_arena_alloc(&c->arena, n_link * sizeof *c->setting_to_a);
    c->energy_in_b = sl_arena_alloc(&c->arena, (size_t)c->fb->n_link * sizeof *c->energy_in_b);
    c->xa = sl_arena_alloc(&c->arena, most * sizeof *c->xa);
    c->xb = sl_arena_alloc(&c->arena, most * sizeof *c->xb);
    c->parent = sl_arena_alloc(&c->arena, n_node * sizeof *c->parent);
    c->closed = sl_arena_alloc(&c->arena, n_link);
    c->cut_node = sl_arena_alloc(&c->arena, n_node);
    c->cut_link = sl_arena_alloc(&c->arena, n_link);
    return c->node_in_b && c->link_in_b && c->setting_to_a && c->energy_in_b && c->xa && c->xb && c->parent &&
           c->closed && c->cut_node && c->cut_link;
}

static sl_status compare_files(comparison *c) {
    if (!alloc_buffers(c)) {
        return SL_ERR_MEMORY;
    }
    bool nodes = match(c, false, c->node_in_b);
    bool links = match(c, true, c->link_in_b);
    if (!nodes || !links || !compare_runs(c)) {
        return SL_ERR_INPUT;
    }
    set_conversion(c);
    sl_status status = compare_values(c);
    if (status == SL_OK) {
        compare_energy(c);
    }
    return status;
}

sl_status sl_compare(sl_context *ctx, sl_outfile *a, sl_outfile *b, const sl_compare_def *def, sl_diags *diags,
                     sl_compare_result *out) {
    sl_compare_result result = {.size = sizeof result, .same = true};
    sl_compare_def own = sl_compare_default();
    if (!sl_sized_valid(out) || !sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    comparison c = {.a = a,
                    .b = b,
                    .fa = sl_outfile_get_info(a),
                    .fb = sl_outfile_get_info(b),
                    .def = &own,
                    .diags = diags,
                    .result = &result};
    sl_arena_init(&c.arena, ctx);
    sl_status status = compare_files(&c);
    sl_arena_fini(&c.arena);
    sl_sized_give(out, &result, sizeof result);
    return status;
}
