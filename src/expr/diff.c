/* SPDX-License-Identifier: MIT */
/* diff.c: derivatives as expressions. What an argument contributes, its derivative times the partial one of the operation,
 * is the same forwards (here: one expression by one leaf) and backwards (jacobian.c: by all its leaves).
 * Docs: docs/theory/expressions.md#derivatives. */
#include <math.h>

#include "expr/impl.h"

/* ---- Partial derivatives of operations ----------------------------------------------------------- */

static sl_expr constant(sl_exprs *g, double v) {
    return sl_expr_const(g, v);
}
static sl_expr times(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_MUL, a, b);
}
static sl_expr over(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_DIV, a, b);
}
static sl_expr plus(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_ADD, a, b);
}
static sl_expr square(sl_exprs *g, sl_expr a) {
    return sl_expr_2(g, SL_OP_POW, a, constant(g, 2.0));
}
static sl_expr negative(sl_exprs *g, sl_expr a) {
    return sl_expr_1(g, SL_OP_NEG, a);
}

/* A node being differentiated: its own number, its arguments, and which of them. d is what is carried through. */
typedef struct step {
    sl_expr e, a, b; /* the node, its first and second argument (or the first again) */
    int32_t i, n;
    const sl_sides *sides;
} step;
typedef sl_expr contribution(sl_exprs *g, const step *s, sl_expr d);

