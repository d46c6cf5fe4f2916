/* SPDX-License-Identifier: MIT */
/* react.c: reactions in pipes and tanks during one quality step.
 *
 * First order without a limit: every segment of a pipe takes the same factor. Everything else goes segment by segment
 * (reactions.c). Ageing is the clock's doing: concentrations of an age model are relative to it.
 */
#include "laws/constants.h"
#include "numeric/vecmath.h"
#include "quality/impl.h"

#include <math.h>

/* Apparent rates of first order as if all flow were turbulent, which most of it is: of all pipes at once. */
SL_SIMD(void, turbulent,
        (int32_t n, const double *restrict flow, const double *restrict diameter, const double *restrict wall,
         double viscosity, double diffusivity, double schmidt, double *restrict kf, double *restrict apparent),
        (n, flow, diameter, wall, viscosity, diffusivity, schmidt, kf, apparent)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        double reynolds = 4.0 * fabs(flow[k]) / (SL_PI * diameter[k] * viscosity);
        double power = sl_vec_power(reynolds > 1.0 ? reynolds : 1.0, 0.88);
        kf[k] = sl_sherwood_turbulent(power, schmidt) * diffusivity / diameter[k];
        apparent[k] = 4.0 / diameter[k] * (wall[k] * kf[k] / (kf[k] + fabs(wall[k])));
    }
}

void sl_quality_rates(sl_quality *q) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    if (!m->walls) {
        return;
    }
    q->change_dt[SL_WHOLE_STEP] = q->change_dt[SL_LAST_STEP] = 0.0;
    double viscosity = net->hydraulics.viscosity, diffusivity = net->quality.diffusivity, *kf = q->transfer;
    bool limited = diffusivity > 0.0, first = net->quality.wall_order == 1;
    if (limited) {
        turbulent(net->n_pipe, q->flow, q->diameter, m->wall, viscosity, diffusivity,
                  pow(viscosity / diffusivity, 0.333), kf, q->apparent);
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        double d = q->diameter[k], reynolds = 4.0 * fabs(q->flow[k]) / (SL_PI * d * viscosity);
        if (limited && reynolds >= SL_TURBULENT && first) {
            continue;
        }
        if (!limited || reynolds < SL_TURBULENT) {
            kf[k] = sl_mass_transfer(d, q->length[k], reynolds, viscosity, diffusivity);
        }
        q->apparent[k] = first ? sl_wall_first(m->wall[k], kf[k], d) : kf[k];
    }
}

/* The time integral over a step of what begins as 1 and changes by k of itself: (factor - 1) / k. */
static double spread(bool exact, double k, double dt) {
    return fabs(k * dt) < 1e-12 ? dt : exact ? expm1(k * dt) / k : k * dt < -1.0 ? -1.0 / k : dt;
}

/* Where the explicit step does not end at 0, as it does not where reactions are slow, its factor is 1 + k dt. */
SL_SIMD(void, change_linearly,
        (int32_t n, const double *restrict bulk, const double *restrict wall, const double *restrict hold, double dt,
         sl_pipe_change *restrict change),
        (n, bulk, wall, hold, dt, change)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        double rate = bulk[k] + wall[k];
        change[k].factor = 1.0 + rate * dt;
        change[k].bulk = bulk[k] * dt;
        change[k].wall = wall[k] * dt;
        change[k].rate = fabs(rate) / hold[k];
    }
}

static void make_changes(sl_quality *q, sl_pipe_change *change, double dt) {
    int32_t n = q->m->net->n_pipe;
    if (!q->m->exact) {
        change_linearly(n, q->m->bulk, q->apparent, q->hold, dt, change);
    }
    for (int32_t k = 0; k < n; k++) {
        if (!q->m->exact && change[k].factor > 0.0) {
            continue;
        }
        double bulk = q->m->bulk[k], wall = q->apparent[k], rate = bulk + wall, over = spread(q->m->exact, rate, dt);
        change[k] = (sl_pipe_change){.factor = sl_react_factor(q->m->exact, rate, dt),
                                     .bulk = bulk * over,
                                     .wall = wall * over,
                                     .rate = fabs(rate) * over / (q->hold[k] * dt)};
    }
}

