/* SPDX-License-Identifier: MIT */
/* history.c: highest and lowest heads and their times, the most and the duration of cavities.
 *
 * There is one history of a run. A step brings it up to the state that it begins from, whose points it reads anyway; heads are only
 * written where they are beyond those so far. So what a cut forgets was never in it, and a step has half of the work of envelopes
 * that are written at every step. What is shown has the state of now as well: that is added in a copy (the page), made when
 * somebody asks.
 */
#include "surge/points.h"

#include "base/simd.h"

#include <math.h>
#include <string.h>

SL_SIMD(void, take_heads,
        (int64_t n, double t, const double *restrict h, double *restrict hmax, double *restrict hmin,
         double *restrict tmax, double *restrict tmin),
        (n, t, h, hmax, hmin, tmax, tmin)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        tmax[i] = h[i] > hmax[i] ? t : tmax[i];
        hmax[i] = h[i] > hmax[i] ? h[i] : hmax[i];
        tmin[i] = h[i] < hmin[i] ? t : tmin[i];
        hmin[i] = h[i] < hmin[i] ? h[i] : hmin[i];
    }
}

SL_SIMD(bool, beyond, (int64_t n, const double *restrict h, const double *restrict hmax, const double *restrict hmin),
        (n, h, hmax, hmin)) {
    enum { LANES = SL_SURGE_LANES };
    double most[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            double over = h[k + l] - hmax[k + l], under = hmin[k + l] - h[k + l];
            over = over > under ? over : under;
            most[l] = over > most[l] ? over : most[l];
        }
    }
    bool any = false;
    for (; k < n; k++) {
        any |= h[k] > hmax[k] || h[k] < hmin[k];
    }
    for (int l = 0; l < LANES; l++) {
        any |= most[l] > 0.0;
    }
    return any;
}

void sl_surge_history_heads(const sl_surge_history *h, int64_t cell, int64_t n, double t, const double *head) {
    if (!beyond(n, head, h->hmax + cell, h->hmin + cell)) {
        return;
    }
    take_heads(n, t, head, h->hmax + cell, h->hmin + cell, h->tmax + cell, h->tmin + cell);
}

SL_SIMD(void, take_most, (int64_t n, const double *restrict x, double *restrict most), (n, x, most)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        most[i] = x[i] > most[i] ? x[i] : most[i];
    }
}

void sl_surge_history_start(const sl_surge_model *m, sl_surge_history *h, const sl_surge_state *s) {
    memset(h->block, 0, m->history_size);
    for (int64_t i = 0; i < m->n_cell; i++) {
        if (h->hmax) {
            h->hmax[i] = h->hmin[i] = sl_surge_head_at(m, s, i);
        }
        if (h->cavity_first) {
            h->cavity_max[i] = s->cavity ? s->cavity[i] : 0.0;
            h->cavity_first[i] = (double)NAN;
        }
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        h->node_max[i] = h->node_min[i] = s->node_head[i];
        h->node_gas_max[i] = s->node_gas[i];
    }
}

/* ---- Cavities ----------------------------------------------------------------------------------- */

/* What happened to a cavity between two states. */
static void take_cavity(double *first, double *time, double *count, bool was, bool is, double t, double dt) {
    *first = isnan(*first) && is ? t : *first;
    *time += is ? dt : 0.0;
    *count += was && !is ? 1.0 : 0.0;
}

static void take_cavities(const sl_surge_run *e, const sl_surge_state *was, const sl_surge_state *is) {
    const sl_surge_model *m = e->m;
    const sl_surge_history *h = &e->history;
    for (int32_t k = 0; k < m->n_group && sl_surge_has_cavities(m); k++) {
        const sl_surge_group *group = &m->groups[k];
        for (int32_t l = 0; l < group->lanes && is->seen[k] >= (double)is->x->n_step - 1.0; l++) {
            const sl_surge_segment *g = &m->segments[group->first + l];
            double least = sl_surge_cavity_least(m, g);
            if (is->cavity) {
                take_most(g->n - 1, is->cavity + g->cell + 1, h->cavity_max + g->cell + 1);
            }
            for (int32_t j = 1; j < g->n; j++) {
                int64_t i = sl_surge_cell(g, j);
                take_cavity(&h->cavity_first[i], &h->cavity_time[i], &h->cavity_count[i],
                            sl_surge_is_torn(m, was, i, least), sl_surge_is_torn(m, is, i, least), is->x->time, m->dt);
            }
        }
    }
}

