/* SPDX-License-Identifier: MIT */
/* Integration against published reference values and closed forms. */
#include "dae_test.h"

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_dae *d;
} setting;

static void begin_with(setting *s, problem *p, const sl_dae_def *def) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_dae_create(s->ctx, &p->system, def, NULL, &s->d));
}

static void begin(setting *s, problem *p, double rtol, double atol) {
    sl_dae_def def = sl_dae_default();
    def.rtol = rtol;
    def.atol = atol;
    begin_with(s, p, &def);
}

static void begin_each(setting *s, problem *p, double rtol, const double *atols) {
    sl_dae_def def = sl_dae_default();
    def.rtol = rtol;
    def.atols = atols;
    begin_with(s, p, &def);
}

static void end(setting *s) {
    sl_dae_destroy(s->d);
    sl_test_context_end(s->ctx, &s->memory);
}

static void start(setting *s, double *x, double *dx) {
    sl_assert_ok(sl_dae_init(s->d, 0.0, x, dx, NULL, NULL));
    sl_assert_ok(sl_dae_start(s->d, 0.0, x, dx, (double)INFINITY, NULL, NULL));
}

/* ---- Robertson (1966): reference of the Test Set for IVP Solvers (Mazzia, Magherini 2008), t = 1e11 ---- */

static int robertson(double t, const double *x, const double *dx, double *r) {
    (void)t;
    double a = 0.04 * x[0], b = 1e4 * x[1] * x[2], c = 3e7 * x[1] * x[1];
    r[0] = dx[0] + a - b;
    r[1] = dx[1] - a + b + c;
    r[2] = x[0] + x[1] + x[2] - 1.0;
    return 0;
}

static void test_robertson(void **state) {
    (void)state;
    problem p = {.residual = robertson};
    problem_init(&p, 3, 3, (const char *const[]){"bXX", "xBX", "xxx"});
    p.kind[p.start[1] + 1] = SL_DAE_X | SL_DAE_DX | SL_DAE_NONLINEAR;
    static const double atols[3] = {1e-18, 1e-22, 1e-14}; /* the third is a difference of numbers near 1 */
    setting s;
    begin_each(&s, &p, 1e-10, atols);
    double x[3] = {1.0, 0.0, 0.5}, dx[3] = {0};
    start(&s, x, dx);
    sl_assert_abs(x[2], 0.0, 1e-15);
    sl_assert_rel(dx[0], -0.04, 1e-12);
    run_to(s.d, 1e11, x, dx);
    sl_assert_rel(x[0], 0.2083340149701255e-07, 1e-7);
    sl_assert_rel(x[1], 0.8333360770334713e-13, 1e-7);
    sl_assert_rel(x[2], 0.9999999791665050, 1e-9);
    end(&s);
}

/* ---- Chemical Akzo Nobel: the same test set, t = 180 ---- */

static int akzo_nobel(double t, const double *y, const double *dy, double *r) {
    (void)t;
    if (y[1] < 0.0) {
        return 1; /* its root is needed */
    }
    double r1 = 18.7 * pow(y[0], 4.0) * sqrt(y[1]), r2 = 0.58 * y[2] * y[3], r3 = 0.58 / 34.4 * y[0] * y[4],
           r4 = 0.09 * y[0] * y[3] * y[3], r5 = 0.42 * y[5] * y[5] * sqrt(y[1]), fin = 3.3 * (0.9 / 737.0 - y[1]);
    r[0] = dy[0] + 2.0 * r1 - r2 + r3 + r4;
    r[1] = dy[1] + 0.5 * r1 + r4 + 0.5 * r5 - fin;
    r[2] = dy[2] - r1 + r2 - r3;
    r[3] = dy[3] + r2 - r3 + 2.0 * r4;
    r[4] = dy[4] - r2 + r3 - r5;
    r[5] = 115.83 * y[0] * y[3] - y[5];
    return 0;
}

