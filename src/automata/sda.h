/* SPDX-License-Identifier: MIT */
/* sda.h: structured discrete automata: variables over finite domains and transitions (equation, guard); their discrete
 * derivatives and executions. Definitions 3.1.1 to 3.1.6, mapped to files and tests in docs/theory/automata.md; checks without
 * running are in check.h.
 *
 *     sl_sda_add_variable(a, "q", 2, ...)                    q takes the values 0 and 1, arithmetic is modulo 2
 *     sl_sda_add_transition(a, "tick", der(q) = 1, true)     equation and guard are expressions of the automaton's graph
 *     sl_sda_finish(a)                                       from here on it is const and may be shared by threads
 *     sl_sda_run_create(a, q0, &run)                         at t = 0
 *     while (sl_sda_run_step(run, 0) == SL_SDA_RUNNING) ...  one point after the other
 *
 * A guard is an expression over t and the variables, an equation one over t, the variables and their derivatives der(q).
 * Discrete time t counts 0, 1, 2, ... within an execution.
 *
 * Where t is only compared with constants there is a horizon: from some t on nothing depends on it any more. Guards are then
 * kept for every t up to the horizon, each free of t, so that neither a step nor a new execution has to look at guards whose
 * variables did not change: the work of a step is that of the variables that change and the transitions that are active.
 *
 * A run has value semantics: a copy goes on alone. That is how executions branch.
 */
#ifndef SL_AUTOMATA_SDA_H
#define SL_AUTOMATA_SDA_H

#include "automata/locate.h"
#include "expr/expr.h"

enum {
    SL_SDA_DOMAIN_MAX = 1 << 20,
    SL_SDA_HORIZON_MAX = 16, /* times for which guards are kept; above it t is a variable like others */
    SL_SDA_NO_HORIZON = -1
};

typedef struct sl_sda sl_sda;
typedef struct sl_sda_run sl_sda_run;

/* ---- The automaton: definition 3.1.1 -------------------------------------------------------------- */

/* The graph is borrowed and may hold other variables too (a hybrid automaton's); it must outlive the automaton. */
sl_status sl_sda_create(sl_exprs *g, sl_sda **out);
void sl_sda_destroy(sl_sda *a);
/* Declares the name in the graph, Boolean for n = 2. *out is its number in the automaton. SL_ERR_INPUT and a diagnostic. */
sl_status sl_sda_add_variable(sl_sda *a, sl_str name, int32_t n, const sl_text_location *place, sl_diags *diags,
                              int32_t *out);
/* symbol: a name for people, copied. The equation is a = b or an expression that is to be 0. SL_ERR_INPUT and a diagnostic
 * when guard or equation hold what they may not, or the equation determines nothing. */
sl_status sl_sda_add_transition(sl_sda *a, sl_str symbol, sl_expr equation, sl_expr guard,
                                const sl_element_location *place, sl_diags *diags, int32_t *out);
sl_status sl_sda_finish(sl_sda *a);

int32_t sl_sda_n_variable(const sl_sda *a);
int32_t sl_sda_n_transition(const sl_sda *a);
sl_str sl_sda_variable_name(const sl_sda *a, int32_t variable);
int32_t sl_sda_domain(const sl_sda *a, int32_t variable);
/* The variable of the automaton that this variable of the graph is, or -1. */
int32_t sl_sda_variable_of(const sl_sda *a, int32_t graph_variable);
int32_t sl_sda_graph_variable(const sl_sda *a, int32_t variable);
const char *sl_sda_symbol(const sl_sda *a, int32_t transition);
sl_expr sl_sda_equation(const sl_sda *a, int32_t transition); /* the expression that is to be 0 */
sl_expr sl_sda_written(const sl_sda *a, int32_t transition);  /* the equation as it was given */
sl_expr sl_sda_guard(const sl_sda *a, int32_t transition);
/* The transitions whose equations hold the derivative of a variable, ascending; borrowed. */
const int32_t *sl_sda_equations_of(const sl_sda *a, int32_t variable, int32_t *n);
/* Names those of n transitions (ascending) whose equations hold the derivative of a variable. */
void sl_sda_name_transitions(const sl_sda *a, int32_t variable, int32_t n, const int32_t *transitions,
                             void (*name)(void *user, const char *symbol), void *user);
/* From this t on nothing depends on t; SL_SDA_NO_HORIZON: not known to be so. */
int32_t sl_sda_horizon(const sl_sda *a);

/* ---- Executions: definitions 3.1.2 and 3.1.3 ------------------------------------------------------- */

