/* SPDX-License-Identifier: MIT */
/* An automaton that is written and read again is the same: hash, text, executions bit by bit. */
#include "sl_test.h"

#include <dirent.h>

#include <sluice/session.h>

#include "automata/automaton.h"
#include "base/ids.h"
#include "base/out.h"

enum { EVENTS_MAX = 400, TEXT_MAX = 1 << 20 };

static void write_text(sl_context *ctx, const sl_automaton *a, sl_bytes *out) {
    sl_bytes_init(out, ctx);
    sl_sink sink = sl_bytes_sink(out);
    sl_assert_ok(sl_automaton_write(a, &sink));
}

/* Everything that a session shows, event by event, as one number. */
static uint64_t trace_of(sl_context *ctx, const sl_automaton *a, sl_status *status) {
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    uint64_t sum = 0;
    sl_assert_ok(sl_model_of_automaton(ctx, a, &model));
    *status = sl_session_create(ctx, model, NULL, &s);
    for (int i = 0; i < EVENTS_MAX && *status == SL_OK && step.reason == SL_REASON_EVENT; i++) {
        *status = sl_session_advance(s, 1e6, SL_STOP_AT_EVENT, &step);
        for (int64_t v = 0; v < sl_session_n_var(s); v++) {
            sl_var_info info = {.size = sizeof info};
            double x[2] = {sl_session_time(s), 0.0};
            sl_assert_ok(sl_session_var(s, (uint32_t)v, &info));
            sl_assert_ok(sl_session_get(s, &info.var, 1, &x[1]));
            uint64_t both[2] = {sum, sl_hash_bytes(x, sizeof x)};
            sum = sl_hash_bytes(both, sizeof both);
        }
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    return sum;
}

static void check_same(sl_context *ctx, const sl_automaton *a) {
    sl_bytes text, again;
    sl_automaton *b = NULL;
    sl_diags *diags = NULL;
    sl_status status_a, status_b;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    write_text(ctx, a, &text);
    sl_status status = sl_automaton_read(ctx, text.at, (size_t)text.n, "written", diags, &b);
    if (status != SL_OK) {
        print_error("%.*s\n%s\n", (int)text.n, text.at, sl_diags_size(diags) ? sl_diags_at(diags, 0)->text : "");
    }
    sl_assert_ok(status);
    assert_true(sl_automaton_hash(a) == sl_automaton_hash(b));
    write_text(ctx, b, &again);
    assert_int_equal(text.n, again.n);
    assert_memory_equal(text.at, again.at, (size_t)text.n);
    assert_true(trace_of(ctx, a, &status_a) == trace_of(ctx, b, &status_b));
    assert_int_equal(status_a, status_b);
    assert_string_equal(sl_automaton_name(a), sl_automaton_name(b));
    for (int kind = 0; kind < SL_AUTOMATON_ELEMENT_COUNT; kind++) {
        int32_t n = sl_automaton_n_element(a, (sl_automaton_element)kind);
        assert_int_equal(n, sl_automaton_n_element(b, (sl_automaton_element)kind));
        for (int32_t i = 0; i < n; i++) {
            assert_string_equal(sl_automaton_symbol(a, (sl_automaton_element)kind, i),
                                sl_automaton_symbol(b, (sl_automaton_element)kind, i));
        }
    }
    sl_bytes_fini(&text);
    sl_bytes_fini(&again);
    sl_automaton_destroy(b);
    sl_diags_destroy(diags);
}

static void examples(void **state) {
    (void)state;
    static char text[TEXT_MAX];
    const char *folder = SL_TEST_SOURCE_DIR "/examples/automata";
    int n_checked = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!strstr(e->d_name, ".yaml") || strcmp(e->d_name, "hanging-twice.yaml") == 0) { /* refused on purpose */
            continue;
        }
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t n = fread(text, 1, sizeof text, file);
        (void)fclose(file);
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        sl_automaton *a = NULL;
        sl_assert_ok(sl_automaton_read(ctx, text, n, e->d_name, NULL, &a));
        check_same(ctx, a);
        sl_automaton_destroy(a);
        sl_test_context_end(ctx, &m);
        n_checked++;
    }
    closedir(dir);
    assert_true(n_checked >= 9);
}

