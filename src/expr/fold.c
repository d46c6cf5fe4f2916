/* SPDX-License-Identifier: MIT */
/* fold.c: constructors. A node whose arguments are all constants becomes their value, if that is finite; what has no
 * effect is dropped. Everything else stays as it is written: sl_expr_simplify is for the rest. */
#include <assert.h>
#include <math.h>

#include "expr/impl.h"

enum { FEW = 32 }; /* arguments kept on the stack */

sl_expr sl_expr_const(sl_exprs *g, double value) {
    if (!isfinite(value)) {
        return sl_exprs_fail(g, SL_ERR_USE);
    }
    return sl_expr_cons(g, SL_OP_CONST, 0, 0, value, 0, NULL);
}
sl_expr sl_expr_variable(sl_exprs *g, int32_t variable, int32_t order) {
    if (order < 0 || order >= SL_EXPR_ORDERS || variable < 0 || variable >= g->variables.n) {
        return sl_exprs_fail(g, SL_ERR_USE);
    }
    return sl_expr_cons(g, SL_OP_VARIABLE, variable, order, 0.0, 0, NULL);
}
sl_expr sl_expr_parameter(sl_exprs *g, int32_t parameter) {
    assert(parameter >= 0 && parameter < g->parameters.n);
    return sl_expr_cons(g, SL_OP_PARAMETER, parameter, 0, 0.0, 0, NULL);
}
sl_expr sl_expr_time(sl_exprs *g) {
    return sl_expr_cons(g, SL_OP_TIME, 0, 0, 0.0, 0, NULL);
}
sl_expr sl_expr_table(sl_exprs *g, int32_t table, bool slope, sl_expr x) {
    assert(table >= 0 && table < g->tables.n);
    if (x >= 0 && sl_node_op(g, x) == SL_OP_CONST) {
        double v = sl_node_at(g, x)->u.value;
        return sl_expr_const(g,
                             slope ? sl_table_slope(&g->tables.at[table], v) : sl_table_value(&g->tables.at[table], v));
    }
    return sl_expr_cons(g, slope ? SL_OP_SLOPE : SL_OP_TABLE, table, 0, 0.0, 1, &x);
}

/* ---- What has no effect ------------------------------------------------------------------------- */

static bool is(const sl_exprs *g, sl_expr e, double value) {
    return sl_expr_is_const(g, e, value);
}
static sl_expr zero(sl_exprs *g) {
    return sl_expr_cons(g, SL_OP_CONST, 0, 0, 0.0, 0, NULL);
}
static sl_expr one(sl_exprs *g) {
    return sl_expr_cons(g, SL_OP_CONST, 0, 0, 1.0, 0, NULL);
}
static bool is_true(const sl_exprs *g, sl_expr e) {
    return sl_node_op(g, e) == SL_OP_CONST && sl_node_at(g, e)->u.value != 0.0;
}
static sl_expr truth(sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->boolean ? e : sl_expr_2(g, SL_OP_NE, e, zero(g));
}

/* A rule looks at arguments in a copy of theirs, which it may shorten; it gives the result, or SL_EXPR_NONE: make the node of
 * what is left. */
typedef struct terms {
    int32_t n;
    sl_expr *at;
} terms;
typedef sl_expr rule(sl_exprs *g, terms *t);

