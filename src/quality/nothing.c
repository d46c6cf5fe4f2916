/* SPDX-License-Identifier: MIT */
/* nothing.c: steps in which there is nothing to carry and nobody brings anything: all stays 0, and only tanks fill and empty.
 *
 * Nothing is in a network where no node has an initial quality, and no pipe ends at a traced node, which would fill it; age is
 * never nothing, nor what reactions make of nothing. Sources bring nothing while strength or pattern is 0, a traced node while no
 * water leaves it. What is known of all times is the model's `empty`, for which not even states are copied.
 */
#include "quality/impl.h"

#include <math.h>

double sl_quality_source_pattern(const sl_quality *q, const sl_quality_source *x) {
    const sl_network *net = q->m->net;
    if (x->pattern < 0) {
        return 1.0;
    }
    int32_t first = net->pattern_start[x->pattern], n = net->pattern_start[x->pattern + 1] - first;
    double step = net->times.pattern_step, at = step > 0.0 ? floor((q->begin + net->times.pattern_start) / step) : 0.0;
    return n > 0 ? net->pattern_factor[first + (int32_t)fmod(at, n)] : 1.0;
}

bool sl_quality_is_nothing(const sl_quality *q, const sl_quality_state *s) {
    const sl_quality_model *m = q->m;
    bool some = m->kind == SL_QUALITY_AGE || m->creates || s->ledger.initial != 0.0;
    for (int32_t i = 0; !some && i < m->net->n_node; i++) {
        some = m->initial[i] != 0.0;
    }
    return !some;
}

/* Does water leave a node, by links or to consumers? */
static bool gives(const sl_quality *q, int32_t node) {
    const sl_quality_model *m = q->m;
    bool some = node < m->net->n_junction && q->outflow[node] > 0.0;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        some |= sl_quality_side_of(q, m->at[a]) < 0;
    }
    return some;
}

bool sl_quality_brings_nothing(const sl_quality *q) {
    const sl_quality_model *m = q->m;
    if (m->kind == SL_QUALITY_TRACE) {
        return m->net->quality.trace_node < 0 || !gives(q, m->net->quality.trace_node);
    }
    bool some = false;
    for (int32_t i = 0; i < m->net->n_source; i++) {
        some |= q->used[i] * sl_quality_source_pattern(q, &m->net->sources[i]) != 0.0;
    }
    return !some;
}

void sl_quality_pass_over(const sl_quality *q, sl_quality_state *s, double t) {
    const sl_quality_model *m = q->m;
    for (int32_t i = 0; i < m->net->n_tank; i++) {
        int32_t node = m->net->n_junction + m->net->n_reservoir + i;
        double v = q->volume[i];
        for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
            v += sl_quality_side_of(q, m->at[a]) * fabs(q->flow[m->at[a].link]) * (t - s->time);
        }
        v = fmax(m->tank[i].overflows ? fmin(v, fmax(m->tank[i].v_max, q->volume[i])) : v, 0.0);
        s->tank_volume[i] = v;
        (void)sl_quality_fill_tank(m, s, i, v, 0.0); /* a row has room for what this takes */
    }
}
