/* test_series.c: values that change with time, and schedules that set them. */
#include "sl_test.h"

#include "ball.h"
#include "engine/schedule.h"

static const double t[] = {10.0, 20.0, 40.0}, x[] = {1.0, 3.0, -1.0};

static void test_hold(void **state) {
    (void)state;
    sl_series s = {t, x, 3, SL_SERIES_HOLD, 0.0};
    assert_true(sl_series_valid(&s));
    sl_assert_double(sl_series_value(&s, 0.0), 1.0);
    sl_assert_double(sl_series_value(&s, 10.0), 1.0);
    sl_assert_double(sl_series_value(&s, 19.999), 1.0);
    sl_assert_double(sl_series_value(&s, 20.0), 3.0);
    sl_assert_double(sl_series_value(&s, 1e9), -1.0);
    sl_assert_double(sl_series_next(&s, 0.0), 10.0);
    sl_assert_double(sl_series_next(&s, 10.0), 20.0);
    assert_true(isinf(sl_series_next(&s, 40.0)));
}

static void test_linear(void **state) {
    (void)state;
    sl_series s = {t, x, 3, SL_SERIES_LINEAR, 0.0};
    sl_assert_double(sl_series_value(&s, 5.0), 1.0);
    sl_assert_double(sl_series_value(&s, 15.0), 2.0);
    sl_assert_double(sl_series_value(&s, 30.0), 1.0);
    sl_assert_double(sl_series_value(&s, 40.0), -1.0);
    sl_assert_double(sl_series_value(&s, 50.0), -1.0);
}

static void test_period(void **state) {
    (void)state;
    sl_series held = {t, x, 3, SL_SERIES_HOLD, 50.0}, linear = {t, x, 3, SL_SERIES_LINEAR, 50.0};
    assert_true(sl_series_valid(&held));
    sl_assert_double(sl_series_value(&held, 0.0), -1.0); /* from the day before */
    sl_assert_double(sl_series_value(&held, 65.0), 1.0);
    sl_assert_double(sl_series_next(&held, 45.0), 60.0);
    sl_assert_double(sl_series_next(&held, 60.0), 70.0);
    sl_assert_double(sl_series_value(&linear, 50.0), 0.0); /* halfway from -1 at 40 to 1 at 60 */
    sl_assert_double(sl_series_value(&linear, 100.0), 0.0);
    /* Every next is later, however badly the period rounds. */
    sl_series odd = {t, x, 3, SL_SERIES_HOLD, 86400.0 / 7.0};
    double at = 0.0;
    for (int i = 0; i < 30000; i++) {
        double next = sl_series_next(&odd, at);
        assert_true(next > at && next - at < 13000.0);
        at = next;
    }
}

static void test_invalid(void **state) {
    (void)state;
    const double back[] = {1.0, 1.0}, bad[] = {0.0, NAN};
    assert_false(sl_series_valid(&(sl_series){back, x, 2, SL_SERIES_HOLD, 0.0}));
    assert_false(sl_series_valid(&(sl_series){t, bad, 2, SL_SERIES_HOLD, 0.0}));
    assert_false(sl_series_valid(&(sl_series){t, x, 0, SL_SERIES_HOLD, 0.0}));
    assert_false(sl_series_valid(&(sl_series){t, x, 3, SL_SERIES_HOLD, 40.0}));
    assert_false(sl_series_valid(&(sl_series){t, x, 3, SL_SERIES_HOLD, -1.0}));
}

static void test_schedule_drives_the_ball(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    static const ball_model model = {.height = 2.0, .restitution = 0.8};
    static const double when[] = {0.0, 0.25}, gravity[] = {9.81, 1.62};
    sl_schedule_row row = {BALL_GRAVITY, 0, {when, gravity, 2, SL_SERIES_HOLD, 0.0}};
    sl_schedule s = {&row, 1};
    void *ball = NULL;
    sl_engine_step step;
    sl_assert_ok(ball_ops.create(ctx, &model, NULL, &ball));
    sl_assert_ok(sl_schedule_check(&s, &ball_ops, ball, NULL));
    while (ball_ops.time(ball) < 0.25) {
        sl_assert_ok(ball_ops.step(ball, NULL, &step));
    }
    sl_assert_double(sl_schedule_next(&s, 0.0), 0.25);
    sl_assert_ok(ball_ops.cut(ball, 0.25, NULL));
    sl_assert_ok(sl_schedule_apply(&s, &ball_ops, ball, NULL));
    sl_assert_double(ball_ops.data(ball, BALL_GRAVITY)[0], 1.62);
    /* Free fall for 0.25 s, then 0.1 s with the moon's gravity. */
    double h = 2.0 - 0.5 * 9.81 * 0.0625, v = -9.81 * 0.25;
    sl_assert_ok(ball_ops.step(ball, NULL, &step));
    sl_assert_near(ball_ops.data(ball, BALL_HEIGHT)[0], h + v * 0.1 - 0.5 * 1.62 * 0.01, 1e-14, 0.0);
    row.field = BALL_HEIGHT;
    sl_assert_status(sl_schedule_check(&s, &ball_ops, ball, NULL), SL_ERR_INPUT);
    row = (sl_schedule_row){BALL_GRAVITY, 1, {when, gravity, 2, SL_SERIES_HOLD, 0.0}};
    sl_assert_status(sl_schedule_check(&s, &ball_ops, ball, NULL), SL_ERR_INPUT);
    row = (sl_schedule_row){BALL_GRAVITY, 0, {when, gravity, 2, SL_SERIES_LINEAR, 0.0}};
    sl_assert_status(sl_schedule_check(&s, &ball_ops, ball, NULL), SL_ERR_INPUT);
    ball_ops.destroy(ball);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_schedule_drives_the_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
