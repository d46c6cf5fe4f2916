/* SPDX-License-Identifier: MIT */
/* test_vecmath.c: powers and logarithms against long double, and the same bits at any place of an array. */
#include "sl_test.h"

#include "laws/pipe.h"
#include "numeric/vecmath.h"

/* Units of the last place of b between a and b. */
static double ulps(double a, long double b) {
    double at = (double)b;
    return (double)fabsl(((long double)a - b) / (nextafter(fabs(at), INFINITY) - fabs(at)));
}

static void test_power(void **state) {
    (void)state;
    uint64_t seed = 5;
    static const double exponents[] = {0.852, -0.9, 0.5, 1.852, -0.148};
    for (int i = 0; i < 200000; i++) {
        double x = exp2(128.0 * sl_test_unit(&seed) - 64.0), e = exponents[i % 5];
        assert_true(ulps(sl_vec_power(x, e), powl(x, (long double)e)) <= 3.0);
    }
    sl_assert_double(sl_vec_power(1.0, 0.852), 1.0);
    sl_assert_double(sl_vec_power(4.0, 0.5), 2.0);
}

/* What is too small or too large counts as some limit: nothing becomes infinite or a NaN, and order is kept. */
static void test_limits(void **state) {
    (void)state;
    sl_assert_rel(sl_vec_power(0.0, 0.852), exp2(-1023.0 * 0.852), 1e-12);
    sl_assert_rel(sl_vec_power(1e-320, 0.852), exp2(-1023.0 * 0.852), 1e-3);
    sl_assert_rel(sl_vec_power(1e-300, 0.852), pow(1e-300, 0.852), 1e-12);
    sl_assert_rel(sl_vec_power(1e300, 0.852), pow(1e300, 0.852), 1e-12);
    sl_assert_rel(sl_vec_power(INFINITY, 0.852), exp2(1024.0 * 0.852), 1e-12);
    assert_true(isfinite(sl_vec_power(NAN, 0.852)));
    assert_true(isfinite(sl_vec_power(0.0, -0.9)) && isfinite(sl_vec_power(INFINITY, -0.9)));
    assert_true(isfinite(sl_vec_log(0.0)) && isfinite(sl_vec_log(INFINITY)));
}

static void test_logarithm(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200000; i++) {
        double x = exp2(100.0 * sl_test_unit(&seed) - 50.0), near = 1.0 + 1e-3 * (sl_test_unit(&seed) - 0.5);
        sl_assert_rel(sl_vec_log(x), log(x), 1e-15 * fmax(1.0, 1.0 / fabs(log(x))));
        sl_assert_abs(sl_vec_log(near), log(near), 2e-16);
    }
    sl_assert_double(sl_vec_log(1.0), 0.0);
}

/* A pipe alone, a pipe in the middle of an array and a pipe in its last odd corner: one result. The array goes through
 * vectors of this processor, the pipe alone does not. */
static void test_place_does_not_matter(void **state) {
    (void)state;
    enum { N = 61 };
    double r[N], m[N], q[N], h[N], slope[N], one_h, one_slope;
    sl_dw_pipe dw[N];
    uint64_t seed = 11;
    for (int i = 0; i < N; i++) {
        r[i] = exp(6.0 * sl_test_unit(&seed));
        m[i] = i % 3 ? 0.0 : sl_test_unit(&seed);
        q[i] = (i % 2 ? -1.0 : 1.0) * exp2(-30.0 * sl_test_unit(&seed));
        dw[i] = (sl_dw_pipe){.relative = 1e-3 * sl_test_unit(&seed), .re_scale = 1.3e6 / (0.05 + sl_test_unit(&seed))};
    }
    q[5] = 0.0;
    for (int law = 0; law < 3; law++) {
        for (int n = N - 9; n <= N; n++) {
            law == 0   ? sl_pipes_hw(n, r, m, q, 1e-6, h, slope)
            : law == 1 ? sl_pipes_cm(n, r, m, q, 1e-6, h, slope)
                       : sl_pipes_dw(n, r, m, dw, q, 1e-6, h, slope);
            for (int i = 0; i < n; i++) {
                law == 0   ? sl_pipes_hw(1, r + i, m + i, q + i, 1e-6, &one_h, &one_slope)
                : law == 1 ? sl_pipes_cm(1, r + i, m + i, q + i, 1e-6, &one_h, &one_slope)
                           : sl_pipes_dw(1, r + i, m + i, dw + i, q + i, 1e-6, &one_h, &one_slope);
                sl_assert_bits(h[i], one_h);
                sl_assert_bits(slope[i], one_slope);
            }
        }
    }
}

/* The code of this file is for any processor; the array's is for this one. */
static void test_processor_does_not_matter(void **state) {
    (void)state;
    enum { N = 1000 };
    static double r[N], m[N], q[N], h[N], slope[N];
    uint64_t seed = 13;
    for (int i = 0; i < N; i++) {
        r[i] = 1.0;
        q[i] = exp2(40.0 * sl_test_unit(&seed) - 20.0);
    }
    sl_pipes_hw(N, r, m, q, 0.0, h, slope);
    for (int i = 0; i < N; i++) {
        sl_assert_bits(h[i], sl_vec_power(q[i], 1.852 - 1.0) * q[i]);
    }
}

/* No minor losses, and those that are 0: the same bits. */
static void test_without_minor_losses(void **state) {
    (void)state;
    enum { N = 100 };
    double r[N], m[N] = {0}, q[N], h[2][N], slope[2][N];
    uint64_t seed = 17;
    for (int i = 0; i < N; i++) {
        r[i] = exp(6.0 * sl_test_unit(&seed));
        q[i] = i == 7 ? 0.0 : (i % 2 ? -1.0 : 1.0) * exp2(-40.0 * sl_test_unit(&seed)); /* some below the floor */
    }
    sl_pipes_hw(N, r, m, q, 1e-6, h[0], slope[0]);
    sl_pipes_hw(N, r, NULL, q, 1e-6, h[1], slope[1]);
    for (int i = 0; i < N; i++) {
        sl_assert_double(h[0][i], h[1][i]); /* -0 and 0 are the same loss */
        sl_assert_bits(slope[0][i], slope[1][i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_logarithm),
        cmocka_unit_test(test_place_does_not_matter),
        cmocka_unit_test(test_processor_does_not_matter),
        cmocka_unit_test(test_without_minor_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