typedef enum sl_sda_state {
    SL_SDA_RUNNING = 0,
    SL_SDA_CONVERGED,  /* the derivative is 0: t is t_m */
    SL_SDA_UNSOLVABLE, /* no derivative satisfies the active equations: there is no execution */
    SL_SDA_CHOICE,     /* several do: choose with the next step, or explore */
    SL_SDA_ZENO,       /* proved: after the horizon a state repeats */
    SL_SDA_BOUND,      /* the limit of steps; nothing is proved */
    SL_SDA_GAVE_UP,    /* a group of equations has more combinations than limits allow */
    SL_SDA_FAILED      /* memory */
} sl_sda_state;
/* "converged", ... */
const char *sl_sda_state_text(sl_sda_state state);

/* When an execution ends: when the derivative is 0 (definition 3.1.3), when no guard is active (4.3.1), or only at its bound,
 * as figure 3.2 has it. */
typedef enum sl_sda_rule { SL_SDA_UNTIL_ZERO = 0, SL_SDA_UNTIL_QUIET, SL_SDA_UNTIL_BOUND } sl_sda_rule;

typedef struct sl_sda_def {
    sl_sda_rule rule;
    bool
        overdetermined_branches; /* equations that exclude each other branch over their maximal consistent subsets (4.3.1) */
    int32_t most_steps;          /* 100000 */
    int32_t most_choices;        /* solutions of one group of equations that are kept: 64 */
    int64_t most_trials;         /* combinations tried per group: 1000000 */
    int64_t most_work;           /* ... by the whole run, and 1000 more for every step that it makes: 4000000 */
} sl_sda_def;
sl_sda_def sl_sda_default(void);

/* q0: one value per variable, each within its domain (else SL_ERR_USE). def may be NULL. The derivatives at t = 0 are known
 * then: the state may already be another than running. */
sl_status sl_sda_run_create(const sl_sda *a, const int32_t *q0, const sl_sda_def *def, sl_sda_run **out);
/* ... with memory from ctx, not from the automaton's own context: for runs in other threads. */
sl_status sl_sda_run_create_in(sl_context *ctx, const sl_sda *a, const int32_t *q0, const sl_sda_def *def,
                               sl_sda_run **out);
sl_status sl_sda_run_copy(const sl_sda_run *run, sl_sda_run **out);
void sl_sda_run_destroy(sl_sda_run *run);

/* Takes derivative number `choice` (0 where there is one), goes to t + 1 and finds the derivatives there. Gives the state. */
sl_sda_state sl_sda_run_step(sl_sda_run *run, int64_t choice);
/* Steps until the state is another than running. */
sl_sda_state sl_sda_run_finish(sl_sda_run *run);
/* A new execution from where this one stands, with some variables (or none) set to other values: t = 0, history forgotten. Costs
 * what changes and what is active then. */
sl_sda_state sl_sda_run_restart(sl_sda_run *run, int32_t n, const int32_t *variables, const int32_t *values);
/* The same at any time t: what came before it is forgotten, t goes on from there. */
sl_sda_state sl_sda_run_move(sl_sda_run *run, int32_t t, int32_t n, const int32_t *variables, const int32_t *values);

sl_sda_state sl_sda_run_state(const sl_sda_run *run);
int32_t sl_sda_run_time(const sl_sda_run *run);
int32_t sl_sda_run_value(const sl_sda_run *run, int32_t variable);
const int32_t *sl_sda_run_values(const sl_sda_run *run);
/* The derivatives at the present point: how many there are (at most INT64_MAX), and the component of one. */
int64_t sl_sda_run_n_choice(const sl_sda_run *run);
int32_t sl_sda_run_derivative(const sl_sda_run *run, int64_t choice, int32_t variable);
/* Does a derivative change nothing? */
bool sl_sda_run_is_zero(const sl_sda_run *run, int64_t choice);
/* Are there more than are kept? */
bool sl_sda_run_is_truncated(const sl_sda_run *run);
/* The active transitions at the present point, ascending; borrowed until the run moves. */
const int32_t *sl_sda_run_active(const sl_sda_run *run, int32_t *n);
/* Zeno: the state at t first is that at t first + length. */
void sl_sda_run_cycle(const sl_sda_run *run, int32_t *first, int32_t *length);
/* The value of a variable at an earlier t of this execution, since it was moved (by going back through what changed). */
int32_t sl_sda_run_value_at(const sl_sda_run *run, int32_t variable, int32_t t);
/* The changes of step t -> t + 1: n entries of variable and new value, in the order of variables; borrowed. */
typedef struct sl_sda_change {
    int32_t variable, from, to;
} sl_sda_change;
const sl_sda_change *sl_sda_run_changes(const sl_sda_run *run, int32_t t, int32_t *n);
/* Values of expressions computed since the run was created or copied: the work. */
int64_t sl_sda_run_n_evaluated(const sl_sda_run *run);
/* Why it ended, in words, to diags (nothing for running and converged). */
void sl_sda_run_explain(const sl_sda_run *run, sl_diags *diags);

#endif
