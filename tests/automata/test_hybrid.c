/* SPDX-License-Identifier: MIT */
/* Hybrid automata written as text, on systems with closed forms; the definitions one by one: test_definitions_hybrid.c. */
#include "sl_test.h"

#include "automata/sha.h"

#include <sluice/diag.h>

typedef struct model {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    sl_sha *a;
    sl_hybrid *h;
} model;

static sl_expr parse(model *m, const char *text) {
    sl_expr e = SL_EXPR_NONE;
    sl_assert_ok(sl_expr_parse(m->g, sl_str_z(text), NULL, m->diags, &e));
    return e;
}

static void begin(model *m) {
    *m = (model){0};
    m->ctx = sl_test_context(&m->memory);
    sl_assert_ok(sl_diags_create(m->ctx, &m->diags));
    m->g = sl_exprs_create(m->ctx);
    sl_assert_ok(sl_sha_create(m->ctx, m->g, &m->a));
}

static void end(model *m) {
    sl_hybrid_destroy(m->h);
    sl_sha_destroy(m->a);
    sl_exprs_destroy(m->g);
    sl_diags_destroy(m->diags);
    sl_test_context_end(m->ctx, &m->memory);
}

static int32_t discrete(model *m, const char *name, int32_t n, int32_t at) {
    int32_t q;
    sl_assert_ok(sl_sda_add_variable(sl_sha_discrete(m->a), sl_str_z(name), n, NULL, m->diags, &q));
    sl_assert_ok(sl_sha_set_start(m->a, q, at));
    return q;
}

static int32_t continuous(model *m, const char *name, double at) {
    int32_t x;
    sl_assert_ok(sl_sha_add_variable(m->a, sl_str_z(name), at, 0.0, NULL, m->diags, &x));
    return x;
}

static void transition(model *m, const char *equation, const char *guard) {
    int32_t number;
    sl_assert_ok(sl_sda_add_transition(sl_sha_discrete(m->a), sl_str_z("t"), parse(m, equation), parse(m, guard), NULL,
                                       m->diags, &number));
}

static void activity(model *m, const char *equation, const char *guard) {
    sl_assert_ok(sl_sha_add_activity(m->a, sl_str_z(""), parse(m, equation), parse(m, guard), NULL, m->diags));
}

static void action(model *m, int32_t x, const char *value, const char *guard) {
    sl_assert_ok(sl_sha_add_action(m->a, sl_str_z(""), x, parse(m, value), parse(m, guard), NULL, m->diags));
}

static void root(model *m, int32_t q, const char *function, const char *guard) {
    sl_assert_ok(sl_sha_add_root(m->a, sl_str_z(""), q, parse(m, function), parse(m, guard), NULL, m->diags));
}

static sl_hybrid_def tight(void) {
    sl_hybrid_def def = sl_hybrid_default();
    def.dae.rtol = 1e-12;
    def.dae.atol = 1e-13;
    def.dae.root_tol = 1e-11;
    return def;
}

static void finish(model *m, double t_end) {
    sl_hybrid_def def = tight();
    def.end = t_end;
    sl_assert_ok(sl_sha_finish(m->a, m->diags));
    sl_assert_ok(sl_hybrid_create(m->ctx, &sl_sha_ops, m->a, &def, m->diags, &m->h));
}

static double crossing(model *m) {
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(m->h, SL_HYBRID_CROSSING, m->diags, &info));
    return info.event == SL_HYBRID_CROSSING ? info.t : (double)INFINITY;
}

/* ---- The flower system ---- */

static void flower(model *m) {
    begin(m);
    int32_t q = discrete(m, "q", 2, 0);
    continuous(m, "x0", 1.0);
    continuous(m, "x1", 0.0);
    activity(m, "der(x0) = -0.1*x0 + 5*x1", "q");
    activity(m, "der(x1) = -x0 - 0.1*x1", "q");
    activity(m, "der(x0) = -0.1*x0 + x1", "!q");
    activity(m, "der(x1) = -5*x0 - 0.1*x1", "!q");
    root(m, q, "abs(x0) - abs(x1)", "true");
}

