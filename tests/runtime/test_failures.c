/* SPDX-License-Identifier: MIT */
/* test_failures.c: runs that fail, chatter, are stopped or cancelled; states of other models; memory that is short. */
#include "sl_test.h"

#include "ball.h"
#include "ball_bench.h"
#include "suite.h"

static const ball_model plain = {.height = 2.0, .restitution = 0.8, .end = 5.0, .report_step = 0.25};

static const char *const gauges[] = {"top", "bottom"};
static const double levels[] = {1.5, 0.5};
static const ball_model watched = {.height = 2.0,
                                   .restitution = 0.8,
                                   .end = 3.0,
                                   .report_step = 0.25,
                                   .gauges = gauges,
                                   .levels = levels,
                                   .n_gauge = 2};

/* Values and the recorded past stay; the failure is given again; a restored state cures it. */
static void test_a_failed_run_stays_readable(void **state) {
    (void)state;
    ball_bench a;
    ball_model lost = plain;
    lost.fail_at = 0.55;
    sl_step step = {.size = sizeof step};
    double x;
    ball_bench_start(&a, &lost);
    sl_assert_ok(sl_session_record(a.s, (const char *const[]){"height"}, 1));
    suite_advance(a.s, 0.3, 0, 0.3, SL_REASON_TARGET);
    sl_bytes saved = suite_save(a.s, a.ctx);
    for (int again = 0; again < 3; again++) {
        sl_assert_status(sl_session_advance(a.s, 4.0, 0, &step), SL_ERR_SOLVE);
        assert_int_equal(step.reason, SL_REASON_FAILED);
        assert_int_equal(step.n_diag, again == 0); /* said once */
        assert_true(step.time >= 0.55 && step.time < 0.75);
        assert_true(isfinite(suite_get(a.s, "height")));
        sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 0.5, &x));
        sl_assert_status(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 0.75, &x), SL_ERR_USE);
    }
    assert_true(suite_said(a.s, "the ball is lost"));
    sl_assert_status(sl_session_refresh(a.s), SL_ERR_SOLVE);
    sl_assert_status(sl_session_step(a.s, &x), SL_ERR_SOLVE);
    sl_assert_status(sl_session_set(a.s, &(sl_var){BALL_GRAVITY, 0}, 1, &(double){2.0}), SL_ERR_USE);
    suite_restore(a.s, &saved);
    suite_advance(a.s, 0.5, 0, 0.5, SL_REASON_TARGET);
    sl_bytes_fini(&saved);
    ball_bench_end(&a);
}

/* Zeno's ball bounces ever faster: found out, at the time where the bounces pile up. */
static void test_chattering_is_found(void **state) {
    (void)state;
    ball_bench a;
    ball_model zeno = plain;
    zeno.zeno = true;
    zeno.end = 10.0;
    sl_step step = {.size = sizeof step};
    double x;
    ball_bench_start(&a, &zeno);
    sl_assert_ok(sl_session_record(a.s, (const char *const[]){"height"}, 1));
    sl_assert_status(sl_session_advance(a.s, (double)INFINITY, 0, &step), SL_ERR_SOLVE);
    assert_int_equal(step.reason, SL_REASON_FAILED);
    const sl_diag *d = sl_diags_at(sl_session_diags(a.s), step.first_diag);
    assert_int_equal(d->code, SL_CODE_CHATTERING);
    sl_assert_double(d->time, step.time);
    /* The bounces gather at t1 (1 + 2 e / (1 - e)), t1 = sqrt(2 h / g); a few hundred roundings of 1e-15. */
    sl_assert_abs(step.time, sqrt(2.0 * 2.0 / 9.81) * (1.0 + 2.0 * 0.8 / 0.2), 1e-8);
    assert_true(step.n_step > 1000 && step.n_step < 2000);
    assert_true(isfinite(suite_get(a.s, "height")));
    sl_assert_ok(sl_session_past(a.s, (sl_var){BALL_HEIGHT, 0}, 4.5, &x));
    ball_bench_end(&a);
    /* The guard counts whoever steps, also across a saved state. */
    ball_bench_start(&a, &zeno);
    suite_advance(a.s, 10.0, SL_STOP_AT_EVENT, 0.1, SL_REASON_EVENT);
    sl_status status = SL_OK;
    int n = 0;
    while (status == SL_OK && n < 3000) {
        sl_bytes saved = suite_save(a.s, a.ctx);
        suite_restore(a.s, &saved);
        sl_bytes_fini(&saved);
        status = sl_session_advance(a.s, 10.0, SL_STOP_AT_EVENT, &step);
        n++;
    }
    sl_assert_status(status, SL_ERR_SOLVE);
    ball_bench_end(&a);
}

