/* SPDX-License-Identifier: MIT */
/* test_determinism.c: the same bits however a run is cut up, and from every saved state. */
#include "eps_test.h"

#include "base/out.h"

static const char *const files[] = {"examples/hilltown.inp", "examples/pump-and-tank.inp",
                                    "tests/eps/zoo/tank-chatters.inp", "examples/rules.inp",
                                    "examples/fire-flow-pda.inp"};
enum { N_FILE = 5 };

static void begin(eps_run *r, const char *file) {
    size_t n;
    char *bytes = eps_file(file, &n);
    assert_non_null(bytes);
    eps_begin_bytes(r, NULL, 1, bytes, n);
    free(bytes);
}

/* In one go, and in parts of all lengths with pauses between: the same at the end and wherever both stop. */
static void test_parts(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int f = 0; f < N_FILE; f++) {
        eps_run a, b;
        begin(&a, files[f]);
        begin(&b, files[f]);
        double end = sl_session_end(a.s);
        for (double t = 0.0; t < end;) {
            double part = pow(10.0, 5.0 * sl_test_unit(&random)); /* from a second to more than a day */
            t = fmin(t + (sl_test_below(&random, 2) ? floor(part) : part), end);
            sl_step step = {.size = sizeof step};
            sl_session_pause(b.s, true);
            sl_assert_ok(sl_session_advance(b.s, t, 0, &step));
            assert_int_equal(step.reason, SL_REASON_PAUSED);
            sl_session_pause(b.s, false);
            sl_assert_ok(sl_session_advance(b.s, t, 0, NULL));
            if (sl_test_below(&random, 4) == 0) { /* a look that costs nothing */
                sl_assert_ok(sl_session_refresh(b.s));
            }
        }
        eps_to(&a, end);
        eps_assert_same(a.s, b.s);
        eps_end(&a);
        eps_end(&b);
    }
}

/* From the state saved at every step, in a new session, to the end. */
static void test_saved(void **state) {
    (void)state;
    for (int f = 0; f < 3; f++) {
        eps_run whole, along, again;
        begin(&whole, files[f]);
        begin(&along, files[f]);
        begin(&again, files[f]);
        double end = sl_session_end(whole.s);
        eps_to(&whole, end);
        bool more = true;
        for (int i = 0; more; i++) {
            sl_bytes saved;
            sl_bytes_init(&saved, along.ctx);
            sl_sink sink = sl_bytes_sink(&saved);
            sl_assert_ok(sl_session_save(along.s, &sink));
            sl_assert_ok(sl_session_restore(again.s, saved.at, (size_t)saved.n));
            sl_bytes_fini(&saved);
            eps_assert_same(along.s, again.s);
            more = eps_step(&along);
            if (more) {
                assert_true(eps_step(&again));
                eps_assert_same(along.s, again.s);
            }
            if (i % 8 == 0 || !more) { /* all the way from some of them */
                eps_to(&again, end);
                eps_assert_same(whole.s, again.s);
            }
        }
        eps_end(&whole);
        eps_end(&along);
        eps_end(&again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
