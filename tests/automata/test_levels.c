/* SPDX-License-Identifier: MIT */
/* Roots as levels of one quantity: h > 1 implies h > 0.5. What is known, and what is not; actions that never act. */
#include "sl_test.h"

#include <sluice/automaton.h>

/* Roots as variable, function and guard; a pump that switches by two of them, hi and lo. */
typedef struct level_case {
    const char *roots[4][3];
    const char *guard; /* of der(open) = 1 */
    int start_hi, start_lo;
    const char *zeno_free;
    int n_never; /* warnings that a guard cannot hold */
} level_case;

static const char *const hysteresis = "!open & hi | open & !lo";

static const level_case cases[] = {
    {{{"hi", "h - 1"}, {"lo", "h - 0.5"}}, NULL, 0, 0, "proved", 0},
    {{{"lo", "h - 1"}, {"hi", "h - 0.5"}}, NULL, 0, 0, "refuted", 0}, /* between them, hi and not lo */
    {{{"hi", "2*h - 2"}, {"lo", "h - 0.5"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "h/4 - top/4"}, {"lo", "3*(h - bottom)"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "1 - h"}, {"lo", "0.5 - h"}}, NULL, 0, 0, "refuted", 0},
    {{{"hi", "0.5 - h"}, {"lo", "1 - h"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "-2*h + 1"}, {"lo", "(4 - 4*h)/3"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "h - 1"}, {"lo", "0.5 - h"}}, "!open & hi | open & lo", 0, 0, "proved", 0},
    {{{"hi", "h - 1"}, {"lo", "1.5 - h"}}, "!open & hi | open & lo", 0, 0, "refuted", 0},
    {{{"hi", "g - 1"}, {"lo", "h - 0.5"}}, NULL, 0, 0, "refuted", 0}, /* of two quantities */
    {{{"hi", "h - g - 1"}, {"lo", "3*h - 3*g"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "0.1*h - 0.3*g - 1"}, {"lo", "h - 3*g"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "2*g - 2*h - 1"}, {"lo", "g - h - 1"}}, NULL, 0, 0, "refuted", 0},
    {{{"hi", "h*h - 1"}, {"lo", "h^2 - 0.5"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "sin(h) - 0.5"}, {"lo", "sin(h) - 0.2"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "t - 10"}, {"lo", "t - 5"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "der(h) - 1"}, {"lo", "2*der(h)"}}, NULL, 0, 0, "proved", 0},
    /* equal levels: one variable, unless they start apart and the quantity stands on the level */
    {{{"hi", "h - 1"}, {"lo", "2*h - 2"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "h - 1"}, {"lo", "2*h - 2"}}, "hi & !lo", 0, 0, "proved", 1},
    {{{"hi", "h - 0.1"}, {"lo", "3*h - 0.3"}}, "hi & !lo | lo & !hi", 1, 1, "proved", 1},
    {{{"hi", "h - 1"}, {"lo", "1 - h"}}, "hi = lo", 1, 0, "proved", 1},
    {{{"hi", "h - 1"}, {"lo", "2*h - 2"}}, NULL, 1, 0, "refuted", 0},
    /* guards of roots: the same, from a start that fits; else nothing is known */
    {{{"hi", "h - 1", "on"}, {"lo", "h - 0.5", "on"}}, NULL, 0, 0, "proved", 0},
    {{{"hi", "h - 1", "on"}, {"lo", "h - 0.5", "on"}}, NULL, 1, 0, "refuted", 0},
    {{{"hi", "h - 1", "on"}, {"lo", "h - 0.5"}}, NULL, 0, 0, "refuted", 0},
    {{{"hi", "h - 1", "on"}, {"lo", "h - 0.5", "!on"}}, NULL, 0, 0, "refuted", 0},
    /* several roots for one variable, and one that something else changes */
    {{{"hi", "h - 1"}, {"lo", "h - 0.5"}, {"lo", "h - 0.7"}}, NULL, 0, 0, "refuted", 0},
    {{{"hi", "h - 1"}, {"lo", "h - 0.5"}, {"open", "g"}}, NULL, 0, 0, "proved", 0},
};

static void check_levels(const level_case *k, int i) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags;
    sl_automaton *a;
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_automaton_create(ctx, "levels", diags, &a));
    (void)sl_automaton_add_parameter(a, "top", 1.0);
    (void)sl_automaton_add_parameter(a, "bottom", 0.5);
    (void)sl_automaton_add_discrete(a, "hi", 2, k->start_hi);
    (void)sl_automaton_add_discrete(a, "lo", 2, k->start_lo);
    (void)sl_automaton_add_discrete(a, "open", 2, 0);
    (void)sl_automaton_add_discrete(a, "on", 2, 0);
    (void)sl_automaton_add_continuous(a, "h", 0.2, 0.0);
    (void)sl_automaton_add_continuous(a, "g", 0.2, 0.0);
    (void)sl_automaton_add_transition(a, "flip", "der(open) = 1", k->guard ? k->guard : hysteresis);
    (void)sl_automaton_add_activity(a, "", "der(h) = 1", NULL);
    (void)sl_automaton_add_activity(a, "", "der(g) = 1", NULL);
    for (int r = 0; r < 4 && k->roots[r][0]; r++) {
        (void)sl_automaton_add_root(a, "", k->roots[r][0], k->roots[r][1], k->roots[r][2]);
    }
    sl_assert_ok(sl_automaton_finish(a));
    (void)sl_automaton_examine(a, diags, &facts);
    int n_never = 0;
    for (int32_t d = 0; d < sl_diags_size(diags); d++) {
        n_never += strstr(sl_diags_at(diags, d)->text, "can never hold") != NULL;
    }
    if (strcmp(facts.zeno_free, k->zeno_free) != 0 || n_never != k->n_never) {
        print_error("case %d: zeno-free %s, %d guards never hold\n", i, facts.zeno_free, n_never);
    }
    sl_assert_z(facts.zeno_free, k->zeno_free);
    sl_assert_z(facts.deterministic, "proved");
    assert_int_equal(n_never, k->n_never);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void levels_of_a_quantity(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_levels(&cases[i], (int)i);
    }
}

