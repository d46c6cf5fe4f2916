/* SPDX-License-Identifier: MIT */
/* test_threads.c: transport runs beside the solution of the next boundary: the same bits with any number of threads, and
 * many sessions of one model in many threads. */
#include "rich.h"

static void test_any_number(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        eps_run one, two, five;
        rich_begin(&one, kind, 1, false);
        rich_begin(&two, kind, 2, false);
        rich_begin(&five, kind, 5, false);
        for (bool more = true; more;) {
            eps_assert_same(one.s, two.s);
            eps_assert_same(one.s, five.s);
            more = eps_step(&one);
            assert_int_equal(eps_step(&two), more);
            assert_int_equal(eps_step(&five), more);
        }
        eps_end(&one);
        eps_end(&two);
        eps_end(&five);
    }
}

/* A step that fails in transport or in hydraulics leaves the last good boundary, with threads too. */
static void test_failure(void **state) {
    (void)state;
    double last[2];
    for (int32_t k = 0; k < 2; k++) {
        static const char text[] =
            "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 1\nD 0 0\n[PIPES]\n1 R A 500 200 110\n2 A D 50 100 "
            "110\n[QUALITY]\nR 1\nA 1\nD 2\n[REACTIONS]\nORDER BULK 3\nGLOBAL BULK 40\n"
            "[OPTIONS]\nUNITS LPS\nQUALITY Weed mg/L\n[TIMES]\nDURATION 24\nHYDRAULIC TIMESTEP 0:10\n";
        eps_run r;
        eps_begin_bytes(&r, NULL, k ? 5 : 1, text, strlen(text));
        sl_step step = {.size = sizeof step};
        sl_assert_status(sl_session_advance(r.s, 86400.0, 0, &step), SL_ERR_SOLVE);
        assert_int_equal(step.reason, SL_REASON_FAILED);
        assert_int_equal(eps_said(&r, SL_CODE_STEP_FAILED, NULL), 1);
        assert_non_null(strstr(eps_words(&r, SL_CODE_STEP_FAILED, NULL), "LIMITING POTENTIAL"));
        assert_true(isfinite(eps_get(&r, "node.'D'.quality")) && isfinite(eps_get(&r, "quality.stored")));
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
        last[k] = sl_session_time(r.s);
        eps_end(&r);
    }
    assert_true(last[0] > 0.0);
    sl_assert_double(last[0], last[1]);
}

static void test_crowd(void **state) {
    (void)state;
    eps_run r;
    rich_begin(&r, 0, 2, true);
    eps_crowd(&r, &(eps_crowd_case){.set = "node.'J3'.wanted",
                                    .shown = {"quality.stored", "quality.consumed"},
                                    .from = 20000.0,
                                    .until = 80000.0});
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
