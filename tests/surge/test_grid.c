/* SPDX-License-Identifier: MIT */
/* test_grid.c: time steps and reaches: the optimum, rigid pipes, limits, interpolation. */
#include "surge_test.h"

#define FT 0.3048

static sl_surge_grid grid_of(surge_bench *b, const char *inp, const sl_surge_def *def) {
    sl_surge_grid g = {.size = sizeof g};
    surge_open(b, inp);
    surge_begin(b, def);
    sl_assert_ok(sl_model_surge_grid(b->model, &g));
    return g;
}

/* 940, 60 and 2000 m at 1000 m/s in 31, 2 and 67 reaches: 0.03006 s and changes of +0.877, -0.196 and -0.693 %. */
static void test_optimum(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nA 0 0\nB 0 0\nC 0 1\n[RESERVOIRS]\nR 50\n"
        "[PIPES]\nP1 R A 940 300 120 0\nP2 A B 60 300 120 0\nP3 B C 2000 300 120 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    surge_bench b;
    sl_surge_def def = surge_def(1.0, (double)NAN, 1000.0);
    def.reaches = 2;
    sl_surge_grid g = grid_of(&b, inp, &def);
    static const int32_t reaches[] = {31, 2, 67};
    static const double change[] = {0.00877, -0.00196, -0.00693};
    sl_assert_near(g.dt, 0.03006, 5e-6, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(g.pipes[i].n_reach, reaches[i]);
        sl_assert_near(g.pipes[i].distortion, change[i], 5e-6, 0.0);
        sl_assert_double(g.pipes[i].courant, 1.0);
    }
    assert_int_equal(g.n_rigid, 0);
    assert_int_equal(g.n_cell, 100);
    surge_close(&b);
}

typedef struct one {
    double length, dt; /* [ft], [s] */
    sl_surge_scheme scheme;
    int32_t reaches; /* 0: rigid */
    double used, courant;
} one;

static void test_single_pipes(void **state) {
    (void)state;
    static const one cases[] = {
        {4000.0, 0.01, SL_SURGE_ADJUST, 100, 4000.0, 1.0},     {103.0, 0.01, SL_SURGE_ADJUST, 3, 3433.3, 1.0},
        {103.0, 0.01, SL_SURGE_INTERPOLATE, 2, 4000.0, 0.777}, {5.0, 0.01, SL_SURGE_INTERPOLATE, 0, 4000.0, 1.0},
        {5.0, 0.01, SL_SURGE_ADJUST, 0, 4000.0, 1.0},          {105600.0, 0.01, SL_SURGE_ADJUST, 2640, 4000.0, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char inp[256];
        snprintf(inp, sizeof inp,
                 "[JUNCTIONS]\nE 0 100\n[RESERVOIRS]\nR 900\n[PIPES]\nP R E %g 24 120 0\n[OPTIONS]\nUNITS GPM\n[END]\n",
                 cases[i].length);
        surge_bench b;
        sl_surge_def def = surge_def(0.05, cases[i].dt, 4000.0 * FT);
        def.scheme = cases[i].scheme;
        sl_surge_grid g = grid_of(&b, inp, &def);
        assert_int_equal(g.pipes[0].n_reach, cases[i].reaches);
        assert_int_equal(g.pipes[0].rigid, cases[i].reaches == 0);
        sl_assert_near(g.pipes[0].wave_speed_used / FT, cases[i].used, 0.1, 0.0);
        sl_assert_near(g.pipes[0].courant, cases[i].courant, 1e-3, 0.0);
        surge_close(&b);
    }
}

/* As many reaches as are asked for, in the pipe of the shortest travel time. */
static void test_reaches(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 10\nF 0 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 600 300 120 0\n"
                              "L E F 1200 300 120 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    static const int32_t wanted[] = {1, 2, 40, 128, 1000};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        surge_bench b;
        sl_surge_def def = surge_def(1.0, (double)NAN, 1000.0);
        def.reaches = wanted[i];
        sl_surge_grid g = grid_of(&b, inp, &def);
        assert_int_equal(g.pipes[0].n_reach, wanted[i]);
        assert_int_equal(g.pipes[1].n_reach, 2 * wanted[i]);
        surge_close(&b);
    }
}

