/* SPDX-License-Identifier: MIT */
/* Every definition and example of section 3.1, by its number. */
#include "automata_test.h"
#include "explore.h"

static void expect_values(const sl_sda_run *run, int32_t variable, int n, const int32_t *expected) {
    assert_int_equal(sl_sda_run_time(run), n - 1);
    for (int t = 0; t < n; t++) {
        assert_int_equal(sl_sda_run_value_at(run, variable, t), expected[t]);
    }
}

/* ---- Definitions ------------------------------------------------------------------------------------ */

static void definition_3_1_1_structured_discrete_automaton(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    assert_int_equal(fixture_variable(&f, "q", 3), 0);
    assert_int_equal(fixture_variable(&f, "r", 2), 1);
    assert_int_equal(fixture_transition(&f, "move", "der(q) = r + 1", "t > 2 & q < 2"), 0);
    sl_expr p;
    int32_t out;
    sl_assert_ok(sl_expr_declare_parameter(f.g, sl_str_z("p"), 0, NULL, f.diags, &p));
    sl_expr x;
    sl_assert_ok(sl_expr_declare_variable(f.g, sl_str_z("x"), 0, NULL, f.diags, &x));
    /* Guards know t and q, equations t, q and dq; nothing else. */
    static const char *const wrong[][2] = {
        {"der(q) = 1", "der(q) = 0"}, {"der(q) = 1", "x > 0"}, {"der(q) = p", "true"},
        {"der(q, 2) = 1", "true"},    {"q = 1", "true"},       {"der(x) = 1", "true"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_assert_status(sl_sda_add_transition(f.a, sl_str_z(""), fixture_parse(&f, wrong[i][0]),
                                               fixture_parse(&f, wrong[i][1]), NULL, f.diags, &out),
                         SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(f.diags), (int)i + 1);
        assert_non_null(sl_diags_at(f.diags, (int)i)->hint);
    }
    sl_assert_status(sl_sda_add_variable(f.a, sl_str_z("s"), 0, NULL, f.diags, &out), SL_ERR_INPUT);
    fixture_finish(&f);
    assert_int_equal(sl_sda_n_variable(f.a), 2);
    assert_int_equal(sl_sda_n_transition(f.a), 1);
    assert_int_equal(sl_sda_horizon(f.a), 3);
    sl_assert_z(sl_sda_symbol(f.a, 0), "move");
    const int32_t outside[] = {3, 0};
    sl_sda_run *run;
    sl_assert_status(sl_sda_run_create(f.a, outside, NULL, &run), SL_ERR_USE);
    fixture_fini(&f);
}

/* Groups of equations, several unknowns, what is not mentioned is 0. */
static void definition_3_1_2_discrete_derivatives(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "a", 3);
    fixture_variable(&f, "b", 3);
    fixture_variable(&f, "c", 2);
    fixture_variable(&f, "d", 4);
    fixture_transition(&f, "", "der(a) + der(b) = 3", "true");
    fixture_transition(&f, "", "der(a) - der(b) = 1", "true");
    fixture_transition(&f, "", "der(d)^2 = 4", "c = 1");
    fixture_finish(&f);
    const int32_t q0[] = {0, 0, 1, 0};
    sl_sda_run *run = fixture_run(&f, q0, NULL);
    assert_int_equal(sl_sda_run_state(run), SL_SDA_CHOICE);
    assert_int_equal(sl_sda_run_n_choice(run), 2);
    for (int k = 0; k < 2; k++) {
        const int32_t expected[] = {2, 1, 0, k ? 2 : -2};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(sl_sda_run_derivative(run, k, i), expected[i]);
        }
    }
    int32_t n;
    assert_int_equal(sl_sda_run_active(run, &n)[2], 2);
    assert_int_equal(n, 3);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

