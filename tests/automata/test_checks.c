/* SPDX-License-Identifier: MIT */
/* Checks without running: each verdict, with its witness; and the search and the bounds they rest on. */
#include "automata_test.h"

#include "automata/check.h"
#include "automata/search.h"

static const sl_finding *find(const sl_sda_report *r, sl_finding_kind kind) {
    for (int64_t i = 0; i < r->n_finding; i++) {
        if (r->findings[i].kind == kind) {
            return &r->findings[i];
        }
    }
    return NULL;
}

typedef struct expected {
    sl_verdict exclusive, deterministic, zeno_free;
    int bound;
} expected;
static void expect(const sl_sda_report *r, expected e) {
    assert_int_equal(r->exclusive, e.exclusive);
    assert_int_equal(r->deterministic, e.deterministic);
    assert_int_equal(r->zeno_free, e.zeno_free);
    assert_int_equal(r->bound, e.bound);
}

static void the_examples(void **state) {
    (void)state;
    fixture f;
    sl_sda_report r;
    make_ticker(&f);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    expect(&r, (expected){SL_PROVED, SL_PROVED, SL_REFUTED, -1});
    assert_non_null(find(&r, SL_FINDING_ENDLESS));
    sl_sda_report_fini(&r);
    fixture_fini(&f);

    make_counting(&f, 6);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    expect(&r, (expected){SL_PROVED, SL_PROVED, SL_PROVED, 1});
    sl_sda_report_fini(&r);
    fixture_fini(&f);

    make_unsolvable(&f);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.exclusive, SL_REFUTED);
    assert_int_equal(r.deterministic, SL_REFUTED);
    const sl_finding *c = find(&r, SL_FINDING_CONTRADICTION);
    assert_non_null(c);
    assert_int_equal(c->t, 1);
    sl_sda_report_explain(f.a, &r, NULL, f.diags);
    assert_true(sl_diags_count(f.diags, SL_ERROR) > 0);
    sl_sda_report_fini(&r);
    fixture_fini(&f);

    make_nondeterministic(&f);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.exclusive, SL_PROVED);
    assert_int_equal(r.deterministic, SL_REFUTED);
    c = find(&r, SL_FINDING_MANY_SOLUTIONS);
    assert_non_null(c);
    assert_int_equal(c->n_witness, 1);
    assert_int_equal(r.witnesses[c->first_witness].value, 1);
    sl_sda_report_fini(&r);
    fixture_fini(&f);
}

