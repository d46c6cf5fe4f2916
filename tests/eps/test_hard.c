/* SPDX-License-Identifier: MIT */
/* test_hard.c: small networks that must not be answered with nonsense: a valve that cannot hold its setting, parts
 * without a source, tanks so slender that an explicit step would swing. EPANET calls them balanced with heads of minus ten
 * million metres. The right numbers are worked out by hand from the pipes' law. The same four as files are run too where a
 * folder with reference cases lies beside the sources. */
#include "eps_test.h"

/* The source stands at 235 m, the valve is to keep 66 m at an elevation of 170: 236, out of reach, and there is no
 * other way to a fixed demand. It opens and is told. */
static void test_psv_cannot_hold(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ1 170 0\nJ2 170 0\nJ3 168 0\nJ4 165 150\n[RESERVOIRS]\nR 235\n"
                  "[PIPES]\nP1 R J1 800 300 110\nP2 J1 J2 800 300 110\nP3 J3 J4 600 250 110\n"
                  "[VALVES]\nV1 J2 J3 300 PSV 66\n[OPTIONS]\nUNITS CMH\n");
    double q = 150.0 * EPS_CMH, a = eps_hw(800.0, 0.3, 110.0, q), b = eps_hw(600.0, 0.25, 110.0, q);
    sl_assert_abs(eps_head(&r, "J1"), 235.0 - a, EPS_HEAD);
    sl_assert_abs(eps_head(&r, "J2"), 235.0 - 2.0 * a, 2.0 * EPS_HEAD);
    sl_assert_abs(eps_head(&r, "J4"), 235.0 - 2.0 * a - b, 5.0 * EPS_HEAD);
    const double told[] = {233.62, 232.23, 232.23, 229.71}; /* to two decimals */
    const char *const ids[] = {"J1", "J2", "J3", "J4"};
    for (int i = 0; i < 4; i++) {
        sl_assert_abs(eps_head(&r, ids[i]), told[i], 0.0051);
    }
    assert_int_equal(eps_status(&r, "V1"), SL_STATUS_XPRESSURE);
    assert_int_equal(eps_said(&r, SL_CODE_VALVE_UNABLE, "V1"), 1);
    sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
    eps_check(&r);
    eps_end(&r);
}

static void test_closed_pipe(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r,
              "[JUNCTIONS]\na 12 0\nb 14 4200\nc 14 300\n[RESERVOIRS]\nr 60\n"
              "[PIPES]\np1 a b 25 600 120\np2 b c 0.2 600 110 0 CLOSED\np3 r c 400 700 110\n[OPTIONS]\nUNITS CMH\n");
    sl_assert_rel(eps_get(&r, "node.'r'.demand"), -300.0 * EPS_CMH, 1e-9); /* the only way there is: exact */
    sl_assert_abs(eps_head(&r, "c"), 60.0 - eps_hw(400.0, 0.7, 110.0, 300.0 * EPS_CMH), EPS_HEAD);
    sl_assert_abs(eps_head(&r, "c"), 59.96, 0.02);
    sl_assert_rel(eps_get(&r, "unserved"), 4200.0 * EPS_CMH, 1e-12);
    sl_assert_double(eps_get(&r, "node.'b'.demand"), 0.0);
    sl_assert_double(eps_get(&r, "node.'a'.cut_off"), 1.0);
    sl_assert_double(eps_get(&r, "node.'c'.cut_off"), 0.0);
    sl_assert_double(eps_get(&r, "link.'p1'.headloss"), 0.0); /* at rest, whatever the elevations */
    assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, NULL), 1);
    assert_non_null(strstr(eps_words(&r, SL_CODE_UNSERVED, NULL), "a, b"));
    assert_non_null(strstr(eps_words(&r, SL_CODE_UNSERVED, NULL), "4200"));
    eps_check(&r);
    eps_end(&r);
}

