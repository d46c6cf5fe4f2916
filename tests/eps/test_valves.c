/* SPDX-License-Identifier: MIT */
/* test_valves.c: every kind of valve in every status, between two reservoirs: A high, B at a height of our choosing.
 *
 *     HIGH 60 --P1-- A --V-- B --P2-- LOW
 *
 * The flow is where the losses of both pipes and the valve add up to the difference of the reservoirs. */
#include "eps_test.h"

#define NET                                                                                                             \
    "[JUNCTIONS]\nA 12 0\nB 10 0\n[RESERVOIRS]\nHIGH 60\nLOW %g\n[PIPES]\nP1 HIGH A 300 200 110\nP2 B LOW 400 200 90\n" \
    "[VALVES]\nV A B 150 %s\n[CURVES]\nLOSS 0 0\nLOSS 20 3\nLOSS 40 10\nLOSS 60 24\n"                                   \
    "PLUG 20 10\nPLUG 50 40\nPLUG 80 85\n%s\n[OPTIONS]\nUNITS LPS\n"

static double pipe1(double q) {
    return eps_hw(300.0, 0.2, 110.0, q);
}

static double pipe2(double q) {
    return eps_hw(400.0, 0.2, 90.0, q);
}

/* A valve's loss is k Q|Q| and a constant. */
typedef struct through {
    double low, k, drop;
} through;

static double left(double q, void *user) {
    const through *x = user;
    return 60.0 - x->low - pipe1(q) - pipe2(q) - (x->k > 0.0 ? eps_minor(x->k, 0.15, q) : 0.0) - x->drop;
}

static double flow_with(double low, double k, double drop) {
    through x = {low, k, drop};
    return eps_root(left, &x, -1.0, 1.0);
}

/* The heads that go with a flow, and the flow itself. */
static void expect(eps_run *r, double low, double q, int status) {
    assert_int_equal(eps_status(r, "V"), status);
    sl_assert_near(eps_flow(r, "V"), q, 1e-12, EPS_FLOW);
    /* A flow off by 1e-5 of itself moves a head by 2e-5 of the loss it stands for. */
    sl_assert_abs(eps_head(r, "A"), 60.0 - pipe1(q), EPS_HEAD + 2.0 * EPS_FLOW * fabs(pipe1(q)));
    sl_assert_abs(eps_head(r, "B"), low + pipe2(q), EPS_HEAD + 2.0 * EPS_FLOW * fabs(pipe2(q)));
    eps_check(r);
}

static void one(double low, const char *valve, const char *more, double q, int status) {
    eps_run r;
    eps_begin(&r, NET, low, valve, more);
    expect(&r, low, q, status);
    eps_end(&r);
}

/* The flow for which a pipe loses so much. */
static double inverse(double (*loss)(double), double h) {
    return copysign(pow(fabs(h) / loss(1.0), 1.0 / 1.852), h);
}

static void test_prv(void **state) {
    (void)state;
    /* B is held at 10 + 30 while LOW is below that: P2's loss is what is left. */
    one(20.0, "PRV 30 0", "", inverse(pipe2, 40.0 - 20.0), SL_STATUS_ACTIVE);
    one(39.0, "PRV 30 0", "", inverse(pipe2, 40.0 - 39.0), SL_STATUS_ACTIVE);
    /* It cannot raise: set above what comes, it stands open. With a loss coefficient that one counts. */
    one(20.0, "PRV 45 0", "", flow_with(20.0, 0.0, 0.0), SL_STATUS_OPEN);
    one(20.0, "PRV 45 6", "", flow_with(20.0, 6.0, 0.0), SL_STATUS_OPEN);
    /* Nothing comes back through it. */
    one(70.0, "PRV 30 0", "", 0.0, SL_STATUS_CLOSED);
    /* Above its setting and below HIGH: closed, since B has more already. */
    one(45.0, "PRV 30 0", "", 0.0, SL_STATUS_CLOSED);
    /* Fixed by [STATUS]: no longer a PRV. */
    one(20.0, "PRV 30 6", "[STATUS]\nV OPEN", flow_with(20.0, 6.0, 0.0), SL_STATUS_OPEN);
    one(70.0, "PRV 30 6", "[STATUS]\nV OPEN", flow_with(70.0, 6.0, 0.0), SL_STATUS_OPEN);
    one(20.0, "PRV 30 6", "[STATUS]\nV CLOSED", 0.0, SL_STATUS_CLOSED);
}

static void test_psv(void **state) {
    (void)state;
    /* A is held at 12 + 40: the flow is what P1 brings at that loss. */
    one(20.0, "PSV 40 0", "", inverse(pipe1, 60.0 - 52.0), SL_STATUS_ACTIVE);
    /* Upstream has more than is set by itself: open. */
    one(20.0, "PSV 15 0", "", flow_with(20.0, 0.0, 0.0), SL_STATUS_OPEN);
    one(20.0, "PSV 15 6", "", flow_with(20.0, 6.0, 0.0), SL_STATUS_OPEN);
    /* Nothing comes back. */
    one(70.0, "PSV 40 0", "", 0.0, SL_STATUS_CLOSED);
    /* HIGH cannot reach the setting: closed, so that at least nothing is taken. */
    one(20.0, "PSV 50 0", "", 0.0, SL_STATUS_CLOSED);
}

