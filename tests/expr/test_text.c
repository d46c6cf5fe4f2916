/* SPDX-License-Identifier: MIT */
/* Parsing, its errors, and rendering as text, LaTeX and C. */
#include "random_expr.h"

#include <dlfcn.h>
#include <unistd.h>

/* Read and written: what is given where it differs. */
static void text_reads_back(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x0 + x1 - x2", NULL},
        {"x0 - (x1 - x2)", NULL},
        {"(x0 + x1) + x2", NULL},
        {"x0*x1/x2*x3", NULL},
        {"x0/(x1*x2)", NULL},
        {"x0/(x1/x2)", NULL},
        {"(x0*x1)*x2", NULL},
        {"-x0*x1", NULL},
        {"-(x0*x1)", NULL},
        {"x0*-x1", NULL},
        {"-x0^2", NULL},
        {"(-x0)^2", NULL},
        {"x0^-x1", NULL},
        {"x0^x1^x2", NULL},
        {"(x0^x1)^x2", NULL},
        {"(-3)^x0", NULL},
        {"x0 - 3", NULL},
        {"-3*x0", NULL},
        {"x0 + -3*x1", NULL},
        {"2e-7*x0 + 1e300", "2e-07*x0 + 1e+300"},
        {"0<t", "t > 0"},
        {"t>=0", "t >= 0"},
        {"x0<=x1", "x0 <= x1"},
        {"x0==1&&x1!=2||!x4", "x0 = 1 & x1 != 2 | !x4"},
        {"x0 = 1 & (x1 = 2 | x4)", NULL},
        {"not x4 and x4 or x4", "!x4 & x4 | x4"},
        {"(!x4) = x0", NULL},
        {"!(x4 = x0)", NULL},
        {"(x0 < x1) + 1", NULL},
        {"(x0 < x1) < x2", NULL},
        {"if(x0 < 1 | x4, min(x0, x1), tab(x2))", NULL},
        {"der(x0) + der(x1, 2)", NULL},
        {"der(der(x1))", "der(x1, 2)"},
        {"slope(tab, x0 + 1)", NULL},
        {"sum(x0, x1, -x2)", "x0 + x1 - x2"},
        {"count(x4, x0)", "x4 + (x0 != 0)"},
        {"+x0", "x0"},
        {"atan2(x0, mod(x1, 3))", NULL},
    };
    bench b;
    bench_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_expr e = bench_parse(&b, cases[i][0]);
        sl_assert_z(bench_text(&b, e, SL_EXPR_TEXT), cases[i][1] ? cases[i][1] : cases[i][0]);
        assert_int_equal(bench_parse(&b, bench_text(&b, e, SL_EXPR_TEXT)), e);
    }
    bench_fini(&b);
}

static void random_text_reads_back(void **state) {
    (void)state;
    uint64_t seed = 1;
    bench b;
    bench_init(&b);
    for (int i = 0; i < 3000; i++) {
        sl_expr e = random_expr(&b, &seed, 1 + (int)sl_test_below(&seed, 60), i % 3);
        assert_int_equal(bench_parse(&b, bench_text(&b, e, SL_EXPR_TEXT)), e);
        e = sl_expr_simplify(b.g, e);
        assert_int_equal(bench_parse(&b, bench_text(&b, e, SL_EXPR_TEXT)), e);
    }
    bench_fini(&b);
}

