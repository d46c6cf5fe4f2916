/* SPDX-License-Identifier: MIT */
/* Events from equations: pulses and tables of time, kinks of state, dry friction, motion along a line, and the limits against
 * executions without progress; on systems with closed forms. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "automata/read.h"
#include "hybrid/hybrid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_hybrid *h;
} setting;

static void begin(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_status status = sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->a);
    if (status != SL_OK) {
        print_error("%s\n", sl_diags_at(s->diags, 0)->text);
    }
    sl_assert_ok(status);
    const sl_hybrid_model *m = sl_automaton_model(s->a);
    sl_assert_ok(sl_hybrid_create(s->ctx, m->ops, m->model, &m->def, s->diags, &s->h));
}

static void end(setting *s) {
    sl_hybrid_destroy(s->h);
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

static double x_of(const setting *s, const char *name) {
    return sl_hybrid_x(s->h)[sl_automaton_find_continuous(s->a, name)];
}

/* To the end, or to a failure with this code. */
static void finish(setting *s, sl_status status, sl_code code) {
    sl_hybrid_info info;
    sl_status got = sl_hybrid_next(s->h, SL_HYBRID_STOP, s->diags, &info);
    if (got != status) {
        print_error("%s\n", sl_diags_size(s->diags) ? sl_diags_at(s->diags, sl_diags_size(s->diags) - 1)->text : "");
    }
    sl_assert_status(got, status);
    if (status != SL_OK) {
        assert_int_equal(sl_diags_at(s->diags, sl_diags_size(s->diags) - 1)->code, code);
    }
}

static void finish_well(setting *s) {
    finish(s, SL_OK, SL_CODE_NONE);
}

#define TOP "sluice: automaton/1\nautomaton: a\n"

/* ---- Time --------------------------------------------------------------------------------------- */

static void pulses(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: 0, y: 0, z: 0, w: 0, u: 0, late: 0}\n"
                  "discrete: {on: 2}\n"
                  "tables:\n"
                  "  held: {x: [0, 100, 100.1], y: [0, 10, 0], between: hold, beyond: constant}\n"
                  "  bent: {x: [99.9, 100, 100.1], y: [0, 10, 0], beyond: constant}\n"
                  "activities:\n"
                  "  - equation: der(x) = if(t > 100 & t < 100.1, 10, 0)\n"
                  "  - equation: der(y) = held(t)\n"
                  "  - equation: der(z) = bent(t)\n"
                  "  - equation: der(w) = if(mod(t, 50) >= 20 & mod(t, 50) < 20.05, 10, 0)\n"
                  "  - {equation: der(u) = 10, when: on}\n"
                  "  - equation: der(late) = max(0, t - 199.999)\n"
                  "roots: [{decides: on, by: 'if(3*t > 300 & 3*t < 300.3, 1, -1)'}]\n"
                  "run: {end: 200, tolerance: 1e-9}\n");
    finish_well(&s);
    sl_assert_abs(x_of(&s, "x"), 1.0, 1e-12);
    sl_assert_abs(x_of(&s, "y"), 1.0, 1e-12);
    sl_assert_abs(x_of(&s, "z"), 1.0, 1e-6);
    sl_assert_abs(x_of(&s, "w"), 2.0, 1e-12);
    sl_assert_abs(x_of(&s, "u"), 1.0, 1e-12);
    sl_assert_abs(x_of(&s, "late"), 0.5e-6, 1e-10);
    assert_int_equal(sl_diags_size(s.diags), 0);
    end(&s);
}

/* Steps end at the very times. */
static void time_events_are_exact(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info;
    begin(&s,
          TOP "continuous: {x: 0}\n"
              "activities: [{equation: 'der(x) = -x + if(t > 0.1 & t < 0.7, 1, 0) + if(mod(t, 0.3) < 0.15, 1, 0)'}]\n"
              "run: {end: 1}\n");
    static const double times[] = {0.1, 0.15, 0.3, 0.45, 0.6, 0.7, 0.75, 0.9};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_JUMP, s.diags, &info));
        assert_int_equal(info.event, SL_HYBRID_JUMP);
        sl_assert_abs(info.t, times[k], 4 * DBL_EPSILON);
    }
    finish_well(&s);
    end(&s);
}

