/* SPDX-License-Identifier: MIT */
/* groups.c: how segments lie in the arrays of a state.
 *
 * Eight segments of the same number of reaches lie side by side, point by point: one vector has the same point of all. The others
 * lie by themselves, point after point. Either way the neighbour of a cell is `lanes` cells away, and the numbers of a segment do
 * not depend on it. Groups are cut into tiles, which threads share out.
 */
#include "surge/impl.h"

#include <math.h>
#include <stdlib.h>

/* Longer segments fill vectors by themselves. */
enum { REACHES_SIDE_BY_SIDE = 96 };

static bool is_plain(const sl_surge_model *m) {
    bool square = m->def.friction == SL_SURGE_STEADY ||
                  (m->def.friction == SL_SURGE_QUASI_STEADY && m->net->hydraulics.headloss == SL_CHEZY_MANNING);
    bool liquid = m->def.cavitation == SL_SURGE_LIQUID || m->def.cavitation == SL_SURGE_CLAMP;
    for (int32_t k = 0; k < m->n_segment; k++) {
        square = square && m->segments[k].courant == 1.0;
    }
    return square && liquid && m->implicit > 0.0;
}

static int compare(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* Side by side first, by reaches; then, as all at the beginning, in the order of the network. */
static int by_lanes(const void *a, const void *b) {
    const sl_surge_segment *x = a, *y = b;
    int lanes = compare(y->lanes, x->lanes), n = x->lanes > 1 ? compare(x->n, y->n) : 0;
    return lanes ? lanes : n ? n : compare(x->at, y->at);
}

static void sort(sl_surge_model *m) {
    sl_surge_segment *g = m->segments;
    int32_t n = m->n_segment;
    for (int32_t k = 0; k < n; k++) {
        g[k].lanes = g[k].n <= REACHES_SIDE_BY_SIDE ? SL_SURGE_LANES : 1;
    }
    qsort(g, (size_t)n, sizeof *g, by_lanes);
    for (int32_t k = 0, next; k < n; k = next) {
        for (next = k + 1; next < n && g[next].n == g[k].n && g[next].lanes == g[k].lanes; next++) {}
        for (int32_t i = k + (next - k) / SL_SURGE_LANES * SL_SURGE_LANES; i < next;
             i++) { /* these do not fill the lanes */
            g[i].lanes = 1;
        }
    }
    qsort(g, (size_t)n, sizeof *g, by_lanes);
}

static void list_tiles(sl_surge_model *m, int32_t group, sl_surge_tile *to, int32_t *n) {
    const sl_surge_group *g = &m->groups[group];
    int32_t rows = SL_SURGE_TILE / g->lanes;
    int32_t begin = 1;
    do {
        int32_t end = g->n - begin > rows ? begin + rows : g->n;
        if (to) {
            to[*n] = (sl_surge_tile){.group = group, .begin = begin, .end = end};
        }
        (*n)++;
        begin = end;
    } while (begin < g->n);
}

sl_status sl_surge_group_segments(sl_surge_model *m) {
    bool bad = false;
    m->plain = is_plain(m);
    for (int32_t k = 0; k < m->n_segment; k++) {
        m->segments[k].lanes = 1;
    }
    if (m->plain) {
        sort(m);
    }
    m->groups = sl_surge_alloc(m, m->n_segment, sizeof *m->groups, &bad);
    m->point_segment = sl_surge_alloc(m, m->n_point, sizeof *m->point_segment, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int64_t i = 0; i < m->n_point; i++) {
        m->point_segment[i] = -1;
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        sl_surge_segment *g = &m->segments[k];
        for (int32_t j = 0; j <= g->n; j++) {
            m->point_segment[g->at + j] = k;
        }
        if (g->lanes == 1 || k % SL_SURGE_LANES == 0) {
            int64_t cell = g->lanes > 1 ? m->n_cell : m->n_cell + 7; /* so that vectors of inner points are aligned */
            m->groups[m->n_group++] = (sl_surge_group){.first = k, .lanes = g->lanes, .n = g->n, .cell = cell};
            m->n_cell = (cell + (int64_t)(g->n + 1) * g->lanes + 7) / 8 * 8;
        }
        g->cell = m->groups[m->n_group - 1].cell + (k - m->groups[m->n_group - 1].first);
    }
    m->n_cell += 2 * SL_SURGE_LANES; /* whole vectors may go beyond the last one */
    for (int32_t k = 0; k < m->n_group; k++) {
        list_tiles(m, k, NULL, &m->n_tile);
    }
    m->tiles = sl_surge_alloc(m, m->n_tile, sizeof *m->tiles, &bad);
    m->n_tile = 0;
    for (int32_t k = 0; k < m->n_group && !bad; k++) {
        list_tiles(m, k, m->tiles, &m->n_tile);
    }
    return bad ? SL_ERR_MEMORY : SL_OK;
}

sl_status sl_surge_lay_cells(sl_surge_model *m) {
    bool bad = false;
    double **of_segments[] = {&m->kappa, &m->offset, &m->inverse_b, &m->datum};
    for (int i = 0; i < 4; i++) {
        *of_segments[i] = sl_surge_alloc(m, m->n_segment, sizeof(double), &bad);
    }
    m->node_from = sl_surge_alloc(m, m->n_segment, sizeof(int32_t), &bad);
    m->node_to = sl_surge_alloc(m, m->n_segment, sizeof(int32_t), &bad);
    m->cell_vapour = sl_surge_alloc(m, m->n_cell, sizeof(double), &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int64_t i = 0; i < m->n_cell; i++) {
        m->cell_vapour[i] = SL_SURGE_NO_VAPOUR;
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        sl_surge_segment *g = &m->segments[k];
        bool square = m->net->hydraulics.headloss == SL_CHEZY_MANNING && m->def.friction == SL_SURGE_QUASI_STEADY;
        double r = square ? g->loss.resistance + g->loss.minor : g->loss.steady;
        g->kappa = m->implicit * r / (2.0 * g->b * g->b);
        m->kappa[k] = g->kappa;
        m->offset[k] = g->loss.offset;
        m->inverse_b[k] = 1.0 / g->b;
        m->datum[k] = g->datum;
        m->node_from[k] = g->from;
        m->node_to[k] = g->to;
        for (int32_t j = 1; j < g->n && sl_surge_has_cavities(m); j++) {
            m->cell_vapour[g->cell + (int64_t)j * g->lanes] = m->vapour[g->at + j];
        }
    }
    for (int32_t k = 0; k < m->n_tile; k++) {
        sl_surge_tile *t = &m->tiles[k];
        const sl_surge_group *g = &m->groups[t->group];
        t->vapour = 2.0 * SL_SURGE_NO_VAPOUR;
        for (int64_t i = g->cell + (int64_t)t->begin * g->lanes; i < g->cell + (int64_t)t->end * g->lanes; i++) {
            t->vapour = fmax(t->vapour, 2.0 * m->cell_vapour[i]);
        }
    }
    return SL_OK;
}
