/* SPDX-License-Identifier: MIT */
/* Predictions before actions and roots, and roots that do not say on which side they are, against closed forms. */
#include "predicted.h"

#include <sluice/diag.h>

/* ---- Two bodies of water join ------------------------------------------------------------------- */

/* Runs to the end; x and q there. */
static sl_hybrid_stats run_join(const toy *m, double *x, int32_t *q) {
    sl_hybrid_def def = toy_def();
    def.end = 3.0;
    def.max_round = 2; /* they have met, and have met no more: what is only looked at does not count */
    execution e;
    sl_hybrid_info info;
    execution_begin(&e, m, &def);
    sl_assert_rel(next_crossing(&e), (sqrt(22.25) - 1.5) / 2.0, 1e-9); /* 1.5 t + t^2 = 5 */
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info));
    memcpy(x, sl_hybrid_x(e.h), 4 * sizeof *x);
    memcpy(q, sl_hybrid_q(e.h), 5 * sizeof *q);
    sl_hybrid_stats s = sl_hybrid_statistics(e.h);
    execution_end(&e);
    return s;
}

static void test_bodies_join(void **state) {
    (void)state;
    double t = (sqrt(22.25) - 1.5) / 2.0, x[4], left = 2.0 + t + t * t / 2.0, right = 3.0 + 0.5 * t + t * t / 2.0;
    int32_t q[5];
    sl_hybrid_stats s = run_join(&join_toy, x, q);
    double flow = (left * (1.0 + t) - right * (0.5 + t)) / LENGTH;
    sl_assert_abs(x[V_LEFT], left, 1e-8);
    sl_assert_abs(x[V_RIGHT], right, 1e-8);
    sl_assert_abs(x[Q_LEFT], flow, 1e-8);
    sl_assert_bits(x[Q_RIGHT], x[Q_LEFT]);
    assert_true(q[JOINED] && !q[MET] && !q[AIR] && q[OPEN]);
    assert_int_equal(s.n_prediction, 1);
    assert_int_equal(s.n_discrete, 2);
    assert_int_equal(s.n_action, 1);

    toy flap = join_toy; /* what shuts with the joining is known before it does */
    flap.q[FLAP] = 1;
    (void)run_join(&flap, x, q);
    sl_assert_double(x[Q_LEFT], 0.0);
    sl_assert_double(x[Q_RIGHT], 0.0);
    assert_true(!q[OPEN]);

    toy blind = join_toy; /* the same without: one body in which two flows are left */
    blind.wants_prediction = NULL;
    s = run_join(&blind, x, q);
    sl_assert_abs(x[Q_LEFT] - x[Q_RIGHT], 1.5 + 2.0 * t, 1e-8);
    assert_int_equal(s.n_prediction, 0);
}

/* A start with an event pending: values and roots are those of the state predicted from the first. */
static void test_start_wants_prediction(void **state) {
    (void)state;
    toy m = join_toy;
    const int32_t q[] = {0, 1, 0, 1, 0};
    memcpy(m.q, q, sizeof q);
    sl_hybrid_def def = toy_def();
    execution e;
    sl_hybrid_info info;
    execution_begin(&e, &m, &def);
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_INIT, e.diags, &info));
    assert_int_equal(info.mode, 1);
    assert_int_equal(sl_hybrid_q(e.h)[JOINED], 0);
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info));
    assert_int_equal(sl_hybrid_q(e.h)[AIR], 0); /* 5 of it: its root is not asked */
    assert_int_equal(sl_hybrid_statistics(e.h).n_compiled, 1);
    execution_end(&e);
}

/* ---- A floor that answers by turns -------------------------------------------------------------- */

/* It hits at t0, then t0 and 2 t0 later by turns, for ever; no memory is asked for once it has begun. */
static void test_wants_prediction_again_and_again(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    double t0 = sqrt(2.0 / 9.81), t = t0;
    int64_t before = 0;
    execution e;
    execution_begin(&e, &floor_toy, &def);
    for (int k = 0; k < 40; k++) {
        before = k == 10 ? e.memory.n_request : before;
        sl_assert_rel(next_crossing(&e), t, 1e-8);
        t += k % 2 == 0 ? t0 : 2.0 * t0;
    }
    assert_int_equal(e.memory.n_request, before);
    assert_int_equal(sl_hybrid_statistics(e.h).n_prediction, 39);
    execution_end(&e);
}

/* What was predicted need not come: below the floor q2 becomes 1, but the action has lifted the ball when it is time. q3: what
 * q2 was. */
static bool lifted_discrete(double t, int32_t i, int32_t *q) {
    bool acts = i == 0 && q[1];
    if (acts && !q[0]) {
        q[3] = q[2];
        q[2] = 1;
    }
    int32_t before = q[2];
    bool changes = ball_discrete(t, i, q);
    q[2] = before;
    return changes;
}

