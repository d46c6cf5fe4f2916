/* SPDX-License-Identifier: MIT */
/* test_time.c: when a step ends: each limit in turn, patterns, reports; simple controls. */
#include "eps_test.h"

enum { MOST = 400 };

static void expect_times(eps_run *r, const double *hours, int32_t n) {
    double t[MOST];
    int32_t found = eps_boundaries(r, t, MOST);
    for (int32_t i = 0; i < (found < n ? found : n); i++) {
        sl_assert_double(t[i], hours[i] * 3600.0);
    }
    assert_int_equal(found, n);
}

#define PLAIN                                                                                   \
    "[JUNCTIONS]\nJ 0 5 D\n[RESERVOIRS]\nR 50\n[PIPES]\nP R J 100 150 100\nO R J 100 150 100\n" \
    "[PATTERNS]\nD 1 0.5\n[OPTIONS]\nUNITS LPS\n"

/* Steps of 1.5 h within a run of 4 h; the end decides the last. */
static void test_hydraulic_step_and_end(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN "[TIMES]\nDURATION 4\nHYDRAULIC TIMESTEP 1:30\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 12\n");
    expect_times(&r, (double[]){0, 1.5, 3, 4}, 4);
    eps_end(&r);
    sl_eps_def def = sl_eps_default();
    def.duration = 2.25 * 3600.0; /* the file's duration gives way */
    eps_begin_def(&r, &def,
                  PLAIN "[TIMES]\nDURATION 4\nHYDRAULIC TIMESTEP 1:30\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 12\n");
    sl_assert_double(sl_session_end(r.s), 2.25 * 3600.0);
    expect_times(&r, (double[]){0, 1.5, 2.25}, 3);
    eps_end(&r);
}

static void test_pattern_limit(void **state) {
    (void)state;
    eps_run r; /* periods of 2 h, half an hour into the first */
    eps_begin(&r, PLAIN "[TIMES]\nDURATION 6\nHYDRAULIC TIMESTEP 6\nPATTERN TIMESTEP 2\nPATTERN START 0:30\n"
                        "REPORT TIMESTEP 6\n");
    sl_assert_rel(eps_get(&r, "node.'J'.demand"), 5.0 * EPS_LPS, 1e-14);
    eps_to(&r, 1.5 * 3600.0 - 1.0);
    sl_assert_rel(eps_get(&r, "node.'J'.demand"), 5.0 * EPS_LPS, 1e-14);
    eps_to(&r, 1.5 * 3600.0);
    sl_assert_rel(eps_get(&r, "node.'J'.demand"), 2.5 * EPS_LPS, 1e-14);
    eps_end(&r);
    eps_begin(&r, PLAIN "[TIMES]\nDURATION 6\nHYDRAULIC TIMESTEP 6\nPATTERN TIMESTEP 2\nPATTERN START 0:30\n"
                        "REPORT TIMESTEP 6\n");
    expect_times(&r, (double[]){0, 1.5, 3.5, 5.5, 6}, 5);
    eps_end(&r);
}

static void test_report_limit(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN
              "[TIMES]\nDURATION 8\nHYDRAULIC TIMESTEP 2\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 3\nREPORT START 1\n");
    sl_assert_ok(sl_session_record(r.s, (const char *const[]){"node.head"}, 1));
    /* A step is no longer than the reports are apart: 2 h, or to the report; reports at 1, 4, 7. */
    expect_times(&r, (double[]){0, 1, 3, 4, 6, 7, 8}, 7);
    int32_t n;
    const double *t = sl_session_times(r.s, &n);
    assert_int_equal(n, 3);
    for (int32_t i = 0; i < n; i++) {
        sl_assert_double(t[i], (1.0 + 3.0 * i) * 3600.0);
    }
    eps_end(&r);
    /* Before the first report only its own time counts, not the multiples before it. */
    eps_begin(&r, PLAIN
              "[TIMES]\nDURATION 9\nHYDRAULIC TIMESTEP 3\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 3\nREPORT START 5\n");
    expect_times(&r, (double[]){0, 3, 5, 8, 9}, 5);
    eps_end(&r);
}

/* 10 m2 of surface; 1 L/s in: 3.6 m3/h. EPANET's litre is 6 millionths less than one. */
#define FEED "[JUNCTIONS]\nJ 0 -%g\n[TANKS]\nT 0 %g 0 %g 3.568248232\n[PIPES]\nP J T 10 200 100\n[OPTIONS]\nUNITS LPS\n"

