/* SPDX-License-Identifier: MIT */
/* Tunnels by calls: they are the same model as those of a file, and what is wrong is refused. */
#include "tunnel_test.h"

#include <sluice/session.h>

#include "tunnel/build.h"
#include "tunnel/engine.h"

static const char text[] =
    "sluice: tunnel/1\nrun: {end: 90, report: 5, tolerance: 1e-9, reversals: all, chattering: hold}\nvalves:\n"
    "  upper: {elevation: 20, suction: 5, tub: {level: {time: [0, 60], value: [24, 22]}, hysteresis: 0.02}}\n"
    "  side: {elevation: 20.5, tub: {reservoir: {area: 40, bottom: 19, level: 23, inflow: 0.5, rim: 24, to: pond}}}\n"
    "  pond: {elevation: 9, tub: {reservoir: {storage: {level: [8, 9, 12], volume: [0, 80, 800]}, level: 8}}}\n  fork: {elevation: 0}\n"
    "  plant: {elevation: -5, tub: outfall}\ntunnels:\n"
    "  main: {from: upper, to: fork, length: 200, area: 4, friction: 0.02, losses: {in: [1.5, 0.5]}}\n"
    "  spur: {from: side, to: fork, length: 50, diameter: 1.6, roughness: 1 mm, drops: from, vented: to}\n"
    "  low: {from: pond, to: fork, length: 50, shape: {rectangle: [1, 2]}, friction: 0.03, added_length: 0.4}\n"
    "  out: {from: fork, to: plant, length: 100, area: 2, friction: 0.02, losses: {out: [0, 0.3]}}\n"
    "gates: {upper: [{at: 0, open: 0}, {at: 1, open: 1}], out.to: [{at: 50, open: 0}, {at: 60, open: 1}]}\n"
    "start: {full: [out], half: {low: {from: fork, volume: 7}}}\n";

static void add_valves(sl_tunnels *t) {
    static const double time[] = {0.0, 60.0}, level[] = {24.0, 22.0}, storage[] = {8.0, 9.0, 12.0, 0.0, 80.0, 800.0};
    sl_tunnels_valve v = sl_tunnels_valve_default();
    v.id = "upper";
    v.elevation = 20.0;
    v.suction = 5.0;
    v.hysteresis = 0.02;
    v.outside = SL_TUNNELS_LEVEL;
    v.n = 2;
    v.time = time;
    v.value = level;
    sl_assert_ok(sl_tunnels_add_valve(t, &v));
    v = sl_tunnels_valve_default();
    v.id = "side";
    v.elevation = 20.5;
    v.outside = SL_TUNNELS_RESERVOIR;
    v.area = 40.0;
    v.bottom = 19.0;
    v.level = 23.0;
    v.inflow = 0.5;
    v.rim = 24.0;
    v.flood_to = "pond";
    sl_assert_ok(sl_tunnels_add_valve(t, &v));
    v = sl_tunnels_valve_default();
    v.id = "pond";
    v.elevation = 9.0;
    v.outside = SL_TUNNELS_RESERVOIR;
    v.level = 8.0;
    v.n_storage = 3;
    v.storage_level = storage;
    v.storage_volume = storage + 3;
    sl_assert_ok(sl_tunnels_add_valve(t, &v));
    v = sl_tunnels_valve_default();
    v.id = "fork";
    sl_assert_ok(sl_tunnels_add_valve(t, &v));
    v.id = "plant";
    v.elevation = -5.0;
    v.outside = SL_TUNNELS_OUTFALL;
    sl_assert_ok(sl_tunnels_add_valve(t, &v));
}

static sl_tunnels_pipe pipe_of(const char *id, const char *from, const char *to, double length, double area,
                               double friction) {
    sl_tunnels_pipe p = sl_tunnels_pipe_default();
    p.id = id;
    p.from = from;
    p.to = to;
    p.length = length;
    p.area = area;
    p.friction = friction;
    return p;
}

