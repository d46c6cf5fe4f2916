/* SPDX-License-Identifier: MIT */
/* Tapes and live values: the bits of a walk, loops found, work shared, cost that follows changes. */
#include "random_expr.h"

#include "expr/live.h"
#include "expr/tape.h"

enum { MANY = 300 };

static void check_bits(bench *b, int32_t n, const sl_expr *roots, uint64_t *seed) {
    sl_tape *tape;
    sl_assert_ok(sl_tape_create(b->g, sl_exprs_walk(b->g), n, roots, &tape));
    void *work = malloc(sl_tape_work_size(tape) + 1);
    double *out = malloc((size_t)n * sizeof *out);
    for (int k = 0; k < 2; k++) {
        point at = random_point(seed);
        sl_expr_point where = point_of(&at);
        memset(work, 0xEE, sl_tape_work_size(tape));
        sl_tape_eval(tape, &where, work, out);
        for (int32_t i = 0; i < n; i++) {
            sl_assert_double(out[i], bench_eval(b, roots[i], &at));
        }
    }
    free(work);
    free(out);
    sl_tape_destroy(tape);
}

static void random_tapes_have_the_bits_of_a_walk(void **state) {
    (void)state;
    uint64_t seed = 11;
    bench b;
    bench_init(&b);
    static sl_expr roots[MANY];
    for (int k = 0; k < 60; k++) {
        int32_t n = 1 + (int32_t)sl_test_below(&seed, k % 10 == 0 ? MANY : 12);
        for (int32_t i = 0; i < n; i++) {
            roots[i] = random_expr(&b, &seed, 1 + (int)sl_test_below(&seed, 40), (int)sl_test_below(&seed, 3));
            if (i > 0 && sl_test_below(&seed, 4) == 0) { /* one that shares, one that repeats */
                roots[i] = sl_test_below(&seed, 4) ? sl_expr_2(b.g, SL_OP_MUL, roots[i - 1], roots[i]) : roots[i - 1];
            }
        }
        check_bits(&b, n, roots, &seed);
    }
    bench_fini(&b);
}

/* A side is left out, unless something else uses what it is made of; with the bits of a walk where all cells take the same side and
 * where they do not. */
static void sides_of_choices(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t n_side;
    } cases[] = {{"if(x0 > 0, exp(sin(x1))*x2 + 1, log(1 + x1^2)*x2 - x0)", 2},
                 {"if(x0 > 0, x1*x2 + 2, x1 - 3/x2)", 0},              /* too little */
                 {"if(x0 > 0, exp(sin(x1))*x2 + 1, exp(sin(x1)))", 0}, /* both */
                 {"if(x0 > 0, if(x1 > 0, exp(x2) + sin(x2)*x0, 1), cos(x0*x1) + x2)", 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_init(&b);
        sl_expr e, roots[3];
        sl_assert_ok(sl_expr_parse(b.g, sl_str_z(cases[k].text), NULL, b.diags, &e));
        sl_tape *tape;
        sl_assert_ok(sl_tape_create(b.g, sl_exprs_walk(b.g), 1, &e, &tape));
        assert_int_equal(sl_tape_get_stats(tape).n_side, cases[k].n_side);
        sl_tape_destroy(tape);
        uint64_t seed = 21;
        sl_expr from = sl_expr_find(b.g, sl_str_z("x0"));
        roots[0] = e;
        for (int i = 1; i < 3; i++) { /* cells of one shape that take other sides */
            sl_expr to = sl_expr_2(b.g, SL_OP_MUL, sl_expr_const(b.g, i == 1 ? -1.0 : 0.5), from);
            roots[i] = sl_expr_substitute(b.g, e, 1, &from, &to);
        }
        for (int i = 0; i < 20; i++) {
            check_bits(&b, 1 + i % 3, roots, &seed);
        }
        bench_fini(&b);
    }
}

static void long_sums(void **state) {
    (void)state;
    uint64_t seed = 12;
    bench b;
    bench_init(&b);
    static const sl_op ops[] = {SL_OP_ADD, SL_OP_MUL, SL_OP_MIN, SL_OP_MAX, SL_OP_AND, SL_OP_OR};
    for (int k = 0; k < 6; k++) {
        sl_expr terms[40], roots[3];
        for (int i = 0; i < 40; i++) {
            terms[i] = i == 3 ? sl_expr_const(b.g, 2.5) : random_expr(&b, &seed, 1 + i % 5, SMOOTH);
        }
        roots[0] = sl_expr_make(b.g, ops[k], 40, terms);
        roots[1] = sl_expr_2(b.g, SL_OP_MUL, roots[0], terms[1]);
        roots[2] = sl_expr_make(b.g, ops[k], 20, terms + 5);
        check_bits(&b, 3, roots, &seed);
        check_bits(&b, 1, roots, &seed);
    }
    bench_fini(&b);
}

