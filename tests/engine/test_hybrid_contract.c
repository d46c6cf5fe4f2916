/* SPDX-License-Identifier: MIT */
/* test_hybrid_contract.c: the engine contract on hybrid automata, and saved states of them: any time of any step, any bytes. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "contract.h"

#include <stdio.h>

typedef struct desk {
    sl_test_memory memory;
    sl_context *ctx;
    sl_automaton *a;
    const sl_hybrid_model *model;
    sl_hybrid_model chosen; /* that of forks */
} desk;

enum { N_FORK = 20 };
static const int64_t forks[N_FORK] = {0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1};

/* Each second s goes up or down by 1, modulo 3: which is a choice. The speed of x is s. */
static const char forking[] = "automaton: forks\n"
                              "discrete: {due: 2, s: 3}\n"
                              "continuous: {x: 0, clock: 0}\n"
                              "activities: [{equation: der(clock) = 1}, {equation: der(x) = 0, when: s = 0},\n"
                              "  {equation: der(x) = 1, when: s = 1}, {equation: der(x) = 2, when: s = 2}]\n"
                              "roots: [{decides: due, by: clock - 1}]\n"
                              "transitions: [{equation: der(s)^2 = 1, when: due & t < 1}]\n"
                              "actions: [{set: clock, to: 0, when: due}]\n"
                              "run: {end: 19.5, longest step: 0.3}\n";

static void desk_fork(desk *d) {
    sl_assert_ok(sl_automaton_read(d->ctx, forking, strlen(forking), "forks", NULL, &d->a));
    d->chosen = *sl_automaton_model(d->a);
    d->chosen.def.choices = SL_HYBRID_CHOICES_ASK;
    d->chosen.choices = forks;
    d->chosen.n_choice = N_FORK;
    d->model = &d->chosen;
}

