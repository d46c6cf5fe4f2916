/* SPDX-License-Identifier: MIT */
/* Parts with cuts, which are integrated apart: blocks with dry friction, what follows the side of another part, pulses of time, tables,
 * kinks, balls whose actions concern themselves. A cut that changes begins the parts anew that hold it, and no other. Against closed
 * forms; against the same system moved as one (a root that holds all variables joins everything); saved, restored and copied at any
 * piece. */
#include "sl_test.h"

#include "automata/automaton.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_hybrid *h;
} setting;

enum { ROOM = 1 << 16, MOST_CELLS = 16, KINDS = 6 };

typedef struct text {
    char at[ROOM];
    size_t n;
} text;

static void add(text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->at + t->n, ROOM - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < ROOM);
}

/* What cells are made of: each has x and y. */
static void add_equations(text *t, int kind, int i, uint64_t *seed) {
    double a = 1.5 + sl_test_unit(seed), b = 0.5 + sl_test_unit(seed), c = 6.0 * sl_test_unit(seed);
    switch (kind) {
    case 0: /* a block that sticks and slips */
        add(t, "  - {equation: \"der(x%d) = %.17g*sin(%.17g*t + %.17g) - 1.2*sign(x%d)\"}\n", i, a, b, c, i);
        add(t, "  - {equation: \"der(y%d) = x%d\"}\n", i, i);
        break;
    case 1: /* what follows the side of the first cell, whose equations know nothing of it */
        add(t, "  - {equation: \"der(x%d) = if(x0 > 0, %.17g, -1) - 0.3*x%d\"}\n", i, a, i);
        add(t, "  - {equation: \"der(y%d) = if(x%d > 0.2, 1, 0) - y%d\"}\n", i, i, i);
        break;
    case 2: /* pulses */
        add(t, "  - {equation: \"der(x%d) = if(mod(t + %.17g, %.17g) < 0.3, 1, 0) - 0.2*x%d\"}\n", i, c, a, i);
        add(t, "  - {equation: \"der(y%d) = held(t + %.17g) - y%d\"}\n", i, 0.3 * c, i);
        break;
    case 3: /* a table of state */
        add(t, "  - {equation: \"der(x%d) = %.17g*y%d\"}\n  - {equation: \"der(y%d) = -x%d\"}\n", i, a, i, i, i);
        break;
    case 4: /* kinks */
        add(t, "  - {equation: \"der(x%d) = %.17g*abs(y%d) - x%d\"}\n", i, a, i, i);
        add(t, "  - {equation: \"der(y%d) = cos(%.17g*t + %.17g) - min(y%d, 0.3) + 0.2*lin(x%d)\"}\n", i, b, c, i, i);
        break;
    default: /* a ball in air, which pushes back */
        add(t, "  - {equation: \"der(x%d) = y%d\"}\n", i, i);
        add(t, "  - {equation: \"der(y%d) = -9.81 - 0.02*y%d*abs(y%d) - 0.05*sign(y%d)\"}\n", i, i, i, i);
    }
}

static void write_cells(text *t, int n, bool as_one, uint64_t seed) {
    int kind[MOST_CELLS];
    t->n = 0;
    add(t, "automaton: cells\ndiscrete: {never: 2");
    for (int i = 0; i < n; i++) {
        kind[i] = i == 0 ? 0 : i <= KINDS ? i - 1 : (int)(KINDS * sl_test_unit(&seed));
        if (kind[i] == KINDS - 1) {
            add(t, ", above%d: {states: 2, start: 1}, hit%d: 2", i, i);
        }
    }
    add(t, "}\ncontinuous: {dummy: 7");
    for (int i = 0; i < n; i++) {
        add(t, ", x%d: %.17g, y%d: 0", i, 0.5 + sl_test_unit(&seed), i);
    }
    add(t, "}\ntables:\n  held: {x: [0, 1, 2.5], y: [1, 3, 0], between: hold, beyond: constant}\n"
           "  lin: {x: [-1, 0, 1], y: [0, 1, 0], beyond: extend}\nactivities:\n");
    for (int i = 0; i < n; i++) {
        add_equations(t, kind[i], i, &seed);
    }
    add(t, "roots:\n  - {decides: never, by: -1}\n");
    if (as_one) {
        t->n -= strlen("-1}\n");
        add(t, "\"-1000");
        for (int i = 0; i < n; i++) {
            add(t, " - x%d^2 - y%d^2", i, i);
        }
        add(t, "\"}\n");
    }
    bool any = false;
    for (int i = 0; i < n; i++) {
        any = any || kind[i] == KINDS - 1;
        if (kind[i] == KINDS - 1) {
            add(t, "  - {decides: above%d, by: x%d}\n", i, i);
        }
    }
    add(t, any ? "transitions:\n" : "");
    for (int i = 0; i < n; i++) {
        if (kind[i] == KINDS - 1) {
            add(t, "  - {equation: \"der(hit%d) = 1\", when: \"!above%d & !hit%d | above%d & hit%d\"}\n", i, i, i, i,
                i);
        }
    }
    add(t, any ? "actions:\n" : "");
    for (int i = 0; i < n; i++) {
        if (kind[i] == KINDS - 1) {
            add(t, "  - {set: x%d, to: 0, when: hit%d}\n  - {set: y%d, to: -y%d, when: hit%d}\n", i, i, i, i, i);
        }
    }
}

