/* SPDX-License-Identifier: MIT */
/* Predictions before actions and roots, and roots that do not say on which side they are, against closed forms. */
#include "toy.h"

#include <sluice/diag.h>

/* ---- Two bodies of water join ------------------------------------------------------------------- */

/* In a tunnel of length and area LENGTH and 1 two columns run down towards each other; joined they lie level. x: their volumes,
 * and their flows to the right. */
enum { V_LEFT, V_RIGHT, Q_LEFT, Q_RIGHT };
/* Air between them (a root); they have met (pending: the next discrete execution acts on it); one body; the gate at its end
 * stands open; it is a flap, which shuts when they join. */
enum { AIR, MET, JOINED, OPEN, FLAP };
enum { LENGTH = 10 };

static int32_t join_mode(const int32_t *q) {
    return q[JOINED];
}

static void join_f(int32_t joined, double t, const double *x, double *f) {
    (void)t;
    f[V_LEFT] = joined ? 0.0 : x[Q_LEFT];
    f[V_RIGHT] = joined ? 0.0 : -x[Q_RIGHT];
    f[Q_LEFT] = joined ? 0.0 : 1.0;
    f[Q_RIGHT] = joined ? 0.0 : -1.0;
}

static void join_roots(int32_t joined, double t, const double *x, double *g) {
    (void)joined, (void)t;
    g[0] = LENGTH - x[V_LEFT] - x[V_RIGHT];
}

static void join_active(int32_t joined, const int32_t *q, uint8_t *active) {
    (void)q;
    active[0] = !joined;
}

static bool join_discrete(double t, int32_t i, int32_t *q) {
    (void)t;
    if (i == 0 && q[MET]) {
        q[MET] = 0;
        q[JOINED] = 1;
        q[OPEN] = q[OPEN] && !q[FLAP];
        return true;
    }
    bool meet = !q[AIR] && !q[MET] && !q[JOINED];
    q[MET] = q[MET] || meet;
    return meet;
}

static bool join_wants_prediction(const int32_t *q) {
    return q[MET];
}

/* When they have met: the momentum of both is that of the body that there will be; none when it stands behind a shut gate. */
static bool join_act(const int32_t *q, const int32_t *q_predicted, double *x) {
    const int32_t *in_force = q_predicted ? q_predicted : q;
    if (!q[MET] || !in_force[JOINED]) {
        return false;
    }
    double flow = in_force[OPEN] ? (x[V_LEFT] * x[Q_LEFT] + x[V_RIGHT] * x[Q_RIGHT]) / LENGTH : 0.0;
    x[Q_LEFT] = x[Q_RIGHT] = flow;
    return true;
}

static const toy join = {.n_x = 4,
                         .n_q = 5,
                         .n_root = 1,
                         .x = {2.0, 3.0, 1.0, -0.5},
                         .q = {1, 0, 0, 1, 0},
                         .mode = join_mode,
                         .f = join_f,
                         .roots = join_roots,
                         .active = join_active,
                         .discrete = join_discrete,
                         .wants_prediction = join_wants_prediction,
                         .act_predicted = join_act};

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
    sl_hybrid_stats s = run_join(&join, x, q);
    double flow = (left * (1.0 + t) - right * (0.5 + t)) / LENGTH;
    sl_assert_abs(x[V_LEFT], left, 1e-8);
    sl_assert_abs(x[V_RIGHT], right, 1e-8);
    sl_assert_abs(x[Q_LEFT], flow, 1e-8);
    sl_assert_bits(x[Q_RIGHT], x[Q_LEFT]);
    assert_true(q[JOINED] && !q[MET] && !q[AIR] && q[OPEN]);
    assert_int_equal(s.n_prediction, 1);
    assert_int_equal(s.n_discrete, 2);
    assert_int_equal(s.n_action, 1);

    toy flap = join; /* what shuts with the joining is known before it does */
    flap.q[FLAP] = 1;
    (void)run_join(&flap, x, q);
    sl_assert_double(x[Q_LEFT], 0.0);
    sl_assert_double(x[Q_RIGHT], 0.0);
    assert_true(!q[OPEN]);

    toy blind = join; /* the same without: one body in which two flows are left */
    blind.wants_prediction = NULL;
    s = run_join(&blind, x, q);
    sl_assert_abs(x[Q_LEFT] - x[Q_RIGHT], 1.5 + 2.0 * t, 1e-8);
    assert_int_equal(s.n_prediction, 0);
}

/* A start with an event pending: values and roots are those of the state predicted from the first. */
static void test_start_wants_prediction(void **state) {
    (void)state;
    toy m = join;
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

static void ball_f(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)t;
    f[0] = x[1];
    f[1] = -9.81;
}

