/* SPDX-License-Identifier: MIT */
/* inner.c: flows and heads of what is not core: pipes of trees and inside chains.
 *
 * Flows of trees are sums of demands, known before the first trial. A chain has one unknown flow; its pipes carry that
 * flow less the demands passed on the way. Both balance by construction. Their heads follow from the core's when the
 * last check is done: along a tree by its losses, along a chain by losses from which each pipe is relieved of its share
 * of what the chain's loss still misses (its share of the slope, as a Newton step would).
 */
#include "eps/impl.h"

#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* ---- Before the first trial --------------------------------------------------------------------- */

/* Along n chains by one pipe: what was drawn before it, and then at the nodes at its end, but not of the first chains, which end
 * there. */
SL_SIMD(void, pass,
        (int32_t n, int32_t n_end, const int32_t *restrict node, const double *restrict load, double *restrict drawn,
         double *restrict offset),
        (n, n_end, node, load, drawn, offset)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        offset[j] = -drawn[j];
    }
#pragma omp simd
    for (int32_t j = n_end; j < n; j++) {
        drawn[j] += load[node[j]];
    }
}

void sl_eps_loads(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    sl_eps_numbers *x = &e->x;
    double *load = e->w.load, total = 0.0;
    if (net->hydraulics.demand_model == SL_DDA && !s->unserved) {
        memcpy(load, s->wanted, (size_t)net->n_junction * sizeof *load);
    } else {
        for (int32_t i = 0; i < net->n_junction; i++) {
            load[i] = sl_eps_fixed_demand(net, s, i);
        }
    }
    for (int32_t i = 0; i < e->w.n_cut; i++) {
        load[e->w.cut[i]] = 0.0;
    }
    sl_eps_outlets_find(e, s);
    for (int32_t r = c->n_row - 1; r >= c->n_chain_row; r--) { /* leaves first */
        double q = load[c->inner[r]];
        int32_t parent = c->parent[r - c->n_chain_row];
        x->row_q[r] = q;
        total += fabs(q);
        if (parent < net->n_junction) {
            load[parent] += q;
        }
    }
    e->w.inner_total = total;
    for (int32_t u = 0; u < c->n_unknown; u++) {
        x->load[u] = -load[c->node[u]];
    }
    x->load[c->given] = 0.0;
    memset(x->drawn, 0, (size_t)c->n_chain * sizeof *x->drawn);
    for (const sl_eps_level *v = c->level; v < c->level + c->n_level; v++) {
        pass(c->n_chain - v->chain, v[1].chain - v->chain, c->inner + v->row, load, x->drawn + v->chain,
             x->row_offset + v->row);
    }
}

/* A pipe that may run against its row: its index, and 1 or -1. Without a branch: which way a pipe was drawn is chance, and
 * a processor that guesses is wrong half of the time (a third of the time of these loops). */
static inline int32_t pipe_of(int32_t k) {
    return k < 0 ? ~k : k;
}
static inline double orientation_of(int32_t k) {
    return 1.0 - 2.0 * (k < 0);
}

/* Sums in eight strands, whatever the width of vectors: the same bits everywhere. */
enum { STRANDS = 8 };

static double sum_of(const double x[STRANDS]) {
    return (x[0] + x[1]) + (x[2] + x[3]) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* Mean flows of n chains by their first and last pipes, what they draw on the way, and what they are to draw now. */
SL_SIMD(void, mean_along,
        (int32_t n, const int32_t *restrict first, const int32_t *restrict last, const double *restrict flow,
         const double *restrict drawn, double *restrict mean, double *restrict before, double *restrict now),
        (n, first, last, flow, drawn, mean, before, now)) {
    int32_t i = 0;
    for (; i + STRANDS <= n; i += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double in = orientation_of(first[i + l]) * flow[pipe_of(first[i + l])];
            double out = orientation_of(last[i + l]) * flow[pipe_of(last[i + l])];
            mean[i + l] = 0.5 * (in + out);
            before[l] += in - out;
            now[l] += drawn[i + l];
        }
    }
    for (int l = 0; i < n; i++, l++) {
        double in = orientation_of(first[i]) * flow[pipe_of(first[i])],
               out = orientation_of(last[i]) * flow[pipe_of(last[i])];
        mean[i] = 0.5 * (in + out);
        before[l] += in - out;
        now[l] += drawn[i];
    }
}

/* The flows to start from are the last ones, as far as a chain can still have them: its demands may be others now. Their
 * mean grows with the demands of all chains. (Bwsn2, a day's pattern: 311 trials, against 363 with the flow of the first
 * pipe kept.) */
