/* SPDX-License-Identifier: MIT */
/* random_expr.c: see random_expr.h. */
#include "random_expr.h"

static char rendered[1 << 20];

void bench_init(bench *b) {
    *b = (bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_diags_create(b->ctx, &b->diags));
    b->g = sl_exprs_create(b->ctx);
    assert_non_null(b->g);
    static const char *const names[] = {"x0", "x1", "x2", "x3", "x4", "p0", "p1", "p2"};
    sl_expr e;
    for (int i = 0; i < N_VARIABLE; i++) {
        sl_assert_ok(
            sl_expr_declare_variable(b->g, sl_str_z(names[i]), i == 4 ? SL_SYMBOL_BOOLEAN : 0, NULL, b->diags, &e));
    }
    for (int i = 0; i < N_PARAMETER; i++) {
        sl_assert_ok(sl_expr_declare_parameter(b->g, sl_str_z(names[N_VARIABLE + i]), 0, NULL, b->diags, &e));
    }
    const double x[] = {-2.0, -0.25, 0.5, 3.0}, y[] = {1.0, 2.0, -1.0, 4.0};
    sl_assert_ok(sl_expr_declare_table(b->g, sl_str_z("tab"), 4, x, y, NULL, b->diags, &b->table));
}

void bench_fini(bench *b) {
    sl_exprs_destroy(b->g);
    sl_diags_destroy(b->diags);
    sl_test_context_end(b->ctx, &b->memory);
}

sl_expr bench_parse(bench *b, const char *text) {
    sl_expr e;
    sl_status status = sl_expr_parse(b->g, sl_str_z(text), NULL, b->diags, &e);
    if (status != SL_OK) {
        print_error("%s: %s\n", text, sl_diags_size(b->diags) ? sl_diags_at(b->diags, 0)->text : "");
    }
    sl_assert_ok(status);
    return e;
}

const char *bench_text(bench *b, sl_expr e, sl_expr_form form) {
    sl_bytes bytes;
    sl_bytes_init(&bytes, b->ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_assert_ok(sl_expr_render(b->g, e, form, &sink));
    assert_true(bytes.n < (int64_t)sizeof rendered);
    memcpy(rendered, bytes.at, (size_t)bytes.n);
    rendered[bytes.n] = '\0';
    sl_bytes_fini(&bytes);
    return rendered;
}

sl_expr_point point_of(const point *at) {
    return (sl_expr_point){.t = at->t, .x = {at->x[0], at->x[1], at->x[2], at->x[3]}, .p = at->p};
}

static double moderate(uint64_t *seed) {
    double sign = sl_test_below(seed, 2) ? 1.0 : -1.0;
    return sign * (0.2 + 1.6 * sl_test_unit(seed));
}
point random_point(uint64_t *seed) {
    point at = {.t = fabs(moderate(seed))};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < N_VARIABLE; i++) {
            at.x[k][i] = moderate(seed);
        }
    }
    for (int i = 0; i < N_PARAMETER; i++) {
        at.p[i] = moderate(seed);
    }
    at.x[0][4] = (double)sl_test_below(seed, 2);
    return at;
}

double bench_eval(bench *b, sl_expr e, const point *at) {
    sl_expr_point where = point_of(at);
    double y;
    sl_assert_ok(sl_expr_eval(b->g, e, &where, &y));
    return y;
}

/* ---- Random expressions --------------------------------------------------------------------------- */

static sl_expr random_leaf(bench *b, uint64_t *seed) {
    switch (sl_test_below(seed, 6)) {
    case 0: return sl_expr_const(b->g, round(moderate(seed) * 40.0) / 8.0);
    case 1: return sl_expr_parameter(b->g, (int32_t)sl_test_below(seed, N_PARAMETER));
    case 2: return sl_expr_time(b->g);
    case 3: return sl_expr_variable(b->g, (int32_t)sl_test_below(seed, N_VARIABLE), 1);
    default: return sl_expr_variable(b->g, (int32_t)sl_test_below(seed, 4), 0);
    }
}
/* 1 + e^2: where a divisor or the argument of a logarithm has to be away from 0. */
static sl_expr safe(bench *b, sl_expr e) {
    return sl_expr_2(b->g, SL_OP_ADD, sl_expr_const(b->g, 1.0),
                     sl_expr_2(b->g, SL_OP_POW, e, sl_expr_const(b->g, 2.0)));
}
/* Bounded by 1 or so: what would explode. */
static sl_expr tamed(bench *b, sl_expr e) {
    return sl_expr_1(b->g, SL_OP_TANH, e);
}

