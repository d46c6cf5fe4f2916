/* SPDX-License-Identifier: MIT */
/* eval.c: the value of operations, tables, and of one expression by a walk over the graph. */
#include <math.h>
#include <string.h>

#include "expr/impl.h"
#include "expr/scalar.h"

#define FOLD(first, step)                 \
    {                                     \
        double y = (first);               \
        for (int32_t i = 1; i < n; i++) { \
            double b = v[i];              \
            y = (step);                   \
        }                                 \
        return y;                         \
    }

static double apply_many(sl_op op, int32_t n, const double *v) {
    switch ((int)op) {
    case SL_OP_ADD: FOLD(v[0], y + b)
    case SL_OP_MUL: FOLD(v[0], y * b)
    case SL_OP_MIN: FOLD(v[0], sl_min2(y, b))
    case SL_OP_MAX: FOLD(v[0], sl_max2(y, b))
    case SL_OP_AND: FOLD((double)(v[0] != 0.0), (double)(y != 0.0 && b != 0.0))
    default: FOLD((double)(v[0] != 0.0), (double)(y != 0.0 || b != 0.0))
    }
}

/* Functions of one argument from libm, by operation. */
typedef double unary(double);
static unary *const unaries[SL_OP_COUNT] = {
    [SL_OP_SQRT] = sqrt, [SL_OP_EXP] = exp,     [SL_OP_LOG] = log,   [SL_OP_LOG10] = log10, [SL_OP_SIN] = sin,
    [SL_OP_COS] = cos,   [SL_OP_TAN] = tan,     [SL_OP_ASIN] = asin, [SL_OP_ACOS] = acos,   [SL_OP_ATAN] = atan,
    [SL_OP_SINH] = sinh, [SL_OP_COSH] = cosh,   [SL_OP_TANH] = tanh, [SL_OP_ABS] = fabs,    [SL_OP_SIGN] = sl_sign1,
    [SL_OP_CEIL] = ceil, [SL_OP_FLOOR] = floor,
};

double sl_expr_apply(const sl_exprs *g, sl_op op, int32_t symbol, int32_t n, const double *v) {
    if (unaries[op]) {
        return unaries[op](v[0]);
    }
    switch ((int)op) {
    case SL_OP_DIV: return v[0] / v[1];
    case SL_OP_NEG: return -v[0];
    case SL_OP_POW: return sl_pow2(v[0], v[1]);
    case SL_OP_ATAN2: return atan2(v[0], v[1]);
    case SL_OP_MOD: return sl_mod2(v[0], v[1]);
    case SL_OP_IF: return v[0] != 0.0 ? v[1] : v[2];
    case SL_OP_LT: return v[0] < v[1];
    case SL_OP_LE: return v[0] <= v[1];
    case SL_OP_EQ: return v[0] == v[1];
    case SL_OP_NE: return v[0] != v[1];
    case SL_OP_NOT: return v[0] == 0.0;
    case SL_OP_SMOOTH:
    case SL_OP_CALL: return v[0];
    case SL_OP_STICK: return sl_sign1(v[0]);
    case SL_OP_TABLE: return sl_table_value(&g->tables.at[symbol], v[0]);
    case SL_OP_SLOPE: return sl_table_slope(&g->tables.at[symbol], v[0]);
    default: return apply_many(op, n, v);
    }
}

static double leaf_value(const sl_node *node, const sl_expr_point *at) {
    switch ((int)node->op) {
    case SL_OP_CONST: return node->u.value;
    case SL_OP_VARIABLE:
    case SL_OP_ELEMENT: return at->x[node->order][node->symbol];
    case SL_OP_PARAMETER:
    case SL_OP_PARAMETER_ELEMENT: return at->p[node->symbol];
    case SL_OP_CELL: return node->symbol;
    default: return at->t;
    }
}

sl_status sl_walk_eval(sl_walk *w, const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out) {
    sl_expr_list *list = &w->below;
    list->n = 0;
    sl_status status = sl_walk_below(w, g, 1, &e, list);
    int32_t most = 1;
    for (int64_t k = 0; k < list->n; k++) {
        most = sl_node_at(g, list->at[k])->n > most ? sl_node_at(g, list->at[k])->n : most;
    }
    if (status != SL_OK || !SL_RESERVE(w->ctx, &w->values, list->n + most)) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    double *values = w->values.at, *v = values + list->n;
    for (int64_t k = 0; k < list->n; k++) {
        const sl_node *node = sl_node_at(g, list->at[k]);
        for (int32_t i = 0; i < node->n; i++) {
            v[i] = values[w->place[sl_node_args(g, list->at[k])[i]]];
        }
        values[k] = node->n == 0 ? leaf_value(node, at) : sl_expr_apply(g, (sl_op)node->op, node->symbol, node->n, v);
    }
    *out = values[list->n - 1];
    return SL_OK;
}

sl_status sl_expr_eval(const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out) {
    sl_walk walk;
    sl_walk_init(&walk, g->ctx);
    sl_status status = sl_walk_eval(&walk, g, e, at, out);
    sl_walk_fini(&walk);
    return status;
}
