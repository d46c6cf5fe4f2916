/* SPDX-License-Identifier: MIT */
/* points.h: what a state has at a point of a segment. With p = C+, m = C-, s = B/(B + w r) and the head H
 *
 *     Q_in = (p - H) s/B,  Q_out = (H - m) s/B,  leaves forth: m + 2 s (H - m),  leaves back: p - 2 s (p - H)
 *
 * where liquid has H = (p + m)/2. With explicit friction w = 0: s is 1 in the flows and 1 - r/(2B) in what leaves.
 */
#ifndef SL_SURGE_POINTS_H
#define SL_SURGE_POINTS_H

#include "surge/impl.h"

static inline int64_t sl_surge_cell(const sl_surge_segment *g, int32_t j) {
    return g->cell + (int64_t)j * g->lanes;
}

static inline double sl_surge_head_at(const sl_surge_model *m, const sl_surge_state *s, int64_t i) {
    double sum = s->plus[i] + s->minus[i], low = 2.0 * m->cell_vapour[i];
    return s->head ? s->head[i] : 0.5 * (sum < low ? low : sum);
}

/* 1/(B + w r) */
static inline double sl_surge_admits(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g,
                                     int64_t i) {
    return m->implicit > 0.0 ? s->ease[i] / g->b : 1.0 / g->b;
}

/* The mean of the two flows: that of liquid. */
static inline double sl_surge_flow_at(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g,
                                      int64_t i) {
    return 0.5 * (s->plus[i] - s->minus[i]) * sl_surge_admits(m, s, g, i);
}

/* What the two flows differ by: the growth of what is not liquid, also of a clamped point. */
static inline double sl_surge_growth_at(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g,
                                        int64_t i) {
    double sum = s->plus[i] + s->minus[i];
    if (!s->head && !(sum < 2.0 * m->cell_vapour[i])) {
        return 0.0;
    }
    return (2.0 * sl_surge_head_at(m, s, i) - sum) * sl_surge_admits(m, s, g, i);
}

/* r, and so the friction of a state. */
static inline double sl_surge_slope_at(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g,
                                       int64_t i) {
    return m->implicit > 0.0 ? (g->b / s->ease[i] - g->b) / m->implicit : 2.0 * g->b * (1.0 - s->ease[i]);
}

/* Is there a cavity at an inner point? least: as of sl_surge_cavity_least. */
static inline bool sl_surge_is_torn(const sl_surge_model *m, const sl_surge_state *s, int64_t i, double least) {
    return s->cavity ? s->cavity[i] > least : s->plus[i] + s->minus[i] < 2.0 * m->cell_vapour[i];
}

/* Did this state, or the one before it, see a cavity in a group? */
static inline bool sl_surge_seen(const sl_surge_state *s, int32_t group) {
    return s->seen[group] == (double)s->x->n_step;
}

/* The segment of a point in the order of the network, and the cell of that point; NULL in a rigid pipe. */
static inline const sl_surge_segment *sl_surge_segment_of(const sl_surge_model *m, int64_t point, int64_t *cell) {
    int32_t k = m->point_segment[point];
    if (k < 0) {
        return NULL;
    }
    *cell = sl_surge_cell(&m->segments[k], (int32_t)(point - m->segments[k].at));
    return &m->segments[k];
}

#endif
