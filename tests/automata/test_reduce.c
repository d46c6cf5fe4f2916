/* SPDX-License-Identifier: MIT */
/* Equations as one writes them: constraints between differential variables, aliases, explicit variables. Results against closed forms,
 * energies and constraints; structure reports; saved states. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "base/memory.h"
#include "hybrid/hybrid.h"

#include <math.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_hybrid *h;
} setting;

#define TOP "sluice: automaton/1\nautomaton: a\n"

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

static int32_t place(const setting *s, const char *name) {
    int32_t j = sl_automaton_find_continuous(s->a, name);
    assert_true(j >= 0);
    return j;
}

static double x_of(const setting *s, const char *name) {
    return sl_hybrid_x(s->h)[place(s, name)];
}

static double dx_of(const setting *s, const char *name) {
    return sl_hybrid_dx(s->h)[place(s, name)];
}

static sl_status advance(setting *s, uint32_t wanted, sl_hybrid_info *info) {
    sl_status status = sl_hybrid_next(s->h, wanted, s->diags, info);
    if (status != SL_OK) {
        print_error("%s\n", sl_diags_size(s->diags) ? sl_diags_at(s->diags, sl_diags_size(s->diags) - 1)->text : "");
    }
    return status;
}

static void finish_well(setting *s) {
    sl_hybrid_info info;
    sl_assert_ok(advance(s, SL_HYBRID_STOP, &info));
    assert_int_equal(sl_diags_size(s->diags), 0);
}

static sl_structure structure_of(setting *s, const int32_t *q) {
    sl_structure found = {.size = sizeof found};
    sl_assert_ok(sl_automaton_structure(s->a, q, NULL, NULL, s->diags, &found));
    return found;
}

/* Values at a time within the last step. */
static double at(const setting *s, double t, const char *name) {
    enum { MOST = 32 };
    double x[MOST], dx[MOST];
    sl_assert_ok(sl_hybrid_interpolate(s->h, t, x, dx));
    return x[place(s, name)];
}

/* A program that knows fewer members gets these. */
static void older_program(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: 1}\nactivities: [{equation: der(x) = 1}]\nrun: {end: 1}\n");
    sl_assert_sized(sl_structure, found, sl_automaton_structure(s.a, NULL, NULL, NULL, s.diags, &found));
    sl_structure found = {.size = sizeof found};
    sl_assert_status(sl_automaton_structure(NULL, NULL, NULL, NULL, NULL, &found), SL_ERR_USE);
    end(&s);
}

/* ---- The cylinder of the reference cases S1 to S3 ----------------------------------------------- */

#define HIGH                \
    "discrete: {high: 2}\n" \
    "roots: [{decides: high, by: x - 1.025}]\n"
#define CYLINDER(mass, drive, start, roots)                                                                      \
    TOP "parameters: {r0: 876, beta: 1.2e9, A: 0.01, M: 10000, g: 9.807, amp: 0.05, w: 94.24777960769379}\n"     \
        "continuous: {x: 1.0, v: 4.71238898038469, a: 0, p: 9807000, m: 0, r: 883.15911, rd: " start "}\n" roots \
        "activities:\n"                                                                                          \
        "  - equation: der(x) = v\n"                                                                             \
        "  - equation: der(v) = a\n"                                                                             \
        "  - equation: der(r) = rd\n"                                                                            \
        "  - equation: r = r0*(1 + p/beta)\n"                                                                    \
        "  - equation: m = rd*x*A + " mass "*v*A\n"                                                              \
        "  - equation: M*a = p*A - M*g\n"                                                                        \
        "  - equation: " drive "\n"                                                                              \
        "run: {end: 0.2, tolerance: 1e-10, absolute: 1e-9}\n"

