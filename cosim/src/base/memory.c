/* SPDX-License-Identifier: MIT */
/* memory.c: the context's allocator behind sized calls, growable arrays, and arenas.
 *
 * Sizes above PTRDIFF_MAX are refused before the allocator sees them, so that pointer differences inside any
 * block are defined and an overflowed product cannot turn into a small block.
 */
#include "base/memory.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

void *sl_alloc(sl_context *ctx, size_t size) {
    const sl_allocator *a = &ctx->allocator;
    if (a->zeroed) {
        return size > 0 && size <= (size_t)PTRDIFF_MAX ? a->zeroed(a->user, size) : NULL;
    }
    void *p = sl_resize(ctx, NULL, 0, size);
    if (p) {
        memset(p, 0, size);
    }
    return p;
}

void *sl_resize(sl_context *ctx, void *ptr, size_t old_size, size_t new_size) {
    const sl_allocator *a = &ctx->allocator;
    if (new_size == 0) {
        sl_free(ctx, ptr, old_size);
        return NULL;
    }
    if (new_size > (size_t)PTRDIFF_MAX) {
        return NULL;
    }
    return a->resize(a->user, ptr, ptr ? old_size : 0, new_size);
}

void sl_free(sl_context *ctx, void *ptr, size_t size) {
    if (ptr) {
        const sl_allocator *a = &ctx->allocator;
        (void)a->resize(a->user, ptr, size, 0);
    }
}

size_t sl_mul_size(size_t n, size_t size, bool *overflow) {
    if (size != 0 && n > SIZE_MAX / size) {
        *overflow = true;
        return 0;
    }
    return n * size;
}

bool sl_array_reserve(sl_context *ctx, void **data, int64_t *cap, int64_t n, size_t elem_size) {
    if (n <= *cap) {
        return true;
    }
    int64_t want = *cap < 8 ? 8 : (*cap <= INT64_MAX / 2 ? *cap * 2 : INT64_MAX);
    if (want < n) {
        want = n;
    }
    bool overflow = false;
    size_t bytes = sl_mul_size((size_t)want, elem_size, &overflow);
    if (overflow) {
        return false;
    }
    /* The caller's pointer has another type than void *; reading and writing it as bytes keeps this legal
     * under the aliasing rules even when the call is inlined. */
    void *old;
    memcpy(&old, data, sizeof old);
    void *grown = sl_resize(ctx, old, (size_t)*cap * elem_size, bytes);
    if (!grown) {
        return false;
    }
    memcpy(data, &grown, sizeof grown);
    *cap = want;
    return true;
}

/* ---- Arena -------------------------------------------------------------------------------------- */

enum { ARENA_FIRST = 4096, ARENA_LAST = 1 << 20 }; /* block sizes double between these */

struct sl_arena_block {
    struct sl_arena_block *next;
    size_t size; /* of the whole block with this head */
    size_t used; /* bytes from the start of the block that are given away, this head included */
};

void sl_arena_init(sl_arena *arena, sl_context *ctx) {
    *arena = (sl_arena){.ctx = ctx, .first = ARENA_FIRST};
}

void sl_arena_init_small(sl_arena *arena, sl_context *ctx) {
    *arena = (sl_arena){.ctx = ctx, .first = ARENA_FIRST / 8};
}

static void free_blocks(sl_context *ctx, struct sl_arena_block *b) {
    while (b) {
        struct sl_arena_block *next = b->next;
        sl_free(ctx, b, b->size);
        b = next;
    }
}

void sl_arena_fini(sl_arena *arena) {
    free_blocks(arena->ctx, arena->head);
    arena->head = NULL;
}

void sl_arena_clear(sl_arena *arena) {
    struct sl_arena_block *b = arena->head;
    if (!b) {
        return;
    }
    free_blocks(arena->ctx, b->next);
    b->next = NULL;
    memset((char *)b + sizeof *b, 0, b->used - sizeof *b);
    b->used = sizeof *b;
}

/* Takes size bytes from the block, or NULL when they do not fit. */
static void *take(struct sl_arena_block *b, size_t size, size_t align) {
    uintptr_t at = (uintptr_t)b + b->used;
    size_t pad = (size_t)(-at & (align - 1));
    size_t room = b->size - b->used;
    if (room < pad || room - pad < size) {
        return NULL;
    }
    void *p = (char *)b + b->used + pad;
    b->used += pad + size;
    return p;
}

static struct sl_arena_block *new_block(sl_arena *arena, size_t size) {
    struct sl_arena_block *b = sl_alloc(arena->ctx, size);
    if (b) {
        b->size = size;
        b->used = sizeof *b;
    }
    return b;
}

void *sl_arena_alloc(sl_arena *arena, size_t size) {
    size_t align = size >= 64 ? 64 : 16;
    if (size == 0) {
        size = 1;
    }
    if (arena->head) {
        void *p = take(arena->head, size, align);
        if (p) {
            return p;
        }
    }
    size_t head_size = arena->head ? arena->head->size : 0;
    size_t next = head_size < arena->first ? arena->first : (head_size < ARENA_LAST ? head_size * 2 : ARENA_LAST);
    if (size > (size_t)PTRDIFF_MAX / 2) {
        return NULL;
    }
    size_t need = sizeof(struct sl_arena_block) + align + size;
    /* What would fill a good part of a block gets its own, and the current block stays in use. So does all that is not small:
     * blocks of arrays would double until half of the last one stands empty. */
    bool own = arena->head && (need > arena->first || need > next / 4);
    struct sl_arena_block *b = new_block(arena, own || need > next ? need : next);
    if (!b) {
        return NULL;
    }
    if (own) {
        b->next = arena->head->next;
        arena->head->next = b;
    } else {
        b->next = arena->head;
        arena->head = b;
    }
    void *p = take(b, size, align);
    assert(p);
    return p;
}

void *sl_arena_keep(sl_arena *arena, const void *at, size_t n) {
    void *copy = sl_arena_alloc(arena, n);
    return copy && n > 0 ? memcpy(copy, at, n) : copy;
}

char *sl_arena_copy(sl_arena *arena, sl_str text) {
    if (text.len == SIZE_MAX) {
        return NULL;
    }
    char *p = sl_arena_alloc(arena, text.len + 1);
    if (p && text.len) {
        memcpy(p, text.ptr, text.len);
    }
    return p; /* arena memory is zeroed: the NUL is there */
}
