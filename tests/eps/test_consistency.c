/* SPDX-License-Identifier: MIT */
/* test_consistency.c: numbers that nothing can be computed with end with a name, not with NaN; and laws far out are still laws.
 * Most of these were found by fuzzing (fuzz/fuzz_run.c). */
#include "eps_test.h"

/* ---- Refused and failed ------------------------------------------------------------------------- */

/* A model from text that must read without errors; SL_OK or what the engine says to it. */
static sl_status make(eps_run *r, const char *text) {
    *r = (eps_run){0};
    r->ctx = sl_test_context(&r->memory);
    sl_assert_ok(sl_diags_create(r->ctx, &r->diags));
    sl_inp_read_def def = sl_inp_read_default();
    sl_assert_ok(sl_inp_read(r->ctx, text, strlen(text), &def, r->diags, &r->net));
    sl_diags_clear(r->diags);
    return sl_model_from_network(r->ctx, r->net, NULL, r->diags, &r->model);
}

static void assert_refused(const char *kind, const char *id, const char *text) {
    eps_run r;
    sl_assert_status(make(&r, text), SL_ERR_INPUT);
    assert_null(r.model);
    assert_true(sl_diags_count(r.diags, SL_ERROR) > 0);
    const sl_diag *d = sl_diags_at(r.diags, 0);
    assert_int_equal(d->code, SL_CODE_VALUE_RANGE);
    assert_string_equal(d->object_kind, kind);
    assert_string_equal(d->object_id, id);
    eps_end(&r);
}

static void test_refused(void **state) {
    (void)state;
    assert_refused("junction", "A", "[JUNCTIONS]\nA 1e300 1\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 9 99 99\n");
    assert_refused("junction", "A", "[JUNCTIONS]\nA 1 1e30\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 9 99 99\n");
    assert_refused("pipe", "1", "[JUNCTIONS]\nA 1 1\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 1e-300 99 99\n");
    assert_refused("tank", "T", "[JUNCTIONS]\nA 1 1\n[TANKS]\nT 9 2 0 4 1e-12 0\n[PIPES]\n1 T A 9 99 99\n");
    assert_refused("pattern", "P",
                   "[JUNCTIONS]\nA 1 1\n[RESERVOIRS]\nR 50 P\n[PIPES]\n1 R A 9 99 99\n[PATTERNS]\nP 1 1e20\n");
    assert_refused("option", "energy price",
                   "[JUNCTIONS]\nA 1 1\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 9 99 99\n[ENERGY]\nGLOBAL PRICE 1e100\n");
}

static void assert_all_finite(sl_session *s) {
    for (uint32_t i = 0; i < (uint32_t)sl_session_n_var(s); i++) {
        sl_var_info info = {.size = sizeof info};
        double x;
        sl_assert_ok(sl_session_var(s, i, &info));
        sl_assert_ok(sl_session_get(s, &info.var, 1, &x));
        if (!isfinite(x) && !strstr(info.name, ".setting")) {
            fail_msg("%s is %g", info.name, x);
        }
    }
}

static void assert_failed(eps_run *r, double t, const char *id) {
    sl_step step = {.size = sizeof step};
    sl_assert_status(sl_session_advance(r->s, t, 0, &step), SL_ERR_SOLVE);
    assert_int_equal(step.reason, SL_REASON_FAILED);
    assert_int_equal(eps_said(r, SL_CODE_NOT_BALANCED, id), 1);
    assert_all_finite(r->s);
}

