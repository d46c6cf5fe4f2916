/* SPDX-License-Identifier: MIT */
/* kernel.c: segments in a step: what arrives at each point, from what left its neighbours; their ends once the nodes are known.
 *
 * A wave that leaves a point carries H + B Q - (1-w) r Q forth and H - B Q + (1-w) r Q back, w = 1/2 for the trapezoidal
 * rule; where it arrives, it meets H + B Q + w r Q and H - B Q - w r Q. So an inner point has H = (C+ + C-)/2 and
 * Q = (C+ - C-)/2 / (B + w r), with r at the new flow: predicted with the old r, then corrected. The friction of a point
 * acts on both waves alike and leaves its head alone: no water is lost (docs/theory/surge.md, "What is conserved").
 * Ends have r of their old flow, so that the nodes see straight lines.
 *
 * A state keeps C+, C- and s = B/(B + w r). With r = k|Q| prediction and correction are one division,
 *     s' = 1/(1 + x),  x = kappa |C+ - C-| s,  kappa = w k/(2 B^2)
 * and a point of liquid sends C- + s (C+ - C-) forth and C+ - s (C+ - C-) back: one loop does it all, together with the
 * highest and lowest heads of the state that the step begins from, and the least head of the new one against that of vapour.
 * Up to X_SMALL a product takes the place of the division, which would take half of the time:
 *     1/(1 + x) = (1 - x)(1 + x^2)(1 + x^4)/(1 - x^8)
 * A tile with a larger x is divided.
 * Other laws, gas and memory go by passes (passes.c).
 */
#include "surge/points.h"

#include "base/context.h"
#include "base/pool.h"
#include "base/simd.h"

#include <math.h>

enum { TILES = 16, GROUPS = 64 /* that one thread does at a time, at most */ };

/* What a loop over inner points found. */
typedef struct found {
    double low;    /* the least of twice the new heads */
    double beyond; /* by how much an old head passes those so far, at most */
    double x;      /* the largest x */
} found;
#define X_SMALL 0.009 /* x^8 < 5e-17 */

static SL_INLINE double ease_small(double x) {
    double x2 = x * x;
    return (1.0 - x) * ((1.0 + x2) * (1.0 + x2 * x2));
}

/* ---- Inner points ------------------------------------------------------------------------------- */

/* The same by lanes of vectors: a largest value over all would be one only where rounding has no order. */
enum { LANES = SL_SURGE_LANES };
typedef struct strands {
    double low[LANES], beyond[LANES], x[LANES];
} strands;

static SL_INLINE strands strands_begin(void) {
    strands f;
    for (int l = 0; l < LANES; l++) {
        f.low[l] = (double)INFINITY;
        f.beyond[l] = -(double)INFINITY;
        f.x[l] = 0.0;
    }
    return f;
}

static SL_INLINE found strands_end(strands *f) {
    for (int n = LANES / 2; n > 0; n /= 2) {
        for (int l = 0; l < n; l++) {
            f->low[l] = f->low[l + n] < f->low[l] ? f->low[l + n] : f->low[l];
            f->beyond[l] = f->beyond[l + n] > f->beyond[l] ? f->beyond[l + n] : f->beyond[l];
            f->x[l] = f->x[l + n] > f->x[l] ? f->x[l + n] : f->x[l];
        }
    }
    return (found){f->low[0], f->beyond[0], f->x[0]};
}

/* What is read and written of a segment or of several side by side, from the first inner point on. */
typedef struct rows {
    const double *kappa, *offset, *vapour; /* of each lane; vapour: of cells */
    const double *p, *m, *s, *hmax, *hmin; /* the old state and the history */
    double *plus, *minus, *ease;           /* the new state */
} rows;

/* One cell, whose neighbours are `far` away, in lane l of a vector; k: the lane of its segment. torn: an old head here or there may
 * be that of vapour; keeps: envelopes are. */
