/* SPDX-License-Identifier: MIT */
/* test_column.c: the water column breaks at a valve and closes again.
 *
 * Reservoir, pipe without friction, valve that shuts at once. From 2L/a on the valve's face is at the vapour head, and the
 * column moves back with V = -V0 + g dH/a, dH = H_R - Hv; every 2L/a it gains 2 g dH/a. The cavity closes when what went
 * comes back, in some interval with velocity V_n: the head jumps to Hv + a V_n/g, and the next wave from the reservoir
 * adds 2 dH to it: a short pulse above all else. Joukowsky's own rise is a V0/g.
 */
#include "surge_test.h"

#define PI 3.14159265358979323846
#define G 9.80665

static const double nothing = 0.0;

static const char inp[] = "[JUNCTIONS]\nE 0 1570.796326794897\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 1000 1000 1e9 0\n"
                          "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";

typedef struct theory {
    double collapse, peak, largest; /* [s], [m], [m3] */
} theory;

static theory by_hand(double v0, double h_r, double hv, double length, double a, double area) {
    double lap = 2.0 * length / a, dh = h_r - hv, v = -v0 + G * dh / a, x = 0.0, t = lap, deepest = 0.0;
    while (x + v * lap < 0.0 || v <= 0.0) {
        x += v * lap;
        t += lap;
        v += 2.0 * G * dh / a;
        deepest = fmin(deepest, x);
    }
    return (theory){.collapse = t - x / v, .peak = hv + a * v / G + 2.0 * dh, .largest = -deepest * area};
}

static void check(sl_surge_cavitation model, double near) {
    /* The pipe falls away from the valve, so that only its face breaks. */
    static const double chainage[] = {0.0, 990.0, 1000.0}, elevation[] = {-20.0, -6.0, 0.0};
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(12.0, 0.005, 1000.0);
    def.cavitation = model;
    sl_surge_survey survey = {.pipe = 0, .chainage = chainage, .elevation = elevation, .n = 3};
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.surveys = &survey;
    def.n_survey = 1;
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    double d = b.net->pipe_diameter[0], area = PI * d * d / 4.0, v0 = surge_get(&b, "link.'P'.flow") / area;
    double hv = surge_view(&b).vapour_head[surge_view(&b).n_point - 1];
    sl_assert_near(hv, -10.1, 0.1, 0.0);
    theory t = by_hand(v0, 50.0, hv, 1000.0, 1000.0, area);
    sl_assert_near(t.collapse, 8.65, 0.1, 0.0);
    surge_advance(&b, 1.0);
    sl_assert_near(surge_get(&b, "node.'E'.head"), 50.0 + 1000.0 * v0 / G, 0.0, 1e-3);
    surge_advance(&b, 4.0);
    sl_assert_near(surge_get(&b, "node.'E'.head"), hv, 0.05, 0.0);
    double closed = 0.0;
    for (int n = 801; n <= 2400 && closed == 0.0; n++) {
        surge_advance(&b, 0.005 * n);
        closed = surge_get(&b, "node.'E'.cavity.count") > 0.0 ? 0.005 * n : 0.0;
    }
    sl_assert_near(closed, t.collapse, 0.0, near);
    sl_assert_near(surge_get(&b, "node.'E'.cavity.max"), t.largest, 0.0, near);
    surge_advance(&b, 12.0);
    double peak = surge_get(&b, "node.'E'.head.max");
    if (fabs(peak - t.peak) > near * t.peak) {
        print_error("model %d: peak %g m, by hand %g m\n", (int)model, peak, t.peak);
    }
    sl_assert_near(peak, t.peak, 0.0, near);
    assert_true(peak > 50.0 + 1000.0 * v0 / G); /* more than Joukowsky: the reason to care */
    sl_surge_view v = surge_view(&b);
    assert_int_equal(v.alarms[SL_SURGE_ALARM_MASS].count, 0);
    /* The end of the pipe has what is known about the cavity at its node, the pipe itself has none. */
    int64_t end = v.n_point - 1;
    int32_t node = surge_node(&b, "E");
    sl_assert_double(v.cavity_max[end], surge_get(&b, "node.'E'.cavity.max"));
    sl_assert_double(v.cavity_first[end], v.node_cavity_first[node]);
    sl_assert_double(v.cavity_time[end], v.node_cavity_time[node]);
    sl_assert_double(v.cavity_count[end], v.node_cavity_count[node]);
    sl_assert_near(v.node_cavity_first[node], 2.0, 0.02, 0.0);
    sl_assert_double(v.pipe_joined[0], 0.0);
    surge_close(&b);
}

