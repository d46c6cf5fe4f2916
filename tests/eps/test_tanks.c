/* SPDX-License-Identifier: MIT */
/* test_tanks.c: tanks fill, empty, overflow and come back; volume curves; what is in them is what came. */
#include "eps_test.h"

#define AREA (EPS_PI * 25.0) /* of a tank of 10 m */

/* Pumped from a reservoir against a tank that a demand empties. */
static double total(eps_run *r) {
    return eps_get(r, "balance.inflow") - eps_get(r, "balance.outflow") - eps_get(r, "balance.storage");
}

/* Explicit Euler by hand: one pipe from a reservoir at 20 m into a tank. The law inverted gives the inflow of each step. */
static void test_explicit(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[RESERVOIRS]\nR 20\n[TANKS]\nT 0 5 0 19 10\n[JUNCTIONS]\nJ 0 2\n[PIPES]\nP R T 2000 150 100\n"
                  "Q T J 10 200 100\n[TIMES]\nDURATION 10\n[OPTIONS]\nUNITS LPS\n");
    double v = 5.0 * AREA, resistance = eps_hw(2000.0, 0.15, 100.0, 1.0);
    for (int i = 0; i < 10; i++) {
        double q = pow((20.0 - v / AREA) / resistance, 1.0 / 1.852);
        sl_assert_rel(eps_flow(&r, "P"), q, EPS_FLOW);
        v += (q - 2.0 * EPS_LPS) * 3600.0;
        eps_to(&r, (i + 1) * 3600.0);
        sl_assert_rel(eps_get(&r, "tank.'T'.volume"), v, EPS_FLOW);
        sl_assert_abs(eps_get(&r, "tank.'T'.level"), eps_get(&r, "tank.'T'.volume") / AREA, 1e-12);
        sl_assert_abs(total(&r), 0.0, 1e-9);
        eps_check(&r);
    }
    eps_end(&r);
}

#define CUP                                                                                               \
    "[RESERVOIRS]\nR 60\n[TANKS]\nT 30 1 0.5 3 10 0 %s\n[JUNCTIONS]\nJ 0 0\n[PIPES]\nP R J 500 150 100\n" \
    "Q J T 500 150 100\n[TIMES]\nDURATION 12\n[OPTIONS]\nUNITS LPS\n"

static void test_full(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, CUP, "");
    bool full = false;
    while (eps_step(&r)) {
        double level = eps_get(&r, "tank.'T'.level");
        assert_true(level <= 3.0 + 1e-12);
        if (level >= 3.0) {
            full = true;
            sl_assert_double(level, 3.0);
            assert_int_equal(eps_status(&r, "Q"), SL_STATUS_TEMP_CLOSED);
            sl_assert_double(eps_flow(&r, "Q"), 0.0);
            sl_assert_abs(eps_head(&r, "J"), 60.0, EPS_HEAD); /* at rest */
            sl_assert_double(eps_get(&r, "tank.'T'.state"), 0.0);
        } else {
            sl_assert_double(eps_get(&r, "tank.'T'.state"), 1.0);
        }
    }
    assert_true(full);
    /* Put on its limit within one second's flow, which is the most the books can be off by. */
    sl_assert_abs(total(&r), 0.0, 0.1);
    sl_assert_double(eps_get(&r, "balance.overflow"), 0.0);
    eps_end(&r);
}

static void test_overflow(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, CUP, "* YES");
    double spilled = 0.0, before = 0.0, q_before = 0.0, at = 0.0;
    bool full = false;
    while (eps_step(&r)) {
        double t = sl_session_time(r.s);
        if (full) { /* all that comes goes over */
            spilled += q_before * (t - at);
            sl_assert_rel(eps_get(&r, "tank.'T'.overflow") - before, spilled, 1e-9);
            sl_assert_double(eps_get(&r, "tank.'T'.state"), 3.0);
            assert_true(eps_flow(&r, "Q") > 0.0);
        }
        if (!full && eps_get(&r, "tank.'T'.level") >= 3.0) {
            full = true;
            before = eps_get(&r, "tank.'T'.overflow");
        }
        q_before = eps_flow(&r, "Q");
        at = t;
    }
    assert_true(full && spilled > 100.0);
    sl_assert_double(eps_get(&r, "tank.'T'.overflow"), eps_get(&r, "balance.overflow"));
    sl_assert_double(eps_get(&r, "tank.'T'.level"), 3.0);
    double ratio = eps_get(&r, "balance.ratio"); /* within one second's flow of the limit */
    sl_assert_abs(ratio, 1.0, 1e-4);
    eps_end(&r);
}