static void tables(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: -1, l: 0, h: 0, c: 0, e: 0, p: 0}\n"
                  "tables:\n"
                  "  lin: {x: [0, 1, 2, 3], y: [0, 1, 0, 5], beyond: constant}\n"
                  "  held: {points: [[0, 3], [1, -1], [2, 2]], between: hold, beyond: constant}\n"
                  "  cub: {x: [-1, 0, 1, 2, 3], y: [1, 1, 2, 4, 4], between: cubic, beyond: constant}\n"
                  "  ext: {x: [0, 1], y: [0, 2], beyond: extend}\n"
                  "  parabola: {x: [-1, 1], y: [0, 2], between: cubic, beyond: extend}\n"
                  "activities:\n"
                  "  - equation: der(x) = 1\n"
                  "  - equation: der(l) = lin(x)\n"
                  "  - equation: der(h) = held(x)\n"
                  "  - equation: der(c) = cub(x)\n"
                  "  - equation: der(e) = ext(x)\n"
                  "  - equation: der(p) = parabola(x)\n"
                  "run: {end: 4, tolerance: 1e-10}\n");
    finish_well(&s);
    sl_assert_abs(x_of(&s, "l"), 3.5, 1e-8);
    sl_assert_abs(x_of(&s, "h"), 3.0 + 3.0 - 1.0 + 2.0, 1e-8);
    /* slopes at 0: 0; 1: harmonic mean of 1 and 2: 4/3; 2: 0; the integral of a part is h (y0 + y1)/2 + h^2 (d0 - d1)/12 */
    double d = 4.0 / 3.0;
    sl_assert_abs(x_of(&s, "c"), 1.0 + (1.5 - d / 12.0) + (3.0 + d / 12.0) + 4.0, 1e-8);
    sl_assert_abs(x_of(&s, "e"), 9.0 - 1.0, 1e-8); /* of 2x from -1 to 3 */
    sl_assert_abs(x_of(&s, "p"), 0.5 * (16.0 - 0.0), 1e-8);
    assert_int_equal(sl_diags_size(s.diags), 0);
    end(&s);
    begin(&s, TOP "continuous: {x: 0}\ntables: {f: {x: [0, 1], y: [0, 1]}}\n"
                  "activities: [{equation: der(x) = f(t)}]\nrun: {end: 3}\n");
    finish_well(&s);
    sl_assert_abs(x_of(&s, "x"), 2.5, 1e-6);
    assert_int_equal(sl_diags_size(s.diags), 1); /* once */
    assert_int_equal(sl_diags_at(s.diags, 0)->code, SL_CODE_TABLE_RANGE);
    assert_int_equal(sl_diags_at(s.diags, 0)->severity, SL_WARNING);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "f(t)"));
    end(&s);
}

/* ---- State -------------------------------------------------------------------------------------- */

static void kinks(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: -1, y: 0, a: 0, b: 0, c: 0, d: 0}\n"
                  "activities:\n"
                  "  - equation: der(x) = 1\n"
                  "  - equation: der(y) = max(0, x)\n"
                  "  - equation: der(a) = floor(x) + ceil(x) + mod(x, 2)\n"
                  "  - equation: der(b) = abs(x - 0.5) + min(x, 1, 2 - x)\n"
                  "  - equation: der(c) = if(x > 1 & x < 1.001, 1000, 0)\n"
                  "  - equation: der(d) = if(x >= 0, sqrt(x), 0)\n"
                  "run: {end: 4, tolerance: 1e-10}\n");
    finish_well(&s);
    sl_assert_abs(x_of(&s, "y"), 4.5, 1e-8);
    sl_assert_abs(x_of(&s, "a"), (-1 + 0 + 1 + 2) + (0 + 1 + 2 + 3) + 4 * 1.0, 1e-8);
    sl_assert_abs(x_of(&s, "b"), 0.5 * (2.25 + 6.25) + (0.0 + 0.5 - 0.5 + 0.0), 1e-8);
    sl_assert_abs(x_of(&s, "c"), 1.0, 1e-8);
    sl_assert_abs(x_of(&s, "d"), 2.0 / 3.0 * 3.0 * sqrt(3.0), 1e-6);
    end(&s);
}

