/* SPDX-License-Identifier: MIT */
/* Round steps, labels, axes of time, classes, and the colours that show them. */
#include "sl_test.h"

#include "plot/scale.h"
#include "plot/theme.h"

static void test_round_up(void **state) {
    (void)state;
    const double pairs[][2] = {{1, 1}, {1.1, 2}, {2, 2}, {2.1, 5}, {5.5, 10}, {0.03, 0.05}, {7e-9, 1e-8}, {1234, 2000}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        sl_assert_rel(sl_round_up(pairs[i][0]), pairs[i][1], 1e-12);
    }
}

/* Whatever the values: they are on the axis, ticks are within it, few enough, and at multiples of a round step. */
static void test_axes_hold_their_values(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        double low = (sl_test_unit(&seed) - 0.5) * pow(10.0, (double)sl_test_below(&seed, 20) - 8.0);
        double high = low + sl_test_unit(&seed) * pow(10.0, (double)sl_test_below(&seed, 20) - 8.0);
        int32_t most = 3 + (int32_t)sl_test_below(&seed, 10);
        sl_axis a = sl_axis_around(low, high, most);
        double room = 1e-5 * a.step;
        assert_true(a.low <= low + room && a.high >= high - room && a.high > a.low);
        assert_in_range(a.n, 2, (uintmax_t)most);
        assert_true(a.first >= a.low - room && a.first + (a.n - 1) * a.step <= a.high + room);
        sl_assert_rel(sl_round_up(a.step), a.step, 1e-9);
    }
}

static void test_constant_values_get_room(void **state) {
    (void)state;
    sl_axis zero = sl_axis_around(0.0, 0.0, 6), same = sl_axis_around(50.0, 50.0001, 6);
    assert_true(zero.low <= 0.0 && zero.high >= 1.0);
    assert_true(same.low <= 45.1 && same.high >= 54.9); /* rounding is not magnified */
    assert_true(sl_axis_around(10.0, 80.0, 6).low == 0.0);
    assert_true(sl_axis_around(60.0, 80.0, 6).low > 0.0);
}

static void test_labels(void **state) {
    (void)state;
    char buf[SL_LABEL_MAX];
    sl_assert_z(sl_axis_label(0.5, 0.25, buf), "0.50"); /* as many digits as the step has */
    sl_assert_z(sl_axis_label(1.0, 0.5, buf), "1.0");
    sl_assert_z(sl_axis_label(20.0, 10.0, buf), "20");
    sl_assert_z(sl_axis_label(-20.0, 10.0, buf), "\xe2\x88\x92"
                                                 "20");
    sl_assert_z(sl_axis_label(-1e-17, 0.1, buf), "0.0");
    sl_assert_z(sl_value_label(78.1234, buf), "78.12");
    sl_assert_z(sl_value_label(12345.6, buf), "12346");
    sl_assert_z(sl_value_label(1e9, buf), "1e+09");
}

