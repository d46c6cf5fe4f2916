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

enum { SL_UNIT_MAX = 48, SL_TITLE_MAX = 200 };

typedef struct sl_picture {
    sl_context *ctx;
    const sl_network *net; /* may be NULL */
    sl_results *results;   /* may be NULL; then the three that follow are 0 */
    const sl_results_layout *layout;
    const double *times;
    int64_t n_time; /* frames, of several executions those of the first */
    const sl_plot_def *def;
    sl_diags *diags;
    const sl_sink *sink;
    const sl_theme *theme;
    sl_arena arena;
    char title[SL_TITLE_MAX];
    sl_draw *draw; /* NULL until opened */
    double width, height;
    bool one_line; /* its title is shortened where it does not fit; else it may go on in a second line */
    double extra;  /* what a second line of the title takes, beyond SL_PAGE_HEAD */
} sl_picture;

/* ---- What is shown ------------------------------------------------------------------------------ */

enum { SL_AXIS_MAX = SL_UNIT_MAX + 80 };
/* "Head loss [m/km]" of a quantity or fact. Returns buf. */
const char *sl_quantity_label(const sl_results_column *q, char buf[SL_AXIS_MAX]);
/* "m³" of "m3". Returns buf. */
const char *sl_unit_text(const char *unit, char buf[SL_UNIT_MAX]);
/* Does it mean something else at reservoirs and tanks: their pressure is a level, their demand what flows in? */
bool sl_quantity_is_of_junctions(const char *name);
/* Does it keep its value from one frame to the next? */
bool sl_quantity_is_stepped(const char *name);

/* NULL: there is none. */
const sl_results_group *sl_picture_group(const sl_picture *p, const char *name);
const sl_results_column *sl_group_fact(const sl_results_group *g, const char *name);
const sl_results_column *sl_group_quantity(const sl_results_group *g, const char *name);
const sl_results_table *sl_picture_table(const sl_picture *p, const char *name);
const sl_results_column *sl_table_column(const sl_results_table *t, const char *name);
/* The element with this id; -1: none. */
int32_t sl_group_find(const sl_results_group *g, sl_str id);
/* A text about the whole result; NULL: none. */
const char *sl_picture_attribute(const sl_picture *p, const char *name);
/* The frame that holds at a time, NaN: the first; -1: none, which is reported. */
int64_t sl_picture_frame(sl_picture *p, double time);
/* All values of a quantity at a frame, which may be one of many: SL_ERR_CANCELLED. */
sl_status sl_picture_read(sl_picture *p, int64_t frame, int32_t quantity, double *x);
/* Of n elements of a group (NULL: the first; -1: one that is not there) a quantity at a frame, its least and its most. */
sl_status sl_picture_range(sl_picture *p, const sl_results_group *g, int32_t quantity, const int32_t *element,
                           int32_t n, int64_t frame, double *y[3]);
/* Is a link closed by this code of its status? */
bool sl_status_is_closed(const sl_results_column *status, double code);
/* "6:00", "2.43 s" or "t = 3". Returns buf. */
const char *sl_picture_time_text(const sl_picture *p, double time, char buf[SL_LABEL_MAX]);

/* The charts. */
sl_status sl_plot_series(sl_picture *p);
sl_status sl_plot_map(sl_picture *p);
sl_status sl_plot_profile(sl_picture *p);

/* ---- The page ----------------------------------------------------------------------------------- */

/* Begins the page, of this size unless another was asked for, and puts title and second line on it. */
sl_status sl_picture_open(sl_picture *p, double width, double height, const char *second_line);
/* Ends it, and returns how it went: status, or what the page says. */
sl_status sl_picture_close(sl_picture *p, sl_status status);
/* Can a page have this format, size and range of values? */
bool sl_page_fits(const sl_plot_def *def);
sl_font sl_picture_font(const sl_picture *p);
/* That of lesser text. */
sl_font sl_picture_soft_font(const sl_picture *p, sl_anchor anchor);
enum { SL_PAGE_MARGIN = 20, SL_PAGE_HEAD = 62 }; /* HEAD: what title and second line take */

/* Axes: a frame on the page with time to the right and values upwards. */
typedef struct sl_frame {
    double x, y, width, height;
    sl_time_axis time;
    sl_axis value;
} sl_frame;

double sl_frame_x(const sl_frame *f, double time);
double sl_frame_y(const sl_frame *f, double value);
/* What the value axis shows, with its unit, over its upper end, so far above it. */
enum { SL_AXIS_LIFT = 11 };
void sl_picture_axis_label(sl_picture *p, const sl_frame *f, double lift, const char *label);
/* Room for the labels left of the frame. */
double sl_frame_labels(const sl_frame *f);
void sl_frame_values(sl_picture *p, const sl_frame *f);
/* The axis below, and what it shows. */
void sl_frame_time(sl_picture *p, const sl_frame *f, const char *label);

#endif
