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
    double begin;       /* of the last step [s] */
    double limit;       /* that parts under way have been given [s] */
    int64_t n_crossing; /* in all */
    int64_t n_before;   /* ... before the last step */
    int32_t phase;
    int32_t i;        /* steps of the discrete execution */
    int32_t round;    /* discrete executions at this instant */
    int32_t has_step; /* there is a last step */
    int32_t is_known; /* where no motion is under way: the values belong to the equations of q */
    int32_t spare;
} state_head;

/* How often something has changed of late; zeno.c. */
typedef struct zeno_counter {
    double last, since; /* [s] the last change, the first one of the window; not a number: never */
    int32_t n, n_now;   /* since then, at the time of the last one */
    int32_t piece;      /* by which it changed last, at that time */
    int32_t unused;
} zeno_counter;

typedef struct sl_motion sl_motion; /* motion_impl.h */

/* A value before the pieces of an instant. */
typedef struct old_x {
    int32_t j;
    double x, dx;
} old_x;
typedef struct old_q {
    int32_t j, q;
} old_q;
typedef struct old_counter {
    int32_t item;
    zeno_counter counter;
} old_counter;
typedef struct old_cut {
    int32_t k;
    double state;
} old_cut;

typedef struct old_relief {
    int32_t j;
    double relief;
} old_relief;

struct sl_hybrid {
    sl_context *ctx;
    const sl_hybrid_ops *ops;
    const void *model;
    void *instance;
    sl_hybrid_def def;
    int32_t n_x, n_q, n_cut;

    state_head now;
    double *x,
        *dx; /* [n_x + n_cut]; the last ones: what is unknown while a cut rests. Of parts under way: in integrators */
    double *cuts, *cuts_kept; /* [n_cut] states; between calls of the model the same */
    bool is_trying;           /* consistent values are tried: nothing is counted, and what changes is noted */
    SL_ARRAY(old_cut) tried;
    zeno_counter *counters; /* [2 n_q + n_cut]: changes of discrete variables, roots of each that fired, cuts */
    double *
        relief; /* [n_q] of discrete variables that changed too often: under the policy to hold the time before which roots do
                       not decide them [s], under those to widen and to smooth how often that was asked for; else [0] */
    SL_ARRAY(int32_t) held; /* variables that are held, and maybe some that are no longer */
    int32_t *q;
    int32_t *q_kept;      /* [n_q] between pieces the same: for counting changes */
    int32_t *q_predicted; /* [n_q] but for what is predicted the same as q. NULL: the model wants no predictions */
    SL_ARRAY(int32_t) predicted;         /* variables that the prediction has changed */
    bool is_predicted, predicted_is_any; /* the model has been given one; it may have changed others */
    int32_t zeno;                        /* the counter that is beyond its limits, or -1 */
    double resolution;                   /* ... and the resolution of time there [s] */

    /* The state that saved bytes begin with: where motion stopped last, or what was set. What changed since is remembered. */
    state_head origin;
    SL_ARRAY(old_x) old_x;
    SL_ARRAY(old_q) old_q;
    SL_ARRAY(old_counter) old_counters;
    SL_ARRAY(old_cut) old_cuts;
    SL_ARRAY(old_relief) old_relief;
    uint8_t *x_is_old, *q_is_old, *counter_is_old; /* [n_x + n_cut], [n_q], counters: it is in these lists */
    uint8_t *cut_is_old;                           /* [n_cut] */
    bool is_short;                                 /* a list had no memory */
    SL_ARRAY(sl_hybrid_change) piece_x, piece_q;   /* what the last piece has written */
    int32_t *x_piece, piece;   /* [n_x + n_cut] the piece that has written it last; the present one */
    SL_ARRAY(int32_t) touched; /* discrete variables that the present piece has written */
    SL_ARRAY(int32_t) turned;  /* ... that discrete steps have changed since roots were applied last */
    int64_t n_piece;           /* since the origin */
    SL_ARRAY(int64_t) choices; /* chosen since */
    int64_t n_taken;           /* of them */
    int64_t n_choice;          /* at a choice */

    sl_motion *motion;
    sl_hybrid_stats stats;
    double *room; /* [2 (n_x + n_cut)] for saving */
    char *block;  /* all arrays */
    size_t n_block;
};

/* One piece, whatever it is. */
sl_status sl_hybrid_piece(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out);
/* After q was set from outside. */
void sl_hybrid_store_q(sl_hybrid *h);

/* state.c: the present state becomes the origin. */
void sl_state_mark(sl_hybrid *h);
/* Before x and dx of a variable change in the pieces of an instant. */
bool sl_state_keep_x(sl_hybrid *h, int32_t j);
bool sl_state_keep_q(sl_hybrid *h, int32_t j, int32_t before);
void sl_state_keep_counter(sl_hybrid *h, int32_t item);
bool sl_state_keep_cut(sl_hybrid *h, int32_t k, double before);

/* predict.c: before values, actions and roots are asked for: makes the next discrete execution on a copy of q, if the model wants
 * that, and tells it. Nothing else of the execution changes. */
sl_status sl_hybrid_predict(sl_hybrid *h, sl_diags *diags);
void sl_hybrid_end_prediction(sl_hybrid *h); /* after these */

/* What the end of a step leads to, once its time and values are the state's. n_fired: roots that are none of cuts. */
sl_status sl_hybrid_arrive(sl_hybrid *h, sl_diags *diags, int32_t *n_fired);

/* cuts.c: consistent values in the equations in force at q, and cuts that agree with them. */
sl_status sl_cuts_settle(sl_hybrid *h, sl_diags *diags);
/* The same where values need not exist yet: if they do not, cuts stay, and so may x and dx. */
sl_status sl_cuts_try(sl_hybrid *h);
/* Motion goes on: warns of tables that it leaves. */
sl_status sl_cuts_begin(sl_hybrid *h, sl_diags *diags);
/* The last step ended where roots have fired: their cuts go on. Leaves the number of other roots in n_fired; true in *jumps:
 * the equations have changed, and values are consistent anew, unless other roots have fired too: then they are not yet. */
sl_status sl_cuts_cross(sl_hybrid *h, sl_diags *diags, int32_t *n_fired, bool *jumps);

/* zeno.c: executions without progress. */
void sl_zeno_clear(sl_hybrid *h);
void sl_zeno_count_variable(sl_hybrid *h, int32_t j, bool discrete);
/* A root that decides discrete variable j; resolution: events closer to each other are not distinguished [s]. */
void sl_zeno_count_root(sl_hybrid *h, int32_t j, double resolution);
void sl_zeno_count_cut(sl_hybrid *h, int32_t k, double resolution);
/* SL_ERR_SOLVE when one of these is beyond its limits. */
sl_status sl_zeno_check(sl_hybrid *h, sl_diags *diags);
/* Tells the model what relief there is; after a state was read. */
void sl_zeno_pass_relief(sl_hybrid *h);
/* The next time at which a variable is no longer held [s]. */
double sl_zeno_limit(sl_hybrid *h);
/* After a state was read, or the time set: which are held. false: no memory. */
bool sl_zeno_find_held(sl_hybrid *h);
/* ... when a discrete execution has made n steps and may not. */
sl_status sl_zeno_check_discrete(sl_hybrid *h, int32_t n, sl_diags *diags);

/* Roots of cuts decide no variable, and one that is held is not decided. */
static inline bool sl_hybrid_root_decides(const sl_hybrid *h, int32_t j) {
    return j >= 0 && !(h->def.policy == SL_HYBRID_POLICY_HOLD && h->relief[j] > h->now.t);
}
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
