/* SPDX-License-Identifier: MIT */
/* test_discrete_contract.c: the engine contract on automata that make steps, how they end, and how they fail. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "contract.h"

#include <stdio.h>

static const sl_engine_ops *const ops = &sl_discrete_engine;

typedef struct desk {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    void *engine;
} desk;

static void desk_begin(desk *d) {
    *d = (desk){0};
    d->ctx = sl_test_context(&d->memory);
    sl_assert_ok(sl_diags_create(d->ctx, &d->diags));
    sl_assert_ok(sl_automaton_create(d->ctx, "steps", d->diags, &d->a));
}

static void desk_end(desk *d) {
    if (d->engine) {
        ops->destroy(d->engine);
    }
    sl_automaton_destroy(d->a);
    sl_diags_destroy(d->diags);
    sl_test_context_end(d->ctx, &d->memory);
}

static void desk_go(desk *d) {
    sl_assert_ok(sl_automaton_finish(d->a));
    assert_ptr_equal(sl_automaton_engine(d->a), ops);
    sl_assert_ok(ops->create(d->ctx, sl_automaton_engine_model(d->a), d->diags, &d->engine));
}

/* To the end, or to a step that fails; its status. */
static sl_status run(desk *d) {
    sl_engine_step s;
    sl_status status = SL_OK;
    while (status == SL_OK && ops->time(d->engine) < ops->end(d->engine)) {
        status = ops->step(d->engine, d->diags, &s);
    }
    return status;
}

static void assert_stands(const desk *d, double t, double value) {
    sl_assert_double(ops->time(d->engine), t);
    sl_assert_double(ops->data(d->engine, SL_DISCRETE_STATE)[0], value);
}

/* A counter, and one that follows it from a time on. */
static void make_counter(desk *d) {
    desk_begin(d);
    sl_assert_ok(sl_automaton_add_discrete(d->a, "n", 200, 0));
    sl_assert_ok(sl_automaton_add_discrete(d->a, "m", 7, 2));
    sl_assert_ok(sl_automaton_add_transition(d->a, "count", "der(n) = 1", "n < 199"));
    sl_assert_ok(sl_automaton_add_transition(d->a, "follow", "der(m) = 1", "t >= 3 & t < 90 & mod(n, 3) != 0"));
}

static void check(const void *model) {
    contract_check(&(contract_case){.ops = ops,
                                    .model = model,
                                    .n_step = 60,
                                    .field = SL_DISCRETE_STATE,
                                    .index = 1,
                                    .value = 5.0,
                                    .bad_value = 7.0,
                                    .bad_field = -1,
                                    .grows = true});
}

static void test_the_contract(void **state) {
    (void)state;
    desk d;
    make_counter(&d);
    desk_go(&d);
    check(sl_automaton_engine_model(d.a)); /* ends when nothing changes */
    desk_end(&d);
    make_counter(&d);
    sl_assert_ok(sl_automaton_set_termination(d.a, SL_TERMINATION_STEPS, 2500));
    desk_go(&d);
    check(sl_automaton_engine_model(d.a)); /* after a number of steps */
    desk_end(&d);
}

/* An execution without history allocates nothing once it is warm. */
static void test_warm_steps_allocate_nothing(void **state) {
    (void)state;
    desk d;
    desk_begin(&d);
    sl_assert_ok(sl_automaton_add_discrete(d.a, "q", 2, 0));
    sl_assert_ok(sl_automaton_add_transition(d.a, "tick", "der(q) = 1", NULL));
    sl_assert_ok(sl_automaton_set_termination(d.a, SL_TERMINATION_STEPS, 5000));
    desk_go(&d);
    sl_engine_step s;
    int64_t before = 0;
    for (int k = 0; k < 5000; k++) {
        before = k == 1100 ? d.memory.n_request : before;
        sl_assert_ok(ops->step(d.engine, NULL, &s));
    }
    assert_int_equal(d.memory.n_request, before);
    assert_true(s.finished);
    desk_end(&d);
}

