/* SPDX-License-Identifier: MIT */
/* Hybrid executions against closed forms: event times to 1e-9, states to 1e-8; the order of pieces; zeno executions. */
#include "toy.h"

#include <sluice/diag.h>

/* The flower system: events at (2k+1) atan(sqrt 5) / sqrt 5, |x0| = |x1| = exp(-t/10) / sqrt 6 there. */
static void test_flower(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    def.end = 25.0;
    execution e;
    execution_begin(&e, &toy_flower, &def);
    int n = 0;
    for (double t; (t = next_crossing(&e)) < 25.0; n++) {
        double expected = (2 * n + 1) * atan(sqrt(5.0)) / sqrt(5.0), size = exp(-0.1 * expected) / sqrt(6.0);
        static const double signs[4][2] = {{1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
        sl_assert_rel(t, expected, 1e-9);
        sl_assert_near(sl_hybrid_x(e.h)[0], signs[n % 4][0] * size, 0.0, 1e-8);
        sl_assert_near(sl_hybrid_x(e.h)[1], signs[n % 4][1] * size, 0.0, 1e-8);
    }
    assert_int_equal(n, 24);
    sl_hybrid_stats s = sl_hybrid_statistics(e.h);
    assert_int_equal(s.n_compiled, 2); /* every other mode was there already */
    execution_end(&e);
}

/* Snapshots of the spec, shown within steps. */
static void test_flower_snapshots(void **state) {
    (void)state;
    static const struct {
        double t, x0, x1;
        int32_t q;
    } snaps[] = {{2.43, -0.52778, 0.25943, 1}, {24.14, 0.03503, 0.04321, 0}};
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &toy_flower, &def);
    for (size_t k = 0; k < 2; k++) {
        sl_hybrid_info info;
        int32_t q = -1;
        do {
            q = sl_hybrid_q(e.h)[0];
            sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STEP | SL_HYBRID_CROSSING, e.diags, &info));
            q = info.event == SL_HYBRID_STEP ? sl_hybrid_q(e.h)[0] : q;
        } while (info.t < snaps[k].t);
        double x[2], dx[2];
        sl_assert_ok(sl_hybrid_interpolate(e.h, snaps[k].t, x, dx));
        sl_assert_abs(x[0], snaps[k].x0, 6e-6);
        sl_assert_abs(x[1], snaps[k].x1, 6e-6);
        assert_int_equal(sl_hybrid_q(e.h)[0], snaps[k].q);
    }
    execution_end(&e);
}

/* Bounces at t0 (1 + 2 (1/2 + 1/4 + ...)), t0 = sqrt(2 / g), up to 3 t0: zeno, and found to be. */
static void test_ball_is_zeno(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &toy_ball, &def);
    double t0 = sqrt(2.0 / 9.81), expected = t0, flight = t0;
    for (int k = 0; k < 12; k++, expected += flight) {
        sl_assert_rel(next_crossing(&e), expected, 1e-9);
        flight *= k == 0 ? 1.0 : 0.5;
        sl_hybrid_info info;
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_ACTION, e.diags, &info));
        sl_assert_near(sl_hybrid_x(e.h)[1], 9.81 * t0 * pow(0.5, k + 1), 1e-8, 1e-8);
    }
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(e.h), 3.0 * t0, 1e-3);
    assert_int_equal(sl_diags_size(e.diags), 1);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(e.diags, 0)->text, "q1"));
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_USE);
    execution_end(&e);
}

static void test_thermostat(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &toy_thermostat, &def);
    double up = 10.0 * log(22.0 / 18.0), down = 10.0 * log(12.0 / 8.0), t = 10.0 * log(20.0 / 18.0);
    double hot = t;
    for (int k = 0; k < 20; k++) { /* crossings that decide nothing (22 falling, 18 rising) happen within tolerance */
        double now;
        int32_t heating;
        sl_hybrid_info info;
        do {
            heating = sl_hybrid_q(e.h)[2];
            now = next_crossing(&e);
            do {
                sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_SETTLED, e.diags, &info));
            } while (!sl_hybrid_is_settled(e.h));
        } while (sl_hybrid_q(e.h)[2] == heating);
        sl_assert_rel(now, hot, 1e-9);
        hot += k % 2 == 0 ? down : up;
    }
    assert_int_equal(sl_hybrid_statistics(e.h).n_compiled, 2);
    execution_end(&e);
}