static void test_dvcm(void **state) {
    (void)state;
    check(SL_SURGE_DVCM, 0.01);
}

static void test_dgcm(void **state) {
    (void)state;
    check(SL_SURGE_DGCM, 0.02);
}

/* A clamp holds the head but forgets the water: it says how much. */
static void test_clamp(void **state) {
    (void)state;
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(6.0, 0.01, 1000.0);
    def.cavitation = SL_SURGE_CLAMP;
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    surge_advance(&b, 6.0);
    sl_surge_view v = surge_view(&b);
    assert_true(surge_get(&b, "node.'E'.head.min") >= v.vapour_head[v.n_point - 1] - 1e-9);
    assert_true(v.balance.clamped > 0.1);
    assert_true(fabs(v.balance.error) < 1e-9 * v.balance.scale);
    surge_close(&b);
}

/* A clamped point inside a pipe is known as a cavity. Half way along the pipe of 1000 m its crown rises so far that the low
 * wave of a stop, H_R - aV/g, is below the vapour head there and nowhere else. The wave comes at 2L/a + L/2a; left and right
 * of the point C+ = C- = H_R - aV/g, so that it gives 2 (Hv - C)/B. What it sends both ways is back after L/a, reflected at
 * the reservoir and at the dead end, and lifts it: H_R. */
static void test_clamp_inside(void **state) {
    (void)state;
    static const double chainage[] = {0.0, 490.0, 500.0, 510.0, 1000.0}, elevation[] = {0.0, 0.0, 70.0, 0.0, 0.0};
    static const char model[] = "[JUNCTIONS]\nE 0 100\n[RESERVOIRS]\nR 100\n[PIPES]\nP R E 1000 500 1e9 0\n"
                                "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";
    const double dt = 0.01, a = 1000.0;
    surge_bench b;
    surge_open(&b, model);
    sl_surge_def def = surge_def(4.2, dt, a);
    def.cavitation = SL_SURGE_CLAMP;
    sl_surge_survey survey = {.pipe = 0, .chainage = chainage, .elevation = elevation, .n = 5};
    sl_surge_event stop = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    def.surveys = &survey;
    def.n_survey = 1;
    def.events = &stop;
    def.n_event = 1;
    surge_begin(&b, &def);
    double d = b.net->pipe_diameter[0], impedance = a / (G * PI * d * d / 4.0);
    double low = 100.0 - impedance * surge_get(&b, "link.'P'.flow");
    surge_advance(&b, 4.2);
    sl_surge_view v = surge_view(&b);
    assert_int_equal(v.n_point, 101);
    for (int64_t i = 0; i < v.n_point; i++) {
        if (i != 50) {
            assert_true(isnan(v.cavity_first[i]));
            sl_assert_double(v.cavity_time[i], 0.0);
            continue;
        }
        sl_assert_near(v.head_min[i], v.vapour_head[i], 1e-9, 0.0);
        assert_true(v.vapour_head[i] > low + 1.0);
        sl_assert_near(v.cavity_first[i], 2.5, 1.01 * dt, 0.0);
        sl_assert_near(v.cavity_time[i], 1.0, 0.01 * dt, 0.0);
        sl_assert_double(v.cavity_count[i], 1.0);
        sl_assert_near(v.balance.clamped, 2.0 * (v.vapour_head[i] - low) / impedance * 1.0, 0.0,
                       1e-6); /* 1e9: not quite smooth */
    }
    surge_close(&b);
}

/* Noise of the grid: a burst beside a branch that ends blind. Vapour spreads along the branch and is filled by a front; without what
 * smooth.c does, the head at its end turns 502 and 827 times by a metre and more on grids of 64 and 128 reaches, with liquid water
 * a few times. */
static const char branch[] = "[JUNCTIONS]\nJ 0 0.1\nE 2 0\n[RESERVOIRS]\nR 60\n[PIPES]\nP R J 2000 250 130\n"
                             "D J E 260 200 130\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n";

typedef struct trace {
    double turned_at, last;
    int turns;
} trace;

static void follow(trace *x, double h) {
    if ((x->last - x->turned_at) * (h - x->last) < 0.0) {
        x->turns += fabs(x->last - x->turned_at) >= 1.0;
        x->turned_at = x->last;
    }
    x->last = h;
}