static void test_time(void **state) {
    (void)state;
    const struct {
        double to, step, unit;
    } cases[] = {{10, 1, 1},
                 {3600, 600, 60},
                 {86400, 10800, 3600},
                 {172800, 21600, 3600},
                 {604800, 86400, 86400},
                 {31536000, 50 * 86400, 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_time_axis t = sl_time_axis_of(0.0, cases[i].to, 11);
        sl_assert_double(t.axis.step, cases[i].step);
        sl_assert_double(t.unit, cases[i].unit);
        assert_true(t.axis.n <= 11);
    }
    char buf[SL_LABEL_MAX];
    sl_time_axis within = sl_time_axis_of(21600.0, 23400.0, 11), week = sl_time_axis_of(0.0, 604800.0, 11);
    sl_assert_z(sl_time_label(&within, 21900.0, buf), "6:05");
    sl_assert_z(within.name, "h:min");
    sl_assert_z(sl_time_label(&week, 172800.0, buf), "2");
    assert_true(sl_time_axis_of(5.0, 5.0, 10).axis.high > 5.0);
    assert_true(sl_time_axis_of(0.0, 1e12, 10).axis.n <= 12);
}

static void test_quantiles(void **state) {
    (void)state;
    const double x[] = {0, 10, 20, 30, 40};
    sl_assert_double(sl_quantile(x, 5, 0.0), 0.0);
    sl_assert_double(sl_quantile(x, 5, 0.5), 20.0);
    sl_assert_abs(sl_quantile(x, 5, 0.1), 4.0, 1e-12);
    sl_assert_double(sl_quantile(x, 5, 1.0), 40.0);
    sl_assert_double(sl_quantile(x, 1, 0.5), 0.0);
}

/* One odd value does not take the colours from the others; the ends say that there is something beyond. */
static void test_classes_are_robust(void **state) {
    (void)state;
    double x[1000];
    for (int i = 0; i < 999; i++) {
        x[i] = 20.0 + 60.0 * i / 998.0;
    }
    x[999] = 1e6;
    sl_classes c = sl_classes_of(x, 1000, NAN, NAN);
    assert_in_range(c.n, 4, SL_CLASS_MAX);
    assert_true(c.limit[c.n] <= 100.0 && c.above && !c.below);
    sl_assert_double(c.max, 1e6);
    assert_int_equal(sl_class_of(&c, 1e6), c.n - 1);
    assert_int_equal(sl_class_of(&c, -5.0), 0);
    assert_int_equal(sl_class_of(&c, NAN), -1);
    for (int i = 0; i < c.n; i++) {
        assert_true(c.limit[i] < c.limit[i + 1]);
        assert_int_equal(sl_class_of(&c, c.limit[i]), i);
    }
}

static void test_classes_of_very_different_sizes(void **state) {
    (void)state;
    double x[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = pow(10.0, -2.0 + 4.0 * i / 999.0);
    }
    sl_classes c = sl_classes_of(x, 1000, NAN, NAN);
    assert_in_range(c.n, 4, SL_CLASS_MAX);
    int used[SL_CLASS_MAX] = {0};
    for (int i = 0; i < 1000; i++) {
        used[sl_class_of(&c, x[i])]++;
    }
    for (int i = 1; i < c.n; i++) { /* no class has nearly all */
        assert_in_range(used[i], 1, 500);
    }
}

static void test_classes_of_little(void **state) {
    (void)state;
    double none[] = {NAN, NAN}, same[] = {0, 0, NAN, 0}, given[] = {1, 2, 3};
    assert_int_equal(sl_classes_of(none, 2, NAN, NAN).n, 0);
    assert_int_equal(sl_classes_of(none, 0, NAN, NAN).n, 0);
    sl_classes c = sl_classes_of(same, 4, NAN, NAN);
    assert_int_equal(c.n, 1);
    sl_assert_double(c.limit[0], c.limit[1]);
    assert_int_equal(sl_class_of(&c, 0.0), 0);
    c = sl_classes_of(given, 3, 2.0, 7.0);
    sl_assert_double(c.limit[0], 2.0);
    sl_assert_double(c.limit[c.n], 7.0);
    assert_true(c.below && !c.above);
    double beside[] = {1, 2, 3};
    c = sl_classes_of(beside, 3, 5.0, NAN);
    assert_true(c.limit[0] == 5.0 && c.limit[c.n] > 5.0 && c.below);
    c = sl_classes_of(beside, 3, NAN, -5.0);
    assert_true(c.limit[c.n] == -5.0 && c.limit[0] < -5.0 && c.above);
}

/* Any values: limits rise, every value has a class, and classes keep the order of values. */
static void test_classes_of_anything(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int run = 0; run < 3000; run++) {
        double x[60], y[60];
        int n = 1 + (int)sl_test_below(&seed, 60);
        double spread = (double)sl_test_below(&seed, 12);
        for (int i = 0; i < n; i++) {
            double sign = run % 3 ? 1.0 : sl_test_unit(&seed) - 0.3;
            x[i] = y[i] = sign * pow(10.0, spread * (sl_test_unit(&seed) - 0.5));
        }
        sl_classes c = sl_classes_of(x, n, NAN, NAN);
        assert_in_range(c.n, 1, SL_CLASS_MAX);
        for (int i = 0; i + 1 <= c.n && c.n > 1; i++) {
            assert_true(c.limit[i] < c.limit[i + 1]);
        }
        for (int i = 0; i < n; i++) {
            int32_t k = sl_class_of(&c, y[i]);
            assert_in_range(k, 0, (uintmax_t)(c.n - 1));
            assert_true(y[i] >= c.limit[k] || c.below || c.n == 1);
            assert_true(y[i] <= c.limit[k + 1] || c.above || c.n == 1);
        }
    }
}

/* ---- Colours ------------------------------------------------------------------------------------ */

static double linear(uint32_t byte) {
    double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/* CIE lightness, 0 to 100. */
static double lightness(uint32_t c) {
    double y = 0.2126 * linear(c >> 16 & 255) + 0.7152 * linear(c >> 8 & 255) + 0.0722 * linear(c & 255);
    return y > 0.008856 ? 116.0 * cbrt(y) - 16.0 : 903.3 * y;
}

static void test_the_ramp_rises_evenly(void **state) {
    (void)state;
    double whole = lightness(sl_ramp(1.0)) - lightness(sl_ramp(0.0));
    assert_true(whole > 60.0);
    for (int i = 0; i < 20; i++) {
        double step = lightness(sl_ramp((i + 1) / 20.0)) - lightness(sl_ramp(i / 20.0));
        assert_true(step > 0.5 * whole / 20.0 && step < 1.7 * whole / 20.0);
    }
    assert_int_equal(sl_ramp(-1.0), sl_ramp(0.0));
    assert_int_equal(sl_ramp(2.0), sl_ramp(1.0));
    assert_int_equal(sl_mix(0x000000, 0xffffff, 0.5), 0x808080);
}

static void test_lines_differ(void **state) {
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        double paper = lightness(sl_theme_of(dark)->paper);
        for (int i = 0; i < SL_LINE_COLOURS; i++) {
            assert_true(fabs(lightness(sl_line_colour(i, dark)) - paper) > 20.0);
            for (int k = 0; k < i; k++) {
                assert_int_not_equal(sl_line_colour(i, dark), sl_line_colour(k, dark));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_up),
        cmocka_unit_test(test_axes_hold_their_values),
        cmocka_unit_test(test_constant_values_get_room),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_classes_are_robust),
        cmocka_unit_test(test_classes_of_very_different_sizes),
        cmocka_unit_test(test_classes_of_little),
        cmocka_unit_test(test_classes_of_anything),
        cmocka_unit_test(test_the_ramp_rises_evenly),
        cmocka_unit_test(test_lines_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
