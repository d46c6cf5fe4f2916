/* SPDX-License-Identifier: MIT */
/* bits.h: the discrete model of a multibody flow network: its variables, and one discrete step.
 *
 * Every variable is 0 or 1. A valve has 16 (its tub's among them), a pipe 29; they stand in that order, valves first, so that a
 * component is a block of an array. Joint: the component holds water that is joined to its valve. Leg: there is water that could be.
 * Flow: 0 not negative, 1 not positive; a tub's flow is positive into the network, a pipe's downstream. Source: water comes to the
 * valve from here. Events last for one discrete execution; controls are impulses from outside, and the next step takes them
 * back.
 *
 * A step evaluates guards only where something has changed: around what has flipped, valves and pipes that touch it. Whoever
 * writes variables says so (sl_tunnel_mark). No discrete execution takes more than SL_TUNNEL_STEPS_MAX steps, on any network
 * (docs/theory/tunnel.md#discrete).
 */
#ifndef SL_TUNNEL_BITS_H
#define SL_TUNNEL_BITS_H

#include "tunnel/network.h"

enum {
    SL_VALVE_JOINT = 0,
    SL_VALVE_SEED,
    SL_VALVE_COLL,
    SL_VALVE_REC,
    SL_TUB_LEG,
    SL_TUB_JOINT,
    SL_TUB_FLOW,
    SL_TUB_SRC,
    SL_TUB_BRANCH,
    SL_TUB_SEED,
    SL_TUB_CUT,
    SL_TUB_REC,
    SL_TUB_LEGCTL,
    SL_TUB_FLOWCTL,
    SL_TUB_OPEN,
    SL_TUB_OPENCTL,
    SL_VALVE_N_BIT
};

enum { SL_MID_JOINT = 0, SL_MID_BRANCH, SL_MID_COLL, SL_MID_REC, SL_MID_CTL, SL_MID_N_BIT };

/* Of each end, after the middle of its pipe. */
enum {
    SL_END_LEG = 0,
    SL_END_LEGCTL,
    SL_END_JOINT,
    SL_END_FLOW,
    SL_END_SRC,
    SL_END_BRANCH,
    SL_END_SEED,
    SL_END_REC,
    SL_END_CUT,
    SL_END_FLOWCTL,
    SL_END_OPEN,
    SL_END_OPENCTL,
    SL_END_N_BIT
};

enum { SL_PIPE_N_BIT = SL_MID_N_BIT + 2 * SL_END_N_BIT, SL_TUNNEL_STEPS_MAX = 5 };

static inline int32_t sl_tunnel_n_bit(const sl_tunnel_network *net) {
    return SL_VALVE_N_BIT * net->n_valve + SL_PIPE_N_BIT * net->n_pipe;
}
/* Where the blocks begin. */
static inline int32_t sl_valve_bits(int32_t v) {
    return SL_VALVE_N_BIT * v;
}
static inline int32_t sl_pipe_bits(const sl_tunnel_network *net, int32_t i) {
    return SL_VALVE_N_BIT * net->n_valve + SL_PIPE_N_BIT * i;
}
/* Of end e = 2 pipe + side. */
static inline int32_t sl_end_bits(const sl_tunnel_network *net, int32_t e) {
    return sl_pipe_bits(net, e / 2) + SL_MID_N_BIT + SL_END_N_BIT * (e % 2);
}
/* The block of a variable: its valve, or n_valve plus its pipe. */
static inline int32_t sl_tunnel_block(const sl_tunnel_network *net, int32_t j) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve;
    return j < n ? j / SL_VALVE_N_BIT : net->n_valve + (j - n) / SL_PIPE_N_BIT;
}
/* The flow bit of a component from which water comes to the valve: a tub or the lower end of a pipe 0, the upper end 1. */
static inline int32_t sl_end_sourcing(int32_t e) {
    return e % 2 == 0;
}
static inline int32_t sl_end_valve(const sl_tunnel_network *net, int32_t e) {
    return net->pipes[e / 2].ends[e % 2].valve;
}

/* Water that is attached to nothing falls to the other end of its pipe, where the pipe is said to let it. */
bool sl_tunnel_end_falls(const sl_tunnel_network *net, const int32_t *q, int32_t e);

/* Which blocks may have guards that hold: valves, then pipes. */
typedef struct sl_tunnel_marks {
    int32_t n, n_old; /* of list; of these, those that steps of the present execution have */
    int32_t *list;    /* [n_valve + n_pipe] */
    uint8_t *is_marked;
    int32_t *flips; /* [n_bit] of the last step */
    int32_t n_flip;
} sl_tunnel_marks;

sl_status sl_tunnel_marks_init(sl_tunnel_marks *m, const sl_tunnel_network *net, sl_context *ctx);
void sl_tunnel_marks_fini(sl_tunnel_marks *m, const sl_tunnel_network *net, sl_context *ctx);
/* Variable j is new. */
void sl_tunnel_mark(sl_tunnel_marks *m, const sl_tunnel_network *net, int32_t j);
void sl_tunnel_mark_all(sl_tunnel_marks *m, const sl_tunnel_network *net);

/* The step from discrete time i: moves q on, flips say what has changed. 0: the execution has settled, and only blocks with events
 * or controls stay marked. */
int32_t sl_tunnel_step(const sl_tunnel_network *net, sl_tunnel_marks *m, int32_t i, int32_t *q);

/* The domain: a tub that there is not is shut for ever, and never wet. */
int32_t sl_tunnel_bit_domain(const sl_tunnel_network *net, int32_t j);

enum { SL_TUNNEL_NAME = 64 };
/* "valve[upper].joint", "end[main,0].flow". */
sl_status sl_tunnel_bit_name(const sl_tunnel_network *net, int32_t j, sl_arena *arena, const char **out);
/* Is a variable an event, and which: "branch", "seed", "coll", "cut" or "rec"; NULL: it is not an event. */
const char *sl_tunnel_bit_event(const sl_tunnel_network *net, int32_t j);

#endif
