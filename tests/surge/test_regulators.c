/* SPDX-License-Identifier: MIT */
/* test_regulators.c: valves that act, against closed forms and against runs in which a reservoir stands where the valve holds a head: at
 * rest, in motion, at switching; their pilots and actuators; check valves that shut late. Pipes are smooth (C = 1e5). */
#include "surge_test.h"

#define PI 3.14159265358979323846
#define G 9.80665
#define DT 0.01
#define EPANET_K (0.02517 / (8.0 / (32.174 * PI * PI))) /* its constant of minor losses is rounded */
#define LITRE (28.316846592 / 28.317)                   /* a litre of an .inp file, in litres */

/* Reservoir, main, valve, zone with a demand at its end. Both pipes 500 m at 1000 m/s: 0.5 s. The valve is 300 mm wide. */
static void make_inp(char inp[2048], const char *kind, double setting, double demand, double smooth, const char *more) {
    snprintf(
        inp, 2048,
        "[JUNCTIONS]\nA 0 0\nB 0 0\nC 0 %g\n[RESERVOIRS]\nR 100\n[PIPES]\nP1 R A 500 300 %g 0\nP2 B C 500 300 %g 0\n"
        "[VALVES]\nV A B 300 %s %g 0\n%s[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n",
        demand, smooth, smooth, kind, setting, more);
}

typedef struct bench {
    surge_bench b;
    sl_surge_valve valve;
    sl_surge_event events[2];
    sl_surge_def def;
} bench;

static void open_bench(bench *x, const char *inp, double duration, double lag, double stroke) {
    surge_open(&x->b, inp);
    x->def = surge_def(duration, DT, 1000.0);
    x->valve = sl_surge_valve_default();
    x->valve.link = surge_link(&x->b, "V");
    x->valve.lag = lag;
    x->valve.opens_in = x->valve.closes_in = stroke;
    x->def.valves = &x->valve;
    x->def.n_valve = 1;
    x->def.events = x->events;
}

static void add_jump(bench *x, sl_surge_quantity what, int32_t index, double t, const double *to) {
    x->events[x->def.n_event++] = surge_jump(what, index, t, to);
}

static double impedance(double bore) {
    return 1000.0 / (G * PI * bore * bore / 4.0);
}

static const double none = 0.0, more = 1.1;

/* The zone stops drawing: its water has nowhere to go, the valve lets nothing back. From L/a on the whole zone stands at what the stop
 * makes of the setting, and the main at what the stop of its flow makes of its own. */
static void test_stop(void **state) {
    (void)state;
    char inp[2048];
    bench x;
    make_inp(inp, "PRV", 40.0, 30.0, 1e5, "");
    open_bench(&x, inp, 10.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 1.0, &none);
    surge_begin(&x.b, &x.def);
    double q0 = surge_get(&x.b, "link.'V'.flow"), rise = impedance(0.3) * q0;
    sl_assert_near(surge_get(&x.b, "node.'B'.head"), 40.0, 1e-6, 0.0);
    surge_advance(&x.b, 1.4);
    sl_assert_near(surge_get(&x.b, "node.'B'.head"), 40.0, 1e-6, 0.0);
    sl_assert_near(surge_get(&x.b, "link.'V'.flow"), q0, 1e-9, 0.0);
    for (int k = 0; k < 50; k++) {
        surge_advance(&x.b, 1.6 + 0.15 * k);
        sl_assert_double(surge_get(&x.b, "link.'V'.flow"), 0.0);
        sl_assert_near(surge_get(&x.b, "node.'B'.head"), 40.0 + rise, 1e-5, 0.0);
        sl_assert_near(surge_get(&x.b, "node.'C'.head"), 40.0 + rise, 1e-5, 0.0);
        double t = 1.6 + 0.15 * k - 1.5; /* since the valve shut; the main swings between 0.5 s and 1.5 s and so on */
        bool high = fmod(t, 2.0) < 1.0;
        sl_assert_near(surge_get(&x.b, "node.'A'.head"), 100.0 + (high ? rise : -rise), 1e-4, 0.0);
    }
    surge_close(&x.b);
}

/* Along a run with friction, a zone behind a valve that holds a head is a zone behind a reservoir of that head; likewise the main
 * before a valve that sustains one. */
