/* react.c: reactions in pipes and tanks during one quality step.
 *
 * First order without a limit: every segment of a pipe takes the same factor. Everything else goes segment by segment
 * (reactions.c). Ageing is the clock's doing: concentrations of an age model are relative to it.
 */
#include "quality/impl.h"

#include <math.h>

void sl_quality_rates(sl_quality *q) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    q->decay_dt = 0.0;
    for (int32_t k = 0; m->wall && k < net->n_pipe; k++) {
        if (m->wall[k] == 0.0) {
            continue;
        }
        double d = q->diameter[k], area = q->space[k] / q->length[k];
        double kf = sl_mass_transfer(d, q->length[k], fabs(q->flow[k]) / area, net->hydraulics.viscosity,
                                     net->quality.diffusivity);
        q->apparent[k] = net->quality.wall_order == 0 ? kf : sl_wall_first(m->wall[k], kf, d);
    }
}

static bool is_linear(const sl_kinetics *x) {
    return x->order == 1.0 && !(x->limit > 0.0);
}

/* The time integral over a step of what begins as 1 and changes by k of itself: (factor - 1) / k. */
static double spread(bool exact, double k, double dt) {
    return fabs(k * dt) < 1e-12 ? dt : exact ? expm1(k * dt) / k : k * dt < -1.0 ? -1.0 / k : dt;
}

static void make_factors(sl_quality *q, double dt) {
    for (int32_t k = 0; k < q->m->net->n_pipe; k++) {
        double rate = q->m->bulk[k] + q->apparent[k];
        q->decay[k] = sl_react_factor(q->m->exact, rate, dt);
        q->phi[k] = spread(q->m->exact, rate, dt);
    }
    q->decay_dt = dt;
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

typedef struct change {
    double bulk, wall, moved; /* mass added; sum of |change| */
} change;

static change react_row(sl_segments *g, int32_t row, const sl_reaction *x, bool exact, double dt) {
    const sl_row *r = &g->row[row];
    change sum = {0};
    for (uint32_t i = 0; i < r->n; i++) {
        sl_segment *at = sl_segment_at(g, r, i);
        double bulk, wall;
        sl_react_segment(x, exact, at->c, dt, &bulk, &wall);
        at->c = fmax(at->c + bulk + wall, 0.0);
        sum.bulk += at->v * bulk;
        sum.wall += at->v * wall;
        sum.moved += at->v * fabs(bulk + wall);
    }
    return sum;
}

static void react_pipes(sl_quality *q, sl_quality_state *s, double dt) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    bool first = net->quality.wall_order == 1, linear = is_linear(&m->kinetics) && first;
    double bulk = 0.0, wall = 0.0;
    if (linear && q->decay_dt != dt) {
        make_factors(q, dt);
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        change x = {0};
        if (linear) {
            double f = q->decay[k], mass;
            if (f == 1.0) {
                continue;
            }
            mass = scale(&s->segments, k, f) * q->phi[k];
            x = (change){m->bulk[k] * mass, q->apparent[k] * mass, fabs(m->bulk[k] + q->apparent[k]) * mass};
        } else if (m->bulk[k] != 0.0 || m->wall[k] != 0.0) {
            sl_reaction r = {.bulk = m->kinetics,
                             .k = m->bulk[k],
                             .wall_order = m->wall[k] == 0.0 ? -1 : net->quality.wall_order,
                             .wall = first ? q->apparent[k] : m->wall[k],
                             .kf = q->apparent[k],
                             .diameter = q->diameter[k]};
            x = react_row(&s->segments, k, &r, m->exact, dt);
        }
        bulk += x.bulk;
        wall += x.wall;
        s->rate[k] = x.moved / (q->space[k] * dt);
    }
    s->ledger.bulk -= bulk;
    s->ledger.wall -= wall;
}

static void react_tanks(const sl_quality *q, sl_quality_state *s, double dt) {
    const sl_quality_model *m = q->m;
    for (int32_t i = 0; i < m->net->n_tank; i++) {
        int32_t row = m->net->n_link + i;
        double k = m->tank_bulk[i], added;
        if (k == 0.0) {
            continue;
        }
        if (is_linear(&m->tank_kinetics)) {
            added = k * spread(m->exact, k, dt) * scale(&s->segments, row, sl_react_factor(m->exact, k, dt));
        } else {
            sl_reaction r = {.bulk = m->tank_kinetics, .k = k, .wall_order = -1};
            added = react_row(&s->segments, row, &r, m->exact, dt).bulk;
        }
        s->ledger.tank -= added;
    }
}

void sl_quality_react(sl_quality *q, sl_quality_state *s, double dt) {
    const sl_quality_model *m = q->m;
    if (m->kind == SL_QUALITY_AGE) {
        double volume = s->pipe_volume;
        for (int32_t i = 0; i < m->net->n_tank; i++) {
            volume += s->tank_volume[i];
        }
        s->clock += dt / SL_QUALITY_HOUR;
        s->ledger.time += volume * (dt / SL_QUALITY_HOUR);
        return;
    }
    if (m->bulk) {
        react_pipes(q, s, dt);
    }
    if (m->tank_bulk) {
        react_tanks(q, s, dt);
    }
}
