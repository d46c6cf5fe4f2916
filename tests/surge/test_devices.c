/* SPDX-License-Identifier: MIT */
/* test_devices.c: valves, pumps, check valves, outlets, tanks, triggers and rigid pipes in a surge run; wrong studies; and
 * memory that runs out anywhere. */
#include "surge_test.h"

#define PI 3.14159265358979323846

static const double nothing = 0.0, one = 1.0;

static const char station[] =
    "[JUNCTIONS]\nS 0 0\nD 0 0\nE 10 30\n[RESERVOIRS]\nW 5\nH 60\n"
    "[PIPES]\nP0 W S 200 400 120 0\nP1 D E 1500 300 120 0\nP2 E H 900 300 120 0\n[PUMPS]\nU S D HEAD C\n"
    "[CURVES]\nC 0 90\nC 60 75\nC 120 30\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nACCURACY 1e-9\n[END]\n";

/* A trip: speed falls, the check valve shuts before water runs back, and the discharge side swings above the reservoir. */
static void test_trip(void **state) {
    (void)state;
    for (int check = 0; check < 2; check++) {
        surge_bench b;
        surge_open(&b, station);
        sl_surge_def def = surge_def(20.0, (double)NAN, 1100.0);
        sl_surge_pump pump = sl_surge_pump_default();
        pump.link = surge_link(&b, "U");
        pump.inertia = 3.0;
        pump.check_valve = check;
        sl_surge_event trip = sl_surge_event_default();
        trip.what = SL_SURGE_PUMP_TRIP;
        trip.index = pump.link;
        trip.start = 1.0;
        def.pumps = &pump;
        def.n_pump = 1;
        def.events = &trip;
        def.n_event = 1;
        surge_begin(&b, &def);
        double q0 = surge_get(&b, "link.'U'.flow"), least = 0.0;
        assert_true(q0 > 0.01);
        surge_advance(&b, 0.9);
        sl_assert_near(surge_get(&b, "link.'U'.flow"), q0, 0.0, 1e-9);
        for (int k = 1; k <= 190; k++) {
            surge_advance(&b, 1.0 + 0.1 * k);
            least = fmin(least, surge_get(&b, "link.'U'.flow"));
        }
        double speed = surge_get(&b, "pump.'U'.speed");
        if (check) {
            sl_assert_double(least, 0.0);
            assert_true(speed > 0.0 && speed < 0.6);
        } else { /* it turns backwards as a turbine without load */
            assert_true(least < -0.2 * q0);
            assert_true(speed < -0.2);
        }
        assert_int_equal(surge_view(&b).alarms[SL_SURGE_ALARM_NODES].count, 0);
        surge_close(&b);
    }
}

/* A pump that stands is shut off until its speed is set; then it comes up along its curve. */
static void test_start(void **state) {
    (void)state;
    char inp[1024];
    snprintf(inp, sizeof inp, "%.*s[STATUS]\nU CLOSED\n[END]\n", (int)(strstr(station, "[END]") - station), station);
    static const double t[] = {0.0, 2.0}, x[] = {(double)NAN, 1.0};
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(60.0, (double)NAN, 1100.0);
    def.friction = SL_SURGE_ACCELERATION;
    sl_surge_event start = sl_surge_event_default();
    start.what = SL_SURGE_PUMP_SPEED;
    start.index = surge_link(&b, "U");
    start.start = 1.0;
    start.t = t;
    start.x = x;
    start.n = 2;
    def.events = &start;
    def.n_event = 1;
    surge_begin(&b, &def);
    surge_advance(&b, 1.0);
    sl_assert_double(surge_get(&b, "link.'U'.flow"), 0.0);
    surge_advance(&b, 60.0);
    sl_assert_near(surge_get(&b, "pump.'U'.speed"), 1.0, 1e-12, 0.0);
    assert_true(surge_get(&b, "link.'U'.flow") > 0.03);
    surge_close(&b);
}

/* A burst in the middle of a pipe: the head there is what the orifice and both halves agree on. */
static void test_burst(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 0\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 1000 300 1e9 0\n"
                              "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(1.0, 0.01, 1000.0);
    sl_surge_outlet burst = sl_surge_outlet_default();
    burst.pipe = 0;
    burst.chainage = 503.0;
    burst.coefficient = 0.01;
    sl_surge_event open = surge_jump(SL_SURGE_OUTLET_OPENING, 0, 0.1, &one);
    sl_surge_probe probe = {.name = "hole", .pipe = 0, .chainage = 500.0};
    def.outlets = &burst;
    def.n_outlet = 1;
    def.events = &open;
    def.n_event = 1;
    def.probes = &probe;
    def.n_probe = 1;
    surge_begin(&b, &def);
    surge_advance(&b, 0.3);
    /* q = c sqrt(H), H = 50 - B q/2 */
    double d = b.net->pipe_diameter[0], z = 0.5 * 1000.0 / (9.80665 * PI * d * d / 4.0), c = 0.01;
    double y = (-c * z + sqrt(c * c * z * z + 200.0)) / 2.0;
    sl_assert_near(surge_get(&b, "part.'hole'.head"), y * y, 0.0, 1e-9);
    sl_surge_balance balance = surge_view(&b).balance;
    assert_true(balance.outlets > 0.0);
    surge_close(&b);
}

