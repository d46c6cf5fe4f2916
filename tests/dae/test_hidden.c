/* SPDX-License-Identifier: MIT */
/* Roots that go through zero and back within one step of the integrator. The motion is straight, so steps grow without end. */
#include "dae_test.h"

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_dae *d;
} setting;

static int straight(double t, const double *x, const double *dx, double *r) {
    (void)t, (void)x;
    r[0] = dx[0] - 1.0;
    return 0;
}

static void begin(setting *s, problem *p, int32_t n_root, const int8_t *directions) {
    problem_init(p, 1, 1, (const char *const[]){"d"});
    p->system.n_root = n_root;
    sl_dae_def def = sl_dae_default();
    def.directions = directions;
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_dae_create(s->ctx, &p->system, &def, NULL, &s->d));
    double x[1] = {0.0}, dx[1] = {1.0};
    sl_assert_ok(sl_dae_start(s->d, 0.0, x, dx, 1000.0, NULL, NULL));
}

static void end(setting *s) {
    sl_dae_destroy(s->d);
    sl_test_context_end(s->ctx, &s->memory);
}

typedef struct event {
    double t;
    int32_t root;
    int8_t way;
} event;

/* Steps until the limit; up to n events. */
static int32_t all_events(sl_dae *d, event *events, int32_t n, int32_t n_root) {
    int32_t count = 0;
    for (sl_dae_step_info info = {0}; !info.at_limit;) {
        double from = sl_dae_time(d);
        sl_assert_ok(sl_dae_step(d, NULL, &info));
        assert_true(info.end >= from);
        double x[1], dx[1]; /* what is shown and where the run is agree, also where a step was cut */
        sl_assert_ok(sl_dae_interpolate(d, 0.5 * (info.begin + info.end), x, dx));
        sl_assert_abs(x[0], 0.5 * (info.begin + info.end), 1e-6 * (1.0 + info.end));
        sl_assert_abs(sl_dae_x(d)[0], info.end, 1e-6 * (1.0 + info.end));
        for (int32_t i = 0; i < n_root; i++) {
            if (sl_dae_fired(d)[i]) {
                assert_true(count < n);
                events[count++] = (event){info.end, i, sl_dae_fired(d)[i]};
            }
        }
    }
    return count;
}

static double middle = 500.0, half_width = 0.1;

/* Dips around the middle: a parabola, a narrower one from below, and one that only comes near. */
static int dips(double t, const double *x, const double *dx, double *g) {
    (void)t, (void)dx;
    double s = (x[0] - middle) * (x[0] - middle), w = half_width * half_width;
    g[0] = s - w;
    g[1] = w / 4.0 - s;
    g[2] = s + w;
    return 0;
}

static void test_both_zeros_are_found(void **state) {
    (void)state;
    static const double widths[] = {200.0, 10.0, 0.1, 1e-3}, middles[] = {500.0, 437.1, 777.77};
    for (int k = 0; k < 12; k++) {
        half_width = widths[k % 4];
        middle = middles[k / 4];
        problem p = {.residual = straight, .roots = dips};
        setting s;
        begin(&s, &p, 3, NULL);
        event e[8];
        assert_int_equal(all_events(s.d, e, 8, 3), 4);
        const double expected[] = {-1.0, -0.5, 0.5, 1.0};
        const int8_t way[] = {-1, 1, -1, 1};
        for (int i = 0; i < 4; i++) { /* x follows t to 1e-6; the first and last are of the wider dip */
            sl_assert_abs(e[i].t, middle + expected[i] * half_width, 1e-8 * middle);
            assert_int_equal(e[i].root, i == 1 || i == 2);
            assert_int_equal(e[i].way, way[i]);
        }
        end(&s);
    }
    half_width = 0.1;
    middle = 500.0;
}

static void test_directions(void **state) {
    (void)state;
    for (int8_t way = -1; way <= 1; way += 2) {
        const int8_t directions[3] = {way, way, way};
        problem p = {.residual = straight, .roots = dips};
        setting s;
        begin(&s, &p, 3, directions);
        event e[8];
        assert_int_equal(all_events(s.d, e, 8, 3), 2);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(e[i].way, way);
        }
        sl_assert_abs(e[0].t, way < 0 ? 499.9 : 499.95, 1e-6);
        sl_assert_abs(e[1].t, way < 0 ? 500.05 : 500.1, 1e-6);
        end(&s);
    }
}

/* Of two dips within one step the first comes first; the other one is met on the way on. */
static int two_dips(double t, const double *x, const double *dx, double *g) {
    (void)t, (void)dx;
    g[0] = (x[0] - 600.0) * (x[0] - 600.0) - 1.0;
    g[1] = (x[0] - 400.0) * (x[0] - 400.0) - 1.0;
    return 0;
}

