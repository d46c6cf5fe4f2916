/* SPDX-License-Identifier: MIT */
/* Parts that are integrated apart: tanks in a row with gates that join and separate them, and elastic balls, whose actions concern
 * themselves alone. Against closed forms; against the same system moved as one (a root that holds all variables joins everything);
 * saved and restored at any piece. */
#include "sl_test.h"

#include "automata/automaton.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_hybrid *h;
} setting;

enum { ROOM = 1 << 16 };

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

/* Tanks in a row: gate i, between i and i + 1, opens when tank i is high and closes when it is low. gates: how many of them there
 * are. as_one: a root that never fires holds all levels. */
static void write_tanks(text *t, int n, int n_gate, int n_ball, bool as_one, uint64_t seed) {
    t->n = 0;
    add(t, "automaton: tanks\ndiscrete: {never: 2");
    for (int i = 0; i < n; i++) {
        add(t, ", high%d: 2, low%d: 2, open%d: 2", i, i, i);
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, ", above%d: {states: 2, start: 1}, hit%d: 2", i, i);
    }
    add(t, "}\ncontinuous: {dummy: 7");
    for (int i = 0; i < n; i++) {
        add(t, ", h%d: %.17g", i, 1.2 + 0.7 * sl_test_unit(&seed));
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, ", y%d: %.17g, v%d: 0", i, 1.0 + sl_test_unit(&seed), i);
    }
    add(t, "}\nactivities:\n");
    for (int i = 0; i < n; i++) {
        double inflow = 0.3 + 0.4 * sl_test_unit(&seed), leak = 0.05 + 0.1 * sl_test_unit(&seed);
        for (int k = 0; k < 4; k++) {
            bool left = k & 1 && i > 0 && i <= n_gate, own = k & 2 && i < n_gate;
            if ((k & 1 && !left) || (k & 2 && !own)) {
                continue;
            }
            add(t, "  - {equation: \"der(h%d) = %.17g - %.17g*h%d", i, inflow, leak, i);
            if (left) {
                add(t, " + 0.8*(h%d - h%d)", i - 1, i);
            }
            if (own && i + 1 < n) {
                add(t, " - 0.8*(h%d - h%d)", i, i + 1);
            } else if (own) {
                add(t, " - 0.8*h%d", i);
            }
            add(t, "\", when: \"true");
            if (i > 0 && i <= n_gate) {
                add(t, " & %sopen%d", left ? "" : "!", i - 1);
            }
            if (i < n_gate) {
                add(t, " & %sopen%d", own ? "" : "!", i);
            }
            add(t, "\"}\n");
        }
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, "  - {equation: \"der(y%d) = v%d\"}\n  - {equation: \"der(v%d) = -9.81\"}\n", i, i, i);
    }
    add(t, "roots:\n");
    for (int i = 0; i < n; i++) {
        add(t, "  - {decides: high%d, by: h%d - 2}\n  - {decides: low%d, by: 1 - h%d}\n", i, i, i, i);
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, "  - {decides: above%d, by: y%d}\n", i, i);
    }
    if (as_one) {
        add(t, "  - {decides: never, by: \"-1000");
        for (int i = 0; i < n; i++) {
            add(t, " - h%d", i);
        }
        for (int i = 0; i < n_ball; i++) {
            add(t, " - y%d^2", i);
        }
        add(t, "\"}\n");
    }
    add(t, "transitions:\n");
    for (int i = 0; i < n; i++) {
        add(t, "  - {equation: \"der(open%d) = 1\", when: \"high%d & !open%d\"}\n", i, i, i);
        add(t, "  - {equation: \"der(open%d) = -1\", when: \"low%d & open%d\"}\n", i, i, i);
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, "  - {equation: \"der(hit%d) = 1\", when: \"!above%d & !hit%d | above%d & hit%d\"}\n", i, i, i, i, i);
    }
    if (n_ball > 0) {
        add(t, "actions:\n");
    }
    for (int i = 0; i < n_ball; i++) {
        add(t, "  - {set: y%d, to: 0, when: hit%d}\n  - {set: v%d, to: -v%d, when: hit%d}\n", i, i, i, i, i);
    }
}

static void begin(setting *s, const text *t, const sl_hybrid_def *def) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_status status = sl_automaton_read(s->ctx, t->at, t->n, "tanks", s->diags, &s->a);
    if (status != SL_OK) {
        print_message("%s\n%s\n", sl_diags_at(s->diags, 0)->text, t->at);
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
    def.dae.rtol = 1e-11;
    def.dae.atol = 1e-12;
    def.dae.root_tol = 1e-11;
    def.end = t;
    return def;
}

/* The next crossing: its time, or INFINITY at the end. */
static double crossing(setting *s) {
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(s->h, SL_HYBRID_CROSSING, s->diags, &info));
    return info.event == SL_HYBRID_CROSSING ? info.t : (double)INFINITY;
}

