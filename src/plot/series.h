/* SPDX-License-Identifier: MIT */
/* series.h: a chart over time in the making: what a result gives for it.
 *
 *     series.c         what is asked for, lines and lanes
 *     series_many.c    what many elements have in common
 *     series_events.c  events in words
 */
#ifndef SL_PLOT_SERIES_H
#define SL_PLOT_SERIES_H

#include "plot/chart.h"
#include "results/format.h"

/* One quantity of some elements. */
typedef struct sl_series_quantity {
    int32_t quantity; /* of the result */
    const sl_results_group *group;
    const sl_results_column *column;
    const int32_t *element; /* [n] of the group */
    int32_t n;
    int32_t n_all;  /* they are a choice out of so many; 0: no choice */
    bool lanes;     /* states */
    bool junctions; /* no reservoir or tank is among them */
} sl_series_quantity;

typedef struct sl_series {
    sl_series_quantity *parts;
    int32_t n_part, n_line;
    sl_chart_line *lines;
    const char **labels; /* of the lines */
    sl_chart_lane *lanes;
    sl_chart chart;
} sl_series;

/* Element i over time into what a line has of it; its name, colour and width are the caller's. */
sl_status sl_series_line(sl_picture *p, const sl_series_quantity *part, int32_t i, sl_chart_line *line);
sl_status sl_series_many(sl_picture *p, const sl_series *s, const sl_series_quantity *part, sl_chart_panel *panel);
sl_status sl_series_events(sl_picture *p, sl_series *s);

#endif
