/* SPDX-License-Identifier: MIT */
/* Derivatives and Jacobians against complex steps, differences and closed forms; simplification keeps values. */
#include "random_expr.h"

static sl_expr leaf_at(bench *b, int i) {
    return i < N_VARIABLE       ? sl_expr_variable(b->g, i, 0)
           : i < 2 * N_VARIABLE ? sl_expr_variable(b->g, i - N_VARIABLE, 1)
           : i < N_LEAF - 1     ? sl_expr_parameter(b->g, i - 2 * N_VARIABLE)
                                : sl_expr_time(b->g);
}
static double *place_at(point *at, int i) {
    return i < N_VARIABLE       ? &at->x[0][i]
           : i < 2 * N_VARIABLE ? &at->x[1][i - N_VARIABLE]
           : i < N_LEAF - 1     ? &at->p[i - 2 * N_VARIABLE]
                                : &at->t;
}

static void rules(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x0^3", "3*x0^2"},        {"sin(2*x0)", "2*cos(2*x0)"},
        {"x0*x1", "x1"},           {"x1/x0", "-x1/x0^2"},
        {"exp(-x0)", "-exp(-x0)"}, {"if(x0 < 1, x0^2, x1)", "if(x0 < 1, 2*x0, 0)"},
        {"x1 + p0", "0"},          {"tab(2*x0)", "2*slope(tab, 2*x0)"},
        {"abs(x0)", "sign(x0)"},   {"floor(x0)", "0"},
        {"x0 < x1", "0"},          {"mod(x0, 3)", "1"},
    };
    bench b;
    bench_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_expr d = sl_expr_simplify(b.g, sl_expr_diff(b.g, bench_parse(&b, cases[i][0]), bench_parse(&b, "x0")));
        assert_int_equal(d, sl_expr_simplify(b.g, bench_parse(&b, cases[i][1])));
    }
    sl_expr e = sl_expr_diff_time(b.g, bench_parse(&b, "x0^2*p0 + t*der(x1)"));
    assert_int_equal(sl_expr_simplify(b.g, e),
                     sl_expr_simplify(b.g, bench_parse(&b, "2*p0*x0*der(x0) + der(x1) + t*der(x1, 2)")));
    bench_fini(&b);
}

/* 1000 random smooth expressions, by every leaf, forwards and backwards. */
static void smooth_equals_complex_step(void **state) {
    (void)state;
    uint64_t seed = 42;
    bench b;
    bench_init(&b);
    const int32_t columns[2][N_VARIABLE] = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
    const sl_jacobian_def def = {{columns[0], columns[1]}, {-1, -1, -1, -1}};
    double worst = 0.0;
    int64_t n_derivative = 0;
    for (int k = 0; k < 1000; k++) {
        sl_expr e = random_expr(&b, &seed, 5 + (int)sl_test_below(&seed, 60), SMOOTH);
        point at = random_point(&seed);
        double row[2 * N_VARIABLE] = {0.0};
        sl_jacobian j;
        sl_assert_ok(sl_jacobian_create(b.g, 1, &e, &def, &j));
        for (int64_t i = 0; i < j.nnz; i++) {
            assert_true(i == 0 || j.column[i] > j.column[i - 1]);
            row[j.column[i]] = bench_eval(&b, j.entry[i], &at);
        }
        sl_jacobian_fini(&j);
        /* What rounding makes of large terms that cancel is seen against the largest derivative. */
        double exact[N_LEAF], scale = 1.0;
        for (int i = 0; i < N_LEAF; i++) {
            exact[i] = complex_step(&b, e, &at, leaf_at(&b, i));
            scale = fmax(scale, fabs(exact[i]));
        }
        for (int i = 0; i < N_LEAF; i++) {
            double forward = bench_eval(&b, sl_expr_diff(b.g, e, leaf_at(&b, i)), &at);
            sl_assert_abs(forward, exact[i], 1e-12 * scale);
            worst = fmax(worst, fabs(forward - exact[i]) / scale);
            if (i < 2 * N_VARIABLE) {
                sl_assert_abs(row[i], exact[i], 1e-12 * scale);
            }
            n_derivative += exact[i] != 0.0;
        }
    }
    assert_true(n_derivative > 2000);
    print_message("%lld derivatives, worst %.2g\n", (long long)n_derivative, worst);
    bench_fini(&b);
}

/* Differences at two widths; where they disagree a kink is near. */
static void kinked_equals_differences(void **state) {
    (void)state;
    uint64_t seed = 7;
    bench b;
    bench_init(&b);
    int64_t compared = 0, skipped = 0;
    for (int k = 0; k < 1000; k++) {
        sl_expr e = random_expr(&b, &seed, 5 + (int)sl_test_below(&seed, 40), KINKED);
        point at = random_point(&seed);
        for (int i = 0; i < N_LEAF; i++) {
            double d[2], x = *place_at(&at, i), y0 = bench_eval(&b, e, &at);
            for (int w = 0; w < 2; w++) {
                double h = w ? 1e-4 : 1e-5, y[4];
                for (int s = 0; s < 4; s++) {
                    static const double steps[] = {-2.0, -1.0, 1.0, 2.0};
                    *place_at(&at, i) = x + steps[s] * h;
                    y[s] = bench_eval(&b, e, &at);
                }
                d[w] = (y[0] - 8.0 * y[1] + 8.0 * y[2] - y[3]) / (12.0 * h);
            }
            *place_at(&at, i) = x;
            double scale = fmax(1.0, fmax(fabs(d[0]), fabs(y0)));
            double exact = bench_eval(&b, sl_expr_diff(b.g, e, leaf_at(&b, i)), &at);
            if (fabs(d[0] - d[1]) > 1e-7 * scale) {
                skipped++;
                continue;
            }
            sl_assert_abs(exact, d[0], 1e-6 * scale);
            compared += exact != 0.0;
        }
    }
    assert_true(compared > 1000 && skipped < compared / 4);
    bench_fini(&b);
}