/* An event begins its own part anew, and no other; who is not concerned goes on with its history. */
static void an_event_concerns_its_own_part(void **state) {
    (void)state;
    static text t;
    write_tanks(&t, 8, 0, 3, false, 5);
    sl_hybrid_def def = tight(4.0);
    setting s;
    begin(&s, &t, &def);
    int64_t n = 0, before = 0;
    for (double at; (at = crossing(&s)) < 4.0; n++) {
        before = n == 0 ? sl_hybrid_statistics(s.h).n_restart : before;
    }
    sl_hybrid_stats all = sl_hybrid_statistics(s.h);
    assert_int_equal(before, 11);
    assert_int_equal(all.n_part, 11);
    assert_true(n > 10);
    /* Balls begin anew, tanks without gates change no equations: 3 balls, bounces at sqrt(2 y/g) (2 k + 1). */
    uint64_t seed = 5;
    double bounces = 0.0;
    for (int i = 0; i < 8; i++) {
        (void)sl_test_unit(&seed);
    }
    for (int i = 0; i < 3; i++) {
        bounces += floor((4.0 / sqrt(2.0 * (1.0 + sl_test_unit(&seed)) / 9.81) + 1.0) / 2.0);
    }
    assert_int_equal(all.n_restart, 11 + (int64_t)bounces);
    assert_true(all.dae.n_restart < all.n_restart + 20);
    end(&s);
}

/* Elastic balls: bounces at closed times, heights between them; what stands still keeps its value. */
static void balls_bounce_for_themselves(void **state) {
    (void)state;
    static text t;
    write_tanks(&t, 0, 0, 4, false, 9);
    sl_hybrid_def def = tight(10.0);
    setting s;
    begin(&s, &t, &def);
    while (crossing(&s) < 10.0) {}
    uint64_t seed = 9;
    for (int i = 0; i < 4; i++) {
        double y0 = 1.0 + sl_test_unit(&seed), fall = sqrt(2.0 * y0 / 9.81), speed = sqrt(2.0 * 9.81 * y0);
        double within = fmod(10.0 - fall, 2.0 * fall);
        sl_assert_abs(sl_hybrid_x(s.h)[1 + 2 * i], speed * within - 0.5 * 9.81 * within * within, 1e-7);
    }
    sl_assert_double(sl_hybrid_x(s.h)[0], 7.0);
    sl_assert_double(sl_hybrid_dx(s.h)[0], 0.0);
    end(&s);
}

/* The same events and states by parts as in one piece, while gates join parts and separate them. */
static void parts_move_as_the_whole(void **state) {
    (void)state;
    static text t;
    int64_t least = 100, most = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        sl_hybrid_def def = tight(20.0);
        setting apart, whole;
        write_tanks(&t, 6, seed % 3 == 0 ? 3 : 6, (int)(seed % 3), false, seed);
        begin(&apart, &t, &def);
        write_tanks(&t, 6, seed % 3 == 0 ? 3 : 6, (int)(seed % 3), true, seed);
        begin(&whole, &t, &def);
        int n = 0;
        for (double at; (at = crossing(&apart)) < 20.0; n++) {
            sl_assert_abs(crossing(&whole), at, 1e-7);
            int64_t n_part = sl_hybrid_statistics(apart.h).n_part;
            least = n_part < least ? n_part : least;
            most = n_part > most ? n_part : most;
            assert_int_equal(sl_hybrid_statistics(whole.h).n_part, 1);
        }
        assert_true(n > 5);
        assert_true(crossing(&whole) >= 20.0);
        for (int j = 0; j < 7; j++) {
            sl_assert_abs(sl_hybrid_x(apart.h)[j], sl_hybrid_x(whole.h)[j], 1e-7);
        }
        end(&apart);
        end(&whole);
    }
    assert_true(least <= 3 && most >= 7);
}