static void begin(setting *s, const char *t, const sl_hybrid_def *def) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_status status = sl_automaton_read(s->ctx, t, strlen(t), "cells", s->diags, &s->a);
    if (status != SL_OK) {
        print_message("%s\n%s\n", sl_diags_at(s->diags, 0)->text, t);
    }
    sl_assert_ok(status);
    sl_assert_ok(
        sl_hybrid_create(s->ctx, sl_automaton_model(s->a)->ops, sl_automaton_model(s->a)->model, def, s->diags, &s->h));
}

static void end(setting *s) {
    sl_hybrid_destroy(s->h);
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

static sl_hybrid_def tight(double t) {
    sl_hybrid_def def = sl_hybrid_default();
    def.dae.rtol = 1e-10;
    def.dae.atol = 1e-11;
    def.dae.n_restart = 0;
    def.end = t;
    return def;
}

static void run(setting *s) {
    sl_hybrid_info info;
    sl_status status = sl_hybrid_next(s->h, SL_HYBRID_STOP, s->diags, &info);
    if (status != SL_OK && sl_diags_size(s->diags) > 0) {
        print_message("%s\n", sl_diags_at(s->diags, sl_diags_size(s->diags) - 1)->text);
    }
    sl_assert_ok(status);
}

static double x_of(const setting *s, const char *name) {
    return sl_hybrid_x(s->h)[sl_automaton_find_continuous(s->a, name)];
}

/* ---- Whom a cut concerns ------------------------------------------------------------------------ */

#define TOP "sluice: automaton/1\nautomaton: a\n"

/* Each block slides from speed 1 with friction i and rests at 1/i, when no force is left: its part begins at 0, and once more there. */
static void a_block_comes_to_rest_for_itself(void **state) {
    (void)state;
    static const char model[] = TOP "continuous: {a: 1, b: 1, c: 1, z: 0}\n"
                                    "activities: [{equation: der(a) = -sign(a)}, {equation: der(b) = -2*sign(b)},\n"
                                    "  {equation: der(c) = -3*sign(c)}, {equation: der(z) = cos(t)}]\n";
    sl_hybrid_def def = tight(5.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    sl_hybrid_stats stats = sl_hybrid_statistics(s.h);
    assert_int_equal(stats.n_part, 4);
    assert_int_equal(stats.n_restart, 4 + 3);
    assert_int_equal(stats.n_compiled, 4 + 3);
    sl_assert_abs(x_of(&s, "a"), 0.0, 1e-9);
    sl_assert_abs(x_of(&s, "c"), 0.0, 1e-9);
    sl_assert_abs(x_of(&s, "z"), sin(5.0), 1e-8);
    end(&s);
}

/* y turns at t = 1: its own part begins anew, and that of x, which holds the comparison; z goes on. */
static void a_side_of_another_part(void **state) {
    (void)state;
    static const char model[] = TOP "continuous: {x: 0, y: -1, z: 0}\n"
                                    "activities: [{equation: 'der(x) = if(y > 0, 2, 1)'}, {equation: der(y) = 1},\n"
                                    "  {equation: der(z) = cos(t)}]\n";
    sl_hybrid_def def = tight(3.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    assert_int_equal(sl_hybrid_statistics(s.h).n_part, 3);
    assert_int_equal(sl_hybrid_statistics(s.h).n_restart, 3 + 2);
    sl_assert_abs(x_of(&s, "x"), 1.0 + 4.0, 1e-9);
    end(&s);
}

/* Steps of the part that holds the pulse end with it; those of the other do not. */
static void a_pulse_ends_steps_of_its_own_part(void **state) {
    (void)state;
    static const char model[] = TOP "continuous: {x: 0, z: 0, w: 0}\n"
                                    "activities: [{equation: 'der(x) = if(t > 100 & t < 100.1, 10, 0)'},\n"
                                    "  {equation: 'der(z) = if(t > 50, 1, 0)'}, {equation: der(w) = 0}]\n";
    sl_hybrid_def def = tight(200.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    assert_int_equal(sl_hybrid_statistics(s.h).n_restart, 3 + 2 + 1);
    sl_assert_abs(x_of(&s, "x"), 1.0, 1e-12);
    sl_assert_abs(x_of(&s, "z"), 150.0, 1e-10);
    end(&s);
}

/* A pulse in a root that is in force later only, and stands by itself. */
static void a_pulse_of_a_root_that_waits(void **state) {
    (void)state;
    static const char model[] = TOP "discrete: {late: 2, on: 2}\n"
                                    "continuous: {x: 0, n: 0}\n"
                                    "activities: [{equation: der(x) = 1}, {equation: der(n) = 1, when: on}]\n"
                                    "roots: [{decides: late, by: x - 3},\n"
                                    "  {decides: on, by: 'if(t > 2 & t < 4, 1, -1)', when: late}]\n";
    sl_hybrid_def def = tight(5.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    sl_assert_abs(x_of(&s, "n"), 1.0, 1e-9); /* from 3 to 4 */
    end(&s);
}

/* A root of another part fires at the very time of a pulse, and turns a root of the part that holds the pulse on: that begins anew there,
 * with the pulse. */
static void a_pulse_at_the_time_of_a_root(void **state) {
    (void)state;
    static const double times[] = {0.5, 0.7, 1.0, 2.25};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        static text t;
        t.n = 0;
        add(&t,
            TOP "discrete: {late: 2, far: 2}\ncontinuous: {y: 0, x: 0}\n"
                "activities: [{equation: der(y) = 0}, {equation: 'der(x) = if(t >= %.17g, 1, 0)'}]\n"
                "roots: [{decides: late, by: t - %.17g + y}, {decides: far, by: x - 0.25, when: late}]\n",
            times[k], times[k]);
        sl_hybrid_def def = tight(3.0);
        setting s;
        begin(&s, t.at, &def);
        run(&s);
        sl_assert_abs(x_of(&s, "x"), 3.0 - times[k], 1e-9);
        assert_int_equal(sl_hybrid_q(s.h)[1], 1);
        end(&s);
    }
}

/* Rest that no equation can hold is refused in its own part: y is algebraic, so that nothing is known of der(y). The others go on. */
static void rest_that_is_refused(void **state) {
    (void)state;
    static const char model[] = TOP "continuous: {x: 2, y: 1, z: 0, v: 1}\n"
                                    "activities: [{equation: der(x) = -sign(y)}, {equation: y = x - 1},\n"
                                    "  {equation: der(z) = cos(t)}, {equation: der(v) = -2*sign(v)}]\n";
    sl_hybrid_def def = tight(5.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    sl_hybrid_stats stats = sl_hybrid_statistics(s.h);
    assert_int_equal(stats.n_part, 3);
    assert_int_equal(stats.n_restart, 3 + 1 + 1);
    sl_assert_abs(x_of(&s, "x"), 1.0, 1e-8);
    sl_assert_abs(x_of(&s, "z"), sin(5.0), 1e-8);
    sl_assert_abs(x_of(&s, "v"), 0.0, 1e-8);
    end(&s);
}

/* y stands still, and an action puts it to zero, where its sign would rest: no equation holds der(y), and x, y and what keeps y are more
 * unknowns than equations. That makes no system; x stops, and no other part begins anew. */
static void rest_that_makes_no_system(void **state) {
    (void)state;
    static const char model[] = TOP "discrete: {past: 2, done: 2}\n"
                                    "continuous: {x: 2, y: 1, z: 0, w: 0}\n"
                                    "activities: [{equation: der(x) = -sign(y)}, {equation: der(z) = cos(t)},\n"
                                    "  {equation: der(w) = -w + 1}]\n"
                                    "roots: [{decides: past, by: t - 1}]\n"
                                    "transitions: [{equation: der(done) = 1, when: past & !done}]\n"
                                    "actions: [{set: y, to: 0, when: past}]\n";
    sl_hybrid_def def = tight(5.0);
    setting s;
    sl_hybrid_info info;
    begin(&s, model, &def);
    sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_CROSSING, s.diags, &info));
    sl_hybrid_stats before = sl_hybrid_statistics(s.h);
    run(&s);
    sl_hybrid_stats after = sl_hybrid_statistics(s.h);
    assert_int_equal(after.n_restart - before.n_restart, 1);
    assert_int_equal(after.n_part, before.n_part);
    sl_assert_abs(x_of(&s, "x"), 1.0, 1e-8);
    sl_assert_double(x_of(&s, "y"), 0.0);
    sl_assert_abs(x_of(&s, "z"), sin(5.0), 1e-8);
    end(&s);
}

/* Two tables are left at one instant: each says so. */
static void tables_left_together(void **state) {
    (void)state;
    static const char model[] = TOP "continuous: {x: 0, y: 0}\n"
                                    "tables: {f: {x: [0, 1], y: [0, 1]}, g: {x: [0, 1], y: [1, 0]}}\n"
                                    "activities: [{equation: der(x) = f(t)}, {equation: der(y) = g(t)}]\n";
    sl_hybrid_def def = tight(2.0);
    setting s;
    begin(&s, model, &def);
    run(&s);
    assert_int_equal(sl_diags_size(s.diags), 2);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->object_id, "(t)"));
    assert_string_not_equal(sl_diags_at(s.diags, 0)->object_id, sl_diags_at(s.diags, 1)->object_id);
    sl_assert_abs(x_of(&s, "x"), 1.5, 1e-8);
    sl_assert_abs(x_of(&s, "y"), 0.5, 1e-8);
    end(&s);
}

/* A tangle of choices in one part is counted by itself: many blocks that rest at one instant are no zeno execution. */
static void many_at_one_instant(void **state) {
    (void)state;
    static text t;
    enum { N = 200 };
    t.n = 0;
    add(&t, TOP "continuous: {z: 0");
    for (int i = 0; i < N; i++) {
        add(&t, ", v%d: 1", i);
    }
    add(&t, "}\nactivities:\n  - {equation: der(z) = 1}\n");
    for (int i = 0; i < N; i++) {
        add(&t, "  - {equation: der(v%d) = -sign(v%d)}\n", i, i);
    }
    sl_hybrid_def def = tight(2.0);
    setting s;
    begin(&s, t.at, &def);
    run(&s);
    assert_int_equal(sl_hybrid_statistics(s.h).n_restart, 1 + 2 * N);
    sl_assert_abs(x_of(&s, "v0"), 0.0, 1e-9);
    sl_assert_abs(x_of(&s, "v199"), 0.0, 1e-9);
    end(&s);
}

/* ---- As the whole ------------------------------------------------------------------------------- */

static void parts_move_as_the_whole(void **state) {
    (void)state;
    static text t;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        sl_hybrid_def def = tight(5.0);
        setting apart, whole;
        int n = 4 + (int)(seed % 6);
        write_cells(&t, n, false, seed);
        begin(&apart, t.at, &def);
        run(&apart);
        write_cells(&t, n, true, seed);
        begin(&whole, t.at, &def);
        run(&whole);
        sl_hybrid_stats parts = sl_hybrid_statistics(apart.h), one = sl_hybrid_statistics(whole.h);
        assert_true(parts.n_part >= n);
        assert_int_equal(one.n_part, 1);
        assert_true(one.n_restart > 10);
        assert_int_equal(sl_hybrid_n_crossing(apart.h), sl_hybrid_n_crossing(whole.h));
        for (int j = 0; j < 1 + 2 * n; j++) {
            sl_assert_abs(sl_hybrid_x(apart.h)[j], sl_hybrid_x(whole.h)[j], 2e-6);
        }
        end(&apart);
        end(&whole);
    }
}