static void cylinder_driven_by_flow(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x[3], p, m; /* at 0.05, 0.1 and 0.2 s; at 0.1 s */
    } cases[] = {{CYLINDER("r0", "m = amp*w*cos(w*t)*A*r", "0", HIGH),
                  {1.170556739, 0.986949106, 1.112677813},
                  253.1725e5,
                  -42.151452},
                 {CYLINDER("r", "m = amp*w*cos(w*t)*A*r", "0", HIGH),
                  {1.171761588, 0.993874296, 1.112659555},
                  172.0685e5,
                  -41.872451}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        sl_hybrid_info info = {.t = 0.0};
        begin(&s, cases[k].text);
        sl_structure found = structure_of(&s, NULL);
        assert_int_equal(found.n_equation, 7);
        assert_int_equal(found.n_unknown, 4);
        assert_int_equal(found.n_state, 3);
        assert_int_equal(found.n_algebraic, 1);
        assert_int_equal(found.index, 1);
        bool has[2] = {false, false};
        while (info.event != SL_HYBRID_STOP) {
            sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_STOP, &info));
            if (info.event == SL_HYBRID_STEP && info.t >= 0.05 && info.begin <= 0.05 && !has[0]) {
                sl_assert_abs(at(&s, 0.05, "x"), cases[k].x[0], 1e-7);
                has[0] = true;
            }
            if (info.event == SL_HYBRID_STEP && info.t >= 0.1 && info.begin <= 0.1 && !has[1]) {
                sl_assert_abs(at(&s, 0.1, "x"), cases[k].x[1], 1e-7);
                sl_assert_abs(at(&s, 0.1, "p"), cases[k].p, 300.0);
                sl_assert_abs(at(&s, 0.1, "m"), cases[k].m, 5e-5);
                has[1] = true;
            }
        }
        assert_true(has[0] && has[1]);
        sl_assert_abs(x_of(&s, "x"), cases[k].x[2], 1e-7);
        assert_int_equal(sl_diags_size(s.diags), 0);
        end(&s);
    }
}

static void cylinder_with_a_prescribed_position(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info = {.t = 0.0};
    int n_crossing = 0;
    begin(&s, CYLINDER("r", "x = amp*sin(w*t) + 1", "5", ""));
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 4);
    assert_int_equal(found.n_free, 0);
    assert_int_equal(found.n_unknown, 0);
    assert_int_equal(found.n_differentiated, 5);
    assert_int_equal(found.n_explicit + found.n_alias, 7);
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_STOP, &info));
        double t = info.t, w = 94.24777960769379, amp = 0.05, A = 0.01, M = 10000.0, r0 = 876.0, beta = 1.2e9;
        double x = amp * sin(w * t) + 1.0, v = amp * w * cos(w * t), a = -w * w * amp * sin(w * t);
        double p = M * (a + 9.807) / A, r = r0 * (1.0 + p / beta), rd = -r0 / beta * M * w * w * v / A;
        sl_assert_abs(x_of(&s, "x"), x, 1e-14);
        sl_assert_abs(x_of(&s, "v"), v, 1e-13);
        sl_assert_abs(x_of(&s, "p"), p, 1e-12 * 4.5e8);
        sl_assert_abs(x_of(&s, "m"), rd * x * A + r * v * A, 1e-12 * 264.0);
        sl_assert_abs(dx_of(&s, "x"), v, 1e-13);
    }
    end(&s);
    /* With a root of x steps follow x, over a hundred periods too. */
    begin(&s, CYLINDER("r", "x = amp*sin(w*t) + 1", "5", HIGH));
    info.event = SL_HYBRID_INIT;
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_CROSSING | SL_HYBRID_STOP, &info));
        if (n_crossing == 0) { /* sin = 1/2 */
            sl_assert_abs(info.t, acos(-1.0) / 6.0 / 94.24777960769379, 1e-9);
        }
        n_crossing += info.event == SL_HYBRID_CROSSING;
    }
    assert_int_equal(n_crossing, 6); /* three periods */
    end(&s);
    n_crossing = 0;
    begin(&s, TOP "continuous: {x: 0, y: 0}\ndiscrete: {high: 2}\nroots: [{decides: high, by: y - 0.25}]\n"
                  "activities: [{equation: x = sin(20*t)}, {equation: y = x/2}]\nrun: {end: 31.4}\n");
    info.event = SL_HYBRID_INIT;
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_CROSSING | SL_HYBRID_STOP, &info));
        n_crossing += info.event == SL_HYBRID_CROSSING;
    }
    assert_int_equal(n_crossing, 200);
    end(&s);
}

/* ---- Mechanisms --------------------------------------------------------------------------------- */

