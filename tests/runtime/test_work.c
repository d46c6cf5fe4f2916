/* SPDX-License-Identifier: MIT */
/* What a run reads of an engine of many parts: as much as moves and as is asked for, whatever the number of parts. Counted are values,
 * not seconds. Against a run that reads all values after each step. */
#include "sl_test.h"

#include <sluice/automaton.h>
#include <sluice/results.h>

#include "automata/automaton.h"
#include "base/out.h"
#include "hybrid/engine.h"
#include "kinds/values_summary.h"
#include "session/session.h"

enum { FEW = 10, MANY = 80, ROOM = 1 << 19, N_X = 2, N_Q = 4 }; /* variables of a tank */

static int64_t n_read, n_moved, n_step; /* values, of them those of single elements; steps of the engine */

static const double *count_data(const void *engine, int32_t field) {
    n_read += sl_hybrid_engine.count(engine, field);
    return sl_hybrid_engine.data(engine, field);
}

static double count_value(const void *engine, int32_t field, int32_t index) {
    n_read++;
    n_moved++;
    return sl_hybrid_engine.value(engine, field, index);
}

static sl_status count_step(void *engine, sl_diags *diags, sl_engine_step *out) {
    n_step++;
    return sl_hybrid_engine.step(engine, diags, out);
}

typedef struct run {
    sl_test_memory memory;
    sl_context *ctx;
    sl_automaton *a;
    sl_model *model;
    sl_session *session;
    sl_engine_ops ops;
    void *summary;
} run;