static bool lifted_act(const int32_t *q, const int32_t *q_predicted, double *x) {
    if (q[1]) {
        assert_true(q_predicted[2] && !q[2]);
        x[0] = 0.0;
        x[1] *= q_predicted[3] ? -0.5 : -1.0;
    }
    return q[1];
}

/* Each prediction begins at q, not where the last one ended. */
static void test_prediction_that_does_not_come(void **state) {
    (void)state;
    toy m = floor_toy;
    m.n_q = 4;
    m.discrete = lifted_discrete;
    m.act_predicted = lifted_act;
    sl_hybrid_def def = toy_def();
    execution e;
    execution_begin(&e, &m, &def);
    for (int k = 0; k < 5; k++) {
        sl_assert_rel(next_crossing(&e), (2 * k + 1) * sqrt(2.0 / 9.81), 1e-8);
        assert_true(!sl_hybrid_q(e.h)[2] && !sl_hybrid_q(e.h)[3]);
    }
    execution_end(&e);
    check_restore(&m, &def, 100, 7);
}

/* ---- What can go wrong -------------------------------------------------------------------------- */

static void still(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)t, (void)x;
    f[0] = 0.0;
}

/* One step, after which the next execution would never rest. */
static bool restless(double t, int32_t i, int32_t *q) {
    (void)t;
    if (!q[0]) {
        q[0] = 1;
        return true;
    }
    q[1] = q[1] || i == 0;
    q[2] = q[1] ? !q[2] : q[2];
    return q[1];
}

static bool always(const int32_t *q) {
    return q[0];
}

static void test_prediction_that_does_not_rest(void **state) {
    (void)state;
    const toy m = {.n_x = 1, .n_q = 3, .f = still, .discrete = restless, .wants_prediction = always};
    sl_hybrid_def def = toy_def();
    execution e;
    sl_hybrid_info info;
    execution_begin(&e, &m, &def);
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_ZENO);
    assert_int_equal(sl_hybrid_statistics(e.h).n_discrete, 1);
    assert_int_equal(sl_hybrid_q(e.h)[1], 0);
    execution_end(&e);
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_hybrid_def def = toy_def();
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, &toy_ops, user, &def, NULL, &h);
    for (int k = 0; k < 300 && status == SL_OK; k++) {
        status = sl_hybrid_next(h, SL_HYBRID_ANY, NULL, &info);
    }
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(h);
}

static void test_memory_short(void **state) {
    (void)state;
    toy m = floor_toy;
    assert_true(sl_test_sweep(run_once, &m) > 10);
}

/* ---- Undecided roots ---------------------------------------------------------------------------- */

/* The side that a policy takes, where the variable is q; and then the integrator waits on that side, over restarts too. */
static void check_side(sl_hybrid_undecided policy, int32_t q, bool rises, int32_t expected) {
    toy m = rest_toy;
    m.q[0] = q;
    m.f = rises ? rest_then_rise : rest_then_fall;
    m.decide = q ? is_zero : is_one;
    sl_hybrid_def def = toy_def();
    def.end = 2.0;
    def.undecided = policy;
    def.dae.rtol = 1e-8;
    def.dae.max_step = 0.02;
    def.dae.n_restart = 20; /* twice while it rests */
    execution e;
    sl_hybrid_info info;
    execution_begin(&e, &m, &def);
    sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_ROOT, e.diags, &info));
    assert_int_equal(sl_hybrid_q(e.h)[0], expected);
    assert_int_equal(sl_hybrid_statistics(e.h).n_undecided, policy != SL_HYBRID_UNDECIDED_ONE);
    double t = next_crossing(&e);
    if (expected == rises) {
        sl_assert_double(t, (double)INFINITY);
    } else {
        sl_assert_abs(t, 1.0, 1e-4); /* sqrt(2 * 2 root_tol) later */
        assert_true(t > 1.0);
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info));
    }
    assert_int_equal(sl_hybrid_q(e.h)[0], rises);
    execution_end(&e);
    check_restore(&m, &def, 60, 7);
}

static void test_policies(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        int32_t q = k & 1;
        bool rises = (k & 2) != 0;
        check_side(SL_HYBRID_UNDECIDED_ONE, q, rises, 1);
        check_side(SL_HYBRID_UNDECIDED_ZERO, q, rises, 0);
        check_side(SL_HYBRID_UNDECIDED_KEEP, q, rises, q);
        check_side(SL_HYBRID_UNDECIDED_ASK, q, rises, !q);
    }
}