/* Short pipes do not make the step tiny; it says which became rigid. */
static void test_short_pipes(void **state) {
    (void)state;
    static const char inp[] =
        "[JUNCTIONS]\nA 0 0\nB 0 0\nC 0 10\n[RESERVOIRS]\nR 50\n"
        "[PIPES]\nP1 R A 800 300 120 0\nP2 A B 0.5 300 120 0\nP3 B C 900 300 120 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    surge_bench b;
    sl_surge_def def = surge_def(1.0, (double)NAN, 1000.0);
    sl_surge_grid g = grid_of(&b, inp, &def);
    assert_true(g.dt > 0.01);
    assert_int_equal(g.n_rigid, 1);
    assert_true(g.pipes[1].rigid);
    assert_true(g.distortion_max <= 0.15);
    assert_true(surge_said(&b, "rigid columns"));
    surge_close(&b);
    def.points_max = 20; /* and a grid that would be too large is refused */
    surge_open(&b, inp);
    sl_assert_status(sl_model_from_surge(b.ctx, b.net, &def, b.diags, &b.model), SL_ERR_INPUT);
    assert_true(surge_said(&b, "more than the limit"));
    surge_close(&b);
}

/* A step that is found resolves waves and events, and no finer than the cost allows; the grid says what decided. */
static void test_found(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 10\nF 0 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 1000 300 120 0\n"
                              "L E F 1000 300 120 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    static const double ramp[] = {0.0, 0.02}, x[] = {1.0, 0.0};
    surge_bench b;
    sl_surge_def def = surge_def(10.0, (double)NAN, 1000.0);
    sl_surge_grid g = grid_of(&b, inp, &def);
    assert_int_equal(g.pipes[0].n_reach, 20);
    assert_int_equal(g.step_by, SL_SURGE_STEP_WAVES);
    assert_string_equal(sl_network_link_id(b.net, g.step_pipe), "L");
    sl_surge_event shut = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(&b, "F"), 1.0, x);
    surge_close(&b);
    shut.t = ramp;
    shut.n = 2;
    shut.shape = SL_SURGE_SHAPE_LINEAR;
    def.events = &shut;
    def.n_event = 1;
    g = grid_of(&b, inp, &def);
    sl_assert_near(g.dt, 0.002, 1e-9, 0.0);
    assert_int_equal(g.step_by, SL_SURGE_STEP_RISE);
    surge_close(&b);
    def.duration = 1e5; /* costs more at that step than the three seconds that any run may take: as fine as these allow, and said */
    g = grid_of(&b, inp, &def);
    assert_int_equal(g.step_by, SL_SURGE_STEP_COST);
    assert_true(g.dt > 0.002 && g.dt < 0.5);
    assert_true(g.seconds > 2.4 && g.seconds < 3.2); /* steps are tried by 5 %, and moved by up to a third afterwards */
    surge_close(&b);
    def.duration = 4e7; /* but never coarser than two reaches */
    surge_open(&b, inp);
    sl_assert_ok(sl_model_from_surge(b.ctx, b.net, &def, b.diags, &b.model));
    sl_assert_ok(sl_model_surge_grid(b.model, &g));
    assert_int_equal(g.pipes[0].n_reach, 2);
    assert_true(surge_said(&b, "s to run") && surge_said(&b, "the step is set by the cost"));
    surge_close(&b);
}

/* A given step is taken although it changes the wave speed of a short pipe; it is refused where the study says so. */
static void test_given(void **state) {
    (void)state;
    static const char inp[] = "[JUNCTIONS]\nE 0 10\nF 0 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R E 1000 300 120 0\n"
                              "S E F 24 300 120 0\n[OPTIONS]\nUNITS LPS\n[END]\n";
    surge_bench b;
    sl_surge_def def = surge_def(1.0, 0.01, 1000.0);
    def.friction = SL_SURGE_CONVOLUTION;
    sl_surge_grid g = grid_of(&b, inp, &def);
    assert_int_equal(g.pipes[1].n_reach, 2);
    assert_int_equal(g.step_by, SL_SURGE_STEP_GIVEN);
    sl_assert_near(g.pipes[1].distortion, 0.2, 1e-12, 0.0);
    assert_true(surge_said(&b, "its wave speed is 1200 m/s instead of 1000") && surge_said(&b, "1 of 2 pipes"));
    assert_false(surge_said(&b, "unsteady friction needs two reaches"));
    surge_close(&b);
    def.distortion_error = true;
    surge_open(&b, inp);
    sl_assert_status(sl_model_from_surge(b.ctx, b.net, &def, b.diags, &b.model), SL_ERR_INPUT);
    assert_true(surge_said(&b, "its wave speed would be 1200 m/s"));
    surge_close(&b);
    def.dt = 0.024;
    g = grid_of(&b, inp, &def);
    assert_true(surge_said(&b, "friction is quasi-steady in 1 of 2 pipes"));
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimum), cmocka_unit_test(test_single_pipes), cmocka_unit_test(test_reaches),
        cmocka_unit_test(test_found),   cmocka_unit_test(test_given),        cmocka_unit_test(test_short_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