#define PENDULUM(x, u, end)                                    \
    TOP "continuous: {x: " x ", y: 0, u: 0, v: " u ", l: 0}\n" \
        "activities:\n"                                        \
        "  - {name: a, equation: der(x) = u}\n"                \
        "  - {name: b, equation: der(y) = v}\n"                \
        "  - {name: c, equation: der(u) = -l*x}\n"             \
        "  - {name: d, equation: der(v) = -l*y - 9.81}\n"      \
        "  - {name: rod, equation: x^2 + y^2 = 1}\n"           \
        "run: {end: " end ", tolerance: 1e-10}\n"

/* Energy, the constraint and its derivatives at the ends of all steps; returns how often motion began anew. */
static int64_t follow_pendulum(setting *s, double energy, double accuracy) {
    sl_hybrid_info info = {.t = 0.0};
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(s, SL_HYBRID_STEP | SL_HYBRID_STOP, &info));
        double x = x_of(s, "x"), y = x_of(s, "y"), u = x_of(s, "u"), v = x_of(s, "v");
        sl_assert_abs(x * x + y * y, 1.0, 1e-9);
        sl_assert_abs(x * u + y * v, 0.0, 1e-8);
        sl_assert_abs(0.5 * (u * u + v * v) + 9.81 * y, energy, accuracy);
        sl_assert_abs(x_of(s, "l"), u * u + v * v - 9.81 * y, 1e-6);
        sl_assert_abs(dx_of(s, "x"), u, 1e-8);
        sl_assert_abs(dx_of(s, "y"), v, 1e-8);
    }
    return sl_hybrid_statistics(s->h).dae.n_restart;
}

/* The complete elliptic integral by the arithmetic-geometric mean: a quarter of a period is K(k)/sqrt(g). */
static double quarter_period(double k) {
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 40; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / (2.0 * a) / sqrt(9.81);
}

static void pendulum_from_its_height(void **state) {
    (void)state;
    setting s;
    char text[1024], stop[32];
    (void)snprintf(stop, sizeof stop, "%.17g", 4.0 * quarter_period(sqrt(0.5)));
    (void)snprintf(text, sizeof text, PENDULUM("1", "0", "%s"), stop);
    begin(&s, text);
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_free, 2);
    assert_int_equal(found.n_differentiated, 3);
    assert_int_equal(found.n_state, 2);
    assert_int_equal(found.n_dummy, 2);
    assert_int_equal(found.n_unknown, 5);
    assert_true(follow_pendulum(&s, 0.0, 1e-7) > 1); /* other states at the bottom than at the sides */
    sl_assert_abs(x_of(&s, "x"), 1.0, 1e-8);         /* after one period */
    sl_assert_abs(x_of(&s, "y"), 0.0, 1e-6);
    end(&s);
}

static void pendulum_that_turns_over(void **state) {
    (void)state;
    setting s;
    begin(&s, PENDULUM("1", "8", "20"));
    assert_true(follow_pendulum(&s, 32.0, 3e-6) > 20);
    end(&s);
}

static void double_pendulum(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info = {.t = 0.0};
    begin(&s, TOP "continuous: {x1: 1, y1: 0, u1: 0, v1: 0, x2: 2, y2: 0, u2: 0, v2: 0, l1: 0, l2: 0, E: 0}\n"
                  "activities:\n"
                  "  - equation: der(x1) = u1\n"
                  "  - equation: der(y1) = v1\n"
                  "  - equation: der(x2) = u2\n"
                  "  - equation: der(y2) = v2\n"
                  "  - equation: der(u1) = -l1*x1 + l2*(x2 - x1)\n"
                  "  - equation: der(v1) = -l1*y1 + l2*(y2 - y1) - 9.81\n"
                  "  - equation: der(u2) = -l2*(x2 - x1)\n"
                  "  - equation: der(v2) = -l2*(y2 - y1) - 9.81\n"
                  "  - equation: x1^2 + y1^2 = 1\n"
                  "  - equation: (x2 - x1)^2 + (y2 - y1)^2 = 1\n"
                  "  - equation: E = 0.5*(u1^2 + v1^2 + u2^2 + v2^2) + 9.81*(y1 + y2)\n"
                  "run: {end: 10, tolerance: 1e-10}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_state, 4);
    assert_int_equal(found.n_explicit, 1);
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_STOP, &info));
        sl_assert_abs(x_of(&s, "E"), 0.0, 1e-6);
        sl_assert_abs(hypot(x_of(&s, "x1"), x_of(&s, "y1")), 1.0, 1e-9);
        sl_assert_abs(hypot(x_of(&s, "x2") - x_of(&s, "x1"), x_of(&s, "y2") - x_of(&s, "y1")), 1.0, 1e-9);
    }
    end(&s);
}

