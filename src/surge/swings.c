/* SPDX-License-Identifier: MIT */
/* swings.c: heads that swing to and fro within a few steps, again and again: the grid decides them, not the water.
 *
 * A head turns where it begins to fall or to rise. A turn counts when the swing before it was a tenth of all that the node has
 * seen, and above rounding; the part of steps that have such a turn is a mean that forgets within 64 steps. Above a fifth, that is
 * less than ten steps for a cycle, for half a dozen cycles and more, the alarm is raised: a wave that passes does not do that. A pipe
 * of few reaches does: it rings with two or four times its reaches, exactly so on the grid, and its nodes are left out.
 */
#include "surge/impl.h"

#include "base/simd.h"

#include <math.h>

#define MEMORY 64.0     /* steps */
#define TURNS_MOST 0.2  /* of steps */
#define SWING_LEAST 0.1 /* of the range of heads so far, */
#define SWING_SMALL 0.5 /* and [m] */

/* Has the node a pipe whose own cycle is that short? */
enum { REACHES_FEW = 4 };
static bool rings(const sl_surge_model *m, int32_t node) {
    for (int32_t k = m->end_start[node]; k < m->end_start[node + 1]; k++) {
        if (m->segments[m->ends[k] % m->n_segment].n <= REACHES_FEW) {
            return true;
        }
    }
    return false;
}

/* Returns whether a node may be beyond. */
SL_SIMD(bool, watch,
        (int64_t n, const double *restrict last, const double *restrict head, const double *restrict high,
         const double *restrict low, const double *restrict old_at, const double *restrict old_turns,
         double *restrict at, double *restrict turns),
        (n, last, head, high, low, old_at, old_turns, at, turns)) {
    enum { LANES = SL_SURGE_LANES };
    double most[LANES] = {0};
    for (int64_t k = 0; k < n; k += LANES) {
        int64_t m = n - k < LANES ? n - k : LANES;
#pragma omp simd
        for (int64_t l = 0; l < m; l++) {
            int64_t i = k + l;
            double swing = last[i] - old_at[i], next = head[i] - last[i], least = SWING_LEAST * (high[i] - low[i]);
            least = least > SWING_SMALL ? least : SWING_SMALL;
            double turned = next * swing < 0.0 ? 1.0 : 0.0, counts = fabs(swing) >= least ? turned : 0.0;
            double part = old_turns[i] + (counts - old_turns[i]) / MEMORY;
            at[i] = turned > 0.0 ? last[i] : old_at[i];
            turns[i] = part;
            most[l] = part > most[l] ? part : most[l];
        }
    }
    bool any = false;
    for (int l = 0; l < LANES; l++) {
        any |= most[l] > TURNS_MOST;
    }
    return any;
}

/* The range is that of the history: up to the state before. */
void sl_surge_swings_watch(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = e->before, *s = e->now;
    bool any = watch(m->net->n_node, b->node_head, s->node_head, e->history.node_max, e->history.node_min, b->turned_at,
                     b->turns, s->turned_at, s->turns);
    for (int32_t i = 0; i < m->net->n_node && any; i++) {
        if (s->turns[i] > TURNS_MOST && m->kind[i] != SL_NODE_FIXED && !rings(m, i)) {
            sl_surge_raise(e, SL_SURGE_ALARM_GRID, fabs(b->node_head[i] - b->turned_at[i]), i, -1, -1.0);
        }
    }
}
