/* SPDX-License-Identifier: MIT */
/* Verdicts at states and sets of states: definitions 3.1.4 to 3.1.6 are local. */
#include "sl_test.h"

#include <sluice/automaton.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
} setting;

static void begin(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_assert_ok(sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->a));
}
static void end(setting *s) {
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

typedef struct local {
    int q, t;
    const char *condition, *solvable, *deterministic, *zeno_free;
    int n_state, n_zeno;
} local;

static void expect(const char *text, int n, const local *cases) {
    setting s;
    begin(&s, text);
    for (int i = 0; i < n; i++) {
        const local *k = &cases[i];
        int32_t states[3] = {k->q, -1, -1};
        sl_automaton_where where = sl_automaton_where_default();
        sl_automaton_facts f = {.size = sizeof f};
        where.states = states;
        where.condition = k->condition;
        where.t = k->t;
        sl_status status = sl_automaton_examine_at(s.a, &where, s.diags, &f);
        assert_true(status == SL_OK || status == SL_ERR_INPUT);
        if (strcmp(f.deterministic, k->deterministic) != 0 || f.n_zeno != k->n_zeno || f.n_state != k->n_state) {
            print_error("case %d: %s, %s, %d states, %d zeno\n", i, f.deterministic, f.zeno_free, (int)f.n_state,
                        (int)f.n_zeno);
        }
        sl_assert_z(f.solvable, k->solvable);
        sl_assert_z(f.deterministic, k->deterministic);
        sl_assert_z(f.zeno_free, k->zeno_free);
        assert_int_equal(f.n_state, k->n_state);
        assert_int_equal(f.n_zeno, k->n_zeno);
    }
    end(&s);
}
#define EXPECT(text, cases) expect(text, (int)(sizeof(cases) / sizeof *(cases)), cases)

/* Examples 3.1.4 and 3.1.5: unsolvable for t > 0 only; nondeterministic at 1, deterministic at 0. */
static void the_examples(void **state) {
    (void)state;
    static const local unsolvable[] = {{-1, -1, NULL, "refuted", "refuted", "proved", 2, 0},
                                       {-1, 0, NULL, "proved", "proved", "proved", 2, 0},
                                       {-1, 1, NULL, "refuted", "refuted", "proved", 2, 0},
                                       {1, 7, NULL, "refuted", "refuted", "proved", 1, 0}};
    EXPECT("automaton: a\ndiscrete: {q: 2}\ntransitions:\n  - equation: der(q) = 1\n"
           "  - {equation: der(q) = 0, when: t > 0}\n",
           unsolvable);
    static const local nondeterministic[] = {{-1, -1, NULL, "proved", "refuted", "proved", 2, 0},
                                             {0, -1, NULL, "proved", "proved", "proved", 1, 0},
                                             {1, -1, NULL, "proved", "refuted", "proved", 1, 0},
                                             {-1, -1, "!q", "proved", "proved", "proved", 1, 0}};
    EXPECT("automaton: a\ndiscrete: {q: 2}\ntransitions:\n  - equation: der(q)^2 = q\n", nondeterministic);
}

/* Up to 3 and at rest, or round from 4 on: zeno are the states from 4 on; r doubles them without a part in it. */
static void zeno_from_some_states(void **state) {
    (void)state;
    static const local cases[] = {{-1, -1, NULL, "proved", "proved", "refuted", 24, 8},
                                  {3, -1, NULL, "proved", "proved", "proved", 2, 0},
                                  {5, -1, NULL, "proved", "proved", "refuted", 2, 2},
                                  {-1, -1, "q > 3", "proved", "proved", "refuted", 16, 8},
                                  {-1, -1, "q < 2 | q = 3", "proved", "proved", "proved", 6, 0},
                                  {-1, -1, "mod(q, 2) = 1 & r", "proved", "proved", "refuted", 6, 2},
                                  {-1, -1, "q < 0", "proved", "proved", "proved", 0, 0}};
    static const char text[] = "automaton: a\ndiscrete: {q: 12, r: 2}\ntransitions:\n"
                               "  - {equation: der(q) = 1, when: q < 3}\n"
                               "  - {equation: der(q) = 1, when: q > 3 & q < 7}\n"
                               "  - {equation: der(q) = -3, when: q = 7}\n";
    EXPECT(text, cases);
}

/* Executions that begin later: up while t < 3 only. */
static void at_a_time(void **state) {
    (void)state;
    static const local cases[] = {
        {0, -1, NULL, "proved", "proved", "refuted", 1, 1}, {0, 2, NULL, "proved", "proved", "refuted", 1, 1},
        {0, 3, NULL, "proved", "proved", "proved", 1, 0},   {4, 2, NULL, "proved", "proved", "proved", 1, 0},
        {2, 2, NULL, "proved", "proved", "refuted", 1, 1},  {2, 0, NULL, "proved", "proved", "proved", 1, 0}};
    EXPECT("automaton: a\ndiscrete: {q: 5}\ntransitions:\n"
           "  - {equation: der(q) = 1, when: t < 3 & q < 4}\n"
           "  - {equation: 'der(q) = if(q = 3, -2, 1)', when: t >= 3 & (q = 3 | q = 1 | q = 2)}\n",
           cases);
}

/* Twice up and once back, for ever, if it begins in step with t modulo 3. */
static void at_a_time_of_a_period(void **state) {
    (void)state;
    static const local cases[] = {
        {0, 0, NULL, "proved", "proved", "proved", 1, 0}, {0, 1, NULL, "proved", "proved", "refuted", 1, 1},
        {0, 6, NULL, "proved", "proved", "proved", 1, 0}, {0, 7, NULL, "proved", "proved", "refuted", 1, 1},
        {0, 8, NULL, "proved", "proved", "proved", 1, 0}, {2, 9, NULL, "proved", "proved", "refuted", 1, 1}};
    EXPECT("automaton: a\ndiscrete: {q: 5}\ntransitions:\n"
           "  - {equation: der(q) = 1, when: 'mod(t, 3) != 0 & q < 4'}\n"
           "  - {equation: der(q) = -2, when: 'mod(t, 3) = 0 & q = 2'}\n",
           cases);
}

/* Too many states to be visited: those of a small set are followed. Forty counters, each after the one before it; a wheel turns for
 * ever once all of them are up. */
static void of_many_variables(void **state) {
    (void)state;
    enum { N = 40 };
    setting s = {0};
    char name[16], guard[64];
    s.ctx = sl_test_context(&s.memory);
    sl_assert_ok(sl_diags_create(s.ctx, &s.diags));
    sl_assert_ok(sl_automaton_create(s.ctx, "many", s.diags, &s.a));
    for (int i = 0; i < N; i++) {
        (void)sprintf(name, "q%d", i);
        (void)sl_automaton_add_discrete(s.a, name, 3, 0);
    }
    (void)sl_automaton_add_discrete(s.a, "go", 2, 0);
    (void)sl_automaton_add_discrete(s.a, "wheel", 3, 0);
    for (int i = 0; i < N; i++) {
        char equation[64];
        (void)sprintf(equation, "der(q%d) = 1", i);
        (void)sprintf(guard, i ? "q%d < 2 & q%d = 2" : "q%d < 2 & go", i, i - 1);
        (void)sl_automaton_add_transition(s.a, "", equation, guard);
    }
    (void)sprintf(guard, "q%d = 2", N - 1);
    (void)sl_automaton_add_transition(s.a, "wheel", "der(wheel) = 1", guard);
    sl_assert_ok(sl_automaton_finish(s.a));
    int32_t states[N + 2] = {0};
    sl_automaton_where where = sl_automaton_where_default();
    sl_automaton_facts f = {.size = sizeof f};
    where.states = states;
    sl_assert_ok(sl_automaton_examine_at(s.a, &where, s.diags, &f)); /* nothing goes */
    sl_assert_z(f.zeno_free, "proved");
    assert_int_equal(f.bound, 0);
    states[N] = 1;
    sl_assert_status(sl_automaton_examine_at(s.a, &where, s.diags, &f), SL_ERR_INPUT);
    sl_assert_z(f.zeno_free, "refuted");
    sl_assert_z(f.deterministic, "proved");
    assert_int_equal(f.n_zeno, 1);
    states[N] = -1;
    states[N + 1] = -1;
    sl_assert_status(sl_automaton_examine_at(s.a, &where, s.diags, &f), SL_ERR_INPUT);
    assert_int_equal(f.n_state, 6);
    assert_int_equal(f.n_zeno, 3);
    end(&s);
}

static void what_is_no_set(void **state) {
    (void)state;
    setting s;
    begin(&s, "automaton: a\ndiscrete: {q: 3}\ncontinuous: {x: 1}\nactivities:\n  - equation: der(x) = 1\n");
    sl_automaton_facts f = {.size = sizeof f};
    sl_automaton_where where = sl_automaton_where_default();
    const int32_t beyond[] = {3};
    static const char *const wrong[] = {"q = ", "p = 1", "x > 0", "t > 1", "der(q) = 1"};
    where.states = beyond;
    sl_assert_status(sl_automaton_examine_at(s.a, &where, s.diags, &f), SL_ERR_USE);
    where.states = NULL;
    where.t = -2;
    sl_assert_status(sl_automaton_examine_at(s.a, &where, s.diags, &f), SL_ERR_USE);
    where.t = -1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t before = sl_diags_count(s.diags, SL_ERROR);
        where.condition = wrong[i];
        sl_assert_status(sl_automaton_examine_at(s.a, &where, s.diags, &f), SL_ERR_INPUT);
        assert_int_equal(sl_diags_count(s.diags, SL_ERROR), before + 1);
    }
    end(&s);
}

