/* SPDX-License-Identifier: MIT */
/* test_invariants.c: what must not change and what must not grow: water, energy, numbering, direction; and how
 * fast the error falls with the time step. */
#include "surge_test.h"

#define PI 3.14159265358979323846

static const double nothing = 0.0, half = 0.5, high = 75.0;

/* A loop with a valve, an orifice demand, a tank, an emitter and a short pipe; the same with other names in another order
 * and pipes the other way round. */
static const char net_a[] =
    "[JUNCTIONS]\nA 5 0\nB 3 20\nC 0 10\nD 2 5\nF 0 0\n[RESERVOIRS]\nR 60\n[TANKS]\nT 40 3 0 5 10 0\n"
    "[PIPES]\nP1 R A 800 300 120 0\nP2 B C 640 200 120 2\nP3 C T 900 250 120 0\nP4 A D 700 250 110 0\nP5 D C 410 150 100 0\n"
    "P6 D F 12 150 100 0\n[VALVES]\nV A B 200 TCV 2 0\n[EMITTERS]\nF 2\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n";
static const char net_b[] =
    "[JUNCTIONS]\nF 0 0\nD 2 5\nC 0 10\nB 3 20\nA 5 0\n[RESERVOIRS]\nR 60\n[TANKS]\nT 40 3 0 5 10 0\n"
    "[PIPES]\nP6 F D 12 150 100 0\nP5 C D 410 150 100 0\nP4 D A 700 250 110 0\nP3 T C 900 250 120 0\nP2 C B 640 200 120 2\n"
    "P1 A R 800 300 120 0\n[VALVES]\nV A B 200 TCV 2 0\n[EMITTERS]\nF 2\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n";

typedef struct choice {
    sl_surge_friction friction;
    sl_surge_cavitation cavitation;
} choice;
static const choice choices[] = {{SL_SURGE_STEADY, SL_SURGE_LIQUID},
                                 {SL_SURGE_QUASI_STEADY, SL_SURGE_DGCM},
                                 {SL_SURGE_ACCELERATION, SL_SURGE_DVCM},
                                 {SL_SURGE_CONVOLUTION, SL_SURGE_DGCM},
                                 {SL_SURGE_QUASI_STEADY, SL_SURGE_DVCM}};
enum { N_CHOICE = sizeof choices / sizeof *choices };

/* The valve shuts, the reservoir jumps, the demand of B halves, and a burst opens at F. */
static void begin(surge_bench *b, const char *inp, choice c, double drop) {
    surge_open(b, inp);
    sl_surge_def def = sl_surge_default();
    def.duration = 30.0;
    def.friction = c.friction;
    def.cavitation = c.cavitation;
    sl_surge_outlet burst = sl_surge_outlet_default();
    burst.node = surge_node(b, "F");
    burst.coefficient = 0.002;
    sl_surge_event events[] = {
        surge_jump(SL_SURGE_VALVE_OPENING, surge_link(b, "V"), 1.0, &nothing),
        surge_jump(SL_SURGE_HEAD, surge_node(b, "R"), 3.0, &drop),
        surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(b, "B"), 2.0, &half),
        surge_jump(SL_SURGE_OUTLET_OPENING, 0, 5.0, &half),
    };
    def.outlets = &burst;
    def.n_outlet = 1;
    def.events = events;
    def.n_event = 4;
    surge_begin(b, &def);
}

static const char *const nodes[] = {"A", "B", "C", "D", "F", "T"};

static void head_name(char *text, size_t n, const char *node) {
    snprintf(text, n, "node.'%s'.head", node);
}

static void test_numbering_and_direction(void **state) {
    (void)state;
    for (int i = 0; i < N_CHOICE; i++) {
        surge_bench a, b;
        begin(&a, net_a, choices[i], high);
        begin(&b, net_b, choices[i], high);
        for (int k = 1; k <= 40; k++) {
            surge_advance(&a, 0.25 * k);
            surge_advance(&b, 0.25 * k);
            for (int j = 0; j < 6; j++) {
                char name[64];
                head_name(name, sizeof name, nodes[j]);
                /* 1e-12 of the heads there are; the closing of cavities makes more of it. */
                bool liquid = choices[i].cavitation == SL_SURGE_LIQUID;
                sl_assert_near(surge_get(&a, name), surge_get(&b, name), liquid ? 1e-10 : 1e-6, 0.0);
            }
        }
        surge_close(&a);
        surge_close(&b);
    }
}

