/* SPDX-License-Identifier: MIT */
/* moving.h: a batch of quality steps under way, for transport.c (nodes) and passage.c (pipes). */
#ifndef SL_QUALITY_MOVING_H
#define SL_QUALITY_MOVING_H

#include "base/simd.h"
#include "quality/impl.h"

/* Quality steps of one length, as many as follow each other. */
typedef struct sl_quality_span {
    int32_t from, to;
    int length; /* SL_WHOLE_STEP or SL_LAST_STEP */
    double dt;
    const sl_pipe_change *change; /* [n_pipe]; NULL: pipes are not of first order */
} sl_quality_span;

typedef struct sl_quality_batch {
    sl_quality *q;
    sl_quality_state *s;
    int32_t n, whole; /* quality steps; those that are as long as may be, before the last one */
    int32_t stride;   /* of what arrives at nodes */
    int32_t from, to; /* those of them that are being made: all, or one in a circle */
    sl_quality_span span[SL_STEP_LENGTHS];
    int32_t n_span;
    double dt[SL_BATCH];    /* of each; 0 beyond */
    double over[SL_BATCH];  /* the same; 1 beyond: to divide by */
    double clock[SL_BATCH]; /* at the end of each */
    double clocks;          /* clock times dt, all of them together */
    double c[SL_BATCH];     /* what the node sends */
    /* Of q, s and the network, for every pipe that is met. */
    const double *flow, *outflow;
    sl_row *row;
    sl_quality_decay *fade;
    double *rate, *arrived, *arrived_at, *node_c;
    const int32_t *source_at; /* NULL: no sources */
    double tolerance;
    int32_t n_pipe, n_junction;
    int32_t traced;       /* a node, or -1 */
    bool reacts, creates; /* something happens in pipes; and makes something of nothing */
    sl_quality_ledger sum;
    sl_status status;
} sl_quality_batch;

/* Loops over the steps of a batch go by pairs, for the sake of vectors: one more than there are does no harm, being 0. */
enum { PAIR = 2 };

static SL_INLINE int length_of(const sl_quality_batch *w, int32_t j) {
    return j < w->whole ? SL_WHOLE_STEP : SL_LAST_STEP;
}

/* passage.c: a pipe in which water flows, in the steps being made: it takes w->c and adds the mass that it gives to `out`. */
void sl_quality_through_pipe(sl_quality_batch *w, sl_quality_incidence p, double flow, double *restrict out);
/* A pipe in which nothing flows. */
void sl_quality_react_at_no_flow(sl_quality_batch *w, int32_t pipe);

#endif