/* Emptied by a demand, then fed again: the pipe closes at the lowest level and opens when water comes. */
static void test_empty(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r,
        "[RESERVOIRS]\nR 33 H\n[TANKS]\nT 30 1 0.5 3 10\n[JUNCTIONS]\nJ 0 15 D\n[PIPES]\nP R J 500 150 100 0 CV\n"
        "Q T J 500 150 100\n[PATTERNS]\nH 0.5 0.5 0.5 0.5 0.5 0.5 2 2 2 2 2 2\nD 1 1 1 1 1 1 0.1 0.1 0.1 0.1 0.1 0.1\n"
        "[TIMES]\nDURATION 11\n[OPTIONS]\nUNITS LPS\n");
    bool empty = false, again = false;
    do {
        double level = eps_get(&r, "tank.'T'.level"), t = sl_session_time(r.s);
        assert_true(level >= 0.5 - 1e-12);
        if (level <= 0.5) {
            empty = true;
            if (t < 6.0 * 3600.0) {
                assert_int_equal(eps_status(&r, "Q"), SL_STATUS_TEMP_CLOSED);
                sl_assert_double(eps_flow(&r, "Q"), 0.0);
            }
        }
        if (empty && level > 0.6 && level < 3.0) {
            again = true;
            assert_true(eps_flow(&r, "Q") < 0.0);
            assert_int_equal(eps_status(&r, "Q"), SL_STATUS_OPEN);
        }
        eps_check(&r);
        sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
    } while (eps_step(&r));
    assert_true(empty && again);
    eps_end(&r);
}

/* The only source runs dry: its demand is told as not served. */
static void test_dry(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) { /* the user below and above the tank */
        eps_run r;
        eps_begin(&r,
                  "[TANKS]\nT 30 1 0.5 3 10\n[JUNCTIONS]\nJ %d 15\n[PIPES]\nQ T J 500 150 100\n"
                  "[TIMES]\nDURATION 6\n[OPTIONS]\nUNITS LPS\n",
                  i ? 32 : 0);
        eps_to(&r, 6.0 * 3600.0);
        sl_assert_double(eps_get(&r, "tank.'T'.level"), 0.5);
        sl_assert_double(eps_get(&r, "solver.unbalanced"), 0.0);
        assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, "J"), 1);
        double given = 0.5 * AREA, asked = 15.0 * EPS_LPS * 6.0 * 3600.0;
        sl_assert_abs(eps_get(&r, "balance.unserved"), asked - given, 15.0 * EPS_LPS); /* within one second's flow */
        sl_assert_abs(eps_get(&r, "balance.storage"), -given, 1e-9);
        eps_end(&r);
    }
}

static void test_volume_curve(void **state) {
    (void)state;
    eps_run r; /* 10 m3 up to 1 m, then 40 m3 per metre: a constant inflow rises four times slower */
    eps_begin(
        &r,
        "[JUNCTIONS]\nJ 0 -5\n[TANKS]\nT 0 0.2 0 5 10 0 V\n[PIPES]\nP J T 10 200 100\n[CURVES]\nV 0 0\nV 1 10\nV 5 170\n"
        "[TIMES]\nDURATION 4\nHYDRAULIC TIMESTEP 0:15\n[OPTIONS]\nUNITS LPS\n");
    while (eps_step(&r)) {
        double v = 2.0 + 5.0 * EPS_LPS * sl_session_time(r.s);
        sl_assert_rel(eps_get(&r, "tank.'T'.volume"), v, 1e-12);
        sl_assert_rel(eps_get(&r, "tank.'T'.level"), v < 10.0 ? v / 10.0 : 1.0 + (v - 10.0) / 40.0, 1e-12);
    }
    eps_end(&r);
}

/* Volume below the lowest level: only counts, the level starts from there. */
static void test_minimum_volume(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ 0 -5\n[TANKS]\nT 0 2 1 9 10 33\n[PIPES]\nP J T 10 200 100\n[TIMES]\nDURATION 4\n"
                  "[OPTIONS]\nUNITS LPS\n");
    eps_to(&r, 4.0 * 3600.0);
    double v = 33.0 + AREA + 5.0 * EPS_LPS * 4.0 * 3600.0;
    sl_assert_rel(eps_get(&r, "tank.'T'.volume"), v, 1e-12);
    sl_assert_rel(eps_get(&r, "tank.'T'.level"), 1.0 + (v - 33.0) / AREA, 1e-12);
    eps_end(&r);
}

