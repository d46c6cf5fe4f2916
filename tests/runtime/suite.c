/* SPDX-License-Identifier: MIT */
/* suite.c: the semantics that hold for every session, whatever the engine; see suite.h.
 *
 * The numbers are those of the runtime specification: 1 exact stops, 2 inputs act from their time on, 3 outputs belong
 * to the time reached, 4 old outputs until refreshed, 5 progress at any step length, 6 bad values refused by name,
 * 7 the state is everything. Comparisons are of bits: a stop changes none.
 */
#include "sl_test.h"

#include "suite.h"

/* ---- Tools -------------------------------------------------------------------------------------- */

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

static int32_t n_field(sl_session *s) {
    sl_var_info info = {.size = sizeof info};
    sl_assert_ok(sl_session_var(s, (uint32_t)(sl_session_n_var(s) - 1), &info));
    return info.var.field + 1;
}

void suite_assert_same(sl_session *a, sl_session *b) {
    sl_assert_bits(sl_session_time(a), sl_session_time(b));
    for (int32_t f = 0; f < n_field(a); f++) {
        int32_t n, m;
        const double *x = sl_session_view(a, f, &n), *y = sl_session_view(b, f, &m);
        assert_int_equal(n, m);
        assert_int_equal(x == NULL, y == NULL);
        if (x && n > 0 && memcmp(x, y, (size_t)n * sizeof *x) != 0) {
            for (int32_t i = 0; i < n; i++) {
                if (memcmp(&x[i], &y[i], sizeof *x) != 0) {
                    sl_var_info info = {.size = sizeof info};
                    sl_assert_ok(sl_session_var(a, (uint32_t)sl_session_ref(a, (sl_var){f, i}), &info));
                    print_error("%s at %.17g s\n", info.name, sl_session_time(a));
                    sl_assert_bits(x[i], y[i]);
                }
            }
        }
    }
}

sl_bytes suite_save(sl_session *s, sl_context *ctx) {
    sl_bytes state;
    sl_bytes_init(&state, ctx);
    sl_sink sink = sl_bytes_sink(&state);
    sl_assert_ok(sl_session_save(s, &sink));
    return state;
}

void suite_restore(sl_session *s, const sl_bytes *state) {
    sl_assert_ok(sl_session_restore(s, state->at, (size_t)state->n));
}

double suite_get(sl_session *s, const char *name) {
    sl_var v;
    double x = 0.0;
    sl_assert_ok(sl_session_find(s, name, &v));
    sl_assert_ok(sl_session_get(s, &v, 1, &x));
    return x;
}

static sl_status try_set(sl_session *s, const char *name, double x) {
    sl_var v;
    sl_assert_ok(sl_session_find(s, name, &v));
    return sl_session_set(s, &v, 1, &x);
}

void suite_set(sl_session *s, const char *name, double x) {
    sl_assert_ok(try_set(s, name, x));
}

void suite_advance(sl_session *s, double t, uint32_t flags, double stop, sl_stop_reason why) {
    sl_step step = {.size = sizeof step};
    sl_assert_ok(sl_session_advance(s, t, flags, &step));
    sl_assert_bits(step.time, stop);
    sl_assert_bits(sl_session_time(s), stop);
    assert_int_equal(step.reason, why);
}

bool suite_said(const sl_session *s, const char *text) {
    const sl_diags *diags = sl_session_diags(s);
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        if (strstr(sl_diags_at(diags, i)->text, text)) {
            return true;
        }
    }
    return false;
}

double suite_time(const suite_case *c, double begin, int32_t k, int32_t n) {
    double t = begin + c->duration * k / n;
    return k == n ? begin + c->duration : c->whole ? floor(t) : t;
}

/* Goes to t, wherever that is. */
static void go(sl_session *s, double t) {
    sl_step step = {.size = sizeof step};
    sl_assert_ok(sl_session_advance(s, t, 0, &step));
    sl_assert_bits(step.time, t);
    assert_true(step.reason == SL_REASON_TARGET || (step.reason == SL_REASON_END && t >= sl_session_end(s)));
}

