/* SPDX-License-Identifier: MIT */
/* test_reactions.c: rates, mass transfer, and the step of one segment, against closed forms and measured orders. */
#include "sl_test.h"

#include "quality/reactions.h"

/* ---- Rates -------------------------------------------------------------------------------------- */

static double rate(double order, double limit, double k, double c) {
    sl_kinetics x = {order, limit};
    return sl_bulk_rate(&x, k, c);
}

static void test_bulk_rates(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        double k = 0.3 * sign;
        sl_assert_double(rate(0.0, 0.0, k, 2.0), k);
        sl_assert_rel(rate(0.5, 0.0, k, 2.0), k * sqrt(2.0), 1e-15);
        sl_assert_double(rate(1.0, 0.0, k, 2.0), k * 2.0);
        sl_assert_double(rate(2.0, 0.0, k, 2.0), k * 4.0);
        sl_assert_rel(rate(2.7, 0.0, k, 2.0), k * pow(2.0, 2.7), 1e-15);
    }
    /* To a limit: from below in growth, from above in decay, and nothing beyond it. */
    sl_assert_rel(rate(1.0, 5.0, 0.3, 2.0), 0.3 * 3.0, 1e-15);
    sl_assert_rel(rate(2.0, 5.0, 0.3, 2.0), 0.3 * 3.0 * 2.0, 1e-15);
    sl_assert_rel(rate(1.5, 5.0, 0.3, 2.0), 0.3 * 3.0 * sqrt(2.0), 1e-15);
    sl_assert_double(rate(1.0, 5.0, 0.3, 6.0), 0.0);
    sl_assert_rel(rate(1.0, 1.0, -0.3, 4.0), -0.3 * 3.0, 1e-15);
    sl_assert_rel(rate(2.0, 1.0, -0.3, 4.0), -0.3 * 3.0 * 4.0, 1e-15);
    sl_assert_double(rate(1.0, 5.0, -0.3, 4.0), 0.0);
    /* Michaelis-Menten. */
    sl_assert_rel(rate(-1.0, 5.0, 0.3, 2.0), 0.3 * 2.0 / 7.0, 1e-15);
    sl_assert_rel(rate(-1.0, 5.0, -0.3, 2.0), -0.3 * 2.0 / 3.0, 1e-15);
}

/* Whatever the order, a rate is a number, also where there is nothing. */
static void test_no_rate_breaks(void **state) {
    (void)state;
    static const double orders[] = {-1.0, 0.0, 0.01, 0.5, 1.0, 1.5, 2.0, 3.0};
    static const double values[] = {0.0, 1e-300, 1e-20, 1.0, 5.0, 1e6};
    for (int i = 0; i < 8; i++) {
        for (int l = 0; l < 2; l++) {
            for (int s = -1; s <= 1; s += 2) {
                for (int j = 0; j < 6; j++) {
                    for (int exact = 0; exact < 2; exact++) {
                        sl_reaction r = {{orders[i], l * 5.0}, s * 2.0, -1, 0.0, 0.0, 0.0};
                        double bulk, wall, c = values[j];
                        if (s > 0 && !l && c > 1e3 && orders[i] > 1.0) {
                            continue; /* blows up: see test_extremes.c */
                        }
                        sl_react_segment(&r, exact, c, 3600.0, &bulk, &wall);
                        assert_true(isfinite(rate(orders[i], l * 5.0, r.k, c)));
                        assert_true(isfinite(bulk) || (s > 0 && !l && orders[i] >= 1.0));
                        if (isfinite(bulk)) {
                            assert_true(c + bulk >= -1e-15 * c);
                            assert_true(!l || orders[i] <= 0.0 || s < 0 || c + bulk <= fmax(c, 5.0) * (1 + 1e-15));
                            assert_true(!l || orders[i] <= 0.0 || s > 0 || c + bulk >= fmin(c, 5.0) * (1 - 1e-15));
                        }
                    }
                }
            }
        }
    }
}

