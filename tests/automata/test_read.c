/* SPDX-License-Identifier: MIT */
/* Automata from YAML: the examples run as their closed forms say; everything wrong is told with its place. */
#include "automata_test.h"

#include "automata/read.h"
#include "session/session.h"

#include <sluice/automaton.h>
#include <sluice/session.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *m;
} setting;

static sl_status read_text(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    return sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->m);
}

static void end(setting *s) {
    sl_automaton_destroy(s->m);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

static void test_thermostat(void **state) {
    (void)state;
    setting s;
    char *text = automaton_example("thermostat");
    sl_assert_ok(read_text(&s, text));
    assert_string_equal(sl_automaton_name(s.m), "thermostat");
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_var t;
    double x;
    sl_assert_ok(sl_model_from_engine(s.ctx, &sl_hybrid_engine, sl_automaton_model(s.m), &model));
    sl_assert_ok(sl_session_create(s.ctx, model, s.diags, &session));
    sl_assert_ok(sl_session_find(session, "variable.'T'.value", &t));
    sl_assert_ok(sl_session_advance(session, 10.0 * log(20.0 / 18.0) + 1.0, 0, NULL));
    sl_assert_ok(sl_session_get(session, &t, 1, &x));
    sl_assert_rel(x, 10.0 + 12.0 * exp(-0.1), 1e-8);
    sl_session_destroy(session);
    sl_model_destroy(model);
    free(text);
    end(&s);
}

static void test_flower_and_ball(void **state) {
    (void)state;
    setting s;
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    char *text = automaton_example("flower");
    sl_assert_ok(read_text(&s, text));
    const sl_hybrid_model *m = sl_automaton_model(s.m);
    sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
    int n = 0;
    for (; sl_hybrid_next(h, SL_HYBRID_CROSSING, s.diags, &info) == SL_OK && info.event == SL_HYBRID_CROSSING; n++) {
        sl_assert_rel(info.t, (2 * n + 1) * atan(sqrt(5.0)) / sqrt(5.0), 1e-9);
    }
    assert_int_equal(n, 24);
    sl_hybrid_destroy(h);
    free(text);
    end(&s);
    text = automaton_example("ball");
    sl_assert_ok(read_text(&s, text));
    m = sl_automaton_model(s.m);
    sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
    sl_assert_status(sl_hybrid_next(h, SL_HYBRID_STOP, s.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(h), 3.0 * sqrt(2.0 / 9.81), 1e-3);
    sl_hybrid_destroy(h);
    free(text);
    end(&s);
}

/* A mode in which nothing moves but the time, and a table. */
static void test_rest(void **state) {
    (void)state;
    setting s;
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_assert_ok(read_text(&s, "automaton: rest\n"
                               "tables: {speed: {x: [0, 1], y: [2, 4]}}\n"
                               "discrete: {on: 2}\n"
                               "continuous: {x: 0}\n"
                               "activities:\n"
                               "  - {equation: der(x) = speed(x), when: on}\n"
                               "roots:\n"
                               "  - {decides: on, by: t - 3}\n"
                               "run: {end: 3.25, tolerance: 1e-10}\n"));
    const sl_hybrid_model *m = sl_automaton_model(s.m);
    sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_CROSSING, s.diags, &info));
    sl_assert_rel(info.t, 3.0, 1e-12);
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STOP, s.diags, &info));
    sl_assert_abs(sl_hybrid_x(h)[0], exp(0.5) - 1.0, 1e-8); /* x' = 2 + 2 x */
    sl_hybrid_destroy(h);
    end(&s);
}