/* The same time, or the whole number before it where time counts steps. */
static double snap(const sl_session *s, double t) {
    return strcmp(sl_session_time_unit(s), "steps") == 0 ? floor(t) : t;
}

/* To t by pieces: even ones, random ones, the engine's own steps, pauses, refreshes. */
static void wander(sl_session *s, double t, uint64_t *random) {
    while (sl_session_time(s) < t) {
        double now = sl_session_time(s);
        switch (sl_test_below(random, 5)) {
        case 0: go(s, snap(s, now + (t - now) * sl_test_unit(random))); break;
        case 1: go(s, fmin(t, snap(s, now + 0.01) + (snap(s, 0.5) == 0.0))); break;
        case 2: {
            sl_step step = {.size = sizeof step};
            sl_assert_ok(sl_session_advance(s, t, SL_STOP_AT_EVENT, &step));
            assert_true(step.time > now && step.time <= t);
            break;
        }
        case 3:
            sl_session_pause(s, true);
            suite_advance(s, t, 0, now, SL_REASON_PAUSED);
            sl_session_pause(s, false);
            break;
        default:
            sl_assert_ok(sl_session_refresh(s));
            go(s, sl_test_below(random, 4) == 0 ? t : snap(s, now + (t - now) / 8.0));
        }
    }
}

static void assert_same_state(bench *a, bench *b) {
    sl_bytes x = suite_save(a->s, a->ctx), y = suite_save(b->s, b->ctx);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.at, y.at, (size_t)x.n);
    sl_bytes_fini(&x);
    sl_bytes_fini(&y);
}

/* ---- 1, 5: stops are exact and change nothing --------------------------------------------------- */

static void check_partitions(const suite_case *c) {
    bench whole, pieces;
    uint64_t random = 1;
    for (int run = 0; run < 4; run++) {
        bench_start(&whole, c);
        bench_start(&pieces, c);
        double begin = sl_session_time(whole.s);
        for (int32_t k = 1; k <= c->n_part; k++) {
            double t = suite_time(c, begin, k, c->n_part);
            if (k == c->n_part / 2) { /* with an event of our own halfway */
                suite_set(whole.s, c->input, c->values[0]);
                suite_set(pieces.s, c->input, c->values[0]);
            }
            go(whole.s, t);
            wander(pieces.s, t, &random);
            suite_assert_same(whole.s, pieces.s);
        }
        assert_same_state(&whole, &pieces);
        bench_end(&whole);
        bench_end(&pieces);
    }
}

/* In one go, compared with as many stops as there are parts. */
static void check_one_go(const suite_case *c) {
    bench whole, pieces;
    bench_start(&whole, c);
    bench_start(&pieces, c);
    double begin = sl_session_time(whole.s);
    go(whole.s, begin + c->duration);
    for (int32_t k = 0; k <= c->n_part; k++) {
        go(pieces.s, suite_time(c, begin, k, c->n_part));
    }
    suite_assert_same(whole.s, pieces.s);
    assert_same_state(&whole, &pieces);
    sl_assert_status(sl_session_advance(whole.s, begin, 0, NULL), SL_ERR_USE);
    sl_assert_status(sl_session_advance(whole.s, (double)NAN, 0, NULL), SL_ERR_USE);
    suite_assert_same(whole.s, pieces.s); /* a refused call is no failure */
    bench_end(&whole);
    bench_end(&pieces);
}

/* The engine's own steps: each ends no earlier than next_event said, and dt adds up. */
static void check_steps(const suite_case *c) {
    bench own, events;
    bench_start(&own, c);
    bench_start(&events, c);
    double end = sl_session_time(own.s) + c->duration, dt = 1.0;
    while (sl_session_time(own.s) < end && dt > 0.0) {
        double before = sl_session_time(own.s), next = sl_session_next_event(own.s);
        assert_true(next > before);
        sl_assert_ok(sl_session_step(own.s, &dt));
        sl_assert_double(dt, sl_session_time(own.s) - before);
        assert_true(dt == 0.0 || sl_session_time(own.s) >= next);
        sl_assert_ok(sl_session_advance(events.s, (double)INFINITY, SL_STOP_AT_EVENT, NULL));
        suite_assert_same(own.s, events.s);
    }
    bench_end(&own);
    bench_end(&events);
}