static void test_as_reservoir(void **state) {
    (void)state;
    char inp[2048], twin[2048];
    for (int sustains = 0; sustains < 2; sustains++) {
        bench x, y;
        make_inp(inp, sustains ? "PSV" : "PRV", sustains ? 90.0 : 40.0, sustains ? 0.0 : 30.0, 110.0,
                 sustains ? "[RESERVOIRS]\nS 20\n[PIPES]\nP3 C S 200 200 110 0\n[DEMANDS]\nA 10\n" : "");
        open_bench(&x, inp, 8.0, 0.0, 0.0);
        snprintf(
            twin, sizeof twin,
            "[JUNCTIONS]\nC 0 30\nM 0 10\n[RESERVOIRS]\nR 100\nH %g\n[PIPES]\n%s\n[VALVES]\nV M H 300 TCV 0 0\n[OPTIONS]\n"
            "UNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n",
            sustains ? 90.0 : 40.0,
            sustains ? "P1 R M 500 300 110 0\nX H C 500 300 110 0" : "P2 H C 500 300 110 0\nX R M 500 300 110 0");
        open_bench(&y, twin, 8.0, 0.0, 0.0);
        y.def.n_valve = 0;
        const char *node = sustains ? "M" : "C", *own = sustains ? "A" : "C";
        add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, own), 1.0, &more);
        add_jump(&y, SL_SURGE_DEMAND_FACTOR, surge_node(&y.b, node), 1.0, &more);
        surge_begin(&x.b, &x.def);
        surge_begin(&y.b, &y.def);
        for (int k = 1; k <= 80; k++) {
            surge_advance(&x.b, 0.1 * k);
            surge_advance(&y.b, 0.1 * k);
            const char *flow = sustains ? "link.'P1'.flow" : "link.'P2'.flow";
            sl_assert_near(surge_get(&x.b, flow), surge_get(&y.b, flow), 1e-7,
                           0.0); /* the valve beside has a little loss */
            if (!sustains) {
                sl_assert_near(surge_get(&x.b, "node.'C'.head"), surge_get(&y.b, "node.'C'.head"), 1e-6, 0.0);
            }
            sl_assert_near(surge_get(&x.b, sustains ? "node.'A'.head" : "node.'B'.head"), sustains ? 90.0 : 40.0, 1e-6,
                           0.0);
        }
        sl_surge_view v = surge_view(&x.b);
        assert_true(fabs(v.balance.error) <= 1e-11 * v.balance.scale);
        surge_close(&x.b);
        surge_close(&y.b);
    }
}

/* A flow limit: when the zone asks for more, the flow is the setting; when it asks for less, the valve is open. A breaker takes off its
 * setting whatever passes. */
static void test_flow_and_drop(void **state) {
    (void)state;
    static const double low = 20.0, half = 0.5;
    char inp[2048];
    bench x;
    make_inp(inp, "FCV", 40.0, 0.0, 120.0, "[RESERVOIRS]\nS 95\n[PIPES]\nP3 C S 100 300 120 0\n");
    open_bench(&x, inp, 6.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_HEAD, surge_node(&x.b, "S"), 1.0, &low);
    surge_begin(&x.b, &x.def);
    double q0 = surge_get(&x.b, "link.'V'.flow");
    for (int k = 1; k <= 60; k++) {
        surge_advance(&x.b, 0.1 * k);
        sl_assert_near(surge_get(&x.b, "link.'V'.flow"), 0.04 * LITRE, 1e-9, 0.0);
    }
    sl_assert_near(q0, 0.04 * LITRE, 1e-9, 0.0);
    surge_close(&x.b);

    make_inp(inp, "PBV", 15.0, 30.0, 120.0, "");
    open_bench(&x, inp, 6.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 1.0, &half);
    surge_begin(&x.b, &x.def);
    for (int k = 1; k <= 60; k++) {
        surge_advance(&x.b, 0.1 * k);
        double q = surge_get(&x.b, "link.'V'.flow"),
               d = surge_get(&x.b, "node.'A'.head") - surge_get(&x.b, "node.'B'.head");
        if (q > 0.0) {
            sl_assert_near(d, 15.0, 1e-6, 0.0);
        } else {
            assert_true(q == 0.0 && d <= 15.0 + 1e-9);
        }
    }
    surge_close(&x.b);
}

