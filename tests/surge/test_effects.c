/* SPDX-License-Identifier: MIT */
/* test_effects.c: events that cannot change anything are named with their line; those that can are not. */
#include "surge_test.h"

static const char inp[] =
    "[JUNCTIONS]\nA 0 10\nB 0 0\nC 0 5\n[RESERVOIRS]\nR 50\n[PIPES]\nP1 R A 600 300 120 0\n"
    "P2 A B 600 300 120 0\nP3 A C 600 300 120 0 Closed\n[PUMPS]\nOFF R B HEAD C\nON R C HEAD C\n[CURVES]\n"
    "C 20 60\n[STATUS]\nOFF CLOSED\n[VALVES]\nV A C 300 TCV 2\n[OPTIONS]\nUNITS LPS\n[END]\n";

typedef struct happening {
    sl_surge_quantity what;
    const char *id;
    double start, to;
    const char *said; /* NULL: it has an effect */
} happening;

static const happening happenings[] = {
    {SL_SURGE_PUMP_TRIP, "OFF", 1.0, 0.0, "the pump is off at the start"},
    {SL_SURGE_PUMP_TRIP, "ON", 1.0, 0.0, NULL},
    {SL_SURGE_PUMP_TRIP, "ON", 5.0, 0.0, "it would start at 5 s, and the run ends at 5 s"},
    {SL_SURGE_PUMP_SPEED, "OFF", 1.0, 0.0, "the speed is at the start what the event makes of it: 0"},
    {SL_SURGE_PUMP_SPEED, "OFF", 1.0, 1.0, NULL},
    {SL_SURGE_PUMP_SPEED, "ON", 1.0, 1.0, "the speed is at the start what the event makes of it: 1"},
    {SL_SURGE_PUMP_SPEED, "ON", 1.0, 0.5, NULL},
    {SL_SURGE_VALVE_OPENING, "V", 1.0, 1.0, "the opening is at the start what the event makes of it: 1"},
    {SL_SURGE_VALVE_OPENING, "V", 1.0, 0.0, NULL},
    {SL_SURGE_VALVE_OPENING, "V", 7.0, 0.0, "it would start at 7 s"},
    {SL_SURGE_VALVE_OPENING, "P3", 1.0, 0.0, "the opening is at the start what the event makes of it: 0"},
    {SL_SURGE_VALVE_OPENING, "P3", 1.0, 1.0, NULL},
    {SL_SURGE_DEMAND_FACTOR, "B", 1.0, 2.0, "the junction has no demand at the start"},
    {SL_SURGE_DEMAND_FACTOR, "A", 1.0, 2.0, NULL},
    {SL_SURGE_DEMAND_FACTOR, "A", 1.0, 1.0, "the factor of the demand is at the start what the event makes of it: 1"},
    {SL_SURGE_DEMAND_FLOW, "B", 1.0, 0.0, "the junction has no demand at the start, and gets none"},
    {SL_SURGE_DEMAND_FLOW, "B", 1.0, 0.001, NULL},
    {SL_SURGE_DEMAND_FLOW, "A", 1.0, 0.0, NULL},
    {SL_SURGE_HEAD, "R", 1.0, 50.0, "the head is at the start what the event makes of it: 50"},
    {SL_SURGE_HEAD, "R", 1.0, 40.0, NULL},
};

static void make(surge_bench *b, sl_surge_def *def) {
    def->wave_speed = 1000.0;
    def->duration = 5.0;
    sl_assert_ok(sl_model_from_surge(b->ctx, b->net, def, b->diags, &b->model));
}

static void test_each(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof happenings / sizeof *happenings; i++) {
        const happening *h = &happenings[i];
        surge_bench b;
        surge_open(&b, inp);
        int32_t node = sl_network_find_node(b.net, sl_str_z(h->id));
        sl_surge_event v = surge_jump(h->what, node >= 0 ? node : surge_link(&b, h->id), h->start, &h->to);
        v.n = h->what == SL_SURGE_PUMP_TRIP ? 0 : 1;
        sl_surge_def def = sl_surge_default();
        def.events = &v;
        def.n_event = 1;
        make(&b, &def);
        bool said = surge_said(&b, "this event has no effect");
        if (said != (h->said != NULL) || (said && !surge_said(&b, h->said))) {
            fail_msg("event %zu", i);
        }
        surge_close(&b);
    }
}

/* A pump trips once, unless its speed is set in between. */
static void test_trips(void **state) {
    (void)state;
    static const double full = 1.0;
    for (int again = 0; again < 2; again++) {
        surge_bench b;
        surge_open(&b, inp);
        int32_t on = surge_link(&b, "ON");
        sl_surge_event events[3] = {surge_jump(SL_SURGE_PUMP_TRIP, on, 1.0, &full),
                                    surge_jump(SL_SURGE_PUMP_TRIP, on, 2.0, &full),
                                    surge_jump(SL_SURGE_PUMP_SPEED, on, 1.5, &full)};
        events[0].n = events[1].n = 0;
        sl_surge_def def = sl_surge_default();
        def.events = events;
        def.n_event = again ? 3 : 2;
        make(&b, &def);
        assert_true(surge_said(&b, "the pump has tripped before") == !again);
        surge_close(&b);
    }
}

/* An event that another one prepares has an effect; one that comes after the end prepares nothing. */
static void test_two(void **state) {
    (void)state;
    static const double open = 1.0, shut = 0.0;
    for (int late = 0; late < 2; late++) {
        surge_bench b;
        surge_open(&b, inp);
        int32_t v = surge_link(&b, "V");
        sl_surge_event events[2] = {surge_jump(SL_SURGE_VALVE_OPENING, v, late ? 9.0 : 1.0, &shut),
                                    surge_jump(SL_SURGE_VALVE_OPENING, v, 3.0, &open)};
        sl_surge_def def = sl_surge_default();
        def.events = events;
        def.n_event = 2;
        make(&b, &def);
        assert_int_equal(surge_said(&b, "what the event makes of it"), late);
        surge_close(&b);
    }
}

/* Only the end of the run shows that a trigger did not fire. */
static void test_trigger(void **state) {
    (void)state;
    static const double shut = 0.0;
    for (int fires = 0; fires < 2; fires++) {
        surge_bench b;
        surge_open(&b, inp);
        sl_surge_trigger trigger = {.watch = SL_SURGE_WATCH_HEAD,
                                    .index = surge_node(&b, "A"),
                                    .above = true,
                                    .threshold = fires ? 10.0 : 1000.0};
        sl_surge_event v = surge_jump(SL_SURGE_VALVE_OPENING, surge_link(&b, "V"), 1.0, &shut);
        v.trigger = 0;
        sl_surge_def def = sl_surge_default();
        def.duration = 5.0;
        def.triggers = &trigger;
        def.n_trigger = 1;
        def.events = &v;
        def.n_event = 1;
        surge_begin(&b, &def);
        surge_advance(&b, 4.0);
        const sl_diags *said = sl_session_diags(b.session);
        int32_t before = sl_diags_size(said);
        surge_advance(&b, 5.0);
        assert_int_equal(sl_diags_size(said) - before, !fires);
        if (!fires) {
            assert_non_null(strstr(sl_diags_at(said, before)->text, "its trigger did not fire"));
        }
        surge_close(&b);
    }
}

static void test_none(void **state) {
    (void)state;
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = sl_surge_default();
    make(&b, &def);
    assert_true(surge_said(&b, "the study has no event"));
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_two),
                                       cmocka_unit_test(test_trips), cmocka_unit_test(test_trigger),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