static SL_INLINE void cell(const rows *r, int64_t i, int64_t far, int l, int k, bool torn, bool keeps, strands *f) {
    const double *p = r->p, *m = r->m, *s = r->s;
    int64_t left = i - far, right = i + far;
    double forth = p[left] - m[left], back = p[right] - m[right], at = p[i] + m[i];
    if (torn) {
        double v0 = 2.0 * r->vapour[left], v1 = 2.0 * r->vapour[right], v = 2.0 * r->vapour[i];
        forth = p[left] + m[left] < v0 ? v0 - 2.0 * m[left] : forth;
        back = p[right] + m[right] < v1 ? 2.0 * p[right] - v1 : back;
        at = at < v ? v : at;
    }
    double a = m[left] + s[left] * forth - r->offset[k], b = p[right] - s[right] * back + r->offset[k], sum = a + b;
    double x = r->kappa[k] * fabs(a - b) * s[i];
    r->plus[i] = a;
    r->minus[i] = b;
    r->ease[i] = ease_small(x);
    if (keeps) {
        double h = 0.5 * at, over = h - r->hmax[i], under = r->hmin[i] - h;
        over = over > under ? over : under;
        f->beyond[l] = over > f->beyond[l] ? over : f->beyond[l];
    }
    f->low[l] = sum < f->low[l] ? sum : f->low[l];
    f->x[l] = x > f->x[l] ? x : f->x[l];
}

/* n cells of one segment. The last vector is a whole one that is computed beside it and written as far as it counts: what it reads
 * beyond the end is there, and belongs to nobody. */
static SL_INLINE found line(int64_t n, rows r, bool torn, bool keeps) {
    strands f = strands_begin();
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            cell(&r, i + l, 1, l, 0, torn, keeps, &f);
        }
    }
    if (i < n) {
        double plus[LANES], minus[LANES], ease[LANES];
        rows last = {r.kappa,
                     r.offset,
                     r.vapour + i,
                     r.p + i,
                     r.m + i,
                     r.s + i,
                     keeps ? r.hmax + i : NULL,
                     keeps ? r.hmin + i : NULL,
                     plus,
                     minus,
                     ease};
        strands g = strands_begin();
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            cell(&last, l, 1, l, 0, torn, keeps, &g);
        }
        for (int l = 0; i < n; i++, l++) {
            r.plus[i] = plus[l];
            r.minus[i] = minus[l];
            r.ease[i] = ease[l];
            f.low[l] = g.low[l] < f.low[l] ? g.low[l] : f.low[l];
            f.beyond[l] = g.beyond[l] > f.beyond[l] ? g.beyond[l] : f.beyond[l];
            f.x[l] = g.x[l] > f.x[l] ? g.x[l] : f.x[l];
        }
    }
    return strands_end(&f);
}

/* n cells of segments side by side. */
static SL_INLINE found side_by_side(int64_t n, rows r, bool torn, bool keeps) {
    strands f = strands_begin();
    for (int64_t i = 0; i < n; i += LANES) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            cell(&r, i + l, LANES, l, l, torn, keeps, &f);
        }
    }
    return strands_end(&f);
}

SL_SIMD(found, line_whole, (int64_t n, rows r), (n, r)) {
    return line(n, r, false, true);
}
SL_SIMD(found, line_whole_only, (int64_t n, rows r), (n, r)) {
    return line(n, r, false, false);
}
SL_SIMD(found, line_torn, (int64_t n, rows r), (n, r)) {
    return line(n, r, true, true);
}
SL_SIMD(found, line_torn_only, (int64_t n, rows r), (n, r)) {
    return line(n, r, true, false);
}
SL_SIMD(found, lanes_whole, (int64_t n, rows r), (n, r)) {
    return side_by_side(n, r, false, true);
}
SL_SIMD(found, lanes_whole_only, (int64_t n, rows r), (n, r)) {
    return side_by_side(n, r, false, false);
}
SL_SIMD(found, lanes_torn, (int64_t n, rows r), (n, r)) {
    return side_by_side(n, r, true, true);
}
SL_SIMD(found, lanes_torn_only, (int64_t n, rows r), (n, r)) {
    return side_by_side(n, r, true, false);
}