static void take_nodes(const sl_surge_run *e, const sl_surge_state *s) {
    const sl_surge_history *h = &e->history;
    take_heads(e->m->n_node, s->x->time, s->node_head, h->node_max, h->node_min, h->node_tmax, h->node_tmin);
    take_most(e->m->n_node, s->node_gas, h->node_gas_max);
}

/* The block that the step will write still has the state before that which it begins from. */
void sl_surge_history_step(sl_surge_run *e) {
    double step = (double)e->before->x->n_step;
    bool takes = *e->history.until != step;
    e->takes = takes && e->m->def.envelopes;
    if (takes) {
        take_cavities(e, e->now, e->before);
        take_nodes(e, e->before);
        *e->history.until = step;
    }
}

void sl_surge_history_settle(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    double head[64];
    if (*e->history.until == (double)e->now->x->n_step) {
        return;
    }
    for (int64_t i = 0; i < m->n_cell && e->history.hmax; i += 64) {
        int64_t n = m->n_cell - i < 64 ? m->n_cell - i : 64;
        for (int64_t k = 0; k < n; k++) {
            head[k] = sl_surge_head_at(m, e->now, i + k);
        }
        sl_surge_history_heads(&e->history, i, n, e->now->x->time, head);
    }
    take_cavities(e, e->before, e->now);
    take_nodes(e, e->now);
    *e->history.until = (double)e->now->x->n_step;
}

/* ---- The page ----------------------------------------------------------------------------------- */

static bool make(sl_surge_run *e) {
    sl_surge_copies *p = e->page;
    const sl_surge_model *m = e->m;
    double **of_points[] = {&p->head, &p->flow_in, &p->flow_out,   &p->hmax,         &p->hmin,        &p->tmax,
                            &p->tmin, &p->cavity,  &p->cavity_max, &p->cavity_first, &p->cavity_time, &p->cavity_count};
    double **of_nodes[] = {&p->node_max, &p->node_min, &p->node_tmax, &p->node_tmin, &p->node_gas_max};
    int n = sl_surge_has_cavities(m) ? 12 : 7;
    bool bad = false;
    for (int i = 0; i < n && !p->made; i++) {
        *of_points[i] = sl_arena_alloc(&e->arena, (size_t)(m->n_point + 1) * sizeof(double));
        bad |= !*of_points[i];
    }
    for (int i = 0; i < 5 && !p->made; i++) {
        *of_nodes[i] = sl_arena_alloc(&e->arena, (size_t)(m->n_node + 1) * sizeof(double));
        bad |= !*of_nodes[i];
    }
    p->made |= !bad;
    return p->made;
}

/* Is the state that is shown one that the history has not yet? */
static bool is_new(const sl_surge_run *e) {
    return e->shown == e->now && *e->history.until != (double)e->now->x->n_step;
}

static void page_point(const sl_surge_run *e, const sl_surge_segment *g, int64_t i, int32_t j) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->shown;
    const sl_surge_history *h = &e->history;
    sl_surge_copies *p = e->page;
    int64_t c = sl_surge_cell(g, j);
    double head = sl_surge_head_at(m, s, c), t = s->x->time, flow = sl_surge_flow_at(m, s, g, c);
    double half = 0.5 * sl_surge_growth_at(m, s, g, c);
    bool fresh = is_new(e), inner = j > 0 && j < g->n;
    p->head[i] = head;
    p->flow_in[i] = flow - half;
    p->flow_out[i] = flow + half;
    p->hmax[i] = p->tmax[i] = p->hmin[i] = p->tmin[i] = (double)NAN;
    if (h->hmax) {
        p->hmax[i] = fresh && head > h->hmax[c] ? head : h->hmax[c];
        p->tmax[i] = fresh && head > h->hmax[c] ? t : h->tmax[c];
        p->hmin[i] = fresh && head < h->hmin[c] ? head : h->hmin[c];
        p->tmin[i] = fresh && head < h->hmin[c] ? t : h->tmin[c];
    }
    if (p->cavity) {
        double least = sl_surge_cavity_least(m, g);
        bool torn = inner && sl_surge_is_torn(m, s, c, least);
        p->cavity[i] = s->cavity ? s->cavity[c] : torn ? SL_SURGE_CLAMPED : 0.0;
        p->cavity_max[i] = fmax(h->cavity_max[c], fresh && s->cavity ? s->cavity[c] : 0.0);
        p->cavity_first[i] = h->cavity_first[c];
        p->cavity_time[i] = h->cavity_time[c];
        p->cavity_count[i] = h->cavity_count[c];
        if (fresh && inner) {
            take_cavity(&p->cavity_first[i], &p->cavity_time[i], &p->cavity_count[i],
                        sl_surge_is_torn(m, e->before, c, least), torn, t, m->dt);
        }
    }
}