/* Drops the arguments with this value; of none is left `none`, one stands for itself. */
static sl_expr drop(sl_exprs *g, terms *t, double value) {
    int32_t k = 0;
    for (int32_t i = 0; i < t->n; i++) {
        if (!is(g, t->at[i], value)) {
            t->at[k++] = t->at[i];
        }
    }
    t->n = k;
    return k == 0 ? sl_expr_const(g, value) : k == 1 ? t->at[0] : SL_EXPR_NONE;
}
static sl_expr fold_add(sl_exprs *g, terms *t) {
    return drop(g, t, 0.0);
}
static sl_expr fold_mul(sl_exprs *g, terms *t) {
    for (int32_t i = 0; i < t->n; i++) {
        if (is(g, t->at[i], 0.0)) {
            return t->at[i];
        }
    }
    return drop(g, t, 1.0);
}
static sl_expr fold_div(sl_exprs *g, terms *t) {
    return is(g, t->at[1], 1.0) || (is(g, t->at[0], 0.0) && !is(g, t->at[1], 0.0)) ? t->at[0] : SL_EXPR_NONE;
}
static sl_expr fold_neg(sl_exprs *g, terms *t) {
    return sl_node_op(g, t->at[0]) == SL_OP_NEG ? sl_node_args(g, t->at[0])[0] : SL_EXPR_NONE;
}
static sl_expr fold_pow(sl_exprs *g, terms *t) {
    return is(g, t->at[1], 1.0) ? t->at[0] : is(g, t->at[1], 0.0) || is(g, t->at[0], 1.0) ? one(g) : SL_EXPR_NONE;
}
static sl_expr fold_if(sl_exprs *g, terms *t) {
    if (sl_node_op(g, t->at[0]) == SL_OP_CONST) {
        return is_true(g, t->at[0]) ? t->at[1] : t->at[2];
    }
    return t->at[1] == t->at[2] ? t->at[1] : SL_EXPR_NONE;
}
static sl_expr fold_single(sl_exprs *g, terms *t) {
    (void)g;
    return t->n == 1 ? t->at[0] : SL_EXPR_NONE;
}
static sl_expr fold_not(sl_exprs *g, terms *t) {
    if (sl_node_op(g, t->at[0]) == SL_OP_NOT) {
        return truth(g, sl_node_args(g, t->at[0])[0]);
    }
    return SL_EXPR_NONE;
}
static sl_expr fold_logic(sl_exprs *g, terms *t, bool deciding) {
    int32_t k = 0;
    for (int32_t i = 0; i < t->n; i++) {
        if (sl_node_op(g, t->at[i]) != SL_OP_CONST) {
            t->at[k++] = t->at[i];
        } else if (is_true(g, t->at[i]) == deciding) {
            return deciding ? one(g) : zero(g);
        }
    }
    t->n = k;
    return k == 0 ? (deciding ? zero(g) : one(g)) : k == 1 ? truth(g, t->at[0]) : SL_EXPR_NONE;
}
static sl_expr fold_and(sl_exprs *g, terms *t) {
    return fold_logic(g, t, false);
}
static sl_expr fold_or(sl_exprs *g, terms *t) {
    return fold_logic(g, t, true);
}

static rule *const rules[SL_OP_COUNT] = {
    [SL_OP_ADD] = fold_add, [SL_OP_MUL] = fold_mul,    [SL_OP_DIV] = fold_div,    [SL_OP_NEG] = fold_neg,
    [SL_OP_POW] = fold_pow, [SL_OP_MIN] = fold_single, [SL_OP_MAX] = fold_single, [SL_OP_IF] = fold_if,
    [SL_OP_NOT] = fold_not, [SL_OP_AND] = fold_and,    [SL_OP_OR] = fold_or,
};

/* The value of constants, if all are and it is finite. */
static bool fold_constants(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args, double *v) {
    for (int32_t i = 0; i < n; i++) {
        if (sl_node_op(g, args[i]) != SL_OP_CONST) {
            return false;
        }
        v[i] = sl_node_at(g, args[i])->u.value;
    }
    v[0] = sl_expr_apply(g, op, 0, n, v);
    return isfinite(v[0]);
}

static sl_expr make_with(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args, sl_expr *copy, double *values) {
    for (int32_t i = 0; i < n; i++) {
        if (args[i] < 0) {
            return SL_EXPR_NONE;
        }
        copy[i] = args[i];
    }
    if (fold_constants(g, op, n, copy, values)) {
        return sl_expr_const(g, values[0]);
    }
    terms t = {n, copy};
    sl_expr e = rules[op] ? rules[op](g, &t) : SL_EXPR_NONE;
    return e >= 0 || g->status != SL_OK ? e : sl_expr_cons(g, op, 0, 0, 0.0, t.n, copy);
}

sl_expr sl_expr_make(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args) {
    assert(op >= SL_OP_ADD && op < SL_OP_TABLE);
    assert(n >= sl_op_infos[op].least && (sl_op_infos[op].most < 0 || n <= sl_op_infos[op].most));
    sl_expr few[FEW];
    double few_values[FEW];
    if (n <= FEW) {
        return make_with(g, op, n, args, few, few_values);
    }
    size_t size = (size_t)n * (sizeof(double) + sizeof(sl_expr));
    double *values = sl_alloc(g->ctx, size);
    if (!values) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    sl_expr e = make_with(g, op, n, args, (sl_expr *)(void *)(values + n), values);
    sl_free(g->ctx, values, size);
    return e;
}

sl_expr sl_expr_residual(sl_exprs *g, sl_expr equation) {
    if (equation < 0 || sl_node_op(g, equation) != SL_OP_EQ) {
        return equation;
    }
    const sl_expr *args = sl_node_args(g, equation);
    return sl_expr_minus(g, args[0], args[1]);
}
