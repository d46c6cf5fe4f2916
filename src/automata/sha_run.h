/* SPDX-License-Identifier: MIT */
/* sha_run.h: what an execution of a hybrid automaton holds: between sha_run.c, sha_actions.c, sha_components.c and sha_cuts.c. */
#ifndef SL_AUTOMATA_SHA_RUN_H
#define SL_AUTOMATA_SHA_RUN_H

#include "automata/sha_impl.h"

typedef struct sha_instance {
    const sl_sha *a;
    sl_context *ctx;
    sl_arena arena;
    sl_walk walk; /* over the automaton's graph, which is const */
    sl_live *live;
    uint8_t *on;      /* [n_guard] */
    int32_t *changed; /* [n_guard] */
    int32_t *q;       /* [n_q] that the guards belong to */
    sl_sda_run *run;
    int32_t *taken, n_taken;   /* [n_transition] those that were active in the last discrete step */
    int32_t *moved, *moved_to; /* [n_q] room for changes */
    double *p;                 /* parameters with values before actions */
    double *x[2];              /* [n_graph] for actions and cuts */

    /* sha_actions.c */
    int32_t *acting, *acting_place,
        n_acting;                 /* [n_action] those in force, in any order; where they stand there, or -1 */
    uint8_t *acted;               /* [n_action] those that acted last */
    int32_t *last_acted, n_acted; /* ... as a list, ascending */
    double *values;               /* [n_action] */
    int32_t *setter;              /* [n_x] the action that sets it, 0: none, else one more */
    SL_ARRAY(int32_t) acted_on;   /* variables that actions in force set */
    SL_ARRAY(int32_t) acted_by;   /* ... read */
    uint8_t *is_acted;            /* [n_x] is in the first, and the second, of these: bits 1 and 2 */

    /* sha_components.c */
    sl_equation_space *space;
    bool is_reported;             /* changes of q are reported */
    bool is_astray, is_elsewhere; /* ... but the guards, the discrete run belong to others */
    bool is_stale;                /* guards do not know the reported changes yet */
    int32_t *since, n_since;      /* [n_q] what was reported since the last discrete execution began */
    uint8_t *is_since;
    uint8_t *force;          /* [n_equation + n_root] rows in force */
    int32_t *noted, n_noted; /* ... that changed since somebody asked */
    uint8_t *is_noted;
    SL_ARRAY(sl_expr) root_room;
    SL_ARRAY(int32_t) cut_room;

    /* sha_cuts.c */
    double *cuts;              /* [n_cut] states in force */
    int32_t *n_user;           /* [n_cut] equations in force, and roots, that hold it */
    uint8_t *tried;            /* [n_cut] what was tried at this instant, see sha_cuts.c */
    int32_t *trials, n_trial;  /* those of which something was tried */
    uint8_t *is_outside;       /* [n_cut] the range of its table was left, and that was said */
    bool has_crossed;          /* ... since roots of cuts have fired */
    double *cut_values;        /* [3 n_cut] arguments, their slopes, limits; of those that were asked for last */
    int32_t *looked, n_looked; /* [n_cut] ... which */
    uint8_t *is_looked;
    double *cuts_before; /* [n_cut] of those that changed in this call: their states before */
    int32_t *cuts_changed, n_changed;
    uint8_t *is_changed;
} sha_instance;

/* What a compiled part is; its arrays follow. */
typedef struct sha_part {
    sl_equations *system;
    size_t n_byte;
    int32_t n_root, n_cut, n_time;
    int32_t *roots, *cuts; /* by their numbers in the automaton; cuts ascending */
    sl_tape *cut_tape;     /* [3 n_cut] */
    sl_tape *time_tape;    /* [2 n_time] */
    double *values;        /* of both */
    void *work;
} sha_part;

/* sha_run.c: brings the guards in line with q; takes the guards that the live graph has changed. */
void sl_sha_follow(sha_instance *s, const int32_t *q);
void sl_sha_update_guards(sha_instance *s);

/* sha_cuts.c: cuts as src/hybrid knows them. */
bool sl_sha_take_cuts(sha_instance *s);
int32_t sl_sha_n_cut(const void *instance);
/* At the start: parameters of all cuts. */
void sl_sha_begin_cuts(sha_instance *s);
void sl_sha_set_cuts(void *instance, int32_t n, const int32_t *which, const double *cuts);
bool sl_sha_cuts_are_valid(const void *instance, const double *cuts);
sl_status sl_sha_cut(void *instance, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out);
void sl_sha_cut_name(const void *instance, int32_t cut, char text[SL_HYBRID_CUT_NAME]);
double sl_sha_component_limit(void *instance, const sl_hybrid_mode *mode, double t);
/* An equation that holds cuts comes into force, or goes. */
void sl_sha_use_cuts(sha_instance *s, int32_t row, bool on);

/* sha_components.c: parts as src/hybrid knows them. */
bool sl_sha_take_lists(sha_instance *s);
const sl_hybrid_incidence *sl_sha_incidence(const void *instance);
void sl_sha_changed(void *instance, int32_t n, const int32_t *which, const int32_t *q);
sl_status sl_sha_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out);
sl_status sl_sha_compile_component(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                                   const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out);
void sl_sha_release_component(void *instance, int32_t id, const sl_hybrid_mode *mode);
void sl_sha_stand(void *instance, int32_t variable, double value);
/* Row i is in force, or not. */
void sl_sha_set_force(sha_instance *s, int32_t row, bool on);
/* Guard i has changed. */
void sl_sha_note_guard(sha_instance *s, int32_t guard);

/* sha_actions.c */
bool sl_sha_take_actions(sha_instance *s);
void sl_sha_note_action(sha_instance *s, int32_t action, bool on);
sl_status sl_sha_act(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted);
const int32_t *sl_sha_acted_on(const void *instance, int32_t *n);
const int32_t *sl_sha_acted_by(const void *instance, int32_t *n);

#endif
