/* SPDX-License-Identifier: MIT */
/* Automata by calls alone (sluice/automaton.h): built, shown, checked, executed; discrete ones. Choices: test_choices.c. */
#include "execution_test.h"

/* ---- A model with every kind of part: a ball that is caught when it is slow ---- */

static sl_automaton *make_ball(sl_context *ctx, sl_diags *diags) {
    sl_automaton *a = NULL;
    if (sl_automaton_create(ctx, "ball", diags, &a) != SL_OK) {
        return NULL;
    }
    static const double x[] = {0.0, 1.0}, y[] = {0.0, 0.0};
    sl_automaton_add_parameter(a, "g", 9.81);
    sl_automaton_add_table(a, "wind", 2, x, y);
    sl_automaton_add_discrete(a, "above", 2, 1);
    sl_automaton_add_discrete(a, "hit", 2, 0);
    sl_automaton_add_continuous(a, "y", 1.0, 1e-12);
    sl_automaton_add_continuous(a, "v", 0.0, 0.0);
    sl_automaton_add_transition(a, "turn", "der(hit) = 1", "!above & !hit | above & hit");
    sl_automaton_add_activity(a, "fall", "der(y) = v", NULL);
    sl_automaton_add_activity(a, NULL, "der(v) = -g + wind(y)", NULL);
    sl_automaton_add_action(a, "floor", "y", "0", "hit");
    sl_automaton_add_action_equation(a, "bounce", "v = -0.5*pre.v", "hit");
    sl_automaton_add_root(a, "floor", "above", "y", NULL);
    if (sl_automaton_finish(a) != SL_OK) {
        sl_automaton_destroy(a);
        return NULL;
    }
    return a;
}

static void expect_written(const sl_automaton *a, sl_automaton_element kind, int32_t i, sl_formula_form form,
                           const char *guard, const char *formula) {
    text t = {0};
    sl_sink sink = {&t, to_text};
    sl_assert_ok(sl_automaton_write_guard(a, kind, i, form, &sink));
    sl_assert_z(t.at, guard);
    t.n = 0;
    sl_assert_ok(sl_automaton_write_formula(a, kind, i, form, &sink));
    sl_assert_z(t.at, formula);
}

static void what_was_built_can_be_seen(void **state) {
    (void)state;
    setting s;
    begin(&s, "unused");
    sl_automaton *a = make_ball(s.ctx, s.diags);
    assert_non_null(a);
    sl_assert_z(sl_automaton_name(a), "ball");
    assert_int_equal(sl_automaton_n_discrete(a), 2);
    assert_int_equal(sl_automaton_n_continuous(a), 2);
    sl_assert_str(sl_automaton_discrete_name(a, 1), "hit");
    sl_assert_str(sl_automaton_continuous_name(a, 1), "v");
    assert_int_equal(sl_automaton_domain(a, 0), 2);
    assert_int_equal(sl_automaton_find_discrete(a, "hit"), 1);
    assert_int_equal(sl_automaton_find_continuous(a, "v"), 1);
    assert_int_equal(sl_automaton_find_discrete(a, "v"), -1);
    assert_int_equal(sl_automaton_find_continuous(a, "g"), -1);
    static const int32_t n[SL_AUTOMATON_ELEMENT_COUNT] = {1, 2, 2, 1};
    for (int kind = 0; kind < SL_AUTOMATON_ELEMENT_COUNT; kind++) {
        assert_int_equal(sl_automaton_n_element(a, (sl_automaton_element)kind), n[kind]);
    }
    sl_assert_z(sl_automaton_symbol(a, SL_AUTOMATON_TRANSITION, 0), "turn");
    sl_assert_z(sl_automaton_symbol(a, SL_AUTOMATON_ACTIVITY, 1), "u1");
    sl_assert_z(sl_automaton_symbol(a, SL_AUTOMATON_ACTION, 1), "bounce");
    assert_int_equal(sl_automaton_element_variable(a, SL_AUTOMATON_ACTION, 0), 0);
    assert_int_equal(sl_automaton_element_variable(a, SL_AUTOMATON_ACTION, 1), -1);
    assert_int_equal(sl_automaton_element_variable(a, SL_AUTOMATON_ROOT, 0), 0);
    expect_written(a, SL_AUTOMATON_TRANSITION, 0, SL_FORMULA_TEXT, "!above & !hit | above & hit", "der(hit) = 1");
    expect_written(a, SL_AUTOMATON_ACTIVITY, 0, SL_FORMULA_TEXT, "1", "der(y) = v");
    expect_written(a, SL_AUTOMATON_ACTION, 0, SL_FORMULA_TEXT, "hit", "0");
    expect_written(a, SL_AUTOMATON_ROOT, 0, SL_FORMULA_LATEX, "1", "y");
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_assert_ok(sl_automaton_examine(a, s.diags, &facts));
    sl_assert_z(facts.deterministic, "proved");
    assert_int_equal(facts.n_equation, 2);
    assert_int_equal(facts.index, 0);
    sl_automaton_destroy(a);
    end(&s);
}

