/* SPDX-License-Identifier: MIT */
/* flow_layout.h: where the valves of a flow network stand, and along which lines its pipes run: everything flows from above to below.
 *
 * Valves stand in layers, each below all valves above it; every pipe has a point of its own between two layers (its middle), so that
 * pipes between the same two valves run apart, and one more in each layer that it passes. Pixels, from the upper left corner.
 */
#ifndef SL_PLOT_FLOW_LAYOUT_H
#define SL_PLOT_FLOW_LAYOUT_H

#include "base/memory.h"

typedef struct sl_flow_edge {
    int32_t from, to; /* the graph has no circle */
} sl_flow_edge;

/* Room that texts and symbols beside a point need to its left and to its right. */
typedef struct sl_flow_margin {
    double left, right;
} sl_flow_margin;

typedef struct sl_flow_layout {
    double (*at)[2]; /* [n_node] */
    int32_t *first;  /* [n_edge + 1] points of edge e: points[first[e]] to points[first[e + 1]], from valve to valve */
    double (*points)[2]; /* an odd number for each edge: the middle one is the middle of the pipe */
    double width, height;
} sl_flow_layout;

/* step: between a layer of valves and the middles below it, at least. SL_ERR_MEMORY. */
sl_status sl_flow_layout_make(int32_t n_node, const sl_flow_margin *nodes, int32_t n_edge, const sl_flow_edge *edges,
                              const sl_flow_margin *middles, double step, sl_arena *arena, sl_flow_layout *out);

#endif
