/* SPDX-License-Identifier: MIT */
/* Executions that branch (sluice/automaton.h): policies, choices saved and copied, all executions explored. */
#include "automata_test.h"
#include "explore.h"
#include "execution_test.h"

/* ---- Choices: at x = 1 the way leads up or down, at x = 2 again, until the end at t = 3 ---- */

static sl_automaton *make_fork(sl_context *ctx, sl_diags *diags, sl_choices choices) {
    sl_automaton *a = NULL;
    if (sl_automaton_create(ctx, "fork", diags, &a) != SL_OK) {
        return NULL;
    }
    sl_automaton_add_discrete(a, "one", 2, 0);
    sl_automaton_add_discrete(a, "two", 2, 0);
    sl_automaton_add_discrete(a, "way", 5, 2); /* up: 3 or 4, down: 1 or 0 */
    sl_automaton_add_discrete(a, "seen", 3, 0);
    sl_automaton_add_continuous(a, "x", 0.0, 0.0);
    sl_automaton_add_continuous(a, "y", 0.0, 0.0);
    sl_automaton_add_root(a, "first", "one", "x - 1", NULL);
    sl_automaton_add_root(a, "second", "two", "x - 2", NULL);
    sl_automaton_add_transition(a, "fork", "der(way)^2 = 1", "one + two > seen");
    sl_automaton_add_transition(a, "seen", "der(seen) = 1", "one + two > seen");
    sl_automaton_add_activity(a, "along", "der(x) = 1", NULL);
    static const char *const slopes[] = {"der(y) = -2", "der(y) = -1", "der(y) = 0", "der(y) = 1", "der(y) = 2"};
    for (int k = 0; k < 5; k++) {
        char guard[32];
        (void)snprintf(guard, sizeof guard, "way = %d", k);
        sl_automaton_add_activity(a, "", slopes[k], guard);
    }
    sl_execution_def def = tight();
    def.end = 3.0;
    def.choices = choices;
    if (sl_automaton_set_run(a, &def) != SL_OK || sl_automaton_finish(a) != SL_OK) {
        sl_automaton_destroy(a);
        return NULL;
    }
    return a;
}

/* y at t = 3: each way counts from its time on. */
static double end_of(const int64_t *path, int32_t n) {
    assert_int_equal(n, 2);
    double first = path[0] ? 1.0 : -1.0, second = path[1] ? 1.0 : -1.0;
    return 2.0 * first + 1.0 * second;
}

static void choices_by_policy(void **state) {
    (void)state;
    setting s;
    for (int k = 0; k < 3; k++) {
        begin(&s, "unused");
        sl_automaton *a = make_fork(s.ctx, s.diags, (sl_choices)k);
        sl_execution_info info = {.size = sizeof info};
        assert_non_null(a);
        sl_assert_ok(sl_execution_create(a, NULL, s.diags, &s.e));
        if (k == SL_CHOICES_ERROR) {
            sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, &info), SL_ERR_SOLVE);
            assert_int_equal(sl_diags_at(sl_execution_diags(s.e), 0)->code, SL_CODE_NONDETERMINISTIC);
            sl_assert_abs(sl_execution_time(s.e), 1.0, 1e-9);
        } else if (k == SL_CHOICES_FIRST) {
            sl_assert_ok(sl_execution_next(s.e, SL_EVENT_STOP, &info));
            sl_assert_abs(sl_execution_values(s.e)[1], -3.0, 1e-9);
        } else {
            static const int64_t path[] = {1, 0};
            for (int c = 0; c < 2; c++) {
                sl_assert_ok(sl_execution_next(s.e, SL_EVENT_STOP, &info));
                assert_int_equal(info.event, SL_EVENT_CHOICE);
                sl_assert_abs(info.time, 1.0 + c, 1e-9);
                assert_int_equal(sl_execution_n_choice(s.e), 2);
                assert_int_equal(sl_execution_difference(s.e, 0, 2), -1);
                assert_int_equal(sl_execution_difference(s.e, 1, 2), 1);
                assert_int_equal(sl_execution_difference(s.e, 1, 3), 1);
                sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, &info), SL_ERR_USE);
                sl_assert_status(sl_execution_choose(s.e, 2), SL_ERR_USE);
                sl_assert_ok(sl_execution_choose(s.e, 1 - path[c])); /* and thinks better of it */
                sl_assert_ok(sl_execution_choose(s.e, path[c]));
            }
            sl_assert_ok(sl_execution_next(s.e, SL_EVENT_STOP, &info));
            assert_int_equal(info.event, SL_EVENT_STOP);
            int32_t n;
            const int64_t *made = sl_execution_path(s.e, &n);
            assert_memory_equal(made, path, sizeof path);
            sl_assert_abs(sl_execution_values(s.e)[1], end_of(made, n), 1e-9);
            sl_assert_status(sl_execution_choose(s.e, 0), SL_ERR_USE);
        }
        sl_execution_destroy(s.e);
        s.e = NULL;
        sl_automaton_destroy(a);
        end(&s);
    }
}

