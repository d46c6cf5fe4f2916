/* SPDX-License-Identifier: MIT */
/* test_pipe.c: losses of pipes against their formulas in feet, written down here again, and slopes by differences. */
#include "laws_test.h"

#include "laws/pipe.h"

#define FT 0.3048
#define CFS (FT * FT * FT)
#define PI 3.14159265358979323846
/* EPANET's RQTOL of 1e-7 ft per ft3/s, in s/m2. */
#define FLOOR (1e-7 * FT / CFS)

static const double lengths[] = {0.2, 10.0, 100.0, 8000.0}, diameters[] = {0.015, 0.1, 0.3, 2.0};

/* ---- The formulas, in feet and ft3/s, as the theory page has them -------------------------------- */

static double hw_feet(double l, double d, double c, double q) {
    return 4.727 * l * pow(c, -1.852) * pow(d, -4.871) * pow(q, 1.852);
}

static double cm_feet(double l, double d, double n, double q) {
    double v = q / (PI * d * d / 4.0);
    return l * v * v * n * n / (1.49 * 1.49) * pow(d / 4.0, -1.333);
}

/* ---- Hazen-Williams and Chezy-Manning ----------------------------------------------------------- */

typedef struct pipe {
    sl_headloss law;
    double r, m;
    double floor; /* of the slope */
    sl_dw_pipe dw;
} pipe;

static void loss(double q, const void *user, double *h, double *slope) {
    const pipe *p = user;
    switch (p->law) {
    case SL_HAZEN_WILLIAMS: sl_pipes_hw(1, &p->r, &p->m, &q, p->floor, h, slope); break;
    case SL_CHEZY_MANNING: sl_pipes_cm(1, &p->r, &p->m, &q, p->floor, h, slope); break;
    default: sl_pipes_dw(1, &p->r, &p->m, &p->dw, &q, 0.0, h, slope); break;
    }
}

static void test_hw_figure(void **state) {
    (void)state;
    /* 4.727 ft^..., with L and D in metres and Q in m3/s: the page's 10.66683. */
    sl_assert_rel(sl_pipe_resistance(SL_HAZEN_WILLIAMS, 1.0, 1.0, 1.0), 4.727 * pow(FT, -0.685), 1e-14);
    sl_assert_rel(sl_pipe_resistance(SL_HAZEN_WILLIAMS, 1.0, 1.0, 1.0), 10.66683, 5e-7);
    sl_assert_rel(sl_pipe_resistance(SL_CHEZY_MANNING, 1.0, 1.0, 1.0), 10.23660, 5e-7);
}

static void test_feet(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double l = lengths[i], d = diameters[j], h, slope;
            for (double q = 1e-3; q < 5.0; q *= 7.0) {
                pipe hw = {.law = SL_HAZEN_WILLIAMS, .r = sl_pipe_resistance(SL_HAZEN_WILLIAMS, l, d, 117.0)};
                pipe cm = {.law = SL_CHEZY_MANNING, .r = sl_pipe_resistance(SL_CHEZY_MANNING, l, d, 0.013)};
                loss(q, &hw, &h, &slope);
                sl_assert_rel(h, FT * hw_feet(l / FT, d / FT, 117.0, q / CFS), 1e-13);
                loss(q, &cm, &h, &slope);
                sl_assert_rel(h, FT * cm_feet(l / FT, d / FT, 0.013, q / CFS), 1e-13);
            }
        }
    }
}

/* Twelve decades of flow, with and without minor losses, both signs; not across the end of the straight piece. */
static void sweep(pipe p, double exponent) {
    p.floor = FLOOR;
    double linear = pow(FLOOR / (exponent * p.r), 1.0 / (exponent - 1.0));
    for (double q = 1e-10; q < 2e2; q *= 3.3) {
        if (fabs(q / linear - 1.0) > 1e-4) {
            laws_assert_slope(loss, &p, q, 0.0);
            laws_assert_slope(loss, &p, -q, 0.0);
        }
        double h, minus, slope;
        loss(q, &p, &h, &slope);
        loss(-q, &p, &minus, &slope);
        sl_assert_bits(minus, -h);
    }
    double below, at, above, slope;
    loss(linear * (1.0 - 1e-12), &p, &below, &slope);
    sl_assert_rel(slope, FLOOR / exponent + 2.0 * p.m * linear, 1e-9);
    loss(linear, &p, &at, &slope);
    loss(linear * (1.0 + 1e-12), &p, &above, &slope);
    sl_assert_rel(slope, FLOOR + 2.0 * p.m * linear, 1e-9);
    sl_assert_rel(below, at, 1e-11); /* no jump where the straight piece ends */
    sl_assert_rel(above, at, 1e-11);
    assert_true(below < above);
}

