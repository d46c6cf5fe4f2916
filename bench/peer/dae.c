/* SPDX-License-Identifier: MIT */
/* dae.c: differential-algebraic equations as one writes them: time to analyse, to find a start, to reduce and to integrate, by the same IDA and
 * KLU on the equations as they are and on what reduction leaves of them.
 *
 *     dae fluxes N      a conduction chain of N cells with its fluxes and reactions as variables: 3 N - 1 equations, index 1
 *     dae levels N      N/3 vessels with a level, an area and a volume that follow from each other: N equations, index 1
 *     dae joined N      N/4 pairs of masses that are rigidly joined by their speeds: N equations, index 2; as they are they are not integrated
 *
 * Prints equations, unknowns left; seconds of the processor to make (with the reduction, if any), to find the start values, to integrate as
 * they are, reduced; steps of both; largest difference at the end of what both have.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dae/dae.h"
#include "dae/equations.h"
#include "dae/initial.h"

static sl_exprs *g;
static sl_diags *diags;
static sl_context *ctx;
static sl_expr *rows;
static sl_initial_value *starts;
static int32_t n_row, n_variable;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(int status, const char *what) {
    if (status != 0) {
        fprintf(stderr, "%s: %d %s\n", what, status, sl_diags_size(diags) ? sl_diags_at(diags, 0)->text : "");
        exit(1);
    }
}

static void declare(sl_initial_kind kind, double start, const char *fmt, int i) {
    char name[32];
    sl_expr e;
    int n = snprintf(name, sizeof name, fmt, i); /* NOLINT(clang-diagnostic-format-nonliteral): of this file */
    must((int)sl_expr_declare_variable(g, (sl_str){name, (size_t)n}, 0, NULL, diags, &e), name);
    starts[n_variable++] =
        (sl_initial_value){.start = start, .low = -(double)INFINITY, .high = (double)INFINITY, .kind = kind};
}

