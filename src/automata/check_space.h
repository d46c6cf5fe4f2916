/* SPDX-License-Identifier: MIT */
/* check_space.h: every state of an automaton, or of a set, as a number; and a run that is put to any of them.
 *
 * A state is the sum of digits times weights. A digit is the value of a variable that matters, or the position of a quantity among its
 * levels, which decides several variables at once. Users: check_states.c (points), check_executions.c.
 */
#ifndef SL_AUTOMATA_CHECK_SPACE_H
#define SL_AUTOMATA_CHECK_SPACE_H

#include "automata/check_impl.h"

typedef struct sl_digit {
    int32_t n;                  /* values */
    int32_t variable, quantity; /* one of them is -1 */
    int32_t fixed;              /* the only value of the variable; -1: all */
} sl_digit;

typedef struct sl_space {
    sl_checker *c;
    const sl_sda *a;
    sl_arena arena;
    bool *matters; /* [n_variable] is held by a guard, an equation, an action or the set */
    SL_ARRAY(sl_digit) digits;
    int64_t *weight; /* [n_variable] of its digit */
    int64_t n;       /* states; -1: more than are visited */
    sl_sda_run *run;
    int64_t n_move;
    int32_t *variables, *values; /* scratch of a move */
    /* The condition of the set and those of the actions, as live values of the state that was put last. */
    sl_live_plan *plan;
    sl_live *live;
    bool *acted;
    int32_t n_waiting; /* actions that have not acted yet */
    /* Times. */
    int32_t horizon, period;
    bool complete; /* these stand for all */
    bool gave_up;  /* on something: what has been seen is not all */
} sl_space;

/* Afterwards c->memory says whether it is good; fini in any case. */
void sl_space_init(sl_space *s, sl_checker *c);
void sl_space_fini(sl_space *s);
/* The states from which executions begin (moving false), or all that they come to, if there are at most `most`. False: memory. */
bool sl_space_count(sl_space *s, bool moving, int64_t most);
/* A new run; branches: equations that exclude each other are a choice. False: memory. */
bool sl_space_run(sl_space *s, bool branches);
bool sl_space_is_in_set(sl_space *s, int64_t state);
/* Puts the run to a state at time t; done: of s->n, for the progress. False: it is not to go on. */
bool sl_space_put(sl_space *s, int32_t t, int64_t state, double done);
/* A finding with the state of the run as its witness. */
void sl_space_note(sl_space *s, sl_finding about);
/* Of states by number: how many there are of all variables. Into the report. */
void sl_space_report_counts(const sl_space *s, int64_t n_state, int64_t n_zeno);

/* Whether executions end, how many of the set do not, which actions never act: check_executions.c. Of all states together ... */
void sl_check_executions(sl_space *s);
/* ... or from those of a small set one by one. */
void sl_check_each_execution(sl_space *s);

#endif
