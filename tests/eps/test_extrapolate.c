/* SPDX-License-Identifier: MIT */
/* test_extrapolate.c: where a solve begins decides how many trials it takes, not what it finds. Steady drifts and slopes take
 * one trial, what is switched to and fro a few; everything holds the laws worked out once more, and goes on with the same
 * bits from every saved state. */
#include "eps_test.h"

#include "base/out.h"

/* A tank feeds two loops. */
#define LOOPS                                                                                                             \
    "[JUNCTIONS]\nA 0 4\nB 0 5\nC 0 3\nD 0 6\n[TANKS]\nT 40 8 0 10 20\n[PIPES]\nP1 T A 300 250 110\nP2 A B 400 150 100\n" \
    "P3 A C 500 150 120\nP4 B D 300 100 100\nP5 C D 350 100 90\nP6 B C 200 80 100\n[OPTIONS]\nUNITS LPS\nPATTERN 1\n"     \
    "[TIMES]\nDURATION 5\nHYDRAULIC TIMESTEP 0:10\nPATTERN TIMESTEP 0:10\nREPORT TIMESTEP 1\n"

/* Steps until the end; the most trials from the n-th step on. Every boundary is checked. */
static int most_trials(eps_run *r, int from) {
    int most = 0;
    for (int i = 1; eps_step(r); i++) {
        int n = (int)eps_get(r, "solver.trials");
        most = i >= from && n > most ? n : most;
        eps_check(r);
    }
    return most;
}

static void test_drift(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, LOOPS "[PATTERNS]\n1 1\n");
    assert_in_range(most_trials(&r, 1), 1, 2);
    double gone = 18.0 * EPS_LPS * 5.0 * 3600.0;
    sl_assert_abs(eps_get(&r, "tank.'T'.level"), 8.0 - gone / (EPS_PI * 100.0), 1e-6);
    eps_end(&r);
    eps_begin(&r, LOOPS "[PATTERNS]\n1 1\n");
    assert_true(eps_step(&r) && eps_step(&r));
    assert_int_equal(most_trials(&r, 1), 1);
    eps_end(&r);
}

/* Demands that rise by the same amount in every step, then fall, then jump. */
static void test_slope(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, LOOPS "[PATTERNS]\n1 .5 .505 .51 .515 .52 .525 .53 .535 .54 .545 .55 .555 .56 .565 .57\n"
                        "1 .6 .63 .66 .69 .72 .69 .66 .63 .60 .57 .2 1.5 .1 1.0 1.0\n");
    int slope = 0, n = 0;
    for (int i = 1; eps_step(&r); i++) {
        int trials = (int)eps_get(&r, "solver.trials");
        slope = i > 2 && i < 15 && trials > slope ? trials : slope;
        n += trials;
        sl_assert_rel(eps_get(&r, "node.'D'.demand"), eps_get(&r, "node.'A'.demand") * 1.5, 1e-12);
        eps_check(&r);
    }
    assert_int_equal(slope, 1);
    assert_in_range(n, 30, 90);
    eps_end(&r);
}

/* A pump that runs every other hour, and a way round it with a check valve that is open when the pump is not. */
#define CYCLE                                                                                                          \
    "[JUNCTIONS]\nA 0 2\nB 0 6\nC 5 8\nD 5 3\n[RESERVOIRS]\nR 30\n[TANKS]\nT 45 5 0 10 15\n[PUMPS]\nU R A HEAD 1\n"    \
    "[PIPES]\nV R A 20 150 100 0 CV\nP1 A B 400 200 100\nP2 B C 300 150 100\nP3 B D 500 100 100\nP4 C D 200 100 100\n" \
    "P5 C T 900 200 110\n[CURVES]\n1 40 40\n[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 24\nHYDRAULIC TIMESTEP 1\n"        \
    "[RULES]\nRULE 1\nIF LINK U STATUS IS OPEN\nTHEN PUMP U STATUS IS CLOSED\nELSE PUMP U STATUS IS OPEN\n"
/* Rules are looked at once a step. */
#define HOURLY "[TIMES]\nRULE TIMESTEP 1\nREPORT TIMESTEP 1\nPATTERN TIMESTEP 24\n"

static void test_to_and_fro(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, CYCLE HOURLY);
    int most = 0, n = 0;
    for (int i = 1; eps_step(&r); i++, n++) {
        bool runs = eps_status(&r, "U") >= SL_STATUS_OPEN;
        assert_int_equal(runs, i % 2 == 0);
        int trials = (int)eps_get(&r, "solver.trials");
        most = i > 2 && trials > most ? trials : most;
        eps_check(&r);
    }
    assert_int_equal(n, 24);
    assert_in_range(most, 1, 3);
    eps_end(&r);
}

/* Flows of the older boundary are part of what is saved. */
static void test_saved(void **state) {
    (void)state;
    static const char *const texts[] = {CYCLE HOURLY, LOOPS "[PATTERNS]\n1 1 1.01 1.02 1.03 1.04 1.02 1.0 .5 .5 .5\n"};
    for (int f = 0; f < 2; f++) {
        eps_run along, again;
        eps_begin(&along, "%s", texts[f]);
        do {
            sl_bytes saved;
            sl_bytes_init(&saved, along.ctx);
            sl_sink sink = sl_bytes_sink(&saved);
            sl_assert_ok(sl_session_save(along.s, &sink));
            eps_begin(&again, "%s", texts[f]);
            sl_assert_ok(sl_session_restore(again.s, saved.at, (size_t)saved.n));
            sl_bytes_fini(&saved);
            for (int i = 0; i < 3 && eps_step(&again); i++) {}
            double t = sl_session_time(again.s);
            eps_run straight;
            eps_begin(&straight, "%s", texts[f]);
            eps_to(&straight, t);
            eps_assert_same(straight.s, again.s);
            eps_end(&straight);
            eps_end(&again);
        } while (eps_step(&along));
        eps_end(&along);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_to_and_fro),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