static bool same(const sl_execution *a, const sl_execution *b) {
    int32_t n, m;
    const int64_t *p = sl_execution_path(a, &n), *q = sl_execution_path(b, &m);
    double t = sl_execution_time(a), u = sl_execution_time(b);
    return memcmp(&t, &u, sizeof t) == 0 && n == m && (n == 0 || memcmp(p, q, (size_t)n * sizeof *p) == 0) &&
           memcmp(sl_execution_values(a), sl_execution_values(b), 2 * sizeof(double)) == 0 &&
           memcmp(sl_execution_derivatives(a), sl_execution_derivatives(b), 2 * sizeof(double)) == 0 &&
           memcmp(sl_execution_states(a), sl_execution_states(b), 4 * sizeof(int32_t)) == 0;
}

/* Saved, restored and copied at every piece, before and after choosing: the same bits to the end. */
static void saved_with_choices(void **state) {
    (void)state;
    setting s;
    begin(&s, "unused");
    sl_automaton *a = make_fork(s.ctx, s.diags, SL_CHOICES_ASK);
    sl_execution *other = NULL, *copy = NULL;
    sl_execution_info i = {.size = sizeof i}, j = i;
    sl_assert_ok(sl_execution_create(a, NULL, s.diags, &s.e));
    sl_assert_ok(sl_execution_create(a, NULL, s.diags, &other));
    text t;
    int n_choice = 0, n = 0;
    do {
        sl_assert_ok(sl_execution_next(s.e, SL_EVENT_ANY, &i));
        for (int chosen = 0; chosen < (i.event == SL_EVENT_CHOICE ? 2 : 1); chosen++) {
            if (chosen) {
                sl_assert_ok(sl_execution_choose(s.e, n_choice++ % 2));
            }
            t.n = 0;
            sl_sink sink = {&t, to_text};
            sl_assert_ok(sl_execution_save(s.e, &sink));
            sl_assert_ok(sl_execution_restore(other, t.at, t.n));
            sl_assert_ok(sl_execution_copy(s.e, &copy));
            assert_true(same(s.e, other) && same(s.e, copy));
            assert_int_equal(sl_execution_n_choice(other), sl_execution_n_choice(s.e));
            if (i.event != SL_EVENT_STOP && (i.event != SL_EVENT_CHOICE || chosen)) {
                sl_assert_ok(sl_execution_next(other, SL_EVENT_ANY, &i));
                sl_assert_ok(sl_execution_next(copy, SL_EVENT_ANY, &j));
                assert_true(i.event == j.event && same(other, copy));
                i.event = 0;
            }
            sl_execution_destroy(copy);
        }
        n++;
    } while (i.event != SL_EVENT_STOP);
    assert_true(n_choice == 2 && n > 20);
    /* What was not saved from it is refused, and nothing has changed. */
    t.at[t.n / 2] ^= 1;
    sl_assert_status(sl_execution_restore(other, t.at, t.n), SL_ERR_INPUT);
    sl_assert_status(sl_execution_restore(other, t.at, 10), SL_ERR_INPUT);
    assert_true(same(s.e, other));
    sl_execution_destroy(other);
    sl_execution_destroy(s.e);
    s.e = NULL;
    sl_automaton_destroy(a);
    end(&s);
}

typedef struct tally {
    int n, n_failed;
    bool seen[2][2];
    int order[4];
} tally;

static bool count(void *user, sl_execution *e, sl_status status) {
    tally *t = user;
    int32_t n;
    const int64_t *path = sl_execution_path(e, &n);
    t->n_failed += status != SL_OK;
    sl_assert_abs(sl_execution_values(e)[1], end_of(path, n), 1e-9);
    t->seen[path[0]][path[1]] = true;
    t->order[t->n++ % 4] = (int)(2 * path[0] + path[1]);
    return true;
}

