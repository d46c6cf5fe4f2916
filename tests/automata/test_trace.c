/* SPDX-License-Identifier: MIT */
/* Executions as arrays: against closed forms of the flower system and the examples of chapter 3. */
#include "automata_test.h"

#include "kinds/automaton_trace.h"

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *m;
    sl_trace trace;
    sl_status run;
} setting;

static sl_status trace_text(setting *s, const char *text, const sl_trace_def *def) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_assert_ok(sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->m));
    return sl_automaton_trace(s->ctx, s->m, def, s->diags, &s->trace, &s->run);
}

static void trace_example(setting *s, const char *name, const sl_trace_def *def) {
    char *text = automaton_example(name);
    sl_assert_ok(trace_text(s, text, def));
    free(text);
}

static void end(setting *s) {
    sl_trace_fini(&s->trace);
    sl_automaton_destroy(s->m);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

/* ---- Over time ---------------------------------------------------------------------------------- */

/* In the first stretch x0 = exp(-0.1 t) cos(sqrt(5) t), x1 = -exp(-0.1 t) sin(sqrt(5) t) / sqrt(5): on every point, and the points
 * are close enough for a curve. */
static void test_flower(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    trace_example(&s, "flower", &def);
    const sl_trace *t = &s.trace;
    sl_assert_ok(s.run);
    assert_false(t->discrete);
    assert_int_equal(t->n_x, 2);
    sl_assert_double(t->end, 25.0);
    sl_assert_double(t->t[t->n_point - 1], 25.0);
    assert_int_equal(t->n_event, 24);
    for (int64_t k = 0; k < t->n_event; k++) {
        sl_assert_rel(t->events[k], (2.0 * (double)k + 1.0) * atan(sqrt(5.0)) / sqrt(5.0), 1e-9);
        sl_assert_double(t->t[t->event_points[k]], t->events[k]);
        sl_assert_abs(fabs(t->x[2 * t->event_points[k]]), fabs(t->x[2 * t->event_points[k] + 1]), 1e-9);
    }
    for (int64_t i = 0; i < t->n_point; i++) {
        assert_true(i == 0 || t->t[i] - t->t[i - 1] <= 25.0 / 600.0 * (1.0 + 1e-9));
        if (t->t[i] <= t->events[0]) {
            sl_assert_abs(t->x[2 * i], exp(-0.1 * t->t[i]) * cos(sqrt(5.0) * t->t[i]), 1e-9);
            sl_assert_abs(t->x[2 * i + 1], -exp(-0.1 * t->t[i]) * sin(sqrt(5.0) * t->t[i]) / sqrt(5.0), 1e-9);
        }
    }
    assert_int_equal(t->n_change, 25); /* the start, and at every crossing */
    for (int64_t k = 0; k < t->n_change; k++) {
        sl_assert_abs(t->changes[k].t, k ? t->events[k - 1] : 0.0, 1e-12);
        assert_int_equal(t->changes[k].value, k % 2 == 0);
    }
    end(&s);
}

/* Loose tolerances make long steps: points within them lie on the curve too. */
static void test_within_steps(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    sl_assert_ok(trace_text(&s,
                            "automaton: decay\ncontinuous: {x: 1}\nactivities: [{equation: der(x) = -x}]\n"
                            "run: {end: 5, tolerance: 1e-4}\n",
                            &def));
    assert_true(s.trace.n_point >= 600);
    for (int64_t i = 0; i < s.trace.n_point; i++) {
        sl_assert_abs(s.trace.x[i], exp(-s.trace.t[i]), 2e-3);
    }
    end(&s);
}

/* The ball: v jumps at bounces, with a gap between; the run fails, and is there up to then. */
static void test_ball_fails(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    trace_example(&s, "ball", &def);
    const sl_trace *t = &s.trace;
    sl_assert_status(s.run, SL_ERR_SOLVE);
    assert_string_equal(t->outcome, "ended early");
    sl_assert_abs(t->end, sqrt(2.0 / 9.81) * 3.0, 1e-3);
    double first = sqrt(2.0 / 9.81);
    sl_assert_rel(t->events[0], first, 1e-9);
    int64_t at = t->event_points[0];
    sl_assert_rel(t->x[2 * at + 1], -9.81 * first, 1e-8);
    assert_true(isnan(t->x[2 * at + 3]));
    sl_assert_rel(t->x[2 * at + 5], 0.5 * 9.81 * first, 1e-8);
    end(&s);
}

static void test_names(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.names = (const char *[]){"heating", "T", "T"};
    def.n_name = 3;
    def.end = 30.0;
    trace_example(&s, "thermostat", &def);
    assert_int_equal(s.trace.n_x, 1);
    assert_int_equal(s.trace.n_lane, 1);
    assert_string_equal(s.trace.q_names[s.trace.lanes[0]], "heating");
    sl_assert_double(s.trace.end, 30.0);
    end(&s);
    char *text = automaton_example("thermostat");
    def.names = (const char *[]){"heatin"};
    def.n_name = 1;
    sl_assert_status(trace_text(&s, text, &def), SL_ERR_INPUT);
    assert_string_equal(sl_diags_at(s.diags, 0)->hint, "did you mean heating?");
    end(&s);
    free(text);
}

/* ---- Discrete time ------------------------------------------------------------------------------ */

static void assert_values(const sl_trace *t, int32_t n_time, const int32_t *values) {
    int32_t q[8] = {0};
    int64_t k = 0;
    for (int32_t i = 0; i < n_time; i++) {
        for (; k < t->n_change && t->changes[k].t <= i; k++) {
            q[t->changes[k].variable] = t->changes[k].value;
        }
        assert_int_equal(q[0], values[i]);
    }
    sl_assert_double(t->end, n_time - 1.0);
}

static void test_figures_of_chapter_3(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.n_step = 9;
    trace_example(&s, "ticker", &def);
    assert_true(s.trace.discrete);
    assert_values(&s.trace, 10, (const int32_t[]){0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
    end(&s);
    def.n_step = 4;
    trace_example(&s, "delay", &def);
    assert_values(&s.trace, 5, (const int32_t[]){1, 1, 0, 1, 0});
    end(&s);
    def.n_step = 2;
    trace_example(&s, "counting", &def);
    assert_values(&s.trace, 3, (const int32_t[]){0, 2, 2});
    end(&s);
    def.n_step = -1;
    trace_example(&s, "ticker", &def);
    assert_string_equal(s.trace.outcome, "without end: at t = 2 as at t = 0");
    end(&s);
    trace_example(&s, "delay", &def);
    assert_string_equal(s.trace.outcome, "settled from t = 0 on");
    end(&s);
    trace_example(&s, "counting", &def);
    assert_string_equal(s.trace.outcome, "settled from t = 1 on");
    end(&s);
}

/* ---- The plane ---------------------------------------------------------------------------------- */

static void test_plane(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.plane = (const char *[]){"x0", "x1"};
    def.time = 2.43;
    def.low = -1.0;
    def.high = 1.0;
    def.where = (const char *[]){"x0 + x1 <= 0 & -x0 + x1 <= 0"};
    def.n_where = 1;
    trace_example(&s, "flower", &def);
    const sl_trace_plane *p = &s.trace.plane;
    enum { N = SL_TRACE_CELLS };
    sl_assert_double(p->time, 2.43);
    sl_assert_abs(p->x[0], -0.5277809395585976, 1e-9);
    sl_assert_abs(p->x[1], 0.2594336474523604, 1e-9);
    assert_int_equal(p->q[0], 1);
    sl_assert_double(s.trace.t[p->n_point - 1], 2.43);
    assert_int_equal(p->n_level, 2);
    assert_false(p->levels[0].is_root);
    assert_true(p->levels[1].is_root);
    assert_string_equal(p->levels[1].label, "abs(x0) - abs(x1)");
    /* crossings of the root lie on the two rays, to the precision of floats */
    int64_t n = 0;
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i < N; i++) {
            float s_at = p->levels[1].across[j * N + i];
            if (!isnan(s_at)) {
                double x = -1.0 + (i + (double)s_at) * 2.0 / N, y = -1.0 + j * 2.0 / N;
                sl_assert_abs(fabs(x), fabs(y), 1e-6);
                n++;
            }
        }
    }
    assert_true(n >= 2 * N - 2);
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            double x = -1.0 + i * 2.0 / N, y = -1.0 + j * 2.0 / N;
            if (fabs(fabs(x) - fabs(y)) > 1e-9) {
                assert_int_equal(p->levels[0].inside[j * (N + 1) + i], x + y < 0.0 && y < x);
            }
        }
    }
    for (int i = 0; i < SL_TRACE_ARROWS * SL_TRACE_ARROWS; i++) {
        const sl_trace_arrow *a = &p->arrows[i];
        sl_assert_abs(a->dx[0], -0.1 * a->x[0] + 5.0 * a->x[1], 1e-9);
        sl_assert_abs(a->dx[1], -a->x[0] - 0.1 * a->x[1], 1e-9);
    }
    end(&s);
}