/* The end of a segment has what is known about the cavity of its node. */
static void page_end(const sl_surge_run *e, int64_t point, int32_t node) {
    const sl_surge_state *s = e->shown;
    sl_surge_copies *p = e->page;
    if (!e->history.hmax) { /* what is known */
        p->hmax[point] = p->node_max[node];
        p->hmin[point] = p->node_min[node];
        p->tmax[point] = p->node_tmax[node];
        p->tmin[point] = p->node_tmin[node];
    }
    if (p->cavity && !isnan(s->node_first[node])) {
        p->cavity_max[point] = p->node_gas_max[node];
        p->cavity_first[point] = s->node_first[node];
        p->cavity_time[point] = s->node_time[node];
        p->cavity_count[point] = s->node_count[node];
    }
}

static void page_rigid(const sl_surge_run *e, int32_t pipe) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->shown;
    sl_surge_copies *p = e->page;
    double q = s->joint_flow[m->joint_of_link[pipe]];
    for (int32_t side = 0; side < 2; side++) {
        int64_t i = m->point_start[pipe] + side;
        int32_t node = side ? m->net->link_to[pipe] : m->net->link_from[pipe];
        p->head[i] = s->node_head[node];
        p->flow_in[i] = p->flow_out[i] = q;
        p->hmax[i] = p->node_max[node];
        p->hmin[i] = p->node_min[node];
        p->tmax[i] = p->node_tmax[node];
        p->tmin[i] = p->node_tmin[node];
        if (p->cavity) {
            p->cavity[i] = p->cavity_max[i] = p->cavity_time[i] = p->cavity_count[i] = 0.0;
            p->cavity_first[i] = (double)NAN;
        }
    }
}

bool sl_surge_page_points(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    if (!sl_surge_page_nodes(e)) {
        return false;
    }
    for (int64_t i = 0; i < m->n_point && !e->page->points_fresh; i++) {
        const sl_surge_segment *g = m->point_segment[i] >= 0 ? &m->segments[m->point_segment[i]] : NULL;
        if (g) {
            page_point(e, g, i, (int32_t)(i - g->at));
        }
    }
    for (int32_t k = 0; k < m->n_segment && !e->page->points_fresh; k++) {
        const sl_surge_segment *g = &m->segments[k];
        page_end(e, g->at, g->from);
        page_end(e, g->at + g->n, g->to);
    }
    for (int32_t k = 0; k < m->net->n_pipe && !e->page->points_fresh; k++) {
        if (m->pipe[k].rigid) {
            page_rigid(e, k);
        }
    }
    e->page->points_fresh = true;
    return true;
}

bool sl_surge_page_nodes(sl_surge_run *e) {
    const sl_surge_history *h = &e->history;
    sl_surge_copies *p = e->page;
    if (!make(e)) {
        return false;
    }
    if (!p->nodes_fresh) {
        size_t bytes = (size_t)e->m->n_node * sizeof(double);
        memcpy(p->node_max, h->node_max, bytes);
        memcpy(p->node_min, h->node_min, bytes);
        memcpy(p->node_tmax, h->node_tmax, bytes);
        memcpy(p->node_tmin, h->node_tmin, bytes);
        memcpy(p->node_gas_max, h->node_gas_max, bytes);
        if (is_new(e)) {
            const sl_surge_state *s = e->shown;
            take_heads(e->m->n_node, s->x->time, s->node_head, p->node_max, p->node_min, p->node_tmax, p->node_tmin);
            take_most(e->m->n_node, s->node_gas, p->node_gas_max);
        }
        p->nodes_fresh = true;
    }
    return true;
}
