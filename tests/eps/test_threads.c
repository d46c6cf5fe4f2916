/* SPDX-License-Identifier: MIT */
/* test_threads.c: the same bits with any number of threads, and many sessions of one model in many threads. */
#include "eps_test.h"

/* A grid of so many pipes that they are shared out among threads (blocks of 16384). */
static char *grid(size_t *n) {
    enum { SIDE = 100, ROOM = 1 << 20 };
    char *text = malloc(ROOM);
    size_t at = 0;
    at += (size_t)snprintf(text + at, ROOM - at, "[RESERVOIRS]\nR 90\n[TANKS]\nT 60 3 0 9 20\n[JUNCTIONS]\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        at += (size_t)snprintf(text + at, ROOM - at, "J%d %d 0.0%d D\n", i, i % 13, i % 7);
    }
    at += (size_t)snprintf(text + at, ROOM - at, "[PIPES]\nF R J0 100 600 120\nG T J%d 100 600 120\n", SIDE * SIDE - 1);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE) {
            at += (size_t)snprintf(text + at, ROOM - at, "H%d J%d J%d %d %d 110\n", i, i, i + 1, 50 + i % 31,
                                   100 + i % 3 * 50);
        }
        if (i + SIDE < SIDE * SIDE) {
            at += (size_t)snprintf(text + at, ROOM - at, "V%d J%d J%d %d %d 110\n", i, i, i + SIDE, 60 + i % 17,
                                   100 + i % 5 * 50);
        }
    }
    at += (size_t)snprintf(text + at, ROOM - at,
                           "[PATTERNS]\nD 0.5 1 1.7\n[TIMES]\nDURATION 3\n[OPTIONS]\nUNITS LPS\n[END]\n");
    assert_true(at < ROOM - 1);
    *n = at;
    return text;
}

static void test_any_number(void **state) {
    (void)state;
    size_t n;
    char *text = grid(&n);
    eps_run one, two, five;
    eps_begin_bytes(&one, NULL, 1, text, n);
    eps_begin_bytes(&two, NULL, 2, text, n);
    eps_begin_bytes(&five, NULL, 5, text, n);
    free(text);
    assert_true(one.net->n_pipe > 16384);
    for (bool more = true; more;) {
        eps_assert_same(one.s, two.s);
        eps_assert_same(one.s, five.s);
        more = eps_step(&one);
        assert_int_equal(eps_step(&two), more);
        assert_int_equal(eps_step(&five), more);
    }
    eps_check(&one);
    sl_assert_double(eps_get(&one, "solver.unbalanced"), 0.0);
    eps_end(&one);
    eps_end(&two);
    eps_end(&five);
}

static void test_crowd(void **state) {
    (void)state;
    size_t n;
    char *bytes = eps_file("examples/pump-and-tank.inp", &n);
    eps_run r;
    eps_begin_bytes(&r, NULL, 1, bytes, n);
    free(bytes);
    eps_crowd(&r, &(eps_crowd_case){.set = "node.'B'.wanted",
                                    .shown = {"pump.'PU1'.energy.kwh", "tank.'T1'.level"},
                                    .from = 36000.0,
                                    .until = 136000.0});
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
