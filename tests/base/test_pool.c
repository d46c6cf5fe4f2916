/* SPDX-License-Identifier: MIT */
/* The pool: every block once, the same bits for any number of threads, nested and concurrent calls. */
#include "sl_test.h"

#include <pthread.h>

#include "base/context.h"
#include "base/pool.h"

typedef struct sum_job {
    const double *x;
    double *partial; /* one per block */
    int *visits;     /* one per element */
    int64_t block;
} sum_job;

static void sum_block(void *user, int64_t begin, int64_t end, int64_t block) {
    sum_job *job = user;
    double s = 0;
    for (int64_t i = begin; i < end; i++) {
        s += job->x[i] * job->x[i] / (1 + s);
        job->visits[i]++;
    }
    job->partial[block] = s;
    if (begin != block * job->block) job->visits[begin] = 1000; /* seen by the check below */
}

static double run_sum(sl_pool *pool, int64_t n, int64_t block) {
    double *x = malloc((size_t)(n + 1) * sizeof *x);
    int64_t n_block = (n + block - 1) / block;
    double *partial = calloc((size_t)n_block + 1, sizeof *partial);
    int *visits = calloc((size_t)n + 1, sizeof *visits);
    uint64_t seed = 3;
    for (int64_t i = 0; i < n; i++) x[i] = sl_test_unit(&seed);
    sum_job job = {x, partial, visits, block};
    sl_pool_for(pool, n, block, sum_block, &job);
    double total = 0;
    for (int64_t b = 0; b < n_block; b++) total += partial[b];
    for (int64_t i = 0; i < n; i++) assert_int_equal(visits[i], 1);
    assert_int_equal(visits[n], 0);
    free(x);
    free(partial);
    free(visits);
    return total;
}

static void test_same_bits(void **state) {
    (void)state;
    static const int64_t n[] = {0, 1, 2, 99, 100, 101, 12345, 100000};
    static const int64_t block[] = {1, 100, 1000000};
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 3; k++) {
            double alone = run_sum(NULL, n[i], block[k]);
            static const int32_t threads[] = {1, 2, 5};
            for (int t = 0; t < 3; t++) {
                sl_test_memory m = {0};
                sl_context *ctx = sl_test_context(&m);
                sl_pool *pool = NULL;
                sl_assert_ok(sl_pool_create(ctx, threads[t], &pool));
                assert_int_equal(sl_pool_threads(pool), threads[t]);
                sl_assert_bits(run_sum(pool, n[i], block[k]), alone);
                sl_pool_destroy(pool);
                sl_test_context_end(ctx, &m);
            }
        }
    }
}

static void count_block(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    __atomic_add_fetch((int64_t *)user, end - begin, __ATOMIC_RELAXED);
}

static void test_many_small_jobs(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context_threads(&m, 4);
    assert_int_equal(sl_pool_threads(ctx->pool), 4);
    int64_t requests = m.n_request;
    for (int i = 0; i < 20000; i++) {
        int64_t sum = 0;
        int64_t n = 1 + i % 13;
        sl_pool_for(ctx->pool, n, 1 + i % 3, count_block, &sum);
        if (sum != n) fail_msg("job %d did %lld of %lld", i, (long long)sum, (long long)n);
    }
    assert_int_equal(m.n_request, requests); /* a job allocates nothing */
    sl_test_context_end(ctx, &m);
}

typedef struct nest {
    sl_pool *pool;
    int64_t sum;
} nest;

static void nested_block(void *user, int64_t begin, int64_t end, int64_t block) {
    nest *job = user;
    (void)block;
    for (int64_t i = begin; i < end; i++) sl_pool_for(job->pool, 10, 3, count_block, &job->sum);
}

static void test_nested_call(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context_threads(&m, 3);
    nest job = {ctx->pool, 0};
    sl_pool_for(ctx->pool, 100, 7, nested_block, &job);
    assert_int_equal(job.sum, 1000);
    sl_test_context_end(ctx, &m);
}

static void *other_thread(void *arg) {
    nest *job = arg;
    for (int i = 0; i < 500; i++) sl_pool_for(job->pool, 64, 4, count_block, &job->sum);
    return NULL;
}

static void test_two_callers(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context_threads(&m, 3);
    nest a = {ctx->pool, 0};
    nest b = {ctx->pool, 0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, other_thread, &a), 0);
    other_thread(&b);
    pthread_join(thread, NULL);
    assert_int_equal(a.sum, 500 * 64);
    assert_int_equal(b.sum, 500 * 64);
    sl_test_context_end(ctx, &m);
}

static void test_edges(void **state) {
    (void)state;
    assert_int_equal(sl_pool_threads(NULL), 1);
    sl_pool_destroy(NULL);
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_pool *pool = (sl_pool *)1;
    sl_assert_status(sl_pool_create(ctx, -1, &pool), SL_ERR_USE);
    assert_null(pool);
    sl_assert_ok(sl_pool_create(ctx, 0, &pool));
    assert_true(sl_pool_threads(pool) >= 1);
    int64_t sum = 0;
    sl_pool_for(pool, -5, 1, count_block, &sum);
    assert_int_equal(sum, 0);
    sl_pool_destroy(pool);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),   cmocka_unit_test(test_many_small_jobs), cmocka_unit_test(test_nested_call),
        cmocka_unit_test(test_two_callers), cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
