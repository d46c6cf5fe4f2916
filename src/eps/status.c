/* SPDX-License-Identifier: MIT */
/* status.c: which check valves, pumps and control valves are open, closed or active, from heads and flows.
 *
 * Each link has a wish: the status that fits the present heads and flow. Tolerances (HTOL, QTOL) keep a link from
 * wavering. Normally all wishes are followed at once; to break a cycle only the one that is violated most is.
 */
#include "eps/impl.h"

#include <math.h>

/* What goes to and fro more often than this in one solve stays. */
enum { ACTS_MAX = 3 };

/* How badly a status is wrong, in metres of head, for choosing one. */
typedef struct status_request {
    uint8_t status;
    double violation;
} status_request;

typedef struct ends {
    double h1, h2, q;
} ends;

static ends ends_of(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    return (ends){s->head[net->link_from[k]], s->head[net->link_to[k]], s->flow[k]};
}

/* Heads without a source mean nothing: statuses there stay. */
static bool at_cut(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    if (e->w.n_cut == 0) {
        return false;
    }
    int32_t i = net->link_from[k], j = net->link_to[k];
    return (i < net->n_junction && s->cut_off[i]) || (j < net->n_junction && s->cut_off[j]);
}

/* A link that lets water through one way only. */
static bool one_way_open(const sl_hydraulic_options *o, bool open, double dh, double q) {
    if (fabs(dh) > o->head_tolerance) {
        return dh > 0.0 && q >= -o->flow_tolerance;
    }
    return q >= -o->flow_tolerance && open;
}

/* ---- Pressure reducing and sustaining valves ---------------------------------------------------- */

static status_request reducing(const sl_hydraulic_options *o, uint8_t status, ends x, double set, double loss) {
    double tol = o->head_tolerance;
    switch (status) {
    case SL_STATUS_ACTIVE:
        if (x.q < -o->flow_tolerance) {
            return (status_request){SL_STATUS_CLOSED, x.h2 - x.h1};
        }
        return x.h1 - loss < set - tol ? (status_request){SL_STATUS_OPEN, set - x.h1 + loss}
                                       : (status_request){status, 0.0};
    case SL_STATUS_OPEN:
        if (x.q < -o->flow_tolerance) {
            return (status_request){SL_STATUS_CLOSED, x.h2 - x.h1};
        }
        return x.h2 >= set + tol ? (status_request){SL_STATUS_ACTIVE, x.h2 - set} : (status_request){status, 0.0};
    case SL_STATUS_CLOSED:
        if (x.h1 >= set + tol && x.h2 < set - tol) {
            return (status_request){SL_STATUS_ACTIVE, set - x.h2};
        }
        if (x.h1 < set - tol && x.h1 > x.h2 + tol) {
            return (status_request){SL_STATUS_OPEN, x.h1 - x.h2};
        }
        return (status_request){status, 0.0};
    default: /* unable to hold: open */
        return x.q < -o->flow_tolerance ? (status_request){SL_STATUS_CLOSED, x.h2 - x.h1}
                                        : (status_request){status, 0.0};
    }
}

static status_request sustaining(const sl_hydraulic_options *o, uint8_t status, ends x, double set, double loss) {
    double tol = o->head_tolerance;
    switch (status) {
    case SL_STATUS_ACTIVE:
        if (x.q < -o->flow_tolerance) {
            return (status_request){SL_STATUS_CLOSED, x.h2 - x.h1};
        }
        return x.h2 + loss > set + tol ? (status_request){SL_STATUS_OPEN, x.h2 + loss - set}
                                       : (status_request){status, 0.0};
    case SL_STATUS_OPEN:
        if (x.q < -o->flow_tolerance) {
            return (status_request){SL_STATUS_CLOSED, x.h2 - x.h1};
        }
        return x.h1 < set - tol ? (status_request){SL_STATUS_ACTIVE, set - x.h1} : (status_request){status, 0.0};
    case SL_STATUS_CLOSED:
        if (x.h2 > set + tol && x.h1 > x.h2 + tol) {
            return (status_request){SL_STATUS_OPEN, x.h1 - x.h2};
        }
        if (x.h1 >= set + tol && x.h1 > x.h2 + tol) {
            return (status_request){SL_STATUS_ACTIVE, x.h1 - set};
        }
        return (status_request){status, 0.0};
    default: /* opened to feed a part; it was unable to hold only if the pressure stays below the setting */
        if (x.q < -o->flow_tolerance) {
            return (status_request){SL_STATUS_CLOSED, x.h2 - x.h1};
        }
        return x.h1 >= set ? (status_request){SL_STATUS_OPEN, x.h1 - set} : (status_request){status, 0.0};
    }
}