static void test_stop_is_for_good(void **state) {
    (void)state;
    ball_bench a;
    ball_bench_start(&a, &plain);
    suite_advance(a.s, 1.0, 0, 1.0, SL_REASON_TARGET);
    sl_session_stop(a.s);
    suite_advance(a.s, 2.0, 0, 1.0, SL_REASON_STOPPED);
    suite_advance(a.s, 2.0, SL_STOP_AT_EVENT, 1.0, SL_REASON_STOPPED);
    ball_bench_end(&a);
    ball_bench_start(&a, &plain);
    sl_session_pause(a.s, true);
    suite_advance(a.s, 2.0, 0, 0.0, SL_REASON_PAUSED);
    double dt = 1.0;
    sl_assert_ok(sl_session_step(a.s, &dt));
    sl_assert_double(dt, 0.0);
    sl_session_pause(a.s, false);
    suite_advance(a.s, 2.0, 0, 2.0, SL_REASON_TARGET);
    ball_bench_end(&a);
}

/* ---- Progress ----------------------------------------------------------------------------------- */

typedef struct watcher {
    int n, cancel_at;
    double last;
} watcher;

static bool watch(void *user, const sl_progress *p) {
    watcher *w = user;
    assert_string_equal(p->phase, "simulating");
    assert_true(p->done >= w->last && (p->total == 0.0 || p->done <= p->total));
    w->last = p->done;
    return ++w->n != w->cancel_at;
}

static void test_progress_and_cancelling(void **state) {
    (void)state;
    watcher w = {0};
    sl_test_memory memory = {0};
    sl_context_def def = sl_context_default();
    const sl_allocator allocator = sl_test_allocator(&memory);
    def.allocator = &allocator;
    def.progress = watch;
    def.progress_user = &w;
    sl_context *ctx = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    ball_model long_run = {.height = 2.0, .restitution = 0.8, .end = 1000.0};
    sl_step step = {.size = sizeof step};
    sl_assert_ok(sl_context_create(&def, &ctx));
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, &long_run, &model));
    sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
    suite_advance(s, (double)INFINITY, 0, 1000.0, SL_REASON_END);
    assert_true(w.n > 100 && w.n < 400); /* of more than 10000 steps */
    sl_session_destroy(s);
    w = (watcher){.cancel_at = 50};
    sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
    sl_assert_status(sl_session_advance(s, (double)INFINITY, 0, &step), SL_ERR_CANCELLED);
    assert_int_equal(step.reason, SL_REASON_STOPPED);
    assert_true(step.time > 100.0 && step.time < 500.0);
    suite_advance(s, (double)INFINITY, 0, 1000.0, SL_REASON_END); /* it may go on */
    sl_session_destroy(s);
    sl_model_destroy(model);
    w = (watcher){0};
    long_run.end = 1e12; /* of which 1000 s are next to nothing, but more than 10000 steps */
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, &long_run, &model));
    sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
    suite_advance(s, 1000.0, 0, 1000.0, SL_REASON_TARGET);
    assert_true(w.n > 10 && w.n < 400);
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

/* ---- States ------------------------------------------------------------------------------------- */

static void refuse(ball_bench *b, const void *bytes, size_t n, const char *why) {
    sl_assert_status(sl_session_restore(b->s, bytes, n), SL_ERR_INPUT);
    const sl_diags *diags = sl_session_diags(b->s);
    const sl_diag *d = sl_diags_at(diags, sl_diags_size(diags) - 1);
    assert_int_equal(d->code, SL_CODE_STATE);
    if (!strstr(d->text, why)) {
        sl_assert_z(d->text, why);
    }
}

