/* SPDX-License-Identifier: MIT */
/* structure.h: what moves at a discrete state: columns of water, and the valves at which they meet.
 *
 * A full column fills its pipe and moves as one. Where one of its ends is shut it stands. A half column grows from one end
 * of a pipe; it moves if it is joined to its valve. An open end of a full column that is not joined is a free front, which
 * lasts as long as events are being processed. The head at a wet valve is given (a level outside, or water that falls free), or follows
 * from the columns, or, where nothing moves against the air or a level, is pinned: it is then fixed by convention, so that the
 * highest point of the body is at atmospheric pressure.
 */
#ifndef SL_TUNNEL_STRUCTURE_H
#define SL_TUNNEL_STRUCTURE_H

#include "tunnel/bits.h"
#include "tunnel/set.h"

typedef enum sl_tunnel_column {
    SL_TUNNEL_COLUMN_NONE = 0,
    SL_TUNNEL_COLUMN_HALF,
    SL_TUNNEL_COLUMN_FULL
} sl_tunnel_column;

typedef enum sl_head_rule {
    SL_HEAD_NONE = 0, /* the valve is dry */
    SL_HEAD_LEVEL,    /* that of the water outside */
    SL_HEAD_FALL,     /* the sill's: water falls free */
    SL_HEAD_FREE,     /* what keeps the balance of flows */
    SL_HEAD_PINNED
} sl_head_rule;

typedef struct sl_tunnel_structure {
    uint8_t *column;         /* [2 n_pipe] of which kind the water is that moves at this end */
    uint8_t *joined;         /* [2 n_pipe] it moves, and is joined to the valve */
    uint8_t *head;           /* [n_valve] sl_head_rule */
    uint8_t *is_static;      /* [n_valve] nothing can move there, though no head is given */
    int32_t *body;           /* [n_valve] of wet valves: the first valve of those that columns connect; -1: dry */
    double *pinned;          /* [n_valve] head [m] */
    int32_t *degree, *stack; /* scratch */
    sl_tunnel_set region;    /* what was found anew the last time: whole bodies, and all pipes at their valves */
    sl_arena arena;
} sl_tunnel_structure;

sl_status sl_tunnel_structure_init(sl_tunnel_structure *s, const sl_tunnel_network *net, sl_context *ctx);
void sl_tunnel_structure_fini(sl_tunnel_structure *s);
/* At a q that differs from the last one in these blocks only; those of whole bodies are found anew. */
void sl_tunnel_structure_follow(sl_tunnel_structure *s, const sl_tunnel_network *net, const int32_t *q,
                                const sl_tunnel_set *changed);
/* Adds the valves that moving full columns connect with member valves. */
void sl_tunnel_structure_spread(const sl_tunnel_structure *s, const sl_tunnel_network *net, sl_tunnel_set *set);

/* Positive flow at end e leaves the valve: 1, or reaches it: -1. */
static inline double sl_end_sign(int32_t e) {
    return e % 2 == 0 ? 1.0 : -1.0;
}

/* A moving column fills the pipe of end e, and is joined to the valves at both ends. */
static inline bool sl_tunnel_connects(const sl_tunnel_structure *s, int32_t e) {
    return s->column[e] == SL_TUNNEL_COLUMN_FULL && s->joined[e] && s->joined[e ^ 1];
}

#endif