static void errors_have_a_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int column, length;
        sl_code code;
        const char *message, *hint;
    } cases[] = {
        {"", 1, 1, SL_CODE_SYNTAX, "the expression ends too early", NULL},
        {"x0 +", 5, 1, SL_CODE_SYNTAX, "the expression ends too early", NULL},
        {"x0 x1", 4, 2, SL_CODE_SYNTAX, "unexpected 'x1'", "write * to multiply"},
        {"2(x0)", 2, 1, SL_CODE_SYNTAX, "unexpected '('", "write * to multiply"},
        {"x0 + y7", 6, 2, SL_CODE_UNKNOWN_NAME, "unknown name 'y7'", NULL},
        {"x0 + xx1", 6, 3, SL_CODE_UNKNOWN_NAME, "unknown name 'xx1'", "did you mean 'x1'?"},
        {"sinus(x0)", 1, 5, SL_CODE_UNKNOWN_NAME, "unknown function 'sinus'", "did you mean 'sin'?"},
        {"sinn(x0)", 1, 4, SL_CODE_UNKNOWN_NAME, "unknown function 'sinn'", "did you mean 'sin'?"},
        {"counts(x0)", 1, 6, SL_CODE_UNKNOWN_NAME, "unknown function 'counts'", "did you mean 'count'?"},
        {"sgn(x0)", 1, 3, SL_CODE_UNKNOWN_NAME, "unknown function 'sgn'", "write sign(x)"},
        {"2*fabs(x0)", 3, 4, SL_CODE_UNKNOWN_NAME, "unknown function 'fabs'", "write abs(x)"},
        {"pow(x0, 2)", 1, 3, SL_CODE_UNKNOWN_NAME, "unknown function 'pow'", "write x^y"},
        {"ln(x0)", 1, 2, SL_CODE_UNKNOWN_NAME, "unknown function 'ln'", "write log(x), the natural logarithm"},
        {"arctan(x0)", 1, 6, SL_CODE_UNKNOWN_NAME, "unknown function 'arctan'", "write atan(x)"},
        {"bessel(x0)", 1, 6, SL_CODE_UNKNOWN_NAME, "unknown function 'bessel'", NULL},
        {"(2 x0)", 4, 2, SL_CODE_SYNTAX, "unexpected 'x0'", "write * to multiply"},
        {"x0(3)", 1, 2, SL_CODE_SYNTAX, "this is no function: 'x0'", "write * to multiply"},
        {"sin + 1", 1, 3, SL_CODE_SYNTAX, "this is a function: 'sin'", NULL},
        {"tab", 1, 3, SL_CODE_SYNTAX, "this is a function: 'tab'", NULL},
        {"sin(x0, x1)", 1, 3, SL_CODE_SYNTAX, "wrong number of arguments: 'sin'", "it takes one argument"},
        {"min()", 1, 3, SL_CODE_SYNTAX, "wrong number of arguments: 'min'", "it takes at least one argument"},
        {"if(x0, x1)", 1, 2, SL_CODE_SYNTAX, "wrong number of arguments: 'if'", "it takes three arguments"},
        {"tab(1, 2)", 1, 3, SL_CODE_SYNTAX, "wrong number of arguments: 'tab'", NULL},
        {"(x0 + 1", 8, 1, SL_CODE_SYNTAX, "a ) is missing", NULL},
        {"x0 + 1)", 7, 1, SL_CODE_SYNTAX, "unexpected ')'", "there is no ( for it"},
        {"sin(x0; x1)", 7, 1, SL_CODE_SYNTAX, "unexpected ';'", NULL},
        {"1e999*x0", 1, 5, SL_CODE_NUMBER_RANGE, "this is not a number that can be used: '1e999'", NULL},
        {"1.2.3", 1, 5, SL_CODE_NOT_A_NUMBER, "this is not a number that can be used: '1.2.3'", NULL},
        {"x0 < x1 < x2", 9, 1, SL_CODE_SYNTAX, "comparisons cannot be chained: '<'", NULL},
        {"!x4 = 1", 5, 1, SL_CODE_SYNTAX, "it is not clear what ! belongs to before '='", NULL},
        {"der(x0 + 1)", 1, 3, SL_CODE_SYNTAX, "a variable is expected in 'der'", NULL},
        {"der(x0, 4)", 1, 3, SL_CODE_VALUE_RANGE, "no such derivative: 'der'", NULL},
        {"slope(x0, 1)", 7, 2, SL_CODE_SYNTAX, "the name of a table is expected, not 'x0'", NULL},
        {"x0 ** 2", 5, 1, SL_CODE_SYNTAX, "an operand is expected, not '*'", NULL},
    };
    bench b;
    bench_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_expr e;
        sl_diags_clear(b.diags);
        sl_assert_status(sl_expr_parse(b.g, sl_str_z(cases[i].text), NULL, b.diags, &e), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(b.diags), 1);
        const sl_diag *d = sl_diags_at(b.diags, 0);
        sl_assert_z(d->text, cases[i].message);
        assert_int_equal(d->column, cases[i].column);
        assert_int_equal(d->length, cases[i].length);
        assert_int_equal(d->code, cases[i].code);
        if (cases[i].hint) {
            sl_assert_z(d->hint, cases[i].hint);
        }
    }
    /* Within a line of a file. */
    sl_expr e;
    sl_diags_clear(b.diags);
    sl_text_location place = {.file = "a.yaml", .line = 7, .text = sl_str_z("  flow: x0 + xx1"), .begin = 8};
    sl_assert_status(sl_expr_parse(b.g, sl_str_z("x0 + xx1"), &place, b.diags, &e), SL_ERR_INPUT);
    assert_int_equal(sl_diags_at(b.diags, 0)->line, 7);
    assert_int_equal(sl_diags_at(b.diags, 0)->column, 14);
    bench_fini(&b);
}