/* The inflow is less than both leaks: switches come ever faster, until both are at 1 after 20 s. */
static void test_two_tanks(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &toy_tanks, &def);
    double t = next_crossing(&e); /* tank 1 falls to 1: filled from then on */
    sl_assert_rel(t, 1.0 / 0.6, 1e-9);
    double x[2] = {2.0 + 0.5 * t, 1.0};
    t += (x[0] - 1.0) / 0.5; /* tank 0 falls to 1, tank 1 rises by 0.4 */
    double now;
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info));
    assert_int_equal(sl_hybrid_q(e.h)[2], 1);
    do {
        now = next_crossing(&e);
    } while (now < t - 1e-3);
    sl_assert_rel(now, t, 1e-9);
    sl_assert_abs(sl_hybrid_x(e.h)[1], 1.0 + 0.4 * (t - 1.0 / 0.6), 1e-8);
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    sl_assert_abs(sl_hybrid_time(e.h), 20.0, 1e-3); /* 2 excess / (leaks - inflow) */
    execution_end(&e);
}

static void test_chain(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    def.kept = 100000; /* less than they take: the oldest go */
    execution e;
    execution_begin(&e, &toy_chain, &def);
    for (int k = 0; k < CHAIN_LENGTH; k++) {
        sl_assert_rel(next_crossing(&e), lgamma(k + 3.0), 1e-9);
    }
    assert_int_equal(sl_hybrid_statistics(e.h).n_compiled, CHAIN_LENGTH);
    execution_end(&e);
}

/* Fig. 3.5 */
static void test_order_of_pieces(void **state) {
    (void)state;
    static const sl_hybrid_event expected[] = {
        SL_HYBRID_INIT,       SL_HYBRID_ROOT,    SL_HYBRID_SETTLED,  SL_HYBRID_CROSSING,   SL_HYBRID_ROOT,
        SL_HYBRID_TRANSITION, SL_HYBRID_SETTLED, SL_HYBRID_ACTION,   SL_HYBRID_TRANSITION, SL_HYBRID_SETTLED,
        SL_HYBRID_ACTION,     SL_HYBRID_SETTLED, SL_HYBRID_CROSSING,
    };
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &toy_ball, &def);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        sl_hybrid_info info;
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_ANY & ~(uint32_t)SL_HYBRID_STEP, e.diags, &info));
        assert_int_equal(info.event, expected[k]);
        assert_int_equal(info.n_changed, info.event == SL_HYBRID_TRANSITION ||
                                             (k > 3 && info.event == SL_HYBRID_ROOT) ||
                                             (k == 7 && info.event == SL_HYBRID_ACTION));
    }
    execution_end(&e);
}

static void ball_like_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0];
}

/* A root and an action that answer each other for ever at one instant. */
static bool seesaw_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    bool change = q[1] != q[0];
    q[1] = q[0];
    return change;
}

static bool seesaw_act(const int32_t *q, double *x) {
    x[0] = q[1] ? -1.0 : 1.0;
    return true;
}

static void still(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)t, (void)x;
    f[0] = 0.0;
}

static const toy seesaw = {.n_x = 1,
                           .n_q = 2,
                           .n_root = 1,
                           .x = {1.0},
                           .f = still,
                           .roots = ball_like_roots,
                           .discrete = seesaw_discrete,
                           .act = seesaw_act};

/* Discrete executions that came to rest before the watch ends the circle: as many as allowed, not one more. */
static int rounds_until_refused(const sl_hybrid_def *def) {
    execution e;
    sl_hybrid_info info;
    int n = 0;
    execution_begin(&e, &seesaw, def);
    while (sl_hybrid_next(e.h, SL_HYBRID_SETTLED, e.diags, &info) == SL_OK) {
        assert_int_equal(info.event, SL_HYBRID_SETTLED);
        n++;
        assert_true(n <= 100);
    }
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    sl_assert_double(sl_hybrid_time(e.h), 0.0);
    execution_end(&e);
    return n;
}