static void test_island(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nJ1 0 12\nJ2 5 3\nI1 0 0\nI2 2 1.5\nI3 1 0.5\n[RESERVOIRS]\nR 48\n"
                  "[PIPES]\nP1 R J1 150 200 100\nP2 J1 J2 200 150 100\nP3 I1 I2 100 200 100\nP4 I2 I3 100 100 100\n"
                  "[OPTIONS]\nUNITS LPS\n");
    sl_assert_rel(eps_get(&r, "node.'R'.demand"), -15.0 * EPS_LPS, 1e-9);
    double j1 = 48.0 - eps_hw(150.0, 0.2, 100.0, 15.0 * EPS_LPS);
    sl_assert_abs(eps_head(&r, "J1"), j1, EPS_HEAD);
    sl_assert_abs(eps_head(&r, "J2"), j1 - eps_hw(200.0, 0.15, 100.0, 3.0 * EPS_LPS), 2.0 * EPS_HEAD);
    sl_assert_rel(eps_get(&r, "unserved"), 2.0 * EPS_LPS, 1e-12);
    assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, NULL), 1);
    assert_non_null(strstr(eps_words(&r, SL_CODE_UNSERVED, NULL), "I1, I2, I3"));
    assert_non_null(strstr(eps_words(&r, SL_CODE_UNSERVED, NULL), " 2 "));
    eps_check(&r);
    eps_end(&r);
}

/* Told when it begins, and again only when it is another part. */
static void test_told_once(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 1\nB 0 2\n[RESERVOIRS]\nR 48\n[PIPES]\nP1 R A 150 200 100\nP2 A B 200 150 100\n"
                  "[CONTROLS]\nLINK P2 CLOSED AT TIME 3\nLINK P2 OPEN AT TIME 8\nLINK P2 CLOSED AT TIME 11\n"
                  "[TIMES]\nDURATION 24\n[OPTIONS]\nUNITS LPS\n");
    const double hours[] = {2.0, 5.0, 7.9, 9.0, 12.0, 24.0};
    const int told[] = {0, 1, 1, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        eps_to(&r, hours[i] * 3600.0);
        assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, "B"), told[i]);
    }
    sl_assert_rel(eps_get(&r, "balance.unserved"), 2.0 * EPS_LPS * (5.0 + 13.0) * 3600.0, 1e-12);
    eps_end(&r);
}

#define SLENDER                                                                           \
    "[JUNCTIONS]\nJ 0 %g\n[TANKS]\nT1 0 7 0 20 2.5\nT2 0 4 0 20 2.5\n[RESERVOIRS]\nR 6\n" \
    "[PIPES]\nP T1 J 8 500 140\nQ J T2 8 500 140\nS R J 1200 200 100 0 %s\n"              \
    "[TIMES]\nDURATION 12\nHYDRAULIC TIMESTEP 1\nREPORT TIMESTEP 1\n[OPTIONS]\nUNITS LPS\n"

/* The levels meet and stay together; what is in the tanks is what was there, and what came and went. */
static void run_slender(double demand, const char *feed) {
    eps_run r;
    eps_begin(&r, SLENDER, demand, feed);
    double start = eps_get(&r, "tank.'T1'.volume") + eps_get(&r, "tank.'T2'.volume");
    int32_t n_step = 0, turns = 0;
    double last = 0.0;
    while (eps_step(&r)) {
        n_step++;
        double t = sl_session_time(r.s), apart = eps_get(&r, "tank.'T1'.level") - eps_get(&r, "tank.'T2'.level");
        if (t >= 3600.0) {
            sl_assert_abs(apart, 0.0, 0.02);
        }
        if (t > 3600.0 && fabs(apart) > 1e-4) {
            turns += last * apart < 0.0;
            last = apart;
        }
        eps_check(&r);
    }
    sl_assert_double(sl_session_time(r.s), 12.0 * 3600.0);
    assert_true(n_step < 200);
    assert_int_equal(turns, 0);
    assert_int_equal(eps_said(&r, SL_CODE_STIFF_TANK, "T1"), 1);
    assert_int_equal(eps_said(&r, SL_CODE_STIFF_TANK, "T2"), 1);
    double stored = eps_get(&r, "tank.'T1'.volume") + eps_get(&r, "tank.'T2'.volume") - start;
    double in = eps_get(&r, "balance.inflow"), out = eps_get(&r, "balance.outflow");
    sl_assert_abs(eps_get(&r, "balance.storage"), stored, 1e-10);
    sl_assert_abs(stored, in - out, 1e-9 * (start + in));
    sl_assert_abs(eps_get(&r, "balance.ratio"), 1.0, 1e-9);
    sl_assert_rel(eps_get(&r, "balance.consumption") + 1.0, demand * EPS_LPS * 12.0 * 3600.0 + 1.0, 1e-12);
    eps_end(&r);
}

