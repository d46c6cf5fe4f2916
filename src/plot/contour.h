/* SPDX-License-Identifier: MIT */
/* contour.h: where a condition over a plane holds, and the curves between: from crossings on a grid (engine/trace.h). */
#ifndef SL_PLOT_CONTOUR_H
#define SL_PLOT_CONTOUR_H

#include "engine/trace.h"
#include "plot/draw.h"

/* The box on the page that the grid of n by n cells fills; the second axis goes up. */
typedef struct sl_contour_box {
    double x, y, width, height;
    int32_t n;
} sl_contour_box;

/* Pieces of the path that is open: the curves, each as one line as far as it goes (dashes need that). SL_ERR_MEMORY. */
sl_status sl_contour_curves(sl_draw *draw, const sl_trace_level *level, const sl_contour_box *box, sl_arena *arena);
/* ... the area where the condition holds. */
void sl_contour_area(sl_draw *draw, const sl_trace_level *level, const sl_contour_box *box);

#endif