/* No new start where value and slope are the same on both sides, nor where a kink is smooth(...). */
static void smooth_kinks(void **state) {
    (void)state;
    static const struct {
        const char *formula;
        double y;
        bool starts;
    } cases[] = {{"max(0, x)^2", 9.0, false},
                 {"smooth(max(0, x)^2)", 9.0, false},
                 {"cub(x)", 7.0, false},
                 {"abs(x)", 5.0, true},
                 {"smooth(abs(x))", 5.0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        char text[512];
        (void)snprintf(text, sizeof text,
                       TOP "continuous: {x: -1, y: 0}\n"
                           "tables: {cub: {x: [-2, 0, 1, 2, 4], y: [1, 1, 2, 3, 3], between: cubic, beyond: extend}}\n"
                           "activities: [{equation: der(x) = 1}, {equation: 'der(y) = %s'}]\n"
                           "run: {end: 4, tolerance: 1e-9}\n",
                       cases[k].formula);
        begin(&s, text);
        finish_well(&s);
        if (k != 2) {
            sl_assert_abs(x_of(&s, "y"), cases[k].y, 1e-6);
        }
        if ((sl_hybrid_statistics(s.h).n_restart > 1) != cases[k].starts) {
            print_error("%s: %lld starts\n", cases[k].formula, (long long)sl_hybrid_statistics(s.h).n_restart);
        }
        assert_int_equal(sl_hybrid_statistics(s.h).n_restart > 1, cases[k].starts);
        assert_int_equal(sl_hybrid_n_crossing(s.h), 0); /* no event of the automaton */
        end(&s);
    }
}

/* ---- Rest --------------------------------------------------------------------------------------- */

static void dry_friction(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {v: 1, s: 0, w: 0, y: -1, z: 2, r: 3}\n"
                  "activities:\n"
                  "  - equation: der(v) = -sign(v)\n" /* rests from 1 s on */
                  "  - equation: der(s) = v\n"
                  "  - equation: der(w) = t/2 - 1.5*sign(w)\n" /* rests up to 3 s, then slips */
                  "  - equation: der(y) = 2 + sign(y)\n"       /* passes */
                  "  - equation: der(z) = sign(r)\n"           /* r is nothing's derivative: stays */
                  "run: {end: 5, tolerance: 1e-9}\n");
    finish_well(&s);
    sl_assert_abs(x_of(&s, "v"), 0.0, 1e-9);
    sl_assert_abs(x_of(&s, "s"), 0.5, 1e-8);
    sl_assert_abs(x_of(&s, "w"), 1.0, 1e-7); /* the integral of (t - 3)/2 */
    sl_assert_abs(x_of(&s, "y"), 12.0, 1e-7);
    sl_assert_abs(x_of(&s, "z"), 7.0, 1e-7);
    assert_true(sl_hybrid_statistics(s.h).n_restart < 12);
    end(&s);
}

/* A block on a belt, held by a spring: sticks until the spring pulls with the limit fs, slips back while friction is fk. */
static void block_on_a_belt(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info;
    begin(&s, TOP "parameters: {m: 2, k: 8, fk: 3, fs: 4, vb: 0.5}\n"
                  "continuous: {x: 0, v: 0.5}\n"
                  "activities:\n"
                  "  - equation: der(x) = v\n"
                  "  - equation: m*der(v) = -k*x - fk*stick(v - vb, fs/fk)\n"
                  "run: {end: 12, tolerance: 1e-11, absolute: 1e-12}\n");
    double k = 8.0, fk = 3.0, fs = 4.0, vb = 0.5, w = 2.0, stick = 2.0 * (fs - fk) / (k * vb);
    double a = (fs - fk) / k, slip = (2.0 * acos(-1.0) - 2.0 * atan(a * w / vb)) / w;
    double t = fs / (k * vb);
    int n = 0;
    sl_status status = SL_OK;
    while (status == SL_OK && n < 6) { /* where motion begins anew: slips at even, sticks at odd events */
        status = sl_hybrid_next(s.h, SL_HYBRID_STEP | SL_HYBRID_STOP, s.diags, &info);
        if (info.event == SL_HYBRID_STOP) {
            break;
        }
        if (info.restarted && info.begin > 0.1) {
            sl_assert_abs(info.begin, t, 1e-8);
            t += n % 2 ? stick : slip;
            n++;
        }
    }
    sl_assert_ok(status);
    assert_int_equal(n, 6);
    finish_well(&s);
    end(&s);
}

/* Two blocks one upon the other, pulled below: the upper one goes along as long as friction can take it. */
static void stacked_blocks(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {u: 0, v: 0}\n"
                  "activities:\n"
                  "  - equation: der(u) = stick(v - u, 1)\n" /* upper: at most 1 */
                  "  - equation: der(v) = t - 2*stick(v, 1) - stick(v - u, 1)\n"
                  "run: {end: 6, tolerance: 1e-10}\n");
    finish_well(&s);
    /* rest to t = 2; together (t - 2)/2 up to its acceleration 1 at t = 4; then apart: u' = 1, v' = t - 3 */
    sl_assert_abs(x_of(&s, "u"), 1.0 + 2.0, 1e-6);
    sl_assert_abs(x_of(&s, "v"), 1.0 + (0.5 * (36.0 - 16.0) - 6.0), 1e-6);
    end(&s);
}