static void test_the_first_comes_first(void **state) {
    (void)state;
    problem p = {.residual = straight, .roots = two_dips};
    setting s;
    begin(&s, &p, 2, NULL);
    event e[8];
    assert_int_equal(all_events(s.d, e, 8, 2), 4);
    const double expected[] = {399.0, 401.0, 599.0, 601.0};
    for (int i = 0; i < 4; i++) {
        sl_assert_abs(e[i].t, expected[i], 1e-6);
        assert_int_equal(e[i].root, i < 2);
    }
    end(&s);
}

/* Touching zero is not going through it; an inactive root is not looked at. */
static int touches(double t, const double *x, const double *dx, double *g) {
    (void)t, (void)dx;
    g[0] = (x[0] - 500.0) * (x[0] - 500.0);
    g[1] = g[0] - 1.0;
    return 0;
}

static void test_touching_and_inactive(void **state) {
    (void)state;
    problem p = {.residual = straight, .roots = touches};
    setting s;
    begin(&s, &p, 2, NULL);
    sl_assert_ok(sl_dae_set_active(s.d, (const uint8_t[]){1, 0}, NULL));
    event e[4];
    int32_t n = all_events(s.d, e, 4, 2);
    for (int32_t i = 0; i < n; i++) { /* a step may end right where it touches; that is one event at most */
        assert_int_equal(e[i].root, 0);
    }
    assert_true(n <= 1);
    end(&s);
}

/* Saved at and around a step that was cut. */
static void test_restored_equals_uninterrupted(void **state) {
    (void)state;
    problem p = {.residual = straight, .roots = two_dips};
    setting a, b;
    begin(&a, &p, 2, NULL);
    begin(&b, &p, 2, NULL);
    size_t n = sl_dae_save_size(a.d);
    char *bytes = malloc(n);
    int32_t n_fired = 0;
    for (sl_dae_step_info i = {0}, j; !i.at_limit;) {
        sl_dae_save(a.d, bytes);
        sl_assert_ok(sl_dae_restore(b.d, bytes, n, NULL));
        sl_assert_bits(sl_dae_time(a.d), sl_dae_time(b.d));
        assert_memory_equal(sl_dae_x(a.d), sl_dae_x(b.d), sizeof(double));
        sl_assert_ok(sl_dae_step(a.d, NULL, &i));
        sl_assert_ok(sl_dae_step(b.d, NULL, &j));
        sl_assert_bits(i.end, j.end);
        assert_int_equal(i.n_fired, j.n_fired);
        n_fired += i.n_fired;
    }
    assert_int_equal(n_fired, 4);
    free(bytes);
    end(&a);
    end(&b);
}

/* The top of an oscillation: above its line for a hundredth of a second only, in steps of a tenth. */
static int clock(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - x[1];
    r[1] = dx[1] + x[0];
    return 0;
}

static double line;

static int above_line(double t, const double *x, const double *dx, double *g) {
    (void)t, (void)dx;
    g[0] = x[0] - line;
    return 0;
}

static void test_tops_of_an_oscillation(void **state) {
    (void)state;
    static const double depths[] = {1e-2, 1e-4, 1e-5};
    enum { PERIODS = 20 };
    double pi = acos(-1.0);
    for (int k = 0; k < 3; k++) {
        line = 1.0 - depths[k];
        problem p = {.residual = clock, .roots = above_line};
        problem_init(&p, 2, 2, (const char *const[]){"dx", "xd"});
        p.system.n_root = 1;
        sl_dae_def def = sl_dae_default();
        def.rtol = 1e-9;
        def.atol = 1e-11;
        setting s = {0};
        s.ctx = sl_test_context(&s.memory);
        sl_assert_ok(sl_dae_create(s.ctx, &p.system, &def, NULL, &s.d));
        double x[2] = {0.0, 1.0}, dx[2] = {1.0, 0.0};
        sl_assert_ok(sl_dae_start(s.d, 0.0, x, dx, 2.0 * pi * PERIODS, NULL, NULL));
        int32_t n = 0;
        for (sl_dae_step_info info = {0}; !info.at_limit;) {
            sl_assert_ok(sl_dae_step(s.d, NULL, &info));
            if (info.n_fired) { /* rises, falls; a time is as true as the height is, over the slope there */
                double wide = acos(line), top = (0.5 + 2.0 * (n / 2)) * pi;
                sl_assert_abs(info.end, n % 2 ? top + wide : top - wide, 2e-6 / wide);
                assert_int_equal(sl_dae_fired(s.d)[0], n % 2 ? -1 : 1);
                n++;
            }
        }
        assert_int_equal(n, 2 * PERIODS);
        end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_zeros_are_found),          cmocka_unit_test(test_directions),
        cmocka_unit_test(test_the_first_comes_first),         cmocka_unit_test(test_touching_and_inactive),
        cmocka_unit_test(test_restored_equals_uninterrupted), cmocka_unit_test(test_tops_of_an_oscillation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