static void explored(void **state) {
    (void)state;
    setting s;
    begin(&s, "unused");
    sl_automaton *a = make_fork(s.ctx, s.diags, SL_CHOICES_ASK);
    sl_explored done = {.size = sizeof done};
    sl_assert_ok(sl_execution_create(a, NULL, s.diags, &s.e));
    for (int depth = 0; depth < 2; depth++) {
        sl_explore_def def = sl_explore_default();
        def.depth_first = depth;
        tally t = {0};
        sl_assert_ok(sl_execution_explore(s.e, &def, count, &t, &done));
        assert_true(done.complete && t.n == 4 && t.n_failed == 0 && done.n_execution == 4);
        assert_true(t.seen[0][0] && t.seen[0][1] && t.seen[1][0] && t.seen[1][1]);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(t.order[k], k);
        }
    }
    /* Limits. */
    for (int k = 0; k < 3; k++) {
        sl_explore_def def = sl_explore_default();
        def.max_executions = k == 0 ? 3 : def.max_executions;
        def.max_open = k == 1 ? 1 : def.max_open;
        def.max_pieces = k == 2 ? 30 : def.max_pieces;
        tally t = {0};
        sl_assert_ok(sl_execution_explore(s.e, &def, count, &t, &done));
        assert_false(done.complete);
        assert_int_equal(t.n, k == 0 ? 3 : k == 1 ? 1 : 0);
    }
    /* From the first choice on, with the first made: two are left. */
    sl_assert_ok(sl_execution_next(s.e, SL_EVENT_STOP, NULL));
    sl_assert_ok(sl_execution_choose(s.e, 1));
    tally t = {0};
    sl_assert_ok(sl_execution_explore(s.e, NULL, count, &t, &done));
    assert_true(t.n == 2 && t.seen[1][0] && t.seen[1][1]);
    sl_execution_destroy(s.e);
    s.e = NULL;
    /* One that nobody may choose in. */
    sl_execution_def def = sl_execution_default();
    sl_assert_ok(sl_execution_create(a, &def, s.diags, &s.e));
    sl_assert_status(sl_execution_explore(s.e, NULL, count, &t, &done), SL_ERR_USE);
    sl_execution_destroy(s.e);
    s.e = NULL;
    sl_automaton_destroy(a);
    end(&s);
}

/* Example 3.1.4 with branches: stays at once, after one tick more, or ticks for ever. */
static bool count_ends(void *user, sl_execution *e, sl_status status) {
    int *n = user;
    bool zeno = status == SL_ERR_SOLVE && sl_diags_at(sl_execution_diags(e), 0)->code == SL_CODE_ZENO;
    n[zeno]++;
    assert_true(zeno || status == SL_OK);
    return true;
}

static void conflicts_branch(void **state) {
    (void)state;
    setting s;
    for (int branch = 0; branch < 2; branch++) {
        begin(&s, "unsolvable");
        sl_assert_ok(sl_automaton_add_discrete(s.a, "q0", 2, 0));
        sl_assert_ok(sl_automaton_add_transition(s.a, "up", "der(q0) = 1", NULL));
        sl_assert_ok(sl_automaton_add_transition(s.a, "stay", "der(q0) = 0", "t > 0"));
        sl_assert_ok(sl_automaton_set_conflicts(s.a, branch));
        sl_assert_ok(sl_automaton_finish(s.a));
        sl_execution_def def = sl_execution_default();
        def.choices = SL_CHOICES_ASK;
        sl_assert_ok(sl_execution_create(s.a, &def, s.diags, &s.e));
        if (!branch) {
            sl_assert_status(sl_execution_next(s.e, SL_EVENT_STOP, NULL), SL_ERR_SOLVE);
            assert_int_equal(sl_diags_at(sl_execution_diags(s.e), 0)->code, SL_CODE_UNSOLVABLE);
        } else {
            int n[2] = {0};
            sl_explored done = {.size = sizeof done};
            sl_assert_ok(sl_execution_explore(s.e, NULL, count_ends, n, &done));
            assert_true(done.complete && n[0] == 2 && n[1] == 1);
        }
        end(&s);
    }
}

/* ---- Random discrete automata: as src/automata explores them by itself ---- */

enum { N_VARIABLE = 3, N_TRANSITION = 4 };

/* How executions ended: a sum over all of them of what tells ends apart. */
typedef struct ends {
    int64_t n;
    uint64_t sum;
} ends;

