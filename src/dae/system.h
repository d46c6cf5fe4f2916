/* SPDX-License-Identifier: MIT */
/* system.h: differential-algebraic equations F(t, x, x') = 0 as functions and a pattern.
 *
 * Whoever has equations (compiled expressions, native C) fills one of these; everything in this folder works on it. The
 * pattern says where unknowns occur, and how, so that structure can be judged before any number is computed.
 */
#ifndef SL_DAE_SYSTEM_H
#define SL_DAE_SYSTEM_H

#include <sluice/diag.h>

/* How an unknown occurs in an equation. The second three are about the partial derivatives there. */
enum {
    SL_DAE_X = 1,             /* x_j occurs */
    SL_DAE_DX = 2,            /* x'_j occurs */
    SL_DAE_TIME = 4,          /* dF_i/dx_j or dF_i/dx'_j depends on t */
    SL_DAE_NONLINEAR = 8,     /* ... on x or x' */
    SL_DAE_NONLINEAR_DX = 16, /* dF_i/dx'_j depends on x' */
    SL_DAE_SCALED = 32        /* dF_i/dx'_j is not constant: the derivative cannot simply be brought to one side */
};

/* By columns, rows in rising order without repetition. n_equation and n_variable are equal in what can be integrated. */
typedef struct sl_dae_pattern {
    int32_t n_equation, n_variable;
    const int32_t *start; /* [n_variable + 1] */
    const int32_t *row;
    const uint8_t *kind; /* one per entry, as above */
} sl_dae_pattern;

/* What somebody says of a variable: whether it should be a state (sl_state_choice), and between what its values are. */
typedef struct sl_variable_hint {
    uint8_t state;
    double low, high;
} sl_variable_hint;

enum { SL_DAE_NAME = 96 }; /* bytes for a name, its end included */

struct sl_dae_outside;

/* What a function of a system returns: 0: done; positive: not here, a shorter step may help (a root of a negative
 * number); negative: never. */
typedef struct sl_dae_system {
    sl_dae_pattern pattern;
    int32_t n_root;
    void *user;
    int (*residual)(void *user, double t, const double *x, const double *dx, double *r);
    /* values[k] = a dF/dx + b dF/dx' at entry k of the pattern */
    int (*jacobian)(void *user, double t, const double *x, const double *dx, double a, double b, double *values);
    /* NULL when there are no roots */
    int (*roots)(void *user, double t, const double *x, const double *dx, double *g);
    /* A name for messages: of an equation, or of a variable. NULL: numbers. */
    void (*name)(void *user, bool equation, int32_t i, char name[SL_DAE_NAME]);
    const struct sl_dae_outside *outside; /* NULL: the unknowns are the variables */
} sl_dae_system;

/* A system whose unknowns y are others than the variables x that callers know (reduce.h). Functions have the system's user. Which unknowns
 * are differential is a choice: flags, one per unknown. */
typedef struct sl_dae_outside {
    const sl_dae_system *raw; /* the variables and the equations between them as they are written: pattern and names */
    const struct sl_dae_report *report;
    int32_t n_entry_max; /* of the pattern, whatever is chosen */
    int32_t n_between;   /* steps from one question whether it is worn to the next */
    bool has_inner;      /* some unknowns follow from the equations alone, not from x and x' */
    /* Values and derivatives of all variables. */
    void (*expand)(void *user, double t, const double *y, const double *dy, double *x, double *dx);
    /* First guesses of unknowns from variables. */
    void (*contract)(void *user, const double *x, const double *dx, double *y, double *dy);
    /* Derivatives of unknowns that are not differential but have one. */
    void (*complete)(void *user, double t, const double *y, double *dy);
    /* NULL where there is nothing to choose. choose: which unknowns should be differential at y; a function of these values alone.
     * apply: makes them so; the pattern may be another one then. is_worn: should others be chosen? */
    sl_status (*choose)(void *user, double t, const double *y, const double *dy, uint8_t *state);
    sl_status (*apply)(void *user, const uint8_t *state, sl_dae_system *out, bool *changed);
    bool (*is_worn)(void *user, double t, const double *y, const double *dy);
    /* Are the differential unknowns those that somebody insists on? SL_ERR_SOLVE: no, and the diagnostics say which. NULL: nobody does. */
    sl_status (*check)(void *user, sl_diags *diags);
} sl_dae_outside;

/* The system as callers know it. */
static inline const sl_dae_system *sl_dae_raw(const sl_dae_system *s) {
    return s->outside ? s->outside->raw : s;
}

/* Variables that callers know. */
static inline int32_t sl_dae_n_value(const sl_dae_system *s) {
    return sl_dae_raw(s)->pattern.n_variable;
}

/* The name of an equation or a variable, whether the system has names or not. Returns buf. */
const char *sl_dae_name(const sl_dae_system *s, bool equation, int32_t i, char buf[SL_DAE_NAME]);

#endif
