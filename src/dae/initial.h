/* SPDX-License-Identifier: MIT */
/* initial.h: values at the start: of all variables and derivatives that satisfy the equations, their derivatives where the index asks for
 * them, initial equations and fixed values.
 *
 * Unknowns are the nodes of reduce.h: every variable with its derivatives as far as they occur. Between them hold the equations with
 * their derivatives; what these leave open is for initial equations, then for fixed values, then for start values in the order of the
 * variables. What nothing settles is an error that says which values may be given; what is settled twice has to agree. The square system
 * that results is solved block by block: docs/theory/dae.md#start.
 *
 * Whoever has equations as expressions fills a definition: automata do, and circuits.
 */
#ifndef SL_DAE_INITIAL_H
#define SL_DAE_INITIAL_H

#include <sluice/dae.h>

#include "expr/expr.h"

/* Of a variable. */
typedef struct sl_initial_value {
    double start;     /* the value given, or where the search begins */
    double nominal;   /* its size, about; 0: 1 */
    double low, high; /* it stays between these; -INFINITY, INFINITY: anywhere */
    sl_initial_kind kind;
} sl_initial_value;

/* What messages are about. */
typedef enum sl_initial_subject {
    SL_INITIAL_EQUATION = 0, /* one of equations */
    SL_INITIAL_CONDITION,    /* one of the initial equations */
    SL_INITIAL_VARIABLE      /* a variable of the graph */
} sl_initial_subject;

typedef struct sl_initial_def {
    sl_exprs *g;                    /* gets new nodes */
    int32_t n_equation;             /* in force at the start */
    const sl_expr *equations;       /* [n_equation] to be 0 */
    int32_t n_initial;              /* initial equations */
    const sl_expr *initial;         /* [n_initial] to be 0 */
    const sl_initial_value *values; /* [variables of the graph] */
    const double *p;                /* [parameters of the graph] */
    double t;                       /* [s] */
    /* For messages; location may be NULL, and may return NULL. */
    const char *(*name)(const void *user, sl_initial_subject subject, int32_t i);
    const sl_text_location *(*location)(const void *user, sl_initial_subject subject, int32_t i);
    const void *user;
} sl_initial_def;

/* x: [variables of the graph] values, of variables that no equation holds as they are given; dx: derivatives, NaN where none occurs; NULL:
 * not wanted. held: [variables of the graph] the value given holds. SL_ERR_INPUT: over- or underdetermined, values that contradict each
 * other; SL_ERR_SOLVE: no values were found. The diagnostics say what and why. The same bits whatever was computed before. */
sl_status sl_initial_solve(sl_context *ctx, const sl_initial_def *def, double *x, double *dx, uint8_t *held,
                           sl_initial *out, sl_diags *diags);

#endif
