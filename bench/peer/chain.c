/* SPDX-License-Identifier: MIT */
/* chain.c: a conduction chain of 100 000 equations, integrated by an execution of a hybrid automaton that is made from expressions, and
 * by plain IDA with KLU and a residual written by hand. The same tolerances, the same first step, to t = 1.
 *
 * Prints equations; seconds of the processor and steps of the execution, of plain IDA; the largest difference of their states.
 */
#include <ida/ida.h>
#include <klu.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <time.h>

#include "automata/sha.h"

enum { N = 100000 };
static const double end = 1.0;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(int status, const char *what) {
    if (status != 0) {
        fprintf(stderr, "%s: %d\n", what, status);
        exit(1);
    }
}

static double start_of(int i) {
    return 1.0 + sin(1e-4 * i);
}

/* ---- By hand ------------------------------------------------------------------------------------ */

static double slope(const double *x, int i) {
    int left = i > 0 ? i - 1 : i, right = i + 1 < N ? i + 1 : i;
    return 100.0 * (x[left] - 2.0 * x[i] + x[right]) - x[i] * x[i] * x[i];
}

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user) {
    const double *x = NV_DATA_S(y), *dx = NV_DATA_S(yp);
    double *out = NV_DATA_S(r);
    (void)t, (void)user;
    for (int i = 0; i < N; i++) {
        out[i] = dx[i] - slope(x, i);
    }
    return 0;
}

static int columns[N + 1], rows[3 * N];
static double values[3 * N];
static klu_common common;
static klu_symbolic *symbolic;
static klu_numeric *numeric;

static void make_pattern(void) {
    int n = 0;
    for (int j = 0; j < N; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < N; i++) {
            rows[n++] = i;
        }
        columns[j + 1] = n;
    }
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix m, void *user,
                    N_Vector a, N_Vector b, N_Vector d) {
    const double *x = NV_DATA_S(y);
    int k = 0;
    (void)t, (void)yp, (void)r, (void)m, (void)user, (void)a, (void)b, (void)d;
    for (int j = 0; j < N; j++) {
        double ends = j == 0 || j == N - 1 ? 100.0 : 200.0;
        for (; k < columns[j + 1]; k++) {
            values[k] = rows[k] == j ? c + ends + 3.0 * x[j] * x[j] : -100.0;
        }
    }
    return 0;
}

static SUNMatrix_ID matrix_id(SUNMatrix m) {
    (void)m;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix m) {
    (void)m;
    return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_CUSTOM;
}

static int setup(SUNLinearSolver s, SUNMatrix m) {
    (void)s, (void)m;
    if (!numeric) {
        numeric = klu_factor(columns, rows, values, symbolic, &common);
        return numeric == NULL;
    }
    return !klu_refactor(columns, rows, values, symbolic, numeric, &common);
}

static int solve(SUNLinearSolver s, SUNMatrix m, N_Vector x, N_Vector b, sunrealtype tol) {
    (void)s, (void)m, (void)tol;
    if (x != b) {
        memcpy(NV_DATA_S(x), NV_DATA_S(b), N * sizeof(double));
    }
    return !klu_solve(symbolic, numeric, N, 1, NV_DATA_S(x), &common);
}

