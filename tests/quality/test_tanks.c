/* SPDX-License-Identifier: MIT */
/* test_tanks.c: the four models of mixing, filling, draining and overflowing, step by step against their recursions.
 *
 * J gives water of concentration 5 (a negative demand with a source), K takes it; the pipes are so short that they hold less
 * than a thousandth of a step. The tank is 20 m wide with 2 to 9 m of water, its vessel empty at 0.
 */
#include "eps/eps_test.h"

#define DT 300.0
#define TINY 1e-9 /* flows are the solver's; all else is rounding */

static const double most = EPS_PI / 4.0 * 400.0 * 9.0; /* [m3] */

/* in, out: patterns of the flows [10 L/s], hours. */
static void begin(eps_run *r, const char *mixing, const char *in, const char *out, const char *more) {
    eps_begin(
        r,
        "[TANKS]\nT 20 5 0 9 20 0 * YES\n[JUNCTIONS]\nJ 0 -10 IN\nK 0 10 OUT\n[PIPES]\nP T J 0.01 100 130\nQ T K 0.01 "
        "100 130\n[PATTERNS]\nIN %s\nOUT %s\n[SOURCES]\nJ CONCEN 5\n[QUALITY]\nT 1\nJ 5\nK 1\n[MIXING]\nT %s\n"
        "[OPTIONS]\nUNITS LPS\nTOLERANCE 0\nQUALITY Salt mg/L\n[TIMES]\nDURATION 12\nQUALITY TIMESTEP 0:05\n%s\n",
        in, out, mixing, more);
}

static double quality(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.quality", node);
}

static double tank_volume(eps_run *r) {
    return eps_get(r, "tank.'T'.volume");
}

/* c = cin + (c0 - cin) exp(-Q t/V) in the limit, and exactly the recursion of steps. */
static void test_mixed(void **state) {
    (void)state;
    eps_run r;
    begin(&r, "MIXED", "1", "1", "");
    double v = tank_volume(&r), q = -eps_flow(&r, "P"), f = v / (v + q * DT);
    for (int n = 1; n <= 144; n++) {
        eps_to(&r, n * DT);
        sl_assert_rel(quality(&r, "T"), 5.0 - 4.0 * pow(f, n), TINY);
        sl_assert_rel(quality(&r, "K"), quality(&r, "T"), 1e-3);
    }
    sl_assert_rel(quality(&r, "T"), 5.0 - 4.0 * exp(-q * 43200.0 / v), 1e-3);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* Of first order in the quality step. */
static void test_mixed_converges(void **state) {
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        eps_run r;
        begin(&r, "MIXED", "1", "1", i ? "QUALITY TIMESTEP 15 SEC\n" : "");
        double v = tank_volume(&r), q = -eps_flow(&r, "P");
        eps_to(&r, 43200.0);
        error[i] = fabs(quality(&r, "T") - (5.0 - 4.0 * exp(-q * 43200.0 / v)));
        eps_end(&r);
    }
    sl_assert_abs(log(error[0] / error[1]) / log(20.0), 1.0, 0.02);
}

static void test_filling_and_draining(void **state) {
    (void)state;
    eps_run r;
    begin(&r, "MIXED", "1 0", "0 3", "");
    double v = tank_volume(&r), c = 1.0, kept = 0.0;
    for (int n = 1; n <= 48; n++) {
        bool fills = (n - 1) / 12 % 2 == 0;
        double q = fills ? -eps_flow(&r, "P") : eps_flow(&r, "Q");
        eps_to(&r, n * DT);
        if (fills) {
            c = (c * v + 5.0 * q * DT) / (v + q * DT);
            v += q * DT;
        } else {
            v -= q * DT;
        }
        kept = quality(&r, "T");
        sl_assert_rel(kept, c, 1e-7);
        sl_assert_rel(tank_volume(&r), v, 1e-7);
    }
    eps_end(&r);
}