/* Beside a part without a source. The flow of an active valve comes from the balance of the node it holds: there is no
 * other. A sustaining valve whose own side is fed may let water into the part. */
static status_request cut_request(const sl_eps *e, const sl_eps_state *s, int32_t k, ends x) {
    const sl_network *net = e->m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    uint8_t status = s->status[k];
    int32_t from = net->link_from[k];
    if (status == SL_STATUS_ACTIVE && fabs(x.q) > o->flow_tolerance) {
        return (status_request){x.q < 0.0 ? SL_STATUS_CLOSED : SL_STATUS_OPEN, fabs(x.q)};
    }
    int32_t to = net->link_to[k];
    bool fed = from >= net->n_junction || !s->cut_off[from], sustains = sl_valve_kind_of(net, k) == SL_PSV;
    bool other_cut = sustains ? fed && s->cut_off[to] : !fed && (to >= net->n_junction || !s->cut_off[to]);
    double spare = x.h1 - sl_eps_valve_head(net, s, k), lacks = fed ? sl_eps_cut_off_demand(e, s, to) : 0.0;
    if (status == SL_STATUS_ACTIVE && other_cut) { /* it holds a head with no water */
        return (status_request){SL_STATUS_CLOSED, 1e-12};
    }
    if (status == SL_STATUS_CLOSED && sustains && fed && spare >= o->head_tolerance && lacks >= 0.0) {
        return (status_request){SL_STATUS_ACTIVE, spare};
    }
    return (status_request){status, 0.0};
}

static status_request regulator_request(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    if (isnan(s->setting[k])) { /* fixed open or closed */
        return (status_request){s->status[k], 0.0};
    }
    ends x = ends_of(e, s, k);
    if (at_cut(e, s, k)) {
        return cut_request(e, s, k, x);
    }
    double minor = e->m->valve_minor[k - net->n_pipe - net->n_pump];
    double set = sl_eps_valve_head(net, s, k), loss = minor * x.q * x.q;
    return sl_valve_kind_of(net, k) == SL_PRV ? reducing(o, s->status[k], x, set, loss)
                                              : sustaining(o, s->status[k], x, set, loss);
}

/* ---- Check valves, pumps, flow control valves, links at tanks ----------------------------------- */

static status_request flow_control(const sl_hydraulic_options *o, uint8_t status, ends x, double setting,
                                   double minor) {
    double least = status == SL_STATUS_XFCV ? 0.0 : minor * setting * setting; /* what it loses when open */
    if (x.h1 - x.h2 < least - o->head_tolerance || x.q < -o->flow_tolerance) {
        return (status_request){SL_STATUS_XFCV, status == SL_STATUS_XFCV ? 0.0 : least + x.h2 - x.h1};
    }
    if (status == SL_STATUS_XFCV && x.q > setting * (1.0 + SL_EPS_LIMIT_SLACK)) {
        return (status_request){SL_STATUS_ACTIVE, x.h1 - x.h2};
    }
    return (status_request){status, 0.0};
}

/* Would an open link fill a full tank or drain an empty one? Where neither heads nor flow tell, a closed one stays closed in the
 * methods that follow one wish at a time (latch): opened, it might just pass the tolerance of flows, and close again. */
