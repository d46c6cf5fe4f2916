/* SPDX-License-Identifier: MIT */
/* Every definition of section 3.2 by its number, as the thesis states it, and the definitions of determinism and zenoness that it
 * leaves open (docs/theory/hybrid.md). Automata are made by calls; systems have closed forms. */
#include "execution_test.h"

static void q(setting *s, const char *name, int32_t n, int32_t start) {
    sl_assert_ok(sl_automaton_add_discrete(s->a, name, n, start));
}
static void x(setting *s, const char *name, double start) {
    sl_assert_ok(sl_automaton_add_continuous(s->a, name, start, 0.0));
}
static void transition(setting *s, const char *equation, const char *guard) {
    sl_assert_ok(sl_automaton_add_transition(s->a, "e", equation, guard));
}
static void activity(setting *s, const char *equation, const char *guard) {
    sl_assert_ok(sl_automaton_add_activity(s->a, "u", equation, guard));
}
static void action(setting *s, const char *variable, const char *value, const char *guard) {
    sl_assert_ok(sl_automaton_add_action(s->a, "v", variable, value, guard));
}
static void root(setting *s, const char *variable, const char *function, const char *guard) {
    sl_assert_ok(sl_automaton_add_root(s->a, "w", variable, function, guard));
}

static void start(setting *s, double t_end) {
    sl_execution_def def = sl_execution_default();
    def.rtol = 1e-12;
    def.atol = 1e-13;
    def.root_tol = 1e-11;
    def.end = t_end;
    sl_assert_ok(sl_automaton_finish(s->a));
    sl_assert_ok(sl_execution_create(s->a, &def, s->diags, &s->e));
}

/* On to an event, which must come. */
static void to(setting *s, sl_event event) {
    sl_assert_ok(sl_execution_next(s->e, event, &s->at));
    assert_int_equal(s->at.event, event);
}

/* It must fail like this. */
static void fails(setting *s, sl_status status, sl_code code) {
    sl_assert_status(sl_execution_next(s->e, SL_EVENT_STOP, &s->at), status);
    assert_int_equal(sl_diags_at(sl_execution_diags(s->e), 0)->code, code);
}

static double value(const setting *s, const char *name) {
    return sl_execution_values(s->e)[sl_automaton_find_continuous(s->a, name)];
}
static double slope(const setting *s, const char *name) {
    return sl_execution_derivatives(s->e)[sl_automaton_find_continuous(s->a, name)];
}
static int32_t state_of(const setting *s, const char *name) {
    return sl_execution_states(s->e)[sl_automaton_find_discrete(s->a, name)];
}

/* ---- Definitions ------------------------------------------------------------------------------------ */

/* Guards of activities and roots are maps of Q, those of actions of Q and discrete time; equations, actions and roots are maps of
 * time, x and x'; an action has a continuous variable, a root a discrete one. */
