/* SPDX-License-Identifier: MIT */
/* The discrete multibody flow network: its guards against the reference, proved deterministic and zeno-free for any network that
 * is tried, executed for a thousand pipes at a cost that follows changes; and the examples against the reference file. */
#include "automata_test.h"
#include "explore.h"

#include "automata/check.h"
#include "text/yaml.h"

/* ---- Reference files ---------------------------------------------------------------------------------- */

/* A file of the folder of reference cases; NULL: there is none. */
static sl_yaml *open_reference(fixture *f, const char *name) {
    const char *shared = getenv("SLUICE_SHARED");
    char path[1024];
    snprintf(path, sizeof path, "%s/cases/multibody/%s", shared ? shared : "", name);
    if (!shared || !shared[0]) {
        print_message("skipped the comparison with %s: there is no ../shared\n", name);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    assert_non_null(file); /* the folder is there, so the file is */
    static char bytes[1 << 20];
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n > 0 && n < sizeof bytes);
    sl_yaml *doc;
    sl_assert_ok(sl_yaml_read(f->ctx, bytes, n, name, f->diags, &doc));
    return doc;
}
static const sl_yaml_node *child(const sl_yaml_node *node, const char *key) {
    for (const sl_yaml_node *c = node ? node->first : NULL; c; c = c->next) {
        if (sl_str_equal(c->key, sl_str_z(key))) {
            return c;
        }
    }
    return NULL;
}
static int number(const sl_yaml_node *node) {
    assert_non_null(node);
    return atoi(node->text.ptr);
}

/* ---- Guards ---------------------------------------------------------------------------------------------- */

static const int basic_from[] = {0}, basic_to[] = {1};
static const bool basic_tub[] = {true, true};
static const network basic = {2, 1, basic_from, basic_to, basic_tub};

typedef struct compared {
    const sl_yaml_node *variable, *transition; /* the next ones */
    int n;
} compared;
static void compare_item(void *user, const char *variable, const char *symbol, const char *guard) {
    compared *c = user;
    c->n++;
    if (!guard) {
        assert_non_null(c->variable);
        sl_assert_str(child(c->variable, "name")->text, variable);
        c->variable = c->variable->next;
        return;
    }
    assert_non_null(c->transition);
    sl_assert_str(child(c->transition, "variable")->text, variable);
    sl_assert_str(child(c->transition, "symbol")->text, symbol);
    static char joined[1 << 16];
    joined[0] = '\0';
    for (const sl_yaml_node *a = child(c->transition, "alternatives")->first; a; a = a->next) {
        strcat(strcat(joined, joined[0] ? " | " : ""), a->text.ptr);
    }
    sl_assert_z(guard, joined);
    c->transition = c->transition->next;
}

static void guards_are_those_of_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    sl_yaml *doc = open_reference(&f, "guards.json");
    if (doc) {
        const sl_yaml_node *g0 = child(sl_yaml_root(doc), "G0");
        compared c = {child(g0, "variables")->first, child(g0, "transitions")->first, 0};
        network_write(&basic, compare_item, &c);
        assert_true(c.n > 100 && !c.variable && !c.transition);
        sl_yaml_destroy(doc);
    }
    fixture_fini(&f);
}

/* Guards as the file has them, with openings of valves too. */
static void reference_guards_are_sound(void **state) {
    (void)state;
    static const char *const names[] = {"G0", "G0+openings"};
    for (int k = 0; k < 2; k++) {
        fixture f;
        fixture_init(&f);
        sl_yaml *doc = open_reference(&f, "guards.json");
        if (doc) {
            const sl_yaml_node *model = child(sl_yaml_root(doc), names[k]);
            for (const sl_yaml_node *v = child(model, "variables")->first; v; v = v->next) {
                fixture_variable(&f, child(v, "name")->text.ptr, child(v, "domain")->n);
            }
            for (const sl_yaml_node *t = child(model, "transitions")->first; t; t = t->next) {
                static char guard[1 << 16];
                char equation[128];
                guard[0] = '\0';
                for (const sl_yaml_node *a = child(t, "alternatives")->first; a; a = a->next) {
                    strcat(strcat(guard, guard[0] ? " | " : ""), a->text.ptr);
                }
                snprintf(equation, sizeof equation, "der(%s) = 1", child(t, "variable")->text.ptr);
                fixture_transition(&f, child(t, "symbol")->text.ptr, equation, guard);
            }
            fixture_finish(&f);
            sl_sda_report r;
            sl_assert_ok(sl_sda_check(f.a, NULL, &r));
            assert_int_equal(r.exclusive, SL_PROVED);
            assert_int_equal(r.deterministic, SL_PROVED);
            assert_int_equal(r.zeno_free, SL_PROVED);
            assert_int_equal(r.bound, 5);
            sl_sda_report_fini(&r);
            sl_yaml_destroy(doc);
        }
        fixture_fini(&f);
    }
}

