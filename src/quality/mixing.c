/* SPDX-License-Identifier: MIT */
/* mixing.c: what happens to water in tanks.
 *
 * A tank is a row of segments: one when it is completely mixed; two, the mixing zone at the front and the dead zone behind
 * it, with two compartments; layers, the oldest at the front, when the first in is the first out, or the last in is. All
 * four take and give exactly the mass that goes in and out, whatever the net flow is.
 */
#include "quality/impl.h"

#include <math.h>

double sl_quality_row_volume(const sl_segments *g, int32_t row) {
    const sl_row *r = &g->row[row];
    double v = 0.0;
    for (uint32_t i = 0; i < r->n; i++) {
        v += sl_segment_at(g, r, i)->v;
    }
    return v;
}

double sl_quality_row_mass(const sl_segments *g, int32_t row) {
    const sl_row *r = &g->row[row];
    double mass = 0.0;
    for (uint32_t i = 0; i < r->n; i++) {
        const sl_segment *x = sl_segment_at(g, r, i);
        mass += x->v * x->c;
    }
    return mass;
}

static double mixed(double c, double v, double mass, double more) {
    return v + more > 0.0 ? (c * v + mass) / (v + more) : c;
}

/* The volume of the mixing zone. */
static double zone(const sl_quality_model *m, int32_t tank) {
    return m->net->tank_mix_fraction[tank] * m->tank[tank].v_max;
}

sl_status sl_quality_fill_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v, double c) {
    int32_t row = m->net->n_link + tank;
    bool two = m->net->tank_mixing[tank] == SL_MIX_TWO_COMPARTMENT;
    double first = two ? fmin(v, zone(m, tank)) : v;
    s->segments.row[row].n = 0;
    bool ok = sl_segment_add(&s->segments, row, false, first, c, 0.0);
    if (two) {
        ok = ok && sl_segment_add(&s->segments, row, false, v - first, c, 0.0);
    }
    return ok ? SL_OK : SL_ERR_MEMORY;
}

static double mix_all(sl_segment *x, double v_in, double mass, double v_out) {
    x->c = mixed(x->c, x->v, mass, v_in);
    x->v = fmax(x->v + v_in - v_out, 0.0);
    return x->c;
}

static double mix_two(sl_segment *x, sl_segment *dead, double size, double v_in, double mass, double v_out) {
    double net = v_in - v_out;
    if (net >= 0.0) { /* what the zone cannot hold goes to the dead one, mixed */
        x->c = mixed(x->c, x->v, mass, v_in);
        double over = fmax(x->v + net - size, 0.0);
        dead->c = mixed(dead->c, dead->v, x->c * over, over);
        dead->v += over;
        x->v += net - over;
    } else { /* the dead zone makes up for what leaves */
        double back = fmin(dead->v, -net);
        x->c = mixed(x->c, x->v, mass + dead->c * back, v_in + back);
        x->v = fmax(x->v + net + back, 0.0);
        dead->v -= back;
    }
    return x->c;
}

static sl_segment *some(sl_segments *g, int32_t row, double c, sl_status *status) {
    if (g->row[row].n == 0 && !sl_segment_add(g, row, false, 0.0, c, 0.0)) {
        *status = SL_ERR_MEMORY;
    }
    return sl_segment_back(g, &g->row[row]);
}

static double mix_first(sl_segments *g, int32_t row, double tol, double v_in, double mass, double v_out,
                        sl_status *status) {
    double c = sl_segment_front(g, &g->row[row])->c, taken = 0.0;
    if (v_in > 0.0 && !sl_segment_add(g, row, false, v_in, mass / v_in, tol)) {
        *status = SL_ERR_MEMORY;
        return c;
    }
    mass = v_out > 0.0 ? sl_segment_withdraw(g, row, true, v_out, &taken) : 0.0;
    c = v_out > 0.0 && taken > 0.0 ? mass / taken : g->row[row].n > 0 ? sl_segment_front(g, &g->row[row])->c : c;
    some(g, row, c, status);
    return c;
}

static double mix_last(sl_segments *g, int32_t row, double tol, double v_in, double mass, double v_out, double *c_out,
                       sl_status *status) {
    double net = v_in - v_out, taken = 0.0, top = sl_segment_back(g, &g->row[row])->c;
    if (net >= 0.0) { /* what leaves is what comes in; the rest lies down on top */
        *c_out = v_in > 0.0 ? mass / v_in : top;
        if (net > 0.0 && !sl_segment_add(g, row, false, net, *c_out, tol)) {
            *status = SL_ERR_MEMORY;
        }
        return sl_segment_back(g, &g->row[row])->c;
    }
    mass += sl_segment_withdraw(g, row, false, -net, &taken);
    *c_out = v_in + taken > 0.0 ? mass / (v_in + taken) : top;
    some(g, row, *c_out, status);
    return *c_out;
}

double sl_quality_mix(sl_quality *q, sl_quality_state *s, int32_t tank, double v_in, double mass, double v_out,
                      double *c_out, sl_status *status) {
    const sl_quality_model *m = q->m;
    sl_segments *g = &s->segments;
    int32_t row = m->net->n_link + tank;
    double tol = m->net->quality.tolerance, c;
    sl_segment *x = sl_segment_front(g, &g->row[row]);
    switch (m->net->tank_mixing[tank]) {
    case SL_MIX_TWO_COMPARTMENT:
        c = mix_two(x, sl_segment_back(g, &g->row[row]), zone(m, tank), v_in, mass, v_out);
        break;
    case SL_MIX_FIFO: c = mix_first(g, row, tol, v_in, mass, v_out, status); break;
    case SL_MIX_LIFO: return mix_last(g, row, tol, v_in, mass, v_out, c_out, status);
    default: c = mix_all(x, v_in, mass, v_out); break;
    }
    *c_out = c;
    return c;
}

/* Hydraulics put tanks exactly on their limits, and levels may be set from outside. The newest water makes up for it. */
sl_status sl_quality_adjust_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v) {
    sl_segments *g = &s->segments;
    int32_t row = m->net->n_link + tank;
    bool two = m->net->tank_mixing[tank] == SL_MIX_TWO_COMPARTMENT;
    double missing = v - sl_quality_row_volume(g, row), before = sl_quality_row_mass(g, row), taken;
    sl_status status = SL_OK;
    if (missing == 0.0) {
        return SL_OK;
    }
    sl_segment *x = two ? sl_segment_front(g, &g->row[row]) : sl_segment_back(g, &g->row[row]);
    if (x->v + missing >= 0.0) {
        x->v += missing;
        if (two && x->v > zone(m, tank)) {
            sl_segment *dead = sl_segment_back(g, &g->row[row]);
            double over = x->v - zone(m, tank);
            dead->c = mixed(dead->c, dead->v, x->c * over, over);
            dead->v += over;
            x->v -= over;
        }
    } else if (two) {
        sl_segment *dead = sl_segment_back(g, &g->row[row]);
        dead->v = fmax(dead->v + x->v + missing, 0.0);
        x->v = 0.0;
    } else {
        double c = x->c;
        sl_segment_withdraw(g, row, false, -missing, &taken);
        some(g, row, c, &status);
    }
    s->ledger.adjusted += sl_quality_row_mass(g, row) - before + missing * s->clock;
    return status;
}