/* ---- 2: a set acts from its time on ------------------------------------------------------------- */

/* Values of all variables; the caller frees. */
static double *snapshot(sl_session *s) {
    double *x = malloc((size_t)sl_session_n_var(s) * sizeof *x);
    for (int64_t ref = 0; ref < sl_session_n_var(s); ref++) {
        sl_var_info info = {.size = sizeof info};
        sl_assert_ok(sl_session_var(s, (uint32_t)ref, &info));
        sl_assert_ok(sl_session_get(s, &info.var, 1, &x[ref]));
    }
    return x;
}

/* A set moves no output: those at the cut are those that were shown. */
static void assert_same_outputs(sl_session *s, const double *x) {
    double *y = snapshot(s);
    for (int64_t ref = 0; ref < sl_session_n_var(s); ref++) {
        sl_var_info info = {.size = sizeof info};
        sl_assert_ok(sl_session_var(s, (uint32_t)ref, &info));
        if (info.causality == SL_VAR_OUTPUT && memcmp(&x[ref], &y[ref], sizeof *x) != 0) {
            print_error("%s after a set at %.17g s\n", info.name, sl_session_time(s));
            sl_assert_bits(y[ref], x[ref]);
        }
    }
    free(y);
}

static void check_sets(const suite_case *c) {
    bench plain, changed;
    bench_start(&plain, c);
    bench_start(&changed, c);
    double begin = sl_session_time(plain.s);
    for (int32_t k = 1; k <= c->n_part / 3; k++) {
        go(plain.s, suite_time(c, begin, k, c->n_part));
        go(changed.s, suite_time(c, begin, k, c->n_part));
        suite_assert_same(plain.s, changed.s);
    }
    double *before = snapshot(changed.s);
    suite_set(changed.s, c->input, c->values[0]);
    sl_assert_double(suite_get(changed.s, c->input), c->values[0]);
    assert_same_outputs(changed.s, before);
    free(before);
    go(plain.s, begin + c->duration);
    go(changed.s, begin + c->duration);
    sl_bytes x = suite_save(plain.s, plain.ctx), y = suite_save(changed.s, changed.ctx);
    assert_true(x.n != y.n || memcmp(x.at, y.at, (size_t)x.n) != 0); /* it did act */
    sl_bytes_fini(&x);
    sl_bytes_fini(&y);
    bench_end(&plain);
    bench_end(&changed);
}

/* ---- 3, 4: whose outputs ------------------------------------------------------------------------ */

static void check_outputs(const suite_case *c) {
    bench a, b;
    bench_start(&a, c);
    bench_start(&b, c);
    double begin = sl_session_time(a.s);
    for (int32_t k = 1; k <= 6; k++) { /* 3: outputs belong to the time reached: a refresh finds nothing to do */
        go(a.s, suite_time(c, begin, k, 13));
        go(b.s, suite_time(c, begin, k, 13));
        sl_assert_ok(sl_session_refresh(a.s));
        suite_assert_same(a.s, b.s);
        if (k == 3) {
            suite_set(a.s, c->input, c->values[0]);
            suite_set(b.s, c->input, c->values[0]);
        }
    }
    if (c->output) { /* 4: old until refreshed; then a loop over the coupling can be iterated */
        double old = suite_get(a.s, c->output);
        sl_bytes state = suite_save(a.s, a.ctx);
        suite_set(a.s, c->input, c->values[1]);
        sl_assert_bits(suite_get(a.s, c->output), old);
        sl_assert_ok(sl_session_refresh(a.s));
        double first = suite_get(a.s, c->output);
        assert_true(first != old);
        suite_restore(a.s, &state);
        suite_assert_same(a.s, b.s);
        sl_assert_bits(suite_get(a.s, c->output), old);
        suite_set(a.s, c->input, c->values[1]);
        suite_advance(a.s, sl_session_time(a.s), 0, sl_session_time(a.s), SL_REASON_TARGET);
        sl_assert_bits(suite_get(a.s, c->output), first);
        sl_bytes_fini(&state);
    }
    bench_end(&a);
    bench_end(&b);
}