static void equation(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void equation(const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_expr e = SL_EXPR_NONE;
    must((int)sl_expr_parse(g, sl_str_z(text), NULL, diags, &e), text);
    rows[n_row++] = sl_expr_residual(g, e);
}

static void make_fluxes(int n) {
    for (int i = 0; i < n; i++) {
        declare(SL_INITIAL_FIXED, 1.0 + sin(1e-4 * i), "x%d", i);
        declare(SL_INITIAL_GUESS, 1.0, "r%d", i);
        if (i + 1 < n) {
            declare(SL_INITIAL_GUESS, 0.0, "f%d", i);
        }
    }
    for (int i = 0; i < n; i++) {
        char in[32] = "", out[32] = "";
        if (i > 0) {
            (void)snprintf(in, sizeof in, "f%d", i - 1);
        }
        if (i + 1 < n) {
            (void)snprintf(out, sizeof out, " - f%d", i);
            equation("f%d = 100*(x%d - x%d)", i, i, i + 1);
        }
        equation("der(x%d) = %s%s - r%d", i, in, out, i);
        equation("r%d = x%d^3", i, i);
    }
}

static void make_levels(int n) {
    for (int i = 0; i < n / 3; i++) {
        declare(SL_INITIAL_FIXED, 1.0 + 0.5 * sin(0.1 * i), "h%d", i);
        declare(SL_INITIAL_GUESS, 1.0, "a%d", i);
        declare(SL_INITIAL_GUESS, 1.0, "q%d", i);
    }
    for (int i = 0; i < n / 3; i++) {
        equation("(2 + sin(h%d))*der(h%d) = a%d - q%d", i, i, i, i);
        equation("a%d = 1 + 0.5*sin(20*t + %d)", i, i % 7);
        equation("q%d^3 + q%d = h%d", i, i, i);
    }
}

static void make_joined(int n) {
    for (int i = 0; i < n / 4; i++) {
        declare(SL_INITIAL_START, 0.0, "x%d", i);
        declare(SL_INITIAL_START, 1.0, "v%d", i);
        declare(SL_INITIAL_START, 1.0, "w%d", i);
        declare(SL_INITIAL_GUESS, 0.0, "f%d", i);
    }
    for (int i = 0; i < n / 4; i++) {
        equation("der(x%d) = v%d", i, i);
        equation("der(v%d) = -x%d - f%d", i, i, i);
        equation("2*der(w%d) = f%d", i, i);
        equation("w%d = v%d", i, i);
    }
}

static const char *name(const void *user, sl_initial_subject subject, int32_t i) {
    (void)user, (void)i;
    return subject == SL_INITIAL_VARIABLE ? "variable" : "equation";
}

typedef struct run {
    double make, seconds;
    long long steps;
    int unknowns;
    double *x;
} run;

static run integrate(bool reduces, const double *x0, double t_end) {
    run r = {.x = malloc(((size_t)n_variable + 1) * sizeof(double))};
    sl_equation_set set;
    sl_equations *e = NULL;
    sl_dae *d = NULL;
    sl_dae_def def = sl_dae_default();
    int32_t *all = malloc((size_t)n_row * sizeof *all);
    for (int32_t k = 0; k < n_row; k++) {
        all[k] = k;
    }
    double t0 = now(), p = 0.0;
    must((int)sl_equation_set_init(&set, ctx, g, n_row, rows, NULL, NULL, diags), "set");
    set.reduces = reduces;
    must((int)sl_equations_create(&set, sl_exprs_walk(g), n_row, all, 0, NULL, &p, NULL, &e), "equations");
    const sl_dae_system *s = sl_equations_system(e);
    r.make = now() - t0;
    r.unknowns = (int)s->pattern.n_variable;
    def.first_step = 1e-7;
    def.is_checked = true;
    must((int)sl_dae_create(ctx, s, &def, diags, &d), "integrator");
    size_t n = (size_t)sl_dae_n_value(s);
    double *dx = calloc(n + 1, sizeof *dx);
    memcpy(r.x, x0, n * sizeof *x0);
    must((int)sl_dae_init(d, 0.0, r.x, dx, NULL, diags), "start");
    must((int)sl_dae_start(d, 0.0, r.x, dx, t_end, NULL, diags), "begin");
    sl_dae_step_info info = {.at_limit = false};
    t0 = now();
    while (!info.at_limit) {
        must((int)sl_dae_step(d, diags, &info), "step");
    }
    r.seconds = now() - t0;
    r.steps = sl_dae_statistics(d).n_step;
    memcpy(r.x, sl_dae_x(d), n * sizeof *r.x);
    sl_dae_destroy(d);
    sl_equations_destroy(e);
    sl_equation_set_fini(&set);
    free(dx);
    free(all);
    return r;
}

int main(int argc, char **argv) {
    int n = argc > 2 ? atoi(argv[2]) : 3000;
    const char *what = argc > 1 ? argv[1] : "fluxes";
    bool is_joined = strcmp(what, "joined") == 0;
    rows = malloc((3 * (size_t)n + 3) * sizeof *rows);
    starts = malloc((3 * (size_t)n + 3) * sizeof *starts);
    must((int)sl_context_create(NULL, &ctx), "context");
    must((int)sl_diags_create(ctx, &diags), "messages");
    g = sl_exprs_create(ctx);
    (is_joined ? make_joined : strcmp(what, "levels") == 0 ? make_levels : make_fluxes)(n);
    size_t m = (size_t)n_variable + 1;
    double *x = malloc(m * sizeof *x), p = 0.0, t0 = now();
    uint8_t *held = malloc(m);
    sl_initial_def def = {.g = g, .n_equation = n_row, .equations = rows, .values = starts, .p = &p, .name = name};
    sl_initial out;
    must((int)sl_initial_solve(ctx, &def, x, NULL, held, &out, diags), "start values");
    double start = now() - t0;
    run reduced = integrate(true, x, 1.0), plain = {.x = reduced.x};
    if (!is_joined) {
        plain = integrate(false, x, 1.0);
    }
    double most = 0.0;
    for (int32_t k = 0; k < n_variable; k++) {
        most = fmax(most, fabs(plain.x[k] - reduced.x[k]));
    }
    printf("%d %d %.6f %.6f %.6f %.6f %lld %lld %.3g\n", (int)n_row, reduced.unknowns, reduced.make, start,
           plain.seconds, reduced.seconds, plain.steps, reduced.steps, most);
    return 0;
}