static bool against_tank(const sl_eps *e, const sl_eps_state *s, int32_t k, int32_t tank_node, ends x) {
    const sl_network *net = e->m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    int32_t tank = tank_node - sl_first_tank(net);
    bool first = net->link_from[k] == tank_node, pump = sl_is_pump(net, k);
    double out = first ? x.q : -x.q, drive = x.h1 - x.h2;
    if (sl_is_valve(net, k)) {
        drive = sl_eps_valve_drive(net, s, k, drive);
    }
    double dh = first ? drive : -drive;
    bool held = e->w.latch || e->w.lock[k] >= ACTS_MAX;
    bool stays = held && s->status[k] == SL_STATUS_TEMP_CLOSED && fabs(dh) <= o->head_tolerance && !pump;
    if (sl_eps_tank_full(s, tank)) {
        if (pump ? !first : stays || !one_way_open(o, true, dh, out)) {
            return true;
        }
    }
    if (sl_eps_tank_empty(s, tank)) {
        bool drains = fabs(dh) > o->head_tolerance ? dh > 0.0 && out >= -o->flow_tolerance : out > o->flow_tolerance;
        if (pump ? first : stays || drains) {
            return true;
        }
    }
    return false;
}

/* A pump of constant power has no head at rest: one that nothing flows through is closed, until both its sides have a
 * source (islands.c opens it when one of them asks for water). It is tried a few times: water may have nowhere to go. */
static uint8_t constant_power(uint8_t was, ends x, uint8_t closings) {
    if (was == SL_STATUS_CLOSED || closings == SL_EPS_LOCKED || (was < SL_STATUS_CLOSED && closings >= ACTS_MAX)) {
        return was;
    }
    return was > SL_STATUS_CLOSED && x.q < 1e-7 ? SL_STATUS_XHEAD : SL_STATUS_OPEN;
}

static status_request watched_request(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    uint8_t was = s->status[k];
    ends x = ends_of(e, s, k);
    status_request to = {was, 0.0};
    if (at_cut(e, s, k)) { /* heads there mean nothing: islands.c opens what could help */
        return to;
    }
    if (was == SL_STATUS_XHEAD || was == SL_STATUS_TEMP_CLOSED) {
        to.status = SL_STATUS_OPEN;
        if (sl_is_valve(net, k) && !isnan(s->setting[k])) {
            to.status = SL_STATUS_ACTIVE;
        }
    }
    if (k < net->n_pipe && net->pipe_check[k]) {
        bool open = one_way_open(o, to.status > SL_STATUS_CLOSED, x.h1 - x.h2, x.q);
        to.status = open ? SL_STATUS_OPEN : SL_STATUS_CLOSED;
    } else if (sl_is_pump(net, k) && e->m->pump[k - net->n_pipe].kind == SL_PUMP_CONSTANT_POWER) {
        to.status = constant_power(was, x, e->w.lock[k]);
    } else if (sl_is_pump(net, k) && to.status >= SL_STATUS_OPEN && s->setting[k] > 0.0) {
        const sl_pump_law *law = &e->m->pump[k - net->n_pipe];
        double most = s->setting[k] * s->setting[k] * (e->w.lock[k] < ACTS_MAX ? law->h_max : law->h_rest);
        double slack = was == SL_STATUS_XHEAD && e->w.lock[k] >= ACTS_MAX ? 1e-6 : o->head_tolerance;
        /* A pump of all but no head lets water back before the tolerance of heads is used up. */
        double above = x.h2 - x.h1 - most;
        bool back = above > 0.0 && x.q < -o->flow_tolerance;
        to.status = above > slack || back ? SL_STATUS_XHEAD : SL_STATUS_OPEN;
    } else if (sl_valve_kind_of(net, k) == SL_FCV && !isnan(s->setting[k])) {
        to = flow_control(o, to.status, x, s->setting[k], e->m->valve_minor[k - net->n_pipe - net->n_pump]);
    }
    for (int end = 0; end < 2 && to.status > SL_STATUS_CLOSED; end++) {
        int32_t node = end ? net->link_to[k] : net->link_from[k];
        if (node >= sl_first_tank(net) && against_tank(e, s, k, node, x)) {
            to.status = SL_STATUS_TEMP_CLOSED;
        }
    }
    if (to.status != was && to.violation == 0.0) {
        to.violation = fabs(x.h1 - x.h2) + 1e-12;
    }
    return to;
}

