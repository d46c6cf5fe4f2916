/* SPDX-License-Identifier: MIT */
/* The hybrid model against closed forms: a siphon that swings, a reservoir that empties, mass oscillation after a load rejection. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/read.h"

typedef struct run {
    fixture f;
    sl_tunnel_study *study;
    sl_tunnel_model model;
    sl_hybrid *h;
} run;

static void begin(run *r, const char *text) {
    fixture_init(&r->f);
    sl_assert_ok(sl_tunnel_read(r->f.ctx, text, strlen(text), "t.yaml", NULL, r->f.diags, &r->study));
    r->model = sl_tunnel_model_default(r->study->net);
    r->model.all_reversals = r->study->all_reversals;
    sl_hybrid_def def = sl_hybrid_default();
    def.dae.rtol = r->model.rtol = r->study->rtol;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = r->study->end;
    sl_assert_ok(sl_hybrid_create(r->f.ctx, &sl_tunnel_ops, &r->model, &def, r->f.diags, &r->h));
}

static void end(run *r) {
    sl_hybrid_destroy(r->h);
    sl_tunnel_study_destroy(r->study);
    fixture_fini(&r->f);
}

static double next_crossing(run *r) {
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(r->h, SL_HYBRID_CROSSING, r->f.diags, &info));
    assert_int_equal(info.event, SL_HYBRID_CROSSING);
    return info.t;
}

/* Two legs of 10 m of water in all, without losses: the period is 2 pi sqrt((10 + 2 added) / (2 g)). */
static void a_siphon_swings(void **state) {
    (void)state;
    run r;
    begin(
        &r,
        "sluice: tunnel/1\nrun: {end: 60, tolerance: 1e-10, reversals: all}\nvalves:\n"
        "  left: {elevation: 10, tub: outfall}\n  low: {elevation: 0}\n  right: {elevation: 10, tub: outfall}\ntunnels:\n"
        "  a: {from: left, to: low, length: 10, area: 1, friction: 0, losses: {in: [0, 0]}, added_length: 0.001}\n"
        "  b: {from: right, to: low, length: 10, area: 1, friction: 0, losses: {in: [0, 0]}, added_length: 0.001}\n"
        "start: {half: {a: {from: low, volume: 6}, b: {from: low, volume: 4}}}\n");
    double half = 3.14159265358979323846 * sqrt(10.002 / (2.0 * SL_TUNNEL_GRAVITY));
    for (int k = 1; k < 20; k++) {
        sl_assert_rel(next_crossing(&r), k * half, 1e-8);
    }
    end(&r);
}

/* A reservoir of 10 m2 through an opening of 0.01 m2 that loses the velocity head: sqrt(level) falls at a constant rate. */
static void a_reservoir_empties(void **state) {
    (void)state;
    run r;
    begin(
        &r,
        "sluice: tunnel/1\nrun: {end: 2000, tolerance: 1e-9}\nvalves:\n"
        "  tank: {elevation: 0, tub: {reservoir: {area: 10, bottom: -1, level: 5}}}\n  out: {elevation: 0, tub: outfall}\n"
        "tunnels:\n  hole: {from: tank, to: out, length: 0.5, area: 0.01, friction: 0, losses: {in: [1, 1]}, added_length: 0.005}\n"
        "start: {full: [hole]}\n");
    sl_hybrid_info info;
    double x[32], dx[32], level = 5.0, t = 0.0, rate = 0.01 * sqrt(2.0 * SL_TUNNEL_GRAVITY) / 10.0;
    int32_t n_x, n_q;
    sl_tunnel_sizes(r.study->net, &n_x, &n_q);
    assert_true(n_x <= 32);
    while (level > 1.0) {
        sl_assert_ok(sl_hybrid_next(r.h, SL_HYBRID_STEP, r.f.diags, &info));
        t = info.t;
        memcpy(x, sl_hybrid_x(r.h), (size_t)n_x * sizeof *x);
        memcpy(dx, sl_hybrid_dx(r.h), (size_t)n_x * sizeof *dx);
        level = x[4] / 10.0 - 1.0;
    }
    /* The flow falls at a constant rate, so that the water in the hole adds a constant head; before that it has to get going. */
    double added = 0.51 * 0.01 / 10.0, start_up = 0.51 / sqrt(2.0 * SL_TUNNEL_GRAVITY * 5.0);
    sl_assert_abs(t, 2.0 * (sqrt(5.0 + added) - sqrt(level + added)) / rate, 2.0 * start_up);
    end(&r);
}

