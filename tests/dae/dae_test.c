/* SPDX-License-Identifier: MIT */
/* dae_test.c: see dae_test.h. */
#include "dae_test.h"

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    problem *p = user;
    p->n_call++;
    return p->residual(t, x, dx, r);
}

/* Central differences: good enough for Newton's method, no part of any accuracy. */
static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    problem *p = user;
    double r[2][MAX_N], *which[2];
    double at[2][MAX_N];
    memcpy(at[0], x, (size_t)p->n * sizeof *x);
    memcpy(at[1], dx, (size_t)p->n * sizeof *x);
    which[0] = at[0];
    which[1] = at[1];
    for (int32_t k = 0; k < p->start[p->n]; k++) {
        values[k] = 0.0;
    }
    for (int w = 0; w < 2; w++) {
        double factor = w == 0 ? a : b;
        for (int32_t j = 0; j < p->n && factor != 0.0; j++) {
            double kept = which[w][j], h = 1e-6 * fmax(fabs(kept), 1e-3);
            for (int side = 0; side < 2; side++) {
                which[w][j] = kept + (side ? h : -h);
                if (p->residual(t, at[0], at[1], r[side]) != 0) {
                    return 1;
                }
            }
            which[w][j] = kept;
            for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
                values[k] += factor * (r[1][p->row[k]] - r[0][p->row[k]]) / (2.0 * h);
            }
        }
    }
    return 0;
}

static int roots(void *user, double t, const double *x, const double *dx, double *g) {
    return ((problem *)user)->roots(t, x, dx, g);
}

static void name(void *user, bool equation, int32_t i, char text[SL_DAE_NAME]) {
    const problem *p = user;
    const char *const *list = equation ? p->equations : p->variables;
    if (list) {
        (void)snprintf(text, SL_DAE_NAME, "%s", list[i]);
    } else {
        (void)snprintf(text, SL_DAE_NAME, "%s%d", equation ? "e" : "v", i);
    }
}

void problem_init(problem *p, int32_t n_equation, int32_t n, const char *const *picture) {
    int32_t k = 0;
    p->n = n;
    p->n_equation = n_equation;
    for (int32_t j = 0; j < n; j++) {
        p->start[j] = k;
        for (int32_t i = 0; i < n_equation; i++) {
            char c = picture[i][j];
            char low = (char)(c | 0x20);
            uint8_t kind = (uint8_t)(low == 'x' || low == 't' ? SL_DAE_X
                                     : low == 'd'             ? SL_DAE_DX
                                                              : SL_DAE_X | SL_DAE_DX);
            if (c == '.') {
                continue;
            }
            kind |= (uint8_t)(low == 't' ? SL_DAE_TIME : 0);
            kind |= (uint8_t)(c != low ? SL_DAE_NONLINEAR | (kind & SL_DAE_DX ? SL_DAE_NONLINEAR_DX | SL_DAE_SCALED : 0)
                                       : 0);
            p->row[k] = i;
            p->kind[k++] = kind;
        }
    }
    p->start[n] = k;
    p->system = (sl_dae_system){.pattern = {n_equation, n, p->start, p->row, p->kind},
                                .user = p,
                                .residual = residual,
                                .jacobian = jacobian,
                                .roots = roots,
                                .name = name};
}

void run_to(sl_dae *d, double t, double *x, double *dx) {
    sl_dae_step_info info;
    while (sl_dae_time(d) < t) {
        sl_assert_ok(sl_dae_step(d, NULL, &info));
    }
    sl_assert_ok(sl_dae_interpolate(d, t, x, dx));
}