/* ---- Following wishes --------------------------------------------------------------------------- */

static void follow(sl_eps *e, sl_eps_state *s, int32_t k, uint8_t status) {
    bool was_closed = s->status[k] <= SL_STATUS_CLOSED, at_shutoff = s->status[k] == SL_STATUS_XHEAD;
    bool holds = sl_eps_holds_head(e->m->net, s, k);
    s->status[k] = status;
    if (holds && status == SL_STATUS_CLOSED && at_cut(e, s, k)) {
        e->w.lock[k] = SL_EPS_LOCKED; /* islands.c need not try it again */
    }
    if (status == SL_STATUS_XHEAD && e->w.lock[k] < ACTS_MAX) {
        e->w.lock[k]++;
    }
    if (status <= SL_STATUS_CLOSED || at_shutoff) { /* a pump that can just deliver again starts from rest */
        s->flow[k] = 0.0;
    } else if (was_closed) {
        const sl_network *net = e->m->net;
        bool back = s->head[net->link_from[k]] < s->head[net->link_to[k]] && !sl_is_pump(net, k);
        double q = sl_eps_first_flow(e, s, k);
        s->flow[k] = back ? -q : q;
    }
}

/* What is closed and would only draw from a part that no water can reach stays so; at an empty tank it is the tank that closes it. */
static status_request stays_shut(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    bool at_tank = s->status[k] == SL_STATUS_XHEAD && e->m->net->link_from[k] >= sl_first_tank(e->m->net);
    return (status_request){at_tank ? SL_STATUS_TEMP_CLOSED : s->status[k], 1e-12};
}

static int32_t follow_list(sl_eps *e, sl_eps_state *s, const int32_t *list, int32_t n, sl_eps_pick pick,
                           status_request (*wish_of)(const sl_eps *, const sl_eps_state *, int32_t)) {
    int32_t changed = 0, worst = -1;
    status_request worst_wish = {0, -1.0};
    for (int32_t i = 0; i < n && !(pick == SL_EPS_FIRST && changed > 0); i++) {
        int32_t k = list[i];
        bool dry = e->m->limits_supply && s->status[k] <= SL_STATUS_CLOSED && sl_eps_comes_from_dry(e, s, k, true);
        status_request to = dry ? stays_shut(e, s, k) : wish_of(e, s, k);
        if (to.status == s->status[k]) {
            continue;
        }
        changed++;
        if (pick != SL_EPS_WORST) {
            follow(e, s, k, to.status);
        } else if (to.violation > worst_wish.violation) {
            worst = k;
            worst_wish = to;
        }
    }
    if (worst >= 0) {
        follow(e, s, worst, worst_wish.status);
    }
    return changed;
}

/* Valves that cannot hold, because an open way leads round them. */
static int32_t release_adrift(sl_eps *e, sl_eps_state *s) {
    int32_t n = 0;
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_ACTIVE && e->w.adrift[r]) {
            follow(e, s, k, s->flow[k] > 0.0 ? SL_STATUS_OPEN : SL_STATUS_CLOSED);
            s->flow[k] = s->status[k] == SL_STATUS_OPEN ? sl_eps_first_flow(e, s, k) : 0.0;
            n++;
        }
    }
    return n;
}

int32_t sl_eps_regulators(sl_eps *e, sl_eps_state *s, bool look, sl_eps_pick pick) {
    int32_t n = release_adrift(e, s);
    if (n > 0 || !look) {
        return n;
    }
    return follow_list(e, s, e->m->regulator, e->m->n_regulator, pick, regulator_request);
}

int32_t sl_eps_watch(sl_eps *e, sl_eps_state *s, sl_eps_pick pick) {
    return follow_list(e, s, e->m->watched, e->m->n_watched, pick, watched_request);
}

/* Near its shut-off head a pump's curve is so flat that the tolerance of heads lets it run backwards. The tolerance of flows lets a
 * check valve feed a small demand backwards: more than what counts as balanced is stopped. */