/* ---- Saved states ------------------------------------------------------------------------------- */

static void compare(const setting *a, const setting *b, int n) {
    double x[2][2 * MOST_CELLS + 1], dx[2][2 * MOST_CELLS + 1];
    size_t bytes = (size_t)(1 + 2 * n) * sizeof(double);
    sl_assert_bits(sl_hybrid_time(b->h), sl_hybrid_time(a->h));
    assert_memory_equal(sl_hybrid_x(b->h), sl_hybrid_x(a->h), bytes);
    assert_memory_equal(sl_hybrid_dx(b->h), sl_hybrid_dx(a->h), bytes);
    double t = 0.5 * (sl_hybrid_step_begin(a->h) + sl_hybrid_time(a->h));
    if (sl_hybrid_interpolate(a->h, t, x[0], dx[0]) == SL_OK) {
        sl_assert_ok(sl_hybrid_interpolate(b->h, t, x[1], dx[1]));
        assert_memory_equal(x[0], x[1], bytes);
        assert_memory_equal(dx[0], dx[1], bytes);
    }
}

/* Restored at any piece, into an execution with another past, and copied: the same bits from there on. */
static void restored_equals_uninterrupted(void **state) {
    (void)state;
    static text t;
    static char bytes[4 * ROOM], again[4 * ROOM];
    enum { N = 9 };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        write_cells(&t, N, seed == 4, seed);
        sl_hybrid_def def = tight(4.0);
        def.dae.rtol = 1e-6;
        def.dae.n_restart = 25;
        def.kept = seed == 2 ? 0 : def.kept;
        setting a, b;
        begin(&a, t.at, &def);
        begin(&b, t.at, &def);
        for (int k = 0; k < 20000; k++) {
            sl_hybrid_info i, j;
            sl_assert_ok(sl_hybrid_next(a.h, SL_HYBRID_ANY, a.diags, &i));
            if (k % 17 == 3) {
                size_t n = sl_hybrid_save_size(a.h);
                assert_true(n <= sizeof bytes);
                sl_hybrid_save(a.h, bytes);
                if (k % 2 == 0) {
                    sl_hybrid_destroy(b.h);
                    sl_assert_ok(sl_hybrid_copy(a.h, b.diags, &b.h));
                } else {
                    sl_assert_ok(sl_hybrid_restore(b.h, bytes, n, b.diags));
                }
                assert_int_equal(sl_hybrid_save_size(b.h), n);
                sl_hybrid_save(b.h, again);
                assert_memory_equal(bytes, again, n);
            } else {
                sl_assert_ok(sl_hybrid_next(b.h, SL_HYBRID_ANY, b.diags, &j));
                assert_int_equal(i.event, j.event);
            }
            if (k % 5 == 0) {
                compare(&a, &b, N);
            }
            if (i.event == SL_HYBRID_STOP) {
                break;
            }
        }
        compare(&a, &b, N);
        assert_true(sl_hybrid_time(a.h) > 3.9);
        sl_hybrid_destroy(b.h);
        b.h = NULL;
        end(&a);
        end(&b);
    }
}