/* Where both sides push back: refused with the name of the place, or followed along the line. */
static void relays(void **state) {
    (void)state;
    setting s;
    static const char relay[] = TOP "continuous: {x: 1, y: 0}\n"
                                    "activities:\n"
                                    "  - equation: der(x) = if(x > 0, -1, 2)\n"
                                    "  - equation: der(y) = if(x > 0, 3, 0)\n"
                                    "run: {end: 4, tolerance: 1e-9%s}\n";
    char text[512];
    (void)snprintf(text, sizeof text, relay, "");
    begin(&s, text);
    finish(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "x > 0"));
    sl_assert_abs(sl_hybrid_time(s.h), 1.0, 1e-8);
    end(&s);
    (void)snprintf(text, sizeof text, relay, ", chattering: slide");
    begin(&s, text);
    finish_well(&s);
    sl_assert_abs(x_of(&s, "x"), 0.0, 1e-8);
    sl_assert_abs(x_of(&s, "y"), 3.0 + 3.0 * 2.0, 1e-6); /* two thirds of the time above */
    end(&s);
}

/* ---- Without progress --------------------------------------------------------------------------- */

static void sixty_tanks(void **state) {
    (void)state;
    enum { N = 60 };
    static char text[40000];
    setting s;
    sl_hybrid_info info;
    int at = snprintf(text, sizeof text, TOP "continuous:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  h%d: %.17g\n", i, 1.0 - 10.0 - 1e-5 * i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "discrete:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  full%d: 2\n", i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "activities:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  - {equation: der(h%d) = 1, when: '!full%d'}\n  - {equation: der(h%d) = 0, when: full%d}\n", i,
                       i, i, i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "roots:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  - {decides: full%d, by: h%d - 1, when: '!full%d'}\n", i,
                       i, i);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "run: {end: 20, tolerance: 1e-9}\n");
    begin(&s, text);
    for (int i = 0; i < N; i++) {
        sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_CROSSING, s.diags, &info));
        sl_assert_abs(info.t, 10.0 + 1e-5 * i, 1e-9);
    }
    finish_well(&s);
    assert_int_equal(sl_hybrid_n_crossing(s.h), N);
    end(&s);
}

static void row_of_balls(void **state) {
    (void)state;
    enum { N = 31 };
    static char text[40000];
    setting s;
    int at = snprintf(text, sizeof text, TOP "continuous:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  x%d: %g\n  v%d: %d\n", i, i == 0 ? -0.5 : i, i, i == 0);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "discrete:\n");
    for (int i = 0; i + 1 < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  apart%d: {states: 2, start: 1}\n  hit%d: 2\n", i, i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "activities:\n");
    for (int i = 0; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  - equation: der(x%d) = v%d\n  - equation: der(v%d) = 0\n", i, i, i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "roots:\n");
    for (int i = 0; i + 1 < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  - {decides: apart%d, by: x%d - x%d - 1}\n", i, i + 1, i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "transitions:\n");
    for (int i = 0; i + 1 < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  - {equation: der(hit%d) = 1, when: 'hit%d = apart%d'}\n",
                       i, i, i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "actions:\n");
    for (int i = 0; i + 1 < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  - {set: v%d, to: v%d, when: hit%d}\n  - {set: v%d, to: v%d, when: hit%d}\n", i, i + 1, i,
                       i + 1, i, i);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "run: {end: 2, tolerance: 1e-9}\n");
    begin(&s, text);
    finish_well(&s);
    for (int i = 0; i < N; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "v%d", i);
        sl_assert_abs(x_of(&s, name), i == N - 1 ? 1.0 : 0.0, 1e-9);
        (void)snprintf(name, sizeof name, "x%d", i);
        sl_assert_abs(x_of(&s, name), i == N - 1 ? i + 1.5 : i, 1e-8);
    }
    end(&s);
}

