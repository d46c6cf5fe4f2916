/* SPDX-License-Identifier: MIT */
/* interval.c: bounds of expressions, node by node. Operations without a rule of their own have a value where their arguments
 * have, and no bounds else. */
#include "expr/interval.h"

#include <math.h>

#include "expr/impl.h"

void sl_intervals_init(sl_intervals *r, const sl_exprs *g, sl_walk *walk) {
    *r = (sl_intervals){.g = g, .walk = walk};
}
void sl_intervals_fini(sl_intervals *r) {
    sl_context *ctx = r->walk->ctx;
    SL_ARRAY_FINI(ctx, &r->nodes);
    SL_ARRAY_FINI(ctx, &r->leaves);
    sl_free(ctx, r->at, (size_t)r->cap * sizeof *r->at);
    sl_free(ctx, r->first_arg, (size_t)r->cap * sizeof *r->first_arg);
    sl_free(ctx, r->leaf_place, (size_t)r->cap * sizeof *r->leaf_place);
    sl_free(ctx, r->args, (size_t)r->cap_arg * sizeof *r->args);
}

static bool reserve_nodes(sl_intervals *r, int64_t n, int64_t n_arg) {
    sl_context *ctx = r->walk->ctx;
    if (n > r->cap) {
        int64_t cap = 2 * n;
        sl_interval *at = sl_alloc(ctx, (size_t)cap * sizeof *at);
        int32_t *first = sl_alloc(ctx, (size_t)cap * sizeof *first), *leaf = sl_alloc(ctx, (size_t)cap * sizeof *leaf);
        if (!at || !first || !leaf) {
            sl_free(ctx, at, (size_t)cap * sizeof *at);
            sl_free(ctx, first, (size_t)cap * sizeof *first);
            sl_free(ctx, leaf, (size_t)cap * sizeof *leaf);
            return false;
        }
        sl_free(ctx, r->at, (size_t)r->cap * sizeof *r->at);
        sl_free(ctx, r->first_arg, (size_t)r->cap * sizeof *r->first_arg);
        sl_free(ctx, r->leaf_place, (size_t)r->cap * sizeof *r->leaf_place);
        r->at = at;
        r->first_arg = first;
        r->leaf_place = leaf;
        r->cap = cap;
    }
    return sl_array_reserve(ctx, (void **)&r->args, &r->cap_arg, n_arg, sizeof *r->args);
}

sl_status sl_intervals_open(sl_intervals *r, sl_expr e) {
    const sl_exprs *g = r->g;
    r->nodes.n = r->leaves.n = 0;
    sl_status status = sl_walk_below(r->walk, g, 1, &e, &r->nodes);
    int64_t n_arg = 0;
    for (int64_t k = 0; status == SL_OK && k < r->nodes.n; k++) {
        n_arg += sl_node_at(g, r->nodes.at[k])->n;
    }
    if (status != SL_OK || !reserve_nodes(r, r->nodes.n + 1, n_arg + 1)) {
        return status != SL_OK ? status : SL_ERR_MEMORY;
    }
    int32_t at = 0;
    for (int64_t k = 0; k < r->nodes.n; k++) {
        const sl_node *node = sl_node_at(g, r->nodes.at[k]);
        r->first_arg[k] = at;
        for (int32_t i = 0; i < node->n; i++) {
            r->args[at++] = r->walk->place[sl_node_args(g, r->nodes.at[k])[i]];
        }
        r->at[k] = (sl_interval){-INFINITY, INFINITY};
        if (node->op == SL_OP_CONST) {
            r->at[k] = (sl_interval){node->u.value, node->u.value};
        } else if (node->n == 0) {
            r->leaf_place[r->leaves.n] = (int32_t)k;
            if (!SL_PUSH(r->walk->ctx, &r->leaves, r->nodes.at[k])) {
                return SL_ERR_MEMORY;
            }
        }
    }
    return SL_OK;
}

void sl_intervals_set(sl_intervals *r, int64_t leaf, double low, double high) {
    r->at[r->leaf_place[leaf]] = (sl_interval){low, high};
}

/* ---- Rules ------------------------------------------------------------------------------------------ */

typedef struct args {
    const sl_interval *at;
    const int32_t *places;
    int32_t n;
} args;
typedef sl_interval rule(args a);