static void test_rounds_are_counted(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    assert_int_equal(rounds_until_refused(&def), 20); /* the default that hybrid.h states */
    for (int32_t most = 1; most <= 7; most += 3) {
        def.max_round = most;
        assert_int_equal(rounds_until_refused(&def), most);
    }
}

static void test_rounds_at_one_instant(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &seesaw, &def);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(e.diags, 0)->text, "one instant"));
    execution_end(&e);
}

/* A discrete execution that never rests. */
static bool ticker(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    q[0] = !q[0];
    return true;
}

static void test_discrete_zeno(void **state) {
    (void)state;
    const toy m = {.n_x = 1, .n_q = 1, .x = {1.0}, .f = still, .discrete = ticker};
    sl_hybrid_def def = toy_def();
    execution e;
    for (def.max_discrete = 1; def.max_discrete <= 9; def.max_discrete += 4) {
        sl_hybrid_info at = {0};
        int n = 0;
        execution_begin(&e, &m, &def);
        while (n <= 100 && sl_hybrid_next(e.h, SL_HYBRID_TRANSITION, e.diags, &at) == SL_OK) {
            n++;
        }
        assert_int_equal(n, def.max_discrete); /* as many as allowed, not one more */
        assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
        execution_end(&e);
    }
    def = toy_def();
    execution_begin(&e, &m, &def);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    execution_end(&e);
}

/* Two roots of one variable that contradict each other. */
static void contrary(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0];
    g[1] = -x[0];
}

static void test_conflict_of_roots(void **state) {
    (void)state;
    const toy m = {.n_x = 1, .n_q = 1, .n_root = 2, .x = {1.0}, .f = still, .roots = contrary};
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &m, &def);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_CONFLICT);
    execution_end(&e);
}

/* Sliding: x' = -1 above zero, +1 below: crossings without end at x = 0. */
static void slide(int32_t id, double t, const double *x, double *f) {
    (void)t, (void)x;
    f[0] = id ? -1.0 : 1.0;
}

static int32_t by_first(const int32_t *q) {
    return q[0];
}

static void test_chattering(void **state) {
    (void)state;
    const toy m = {.n_x = 1, .n_q = 1, .n_root = 1, .x = {1.0}, .f = slide, .roots = ball_like_roots, .mode = by_first};
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &m, &def);
    sl_hybrid_info info;
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(e.h), 1.0, 1e-5);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    assert_non_null(strstr(sl_diags_at(e.diags, 0)->text, "q0"));
    execution_end(&e);
}

/* A relay with a hysteresis that the model doubles each time it is asked. */
static double half_width;

static void widened(void *instance, sl_hybrid_policy policy, const double *n_times) {
    (void)instance;
    assert_int_equal(policy, SL_HYBRID_POLICY_WIDEN);
    half_width = 1e-9 * pow(2.0, n_times[0]);
}

static void relay_roots(int32_t mode, double t, const double *x, double *g) {
    (void)t;
    g[0] = x[0] + (mode ? half_width : -half_width);
}

static void test_widened_hysteresis(void **state) {
    (void)state;
    toy m = {.n_x = 1, .n_q = 1, .n_root = 1, .x = {-1.0}, .f = slide, .roots = relay_roots, .mode = by_first};
    sl_hybrid_ops ops = toy_ops;
    sl_hybrid_def def = toy_def();
    sl_hybrid_info info;
    execution e = {0};
    e.ctx = sl_test_context(&e.memory);
    sl_assert_ok(sl_diags_create(e.ctx, &e.diags));
    ops.set_relief = widened;
    def.end = 1.001;
    def.policy = SL_HYBRID_POLICY_WIDEN;
    sl_assert_ok(sl_hybrid_create(e.ctx, &ops, &m, &def, e.diags, &e.h));
    assert_true(half_width == 1e-9);
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info));
    assert_true(half_width > 3e-9 && half_width < 1e-6); /* 50 crossings take a millionth of the run then */
    assert_true(sl_diags_size(e.diags) > 0 && sl_diags_at(e.diags, 0)->severity == SL_WARNING);
    sl_hybrid_destroy(e.h);
    def.policy = SL_HYBRID_POLICY_ERROR;
    half_width = 1e-9;
    sl_assert_ok(sl_hybrid_create(e.ctx, &toy_ops, &m, &def, e.diags, &e.h));
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_SOLVE);
    execution_end(&e);
}