/* z is algebraic: it is solved for, and has no direction of its own. */
static void test_plane_with_algebra(void **state) {
    (void)state;
    setting s;
    const char *text = "automaton: a\ncontinuous: {x: 1, y: 0, z: 0}\nactivities:\n"
                       "  - {equation: der(x) = z}\n  - {equation: der(y) = x}\n  - {equation: 0 = z - 2*y}\n"
                       "run: {end: 1}\n";
    sl_trace_def def = sl_trace_default();
    def.plane = (const char *[]){"x", "y"};
    sl_assert_ok(trace_text(&s, text, &def));
    for (int i = 0; i < SL_TRACE_ARROWS * SL_TRACE_ARROWS; i++) {
        const sl_trace_arrow *a = &s.trace.plane.arrows[i];
        sl_assert_abs(a->dx[0], 2.0 * a->x[1], 1e-6);
        sl_assert_abs(a->dx[1], a->x[0], 1e-6);
    }
    end(&s);
    def.plane = (const char *[]){"x", "z"};
    sl_assert_ok(trace_text(&s, text, &def));
    assert_null(s.trace.plane.arrows);
    end(&s);
}

static void test_wrong_requests(void **state) {
    (void)state;
    static const struct {
        const char *example, *plane[2], *where, *told;
        double time;
    } cases[] = {
        {"flower", {"x0", "q"}, NULL, "q is a discrete variable", 1.0},
        {"flower", {"x0", "y1"}, NULL, "the automaton has no variable 'y1'", 1.0},
        {"flower", {"x0", "x1"}, NULL, "the run ends before this time", 26.0},
        {"flower", {"x0", "x1"}, "der(x0) > 0", "a condition over the plane holds no derivatives", 1.0},
        {"ticker", {"q", "q"}, NULL, "q is a discrete variable", 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting s;
        sl_trace_def def = sl_trace_default();
        def.plane = cases[i].plane;
        def.time = cases[i].time;
        def.where = &cases[i].where;
        def.n_where = cases[i].where != NULL;
        char *text = automaton_example(cases[i].example);
        sl_assert_status(trace_text(&s, text, &def), SL_ERR_INPUT);
        assert_string_equal(sl_diags_at(s.diags, 0)->text, cases[i].told);
        free(text);
        end(&s);
    }
}

static bool stop(void *user, const sl_progress *progress) {
    (void)user;
    (void)progress;
    return false;
}

static void test_can_be_stopped(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context_def def = sl_context_default();
    const sl_allocator allocator = sl_test_allocator(&memory);
    def.allocator = &allocator;
    def.progress = stop;
    sl_context *ctx = NULL;
    sl_automaton *m = NULL;
    sl_trace trace;
    sl_status run;
    char *text = automaton_example("flower");
    sl_trace_def wanted = sl_trace_default();
    sl_assert_ok(sl_context_create(&def, &ctx));
    sl_assert_ok(sl_automaton_read(ctx, text, strlen(text), "", NULL, &m));
    sl_assert_status(sl_automaton_trace(ctx, m, &wanted, NULL, &trace, &run), SL_ERR_CANCELLED);
    sl_automaton_destroy(m);
    free(text);
    sl_test_context_end(ctx, &memory);
}

/* Roots that say nothing about the plane are not there; of many the first dozen are. */
static void test_many_roots(void **state) {
    (void)state;
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "automaton: many\ndiscrete: {q: 2, a: 2}\ncontinuous: {x: 0, y: 1, z: 0}\n"
                                "activities: [{equation: der(x) = y}, {equation: der(y) = -x}, "
                                "{equation: der(z) = 1}]\nrun: {end: 1}\nroots:\n"
                                "  - {decides: a, by: z - 5}\n");
    for (int i = 0; i < 20; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "  - {decides: q, by: x - %g}\n", 2.0 + 0.1 * i);
    }
    setting s;
    sl_trace_def def = sl_trace_default();
    def.plane = (const char *[]){"x", "y"};
    def.low = -5.0;
    def.high = 5.0;
    sl_assert_ok(trace_text(&s, text, &def));
    assert_int_equal(s.trace.plane.n_level, SL_TRACE_ROOTS);
    assert_int_equal(s.trace.plane.n_left_out, 20 - SL_TRACE_ROOTS);
    end(&s);
}