/* ---- 6: what cannot be set ---------------------------------------------------------------------- */

static void refuse(bench *b, const suite_case *c, double x, bool all_or_none) {
    sl_bytes before = suite_save(b->s, b->ctx);
    sl_var v[2];
    double values[2] = {c->values[0], x};
    sl_assert_ok(sl_session_find(b->s, c->input, &v[0]));
    v[1] = v[0];
    int32_t first_diag = sl_diags_size(sl_session_diags(b->s));
    sl_assert_status(
        sl_session_set(b->s, all_or_none ? v : v + 1, all_or_none ? 2 : 1, all_or_none ? values : values + 1),
        SL_ERR_INPUT);
    assert_true(sl_diags_size(sl_session_diags(b->s)) > first_diag);
    assert_non_null(strstr(sl_diags_at(sl_session_diags(b->s), first_diag)->text, c->input)); /* by name */
    sl_bytes after = suite_save(b->s, b->ctx);
    assert_int_equal(before.n, after.n);
    assert_memory_equal(before.at, after.at, (size_t)after.n);
    sl_bytes_fini(&before);
    sl_bytes_fini(&after);
}

static void check_refusals(const suite_case *c) {
    bench b;
    bench_start(&b, c);
    if (c->parameter) {
        suite_set(b.s, c->parameter, c->parameter_value); /* before the start */
        sl_assert_double(suite_get(b.s, c->parameter), c->parameter_value);
    }
    go(b.s, suite_time(c, sl_session_time(b.s), 1, 7));
    double present = suite_get(b.s, c->input);
    for (int both = 0; both < 2; both++) {
        refuse(&b, c, (double)NAN, both);
        refuse(&b, c, (double)INFINITY, both);
        refuse(&b, c, -(double)INFINITY, both);
        if (!isnan(c->bad_value)) {
            refuse(&b, c, c->bad_value, both);
        }
        sl_assert_double(suite_get(b.s, c->input), present);
    }
    if (c->parameter) {
        sl_assert_status(try_set(b.s, c->parameter, c->parameter_value), SL_ERR_INPUT);
        assert_true(suite_said(b.s, c->parameter));
    }
    if (c->output) {
        sl_assert_status(try_set(b.s, c->output, 1.0), SL_ERR_INPUT);
        assert_true(suite_said(b.s, c->output));
    }
    sl_var nowhere = {0, -1};
    double x = 1.0;
    sl_assert_status(sl_session_set(b.s, &nowhere, 1, &x), SL_ERR_USE);
    sl_assert_status(sl_session_get(b.s, &nowhere, 1, &x), SL_ERR_USE);
    bench_end(&b);
}

/* ---- 7: the state is everything ----------------------------------------------------------------- */

/* Saves in many places; goes on; restores into the same session and another one; goes on: the same at every part. */
static void check_states(const suite_case *c) {
    bench a, b;
    bench_start(&a, c);
    bench_start(&b, c);
    double begin = sl_session_time(a.s);
    for (int32_t k = 0; k < c->n_part; k += 1 + c->n_part / 8) {
        go(a.s, suite_time(c, begin, k, c->n_part));
        bool set = k % 2; /* one of them with a set that is not taken up yet */
        if (set) {
            suite_set(a.s, c->input, c->values[k % 4 / 2]);
        }
        sl_bytes state = suite_save(a.s, a.ctx);
        go(b.s, fmax(sl_session_time(b.s), suite_time(c, begin, 2, c->n_part))); /* b is somewhere else */
        suite_restore(b.s, &state);
        suite_assert_same(a.s, b.s);
        int32_t there = k + 3 < c->n_part ? k + 3 : c->n_part;
        go(a.s, suite_time(c, begin, there, c->n_part));
        go(b.s, suite_time(c, begin, there, c->n_part));
        suite_assert_same(a.s, b.s);
        assert_same_state(&a, &b);
        suite_restore(a.s, &state); /* the past again, in the session that was already beyond */
        go(a.s, suite_time(c, begin, there, c->n_part));
        suite_assert_same(a.s, b.s);
        suite_restore(a.s, &state);
        sl_bytes again = suite_save(a.s, a.ctx);
        assert_int_equal(again.n, state.n);
        assert_memory_equal(again.at, state.at, (size_t)state.n);
        sl_bytes_fini(&again);
        sl_bytes_fini(&state);
    }
    bench_end(&a);
    bench_end(&b);
}

