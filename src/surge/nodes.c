/* SPDX-License-Identifier: MIT */
/* nodes.c: heads at nodes.
 *
 * A node's segments deliver w - s H. What else it gives away grows with H: ports, storage, gas that is pressed together.
 * So F(H) = w - s H - ports(H) - storage (H - H_old)/dt - (V_old - V(H))/dt falls with H and has one root: Newton's method
 * within a bracket. Nodes at joints are solved together: unknowns are their heads and the flows of joints, which are
 * eliminated by h(Q) linearised, so that the matrix is that of a network; ways that let nothing back are shut and opened on
 * the way. Theory: docs/theory/surge.md, "Nodes".
 *
 * Below the vapour head: DGCM has V(H) = C/(H - Hv) in the equation itself. DVCM and clamp solve with the cavity filled
 * within the step; if that is below Hv, the node is pinned there and what it misses is the cavity's growth.
 */
#include "surge/impl.h"

#include "surge/nodes.h"

#include "surge/joints.h"
#include "surge/regulators.h"

#include <math.h>
#include <string.h>

enum { MOST = 120, PLAIN = 80, PICARD_AFTER = 12, HALF_AFTER = 24, PINS_UNTIL = 30 };
#define HEAD_SMALL 1e-12
#define HEAD_NEAR 1e-4                 /* a relative change of heads from which on Newton's method is left alone */
#define FLOW_NONE 1e-14                /* [m3/s] */
#define PORT_LINEAR 1e-4               /* [m] below this pressure a port is linear: its law would be vertical at none */
#define ROOT_SMALL (2.0 * PORT_LINEAR) /* [m] */
#define HEAD_OF_GAS 1.0                /* [m] above that of vapour: nearer, gas bends */
#define REGULAR 1e-12 /* part of the diagonal added to it: nodes that only wide joints hold would leave no pivot */
#define LEAK 1e-13    /* [m2/s] conductance that keeps a node that nothing holds where it is */

typedef sl_node_line node;

static double factor_of(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_port *p) {
    (void)m;
    return p->kind == SL_PORT_DEMAND ? s->factor[p->node] : p->kind == SL_PORT_OUTLET ? s->outlet[p->outlet] : 1.0;
}

/* Flow and slope of all ports of a node; each flow into keep, unless that is NULL. */
static double ports_at(const sl_surge_model *m, const sl_surge_state *s, int32_t i, double h, bool picard, double *keep,
                       double *slope) {
    double sum = 0.0;
    for (int32_t k = m->port_start[i]; k < m->port_start[i + 1]; k++) {
        const sl_surge_port *p = &m->ports[k];
        double y = h - p->zero, c = factor_of(m, s, p) * p->c, a = fabs(y) > PORT_LINEAR ? fabs(y) : PORT_LINEAR;
        bool runs = y >= 0.0 || p->both_ways, chord = picard || fabs(y) < PORT_LINEAR;
        double ratio = !runs ? 0.0 : (p->n == 0.5 ? c * sqrt(a) : c * pow(a, p->n)) / a, q = ratio * y;
        *slope += (chord && p->n < 1.0 ? 1.0 : p->n) * ratio;
        sum += q;
        if (keep) {
            keep[k] = q;
        }
    }
    return sum;
}

/* Solved by settle_plain: alone, without gas, with one port at most. */
static bool is_plain(const sl_surge_model *m, int32_t i) {
    return m->kind[i] == SL_NODE_FREE && m->node_slot[i] < 0 && m->gas[i] <= 0.0 &&
           m->port_start[i + 1] - m->port_start[i] <= 1 && m->end_start[i + 1] > m->end_start[i];
}

void sl_surge_nodes_prepare(sl_surge_model *m) {
    for (int32_t i = 0; i < m->n_node; i++) {
        m->node_plain[i] = is_plain(m, i);
    }
}

