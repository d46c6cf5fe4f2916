/* SPDX-License-Identifier: MIT */
/* Values at the start: fixed values, guesses, start values, bounds, initial equations; what is said where they are too many or too few. Preferred
 * states; equations solved for variables by their bounds; derivatives that cancel between equations. */
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
} setting;

#define TOP "sluice: automaton/1\nautomaton: a\n"

static sl_status open(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    return sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->a);
}

static void begin(setting *s, const char *text) {
    sl_status status = open(s, text);
    if (status != SL_OK) {
        print_error("%s\n", sl_diags_size(s->diags) ? sl_diags_at(s->diags, 0)->text : "no memory");
    }
    sl_assert_ok(status);
}

static void end(setting *s) {
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

typedef struct wanted {
    const char *name;
    sl_initial_item item;
} wanted;

static void take_item(void *user, const sl_initial_item *item) {
    wanted *w = user;
    if (strcmp(item->name, w->name) == 0) {
        w->item = *item;
    }
}

static sl_initial_item item_of(const setting *s, const char *name) {
    wanted w = {.name = name, .item = {.value = (double)NAN}};
    sl_initial out = {.size = sizeof out};
    sl_assert_ok(sl_automaton_initial(s->a, take_item, &w, &out));
    return w.item;
}

static sl_initial report_of(const setting *s) {
    sl_initial out = {.size = sizeof out};
    sl_assert_ok(sl_automaton_initial(s->a, NULL, NULL, &out));
    return out;
}

static void starts_at(const setting *s, const char *name, double value, double accuracy, bool is_held) {
    sl_initial_item item = item_of(s, name);
    sl_assert_abs(item.value, value, accuracy);
    assert_int_equal(item.is_held, is_held);
}

/* An execution begins with these values, and nothing is said. */
static void runs(setting *s, int32_t n, const char *const *names, const double *values) {
    const sl_hybrid_model *m = sl_automaton_model(s->a);
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_create(s->ctx, m->ops, m->model, &m->def, s->diags, &h));
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_INIT, s->diags, &info));
    for (int32_t k = 0; k < n; k++) {
        sl_assert_abs(sl_hybrid_x(h)[sl_automaton_find_continuous(s->a, names[k])], values[k], 1e-9);
    }
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STOP, s->diags, &info));
    assert_int_equal(sl_diags_size(s->diags), 0);
    sl_hybrid_destroy(h);
}

static void refuse(const char *text, sl_status status, sl_code code, int n, const char *const *words) {
    setting s;
    sl_assert_status(open(&s, text), status);
    assert_true(sl_diags_size(s.diags) > 0);
    const sl_diag *d = sl_diags_at(s.diags, 0);
    assert_int_equal(d->code, code);
    assert_non_null(d->hint);
    for (int k = 0; k < n; k++) {
        if (!strstr(d->text, words[k])) {
            print_error("%s: lacks %s\n", d->text, words[k]);
        }
        assert_non_null(strstr(d->text, words[k]));
    }
    end(&s);
}

/* ---- Values ------------------------------------------------------------------------------------- */

#define PENDULUM                                      \
    "activities:\n"                                   \
    "  - {name: a, equation: der(x) = u}\n"           \
    "  - {name: b, equation: der(y) = v}\n"           \
    "  - {name: c, equation: der(u) = -l*x}\n"        \
    "  - {name: d, equation: der(v) = -l*y - 9.81}\n" \
    "  - {name: rod, equation: x^2 + y^2 = 1}\n"      \
    "run: {end: 0.2}\n"

