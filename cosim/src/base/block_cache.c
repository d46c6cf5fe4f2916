/* SPDX-License-Identifier: MIT */
/* block_cache.c: see block_cache.h. */
#include "base/block_cache.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 16 << 10, MOST = 2 << 20, UNIT = 1 << 10, TOTAL = 8 << 20 };

static bool enter(sl_block_cache *c) {
    return !atomic_exchange_explicit(&c->busy, true, memory_order_acquire);
}

static void leave(sl_block_cache *c) {
    atomic_store_explicit(&c->busy, false, memory_order_release);
}

static bool is_held(size_t size) {
    return size >= LEAST && size <= MOST;
}

size_t sl_block_cache_size(size_t size) {
    return is_held(size) ? (size + UNIT - 1) & ~(size_t)(UNIT - 1) : size;
}

static void *take_out(sl_block_cache *c, size_t i) {
    void *at = c->block[i].at;
    c->total -= c->block[i].size;
    c->n--;
    memmove(c->block + i, c->block + i + 1, (c->n - i) * sizeof *c->block);
    return at;
}

void *sl_block_cache_take(sl_block_cache *c, size_t size) {
    void *found = NULL;
    if (!is_held(size) || !enter(c)) {
        return NULL;
    }
    for (size_t i = c->n, whole = sl_block_cache_size(size); i-- > 0 && !found;) {
        found = c->block[i].size == whole ? take_out(c, i) : NULL;
    }
    leave(c);
    return found;
}

void sl_block_cache_give(sl_block_cache *c, void *block, size_t size) {
    void *old[SL_BLOCK_CACHE_COUNT];
    size_t n_old = 0, whole = sl_block_cache_size(size);
    if (!block || !is_held(size) || !enter(c)) {
        free(block);
        return;
    }
    while (c->n == SL_BLOCK_CACHE_COUNT || c->total + whole > TOTAL) {
        old[n_old++] = take_out(c, 0);
    }
    c->block[c->n++] = (sl_cached_block){block, whole};
    c->total += whole;
    leave(c);
    while (n_old > 0) {
        free(old[--n_old]);
    }
}

void sl_block_cache_clear(sl_block_cache *c) {
    while (c->n > 0) {
        free(take_out(c, c->n - 1));
    }
}
