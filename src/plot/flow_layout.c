/* SPDX-License-Identifier: MIT */
/* flow_layout.c: a layered drawing of a graph without circles; see flow_layout.h.
 *
 * Layers by the longest path from above; a valve that nothing leads to stands right above what it leads to. The order within layers is
 * by the mean place of the neighbours above or below, to and fro. Places across are those nearest to the mean of the neighbours
 * that keep the order and the room: of each layer a least-squares problem, solved exactly by pooling those that would overlap
 * (pool adjacent violators).
 */
#include "plot/flow_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER_SWEEPS = 12, PLACE_SWEEPS = 24 };
#define SLOPE 0.4 /* of the flattest line */

typedef struct seat {
    double key;
    int32_t point, order;
} seat;

/* A pool of neighbours that touch: their shifted wishes are met as one. */
typedef struct pool {
    double sum;
    int32_t n;
} pool;

typedef struct graph {
    int32_t n, n_layer, n_link;
    int32_t *layer, *order;  /* [n] points: valves first, then those of edges */
    double *x, *y;           /* [n], [n_layer] */
    sl_flow_margin *room;    /* [n] */
    int32_t *start, *points; /* by layers, in their order */
    int32_t (*links)[2];     /* [n_link] from a layer to the next, by layers */
    int32_t *link_start;     /* [n_layer] */
    double *sum;
    int32_t *count;
    seat *seats;
    pool *pools;
} graph;

/* ---- Layers ------------------------------------------------------------------------------------- */

/* Valves stand in even layers. */
static bool find_layers(int32_t n_node, int32_t n_edge, const sl_flow_edge *edges, sl_arena *arena, int32_t *layer) {
    int32_t *n_above = sl_arena_alloc(arena, ((size_t)n_node + 1) * sizeof *n_above);
    int32_t *start = sl_arena_alloc(arena, ((size_t)n_node + 2) * sizeof *start);
    int32_t *below = sl_arena_alloc(arena, ((size_t)n_edge + 1) * sizeof *below);
    int32_t *queue = sl_arena_alloc(arena, ((size_t)n_node + 1) * sizeof *queue), n = 0;
    if (!n_above || !start || !below || !queue) {
        return false;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        start[edges[e].from + 2]++;
        n_above[edges[e].to]++;
    }
    for (int32_t v = 0; v < n_node; v++) {
        start[v + 1] += start[v];
    }
    for (int32_t e = 0; e < n_edge; e++) {
        below[start[edges[e].from + 1]++] = edges[e].to;
    }
    for (int32_t v = 0; v < n_node; v++) {
        layer[v] = 0;
        if (n_above[v] == 0) {
            queue[n++] = v;
        }
    }
    int32_t n_top = n;
    for (int32_t k = 0; k < n; k++) {
        int32_t v = queue[k];
        for (int32_t i = start[v]; i < start[v + 1]; i++) {
            int32_t w = below[i];
            layer[w] = layer[w] > layer[v] + 2 ? layer[w] : layer[v] + 2;
            if (--n_above[w] == 0) {
                queue[n++] = w;
            }
        }
    }
    for (int32_t k = 0; k < n_top; k++) {
        int32_t v = queue[k], least = INT32_MAX;
        for (int32_t i = start[v]; i < start[v + 1]; i++) {
            least = layer[below[i]] < least ? layer[below[i]] : least;
        }
        layer[v] = least < INT32_MAX ? least - 2 : 0;
    }
    return true;
}

static int by_layer(const void *a, const void *b) {
    const seat *x = a, *y = b;
    return x->order != y->order ? x->order - y->order : x->point - y->point;
}

