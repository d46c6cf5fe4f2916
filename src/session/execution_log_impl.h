/* SPDX-License-Identifier: MIT */
/* execution_log_impl.h: the log of an execution: between execution_log.c and execution_log_discrete.c. */
#ifndef SL_SESSION_EXECUTION_LOG_IMPL_H
#define SL_SESSION_EXECUTION_LOG_IMPL_H

#include "automata/read.h"
#include "base/memory.h"
#include "base/out.h"
#include "dae/structure.h"
#include "session/execution_log.h"

typedef struct sl_execution_log {
    sl_context *ctx;
    const sl_automaton *m;
    const sl_sha *a;
    const sl_execution_log_def *def;
    const sl_execution_log_handler *handler;
    sl_diags *diags;
    int32_t n_q;
    int32_t *q;     /* [n_q] of the last row */
    double *values; /* [n_q] of the row at hand */
    double *graph;  /* [variables of the graph] for guards */
    const char **names;
    sl_arena arena;
    sl_bytes what;    /* names of elements */
    sl_status status; /* of what cannot fail at once: reported with the next event */
    sl_execution_log_end end;
} sl_execution_log;

/* Buffers and names, and the values at the start. SL_ERR_MEMORY; fini in any case. */
sl_status sl_execution_log_init(sl_execution_log *t, sl_context *ctx, const sl_automaton *m,
                                const sl_execution_log_def *def, const sl_execution_log_handler *handler,
                                sl_diags *diags);
void sl_execution_log_fini(sl_execution_log *t);

/* Adds an event; what: that of sl_execution_log_name since the last one. j: a variable among all, -1: none. */
sl_status sl_execution_log_add_event(sl_execution_log *t, double time, const char *kind, int32_t j, double from,
                                     double to);
/* Adds a name to those of the next event. */
void sl_execution_log_name(sl_execution_log *t, const char *name);
/* Names the transitions of a discrete variable whose guards hold at discrete time i and the values in graph. */
void sl_execution_log_name_transitions(sl_execution_log *t, int32_t variable, int32_t i);
/* Adds t->q as a row. */
sl_status sl_execution_log_add_row(sl_execution_log *t, double time);

sl_status sl_execution_log_discrete(sl_execution_log *t);

#endif
