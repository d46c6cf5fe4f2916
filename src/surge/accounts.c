/* SPDX-License-Identifier: MIT */
/* accounts.c: where the water and its energy go, and whether that can be.
 *
 * Sums over time count each step with its new flows: with whole reaches and the volume below, the balance then closes to
 * rounding (docs/theory/surge.md, "What is conserved"). The volume that pressure stores in a segment is
 *     (dx g A/(2 a^2)) [sum of what leaves forth at 0..N-1 and back at 1..N]
 * which is the trapezoidal sum of g A H dx/a^2 and half a step of its end flows; its energy is the same sum of squares.
 */
#include "surge/impl.h"

#include <math.h>

/* Steps between two looks at the balances of the whole. */
enum { LOOK_EVERY = 32 };

typedef struct sums {
    double volume, kinetic, elastic;
    double energy; /* by what leaves: kinetic and elastic but for half a step, and such that friction only takes */
} sums;

static sums sums_of(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g) {
    sums x = {0};
    double rho = m->fluid.density, grav = m->fluid.gravity, compliance = grav * g->area / (g->a * g->a);
    double coefficient = 0.5 * g->reach * compliance, w = 1.0 - m->implicit;
    int64_t first = g->at, last = g->at + g->n;
    double volume = 0.0;
    for (int64_t i = first; i <= last; i++) {
        double z = g->b - w * s->r[i], forth = s->head[i] + z * s->qout[i], back = s->head[i] - z * s->qin[i];
        double dx = g->reach * (i == first || i == last ? 0.5 : 1.0), h = s->head[i] - g->datum;
        double up = forth - g->datum, down = back - g->datum;
        volume += (i < last ? forth : 0.0) + (i > first ? back : 0.0);
        x.energy += (i < last ? up * up : 0.0) + (i > first ? down * down : 0.0);
        x.kinetic += 0.25 * rho / g->area * dx * (s->qin[i] * s->qin[i] + s->qout[i] * s->qout[i]);
        x.elastic += 0.5 * rho * grav * compliance * dx * h * h;
    }
    x.volume = coefficient * volume;
    x.energy *= 0.5 * rho * grav * coefficient;
    return x;
}

/* Gas and vapour in segments and nodes. */
static double gas_volume(const sl_surge_model *m, const sl_surge_state *s) {
    double sum = 0.0;
    for (int64_t i = 0; i < m->n_point && s->cavity; i++) {
        sum += m->def.cavitation == SL_SURGE_CLAMP ? 0.0 : s->cavity[i];
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        sum += s->node_gas[i];
    }
    return sum;
}

static sums all_sums(const sl_surge_model *m, const sl_surge_state *s) {
    sums all = {0};
    for (int32_t k = 0; k < m->n_segment; k++) {
        sums x = sums_of(m, s, &m->segments[k]);
        all.volume += x.volume;
        all.kinetic += x.kinetic;
        all.elastic += x.elastic;
        all.energy += x.energy;
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        all.volume += m->storage[i] * s->node_head[i];
    }
    return all;
}

void sl_surge_balance_start(const sl_surge_model *m, sl_surge_state *s) {
    sums x = all_sums(m, s);
    s->x->volume = x.volume;
    s->x->gas = gas_volume(m, s);
    s->x->balance.kinetic = x.kinetic;
    s->x->balance.elastic = x.elastic;
    s->x->balance.energy_start = x.kinetic + x.elastic;
    s->x->energy = x.energy;
}

