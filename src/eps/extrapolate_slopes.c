/* SPDX-License-Identifier: MIT */
/* extrapolate_slopes.c: slopes for flows that vanish slowly.
 *
 * The slope of a power law h = r |q|^n vanishes with the flow, and where a flow is to vanish Newton's method keeps 1 - 1/n of
 * it, nearly half, in every trial: a few pipes without flow cost a dozen trials. Their last two moves d0, d1 give how far they still
 * have to go (Aitken): d = d1 r / (1 - r), r = d1 / d0. The slope that leads there at once is not the one at q but that of the
 * chord from q to q + d, which is h' (1 + (1 - 1/n) d / q) where it matters most, at d = 0 and at d = -q; n = 1.852 does for all
 * laws. Where trials converge as Newton's should, d is soon nothing and the slope the old one. Ky8: 8 trials instead of 12, a
 * twelfth of the time of its run; 93 public networks at their first instant: 441 instead of 453.
 */
#include "eps/impl.h"

#include "laws/constants.h"
#include "numeric/vecmath.h"

/* Moves whose ratio is larger than this say nothing about the end. */
#define STEADY 0.7
/* A chord is not taken for flatter or steeper than this many times the slope at the flow. */
#define FLATTEST 0.5
#define STEEPEST 2.0

static SL_INLINE double extrapolated_move(double d1, double d0) {
    double r = d1 / d0;
    return r > -STEADY && r < STEADY ? d1 * r / (1.0 - r) : 0.0;
}

static SL_INLINE double chord(double bend, double d, double q) {
    double c = 1.0 + bend * d / q;
    c = c < STEEPEST ? c : STEEPEST;
    c = c > FLATTEST ? c : FLATTEST;
    return d == 0.0 ? 1.0 : c;
}

/* Chains of one pipe have their slope in p alone. */
SL_SIMD(void, extrapolate_pipes,
        (int32_t n, double bend, const double *restrict d1, const double *restrict d0, const double *restrict q,
         double *restrict p),
        (n, bend, d1, d0, q, p)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        p[j] /= chord(bend, extrapolated_move(d1[j], d0[j]), q[j]);
    }
}

/* Of longer ones the pipes are taken one by one: t-th pipes of n chains. */
SL_SIMD(void, extrapolate_pipe,
        (int32_t n, double bend, const double *restrict d1, const double *restrict d0, const double *restrict q,
         const double *restrict slope, double *restrict sum),
        (n, bend, d1, d0, q, slope, sum)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        sum[j] += slope[j] * chord(bend, extrapolated_move(d1[j], d0[j]), q[j]);
    }
}

SL_SIMD(void, again,
        (int32_t n, const double *restrict q, const double *restrict miss, const double *restrict p,
         double *restrict y),
        (n, q, miss, p, y)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        y[j] = q[j] - p[j] * miss[j];
    }
}

void sl_eps_extrapolate_slopes(sl_eps *e) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    const double bend = 1.0 - 1.0 / SL_HW_EXPONENT;
    const double *d1 = x->moved, *d0 = x->moved_before;
    double *p = x->p, *sum = x->step;
    int32_t n_pipe = c->level[1].chain;
    extrapolate_pipes(n_pipe, bend, d1, d0, x->q, p);
    for (int32_t b = n_pipe; b < c->n_chain; b++) {
        sum[b] = 0.0;
    }
    for (const sl_eps_level *v = c->level; v < c->level + c->n_level; v++) {
        int32_t b = v->chain > n_pipe ? v->chain : n_pipe, r = v->row + b - v->chain;
        extrapolate_pipe(c->n_chain - b, bend, d1 + b, d0 + b, x->row_q + r, x->row_slope + r, sum + b);
    }
    for (int32_t b = n_pipe; b < c->n_chain; b++) {
        p[b] = p[b] > 0.0 ? 1.0 / sum[b] : 0.0; /* one without a source has none */
    }
    again(c->n_chain, x->q, x->miss, x->p, x->y);
}
