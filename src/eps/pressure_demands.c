/* SPDX-License-Identifier: MIT */
/* pressure_demands.c: pressure-driven demands that go from one piece of their law to another.
 *
 * Between none and all of a demand Newton's method works on the flow, whose loss is convex there. At both ends the law is a wall: a
 * trial that begins on a wall keeps the flow there whatever the heads do, and one that ends behind a wall has taken water that
 * nobody asks for. After such a trial the demand is set to what the new head gives, so that the next one begins on the right piece
 * and near the right flow; flows balance again with that one. A solve begins in the same manner: the heads of the last
 * solution give the share of its demand that a junction receives, whatever the demand is now. biws: 3 892 trials instead of 6 278.
 * Where this goes round, the search along the steps (line_search.c), which needs flows that balance, takes over.
 */
#include "eps/impl.h"

#include "numeric/vecmath.h"

#include <math.h>

/* Of a full demand: less than this is no move. */
#define SAME 1e-6

void sl_eps_outlets_find(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        double full = m->outlet_kind[o] == SL_OUTLET_DEMAND ? fmax(s->wanted[node], 0.0) : -1.0;
        e->w.full[o] = s->cut_off[node] ? 0.0 : full;
    }
}

SL_SIMD(void, pressures,
        (int32_t n, const int32_t *restrict node, const double *restrict zero, const double *restrict head,
         double *restrict p),
        (n, node, zero, head, p)) {
#pragma omp simd
    for (int32_t o = 0; o < n; o++) {
        p[o] = head[node[o]] - zero[o];
    }
}

/* Puts the flows that the heads give where a trial began or ended at an end of the law. Returns how many moved. */
SL_SIMD(int32_t, take_flows,
        (int32_t n, double range, const double *restrict full, const double *restrict began,
         const double *restrict given, double *restrict q),
        (n, range, full, began, given, q)) {
    int32_t moved = 0;
#pragma omp simd reduction(+ : moved)
    for (int32_t o = 0; o < n; o++) {
        bool inside = began[o] > 0.0 && began[o] < range && q[o] > 0.0 && q[o] < full[o];
        double to = inside || !(full[o] > 0.0) ? q[o] : given[o];
        moved += fabs(to - q[o]) > SAME * full[o];
        q[o] = to;
    }
    return moved;
}

/* Flows at the present heads, into w.outlet_step. */
static void flows_by_heads(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    pressures(m->n_outlet, m->outlet_node, m->outlet_zero, s->head, e->w.from_outlet);
    sl_demand_flows(&m->demand, m->n_outlet, e->w.full, e->w.from_outlet, e->w.outlet_step);
}

void sl_eps_demands_begin(sl_eps *e, sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    if (m->n_other == m->n_outlet) {
        return;
    }
    sl_eps_outlets_find(e, s);
    flows_by_heads(e, s);
    for (int32_t o = 0; o < m->n_outlet; o++) {
        s->outlet_flow[o] = e->w.full[o] > 0.0 ? e->w.outlet_step[o] : s->outlet_flow[o];
    }
}

bool sl_eps_demands_follow(sl_eps *e, sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    if (m->n_other == m->n_outlet) {
        return false;
    }
    flows_by_heads(e, s);
    return take_flows(m->n_outlet, m->demand.range, e->w.full, e->w.oh, e->w.outlet_step, s->outlet_flow) > 0;
}
