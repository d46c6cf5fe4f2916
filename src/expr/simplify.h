/* SPDX-License-Identifier: MIT */
/* simplify.h: simplified nodes from simplified arguments, for the files of simplification. */
#ifndef SL_EXPR_SIMPLIFY_H
#define SL_EXPR_SIMPLIFY_H

#include "expr/impl.h"

/* An order that depends on what is written only: parameters, variables, time, other nodes, constants. */
int sl_expr_compare(const sl_exprs *g, sl_expr a, sl_expr b);
void sl_expr_sort(const sl_exprs *g, int64_t n, sl_expr *at);

/* What has more arguments than this is one argument of others of its kind: a sum of it and x keeps it as it is. Else expressions that
 * share long sums or products, as derivatives do, would hold each a copy of them: the square of what is written. */
enum { SL_SIMPLE_LONG = 256 };
bool sl_simple_is_short(const sl_exprs *g, sl_op op, sl_expr e); /* not a long one of op */
bool sl_simple_is_open(const sl_exprs *g, sl_op op,
                       sl_expr e); /* a short one of op: its arguments are taken instead of it */

typedef sl_expr sl_simplifier(sl_exprs *g, int32_t n, const sl_expr *args);
sl_expr sl_simple_sum(sl_exprs *g, int32_t n, const sl_expr *args);
sl_expr sl_simple_product(sl_exprs *g, int32_t n, const sl_expr *args);
sl_expr sl_simple_power(sl_exprs *g, int32_t n, const sl_expr *args);
/* Any operation. args may not lie in the graph. */
sl_expr sl_simple_make(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args);
/* The arguments with those of nested short nodes of the same operation in their place. false: memory */
bool sl_simple_flatten(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args, sl_expr_list *out);

#endif