static void add_end(ends *all, int how, const int32_t *q) {
    uint64_t key = (uint64_t)how;
    for (int i = 0; i < N_VARIABLE; i++) {
        key = key * 8 + (uint64_t)q[i];
    }
    all->n++;
    all->sum += (key + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (key + 7) << 29;
}

static bool end_of_run(void *user, const sl_sda_run *run) {
    static const int how[] = {[SL_SDA_CONVERGED] = 0, [SL_SDA_UNSOLVABLE] = 1, [SL_SDA_ZENO] = 2};
    assert_true(sl_sda_run_state(run) <= SL_SDA_ZENO);
    add_end(user, how[sl_sda_run_state(run)], sl_sda_run_values(run));
    return true;
}

static bool end_of_execution(void *user, sl_execution *e, sl_status status) {
    int how = 0;
    if (status != SL_OK) {
        sl_code code = sl_diags_at(sl_execution_diags(e), 0)->code;
        assert_true(code == SL_CODE_UNSOLVABLE || code == SL_CODE_ZENO);
        how = code == SL_CODE_UNSOLVABLE ? 1 : 2;
    }
    add_end(user, how, sl_execution_states(e));
    return true;
}

/* The same automaton in both forms. */
static void make_random(setting *s, fixture *f, uint64_t *seed, int32_t *q0, bool branch) {
    static const char *const equations[] = {"der(a)^2 = 1",       "der(b) = 1",     "der(c)*(der(c) - 1) = 0",
                                            "der(b) = -1",        "der(c) = a - c", "der(a)*der(c) = 0",
                                            "der(a) + der(b) = 1"};
    static const char *const guards[] = {"a < 2", "b != c", "t < 2", "a = 1 | c = 0", "t >= 1 & b > 0", "c = 2"};
    begin(s, "random");
    fixture_init(f);
    for (int i = 0; i < N_VARIABLE; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        q0[i] = (int32_t)sl_test_below(seed, 3);
        fixture_variable(f, name, 3);
        sl_assert_ok(sl_automaton_add_discrete(s->a, name, 3, q0[i]));
    }
    for (int i = 0; i < N_TRANSITION; i++) {
        const char *equation = equations[sl_test_below(seed, 7)], *guard = guards[sl_test_below(seed, 6)];
        fixture_transition(f, "", equation, guard);
        sl_assert_ok(sl_automaton_add_transition(s->a, "", equation, guard));
    }
    fixture_finish(f);
    sl_assert_ok(sl_automaton_set_conflicts(s->a, branch));
    sl_assert_ok(sl_automaton_finish(s->a));
}

static void random_automata_branch_alike(void **state) {
    (void)state;
    uint64_t seed = 5;
    int n_branched = 0, n_whole = 0;
    for (int k = 0; k < 100; k++) {
        setting s;
        fixture f;
        int32_t q0[N_VARIABLE];
        make_random(&s, &f, &seed, q0, k % 2);
        explore_def def = explore_default();
        def.run.overdetermined_branches = k % 2;
        def.max_executions = 300;
        ends expected = {0}, found = {0};
        explore_result done;
        sl_explored done_too = {.size = sizeof done_too};
        sl_assert_ok(explore_runs(f.a, q0, &def, end_of_run, &expected, &done));
        if (done.complete) {
            sl_execution_def run = sl_execution_default();
            run.choices = SL_CHOICES_ASK;
            sl_assert_ok(sl_execution_create(s.a, &run, s.diags, &s.e));
            sl_assert_ok(sl_execution_explore(s.e, NULL, end_of_execution, &found, &done_too));
            assert_true(done_too.complete && found.n == expected.n && found.sum == expected.sum);
            n_branched += expected.n > 1;
            n_whole++;
        }
        fixture_fini(&f);
        end(&s);
    }
    print_message("%d automata, %d of them branched\n", n_whole, n_branched);
    assert_true(n_branched > 20);
}

/* ---- Memory ---- */

static void all_of_it(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_diags *diags = NULL;
    sl_execution *e = NULL;
    sl_explored done = {.size = sizeof done};
    tally t = {0};
    sl_automaton *a = sl_diags_create(ctx, &diags) == SL_OK ? make_fork(ctx, diags, SL_CHOICES_ASK) : NULL;
    if (a && sl_execution_create(a, NULL, diags, &e) == SL_OK) {
        (void)sl_execution_explore(e, NULL, count, &t, &done);
    }
    sl_execution_destroy(e);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(all_of_it, NULL) > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_by_policy),
        cmocka_unit_test(saved_with_choices),
        cmocka_unit_test(explored),
        cmocka_unit_test(conflicts_branch),
        cmocka_unit_test(random_automata_branch_alike),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
