/* SPDX-License-Identifier: MIT */
/* test_steady.c: one instant against closed forms and bisection: pipes of every law, in series, parallel and in a Y,
 * pumps against a system, check valves, demands and patterns, specific gravity. */
#include "eps_test.h"

#define ONE_PIPE \
    "[JUNCTIONS]\nJ 10 %g\n[RESERVOIRS]\nR 80\n[PIPES]\nP R J 750 180 %g 3.5\n[OPTIONS]\nUNITS LPS\nHEADLOSS %s\n%s\n"

static void test_one_pipe(void **state) {
    (void)state;
    const double flows[] = {0.001, 0.25, 0.4, 0.6, 5.0, 40.0, -30.0}; /* DW: laminar, between, turbulent */
    for (int i = 0; i < 7; i++) {
        double q = flows[i] * EPS_LPS, minor = eps_minor(3.5, 0.18, q);
        eps_run r;
        eps_begin(&r, ONE_PIPE, flows[i], 112.0, "H-W", "");
        sl_assert_near(eps_head(&r, "J"), 80.0 - eps_hw(750.0, 0.18, 112.0, q) - minor, EPS_HEAD, 0.0);
        sl_assert_rel(eps_flow(&r, "P"), q, EPS_FLOW);
        sl_assert_rel(eps_get(&r, "link.'P'.velocity"), fabs(q) / (EPS_PI * 0.09 * 0.09), EPS_FLOW);
        sl_assert_abs(eps_get(&r, "link.'P'.headloss"), 80.0 - eps_head(&r, "J"), 1e-12);
        eps_end(&r);
        eps_begin(&r, ONE_PIPE, flows[i], 0.014, "C-M", "");
        sl_assert_near(eps_head(&r, "J"), 80.0 - eps_cm(750.0, 0.18, 0.014, q) - minor, EPS_HEAD, 0.0);
        eps_end(&r);
        eps_begin(&r, ONE_PIPE, flows[i], 0.26, "D-W", ""); /* roughness in mm */
        sl_assert_near(eps_head(&r, "J"), 80.0 - eps_dw(750.0, 0.18, 0.26e-3, EPS_VISCOSITY, q) - minor, EPS_HEAD, 0.0);
        eps_end(&r);
        eps_begin(&r, ONE_PIPE, flows[i], 0.26, "D-W", "VISCOSITY 30"); /* thirty times water's: laminar */
        sl_assert_near(eps_head(&r, "J"), 80.0 - eps_dw(750.0, 0.18, 0.26e-3, 30.0 * EPS_VISCOSITY, q) - minor,
                       EPS_HEAD, 0.0);
        eps_end(&r);
    }
}

static void test_us_units(void **state) {
    (void)state;
    eps_run r; /* 500 gal/min through 1000 ft of 8 inch, C 100: the handbook's 4.727 in feet */
    eps_begin(&r, "[JUNCTIONS]\nJ 0 500\n[RESERVOIRS]\nR 200\n[PIPES]\nP R J 1000 8 100\n[OPTIONS]\nUNITS GPM\n");
    double cfs = 500.0 / 448.831;
    double feet = 4.727 * 1000.0 * pow(100.0, -1.852) * pow(8.0 / 12.0, -4.871) * pow(cfs, 1.852);
    sl_assert_near(eps_head(&r, "J") / 0.3048, 200.0 - feet, EPS_HEAD / 0.3048, 0.0);
    eps_end(&r);
}

static void test_series(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 0\nB 0 12\n[RESERVOIRS]\nR 60\n[PIPES]\nP1 R A 400 150 110\nP2 A B 300 100 130\n"
                  "[OPTIONS]\nUNITS LPS\n");
    double q = 12.0 * EPS_LPS, a = 60.0 - eps_hw(400.0, 0.15, 110.0, q), b = a - eps_hw(300.0, 0.1, 130.0, q);
    sl_assert_abs(eps_head(&r, "A"), a, EPS_HEAD);
    sl_assert_abs(eps_head(&r, "B"), b, 2.0 * EPS_HEAD);
    eps_end(&r);
}

/* Hazen-Williams pipes between the same nodes share a flow like (h / r)^(1/1.852): one equivalent pipe. */
static void test_parallel(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nB 0 30\n[RESERVOIRS]\nR 60\n[PIPES]\nP1 R B 400 150 110\nP2 R B 300 100 130\n"
                  "P3 B R 900 125 90\n[OPTIONS]\nUNITS LPS\n");
    double r1 = eps_hw(400.0, 0.15, 110.0, 1.0), r2 = eps_hw(300.0, 0.1, 130.0, 1.0),
           r3 = eps_hw(900.0, 0.125, 90.0, 1.0);
    double e = 1.0 / 1.852, sum = pow(r1, -e) + pow(r2, -e) + pow(r3, -e), q = 30.0 * EPS_LPS;
    double h = pow(q / sum, 1.852);
    sl_assert_abs(eps_head(&r, "B"), 60.0 - h, EPS_HEAD);
    sl_assert_rel(eps_flow(&r, "P1"), pow(h / r1, e), EPS_FLOW);
    sl_assert_rel(eps_flow(&r, "P2"), pow(h / r2, e), EPS_FLOW);
    sl_assert_rel(eps_flow(&r, "P3"), -pow(h / r3, e), EPS_FLOW);
    eps_end(&r);
}

