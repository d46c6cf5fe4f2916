/* SPDX-License-Identifier: MIT */
/* diagram_layout.c: layers by distance from where executions begin, and an order within them that lets edges cross little; see
 * diagram_layout.h.
 *
 * Since a layer is a distance, an edge leads to the next layer, stays within one, or goes back: none passes over a layer on its way
 * forward. The order is by the mean place of the neighbours in the layer before, or after, a few times to and fro.
 */
#include "plot/diagram_layout.h"

#include <stdlib.h>

enum { SWEEPS = 8 };

typedef struct seat {
    double key;
    int32_t node, order;
} seat;

static int by_key(const void *a, const void *b) {
    const seat *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->order - y->order;
}

/* Distances from the sources; queue is room for all nodes. */
static void spread(const sl_trace_diagram *d, sl_layout *out, int32_t *queue, int32_t *n, int32_t *first) {
    while (*first < *n) {
        int32_t node = queue[(*first)++];
        for (int32_t e = 0; e < d->n_edge; e++) {
            int32_t to = d->edges[e].to;
            if (d->edges[e].from == node && out->layer[to] < 0) {
                out->layer[to] = out->layer[node] + 1;
                queue[(*n)++] = to;
            }
        }
    }
}

static void find_layers(const sl_trace_diagram *d, sl_layout *out, int32_t *queue) {
    int32_t n = 0, first = 0;
    for (int32_t i = 0; i < d->n_node; i++) {
        bool leads_here = false;
        for (int32_t e = 0; e < d->n_edge; e++) {
            leads_here = leads_here || (d->edges[e].to == i && d->edges[e].from != i);
        }
        out->layer[i] = -1;
        if (!leads_here || (d->nodes[i].flags & SL_NODE_START)) {
            out->layer[i] = 0;
            queue[n++] = i;
        }
    }
    spread(d, out, queue, &n, &first);
    for (int32_t i = 0; i < d->n_node; i++) { /* circles that nothing leads to */
        if (out->layer[i] < 0) {
            out->layer[i] = 0;
            queue[n++] = i;
            spread(d, out, queue, &n, &first);
        }
    }
}

/* Numbers the parts in the order of their first nodes. */
static void find_components(const sl_trace_diagram *d, sl_layout *out) {
    for (int32_t i = 0; i < d->n_node; i++) {
        out->component[i] = i;
    }
    for (bool moved = true; moved;) { /* the least number spreads along the edges */
        moved = false;
        for (int32_t e = 0; e < d->n_edge; e++) {
            int32_t *a = &out->component[d->edges[e].from], *b = &out->component[d->edges[e].to],
                    least = *a < *b ? *a : *b;
            moved = moved || *a != *b;
            *a = *b = least;
        }
    }
    for (int32_t i = 0; i < d->n_node; i++) {
        out->component[i] = out->component[i] == i ? out->n_component++ : out->component[out->component[i]];
    }
}

/* ---- Order -------------------------------------------------------------------------------------- */

static int32_t size_of(const sl_trace_diagram *d, const sl_layout *l, int32_t component, int32_t layer) {
    int32_t n = 0;
    for (int32_t i = 0; i < d->n_node; i++) {
        n += l->component[i] == component && l->layer[i] == layer;
    }
    return n;
}

/* One layer in the order of its neighbours in another. */
static void arrange(const sl_trace_diagram *d, sl_layout *out, int32_t component, int32_t layer, int32_t other,
                    seat *seats) {
    int32_t n = 0, size = size_of(d, out, component, layer), other_size = size_of(d, out, component, other);
    for (int32_t i = 0; i < d->n_node; i++) {
        if (out->component[i] != component || out->layer[i] != layer) {
            continue;
        }
        double sum = 0.0;
        int32_t count = 0;
        for (int32_t e = 0; e < d->n_edge; e++) {
            int32_t a = d->edges[e].from, b = d->edges[e].to;
            int32_t peer = a == i && out->layer[b] == other ? b : b == i && out->layer[a] == other ? a : -1;
            if (peer >= 0) {
                sum += (out->order[peer] + 0.5) / other_size;
                count++;
            }
        }
        seats[n++] = (seat){count > 0 ? sum / count : (out->order[i] + 0.5) / size, i, out->order[i]};
    }
    qsort(seats, (size_t)n, sizeof *seats, by_key);
    for (int32_t k = 0; k < n; k++) {
        out->order[seats[k].node] = k;
    }
}

static void order_component(const sl_trace_diagram *d, sl_layout *out, int32_t component, seat *seats) {
    int32_t n_layer = 0;
    for (int32_t i = 0; i < d->n_node; i++) {
        if (out->component[i] == component) {
            n_layer = out->layer[i] + 1 > n_layer ? out->layer[i] + 1 : n_layer;
            for (int32_t k = 0; k < i; k++) {
                out->order[i] += out->component[k] == component && out->layer[k] == out->layer[i];
            }
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool forth = sweep % 2 == 0;
        for (int32_t k = 1; k < n_layer; k++) {
            int32_t layer = forth ? k : n_layer - 1 - k;
            arrange(d, out, component, layer, forth ? layer - 1 : layer + 1, seats);
        }
    }
}

sl_status sl_layout_make(const sl_trace_diagram *d, sl_arena *arena, sl_layout *out) {
    size_t n = (size_t)d->n_node + 1;
    *out = (sl_layout){.component = sl_arena_alloc(arena, n * sizeof(int32_t)),
                       .layer = sl_arena_alloc(arena, n * sizeof(int32_t)),
                       .order = sl_arena_alloc(arena, n * sizeof(int32_t))};
    int32_t *queue = sl_arena_alloc(arena, n * sizeof *queue);
    seat *seats = sl_arena_alloc(arena, n * sizeof *seats);
    if (!out->component || !out->layer || !out->order || !queue || !seats) {
        return SL_ERR_MEMORY;
    }
    find_layers(d, out, queue);
    find_components(d, out);
    for (int32_t component = 0; component < out->n_component; component++) {
        order_component(d, out, component, seats);
    }
    return SL_OK;
}
