/* SPDX-License-Identifier: MIT */
/* history.h: the discrete states of an execution one by one, for people: from the events of a run or of its result, or of discrete
 * executions alone, which controls begin.
 *
 * Events name what changed; which changes belong to one discrete step is found by making the steps again. What comes out must be what the
 * events say, else they are those of another model.
 */
#ifndef SL_TUNNEL_HISTORY_H
#define SL_TUNNEL_HISTORY_H

#include "tunnel/bits.h"

/* The state at a discrete time of a discrete execution. */
typedef struct sl_tunnel_frame {
    double t;          /* [s]; NaN: there is no continuous time */
    int32_t execution; /* from 0, of the whole history */
    int32_t step;      /* discrete time in it */
    bool is_last;      /* the execution has settled */
    int64_t at;        /* where its n_bit values begin in `states` */
    const char *cause; /* what began the execution: "fill(main): mid[main].ctl"; "": events that were pending */
} sl_tunnel_frame;

typedef struct sl_tunnel_history {
    sl_context *ctx;
    const sl_tunnel_network *net;
    int32_t n_bit;
    int32_t *q; /* [n_bit] the present state */
    /* Which frames are kept; all others are counted. */
    double from, to; /* [s] */
    bool only_last;  /* of each execution its last one */
    int32_t most;
    SL_ARRAY(sl_tunnel_frame) frames;
    SL_ARRAY(uint8_t) states;
    int64_t n_left_out; /* frames within from and to, beyond the most */
    /* between the functions */
    sl_arena arena;
    sl_ids *names;
    sl_tunnel_marks marks;
    SL_ARRAY(int32_t) flips; /* of the present execution, by events: 2 variable + value */
    uint8_t *told;           /* [n_bit] scratch */
    double t;
    int32_t execution;
    char cause[256];
} sl_tunnel_history;

/* What a run says of an event, as sluice/session.h has it. */
typedef struct sl_tunnel_event {
    double t; /* [s] */
    const char *kind, *element, *cause;
    double to;
} sl_tunnel_event;

/* From this state, [n_bit]. All frames of all times are kept unless something else is set after it. */
sl_status sl_tunnel_history_init(sl_tunnel_history *h, const sl_tunnel_network *net, sl_context *ctx, const int32_t *q);
void sl_tunnel_history_fini(sl_tunnel_history *h);

/* A variable by its name, "tub[gate].legctl"; -1: there is none. */
int32_t sl_tunnel_history_find(const sl_tunnel_history *h, sl_str name);
/* ... and the one that was probably meant; NULL: none is near. */
const char *sl_tunnel_history_nearest(const sl_tunnel_history *h, sl_str name);
const char *sl_tunnel_history_name(const sl_tunnel_history *h, int32_t j);

/* The next event of a run. SL_ERR_INPUT: no execution of this network has such events. */
sl_status sl_tunnel_history_take(sl_tunnel_history *h, const sl_tunnel_event *event);
/* After the last event. */
sl_status sl_tunnel_history_end(sl_tunnel_history *h);

/* One discrete execution, with these controls (and whatever else is to change before it). */
sl_status sl_tunnel_history_execute(sl_tunnel_history *h, int32_t n, const int32_t *controls);

#endif