static void test_tank_limit(void **state) {
    (void)state;
    eps_run
        r; /* 5 m3 are missing: full after 5000 s, then nothing more can come, and the inflow is told as not taken */
    eps_begin(&r, FEED "[TIMES]\nDURATION 3\n", 1.0, 1.0, 1.5);
    double area = EPS_PI * 3.568248232 * 3.568248232 / 4.0, s = 0.5 * area / (1.0 * EPS_LPS);
    double t[MOST];
    int32_t n = eps_boundaries(&r, t, MOST);
    assert_int_equal(n, 5);
    sl_assert_double(t[1], 3600.0);
    sl_assert_double(t[2], floor(s + 0.5)); /* the forecast, rounded */
    sl_assert_double(t[3], 7200.0);
    sl_assert_double(eps_get(&r, "tank.'T'.level"), 1.5);
    assert_int_equal(eps_status(&r, "P"), SL_STATUS_TEMP_CLOSED);
    assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, "J"), 1);
    sl_assert_double(eps_get(&r, "solver.unbalanced"), 0.0);
    eps_end(&r);
    /* Rounded down, it is a little less than full then: within one second's flow of its limit it is put there. */
    assert_true(s > floor(s + 0.5));
    eps_begin(&r, FEED "[TIMES]\nDURATION 3\n", 1.0, 1.0, 1.5);
    eps_to(&r, floor(s + 0.5));
    sl_assert_double(eps_get(&r, "tank.'T'.level"), 1.5);
    eps_end(&r);
}

static void test_level_control(void **state) {
    (void)state;
    eps_run r; /* from 1 m to 1.6 m at 0.36 m/h: 1 h 40 min */
    eps_begin(&r,
              FEED "[JUNCTIONS]\nK 0 0\n[PIPES]\nQ K T 10 200 100 0 CLOSED\n"
                   "[CONTROLS]\nLINK Q OPEN IF NODE T ABOVE 1.6\n[TIMES]\nDURATION 4\nHYDRAULIC TIMESTEP 4\n"
                   "REPORT TIMESTEP 4\nPATTERN TIMESTEP 4\n",
              1.0, 1.0, 5.0);
    double t[MOST], area = EPS_PI * 3.568248232 * 3.568248232 / 4.0, s = 0.6 * area / (1.0 * EPS_LPS);
    int32_t n = eps_boundaries(&r, t, MOST);
    assert_int_equal(n, 3);
    sl_assert_double(t[1], floor(s + 0.5));
    assert_int_equal(eps_status(&r, "Q"), SL_STATUS_OPEN);
    eps_end(&r);
}

static void test_time_control(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT TIME 1:20\nLINK O OPEN AT TIME 2:50:30\nLINK O OPEN AT TIME 4\n"
                        "[TIMES]\nDURATION 6\nHYDRAULIC TIMESTEP 6\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 6\n");
    /* The third would change nothing, so it ends no step. */
    expect_times(&r, (double[]){0, 4800.0 / 3600.0, 10230.0 / 3600.0, 6}, 4);
    eps_end(&r);
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT TIME 1:20\nLINK O OPEN AT TIME 2:50:30\n"
                        "[TIMES]\nDURATION 6\nHYDRAULIC TIMESTEP 6\nPATTERN TIMESTEP 12\nREPORT TIMESTEP 6\n");
    eps_to(&r, 4799.0);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_OPEN);
    eps_to(&r, 4800.0);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_CLOSED);
    eps_to(&r, 10229.0);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_CLOSED);
    eps_to(&r, 10230.0);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_OPEN);
    eps_end(&r);
}

/* Clock times come every day, and over midnight. */
static void test_clock_control(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT CLOCKTIME 11 PM\nLINK O OPEN AT CLOCKTIME 5:30 AM\n"
                        "[TIMES]\nDURATION 50\nSTART CLOCKTIME 10 PM\nHYDRAULIC TIMESTEP 24\nPATTERN TIMESTEP 100\n"
                        "REPORT TIMESTEP 100\n");
    /* 22:00 start; 23:00, 5:30, 23:00, 5:30, 23:00 (49 h), the end */
    expect_times(&r, (double[]){0, 1, 7.5, 25, 31.5, 49, 50}, 7);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_CLOSED);
    eps_end(&r);
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT CLOCKTIME 12 AM\n[TIMES]\nDURATION 5\nSTART CLOCKTIME 10 PM\n");
    eps_to(&r, 7199.0);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_OPEN);
    eps_to(&r, 7200.0); /* midnight itself */
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_CLOSED);
    eps_end(&r);
}

static void test_disabled(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT TIME 1 DISABLED\n[TIMES]\nDURATION 3\nHYDRAULIC TIMESTEP 3\n"
                        "PATTERN TIMESTEP 12\nREPORT TIMESTEP 3\n");
    assert_int_equal(r.net->n_control, 1);
    expect_times(&r, (double[]){0, 3}, 2);
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_OPEN);
    eps_end(&r);
}

/* All are looked at in the order of the file: the last one counts. */
static void test_order(void **state) {
    (void)state;
    static const char *const orders[] = {"LINK O CLOSED AT TIME 1\nLINK O OPEN AT TIME 1",
                                         "LINK O OPEN AT TIME 1\nLINK O CLOSED AT TIME 1"};
    for (int i = 0; i < 2; i++) {
        eps_run r;
        eps_begin(&r, PLAIN "[CONTROLS]\n%s\n[TIMES]\nDURATION 2\n", orders[i]);
        eps_to(&r, 3600.0);
        assert_int_equal(eps_status(&r, "O"), i == 0 ? SL_STATUS_OPEN : SL_STATUS_CLOSED);
        eps_end(&r);
    }
}

