/* SPDX-License-Identifier: MIT */
/* toy.h: small hybrid models in C for tests: explicit equations x' = f per mode, all variables in every mode. */
#ifndef SL_HYBRID_TOY_H
#define SL_HYBRID_TOY_H

#include "sl_test.h"

#include "hybrid/hybrid.h"

enum { TOY_X = 4, TOY_Q = 8, TOY_ROOT = 8 };

typedef struct toy {
    int32_t n_x, n_q, n_root;
    double x[TOY_X];
    int32_t q[TOY_Q];
    int32_t root_variables[TOY_ROOT];
    int32_t (*mode)(const int32_t *q); /* NULL: 0 */
    bool superset;                     /* all modes have one pattern: the integrator stays */
    void (*f)(int32_t mode, double t, const double *x, double *f);
    void (*roots)(int32_t mode, double t, const double *x, double *g);
    void (*active)(int32_t mode, const int32_t *q, uint8_t *active);
    /* true: changed */
    bool (*discrete)(double t, int32_t i, int32_t *q);
    bool (*act)(const int32_t *q, double *x);
    double (*limit)(double t);
    /* With a prediction modes are those of the state predicted, and actions know it: NULL is passed where there is none. */
    bool (*wants_prediction)(const int32_t *q);
    bool (*act_predicted)(const int32_t *q, const int32_t *q_predicted, double *x);
    bool (*decide)(int32_t i, const int32_t *q);
} toy;

extern const sl_hybrid_ops toy_ops;

/* An execution with tight tolerances. */
typedef struct execution {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_hybrid *h;
} execution;

sl_hybrid_def toy_def(void);
void execution_begin(execution *e, const toy *m, const sl_hybrid_def *def);
void execution_end(execution *e);
/* To the next crossing; its time. */
double next_crossing(execution *e);
/* Saved at every so many pieces and restored into an execution with another past: the same bits. Copies too. */
void check_restore(const toy *m, const sl_hybrid_def *def, int n_piece, int every);

extern const toy toy_flower, toy_ball, toy_thermostat, toy_tanks, toy_chain;

enum { CHAIN_LENGTH = 100 };

#endif