/* A chain of ten links, let go horizontally: the forces of all but the first begin at zero and stay near it for a while, and errors of
 * positions must not be asked of them. */
static void chain_of_links(void **state) {
    (void)state;
    enum { N_LINK = 10, ROOM = 8000, MOST_STEPS = 2000 };
    setting s;
    char text[ROOM], names[N_LINK + 1][2][8] = {{"0", "0"}};
    size_t n = (size_t)snprintf(text, ROOM, TOP "continuous:\n");
    for (int i = 1; i <= N_LINK; i++) {
        (void)snprintf(names[i][0], sizeof names[i][0], "x%d", i % 100);
        (void)snprintf(names[i][1], sizeof names[i][1], "y%d", i % 100);
        n += (size_t)snprintf(text + n, ROOM - n, "  x%d: %d\n  y%d: 0\n  u%d: 0\n  v%d: 0\n  l%d: 0\n", i, i, i, i, i,
                              i);
    }
    n += (size_t)snprintf(text + n, ROOM - n, "  l%d: 0\n  E: 0\nactivities:\n  - equation: l%d = 0\n", N_LINK + 1,
                          N_LINK + 1);
    for (int i = 1; i <= N_LINK; i++) {
        for (int k = 0; k < 2; k++) {
            const char *at = names[i][k], *before = names[i - 1][k], *behind = names[i < N_LINK ? i + 1 : i][k];
            n += (size_t)snprintf(text + n, ROOM - n,
                                  "  - equation: der(%s) = %c%d\n"
                                  "  - equation: der(%c%d) = l%d*(%s - %s) - l%d*(%s - %s)%s\n",
                                  at, "uv"[k], i, "uv"[k], i, i + 1, behind, at, i, at, before, k ? " - 9.81" : "");
        }
        n += (size_t)snprintf(text + n, ROOM - n, "  - equation: (x%d - %s)^2 + (y%d - %s)^2 = 1\n", i, names[i - 1][0],
                              i, names[i - 1][1]);
    }
    n += (size_t)snprintf(text + n, ROOM - n, "  - equation: E = 0");
    for (int i = 1; i <= N_LINK; i++) {
        n += (size_t)snprintf(text + n, ROOM - n, " + 0.5*(u%d^2 + v%d^2) + 9.81*y%d", i, i, i);
    }
    (void)snprintf(text + n, ROOM - n, "\nrun: {end: 0.5, tolerance: 1e-8}\n");
    begin(&s, text);
    assert_int_equal(structure_of(&s, NULL).n_state, 2 * N_LINK);
    sl_hybrid_info info = {.t = 0.0};
    int n_step = 0;
    while (info.event != SL_HYBRID_STOP && n_step++ < MOST_STEPS) {
        sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_STOP, &info));
        sl_assert_abs(x_of(&s, "E"), 0.0, 1e-5);
    }
    assert_true(n_step < MOST_STEPS);
    end(&s);
}

static void slider_crank(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info = {.t = 0.0};
    begin(&s, TOP "parameters: {r: 1, l: 3, w: 2, m: 5}\n"
                  "continuous: {phi: 0, xc: 0, yc: 0, s: 4, v: 0, F: 0}\n"
                  "activities:\n"
                  "  - equation: der(phi) = w\n"
                  "  - equation: xc = r*cos(phi)\n"
                  "  - equation: yc = r*sin(phi)\n"
                  "  - equation: (s - xc)^2 + yc^2 = l^2\n"
                  "  - equation: der(s) = v\n"
                  "  - equation: m*der(v) = F\n"
                  "run: {end: 10, tolerance: 1e-10}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_free, 1);
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_STOP, &info));
        double f = 2.0 * info.t, q = sqrt(9.0 - sin(f) * sin(f)), q1 = -sin(f) * cos(f) / q;
        double q2 = (-cos(2.0 * f) - q1 * q1) / q;
        sl_assert_abs(x_of(&s, "s"), cos(f) + q, 1e-8);
        sl_assert_abs(x_of(&s, "v"), 2.0 * (-sin(f) + q1), 1e-7);
        sl_assert_abs(x_of(&s, "F"), 5.0 * 4.0 * (-cos(f) + q2), 1e-6);
    }
    end(&s);
}