static void simplification_keeps_values(void **state) {
    (void)state;
    uint64_t seed = 3;
    bench b;
    bench_init(&b);
    int64_t shorter = 0;
    for (int k = 0; k < 3000; k++) {
        sl_expr e = random_expr(&b, &seed, 5 + (int)sl_test_below(&seed, 60), k % 3);
        if (k % 4 == 0) {
            e = sl_expr_diff(b.g, e, leaf_at(&b, k % N_VARIABLE));
        }
        sl_expr s = sl_expr_simplify(b.g, e);
        assert_true(s >= 0);
        assert_int_equal(sl_expr_simplify(b.g, s), s);
        shorter += strlen(bench_text(&b, s, SL_EXPR_TEXT)) < strlen(bench_text(&b, e, SL_EXPR_TEXT));
        for (int i = 0; i < 3; i++) {
            point at = random_point(&seed);
            double y = bench_eval(&b, e, &at), z = bench_eval(&b, s, &at);
            /* A comparison, floor or sign that is decided by the last bit may go either way. */
            if (fabs(y - z) > 1e-9 * fmax(1.0, fabs(y)) && k % 3 != SMOOTH) {
                point near = at;
                for (int l = 0; l < N_LEAF; l++) {
                    *place_at(&near, l) *= 1.0 + 1e-9;
                }
                assert_true(fabs(bench_eval(&b, e, &near) - y) > 1e-6 || fabs(bench_eval(&b, s, &near) - z) > 1e-6);
            } else {
                sl_assert_near(z, y, 1e-9, 1e-9);
            }
        }
    }
    assert_true(shorter > 1000);
    bench_fini(&b);
}

static void simplification_finds(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x0 + x0", "2*x0"},
        {"x0 - x0", "0"},
        {"2*x0 + 3*x1 - x0*5", "-(3*x0) + 3*x1"},
        {"3 + x0 - 1", "x0 + 2"},
        {"x1 + x0 - (x0 + x1)", "0"},
        {"x0*x1/x0", "x1"},
        {"x0*x0*x0^2", "x0^4"},
        {"x0/x1/x0*p0", "p0/x1"},
        {"-(-x0*2)*x1", "2*x0*x1"},
        {"sqrt(x0)^2", "x0"},
        {"sqrt(x0^2)", "abs(x0)"},
        {"log(exp(x0))", "x0"},
        {"sin(-x0) + sin(x0)", "0"},
        {"cos(-x0)", "cos(x0)"},
        {"3/x0 + 2/x0", "5/x0"},
        {"min(x0, 3, x1, min(2, x0))", "min(x0, x1, 2)"},
        {"x4 & x4", "x4"},
        {"x4 & !x4", "0"},
        {"x0 < 1 | x0 >= 1", "1"},
        {"!(x0 < 1)", "x0 >= 1"},
        {"x4 = 1", "x4"},
        {"x4 = 0", "!x4"},
        {"x4 & (x4 | x0 < 1)", "x4"},
        {"x0 < 1 & (x4 & x0 < 1)", "x4 & x0 < 1"},
        {"if(!x4, x0, x1)", "if(x4, x1, x0)"},
        {"if(x4, 1, 0)", "x4"},
        {"x0 <= x0", "1"},
    };
    bench b;
    bench_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_expr e = sl_expr_simplify(b.g, bench_parse(&b, cases[i][0]));
        sl_assert_z(bench_text(&b, e, SL_EXPR_TEXT), cases[i][1]);
    }
    /* The same form from different writings. */
    assert_int_equal(sl_expr_simplify(b.g, bench_parse(&b, "x1*p0*x0 + sin(x2)*3 + 1")),
                     sl_expr_simplify(b.g, bench_parse(&b, "1 + 3*sin(x2) + x0*(x1*p0)")));
    bench_fini(&b);
}

/* dF/dx + cj dF/dx' of a DAE, and columns that are not wanted. */
static void jacobian_of_a_dae(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    sl_expr rows[3] = {bench_parse(&b, "der(x0) - x0*x1"), bench_parse(&b, "x1^2*x3 - x0"), bench_parse(&b, "p1 + t")};
    const int32_t columns[N_VARIABLE] = {1, 0, -1, -1, -1};
    sl_jacobian_def def = {{columns, columns}, {-1, sl_expr_parameter(b.g, 0), -1, -1}};
    sl_jacobian j;
    sl_assert_ok(sl_jacobian_create(b.g, 3, rows, &def, &j));
    assert_int_equal(j.nnz, 4);
    static const struct {
        int32_t column;
        const char *entry;
    } expected[] = {{0, "-x0"}, {1, "p0 - x1"}, {0, "2*x1*x3"}, {1, "-1"}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(j.column[i], expected[i].column);
        assert_int_equal(sl_expr_simplify(b.g, j.entry[i]), sl_expr_simplify(b.g, bench_parse(&b, expected[i].entry)));
    }
    assert_int_equal(j.start[1], 2);
    assert_int_equal(j.start[2], 4);
    assert_int_equal(j.start[3], 4);
    sl_jacobian_fini(&j);
    bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(smooth_equals_complex_step),
        cmocka_unit_test(kinked_equals_differences),
        cmocka_unit_test(simplification_keeps_values),
        cmocka_unit_test(simplification_finds),
        cmocka_unit_test(jacobian_of_a_dae),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
