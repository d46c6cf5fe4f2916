/* SPDX-License-Identifier: MIT */
/* crowd.c: see crowd.h. Equation n_x (n_mode k + m) + i is that of variable i of toy k in mode m. */
#include "crowd.h"

#include "base/memory.h"

enum { MOST_EQUATION = CROWD * 2 * TOY_X, MOST_ROOT = CROWD * TOY_ROOT };

typedef struct group {
    sl_context *ctx;
    const crowd *c;
    const int32_t *predicted;
    int32_t n_x, n_q, n_root; /* of each */
    sl_hybrid_incidence incidence;
    int32_t start[MOST_EQUATION + 1], held[MOST_EQUATION * TOY_X];
    int32_t root_start[MOST_ROOT + 1], root_held[MOST_ROOT * TOY_X], decides[MOST_ROOT];
    uint8_t equations[MOST_EQUATION], roots[MOST_ROOT];
    int32_t set[CROWD * TOY_X], n_set;
} group;

/* A toy in one of its modes. */
typedef struct member {
    const toy *m;
    int32_t mode, n_root, variables[TOY_X], roots[TOY_ROOT];
    int32_t start[TOY_X + 1], row[TOY_X * TOY_X], decides[TOY_ROOT];
    uint8_t kind[TOY_X * TOY_X];
} member;

static void hold_all(group *s, int32_t n, int32_t per, int32_t *start, int32_t *held) {
    for (int32_t i = 0; i < n; i++) {
        start[i + 1] = s->n_x * (i + 1);
        for (int32_t j = 0; j < s->n_x; j++) {
            held[s->n_x * i + j] = s->n_x * (i / per) + j;
        }
    }
}

static sl_status open(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    (void)diags;
    group *s = sl_alloc(ctx, sizeof *s);
    *out = s;
    if (!s) {
        return SL_ERR_MEMORY;
    }
    const crowd *c = model;
    s->ctx = ctx;
    s->c = c;
    s->n_x = c->toys->n_x;
    s->n_q = c->toys->n_q;
    s->n_root = c->toys->n_root;
    s->incidence = (sl_hybrid_incidence){.n_equation = c->n * c->n_mode * s->n_x,
                                         .n_root = c->n * s->n_root,
                                         .start = s->start,
                                         .variables = s->held,
                                         .root_start = s->root_start,
                                         .root_variables = s->root_held,
                                         .decides = s->decides};
    hold_all(s, s->incidence.n_equation, c->n_mode * s->n_x, s->start, s->held);
    hold_all(s, s->incidence.n_root, s->n_root, s->root_start, s->root_held);
    for (int32_t i = 0; i < s->incidence.n_root; i++) {
        s->decides[i] = s->n_q * (i / s->n_root) + c->toys->root_variables[i % s->n_root];
    }
    return SL_OK;
}

static void close(void *s) {
    sl_free(((group *)s)->ctx, s, sizeof(group));
}

static void sizes(const void *s, int32_t *n_x, int32_t *n_q) {
    const group *g = s;
    *n_x = g->c->n * g->n_x;
    *n_q = g->c->n * g->n_q;
}

static const char *x_name(const void *s, int32_t i) {
    (void)s, (void)i;
    return "x";
}

static const char *q_name(const void *s, int32_t i) {
    (void)s, (void)i;
    return "q";
}

static void start(const void *s, double *t, double *x, int32_t *q) {
    const group *g = s;
    *t = 0.0;
    for (int32_t k = 0; k < g->c->n; k++) {
        memcpy(x + g->n_x * k, g->c->toys[k].x, (size_t)g->n_x * sizeof *x);
        memcpy(q + g->n_q * k, g->c->toys[k].q, (size_t)g->n_q * sizeof *q);
    }
}

static const sl_hybrid_incidence *incidence(const void *s) {
    return &((const group *)s)->incidence;
}

static void changed(void *s, int32_t n, const int32_t *which, const int32_t *q) {
    (void)s, (void)n, (void)which, (void)q;
}

/* What is predicted for a toy: only one that wants it knows. */
static const int32_t *predicted_of(const group *s, int32_t k, const int32_t *q) {
    const toy *m = &s->c->toys[k];
    bool wants = s->predicted && m->wants_prediction && m->wants_prediction(q + s->n_q * k);
    return wants ? s->predicted + s->n_q * k : NULL;
}

static sl_status force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out) {
    group *s = instance;
    (void)diags;
    memset(s->equations, 0, sizeof s->equations);
    memset(s->roots, 1, sizeof s->roots);
    for (int32_t k = 0; k < s->c->n; k++) {
        const toy *m = &s->c->toys[k];
        const int32_t *own = q + s->n_q * k, *predicted = predicted_of(s, k, q);
        int32_t mode = m->mode ? m->mode(predicted ? predicted : own) : 0;
        assert_true(mode < s->c->n_mode);
        memset(s->equations + s->n_x * (s->c->n_mode * k + mode), 1, (size_t)s->n_x);
        if (m->active) {
            m->active(mode, own, s->roots + s->n_root * k);
        }
    }
    *out = (sl_hybrid_force){.equations = s->equations, .roots = s->roots, .n_changed = -1};
    return SL_OK;
}

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    const member *o = user;
    o->m->f(o->mode, t, x, r);
    for (int32_t i = 0; i < o->m->n_x; i++) {
        r[i] = dx[i] - r[i];
    }
    return 0;
}