sl_surge_balance sl_surge_balance_of(const sl_surge_model *m, const sl_surge_state *s) {
    sl_surge_balance b = s->x->balance;
    sums x = all_sums(m, s);
    b.stored = x.volume - s->x->volume;
    b.cavities = gas_volume(m, s) - s->x->gas;
    b.kinetic = x.kinetic;
    b.elastic = x.elastic;
    b.error = b.inflow - b.outflow - b.demand - b.outlets - b.spilled - b.tanks - b.stored + b.cavities + b.clamped;
    b.scale =
        b.inflow + b.outflow + fabs(b.demand) + fabs(b.outlets) + fabs(b.tanks) + fabs(s->x->volume) + fabs(b.cavities);
    b.friction = s->x->energy + b.work - x.energy;
    return b;
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* Net inflow of a node from its segments. */
static double from_segments(const sl_surge_model *m, const sl_surge_state *s, int32_t i) {
    double sum = 0.0;
    for (int32_t k = m->end_start[i]; k < m->end_start[i + 1]; k++) {
        const sl_surge_segment *g = &m->segments[m->ends[k].segment];
        sum += m->ends[k].side ? s->qin[g->at + g->n] : -s->qout[g->at];
    }
    return sum;
}

void sl_surge_raise(sl_surge_run *e, sl_surge_alarm alarm, double worst, int32_t node, int32_t pipe, double chainage) {
    sl_surge_alarm_state *a = &e->now.x->alarms[alarm];
    double t = e->now.x->time;
    a->count++;
    a->first = isnan(a->first) ? t : a->first;
    if (!(worst <= a->worst)) {
        a->worst = worst;
        a->time = t;
        a->node = node;
        a->pipe = pipe;
        a->chainage = chainage;
    }
}

static void tank_limits(sl_surge_run *e, int32_t i) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    int32_t k = i - m->net->n_junction - m->net->n_reservoir;
    const sl_tank_law *t = &m->tanks[k];
    double in = s->node_out[i] * m->dt - m->storage[i] * (s->node_head[i] - e->before.node_head[i]), over = 0.0;
    if (s->node_head[i] > t->h_max) { /* what is above the rim is spilled within the step */
        over = sl_tank_surface(t, t->h_max) * (s->node_head[i] - t->h_max);
        s->node_head[i] = t->h_max;
        s->overflow[k] += over;
        if (!t->overflows) {
            sl_surge_raise(e, SL_SURGE_ALARM_TANK, over, i, -1, -1.0);
        }
    } else if (s->node_head[i] < t->h_min) {
        over = sl_tank_surface(t, t->h_min) * (s->node_head[i] - t->h_min);
        s->node_head[i] = t->h_min;
        sl_surge_raise(e, SL_SURGE_ALARM_TANK, -over, i, -1, -1.0);
    }
    s->x->balance.tanks += in - over;
    s->x->balance.spilled += over;
    s->tank_in[k] = s->node_out[i];
}

static void given_heads(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    sl_surge_balance *b = &s->x->balance;
    for (int32_t i = m->net->n_junction; i < m->net->n_node; i++) {
        s->node_out[i] = from_segments(m, s, i);
    }
    for (int32_t k = 0; k < m->n_joint; k++) {
        int32_t from = m->joints[k].from, to = m->joints[k].to;
        bool out = from >= m->net->n_junction && from < m->net->n_node,
             in = to >= m->net->n_junction && to < m->net->n_node;
        s->node_out[from] -= out ? s->joint_flow[k] : 0.0;
        s->node_out[to] += in ? s->joint_flow[k] : 0.0;
    }
    for (int32_t i = m->net->n_junction; i < m->net->n_node; i++) {
        double q = s->node_out[i] * m->dt;
        /* Storage of rigid pipes at a given head is water of its reservoir. */
        q -= m->kind[i] == SL_NODE_FIXED ? m->storage[i] * (s->node_head[i] - e->before.node_head[i]) : 0.0;
        if (m->kind[i] == SL_NODE_TANK) {
            tank_limits(e, i);
        } else if (q >= 0.0) {
            b->outflow += q;
        } else {
            b->inflow -= q;
        }
    }
}

static void junctions(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    sl_surge_balance *b = &s->x->balance;
    for (int32_t i = 0; i < m->n_node; i++) {
        double h = s->node_head[i], t = s->x->time;
        if (h > s->node_max[i]) {
            s->node_max[i] = h;
            s->node_tmax[i] = t;
        }
        if (h < s->node_min[i]) {
            s->node_min[i] = h;
            s->node_tmin[i] = t;
        }
        if (i < m->net->n_junction || i >= m->net->n_node) {
            b->demand += m->dt * s->node_out[i];
        }
    }
    for (int32_t k = 0; k < m->n_port; k++) {
        if (m->ports[k].kind != SL_PORT_DEMAND) {
            b->outlets += m->dt * s->port_flow[k];
            b->demand -= m->dt * s->port_flow[k];
        }
    }
}

