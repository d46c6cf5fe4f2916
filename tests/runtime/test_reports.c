/* SPDX-License-Identifier: MIT */
/* test_reports.c: recorded values and frames for sinks: each report once, in order, and only when its time has come. */
#include "sl_test.h"

#include "ball.h"
#include "ball_bench.h"
#include "suite.h"

static const char *const gauges[] = {"top", "bottom"};
static const double levels[] = {1.5, 0.5};
/* Reports every 0.03 s: several within a step of 0.1 s, and a step that decimals cannot hold exactly. */
static const ball_model model = {.height = 2.0,
                                 .restitution = 0.8,
                                 .end = 3.0,
                                 .report_step = 0.03,
                                 .gauges = gauges,
                                 .levels = levels,
                                 .n_gauge = 2};
enum { N_REPORT = 101 }; /* 0, 0.03, ... 3.0 */

/* ---- A sink that keeps frames ------------------------------------------------------------------- */

typedef struct tape {
    sl_session *s; /* may be NULL; else no frame may be ahead of it */
    int n_begin, n_end, n_frame, n_fail_begin;
    bool complete;
    int fail_frame, fail_end; /* the frame (from 1) to refuse; the end */
    double t[N_REPORT + 1], height[N_REPORT + 1], top[N_REPORT + 1];
} tape;

static sl_status tape_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    tape *p = user;
    (void)diags;
    assert_int_equal(layout->n_field, 2);
    assert_int_equal(layout->fields[0], BALL_DISTANCE);
    assert_string_equal(layout->ops->element(layout->engine, BALL_DISTANCE, 0), "top");
    if (p->n_fail_begin > 0) {
        p->n_fail_begin--;
        return SL_ERR_IO;
    }
    p->n_begin++;
    return SL_OK;
}

static sl_status tape_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    tape *p = user;
    (void)diags;
    assert_true(p->n_begin == 1 && p->n_end == 0 && p->n_frame <= N_REPORT);
    assert_true(!p->s || frame->time <= sl_session_time(p->s));
    if (p->fail_frame && p->n_frame + 1 == p->fail_frame) {
        return SL_ERR_IO;
    }
    p->t[p->n_frame] = frame->time;
    p->top[p->n_frame] = frame->data[0][0];
    p->height[p->n_frame++] = frame->data[1][0];
    return SL_OK;
}

static sl_status tape_end(void *user, bool complete, sl_diags *diags) {
    tape *p = user;
    (void)diags;
    p->n_end++;
    p->complete = complete;
    return p->fail_end ? SL_ERR_IO : SL_OK;
}

static sl_status attach(sl_session *s, tape *p) {
    sl_result_sink sink = {.user = p, .begin = tape_begin, .frame = tape_frame, .end = tape_end};
    return sl_session_add_sink(s, &sink, (const int32_t[]){BALL_DISTANCE, BALL_HEIGHT}, 2);
}

static const char *const kept[] = {"height", "part.distance"};

/* ---- Tests -------------------------------------------------------------------------------------- */

static void test_every_report_once(void **state) {
    (void)state;
    ball_bench a, b;
    tape one = {0}, two = {0};
    ball_bench_start(&a, &model);
    ball_bench_start(&b, &model);
    two.s = b.s;
    sl_assert_ok(attach(a.s, &one));
    sl_assert_ok(attach(b.s, &two));
    sl_assert_ok(sl_session_record(a.s, kept, 2));
    suite_advance(a.s, (double)INFINITY, 0, 3.0, SL_REASON_END);
    uint64_t random = 3;
    while (sl_session_time(b.s) < 3.0) { /* in pieces */
        double t = fmin(3.0, sl_session_time(b.s) + 0.08 * sl_test_unit(&random));
        sl_assert_ok(sl_session_advance(b.s, t, 0, NULL));
    }
    assert_int_equal(one.n_frame, N_REPORT);
    assert_int_equal(two.n_frame, N_REPORT);
    assert_memory_equal(one.t, two.t, sizeof one.t);
    assert_memory_equal(one.height, two.height, sizeof one.height);
    assert_memory_equal(one.top, two.top, sizeof one.top);
    assert_true(one.n_end == 1 && one.complete && two.n_end == 1 && two.complete);
    int32_t n;
    const double *times = sl_session_times(a.s, &n);
    assert_int_equal(n, N_REPORT);
    for (int k = 0; k < n; k++) {
        double x;
        sl_assert_bits(times[k], k * 0.03);
        sl_assert_bits(one.t[k], times[k]);
        sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, k / 100.0 * 3.0, &x)); /* another rounding */
        sl_assert_bits(x, one.height[k]);
        sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 1}, times[k], &x));
        sl_assert_bits(x, one.height[k] - 0.5);
    }
    double x;
    sl_assert_status(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 0.031, &x), SL_ERR_USE);
    sl_assert_status(sl_session_past(a.s, (sl_var){BALL_VELOCITY, 0}, 0.03, &x), SL_ERR_USE);
    sl_assert_status(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 2}, 0.03, &x), SL_ERR_USE);
    ball_bench_end(&a);
    ball_bench_end(&b);
}

