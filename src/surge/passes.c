/* SPDX-License-Identifier: MIT */
/* passes.c: a tile of one segment by passes: what leaves its points and their neighbours, what arrives, friction, cavities. For
 * laws that the one loop of kernel.c does not know; what is passed on stays in the first cache. Inner points begin at a whole vector;
 * passes end with one too: what they write beyond the last inner point is written again or not used.
 */
#include "surge/points.h"

#include "base/simd.h"

#include <math.h>

enum { EIGHT = SL_SURGE_LANES };

/* Liquid, or clamped at the vapour head v. */
SL_SIMD(void, leave_liquid,
        (int64_t n, const double *restrict v, const double *restrict p, const double *restrict m,
         const double *restrict s, double *restrict forth, double *restrict back, double *restrict head),
        (n, v, p, m, s, forth, back, head)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double low = 2.0 * v[i], sum = p[i] + m[i];
        double x = sum < low ? low - 2.0 * m[i] : p[i] - m[i], y = sum < low ? 2.0 * p[i] - low : p[i] - m[i];
        forth[i] = m[i] + s[i] * x;
        back[i] = p[i] - s[i] * y;
        head[i] = 0.5 * (sum < low ? low : sum);
    }
}

/* At a head of its own. */
SL_SIMD(void, leave_torn,
        (int64_t n, const double *restrict h, const double *restrict p, const double *restrict m,
         const double *restrict s, double *restrict forth, double *restrict back),
        (n, h, p, m, s, forth, back)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        forth[i] = m[i] + 2.0 * s[i] * (h[i] - m[i]);
        back[i] = p[i] - 2.0 * s[i] * (p[i] - h[i]);
    }
}

/* At the points between their neighbours; with a Courant number below 1 from between points. */
SL_SIMD(void, arrive,
        (int64_t n, double courant, double offset, const double *restrict forth, const double *restrict back,
         double *restrict plus, double *restrict minus),
        (n, courant, offset, forth, back, plus, minus)) {
    double stay = 1.0 - courant;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        plus[i] = stay * forth[i] + courant * forth[i - 1] - offset;
        minus[i] = stay * back[i] + courant * back[i + 1] + offset;
    }
}

SL_SIMD(void, arrive_whole,
        (int64_t n, double offset, const double *restrict forth, const double *restrict back, double *restrict plus,
         double *restrict minus),
        (n, offset, forth, back, plus, minus)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        plus[i] = forth[i - 1] - offset;
        minus[i] = back[i + 1] + offset;
    }
}

SL_SIMD(void, ease_square,
        (int64_t n, double kappa, const double *restrict plus, const double *restrict minus, const double *restrict s,
         double *restrict ease),
        (n, kappa, plus, minus, s, ease)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        ease[i] = 1.0 / (1.0 + kappa * fabs(plus[i] - minus[i]) * s[i]);
    }
}

/* Predicted flows; admits: 1/(2 B). With explicit friction these are the flows. */
SL_SIMD(void, predict,
        (int64_t n, double admits, const double *restrict plus, const double *restrict minus, const double *restrict s,
         double *restrict q),
        (n, admits, plus, minus, s, q)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        q[i] = (plus[i] - minus[i]) * (admits * s[i]);
    }
}

SL_SIMD(void, ease_of_slope, (int64_t n, double w, double b, const double *restrict r, double *restrict ease),
        (n, w, b, r, ease)) {
    double implicit = w / b, explicit = 0.5 / b;
    if (w > 0.0) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            ease[i] = 1.0 / (1.0 + implicit * r[i]);
        }
    } else {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            ease[i] = 1.0 - explicit * r[i];
        }
    }
}

