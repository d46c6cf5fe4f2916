/* SPDX-License-Identifier: MIT */
/* compare_network.c: results of networks; see compare_impl.h.
 *
 * Where closed links cut nodes off from every tank and reservoir in a, heads are made by round-off: those nodes are left out of heads,
 * pressures and demands, their links out of head loss, friction and status.
 */
#include <string.h>

#include "base/ids.h"
#include "network/words.h"
#include "results/compare_impl.h"
#include "results/display_units.h"
#include "results/network_columns.h"

/* ---- What they are ------------------------------------------------------------------------------ */

/* 1: the results of a network, 0: of something else, -1: the file does not say. */
static int is_network(const sl_results_layout *l) {
    return !*l->engine ? -1 : strcmp(l->engine, "eps") == 0 || strcmp(l->engine, "quality") == 0;
}

/* Something that only networks have. */
static bool has_own_quantity(const sl_results *r) {
    return sl_results_find(r, "node", "demand") >= 0 || sl_results_find(r, "node", "quality") >= 0 ||
           sl_results_find(r, "link", "status") >= 0;
}

bool sl_compare_is_network(const sl_results *a, const sl_results *b) {
    int of_a = is_network(&a->layout), of_b = is_network(&b->layout);
    return of_a != 0 && of_b != 0 && (of_a > 0 || of_b > 0 || (has_own_quantity(a) && has_own_quantity(b)));
}

static const char *attribute_text(const sl_results_layout *l, const char *name) {
    const sl_results_attribute *a = sl_results_find_attribute(l->attributes, l->n_attribute, name);
    return a && a->text ? a->text : NULL;
}

static bool same_attribute(const sl_comparison *c, const char *name) {
    const char *a = attribute_text(&c->a->layout, name), *b = attribute_text(&c->b->layout, name);
    return !a || !b || sl_compare_same_id(c, a, b);
}

/* Quality in one of them only, though the rest of what nodes usually have is in both. */
static bool is_quality_missing(const sl_results *with, const sl_results *without) {
    return sl_results_find(with, "node", "quality") >= 0 && sl_results_find(without, "node", "quality") < 0 &&
           sl_results_find(without, "node", "demand") >= 0 && sl_results_find(without, "node", "pressure") >= 0;
}

/* Units of chemicals are any text. */
static sl_quality_kind kind_of_quality(const char *unit) {
    return strcmp(unit, "h") == 0 ? SL_QUALITY_AGE : strcmp(unit, "%") == 0 ? SL_QUALITY_TRACE : SL_QUALITY_CHEMICAL;
}

bool sl_compare_network_runs(sl_comparison *c) {
    if (!same_attribute(c, "statistic")) {
        sl_compare_differs(c, SL_ERROR, NULL, "the files hold different time statistics: there is nothing to compare");
        return false;
    }
    const sl_results *a = c->a, *b = c->b;
    int32_t of_a = sl_results_find(a, "node", "quality"), of_b = sl_results_find(b, "node", "quality");
    bool both = of_a >= 0 && of_b >= 0;
    const sl_results_group *ga = both ? &a->layout.groups[a->group_of[of_a]] : NULL;
    const sl_results_group *gb = both ? &b->layout.groups[b->group_of[of_b]] : NULL;
    const sl_results_column *qa = ga ? sl_results_find_column(ga->quantities, ga->n_quantity, "quality") : NULL;
    const sl_results_column *qb = gb ? sl_results_find_column(gb->quantities, gb->n_quantity, "quality") : NULL;
    c->net.other_quality = is_quality_missing(a, b) || is_quality_missing(b, a) || !same_attribute(c, "trace_node") ||
                           (qa && qb && kind_of_quality(qa->unit) != kind_of_quality(qb->unit));
    if (c->net.other_quality) {
        sl_compare_differs(c, SL_WARNING, NULL,
                           "the files are of different kinds of quality analysis: qualities are not compared");
    }
    return true;
}

