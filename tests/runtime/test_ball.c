/* SPDX-License-Identifier: MIT */
/* test_ball.c: the suite of session semantics over the bouncing ball, and what sets and stops mean in numbers. */
#include "sl_test.h"

#include "ball.h"
#include "suite.h"

static const char *const gauges[] = {"top", "it's", "a\\b"};
static const double levels[] = {1.5, 0.5, -1.0};
static const ball_model endless = {.height = 2.0, .restitution = 0.8};
static const ball_model watched = {.height = 2.0,
                                   .restitution = 0.8,
                                   .end = 7.3,
                                   .report_step = 0.25,
                                   .gauges = gauges,
                                   .levels = levels,
                                   .n_gauge = 3};

static void check(const ball_model *ball, const suite_case *c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_model *model = NULL;
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, ball, &model));
    suite_case filled = *c;
    filled.model = model;
    suite_check(&filled);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

static void test_gravity(void **state) {
    (void)state;
    suite_case c = {.duration = 5.0,
                    .input = "gravity",
                    .values = {1.62, 24.8},
                    .bad_value = -1.0,
                    .output = "energy.total",
                    .parameter = "restitution",
                    .parameter_value = 0.7,
                    .n_event = 3,
                    .holds = true,
                    .n_part = 40};
    check(&endless, &c);
    c.duration = 7.3;
    c.parameter = "part.'it\\'s'.level";
    check(&watched, &c);
}

static void test_floor(void **state) {
    (void)state;
    suite_case c = {
        .duration = 5.0, .input = "floor", .values = {1.0, 2.0}, .bad_value = 3.0, .parameter = NULL, .n_part = 33};
    check(&watched, &c);
    c.bad_value = 0.5;
    check(&endless, &c);
}

/* A set at t within a step: free fall up to t, then with the other gravity. */
static void test_a_set_acts_at_its_time(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, &endless, &model));
    sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
    assert_true(isnan(suite_get(s, "energy.total"))); /* not computed yet */
    suite_advance(s, 0.25, 0, 0.25, SL_REASON_TARGET);
    double h = 2.0 - 0.5 * 9.81 * 0.0625, v = -9.81 * 0.25;
    sl_assert_abs(suite_get(s, "height"), h, 1e-14); /* rounding of three steps */
    suite_set(s, "gravity", 1.62);
    sl_assert_double(sl_session_next_event(s), 0.25 + 0.1);
    suite_advance(s, 0.3, 0, 0.3, SL_REASON_TARGET);
    sl_assert_abs(suite_get(s, "height"), h + v * 0.05 - 0.5 * 1.62 * 0.0025, 1e-14);
    suite_advance(s, 1.0, SL_STOP_AT_EVENT, 0.25 + 0.1, SL_REASON_EVENT);
    double next = sl_session_next_event(s); /* a step that ends at the time asked for does not end before it */
    suite_advance(s, next, SL_STOP_AT_EVENT, next, SL_REASON_TARGET);
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_floor),
        cmocka_unit_test(test_a_set_acts_at_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