static void definition_3_2_1_structured_hybrid_automaton(void **state) {
    (void)state;
    setting s;
    begin(&s, "a");
    q(&s, "q", 2, 0);
    x(&s, "x", 1.0);
    activity(&s, "der(x) = t + x", "q = 0");
    action(&s, "x", "x + der(x) + t", "q & t > 1");
    root(&s, "q", "x - der(x) - t", "!q");
    sl_automaton *a = s.a;
    sl_assert_status(sl_automaton_add_activity(a, "u", "der(x) = 1", "t > 1"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_activity(a, "u", "der(x) = 1", "x > 1"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_activity(a, "u", "der(x) = q", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_action(a, "v", "q", "1", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_action(a, "v", "x", "1", "x > 1"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_action(a, "v", "x", "q", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_root(a, "w", "x", "1", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_root(a, "w", "q", "x", "t > 1"), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_root(a, "w", "q", "q", NULL), SL_ERR_INPUT);
    sl_assert_status(sl_automaton_add_transition(a, "e", "der(q) = x", NULL), SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(s.diags), 10);
    static const int32_t n[SL_AUTOMATON_ELEMENT_COUNT] = {0, 1, 1, 1};
    for (int kind = 0; kind < SL_AUTOMATON_ELEMENT_COUNT; kind++) {
        assert_int_equal(sl_automaton_n_element(a, (sl_automaton_element)kind), n[kind]);
    }
    end(&s);
}

/* 1 above zero, 0 below; at zero the sign of the derivative; a variable without an active root keeps its value. All begin at the
 * other value. */
static void definition_3_2_2_root_function(void **state) {
    (void)state;
    setting s;
    static const struct {
        const char *function, *guard;
        int32_t start, becomes;
    } roots[] = {
        {"x - 1", NULL, 1, 0},      {"x + 1", NULL, 0, 1},      {"x", NULL, 0, 1}, {"-x", NULL, 1, 0},
        {"2 - der(x)", NULL, 0, 1}, {"der(x) - 2", NULL, 1, 0}, {"t", NULL, 0, 1}, {"x - 1", "r7 = 0", 1, 1},
    };
    enum { N = sizeof roots / sizeof *roots };
    begin(&s, "a");
    char name[16];
    for (int k = 0; k < N; k++) {
        (void)snprintf(name, sizeof name, "r%d", k);
        q(&s, name, 2, roots[k].start);
    }
    x(&s, "x", 0.0);
    activity(&s, "der(x) = 1 + x", NULL);
    for (int k = 0; k < N; k++) {
        (void)snprintf(name, sizeof name, "r%d", k);
        root(&s, name, roots[k].function, roots[k].guard);
    }
    start(&s, 5.0);
    to(&s, SL_EVENT_INIT);
    for (int k = 0; k < N; k++) {
        assert_int_equal(sl_execution_states(s.e)[k], roots[k].start);
    }
    to(&s, SL_EVENT_ROOT);
    for (int k = 0; k < N; k++) {
        assert_int_equal(sl_execution_states(s.e)[k], roots[k].becomes);
    }
    end(&s);
}

/* Two points: q, then the root function of that q. A root that its own result activates does not count yet; time and continuous
 * variables stand still. Several roots of one variable (which the thesis excludes) must agree. */
static void definition_3_2_3_root_subexecution(void **state) {
    (void)state;
    setting s;
    begin(&s, "a");
    q(&s, "p", 2, 0);
    q(&s, "r", 2, 0);
    q(&s, "both", 2, 0);
    x(&s, "x", 1.0);
    activity(&s, "der(x) = -x", NULL);
    root(&s, "p", "x", NULL);
    root(&s, "r", "x", "p");
    root(&s, "both", "x", NULL);
    root(&s, "both", "x - 0.5", NULL);
    start(&s, 5.0);
    to(&s, SL_EVENT_ROOT);
    assert_true(state_of(&s, "p") == 1 && state_of(&s, "r") == 0 && state_of(&s, "both") == 1);
    assert_int_equal(s.at.n_changed, 2);
    sl_assert_double(s.at.time, 0.0);
    sl_assert_double(value(&s, "x"), 1.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_CONFLICT); /* below 0.5 they do not agree */
    sl_assert_rel(sl_execution_time(s.e), log(2.0), 1e-10);
    end(&s);
}

/* The solution of the initial value problem of q's active equations, up to the first change of the root function of q; without
 * one it does not end. */
static void definition_3_2_4_continuous_subexecution(void **state) {
    (void)state;
    setting s;
    begin(&s, "a");
    q(&s, "late", 2, 0);
    q(&s, "early", 2, 0);
    q(&s, "off", 2, 0);
    x(&s, "x", 0.0);
    activity(&s, "der(x) = 1 + x^2", "!off"); /* x = tan t */
    activity(&s, "der(x) = 17", "off");
    root(&s, "late", "x - 2", NULL);
    root(&s, "early", "x - 1", NULL);
    root(&s, "off", "x - 0.5", "late"); /* not active on the way */
    start(&s, (double)INFINITY);
    to(&s, SL_EVENT_SETTLED);
    do {
        sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &s.at));
        assert_true(s.at.event & (SL_EVENT_STEP | SL_EVENT_CROSSING));
        double t = 0.5 * (s.at.begin + s.at.time), v, dv;
        sl_assert_ok(sl_execution_interpolate(s.e, t, &v, &dv));
        sl_assert_abs(v, tan(t), 1e-9);
        sl_assert_abs(dv, 1.0 + tan(t) * tan(t), 1e-7);
        sl_assert_abs(value(&s, "x"), tan(s.at.time), 1e-9);
        assert_true(!state_of(&s, "early") && !state_of(&s, "late") && !state_of(&s, "off"));
    } while (s.at.event == SL_EVENT_STEP);
    sl_assert_rel(s.at.time, atan(1.0), 1e-10);
    assert_int_equal(sl_execution_fired(s.e, 0), 0);
    assert_int_equal(sl_execution_fired(s.e, 1), 1);
    end(&s);
    begin(&s, "a"); /* without a change: to the end of the run */
    q(&s, "never", 2, 0);
    x(&s, "x", 1.0);
    activity(&s, "der(x) = -x", NULL);
    root(&s, "never", "-x", NULL);
    start(&s, 20.0);
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_CROSSING, &s.at));
    assert_int_equal(s.at.event, SL_EVENT_STOP);
    sl_assert_abs(value(&s, "x"), exp(-20.0), 1e-10);
    end(&s);
}

/* The discrete execution of the discrete part alone from the same q; time and continuous variables are passed along. */
static void definition_3_2_5_discrete_subexecution(void **state) {
    (void)state;
    setting s, alone;
    for (int k = 0; k < 2; k++) {
        setting *m = k ? &alone : &s;
        begin(m, "a");
        q(m, "p", 2, k); /* alone it begins where the root has led to */
        q(m, "r", 5, 0);
        q(m, "u", 2, 0);
        transition(m, "der(r) = 2", "p & r < 4 & t < 2");
        transition(m, "der(r) = -1", "p & t >= 2 & r > 2");
        transition(m, "der(u) = 1", "r = 4 & t = 2");
        if (k == 0) {
            x(m, "x", -1.0);
            activity(m, "der(x) = 1", NULL);
            root(m, "p", "x", NULL);
        }
        start(m, 5.0);
    }
    to(&s, SL_EVENT_CROSSING);
    double t = sl_execution_time(s.e), at = value(&s, "x"), dx = slope(&s, "x");
    to(&s, SL_EVENT_ROOT);
    to(&alone, SL_EVENT_INIT);
    do {
        assert_memory_equal(sl_execution_states(s.e), sl_execution_states(alone.e), 3 * sizeof(int32_t));
        sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &s.at));
        sl_assert_ok(sl_execution_next(alone.e, SL_EVENT_ANY, &alone.at));
        assert_int_equal(s.at.event, alone.at.event);
        assert_int_equal(s.at.step, alone.at.step);
        sl_assert_bits(s.at.time, t);
        sl_assert_bits(value(&s, "x"), at);
        sl_assert_bits(slope(&s, "x"), dx);
    } while (s.at.event == SL_EVENT_TRANSITION);
    assert_int_equal(s.at.event, SL_EVENT_SETTLED);
    assert_int_equal(s.at.step, 4);
    assert_true(state_of(&s, "r") == 2 && state_of(&s, "u") == 1);
    end(&s);
    end(&alone);
}

/* Variables of active actions take their functions of the solution before, all at once; others keep their values. */
static void definition_3_2_6_action_function(void **state) {
    (void)state;
    setting s;
    begin(&s, "a");
    q(&s, "p", 2, 0);
    q(&s, "done", 2, 0);
    x(&s, "x", -1.0);
    x(&s, "y", 5.0);
    x(&s, "z", 7.0);
    x(&s, "w", 3.0);
    activity(&s, "der(x) = 2", NULL);
    activity(&s, "der(y) = 1", NULL);
    root(&s, "p", "t - 1", NULL);
    transition(&s, "der(done) = 1", "p & !done");
    action(&s, "x", "y", "done & t = 1"); /* of discrete time */
    action(&s, "y", "x", "done & t = 1");
    action(&s, "z", "der(x) + 10*t", "done");
    action(&s, "w", "100", "done & t = 2");
    start(&s, 5.0);
    to(&s, SL_EVENT_ACTION);
    sl_assert_rel(value(&s, "x"), 6.0, 1e-10);
    sl_assert_rel(value(&s, "y"), 1.0, 1e-10);
    sl_assert_rel(value(&s, "z"), 12.0, 1e-10);
    sl_assert_double(value(&s, "w"), 3.0);
    int32_t n;
    const int32_t *acted = sl_execution_active(s.e, SL_AUTOMATON_ACTION, &n);
    assert_true(n == 3 && acted[0] == 0 && acted[1] == 1 && acted[2] == 2);
    end(&s);
}

/* (t, x, x') of a solution of q's active equations that begins at x: given values stay where x' occurs, what is algebraic and all
 * derivatives follow. */
static void definition_3_2_7_implicit_continuous_solution(void **state) {
    (void)state;
    setting s;
    for (int mode = 0; mode < 2; mode++) {
        begin(&s, "a");
        q(&s, "mode", 2, mode);
        x(&s, "x", 3.0);
        x(&s, "y", 99.0); /* a guess */
        x(&s, "still", 4.0);
        activity(&s, "der(x) = -x + y", "!mode");
        activity(&s, "y = 2*x", "!mode");
        activity(&s, "2*der(x) + der(x)^3 = 3", "mode"); /* implicit in x': 1 */
        activity(&s, "y^3 = x + 5", "mode");
        start(&s, 5.0);
        to(&s, SL_EVENT_INIT);
        sl_assert_double(s.at.time, 0.0);
        sl_assert_double(value(&s, "x"), 3.0);
        sl_assert_rel(value(&s, "y"), mode ? 2.0 : 6.0, 1e-9);
        sl_assert_rel(slope(&s, "x"), mode ? 1.0 : 3.0, 1e-9);
        sl_assert_double(value(&s, "still"), 4.0);
        sl_assert_double(slope(&s, "still"), 0.0);
        end(&s);
    }
}

/* x(1) is the action function of the implicit solution in the new mode; q(1) the root function of the implicit solution from
 * x(1). y is algebraic: 2x before, 3x in the new mode. */
static void definition_3_2_8_action_subexecution(void **state) {
    (void)state;
    setting s;
    begin(&s, "a");
    q(&s, "p", 2, 0);
    q(&s, "new", 2, 0);
    q(&s, "high", 2, 0);
    x(&s, "x", 1.0);
    x(&s, "y", 2.0);
    activity(&s, "der(x) = 1", NULL);
    activity(&s, "y = 2*x", "!new");
    activity(&s, "y = 3*x", "new");
    root(&s, "p", "x - 2", NULL);
    root(&s, "high", "y - 17", NULL);
    transition(&s, "der(new) = 1", "p & !new");
    action(&s, "x", "y", "new");
    start(&s, 3.0);
    to(&s, SL_EVENT_SETTLED);
    to(&s, SL_EVENT_CROSSING);
    sl_assert_rel(value(&s, "y"), 4.0, 1e-9);
    to(&s, SL_EVENT_ACTION);
    sl_assert_rel(s.at.time, 1.0, 1e-10);
    sl_assert_rel(value(&s, "x"), 6.0, 1e-9); /* y of the new mode, not the old 4 */
    sl_assert_rel(value(&s, "y"), 18.0, 1e-9);
    assert_true(state_of(&s, "high") == 1 && s.at.n_changed == 1);
    end(&s);
}

/* ---- The order of figure 3.5 ---- */

static void ball(setting *s) {
    begin(s, "a");
    q(s, "above", 2, 1);
    q(s, "hit", 2, 0);
    x(s, "y", 1.0);
    x(s, "v", 0.0);
    activity(s, "der(y) = v", NULL);
    activity(s, "der(v) = -9.81", NULL);
    root(s, "above", "y", NULL);
    transition(s, "der(hit) = 1", "!above & !hit | above & hit");
    action(s, "y", "0", "hit");
    action(s, "v", "-0.5*v", "hit");
}

static void thermostat(setting *s) {
    begin(s, "a");
    q(s, "hot", 2, 0);
    q(s, "warm", 2, 1);
    q(s, "heating", 2, 1);
    x(s, "T", 20.0);
    activity(s, "der(T) = 0.1*(40 - T)", "heating");
    activity(s, "der(T) = 0.1*(10 - T)", "!heating");
    root(s, "hot", "T - 22", NULL);
    root(s, "warm", "T - 18", NULL);
    transition(s, "der(heating) = 1", "heating & hot | !heating & !warm");
}

static void flower(setting *s) {
    begin(s, "a");
    q(s, "q", 2, 0);
    x(s, "x0", 1.0);
    x(s, "x1", 0.0);
    activity(s, "der(x0) = -0.1*x0 + 5*x1", "q");
    activity(s, "der(x1) = -x0 - 0.1*x1", "q");
    activity(s, "der(x0) = -0.1*x0 + x1", "!q");
    activity(s, "der(x1) = -5*x0 - 0.1*x1", "!q");
    root(s, "q", "abs(x0) - abs(x1)", NULL);
}

/* What may follow an event. A discrete execution is its transitions and the rest; `empty`: it had none. */
static unsigned follows(sl_event event, bool empty) {
    static const unsigned motion = SL_EVENT_STEP | SL_EVENT_CROSSING | SL_EVENT_STOP;
    switch ((int)event) {
    case 0: return SL_EVENT_INIT;
    case SL_EVENT_INIT: return SL_EVENT_ROOT;
    case SL_EVENT_ROOT:
    case SL_EVENT_ACTION:
    case SL_EVENT_TRANSITION: return SL_EVENT_TRANSITION | SL_EVENT_SETTLED;
    case SL_EVENT_SETTLED: return empty ? motion | SL_EVENT_INIT /* another mode by roots alone */ : SL_EVENT_ACTION;
    case SL_EVENT_STEP: return motion;
    case SL_EVENT_CROSSING: return SL_EVENT_ROOT;
    default: return 0;
    }
}

static void definition_3_2_9_hybrid_execution(void **state) {
    (void)state;
    setting s;
    static void (*const models[])(setting *) = {ball, thermostat, flower};
    for (int k = 0; k < 3; k++) {
        models[k](&s);
        start(&s, k ? 25.0 : 1.3);
        sl_event last = 0;
        bool empty = true;
        int n_crossing = 0;
        while (last != SL_EVENT_STOP) {
            sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &s.at));
            assert_true(follows(last, empty) & s.at.event);
            empty = s.at.event == SL_EVENT_TRANSITION ? false : s.at.event == SL_EVENT_SETTLED ? s.at.step == 0 : empty;
            last = s.at.event;
            n_crossing += last == SL_EVENT_CROSSING;
            if (k == 2 && last == SL_EVENT_CROSSING) {
                double expected = (2 * n_crossing - 1) * atan(sqrt(5.0)) / sqrt(5.0);
                sl_assert_rel(s.at.time, expected, 1e-9);
                sl_assert_near(fabs(value(&s, "x0")), exp(-0.1 * expected) / sqrt(6.0), 0.0, 1e-8);
            }
        }
        assert_int_equal(n_crossing, k == 0 ? 5 : k == 1 ? 8 : 24);
        end(&s);
    }
    ball(&s); /* the first bounce, piece by piece */
    start(&s, 5.0);
    to(&s, SL_EVENT_CROSSING);
    static const sl_event bounce[] = {SL_EVENT_ROOT,   SL_EVENT_TRANSITION, SL_EVENT_SETTLED,
                                      SL_EVENT_ACTION, SL_EVENT_TRANSITION, SL_EVENT_SETTLED,
                                      SL_EVENT_ACTION, SL_EVENT_SETTLED,    SL_EVENT_STEP};
    for (size_t k = 0; k < sizeof bounce / sizeof *bounce; k++) {
        sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &s.at));
        assert_int_equal(s.at.event, bounce[k]);
    }
    end(&s);
}