/* q(i + 1) = q(i) + dq(i), modulo the domain; T ends at the first t with dq = 0. */
static void definition_3_1_3_discrete_execution(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "q", 5);
    fixture_variable(&f, "r", 3);
    fixture_transition(&f, "", "der(q) = 1", "q < 3");
    fixture_transition(&f, "", "der(r) = 2", "q >= 2 & q < 4 & r != 1");
    fixture_finish(&f);
    const int32_t q0[] = {0, 0};
    sl_sda_run *run = fixture_run(&f, q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
    const int32_t q[] = {0, 1, 2, 3, 3}, r[] = {0, 0, 0, 2, 1};
    expect_values(run, 0, 5, q);
    expect_values(run, 1, 5, r);
    int32_t n;
    const sl_sda_change *c = sl_sda_run_changes(run, 2, &n);
    assert_int_equal(n, 2);
    assert_true(c[0].variable == 0 && c[0].from == 2 && c[0].to == 3 && c[1].variable == 1 && c[1].to == 2);
    /* A copy goes on alone; a restart begins at t = 0 from where the run stands. */
    sl_sda_run *copy;
    sl_assert_ok(sl_sda_run_copy(run, &copy));
    const int32_t which[] = {0}, to[] = {1};
    assert_int_equal(sl_sda_run_restart(copy, 1, which, to), SL_SDA_RUNNING);
    assert_int_equal(sl_sda_run_finish(copy), SL_SDA_CONVERGED);
    const int32_t again[] = {1, 2, 3};
    expect_values(copy, 0, 3, again);
    assert_int_equal(sl_sda_run_value(run, 0), 3);
    assert_int_equal(sl_sda_run_time(run), 4);
    sl_sda_run_destroy(copy);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void definition_3_1_4_discrete_solvability(void **state) {
    (void)state;
    fixture f;
    make_unsolvable(&f);
    for (int32_t q = 0; q < 2; q++) { /* locally solvable at t = 0 for every q, for none after */
        sl_sda_run *run = fixture_run(&f, &q, NULL);
        assert_int_equal(sl_sda_run_state(run), SL_SDA_RUNNING);
        assert_int_equal(sl_sda_run_step(run, 0), SL_SDA_UNSOLVABLE);
        assert_int_equal(sl_sda_run_n_choice(run), 0);
        sl_diags_clear(f.diags);
        sl_sda_run_explain(run, f.diags);
        assert_int_equal(sl_diags_at(f.diags, 0)->code, SL_CODE_UNSOLVABLE);
        sl_assert_z(sl_diags_at(f.diags, 0)->text,
                    "at t = 1 no derivative satisfies 0 = der(q0) - 1 (up); 0 = der(q0) (stay)");
        sl_sda_run_destroy(run);
    }
    fixture_fini(&f);
    /* Redundant equations do not hurt; a derivative beyond the domain or not whole does. */
    static const struct {
        const char *first, *second;
        sl_sda_state state;
    } cases[] = {{"der(q) = 1", "2*der(q) = 2", SL_SDA_RUNNING},
                 {"der(q) = 1", "der(q)^2 = 1", SL_SDA_RUNNING},
                 {"der(q) = 2", "der(q) = 2", SL_SDA_UNSOLVABLE},
                 {"2*der(q) = 1", "2*der(q) = 1", SL_SDA_UNSOLVABLE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_init(&f);
        fixture_variable(&f, "q", 2);
        fixture_transition(&f, "", cases[i].first, "true");
        fixture_transition(&f, "", cases[i].second, "true");
        fixture_finish(&f);
        const int32_t q0 = 0;
        sl_sda_run *run = fixture_run(&f, &q0, NULL);
        assert_int_equal(sl_sda_run_state(run), cases[i].state);
        sl_sda_run_destroy(run);
        fixture_fini(&f);
    }
}

static void definition_3_1_5_discrete_determinism(void **state) {
    (void)state;
    fixture f;
    make_nondeterministic(&f);
    for (int32_t q = 0; q < 2; q++) { /* locally deterministic at 0, not at 1 */
        sl_sda_run *run = fixture_run(&f, &q, NULL);
        assert_int_equal(sl_sda_run_n_choice(run), q ? 2 : 1);
        assert_int_equal(sl_sda_run_state(run), q ? SL_SDA_CHOICE : SL_SDA_CONVERGED);
        sl_diags_clear(f.diags);
        sl_sda_run_explain(run, f.diags);
        assert_int_equal(sl_diags_size(f.diags), q);
        if (q) {
            sl_assert_z(sl_diags_at(f.diags, 0)->text, "at t = 0 there are 2 derivatives of q0");
        }
        sl_sda_run_destroy(run);
    }
    fixture_fini(&f);
}

static void definition_3_1_6_discrete_zenoness(void **state) {
    (void)state;
    fixture f;
    const int32_t q0[] = {0, 0};
    fixture_init(&f);
    fixture_variable(&f, "q", 7);
    fixture_variable(&f, "r", 3);
    fixture_transition(&f, "", "der(q) = 1", "q < 6");
    fixture_transition(&f, "", "der(q) = -3", "q = 6");
    fixture_transition(&f, "", "der(r) = 1", "q = 6 & r < 2");
    fixture_finish(&f);
    sl_sda_run *run = fixture_run(&f, q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_ZENO);
    int32_t first, length;
    sl_sda_run_cycle(run, &first, &length);
    assert_int_equal(length, 4); /* 3 4 5 6, after r has stopped */
    assert_int_equal(first, 11); /* the first state that comes again: q = 3, r = 2 */
    assert_int_equal(sl_sda_run_value_at(run, 0, first), sl_sda_run_value(run, 0));
    sl_diags_clear(f.diags);
    sl_sda_run_explain(run, f.diags);
    sl_assert_z(sl_diags_at(f.diags, 0)->text,
                "the execution never ends: the state at t = 15 is that at t = 11 again; what changes is q");
    sl_sda_run_destroy(run);
    fixture_fini(&f);

    /* Without a horizon nothing is proved. */
    fixture_init(&f);
    fixture_variable(&f, "q", 2);
    fixture_transition(&f, "", "der(q) = 1", "mod(t, 3) != 2 | q = 0 | q = 1");
    fixture_finish(&f);
    assert_int_equal(sl_sda_horizon(f.a), SL_SDA_NO_HORIZON);
    sl_sda_def def = sl_sda_default();
    def.most_steps = 50;
    run = fixture_run(&f, q0, &def);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_BOUND);
    assert_int_equal(sl_sda_run_time(run), 50);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

/* ---- Examples --------------------------------------------------------------------------------------- */

static void example_3_1_1_ticker(void **state) {
    (void)state;
    fixture f;
    make_ticker(&f);
    const int32_t q0 = 0, expected[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    sl_sda_def def = sl_sda_default();
    def.rule = SL_SDA_UNTIL_BOUND;
    def.most_steps = 9;
    sl_sda_run *run = fixture_run(&f, &q0, &def);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_BOUND);
    expect_values(run, 0, 10, expected);
    sl_sda_run_destroy(run);
    run = fixture_run(&f, &q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_ZENO);
    int32_t first, length;
    sl_sda_run_cycle(run, &first, &length);
    assert_int_equal(first, 0);
    assert_int_equal(length, 2);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void example_3_1_2_delay(void **state) {
    (void)state;
    fixture f;
    make_delay(&f);
    assert_int_equal(sl_sda_horizon(f.a), 1);
    const int32_t q0 = 1, expected[] = {1, 1, 0, 1, 0};
    sl_sda_run *run = fixture_run(&f, &q0, NULL);
    assert_int_equal(sl_sda_run_state(run), SL_SDA_CONVERGED);
    expect_values(run, 0, 1, expected);
    sl_sda_run_destroy(run);
    sl_sda_def def = sl_sda_default();
    def.rule = SL_SDA_UNTIL_BOUND;
    def.most_steps = 4;
    run = fixture_run(&f, &q0, &def);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_BOUND);
    expect_values(run, 0, 5, expected);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void example_3_1_3_counting(void **state) {
    (void)state;
    for (int n = 2; n <= 6; n++) {
        fixture f;
        make_counting(&f, n);
        int worst = 0;
        for (int code = 0; code < n << (n - 1); code++) { /* every state */
            int32_t q0[6] = {code >> (n - 1)}, sum = 0;
            for (int i = 1; i < n; i++) {
                q0[i] = code >> (i - 1) & 1;
                sum += q0[i];
            }
            sl_sda_run *run = fixture_run(&f, q0, NULL);
            assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
            assert_int_equal(sl_sda_run_value(run, 0), sum);
            worst = sl_sda_run_time(run) > worst ? sl_sda_run_time(run) : worst;
            sl_sda_run_destroy(run);
        }
        assert_int_equal(worst, 1);
        fixture_fini(&f);
    }
}

typedef struct collected {
    int n;
    sl_sda_state state[64];
    int32_t time[64], first_derivative[64], last[64];
} collected;
static bool collect(void *user, const sl_sda_run *run) {
    collected *c = user;
    c->state[c->n] = sl_sda_run_state(run);
    c->time[c->n] = sl_sda_run_time(run);
    c->last[c->n] = sl_sda_run_value(run, 0);
    return ++c->n < 64;
}

static void example_3_1_4_unsolvable(void **state) {
    (void)state;
    fixture f;
    make_unsolvable(&f);
    const int32_t q0 = 0, prefix[] = {0, 1};
    sl_sda_run *run = fixture_run(&f, &q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_UNSOLVABLE);
    expect_values(run, 0, 2, prefix);
    sl_sda_run_destroy(run);
    /* Branching over maximal consistent subsets: stays at once, after one tick more, or ticks for ever. */
    explore_def def = explore_default();
    def.run.overdetermined_branches = true;
    for (int depth = 0; depth < 2; depth++) {
        collected c = {0};
        explore_result done;
        def.depth_first = depth;
        sl_assert_ok(explore_runs(f.a, &q0, &def, collect, &c, &done));
        assert_true(done.complete);
        assert_int_equal(c.n, 3);
        int n_zeno = 0;
        for (int i = 0; i < 3; i++) {
            bool zeno = c.state[i] == SL_SDA_ZENO;
            n_zeno += zeno;
            assert_true(zeno ? c.time[i] == 3 : c.state[i] == SL_SDA_CONVERGED && (c.time[i] == 1 || c.time[i] == 2));
            assert_int_equal(c.last[i], c.time[i] % 2);
        }
        assert_int_equal(n_zeno, 1);
    }
    fixture_fini(&f);
}

static void example_3_1_5_nondeterministic(void **state) {
    (void)state;
    fixture f;
    make_nondeterministic(&f);
    const int32_t q0 = 1;
    sl_sda_run *run = fixture_run(&f, &q0, NULL);
    assert_int_equal(sl_sda_run_derivative(run, 0, 0), -1);
    assert_int_equal(sl_sda_run_derivative(run, 1, 0), 1);
    sl_sda_run_destroy(run);
    collected c = {0};
    explore_result done;
    sl_assert_ok(explore_runs(f.a, &q0, NULL, collect, &c, &done));
    assert_true(done.complete);
    assert_int_equal(c.n, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(c.state[i], SL_SDA_CONVERGED);
        assert_int_equal(c.time[i], 1);
        assert_int_equal(c.last[i], 0);
    }
    fixture_fini(&f);
}

/* ---- Section 4.3.1 ------------------------------------------------------------------------------------ */

static void until_no_guard_is_active(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "q", 4);
    fixture_transition(&f, "", "der(q) = if(q = 1, 0, 1)", "q < 3 & t < 9");
    fixture_finish(&f);
    const int32_t q0 = 0;
    sl_sda_run *run = fixture_run(&f, &q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
    assert_int_equal(sl_sda_run_time(run), 1);
    sl_sda_run_destroy(run);
    sl_sda_def def = sl_sda_default();
    def.rule = SL_SDA_UNTIL_QUIET;
    run = fixture_run(&f, &q0, &def);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
    assert_int_equal(sl_sda_run_time(run), 9);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void exploration_has_limits(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "q", 1000);
    fixture_transition(&f, "", "der(q)^2 = 1", "true");
    fixture_finish(&f);
    const int32_t q0 = 0;
    for (int k = 0; k < 3; k++) {
        explore_def def = explore_default();
        def.depth_first = k != 1;
        def.max_executions = k == 0 ? 5 : 1000;
        def.most_steps = k == 1 ? 300 : 20000;
        def.max_open = k == 2 ? 10 : 10000;
        def.run.most_steps = 30;
        collected c = {0};
        explore_result done;
        sl_assert_ok(explore_runs(f.a, &q0, &def, collect, &c, &done));
        assert_false(done.complete);
    }
    fixture_fini(&f);
}

static void too_many_combinations_are_told(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "a", 1000);
    fixture_variable(&f, "b", 1000);
    fixture_variable(&f, "c", 1000);
    fixture_transition(&f, "", "der(a)*der(b)*der(c) = 997", "true");
    fixture_finish(&f);
    const int32_t q0[] = {0, 0, 0};
    sl_sda_def def = sl_sda_default();
    def.most_trials = 10000;
    sl_sda_run *run = fixture_run(&f, q0, &def);
    assert_int_equal(sl_sda_run_state(run), SL_SDA_GAVE_UP);
    sl_sda_run_explain(run, f.diags);
    assert_int_equal(sl_diags_size(f.diags), 1);
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void run_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_sda *a = NULL;
    int32_t q, t;
    sl_expr e, guard;
    const int32_t q0[] = {1, 0};
    if (g && sl_sda_create(g, &a) == SL_OK && sl_sda_add_variable(a, sl_str_z("q"), 2, NULL, NULL, &q) == SL_OK &&
        sl_sda_add_variable(a, sl_str_z("r"), 3, NULL, NULL, &q) == SL_OK &&
        sl_expr_parse(g, sl_str_z("q = der(q)^2"), NULL, NULL, &e) == SL_OK &&
        sl_expr_parse(g, sl_str_z("t < 3 | r = 1"), NULL, NULL, &guard) == SL_OK &&
        sl_sda_add_transition(a, sl_str_z("a"), e, guard, NULL, NULL, &t) == SL_OK &&
        sl_expr_parse(g, sl_str_z("der(r) = q - r"), NULL, NULL, &e) == SL_OK &&
        sl_sda_add_transition(a, sl_str_z("b"), e, guard, NULL, NULL, &t) == SL_OK && sl_sda_finish(a) == SL_OK) {
        collected c = {0};
        explore_result done;
        (void)explore_runs(a, q0, NULL, collect, &c, &done);
    }
    sl_sda_destroy(a);
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(run_all, NULL) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition_3_1_1_structured_discrete_automaton),
        cmocka_unit_test(definition_3_1_2_discrete_derivatives),
        cmocka_unit_test(definition_3_1_3_discrete_execution),
        cmocka_unit_test(definition_3_1_4_discrete_solvability),
        cmocka_unit_test(definition_3_1_5_discrete_determinism),
        cmocka_unit_test(definition_3_1_6_discrete_zenoness),
        cmocka_unit_test(example_3_1_1_ticker),
        cmocka_unit_test(example_3_1_2_delay),
        cmocka_unit_test(example_3_1_3_counting),
        cmocka_unit_test(example_3_1_4_unsolvable),
        cmocka_unit_test(example_3_1_5_nondeterministic),
        cmocka_unit_test(until_no_guard_is_active),
        cmocka_unit_test(exploration_has_limits),
        cmocka_unit_test(too_many_combinations_are_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