/* The engine is ahead of the session: a report that a set can still change is not given before its time. */
static void test_a_set_changes_later_reports_only(void **state) {
    (void)state;
    ball_bench a;
    tape p = {0};
    ball_bench_start(&a, &model);
    p.s = a.s;
    sl_assert_ok(attach(a.s, &p));
    suite_advance(a.s, 0.04, 0, 0.04, SL_REASON_TARGET); /* the engine stands at 0.1 */
    assert_int_equal(p.n_frame, 2);
    suite_set(a.s, "gravity", 100.0);
    assert_int_equal(p.n_frame, 2);
    suite_advance(a.s, 0.06, 0, 0.06, SL_REASON_TARGET);
    assert_int_equal(p.n_frame, 3);
    double h = 2.0 - 0.5 * 9.81 * 0.0016, v = -9.81 * 0.04;
    sl_assert_abs(p.height[2], h + v * 0.02 - 0.5 * 100.0 * 0.0004, 1e-14); /* rounding */
    ball_bench_end(&a);
    assert_true(p.n_end == 1 && !p.complete); /* destroyed before its end */
}

static void test_recording_begins_when_asked(void **state) {
    (void)state;
    ball_bench a;
    int32_t n;
    double x;
    ball_bench_start(&a, &model);
    sl_assert_status(sl_session_record(a.s, (const char *const[]){"height", "part.heigth"}, 2), SL_ERR_INPUT);
    assert_true(suite_said(a.s, "part.heigth"));
    suite_advance(a.s, 0.3, 0, 0.3, SL_REASON_TARGET);
    assert_null(sl_session_times(a.s, &n));
    assert_int_equal(n, 0);
    sl_assert_ok(sl_session_record(a.s, kept, 1));
    suite_advance(a.s, 0.61, 0, 0.61, SL_REASON_TARGET);
    sl_assert_ok(sl_session_record(a.s, kept, 2)); /* height is kept already */
    suite_advance(a.s, 0.9, 0, 0.9, SL_REASON_TARGET);
    const double *times = sl_session_times(a.s, &n);
    sl_assert_bits(times[0], 11 * 0.03);
    assert_int_equal(n, 20);
    sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 0.6, &x));
    sl_assert_status(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 0}, 0.6, &x), SL_ERR_USE);
    sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 0}, 0.63, &x));
    ball_bench_end(&a);
}

/* After a restore what was recorded later is gone, and comes again as it was. */
static void test_restoring_takes_records_back(void **state) {
    (void)state;
    ball_bench a;
    int32_t n;
    double first[N_REPORT], x;
    ball_bench_start(&a, &model);
    sl_assert_ok(sl_session_record(a.s, kept, 2));
    sl_bytes start = suite_save(a.s, a.ctx);
    suite_advance(a.s, 1.2, 0, 1.2, SL_REASON_TARGET);
    sl_bytes half = suite_save(a.s, a.ctx);
    suite_advance(a.s, (double)INFINITY, 0, 3.0, SL_REASON_END);
    for (int k = 0; k < N_REPORT; k++) {
        sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 1}, k * 0.03, &first[k]));
    }
    for (int from_start = 0; from_start < 2; from_start++) {
        suite_restore(a.s, from_start ? &start : &half);
        const double *times = sl_session_times(a.s, &n);
        assert_int_equal(n, from_start ? 0 : 41); /* 1.2 was reported before it was saved */
        assert_true(from_start || times[n - 1] == 40 * 0.03);
        sl_assert_status(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 1}, 1.23, &x), SL_ERR_USE);
        suite_advance(a.s, (double)INFINITY, 0, 3.0, SL_REASON_END);
        (void)sl_session_times(a.s, &n);
        assert_int_equal(n, N_REPORT);
        for (int k = 0; k < N_REPORT; k++) {
            sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_DISTANCE, 1}, k * 0.03, &x));
            sl_assert_bits(x, first[k]);
        }
    }
    sl_bytes_fini(&start);
    sl_bytes_fini(&half);
    ball_bench_end(&a);
}

