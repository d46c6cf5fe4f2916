/* SPDX-License-Identifier: MIT */
/* saves.c: promise 3 of engine/engine.h for every kind of model: a state that was saved at any time (within a step, before the first,
 * after a set, a release or a refresh, at the end) and restored in a fresh session, another thread or another process goes on with
 * the bits of the session that was saved. See saves.h.
 */
#include "sl_test.h"

#include "models.h"
#include "saves.h"
#include "suite.h"

#include <pthread.h>

/* ---- Going on ----------------------------------------------------------------------------------- */

/* One move, by chance; the same for the same session and number. */
static sl_status move(sl_session *s, const model_row *row, uint64_t *random) {
    double now = sl_session_time(s), end = fmin(row->duration, sl_session_end(s));
    double x = row->values[sl_test_below(random, 2)], part = sl_test_unit(random);
    int64_t what = sl_test_below(random, 8);
    sl_var v = {-1, -1};
    if (what >= 5 && row->input) {
        sl_status status = sl_session_find(s, row->input, &v);
        return status != SL_OK ? status : what == 5 ? sl_session_release(s, &v, 1) : sl_session_set(s, &v, 1, &x);
    }
    if (what == 4) {
        return sl_session_refresh(s);
    }
    if (what == 3 && now < end) {
        return sl_session_advance(s, end, SL_STOP_AT_EVENT, NULL);
    }
    double t = model_snap(s, now + 0.02 * row->duration * part);
    return sl_session_advance(s, fmax(now, fmin(t, end)), 0, NULL);
}

/* Where a session is after some moves: all values, and the state. */
typedef struct outcome {
    sl_status status;
    double time;
    double *values;
    int64_t n_value;
    sl_bytes state;
} outcome;

/* Values of all fields; NaN where there are none yet. */
static void take_values(sl_session *s, outcome *o) {
    o->n_value = sl_session_n_var(s);
    o->values = malloc((size_t)(o->n_value + 1) * sizeof *o->values);
    int64_t at = 0;
    for (int32_t f = 0; at < o->n_value; f++) {
        int32_t n;
        const double *x = sl_session_view(s, f, &n);
        for (int32_t i = 0; i < n; i++) {
            o->values[at++] = x ? x[i] : (double)NAN;
        }
    }
}

static void go_on(sl_session *s, const model_row *row, uint64_t random, sl_context *ctx, outcome *o) {
    int64_t n = 1 + sl_test_below(&random, 4);
    for (int64_t k = 0; k < n && o->status == SL_OK; k++) {
        o->status = move(s, row, &random);
    }
    sl_bytes_init(&o->state, ctx);
    sl_sink sink = sl_bytes_sink(&o->state);
    o->status = o->status == SL_OK ? sl_session_save(s, &sink) : o->status;
    o->time = sl_session_time(s);
    take_values(s, o);
}

static void outcome_fini(outcome *o) {
    free(o->values);
    sl_bytes_fini(&o->state);
}

static void assert_same_outcome(const model_row *row, const outcome *a, const outcome *b) {
    sl_assert_ok(a->status);
    sl_assert_ok(b->status);
    sl_assert_bits(b->time, a->time);
    assert_int_equal(a->n_value, b->n_value);
    for (int64_t i = 0; i < a->n_value; i++) {
        if (memcmp(&a->values[i], &b->values[i], sizeof *a->values) != 0) {
            print_error("%s: variable %lld at %.17g\n", row->name, (long long)i, a->time);
            sl_assert_bits(b->values[i], a->values[i]);
        }
    }
    assert_int_equal(a->state.n, b->state.n);
    assert_memory_equal(a->state.at, b->state.at, (size_t)a->state.n);
}

/* ---- Elsewhere ---------------------------------------------------------------------------------- */

/* A fresh session that is restored and goes on; without assertions, so that any thread may. */
typedef struct elsewhere {
    sl_context *ctx;
    const sl_model *model;
    const model_row *row;
    const sl_bytes *state;
    uint64_t random;
    outcome o;
} elsewhere;

static void *restore_and_go_on(void *user) {
    elsewhere *w = user;
    sl_session *s = NULL;
    w->o.status = sl_session_create(w->ctx, w->model, NULL, &s);
    w->o.status = w->o.status == SL_OK ? sl_session_restore(s, w->state->at, (size_t)w->state->n) : w->o.status;
    if (s) {
        go_on(s, w->row, w->random, w->ctx, &w->o);
    }
    sl_session_destroy(s);
    return NULL;
}

static void put(FILE *file, const void *bytes, size_t n) {
    assert_int_equal(fwrite(bytes, 1, n, file), n);
}

static void get(FILE *file, void *bytes, size_t n) {
    assert_int_equal(fread(bytes, 1, n, file), n);
}