/* ---- Examples ---------------------------------------------------------------------------------------------- */

static void expect_trajectory(const sl_sda_run *run, const sl_yaml_node *q) {
    int32_t t = 0;
    for (const sl_yaml_node *point = q->first; point; point = point->next, t++) {
        int32_t i = 0;
        for (const sl_yaml_node *v = point->first; v; v = v->next, i++) {
            assert_int_equal(sl_sda_run_value_at(run, i, t), number(v));
        }
        if (!point->first) {
            assert_int_equal(sl_sda_run_value_at(run, 0, t), number(point));
        }
    }
    assert_int_equal(sl_sda_run_time(run), t - 1);
}

static bool expect_execution(void *user, const sl_sda_run *run) {
    const sl_yaml_node *all = user;
    for (const sl_yaml_node *e = all->first; e; e = e->next) { /* one of them, by its length and end */
        if (sl_str_equal(child(e, "status")->text, sl_str_z(sl_sda_state_text(sl_sda_run_state(run)))) &&
            child(e, "q")->n == sl_sda_run_time(run) + 1) {
            expect_trajectory(run, child(e, "q"));
            return true;
        }
    }
    fail();
    return false;
}

static void examples_are_those_of_the_reference(void **state) {
    (void)state;
    static void (*const makers[])(fixture *) = {make_ticker, make_delay, NULL, make_unsolvable, make_nondeterministic};
    static const char *const names[] = {"3.1.1 ticker", "3.1.2 delay", "3.1.3 counting", "3.1.4 unsolvable",
                                        "3.1.5 nondeterministic"};
    for (int k = 0; k < 5; k++) {
        fixture f;
        if (makers[k]) {
            makers[k](&f);
        } else {
            make_counting(&f, 4);
        }
        sl_yaml *doc = open_reference(&f, "sda_examples.json");
        const sl_yaml_node *e = doc ? child(sl_yaml_root(doc), names[k]) : NULL;
        int32_t q0[4], i = 0;
        for (const sl_yaml_node *v = e ? child(e, "q0")->first : NULL; v; v = v->next) {
            q0[i++] = number(v);
        }
        sl_sda_def def = sl_sda_default();
        if (e && child(e, "horizon_shown")) {
            def.rule = SL_SDA_UNTIL_BOUND;
            def.most_steps = number(child(e, "horizon_shown"));
        }
        if (e && (child(e, "q") || child(e, "prefix"))) {
            sl_sda_run *run = fixture_run(&f, q0, &def);
            sl_sda_run_finish(run);
            expect_trajectory(run, child(e, "q") ? child(e, "q") : child(e, "prefix"));
            sl_sda_run_destroy(run);
        }
        const sl_yaml_node *executions =
            child(e, "executions") ? child(e, "executions") : child(e, "branching_extension");
        if (executions) {
            explore_def all = explore_default();
            explore_result done;
            all.run.overdetermined_branches = child(e, "branching_extension") != NULL;
            sl_assert_ok(explore_runs(f.a, q0, &all, expect_execution, (void *)(uintptr_t)executions, &done));
            assert_int_equal(done.n_execution, executions->n);
        }
        sl_yaml_destroy(doc);
        fixture_fini(&f);
    }
}

/* ---- Networks ------------------------------------------------------------------------------------------------ */

