/* SPDX-License-Identifier: MIT */
/* curve.c: curves given by points; see curve.h. */
#include "numeric/curve.h"

#include "numeric/lookup.h"

#include <math.h>

double sl_curve_value(const double *x, const double *y, int32_t n, double at, bool extend) {
    if (n == 1) {
        return y[0];
    }
    if (!extend && at <= x[0]) {
        return y[0];
    }
    if (!extend && at >= x[n - 1]) {
        return y[n - 1];
    }
    int32_t low = sl_points_find(n, x, at); /* the piece [low, low + 1] that holds at, or the end piece */
    low = low < 0 ? 0 : low > n - 2 ? n - 2 : low;
    double slope = (y[low + 1] - y[low]) / (x[low + 1] - x[low]);
    return y[low] + slope * (at - x[low]);
}

int32_t sl_curve_first_fall(const double *x, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        if (!(x[i] > x[i - 1])) {
            return i;
        }
    }
    return n;
}

bool sl_power_fit(double h0, double q1, double h1, double q2, double h2, double *r, double *n) {
    if (!(h0 > h1 && h1 > h2 && q1 > 0.0 && q2 > q1)) {
        return false;
    }
    double exponent = log((h0 - h2) / (h0 - h1)) / log(q2 / q1);
    if (!(exponent > 0.0 && exponent <= 20.0)) {
        return false;
    }
    *n = exponent;
    *r = (h0 - h1) / pow(q1, exponent);
    return isfinite(*r);
}
