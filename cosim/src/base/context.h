/* SPDX-License-Identifier: MIT */
/* context.h: what a context holds, for the library's own files. */
#ifndef SL_BASE_CONTEXT_H
#define SL_BASE_CONTEXT_H

#include <sluice/base.h>

#include "base/block_cache.h"

struct sl_context {
    sl_context_def def;
    sl_allocator allocator;
    struct sl_pool *pool;  /* NULL with one thread */
    sl_block_cache blocks; /* of malloc's; empty with another allocator */
};

/* Steps and reports of a run; more are refused as a slip, times the context's effort. */
#define SL_STEPS_MOST 1e8

/* Log a line (printf). */
void sl_log(sl_context *ctx, sl_severity severity, const char *fmt, ...) SL_PRINTF(3, 4);
/* Report progress; false: the caller of the library wants to stop, return SL_ERR_CANCELLED. */
bool sl_progress_report(sl_context *ctx, const char *phase, double done, double total);

#endif
