/* SPDX-License-Identifier: MIT */
/* sha_impl.h: what a hybrid automaton holds. */
#ifndef SL_AUTOMATA_SHA_IMPL_H
#define SL_AUTOMATA_SHA_IMPL_H

#include "automata/sha.h"

#include "base/memory.h"
#include "dae/equations.h"
#include "expr/cuts.h"
#include "expr/live.h"
#include "expr/tape.h"

typedef struct sha_element {
    char *symbol; /* in the arena */
    sl_expr guard, expr, written;
    int32_t variable;
    int32_t
        parameter; /* of an explicit action: the parameter that carries its value when equations are solved; else -1 */
    sl_expr_loop loop; /* n = 0: none */
} sha_element;

typedef struct sha_variable {
    int32_t graph;            /* its number there */
    int32_t pre;              /* parameter of its value before */
    double start;             /* with which executions begin */
    double given, derivative; /* what was given; NaN: nothing was computed, or there is none */
    double tolerance, nominal, low, high;
    sl_initial_kind kind;
    sl_state_choice state;
    bool is_held; /* what was given holds at the start */
} sha_variable;

typedef SL_ARRAY(sha_element) sha_elements;

/* What was said of the units of variables or parameters. */
typedef struct sha_dimension {
    bool is_parameter;
    int32_t symbol, n;
    sl_dimension d;
} sha_dimension;

struct sl_sha {
    sl_context *ctx;
    sl_exprs *g;
    sl_sda *discrete;
    sl_sda_def discrete_def;
    sl_arena arena;
    SL_ARRAY(sha_variable) variables;
    SL_ARRAY(double) parameters; /* values, by the graph's numbers */
    SL_ARRAY(uint8_t) is_inner;  /* of parameters: pre.x and the like */
    SL_ARRAY(int32_t) start;     /* of discrete variables */
    sha_elements parts[SL_SHA_N_KIND];
    SL_ARRAY(sha_dimension) dimensions; /* by number, of parameters behind those of variables */
    sha_elements initial;               /* equations of the start */
    sl_initial at_start;                /* what was computed */
    /* made by finish */
    bool is_finished;
    sl_expr *equations[2];           /* activities; actions, as equations for the values after */
    sl_equation_set sets[2];         /* of these */
    sl_expr *roots;                  /* root functions */
    sl_live_plan *plan;              /* guards: activities, actions, roots, in this order */
    int32_t *x_of;                   /* [variables of the graph] which continuous variable, or -1 */
    int32_t *root_variables;         /* [n_root] the discrete variable that a root decides; -1: a cut's */
    int32_t *first_root, *next_root; /* of each discrete variable those that decide it, ascending; -1: no more */
    int32_t n_guard, n_graph;
    /* Rows: activities, then what holds at rest, by cut; then roots: those of the automaton, then those of cuts. */
    int32_t n_equation, n_root;
    int32_t *n_cell; /* [n_equation] of loops more than 1; NULL: there are none */
    sl_hybrid_incidence incidence;
    int32_t *row_cut_start, *row_cuts; /* the cuts that a row holds, itself or through arguments of others; ascending */
    int32_t *cut_read_start, *cut_reads;  /* the variables of a cut's argument and limit, ascending */
    int32_t *action_start, *action_reads; /* ... of an action */
    int32_t *cut_root_start;              /* [n_cut + 1] the roots of a cut */
    int32_t *root_sides;                  /* [n_root] which root of its cut it is */
    bool slides;                          /* comparisons may rest */
    uint8_t *merged;                      /* [activities] SHA_MERGED, SHA_REPLACED, 0; NULL: none */
    sl_cuts cuts;                         /* of activities; of roots where time alone decides */
    char **cut_names;                     /* [n_cut] as they are written */
    sl_expr *cut_values;                  /* [3 n_cut] of each its argument, the slope and the limit of that */
    sl_expr *times;                       /* [2 n_time] of each root of time its value at t = 0 and its slope */
    int32_t *time_start;                  /* [n_cut + 1] those of each cut; none: it does not change by itself */
    uint8_t *is_blind;                    /* [n_cut] no equation holds a derivative that its slope needs */
    sl_variable_hint *hints;              /* [variables of the graph] sl_equation_set.hints; NULL: none */
    uint8_t *marks;                       /* [parameters of the graph] sl_equation_set.of_parameter; NULL: no cuts */
};

/* When it changes follows from its state. */
static inline bool sha_is_timed(const sl_sha *a, int32_t cut) {
    return a->time_start[cut + 1] > a->time_start[cut];
}

/* sha_relay.c: activities of which a root chooses one become one equation. */
enum { SHA_MERGED = 1, SHA_REPLACED = 2 }; /* always in force; never */
sl_status sl_sha_merge_relays(sl_sha *a);

/* sha_held.c: the roots of cuts, and what activities and roots hold. */
sl_status sl_sha_list_roots(sl_sha *a);
sl_status sl_sha_list_held(sl_sha *a);

/* sha_split.c: cuts the activities and roots (equations and roots of finish, in place); equations has memory for one more row
 * per cut. */
sl_status sl_sha_split(sl_sha *a);

/* sha.c: numbers that make sense, whatever the start of each element. */
bool sl_sha_is_valid(const sl_variable_def *def);

/* Of an activity. */
static inline int32_t sha_n_cell(const sl_sha *a, int32_t activity) {
    int32_t n = a->parts[SL_SHA_ACTIVITY].at[activity].loop.n;
    return n > 1 ? n : 1;
}

/* Where the guards of a kind begin among all. */
static inline int32_t sha_first_guard(const sl_sha *a, sl_sha_kind kind) {
    int32_t first = 0;
    for (int k = 0; k < (int)kind; k++) {
        first += (int32_t)a->parts[k].n;
    }
    return first;
}

#endif