/* One equation chooses among the solutions of another: its form does not decide that, its states do. */
static void solutions_that_another_equation_chooses(void **state) {
    (void)state;
    static const struct {
        const char *guard;
        sl_verdict deterministic;
    } cases[] = {{"q", SL_PROVED}, {"true", SL_PROVED}, {"q & r", SL_REFUTED}, {"q & t > 0", SL_REFUTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        sl_sda_report r;
        fixture_init(&f);
        fixture_variable(&f, "q", 2);
        fixture_variable(&f, "r", 2);
        fixture_transition(&f, "square", "der(q)^2 = q", "true");
        fixture_transition(&f, "up", "der(q) = q", cases[i].guard);
        fixture_finish(&f);
        sl_assert_ok(sl_sda_check(f.a, NULL, &r));
        assert_int_equal(r.deterministic, cases[i].deterministic);
        assert_true(!find(&r, SL_FINDING_MANY_SOLUTIONS) == (r.deterministic == SL_PROVED));
        assert_null(find(&r, SL_FINDING_COUPLED));
        sl_sda_report_fini(&r);
        sl_check_def forms = sl_check_default(); /* by forms alone */
        forms.most_states = 0;
        sl_assert_ok(sl_sda_check(f.a, &forms, &r));
        assert_int_equal(r.deterministic, cases[i].deterministic == SL_PROVED ? SL_UNKNOWN : SL_REFUTED);
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
}

/* The printed sign of the counting automaton leaves the domain. */
static void derivatives_beyond_the_domain(void **state) {
    (void)state;
    fixture f;
    sl_sda_report r;
    fixture_init(&f);
    fixture_variable(&f, "q", 3);
    fixture_variable(&f, "r", 3);
    fixture_transition(&f, "", "der(q) = q + r", "q != r");
    fixture_finish(&f);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.deterministic, SL_REFUTED);
    const sl_finding *n = find(&r, SL_FINDING_NO_SOLUTION);
    assert_non_null(n);
    assert_int_equal(n->n_witness, 2);
    assert_int_equal(r.witnesses[n->first_witness].value + r.witnesses[n->first_witness + 1].value, 3);
    sl_sda_report_fini(&r);
    fixture_fini(&f);
}

static void chains_circles_and_walks(void **state) {
    (void)state;
    static const struct {
        const char *transitions[4][2];
        sl_verdict zeno_free;
        int bound;
    } cases[] = {
        /* b follows a follows c: three values, c steps up to 2 by itself */
        {{{"der(c) = 1", "c < 2"}, {"der(a) = c - a", "a != c"}, {"der(b) = a - b", "b != a"}}, SL_PROVED, 4},
        /* only before t = 2 */
        {{{"der(a) = 1", "t < 2 & a < 2"}, {"der(b) = a - b", "b != a"}}, SL_PROVED, 3},
        /* a follows b, b runs away from a */
        {{{"der(a) = b - a", "a != b"}, {"der(b) = if(b < 2, 1, -2)", "b = a"}}, SL_REFUTED, -1},
        /* a leads into a circle of two values that it is not part of */
        {{{"der(a) = if(a < 2, 1, -1)", "true"}}, SL_REFUTED, -1},
        /* down from 0 is 2: at most two steps to 1 */
        {{{"der(a) = -1", "a != 1"}}, SL_PROVED, 2},
        /* circles that end nevertheless, which only their states tell */
        {{{"der(a) = b - a", "a < b"}, {"der(b) = a - b", "b < a"}}, SL_PROVED, 1},
        {{{"der(a) = 1", "mod(t, 2) = 0 & a < 2"}}, SL_PROVED, 1},
        /* each second step: for ever, once and again */
        {{{"der(a) = 1", "mod(t, 2) = 0"}, {"der(b) = 1", "mod(t, 2) = 1"}}, SL_REFUTED, -1},
        {{{"der(a) = 1", "mod(t, 2) = 0 & a < 2"}, {"der(b) = 1", "mod(t, 2) = 1 & b < 2"}}, SL_PROVED, 4},
        /* a time that variables move */
        {{{"der(a) = 1", "t < b + c"}}, SL_PROVED, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        sl_sda_report r;
        fixture_init(&f);
        fixture_variable(&f, "a", 3);
        fixture_variable(&f, "b", 3);
        fixture_variable(&f, "c", 3);
        for (int k = 0; k < 4 && cases[i].transitions[k][0]; k++) {
            fixture_transition(&f, "", cases[i].transitions[k][0], cases[i].transitions[k][1]);
        }
        fixture_finish(&f);
        sl_assert_ok(sl_sda_check(f.a, NULL, &r));
        assert_int_equal(r.zeno_free, cases[i].zeno_free);
        assert_int_equal(r.bound, cases[i].bound);
        /* The proof against all executions. */
        int longest = 0;
        for (int code = 0; code < 27; code++) {
            int32_t q0[] = {code % 3, code / 3 % 3, code / 9};
            sl_sda_run *run = fixture_run(&f, q0, NULL);
            sl_sda_state end = sl_sda_run_finish(run);
            assert_true(cases[i].zeno_free != SL_PROVED || end == SL_SDA_CONVERGED);
            longest = sl_sda_run_time(run) > longest ? sl_sda_run_time(run) : longest;
            sl_sda_run_destroy(run);
        }
        assert_true(cases[i].zeno_free != SL_PROVED || longest <= r.bound);
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
}

/* Where executions end when no guard is active, standing still is none: the verdict against all executions. */
static void until_no_guard_is_active(void **state) {
    (void)state;
    static const struct {
        const char *transitions[2][2];
        sl_verdict zeno_free;
        int bound;
    } cases[] = {
        {{{"der(q) = 0", NULL}}, SL_REFUTED, -1},
        {{{"der(q) = 1 - q", "q < 2"}}, SL_REFUTED, -1}, /* at rest at 1, the guard holds */
        {{{"der(q) = 1 - q", "q = 0"}}, SL_PROVED, 1},
        {{{"der(q) = 1", "q < 2"}, {"der(r) = q - r", "r < q"}}, SL_PROVED, 3},
        {{{"der(q) = 1", "q < 2"}, {"der(r) = 0", "q = 1 & t < 2"}}, SL_PROVED, 4},
        {{{"der(q) = 1", "q < 2"}, {"der(r) = 0", "q = 1 & r = 1"}}, SL_PROVED, 2}, /* never at rest there */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        sl_sda_report r;
        sl_check_def def = sl_check_default();
        sl_sda_def by_guards = sl_sda_default();
        def.rule = by_guards.rule = SL_SDA_UNTIL_QUIET;
        fixture_init(&f);
        fixture_variable(&f, "q", 3);
        fixture_variable(&f, "r", 3);
        for (int k = 0; k < 2 && cases[i].transitions[k][0]; k++) {
            const char *guard = cases[i].transitions[k][1];
            fixture_transition(&f, "", cases[i].transitions[k][0], guard ? guard : "true");
        }
        fixture_finish(&f);
        sl_assert_ok(sl_sda_check(f.a, &def, &r));
        assert_int_equal(r.zeno_free, cases[i].zeno_free);
        assert_int_equal(r.bound, cases[i].bound);
        assert_true((r.zeno_free == SL_PROVED) == !find(&r, SL_FINDING_STANDS_ACTIVE));
        bool endless = false;
        for (int code = 0; code < 9; code++) {
            int32_t q0[] = {code % 3, code / 3};
            sl_sda_run *run = fixture_run(&f, q0, &by_guards);
            endless = sl_sda_run_finish(run) == SL_SDA_ZENO || endless;
            assert_true(r.zeno_free != SL_PROVED || sl_sda_run_time(run) <= r.bound);
            sl_sda_run_destroy(run);
        }
        assert_true(endless == (r.zeno_free == SL_REFUTED));
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
}

static void what_nobody_needs(void **state) {
    (void)state;
    fixture f;
    sl_sda_report r;
    fixture_init(&f);
    fixture_variable(&f, "q", 2);
    fixture_variable(&f, "idle", 2);
    fixture_transition(&f, "good", "der(q) = 1", "t = 0 & q");
    fixture_transition(&f, "dead", "der(q) = 1", "q & t > 3 & t < 2");
    fixture_finish(&f);
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    expect(&r, (expected){SL_PROVED, SL_PROVED, SL_PROVED, 4});
    assert_int_equal(find(&r, SL_FINDING_NEVER_ACTIVE)->transition[0], 1);
    assert_int_equal(find(&r, SL_FINDING_UNUSED)->variable, 1);
    sl_sda_report_explain(f.a, &r, NULL, f.diags);
    sl_assert_z(sl_diags_at(f.diags, 0)->text, "q: the guard can never hold (transition 1 dead)");
    sl_sda_report_fini(&r);
    fixture_fini(&f);
}

/* The search against all states, on random guards. */
static sl_expr random_guard(fixture *f, uint64_t *seed, int size) {
    if (size < 2) {
        sl_expr q = sl_expr_variable(f->g, (int32_t)sl_test_below(seed, 5), 0);
        return sl_expr_2(f->g, (sl_op)(SL_OP_LT + sl_test_below(seed, 4)), q,
                         sl_test_below(seed, 2) ? sl_expr_const(f->g, (double)sl_test_below(seed, 3))
                                                : sl_expr_variable(f->g, (int32_t)sl_test_below(seed, 5), 0));
    }
    sl_expr a = random_guard(f, seed, size / 2), b = random_guard(f, seed, size - size / 2);
    switch (sl_test_below(seed, 5)) {
    case 0: return sl_expr_2(f->g, SL_OP_OR, a, b);
    case 1: return sl_expr_1(f->g, SL_OP_NOT, sl_expr_2(f->g, SL_OP_OR, a, b));
    case 2: return sl_expr_2(f->g, SL_OP_EQ, sl_expr_2(f->g, SL_OP_ADD, a, b), sl_expr_const(f->g, 1.0));
    default: return sl_expr_2(f->g, SL_OP_AND, a, b);
    }
}
static void search_equals_all_cases(void **state) {
    (void)state;
    uint64_t seed = 5;
    fixture f;
    fixture_init(&f);
    const char *names[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++) {
        fixture_variable(&f, names[i], 3);
    }
    fixture_finish(&f);
    sl_search s;
    sl_search_init(&s, f.a, 100000);
    int n_yes = 0;
    for (int k = 0; k < 1000; k++) {
        sl_expr e = random_guard(&f, &seed, 3 + (int)sl_test_below(&seed, 12));
        bool possible = false;
        double x[5], y;
        sl_expr_point at = {.x = {x}};
        for (int code = 0; code < 243 && !possible; code++) {
            for (int i = 0, rest = code; i < 5; i++, rest /= 3) {
                x[i] = rest % 3;
            }
            sl_assert_ok(sl_expr_eval(f.g, e, &at, &y));
            possible = y != 0.0;
        }
        sl_search_result answer = sl_search_ask(&s, e);
        assert_int_equal(answer, possible ? SL_SEARCH_YES : SL_SEARCH_NO);
        n_yes += possible;
        if (possible) { /* whatever the others are */
            for (int i = 0; i < 5; i++) {
                x[i] = (double)sl_test_below(&seed, 3);
            }
            for (int64_t i = 0; i < s.witness.n; i++) {
                x[s.witness.at[i].variable] = s.witness.at[i].value;
            }
            sl_assert_ok(sl_expr_eval(f.g, e, &at, &y));
            assert_true(y != 0.0);
        }
    }
    assert_true(n_yes > 100 && n_yes < 990);
    sl_search_fini(&s);
    fixture_fini(&f);
}

static void check_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_sda *a = NULL;
    int32_t q, t;
    sl_expr e, guard;
    if (g && sl_sda_create(g, &a) == SL_OK && sl_sda_add_variable(a, sl_str_z("q"), 2, NULL, NULL, &q) == SL_OK &&
        sl_sda_add_variable(a, sl_str_z("r"), 3, NULL, NULL, &q) == SL_OK &&
        sl_expr_parse(g, sl_str_z("der(q) = 1"), NULL, NULL, &e) == SL_OK &&
        sl_expr_parse(g, sl_str_z("t < 1 | r = 1"), NULL, NULL, &guard) == SL_OK &&
        sl_sda_add_transition(a, sl_str_z("a"), e, guard, NULL, NULL, &t) == SL_OK &&
        sl_expr_parse(g, sl_str_z("der(r) = q - r"), NULL, NULL, &e) == SL_OK &&
        sl_sda_add_transition(a, sl_str_z("b"), e, guard, NULL, NULL, &t) == SL_OK && sl_sda_finish(a) == SL_OK) {
        sl_sda_report r;
        sl_status status = sl_sda_check(a, NULL, &r);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
        sl_sda_report_fini(&r);
    }
    sl_sda_destroy(a);
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(check_all, NULL) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples),
        cmocka_unit_test(solutions_that_another_equation_chooses),
        cmocka_unit_test(derivatives_beyond_the_domain),
        cmocka_unit_test(chains_circles_and_walks),
        cmocka_unit_test(until_no_guard_is_active),
        cmocka_unit_test(what_nobody_needs),
        cmocka_unit_test(search_equals_all_cases),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