/* Two modes that lead into each other: an error that names the variable, or held with a warning. */
static void chattering_by_a_root(void **state) {
    (void)state;
    static const char chatter[] = TOP "discrete: {up: 2}\ncontinuous: {x: -1, y: 0}\n"
                                      "activities:\n"
                                      "  - {equation: der(x) = 1, when: '!up'}\n"
                                      "  - {equation: der(x) = -1, when: up}\n"
                                      "  - equation: der(y) = 1\n"
                                      "roots: [{decides: up, by: x}]\n"
                                      "run: {end: 2%s}\n";
    char text[512];
    setting s;
    (void)snprintf(text, sizeof text, chatter, "");
    begin(&s, text);
    finish(&s, SL_ERR_SOLVE, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "'up'"));
    sl_assert_abs(sl_hybrid_time(s.h), 1.0, 1e-6);
    end(&s);
    (void)snprintf(text, sizeof text, chatter, ", chattering: hold");
    begin(&s, text);
    finish_well(&s);
    assert_true(fabs(x_of(&s, "x")) < 0.01); /* within what it may go in a thousandth of the run */
    sl_assert_abs(x_of(&s, "y"), 2.0, 1e-6);
    assert_true(sl_diags_size(s.diags) > 0);
    assert_int_equal(sl_diags_at(s.diags, 0)->severity, SL_WARNING);
    end(&s);
    (void)snprintf(text, sizeof text, chatter, ", chattering: slide");
    begin(&s, text);
    finish_well(&s);
    sl_assert_abs(x_of(&s, "x"), 0.0, 1e-6);
    assert_int_equal(sl_diags_size(s.diags), 0);
    end(&s);
}

/* What becomes infinite at 1 s: a failure there that names it, not ever shorter steps. */
static void a_run_that_stalls(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {calm: 0, x: 1}\nactivities: [{equation: der(x) = x^2}, {equation: der(calm) = 1}]\n"
                  "run: {end: 5}\n");
    finish(&s, SL_ERR_SOLVE, SL_CODE_STEP_FAILED);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "'x'"));
    sl_assert_abs(sl_hybrid_time(s.h), 1.0, 1e-4);
    assert_true(sl_hybrid_statistics(s.h).dae.n_step < 5000);
    end(&s);
}

/* ---- Saved states ------------------------------------------------------------------------------- */

/* A state that is saved in the pieces in which a variable comes to be held holds it no earlier. */
static void held_is_restored(void **state) {
    (void)state;
    static const char text[] = TOP "discrete: {up: 2}\ncontinuous: {x: -1}\n"
                                   "activities:\n"
                                   "  - {equation: der(x) = 1, when: '!up'}\n"
                                   "  - {equation: der(x) = -1, when: up}\n"
                                   "roots: [{decides: up, by: x}]\n"
                                   "run: {end: 1.01, chattering: hold}\n";
    setting s, other;
    begin(&s, text);
    finish_well(&s);
    double at_end = x_of(&s, "x");
    end(&s);
    begin(&s, text);
    begin(&other, text);
    sl_hybrid_info info = {0};
    int32_t n_held = 0;
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(sl_hybrid_next(s.h, UINT32_MAX, s.diags, &info));
        if (sl_diags_size(s.diags) == n_held) {
            continue;
        }
        n_held = sl_diags_size(s.diags);
        size_t n = sl_hybrid_save_size(s.h);
        char *bytes = malloc(n);
        assert_non_null(bytes);
        sl_hybrid_save(s.h, bytes);
        sl_assert_ok(sl_hybrid_restore(other.h, bytes, n, other.diags));
        free(bytes);
        assert_int_equal(sl_hybrid_q(other.h)[0], sl_hybrid_q(s.h)[0]);
        finish_well(&other);
        assert_true(x_of(&other, "x") == at_end);
    }
    assert_true(n_held > 2);
    end(&s);
    end(&other);
}

