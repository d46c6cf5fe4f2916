/* SPDX-License-Identifier: MIT */
/* kernel.c: segments: what leaves each point along the characteristics, and what the inner points become.
 *
 * A wave that leaves a point carries H + B Q - (1-w) r Q forth and H - B Q + (1-w) r Q back, w = 1/2 for the trapezoidal
 * rule; where it arrives, it meets H + B Q + w r Q and H - B Q - w r Q. So an inner point has H = (C+ + C-)/2 and
 * Q = (C+ - C-)/2 / (B + w r), with r at the new flow: predicted with the old r, then corrected. The friction of a point
 * acts on both waves alike and leaves its head alone: no water is lost (docs/theory/surge.md, "What is conserved").
 * Ends have r of their old flow, so that the nodes see straight lines.
 */
#include "surge/impl.h"

#include "base/context.h"
#include "base/pool.h"
#include "numeric/vecmath.h"

enum { BLOCK = 16 }; /* segments that one thread does at a time */

SL_SIMD(void, leave,
        (int64_t n, double b, double w, const double *restrict h, const double *restrict qin,
         const double *restrict qout, const double *restrict r, double *restrict forth, double *restrict back),
        (n, b, w, h, qin, qout, r, forth, back)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double z = b - w * r[i];
        forth[i] = h[i] + z * qout[i];
        back[i] = h[i] - z * qin[i];
    }
}

/* From the points left and right of each; with a Courant number below 1 from between. */
SL_SIMD(void, arrive,
        (int64_t n, double courant, double offset, const double *restrict forth, const double *restrict back,
         double *restrict cp, double *restrict cm),
        (n, courant, offset, forth, back, cp, cm)) {
    double stay = 1.0 - courant;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        cp[i + 1] = stay * forth[i + 1] + courant * forth[i] - offset;
        cm[i] = stay * back[i] + courant * back[i + 1] + offset;
    }
}

static void arrive_whole(int64_t n, double offset, const double *restrict forth, const double *restrict back,
                         double *restrict cp, double *restrict cm) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        cp[i + 1] = forth[i] - offset;
        cm[i] = back[i + 1] + offset;
    }
}

SL_SIMD(void, predict,
        (int64_t n, double b, double w, const double *restrict cp, const double *restrict cm, const double *restrict r,
         double *restrict h, double *restrict q),
        (n, b, w, cp, cm, r, h, q)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        h[i] = 0.5 * (cp[i] + cm[i]);
        q[i] = 0.5 * (cp[i] - cm[i]) / (b + w * r[i]);
    }
}

SL_SIMD(void, correct,
        (int64_t n, double b, double w, const double *restrict cp, const double *restrict cm, const double *restrict r,
         double *restrict qin, double *restrict qout),
        (n, b, w, cp, cm, r, qin, qout)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double q = 0.5 * (cp[i] - cm[i]) / (b + w * r[i]);
        qin[i] = q;
        qout[i] = q;
    }
}

SL_SIMD(void, envelope,
        (int64_t n, double t, const double *restrict h, const double *restrict old_max, const double *restrict old_min,
         const double *restrict old_tmax, const double *restrict old_tmin, double *restrict hmax, double *restrict hmin,
         double *restrict tmax, double *restrict tmin),
        (n, t, h, old_max, old_min, old_tmax, old_tmin, hmax, hmin, tmax, tmin)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        hmax[i] = h[i] > old_max[i] ? h[i] : old_max[i];
        tmax[i] = h[i] > old_max[i] ? t : old_tmax[i];
        hmin[i] = h[i] < old_min[i] ? h[i] : old_min[i];
        tmin[i] = h[i] < old_min[i] ? t : old_tmin[i];
    }
}

static void envelope_of(const sl_surge_run *e, int64_t at, int64_t n) {
    const sl_surge_state *b = &e->before;
    const sl_surge_state *s = &e->now;
    envelope(n, s->x->time, s->head + at, b->hmax + at, b->hmin + at, b->tmax + at, b->tmin + at, s->hmax + at,
             s->hmin + at, s->tmax + at, s->tmin + at);
}

static void inner_of(sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    sl_surge_state *s = &e->now;
    int64_t at = g->at, n = g->n;
    double *forth = e->forth + at, *back = e->back + at, *cp = e->cp + at, *cm = e->cm + at, w = m->implicit;
    leave(n + 1, g->b, 1.0 - w, b->head + at, b->qin + at, b->qout + at, b->r + at, forth, back);
    sl_surge_friction_feet(e, g, forth, back);
    sl_surge_smooth(e, g, forth, back);
    if (g->courant == 1.0) {
        arrive_whole(n, g->loss.offset, forth, back, cp, cm);
    } else {
        arrive(n, g->courant, g->loss.offset, forth, back, cp, cm);
    }
    sl_surge_slope(m, &g->loss, 1, b->qin + at, s->r + at);
    sl_surge_slope(m, &g->loss, 1, b->qout + at + n, s->r + at + n);
    int64_t k = at + 1;
    predict(n - 1, g->b, w, cp + 1, cm + 1, b->r + k, s->head + k, s->qin + k);
    sl_surge_slope(m, &g->loss, n - 1, s->qin + k, s->r + k);
    correct(n - 1, g->b, w, cp + 1, cm + 1, s->r + k, s->qin + k, s->qout + k);
    if (s->cavity) {
        sl_surge_cavities(e, g);
    }
}

static void inner_block(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    sl_surge_run *e = user;
    for (int64_t k = begin; k < end; k++) {
        inner_of(e, &e->m->segments[k]);
    }
}

void sl_surge_inner(sl_surge_run *e) {
    sl_pool_for(e->ctx->pool, e->m->n_segment, BLOCK, inner_block, e);
}

static void outer_of(sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    int64_t first = g->at, last = g->at + g->n;
    double w = m->implicit;
    s->head[first] = s->node_head[g->from];
    s->head[last] = s->node_head[g->to];
    s->qin[first] = s->qout[first] = (s->head[first] - e->cm[first]) / (g->b + w * s->r[first]);
    s->qin[last] = s->qout[last] = (e->cp[last] - s->head[last]) / (g->b + w * s->r[last]);
    if (s->cavity) {
        s->cavity[first] = s->cavity[last] = 0.0; /* belongs to the nodes */
    }
    envelope_of(e, first, g->n + 1);
    sl_surge_friction_remember(e, g);
}

static void outer_block(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    sl_surge_run *e = user;
    for (int64_t k = begin; k < end; k++) {
        outer_of(e, &e->m->segments[k]);
    }
}

void sl_surge_outer(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_pool_for(e->ctx->pool, m->n_segment, BLOCK, outer_block, e);
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        if (m->pipe[k].rigid) {
            int64_t at = m->point_start[k];
            sl_surge_state *s = &e->now;
            double q = s->joint_flow[m->joint_of_link[k]];
            s->head[at] = s->node_head[m->net->link_from[k]];
            s->head[at + 1] = s->node_head[m->net->link_to[k]];
            s->qin[at] = s->qout[at] = s->qin[at + 1] = s->qout[at + 1] = q;
            envelope_of(e, at, 2);
        }
    }
}