/* What cannot be written is refused where it is added. */
static void without_infinite_tolerance(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_automaton *a = NULL;
    sl_assert_ok(sl_automaton_create(ctx, "a", NULL, &a));
    assert_int_not_equal(sl_automaton_add_continuous(a, "x", 0.0, (double)INFINITY), SL_OK);
    assert_int_equal(sl_automaton_n_continuous(a), 0);
    sl_automaton_destroy(a);
    sl_test_context_end(ctx, &m);
}

/* Names and elements in any order, and everything that can be set. */
static void by_calls(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_automaton *a = NULL;
    sl_assert_ok(
        sl_automaton_create(ctx, "true: a \"name\" # \\ \xC3\xA9\n\x7F\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF", NULL, &a));
    sl_assert_ok(sl_automaton_add_discrete(a, "hot", 2, 0));
    sl_assert_ok(sl_automaton_add_continuous(a, "T", 20.0 / 3.0, 1e-11));
    sl_assert_ok(sl_automaton_add_root(a, NULL, "hot", "T-22", NULL));
    sl_assert_ok(sl_automaton_add_parameter(a, "rate", 0.1 + 0.2));
    sl_assert_ok(sl_automaton_add_activity(a, "cool # down", "der(T)=rate*(10-T)", "hot"));
    sl_assert_ok(
        sl_automaton_add_table(a, "ramp", 3, (const double[]){0, 1.0 / 3.0, 2}, (const double[]){-1e-300, 4, 1e17}));
    sl_assert_ok(sl_automaton_add_shaped_table(a, "held", 2, (const double[]){0, 1}, (const double[]){3, 4},
                                               SL_BETWEEN_HOLD, SL_BEYOND_CONSTANT));
    sl_assert_ok(sl_automaton_add_shaped_table(a, "smoothed", 2, (const double[]){0, 1}, (const double[]){3, 4},
                                               SL_BETWEEN_CUBIC, SL_BEYOND_EXTEND));
    sl_assert_ok(sl_automaton_add_continuous(a, "y", -0.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(a, "", "der(T) = rate * (40 - T)", "!hot"));
    sl_assert_ok(sl_automaton_add_activity(a, NULL, "y = ramp(T/100)", NULL));
    sl_assert_ok(sl_automaton_add_discrete(a, "n", 5, 3));
    sl_assert_ok(sl_automaton_add_transition(a, "count", "der(n) = 1", "hot & n < 4"));
    sl_assert_ok(sl_automaton_add_action(a, "drop", "T", "T - 1", "n == 4"));
    sl_assert_ok(sl_automaton_set_termination(a, SL_TERMINATION_GUARDS, 0));
    sl_assert_ok(sl_automaton_set_conflicts(a, true));
    sl_execution_def run = sl_execution_default();
    run.end = 100.0 / 7.0;
    run.report = 0.1;
    run.rtol = 1e-9;
    run.atol = 1e-7;
    run.root_tol = 3e-11;
    run.max_step = 0.7;
    run.chattering = SL_CHATTERING_HOLD;
    run.max_discrete = 77;
    run.max_round = 7;
    run.max_event = 9;
    run.window = 2e-3;
    run.choices = SL_CHOICES_FIRST;
    sl_assert_ok(sl_automaton_set_run(a, &run));
    sl_assert_ok(sl_automaton_finish(a));
    check_same(ctx, a);
    sl_automaton_destroy(a);
    sl_test_context_end(ctx, &m);
}

static void steps_by_calls(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    for (int kind = 0; kind < 3; kind++) {
        sl_automaton *a = NULL;
        sl_execution_def run = sl_execution_default();
        sl_assert_ok(sl_automaton_create(ctx, "", NULL, &a));
        sl_assert_ok(sl_automaton_add_discrete(a, "q", 3, 1));
        sl_assert_ok(sl_automaton_add_transition(a, NULL, "der(q) = 1", NULL));
        if (kind == 1) {
            sl_assert_ok(sl_automaton_set_termination(a, SL_TERMINATION_STEPS, 5));
        } else if (kind == 2) {
            run.n_step = 0;
            run.relax = true;
        }
        run.choices = SL_CHOICES_ASK;
        sl_assert_ok(sl_automaton_set_run(a, &run));
        sl_assert_ok(sl_automaton_finish(a));
        check_same(ctx, a);
        sl_automaton_destroy(a);
    }
    sl_test_context_end(ctx, &m);
}

/* Another order within a section is another automaton, another order of sections is not. */
static void hashes(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    static const char *const orders[] = {"pqx", "xpq", "qpx"};
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        sl_automaton *a = NULL;
        sl_assert_ok(sl_automaton_create(ctx, "a", NULL, &a));
        for (const char *c = orders[k]; *c; c++) {
            const char name[2] = {*c, 0};
            sl_assert_ok(*c == 'x' ? sl_automaton_add_parameter(a, name, 1.0)
                                   : sl_automaton_add_discrete(a, name, 2, 0));
        }
        sl_assert_ok(sl_automaton_finish(a));
        hash[k] = sl_automaton_hash(a);
        sl_automaton_destroy(a);
    }
    assert_true(hash[0] == hash[1] && hash[0] != hash[2]);
    sl_test_context_end(ctx, &m);
}