static sl_expr random_smooth(bench *b, uint64_t *seed, int size) {
    static const sl_op bounded[] = {SL_OP_SIN, SL_OP_COS, SL_OP_ATAN, SL_OP_TANH};
    static const sl_op wild[] = {SL_OP_EXP, SL_OP_SINH, SL_OP_COSH, SL_OP_TAN};
    static const sl_op inverse[] = {SL_OP_ASIN, SL_OP_ACOS};
    static const sl_op positive[] = {SL_OP_SQRT, SL_OP_LOG, SL_OP_LOG10};
    sl_exprs *g = b->g;
    sl_expr a = random_expr(b, seed, size / 2, SMOOTH);
    switch (sl_test_below(seed, 12)) {
    case 0: return sl_expr_1(g, bounded[sl_test_below(seed, 4)], a);
    case 1: return sl_expr_1(g, wild[sl_test_below(seed, 4)], tamed(b, a));
    case 2:
        return sl_expr_1(g, inverse[sl_test_below(seed, 2)],
                         sl_expr_2(g, SL_OP_MUL, sl_expr_const(g, 0.5), tamed(b, a)));
    case 3: return sl_expr_1(g, positive[sl_test_below(seed, 3)], safe(b, a));
    case 4: return sl_expr_2(g, SL_OP_DIV, a, safe(b, random_expr(b, seed, size / 2, SMOOTH)));
    case 5: return sl_expr_2(g, SL_OP_POW, tamed(b, a), sl_expr_const(g, (double)sl_test_below(seed, 6)));
    case 6: return sl_expr_2(g, SL_OP_POW, safe(b, tamed(b, a)), tamed(b, random_expr(b, seed, size / 2, SMOOTH)));
    case 7: return sl_expr_2(g, SL_OP_ATAN2, a, safe(b, random_expr(b, seed, size / 2, SMOOTH)));
    case 8: return sl_expr_1(g, SL_OP_NEG, a);
    case 9: return sl_expr_2(g, SL_OP_MUL, a, random_expr(b, seed, size / 2, SMOOTH));
    default: {
        sl_expr args[4] = {a, random_expr(b, seed, size / 3, SMOOTH), random_expr(b, seed, size / 3, SMOOTH), a};
        return sl_expr_make(g, sl_test_below(seed, 3) ? SL_OP_ADD : SL_OP_MUL, 2 + (int32_t)sl_test_below(seed, 2),
                            args);
    }
    }
}

static sl_expr random_logic(bench *b, uint64_t *seed, int size) {
    sl_exprs *g = b->g;
    if (size < 3) {
        return sl_test_below(seed, 2) ? sl_expr_variable(g, 4, 0)
                                      : sl_expr_2(g, SL_OP_LT, random_leaf(b, seed), random_leaf(b, seed));
    }
    sl_expr args[3];
    for (int i = 0; i < 3; i++) {
        args[i] = random_expr(b, seed, size / 3, LOGIC);
    }
    switch (sl_test_below(seed, 5)) {
    case 0: return sl_expr_make(g, SL_OP_AND, 2 + (int32_t)sl_test_below(seed, 2), args);
    case 1: return sl_expr_make(g, SL_OP_OR, 2 + (int32_t)sl_test_below(seed, 2), args);
    case 2: return sl_expr_1(g, SL_OP_NOT, args[0]);
    case 3: return sl_expr_make(g, SL_OP_IF, 3, args);
    default:
        return sl_expr_2(g, (sl_op)(SL_OP_LT + sl_test_below(seed, 4)), random_expr(b, seed, size / 2, KINKED),
                         random_expr(b, seed, size / 2, KINKED));
    }
}

static sl_expr random_kinked(bench *b, uint64_t *seed, int size) {
    sl_exprs *g = b->g;
    sl_expr a = random_expr(b, seed, size / 2, KINKED), c = random_expr(b, seed, size / 2, KINKED);
    switch (sl_test_below(seed, 9)) {
    case 0: return sl_expr_2(g, SL_OP_MIN, a, c);
    case 1: return sl_expr_3(g, SL_OP_MAX, a, c, random_leaf(b, seed));
    case 2: return sl_expr_1(g, SL_OP_ABS, a);
    case 3: return sl_expr_3(g, SL_OP_IF, random_expr(b, seed, size / 3, LOGIC), a, c);
    case 4: return sl_expr_table(g, b->table, sl_test_below(seed, 4) == 0, a);
    case 5: return sl_expr_2(g, SL_OP_MOD, a, sl_expr_const(g, 1.5));
    case 6: return sl_expr_2(g, SL_OP_MUL, sl_expr_1(g, sl_test_below(seed, 2) ? SL_OP_SIGN : SL_OP_FLOOR, a), c);
    case 7: return sl_expr_2(g, SL_OP_ADD, a, sl_expr_1(g, SL_OP_CEIL, c));
    default: return sl_expr_2(g, SL_OP_ADD, a, c);
    }
}

