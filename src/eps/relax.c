/* SPDX-License-Identifier: MIT */
/* relax.c: statuses to begin with where no search has found them: valves act, as in a real network, until they rest.
 *
 * Check valves, pumps, flow control valves and links at full or empty tanks have laws that rise with the flow when a wall stands
 * where they do not pass: behind it the loss rises by WALL times the flow that is too much. So no link is open or closed, and
 * flows and heads are the one solution of a convex problem. Only pressure valves do not fit: what they lose depends on the head that
 * they hold. They are resistances that are turned, between trials of Newton's method, by what is lacking at the held node; each
 * has a gain that falls when it overshoots and rises when it creeps. A sustaining valve whose loss grows beyond reason stands in the
 * only path to a fixed demand: it cannot hold its setting and stays open.
 *
 * Walls leak (100 m press 3 cm3/s through one), so what is found is no solution. It gives every link a status, from which methods 6
 * and 7 of solve.c begin their search. Parts that no water can reach are cut off before.
 *
 * Theory: docs/theory/hydraulics.md, "When is it solved?".
 */
#include "eps/impl.h"

#include <math.h>

#define WALL 3e7 /* [s/m2] */
/* Trials in all, and between two turns of the valves. */
enum { TRIALS_MAX = 600, TRIALS_EACH = 4 };
/* Flows that change by less than this, and heads held to within this [m], have settled. */
#define SETTLED 1e-4
#define HELD 1e-5
/* Less than this is no flow [m3/s]. */
#define STILL 1e-9
/* More than this no valve loses [m]. */
#define BEYOND_REASON 1e5
/* A gain of a valve: first, least, most; by which it falls and rises. */
#define GAIN_FIRST 0.8
#define GAIN_LEAST 0.02
#define GAIN_MOST 1.6
#define GAIN_DOWN 0.5
#define GAIN_UP 1.15

/* Beyond what flow a wall stands, in either direction. */
static void place_walls(const sl_eps *e, const sl_eps_state *s, int32_t k, sl_eps_relaxed *x) {
    const sl_network *net = e->m->net;
    int kind = sl_valve_kind_of(net, k);
    bool governs = sl_is_valve(net, k) && !isnan(s->setting[k]);
    *x = (sl_eps_relaxed){.least = -INFINITY, .most = INFINITY, .gain = GAIN_FIRST};
    if ((k < net->n_pipe && net->pipe_check[k]) || sl_is_pump(net, k) ||
        ((kind == SL_PRV || kind == SL_PSV) && governs)) {
        x->least = 0.0;
    } else if (kind == SL_FCV && governs) {
        x->most = fmax(s->setting[k], 0.0);
    }
    for (int end = 0; end < 2; end++) {
        int32_t node = end ? net->link_to[k] : net->link_from[k], tank = node - sl_first_tank(net);
        bool full = tank >= 0 && sl_eps_tank_full(s, tank), empty = tank >= 0 && sl_eps_tank_empty(s, tank);
        bool no_forward = end ? full : empty, no_back = end ? empty : full;
        x->most = no_forward ? 0.0 : x->most;
        x->least = no_back ? 0.0 : x->least;
    }
}

void sl_eps_relaxed_law(const sl_eps_relaxed *x, double q, double *h, double *slope) {
    double beyond = q > x->most ? q - x->most : q < x->least ? q - x->least : 0.0;
    *h += x->r * q + WALL * beyond;
    *slope += x->r + (beyond != 0.0 ? WALL : 0.0);
}

/* One trial of Newton's method. Returns how much it changed the flows; infinite: there is no next one. */
static double make_trial(sl_eps *e, sl_eps_state *s) {
    double most, change;
    sl_eps_breakers_begin(e, s);
    sl_eps_coefficients(e, s);
    sl_eps_pin_heads(e, s);
    sl_eps_linearise(e, s, false);
    if (!sl_eps_solve_heads(e, s, 0.0)) {
        return (double)INFINITY;
    }
    change = sl_eps_new_flows(e, s, 1.0, &most);
    return sl_eps_breakers_stop(e, s) ? fmax(change, 1.0) : change;
}

