/* SPDX-License-Identifier: MIT */
/* sense.c: which flow bits and controls the values want.
 *
 * It is decided for bodies of water as a whole, never by one root alone: when the flow between two legs of a siphon turns, two bits
 * change, and the valve between them would otherwise have no source for a moment. Where events are pending the structure is the
 * predicted one. Bodies that nothing happened to are left alone: flow bits that structure does not depend on follow when something does. Flow
 * bits go first: a cut is seen only if the source bits are those of the present flows. Then, or where
 * events are pending at once, legs of tubs, columns that have run empty, pipes that have become full, and openings.
 */
#include "tunnel/instance.h"

#include <math.h>

enum { KEEP = -1 };

typedef struct senser {
    const tunnel_instance *o;
    const sl_tunnel_network *net;
    const sl_tunnel_structure *s;
    double t;
    const double *x, *dx;
    const int32_t *q, *ahead; /* the present state, and the one whose structure is in force */
    int32_t *wanted;          /* [2 n_pipe + n_valve] flow bits of ends and of tubs, of those that it is about */
} senser;

#define CALM_RATE 1e-7 /* at which a rate of flow counts as none [m3/s2] */

/* At which a flow counts as none: all at a valve together are within the tolerance [m3/s]. */
static double calm_at(const senser *w, int32_t v) {
    return w->o->model->flow_tolerance / (4.0 * (w->net->start[v + 1] - w->net->start[v] + 1));
}

static int32_t *flow_of_tub(const senser *w, int32_t v) {
    return &w->wanted[2 * w->net->n_pipe + v];
}

/* The sign of a flow, then of its rate; KEEP where both are none. */
static int32_t sign_bit(double calm, double flow, double rate) {
    if (fabs(flow) > calm) {
        return flow < 0.0;
    }
    return fabs(rate) > CALM_RATE ? rate < 0.0 : KEEP;
}

static const int32_t *end_at(const senser *w, int32_t e) {
    return w->ahead + sl_end_bits(w->net, e);
}
static bool is_wet(const senser *w, int32_t v) {
    return w->s->head[v] != SL_HEAD_NONE;
}
static double head_at(const senser *w, int32_t v) {
    return w->x[x_head(w->net, v)];
}
/* The head on the valve's side of an end: that of a dry valve is the end's own elevation. */
static double head_outside(const senser *w, int32_t e) {
    int32_t v = sl_end_valve(w->net, e);
    return is_wet(w, v) ? head_at(w, v) : w->net->pipes[e / 2].ends[e % 2].elevation;
}

/* Water that fills its pipe and cannot move: it holds where it is joined, and presses where it is not. */
static int32_t want_standing(const senser *w, int32_t e, int32_t away) {
    int32_t other = e ^ 1, present = w->q[sl_end_bits(w->net, e) + SL_END_FLOW];
    if (end_at(w, e)[SL_END_JOINT]) {
        return !away;
    }
    double far =
        end_at(w, other)[SL_END_JOINT] ? head_outside(w, other) : w->net->pipes[e / 2].ends[other % 2].elevation;
    const sl_tunnel_end *here = &w->net->pipes[e / 2].ends[e % 2];
    bool vented =
        here->is_vented && !end_at(w, e)[SL_END_OPEN]; /* there is air before the gate, whatever is behind it */
    double rise = far - (vented ? here->elevation : head_outside(w, e));
    return rise > 0.0 ? !away : rise < 0.0 ? away : present;
}

/* Has it run empty, and does it go on to give, however little? */
static bool is_overdrawn(const senser *w, int32_t e) {
    double gain = sl_end_sign(e) * w->x[x_flow(w->net, e)];
    return w->s->column[e] == SL_TUNNEL_COLUMN_HALF &&
           w->x[x_volume(e)] <= -0.5 * volume_tolerance(&w->net->pipes[e / 2]) && gain < 0.0;
}