/* ---- Three reservoirs --------------------------------------------------------------------------- */

static const double y_head[] = {100.0, 85.0, 60.0}, y_length[] = {1000.0, 600.0, 800.0}, y_bore[] = {0.3, 0.25, 0.2};

static double y_flow(int i, double h) { /* from reservoir i into the junction */
    double d = y_head[i] - h, r = eps_hw(y_length[i], y_bore[i], 120.0, 1.0);
    return copysign(pow(fabs(d) / r, 1.0 / 1.852), d);
}

static double y_sum(double h, void *user) {
    return y_flow(0, h) + y_flow(1, h) + y_flow(2, h) - *(double *)user;
}

static void test_three_reservoirs(void **state) {
    (void)state;
    const double demands[] = {0.0, 60.0, 250.0, -100.0};
    for (int i = 0; i < 4; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[JUNCTIONS]\nJ 20 %g\n[RESERVOIRS]\nA 100\nB 85\nC 60\n[PIPES]\nP1 A J 1000 300 120\nP2 B J 600 250 120\n"
            "P3 J C 800 200 120\n[OPTIONS]\nUNITS LPS\n",
            demands[i]);
        double d = demands[i] * EPS_LPS, h = eps_root(y_sum, &d, 0.0, 200.0);
        sl_assert_abs(eps_head(&r, "J"), h, EPS_HEAD);
        double largest = fabs(y_flow(0, h)) + fabs(y_flow(1, h)) + fabs(y_flow(2, h));
        sl_assert_abs(eps_flow(&r, "P1"), y_flow(0, h), EPS_FLOW * largest);
        sl_assert_abs(eps_flow(&r, "P2"), y_flow(1, h), EPS_FLOW * largest);
        sl_assert_abs(eps_flow(&r, "P3"), -y_flow(2, h), EPS_FLOW * largest);
        eps_end(&r);
    }
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

typedef struct system {
    double lift, speed;
    int kind;
} system_curve;

enum { POINT, THREE, PIECES, POWER };

/* What the pump gives less what the system asks for at flow q. */
static double surplus(double q, void *user) {
    const system_curve *x = user;
    double w = x->speed, l = q / w / EPS_LPS, gain;
    switch (x->kind) {
    case POINT: { /* (25, 40): h0 - (h0 - 40) (Q/25)^n, zero at 50 */
        double h0 = 1.33334 * 40.0, n = log(h0 / (h0 - 40.0)) / log(2.0);
        gain = w * w * (h0 - (h0 - 40.0) * pow(l / 25.0, n));
        break;
    }
    case THREE: {
        double n = log((60.0 - 30.0) / (60.0 - 50.0)) / log(40.0 / 20.0);
        gain = w * w * (60.0 - 10.0 * pow(l / 20.0, n));
        break;
    }
    case PIECES:
        gain = w * w *
               (l < 15.0   ? 55.0 - 5.0 * l / 15.0
                : l < 30.0 ? 50.0 - 12.0 * (l - 15.0) / 15.0
                           : 38.0 - (l - 30.0) * 2.0);
        break;
    default: gain = EPS_FOOT * 8.814 * (8000.0 / 745.7) / (q / EPS_CFS); break;
    }
    return gain - x->lift - eps_hw(500.0, 0.15, 100.0, q);
}

static void test_pump_and_system(void **state) {
    (void)state;
    static const char *const what[] = {"HEAD ONE", "HEAD THREE", "HEAD PIECES", "POWER 8"};
    const double lifts[] = {5.0, 20.0, 30.0}, speeds[] = {1.0, 0.9, 1.15};
    for (int kind = POINT; kind <= POWER; kind++) {
        for (int i = 0; i < 9; i++) {
            system_curve x = {.lift = lifts[i / 3], .speed = kind == POWER ? 1.0 : speeds[i % 3], .kind = kind};
            eps_run r;
            eps_begin(&r,
                      "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nLOW 10\nHIGH %g\n[PIPES]\nP J HIGH 500 150 100\n"
                      "[PUMPS]\nU LOW J %s SPEED %g\n[CURVES]\nONE 25 40\nTHREE 0 60\nTHREE 20 50\nTHREE 40 30\n"
                      "PIECES 0 55\nPIECES 15 50\nPIECES 30 38\nPIECES 45 8\n[OPTIONS]\nUNITS LPS\n",
                      10.0 + x.lift, what[kind], x.speed);
            double q = eps_root(surplus, &x, 1e-6, 0.2);
            sl_assert_rel(eps_flow(&r, "U"), q, EPS_FLOW);
            sl_assert_abs(eps_head(&r, "J"), 10.0 + x.lift + eps_hw(500.0, 0.15, 100.0, q), 1e-3 * q + 20 * EPS_HEAD);
            assert_int_equal(eps_status(&r, "U"), SL_STATUS_OPEN);
            eps_check(&r);
            eps_end(&r);
        }
    }
}