static void segments(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = &e->now;
    double work = 0.0, rho_g = m->fluid.density * m->fluid.gravity;
    for (int32_t k = 0; k < m->n_segment; k++) {
        const sl_surge_segment *g = &m->segments[k];
        int64_t first = g->at, last = g->at + g->n;
        work += (s->head[first] - g->datum) * s->qin[first] - (s->head[last] - g->datum) * s->qin[last];
    }
    e->now.x->balance.work += rho_g * m->dt * work;
    if (m->def.cavitation == SL_SURGE_CLAMP) {
        for (int64_t i = 0; i < m->n_point; i++) {
            e->now.x->balance.clamped += m->dt * (s->qout[i] - s->qin[i]);
        }
    }
}

static void large_cavities(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = &e->now;
    if (!s->cavity) {
        return;
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        const sl_surge_segment *g = &m->segments[k];
        double most = 0.1 * g->area * g->reach;
        bool seen = s->seen[k] == (double)s->x->n_step;
        for (int64_t i = g->at + 1; i < g->at + g->n && seen; i++) {
            if (s->cavity[i] > most) {
                sl_surge_raise(e, SL_SURGE_ALARM_CAVITY, s->cavity[i] / (10.0 * most), -1, g->pipe, m->chainage[i]);
            }
        }
        for (int side = 0; side < 2; side++) {
            int32_t node = side ? g->to : g->from;
            if (s->node_gas[node] > most) {
                sl_surge_raise(e, SL_SURGE_ALARM_CAVITY, s->node_gas[node] / (10.0 * most),
                               node < m->net->n_node ? node : -1, g->pipe, m->chainage[side ? g->at + g->n : g->at]);
            }
        }
    }
}

static void friction_large(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    for (int32_t k = 0; k < m->n_segment && m->implicit == 0.0; k++) {
        const sl_surge_segment *g = &m->segments[k];
        double part = e->now.r[g->at] / g->b;
        if (part > 0.2) {
            sl_surge_raise(e, SL_SURGE_ALARM_FRICTION, part, -1, g->pipe, g->chain);
        }
    }
}

static void watch_balances(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = &e->now;
    sl_surge_balance b = sl_surge_balance_of(m, s);
    bool exact = m->def.scheme == SL_SURGE_ADJUST && m->implicit == 0.5 && m->def.cavitation != SL_SURGE_CLAMP &&
                 m->def.friction != SL_SURGE_RTHYM_FILTER;
    if (exact && !(fabs(b.error) <= 1e-9 * b.scale)) {
        sl_surge_raise(e, SL_SURGE_ALARM_MASS, fabs(b.error), -1, -1, -1.0);
    }
    /* Gas takes and gives energy too: with much of it this says nothing. */
    double moved = fabs(b.work) + b.energy_start + b.kinetic + b.elastic;
    bool gas = fabs(b.cavities) > 1e-6 * (fabs(s->x->volume) + s->x->gas);
    if (!gas && b.friction < -1e-6 * moved - 1e-9) {
        sl_surge_raise(e, SL_SURGE_ALARM_ENERGY, -b.friction, -1, -1, -1.0);
    }
}

/* Where the column broke first. */
static void first_break(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = &e->now;
    double step = (double)s->x->n_step;
    for (int32_t i = 0; i < m->net->n_node && !s->x->broke; i++) {
        if (s->node_first[i] == s->x->time) {
            s->x->broke = true;
            s->x->broke_node = i;
        }
    }
    for (int32_t k = 0; k < m->n_segment && s->cavity && !s->x->broke; k++) {
        const sl_surge_segment *g = &m->segments[k];
        for (int64_t i = g->at + 1; i < g->at + g->n && s->seen[k] == step && !s->x->broke; i++) {
            if (s->cavity_first[i] == s->x->time) {
                s->x->broke = true;
                s->x->broke_pipe = g->pipe;
                s->x->broke_at = m->chainage[i];
            }
        }
    }
}

void sl_surge_accounts(sl_surge_run *e) {
    given_heads(e);
    junctions(e);
    segments(e);
    large_cavities(e);
    friction_large(e);
    first_break(e);
    sl_surge_columns(e);
    sl_surge_bounds_watch(e);
    sl_surge_swings_watch(e);
    if (e->now.x->n_step % LOOK_EVERY == 0) {
        watch_balances(e);
    }
}
