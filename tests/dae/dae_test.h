/* SPDX-License-Identifier: MIT */
/* dae_test.h: small systems for tests: a table of kinds as a picture, residuals as a function, Jacobians by differences. */
#ifndef SL_DAE_TEST_H
#define SL_DAE_TEST_H

#include "sl_test.h"

#include "dae/dae.h"

enum { MAX_N = 12, MAX_ENTRY = MAX_N * MAX_N };

/* One character per entry, a row per equation: '.' nothing, 'x' x occurs, 'd' x' occurs, 'b' both; upper case: nonlinearly;
 * 't' x with a factor of time. */
typedef struct problem {
    int32_t n, n_equation;
    int32_t start[MAX_N + 1], row[MAX_ENTRY];
    uint8_t kind[MAX_ENTRY];
    int (*residual)(double t, const double *x, const double *dx, double *r);
    int (*roots)(double t, const double *x, const double *dx, double *g);
    const char *const *equations, *const *variables; /* names, or NULL */
    sl_dae_system system;
    int64_t n_call;
} problem;

void problem_init(problem *p, int32_t n_equation, int32_t n, const char *const *picture);

/* Steps until t is reached and shows it. */
void run_to(sl_dae *d, double t, double *x, double *dx);

#endif
