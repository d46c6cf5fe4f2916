/* SPDX-License-Identifier: MIT */
/* context.c: status names, version, borrowed text, and the context with its log and progress. */
#include "base/context.h"

#include <stdarg.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/bytes.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/pool.h"
#include "base/sized.h"

#ifndef SLUICE_VERSION
#define SLUICE_VERSION "0.0.0"
#endif

const char *sl_status_text(sl_status status) {
    switch (status) {
    case SL_OK: return "ok";
    case SL_ERR_MEMORY: return "out of memory";
    case SL_ERR_INPUT: return "bad input";
    case SL_ERR_SOLVE: return "the computation failed";
    case SL_ERR_IO: return "input or output failed";
    case SL_ERR_USE: return "wrong use";
    case SL_ERR_CANCELLED: return "cancelled";
    case SL_ERR_UNSUPPORTED: return "not supported";
    }
    return "unknown status";
}

const char *sl_version(void) {
    return SLUICE_VERSION;
}

/* ---- Borrowed text ------------------------------------------------------------------------------ */

sl_str sl_str_z(const char *z) {
    return (sl_str){z ? z : "", z ? strlen(z) : 0};
}

bool sl_str_equal(sl_str a, sl_str b) {
    return a.len == b.len && sl_same_bytes(a.ptr, b.ptr, a.len);
}

static unsigned char lower(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

bool sl_str_equal_nocase(sl_str a, sl_str b) {
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        if (lower(a.ptr[i]) != lower(b.ptr[i])) {
            return false;
        }
    }
    return true;
}

/* ---- Context ------------------------------------------------------------------------------------ */

/* Large fresh blocks take huge pages where the system has them: reading a million junctions is 13 % faster. Only a hint: a
 * kernel that does not know it refuses, and nothing changes. Nothing is touched before it is used: much of the room for
 * the parcels of water quality never is. */
static void *with_huge_pages(void *ptr, size_t size) {
#ifdef __linux__
    enum { FROM = 2 << 20, PAGE = 4096 };
    if (ptr && size >= FROM) {
        uintptr_t begin = ((uintptr_t)ptr + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
        uintptr_t end = ((uintptr_t)ptr + size) & ~(uintptr_t)(PAGE - 1);
        int saved = errno;
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
        errno = saved;
    }
#else
    (void)size;
#endif
    return ptr;
}

/* Under AddressSanitizer every freed block is gone, so that its use is found. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEEPS_BLOCKS 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(KEEPS_BLOCKS)
#define KEEPS_BLOCKS 0
#endif
#ifndef KEEPS_BLOCKS
#define KEEPS_BLOCKS 1
#endif

static void *malloc_zeroed(void *user, size_t size) {
    size_t whole = KEEPS_BLOCKS ? sl_block_cache_size(size) : size;
    void *old = KEEPS_BLOCKS ? sl_block_cache_take(user, size) : NULL;
    return old ? memset(old, 0, size) : with_huge_pages(calloc(1, whole), whole);
}

static void *malloc_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    size_t whole = KEEPS_BLOCKS ? sl_block_cache_size(new_size) : new_size;
    if (new_size == 0) {
        if (KEEPS_BLOCKS) {
            sl_block_cache_give(user, ptr, old_size);
        } else {
            free(ptr);
        }
        return NULL;
    }
    if (ptr) {
        return realloc(ptr, whole);
    }
    void *old = KEEPS_BLOCKS ? sl_block_cache_take(user, new_size) : NULL;
    return old ? old : with_huge_pages(malloc(whole), whole);
}

void sl_context_default_fill(sl_context_def *def, size_t size) {
    const sl_context_def all = {.n_thread = 1, .effort = 1.0};
    sl_sized_default(def, size, &all, sizeof all);
}

sl_status sl_context_create(const sl_context_def *def, sl_context **out) {
    if (!out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_context_def d = sl_context_default();
    const sl_allocator with_malloc = {sizeof with_malloc, NULL, malloc_resize, malloc_zeroed};
    sl_allocator a = {0};
    if (!sl_sized_take(&d, sizeof d, def) || !sl_sized_take(&a, sizeof a, d.allocator ? d.allocator : &with_malloc) ||
        !a.resize || d.n_thread < 0 || !(d.effort > 0.0) || !(d.memory >= 0.0)) {
        return SL_ERR_USE;
    }
    bool own = d.allocator == NULL;
    sl_context *ctx = own ? malloc(sizeof *ctx) : a.resize(a.user, NULL, 0, sizeof *ctx);
    if (!ctx) {
        return SL_ERR_MEMORY;
    }
    d.allocator = NULL; /* the caller's may be gone by now */
    *ctx = (sl_context){.def = d, .allocator = a};
    if (own) {
        ctx->allocator.user = &ctx->blocks;
    }
#ifndef _WIN32 /* without a pool everything runs in the caller's thread: the same results */
    if (d.n_thread != 1) {
        sl_status status = sl_pool_create(ctx, d.n_thread, &ctx->pool);
        if (status != SL_OK) {
            sl_context_destroy(ctx);
            return status;
        }
    }
#endif
    *out = ctx;
    return SL_OK;
}

void sl_context_destroy(sl_context *ctx) {
    if (ctx) {
#ifndef _WIN32
        sl_pool_destroy(ctx->pool);
#endif
        sl_allocator a = ctx->allocator;
        if (a.user == &ctx->blocks) {
            sl_block_cache_clear(&ctx->blocks);
            free(ctx);
        } else {
            (void)a.resize(a.user, ctx, sizeof *ctx, 0);
        }
    }
}

void sl_log(sl_context *ctx, sl_severity severity, const char *fmt, ...) {
    if (!ctx || !ctx->def.log) {
        return;
    }
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    ctx->def.log(ctx->def.log_user, severity, text);
}

bool sl_progress_report(sl_context *ctx, const char *phase, double done, double total) {
    if (!ctx || !ctx->def.progress) {
        return true;
    }
    sl_progress p = {phase, done, total};
    return ctx->def.progress(ctx->def.progress_user, &p);
}