static void test_pump_cannot(void **state) {
    (void)state;
    eps_run r; /* 53.3 m at rest, 60 m are asked for; at speed 1.2 there are 76.8 */
    eps_begin(&r, "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nLOW 10\nHIGH 70\n[PIPES]\nP J HIGH 500 150 100\n"
                  "[PUMPS]\nU LOW J HEAD ONE\n[CURVES]\nONE 25 40\n[OPTIONS]\nUNITS LPS\n");
    assert_int_equal(eps_status(&r, "U"), SL_STATUS_XHEAD);
    sl_assert_double(eps_flow(&r, "U"), 0.0);
    sl_assert_abs(eps_head(&r, "J"), 70.0, EPS_HEAD);
    assert_int_equal(eps_said(&r, SL_CODE_PUMP_HEAD, "U"), 1);
    eps_set(&r, 1.2, "pump.'U'.speed");
    sl_assert_ok(sl_session_refresh(r.s));
    assert_int_equal(eps_status(&r, "U"), SL_STATUS_OPEN);
    eps_check(&r);
    eps_end(&r);
}

static void test_speed_pattern(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nLOW 10\nHIGH 30\n[PIPES]\nP J HIGH 500 150 100\n"
                  "[PUMPS]\nU LOW J HEAD ONE PATTERN W\n[CURVES]\nONE 25 40\n[PATTERNS]\nW 1 0.9 0 1.15\n"
                  "[TIMES]\nDURATION 8\nPATTERN TIMESTEP 2\n[OPTIONS]\nUNITS LPS\n");
    const double w[] = {1.0, 0.9, 0.0, 1.15, 1.0};
    for (int i = 0; i < 5; i++) {
        eps_to(&r, i * 7200.0);
        system_curve x = {.lift = 20.0, .speed = w[i], .kind = POINT};
        sl_assert_double(eps_get(&r, "pump.'U'.speed"), w[i]);
        sl_assert_near(eps_flow(&r, "U"), w[i] > 0.0 ? eps_root(surplus, &x, 1e-6, 0.2) : 0.0, 0.0, EPS_FLOW);
        assert_int_equal(eps_status(&r, "U"), w[i] > 0.0 ? SL_STATUS_OPEN : SL_STATUS_CLOSED);
    }
    eps_end(&r);
}

/* ---- Check valves ------------------------------------------------------------------------------- */

static void test_check_valve(void **state) {
    (void)state;
    eps_run r;
    static const char net[] =
        "[JUNCTIONS]\nJ 0 10\n[RESERVOIRS]\nA %g\nB 50\n[PIPES]\nP1 A J 500 150 100 0 CV\nP2 B J 500 150 100\n"
        "[OPTIONS]\nUNITS LPS\n";
    double alone = 50.0 - eps_hw(500.0, 0.15, 100.0, 10.0 * EPS_LPS);
    eps_begin(&r, net, 40.0); /* A is too low: all comes from B */
    assert_int_equal(eps_status(&r, "P1"), SL_STATUS_CLOSED);
    sl_assert_double(eps_flow(&r, "P1"), 0.0);
    sl_assert_abs(eps_head(&r, "J"), alone, EPS_HEAD);
    eps_end(&r);
    eps_begin(&r, net, 50.0); /* the same head: half and half */
    assert_int_equal(eps_status(&r, "P1"), SL_STATUS_OPEN);
    sl_assert_rel(eps_flow(&r, "P1"), 5.0 * EPS_LPS, EPS_FLOW);
    eps_end(&r);
    eps_begin(&r, net, alone - 0.01); /* just below what B gives alone */
    assert_int_equal(eps_status(&r, "P1"), SL_STATUS_CLOSED);
    eps_end(&r);
    eps_begin(&r, net, alone + 0.01);
    assert_int_equal(eps_status(&r, "P1"), SL_STATUS_OPEN);
    assert_true(eps_flow(&r, "P1") > 0.0);
    eps_check(&r);
    eps_end(&r);
}

