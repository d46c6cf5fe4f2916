/* SPDX-License-Identifier: MIT */
/* simplify_rules.c: the rules of all operations but sums and products, and the walk that applies them from the leaves up.
 * Every rule keeps the value wherever the original has one. Docs: docs/theory/expressions.md#simplification. */
#include <math.h>

#include "expr/simplify.h"

static sl_op op_of(const sl_exprs *g, sl_expr e) {
    return sl_node_op(g, e);
}
static sl_expr arg_of(const sl_exprs *g, sl_expr e, int i) {
    return sl_node_args(g, e)[i];
}
static bool is_const(const sl_exprs *g, sl_expr e) {
    return op_of(g, e) == SL_OP_CONST;
}
static double value_of(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->u.value;
}
static sl_expr make_1(sl_exprs *g, sl_op op, sl_expr a) {
    return a < 0 ? a : sl_simple_make(g, op, 1, &a);
}
static sl_expr make_2(sl_exprs *g, sl_op op, sl_expr a, sl_expr b) {
    return a < 0 || b < 0 ? SL_EXPR_NONE : sl_simple_make(g, op, 2, (sl_expr[2]){a, b});
}

bool sl_simple_is_short(const sl_exprs *g, sl_op op, sl_expr e) {
    return op_of(g, e) != op || sl_node_at(g, e)->n <= SL_SIMPLE_LONG;
}
bool sl_simple_is_open(const sl_exprs *g, sl_op op, sl_expr e) {
    return op_of(g, e) == op && sl_node_at(g, e)->n <= SL_SIMPLE_LONG;
}

