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

#include <math.h>

/* Of a full demand: less than this is no move. */
#define SAME 1e-6

void sl_eps_demands_begin(const sl_eps *e, sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    int32_t n = m->net->hydraulics.demand_model == SL_PDA ? m->n_outlet : 0;
    for (int32_t o = 0; o < n; o++) {
        int32_t node = m->outlet_node[o];
        double full = s->wanted[node];
        if (m->outlet_kind[o] == SL_OUTLET_DEMAND && full > 0.0 && !s->cut_off[node]) {
            s->outlet_flow[o] = sl_demand_flow(&m->demand, full, s->head[node] - m->outlet_zero[o]);
        }
    }
}

bool sl_eps_demands_follow(const sl_eps *e, sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    bool moved = false;
    int32_t n = m->net->hydraulics.demand_model == SL_PDA ? m->n_outlet : 0;
    for (int32_t o = 0; o < n; o++) {
        int32_t node = m->outlet_node[o];
        double full = s->wanted[node], began = e->w.oh[o], q = s->outlet_flow[o];
        bool inside = began > 0.0 && began < m->demand.range && q > 0.0 && q < full;
        if (m->outlet_kind[o] == SL_OUTLET_DEMAND && full > 0.0 && !inside && !s->cut_off[node]) {
            s->outlet_flow[o] = sl_demand_flow(&m->demand, full, s->head[node] - m->outlet_zero[o]);
            moved |= fabs(s->outlet_flow[o] - q) > SAME * full;
        }
    }
    return moved;
}
