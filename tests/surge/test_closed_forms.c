/* SPDX-License-Identifier: MIT */
/* test_closed_forms.c: the surge engine against what can be written down: Joukowsky's step, reflections, slow and gradual
 * closures, wave speeds, run-down of a pump, the still column. */
#include "surge_test.h"

#define FT 0.3048
#define PI 3.14159265358979323846

static const double nothing = 0.0;

/* A reservoir, a pipe of 1000 m and 0.5 m bore without friction, and a junction that takes 0.1 m3/s. */
static const char smooth[] = "[JUNCTIONS]\nE 0 100\n[RESERVOIRS]\nR 100\n[PIPES]\nP R E 1000 500 1e9 0\n"
                             "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";

/* Joukowsky: dH = a V/g at the first step, at any wave speed, to rounding. */
static void test_joukowsky(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double a = 400.0 + 450.0 * i;
        surge_bench b;
        surge_open(&b, smooth);
        sl_surge_def def = surge_def(20.0, 1000.0 / a / 50.0, a);
        sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
        def.events = &stop;
        def.n_event = 1;
        surge_begin(&b, &def);
        double h0 = surge_get(&b, "node.'E'.head"), d = b.net->pipe_diameter[0];
        double v = surge_get(&b, "link.'P'.flow") / (PI * d * d / 4.0);
        surge_advance(&b, def.dt);
        double rise = surge_get(&b, "node.'E'.head") - h0, expected = a * v / 9.80665;
        sl_assert_near(rise, expected, 0.0, 1e-10);
        /* It stays until the reflection is back, is -rise after that, and so on for ever without friction. */
        double period = 4000.0 / a;
        surge_advance(&b, 0.49 * period);
        sl_assert_near(surge_get(&b, "node.'E'.head") - h0, expected, 0.0, 1e-9);
        surge_advance(&b, 0.51 * period + def.dt);
        sl_assert_near(surge_get(&b, "node.'E'.head") - h0, -expected, 0.0, 1e-9);
        surge_close(&b);
    }
}

/* Along the pipe the step of +-aV/g passes every point on its way to and fro: the highest head of all but the reservoir is
 * H0 + aV/g, reached when the wave first comes by at (L - x)/a, and the lowest H0 - aV/g, 2L/a later. */
static void test_envelope(void **state) {
    (void)state;
    const double a = 1000.0, length = 1000.0;
    surge_bench b;
    surge_open(&b, smooth);
    sl_surge_def def = surge_def(4.0, 0.02, a);
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    double d = b.net->pipe_diameter[0], rise = a * surge_get(&b, "link.'P'.flow") / (PI * d * d / 4.0) / 9.80665;
    surge_advance(&b, 4.0);
    sl_surge_view v = surge_view(&b);
    assert_int_equal(v.n_point, 51);
    for (int64_t i = 0; i < v.n_point; i++) {
        double expected = i == 0 ? 0.0 : rise, first = (length - v.chainage[i]) / a;
        sl_assert_near(v.head_max[i], 100.0 + expected, 1e-6, 0.0);
        sl_assert_near(v.head_min[i], 100.0 - expected, 1e-6, 0.0);
        if (i > 0) { /* within the step that stops the flow, and rounding: a head higher by a bit counts */
            assert_true(v.time_max[i] >= first - 1e-9);
            assert_true(v.time_min[i] >= first + 2.0 * length / a - 1e-9);
        }
    }
    surge_close(&b);
}

/* Dead end after 500 gpm: plateaus of 4L/a, decay near twice the friction loss per period, never above the bound. */
static const char dead_end[] = "[JUNCTIONS]\nE 0 500\n[RESERVOIRS]\nR 300\n[PIPES]\nP R E 3000 12 130 0\n"
                               "[OPTIONS]\nUNITS GPM\nHEADLOSS H-W\n[END]\n";