static sl_expr by_add(sl_exprs *g, const step *s, sl_expr d) {
    (void)g, (void)s;
    return d;
}
static sl_expr by_neg(sl_exprs *g, const step *s, sl_expr d) {
    (void)s;
    return negative(g, d);
}
/* The other factors, in their order, with d in the place of this one. */
static sl_expr by_mul(sl_exprs *g, const step *s, sl_expr d) {
    if (s->sides->before) {
        sl_expr before = s->sides->before[s->i], behind = s->sides->behind[s->i];
        sl_expr first = before == SL_EXPR_NONE ? d : times(g, before, d);
        return behind == SL_EXPR_NONE ? first : times(g, first, behind);
    }
    sl_expr product = s->i == 0 ? d : sl_node_args(g, s->e)[0];
    for (int32_t k = 1; k < s->n; k++) {
        product = times(g, product, k == s->i ? d : sl_node_args(g, s->e)[k]);
    }
    return product;
}
static sl_expr by_div(sl_exprs *g, const step *s, sl_expr d) {
    return s->i == 0 ? over(g, d, s->b) : negative(g, over(g, times(g, d, s->e), s->b));
}
static sl_expr by_pow(sl_exprs *g, const step *s, sl_expr d) {
    if (s->i == 1) {
        return times(g, d, times(g, s->e, sl_expr_1(g, SL_OP_LOG, s->a)));
    }
    sl_expr lower = sl_expr_2(g, SL_OP_POW, s->a, plus(g, s->b, constant(g, -1.0)));
    return times(g, d, times(g, s->b, lower));
}
static sl_expr by_sqrt(sl_exprs *g, const step *s, sl_expr d) {
    return over(g, d, times(g, constant(g, 2.0), s->e));
}
static sl_expr by_exp(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, s->e);
}
static sl_expr by_log(sl_exprs *g, const step *s, sl_expr d) {
    return over(g, d, s->a);
}
static sl_expr by_log10(sl_exprs *g, const step *s, sl_expr d) {
    return over(g, d, times(g, constant(g, log(10.0)), s->a));
}
static sl_expr by_sin(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_1(g, SL_OP_COS, s->a));
}
static sl_expr by_cos(sl_exprs *g, const step *s, sl_expr d) {
    return negative(g, times(g, d, sl_expr_1(g, SL_OP_SIN, s->a)));
}
static sl_expr by_tan(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, plus(g, constant(g, 1.0), square(g, s->e)));
}
static sl_expr root_of_rest(sl_exprs *g, sl_expr a) {
    return sl_expr_1(g, SL_OP_SQRT, sl_expr_minus(g, constant(g, 1.0), square(g, a)));
}
static sl_expr by_asin(sl_exprs *g, const step *s, sl_expr d) {
    return over(g, d, root_of_rest(g, s->a));
}
static sl_expr by_acos(sl_exprs *g, const step *s, sl_expr d) {
    return negative(g, over(g, d, root_of_rest(g, s->a)));
}
static sl_expr by_atan(sl_exprs *g, const step *s, sl_expr d) {
    return over(g, d, plus(g, constant(g, 1.0), square(g, s->a)));
}
static sl_expr by_sinh(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_1(g, SL_OP_COSH, s->a));
}
static sl_expr by_cosh(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_1(g, SL_OP_SINH, s->a));
}
static sl_expr by_tanh(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_minus(g, constant(g, 1.0), square(g, s->e)));
}
static sl_expr by_abs(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_1(g, SL_OP_SIGN, s->a));
}
static sl_expr by_atan2(sl_exprs *g, const step *s, sl_expr d) {
    sl_expr r2 = plus(g, square(g, s->a), square(g, s->b));
    return s->i == 0 ? over(g, times(g, d, s->b), r2) : negative(g, over(g, times(g, d, s->a), r2));
}
static sl_expr by_mod(sl_exprs *g, const step *s, sl_expr d) {
    return s->i == 0 ? d : negative(g, times(g, d, sl_expr_1(g, SL_OP_FLOOR, over(g, s->a, s->b))));
}
/* The i-th argument of a min or max against another value. */
static sl_expr beats(sl_exprs *g, const step *s, sl_op op, sl_expr other) {
    sl_expr mine = sl_node_args(g, s->e)[s->i];
    return sl_node_op(g, s->e) == SL_OP_MIN ? sl_expr_2(g, op, mine, other) : sl_expr_2(g, op, other, mine);
}
/* The i-th is chosen when it is beyond all before it and no less than all after it, as evaluation does. */
static sl_expr by_choice(sl_exprs *g, const step *s, sl_expr d) {
    sl_expr chosen = constant(g, 1.0);
    if (s->sides->before) {
        sl_expr before = s->sides->before[s->i], behind = s->sides->behind[s->i];
        chosen = before == SL_EXPR_NONE ? chosen : beats(g, s, SL_OP_LT, before);
        chosen = behind == SL_EXPR_NONE ? chosen : sl_expr_2(g, SL_OP_AND, chosen, beats(g, s, SL_OP_LE, behind));
        return sl_expr_3(g, SL_OP_IF, chosen, d, constant(g, 0.0));
    }
    for (int32_t k = 0; k < s->n; k++) {
        if (k != s->i) {
            sl_expr wins = beats(g, s, k < s->i ? SL_OP_LT : SL_OP_LE, sl_node_args(g, s->e)[k]);
            chosen = sl_expr_2(g, SL_OP_AND, chosen, wins);
        }
    }
    return sl_expr_3(g, SL_OP_IF, chosen, d, constant(g, 0.0));
}
static sl_expr by_if(sl_exprs *g, const step *s, sl_expr d) {
    sl_expr no = constant(g, 0.0);
    return s->i == 0 ? no : sl_expr_3(g, SL_OP_IF, s->a, s->i == 1 ? d : no, s->i == 1 ? no : d);
}
/* The value is the first argument; the others are for people. */
static sl_expr by_call(sl_exprs *g, const step *s, sl_expr d) {
    return s->i == 0 ? d : constant(g, 0.0);
}
static sl_expr by_table(sl_exprs *g, const step *s, sl_expr d) {
    return times(g, d, sl_expr_table(g, sl_node_at(g, s->e)->symbol, true, s->a));
}