/* ---- Demands and patterns ----------------------------------------------------------------------- */

static void test_demands(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r,
              "[JUNCTIONS]\nJ 0 3\nK 0 2 B\nL 0 4\n[RESERVOIRS]\nR 60\n[PIPES]\nP R J 100 300 100\nP2 J K 100 300 100\n"
              "P3 K L 100 300 100\n[DEMANDS]\nJ 10 A ;homes\nJ 20 B ;works\nJ -5\n"
              "[PATTERNS]\nA 1 2 3\nB 0.5 0\n1 1 1.5\n"
              "[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\nDEMAND MULTIPLIER 1.25\n");
    const double a[] = {1, 2, 3}, b[] = {0.5, 0.0}, one[] = {1.0, 1.5}; /* demands without a pattern follow pattern 1 */
    for (int t = 0; t < 6; t++) {
        eps_to(&r, t * 3600.0);
        double j = 1.25 * (10.0 * a[t % 3] + 20.0 * b[t % 2] - 5.0 * one[t % 2]) * EPS_LPS;
        sl_assert_near(eps_get(&r, "node.'J'.wanted"), j, 1e-15, 1e-14);
        sl_assert_rel(eps_get(&r, "node.'J'.demand"), j, 1e-14);
        sl_assert_near(eps_get(&r, "node.'K'.demand"), 1.25 * 2.0 * b[t % 2] * EPS_LPS, 1e-15, 1e-14);
        sl_assert_rel(eps_get(&r, "node.'L'.demand"), 1.25 * 4.0 * one[t % 2] * EPS_LPS, 1e-14);
        sl_assert_rel(eps_get(&r, "node.'R'.demand"), -(j + 1.25 * (2.0 * b[t % 2] + 4.0 * one[t % 2]) * EPS_LPS),
                      EPS_FLOW);
        eps_check(&r);
    }
    eps_end(&r);
}

static void test_reservoir_pattern(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ 0 3\n[RESERVOIRS]\nR 60 H\n[PIPES]\nP R J 100 300 100\n[PATTERNS]\nH 1 0.8 1.1\n"
                  "[TIMES]\nDURATION 4\nPATTERN START 1\n[OPTIONS]\nUNITS LPS\n");
    const double h[] = {0.8, 1.1, 1.0, 0.8, 1.1}; /* an hour ahead */
    for (int t = 0; t < 5; t++) {
        eps_to(&r, t * 3600.0);
        sl_assert_rel(eps_head(&r, "R"), 60.0 * h[t], 1e-15);
        sl_assert_abs(eps_head(&r, "J"), 60.0 * h[t] - eps_hw(100.0, 0.3, 100.0, 3.0 * EPS_LPS), EPS_HEAD);
    }
    eps_end(&r);
}

/* Heads are metres of the fluid: gravity changes nothing but pressures in psi or kPa (settings, limits) and power. */
static void test_specific_gravity(void **state) {
    (void)state;
    double heads[2], power[2], held[2];
    for (int i = 0; i < 2; i++) {
        eps_run r;
        eps_begin(&r,
                  "[JUNCTIONS]\nJ 0 5\nA 0 0\nB 0 5\n[RESERVOIRS]\nR 20\n[PUMPS]\nU R J HEAD C\n[CURVES]\nC 10 60\n"
                  "[PIPES]\nP J A 100 150 100\n[VALVES]\nV A B 150 PRV 300\n"
                  "[OPTIONS]\nUNITS LPS\nPRESSURE KPA\nSPECIFIC GRAVITY %g\n",
                  i ? 0.8 : 1.0);
        heads[i] = eps_head(&r, "J");
        held[i] = eps_head(&r, "B");
        power[i] = eps_get(&r, "pump.'U'.power");
        eps_end(&r);
    }
    sl_assert_abs(heads[1], heads[0], 2.0 * EPS_HEAD);
    sl_assert_rel(power[1], 0.8 * power[0], 1e-5);
    /* 300 kPa: EPANET's 6.895 kPa to the psi and 0.4333 psi to the foot of water */
    sl_assert_rel(held[0], 300.0 / 6.895 / 0.4333 * 0.3048, 1e-12);
    sl_assert_rel(held[1], held[0] / 0.8, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_pipe),
        cmocka_unit_test(test_us_units),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_parallel),
        cmocka_unit_test(test_three_reservoirs),
        cmocka_unit_test(test_pump_and_system),
        cmocka_unit_test(test_pump_cannot),
        cmocka_unit_test(test_speed_pattern),
        cmocka_unit_test(test_check_valve),
        cmocka_unit_test(test_demands),
        cmocka_unit_test(test_reservoir_pattern),
        cmocka_unit_test(test_specific_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