/* However slowly its actuator moves, nothing runs back through a valve that holds a head. */
static void test_back(void **state) {
    (void)state;
    static const double low = 5.0;
    for (int sustains = 0; sustains < 2; sustains++) {
        char inp[2048];
        bench x;
        make_inp(inp, sustains ? "PSV" : "PRV", sustains ? 90.0 : 40.0, 0.0, 110.0,
                 "[RESERVOIRS]\nS 30\n[PIPES]\nP3 C S 100 300 110 0\n");
        open_bench(&x, inp, 20.0, 0.0, 1000.0);
        add_jump(&x, SL_SURGE_HEAD, surge_node(&x.b, "R"), 1.0, &low);
        surge_begin(&x.b, &x.def);
        assert_true(surge_get(&x.b, "link.'V'.flow") > 0.01);
        double least = 1.0;
        for (int k = 1; k <= 200; k++) {
            surge_advance(&x.b, 0.1 * k);
            least = fmin(least, surge_get(&x.b, "link.'V'.flow"));
        }
        sl_assert_double(least, 0.0);
        assert_true(surge_get(&x.b, "link.'V'.opening") > 0.0);
        surge_close(&x.b);
    }
}

/* Open at the start because too little comes, it begins to hold when more does: what arrives, or the setting, whichever is less. */
static void test_switching(void **state) {
    (void)state;
    static const double high = 160.0;
    char inp[2048];
    bench x;
    make_inp(inp, "PRV", 120.0, 30.0, 1e5, "");
    open_bench(&x, inp, 3.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_HEAD, surge_node(&x.b, "R"), 1.0, &high);
    surge_begin(&x.b, &x.def);
    double before = surge_get(&x.b, "node.'B'.head");
    sl_assert_near(surge_get(&x.b, "link.'V'.opening"), 1.0, 1e-12, 0.0);
    surge_advance(&x.b, 1.4);
    sl_assert_near(surge_get(&x.b, "node.'B'.head"), before, 1e-6, 0.0);
    for (int k = 0; k < 14; k++) { /* until the wave in the zone comes back, 0.5 s there and 0.5 s back */
        surge_advance(&x.b, 1.6 + 0.05 * k);
        sl_assert_near(surge_get(&x.b, "node.'B'.head"), 120.0, 1e-6, 0.0);
        assert_true(surge_get(&x.b, "link.'V'.opening") < 0.5);
    }
    surge_close(&x.b);
}

/* An actuator that takes 20 s moves by 1/20 per second, and the loss is that of its opening. */
static void test_stroke(void **state) {
    (void)state;
    char inp[2048];
    bench x;
    make_inp(inp, "PRV", 40.0, 30.0, 1e5, "");
    open_bench(&x, inp, 2.0, 0.0, 20.0);
    x.valve.k_open = 5.0;
    add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 0.5, &none);
    surge_begin(&x.b, &x.def);
    double area = PI * 0.09 / 4.0, unit = 1.0 / (2.0 * G * area * area), x0 = surge_get(&x.b, "link.'V'.opening");
    double q0 = surge_get(&x.b, "link.'V'.flow");
    unit *= EPANET_K;
    sl_assert_near(60.0, q0 * q0 * unit * 5.0 * (1.0 / (x0 * x0) - 1.0), 1e-4, 0.0);
    surge_advance(&x.b, 1.0); /* the wave is there */
    double x1 = surge_get(&x.b, "link.'V'.opening");
    for (int k = 1; k <= 10 && x1 > 0.1 * k * 0.05; k++) {
        surge_advance(&x.b, 1.0 + 0.1 * k);
        double opening = surge_get(&x.b, "link.'V'.opening"), q = surge_get(&x.b, "link.'V'.flow");
        sl_assert_near(opening, x1 - 0.1 * k / 20.0, 1e-9, 0.0);
        double d = surge_get(&x.b, "node.'A'.head") - surge_get(&x.b, "node.'B'.head");
        sl_assert_near(d, q * q * unit * 5.0 * (1.0 / (opening * opening) - 1.0), 1e-5, 1e-5);
    }
    surge_close(&x.b);
}

/* A pilot with a lag brings a zone back to its setting and does not swing it up, at a large flow and at next to none, in a short zone and
 * in a long one, at any lag. */
static void test_lag(void **state) {
    (void)state;
    static const double lags[] = {0.02, 0.3, 1.0, 4.0}, demands[] = {30.0, 1.0, 0.02};
    static const double less = 0.9;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            char inp[2048];
            bench x;
            make_inp(inp, "PRV", 40.0, demands[k], 110.0, "");
            open_bench(&x, inp, 200.0, lags[i], 0.0);
            x.def.demand = SL_SURGE_DEMAND_ORIFICE;
            add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 1.0, &less);
            surge_begin(&x.b, &x.def);
            double early = 0.0, late = 0.0;
            for (int n = 0; n < 2000; n++) {
                surge_advance(&x.b, 0.1 * n);
                double away = fabs(surge_get(&x.b, "node.'B'.head") - 40.0);
                *(n < 500 ? &early : &late) = fmax(n < 500 ? early : n >= 1500 ? late : 0.0, away);
            }
            if (!(early > 1e-6 && late < 0.5 * early)) {
                fail_msg("lag %g, demand %g: %g m, then %g m", lags[i], demands[k], early, late);
            }
            surge_close(&x.b);
        }
    }
}

