/* SPDX-License-Identifier: MIT */
/* tape.c: one residual of 10 000 equations, evaluated by a tape, by a walk over a tree of nodes, and by C.
 *
 * Two equations per cell of a pipe, coefficients of its own in every cell:
 *     mass      der(h_i) + c_i (q_(i+1) - q_i) = 0
 *     momentum  der(q_i) + b_i (h_i - h_(i-1)) + r_i q_i |q_i| + s_i sqrt(abs(h_i)) = 0
 * Prints seconds per evaluation: tape, walk, C (one loop, vector code), and the times to build.
 * With -g prints the residual as C, one statement per equation, for bench/hybrid.py to compile.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/out.h"
#include "expr/tape.h"
#include "numeric/vecmath.h"

enum { CELLS = 5000, N = 2 * CELLS };

static double x[N], dx[N], p[4 * CELLS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- A tree, as an interpreter has it ------------------------------------------------------------ */

typedef struct tree {
    sl_op op;
    int n;
    double value;
    const double *at;
    struct tree **args;
} tree;

static tree *grow(sl_exprs *g, sl_expr e) {
    tree *t = calloc(1, sizeof *t);
    t->op = sl_expr_op(g, e);
    t->n = sl_expr_n_arg(g, e);
    if (t->op == SL_OP_CONST) {
        t->value = sl_expr_value(g, e);
    } else if (t->n == 0) {
        t->at = t->op == SL_OP_PARAMETER ? p : sl_expr_order(g, e) ? dx : x;
        t->at += sl_expr_symbol(g, e);
    }
    t->args = calloc((size_t)t->n + 1, sizeof *t->args);
    for (int i = 0; i < t->n; i++) {
        t->args[i] = grow(g, sl_expr_args(g, e)[i]);
    }
    return t;
}

static double walk(const tree *t) {
    double y;
    switch ((int)t->op) {
    case SL_OP_CONST: return t->value;
    case SL_OP_VARIABLE:
    case SL_OP_PARAMETER: return *t->at;
    case SL_OP_ADD:
        y = walk(t->args[0]);
        for (int i = 1; i < t->n; i++) {
            y += walk(t->args[i]);
        }
        return y;
    case SL_OP_MUL:
        y = walk(t->args[0]);
        for (int i = 1; i < t->n; i++) {
            y *= walk(t->args[i]);
        }
        return y;
    case SL_OP_NEG: return -walk(t->args[0]);
    case SL_OP_ABS: return fabs(walk(t->args[0]));
    case SL_OP_SQRT: return sqrt(walk(t->args[0]));
    default: abort();
    }
}

/* ---- C -------------------------------------------------------------------------------------------- */

SL_SIMD(void, by_c, (const double *at, const double *rate, const double *k, double *out), (at, rate, k, out)) {
    const double *ch = at, *cq = at + CELLS, *dh = rate, *dq = rate + CELLS;
    const double *kc = k, *kb = k + CELLS, *kr = k + 2 * CELLS, *ks = k + 3 * CELLS;
    double *mass = out, *momentum = out + CELLS;
#pragma omp simd
    for (int i = 0; i < CELLS - 1; i++) {
        mass[i] = dh[i] + kc[i] * (cq[i + 1] - cq[i]);
    }
    mass[CELLS - 1] = dh[CELLS - 1] - kc[CELLS - 1] * cq[CELLS - 1];
    momentum[0] = dq[0] + kb[0] * ch[0] + kr[0] * cq[0] * fabs(cq[0]) + ks[0] * sqrt(fabs(ch[0]));
#pragma omp simd
    for (int i = 1; i < CELLS; i++) {
        momentum[i] = dq[i] + kb[i] * (ch[i] - ch[i - 1]) + kr[i] * cq[i] * fabs(cq[i]) + ks[i] * sqrt(fabs(ch[i]));
    }
}

/* ---- Expressions ---------------------------------------------------------------------------------- */

static sl_expr times(sl_exprs *g, sl_expr a, sl_expr e) {
    return sl_expr_2(g, SL_OP_MUL, a, e);
}

static void build(sl_exprs *g, sl_expr *rows) {
    sl_expr e, *v = malloc(N * sizeof *v), *k = malloc(4 * CELLS * sizeof *k);
    char name[32];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "%c[%d]", i < CELLS ? 'h' : 'q', i % CELLS);
        (void)sl_expr_declare_variable(g, sl_str_z(name), 0, NULL, NULL, &v[i]);
    }
    for (int i = 0; i < 4 * CELLS; i++) {
        snprintf(name, sizeof name, "%c[%d]", "cbrs"[i / CELLS], i % CELLS);
        (void)sl_expr_declare_parameter(g, sl_str_z(name), 0, NULL, NULL, &k[i]);
    }
    for (int i = 0; i < CELLS; i++) {
        sl_expr hi = v[i], qi = v[CELLS + i];
        e = i + 1 < CELLS ? sl_expr_minus(g, v[CELLS + i + 1], qi) : sl_expr_1(g, SL_OP_NEG, qi);
        rows[i] = sl_expr_2(g, SL_OP_ADD, sl_expr_variable(g, i, 1), times(g, k[i], e));
        e = i > 0 ? sl_expr_minus(g, hi, v[i - 1]) : hi;
        sl_expr terms[4] = {sl_expr_variable(g, CELLS + i, 1), times(g, k[CELLS + i], e),
                            sl_expr_3(g, SL_OP_MUL, k[2 * CELLS + i], qi, sl_expr_1(g, SL_OP_ABS, qi)),
                            times(g, k[3 * CELLS + i], sl_expr_1(g, SL_OP_SQRT, sl_expr_1(g, SL_OP_ABS, hi)))};
        rows[CELLS + i] = sl_expr_make(g, SL_OP_ADD, 4, terms);
    }
    free(v);
    free(k);
}