static void test_states_say_what_they_are(void **state) {
    (void)state;
    ball_bench a, other;
    ball_model higher = plain;
    higher.height = 2.5;
    ball_bench_start(&a, &plain);
    ball_bench_start(&other, &higher);
    suite_advance(a.s, 1.234, 0, 1.234, SL_REASON_TARGET);
    sl_bytes saved = suite_save(a.s, a.ctx);
    refuse(&other, saved.at, (size_t)saved.n, "another model");
    refuse(&a, saved.at, (size_t)saved.n - 1, "cut off");
    refuse(&a, saved.at, 20, "no saved state");
    refuse(&a, "", 0, "no saved state");
    refuse(&a,
           "[TITLE]\n A network of pipes, pumps and tanks, much longer than any head of a state could ever be ...\n",
           97, "no saved state");
    saved.at[saved.n - 1] ^= 1;
    refuse(&a, saved.at, (size_t)saved.n, "checksum");
    saved.at[saved.n - 1] ^= 1;
    saved.at[8] ^= 2;
    refuse(&a, saved.at, (size_t)saved.n, "another version");
    saved.at[8] ^= 2;
    sl_assert_double(sl_session_time(a.s), 1.234);
    suite_restore(a.s, &saved);
    sl_bytes_fini(&saved);
    ball_bench_end(&a);
    ball_bench_end(&other);
}

static sl_status full(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes;
    return n < 80 ? SL_OK : SL_ERR_IO;
}

static void test_a_sink_that_is_full(void **state) {
    (void)state;
    ball_bench a;
    ball_bench_start(&a, &plain);
    sl_sink sink = {NULL, full};
    sl_assert_status(sl_session_save(a.s, &sink), SL_ERR_IO);
    ball_bench_end(&a);
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static sl_status no_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    (void)user, (void)layout, (void)diags;
    return SL_OK;
}

static sl_status no_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    (void)user, (void)frame, (void)diags;
    return SL_OK;
}

static sl_status no_end(void *user, bool complete, sl_diags *diags) {
    (void)user, (void)complete, (void)diags;
    return SL_OK;
}

/* What a program does, each call in turn; the first that finds no memory ends it. */
static sl_status live(sl_context *ctx, sl_session *s, sl_bytes *saved) {
    sl_var v;
    sl_var_info info = {.size = sizeof info};
    const sl_result_sink sink = {.begin = no_begin, .frame = no_frame, .end = no_end};
    sl_status status = sl_session_find(s, "part.'bottom'.level", &v);
    status = status == SL_OK ? sl_session_set(s, &v, 1, &(double){0.25}) : status;
    status = status == SL_OK ? sl_session_record(s, (const char *const[]){"part.distance"}, 1) : status;
    status = status == SL_OK ? sl_session_add_sink(s, &sink, (const int32_t[]){BALL_HEIGHT}, 1) : status;
    status = status == SL_OK ? sl_session_advance(s, 1.05, 0, NULL) : status;
    status = status == SL_OK ? sl_session_set(s, &(sl_var){BALL_GRAVITY, 0}, 1, &(double){3.0}) : status;
    status = status == SL_OK ? sl_session_var(s, 3, &info) : status; /* makes a second engine */
    sl_sink out = sl_bytes_sink(saved);
    status = status == SL_OK ? sl_session_save(s, &out) : status;
    status = status == SL_OK ? sl_session_advance(s, 2.0, 0, NULL) : status;
    status = status == SL_OK ? sl_session_end_sinks(s, false) : status;
    status = status == SL_OK ? sl_session_restore(s, saved->at, (size_t)saved->n) : status;
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    (void)ctx;
    return status;
}

static void live_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_bytes saved;
    sl_bytes_init(&saved, ctx);
    sl_status status = sl_model_from_engine(ctx, &ball_ops, user, &model);
    status = status == SL_OK ? sl_session_create(ctx, model, NULL, &s) : status;
    assert_true((s != NULL) == (status == SL_OK));
    status = status == SL_OK ? live(ctx, s, &saved) : status;
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    if (status == SL_OK) { /* a refusal that only cost a diagnostic cannot be among these calls */
        assert_int_equal(m->n_refused, 0);
        double x;
        sl_assert_ok(sl_session_past(s, (sl_var){BALL_DISTANCE, 1}, 3.0, &x));
    } else if (s) { /* short of memory once, not for good: whatever was refused can be tried again */
        m->fail_at = 0;
        sl_step step = {.size = sizeof step};
        sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, &step));
        assert_int_equal(step.reason, SL_REASON_END);
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_bytes_fini(&saved);
}

static void test_memory_short_anywhere(void **state) {
    (void)state;
    ball_model copy = watched;
    assert_true(sl_test_sweep(live_once, &copy) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failed_run_stays_readable),
        cmocka_unit_test(test_chattering_is_found),
        cmocka_unit_test(test_stop_is_for_good),
        cmocka_unit_test(test_progress_and_cancelling),
        cmocka_unit_test(test_states_say_what_they_are),
        cmocka_unit_test(test_a_sink_that_is_full),
        cmocka_unit_test(test_memory_short_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
