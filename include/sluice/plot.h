/* SPDX-License-Identifier: MIT */
/* sluice/plot.h: pictures of results (quantities over time, profiles along a line, maps of a network), automata and tunnels.
 *
 * A picture is written to a sink as SVG, PNG or PDF. SVG is always available. PNG and PDF need the cairo library, which is
 * loaded for the first such picture. Equal results and definitions give equal SVG bytes. Values are in the units of the result.
 */
#ifndef SLUICE_PLOT_H
#define SLUICE_PLOT_H

#include <sluice/results.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_plot_kind {
    SL_PLOT_SERIES = 0, /* values over time, states as lanes; many series as percentile bands */
    SL_PLOT_MAP,        /* the network at a moment */
    SL_PLOT_PROFILE,    /* heads along a line through the network */
    SL_PLOT_KIND_COUNT
} sl_plot_kind;

typedef enum sl_plot_format { SL_PLOT_SVG = 0, SL_PLOT_PNG, SL_PLOT_PDF, SL_PLOT_FORMAT_COUNT } sl_plot_format;

/* The value of each element on a map. For flows it is the magnitude. */
typedef enum sl_plot_moment { SL_PLOT_AT = 0, SL_PLOT_MIN, SL_PLOT_MAX, SL_PLOT_MEAN } sl_plot_moment;

typedef struct sl_plot_def {
    size_t size;
    sl_plot_kind kind;
    sl_plot_format format;

    /* Series: selected variables and times. Default (NULL, or nothing selected): the variables of an automaton; the pressures of all
     * junctions of a network, or heads. Default quantities: pressures or heads of nodes, flows of links. ALL means all junctions if a
     * quantity has another meaning at tanks and reservoirs. */
    const sl_results_select *select;

    /* Maps: the quantity, one of the result, or elevation or diameter. NULL: pressure or head; elevation of a bare network. */
    const char *what;
    sl_plot_moment moment;
    double time; /* of maps and profiles with AT: the last frame up to this time; NaN: the first frame */

    /* Profiles: ids of nodes, which the shortest line of pipes connects; or the name of one route of the result. */
    const char *const *route;
    int32_t n_route;

    double low, high;      /* limits of the value axis or the colours, in the result's unit; NaN: from the values */
    int32_t width, height; /* pixels of 1/96 inch; 0: automatic */
    const char *title;     /* NULL: the result's own */
    bool dark;
} sl_plot_def;

enum { SL_PLOT_SIZE_MIN = 200, SL_PLOT_SIZE_MAX = 16000 }; /* of width and height */

SL_DEFAULT(sl_plot_def, sl_plot_default)

/* Draws a picture. Series and profiles need the result, and net may be NULL. A map needs the network, and results may be NULL if it shows
 * the network alone. Elements of network and result are matched by id. SL_ERR_INPUT: a requested element or quantity does not exist
 * (diagnostics list those that do); SL_ERR_IO: the sink refused, or cairo cannot be loaded; SL_ERR_UNSUPPORTED: this build has no cairo;
 * SL_ERR_USE: a size or a range is not possible. */
SL_API sl_status sl_plot(sl_context *ctx, const sl_network *net, sl_results *results, const sl_plot_def *def,
                         sl_diags *diags, const sl_sink *sink);

/* ---- Automata ----------------------------------------------------------------------------------- */

typedef enum sl_automaton_picture {
    SL_AUTOMATON_OVER_TIME = 0, /* curves of continuous variables, lanes of discrete ones */
    SL_AUTOMATON_PHASE,         /* one continuous variable over another, with the directions of motion */
    SL_AUTOMATON_DIAGRAM,       /* states and transitions */
    SL_AUTOMATON_PICTURE_COUNT
} sl_automaton_picture;

typedef struct sl_plot_automaton_def {
    size_t size;
    sl_automaton_picture kind;
    sl_plot_format format;
    bool dot; /* a diagram as text for Graphviz instead */

    /* Over time. */
    const char *const *names; /* variables; none: all (the first eight curves, the first forty lanes) */
    int32_t n_name;
    bool states;     /* without names: only the discrete variables */
    double from, to; /* [s], or steps of discrete time; NaN: all. The run ends at `to` */
    int32_t n_step;  /* steps of discrete time; -1: until the execution settles. Also for diagrams */

    /* The phase plane of two continuous variables. */
    const char *plane[2];
    double time;              /* [s] end of the trajectory, and time of directions and roots; NaN: the end of the run */
    const char *const *where; /* conditions on the variables; the region in which they hold is shaded */
    int32_t n_where;
    bool equal; /* one scale for both axes */

    bool reached; /* diagrams: only states that executions from the start reach */

    double low, high;      /* limits of the value axis, or of both axes of a plane; NaN: from the values */
    int32_t width, height; /* as above */
    const char *title;     /* NULL: the automaton's name */
    bool dark;
} sl_plot_automaton_def;

SL_DEFAULT(sl_plot_automaton_def, sl_plot_automaton_default)

/* Reads an automaton from text (docs/reference/automaton.md), runs it and draws it. name is the name of the text in messages. *run is the
 * status of the execution. SL_ERR_SOLVE: it failed; the picture shows the time before, and a diagnostic has the reason. The function
 * returns SL_ERR_INPUT if the text has errors or lacks a requested item (diagnostics), else a status as sl_plot. */
SL_API sl_status sl_plot_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name,
                                   const sl_plot_automaton_def *def, sl_diags *diags, const sl_sink *sink,
                                   sl_status *run);

#ifdef __cplusplus
}
#endif
#endif