static void test_mass_transfer(void **state) {
    (void)state;
    const double d = 0.2, length = 300.0, nu = 1.02e-6, diff = 1.2e-9, sc = nu / diff;
    /* Still, laminar, turbulent; the limits belong to the higher range. */
    sl_assert_rel(sl_mass_transfer(d, length, 0.0, nu, diff), 2.0 * diff / d, 1e-15);
    sl_assert_rel(sl_mass_transfer(d, length, 0.99, nu, diff), 2.0 * diff / d, 1e-15);
    double re = 1500.0, y = d / length * re * sc;
    sl_assert_rel(sl_mass_transfer(d, length, re, nu, diff),
                  (3.65 + 0.0668 * y / (1.0 + 0.04 * pow(y, 0.667))) * diff / d, 1e-13);
    re = 2300.001;
    sl_assert_rel(sl_mass_transfer(d, length, re, nu, diff), 0.0149 * pow(re, 0.88) * pow(sc, 0.333) * diff / d, 1e-13);
    re = 2e5;
    sl_assert_rel(sl_mass_transfer(d, length, re, nu, diff), 0.0149 * pow(re, 0.88) * pow(sc, 0.333) * diff / d, 1e-13);
    assert_true(isinf(sl_mass_transfer(d, length, 1.0, nu, 0.0)));
}

static void test_wall(void **state) {
    (void)state;
    const double d = 0.2, kf = 3e-6, kw = -1e-5;
    sl_assert_rel(sl_wall_first(kw, kf, d), 4.0 / d * kw * kf / (kf + 1e-5), 1e-15);
    sl_assert_rel(sl_wall_first(-kw, kf, d), 4.0 / d * 1e-5 * kf / (kf + 1e-5), 1e-15);
    sl_assert_rel(sl_wall_first(kw, (double)INFINITY, d), 4.0 / d * kw, 1e-15);
    sl_assert_double(sl_wall_first(0.0, kf, d), 0.0);
    /* Zero order: what the wall takes, or what gets there. */
    sl_assert_rel(sl_wall_zero(kw, kf, d, 10.0), 4.0 / d * kw, 1e-15);
    sl_assert_rel(sl_wall_zero(kw, kf, d, 1.0), -4.0 / d * kf, 1e-15);
    sl_assert_rel(sl_wall_zero(kw, (double)INFINITY, d, 1e-9), 4.0 / d * kw, 1e-15);
    sl_assert_double(sl_wall_zero(kw, kf, d, 0.0), 0.0);
}

/* ---- Steps -------------------------------------------------------------------------------------- */

/* c' = k c^n from c0 after t. */
static double solution(double n, double k, double c0, double t) {
    return n == 1.0 ? c0 * exp(k * t) : pow(pow(c0, 1.0 - n) + (1.0 - n) * k * t, 1.0 / (1.0 - n));
}

static double march(const sl_reaction *r, bool exact, double c, double t, int n) {
    for (int i = 0; i < n; i++) {
        double bulk, wall;
        sl_react_segment(r, exact, c, t / n, &bulk, &wall);
        c += bulk + wall;
    }
    return c;
}

/* The slope of log error over log step, from n to 2 n steps. */
static double slope(const sl_reaction *r, bool exact, double c0, double t, int n, double truth) {
    double a = fabs(march(r, exact, c0, t, n) - truth), b = fabs(march(r, exact, c0, t, 2 * n) - truth);
    return log2(a / b);
}

