/* SPDX-License-Identifier: MIT */
/* Two threads on one pattern, each with its own numbers: each gets the bits it would get alone. */
#include "sl_test.h"

#include "numeric/ldl.h"

#include <pthread.h>

enum { WIDTH = 24, N = WIDTH * WIDTH, ROUNDS = 20 };

typedef struct job {
    const sl_ldl *p;
    int32_t n_edge;
    double hold;   /* added to the diagonal: a matrix of its own */
    double x[N];   /* the last solution */
    int32_t unfit; /* unknowns found unfit, 0 of them */
} job;

static void *work_through(void *user) {
    job *j = user;
    double *work = calloc((size_t)sl_ldl_work(j->p), sizeof *work), *a = sl_ldl_matrix(j->p, work);
    for (int round = 0; round < ROUNDS; round++) {
        memset(a, 0, sizeof *a * (size_t)sl_ldl_size(j->p));
        for (int32_t k = 0; k < N; k++) {
            a[k] = 4.0 + j->hold + (double)(k % 3);
        }
        for (int32_t e = 0; e < j->n_edge; e++) {
            a[sl_ldl_slots(j->p)[e]] = -1.0;
        }
        j->unfit += sl_ldl_factor(j->p, work) >= 0;
        for (int i = 0; i < N; i++) {
            j->x[i] = 1.0 / (1.0 + i + round);
        }
        sl_ldl_solve(j->p, work, j->x);
    }
    free(work);
    return NULL;
}

static void test_two_threads(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    static int32_t from[2 * N], to[2 * N];
    int32_t n_edge = 0;
    for (int32_t i = 0; i < N; i++) {
        if ((i + 1) % WIDTH != 0) {
            from[n_edge] = i;
            to[n_edge++] = i + 1;
        }
        if (i + WIDTH < N) {
            from[n_edge] = i;
            to[n_edge++] = i + WIDTH;
        }
    }
    sl_ldl *p = NULL;
    sl_assert_ok(sl_ldl_create(ctx, N, n_edge, from, to, &p));
    static job alone[2], together[2];
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) {
        alone[k] = together[k] = (job){.p = p, .n_edge = n_edge, .hold = 0.5 + k};
        work_through(&alone[k]);
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, work_through, &together[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pthread_join(thread[k], NULL), 0);
        assert_int_equal(together[k].unfit, 0);
        for (int i = 0; i < N; i++) {
            sl_assert_bits(together[k].x[i], alone[k].x[i]);
        }
    }
    assert_true(alone[0].x[0] != alone[1].x[0]);
    sl_ldl_destroy(p);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