/* Three valves feed one zone of loops: without an event nothing moves, and what an event moves dies away. */
static void test_three(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nN2 0 0\nN3 0 6\nN4 0 0\nN5 0 0\nN6 0 3\nN7 0 0\nN8 0 3\nN9 0 0\nN10 0 0\nN11 0 6\nN12 0 60\n"
        "[RESERVOIRS]\nR 150\n[PIPES]\nL1 R N2 1500 200 110 0\nL2 N2 N3 900 150 110 0\nL3 N2 N4 180 150 110 0\n"
        "L4 N3 N7 180 150 110 0\nL5 N4 N5 450 150 110 0\nL6 N5 N7 450 150 110 0\nL7 N4 N9 180 150 110 0\n"
        "L8 N6 N11 180 150 110 0\nL9 N8 N12 180 150 110 0\nL10 N10 N11 450 150 110 0\nL11 N11 N12 450 100 110 0\n"
        "[VALVES]\nV N5 N6 150 PRV 70 0\nV2 N7 N8 150 PRV 70 0\nV3 N9 N10 150 PRV 70 0\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    static const double less = 0.8;
    for (int moved = 0; moved < 2; moved++) {
        bench x;
        open_bench(&x, inp, 400.0, (double)NAN, (double)NAN);
        x.def.dt = (double)NAN;
        x.def.demand = SL_SURGE_DEMAND_ORIFICE;
        x.def.friction = SL_SURGE_QUASI_STEADY;
        add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "N12"), 1.0, &less);
        x.def.n_event = moved;
        surge_begin(&x.b, &x.def);
        double low = 1e9, high = -1e9, first = surge_get(&x.b, "node.'N11'.head");
        for (int n = 1; n <= 400; n++) {
            surge_advance(&x.b, n);
            double h = surge_get(&x.b, "node.'N11'.head");
            low = moved && n < 380 ? 1e9 : fmin(low, h);
            high = moved && n < 380 ? -1e9 : fmax(high, h);
        }
        assert_true(high - low < (moved ? 0.05 : 1e-7));
        assert_true(moved || fabs(high - first) < 1e-7);
        assert_int_equal(surge_view(&x.b).alarms[SL_SURGE_ALARM_NODES].count, 0);
        surge_close(&x.b);
    }
}

/* A valve whose status governs, and one that an event drives, do not act. */
static void test_not_acting(void **state) {
    (void)state;
    static const double half = 0.5;
    char inp[2048];
    bench x;
    make_inp(inp, "PRV", 40.0, 30.0, 120.0, "[STATUS]\nV OPEN\n");
    open_bench(&x, inp, 4.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 1.0, &half);
    surge_begin(&x.b, &x.def);
    surge_advance(&x.b, 4.0);
    assert_true(surge_get(&x.b, "node.'B'.head") > 60.0);
    surge_close(&x.b);
    make_inp(inp, "PRV", 40.0, 30.0, 120.0, "");
    open_bench(&x, inp, 4.0, 0.0, 0.0);
    add_jump(&x, SL_SURGE_VALVE_OPENING, surge_link(&x.b, "V"), 1.0, &half);
    surge_begin(&x.b, &x.def);
    surge_advance(&x.b, 4.0);
    sl_assert_near(surge_get(&x.b, "link.'V'.opening"), 0.5, 1e-12, 0.0);
    assert_true(surge_get(&x.b, "node.'B'.head") > 60.0);
    surge_close(&x.b);
}