/* ---- What is wrong ---- */

static void mistakes_carry_the_symbol(void **state) {
    (void)state;
    setting s;
    begin(&s, "wrong");
    sl_assert_ok(sl_automaton_add_discrete(s.a, "open", 2, 0));
    sl_assert_ok(sl_automaton_add_continuous(s.a, "level", 1.0, 0.0));
    static const double falling[] = {1.0, 0.0};
    sl_assert_status(sl_automaton_add_table(s.a, "t1", 2, falling, falling), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_discrete(s.a, "q", 2, 2), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_activity(s.a, "drain", "der(level) = -", "open"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_activity(s.a, "drain", "der(level) = -1", "opne"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_transition(s.a, "shut", "der(level) = 1", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_root(s.a, "low", "opne", "level", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_action(s.a, "fill", "levels", "1", NULL), SL_ERR_INPUT);
    static const struct {
        const char *kind, *id;
        sl_code code;
    } expected[] = {{NULL, NULL, SL_CODE_CURVE_SHAPE},          {NULL, NULL, SL_CODE_VALUE_RANGE},
                    {"activity", "drain", SL_CODE_SYNTAX},      {"activity", "drain", SL_CODE_UNKNOWN_NAME},
                    {"transition", "shut", SL_CODE_WRONG_KIND}, {"root", "low", SL_CODE_VARIABLE},
                    {"action", "fill", SL_CODE_VARIABLE}};
    assert_int_equal(sl_diags_size(s.diags), sizeof expected / sizeof *expected);
    for (int32_t i = 0; i < sl_diags_size(s.diags); i++) {
        const sl_diag *d = sl_diags_at(s.diags, i);
        assert_int_equal(d->code, expected[i].code);
        if (expected[i].kind) {
            sl_assert_z(d->object_kind, expected[i].kind);
            sl_assert_z(d->object_id, expected[i].id);
        }
    }
    assert_non_null(strstr(sl_diags_at(s.diags, 5)->hint, "did you mean 'open'?"));
    assert_non_null(strstr(sl_diags_at(s.diags, 6)->hint, "did you mean 'level'?"));
    sl_assert_status(sl_automaton_finish(s.a), SL_ERR_INPUT);
    sl_assert_status(sl_execution_create(s.a, NULL, s.diags, &s.e), SL_ERR_USE);
    end(&s);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    setting s;
    begin(&s, "use");
    sl_model *model = NULL;
    sl_assert_status(sl_model_of_automaton(s.ctx, s.a, &model), SL_ERR_USE);
    sl_assert_ok(sl_automaton_add_continuous(s.a, "x", 0.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(s.a, "go", "der(x) = 1", NULL));
    sl_execution_def def = sl_execution_default();
    def.rtol = 0.0;
    sl_assert_status(sl_automaton_set_run(s.a, &def), SL_ERR_USE);
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_assert_status(sl_automaton_finish(s.a), SL_ERR_USE);
    sl_assert_status(sl_automaton_add_activity(s.a, "more", "der(x) = 1", NULL), SL_ERR_USE);
    sl_assert_status(sl_execution_create(s.a, &def, s.diags, &s.e), SL_ERR_USE);
    end(&s);
    begin(&s, "steps");
    sl_assert_ok(sl_automaton_add_continuous(s.a, "x", 0.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(s.a, "go", "der(x) = 1", NULL));
    sl_assert_ok(sl_automaton_set_termination(s.a, SL_TERMINATION_STEPS, 5));
    sl_assert_status(sl_automaton_finish(s.a), SL_ERR_INPUT);
    end(&s);
}

/* ---- Executions ---- */

static void active_parts_at_events(void **state) {
    (void)state;
    setting s;
    begin(&s, "unused");
    sl_automaton *a = make_ball(s.ctx, s.diags);
    sl_execution_def def = tight();
    sl_execution_info info = {.size = sizeof info};
    int32_t n;
    sl_assert_ok(sl_execution_create(a, &def, s.diags, &s.e));
    assert_ptr_equal(sl_execution_automaton(s.e), a);
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &info));
    assert_int_equal(info.event, SL_EVENT_INIT);
    sl_assert_abs(sl_execution_derivatives(s.e)[1], -9.81, 1e-12);
    double fall = sqrt(2.0 / 9.81);
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_CROSSING, &info));
    assert_int_equal(info.event, SL_EVENT_CROSSING);
    sl_assert_rel(info.time, fall, 1e-10);
    assert_int_equal(sl_execution_fired(s.e, 0), -1);
    double x[2], dx[2], t = 0.5 * (info.begin + info.time);
    sl_assert_ok(sl_execution_interpolate(s.e, t, x, dx));
    sl_assert_abs(x[0], 1.0 - 0.5 * 9.81 * t * t, 1e-10);
    sl_assert_status(sl_execution_interpolate(s.e, info.time + 1.0, x, dx), SL_ERR_USE);
    assert_int_equal(sl_execution_active(s.e, SL_AUTOMATON_ROOT, &n)[0], 0);
    (void)sl_execution_active(s.e, SL_AUTOMATON_ACTION, &n);
    assert_int_equal(n, 0);
    assert_int_equal(sl_execution_n_choice(s.e), 0); /* not within a discrete execution */
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_TRANSITION, &info));
    assert_int_equal(info.step, 1);
    assert_int_equal(sl_execution_states(s.e)[1], 1);
    assert_int_equal(sl_execution_fired(s.e, 0), 0);
    assert_int_equal(sl_execution_n_choice(s.e), 1);
    assert_int_equal(sl_execution_difference(s.e, 0, 1), 0);
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ACTION, &info));
    const int32_t *acted = sl_execution_active(s.e, SL_AUTOMATON_ACTION, &n);
    assert_true(n == 2 && acted[0] == 0 && acted[1] == 1);
    sl_assert_rel(sl_execution_values(s.e)[1], 0.5 * 9.81 * fall, 1e-9);
    assert_int_equal(sl_execution_states(s.e)[0], 1); /* roots after the action */
    sl_assert_z(sl_event_text(info.event), "action");
    (void)sl_execution_active(s.e, SL_AUTOMATON_ACTIVITY, &n);
    assert_int_equal(n, 2);
    sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(sl_execution_diags(s.e), 0)->code, SL_CODE_ZENO);
    sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, &info), SL_ERR_USE);
    sl_execution_destroy(s.e);
    s.e = NULL;
    sl_automaton_destroy(a);
    end(&s);
}

