/* SPDX-License-Identifier: MIT */
/* extrapolate_flows.c: initial flows of the solve at the next boundary, extrapolated from earlier boundaries.
 *
 * Two boundaries are known, now and the one before it. When no link was switched between them and none is now, flows go on
 * as they did: tanks rise and fall steadily, and demands that follow a slope keep it. They are then led on in a straight
 * line, unless the demands turn: a jump is not a slope. When what was switched at the last boundary is switched back, as
 * by the control of a pump that runs every other step, the flows before it are the nearest; check valves that followed
 * then will follow again. A start decides how many trials a solve takes, not what it finds.
 */
#include "eps/impl.h"

#include "base/bytes.h"
#include "base/simd.h"

#include <math.h>
#include <string.h>

/* Demands keep their slope when its change is at most this share of it, or this share of all demand. */
#define SLOPE_CHANGE 0.5
#define STEADY 1e-4
/* A step may be this much longer than the last one. */
#define LONGER 2.0

static bool same_links(const sl_network *net, const sl_eps_state *a, const sl_eps_state *b) {
    int32_t first = net->n_pipe;
    return sl_same_bytes(a->status, b->status, (size_t)net->n_link) &&
           sl_same_bytes(a->setting + first, b->setting + first, (size_t)(net->n_link - first) * sizeof(double));
}

/* Is every link that was just switched as it was at the older boundary? */
static bool switched_back(const sl_eps *e, const sl_eps_state *s) {
    const sl_network *net = e->m->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        if (s->status[k] != e->before.status[k] && s->status[k] != e->older.status[k]) {
            return false;
        }
    }
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        double now = s->setting[k], older = e->older.setting[k];
        if (now != older && !(isnan(now) && isnan(older))) {
            return false;
        }
    }
    return true;
}

static void return_to_older(const sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (net->pipe_check[k]) {
            s->status[k] = e->older.status[k];
        }
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        if (s->status[k] == e->older.status[k]) {
            s->flow[k] = e->older.flow[k];
        }
    }
}

SL_SIMD(void, lead_on, (int32_t n, double share, const double *restrict older, double *restrict flow),
        (n, share, older, flow)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        flow[k] += share * (flow[k] - older[k]);
    }
}

static void continue_trend(const sl_eps *e, sl_eps_state *s) {
    double share = (s->x->time - e->before.x->time) / (e->before.x->time - e->older.x->time);
    double last = e->before.x->demand, rise = s->x->demand - last;
    double expected = share * (last - e->older.x->demand);
    if (share > LONGER || fabs(rise - expected) > fmax(SLOPE_CHANGE * fabs(rise), STEADY * fabs(last))) {
        return;
    }
    lead_on(e->m->net->n_link, share, e->older.flow, s->flow);
}

void sl_eps_extrapolate_flows(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    if (!(e->older.x->time < e->before.x->time) || e->before.x->substepped) {
        return; /* the first step, or one whose end is known already */
    }
    if (!e->before.x->facts.balanced || !e->older.x->facts.balanced) {
        return; /* flows of no solution lead nowhere */
    }
    if (!same_links(net, s, &e->before)) {
        if (switched_back(e, s)) {
            return_to_older(e, s);
        }
    } else if (same_links(net, s, &e->older)) {
        continue_trend(e, s);
    }
}