static int32_t want_end(const senser *w, int32_t e) {
    const sl_tunnel_pipe *p = &w->net->pipes[e / 2];
    const int32_t *o = end_at(w, e), *mid = w->ahead + sl_pipe_bits(w->net, e / 2);
    int32_t comes = sl_end_sourcing(e), away = !comes, present = w->q[sl_end_bits(w->net, e) + SL_END_FLOW];
    double z = p->ends[e % 2].elevation, eps = w->o->model->head_tolerance;
    if (w->s->column[e]) {
        int32_t j = x_flow(w->net, e), bit = sign_bit(calm_at(w, p->ends[e % 2].valve), w->x[j], w->dx[j]);
        if (is_overdrawn(w, e)) {
            return comes;
        }
        return bit == KEEP ? present : bit;
    }
    if (mid[SL_MID_JOINT]) {
        return want_standing(w, e, away);
    }
    if (o[SL_END_LEG]) { /* a droplet, or water behind a shut opening */
        return tunnel_front(p, e % 2, w->x[x_volume(e)]) > head_outside(w, e) + eps ? comes : away;
    }
    double over = head_outside(w, e) - z;
    bool falls = p->ends[1 - e % 2].elevation < z;
    return over > 2.0 * eps || (fabs(over) <= 2.0 * eps && falls) ? away : comes;
}

static int32_t want_tub(const senser *w, int32_t v) {
    const int32_t *o = w->ahead + sl_valve_bits(v);
    const sl_tunnel_valve *valve = &w->net->valves[v];
    if (o[SL_TUB_JOINT]) {
        int32_t bit = sign_bit(calm_at(w, v), tunnel_tub_flow(w->o, w->x, v), tunnel_tub_flow(w->o, w->dx, v));
        return bit == KEEP ? w->q[sl_valve_bits(v) + SL_TUB_FLOW] : bit;
    }
    if (!is_wet(w, v)) {
        return !o[SL_TUB_LEG];
    }
    if (o[SL_TUB_LEG]) {
        return tub_level(w->net, v, w->t, w->x) < head_at(w, v);
    }
    return head_at(w, v) > valve->elevation + 2.0 * w->o->model->head_tolerance;
}

/* Standing water under too much suction lets go: nothing is its source any more. */
static bool lets_go(const senser *w, int32_t v) {
    const sl_tunnel_valve *valve = &w->net->valves[v];
    return w->s->is_static[v] && head_at(w, v) < valve->elevation - valve->suction;
}

static bool has_source(const senser *w, int32_t v) {
    const int32_t *o = w->ahead + sl_valve_bits(v);
    if (o[SL_TUB_LEG] && o[SL_TUB_OPEN] && !*flow_of_tub(w, v)) {
        return true;
    }
    for (int32_t k = w->net->start[v]; k < w->net->start[v + 1]; k++) {
        int32_t e = w->net->ends[k];
        const int32_t *end = end_at(w, e);
        if (end[SL_END_LEG] && end[SL_END_OPEN] && w->wanted[e] == sl_end_sourcing(e)) {
            return true;
        }
    }
    return false;
}

/* A wet valve without a source though nothing lets go there: flows within rounding of none. The largest that comes is one. */
static void give_source(const senser *w, int32_t v) {
    const int32_t *o = w->ahead + sl_valve_bits(v);
    const sl_tunnel_network *net = w->net;
    double most = -(double)INFINITY, rate = most;
    int32_t *best = NULL, value = 0;
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        int32_t e = net->ends[k];
        double flow = -sl_end_sign(e) * w->x[x_flow(net, e)], faster = -sl_end_sign(e) * w->dx[x_flow(net, e)];
        if (w->s->joined[e] && (flow > most || (flow == most && faster > rate))) {
            most = flow;
            rate = faster;
            best = &w->wanted[e];
            value = sl_end_sourcing(e);
        }
    }
    if (o[SL_TUB_JOINT] && o[SL_TUB_LEG] && tunnel_tub_flow(w->o, w->x, v) > most) {
        best = flow_of_tub(w, v);
        value = 0;
    }
    if (best) {
        *best = value;
    }
}

/* All ends at valves of the region, and both of pipes that are full: their flow bits are one. */
static void mark_ends(tunnel_instance *o, const senser *w, const int32_t *q, bool to) {
    const sl_tunnel_network *net = o->net;
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t e = 2 * (o->region.list[k] - net->n_valve), at = e >= 0 ? sl_pipe_bits(net, e / 2) + SL_MID_JOINT : 0;
        bool full = e >= 0 && (q[at] || w->ahead[at]);
        for (int32_t j = e; j < e + 2 && e >= 0; j++) {
            o->is_wanted[j] = to && (full || o->region.has[sl_end_valve(net, j)]);
        }
    }
}

