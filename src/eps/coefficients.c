/* SPDX-License-Identifier: MIT */
/* coefficients.c: what every branch and outlet contributes to the linear system of a Newton trial.
 *
 * A branch with loss h(q) of slope h' at the present flow q is linear there: its next flow is
 *
 *     q + p (H1 - H2 - h(q)),   p = 1/h'.
 *
 * Losses and slopes of a chain are the sums over its pipes. A link that carries a given flow (an active flow control
 * valve) has p = 0 and y that flow, a closed one has neither. Active pressure valves have none here: they pin a head, and
 * their flow follows from the balance at that node.
 */
#include "eps/impl.h"

#include "base/context.h"
#include "base/pool.h"
#include "laws/constants.h"
#include "laws/valve.h"
#include "numeric/vecmath.h"

#include <math.h>

bool sl_eps_shut_by_setting(const sl_eps *e, const sl_eps_state *s, int32_t link) {
    int32_t i = link - e->m->net->n_pipe - e->m->net->n_pump;
    return i >= 0 && sl_valve_is_shut(e->m->net, i, e->m->valve_minor[i], s->setting[link]);
}

bool sl_eps_conducts(const sl_eps *e, const sl_eps_state *s, int32_t link) {
    if (s->status[link] <= SL_STATUS_CLOSED) {
        return false;
    }
    int kind = sl_valve_kind_of(e->m->net, link);
    if (kind == SL_PCV) {
        return !sl_eps_shut_by_setting(e, s, link);
    }
    return s->status[link] != SL_STATUS_ACTIVE || (kind != SL_PRV && kind != SL_PSV && kind != SL_FCV);
}

double sl_eps_valve_head(const sl_network *net, const sl_eps_state *s, int32_t link) {
    int32_t node = sl_valve_kind_of(net, link) == SL_PRV ? net->link_to[link] : net->link_from[link];
    return net->node_elevation[node] + s->setting[link];
}

/* One foot per second through the bore; nothing through a valve, whose bore says little (some models have valves of
 * 25 m) and whose law does not need it. */
double sl_eps_first_flow(const sl_eps *e, const sl_eps_state *s, int32_t link) {
    const sl_network *net = e->m->net;
    if (sl_is_pump(net, link)) {
        return s->setting[link] * e->m->pump[link - net->n_pipe].q_design;
    }
    double q = SL_FOOT * e->m->link_area[link];
    if (sl_valve_kind_of(net, link) == SL_FCV && s->setting[link] > 0.0) {
        return s->setting[link];
    }
    return sl_is_valve(net, link) ? 0.0 : q;
}

static double floor_of(const sl_eps *e) {
    return e->m->net->hydraulics.rq_tolerance * SL_FT_PER_CFS;
}

static void pipe_losses(const sl_eps *e, int32_t n, const double *r, const double *m, const sl_dw_pipe *dw,
                        const double *q, double *h, double *slope) {
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    double floor = floor_of(e);
    switch (o->headloss) {
    case SL_HAZEN_WILLIAMS: sl_pipes_hw(n, r, e->x.any_minor ? m : NULL, q, floor, h, slope); break;
    case SL_CHEZY_MANNING: sl_pipes_cm(n, r, m, q, floor, h, slope); break;
    case SL_DARCY_WEISBACH:
    default: /* linear at rest by itself */ sl_pipes_dw(n, r, m, dw, q, SL_FLAT, h, slope); break;
    }
}

static void pipe_loss(const sl_eps *e, int32_t pipe, double q, double *h, double *slope) {
    pipe_losses(e, 1, e->resistance + pipe, e->minor + pipe, e->dw ? e->dw + pipe : NULL, &q, h, slope);
}

double sl_eps_pipe_slope(const sl_eps *e, int32_t pipe, double q) {
    double h, slope;
    pipe_loss(e, pipe, q, &h, &slope);
    return slope;
}

/* Pipes are independent of each other: blocks of a fixed size may go to threads, with the same bits. Smaller ones take less
 * time than waking a thread. */
enum { PIPE_BLOCK = 16384 };

typedef struct row_job {
    const sl_eps *e;
    int32_t row; /* the first */
    double *h, *slope;
} row_job;

static void row_block(void *user, int64_t begin, int64_t end, int64_t block) {
    const row_job *job = user;
    const sl_eps_numbers *x = &job->e->x;
    int64_t r = job->row + begin;
    (void)block;
    pipe_losses(job->e, (int32_t)(end - begin), x->row_resistance + r, x->row_minor + r,
                x->row_dw ? x->row_dw + r : NULL, x->row_q + r, job->h + begin, job->slope + begin);
}

static void row_losses(sl_eps *e, int32_t row, int32_t n, double *h, double *slope) {
    sl_pool_for(e->ctx->pool, n, PIPE_BLOCK, row_block, &(row_job){e, row, h, slope});
}

