/* SPDX-License-Identifier: MIT */
/* toy.c: see toy.h. */
#include "toy.h"

#include "base/memory.h"

#include <sluice/diag.h>

typedef struct instance instance;

typedef struct toy_mode {
    instance *of;
    int32_t id;
} toy_mode;

enum { MAX_MODE = 128 };

struct instance {
    sl_context *ctx;
    const toy *m;
    const int32_t *predicted;
    int32_t start[TOY_X + 1], row[TOY_X * TOY_X];
    uint8_t kind[TOY_X * TOY_X];
    toy_mode modes[MAX_MODE];
};

static sl_status open(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    (void)diags;
    instance *s = sl_alloc(ctx, sizeof *s);
    *out = s;
    if (!s) {
        return SL_ERR_MEMORY;
    }
    s->ctx = ctx;
    s->m = model;
    int32_t n = s->m->n_x;
    for (int32_t j = 0; j < n; j++) {
        s->start[j + 1] = n * (j + 1);
        for (int32_t i = 0; i < n; i++) {
            s->row[n * j + i] = i;
            s->kind[n * j + i] = (uint8_t)(SL_DAE_X | SL_DAE_NONLINEAR | (i == j ? SL_DAE_DX : 0));
        }
    }
    return SL_OK;
}

static void close(void *s) {
    sl_free(((instance *)s)->ctx, s, sizeof(instance));
}

static void sizes(const void *s, int32_t *n_x, int32_t *n_q) {
    *n_x = ((const instance *)s)->m->n_x;
    *n_q = ((const instance *)s)->m->n_q;
}

static const char *x_name(const void *s, int32_t i) {
    static const char *const names[TOY_X] = {"x0", "x1", "x2", "x3"};
    (void)s;
    return names[i];
}

static const char *q_name(const void *s, int32_t i) {
    static const char *const names[TOY_Q] = {"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"};
    (void)s;
    return names[i];
}

static void start(const void *s, double *t, double *x, int32_t *q) {
    const toy *m = ((const instance *)s)->m;
    *t = 0.0;
    memcpy(x, m->x, (size_t)m->n_x * sizeof *x);
    memcpy(q, m->q, (size_t)m->n_q * sizeof *q);
}

static sl_status mode(void *s, const int32_t *q, sl_diags *diags, int32_t *id) {
    const toy *m = ((instance *)s)->m;
    (void)diags;
    const int32_t *predicted = ((instance *)s)->predicted;
    *id = m->mode ? m->mode(predicted ? predicted : q) : 0;
    if (m->superset) {
        ((instance *)s)->modes[0] = (toy_mode){s, *id};
    }
    return SL_OK;
}

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    const toy_mode *o = user;
    o->of->m->f(o->id, t, x, r);
    for (int32_t i = 0; i < o->of->m->n_x; i++) {
        r[i] = dx[i] - r[i];
    }
    return 0;
}

static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    const toy_mode *o = user;
    int32_t n = o->of->m->n_x;
    double y[TOY_X], up[TOY_X], down[TOY_X];
    (void)dx;
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int32_t j = 0; j < n; j++) {
        double h = 1e-6 * fmax(1.0, fabs(x[j]));
        y[j] = x[j] + h;
        o->of->m->f(o->id, t, y, up);
        y[j] = x[j] - h;
        o->of->m->f(o->id, t, y, down);
        y[j] = x[j];
        for (int32_t i = 0; i < n; i++) {
            values[n * j + i] = -a * (up[i] - down[i]) / (2.0 * h) + (i == j ? b : 0.0);
        }
    }
    return 0;
}

static int roots(void *user, double t, const double *x, const double *dx, double *g) {
    const toy_mode *o = user;
    (void)dx;
    o->of->m->roots(o->id, t, x, g);
    return 0;
}

static sl_status compile(void *s, int32_t id, const int32_t *q, sl_diags *diags, sl_hybrid_mode *out) {
    instance *o = s;
    (void)q, (void)diags;
    assert_true(id >= 0 && id < MAX_MODE);
    toy_mode *mode = &o->modes[o->m->superset ? 0 : id];
    *mode = (toy_mode){o, id};
    *out = (sl_hybrid_mode){.system = {.pattern = {o->m->n_x, o->m->n_x, o->start, o->row, o->kind},
                                       .n_root = o->m->n_root,
                                       .user = mode,
                                       .residual = residual,
                                       .jacobian = jacobian,
                                       .roots = roots},
                            .root_variables = o->m->root_variables,
                            .is_superset = o->m->superset};
    return SL_OK;
}

static void active(void *s, int32_t id, const int32_t *q, uint8_t *on) {
    const toy *m = ((instance *)s)->m;
    if (m->active) {
        m->active(id, q, on);
    }
}

static double limit(const void *s, double t, const int32_t *q) {
    const toy *m = ((const instance *)s)->m;
    (void)q;
    return m->limit ? m->limit(t) : (double)INFINITY;
}

