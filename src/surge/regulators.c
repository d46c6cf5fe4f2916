/* SPDX-License-Identifier: MIT */
/* regulators.c: valves that act: PRV, PSV, PBV and FCV, by their steady law, with a pilot and an actuator.
 *
 * A regulator is a valve whose opening x follows what it holds: the head behind it (PRV), before it (PSV), the difference (PBV), its
 * flow (FCV). In every step the waves that arrive tell which flow Q* would hold its target at once, and the heads that go with it
 * which opening x* gives that flow; the pilot follows with a time constant T, the actuator by dt/T_open or dt/T_close at most:
 *
 *     x <- x + (x* - x)(1 - e^(-dt/T)), within the reach of the actuator
 *
 * A valve that holds a head asks for half of that, (Q* + Q_slow)/2, where Q_slow follows its flow with 4 T: it answers a deviation as
 * a long pipe would, and only slowly by all it takes. As an admittance this is positive real for every T: it takes energy out of the
 * pipes whose head it holds, whatever they are, and cannot make them swing. (One that holds the head at once passes on twice the
 * flow of a wave: several in one zone excite each other.) With T = 0 it is that ideal one: exact between pipes.
 *
 * A flow that would have to run back, or to rise, makes it shut or open wholly; PRV and PSV let nothing back, a PBV all.
 *
 * At the start a regulator that holds its setting holds exactly what the steady state has, at the opening that gives its loss.
 */
#include "surge/regulators.h"

#include "surge/study.h"

#include "surge/joints.h"

#include <math.h>

/* Loss coefficient of an open control valve of globe pattern, where the network gives none. */
#define GLOBE_OPEN 6.0
/* A steady state within this part of the setting is one that holds it. */
#define NEAR 1e-3
/* How much slower than its pilot a valve takes all that its target asks for. */
#define SLOWER 4.0

/* How much more than the target passes: above 0 it has to close. */
static double excess(const sl_surge_joint *j, double from, double to, double q) {
    switch (j->regulates) {
    case SL_PRV: return to - j->target;
    case SL_PSV: return j->target - from;
    case SL_PBV: return from < to ? -1.0 : j->target - (from - to);
    case SL_FCV:
    default: return q - j->target;
    }
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* A node of a regulator without that regulator: its head when some flow joins. */
typedef struct side {
    int32_t node;
    sl_node_line x;
    bool given;  /* its head */
    bool knows;  /* a flow that joins decides its head: else only other joints do */
    double head; /* that it is taken to have when it does not */
} side;

static side side_of(const sl_surge_run *e, int32_t node, const sl_node_line *x, const double *inflow, double own,
                    double held) {
    const sl_surge_model *m = e->m;
    int32_t slot = m->node_slot[node];
    side s = {.node = node, .given = slot < 0, .head = isnan(held) ? e->now->node_head[node] : held};
    if (slot >= 0) {
        s.x = x[slot];
        s.x.w += inflow[slot] - own;
        s.knows = s.x.s > 0.0 || m->port_start[node] < m->port_start[node + 1];
    }
    return s;
}

static double head_with(sl_surge_run *e, const side *s, double joins) {
    sl_node_line x = s->x;
    x.w += joins;
    return s->knows ? sl_node_head(e, s->node, &x) : s->head;
}

/* The flow at which a breaker takes its setting off; at_rest: how much more there is at no flow, above 0. What is more falls as the
 * flow rises: regula falsi with halved ends. */
static double breaking_flow(sl_surge_run *e, const sl_surge_joint *j, const side *from, const side *to,
                            double at_rest) {
    double low = 0.0, above = at_rest, high = 1e-6, below = 0.0;
    for (int n = 0; n < 60; n++, high *= 2.0) {
        below = head_with(e, from, -high) - head_with(e, to, high) - j->target;
        if (below <= 0.0) {
            break;
        }
        low = high;
        above = below;
    }
    double q = high;
    for (int n = 0; n < 60 && above > 0.0 && below < 0.0; n++) {
        double last = q;
        q = (low * below - high * above) / (below - above);
        double more = head_with(e, from, -q) - head_with(e, to, q) - j->target;
        if (fabs(q - last) <= 1e-14 * q || more == 0.0) {
            break;
        }
        if (more > 0.0) {
            low = q;
            above = more;
            below *= 0.5;
        } else {
            high = q;
            below = more;
            above *= 0.5;
        }
    }
    return q;
}

/* The flow at which it holds its target in this step; not above 0: it has to be shut. */
static double holding_flow(sl_surge_run *e, int32_t own, const side *from, const side *to) {
    const sl_surge_joint *j = &e->m->joints[own];
    switch (j->regulates) {
    case SL_PRV: return to->given ? e->now->node_head[j->to] < j->target : sl_node_lack(e, j->to, &to->x, j->target);
    case SL_PSV:
        return from->given ? e->now->node_head[j->from] > j->target : -sl_node_lack(e, j->from, &from->x, j->target);
    case SL_PBV: {
        double at_rest = head_with(e, from, 0.0) - head_with(e, to, 0.0) - j->target, q = e->now->joint_flow[own];
        if (!(from->knows && to->knows) && q > 0.0) { /* its flow is that of the joints around it */
            return q;
        }
        return at_rest > 0.0 ? breaking_flow(e, j, from, to, at_rest) : 0.0;
    }
    case SL_FCV:
    default: return j->target;
    }
}

/* The opening at which it holds its target in this step. */
static double ideal_opening(sl_surge_run *e, int32_t joint, const sl_node_line *x, const double *inflow) {
    const sl_surge_joint *j = &e->m->joints[joint];
    double own = e->now->joint_flow[joint];
    side from = side_of(e, j->from, x, inflow, -own, j->regulates == SL_PSV ? j->target : (double)NAN);
    side to = side_of(e, j->to, x, inflow, own, j->regulates == SL_PRV ? j->target : (double)NAN);
    if (j->regulates == SL_PBV && head_with(e, &from, 0.0) < head_with(e, &to, 0.0)) {
        return 1.0; /* what runs back meets an open valve */
    }
    double q = holding_flow(e, joint, &from, &to);
    if (j->lag > 0.0 && (j->regulates == SL_PRV || j->regulates == SL_PSV)) {
        q = 0.5 * (q + e->now->slow_flow[joint]);
    }
    if (!(q > 0.0)) {
        return 0.0;
    }
    bool breaks = j->regulates == SL_PBV && !(from.knows && to.knows);
    double drop = breaks ? j->target : head_with(e, &from, -q) - head_with(e, &to, q);
    drop -= j->loss.offset + j->linear * q;
    double inverse = (drop / (q * q) - j->k0) / (j->k_open * j->k_unit) + j->inverse0;
    return inverse > 1.0 ? fmin(fmax(sl_surge_phi_inverse(&j->curve, 1.0 / sqrt(inverse)), 0.0), 1.0) : 1.0;
}

void sl_regulators_move(sl_surge_run *e, const sl_node_line *x, const double *inflow) {
    const sl_surge_model *m = e->m;
    double dt = m->dt;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        if (j->regulates < 0 || e->now->by_hand[k] != 0.0) {
            continue;
        }
        double old = e->now->opening[k], part = j->lag > 0.0 ? -expm1(-dt / j->lag) : 1.0;
        double next = old + part * (ideal_opening(e, k, x, inflow) - old);
        next = j->opens_in > 0.0 ? fmin(next, old + dt / j->opens_in) : next;
        next = j->closes_in > 0.0 ? fmax(next, old - dt / j->closes_in) : next;
        e->now->opening[k] = e->now->asked[k] = next;
    }
}

