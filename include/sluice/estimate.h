/* SPDX-License-Identifier: MIT */
/* sluice/estimate.h: estimate of the duration of a run, from figures of the model.
 *
 * The estimate is for people and schedulers. It changes no result and does not depend on earlier runs. The same figures give
 * the same number on every machine. The estimate never falls when a network grows or has a denser mesh, a run gets longer, a
 * step gets shorter, or quality is added.
 *
 * sl_run_figures_of takes all figures from a network. Without a network, start with the default and set the numbers of nodes, links
 * and tanks, the duration and the steps; the mesh is then that of a street grid. If the number of junctions is known, set loops
 * to n_link - n_junction.
 */
#ifndef SLUICE_ESTIMATE_H
#define SLUICE_ESTIMATE_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_effort {
    SL_EFFORT_LOW = 0, /* below a second: interactive */
    SL_EFFORT_MEDIUM,  /* below a minute */
    SL_EFFORT_HIGH,
    SL_EFFORT_COUNT
} sl_effort;

/* Figures of an estimate. */
typedef struct sl_run_figures {
    size_t size; /* of this struct, set by sl_run_figures_default */
    int64_t n_node, n_link;
    double duration;       /* [s]; 0: one steady state */
    double hydraulic_step; /* [s]; below 1 counts as 1 */
    double quality_step;   /* [s]; the same */
    bool quality;          /* water quality is computed */
    int64_t n_tank;        /* number of tanks among the nodes; their limits add steps */
    /* Density of the mesh. Negative: not known. */
    int64_t
        loops; /* independent loops and paths between given heads: links less junctions; not known: a fraction of the links */
    double
        factor; /* multiplications of one factorisation of the matrix for the heads of junctions; not known: that of a
                      street grid with this number of loops */
    bool pressure_driven; /* demands depend on pressures */
} sl_run_figures;

/* No nodes or links, duration 0, steps of an hour and of six minutes, no quality, density of the mesh not known. */
SL_DEFAULT(sl_run_figures, sl_run_figures_default)
/* Takes all figures from a network; orders the unknowns as a run does to find the factor. SL_ERR_MEMORY: out is unchanged. */
SL_API sl_status sl_run_figures_of(const sl_network *net, sl_run_figures *out);

/* Milliseconds on one core. Negative and NaN figures count as 0, except loops and factor. NaN: the figures have no size. */
SL_API double sl_estimate_runtime_ms(const sl_run_figures *figures);
SL_API sl_effort sl_estimate_effort(double ms);
/* "low", "medium", "high". */
SL_API const char *sl_effort_word(sl_effort effort);

#ifdef __cplusplus
}
#endif
#endif