/* Points of the layers, in the order in which they came. */
static void list_layers(graph *g) {
    for (int32_t i = 0; i < g->n; i++) {
        g->seats[i] = (seat){0.0, i, g->layer[i]};
    }
    qsort(g->seats, (size_t)g->n, sizeof *g->seats, by_layer);
    memset(g->start, 0, ((size_t)g->n_layer + 1) * sizeof *g->start);
    for (int32_t i = 0; i < g->n; i++) {
        int32_t p = g->seats[i].point;
        g->points[i] = p;
        g->start[g->layer[p] + 1] = i + 1;
    }
    for (int32_t l = 0; l < g->n_layer; l++) {
        g->start[l + 1] = g->start[l + 1] > g->start[l] ? g->start[l + 1] : g->start[l];
        for (int32_t i = g->start[l]; i < g->start[l + 1]; i++) {
            g->order[g->points[i]] = i - g->start[l];
        }
    }
}

/* ---- Order -------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b) {
    const seat *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->order - y->order;
}

/* Sums over the neighbours of layer l in the layer above (or below). */
static void sum_up(const graph *g, int32_t l, bool above, bool places) {
    int32_t k = above ? l - 1 : l;
    for (int32_t i = g->start[l]; i < g->start[l + 1]; i++) {
        g->sum[g->points[i]] = 0.0;
        g->count[g->points[i]] = 0;
    }
    if (k < 0 || k >= g->n_layer - 1) {
        return;
    }
    int32_t other = above ? l - 1 : l + 1, size = g->start[other + 1] - g->start[other];
    for (int32_t i = g->link_start[k]; i < g->link_start[k + 1]; i++) {
        int32_t p = g->links[i][above], peer = g->links[i][!above];
        g->sum[p] += places ? g->x[peer] : (g->order[peer] + 0.5) / size;
        g->count[p]++;
    }
}

static void arrange(graph *g, int32_t l, bool above) {
    int32_t first = g->start[l], n = g->start[l + 1] - first;
    sum_up(g, l, above, false);
    for (int32_t i = 0; i < n; i++) {
        int32_t p = g->points[first + i];
        double own = (g->order[p] + 0.5) / n;
        g->seats[i] = (seat){g->count[p] > 0 ? g->sum[p] / g->count[p] : own, p, g->order[p]};
    }
    qsort(g->seats, (size_t)n, sizeof *g->seats, by_key);
    for (int32_t i = 0; i < n; i++) {
        g->points[first + i] = g->seats[i].point;
        g->order[g->seats[i].point] = i;
    }
}

/* ---- Places ------------------------------------------------------------------------------------- */

/* How far point i of a layer stands from the first at least. */
static double gap(const graph *g, int32_t a, int32_t b) {
    return g->room[a].right + g->room[b].left;
}

/* The places of a layer that are nearest to what its points wish for (in seats: key), and keep order and room. */
static void place(graph *g, int32_t first, int32_t n) {
    double shift = 0.0;
    int32_t n_pool = 0;
    for (int32_t i = 0; i < n; i++) {
        shift += i > 0 ? gap(g, g->points[first + i - 1], g->points[first + i]) : 0.0;
        g->pools[n_pool++] = (pool){g->seats[i].key - shift, 1};
        while (n_pool > 1) {
            pool *a = &g->pools[n_pool - 2], *b = &g->pools[n_pool - 1];
            if (a->sum * b->n <= b->sum * a->n) {
                break;
            }
            a->sum += b->sum;
            a->n += b->n;
            n_pool--;
        }
    }
    shift = 0.0;
    for (int32_t i = 0, k = 0, left = n_pool > 0 ? g->pools[0].n : 0; i < n; i++, left--) {
        shift += i > 0 ? gap(g, g->points[first + i - 1], g->points[first + i]) : 0.0;
        if (left == 0) {
            left = g->pools[++k].n;
        }
        g->x[g->points[first + i]] = g->pools[k].sum / g->pools[k].n + shift;
    }
}

