/* SPDX-License-Identifier: MIT */
/* predicted.c: see predicted.h. */
#include "predicted.h"

/* ---- Two bodies of water join ------------------------------------------------------------------- */

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

const toy join_toy = {.n_x = 4,
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
bool ball_discrete(double t, int32_t i, int32_t *q) {
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

const toy floor_toy = {.n_x = 2,
                       .n_q = 3,
                       .n_root = 1,
                       .x = {1.0, 0.0},
                       .q = {1, 0, 0},
                       .f = ball_f,
                       .roots = ball_roots,
                       .discrete = ball_discrete,
                       .wants_prediction = ball_wants_prediction,
                       .act_predicted = ball_act};

/* ---- Undecided roots ---------------------------------------------------------------------------- */

/* x0 rests at zero up to 1 s, and then rises or falls; its root decides q0. */
void rest_then_rise(int32_t id, double t, const double *x, double *f) {
    (void)x;
    f[0] = fmax(0.0, t - 1.0);
    f[1] = id ? 1.0 : -1.0;
}

void rest_then_fall(int32_t id, double t, const double *x, double *f) {
    rest_then_rise(id, t, x, f);
    f[0] = -f[0];
}

static int32_t first_q(const int32_t *q) {
    return q[0];
}

bool is_zero(int32_t i, const int32_t *q) {
    (void)q;
    assert_int_equal(i, 0);
    return false;
}

bool is_one(int32_t i, const int32_t *q) {
    return !is_zero(i, q);
}

const toy rest_toy = {.n_x = 2, .n_q = 1, .n_root = 1, .mode = first_q, .roots = ball_roots};

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

const toy later_toy = {.n_x = 2,
                       .n_q = 3,
                       .n_root = 2,
                       .root_variables = {0, 1},
                       .f = later_f,
                       .roots = later_roots,
                       .active = later_active,
                       .discrete = later_discrete};