static void basic_network_is_sound(void **state) {
    (void)state;
    fixture f;
    make_network(&f, &basic);
    assert_int_equal(sl_sda_n_variable(f.a), 53);
    assert_int_equal(sl_sda_n_transition(f.a), 57);
    assert_int_equal(sl_sda_horizon(f.a), 1);
    sl_sda_report r;
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.exclusive, SL_PROVED);
    assert_int_equal(r.deterministic, SL_PROVED);
    assert_int_equal(r.zeno_free, SL_PROVED);
    assert_int_equal(r.bound, 5);
    sl_sda_report_fini(&r);
    /* The bound holds for every start that is tried. */
    uint64_t seed = 9;
    int longest = 0;
    for (int k = 0; k < 5000; k++) {
        int32_t q0[53];
        for (int i = 0; i < 53; i++) {
            q0[i] = (int32_t)sl_test_below(&seed, 2);
        }
        sl_sda_run *run = fixture_run(&f, q0, NULL);
        assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
        longest = sl_sda_run_time(run) > longest ? sl_sda_run_time(run) : longest;
        sl_sda_run_destroy(run);
    }
    assert_true(longest >= 3 && longest <= 5);
    fixture_fini(&f);
}

/* The guard of a receding valve turned round: an event that undoes its own cause. */
static void a_wrong_network_is_refuted(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    fixture_variable(&f, "joint", 2);
    fixture_variable(&f, "seed", 2);
    fixture_transition(&f, "flip", "der(joint) = 1", "!joint & seed | joint & !seed");
    fixture_transition(&f, "flip", "der(seed) = 1", "!seed & !joint | seed & joint");
    fixture_finish(&f);
    sl_sda_report r;
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.deterministic, SL_PROVED);
    assert_int_equal(r.zeno_free, SL_REFUTED);
    sl_sda_report_fini(&r);
    fixture_fini(&f);
}

static int32_t find_variable(const fixture *f, const char *name) {
    return sl_sda_variable_of(f->a, sl_expr_symbol(f->g, sl_expr_find(f->g, sl_str_z(name))));
}

/* A finding about a variable (-1: about none); it must be there. */
static const sl_finding *finding_of(const sl_sda_report *r, sl_finding_kind kind, int32_t variable) {
    for (int64_t k = 0; k < r->n_finding; k++) {
        if (r->findings[k].kind == kind && r->findings[k].variable == variable) {
            return &r->findings[k];
        }
    }
    fail_msg("there is no finding of kind %d", (int)kind);
    return NULL;
}

/* Executes from the witness of an endless execution: it must repeat, and the variable must be among what changes. */
static void expect_endless(fixture *f, const sl_sda_report *r, const char *variable) {
    const sl_finding *endless = finding_of(r, SL_FINDING_ENDLESS, -1);
    int32_t *q0 = calloc((size_t)sl_sda_n_variable(f->a), sizeof *q0), first, length, n;
    for (int32_t k = 0; k < endless->n_witness; k++) {
        const sl_assignment *w = &r->witnesses[endless->first_witness + k];
        q0[w->variable] = w->value;
    }
    sl_sda_run *run = fixture_run(f, q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_ZENO);
    sl_sda_run_cycle(run, &first, &length);
    bool found = false;
    for (int32_t t = first; t < first + length; t++) {
        const sl_sda_change *changes = sl_sda_run_changes(run, t, &n);
        for (int32_t k = 0; k < n; k++) {
            found = found || changes[k].variable == find_variable(f, variable);
        }
    }
    assert_true(found);
    sl_sda_run_destroy(run);
    free(q0);
}