node sl_node_gather(const sl_surge_run *e, int32_t i) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->now;
    node x = {.hv = m->node_vapour[i], .gas = m->gas[i], .old = e->before->node_head[i]};
    for (int32_t k = m->end_start[i]; k < m->end_start[i + 1]; k++) {
        double y = e->admit[m->ends[k]];
        x.s += y;
        x.w += y * e->arrive[m->ends[k]];
    }
    double storage = m->storage[i];
    if (m->kind[i] == SL_NODE_TANK) {
        const sl_tank_law *t = &m->tanks[i - m->net->n_junction - m->net->n_reservoir];
        storage += sl_tank_surface(t, fmin(fmax(x.old, t->h_min), t->h_max));
    } else if (i < m->net->n_junction) {
        x.w -= s->factor[i] * m->start_demand[i] + s->fixed[i];
    }
    x.s += storage / m->dt;
    x.w += storage / m->dt * x.old;
    x.v = sl_surge_has_cavities(m) && m->kind[i] == SL_NODE_FREE ? e->before->node_gas[i] : 0.0;
    x.w -= x.v / m->dt; /* a cavity that fills within the step; gas gives part of it back */
    return x;
}

/* The root of w - s H + C/(dt (H - Hv)), in the form without cancellation. */
static double straight_root(const node *x, double dt) {
    if (x->gas <= 0.0) {
        return x->w / x->s;
    }
    double c = x->gas / dt, q = x->s * x->hv - x->w, root = sqrt(q * q + 4.0 * x->s * c);
    return x->hv + (q <= 0.0 ? (root - q) / (2.0 * x->s) : 2.0 * c / (q + root));
}

static double gas_slope(const node *x, double h, double dt, double *given) {
    double y = h - x->hv;
    *given = x->gas > 0.0 ? x->gas / (dt * y) : 0.0;
    return x->gas > 0.0 ? *given / y : 0.0;
}

double sl_node_lack(const sl_surge_run *e, int32_t i, const node *x, double h) {
    double unused = 0.0, given;
    (void)gas_slope(x, h, e->m->dt, &given);
    return ports_at(e->m, e->now, i, h, false, NULL, &unused) + x->s * h - x->w - given;
}

/* The root of w - s H - c sqrt(y) = 0, y = H - z, s and w with c divided by s: y + c sqrt(y) = d. */
static double root_of_outlet(double c, double d) {
    double half = 0.5 * c, r = d / (half + sqrt(half * half + d));
    return r * r;
}

/* The head of a node with one outlet by the square root and gas: closed with the gas at the old head, then Newton's method, whose
 * error is known from the second derivative. False: not so, or near the heads where the laws bend. */
static bool head_at_outlet(const sl_surge_run *e, int32_t i, const node *x, double *head) {
    const sl_surge_model *m = e->m;
    const sl_surge_port *p = &m->ports[m->port_start[i]];
    double dt = m->dt, old = x->old - x->hv, c = factor_of(m, e->now, p) * p->c;
    if (m->port_start[i + 1] - m->port_start[i] != 1 || p->n != 0.5 || !(old > HEAD_OF_GAS)) {
        return false;
    }
    double gas = x->gas / dt, d = (x->w + gas / old) / x->s - p->zero;
    if (!(d > ROOT_SMALL)) {
        return false;
    }
    double y = root_of_outlet(c / x->s, d);
    for (int n = 0; n < 8; n++) {
        double above = y + (p->zero - x->hv);
        if (!(y > ROOT_SMALL) || !(above > HEAD_OF_GAS)) {
            return false;
        }
        double q = c * sqrt(y), given = gas / above, port_slope = 0.5 * q / y, gas_slope_at = given / above;
        double slope = x->s + port_slope + gas_slope_at;
        double step = (x->w - x->s * (p->zero + y) - q + given) / slope,
               bends = 0.5 * port_slope / y + 2.0 * gas_slope_at / above;
        y += step;
        double error = step * step * bends, size = HEAD_SMALL * 0.1 * slope * (1.0 + fabs(p->zero + y));
        if (error <= size) {
            *head = p->zero + y;
            return y > ROOT_SMALL;
        }
    }
    return false;
}

