/* SPDX-License-Identifier: MIT */
/* columns.c: what is kept about broken columns: how often the water of a pipe was whole again. A front fills the cavities of many
 * points one by one: that is one event, when the last of them is full. */
#include "surge/points.h"

int64_t sl_surge_first_cavity(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g) {
    double least = sl_surge_cavity_least(m, g);
    for (int32_t j = 1; j < g->n; j++) {
        if (sl_surge_is_torn(m, s, sl_surge_cell(g, j), least)) {
            return g->at + j;
        }
    }
    return -1;
}

static void column(sl_surge_run *e, int32_t k, bool seen) {
    const sl_surge_model *m = e->m;
    const sl_surge_segment *g = &m->segments[k];
    sl_surge_state *s = e->now;
    bool was = s->broken[k] > 0.0, is = seen && sl_surge_first_cavity(m, s, g) >= 0;
    if (was != is) {
        s->broken[k] = is ? 1.0 : 0.0;
        s->pipe_joined[g->pipe] += was && !is ? 1.0 : 0.0;
        s->x->rare = s->x->n_step;
    }
}

/* Joins of one of the model's own nodes belong to its pipe. */
static bool joined(const sl_surge_run *e, int32_t node) {
    return node >= e->m->net->n_node && e->now->node_count[node] > e->before->node_count[node];
}

void sl_surge_columns(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    bool nodes = s->x->rare >= s->x->n_step;
    for (int32_t k = 0; k < m->n_group && sl_surge_has_cavities(m); k++) {
        const sl_surge_group *g = &m->groups[k];
        for (int32_t l = 0; l < g->lanes && s->seen[k] >= (double)s->x->n_step - 1.0; l++) {
            column(e, g->first + l, sl_surge_seen(s, k));
        }
    }
    for (int32_t k = 0; k < m->n_segment && nodes; k++) {
        s->pipe_joined[m->segments[k].pipe] += joined(e, m->segments[k].to) ? 1.0 : 0.0;
    }
}
