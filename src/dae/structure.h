/* SPDX-License-Identifier: MIT */
/* structure.h: what the pattern of a DAE tells before anything is computed.
 *
 * Whether every equation can be solved for an unknown of its own; the form (how linear, how explicit); how often
 * equations must be differentiated until every x' is determined (the structural index), and how many values may be given
 * at the start. docs/theory/dae.md defines all of these.
 */
#ifndef SL_DAE_STRUCTURE_H
#define SL_DAE_STRUCTURE_H

#include "dae/graph.h"
#include "dae/system.h"

typedef enum sl_dae_form {
    SL_DAE_LINEAR_SEMI_CONSTANT = 0, /* x'd + B x = f(t), B x = f(t), B constant */
    SL_DAE_LINEAR_SEMI_TIME,         /* the same with B(t) */
    SL_DAE_LINEAR_IMPLICIT_CONSTANT, /* A x' + B x = f(t) */
    SL_DAE_LINEAR_IMPLICIT_TIME,     /* A(t) x' + B(t) x = f(t) */
    SL_DAE_SEMI_GENERAL,             /* f(t, xd, xa, x'd) = 0, g(t, xd, xa) = 0, as many f as xd */
    SL_DAE_SEMI_LINEAR_DX,           /* x'd = f(t, xd, xa), g(t, xd, xa) = 0 */
    SL_DAE_IMPLICIT_GENERAL,         /* f(t, x, x') = 0 */
    SL_DAE_IMPLICIT_LINEAR_DX,       /* A(t, x) x' + f(t, x) = 0 */
    SL_DAE_N_FORM
} sl_dae_form;

/* "linear, semi-explicit, constant coefficients" */
const char *sl_dae_form_text(sl_dae_form form);

typedef struct sl_dae_structure {
    int32_t n_equation, n_variable;
    int32_t n_differential; /* variables whose derivative occurs */
    bool regular;           /* as many equations as variables */
    int32_t rank;           /* structural: how many equations have a variable of their own */
    sl_dae_form form;
    int32_t index;              /* structural; -1 when the rank is not full */
    int32_t n_free;             /* initial values that may be given; with index -1: 0 */
    int32_t n_block, n_largest; /* blocks of equations that must be solved at once, and the size of the largest */
} sl_dae_structure;

/* SL_ERR_INPUT with a diagnostic per part that is over- or underdetermined, naming equations and variables; out is filled
 * then too. names may be NULL. */
sl_status sl_dae_analyse(sl_context *ctx, const sl_dae_pattern *p, const sl_dae_system *names, sl_diags *diags,
                         sl_dae_structure *out);

/* Reports the parts of any incidence that are not square, and gives the parts when asked to: whose unknowns is said by
 * what ("the unknowns at the start"). SL_OK: square; SL_ERR_INPUT: not. names may be NULL. */
sl_status sl_dae_check_square(sl_context *ctx, const sl_incidence *a, const sl_dae_system *names, const char *what,
                              sl_diags *diags, sl_dae_structure *out);

#endif