static void desk_begin(desk *d, const char *name) {
    char path[500], text[20000];
    *d = (desk){0};
    d->ctx = sl_test_context(&d->memory);
    if (strcmp(name, "forks") == 0) {
        desk_fork(d);
        return;
    }
    snprintf(path, sizeof path, "%s/examples/automata/%s.yaml", SL_TEST_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_true(n > 0 && n < sizeof text);
    sl_assert_ok(sl_automaton_read(d->ctx, text, n, name, NULL, &d->a));
    d->model = sl_automaton_model(d->a);
}

static void desk_end(desk *d) {
    sl_automaton_destroy(d->a);
    sl_test_context_end(d->ctx, &d->memory);
}

static void check(const char *name, int32_t field, int32_t index, double value, double bad_value) {
    desk d;
    desk_begin(&d, name);
    contract_check(&(contract_case){.ops = &sl_hybrid_engine,
                                    .model = d.model,
                                    .n_step = 24,
                                    .field = field,
                                    .index = index,
                                    .value = value,
                                    .bad_value = bad_value,
                                    .bad_field = SL_HYBRID_DERIVATIVE,
                                    .grows = true});
    desk_end(&d);
}

static void test_automata_keep_the_contract(void **state) {
    (void)state;
    check("thermostat", SL_HYBRID_VALUE, 0, 21.5, (double)NAN);
    check("thermostat", SL_HYBRID_STATE, 2, 0.0, 2.0);
    check("flower", SL_HYBRID_VALUE, 1, 0.25, (double)NAN);
    check("two-tanks", SL_HYBRID_VALUE, 0, 0.75, (double)NAN);
    check("forks", SL_HYBRID_VALUE, 0, 0.75, (double)NAN);
}

/* The choices are taken in their order, through saved states; where they end, the first. */
static void test_choices_are_taken(void **state) {
    (void)state;
    for (int32_t n = N_FORK; n >= 0; n -= 10) {
        desk d;
        desk_begin(&d, "forks");
        d.chosen.n_choice = n;
        void *e = NULL;
        sl_engine_step s;
        sl_assert_ok(sl_hybrid_engine.create(d.ctx, d.model, NULL, &e));
        while (sl_hybrid_engine.time(e) < sl_hybrid_engine.end(e)) {
            unsigned char bytes[4096];
            void *fresh = NULL;
            sl_assert_ok(sl_hybrid_engine.step(e, NULL, &s));
            size_t size = sl_hybrid_engine.save_size(e); /* another one goes on */
            assert_true(size <= sizeof bytes);
            sl_hybrid_engine.save(e, bytes);
            sl_hybrid_engine.destroy(e);
            sl_assert_ok(sl_hybrid_engine.create(d.ctx, d.model, NULL, &fresh));
            sl_assert_ok(sl_hybrid_engine.restore(fresh, bytes, size));
            e = fresh;
        }
        int64_t x = 0, speed = 0;
        for (int32_t k = 0; k < 19; k++) { /* of two derivatives the first is -1 */
            speed = (speed + (k < n && forks[k] ? 1 : 2)) % 3;
            x += speed * (k < 18 ? 2 : 1);
        }
        sl_assert_abs(sl_hybrid_engine.data(e, SL_HYBRID_VALUE)[0], 0.5 * (double)x, 1e-7);
        sl_assert_double(sl_hybrid_engine.data(e, SL_HYBRID_STATE)[1], (double)speed);
        sl_hybrid_engine.destroy(e);
        desk_end(&d);
    }
}

/* ---- Any time ----------------------------------------------------------------------------------- */

static const sl_engine_ops *const ops = &sl_hybrid_engine;

static void assert_same_values(void *a, void *b) {
    for (int32_t f = 0; f < ops->n_field; f++) {
        assert_memory_equal(ops->data(a, f), ops->data(b, f), (size_t)ops->count(a, f) * sizeof(double));
    }
}

static size_t take_state(void *engine, unsigned char bytes[4096]) {
    size_t n = ops->save_size(engine);
    assert_true(n <= 4096);
    ops->save(engine, bytes);
    return n;
}

/* At a random time of every step of a run to its end, and now and then after a cut and a set that is not refreshed: the state goes
 * into another engine, which has to show the same there and at the next boundary. */
static void travel(const char *name, uint64_t seed) {
    desk d;
    desk_begin(&d, name);
    void *a = NULL, *b = NULL;
    unsigned char bytes[4096];
    sl_engine_step s = {0}, other;
    sl_assert_ok(ops->create(d.ctx, d.model, NULL, &a));
    sl_assert_ok(ops->create(d.ctx, d.model, NULL, &b));
    while (ops->time(a) < ops->end(a)) {
        sl_assert_ok(ops->step(a, NULL, &s));
        sl_assert_ok(ops->restore(b, bytes, take_state(a, bytes)));
        double t = s.begin + sl_test_unit(&seed) * (s.end - s.begin);
        sl_assert_ok(ops->show(a, t, NULL));
        sl_assert_ok(ops->show(b, t, NULL));
        assert_same_values(a, b);
        if (sl_test_below(&seed, 25) == 0) {
            sl_assert_ok(ops->cut(a, t, NULL));
            double x = ops->data(a, SL_HYBRID_VALUE)[0] * (1.0 + 0.01 * sl_test_unit(&seed));
            sl_assert_ok(ops->set(a, SL_HYBRID_VALUE, 0, x, NULL));
            sl_assert_ok(ops->restore(b, bytes, take_state(a, bytes)));
            assert_same_values(a, b);
        }
        if (sl_test_below(&seed, 2) && ops->time(a) < ops->end(a)) { /* the other one goes ahead */
            sl_assert_ok(ops->step(b, NULL, &other));
            sl_assert_ok(ops->step(a, NULL, &s));
            sl_assert_bits(other.end, s.end);
            assert_same_values(a, b);
        }
    }
    ops->destroy(a);
    ops->destroy(b);
    desk_end(&d);
}

static void test_any_time_of_a_run(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        travel("thermostat", seed);
        if (seed == 1) { /* thousands of steps */
            travel("flower", seed);
        }
        travel("two-tanks", seed);
        travel("forks", seed);
    }
}

/* ---- Any bytes ---------------------------------------------------------------------------------- */