static void three_masses_as_one(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "parameters: {k: 50}\n"
                  "continuous: {x1: 1, x2: 1, x3: 1, v1: 0, v2: 0, v3: 0, f12: 0, f23: 0}\n"
                  "activities:\n"
                  "  - equation: der(x1) = v1\n"
                  "  - equation: der(x2) = v2\n"
                  "  - equation: der(x3) = v3\n"
                  "  - equation: der(v1) = -k*x1 - f12\n"
                  "  - equation: 2*der(v2) = f12 - f23\n"
                  "  - equation: 3*der(v3) = f23\n"
                  "  - equation: x1 = x2\n"
                  "  - equation: x2 = x3\n"
                  "run: {end: 3, tolerance: 1e-10}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_free, 2);
    assert_int_equal(found.n_state, 2);
    assert_true(found.n_alias >= 2);
    finish_well(&s);
    double w = sqrt(50.0 / 6.0);
    for (int i = 1; i <= 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "x%d", i);
        sl_assert_abs(x_of(&s, name), cos(3.0 * w), 1e-8);
        (void)snprintf(name, sizeof name, "v%d", i);
        sl_assert_abs(x_of(&s, name), -w * sin(3.0 * w), 1e-7);
    }
    sl_assert_abs(x_of(&s, "f23"), -3.0 * w * w * cos(3.0 * w), 1e-6);
    sl_assert_abs(x_of(&s, "f12"), -5.0 * w * w * cos(3.0 * w), 1e-6);
    end(&s);
}

/* A train of many cars without play, pulled by a spring: one mass. Equations come in no good order. */
static void long_train(void **state) {
    (void)state;
    enum { N_CAR = 400, ROOM = 200 * N_CAR };
    setting s;
    char *text = malloc(ROOM);
    size_t n = (size_t)snprintf(text, ROOM, TOP "continuous:\n");
    for (int i = 0; i < N_CAR; i++) {
        n += (size_t)snprintf(text + n, ROOM - n, "  x%d: 1\n  v%d: 0\n  f%d: 0\n", i, i, i);
    }
    n += (size_t)snprintf(text + n, ROOM - n, "activities:\n");
    for (int k = 0; k < N_CAR; k++) {
        int i = k * 37 % N_CAR; /* f[i]: what pulls car i from before; nothing pulls behind the last one */
        char behind[16] = "0";
        if (i + 1 < N_CAR) {
            (void)snprintf(behind, sizeof behind, "f%d", i + 1);
        }
        n += (size_t)snprintf(text + n, ROOM - n, "  - equation: der(x%d) = v%d\n  - equation: 2*der(v%d) = f%d - %s\n",
                              i, i, i, i, behind);
        if (i == 0) {
            n += (size_t)snprintf(text + n, ROOM - n, "  - equation: f0 = -900*x0\n");
        } else {
            n += (size_t)snprintf(text + n, ROOM - n, "  - equation: x%d = x%d\n", i - 1, i);
        }
    }
    (void)snprintf(text + n, ROOM - n, "run: {end: 3, tolerance: 1e-9}\n");
    begin(&s, text);
    free(text);
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.n_equation, 3 * N_CAR);
    assert_int_equal(found.index, 3);
    assert_int_equal(found.n_state, 2);
    finish_well(&s);
    double w = sqrt(900.0 / (2.0 * N_CAR));
    sl_assert_abs(x_of(&s, "x399"), cos(3.0 * w), 1e-7);
    sl_assert_abs(x_of(&s, "f200"), -2.0 * 200.0 * w * w * cos(3.0 * w), 1e-4);
    end(&s);
}

/* ---- Networks ----------------------------------------------------------------------------------- */

