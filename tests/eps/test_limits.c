/* SPDX-License-Identifier: MIT */
/* test_limits.c: what a program is told of limits that a run comes to: tanks that run empty, pumps at their shut-off head, demands
 * behind flow limits; and that a state behind such a limit is saved and restored bit for bit. */
#include "eps_test.h"

#include "base/out.h"

/* 12 hours of 10 L/s and 12 hours of nothing, 1 L/s through the valve: 43.2 m3 come to the tank each night, which lasts for 4800 s
 * of the next day. */
static const char TOWN[] = "[JUNCTIONS]\nA 0 0\nJ 0 10 D\n[RESERVOIRS]\nR 50\n[TANKS]\nT 35 0 0 4 5 0\n"
                           "[PIPES]\nL R A 100 200 100\nN J T 100 200 100\n[VALVES]\nV A J 200 FCV 1 0\n"
                           "[PATTERNS]\nD 0 1\n[OPTIONS]\nUNITS LPS\n"
                           "[TIMES]\nDURATION 72:00\nPATTERN TIMESTEP 12:00\n";

static void test_empty_once(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, TOWN);
    sl_assert_double(eps_get(&r, "unserved_share"), 0.0);
    while (eps_step(&r)) {}
    assert_int_equal(eps_said(&r, SL_CODE_TANK_STATE, "T"), 1); /* though it runs empty on each of three days */
    assert_non_null(strstr(eps_words(&r, SL_CODE_TANK_STATE, "T"), "runs empty"));
    double asked = 3 * 432.0, served = 3 * 86.4;
    sl_assert_rel(eps_get(&r, "unserved_share"), (asked - served) / asked, 1e-6);
    sl_assert_rel(eps_get(&r, "balance.unserved"), (asked - served) * 1000.0 * EPS_LPS, 1e-6);
    eps_end(&r);
}

/* A save behind the limit, 10 hours into the first day with demands, and what follows it. */
static void test_restore(void **state) {
    (void)state;
    static const char *const names[] = {"balance.unserved", "unserved_share", "tank.'T'.volume", "node.'J'.unserved",
                                        "link.'V'.flow"};
    double end[5];
    eps_run r;
    eps_begin(&r, TOWN);
    assert_int_equal(sl_session_advance(r.s, 22.0 * 3600.0, 0, NULL), SL_OK);
    assert_true(eps_get(&r, "node.'J'.unserved") > 0.0);
    sl_bytes saved;
    sl_bytes_init(&saved, r.ctx);
    sl_sink sink = sl_bytes_sink(&saved);
    assert_int_equal(sl_session_save(r.s, &sink), SL_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(sl_session_advance(r.s, 70.5 * 3600.0, 0, NULL), SL_OK);
        for (int i = 0; i < 5; i++) {
            double x = eps_get(&r, "%s", names[i]);
            end[i] = round ? end[i] : x;
            assert_memory_equal(&end[i], &x, sizeof x);
        }
        assert_int_equal(sl_session_restore(r.s, saved.at, (size_t)saved.n), SL_OK);
    }
    sl_bytes_fini(&saved);
    eps_end(&r);
}

/* 24 m at 10 L/s mean a shut-off head of 32 m; 40 m are needed. The pump is switched off and on again each hour. */
static void test_pump_once(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r, "[JUNCTIONS]\nA 0 0\n[RESERVOIRS]\nR 0\nS 40\n[PIPES]\nL A S 100 200 100\n[PUMPS]\nP R A HEAD C PATTERN W\n"
            "[CURVES]\nC 10 24\n[PATTERNS]\nW 1 0\n[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 12:00\n");
    while (eps_step(&r)) {}
    assert_int_equal(eps_said(&r, SL_CODE_PUMP_HEAD, "P"), 1);
    assert_non_null(strstr(eps_words(&r, SL_CODE_PUMP_HEAD, "P"), "stands against 40 m, its shut-off head is 32 m"));
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_empty_once), cmocka_unit_test(test_restore),
                                       cmocka_unit_test(test_pump_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
