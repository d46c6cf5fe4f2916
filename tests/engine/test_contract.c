/* SPDX-License-Identifier: MIT */
/* test_contract.c: the engine contract on the toy engines, and the ball against its closed form. */
#include "sl_test.h"

#include "ball.h"
#include "contract.h"
#include "counter.h"

static const char *const gauges[] = {"top", "bottom"};
static const double levels[] = {1.5, 0.5};
static const ball_model model = {.height = 2.0, .restitution = 0.8};
static const ball_model watched = {.height = 2.0,
                                   .restitution = 0.8,
                                   .end = 30.0,
                                   .report_step = 0.25,
                                   .gauges = gauges,
                                   .levels = levels,
                                   .n_gauge = 2};

static void test_ball_keeps_the_contract(void **state) {
    (void)state;
    contract_case c = {.ops = &ball_ops,
                       .model = &model,
                       .n_step = 200,
                       .field = BALL_GRAVITY,
                       .value = 1.62,
                       .bad_value = -1.0,
                       .bad_field = BALL_HEIGHT,
                       .n_event = 10,
                       .holds = true};
    contract_check(&c);
    c.model = &watched; /* with elements and an end */
    contract_check(&c);
    c.field = BALL_FLOOR;
    c.value = 1.0;
    c.bad_value = 0.5;
    c.bad_field = BALL_DISTANCE;
    contract_check(&c);
}

static void test_counter_keeps_the_contract(void **state) {
    (void)state;
    static const char *const ids[] = {"a", "a.b", "a.b.c", "d"};
    static const double step[] = {0.0, 1.0, 2.0, 1.0}, limit[] = {10.0, 4.0, 5.0, 7.0};
    const counter_model counters = {.ids = ids, .step = step, .limit = limit, .n = 4, .end = 400.0};
    contract_case c = {.ops = &counter_ops,
                       .model = &counters,
                       .n_step = 100,
                       .field = COUNTER_STEP,
                       .index = 2,
                       .value = 3.0,
                       .bad_value = 5.0,
                       .bad_field = COUNTER_COUNT,
                       .n_event = 50,
                       .holds = true};
    contract_check(&c);
}

/* The k-th bounce is at t1 (1 + 2 (e + e2 + ... + e^(k-1))) with t1 = sqrt(2 h / g). */
static void test_bounces_come_at_the_closed_form(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    void *ball = NULL;
    sl_assert_ok(ball_ops.create(ctx, &model, NULL, &ball));
    double t1 = sqrt(2.0 * model.height / 9.81), expected = t1, flight = 2.0 * t1;
    int n_bounce = 0;
    while (n_bounce < 12) {
        sl_engine_step s;
        sl_assert_ok(ball_ops.step(ball, NULL, &s));
        if ((int)ball_ops.data(ball, BALL_BOUNCES)[0] > n_bounce) {
            n_bounce++;
            sl_assert_near(s.end, expected, 1e-12, 1e-12); /* rounding of a few dozen steps */
            flight *= model.restitution;
            expected += flight;
        }
    }
    ball_ops.destroy(ball);
    sl_test_context_end(ctx, &memory);
}

static void test_bad_models_are_refused(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    void *ball = NULL;
    ball_model flat = {.height = 0.0, .restitution = 0.8};
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_status(ball_ops.create(ctx, &flat, diags, &ball), SL_ERR_INPUT);
    assert_int_equal(sl_diags_count(diags, SL_ERROR), 1);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

/* 4: a step that fails leaves the engine at the last good boundary and says why. */
static void test_a_failed_step_leaves_the_last_good_one(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    void *ball = NULL;
    ball_model lost = {.height = 2.0, .restitution = 0.8, .fail_at = 0.3};
    sl_engine_step s;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(ball_ops.create(ctx, &lost, diags, &ball));
    sl_status status = SL_OK;
    for (int k = 0; k < 10 && status == SL_OK; k++) {
        status = ball_ops.step(ball, diags, &s);
    }
    sl_assert_status(status, SL_ERR_SOLVE);
    assert_int_equal(sl_diags_count(diags, SL_ERROR), 1);
    sl_assert_double(ball_ops.time(ball), s.end);
    assert_true(s.end >= 0.3);
    sl_assert_ok(ball_ops.show(ball, s.begin, NULL));
    sl_diags_destroy(diags);
    ball_ops.destroy(ball);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_keeps_the_contract),
        cmocka_unit_test(test_counter_keeps_the_contract),
        cmocka_unit_test(test_bounces_come_at_the_closed_form),
        cmocka_unit_test(test_bad_models_are_refused),
        cmocka_unit_test(test_a_failed_step_leaves_the_last_good_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
