/* SPDX-License-Identifier: MIT */
/* impl.h: what an execution holds. */
#ifndef SL_HYBRID_IMPL_H
#define SL_HYBRID_IMPL_H

#include "base/memory.h"
#include "hybrid/hybrid.h"

typedef enum hybrid_phase {
    PHASE_INIT = 0, /* consistent values are needed, then roots */
    PHASE_ROOT,
    PHASE_DISCRETE,
    PHASE_CHOICE, /* a way of the discrete step is to be chosen */
    PHASE_ACTION,
    PHASE_GO,   /* motion begins, perhaps anew */
    PHASE_MOVE, /* motion goes on */
    PHASE_END,
    PHASE_FAILED
} hybrid_phase;

/* The fixed part of the state. */
typedef struct state_head {
    double t;
    int64_t n_event;    /* times in the ring of events so far, which is full from max_event on */
    int64_t n_crossing; /* in all */
    int32_t phase;
    int32_t i;        /* steps of the discrete execution */
    int32_t round;    /* discrete executions at this instant */
    int32_t n_step;   /* continuous steps since motion began anew */
    int32_t mode;     /* of x and dx, -1: none; in bytes 0: that of q */
    int32_t is_moved; /* x was changed since motion began: it cannot simply go on */
} state_head;

/* A compiled mode. */
typedef struct mode_slot {
    int32_t id; /* -1: free */
    int64_t used;
    sl_hybrid_mode mode;
    sl_dae *dae;
    uint8_t *active; /* [n_root] */
    uint8_t *above;  /* [n_root] */
    double *x, *dx;  /* [n] room */
    size_t n_room;
} mode_slot;

struct sl_hybrid {
    sl_context *ctx;
    const sl_hybrid_ops *ops;
    const void *model;
    void *instance;
    sl_hybrid_def def;
    int32_t n_x, n_q;

    state_head now;
    double *x, *dx, *events; /* [n_x], [n_x], [max_event] a ring of times */
    int32_t *q;
    int32_t *q_kept; /* [n_q] between pieces the same: for counting changes */
    int32_t *flips;  /* [n_q] changes of late, for messages; no part of the state */

    char *origin;              /* the state where motion began last, from which pieces are replayed */
    int64_t n_piece;           /* since */
    SL_ARRAY(int64_t) choices; /* chosen since */
    int64_t n_taken;           /* of them */
    int64_t n_choice;          /* at a choice */

    /* of motion.c */
    double *x_end;    /* [n_x] at the end of the last step, before what happened there */
    mode_slot *slots; /* [max_mode] */
    int32_t entered;  /* the slot of the equations in force at q */
    int32_t running;  /* the slot whose motion is under way, or -1 */
    int32_t shown;    /* the slot that made the last step, or -1 */
    int64_t clock;    /* uses of slots */

    double begin, end; /* of the last step [s] */
    int64_t n_before;  /* crossings before it */
    sl_hybrid_stats stats;
    char *block; /* all arrays but the slots */
    size_t n_block;
};

/* One piece, whatever it is. */
sl_status sl_hybrid_piece(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out);

/* The whole state as bytes: head, x, dx, times, q. */
size_t sl_state_size(const sl_hybrid *h);
void sl_state_write(const sl_hybrid *h, char *bytes);
/* ... and back. SL_ERR_MEMORY, or what the model says of its mode. */
sl_status sl_state_read(sl_hybrid *h, const char *bytes);
/* From here pieces are counted and replayed. On failure the values are no longer known to be those of a mode. */
sl_status sl_state_mark(sl_hybrid *h);
/* After q was set from outside. */
void sl_hybrid_store_q(sl_hybrid *h);

/* modes.c: the slot of the mode in force at q, compiled if need be. */
sl_status sl_hybrid_find_mode(sl_hybrid *h, sl_diags *diags, int32_t *slot);
void sl_hybrid_close_modes(sl_hybrid *h);
/* Values between the model's variables and a mode's unknowns. */
void sl_mode_gather(const sl_hybrid *h, mode_slot *s);
void sl_mode_scatter(const sl_hybrid *h, const mode_slot *s, const double *x, const double *dx, double *to_x,
                     double *to_dx);

/* zeno.c: executions without progress. */
sl_status sl_zeno_check_event(sl_hybrid *h, sl_diags *diags);
sl_status sl_zeno_check_round(sl_hybrid *h, sl_diags *diags);
sl_status sl_zeno_check_discrete(sl_hybrid *h, sl_diags *diags);

#endif