bool sl_simple_flatten(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args, sl_expr_list *out) {
    for (int32_t i = 0; i < n; i++) {
        if (!sl_simple_is_open(g, op, args[i])) {
            if (!SL_PUSH(g->ctx, out, args[i])) {
                return false;
            }
            continue;
        }
        for (int32_t k = 0; k < sl_node_at(g, args[i])->n; k++) { /* simplified: flat itself */
            if (!SL_PUSH(g->ctx, out, arg_of(g, args[i], k))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Arithmetic and functions -------------------------------------------------------------------- */

static sl_expr simple_neg(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    sl_expr factors[2] = {sl_expr_const(g, -1.0), a[0]};
    return factors[0] < 0 ? SL_EXPR_NONE : sl_simple_product(g, 2, factors);
}
static sl_expr simple_div(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    sl_expr quotient = sl_expr_2(g, SL_OP_DIV, a[0], a[1]);
    return quotient < 0 || op_of(g, quotient) != SL_OP_DIV ? quotient : sl_simple_product(g, 1, &quotient);
}
static bool is_whole(double e) {
    return e == floor(e);
}
static bool is_even(double e) {
    return is_whole(e) && fmod(e, 2.0) == 0.0;
}

sl_expr sl_simple_power(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    sl_expr base = a[0];
    if (!is_const(g, a[1]) || is_const(g, base)) {
        return sl_expr_2(g, SL_OP_POW, base, a[1]);
    }
    double e = value_of(g, a[1]);
    sl_op op = op_of(g, base);
    if (e == 0.5) {
        return make_1(g, SL_OP_SQRT, base);
    }
    if (is_whole(e) && e < 0.0) {
        return make_2(g, SL_OP_DIV, sl_expr_const(g, 1.0), make_2(g, SL_OP_POW, base, sl_expr_const(g, -e)));
    }
    if (is_even(e) && (op == SL_OP_NEG || op == SL_OP_ABS)) {
        return make_2(g, SL_OP_POW, arg_of(g, base, 0), a[1]);
    }
    if (is_even(e) && op == SL_OP_SQRT) {
        return make_2(g, SL_OP_POW, arg_of(g, base, 0), sl_expr_const(g, e / 2.0));
    }
    if (is_whole(e) && op == SL_OP_NEG) {
        return make_1(g, SL_OP_NEG, make_2(g, SL_OP_POW, arg_of(g, base, 0), a[1]));
    }
    if (is_whole(e) && op == SL_OP_POW && is_const(g, arg_of(g, base, 1))) {
        double inner = value_of(g, arg_of(g, base, 1));
        if (isfinite(inner * e)) {
            return make_2(g, SL_OP_POW, arg_of(g, base, 0), sl_expr_const(g, inner * e));
        }
    }
    return sl_expr_2(g, SL_OP_POW, base, a[1]);
}
static sl_expr simple_sqrt(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    if (op_of(g, a[0]) == SL_OP_POW && sl_expr_is_const(g, arg_of(g, a[0], 1), 2.0)) {
        return make_1(g, SL_OP_ABS, arg_of(g, a[0], 0));
    }
    return sl_expr_1(g, SL_OP_SQRT, a[0]);
}
static sl_expr simple_abs(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    sl_op op = op_of(g, a[0]);
    if (op == SL_OP_NEG) {
        return make_1(g, SL_OP_ABS, arg_of(g, a[0], 0));
    }
    bool positive = op == SL_OP_ABS || op == SL_OP_SQRT || op == SL_OP_EXP || op == SL_OP_COSH ||
                    sl_expr_is_boolean(g, a[0]) ||
                    (op == SL_OP_POW && is_const(g, arg_of(g, a[0], 1)) && is_even(value_of(g, arg_of(g, a[0], 1))));
    return positive ? a[0] : sl_expr_1(g, SL_OP_ABS, a[0]);
}
/* f(g(x)) = x */
static sl_expr undo(sl_exprs *g, sl_op op, sl_op inverse, sl_expr a) {
    return op_of(g, a) == inverse ? arg_of(g, a, 0) : sl_expr_1(g, op, a);
}
static sl_expr simple_log(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    return undo(g, SL_OP_LOG, SL_OP_EXP, a[0]);
}
static sl_expr simple_exp(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    return undo(g, SL_OP_EXP, SL_OP_LOG, a[0]);
}
/* f(-x) = -f(x), f(-x) = f(x) */
static sl_expr odd(sl_exprs *g, sl_op op, sl_expr a) {
    return op_of(g, a) == SL_OP_NEG ? sl_expr_1(g, SL_OP_NEG, sl_expr_1(g, op, arg_of(g, a, 0))) : sl_expr_1(g, op, a);
}
static sl_expr even(sl_exprs *g, sl_op op, sl_expr a) {
    return sl_expr_1(g, op, op_of(g, a) == SL_OP_NEG ? arg_of(g, a, 0) : a);
}
static sl_expr simple_round(sl_exprs *g, sl_op op, sl_expr a) {
    bool whole = op_of(g, a) == SL_OP_FLOOR || op_of(g, a) == SL_OP_CEIL || sl_expr_is_boolean(g, a);
    return whole ? a : sl_expr_1(g, op, a);
}

/* ---- Choices ------------------------------------------------------------------------------------- */

/* Flat, sorted, each once. */
static bool gather_set(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args, sl_expr_list *out) {
    if (!sl_simple_flatten(g, op, n, args, out) || !SL_RESERVE(g->ctx, out, 2 * out->n)) {
        return false;
    }
    sl_expr_sort(g, out->n, out->at);
    int64_t kept = 0;
    for (int64_t i = 0; i < out->n; i++) {
        if (kept == 0 || out->at[kept - 1] != out->at[i]) {
            out->at[kept++] = out->at[i];
        }
    }
    out->n = kept;
    return true;
}
static sl_expr simple_extreme(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args) {
    sl_expr_list set = {0};
    sl_expr e = SL_EXPR_NONE;
    if (!gather_set(g, op, n, args, &set)) {
        e = sl_exprs_fail(g, SL_ERR_MEMORY);
    } else {
        /* Constants are last, rising: of several the first or the last counts. */
        int64_t first = set.n;
        while (first > 0 && is_const(g, set.at[first - 1])) {
            first--;
        }
        if (set.n - first > 1) {
            set.at[first] = op == SL_OP_MIN ? set.at[first] : set.at[set.n - 1];
            set.n = first + 1;
        }
        e = sl_expr_make(g, op, (int32_t)set.n, set.at);
    }
    sl_expr_list_fini(g, &set);
    return e;
}
static sl_expr simple_if(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    sl_expr c = a[0], yes = a[1], no = a[2];
    if (op_of(g, c) == SL_OP_NOT) {
        c = arg_of(g, c, 0);
        yes = a[2];
        no = a[1];
    }
    if (sl_expr_is_boolean(g, c) && sl_expr_is_const(g, yes, 1.0) && sl_expr_is_const(g, no, 0.0)) {
        return c;
    }
    if (sl_expr_is_const(g, yes, 0.0) && sl_expr_is_const(g, no, 1.0)) {
        return make_1(g, SL_OP_NOT, c);
    }
    return sl_expr_3(g, SL_OP_IF, c, yes, no);
}

/* ---- Comparisons and logic ------------------------------------------------------------------------ */

static sl_expr simple_comparison(sl_exprs *g, sl_op op, sl_expr a, sl_expr b) {
    if (a == b) {
        return sl_expr_const(g, op == SL_OP_LE || op == SL_OP_EQ);
    }
    if (op != SL_OP_EQ && op != SL_OP_NE) {
        return sl_expr_2(g, op, a, b);
    }
    if (sl_expr_compare(g, b, a) < 0) {
        sl_expr other = a;
        a = b;
        b = other;
    }
    bool truth = sl_expr_is_boolean(g, a) && is_const(g, b) && !is_const(g, a);
    if (truth && value_of(g, b) == (op == SL_OP_EQ ? 1.0 : 0.0)) {
        return a;
    }
    if (truth && value_of(g, b) == (op == SL_OP_EQ ? 0.0 : 1.0)) {
        return make_1(g, SL_OP_NOT, a);
    }
    return sl_expr_2(g, op, a, b);
}
static sl_expr simple_not(sl_exprs *g, int32_t n, const sl_expr *a) {
    (void)n;
    static const struct {
        sl_op op;
        bool swapped;
    } opposite[] = {{SL_OP_LE, true}, {SL_OP_LT, true}, {SL_OP_NE, false}, {SL_OP_EQ, false}};
    sl_op op = op_of(g, a[0]);
    if (op >= SL_OP_LT && op <= SL_OP_NE) {
        int k = op - SL_OP_LT;
        sl_expr x = arg_of(g, a[0], opposite[k].swapped), y = arg_of(g, a[0], !opposite[k].swapped);
        return simple_comparison(g, opposite[k].op, x, y);
    }
    return sl_expr_1(g, SL_OP_NOT, a[0]);
}

static bool holds(const sl_exprs *g, const sl_expr_list *set, sl_expr e) {
    int64_t low = 0, high = set->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sl_expr_compare(g, set->at[middle], e) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < set->n && set->at[low] == e;
}

/* a & (a | b) is a: the inner node holds one of the set, or (either way round) is decided by it. */
static bool is_absorbed(const sl_exprs *g, const sl_expr_list *set, sl_op dual, sl_expr e) {
    for (int32_t i = 0; op_of(g, e) == dual && i < sl_node_at(g, e)->n; i++) {
        if (holds(g, set, arg_of(g, e, i))) {
            return true;
        }
    }
    return false;
}

static sl_expr simple_logic(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args) {
    sl_op dual = op == SL_OP_AND ? SL_OP_OR : SL_OP_AND;
    sl_expr_list set = {0}, kept = {0};
    bool good = gather_set(g, op, n, args, &set), decided = false;
    for (int64_t i = 0; good && !decided && i < set.n; i++) {
        sl_expr opposite = make_1(g, SL_OP_NOT, set.at[i]);
        good = opposite >= 0 && (is_absorbed(g, &set, dual, set.at[i]) || SL_PUSH(g->ctx, &kept, set.at[i]));
        decided = good && holds(g, &set, opposite);
    }
    sl_expr e = !good     ? sl_exprs_fail(g, SL_ERR_MEMORY)
                : decided ? sl_expr_const(g, op == SL_OP_OR)
                          : sl_expr_make(g, op, (int32_t)kept.n, kept.at);
    sl_expr_list_fini(g, &set);
    sl_expr_list_fini(g, &kept);
    return e;
}

/* ---- All together --------------------------------------------------------------------------------- */

static sl_simplifier *const simplifiers[SL_OP_COUNT] = {
    [SL_OP_ADD] = sl_simple_sum, [SL_OP_MUL] = sl_simple_product, [SL_OP_POW] = sl_simple_power,
    [SL_OP_NEG] = simple_neg,    [SL_OP_DIV] = simple_div,        [SL_OP_SQRT] = simple_sqrt,
    [SL_OP_ABS] = simple_abs,    [SL_OP_LOG] = simple_log,        [SL_OP_EXP] = simple_exp,
    [SL_OP_IF] = simple_if,      [SL_OP_NOT] = simple_not,
};
typedef sl_expr unary_rule(sl_exprs *g, sl_op op, sl_expr a);
static unary_rule *const unary_rules[SL_OP_COUNT] = {
    [SL_OP_SIN] = odd,           [SL_OP_TAN] = odd,
    [SL_OP_ASIN] = odd,          [SL_OP_ATAN] = odd,
    [SL_OP_SINH] = odd,          [SL_OP_TANH] = odd,
    [SL_OP_SIGN] = odd,          [SL_OP_COS] = even,
    [SL_OP_COSH] = even,         [SL_OP_FLOOR] = simple_round,
    [SL_OP_CEIL] = simple_round,
};

sl_expr sl_simple_make(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args) {
    if (simplifiers[op]) {
        return simplifiers[op](g, n, args);
    }
    if (unary_rules[op]) {
        return unary_rules[op](g, op, args[0]);
    }
    if (op == SL_OP_MIN || op == SL_OP_MAX) {
        return simple_extreme(g, op, n, args);
    }
    if (op == SL_OP_AND || op == SL_OP_OR) {
        return simple_logic(g, op, n, args);
    }
    if (op >= SL_OP_LT && op <= SL_OP_NE) {
        return simple_comparison(g, op, args[0], args[1]);
    }
    return sl_expr_make(g, op, n, args);
}

/* The simplified form of a node whose arguments' forms are known. */
static sl_expr simplify_node(sl_exprs *g, sl_expr e, sl_expr_list *args) {
    const sl_node *node = sl_node_at(g, e);
    int32_t n = node->n;
    args->n = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!SL_PUSH(g->ctx, args, g->simple.at[arg_of(g, e, i)])) {
            return sl_exprs_fail(g, SL_ERR_MEMORY);
        }
    }
    if (n == 0 || !args->at) {
        return e;
    }
    if (node->op == SL_OP_TABLE || node->op == SL_OP_SLOPE) {
        return sl_expr_table(g, node->symbol, node->op == SL_OP_SLOPE, args->at[0]);
    }
    if (node->op == SL_OP_CALL) {
        return args->at[0];
    }
    return sl_simple_make(g, (sl_op)node->op, n, args->at);
}

sl_expr sl_expr_simplify(sl_exprs *g, sl_expr e) {
    if (e < 0) {
        return e;
    }
    if (g->simple.at[e] >= 0) {
        return g->simple.at[e];
    }
    sl_expr_list list = {0}, args = {0};
    sl_expr result = SL_EXPR_NONE;
    if (sl_expr_below(g, 1, &e, &list) != SL_OK) {
        sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    for (int64_t k = 0; g->status == SL_OK && k < list.n; k++) {
        result = g->simple.at[list.at[k]];
        if (result < 0) {
            result = simplify_node(g, list.at[k], &args);
            if (result >= 0) {
                g->simple.at[list.at[k]] = result;
                g->simple.at[result] = result;
            }
        }
    }
    sl_expr_list_fini(g, &list);
    sl_expr_list_fini(g, &args);
    return g->status == SL_OK ? result : SL_EXPR_NONE;
}
