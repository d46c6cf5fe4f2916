/* trace_impl.h: an execution being told: between trace_motion.c (hybrid), trace_steps.c (discrete) and trace_explain.c. */
#ifndef SL_SESSION_TRACE_IMPL_H
#define SL_SESSION_TRACE_IMPL_H

#include "automata/read.h"
#include "base/memory.h"
#include "base/out.h"
#include "dae/structure.h"
#include "session/trace.h"

typedef struct sl_trace {
    sl_context *ctx;
    const sl_automaton *m;
    const sl_sha *a;
    const sl_trace_def *def;
    const sl_trace_watch *watch;
    sl_diags *diags;
    int32_t n_x, n_q;
    double *x, *dx; /* [n_x] of the last row; while a piece is made, of before it */
    int32_t *q;     /* [n_q] likewise */
    double *values; /* [n_x + n_q] of the row at hand */
    double *graph;  /* [variables of the graph] for guards */
    const char **names;
    sl_arena arena;
    sl_bytes what;    /* names of parts */
    sl_status status; /* of what cannot fail at once: told with the next event */
    sl_trace_end end;
} sl_trace;

/* No activities, no roots, nothing continuous: only steps. */
bool sl_sha_is_discrete(const sl_sha *a);

/* Room and names, and the values at the start. SL_ERR_MEMORY; fini in any case. */
sl_status sl_trace_init(sl_trace *t, sl_context *ctx, const sl_automaton *m, const sl_trace_def *def,
                        const sl_trace_watch *watch, sl_diags *diags);
void sl_trace_fini(sl_trace *t);

/* Tells an event; what: that of sl_trace_name since the last one. j: a variable among all, -1: none. */
sl_status sl_trace_tell(sl_trace *t, double time, const char *kind, int32_t j, double from, double to);
/* Adds a name to what is told with the next event. */
void sl_trace_name(sl_trace *t, const char *name);
/* Names the transitions of a discrete variable whose guards hold at discrete time i and the values in graph. */
void sl_trace_name_transitions(sl_trace *t, int32_t variable, int32_t i);
/* Tells t->x and t->q as a row. */
sl_status sl_trace_row(sl_trace *t, double time);

/* The execution to its end, or to `stop` [s]; then x, dx and q are those at the end. */
sl_status sl_trace_motion(sl_trace *t, double stop);
sl_status sl_trace_steps(sl_trace *t);

/* The equations in force at q (NULL: at the start). SL_ERR_INPUT when they are over- or underdetermined, and named. */
sl_status sl_automaton_structure(sl_context *ctx, const sl_hybrid_model *m, const int32_t *q, sl_diags *diags,
                                 sl_dae_structure *out);

#endif