static void ball_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0];
}

/* q0: above the floor; q1: it has hit; q2: the number of hits is odd, once that was acted on. */
static bool ball_discrete(double t, int32_t i, int32_t *q) {
    (void)t;
    if (i == 0 && q[1]) {
        q[1] = 0;
        q[2] = !q[2];
        return true;
    }
    bool hit = i == 0 && !q[0];
    q[1] = q[1] || hit;
    return hit;
}

static bool ball_wants_prediction(const int32_t *q) {
    return q[1];
}

static bool ball_act(const int32_t *q, const int32_t *q_predicted, double *x) {
    assert_true((q_predicted != NULL) == q[1]); /* it is over with the piece for which it was made */
    if (q[1]) {
        x[0] = 0.0;
        x[1] *= (q_predicted ? q_predicted : q)[2] ? -0.5 : -2.0;
    }
    return q[1];
}

static const toy ball = {.n_x = 2,
                         .n_q = 3,
                         .n_root = 1,
                         .x = {1.0, 0.0},
                         .q = {1, 0, 0},
                         .f = ball_f,
                         .roots = ball_roots,
                         .discrete = ball_discrete,
                         .wants_prediction = ball_wants_prediction,
                         .act_predicted = ball_act};

/* It hits at t0, then t0 and 2 t0 later by turns, for ever; no memory is asked for once it has begun. */
static void test_wants_prediction_again_and_again(void **state) {
    (void)state;
    sl_hybrid_def def = toy_def();
    double t0 = sqrt(2.0 / 9.81), t = t0;
    int64_t before = 0;
    execution e;
    execution_begin(&e, &ball, &def);
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
    toy m = ball;
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
    toy m = ball;
    assert_true(sl_test_sweep(run_once, &m) > 10);
}

/* ---- Undecided roots ---------------------------------------------------------------------------- */

/* x0 rests at zero up to 1 s, and then rises or falls; its root decides q0. */
static void rest_then_rise(int32_t id, double t, const double *x, double *f) {
    (void)x;
    f[0] = fmax(0.0, t - 1.0);
    f[1] = id ? 1.0 : -1.0;
}

static void rest_then_fall(int32_t id, double t, const double *x, double *f) {
    rest_then_rise(id, t, x, f);
    f[0] = -f[0];
}

static int32_t first_q(const int32_t *q) {
    return q[0];
}

static bool is_zero(int32_t i, const int32_t *q) {
    (void)q;
    assert_int_equal(i, 0);
    return false;
}

static bool is_one(int32_t i, const int32_t *q) {
    return !is_zero(i, q);
}

static const toy rest = {.n_x = 2, .n_q = 1, .n_root = 1, .mode = first_q, .roots = ball_roots};

/* The side that a policy takes, where the variable is q; and then the integrator waits on that side, over restarts too. */
static void check_side(sl_hybrid_undecided policy, int32_t q, bool rises, int32_t expected) {
    toy m = rest;
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
    toy m = rest;
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
    toy m = rest;
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

/* The root of x0 comes into force at 0.5 s, while motion goes on: q1 when x1 is above 0.5, q2 follows it. */
static void later_f(int32_t id, double t, const double *x, double *f) {
    rest_then_rise(id, t, x, f);
    f[1] = 1.0;
}

static void later_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0];
    g[1] = x[1] - 0.5;
}

static void later_active(int32_t id, const int32_t *q, uint8_t *active) {
    (void)id;
    active[0] = q[2] != 0;
}

static bool later_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    bool changes = q[2] != q[1];
    q[2] = q[1];
    return changes;
}

static const toy later = {.n_x = 2,
                          .n_q = 3,
                          .n_root = 2,
                          .root_variables = {0, 1},
                          .f = later_f,
                          .roots = later_roots,
                          .active = later_active,
                          .discrete = later_discrete};

static void test_root_comes_into_force(void **state) {
    (void)state;
    static const struct {
        sl_hybrid_undecided policy;
        int32_t before, after;
    } cases[] = {{SL_HYBRID_UNDECIDED_ONE, 0, 1},  {SL_HYBRID_UNDECIDED_ONE, 1, 1},  {SL_HYBRID_UNDECIDED_ZERO, 0, 0},
                 {SL_HYBRID_UNDECIDED_ZERO, 1, 0}, {SL_HYBRID_UNDECIDED_KEEP, 0, 0}, {SL_HYBRID_UNDECIDED_KEEP, 1, 1},
                 {SL_HYBRID_UNDECIDED_ASK, 0, 1},  {SL_HYBRID_UNDECIDED_ASK, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        toy m = later;
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
    toy m = later;
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
    check_restore(&join, &def, 60, 1);
    check_restore(&ball, &def, 400, 7);
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