/* At time 0 too. */
static void test_at_start(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PLAIN "[CONTROLS]\nLINK O CLOSED AT TIME 0\n[TIMES]\nDURATION 2\n");
    assert_int_equal(eps_status(&r, "O"), SL_STATUS_CLOSED);
    eps_end(&r);
}

#define PUMPED                                                                           \
    "[JUNCTIONS]\nJ 0 0\n[RESERVOIRS]\nLOW 10\nHIGH 30\n[PIPES]\nP J HIGH 500 150 100\n" \
    "[PUMPS]\nU LOW J HEAD ONE SPEED 0.8\n[CURVES]\nONE 25 40\n[OPTIONS]\nUNITS LPS\n"

static void test_pump_controls(void **state) {
    (void)state;
    eps_run r; /* OPEN means speed 1, not the speed it had; a number is a speed; 0 closes */
    eps_begin(&r, PUMPED
              "[CONTROLS]\nLINK U CLOSED AT TIME 1\nLINK U OPEN AT TIME 2\nLINK U 1.1 AT TIME 3\nLINK U 0 AT TIME 4\n"
              "[TIMES]\nDURATION 5\n");
    const double speeds[] = {0.8, 0.0, 1.0, 1.1, 0.0};
    for (int i = 0; i < 5; i++) {
        eps_to(&r, i * 3600.0);
        sl_assert_double(eps_get(&r, "pump.'U'.speed"), speeds[i]);
        assert_int_equal(eps_status(&r, "U"), speeds[i] > 0.0 ? SL_STATUS_OPEN : SL_STATUS_CLOSED);
        eps_check(&r);
    }
    eps_end(&r);
}

static void test_valve_controls(void **state) {
    (void)state;
    eps_run r; /* OPEN takes the setting out of force, a number brings it back */
    eps_begin(&r,
              "[JUNCTIONS]\nA 0 0\nB 0 5\n[RESERVOIRS]\nR 80\n[PIPES]\nP R A 100 200 100\n[VALVES]\nV A B 100 PRV 30\n"
              "[CONTROLS]\nLINK V OPEN AT TIME 1\nLINK V 45 AT TIME 2\nLINK V CLOSED AT TIME 3\nLINK V 20 AT TIME 4\n"
              "[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\n");
    const int statuses[] = {SL_STATUS_ACTIVE, SL_STATUS_OPEN, SL_STATUS_ACTIVE, SL_STATUS_CLOSED, SL_STATUS_ACTIVE};
    double open = 80.0 - eps_hw(100.0, 0.2, 100.0, 5.0 * EPS_LPS) - 1e-6 * EPS_FOOT * 5.0 * EPS_LPS / EPS_CFS;
    const double heads[] = {30.0, open, 45.0, 0.0, 20.0}; /* cut off: its elevation */
    for (int i = 0; i < 5; i++) {
        eps_to(&r, i * 3600.0);
        assert_int_equal(eps_status(&r, "V"), statuses[i]);
        sl_assert_abs(eps_head(&r, "B"), heads[i], 2.0 * EPS_HEAD);
    }
    eps_end(&r);
}

/* A pressure that crosses a threshold acts at that very instant, within the solution. */
static void test_pressure_control(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r, "[JUNCTIONS]\nJ 0 10 D\n[RESERVOIRS]\nA 50\nB 45\n[PIPES]\nP A J 600 120 100\nQ B J 600 120 100 0 CLOSED\n"
            "[PATTERNS]\nD 0.1 3 0.1\n[CONTROLS]\nLINK Q OPEN IF NODE J BELOW 30\nLINK Q CLOSED IF NODE J ABOVE 45\n"
            "[TIMES]\nDURATION 2\n[OPTIONS]\nUNITS LPS\n");
    assert_int_equal(eps_status(&r, "Q"), SL_STATUS_CLOSED);
    double alone = 50.0 - eps_hw(600.0, 0.12, 100.0, 30.0 * EPS_LPS);
    assert_true(alone < 30.0);
    eps_to(&r, 3600.0);
    assert_int_equal(eps_status(&r, "Q"), SL_STATUS_OPEN);
    eps_check(&r);
    eps_to(&r, 7200.0);
    assert_int_equal(eps_status(&r, "Q"), SL_STATUS_CLOSED);
    sl_assert_abs(eps_head(&r, "J"), 50.0 - eps_hw(600.0, 0.12, 100.0, 1.0 * EPS_LPS), EPS_HEAD);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hydraulic_step_and_end),
        cmocka_unit_test(test_pattern_limit),
        cmocka_unit_test(test_report_limit),
        cmocka_unit_test(test_tank_limit),
        cmocka_unit_test(test_level_control),
        cmocka_unit_test(test_time_control),
        cmocka_unit_test(test_clock_control),
        cmocka_unit_test(test_disabled),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_at_start),
        cmocka_unit_test(test_pump_controls),
        cmocka_unit_test(test_valve_controls),
        cmocka_unit_test(test_pressure_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
