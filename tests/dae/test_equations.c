/* SPDX-License-Identifier: MIT */
/* Systems from expressions: patterns and marks, exact Jacobians, integration of equations written as text. */
#include "dae_test.h"

#include "dae/equations.h"

typedef struct text_system {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    sl_equation_set set;
    sl_expr equations[8];
} text_system;

static void begin(text_system *s, const char *const *variables, const char *const *equations, int32_t n) {
    *s = (text_system){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    s->g = sl_exprs_create(s->ctx);
    for (; *variables; variables++) {
        sl_expr v;
        sl_assert_ok(sl_expr_declare_variable(s->g, sl_str_z(*variables), 0, NULL, s->diags, &v));
    }
    for (int32_t i = 0; i < n; i++) {
        sl_assert_ok(sl_expr_parse(s->g, sl_str_z(equations[i]), NULL, s->diags, &s->equations[i]));
        s->equations[i] = sl_expr_residual(s->g, s->equations[i]);
    }
    sl_assert_ok(sl_equation_set_init(&s->set, s->ctx, s->g, n, s->equations, NULL, NULL, s->diags));
}

static void end(text_system *s) {
    sl_equation_set_fini(&s->set);
    sl_exprs_destroy(s->g);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

static const char *const robertson[] = {"der(a) = -0.04*a + 1e4*b*c", "der(b) = 0.04*a - 1e4*b*c - 3e7*b^2",
                                        "a + b + c = 1"};

static void test_pattern_and_jacobian(void **state) {
    (void)state;
    text_system s;
    begin(&s, (const char *const[]){"unused", "a", "b", "c", NULL}, robertson, 3);
    sl_equations *e = NULL;
    sl_assert_ok(
        sl_equations_create(&s.set, sl_exprs_walk(s.g), 3, (const int32_t[]){0, 1, 2}, 0, NULL, NULL, NULL, &e));
    const sl_dae_system *d = sl_equations_system(e);
    assert_int_equal(d->pattern.n_variable, 3);
    assert_int_equal(sl_equations_variables(e)[0], 1);
    assert_int_equal(d->pattern.start[3], 9);
    assert_int_equal(d->pattern.kind[0], SL_DAE_X | SL_DAE_DX);                    /* equation 0 by a */
    assert_int_equal(d->pattern.kind[4], SL_DAE_X | SL_DAE_DX | SL_DAE_NONLINEAR); /* equation 1 by b */
    double x[3] = {0.7, 0.2, 0.1}, dx[3] = {1.0, 2.0, 3.0}, values[9], r[3];
    assert_int_equal(d->jacobian(d->user, 0.0, x, dx, 2.0, 10.0, values), 0);
    const double expected[9] = {2 * 0.04 + 10,  -2 * 0.04,     2, -2 * 1e4 * 0.1, 2 * (1e4 * 0.1 + 6e7 * 0.2) + 10, 2,
                                -2 * 1e4 * 0.2, 2 * 1e4 * 0.2, 2};
    for (int k = 0; k < 9; k++) {
        sl_assert_rel(values[k], expected[k], 1e-14);
    }
    assert_int_equal(d->residual(d->user, 0.0, x, dx, r), 0);
    sl_assert_rel(r[0], 1.0 + 0.04 * 0.7 - 1e4 * 0.2 * 0.1, 1e-12);
    sl_dae_structure form;
    sl_assert_ok(sl_dae_analyse(s.ctx, &d->pattern, d, s.diags, &form));
    assert_int_equal(form.form, SL_DAE_SEMI_LINEAR_DX);
    assert_int_equal(form.index, 1);
    sl_equations_destroy(e);
    end(&s);
}

static void test_integration(void **state) {
    (void)state;
    text_system s;
    begin(&s, (const char *const[]){"a", "b", "c", NULL}, robertson, 3);
    sl_equations *e = NULL;
    sl_dae *d = NULL;
    sl_dae_def def = sl_dae_default();
    static const double atols[3] = {1e-18, 1e-22, 1e-14};
    def.rtol = 1e-10;
    def.atols = atols;
    sl_assert_ok(
        sl_equations_create(&s.set, sl_exprs_walk(s.g), 3, (const int32_t[]){0, 1, 2}, 0, NULL, NULL, NULL, &e));
    sl_assert_ok(sl_dae_create(s.ctx, sl_equations_system(e), &def, s.diags, &d));
    double x[3] = {1.0, 0.0, 0.0}, dx[3] = {0};
    sl_assert_ok(sl_dae_init(d, 0.0, x, dx, NULL, s.diags));
    sl_assert_ok(sl_dae_start(d, 0.0, x, dx, (double)INFINITY, NULL, s.diags));
    run_to(d, 1e11, x, dx);
    sl_assert_rel(x[0], 0.2083340149701255e-07, 1e-7);
    sl_assert_rel(x[1], 0.8333360770334713e-13, 1e-7);
    sl_dae_destroy(d);
    sl_equations_destroy(e);
    end(&s);
}

/* Some of the equations of a set; messages quote them. */
static void test_part_of_a_set(void **state) {
    (void)state;
    text_system s;
    begin(&s, (const char *const[]){"a", "b", "c", NULL}, robertson, 3);
    sl_equations *e = NULL;
    sl_dae_structure form;
    sl_assert_ok(sl_equations_create(&s.set, sl_exprs_walk(s.g), 2, (const int32_t[]){0, 2}, 0, NULL, NULL, NULL, &e));
    const sl_dae_system *d = sl_equations_system(e);
    assert_int_equal(d->pattern.n_equation, 2);
    assert_int_equal(d->pattern.n_variable, 3);
    sl_assert_status(sl_dae_analyse(s.ctx, &d->pattern, d, s.diags, &form), SL_ERR_INPUT);
    const sl_diag *told = sl_diags_at(s.diags, 0);
    assert_int_equal(told->code, SL_CODE_UNDERDETERMINED);
    assert_non_null(strstr(told->text, "a + b + c"));
    sl_equations_destroy(e);
    end(&s);
}

static void test_second_derivatives_are_refused(void **state) {
    (void)state;
    text_system s;
    begin(&s, (const char *const[]){"a", NULL}, NULL, 0);
    sl_equation_set_fini(&s.set);
    sl_assert_ok(sl_expr_parse(s.g, sl_str_z("der(a, 2) = -a"), NULL, s.diags, &s.equations[0]));
    s.equations[0] = sl_expr_residual(s.g, s.equations[0]);
    sl_assert_status(sl_equation_set_init(&s.set, s.ctx, s.g, 1, s.equations, NULL, NULL, s.diags), SL_ERR_INPUT);
    assert_non_null(strstr(sl_diags_at(s.diags, 0)->text, "'a'"));
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pattern_and_jacobian), cmocka_unit_test(test_integration),
                                       cmocka_unit_test(test_part_of_a_set),
                                       cmocka_unit_test(test_second_derivatives_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