/* A chain of equal cells: n equations, a few loops, shared fluxes computed once. */
static void equal_cells_are_one_loop(void **state) {
    (void)state;
    enum { N = 1000 };
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_exprs *g = sl_exprs_create(ctx);
    static sl_expr x[N], d[N], flux[N + 1], rows[N];
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        sl_assert_ok(sl_expr_declare_variable(g, sl_str_z(name), 0, NULL, NULL, &x[i]));
        d[i] = sl_expr_variable(g, i, 1);
    }
    for (int i = 1; i < N; i++) {
        sl_expr s = sl_expr_minus(g, x[i], x[i - 1]);
        flux[i] = sl_expr_2(g, SL_OP_MUL, s, sl_expr_1(g, SL_OP_SQRT, sl_expr_1(g, SL_OP_ABS, s)));
    }
    flux[0] = flux[N] = sl_expr_const(g, 0.0);
    for (int i = N - 1; i >= 0; i--) { /* built backwards: the order of building does not matter */
        sl_expr scaled = sl_expr_2(g, SL_OP_MUL, sl_expr_const(g, 1.0 + i % 7), d[i]);
        rows[i] = sl_expr_minus(g, scaled, sl_expr_minus(g, flux[i + 1], flux[i]));
    }
    sl_tape *tape;
    sl_assert_ok(sl_tape_create(g, sl_exprs_walk(g), N, rows, &tape));
    sl_tape_stats stats = sl_tape_get_stats(tape);
    assert_int_equal(stats.n_shared, N - 1);
    assert_true(stats.n_loop <= 8); /* the fluxes, the cells, and those at the ends and with coefficient 1 */
    assert_int_equal(stats.n_cell, N + N - 1);

    sl_jacobian j;
    int32_t columns[N];
    for (int i = 0; i < N; i++) {
        columns[i] = i;
    }
    sl_jacobian_def def = {{columns, NULL}, {-1, -1, -1, -1}};
    sl_assert_ok(sl_jacobian_create(g, N, rows, &def, &j));
    assert_int_equal(j.nnz, 3 * N - 2);
    sl_tape *jt;
    sl_assert_ok(sl_tape_create(g, sl_exprs_walk(g), (int32_t)j.nnz, j.entry, &jt));
    assert_true(sl_tape_get_stats(jt).n_loop < 30);

    double values[N], slopes[N], out[N], *jac = malloc((size_t)j.nnz * sizeof *jac);
    for (int i = 0; i < N; i++) {
        values[i] = sin(i), slopes[i] = cos(i);
    }
    sl_expr_point at = {.x = {values, slopes}};
    void *work = malloc(sl_tape_work_size(tape)), *jwork = malloc(sl_tape_work_size(jt));
    sl_tape_eval(tape, &at, work, out);
    sl_tape_eval(jt, &at, jwork, jac);
    for (int i = 0; i < N; i++) {
        double f[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++) {
            int at_flux = i + k;
            double s = at_flux > 0 && at_flux < N ? values[at_flux] - values[at_flux - 1] : 0.0;
            f[k] = s * sqrt(fabs(s));
        }
        sl_assert_near(out[i], (1.0 + i % 7) * slopes[i] - (f[1] - f[0]), 1e-14, 1e-14);
    }
    for (int i = 1; i < N - 1; i++) { /* d/dx of s sqrt|s| is 1.5 sqrt|s| */
        double low = -1.5 * sqrt(fabs(values[i] - values[i - 1])), high = -1.5 * sqrt(fabs(values[i + 1] - values[i]));
        int64_t first = j.start[i];
        sl_assert_rel(jac[first], low, 1e-13);
        sl_assert_rel(jac[first + 1], -low - high, 1e-13);
        sl_assert_rel(jac[first + 2], high, 1e-13);
    }
    int64_t before = m.n_request;
    sl_tape_eval(tape, &at, work, out);
    assert_int_equal(m.n_request, before); /* a warm evaluation allocates nothing */
    free(work);
    free(jwork);
    free(jac);
    sl_jacobian_fini(&j);
    sl_tape_destroy(tape);
    sl_tape_destroy(jt);
    sl_exprs_destroy(g);
    sl_test_context_end(ctx, &m);
}

