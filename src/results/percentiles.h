/* SPDX-License-Identifier: MIT */
/* percentiles.h: percentiles of pressures without keeping them: counts in steps of 1 cm from -100 m to 555 m, 512 KB in all, however
 * many values there are. A percentile is right to 1 cm; beyond the steps it is the least or greatest value. */
#ifndef SL_RESULTS_PERCENTILES_H
#define SL_RESULTS_PERCENTILES_H

#include "base/simd.h"

#include <sluice/base.h>

enum { SL_PERCENTILE_BINS = 1 << 16 };
#define SL_PERCENTILE_FIRST (-100.0) /* [m] */
#define SL_PERCENTILE_WIDTH 0.01     /* [m] */

typedef struct sl_percentiles {
    sl_context *ctx;
    uint64_t *count; /* [SL_PERCENTILE_BINS]; values beyond are in the first and the last */
    uint64_t n;
    double min, max;
} sl_percentiles;

sl_status sl_percentiles_init(sl_percentiles *p, sl_context *ctx);
void sl_percentiles_fini(sl_percentiles *p);
static SL_INLINE int32_t sl_percentile_bin(double x) {
    double bin = (x - SL_PERCENTILE_FIRST) / SL_PERCENTILE_WIDTH;
    bin = bin > 0.0 ? bin : 0.0;
    return (int32_t)(bin < SL_PERCENTILE_BINS - 1 ? bin : SL_PERCENTILE_BINS - 1);
}
/* Not a NaN. */
static inline void sl_percentiles_add(sl_percentiles *p, double x) {
    p->count[sl_percentile_bin(x)]++;
    p->n++;
    p->min = x < p->min ? x : p->min;
    p->max = x > p->max ? x : p->max;
}
/* Values between the least and the greatest so far, by their bins. */
static inline void sl_percentiles_count(sl_percentiles *p, const int32_t *bin, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        p->count[bin[i]]++;
    }
    p->n += (uint64_t)n;
}
/* The value that the share (0 to 1) of all values does not exceed; NaN: there are none. */
double sl_percentiles_get(const sl_percentiles *p, double share);

#endif