/* ease of n points from what arrives there, and of the ends of the segment in end[2] from their old flows. s: of the old state. */
static void ease_of(const sl_surge_run *e, const sl_surge_segment *g, int64_t n, const double *plus,
                    const double *minus, const double *s, double *ease, double *end) {
    const sl_surge_model *m = e->m;
    double q[SL_SURGE_TILE + EIGHT], r[SL_SURGE_TILE + EIGHT], own[EIGHT];
    double q0 = sl_surge_flow_at(m, e->before, g, g->cell), q1 = sl_surge_flow_at(m, e->before, g, g->cell + g->n);
    bool steady = m->def.friction == SL_SURGE_STEADY || m->def.friction == SL_SURGE_RTHYM_FILTER;
    if (steady && m->implicit > 0.0) {
        double k = m->implicit * g->loss.steady / g->b;
        ease_square(n, g->kappa, plus, minus, s, ease);
        end[0] = 1.0 / (1.0 + k * fabs(q0));
        end[1] = 1.0 / (1.0 + k * fabs(q1));
        return;
    }
    if (m->implicit > 0.0) {
        predict(n, 0.5 / g->b, plus, minus, s, q);
    }
    for (int64_t i = 0; i < n && m->implicit <= 0.0; i++) {
        q[i] = (plus[i] - minus[i]) * (0.5 / g->b);
    }
    for (int64_t i = n; i < n + EIGHT; i++) {
        q[i] = i == n ? q0 : q1;
    }
    sl_surge_slope(m, &g->loss, n + EIGHT, q, r);
    ease_of_slope(n, m->implicit, g->b, r, ease);
    ease_of_slope(EIGHT, m->implicit, g->b, r + n, own);
    end[0] = own[0];
    end[1] = own[1];
}

static void end_of(sl_surge_run *e, const sl_surge_segment *g, int64_t i, int64_t end, double arrives, double ease) {
    e->now->ease[i] = ease;
    e->arrive[end] = arrives;
    e->admit[end] = sl_surge_admits(e->m, e->now, g, i);
}

void sl_surge_tile_passes(sl_surge_run *e, int32_t tile) {
    const sl_surge_model *m = e->m;
    const sl_surge_tile *t = &m->tiles[tile];
    int32_t k = m->groups[t->group].first;
    const sl_surge_segment *g = &m->segments[k];
    const sl_surge_state *b = e->before, *s = e->now;
    double forth[SL_SURGE_TILE + 2 * EIGHT], back[SL_SURGE_TILE + 2 * EIGHT], head[SL_SURGE_TILE + 2 * EIGHT], ease[2];
    int64_t n = t->end - t->begin, whole = (n + EIGHT - 1) / EIGHT * EIGHT;
    int64_t at = g->cell + t->begin, from = at - 1; /* with a neighbour to each side */
    const double *h = head;
    if (b->head) {
        leave_torn(whole + EIGHT, b->head + from, b->plus + from, b->minus + from, b->ease + from, forth, back);
        h = b->head + from;
    } else {
        leave_liquid(whole + EIGHT, m->cell_vapour + from, b->plus + from, b->minus + from, b->ease + from, forth, back,
                     head);
    }
    if (m->n_memory > 0) {
        sl_surge_friction_leave(e, g, t->begin - 1, t->end + 1, forth, back);
    }
    if (g->courant == 1.0) {
        arrive_whole(whole, g->loss.offset, forth + 1, back + 1, s->plus + at, s->minus + at);
    } else {
        arrive(whole, g->courant, g->loss.offset, forth + 1, back + 1, s->plus + at, s->minus + at);
    }
    if (e->takes) {
        int64_t first = t->begin == 1 ? 0 : 1, last = t->end == g->n ? n + 2 : n + 1;
        sl_surge_history_heads(&e->history, from + first, last - first, b->x->time, h + first);
    }
    ease_of(e, g, whole, s->plus + at, s->minus + at, b->ease + at, s->ease + at, ease);
    if (n > 0 && sl_surge_has_cavities(m)) {
        e->tile_torn[tile] = (double)sl_surge_cavities(e, g, t->begin, t->end);
    }
    if (n > 0 && m->n_memory > 0) {
        sl_surge_friction_remember(e, g, t->begin, t->end);
    }
    double stay = 1.0 - g->courant;
    if (t->begin == 1) {
        s->minus[g->cell] = stay * back[0] + g->courant * back[1] + g->loss.offset;
        end_of(e, g, g->cell, k, s->minus[g->cell], ease[0]);
    }
    if (t->end == g->n) {
        int64_t end = g->cell + g->n;
        s->plus[end] = stay * forth[n + 1] + g->courant * forth[n] - g->loss.offset;
        end_of(e, g, end, m->n_segment + k, s->plus[end], ease[1]);
    }
    for (int32_t j = t->begin; m->def.cavitation == SL_SURGE_CLAMP && e->tile_torn[tile] > 0.0 && j < t->end; j++) {
        e->tile_clamped[tile] += sl_surge_growth_at(m, s, g, g->cell + j);
    }
}
