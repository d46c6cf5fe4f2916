/* SPDX-License-Identifier: MIT */
/* sluice/dae.h: the structure of differential-algebraic equations and what became of them before they are integrated.
 *
 * Equations are differentiated as often as their index asks for, aliases and explicit variables are eliminated, states are chosen among
 * what is left: docs/theory/dae.md#reduction. sl_automaton_structure (sluice/automaton.h) tells it of the equations of an automaton.
 */
#ifndef SLUICE_DAE_H
#define SLUICE_DAE_H

#include <sluice/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a variable, or a derivative of it, is computed. */
typedef enum sl_dae_role {
    SL_DAE_STATE = 0, /* moves by itself: its initial value counts */
    SL_DAE_DUMMY,     /* has a derivative, but follows from constraints: a dummy derivative */
    SL_DAE_ALGEBRAIC, /* is solved for at every time */
    SL_DAE_EXPLICIT,  /* is an expression of the others */
    SL_DAE_ALIAS,     /* ... of one other with the factor 1 or -1, and a constant */
    SL_DAE_RATE,      /* the derivative of a state, as the integrator has it */
    SL_DAE_N_ROLE
} sl_dae_role;

typedef struct sl_structure {
    size_t size;
    int32_t n_equation, n_variable; /* as written */
    const char *form;               /* "linear, semi-explicit, constant coefficients" */
    int32_t index;                  /* structural, as written */
    int32_t n_free;                 /* initial values that may be given */
    int32_t n_block,
        n_largest;            /* blocks of equations that must be solved at once, as written; the size of the largest */
    int32_t n_differentiated; /* equations that had to be differentiated */
    int32_t n_alias, n_explicit; /* variables that were eliminated so */
    int32_t n_unknown;           /* left to the integrator: states and algebraic ones */
    int32_t n_state, n_algebraic;
    int32_t n_dummy; /* of the algebraic ones: dummy derivatives */
} sl_structure;

/* An equation that was differentiated, or a variable or a derivative of it. No size: the library fills it, and it lives in a call. */
typedef struct sl_structure_item {
    const char *name;    /* of the equation, or of the variable */
    int32_t order;       /* how often it was differentiated; of which order the derivative is */
    int32_t is_equation; /* 1 or 0 */
    sl_dae_role role;    /* of a variable */
} sl_structure_item;

#ifdef __cplusplus
}
#endif

#endif
