/* SPDX-License-Identifier: MIT */
/* moving.h: a batch of quality steps under way, for transport.c (nodes) and passage.c (pipes). */
#ifndef SL_QUALITY_MOVING_H
#define SL_QUALITY_MOVING_H

#include "base/simd.h"
#include "quality/impl.h"

typedef struct sl_quality_batch {
    sl_quality *q;
    sl_quality_state *s;
    int32_t n, whole;       /* quality steps; those that are as long as may be, before the last one */
    int32_t stride;         /* of what arrives at nodes */
    int32_t from, to;       /* those of them that are being made: all, or one in a circle */
    double dt[SL_BATCH];    /* of each; 0 beyond */
    double over[SL_BATCH];  /* the same; 1 beyond: to divide by */
    double clock[SL_BATCH]; /* at the end of each */
    double clocks;          /* clock times dt, all of them together */
    double c[SL_BATCH];     /* what the node sends */
    sl_quality_ledger sum;
    sl_status status;
} sl_quality_batch;

/* Loops over the steps of a batch go by fours, for the sake of vectors: a few more than there are do no harm, being 0. */
enum { FOUR = 4 };

static SL_INLINE int length_of(const sl_quality_batch *w, int32_t j) {
    return j < w->whole ? SL_WHOLE_STEP : SL_LAST_STEP;
}

/* passage.c: a pipe in which water flows, in the steps being made: it takes w->c and adds the mass that it gives to `out`. */
void sl_quality_through_pipe(sl_quality_batch *w, sl_quality_incidence p, double *out);
/* A pipe in which nothing flows. */
void sl_quality_react_at_no_flow(sl_quality_batch *w, int32_t pipe);

#endif
