/* SPDX-License-Identifier: MIT */
/* Arrays and loops of automata: what runs as a loop is, bit by bit, what runs cell by cell: trajectories, derivatives, saved states. And
 * where a loop must be differentiated, or bends, it is taken apart. Then texts, pages, and what is refused. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "base/out.h"
#include "hybrid/hybrid.h"

#include <math.h>
#include <string.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_hybrid *h;
} setting;

static void begin(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_status status = sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->a);
    if (status != SL_OK) {
        print_error("%s\n%s\n", text, sl_diags_at(s->diags, 0)->text);
    }
    sl_assert_ok(status);
    const sl_hybrid_model *m = sl_automaton_model(s->a);
    sl_assert_ok(sl_hybrid_create(s->ctx, m->ops, m->model, &m->def, s->diags, &s->h));
}

static void end(setting *s) {
    sl_hybrid_destroy(s->h);
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

/* ---- A loop, and its cells one by one ------------------------------------------------------------ */

typedef struct line {
    int first, last; /* 0, -1: no loop */
    const char *text;
} line;

typedef struct model {
    const char *name, *head, *run;
    line activities[8], actions[4];
    bool same_bits; /* else to tolerance: cells by themselves are solved for by their form */
    bool is_apart;  /* as a loop it is taken apart */
} model;

static char text[200000];

static void add_lines(const char *key, const line *lines, bool by_cells) {
    bool any = lines[0].text != NULL;
    size_t at = strlen(text);
    if (any) {
        at += (size_t)sl_format(text + at, sizeof text - at, "%s:\n", key);
    }
    for (; lines->text; lines++) {
        for (int k = lines->first; k <= lines->last || lines->last < lines->first; k++) {
            const char *begins = "";
            char range[64] = "";
            if (lines->last >= lines->first) {
                (void)sl_format(range, sizeof range, "for: 'i in %d..%d', ", by_cells ? k : lines->first,
                                by_cells ? k : lines->last);
                begins = range;
            }
            at += (size_t)sl_format(text + at, sizeof text - at, "  - {%s%s}\n", begins, lines->text);
            if (!by_cells || lines->last < lines->first) {
                break;
            }
        }
    }
}

static const char *text_of(const model *m, bool by_cells) {
    (void)sl_format(text, sizeof text, "sluice: automaton/1\nautomaton: a\n%s", m->head);
    add_lines("activities", m->activities, by_cells);
    add_lines("actions", m->actions, by_cells);
    size_t at = strlen(text);
    (void)sl_format(text + at, sizeof text - at, "run: %s\n", m->run);
    return text;
}