/* What differs in anything but symbols is another automaton. */
static void hashes_of_texts(void **state) {
    (void)state;
    static const char *const texts[] = {
        "tables: {f: {x: [0, 1], y: [1, 2]}}\nactivities: [{equation: der(x) = f(x), when: q}]\n",
        "tables: {f: {x: [0, 1], y: [1, 3]}}\nactivities: [{equation: der(x) = f(x), when: q}]\n",
        "tables: {f: {x: [0, 2], y: [1, 2]}}\nactivities: [{equation: der(x) = f(x), when: q}]\n",
        "tables: {f: {x: [0, 1], y: [1, 2]}}\nactivities: [{equation: der(x) = -f(x), when: q}]\n",
        "tables: {f: {x: [0, 1], y: [1, 2]}}\nactivities: [{equation: der(x) = f(x), when: '!q'}]\n",
        "tables: {f: {x: [0, 1], y: [1, 2]}}\nactivities: [{equation: der(x) = f(x), when: q}]\nrest: guards\n",
        "tables: {f: {x: [0, 1], y: [1, 2]}}\nactivities: [{equation: der(x) = f(x), when: q, name: other}]\n"};
    enum { N = sizeof texts / sizeof *texts };
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    uint64_t hash[N];
    for (int k = 0; k < N; k++) {
        char text[256];
        sl_automaton *a = NULL;
        int n = snprintf(text, sizeof text, "automaton: a\ndiscrete: {q: 2}\ncontinuous: {x: 1}\n%s", texts[k]);
        sl_assert_ok(sl_automaton_read(ctx, text, (size_t)n, "a", NULL, &a));
        hash[k] = sl_automaton_hash(a);
        for (int i = 0; i < k; i++) {
            assert_true((hash[i] == hash[k]) == (i == 0 && k == N - 1));
        }
        sl_automaton_destroy(a);
    }
    sl_test_context_end(ctx, &m);
}

static void write_in_short_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    static const char text[] = "automaton: a\ncontinuous: {T: 1}\ntables: {f: {x: [0, 1], y: [1, 2]}}\n"
                               "activities:\n  - {equation: der(T) = f(T), when: [1, 1]}\n";
    sl_automaton *a = NULL;
    sl_bytes out;
    (void)user;
    sl_status status = sl_automaton_read(ctx, text, sizeof text - 1, "a", NULL, &a);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    sl_bytes_init(&out, ctx);
    sl_sink sink = sl_bytes_sink(&out);
    if (a) {
        status = sl_automaton_write(a, &sink);
        assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    }
    sl_bytes_fini(&out);
    sl_automaton_destroy(a);
}

static void memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(write_in_short_memory, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(without_infinite_tolerance),
                                       cmocka_unit_test(by_calls), cmocka_unit_test(steps_by_calls),
                                       cmocka_unit_test(hashes),   cmocka_unit_test(hashes_of_texts),
                                       cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