/* A demand of a million cubic metres per second through a pipe of a micrometre: 1e40 m of head. */
static void test_no_first_solution(void **state) {
    (void)state;
    eps_run r;
    sl_assert_ok(
        make(&r, "[JUNCTIONS]\nA 1 1e6\n[RESERVOIRS]\nR 50\n[TANKS]\nT 40 2 0 4 5 0\n[PIPES]\n1 R A 1000 0.001 99\n"
                 "2 A T 1000 0.001 99\n[OPTIONS]\nUNITS CMS\n[TIMES]\nDURATION 1\n"));
    sl_assert_ok(sl_session_create(r.ctx, r.model, r.diags, &r.s));
    assert_failed(&r, 0.0, "A");
    sl_assert_double(eps_get(&r, "solver.balanced"), 0.0);
    sl_assert_double(eps_get(&r, "tank.'T'.level"), 2.0);
    sl_assert_double(eps_get(&r, "balance.storage"), 0.0);
    eps_end(&r);
}

/* The same from the second hour on: what is shown are the values before it. */
static void test_no_later_solution(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 1 1e-3 P\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 1000 0.001 99\n[PATTERNS]\nP 1 1e9\n"
                  "[OPTIONS]\nUNITS CMS\n[TIMES]\nDURATION 2\n");
    double head = eps_head(&r, "A");
    assert_failed(&r, 7200.0, "A");
    sl_assert_double(sl_session_time(r.s), 0.0);
    sl_assert_double(eps_head(&r, "A"), head);
    eps_end(&r);
}

/* A set that has no answer fails when it is taken up, and leaves the values that were there. */
static void test_set_without_solution(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 1 1e-3\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 1000 0.001 99\n[OPTIONS]\nUNITS CMS\n"
                  "[TIMES]\nDURATION 3\n");
    eps_to(&r, 4000.0);
    double head = eps_head(&r, "A");
    eps_set(&r, 1e6, "node.'A'.wanted");
    assert_failed(&r, 4000.0, "A");
    sl_assert_double(eps_head(&r, "A"), head);
    eps_end(&r);
}

/* UNBALANCED STOP at a set: the run has come to its end, which is no failure. The head error asked for can
 * be had at rest only. */
static void test_set_halts(void **state) {
    (void)state;
    eps_run r;
    sl_eps_def def = sl_eps_default();
    def.head_error = 1e-300;
    eps_begin_def(&r, &def,
                  "[JUNCTIONS]\nA 1 0\nB 1 0\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 990 90 99\n2 A B 77 80 99\n"
                  "3 R B 99 70 99\n[OPTIONS]\nUNITS LPS\nUNBALANCED STOP\n[TIMES]\nDURATION 3\n");
    eps_to(&r, 4000.0);
    sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
    eps_set(&r, 1e-3, "node.'A'.wanted");
    eps_set(&r, 2e-3, "node.'B'.wanted");
    sl_step step = {.size = sizeof step};
    sl_assert_ok(sl_session_advance(r.s, 10800.0, 0, &step));
    assert_int_equal(step.reason, SL_REASON_END);
    sl_assert_double(step.time, 4000.0);
    sl_assert_double(eps_get(&r, "solver.balanced"), 0.0);
    assert_true(eps_said(&r, SL_CODE_NOT_BALANCED, NULL) > 0);
    assert_true(eps_get(&r, "solver.head_error") > 0.0); /* how far off it is */
    eps_end(&r);
}

/* A thousand million trials are not tried: 1000 by each of four methods and with statuses frozen, 400 by each of two, twice 600
 * while valves act and 1000 after that, 100 by each of four starts with linear pipes. */
static void test_trials_end(void **state) {
    (void)state;
    eps_run r;
    sl_eps_def def = sl_eps_default();
    def.head_error = 1e-300;
    eps_begin_def(&r, &def,
                  "[JUNCTIONS]\nA 1 1\nB 1 1\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 990 90 99\n2 A B 77 80 99\n"
                  "3 R B 99 70 99\n[OPTIONS]\nUNITS LPS\nTRIALS 1000000000\nUNBALANCED CONTINUE 1000000000\n");
    sl_assert_double(eps_get(&r, "solver.balanced"), 0.0);
    assert_true(eps_get(&r, "solver.trials") <= 9400.0);
    eps_end(&r);
}

