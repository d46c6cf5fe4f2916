/* SPDX-License-Identifier: MIT */
/* bdf_values.c: values of the polynomial of the last step of bdf.c, of order order_used in the modified divided differences. */
#include "dae/bdf.h"

/* Coefficients of the differences in x and dx, by recursion over the columns. There are two such, which differ by rounding: this one for
 * the ends of steps and for roots, and that of interpolate. */
static void set_polynomial(const sl_bdf *b, double t, double c[BDF_COLUMNS], double e[BDF_COLUMNS]) {
    double ahead = t - b->t, ratio = ahead / b->psi[0];
    c[0] = 1.0;
    e[0] = 0.0;
    for (int32_t i = 1; i <= b->order_used; i++) {
        e[i] = e[i - 1] * ratio + c[i - 1] / b->psi[i - 1];
        c[i] = c[i - 1] * ratio;
        ratio = (ahead + b->psi[i - 1]) / b->psi[i];
    }
}

static void combine(const sl_dae *d, const double *c, const double *e, double *x, double *dx) {
    const sl_bdf *b = d->bdf;
    for (int32_t j = 0; j < d->n; j++) {
        double sum = b->phi[0][j], slope = e[1] * b->phi[1][j];
        for (int32_t i = 1; i <= b->order_used; i++) {
            sum = c[i] * b->phi[i][j] + sum;
        }
        for (int32_t i = 2; i <= b->order_used; i++) {
            slope = e[i] * b->phi[i][j] + slope;
        }
        x[j] = sum;
        dx[j] = slope;
    }
}

void sl_bdf_values(const sl_dae *d, double t, double *x, double *dx) {
    double c[BDF_COLUMNS], e[BDF_COLUMNS];
    set_polynomial(d->bdf, t, c, e);
    combine(d, c, e, x, dx);
}

sl_status sl_bdf_interpolate(const sl_dae *d, double t, double *x, double *dx) {
    const sl_bdf *b = d->bdf;
    double c[BDF_COLUMNS] = {1.0}, e[BDF_COLUMNS] = {0.0}, ahead = t - b->t, reach = 0.0;
    if (b->order_used == 0 || t < b->t - b->h_used - sl_bdf_rounding(b)) {
        return SL_ERR_USE;
    }
    for (int32_t i = 1; i <= b->order_used; i++) {
        c[i] = c[i - 1] * (ahead + reach) / b->psi[i - 1];
        e[i] = i > 1 ? (c[i - 1] + e[i - 1] * (ahead + reach)) / b->psi[i - 1] : 1.0 / b->psi[0];
        reach = b->psi[i - 1];
    }
    combine(d, c, e, x, dx);
    return SL_OK;
}