/* A pump that has failed and is given a speed has power again: it keeps that speed, and water goes up as before. */
static void test_restart(void **state) {
    (void)state;
    surge_bench b;
    surge_open(&b, station);
    sl_surge_def def = surge_def(120.0, (double)NAN, 1100.0);
    sl_surge_pump pump = sl_surge_pump_default();
    pump.link = surge_link(&b, "U");
    pump.inertia = 3.0;
    pump.check_valve = true;
    sl_surge_event events[2] = {sl_surge_event_default(), surge_jump(SL_SURGE_PUMP_SPEED, pump.link, 3.0, &one)};
    events[0].what = SL_SURGE_PUMP_TRIP;
    events[0].index = pump.link;
    events[0].start = 1.0;
    def.pumps = &pump;
    def.n_pump = 1;
    def.events = events;
    def.n_event = 2;
    surge_begin(&b, &def);
    double q0 = surge_get(&b, "link.'U'.flow");
    surge_advance(&b, 2.9);
    sl_assert_double(surge_get(&b, "pump.'U'.tripped"), 1.0);
    assert_true(surge_get(&b, "pump.'U'.speed") < 0.9);
    surge_advance(&b, 120.0);
    sl_assert_double(surge_get(&b, "pump.'U'.tripped"), 0.0);
    sl_assert_double(surge_get(&b, "pump.'U'.speed"), 1.0);
    sl_assert_near(surge_get(&b, "link.'U'.flow"), q0, 0.0, 0.02);
    surge_close(&b);
}

/* A tank that R fills spills what comes in once it stands at its rim. All of that is in the books: the level is the rim, what
 * spilled is the inflow of the steps since, and the balance closes. Without an overflow it is an alarm, whose worst step is
 * that with the most water: not the last, after R has been lowered. */
static void test_tank_rim(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nR 60\n[TANKS]\nT 0 39.99 0 40 2 0 * %s\n"
                              "[PIPES]\nP R J 500 300 100 0\nQ J T 500 300 100 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    static const double down = 50.0;
    for (int spills = 0; spills < 2; spills++) {
        char text[sizeof inp + 8];
        snprintf(text, sizeof text, inp, spills ? "YES" : "NO");
        surge_bench b;
        surge_open(&b, text);
        sl_surge_def def = surge_def(10.0, 0.01, 1000.0);
        sl_surge_event jump = surge_jump(SL_SURGE_HEAD, surge_node(&b, "R"), 3.0, &down);
        def.events = &jump;
        def.n_event = 1;
        surge_begin(&b, &def);
        double before = 0.0, most = 0.0, most_at = 0.0, came = 0.0;
        for (int n = 1; n <= 1000; n++) {
            surge_advance(&b, 0.01 * n);
            double over = surge_get(&b, "tank.'T'.overflow"), q = surge_get(&b, "link.'Q'.flow.end");
            came += 0.01 * q;
            if (before > 0.0) { /* full since the step before */
                sl_assert_near(over - before, 0.01 * q, 0.0, 1e-6);
                sl_assert_double(surge_get(&b, "tank.'T'.level"), 40.0);
            }
            most_at = over - before > most * (1.0 + 1e-9) ? 0.01 * n : most_at;
            most = fmax(most, over - before);
            before = over;
        }
        assert_true(before > 0.1);
        sl_assert_near(came - before, PI * 4.0 / 4.0 * 0.01, 0.0, 1e-3); /* what it took to fill it up */
        sl_surge_view v = surge_view(&b);
        sl_assert_near(v.balance.spilled, before, 0.0, 1e-12);
        assert_true(fabs(v.balance.error) < 1e-9 * v.balance.scale);
        const sl_surge_alarm_state *alarm = &v.alarms[SL_SURGE_ALARM_TANK];
        assert_int_equal(alarm->count > 0, !spills);
        if (!spills) {
            assert_int_equal(alarm->node, surge_node(&b, "T"));
            sl_assert_near(alarm->worst, most, 0.0, 1e-9);
            assert_true(alarm->time < 5.0 && most_at < 5.0);
        }
        surge_close(&b);
    }
}