static void test_dead_end(void **state) {
    (void)state;
    /* Peaks in feet: with steady and with quasi-steady friction. */
    static const double peaks[2][3] = {{476.169, 472.111, 468.235}, {476.17, 472.10, 468.20}};
    for (int model = 0; model < 2; model++) {
        surge_bench b;
        surge_open(&b, dead_end);
        sl_surge_def def = surge_def(9.0, 0.01, 4000.0 * FT);
        def.friction = model ? SL_SURGE_QUASI_STEADY : SL_SURGE_STEADY;
        sl_surge_fluid fluid = sl_surge_fluid_default();
        fluid.gravity = 32.2 * FT;
        def.fluid = &fluid;
        sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
        def.events = &stop;
        def.n_event = 1;
        surge_begin(&b, &def);
        double highest = 0.0, lowest = 1e9;
        for (int k = 0; k < 3; k++) {
            double peak = 0.0;
            for (int n = 1; n <= 300; n++) {
                surge_advance(&b, 3.0 * k + 0.01 * n);
                double h = surge_get(&b, "node.'E'.head") / FT;
                peak = fmax(peak, h);
                lowest = fmin(lowest, h);
            }
            sl_assert_near(peak, peaks[model][k], 0.1, 0.0); /* the source's constants differ in the fourth digit */
            highest = fmax(highest, peak);
        }
        assert_true(highest < 476.3);
        sl_assert_near(lowest, 125.88, 0.1, 0.0);
        surge_close(&b);
    }
}

/* 1200 mm into 600 mm, equal wave speeds: 1.6 goes on, 0.6 comes back. */
static void test_two_pipes(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nM 0 0\nE 0 100\n[RESERVOIRS]\nR 100\n"
                              "[PIPES]\nP1 R M 1000 600 1e9 0\nP2 M E 1000 1200 1e9 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(4.0, 0.01, 1000.0);
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    double h0 = surge_get(&b, "node.'E'.head"), m0 = surge_get(&b, "node.'M'.head");
    surge_advance(&b, 0.5);
    double rise = surge_get(&b, "node.'E'.head") - h0;
    surge_advance(&b, 1.5);
    sl_assert_near(surge_get(&b, "node.'M'.head") - m0, 1.6 * rise, 0.0, 1e-9);
    surge_advance(&b, 2.5); /* the reflection doubles at the dead end */
    sl_assert_near(surge_get(&b, "node.'E'.head") - h0, rise + 2.0 * 0.6 * rise, 0.0, 1e-9);
    surge_close(&b);
}

/* A linear stop of the flow over Tc > 2L/a: 2 L V/(g Tc), first reached at 2L/a. */
static void test_slow_stop(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 1\n[RESERVOIRS]\nR 100\n[PIPES]\nP R E 1000 1128.379167095513 1e9 0\n"
                              "[OPTIONS]\nUNITS CMS\nHEADLOSS H-W\n[END]\n";
    static const double t[] = {0.0, 10.0}, x[] = {1.0, 0.0};
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(12.0, 0.01, 1000.0);
    sl_surge_event stop = sl_surge_event_default();
    stop.what = SL_SURGE_DEMAND_FACTOR;
    stop.index = surge_node(&b, "E");
    stop.t = t;
    stop.x = x;
    stop.n = 2;
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    double v = surge_get(&b, "link.'P'.flow");
    surge_advance(&b, 12.0);
    double rise = surge_get(&b, "node.'E'.head.max") - 100.0, d = b.net->pipe_diameter[0];
    sl_assert_near(rise, 2.0 * 1000.0 * (v / (PI * d * d / 4.0)) / (9.80665 * 10.0), 0.0, 1e-6);
    sl_assert_near(rise, 20.394, 1e-3, 0.0);
    sl_assert_near(surge_get(&b, "node.'E'.time.max"), 2.0, 0.011, 0.0);
    surge_close(&b);
}

/* The highest head at a valve K = k0 + 1/x^2 - 1 that closes linearly, by the rigid column: (L/g A) dQ/dt = H1 - H2 - r Q^2 -
 * k Q^2, in feet. For closures that last much longer than 2L/a. */
