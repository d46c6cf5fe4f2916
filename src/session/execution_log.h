/* SPDX-License-Identifier: MIT */
/* execution_log.h: what commands do with automata beside sessions: executions as rows and events, and pages that explain.
 *
 * An automaton without continuous variables, activities and roots is discrete: its execution is one of steps, and times count
 * these. Any other is hybrid: times are in seconds, rows come at report times. Both come through the same functions of a handler.
 */
#ifndef SL_SESSION_EXECUTION_LOG_H
#define SL_SESSION_EXECUTION_LOG_H

#include <sluice/automaton.h>

/* What rows hold. */
typedef struct sl_execution_log_columns {
    bool discrete;            /* the automaton is */
    int32_t n, n_continuous;  /* continuous variables come first */
    const char *const *names; /* [n] */
} sl_execution_log_columns;

/* Something happened to a variable, or at all. */
typedef struct sl_execution_log_event {
    double t;
    const char *kind;     /* init, crossing, root, transition, settled, action, stop */
    const char *what;     /* names of the elements that caused it, separated by commas; "" */
    const char *variable; /* NULL: none */
    double from, to;      /* of the variable */
} sl_execution_log_event;

/* How an execution ended. */
typedef struct sl_execution_log_end {
    const char
        *verdict; /* discrete: "converged", "unsolvable", "nondeterministic", "zeno", "bound", "given up"; "": hybrid */
    double t;     /* of the last row; -1: there was none */
    int64_t n_crossing, n_event, n_execution;
    int32_t cycle_first, cycle_length; /* zeno: the state at first is that at first + length */
    int64_t n_choice;                  /* nondeterministic: derivatives at t ... */
    const char *const *choices;        /* ... some of them in words, until the function returns */
    int32_t n_shown;
    bool complete; /* no limit was met */
} sl_execution_log_end;

typedef struct sl_execution_log_handler {
    void *user;
    /* Once, before anything else. */
    sl_status (*begin)(void *user, const sl_execution_log_columns *columns);
    sl_status (*row)(void *user, double t, const double *values);
    sl_status (*event)(void *user, const sl_execution_log_event *event); /* NULL: not wanted */
    /* Of hybrid automata all values that were computed up to the last row, between rows and at events too; NULL: not wanted. */
    void (*point)(void *user, const double *values);
    /* After the rows of each execution; hybrid automata have one. */
    sl_status (*ended)(void *user, const sl_execution_log_end *end);
    bool (*stopped)(void *user); /* true: give up, with SL_ERR_CANCELLED */
} sl_execution_log_handler;

typedef struct sl_execution_log_def {
    double duration; /* [s]; NaN: the file's */
    bool at_events;  /* rows before and after events too */
    /* Of discrete automata: */
    int64_t steps; /* so many, whatever the rule of ending says; -1: by the rule */
    bool branches; /* all executions where there are several */
    bool relax;    /* equations that exclude each other branch over the largest subsets that do not */
} sl_execution_log_def;
sl_execution_log_def sl_execution_log_default(void);

/* Reads and executes. SL_ERR_INPUT: the file is wrong, or does not say how long. SL_ERR_SOLVE: an execution failed, is zeno, or
 * there are several; what came before was reported. What a function of the handler returns ends it. */
sl_status sl_execution_log_run(sl_context *ctx, const char *bytes, size_t n, const char *name,
                               const sl_execution_log_def *def, const sl_execution_log_handler *handler,
                               sl_diags *diags);

/* The same of an automaton that has been read. */
sl_status sl_execution_log_of(sl_context *ctx, const sl_automaton *m, const sl_execution_log_def *def,
                              const sl_execution_log_handler *handler, sl_diags *diags);

#endif