static void pendulum_by_what_is_fixed(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP
          "continuous: {x: {fixed: 0.6}, y: {guess: -0.5}, u: {fixed: 1}, v: {guess: 0}, l: {guess: 0}}\n" PENDULUM);
    starts_at(&s, "x", 0.6, 0.0, true);
    starts_at(&s, "y", -0.8, 1e-12, false); /* on the side of the guess */
    starts_at(&s, "v", 0.75, 1e-12, false);
    starts_at(&s, "l", 1.0 + 0.5625 + 9.81 * 0.8, 1e-11, false);
    sl_assert_abs(item_of(&s, "u").derivative, -0.6 * (1.5625 + 9.81 * 0.8), 1e-11);
    sl_initial out = report_of(&s);
    assert_int_equal(out.n_fixed, 2);
    assert_int_equal(out.n_held, 0);
    assert_int_equal(out.n_unknown, 11); /* x, y three times, u, v twice, l */
    assert_int_equal(out.n_equation, 9); /* the rod three times, a and b twice, c, d */
    runs(&s, 4, (const char *const[]){"x", "y", "u", "v"}, (const double[]){0.6, -0.8, 1.0, 0.75});
    end(&s);
    /* upwards; and by the force in the rod, at the height of the pivot */
    begin(&s,
          TOP "continuous: {x: {fixed: 0.6}, y: {guess: 2}, u: {fixed: 1}, v: {guess: 0}, l: {guess: 0}}\n" PENDULUM);
    starts_at(&s, "y", 0.8, 1e-12, false);
    end(&s);
    begin(&s,
          TOP "continuous: {x: {guess: 1}, y: {fixed: -0.1}, u: {guess: 0}, v: {guess: 3}, l: {fixed: 10}}\n" PENDULUM);
    starts_at(&s, "v", sqrt((10.0 + 9.81 * -0.1) * 0.99), 1e-11, false); /* speed^2 = l + g y, v = speed x */
    end(&s);
}

/* Start values hold where something is left to choose: by pivots, not by their order. */
static void start_values_by_pivots(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: 1, y: 0.1, u: 0, v: 0.5, l: {guess: 0}}\n" PENDULUM);
    starts_at(&s, "y", 0.1, 0.0, true);
    starts_at(&s, "v", 0.5, 0.0, true);
    starts_at(&s, "x", sqrt(0.99), 1e-12, false);
    assert_int_equal(report_of(&s).n_held, 2);
    end(&s);
    begin(&s, TOP "continuous: {x: 0.1, y: -1, u: 0.5, v: 0, l: {guess: 0}}\n" PENDULUM);
    starts_at(&s, "x", 0.1, 0.0, true);
    starts_at(&s, "u", 0.5, 0.0, true);
    end(&s);
    /* those of differential variables before others */
    begin(&s, TOP "continuous: {y: 7, x: 1, z: {guess: 0}}\n"
                  "activities: [{equation: der(x) = -x}, {equation: y = 2*x}, {equation: z = y + 1}]\nrun: {end: 1}\n");
    starts_at(&s, "x", 1.0, 0.0, true);
    starts_at(&s, "y", 2.0, 1e-12, false);
    starts_at(&s, "z", 3.0, 1e-12, false);
    end(&s);
}

static void initial_equations(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {T: {guess: 5}, q: {guess: 0}}\n"
                  "activities: [{equation: 3*der(T) = q - 2*(T - 20)^3}, {equation: q = 16 + t}]\n"
                  "initial: [{name: steady, equation: der(T) = 0}]\nrun: {end: 1}\n");
    starts_at(&s, "T", 22.0, 1e-10, false);
    sl_assert_abs(item_of(&s, "T").derivative, 0.0, 1e-10);
    runs(&s, 1, (const char *const[]){"T"}, (const double[]){22.0});
    end(&s);
    /* a derivative that no equation has: y' = 1 + x' = 1 - x + 2 (t + x) */
    begin(&s, TOP "continuous: {x: {guess: 0}, u: {guess: 0}, y: {guess: 0}}\n"
                  "activities: [{equation: der(x) = u - x}, {equation: u = 2*y}, {equation: y = t + x}]\n"
                  "initial: [{equation: der(y) = 5}]\nrun: {end: 0.1}\n");
    starts_at(&s, "x", 4.0, 1e-12, false);
    end(&s);
    /* a parameter that the start determines: the valve for a given flow */
    begin(
        &s, TOP
        "continuous: {h: {fixed: 4}, k: {guess: 1}, q: {fixed: 6}}\n"
        "activities: [{equation: der(h) = -q}, {equation: q = k*sqrt(h)}, {equation: der(k) = 0}]\nrun: {end: 0.1}\n");
    starts_at(&s, "k", 3.0, 1e-12, false);
    end(&s);
    /* between parts that share nothing afterwards */
    begin(&s, TOP "continuous: {a: {guess: 0}, b: {fixed: 2}}\n"
                  "activities: [{equation: der(a) = -a}, {equation: der(b) = -2*b}]\n"
                  "initial: [{equation: a*b = 6}]\nrun: {end: 0.1}\n");
    starts_at(&s, "a", 3.0, 1e-12, false);
    end(&s);
}