/* A trigger: the valve shuts 0.5 s after the pressure at E has been above 60 m for 0.2 s. */
static void test_trigger(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nA 0 0\nE 0 20\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A 1000 300 120 0\nQ A E 500 300 120 0\n"
        "[VALVES]\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    static const double up = 80.0;
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(6.0, 0.01, 1000.0);
    sl_surge_trigger trigger = {
        .watch = SL_SURGE_WATCH_PRESSURE, .index = surge_node(&b, "E"), .above = true, .threshold = 60.0, .after = 0.2};
    sl_surge_event events[2] = {surge_jump(SL_SURGE_HEAD, surge_node(&b, "R"), 1.0, &up),
                                surge_jump(SL_SURGE_VALVE_OPENING, surge_link(&b, "Q"), 0.5, &nothing)};
    events[1].trigger = 0;
    def.triggers = &trigger;
    def.n_trigger = 1;
    def.events = events;
    def.n_event = 2;
    surge_begin(&b, &def);
    /* The wave of 30 m leaves at 1.0 s and is there 1.5 s later. */
    surge_advance(&b, 3.15);
    sl_assert_double(surge_get(&b, "link.'Q'.opening"), 1.0);
    surge_advance(&b, 3.25);
    sl_assert_double(surge_get(&b, "link.'Q'.opening"), 0.0);
    sl_assert_double(surge_get(&b, "link.'Q'.flow"), 0.0);
    surge_close(&b);
}

/* A trigger wants what it watches to last. After a stop without friction the head at E is high for 2L/a = 2 s, low for 2 s, and
 * so on: high for 1.5 s comes true in the first pulse, high for 3 s never, however many pulses there are. */
static void test_trigger_lasts(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 50\n[RESERVOIRS]\nR 100\nFAR 100\n[PIPES]\nP R E 1000 500 1e9 0\n"
                              "Q FAR R 100 500 100 0\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    static const double up = 101.0, after[2] = {1.5, 3.0};
    for (int i = 0; i < 2; i++) {
        surge_bench b;
        surge_open(&b, inp);
        sl_surge_def def = surge_def(14.0, 0.01, 1000.0);
        sl_surge_trigger trigger = {
            .watch = SL_SURGE_WATCH_HEAD, .index = surge_node(&b, "E"), .above = true, .threshold = 110.0};
        trigger.after = after[i];
        sl_surge_event events[2] = {surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing),
                                    surge_jump(SL_SURGE_HEAD, surge_node(&b, "FAR"), 0.0, &up)};
        events[1].trigger = 0;
        def.triggers = &trigger;
        def.n_trigger = 1;
        def.events = events;
        def.n_event = 2;
        surge_begin(&b, &def);
        surge_advance(&b, 1.4);
        sl_assert_double(surge_get(&b, "reservoir.'FAR'.head"), 100.0);
        surge_advance(&b, 1.6);
        sl_assert_double(surge_get(&b, "reservoir.'FAR'.head"), i == 0 ? 101.0 : 100.0);
        surge_advance(&b, 13.9);
        sl_assert_double(surge_get(&b, "reservoir.'FAR'.head"), i == 0 ? 101.0 : 100.0);
        surge_close(&b);
    }
}

/* A check valve lets nothing back when the far reservoir jumps up. */
static void test_check_valve(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nA 0 0\n[RESERVOIRS]\nR1 50\nR2 45\n"
                              "[PIPES]\nP1 R1 A 500 300 120 0\nP2 A R2 500 300 120 0 CV\n[OPTIONS]\nUNITS LPS\n[END]\n";
    static const double up = 90.0;
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(10.0, 0.01, 1000.0);
    sl_surge_event jump = surge_jump(SL_SURGE_HEAD, surge_node(&b, "R2"), 0.5, &up);
    def.events = &jump;
    def.n_event = 1;
    surge_begin(&b, &def);
    assert_true(surge_get(&b, "link.'P2'.flow") > 0.0);
    double least = 1.0;
    for (int k = 1; k <= 1000; k++) {
        surge_advance(&b, 0.01 * k);
        least = fmin(least, surge_get(&b, "link.'P2'.flow"));
    }
    sl_assert_double(least, 0.0);
    surge_close(&b);
}

