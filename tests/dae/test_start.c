/* SPDX-License-Identifier: MIT */
/* Consistent initial values, what is said when there are none, roots, and saved states. */
#include "dae_test.h"

#include <sluice/diag.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_dae *d;
    sl_diags *diags;
} setting;

static void begin(setting *s, problem *p, const sl_dae_def *def) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_assert_ok(sl_dae_create(s->ctx, &p->system, def, s->diags, &s->d));
}

static void end(setting *s) {
    sl_dae_destroy(s->d);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

/* ---- Initial values ---- */

/* A tank whose outflow follows a square root, an equation that is far from its solution at the guess */
static int tank(double t, const double *x, const double *dx, double *r) {
    (void)t;
    if (x[1] <= -1.0) {
        return 1;
    }
    r[0] = dx[0] + x[1] - 0.5;
    r[1] = x[1] * x[1] * x[1] + log1p(x[1]) - 10.0 * x[0];
    return 0;
}

static void test_algebraic_values_are_found(void **state) {
    (void)state;
    problem p = {.residual = tank};
    problem_init(&p, 2, 2, (const char *const[]){"dx", "xX"});
    sl_dae_def def = sl_dae_default();
    setting s;
    begin(&s, &p, &def);
    double x[2] = {1.0, -0.9}, dx[2] = {7.0, 7.0}; /* the full step leaves the range of the logarithm */
    assert_true(sl_dae_inconsistency(s.d, 0.0, x, dx) > 1e3);
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags));
    sl_assert_double(x[0], 1.0);
    sl_assert_rel(x[1] * x[1] * x[1] + log1p(x[1]), 10.0, 1e-9);
    sl_assert_rel(dx[0], 0.5 - x[1], 1e-9);
    sl_assert_double(dx[1], 0.0);
    assert_true(sl_dae_inconsistency(s.d, 0.0, x, dx) <= 1.0);
    /* at rest: the outflow is 0.5 */
    uint8_t find[2] = {SL_DAE_FIND_X, SL_DAE_FIND_X};
    dx[0] = 0.0;
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, find, s.diags));
    sl_assert_rel(x[1], 0.5, 1e-9);
    sl_assert_rel(x[0], (0.125 + log1p(0.5)) / 10.0, 1e-9);
    assert_int_equal(sl_diags_size(s.diags), 0);
    end(&s);
}

/* x2 + y2 = -1 */
static int impossible(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - 1.0;
    r[1] = x[1] * x[1] + 1.0;
    return 0;
}

static void test_impossible_is_explained(void **state) {
    (void)state;
    problem p = {.residual = impossible, .equations = (const char *const[]){"motion", "circle"}};
    problem_init(&p, 2, 2, (const char *const[]){"d.", ".X"});
    sl_dae_def def = sl_dae_default();
    setting s;
    begin(&s, &p, &def);
    double x[2] = {3.0, 2.0}, dx[2] = {0.0, 0.0};
    sl_assert_status(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags), SL_ERR_SOLVE);
    sl_assert_double(x[1], 2.0); /* as it was */
    assert_int_equal(sl_diags_at(s.diags, 0)->code, SL_CODE_INCONSISTENT);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "circle"));
    end(&s);
}

/* Index 2: x = sin t, y = x': given x nothing determines y at the start. */
static int index_two(double t, const double *x, const double *dx, double *r) {
    r[0] = x[0] - sin(t);
    r[1] = x[1] - dx[0];
    return 0;
}

static void test_high_index_is_explained(void **state) {
    (void)state;
    problem p = {.residual = index_two, .equations = (const char *const[]){"position", "speed"}};
    problem_init(&p, 2, 2, (const char *const[]){"x.", "dx"});
    sl_dae_def def = sl_dae_default();
    setting s;
    begin(&s, &p, &def);
    assert_int_equal(sl_diags_at(s.diags, 0)->code, SL_CODE_HIGH_INDEX);
    sl_diags_clear(s.diags);
    double x[2] = {0.0, 0.0}, dx[2] = {0.0, 0.0};
    sl_assert_status(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(s.diags, 0)->code, SL_CODE_OVERDETERMINED);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "position"));
    end(&s);
}

/* ---- Roots ---- */

static int clock(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - x[1];
    r[1] = dx[1] + x[0];
    return 0;
}

/* sin t; a time; one that is never crossed; sin t again, rising only */
static int crossings(double t, const double *x, const double *dx, double *g) {
    (void)dx;
    g[0] = x[0];
    g[1] = t - 2.5;
    g[2] = 1.5 + x[0];
    g[3] = x[0] - 0.5;
    return 0;
}

static void test_roots_are_located(void **state) {
    (void)state;
    static const int8_t directions[4] = {0, 0, 0, 1};
    double pi = acos(-1.0), expected[] = {pi / 6, 2.5, pi, 2 * pi, 2 * pi + pi / 6, 3 * pi};
    problem p = {.residual = clock, .roots = crossings};
    problem_init(&p, 2, 2, (const char *const[]){"dx", "xd"});
    p.system.n_root = 4;
    sl_dae_def def = sl_dae_default();
    def.rtol = 1e-11;
    def.atol = 1e-13;
    def.directions = directions;
    setting s;
    begin(&s, &p, &def);
    double x[2] = {0.0, 1.0}, dx[2] = {0};
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags));
    sl_assert_ok(sl_dae_start(s.d, 0.0, x, dx, (double)INFINITY, NULL, s.diags)); /* at zero: does not fire */
    for (size_t k = 0; k < sizeof expected / sizeof *expected;) {
        sl_dae_step_info info;
        sl_assert_ok(sl_dae_step(s.d, s.diags, &info));
        if (info.n_fired) {
            sl_assert_rel(info.end, expected[k], 1e-9);
            bool by_time = k == 1, half = k == 0 || k == 4;
            assert_int_equal(info.n_fired, 1);
            assert_int_equal(sl_dae_fired(s.d)[by_time ? 1 : half ? 3 : 0], by_time || half || k == 3 ? 1 : -1);
            k++;
        }
    }
    end(&s);
}