/* The mixing zone takes and gives; what it cannot hold goes to the dead zone and comes back from there. */
static void test_two_compartments(void **state) {
    (void)state;
    eps_run r;
    begin(&r, "2COMP 0.25", "3 0 2", "0 2 2", "");
    double zone = 0.25 * most, a = fmin(tank_volume(&r), zone), b = tank_volume(&r) - a, ca = 1.0, cb = 1.0;
    for (int n = 1; n <= 72; n++) {
        double in = fmax(-eps_flow(&r, "P"), 0.0) * DT, out = fmax(eps_flow(&r, "Q"), 0.0) * DT;
        eps_to(&r, n * DT);
        if (in >= out) {
            ca = (ca * a + 5.0 * in) / (a + in);
            double over = fmax(a + in - out - zone, 0.0);
            cb = b + over > 0.0 ? (cb * b + ca * over) / (b + over) : cb;
            a += in - out - over;
            b += over;
        } else {
            double back = fmin(b, out - in);
            ca = (ca * a + 5.0 * in + cb * back) / (a + in + back);
            a += in + back - out;
            b -= back;
        }
        sl_assert_rel(quality(&r, "T"), ca, 1e-6);
        sl_assert_rel(eps_get(&r, "quality.stored"), a * ca + b * cb, 1e-3); /* and the two short pipes */
    }
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    assert_true(fabs(ca - cb) > 0.1);
    eps_end(&r);
}

