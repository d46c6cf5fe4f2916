/* SPDX-License-Identifier: MIT */
/* columns.c: what is kept about broken columns: how often the water of a pipe was whole again, and cavities at nodes as the ends of
 * pipes show them. A front fills the cavities of many points one by one: that is one event, when the last of them is full. */
#include "surge/impl.h"

#include <math.h>

int64_t sl_surge_first_cavity(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g) {
    double part = m->def.cavitation == SL_SURGE_DGCM ? 1.0 / SL_SURGE_VAPOUR_NEAR : 0.0;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        if (s->cavity[i] > part * m->point_gas[i]) {
            return i;
        }
    }
    return -1;
}

/* The end of a segment has what is known about its node. */
static void show_at_end(const sl_surge_state *s, int64_t point, int32_t node) {
    if (!isnan(s->node_first[node])) {
        s->cavity_max[point] = s->node_gas_max[node];
        s->cavity_first[point] = s->node_first[node];
        s->cavity_time[point] = s->node_time[node];
        s->cavity_count[point] = s->node_count[node];
    }
}

/* Joins of one of the model's own nodes belong to its pipe. */
static bool joined(const sl_surge_run *e, int32_t node) {
    return node >= e->m->net->n_node && e->now.node_count[node] > e->before.node_count[node];
}

void sl_surge_columns(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    for (int32_t k = 0; k < m->n_segment && s->cavity; k++) {
        const sl_surge_segment *g = &m->segments[k];
        bool was = s->broken[k] > 0.0, is = s->seen[k] == (double)s->x->n_step && sl_surge_first_cavity(m, s, g) >= 0;
        s->broken[k] = is ? 1.0 : 0.0;
        s->pipe_joined[g->pipe] += was && !is ? 1.0 : 0.0;
        s->pipe_joined[g->pipe] += joined(e, g->to) ? 1.0 : 0.0;
        show_at_end(s, g->at, g->from);
        show_at_end(s, g->at + g->n, g->to);
    }
}