/* A source with a capacitor across it, and another loop of the source and two capacitors, one with a resistor; a coil. */
static void capacitor_loops(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "parameters: {C1: 1e-3, C2: 2e-3, C3: 1e-3, R: 100, L: 0.5}\n"
                  "continuous: {v1: 0, v2: 0, v3: 0, i1: 0, i2: 0, i3: 0, iR: 0, i0: 0, iL: 0}\n"
                  "activities:\n"
                  "  - equation: C1*der(v1) = i1\n"
                  "  - equation: C2*der(v2) = i2\n"
                  "  - equation: C3*der(v3) = i3\n"
                  "  - equation: v1 = v2 + v3\n"
                  "  - equation: i2 = i3 + iR\n"
                  "  - equation: R*iR = v3\n"
                  "  - equation: i0 = i1 + i2 + iL\n"
                  "  - equation: v1 = sin(10*t)\n"
                  "  - equation: L*der(iL) = v1\n"
                  "run: {end: 1, tolerance: 1e-10}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.index, 2);
    assert_int_equal(found.n_free, 2);
    assert_int_equal(found.n_unknown, 2); /* one of the voltages, the current of the coil */
    finish_well(&s);
    double w = 10.0, a = 1.0 / 0.3, b = w * 2.0 / 3.0, d = a * a + w * w;
    double v3 = b * (a * cos(w) + w * sin(w) - a * exp(-a)) / d;
    double rate = b * (-a * w * sin(w) + w * w * cos(w) + a * a * exp(-a)) / d;
    sl_assert_abs(x_of(&s, "v3"), v3, 1e-8);
    sl_assert_abs(x_of(&s, "v2"), sin(w) - v3, 1e-8);
    sl_assert_abs(x_of(&s, "i3"), 1e-3 * rate, 1e-9);
    sl_assert_abs(x_of(&s, "i1"), 1e-3 * w * cos(w), 1e-12);
    double coil = 2.0 * (1.0 - cos(w)) / w;
    sl_assert_abs(x_of(&s, "i0"), 1e-3 * w * cos(w) + 1e-3 * rate + v3 / 100.0 + coil, 1e-8);
    end(&s);
}

static void joined_velocities(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {v1: 1, v2: 1}\n"
                  "activities: [{equation: 2*der(v1) + 3*der(v2) = 1}, {equation: v1 = v2}]\n"
                  "run: {end: 10}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.n_unknown, 1);
    assert_int_equal(found.n_alias, 1);
    finish_well(&s);
    sl_assert_abs(x_of(&s, "v1"), 3.0, 1e-12);
    sl_assert_abs(x_of(&s, "v2"), 3.0, 1e-12);
    sl_assert_abs(dx_of(&s, "v2"), 0.2, 1e-12);
    end(&s);
}

/* A rate that only the integrator has makes nothing explicit: its derivative is not known. */
static void variable_that_is_a_rate(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {r: 0, y: 0, z: 0}\n"
                  "activities: [{equation: (2 + r)*der(r) = 1}, {equation: y = der(r)}, {equation: z = 3*r}]\n"
                  "run: {end: 2, tolerance: 1e-9}\n");
    sl_structure found = structure_of(&s, NULL);
    assert_int_equal(found.n_explicit, 1);
    assert_int_equal(found.n_unknown, 2);
    finish_well(&s);
    sl_assert_abs(x_of(&s, "r"), sqrt(8.0) - 2.0, 1e-8);
    sl_assert_abs(x_of(&s, "y"), 1.0 / sqrt(8.0), 1e-8);
    sl_assert_abs(dx_of(&s, "z"), 3.0 / sqrt(8.0), 1e-8);
    sl_assert_abs(dx_of(&s, "y"), -pow(8.0, -1.5), 1e-5);
    end(&s);
}

/* ---- Modes -------------------------------------------------------------------------------------- */