/* V1 = V0 + dt Q(V1), by bisection: 2 L/s go out, the pipe from the reservoir at 20 m brings the rest. */
static double backward_euler(double v0, double dt) {
    double low = v0, high = 20.0 * AREA, resistance = eps_hw(2000.0, 0.15, 100.0, 1.0);
    for (int i = 0; i < 100; i++) {
        double v = 0.5 * (low + high);
        double q = pow((20.0 - v / AREA) / resistance, 1.0 / 1.852) - 2.0 * EPS_LPS;
        *(v0 + dt * q > v ? &low : &high) = v;
    }
    return low;
}

/* Implicit steps, asked for, conserve too and come to the same end. */
static void test_implicit(void **state) {
    (void)state;
    sl_eps_def def = sl_eps_default();
    def.tanks = SL_TANKS_IMPLICIT;
    eps_run r;
    eps_begin_def(&r, &def,
                  "[RESERVOIRS]\nR 20\n[TANKS]\nT 0 5 0 19.9 10\n[JUNCTIONS]\nJ 0 2\n[PIPES]\nP R T 2000 150 100\n"
                  "Q T J 10 200 100\n[TIMES]\nDURATION 400\n[OPTIONS]\nUNITS LPS\n");
    /* One backward Euler step of the whole hour is off by far more than many small ones, and than the pair of second order. */
    double whole = backward_euler(5.0 * AREA, 3600.0), truth = 5.0 * AREA;
    for (int i = 0; i < 3600; i++) {
        truth = backward_euler(truth, 1.0);
    }
    eps_to(&r, 3600.0);
    double v = eps_get(&r, "tank.'T'.volume");
    assert_true(fabs(v - truth) < 0.1 * fabs(whole - truth));
    eps_to(&r, 400.0 * 3600.0);
    sl_assert_abs(total(&r), 0.0, 1e-9 * eps_get(&r, "balance.inflow"));
    double end = 20.0 - eps_hw(2000.0, 0.15, 100.0, 2.0 * EPS_LPS); /* where inflow is the demand */
    sl_assert_abs(eps_get(&r, "tank.'T'.level"), end, 1e-3);
    eps_end(&r);
}

/* A tank that one reservoir fills comes up to its head and never above it, however small it is against the step: with a
 * stability number dt (dQ/dH)/A of 1 or more steps are made of substeps, which keep the level within the tolerance. A forward step would move it by 1.852 times that number of
 * the gap. */
static void test_stiff(void **state) {
    (void)state;
    double q = pow(1.0 / eps_hw(2000.0, 0.15, 100.0, 1.0), 1.0 / 1.852); /* at a gap of 1 m */
    for (double number = 1.1; number < 50.0; number *= 1.7) {
        double area = 3600.0 * q / 1.852 / number, before = 19.0;
        sl_eps_def def = sl_eps_default();
        def.tank_error = 0.01;
        eps_run r;
        eps_begin_def(
            &r, &def,
            "[RESERVOIRS]\nR 20\n[TANKS]\nT 0 19 0 40 %.17g\n[PIPES]\nP R T 2000 150 100\n[TIMES]\nDURATION 24\n"
            "[OPTIONS]\nUNITS LPS\n",
            sqrt(4.0 * area / EPS_PI));
        while (eps_step(&r)) {
            double level = eps_get(&r, "tank.'T'.level");
            assert_true(level >= before - 0.01 && level <= 20.0 + 0.01); /* what was asked for */
            before = level;
        }
        sl_assert_abs(before, 20.0, 0.01);
        eps_end(&r);
    }
}

/* Levels of a fast tank against the same law in steps of a second, whatever tolerance is asked for; trials on the way count. */
static void test_tank_error(void **state) {
    (void)state;
    double resistance = eps_hw(2000.0, 0.15, 100.0, 1.0), q = pow(1.0 / resistance, 1.0 / 1.852), trials[2];
    for (int i = 0; i < 2; i++) {
        double area = 3600.0 * q / 1.852 / 3.0, v = 19.0 * area;
        sl_eps_def def = sl_eps_default();
        def.tank_error = i ? 0.001 : 0.02;
        eps_run r;
        eps_begin_def(&r, &def,
                      "[RESERVOIRS]\nR 20\n[TANKS]\nT 0 19 0 40 %.17g\n[PIPES]\nP R T 2000 150 100\n[TIMES]\n"
                      "DURATION 6\n[OPTIONS]\nUNITS LPS\n",
                      sqrt(4.0 * area / EPS_PI));
        for (int t = 1; t <= 6 * 3600; t++) {
            double gap = 20.0 - v / area;
            v += (gap > 0.0 ? 1.0 : -1.0) * pow(fabs(gap) / resistance, 1.0 / 1.852);
            if (t % 3600 == 0) {
                eps_to(&r, t);
                sl_assert_abs(eps_get(&r, "tank.'T'.level"), v / area, def.tank_error);
            }
        }
        trials[i] = eps_get(&r, "solver.all_trials");
        assert_true(eps_get(&r, "solver.all_trials") > 3.0 * eps_get(&r, "solver.steps"));
        eps_end(&r);
    }
    assert_true(trials[1] > trials[0]);
}