/* A position control valve opens by its curve, a general purpose valve loses by its own, at the start and at the end of a change. */
static void test_position_and_curve(void **state) {
    (void)state;
    static const double wide = 0.8, half = 0.5;
    double area = PI * 0.09 / 4.0, unit = 1.0 / (2.0 * G * area * area);
    char inp[2048];
    bench x;
    make_inp(inp, "PCV", 40.0, 30.0, 1e5, "[CURVES]\nS 20 5\nS 40 10\nS 80 50\n");
    char *line = strstr(inp, "PCV 40 0");
    assert_non_null(line);
    memmove(line + 11, line + 8, strlen(line + 8) + 1);
    memcpy(line, "PCV 40 8 S ", 11);
    open_bench(&x, inp, 60.0, (double)NAN, (double)NAN);
    x.def.demand = SL_SURGE_DEMAND_ORIFICE;
    x.def.friction = SL_SURGE_QUASI_STEADY;
    add_jump(&x, SL_SURGE_VALVE_OPENING, x.valve.link, 1.0, &wide);
    surge_begin(&x.b, &x.def);
    sl_assert_near(surge_get(&x.b, "link.'V'.opening"), 0.4, 1e-12, 0.0);
    for (int k = 0; k < 2; k++) {
        double q = surge_get(&x.b, "link.'V'.flow"), phi = k ? 0.5 : 0.1;
        double d = surge_get(&x.b, "node.'A'.head") - surge_get(&x.b, "node.'B'.head");
        sl_assert_near(d, 8.0 * EPANET_K * unit * q * q / (phi * phi), 1e-4, 1e-4);
        surge_advance(&x.b, 60.0);
    }
    surge_close(&x.b);
    make_inp(inp, "GPV", 0.0, 30.0, 1e5, "[CURVES]\nL 0 0\nL 10 4\nL 40 40\n");
    line = strstr(inp, "GPV 0 0");
    memcpy(line, "GPV L 0", 7);
    open_bench(&x, inp, 60.0, (double)NAN, (double)NAN);
    add_jump(&x, SL_SURGE_DEMAND_FACTOR, surge_node(&x.b, "C"), 1.0, &half);
    surge_begin(&x.b, &x.def);
    for (int k = 0; k <= 60; k++) {
        surge_advance(&x.b, k);
        double q = surge_get(&x.b, "link.'V'.flow") * 1e3, a = fabs(q);
        double d = surge_get(&x.b, "node.'A'.head") - surge_get(&x.b, "node.'B'.head");
        double h = a < 10.0 ? 0.4 * a : 4.0 + 1.2 * (a - 10.0);
        sl_assert_near(d, q < 0.0 ? -h : h, 2e-3, 1e-4);
    }
    surge_close(&x.b);
}

/* A column of 200 m without travel time comes to rest at 0.5 m/s2 and turns: the check valve shuts when it runs back at what its curve
 * says for that, an ideal one at rest. */
static void test_late_check(void **state) {
    (void)state;
    static const double deceleration[] = {0.0, 0.4, 1.0}, reverse[] = {0.0, 0.2, 0.8}, low = 20.0;
    static const char inp[] =
        "[JUNCTIONS]\nA 0 0\n[RESERVOIRS]\nR 30.0001\nS 30\n[PIPES]\nP R A 200 300 100000 0 CV\nQ A S 0.1 300 100000 0\n"
        "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    for (int late = 0; late < 2; late++) {
        surge_bench b;
        surge_open(&b, inp);
        sl_surge_def def = surge_def(20.0, 0.005, 1e6);
        sl_surge_check_valve v = sl_surge_check_valve_default();
        v.link = surge_link(&b, "P");
        v.deceleration = deceleration;
        v.reverse = reverse;
        v.n = 3;
        sl_surge_event fall = surge_jump(SL_SURGE_HEAD, surge_node(&b, "R"), 1.0, &low);
        def.rigid_length = 1000.0;
        def.check_valves = &v;
        def.n_check_valve = late;
        def.events = &fall;
        def.n_event = 1;
        surge_begin(&b, &def);
        double v0 = surge_get(&b, "link.'P'.flow") / (PI * 0.09 / 4.0), least = 0.0, shut = 0.0;
        for (int n = 1; n <= 4000 && shut == 0.0; n++) {
            surge_advance(&b, 0.005 * n);
            double u = surge_get(&b, "link.'P'.flow") / (PI * 0.09 / 4.0);
            least = fmin(least, u);
            shut = n > 210 && u == 0.0 ? 0.005 * n : 0.0;
        }
        double a = G * 10.0 / 200.1, back = late ? 0.2 + (a - 0.4) : 0.0;
        sl_assert_near(least, -back, late ? 0.006 : 1e-12, 0.0);
        sl_assert_near(shut, 1.0 + (v0 + back) / a, 0.05, 0.0);
        surge_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop),          cmocka_unit_test(test_as_reservoir),
        cmocka_unit_test(test_flow_and_drop), cmocka_unit_test(test_back),
        cmocka_unit_test(test_switching),     cmocka_unit_test(test_stroke),
        cmocka_unit_test(test_lag),           cmocka_unit_test(test_three),
        cmocka_unit_test(test_not_acting),    cmocka_unit_test(test_position_and_curve),
        cmocka_unit_test(test_late_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