static void restored_equals_uninterrupted(void **state) {
    (void)state;
    static const char text[] = TOP
        "parameters: {m: 2, k: 8}\n"
        "continuous: {x: 0, v: 0.5, y: 0, z: 1, w: -1}\n"
        "discrete: {on: 2}\n"
        "tables: {f: {x: [0, 0.7, 2, 3.1], y: [0, 1, -1, 2]}, c: {x: [-1, 0, 1], y: [0, 1, 3], between: cubic, beyond: extend}}\n"
        "activities:\n"
        "  - equation: der(x) = v\n"
        "  - equation: m*der(v) = -k*x - 3*stick(v - 0.5, 1.3)\n"
        "  - {equation: 'der(y) = f(t) + abs(x) + if(mod(t, 0.5) < 0.2, 1, 0)', when: '!on'}\n"
        "  - {equation: der(y) = c(x) - 1, when: on}\n"
        "  - equation: der(z) = -if(z > 0.5, 1, -2)*if(t < 3, 1, 0) + floor(2*x)\n"
        "  - equation: der(w) = max(w, x, y)\n"
        "roots: [{decides: on, by: x - 0.2}]\n"
        "run: {end: 6, chattering: slide}\n";
    setting s;
    sl_hybrid_info info, again;
    begin(&s, text);
    int n = 0;
    do {
        if (n % 7 == 0) {
            sl_hybrid *copy;
            sl_assert_ok(sl_hybrid_copy(s.h, s.diags, &copy));
            for (int k = 0; k < 25; k++) {
                sl_status a = sl_hybrid_next(copy, SL_HYBRID_ANY, s.diags, &again);
                if (a != SL_OK || again.event == SL_HYBRID_STOP) {
                    break;
                }
            }
            double t = sl_hybrid_time(copy);
            double x[5];
            memcpy(x, sl_hybrid_x(copy), sizeof x);
            sl_hybrid *other;
            sl_assert_ok(sl_hybrid_copy(s.h, s.diags, &other));
            sl_hybrid_destroy(copy);
            do {
                sl_assert_ok(sl_hybrid_next(other, SL_HYBRID_ANY, s.diags, &again));
            } while (sl_hybrid_time(other) < t && again.event != SL_HYBRID_STOP);
            sl_hybrid_destroy(other);
        }
        sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_ANY, s.diags, &info));
        n++;
    } while (info.event != SL_HYBRID_STOP);
    double at_end[5];
    memcpy(at_end, sl_hybrid_x(s.h), sizeof at_end);
    end(&s);
    for (int stop = 1; stop < n; stop += n / 40 + 1) { /* saved after so many pieces, restored into another */
        begin(&s, text);
        for (int k = 0; k < stop; k++) {
            sl_assert_ok(sl_hybrid_next(s.h, SL_HYBRID_ANY, s.diags, &info));
        }
        size_t size = sl_hybrid_save_size(s.h);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        sl_hybrid_save(s.h, bytes);
        end(&s);
        begin(&s, text);
        sl_assert_ok(sl_hybrid_restore(s.h, bytes, size, s.diags));
        free(bytes);
        finish_well(&s);
        assert_memory_equal(sl_hybrid_x(s.h), at_end, sizeof at_end);
        end(&s);
    }
}

static void run_once(sl_context *ctx, sl_test_memory *memory, void *user) {
    sl_automaton *a = NULL;
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    (void)memory;
    const char *text = user;
    if (sl_automaton_read(ctx, text, strlen(text), "a.yaml", NULL, &a) == SL_OK) {
        const sl_hybrid_model *m = sl_automaton_model(a);
        if (sl_hybrid_create(ctx, m->ops, m->model, &m->def, NULL, &h) == SL_OK) {
            (void)sl_hybrid_next(h, SL_HYBRID_STOP, NULL, &info);
        }
    }
    sl_hybrid_destroy(h);
    sl_automaton_destroy(a);
}

static void memory_short(void **state) {
    (void)state;
    static char text[] = TOP "continuous: {v: 1, x: -0.1, y: 0}\n"
                             "tables: {c: {x: [0, 0.1, 1], y: [0, 1, 0], between: cubic, beyond: constant}}\n"
                             "activities:\n"
                             "  - equation: der(v) = -3*sign(v)\n"
                             "  - equation: der(x) = if(x > 0, -1, 1) + c(t)\n"
                             "  - equation: der(y) = max(x, y)^2\n"
                             "run: {end: 0.5, chattering: slide}\n";
    assert_true(sl_test_sweep(run_once, text) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pulses),
                                       cmocka_unit_test(time_events_are_exact),
                                       cmocka_unit_test(tables),
                                       cmocka_unit_test(kinks),
                                       cmocka_unit_test(smooth_kinks),
                                       cmocka_unit_test(dry_friction),
                                       cmocka_unit_test(block_on_a_belt),
                                       cmocka_unit_test(stacked_blocks),
                                       cmocka_unit_test(relays),
                                       cmocka_unit_test(sixty_tanks),
                                       cmocka_unit_test(row_of_balls),
                                       cmocka_unit_test(chattering_by_a_root),
                                       cmocka_unit_test(a_run_that_stalls),
                                       cmocka_unit_test(held_is_restored),
                                       cmocka_unit_test(restored_equals_uninterrupted),
                                       cmocka_unit_test(memory_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