/* Compiled equations that are thrown away and made again decide no bit. */
static void memory_decides_no_bit(void **state) {
    (void)state;
    static text t;
    write_cells(&t, 8, false, 3);
    sl_hybrid_def def = tight(5.0), poor = def;
    poor.kept = 0;
    setting a, b;
    begin(&a, t.at, &def);
    begin(&b, t.at, &poor);
    run(&a);
    run(&b);
    assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), 17 * sizeof(double));
    assert_true(sl_hybrid_statistics(b.h).n_compiled > sl_hybrid_statistics(a.h).n_compiled);
    end(&a);
    end(&b);
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const sl_hybrid_model *model = sl_automaton_model(user);
    sl_hybrid_def def = tight(1.2);
    def.dae.rtol = 1e-4;
    sl_hybrid *h = NULL, *copy = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, model->ops, model->model, &def, NULL, &h);
    status = status == SL_OK ? sl_hybrid_next(h, SL_HYBRID_STOP, NULL, &info) : status;
    status = status == SL_OK ? sl_hybrid_copy(h, NULL, &copy) : status;
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(copy);
    sl_hybrid_destroy(h);
}

static void memory_may_be_short(void **state) {
    (void)state;
    static text t;
    write_cells(&t, 6, false, 3);
    sl_hybrid_def def = tight(1.0);
    setting s;
    begin(&s, t.at, &def);
    assert_true(sl_test_sweep(run_once, s.a) > 50);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_comes_to_rest_for_itself),
        cmocka_unit_test(a_side_of_another_part),
        cmocka_unit_test(a_pulse_ends_steps_of_its_own_part),
        cmocka_unit_test(a_pulse_of_a_root_that_waits),
        cmocka_unit_test(a_pulse_at_the_time_of_a_root),
        cmocka_unit_test(rest_that_is_refused),
        cmocka_unit_test(rest_that_makes_no_system),
        cmocka_unit_test(tables_left_together),
        cmocka_unit_test(many_at_one_instant),
        cmocka_unit_test(parts_move_as_the_whole),
        cmocka_unit_test(restored_equals_uninterrupted),
        cmocka_unit_test(memory_decides_no_bit),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