/* The state at the end goes to x. */
static void run_plain(double first_step, double *x, double *seconds, long *steps) {
    SUNContext sun = NULL;
    must(SUNContext_Create(NULL, &sun), "context");
    N_Vector y = N_VNew_Serial(N, sun), yp = N_VNew_Serial(N, sun);
    SUNMatrix m = SUNMatNewEmpty(sun);
    SUNLinearSolver s = SUNLinSolNewEmpty(sun);
    void *ida = IDACreate(sun);
    make_pattern();
    (void)klu_defaults(&common);
    common.scale = 2;
    symbolic = klu_analyze(N, columns, rows, &common);
    m->ops->getid = matrix_id;
    m->ops->zero = matrix_zero;
    s->ops->gettype = solver_type;
    s->ops->getid = solver_id;
    s->ops->setup = setup;
    s->ops->solve = solve;
    for (int i = 0; i < N; i++) {
        NV_DATA_S(y)[i] = start_of(i);
    }
    for (int i = 0; i < N; i++) {
        NV_DATA_S(yp)[i] = slope(NV_DATA_S(y), i);
    }
    double t0 = now();
    must(IDAInit(ida, residual, 0.0, y, yp), "init");
    must(IDASStolerances(ida, 1e-6, 1e-9), "tolerances");
    must(IDASetLinearSolver(ida, s, m), "solver");
    must(IDASetJacFn(ida, jacobian), "jacobian");
    must(IDASetInitStep(ida, first_step), "step");
    must(IDASetStopTime(ida, end), "end");
    double t = 0.0;
    while (t < end) {
        int flag = IDASolve(ida, end, &t, y, yp, IDA_ONE_STEP);
        must(flag < 0, "solve");
    }
    *seconds = now() - t0;
    must(IDAGetNumSteps(ida, steps), "steps");
    memcpy(x, NV_DATA_S(y), N * sizeof *x);
}

/* ---- From expressions --------------------------------------------------------------------------- */

static sl_exprs *g;
static sl_diags *diags;

static sl_expr parse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static sl_expr parse(const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_expr e = SL_EXPR_NONE;
    must((int)sl_expr_parse(g, sl_str_z(text), NULL, diags, &e), text);
    return e;
}

int main(void) {
    static double plain_x[N];
    sl_context *ctx = NULL;
    sl_sha *a = NULL;
    sl_hybrid *h = NULL;
    must((int)sl_context_create(NULL, &ctx), "context");
    must((int)sl_diags_create(ctx, &diags), "messages");
    g = sl_exprs_create(ctx);
    must((int)sl_sha_create(ctx, g, &a), "automaton");
    sl_expr always = parse("true");
    for (int i = 0; i < N; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "x[%d]", i);
        must((int)sl_sha_add_variable(a, sl_str_z(name), start_of(i), 0.0, NULL, diags, NULL), "variable");
    }
    for (int i = 0; i < N; i++) {
        int left = i > 0 ? i - 1 : i, right = i + 1 < N ? i + 1 : i;
        must((int)sl_sha_add_activity(
                 a, (sl_str){"", 0},
                 parse("der(x[%d]) = 100*(x[%d] - 2*x[%d] + x[%d]) - x[%d]^3", i, left, i, right, i), always, NULL,
                 diags),
             "activity");
    }
    must((int)sl_sha_finish(a, diags), "finish");
    sl_hybrid_def def = sl_hybrid_default();
    def.end = end;
    def.dae.first_step = 1e-7;
    sl_hybrid_info info;
    must((int)sl_hybrid_create(ctx, &sl_sha_ops, a, &def, diags, &h), "execution");
    /* The analysis of structure and the tapes are made once: motion alone is compared, on both sides
     * without KLU's analysis. */
    must((int)sl_hybrid_next(h, SL_HYBRID_SETTLED, diags, &info), "begin");
    double t0 = now(), seconds, plain;
    must((int)sl_hybrid_next(h, SL_HYBRID_STOP, diags, &info), "run");
    seconds = now() - t0;
    long steps = 0;
    run_plain(def.dae.first_step, plain_x, &plain, &steps);
    double most = 0.0;
    for (int i = 0; i < N; i++) {
        most = fmax(most, fabs(plain_x[i] - sl_hybrid_x(h)[i]));
    }
    printf("%d %.6f %lld %.6f %ld %.3g\n", N, seconds, (long long)sl_hybrid_statistics(h).dae.n_step, plain, steps,
           most);
    sl_hybrid_destroy(h);
    sl_sha_destroy(a);
    sl_exprs_destroy(g);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
