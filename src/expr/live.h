/* SPDX-License-Identifier: MIT */
/* live.h: the values of expressions kept up to date while a few variables change.
 *
 * Every node below the roots has its value; a change of a leaf is carried upwards as far as values change, older nodes
 * first. The cost is that of the nodes whose arguments changed (times the logarithm of how many wait), whatever the number of
 * expressions. For guards of automata: thousands, of which a step touches a handful.
 *
 * A live set has value semantics: copy gives an independent one with the same values; the structure is shared and const, also
 * between threads.
 */
#ifndef SL_EXPR_LIVE_H
#define SL_EXPR_LIVE_H

#include "expr/expr.h"

typedef struct sl_live_plan sl_live_plan; /* structure: const after creation */
typedef struct sl_live sl_live;           /* values */

sl_status sl_live_plan_create(sl_exprs *g, int32_t n_root, const sl_expr *roots, sl_live_plan **out);
void sl_live_plan_destroy(sl_live_plan *plan); /* after its live sets */

/* All values from a point; memory is from ctx. */
sl_status sl_live_create(sl_context *ctx, const sl_live_plan *plan, const sl_expr_point *at, sl_live **out);
sl_status sl_live_copy(const sl_live *live, sl_live **out);
void sl_live_destroy(sl_live *live);

double sl_live_root(const sl_live *live, int32_t root);
/* Notes a new value of a leaf; nothing if no root depends on it. Values are up to date after the next update. */
void sl_live_set_variable(sl_live *live, int32_t variable, int32_t order, double value);
void sl_live_set_parameter(sl_live *live, int32_t parameter, double value);
void sl_live_set_time(sl_live *live, double t);
/* Carries changes upwards. changed (room for all roots, or NULL) gets the roots whose value changed, ascending (one that is a
 * leaf also when it was set to and fro); returns how many. Allocates nothing. */
int32_t sl_live_update(sl_live *live, int32_t *changed);
/* Nodes evaluated since creation: what the work was. */
int64_t sl_live_n_evaluated(const sl_live *live);

#endif
