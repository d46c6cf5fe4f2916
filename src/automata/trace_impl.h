/* SPDX-License-Identifier: MIT */
/* trace_impl.h: a trace in the making: between whoever runs the automaton, trace.c (names, points, states), trace_plane.c (the phase
 * plane) and trace_diagram.c.
 *
 *     sl_tracer_init(&r, ...);            names and memory
 *     sl_tracer_add_point(&r, t, x) ...   as the run goes
 *     sl_tracer_finish(&r);               arrays, plane, diagram
 *     sl_tracer_fini(&r);                 in any case; the trace stays
 */
#ifndef SL_AUTOMATA_TRACE_IMPL_H
#define SL_AUTOMATA_TRACE_IMPL_H

#include "automata/sha_impl.h"
#include "automata/automaton.h"
#include "engine/trace.h"
#include "base/ids.h"

/* States and transitions as they are met. */
typedef struct sl_grapher {
    sl_trace *out;
    sl_ids *states; /* by the bytes of q */
    SL_ARRAY(sl_trace_node) nodes;
    SL_ARRAY(sl_trace_edge) edges;
    /* Discrete times at which they were met, and at which a node has no derivative or several, as bits. */
    SL_ARRAY(uint32_t) edge_times, node_times, odd_times;
} sl_grapher;

typedef struct sl_tracer {
    sl_context *ctx;
    const sl_automaton *m;
    const sl_sha *a;
    sl_exprs *g; /* a copy of its graph, for conditions that are asked for */
    const sl_trace_def *def;
    sl_diags *diags;
    sl_trace *out;
    int32_t *columns;      /* [n_x] the variable of a curve */
    SL_ARRAY(double) t, x; /* points */
    SL_ARRAY(sl_trace_change) changes;
    SL_ARRAY(double) events;
    SL_ARRAY(int64_t) event_points;
    int32_t *q;     /* [n_q] as changes have it */
    double *before; /* [n_x of the automaton] values where a step begins, and before they jump */
    bool is_looked; /* the plane's time has come */
    double *x_then; /* [n_x of the automaton] values at that time */
    sl_grapher graph;
    int32_t last;      /* node; -1: none yet */
    char crossed[200]; /* roots since the last step */
} sl_tracer;

/* SL_ERR_INPUT and a diagnostic: names that are not there. */
sl_status sl_tracer_init(sl_tracer *r, sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                         sl_trace *out);
/* Values of all continuous variables at a time; NULL: a gap, where they jump. False: memory. */
bool sl_tracer_add_point(sl_tracer *r, double t, const double *x);
/* What changed of the discrete variables since the last call; all at the first. */
bool sl_tracer_add_changes(sl_tracer *r, double t, const int32_t *q);
/* ... and the state that time passes in from t on, for the diagram, reached over the roots in r->crossed. */
sl_status sl_tracer_add_state(sl_tracer *r, double t, const int32_t *q);
/* The moment of the phase plane. */
void sl_tracer_sample_plane(sl_tracer *r, double t, const double *x, const int32_t *q);
/* SL_ERR_INPUT and a diagnostic: a condition that cannot be read, too many states. */
sl_status sl_tracer_finish(sl_tracer *r);
void sl_tracer_fini(sl_tracer *r);

/* Whether a name is there, else SL_ERR_INPUT and what was meant. *x and *q: its number, or -1. */
sl_status sl_trace_find(const sl_tracer *r, const char *name, int32_t *x, int32_t *q);

/* The plane of a finished run: box, levels, arrows. */
sl_status sl_trace_plane_fill(sl_tracer *r);

void sl_grapher_init(sl_grapher *g, sl_trace *out, sl_context *ctx);
void sl_grapher_fini(sl_grapher *g, sl_context *ctx);
/* The node of a state, added when it is new; -1: memory. */
int32_t sl_grapher_node(sl_grapher *g, sl_context *ctx, const int32_t *q);
/* Adds an edge unless it is there; false: memory. */
bool sl_grapher_edge(sl_grapher *g, sl_context *ctx, int32_t from, int32_t to, const char *label, bool choice,
                     uint32_t time);
/* Into the trace. SL_ERR_INPUT and a diagnostic: too many states. */
sl_status sl_grapher_finish(sl_grapher *g, sl_diags *diags);

/* The diagram of an automaton in discrete time. */
sl_status sl_trace_diagram_fill(sl_tracer *r);

#endif
