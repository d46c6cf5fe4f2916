/* SPDX-License-Identifier: MIT */
/* lookup.h: functions of one argument by points: tables of automata, schedules and characteristics of surge studies, curves of networks.
 *
 * Between points a table is linear, held, or a monotone cubic; beyond them constant, or it goes on as it ends. Curves of networks are
 * linear tables whose last part goes on from its first point, as in EPANET (curve.h): the same function, other roundings.
 * Theory: docs/theory/curves.md.
 */
#ifndef SL_NUMERIC_LOOKUP_H
#define SL_NUMERIC_LOOKUP_H

#include <stdint.h>

/* What a table is between its points. */
typedef enum sl_table_kind {
    SL_TABLE_LINEAR = 0,
    SL_TABLE_HOLD, /* the value of the point before */
    SL_TABLE_CUBIC /* monotone where the points are (Fritsch and Carlson 1980, slopes of Fritsch and Butland 1984) */
} sl_table_kind;

/* What a table is beyond its points. */
typedef enum sl_table_beyond {
    SL_TABLE_WARN = 0, /* constant; who evaluates it for a model warns */
    SL_TABLE_CONSTANT, /* constant */
    SL_TABLE_EXTEND    /* as it ends, with the slope of its first and last part */
} sl_table_beyond;

typedef struct sl_lookup_table {
    int32_t n;            /* points, at least one */
    const double *x, *y;  /* x rises */
    const double *slopes; /* [n] at the points; NULL: of other kinds than SL_TABLE_CUBIC */
    sl_table_kind kind;
    sl_table_beyond beyond;
} sl_lookup_table;

double sl_table_value(const sl_lookup_table *table, double x);
double sl_table_slope(const sl_lookup_table *table, double x);
double sl_table_curvature(const sl_lookup_table *table, double x);
/* Its value, slope or curvature. */
static inline double sl_table_derivative(const sl_lookup_table *table, int order, double x) {
    return order == 0 ? sl_table_value(table, x) : order == 1 ? sl_table_slope(table, x) : sl_table_curvature(table, x);
}
/* The last of n rising numbers that is not above x, or -1. */
int32_t sl_points_find(int32_t n, const double *points, double x);
/* The part behind point i (-1: before the first): its polynomial c[1] + c[2] u + c[3] u^2 + c[4] u^3 of u = x - c[0]. */
void sl_table_segment(const sl_lookup_table *table, int32_t i, double c[5]);
/* Slopes of a cubic table. */
void sl_table_find_slopes(int32_t n, const double *x, const double *y, double *slopes);

#endif