/* A tank between two pipes swings as a mass on a spring: rigid column, T = 2 pi sqrt(L A_T/(g A)). */
static void test_tank_swing(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nR 30\n[TANKS]\nT 0 30 0 100 0.769 0\n"
                              "[PIPES]\nP R T 304.8 304.8 1e9 0\nQ T J 10 100 100 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(200.0, 0.01, 1219.2);
    static const double level = 30.2;
    sl_surge_event jump = surge_jump(SL_SURGE_HEAD, surge_node(&b, "R"), 0.0, &level);
    def.events = &jump;
    def.n_event = 1;
    def.demand = SL_SURGE_DEMAND_FIXED;
    surge_begin(&b, &def);
    double crossings[8];
    int n = 0;
    double last = surge_get(&b, "tank.'T'.level") - 30.2;
    for (int k = 1; k <= 20000 && n < 8; k++) {
        surge_advance(&b, 0.01 * k);
        double now = surge_get(&b, "tank.'T'.level") - 30.2;
        if ((last < 0.0) != (now < 0.0)) {
            crossings[n++] = 0.01 * k;
        }
        last = now;
    }
    assert_true(n >= 3);
    double area = PI * 0.3048 * 0.3048 / 4.0, tank = PI * 0.769 * 0.769 / 4.0;
    double period = 2.0 * PI * sqrt(304.8 * tank / (9.80665 * area));
    sl_assert_near(crossings[n - 1] - crossings[n - 3], period, 0.0, 0.03);
    surge_close(&b);
}

static void refuse(const char *inp, const sl_surge_def *def, const char *why) {
    surge_bench b;
    surge_open(&b, inp);
    sl_status status = sl_model_from_surge(b.ctx, b.net, def, b.diags, &b.model);
    sl_assert_status(status, SL_ERR_INPUT);
    if (!surge_said(&b, why)) {
        print_error("nobody said '%s'\n", why);
    }
    assert_true(surge_said(&b, why));
    surge_close(&b);
}

static void test_wrong_studies(void **state) {
    (void)state;
    sl_surge_def def = surge_def(1.0, -1.0, 1000.0);
    refuse(station, &def, "time step");
    def = surge_def(1.0, 0.33, 1100.0);
    def.distortion_error = true;
    refuse(station, &def, "wave speed would be");
    def = surge_def(1.0, (double)NAN, 0.0);
    refuse(station, &def, "wave speed is not above zero");
    def = surge_def(1.0, 0.01, 1000.0);
    sl_surge_event event = surge_jump(SL_SURGE_VALVE_OPENING, 3, 0.0, &nothing); /* the pump */
    def.events = &event;
    def.n_event = 1;
    refuse(station, &def, "an opening belongs to");
    event = surge_jump(SL_SURGE_PUMP_SPEED, 0, 0.0, &nothing);
    refuse(station, &def, "a speed belongs to a pump");
    event = surge_jump(SL_SURGE_DEMAND_FACTOR, 2, -1.0, &nothing);
    refuse(station, &def, "below zero");
    def.n_event = 0;
    sl_surge_outlet outlet = sl_surge_outlet_default();
    def.outlets = &outlet;
    def.n_outlet = 1;
    outlet.pipe = 1;
    outlet.chainage = 9999.0;
    refuse(station, &def, "not on the pipe");
    outlet.node = 2;
    outlet.coefficient = 1.0;
    outlet.opening = 1.0;
    refuse(station, &def, "more than the demand");
}

static void run_short(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user, (void)m;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_surge_view view = {.size = sizeof view};
    sl_surge_def def = surge_def(1.0, (double)NAN, 1000.0);
    def.cavitation = SL_SURGE_DGCM;
    def.friction = SL_SURGE_CONVOLUTION;
    sl_surge_event event = surge_jump(SL_SURGE_PUMP_TRIP, 3, 0.1, &one);
    sl_surge_probe probe = {.name = "x", .pipe = 0, .chainage = 1.0};
    def.events = &event;
    def.n_event = 1;
    def.probes = &probe;
    def.n_probe = 1;
    if (sl_diags_create(ctx, &diags) == SL_OK &&
        sl_inp_read(ctx, station, sizeof station - 1, NULL, diags, &net) == SL_OK &&
        sl_model_from_surge(ctx, net, &def, diags, &model) == SL_OK &&
        sl_session_create(ctx, model, diags, &session) == SL_OK &&
        sl_session_advance(session, 0.33, 0, NULL) == SL_OK) {
        (void)sl_session_surge(session, &view);
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(run_short, NULL) > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trip),          cmocka_unit_test(test_start),       cmocka_unit_test(test_burst),
        cmocka_unit_test(test_trigger_lasts), cmocka_unit_test(test_restart),     cmocka_unit_test(test_tank_rim),
        cmocka_unit_test(test_trigger),       cmocka_unit_test(test_check_valve), cmocka_unit_test(test_tank_swing),
        cmocka_unit_test(test_wrong_studies), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
