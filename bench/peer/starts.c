/* SPDX-License-Identifier: MIT */
/* starts.c: what an integrator loses that begins anew at order one after an event, against one that arrives with its history.
 *
 * The same equations over the same piece of time, from the same values: once begun there, once passed through on the way from earlier.
 * The difference is what a start of any order could save at most, if it cost nothing. Prints a line per case: name, relative
 * tolerance; steps, residuals, largest error at the end and seconds (best of many) of what begins at order one; the same of what arrives.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dae/dae.h"

enum { CHAIN = 100, MOST = CHAIN };

typedef struct problem {
    const char *name;
    int32_t n;
    double before, length; /* [s] motion before the piece, and the piece */
    void (*start)(double *x);
    void (*f)(double t, const double *x, double *f);
    void (*df)(double t, const double *x, double *diagonal); /* of the diagonal, and of its neighbours for the chain */
    double beside;
} problem;

static void ball_start(double *x) {
    x[0] = 0.0;
    x[1] = 9.0;
}
static void ball_f(double t, const double *x, double *f) {
    (void)t;
    f[0] = x[1];
    f[1] = -9.81;
}
static void tank_start(double *x) {
    x[0] = 4.0;
}
static void tank_f(double t, const double *x, double *f) {
    (void)t;
    f[0] = -0.35 * sqrt(x[0]);
}
static void tank_df(double t, const double *x, double *d) {
    (void)t;
    d[0] = -0.175 / sqrt(x[0]);
}
static void sine_start(double *x) {
    x[0] = 0.0;
}
static void sine_f(double t, const double *x, double *f) {
    (void)x;
    f[0] = sin(t);
}
static void chain_start(double *x) {
    for (int i = 0; i < CHAIN; i++) {
        x[i] = 15.0 + 5.0 * cos(0.1 * i);
    }
}
static void chain_f(double t, const double *x, double *f) {
    (void)t;
    for (int i = 0; i < CHAIN; i++) {
        double left = i > 0 ? x[i - 1] : 22.0, right = i + 1 < CHAIN ? x[i + 1] : 10.0;
        f[i] = left - 2.0 * x[i] + right + (i == 50 ? 2.0 : 0.0);
    }
}
static void chain_df(double t, const double *x, double *d) {
    (void)t, (void)x;
    for (int i = 0; i < CHAIN; i++) {
        d[i] = -2.0;
    }
}

static const problem problems[] = {
    {"a ball between two bounces", 2, 0.4, 0.9, ball_start, ball_f, NULL, 0.0},
    {"a tank that drains", 1, 3.0, 2.4, tank_start, tank_f, tank_df, 0.0},
    {"the integral of sin t over half a turn", 1, 3.0, 3.141592653589793, sine_start, sine_f, NULL, 0.0},
    {"a chain of 100 cells with a thermostat", CHAIN, 20.0, 8.0, chain_start, chain_f, chain_df, 1.0}};

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    const problem *p = user;
    p->f(t, x, r);
    for (int i = 0; i < p->n; i++) {
        r[i] = dx[i] - r[i];
    }
    return 0;
}

static int32_t starts[MOST + 1], rows[3 * MOST];
static uint8_t kinds[3 * MOST];

/* The pattern is that of a chain; of the ball, too. */
static sl_dae_pattern pattern_of(const problem *p) {
    int32_t n = 0;
    for (int j = 0; j < p->n; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < p->n) {
                kinds[n] = (uint8_t)(SL_DAE_X | SL_DAE_NONLINEAR | (i == j ? SL_DAE_DX : 0));
                rows[n++] = i;
            }
        }
        starts[j + 1] = n;
    }
    return (sl_dae_pattern){p->n, p->n, starts, rows, kinds};
}

static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    const problem *p = user;
    double diagonal[MOST] = {0};
    int32_t n = 0;
    (void)dx;
    if (p->df) {
        p->df(t, x, diagonal);
    }
    for (int j = 0; j < p->n; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < p->n) {
                bool ball = p->n == 2 && i == 0 && j == 1;
                values[n++] = i == j ? b - a * diagonal[j] : ball ? -a : -a * p->beside;
            }
        }
    }
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct outcome {
    int64_t n_step, n_residual;
    double seconds, x[MOST], middle[MOST];
} outcome;

static void must(sl_status status) {
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_status_text(status));
        exit(1);
    }
}

/* From time a to b; middle: values at m, or where it began; what happened after m counts. */
static void run(sl_context *ctx, const problem *p, double rtol, double a, double m, double b, const double *from,
                outcome *out) {
    sl_dae_system system = {.pattern = pattern_of(p), .user = (void *)p, .residual = residual, .jacobian = jacobian};
    sl_dae_def def = sl_dae_default();
    sl_dae *d = NULL;
    sl_dae_step_info info;
    double x[MOST], dx[MOST];
    def.rtol = rtol;
    def.atol = 1e-3 * rtol;
    def.n_restart = 0;
    must(sl_dae_create(ctx, &system, &def, NULL, &d));
    memcpy(x, from, (size_t)p->n * sizeof *x);
    memcpy(out->middle, from, sizeof x);
    double t = a, t0 = now();
    int64_t before = 0, steps = 0;
    bool arrived = a >= m;
    must(sl_dae_init(d, a, x, dx, NULL, NULL));
    before = sl_dae_statistics(d).n_residual;
    must(sl_dae_start(d, a, x, dx, b, NULL, NULL));
    while (t < b) {
        must(sl_dae_step(d, NULL, &info));
        t = info.end;
        if (!arrived && t >= m) { /* the step that comes to the piece belongs to what was before */
            must(sl_dae_interpolate(d, m, out->middle, dx));
            arrived = true;
            before = sl_dae_statistics(d).n_residual;
            t0 = now();
            continue;
        }
        steps += arrived;
    }
    out->seconds = now() - t0;
    out->n_step = steps;
    out->n_residual = sl_dae_statistics(d).n_residual - before;
    memcpy(out->x, sl_dae_x(d), (size_t)p->n * sizeof *x);
    sl_dae_destroy(d);
}

static double distance(const problem *p, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < p->n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

/* One problem at one tolerance: a row. */
static void compare(sl_context *ctx, const problem *p, double rtol) {
    static outcome exact, begun, arrived;
    double from[MOST], m = p->before, b = p->before + p->length, seconds[2] = {(double)INFINITY, (double)INFINITY};
    p->start(from);
    for (int i = 0; i < 200; i++) {
        run(ctx, p, rtol, 0.0, m, b, from, &arrived);
        run(ctx, p, rtol, m, m, b, arrived.middle, &begun);
        seconds[0] = fmin(seconds[0], begun.seconds);
        seconds[1] = fmin(seconds[1], arrived.seconds);
    }
    run(ctx, p, 1e-13, m, m, b, arrived.middle, &exact);
    printf("%s,%g,%lld,%lld,%.3g,%.3g,%lld,%lld,%.3g,%.3g\n", p->name, rtol, (long long)begun.n_step,
           (long long)begun.n_residual, distance(p, begun.x, exact.x), seconds[0], (long long)arrived.n_step,
           (long long)arrived.n_residual, distance(p, arrived.x, exact.x), seconds[1]);
}

int main(void) {
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    sl_context *ctx = NULL;
    must(sl_context_create(NULL, &ctx));
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        for (size_t l = 0; l < sizeof tolerances / sizeof *tolerances; l++) {
            compare(ctx, &problems[k], tolerances[l]);
        }
    }
    sl_context_destroy(ctx);
    return 0;
}