/* Each tank is filled and drained between two levels; beside it something falls until it is down, and then no equation holds it. */
static void write_tanks(char *text, int n, double report) {
    size_t k = 0;
    k += (size_t)snprintf(text + k, ROOM - k, "automaton: tanks\ndiscrete: {z: 2");
    for (int i = 0; i < n; i++) {
        k += (size_t)snprintf(text + k, ROOM - k, ", low%d: 2, high%d: 2, open%d: 2, down%d: 2", i, i, i, i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "}\ncontinuous: {c: 0");
    for (int i = 0; i < n; i++) {
        k += (size_t)snprintf(text + k, ROOM - k, ", h%d: %.6f, y%d: 1", i, 1.1 + 0.8 * fmod(0.618 * i, 1.0), i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "}\nactivities:\n");
    for (int i = 0; i < n; i++) {
        double leak = 0.3 + 0.1 * fmod(0.414 * i, 1.0);
        k += (size_t)snprintf(text + k, ROOM - k,
                              "  - {equation: \"der(h%d) = 0.6 - %.6f*sqrt(h%d)\", when: open%d}\n"
                              "  - {equation: \"der(h%d) = -%.6f*sqrt(h%d)\", when: \"!open%d\"}\n"
                              "  - {equation: \"der(y%d) = -%.6f*y%d\", when: \"!down%d\"}\n",
                              i, leak, i, i, i, leak, i, i, i, leak, i, i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "roots:\n");
    for (int i = 0; i < n; i++) {
        k += (size_t)snprintf(text + k, ROOM - k,
                              "  - {decides: low%d, by: 1 - h%d}\n  - {decides: high%d, by: h%d - 2}\n"
                              "  - {decides: down%d, by: 0.5 - y%d, when: \"!down%d\"}\n",
                              i, i, i, i, i, i, i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "transitions:\n");
    for (int i = 0; i < n; i++) {
        k += (size_t)snprintf(text + k, ROOM - k,
                              "  - {equation: der(open%d) = 1, when: \"low%d & !open%d\"}\n"
                              "  - {equation: der(open%d) = -1, when: \"high%d & open%d\"}\n",
                              i, i, i, i, i, i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "run: {end: 12, tolerance: 1e-9");
    k += (size_t)snprintf(text + k, ROOM - k, report > 0.0 ? ", report: %g}\n" : "}\n", report);
    assert_true(k < ROOM);
}

static void begin_text(run *r, const char *text, bool by_parts) {
    *r = (run){.ops = sl_hybrid_engine};
    r->ctx = sl_test_context(&r->memory);
    sl_assert_ok(sl_automaton_read(r->ctx, text, strlen(text), "tanks", NULL, &r->a));
    r->ops.data = count_data;
    r->ops.step = count_step;
    r->ops.moved = by_parts ? r->ops.moved : NULL;
    r->ops.value = by_parts ? count_value : NULL;
    sl_assert_ok(sl_model_from_engine(r->ctx, &r->ops, sl_automaton_model(r->a), &r->model));
    sl_assert_ok(sl_session_create(r->ctx, r->model, NULL, &r->session));
    n_read = n_moved = n_step = 0;
}

static void begin(run *r, int n, double report, bool by_parts) {
    static char text[ROOM];
    write_tanks(text, n, report);
    begin_text(r, text, by_parts);
}

static void end(run *r) {
    if (r->summary) {
        sl_values_report.destroy(r->summary);
    }
    sl_session_destroy(r->session);
    sl_model_destroy(r->model);
    sl_automaton_destroy(r->a);
    sl_test_context_end(r->ctx, &r->memory);
}

static void summarise(run *r, int n, bool by_parts) {
    char why[SL_REFUSAL_MAX];
    begin(r, n, 0.0, by_parts);
    const sl_report_def def = {
        .ctx = r->ctx, .name = "tanks", .model = r->model, .session = r->session, .summary = true};
    sl_assert_ok(sl_values_report.create(&def, NULL, why, &r->summary));
    n_read = n_moved = n_step = 0;
    sl_assert_ok(sl_session_advance(r->session, (double)INFINITY, 0, NULL));
    sl_assert_ok(sl_values_report.finish(r->summary, true, NULL));
}

/* Steps of the engine grow with the tanks, and a step moves as much as it moved before. */
static void test_summary_work(void **state) {
    (void)state;
    double per_step[2];
    for (int k = 0; k < 2; k++) {
        run r;
        summarise(&r, k ? MANY : FEW, true);
        per_step[k] = (double)n_moved / (double)n_step;
        assert_true(n_read - n_moved <= 4 * ((N_X + N_Q) * MANY + 2)); /* all: at the start, after it, at the end */
        end(&r);
    }
    assert_true(per_step[0] >= 1.0 && per_step[0] < 4.0); /* its variable, with an event three more */
    assert_true(per_step[1] < 1.2 * per_step[0]);
}

/* Levels rise and fall between events, so that ranges do not hang on where they are looked at. */
static void test_summary_values(void **state) {
    (void)state;
    run parts, all;
    summarise(&parts, FEW, true);
    summarise(&all, FEW, false);
    const sl_values_summary *a = parts.summary, *b = all.summary;
    assert_int_equal(a->n_column, b->n_column);
    for (int64_t k = 0; k < a->n_column; k++) {
        const sl_values_column *x = &a->columns[k], *y = &b->columns[k];
        sl_assert_bits(x->last, y->last);
        sl_assert_bits(x->all_min, y->all_min);
        sl_assert_bits(x->all_max, y->all_max);
        sl_assert_bits(x->time_of_all_min, y->time_of_all_min);
        sl_assert_bits(x->time_of_all_max, y->time_of_all_max);
    }
    end(&all);
    end(&parts);
}

static sl_status forget(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return SL_OK;
}

/* Frames at report times alone: as many values are read as are written. */
static void test_frames_work(void **state) {
    (void)state;
    run r;
    sl_recorder *recorder = NULL;
    sl_recorder_def def = sl_recorder_default();
    sl_results_target target = sl_results_target_default();
    const sl_sink sink = {.write = forget};
    begin(&r, MANY, 1.0, true);
    target.format = "csv";
    target.sink = &sink;
    sl_assert_ok(sl_recorder_create(r.ctx, r.session, &def, NULL, &recorder));
    sl_assert_ok(sl_recorder_add(recorder, &target, NULL));
    sl_assert_ok(sl_session_advance(r.session, (double)INFINITY, 0, NULL));
    sl_assert_ok(sl_recorder_end(recorder, true, NULL));
    assert_true(n_step > 1000);
    assert_int_equal(n_read, 13 * ((N_X + N_Q) * MANY + 2));
    sl_recorder_destroy(recorder);
    end(&r);
}

/* Thousands of parts end their first steps within microseconds, many within a nanosecond: that is no chattering. */
static void test_many_small_steps(void **state) {
    (void)state;
    enum { N = 5000 };
    static char text[ROOM];
    size_t k = (size_t)snprintf(text, ROOM, "automaton: decay\ncontinuous: {z: 0");
    for (int i = 0; i < N; i++) {
        k += (size_t)snprintf(text + k, ROOM - k, ", x%d: %.6f", i, 1.0 + 0.8 * fmod(0.618034 * i, 1.0));
    }
    k += (size_t)snprintf(text + k, ROOM - k, "}\nactivities:\n");
    for (int i = 0; i < N; i++) {
        k += (size_t)snprintf(text + k, ROOM - k, "  - {equation: der(x%d) = -%.6f*sqrt(x%d)}\n", i,
                              0.3 + 0.1 * fmod(0.414214 * i, 1.0), i);
    }
    k += (size_t)snprintf(text + k, ROOM - k, "run: {end: 24}\n");
    assert_true(k < ROOM);
    run r;
    begin_text(&r, text, true);
    sl_assert_ok(sl_session_advance(r.session, 1e-3, 0, NULL));
    assert_true(n_step > N);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_summary_work), cmocka_unit_test(test_summary_values),
                                       cmocka_unit_test(test_frames_work), cmocka_unit_test(test_many_small_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