/* Both: neighbours above and below count, else one side. */
static void place_layer(graph *g, int32_t l, bool above, bool both) {
    int32_t first = g->start[l], n = g->start[l + 1] - first;
    for (int32_t i = 0; i < n; i++) {
        g->seats[i].key = 0.0;
        g->seats[i].order = 0;
    }
    for (int side = 0; side < 2; side++) {
        if (!both && side != (int)above) {
            continue;
        }
        sum_up(g, l, side == 1, true);
        for (int32_t i = 0; i < n; i++) {
            int32_t p = g->points[first + i];
            g->seats[i].key += g->sum[p];
            g->seats[i].order += g->count[p];
        }
    }
    for (int32_t i = 0; i < n; i++) {
        seat *s = &g->seats[i];
        s->key = s->order > 0 ? s->key / s->order : g->x[g->points[first + i]];
    }
    place(g, first, n);
}

static void place_all(graph *g) {
    for (int32_t l = 0; l < g->n_layer; l++) {
        for (int32_t i = g->start[l]; i < g->start[l + 1]; i++) {
            g->seats[i - g->start[l]].key = 0.0;
        }
        place(g, g->start[l], g->start[l + 1] - g->start[l]);
    }
    for (int32_t sweep = 0; sweep < PLACE_SWEEPS; sweep++) {
        bool down = sweep % 2 == 0;
        for (int32_t k = 0; k < g->n_layer; k++) {
            place_layer(g, down ? k : g->n_layer - 1 - k, down, sweep >= PLACE_SWEEPS / 2);
        }
    }
}

/* ---- All ---------------------------------------------------------------------------------------- */

static bool allocate(graph *g, sl_arena *arena) {
    size_t n = (size_t)g->n + 1, n_layer = (size_t)g->n_layer + 2;
    g->order = sl_arena_alloc(arena, n * sizeof *g->order);
    g->x = sl_arena_alloc(arena, n * sizeof *g->x);
    g->y = sl_arena_alloc(arena, n_layer * sizeof *g->y);
    g->start = sl_arena_alloc(arena, n_layer * sizeof *g->start);
    g->points = sl_arena_alloc(arena, n * sizeof *g->points);
    g->links = sl_arena_alloc(arena, ((size_t)g->n_link + 1) * sizeof *g->links);
    g->link_start = sl_arena_alloc(arena, n_layer * sizeof *g->link_start);
    g->sum = sl_arena_alloc(arena, n * sizeof *g->sum);
    g->count = sl_arena_alloc(arena, n * sizeof *g->count);
    g->seats = sl_arena_alloc(arena, n * sizeof *g->seats);
    g->pools = sl_arena_alloc(arena, n * sizeof *g->pools);
    return g->order && g->x && g->y && g->start && g->points && g->links && g->link_start && g->sum && g->count &&
           g->seats && g->pools;
}

/* Links by the layer of their upper point; an edge's points have numbers one behind the other. */
static void make_links(graph *g, int32_t n_edge, const sl_flow_edge *edges, const int32_t *inner) {
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t e = 0; e < n_edge; e++) {
            int32_t last = edges[e].from;
            for (int32_t p = inner[e]; p <= inner[e + 1]; p++) {
                int32_t next = p < inner[e + 1] ? p : edges[e].to, l = g->layer[last];
                if (pass == 0) {
                    g->link_start[l + 2]++;
                } else {
                    int32_t *link = g->links[g->link_start[l + 1]++];
                    link[0] = last;
                    link[1] = next;
                }
                last = next;
            }
        }
        for (int32_t l = 0; l <= g->n_layer && pass == 0; l++) {
            g->link_start[l + 1] += g->link_start[l];
        }
    }
}

