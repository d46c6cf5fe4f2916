/* SPDX-License-Identifier: MIT */
/* diagram_layout.h: where the nodes of a graph stand: in columns, each node one column after the first that leads to it. Parts of
 * the graph that are not joined are arranged each for itself.
 */
#ifndef SL_PLOT_DIAGRAM_LAYOUT_H
#define SL_PLOT_DIAGRAM_LAYOUT_H

#include "engine/trace.h"

typedef struct sl_layout {
    int32_t n_component;
    int32_t *component; /* [n_node] which part of the graph */
    int32_t *layer;     /* [n_node] from 0 in each part */
    int32_t *order;     /* [n_node] the place within its layer, from 0 */
} sl_layout;

/* SL_ERR_MEMORY. */
sl_status sl_layout_make(const sl_trace_diagram *d, sl_arena *arena, sl_layout *out);

#endif
