/* SPDX-License-Identifier: MIT */
/* plan.h: the structure of a reduction in the making: between plan.c and pairs.c. */
#ifndef SL_DAE_PLAN_H
#define SL_DAE_PLAN_H

#include "dae/reduce_impl.h"

enum { MAX_SUPPORT = 16 }; /* variables that the expression of a solved one may hold */

typedef struct sl_reduction_planner {
    sl_reduction *r;
    const sl_reduction_def *def;
    SL_ARRAY(int32_t) supports;           /* variables that a solved one holds, one list after the other */
    int32_t *support_begin, *support_end; /* [n] of a variable: in supports */
    int32_t *stamp, stamp_now;            /* [n] of variables in the list at work */
    int32_t found[MAX_SUPPORT], n_found;  /* that list */
    int32_t *n_use;                       /* [n] equations that hold a variable */
    int32_t *size;     /* [n] entries of equations in the expression of a solved variable, all that it holds included */
    uint8_t *has_rate; /* [n] the derivative of a variable is, or holds, one that the integrator has */
    uint8_t *is_direct;                       /* [n] its highest derivative is such a one */
    uint8_t *is_watched;                      /* [n] variables that roots hold */
    uint8_t *row_has_time, *has_time;         /* [n] an equation holds time; the expression of a variable does */
    int32_t *row_block, *col_block;           /* [n] */
    int32_t *left, *scratch;                  /* [n] unknown variables of an equation; of tearing */
    uint8_t *is_known;                        /* [n] variables of the block at work */
    int32_t *col_start, *col_row, *col_entry; /* tight entries by columns: their rows, their places by rows */
} sl_reduction_planner;

static inline bool sl_entry_is_tight(const sl_reduction *r, int32_t i, int32_t k) {
    return r->order[k] + r->offsets.c[i] == r->offsets.d[r->col[k]];
}

/* Should it be a state, where it may be one? Then its value is not made explicit. */
static inline bool sl_is_wanted_state(const sl_reduction *r, int32_t j) {
    return r->offsets.d[j] > 0 && (r->preferences[j] == SL_STATE_PREFER || r->preferences[j] == SL_STATE_ALWAYS);
}

/* plan.c: is an expression a number (of constants and parameters that nobody changes)? */
bool sl_reduction_is_number(const sl_reduction_def *def, sl_expr e, sl_expr_list *leaves, double *value,
                            sl_status *status);
/* cancel.c: after the pattern is read; from: where entries stand in the raw pattern, -1: in several places. */
sl_status sl_reduction_cancel(sl_reduction *r, const sl_reduction_def *def, int32_t **from);
/* plan.c: tight entries by columns. False: no memory. */
bool sl_reduction_list_tight(sl_reduction_planner *s);
/* preferences.c: before blocks are found; with the blocks that structure alone gives. */
sl_status sl_reduction_take_preferences(sl_reduction *r, const sl_reduction_def *def);
sl_status sl_reduction_join_wanted(sl_reduction_planner *s, sl_dm_decomposition *p);

/* Pairs of equations and variables, in an order in which they can be solved. */
sl_status sl_reduction_find_pairs(sl_reduction_planner *s);

#endif