/* Begun elsewhere, and there again; a warm execution asks for no memory. */
static void put_elsewhere(void **state) {
    (void)state;
    setting s;
    begin(&s, "turns");
    sl_assert_ok(sl_automaton_add_discrete(s.a, "up", 2, 0));
    sl_assert_ok(sl_automaton_add_continuous(s.a, "x", 0.0, 0.0));
    sl_assert_ok(sl_automaton_add_continuous(s.a, "y", 1.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(s.a, "", "der(x) = y", NULL));
    sl_assert_ok(sl_automaton_add_activity(s.a, "", "der(y) = -x", "up"));
    sl_assert_ok(sl_automaton_add_activity(s.a, "", "der(y) = -4*x", "!up"));
    sl_assert_ok(sl_automaton_add_root(s.a, "axis", "up", "x", NULL));
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_execution_def def = tight();
    sl_assert_ok(sl_execution_create(s.a, &def, s.diags, &s.e));
    static const double there[] = {1.0, 0.0}, nowhere[] = {1.0, (double)NAN};
    static const int32_t down[] = {0}, beyond[] = {2};
    const double pi = acos(-1.0);
    for (int k = 0; k < 2; k++) {
        sl_assert_ok(sl_execution_reset(s.e, 10.0, there, down));
        sl_assert_status(sl_execution_reset(s.e, 10.0, nowhere, NULL), SL_ERR_USE);
        sl_assert_status(sl_execution_reset(s.e, 10.0, NULL, beyond), SL_ERR_USE);
        sl_execution_info info = {.size = sizeof info};
        sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &info));
        assert_int_equal(info.event, SL_EVENT_INIT);
        sl_assert_double(info.time, 10.0);
        int64_t n_request = 0;
        for (int n = 0; n < 20; n++) { /* quarters of a period above, halves of a faster one below, halves above ... */
            sl_assert_ok(sl_execution_next(s.e, SL_EVENT_CROSSING, &info));
            sl_assert_abs(info.time, 10.0 + 0.5 * pi + (n + 1) / 2 * 0.5 * pi + n / 2 * pi, 1e-8);
            n_request = n == 5 ? s.memory.n_request : n_request;
        }
        assert_int_equal(s.memory.n_request, n_request);
    }
    end(&s);
}

