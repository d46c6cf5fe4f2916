/* SPDX-License-Identifier: MIT */
/* line_search.c: the length of a Newton step.
 *
 * Laws with kinks (demands that depend on pressure, custom curves) can send Newton's method round in a circle. Where every
 * loss h rises with its flow, the step d from flows q to flows q + d that both balance is a descent direction of a convex function,
 * whose slope at q + t d is
 *
 *     g(t) = sum over links and outlets of (h(q + t d) - (H1 - H2)) d
 *
 * with the new heads H. g rises with t, from g(0) = - sum h' d^2 < 0. If it is well above 0 at t = 1 the step went too far,
 * and the t at which g vanishes is looked for. That takes no solution of a system, only losses.
 */
#include "eps/impl.h"

#include <math.h>

enum { EVALUATIONS_MAX = 40 };

/* Of |g(0)|, what is near enough to 0. */
#define FLAT_ENOUGH 0.1

/* g with the losses that stand. */
static double slope_now(const sl_eps *e, const sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    const sl_eps_work *w = &e->w;
    double g = 0.0;
    for (int32_t b = 0; b < c->n_branch; b++) {
        if (x->p[b] > 0.0) {
            g += (x->h[b] - (s->head[c->from[b]] - s->head[c->to[b]])) * x->step[b];
        }
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (w->op[o] > 0.0 && !s->cut_off[node]) {
            g += (w->oh[o] - (s->head[node] - m->outlet_zero[o])) * w->outlet_step[o];
        }
    }
    return g;
}

/* Puts the flows at q + t d and returns g there. */
static double slope_at(sl_eps *e, sl_eps_state *s, double t) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    sl_eps_work *w = &e->w;
    for (int32_t b = 0; b < c->n_chain; b++) {
        x->q[b] = x->from_q[b] + t * x->step[b];
    }
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        s->flow[c->single[b - c->n_chain]] = x->from_q[b] + t * x->step[b];
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        s->outlet_flow[o] = w->from_outlet[o] + t * w->outlet_step[o];
    }
    sl_eps_chains_spread(e);
    sl_eps_coefficients(e, s);
    return slope_now(e, s);
}

static double flow_of(const sl_eps *e, const sl_eps_state *s, int32_t b) {
    return b < e->core->n_chain ? e->x.q[b] : s->flow[e->core->single[b - e->core->n_chain]];
}

void sl_eps_line_search_begin(sl_eps *e, const sl_eps_state *s) {
    for (int32_t b = 0; b < e->core->n_branch; b++) {
        e->x.from_q[b] = flow_of(e, s, b);
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        e->w.from_outlet[o] = s->outlet_flow[o];
    }
}

void sl_eps_line_search(sl_eps *e, sl_eps_state *s) {
    sl_eps_work *w = &e->w;
    for (int32_t b = 0; b < e->core->n_branch; b++) {
        e->x.step[b] = flow_of(e, s, b) - e->x.from_q[b];
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        w->outlet_step[o] = s->outlet_flow[o] - w->from_outlet[o];
    }
    double low = 0.0, g_low = slope_now(e, s), high = 1.0, g_high = slope_at(e, s, 1.0);
    double enough = FLAT_ENOUGH * -g_low;
    if (!(g_low < 0.0) || g_high <= enough) {
        return; /* near enough, or no descent at all: an island that is not balanced yet */
    }
    for (int look = 0; look < EVALUATIONS_MAX; look++) {
        /* The secant, kept away from the ends, where it creeps. */
        double share = isfinite(g_high) ? g_low / (g_low - g_high) : 0.5;
        double t = low + (high - low) * fmin(fmax(share, 0.1), 0.9);
        double g = slope_at(e, s, t);
        if (fabs(g) <= enough) {
            break;
        }
        if (g < 0.0) {
            low = t;
            g_low = g;
        } else {
            high = t;
            g_high = g;
        }
    }
}
