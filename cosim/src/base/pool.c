/* SPDX-License-Identifier: MIT */
/* pool.c: threads that sleep until there is work.
 *
 * The caller opens a job, wakes as many threads as there are further blocks, and takes blocks itself like
 * everybody else from one atomic counter. When no block is left it closes the job and waits for those who
 * joined; a thread that wakes up late finds the job closed and goes back to sleep, so nobody waits for it.
 */
#include "base/pool.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/memory.h"

enum { MAX_THREAD = 1024 };

struct sl_pool {
    sl_context *ctx;
    int32_t n_worker; /* threads started, without the caller */
    int32_t n_place;  /* length of workers */
    pthread_t *workers;
    pthread_mutex_t in_use; /* held by the call whose job runs */
    pthread_mutex_t lock;   /* guards all below but next */
    pthread_cond_t work;    /* a job was opened, or the end has come */
    pthread_cond_t done;    /* the last thread left a job */
    bool open;
    bool quit;
    uint64_t generation; /* number of the job, so that a thread joins each one once */
    int32_t n_running;   /* workers inside the job */
    int64_t n;
    int64_t block;
    int64_t n_block;
    sl_pool_fn fn;
    void *user;
    _Atomic int64_t next; /* first block not taken */
};

static int64_t block_count(int64_t n, int64_t block) {
    return n / block + (n % block != 0);
}

static void run_block(int64_t i, int64_t n, int64_t block, sl_pool_fn fn, void *user) {
    int64_t begin = i * block;
    fn(user, begin, n - begin < block ? n : begin + block, i);
}

static void take_blocks(sl_pool *pool) {
    for (;;) {
        int64_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= pool->n_block) {
            return;
        }
        run_block(i, pool->n, pool->block, pool->fn, pool->user);
    }
}

static void *worker_main(void *arg) {
    sl_pool *pool = arg;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        if (!pool->open || pool->generation == seen) {
            pthread_cond_wait(&pool->work, &pool->lock);
            continue;
        }
        seen = pool->generation;
        pool->n_running++;
        pthread_mutex_unlock(&pool->lock);
        take_blocks(pool);
        pthread_mutex_lock(&pool->lock);
        if (--pool->n_running == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts up to n_place threads; fewer are as good, only slower. Signals stay with the host's threads. */
static void start_workers(sl_pool *pool) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->n_worker < pool->n_place) {
        if (pthread_create(&pool->workers[pool->n_worker], NULL, worker_main, pool) != 0) {
            break;
        }
        pool->n_worker++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

sl_status sl_pool_create(sl_context *ctx, int32_t n_thread, sl_pool **out) {
    *out = NULL;
    if (n_thread < 0) {
        return SL_ERR_USE;
    }
    if (n_thread == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        n_thread = cores < 1 ? 1 : cores > MAX_THREAD ? MAX_THREAD : (int32_t)cores;
    }
    if (n_thread > MAX_THREAD) {
        n_thread = MAX_THREAD;
    }
    sl_pool *pool = sl_alloc(ctx, sizeof *pool);
    if (!pool) {
        return SL_ERR_MEMORY;
    }
    pool->ctx = ctx;
    pool->n_place = n_thread - 1;
    if (pool->n_place > 0) {
        pool->workers = sl_alloc(ctx, (size_t)pool->n_place * sizeof *pool->workers);
        if (!pool->workers) {
            sl_free(ctx, pool, sizeof *pool);
            return SL_ERR_MEMORY;
        }
    }
    /* With default attributes these cannot fail on the systems we build for. */
    pthread_mutex_init(&pool->in_use, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    start_workers(pool);
    *out = pool;
    return SL_OK;
}

void sl_pool_destroy(sl_pool *pool) {
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int32_t i = 0; i < pool->n_worker; i++) {
        pthread_join(pool->workers[i], NULL);
    }
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->in_use);
    sl_context *ctx = pool->ctx;
    sl_free(ctx, pool->workers, (size_t)pool->n_place * sizeof *pool->workers);
    sl_free(ctx, pool, sizeof *pool);
}

int32_t sl_pool_threads(const sl_pool *pool) {
    return pool ? pool->n_worker + 1 : 1;
}

static void open_job(sl_pool *pool, int64_t n, int64_t block, sl_pool_fn fn, void *user) {
    pthread_mutex_lock(&pool->lock);
    pool->n = n;
    pool->block = block;
    pool->n_block = block_count(n, block);
    pool->fn = fn;
    pool->user = user;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->generation++;
    pool->open = true;
    pthread_mutex_unlock(&pool->lock);
    int64_t helpers = pool->n_block - 1 < pool->n_worker ? pool->n_block - 1 : pool->n_worker;
    if (helpers == pool->n_worker) {
        pthread_cond_broadcast(&pool->work);
    } else {
        for (int64_t i = 0; i < helpers; i++) {
            pthread_cond_signal(&pool->work);
        }
    }
}

static void close_job(sl_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    while (pool->n_running > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void sl_pool_for(sl_pool *pool, int64_t n, int64_t block, sl_pool_fn fn, void *user) {
    assert(block > 0);
    if (n <= 0) {
        return;
    }
    bool alone = !pool || pool->n_worker == 0 || n <= block || pthread_mutex_trylock(&pool->in_use) != 0;
    if (alone) {
        int64_t n_block = block_count(n, block);
        for (int64_t i = 0; i < n_block; i++) {
            run_block(i, n, block, fn, user);
        }
        return;
    }
    open_job(pool, n, block, fn, user);
    take_blocks(pool);
    close_job(pool);
    pthread_mutex_unlock(&pool->in_use);
}
