/* SPDX-License-Identifier: MIT */
/* Curves by points, and the power law of a pump: values on, between and beyond the points, closed forms of the fit. */
#include "sl_test.h"

#include "numeric/curve.h"

static const double x4[] = {0.0, 1.0, 3.0, 7.0};
static const double y4[] = {10.0, 20.0, 0.0, 8.0};

static void test_on_the_points(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int extend = 0; extend < 2; extend++) {
            sl_assert_double(sl_curve_value(x4, y4, 4, x4[i], extend), y4[i]);
        }
    }
}

/* The pieces have slopes 10, -10 and 2: every value here is exact in binary. */
static void test_between_the_points(void **state) {
    (void)state;
    static const struct {
        double at, value;
    } row[] = {{0.25, 12.5}, {0.5, 15.0}, {2.0, 10.0}, {2.5, 5.0}, {5.0, 4.0}, {6.5, 7.0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sl_assert_double(sl_curve_value(x4, y4, 4, row[i].at, false), row[i].value);
        sl_assert_double(sl_curve_value(x4, y4, 4, row[i].at, true), row[i].value);
    }
}

static void test_beyond_the_ends(void **state) {
    (void)state;
    sl_assert_double(sl_curve_value(x4, y4, 4, -2.0, false), 10.0);
    sl_assert_double(sl_curve_value(x4, y4, 4, 100.0, false), 8.0);
    sl_assert_double(sl_curve_value(x4, y4, 4, -2.0, true), -10.0); /* 10 + 10 * -2 */
    sl_assert_double(sl_curve_value(x4, y4, 4, 8.0, true), 10.0);   /* 8 + 2 * 1 */
}

static void test_one_point(void **state) {
    (void)state;
    const double x = 5.0, y = 3.0;
    sl_assert_double(sl_curve_value(&x, &y, 1, -1.0, true), 3.0);
    sl_assert_double(sl_curve_value(&x, &y, 1, 5.0, false), 3.0);
    sl_assert_double(sl_curve_value(&x, &y, 1, 9.0, true), 3.0);
}

/* Against a plain walk along the pieces, for all sizes up to 40. */
static void test_search_finds_the_piece(void **state) {
    (void)state;
    uint64_t seed = 7;
    double x[40], y[40];
    for (int32_t n = 2; n <= 40; n++) {
        x[0] = -3.0;
        for (int32_t i = 0; i < n; i++) {
            x[i] = i ? x[i - 1] + 0.01 + sl_test_unit(&seed) : x[0];
            y[i] = 10.0 * sl_test_unit(&seed) - 5.0;
        }
        for (int k = 0; k < 50; k++) {
            double at = x[0] + (x[n - 1] - x[0]) * sl_test_unit(&seed), want = y[0];
            for (int32_t i = 1; i < n; i++) {
                if (at >= x[i - 1] && at <= x[i]) {
                    want = y[i - 1] + (at - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1]);
                }
            }
            /* another order of the same four operations: a few roundings of numbers up to 5 / 0.01 * 1 */
            sl_assert_abs(sl_curve_value(x, y, n, at, false), want, 1e-11);
        }
    }
}

static void test_first_fall(void **state) {
    (void)state;
    const double flat[] = {0, 1, 1, 2}, back[] = {0, 2, 1, 0}, nan[] = {0, NAN, 2};
    assert_int_equal(sl_curve_first_fall(x4, 4), 4);
    assert_int_equal(sl_curve_first_fall(x4, 1), 1);
    assert_int_equal(sl_curve_first_fall(x4, 0), 0);
    assert_int_equal(sl_curve_first_fall(flat, 4), 2);
    assert_int_equal(sl_curve_first_fall(back, 4), 2);
    assert_int_equal(sl_curve_first_fall(nan, 3), 1); /* what does not rise falls */
}

/* h = h0 - r q^n for known r and n, asked back. */
static void test_power_fit_known_laws(void **state) {
    (void)state;
    static const struct {
        double h0, r, n, q1, q2;
    } row[] = {{100, 2, 2, 3, 5},      {50, 1, 1, 10, 20},      {33.3, 4e3, 1.5, 0.01, 0.025}, {120, 1e-4, 3, 20, 60},
               {200, 7, 0.5, 0.1, 40}, {1e-3, 1e-9, 2.5, 1, 3}, {60, 1e-20, 20, 5, 9}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double h1 = row[i].h0 - row[i].r * pow(row[i].q1, row[i].n),
               h2 = row[i].h0 - row[i].r * pow(row[i].q2, row[i].n);
        double r = NAN, n = NAN;
        if (row[i].n == 20) { /* on the limit: rounding decides; the law itself must still come out when it does */
            if (!sl_power_fit(row[i].h0, row[i].q1, h1, row[i].q2, h2, &r, &n)) {
                continue;
            }
        } else {
            assert_true(sl_power_fit(row[i].h0, row[i].q1, h1, row[i].q2, h2, &r, &n));
        }
        /* h0 - h1 loses the digits that r q^n is smaller than h0: at most 1e-9 of it here (the last but one) */
        sl_assert_rel(n, row[i].n, 1e-5);
        sl_assert_rel(row[i].h0 - r * pow(row[i].q2, n), h2, 1e-12);
        sl_assert_rel(row[i].h0 - r * pow(row[i].q1, n), h1, 1e-12);
    }
}

/* EPANET's one-point curve: shutoff head 4/3 of the design head, no head at twice the flow. Then
 * n = ln(h0 / (h0 - h)) / ln 2 = ln 4 / ln 2 = 2 and r = (h / 3) / q^2. */
static void test_power_fit_one_point_rule(void **state) {
    (void)state;
    const double q = 0.04, h = 60.0;
    double r, n;
    assert_true(sl_power_fit(4.0 / 3.0 * h, q, h, 2.0 * q, 0.0, &r, &n));
    sl_assert_rel(n, 2.0, 1e-14);
    sl_assert_rel(r, h / 3.0 / (q * q), 1e-13);
}

static void test_power_fit_refuses(void **state) {
    (void)state;
    static const double bad[][5] = {
        /* h0 q1 h1 q2 h2 */
        {100, 1, 100, 2, 50},      /* flat start */
        {100, 1, 110, 2, 50},      /* rises */
        {100, 1, 90, 2, 90},       /* flat end */
        {100, 1, 90, 2, 95},       /* rises at the end */
        {100, 0, 90, 2, 80},       /* no first flow */
        {100, -1, 90, 2, 80},      /* negative flow */
        {100, 2, 90, 2, 80},       /* same flow twice */
        {100, 2, 90, 1, 80},       /* flow goes back */
        {100, 1, 99.9999, 1.1, 0}, /* exponent 145 */
        {NAN, 1, 90, 2, 80},       {100, 1, NAN, 2, 80}, {100, NAN, 90, 2, 80},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double r = 7.0, n = 7.0;
        if (sl_power_fit(bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4], &r, &n)) {
            print_error("row %zu was accepted\n", i);
            fail();
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_the_points),          cmocka_unit_test(test_between_the_points),
        cmocka_unit_test(test_beyond_the_ends),        cmocka_unit_test(test_one_point),
        cmocka_unit_test(test_search_finds_the_piece), cmocka_unit_test(test_first_fall),
        cmocka_unit_test(test_power_fit_known_laws),   cmocka_unit_test(test_power_fit_one_point_rule),
        cmocka_unit_test(test_power_fit_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