/* ---- Diagrams ----------------------------------------------------------------------------------- */

static void assert_edge(const sl_trace *t, int32_t i, int32_t from, int32_t to, const char *label) {
    const sl_trace_edge *e = &t->diagram.edges[i];
    assert_int_equal(t->diagram.nodes[e->from].q[0], from);
    assert_int_equal(t->diagram.nodes[e->to].q[0], to);
    sl_assert_z(e->label, label);
}

static void test_diagrams(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.diagram = true;
    trace_example(&s, "ticker", &def);
    assert_int_equal(s.trace.diagram.n_node, 2);
    assert_int_equal(s.trace.diagram.n_edge, 2);
    assert_true(s.trace.diagram.all);
    assert_edge(&s.trace, 0, 0, 1, "tick");
    assert_edge(&s.trace, 1, 1, 0, "tick");
    end(&s);
    trace_example(&s, "delay", &def); /* at rest at once, wherever it begins */
    assert_int_equal(s.trace.diagram.n_edge, 0);
    assert_int_equal(s.trace.diagram.nodes[0].flags, SL_NODE_START | SL_NODE_SETTLED);
    end(&s);
    def.n_step = 4;
    trace_example(&s, "delay", &def);
    assert_int_equal(s.trace.diagram.n_edge, 4);
    assert_edge(&s.trace, 0, 0, 0, "t = 0");
    assert_edge(&s.trace, 1, 1, 1, "t = 0");
    assert_edge(&s.trace, 2, 0, 1, "tick (t ≥ 1)");
    assert_edge(&s.trace, 3, 1, 0, "tick (t ≥ 1)");
    end(&s);
    def.n_step = -1;
    trace_example(&s, "counting", &def);
    assert_int_equal(s.trace.diagram.n_node, 32);
    assert_int_equal(s.trace.diagram.n_edge, 24); /* all but the eight that are right */
    end(&s);
    def.reached = true;
    trace_example(&s, "counting", &def);
    assert_int_equal(s.trace.diagram.n_node, 2);
    assert_edge(&s.trace, 0, 0, 2, "count");
    assert_true(s.trace.diagram.nodes[1].flags & SL_NODE_SETTLED);
    end(&s);
}

