/* SPDX-License-Identifier: MIT */
/* breakers.c: trials of Newton's method at pressure breaker valves.
 *
 * The law of a breaker has three pieces: forwards its setting, backwards its minor loss, and between them a steep one on
 * which nothing passes. Both outer pieces are all but flat, so a step from one leads far beyond the steep piece to the
 * other, and the next step back again. A trial that would pass over the steep piece ends on it. Its flow does not balance
 * then; the next full step mends that. Where flow is forced through a breaker at rest the step from the steep piece finds the flow,
 * with heads millions of metres away, which would drown the next step in their rounding: heads stay then.
 */
#include "eps/impl.h"

#include "laws/valve.h"

#include <math.h>

/* No head of a network changes by so much [m]. */
#define FAR 1e4

/* 1 forwards, 0 at rest, -1 backwards. */
static int piece_of(double q, double rest) {
    return q >= 0.0 ? 1 : q > -rest ? 0 : -1;
}

static bool breaks(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    return s->setting[k] > 0.0 && sl_eps_conducts(e, s, k); /* false where it is not a number */
}

void sl_eps_breakers_begin(sl_eps *e, const sl_eps_state *s) {
    for (int32_t i = 0; i < e->m->n_breaker; i++) {
        e->w.breaker_q[i] = s->flow[e->m->breaker[i]];
    }
}

/* Did the step that began at rest move an end of the link out of all reason? */
static bool went_far(const sl_eps *e, int32_t link) {
    const sl_eps_numbers *x = &e->x;
    int32_t b = e->core->branch_of[link];
    return fmax(fabs(x->rhs[x->u[b]]), fabs(x->rhs[x->v[b]])) > FAR;
}

static void take_heads_back(const sl_eps *e, sl_eps_state *s) {
    for (int32_t u = 0; u < e->core->n_unknown; u++) {
        s->head[e->core->node[u]] -= e->x.rhs[u];
    }
}

bool sl_eps_breakers_stop(sl_eps *e, sl_eps_state *s) {
    bool stopped = false, far = false;
    for (int32_t i = 0; i < e->m->n_breaker; i++) {
        int32_t k = e->m->breaker[i];
        double rest = sl_breaker_dead_band(s->setting[k]);
        int before = breaks(e, s, k) ? piece_of(e->w.breaker_q[i], rest) : 0, now = piece_of(s->flow[k], rest);
        if (before * now < 0) {
            s->flow[k] = -0.5 * rest;
            stopped = true;
        }
        far |= before == 0 && now != 0 && breaks(e, s, k) && went_far(e, k);
    }
    if (far) {
        take_heads_back(e, s);
    }
    return stopped || far;
}

/* The head that pushes water through a breaker: what is left of H1 - H2 [m]. */
double sl_eps_breaker_drive(double setting, double dh) {
    return dh > 0.0 ? fmax(dh - fmax(setting, 0.0), 0.0) : dh;
}
