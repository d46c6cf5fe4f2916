/* SPDX-License-Identifier: MIT */
/* bdf.h: what the integrator of small systems holds: one block, with its vectors behind it. */
#ifndef SL_DAE_BDF_H
#define SL_DAE_BDF_H

#include "dae/impl.h"

enum { BDF_COLUMNS = 6 }; /* differences of an order up to 5 */

struct sl_bdf {
    size_t n_byte;
    /* The step. */
    double t;         /* end of the last step, which a root may end earlier */
    double h, h_used; /* of the next step, of the last one [s] */
    double limit;     /* [s] INFINITY: none, or reached */
    double h_inverse; /* of the longest step, or 0 */
    int32_t n_step;   /* since the start */
    int32_t order, order_used, order_next;
    int32_t n_same;   /* steps of the same length and order, up to order + 2 */
    bool has_settled; /* the start is over: order and length follow from errors */
    /* Coefficients of the formula, by column. */
    double psi[BDF_COLUMNS];   /* sums of the last steps [s] */
    double alpha[BDF_COLUMNS]; /* the step over these */
    double beta[BDF_COLUMNS];  /* ratios of their products, now and in the last step */
    double sigma[BDF_COLUMNS]; /* of the error */
    double gamma[BDF_COLUMNS]; /* of the predicted derivatives */
    /* Newton. */
    double lead, lead_before, lead_factored; /* dx'/dx: now, of the last step, of the matrix */
    double convergence;                      /* error after an iteration over its correction */
    /* Roots. */
    double begin, end; /* of the interval in which roots are looked for [s] */
    double returned;   /* [s] the time that was given last */
    double close;      /* [s] what counts as one time */
    bool is_at_root;   /* ... was that of a root */
    /* Vectors [n]. */
    double *phi[BDF_COLUMNS]; /* modified divided differences */
    double *correction, *delta, *x_predicted, *dx_predicted, *weight, *x, *dx;
    double *g_begin, *g_end, *g_try; /* [n_root] */
    uint8_t *is_seen;                /* [n_root] 0: it has been zero so far */
};

/* bdf_roots.c. Each returns 1: there is a root, at begin, with d->fired; 0: none; -1: a root function cannot be computed. */
bool sl_bdf_start_roots(sl_dae *d);
int sl_bdf_pass_root(sl_dae *d); /* on from a root that was given; -2: it stays at zero */
int sl_bdf_find_root(sl_dae *d); /* from begin to t */
/* Values of the polynomial of the last step. */
void sl_bdf_values(const sl_dae *d, double t, double *x, double *dx);

/* Ends of steps closer than this are one [s]. */
static inline double sl_bdf_rounding(const struct sl_bdf *b) {
    const double unit = 2.220446049250313e-16;
    return 100.0 * unit * ((b->t < 0.0 ? -b->t : b->t) + b->h);
}

#endif
