/* SPDX-License-Identifier: MIT */
/* The functions of hydraulics: values against closed forms written here anew, over complex numbers, and all first partial derivatives
 * against complex steps of these. Then what is known of them: inverses, ends, slopes at zero, second derivatives by differences. */
#include "random_expr.h"

#include <math.h>
#include <string.h>

#define LOG_1E5 11.512925464970229

typedef double _Complex z;

#define close_to(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static z clipped(z s) {
    return creal(s) < 0.0 ? 0.0 : creal(s) > 1.0 ? 1.0 : s;
}
static z cubic(z x, z a, z b) {
    z s = clipped((x - a) / (b - a));
    return s * s * (3.0 - 2.0 * s);
}
static z f_smoothstep(const z *a) {
    return cubic(a[0], a[1], a[2]);
}
static z f_smootherstep(const z *a) {
    z s = clipped((a[0] - a[1]) / (a[2] - a[1]));
    return 6.0 * s * s * s * s * s - 15.0 * s * s * s * s + 10.0 * s * s * s;
}
static z f_regroot(const z *a) {
    return a[0] / csqrt(csqrt(a[0] * a[0] + a[1] * a[1]));
}
static z f_regsquare(const z *a) {
    return a[0] * csqrt(a[0] * a[0] + a[1] * a[1]);
}
static z f_regpow(const z *a) {
    return a[0] * cexp(0.5 * (a[1] - 1.0) * clog(a[0] * a[0] + a[2] * a[2]));
}
static z f_density_3(const z *a) {
    return a[1] + a[1] * a[0] / a[2];
}
static z f_density_4(const z *a) {
    return a[1] * cexp(clog(1.0 + a[3] * a[0] / a[2]) / a[3]);
}
static z f_density_6(const z *a) {
    return creal(a[0]) >= 0.0 ? f_density_4(a) : a[1] - a[0] * (a[1] - a[5]) / a[4];
}
static z f_pressure_3(const z *a) {
    return a[2] * (a[0] - a[1]) / a[1];
}
static z f_pressure_4(const z *a) {
    return a[2] * (cexp(a[3] * clog(a[0] / a[1])) - 1.0) / a[3];
}
static z f_pressure_6(const z *a) {
    return creal(a[0]) >= creal(a[1]) ? f_pressure_4(a) : -a[4] * (a[0] - a[1]) / (a[1] - a[5]);
}
static z f_aerated(const z *a) {
    return (a[1] + a[3] * a[4]) / (cexp(-(a[0] - a[5]) / a[2]) + a[3] * cexp(clog(a[5] / a[0]) / a[6]));
}
static z wall(z re, const z *k) {
    z t = k ? 1.8 * clog(cexp(1.11 * clog(*k / 3.7)) + 6.9 / re) / log(10.0) : 0.79 * clog(re) - 1.64;
    return 1.0 / (t * t);
}
static z factor(z re, z shape, const z *k) {
    z turbulent = shape / 64.0 * wall(creal(re) > 2000.0 ? re : 2000.0, k), b = cubic(re, 2000.0, 3000.0);
    return (1.0 - b) * shape / re + b * turbulent;
}
static z f_factor_1(const z *a) {
    return factor(a[0], 64.0, NULL);
}
static z f_factor_2(const z *a) {
    return factor(a[0], a[1], NULL);
}
static z f_factor_3(const z *a) {
    return factor(a[0], a[1], &a[2]);
}
/* rho u |u| f / (2 d), which has no meaning at u = 0. */
static z gradient(const z *a, z shape, const z *k) {
    z speed = creal(a[0]) < 0.0 ? -a[0] : a[0], re = a[1] * speed * a[3] / a[2];
    return 0.5 * a[1] * a[0] * speed / a[3] * factor(re, shape, k);
}
static z f_gradient_4(const z *a) {
    return gradient(a, 64.0, NULL);
}
static z f_gradient_5(const z *a) {
    return gradient(a, a[4], NULL);
}
static z f_gradient_6(const z *a) {
    return gradient(a, a[4], &a[5]);
}
static z f_orifice(const z *a) {
    return a[3] * a[2] * csqrt(2.0 * a[1]) * f_regroot((const z[]){a[0], a[4]});
}
static z f_transition(const z *a) {
    z q = a[4] * a[1] * sqrt(acos(-1.0)) / (2.0 * a[3] * a[0] * csqrt(a[2]));
    return 0.5 * a[0] * q * q;
}
static z f_stop(const z *a) {
    z damped = 1.0 + a[3] * a[1];
    return creal(a[0]) > 0.0 && creal(damped) > 0.0 ? a[2] * a[0] * damped : 0.0;
}

