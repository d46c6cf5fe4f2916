/* SPDX-License-Identifier: MIT */
/* structure.c: see structure.h. Which heads have to be pinned, and what cannot move, follows from the graph alone: no rank of a matrix
 * is asked for. */
#include "tunnel/structure.h"

#include <math.h>
#include <string.h>

sl_status sl_tunnel_structure_init(sl_tunnel_structure *s, const sl_tunnel_network *net, sl_context *ctx) {
    size_t v = (size_t)net->n_valve, e = 2 * (size_t)net->n_pipe;
    *s = (sl_tunnel_structure){0};
    sl_arena_init(&s->arena, ctx);
    s->pinned = sl_arena_alloc(&s->arena, v * (sizeof(double) + 3 * sizeof(int32_t) + 2) + 2 * e + 1);
    if (!s->pinned || !sl_tunnel_set_init(&s->region, &s->arena, net)) {
        return SL_ERR_MEMORY;
    }
    s->body = (int32_t *)(void *)(s->pinned + v);
    s->degree = s->body + v;
    s->stack = s->degree + v;
    s->head = (uint8_t *)(s->stack + v);
    s->is_static = s->head + v;
    s->column = s->is_static + v;
    s->joined = s->column + e;
    return SL_OK;
}

void sl_tunnel_structure_fini(sl_tunnel_structure *s) {
    sl_arena_fini(&s->arena);
}

void sl_tunnel_structure_spread(const sl_tunnel_structure *s, const sl_tunnel_network *net, sl_tunnel_set *set) {
    for (int32_t k = 0; k < set->n; k++) { /* it grows meanwhile */
        int32_t v = set->list[k];
        for (int32_t i = v < net->n_valve ? net->start[v] : 0; v < net->n_valve && i < net->start[v + 1]; i++) {
            if (sl_tunnel_connects(s, net->ends[i])) {
                sl_tunnel_set_add(set, sl_end_valve(net, net->ends[i] ^ 1));
            }
        }
    }
}

static void find_columns(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q, int32_t i) {
    const int32_t *mid = q + sl_pipe_bits(net, i), *ends = mid + SL_MID_N_BIT;
    bool full = mid[SL_MID_JOINT], shut = false;
    for (int32_t j = 0; j < 2; j++) {
        const int32_t *o = ends + SL_END_N_BIT * j;
        shut = shut || (!o[SL_END_JOINT] && !o[SL_END_OPEN]);
    }
    for (int32_t j = 0; j < 2; j++) {
        const int32_t *o = ends + SL_END_N_BIT * j;
        bool half = !full && o[SL_END_LEG] && o[SL_END_JOINT];
        s->column[2 * i + j] = full && !shut ? SL_TUNNEL_COLUMN_FULL
                               : half        ? SL_TUNNEL_COLUMN_HALF
                                             : SL_TUNNEL_COLUMN_NONE;
        s->joined[2 * i + j] = s->column[2 * i + j] && o[SL_END_JOINT];
    }
}

static void find_head(sl_tunnel_structure *s, const int32_t *q, int32_t v) {
    const int32_t *o = q + sl_valve_bits(v);
    s->head[v] = !o[SL_VALVE_JOINT] ? SL_HEAD_NONE
                 : !o[SL_TUB_JOINT] ? SL_HEAD_FREE
                 : o[SL_TUB_LEG]    ? SL_HEAD_LEVEL
                                    : SL_HEAD_FALL;
}

/* Member k of the region, if it is a valve; else -1. */
static int32_t valve_at(const sl_tunnel_structure *s, const sl_tunnel_network *net, int32_t k) {
    return s->region.list[k] < net->n_valve ? s->region.list[k] : -1;
}

/* Columns that end at a valve where nothing else moves cannot move either; and so on. */
static void find_static(sl_tunnel_structure *s, const sl_tunnel_network *net) {
    int32_t n = 0;
    for (int32_t i = 0; i < s->region.n; i++) {
        int32_t v = valve_at(s, net, i);
        if (v < 0) {
            continue;
        }
        s->degree[v] = 0;
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            s->degree[v] += s->joined[net->ends[k]];
        }
        s->is_static[v] = s->head[v] == SL_HEAD_FREE && s->degree[v] <= 1;
        if (s->is_static[v]) {
            s->stack[n++] = v;
        }
    }
    while (n > 0) {
        int32_t v = s->stack[--n];
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k], w = sl_end_valve(net, e ^ 1);
            if (sl_tunnel_connects(s, e) && s->head[w] == SL_HEAD_FREE && !s->is_static[w] && --s->degree[w] <= 1) {
                s->is_static[w] = 1;
                s->stack[n++] = w;
            }
        }
    }
}