static void test_diagrams_of_odd_automata(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.diagram = true;
    sl_assert_ok(trace_text(&s,
                            "automaton: unsolvable\ndiscrete: {q: 2}\ntransitions:\n"
                            "  - {name: go, equation: der(q) = 1}\n"
                            "  - {name: stay, equation: der(q) = 0, when: t > 0}\n",
                            &def));
    assert_edge(&s.trace, 0, 0, 1, "go (t = 0)");
    assert_string_equal(s.trace.diagram.nodes[1].note, "no derivative (t ≥ 1)");
    assert_string_equal(s.trace.outcome, "unsolvable at t = 1");
    end(&s);
    sl_assert_ok(trace_text(&s,
                            "automaton: nondeterministic\ndiscrete: {q: {states: 2, start: 1}}\n"
                            "transitions: [{equation: q - der(q)^2 = 0}]\n",
                            &def));
    assert_int_equal(s.trace.diagram.n_edge, 2);
    assert_edge(&s.trace, 0, 1, 0, "e0 −1");
    assert_edge(&s.trace, 1, 1, 0, "e0 +1");
    assert_true(s.trace.diagram.edges[0].choice);
    assert_true(s.trace.diagram.nodes[0].flags & SL_NODE_CHOICE);
    assert_true(s.trace.diagram.nodes[1].flags & SL_NODE_SETTLED);
    end(&s);
    sl_assert_status(trace_text(&s,
                                "automaton: many\ndiscrete: {n: 1000}\n"
                                "transitions: [{equation: der(n) = 1, when: n < 999}]\n",
                                &def),
                     SL_ERR_INPUT);
    end(&s);
}