/* Each argument lies between two numbers. */
static const struct function {
    const char *word;
    z (*f)(const z *);
    int n;
    double low[7], high[7];
} functions[] = {
    {"smoothstep", f_smoothstep, 3, {-1, 0, 1.5}, {3, 1, 2}},
    {"smootherstep", f_smootherstep, 3, {-1, 0, 1.5}, {3, 1, 2}},
    {"regroot", f_regroot, 2, {-2, 0.01}, {2, 1}},
    {"regsquare", f_regsquare, 2, {-2, 0.01}, {2, 1}},
    {"regpow", f_regpow, 3, {-2, 0.3, 0.01}, {2, 2.5, 1}},
    {"liquid_density", f_density_3, 3, {-1e5, 700, 1e9}, {1e8, 1000, 2e9}},
    {"liquid_density", f_density_4, 4, {-1e5, 700, 1e9, 1}, {1e8, 1000, 2e9, 9}},
    {"liquid_density", f_density_6, 6, {-800, 700, 1e9, 1, -1500, 0.001}, {800, 1000, 2e9, 9, -1000, 0.1}},
    {"liquid_pressure", f_pressure_3, 3, {690, 700, 1e9}, {1100, 1000, 2e9}},
    {"liquid_pressure", f_pressure_4, 4, {900, 850, 1e9, 1}, {1010, 900, 2e9, 9}},
    {"liquid_pressure", f_pressure_6, 6, {600, 850, 1e9, 1, -1500, 0.001}, {1000, 860, 2e9, 9, -1000, 0.1}},
    {"aerated_density", f_aerated, 7, {2e4, 800, 1e9, 1e-3, 1, 0.9e5, 1}, {1e7, 1000, 2e9, 0.1, 1.4, 1.1e5, 1.4}},
    {"friction_factor", f_factor_1, 1, {10}, {6000}},
    {"friction_factor", f_factor_2, 2, {10, 50}, {6000, 100}},
    {"friction_factor", f_factor_3, 3, {10, 50, 1e-5}, {6000, 100, 1e-2}},
    {"friction_gradient", f_gradient_4, 4, {-0.2, 900, 0.9e-3, 0.01}, {0.2, 1000, 1.1e-3, 0.03}},
    {"friction_gradient", f_gradient_5, 5, {-0.2, 900, 0.9e-3, 0.01, 50}, {0.2, 1000, 1.1e-3, 0.03, 100}},
    {"friction_gradient", f_gradient_6, 6, {-0.2, 900, 0.9e-3, 0.01, 50, 1e-5}, {0.2, 1000, 1.1e-3, 0.03, 100, 1e-2}},
    {"orifice_flow", f_orifice, 5, {-1e5, 700, 1e-6, 0.6, 10}, {1e5, 1000, 1e-4, 0.8, 1e4}},
    {"orifice_transition", f_transition, 5, {700, 1e-3, 1e-6, 0.6, 10}, {1000, 0.1, 1e-4, 0.8, 150}},
    {"stop_force", f_stop, 4, {-1e-3, -1, 1e6, 0.1}, {1e-3, 1, 1e8, 4}},
};

static const char *const names[7] = {"x0", "x1", "x2", "x3", "p0", "p1", "p2"};

static sl_expr call_of(bench *b, const struct function *f) {
    char text[200];
    int at = sl_format(text, sizeof text, "%s(", f->word);
    for (int i = 0; i < f->n; i++) {
        at += sl_format(text + at, sizeof text - (size_t)at, "%s%s", names[i], i + 1 < f->n ? ", " : ")");
    }
    return bench_parse(b, text);
}

static double *place_of(point *at, int i) {
    return i < 4 ? &at->x[0][i] : &at->p[i - 4];
}

static void values_and_derivatives(void **state) {
    (void)state;
    enum { POINTS = 2000 };
    bench b;
    bench_init(&b);
    uint64_t seed = 7;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const struct function *f = &functions[k];
        sl_expr e = call_of(&b, f), d[7];
        double worst = 0.0, worst_d = 0.0;
        for (int i = 0; i < f->n; i++) {
            d[i] = sl_expr_diff(b.g, e, bench_parse(&b, names[i]));
        }
        for (int m = 0; m < POINTS; m++) {
            point at = {0};
            z a[7];
            for (int i = 0; i < f->n; i++) {
                a[i] = *place_of(&at, i) = f->low[i] + (f->high[i] - f->low[i]) * sl_test_unit(&seed);
            }
            double v = creal(f->f(a)), scale = fabs(v) + 1e-300;
            worst = fmax(worst, fabs(bench_eval(&b, e, &at) - v) / scale);
            for (int i = 0; i < f->n; i++) {
                double size = fmax(fabs(f->low[i]), fabs(f->high[i])), step = 1e-30 * size;
                z before = a[i];
                a[i] += step * (z)I;
                double slope = cimag(f->f(a)) / step, mine = bench_eval(&b, d[i], &at);
                a[i] = before;
                /* relative, but for what is lost where terms cancel: in the unit of value over argument */
                worst_d = fmax(worst_d, fabs(mine - slope) / (fabs(slope) + scale / size));
            }
        }
        if (!(worst <= 1e-12) || !(worst_d <= 1e-10)) {
            fail_msg("%s of %d: value %g, derivative %g", f->word, f->n, worst, worst_d);
        }
    }
    bench_fini(&b);
}

