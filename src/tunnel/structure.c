/* SPDX-License-Identifier: MIT */
/* structure.c: see structure.h. Which heads have to be pinned, and what cannot move, follows from the graph alone: no rank of a matrix
 * is asked for. */
#include "tunnel/structure.h"

#include <math.h>
#include <string.h>

static size_t block_size(const sl_tunnel_network *net) {
    size_t v = (size_t)net->n_valve, e = 2 * (size_t)net->n_pipe;
    return v * (sizeof(double) + 3 * sizeof(int32_t) + 2) + 2 * e + 1;
}

sl_status sl_tunnel_structure_init(sl_tunnel_structure *s, const sl_tunnel_network *net, sl_context *ctx) {
    size_t v = (size_t)net->n_valve, e = 2 * (size_t)net->n_pipe;
    *s = (sl_tunnel_structure){.block = sl_alloc(ctx, block_size(net))};
    if (!s->block) {
        return SL_ERR_MEMORY;
    }
    s->pinned = s->block;
    s->body = (int32_t *)(void *)(s->pinned + v);
    s->degree = s->body + v;
    s->stack = s->degree + v;
    s->head = (uint8_t *)(s->stack + v);
    s->is_static = s->head + v;
    s->column = s->is_static + v;
    s->joined = s->column + e;
    return SL_OK;
}

void sl_tunnel_structure_fini(sl_tunnel_structure *s, const sl_tunnel_network *net, sl_context *ctx) {
    sl_free(ctx, s->block, s->block ? block_size(net) : 0);
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

/* Columns that end at a valve where nothing else moves cannot move either; and so on. */
static void find_static(sl_tunnel_structure *s, const sl_tunnel_network *net) {
    int32_t n = 0;
    for (int32_t v = 0; v < net->n_valve; v++) {
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
            int32_t e = net->ends[k], other = e ^ 1, w = sl_end_valve(net, other);
            bool leads = s->column[e] == SL_TUNNEL_COLUMN_FULL && s->joined[e] && s->joined[other];
            if (leads && s->head[w] == SL_HEAD_FREE && !s->is_static[w] && --s->degree[w] <= 1) {
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

/* Valves that columns connect without a given head between them. */
static void find_bodies(sl_tunnel_structure *s, const sl_tunnel_network *net) {
    for (int32_t v = 0; v < net->n_valve; v++) {
        s->body[v] = v;
    }
    for (int32_t i = 0; i < net->n_pipe; i++) {
        if (s->column[2 * i] == SL_TUNNEL_COLUMN_FULL && s->joined[2 * i] && s->joined[2 * i + 1]) {
            int32_t a = find(s, sl_end_valve(net, 2 * i)), b = find(s, sl_end_valve(net, 2 * i + 1));
            s->body[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        s->body[v] = s->head[v] == SL_HEAD_NONE ? -1 : find(s, v);
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

/* A body of which every head follows from others: its heads are known but for a constant. */
static void pin(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q) {
    int32_t *is_grounded = s->degree, *highest = s->stack;
    memset(is_grounded, 0, (size_t)net->n_valve * sizeof *is_grounded);
    for (int32_t v = 0; v < net->n_valve; v++) {
        highest[v] = -1;
        int32_t b = s->body[v];
        if (b < 0) {
            continue;
        }
        is_grounded[b] |= s->head[v] != SL_HEAD_FREE;
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k];
            is_grounded[b] |= s->joined[e] && (s->column[e] == SL_TUNNEL_COLUMN_HALF || !s->joined[e ^ 1]);
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        int32_t b = s->body[v];
        if (b >= 0 && !is_grounded[b]) {
            s->pinned[v] = top(net, q, v);
            highest[b] = highest[b] < 0 || s->pinned[v] > s->pinned[highest[b]] ? v : highest[b];
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        if (highest[v] >= 0) {
            s->head[highest[v]] = SL_HEAD_PINNED;
        }
    }
}

void sl_tunnel_structure_find(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q) {
    for (int32_t i = 0; i < net->n_pipe; i++) {
        find_columns(s, net, q, i);
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        find_head(s, q, v);
    }
    find_static(s, net);
    find_bodies(s, net);
    pin(s, net, q);
}