/* The guards as they are printed: of two transitions of a variable still at most one is active, but a collision flips for ever. */
static void the_printed_network_is_refuted(void **state) {
    (void)state;
    enum { N = 40 };
    int from[N], to[N];
    bool tub[N + 1];
    for (int i = 0; i <= N; i++) { /* a tree with two pipes below a valve */
        from[i % N] = i % N / 2;
        to[i % N] = i % N + 1;
        tub[i] = true;
    }
    const network nets[] = {basic, {N + 1, N, from, to, tub}};
    for (int k = 0; k < 2; k++) {
        fixture f;
        make_network_printed(&f, &nets[k]);
        assert_int_equal(sl_sda_n_variable(f.a), 14 * nets[k].n_valve + 25 * nets[k].n_pipe);
        assert_int_equal(sl_sda_n_transition(f.a), 15 * nets[k].n_valve + 27 * nets[k].n_pipe);
        sl_sda_report r;
        sl_assert_ok(sl_sda_check(f.a, NULL, &r));
        assert_int_equal(r.exclusive, SL_PROVED);
        assert_int_equal(r.deterministic, SL_PROVED);
        assert_int_equal(r.zeno_free, SL_REFUTED);
        assert_true(finding_of(&r, SL_FINDING_GOES_ROUND, find_variable(&f, "mid[0].coll"))->n_witness > 0);
        expect_endless(&f, &r, "mid[0].coll"); /* the first that was looked at */
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
}

/* All corrections but that of the collision of a pipe. */
static void add_but_collision(void *user, const char *variable, const char *symbol, const char *guard) {
    bool collision = guard && strcmp(variable, "mid[0].coll") == 0;
    network_add(user, variable, symbol,
                collision ? "(t=0 & mid[0].coll) | (mid[0].branch & (half[0,0].leg | end[0,0].seed) & "
                            "(half[0,1].leg | end[0,1].seed))"
                          : guard);
}

static void one_printed_guard_is_enough(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    network_write(&basic, add_but_collision, &f);
    fixture_finish(&f);
    sl_sda_report r;
    sl_assert_ok(sl_sda_check(f.a, NULL, &r));
    assert_int_equal(r.zeno_free, SL_REFUTED);
    assert_true(finding_of(&r, SL_FINDING_GOES_ROUND, find_variable(&f, "mid[0].coll"))->n_witness > 0);
    expect_endless(&f, &r, "mid[0].coll");
    sl_sda_report_fini(&r);
    fixture_fini(&f);
}

/* Everything at rest, then one control after the other, each a new execution. The work of all of them. */
static int64_t work_of_controls(fixture *f, int n_pipe, int n, int64_t *n_change) {
    int32_t *q0 = calloc((size_t)sl_sda_n_variable(f->a), sizeof *q0);
    sl_sda_run *run = fixture_run(f, q0, NULL);
    assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
    int64_t before = sl_sda_run_n_evaluated(run);
    *n_change = 0;
    for (int k = 0; k < n; k++) {
        char name[64];
        snprintf(name, sizeof name, k % 2 ? "mid[%d].ctl" : "end[%d,0].flowctl", k / 2 % n_pipe);
        const int32_t which = find_variable(f, name), one = 1;
        sl_sda_run_restart(run, 1, &which, &one);
        assert_int_equal(sl_sda_run_finish(run), SL_SDA_CONVERGED);
        assert_true(sl_sda_run_time(run) <= 5);
        for (int32_t t = 0; t < sl_sda_run_time(run); t++) {
            int32_t c;
            sl_sda_run_changes(run, t, &c);
            *n_change += c;
        }
    }
    int64_t work = sl_sda_run_n_evaluated(run) - before;
    sl_sda_run_destroy(run);
    free(q0);
    return work;
}

static void a_thousand_pipes(void **state) {
    (void)state;
    uint64_t seed = 4;
    double per_change[2];
    for (int k = 0; k < 2; k++) {
        network net = network_random(k ? 1000 : 20, &seed);
        fixture f;
        make_network(&f, &net);
        sl_sda_report r;
        sl_assert_ok(sl_sda_check(f.a, NULL, &r));
        assert_int_equal(r.exclusive, SL_PROVED);
        assert_int_equal(r.deterministic, SL_PROVED);
        assert_int_equal(r.zeno_free, SL_PROVED);
        assert_int_equal(r.bound, 5);
        assert_int_equal(r.n_finding, 0);
        int64_t n_change;
        int64_t work = work_of_controls(&f, net.n_pipe, 40, &n_change);
        assert_true(n_change > 80);
        per_change[k] = (double)work / (double)n_change;
        print_message("%d pipes: %d variables, %d transitions, %lld cases; %.1f evaluations per change\n", net.n_pipe,
                      (int)sl_sda_n_variable(f.a), (int)sl_sda_n_transition(f.a), (long long)r.n_case, per_change[k]);
        sl_sda_report_fini(&r);
        fixture_fini(&f);
        network_fini(&net);
    }
    assert_true(per_change[1] < 2.0 * per_change[0]); /* what changes counts, not what there is */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_are_those_of_the_reference),   cmocka_unit_test(reference_guards_are_sound),
        cmocka_unit_test(examples_are_those_of_the_reference), cmocka_unit_test(basic_network_is_sound),
        cmocka_unit_test(a_wrong_network_is_refuted),          cmocka_unit_test(the_printed_network_is_refuted),
        cmocka_unit_test(one_printed_guard_is_enough),         cmocka_unit_test(a_thousand_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