/* ---- Rules -------------------------------------------------------------------------------------- */

static bool is_quality(const char *name) {
    return strcmp(name, "quality") == 0 || strcmp(name, "reaction") == 0;
}

static int variable_of(const sl_compared_quantity *q) {
    bool node = strcmp(q->of->a->name, "node") == 0, link = strcmp(q->of->a->name, "link") == 0;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        if ((v < SL_OUT_FLOW ? node : link) && strcmp(q->a->name, sl_network_quantities[v].name) == 0) {
            return v;
        }
    }
    return -1;
}

static void set_rule(const sl_comparison *c, sl_compared_quantity *q, int variable) {
    const sl_compare_def *d = &c->def;
    const sl_compared_network *n = &c->net;
    bool cuts = n->status >= 0;
    q->row.decisive = true;
    switch (variable) {
    case SL_OUT_HEAD:
    case SL_OUT_PRESSURE:
        q->abs = d->head_abs;
        q->rel = d->head_rel;
        q->skip = cuts ? n->cut_node : NULL;
        break;
    case SL_OUT_QUALITY:
    case SL_OUT_LINK_QUALITY:
        q->abs = d->quality_abs;
        q->rel = d->quality_rel;
        break;
    case SL_OUT_DEMAND:
    case SL_OUT_FLOW:
        q->rule = SL_COMPARE_BY_LARGEST;
        q->abs = d->flow_abs;
        q->rel = d->flow_rel;
        q->skip = cuts && variable == SL_OUT_DEMAND ? n->cut_node : NULL;
        break;
    case SL_OUT_STATUS:
        q->rule = SL_COMPARE_BY_STATUS;
        q->skip = cuts ? n->cut_link : NULL;
        break;
    case SL_OUT_SETTING:
        q->rule = SL_COMPARE_BY_SETTING;
        q->rel = d->other_rel;
        break;
    default:
        q->rule = SL_COMPARE_BY_LARGEST;
        q->rel = d->other_rel;
        q->row.decisive = false;
        q->skip = cuts && (variable == SL_OUT_HEADLOSS || variable == SL_OUT_FRICTION) ? n->cut_link : NULL;
        break;
    }
}

/* ---- Units that differ by element --------------------------------------------------------------- */

/* Of flows or pressures, by what the file says or by its columns; NULL: unknown. */
static const char *unit_of(const sl_results *r, const char *group, const char *quantity) {
    const sl_results_group *g = sl_results_find_group(&r->layout, group);
    const sl_results_column *q = g ? sl_results_find_column(g->quantities, g->n_quantity, quantity) : NULL;
    if (q) {
        return q->unit;
    }
    bool flow = strcmp(quantity, "flow") == 0;
    const char *word = attribute_text(&r->layout, flow ? "flow_unit" : "pressure_unit");
    for (int i = 0; word && i < (flow ? (int)SL_FLOW_UNIT_COUNT : (int)SL_PRESSURE_UNIT_COUNT); i++) {
        if (strcmp(word, flow ? sl_flow_words[i] : sl_pressure_words[i]) == 0) {
            return flow ? sl_display_flow_name((sl_flow_unit)i) : sl_display_pressure_name((sl_pressure_unit)i);
        }
    }
    return NULL;
}

static double factor_between(const sl_comparison *c, const char *group, const char *quantity) {
    const char *a = unit_of(c->a, group, quantity), *b = unit_of(c->b, group, quantity);
    double by = 1.0, plus;
    return a && b && sl_compare_convert(quantity, b, a, &by, &plus) ? by : 1.0;
}

static bool is_in(const char *word, const char *const *list) {
    while (*list && strcmp(word, *list) != 0) {
        list++;
    }
    return *list != NULL;
}

