/* SPDX-License-Identifier: MIT */
/* smooth.c: oscillation of grid scale, where cavities fill one after the other.
 *
 * Vapour that is spread along a pipe is filled by a front that moves slower than a wave. The discrete models hold it at the points: each
 * stays at the vapour head until its cavity is full, then jumps. So the water behind the front gets a train of pulses as high as the
 * front, of a few steps' period, whatever the step: noise of the model. It is taken out where it arises: of two neighbours in
 * liquid, what leaves one is mixed with what leaves the other,
 *
 *     F_i -= f_i,  F_(i+1) += f_i,   f_i = PART (F_i - F_(i+1))
 *
 * where at least two of eight points around are turning points: no front and no single pulse is. The sum of F, and so the water of
 * the pipe and the momentum, stay as they are; the sum of squares, the energy, can only fall (PART below a half). It acts for two
 * travel times after the last cavity of a segment, with DGCM and DVCM. Theory: docs/theory/surge.md, "Cavities".
 */
#include "surge/points.h"

#include "base/simd.h"

/* A wave of six points loses a sixth of its height in a step. */
#define PART 0.2
enum { BEFORE = 3, AFTER = 4, TURNS = 2 };

/* turn[p] = 1 where x turns at p. */
SL_SIMD(void, find_turns, (int64_t n, const double *restrict x, double *restrict turn), (n, x, turn)) {
#pragma omp simd
    for (int64_t p = 1; p < n - 1; p++) {
        turn[p] = (x[p] - x[p - 1]) * (x[p + 1] - x[p]) < 0.0 ? 1.0 : 0.0;
    }
}

/* What goes from i to i+1, for i well inside. */
SL_SIMD(void, find_flows,
        (int64_t n, double least, const double *restrict x, const double *restrict turn, const double *restrict v,
         double *restrict flow),
        (n, least, x, turn, v, flow)) {
    for (int64_t i = BEFORE; i < n - AFTER; i++) {
        double turns =
            turn[i - 3] + turn[i - 2] + turn[i - 1] + turn[i] + turn[i + 1] + turn[i + 2] + turn[i + 3] + turn[i + 4];
        double liquid = ((v[i] <= least) & (v[i + 1] <= least)) ? 1.0 : 0.0;
        flow[i] = turns >= TURNS ? liquid * PART * (x[i] - x[i + 1]) : 0.0;
    }
}

/* The same near the ends, where there are fewer points around. */
static double flow_near_end(int64_t n, double least, const double *x, const double *turn, const double *v, int64_t i) {
    double turns = 0.0;
    for (int64_t p = i - BEFORE; p <= i + AFTER; p++) {
        turns += p >= 0 && p < n ? turn[p] : 0.0;
    }
    bool liquid = v[i] <= least && v[i + 1] <= least;
    return turns >= TURNS && liquid ? PART * (x[i] - x[i + 1]) : 0.0;
}

SL_SIMD(void, exchange, (int64_t n, const double *restrict flow, double *restrict x), (n, flow, x)) {
#pragma omp simd
    for (int64_t i = 1; i < n - 1; i++) {
        x[i] += flow[i - 1] - flow[i];
    }
}

/* x of n points whose cavities are v; turn and flow: workspace of n. */
static void smooth(int64_t n, double least, double *x, const double *v, double *turn, double *flow) {
    turn[0] = turn[n - 1] = 0.0;
    find_turns(n, x, turn);
    find_flows(n, least, x, turn, v, flow);
    for (int64_t i = 0; i < n - 1; i++) {
        if (i < BEFORE || i >= n - AFTER) {
            flow[i] = flow_near_end(n, least, x, turn, v, i);
        }
    }
    exchange(n, flow, x);
    x[0] -= flow[0];
    x[n - 1] += flow[n - 2];
}

bool sl_surge_smooths(const sl_surge_run *e, int32_t group) {
    double last = e->before->seen[group], n = (double)e->m->groups[group].n;
    return e->now->cavity && n >= 4.0 && last >= 0.0 && (double)e->now->x->n_step - last <= 2.0 * n;
}

void sl_surge_smooth(const sl_surge_run *e, const sl_surge_segment *g, double *forth, double *back, double *turn,
                     double *flow) {
    double least = sl_surge_cavity_least(e->m, g);
    const double *v = e->before->cavity + g->cell;
    smooth(g->n, least, forth, v, turn, flow);
    smooth(g->n, least, back + 1, v + 1, turn, flow);
}
