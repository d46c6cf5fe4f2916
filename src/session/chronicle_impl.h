/* chronicle_impl.h: an execution being told: between chronicle_motion.c (hybrid), chronicle_steps.c (discrete) and chronicle_explain.c. */
#ifndef SL_SESSION_CHRONICLE_IMPL_H
#define SL_SESSION_CHRONICLE_IMPL_H

#include "automata/read.h"
#include "base/memory.h"
#include "base/out.h"
#include "dae/structure.h"
#include "session/chronicle.h"

typedef struct sl_chronicle {
    sl_context *ctx;
    const sl_automaton *m;
    const sl_sha *a;
    const sl_chronicle_def *def;
    const sl_chronicle_watch *watch;
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
    sl_chronicle_end end;
} sl_chronicle;

/* Room and names, and the values at the start. SL_ERR_MEMORY; fini in any case. */
sl_status sl_chronicle_init(sl_chronicle *t, sl_context *ctx, const sl_automaton *m, const sl_chronicle_def *def,
                            const sl_chronicle_watch *watch, sl_diags *diags);
void sl_chronicle_fini(sl_chronicle *t);

/* Tells an event; what: that of sl_chronicle_name since the last one. j: a variable among all, -1: none. */
sl_status sl_chronicle_tell(sl_chronicle *t, double time, const char *kind, int32_t j, double from, double to);
/* Adds a name to what is told with the next event. */
void sl_chronicle_name(sl_chronicle *t, const char *name);
/* Names the transitions of a discrete variable whose guards hold at discrete time i and the values in graph. */
void sl_chronicle_name_transitions(sl_chronicle *t, int32_t variable, int32_t i);
/* Tells t->x and t->q as a row, or as a point. */
sl_status sl_chronicle_row(sl_chronicle *t, double time);
void sl_chronicle_point(sl_chronicle *t);

/* The execution to its end, or to `stop` [s]; then x, dx and q are those at the end. */
sl_status sl_chronicle_motion(sl_chronicle *t, double stop);
sl_status sl_chronicle_steps(sl_chronicle *t);

#endif