/* The first water in is the first out: a delay of V/Q. */
static void test_first_in_first_out(void **state) {
    (void)state;
    eps_run r;
    begin(&r, "FIFO", "6", "6", "");
    double q = -eps_flow(&r, "P"), s = tank_volume(&r) / (q * DT);
    assert_true(s > 20.0 && s < 140.0);
    for (int n = 1; n <= 144; n++) {
        eps_to(&r, n * DT);
        double share = fmin(fmax(n - s, 0.0), 1.0);
        sl_assert_abs(quality(&r, "T"), 1.0 + 4.0 * share, 1e-5); /* s steps later, within the solver's flow */
    }
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* The last water in is the first out, and what comes in while as much goes out goes straight through. */
static void test_last_in_first_out(void **state) {
    (void)state;
    eps_run r;
    begin(&r, "LIFO", "1 0 1", "0 2 1", "");
    eps_to(&r, 3600.0);
    sl_assert_rel(quality(&r, "T"), 5.0, 1e-12);
    eps_to(&r, 5400.0 - DT);
    sl_assert_rel(quality(&r, "T"), 5.0, 1e-12); /* the layer goes */
    eps_to(&r, 5400.0 + DT);
    sl_assert_rel(quality(&r, "T"), 1.0, 1e-5); /* and is gone */
    double before = tank_volume(&r);
    eps_to(&r, 7200.0);
    double stored = eps_get(&r, "quality.stored");
    eps_to(&r, 10800.0);
    assert_true(tank_volume(&r) < before);
    sl_assert_rel(quality(&r, "K"), 5.0, 1e-6);
    sl_assert_rel(eps_get(&r, "quality.stored"), stored, 1e-5);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* Mass over the rim: by mixing model. */
static void test_overflow(void **state) {
    (void)state;
    static const char *const models[] = {"MIXED", "2COMP 0.3", "FIFO", "LIFO"};
    for (int i = 0; i < 4; i++) {
        eps_run r;
        begin(&r, models[i], "15", "0", "");
        double v = tank_volume(&r), c = 1.0, spilled = 0.0;
        for (int n = 1; n <= 144; n++) {
            double q = -eps_flow(&r, "P");
            eps_to(&r, n * DT);
            double over = fmax(v + q * DT - most, 0.0);
            c = (c * v + 5.0 * q * DT) / (v + q * DT);
            v += q * DT - over;
            spilled += c * over;
        }
        assert_true(eps_get(&r, "tank.'T'.overflow") > most);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
        double consumed = eps_get(&r, "quality.consumed"), over = eps_get(&r, "tank.'T'.overflow");
        if (i == 0) {
            sl_assert_rel(consumed, spilled, 1e-2); /* the instant of the limit falls within a step */
            sl_assert_rel(quality(&r, "T"), c, 1e-2);
        } else if (i == 2) { /* old water first: 5 m of 1, then 5 */
            double old = EPS_PI / 4.0 * 400.0 * 5.0;
            sl_assert_rel(consumed, fmin(over, old) * 1.0 + fmax(over - old, 0.0) * 5.0, 1e-3);
        } else if (i == 3) {
            sl_assert_rel(consumed, over * 5.0, 1e-6);
        }
        assert_true(consumed >= over * (1.0 - 1e-12) && consumed <= 5.0 * over * (1.0 + 1e-12)); /* rounding */
        eps_end(&r);
    }
}

/* A tank has an order and a coefficient of its own: second order, 1/c = 1/c0 + k t. */
static void test_tank_reaction(void **state) {
    (void)state;
    sl_eps_def def = sl_eps_default();
    def.reactions = SL_REACTIONS_EXACT;
    eps_run r;
    eps_begin_def(
        &r, &def,
        "[TANKS]\nT 20 5 0 9 20\n[JUNCTIONS]\nK 0 0\n[PIPES]\nQ T K 10 100 130\n[QUALITY]\nT 2\nK 2\n[REACTIONS]\n"
        "ORDER TANK 2\nORDER BULK 1\nGLOBAL BULK -1\nTANK T -0.7\n[OPTIONS]\nUNITS LPS\nQUALITY Chlorine mg/L\n"
        "[TIMES]\nDURATION 48\n");
    double v = tank_volume(&r);
    eps_to(&r, 48 * 3600.0);
    double c = 1.0 / (0.5 + 0.7 * 2.0);
    sl_assert_rel(quality(&r, "T"), c, 1e-10);
    sl_assert_rel(eps_get(&r, "quality.tank"), v * (2.0 - c), 1e-10);
    sl_assert_rel(eps_get(&r, "link.'Q'.quality"), 2.0 * exp(-2.0), 1e-12);
    eps_end(&r);
}

/* Dry and full again, in every model. */
static void test_dry(void **state) {
    (void)state;
    static const char *const models[] = {"MIXED", "2COMP 0.3", "2COMP 1", "FIFO", "LIFO"};
    static const char *const kinds[] = {"QUALITY Salt mg/L", "QUALITY AGE", "QUALITY TRACE J"};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            eps_run r;
            eps_begin(
                &r,
                "[TANKS]\nT 20 0.3 0 1 12 0 * YES\n[RESERVOIRS]\nR 10\n[JUNCTIONS]\nJ 0 -15 IN\nK 0 10 OUT\nL 0 1\n"
                "[PIPES]\nP J T 5 200 130\nQ T K 5 200 130\nX R L 10 100 130\n[VALVES]\nV L K 100 PRV 0.5\n[PATTERNS]\n"
                "IN 0 0 1 1\nOUT 1 1 0 0.5\n[SOURCES]\nJ FLOWPACED 5\n[QUALITY]\nT 1\nK 1\n[MIXING]\nT %s\n"
                "[OPTIONS]\nUNITS LPS\n%s\n[TIMES]\nDURATION 48\nQUALITY TIMESTEP 0:07\n",
                models[i], kinds[k]);
            bool dry = false, full = false;
            for (bool more = true; more; more = eps_step(&r)) {
                dry |= tank_volume(&r) < 1e-6;
                full |= eps_get(&r, "tank.'T'.overflow") > 0.0;
                for (int n = 0; n < 3; n++) {
                    double c = quality(&r, (const char *[]){"T", "K", "L"}[n]);
                    assert_true(c > -1e-12 && c < 100.001);
                }
                sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
            }
            assert_true(dry && full);
            eps_end(&r);
        }
    }
}

/* A level that is set from outside brings or takes water: the ledger says how much. */
static void test_set_level(void **state) {
    (void)state;
    static const char *const models[] = {"MIXED", "2COMP 0.3", "FIFO", "LIFO"};
    for (int i = 0; i < 4; i++) {
        eps_run r;
        begin(&r, models[i], "1 0", "0 1", "");
        eps_to(&r, 1800.0);
        eps_set(&r, 8.0, "tank.'T'.level");
        eps_to(&r, 5400.0);
        assert_true(eps_get(&r, "quality.adjusted") > 100.0);
        eps_set(&r, 0.5, "tank.'T'.level");
        eps_to(&r, 9000.0);
        eps_set(&r, 0.0, "tank.'T'.level");
        eps_to(&r, 43200.0);
        assert_true(eps_get(&r, "quality.adjusted") < 0.0);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
        eps_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_mixed_converges),
        cmocka_unit_test(test_filling_and_draining),
        cmocka_unit_test(test_two_compartments),
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_last_in_first_out),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_tank_reaction),
        cmocka_unit_test(test_dry),
        cmocka_unit_test(test_set_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