static double number(bench *b, const char *text) {
    point at = {0};
    return bench_eval(b, bench_parse(b, text), &at);
}

/* Facts of each, at numbers. */
static void facts(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    static const struct {
        const char *text;
        double value, tolerance;
    } all[] = {
        {"smoothstep(-1, 0, 2)", 0, 0},
        {"smoothstep(5, 0, 2)", 1, 0},
        {"smoothstep(1, 0, 2)", 0.5, 0},
        {"smootherstep(0.5, 0, 1)", 0.5, 0},
        {"regroot(0, 0.1)", 0, 0},
        {"regroot(4, 1e-9)", 2, 1e-15},
        {"regroot(-4, 1e-9)", -2, 1e-15},
        {"regsquare(-3, 0)", -9, 0},
        {"regpow(2, 3, 0)", 8, 1e-14},
        /* the line through (0, 997) and (-1000, 0.0073955) */
        {"liquid_density(-1000, 997, 2.09e9, 1, -1000, 0.0073955)", 0.0073955, 1e-13},
        {"liquid_density(0, 997, 2.09e9, 1, -1000, 0.0073955)", 997, 0},
        {"liquid_pressure(liquid_density(3e7, 997, 2.09e9, 7), 997, 2.09e9, 7)", 3e7, 1e-2},
        {"liquid_pressure(liquid_density(-500, 997, 2.09e9, 7, -1000, 0.0073955), 997, 2.09e9, 7, -1000, 0.0073955)",
         -500, 1e-10},
        {"aerated_density(1e5, 870, 1.4e9, 0.01, 1.2, 1e5, 1.4)", (870 + 0.012) / 1.01, 1e-12},
        {"friction_factor(1000)", 0.064, 1e-16},
        {"friction_factor(1e5)", 1.0 / ((0.79 * LOG_1E5 - 1.64) * (0.79 * LOG_1E5 - 1.64)), 1e-17},
        /* laminar flow between 2000 and 0: 32 mu u / d^2; an odd function */
        {"friction_gradient(0.001, 1000, 0.001, 0.1)", 32 * 0.001 * 0.001 / 0.01, 1e-18},
        {"friction_gradient(0, 1000, 0.001, 0.1)", 0, 0},
        {"friction_gradient(2, 1000, 0.001, 0.1, 64, 1e-3) + friction_gradient(-2, 1000, 0.001, 0.1, 64, 1e-3)", 0, 0},
        {"orifice_flow(1e5, 1000, 1e-4, 0.6, 1e-3)", 0.6 * 1e-4 * 14142.135623730950, 1e-12},
        {"orifice_transition(870, 0.04, 1e-5, 0.64, 0)", 0, 0},
        {"stop_force(-1, 3, 1e8, 4)", 0, 0},
        {"stop_force(1e-3, -3, 1e8, 4)", 0, 0},
        {"stop_force(1e-3, 0.5, 1e8, 4)", 3e5, 1e-9},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double v = number(&b, all[i].text);
        if (!(fabs(v - all[i].value) <= all[i].tolerance)) {
            fail_msg("%s is %.17g, not %.17g", all[i].text, v, all[i].value);
        }
    }
    bench_fini(&b);
}

/* The friction gradient has one slope where its laws meet, at rest too. */
static void friction_is_smooth(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    sl_expr e = bench_parse(&b, "friction_gradient(x0, 1000, 0.001, 0.1)"),
            d = sl_expr_diff(b.g, e, bench_parse(&b, "x0"));
    const double joints[] = {0.0, 0.02, 0.03, -0.02, -0.03};
    for (size_t i = 0; i < 5; i++) {
        point below = {.x[0][0] = joints[i] - 1e-12}, above = {.x[0][0] = joints[i] + 1e-12};
        close_to(bench_eval(&b, d, &below), bench_eval(&b, d, &above), 1e-5 * fabs(bench_eval(&b, d, &above)));
    }
    point rest = {0};
    close_to(bench_eval(&b, d, &rest), 32 * 0.001 / 0.01, 1e-15);
    /* second derivatives by differences of the first */
    sl_expr dd = sl_expr_diff(b.g, d, bench_parse(&b, "x0"));
    for (int k = 1; k < 60; k++) {
        double u = 0.001 * k + 0.0003, h = 1e-7;
        point at = {.x[0][0] = u}, low = {.x[0][0] = u - h}, high = {.x[0][0] = u + h};
        double by_difference = (bench_eval(&b, d, &high) - bench_eval(&b, d, &low)) / (2 * h);
        close_to(bench_eval(&b, dd, &at), by_difference, 1e-5 * (fabs(by_difference) + 1));
    }
    bench_fini(&b);
}