/* The same in a process of its own, by way of two files. */
static void go_on_in_process(const char *self, elsewhere *w) {
    char in[] = "/tmp/sl_saves_XXXXXX", out[sizeof in + 4], command[4096];
    int handle = mkstemp(in);
    assert_true(handle >= 0);
    FILE *file = fdopen(handle, "wb");
    assert_non_null(file);
    put(file, w->state->at, (size_t)w->state->n);
    fclose(file);
    snprintf(out, sizeof out, "%s.out", in);
    snprintf(command, sizeof command, "'%s' --go-on %d %llu '%s' '%s'", self, (int)(w->row - model_rows),
             (unsigned long long)w->random, in, out);
    assert_int_equal(system(command), 0);
    file = fopen(out, "rb");
    assert_non_null(file);
    int64_t n_state;
    get(file, &w->o.time, sizeof w->o.time);
    get(file, &w->o.n_value, sizeof w->o.n_value);
    get(file, &n_state, sizeof n_state);
    w->o.values = malloc((size_t)(w->o.n_value + 1) * sizeof *w->o.values);
    get(file, w->o.values, (size_t)w->o.n_value * sizeof *w->o.values);
    char *bytes = malloc((size_t)n_state + 1);
    get(file, bytes, (size_t)n_state);
    fclose(file);
    sl_bytes_init(&w->o.state, w->ctx);
    sl_sink sink = sl_bytes_sink(&w->o.state);
    sl_assert_ok(sink.write(sink.user, bytes, (size_t)n_state));
    free(bytes);
    remove(in);
    remove(out);
}

bool saves_main(int argc, char **argv, int *code) {
    if (argc != 6 || strcmp(argv[1], "--go-on") != 0) {
        return false;
    }
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_model *model = NULL;
    elsewhere w = {.row = &model_rows[atoi(argv[2])], .random = strtoull(argv[3], NULL, 10)};
    FILE *file = fopen(argv[4], "rb");
    *code = 1;
    if (!file || sl_context_create(NULL, &ctx) != SL_OK || sl_diags_create(ctx, &diags) != SL_OK ||
        w.row->build(ctx, w.row, diags, &model) != SL_OK) {
        return true;
    }
    sl_bytes state;
    sl_bytes_init(&state, ctx);
    sl_sink sink = sl_bytes_sink(&state);
    char block[4096];
    for (size_t n = fread(block, 1, sizeof block, file); n > 0; n = fread(block, 1, sizeof block, file)) {
        (void)sink.write(sink.user, block, n);
    }
    fclose(file);
    w.ctx = ctx;
    w.model = model;
    w.state = &state;
    restore_and_go_on(&w);
    file = fopen(argv[5], "wb");
    bool fine = w.o.status == SL_OK && file && fwrite(&w.o.time, sizeof w.o.time, 1, file) == 1 &&
                fwrite(&w.o.n_value, sizeof w.o.n_value, 1, file) == 1 &&
                fwrite(&w.o.state.n, sizeof w.o.state.n, 1, file) == 1 &&
                fwrite(w.o.values, sizeof *w.o.values, (size_t)w.o.n_value, file) == (size_t)w.o.n_value &&
                fwrite(w.o.state.at, 1, (size_t)w.o.state.n, file) == (size_t)w.o.state.n;
    *code = file && fclose(file) == 0 && fine ? 0 : 1;
    outcome_fini(&w.o);
    sl_bytes_fini(&state);
    sl_model_destroy(model);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return true;
}

/* ---- Points ------------------------------------------------------------------------------------- */

static void in_thread(elsewhere *w) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, restore_and_go_on, w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* A point of a session: saved, gone on with elsewhere, and gone on with here. */
static void check_point(const char *self, const model_row *row, sl_session *s, elsewhere *w, bool process) {
    sl_bytes state = suite_save(s, w->ctx);
    w->state = &state;
    w->o = (outcome){0};
    if (process) {
        go_on_in_process(self, w);
    } else if (w->random % 3 == 0) {
        in_thread(w);
    } else {
        restore_and_go_on(w);
    }
    outcome own = {0};
    go_on(s, row, w->random, w->ctx, &own);
    assert_same_outcome(row, &own, &w->o);
    outcome_fini(&own);
    outcome_fini(&w->o);
    sl_bytes_fini(&state);
}

static void check_row(const char *self, const model_row *row, int32_t n, int32_t n_process) {
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    sl_model *model = model_build(ctx, row);
    sl_session *s = NULL;
    uint64_t random = 42;
    for (int32_t k = 0; k < n; k++) {
        bool ended = s && sl_session_time(s) >= fmin(row->duration, sl_session_end(s));
        if (!s || (ended && sl_test_below(&random, 3) == 0)) { /* at the end too, now and then */
            sl_session_destroy(s);
            sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
        }
        elsewhere w = {.ctx = ctx, .model = model, .row = row, .random = 1 + (uint64_t)sl_test_below(&random, 1 << 30)};
        check_point(self, row, s, &w, k % (n / (n_process > 0 ? n_process : 1)) == 1 && n_process > 0);
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_context_destroy(ctx);
}

int64_t saves_check(const char *self, int32_t n, int32_t n_process) {
    for (int32_t i = 0; i < n_model_row; i++) {
        check_row(self, &model_rows[i], n, n_process);
    }
    return (int64_t)n * n_model_row;
}