static const model models[] = {
    {.name = "tube",
     .head = "parameters: {c: 1e3, r: 0.04, N: 60}\ncontinuous:\n  p[1..N]: 1\n  q[1..N]: 0\n",
     .activities = {{1, 59, "equation: 'der(p[i]) = c*(q[i] - q[i+1])'"},
                    {0, -1, "equation: 'der(p[N]) = c*q[N] - 0.1*p[N]'"},
                    {2, 60, "equation: 'der(q[i]) = p[i-1] - p[i] - friction_gradient(q[i], 1000, r, 0.1)'"},
                    {0, -1, "equation: 'der(q[1]) = 2 + sin(5*t) - p[1]'"}},
     .run = "{end: 3, tolerance: 1e-8}",
     .same_bits = true},
    {.name = "indices and arrays of parameters",
     .head = "parameters:\n  d[0..4]: [1, 2, 3, 4, 5]\n  e[0..4]: 0.5\ncontinuous:\n  x[0..4]: [5, 4, 3, 2, 1]\n",
     .activities = {{0, 4, "equation: 'der(x[i])*(1 + e[i]) = -d[i]*x[i] + i^2*x[2] + t*(i - 0.5)'"}},
     .run = "{end: 2, tolerance: 1e-9}"}, /* x[i] and x[2] are one in a cell: their derivatives are added later */
    {.name = "implicit, with guards",
     .head = "discrete: {on: 2}\nroots: [{decides: on, by: 't - 1'}]\ncontinuous:\n  x[1..9]: 1\n",
     .activities = {{1, 8, "equation: 'der(x[i]) + 0.1*der(x[i+1])^3 = x[i+1] - x[i]', when: '!on'"},
                    {0, -1, "equation: 'der(x[9]) = -x[9]', when: '!on'"},
                    {1, 9, "equation: 'der(x[i]) = 1 - x[i]', when: on"}},
     .actions = {{2, 9, "set: 'x[i]', to: 'x[i-1] + i', when: on"}},
     .run = "{end: 2, tolerance: 1e-9}"}, /* alone the last ones share nothing, and move by themselves */
    {.name = "algebraic arrays",
     .head = "parameters: {N: 30}\ncontinuous:\n  x[1..N]: 1\n  f[0..N]: 0\n",
     .activities = {{1, 30, "equation: 'der(x[i]) = f[i-1] - f[i]'"},
                    {1, 29, "equation: 'f[i]^3 + f[i] = x[i] - x[i+1]'"},
                    {0, -1, "equation: 'f[0] = sin(t)'"},
                    {0, -1, "equation: 'f[N] = x[N]'"}},
     .run = "{end: 2, tolerance: 1e-9}"},
    {.name = "rigid masses: index 3",
     .head = "parameters: {N: 12}\ncontinuous:\n  x[1..N]: 0\n  v[1..N]: 0\n  f[0..N]: 0\n",
     .activities = {{1, 12, "equation: 'der(x[i]) = v[i]'"},
                    {1, 12, "equation: 'i*der(v[i]) = f[i-1] - f[i]'"},
                    {1, 11, "equation: 'x[i+1] = x[i]'"},
                    {0, -1, "equation: 'f[0] = cos(t)'"},
                    {0, -1, "equation: 'f[N] = x[N]'"}},
     .run = "{end: 2, tolerance: 1e-9}",
     .same_bits = true},
    {.name = "kinks",
     .head = "continuous:\n  q[1..6]: [1, -1, 2, -2, 3, 0.5]\n",
     .activities = {{1, 6,
                     "equation: 'der(q[i]) = sin(3*t) - q[i]*abs(q[i])*i - stop_force(q[i] - 0.3, cos(4*t), 1, 2)'"}},
     .run = "{end: 2, tolerance: 1e-8}",
     .same_bits = true,
     .is_apart = true},
    {.name = "other steps than one",
     .head = "continuous:\n  x[1..8]: [1, 2, 3, 4, 5, 6, 7, 8]\n",
     .activities = {{1, 4, "equation: 'der(x[2*i]) = x[9-i] - x[2*i]'"}, {1, 4, "equation: 'der(x[2*i-1]) = -x[i]'"}},
     .run = "{end: 2, tolerance: 1e-8}",
     .same_bits = true,
     .is_apart = true},
    {.name = "guesses",
     .head = "continuous:\n  x[1..5]: {fixed: [1, 2, 3, 4, 5]}\n  y[1..5]: {guess: 1}\n",
     .activities = {{1, 5, "equation: 'der(x[i]) = -y[i]'"}, {1, 5, "equation: 'y[i]^3 = x[i]'"}},
     .run = "{end: 0.5, tolerance: 1e-9}"},
};

static void run_to_stop(setting *s) {
    sl_hybrid_info info;
    sl_status status = sl_hybrid_next(s->h, SL_HYBRID_STOP, s->diags, &info);
    if (status != SL_OK) {
        print_error("%s\n", sl_diags_at(s->diags, sl_diags_size(s->diags) - 1)->text);
    }
    sl_assert_ok(status);
}