static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    const member *o = user;
    int32_t n = o->m->n_x;
    double y[TOY_X], up[TOY_X], down[TOY_X];
    (void)dx;
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int32_t j = 0; j < n; j++) {
        double h = 1e-6 * fmax(1.0, fabs(x[j]));
        y[j] = x[j] + h;
        o->m->f(o->mode, t, y, up);
        y[j] = x[j] - h;
        o->m->f(o->mode, t, y, down);
        y[j] = x[j];
        for (int32_t i = 0; i < n; i++) {
            values[n * j + i] = -a * (up[i] - down[i]) / (2.0 * h) + (i == j ? b : 0.0);
        }
    }
    return 0;
}

static int find_roots(void *user, double t, const double *x, const double *dx, double *g) {
    const member *o = user;
    double all[TOY_ROOT];
    (void)dx;
    o->m->roots(o->mode, t, x, all);
    for (int32_t i = 0; i < o->n_root; i++) {
        g[i] = all[o->roots[i]];
    }
    return 0;
}

static sl_status compile_part(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                              const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out) {
    group *s = instance;
    int32_t n = s->n_x, k = equations[0] / (n * s->c->n_mode);
    (void)diags;
    assert_int_equal(n_equation, n);
    member *o = sl_alloc(s->ctx, sizeof *o);
    if (!o) {
        return SL_ERR_MEMORY;
    }
    *o = (member){.m = &s->c->toys[k], .mode = equations[0] / n % s->c->n_mode, .n_root = n_root};
    for (int32_t j = 0; j < n; j++) {
        o->variables[j] = n * k + j;
        o->start[j + 1] = n * (j + 1);
        for (int32_t i = 0; i < n; i++) {
            o->row[n * j + i] = i;
            o->kind[n * j + i] = (uint8_t)(SL_DAE_X | SL_DAE_NONLINEAR | (i == j ? SL_DAE_DX : 0));
        }
    }
    for (int32_t i = 0; i < n_root; i++) {
        assert_int_equal(roots[i] / s->n_root, k);
        o->roots[i] = roots[i] % s->n_root;
        o->decides[i] = s->decides[roots[i]];
    }
    *out = (sl_hybrid_mode){.system = {.pattern = {n, n, o->start, o->row, o->kind},
                                       .n_root = n_root,
                                       .user = o,
                                       .residual = residual,
                                       .jacobian = jacobian,
                                       .roots = find_roots},
                            .variables = o->variables,
                            .root_variables = o->decides,
                            .own = o,
                            .size = sizeof *o};
    return SL_OK;
}

static void release(void *s, int32_t id, const sl_hybrid_mode *mode) {
    (void)id;
    sl_free(((group *)s)->ctx, mode->own, sizeof(member));
}

static void stand(void *s, int32_t variable, double value) {
    (void)s, (void)variable, (void)value;
}

static sl_status discrete(void *instance, double t, int32_t i, int64_t way, int32_t *q, sl_diags *diags,
                          sl_hybrid_step_result *out) {
    const group *s = instance;
    bool any = false;
    (void)diags, (void)way;
    for (int32_t k = 0; k < s->c->n; k++) {
        any = (s->c->toys[k].discrete && s->c->toys[k].discrete(t, i, q + s->n_q * k)) || any;
    }
    *out = (sl_hybrid_step_result){.n_changed = any, .settled = !any};
    return SL_OK;
}

static sl_status act(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted) {
    group *s = instance;
    double none[TOY_X] = {0};
    (void)t, (void)n, (void)dx, (void)diags;
    s->n_set = 0;
    for (int32_t k = 0; k < s->c->n; k++) {
        const toy *m = &s->c->toys[k];
        double *own = x ? x + s->n_x * k : none;
        const int32_t *now = q + s->n_q * k;
        bool acts = m->act_predicted ? m->act_predicted(now, predicted_of(s, k, q), own) : m->act && m->act(now, own);
        for (int32_t j = 0; j < s->n_x && acts; j++) {
            s->set[s->n_set++] = s->n_x * k + j;
        }
    }
    *acted = s->n_set > 0;
    return SL_OK;
}

static const int32_t *acted_on(const void *instance, int32_t *n) {
    const group *s = instance;
    *n = s->c->tells_set ? s->n_set : *n;
    return s->c->tells_set ? s->set : NULL;
}

static const int32_t *acted_by(const void *instance, int32_t *n) {
    return acted_on(instance, n); /* each reads what it sets */
}

static bool wants_prediction(const void *instance, const int32_t *q) {
    const group *s = instance;
    bool any = false;
    for (int32_t k = 0; k < s->c->n; k++) {
        const toy *m = &s->c->toys[k];
        any = any || (m->wants_prediction && m->wants_prediction(q + s->n_q * k));
    }
    return any;
}

static void set_prediction(void *s, const int32_t *q_predicted) {
    ((group *)s)->predicted = q_predicted;
}

static sl_status decide(void *instance, double t, int32_t i, int32_t j, const double *x, const double *dx,
                        const int32_t *q, sl_diags *diags, bool *above) {
    const group *s = instance;
    (void)t, (void)x, (void)dx, (void)diags;
    int32_t k = i / s->n_root;
    assert_int_equal(j, s->decides[i]);
    *above = s->c->toys[k].decide(i % s->n_root, q + s->n_q * k);
    return SL_OK;
}

const sl_hybrid_ops crowd_ops = {.name = "crowd",
                                 .open = open,
                                 .close = close,
                                 .sizes = sizes,
                                 .x_name = x_name,
                                 .q_name = q_name,
                                 .start = start,
                                 .release = release,
                                 .incidence = incidence,
                                 .changed = changed,
                                 .force = force,
                                 .compile_part = compile_part,
                                 .stand = stand,
                                 .discrete = discrete,
                                 .act = act,
                                 .acted_on = acted_on,
                                 .acted_by = acted_by,
                                 .wants_prediction = wants_prediction,
                                 .set_prediction = set_prediction,
                                 .decide = decide};