/* Points as pairs: what does not rise, is no pair or no number is named at its place. */
static void test_points(void **state) {
    (void)state;
    static const struct {
        const char *points;
        sl_code code;
        uint32_t column;
    } cases[] = {{"[[0, 1], [0, 2]]", SL_CODE_VALUE_RANGE, 32},
                 {"[[0, 1], [2]]", SL_CODE_WRONG_TYPE, 31},
                 {"[[0, 1], 2]", SL_CODE_WRONG_TYPE, 31},
                 {"[[0, one]]", SL_CODE_NOT_A_NUMBER, 27}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        char text[160];
        (void)snprintf(text, sizeof text, "automaton: points\ntables: {f: {points: %s}}\n", cases[k].points);
        sl_assert_status(read_text(&s, text), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(s.diags), 1);
        assert_int_equal(sl_diags_at(s.diags, 0)->code, cases[k].code);
        assert_int_equal(sl_diags_at(s.diags, 0)->line, 2);
        assert_int_equal(sl_diags_at(s.diags, 0)->column, cases[k].column);
        end(&s);
    }
}

/* Everything in one pass, with line and column. */
static void test_errors(void **state) {
    (void)state;
    static const uint32_t lines[] = {
        3,  /* states: 0 */
        4,  /* x: two */
        6,  /* der(y) */
        7,  /* a guard of x */
        8,  /* wen */
        10, /* decides: z */
    };
    size_t n_seen = 0;
    setting s;
    sl_assert_status(read_text(&s, "automaton: wrong\n"
                                   "discrete:\n"
                                   "  q: {states: 0}\n"
                                   "continuous: {x: two}\n"
                                   "activities:\n"
                                   "  - {equation: der(x) = der(y)}\n"
                                   "  - {equation: der(x) = 1, when: x > 0}\n"
                                   "  - {equation: der(x) = 1, wen: q}\n"
                                   "roots:\n"
                                   "  - {decides: z, by: x}\n"),
                     SL_ERR_INPUT);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool seen = false;
        for (int32_t k = 0; k < sl_diags_size(s.diags); k++) {
            seen = seen || sl_diags_at(s.diags, k)->line == lines[i];
        }
        n_seen += seen;
    }
    assert_int_equal(n_seen, sizeof lines / sizeof *lines);
    end(&s);
}

/* What is told without a run. */
static void test_facts(void **state) {
    (void)state;
    setting s;
    sl_automaton_facts f = {.size = sizeof f};
    char *text = automaton_example("thermostat");
    sl_assert_ok(read_text(&s, text));
    sl_assert_ok(sl_automaton_check(s.ctx, text, strlen(text), "a.yaml", s.diags, &f));
    assert_int_equal(sl_diags_size(s.diags), 0);
    assert_string_equal(f.deterministic, "proved");
    assert_string_equal(f.zeno_free, "proved");
    assert_int_equal(f.n_activity, 2);
    assert_int_equal(f.n_equation, 1);
    assert_int_equal(f.index, 0);
    assert_string_equal(f.form, "linear, semi-explicit, constant coefficients");
    const char *wrong = "automaton: two\ncontinuous: {x: 0, y: 0}\ndiscrete: {q: 2, unused: 2}\n"
                        "activities:\n  - {name: one, equation: der(x) = y, when: '!q'}\n"
                        "transitions:\n  - {equation: der(q) = 1}\n";
    sl_assert_status(sl_automaton_check(s.ctx, wrong, strlen(wrong), "a.yaml", s.diags, &f), SL_ERR_INPUT);
    assert_string_equal(f.zeno_free, "refuted"); /* q ticks */
    assert_int_equal(f.index, -1);               /* two variables, one equation */
    bool under = false, unused = false;
    for (int32_t k = 0; k < sl_diags_size(s.diags); k++) {
        const sl_diag *d = sl_diags_at(s.diags, k);
        under = under || d->code == SL_CODE_UNDERDETERMINED;
        unused = unused || strstr(d->text, "unused");
    }
    assert_true(under && unused);
    free(text);
    end(&s);
}