/* A damaged byte, wherever it is, and a cut are refused, and leave everything as it was. */
static void check_damage(const suite_case *c) {
    bench a, b;
    bench_start(&a, c);
    bench_start(&b, c);
    double begin = sl_session_time(a.s);
    go(a.s, suite_time(c, begin, 3, 7));
    go(b.s, suite_time(c, begin, 2, 7));
    sl_bytes state = suite_save(a.s, a.ctx), own = suite_save(b.s, b.ctx);
    int64_t stride = 1 + state.n / 4000; /* a large state: every so many bytes */
    for (int64_t i = 0; i < state.n; i += i < 256 ? 1 : stride) {
        state.at[i] ^= (char)(1 << i % 8);
        sl_assert_status(sl_session_restore(b.s, state.at, (size_t)state.n), SL_ERR_INPUT);
        state.at[i] ^= (char)(1 << i % 8);
        sl_assert_status(sl_session_restore(b.s, state.at, (size_t)i), SL_ERR_INPUT);
    }
    assert_true(sl_diags_count(sl_session_diags(b.s), SL_ERROR) >= 2 * 88);
    char *longer = malloc((size_t)state.n + 1);
    memcpy(longer, state.at, (size_t)state.n);
    longer[state.n] = 0;
    sl_assert_status(sl_session_restore(b.s, longer, (size_t)state.n + 1), SL_ERR_INPUT);
    free(longer);
    sl_bytes after = suite_save(b.s, b.ctx);
    assert_int_equal(after.n, own.n);
    assert_memory_equal(after.at, own.at, (size_t)own.n);
    sl_assert_ok(sl_session_restore(b.s, state.at, (size_t)state.n));
    suite_assert_same(a.s, b.s);
    sl_bytes_fini(&after);
    sl_bytes_fini(&own);
    sl_bytes_fini(&state);
    bench_end(&a);
    bench_end(&b);
}

/* ---- The end, memory ---------------------------------------------------------------------------- */

static void check_end(const suite_case *c) {
    bench b;
    bench_start(&b, c);
    double end = sl_session_end(b.s);
    if (isinf(end) && c->finds_end) {
        sl_step step = {.size = sizeof step};
        sl_status status = sl_session_advance(b.s, (double)INFINITY, 0, &step);
        assert_true(status == SL_OK ? step.reason == SL_REASON_END && sl_session_end(b.s) == step.time
                                    : status == SL_ERR_SOLVE && step.reason == SL_REASON_FAILED);
    } else if (isinf(end)) {
        sl_assert_status(sl_session_advance(b.s, (double)INFINITY, 0, NULL), SL_ERR_USE);
    } else {
        suite_advance(b.s, (double)INFINITY, 0, end, SL_REASON_END);
        suite_advance(b.s, end + 1.0, 0, end, SL_REASON_END);
        suite_advance(b.s, end, 0, end, SL_REASON_END);
        assert_true(isinf(sl_session_next_event(b.s)));
        double dt = 1.0;
        sl_assert_ok(sl_session_step(b.s, &dt));
        sl_assert_double(dt, 0.0);
    }
    bench_end(&b);
}

/* ---- Recorded values ---------------------------------------------------------------------------- */

static void record_field(sl_session *s, int32_t field) {
    const void *engine;
    const sl_engine_ops *ops = sl_session_ops(s, &engine);
    const char *of = ops->classes[ops->fields[field].of].name;
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", of, *of ? "." : "", ops->fields[field].name);
    sl_assert_ok(sl_session_record(s, (const char *const[]){name}, 1));
}