static void depth_is_bounded(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    static char text[4096];
    for (int deep = 0; deep < 2; deep++) {
        int n = deep ? SL_EXPR_DEPTH + 1 : SL_EXPR_DEPTH - 1;
        memset(text, '(', (size_t)n);
        memcpy(text + n, "x0", 2);
        memset(text + n + 2, ')', (size_t)n);
        text[2 * n + 2] = '\0';
        sl_expr e;
        sl_assert_status(sl_expr_parse(b.g, sl_str_z(text), NULL, b.diags, &e), deep ? SL_ERR_INPUT : SL_OK);
    }
    /* What is made by calls may be as deep as it likes. */
    sl_expr e = sl_expr_variable(b.g, 0, 0);
    for (int i = 0; i < 100000; i++) {
        e = sl_expr_2(b.g, SL_OP_DIV, sl_expr_const(b.g, 1.0), sl_expr_2(b.g, SL_OP_ADD, e, sl_expr_const(b.g, 1.0)));
    }
    point at = {.x = {{1.0}}};
    sl_assert_rel(bench_eval(&b, e, &at), (sqrt(5.0) - 1.0) / 2.0, 1e-15);
    assert_true(sl_expr_diff(b.g, e, sl_expr_variable(b.g, 0, 0)) >= 0);
    assert_true(sl_expr_simplify(b.g, e) >= 0);
    bench_fini(&b);
}

