/* SPDX-License-Identifier: MIT */
/* sda_impl.h: what an automaton and a run are made of, for the files of src/automata. */
#ifndef SL_AUTOMATA_SDA_IMPL_H
#define SL_AUTOMATA_SDA_IMPL_H

#include "automata/sda.h"
#include "base/memory.h"
#include "expr/live.h"

typedef SL_ARRAY(int32_t) sl_int_array;

typedef struct sl_sda_variable {
    int32_t graph; /* its number there */
    int32_t n;     /* values 0 .. n - 1 */
} sl_sda_variable;

typedef struct sl_sda_transition {
    const char *symbol;
    sl_expr equation, guard;
    sl_expr written;                  /* the equation as it was given */
    int32_t first_unknown, n_unknown; /* variables whose derivatives the equation holds */
} sl_sda_transition;

/* A transition in a phase. Where an equation is c der(q) + r(t, q) = 0 with a constant c it is explicit and its value is -r/c, the
 * derivative; else its value is the residual. */
typedef struct sl_sda_phase_transition {
    sl_expr guard, value; /* free of t, if there are phases for it */
    bool explicit_value;
    int32_t guard_root, value_root; /* of the live plan */
} sl_sda_phase_transition;

struct sl_sda {
    sl_context *ctx;
    sl_exprs *g;
    sl_arena arena;
    SL_ARRAY(sl_sda_variable) variables;
    SL_ARRAY(sl_sda_transition) transitions;
    sl_int_array unknowns, of_graph;
    bool finished;
    int32_t horizon;
    int32_t n_phase; /* times that are distinguished; 1 and not phased: t is a leaf of the live plan */
    bool phased;
    sl_sda_phase_transition *parts; /* by phase, then transition */
    sl_live_plan *plan;
    int32_t n_root;
    int32_t *transition_of_root; /* part whose guard a root is; -1: a value */
    int32_t *first_user, *users; /* transitions that have a variable as unknown */
};

static inline sl_sda_phase_transition *sl_sda_phase_transition_at(const sl_sda *a, int32_t phase, int32_t transition) {
    return &a->parts[(int64_t)phase * a->transitions.n + transition];
}
static inline int32_t sl_sda_phase(const sl_sda *a, int32_t t) {
    return t < a->n_phase ? t : a->n_phase - 1;
}

/* The part of a group's solutions. */
typedef struct sl_sda_group {
    int64_t first_variable, n_variable; /* in group_variables, ascending */
    int64_t first_value;                /* of n_solution times n_variable values */
    int64_t n_solution;
} sl_sda_group;

struct sl_sda_run {
    sl_context *ctx;
    const sl_sda *a;
    sl_sda_def def;
    sl_sda_state state;
    bool truncated; /* there are more solutions than are kept */
    int32_t t, t0;  /* now, and where its history begins */
    sl_live *live;
    int32_t *q;
    uint64_t hash; /* of q */
    /* Parts with a true guard, per phase: list[phase] in no order, and the place of each part in it (-1: not active). */
    sl_int_array *list;
    int32_t *location;
    sl_int_array active, conflict;
    /* The derivatives. */
    SL_ARRAY(sl_sda_group) groups;
    sl_int_array group_variables, values;
    int32_t *group_of, *slot_of; /* of a variable, if its mark is the stamp */
    uint32_t *mark, *transition_mark, stamp;
    int64_t n_choice;
    /* History. */
    SL_ARRAY(sl_sda_change) changes;
    SL_ARRAY(int64_t) starts;  /* of the changes of each step since t0 */
    SL_ARRAY(uint64_t) hashes; /* of the state at each t from t0 on */
    sl_int_array seen;         /* table of times by hash, a power of two, -1: free */
    int32_t cycle_first, cycle_length;
    /* Scratch. */
    int32_t *changed;
    sl_int_array queue, equations, unknowns, trial, kept, completion;
    int64_t n_trial, n_work; /* combinations tried of a group, by the run */
};

/* All derivatives at the present point into groups; false: none, given up, or memory (state says so). */
bool sl_sda_derive(sl_sda_run *run);
void sl_sda_sort(sl_int_array *items);

#endif
