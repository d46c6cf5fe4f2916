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
    int64_t n_crossing; /* in all */
    int32_t phase;
    int32_t i;        /* steps of the discrete execution */
    int32_t round;    /* discrete executions at this instant */
    int32_t n_step;   /* continuous steps since motion began anew */
    int32_t mode;     /* of x and dx, -1: none; in bytes 0: that of q */
    int32_t is_moved; /* x was changed since motion began: it cannot simply go on */
} state_head;

/* How often something has changed of late; zeno.c. */
typedef struct zeno_counter {
    double last, since; /* [s] the last change, the first one of the window; not a number: never */
    int32_t n, n_now;   /* since then, at the time of the last one */
    int32_t piece;      /* by which it changed last, at that time */
    int32_t unused;
} zeno_counter;

/* A compiled mode. */
typedef struct mode_slot {
    int32_t id; /* -1: free */
    int64_t used;
    sl_hybrid_mode mode;
    sl_dae *dae;
    uint8_t *active; /* [n_root] */
    uint8_t *above;  /* [n_root] */
    double *x, *dx;  /* [n] room */
    double *seconds; /* [n_root] room */
    size_t n_room;
} mode_slot;

struct sl_hybrid {
    sl_context *ctx;
    const sl_hybrid_ops *ops;
    const void *model;
    void *instance;
    sl_hybrid_def def;
    int32_t n_x, n_q, n_cut;

    state_head now;
    double *x, *dx;                         /* [n_x + n_cut]; the last ones: what is unknown while a cut rests */
    double *cuts, *cuts_before, *cuts_kept; /* [n_cut] states; scratch */
    bool is_trying;                         /* consistent values are tried: nothing is counted */
    zeno_counter *counters; /* [2 n_q + n_cut]: changes of discrete variables, roots of each that fired, cuts */
    double *
        relief; /* [n_q] of discrete variables that changed too often: under the policy to hold the time before which roots do
                       not decide them [s], under those to widen and to smooth how often that was asked for; else [0] */
    int32_t *q;
    int32_t *q_kept;   /* [n_q] between pieces the same: for counting changes */
    int32_t zeno;      /* the counter that is beyond its limits, or -1 */
    double resolution; /* ... and what could be told apart there [s] */

    char *origin;              /* the state where motion began last, from which pieces are replayed */
    int64_t n_piece;           /* since */
    SL_ARRAY(int64_t) choices; /* chosen since */
    int64_t n_taken;           /* of them */
    int64_t n_choice;          /* at a choice */

    /* of motion.c */
    double *x_end;    /* [n_x + n_cut] at the end of the last step, before what happened there */
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

/* The whole state as bytes: head, x, dx, cuts, counters, relief, q. */
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
void sl_mode_scatter(const mode_slot *s, const double *x, const double *dx, int32_t n_to, double *to_x, double *to_dx);

/* cuts.c: consistent values in the equations in force at q, and cuts that agree with them. */
sl_status sl_cuts_settle(sl_hybrid *h, sl_diags *diags);
/* The same where values need not exist yet: on failure cuts stay, and so may x and dx. */
void sl_cuts_try(sl_hybrid *h);
/* Motion goes on: warns of tables that it leaves. */
sl_status sl_cuts_begin(sl_hybrid *h, sl_diags *diags);
/* The last step ended where roots have fired: their cuts go on. Leaves the number of other roots in n_fired; true in *jumps:
 * the equations have changed, and values are consistent anew, unless other roots have fired too: then they are not yet. */
sl_status sl_cuts_cross(sl_hybrid *h, sl_diags *diags, int32_t *n_fired, bool *jumps);

/* zeno.c: executions without progress. */
void sl_zeno_clear(sl_hybrid *h);
void sl_zeno_count_variable(sl_hybrid *h, int32_t j, bool discrete);
/* A root that decides discrete variable j; resolution: events closer to each other cannot be told apart [s]. */
void sl_zeno_count_root(sl_hybrid *h, int32_t j, double resolution);
void sl_zeno_count_cut(sl_hybrid *h, int32_t k, double resolution);
/* SL_ERR_SOLVE when one of these is beyond its limits. */
sl_status sl_zeno_check(sl_hybrid *h, sl_diags *diags);
/* Tells the model what relief there is; after a state was read. */
void sl_zeno_pass_relief(sl_hybrid *h);
/* The next time at which a variable is no longer held [s]. */
double sl_zeno_limit(const sl_hybrid *h);
sl_status sl_zeno_check_discrete(sl_hybrid *h, sl_diags *diags);

static inline int32_t sl_hybrid_n_all(const sl_hybrid *h) {
    return h->n_x + h->n_cut;
}
static inline size_t sl_hybrid_n_relief(const sl_hybrid *h) {
    bool any = h->def.policy == SL_HYBRID_POLICY_HOLD || h->def.policy == SL_HYBRID_POLICY_WIDEN ||
               h->def.policy == SL_HYBRID_POLICY_SMOOTH;
    return any ? (size_t)h->n_q : 0;
}
static inline size_t sl_hybrid_n_counter(const sl_hybrid *h) {
    return 2 * (size_t)h->n_q + (size_t)h->n_cut;
}

#endif
