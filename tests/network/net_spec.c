/* SPDX-License-Identifier: MIT */
/* net_spec.c: a small network built by calls, for tests that go on from there; see net_test.h. */
#include "net_test.h"

sl_spec *net_spec_begin(net_case *c) {
    static const double one = 1.0, x[] = {0.0, 0.01}, y[] = {0.0, 40.0}, q = 0.01, h = 40.0;
    sl_spec *s = NULL;
    net_begin(c);
    sl_assert_ok(sl_spec_create(c->ctx, c->diags, &s));
    sl_spec_set_units(s, SL_LPS);
    sl_pattern_def pattern = sl_pattern_default();
    pattern.id = "Daily";
    pattern.factor = &one;
    pattern.n_factor = 1;
    sl_assert_ok(sl_spec_add_pattern(s, &pattern));
    sl_curve_def curve = sl_curve_default();
    curve.id = "Rising";
    curve.x = x;
    curve.y = y;
    curve.n_point = 2;
    curve.kind = SL_CURVE_HEADLOSS;
    sl_assert_ok(sl_spec_add_curve(s, &curve));
    curve.id = "Pumping";
    curve.x = &q;
    curve.y = &h;
    curve.n_point = 1;
    curve.kind = SL_CURVE_PUMP;
    sl_assert_ok(sl_spec_add_curve(s, &curve));
    static const char *const ids[] = {"A", "B", "C", "D"};
    for (int i = 0; i < 4; i++) {
        sl_junction_def j = sl_junction_default();
        j.id = ids[i];
        sl_assert_ok(sl_spec_add_junction(s, &j));
    }
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    sl_assert_ok(sl_spec_add_reservoir(s, &r));
    sl_tank_def t = sl_tank_default();
    t.id = "T";
    t.level_max = 5;
    sl_assert_ok(sl_spec_add_tank(s, &t));
    static const char *const pipes[][3] = {{"P1", "R", "A"}, {"P2", "A", "B"}, {"P3", "D", "T"}, {"CV", "A", "B"}};
    for (int i = 0; i < 4; i++) {
        sl_pipe_def p = sl_pipe_default();
        p.id = pipes[i][0];
        p.from = pipes[i][1];
        p.to = pipes[i][2];
        p.check_valve = i == 3;
        sl_assert_ok(sl_spec_add_pipe(s, &p));
    }
    sl_pump_def u = sl_pump_default();
    u.id = "U";
    u.from = "R";
    u.to = "A";
    u.curve = "Pumping";
    sl_assert_ok(sl_spec_add_pump(s, &u));
    sl_valve_def v = sl_valve_default();
    v.id = "PRV";
    v.from = "B";
    v.to = "C";
    sl_assert_ok(sl_spec_add_valve(s, &v));
    v.id = "GPV";
    v.from = "C";
    v.to = "D";
    v.kind = SL_GPV;
    v.curve = "Rising";
    sl_assert_ok(sl_spec_add_valve(s, &v));
    return s;
}