static void test_power_slopes(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int m = 0; m < 2; m++) {
                double minor = m ? sl_minor_loss(2.5, diameters[j]) : 0.0;
                sweep((pipe){.law = SL_HAZEN_WILLIAMS,
                             .r = sl_pipe_resistance(SL_HAZEN_WILLIAMS, lengths[i], diameters[j], 100.0),
                             .m = minor},
                      1.852);
                sweep((pipe){.law = SL_CHEZY_MANNING,
                             .r = sl_pipe_resistance(SL_CHEZY_MANNING, lengths[i], diameters[j], 0.011),
                             .m = minor},
                      2.0);
            }
        }
    }
}

static void test_rest(void **state) {
    (void)state;
    pipe p = {.law = SL_HAZEN_WILLIAMS, .r = 1e3, .m = 5.0, .floor = FLOOR};
    double h, slope;
    loss(0.0, &p, &h, &slope);
    sl_assert_double(h, 0.0);
    sl_assert_rel(slope, FLOOR / 1.852, 1e-15);
    p.law = SL_CHEZY_MANNING;
    loss(0.0, &p, &h, &slope);
    sl_assert_double(h, 0.0);
    sl_assert_rel(slope, FLOOR / 2.0, 1e-15);
}

static void test_minor(void **state) {
    (void)state;
    for (int j = 0; j < 4; j++) {
        double d = diameters[j] / FT;
        /* 0.02517 K D^-4 Q^2 in feet */
        sl_assert_rel(sl_minor_loss(3.0, diameters[j]), 0.02517 * 3.0 / pow(d, 4.0) * FT / (CFS * CFS), 1e-13);
        /* which is K v^2 / 2g within what 0.02517 leaves of 8 / (g pi^2) with g = 32.2 ft/s2: 0.02517308 */
        double v = 1.0 / (PI * diameters[j] * diameters[j] / 4.0);
        sl_assert_rel(sl_minor_loss(3.0, diameters[j]), 3.0 * v * v / (2.0 * 32.2 * FT), 1.3e-4);
    }
}

/* ---- Darcy-Weisbach ----------------------------------------------------------------------------- */

static pipe dw_pipe(double l, double d, double roughness, double minor) {
    const double viscosity = 1.1e-5 * FT * FT;
    return (pipe){.law = SL_DARCY_WEISBACH,
                  .r = sl_pipe_resistance(SL_DARCY_WEISBACH, l, d, roughness),
                  .m = sl_minor_loss(minor, d),
                  .dw = sl_dw_pipe_of(d, roughness, viscosity)};
}

static double swamee_jain(double re, double relative) {
    double y = log10(relative + 5.74 / pow(re, 0.9));
    return 0.25 / (y * y);
}

/* f and df/dRe from the loss of a pipe whose flow is its Reynolds number: h = f Re^2. */
static double friction_factor(double re, double relative, double *slope) {
    double resistance = 1.0, minor = 0.0, h, s;
    sl_dw_pipe dw = {.relative = relative, .re_scale = 1.0};
    sl_pipes_dw(1, &resistance, &minor, &dw, &re, 0.0, &h, &s);
    double f = h / (re * re);
    *slope = (s / re - 2.0 * f) / re;
    return f;
}

static void test_friction(void **state) {
    (void)state;
    double slope;
    for (double e = 0.0; e < 0.02; e += 0.004) {
        for (double re = 1.0; re <= 2000.0; re *= 1.7) {
            sl_assert_rel(friction_factor(re, e, &slope), 64.0 / re, 1e-14);
        }
        for (double re = 4000.0; re < 1e9; re *= 1.7) {
            sl_assert_rel(friction_factor(re, e, &slope), swamee_jain(re, e), 1e-13);
        }
        /* Value and slope are the neighbours' at both ends of the cubic. */
        double in, out, value;
        value = friction_factor(2000.0 * (1.0 + 1e-13), e, &in);
        sl_assert_rel(value, 0.032, 1e-12);
        sl_assert_rel(in, -64.0 / 4e6, 1e-11);
        value = friction_factor(4000.0 * (1.0 - 1e-13), e, &in);
        sl_assert_rel(value, swamee_jain(4000.0, e), 1e-12);
        friction_factor(4000.0, e, &out);
        sl_assert_rel(in, out, 1e-10); /* terms of the cubic cancel to a tenth of a thousandth */
        double d = 4000.0 * 1e-5;      /* and that slope is Swamee and Jain's, by differences (their error 1e-9) */
        sl_assert_rel(out, (swamee_jain(4000.0 + d, e) - swamee_jain(4000.0 - d, e)) / (2.0 * d), 1e-8);
    }
}