static void test_ends(void **state) {
    (void)state;
    desk d;
    make_counter(&d);
    desk_go(&d);
    assert_true(isinf(ops->end(d.engine))); /* not known yet */
    sl_assert_ok(run(&d));
    assert_stands(&d, 199.0, 199.0);
    sl_assert_double(ops->end(d.engine), 199.0);
    sl_assert_ok(ops->set(d.engine, SL_DISCRETE_STATE, 0, 197.0, NULL)); /* the end moves */
    assert_true(isinf(ops->end(d.engine)));
    sl_assert_ok(run(&d));
    assert_stands(&d, 201.0, 199.0);
    sl_assert_ok(ops->set(d.engine, SL_DISCRETE_STATE, 1, 0.0, NULL)); /* nothing follows from it */
    sl_assert_double(ops->end(d.engine), 201.0);
    desk_end(&d);

    make_counter(&d);
    sl_execution_def def = sl_execution_default();
    def.n_step = 3;
    sl_assert_ok(sl_automaton_finish(d.a));
    sl_assert_ok(sl_automaton_set_run(d.a, &def));
    sl_assert_ok(ops->create(d.ctx, sl_automaton_engine_model(d.a), d.diags, &d.engine));
    sl_assert_double(ops->end(d.engine), 3.0); /* known from the beginning */
    sl_assert_ok(run(&d));
    assert_stands(&d, 3.0, 3.0);
    desk_end(&d);
}

/* Every failure keeps the last good step and says what `sluice run` says. */
static void fails(const char *equation, const char *other, const char *guard, sl_code code, double t) {
    desk d;
    desk_begin(&d);
    sl_assert_ok(sl_automaton_add_discrete(d.a, "q", 4, 0));
    sl_assert_ok(sl_automaton_add_transition(d.a, "a", equation, NULL));
    if (other) {
        sl_assert_ok(sl_automaton_add_transition(d.a, "b", other, guard));
    }
    desk_go(&d);
    sl_assert_status(run(&d), SL_ERR_SOLVE);
    sl_assert_double(ops->time(d.engine), t);
    assert_int_equal(sl_diags_size(d.diags), 1);
    assert_int_equal(sl_diags_at(d.diags, 0)->code, code);
    sl_assert_ok(ops->show(d.engine, t, NULL));
    desk_end(&d);
}

static void test_failures(void **state) {
    (void)state;
    fails("der(q) = 1", NULL, NULL, SL_CODE_ZENO, 4.0);
    fails("der(q) = 1", "der(q) = 2", "q = 2", SL_CODE_UNSOLVABLE, 2.0);
    fails("der(q)^2 = 1", NULL, NULL, SL_CODE_NONDETERMINISTIC, 0.0);
}

/* With `relax` a conflict is a choice; the first is taken where that is wanted. */
static void test_choices_and_conflicts(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        desk d;
        desk_begin(&d);
        sl_assert_ok(sl_automaton_add_discrete(d.a, "q", 4, 0));
        sl_assert_ok(sl_automaton_add_transition(d.a, "a", "der(q) = 1", "q < 2"));
        sl_assert_ok(sl_automaton_add_transition(d.a, "b", "der(q) = 3", "q < 2"));
        sl_execution_def def = sl_execution_default();
        def.relax = true;
        def.choices = first ? SL_CHOICES_FIRST : SL_CHOICES_ERROR;
        sl_assert_ok(sl_automaton_set_run(d.a, &def));
        desk_go(&d);
        sl_assert_status(run(&d), first ? SL_OK : SL_ERR_SOLVE);
        assert_int_equal(sl_diags_size(d.diags), !first);
        assert_true(first || sl_diags_at(d.diags, 0)->code == SL_CODE_NONDETERMINISTIC);
        assert_true(ops->time(d.engine) > 0.0 || !first);
        desk_end(&d);
    }
}

/* A model may say which derivatives are taken, until there are no more of them: then the first, which is -1. */
static void test_choices_are_taken(void **state) {
    (void)state;
    enum { N = 40 };
    int64_t choices[N];
    uint64_t seed = 7;
    int32_t n = 100, most = 2500;
    desk d;
    desk_begin(&d);
    sl_assert_ok(sl_automaton_add_discrete(d.a, "n", 200, n));
    sl_assert_ok(sl_automaton_add_discrete(d.a, "m", 7, 2));
    sl_assert_ok(sl_automaton_add_transition(d.a, "walk", "der(n)^2 = 1", NULL));
    sl_assert_ok(sl_automaton_add_transition(d.a, "follow", "der(m) = 1", "n > 100"));
    sl_assert_ok(sl_automaton_set_termination(d.a, SL_TERMINATION_STEPS, most));
    sl_assert_ok(sl_automaton_finish(d.a));
    sl_discrete_model model = *(const sl_discrete_model *)sl_automaton_engine_model(d.a);
    model.takes_first = true;
    model.choices = choices;
    model.n_choice = N;
    for (int32_t k = 0; k < most; k++) {
        int64_t up = k < N ? sl_test_below(&seed, 2) : 0;
        choices[k < N ? k : 0] = k < N ? up : choices[0];
        n = (n + (up ? 1 : 199)) % 200;
    }
    check(&model);
    sl_assert_ok(ops->create(d.ctx, &model, d.diags, &d.engine));
    sl_assert_ok(run(&d));
    assert_stands(&d, most, n);
    desk_end(&d);
}