double sl_node_head(const sl_surge_run *e, int32_t i, const node *x) {
    const sl_surge_model *m = e->m;
    double dt = m->dt;
    if (m->port_start[i] == m->port_start[i + 1]) {
        return straight_root(x, dt);
    }
    double closed;
    if (head_at_outlet(e, i, x, &closed)) {
        return closed;
    }
    double low = x->gas > 0.0 ? x->hv : -(double)INFINITY, high = (double)INFINITY;
    double h = fmax(x->old, x->gas > 0.0 ? x->hv + 1e-6 : x->old);
    for (int n = 0; n < PLAIN; n++) {
        double slope = x->s, given;
        double f = x->w - x->s * h - ports_at(m, e->now, i, h, false, NULL, &slope);
        slope += gas_slope(x, h, dt, &given);
        f += given;
        low = f > 0.0 ? h : low;
        high = f <= 0.0 ? h : high;
        if (f == 0.0) { /* also where nothing flows over a range of heads */
            return h;
        }
        double next = h + f / slope;
        if (!(next > low && next < high)) {
            next = isinf(low) ? h - 2.0 * (fabs(h - next) + 1.0) : isinf(high) ? h + 1.0 : 0.5 * (low + high);
        }
        if (fabs(next - h) <= HEAD_SMALL * (1.0 + fabs(h)) * 0.1) {
            return next;
        }
        h = next;
    }
    return h;
}

/* Below the vapour head without gas: pinned there, or not. */
static bool breaks(const sl_surge_model *m, int32_t i, const node *x, double h) {
    return x->gas <= 0.0 && sl_surge_has_cavities(m) && m->kind[i] == SL_NODE_FREE && h < x->hv;
}

/* The cavity of a node, and what is known about it. */
static void settle_cavity(sl_surge_run *e, int32_t i, double near, double v) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    bool clamps = m->def.cavitation == SL_SURGE_CLAMP, was = e->before->node_gas[i] > near, is = v > near;
    s->x->balance.clamped += clamps ? v : 0.0;
    s->node_gas[i] = clamps ? 0.0 : v;
    if (was || is) {
        s->node_first[i] = isnan(s->node_first[i]) && is ? s->x->time : s->node_first[i];
        s->node_time[i] += is ? m->dt : 0.0;
        s->node_count[i] += was && !is ? 1.0 : 0.0;
        s->x->rare = s->x->n_step;
    }
}

/* What is left at a node: its head, its outflow, its cavity. inflow: net flow of its joints. */
static void settle(sl_surge_run *e, int32_t i, const node *x, double h, double inflow) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    int32_t port = m->port_start[i];
    bool ports = port < m->port_start[i + 1], holds = sl_surge_has_cavities(m) && m->kind[i] == SL_NODE_FREE;
    double unused = 0.0, out = ports_at(m, s, i, h, false, s->port_flow, &unused);
    double fixed = i < m->net->n_junction ? s->factor[i] * m->start_demand[i] + s->fixed[i] : 0.0;
    double missing = m->dt * (out + x->s * h - x->w - inflow); /* a cavity of this volume; 0 where there is none */
    double near = x->gas > 0.0 ? x->gas / SL_SURGE_VAPOUR_NEAR : 0.0, v = 0.0;
    s->node_head[i] = h;
    if (x->s <= 0.0 && inflow == 0.0) { /* shut off from everything: nothing can leave, or come */
        s->node_head[i] = x->old;
        v = x->v;
        out = fixed = 0.0;
        for (int32_t k = port; k < m->port_start[i + 1]; k++) {
            s->port_flow[k] = 0.0;
        }
    } else {
        bool open = holds && (x->gas > 0.0 ? missing > near || !ports : h <= x->hv);
        /* A cavity is known by its growth: no water is lost. What is not one is rounding, at a port: steep in the head. */
        v = open ? fmax(missing, 0.0) : holds && x->gas > 0.0 ? x->gas / (h - x->hv) : 0.0;
        if (ports) {
            s->port_flow[port] -= (missing - v) / m->dt;
            out -= (missing - v) / m->dt;
        }
    }
    s->node_out[i] = out + fixed;
    if (holds) {
        settle_cavity(e, i, near, v);
    }
}

/* A junction with what its pipes bring and at most one outlet by the square root of the pressure, without gas, above its vapour
 * head: w - s H - c sqrt(H - z) = 0 is quadratic in the root. False: it is not so. */
