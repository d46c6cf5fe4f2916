/* SPDX-License-Identifier: MIT */
/* scale.h: axes people can read: round steps, labels, the span of values, units of time, classes of colour.
 *
 * Steps are 1, 2 or 5 times a power of ten; of time they are those of clocks and calendars. Classes follow the middle 96 %
 * of the values (2 % to 98 %), so that one odd element does not take the colours from all others; the ends are open where
 * values go beyond. Values of very different size (flows: a few mains, many ends) get limits 1, 2, 5, 10, 20, ...
 */
#ifndef SL_PLOT_SCALE_H
#define SL_PLOT_SCALE_H

#include <sluice/base.h>

enum { SL_LABEL_MAX = 40 };

typedef struct sl_axis {
    double low, high;   /* of the axis */
    double first, step; /* ticks at first + i * step, i < n */
    int32_t n;
} sl_axis;

/* The smallest round number not below x > 0. */
double sl_round_up(double x);
/* An axis that holds [low, high] with at most max_tick ticks, from tick to tick; zero is taken in when it is not far.
 * Values that differ by no more than rounding get room around them. */
sl_axis sl_axis_around(double low, double high, int32_t max_tick);
/* The same of low < high, whose zero means nothing. */
sl_axis sl_axis_tight(double low, double high, int32_t max_tick);
/* An axis of exactly [low, high]. */
sl_axis sl_axis_exact(double low, double high, int32_t max_tick);
/* The value with the digits that its step asks for. Returns buf. */
const char *sl_axis_label(double x, double step, char buf[SL_LABEL_MAX]);
/* A value alone, four digits. Returns buf. */
const char *sl_value_label(double x, char buf[SL_LABEL_MAX]);

/* Time [s]. The labels are in seconds, minutes, hours or days, as fits; within hours as on a clock. */
typedef struct sl_time_axis {
    sl_axis axis;
    double unit;      /* [s] 1, 60, 3600 or 86400; 0: as on a clock */
    const char *name; /* "h"; NULL: discrete time, which has no unit */
} sl_time_axis;

sl_time_axis sl_time_axis_of(double from, double to, int32_t max_tick);
const char *sl_time_label(const sl_time_axis *t, double time, char buf[SL_LABEL_MAX]);

/* ---- Classes ------------------------------------------------------------------------------------ */

enum { SL_CLASS_MAX = 12 };

typedef struct sl_classes {
    int32_t n;                      /* 0: there is no value; 1 with equal limits: all values are one */
    double limit[SL_CLASS_MAX + 1]; /* rising */
    bool below, above;              /* there are values beyond the limits; they belong to the first and last class */
    double min, max;                /* of the values */
} sl_classes;

/* Of n values, which are put in order; not-a-number does not count. low and high (NaN: by the values) set the ends. */
sl_classes sl_classes_of(double *x, int64_t n, double low, double high);
/* The class of a value, -1 for NaN. */
int32_t sl_class_of(const sl_classes *classes, double x);
/* From the least to the most; there is no NaN. */
void sl_sort(double *x, int64_t n);
/* The value below which a part of n > 0 ordered values lies, between neighbours in proportion. */
double sl_quantile(const double *ordered, int64_t n, double part);

#endif
