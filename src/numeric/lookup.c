/* SPDX-License-Identifier: MIT */
/* lookup.c: see lookup.h. */
#include "numeric/lookup.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

int32_t sl_points_find(int32_t n, const double *points, double x) {
    int32_t low = -1, high = n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (points[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Fritsch and Butland 1984: the harmonic mean of the slopes on both sides, weighted by the lengths; 0 where they differ in
 * sign. At the ends the parabola through three points, cut to what keeps the piece monotone. */
static double end_slope(double h0, double h1, double s0, double s1) {
    double d = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (d * s0 <= 0.0) {
        return 0.0;
    }
    return s0 * s1 <= 0.0 && fabs(d) > 3.0 * fabs(s0) ? 3.0 * s0 : d;
}

static double chord(const double *x, const double *y, int32_t i) {
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

void sl_table_find_slopes(int32_t n, const double *x, const double *y, double *slopes) {
    for (int32_t i = 0; i < n; i++) {
        slopes[i] = n == 2 ? chord(x, y, 0) : 0.0;
    }
    for (int32_t i = 1; i + 1 < n; i++) {
        double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i], s0 = chord(x, y, i - 1), s1 = chord(x, y, i);
        double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
        slopes[i] = s0 * s1 > 0.0 ? (w0 + w1) / (w0 / s0 + w1 / s1) : 0.0;
    }
    if (n > 2) {
        slopes[0] = end_slope(x[1] - x[0], x[2] - x[1], chord(x, y, 0), chord(x, y, 1));
        slopes[n - 1] = end_slope(x[n - 1] - x[n - 2], x[n - 2] - x[n - 3], chord(x, y, n - 2), chord(x, y, n - 3));
    }
}

void sl_table_segment(const sl_lookup_table *table, int32_t i, double c[5]) {
    int32_t last = table->n - 1, k = i < 0 ? 0 : i;
    bool between = i >= 0 && i < last;
    memset(c, 0, 5 * sizeof *c);
    c[0] = table->x[k];
    c[1] = table->y[k];
    if (table->kind == SL_TABLE_HOLD || (!between && (table->beyond != SL_TABLE_EXTEND || last == 0))) {
        return;
    }
    if (table->kind == SL_TABLE_LINEAR) {
        c[2] = chord(table->x, table->y, k < last ? k : last - 1);
        return;
    }
    c[2] = table->slopes[k];
    if (between) {
        double h = table->x[k + 1] - table->x[k], s = chord(table->x, table->y, k), d = table->slopes[k + 1];
        c[3] = (3.0 * s - 2.0 * c[2] - d) / h;
        c[4] = (c[2] + d - 2.0 * s) / (h * h);
    }
}

double sl_table_value(const sl_lookup_table *table, double x) {
    double c[5];
    sl_table_segment(table, sl_points_find(table->n, table->x, x), c);
    double u = x - c[0], most = c[2] + u * (c[3] + u * c[4]);
    return most == 0.0 ? c[1] : c[1] + u * most; /* constant also at infinity */
}
double sl_table_slope(const sl_lookup_table *table, double x) {
    double c[5];
    sl_table_segment(table, sl_points_find(table->n, table->x, x), c);
    double u = x - c[0];
    return table->kind == SL_TABLE_CUBIC ? c[2] + u * (2.0 * c[3] + u * 3.0 * c[4]) : c[2];
}

double sl_table_curvature(const sl_lookup_table *table, double x) {
    double c[5];
    sl_table_segment(table, sl_points_find(table->n, table->x, x), c);
    return table->kind == SL_TABLE_CUBIC ? 2.0 * c[3] + (x - c[0]) * 6.0 * c[4] : 0.0;
}
