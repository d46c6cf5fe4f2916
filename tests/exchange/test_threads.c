/* SPDX-License-Identifier: MIT */
/* test_threads.c: 32 pairs of exchanges in 64 threads share nothing that shows. */
#include "exchange_test.h"

#include <pthread.h>

enum { PAIRS = 32, STEPS = 500 };

typedef struct end {
    int pair;
    bool first; /* writes first, and counts */
    bool fine;
} end;

static void *run(void *user) {
    end *e = user;
    char uri[32];
    snprintf(uri, sizeof uri, "mem:pair %d", e->pair);
    heard h;
    sl_cosim_def def = heard_def(&h);
    def.uri = uri;
    def.binary = e->pair % 2;
    sl_cosim *x;
    bool fine = sl_cosim_open(NULL, &def, &x) == SL_COSIM_OK;
    fine = fine && sl_cosim_add_in(x, 1, 0, "in") == SL_COSIM_OK && sl_cosim_add_out(x, 1, 0, "out") == SL_COSIM_OK;
    double v = e->pair;
    for (int k = 0; k < STEPS && fine; k++) {
        if (k >= e->first) {
            fine = sl_cosim_read(x) == SL_COSIM_OK && sl_cosim_value(x, 0, 1, &v) == SL_COSIM_OK &&
                   v == e->pair + k + !e->first;
        }
        v += e->first;
        fine = fine && sl_cosim_write_values(x, e->first ? k : sl_cosim_time(x), 1, &v, 1) == SL_COSIM_OK;
    }
    fine = fine && sl_cosim_close(x) == SL_COSIM_OK && h.n_warning + h.n_error == 0;
    if (!fine) {
        print_error("pair %d: %s\n", e->pair, h.text);
    }
    e->fine = fine;
    return NULL;
}

static void many_pairs(void **state) {
    (void)state;
    end ends[2 * PAIRS];
    pthread_t thread[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++) {
        ends[i] = (end){i / 2, i % 2, false};
        assert_int_equal(pthread_create(&thread[i], NULL, run, &ends[i]), 0);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        assert_true(ends[i].fine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
