/* SPDX-License-Identifier: MIT */
/* Nodes, constructors, names, tables, evaluation, substitution. */
#include "random_expr.h"

#define WITH(b, ...)        \
    do {                    \
        bench b##_at;       \
        bench *b = &b##_at; \
        bench_init(b);      \
        __VA_ARGS__         \
        bench_fini(b);      \
    } while (0)

static void equal_nodes_are_one(void **state) {
    (void)state;
    WITH(b, {
        assert_int_equal(bench_parse(b, "x0*sin(x1) + 2"), bench_parse(b, "(x0 * sin( x1 ))+2.0"));
        assert_int_not_equal(bench_parse(b, "x0 + x1"), bench_parse(b, "x1 + x0"));
        int32_t n = sl_exprs_count(b->g);
        bench_parse(b, "x0*sin(x1) + 2");
        assert_int_equal(sl_exprs_count(b->g), n);
    });
}

/* What is written on the left is the node on the right. */
static void constructors_fold(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"x0 + 0", "x0"},
        {"0 + x0", "x0"},
        {"1*x0", "x0"},
        {"x0*0", "0"},
        {"x0/1", "x0"},
        {"0/x0", "0"},
        {"--x0", "x0"},
        {"x0^1", "x0"},
        {"x0^0", "1"},
        {"1^x0", "1"},
        {"2 + 3*4^2", "50"},
        {"-2^2", "-4"},
        {"(-2)^2", "4"},
        {"2^3^2", "512"},
        {"sqrt(16)", "4"},
        {"min(3, 1, 2)", "1"},
        {"if(1, x0, x1)", "x0"},
        {"if(x2 < 1, x0, x0)", "x0"},
        {"1 < 2", "1"},
        {"true & x4", "x4"},
        {"false & x0 < 1", "0"},
        {"true | x4", "1"},
        {"!!x4", "x4"},
        {"true & x0", "x0 != 0"},
        {"7 - 3 - 2", "2"},
        {"12/3/2", "2"},
        {"mod(-1, 3)", "2"},
        {"tab(0.5)", "-1"},
        {"tab(-9)", "1"},
        {"tab(9)", "4"},
        {"tab(1.75)", "1.5"},
        {"slope(tab, 1)", "2"},
        {"slope(tab, 9)", "0"},
        {"slope(tab, -9)", "0"},
        {"count(x4, 1, 0, 3)", "x4 + 1 + 1"},
        {"sum(x0, x1)", "x0 + x1"},
        {"sum()", "0"},
        {"max(x0)", "x0"},
        {"atan2(0, 1)", "0"},
    };
    WITH(b, {
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            sl_expr left = bench_parse(b, pairs[i][0]), right = bench_parse(b, pairs[i][1]);
            if (left != right) {
                print_error("%s is %s, not", pairs[i][0], bench_text(b, left, SL_EXPR_TEXT));
                print_error(" %s\n", bench_text(b, right, SL_EXPR_TEXT));
            }
            assert_int_equal(left, right);
        }
        /* What is not finite stays as it is written. */
        sl_assert_z(bench_text(b, bench_parse(b, "1/0"), SL_EXPR_TEXT), "1/0");
        sl_assert_z(bench_text(b, bench_parse(b, "log(-1)"), SL_EXPR_TEXT), "log(-1)");
    });
}

static void values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"x0 + x1*t", 2.0 + 3.0 * 0.5},
        {"der(x0) - der(x1, 2)", 10.0 - 21.0},
        {"x0^x1", 8.0},
        {"x0^-2", 0.25},
        {"abs(-x0) + sign(-x1) + sign(0*x0)", 1.0},
        {"floor(-t) + ceil(t)", 0.0},
        {"x0 < x1 & !(x1 < x0)", 1.0},
        {"x0 = 2", 1.0},
        {"x0 != 2 | x1 >= 3", 1.0},
        {"x1 > 3", 0.0},
        {"if(x0 < x1, p0, p1)", 5.0},
        {"min(x0, x1, t) + max(x0, x1, t)", 3.5},
        {"tab(t)", -1.0},
        {"tab(x0)", 2.0},
        {"slope(tab, x0)", 2.0},
        {"mod(-x0, x1)", 1.0},
        {"exp(log(x0)) + log10(100*t/t)", 4.0},
        {"x0/x1/t", 2.0 / 3.0 / 0.5},
        {"-x0^2", -4.0},
    };
    point at = {.t = 0.5, .x = {{2.0, 3.0}, {10.0, 11.0}, {20.0, 21.0}}, .p = {5.0, 6.0}};
    WITH(b, {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            sl_assert_rel(bench_eval(b, bench_parse(b, cases[i].text), &at), cases[i].value, 1e-15);
        }
    });
}