static void loops_are_their_cells(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        const model *m = &models[k];
        setting loop, cells;
        begin(&loop, text_of(m, false));
        begin(&cells, text_of(m, true));
        int32_t n = sl_automaton_n_continuous(loop.a);
        assert_int_equal(n, sl_automaton_n_continuous(cells.a));
        int32_t n_loop = sl_automaton_n_element(loop.a, SL_AUTOMATON_ACTIVITY),
                n_cells = sl_automaton_n_element(cells.a, SL_AUTOMATON_ACTIVITY);
        assert_true(m->is_apart ? n_loop == n_cells : n_loop < n_cells);
        run_to_stop(&loop);
        run_to_stop(&cells);
        for (int32_t j = 0; j < n; j++) {
            sl_str a = sl_automaton_continuous_name(loop.a, j), b = sl_automaton_continuous_name(cells.a, j);
            assert_true(sl_str_equal(a, b));
            assert_int_equal(sl_automaton_find_continuous(loop.a, a.ptr), j);
            double x = sl_hybrid_x(loop.h)[j], y = sl_hybrid_x(cells.h)[j];
            bool fine = m->same_bits ? memcmp(&x, &y, sizeof x) == 0 : fabs(x - y) <= 1e-6 * (1.0 + fabs(y));
            if (!fine) {
                fail_msg("%s: %s is %.17g as a loop and %.17g alone", m->name, a.ptr, x, y);
            }
        }
        end(&loop);
        end(&cells);
    }
}

/* Saved in the middle of motion and restored elsewhere; a copy: the same bits at the end. */
static void saved_states(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        setting s, other;
        begin(&s, text_of(&models[k], false));
        begin(&other, text_of(&models[k], false));
        sl_hybrid_info info;
        for (int i = 0; i < 20; i++) {
            sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_STEP | SL_HYBRID_STOP, s.diags, &info));
        }
        size_t n = sl_hybrid_save_size(s.h);
        void *saved = malloc(n);
        sl_hybrid *copy = NULL;
        sl_hybrid_save(s.h, saved);
        sl_assert_ok(sl_hybrid_copy(s.h, s.diags, &copy));
        sl_assert_ok(sl_hybrid_restore(other.h, saved, n, other.diags));
        run_to_stop(&s);
        run_to_stop(&other);
        sl_assert_ok(sl_hybrid_next(copy, SL_HYBRID_STOP, s.diags, &info));
        size_t bytes = (size_t)sl_automaton_n_continuous(s.a) * sizeof(double);
        assert_memory_equal(sl_hybrid_x(s.h), sl_hybrid_x(other.h), bytes);
        assert_memory_equal(sl_hybrid_x(s.h), sl_hybrid_x(copy), bytes);
        assert_memory_equal(sl_hybrid_dx(s.h), sl_hybrid_dx(other.h), bytes);
        sl_hybrid_destroy(copy);
        free(saved);
        end(&s);
        end(&other);
    }
}

/* ---- Structure ---------------------------------------------------------------------------------- */

static sl_structure structure_of(setting *s) {
    sl_structure found = {.size = sizeof found};
    sl_assert_ok(sl_automaton_structure(s->a, NULL, NULL, NULL, s->diags, &found));
    return found;
}

static void structures(void **state) {
    (void)state;
    setting s;
    begin(&s, text_of(&models[0], false));
    sl_structure found = structure_of(&s);
    assert_int_equal(found.n_equation, 120);
    assert_int_equal(found.n_state, 120);
    assert_int_equal(found.index, 0);
    end(&s);
    begin(&s, text_of(&models[3], false));
    found = structure_of(&s);
    assert_int_equal(found.n_equation, 61);
    assert_int_equal(found.index, 1);
    assert_int_equal(found.n_unknown, 61); /* the loop is kept: nothing is solved for by its form */
    end(&s);
    begin(&s, text_of(&models[4], false)); /* one rigid body */
    found = structure_of(&s);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_free, 2);
    assert_int_equal(found.n_state, 2);
    end(&s);
}