/* Restored at any piece, into an execution with another past and into a new one: the same bits from there on. */
static void restored_equals_uninterrupted(void **state) {
    (void)state;
    static text t;
    static char bytes[ROOM], again[ROOM];
    write_tanks(&t, 6, 6, 2, false, 3);
    sl_hybrid_def def = tight(100.0);
    def.dae.rtol = 1e-6;
    def.dae.n_restart = 25;
    setting a, b;
    begin(&a, &t, &def);
    begin(&b, &t, &def);
    for (int k = 0; k < 4000; k++) {
        sl_hybrid_info i, j;
        sl_assert_ok(sl_hybrid_next(a.h, SL_HYBRID_ANY, a.diags, &i));
        if (k % 7 == 0) {
            size_t n = sl_hybrid_save_size(a.h);
            assert_true(n <= ROOM);
            sl_hybrid_save(a.h, bytes);
            sl_assert_ok(sl_hybrid_restore(b.h, bytes, n, b.diags));
            assert_int_equal(sl_hybrid_save_size(b.h), n);
            sl_hybrid_save(b.h, again);
            assert_memory_equal(bytes, again, n);
        } else {
            sl_assert_ok(sl_hybrid_next(b.h, SL_HYBRID_ANY, b.diags, &j));
            assert_int_equal(i.event, j.event);
        }
        sl_assert_bits(sl_hybrid_time(b.h), sl_hybrid_time(a.h));
        assert_memory_equal(sl_hybrid_q(b.h), sl_hybrid_q(a.h), 23 * sizeof(int32_t));
        if (k % 3 == 0) {
            assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), 11 * sizeof(double));
            assert_memory_equal(sl_hybrid_dx(b.h), sl_hybrid_dx(a.h), 11 * sizeof(double));
            double t_in = 0.5 * (sl_hybrid_step_begin(a.h) + sl_hybrid_time(a.h)), x[2][11], dx[2][11];
            if (sl_hybrid_interpolate(a.h, t_in, x[0], dx[0]) == SL_OK) {
                sl_assert_ok(sl_hybrid_interpolate(b.h, t_in, x[1], dx[1]));
                assert_memory_equal(x[0], x[1], sizeof x[0]);
                assert_memory_equal(dx[0], dx[1], sizeof dx[0]);
            }
        }
        if (i.event == SL_HYBRID_STOP) {
            break;
        }
    }
    assert_true(sl_hybrid_n_crossing(a.h) > 20 && sl_hybrid_statistics(a.h).n_compiled > 10);
    end(&a);
    end(&b);
}

/* Compiled equations that are thrown away and made again decide no bit. */
static void memory_decides_no_bit(void **state) {
    (void)state;
    static text t;
    write_tanks(&t, 2, 2, 1, false, 3);
    sl_hybrid_def def = tight(80.0), poor = def;
    poor.kept = 0;
    setting a, b;
    begin(&a, &t, &def);
    begin(&b, &t, &poor);
    for (double at; (at = crossing(&a)) < 80.0;) {
        sl_assert_bits(crossing(&b), at);
        assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), 5 * sizeof(double));
    }
    assert_true(sl_hybrid_statistics(b.h).n_compiled > sl_hybrid_statistics(a.h).n_compiled);
    assert_true(sl_hybrid_statistics(b.h).bytes < sl_hybrid_statistics(a.h).bytes);
    end(&a);
    end(&b);
}

/* A root that waits for another one to let it in force is asked at once, and looked at while motion goes on. */
static void a_root_comes_into_force(void **state) {
    (void)state;
    static const char model[] = "automaton: roots\n"
                                "discrete: {past: 2, far: 2, both: 2}\n"
                                "continuous: {x: 0, y: 0}\n"
                                "activities: [{equation: der(x) = 1}, {equation: der(y) = 2}]\n"
                                "roots: [{decides: past, by: x - 1}, {decides: far, by: x - 2, when: past},\n"
                                "  {decides: both, by: x + y - 7.5, when: far}]\n";
    text t;
    t.n = (size_t)snprintf(t.at, sizeof t.at, "%s", model);
    sl_hybrid_def def = tight(4.0);
    setting s;
    begin(&s, &t, &def);
    for (int k = 0; k < 3; k++) { /* x = 1, x = 2, 3 x = 7.5: now both are one part */
        sl_assert_rel(crossing(&s), k < 2 ? k + 1.0 : 2.5, 1e-9);
    }
    assert_int_equal(sl_hybrid_statistics(s.h).n_part, 1);
    assert_true(crossing(&s) > 3.0);
    assert_int_equal(sl_hybrid_q(s.h)[2], 1);
    end(&s);
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const sl_hybrid_model *model = sl_automaton_model(user);
    sl_hybrid_def def = tight(3.0);
    def.dae.rtol = 1e-6;
    sl_hybrid *h = NULL, *copy = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, model->ops, model->model, &def, NULL, &h);
    while (status == SL_OK && (status = sl_hybrid_next(h, SL_HYBRID_CROSSING, NULL, &info)) == SL_OK &&
           info.event != SL_HYBRID_STOP) {}
    status = status == SL_OK ? sl_hybrid_copy(h, NULL, &copy) : status;
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(copy);
    sl_hybrid_destroy(h);
}

static void memory_may_be_short(void **state) {
    (void)state;
    static text t;
    write_tanks(&t, 3, 3, 1, false, 3);
    sl_hybrid_def def = tight(1.0);
    setting s;
    begin(&s, &t, &def);
    assert_true(sl_test_sweep(run_once, s.a) > 50);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_concerns_its_own_part),
        cmocka_unit_test(balls_bounce_for_themselves),
        cmocka_unit_test(parts_move_as_the_whole),
        cmocka_unit_test(restored_equals_uninterrupted),
        cmocka_unit_test(memory_decides_no_bit),
        cmocka_unit_test(a_root_comes_into_force),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