sl_expr random_expr(bench *b, uint64_t *seed, int size, int kind) {
    if (kind == LOGIC) {
        return random_logic(b, seed, size);
    }
    if (size < 2) {
        return random_leaf(b, seed);
    }
    return kind == KINKED && sl_test_below(seed, 2) ? random_kinked(b, seed, size) : random_smooth(b, seed, size);
}

/* ---- Complex numbers ------------------------------------------------------------------------------- */

/* CMPLX, which not every compiler has. */
static double complex complex_of(double re, double im) {
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* asin of |z| < 1 near the real axis, in a form that keeps tiny imaginary parts. */
static double complex careful_asin(double complex z) {
    double x = creal(z);
    return complex_of(asin(x), cimag(z) / sqrt(1.0 - x * x));
}
static double complex careful_atan(double complex z) {
    double x = creal(z);
    return complex_of(atan(x), cimag(z) / (1.0 + x * x));
}

static double complex complex_leaf(bench *b, sl_expr e, const point *at, sl_expr by) {
    double h = e == by ? 1e-30 : 0.0;
    int32_t s = sl_expr_symbol(b->g, e);
    switch ((int)sl_expr_op(b->g, e)) {
    case SL_OP_CONST: return sl_expr_value(b->g, e);
    case SL_OP_VARIABLE: return complex_of(at->x[sl_expr_order(b->g, e)][s], h);
    case SL_OP_PARAMETER: return complex_of(at->p[s], h);
    default: return complex_of(at->t, h);
    }
}

static double complex complex_power(double complex x, double complex y) {
    double e = creal(y);
    if (cimag(y) == 0.0 && e == floor(e) && e >= 0.0) {
        double complex z = 1.0;
        for (int i = 0; i < (int)e; i++) {
            z *= x;
        }
        return z;
    }
    return cexp(y * clog(x));
}

static double complex walk(bench *b, sl_expr e, const point *at, sl_expr by) {
    int32_t n = sl_expr_n_arg(b->g, e);
    if (n == 0) {
        return complex_leaf(b, e, at, by);
    }
    const sl_expr *args = sl_expr_args(b->g, e);
    double complex v[8];
    for (int32_t i = 0; i < n; i++) {
        v[i] = walk(b, args[i], at, by);
    }
    double complex y = v[0];
    switch ((int)sl_expr_op(b->g, e)) {
    case SL_OP_ADD:
        for (int32_t i = 1; i < n; i++) {
            y += v[i];
        }
        return y;
    case SL_OP_MUL:
        for (int32_t i = 1; i < n; i++) {
            y *= v[i];
        }
        return y;
    case SL_OP_DIV: return v[0] / v[1];
    case SL_OP_NEG: return -y;
    case SL_OP_POW: return complex_power(v[0], v[1]);
    case SL_OP_SQRT: return csqrt(y);
    case SL_OP_EXP: return cexp(y);
    case SL_OP_LOG: return clog(y);
    case SL_OP_LOG10: return clog(y) / log(10.0);
    case SL_OP_SIN: return csin(y);
    case SL_OP_COS: return ccos(y);
    case SL_OP_TAN: return csin(y) / ccos(y);
    case SL_OP_ASIN: return careful_asin(y);
    case SL_OP_ACOS: return acos(-1.0) / 2.0 - careful_asin(y);
    case SL_OP_ATAN: return careful_atan(y);
    case SL_OP_SINH: return csinh(y);
    case SL_OP_COSH: return ccosh(y);
    case SL_OP_TANH: return csinh(y) / ccosh(y);
    case SL_OP_ATAN2: return careful_atan(v[0] / v[1]); /* the second is positive */
    default: fail(); return 0.0;
    }
}

double complex_step(bench *b, sl_expr e, const point *at, sl_expr by) {
    return cimag(walk(b, e, at, by)) / 1e-30;
}