static bool settle_plain(sl_surge_run *e, int32_t i) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    double w = 0.0, sum = 0.0, fixed = i < m->net->n_junction ? s->factor[i] * m->start_demand[i] + s->fixed[i] : 0.0;
    for (int32_t k = m->end_start[i]; k < m->end_start[i + 1]; k++) {
        double y = e->admit[m->ends[k]];
        sum += y;
        w += y * e->arrive[m->ends[k]];
    }
    int32_t port = m->port_start[i];
    double storage = m->storage[i] / m->dt, out = 0.0;
    sum += storage;
    w += storage * e->before->node_head[i] - fixed;
    double h = w / sum;
    if (port < m->port_start[i + 1]) {
        const sl_surge_port *p = &m->ports[port];
        double y = h - p->zero, c = factor_of(m, s, p) * p->c / sum;
        if (p->n != 0.5 || !(fabs(y) > ROOT_SMALL)) {
            return false;
        }
        bool runs = y > 0.0 || p->both_ways;
        double square = runs ? root_of_outlet(c, fabs(y)) : fabs(y);
        if (!(square > PORT_LINEAR)) {
            return false;
        }
        h = p->zero + (y > 0.0 ? square : -square);
        out = runs ? w - sum * h : 0.0; /* what is left: no water is lost */
        s->port_flow[port] = out;
    }
    if (!(h > m->node_vapour[i])) {
        return false;
    }
    s->node_head[i] = h;
    s->node_out[i] = fixed + out;
    s->node_gas[i] = 0.0;
    return true;
}

static void alone(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    for (int32_t i = 0; i < m->n_node; i++) {
        if (m->kind[i] == SL_NODE_FIXED || m->node_slot[i] >= 0) {
            continue;
        }
        if (m->node_plain[i] && !(e->before->node_gas[i] > 0.0) && settle_plain(e, i)) {
            continue;
        }
        node x = sl_node_gather(e, i);
        double h = x.s > 0.0 ? sl_node_head(e, i, &x) : x.old;
        h = breaks(m, i, &x, h) ? x.hv : h;
        settle(e, i, &x, h, 0.0);
    }
}

/* ---- Together ----------------------------------------------------------------------------------- */

typedef struct together {
    sl_surge_run *e;
    node *x;        /* [n_slot] */
    uint8_t *pin;   /* [n_slot] at the vapour head */
    double *inflow; /* [n_slot] of joints */
    double worst;   /* largest change of a head */
    bool switched;
} together;

static double head_at(const sl_surge_run *e, int32_t i) {
    return e->now->node_head[i];
}

/* Fills matrix and right side: what each node has too much, with the flows of joints linearised. */
static void assemble(together *t, bool picard) {
    sl_surge_run *e = t->e;
    const sl_surge_model *m = e->m;
    double *a = sl_ldl_matrix(m->ldl, e->ldl);
    const int32_t *slots = sl_ldl_slots(m->ldl);
    memset(a, 0, (size_t)sl_ldl_size(m->ldl) * sizeof *a);
    for (int32_t k = 0; k < m->n_slot; k++) {
        int32_t i = m->slot_node[k];
        const node *x = &t->x[k];
        double h = head_at(e, i), slope = x->s + LEAK, given;
        double f = x->w - x->s * h - LEAK * (h - x->old) - ports_at(m, e->now, i, h, picard, NULL, &slope);
        slope += gas_slope(x, h, m->dt, &given);
        a[k] = slope;
        e->rhs[k] = f + given;
    }
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        if (e->joint_shut[k]) {
            continue;
        }
        int32_t from = m->node_slot[j->from], to = m->node_slot[j->to];
        double g = 1.0 / e->joint_slope[k];
        double q = e->now->joint_flow[k] + g * (head_at(e, j->from) - head_at(e, j->to) - e->joint_loss[k]);
        if (from >= 0) {
            a[from] += g;
            e->rhs[from] -= q;
        }
        if (to >= 0) {
            a[to] += g;
            e->rhs[to] += q;
        }
        if (slots[k] >= 0) {
            a[slots[k]] -= g;
        }
    }
    for (int32_t k = 0; k < m->n_slot; k++) { /* a pinned head does not change: as good as a huge storage */
        a[k] += t->pin[k] ? 1e30 : REGULAR * a[k];
    }
}

