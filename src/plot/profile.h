/* SPDX-License-Identifier: MIT */
/* profile.h: heads along a line: ground, head at a moment, the range over the run, limits, cavities, names.
 *
 *     profile.c         the page, whoever has the heads
 *     profile_names.c   names of nodes in the ground, pumps and valves over the heads
 */
#ifndef SL_PLOT_PROFILE_H
#define SL_PLOT_PROFILE_H

#include "plot/map.h"
#include "plot/picture.h"

typedef enum sl_profile_mark_kind {
    SL_PROFILE_NODE = 0, /* a name in the ground */
    SL_PROFILE_SOURCE,   /* that of a reservoir or tank */
    SL_PROFILE_PUMP,
    SL_PROFILE_VALVE
} sl_profile_mark_kind;

typedef struct sl_profile_mark {
    double x;
    const char *name;
    sl_profile_mark_kind kind;
    bool off;    /* a pump that stands still, a closed valve */
    double y[2]; /* heads on both sides; NaN: unknown */
} sl_profile_mark;

/* A head that is not to be passed from x1 to x2. */
typedef struct sl_profile_limit {
    double x1, x2, y;
    bool broken;
} sl_profile_limit;

/* Arrays have n values, NULL: there is none; NaN: unknown there. Values in the units that the labels name. */
typedef struct sl_profile {
    const char *second;            /* line under the title */
    const char *x_label, *y_label; /* with units */
    int64_t n;
    const double *x; /* rising */
    const double *ground, *head, *start, *low, *high, *vapour;
    const double *cavity;  /* volumes: 0 where there was none */
    const char *head_name; /* "head at 7:00" */
    const sl_profile_mark *marks;
    const sl_profile_limit *limits;
    int32_t n_mark, n_limit;
} sl_profile;

sl_status sl_profile_draw(sl_picture *p, const sl_profile *f);

/* ---- Between the files -------------------------------------------------------------------------- */

typedef struct sl_profile_page {
    sl_picture *p;
    const sl_profile *of;
    sl_frame f;   /* its time axis is the distance */
    double names; /* height of the rows for names at the bottom, within the frame */
} sl_profile_page;

enum { SL_PROFILE_ROW = 15, SL_PROFILE_ROWS = 2 };
void sl_profile_names(const sl_profile_page *g);
/* Is there a pump or valve, whose name stands over the frame? */
bool sl_profile_has_machines(const sl_profile *f);

#endif
