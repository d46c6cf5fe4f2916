/* SPDX-License-Identifier: MIT */
/* levels.c: roots as levels of quantities.
 *
 * A root function that is a X + b, with numbers a and b and any expression X, is positive where X is above -b/a (a > 0) or below it
 * (a < 0). Functions with the same X are levels of one quantity. X is found by its form: parameters as numbers, then the function as
 * a sum of multiples; the multiples of what is no number, divided by the first of them, are X.
 *
 * A variable counts only if its value is nothing but the sign of that function: two values, one root, no transition that
 * changes it. Where a function is zero and stays so the variable keeps its value, which contradicts no other level; two variables
 * of the same level could keep different ones from the start on, and are one level only if they start alike. A root with a guard
 * keeps its variable while the guard does not hold: those with the same guard keep theirs together, and count if they start
 * as one value of X would have them.
 */
#include "automata/levels.h"

#include <math.h>
#include <stdlib.h>

#include "automata/sha_impl.h"
#include "base/number.h"
#include "base/out.h"

/* A term of a sum. */
typedef struct term {
    sl_expr e;
    double factor;
} term;

typedef struct linear {
    sl_exprs *g;
    SL_ARRAY(term) terms;
    double rest;
    SL_ARRAY(term) open;
} linear;

/* A root as a level. */
typedef struct found_level {
    sl_expr quantity, guard;
    double level;
    int32_t variable, start;
    bool above;
} found_level;

/* A product or quotient with numbers: its other factor, and the number; false: it is none. */
static bool take_factor(const sl_exprs *g, sl_expr e, term *out) {
    const sl_expr *args = sl_expr_args(g, e);
    int32_t n_other = 0;
    if (sl_expr_op(g, e) == SL_OP_DIV && sl_expr_op(g, args[1]) == SL_OP_CONST) {
        *out = (term){args[0], 1.0 / sl_expr_value(g, args[1])};
        return true;
    }
    *out = (term){SL_EXPR_NONE, 1.0};
    for (int32_t i = 0; sl_expr_op(g, e) == SL_OP_MUL && i < sl_expr_n_arg(g, e); i++) {
        bool number = sl_expr_op(g, args[i]) == SL_OP_CONST;
        out->factor *= number ? sl_expr_value(g, args[i]) : 1.0;
        out->e = number ? out->e : args[i];
        n_other += !number;
    }
    return n_other == 1;
}

static bool add_term(linear *l, term t) {
    for (int64_t i = 0; i < l->terms.n; i++) {
        if (l->terms.at[i].e == t.e) {
            l->terms.at[i].factor += t.factor;
            return true;
        }
    }
    return SL_PUSH(sl_exprs_context(l->g), &l->terms, t);
}

/* e as a number and a sum of multiples. */
static bool collect(linear *l, sl_expr e) {
    sl_exprs *g = l->g;
    sl_context *ctx = sl_exprs_context(g);
    l->terms.n = l->open.n = 0;
    l->rest = 0.0;
    bool good = SL_PUSH(ctx, &l->open, ((term){e, 1.0}));
    while (good && l->open.n > 0) {
        term t = l->open.at[--l->open.n], inner;
        switch ((int)sl_expr_op(g, t.e)) {
        case SL_OP_CONST: l->rest += t.factor * sl_expr_value(g, t.e); break;
        case SL_OP_NEG: good = SL_PUSH(ctx, &l->open, ((term){sl_expr_args(g, t.e)[0], -t.factor})); break;
        case SL_OP_ADD:
            for (int32_t i = 0; good && i < sl_expr_n_arg(g, t.e); i++) {
                good = SL_PUSH(ctx, &l->open, ((term){sl_expr_args(g, t.e)[i], t.factor}));
            }
            break;
        default:
            good = take_factor(g, t.e, &inner) ? SL_PUSH(ctx, &l->open, ((term){inner.e, t.factor * inner.factor}))
                                               : add_term(l, t);
            break;
        }
    }
    return good;
}

static int by_node(const void *a, const void *b) {
    const term *x = a, *y = b;
    return (x->e > y->e) - (x->e < y->e);
}

/* 0.3/0.1 and 3 are one factor. */
static double without_rounding(double x) {
    char text[32];
    double y = x;
    int n = sl_format(text, sizeof text, "%.14g", x);
    (void)sl_number_parse((sl_str){text, (size_t)n}, &y);
    return y;
}

/* The function of a root as a level. False: it is none, or memory (the graph's status says so). */
static bool find_level(linear *l, sl_expr function, found_level *out) {
    sl_exprs *g = l->g;
    int64_t n = 0;
    if (!collect(l, function)) {
        return false;
    }
    for (int64_t i = 0; i < l->terms.n; i++) { /* what cancels is not there */
        if (l->terms.at[i].factor != 0.0) {
            l->terms.at[n++] = l->terms.at[i];
        }
    }
    if (n == 0) {
        return false;
    }
    qsort(l->terms.at, (size_t)n, sizeof *l->terms.at, by_node);
    double a = l->terms.at[0].factor;
    sl_expr x = l->terms.at[0].e;
    for (int64_t i = 1; i < n; i++) {
        x = sl_expr_2(
            g, SL_OP_ADD, x,
            sl_expr_2(g, SL_OP_MUL, sl_expr_const(g, without_rounding(l->terms.at[i].factor / a)), l->terms.at[i].e));
    }
    out->quantity = x;
    out->level = -l->rest / a;
    out->above = a > 0.0;
    return x >= 0 && isfinite(out->level);
}

/* ---- Which roots -------------------------------------------------------------------------------- */