static double change_of(const together *t, int32_t i) {
    int32_t k = t->e->m->node_slot[i];
    return k >= 0 ? t->e->rhs[k] : 0.0;
}

/* A step that would cross the head at which a port begins to run ends there: on the other side its slope is another. */
static void shorten(together *t) {
    const sl_surge_model *m = t->e->m;
    for (int32_t k = 0; k < m->n_slot; k++) {
        int32_t i = m->slot_node[k];
        double h = head_at(t->e, i);
        for (int32_t p = m->port_start[i]; p < m->port_start[i + 1]; p++) {
            double y = h - m->ports[p].zero, next = y + t->e->rhs[k];
            if (y * next < 0.0 && fabs(y) > 1e-6) {
                t->e->rhs[k] = -y;
            }
        }
    }
}

/* More than a square law lets through between these heads does not help: its line at rest is nearly level. */
static void limit_flows(together *t) {
    sl_surge_run *e = t->e;
    for (int32_t k = 0; k < e->m->n_joint; k++) {
        const sl_surge_joint *j = &e->m->joints[k];
        if (!e->joint_shut[k] && j->pump < 0 && !j->rigid && e->joint_k[k] > 0.0) {
            double most = 2.0 * sqrt(fabs(head_at(e, j->from) - head_at(e, j->to) - j->loss.offset) / e->joint_k[k]);
            e->now->joint_flow[k] = fmin(fmax(e->now->joint_flow[k], -most), most);
        }
    }
}

/* Takes the step: flows of joints first, then heads. */
static void advance(together *t, double part) {
    sl_surge_run *e = t->e;
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    t->worst = 0.0;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        if (e->joint_shut[k]) {
            s->joint_flow[k] = 0.0;
            continue;
        }
        double d = head_at(e, j->from) - head_at(e, j->to) - e->joint_loss[k];
        double step = (d + (change_of(t, j->from) - change_of(t, j->to))) / e->joint_slope[k];
        if (j->pump >= 0) { /* its curve says nothing about flows far beyond it, and bends: to and fro is halved */
            double *most = &e->joint_cap[k];
            bool to_and_fro = step * e->joint_last[k] < 0.0 && fabs(step) > 1e-6 * m->pumps[j->pump].q_rated;
            bool on =
                step * e->joint_last[k] > 0.0 && fabs(step) > *most; /* the same way again: the limit was too small */
            *most = fmin(*most * (to_and_fro ? 0.5 : on ? 2.0 : 1.0), m->pumps[j->pump].q_rated);
            t->worst = fabs(step) > *most ? 1.0 : t->worst; /* then it does not balance yet */
            step = fmin(fmax(step, -*most), *most);
            e->joint_last[k] = step;
        }
        s->joint_flow[k] += part * step;
    }
    for (int32_t k = 0; k < m->n_slot; k++) {
        int32_t i = m->slot_node[k];
        double h = s->node_head[i], next = h + part * e->rhs[k];
        if (t->x[k].gas > 0.0) {
            next = fmax(next, t->x[k].hv + 0.1 * (h - t->x[k].hv));
        }
        t->worst = fmax(t->worst, fabs(next - h) / (1.0 + fabs(h)));
        s->node_head[i] = next;
    }
}

/* One-way joints that would run back shut; those that could run open. */
static void switch_joints(together *t) {
    sl_surge_run *e = t->e;
    const sl_surge_model *m = e->m;
    t->switched = false;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        if (!j->one_way || isinf(e->joint_k[k])) {
            continue;
        }
        /* What the rounding of heads makes flow through a way without loss is no flow back. */
        double noise = FLOW_NONE + 1e-14 * (1.0 + fabs(head_at(e, j->from))) / e->joint_slope[k];
        double limit = sl_surge_joint_back(e, k, e->now->joint_flow[k]);
        bool shut = e->joint_shut[k], back = !shut && e->now->joint_flow[k] < limit - noise;
        if (!shut && !back) {
            e->now->joint_flow[k] = fmax(e->now->joint_flow[k], limit);
        }
        if (shut || back) {
            double drop = head_at(e, j->from) - head_at(e, j->to);
            bool runs = drop > sl_surge_joint_static_loss(e, k) + (shut ? 1e-9 : 0.0);
            e->joint_shut[k] = !runs;
            e->now->joint_flow[k] = back && runs ? 0.01 * fabs(e->now->joint_flow[k]) : 0.0;
            t->switched |= back || runs;
        }
    }
}