/* The setting of a valve is a pressure or a flow; the head loss of a pipe is a slope, of others a head. */
static sl_status set_element_factors(sl_comparison *c, sl_compared_quantity *q, int variable) {
    static const char *const pressure_valves[] = {"prv", "psv", "pbv", NULL}, *const flow_valves[] = {"fcv", NULL},
                             *const pipes[] = {"pipe", NULL};
    const sl_results_group *g = q->of->a;
    const sl_results_column *kind = sl_results_find_fact(g, "kind");
    double flow = factor_between(c, "link", "flow"), pressure = factor_between(c, "node", "pressure"), length = 1.0,
           plus;
    bool to_metric = strcmp(q->a->unit, "m/km") == 0 && strcmp(q->b->unit, "ft/kft") == 0;
    bool from_metric = strcmp(q->b->unit, "m/km") == 0 && strcmp(q->a->unit, "ft/kft") == 0;
    if (to_metric || from_metric) {
        (void)sl_compare_convert("head", to_metric ? "ft" : "m", to_metric ? "m" : "ft", &length, &plus);
    }
    if (!kind || !kind->text) {
        return SL_OK;
    }
    q->by_element = sl_arena_alloc(&c->arena, (size_t)g->n * sizeof *q->by_element);
    if (!q->by_element) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < g->n; i++) {
        const char *word = kind->text[i];
        q->by_element[i] = variable == SL_OUT_HEADLOSS    ? (is_in(word, pipes) ? 1.0 : length)
                           : is_in(word, pressure_valves) ? pressure
                           : is_in(word, flow_valves)     ? flow
                                                          : 1.0;
    }
    return SL_OK;
}

sl_status sl_compare_network_quantity(sl_comparison *c, sl_compared_quantity *q) {
    int variable = variable_of(q);
    if (variable < 0) {
        return SL_OK;
    }
    set_rule(c, q, variable);
    if (variable == SL_OUT_SETTING || (variable == SL_OUT_HEADLOSS && !sl_compare_same_unit(q->a->unit, q->b->unit))) {
        q->is_convertible = true;
        return set_element_factors(c, q, variable);
    }
    if (sl_network_quantities[variable]
            .quality) { /* a chemical's unit that nobody knows is another word for the same */
        q->is_convertible = true;
        (void)sl_compare_convert(q->a->name, q->b->unit, q->a->unit, &q->by, &q->plus);
    }
    return SL_OK;
}

bool sl_compare_network_omits(const sl_comparison *c, const sl_compared_quantity *q) {
    return c->net.other_quality && is_quality(q->a->name);
}

/* ---- Nodes that are cut off --------------------------------------------------------------------- */

bool sl_compare_is_closed(const sl_results_column *status, double code) {
    static const char *const closed[] = {"xhead", "temp_closed", "closed", NULL};
    bool has_word = status->words && code >= 0.0 && code < status->n_word;
    return has_word ? is_in(status->words[(int32_t)code], closed) : code <= SL_STATUS_CLOSED;
}

/* Ends of the links as elements of a's group of nodes. False: an end is none of them. */
static bool find_ends(sl_compared_network *n, const sl_ids *ids, const sl_results_column *from,
                      const sl_results_column *to) {
    bool fine = true;
    for (int32_t i = 0; i < n->n_link && fine; i++) {
        n->from[i] = sl_ids_find(ids, sl_str_z(from->text[i]));
        n->to[i] = sl_ids_find(ids, sl_str_z(to->text[i]));
        fine = n->from[i] >= 0 && n->to[i] >= 0;
    }
    return fine;
}

static sl_status alloc_network(sl_comparison *c, const sl_results_group *nodes, const sl_results_group *links) {
    sl_compared_network *n = &c->net;
    size_t n_node = (size_t)nodes->n, n_link = (size_t)links->n;
    n->n_node = nodes->n;
    n->n_link = links->n;
    n->statuses = sl_arena_alloc(&c->arena, n_link * sizeof *n->statuses);
    n->from = sl_arena_alloc(&c->arena, n_link * sizeof *n->from);
    n->to = sl_arena_alloc(&c->arena, n_link * sizeof *n->to);
    n->parent = sl_arena_alloc(&c->arena, n_node * sizeof *n->parent);
    n->is_source = sl_arena_alloc(&c->arena, n_node);
    n->closed = sl_arena_alloc(&c->arena, n_link);
    n->cut_node = sl_arena_alloc(&c->arena, n_node);
    n->cut_link = sl_arena_alloc(&c->arena, n_link);
    return n->statuses && n->from && n->to && n->parent && n->is_source && n->closed && n->cut_node && n->cut_link
               ? SL_OK
               : SL_ERR_MEMORY;
}