/* Multiplies all of a row by f; returns its mass before. */
static double scale(sl_segments *g, int32_t row, double f) {
    const sl_row *r = &g->row[row];
    double mass = 0.0;
    for (uint32_t i = 0; i < r->n; i++) {
        sl_segment *x = sl_segment_at(g, r, i);
        mass += x->v * x->c;
        x->c *= f;
    }
    return mass;
}

void sl_quality_apply_decay(const sl_quality *q, sl_quality_state *s, int32_t row) {
    if (!s->fade || row >= q->m->net->n_pipe) {
        return;
    }
    sl_quality_decay *x = &s->fade[row];
    if (x->factor != 1.0) {
        (void)scale(&s->segments, row, x->factor);
    }
    *x = (sl_quality_decay){1.0, NAN};
}

sl_reacted sl_quality_react_row(const sl_segments *g, int32_t row, const sl_prepared_reaction *step) {
    const sl_row *r = &g->row[row];
    uint32_t first = r->head & r->mask, room = r->mask + 1 - first;
    sl_reacted sum = {0};
    sl_react_segments(step, g->pool + r->at + first, r->n < room ? r->n : room, &sum);
    if (r->n > room) {
        sl_react_segments(step, g->pool + r->at, r->n - room, &sum);
    }
    return sum;
}

void sl_quality_changes(sl_quality *q, int length, double dt) {
    if (q->m->linear && q->change_dt[length] != dt) {
        make_changes(q, q->change[length], dt);
        q->change_dt[length] = dt;
    }
}

sl_reaction sl_quality_reaction_of(const sl_quality *q, int32_t pipe) {
    const sl_quality_model *m = q->m;
    bool first = m->net->quality.wall_order == 1;
    return (sl_reaction){.bulk = m->kinetics,
                         .k = m->bulk[pipe],
                         .wall_order = m->wall[pipe] == 0.0 ? -1 : m->net->quality.wall_order,
                         .wall = first ? q->apparent[pipe] : m->wall[pipe],
                         .kf = q->apparent[pipe],
                         .area = 4.0 / q->diameter[pipe]};
}

double sl_quality_react_water(const sl_quality *q, int32_t pipe, double c, int length, double dt) {
    const sl_quality_model *m = q->m;
    if (m->linear) {
        return c * q->change[length][pipe].factor;
    }
    const sl_reaction r = sl_quality_reaction_of(q, pipe);
    double bulk, wall;
    sl_react_segment(&r, m->exact, c, dt, &bulk, &wall);
    return fmax(c + bulk + wall, 0.0);
}

void sl_quality_react_pipe(const sl_quality *q, sl_quality_state *s, int32_t pipe, int length, double dt,
                           sl_quality_ledger *sum) {
    const sl_quality_model *m = q->m;
    if (m->linear) {
        const sl_pipe_change *p = &q->change[length][pipe];
        if (p->factor != 1.0) {
            sl_quality_apply_decay(q, s, pipe);
            double mass = scale(&s->segments, pipe, p->factor);
            sum->bulk -= p->bulk * mass;
            sum->wall -= p->wall * mass;
            s->rate[pipe] = p->rate * mass;
        }
        return;
    }
    sl_reacted x = {0};
    if (m->bulk[pipe] != 0.0 || m->wall[pipe] != 0.0) {
        const sl_reaction r = sl_quality_reaction_of(q, pipe);
        const sl_prepared_reaction step = sl_reaction_prepare(&r, m->exact, dt);
        x = sl_quality_react_row(&s->segments, pipe, &step);
    }
    sum->bulk -= x.bulk;
    sum->wall -= x.wall;
    s->rate[pipe] = x.moved / (q->hold[pipe] * dt);
}

void sl_quality_react_tank(const sl_quality *q, sl_quality_state *s, int32_t tank, double dt, sl_quality_ledger *sum) {
    const sl_quality_model *m = q->m;
    int32_t row = m->net->n_link + tank;
    double k = m->tank_bulk[tank], added;
    if (k == 0.0) {
        return;
    }
    if (sl_kinetics_linear(&m->tank_kinetics)) {
        added = k * spread(m->exact, k, dt) * scale(&s->segments, row, sl_react_factor(m->exact, k, dt));
    } else {
        const sl_reaction r = {.bulk = m->tank_kinetics, .k = k, .wall_order = -1};
        const sl_prepared_reaction step = sl_reaction_prepare(&r, m->exact, dt);
        added = sl_quality_react_row(&s->segments, row, &step).bulk;
    }
    sum->tank -= added;
}