/* A setting between the heads before and behind an open valve with a loss: a PRV cannot bring B up to it, a PSV has it at
 * A anyway. Both stand open; the loss is what tells. */
static void test_between(void **state) {
    (void)state;
    double q = flow_with(20.0, 60.0, 0.0), a = 60.0 - pipe1(q), b = 20.0 + pipe2(q);
    for (int i = 1; i < 4; i++) {
        double set = b + 0.25 * i * (a - b);
        char valve[64];
        snprintf(valve, sizeof valve, "PRV %.9g 60", set - 10.0);
        one(20.0, valve, "", q, SL_STATUS_OPEN);
        snprintf(valve, sizeof valve, "PSV %.9g 60", set - 12.0);
        one(20.0, valve, "", q, SL_STATUS_OPEN);
    }
}

static void test_fcv(void **state) {
    (void)state;
    one(20.0, "FCV 25 0", "", 25.0 * EPS_LPS, SL_STATUS_ACTIVE);
    one(20.0, "FCV 25 9", "", 25.0 * EPS_LPS, SL_STATUS_ACTIVE);
    /* More than the heads can bring: open, and told. */
    eps_run r;
    eps_begin(&r, NET, 20.0, "FCV 250 6", "");
    expect(&r, 20.0, flow_with(20.0, 6.0, 0.0), SL_STATUS_XFCV);
    assert_int_equal(eps_said(&r, SL_CODE_VALVE_UNABLE, "V"), 1);
    eps_end(&r);
    /* Its own loss counts: just less than it lets through when open it holds, just more it does not. */
    double open = flow_with(20.0, 6.0, 0.0);
    char valve[40];
    snprintf(valve, sizeof valve, "FCV %.17g 6", 0.99 * open / EPS_LPS);
    one(20.0, valve, "", 0.99 * open, SL_STATUS_ACTIVE);
    snprintf(valve, sizeof valve, "FCV %.17g 6", 1.01 * open / EPS_LPS);
    one(20.0, valve, "", open, SL_STATUS_XFCV);
    /* Backwards it does not control: an open valve. */
    one(70.0, "FCV 25 6", "", flow_with(70.0, 6.0, 0.0), SL_STATUS_XFCV);
}

static void test_pbv(void **state) {
    (void)state;
    one(20.0, "PBV 8 0", "", flow_with(20.0, 0.0, 8.0), SL_STATUS_ACTIVE);
    double q = flow_with(20.0, 0.0, 8.0);
    assert_true(eps_minor(6.0, 0.15, q) < 8.0); /* a coefficient that loses less changes nothing */
    one(20.0, "PBV 8 6", "", q, SL_STATUS_ACTIVE);
    /* One that loses more counts instead. */
    q = flow_with(20.0, 200.0, 0.0);
    assert_true(eps_minor(200.0, 0.15, q) > 8.0);
    one(20.0, "PBV 8 200", "", q, SL_STATUS_ACTIVE);
}

static void test_tcv(void **state) {
    (void)state;
    one(20.0, "TCV 60 5", "", flow_with(20.0, 60.0, 0.0), SL_STATUS_ACTIVE);
    one(70.0, "TCV 60 5", "", flow_with(70.0, 60.0, 0.0), SL_STATUS_ACTIVE);
    one(20.0, "TCV 60 5", "[STATUS]\nV OPEN", flow_with(20.0, 5.0, 0.0), SL_STATUS_OPEN);
    one(20.0, "TCV 60 5", "[STATUS]\nV CLOSED", 0.0, SL_STATUS_CLOSED);
    one(20.0, "TCV 60 5", "[STATUS]\nV 12", flow_with(20.0, 12.0, 0.0), SL_STATUS_ACTIVE);
}

static double left_gpv(double q, void *user) {
    double l = fabs(q) / EPS_LPS, low = *(double *)user;
    double h = l < 20.0 ? 0.15 * l : l < 40.0 ? 3.0 + 0.35 * (l - 20.0) : 10.0 + 0.7 * (l - 40.0);
    return 60.0 - low - pipe1(q) - pipe2(q) - copysign(h, q);
}

static void test_gpv(void **state) {
    (void)state;
    const double lows[] = {20.0, 50.0, 58.0, 70.0, 100.0};
    for (int i = 0; i < 5; i++) {
        double low = lows[i], q = eps_root(left_gpv, &low, -1.0, 1.0);
        one(low, "GPV LOSS 0", "", q, SL_STATUS_OPEN); /* it has no setting to be active by */
    }
}