/* By: envelopes are kept; lanes; an old head may be that of vapour. */
static found (*const loops[2][2][2])(int64_t n, rows r) = {
    {{line_whole_only, line_torn_only}, {lanes_whole_only, lanes_torn_only}},
    {{line_whole, line_torn}, {lanes_whole, lanes_torn}}};

SL_SIMD(void, heads,
        (int64_t n, const double *restrict v, const double *restrict p, const double *restrict m,
         double *restrict head),
        (n, v, p, m, head)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double sum = p[i] + m[i], low = 2.0 * v[i];
        head[i] = 0.5 * (sum < low ? low : sum);
    }
}

SL_SIMD(void, divide,
        (int64_t n, int64_t n_lane, const double *restrict kappa, const double *restrict plus,
         const double *restrict minus, const double *restrict s, double *restrict ease),
        (n, n_lane, kappa, plus, minus, s, ease)) {
    double k[SL_SURGE_LANES];
    for (int l = 0; l < SL_SURGE_LANES; l++) {
        k[l] = kappa[l % n_lane];
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        ease[i] = 1.0 / (1.0 + k[i % SL_SURGE_LANES] * fabs(plus[i] - minus[i]) * s[i]);
    }
}

/* Rows of a group, and what is beyond the heads so far into the history. */
static double move_rows(sl_surge_run *e, const sl_surge_group *g, const sl_surge_tile *t, bool torn) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = e->before, *s = e->now;
    const sl_surge_history *h = &e->history;
    int64_t i = g->cell + (int64_t)t->begin * g->lanes, n = (int64_t)(t->end - t->begin) * g->lanes;
    const double *kappa = m->kappa + g->first, *v = m->cell_vapour + i;
    rows r = {.kappa = kappa,
              .offset = m->offset + g->first,
              .vapour = v,
              .p = b->plus + i,
              .m = b->minus + i,
              .s = b->ease + i,
              .hmax = e->takes ? h->hmax + i : NULL,
              .hmin = e->takes ? h->hmin + i : NULL,
              .plus = s->plus + i,
              .minus = s->minus + i,
              .ease = s->ease + i};
    found f = loops[e->takes][g->lanes > 1][torn](n, r);
    if (!(f.x <= X_SMALL)) {
        divide(n, g->lanes, kappa, s->plus + i, s->minus + i, b->ease + i, s->ease + i);
    }
    if (e->takes && f.beyond > 0.0) {
        double head[SL_SURGE_TILE];
        heads(n, v, b->plus + i, b->minus + i, head);
        sl_surge_history_heads(h, i, n, b->x->time, head);
    }
    return f.low;
}

/* ---- Ends --------------------------------------------------------------------------------------- */

/* What arrives at the ends of segments side by side, n reaches away from each other, and how these admit it. */
SL_SIMD(double, ends,
        (int64_t n_lane, int64_t far, const double *restrict kappa, const double *restrict offset,
         const double *restrict inverse_b, const double *restrict v, const double *restrict p, const double *restrict m,
         const double *restrict s, const double *restrict hmax, const double *restrict hmin, double *restrict plus,
         double *restrict minus, double *restrict ease, double *restrict arrive_from, double *restrict arrive_to,
         double *restrict admit_from, double *restrict admit_to),
        (n_lane, far, kappa, offset, inverse_b, v, p, m, s, hmax, hmin, plus, minus, ease, arrive_from, arrive_to,
         admit_from, admit_to)) {
    double over[LANES] = {0};
#pragma omp simd
    for (int64_t l = 0; l < n_lane; l++) {
        int64_t in = l + n_lane, out = l + far - n_lane, end = l + far;
        double left = 2.0 * v[out], right = 2.0 * v[in];
        double x = p[out] + m[out] < left ? left - 2.0 * m[out] : p[out] - m[out];
        double y = p[in] + m[in] < right ? 2.0 * p[in] - right : p[in] - m[in];
        double a = m[out] + s[out] * x - offset[l], b = p[in] - s[in] * y + offset[l];
        double s0 = 1.0 / (1.0 + kappa[l] * fabs(p[l] - m[l]) * s[l]);
        double s1 = 1.0 / (1.0 + kappa[l] * fabs(p[end] - m[end]) * s[end]);
        minus[l] = b;
        plus[end] = a;
        ease[l] = s0;
        ease[end] = s1;
        arrive_from[l] = b;
        arrive_to[l] = a;
        admit_from[l] = s0 * inverse_b[l];
        admit_to[l] = s1 * inverse_b[l];
        double h0 = 0.5 * (p[l] + m[l]), h1 = 0.5 * (p[end] + m[end]);
        double over0 = h0 - hmax[l], under0 = hmin[l] - h0, over1 = h1 - hmax[end], under1 = hmin[end] - h1;
        over0 = over0 > under0 ? over0 : under0;
        over1 = over1 > under1 ? over1 : under1;
        over[l] = over0 > over1 ? over0 : over1;
    }
    double beyond = over[0];
    for (int64_t l = 1; l < n_lane; l++) {
        beyond = over[l] > beyond ? over[l] : beyond;
    }
    return beyond;
}

