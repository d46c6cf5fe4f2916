/* SPDX-License-Identifier: MIT */
/* flow_state.h: state diagrams of a flow network: which parts of it hold water, what is joined, which way it flows, what has just
 * happened; at one moment, or as a film: a frame for each of several moments, in reading order.
 *
 * Rings are joints, filled when wet. Legs (the halves of a pipe) and squares (what is outside of a valve) are filled when there is water
 * in them. A triangle in them is the direction of flow, filled where water comes to the valve from there; such a square has a heavy
 * outline. A bar is a gate that is shut. Events and controls are words beside their component, one colour per family.
 */
#ifndef SL_PLOT_FLOW_STATE_H
#define SL_PLOT_FLOW_STATE_H

#include "plot/picture.h"

/* The state of a component. */
enum {
    SL_FLOW_WET = 1,    /* of a valve and the middle of a pipe: the joint; of an end and an outside: there is water */
    SL_FLOW_JOINED = 2, /* of an end and an outside: with the valve */
    SL_FLOW_BACK = 4,   /* ... the flow bit: not positive */
    SL_FLOW_SOURCE = 8, /* ... water comes to the valve from here */
    SL_FLOW_SHUT = 16
};

/* Events and controls, as bits of words. */
enum {
    SL_FLOW_BRANCH = 0,
    SL_FLOW_SEED,
    SL_FLOW_COLL,
    SL_FLOW_CUT,
    SL_FLOW_REC,
    SL_FLOW_CTL,
    SL_FLOW_LEGCTL,
    SL_FLOW_FLOWCTL,
    SL_FLOW_OPENCTL,
    SL_FLOW_N_WORD
};

typedef struct sl_flow_mark {
    uint16_t words;
    uint8_t is;
} sl_flow_mark;

typedef struct sl_flow_valve {
    const char *name;
    bool has_tub; /* there is something outside */
} sl_flow_valve;

typedef struct sl_flow_pipe {
    const char *name;
    int32_t from, to; /* valves; the graph has no circle */
} sl_flow_pipe;

typedef struct sl_flow_frame {
    const char *head, *line;           /* over it, and below that; "": none */
    const sl_flow_mark *valves, *tubs; /* [n_valve] */
    const sl_flow_mark *mids, *ends;   /* [n_pipe], [2 n_pipe] */
} sl_flow_frame;

typedef struct sl_flow_film {
    const char *second; /* line under the title */
    const sl_flow_valve *valves;
    const sl_flow_pipe *pipes;
    const sl_flow_frame *frames;
    int32_t n_valve, n_pipe, n_frame;
} sl_flow_film;

/* SL_ERR_INPUT: it needs more room than a page has; the diagnostic has the hint. */
sl_status sl_flow_film_draw(sl_picture *p, const sl_flow_film *film, const char *hint);

#endif
