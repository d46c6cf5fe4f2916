/* SPDX-License-Identifier: MIT */
/* sluice/estimate.h: how long a run will take, told from the model alone.
 *
 * An advice for people and schedulers: it changes no result and does not depend on earlier runs. The same figures give
 * the same number on every machine. It never falls when a network grows, a run gets longer, a step gets shorter, or
 * quality is added.
 */
#ifndef SLUICE_ESTIMATE_H
#define SLUICE_ESTIMATE_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_effort {
    SL_EFFORT_LOW = 0, /* below a second: answers while one waits */
    SL_EFFORT_MEDIUM,  /* below a minute */
    SL_EFFORT_HIGH,
    SL_EFFORT_COUNT
} sl_effort;

/* What an estimate is made from. */
typedef struct sl_run_figures {
    size_t size; /* of this struct, set by sl_run_figures_default */
    int64_t n_node, n_link;
    double duration;       /* [s]; 0: one moment */
    double hydraulic_step; /* [s]; below 1 counts as 1 */
    double quality_step;   /* [s]; the same */
    bool quality;          /* water quality is computed */
} sl_run_figures;

/* No nodes or links, duration 0, steps of an hour and of six minutes, no quality. */
SL_DEFAULT(sl_run_figures, sl_run_figures_default)
SL_API sl_status sl_run_figures_of(const sl_network *net, sl_run_figures *out);

/* Milliseconds on one core; what is negative or NaN counts as 0. NaN: the figures have no size. */
SL_API double sl_estimate_runtime_ms(const sl_run_figures *figures);
SL_API sl_effort sl_estimate_effort(double ms);
/* "low", "medium", "high". */
SL_API const char *sl_effort_word(sl_effort effort);

#ifdef __cplusplus
}
#endif
#endif