static void add_rest(sl_tunnels *t) {
    const double pi = 3.14159265358979323846;
    sl_tunnels_pipe p = pipe_of("main", "upper", "fork", 200.0, 4.0, 0.02);
    p.in[0] = 1.5;
    p.in[1] = 0.5;
    sl_assert_ok(sl_tunnels_add_pipe(t, &p));
    p = pipe_of("spur", "side", "fork", 50.0, 0.25 * pi * 1.6 * 1.6, sl_tunnels_friction(1e-3, 1.6, 2.0));
    p.diameter = 1.6;
    p.drops[0] = p.is_vented[1] = true;
    sl_assert_ok(sl_tunnels_add_pipe(t, &p));
    p = pipe_of("low", "pond", "fork", 50.0, 2.0, 0.03);
    p.diameter = 4.0 / 3.0;
    p.added_length = 0.4;
    sl_assert_ok(sl_tunnels_add_pipe(t, &p));
    p = pipe_of("out", "fork", "plant", 100.0, 2.0, 0.02);
    p.out[1] = 0.3;
    sl_assert_ok(sl_tunnels_add_pipe(t, &p));
    sl_assert_ok(sl_tunnels_move_gate(t, "upper", 0.0, false));
    sl_assert_ok(sl_tunnels_move_gate(t, "upper", 1.0, true));
    sl_assert_ok(sl_tunnels_move_gate(t, "out.to", 60.0, true));
    sl_assert_ok(sl_tunnels_move_gate(t, "out.to", 50.0, false));
    sl_assert_ok(sl_tunnels_fill(t, "out"));
    sl_assert_ok(sl_tunnels_put(t, "low", "fork", 7.0));
}

static sl_tunnels_run run_of(void) {
    sl_tunnels_run run = sl_tunnels_run_default();
    run.end = 90.0;
    run.report = 5.0;
    run.tolerance = 1e-9;
    run.all_reversals = true;
    run.chattering = SL_TUNNELS_HOLD;
    return run;
}

static uint64_t hash_of(sl_context *ctx, sl_tunnel_study *study) {
    sl_tunnel_engine_model *model;
    sl_assert_ok(sl_tunnel_engine_model_create(ctx, study, &model));
    uint64_t hash = model->moves.hash;
    sl_tunnel_engine_model_destroy(model);
    return hash;
}

static void calls_make_what_a_file_makes(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    sl_tunnels *t = NULL;
    sl_tunnel_study *called = NULL, *read = NULL;
    sl_tunnels_run run = run_of();
    sl_assert_ok(sl_tunnels_create(f.ctx, "title", f.diags, &t));
    add_valves(t);
    add_rest(t);
    sl_assert_ok(sl_tunnels_study(f.ctx, t, &run, f.diags, &called));
    sl_assert_z(called->title, "title");
    sl_assert_ok(sl_tunnel_read(f.ctx, text, sizeof text - 1, "t.yaml", NULL, f.diags, &read));
    assert_true(hash_of(f.ctx, called) == hash_of(f.ctx, read));
    /* a builder stays as it is, and may go before its models */
    sl_model *one = NULL, *two = NULL;
    sl_session *s = NULL;
    sl_assert_ok(sl_model_of_tunnels(f.ctx, t, &run, f.diags, &one));
    sl_assert_ok(sl_model_of_tunnels(f.ctx, t, &run, f.diags, &two));
    sl_tunnels_destroy(t);
    sl_assert_ok(sl_session_create(f.ctx, two, f.diags, &s));
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, NULL));
    sl_var flooded;
    double value;
    sl_assert_ok(sl_session_find(s, "valve.'side'.level", &flooded));
    sl_assert_ok(sl_session_get(s, &flooded, 1, &value));
    assert_true(value > 19.0 && value <= 24.0);
    sl_session_destroy(s);
    sl_model_destroy(one);
    sl_model_destroy(two);
    fixture_fini(&f);
}

