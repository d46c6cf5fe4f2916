/* SPDX-License-Identifier: MIT */
/* compile.c: from growing records to the immutable network: arrays by kind, final indices, resolved defaults.
 *
 * Nothing is judged here (that is validate.c); the only values that change are the ones EPANET itself adjusts
 * after reading: time steps that must divide each other, the default pattern, the required pressure.
 */
#include "network/compile.h"
#include "network/epanet_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *sl_compile_array(sl_compiler *c, int64_t n, size_t elem) {
    void *p = sl_arena_alloc(&c->impl->arena, (size_t)n * elem);
    if (!p) {
        c->oom = true;
    }
    return p;
}

static const char *copy_text(sl_compiler *c, const char *z) {
    if (!z) {
        return NULL;
    }
    const char *p = sl_arena_copy(&c->impl->arena, sl_str_z(z));
    if (!p) {
        c->oom = true;
    }
    return p;
}

/* ---- Final indices ------------------------------------------------------------------------------ */

static void number_nodes(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    net->n_junction = (int32_t)s->junction.n;
    net->n_reservoir = (int32_t)s->reservoir.n;
    net->n_tank = (int32_t)s->tank.n;
    net->n_node = (int32_t)s->node.n;
    int32_t base[3] = {0, net->n_junction, net->n_junction + net->n_reservoir};
    int32_t *final = c->node_final = NEW(c, int32_t, s->node.n);
    int32_t *back = NEW(c, int32_t, s->node.n);
    int32_t *rank = NEW(c, int32_t, s->node.n);
    if (c->oom) {
        return;
    }
    bool same = true;
    int32_t n_fixed = 0;
    for (int32_t h = 0; h < net->n_node; h++) {
        const sl_node_rec *rec = &s->node.at[h];
        int32_t i = base[rec->kind] + rec->index;
        final[h] = i;
        back[i] = h;
        same = same && i == h;
        rank[i] = rec->kind == SL_JUNCTION ? i : net->n_junction + n_fixed++;
    }
    net->node_rank = rank;
    if (!same) {
        c->impl->node_at_id = final;
        c->impl->id_at_node = back;
    }
}

static void number_links(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    net->n_pipe = (int32_t)s->pipe.n;
    net->n_pump = (int32_t)s->pump.n;
    net->n_valve = (int32_t)s->valve.n;
    net->n_link = (int32_t)s->link.n;
    int32_t base[3] = {0, net->n_pipe, net->n_pipe + net->n_pump};
    int32_t *final = c->link_final = NEW(c, int32_t, s->link.n);
    int32_t *back = NEW(c, int32_t, s->link.n);
    if (c->oom) {
        return;
    }
    bool same = true;
    for (int32_t h = 0; h < net->n_link; h++) {
        int32_t i = base[s->link.at[h].kind] + s->link.at[h].index;
        final[h] = i;
        back[i] = h;
        same = same && i == h;
    }
    net->link_rank = back; /* links arrive in EPANET's order */
    if (!same) {
        c->impl->link_at_id = final;
        c->impl->id_at_link = back;
    }
}

/* A curve takes the kind of its use. Used in several ways, it appears once for each. */
static void number_curves(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = sl_ids_count(s->curve_ids);
    net->n_pattern = sl_ids_count(s->pattern_ids);
    net->n_curve_named = n;
    uint8_t *used = NEW(c, uint8_t, n + 1);
    int32_t *final = c->curve_final = NEW(c, int32_t, (int64_t)n * SL_CURVE_KIND_COUNT + 1);
    if (c->oom) {
        return;
    }
#define USE(curve, kind) ((curve) >= 0 ? (void)(used[curve] |= (uint8_t)(1u << (kind))) : (void)0)
    for (int64_t i = 0; i < s->tank.n; i++) {
        USE(s->tank.at[i].curve, SL_CURVE_VOLUME);
    }
    for (int64_t i = 0; i < s->pump.n; i++) {
        USE(s->pump.at[i].curve, SL_CURVE_PUMP);
        USE(s->pump.at[i].efficiency_curve, SL_CURVE_EFFICIENCY);
    }
    for (int64_t i = 0; i < s->valve.n; i++) {
        USE(s->valve.at[i].curve, s->valve.at[i].kind == SL_GPV ? SL_CURVE_HEADLOSS : SL_CURVE_VALVE);
    }
#undef USE
    int32_t total = n;
    for (int32_t i = 0; i < n; i++) {
        for (int k = 1, first = 1; k < SL_CURVE_KIND_COUNT; k++) {
            if (used[i] & (1u << k)) {
                total += !first;
                first = 0;
            }
        }
    }
    net->n_curve = total;
    uint8_t *kind = NEW(c, uint8_t, total + 1);
    int32_t *twin = NEW(c, int32_t, total - n + 1);
    if (c->oom) {
        return;
    }
    int32_t next = n;
    for (int32_t i = 0; i < n; i++) {
        int declared = s->curve_kind.at[i];
        int main_kind = declared;
        if (used[i] && !(used[i] & (1u << declared))) {
            for (main_kind = 1; !(used[i] & (1u << main_kind)); main_kind++) {}
        }
        kind[i] = (uint8_t)main_kind;
        final[i * SL_CURVE_KIND_COUNT + main_kind] = i;
        for (int k = 1; k < SL_CURVE_KIND_COUNT; k++) {
            if (k != main_kind && (used[i] & (1u << k))) {
                kind[next] = (uint8_t)k;
                twin[next - n] = i;
                final[i * SL_CURVE_KIND_COUNT + k] = next++;
            }
        }
    }
    net->curve_kind = kind;
    net->curve_twin = twin;
}