static void test_orders(void **state) {
    (void)state;
    static const double orders[] = {0.5, 1.0, 1.5, 2.0, 3.0};
    for (int i = 0; i < 5; i++) {
        for (int s = -1; s <= 1; s += 2) {
            sl_reaction r = {{orders[i], 0.0}, s * 1e-4, -1, 0.0, 0.0, 0.0};
            double truth = solution(orders[i], r.k, 1.2, 2000.0);
            double explicit_ = slope(&r, false, 1.2, 2000.0, 64, truth),
                   exact = slope(&r, true, 1.2, 2000.0, 16, truth);
            printf("order %3g, k %c 0: explicit %.3f, Runge-Kutta %.3f\n", orders[i], s < 0 ? '<' : '>', explicit_,
                   exact);
            sl_assert_abs(explicit_, 1.0, 0.03);
            sl_assert_abs(exact, 4.0, 0.2);
        }
    }
    /* To limits: c' = k (L - c), c' = k (L - c) c. */
    sl_reaction grow = {{1.0, 3.0}, 2e-4, -1, 0.0, 0.0, 0.0};
    sl_assert_abs(slope(&grow, true, 0.5, 4000.0, 32, 3.0 - 2.5 * exp(-0.8)), 4.0, 0.15);
    sl_reaction logistic = {{2.0, 3.0}, 2e-4, -1, 0.0, 0.0, 0.0};
    sl_assert_abs(slope(&logistic, true, 0.5, 4000.0, 64, 3.0 / (1.0 + 5.0 * exp(-3.0 * 0.8))), 4.0, 0.2);
    sl_reaction decay = {{1.0, 0.4}, -2e-4, -1, 0.0, 0.0, 0.0};
    sl_assert_abs(slope(&decay, true, 2.0, 4000.0, 32, 0.4 + 1.6 * exp(-0.8)), 4.0, 0.15);
    sl_assert_abs(slope(&decay, false, 2.0, 4000.0, 64, 0.4 + 1.6 * exp(-0.8)), 1.0, 0.02);
}

/* Michaelis-Menten, growth: c + L ln c rises by k t. */
static void test_michaelis_menten(void **state) {
    (void)state;
    sl_reaction r = {{-1.0, 2.0}, 5e-4, -1, 0.0, 0.0, 0.0};
    double c = march(&r, true, 0.3, 3000.0, 200);
    sl_assert_rel(c + 2.0 * log(c) - (0.3 + 2.0 * log(0.3)), 1.5, 1e-10);
    r.k = -5e-4; /* decay: c' = k c / (L - c): L ln c - c falls by |k| t */
    c = march(&r, true, 0.3, 3000.0, 200);
    sl_assert_rel(2.0 * log(c) - c - (2.0 * log(0.3) - 0.3), -1.5, 1e-10);
}

/* Zero order ends at zero, at the right time, and tells what it took; shares of bulk and wall in their proportion. */
static void test_used_up(void **state) {
    (void)state;
    sl_reaction r = {{0.0, 0.0},       -1e-3,    0, -2e-4,
                     (double)INFINITY, 4.0 / 0.4}; /* 1e-3 in the water, 2e-3 at the wall */
    double bulk, wall;
    for (int exact = 0; exact < 2; exact++) {
        sl_react_segment(&r, exact, 1.0, 200.0, &bulk, &wall);
        sl_assert_rel(bulk, -0.2, 1e-14);
        sl_assert_rel(wall, -0.4, 1e-14);
        sl_react_segment(&r, exact, 1.0, 2000.0, &bulk, &wall);
        sl_assert_rel(bulk, -1.0 / 3.0, 1e-14);
        sl_assert_rel(wall, -2.0 / 3.0, 1e-14);
        sl_react_segment(&r, exact, 0.0, 2000.0, &bulk, &wall);
        assert_true(bulk + wall >= 0.0 && bulk + wall < 1e-300);
    }
    sl_reaction root = {{0.5, 0.0}, -1e-3, -1, 0.0, 0.0, 0.0}; /* sqrt c falls by k t / 2: gone after 2000 s */
    sl_assert_rel(march(&root, true, 1.0, 1000.0, 50), 0.25, 1e-8);
    sl_assert_abs(march(&root, true, 1.0, 3000.0, 50), 0.0, 1e-6);
}

static void test_factor(void **state) {
    (void)state;
    sl_assert_double(sl_react_factor(true, -1e-4, 300.0), exp(-0.03));
    sl_assert_double(sl_react_factor(false, -1e-4, 300.0), 1.0 - 0.03);
    sl_assert_double(sl_react_factor(false, -1e-2, 300.0), 0.0); /* not below 0 */
    sl_assert_double(sl_react_factor(true, -1e9, 300.0), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_rates),    cmocka_unit_test(test_no_rate_breaks),
        cmocka_unit_test(test_mass_transfer), cmocka_unit_test(test_wall),
        cmocka_unit_test(test_orders),        cmocka_unit_test(test_michaelis_menten),
        cmocka_unit_test(test_used_up),       cmocka_unit_test(test_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
