/* SPDX-License-Identifier: MIT */
/* accounts.c: where the water and its energy go, and whether that can be.
 *
 * Sums over time count each step with its new flows: with whole reaches and the volume below, the balance then closes to
 * rounding (docs/theory/surge.md, "What is conserved"). The volume that pressure stores in a segment is
 *     (dx g A/(2 a^2)) [sum of what leaves forth at 0..N-1 and back at 1..N]
 * which is the trapezoidal sum of g A H dx/a^2 and half a step of its end flows; its energy is the same sum of squares.
 */
#include "surge/points.h"

#include <math.h>

/* Steps between two looks at the balances of the whole. */
enum { LOOK_EVERY = 256 };

typedef struct sums {
    double volume, kinetic, elastic;
    double energy; /* by what leaves: kinetic and elastic but for half a step, and such that friction only takes */
} sums;

static sums sums_of(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g) {
    sums x = {0};
    double rho = m->fluid.density, grav = m->fluid.gravity, compliance = grav * g->area / (g->a * g->a);
    double coefficient = 0.5 * g->reach * compliance, volume = 0.0;
    for (int32_t j = 0; j <= g->n; j++) {
        int64_t i = sl_surge_cell(g, j);
        double p = s->plus[i], q = s->minus[i], head = sl_surge_head_at(m, s, i), flow = sl_surge_flow_at(m, s, g, i);
        double forth = q + 2.0 * s->ease[i] * (head - q), back = p - 2.0 * s->ease[i] * (p - head);
        double dx = g->reach * (j == 0 || j == g->n ? 0.5 : 1.0), h = head - g->datum;
        double up = forth - g->datum, down = back - g->datum, half = 0.5 * sl_surge_growth_at(m, s, g, i);
        volume += (j < g->n ? forth : 0.0) + (j > 0 ? back : 0.0);
        x.energy += (j < g->n ? up * up : 0.0) + (j > 0 ? down * down : 0.0);
        x.kinetic += 0.5 * rho / g->area * dx * (flow * flow + half * half);
        x.elastic += 0.5 * rho * grav * compliance * dx * h * h;
    }
    x.volume = coefficient * volume;
    x.energy *= 0.5 * rho * grav * coefficient;
    return x;
}

/* Gas and vapour in segments and nodes. */
static double gas_volume(const sl_surge_model *m, const sl_surge_state *s) {
    double sum = 0.0;
    for (int64_t i = 0; i < m->n_cell && s->cavity; i++) {
        sum += s->cavity[i];
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

static sl_surge_balance no_balance(void) {
    double none = (double)NAN;
    return (sl_surge_balance){.inflow = none,
                              .outflow = none,
                              .demand = none,
                              .outlets = none,
                              .tanks = none,
                              .spilled = none,
                              .stored = none,
                              .cavities = none,
                              .clamped = none,
                              .error = none,
                              .scale = none,
                              .kinetic = none,
                              .elastic = none,
                              .energy_start = none,
                              .work = none,
                              .friction = none};
}

void sl_surge_balance_start(const sl_surge_model *m, sl_surge_state *s) {
    if (!m->def.balances) {
        s->x->balance = no_balance();
        s->x->balance.work = 0.0; /* by which it is known that heads are finite */
        return;
    }
    sums x = all_sums(m, s);
    s->x->volume = x.volume;
    s->x->gas = gas_volume(m, s);
    s->x->balance.kinetic = x.kinetic;
    s->x->balance.elastic = x.elastic;
    s->x->balance.energy_start = x.kinetic + x.elastic;
    s->x->energy = x.energy;
}

sl_surge_balance sl_surge_balance_of(const sl_surge_model *m, const sl_surge_state *s) {
    if (!m->def.balances) {
        return no_balance();
    }
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
        int32_t end = m->ends[k], side = end >= m->n_segment;
        const sl_surge_segment *g = &m->segments[side ? end - m->n_segment : end];
        double q = sl_surge_flow_at(m, s, g, sl_surge_cell(g, side ? g->n : 0));
        sum += side ? q : -q;
    }
    return sum;
}

void sl_surge_raise(sl_surge_run *e, sl_surge_alarm alarm, double worst, int32_t node, int32_t pipe, double chainage) {
    sl_surge_alarm_state *a = &e->now->x->alarms[alarm];
    double t = e->now->x->time;
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
    sl_surge_state *s = e->now;
    int32_t k = i - m->net->n_junction - m->net->n_reservoir;
    const sl_tank_law *t = &m->tanks[k];
    double in = s->node_out[i] * m->dt - m->storage[i] * (s->node_head[i] - e->before->node_head[i]), over = 0.0;
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
    sl_surge_state *s = e->now;
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
        q -= m->kind[i] == SL_NODE_FIXED ? m->storage[i] * (s->node_head[i] - e->before->node_head[i]) : 0.0;
        if (m->kind[i] == SL_NODE_TANK) {
            tank_limits(e, i);
        } else if (q >= 0.0) {
            b->outflow += q;
        } else {
            b->inflow -= q;
        }
    }
}

