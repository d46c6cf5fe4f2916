/* SPDX-License-Identifier: MIT */
/* test_outlets.c: emitters, leaks and demands under low pressure, by bisection over the junction's head. */
#include "eps_test.h"

typedef struct outflow {
    double z, emitter, exponent, area, growth, demand, p0, p1, gamma;
    bool back;
} outflow;

/* What leaves at this pressure. */
static double leaves(const outflow *x, double p) {
    double q = 0.0;
    if (x->emitter > 0.0 && (p > 0.0 || x->back)) {
        q += copysign(x->emitter * pow(fabs(p), x->exponent), p);
    }
    if (p > 0.0) {
        q += EPS_LEAK * (x->area + x->growth * p) * sqrt(p);
    }
    if (x->p1 > x->p0) {
        double s = (p - x->p0) / (x->p1 - x->p0);
        return q + (s <= 0.0 ? 0.0 : s >= 1.0 ? x->demand : x->demand * pow(s, x->gamma));
    }
    return q + x->demand;
}

/* R at 40 over 600 m of 100 mm. */
static double surplus(double h, void *user) {
    const outflow *x = user;
    double d = 40.0 - h, r = eps_hw(600.0, 0.1, 100.0, 1.0);
    return copysign(pow(fabs(d) / r, 1.0 / 1.852), d) - leaves(x, h - x->z);
}

static void expect(eps_run *r, outflow x) {
    double h = eps_root(surplus, &x, -200.0, 200.0), q = leaves(&x, h - x.z);
    sl_assert_abs(eps_head(r, "J"), h, 1e-5); /* residuals of pipe and outlet, 1e-6 m each, and flow 1e-5 */
    sl_assert_near(eps_flow(r, "P"), q, fmax(1e-9, 1e-7 * x.demand), EPS_FLOW); /* 1e-7: what a wall lets through */
    eps_check(r);
    sl_assert_double(eps_get(r, "solver.balanced"), 1.0);
}

#define NET "[JUNCTIONS]\nJ %g %g\n[RESERVOIRS]\nR 40\n[PIPES]\nP R J 600 100 100\n%s\n[OPTIONS]\nUNITS LPS\n%s\n"

static void test_emitter(void **state) {
    (void)state;
    const double z[] = {0.0, 20.0, 39.0, 39.99};
    const double exponents[] = {0.5, 1.0, 1.5};
    for (int i = 0; i < 12; i++) {
        char more[64];
        snprintf(more, sizeof more, "EMITTER EXPONENT %g", exponents[i % 3]);
        eps_run r;
        eps_begin(&r, NET, z[i / 3], 1.0, "[EMITTERS]\nJ 0.8", more);
        expect(&r, (outflow){.z = z[i / 3],
                             .demand = 1.0 * EPS_LPS,
                             .emitter = 0.8 * EPS_LPS,
                             .exponent = exponents[i % 3],
                             .back = true});
        sl_assert_near(eps_get(&r, "node.'J'.emitter") + 1.0 * EPS_LPS, eps_flow(&r, "P"), 1e-12, EPS_FLOW);
        eps_end(&r);
    }
}

static void test_backflow(void **state) {
    (void)state;
    eps_run r; /* the outlet lies above the reservoir: it lets air and water in, or nothing */
    eps_begin(&r, NET, 50.0, 2.0, "[EMITTERS]\nJ 0.8", "");
    expect(&r, (outflow){.z = 50.0, .demand = 2.0 * EPS_LPS, .emitter = 0.8 * EPS_LPS, .exponent = 0.5, .back = true});
    assert_true(eps_get(&r, "node.'J'.emitter") < -1e-3);
    eps_end(&r);
    eps_begin(&r, NET, 50.0, 2.0, "[EMITTERS]\nJ 0.8", "BACKFLOW ALLOWED NO");
    expect(&r, (outflow){.z = 50.0, .demand = 2.0 * EPS_LPS, .emitter = 0.8 * EPS_LPS, .exponent = 0.5});
    sl_assert_abs(eps_get(&r, "node.'J'.emitter"), 0.0, 1e-10);
    eps_end(&r);
    eps_begin(&r, NET, 10.0, 2.0, "[EMITTERS]\nJ 0.8", "BACKFLOW ALLOWED NO"); /* forwards nothing changes */
    expect(&r, (outflow){.z = 10.0, .demand = 2.0 * EPS_LPS, .emitter = 0.8 * EPS_LPS, .exponent = 0.5});
    eps_end(&r);
}

