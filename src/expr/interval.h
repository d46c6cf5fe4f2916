/* SPDX-License-Identifier: MIT */
/* interval.h: bounds of an expression while its leaves lie within bounds of their own: what a proof by cases needs. A range
 * holds every value that the expression can take; it may be wider, and is one point when all leaves are. */
#ifndef SL_EXPR_INTERVAL_H
#define SL_EXPR_INTERVAL_H

#include "expr/expr.h"

typedef struct sl_interval {
    double low, high;
} sl_interval;

typedef struct sl_intervals {
    const sl_exprs *g;
    sl_walk *walk;
    sl_expr_list nodes, leaves; /* below the expression, ascending */
    sl_interval *at;            /* of the nodes */
    int32_t *first_arg, *args;  /* places of arguments */
    int32_t *leaf_place;
    int64_t cap, cap_arg; /* of these arrays */
} sl_intervals;

void sl_intervals_init(sl_intervals *r, const sl_exprs *g, sl_walk *walk); /* memory is from the walk's context */
void sl_intervals_fini(sl_intervals *r);
/* The expression to look at; leaves are then in r->leaves. May be called again. */
sl_status sl_intervals_open(sl_intervals *r, sl_expr e);
void sl_intervals_set(sl_intervals *r, int64_t leaf, double low, double high);
sl_interval sl_intervals_eval(sl_intervals *r);

/* What a range says about truth. */
static inline bool sl_interval_is_true(sl_interval r) {
    return r.low > 0.0 || r.high < 0.0;
}
static inline bool sl_interval_is_false(sl_interval r) {
    return r.low == 0.0 && r.high == 0.0;
}

#endif
