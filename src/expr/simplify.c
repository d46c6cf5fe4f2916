/* SPDX-License-Identifier: MIT */
/* simplify.c: sums and products in one form. A sum is a list of terms (coefficient, rest), a product a coefficient and a list
 * of factors (base, whole exponent); equal rests and equal bases meet after sorting. The others are in simplify_rules.c.
 * Docs: docs/theory/expressions.md#simplification. */
#include <math.h>

#include "expr/simplify.h"

/* ---- Order --------------------------------------------------------------------------------------- */

static int rank_of(const sl_node *node) {
    switch ((int)node->op) {
    case SL_OP_PARAMETER: return 0;
    case SL_OP_VARIABLE: return 1;
    case SL_OP_TIME: return 2;
    case SL_OP_CONST: return 4;
    default: return 3;
    }
}
#define COMPARE(x, y)              \
    if ((x) != (y)) {              \
        return (x) < (y) ? -1 : 1; \
    }
int sl_expr_compare(const sl_exprs *g, sl_expr a, sl_expr b) {
    const sl_node *x = sl_node_at(g, a), *y = sl_node_at(g, b);
    COMPARE(rank_of(x), rank_of(y))
    if (x->op == SL_OP_CONST) {
        COMPARE(x->u.value, y->u.value)
    }
    if (x->n == 0) {
        COMPARE(x->symbol, y->symbol)
        COMPARE(x->order, y->order)
    }
    COMPARE(x->op, y->op)
    COMPARE(x->hash, y->hash)
    COMPARE(a, b)
    return 0;
}

/* By insertion where there are few, else by merging: qsort knows no graph. */
static void merge(const sl_exprs *g, int64_t n, sl_expr *at, sl_expr *room) {
    if (n <= 8) {
        for (int64_t i = 1; i < n; i++) {
            sl_expr e = at[i];
            int64_t k = i;
            for (; k > 0 && sl_expr_compare(g, e, at[k - 1]) < 0; k--) {
                at[k] = at[k - 1];
            }
            at[k] = e;
        }
        return;
    }
    int64_t half = n / 2, i = 0, k = half, m = 0;
    merge(g, half, at, room);
    merge(g, n - half, at + half, room);
    while (i < half && k < n) {
        room[m++] = sl_expr_compare(g, at[k], at[i]) < 0 ? at[k++] : at[i++];
    }
    while (i < half) {
        room[m++] = at[i++];
    }
    for (int64_t j = 0; j < m; j++) {
        at[j] = room[j];
    }
}