void sl_regulators_remember(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        if (j->regulates >= 0 && j->lag > 0.0) {
            double *slow = &e->now->slow_flow[k];
            *slow += (e->now->joint_flow[k] - *slow) * -expm1(-m->dt / (SLOWER * j->lag));
        }
    }
}

/* ---- Matching ----------------------------------------------------------------------------------- */

bool sl_regulator_has_record(const sl_surge_model *m, const sl_surge_joint *j) {
    const sl_surge_valve *record = sl_surge_valve_record(m, j->link);
    return record && !isnan(record->opens_in) && !isnan(record->closes_in) && !isnan(record->lag);
}

/* What it holds by the network. */
static double target_of(const sl_surge_model *m, const sl_surge_joint *j, double setting) {
    switch (j->regulates) {
    case SL_PRV: return m->z[j->to] + setting;
    case SL_PSV: return m->z[j->from] + setting;
    default: return setting;
    }
}

static double given(double x, double fallback) {
    return isnan(x) ? fallback : x;
}

void sl_regulator_match(sl_surge_model *m, sl_surge_joint *j, const sl_surge_valve *record, const sl_surge_steady *s) {
    int32_t valve = j->link - m->net->n_pipe - m->net->n_pump;
    int kind = m->net->valve_kind[valve];
    bool can = kind == SL_PRV || kind == SL_PSV || kind == SL_PBV || kind == SL_FCV;
    double minor = m->net->valve_minor[valve], from = m->start_head[j->from], to = m->start_head[j->to], q = j->flow;
    if (!can || isnan(s->setting[j->link])) { /* its status governs */
        return;
    }
    j->regulates = kind;
    j->one_way = kind == SL_PRV || kind == SL_PSV;
    j->opens_in = given(record->opens_in, SL_REGULATOR_STROKE);
    j->closes_in = given(record->closes_in, SL_REGULATOR_STROKE);
    j->lag = given(record->lag, SL_REGULATOR_LAG);
    j->curve.to_zero = true;
    j->k_open = given(record->k_open, fmax(minor, GLOBE_OPEN));
    j->target = target_of(m, j, s->setting[j->link]);
    bool shut = j->opening == 0.0;
    double more = excess(j, from, to, q);
    bool holds = s->acts[j->link] && !shut && fabs(more) <= NEAR * (1.0 + fabs(j->target)) && q > 0.0 && from > to;
    bool at_odds = shut ? from > to && more < 0.0 : more > 0.0; /* what the steady state leaves so stays so */
    if (holds || at_odds) {
        j->target = kind == SL_PRV ? to : kind == SL_PSV ? from : kind == SL_FCV ? q : from - to;
        sl_surge_note_residual(m, kind == SL_FCV ? 0.0 : more);
    }
    j->inverse0 = 1.0;
    if (shut) { /* a check valve as well: what runs back shuts it, and the pilot would open it */
        j->k0 = minor * j->k_unit;
        j->opening = excess(j, from, to, q) < 0.0 ? 1.0 : 0.0;
        j->loss.offset = 0.0;
    } else if (holds) {
        j->k0 = fmax((from - to - j->linear * q) / (q * q), 0.0);
        j->inverse0 = 1.0 + fmax(j->k0 / j->k_unit - minor, 0.0) / j->k_open;
        j->opening = sl_surge_phi_inverse(&j->curve, 1.0 / sqrt(j->inverse0));
        j->loss.offset = 0.0;
    } else {
        j->opening = 1.0;
    }
}
