/* SPDX-License-Identifier: MIT */
/* test_threads.c: sessions in many threads over one model, and pause and stop from another thread. */
#include "sl_test.h"

#include "ball.h"
#include "models.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>

enum { N_SESSION = 32, N_THREAD = 8 };

static const char *const gauges[] = {"top", "bottom"};
static const double levels[] = {1.5, 0.5};
static const ball_model ball = {.height = 2.0,
                                .restitution = 0.8,
                                .end = 4.0,
                                .report_step = 0.25,
                                .gauges = gauges,
                                .levels = levels,
                                .n_gauge = 2};

typedef struct crowd {
    sl_context *ctx;
    const sl_model *model;
    atomic_int next;
    double height[N_SESSION];
    sl_status status[N_SESSION];
} crowd;

/* Session k: its own gravity, its own stops; without assertions, which belong to the main thread. */
static sl_status one_run(const crowd *c, int k, double *height) {
    sl_session *s = NULL;
    sl_var v;
    sl_status status = sl_session_create(c->ctx, c->model, NULL, &s);
    status = status == SL_OK ? sl_session_find(s, "gravity", &v) : status;
    status = status == SL_OK ? sl_session_record(s, (const char *const[]){"part.distance"}, 1) : status;
    for (int i = 1; status == SL_OK && i <= 50; i++) {
        double g = 5.0 + k % 4 + 0.01 * i;
        status = sl_session_advance(s, 4.0 * i / 50.0 - (k > 15 ? 0.001 * (i < 50) : 0.0), 0, NULL);
        status = status == SL_OK && i % 10 == 0 && k <= 15 ? sl_session_set(s, &v, 1, &g) : status;
    }
    status = status == SL_OK ? sl_session_find(s, "height", &v) : status;
    status = status == SL_OK ? sl_session_get(s, &v, 1, height) : status;
    sl_session_destroy(s);
    return status;
}

static void *work(void *user) {
    crowd *c = user;
    for (int k = atomic_fetch_add(&c->next, 1); k < N_SESSION; k = atomic_fetch_add(&c->next, 1)) {
        c->status[k] = one_run(c, k, &c->height[k]);
    }
    return NULL;
}