static sl_status to_stdout(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stdout) == n ? SL_OK : SL_ERR_IO;
}

static void print_c(sl_exprs *g, const sl_expr *rows) {
    sl_sink sink = {NULL, to_stdout};
    printf("#include <math.h>\nvoid residual(const double *x, const double *x1, const double *p, double *out);\n"
           "void residual(const double *x, const double *x1, const double *p, double *out) {\n");
    for (int i = 0; i < N; i++) {
        printf("out[%d] = ", i);
        (void)sl_expr_render(g, rows[i], SL_EXPR_C, &sink);
        printf(";\n");
    }
    printf("}\n");
}

#ifdef WITH_GENERATED
void residual(const double *x, const double *x1, const double *p, double *out);
#endif

/* Seconds of one evaluation: the best of many rounds of many. */
#define MEASURE(result, rounds, statement)                  \
    do {                                                    \
        (result) = 1e9;                                     \
        for (int round_ = 0; round_ < (rounds); round_++) { \
            double begin_ = now();                          \
            for (int k_ = 0; k_ < 20; k_++) {               \
                statement;                                  \
            }                                               \
            double took_ = (now() - begin_) / 20.0;         \
            (result) = took_ < (result) ? took_ : (result); \
        }                                                   \
    } while (0)

int main(int argc, char **argv) {
    static sl_expr rows[N];
    static tree *trees[N];
    static double out[4][N];
    sl_context *ctx = NULL;
    if (sl_context_create(NULL, &ctx) != SL_OK) {
        return 1;
    }
    for (int i = 0; i < N; i++) {
        x[i] = sin(i), dx[i] = cos(i);
    }
    for (int i = 0; i < 4 * CELLS; i++) {
        p[i] = 1.0 + 0.5 * sin(3.0 * i);
    }
    sl_exprs *g = sl_exprs_create(ctx);
    double t0 = now();
    build(g, rows);
    double t1 = now();
    if (argc > 1 && strcmp(argv[1], "-g") == 0) {
        print_c(g, rows);
        return 0;
    }
    sl_tape *tape = NULL, *jtape = NULL;
    if (sl_tape_create(g, sl_exprs_walk(g), N, rows, &tape) != SL_OK) {
        return 1;
    }
    double t2 = now();
    static int32_t columns[N];
    for (int i = 0; i < N; i++) {
        columns[i] = i;
        trees[i] = grow(g, rows[i]);
    }
    double t3 = now();
    sl_jacobian_def def = {{columns, columns}, {-1, -1, -1, -1}};
    sl_jacobian j;
    if (sl_jacobian_create(g, N, rows, &def, &j) != SL_OK ||
        sl_tape_create(g, sl_exprs_walk(g), (int32_t)j.nnz, j.entry, &jtape) != SL_OK) {
        return 1;
    }
    double t4 = now();
    void *work = malloc(sl_tape_work_size(tape)), *jwork = malloc(sl_tape_work_size(jtape));
    double *jac = malloc((size_t)j.nnz * sizeof *jac);
    sl_expr_point at = {.x = {x, dx}, .p = p};
    double by_tape, by_walk, by_loop, by_generated = 0.0, by_jtape;
    MEASURE(by_tape, 100, sl_tape_eval(tape, &at, work, out[0]));
    MEASURE(by_walk, 10, for (int i = 0; i < N; i++) out[1][i] = walk(trees[i]));
    MEASURE(by_loop, 100, by_c(x, dx, p, out[2]));
#ifdef WITH_GENERATED
    MEASURE(by_generated, 100, residual(x, dx, p, out[3]));
#else
    memcpy(out[3], out[0], sizeof out[0]);
#endif
    MEASURE(by_jtape, 100, sl_tape_eval(jtape, &at, jwork, jac));
    for (int k = 1; k < 4; k++) {
        for (int i = 0; i < N; i++) {
            if (!(fabs(out[k][i] - out[0][i]) <= 1e-14)) {
                fprintf(stderr, "evaluation %d differs in equation %d: %.17g, %.17g\n", k, i, out[k][i], out[0][i]);
                return 1;
            }
        }
    }
    sl_tape_stats stats = sl_tape_get_stats(tape), jstats = sl_tape_get_stats(jtape);
    printf("%g %g %g %g %g %g %g %g %d %d %lld\n", by_tape, by_walk, by_loop, by_generated, by_jtape, t1 - t0, t2 - t1,
           t4 - t3, (int)stats.n_loop, (int)jstats.n_loop, (long long)j.nnz);
    return 0;
}