/* What newcomers write, and what is said to them. */
static void test_remedies(void **state) {
    (void)state;
    static const struct {
        const char *part, *text, *hint;
    } cases[] = {
        {"activities: [{equation: der(x)}]", "'der(x)' is no equation", "two sides with ="},
        {"activities: [{equation: der(x) >= 2}]", "'der(x) >= 2' is no equation", "two sides with ="},
        {"transitions: [{equation: 1 = 1}]", "'1 = 1' is no equation", "two sides with ="},
        {"activities: [{equation: der(x) = 1, when: x > 0}]",
         "the guard of 'u0' must not hold the continuous variable 'x'", "let a root decide"},
        {"activities: [{equation: der(x) = q}]", "activity 'u0' must not hold the discrete variable 'q'",
         "one element for each"},
        {"activities: [{equation: der(x) = 1, when: []}]", "when: the list of guards is empty", "omit it"},
        {"activities: [{equation: 'der(x) = 1', 2): 3}]", "'2)' is not a key that is known here", "in quotes"},
        {"actions: [{set: x, equation: x = 1}]", "'set' is not a key that is known here",
         "there are name, when, for or equation"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        char text[256];
        (void)snprintf(text, sizeof text, "automaton: a\ndiscrete: {q: 2}\ncontinuous: {x: 1}\n%s\n", cases[k].part);
        sl_assert_status(read_text(&s, text), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(s.diags), 1);
        const sl_diag *d = sl_diags_at(s.diags, 0);
        assert_string_equal(d->text, cases[k].text);
        assert_non_null(strstr(d->hint, cases[k].hint));
        assert_int_equal(d->line, 4);
        end(&s);
    }
}

/* Several derivatives: an error, or the first; transitions that exclude each other: an error, or a choice. */
static void test_choices(void **state) {
    (void)state;
    static const struct {
        const char *equation, *conflicts, *choices;
        sl_code code; /* NONE: it runs */
        int32_t q;
    } cases[] = {{"der(q)^2 = 1", "error", "error", SL_CODE_NONDETERMINISTIC, 0},
                 {"der(q)^2 = 1", "error", "first", SL_CODE_NONE, 0},
                 {"der(q) = 1", "error", "first", SL_CODE_UNSOLVABLE, 0},
                 {"der(q) = 1", "branch", "error", SL_CODE_NONDETERMINISTIC, 0},
                 {"der(q) = 1", "branch", "first", SL_CODE_NONE, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        char text[512];
        sl_model *model = NULL;
        sl_session *session = NULL;
        sl_var v;
        double q;
        (void)snprintf(text, sizeof text,
                       "automaton: choices\n"
                       "discrete: {p: 2, q: {states: 3, start: 1}}\n"
                       "continuous: {x: -1}\n"
                       "activities: [{equation: der(x) = 1}]\n"
                       "roots: [{decides: p, by: x}]\n"
                       "transitions:\n"
                       "  - {equation: %s, when: p & q = 1}\n"
                       "  - {equation: der(q) = -1, when: p & q = 1 & %d}\n"
                       "conflicts: %s\n"
                       "run: {end: 2, choices: %s}\n",
                       cases[k].equation, k > 1, cases[k].conflicts, cases[k].choices);
        sl_assert_ok(read_text(&s, text));
        sl_automaton_facts facts = {.size = sizeof facts};
        sl_assert_status(sl_automaton_examine(s.m, s.diags, &facts),
                         cases[k].code == SL_CODE_NONE ? SL_OK : SL_ERR_INPUT);
        assert_string_equal(facts.deterministic, "refuted");
        sl_assert_ok(sl_model_of_automaton(s.ctx, s.m, &model));
        sl_assert_ok(sl_session_create(s.ctx, model, s.diags, &session));
        sl_assert_ok(sl_session_find(session, "discrete.'q'.state", &v));
        sl_status status = sl_session_advance(session, INFINITY, 0, NULL);
        if (cases[k].code == SL_CODE_NONE) {
            sl_assert_ok(status);
            sl_assert_ok(sl_session_get(session, &v, 1, &q));
            sl_assert_double(q, cases[k].q);
        } else {
            sl_assert_status(status, SL_ERR_SOLVE);
            assert_int_equal(sl_diags_at(sl_session_diags(session), 0)->code, cases[k].code);
        }
        sl_session_destroy(session);
        sl_model_destroy(model);
        end(&s);
    }
}

static sl_status to_block(void *user, const void *bytes, size_t n) {
    char **at = user;
    memcpy(*at, bytes, n);
    *at += n;
    return SL_OK;
}

/* A text and the calls that it stands for make the same automaton: states go from one to the other. */
static void test_text_equals_calls(void **state) {
    (void)state;
    setting s;
    sl_automaton *built = NULL;
    sl_execution *e = NULL, *other = NULL;
    sl_assert_ok(read_text(&s, "automaton: one\n"
                               "parameters: {rate: 0.5}\n"
                               "discrete: {low: {states: 2, start: 1}}\n"
                               "continuous: {x: 1}\n"
                               "activities:\n"
                               "  - {name: a, equation: der(x) = -rate*x}\n"
                               "roots: [{decides: low, by: 0.2 - x}]\n"
                               "run: {end: 20}\n"));
    sl_assert_ok(sl_automaton_create(s.ctx, "two", s.diags, &built));
    sl_assert_ok(sl_automaton_add_parameter(built, "rate", 0.5));
    sl_assert_ok(sl_automaton_add_discrete(built, "low", 2, 1));
    sl_assert_ok(sl_automaton_add_continuous(built, "x", 1.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(built, "b", "der(x) = -rate*x", NULL));
    sl_assert_ok(sl_automaton_add_root(built, NULL, "low", "0.2 - x", NULL));
    sl_assert_ok(sl_automaton_finish(built));
    sl_execution_def def = {.size = sizeof def};
    sl_assert_ok(sl_automaton_get_run(s.m, &def));
    sl_assert_double(def.end, 20.0);
    sl_assert_ok(sl_execution_create(s.m, NULL, s.diags, &e));
    sl_assert_ok(sl_execution_create(built, &def, s.diags, &other));
    sl_assert_ok(sl_execution_next(e, SL_EVENT_CROSSING, NULL));
    sl_assert_rel(sl_execution_time(e), 2.0 * log(5.0), 1e-5);
    char bytes[4096], *at = bytes;
    sl_sink sink = {&at, to_block};
    sl_assert_ok(sl_execution_save(e, &sink));
    sl_assert_ok(sl_execution_restore(other, bytes, (size_t)(at - bytes)));
    sl_assert_ok(sl_execution_next(e, SL_EVENT_STOP, NULL));
    sl_assert_ok(sl_execution_next(other, SL_EVENT_STOP, NULL));
    sl_assert_bits(sl_execution_values(other)[0], sl_execution_values(e)[0]);
    sl_execution_destroy(other);
    def.rtol = 1e-5; /* another definition: not this one's state */
    sl_assert_ok(sl_execution_create(built, &def, s.diags, &other));
    sl_assert_status(sl_execution_restore(other, bytes, (size_t)(at - bytes)), SL_ERR_INPUT);
    sl_execution_destroy(other);
    sl_execution_destroy(e);
    sl_automaton_destroy(built);
    end(&s);
}

static void read_once(sl_context *ctx, sl_test_memory *memory, void *user) {
    sl_automaton *m = NULL;
    sl_status status = sl_automaton_read(ctx, user, strlen(user), "a.yaml", NULL, &m);
    assert_int_equal(status, memory->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_automaton_destroy(m);
}

static void test_memory_short(void **state) {
    (void)state;
    char *text = automaton_example("ball");
    assert_true(sl_test_sweep(read_once, text) > 20);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thermostat),
                                       cmocka_unit_test(test_flower_and_ball),
                                       cmocka_unit_test(test_rest),
                                       cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_facts),
                                       cmocka_unit_test(test_remedies),
                                       cmocka_unit_test(test_choices),
                                       cmocka_unit_test(test_text_equals_calls),
                                       cmocka_unit_test(test_memory_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