/* A closed form: a string of N masses between walls swings in its first mode. */
static void string_swings(void **state) {
    (void)state;
    enum { N = 40 };
    char all[4000];
    size_t at = (size_t)sl_format(all, sizeof all, "automaton: a\ncontinuous:\n  x[1..%d]: [", N);
    for (int i = 1; i <= N; i++) {
        at += (size_t)sl_format(all + at, sizeof all - at, "%s%.17g", i > 1 ? ", " : "", sin(acos(-1.0) * i / (N + 1)));
    }
    (void)sl_format(all + at, sizeof all - at,
                    "]\n  v[1..%d]: 0\nactivities:\n"
                    "  - {for: i in 1..%d, equation: 'der(x[i]) = v[i]'}\n"
                    "  - {for: i in 2..%d, equation: 'der(v[i]) = x[i-1] - 2*x[i] + x[i+1]'}\n"
                    "  - {equation: 'der(v[1]) = x[2] - 2*x[1]'}\n"
                    "  - {equation: 'der(v[%d]) = x[%d] - 2*x[%d]'}\n"
                    "run: {end: 50, tolerance: 1e-10}\n",
                    N, N, N - 1, N, N - 1, N);
    setting s;
    begin(&s, all);
    run_to_stop(&s);
    double omega = 2.0 * sin(acos(-1.0) / (2.0 * (N + 1)));
    for (int i = 1; i <= N; i++) {
        double x = sin(acos(-1.0) * i / (N + 1)) * cos(omega * 50.0);
        assert_true(fabs(sl_hybrid_x(s.h)[i - 1] - x) < 1e-7);
    }
    end(&s);
}

/* ---- Texts -------------------------------------------------------------------------------------- */

static sl_bytes written(setting *s, const sl_automaton *a) {
    sl_bytes out;
    sl_bytes_init(&out, s->ctx);
    sl_sink sink = sl_bytes_sink(&out);
    sl_assert_ok(sl_automaton_write(a, &sink));
    return out;
}

static void written_and_read(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        setting s;
        begin(&s, text_of(&models[k], false));
        sl_automaton *b = NULL;
        sl_bytes once = written(&s, s.a);
        sl_assert_ok(sl_automaton_read(s.ctx, once.at, (size_t)once.n, "written", s.diags, &b));
        sl_bytes twice = written(&s, b);
        assert_int_equal(once.n, twice.n);
        assert_memory_equal(once.at, twice.at, (size_t)once.n);
        assert_true(sl_automaton_hash(s.a) == sl_automaton_hash(b));
        sl_bytes_fini(&once);
        sl_bytes_fini(&twice);
        sl_automaton_destroy(b);
        end(&s);
    }
}

/* The same by calls. */
static void by_calls(void **state) {
    (void)state;
    setting s;
    begin(&s, text_of(&models[1], false));
    sl_automaton *a = NULL;
    const double d[] = {1, 2, 3, 4, 5}, x[] = {5, 4, 3, 2, 1}, half = 0.5;
    sl_assert_ok(sl_automaton_create(s.ctx, "a", s.diags, &a));
    sl_assert_ok(sl_automaton_add_parameter_array(a, "d[0..4]", 5, d));
    sl_assert_ok(sl_automaton_add_parameter_array(a, "e[0..4]", 1, &half));
    sl_assert_ok(sl_automaton_add_array(a, "x[0..4]", 5, x, NULL));
    sl_assert_ok(sl_automaton_add_loop(a, SL_AUTOMATON_ACTIVITY, NULL, "i in 0..4", NULL,
                                       "der(x[i])*(1 + e[i]) = -d[i]*x[i] + i^2*x[2] + t*(i - 0.5)", NULL));
    assert_int_equal(sl_automaton_add_loop(a, SL_AUTOMATON_ROOT, NULL, "i in 0..4", "q", "x[i]", NULL), SL_ERR_INPUT);
    assert_int_equal(sl_automaton_finish(a), SL_ERR_INPUT);
    sl_automaton_destroy(a);
    sl_assert_ok(sl_automaton_create(s.ctx, "a", s.diags, &a));
    sl_assert_ok(sl_automaton_add_parameter_array(a, "d[0..4]", 5, d));
    sl_assert_ok(sl_automaton_add_parameter_array(a, "e[0..4]", 1, &half));
    sl_assert_ok(sl_automaton_add_array(a, "x[0..4]", 5, x, NULL));
    sl_assert_ok(sl_automaton_add_loop(a, SL_AUTOMATON_ACTIVITY, NULL, "i in 0..4", NULL,
                                       "der(x[i])*(1 + e[i]) = -d[i]*x[i] + i^2*x[2] + t*(i - 0.5)", NULL));
    sl_assert_ok(sl_automaton_finish(a));
    assert_true(sl_automaton_hash(a) == sl_automaton_hash(s.a));
    assert_int_equal(sl_automaton_n_element(a, SL_AUTOMATON_ACTIVITY), 1);
    sl_bytes out;
    sl_bytes_init(&out, s.ctx);
    sl_sink sink = sl_bytes_sink(&out);
    sl_assert_ok(sl_automaton_write_formula(a, SL_AUTOMATON_ACTIVITY, 0, SL_FORMULA_TEXT, &sink));
    sl_assert_ok(sink.write(sink.user, "", 1)); /* its end */
    assert_non_null(strstr(out.at, "-d[i]*x[i] + i^2*x[2]"));
    sl_bytes_fini(&out);
    assert_int_equal(sl_automaton_add_array(a, "y[0..4]", 5, x, NULL), SL_ERR_USE);
    sl_automaton_destroy(a);
    end(&s);
}