static int32_t node_index(const sl_compiler *c, int32_t handle) {
    return handle < 0 ? -1 : c->node_final[handle];
}

static int32_t link_index(const sl_compiler *c, int32_t handle) {
    return handle < 0 ? -1 : c->link_final[handle];
}

/* ---- Tables with ranges ------------------------------------------------------------------------- */

/* Offsets from counts: start[i + 1] holds the count of i. */
static void sum_up(int32_t *start, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
}

/* Filling moves every offset to the end of its range, which is where the next one begins. */
static void take_back(int32_t *start, int32_t n) {
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

static void compile_patterns(sl_compiler *c) {
    const sl_spec *s = c->s;
    int32_t n = c->net->n_pattern;
    int32_t *start = NEW(c, int32_t, n + 1);
    double *factor = NEW(c, double, s->factor.n);
    uint32_t *line = NEW(c, uint32_t, n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->factor.n; i++) {
        start[s->factor.at[i].pattern + 1]++;
    }
    sum_up(start, n);
    for (int64_t i = 0; i < s->factor.n; i++) {
        factor[start[s->factor.at[i].pattern]++] = s->factor.at[i].factor;
    }
    take_back(start, n);
    for (int32_t i = 0; i < n; i++) {
        line[i] = s->pattern_line.at[i];
    }
    c->net->pattern_start = start;
    c->net->pattern_factor = factor;
    c->net->pattern_line = line;
}

static void compile_curves(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t named = net->n_curve_named, n = net->n_curve;
    int32_t *start = NEW(c, int32_t, n + 1);
    uint32_t *line = NEW(c, uint32_t, n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->point.n; i++) {
        start[s->point.at[i].owner + 1]++;
    }
    for (int32_t i = named; i < n; i++) {
        start[i + 1] = start[net->curve_twin[i - named] + 1];
    }
    sum_up(start, n);
    double *x = NEW(c, double, start[n]), *y = NEW(c, double, start[n]);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->point.n; i++) { /* numbers as given */
        const sl_point_rec *p = &s->point.at[i];
        x[start[p->owner]] = p->x;
        y[start[p->owner]++] = p->y;
    }
    take_back(start, named);               /* twins have not moved */
    for (int32_t i = n - 1; i >= 0; i--) { /* twins first: they copy numbers as given */
        int32_t from = i < named ? i : net->curve_twin[i - named];
        double fx = s->curve_fx[net->curve_kind[i]], fy = s->curve_fy[net->curve_kind[i]];
        for (int32_t k = 0; k < start[i + 1] - start[i]; k++) {
            x[start[i] + k] = x[start[from] + k] * fx;
            y[start[i] + k] = y[start[from] + k] * fy;
        }
        line[i] = s->curve_line.at[from];
    }
    net->curve_start = start;
    net->curve_x = x;
    net->curve_y = y;
    net->curve_line = line;
}

static int compare_notes(const void *a, const void *b) {
    int32_t x = ((const sl_note *)a)->index, y = ((const sl_note *)b)->index;
    return (x > y) - (x < y);
}