static sl_status discrete(void *s, double t, int32_t i, int64_t way, int32_t *q, sl_diags *diags,
                          sl_hybrid_step_result *out) {
    const toy *m = ((instance *)s)->m;
    (void)diags, (void)way;
    bool changed = m->discrete && m->discrete(t, i, q);
    *out = (sl_hybrid_step_result){.n_changed = changed, .settled = !changed};
    return SL_OK;
}

static sl_status act(void *s, double t, const int32_t *q, int32_t n, double *x, const double *dx, sl_diags *diags,
                     bool *acted) {
    const toy *m = ((instance *)s)->m;
    double none[TOY_X] = {0};
    (void)t, (void)n, (void)dx, (void)diags;
    const int32_t *predicted = ((instance *)s)->predicted;
    *acted = m->act_predicted ? m->act_predicted(q, predicted, x ? x : none) : m->act && m->act(q, x ? x : none);
    return SL_OK;
}

static bool wants_prediction(const void *s, const int32_t *q) {
    const toy *m = ((const instance *)s)->m;
    return m->wants_prediction && m->wants_prediction(q);
}

static void set_prediction(void *s, const int32_t *q_predicted) {
    ((instance *)s)->predicted = q_predicted;
}

static sl_status decide(void *s, double t, int32_t i, int32_t j, const double *x, const double *dx, const int32_t *q,
                        sl_diags *diags, bool *above) {
    const toy *m = ((instance *)s)->m;
    (void)t, (void)x, (void)dx, (void)diags;
    assert_int_equal(j, m->root_variables[i]);
    if (!m->decide) {
        return SL_ERR_SOLVE;
    }
    *above = m->decide(i, q);
    return SL_OK;
}

const sl_hybrid_ops toy_ops = {.name = "toy",
                               .open = open,
                               .close = close,
                               .sizes = sizes,
                               .x_name = x_name,
                               .q_name = q_name,
                               .start = start,
                               .mode = mode,
                               .compile = compile,
                               .active = active,
                               .limit = limit,
                               .discrete = discrete,
                               .act = act,
                               .wants_prediction = wants_prediction,
                               .set_prediction = set_prediction,
                               .decide = decide};

/* ---- Models ------------------------------------------------------------------------------------- */

/* Flower: two rotations, one where |x1| <= |x0|, the other elsewhere. */
static int32_t first_q(const int32_t *q) {
    return q[0];
}

static void flower_f(int32_t id, double t, const double *x, double *f) {
    (void)t;
    f[0] = -0.1 * x[0] + (id ? 5.0 : 1.0) * x[1];
    f[1] = -(id ? 1.0 : 5.0) * x[0] - 0.1 * x[1];
}

static void flower_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = fabs(x[0]) - fabs(x[1]);
}

const toy toy_flower = {
    .n_x = 2, .n_q = 1, .n_root = 1, .x = {1.0, 0.0}, .mode = first_q, .f = flower_f, .roots = flower_roots};

/* Ball: height and speed; q0: above the floor; q1: it has hit, and the action turns its speed. */
static void ball_f(int32_t id, double t, const double *x, double *f) {
    (void)id, (void)t;
    f[0] = x[1];
    f[1] = -9.81;
}

static void ball_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0];
}

static bool ball_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    bool turn = q[1] == q[0]; /* q1 becomes not q0 */
    q[1] = !q[0];
    return turn;
}

static bool ball_act(const int32_t *q, double *x) {
    if (q[1]) {
        x[0] = 0.0;
        x[1] *= -0.5;
    }
    return q[1];
}

const toy toy_ball = {.n_x = 2,
                      .n_q = 2,
                      .n_root = 1,
                      .x = {1.0, 0.0},
                      .q = {1, 0},
                      .f = ball_f,
                      .roots = ball_roots,
                      .discrete = ball_discrete,
                      .act = ball_act};

/* Thermostat: q0: above 22, q1: above 18, q2: heating. */
static int32_t third_q(const int32_t *q) {
    return q[2];
}

static void thermostat_f(int32_t id, double t, const double *x, double *f) {
    (void)t;
    f[0] = 0.1 * ((id ? 40.0 : 10.0) - x[0]);
}

static void thermostat_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0] - 22.0;
    g[1] = x[0] - 18.0;
}

static bool thermostat_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    int32_t before = q[2];
    q[2] = q[0] ? 0 : !q[1] ? 1 : q[2];
    return q[2] != before;
}

const toy toy_thermostat = {.n_x = 1,
                            .n_q = 3,
                            .n_root = 2,
                            .x = {20.0},
                            .q = {0, 1, 1},
                            .root_variables = {0, 1},
                            .mode = third_q,
                            .f = thermostat_f,
                            .roots = thermostat_roots,
                            .discrete = thermostat_discrete};

/* Two tanks: both leak, one inflow serves the one that has run low. q0, q1: levels above 1; q2: which is filled. */
static void tanks_f(int32_t id, double t, const double *x, double *f) {
    (void)t, (void)x;
    f[0] = (id ? 0.0 : 1.0) - 0.5;
    f[1] = (id ? 1.0 : 0.0) - 0.6;
}

