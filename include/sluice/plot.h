/* SPDX-License-Identifier: MIT */
/* sluice/plot.h: pictures of results: quantities over time, profiles along a line, maps of a network; and of executions of automata.
 *
 * A picture goes to a sink as SVG (always there), or as PNG or PDF by the cairo library, which is loaded when the first
 * such picture is asked for. The same result, the same request: the same SVG bytes. Values are in the units of the result.
 */
#ifndef SLUICE_PLOT_H
#define SLUICE_PLOT_H

#include <sluice/results.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_plot_kind {
    SL_PLOT_SERIES = 0, /* values over time, states as lanes; many of them as bands */
    SL_PLOT_MAP,        /* the network at a moment */
    SL_PLOT_PROFILE,    /* heads along a line through the network */
    SL_PLOT_KIND_COUNT
} sl_plot_kind;

typedef enum sl_plot_format { SL_PLOT_SVG = 0, SL_PLOT_PNG, SL_PLOT_PDF, SL_PLOT_FORMAT_COUNT } sl_plot_format;

/* Which value of each element a map shows. Of flows it is the size, whatever the direction. */
typedef enum sl_plot_moment { SL_PLOT_AT = 0, SL_PLOT_MIN, SL_PLOT_MAX, SL_PLOT_MEAN } sl_plot_moment;

typedef struct sl_plot_def {
    size_t size;
    sl_plot_kind kind;
    sl_plot_format format;

    /* Series: what is shown, and the part of the run. NULL, or nothing named: variables of an automaton; of a network pressures (all
     * junctions) or heads. Where no quantity is named: pressures or heads of nodes, flows of links. ALL are all junctions where a
     * quantity means something else at tanks and reservoirs. */
    const sl_results_select *select;

    /* Maps: the quantity, one of the result, or elevation or diameter. NULL: pressure or head; elevation of a bare network. */
    const char *what;
    sl_plot_moment moment;
    double time; /* of maps and profiles, for AT: the frame then, or the last before; NaN: the first */

    /* Profiles: ids of nodes, between which the shortest line by length of pipe is taken; or one name of a route of the result. */
    const char *const *route;
    int32_t n_route;

    double low, high;      /* of the value axis or the colours, in the result's unit; NaN: from the values */
    int32_t width, height; /* pixels of 1/96 inch; 0: as fits */
    const char *title;     /* NULL: the result's own */
    bool dark;
} sl_plot_def;

enum { SL_PLOT_SIZE_MIN = 200, SL_PLOT_SIZE_MAX = 16000 }; /* of width and height */

SL_DEFAULT(sl_plot_def, sl_plot_default)

/* Draws. Series and profiles need the result, and net may be NULL; a map the network, and results may be NULL if it shows the network
 * alone. Elements of
 * network and result are matched by id.
 * SL_ERR_INPUT: what is asked for is not there (diagnostics say what is); SL_ERR_IO: the sink refused, or cairo cannot be
 * loaded; SL_ERR_UNSUPPORTED: this build knows no cairo; SL_ERR_USE: a size or a range that cannot be. */
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
    bool states;     /* of all only the discrete ones */
    double from, to; /* [s], or steps of discrete time; NaN: all. The run ends at `to` */
    int32_t n_step;  /* of discrete time, whether it comes to rest or not; -1: until it does. Also for diagrams */

    /* The phase plane of two continuous variables. */
    const char *plane[2];
    double time;              /* [s] the moment: the trajectory up to then, directions and roots then; NaN: the end */
    const char *const *where; /* conditions over the variables; where they hold is shaded */
    int32_t n_where;
    bool equal; /* one scale for both axes */

    bool reached; /* diagrams: only states that executions from the start come to */

    double low, high;      /* of the value axis, of both axes of a plane; NaN: by the values */
    int32_t width, height; /* as above */
    const char *title;     /* NULL: the automaton's name */
    bool dark;
} sl_plot_automaton_def;

SL_DEFAULT(sl_plot_automaton_def, sl_plot_automaton_default)

/* Reads an automaton from text (docs/reference/automaton.md; name: as messages call it), runs it and draws. *run says how the
 * execution went: SL_ERR_SOLVE when it failed on the way; the picture shows the time before and diagnostics the reason.
 * Returned: SL_ERR_INPUT: the text is wrong or has not what is asked for (diagnostics); else as sl_plot. */
SL_API sl_status sl_plot_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name,
                                   const sl_plot_automaton_def *def, sl_diags *diags, const sl_sink *sink,
                                   sl_status *run);

#ifdef __cplusplus
}
#endif
#endif