/* ---- Actions ------------------------------------------------------------------------------------ */

static sl_automaton *read(sl_context *ctx, sl_diags *diags, const char *text) {
    sl_automaton *a = NULL;
    sl_status status = sl_automaton_read(ctx, text, strlen(text), "acts.yaml", diags, &a);
    if (status != SL_OK) {
        print_error("%s\n", sl_diags_at(diags, 0)->text);
    }
    sl_assert_ok(status);
    return a;
}

static const char *const acts = "automaton: acts\n"
                                "discrete: {hit: 2, seen: 2, never: 2, idle: 2}\n"
                                "continuous: {x: 1}\n"
                                "transitions:\n"
                                "  - {name: see, equation: der(seen) = 1, when: hit & !seen}\n"
                                "  - {name: none, equation: der(never) = 1, when: never & !never}\n"
                                "activities:\n"
                                "  - {equation: der(x) = -1}\n"
                                "actions:\n"
                                "  - {name: before, set: x, to: 1, when: hit & !seen}\n"
                                "  - {name: dead, set: x, to: 1, when: hit & !hit}\n"
                                "  - {name: good, set: x, to: 1, when: hit & seen & t > 0}\n"
                                "  - {name: late, set: x, to: 1, when: hit & seen & t > 1}\n"
                                "  - {name: unseen, set: x, to: 1, when: '!seen'}\n"
                                "  - {name: idle, set: x, to: 1, when: seen & idle}\n"
                                "roots:\n"
                                "  - {decides: hit, by: -x}\n";

static void actions_that_never_act(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int line, column, length;
    } named[] = {{"transition 1 none", 6, 50, 14},
                 {"action 0 before", 10, 41, 11},
                 {"action 1 dead", 11, 39, 10},
                 {"action 3 late", 13, 39, 18},
                 {"action 4 unseen", 14, 42, 5}};
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_automaton *a = read(ctx, diags, acts);
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_assert_ok(sl_automaton_examine(a, diags, &facts));
    int n = (int)(sizeof named / sizeof *named);
    assert_int_equal(sl_diags_size(diags), n);
    for (int i = 0; i < n; i++) {
        bool found = false;
        for (int32_t d = 0; d < n; d++) {
            const sl_diag *diag = sl_diags_at(diags, d);
            if (strstr(diag->text, named[i].name)) {
                found = true;
                assert_int_equal(diag->severity, SL_WARNING);
                sl_assert_z(diag->file, "acts.yaml");
                assert_int_equal(diag->line, named[i].line);
                assert_int_equal(diag->column, named[i].column);
                assert_int_equal(diag->length, named[i].length);
            }
        }
        if (!found) {
            print_error("%s\n", named[i].name);
        }
        assert_true(found);
    }
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

/* The state in which it acts is also one to begin with, where it does not. */
static void an_action_that_acts_after_a_step(void **state) {
    (void)state;
    static const char text[] = "automaton: back\n"
                               "discrete: {q: 2}\n"
                               "continuous: {x: 1}\n"
                               "transitions:\n"
                               "  - {equation: der(q) = -1, when: q}\n"
                               "activities:\n"
                               "  - {equation: der(x) = -1}\n"
                               "actions:\n"
                               "  - {set: x, to: 1, when: '!q'}\n"
                               "roots:\n"
                               "  - {decides: q, by: -x}\n";
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_automaton *a = read(ctx, diags, text);
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_assert_ok(sl_automaton_examine(a, diags, &facts));
    assert_int_equal(sl_diags_size(diags), 0);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void examine_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_automaton *a = NULL;
    sl_automaton_facts facts = {.size = sizeof facts};
    sl_automaton_where where = sl_automaton_where_default();
    if (sl_automaton_read(ctx, acts, strlen(acts), "acts.yaml", NULL, &a) == SL_OK) {
        sl_status status = sl_automaton_examine(a, NULL, &facts);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
        where.condition = "hit | seen";
        status = sl_automaton_examine_at(a, &where, NULL, &facts);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    }
    sl_automaton_destroy(a);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(examine_all, NULL) > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_of_a_quantity),
        cmocka_unit_test(actions_that_never_act),
        cmocka_unit_test(an_action_that_acts_after_a_step),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