static void compile_demands(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = net->n_junction;
    int32_t *start = NEW(c, int32_t, n + 1);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        start[i + 1] = !s->junction.at[i].replaced;
    }
    for (int64_t i = 0; i < s->demand.n; i++) {
        start[s->demand.at[i].junction + 1]++;
    }
    sum_up(start, n);
    int64_t n_note = 0;
    for (int64_t i = 0; i < s->demand.n; i++) {
        n_note += s->demand.at[i].category != NULL;
    }
    double *base = NEW(c, double, start[n]);
    int32_t *pattern = NEW(c, int32_t, start[n]);
    sl_note *note = NEW(c, sl_note, n_note);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!s->junction.at[i].replaced) {
            base[start[i]] = s->junction.at[i].demand;
            pattern[start[i]++] = s->junction.at[i].pattern;
        }
    }
    net->n_demand_note = 0;
    for (int64_t i = 0; i < s->demand.n; i++) {
        const sl_demand_rec *d = &s->demand.at[i];
        int32_t k = start[d->junction]++;
        base[k] = d->base;
        pattern[k] = d->pattern;
        if (d->category) {
            note[net->n_demand_note++] = (sl_note){k, copy_text(c, d->category)};
        }
    }
    take_back(start, n);
    qsort(note, (size_t)net->n_demand_note, sizeof *note, compare_notes);
    net->demand_start = start;
    net->demand_base = base;
    net->demand_pattern = pattern;
    net->demand_note = note;
    net->n_demand = start[n];
}

static void compile_vertices(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    if (!s->vertex.n) {
        return;
    }
    int32_t n = net->n_link;
    int32_t *start = NEW(c, int32_t, n + 1);
    double *x = NEW(c, double, s->vertex.n), *y = NEW(c, double, s->vertex.n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->vertex.n; i++) {
        start[c->link_final[s->vertex.at[i].owner] + 1]++;
    }
    sum_up(start, n);
    for (int64_t i = 0; i < s->vertex.n; i++) {
        int32_t k = start[c->link_final[s->vertex.at[i].owner]]++;
        x[k] = s->vertex.at[i].x;
        y[k] = s->vertex.at[i].y;
    }
    take_back(start, n);
    net->vertex_start = start;
    net->vertex_x = x;
    net->vertex_y = y;
}

/* ---- Controls, rules, sources, notes ------------------------------------------------------------ */

static void compile_controls(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    sl_control *control = NEW(c, sl_control, s->control.n);
    sl_rule *rule = NEW(c, sl_rule, s->rule.n);
    sl_premise *premise = NEW(c, sl_premise, s->premise.n);
    sl_action *action = NEW(c, sl_action, s->action.n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->control.n; i++) {
        control[i] = s->control.at[i];
        control[i].link = link_index(c, control[i].link);
        control[i].node = node_index(c, control[i].node);
    }
    for (int64_t i = 0; i < s->rule.n; i++) {
        rule[i] = s->rule.at[i];
        rule[i].name = copy_text(c, rule[i].name);
    }
    for (int64_t i = 0; i < s->premise.n; i++) {
        sl_premise *p = &premise[i];
        *p = s->premise.at[i];
        p->index = p->object == SL_RULE_NODE   ? node_index(c, p->index)
                   : p->object == SL_RULE_LINK ? link_index(c, p->index)
                                               : -1;
    }
    for (int64_t i = 0; i < s->action.n; i++) {
        action[i] = s->action.at[i];
        action[i].link = link_index(c, action[i].link);
    }
    net->controls = control;
    net->n_control = (int32_t)s->control.n;
    net->rules = rule;
    net->n_rule = (int32_t)s->rule.n;
    net->premises = premise;
    net->n_premise = (int32_t)s->premise.n;
    net->actions = action;
    net->n_action = (int32_t)s->action.n;
}

/* Sorting by key and arrival, so that the last of equal keys can be kept. */
typedef struct order {
    int32_t key;
    int32_t seq;
} order;

static int compare_order(const void *a, const void *b) {
    const order *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->seq > y->seq) - (x->seq < y->seq);
}

/* Sorted keys, one entry each: the one that arrived last. Returns how many. */
static int32_t last_of_each(order *o, int64_t n) {
    qsort(o, (size_t)n, sizeof *o, compare_order);
    int32_t m = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i + 1 == n || o[i + 1].key != o[i].key) {
            o[m++] = o[i];
        }
    }
    return m;
}

static void compile_sources(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_quality_source *source = NEW(c, sl_quality_source, s->source.n);
    order *o = NEW(c, order, s->source.n);
    if (c->oom || !s->source.n) {
        return;
    }
    for (int32_t i = 0; i < s->source.n; i++) {
        o[i] = (order){node_index(c, s->source.at[i].node), i};
    }
    c->net->n_source = last_of_each(o, s->source.n);
    for (int32_t i = 0; i < c->net->n_source; i++) {
        source[i] = s->source.at[o[i].seq];
        source[i].node = o[i].key;
    }
    c->net->sources = source;
}