/* Nodes without gas that fell below the vapour head are pinned there; those whose cavity would be negative are freed. Where
 * this goes on and on, they are only freed: a little tension is better than water from nowhere. */
static void switch_pins(together *t, bool pins) {
    sl_surge_run *e = t->e;
    const sl_surge_model *m = e->m;
    for (int32_t k = 0; k < m->n_slot; k++) {
        int32_t i = m->slot_node[k];
        const node *x = &t->x[k];
        if (pins && !t->pin[k] && breaks(m, i, x, head_at(e, i))) {
            t->pin[k] = 1;
            e->now->node_head[i] = x->hv;
            t->switched = true;
        } else if (t->pin[k] == 1) {
            double unused = 0.0, out = ports_at(m, e->now, i, x->hv, false, NULL, &unused);
            if (out + x->s * x->hv - x->w - t->inflow[k] < 0.0) {
                t->pin[k] = 0;
                t->switched = true;
            }
        }
    }
}

static void inflows(together *t) {
    const sl_surge_model *m = t->e->m;
    memset(t->inflow, 0, (size_t)m->n_slot * sizeof *t->inflow);
    for (int32_t k = 0; k < m->n_joint; k++) {
        int32_t from = m->node_slot[m->joints[k].from], to = m->node_slot[m->joints[k].to];
        if (from >= 0) {
            t->inflow[from] -= t->e->now->joint_flow[k];
        }
        if (to >= 0) {
            t->inflow[to] += t->e->now->joint_flow[k];
        }
    }
}

static void alarm_nodes(sl_surge_run *e, double worst) {
    sl_surge_alarm_state *a = &e->now->x->alarms[SL_SURGE_ALARM_NODES];
    a->count++;
    a->first = isnan(a->first) ? e->now->x->time : a->first;
    if (!(worst <= a->worst)) {
        a->worst = worst;
        a->time = e->now->x->time;
    }
}

void sl_surge_nodes(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    alone(e);
    if (!m->ldl) {
        return;
    }
    together t = {.e = e, .x = (node *)(void *)e->node_work, .pin = e->node_pin, .inflow = e->node_miss, .worst = 1.0};
    for (int32_t k = 0; k < m->n_slot; k++) {
        t.x[k] = sl_node_gather(e, m->slot_node[k]);
        t.pin[k] = 0;
        if (t.x[k].gas > 0.0) {
            e->now->node_head[m->slot_node[k]] = fmax(head_at(e, m->slot_node[k]), t.x[k].hv + 1e-9);
        }
    }
    if (m->n_regulator > 0) {
        inflows(&t);
        sl_regulators_move(e, t.x, t.inflow);
    }
    sl_surge_joints_begin(e);
    int n = 0;
    for (t.switched = true; n < MOST && (t.worst > HEAD_SMALL || t.switched); n++) {
        sl_surge_joints_losses(e);
        assemble(&t, n >= PICARD_AFTER);
        if (sl_ldl_factor(m->ldl, e->ldl) >= 0) {
            break;
        }
        sl_ldl_solve(m->ldl, e->ldl, e->rhs);
        shorten(&t);
        /* Nodes that only devices hold may go round in circles: half steps end that, until heads are near. */
        advance(&t, n >= HALF_AFTER && !(t.worst <= HEAD_NEAR) ? 0.5 : 1.0);
        if (n >= PICARD_AFTER) {
            limit_flows(&t);
        }
        inflows(&t);
        switch_joints(&t);
        switch_pins(&t, n < PINS_UNTIL);
    }
    e->now->x->n_iteration += n;
    if (!(t.worst <= 1e-7) || t.switched) {
        alarm_nodes(e, t.worst);
    }
    inflows(&t);
    for (int32_t k = 0; k < m->n_slot; k++) {
        settle(e, m->slot_node[k], &t.x[k], head_at(e, m->slot_node[k]), t.inflow[k]);
    }
    sl_surge_joints_end(e);
    if (m->n_regulator > 0) {
        sl_regulators_remember(e);
    }
}