/* Sits on zero from the start, and after it was reached. */
static int plateau(double t, const double *x, const double *dx, double *g) {
    (void)x, (void)dx;
    g[0] = t < 1.0 ? 1.0 - t : 0.0;
    g[1] = 0.0;
    g[2] = t < 2.0 ? 0.0 : t - 2.0;
    return 0;
}

static void test_roots_that_stay_at_zero(void **state) {
    (void)state;
    problem p = {.residual = clock, .roots = plateau};
    problem_init(&p, 2, 2, (const char *const[]){"dx", "xd"});
    p.system.n_root = 3;
    sl_dae_def def = sl_dae_default();
    setting s;
    begin(&s, &p, &def);
    double x[2] = {0.0, 1.0}, dx[2] = {0};
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags));
    sl_assert_ok(sl_dae_start(s.d, 0.0, x, dx, (double)INFINITY, NULL, s.diags));
    int32_t n_fired = 0;
    while (sl_dae_time(s.d) < 5.0) {
        sl_dae_step_info info;
        sl_assert_ok(sl_dae_step(s.d, s.diags, &info));
        n_fired += info.n_fired;
    }
    assert_int_equal(n_fired, 1);
    end(&s);
}

static void test_inactive_roots(void **state) {
    (void)state;
    problem p = {.residual = clock, .roots = crossings};
    problem_init(&p, 2, 2, (const char *const[]){"dx", "xd"});
    p.system.n_root = 4;
    sl_dae_def def = sl_dae_default();
    setting s;
    begin(&s, &p, &def);
    double x[2] = {0.0, 1.0}, dx[2] = {0};
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, NULL, s.diags));
    sl_assert_ok(sl_dae_start(s.d, 0.0, x, dx, (double)INFINITY, NULL, s.diags));
    const uint8_t active[4] = {1, 0, 0, 0};
    sl_assert_ok(sl_dae_set_active(s.d, active, s.diags));
    int32_t n_fired = 0;
    while (sl_dae_time(s.d) < 6.0) {
        sl_dae_step_info info;
        sl_assert_ok(sl_dae_step(s.d, s.diags, &info));
        n_fired += info.n_fired;
    }
    assert_int_equal(n_fired, 1);
    end(&s);
}

/* ---- Saved states ---- */

static void assert_same_future(sl_dae *a, sl_dae *b, size_t n, int count) {
    for (int k = 0; k < count; k++) {
        sl_dae_step_info i, j;
        sl_assert_ok(sl_dae_step(a, NULL, &i));
        sl_assert_ok(sl_dae_step(b, NULL, &j));
        sl_assert_bits(i.end, j.end);
        assert_int_equal(i.n_fired, j.n_fired);
        assert_memory_equal(sl_dae_x(a), sl_dae_x(b), n * sizeof(double));
        assert_memory_equal(sl_dae_dx(a), sl_dae_dx(b), n * sizeof(double));
    }
}

/* Saved anywhere, also at a root and after restarts, restored into an integrator with a past of its own. */
static void test_restored_equals_uninterrupted(void **state) {
    (void)state;
    problem p = {.residual = clock, .roots = crossings};
    problem_init(&p, 2, 2, (const char *const[]){"dx", "xd"});
    p.system.n_root = 4;
    sl_dae_def def = sl_dae_default();
    def.n_restart = 50;
    setting a, b;
    begin(&a, &p, &def);
    begin(&b, &p, &def);
    double x[2] = {0.0, 1.0}, dx[2] = {0};
    sl_assert_ok(sl_dae_init(a.d, 0.0, x, dx, NULL, NULL));
    sl_assert_ok(sl_dae_start(a.d, 0.0, x, dx, (double)INFINITY, NULL, NULL));
    size_t n = sl_dae_save_size(a.d);
    char *bytes = malloc(n), *again = malloc(n);
    for (int round = 0; round < 40; round++) {
        sl_dae_save(a.d, bytes);
        sl_assert_ok(sl_dae_restore(b.d, bytes, n, NULL));
        sl_assert_bits(sl_dae_time(b.d), sl_dae_time(a.d));
        sl_dae_save(b.d, again);
        assert_memory_equal(bytes, again, n);
        assert_same_future(a.d, b.d, 2, 7);
        sl_dae_step_info info;
        sl_assert_ok(sl_dae_step(b.d, NULL, &info)); /* its own way */
    }
    sl_assert_status(sl_dae_restore(b.d, bytes, n - 1, NULL), SL_ERR_INPUT);
    free(bytes);
    free(again);
    end(&a);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algebraic_values_are_found),    cmocka_unit_test(test_impossible_is_explained),
        cmocka_unit_test(test_high_index_is_explained),       cmocka_unit_test(test_roots_are_located),
        cmocka_unit_test(test_roots_that_stay_at_zero),       cmocka_unit_test(test_inactive_roots),
        cmocka_unit_test(test_restored_equals_uninterrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
