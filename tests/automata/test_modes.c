/* Modes: compiled once, found again, with the right equations, matrices and roots. */
#include "automata_test.h"

#include "automata/modes.h"

enum { N = 3 };

typedef struct model {
    sl_test_memory memory;
    sl_context *ctx;
    sl_exprs *g;
    sl_expr cj, equations[4], roots[2];
} model;

static sl_expr parse(model *m, const char *text) {
    sl_expr e;
    sl_assert_ok(sl_expr_parse(m->g, sl_str_z(text), NULL, NULL, &e));
    return sl_expr_residual(m->g, e);
}

/* Two continuous variables with a discrete one between them, and a parameter for cj. */
static void model_init(model *m) {
    *m = (model){0};
    m->ctx = sl_test_context(&m->memory);
    m->g = sl_exprs_create(m->ctx);
    sl_expr e;
    sl_assert_ok(sl_expr_declare_variable(m->g, sl_str_z("x"), 0, NULL, NULL, &e));
    sl_assert_ok(sl_expr_declare_variable(m->g, sl_str_z("q"), SL_SYMBOL_BOOLEAN, NULL, NULL, &e));
    sl_assert_ok(sl_expr_declare_variable(m->g, sl_str_z("y"), 0, NULL, NULL, &e));
    sl_assert_ok(sl_expr_declare_parameter(m->g, sl_str_z("cj"), 0, NULL, NULL, &m->cj));
    static const char *const equations[] = {"der(x) = y*(1 + q)", "der(x) = 0", "y = x^2", "der(y) = -x*y"};
    for (int i = 0; i < 4; i++) {
        m->equations[i] = parse(m, equations[i]);
    }
    m->roots[0] = parse(m, "x - 1");
    m->roots[1] = parse(m, "y + q");
}

static void modes_are_compiled_once(void **state) {
    (void)state;
    model m;
    model_init(&m);
    const int32_t column[N] = {0, -1, 1};
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        sl_modes_def def = {4, 2, m.equations, m.roots, 2, column, m.cj, by_rows};
        sl_modes *modes;
        sl_assert_ok(sl_modes_create(m.g, &def, &modes));
        const int32_t a[] = {0, 3}, b[] = {1, 2}, r[] = {0, 1};
        const sl_mode *first, *second, *again;
        sl_assert_ok(sl_modes_find(modes, 2, a, 1, r, &first));
        sl_assert_ok(sl_modes_find(modes, 2, b, 2, r, &second));
        int64_t requests = m.memory.n_request;
        sl_assert_ok(sl_modes_find(modes, 2, a, 1, r, &again));
        assert_int_equal(m.memory.n_request, requests); /* found, not made */
        assert_ptr_equal(first, again);
        assert_int_equal(sl_modes_count(modes), 2);
        assert_int_equal(first->n_root, 1);
        assert_int_equal(second->n_root, 2);

        /* der(x) - y (1 + q), der(y) + x y at x = 2, q = 1, y = 3, x' = 5, y' = 7, cj = 10 */
        const double x[] = {2.0, 1.0, 3.0}, d[] = {5.0, 0.0, 7.0}, cj = 10.0;
        sl_expr_point at = {.x = {x, d}, .p = &cj};
        void *work = malloc(first->work_size + second->work_size);
        double f[2], j[4], roots[2];
        sl_tape_eval(first->residual, &at, work, f);
        sl_assert_double(f[0], 5.0 - 6.0);
        sl_assert_double(f[1], 7.0 + 6.0);
        assert_int_equal(first->nnz, 4);
        sl_tape_eval(first->matrix, &at, work, j);
        const double full[2][2] = {{10.0, -2.0}, {3.0, 12.0}}; /* row, column */
        for (int k = 0; k < 2; k++) {
            for (int64_t i = first->start[k]; i < first->start[k + 1]; i++) {
                sl_assert_double(j[i], by_rows ? full[k][first->index[i]] : full[first->index[i]][k]);
            }
        }
        sl_tape_eval(second->root, &at, work, roots);
        sl_assert_double(roots[0], 1.0);
        sl_assert_double(roots[1], 4.0);
        assert_int_equal(second->nnz, 3); /* der(x); y and x of y - x^2 */
        free(work);
        sl_modes_destroy(modes);
    }
    sl_exprs_destroy(m.g);
    sl_test_context_end(m.ctx, &m.memory);
}

static void build_all(sl_context *ctx, sl_test_memory *memory, void *user) {
    (void)memory, (void)user;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_expr x, e[2];
    sl_modes *modes = NULL;
    const int32_t column[] = {0}, both[] = {0, 1};
    if (g && sl_expr_declare_variable(g, sl_str_z("x"), 0, NULL, NULL, &x) == SL_OK &&
        sl_expr_parse(g, sl_str_z("der(x) + sin(x)"), NULL, NULL, &e[0]) == SL_OK &&
        sl_expr_parse(g, sl_str_z("x^2 - 2"), NULL, NULL, &e[1]) == SL_OK) {
        sl_modes_def def = {2, 2, e, e, 1, column, SL_EXPR_NONE, false};
        const sl_mode *mode;
        if (sl_modes_create(g, &def, &modes) == SL_OK && sl_modes_find(modes, 2, both, 1, both, &mode) == SL_OK) {
            assert_int_equal(mode->nnz, 2);
        }
    }
    sl_modes_destroy(modes);
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(build_all, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes_are_compiled_once),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