static void check_noise(sl_surge_cavitation model, sl_surge_friction friction, int32_t reaches, int most) {
    static const double open_at[] = {0.0, 0.05}, open[] = {0.0, 1.0};
    const double dt = 260.0 / 1200.0 / reaches, duration = 6.0;
    surge_bench b;
    surge_open(&b, branch);
    sl_surge_def def = surge_def(duration, dt, 1200.0);
    sl_surge_outlet burst = sl_surge_outlet_default();
    burst.node = surge_node(&b, "J");
    burst.coefficient = 0.6 * PI * 0.06 * 0.06 / 4.0 * sqrt(2.0 * G);
    sl_surge_event event = sl_surge_event_default();
    event.what = SL_SURGE_OUTLET_OPENING;
    event.index = 0;
    event.start = 0.1;
    event.t = open_at;
    event.x = open;
    event.n = 2;
    def.cavitation = model;
    def.friction = friction;
    def.outlets = &burst;
    def.n_outlet = 1;
    def.events = &event;
    def.n_event = 1;
    surge_begin(&b, &def);
    trace x = {.turned_at = surge_get(&b, "node.'E'.head"), .last = surge_get(&b, "node.'E'.head")};
    for (int n = 1; n * dt < duration; n++) {
        surge_advance(&b, n * dt);
        follow(&x, surge_get(&b, "node.'E'.head"));
    }
    if (x.turns > most) {
        print_error("model %d, friction %d, %d reaches: %d turns\n", (int)model, (int)friction, (int)reaches, x.turns);
    }
    assert_true(x.turns <= most);
    sl_surge_view v = surge_view(&b);
    int32_t pipe = surge_link(&b, "D");
    double points = 0.0;
    for (int64_t i = v.point_start[pipe] + 1; i + 1 < v.point_start[pipe + 1]; i++) {
        points += v.cavity_count[i];
    }
    assert_true(v.pipe_joined[pipe] >= 1.0 &&
                v.pipe_joined[pipe] < 0.5 * points); /* one event where a front fills many points */
    assert_int_equal(v.alarms[SL_SURGE_ALARM_GRID].count, 0);
    assert_int_equal(v.alarms[SL_SURGE_ALARM_ENERGY].count, 0);
    assert_true(fabs(v.balance.error) < 1e-11 * v.balance.scale);
    surge_close(&b);
}

static void test_noise(void **state) {
    (void)state;
    check_noise(SL_SURGE_DGCM, SL_SURGE_STEADY, 64, 120);
    check_noise(SL_SURGE_DGCM, SL_SURGE_STEADY, 128, 160);
    check_noise(SL_SURGE_DGCM, SL_SURGE_ACCELERATION, 64, 120);
    check_noise(SL_SURGE_DVCM, SL_SURGE_STEADY, 64, 200);
}

/* A reservoir that jumps up and down every three steps: the dead end of a pipe follows, with six steps to a cycle. Every ten steps is
 * slow enough. A pipe of two reaches that is shut rings with eight steps to a cycle: so it should. */
static void check_swings(int32_t steps, int32_t reaches, bool alarmed) {
    enum { N = 200 };
    double t[N], x[N];
    const double dt = 1.0 / reaches, duration = steps > 0 ? 200.0 * dt : 100.0;
    surge_bench b;
    surge_open(&b, inp);
    sl_surge_def def = surge_def(duration, dt, 1000.0);
    sl_surge_event event = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "E"), 0.0, &nothing);
    for (int k = 0; k < N && steps > 0; k++) {
        t[k] = k * steps * dt;
        x[k] = k % 2 ? 40.0 : 50.0;
    }
    if (steps > 0) {
        event.what = SL_SURGE_HEAD;
        event.index = surge_node(&b, "R");
        event.shape = SL_SURGE_SHAPE_HOLD;
        event.t = t;
        event.x = x;
        event.n = N;
    }
    def.events = &event;
    def.n_event = 1;
    surge_begin(&b, &def);
    surge_advance(&b, duration);
    const sl_surge_alarm_state *alarm = &surge_view(&b).alarms[SL_SURGE_ALARM_GRID];
    assert_true((alarm->count > 0) == alarmed);
    assert_true(!alarmed || (alarm->node == surge_node(&b, "E") && alarm->worst > 9.0));
    surge_close(&b);
}

static void test_swings(void **state) {
    (void)state;
    check_swings(3, 20, true);
    check_swings(10, 20, false);
    check_swings(0, 2, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dvcm),         cmocka_unit_test(test_dgcm),  cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_clamp_inside), cmocka_unit_test(test_noise), cmocka_unit_test(test_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