static void test_undecided_can_fail(void **state) {
    (void)state;
    toy m = rest_toy;
    m.f = rest_then_rise;
    sl_hybrid_def def = toy_def();
    execution e;
    sl_hybrid_info info;
    sl_hybrid *h = NULL;
    def.undecided = SL_HYBRID_UNDECIDED_ERROR;
    execution_begin(&e, &m, &def);
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    assert_int_equal(sl_diags_at(e.diags, 0)->code, SL_CODE_NONDETERMINISTIC);
    assert_non_null(strstr(sl_diags_at(e.diags, 0)->text, "'q0'"));
    execution_end(&e);

    def.undecided = SL_HYBRID_UNDECIDED_ASK;
    execution_begin(&e, &m, &def); /* a model that has no answer */
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info), SL_ERR_SOLVE);
    sl_hybrid_ops ops = toy_ops;
    ops.decide = NULL;
    sl_assert_status(sl_hybrid_create(e.ctx, &ops, &m, &def, e.diags, &h), SL_ERR_USE);
    def.undecided = SL_HYBRID_UNDECIDED_COUNT;
    sl_assert_status(sl_hybrid_create(e.ctx, &toy_ops, &m, &def, e.diags, &h), SL_ERR_USE);
    def.undecided = SL_HYBRID_UNDECIDED_ONE;
    def.dae.root_rate = -1.0;
    sl_assert_status(sl_hybrid_create(e.ctx, &toy_ops, &m, &def, e.diags, &h), SL_ERR_USE);
    execution_end(&e);
}

/* What creeps through zero is decided by its derivative, until that counts as none. */
static void creep(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)t, (void)x;
    f[0] = -1e-9;
    f[1] = 0.0;
}

static void test_rate(void **state) {
    (void)state;
    toy m = rest_toy;
    m.f = creep;
    m.x[0] = 1e-12; /* within root_tol */
    m.q[0] = 1;
    sl_hybrid_def def = toy_def();
    def.undecided = SL_HYBRID_UNDECIDED_KEEP;
    for (int k = 0; k < 2; k++) {
        execution e;
        sl_hybrid_info info;
        def.dae.root_rate = k ? 1e-8 : 1e-10;
        execution_begin(&e, &m, &def);
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_ROOT, e.diags, &info));
        assert_int_equal(sl_hybrid_q(e.h)[0], k);
        execution_end(&e);
    }
}

static void test_root_comes_into_force(void **state) {
    (void)state;
    static const struct {
        sl_hybrid_undecided policy;
        int32_t before, after;
    } cases[] = {{SL_HYBRID_UNDECIDED_ONE, 0, 1},  {SL_HYBRID_UNDECIDED_ONE, 1, 1},  {SL_HYBRID_UNDECIDED_ZERO, 0, 0},
                 {SL_HYBRID_UNDECIDED_ZERO, 1, 0}, {SL_HYBRID_UNDECIDED_KEEP, 0, 0}, {SL_HYBRID_UNDECIDED_KEEP, 1, 1},
                 {SL_HYBRID_UNDECIDED_ASK, 0, 1},  {SL_HYBRID_UNDECIDED_ASK, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        toy m = later_toy;
        m.q[0] = cases[k].before;
        m.decide = cases[k].before ? is_zero : is_one;
        sl_hybrid_def def = toy_def();
        def.end = 2.0;
        def.dae.max_step = 0.02;
        def.undecided = cases[k].policy;
        execution e;
        sl_hybrid_info info;
        execution_begin(&e, &m, &def);
        sl_assert_abs(next_crossing(&e), 0.5, 1e-9);
        sl_assert_ok(sl_hybrid_next(e.h, SL_HYBRID_STEP, e.diags, &info));
        assert_false(info.restarted);
        assert_int_equal(sl_hybrid_q(e.h)[0], cases[k].after);
        double t = next_crossing(&e);
        assert_true(cases[k].after ? t == (double)INFINITY : t > 1.0 && t < 1.0001);
        assert_int_equal(sl_hybrid_q(e.h)[0] == 1, cases[k].after);
        execution_end(&e);
        check_restore(&m, &def, 60, 7);
    }
    toy m = later_toy;
    sl_hybrid_def def = toy_def();
    execution e;
    sl_hybrid_info info;
    def.undecided = SL_HYBRID_UNDECIDED_ERROR;
    execution_begin(&e, &m, &def);
    sl_assert_status(sl_hybrid_next(e.h, SL_HYBRID_STOP, e.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(e.h), 0.5, 1e-9);
    execution_end(&e);
}

static void test_restored_equals_uninterrupted(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    def.dae.n_restart = 40;
    check_restore(&join_toy, &def, 60, 1);
    check_restore(&floor_toy, &def, 400, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_join),
        cmocka_unit_test(test_start_wants_prediction),
        cmocka_unit_test(test_wants_prediction_again_and_again),
        cmocka_unit_test(test_prediction_that_does_not_come),
        cmocka_unit_test(test_prediction_that_does_not_rest),
        cmocka_unit_test(test_memory_short),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_undecided_can_fail),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_root_comes_into_force),
        cmocka_unit_test(test_restored_equals_uninterrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