static bool stop(void *user, const sl_progress *progress) {
    (void)progress;
    return ++*(int *)user < 3;
}

/* A million states are visited, and a stop is heard. */
static void a_million_states_can_be_stopped(void **state) {
    (void)state;
    int n_report = 0;
    sl_context_def def = sl_context_default();
    sl_context *ctx;
    sl_automaton *a;
    sl_automaton_facts f = {.size = sizeof f};
    def.progress = stop;
    def.progress_user = &n_report;
    sl_assert_ok(sl_context_create(&def, &ctx));
    sl_assert_ok(sl_automaton_create(ctx, "many", NULL, &a));
    for (int i = 0; i < 20; i++) {
        char name[16];
        (void)sprintf(name, "q%d", i);
        (void)sl_automaton_add_discrete(a, name, 2, 0);
    }
    for (int i = 0; i < 20; i++) { /* a ring: forms do not decide */
        char equation[64], guard[64];
        (void)sprintf(equation, "der(q%d) = 1", i);
        (void)sprintf(guard, "!q%d & q%d & q%d", i, (i + 1) % 20, (i + 7) % 20);
        (void)sl_automaton_add_transition(a, "", equation, guard);
    }
    sl_assert_ok(sl_automaton_finish(a));
    sl_assert_status(sl_automaton_examine(a, NULL, &f), SL_ERR_CANCELLED);
    assert_int_equal(n_report, 3);
    n_report = -1000000000;
    sl_assert_ok(sl_automaton_examine(a, NULL, &f));
    sl_assert_z(f.zeno_free, "proved");
    assert_in_range(f.bound, 2, 20);
    sl_automaton_destroy(a);
    sl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples),
        cmocka_unit_test(zeno_from_some_states),
        cmocka_unit_test(at_a_time),
        cmocka_unit_test(at_a_time_of_a_period),
        cmocka_unit_test(of_many_variables),
        cmocka_unit_test(what_is_no_set),
        cmocka_unit_test(a_million_states_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
