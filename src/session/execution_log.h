/* SPDX-License-Identifier: MIT */
/* execution_log.h: executions of automata that make steps, one or all where they branch, as rows and events. It is the one driver
 * beside sessions: a session has one execution. Times count steps.
 */
#ifndef SL_SESSION_EXECUTION_LOG_H
#define SL_SESSION_EXECUTION_LOG_H

#include <sluice/automaton.h>

/* What rows hold. */
typedef struct sl_execution_log_columns {
    int32_t n;
    const char *const *names; /* [n] */
} sl_execution_log_columns;

/* Something happened to a variable, or at all. */
typedef struct sl_execution_log_event {
    double t;
    const char *kind;     /* init, transition, stop */
    const char *what;     /* names of the elements that caused it, separated by commas; "" */
    const char *variable; /* NULL: none */
    double from, to;      /* of the variable */
} sl_execution_log_event;

/* How an execution ended. */
typedef struct sl_execution_log_end {
    const char *verdict; /* "converged", "unsolvable", "nondeterministic", "zeno", "bound", "given up" */
    double t;            /* of the last row; -1: there was none */
    int64_t n_event, n_execution;
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
    /* After the rows of each execution. */
    sl_status (*ended)(void *user, const sl_execution_log_end *end);
    bool (*stopped)(void *user); /* true: give up, with SL_ERR_CANCELLED */
} sl_execution_log_handler;

typedef struct sl_execution_log_def {
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