static void test_us_emitter(void **state) {
    (void)state;
    eps_run r; /* gal/min per psi^0.5: 0.4333 psi to the foot; from a tank so wide a pipe loses nothing */
    eps_begin(
        &r,
        "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nR 100\n[PIPES]\nP R J 1 120 150\n[EMITTERS]\nJ 20\n[OPTIONS]\nUNITS GPM\n");
    double p = 0.4333 * eps_pressure(&r, "J") / 0.3048;
    sl_assert_rel(eps_get(&r, "node.'J'.emitter") / EPS_CFS * 448.831, 20.0 * sqrt(p), 1e-6);
    sl_assert_rel(p, 43.33, 1e-6);
    eps_end(&r);
}

static void test_leak(void **state) {
    (void)state;
    /* 40 mm2 and 3 mm2 per metre of head on every 100 m of 600 m; all of it is J's: the other end is a reservoir. */
    const double z[] = {0.0, 25.0, 39.5};
    for (int i = 0; i < 3; i++) {
        eps_run r;
        eps_begin(&r, NET, z[i], 1.0, "[LEAKAGE]\nP 40 3", "");
        expect(&r, (outflow){.z = z[i], .demand = 1.0 * EPS_LPS, .area = 40e-6 * 6.0, .growth = 3e-6 * 6.0});
        sl_assert_near(eps_get(&r, "node.'J'.leak") + 1.0 * EPS_LPS, eps_flow(&r, "P"), 1e-12, EPS_FLOW);
        eps_end(&r);
        eps_begin(&r, NET, z[i], 1.0, "[LEAKAGE]\nP 0 3", "");
        expect(&r, (outflow){.z = z[i], .demand = 1.0 * EPS_LPS, .growth = 3e-6 * 6.0});
        eps_end(&r);
    }
    eps_run r; /* nothing leaks in */
    eps_begin(&r, NET, 60.0, 1.0, "[LEAKAGE]\nP 40 3", "");
    sl_assert_abs(eps_get(&r, "node.'J'.leak"), 0.0, 1e-10);
    sl_assert_rel(eps_flow(&r, "P"), 1.0 * EPS_LPS, EPS_FLOW);
    eps_end(&r);
}

/* A pipe between two junctions leaks half at each. */
static void test_leak_halves(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 0\nB 10 0\n[RESERVOIRS]\nR 40\n[PIPES]\nP1 R A 10 300 100\nP2 A B 800 300 100\n"
                  "[LEAKAGE]\nP2 50 1\n[OPTIONS]\nUNITS LPS\n");
    for (int i = 0; i < 2; i++) {
        const char *id = i ? "B" : "A";
        double p = eps_pressure(&r, id), area = 0.5 * 8.0 * (50e-6 + 1e-6 * p);
        sl_assert_rel(eps_get(&r, "node.'%s'.leak", id), EPS_LEAK * area * sqrt(p), 1e-6);
    }
    eps_end(&r);
}

static void test_pda(void **state) {
    (void)state;
    /* Minimum 5, required 25, exponents; elevations from plenty to nothing at all. */
    const double exponents[] = {0.5, 0.7, 1.0}, demands[] = {0.5, 6.0, 60.0};
    for (double z = 0.0; z < 60.0; z += 5.0) {
        for (int i = 0; i < 9; i++) {
            char more[160];
            snprintf(more, sizeof more,
                     "DEMAND MODEL PDA\nMINIMUM PRESSURE 5\nREQUIRED PRESSURE 25\nPRESSURE EXPONENT %g",
                     exponents[i % 3]);
            eps_run r;
            eps_begin(&r, NET, z, demands[i / 3], "", more);
            outflow x = {.z = z, .demand = demands[i / 3] * EPS_LPS, .p0 = 5.0, .p1 = 25.0, .gamma = exponents[i % 3]};
            expect(&r, x);
            double served = eps_get(&r, "node.'J'.consumption"), p = eps_pressure(&r, "J");
            if (p > 25.001) {
                sl_assert_rel(served, x.demand, 1e-6);
            } else if (p < 4.999) {
                sl_assert_abs(served, 0.0, 1e-7 * x.demand); /* the wall: 100 m push 1e-7 */
            } else {
                assert_true(served < x.demand);
            }
            eps_end(&r);
        }
    }
}

static void test_pda_inflow(void **state) {
    (void)state;
    eps_run r; /* an inflow is taken in full, whatever the pressure */
    eps_begin(&r, NET, 60.0, -3.0, "", "DEMAND MODEL PDA\nREQUIRED PRESSURE 20");
    sl_assert_rel(eps_flow(&r, "P"), -3.0 * EPS_LPS, EPS_FLOW);
    sl_assert_rel(eps_get(&r, "node.'J'.consumption"), -3.0 * EPS_LPS, 1e-12);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emitter),    cmocka_unit_test(test_backflow),    cmocka_unit_test(test_us_emitter),
        cmocka_unit_test(test_leak),       cmocka_unit_test(test_leak_halves), cmocka_unit_test(test_pda),
        cmocka_unit_test(test_pda_inflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