/* Text comes back as it was written; LaTeX and MathML name the function; the same node from the same text. */
static void texts(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        sl_expr e = call_of(&b, &functions[k]);
        assert_int_equal(bench_parse(&b, bench_text(&b, e, SL_EXPR_TEXT)), e);
        assert_non_null(strstr(bench_text(&b, e, SL_EXPR_LATEX), functions[k].word));
        assert_non_null(strstr(bench_text(&b, e, SL_EXPR_MATHML), functions[k].word));
        assert_null(strstr(bench_text(&b, e, SL_EXPR_C), functions[k].word));
    }
    static const char *const wrong[] = {"smoothstep(x0, x1)", "liquid_density(x0, x1, x2, x3, p0)", "regroot",
                                        "smoothstp(1, 2, 3)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_expr e;
        assert_int_equal(sl_expr_parse(b.g, sl_str_z(wrong[i]), NULL, b.diags, &e), SL_ERR_INPUT);
    }
    assert_non_null(strstr(sl_diags_at(b.diags, 0)->hint, "x a b"));
    assert_non_null(strstr(sl_diags_at(b.diags, 3)->hint, "smoothstep"));
    bench_fini(&b);
}

/* Smooth ones have no kinks that count, however they are written; a stop has. */
static void kinks(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        assert_int_equal(sl_expr_has_kinks(b.g, call_of(&b, &functions[k])),
                         strcmp(functions[k].word, "stop_force") == 0);
    }
    assert_true(sl_expr_has_kinks(b.g, bench_parse(&b, "smoothstep(abs(x0), 0, 1) + abs(x1)")));
    bench_fini(&b);
}

/* A cubic table, its slope and its curvature: each is the derivative of the one before; texts read back. */
static void derivatives_of_tables(void **state) {
    (void)state;
    bench b;
    bench_init(&b);
    int32_t table;
    sl_assert_ok(sl_expr_declare_table(b.g, sl_str_z("cam"), 5, (const double[]){0, 1, 2, 4, 5},
                                       (const double[]){0, 1, 3, 4, 6}, NULL, b.diags, &table));
    sl_assert_ok(sl_expr_shape_table(b.g, table, SL_TABLE_CUBIC, SL_TABLE_EXTEND));
    sl_expr e[3] = {bench_parse(&b, "cam(x0)"), bench_parse(&b, "slope(cam, x0)"),
                    bench_parse(&b, "curvature(cam, x0)")},
            x = bench_parse(&b, "x0");
    sl_expr bent = sl_expr_diff(b.g, sl_expr_diff(b.g, bench_parse(&b, "cam(x0^2)"), x), x);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sl_expr_diff(b.g, e[k], x), e[k + 1]);
        assert_int_equal(bench_parse(&b, bench_text(&b, e[k + 1], SL_EXPR_TEXT)), e[k + 1]);
    }
    for (int i = 0; i < 600; i++) {
        double at_x = -0.5 + 0.01 * i + 0.0037, h = 1e-6;
        point at = {.x[0][0] = at_x}, low = {.x[0][0] = at_x - h}, high = {.x[0][0] = at_x + h};
        for (int k = 0; k < 2; k++) {
            close_to(bench_eval(&b, e[k + 1], &at),
                     (bench_eval(&b, e[k], &high) - bench_eval(&b, e[k], &low)) / (2 * h), 1e-6);
        }
        point root = {.x[0][0] = sqrt(fabs(at_x))}, square = {.x[0][0] = root.x[0][0] * root.x[0][0]};
        close_to(bench_eval(&b, bent, &root),
                 2 * bench_eval(&b, e[1], &square) + 4 * square.x[0][0] * bench_eval(&b, e[2], &square), 1e-9);
    }
    bench_fini(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_derivatives),
        cmocka_unit_test(facts),
        cmocka_unit_test(friction_is_smooth),
        cmocka_unit_test(texts),
        cmocka_unit_test(kinks),
        cmocka_unit_test(derivatives_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