static void expect(fixture *f, sl_status status, const char *says) {
    int32_t n = sl_diags_size(f->diags);
    sl_assert_status(status, SL_ERR_INPUT);
    assert_true(n > 0);
    if (!strstr(sl_diags_at(f->diags, n - 1)->text, says)) {
        fail_msg("'%s' instead of '%s'", sl_diags_at(f->diags, n - 1)->text, says);
    }
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    sl_tunnels *t = NULL;
    sl_model *model = NULL;
    sl_tunnels_run run = run_of();
    static const double back[] = {1.0, 1.0};
    sl_assert_ok(sl_tunnels_create(f.ctx, NULL, f.diags, &t));
    add_valves(t);
    sl_tunnels_valve v = sl_tunnels_valve_default();
    expect(&f, sl_tunnels_add_valve(t, &v), "no id");
    v.id = "fork";
    expect(&f, sl_tunnels_add_valve(t, &v), "of this id already");
    v.id = "new";
    v.outside = SL_TUNNELS_LEVEL;
    v.n = 2;
    v.time = v.value = back;
    expect(&f, sl_tunnels_add_valve(t, &v), "must rise");
    v.n = 0;
    v.flood_to = "fork";
    expect(&f, sl_tunnels_add_valve(t, &v), "does not flood");
    sl_tunnels_pipe p = pipe_of("main", "upper", "nowhere", 200.0, 4.0, 0.02);
    expect(&f, sl_tunnels_add_pipe(t, &p), "no valve 'nowhere'");
    expect(&f, sl_tunnels_move_gate(t, "main.from", 1.0, true), "no such gate");
    expect(&f, sl_tunnels_move_gate(t, "fork", 1.0, true), "no tub");
    expect(&f, sl_tunnels_fill(t, "main"), "no such tunnel");
    p.to = "fork";
    sl_assert_ok(sl_tunnels_add_pipe(t, &p)); /* what was refused left nothing */
    expect(&f, sl_tunnels_put(t, "main", "side", 3.0), "does not lead to that valve");
    expect(&f, sl_model_of_tunnels(f.ctx, t, &run, f.diags, &model), "could not be added");
    v.size = 0;
    sl_assert_status(sl_tunnels_add_valve(t, &v), SL_ERR_USE);
    run.end = 0.0;
    sl_assert_status(sl_model_of_tunnels(f.ctx, t, &run, f.diags, &model), SL_ERR_USE);
    assert_null(model);
    sl_tunnels_destroy(t);
    sl_assert_status(sl_tunnels_fill(NULL, "main"), SL_ERR_USE);
    /* what only the whole shows names the element */
    sl_assert_ok(sl_tunnels_create(f.ctx, NULL, f.diags, &t));
    add_valves(t);
    p.length = 5.0;
    sl_assert_ok(sl_tunnels_add_pipe(t, &p));
    run.end = 1.0;
    sl_assert_status(sl_model_of_tunnels(f.ctx, t, &run, f.diags, &model), SL_ERR_INPUT);
    bool named = false;
    for (int32_t k = 0; k < sl_diags_size(f.diags); k++) {
        const sl_diag *d = sl_diags_at(f.diags, k);
        named = named || (strstr(d->text, "differ in elevation") && d->object_id && strcmp(d->object_id, "main") == 0);
    }
    assert_true(named);
    sl_tunnels_destroy(t);
    fixture_fini(&f);
}

static void try_without_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_tunnels *t = NULL;
    sl_tunnel_study *study = NULL;
    const sl_tunnels_run run = run_of();
    static const double time[] = {0.0, 60.0};
    sl_tunnels_valve v = sl_tunnels_valve_default();
    sl_tunnels_pipe p = pipe_of("p", "a", "b", 200.0, 4.0, 0.02);
    (void)m, (void)user;
    if (sl_tunnels_create(ctx, "t", NULL, &t) != SL_OK) {
        return;
    }
    v.id = "a";
    v.outside = SL_TUNNELS_LEVEL;
    v.n = 2;
    v.time = v.value = time;
    (void)sl_tunnels_add_valve(t, &v);
    v.id = "b";
    (void)sl_tunnels_add_valve(t, &v);
    (void)sl_tunnels_add_pipe(t, &p);
    (void)sl_tunnels_move_gate(t, "a", 1.0, false);
    (void)sl_tunnels_fill(t, "p");
    if (sl_tunnels_study(ctx, t, &run, NULL, &study) == SL_OK) {
        sl_tunnel_study_destroy(study);
    }
    sl_tunnels_destroy(t);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(try_without_memory, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_make_what_a_file_makes),
                                       cmocka_unit_test(what_is_wrong_is_refused),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
