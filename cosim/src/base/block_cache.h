/* SPDX-License-Identifier: MIT */
/* block_cache.h: freed blocks that a context holds for the next model.
 *
 * A program that runs model after model, or session after session, asks for the same blocks again and again. What a C library gives
 * back to the system in between comes again as new pages, and each page costs a microsecond: a third to nearly half of the time of
 * a run of a millisecond. So a context without an allocator of its own holds freed blocks of 16 KB to 2 MB, the newest 32 and 8 MB at
 * most, and gives one out again to whoever wants its size exactly. All are freed with the context.
 *
 * Any thread may call; two at once do not wait for each other: one of them does without.
 */
#ifndef SL_BASE_BLOCK_CACHE_H
#define SL_BASE_BLOCK_CACHE_H

#include <stdatomic.h>
#include <stddef.h>

enum { SL_BLOCK_CACHE_COUNT = 32 };

typedef struct sl_cached_block {
    void *at;
    size_t size;
} sl_cached_block;

/* All zero: empty. */
typedef struct sl_block_cache {
    atomic_bool busy; /* some thread is in it */
    size_t n, total;
    sl_cached_block block[SL_BLOCK_CACHE_COUNT]; /* the oldest first */
} sl_block_cache;

/* What to ask malloc for, so that a block may be held: a multiple of 1 KB, or the size itself where it never is. */
size_t sl_block_cache_size(size_t size);
/* A block of sl_block_cache_size(size) with whatever was in it; NULL: there is none. */
void *sl_block_cache_take(sl_block_cache *c, size_t size);
/* Takes a block of sl_block_cache_size(size) from malloc: to hold, or to free. */
void sl_block_cache_give(sl_block_cache *c, void *block, size_t size);
/* Frees all of them. */
void sl_block_cache_clear(sl_block_cache *c);

#endif
