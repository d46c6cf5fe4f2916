/* SPDX-License-Identifier: MIT */
/* swings.c: heads that swing to and fro within a few steps, again and again: the grid decides them, not the water.
 *
 * A head turns where it begins to fall or to rise. A turn counts when the swing before it was a tenth of all that the node has seen,
 * and above rounding; the part of steps that have such a turn is a mean that forgets within 64 steps. Above a fifth, that is less
 * than ten steps for a cycle, for half a dozen cycles and more, the alarm is raised: a wave that passes does not do that. A pipe of few
 * reaches does: it rings with two or four times its reaches, exactly so on the grid, and its nodes are left out.
 */
#include "surge/impl.h"

#include <math.h>

#define MEMORY 64.0     /* steps */
#define TURNS_MOST 0.2  /* of steps */
#define SWING_LEAST 0.1 /* of the range of heads so far, */
enum { REACHES_FEW = 4 };
#define SWING_SMALL 0.5 /* and [m] */

/* Has the node a pipe whose own cycle is that short? */
static bool rings(const sl_surge_model *m, int32_t node) {
    for (int32_t k = m->end_start[node]; k < m->end_start[node + 1]; k++) {
        if (m->segments[m->ends[k].segment].n <= REACHES_FEW) {
            return true;
        }
    }
    return false;
}

void sl_surge_swings_watch(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    for (int32_t i = 0; i < m->net->n_node; i++) {
        double last = e->before.node_head[i], swing = last - s->turned_at[i], next = s->node_head[i] - last;
        double counts = 0.0;
        if (next * swing < 0.0) {
            double least = fmax(SWING_LEAST * (s->node_max[i] - s->node_min[i]), SWING_SMALL);
            counts = fabs(swing) >= least ? 1.0 : 0.0;
            s->turned_at[i] = last;
        }
        s->turns[i] += (counts - s->turns[i]) / MEMORY;
        if (s->turns[i] > TURNS_MOST && m->kind[i] != SL_NODE_FIXED && !rings(m, i)) {
            sl_surge_raise(e, SL_SURGE_ALARM_GRID, fabs(swing), i, -1, -1.0);
        }
    }
}
