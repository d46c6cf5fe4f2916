/* SPDX-License-Identifier: MIT */
/* check_impl.h: a check at work: between check.c (guards and equations), check_zeno.c (whether executions end), check_levels.c (what
 * is known of variables) and check_states.c (every state visited). */
#ifndef SL_AUTOMATA_CHECK_IMPL_H
#define SL_AUTOMATA_CHECK_IMPL_H

#include "automata/search.h"

/* Where a variable stands among the levels of a quantity: passed while the position is at least its rank, 1 .. n of the quantity. */
typedef struct sl_check_rank {
    int32_t quantity; /* -1: it is no level */
    int32_t rank;
    bool above;
} sl_check_rank;

typedef struct sl_checker {
    const sl_sda *a;
    sl_check_def def;
    sl_sda_report *report;
    sl_search search;
    sl_check_rank *rank; /* [n_variable] */
    int32_t n_quantity;
    int32_t *n_rank; /* [n_quantity] levels that differ */
    sl_expr given;   /* what questions are about; SL_EXPR_NONE: all states */
    bool undecided;  /* of an action: whether it can act */
    int32_t n_of_kind[SL_FINDING_KINDS];
    int64_t trials_left; /* combinations, of executions that are tried */
    int32_t steps_left;  /* ... of those executions */
    bool memory;         /* short of it, or cancelled: everything ends */
    bool cancelled;
} sl_checker;

/* Adds a finding; witness: with the last yes of the search. */
void sl_checker_note(sl_checker *c, sl_finding finding, bool witness);
/* Asks; a limit is noted, and then the answer is SL_SEARCH_LIMIT. */
sl_search_result sl_checker_ask(sl_checker *c, sl_expr condition, sl_finding about);
/* False: the context's progress asked to stop, and everything ends. */
bool sl_checker_goes_on(sl_checker *c);
/* proved becomes unknown, everything becomes refuted. */
void sl_verdict_lower(sl_verdict *verdict, sl_verdict to);
/* Forgets the findings of a kind. */
void sl_checker_forget(sl_checker *c, sl_finding_kind kind);
void sl_check_zeno(sl_checker *c);

/* The derivative that an explicit equation gives, whole where it is nearly so; and the condition that it is not. */
sl_expr sl_checker_whole(sl_checker *c, sl_expr value);
sl_expr sl_checker_not_whole(sl_checker *c, sl_expr value);

/* ---- Levels: check_levels.c ----------------------------------------------------------------------- */

bool sl_checker_rank(sl_checker *c, sl_arena *arena); /* false: memory */
/* 0 or 1: a variable that is a level, while so many levels of its quantity are passed. */
static inline int32_t sl_level_value(const sl_check_rank *r, int32_t position) {
    return (position >= r->rank) == r->above;
}
/* The condition together with what is known of its variables; all: and of the other levels of their quantities. */
sl_expr sl_checker_with_levels(sl_checker *c, sl_expr condition, bool all);
/* Moves levels of q (random, all 0) to values that they can have together. */
void sl_checker_repair(const sl_checker *c, int32_t *q);

/* ---- Times: check_times.c ------------------------------------------------------------------------- */

/* Guards and equations at a time t from the horizon on are those at t + period. False: they depend on t for ever, or memory. */
bool sl_check_find_times(sl_checker *c, int32_t *horizon, int32_t *period);

/* ---- Every state: check_states.c ------------------------------------------------------------------ */

/* Decides what is unknown, if there are few enough states. */
void sl_check_states(sl_checker *c);

#define SL_NO_FINDING                                   \
    (sl_finding) {                                      \
        .variable = -1, .transition = {-1, -1}, .t = -1 \
    }

#endif
