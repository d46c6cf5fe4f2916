/* SPDX-License-Identifier: MIT */
/* sha_run.h: what an execution of a hybrid automaton holds: between sha_run.c and sha_cuts.c. */
#ifndef SL_AUTOMATA_SHA_RUN_H
#define SL_AUTOMATA_SHA_RUN_H

#include "automata/sha_impl.h"

#include "base/ids.h"

/* A mode that was met. */
typedef struct sha_mode {
    sl_equations *system; /* NULL: not compiled, or released */
    int32_t *variables;   /* which continuous variables its unknowns are; kept */
    double *tolerances;
    int32_t *used, n_used;           /* cuts in its equations and roots, ascending */
    int32_t *root_variables, n_root; /* discrete variables that roots decide; -1: a cut's */
    sl_expr *roots;
    int32_t *root_cuts, *root_sides; /* [n_root] the cut, or -1, and which of its roots */
} sha_mode;

typedef struct sha_instance {
    const sl_sha *a;
    sl_context *ctx;
    sl_arena arena;
    sl_walk walk; /* over the automaton's graph, which is const */
    sl_live *live;
    uint8_t *on;                  /* [n_guard] */
    int32_t *changed;             /* [n_guard] */
    int32_t *q;                   /* [n_q] that the guards belong to */
    sl_ids *modes;                /* sets of active activities */
    uint8_t *bits;                /* of the present one */
    size_t n_bits, n_guard_bytes; /* all; those of activities, after which bits of cuts at rest follow */
    int32_t mode;                 /* its number, or -1: to be found */
    SL_ARRAY(sha_mode) met;       /* by mode */
    sl_sda_run *run;
    int32_t *taken, n_taken;   /* [n_transition] those that were active in the last discrete step */
    int32_t *moved, *moved_to; /* [n_q] room for changes */
    double *p;                 /* parameters with values before actions */
    double *x[2];              /* [n_graph] for tapes */
    double *values;            /* [n_action] */
    uint8_t *acted;            /* [n_action] those that acted last */
    double *new_x;             /* [2 n_x] */
    void *work;

    /* sha_components.c */
    sl_equation_space *space;     /* NULL: it moves as one */
    bool is_reported;             /* changes of q are reported */
    bool is_astray, is_elsewhere; /* ... but the guards, the discrete run belong to others */
    bool is_stale;                /* guards do not know the reported changes yet */
    int32_t *since, n_since;      /* [n_q] what was reported since the last discrete execution began */
    uint8_t *is_since;
    int32_t *noted, n_noted; /* [n_activity + n_root] guards that changed since somebody asked */
    uint8_t *is_noted;
    int32_t *acting, *acting_place,
        n_acting;                  /* [n_action] those in force, in any order; where they stand there, or -1 */
    int32_t *acted_on, n_acted_on; /* [n_action] variables that actions in force set; -1: any */
    int32_t *last_acted, n_acted;  /* [n_action] those that acted last */
    SL_ARRAY(sl_expr) root_room;

    double *cuts;        /* [n_cut] states in force */
    uint8_t *held;       /* [n_graph] unknowns of cuts that are not at rest */
    uint8_t *tried;      /* [n_cut] what was tried at this instant, see sha_cuts.c */
    uint8_t *is_outside; /* [n_cut] the range of its table was left, and that was said */
    bool has_crossed;    /* ... since roots of cuts have fired */
    double *cut_values;  /* [3 n_cut] arguments, their slopes, limits */
    double *times;       /* [2 n_time] values at 0 and slopes of the roots of time */
    void *cut_work;
} sha_instance;

/* sha_cuts.c: cuts as src/hybrid knows them. */
bool sl_sha_take_cuts(sha_instance *s);
int32_t sl_sha_n_cut(const void *instance);
void sl_sha_set_cuts(void *instance, const double *cuts);
bool sl_sha_cuts_are_valid(const void *instance, const double *cuts);
sl_status sl_sha_cut(void *instance, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out);
void sl_sha_cut_name(const void *instance, int32_t cut, char text[SL_HYBRID_CUT_NAME]);
double sl_sha_limit(const void *instance, double t, const int32_t *q);
/* The cuts in n rows (activities) and in the roots, and the roots that they add to the mode; the cuts in force are those of
 * set_cuts. */
sl_status sl_sha_find_cuts(sha_instance *s, sha_mode *m, int32_t n_row, const int32_t *rows);
/* The values of their unknowns in a mode where they are none. */
void sl_sha_hold_cuts(const sha_instance *s, sl_equations *system);
sl_status sl_sha_find_mode(sha_instance *s, int32_t *id);

/* Brings the guards in line with q. */
void sl_sha_follow(sha_instance *s, const int32_t *q);

/* sha_components.c: parts as src/hybrid knows them. */
const sl_hybrid_incidence *sl_sha_incidence(const void *instance);
void sl_sha_changed(void *instance, int32_t n, const int32_t *which, const int32_t *q);
sl_status sl_sha_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out);
sl_status sl_sha_compile_component(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                                   const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out);
void sl_sha_release_component(sha_instance *s, const sl_hybrid_mode *mode);
void sl_sha_stand(void *instance, int32_t variable, double value);
const int32_t *sl_sha_acted_on(const void *instance, int32_t *n);
void sl_sha_note_guard(sha_instance *s, int32_t guard);

#endif