static void want_source(const senser *w, int32_t v) {
    const sl_tunnel_network *net = w->net;
    const int32_t *o = w->ahead + sl_valve_bits(v);
    bool wet = o[SL_VALVE_JOINT], dry_tub_gives = o[SL_TUB_JOINT] && !o[SL_TUB_LEG] && !*flow_of_tub(w, v);
    if (wet && lets_go(w, v)) {
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k];
            if (end_at(w, e)[SL_END_JOINT]) {
                w->wanted[e] = !sl_end_sourcing(e);
            }
        }
    } else if (wet && !dry_tub_gives && !has_source(w, v)) { /* such a tub recedes */
        give_source(w, v);
    }
}

static void want_flows(const senser *w) {
    const sl_tunnel_set *region = &w->o->region;
    int32_t n = w->net->n_valve;
    for (int32_t k = 0; k < region->n; k++) {
        int32_t block = region->list[k], e = 2 * (block - n);
        if (block < n) {
            *flow_of_tub(w, block) = want_tub(w, block);
        }
        for (int32_t j = e; j < e + 2 && e >= 0; j++) {
            w->wanted[j] = w->o->is_wanted[j] ? want_end(w, j) : KEEP;
        }
    }
    for (int32_t k = 0; k < region->n; k++) {
        if (region->list[k] < n) {
            want_source(w, region->list[k]);
        }
    }
}

/* ---- Controls ----------------------------------------------------------------------------------- */

static void write(tunnel_instance *o, int32_t *q, int32_t j, int32_t value, int32_t *n) {
    if (q[j] != value) {
        q[j] = value;
        o->changed[(*n)++] = j;
    }
}

static int32_t flip_flows(tunnel_instance *o, const senser *w, int32_t *q, int32_t *n) {
    int32_t before = *n;
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k], e = 2 * (block - o->net->n_valve);
        if (block < o->net->n_valve) {
            int32_t at = sl_valve_bits(block);
            write(o, q, at + SL_TUB_FLOWCTL, q[at + SL_TUB_FLOW] != *flow_of_tub(w, block), n);
        }
        for (int32_t j = e; j < e + 2 && e >= 0; j++) {
            int32_t at = sl_end_bits(o->net, j);
            if (o->is_wanted[j]) {
                write(o, q, at + SL_END_FLOWCTL, q[at + SL_END_FLOW] != w->wanted[j], n);
            }
        }
    }
    return *n - before;
}

static void control_valve(tunnel_instance *o, const senser *w, int32_t *q, int32_t v, int32_t *n) {
    const sl_tunnel_valve *valve = &o->net->valves[v];
    int32_t at = sl_valve_bits(v);
    bool leg = q[at + SL_TUB_LEG], wet = false;
    if (tub_has_level(valve)) {
        double level = tub_level(o->net, v, w->t, w->x);
        wet = level > valve->elevation + (leg ? 0.0 : tunnel_hysteresis(o, v));
    }
    write(o, q, at + SL_TUB_LEGCTL, leg != wet, n);
    write(o, q, at + SL_TUB_OPENCTL, q[at + SL_TUB_OPEN] != q[q_tub_gate(o->net, v)], n);
    if (valve->tub == SL_TUB_RESERVOIR && isfinite(valve->rim)) {
        double gain = tunnel_gain(o, v, w->t, w->x) + (q[at + SL_TUB_JOINT] ? 0.0 : tunnel_tub_flow(o, w->x, v));
        bool full = tub_level(o->net, v, w->t, w->x) > valve->rim - 1e-9;
        write(o, q, q_flood(o->net, v), full && gain > 0.0, n);
    }
}

static void control_pipe(tunnel_instance *o, const senser *w, int32_t *q, int32_t i, int32_t *n) {
    const sl_tunnel_pipe *p = &o->net->pipes[i];
    int32_t at = sl_pipe_bits(o->net, i);
    bool full = q[at + SL_MID_JOINT], any = false;
    double volume = 0.0, rate = 0.0, tol = 2.0 * volume_tolerance(p);
    double calm = fmin(calm_at(w, p->ends[0].valve), calm_at(w, p->ends[1].valve));
    for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
        int32_t end = sl_end_bits(o->net, e);
        double gain = sl_end_sign(e) * w->x[x_flow(o->net, e)];
        bool half = w->s->column[e] == SL_TUNNEL_COLUMN_HALF;
        volume += w->x[x_volume(e)];
        rate += half ? gain : 0.0;
        any = any || q[end + SL_END_LEG];
        bool may = q[end + SL_END_LEG] && !full && q[end + SL_END_JOINT] && q[end + SL_END_FLOW] == sl_end_sourcing(e);
        if (!o->is_wanted[e]) {
            continue;
        }
        write(o, q, end + SL_END_LEGCTL,
              may && (is_overdrawn(w, e) || (half && w->x[x_volume(e)] <= tol && gain < -calm)), n);
        write(o, q, end + SL_END_OPENCTL, q[end + SL_END_OPEN] != q[q_end_gate(o->net, e)], n);
    }
    write(o, q, at + SL_MID_CTL, !full && any && volume >= pipe_capacity(p) - tol && rate > calm, n);
}