static void finish(const graph *g, int32_t n_node, int32_t n_edge, const sl_flow_edge *edges, const int32_t *inner,
                   double step, sl_flow_layout *out) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t p = 0; p < g->n; p++) {
        low = fmin(low, g->x[p] - g->room[p].left);
        high = fmax(high, g->x[p] + g->room[p].right);
    }
    for (int32_t l = 0; l < g->n_layer; l++) { /* lines that lead far aside get height too */
        double widest = 0.0;
        for (int32_t i = l > 0 ? g->link_start[l - 1] : 0; l > 0 && i < g->link_start[l]; i++) {
            widest = fmax(widest, fabs(g->x[g->links[i][0]] - g->x[g->links[i][1]]));
        }
        g->y[l] = l > 0 ? g->y[l - 1] + fmax(step, SLOPE * widest) : 0.0;
    }
    for (int32_t v = 0; v < n_node; v++) {
        out->at[v][0] = g->x[v] - low;
        out->at[v][1] = g->y[g->layer[v]];
    }
    int32_t n = 0;
    for (int32_t e = 0; e < n_edge; e++) {
        out->first[e] = n;
        memcpy(out->points[n++], out->at[edges[e].from], sizeof *out->points);
        for (int32_t p = inner[e]; p < inner[e + 1]; p++, n++) {
            out->points[n][0] = g->x[p] - low;
            out->points[n][1] = g->y[g->layer[p]];
        }
        memcpy(out->points[n++], out->at[edges[e].to], sizeof *out->points);
    }
    out->first[n_edge] = n;
    out->width = n_node > 0 ? high - low : 0.0;
    out->height = g->y[g->n_layer - 1];
}

sl_status sl_flow_layout_make(int32_t n_node, const sl_flow_margin *nodes, int32_t n_edge, const sl_flow_edge *edges,
                              const sl_flow_margin *middles, double step, sl_arena *arena, sl_flow_layout *out) {
    graph g = {.n_layer = 1};
    int32_t *layer = sl_arena_alloc(arena, ((size_t)n_node + 1) * sizeof *layer);
    int32_t *inner = sl_arena_alloc(arena, ((size_t)n_edge + 1) * sizeof *inner);
    if (!layer || !inner || !find_layers(n_node, n_edge, edges, arena, layer)) {
        return SL_ERR_MEMORY;
    }
    int64_t n = n_node;
    for (int32_t v = 0; v < n_node; v++) {
        g.n_layer = layer[v] + 1 > g.n_layer ? layer[v] + 1 : g.n_layer;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        inner[e] = (int32_t)n;
        n += layer[edges[e].to] - layer[edges[e].from] - 1;
        if (n > INT32_MAX / 4) {
            return SL_ERR_MEMORY;
        }
    }
    inner[n_edge] = (int32_t)n;
    g.n = (int32_t)n;
    g.n_link = g.n - n_node + n_edge;
    g.layer = sl_arena_alloc(arena, ((size_t)n + 1) * sizeof *g.layer);
    g.room = sl_arena_alloc(arena, ((size_t)n + 1) * sizeof *g.room);
    out->at = sl_arena_alloc(arena, ((size_t)n_node + 1) * sizeof *out->at);
    out->first = sl_arena_alloc(arena, ((size_t)n_edge + 1) * sizeof *out->first);
    out->points = sl_arena_alloc(arena, ((size_t)n + 2 * (size_t)n_edge + 1) * sizeof *out->points);
    if (!g.layer || !g.room || !out->at || !out->first || !out->points || !allocate(&g, arena)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t v = 0; v < n_node; v++) {
        g.layer[v] = layer[v];
        g.room[v] = nodes[v];
    }
    for (int32_t e = 0; e < n_edge; e++) {
        for (int32_t p = inner[e]; p < inner[e + 1]; p++) {
            bool middle = 2 * (p - inner[e]) + 1 == inner[e + 1] - inner[e];
            g.layer[p] = layer[edges[e].from] + 1 + p - inner[e];
            g.room[p] = middle ? middles[e] : (sl_flow_margin){20.0, 20.0};
        }
    }
    make_links(&g, n_edge, edges, inner);
    list_layers(&g);
    for (int32_t sweep = 0; sweep < ORDER_SWEEPS; sweep++) {
        bool down = sweep % 2 == 0;
        for (int32_t k = 1; k < g.n_layer; k++) {
            arrange(&g, down ? k : g.n_layer - 1 - k, down);
        }
    }
    place_all(&g);
    finish(&g, n_node, n_edge, edges, inner, step, out);
    return SL_OK;
}
