/* SPDX-License-Identifier: MIT */
/* suite_events.c: events and releases, as every session must have them; see suite.h. */
#include "sl_test.h"

#include "suite.h"

typedef struct bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_session *s;
} bench;

static void bench_start(bench *b, const suite_case *c) {
    *b = (bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_session_create(b->ctx, c->model, NULL, &b->s));
}

static void bench_end(bench *b) {
    sl_session_destroy(b->s);
    sl_test_context_end(b->ctx, &b->memory);
}

static sl_event_info event_at(const sl_session *s, int64_t i) {
    sl_event_info info = {.size = sizeof info};
    sl_assert_ok(sl_session_event(s, i, &info));
    return info;
}

void suite_assert_same_events(const sl_session *a, const sl_session *b) {
    assert_int_equal(sl_session_n_event(a), sl_session_n_event(b));
    for (int64_t i = 0; i < sl_session_n_event(a); i++) {
        sl_event_info x = event_at(a, i), y = event_at(b, i);
        sl_assert_bits(x.time, y.time);
        sl_assert_bits(x.from, y.from);
        sl_assert_bits(x.to, y.to);
        assert_string_equal(x.kind, y.kind);
        assert_string_equal(x.element_class, y.element_class);
        assert_string_equal(x.element, y.element);
        assert_string_equal(x.quantity, y.quantity);
        assert_string_equal(x.cause, y.cause);
    }
}

/* In order of time, none after the session's. */
static void assert_in_order(const sl_session *s) {
    double last = -(double)INFINITY;
    for (int64_t i = 0; i < sl_session_n_event(s); i++) {
        sl_event_info e = event_at(s, i);
        assert_true(e.time >= last && e.kind[0]);
        last = e.time;
    }
    assert_true(last <= sl_session_time(s));
}

/* The same events whatever the pieces, none ahead of the session, and the values of a session without. */
static void check_pieces(const suite_case *c) {
    bench whole, pieces, plain;
    bench_start(&whole, c);
    bench_start(&pieces, c);
    bench_start(&plain, c);
    sl_assert_ok(sl_session_record_events(whole.s, true));
    sl_assert_ok(sl_session_record_events(pieces.s, true));
    double begin = sl_session_time(whole.s);
    for (int half = 0; half < 2; half++) {
        for (int32_t k = 1; k <= c->n_part; k++) {
            double t = suite_time(c, begin, k + half * c->n_part, 2 * c->n_part);
            sl_assert_ok(sl_session_advance(pieces.s, t, 0, NULL));
            assert_in_order(pieces.s);
        }
        sl_assert_ok(sl_session_advance(whole.s, sl_session_time(pieces.s), 0, NULL));
        sl_assert_ok(sl_session_advance(plain.s, sl_session_time(pieces.s), 0, NULL));
        suite_assert_same_events(whole.s, pieces.s);
        suite_assert_same(whole.s, plain.s);
        suite_assert_same(pieces.s, plain.s);
        sl_session *all[] = {whole.s, pieces.s, plain.s};
        for (int i = 0; i < 3 && half == 0; i++) { /* a cut within a step */
            suite_set(all[i], c->input, c->values[0]);
        }
        assert_in_order(pieces.s);
    }
    assert_int_equal(sl_session_n_event(plain.s), 0);
    assert_true(sl_session_n_event(whole.s) >= c->n_event);
    sl_event_info none = {.size = sizeof none}, no_size = {0};
    sl_assert_status(sl_session_event(whole.s, sl_session_n_event(whole.s), &none), SL_ERR_USE);
    sl_assert_status(sl_session_event(whole.s, -1, &none), SL_ERR_USE);
    sl_assert_status(sl_session_event(whole.s, 0, &no_size), SL_ERR_USE);
    bench_end(&whole);
    bench_end(&pieces);
    bench_end(&plain);
}

/* A restore drops those of later times, and a session that goes on from a boundary has them again. */
static void check_restored(const suite_case *c) {
    bench a, b;
    bench_start(&a, c);
    bench_start(&b, c);
    sl_assert_ok(sl_session_record_events(a.s, true));
    sl_assert_ok(sl_session_record_events(b.s, true));
    double end = sl_session_time(a.s) + c->duration, middle = suite_time(c, sl_session_time(a.s), 1, 2);
    while (sl_session_time(a.s) <
           middle) { /* to a boundary: what lies between it and a time within a step is not saved */
        sl_assert_ok(sl_session_step(a.s, NULL));
    }
    sl_bytes state = suite_save(a.s, a.ctx);
    double there = sl_session_time(a.s);
    int64_t before = sl_session_n_event(a.s);
    sl_assert_ok(sl_session_advance(a.s, end, 0, NULL));
    sl_assert_ok(sl_session_advance(b.s, end, 0, NULL));
    suite_restore(a.s, &state);
    assert_in_order(a.s);
    assert_true(sl_session_n_event(a.s) <= before && sl_session_time(a.s) == there);
    sl_assert_ok(sl_session_advance(a.s, end, 0, NULL));
    suite_assert_same_events(a.s, b.s);
    sl_assert_ok(sl_session_record_events(a.s, false)); /* what is kept stays */
    assert_int_equal(sl_session_n_event(a.s), sl_session_n_event(b.s));
    sl_bytes_fini(&state);
    bench_end(&a);
    bench_end(&b);
}