/* Changed states are taken or refused; a refused one leaves the engine as it was. */
static void test_any_bytes(void **state) {
    (void)state;
    desk d;
    desk_begin(&d, "two-tanks");
    uint64_t seed = 11;
    void *a = NULL, *b = NULL;
    unsigned char good[4096], bad[4096], before[4096], after[4096];
    sl_engine_step s;
    sl_assert_ok(ops->create(d.ctx, d.model, NULL, &a));
    sl_assert_ok(ops->create(d.ctx, d.model, NULL, &b));
    int n_refused = 0, n_taken = 0;
    for (int k = 0; k < 800; k++) {
        if (k % 50 == 0) {
            sl_assert_ok(ops->step(a, NULL, &s));
        }
        size_t n = take_state(a, good), m = take_state(b, before);
        memcpy(bad, good, n);
        for (int64_t i = sl_test_below(&seed, 3); i >= 0; i--) {
            size_t at = (size_t)sl_test_below(&seed, (int64_t)n / 8) * 8;
            uint64_t word = sl_test_below(&seed, 3) ? sl_test_random(&seed) : (uint64_t)sl_test_below(&seed, 100);
            memcpy(bad + at, &word, n - at < 8 ? n - at : 8);
        }
        n -= sl_test_below(&seed, 10) == 0 ? (size_t)sl_test_below(&seed, (int64_t)n) : 0;
        sl_status status = ops->restore(b, bad, n);
        assert_true(status == SL_OK || status == SL_ERR_INPUT);
        if (status == SL_OK) {
            (void)ops->show(b, ops->time(b), NULL);
            (void)(ops->time(b) < ops->end(b) ? ops->step(b, NULL, &s) : SL_OK);
            n_taken++;
        } else {
            assert_int_equal(take_state(b, after), m);
            assert_memory_equal(before, after, m);
            n_refused++;
        }
    }
    assert_true(n_refused > 100 && n_taken > 10);
    ops->destroy(a);
    ops->destroy(b);
    desk_end(&d);
}

/* A number of pieces that was changed leads somewhere else before motion begins once more, or is refused: what is taken is saved as
 * the same bytes, and the work is bounded. */
static void test_any_number_of_pieces(void **state) {
    (void)state;
    desk d;
    desk_begin(&d, "thermostat");
    sl_hybrid_def def = d.model->def;
    def.end = (double)INFINITY;
    sl_hybrid *h = NULL;
    unsigned char bytes[4096], after[4096];
    int n_refused = 0;
    sl_assert_ok(sl_hybrid_create(d.ctx, d.model->ops, d.model->model, &def, NULL, &h));
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_CROSSING, NULL, &info)); /* pieces follow before motion goes on */
    size_t n = sl_hybrid_save_size(h);
    assert_true(n <= sizeof bytes);
    sl_hybrid_save(h, bytes);
    for (int64_t k = 0; k < 400; k++) {
        int64_t pieces = k < 399 ? k : INT64_C(1) << 60;
        memcpy(bytes + n - sizeof pieces, &pieces, sizeof pieces); /* they stand last */
        if (sl_hybrid_restore(h, bytes, n, NULL) == SL_OK) {
            assert_int_equal(sl_hybrid_save_size(h), n);
            sl_hybrid_save(h, after);
            assert_memory_equal(after, bytes, n);
        } else {
            n_refused++;
        }
    }
    assert_true(n_refused > 10 && n_refused < 398);
    sl_hybrid_destroy(h);
    desk_end(&d);
}

/* ---- Events ------------------------------------------------------------------------------------- */

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

/* Those of a run up to a time, and of the end. */
static void check_events_of(const char *name, double until, const char *expected) {
    desk d;
    char text[4000] = "";
    void *a = NULL;
    sl_engine_step s = {0};
    desk_begin(&d, name);
    sl_assert_ok(ops->create(d.ctx, d.model, NULL, &a));
    sl_assert_ok(ops->refresh(a, NULL));
    write_events(ops, a, text, sizeof text);
    while (ops->time(a) < until) {
        sl_assert_ok(ops->step(a, NULL, &s));
        write_events(ops, a, text, sizeof text);
    }
    assert_string_equal(text, expected);
    ops->destroy(a);
    desk_end(&d);
}

static void test_events(void **state) {
    (void)state;
    check_events_of("thermostat", 2.0,
                    "0.0000 init []\n"
                    "1.0536 crossing [w0]\n"
                    "1.0536 root discrete.hot.state 0 1 [w0]\n"
                    "1.0536 transition discrete.heating.state 1 0 [switch]\n"
                    "1.0536 settled []\n"
                    "1.0536 root discrete.hot.state 1 0 [w0]\n");
    check_events_of("ball", 0.5,
                    "0.0000 init []\n"
                    "0.4515 crossing [w0]\n"
                    "0.4515 root discrete.above.state 1 0 [w0]\n"
                    "0.4515 transition discrete.hit.state 0 1 [touch]\n"
                    "0.4515 settled []\n"
                    "0.4515 action variable.y.value 0 0 [v0]\n"
                    "0.4515 action variable.v.value -4.429 2.215 [v1]\n"
                    "0.4515 root discrete.above.state 0 1 [w0]\n"
                    "0.4515 transition discrete.hit.state 1 0 [touch]\n"
                    "0.4515 settled []\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_automata_keep_the_contract), cmocka_unit_test(test_choices_are_taken),
        cmocka_unit_test(test_any_time_of_a_run),          cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_any_number_of_pieces),       cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