static void test_flower(void **state) {
    (void)state;
    model m;
    flower(&m);
    finish(&m, 25.0);
    int n = 0;
    for (double t; (t = crossing(&m)) < 25.0; n++) {
        double expected = (2 * n + 1) * atan(sqrt(5.0)) / sqrt(5.0), size = exp(-0.1 * expected) / sqrt(6.0);
        static const double signs[4][2] = {{1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
        sl_assert_rel(t, expected, 1e-9);
        sl_assert_near(sl_hybrid_x(m.h)[0], signs[n % 4][0] * size, 0.0, 1e-8);
        sl_assert_near(sl_hybrid_x(m.h)[1], signs[n % 4][1] * size, 0.0, 1e-8);
    }
    assert_int_equal(n, 24);
    assert_int_equal(sl_hybrid_statistics(m.h).n_compiled, 2);
    end(&m);
}

/* ---- A ball, with an action ---- */

static void test_ball(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t above = discrete(&m, "above", 2, 1), hit = discrete(&m, "hit", 2, 0);
    int32_t y = continuous(&m, "y", 1.0), v = continuous(&m, "v", 0.0);
    sl_assert_ok(sl_sha_add_parameter(m.a, sl_str_z("g"), 9.81, NULL, m.diags));
    (void)hit;
    activity(&m, "der(y) = v", "true");
    activity(&m, "der(v) = -g", "true");
    root(&m, above, "y", "true");
    transition(&m, "der(hit) = 1", "!above & !hit | above & hit");
    action(&m, y, "0", "hit");
    action(&m, v, "-0.5*v", "hit");
    finish(&m, (double)INFINITY);
    double t0 = sqrt(2.0 / 9.81), expected = t0, flight = t0;
    for (int k = 0; k < 12; k++, expected += flight) {
        sl_assert_rel(crossing(&m), expected, 1e-9);
        flight *= k == 0 ? 1.0 : 0.5;
    }
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(m.h), 3.0 * t0, 1e-3);
    assert_int_equal(sl_diags_at(m.diags, 0)->code, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(m.diags, 0)->text, "hit"));
    end(&m);
}

/* ---- Implicit actions (4.3.1): an inelastic collision, momentum kept, both speeds equal after ---- */

static void test_implicit_actions(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t apart = discrete(&m, "apart", 2, 1);
    discrete(&m, "together", 2, 0);
    continuous(&m, "xa", 0.0);
    continuous(&m, "va", 2.0);
    continuous(&m, "xb", 1.0);
    continuous(&m, "vb", -1.0);
    activity(&m, "der(xa) = va", "true");
    activity(&m, "der(xb) = vb", "true");
    activity(&m, "der(va) = 0", "true");
    activity(&m, "der(vb) = 0", "true");
    root(&m, apart, "xb - xa", "!together");
    transition(&m, "der(together) = 1", "!apart & !together");
    sl_assert_ok(sl_sha_add_action_equation(m.a, sl_str_z("momentum"), parse(&m, "3*va + vb = 3*pre.va + pre.vb"),
                                            parse(&m, "together"), NULL, m.diags));
    sl_assert_ok(sl_sha_add_action_equation(m.a, sl_str_z("sticks"), parse(&m, "va = vb"), parse(&m, "together"), NULL,
                                            m.diags));
    finish(&m, 5.0);
    sl_assert_rel(crossing(&m), 1.0 / 3.0, 1e-9);
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_ACTION, m.diags, &info));
    sl_assert_rel(sl_hybrid_x(m.h)[1], 1.25, 1e-9);
    sl_assert_rel(sl_hybrid_x(m.h)[3], 1.25, 1e-9);
    sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info));
    sl_assert_abs(sl_hybrid_x(m.h)[0], 2.0 / 3.0 + 1.25 * (5.0 - 1.0 / 3.0), 1e-8);
    end(&m);
}

/* ---- Thermostat ---- */

static void thermostat(model *m) {
    begin(m);
    int32_t hot = discrete(m, "hot", 2, 0), warm = discrete(m, "warm", 2, 1);
    discrete(m, "heating", 2, 1);
    continuous(m, "T", 20.0);
    activity(m, "der(T) = 0.1*(40 - T)", "heating");
    activity(m, "der(T) = 0.1*(10 - T)", "!heating");
    root(m, hot, "T - 22", "true");
    root(m, warm, "T - 18", "true");
    transition(m, "der(heating) = 1", "heating & hot | !heating & !warm");
}

static void test_thermostat(void **state) {
    (void)state;
    model m;
    thermostat(&m);
    finish(&m, (double)INFINITY);
    double expected = 10.0 * log(20.0 / 18.0);
    for (int k = 0; k < 10; k++) {
        int32_t before;
        double t;
        sl_hybrid_info info;
        do {
            before = sl_hybrid_q(m.h)[2];
            t = crossing(&m);
            do {
                sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_SETTLED, m.diags, &info));
            } while (!sl_hybrid_is_settled(m.h));
        } while (sl_hybrid_q(m.h)[2] == before);
        sl_assert_rel(t, expected, 1e-9);
        expected += k % 2 == 0 ? 10.0 * log(12.0 / 8.0) : 10.0 * log(22.0 / 18.0);
        assert_true(sl_sha_is_active(sl_hybrid_instance(m.h), sl_hybrid_q(m.h), SL_SHA_ACTIVITY, k % 2 == 0));
    }
    end(&m);
}