static void test_dw(void **state) {
    (void)state;
    for (int j = 0; j < 4; j++) {
        double d = diameters[j], l = 123.0, nu = 1.1e-5 * FT * FT, area = PI * d * d / 4.0, h, slope;
        pipe p = dw_pipe(l, d, 2.6e-4, 0.0);
        for (double re = 1e-3; re < 1e8; re *= 2.3) {
            double v = re * nu / d, q = v * area, g = 32.2 * FT;
            loss(q, &p, &h, &slope);
            if (re <= 2000.0) { /* Hagen-Poiseuille: 32 nu L v / (g D^2) */
                sl_assert_rel(h, 32.0 * nu * l * v / (g * d * d), 1e-13);
                sl_assert_rel(slope, h / q, 1e-13);
            } else if (re >= 4000.0) {
                sl_assert_rel(h, swamee_jain(re, 2.6e-4 / (3.7 * d)) * l / d * v * v / (2.0 * g), 1e-12);
            }
        }
    }
}

static void test_dw_slopes(void **state) {
    (void)state;
    for (int j = 0; j < 4; j++) {
        for (int m = 0; m < 2; m++) {
            double d = diameters[j], nu = 1.1e-5 * FT * FT, per_re = nu * d * PI / 4.0;
            pipe p = dw_pipe(50.0, d, 1e-4, m ? 3.0 : 0.0);
            for (double q = 1e-10; q < 2e2; q *= 3.3) {
                laws_assert_slope(loss, &p, q, 0.0);
                laws_assert_slope(loss, &p, -q, 0.0);
            }
            for (double re = 2100.0; re < 4000.0; re += 270.0) {
                laws_assert_slope(loss, &p, re * per_re, 0.0);
            }
            for (double re = 2000.0; re < 5000.0; re *= 2.0) { /* no jump of value or slope */
                double a, b, sa, sb;
                loss(re * per_re * (1.0 - 1e-12), &p, &a, &sa);
                loss(re * per_re * (1.0 + 1e-12), &p, &b, &sb);
                sl_assert_rel(a, b, 1e-10);
                sl_assert_rel(sa, sb, 1e-9);
            }
        }
    }
    pipe p = dw_pipe(50.0, 0.1, 1e-4, 2.0);
    double h, slope;
    loss(0.0, &p, &h, &slope);
    sl_assert_double(h, 0.0);
    assert_true(slope > 0.0);
}

/* Many pipes at once, sizes that repeat and more of them than are kept: the bits of one at a time. */
static void test_resistances(void **state) {
    (void)state;
    enum { N = 3000 };
    static const sl_headloss laws[] = {SL_HAZEN_WILLIAMS, SL_CHEZY_MANNING, SL_DARCY_WEISBACH};
    for (int law = 0; law < 3; law++) {
        double length[N], diameter[N], roughness[N], r[N];
        for (int i = 0; i < N; i++) {
            int size = i < N / 2 ? i * 7 % 20 : i * 7 % 500;
            length[i] = 1.0 + 0.37 * i;
            diameter[i] = 0.05 * (1 + size % 25);
            roughness[i] = 60.0 + 5.0 * (size / 25);
        }
        sl_pipes_resistance(laws[law], N, length, diameter, roughness, r);
        for (int i = 0; i < N; i++) {
            sl_assert_bits(r[i], sl_pipe_resistance(laws[law], length[i], diameter[i], roughness[i]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hw_figure), cmocka_unit_test(test_feet),      cmocka_unit_test(test_power_slopes),
        cmocka_unit_test(test_rest),      cmocka_unit_test(test_minor),     cmocka_unit_test(test_friction),
        cmocka_unit_test(test_dw),        cmocka_unit_test(test_dw_slopes), cmocka_unit_test(test_resistances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