static void test_akzo_nobel(void **state) {
    (void)state;
    static const double reference[6] = {0.1150794920661702,    0.1203831471567715e-2, 0.1611562887407974,
                                        0.3656156421249283e-3, 0.1708010885264404e-1, 0.4873531310307455e-2};
    problem p = {.residual = akzo_nobel};
    problem_init(&p, 6, 6, (const char *const[]){"bXXXX.", "XbXX.X", "XXbXX.", "X.XbX.", "XXXXbX", "X..X.x"});
    setting s;
    begin(&s, &p, 1e-11, 1e-13);
    double x[6] = {0.444, 0.00123, 0.0, 0.007, 0.0, 0.0}, dx[6] = {0};
    start(&s, x, dx);
    sl_assert_rel(x[5], 115.83 * 0.444 * 0.007, 1e-12);
    run_to(s.d, 180.0, x, dx);
    for (int j = 0; j < 6; j++) {
        sl_assert_rel(x[j], reference[j], 1e-8);
    }
    end(&s);
}

/* ---- Pendulum of length 1, released level, constraint differentiated twice. Its period is 4 K(1/sqrt 2) / sqrt g. ---- */

static double gravity;

static int pendulum(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - x[2];
    r[1] = dx[1] - x[3];
    r[2] = dx[2] + x[4] * x[0];
    r[3] = dx[3] + x[4] * x[1] + gravity;
    r[4] = x[2] * x[2] + x[3] * x[3] - x[4] * (x[0] * x[0] + x[1] * x[1]) - gravity * x[1];
    return 0;
}

static void test_pendulum(void **state) {
    (void)state;
    double a = 1.0, b = sqrt(0.5); /* K = pi / 2 agm(1, sqrt(1 - k2)) */
    for (int k = 0; k < 8; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double quarter = acos(-1.0) / (2.0 * a);
    gravity = 4.0 * quarter * quarter; /* the period is 2 s */
    sl_assert_rel(gravity, 13.75037163604, 1e-12);
    problem p = {.residual = pendulum};
    problem_init(&p, 5, 5, (const char *const[]){"d.x..", ".d.x.", "X.d.X", ".X.dX", "XXXXX"});
    setting s;
    begin(&s, &p, 1e-11, 1e-12);
    double x[5] = {1.0, 0.0, 0.0, 0.0, 0.0}, dx[5] = {0};
    start(&s, x, dx);
    run_to(s.d, 1.0, x, dx);
    sl_assert_abs(x[0], -1.0, 1e-7);
    sl_assert_abs(x[1], 0.0, 1e-7);
    run_to(s.d, 2.0, x, dx);
    sl_assert_abs(x[0], 1.0, 1e-7);
    sl_assert_abs(x[1], 0.0, 1e-7);
    end(&s);
}

/* ---- Closed forms ---- */

/* x'' = -x with an algebraic copy, through ten restarts of the run */
static int oscillator(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - x[1];
    r[1] = dx[1] + x[0];
    r[2] = x[2] - x[0] * x[1];
    return 0;
}

static void test_restarts_keep_the_solution(void **state) {
    (void)state;
    problem p = {.residual = oscillator};
    problem_init(&p, 3, 3, (const char *const[]){"dx.", "xd.", "XXx"});
    setting s;
    begin(&s, &p, 1e-10, 1e-12);
    double x[3] = {0.0, 1.0, 0.0}, dx[3] = {0};
    start(&s, x, dx);
    run_to(s.d, 200.0, x, dx);
    assert_true(sl_dae_statistics(s.d).n_restart > 3);
    sl_assert_abs(x[0], sin(200.0), 1e-6);
    sl_assert_abs(x[1], cos(200.0), 1e-6);
    sl_assert_abs(x[2], sin(200.0) * cos(200.0), 1e-6);
    sl_assert_abs(dx[0], cos(200.0), 1e-6);
    end(&s);
}

/* A rod: x_i' = n^2 (x_i-1 - 2 x_i + x_i+1); the first mode decays as exp(-lambda t) with a known lambda. */
typedef struct rod {
    int32_t n;
    int32_t *start, *row;
    uint8_t *kind;
} rod;

static double stiffness(const rod *m) {
    return (double)m->n * (double)m->n;
}

static int rod_residual(void *user, double t, const double *x, const double *dx, double *r) {
    const rod *m = user;
    double k = stiffness(m);
    (void)t;
    for (int32_t i = 0; i < m->n; i++) {
        double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < m->n ? x[i + 1] : 0.0;
        r[i] = dx[i] - k * (left - 2.0 * x[i] + right);
    }
    return 0;
}

static int rod_jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    const rod *m = user;
    (void)t, (void)x, (void)dx;
    for (int32_t j = 0; j < m->n; j++) {
        for (int32_t k = m->start[j]; k < m->start[j + 1]; k++) {
            values[k] = a * stiffness(m) * (m->row[k] == j ? 2.0 : -1.0) + (m->row[k] == j ? b : 0.0);
        }
    }
    return 0;
}