static void bounds(void **state) {
    (void)state;
    static const char *const texts[] = {"{guess: 0, min: 0}", "{guess: 0, max: 0}",
                                        "{guess: 50, min: 0.5, nominal: 100}"};
    static const double roots[] = {2.0, -2.0, 2.0};
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++) {
        setting s;
        char text[400];
        (void)snprintf(text, sizeof text,
                       TOP "continuous: {x: %s, w: {fixed: 1}}\n"
                           "activities: [{equation: x^2 = 4}, {equation: der(w) = -x*w}]\nrun: {end: 0.1}\n",
                       texts[k]);
        begin(&s, text);
        starts_at(&s, "x", roots[k], 1e-9, false);
        end(&s);
    }
    refuse(TOP "continuous: {x: {fixed: 3, max: 2}, y: {guess: 0}}\n"
               "activities: [{equation: der(x) = -x}, {equation: y = x}]\nrun: {end: 0.1}\n",
           SL_ERR_INPUT, SL_CODE_INCONSISTENT, 2, (const char *const[]){"'x' is 3", "bounds"});
}

/* Newton's method alone stays at the lowest place of the residual, beyond which there is no zero: the curve leads back from there. */
static void homotopy(void **state) {
    (void)state;
    setting s;
    begin(&s, TOP "continuous: {x: {guess: 0.3}, y: {guess: 0}}\n"
                  "activities: [{equation: x^3 - 2*x + 2 = 0}, {equation: y = x}]\nrun: {end: 0.1}\n");
    starts_at(&s, "x", -1.7692923542386314, 1e-12, false);
    assert_int_equal(report_of(&s).n_homotopy, 1);
    end(&s);
    refuse(TOP "continuous: {x: {guess: 3}}\nactivities: [{name: never, equation: x^2 = -1}]\nrun: {end: 0.1}\n",
           SL_ERR_SOLVE, SL_CODE_INCONSISTENT, 2, (const char *const[]){"'never'", "values of x"});
}

/* A chain of 200 equations, each nonlinear in one unknown, and a ring of three: blocks of 1 and one of 3. */
static void block_by_block(void **state) {
    (void)state;
    enum { N = 200, ROOM = 60000 };
    setting s;
    static char text[ROOM];
    size_t n = (size_t)snprintf(
        text, ROOM, TOP "continuous:\n  x0: {fixed: 1}\n  a: {guess: 1}\n  b: {guess: 1}\n  c: {guess: 1}\n");
    for (int k = 1; k <= N; k++) {
        n += (size_t)snprintf(text + n, ROOM - n, "  x%d: {guess: 5}\n", k);
    }
    n += (size_t)snprintf(text + n, ROOM - n, "activities:\n  - equation: der(x0) = -x0\n");
    for (int k = N; k >= 1; k--) {
        n += (size_t)snprintf(text + n, ROOM - n, "  - equation: exp(x%d) + x%d = exp(1) + x%d\n", k, k, k - 1);
    }
    (void)snprintf(
        text + n, ROOM - n,
        "  - equation: a + b^3 = 2*x%d\n  - equation: b + c^3 = 2\n  - equation: c + a^3 = 2\nrun: {end: 0.01}\n", N);
    begin(&s, text);
    sl_initial out = report_of(&s);
    assert_int_equal(out.n_largest, 3);
    assert_int_equal(out.n_block, N + 3); /* x0, its derivative, the ring */
    starts_at(&s, "x200", 1.0, 1e-11, false);
    starts_at(&s, "a", 1.0, 1e-10, false);
    end(&s);
}

/* ---- Too many, too few -------------------------------------------------------------------------- */