static void latex_and_c(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"x0/x1 + sqrt(x2)^2", "\\frac{x0}{x1} + \\sqrt{x2}^{2}", "x[0] / x[1] + pow(sqrt(x[2]), 2.0)"},
        {"2*der(x0) - p1*1e-7", "2 \\, \\dot{x}_{0} - p1 \\, 1 \\cdot 10^{-7}", "2.0 * x1[0] - p[1] * 1e-07"},
        {"if(x0 < 0, -x0, x0)", "\\begin{cases} -x0 & \\text{if } x0 < 0 \\\\ x0 & \\text{otherwise} \\end{cases}",
         "((double)(x[0] < 0.0) ? -x[0] : x[0])"},
        {"!x4 & (x0 >= 1 | x4)", "\\neg x4 \\wedge \\left(x0 \\ge 1 \\vee x4\\right)",
         "!x[4] && (double)(x[0] >= 1.0 || x[4])"},
        {"min(x0, x1, x2)", "\\min\\left(x0, x1, x2\\right)", "fmin(fmin(x[0], x[1]), x[2])"},
        {"mod(x0, 2) + sign(x1)", "\\operatorname{mod}\\left(x0, 2\\right) + \\operatorname{sign}\\left(x1\\right)",
         "(x[0] - 2.0 * floor(x[0] / 2.0)) + (double)((x[1] > 0.0) - (x[1] < 0.0))"},
        {"(x0 < 1)/(x1 < 2)", "\\frac{x0 < 1}{x1 < 2}", "(double)(x[0] < 1.0) / (double)(x[1] < 2.0)"},
        {"slope(tab, abs(x0))", "\\mathrm{tab}'\\left(\\left|x0\\right|\\right)", "sl_slope_0(fabs(x[0]))"},
    };
    bench b;
    bench_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sl_expr e = bench_parse(&b, cases[i][0]);
        /* digits at the end of a name are an index to LaTeX, and dots stand over the letter */
        char expected[512] = {0}, *to = expected;
        for (const char *s = cases[i][1]; *s; s++) {
            bool name = (s[0] == 'x' || s[0] == 'p') && s[1] >= '0' && s[1] <= '9';
            to += name ? sprintf(to, "%c_{%c}", s[0], s[1]) : sprintf(to, "%c", *s);
            s += name;
        }
        sl_assert_z(bench_text(&b, e, SL_EXPR_LATEX), expected);
        sl_assert_z(bench_text(&b, e, SL_EXPR_C), cases[i][2]);
    }
    static const char *const named[][2] = {{"q_0", "q_{0}"},
                                           {"h", "h"},
                                           {"end[0,1].flow", "\\mathrm{end}_{0,1}.\\mathrm{flow}"},
                                           {"a_b_c", "a_{b,c}"},
                                           {"omega", "\\omega"},
                                           {"Delta2", "\\Delta_{2}"},
                                           {"ω1", "\\omega_{1}"},
                                           {"pump12", "\\mathrm{pump}_{12}"},
                                           {"T2m", "\\mathrm{T2m}"},
                                           {"höhe", "\\text{höhe}"},
                                           {"eta_x[3]", "\\eta_{x,3}"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        sl_expr e;
        sl_assert_ok(sl_expr_declare_variable(b.g, sl_str_z(named[i][0]), 0, NULL, b.diags, &e));
        sl_assert_z(bench_text(&b, e, SL_EXPR_LATEX), named[i][1]);
    }
    bench_fini(&b);
}

/* Whether every element that begins ends, in order; text counts as none. */
static bool is_well_formed(const char *xml) {
    char open[64][16];
    int depth = 0;
    for (const char *s = strchr(xml, '<'); s; s = strchr(s + 1, '<')) {
        bool end = s[1] == '/';
        size_t n = strcspn(s + 1 + end, " />");
        const char *close = strchr(s, '>');
        if (!close || n >= sizeof *open || depth >= 64) {
            return false;
        }
        if (end && (depth == 0 || strncmp(open[depth - 1], s + 2, n) != 0 || strlen(open[depth - 1]) != n)) {
            return false;
        }
        if (end) {
            depth--;
        } else if (close[-1] != '/') {
            (void)snprintf(open[depth++], sizeof *open, "%.*s", (int)n, s + 1);
        }
    }
    return depth == 0;
}