/* final maps handles to indices; NULL keeps them. */
static const sl_note *compile_notes(sl_compiler *c, const sl_notes *notes, const int32_t *final, int32_t *n_out) {
    sl_note *out = NEW(c, sl_note, notes->n);
    order *o = NEW(c, order, notes->n);
    *n_out = 0;
    if (c->oom || !notes->n) {
        return NULL;
    }
    for (int32_t i = 0; i < notes->n; i++) {
        int32_t h = notes->at[i].index;
        o[i] = (order){final ? final[h] : h, i};
    }
    *n_out = last_of_each(o, notes->n);
    for (int32_t i = 0; i < *n_out; i++) {
        out[i] = (sl_note){o[i].key, copy_text(c, notes->at[o[i].seq].text)};
    }
    return out;
}

static const char *const *compile_lines(sl_compiler *c, const char *const *lines, int64_t n, int32_t *n_out) {
    const char **out = NEW(c, const char *, n);
    *n_out = 0;
    if (c->oom) {
        return NULL;
    }
    for (int64_t i = 0; i < n; i++) {
        out[i] = copy_text(c, lines[i]);
    }
    *n_out = (int32_t)n;
    return out;
}

static const int32_t *compile_list(sl_compiler *c, const int32_t *list, int64_t n, const int32_t *final,
                                   int32_t *n_out) {
    order *o = NEW(c, order, n);
    int32_t *out = NEW(c, int32_t, n);
    *n_out = 0;
    if (c->oom || !n) {
        return NULL;
    }
    for (int32_t i = 0; i < n; i++) {
        o[i] = (order){final[list[i]], i};
    }
    *n_out = last_of_each(o, n);
    for (int32_t i = 0; i < *n_out; i++) {
        out[i] = o[i].key;
    }
    return out;
}

static void compile_furniture(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    net->node_tags = compile_notes(c, &s->node_tag, c->node_final, &net->n_node_tag);
    net->link_tags = compile_notes(c, &s->link_tag, c->link_final, &net->n_link_tag);
    net->node_notes = compile_notes(c, &s->node_note, c->node_final, &net->n_node_note);
    net->link_notes = compile_notes(c, &s->link_note, c->link_final, &net->n_link_note);
    net->pattern_notes = compile_notes(c, &s->pattern_note, NULL, &net->n_pattern_note);
    net->curve_notes = compile_notes(c, &s->curve_note, NULL, &net->n_curve_note);
    net->title = compile_lines(c, s->title.at, s->title.n, &net->n_title);
    net->backdrop = compile_lines(c, s->backdrop.at, s->backdrop.n, &net->n_backdrop);
    sl_label *label = NEW(c, sl_label, s->label.n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->label.n; i++) {
        label[i] = s->label.at[i];
        label[i].text = copy_text(c, label[i].text);
        label[i].anchor = node_index(c, label[i].anchor);
    }
    net->labels = label;
    net->n_label = (int32_t)s->label.n;
    net->name = copy_text(c, s->name);
}

/* ---- Options ------------------------------------------------------------------------------------ */

/* EPANET's adjustments, in its order. */
static void adjust_times(sl_times *t) {
    double *const all[] = {&t->duration,      &t->hydraulic_step, &t->quality_step, &t->rule_step,  &t->pattern_step,
                           &t->pattern_start, &t->report_step,    &t->report_start, &t->start_clock};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = floor(*all[i] + 0.5); /* files say whole seconds */
    }
    t->start_clock = fmod(t->start_clock, 86400.0);
    t->pattern_step = t->pattern_step > 0 ? t->pattern_step : 3600;
    t->report_step = t->report_step > 0 ? t->report_step : t->pattern_step;
    t->hydraulic_step = t->hydraulic_step > 0 ? t->hydraulic_step : 3600;
    t->hydraulic_step = fmin(t->hydraulic_step, fmin(t->pattern_step, t->report_step));
    t->report_start = t->report_start > t->duration ? 0 : t->report_start;
    double tenth = floor(t->hydraulic_step / 10.0);
    t->quality_step = fmin(t->quality_step > 0 ? t->quality_step : tenth, t->hydraulic_step);
    t->rule_step = fmin(t->rule_step > 0 ? t->rule_step : tenth, t->hydraulic_step);
    /* A tenth of a step below 10 s is 0 whole seconds: one second is the least that moves. */
    t->quality_step = t->quality_step > 0 ? t->quality_step : 1;
    t->rule_step = t->rule_step > 0 ? t->rule_step : 1;
}

