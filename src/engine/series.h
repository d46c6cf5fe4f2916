/* series.h: a value that changes with time, given by points: held from each point on, or linear between them.
 *
 * Before the first point the first value holds, after the last the last. With a period the series repeats.
 */
#ifndef SL_ENGINE_SERIES_H
#define SL_ENGINE_SERIES_H

#include <sluice/base.h>

typedef enum sl_series_mode { SL_SERIES_HOLD = 0, SL_SERIES_LINEAR } sl_series_mode;

/* Borrows its points: t strictly increasing [s], n >= 1. */
typedef struct sl_series {
    const double *t, *x;
    int32_t n;
    sl_series_mode mode;
    double period; /* [s]; 0: does not repeat. Points lie in [0, period). */
} sl_series;

/* Are the points in order, finite, and within the period? */
bool sl_series_valid(const sl_series *s);
double sl_series_value(const sl_series *s, double t);
/* The first point after t, where a held value jumps or a slope changes; INFINITY when there is none. */
double sl_series_next(const sl_series *s, double t);

#endif
