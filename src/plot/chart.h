/* SPDX-License-Identifier: MIT */
/* chart.h: quantities over time on one page, whoever has them: panels of curves above each other, lanes of states below them, events.
 *
 *     chart.c          the page: panels, axes, names
 *     chart_lanes.c    states: a bar while something holds, with its word where there is room
 *     chart_events.c   when something happened
 *     chart_panels.c   which lines share a panel
 *     curve.c          lines and bands of any number of points
 *
 * Panels are for what one axis would flatten: other units, other magnitudes. All share the axis of time.
 */
#ifndef SL_PLOT_CHART_H
#define SL_PLOT_CHART_H

#include "plot/picture.h"

typedef struct sl_chart_line {
    const char *name;    /* NULL: it has none on the page */
    const double *t, *y; /* [n] in order of time; NaN: a gap */
    const double *low;   /* of a band, whose upper side is y; NULL: a line */
    int64_t n;
    uint32_t colour;
    double width;
    bool stepped; /* holds its value until the next point */
} sl_chart_line;

typedef struct sl_chart_panel {
    const char *label;          /* of the value axis, with its unit */
    const sl_chart_line *lines; /* the first on top */
    const sl_chart_line *bands; /* the first below */
    int32_t n_line, n_band;
    bool listed; /* names as a list; else beside the ends of the lines */
} sl_chart_panel;

/* A value that holds until the next point. */
typedef struct sl_chart_lane {
    const char *name;
    const double *t, *value;
    int64_t n;
    const char *const *words; /* by value; NULL: numbers */
    int32_t n_word;
    int32_t n_value; /* of numbers: so many there are */
} sl_chart_lane;

typedef struct sl_chart_event {
    double time;
    const char *text; /* "": none */
    bool shown;       /* of something that is on the page: its text comes first */
} sl_chart_event;

typedef struct sl_chart {
    const char *second; /* line under the title */
    double from, to;    /* [s], or steps */
    bool steps;         /* time counts them */
    const sl_chart_panel *panels;
    const sl_chart_lane *lanes;
    const sl_chart_event *events;
    int32_t n_panel, n_lane;
    int64_t n_event;
} sl_chart;

sl_status sl_chart_draw(sl_picture *p, const sl_chart *c);
/* Sorts lines, each with the label of its axis, into panels of c, whose window is there. */
sl_status sl_chart_panels_make(sl_arena *arena, const sl_chart_line *lines, const char *const *labels, int32_t n,
                               sl_chart *c);

/* ---- Between the files -------------------------------------------------------------------------- */

enum { SL_CHART_LANE = 24, SL_CHART_NAMES = 170 /* room for the longest name */ };

typedef struct sl_chart_page {
    sl_picture *p;
    const sl_chart *c;
    sl_frame time;  /* its x, width and time hold for all */
    double top;     /* of what is drawn */
    double lanes_y; /* of the first lane */
    double bottom;  /* of the last */
} sl_chart_page;

/* What a lane says of a value; "" where the lane shows only a line or a bar. Returns buf or a word. */
const char *sl_lane_text(const sl_chart *c, const sl_chart_lane *lane, double value, char buf[SL_LABEL_MAX]);
void sl_chart_lanes(const sl_chart_page *g);
/* Room above the lanes for the words that have none in a bar. */
double sl_chart_lanes_head(const sl_chart *c);

void sl_chart_event_lines(const sl_chart_page *g);
void sl_chart_event_texts(const sl_chart_page *g);
/* Is there a text to be put over the panels? */
bool sl_chart_has_texts(const sl_chart *c);

/* ---- Curves ------------------------------------------------------------------------------------- */

/* Points of one pixel are drawn as the first, the least, the most and the last of them, so that no peak is lost. */
void sl_curve_draw(sl_picture *p, const sl_frame *f, const sl_chart_line *line);
void sl_curve_fill(sl_picture *p, const sl_frame *f, const sl_chart_line *band);

#endif
