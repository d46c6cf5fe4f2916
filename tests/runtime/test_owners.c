/* SPDX-License-Identifier: MIT */
/* A model owns what it is made from: networks, automata and stored hydraulics are destroyed right after the builder, then sessions
 * run; the allocator overwrites what was given back. */
#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/session.h>

static const char network_text[] = "[JUNCTIONS]\nJ1 10 1\nJ2 12 2\n[RESERVOIRS]\nR1 100\n[TANKS]\nT1 50 5 0 10 20 0\n"
                                   "[PIPES]\nP1 R1 J1 1000 300 120 0 Open\nP2 J1 J2 500 200 120 0 Open\n"
                                   "P3 J2 T1 500 200 120 0 Open\n[SOURCES]\nR1 CONCEN 1\n[REACTIONS]\nGlobal Bulk -1\n"
                                   "[TIMES]\nDuration 2:00\n[OPTIONS]\nUnits LPS\nQuality Chlorine mg/L\n[END]\n";
static const char automaton_text[] = "automaton: a\ncontinuous: {T: 1}\nactivities:\n  - {equation: der(T) = -T}\n"
                                     "run: {end: 3}\n";

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
}

static void end(fixture *f) {
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

static sl_network *network(fixture *f) {
    sl_network *net = NULL;
    sl_assert_ok(sl_inp_read(f->ctx, network_text, sizeof network_text - 1, NULL, f->diags, &net));
    return net;
}

/* To the end, and every value and name once more. */
static void run(fixture *f, sl_model *model, double expected) {
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step};
    sl_assert_ok(sl_session_create(f->ctx, model, f->diags, &s));
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, &step));
    sl_assert_double(sl_session_time(s), expected);
    for (uint32_t i = 0; i < sl_session_n_var(s); i++) {
        sl_var_info info = {.size = sizeof info};
        double x;
        sl_assert_ok(sl_session_var(s, i, &info));
        sl_assert_ok(sl_session_get(s, &info.var, 1, &x));
    }
    sl_session_destroy(s);
}

static void networks(void **state) {
    fixture f;
    sl_model *model = NULL;
    (void)state;
    begin(&f);
    sl_network *net = network(&f);
    sl_assert_ok(sl_model_from_network(f.ctx, net, NULL, f.diags, &model));
    sl_network_destroy(net);
    assert_int_equal(sl_model_network(model)->n_junction, 2);
    run(&f, model, 7200.0);
    sl_model_destroy(model);
    end(&f);
}

static void surges(void **state) {
    fixture f;
    sl_model *model = NULL, *second = NULL;
    (void)state;
    begin(&f);
    sl_network *net = network(&f);
    sl_surge_def def = sl_surge_default();
    def.duration = 1.0;
    sl_assert_ok(sl_model_from_surge(f.ctx, net, &def, f.diags, &model));
    sl_assert_ok(sl_model_from_network(f.ctx, net, NULL, f.diags, &second)); /* two owners beside the caller */
    sl_network_destroy(net);
    sl_model_destroy(second);
    run(&f, model, 1.0);
    sl_model_destroy(model);
    end(&f);
}

static void stored_hydraulics(void **state) {
    fixture f;
    sl_model *model = NULL, *transport = NULL;
    sl_session *s = NULL;
    sl_hydraulics *kept = NULL;
    sl_step step = {.size = sizeof step};
    (void)state;
    begin(&f);
    sl_network *net = network(&f);
    sl_assert_ok(sl_model_from_network(f.ctx, net, NULL, f.diags, &model));
    sl_assert_ok(sl_hydraulics_create(f.ctx, net, &kept));
    sl_assert_ok(sl_session_create(f.ctx, model, f.diags, &s));
    sl_assert_ok(sl_session_store_hydraulics(s, kept));
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, &step));
    sl_session_destroy(s);
    sl_assert_ok(sl_model_from_hydraulics(f.ctx, net, kept, NULL, f.diags, &transport));
    sl_hydraulics_destroy(kept);
    sl_network_destroy(net);
    sl_model_destroy(model);
    run(&f, transport, 7200.0);
    sl_model_destroy(transport);
    end(&f);
}

static void automata(void **state) {
    fixture f;
    sl_model *model = NULL;
    sl_automaton *a = NULL;
    (void)state;
    begin(&f);
    sl_assert_ok(sl_automaton_read(f.ctx, automaton_text, sizeof automaton_text - 1, "a", f.diags, &a));
    sl_assert_ok(sl_model_of_automaton(f.ctx, a, &model));
    sl_automaton_destroy(a);
    run(&f, model, 3.0);
    sl_model_destroy(model);
    sl_assert_ok(sl_model_from_automaton(f.ctx, automaton_text, sizeof automaton_text - 1, "a", f.diags, &model));
    run(&f, model, 3.0);
    sl_model_destroy(model);
    end(&f);
}

/* A builder that fails, at any request, owns nothing. */
static void try_builders(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_surge_def def = sl_surge_default();
    (void)m;
    (void)user;
    if (sl_inp_read(ctx, network_text, sizeof network_text - 1, NULL, NULL, &net) == SL_OK) {
        (void)sl_model_from_network(ctx, net, NULL, NULL, &model);
        sl_model_destroy(model);
        (void)sl_model_from_surge(ctx, net, &def, NULL, &model);
        assert_true(net->n_junction == 2);
        sl_network_destroy(net);
        sl_model_destroy(model);
    }
    sl_automaton *a = NULL;
    if (sl_automaton_read(ctx, automaton_text, sizeof automaton_text - 1, "a", NULL, &a) == SL_OK) {
        (void)sl_model_of_automaton(ctx, a, &model);
        sl_automaton_destroy(a);
        sl_model_destroy(model);
    }
}

static void memory_runs_out(void **state) {
    (void)state;
    assert_true(sl_test_sweep(try_builders, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(networks), cmocka_unit_test(surges),
                                       cmocka_unit_test(stored_hydraulics), cmocka_unit_test(automata),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