static void overdetermined(void **state) {
    (void)state;
    refuse(TOP "continuous: {x: {fixed: 0.6}, y: {fixed: -0.5}, u: {fixed: 1}, v: 0, l: 0}\n" PENDULUM, SL_ERR_INPUT,
           SL_CODE_OVERDETERMINED, 4,
           (const char *const[]){"fixed value of 'y'", "off by", "fixed value of 'x'", "'rod'"});
    /* along a chain of aliases with signs */
    refuse(TOP
           "continuous: {x: {fixed: 1}, y: {guess: 0}, z: {fixed: 2}}\n"
           "activities: [{equation: der(x) = -x}, {name: turned, equation: x = -y}, {name: same, equation: y = z}]\n",
           SL_ERR_INPUT, SL_CODE_OVERDETERMINED, 5,
           (const char *const[]){"fixed value of 'z'", "off by -3", "fixed value of 'x'", "'turned'", "'same'"});
    refuse(
        TOP
        "continuous: {x: {fixed: 1}}\nactivities: [{equation: der(x) = 2 - x}]\ninitial: [{name: steady, equation: der(x) = 0}, "
        "{name: again, equation: x = 2}]\n",
        SL_ERR_INPUT, SL_CODE_OVERDETERMINED, 2, (const char *const[]){"'steady'", "fixed value of 'x'"} + 0);
    /* an input determines everything: fixed values that agree with it are fine */
    setting s;
    begin(
        &s, TOP
        "continuous: {x: {fixed: 1}, v: {fixed: 3}, f: {guess: 0}}\n"
        "activities: [{equation: x = 1 + sin(3*t)}, {equation: v = der(x)}, {equation: der(v) = f}]\nrun: {end: 1}\n");
    assert_int_equal(report_of(&s).n_surplus, 2);
    starts_at(&s, "f", 0.0, 1e-12, false);
    end(&s);
    /* ... and the same said twice */
    begin(
        &s, TOP
        "continuous: {x: {fixed: 1}, y: {fixed: -1}}\nactivities: [{equation: der(x) = -x}, {equation: x = -y}]\nrun: {end: 1}\n");
    assert_int_equal(report_of(&s).n_surplus, 1);
    end(&s);
}

static void underdetermined(void **state) {
    (void)state;
    refuse(TOP
           "continuous: {x: {guess: 0.6}, y: {guess: -0.8}, u: {guess: 1}, v: {fixed: 0.2}, l: {guess: 0}}\n" PENDULUM,
           SL_ERR_INPUT, SL_CODE_UNDERDETERMINED, 3,
           (const char *const[]){"1 value is left open", "guesses: x, y", "der(x)"});
    refuse(TOP "continuous: {a: {guess: 0}, b: {guess: 0}, c: {fixed: 1}}\n"
               "activities: [{equation: der(a) = -c}, {equation: der(b) = a}, {equation: der(c) = -c}]\n",
           SL_ERR_INPUT, SL_CODE_UNDERDETERMINED, 2, (const char *const[]){"2 values are left open", "guesses: a, b"});
    /* settled by its form, by its numbers not: the derivative of a sum that is constant */
    refuse(TOP "continuous: {a: {guess: 0}, b: {guess: 0}, s: {guess: 1}}\n"
               "activities: [{equation: der(a) = -s}, {equation: der(b) = s}, {name: sum, equation: s = a + b}]\n"
               "initial: [{name: rest, equation: der(a) + der(b) = 0}, {equation: a = 2}]\n",
           SL_ERR_SOLVE, SL_CODE_INCONSISTENT, 1, (const char *const[]){"singular"});
}

static void what_is_wrong_in_a_file(void **state) {
    (void)state;
    refuse(TOP "continuous: {x: {fixed: 1, guess: 2}}\nactivities: [{equation: der(x) = -x}]\n", SL_ERR_INPUT,
           SL_CODE_WRONG_KIND, 1, (const char *const[]){"exclude each other"});
    refuse(TOP "continuous: {x: {min: 2, max: 1}}\nactivities: [{equation: der(x) = -x}]\n", SL_ERR_INPUT,
           SL_CODE_VALUE_RANGE, 1, (const char *const[]){"above"});
    refuse(TOP "continuous: {x: 1}\nactivities: [{equation: der(x) = -x}]\ninitial: [{equation: x + 1}]\n",
           SL_ERR_INPUT, SL_CODE_WRONG_KIND, 1, (const char *const[]){"no equation"});
    setting s;
    sl_assert_status(
        open(&s, TOP
             "continuous: {x: {fixed: 1}, y: {fixed: 2}}\nactivities: [{equation: der(x) = -x}, {equation: x = y}]\n"),
        SL_ERR_INPUT);
    assert_int_equal(sl_diags_at(s.diags, 0)->line, 3); /* where y stands */
    end(&s);
}

