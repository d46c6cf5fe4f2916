/* SPDX-License-Identifier: MIT */
/* facets.h: the names of facets, and the structures of those that no public header has. */
#ifndef SL_ENGINE_FACETS_H
#define SL_ENGINE_FACETS_H

#include <stddef.h>

#define SL_FACET_SURGE_GRID "surge.grid"     /* sl_surge_grid, of the model */
#define SL_FACET_SURGE_VIEW "surge.view"     /* sl_surge_view, at the time shown */
#define SL_FACET_HYDRAULICS "eps.hydraulics" /* sl_facet_hydraulics, at a boundary */

#define SL_FACET_DISCRETE_RUN "discrete.run" /* sl_facet_discrete_run, at the engine's time */

/* How an execution that makes steps stands: its state, cycle and choices (automata/sda.h). Borrowed until the session moves. */
typedef struct sl_facet_discrete_run {
    size_t size;
    const struct sl_sda_run *run;
} sl_facet_discrete_run;

/* A request: keep the flows of every step from now on; NULL: no longer. */
typedef struct sl_facet_hydraulics {
    size_t size;
    struct sl_hydraulics *hydraulics;
} sl_facet_hydraulics;

#endif
