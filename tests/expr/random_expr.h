/* SPDX-License-Identifier: MIT */
/* random_expr.h: a graph with a few names, random expressions in it, and a walk of their own over complex numbers. */
#ifndef SL_TEST_RANDOM_EXPR_H
#define SL_TEST_RANDOM_EXPR_H

#include "sl_test.h"

#include <complex.h>

#include "base/out.h"
#include "expr/expr.h"

enum { N_VARIABLE = 5, N_PARAMETER = 3, N_LEAF = 2 * N_VARIABLE + N_PARAMETER + 1 };

typedef struct bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    int32_t table;
} bench;

/* x0 .. x4 (x4 Boolean), p0 .. p2, the table tab. */
void bench_init(bench *b);
void bench_fini(bench *b);
sl_expr bench_parse(bench *b, const char *text);
/* Borrowed until the next call. */
const char *bench_text(bench *b, sl_expr e, sl_expr_form form);

typedef struct point {
    double t, x[4][N_VARIABLE], p[N_PARAMETER];
} point;
sl_expr_point point_of(const point *at);
/* Away from 0, moderate; x4 is 0 or 1. */
point random_point(uint64_t *seed);
double bench_eval(bench *b, sl_expr e, const point *at);

enum { SMOOTH = 0, KINKED = 1, LOGIC = 2 };
/* An expression of about so many nodes that is defined near every random point. */
sl_expr random_expr(bench *b, uint64_t *seed, int size, int kind);

/* The derivative at a point by a leaf by a complex step, with a walk that knows nothing of diff.c. Smooth ones only. */
double complex_step(bench *b, sl_expr e, const point *at, sl_expr by);

#endif