/* In strands: one sum waits for each of its terms. */
static double sum_of(const double *x, int64_t begin, int64_t end) {
    double sum[4] = {0};
    int64_t i = begin;
    for (; i + 4 <= end; i += 4) {
        for (int l = 0; l < 4; l++) {
            sum[l] += x[i + l];
        }
    }
    for (; i < end; i++) {
        sum[0] += x[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void junctions(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    sl_surge_balance *b = &s->x->balance;
    double out = sum_of(s->node_out, 0, m->net->n_junction) + sum_of(s->node_out, m->net->n_node, m->n_node),
           ports = 0.0;
    for (int32_t k = 0; k < m->n_port; k++) {
        ports += m->ports[k].kind != SL_PORT_DEMAND ? s->port_flow[k] : 0.0;
    }
    b->demand += m->dt * (out - ports);
    b->outlets += m->dt * ports;
}

static void large_cavities(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->now;
    for (int32_t k = 0; k < m->n_segment && s->cavity; k++) {
        const sl_surge_segment *g = &m->segments[k]; /* each is a group by itself: there is gas */
        double most = 0.1 * g->area * g->reach;
        for (int32_t j = 1; j < g->n && sl_surge_seen(s, k); j++) {
            double v = s->cavity[sl_surge_cell(g, j)];
            if (v > most) {
                sl_surge_raise(e, SL_SURGE_ALARM_CAVITY, v / (10.0 * most), -1, g->pipe, m->chainage[g->at + j]);
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
        double part = sl_surge_slope_at(m, e->now, g, g->cell) / g->b;
        if (part > 0.2) {
            sl_surge_raise(e, SL_SURGE_ALARM_FRICTION, part, -1, g->pipe, g->chain);
        }
    }
}

static void watch_balances(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->now;
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

static void first_break_in(sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    double least = sl_surge_cavity_least(m, g);
    for (int32_t j = 1; j < g->n && !s->x->broke; j++) {
        if (sl_surge_is_torn(m, s, sl_surge_cell(g, j), least)) {
            s->x->broke = true;
            s->x->broke_pipe = g->pipe;
            s->x->broke_at = m->chainage[g->at + j];
        }
    }
}

/* Where the column broke first. */
static void first_break(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    bool nodes = s->x->rare != e->before->x->rare;
    for (int32_t i = 0; i < m->net->n_node && nodes && !s->x->broke; i++) {
        if (s->node_first[i] == s->x->time) {
            s->x->broke = true;
            s->x->broke_node = i;
        }
    }
    for (int32_t k = 0; k < m->n_group && sl_surge_has_cavities(m) && !s->x->broke; k++) {
        const sl_surge_group *g = &m->groups[k];
        for (int32_t l = 0; l < g->lanes && sl_surge_seen(s, k); l++) {
            first_break_in(e, &m->segments[g->first + l]);
        }
    }
}

bool sl_surge_is_finite(const sl_surge_run *e) {
    return isfinite(e->now->x->balance.work + sum_of(e->now->node_head, 0, e->m->n_node));
}

void sl_surge_accounts(sl_surge_run *e) {
    given_heads(e);
    if (e->m->def.balances) {
        junctions(e);
    }
    large_cavities(e);
    friction_large(e);
    first_break(e);
    sl_surge_columns(e);
    sl_surge_bounds_watch(e);
    sl_surge_swings_watch(e);
    if (e->now->x->n_step % LOOK_EVERY == 0 && e->m->def.balances) {
        watch_balances(e);
    }
}