void sl_eps_chains_begin(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    double *q = e->x.q, before[STRANDS] = {0}, now[STRANDS] = {0};
    mean_along(c->n_chain, c->pipe, c->last, s->flow, e->x.drawn, q, before, now);
    double growth = sum_of(now) / sum_of(before);
    growth = growth > 0.3 && growth < 3.0 ? growth : 1.0; /* else it is about something else, or the very first time */
    for (int32_t b = 0; b < c->n_chain; b++) {
        q[b] = growth * q[b] + 0.5 * e->x.drawn[b];
    }
    sl_eps_chains_spread(e);
}

/* ---- Within a trial ----------------------------------------------------------------------------- */

SL_SIMD(void, spread,
        (int32_t n, const double *restrict q, const double *restrict offset, double *restrict out,
         double *restrict sum),
        (n, q, offset, out, sum)) {
    int32_t i = 0;
    for (; i + STRANDS <= n; i += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            out[i + l] = q[i + l] + offset[i + l];
            sum[l] += fabs(out[i + l]);
        }
    }
    for (int l = 0; i < n; i++, l++) {
        out[i] = q[i] + offset[i];
        sum[l] += fabs(out[i]);
    }
}

double sl_eps_chains_spread(sl_eps *e) {
    sl_eps_numbers *x = &e->x;
    double sum[STRANDS] = {0};
    for (const sl_eps_level *v = e->core->level; v < e->core->level + e->core->n_level; v++) {
        spread(e->core->n_chain - v->chain, x->q + v->chain, x->row_offset + v->row, x->row_q + v->row, sum);
    }
    return sum_of(sum) + e->w.inner_total;
}

/* ---- After the last check ----------------------------------------------------------------------- */

/* Along n chains by one pipe. */
SL_SIMD(void, fall,
        (int32_t n, const double *restrict h, const double *restrict slope, const double *restrict miss,
         const double *restrict p, double *restrict head),
        (n, h, slope, miss, p, head)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        head[j] -= h[j] - miss[j] * p[j] * slope[j];
    }
}

static void expand_chains(const sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    double *head = x->step; /* along each chain */
    for (int32_t b = c->level[1].chain; b < c->n_chain; b++) {
        head[b] = s->head[c->from[b]];
    }
    for (const sl_eps_level *v = c->level; v + 1 < c->level + c->n_level; v++) {
        int32_t b = v[1].chain, r = v->row + b - v->chain, n = c->n_chain - b; /* of those that go on */
        fall(n, x->row_h + r, x->row_slope + r, x->miss + b, x->p + b, head + b);
        for (int32_t j = 0; j < n; j++) {
            s->head[c->inner[r + j]] = head[b + j];
        }
    }
}

static void expand_trees(const sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    for (int32_t r = c->n_chain_row; r < c->n_row; r++) {
        s->head[c->inner[r]] = s->head[c->parent[r - c->n_chain_row]] - e->x.row_h[r];
    }
}

SL_SIMD(void, put_flows, (int32_t n, const int32_t *restrict pipe, const double *restrict q, double *restrict flow),
        (n, pipe, q, flow)) {
#pragma omp simd
    for (int32_t r = 0; r < n; r++) {
        flow[pipe_of(pipe[r])] = orientation_of(pipe[r]) * q[r] + 0.0; /* no -0 */
    }
}

void sl_eps_expand(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_tree_losses(e);
    expand_chains(e, s);
    expand_trees(e, s);
    put_flows(c->n_row, c->pipe, e->x.row_q, s->flow);
    for (int32_t i = 0; i < c->n_island_node; i++) {
        s->head[c->island_node[i]] = e->m->net->node_elevation[c->island_node[i]];
    }
    for (int32_t i = 0; i < c->n_island_pipe; i++) {
        s->flow[c->island_pipe[i]] = 0.0;
    }
    for (int32_t i = 0; i < e->w.n_cut; i++) { /* what has no source has no flow, and heads at its ground */
        s->head[e->w.cut[i]] = e->m->net->node_elevation[e->w.cut[i]];
    }
}

int32_t sl_eps_branch_link(const sl_eps *e, int32_t branch) {
    const sl_eps_core *c = e->core;
    if (branch >= c->n_chain) {
        return c->single[branch - c->n_chain];
    }
    int32_t k = c->pipe[branch];
    return k < 0 ? ~k : k;
}
