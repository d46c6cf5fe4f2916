/* SPDX-License-Identifier: MIT */
/* route.c: the shortest line between nodes, by Dijkstra's algorithm with a binary heap; see route.h. Pumps and valves have no length.
 * Of lines of one length the one with fewer links is taken, then the one found first. */
#include "plot/route.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "results/display_units.h"

/* ---- The graph ---------------------------------------------------------------------------------- */

static sl_ids *index_of(sl_picture *p, const char *const *ids, int32_t n) {
    sl_ids *index = sl_ids_create(p->ctx);
    for (int32_t i = 0; index && i < n; i++) {
        if (sl_ids_add(index, sl_str_z(ids[i])) == INT32_MIN) {
            sl_ids_destroy(index);
            return NULL;
        }
    }
    return index;
}

static uint8_t kind_of(const char *word) {
    return strcmp(word, "pipe") == 0 ? SL_ROUTE_PIPE : strcmp(word, "pump") == 0 ? SL_ROUTE_PUMP : SL_ROUTE_VALVE;
}

static sl_status from_facts(sl_picture *p, const sl_results_group *nodes, const sl_results_group *links,
                            sl_route_graph *g) {
    const sl_results_column *ends[2] = {sl_group_fact(links, "from"), sl_group_fact(links, "to")};
    const sl_results_column *kind = sl_group_fact(links, "kind"), *length = sl_group_fact(links, "length");
    const sl_results_column *ground = sl_group_fact(nodes, "elevation"), *node_kind = sl_group_fact(nodes, "kind");
    int32_t *side[2] = {sl_arena_alloc(&p->arena, (size_t)(links->n + 1) * sizeof **side),
                        sl_arena_alloc(&p->arena, (size_t)(links->n + 1) * sizeof **side)};
    uint8_t *kinds = sl_arena_alloc(&p->arena, (size_t)(links->n + 1));
    sl_ids *index = index_of(p, nodes->ids, nodes->n);
    sl_status status = side[0] && side[1] && kinds && index ? SL_OK : SL_ERR_MEMORY;
    for (int32_t i = 0; i < links->n && status == SL_OK; i++) {
        for (int k = 0; k < 2; k++) {
            side[k][i] = sl_ids_find(index, sl_str_z(ends[k]->text[i]));
        }
        kinds[i] = kind && kind->text ? kind_of(kind->text[i]) : SL_ROUTE_PIPE;
    }
    sl_ids_destroy(index);
    *g = (sl_route_graph){.n_node = nodes->n,
                          .n_link = links->n,
                          .node_ids = nodes->ids,
                          .link_ids = links->ids,
                          .from = side[0],
                          .to = side[1],
                          .length = length->real,
                          .elevation = ground ? ground->real : NULL,
                          .kind = kinds,
                          .node_kind = node_kind ? node_kind->text : NULL,
                          .unit = length->unit};
    return status;
}

static const char *network_kind(const sl_network *net, int32_t node) {
    return node < net->n_junction ? "junction" : node < net->n_junction + net->n_reservoir ? "reservoir" : "tank";
}

static sl_status from_network(sl_picture *p, sl_route_graph *g) {
    const sl_network *net = p->net;
    const double unit = sl_display_units_of(net).length.factor;
    size_t n = (size_t)net->n_node, m = (size_t)net->n_link;
    const char **node = sl_arena_alloc(&p->arena, (n + 1) * sizeof *node),
               **link = sl_arena_alloc(&p->arena, (m + 1) * sizeof *link);
    const char **kind = sl_arena_alloc(&p->arena, (n + 1) * sizeof *kind);
    double *length = sl_arena_alloc(&p->arena, (m + 1) * sizeof *length),
           *ground = sl_arena_alloc(&p->arena, (n + 1) * sizeof *ground);
    uint8_t *kinds = sl_arena_alloc(&p->arena, m + 1);
    if (!node || !link || !kind || !length || !ground || !kinds) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        node[i] = sl_network_node_id(net, i);
        kind[i] = network_kind(net, i);
        ground[i] = net->node_elevation[i] / unit;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        link[i] = sl_network_link_id(net, i);
        length[i] = i < net->n_pipe ? net->pipe_length[i] / unit : 0.0;
        kinds[i] = i < net->n_pipe ? SL_ROUTE_PIPE : i < net->n_pipe + net->n_pump ? SL_ROUTE_PUMP : SL_ROUTE_VALVE;
    }
    *g = (sl_route_graph){.n_node = net->n_node,
                          .n_link = net->n_link,
                          .node_ids = node,
                          .link_ids = link,
                          .from = net->link_from,
                          .to = net->link_to,
                          .length = length,
                          .elevation = ground,
                          .kind = kinds,
                          .node_kind = kind,
                          .unit = sl_display_units_of(net).length.name};
    return SL_OK;
}