static sl_interval argument_interval(args a, int32_t i) {
    return a.at[a.places[i]];
}
static sl_interval truth_interval(bool yes, bool no) {
    return (sl_interval){yes ? 1.0 : 0.0, no ? 0.0 : 1.0};
}
static double bound_product(double x, double y) {
    return x == 0.0 || y == 0.0 ? 0.0 : x * y; /* 0 times no bound */
}

static sl_interval of_add(args a) {
    sl_interval r = argument_interval(a, 0);
    for (int32_t i = 1; i < a.n; i++) {
        r.low += argument_interval(a, i).low;
        r.high += argument_interval(a, i).high;
    }
    return r;
}
static sl_interval of_neg(args a) {
    return (sl_interval){-argument_interval(a, 0).high, -argument_interval(a, 0).low};
}
static sl_interval of_mul(args a) {
    sl_interval r = argument_interval(a, 0);
    for (int32_t i = 1; i < a.n; i++) {
        sl_interval b = argument_interval(a, i);
        double p[4] = {bound_product(r.low, b.low), bound_product(r.low, b.high), bound_product(r.high, b.low),
                       bound_product(r.high, b.high)};
        r = (sl_interval){fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), fmax(fmax(p[0], p[1]), fmax(p[2], p[3]))};
    }
    return r;
}
static sl_interval of_min(args a) {
    sl_interval r = argument_interval(a, 0);
    for (int32_t i = 1; i < a.n; i++) {
        r = (sl_interval){fmin(r.low, argument_interval(a, i).low), fmin(r.high, argument_interval(a, i).high)};
    }
    return r;
}
static sl_interval of_max(args a) {
    sl_interval r = argument_interval(a, 0);
    for (int32_t i = 1; i < a.n; i++) {
        r = (sl_interval){fmax(r.low, argument_interval(a, i).low), fmax(r.high, argument_interval(a, i).high)};
    }
    return r;
}
static sl_interval of_abs(args a) {
    sl_interval x = argument_interval(a, 0);
    double high = fmax(fabs(x.low), fabs(x.high));
    return (sl_interval){x.low > 0.0 ? x.low : x.high < 0.0 ? -x.high : 0.0, high};
}
static sl_interval of_same(args a) {
    return argument_interval(a, 0);
}
static sl_interval of_floor(args a) {
    return (sl_interval){floor(argument_interval(a, 0).low), floor(argument_interval(a, 0).high)};
}
static sl_interval of_lt(args a) {
    return truth_interval(argument_interval(a, 0).high < argument_interval(a, 1).low,
                          argument_interval(a, 0).low >= argument_interval(a, 1).high);
}
static sl_interval of_le(args a) {
    return truth_interval(argument_interval(a, 0).high <= argument_interval(a, 1).low,
                          argument_interval(a, 0).low > argument_interval(a, 1).high);
}
static sl_interval of_eq(args a) {
    sl_interval x = argument_interval(a, 0), y = argument_interval(a, 1);
    return truth_interval(x.low == x.high && y.low == y.high && x.low == y.low, x.high < y.low || y.high < x.low);
}
static sl_interval of_ne(args a) {
    sl_interval r = of_eq(a);
    return (sl_interval){1.0 - r.high, 1.0 - r.low};
}
static sl_interval of_not(args a) {
    return truth_interval(sl_interval_is_false(argument_interval(a, 0)), sl_interval_is_true(argument_interval(a, 0)));
}
static sl_interval of_and(args a) {
    bool yes = true, no = false;
    for (int32_t i = 0; i < a.n; i++) {
        yes = yes && sl_interval_is_true(argument_interval(a, i));
        no = no || sl_interval_is_false(argument_interval(a, i));
    }
    return truth_interval(yes, no);
}
static sl_interval of_or(args a) {
    bool yes = false, no = true;
    for (int32_t i = 0; i < a.n; i++) {
        yes = yes || sl_interval_is_true(argument_interval(a, i));
        no = no && sl_interval_is_false(argument_interval(a, i));
    }
    return truth_interval(yes, no);
}
static sl_interval of_if(args a) {
    sl_interval x = argument_interval(a, 1), y = argument_interval(a, 2);
    if (sl_interval_is_true(argument_interval(a, 0))) {
        return x;
    }
    return sl_interval_is_false(argument_interval(a, 0)) ? y : (sl_interval){fmin(x.low, y.low), fmax(x.high, y.high)};
}