static void test_sinks_and_restoring(void **state) {
    (void)state;
    ball_bench a, b;
    tape p = {0};
    ball_bench_start(&a, &model);
    ball_bench_start(&b, &model);
    suite_advance(b.s, 1.0, 0, 1.0, SL_REASON_TARGET);
    sl_bytes state_at_1 = suite_save(b.s, b.ctx);
    sl_assert_ok(attach(a.s, &p));
    suite_restore(a.s, &state_at_1); /* not begun yet: it gets what comes from there on */
    suite_advance(a.s, 2.0, 0, 2.0, SL_REASON_TARGET);
    sl_assert_bits(p.t[0], 34 * 0.03);
    assert_int_equal(p.n_frame, 66 - 34 + 1);
    sl_assert_status(sl_session_restore(a.s, state_at_1.at, (size_t)state_at_1.n), SL_ERR_USE);
    sl_assert_double(sl_session_time(a.s), 2.0);
    sl_assert_ok(sl_session_end_sinks(a.s, false));
    assert_true(p.n_end == 1 && !p.complete);
    suite_restore(a.s, &state_at_1);
    suite_advance(a.s, (double)INFINITY, 0, 3.0, SL_REASON_END);
    assert_int_equal(p.n_frame, 66 - 34 + 1);
    tape late = {0};
    sl_assert_status(attach(a.s, &late), SL_ERR_USE);
    sl_bytes_fini(&state_at_1);
    ball_bench_end(&a);
    ball_bench_end(&b);
    assert_int_equal(p.n_end, 1);
}

/* A sink that fails is a failure of the run; every sink that was begun is ended once. */
static void test_a_failing_sink(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        ball_bench a;
        tape good = {0}, bad = {.n_fail_begin = how == 0, .fail_frame = how == 1 ? 50 : 0, .fail_end = how == 2};
        sl_step step = {.size = sizeof step};
        ball_bench_start(&a, &model);
        sl_assert_ok(attach(a.s, &good));
        sl_assert_ok(attach(a.s, &bad));
        sl_assert_ok(sl_session_record(a.s, kept, 1));
        sl_assert_status(sl_session_advance(a.s, (double)INFINITY, 0, &step), SL_ERR_IO);
        assert_int_equal(step.reason, SL_REASON_FAILED);
        assert_int_equal(step.n_diag, 1);
        sl_assert_bits(step.time, how == 0 ? 0.0 : how == 1 ? 49 * 0.03 : 3.0);
        assert_int_equal(bad.n_frame, how == 0 ? 0 : how == 1 ? 49 : N_REPORT);
        assert_int_equal(good.n_end, 1);
        assert_int_equal(good.complete, how == 2);
        assert_int_equal(bad.n_end, how != 0);
        sl_assert_status(sl_session_advance(a.s, (double)INFINITY, 0, &step), SL_ERR_IO); /* again */
        double x;
        if (how > 0) {
            sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 0.3, &x));
        }
        ball_bench_end(&a);
        assert_int_equal(good.n_end, 1);
        assert_int_equal(bad.n_end, how != 0);
    }
}

/* A model without an end records as it goes. */
static void test_an_endless_series_grows(void **state) {
    (void)state;
    ball_bench a;
    ball_model endless = model;
    endless.end = 0.0;
    int32_t n;
    ball_bench_start(&a, &endless);
    sl_assert_ok(sl_session_record(a.s, kept, 2));
    for (int k = 0; k < 500; k++) {
        sl_assert_ok(sl_session_step(a.s, NULL));
    }
    const double *times = sl_session_times(a.s, &n);
    sl_assert_bits(times[n - 1], (n - 1) * 0.03);
    assert_true(sl_session_time(a.s) - times[n - 1] < 0.03 && n > 500);
    ball_bench_end(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_report_once),           cmocka_unit_test(test_a_set_changes_later_reports_only),
        cmocka_unit_test(test_recording_begins_when_asked), cmocka_unit_test(test_restoring_takes_records_back),
        cmocka_unit_test(test_sinks_and_restoring),         cmocka_unit_test(test_a_failing_sink),
        cmocka_unit_test(test_an_endless_series_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
