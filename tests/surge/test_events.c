/* SPDX-License-Identifier: MIT */
/* test_events.c: events of pressure waves against times known by hand, and releases to the study's schedule. */
#include "surge_test.h"

#include "numeric/lookup.h"

#include <string.h>

static const char main_pipe[] =
    "[JUNCTIONS]\nE 0 1570.796326794897\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 1000 1000 1e9 0\n"
    "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
static const double nothing = 0.0;

static sl_event_info find_event(const surge_bench *b, const char *kind, const char *element) {
    sl_event_info e = {.size = sizeof e},
                  none = {.size = sizeof none, .time = (double)NAN, .cause = "", .quantity = ""};
    for (int64_t i = 0; i < sl_session_n_event(b->session); i++) {
        sl_assert_ok(sl_session_event(b->session, i, &e));
        if (strcmp(e.kind, kind) == 0 && strcmp(e.element, element) == 0) {
            return e;
        }
    }
    return none;
}

/* The column breaks at the end when the wave is back from the reservoir, at 2L/a = 2 s, and closes where the node counts it. */
static void test_column(void **state) {
    (void)state;
    static const double chainage[] = {0.0, 990.0, 1000.0}, elevation[] = {-20.0, -6.0, 0.0};
    surge_bench b;
    surge_open(&b, main_pipe);
    sl_surge_def def = surge_def(12.0, 0.005, 1000.0);
    def.cavitation = SL_SURGE_DVCM;
    sl_surge_survey survey = {.pipe = 0, .chainage = chainage, .elevation = elevation, .n = 3};
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.surveys = &survey;
    def.n_survey = 1;
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    sl_assert_ok(sl_session_record_events(b.session, true));
    double closed = 0.0;
    for (int n = 1; n <= 2400; n++) {
        surge_advance(&b, 0.005 * n);
        closed = closed == 0.0 && surge_get(&b, "node.'E'.cavity.count") > 0.0 ? 0.005 * n : closed;
    }
    sl_event_info e = find_event(&b, "separation", "E");
    sl_assert_near(e.time, 2.0, 0.006, 0.0);
    assert_string_equal(e.quantity, "cavity");
    sl_assert_double(e.from, 0.0);
    assert_true(e.to > 0.0);
    e = find_event(&b, "collapse", "E");
    assert_true(closed > 8.0);
    sl_assert_near(e.time, closed, 1e-9, 0.0);
    sl_assert_double(e.to, 0.0);
    e = find_event(&b, "start", "E");
    sl_assert_near(e.time, 0.005, 1e-12, 0.0); /* of the start itself: told by the first step */
    surge_close(&b);
}

/* A pump behind a check valve trips when the pressure has fallen; a valve moves by schedule. */
static const char lift[] =
    "[JUNCTIONS]\nA 0 0\nB 10 0\nC 10 20\n[RESERVOIRS]\nR 5\nS 45\n[PIPES]\nP1 A B 900 200 120 0\n"
    "P3 C S 500 200 120 0\n[PUMPS]\nM R A HEAD 1\n[VALVES]\nV B C 200 TCV 2 0\n[CURVES]\n1 30 50\n[OPTIONS]\nUNITS LPS\n[END]\n";

static void begin_lift(surge_bench *b) {
    static const double t[] = {0.0, 0.4}, x[] = {(double)NAN, 0.3};
    static sl_surge_event events[2];
    static sl_surge_trigger trigger;
    static sl_surge_pump pump;
    surge_open(b, lift);
    sl_surge_def def = surge_def(20.0, 0.05, 1000.0);
    events[0] = sl_surge_event_default();
    events[0].what = SL_SURGE_VALVE_OPENING;
    events[0].index = surge_link(b, "V");
    events[0].start = 1.02;
    events[0].t = t;
    events[0].x = x;
    events[0].n = 2;
    events[1] = sl_surge_event_default();
    events[1].what = SL_SURGE_PUMP_TRIP;
    events[1].index = surge_link(b, "M");
    events[1].start = 0.5;
    events[1].trigger = 0;
    trigger = (sl_surge_trigger){
        .watch = SL_SURGE_WATCH_PRESSURE, .index = surge_node(b, "C"), .above = false, .threshold = 35.3};
    pump = sl_surge_pump_default();
    pump.link = surge_link(b, "M");
    pump.inertia = 0.05;
    pump.check_valve = true;
    def.pumps = &pump;
    def.n_pump = 1;
    def.triggers = &trigger;
    def.n_trigger = 1;
    def.events = events;
    def.n_event = 2;
    surge_begin(b, &def);
    sl_assert_ok(sl_session_record_events(b->session, true));
}

