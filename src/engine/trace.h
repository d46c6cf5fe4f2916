/* SPDX-License-Identifier: MIT */
/* trace.h: an execution of a hybrid or discrete model as arrays, for those who draw it: values over time, states, a phase plane,
 * a diagram of states and transitions. Data only: whoever runs the model fills it (src/automata/trace.h), whoever draws reads it
 * (src/plot), and neither knows the other.
 *
 * Time is in seconds, or discrete (0, 1, 2, ...) where a model has no continuous variables.
 */
#ifndef SL_ENGINE_TRACE_H
#define SL_ENGINE_TRACE_H

#include <sluice/diag.h>

#include "base/memory.h"

/* ---- The request -------------------------------------------------------------------------------- */

typedef struct sl_trace_def {
    const char *const *names; /* variables, continuous and discrete; none: all of them */
    int32_t n_name;
    bool only_discrete; /* of all, those */
    double end;         /* [s] of the run at the latest; NaN: the model's own */
    double from;        /* [s] what is before will not be seen; NaN: everything is */
    int32_t n_step;     /* of discrete time, whatever rule says when it rests; -1: by that rule */

    const char *const *plane; /* two continuous variables; NULL: no phase plane */
    double time;              /* [s] of what the plane shows; NaN: the end */
    double low, high;         /* of both axes; NaN: by what the run covers */
    bool equal;               /* one scale for both axes */
    const char *const *where; /* conditions whose cells are wanted */
    int32_t n_where;

    bool diagram;
    bool reached; /* ... of states that the run from the start comes to, however few there are */
} sl_trace_def;

/* ---- The parts ---------------------------------------------------------------------------------- */

enum { SL_TRACE_CURVES = 8 }; /* that are kept */

typedef struct sl_trace_change {
    double t; /* from here on */
    int32_t variable, value;
} sl_trace_change;

/* Where a condition holds on a grid of n by n cells, and where on the lines of the grid that changes: crossings as parts (0 to
 * 1) of an edge, NaN where there is none. */
typedef struct sl_trace_level {
    const char *label; /* "x0 - x1" of a root, the condition as it was asked for */
    bool is_root;      /* the curve matters, else the cell */
    uint8_t *inside;   /* [(n + 1) * (n + 1)] at the corners, row by row from low to high */
    float *across;     /* [(n + 1) * n] on edges along the first axis, row by row */
    float *up;         /* [n * (n + 1)] on edges along the second, row by row */
} sl_trace_level;

enum { SL_TRACE_CELLS = 150, SL_TRACE_ARROWS = 21, SL_TRACE_ROOTS = 12 };

typedef struct sl_trace_arrow {
    double x[2], dx[2]; /* where, and the derivatives there; NaN: there is no motion */
} sl_trace_arrow;

typedef struct sl_trace_plane {
    double low[2], high[2]; /* of the box; the variables are the first two curves */
    double time, x[2];
    int32_t *q; /* [n_q] at that time */
    int64_t n_point;
    sl_trace_level *levels;
    int32_t n_level, n_left_out; /* roots beyond the most that are looked at */
    sl_trace_arrow *arrows; /* [SL_TRACE_ARROWS squared] or NULL: the plane alone does not say where motion leads */
} sl_trace_plane;

enum {
    SL_NODE_START = 1,
    SL_NODE_SETTLED = 2,    /* an execution ends here */
    SL_NODE_UNSOLVABLE = 4, /* no derivative */
    SL_NODE_CHOICE = 8      /* several */
};

typedef struct sl_trace_node {
    const int32_t *q; /* [n_q] */
    uint32_t flags;
    const char *note; /* "no derivative (t ≥ 1)"; "" */
} sl_trace_node;

typedef struct sl_trace_edge {
    int32_t from, to;
    const char *label;
    bool choice; /* one of several */
} sl_trace_edge;

typedef struct sl_trace_diagram {
    sl_trace_node *nodes;
    sl_trace_edge *edges;
    int32_t n_node, n_edge;
    bool all; /* all states of the automaton, else those that were reached */
} sl_trace_diagram;

enum { SL_DIAGRAM_ALL = 32, SL_DIAGRAM_MAX = 200 }; /* states: all are shown up to this; no more than this */

/* ---- The whole ---------------------------------------------------------------------------------- */

typedef struct sl_trace {
    sl_arena arena; /* of everything here */
    const char *name;
    bool discrete; /* time is */
    double begin, end;
    const char *outcome; /* of a discrete execution, or why a run ended early: "at rest from t = 3 on"; "" */

    const char **x_names;          /* [n_x] of the curves that were asked for, the first few of them */
    int32_t n_x, n_asked, n_all_x; /* curves, those asked for, all variables */
    double *t, *x;                 /* [n_point], [n_point * n_x]; a row of NaN where values jump */
    int64_t n_point;

    const char **q_names; /* [n_q], all */
    int32_t *q_domains, n_q;
    int32_t *lanes, n_lane; /* those that were asked for */
    sl_trace_change *changes;
    int64_t n_change; /* by time; the first n_q are those of the start */

    double *events;        /* [n_event] when roots were crossed */
    int64_t *event_points; /* [n_event] the point there */
    int64_t n_event;

    sl_trace_plane plane;
    sl_trace_diagram diagram;
} sl_trace;

sl_trace_def sl_trace_default(void);
void sl_trace_fini(sl_trace *trace);
/* "q = 1, heating = 0" of at most so many variables. Returns buf. */
const char *sl_trace_state_text(const sl_trace *trace, const int32_t *q, int32_t most, char *buf, size_t size);

#endif