/* ---- A sink ------------------------------------------------------------------------------------- */

typedef struct tape {
    const sl_session *s;
    double last_event, last_frame;
    int64_t n_event, n_frame, fail_at;
} tape;

static sl_status tape_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    (void)user, (void)layout, (void)diags;
    return SL_OK;
}

static sl_status tape_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    tape *p = user;
    (void)diags;
    p->last_frame = frame->time;
    p->n_frame++;
    return SL_OK;
}

/* Events come before the frame of the same time, unless they were made at it afterwards by a set. */
static sl_status tape_event(void *user, const sl_engine_event *event, sl_diags *diags) {
    tape *p = user;
    (void)diags;
    assert_true(event->time >= p->last_event && event->time > p->last_frame);
    assert_true(event->time <= sl_session_time(p->s));
    p->last_event = event->time;
    p->n_event++;
    return p->n_event == p->fail_at ? SL_ERR_IO : SL_OK;
}

static sl_status tape_end(void *user, bool complete, sl_diags *diags) {
    (void)user, (void)complete, (void)diags;
    return SL_OK;
}

static int64_t run_with_tape(const suite_case *c, int32_t n_field, int64_t fail_at, sl_status expected) {
    bench b;
    bench_start(&b, c);
    tape p = {.s = b.s, .last_event = -(double)INFINITY, .last_frame = -(double)INFINITY, .fail_at = fail_at};
    sl_result_sink sink = {
        .user = &p, .begin = tape_begin, .frame = n_field ? tape_frame : NULL, .end = tape_end, .event = tape_event};
    sl_assert_ok(sl_session_add_sink(b.s, &sink, (const int32_t[]){0}, n_field));
    if (!fail_at) {
        sl_assert_ok(sl_session_record_events(b.s, true));
    }
    double begin = sl_session_time(b.s);
    sl_status status = SL_OK;
    for (int32_t k = 1; k <= c->n_part && status == SL_OK; k++) {
        status = sl_session_advance(b.s, suite_time(c, begin, k, c->n_part), 0, NULL);
    }
    sl_assert_status(status, expected);
    assert_true(fail_at || p.n_event == sl_session_n_event(b.s));
    bench_end(&b);
    return p.n_event;
}

static void check_sinks(const suite_case *c) {
    int64_t n = run_with_tape(c, 1, 0, SL_OK);
    assert_int_equal(run_with_tape(c, 0, 0, SL_OK), n);
    if (n > 1) { /* a sink that fails is a failure of the session */
        assert_int_equal(run_with_tape(c, 1, 2, SL_ERR_IO), 2);
    }
}

void suite_check_events(const suite_case *c) {
    check_pieces(c);
    check_restored(c);
    check_sinks(c);
}

/* ---- Releases ----------------------------------------------------------------------------------- */

static sl_status try_release(sl_session *s, const char *name) {
    sl_var v;
    sl_assert_ok(sl_session_find(s, name, &v));
    return sl_session_release(s, &v, 1);
}

static void check_release_refusals(const suite_case *c, bench *b) {
    sl_bytes before = suite_save(b->s, b->ctx);
    sl_var v[2] = {{0, 0}, {0, -1}};
    sl_assert_ok(sl_session_find(b->s, c->input, &v[0]));
    sl_assert_status(sl_session_release(b->s, v, 2), SL_ERR_USE); /* all or none */
    if (c->output) {
        sl_assert_ok(sl_session_find(b->s, c->output, &v[1]));
        sl_assert_status(sl_session_release(b->s, v, 2), SL_ERR_INPUT);
        assert_true(suite_said(b->s, c->output));
    }
    if (c->parameter) {
        sl_assert_status(try_release(b->s, c->parameter), SL_ERR_INPUT);
    }
    sl_bytes after = suite_save(b->s, b->ctx);
    assert_int_equal(before.n, after.n);
    assert_memory_equal(before.at, after.at, (size_t)after.n);
    sl_bytes_fini(&before);
    sl_bytes_fini(&after);
}

/* A value set at one time and released at another is from then on what it is without. */
void suite_check_release(const suite_case *c) {
    bench plain, held;
    bench_start(&plain, c);
    bench_start(&held, c);
    double begin = sl_session_time(plain.s);
    for (int32_t k = 1; k < 7; k++) {
        double t = suite_time(c, begin, k, 7);
        sl_assert_ok(sl_session_advance(plain.s, t, 0, NULL));
        sl_assert_ok(sl_session_advance(held.s, t, 0, NULL));
        if (k == 2) {
            suite_set(held.s, c->input, c->values[0]);
        } else if (k == 3) {
            check_release_refusals(c, &held);
        } else if (k == 4) {
            sl_assert_ok(try_release(held.s, c->input));
            sl_assert_ok(sl_session_refresh(held.s));
        }
        bool same = k < 2 || k >= 4;
        if (c->holds && same) {
            sl_assert_bits(suite_get(held.s, c->input), suite_get(plain.s, c->input));
        } else if (c->holds) {
            sl_assert_double(suite_get(held.s, c->input), c->values[0]);
        }
    }
    bench_end(&plain);
    bench_end(&held);
}