static void test_sparse(void **state) {
    (void)state;
    enum { N = 20000 };
    rod m = {N, malloc((N + 1) * sizeof(int32_t)), malloc(3 * N * sizeof(int32_t)), malloc(3 * N)};
    int32_t k = 0;
    for (int32_t j = 0; j < N; j++) {
        m.start[j] = k;
        for (int32_t i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < N) {
                m.row[k] = i;
                m.kind[k++] = (uint8_t)(SL_DAE_X | (i == j ? SL_DAE_DX : 0));
            }
        }
    }
    m.start[N] = k;
    problem p = {
        .system = {
            .pattern = {N, N, m.start, m.row, m.kind}, .user = &m, .residual = rod_residual, .jacobian = rod_jacobian}};
    setting s;
    begin(&s, &p, 1e-7, 1e-9);
    double *x = malloc(2 * N * sizeof *x), *dx = x + N, angle = acos(-1.0) / (N + 1);
    double lambda = stiffness(&m) * 4.0 * sin(0.5 * angle) * sin(0.5 * angle), t = 0.2;
    for (int32_t j = 0; j < N; j++) {
        x[j] = sin(angle * (j + 1));
        dx[j] = 0.0;
    }
    start(&s, x, dx);
    run_to(s.d, t, x, dx);
    for (int32_t j = 0; j < N; j += 997) {
        sl_assert_near(x[j], sin(angle * (j + 1)) * exp(-lambda * t), 1e-6, 1e-5);
    }
    assert_true(sl_dae_statistics(s.d).n_factor_entry < 4 * N);
    assert_true(sl_dae_statistics(s.d).n_refactor > 0);
    free(x);
    free(m.start);
    free(m.row);
    free(m.kind);
    end(&s);
}

/* ---- Promises ---- */

/* Looking does not change a bit; nor does what the integrator did before. */
static void test_looking_changes_nothing(void **state) {
    (void)state;
    problem p = {.residual = robertson};
    problem_init(&p, 3, 3, (const char *const[]){"bXX", "xBX", "xxx"});
    setting a, b;
    begin(&a, &p, 1e-6, 1e-12);
    begin(&b, &p, 1e-6, 1e-12);
    double x[3] = {1.0, 0.0, 0.0}, dx[3] = {0}, y[3], dy[3];
    start(&b, x, dx);
    run_to(b.d, 3.0, y, dy); /* a past */
    start(&a, x, dx);
    start(&b, x, dx);
    for (int k = 0; k < 150; k++) {
        sl_dae_step_info i, j;
        sl_assert_ok(sl_dae_step(a.d, NULL, &i));
        sl_assert_ok(sl_dae_step(b.d, NULL, &j));
        sl_assert_ok(sl_dae_interpolate(b.d, 0.5 * (j.begin + j.end), y, dy));
        sl_assert_ok(sl_dae_interpolate(b.d, j.begin, y, dy));
        sl_assert_status(sl_dae_interpolate(b.d, j.end + 1e-3, y, dy), SL_ERR_USE);
        sl_assert_bits(i.end, j.end);
        assert_memory_equal(sl_dae_x(a.d), sl_dae_x(b.d), sizeof x);
        assert_memory_equal(sl_dae_dx(a.d), sl_dae_dx(b.d), sizeof x);
    }
    end(&a);
    end(&b);
}

static void test_warm_steps_allocate_nothing(void **state) {
    (void)state;
    problem p = {.residual = oscillator};
    problem_init(&p, 3, 3, (const char *const[]){"dx.", "xd.", "XXx"});
    setting s;
    begin(&s, &p, 1e-6, 1e-9);
    double x[3] = {0.0, 1.0, 0.0}, dx[3] = {0};
    start(&s, x, dx);
    int64_t before = s.memory.n_request;
    run_to(s.d, 1000.0, x, dx);
    assert_true(sl_dae_statistics(s.d).n_restart > 2);
    assert_int_equal(s.memory.n_request, before);
    end(&s);
}

