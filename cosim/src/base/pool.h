/* SPDX-License-Identifier: MIT */
/* pool.h: a fixed set of threads for loops over independent blocks.
 *
 * Work is cut into blocks whose bounds depend on n and block only, never on the number of threads; a
 * block is run by one thread; results are to be written to places that belong to the block and reduced in
 * block order by the caller. So the bits do not depend on the number of threads.
 */
#ifndef SL_BASE_POOL_H
#define SL_BASE_POOL_H

#include <sluice/base.h>

typedef struct sl_pool sl_pool;

/* begin <= i < end; block is the block's number. */
typedef void (*sl_pool_fn)(void *user, int64_t begin, int64_t end, int64_t block);

/* n_thread counts the calling thread: n - 1 threads are started (fewer if the system refuses, at most 1023).
 * 0: one per core. */
sl_status sl_pool_create(sl_context *ctx, int32_t n_thread, sl_pool **out);
void sl_pool_destroy(sl_pool *pool);
int32_t sl_pool_threads(const sl_pool *pool); /* 1 for NULL */
/* Runs fn over [0, n) in blocks and returns when all are done. pool may be NULL: then in order, here.
 * A call from within fn, or while another thread's call runs, does its work alone in its own thread: the
 * result is the same. */
void sl_pool_for(sl_pool *pool, int64_t n, int64_t block, sl_pool_fn fn, void *user);

#endif