sl_status sl_compare_network_begin(sl_comparison *c) {
    const sl_results_group *nodes = sl_results_find_group(&c->a->layout, "node"),
                           *links = sl_results_find_group(&c->a->layout, "link");
    int32_t status_quantity = sl_results_find(c->a, "link", "status");
    const sl_results_column *kind = nodes ? sl_results_find_fact(nodes, "kind") : NULL;
    const sl_results_column *from = links ? sl_results_find_fact(links, "from") : NULL;
    const sl_results_column *to = links ? sl_results_find_fact(links, "to") : NULL;
    c->net.status = -1;
    if (!c->result.network || status_quantity < 0 || !kind || !kind->text || !from || !from->text || !to || !to->text) {
        return SL_OK;
    }
    sl_status status = alloc_network(c, nodes, links);
    sl_ids *ids = status == SL_OK ? sl_ids_create(c->ctx) : NULL;
    status = status == SL_OK && !ids ? SL_ERR_MEMORY : status;
    for (int32_t i = 0; i < nodes->n && status == SL_OK; i++) {
        c->net.is_source[i] = strcmp(kind->text[i], sl_node_kind_words[SL_JUNCTION]) != 0;
        status = sl_ids_add(ids, sl_str_z(nodes->ids[i])) == INT32_MIN ? SL_ERR_MEMORY : SL_OK;
    }
    if (status == SL_OK && sl_ids_count(ids) == nodes->n && find_ends(&c->net, ids, from, to)) {
        c->net.status = status_quantity;
        c->net.status_column = sl_results_find_column(links->quantities, links->n_quantity, "status");
    }
    sl_ids_destroy(ids);
    return status;
}

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void find_cuts(sl_compared_network *n) {
    n->knows_cuts = true;
    for (int32_t i = 0; i < n->n_node; i++) {
        n->parent[i] = i;
        n->cut_node[i] = 1;
    }
    for (int32_t i = 0; i < n->n_link; i++) {
        if (!n->closed[i]) {
            n->parent[root_of(n->parent, n->from[i])] = root_of(n->parent, n->to[i]);
        }
    }
    for (int32_t i = 0; i < n->n_node; i++) {
        if (n->is_source[i]) {
            n->cut_node[root_of(n->parent, i)] = 0;
        }
    }
    n->n_cut = 0;
    for (int32_t i = 0; i < n->n_node; i++) { /* a root comes with its own answer, others ask their root */
        n->cut_node[i] = n->cut_node[root_of(n->parent, i)];
        n->n_cut += n->cut_node[i];
    }
    for (int32_t i = 0; i < n->n_link; i++) {
        n->cut_link[i] = n->cut_node[n->from[i]] || n->cut_node[n->to[i]];
    }
}

/* Nothing to do when the closed links are those of the time before. */
sl_status sl_compare_network_frame(sl_comparison *c, int64_t frame) {
    sl_compared_network *n = &c->net;
    if (n->status < 0) {
        return SL_OK;
    }
    sl_status status = sl_results_read(c->a, frame, n->status, n->statuses);
    bool changed = !n->knows_cuts;
    for (int32_t i = 0; i < n->n_link && status == SL_OK; i++) {
        uint8_t closed = sl_compare_is_closed(n->status_column, n->statuses[i]);
        changed = changed || closed != n->closed[i];
        n->closed[i] = closed;
    }
    if (status == SL_OK && changed) {
        find_cuts(n);
    }
    return status;
}