/* ---- Calls -------------------------------------------------------------------------------------- */

static void by_calls(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_automaton *a = NULL;
    sl_assert_ok(sl_automaton_create(ctx, "tank", NULL, &a));
    sl_variable_def def = sl_variable_default();
    def.start = 2.0;
    def.kind = SL_INITIAL_GUESS;
    def.low = 0.0;
    sl_assert_ok(sl_automaton_add_variable(a, "h", &def));
    def.nominal = -1.0;
    sl_assert_status(sl_automaton_add_variable(a, "bad", &def), SL_ERR_USE);
    sl_automaton_destroy(a);
    sl_assert_ok(sl_automaton_create(ctx, "tank", NULL, &a));
    def.nominal = 1.0;
    sl_assert_ok(sl_automaton_add_variable(a, "h", &def));
    sl_assert_ok(sl_automaton_add_activity(a, NULL, "der(h) = 3 - h^2/3", NULL));
    sl_assert_ok(sl_automaton_add_initial(a, "steady", "der(h) = 0"));
    sl_assert_ok(sl_automaton_finish(a));
    wanted w = {.name = "h"};
    sl_assert_sized(sl_initial, out, sl_automaton_initial(a, NULL, NULL, &out));
    sl_initial all = {.size = sizeof all};
    sl_assert_ok(sl_automaton_initial(a, take_item, &w, &all));
    sl_assert_abs(w.item.value, 3.0, 1e-12);
    assert_int_equal(w.item.kind, SL_INITIAL_GUESS);
    assert_int_equal(all.n_initial, 1);
    sl_assert_status(sl_automaton_initial(NULL, NULL, NULL, &all), SL_ERR_USE);
    sl_automaton_destroy(a);
    sl_test_context_end(ctx, &memory);
}

typedef struct text_sink {
    char at[4096];
    size_t n;
} text_sink;

static sl_status put(void *user, const void *bytes, size_t n) {
    text_sink *t = user;
    assert_true(t->n + n < sizeof t->at);
    memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = '\0';
    return SL_OK;
}

static void written_and_read(void **state) {
    (void)state;
    setting s, again;
    text_sink first = {.n = 0}, second = {.n = 0};
    begin(
        &s, TOP
        "continuous: {x: {fixed: 0.5, nominal: 2, min: 0, max: 9}, y: {guess: 1, state: avoid, tolerance: 1e-7}, z: 3}\n"
        "activities: [{equation: der(x) = -y}, {equation: y = x}, {equation: der(z) = x}]\n"
        "initial: [{name: sum, equation: x + z = 4}, {equation: der(z) = 0.5}]\nrun: {end: 1}\n");
    sl_assert_ok(sl_automaton_write(s.a, &(sl_sink){&first, put}));
    assert_non_null(strstr(first.at, "{fixed: 0.5, nominal: 2, min: 0, max: 9}"));
    assert_non_null(strstr(first.at, "{guess: 1, tolerance: 1e-07, state: avoid}"));
    begin(&again, first.at);
    sl_assert_ok(sl_automaton_write(again.a, &(sl_sink){&second, put}));
    assert_string_equal(first.at, second.at);
    assert_true(sl_automaton_hash(s.a) == sl_automaton_hash(again.a));
    starts_at(&again, "z", 3.5, 1e-12, false);
    end(&again);
    end(&s);
}