static void compile_options(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    sl_hydraulic_options *h = &net->hydraulics;
    *h = s->hydraulics;
    net->quality = s->quality;
    net->energy = s->energy;
    net->times = s->times;
    net->report = s->report;

    if (isnan(h->pressure_required)) {
        double factor[SL_Q_COUNT];
        sl_unit_system units = sl_network_units(h, &net->quality);
        sl_epanet_factors(&units, factor);
        h->pressure_required = h->pressure_min + 0.1 * factor[SL_Q_PRESSURE];
    }
    if (net->quality.kind != SL_QUALITY_CHEMICAL) { /* names of what is not simulated are not kept */
        net->quality.chemical = "Chemical";
        net->quality.mass_unit = "mg/L";
    }
    if (net->quality.kind != SL_QUALITY_TRACE) {
        net->quality.trace_node = -1;
    }
    h->default_pattern = sl_ids_find(s->pattern_ids, sl_str_z(h->default_pattern_id));
    h->default_pattern_id = copy_text(c, h->default_pattern_id);
    h->hydraulics_path = copy_text(c, h->hydraulics_path);
    h->map_file = copy_text(c, h->map_file);
    net->quality.chemical = copy_text(c, net->quality.chemical);
    net->quality.mass_unit = copy_text(c, net->quality.mass_unit);
    net->quality.trace_node = node_index(c, net->quality.trace_node);
    net->report.file = copy_text(c, net->report.file);
    int64_t n_node = net->report.nodes == SL_REPORT_SOME ? s->report_node.n : 0,
            n_link = net->report.links == SL_REPORT_SOME ? s->report_link.n : 0;
    net->report.node_list = compile_list(c, s->report_node.at, n_node, c->node_final, &net->report.n_node_list);
    net->report.link_list = compile_list(c, s->report_link.at, n_link, c->link_final, &net->report.n_link_list);
    net->report.nodes = net->report.nodes == SL_REPORT_SOME && n_node == 0 ? SL_REPORT_NONE : net->report.nodes;
    net->report.links = net->report.links == SL_REPORT_SOME && n_link == 0 ? SL_REPORT_NONE : net->report.links;
    adjust_times(&net->times);
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static sl_ids *copy_ids(sl_compiler *c, const sl_ids *ids) {
    sl_ids *copy = sl_ids_create(c->impl->ctx);
    if (!copy || !sl_ids_reserve(copy, sl_ids_count(ids), 0)) {
        c->oom = true;
    }
    for (int32_t i = 0; !c->oom && i < sl_ids_count(ids); i++) {
        c->oom = sl_ids_add(copy, sl_ids_text(ids, i)) == SL_BUILD_MEMORY;
    }
    return copy;
}

sl_status sl_build_compile(sl_spec *spec, bool take, sl_network **out) {
    *out = NULL;
    sl_network_impl *impl = sl_alloc(spec->ctx, sizeof *impl);
    if (!impl) {
        return SL_ERR_MEMORY;
    }
    impl->ctx = spec->ctx;
    sl_arena_init(&impl->arena, spec->ctx);
    sl_compiler c = {.s = spec, .impl = impl, .net = &impl->pub};
    void (*const step[])(sl_compiler *) = {number_nodes,     number_links,    number_curves,     compile_patterns,
                                           compile_curves,   compile_demands, compile_vertices,  sl_compile_objects,
                                           compile_controls, compile_sources, compile_furniture, compile_options};
    for (size_t i = 0; i < sizeof step / sizeof *step && !c.oom; i++) {
        step[i](&c);
    }
    sl_ids **from[4] = {&spec->node_ids, &spec->link_ids, &spec->pattern_ids, &spec->curve_ids};
    sl_ids **to[4] = {&impl->node_ids, &impl->link_ids, &impl->pattern_ids, &impl->curve_ids};
    for (int i = 0; i < 4 && !c.oom; i++) {
        if (take) {
            *to[i] = *from[i];
            *from[i] = NULL;
        } else {
            *to[i] = copy_ids(&c, *from[i]);
        }
    }
    if (c.oom) {
        sl_network_destroy(&impl->pub);
        return SL_ERR_MEMORY;
    }
    *out = &impl->pub;
    return SL_OK;
}
