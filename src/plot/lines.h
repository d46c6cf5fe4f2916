/* SPDX-License-Identifier: MIT */
/* lines.h: curves over a common axis: values over time, heads along a route.
 *
 * Up to eight curves have colours of their own and are named at the right. A curve may be a line, a dashed line, or the
 * upper edge of a filled field (the ground).
 */
#ifndef SL_PLOT_LINES_H
#define SL_PLOT_LINES_H

#include <sluice/plot.h>

typedef enum sl_line_style { SL_LINE_PLAIN = 0, SL_LINE_DASHED, SL_LINE_GROUND } sl_line_style;

typedef struct sl_line {
    const char *name;
    const double *x, *y; /* NaN in y is a gap; the x of lines rise, those of profiles may stand still */
    int64_t n, stride;   /* stride of y; that of x is 1 */
    double factor;       /* y is shown divided by this */
    sl_line_style style;
    int32_t colour; /* of the eight; -1: grey */
} sl_line;

typedef struct sl_lines_def {
    const char *title, *second, *x_label, *y_label;
    const sl_line *lines;
    int32_t n;
    sl_plot_format format;
    int32_t width, height; /* 0: as fits */
    bool dark;
} sl_lines_def;

/* As sl_plot (sluice/plot.h): SL_ERR_IO, SL_ERR_UNSUPPORTED for what cannot be drawn. */
sl_status sl_plot_lines(sl_context *ctx, const sl_lines_def *def, sl_diags *diags, const sl_sink *sink);

#endif