/* A headrace between a reservoir and a shaft whose water begins half a metre below the level: the period is
 * 2 pi sqrt((L / A + l / A_shaft) A_shaft / g) for small swings; the water in the shaft is l high. */
static void water_swings_in_a_shaft(void **state) {
    (void)state;
    run r;
    begin(
        &r,
        "sluice: tunnel/1\nrun: {end: 400, tolerance: 1e-10, reversals: all}\nvalves:\n"
        "  intake: {elevation: 40, tub: {level: 50}}\n  joint: {elevation: 40}\n  top: {elevation: 60, tub: outfall}\ntunnels:\n"
        "  headrace: {from: intake, to: joint, length: 1000, area: 10, friction: 0, losses: {in: [0, 0]}, added_length: 0.001}\n"
        "  shaft: {from: top, to: joint, length: 20, area: 20, friction: 0, losses: {in: [0, 0]}, added_length: 0.001}\n"
        "start: {full: [headrace], half: {shaft: {from: joint, volume: 199.8}}}\n"); /* 1 cm below */
    double half = 3.14159265358979323846 * sqrt((1000.002 / 10.0 + 10.001 / 20.0) * 20.0 / SL_TUNNEL_GRAVITY);
    for (int k = 1; k < 8; k++) {
        sl_assert_rel(next_crossing(&r), k * half,
                      1e-7); /* second order in swing over length: (0.01 / 2010)^2, and in its mean */
    }
    end(&r);
}

/* An inlet of 1 m2 with its gate shut takes 0.5 m3 and floods to a lake of 100 m2, which is at its rim after 0.15 m more and floods to a
 * pond of 50 m2. The lake's own tunnel lets nothing out. All that comes is somewhere. */
static void floods_go_where_they_are_said_to(void **state) {
    (void)state;
    run r;
    begin(
        &r,
        "sluice: tunnel/1\nrun: {end: 10}\nvalves:\n"
        "  in: {elevation: 9, tub: {inlet: {inflow: {time: [0, 4], value: [1, 3]}, to: lake}}}\n"
        "  lake: {elevation: 5, tub: {reservoir: {area: 100, bottom: 0, level: 4.9, rim: 5.05, to: pond}}}\n"
        "  pond: {elevation: 3, tub: {reservoir: {area: 50, bottom: 0, level: 1}}}\n  out: {elevation: 0, tub: outfall}\n"
        "tunnels:\n  a: {from: in, to: out, length: 50, area: 1, friction: 0.02}\n"
        "  b: {from: lake, to: out, length: 50, area: 1, friction: 0.02}\n  c: {from: pond, to: out, length: 50, area: 1, friction: 0.02}\n"
        "gates: {in: [{at: 0, open: 0}], lake: [{at: 0, open: 0}], pond: [{at: 0, open: 0}]}\n");
    const sl_tunnel_network *net = r.study->net;
    double volume = sl_tunnel_volume(net, sl_hybrid_x(r.h));
    sl_hybrid_info info;
    sl_assert_ok(sl_hybrid_next(r.h, SL_HYBRID_STOP, r.f.diags, &info));
    const double *x = sl_hybrid_x(r.h), *water = x + 4 * net->n_pipe, *flood = water + 2 * net->n_valve;
    double from_inlet = 0.5 * 4.0 * (1.0 + 3.0) + 6.0 * 3.0 - 0.5, from_lake = from_inlet - 15.0;
    sl_assert_rel(flood[0], from_inlet, 1e-9);
    sl_assert_rel(flood[1], from_lake, 1e-9);
    sl_assert_rel(water[2], 50.0 + from_lake, 1e-9);
    sl_assert_abs(sl_tunnel_volume(net, x), volume, 1e-12 * volume);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_siphon_swings), cmocka_unit_test(a_reservoir_empties),
                                       cmocka_unit_test(water_swings_in_a_shaft),
                                       cmocka_unit_test(floods_go_where_they_are_said_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