/* What is wrong: text, line and column of each. */
static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
        int line, column;
    } cases[] = {
        {"continuous:\n  x[1..3]: [1, 2]\n", "the array has 3 elements, but 2 values", 3, 3},
        {"continuous:\n  x[3..1]: 0\n", "'3..1' is no range of an index", 3, 5},
        {"continuous:\n  x[1..N]: 0\n", "'1..N' is no range of an index", 3, 5},
        {"parameters: {N: 2.5}\ncontinuous:\n  x[1..N]: 0\n", "'1..N' is no range of an index", 4, 5},
        {"continuous:\n  x[1..3]: 0\n  x[2]: 0\n", "'x[2]' is already declared", 4, 3},
        {"continuous:\n  x[2]: 0\n  x[1..3]: 0\n", "'x[2]' is already declared", 4, 3},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: i in 1..3, equation: 'der(x[i]) = x[i+1]'}\n",
         "there is no element 4 of the array: 'x[i+1]'", 5, 45},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: k of 1..3, equation: 'der(x[k]) = 1'}\n",
         "'k of 1..3' does not say which cells there are", 5, 11},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: x in 1..3, equation: 'der(x[1]) = 1'}\n",
         "the index 'x' is the name of something else", 5, 11},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: i in 1..3, equation: 'der(x[j]) = 1'}\n",
         "this index cannot be read: 'x[j]'", 5, 37},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: i in 1..3, equation: 'der(x) = 1'}\n",
         "this is an array: 'x'", 5, 37},
        {"continuous:\n  x[1..3]: 0\nactivities:\n  - {for: i in 1..3, equation: 'der(x[i])'}\n",
         "'der(x[i])' is no equation", 5, 33},
        {"continuous: {y: 0}\ndiscrete: {q: 2}\nactivities:\n  - {for: y in 1..3, equation: 'der(y) = 1'}\n",
         "the index 'y' is the name of something else", 5, 11},
        {"discrete: {q: 2}\ncontinuous:\n  x[1..3]: 0\nactivities:\n  - {for: i in 1..3, equation: 'der(x[i]) = q'}\n",
         "activity 'u0' must not hold the discrete variable 'q'", 6, 45},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s = {0};
        s.ctx = sl_test_context(&s.memory);
        sl_assert_ok(sl_diags_create(s.ctx, &s.diags));
        char all[600];
        (void)sl_format(all, sizeof all, "automaton: a\n%s", cases[k].text);
        sl_status status = sl_automaton_read(s.ctx, all, strlen(all), "a.yaml", s.diags, &s.a);
        const sl_diag *d = sl_diags_size(s.diags) > 0 ? sl_diags_at(s.diags, 0) : NULL;
        if (status != SL_ERR_INPUT || !d || strcmp(d->text, cases[k].says) != 0 || (int)d->line != cases[k].line ||
            (int)d->column != cases[k].column) {
            fail_msg("%s\n%s at %d:%d", cases[k].text, d ? d->text : "nothing", d ? (int)d->line : 0,
                     d ? (int)d->column : 0);
        }
        sl_automaton_destroy(s.a);
        sl_diags_destroy(s.diags);
        sl_test_context_end(s.ctx, &s.memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_their_cells),
        cmocka_unit_test(saved_states),
        cmocka_unit_test(structures),
        cmocka_unit_test(string_swings),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(by_calls),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