static void test_mirror(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nL 0 10\nM 0 0\nN 0 10\n[RESERVOIRS]\nR1 50\nR2 50\n"
        "[PIPES]\nP1 R1 L 600 200 120 0\nP2 L M 500 150 120 0\nP3 M N 500 150 120 0\nP4 R2 N 600 200 120 0\n"
        "[OPTIONS]\nUNITS LPS\nACCURACY 1e-9\n[END]\n";
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = sl_surge_default();
    sl_surge_event events[2] = {surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "L"), 0.5, &nothing),
                                surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "N"), 0.5, &nothing)};
    def.events = events;
    def.n_event = 2;
    surge_begin(&b, &def);
    for (int k = 1; k <= 40; k++) {
        surge_advance(&b, 0.2 * k);
        sl_assert_near(surge_get(&b, "node.'L'.head"), surge_get(&b, "node.'N'.head"), 0.0, 1e-12);
        sl_assert_near(surge_get(&b, "link.'P2'.flow"), -surge_get(&b, "link.'P3'.flow.end"), 1e-12, 1e-12);
    }
    surge_close(&b);
}

/* Water: to rounding, in every model that conserves it, also when the reservoir falls and cavities open. */
static void test_water(void **state) {
    (void)state;
    for (int i = 0; i < N_CHOICE; i++) {
        for (int fall = 0; fall < 2; fall++) {
            surge_bench b;
            begin(&b, net_a, choices[i], fall ? -20.0 : high);
            for (int k = 1; k <= 10; k++) {
                surge_advance(&b, 2.9 * k);
                sl_assert_ok(
                    sl_session_step(b.session, NULL)); /* to the end of a step: between two it is nearly exact */
                sl_surge_balance x = surge_view(&b).balance;
                if (!(fabs(x.error) <= 1e-11 * x.scale)) {
                    print_error("friction %d, cavitation %d: %g of %g m3 at %g s\n", (int)choices[i].friction,
                                (int)choices[i].cavitation, x.error, x.scale, 2.9 * k);
                }
                assert_true(fabs(x.error) <= 1e-11 * x.scale);
                assert_true(x.inflow + x.demand > 0.0);
            }
            assert_int_equal(surge_view(&b).alarms[SL_SURGE_ALARM_MASS].count, 0);
            assert_int_equal(surge_view(&b).alarms[SL_SURGE_ALARM_NODES].count, 0);
            surge_close(&b);
        }
    }
}

/* A stopped column rings down: friction takes energy at every step in every physical model, heads stay within Joukowsky's
 * bound; unsteady friction takes more. The filter gives energy, and says so. */
static void test_friction_takes(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 14.2\n[RESERVOIRS]\nR 100\n[PIPES]\nP R E 900 300 130 0\n"
                              "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    double left[SL_SURGE_FRICTION_COUNT];
    for (int f = 0; f < SL_SURGE_FRICTION_COUNT; f++) {
        surge_bench b;
        surge_open(&b, inp);
        sl_surge_def def = surge_def(30.0, 0.01, 1200.0);
        def.friction = (sl_surge_friction)f;
        sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.1, &nothing);
        def.events = &stop;
        def.n_event = 1;
        surge_begin(&b, &def);
        double q = surge_get(&b, "link.'P'.flow"), d = b.net->pipe_diameter[0];
        sl_surge_balance v0 = surge_view(&b).balance;
        double bound = 100.0 + 1200.0 * q / (PI * d * d / 4.0) / 9.80665, last = 0.0;
        for (int k = 1; k <= 300; k++) {
            surge_advance(&b, 0.1 * k);
            double lost = surge_view(&b).balance.friction;
            if (f != SL_SURGE_RTHYM_FILTER) {
                /* History gives a little back now and then: it is partly inertia. */
                double give = (f == SL_SURGE_CONVOLUTION ? 1e-3 : 1e-12) * v0.energy_start;
                if (!(lost >= last - give)) {
                    print_error("friction model %d gives %g J at %g s\n", f, last - lost, 0.1 * k);
                }
                assert_true(lost >= last - give);
            }
            last = lost;
        }
        sl_surge_view v = surge_view(&b);
        left[f] = v.balance.kinetic + v.balance.elastic;
        bool physical = f != SL_SURGE_RTHYM_FILTER;
        if (f == SL_SURGE_CONVOLUTION) { /* the core of the stopped flow still runs and presses on a little */
            bound += 0.02 * (bound - 100.0);
        }
        if (physical != (surge_get(&b, "node.'E'.head.max") <= bound)) {
            print_error("friction model %d: %.9g m, bound %.9g m\n", f, surge_get(&b, "node.'E'.head.max"), bound);
        }
        assert_true(physical == (surge_get(&b, "node.'E'.head.max") <= bound));
        assert_true(physical == (v.alarms[SL_SURGE_ALARM_ENERGY].count == 0));
        assert_true(physical == (v.alarms[SL_SURGE_ALARM_JOUKOWSKY].count == 0));
        assert_true(physical != surge_said(&b, "adds energy"));
        surge_close(&b);
    }
    assert_true(left[SL_SURGE_ACCELERATION] < 0.85 * left[SL_SURGE_QUASI_STEADY]);
    assert_true(left[SL_SURGE_CONVOLUTION] < 0.8 * left[SL_SURGE_QUASI_STEADY]);
    sl_assert_near(left[SL_SURGE_STEADY], left[SL_SURGE_QUASI_STEADY], 0.0, 0.1);
}

