/* sha.h: structured hybrid automata, the symbolic side: a discrete automaton (sda.h) with continuous variables, activities (equations
 * that hold while their guards do), actions (new values of continuous variables after discrete changes) and roots (discrete
 * variables that follow the sign of a function). Definitions 3.2.1 to 3.2.3, 3.2.5 and 3.2.6, mapped to tests in
 * docs/theory/automata.md; whoever integrates drives it (definitions 3.2.4 and 3.2.7 to 3.2.9).
 *
 * t is time [s] in equations, actions' values and root functions; in the guards of transitions and actions it is the discrete time of
 * the discrete execution that has just ended. Equations and functions may hold discrete variables and parameters too.
 *
 * A run has value semantics, as a discrete run has.
 */
#ifndef SL_AUTOMATA_SHA_H
#define SL_AUTOMATA_SHA_H

#include "automata/modes.h"
#include "automata/sda.h"

typedef struct sl_sha sl_sha;
typedef struct sl_sha_run sl_sha_run;

typedef enum sl_sha_kind { SL_SHA_ACTIVITY = 0, SL_SHA_ACTION, SL_SHA_ROOT, SL_SHA_KINDS } sl_sha_kind;

/* ---- The automaton: definition 3.2.1 --------------------------------------------------------------- */

/* The graph is borrowed. */
sl_status sl_sha_create(sl_exprs *g, sl_sha **out);
void sl_sha_destroy(sl_sha *h);
/* Its discrete part: add variables and transitions to it; finish ends it too. */
sl_sda *sl_sha_discrete(sl_sha *h);
/* A continuous variable; *out is its number among them. */
sl_status sl_sha_add_variable(sl_sha *h, sl_str name, const sl_place *place, sl_diags *diags, int32_t *out);
/* One equation, or action, or root with its guard. subject: of an action the continuous, of a root the discrete variable that it sets
 * (Boolean); -1 of an activity. SL_ERR_INPUT and a diagnostic for a guard of something continuous, an equation of nothing
 * continuous, derivatives beyond the first, a subject that cannot be. */
sl_status sl_sha_add(sl_sha *h, sl_sha_kind kind, sl_str symbol, int32_t subject, sl_expr e, sl_expr guard,
                     const sl_place *place, sl_diags *diags, int32_t *out);
/* cj: see modes.h. The discrete part and all modes to come are const for runs but for the memory of modes: one thread at a time. */
sl_status sl_sha_finish(sl_sha *h, sl_expr cj, bool by_rows);

int32_t sl_sha_n_variable(const sl_sha *h);
int32_t sl_sha_count(const sl_sha *h, sl_sha_kind kind);
int32_t sl_sha_graph_variable(const sl_sha *h, int32_t variable);
const char *sl_sha_symbol(const sl_sha *h, sl_sha_kind kind, int32_t i);
int32_t sl_sha_subject(const sl_sha *h, sl_sha_kind kind, int32_t i);
sl_expr sl_sha_expr(const sl_sha *h, sl_sha_kind kind, int32_t i); /* of an activity: what is to be 0 */
sl_expr sl_sha_guard(const sl_sha *h, sl_sha_kind kind, int32_t i);

/* ---- Runs -------------------------------------------------------------------------------------------- */

/* A continuous solution: t, x and x' by the automaton's continuous variables, parameters by the graph's numbers. */
typedef struct sl_sha_point {
    double t;
    const double *x, *dx;
    const double *p;
} sl_sha_point;

/* At q0, before any subexecution. */
sl_status sl_sha_run_create(sl_sha *h, const int32_t *q0, const sl_sda_def *def, sl_sha_run **out);
sl_status sl_sha_run_copy(const sl_sha_run *run, sl_sha_run **out);
void sl_sha_run_destroy(sl_sha_run *run);

/* Root subexecution (3.2.2, 3.2.3): variables of active roots become 1 where the function is positive, or 0 and rising, and 0 where
 * it is negative, or 0 and falling; where it is 0 and stays, they keep their value. *n_changed may be NULL. SL_ERR_SOLVE and a
 * diagnostic when two active roots want different values of one variable; nothing is changed then. */
sl_status sl_sha_run_roots(sl_sha_run *run, const sl_sha_point *at, sl_diags *diags, int32_t *n_changed);
/* Discrete subexecution (3.2.5), from the present state to its end. *n_point is its length in points: 1 is empty. */
sl_sda_state sl_sha_run_settle(sl_sha_run *run, int32_t *n_point);
/* Action function (3.2.6): x_new[i] of every continuous variable; at->x where no action is active. SL_ERR_SOLVE and a diagnostic when
 * two active actions want different values of one variable. *n_action: how many were active. */
sl_status sl_sha_run_act(sl_sha_run *run, const sl_sha_point *at, double *x_new, sl_diags *diags, int32_t *n_action);
/* The equations and roots that hold now, compiled or remembered. */
sl_status sl_sha_run_mode(sl_sha_run *run, const sl_mode **out);
/* The point for a mode's tapes: variables by the numbers of the graph, discrete ones included. Borrowed until the next call. */
sl_expr_point sl_sha_run_point(sl_sha_run *run, const sl_sha_point *at);

/* What is active, ascending; borrowed until the run moves. */
const int32_t *sl_sha_run_active(const sl_sha_run *run, sl_sha_kind kind, int32_t *n);
int32_t sl_sha_run_value(const sl_sha_run *run, int32_t discrete_variable);
/* The discrete execution that ended last, to look at. */
const sl_sda_run *sl_sha_run_discrete(const sl_sha_run *run);

#endif
