/* SPDX-License-Identifier: MIT */
/* explore.h: all executions of a discrete automaton, by copies of its runs: what sl_execution_explore is compared with. */
#ifndef SL_TEST_AUTOMATA_EXPLORE_H
#define SL_TEST_AUTOMATA_EXPLORE_H

#include "automata/sda.h"

typedef struct explore_def {
    sl_sda_def run;
    bool depth_first;       /* else breadth first */
    int64_t max_executions; /* 1000 */
    int64_t most_steps;     /* of all together: 1000000 */
    int64_t max_open;       /* executions that wait at once: 10000 */
} explore_def;
explore_def explore_default(void);

typedef struct explored {
    int64_t n_execution; /* handed out */
    int64_t n_step;
    bool complete; /* no limit was met */
} explore_result;
/* Hands every execution from q0 to seen when it ends (borrowed; false stops). SL_ERR_MEMORY, SL_ERR_USE. */
sl_status explore_runs(const sl_sda *a, const int32_t *q0, const explore_def *def,
                       bool (*seen)(void *user, const sl_sda_run *run), void *user, explore_result *out);

#endif