/* No entry: the derivative is 0 wherever there is one. */
static contribution *const contributions[SL_OP_COUNT] = {
    [SL_OP_ADD] = by_add,     [SL_OP_NEG] = by_neg,    [SL_OP_MUL] = by_mul,    [SL_OP_DIV] = by_div,
    [SL_OP_POW] = by_pow,     [SL_OP_SQRT] = by_sqrt,  [SL_OP_EXP] = by_exp,    [SL_OP_LOG] = by_log,
    [SL_OP_LOG10] = by_log10, [SL_OP_SIN] = by_sin,    [SL_OP_COS] = by_cos,    [SL_OP_TAN] = by_tan,
    [SL_OP_ASIN] = by_asin,   [SL_OP_ACOS] = by_acos,  [SL_OP_ATAN] = by_atan,  [SL_OP_SINH] = by_sinh,
    [SL_OP_COSH] = by_cosh,   [SL_OP_TANH] = by_tanh,  [SL_OP_ABS] = by_abs,    [SL_OP_ATAN2] = by_atan2,
    [SL_OP_MOD] = by_mod,     [SL_OP_MIN] = by_choice, [SL_OP_MAX] = by_choice, [SL_OP_IF] = by_if,
    [SL_OP_TABLE] = by_table, [SL_OP_SMOOTH] = by_add, [SL_OP_CALL] = by_call,
};

bool sl_sides_init(sl_exprs *g, sl_expr e, int32_t n_wanted, sl_sides *out) {
    enum { LONG = 8 }; /* below, what is written stays as it is written: one product or condition for each argument */
    *out = (sl_sides){.n = sl_node_at(g, e)->n};
    sl_op op = sl_node_op(g, e);
    if (n_wanted < 2 || out->n <= LONG || (op != SL_OP_MUL && op != SL_OP_MIN && op != SL_OP_MAX)) {
        return true;
    }
    int32_t n = out->n;
    out->before = sl_alloc(g->ctx, 2 * (size_t)n * sizeof *out->before);
    if (!out->before) {
        return false;
    }
    out->behind = out->before + n;
    out->before[0] = out->behind[n - 1] = SL_EXPR_NONE;
    out->before[1] = sl_node_args(g, e)[0];
    out->behind[n - 2] = sl_node_args(g, e)[n - 1];
    for (int32_t i = 2; i < n; i++) {
        out->before[i] = sl_expr_2(g, op, out->before[i - 1], sl_node_args(g, e)[i - 1]);
        out->behind[n - 1 - i] = sl_expr_2(g, op, sl_node_args(g, e)[n - i], out->behind[n - i]);
    }
    return g->status == SL_OK;
}

void sl_sides_fini(const sl_exprs *g, sl_sides *s) {
    sl_free(g->ctx, s->before, 2 * (size_t)s->n * sizeof *s->before);
}

/* What is chosen, where the other side is 0. */
typedef struct choice {
    sl_expr condition;
    bool otherwise;
} choice;

static bool is_choice(const sl_exprs *g, sl_expr d, choice *out, sl_expr *inner) {
    if (d < 0 || sl_node_op(g, d) != SL_OP_IF) {
        return false;
    }
    const sl_expr *a = sl_node_args(g, d);
    *out = (choice){a[0], sl_expr_is_const(g, a[1], 0.0)};
    bool is_one = out->otherwise || sl_expr_is_const(g, a[2], 0.0);
    *inner = is_one ? a[out->otherwise ? 2 : 1] : *inner;
    return is_one;
}

/* The derivative of what stands on one side only is a choice too, and no product with 0: there it may be undefined. */
sl_expr sl_expr_contribute(sl_exprs *g, sl_expr e, int32_t i, sl_expr d, const sl_sides *sides) {
    enum { DEEP = 4 };
    const sl_node *node = sl_node_at(g, e);
    if (!contributions[node->op]) {
        return constant(g, 0.0);
    }
    bool is_plain = node->op == SL_OP_ADD || node->op == SL_OP_IF || node->op == SL_OP_SMOOTH || node->op == SL_OP_CALL;
    const sl_expr *args = sl_node_args(g, e);
    step s = {e, args[0], args[node->n > 1 ? 1 : 0], i, node->n, sides};
    choice choices[DEEP];
    int n = 0;
    while (!is_plain && n < DEEP && is_choice(g, d, &choices[n], &d)) {
        n++;
    }
    sl_expr c = contributions[node->op](g, &s, d), zero = constant(g, 0.0);
    while (n > 0) {
        const choice *by = &choices[--n];
        c = sl_expr_3(g, SL_OP_IF, by->condition, by->otherwise ? zero : c, by->otherwise ? c : zero);
    }
    return c;
}

