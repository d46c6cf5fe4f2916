/* SPDX-License-Identifier: MIT */
/* Tables given by points: linear, held and cubic, within and beyond their points; against closed forms, and against the curves of
 * networks, which are the same functions. */
#include "sl_test.h"

#include "numeric/curve.h"
#include "numeric/lookup.h"

static const double xs[] = {-1.0, 0.0, 0.5, 3.0}, ys[] = {2.0, 4.0, 4.0, -1.0};

static sl_lookup_table table(int32_t n, sl_table_kind kind, sl_table_beyond beyond) {
    return (sl_lookup_table){.n = n, .x = xs, .y = ys, .kind = kind, .beyond = beyond};
}

static void points_are_found(void **state) {
    (void)state;
    static const struct {
        double x;
        int32_t at;
    } cases[] = {{-2.0, -1}, {-1.0, 0}, {-0.1, 0}, {0.0, 1}, {0.49, 1}, {0.5, 2}, {3.0, 3}, {1e300, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(sl_points_find(4, xs, cases[k].x), cases[k].at);
    }
    assert_int_equal(sl_points_find(0, NULL, 1.0), -1);
    assert_int_equal(sl_points_find(4, xs, (double)INFINITY), 3);
}

static void values(void **state) {
    (void)state;
    sl_lookup_table linear = table(4, SL_TABLE_LINEAR, SL_TABLE_CONSTANT),
                    held = table(4, SL_TABLE_HOLD, SL_TABLE_EXTEND);
    sl_assert_double(sl_table_value(&linear, -0.5), 3.0);
    sl_assert_double(sl_table_value(&linear, 0.25), 4.0);
    sl_assert_double(sl_table_value(&linear, 1.75), 1.5);
    sl_assert_double(sl_table_slope(&linear, 1.75), -2.0);
    sl_assert_double(sl_table_value(&linear, -9.0), 2.0);
    sl_assert_double(sl_table_value(&linear, 9.0), -1.0);
    sl_assert_double(sl_table_slope(&linear, 9.0), 0.0);
    sl_assert_double(sl_table_value(&held, -0.01), 2.0);
    sl_assert_double(sl_table_value(&held, 0.0), 4.0);
    sl_assert_double(sl_table_value(&held, 99.0), -1.0);
    linear.beyond = SL_TABLE_EXTEND;
    sl_assert_double(sl_table_value(&linear, -2.0), 0.0);
    sl_assert_double(sl_table_value(&linear, 4.0), -3.0);
    linear.beyond = SL_TABLE_WARN; /* constant: who evaluates it warns */
    sl_assert_double(sl_table_value(&linear, 4.0), -1.0);
    linear.n = 1;
    linear.beyond = SL_TABLE_EXTEND;
    sl_assert_double(sl_table_value(&linear, 7.0), 2.0);
}

/* A cubic has the points, stays between them, and is level where they are. */
static void cubics_are_monotone(void **state) {
    (void)state;
    double slopes[4];
    sl_table_find_slopes(4, xs, ys, slopes);
    sl_lookup_table cubic = table(4, SL_TABLE_CUBIC, SL_TABLE_CONSTANT);
    cubic.slopes = slopes;
    for (int i = 0; i < 4; i++) {
        sl_assert_double(sl_table_value(&cubic, xs[i]), ys[i]);
    }
    for (int i = 0; i < 3; i++) {
        double last = ys[i];
        for (int k = 1; k < 100; k++) {
            double x = xs[i] + k / 100.0 * (xs[i + 1] - xs[i]), y = sl_table_value(&cubic, x);
            assert_true(ys[i + 1] >= ys[i] ? y >= last - 1e-14 : y <= last + 1e-14);
            last = y;
        }
    }
    sl_assert_double(sl_table_slope(&cubic, 0.25), 0.0);
}

/* Curves of networks: the same bits up to the last point, and the same line beyond. */
static void curves_are_tables(void **state) {
    (void)state;
    sl_lookup_table held = table(4, SL_TABLE_LINEAR, SL_TABLE_CONSTANT),
                    on = table(4, SL_TABLE_LINEAR, SL_TABLE_EXTEND);
    for (int k = 0; k <= 700; k++) {
        double x = -2.0 + 0.01 * k;
        sl_assert_bits(sl_curve_value(xs, ys, 4, x, false), sl_table_value(&held, x));
        if (x < xs[3]) {
            sl_assert_bits(sl_curve_value(xs, ys, 4, x, true), sl_table_value(&on, x));
        } else {
            sl_assert_abs(sl_curve_value(xs, ys, 4, x, true), sl_table_value(&on, x), 1e-14);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_found), cmocka_unit_test(values),
                                       cmocka_unit_test(cubics_are_monotone), cmocka_unit_test(curves_are_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
