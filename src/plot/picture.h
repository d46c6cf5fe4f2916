/* SPDX-License-Identifier: MIT */
/* picture.h: what every kind of chart is given, and what they share.
 *
 * A kind is one file with one function and one row in plot.c. It finds out what it has to show and how much room that
 * takes, opens the page (sl_picture_open), and draws; the caller ends the page.
 */
#ifndef SL_PLOT_PICTURE_H
#define SL_PLOT_PICTURE_H

#include "base/memory.h"
#include "plot/draw.h"
#include "plot/scale.h"
#include "plot/theme.h"
#include "results/display_units.h"

typedef struct sl_plot_quantity {
    const char *word, *label;
    int32_t node, link; /* sl_out_variable; -1: nodes or links have none */
    int32_t unit;       /* which name of unit: see quantity.c */
    bool stepped;       /* keeps its value from one report to the next */
    bool has_direction; /* a map shows its size */
    bool of_junctions;  /* means something else at reservoirs and tanks: ALL leaves them out */
} sl_plot_quantity;

enum { SL_UNIT_MAX = 48, SL_TITLE_MAX = 200 };

typedef struct sl_picture {
    sl_context *ctx;
    const sl_network *net; /* may be NULL */
    sl_outfile *file;      /* may be NULL */
    const sl_outfile_info *info;
    const sl_plot_def *def;
    sl_diags *diags;
    const sl_sink *sink;
    const sl_theme *theme;
    sl_arena arena;
    const sl_plot_quantity *what;
    char label[SL_UNIT_MAX + 40]; /* "Pressure [m]" */
    char unit[SL_UNIT_MAX];
    char title[SL_TITLE_MAX];
    sl_draw *draw; /* NULL until opened */
    double width, height;
    bool one_line; /* its title is shortened where it does not fit; else it may go on in a second line */
    double extra;  /* what a second line of the title takes, beyond SL_PAGE_HEAD */
} sl_picture;

/* ---- What is shown ------------------------------------------------------------------------------ */

/* Finds the quantity by word (NULL: default_word), with label and unit. SL_ERR_INPUT: told. */
sl_status sl_picture_ask(sl_picture *p, const char *default_word, bool nodes, bool links);
/* The units of the result or, without one, of the network. */
sl_display_units sl_picture_units(const sl_picture *p);

/* The charts. */
sl_status sl_plot_series(sl_picture *p);
sl_status sl_plot_map(sl_picture *p);

/* ---- Over time ---------------------------------------------------------------------------------- */

/* Elements and periods of a chart over time. */
typedef struct sl_selection {
    sl_out_variable variable;
    bool links;
    bool junctions; /* no reservoir or tank is among them */
    const int32_t *element;
    int32_t n;
    int32_t first, n_period;
    float *all; /* room for one period of all elements */
} sl_selection;

/* What the request names, and the periods it asks for. */
sl_status sl_selection_find(sl_picture *p, sl_selection *c);
const char *sl_selection_id(const sl_picture *p, const sl_selection *c, int32_t i);
/* "Pressure [m] of 3 nodes". */
void sl_selection_title(const sl_picture *p, const sl_selection *c, char line[SL_TITLE_MAX]);
/* Values of n elements (indices into the chosen), each over all periods: x[i * n_period + period]. */
sl_status sl_selection_read(sl_picture *p, const sl_selection *c, const int32_t *which, int32_t n, float *x);

/* What many have in common. */
typedef struct sl_spread {
    double *level[5];        /* least, 10 %, median, 90 %, most, by period; NaN: no value */
    int32_t highest, lowest; /* indices into the chosen; -1: no value */
    double min, max;
} sl_spread;
sl_status sl_spread_read(sl_picture *p, const sl_selection *c, sl_spread *spread);

/* The form that series of statuses have. */
sl_status sl_series_lanes(sl_picture *p, const sl_selection *c);

/* ---- The page ----------------------------------------------------------------------------------- */

/* Begins the page, of this size unless another was asked for, and puts title and second line on it. */
sl_status sl_picture_open(sl_picture *p, double width, double height, const char *second_line);
sl_font sl_picture_font(const sl_picture *p);
enum { SL_PAGE_MARGIN = 20, SL_PAGE_HEAD = 62 }; /* HEAD: what title and second line take */

/* Axes: a frame on the page with time to the right and values upwards. */
typedef struct sl_frame {
    double x, y, width, height;
    sl_time_axis time;
    sl_axis value;
} sl_frame;

double sl_frame_x(const sl_frame *f, double time);
double sl_frame_y(const sl_frame *f, double value);
/* What the value axis shows, with its unit, over its upper end. */
void sl_picture_axis_label(sl_picture *p, const sl_frame *f, const char *label);
/* Room for the labels left of the frame. */
double sl_frame_labels(const sl_frame *f);
void sl_frame_values(sl_picture *p, const sl_frame *f);
void sl_frame_time(sl_picture *p, const sl_frame *f);
/* How many periods are taken together: 1 unless there are more than pixels. */
int32_t sl_frame_bunch(const sl_frame *f, const sl_selection *c);
/* A curve over the periods; NaN is a gap. */
void sl_frame_curve(sl_picture *p, const sl_frame *f, const sl_selection *c, const float *x, bool stepped,
                    const char *tip);
void sl_frame_band(sl_picture *p, const sl_frame *f, const sl_selection *c, const double *low, const double *high);

#endif