static void test_pcv(void **state) {
    (void)state;
    /* Loss coefficient at an opening: that of the open valve over the square of the flow coefficient's share. */
    one(20.0, "PCV 40 4", "", flow_with(20.0, 4.0 / (0.4 * 0.4), 0.0), SL_STATUS_ACTIVE);
    one(20.0, "PCV 100 4", "", flow_with(20.0, 4.0, 0.0), SL_STATUS_ACTIVE);
    one(20.0, "PCV 50 4 PLUG", "", flow_with(20.0, 4.0 / (0.4 * 0.4), 0.0), SL_STATUS_ACTIVE);
    one(20.0, "PCV 65 4 PLUG", "", flow_with(20.0, 4.0 / (0.625 * 0.625), 0.0), SL_STATUS_ACTIVE);
    eps_run r; /* led on to (0, 0) and (100, 100) */
    eps_begin(&r, NET, 20.0, "PCV 10 4 PLUG", "");
    sl_assert_rel(eps_flow(&r, "V"), flow_with(20.0, 4.0 / (0.05 * 0.05), 0.0), EPS_FLOW);
    eps_end(&r);
    eps_begin(&r, NET, 20.0, "PCV 90 4 PLUG", "");
    sl_assert_rel(eps_flow(&r, "V"), flow_with(20.0, 4.0 / (0.925 * 0.925), 0.0), EPS_FLOW);
    eps_end(&r);
}

/* A PRV in the only way to a fixed demand holds its pressure; as the demand grows it opens, and closes never. */
static void test_prv_and_demand(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 12 0\nB 10 0\nC 8 1\n[RESERVOIRS]\nHIGH 60\n[PIPES]\nP1 HIGH A 300 200 110\n"
                  "P2 B C 400 200 90\n[VALVES]\nV A B 150 PRV 30\n[OPTIONS]\nUNITS LPS\n");
    for (double d = 1.0; d < 200.0; d *= 1.4) {
        double q = d * EPS_LPS, before = 60.0 - pipe1(q);
        eps_set(&r, q, "node.'C'.wanted");
        sl_assert_ok(sl_session_refresh(r.s));
        bool active = before > 40.0;
        assert_int_equal(eps_status(&r, "V"), active ? SL_STATUS_ACTIVE : SL_STATUS_OPEN);
        /* open: 1e-6 ft per ft3/s */
        double behind = active ? 40.0 : before - 1e-6 * EPS_FOOT * q / EPS_CFS;
        sl_assert_abs(eps_head(&r, "C"), behind - pipe2(q), 3.0 * EPS_HEAD);
        eps_check(&r);
    }
    eps_end(&r);
}

/* Two PRVs in a row, two side by side: each holds what it is set to, or stands back for the other. */
static void test_two_prvs(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 0\nB 0 2\nC 0 0\nD 0 20\n[RESERVOIRS]\nR 90\n[PIPES]\nP1 R A 100 200 100\n"
                  "P2 B C 100 200 100\n[VALVES]\nV1 A B 150 PRV 60\nV2 C D 150 PRV 35\n[OPTIONS]\nUNITS LPS\n");
    sl_assert_abs(eps_head(&r, "B"), 60.0, EPS_HEAD);
    sl_assert_abs(eps_head(&r, "C"), 60.0 - eps_hw(100.0, 0.2, 100.0, 20.0 * EPS_LPS), 2.0 * EPS_HEAD);
    sl_assert_abs(eps_head(&r, "D"), 35.0, EPS_HEAD);
    sl_assert_rel(eps_flow(&r, "V1"), 22.0 * EPS_LPS, EPS_FLOW);
    eps_end(&r);
    eps_begin(&r, "[JUNCTIONS]\nA 0 0\nB 0 0\nC 0 0\nD 0 20\n[RESERVOIRS]\nR 90\n[PIPES]\nP1 R A 100 200 100\n"
                  "P2 B D 100 200 100\nP3 C D 100 200 100\n[VALVES]\nV1 A B 150 PRV 60\nV2 A C 150 PRV 35\n"
                  "[OPTIONS]\nUNITS LPS\n");
    sl_assert_abs(eps_head(&r, "B"), 60.0, EPS_HEAD); /* the higher one supplies all */
    assert_int_equal(eps_status(&r, "V2"), SL_STATUS_CLOSED);
    sl_assert_rel(eps_flow(&r, "V1"), 20.0 * EPS_LPS, EPS_FLOW);
    eps_check(&r);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prv),      cmocka_unit_test(test_psv),
        cmocka_unit_test(test_fcv),      cmocka_unit_test(test_pbv),
        cmocka_unit_test(test_tcv),      cmocka_unit_test(test_gpv),
        cmocka_unit_test(test_pcv),      cmocka_unit_test(test_prv_and_demand),
        cmocka_unit_test(test_two_prvs), cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