/* room is the second half of at's memory: callers reserve twice as much. */
void sl_expr_sort(const sl_exprs *g, int64_t n, sl_expr *at) {
    merge(g, n, at, at + n);
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

/* In a sum coefficient * rest; the rest of a constant is SL_EXPR_NONE. In a product rest ^ coefficient, which is whole. */
typedef struct part {
    double coefficient;
    sl_expr rest;
} part;

static sl_expr constant(sl_exprs *g, double value) {
    return sl_expr_const(g, value);
}

static part split(sl_exprs *g, sl_expr e) {
    const sl_node *node = sl_node_at(g, e);
    if (node->op == SL_OP_CONST) {
        return (part){node->u.value, SL_EXPR_NONE};
    }
    const sl_expr *a = sl_node_args(g, e);
    if (node->op == SL_OP_NEG) {
        part p = split(g, a[0]); /* never nested twice: NEG(NEG) does not exist */
        return (part){-p.coefficient, p.rest};
    }
    if (node->op == SL_OP_MUL && sl_node_op(g, a[0]) == SL_OP_CONST) {
        double c = sl_node_at(g, a[0])->u.value;
        return (part){c, node->n == 2 ? a[1] : sl_expr_make(g, SL_OP_MUL, node->n - 1, a + 1)};
    }
    if (node->op == SL_OP_DIV) {
        sl_expr below = a[1];
        part p = split(g, a[0]);
        if (p.coefficient != 1.0 || p.rest == SL_EXPR_NONE) {
            sl_expr above = p.rest == SL_EXPR_NONE ? constant(g, 1.0) : p.rest;
            return (part){p.coefficient, sl_expr_2(g, SL_OP_DIV, above, below)};
        }
    }
    return (part){1.0, e};
}

/* The node of a part with a positive coefficient. */
static sl_expr join_positive(sl_exprs *g, double c, sl_expr rest) {
    if (c == 1.0) {
        return rest;
    }
    sl_op op = sl_node_op(g, rest);
    if (op == SL_OP_DIV) {
        sl_expr below = sl_node_args(g, rest)[1];
        return sl_expr_2(g, SL_OP_DIV, join_positive(g, c, sl_node_args(g, rest)[0]), below);
    }
    double product = op == SL_OP_CONST ? c * sl_node_at(g, rest)->u.value : (double)INFINITY;
    if (isfinite(product)) { /* else they stay apart */
        return constant(g, product);
    }
    if (op != SL_OP_MUL) {
        return sl_expr_2(g, SL_OP_MUL, constant(g, c), rest);
    }
    sl_expr_list factors = {0};
    sl_expr head = constant(g, c);
    bool good = head >= 0 && SL_PUSH(g->ctx, &factors, head);
    for (int32_t i = 0; good && i < sl_node_at(g, rest)->n;
         i++) { /* however long: the coefficient was its first factor */
        good = SL_PUSH(g->ctx, &factors, sl_node_args(g, rest)[i]);
    }
    sl_expr e = good ? sl_expr_make(g, SL_OP_MUL, (int32_t)factors.n, factors.at) : sl_exprs_fail(g, SL_ERR_MEMORY);
    sl_expr_list_fini(g, &factors);
    return e;
}
static sl_expr join(sl_exprs *g, part p) {
    if (p.rest == SL_EXPR_NONE) {
        return constant(g, p.coefficient);
    }
    return p.coefficient < 0.0 ? sl_expr_1(g, SL_OP_NEG, join_positive(g, -p.coefficient, p.rest))
                               : join_positive(g, p.coefficient, p.rest);
}

typedef SL_ARRAY(part) part_array;
typedef struct sum_work {
    part_array parts;
    double constant;
} sum_work;

/* Takes a sum apart; that of a negative sum has the signs turned. */
static bool take_terms(sl_exprs *g, sum_work *w, sl_expr e, double sign) {
    bool negative = sl_node_op(g, e) == SL_OP_NEG && sl_node_op(g, sl_node_args(g, e)[0]) == SL_OP_ADD;
    sl_expr sum = negative ? sl_node_args(g, e)[0] : e;
    if (sl_simple_is_open(g, SL_OP_ADD, sum)) { /* simplified: flat */
        for (int32_t i = 0; i < sl_node_at(g, sum)->n; i++) {
            part p = split(g, sl_node_args(g, sum)[i]);
            p.coefficient *= negative ? -sign : sign;
            if (!SL_PUSH(g->ctx, &w->parts, p)) {
                return false;
            }
        }
        return g->status == SL_OK;
    }
    part p = split(g, e);
    p.coefficient *= sign;
    return g->status == SL_OK && SL_PUSH(g->ctx, &w->parts, p);
}

/* By merging; room for as many. */
static void sort_parts(const sl_exprs *g, int64_t n, part *at, part *room) {
    if (n < 2) {
        return;
    }
    int64_t half = n / 2, i = 0, k = half, m = 0;
    sort_parts(g, half, at, room);
    sort_parts(g, n - half, at + half, room);
    while (i < half && k < n) {
        room[m++] = sl_expr_compare(g, at[k].rest, at[i].rest) < 0 ? at[k++] : at[i++];
    }
    while (i < half) {
        room[m++] = at[i++];
    }
    for (int64_t j = 0; j < m; j++) {
        at[j] = room[j];
    }
}

/* Sorts n parts and adds the coefficients of those with equal rests; how many are left. There is room for as many more. */
static int64_t merge_parts(const sl_exprs *g, int64_t n, part *at) {
    int64_t kept = 0;
    if (n == 0) { /* then there may be no memory at all */
        return 0;
    }
    sort_parts(g, n, at, at + n);
    for (int64_t i = 0; i < n; i++) {
        if (kept > 0 && at[kept - 1].rest == at[i].rest) {
            at[kept - 1].coefficient += at[i].coefficient;
        } else {
            at[kept++] = at[i];
        }
    }
    return kept;
}

/* Constants to the end, the others sorted and equal ones added. false: not finite, or memory */
static bool collect(sl_exprs *g, sum_work *w, int64_t *n) {
    int64_t m = 0;
    part *at;
    if (!SL_RESERVE(g->ctx, &w->parts, 2 * w->parts.n)) {
        sl_exprs_fail(g, SL_ERR_MEMORY);
        return false;
    }
    at = w->parts.at;
    for (int64_t i = 0; i < w->parts.n; i++) {
        if (at[i].rest == SL_EXPR_NONE) {
            w->constant += at[i].coefficient;
        } else {
            at[m++] = at[i];
        }
    }
    int64_t kept = merge_parts(g, m, at);
    bool finite = isfinite(w->constant);
    for (int64_t i = 0; i < kept; i++) {
        finite = finite && isfinite(at[i].coefficient);
    }
    *n = kept;
    return finite;
}

sl_expr sl_simple_sum(sl_exprs *g, int32_t n, const sl_expr *args) {
    sum_work w = {0};
    sl_expr_list terms = {0};
    sl_expr e = SL_EXPR_NONE;
    int64_t kept = 0;
    bool good = true;
    for (int32_t i = 0; good && i < n; i++) {
        good = take_terms(g, &w, args[i], 1.0);
    }
    if (!good) {
        sl_exprs_fail(g, SL_ERR_MEMORY);
    } else if (!collect(g, &w, &kept)) {
        e = g->status == SL_OK ? sl_expr_make(g, SL_OP_ADD, n, args) : SL_EXPR_NONE;
    } else {
        for (int64_t i = 0; good && i < kept; i++) {
            sl_expr term = w.parts.at[i].coefficient == 0.0 ? constant(g, 0.0) : join(g, w.parts.at[i]);
            good = term >= 0 && SL_PUSH(g->ctx, &terms, term);
        }
        sl_expr last = constant(g, w.constant);
        good = good && last >= 0 && SL_PUSH(g->ctx, &terms, last);
        e = good ? sl_expr_make(g, SL_OP_ADD, (int32_t)terms.n, terms.at) : sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    sl_expr_list_fini(g, &terms);
    SL_ARRAY_FINI(g->ctx, &w.parts);
    return e;
}

/* ---- Products ------------------------------------------------------------------------------------ */

typedef struct product_work {
    double coefficient;
    part_array factors;
    sl_expr_list pending, powers; /* pending: those in the denominator are kept as -2 - e */
} product_work;

/* Whether a factor is a quotient that is taken apart. Its sides are looked at then, each for itself. */
static bool is_open_quotient(const sl_exprs *g, sl_expr e) {
    const sl_expr *a = sl_node_args(g, e);
    return sl_node_op(g, e) == SL_OP_DIV && sl_simple_is_short(g, SL_OP_MUL, a[0]) &&
           sl_simple_is_short(g, SL_OP_MUL, a[1]);
}

/* A factor into the list; nested products, quotients and signs are taken apart, long ones inside others are not. whole: e itself
 * is, however long. */
static bool take_factors(sl_exprs *g, product_work *w, sl_expr e, bool whole) {
    w->pending.n = 0;
    if (whole && sl_node_op(g, e) == SL_OP_DIV) {
        const sl_expr *a = sl_node_args(g, e);
        for (int side = 0; side < 2; side++) {
            bool product = sl_node_op(g, a[side]) == SL_OP_MUL;
            int32_t n = product ? sl_node_at(g, a[side])->n : 1;
            for (int32_t i = 0; i < n; i++) {
                sl_expr f = product ? sl_node_args(g, a[side])[i] : a[side];
                if (!SL_PUSH(g->ctx, &w->pending, side == 0 ? f : -2 - f)) {
                    return false;
                }
            }
        }
    } else if (!SL_PUSH(g->ctx, &w->pending, e)) {
        return false;
    }
    while (w->pending.n > 0) {
        sl_expr code = w->pending.at[--w->pending.n], f = code < 0 ? -2 - code : code;
        double sign = code < 0 ? -1.0 : 1.0;
        const sl_node *node = sl_node_at(g, f);
        const sl_expr *a = sl_node_args(g, f);
        bool good = true;
        if (node->op == SL_OP_CONST && (node->u.value != 0.0 || sign > 0.0)) {
            w->coefficient = sign > 0.0 ? w->coefficient * node->u.value : w->coefficient / node->u.value;
        } else if (node->op == SL_OP_NEG) {
            w->coefficient = -w->coefficient;
            good = SL_PUSH(g->ctx, &w->pending, code < 0 ? -2 - a[0] : a[0]);
        } else if (sl_simple_is_open(g, SL_OP_MUL, f)) {
            for (int32_t i = 0; good && i < node->n; i++) {
                good = SL_PUSH(g->ctx, &w->pending, code < 0 ? -2 - a[i] : a[i]);
            }
        } else if (is_open_quotient(g, f)) {
            good = SL_PUSH(g->ctx, &w->pending, code < 0 ? -2 - a[0] : a[0]) &&
                   SL_PUSH(g->ctx, &w->pending, code < 0 ? a[1] : -2 - a[1]);
        } else {
            part x = {sign, f};
            if (node->op == SL_OP_POW && sl_node_op(g, a[1]) == SL_OP_CONST &&
                sl_node_at(g, a[1])->u.value == floor(sl_node_at(g, a[1])->u.value)) {
                x = (part){sign * sl_node_at(g, a[1])->u.value, a[0]};
            }
            good = SL_PUSH(g->ctx, &w->factors, x);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

/* The product of the factors with exponents of this sign, after the coefficient c. */
static sl_expr build_side(sl_exprs *g, product_work *w, double sign, double c) {
    w->powers.n = 0;
    sl_expr head = constant(g, c);
    bool good = head >= 0 && SL_PUSH(g->ctx, &w->powers, head);
    for (int64_t i = 0; good && i < w->factors.n; i++) {
        part f = w->factors.at[i];
        if (f.coefficient * sign > 0.0) {
            sl_expr power[2] = {f.rest, constant(g, fabs(f.coefficient))};
            sl_expr e = power[1] < 0 ? SL_EXPR_NONE : sl_simple_power(g, 2, power);
            good = e >= 0 && SL_PUSH(g->ctx, &w->powers, e);
        }
    }
    return good ? sl_expr_make(g, SL_OP_MUL, (int32_t)w->powers.n, w->powers.at) : sl_exprs_fail(g, SL_ERR_MEMORY);
}

static sl_expr build_product(sl_exprs *g, product_work *w) {
    if (!SL_RESERVE(g->ctx, &w->factors, 2 * w->factors.n)) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    w->factors.n = merge_parts(g, w->factors.n, w->factors.at);
    sl_expr above = build_side(g, w, 1.0, fabs(w->coefficient)), below = build_side(g, w, -1.0, 1.0);
    sl_expr e = sl_expr_2(g, SL_OP_DIV, above, below);
    return w->coefficient < 0.0 ? sl_expr_1(g, SL_OP_NEG, e) : e;
}

sl_expr sl_simple_product(sl_exprs *g, int32_t n, const sl_expr *args) {
    product_work w = {.coefficient = 1.0};
    bool good = true;
    for (int32_t i = 0; good && i < n; i++) {
        good = take_factors(g, &w, args[i], n == 1);
    }
    sl_expr e;
    if (!good) {
        e = sl_exprs_fail(g, SL_ERR_MEMORY);
    } else if (!isfinite(w.coefficient)) {
        e = sl_expr_make(g, SL_OP_MUL, n, args);
    } else {
        e = w.coefficient == 0.0 ? constant(g, 0.0) : build_product(g, &w);
    }
    SL_ARRAY_FINI(g->ctx, &w.factors);
    sl_expr_list_fini(g, &w.pending);
    sl_expr_list_fini(g, &w.powers);
    return e;
}