static double rigid_peak(double closing, double q, double drop) {
    double area = PI / 4.0, inertia = 3040.0 / (32.2 * area), unit = 1.0 / (2.0 * 32.2 * area * area);
    double r = drop / (q * q), peak = 0.0, dt = 1e-4;
    for (double t = 0.0; t < closing - 0.05; t += dt) {
        double x = 1.0 - t / closing, k = unit * (1.0 / (x * x) - 1.0);
        double rate = (drop - (r + k) * q * q) / inertia;
        peak = fmax(peak, k * q * q); /* the head before the valve above that behind it */
        q += dt * rate;
    }
    return peak;
}

/* Closures of a valve K = 1/x^2 - 1: in 0.5 and 3 s like the instant one, in 150 s like the rigid column. */
static void test_gradual_closures(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nA 0 0\nB 0 0\n[RESERVOIRS]\nR1 150\nR2 147.87\n"
                              "[PIPES]\nP1 R1 A 3000 12 130 0\nP2 B R2 40 12 130 0\n"
                              "[VALVES]\nV A B 12 TCV 0 0\n[OPTIONS]\nUNITS GPM\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n";
    static const double closing[3] = {0.5, 3.0, 150.0};
    for (int i = 0; i < 3; i++) {
        surge_bench b;
        surge_open(&b, inp);
        double t[2] = {0.0, closing[i]}, x[2] = {1.0, 0.0};
        sl_surge_def def = surge_def(closing[i] + 3.0, 0.01, 4000.0 * FT);
        sl_surge_fluid fluid = sl_surge_fluid_default();
        fluid.gravity = 32.2 * FT;
        def.fluid = &fluid;
        sl_surge_valve valve = sl_surge_valve_default();
        valve.link = surge_link(&b, "V");
        valve.k_open = 1.0;
        sl_surge_event close = sl_surge_event_default();
        close.index = valve.link;
        close.t = t;
        close.x = x;
        close.n = 2;
        def.valves = &valve;
        def.n_valve = 1;
        def.events = &close;
        def.n_event = 1;
        surge_begin(&b, &def);
        double h0 = surge_get(&b, "node.'A'.head"), q0 = surge_get(&b, "link.'V'.flow");
        double joukowsky = 4000.0 * FT * q0 / (PI * 0.25 * FT * FT) / (32.2 * FT);
        surge_advance(&b, closing[i] + 3.0);
        double rise = surge_get(&b, "node.'A'.head.max") - h0;
        if (i < 2) {
            sl_assert_near(rise / joukowsky, 1.005, 0.025, 0.0);
        } else {
            sl_assert_near(rise / FT, rigid_peak(150.0, q0 / (FT * FT * FT), 150.0 - 147.87), 0.0, 0.03);
        }
        surge_close(&b);
    }
}

static void test_wave_speeds(void **state) {
    (void)state;
    sl_surge_fluid water = sl_surge_fluid_default();
    sl_assert_ok(sl_surge_fluid_complete(&water, 1.0, 1e-6));
    water.bulk_modulus = 319000.0 * 6894.757293168;
    water.density = water.bulk_modulus / pow(4860.0 * FT, 2.0);
    static const struct {
        double inch, thick, psi, anchored, jointed;
    } pipes[] = {
        {24.0, 0.375, 29e6, 3794.28, 3723.07}, {30.0, 0.5, 24e6, 3699.56, 3624.95}, {36.0, 1.0, 4e5, 933.13, 891.63}};
    for (int i = 0; i < 3; i++) {
        sl_surge_wall wall = {
            .thickness = pipes[i].thick * 0.0254, .young = pipes[i].psi * 6894.757293168, .poisson = 0.3};
        double d = pipes[i].inch * 0.0254;
        sl_assert_near(sl_surge_wave_speed(&water, d, &wall) / FT, pipes[i].anchored, 0.02, 0.0);
        wall.restraint = SL_SURGE_JOINTED;
        sl_assert_near(sl_surge_wave_speed(&water, d, &wall) / FT, pipes[i].jointed, 0.02, 0.0);
    }
    assert_ptr_equal(sl_surge_material_find(sl_str_z("Ductile Iron")),
                     sl_surge_material_find(sl_str_z("ductile_iron")));
    assert_non_null(sl_surge_material_find(sl_str_z("HDPE")));
    assert_null(sl_surge_material_find(sl_str_z("steely")));
}

