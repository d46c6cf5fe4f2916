/* SPDX-License-Identifier: MIT */
/* curve.h: curves given by points, and the power law through three points of a pump curve.
 *
 * Theory: docs/theory/curves.md.
 */
#ifndef SL_NUMERIC_CURVE_H
#define SL_NUMERIC_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* Piecewise linear y(x) through points with strictly increasing x; beyond the ends the last piece goes on when
 * extend is set, else the end value holds. n >= 1. */
double sl_curve_value(const double *x, const double *y, int32_t n, double at, bool extend);

/* The first i for which x[i] <= x[i - 1], or n when x strictly increases. */
int32_t sl_curve_first_fall(const double *x, int32_t n);

/* h(q) = h0 - r q^n through (0, h0), (q1, h1), (q2, h2). false unless h0 > h1 > h2, 0 < q1 < q2 and the exponent is
 * in (0, 20]. */
bool sl_power_fit(double h0, double q1, double h1, double q2, double h2, double *r, double *n);

#endif