sl_status sl_route_graph_make(sl_picture *p, sl_route_graph *g) {
    const sl_results_group *nodes = sl_picture_group(p, "node"), *links = sl_picture_group(p, "link");
    const sl_results_column *from = sl_group_fact(links, "from"), *to = sl_group_fact(links, "to");
    const sl_results_column *length = sl_group_fact(links, "length");
    if (p->net) { /* a result may hold a part of it */
        return from_network(p, g);
    }
    if (nodes && from && from->text && to && to->text && length && length->real) {
        return from_facts(p, nodes, links, g);
    }
    sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, "name the model by --network FILE.inp",
              "the result does not say how its links are joined");
    return SL_ERR_INPUT;
}

/* ---- The shortest line -------------------------------------------------------------------------- */

typedef struct search {
    const sl_route_graph *g;
    int32_t *start, *around; /* links by node */
    double *distance;
    int32_t *hops, *by; /* links on the way; the last of them */
    int32_t *heap, *at, n;
} search;

static bool is_nearer(const search *s, int32_t a, int32_t b) {
    return s->distance[a] != s->distance[b] ? s->distance[a] < s->distance[b] : s->hops[a] < s->hops[b];
}

static void put(search *s, int32_t slot, int32_t node) {
    s->heap[slot] = node;
    s->at[node] = slot;
}