/* The same automaton as a model of sessions. */
static void sessions_take_it(void **state) {
    (void)state;
    setting s;
    begin(&s, "decay");
    sl_assert_ok(sl_automaton_add_continuous(s.a, "x", 1.0, 0.0));
    sl_assert_ok(sl_automaton_add_activity(s.a, "", "der(x) = -x", NULL));
    sl_execution_def def = tight();
    def.end = 2.0;
    sl_assert_ok(sl_automaton_set_run(s.a, &def));
    sl_execution_def run = {.size = sizeof run};
    sl_assert_ok(sl_automaton_get_run(s.a, &run));
    sl_assert_double(run.end, 2.0);
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_var v;
    double x;
    sl_assert_ok(sl_model_of_automaton(s.ctx, s.a, &model));
    sl_assert_ok(sl_session_create(s.ctx, model, s.diags, &session));
    sl_assert_ok(sl_session_find(session, "variable.'x'.value", &v));
    sl_assert_ok(sl_session_advance(session, INFINITY, 0, NULL));
    sl_assert_ok(sl_session_get(session, &v, 1, &x));
    sl_assert_rel(x, exp(-2.0), 1e-10);
    sl_session_destroy(session);
    sl_model_destroy(model);
    end(&s);
}

/* ---- Discrete automata: one discrete execution ---- */

static void expect_events(sl_execution *e, const sl_event *events, int n, const int32_t *values) {
    sl_execution_info info = {.size = sizeof info};
    for (int k = 0; k < n; k++) {
        sl_assert_ok(sl_execution_next(e, SL_EVENT_ANY, &info));
        assert_int_equal(info.event, events[k]);
        assert_int_equal(sl_execution_states(e)[0], values[k]);
        sl_assert_double(info.time, 0.0);
    }
    sl_assert_status(sl_execution_next(e, SL_EVENT_ANY, &info), SL_ERR_USE);
}

static void a_discrete_automaton(void **state) {
    (void)state;
    setting s;
    begin(&s, "counting"); /* example 3.1.3: from 0 1 0 1 to 2 1 0 1 */
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q0", 4, 0));
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q1", 2, 1));
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q2", 2, 0));
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q3", 2, 1));
    sl_assert_ok(sl_automaton_add_transition(s.a, "count", "der(q0) = q1 + q2 + q3 - q0", "q0 != q1 + q2 + q3"));
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_assert_ok(sl_execution_create(s.a, NULL, s.diags, &s.e));
    static const sl_event events[] = {SL_EVENT_INIT, SL_EVENT_TRANSITION, SL_EVENT_SETTLED, SL_EVENT_STOP};
    static const int32_t values[] = {0, 2, 2, 2};
    expect_events(s.e, events, 4, values);
    end(&s);
    begin(&s, "ticker"); /* example 3.1.1 */
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q0", 2, 0));
    sl_assert_ok(sl_automaton_add_transition(s.a, "tick", "der(q0) = 1", NULL));
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_assert_ok(sl_execution_create(s.a, NULL, s.diags, &s.e));
    sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, NULL), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(sl_execution_diags(s.e), 0)->code, SL_CODE_ZENO);
    end(&s);
}

/* Figure 3.2: the rule of rest is suspended. */
static void delay_for_four_steps(void **state) {
    (void)state;
    setting s;
    begin(&s, "delay");
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q0", 2, 1));
    sl_assert_ok(sl_automaton_add_transition(s.a, "", "der(q0) = 1", "t >= 1"));
    sl_assert_ok(sl_automaton_set_termination(s.a, SL_TERMINATION_STEPS, 4));
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_assert_ok(sl_execution_create(s.a, NULL, s.diags, &s.e));
    static const sl_event events[] = {SL_EVENT_INIT,       SL_EVENT_TRANSITION, SL_EVENT_TRANSITION,
                                      SL_EVENT_TRANSITION, SL_EVENT_TRANSITION, SL_EVENT_SETTLED,
                                      SL_EVENT_STOP};
    static const int32_t values[] = {1, 1, 0, 1, 0, 0, 0};
    expect_events(s.e, events, 7, values);
    end(&s);
    begin(&s, "long"); /* more than would count as zeno */
    sl_assert_ok(sl_automaton_add_discrete(s.a, "q0", 2, 0));
    sl_assert_ok(sl_automaton_add_transition(s.a, "tick", "der(q0) = 1", NULL));
    sl_assert_ok(sl_automaton_set_termination(s.a, SL_TERMINATION_STEPS, 20001));
    sl_assert_ok(sl_automaton_finish(s.a));
    sl_assert_ok(sl_execution_create(s.a, NULL, s.diags, &s.e));
    sl_execution_info info = {.size = sizeof info};
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_SETTLED, &info));
    assert_int_equal(info.step, 20001);
    assert_int_equal(sl_execution_states(s.e)[0], 1);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_built_can_be_seen),
        cmocka_unit_test(mistakes_carry_the_symbol),
        cmocka_unit_test(wrong_use_is_refused),
        cmocka_unit_test(active_parts_at_events),
        cmocka_unit_test(put_elsewhere),
        cmocka_unit_test(sessions_take_it),
        cmocka_unit_test(a_discrete_automaton),
        cmocka_unit_test(delay_for_four_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