static void test_limit_is_met_exactly(void **state) {
    (void)state;
    problem p = {.residual = oscillator};
    problem_init(&p, 3, 3, (const char *const[]){"dx.", "xd.", "XXx"});
    setting s;
    begin(&s, &p, 1e-9, 1e-12);
    double x[3] = {0.0, 1.0, 0.0}, dx[3] = {0};
    sl_assert_ok(sl_dae_init(s.d, 0.0, x, dx, NULL, NULL));
    sl_assert_status(sl_dae_start(s.d, 0.0, x, dx, 0.0, NULL, NULL), SL_ERR_USE);
    sl_assert_ok(sl_dae_start(s.d, 0.0, x, dx, 0.7, NULL, NULL));
    sl_dae_step_info info;
    do {
        sl_assert_ok(sl_dae_step(s.d, NULL, &info));
    } while (!info.at_limit);
    sl_assert_double(info.end, 0.7);
    sl_assert_abs(sl_dae_x(s.d)[0], sin(0.7), 1e-7);
    sl_assert_status(sl_dae_step(s.d, NULL, &info), SL_ERR_USE);
    end(&s);
}

/* A tolerance that rounding cannot meet: the time does not move any more, and that is said. */
static void test_standing_still_is_found(void **state) {
    (void)state;
    problem p = {.residual = robertson};
    problem_init(&p, 3, 3, (const char *const[]){"bXX", "xBX", "xxx"});
    setting s;
    begin(&s, &p, 1e-10, 1e-20);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(s.ctx, &diags));
    double x[3] = {1.0, 0.0, 0.0}, dx[3] = {0};
    start(&s, x, dx);
    sl_dae_step_info info;
    sl_status status = SL_OK;
    for (int k = 0; k < 10000 && status == SL_OK; k++) {
        status = sl_dae_step(s.d, diags, &info);
    }
    sl_assert_status(status, SL_ERR_SOLVE);
    assert_non_null(strstr(sl_diags_at(diags, 0)->text, "'v2'"));
    sl_diags_destroy(diags);
    end(&s);
}

static int blow_up(double t, const double *x, const double *dx, double *r) {
    (void)t;
    r[0] = dx[0] - x[0] * x[0];
    return isfinite(x[0]) ? 0 : 1;
}

static void test_failure_is_explained(void **state) {
    (void)state;
    problem p = {.residual = blow_up, .variables = (const char *const[]){"pressure"}};
    problem_init(&p, 1, 1, (const char *const[]){"b"});
    setting s;
    begin(&s, &p, 1e-8, 1e-10);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(s.ctx, &diags));
    double x[1] = {1.0}, dx[1] = {0};
    start(&s, x, dx);
    sl_dae_step_info info;
    sl_status status = SL_OK;
    while (status == SL_OK && sl_dae_time(s.d) < 2.0) { /* 1 / (1 - t) */
        status = sl_dae_step(s.d, diags, &info);
    }
    sl_assert_status(status, SL_ERR_SOLVE);
    sl_assert_abs(sl_dae_time(s.d), 1.0, 1e-6);
    assert_int_equal(sl_diags_size(diags), 1);
    assert_int_equal(sl_diags_at(diags, 0)->code, SL_CODE_STEP_FAILED);
    assert_non_null(sl_diags_at(diags, 0)->hint);
    sl_diags_destroy(diags);
    end(&s);
}

static void create_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_dae_def def = sl_dae_default();
    sl_dae *d = NULL;
    sl_status status = sl_dae_create(ctx, &((problem *)user)->system, &def, NULL, &d);
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    assert_true((d != NULL) == (status == SL_OK));
    sl_dae_destroy(d);
}

static void test_memory_short(void **state) {
    (void)state;
    problem p = {.residual = robertson};
    problem_init(&p, 3, 3, (const char *const[]){"bXX", "xBX", "xxx"});
    assert_true(sl_test_sweep(create_once, &p) > 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robertson),
        cmocka_unit_test(test_akzo_nobel),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_restarts_keep_the_solution),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_warm_steps_allocate_nothing),
        cmocka_unit_test(test_limit_is_met_exactly),
        cmocka_unit_test(test_standing_still_is_found),
        cmocka_unit_test(test_failure_is_explained),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
