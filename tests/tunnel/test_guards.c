/* SPDX-License-Identifier: MIT */
/* The discrete model as an automaton: its guards against the reference text by text, its steps against those of step.c, and what the
 * static checks prove of it. */
#include "tunnel_test.h"

#include "tunnel/guards.h"

typedef struct compared {
    const sl_yaml_node *variable, *transition; /* the next ones */
    int n_variable, n_transition;
} compared;

static bool compare_item(void *user, int32_t j, const char *name, const char *symbol, const char *guard) {
    compared *c = user;
    static char joined[1 << 16];
    (void)j;
    if (!guard) {
        assert_non_null(c->variable);
        sl_assert_str(child(c->variable, "name")->text, name);
        c->variable = c->variable->next;
        c->n_variable++;
        return true;
    }
    assert_non_null(c->transition);
    sl_assert_str(child(c->transition, "variable")->text, name);
    sl_assert_str(child(c->transition, "symbol")->text, symbol);
    joined[0] = '\0';
    for (const sl_yaml_node *a = child(c->transition, "alternatives")->first; a; a = a->next) {
        strcat(strcat(joined, joined[0] ? " | " : ""), a->text.ptr);
    }
    sl_assert_z(guard, joined);
    c->transition = c->transition->next;
    c->n_transition++;
    return true;
}

static void guards_are_those_of_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    static const int ends[] = {0, 1};
    for (int openings = 0; fixture_open(&f, "guards.json") && openings < 2; openings++) {
        const sl_yaml_node *set = child(sl_yaml_root(f.doc), openings ? "G0+openings" : "G0");
        compared c = {child(set, "variables")->first, child(set, "transitions")->first, 0, 0};
        sl_tunnel_network *net = plain_network(&f, 2, 1, ends);
        finish_network(net);
        sl_assert_ok(sl_tunnel_write_guards(net, f.ctx, openings, compare_item, &c));
        assert_int_equal(c.n_variable, openings ? 61 : 53);
        assert_int_equal(c.n_transition, openings ? 65 : 57);
        assert_true(!c.variable && !c.transition);
        sl_tunnel_network_destroy(net);
        sl_yaml_destroy(f.doc);
        free(f.bytes);
        f.doc = NULL;
        f.bytes = NULL;
    }
    fixture_fini(&f);
}

typedef struct counted {
    int n_variable, n_transition;
} counted;

static bool count_item(void *user, int32_t j, const char *name, const char *symbol, const char *guard) {
    counted *c = user;
    (void)j, (void)name, (void)symbol;
    c->n_variable += guard == NULL;
    c->n_transition += guard != NULL;
    return true;
}

/* Random states of random networks with all policies step as the automaton does. */
static void the_automaton_steps_as_the_network(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    uint64_t seed = 3;
    for (int k = 0; k < 12; k++) {
        sl_tunnel_network *net = random_network(&f, &seed, 5);
        finish_network(net);
        int32_t n = sl_tunnel_n_bit(net), q[512] = {0};
        assert_true(n <= 512);
        counted c = {0};
        sl_assert_ok(sl_tunnel_write_guards(net, f.ctx, true, count_item, &c));
        assert_int_equal(c.n_variable, 16 * net->n_valve + 29 * net->n_pipe);
        assert_int_equal(c.n_transition, 17 * net->n_valve + 31 * net->n_pipe);
        sl_automaton *a;
        sl_execution *e;
        sl_assert_ok(sl_tunnel_automaton(net, f.ctx, "tunnels", q, f.diags, &a));
        sl_automaton_facts facts = {.size = sizeof facts};
        sl_assert_ok(sl_automaton_examine(a, f.diags, &facts));
        sl_assert_z(facts.deterministic, "proved");
        sl_assert_z(facts.zeno_free, "proved");
        assert_true(facts.bound <= SL_TUNNEL_STEPS_MAX);
        sl_assert_ok(sl_execution_create(a, NULL, f.diags, &e));
        sl_tunnel_marks marks;
        sl_assert_ok(sl_tunnel_marks_init(&marks, net, f.ctx));
        for (int r = 0; r < 20; r++) {
            for (int32_t j = 0; j < n; j++) {
                q[j] = (int32_t)sl_test_below(&seed, 2);
            }
            sl_tunnel_mark_all(&marks, net);
            sl_assert_ok(sl_execution_reset(e, 0.0, NULL, q));
            for (int32_t i = 0; sl_tunnel_step(net, &marks, i, q) > 0; i++) {
                sl_execution_info info = {.size = sizeof info};
                sl_assert_ok(sl_execution_next(e, SL_EVENT_TRANSITION, &info));
                assert_int_equal(info.event, SL_EVENT_TRANSITION);
                assert_memory_equal(sl_execution_states(e), q, (size_t)n * sizeof *q);
            }
        }
        sl_tunnel_marks_fini(&marks, net, f.ctx);
        sl_execution_destroy(e);
        sl_automaton_destroy(a);
        sl_tunnel_network_destroy(net);
    }
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(guards_are_those_of_the_reference),
                                       cmocka_unit_test(the_automaton_steps_as_the_network)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