/* ---- What the thesis leaves open --------------------------------------------------------------------- */

/* Every implicit solution exists and is unique, active roots agree, discrete executions are deterministic. */
static void definition_of_hybrid_determinism(void **state) {
    (void)state;
    setting s;
    for (int k = 0; k < 2; k++) { /* no implicit solution; too few equations for one */
        begin(&s, "a");
        x(&s, "x", 1.0);
        x(&s, "y", 1.0);
        activity(&s, "der(x) = y", NULL);
        if (k == 0) {
            activity(&s, "y^2 + 1 = 0", NULL);
        }
        start(&s, 5.0);
        fails(&s, k ? SL_ERR_INPUT : SL_ERR_SOLVE, k ? SL_CODE_UNDERDETERMINED : SL_CODE_INCONSISTENT);
        end(&s);
    }
    begin(&s, "a"); /* roots that do not agree */
    q(&s, "p", 2, 0);
    x(&s, "x", 0.0);
    activity(&s, "der(x) = 1", NULL);
    root(&s, "p", "x - 1", NULL);
    root(&s, "p", "x - 2", NULL);
    start(&s, 5.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_CONFLICT);
    sl_assert_rel(sl_execution_time(s.e), 1.0, 1e-10);
    end(&s);
    begin(&s, "a"); /* a discrete execution with two derivatives */
    q(&s, "p", 2, 0);
    q(&s, "r", 3, 1);
    x(&s, "x", 0.0);
    activity(&s, "der(x) = 1", NULL);
    root(&s, "p", "x - 1", NULL);
    transition(&s, "der(r)^2 = 1", "p & r = 1");
    start(&s, 5.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_NONDETERMINISTIC);
    end(&s);
}

