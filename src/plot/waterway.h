/* SPDX-License-Identifier: MIT */
/* waterway.h: a long profile of tunnels at a moment: their axes over the chainage, the water in them, heads along bodies of water, levels
 * outside, gates that are shut. Tunnels have the width of a line: elevations are to scale, diameters are not.
 */
#ifndef SL_PLOT_WATERWAY_H
#define SL_PLOT_WATERWAY_H

#include "plot/picture.h"

/* A straight stretch, from left to right. */
typedef struct sl_waterway_piece {
    const char *name;
    double x[2], z[2]; /* of its ends [m] */
    double wet[2];  /* part of its length that water fills, from the left and from the right end; 1 and 0: all of it */
    double head[2]; /* at the ends of the water there; NaN: there is none [m] */
    double flow[2]; /* to the right [m3/s] */
    bool shut[2];   /* by a gate */
} sl_waterway_piece;

/* Where stretches meet. */
typedef struct sl_waterway_place {
    const char *name;
    double x, z;
    double level; /* outside [m]; NaN: there is none */
} sl_waterway_place;

typedef struct sl_waterway {
    const char *second; /* line under the title */
    const sl_waterway_piece *pieces;
    const sl_waterway_place *places; /* from left to right */
    int32_t n_piece, n_place;
} sl_waterway;

sl_status sl_waterway_draw(sl_picture *p, const sl_waterway *w);

#endif
