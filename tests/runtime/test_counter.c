/* SPDX-License-Identifier: MIT */
/* test_counter.c: the suite of session semantics over a model whose time counts steps, and what only such a model has. */
#include "sl_test.h"

#include "counter.h"
#include "suite.h"

static const char *const ids[] = {"a", "a.b", "a.b.c", "d"};
static const double step[] = {0.0, 1.0, 2.0, 1.0}, limit[] = {10.0, 4.0, 5.0, 7.0};
static const counter_model model_of = {
    .ids = ids, .step = step, .limit = limit, .n = 4, .end = 200.0, .report_step = 3.0};

typedef struct bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_model *model;
    sl_session *s;
} bench;

static void bench_start(bench *b) {
    *b = (bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_model_from_engine(b->ctx, &counter_ops, &model_of, &b->model));
    sl_assert_ok(sl_session_create(b->ctx, b->model, NULL, &b->s));
}

static void bench_end(bench *b) {
    sl_session_destroy(b->s);
    sl_model_destroy(b->model);
    sl_test_context_end(b->ctx, &b->memory);
}

static void test_the_suite(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    suite_case c = {.model = b.model,
                    .whole = true,
                    .duration = 120.0,
                    .input = "cell.'a.b.c'.step",
                    .values = {3.0, 1.0},
                    .bad_value = 5.0, /* above what this cell may have, not above what others may */
                    .output = "rate",
                    .parameter = "cell.'d'.limit",
                    .parameter_value = 9.0,
                    .n_event = 40,
                    .holds = true,
                    .n_part = 40};
    suite_check(&c);
    bench_end(&b);
}

static void test_time_counts(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    assert_string_equal(sl_session_time_unit(b.s), "steps");
    sl_assert_status(sl_session_advance(b.s, 2.5, 0, NULL), SL_ERR_USE);
    assert_true(suite_said(b.s, "whole numbers"));
    suite_advance(b.s, 2.0, 0, 2.0, SL_REASON_TARGET);
    sl_assert_double(suite_get(b.s, "cell.'d'.count"), 3.0); /* 1 at 0, 2 at 1 */
    bench_end(&b);
}

static void test_elements_describe_themselves(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    for (int i = 0; i < 4; i++) {
        sl_var_info info = {.size = sizeof info};
        sl_assert_ok(sl_session_var(b.s, (uint32_t)sl_session_ref(b.s, (sl_var){COUNTER_STEP, i}), &info));
        sl_assert_double(info.max, limit[i] - 1.0);
        assert_true((strstr(info.meaning, "first cell") != NULL) == (i == 0));
    }
    bench_end(&b);
}

/* By hand: 'a.b.c' is 2, 6 -> 1 and carries at 2, so that 'a.b' is 1, then 3 + 1 = 4 -> 0 and carries too. */
static void test_events_by_hand(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    sl_assert_ok(sl_session_record_events(b.s, true));
    suite_advance(b.s, 1.0, 0, 1.0, SL_REASON_TARGET);
    assert_int_equal(sl_session_n_event(b.s), 0); /* the engine is at 2 already, the session is not */
    suite_advance(b.s, 2.0, 0, 2.0, SL_REASON_TARGET);
    assert_int_equal(sl_session_n_event(b.s), 2);
    sl_event_info e = {.size = sizeof e};
    sl_assert_ok(sl_session_event(b.s, 0, &e));
    assert_string_equal(e.element_class, "cell");
    assert_string_equal(e.element, "a.b.c");
    assert_string_equal(e.kind, "carry");
    assert_string_equal(e.quantity, "count");
    assert_string_equal(e.cause, "a.b");
    sl_assert_double(e.time, 2.0);
    sl_assert_double(e.from, 6.0);
    sl_assert_double(e.to, 1.0);
    sl_assert_ok(sl_session_event(b.s, 1, &e));
    assert_string_equal(e.element, "a.b");
    sl_assert_double(e.from, 4.0);
    suite_set(b.s, "cell.'d'.step", 2.0); /* what a refresh does is an event of the present time */
    sl_assert_ok(sl_session_refresh(b.s));
    sl_assert_ok(sl_session_event(b.s, 2, &e));
    assert_string_equal(e.kind, "rate");
    assert_string_equal(e.element, "");
    sl_assert_double(e.time, 2.0);
    assert_int_equal(sl_session_n_event(b.s), 3);
    sl_assert_sized(sl_event_info, out, sl_session_event(b.s, 0, &out));
    bench_end(&b);
}

/* Memory that is short for an event is a failure of the session, and leaves nothing behind. */
static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_status status = sl_model_from_engine(ctx, &counter_ops, &model_of, &model);
    status = status == SL_OK ? sl_session_create(ctx, model, NULL, &s) : status;
    status = status == SL_OK ? sl_session_record_events(s, true) : status;
    status = status == SL_OK ? sl_session_advance(s, 150.0, 0, NULL) : status;
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    sl_session_destroy(s);
    sl_model_destroy(model);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(run_once, NULL) > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_suite),
        cmocka_unit_test(test_time_counts),
        cmocka_unit_test(test_elements_describe_themselves),
        cmocka_unit_test(test_events_by_hand),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