static void test_stiff_tanks(void **state) {
    (void)state;
    run_slender(8.0, "OPEN");
    run_slender(0.0, "CLOSED"); /* nothing comes or goes: the mean of both levels, and the volume to the last bits */
}

static void test_closed_pair(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, SLENDER, 0.0, "CLOSED");
    double before = eps_get(&r, "tank.'T1'.volume") + eps_get(&r, "tank.'T2'.volume");
    eps_to(&r, 12.0 * 3600.0);
    sl_assert_rel(eps_get(&r, "tank.'T1'.volume") + eps_get(&r, "tank.'T2'.volume"), before, 1e-9);
    sl_assert_abs(eps_get(&r, "tank.'T1'.level"), 5.5, 0.01);
    sl_assert_abs(eps_get(&r, "tank.'T2'.level"), 5.5, 0.01);
    eps_end(&r);
}

/* Asked for, the explicit update swings: the case is one. */
static void test_explicit_swings(void **state) {
    (void)state;
    sl_eps_def def = sl_eps_default();
    def.tanks = SL_TANKS_EXPLICIT;
    eps_run r;
    eps_begin_def(&r, &def, SLENDER, 8.0, "OPEN");
    double most = 0.0;
    for (double t = 3600.0; t <= 12.0 * 3600.0; t += 3600.0) {
        eps_to(&r, t);
        most = fmax(most, fabs(eps_get(&r, "tank.'T1'.level") - eps_get(&r, "tank.'T2'.level")));
    }
    assert_true(most > 0.02);
    assert_int_equal(eps_said(&r, SL_CODE_STIFF_TANK, NULL), 0);
    eps_end(&r);
}

/* The files of the reference folder, where there is one. */
static void test_shared(void **state) {
    (void)state;
    const char *shared = getenv("SLUICE_SHARED");
    static const char *const files[] = {"psv-cannot-hold", "demand-behind-closed-pipe", "island-with-demand",
                                        "stiff-tanks"};
    if (!shared || !*shared) {
        print_message("skipped: no reference cases beside the sources (../shared)\n");
        skip();
    }
    for (int i = 0; i < 4; i++) {
        char path[1024];
        size_t n;
        snprintf(path, sizeof path, "%s/cases/hydraulics-hard/%s.inp", shared, files[i]);
        char *bytes = eps_file(path, &n);
        assert_non_null(bytes); /* the folder is there: so must be the file */
        eps_run r;
        eps_begin_bytes(&r, NULL, 1, bytes, n);
        free(bytes);
        do {
            eps_check(&r);
            sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
            for (int32_t k = 0; k < r.net->n_node; k++) {
                const char *id = sl_network_node_id(r.net, k);
                assert_true(eps_head(&r, id) > -10.0 && eps_head(&r, id) < 300.0);
            }
        } while (eps_step(&r));
        const sl_code codes[] = {SL_CODE_VALVE_UNABLE, SL_CODE_UNSERVED, SL_CODE_UNSERVED, SL_CODE_STIFF_TANK};
        assert_true(eps_said(&r, codes[i], NULL) >= 1);
        eps_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_psv_cannot_hold), cmocka_unit_test(test_closed_pipe), cmocka_unit_test(test_island),
        cmocka_unit_test(test_told_once),       cmocka_unit_test(test_stiff_tanks), cmocka_unit_test(test_closed_pair),
        cmocka_unit_test(test_explicit_swings), cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