static void test_devices(void **state) {
    (void)state;
    surge_bench b;
    begin_lift(&b);
    surge_advance(&b, 20.0);
    sl_event_info start = find_event(&b, "start", "V"), end = find_event(&b, "end", "V");
    sl_assert_double(start.time, 1.02);
    sl_assert_double(start.from, 1.0);
    sl_assert_double(start.to, 0.3);
    assert_string_equal(start.cause, "schedule");
    sl_assert_near(end.time, 1.42, 1e-12, 0.0);
    sl_event_info trigger = find_event(&b, "trigger", "C"), trip = find_event(&b, "trip", "M");
    assert_true(trigger.time > 1.0);
    assert_string_equal(trigger.cause, "falls to 35.3 m");
    sl_assert_near(trip.time, trigger.time + 0.5, 0.06, 0.0);
    assert_string_equal(trip.cause, "trigger");
    sl_assert_double(trip.to, 1.0);
    sl_event_info close = find_event(&b, "close", "M");
    assert_true(close.time > trip.time);
    assert_string_equal(close.cause, "check valve");
    assert_true(close.from > 0.0);
    sl_assert_double(close.to, 0.0);
    surge_close(&b);
}

static void change(surge_bench *b, const char *name, double x) {
    sl_var v;
    sl_assert_ok(sl_session_find(b->session, name, &v));
    sl_assert_ok(isnan(x) ? sl_session_release(b->session, &v, 1) : sl_session_set(b->session, &v, 1, &x));
}

static void test_release_to_the_schedule(void **state) {
    (void)state;
    surge_bench b;
    begin_lift(&b);
    surge_advance(&b, 0.5);
    change(&b, "link.'V'.opening", 0.8);
    change(&b, "link.'V'.opening", (double)NAN); /* nothing has started: that of the start */
    sl_assert_double(surge_get(&b, "link.'V'.opening"), 1.0);
    surge_advance(&b, 1.12);
    change(&b, "link.'V'.opening", 0.9);
    surge_advance(&b, 1.25);
    sl_assert_double(surge_get(&b, "link.'V'.opening"), 0.9);
    change(&b, "link.'V'.opening", (double)NAN); /* on its way from 1 to 0.3 within 0.4 s from 1.02 s on */
    sl_assert_near(surge_get(&b, "link.'V'.opening"), 1.0 - 0.7 * 0.23 / 0.4, 1e-9, 0.0);
    surge_advance(&b, 3.0);
    sl_assert_double(surge_get(&b, "link.'V'.opening"), 0.3);
    surge_close(&b);
}

/* A cubic course is the monotone cubic table of its points, whose first is the value at its start. */
static void test_cubic_course(void **state) {
    (void)state;
    static const double t[] = {0.0, 0.3, 1.0, 1.2, 2.0}, x[] = {(double)NAN, 0.9, 0.25, 0.25, 0.6};
    static const double at[] = {0.0, 0.12, 0.3, 0.45, 0.61, 0.97, 1.0, 1.1, 1.34, 1.9, 2.0, 2.3};
    double y[5] = {1.0}, slopes[5];
    memcpy(y + 1, x + 1, sizeof y - sizeof *y);
    sl_table_find_slopes(5, t, y, slopes);
    const sl_lookup_table table = {
        .n = 5, .x = t, .y = y, .slopes = slopes, .kind = SL_TABLE_CUBIC, .beyond = SL_TABLE_CONSTANT};
    surge_bench b;
    surge_open(&b, lift);
    sl_surge_def def = surge_def(20.0, 0.01, 1000.0);
    sl_surge_event event = sl_surge_event_default();
    event.what = SL_SURGE_VALVE_OPENING;
    event.index = surge_link(&b, "V");
    event.start = 1.0;
    event.t = t;
    event.x = x;
    event.n = 5;
    event.shape = SL_SURGE_SHAPE_CUBIC;
    def.events = &event;
    def.n_event = 1;
    surge_begin(&b, &def);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        surge_advance(&b, 1.0 + at[k]);
        sl_assert_near(surge_get(&b, "link.'V'.opening"), sl_table_value(&table, at[k]), 1e-12, 0.0); /* rounding */
    }
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_cubic_course),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_release_to_the_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