static void move_ends(sl_surge_run *e, const sl_surge_group *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = e->before, *s = e->now;
    int64_t i = g->cell, k = g->first, far = (int64_t)g->n * g->lanes;
    const double *top = e->takes ? e->history.hmax + i : b->plus + i; /* else anything: its answer does not count */
    const double *bottom = e->takes ? e->history.hmin + i : b->plus + i;
    double beyond = ends(g->lanes, far, m->kappa + k, m->offset + k, m->inverse_b + k, m->cell_vapour + i, b->plus + i,
                         b->minus + i, b->ease + i, top, bottom, s->plus + i, s->minus + i, s->ease + i, e->arrive + k,
                         e->arrive + m->n_segment + k, e->admit + k, e->admit + m->n_segment + k);
    if (beyond > 0.0 && e->takes) { /* heads of nodes */
        double head[SL_SURGE_LANES];
        for (int64_t row = i; row <= i + far; row += far) {
            heads(g->lanes, m->cell_vapour + row, b->plus + row, b->minus + row, head);
            sl_surge_history_heads(&e->history, row, g->lanes, b->x->time, head);
        }
    }
}

/* ---- Tiles -------------------------------------------------------------------------------------- */

/* Points of the new state below their vapour head, and the growth there that is forgotten. */
static void count_torn(sl_surge_run *e, int32_t tile) {
    const sl_surge_model *m = e->m;
    const sl_surge_tile *t = &m->tiles[tile];
    const sl_surge_group *g = &m->groups[t->group];
    double n = 0.0, growth = 0.0;
    for (int32_t l = 0; l < g->lanes; l++) {
        const sl_surge_segment *segment = &m->segments[g->first + l];
        for (int32_t j = t->begin; j < t->end; j++) {
            int64_t i = sl_surge_cell(segment, j);
            bool torn = e->now->plus[i] + e->now->minus[i] < 2.0 * m->cell_vapour[i];
            n += torn ? 1.0 : 0.0;
            growth += torn ? sl_surge_growth_at(m, e->now, segment, i) : 0.0;
        }
    }
    e->tile_torn[tile] = n;
    e->tile_clamped[tile] = growth;
}

static void move_tile(sl_surge_run *e, int32_t tile) {
    const sl_surge_model *m = e->m;
    const sl_surge_tile *t = &m->tiles[tile];
    const sl_surge_group *g = &m->groups[t->group];
    if (t->end > t->begin) {
        double low = move_rows(e, g, t, sl_surge_seen(e->before, t->group));
        if (low < t->vapour) {
            count_torn(e, tile);
        }
    }
    if (t->begin == 1) {
        move_ends(e, g);
    }
}

static void inner_tiles(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    sl_surge_run *e = user;
    for (int64_t k = begin; k < end; k++) {
        e->tile_torn[k] = e->tile_clamped[k] = 0.0;
        if (e->m->plain) {
            move_tile(e, (int32_t)k);
        } else {
            sl_surge_tile_passes(e, (int32_t)k);
        }
    }
}