static void rise(search *s, int32_t node) {
    int32_t slot = s->at[node];
    while (slot > 0 && is_nearer(s, node, s->heap[(slot - 1) / 2])) {
        put(s, slot, s->heap[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    put(s, slot, node);
}

static int32_t pop(search *s) {
    int32_t first = s->heap[0], last = s->heap[--s->n], slot = 0;
    for (int32_t k = 1; k < s->n; k = 2 * slot + 1) {
        k += k + 1 < s->n && is_nearer(s, s->heap[k + 1], s->heap[k]);
        if (!is_nearer(s, s->heap[k], last)) {
            break;
        }
        put(s, slot, s->heap[k]);
        slot = k;
    }
    if (s->n > 0) {
        put(s, slot, last);
    }
    return first;
}

static bool is_joined(const sl_route_graph *g, int32_t link) {
    return g->from[link] >= 0 && g->to[link] >= 0;
}

static sl_status prepare(sl_picture *p, const sl_route_graph *g, search *s) {
    size_t n = (size_t)g->n_node + 2, m = 2 * (size_t)g->n_link + 1;
    s->g = g;
    s->start = sl_arena_alloc(&p->arena, n * sizeof *s->start);
    s->around = sl_arena_alloc(&p->arena, m * sizeof *s->around);
    s->distance = sl_arena_alloc(&p->arena, n * sizeof *s->distance);
    s->hops = sl_arena_alloc(&p->arena, n * sizeof *s->hops);
    s->by = sl_arena_alloc(&p->arena, n * sizeof *s->by);
    s->heap = sl_arena_alloc(&p->arena, n * sizeof *s->heap);
    s->at = sl_arena_alloc(&p->arena, n * sizeof *s->at);
    if (!s->start || !s->around || !s->distance || !s->hops || !s->by || !s->heap || !s->at) {
        return SL_ERR_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) { /* count, then fill; start[i + 1] is where node i is filled */
        for (int32_t i = 0; i < g->n_link; i++) {
            const int32_t ends[2] = {g->from[i], g->to[i]};
            for (int k = 0; k < 2 && is_joined(g, i); k++) {
                if (pass == 0) {
                    s->start[ends[k] + 2]++;
                } else {
                    s->around[s->start[ends[k] + 1]++] = i;
                }
            }
        }
        for (int32_t i = 2; pass == 0 && i < g->n_node + 2; i++) {
            s->start[i] += s->start[i - 1];
        }
    }
    return SL_OK;
}

/* False: there is none. */
static bool walk(search *s, int32_t from, int32_t to) {
    const sl_route_graph *g = s->g;
    for (int32_t i = 0; i < g->n_node; i++) {
        s->distance[i] = INFINITY;
        s->hops[i] = INT32_MAX;
        s->by[i] = s->at[i] = -1;
    }
    s->distance[from] = 0.0;
    s->hops[from] = 0;
    s->n = 1;
    put(s, 0, from);
    while (s->n > 0) {
        int32_t node = pop(s);
        if (node == to) {
            return true;
        }
        for (int32_t k = s->start[node]; k < s->start[node + 1]; k++) {
            int32_t link = s->around[k], other = g->from[link] == node ? g->to[link] : g->from[link];
            double length = isfinite(g->length[link]) ? fmax(g->length[link], 0.0) : 0.0;
            double far = s->distance[node] + length;
            if (far < s->distance[other] || (far == s->distance[other] && s->hops[node] + 1 < s->hops[other])) {
                s->distance[other] = far;
                s->hops[other] = s->hops[node] + 1;
                s->by[other] = link;
                if (s->at[other] < 0) {
                    put(s, s->n++, other);
                }
                rise(s, other);
            }
        }
    }
    return false;
}

static int32_t find_node(sl_picture *p, const sl_route_graph *g, const char *id) {
    char quoted[SL_QUOTE_MAX], near[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 40] = "";
    for (int32_t i = 0; i < g->n_node; i++) {
        if (strcmp(g->node_ids[i], id) == 0) {
            return i;
        }
    }
    sl_ids *index = index_of(p, g->node_ids, g->n_node);
    int32_t k = index ? sl_ids_nearest(index, sl_str_z(id)) : -1;
    sl_ids_destroy(index);
    if (k >= 0) {
        (void)sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(sl_str_z(g->node_ids[k]), near));
    }
    sl_report(p->diags, SL_ERROR, SL_CODE_UNKNOWN_NODE, NULL, NULL, NULL, hint[0] ? hint : NULL,
              "the result has no node %s", sl_quote(sl_str_z(id), quoted));
    return -1;
}

/* The links from one node to the next, put behind those there are. */
static void add_leg(const search *s, int32_t from, int32_t to, int32_t *link, bool *backward, int32_t *node,
                    int32_t *n) {
    int32_t hops = s->hops[to], at = to;
    for (int32_t k = hops - 1; k >= 0; k--) {
        int32_t i = s->by[at];
        link[*n + k] = i;
        node[*n + k + 1] = at;
        backward[*n + k] = s->g->to[i] != at;
        at = backward[*n + k] ? s->g->to[i] : s->g->from[i];
    }
    node[*n] = from;
    *n += hops;
}

sl_status sl_route_find(sl_picture *p, const sl_route_graph *g, sl_route *out) {
    const sl_plot_def *def = p->def;
    search s = {0};
    size_t most = (size_t)g->n_node * (size_t)def->n_route + 1;
    int32_t *link = sl_arena_alloc(&p->arena, most * sizeof *link),
            *node = sl_arena_alloc(&p->arena, most * sizeof *node);
    bool *backward = sl_arena_alloc(&p->arena, most);
    sl_status status = link && node && backward ? prepare(p, g, &s) : SL_ERR_MEMORY;
    int32_t n = 0, before = -1;
    for (int32_t i = 0; i < def->n_route && status == SL_OK; i++) {
        int32_t next = find_node(p, g, def->route[i]);
        if (next < 0) {
            return SL_ERR_INPUT;
        }
        if (i > 0 && !walk(&s, before, next)) {
            sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, NULL, "no line of links joins %s and %s",
                      g->node_ids[before], g->node_ids[next]);
            return SL_ERR_INPUT;
        }
        if (i > 0) {
            add_leg(&s, before, next, link, backward, node, &n);
        } else {
            node[0] = next;
        }
        before = next;
    }
    *out = (sl_route){n, link, node, backward};
    return status;
}
