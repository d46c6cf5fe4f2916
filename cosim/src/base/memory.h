/* SPDX-License-Identifier: MIT */
/* memory.h: all memory goes through the context's allocator; sizes are known at every call.
 *
 * Arrays grow by doubling through sl_array_reserve; arenas hand out memory that is freed all at once.
 */
#ifndef SL_BASE_MEMORY_H
#define SL_BASE_MEMORY_H

#include <sluice/base.h>

/* NULL on failure or for size 0. Zeroed. */
void *sl_alloc(sl_context *ctx, size_t size);
/* Keeps the first min(old, new) bytes; new bytes are not set. NULL on failure (the old block lives on). */
void *sl_resize(sl_context *ctx, void *ptr, size_t old_size, size_t new_size);
void sl_free(sl_context *ctx, void *ptr, size_t size);

/* n * size, or 0 with *overflow set when it does not fit. */
size_t sl_mul_size(size_t n, size_t size, bool *overflow);

/* Makes room for at least n elements in a growable array of elem_size bytes each.
 * *data and *cap are updated; returns false when memory is short (nothing changes then). */
bool sl_array_reserve(sl_context *ctx, void **data, int64_t *cap, int64_t n, size_t elem_size);

/* A growable array of T: SL_ARRAY(double) a = {0}; if (!SL_PUSH(ctx, &a, 3.0)) out of memory. */
#define SL_ARRAY(T)  \
    struct {         \
        T *at;       \
        int64_t n;   \
        int64_t cap; \
    }
#define SL_RESERVE(ctx, a, count) \
    ((count) <= (a)->cap || sl_array_reserve((ctx), (void **)&(a)->at, &(a)->cap, (count), sizeof *(a)->at))
#define SL_PUSH(ctx, a, value) (SL_RESERVE((ctx), (a), (a)->n + 1) && ((a)->at[(a)->n++] = (value), true))
/* Of two lists that share a count: both grow, or neither. */
#define SL_PUSH_BOTH(ctx, a, value_a, b, value_b) \
    (SL_RESERVE((ctx), (b), (b)->n + 1) && SL_PUSH((ctx), (a), (value_a)) && SL_PUSH((ctx), (b), (value_b)))
#define SL_ARRAY_FINI(ctx, a) \
    (sl_free((ctx), (a)->at, (size_t)(a)->cap * sizeof *(a)->at), (a)->at = NULL, (a)->n = (a)->cap = 0)

/* An arena: blocks from the context, freed together. */
typedef struct sl_arena {
    sl_context *ctx;
    struct sl_arena_block *head;
    size_t first; /* bytes of the first block */
} sl_arena;

void sl_arena_init(sl_arena *arena, sl_context *ctx);
/* ... for little, of which there are thousands: blocks begin at 1/8 of the usual size. */
void sl_arena_init_small(sl_arena *arena, sl_context *ctx);
void sl_arena_fini(sl_arena *arena);
/* Forgets everything handed out; keeps the newest block for reuse and gives the others back. */
void sl_arena_clear(sl_arena *arena);
/* 64-byte aligned when size is at least 64 (vector width), else 16; zeroed. NULL on failure.
 * size 0 gives a valid pointer that must not be read. */
void *sl_arena_alloc(sl_arena *arena, size_t size);
/* A copy of n bytes. */
void *sl_arena_keep(sl_arena *arena, const void *at, size_t n);
/* A NUL-terminated copy. */
char *sl_arena_copy(sl_arena *arena, sl_str text);

#endif