/* A nominal value is a factor of the absolute tolerance: the same bits as with that product. */
static void nominal_tolerance(void **state) {
    (void)state;
    static const char *const texts[] = {"{start: 1, nominal: 0.001}", "{start: 1, tolerance: 1e-12}"};
    double at[2];
    for (int k = 0; k < 2; k++) {
        setting s;
        char text[400];
        (void)snprintf(text, sizeof text,
                       TOP "continuous: {x: %s}\nactivities: [{equation: der(x) = -30*x}]\nrun: {end: 1}\n", texts[k]);
        begin(&s, text);
        const sl_hybrid_model *m = sl_automaton_model(s.a);
        sl_hybrid *h = NULL;
        sl_hybrid_info info;
        sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STOP, s.diags, &info));
        at[k] = sl_hybrid_x(h)[0];
        sl_hybrid_destroy(h);
        end(&s);
    }
    assert_memory_equal(&at[0], &at[1], sizeof *at);
    sl_assert_abs(at[0], 0.0, 1e-9);
}

/* ---- States ------------------------------------------------------------------------------------- */

typedef struct roles {
    char states[200];
} roles;

static void take_role(void *user, const sl_structure_item *item) {
    roles *r = user;
    if (!item->is_equation && item->role == SL_DAE_STATE) {
        strcat(strcat(r->states, item->order > 0 ? "der " : ""), item->name);
        strcat(r->states, " ");
    }
}

static void chooses(const char *x, const char *y, const char *s_def, const char *states) {
    setting s;
    char text[900];
    roles r = {.states = ""};
    sl_structure found = {.size = sizeof found};
    (void)snprintf(
        text, sizeof text, TOP "continuous: {x: %s, y: %s, u: 0, v: 0, l: 0, s: %s}\ninitial: []\n%s", x, y, s_def,
        "activities:\n  - {equation: s = x - y}\n" /* and the pendulum */
        "  - {equation: der(x) = u}\n  - {equation: der(y) = v}\n  - {equation: der(u) = -l*x}\n"
        "  - {equation: der(v) = -l*y - 9.81}\n  - {equation: x^2 + y^2 = 1}\nrun: {end: 0.3, tolerance: 1e-9}\n");
    begin(&s, text);
    sl_assert_ok(sl_automaton_structure(s.a, NULL, take_role, &r, s.diags, &found));
    if (strcmp(r.states, states) != 0) {
        print_error("%s, not %s\n", r.states, states);
    }
    assert_string_equal(r.states, states);
    assert_int_equal(found.index, 3);
    runs(&s, 0, NULL, NULL);
    end(&s);
}

static void preferred_states(void **state) {
    (void)state;
    chooses("0.5", "-0.8", "1.3", "x u ");
    chooses("{start: 0.5, state: never}", "-0.8", "1.3", "y u "); /* nothing is said of u */
    chooses("{start: 0.5, state: avoid}", "-0.8", "1.3", "y u ");
    chooses("0.5", "{start: -0.8, state: prefer}", "1.3", "y der y ");
    chooses("0.5", "{start: -0.8, state: always}", "1.3", "y u ");
    chooses("0.5", "-0.8", "{start: 1.3, state: prefer}", "s der s ");
}

/* Saved in the middle, restored into another execution: the same bits at the end, with preferred states and cancelled derivatives. */
static void saved_states(void **state) {
    (void)state;
    static const char *const texts[] = {
        TOP
        "continuous: {x: {guess: 0.5}, y: {guess: -0.8}, u: {guess: 0}, v: 0, l: {guess: 0}, s: {fixed: 1.3, state: always}}\n"
        "activities:\n  - {equation: s = x - y}\n"
        "  - {equation: der(x) = u}\n  - {equation: der(y) = v}\n  - {equation: der(u) = -l*x}\n"
        "  - {equation: der(v) = -l*y - 9.81}\n  - {equation: x^2 + y^2 = 1}\nrun: {end: 0.3, tolerance: 1e-8}\n",
        TOP
        "continuous: {v1: {fixed: 2}, v2: {guess: 0}}\n"
        "activities: [{equation: 'der(v1) - der(v2) = -v1^3'}, {equation: 'der(v2) - der(v1) = -v2'}]\nrun: {end: 0.3}\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        setting s, other;
        sl_hybrid *h = NULL, *again = NULL;
        sl_hybrid_info info = {.event = SL_HYBRID_STEP};
        begin(&s, texts[k]);
        const sl_hybrid_model *m = sl_automaton_model(s.a);
        sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
        size_t n = (size_t)sl_automaton_n_continuous(s.a), bytes = 0;
        void *saved = NULL;
        for (int step = 0; info.event != SL_HYBRID_STOP; step++) {
            sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STEP | SL_HYBRID_STOP, s.diags, &info));
            if (step == 20) {
                bytes = sl_hybrid_save_size(h);
                saved = malloc(bytes);
                sl_hybrid_save(h, saved);
            }
        }
        assert_non_null(saved);
        begin(&other, texts[k]);
        m = sl_automaton_model(other.a);
        sl_assert_ok(sl_hybrid_create(other.ctx, m->ops, m->model, &m->def, other.diags, &again));
        sl_assert_ok(sl_hybrid_restore(again, saved, bytes, other.diags));
        sl_assert_ok(sl_hybrid_next(again, SL_HYBRID_STOP, other.diags, &info));
        assert_memory_equal(sl_hybrid_x(again), sl_hybrid_x(h), n * sizeof(double));
        assert_memory_equal(sl_hybrid_dx(again), sl_hybrid_dx(h), n * sizeof(double));
        free(saved);
        sl_hybrid_destroy(again);
        sl_hybrid_destroy(h);
        end(&other);
        end(&s);
    }
}