/* How many roots decide each variable, [n_variable + 1]; NULL: memory. */
static int32_t *count_roots(const sl_sha *a, sl_context *ctx, size_t bytes) {
    int32_t *count = sl_alloc(ctx, bytes);
    for (int32_t i = 0; count && i < sl_sha_n_element(a, SL_SHA_ROOT); i++) {
        count[sl_sha_get_element(a, SL_SHA_ROOT, i).variable]++;
    }
    return count;
}

/* Is the variable decided by one root and by nothing else? */
static bool is_decided(const sl_sha *a, const int32_t *n_root, int32_t variable) {
    int32_t n_equation;
    (void)sl_sda_equations_of(a->discrete, variable, &n_equation);
    return n_root[variable] == 1 && n_equation == 0 && sl_sda_domain(a->discrete, variable) == 2;
}

static sl_expr with_numbers(const sl_sha *a, sl_exprs *g, sl_expr e) {
    sl_expr_list leaves = {0};
    bool good = sl_expr_leaves(g, 1, &e, &leaves) == SL_OK;
    for (int64_t i = 0; good && i < leaves.n; i++) {
        int32_t p = sl_expr_op(g, leaves.at[i]) == SL_OP_PARAMETER ? sl_expr_symbol(g, leaves.at[i]) : -1;
        if (p >= 0 && p < a->parameters.n && !a->is_inner.at[p]) {
            sl_expr value = sl_expr_const(g, a->parameters.at[p]);
            e = sl_expr_substitute(g, e, 1, &leaves.at[i], &value);
        }
    }
    sl_expr_list_fini(g, &leaves);
    return good ? sl_expr_simplify(g, e) : SL_EXPR_NONE;
}

static int by_level(const void *a, const void *b) {
    const found_level *x = a, *y = b;
    if (x->quantity != y->quantity || x->guard != y->guard) {
        return x->quantity != y->quantity ? (x->quantity > y->quantity) - (x->quantity < y->quantity)
                                          : (x->guard > y->guard) - (x->guard < y->guard);
    }
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level) : x->variable - y->variable;
}

static bool same_level(double x, double y) {
    return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

/* Does the variable start as if the quantity were above its level? */
static bool starts_passed(const found_level *f) {
    return (f->start != 0) == f->above;
}

/* Are there values of the quantity with which all of these start? Once passed they must stay so downwards. */
static bool starts_fit(const found_level *f, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        if (starts_passed(&f[i]) && !starts_passed(&f[i - 1])) {
            return false;
        }
    }
    return true;
}

/* The levels of one quantity and guard into out; returns how many. */
static int32_t put_group(const sl_exprs *g, const found_level *f, int64_t n, int32_t quantity, sl_check_level *out) {
    bool guarded = !sl_expr_is_const(g, f[0].guard, 1.0);
    int32_t n_out = 0;
    int64_t first = 0; /* of those of one level */
    if (n < 2 || (guarded && !starts_fit(f, n))) {
        return 0;
    }
    for (int64_t i = 0; i < n; i++) {
        first = i > 0 && same_level(f[i].level, f[first].level) ? first : i;
        if (i == first || starts_passed(&f[i]) == starts_passed(&f[first])) {
            out[n_out++] = (sl_check_level){f[i].variable, quantity, f[first].level, f[i].above};
        }
    }
    return n_out;
}

sl_status sl_sha_levels(const sl_sha *a, sl_context *ctx, sl_check_level **out, int32_t *n) {
    int32_t n_root = sl_sha_n_element(a, SL_SHA_ROOT), quantity = 0;
    SL_ARRAY(found_level) found = {0};
    *out = NULL;
    *n = 0;
    if (n_root < 2) {
        return SL_OK;
    }
    linear l = {.g = sl_exprs_copy(ctx, a->g)};
    size_t bytes = ((size_t)sl_sda_n_variable(a->discrete) + 1) * sizeof(int32_t);
    int32_t *count = count_roots(a, ctx, bytes);
    bool good = l.g && count;
    for (int32_t i = 0; good && i < n_root; i++) {
        sl_sha_element root = sl_sha_get_element(a, SL_SHA_ROOT, i);
        found_level level = {.variable = root.variable, .start = a->start.at[root.variable]};
        if (is_decided(a, count, root.variable)) {
            level.guard = sl_expr_simplify(l.g, root.guard);
            bool is_level = find_level(&l, with_numbers(a, l.g, root.expr), &level);
            good = level.guard >= 0 && (!is_level || SL_PUSH(ctx, &found, level));
        }
    }
    good = good && sl_exprs_status(l.g) != SL_ERR_MEMORY;
    size_t size = (size_t)found.n * sizeof **out;
    *out = good && found.n > 0 ? sl_alloc(ctx, size) : NULL;
    good = good && (found.n == 0 || *out);
    if (good && found.n > 0) {
        qsort(found.at, (size_t)found.n, sizeof *found.at, by_level);
        for (int64_t i = 0, k; i < found.n; i = k) {
            for (k = i + 1;
                 k < found.n && found.at[k].quantity == found.at[i].quantity && found.at[k].guard == found.at[i].guard;
                 k++) {}
            *n += put_group(l.g, found.at + i, k - i, quantity++, *out + *n);
        }
        *out = *n > 0 ? sl_resize(ctx, *out, size, (size_t)*n * sizeof **out) : (sl_free(ctx, *out, size), NULL);
        good = *n == 0 || *out;
    }
    sl_free(ctx, count, count ? bytes : 0);
    SL_ARRAY_FINI(ctx, &found);
    if (l.g) {
        SL_ARRAY_FINI(ctx, &l.terms);
        SL_ARRAY_FINI(ctx, &l.open);
        sl_exprs_destroy(l.g);
    }
    return good ? SL_OK : SL_ERR_MEMORY;
}