/* Infinitely many pieces in finite time, for which three limits stand. */
static void definition_of_hybrid_zenoness(void **state) {
    (void)state;
    setting s;
    begin(&s, "a"); /* a discrete execution that does not end */
    q(&s, "p", 2, 0);
    q(&s, "r", 2, 0);
    x(&s, "x", 0.0);
    activity(&s, "der(x) = 1", NULL);
    root(&s, "p", "x - 1", NULL);
    transition(&s, "der(r) = 1", "p");
    start(&s, 5.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    sl_assert_rel(sl_execution_time(s.e), 1.0, 1e-10);
    end(&s);
    begin(&s, "a"); /* actions and roots that answer each other at one instant, though every discrete execution ends */
    q(&s, "p", 2, 0);
    q(&s, "r", 2, 0);
    x(&s, "x", -1.0);
    activity(&s, "der(x) = 1", NULL);
    root(&s, "p", "x", NULL);
    transition(&s, "der(r) = 1", "p != r");
    action(&s, "x", "if(x >= 0, -1, 1)", NULL);
    start(&s, 5.0);
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_assert_ok(sl_automaton_examine(s.a, s.diags, &facts));
    sl_assert_z(facts.zeno_free, "proved");
    fails(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    sl_assert_rel(sl_execution_time(s.e), 1.0, 1e-10);
    end(&s);
    ball(&s); /* crossings that accumulate, at 3 sqrt(2/g) */
    start(&s, 5.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    sl_assert_abs(sl_execution_time(s.e), 3.0 * sqrt(2.0 / 9.81), 1e-3);
    end(&s);
    begin(&s, "a"); /* chattering: two modes that lead into each other */
    q(&s, "p", 2, 0);
    x(&s, "x", -1.0);
    activity(&s, "der(x) = 1", "!p");
    activity(&s, "der(x) = -1", "p");
    root(&s, "p", "x", NULL);
    start(&s, 5.0);
    fails(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    sl_assert_abs(sl_execution_time(s.e), 1.0, 1e-3);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition_3_2_1_structured_hybrid_automaton),
        cmocka_unit_test(definition_3_2_2_root_function),
        cmocka_unit_test(definition_3_2_3_root_subexecution),
        cmocka_unit_test(definition_3_2_4_continuous_subexecution),
        cmocka_unit_test(definition_3_2_5_discrete_subexecution),
        cmocka_unit_test(definition_3_2_6_action_function),
        cmocka_unit_test(definition_3_2_7_implicit_continuous_solution),
        cmocka_unit_test(definition_3_2_8_action_subexecution),
        cmocka_unit_test(definition_3_2_9_hybrid_execution),
        cmocka_unit_test(definition_of_hybrid_determinism),
        cmocka_unit_test(definition_of_hybrid_zenoness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