static rule *const rules[SL_OP_COUNT] = {
    [SL_OP_ADD] = of_add,     [SL_OP_NEG] = of_neg,   [SL_OP_MUL] = of_mul,     [SL_OP_MIN] = of_min,
    [SL_OP_MAX] = of_max,     [SL_OP_ABS] = of_abs,   [SL_OP_FLOOR] = of_floor, [SL_OP_LT] = of_lt,
    [SL_OP_LE] = of_le,       [SL_OP_EQ] = of_eq,     [SL_OP_NE] = of_ne,       [SL_OP_NOT] = of_not,
    [SL_OP_SMOOTH] = of_same, [SL_OP_CALL] = of_same, [SL_OP_AND] = of_and,     [SL_OP_OR] = of_or,
    [SL_OP_IF] = of_if,
};

static const sl_interval anything = {-INFINITY, INFINITY};

/* Of a function that rises: values of the C library at both ends, which may be wrong in the last places. */
static sl_interval rising(const sl_exprs *g, sl_op op, sl_interval x) {
    static const double wrong = 4.0 * 2.220446049250313e-16;
    double low = sl_expr_apply(g, op, 0, 1, &x.low), high = sl_expr_apply(g, op, 0, 1, &x.high);
    if (low != low || high != high) {
        return anything;
    }
    return (sl_interval){low - wrong * fabs(low), high + wrong * fabs(high)};
}

/* Exponents that are numbers. */
static sl_interval of_power(const sl_exprs *g, sl_interval x, double n) {
    bool is_even = n > 0.0 && fmod(n, 2.0) == 0.0;
    sl_interval size = {x.low > 0.0 ? x.low : x.high < 0.0 ? -x.high : 0.0, fmax(fabs(x.low), fabs(x.high))};
    if (!(n > 0.0) || !(is_even || x.low >= 0.0)) {
        return anything;
    }
    double ends[2][2] = {{size.low, n}, {size.high, n}};
    sl_interval r = {sl_expr_apply(g, SL_OP_POW, 0, 2, ends[0]), sl_expr_apply(g, SL_OP_POW, 0, 2, ends[1])};
    static const double wrong = 4.0 * 2.220446049250313e-16;
    return (sl_interval){r.low - wrong * r.low, r.high + wrong * r.high};
}

static sl_interval of_quotient(sl_interval x, sl_interval y) {
    if (!sl_interval_is_true(y)) {
        return anything;
    }
    const sl_interval both[2] = {x, {1.0 / y.high, 1.0 / y.low}};
    return of_mul((args){both, (const int32_t[]){0, 1}, 2});
}

/* Without a rule: the value, if all arguments have one, or what is known of the function. */
static sl_interval by_value(const sl_exprs *g, const sl_node *node, args a) {
    double v[3];
    bool point = a.n <= 3;
    for (int32_t i = 0; point && i < a.n; i++) {
        v[i] = argument_interval(a, i).low;
        point = argument_interval(a, i).low == argument_interval(a, i).high;
    }
    if (point) {
        double y = sl_expr_apply(g, (sl_op)node->op, node->symbol, a.n, v);
        return y == y ? (sl_interval){y, y} : anything;
    }
    sl_interval x = argument_interval(a, 0), y = a.n > 1 ? argument_interval(a, 1) : anything;
    switch ((int)node->op) {
    case SL_OP_SIN:
    case SL_OP_COS: return (sl_interval){-1.0, 1.0};
    case SL_OP_EXP:
    case SL_OP_TANH:
    case SL_OP_ATAN: return rising(g, (sl_op)node->op, x);
    case SL_OP_LOG:
    case SL_OP_SQRT: return x.low >= 0.0 ? rising(g, (sl_op)node->op, x) : anything;
    case SL_OP_COSH: return (sl_interval){1.0, INFINITY};
    case SL_OP_POW: return y.low == y.high ? of_power(g, x, y.low) : anything;
    case SL_OP_DIV: return of_quotient(x, y);
    default: return anything;
    }
}

sl_interval sl_intervals_eval(sl_intervals *r) {
    for (int64_t k = 0; k < r->nodes.n; k++) {
        const sl_node *node = sl_node_at(r->g, r->nodes.at[k]);
        if (node->n > 0) {
            args a = {r->at, r->args + r->first_arg[k], node->n};
            r->at[k] = rules[node->op] ? rules[node->op](a) : by_value(r->g, node, a);
        }
    }
    return r->at[r->nodes.n - 1];
}