/* ---- Laws far out ------------------------------------------------------------------------------- */

/* A curve that falls is followed: 5 L/s on the piece from (4, 3) to (8, 1). */
static void test_falling_curve(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 1 0\nB 1 5\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 100 200 99\n[VALVES]\nV A B 99 GPV G\n"
                  "[CURVES]\nG 0 0\nG 4 3\nG 8 1\n[OPTIONS]\nUNITS LPS\n");
    sl_assert_abs(eps_head(&r, "A") - eps_head(&r, "B"), 2.5, EPS_HEAD);
    sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
    eps_end(&r);
}

/* At 0 % nothing passes; all but shut it has a coefficient of 1e8 in feet, as EPANET has it, and a loss that is above that stays. */
static void test_shut_position_valve(void **state) {
    (void)state;
    static const char text[] = "[JUNCTIONS]\nA 1 0\nB 1 0\n[RESERVOIRS]\nR 50\nS 10\n[PIPES]\n1 R A 10 900 130\n"
                               "2 B S 10 900 130\n[VALVES]\nV A B %s PCV %s 1.5\n[OPTIONS]\nUNITS LPS\n";
    const double drop = 40.0 / EPS_FOOT;
    eps_run r;
    eps_begin(&r, text, "80", "0");
    sl_assert_double(eps_flow(&r, "V"), 0.0);
    eps_end(&r);
    eps_begin(&r, text, "80", "1e-3");
    sl_assert_rel(eps_flow(&r, "V"), sqrt(drop / 1e8) * EPS_CFS, 1e-4); /* the pipes lose little, not nothing */
    eps_end(&r);
    eps_begin(&r, text, "0.1", "50"); /* K 1.5 in a bore of 0.1 mm: open, it loses more than a shut valve */
    double d = 1e-4 / EPS_FOOT, most = sqrt(drop / (0.02517 * 1.5 / (d * d * d * d))) * EPS_CFS;
    sl_assert_rel(eps_flow(&r, "V"), most, 1e-4);
    eps_end(&r);
}

/* A pump that lifts by a nanometre against a tank 60 m up: shut, no way back. */
static void test_pump_without_head(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 1\n[RESERVOIRS]\nR 0\n[TANKS]\nT 60 2 0 4 20 0\n[PIPES]\n1 A T 10 250 130\n"
                  "[PUMPS]\nU R A HEAD H\n[CURVES]\nH 14 1e-9\n[OPTIONS]\nUNITS LPS\n");
    sl_assert_double(eps_flow(&r, "U"), 0.0);
    assert_int_equal(eps_status(&r, "U"), SL_STATUS_XHEAD);
    eps_end(&r);
}

/* A small pump, a thousand times its flow: the parabola goes on, however steep. */
static void test_pump_far_out(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[JUNCTIONS]\nA 0 0\nB 0 3\n[RESERVOIRS]\nR 50\n[PIPES]\n1 R A 10 900 130\n[PUMPS]\nU A B HEAD H\n"
                  "[CURVES]\nH 0.001 20\n[OPTIONS]\nUNITS LPS\n");
    double n = log(1.33334 / 0.33334) / log(2.0), gain = 20.0 * (1.33334 - 0.33334 * pow(3000.0, n));
    sl_assert_rel(eps_head(&r, "B") - eps_head(&r, "A"), gain, 1e-9);
    assert_int_equal(eps_said(&r, SL_CODE_PUMP_FLOW, "U"), 1);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_no_first_solution),
        cmocka_unit_test(test_no_later_solution), cmocka_unit_test(test_set_without_solution),
        cmocka_unit_test(test_set_halts),         cmocka_unit_test(test_trials_end),
        cmocka_unit_test(test_falling_curve),     cmocka_unit_test(test_shut_position_valve),
        cmocka_unit_test(test_pump_without_head), cmocka_unit_test(test_pump_far_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