static void states_that_cannot_be(void **state) {
    (void)state;
    static const struct {
        const char *starts, *words;
    } cases[] = {{"x: {start: 1, state: never}, y: 0", "'x' has to be a state"},
                 {"x: {start: 1, state: always}, y: {start: 1, state: always}", "cannot be a state"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        setting s;
        char text[400];
        sl_hybrid *h = NULL;
        sl_hybrid_info info;
        (void)snprintf(text, sizeof text,
                       TOP
                       "continuous: {%s}\nactivities: [{equation: der(x) = -x}, {equation: y = 2*x}]\nrun: {end: 1}\n",
                       cases[k].starts);
        begin(&s, text);
        const sl_hybrid_model *m = sl_automaton_model(s.a);
        sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
        sl_assert_status(sl_hybrid_next(h, SL_HYBRID_STOP, s.diags, &info), SL_ERR_SOLVE);
        assert_int_equal(sl_diags_size(s.diags), 1);
        assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, cases[k].words));
        sl_hybrid_destroy(h);
        end(&s);
    }
}

static int32_t unknowns_of(const char *text) {
    setting s;
    sl_structure found = {.size = sizeof found};
    begin(&s, text);
    sl_assert_ok(sl_automaton_structure(s.a, NULL, NULL, NULL, s.diags, &found));
    runs(&s, 0, NULL, NULL);
    end(&s);
    return found.n_unknown;
}

#define VESSEL(low, p)                                                                                           \
    TOP "continuous: {m: 2, V: {start: 3" low "}, r: 1, p: 0}\n"                                                 \
        "activities: [{equation: der(m) = p - 1}, {equation: der(V) = 0.1}, {equation: r*V = m}, {equation: '" p \
        "*p = r'}]\nrun: {end: 1}\n"

/* A factor that is nowhere zero, by its form or by bounds, is divided by. */
static void solved_by_bounds(void **state) {
    (void)state;
    assert_int_equal(unknowns_of(VESSEL("", "V")), 4);
    assert_int_equal(unknowns_of(VESSEL("", "(2 + sin(V))")), 3);
    assert_int_equal(unknowns_of(VESSEL("", "(1 + V^2)")), 3);
    assert_int_equal(unknowns_of(VESSEL("", "(1 + sin(V))")), 4);
    assert_int_equal(unknowns_of(VESSEL(", min: 0.1", "(2 + sin(V))")), 2);
    assert_int_equal(unknowns_of(VESSEL(", min: 0", "(1 + exp(-V))")), 3); /* V may be 0 */
}

/* ---- Derivatives that cancel -------------------------------------------------------------------- */

