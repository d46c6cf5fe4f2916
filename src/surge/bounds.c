/* SPDX-License-Identifier: MIT */
/* bounds.c: Joukowsky's bound: how far a head can go when flow is only stopped.
 *
 * In one line of pipes of one impedance, between heads that are given, without pumps, stopping every flow V changes a head
 * by a V/g at most, from the highest or the lowest head of the start: waves of one line do not add up. Branches, changes of
 * bore, pumps, heads that move and cavities do more, rightly: then there is no bound here. A head beyond it shows a model
 * that puts energy in (the filter of another program does).
 */
#include "surge/impl.h"

#include <math.h>

/* Convolved friction may press on a little after a stop (docs/theory/surge.md). */
#define MARGIN 1e-6
#define MARGIN_HISTORY 0.03

static bool only_stops(const sl_surge_model *m) {
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        bool stops = v->what == SL_SURGE_VALVE_OPENING || v->what == SL_SURGE_DEMAND_FACTOR;
        for (int32_t k = 0; k < v->n; k++) {
            stops = stops && !(v->x[k] > 1.0);
        }
        if (!stops) {
            return false;
        }
    }
    return true;
}

/* One line: no node with more than two ends, no impedance that differs. */
static bool one_line(const sl_surge_model *m) {
    for (int32_t k = 1; k < m->n_segment; k++) {
        if (fabs(m->segments[k].b / m->segments[0].b - 1.0) > 1e-9) {
            return false;
        }
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        if (m->kind[i] == SL_NODE_TANK || (m->kind[i] == SL_NODE_FREE && m->end_start[i + 1] - m->end_start[i] > 2)) {
            return false;
        }
    }
    return m->n_segment > 0 && m->n_pump == 0;
}

void sl_surge_bounds_find(sl_surge_model *m) {
    m->highest = (double)INFINITY;
    m->lowest = -(double)INFINITY;
    if (!one_line(m) || !only_stops(m)) {
        return;
    }
    double most = 0.0, high = -(double)INFINITY, low = (double)INFINITY;
    for (int32_t k = 0; k < m->n_segment; k++) {
        most = fmax(most, fabs(m->segments[k].flow));
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        high = fmax(high, m->start_head[i]);
        low = fmin(low, m->start_head[i]);
    }
    double rise = m->segments[0].b * most;
    rise += rise * (m->def.friction == SL_SURGE_CONVOLUTION ? MARGIN_HISTORY : MARGIN) + 1e-6;
    m->highest = high + rise;
    m->lowest = low - rise;
}

void sl_surge_bounds_watch(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->now;
    for (int32_t i = 0; i < m->net->n_node && isfinite(m->highest) && !s->x->broke; i++) {
        double beyond = fmax(s->node_head[i] - m->highest, m->lowest - s->node_head[i]);
        if (beyond > 0.0 && s->factor[i] <= 1.0) {
            sl_surge_raise(e, SL_SURGE_ALARM_JOUKOWSKY, beyond, i, -1, -1.0);
        }
    }
}
