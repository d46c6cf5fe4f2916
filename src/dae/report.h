/* SPDX-License-Identifier: MIT */
/* report.h: what became of equations and variables when a system was reduced (reduce.h). */
#ifndef SL_DAE_REPORT_H
#define SL_DAE_REPORT_H

#include <sluice/dae.h>

typedef struct sl_dae_report {
    int32_t n_equation;          /* and variables, as written */
    int32_t n_differentiated;    /* equations that had to be differentiated */
    int32_t index;               /* structural, before */
    int32_t n_free;              /* initial values that may be given */
    int32_t n_block, n_largest;  /* blocks of equations that must be solved at once, before; the size of the largest */
    int32_t n_alias, n_explicit; /* variables (not their derivatives) of these roles */
    int32_t n_unknown;           /* left to the integrator */
    int32_t n_state, n_algebraic;
    int32_t n_dummy;      /* of the algebraic ones: dummy derivatives */
    const int32_t *c, *d; /* [n_equation] offsets of equations, of variables */
    int32_t n_node;
    const int32_t *variable, *order; /* [n_node] a derivative of a variable */
    const uint8_t *role;             /* [n_node] sl_dae_role, for the present choice of states */
} sl_dae_report;

#endif