/* x' jumps at whole seconds: steps end there exactly. */
static void staircase(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)x;
    f[0] = floor(t) + 1.0;
}

static double whole_second(double t) {
    return floor(t) + 1.0;
}

static void test_jumps_in_time(void **state) {
    (void)state;
    const toy m = {.n_x = 1, .n_q = 0, .f = staircase, .limit = whole_second};
    sl_hybrid_def def = toy_def();
    def.end = 4.5;
    execution e;
    execution_begin(&e, &m, &def);
    sl_hybrid_info info;
    double x = 0.0;
    for (int k = 1; k <= 4; k++) {
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_JUMP, e.diags, &info));
        x += k;
        sl_assert_double(info.t, k);
    }
    (void)x;
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info));
    sl_assert_double(info.t, 4.5);
    execution_end(&e);
}

static void test_restored_equals_uninterrupted(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    def.dae.n_restart = 40;
    check_restore(&toy_ball, &def, 400, 7);
    check_restore(&toy_flower, &def, 400, 11);
    check_restore(&toy_thermostat, &def, 600, 13);
    check_restore(&toy_chain, &def, 600, 17);
}

/* One pattern for all modes: the same events and states, bit for bit, and nothing is compiled or analysed again. */
static void check_superset(const toy *m, double t_end, int n_mode) {
    sl_hybrid_def def = toy_def();
    def.end = t_end;
    toy all = *m;
    all.superset = true;
    execution a, b;
    execution_begin(&a, m, &def);
    execution_begin(&b, &all, &def);
    int n = 0;
    for (double t; (t = next_crossing(&a)) < t_end; n++) {
        sl_assert_bits(next_crossing(&b), t);
        assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), (size_t)m->n_x * sizeof(double));
    }
    assert_true(n > 3);
    assert_int_equal(sl_hybrid_statistics(a.h).n_compiled, n_mode);
    assert_int_equal(sl_hybrid_statistics(b.h).n_compiled, 1);
    execution_end(&a);
    execution_end(&b);
}

static void test_one_pattern_for_all_modes(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    def.dae.n_restart = 40;
    check_superset(&toy_flower, 12.0, 2);
    check_superset(&toy_thermostat, 60.0, 2);
    toy m = toy_chain;
    m.superset = true;
    check_restore(&m, &def, 600, 19);
    m = toy_flower;
    m.superset = true;
    check_restore(&m, &def, 400, 9);
}

static void create_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_hybrid_def def = toy_def();
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, &toy_ops, user, &def, NULL, &h);
    for (int k = 0; k < 200 && status == SL_OK; k++) {
        status = sl_hybrid_next(h, SL_HYBRID_ANY, NULL, &info);
    }
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(h);
}

static void test_memory_short(void **state) {
    (void)state;
    toy m = toy_flower;
    assert_true(sl_test_sweep(create_once, &m) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flower),
        cmocka_unit_test(test_flower_snapshots),
        cmocka_unit_test(test_ball_is_zeno),
        cmocka_unit_test(test_thermostat),
        cmocka_unit_test(test_two_tanks),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_order_of_pieces),
        cmocka_unit_test(test_rounds_are_counted),
        cmocka_unit_test(test_rounds_at_one_instant),
        cmocka_unit_test(test_discrete_zeno),
        cmocka_unit_test(test_conflict_of_roots),
        cmocka_unit_test(test_chattering),
        cmocka_unit_test(test_widened_hysteresis),
        cmocka_unit_test(test_jumps_in_time),
        cmocka_unit_test(test_restored_equals_uninterrupted),
        cmocka_unit_test(test_one_pattern_for_all_modes),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
