/* SPDX-License-Identifier: MIT */
/* sluice/estimate.h: how long a run will take, from static figures of the model.
 *
 * An advice for people and schedulers: it changes no result and does not depend on earlier runs. The same figures give
 * the same number on every machine. It never falls when a network grows or is meshed more densely, a run gets longer, a
 * step gets shorter, or quality is added.
 *
 * sl_run_figures_of takes all figures from a network. Counts suffice as well: a caller who knows numbers of nodes, links and
 * tanks, duration and steps sets these over the default, and the mesh counts as that of streets. Who knows the number of
 * junctions sets loops to n_link - n_junction.
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
    int64_t n_tank;        /* of the nodes: tanks, whose limits add steps */
    /* Density of the mesh. Negative: not known. */
    int64_t
        loops; /* independent loops, paths between given heads included: links less junctions; not known: a share of links */
    double factor; /* multiplications to factor the matrix of the heads of junctions once; not known: as of streets with
                      so many loops */
    bool pressure_driven; /* demands depend on pressures */
} sl_run_figures;

/* No nodes or links, duration 0, steps of an hour and of six minutes, no quality, density of the mesh not known. */
SL_DEFAULT(sl_run_figures, sl_run_figures_default)
/* Finds the factor by ordering the unknowns as a run does. SL_ERR_MEMORY: out is unchanged. */
SL_API sl_status sl_run_figures_of(const sl_network *net, sl_run_figures *out);

/* Milliseconds on one core; what is negative or NaN counts as 0, but loops and factor. NaN: the figures have no size. */
SL_API double sl_estimate_runtime_ms(const sl_run_figures *figures);
SL_API sl_effort sl_estimate_effort(double ms);
/* "low", "medium", "high". */
SL_API const char *sl_effort_word(sl_effort effort);

#ifdef __cplusplus
}
#endif
#endif