static void live_values_follow(void **state) {
    (void)state;
    uint64_t seed = 13;
    bench b;
    bench_init(&b);
    enum { N = 50 };
    sl_expr roots[N];
    for (int i = 0; i < N; i++) {
        roots[i] = random_expr(&b, &seed, 1 + (int)sl_test_below(&seed, 40), i % 3);
    }
    sl_live_plan *plan;
    sl_live *live, *copy;
    sl_assert_ok(sl_live_plan_create(b.g, N, roots, &plan));
    point at = random_point(&seed);
    sl_expr_point where = point_of(&at);
    sl_assert_ok(sl_live_create(sl_exprs_context(b.g), plan, &where, &live));
    double last[N];
    int32_t changed[N];
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < N; i++) {
            last[i] = sl_live_root(live, i);
            sl_assert_double(last[i], bench_eval(&b, roots[i], &at));
        }
        int which = (int)sl_test_below(&seed, N_VARIABLE);
        double value = which == 4 ? 1.0 - at.x[0][4] : sl_test_unit(&seed) * 2.0 - 1.0;
        sl_assert_ok(sl_live_copy(live, &copy));
        at.x[0][which] = value;
        sl_live_set_variable(live, which, 0, value);
        if (k % 5 == 0) {
            at.t += 0.25;
            sl_live_set_time(live, at.t);
            at.p[1] = value;
            sl_live_set_parameter(live, 1, value);
        }
        int32_t n = sl_live_update(live, changed), next = 0;
        for (int i = 0; i < N; i++) {
            bool told = next < n && changed[next] == i;
            assert_int_equal(told, sl_live_root(live, i) != last[i]);
            next += told;
            sl_assert_double(sl_live_root(copy, i), last[i]);
        }
        sl_live_destroy(copy);
    }
    sl_live_destroy(live);
    sl_live_plan_destroy(plan);
    bench_fini(&b);
}

/* One of n Boolean variables changes: the work does not depend on n. */
static void live_work_follows_changes(void **state) {
    (void)state;
    int64_t work[2];
    for (int k = 0; k < 2; k++) {
        int n = k ? 20000 : 200;
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        sl_exprs *g = sl_exprs_create(ctx);
        sl_expr *guards = malloc((size_t)n * sizeof *guards), x;
        double *values = calloc((size_t)n, sizeof *values);
        for (int i = 0; i < n; i++) {
            char name[16];
            snprintf(name, sizeof name, "q%d", i);
            sl_assert_ok(sl_expr_declare_variable(g, sl_str_z(name), SL_SYMBOL_BOOLEAN, NULL, NULL, &x));
        }
        for (int i = 0; i < n; i++) {
            sl_expr a = sl_expr_variable(g, i, 0), c = sl_expr_variable(g, (i + 1) % n, 0);
            guards[i] = sl_expr_2(g, SL_OP_AND, a, sl_expr_1(g, SL_OP_NOT, c));
        }
        sl_live_plan *plan;
        sl_live *live;
        sl_assert_ok(sl_live_plan_create(g, n, guards, &plan));
        sl_expr_point at = {.x = {values}};
        sl_assert_ok(sl_live_create(sl_exprs_context(g), plan, &at, &live));
        int64_t requests = m.n_request;
        for (int i = 0; i < 100; i++) {
            sl_live_set_variable(live, i, 0, 1.0);
            sl_live_update(live, NULL);
        }
        assert_int_equal(m.n_request, requests);
        work[k] = sl_live_n_evaluated(live);
        sl_live_destroy(live);
        sl_live_plan_destroy(plan);
        sl_exprs_destroy(g);
        sl_test_context_end(ctx, &m);
        free(guards);
        free(values);
    }
    assert_true(work[0] > 0);
    assert_int_equal(work[0], work[1]);
}

static void build_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_expr x, y, e[3];
    if (g && sl_expr_declare_variable(g, sl_str_z("x"), 0, NULL, NULL, &x) == SL_OK &&
        sl_expr_declare_variable(g, sl_str_z("y"), 0, NULL, NULL, &y) == SL_OK &&
        sl_expr_parse(g, sl_str_z("sin(x*y)^3 + sum(x, y, 1, x, x*y, x, y, y, y, x, x, x, y, x, x, y, 2*y)"), NULL,
                      NULL, &e[0]) == SL_OK &&
        sl_expr_parse(g, sl_str_z("sin(x*y) - if(x < 2, x, y*y)"), NULL, NULL, &e[1]) == SL_OK &&
        sl_expr_parse(g, sl_str_z("x"), NULL, NULL, &e[2]) == SL_OK) {
        sl_tape *tape = NULL;
        sl_status status = sl_tape_create(g, sl_exprs_walk(g), 3, e, &tape);
        assert_true((status == SL_OK) == (tape != NULL));
        sl_tape_destroy(tape);
        sl_live_plan *plan = NULL;
        sl_live *live = NULL, *copy = NULL;
        const double values[] = {1.0, 2.0};
        sl_expr_point at = {.x = {values}};
        if (sl_live_plan_create(g, 3, e, &plan) == SL_OK &&
            sl_live_create(sl_exprs_context(g), plan, &at, &live) == SL_OK) {
            (void)sl_live_copy(live, &copy);
        }
        sl_live_destroy(live);
        sl_live_destroy(copy);
        sl_live_plan_destroy(plan);
    }
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(build_all, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tapes_have_the_bits_of_a_walk),
        cmocka_unit_test(long_sums),
        cmocka_unit_test(sides_of_choices),
        cmocka_unit_test(equal_cells_are_one_loop),
        cmocka_unit_test(live_values_follow),
        cmocka_unit_test(live_work_follows_changes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