/* Saved and restored, at every kind of piece. */
static void test_restored_equals_uninterrupted(void **state) {
    (void)state;
    model a, b;
    thermostat(&a);
    thermostat(&b);
    finish(&a, (double)INFINITY);
    finish(&b, (double)INFINITY);
    enum { ROOM = 4096 };
    char *bytes = malloc(ROOM);
    for (int k = 0; k < 500; k++) {
        sl_hybrid_info i, j;
        sl_assert_ok(sl_hybrid_next(a.h, SL_HYBRID_ANY, a.diags, &i));
        if (k % 23 == 0) {
            size_t n = sl_hybrid_save_size(a.h);
            assert_true(n <= ROOM);
            sl_hybrid_save(a.h, bytes);
            sl_assert_ok(sl_hybrid_restore(b.h, bytes, n, b.diags));
        } else {
            sl_assert_ok(sl_hybrid_next(b.h, SL_HYBRID_ANY, b.diags, &j));
        }
        sl_assert_bits(sl_hybrid_time(b.h), sl_hybrid_time(a.h));
        sl_assert_bits(sl_hybrid_x(b.h)[0], sl_hybrid_x(a.h)[0]);
        assert_memory_equal(sl_hybrid_q(b.h), sl_hybrid_q(a.h), 3 * sizeof(int32_t));
    }
    free(bytes);
    end(&a);
    end(&b);
}

/* A copy meets modes in another order. */
static void test_copies(void **state) {
    (void)state;
    model m;
    flower(&m);
    finish(&m, (double)INFINITY);
    for (int k = 0; k < 600; k++) {
        sl_hybrid *copy = NULL;
        sl_hybrid_info i, j;
        sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_ANY, m.diags, &i));
        if (k % 31 != 0) {
            continue;
        }
        sl_assert_ok(sl_hybrid_copy(m.h, m.diags, &copy));
        for (int n = 0; n < 2; n++) {
            sl_assert_bits(sl_hybrid_time(copy), sl_hybrid_time(m.h));
            assert_memory_equal(sl_hybrid_x(copy), sl_hybrid_x(m.h), 2 * sizeof(double));
            assert_memory_equal(sl_hybrid_dx(copy), sl_hybrid_dx(m.h), 2 * sizeof(double));
            sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_ANY, m.diags, &i));
            sl_assert_ok(sl_hybrid_next(copy, SL_HYBRID_ANY, m.diags, &j));
            assert_int_equal(i.event, j.event);
        }
        sl_hybrid_destroy(copy);
    }
    end(&m);
}

/* An action that gives no number is told, not carried on. */
static void test_action_without_a_number(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t q = discrete(&m, "q", 2, 0), x = continuous(&m, "x", -1.0);
    discrete(&m, "p", 2, 0);
    activity(&m, "der(x) = 1", "true");
    root(&m, q, "x", "true");
    transition(&m, "der(p) = 1", "q & !p");
    action(&m, x, "sqrt(x - 1)", "p");
    finish(&m, 5.0);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(m.diags, 0)->code, SL_CODE_NOT_FINITE);
    end(&m);
}

/* ---- Variables that no equation mentions stand still; modes of different size; algebraic variables ---- */

static void test_modes_of_different_size(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t high = discrete(&m, "high", 2, 0);
    discrete(&m, "open", 2, 0);
    int32_t h = continuous(&m, "h", 0.0);
    (void)h;
    continuous(&m, "Q", 0.0); /* of the outlet, while it is open */
    continuous(&m, "mark", 7.0);
    activity(&m, "der(h) = 0.5", "!open");
    activity(&m, "der(h) = 0.5 - Q", "open");
    activity(&m, "Q = 2*h", "open");
    root(&m, high, "h - mark/7", "true"); /* a root on a variable that stands still */
    transition(&m, "der(open) = 1", "high & !open");
    finish(&m, 10.0);
    sl_assert_rel(crossing(&m), 2.0, 1e-9);
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_ACTION, m.diags, &info));
    sl_assert_rel(sl_hybrid_x(m.h)[1], 2.0, 1e-9); /* consistent at once */
    sl_assert_rel(sl_hybrid_dx(m.h)[0], -1.5, 1e-9);
    sl_assert_ok(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info));
    sl_assert_abs(sl_hybrid_x(m.h)[0], 0.25 + 0.75 * exp(-2.0 * 8.0), 1e-8);
    sl_assert_double(sl_hybrid_x(m.h)[2], 7.0);
    end(&m);
}