/* Those of fixed valves, from row begin of their list on; in the first n rows into h and slope. */
static void valve_row_losses(sl_eps *e, int32_t begin, int32_t end, int32_t n, double *h, double *slope) {
    sl_eps_numbers *x = &e->x;
    for (int32_t i = begin; i < end; i++) {
        int32_t r = e->core->valve_row[i];
        sl_quadratic_loss(x->row_minor[r], x->row_q[r], floor_of(e), (r < n ? h : x->row_h) + r,
                          (r < n ? slope : x->row_slope) + r);
    }
}

void sl_eps_tree_losses(sl_eps *e) {
    const sl_eps_core *c = e->core;
    int32_t row = c->n_chain_row;
    row_losses(e, row, c->n_row - row, e->x.row_h + row, e->x.row_slope + row);
    valve_row_losses(e, c->n_chain_valve, c->n_valve_row, 0, NULL, NULL);
}

static void outlet_coefficients(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    sl_eps_work *w = &e->w;
    if (m->n_other < m->n_outlet) {
        sl_demand_losses(&m->demand, m->n_outlet, w->full, s->outlet_flow, w->oh, w->op);
    }
    for (int32_t i = 0; i < m->n_other; i++) {
        int32_t o = m->other_outlet[i];
        double slope, q = s->outlet_flow[o];
        sl_outlet_loss(&m->outlet[o], q, &w->oh[o], &slope);
        if (w->relaxed && m->outlet[o].both_ways && q < 0.0) { /* demands are not served by suction */
            sl_eps_relaxed_law(&(sl_eps_relaxed){.least = 0.0, .most = INFINITY}, q, &w->oh[o], &slope);
        }
        w->op[o] = 1.0 / slope;
    }
}

SL_SIMD(void, invert, (int32_t n, double *restrict p), (n, p)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        p[j] = 1.0 / p[j];
    }
}

/* The losses and slopes of n chains so far, and those of one pipe more. */
SL_SIMD(void, add_up,
        (int32_t n, const double *h0, const double *slope0, const double *restrict row_h,
         const double *restrict row_slope, double *h, double *slope),
        (n, h0, slope0, row_h, row_slope, h, slope)) {
#pragma omp simd
    for (int32_t j = 0; j < n; j++) {
        h[j] = h0[j] + row_h[j];
        slope[j] = slope0[j] + row_slope[j];
    }
}

static void chain_coefficients(sl_eps *e) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    int32_t n_pipe = c->level[1].chain; /* chains of one pipe: as they are */
    row_losses(e, 0, n_pipe, x->h, x->p);
    row_losses(e, n_pipe, c->n_chain_row - n_pipe, x->row_h + n_pipe, x->row_slope + n_pipe);
    valve_row_losses(e, 0, c->n_chain_valve, n_pipe, x->h, x->p);
    for (int32_t t = 1; t < c->n_level; t++) {
        int32_t b = c->level[t].chain, r = c->level[t].row;
        add_up(c->n_chain - b, (t == 1 ? x->row_h : x->h) + b, (t == 1 ? x->row_slope : x->p) + b, x->row_h + r,
               x->row_slope + r, x->h + b, x->p + b);
    }
    invert(c->n_chain, x->p);
}

static void single_coefficients(sl_eps *e, const sl_eps_state *s, double floor) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    sl_eps_numbers *x = &e->x;
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        int32_t k = c->single[b - c->n_chain];
        double slope;
        x->q[b] = s->flow[k];
        if (!sl_eps_conducts(e, s, k)) {
            bool flow_control = s->status[k] == SL_STATUS_ACTIVE && sl_valve_kind_of(net, k) == SL_FCV;
            x->p[b] = x->h[b] = 0.0;
            x->y[b] = flow_control ? s->setting[k] : 0.0;
            continue;
        }
        if (k < net->n_pipe) {
            pipe_loss(e, k, s->flow[k], &x->h[b], &slope);
        } else if (sl_is_pump(net, k)) {
            sl_pump_loss(&e->m->pump[k - net->n_pipe], s->setting[k], s->flow[k], floor, &x->h[b], &slope);
        } else {
            int32_t i = k - net->n_pipe - net->n_pump;
            sl_valve_loss(net, i, e->m->valve_minor[i], s->setting[k], s->flow[k], floor, &x->h[b], &slope);
        }
        if (e->w.relaxed) {
            sl_eps_relaxed_law(&x->relaxed[b - c->n_chain], s->flow[k], &x->h[b], &slope);
        }
        x->p[b] = 1.0 / slope;
    }
}

void sl_eps_coefficients(sl_eps *e, const sl_eps_state *s) {
    sl_eps_numbers *x = &e->x;
    chain_coefficients(e);
    single_coefficients(e, s, floor_of(e));
    for (int32_t i = 0; i < x->n_cut_branch; i++) { /* nothing flows where no source is */
        int32_t b = x->cut_branch[i];
        x->p[b] = x->y[b] = x->h[b] = x->q[b] = 0.0;
    }
    outlet_coefficients(e, s);
}

void sl_eps_first_outflows(const sl_eps *e, sl_eps_state *s) {
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        s->outlet_flow[o] = e->m->outlet_kind[o] == SL_OUTLET_DEMAND ? fmax(s->wanted[e->m->outlet_node[o]], 0.0)
                                                                     : sl_outlet_flow(&e->m->outlet[o], 10.0);
    }
}