/* ---- Forwards ------------------------------------------------------------------------------------ */

/* The derivative of a leaf by another, or by time if by is SL_EXPR_NONE. */
static sl_expr diff_leaf(sl_exprs *g, sl_expr leaf, sl_expr by) {
    const sl_node *node = sl_node_at(g, leaf);
    if (by != SL_EXPR_NONE) {
        return constant(g, leaf == by ? 1.0 : 0.0);
    }
    if (node->op == SL_OP_VARIABLE) {
        return sl_expr_variable(g, node->symbol, node->order + 1);
    }
    if (node->op == SL_OP_ELEMENT) {
        return sl_expr_element(g, node->symbol, node->order + 1);
    }
    return constant(g, node->op == SL_OP_TIME ? 1.0 : 0.0);
}

/* d[k] of the k-th node of the list, its arguments' being known. terms: room for its contributions. */
static sl_expr diff_node(sl_exprs *g, sl_expr e, const sl_expr *d, sl_expr *terms) {
    int32_t n = sl_node_at(g, e)->n, n_term = 0;
    sl_op op = sl_node_op(g, e);
    if (op == SL_OP_CALL) {
        return d[g->walk.place[sl_node_args(g, e)[0]]];
    }
    if (op == SL_OP_IF) { /* one choice instead of the sum of two */
        const sl_expr *a = sl_node_args(g, e);
        return sl_expr_3(g, SL_OP_IF, a[0], d[g->walk.place[a[1]]], d[g->walk.place[a[2]]]);
    }
    int32_t n_wanted = 0;
    for (int32_t i = 0; i < n; i++) {
        sl_expr inner = d[g->walk.place[sl_node_args(g, e)[i]]];
        if (inner < 0) {
            return inner;
        }
        n_wanted += !sl_expr_is_const(g, inner, 0.0);
    }
    sl_sides sides;
    if (!sl_sides_init(g, e, n_wanted, &sides)) {
        sl_sides_fini(g, &sides);
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    for (int32_t i = 0; i < n; i++) {
        sl_expr inner = d[g->walk.place[sl_node_args(g, e)[i]]];
        if (!sl_expr_is_const(g, inner, 0.0)) {
            terms[n_term++] = sl_expr_contribute(g, e, i, inner, &sides);
        }
    }
    sl_sides_fini(g, &sides);
    return n_term ? sl_expr_make(g, SL_OP_ADD, n_term, terms) : constant(g, 0.0);
}

static sl_expr diff(sl_exprs *g, sl_expr e, sl_expr by) {
    sl_rewrite w;
    if (e < 0) {
        return e;
    }
    if (!sl_rewrite_begin(g, e, &w)) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    for (int64_t k = 0; k < w.list.n; k++) {
        bool leaf = sl_node_at(g, w.list.at[k])->n == 0;
        w.to[k] = leaf ? diff_leaf(g, w.list.at[k], by) : diff_node(g, w.list.at[k], w.to, w.args);
    }
    return sl_rewrite_end(g, &w);
}

sl_expr sl_expr_diff(sl_exprs *g, sl_expr e, sl_expr by) {
    return by < 0 ? SL_EXPR_NONE : diff(g, e, by);
}
sl_expr sl_expr_diff_time(sl_exprs *g, sl_expr e) {
    return diff(g, e, SL_EXPR_NONE);
}