/* "1.0536 root hot 0 1 w0": events as lines. */
static void write_events(const sl_engine_ops *engine_ops, void *engine, char *text, size_t size) {
    int32_t n = 0;
    const sl_engine_event *events = engine_ops->events(engine, &n);
    for (int32_t k = 0; k < n; k++) {
        const sl_engine_event *e = &events[k];
        size_t used = strlen(text);
        if (e->field < 0) {
            snprintf(text + used, size - used, "%.4f %s [%s]\n", e->time, e->kind, e->cause);
        } else {
            snprintf(text + used, size - used, "%.4f %s %s.%s.%s %.4g %.4g [%s]\n", e->time, e->kind,
                     engine_ops->classes[e->of].name, engine_ops->element(engine, e->field, e->index),
                     engine_ops->fields[e->field].name, fabs(e->from) < 1e-9 ? 0.0 : e->from, e->to, e->cause);
        }
    }
}

static void test_events(void **state) {
    (void)state;
    desk d;
    char text[2000] = "";
    sl_engine_step s;
    desk_begin(&d);
    sl_assert_ok(sl_automaton_add_discrete(d.a, "q", 4, 0));
    sl_assert_ok(sl_automaton_add_discrete(d.a, "r", 4, 3));
    sl_assert_ok(sl_automaton_add_transition(d.a, "up", "der(q) = 1", "q < 2"));
    sl_assert_ok(sl_automaton_add_transition(d.a, "also", "der(q) = 1", "q = 1"));
    sl_assert_ok(sl_automaton_add_transition(d.a, NULL, "der(r) = 1", "q = 1"));
    desk_go(&d);
    sl_assert_ok(ops->refresh(d.engine, NULL));
    write_events(ops, d.engine, text, sizeof text);
    while (ops->time(d.engine) < ops->end(d.engine)) {
        sl_assert_ok(ops->step(d.engine, NULL, &s));
        write_events(ops, d.engine, text, sizeof text);
    }
    assert_string_equal(text, "0.0000 init []\n"
                              "1.0000 transition discrete.q.state 0 1 [up]\n"
                              "2.0000 transition discrete.q.state 1 2 [up, also]\n"
                              "2.0000 transition discrete.r.state 3 0 []\n"
                              "2.0000 stop []\n");
    desk_end(&d);
}

/* Changed states are refused or taken; a refused one leaves the engine as it was. */
static void test_any_bytes(void **state) {
    (void)state;
    desk d;
    make_counter(&d);
    desk_go(&d);
    uint64_t seed = 5;
    int n_refused = 0, n_taken = 0;
    sl_engine_step s;
    for (int k = 0; k < 1000; k++) {
        if (k % 50 == 0) {
            sl_assert_ok(ops->step(d.engine, NULL, &s));
        }
        unsigned char before[20], bad[20], after[20];
        size_t n = ops->save_size(d.engine);
        assert_int_equal(n, sizeof before);
        ops->save(d.engine, before);
        memcpy(bad, before, n);
        uint32_t word = sl_test_below(&seed, 3) ? (uint32_t)sl_test_below(&seed, 300) : (uint32_t)sl_test_random(&seed);
        memcpy(bad + 4 * sl_test_below(&seed, 5), &word, sizeof word);
        sl_status status = ops->restore(d.engine, bad, n);
        assert_true(status == SL_OK || status == SL_ERR_INPUT);
        ops->save(d.engine, after);
        assert_memory_equal(after, status == SL_OK ? bad : before, n);
        sl_assert_ok(ops->restore(d.engine, before, n));
        n_taken += status == SL_OK;
        n_refused += status != SL_OK;
    }
    assert_true(n_taken > 100 && n_refused > 100);
    desk_end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_contract),
                                       cmocka_unit_test(test_warm_steps_allocate_nothing),
                                       cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_failures),
                                       cmocka_unit_test(test_choices_and_conflicts),
                                       cmocka_unit_test(test_choices_are_taken),
                                       cmocka_unit_test(test_any_bytes),
                                       cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
