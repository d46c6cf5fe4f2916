/* SPDX-License-Identifier: MIT */
/* breakers.c: trials of Newton's method at valves that hold head back at rest: pressure breakers, and general purpose valves whose
 * curve begins above zero.
 *
 * The law of a breaker has three pieces: forwards its setting, backwards its minor loss, and between them a steep one on
 * which nothing passes. That of such a curve has them too, with what it begins at in either direction. Both outer pieces are all but flat, so a step from one leads far beyond the steep piece to the
 * other, and the next step back again. A trial that would pass over the steep piece ends on it. Its flow does not balance
 * then; the next full step mends that. Where flow is forced through a breaker at rest the step from the steep piece finds the flow,
 * with heads millions of metres away, which would drown the next step in their rounding: heads stay then.
 */
#include "eps/impl.h"

#include "laws/valve.h"

#include <math.h>

/* No head of a network changes by so much [m]. */
#define FAR 1e4

/* What a valve that conducts holds back at rest [m]. */
static double hold_of(const sl_eps *e, const sl_eps_state *s, int32_t k, bool *both_ways) {
    const sl_network *net = e->m->net;
    double hold = sl_valve_hold(net, k - net->n_pipe - net->n_pump, s->setting[k], both_ways);
    return sl_eps_conducts(e, s, k) ? hold : 0.0;
}

/* 1 forwards, 0 at rest, -1 backwards. */
static int piece_of(double q, double rest, bool both_ways) {
    return q >= (both_ways ? rest : 0.0) ? 1 : q > -rest ? 0 : -1;
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
    bool stopped = false, far = false, both_ways;
    for (int32_t i = 0; i < e->m->n_breaker; i++) {
        int32_t k = e->m->breaker[i];
        double hold = hold_of(e, s, k, &both_ways), rest = sl_valve_dead_band(hold);
        if (hold <= 0.0) {
            continue;
        }
        int before = piece_of(e->w.breaker_q[i], rest, both_ways), now = piece_of(s->flow[k], rest, both_ways);
        if (before * now < 0) {
            s->flow[k] = both_ways ? 0.0 : -0.5 * rest;
            stopped = true;
        }
        far |= before == 0 && now != 0 && went_far(e, k);
    }
    if (far) {
        take_heads_back(e, s);
    }
    return stopped || far;
}

/* The head that pushes water through a valve: what is left of H1 - H2 [m]. */
double sl_eps_valve_drive(const sl_network *net, const sl_eps_state *s, int32_t link, double dh) {
    bool both_ways;
    double hold = sl_valve_hold(net, link - net->n_pipe - net->n_pump, s->setting[link], &both_ways);
    return dh > 0.0 ? fmax(dh - hold, 0.0) : both_ways ? fmin(dh + hold, 0.0) : dh;
}