static void test_many_sessions(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_model *model = NULL;
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, &ball, &model));
    crowd c = {.ctx = ctx, .model = model};
    pthread_t threads[N_THREAD];
    for (int i = 0; i < N_THREAD; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, &c), 0);
    }
    for (int i = 0; i < N_THREAD; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (int k = 0; k < N_SESSION; k++) { /* the same as alone */
        double height = (double)NAN;
        sl_assert_ok(c.status[k]);
        sl_assert_ok(one_run(&c, k, &height));
        sl_assert_bits(c.height[k], height);
    }
    sl_assert_bits(c.height[0], c.height[4]);
    assert_true(c.height[0] != c.height[1]);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

/* ---- Every kind of model ------------------------------------------------------------------------ */

enum { N_VARIANT = 4 }; /* of what sessions do: stops and sets of their own */

typedef struct member {
    pthread_t thread;
    sl_context *ctx;
    const sl_model *model;
    const model_row *row;
    int variant;
    sl_status status;
    sl_bytes state; /* at the end */
} member;

/* Without assertions, which belong to the main thread. */
static void *run_member(void *user) {
    member *w = user;
    sl_session *s = NULL;
    sl_var v;
    w->status = sl_session_create(w->ctx, w->model, NULL, &s);
    double end = w->status == SL_OK ? fmin(w->row->duration, sl_session_end(s)) : 0.0;
    for (int i = 1; w->status == SL_OK && i <= 12; i++) {
        double t = i == 12 ? end : model_snap(s, end * (i - 0.1 * w->variant) / 12.0);
        w->status = sl_session_advance(s, t, 0, NULL);
        bool sets = w->status == SL_OK && w->row->input && i % 4 == w->variant;
        w->status = sets ? sl_session_find(s, w->row->input, &v) : w->status;
        w->status = sets && w->status == SL_OK ? sl_session_set(s, &v, 1, &w->row->values[i % 2]) : w->status;
    }
    sl_bytes_init(&w->state, w->ctx);
    sl_sink sink = sl_bytes_sink(&w->state);
    w->status = w->status == SL_OK ? sl_session_save(s, &sink) : w->status;
    sl_session_destroy(s);
    return NULL;
}

static void check_row(const model_row *row) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_model *model = model_build(ctx, row), *other = model_build(ctx, row);
    member alone[N_VARIANT], many[N_SESSION];
    for (int k = 0; k < N_SESSION; k++) {
        many[k] = (member){.ctx = ctx, .model = model, .row = row, .variant = k % N_VARIANT};
        assert_int_equal(pthread_create(&many[k].thread, NULL, run_member, &many[k]), 0);
    }
    for (int k = 0; k < N_SESSION; k++) {
        assert_int_equal(pthread_join(many[k].thread, NULL), 0);
    }
    for (int k = 0; k < N_VARIANT; k++) { /* one thread, and a model that no other has touched */
        alone[k] = (member){.ctx = ctx, .model = other, .row = row, .variant = k};
        run_member(&alone[k]);
        sl_assert_ok(alone[k].status);
    }
    for (int k = 0; k < N_SESSION; k++) {
        const member *one = &alone[k % N_VARIANT];
        if (many[k].status != SL_OK) {
            print_error("%s\n", row->name);
        }
        sl_assert_ok(many[k].status);
        assert_int_equal(many[k].state.n, one->state.n);
        assert_memory_equal(many[k].state.at, one->state.at, (size_t)one->state.n);
        sl_bytes_fini(&many[k].state);
    }
    for (int k = 0; k < N_VARIANT; k++) {
        sl_bytes_fini(&alone[k].state);
    }
    sl_model_destroy(model);
    sl_model_destroy(other);
    sl_test_context_end(ctx, &memory);
}

static void test_every_kind(void **state) {
    (void)state;
    for (int32_t i = 0; i < n_model_row; i++) {
        check_row(&model_rows[i]);
    }
}

/* ---- Pause and stop ----------------------------------------------------------------------------- */

typedef struct remote {
    sl_session *s;
    atomic_int paused, resumed; /* how often it was seen */
    sl_status status;
    sl_stop_reason reason;
} remote;

/* Advances without end until stopped; waits while paused. */
static void *run_on(void *user) {
    remote *r = user;
    sl_step step = {.size = sizeof step};
    do {
        r->status = sl_session_advance(r->s, sl_session_time(r->s) + 1e6, 0, &step);
        if (r->status == SL_OK && step.reason == SL_REASON_PAUSED) {
            atomic_fetch_add(&r->paused, 1);
        } else {
            atomic_fetch_add(&r->resumed, 1);
        }
    } while (r->status == SL_OK && step.reason != SL_REASON_STOPPED);
    r->reason = step.reason;
    return NULL;
}

static void test_pause_and_stop_from_outside(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_model *model = NULL;
    ball_model endless = {.height = 2.0, .restitution = 0.8};
    remote r = {0};
    pthread_t thread;
    sl_assert_ok(sl_model_from_engine(ctx, &ball_ops, &endless, &model));
    sl_assert_ok(sl_session_create(ctx, model, NULL, &r.s));
    assert_int_equal(pthread_create(&thread, NULL, run_on, &r), 0);
    for (int k = 0; k < 20; k++) {
        int paused = atomic_load(&r.paused);
        sl_session_pause(r.s, true);
        while (atomic_load(&r.paused) == paused) { /* the test's own time limit ends this if it is never seen */
        }
        sl_session_pause(r.s, false);
    }
    sl_session_stop(r.s);
    assert_int_equal(pthread_join(thread, NULL), 0);
    sl_assert_ok(r.status);
    assert_int_equal(r.reason, SL_REASON_STOPPED);
    sl_session_destroy(r.s);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_sessions),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_pause_and_stop_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