/* Turns a pressure valve by what its node lacks. Returns by how much its loss should still change [m]. */
static double turn(const sl_eps *e, const sl_eps_state *s, int32_t k, sl_eps_relaxed *x) {
    const sl_network *net = e->m->net;
    double set = sl_eps_valve_head(net, s, k), q = s->flow[k];
    bool reduces = sl_valve_kind_of(net, k) == SL_PRV;
    double lacks = reduces ? s->head[net->link_to[k]] - set : set - s->head[net->link_from[k]];
    x->rests = q <= STILL && lacks > HELD;
    if (x->unable || x->rests || (x->r == 0.0 && lacks <= 0.0)) {
        return 0.0; /* nothing passes, or it is open already */
    }
    double lost = x->r * fmax(q, STILL);
    x->gain *= x->lacked * lacks < 0.0 ? GAIN_DOWN : GAIN_UP;
    x->gain = fmin(fmax(x->gain, GAIN_LEAST), GAIN_MOST);
    x->lacked = lacks;
    double step = x->gain * lacks, limit = fmax(10.0, lost);
    step = fmin(fmax(step, -limit), limit);
    x->r = fmax(lost + step, 0.0) / fmax(q, STILL);
    if (!reduces && lost > BEYOND_REASON && q > net->hydraulics.flow_tolerance) {
        x->unable = true;
        x->r = 0.0;
    }
    return fabs(lacks);
}

static double turn_valves(const sl_eps *e, const sl_eps_state *s) {
    double most = 0.0;
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] > SL_STATUS_CLOSED && !isnan(s->setting[k])) {
            most = fmax(most, turn(e, s, k, &e->x.relaxed[e->core->branch_of[k] - e->core->n_chain]));
        }
    }
    return most;
}

/* The status that a link shows by its flow. */
static void take_status(sl_eps *e, sl_eps_state *s, int32_t k, const sl_eps_relaxed *x) {
    const sl_network *net = e->m->net;
    int kind = sl_valve_kind_of(net, k);
    bool governs = sl_is_valve(net, k) && !isnan(s->setting[k]),
         pressed = s->flow[k] < x->least || s->flow[k] > x->most;
    bool holds = governs && (kind == SL_PRV || kind == SL_PSV), limits = governs && kind == SL_FCV;
    pressed |= holds && x->rests;
    bool at_tank = net->link_from[k] >= sl_first_tank(net) || net->link_to[k] >= sl_first_tank(net);
    uint8_t status = s->status[k];
    if (limits && x->most > 0.0 && s->flow[k] > x->most) {
        status = SL_STATUS_ACTIVE;
    } else if (pressed) {
        bool check = k < net->n_pipe && net->pipe_check[k];
        status = sl_is_pump(net, k) ? SL_STATUS_XHEAD
                 : holds || check   ? SL_STATUS_CLOSED
                 : at_tank          ? SL_STATUS_TEMP_CLOSED
                                    : SL_STATUS_CLOSED;
    } else if (limits) {
        status = SL_STATUS_XFCV;
    } else if (holds) {
        status = x->unable ? SL_STATUS_XPRESSURE : x->r > 0.0 ? SL_STATUS_ACTIVE : SL_STATUS_OPEN;
        e->w.lock[k] = x->unable ? SL_EPS_LOCKED : 0;
    }
    s->status[k] = status;
    s->flow[k] = status <= SL_STATUS_CLOSED ? 0.0 : limits && status == SL_STATUS_ACTIVE ? s->setting[k] : s->flow[k];
}

int32_t sl_eps_relax(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    int32_t trials = 0;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        place_walls(e, s, k, &e->x.relaxed[i]);
        int kind = s->status[k] == SL_STATUS_ACTIVE ? sl_valve_kind_of(e->m->net, k) : -1;
        if (kind == SL_PRV || kind == SL_PSV || kind == SL_FCV) {
            s->status[k] = SL_STATUS_OPEN;
        }
    }
    sl_eps_cut_off_dry(e, s);
    sl_eps_loads(e, s);
    sl_eps_chains_begin(e, s);
    e->w.relaxed = true;
    double change = 1.0, lacks = 1.0;
    while (isfinite(change) && trials < TRIALS_MAX && !(change <= SETTLED && lacks <= HELD)) {
        for (int32_t i = 0; i < TRIALS_EACH && isfinite(change) && (i == 0 || change > SETTLED); i++) {
            change = make_trial(e, s);
            trials++;
        }
        lacks = turn_valves(e, s);
    }
    e->w.relaxed = false;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        if (s->status[k] > SL_STATUS_CLOSED) {
            take_status(e, s, k, &e->x.relaxed[i]);
        }
    }
    e->w.islands_valid = false;
    return trials;
}
