/* SPDX-License-Identifier: MIT */
/* Long sums, products and choices: what is made from them grows as they do. The numbers of nodes and arguments of a graph are
 * counted, for n and for 4 n arguments: linear memory quadruples (a square would make it sixteen times as much). */
#include "random_expr.h"

#include "expr/impl.h"

#include <math.h>

enum { N = 2500 };

static sl_expr factor(bench *b, int i) { /* x0 + i, a little different each, near 1 at x0 = 0 */
    return sl_expr_2(b->g, SL_OP_ADD, sl_expr_variable(b->g, 0, 0), sl_expr_const(b->g, 1.0 + 1e-6 * i));
}

static sl_expr many(bench *b, sl_op op, int n) {
    sl_expr *args = calloc((size_t)n, sizeof *args);
    for (int i = 0; i < n; i++) {
        args[i] = factor(b, i);
    }
    sl_expr e = sl_expr_make(b->g, op, n, args);
    free(args);
    return e;
}

/* Each one an argument of the next: as programs make them, or definitions in a model. */
static sl_expr chain(bench *b, sl_op op, int n) {
    sl_expr e = factor(b, 0);
    for (int i = 1; i < n; i++) {
        e = sl_expr_2(b->g, op, e, factor(b, i));
    }
    return e;
}

typedef sl_expr make_long(bench *b, sl_op op, int n);
typedef sl_expr do_long(bench *b, sl_expr e);

static sl_expr simplified(bench *b, sl_expr e) {
    return sl_expr_simplify(b->g, e);
}
static sl_expr derived(bench *b, sl_expr e) {
    return sl_expr_diff(b->g, e, sl_expr_variable(b->g, 0, 0));
}
static sl_expr derived_simplified(bench *b, sl_expr e) {
    return simplified(b, derived(b, e));
}
static sl_expr jacobian(bench *b, sl_expr e) {
    const int32_t columns[N_VARIABLE] = {0, 1, 2, 3, 4};
    const sl_jacobian_def def = {{columns}, {-1, -1, -1, -1}};
    sl_jacobian j;
    sl_assert_ok(sl_jacobian_create(b->g, 1, &e, &def, &j));
    assert_int_equal(j.nnz, 1);
    sl_expr entry = j.entry[0];
    sl_jacobian_fini(&j);
    return entry;
}

static double size_of(make_long *make, sl_op op, do_long *act, int n) {
    bench b;
    bench_init(&b);
    sl_expr e = act(&b, make(&b, op, n));
    assert_true(e >= 0);
    double size = (double)b.g->nodes.n + (double)b.g->args.n;
    bench_fini(&b);
    return size;
}

static void memory_is_linear(void **state) {
    (void)state;
    static const sl_op ops[] = {SL_OP_ADD, SL_OP_MUL, SL_OP_DIV, SL_OP_MIN, SL_OP_MAX};
    static do_long *const acts[] = {simplified, derived, derived_simplified, jacobian};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) {
            for (int chained = 0; chained < 2; chained++) {
                if (ops[i] == SL_OP_DIV && !chained) {
                    continue; /* takes two */
                }
                make_long *make = chained ? chain : many;
                double one = size_of(make, ops[i], acts[k], N), four = size_of(make, ops[i], acts[k], 4 * N);
                if (!(four < 5.0 * one)) {
                    fail_msg("op %d, act %d, chained %d: %g and %g", (int)ops[i], (int)k, chained, one, four);
                }
            }
        }
    }
}

/* (prod (x + c_i))' = prod * sum 1/(x + c_i). The sums below are of one sign: rounding is n units in the last place. */
static void derivative_of_a_product(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    for (int n = 2; n < 40; n++) {
        point at = {0};
        sl_expr e = many(&b, SL_OP_MUL, n);
        double product = 1.0, sum = 0.0;
        for (int i = 0; i < n; i++) {
            product *= 1.0 + 1e-6 * i;
            sum += 1.0 / (1.0 + 1e-6 * i);
        }
        sl_assert_near(bench_eval(&b, derived(&b, e), &at), product * sum, 0.0, 1e-14 * n);
        sl_assert_near(bench_eval(&b, jacobian(&b, e), &at), product * sum, 0.0, 1e-14 * n);
        sl_assert_near(bench_eval(&b, derived_simplified(&b, e), &at), product * sum, 0.0, 1e-14 * n);
    }
    bench_fini(&b);
}

/* The derivative of the least of (i - 20)^2 a + x_(i mod 5), with ties: exactly one is chosen. */
static void derivative_of_a_choice(void **state) {
    (void)state;
    const int32_t columns[N_VARIABLE] = {0, 1, 2, 3, 4};
    const sl_jacobian_def def = {{columns}, {-1, -1, -1, -1}};
    for (int most = 0; most < 2; most++) {
        for (int tied = 0; tied < 2; tied++) {
            bench b;
            bench_init(&b);
            sl_expr args[40];
            for (int i = 0; i < 40; i++) {
                double c = tied ? 0.0 : most ? -fabs(i - 22.0) : fabs(i - 22.0);
                args[i] = sl_expr_2(b.g, SL_OP_ADD, sl_expr_variable(b.g, i % N_VARIABLE, 0), sl_expr_const(b.g, c));
            }
            sl_expr e = sl_expr_make(b.g, most ? SL_OP_MAX : SL_OP_MIN, 40, args);
            sl_jacobian j;
            sl_assert_ok(sl_jacobian_create(b.g, 1, &e, &def, &j));
            point at = {0};
            double sum = 0.0;
            for (int64_t i = 0; i < j.nnz; i++) {
                double d = bench_eval(&b, j.entry[i], &at);
                assert_true(d == (j.column[i] == (tied ? 0 : 22 % N_VARIABLE) ? 1.0 : 0.0));
                sum += d;
            }
            assert_true(sum == 1.0);
            sl_jacobian_fini(&j);
            bench_fini(&b);
        }
    }
}

/* Simplified once is simplified for good, also around the length from which on a product is kept as it is. */
static void long_forms_are_stable(void **state) {
    (void)state;
    static const sl_op ops[] = {SL_OP_ADD, SL_OP_MUL};
    for (int i = 0; i < 2; i++) {
        for (int n = 254; n < 262; n++) {
            bench b;
            bench_init(&b);
            sl_expr x = sl_expr_variable(b.g, 1, 0), c = sl_expr_const(b.g, 3.0), e = many(&b, ops[i], n);
            const sl_expr forms[] = {e,
                                     sl_expr_2(b.g, SL_OP_MUL, c, e),
                                     sl_expr_2(b.g, SL_OP_ADD, x, e),
                                     sl_expr_minus(b.g, x, sl_expr_2(b.g, SL_OP_MUL, c, e)),
                                     sl_expr_2(b.g, SL_OP_DIV, x, e),
                                     sl_expr_2(b.g, SL_OP_MUL, x, sl_expr_2(b.g, SL_OP_DIV, e, c)),
                                     sl_expr_2(b.g, SL_OP_POW, e, sl_expr_const(b.g, -2.0)),
                                     derived(&b, e)};
            for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
                sl_expr once = sl_expr_simplify(b.g, forms[k]);
                assert_true(once >= 0);
                for (int64_t m = 0; m < b.g->simple.n; m++) {
                    b.g->simple.at[m] = SL_EXPR_NONE; /* what it knows is forgotten */
                }
                assert_int_equal(sl_expr_simplify(b.g, once), once);
            }
            bench_fini(&b);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_linear),
        cmocka_unit_test(derivative_of_a_product),
        cmocka_unit_test(derivative_of_a_choice),
        cmocka_unit_test(long_forms_are_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