/* Two carts collide without bouncing, and a spring on the first holds both. */
static void carts_that_join(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "parameters: {m1: 2, m2: 3}\n"
                  "discrete: {touch: 2, joined: 2}\n"
                  "continuous: {x1: 0, x2: 1, v1: 2, v2: 0, f: 0, k: 0}\n"
                  "transitions: [{equation: der(joined) = 1, when: touch & !joined}]\n"
                  "roots: [{decides: touch, by: x1 - x2, when: '!joined'}]\n"
                  "activities:\n"
                  "  - equation: der(x1) = v1\n"
                  "  - equation: der(x2) = v2\n"
                  "  - equation: m1*der(v1) = -f - k*(x1 - 1)\n"
                  "  - equation: m2*der(v2) = f\n"
                  "  - {equation: k = 0, when: '!joined'}\n"
                  "  - {equation: k = 10, when: joined}\n"
                  "  - {equation: f = 0, when: '!joined'}\n"
                  "  - {equation: v1 = v2, when: joined}\n"
                  "actions:\n"
                  "  - {set: v1, to: (m1*v1 + m2*v2)/(m1 + m2), when: joined & touch}\n"
                  "  - {set: v2, to: (m1*v1 + m2*v2)/(m1 + m2), when: joined & touch}\n"
                  "run: {end: 2, tolerance: 1e-10}\n");
    assert_int_equal(structure_of(&s, (const int32_t[]){1, 1}).index, 2);
    finish_well(&s);
    /* together from 0.5 s on with 0.8 m/s, at x = 1: a spring of 10 N/m and 5 kg */
    double w = sqrt(2.0), t = 1.5;
    sl_assert_abs(x_of(&s, "x1"), 1.0 + 0.8 / w * sin(w * t), 1e-8);
    sl_assert_abs(x_of(&s, "x2"), x_of(&s, "x1"), 1e-9);
    sl_assert_abs(x_of(&s, "v2"), 0.8 * cos(w * t), 1e-8);
    sl_assert_abs(x_of(&s, "f"), -3.0 * 0.8 * w * sin(w * t), 1e-7);
    end(&s);
}

