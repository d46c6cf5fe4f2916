/* SPDX-License-Identifier: MIT */
/* counter.h: counters that carry into each other as an engine: the smallest model whose time counts steps. It has classes of its
 * own, hierarchical ids, elements that differ in their bounds, a schedule that sets hold against, and events. */
#ifndef SL_TEST_COUNTER_H
#define SL_TEST_COUNTER_H

#include "engine/engine.h"

/* The cell 'a.b' carries into 'a', which stands before it; a cell without a dot into the model's own count. At even times a cell
 * adds its step, at odd times twice that. */
typedef struct counter_model {
    const char *const *ids;
    const double *step, *limit; /* [n] whole numbers, limits above 0 */
    int32_t n;
    double end, report_step; /* [steps] 0: none */
} counter_model;

enum {
    COUNTER_COUNT, /* of cells */
    COUNTER_STEP,  /* an input: held when set, else by the schedule */
    COUNTER_LIMIT, /* a parameter */
    COUNTER_N_CELL,
    COUNTER_CARRIES = COUNTER_N_CELL, /* out of the uppermost cells */
    COUNTER_TOTAL,                    /* an output */
    COUNTER_RATE,                     /* an output that follows the steps at once when refreshed */
    COUNTER_N_FIELD
};

extern const sl_engine_ops counter_ops;

#endif