static void test_diagram_of_modes(void **state) {
    (void)state;
    setting s;
    sl_trace_def def = sl_trace_default();
    def.diagram = true;
    def.only_discrete = true;
    trace_example(&s, "thermostat", &def);
    assert_int_equal(s.trace.diagram.n_node, 2);
    assert_int_equal(s.trace.diagram.n_edge, 2);
    assert_string_equal(s.trace.diagram.edges[0].label, "hot ↑");
    assert_string_equal(s.trace.diagram.edges[1].label, "warm ↓");
    assert_int_equal(s.trace.diagram.nodes[0].flags, SL_NODE_START);
    end(&s);
}

/* ---- Memory ------------------------------------------------------------------------------------- */

/* The automaton is read before memory gets short: that is tested elsewhere. */
static void trace_one(sl_context *ctx, sl_test_memory *m, void *user) {
    const char *text = user;
    int64_t fail_at = m->fail_at;
    sl_diags *diags = NULL;
    sl_automaton *a = NULL;
    sl_trace trace;
    sl_status run = SL_OK;
    m->fail_at = 0;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_automaton_read(ctx, text, strlen(text), "a", diags, &a));
    m->n_request = 0;
    m->fail_at = fail_at;
    bool plane = strstr(text, "continuous: {x0") != NULL;
    sl_trace_def def = sl_trace_default();
    def.end = 0.6;
    def.plane = plane ? (const char *[]){"x0", "x1"} : NULL;
    def.where = (const char *[]){"x0 > 0"};
    def.n_where = plane;
    def.diagram = !plane;
    sl_status status = sl_automaton_trace(ctx, a, &def, diags, &trace, &run);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    if (status == SL_OK) {
        sl_trace_fini(&trace);
    }
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
}

static void test_memory(void **state) {
    (void)state;
    static const char *const names[] = {"flower", "counting", "thermostat"};
    for (int i = 0; i < 3; i++) {
        char *text = automaton_example(names[i]);
        assert_true(sl_test_sweep(trace_one, text) > 50);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flower),
        cmocka_unit_test(test_within_steps),
        cmocka_unit_test(test_ball_fails),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_figures_of_chapter_3),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_can_be_stopped),
        cmocka_unit_test(test_many_roots),
        cmocka_unit_test(test_plane_with_algebra),
        cmocka_unit_test(test_wrong_requests),
        cmocka_unit_test(test_diagrams),
        cmocka_unit_test(test_diagrams_of_odd_automata),
        cmocka_unit_test(test_diagram_of_modes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