static void mathml(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x0/2", "<mfrac><mrow><msub><mi>x</mi><mrow><mn>0</mn></mrow></msub></mrow><mrow><mn>2</mn></mrow></mfrac>"},
        {"-sqrt(t)", "<mrow><mo>\u2212</mo><msqrt><mi>t</mi></msqrt></mrow>"},
        {"t^2 <= 1e-7",
         "<msup><mrow><mi>t</mi></mrow><mrow><mn>2</mn></mrow></msup><mo>≤</mo><mn>1</mn><mo>⋅</mo><msup><mn>10</mn>"
         "<mn>\u22127</mn></msup>"},
        {"sin(-2)*t - 3", NULL},
        {"if(x0 < 1 & !x4, min(x0, x1), abs(x2)/log10(x3))", NULL},
        {"slope(tab, der(x0)) + tab(-3*x1)", NULL},
        {"max(x0, floor(x1), ceil(x2))^(x0 + 1) - (x1 - x2)*(x3 + 1)", NULL},
    };
    bench b;
    bench_init(&b);
    assert_false(is_well_formed("<mi>x</mn>"));
    assert_false(is_well_formed("<mrow><mi>x</mi>"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = bench_text(&b, bench_parse(&b, cases[i][0]), SL_EXPR_MATHML);
        assert_true(is_well_formed(text));
        if (cases[i][1]) {
            sl_assert_z(text, cases[i][1]);
        }
    }
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        const char *text = bench_text(&b, random_expr(&b, &seed, 20, i % 3), SL_EXPR_MATHML);
        assert_true(is_well_formed(text));
    }
    bench_fini(&b);
}

/* What is written as C is compiled and gives the same values. */
static void c_computes_the_same(void **state) {
    (void)state;
    enum { N = 200 };
    const char *compiler = getenv("SLUICE_CC");
    if (!compiler) {
        print_message("skipped the compilation of generated C: SLUICE_CC is not set\n");
        return;
    }
    char folder[] = "/tmp/sluice-expr-XXXXXX", source[64], library[64], command[512];
    assert_non_null(mkdtemp(folder));
    snprintf(source, sizeof source, "%s/a.c", folder);
    snprintf(library, sizeof library, "%s/a.so", folder);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    /* The table of the bench, by hand. */
    fprintf(
        file,
        "#include <math.h>\n"
        "static double sl_table_0(double h) { return h < -2 ? 1 : h < -0.25 ? 1 + (h + 2)/1.75 : h < 0.5 ? 2 - 4*(h + 0.25)"
        " : h < 3 ? -1 + 2*(h - 0.5) : 4; }\n"
        "static double sl_slope_0(double h) { return h < -2 ? 0 : h < -0.25 ? 1/1.75 : h < 0.5 ? -4 : h < 3 ? 2 : 0; }\n"
        "void all(double t, const double *x, const double *x1, const double *p, double *out) {\n");
    uint64_t seed = 21;
    bench b;
    bench_init(&b);
    sl_expr e[N];
    for (int i = 0; i < N; i++) {
        e[i] = random_expr(&b, &seed, 5 + (int)sl_test_below(&seed, 30), i % 3);
        fprintf(file, "out[%d] = %s;\n", i, bench_text(&b, e[i], SL_EXPR_C));
    }
    fprintf(file, "(void)t; (void)x1; (void)p; (void)sl_table_0; (void)sl_slope_0; }\n");
    fclose(file);
    snprintf(command, sizeof command, "%s -std=c99 -O0 -shared -fPIC -o %s %s -lm", compiler, library, source);
    assert_int_equal(system(command), 0);
    void *handle = dlopen(library, RTLD_NOW);
    assert_non_null(handle);
    void (*all)(double, const double *, const double *, const double *, double *);
    *(void **)&all = dlsym(handle, "all");
    assert_true(all != NULL);
    double out[N];
    int64_t n_same = 0;
    for (int k = 0; k < 5; k++) {
        point at = random_point(&seed);
        all(at.t, at.x[0], at.x[1], at.p, out);
        for (int i = 0; i < N; i++) { /* a jump that is decided by the last bit may go either way */
            double y = bench_eval(&b, e[i], &at);
            n_same += fabs(out[i] - y) <= 1e-12 * fmax(1.0, fabs(y));
        }
    }
    assert_true(n_same >= 5 * N - 5);
    dlclose(handle);
    remove(source);
    remove(library);
    rmdir(folder);
    bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_reads_back),     cmocka_unit_test(random_text_reads_back),
        cmocka_unit_test(errors_have_a_place), cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(latex_and_c),         cmocka_unit_test(mathml),
        cmocka_unit_test(c_computes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