/* A pump that loses its power against a shut discharge: s = 1/(1 + 0.45 t/tau) with the table of the radial pump. */
static void test_run_down(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nA 0 0\nE 0 0\n[RESERVOIRS]\nR 10\n[PIPES]\nP A E 100 300 130 0\n"
        "[PUMPS]\nU R A HEAD C\n[CURVES]\nC 0 47.1\nC 30 36.6\nC 60 10\n[OPTIONS]\nUNITS LPS\n[END]\n";
    static const double inertia[3] = {1.0, 10.0, 50.0}, taus[3] = {0.1001, 1.0013, 5.0064};
    for (int i = 0; i < 3; i++) {
        surge_bench b;
        surge_open(&b, inp);
        double lb_ft2 = 0.45359237 * FT * FT, w = 1750.0 * 2.0 * PI / 60.0;
        sl_surge_def def = surge_def(3.0, 0.001, 1000.0);
        sl_surge_pump pump = sl_surge_pump_default();
        pump.link = surge_link(&b, "U");
        pump.rated_flow = 500.0 * 0.002228 * FT * FT * FT;
        pump.rated_head = 120.0 * FT;
        pump.rated_speed = w;
        pump.rated_efficiency = 0.8;
        pump.inertia = inertia[i] * lb_ft2;
        sl_surge_fluid fluid = sl_surge_fluid_default();
        fluid.density = 62.4 * 0.45359237 / (FT * FT * FT);
        def.fluid = &fluid;
        sl_surge_event trip = sl_surge_event_default();
        trip.what = SL_SURGE_PUMP_TRIP;
        trip.index = pump.link;
        def.pumps = &pump;
        def.n_pump = 1;
        def.events = &trip;
        def.n_event = 1;
        surge_begin(&b, &def);
        double torque = fluid.density * 9.80665 * pump.rated_flow * pump.rated_head / (0.8 * w);
        double tau = pump.inertia * w / torque;
        sl_assert_near(tau, taus[i], 0.0, 2e-3);
        for (int k = 1; k <= 2; k++) {
            surge_advance(&b, k);
            sl_assert_near(surge_get(&b, "pump.'U'.speed"), 1.0 / (1.0 + 0.45 * k / tau), 1e-4, 0.0);
        }
        surge_close(&b);
    }
}

/* A still column over a hill: the gauge head at the summit is the level less the ground. */
static void test_summit(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 150 0\n[RESERVOIRS]\nR 520\n[PIPES]\nP R E 26400 12 130 0\n"
                              "[OPTIONS]\nUNITS GPM\n[END]\n";
    double chainage[] = {0.0, 13200.0 * FT, 26400.0 * FT}, elevation[] = {200.0 * FT, 450.0 * FT, 150.0 * FT};
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(2.0, 0.1, 26400.0 * FT / 6.8);
    sl_surge_survey survey = {.pipe = 0, .chainage = chainage, .elevation = elevation, .n = 3};
    sl_surge_probe probe = {.name = "summit", .pipe = 0, .chainage = 13200.0 * FT};
    def.surveys = &survey;
    def.n_survey = 1;
    def.probes = &probe;
    def.n_probe = 1;
    def.cavitation = SL_SURGE_DGCM;
    surge_begin(&b, &def);
    surge_advance(&b, 2.0);
    sl_surge_view v = surge_view(&b);
    double least = 1e9, at = 0.0;
    for (int64_t i = 0; i < v.n_point; i++) {
        double p = v.head_min[i] - v.elevation[i];
        at = p < least ? v.chainage[i] : at;
        least = fmin(least, p);
    }
    sl_assert_near(at, 13200.0 * FT, 1e-6, 0.0);
    sl_assert_near(surge_get(&b, "part.'summit'.pressure") / FT, 70.0, 1e-6, 0.0);
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joukowsky),   cmocka_unit_test(test_envelope),  cmocka_unit_test(test_dead_end),
        cmocka_unit_test(test_two_pipes),   cmocka_unit_test(test_slow_stop), cmocka_unit_test(test_gradual_closures),
        cmocka_unit_test(test_wave_speeds), cmocka_unit_test(test_run_down),  cmocka_unit_test(test_summit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