static void names(void **state) {
    (void)state;
    WITH(b, {
        static const char *const good[] = {"valve[0].joint", "end[0,1].flow", "_a", "h\xc3\xbc", "a.b.c[i-1]", "truex"};
        static const char *const bad[] = {"",     "1a",  "a b",  "a[",    "a[]", "a.",  "sin", "der",
                                          "true", "and", "True", "a[0]b", "x0",  "tab", "t",   "a+b"};
        sl_expr e;
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            sl_assert_ok(sl_expr_declare_variable(b->g, sl_str_z(good[i]), 0, NULL, b->diags, &e));
            assert_int_equal(sl_expr_find(b->g, sl_str_z(good[i])), e);
            assert_int_equal(bench_parse(b, good[i]), e);
            sl_assert_str(sl_exprs_variable_name(b->g, sl_expr_symbol(b->g, e)), good[i]);
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            sl_assert_status(sl_expr_declare_parameter(b->g, sl_str_z(bad[i]), 0, NULL, b->diags, &e), SL_ERR_INPUT);
            assert_int_equal(sl_diags_size(b->diags), (int)i + 1);
        }
        assert_int_equal(sl_expr_find(b->g, sl_str_z("nobody")), SL_EXPR_NONE);
        assert_int_equal(sl_expr_find(b->g, sl_str_z("tab")), SL_EXPR_NONE);
        int32_t table;
        const double x[] = {0.0, 0.0};
        sl_assert_status(sl_expr_declare_table(b->g, sl_str_z("flat"), 2, x, x, NULL, b->diags, &table), SL_ERR_INPUT);
    });
}

static void failures_are_sticky(void **state) {
    (void)state;
    WITH(b, {
        sl_expr bad = sl_expr_const(b->g, NAN);
        assert_int_equal(bad, SL_EXPR_NONE);
        assert_int_equal(sl_expr_2(b->g, SL_OP_ADD, bad, bad), SL_EXPR_NONE);
        sl_assert_status(sl_exprs_status(b->g), SL_ERR_USE);
    });
}

static void substitution_is_at_once(void **state) {
    (void)state;
    WITH(b, {
        sl_expr x0 = bench_parse(b, "x0");
        sl_expr x1 = bench_parse(b, "x1");
        sl_expr from[] = {x0, x1};
        sl_expr to[] = {x1, x0};
        sl_expr e = sl_expr_substitute(b->g, bench_parse(b, "x0 - 2*x1 + tab(x0)"), 2, from, to);
        sl_assert_z(bench_text(b, e, SL_EXPR_TEXT), "x1 - 2*x0 + tab(x1)");
        sl_expr two = sl_expr_const(b->g, 2.0);
        sl_assert_z(bench_text(b, sl_expr_substitute(b->g, e, 1, &x0, &two), SL_EXPR_TEXT), "x1 - 4 + tab(x1)");
        sl_expr whole = bench_parse(b, "x0 + 1");
        sl_expr square = bench_parse(b, "(x0 + 1)^2");
        sl_assert_z(bench_text(b, sl_expr_substitute(b->g, square, 1, &whole, &x1), SL_EXPR_TEXT), "x1^2");
    });
}

static void leaves_and_residuals(void **state) {
    (void)state;
    WITH(b, {
        sl_expr e = bench_parse(b, "x1*p0 + x0*x1 - der(x0) + t + tab(3)");
        sl_expr_list list = {0};
        sl_assert_ok(sl_expr_leaves(b->g, 1, &e, &list));
        assert_int_equal(list.n, 5);
        sl_expr_list_fini(b->g, &list);
        sl_expr equation = bench_parse(b, "der(x0) = -x0");
        sl_assert_z(bench_text(b, sl_expr_residual(b->g, equation), SL_EXPR_TEXT), "der(x0) + x0");
    });
}

/* Everything that allocates, with each allocation refused in turn. */
static void build_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_diags *diags = NULL;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_expr x, y, e;
    const double points[] = {0.0, 1.0, 2.0};
    int32_t table;
    sl_jacobian j = {0};
    const int32_t columns[] = {0, 1};
    sl_jacobian_def def = {{columns, columns}, {SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE}};
    if (g && sl_expr_declare_variable(g, sl_str_z("x"), 0, NULL, diags, &x) == SL_OK &&
        sl_expr_declare_variable(g, sl_str_z("y"), 0, NULL, diags, &y) == SL_OK &&
        sl_expr_declare_table(g, sl_str_z("tab"), 3, points, points, NULL, diags, &table) == SL_OK &&
        sl_expr_parse(
            g, sl_str_z("sin(x*y + tab(x)) + max(x, y, 3)^2/(x + 2*x) + if(x < y & !(y < 2), x - y - x, der(y))"), NULL,
            diags, &e) == SL_OK) {
        sl_expr_simplify(g, e);
        sl_expr_diff(g, e, x);
        sl_expr_substitute(g, e, 1, &x, &y);
        sl_status status = sl_jacobian_create(g, 1, &e, &def, &j);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
        sl_jacobian_fini(&j);
        sl_bytes bytes;
        sl_bytes_init(&bytes, ctx);
        sl_sink sink = sl_bytes_sink(&bytes);
        sl_expr_render(g, e, SL_EXPR_LATEX, &sink);
        sl_bytes_fini(&bytes);
    }
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(build_all, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_nodes_are_one),
        cmocka_unit_test(constructors_fold),
        cmocka_unit_test(values),
        cmocka_unit_test(names),
        cmocka_unit_test(failures_are_sticky),
        cmocka_unit_test(substitution_is_at_once),
        cmocka_unit_test(leaves_and_residuals),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