/* A smooth closure with strong friction, at one place and time, with finer and finer steps. */
static double smooth_run(int n, sl_surge_friction friction, sl_surge_integration integration) {
    static const char inp[] = "[JUNCTIONS]\nE 0 60\n[RESERVOIRS]\nR 300\n[PIPES]\nP R E 1200 150 100 0\n"
                              "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n";
    static const double t[] = {0.0, 2.4}, x[] = {1.0, 0.2};
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(4.0, 1.0 / n, 1200.0);
    def.friction = friction;
    def.integration = integration;
    sl_surge_event close = sl_surge_event_default();
    close.what = SL_SURGE_DEMAND_FACTOR;
    close.index = surge_node(&b, "E");
    close.t = t;
    close.x = x;
    close.n = 2;
    close.shape = SL_SURGE_SHAPE_SINE;
    def.events = &close;
    def.n_event = 1;
    surge_begin(&b, &def);
    surge_advance(&b, 3.0);
    double h = surge_get(&b, "node.'E'.head");
    surge_close(&b);
    return h;
}

static void test_order(void **state) {
    (void)state;
    static const struct {
        sl_surge_friction friction;
        sl_surge_integration integration;
        double least;
    } cases[] = {{SL_SURGE_STEADY, SL_SURGE_TRAPEZOIDAL, 1.8},
                 {SL_SURGE_QUASI_STEADY, SL_SURGE_TRAPEZOIDAL, 1.8},
                 {SL_SURGE_STEADY, SL_SURGE_EXPLICIT, 0.8}};
    for (int i = 0; i < 3; i++) {
        double h[3];
        for (int k = 0; k < 3; k++) {
            h[k] = smooth_run(20 << k, cases[i].friction, cases[i].integration);
        }
        double order = log2(fabs(h[1] - h[0]) / fabs(h[2] - h[1]));
        if (!(order >= cases[i].least)) {
            print_error("case %d: %.9g %.9g %.9g: order %g\n", i, h[0], h[1], h[2], order);
        }
        assert_true(order >= cases[i].least);
    }
}

/* Interpolation keeps wave speeds and converges too, if slowly. */
static void test_interpolation(void **state) {
    (void)state;
    surge_bench b;
    surge_open(
        &b, "[JUNCTIONS]\nE 0 14.2\n[RESERVOIRS]\nR 100\n[PIPES]\nP R E 103 300 130 0\n[OPTIONS]\nUNITS LPS\n[END]\n");
    sl_surge_def def = surge_def(4.0, 0.01, 4000.0);
    def.scheme = SL_SURGE_INTERPOLATE;
    surge_begin(&b, &def);
    sl_surge_grid g = {.size = sizeof g};
    sl_assert_ok(sl_model_surge_grid(b.model, &g));
    assert_int_equal(g.pipes[0].n_reach, 2);
    sl_assert_near(g.pipes[0].courant, 2.0 * 0.01 * 4000.0 / 103.0, 1e-6, 0.0);
    sl_assert_near(g.pipes[0].courant, 0.777, 1e-3, 0.0);
    sl_assert_double(g.pipes[0].distortion, 0.0);
    surge_advance(&b, 4.0);
    sl_surge_view v = surge_view(&b);
    for (int64_t i = 0; i < v.n_point; i++) {
        sl_assert_near(v.head[i], v.head_start[i], 1e-9, 0.0);
    }
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbering_and_direction),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_water),
        cmocka_unit_test(test_friction_takes),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_interpolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
