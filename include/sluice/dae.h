/* SPDX-License-Identifier: MIT */
/* sluice/dae.h: structure of differential-algebraic equations (DAE), and their reduction before integration.
 *
 * Equations are differentiated as often as their index requires. Aliases and explicit variables are eliminated. States are selected
 * among the remaining variables (docs/theory/dae.md#reduction). sl_automaton_structure (sluice/automaton.h) returns the structure of an
 * automaton.
 */
#ifndef SLUICE_DAE_H
#define SLUICE_DAE_H

#include <sluice/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a variable, or a derivative of it, is computed. */
typedef enum sl_dae_role {
    SL_DAE_STATE = 0, /* is integrated; its initial value matters */
    SL_DAE_DUMMY,     /* has a derivative, but follows from constraints: a dummy derivative */
    SL_DAE_ALGEBRAIC, /* is solved for at every time */
    SL_DAE_EXPLICIT,  /* is an expression of the others */
    SL_DAE_ALIAS,     /* equals another variable times 1 or -1, plus a constant */
    SL_DAE_RATE,      /* the derivative of a state, from the integrator */
    SL_DAE_N_ROLE
} sl_dae_role;

typedef struct sl_structure {
    size_t size;
    int32_t n_equation, n_variable; /* as written */
    const char *form;               /* "linear, semi-explicit, constant coefficients" */
    int32_t index;                  /* structural, as written */
    int32_t n_free;                 /* number of initial values that may be chosen freely */
    int32_t n_block,
        n_largest;            /* blocks of equations that must be solved at once, as written; the size of the largest */
    int32_t n_differentiated; /* equations that had to be differentiated */
    int32_t n_alias, n_explicit; /* eliminated variables of these roles */
    int32_t n_unknown;           /* unknowns of the integrator: states and algebraic variables */
    int32_t n_state, n_algebraic;
    int32_t n_dummy; /* of the algebraic ones: dummy derivatives */
} sl_structure;

/* A differentiated equation, or a variable or one of its derivatives. No size: the library fills it, and it exists during a call only. */
typedef struct sl_structure_item {
    const char *name;    /* of the equation, or of the variable */
    int32_t order;       /* how often it was differentiated; of which order the derivative is */
    int32_t is_equation; /* 1 or 0 */
    sl_dae_role role;    /* of a variable */
} sl_structure_item;

/* ---- The start ---------------------------------------------------------------------------------- */

/* What a start value of a variable is. */
typedef enum sl_initial_kind {
    SL_INITIAL_START = 0, /* holds as long as values can be chosen freely; after that a start of the iteration */
    SL_INITIAL_FIXED,     /* holds */
    SL_INITIAL_GUESS,     /* start of the iteration: the value is computed */
    SL_INITIAL_N_KIND
} sl_initial_kind;

/* Whether a variable becomes a state if constraints leave a choice. */
typedef enum sl_state_choice {
    SL_STATE_DEFAULT = 0,
    SL_STATE_PREFER,
    SL_STATE_AVOID,
    SL_STATE_ALWAYS, /* an error if it cannot be one */
    SL_STATE_NEVER,  /* an error if it must be one */
    SL_STATE_N_CHOICE
} sl_state_choice;

/* Figures of the computation of start values. */
typedef struct sl_initial {
    size_t size;
    int32_t n_equation;         /* with the derivatives of those that had to be differentiated */
    int32_t n_initial;          /* initial equations */
    int32_t n_unknown;          /* variables and their derivatives */
    int32_t n_fixed;            /* start values that hold because they are fixed */
    int32_t n_held;             /* start values that hold because they could be chosen freely */
    int32_t n_surplus;          /* fixed values and initial equations that are redundant, but consistent */
    int32_t n_block, n_largest; /* blocks solved one after the other; unknowns of the largest */
    int32_t n_iteration;        /* of Newton's method, in all */
    int32_t n_homotopy;         /* blocks that needed homotopy */
} sl_initial;

/* A variable at the start. No size: the library fills it, and it exists during a call only. */
typedef struct sl_initial_item {
    const char *name;
    sl_initial_kind kind;            /* as it was given */
    int32_t is_held;                 /* 1: the value given holds; 0: it was computed */
    double given, value, derivative; /* derivative: NaN where the equations have none */
} sl_initial_item;

#ifdef __cplusplus
}
#endif

#endif
