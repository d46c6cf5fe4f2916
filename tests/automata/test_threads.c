/* SPDX-License-Identifier: MIT */
/* test_threads.c: a finished automaton is const: many threads execute and examine one at once, and every one gets the bits that
 * it gets alone. Every automaton of examples/ is taken. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "automata/explain.h"
#include "base/ids.h"
#include <sluice/sluice.h>

#include <pthread.h>
#include <stdio.h>

enum { N_THREAD = 16, N_ROUND = 3, MAX_PIECE = 2000 };

static const char *const examples[] = {"ball",    "counting",  "delay",      "flower",     "nondeterministic",
                                       "ticker",  "two-tanks", "unsolvable", "thermostat", "hanging-mass",
                                       "pendulum"};

static void hash(uint64_t *h, const void *bytes, size_t n) {
    uint64_t both[2] = {*h, sl_hash_bytes(bytes, n)};
    *h = sl_hash_bytes(both, sizeof both);
}

static sl_status to_hash(void *user, const void *bytes, size_t n) {
    hash(user, bytes, n);
    return SL_OK;
}

/* Every piece of an execution with its values, as one number; where there are several ways the first is taken. */
static uint64_t execute(const sl_automaton *a, double scale) {
    uint64_t h = 0;
    size_t n_x = (size_t)sl_automaton_n_continuous(a), n_q = (size_t)sl_automaton_n_discrete(a);
    sl_execution *e = NULL;
    sl_execution_info at = {.size = sizeof at};
    sl_execution_def def = sl_execution_default();
    (void)sl_automaton_get_run(a, &def);
    def.choices = SL_CHOICES_FIRST;
    sl_status status = sl_execution_create(a, &def, NULL, &e);
    if (status == SL_OK && scale != 1.0 && n_x > 0 && n_x <= 64) { /* from other values: other modes come first */
        double x[64];
        for (size_t i = 0; i < n_x; i++) {
            x[i] = scale * sl_execution_values(e)[i];
        }
        status = sl_execution_reset(e, 0.0, x, NULL);
    }
    for (int k = 0; k < MAX_PIECE && status == SL_OK && at.event != SL_EVENT_STOP; k++) {
        status = sl_execution_next(e, SL_EVENT_ANY, &at);
        hash(&h, &at, sizeof at);
        hash(&h, sl_execution_values(e), n_x * sizeof(double));
        hash(&h, sl_execution_derivatives(e), n_x * sizeof(double));
        hash(&h, sl_execution_states(e), n_q * sizeof(int32_t));
    }
    hash(&h, &status, sizeof status);
    sl_execution_destroy(e);
    return h;
}

/* What is written about an automaton: formulas, verdicts, equations in force. */
static uint64_t examine(const sl_automaton *a) {
    uint64_t h = 0;
    sl_sink sink = {&h, to_hash};
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_explain_def def = {.form = SL_EXPLAIN_TEXT, .name = "a"};
    sl_structure structure = {.size = sizeof structure};
    sl_status status[3] = {sl_automaton_examine(a, NULL, &facts), sl_sha_explain(sl_automaton_get(a), &def, &sink),
                           sl_automaton_structure(a, NULL, NULL, NULL, NULL, &structure)};
    hash(&h, status, sizeof status);
    hash(&h, facts.zeno_free, strlen(facts.zeno_free));
    for (int kind = 0; kind < SL_AUTOMATON_ELEMENT_COUNT; kind++) {
        for (int32_t i = 0; i < sl_automaton_n_element(a, (sl_automaton_element)kind); i++) {
            (void)sl_automaton_write_formula(a, (sl_automaton_element)kind, i, SL_FORMULA_LATEX, &sink);
            (void)sl_automaton_write_guard(a, (sl_automaton_element)kind, i, SL_FORMULA_TEXT, &sink);
        }
    }
    return h;
}

typedef struct worker {
    pthread_t thread;
    const sl_automaton *a;
    int k;
    uint64_t execution[N_ROUND], text[N_ROUND];
} worker;

static void *work(void *user) {
    worker *w = user;
    for (int round = 0; round < N_ROUND; round++) {
        if ((w->k + round) % 2) {
            (void)execute(w->a, 1.0 + 0.01 * w->k);
        }
        w->execution[round] = execute(w->a, 1.0);
        w->text[round] = (w->k + round) % 4 == 0 ? examine(w->a) : 0;
    }
    return NULL;
}

static sl_automaton *read_example(sl_context *ctx, const char *name) {
    char path[500], text[20000];
    snprintf(path, sizeof path, "%s/examples/automata/%s.yaml", SL_TEST_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_true(n > 0 && n < sizeof text);
    sl_automaton *a = NULL;
    sl_assert_ok(sl_automaton_read(ctx, text, n, name, NULL, &a));
    return a;
}

static void test_many_threads_one_automaton(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sl_test_memory memory = {0};
        sl_context *ctx = sl_test_context(&memory);
        sl_automaton *alone = read_example(ctx, examples[k]), *shared = read_example(ctx, examples[k]);
        int32_t n_node = sl_exprs_count(sl_sha_graph(sl_automaton_get(shared)));
        uint64_t execution = execute(alone, 1.0), text = examine(alone);
        worker workers[N_THREAD];
        for (int i = 0; i < N_THREAD; i++) {
            workers[i] = (worker){.a = shared, .k = i};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < N_THREAD; i++) {
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        }
        for (int i = 0; i < N_THREAD; i++) {
            for (int round = 0; round < N_ROUND; round++) {
                assert_true(workers[i].execution[round] == execution);
                assert_true(workers[i].text[round] == 0 || workers[i].text[round] == text);
            }
        }
        assert_int_equal(sl_exprs_count(sl_sha_graph(sl_automaton_get(shared))), n_node); /* nobody made nodes in it */
        sl_automaton_destroy(alone);
        sl_automaton_destroy(shared);
        sl_test_context_end(ctx, &memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_threads_one_automaton)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
