/* range.h: bounds of an expression while its leaves lie within bounds of their own: what a proof by cases needs. A range
 * holds every value that the expression can take; it may be wider, and is one point when all leaves are. */
#ifndef SL_EXPR_RANGE_H
#define SL_EXPR_RANGE_H

#include "expr/expr.h"

typedef struct sl_range {
    double low, high;
} sl_range;

typedef struct sl_ranges {
    sl_exprs *g;
    sl_expr_list nodes, leaves; /* below the expression, ascending */
    sl_range *at;               /* of the nodes */
    int32_t *first_arg, *args;  /* places of arguments */
    int32_t *leaf_place;
    int64_t cap, cap_arg; /* of these arrays */
} sl_ranges;

void sl_ranges_init(sl_ranges *r, sl_exprs *g);
void sl_ranges_fini(sl_ranges *r);
/* The expression to look at; leaves are then in r->leaves. May be called again. */
sl_status sl_ranges_open(sl_ranges *r, sl_expr e);
void sl_ranges_set(sl_ranges *r, int64_t leaf, double low, double high);
sl_range sl_ranges_eval(sl_ranges *r);

/* What a range says about truth. */
static inline bool sl_range_is_true(sl_range r) {
    return r.low > 0.0 || r.high < 0.0;
}
static inline bool sl_range_is_false(sl_range r) {
    return r.low == 0.0 && r.high == 0.0;
}

#endif