static int32_t find(sl_tunnel_structure *s, int32_t v) {
    while (s->body[v] != v) {
        v = s->body[v] = s->body[s->body[v]];
    }
    return v;
}

/* Valves that columns connect. */
static void find_bodies(sl_tunnel_structure *s, const sl_tunnel_network *net) {
    for (int32_t k = 0; k < s->region.n; k++) {
        int32_t v = valve_at(s, net, k);
        if (v >= 0) {
            s->body[v] = v;
        }
    }
    for (int32_t k = 0; k < s->region.n; k++) {
        int32_t e = 2 * (s->region.list[k] - net->n_valve);
        int32_t a = e >= 0 ? sl_end_valve(net, e) : 0, b = e >= 0 ? sl_end_valve(net, e + 1) : 0;
        if (e >= 0 && sl_tunnel_connects(s, e) && s->head[a] != SL_HEAD_NONE && s->head[b] != SL_HEAD_NONE) {
            a = find(s, a);
            b = find(s, b);
            s->body[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t k = 0; k < s->region.n; k++) {
        int32_t v = valve_at(s, net, k);
        if (v >= 0) {
            s->body[v] = s->head[v] == SL_HEAD_NONE ? -1 : find(s, v);
        }
    }
}

/* The highest point of the water that stands or moves at a wet valve. */
static double top(const sl_tunnel_network *net, const int32_t *q, int32_t v) {
    double z = net->valves[v].elevation;
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        int32_t e = net->ends[k];
        const sl_tunnel_end *ends = net->pipes[e / 2].ends;
        if (q[sl_end_bits(net, e) + SL_END_JOINT]) {
            bool full = q[sl_pipe_bits(net, e / 2) + SL_MID_JOINT];
            z = fmax(z, fmax(ends[e % 2].elevation, full ? ends[1 - e % 2].elevation : z));
        }
    }
    return z;
}

/* Is v the first of two valves to be pinned: the higher one, or the one that comes first? */
static bool goes_first(const sl_tunnel_structure *s, int32_t v, int32_t other) {
    return other < 0 || s->pinned[v] > s->pinned[other] || (s->pinned[v] == s->pinned[other] && v < other);
}

/* A body of which every head follows from others: its heads are known but for a constant. */
static void pin(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q) {
    int32_t *is_grounded = s->degree, *highest = s->stack; /* of the first valve of a body */
    for (int32_t i = 0; i < s->region.n; i++) {
        int32_t v = valve_at(s, net, i);
        if (v >= 0) {
            is_grounded[v] = 0;
            highest[v] = -1;
        }
    }
    for (int32_t i = 0; i < s->region.n; i++) {
        int32_t v = valve_at(s, net, i), b = v >= 0 ? s->body[v] : -1;
        if (b < 0) {
            continue;
        }
        is_grounded[b] |= s->head[v] != SL_HEAD_FREE;
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k];
            is_grounded[b] |= s->joined[e] && (s->column[e] == SL_TUNNEL_COLUMN_HALF || !s->joined[e ^ 1]);
        }
    }
    for (int32_t i = 0; i < s->region.n; i++) {
        int32_t v = valve_at(s, net, i), b = v >= 0 ? s->body[v] : -1;
        if (b >= 0 && !is_grounded[b]) {
            s->pinned[v] = top(net, q, v);
            highest[b] = goes_first(s, v, highest[b]) ? v : highest[b];
        }
    }
    for (int32_t i = 0; i < s->region.n; i++) {
        int32_t v = valve_at(s, net, i);
        if (v >= 0 && highest[v] >= 0) {
            s->head[highest[v]] = SL_HEAD_PINNED;
        }
    }
}

/* Valves of the bodies as they were, which hold those that they become: columns that are new lead from one changed block to another. */
void sl_tunnel_structure_follow(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q,
                                const sl_tunnel_set *changed) {
    sl_tunnel_set_clear(&s->region);
    sl_tunnel_set_add_all(&s->region, changed);
    sl_tunnel_set_add_valves(&s->region, net);
    sl_tunnel_structure_spread(s, net, &s->region);
    sl_tunnel_set_add_pipes(&s->region, net);
    for (int32_t k = 0; k < s->region.n; k++) {
        int32_t block = s->region.list[k];
        if (block < net->n_valve) {
            find_head(s, q, block);
        } else {
            find_columns(s, net, q, block - net->n_valve);
        }
    }
    find_static(s, net);
    find_bodies(s, net);
    pin(s, net, q);
}