int32_t sl_eps_stop_backward(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    int32_t stopped = 0;
    double least = fmax(1e-6 * e->x.through, 1e-9);
    for (int32_t i = 0; i < e->m->n_watched && e->m->watched[i] < net->n_pipe; i++) {
        int32_t k = e->m->watched[i];
        if (net->pipe_check[k] && s->status[k] > SL_STATUS_CLOSED && s->flow[k] < -least && e->w.lock[k] < ACTS_MAX) {
            follow(e, s, k, SL_STATUS_CLOSED);
            e->w.lock[k]++;
            stopped++;
        }
    }
    for (int32_t k = net->n_pipe; k < net->n_pipe + net->n_pump; k++) {
        if (s->status[k] > SL_STATUS_CLOSED && s->flow[k] < -net->hydraulics.flow_tolerance) {
            follow(e, s, k, SL_STATUS_XHEAD);
            e->w.lock[k] = ACTS_MAX;
            stopped++;
        }
    }
    return stopped;
}

/* Net inflow of a tank [m3/s]. */
static double tank_inflow(const sl_eps *e, const sl_eps_state *s, int32_t node) {
    double q = 0.0;
    for (int32_t a = e->m->at_start[node]; a < e->m->at_start[node + 1]; a++) {
        int32_t k = e->m->at_link[a];
        q += e->m->net->link_to[k] == node ? s->flow[k] : -s->flow[k];
    }
    return q;
}

/* The tolerance of flows lets a full tank take a little and an empty one give it: more than what counts as balanced is stopped. */
int32_t sl_eps_stop_at_limits(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    double least = fmax(1e-6 * e->x.through, 1e-9);
    int32_t stopped = 0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        bool full = sl_eps_tank_full(s, i), empty = sl_eps_tank_empty(s, i);
        int32_t node = sl_first_tank(net) + i;
        double q = full || empty ? tank_inflow(e, s, node) : 0.0;
        double sign = full && q > least ? 1.0 : empty && q < -least ? -1.0 : 0.0;
        for (int32_t a = e->m->at_start[node]; sign != 0.0 && a < e->m->at_start[node + 1]; a++) {
            int32_t k = e->m->at_link[a];
            double in = net->link_to[k] == node ? s->flow[k] : -s->flow[k];
            if (in * sign > 0.0 && s->status[k] > SL_STATUS_CLOSED && !sl_is_pump(net, k)) {
                follow(e, s, k, SL_STATUS_TEMP_CLOSED);
                e->w.lock[k] = ACTS_MAX;
                stopped++;
            }
        }
    }
    return stopped;
}

/* ---- Controls on pressures ---------------------------------------------------------------------- */

/* They act at the instant itself, so they are part of the solution. There may be none: a control that opens what another
 * closes, for instance. One that has acted a few times is left out. */
static bool pressure_fires(const sl_eps *e, const sl_eps_state *s, const sl_control *c) {
    const sl_network *net = e->m->net;
    if (!c->enabled || c->kind > SL_CONTROL_BELOW || c->node >= net->n_junction) {
        return false;
    }
    double h = s->head[c->node], at = net->node_elevation[c->node] + c->threshold;
    double tol = net->hydraulics.head_tolerance;
    return c->kind == SL_CONTROL_BELOW ? h <= at + tol : h >= at - tol;
}

int32_t sl_eps_pressure_controls(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    int32_t changed = 0;
    for (int32_t i = 0; e->m->pressure_controls && i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        bool acts = pressure_fires(e, s, c) && sl_eps_would_change(e, s, c);
        for (int32_t j = i + 1; acts && j < net->n_control; j++) { /* the last one counts */
            acts = net->controls[j].link != c->link || !pressure_fires(e, s, &net->controls[j]);
        }
        if (acts && e->w.acted[i] >= ACTS_MAX) {
            s->x->facts.chatters = c->link;
        } else if (acts && sl_eps_apply(e, s, c->link, c->status, c->setting)) {
            e->w.acted[i]++;
            changed++;
        }
    }
    return changed;
}