static void smooth_groups(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    sl_surge_run *e = user;
    for (int64_t k = begin; k < end; k++) {
        if (sl_surge_smooths(e, (int32_t)k)) {
            sl_surge_leave_smooth(e, (int32_t)k);
        }
    }
}

/* Few tiles are shared out one by one. */
static int64_t tiles_at_a_time(const sl_surge_run *e) {
    int64_t share = e->m->n_tile / (8 * (int64_t)sl_pool_threads(e->ctx->pool));
    return share < 1 ? 1 : share < TILES ? share : TILES;
}

void sl_surge_inner(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_history_step(e);
    if (e->now->cavity) {
        sl_pool_for(e->ctx->pool, m->n_group, GROUPS, smooth_groups, e);
    }
    sl_pool_for(e->ctx->pool, m->n_tile, tiles_at_a_time(e), inner_tiles, e);
    double step = (double)e->now->x->n_step;
    for (int32_t k = 0; k < m->n_group; k++) {
        e->now->seen[k] = e->before->seen[k];
    }
    for (int32_t k = 0; k < m->n_tile && sl_surge_has_cavities(m); k++) {
        if (e->tile_torn[k] > 0.0) {
            e->now->seen[m->tiles[k].group] = step;
            e->now->x->balance.clamped += m->def.cavitation == SL_SURGE_CLAMP ? m->dt * e->tile_clamped[k] : 0.0;
        }
    }
}

/* ---- Ends once the nodes are known -------------------------------------------------------------- */

/* Writes what nodes send into segments side by side; returns the work done on these. */
SL_SIMD(double, close,
        (int64_t n_lane, int64_t far, const double *restrict node_head, const int32_t *restrict from,
         const int32_t *restrict to, const double *restrict admit_from, const double *restrict admit_to,
         const double *restrict datum, double *restrict plus, double *restrict minus),
        (n_lane, far, node_head, from, to, admit_from, admit_to, datum, plus, minus)) {
    double work[SL_SURGE_LANES];
#pragma omp simd
    for (int64_t l = 0; l < n_lane; l++) {
        double h0 = node_head[from[l]], h1 = node_head[to[l]];
        double q0 = (h0 - minus[l]) * admit_from[l], q1 = (plus[far + l] - h1) * admit_to[l];
        plus[l] = 2.0 * h0 - minus[l];
        minus[far + l] = 2.0 * h1 - plus[far + l];
        work[l] = (h0 - datum[l]) * q0 - (h1 - datum[l]) * q1;
    }
    double sum = 0.0;
    for (int64_t l = 0; l < n_lane; l++) {
        sum += work[l];
    }
    return sum;
}

static void outer_groups(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)block;
    sl_surge_run *e = user;
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    for (int64_t k = begin; k < end; k++) {
        const sl_surge_group *g = &m->groups[k];
        int64_t i = g->cell, far = (int64_t)g->n * g->lanes, first = g->first;
        e->group_work[k] =
            close(g->lanes, far, s->node_head, m->node_from + first, m->node_to + first, e->admit + first,
                  e->admit + m->n_segment + first, m->datum + first, s->plus + i, s->minus + i);
        for (int32_t l = 0; l < g->lanes && s->head; l++) {
            s->head[i + l] = s->node_head[m->node_from[first + l]];
            s->head[i + far + l] = s->node_head[m->node_to[first + l]];
        }
        if (m->n_memory > 0) {
            sl_surge_friction_remember(e, &m->segments[first], 0, 1);
            sl_surge_friction_remember(e, &m->segments[first], g->n, g->n + 1);
        }
    }
}

void sl_surge_outer(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_pool_for(e->ctx->pool, m->n_group, GROUPS, outer_groups, e);
    double work = 0.0;
    for (int32_t k = 0; k < m->n_group; k++) {
        work += e->group_work[k];
    }
    e->now->x->balance.work += m->fluid.density * m->fluid.gravity * m->dt * work;
}
