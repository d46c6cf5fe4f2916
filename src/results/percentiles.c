/* SPDX-License-Identifier: MIT */
/* percentiles.c: percentiles from counts; see percentiles.h. */
#include "results/percentiles.h"

#include <math.h>

#include "base/memory.h"

static const size_t n_byte = SL_PERCENTILE_BINS * sizeof(uint64_t);

sl_status sl_percentiles_init(sl_percentiles *p, sl_context *ctx) {
    *p = (sl_percentiles){.ctx = ctx, .count = sl_alloc(ctx, n_byte), .min = INFINITY, .max = -INFINITY};
    return p->count ? SL_OK : SL_ERR_MEMORY;
}

void sl_percentiles_fini(sl_percentiles *p) {
    if (p->count) {
        sl_free(p->ctx, p->count, n_byte);
    }
    *p = (sl_percentiles){0};
}

SL_SIMD(uint64_t, sum_of, (const uint64_t *count, int32_t n), (count, n)) {
    uint64_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int32_t i = 0; i < n; i++) {
        sum += count[i];
    }
    return sum;
}

double sl_percentiles_get(const sl_percentiles *p, double share) {
    if (p->n == 0) {
        return (double)NAN;
    }
    /* The nearest rank: the least value that at least this share does not exceed. */
    double wanted = ceil(share * (double)p->n);
    uint64_t rank = wanted > 1.0 ? (uint64_t)wanted : 1, below = 0;
    int32_t i = sl_percentile_bin(p->min); /* the ten thousand empty ones before it were a fourteenth of a run of ky4 */
    enum { MANY = 256 };
    for (uint64_t sum; i + MANY <= SL_PERCENTILE_BINS && below + (sum = sum_of(p->count + i, MANY)) < rank; i += MANY) {
        below += sum;
    }
    while (below + p->count[i] < rank) {
        below += p->count[i++];
    }
    if (i == 0 || i == SL_PERCENTILE_BINS - 1) {
        return i == 0 ? p->min : p->max;
    }
    /* Those of one step are taken as spread evenly over it. */
    double within = ((double)(rank - below) - 0.5) / (double)p->count[i];
    double x = SL_PERCENTILE_FIRST + SL_PERCENTILE_WIDTH * ((double)i + within);
    return fmin(fmax(x, p->min), p->max);
}