/* Steps are whole seconds, so a tank that fills or empties is put on its limit within a second's flow. What that adds or
 * takes is in the balance: all that came in, and this, is all that went out or is stored, to rounding. */
static void test_rounded(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ 0 7.3 D\n[RESERVOIRS]\nR 30\n[TANKS]\nT 20 1 0 2 5.3\n[PIPES]\nP R J 900 110 97\n"
                  "Q J T 300 120 93\n[PATTERNS]\nD 0 0 0 4 4 4 0 0\n[TIMES]\nDURATION 24\n[OPTIONS]\nUNITS LPS\n");
    bool full = false, empty = false;
    do {
        double level = eps_get(&r, "tank.'T'.level");
        full |= level == 2.0;
        empty |= level == 0.0;
        double in = eps_get(&r, "balance.inflow") + eps_get(&r, "balance.rounded");
        double out = eps_get(&r, "balance.outflow") + eps_get(&r, "balance.storage");
        sl_assert_abs(in, out, 1e-9);
    } while (eps_step(&r));
    assert_true(full && empty);
    double rounded = fabs(eps_get(&r, "balance.rounded"));
    assert_true(rounded > 0.0 && rounded < 8 * 0.03); /* at most 8 limits met, at most 30 L/s */
    eps_end(&r);
}

/* A limit less than half a second away is reached in a step of one second, of which the tank takes what fits. */
static void test_near_limit(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) { /* full, empty */
        eps_run r;
        eps_begin(&r,
                  "[RESERVOIRS]\nR %d\n[TANKS]\nT 30 %g 0 3 10\n[PIPES]\nP R T 500 200 100\n[TIMES]\nDURATION 5\n"
                  "[OPTIONS]\nUNITS LPS\n",
                  i ? 10 : 60, i ? 0.0001 : 2.9999);
        double q = fabs(eps_flow(&r, "P"));
        assert_true(0.0001 * AREA < 0.5 * q);
        assert_true(eps_step(&r));
        sl_assert_double(sl_session_time(r.s), 1.0);
        sl_assert_double(eps_get(&r, "tank.'T'.level"), i ? 0.0 : 3.0);
        sl_assert_double(eps_flow(&r, "P"), 0.0);
        eps_to(&r, 5.0 * 3600.0);
        sl_assert_rel(eps_get(&r, i ? "balance.outflow" : "balance.inflow"), q, 1e-9);
        sl_assert_abs(fabs(eps_get(&r, "balance.rounded")), q - 0.0001 * AREA, 1e-9);
        eps_end(&r);
    }
}

/* A full tank gives 0.458 mm an hour: it takes nothing until it is 1 mm below its rim. A step that fills it again ends within a
 * second. */
static void test_leaves_limit(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ 0 0.01\n[RESERVOIRS]\nR 60\n[TANKS]\nT 30 3 0 3 10\n[PIPES]\nP R T 100 200 100\n"
                  "Q T J 100 200 100\n[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\n");
    const double times[] = {3600.0, 7200.0, 10800.0, 10801.0, 14400.0, 18000.0};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(eps_status(&r, "P"), i == 3 ? SL_STATUS_OPEN : SL_STATUS_TEMP_CLOSED);
        eps_step(&r);
        sl_assert_double(sl_session_time(r.s), times[i]);
    }
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explicit),     cmocka_unit_test(test_full),       cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_dry),        cmocka_unit_test(test_volume_curve),
        cmocka_unit_test(test_implicit),     cmocka_unit_test(test_stiff),      cmocka_unit_test(test_minimum_volume),
        cmocka_unit_test(test_rounded),      cmocka_unit_test(test_near_limit), cmocka_unit_test(test_tank_error),
        cmocka_unit_test(test_leaves_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