static void tanks_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0] - 1.0;
    g[1] = x[1] - 1.0;
}

static bool tanks_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    int32_t before = q[2];
    q[2] = !q[0] && q[1] ? 0 : !q[1] && q[0] ? 1 : q[2];
    return q[2] != before;
}

const toy toy_tanks = {.n_x = 2,
                       .n_q = 3,
                       .n_root = 2,
                       .x = {2.0, 2.0},
                       .q = {1, 1, 0},
                       .root_variables = {0, 1},
                       .mode = third_q,
                       .f = tanks_f,
                       .roots = tanks_roots,
                       .discrete = tanks_discrete};

/* Chain: in mode k, x moves from 0 towards 1 + 1/(k+1), and the next mode begins at 1, after ln(k + 2) s. */
static void chain_f(int32_t id, double t, const double *x, double *f) {
    (void)t;
    f[0] = id < CHAIN_LENGTH ? 1.0 + 1.0 / (id + 1.0) - x[0] : 0.0;
}

static void chain_roots(int32_t id, double t, const double *x, double *g) {
    (void)id, (void)t;
    g[0] = x[0] - 1.0;
}

static bool chain_discrete(double t, int32_t i, int32_t *q) {
    (void)t, (void)i;
    if (q[1] == 0 || q[0] == CHAIN_LENGTH) {
        return false;
    }
    q[0]++;
    q[1] = 0;
    return true;
}

static bool chain_act(const int32_t *q, double *x) {
    (void)q;
    x[0] = 0.0;
    return true;
}

const toy toy_chain = {.n_x = 1,
                       .n_q = 2,
                       .n_root = 1,
                       .root_variables = {1},
                       .mode = first_q,
                       .f = chain_f,
                       .roots = chain_roots,
                       .discrete = chain_discrete,
                       .act = chain_act};

/* ---- Executions --------------------------------------------------------------------------------- */

sl_hybrid_def toy_def(void) {
    sl_hybrid_def def = sl_hybrid_default();
    def.dae.rtol = 1e-12;
    def.dae.atol = 1e-13;
    def.dae.root_tol = 1e-11;
    return def;
}

void execution_begin(execution *e, const toy *m, const sl_hybrid_def *def) {
    *e = (execution){0};
    e->ctx = sl_test_context(&e->memory);
    sl_assert_ok(sl_diags_create(e->ctx, &e->diags));
    sl_assert_ok(sl_hybrid_create(e->ctx, &toy_ops, m, def, e->diags, &e->h));
}

void execution_end(execution *e) {
    sl_hybrid_destroy(e->h);
    sl_diags_destroy(e->diags);
    sl_test_context_end(e->ctx, &e->memory);
}

double next_crossing(execution *e) {
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(e->h, SL_HYBRID_CROSSING, e->diags, &info));
    return info.event == SL_HYBRID_CROSSING ? info.t : (double)INFINITY;
}

void check_restore(const toy *m, const sl_hybrid_def *def, int n_piece, int every) {
    execution a, b;
    execution_begin(&a, m, def);
    execution_begin(&b, m, def);
    enum { ROOM = 4096 };
    size_t n = 0, n_x = (size_t)m->n_x * sizeof(double), n_q = (size_t)m->n_q * sizeof(int32_t);
    char *bytes = malloc(ROOM), *again = malloc(ROOM);
    for (int k = 0; k < n_piece; k++) {
        sl_hybrid_info i, j;
        sl_assert_ok(sl_hybrid_next(a.h, SL_HYBRID_ANY, a.diags, &i));
        if (k % every == 0) {
            sl_hybrid *copy = NULL;
            n = sl_hybrid_save_size(a.h);
            assert_true(n <= ROOM);
            sl_hybrid_save(a.h, bytes);
            sl_assert_ok(sl_hybrid_restore(b.h, bytes, n, b.diags));
            assert_int_equal(sl_hybrid_save_size(b.h), n);
            sl_hybrid_save(b.h, again);
            assert_memory_equal(bytes, again, n);
            sl_assert_ok(sl_hybrid_copy(a.h, a.diags, &copy));
            assert_memory_equal(sl_hybrid_x(copy), sl_hybrid_x(a.h), n_x);
            sl_hybrid_destroy(copy);
        } else {
            sl_assert_ok(sl_hybrid_next(b.h, SL_HYBRID_ANY, b.diags, &j));
            assert_int_equal(i.event, j.event);
        }
        sl_assert_bits(sl_hybrid_time(b.h), sl_hybrid_time(a.h));
        assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), n_x);
        assert_memory_equal(sl_hybrid_dx(b.h), sl_hybrid_dx(a.h), n_x);
        assert_memory_equal(sl_hybrid_q(b.h), sl_hybrid_q(a.h), n_q);
    }
    sl_assert_status(sl_hybrid_restore(b.h, bytes, n - 1, b.diags), SL_ERR_INPUT);
    free(bytes);
    free(again);
    execution_end(&a);
    execution_end(&b);
}
