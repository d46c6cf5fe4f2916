/* SPDX-License-Identifier: MIT */
/* random_results.h: results of any form, for tests of formats: made, written, and compared with what was read back. */
#ifndef RANDOM_RESULTS_H
#define RANDOM_RESULTS_H

#include "sl_test.h"

#include "results/format.h"

typedef struct random_results {
    uint64_t seed;
    sl_arena arena;
    sl_results_layout layout;
    sl_results_end end;
    int64_t n_frame, n_event;
    double *times;
    int32_t *executions;
    double ***values; /* [frame][quantity] */
    sl_event_info *events;
    int32_t n_quantity;
} random_results;

/* large: a group with some thousand elements. */
void random_results_make(random_results *x, sl_context *ctx, uint64_t seed, bool large);
void random_results_free(random_results *x);
sl_status random_results_write(const random_results *x, sl_context *ctx, const sl_results_target *target,
                               sl_diags *diags);
/* Everything equal, bit for bit, by frames and by series. */
void random_results_compare(const random_results *x, sl_results *r);

/* Bytes in memory as a source. */
sl_source_bytes random_results_source(const sl_str *bytes);

#endif