/* Capacitors in a loop, and in a row between resistors: node equations hold differences of derivatives. */
static void capacitors_between_nodes(void **state) {
    (void)state;
    setting s;
    sl_structure found = {.size = sizeof found};
    /* v1 - R - ground, c1 from v1 to v2, c2 from v2 to v3, c3 from v3 to v1, v3 - R - ground: one sum without derivatives */
    begin(&s, TOP "parameters: {c1: 1, c2: 2, c3: 0.5, R: 3}\n"
                  "continuous: {v1: {fixed: 2}, v2: {fixed: 0}, v3: {guess: 0}}\n"
                  "activities:\n"
                  "  - {name: n1, equation: 'c1*(der(v1) - der(v2)) + c3*(der(v1) - der(v3)) = -v1/R'}\n"
                  "  - {name: n2, equation: 'c1*(der(v2) - der(v1)) + c2*(der(v2) - der(v3)) = 0'}\n"
                  "  - {name: n3, equation: 'c2*(der(v3) - der(v2)) + c3*(der(v3) - der(v1)) = -v3/R'}\n"
                  "run: {end: 2, tolerance: 1e-10}\n");
    sl_assert_ok(sl_automaton_structure(s.a, NULL, NULL, NULL, s.diags, &found));
    assert_int_equal(found.index, 1);
    assert_int_equal(found.n_free, 2);
    starts_at(&s, "v3", -2.0, 1e-12, false); /* the currents through both resistors are equal */
    const sl_hybrid_model *m = sl_automaton_model(s.a);
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_create(s.ctx, m->ops, m->model, &m->def, s.diags, &h));
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STOP, s.diags, &info));
    /* v1 - v3 = 2 v1 across c3 beside c1 and c2 in a row, 7/6 in all, and 2 R */
    sl_assert_abs(sl_hybrid_x(h)[0], 2.0 * exp(-2.0 / (2.0 * 3.0 * 7.0 / 6.0)), 1e-8);
    sl_assert_abs(sl_hybrid_x(h)[2], -sl_hybrid_x(h)[0], 1e-8);
    sl_hybrid_destroy(h);
    end(&s);
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const char *text = user;
    sl_automaton *a = NULL;
    sl_initial out = {.size = sizeof out};
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_status status = sl_automaton_read(ctx, text, strlen(text), NULL, NULL, &a);
    status = status == SL_OK ? sl_automaton_initial(a, NULL, NULL, &out) : status;
    const sl_hybrid_model *model = status == SL_OK ? sl_automaton_model(a) : NULL;
    status = model ? sl_hybrid_create(ctx, model->ops, model->model, &model->def, NULL, &h) : status;
    status = h ? sl_hybrid_next(h, SL_HYBRID_INIT, NULL, &info) : status;
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(h);
    sl_automaton_destroy(a);
}

static void memory_short(void **state) {
    (void)state;
    static const char *const texts[] = {
        TOP
        "continuous: {x: 0.6, y: {guess: -0.5}, u: {fixed: 1}, v: {start: 0, state: prefer}, l: {guess: 0}}\n" PENDULUM,
        TOP
        "continuous: {a: {guess: 1}, b: {guess: 1}, c: {guess: 1}, d: {fixed: 1}, e: 0}\n"
        "activities: [{equation: a + b^3 = 2*d}, {equation: b + c^3 = 2}, {equation: c + e^3 = 2}, {equation: e + a^3 = 2}, "
        "{equation: der(d) = 0}]\nrun: {end: 0.1}\n",
        TOP
        "continuous: {v1: {fixed: 2}, v2: {guess: 0}, s: {start: 0, state: always}}\n"
        "activities: [{equation: 'der(v1) - der(v2) = -v1'}, {equation: 'der(v2) - der(v1) = -v2'}, {equation: s = v1}]\nrun: {end: 0.1}\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s", texts[k]);
        assert_true(sl_test_sweep(run_once, text) > 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_by_what_is_fixed),
        cmocka_unit_test(start_values_by_pivots),
        cmocka_unit_test(initial_equations),
        cmocka_unit_test(bounds),
        cmocka_unit_test(homotopy),
        cmocka_unit_test(block_by_block),
        cmocka_unit_test(overdetermined),
        cmocka_unit_test(underdetermined),
        cmocka_unit_test(what_is_wrong_in_a_file),
        cmocka_unit_test(by_calls),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(nominal_tolerance),
        cmocka_unit_test(preferred_states),
        cmocka_unit_test(states_that_cannot_be),
        cmocka_unit_test(saved_states),
        cmocka_unit_test(solved_by_bounds),
        cmocka_unit_test(capacitors_between_nodes),
        cmocka_unit_test(memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