/* A tank that stands at its brim as long as more comes in than goes out, and falls below it afterwards. */
static void tank_at_its_brim(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info = {.t = 0.0};
    begin(&s, TOP "discrete: {brim: 2}\n"
                  "continuous: {h: 1, over: 0, q: 0}\n"
                  "roots:\n"
                  "  - {decides: brim, by: h - 3 - 1e-9, when: '!brim'}\n"
                  "  - {decides: brim, by: over, when: brim}\n"
                  "activities:\n"
                  "  - equation: q = 1 + 2*cos(t)\n"
                  "  - equation: 2*der(h) = q - over\n"
                  "  - {equation: over = 0, when: '!brim'}\n"
                  "  - {equation: h = 3, when: brim}\n"
                  "run: {end: 10, tolerance: 1e-10}\n");
    assert_int_equal(structure_of(&s, (const int32_t[]){1}).n_unknown, 1); /* a root holds the overflow */
    double full = 0.0, falls = 8.0 * acos(-1.0) / 3.0;        /* 1 + 2 cos t = 0 for the second time on the way down */
    for (double low = 4.0, high = 6.5; high - low > 1e-12;) { /* h = 1 + (t + 2 sin t)/2 */
        full = 0.5 * (low + high);
        *(full + 2.0 * sin(full) > 4.0 ? &high : &low) = full;
    }
    int n = 0;
    while (info.event != SL_HYBRID_STOP) {
        sl_assert_ok(advance(&s, SL_HYBRID_CROSSING | SL_HYBRID_STOP, &info));
        if (info.event == SL_HYBRID_CROSSING) {
            sl_assert_abs(info.t, n == 0 ? full : falls, 1e-8);
            n++;
        }
    }
    assert_int_equal(n, 2);
    sl_assert_abs(x_of(&s, "h"), 3.0 + 0.5 * (10.0 - falls + 2.0 * (sin(10.0) - sin(falls))), 1e-8);
    assert_int_equal(sl_diags_size(s.diags), 0);
    end(&s);
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

static void refuse(const char *text, sl_code code, const char *words) {
    setting s;
    sl_hybrid_info info;
    begin(&s, text);
    assert_int_not_equal(sl_hybrid_next(s.h, SL_HYBRID_STOP, s.diags, &info), SL_OK);
    const sl_diag *last = sl_diags_at(s.diags, sl_diags_size(s.diags) - 1);
    assert_int_equal(last->code, code);
    if (!strstr(last->text, words)) {
        print_error("%s\n", last->text);
    }
    assert_non_null(strstr(last->text, words));
    end(&s);
}

static void what_does_not_determine_anything(void **state) {
    (void)state;
    refuse(TOP
           "continuous: {x: 1, y: 1}\n"
           "activities: [{equation: x = 1}, {name: again, equation: x = 2}, {equation: der(y) = x}]\nrun: {end: 1}\n",
           SL_CODE_OVERDETERMINED, "again");
    /* constraints that say the same: full rank by their form only */
    refuse(TOP "continuous: {x: 1, y: 1, f: 0}\n"
               "activities: [{equation: 'der(x) + der(y) = f'}, {equation: x*x = y}, {equation: 2*x*x = 2*y}]\n"
               "run: {end: 1}\n",
           SL_CODE_INCONSISTENT, "singular");
}

/* ---- Promises ----------------------------------------------------------------------------------- */

/* Saved anywhere, also where other states have just been chosen, restored into another execution: the same bits at the end. */
static void saved_states(void **state) {
    (void)state;
    setting s, other;
    double end_x[5];
    sl_hybrid_info info = {.t = 0.0};
    begin(&s, PENDULUM("1", "5", "6"));
    sl_assert_ok(advance(&s, SL_HYBRID_STOP, &info));
    memcpy(end_x, sl_hybrid_x(s.h), sizeof end_x);
    end(&s);
    begin(&s, PENDULUM("1", "5", "6"));
    for (int n = 0; info.event != SL_HYBRID_STOP || n == 0; n++) {
        sl_assert_ok(advance(&s, SL_HYBRID_STEP | SL_HYBRID_STOP, &info));
        if (!info.restarted && n % 37 != 0) {
            continue;
        }
        size_t bytes = sl_hybrid_save_size(s.h);
        void *saved = malloc(bytes);
        sl_hybrid *copy = NULL;
        sl_hybrid_save(s.h, saved);
        begin(&other, PENDULUM("1", "5", "6"));
        sl_assert_ok(sl_hybrid_restore(other.h, saved, bytes, other.diags));
        assert_memory_equal(sl_hybrid_x(other.h), sl_hybrid_x(s.h), sizeof end_x);
        assert_memory_equal(sl_hybrid_dx(other.h), sl_hybrid_dx(s.h), sizeof end_x);
        sl_assert_ok(sl_hybrid_copy(s.h, s.diags, &copy));
        sl_assert_ok(advance(&other, SL_HYBRID_STOP, &info));
        assert_memory_equal(sl_hybrid_x(other.h), end_x, sizeof end_x);
        sl_hybrid_destroy(copy);
        end(&other);
        free(saved);
        info.event = SL_HYBRID_STEP;
        if (sl_hybrid_time(s.h) > 5.9) {
            break;
        }
    }
    end(&s);
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const char *text = user;
    sl_automaton *a = NULL;
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_structure found = {.size = sizeof found};
    sl_status status = sl_automaton_read(ctx, text, strlen(text), NULL, NULL, &a);
    status = status == SL_OK ? sl_automaton_structure(a, NULL, NULL, NULL, NULL, &found) : status;
    const sl_hybrid_model *model = status == SL_OK ? sl_automaton_model(a) : NULL;
    status = model ? sl_hybrid_create(ctx, model->ops, model->model, &model->def, NULL, &h) : status;
    status = h ? sl_hybrid_next(h, SL_HYBRID_STOP, NULL, &info) : status;
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(h);
    sl_automaton_destroy(a);
}

static void memory_short(void **state) {
    (void)state;
    static const char *const texts[] = {
        PENDULUM("1", "0", "0.5"), CYLINDER("r", "x = amp*sin(w*t) + 1", "5", ""),
        TOP
        "tables: {f: {x: [0, 1, 2], y: [0, 1, 4], between: cubic}}\n"
        "continuous: {v1: 1, v2: 1, w: 0}\n"
        "activities: [{equation: 2*der(v1) + 3*der(v2) = smooth(f(w))}, {equation: v1 = v2}, {equation: w = t/10}]\n"
        "run: {end: 0.1}\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "%s", texts[k]);
        assert_true(sl_test_sweep(run_once, text) > 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_program),
        cmocka_unit_test(cylinder_driven_by_flow),
        cmocka_unit_test(cylinder_with_a_prescribed_position),
        cmocka_unit_test(pendulum_from_its_height),
        cmocka_unit_test(pendulum_that_turns_over),
        cmocka_unit_test(double_pendulum),
        cmocka_unit_test(chain_of_links),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(three_masses_as_one),
        cmocka_unit_test(long_train),
        cmocka_unit_test(capacitor_loops),
        cmocka_unit_test(joined_velocities),
        cmocka_unit_test(variable_that_is_a_rate),
        cmocka_unit_test(carts_that_join),
        cmocka_unit_test(tank_at_its_brim),
        cmocka_unit_test(what_does_not_determine_anything),
        cmocka_unit_test(saved_states),
        cmocka_unit_test(memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