/* What is scheduled for this time is what the openings are to be. An instant may be rounding later: roots that fire together are one. */
static void follow_schedule(tunnel_instance *o, double t, int32_t *q, int32_t *n) {
    const sl_tunnel_network *net = o->net;
    const double same = 3e-14 * fabs(t);
    for (int32_t k = sl_tunnel_next_move(net, t - same - 1e-300); k < net->n_move && net->moves[k].t <= t; k++) {
        const sl_tunnel_move *move = &net->moves[k];
        bool tub = move->valve >= 0;
        write(o, q, tub ? q_tub_gate(net, move->valve) : q_end_gate(net, move->end), move->is_open, n);
        sl_tunnel_set_add(&o->region, tub ? move->valve : net->n_valve + move->end / 2);
    }
}

/* What something happened to: parts, discrete variables, and what was decided only in part. Then whole bodies, and their pipes. */
static void find_region(tunnel_instance *o, const sl_hybrid_sense_call *at) {
    if (at->all) {
        sl_tunnel_set_fill(&o->region, o->net);
        return;
    }
    for (int32_t k = 0; k < at->n_part; k++) {
        tunnel_add_part(o, at->parts[k], &o->region);
    }
    sl_tunnel_set_add_all(&o->region, &o->touched);
    sl_tunnel_set_add_all(&o->region, &o->again);
    sl_tunnel_set_add_valves(&o->region, o->net);
    sl_tunnel_structure_spread(&o->now, o->net, &o->region);
    sl_tunnel_set_add_pipes(&o->region, o->net);
}

/* The values that are looked at. */
static void need_gain(const tunnel_instance *o, const sl_hybrid_sense_call *at, int32_t v) {
    const sl_tunnel_network *net = o->net;
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        at->need(at->user, x_flow(net, net->ends[k]));
    }
    for (int32_t k = net->source_start[v]; k < net->source_start[v + 1]; k++) {
        need_gain(o, at, net->sources[k]);
    }
}

static void need_values(const tunnel_instance *o, const sl_hybrid_sense_call *at) {
    const sl_tunnel_network *net = o->net;
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k], e = 2 * (block - net->n_valve);
        if (block < net->n_valve) {
            at->need(at->user, x_head(net, block));
            at->need(at->user, x_water(net, block));
            need_gain(o, at, block);
        }
        for (int32_t j = e; j < e + 2 && e >= 0; j++) {
            at->need(at->user, x_volume(j));
            at->need(at->user, x_flow(net, j));
            at->need(at->user, x_head(net, sl_end_valve(net, j)));
        }
    }
}

static void control(tunnel_instance *o, const senser *w, int32_t *q, int32_t *n) {
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k];
        if (block < o->net->n_valve) {
            control_valve(o, w, q, block, n);
        } else {
            control_pipe(o, w, q, block - o->net->n_valve, n);
        }
    }
}

sl_status tunnel_sense(void *instance, const sl_hybrid_sense_call *at, int32_t *q, sl_diags *diags,
                       const int32_t **changed, int32_t *n_changed) {
    tunnel_instance *o = instance;
    senser w = {o, o->net, &o->now, at->t, at->x, at->dx, q, state_in_force(o, q), o->wanted};
    (void)diags;
    *n_changed = 0;
    *changed = o->changed;
    o->acts_on_all = at->all;
    sl_tunnel_set_clear(&o->region);
    follow_schedule(o, at->t, q, n_changed);
    find_region(o, at);
    need_values(o, at);
    mark_ends(o, &w, q, true);
    want_flows(&w);
    int32_t n_flow = flip_flows(o, &w, q, n_changed);
    sl_tunnel_set_clear(&o->again);
    if (n_flow == 0 || tunnel_has_events(o, q)) {
        control(o, &w, q, n_changed);
    } else {
        sl_tunnel_set_add_all(&o->again, &o->region);
    }
    mark_ends(o, &w, q, false);
    sl_tunnel_set_clear(&o->touched);
    sl_tunnel_set_clear(&o->altered);
    return SL_OK;
}