/* The block of every recorded field is what sl_session_past gives value by value; returns the number of values. */
static int64_t compare_blocks(sl_session *s, int32_t first_field) {
    int32_t n_all, n_time, n_element;
    int64_t n_value = 0;
    const double *times = sl_session_times(s, &n_all);
    for (int32_t f = first_field; f < n_field(s); f++) {
        const double *block = sl_session_recorded(s, f, &n_time, &n_element);
        int32_t n = 0;
        (void)sl_session_view(s, f, &n);
        assert_int_equal(n_element, n);
        assert_int_equal(n_time, n_all);
        for (int32_t k = 0; k < n_time; k++) {
            for (int32_t i = 0; i < n; i++, n_value++) {
                double x = 0.0;
                sl_assert_ok(sl_session_past(s, (sl_var){f, i}, times[k], &x));
                sl_assert_bits(block[(int64_t)k * n + i], x);
            }
        }
    }
    return n_value;
}

/* Fields recorded from the start, and one from the middle on; blocks follow a restore. */
static void check_recorded(const suite_case *c) {
    bench b;
    bench_start(&b, c);
    double begin = sl_session_time(b.s);
    int32_t n_time = -1, n_element = -1, n_all;
    assert_null(sl_session_recorded(b.s, 0, &n_time, &n_element));
    assert_int_equal(n_time + n_element, 0);
    assert_null(sl_session_recorded(b.s, -1, &n_time, NULL));
    assert_null(sl_session_recorded(b.s, n_field(b.s), NULL, NULL));
    for (int32_t f = 1; f < n_field(b.s); f++) {
        record_field(b.s, f);
    }
    go(b.s, suite_time(c, begin, 1, 2));
    int64_t n_value = compare_blocks(b.s, 1);
    (void)sl_session_times(b.s, &n_all);
    sl_bytes state = suite_save(b.s, b.ctx);
    record_field(b.s, 0);
    int32_t before = n_all;
    go(b.s, suite_time(c, begin, 2, 2));
    assert_true(compare_blocks(b.s, 1) >= n_value);
    (void)sl_session_times(b.s, &n_all);
    const double *late = sl_session_recorded(b.s, 0, &n_time, NULL);
    assert_int_equal(n_time, n_all - before); /* the last of the times */
    assert_int_equal(late == NULL, n_time == 0);
    suite_restore(b.s, &state);
    assert_int_equal(compare_blocks(b.s, 1), n_value);
    sl_bytes_fini(&state);
    bench_end(&b);
}

/* A warm advance, set and refresh allocate nothing, recording included. */
static void check_allocation(const suite_case *c) {
    bench b;
    bench_start(&b, c);
    if (isinf(sl_session_end(b.s))) { /* room is made as the series grows */
        bench_end(&b);
        return;
    }
    sl_var v;
    double begin = sl_session_time(b.s), x;
    sl_assert_ok(sl_session_find(b.s, c->input, &v));
    const char *all[1] = {c->input};
    if (sl_session_field(b.s, c->input) >= 0) {
        sl_assert_ok(sl_session_record(b.s, all, 1));
    }
    int64_t before = 0, diags = 0;
    for (int32_t k = 1; k <= c->n_part; k++) {
        go(b.s, suite_time(c, begin, k, c->n_part));
        if (k % 4 == 1) {
            x = c->values[k % 8 / 4];
            sl_assert_ok(sl_session_set(b.s, &v, 1, &x));
            sl_assert_ok(sl_session_refresh(b.s));
        }
        before = k == 5 ? b.memory.n_request : before; /* warm from here */
        diags = k == 5 ? sl_diags_size(sl_session_diags(b.s)) : diags;
    }
    assert_true(c->n_part > 10);
    if (sl_diags_size(sl_session_diags(b.s)) == diags) { /* what is said takes memory */
        assert_in_range(b.memory.n_request, before, before + (c->grows ? 8 : 0));
    }
    bench_end(&b);
}

void suite_check(const suite_case *c) {
    check_partitions(c);
    check_one_go(c);
    check_steps(c);
    check_sets(c);
    check_outputs(c);
    check_refusals(c);
    check_states(c);
    check_damage(c);
    check_end(c);
    check_recorded(c);
    check_allocation(c);
    suite_check_events(c);
    suite_check_release(c);
}