/* ---- What is wrong is said ---- */

static void test_what_parts_may_hold(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t q = discrete(&m, "q", 2, 0);
    continuous(&m, "x", 1.0);
    sl_expr x = parse(&m, "x > 0"), eq = parse(&m, "der(x) = q");
    sl_assert_status(sl_sha_add_activity(m.a, sl_str_z("a"), parse(&m, "der(x) = 1"), x, NULL, m.diags), SL_ERR_INPUT);
    assert_non_null(strstr(sl_diags_at(m.diags, 0)->text, "'a' must not hold the continuous variable 'x'"));
    sl_assert_status(sl_sha_add_activity(m.a, sl_str_z("b"), eq, parse(&m, "true"), NULL, m.diags), SL_ERR_INPUT);
    assert_non_null(strstr(sl_diags_at(m.diags, 1)->text, "the discrete variable 'q'"));
    sl_assert_status(sl_sha_add_root(m.a, sl_str_z("r"), q, parse(&m, "pre.x"), parse(&m, "true"), NULL, m.diags),
                     SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(m.diags), 3);
    end(&m);
}

static void test_modes_without_enough_equations(void **state) {
    (void)state;
    model m;
    begin(&m);
    discrete(&m, "q", 2, 0);
    continuous(&m, "x", 1.0);
    continuous(&m, "y", 1.0);
    sl_assert_ok(
        sl_sha_add_activity(m.a, sl_str_z("motion"), parse(&m, "der(x) = y"), parse(&m, "true"), NULL, m.diags));
    sl_hybrid_def def = tight();
    sl_hybrid_info info;
    sl_assert_ok(sl_sha_finish(m.a, m.diags));
    sl_assert_ok(sl_hybrid_create(m.ctx, &sl_sha_ops, m.a, &def, m.diags, &m.h));
    sl_assert_status(sl_hybrid_next(m.h, SL_HYBRID_ANY, m.diags, &info), SL_ERR_INPUT);
    const sl_diag *d = sl_diags_at(m.diags, 0);
    assert_int_equal(d->code, SL_CODE_UNDERDETERMINED);
    assert_non_null(strstr(d->text, "x, y; equations: motion"));
    end(&m);
}

static void test_conflicting_actions(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t q = discrete(&m, "q", 2, 0);
    discrete(&m, "p", 2, 0);
    int32_t x = continuous(&m, "x", -1.0);
    activity(&m, "der(x) = 1", "true");
    root(&m, q, "x", "true");
    transition(&m, "der(p) = 1", "q & !p");
    action(&m, x, "2", "p");
    action(&m, x, "3", "q");
    finish(&m, 5.0);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(m.diags, 0)->code, SL_CODE_CONFLICT);
    assert_non_null(strstr(sl_diags_at(m.diags, 0)->text, "'v0' and 'v1' both set 'x'"));
    end(&m);
}

static void test_nondeterministic_discrete_part(void **state) {
    (void)state;
    model m;
    begin(&m);
    int32_t q = discrete(&m, "q", 2, 0);
    continuous(&m, "x", -1.0);
    activity(&m, "der(x) = 1", "true");
    root(&m, q, "x", "true");
    discrete(&m, "p", 2, 0);
    transition(&m, "der(p)^2 = 1", "q & !p");
    finish(&m, 5.0);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(m.h, SL_HYBRID_STOP, m.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(m.diags, 0)->code, SL_CODE_NONDETERMINISTIC);
    end(&m);
}

static void run_once(sl_context *ctx, sl_test_memory *memory, void *user) {
    const sl_sha *a = user;
    sl_hybrid_def def = tight();
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, &sl_sha_ops, a, &def, NULL, &h);
    for (int k = 0; k < 150 && status == SL_OK; k++) {
        status = sl_hybrid_next(h, SL_HYBRID_ANY, NULL, &info);
    }
    assert_int_equal(status, memory->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(h);
}

static void test_memory_short(void **state) {
    (void)state;
    model m;
    flower(&m);
    sl_assert_ok(sl_sha_finish(m.a, m.diags));
    assert_true(sl_test_sweep(run_once, m.a) > 10);
    end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flower),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_implicit_actions),
        cmocka_unit_test(test_thermostat),
        cmocka_unit_test(test_restored_equals_uninterrupted),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_action_without_a_number),
        cmocka_unit_test(test_modes_of_different_size),
        cmocka_unit_test(test_what_parts_may_hold),
        cmocka_unit_test(test_modes_without_enough_equations),
        cmocka_unit_test(test_conflicting_actions),
        cmocka_unit_test(test_nondeterministic_discrete_part),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
