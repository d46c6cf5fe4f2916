/* SPDX-License-Identifier: MIT */
/* islands.c: islands of the network: connected to a source, or cut off.
 *
 * A head means something only where a path of conducting links leads to a given head: a reservoir, a tank, or the node an
 * active pressure valve holds. Junctions without such a path are an island: if a check valve, pump or control valve that the
 * status logic had closed could feed it (or drain it, when it has more inflow than demand), the most promising one is
 * opened. A pressure sustaining valve that stands in the only path is opened too and marked: it cannot hold its setting. A
 * flow control valve is not: what it limits is known before (supply.c). An island that nothing can feed is cut off: its demand
 * is not served, its flows are zero.
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

/* Joins the zones that conducting links connect, and all that hangs on a given head to number n_zone. What an active
 * pressure valve holds is given, unless the valve has nothing but its own water to hold it with. Returns whether all
 * zones hang on a given head. */
static bool join_zones(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    int32_t *up = e->x.zone;
    for (int32_t z = 0; z <= c->n_zone; z++) {
        up[z] = z;
    }
    for (int32_t i = 0; i < net->n_reservoir + net->n_tank; i++) {
        up[sl_eps_root(up, c->source_zone[i])] = c->n_zone;
    }
    for (int32_t i = 0; i < c->n_single; i++) {
        if (e->w.conducts[c->single[i]]) {
            int32_t a = sl_eps_root(up, c->zone_from[i]), b = sl_eps_root(up, c->zone_to[i]);
            up[a < b ? a : b] = a < b ? b : a;
        }
    }
    for (bool again = true; again;) {
        again = false;
        for (int32_t r = 0; r < e->m->n_regulator; r++) {
            int32_t held = sl_eps_root(up, c->held_zone[r]), far = sl_eps_root(up, c->far_zone[r]);
            if (s->status[e->m->regulator[r]] == SL_STATUS_ACTIVE && held != far && held != c->n_zone) {
                up[held] = c->n_zone;
                again = true;
            }
        }
    }
    bool all = true;
    for (int32_t z = 0; z < c->n_zone; z++) {
        up[z] = sl_eps_root(up, z);
        all &= up[z] == c->n_zone;
    }
    return all;
}

/* An island with emitters is fed by one link so often in a solve: then the link shuts because they let more in than it brings. */
enum { FEEDS_MAX = 3 };

/* A link that could connect an island with the other junctions. */
typedef struct feed_path {
    int32_t link;
    uint8_t status; /* to give it */
    bool lock;      /* because it cannot hold its setting */
    int rank;       /* lower is tried first */
    double head;    /* of the other side, as seen through the link */
} feed_path;

/* What a closed or controlling link at a node of the island could do. inlet, outlet: which directions are wanted; modest: only
 * outlets ask for water; flows: and fixed demands use water. */
static bool find_feed_path(const sl_eps *e, const sl_eps_state *s, int32_t k, int32_t inside, bool inlet, bool outlet,
                           bool modest, bool flows, feed_path *x) {
    const sl_network *net = e->m->net;
    bool feeds = net->link_to[k] == inside; /* its forward flow comes in */
    int32_t outside = net->link_from[k] + net->link_to[k] - inside;
    int kind = sl_valve_kind_of(net, k);
    uint8_t status = s->status[k];
    bool governed = k >= net->n_pipe && !isnan(s->setting[k]);
    *x = (feed_path){.link = k, .status = SL_STATUS_OPEN, .head = s->head[outside]};
    bool deficit = inlet && !outlet, surplus = outlet && !inlet;
    if (kind == SL_FCV && status == SL_STATUS_ACTIVE) {
        x->status = SL_STATUS_XFCV;
        x->rank = 2;                                        /* it cannot pass what it is set to */
        return !(feeds && deficit) && !(!feeds && surplus); /* a limit is a limit (supply.c) */
    }
    if (kind == SL_PRV && governed && surplus && !feeds && e->w.latch &&
        (status == SL_STATUS_ACTIVE || status == SL_STATUS_CLOSED)) {
        /* What comes in has no other path: with the setting kept nothing balances. */
        x->status = SL_STATUS_XPRESSURE;
        x->lock = true;
        x->rank = 3;
        return true;
    }
    if (kind == SL_PRV && status == SL_STATUS_ACTIVE) {
        /* It draws more than comes: the head falls and it opens. Without flow only if it would stay open. */
        x->rank = 1;
        return !feeds && (deficit ? s->flow[k] > net->hydraulics.flow_tolerance
                                  : !surplus && x->head < sl_eps_valve_head(net, s, k));
    }
    if (kind == SL_PSV && governed && (status == SL_STATUS_CLOSED || status == SL_STATUS_ACTIVE)) {
        if (feeds && modest) { /* demands that take what they get need not be fed: it may stay closed */
            x->status = SL_STATUS_ACTIVE;
            return status == SL_STATUS_CLOSED && !e->w.lock[k] &&
                   x->head >= sl_eps_valve_head(net, s, k) + net->hydraulics.head_tolerance;
        }
        if (feeds && (deficit || flows)) { /* what comes in by itself is all that is used: it gives the head */
            x->status = SL_STATUS_XPRESSURE;
            x->lock = true;
            x->rank = 3;
            return true;
        }
        if (feeds) { /* it brings more than is used: the head rises and it opens */
            x->rank = 1;
            return status == SL_STATUS_ACTIVE && s->flow[k] > net->hydraulics.flow_tolerance;
        }
        x->status = SL_STATUS_ACTIVE;
        return surplus && status == SL_STATUS_CLOSED;
    }
    if (status == SL_STATUS_TEMP_CLOSED) {
        if (outside < sl_first_tank(net)) {
            return false;
        }
        x->status = governed && sl_is_valve(net, k) ? SL_STATUS_ACTIVE : SL_STATUS_OPEN;
        int32_t tank = outside - sl_first_tank(net);
        bool forward = sl_is_pump(net, k) || (k < net->n_pipe && net->pipe_check[k]);
        bool in = inlet && !sl_eps_tank_empty(s, tank);
        bool out = outlet && !sl_eps_tank_full(s, tank);
        return (in && !(forward && !feeds)) || (out && !(forward && feeds));
    }
    bool check = k < net->n_pipe && net->pipe_check[k] && status == SL_STATUS_CLOSED;
    bool reducing = kind == SL_PRV && governed && status == SL_STATUS_CLOSED;
    if (!check && !reducing && status != SL_STATUS_XHEAD) {
        return false;
    }
    if (reducing && inlet && outlet && !feeds) {
        return x->head < sl_eps_valve_head(net, s, k); /* else it would close again */
    }
    if (inlet && outlet && !feeds) {
        return false; /* an island without flow needs no path out */
    }
    if (status == SL_STATUS_XHEAD && inlet && outlet && !flows &&
        e->m->pump[k - net->n_pipe].kind == SL_PUMP_CONSTANT_POWER) {
        return false; /* a part at rest needs no head; its highest one is kilometres */
    }
    if (status == SL_STATUS_XHEAD && feeds) {
        x->head += sl_pump_shutoff(&e->m->pump[k - net->n_pipe], s->setting[k]);
        x->lock = true;
    } else if (reducing && feeds) {
        double set = sl_eps_valve_head(net, s, k);
        x->status = x->head > set ? SL_STATUS_ACTIVE : SL_STATUS_OPEN;
        x->head = fmin(x->head, set);
    }
    return feeds ? inlet : outlet;
}

/* Fixed demand of the island in nodes[0..n), with what active valves bring and take. What a sustaining valve brings depends
 * on what is used here: *pushed, apart. */
static double fixed_demand_of(const sl_eps *e, const sl_eps_state *s, const int32_t *nodes, int32_t n, double *size,
                              double *pushed) {
    const sl_network *net = e->m->net;
    double d = 0.0;
    *size = *pushed = 0.0;
    for (int32_t at = 0; at < n; at++) {
        int32_t i = nodes[at];
        double fixed = sl_eps_fixed_demand(net, s, i);
        d += fixed;
        *size += fabs(fixed);
        for (int32_t a = e->m->at_start[i]; a < e->m->at_start[i + 1]; a++) {
            int32_t k = e->m->at_link[a];
            int kind = sl_valve_kind_of(net, k);
            if (s->status[k] == SL_STATUS_ACTIVE && kind == SL_PSV && net->link_to[k] == i) {
                *pushed += fmax(s->flow[k], 0.0);
            } else if (s->status[k] == SL_STATUS_ACTIVE && (kind == SL_FCV || kind == SL_PRV)) {
                double q = kind == SL_FCV ? s->setting[k] : fmax(s->flow[k], 0.0);
                d += net->link_from[k] == i ? q : -q;
                *size += fabs(q);
            }
        }
    }
    return d;
}

/* What leaves the island by outlets. */
enum { NOTHING, ONE_DIRECTION, BOTH_DIRECTIONS };
static int outlets_of(const sl_eps *e, const sl_eps_state *s, const int32_t *nodes, int32_t n) {
    const sl_eps_model *m = e->m;
    int most = NOTHING;
    for (int32_t at = 0; at < n && m->n_outlet > 0; at++) {
        int32_t i = nodes[at];
        for (int32_t o = sl_eps_first_outlet(m, i); o < m->n_outlet && m->outlet_node[o] == i; o++) {
            bool demand = m->outlet_kind[o] == SL_OUTLET_DEMAND;
            if (!demand || s->wanted[i] > 0.0) {
                most = !demand && m->outlet[o].both_ways ? BOTH_DIRECTIONS
                       : most > ONE_DIRECTION            ? most
                                                         : ONE_DIRECTION;
            }
        }
    }
    return most;
}

/* The most that outlets of the island take [m3/s]: pressure-driven demands no more than they ask for. */
static double outlet_capacity(const sl_eps *e, const sl_eps_state *s, const int32_t *nodes, int32_t n) {
    const sl_eps_model *m = e->m;
    double most = 0.0;
    for (int32_t at = 0; at < n && m->n_outlet > 0; at++) {
        int32_t i = nodes[at];
        for (int32_t o = sl_eps_first_outlet(m, i); o < m->n_outlet && m->outlet_node[o] == i; o++) {
            most += m->outlet_kind[o] == SL_OUTLET_DEMAND ? fmax(s->wanted[i], 0.0) : (double)INFINITY;
        }
    }
    return most;
}

/* Does an active flow control or pressure sustaining valve bring water? */
static bool given_inflow(const sl_eps *e, const sl_eps_state *s, const int32_t *nodes, int32_t n) {
    const sl_network *net = e->m->net;
    for (int32_t at = 0; at < n; at++) {
        int32_t i = nodes[at];
        for (int32_t a = e->m->at_start[i]; a < e->m->at_start[i + 1]; a++) {
            int32_t k = e->m->at_link[a], outside = net->link_from[k];
            int kind = sl_valve_kind_of(net, k);
            if (s->status[k] == SL_STATUS_ACTIVE && (kind == SL_FCV || kind == SL_PSV) && net->link_to[k] == i &&
                e->w.island[outside] != e->w.island[i]) {
                return true;
            }
        }
    }
    return false;
}

/* The junctions of the island that is cut off around one; none: it is not cut off. */
static const int32_t *cut_off_island(const sl_eps *e, const sl_eps_state *s, int32_t node, int32_t *n) {
    const sl_eps_work *w = &e->w;
    int32_t first = 0;
    *n = 0;
    if (node >= e->m->net->n_junction || !s->cut_off[node]) {
        return w->cut;
    }
    while (first < w->n_cut && w->island[w->cut[first]] != w->island[node]) {
        first++;
    }
    while (first + *n < w->n_cut && w->island[w->cut[first + *n]] == w->island[node]) {
        ++*n;
    }
    return w->cut + first;
}

double sl_eps_cut_off_demand(const sl_eps *e, const sl_eps_state *s, int32_t node) {
    int32_t n;
    const int32_t *nodes = cut_off_island(e, s, node, &n);
    double size, pushed, d = fixed_demand_of(e, s, nodes, n, &size, &pushed) - pushed;
    return fabs(d) > 1e-12 + 1e-9 * size ? d : 0.0;
}

/* Has the part at the other end of a single link a given head? */
static bool leads_to_source(const sl_eps *e, int32_t k, int32_t inside) {
    const sl_eps_core *c = e->core;
    int32_t i = c->branch_of[k] - c->n_chain;
    return i >= 0 && e->x.zone[e->m->net->link_to[k] == inside ? c->zone_from[i] : c->zone_to[i]] == c->n_zone;
}

/* Opens the best path into (or out of) the island in nodes[0..n). An island with outlets has heads of its own when water comes
 * in that can leave by them, or when they let water in. */
static bool open_feed_path(sl_eps *e, sl_eps_state *s, const int32_t *nodes, int32_t n) {
    sl_eps_work *w = &e->w;
    double size, pushed, d = fixed_demand_of(e, s, nodes, n, &size, &pushed), least = 1e-12 + 1e-9 * size;
    if (d > -least && pushed > d * (1.0 + 1e-6) + e->m->net->hydraulics.flow_tolerance) {
        d = -pushed; /* more comes than is used: no other inlet is asked for */
    }
    bool inlet = d > -least, outlet = d < least;
    int leaving = outlets_of(e, s, nodes, n);
    bool head_of_its_own = leaving == BOTH_DIRECTIONS || (leaving == ONE_DIRECTION && given_inflow(e, s, nodes, n));
    bool flows = !head_of_its_own && inlet && size > 0.0; /* of what comes in here, or of what links bring */
    bool modest = leaving == ONE_DIRECTION && d < least && !flows;
    /* Demands that take all they ask for and get still more have no head that would hold it back. */
    bool floods = leaving == ONE_DIRECTION && !inlet && -d > outlet_capacity(e, s, nodes, n) * (1.0 - 1e-9);
    if ((leaving == BOTH_DIRECTIONS && !(inlet && !outlet)) || (leaving == ONE_DIRECTION && !inlet && !floods) ||
        (modest && !floods && given_inflow(e, s, nodes, n))) {
        for (int32_t at = 0; at < n; at++) {
            w->island[nodes[at]] = 0;
        }
        return false;
    }
    outlet &= leaving == NOTHING || floods;
    feed_path best = {.link = -1};
    for (int32_t at = 0; at < n; at++) {
        int32_t i = nodes[at];
        for (int32_t a = e->m->at_start[i]; a < e->m->at_start[i + 1]; a++) {
            feed_path x;
            int32_t k = e->m->at_link[a];
            int32_t outside = e->m->net->link_from[k] + e->m->net->link_to[k] - i;
            bool feeds = e->m->net->link_to[k] == i;
            bool dry =
                inlet && (sl_eps_comes_from_dry(e, s, k, feeds) || (!feeds && sl_eps_comes_from_dry(e, s, k, true)));
            /* A reducing valve that was found to hold a head without water does not bring any from another island. */
            bool held = w->lock[k] == SL_EPS_LOCKED && s->status[k] == SL_STATUS_CLOSED && feeds;
            dry |= held && sl_valve_kind_of(e->m->net, k) == SL_PRV && !leads_to_source(e, k, i);
            dry |= leaving == BOTH_DIRECTIONS &&
                   (w->lock[k] > FEEDS_MAX || !leads_to_source(e, k, i)); /* it may do without */
            if (dry || w->conducts[k] || w->island[outside] == w->island[i] ||
                !find_feed_path(e, s, k, i, inlet, outlet, modest, flows, &x)) {
                continue;
            }
            bool higher = inlet ? x.head > best.head : x.head < best.head;
            if (best.link < 0 || x.rank < best.rank || (x.rank == best.rank && higher)) {
                best = x;
            }
        }
    }
    if (best.link < 0) {
        for (int32_t at = 0; leaving == BOTH_DIRECTIONS && at < n; at++) { /* nothing but suction is left */
            w->island[nodes[at]] = 0;
        }
        return false;
    }
    bool at_shutoff = s->status[best.link] == SL_STATUS_XHEAD && inlet && outlet;
    s->status[best.link] = best.status;
    s->flow[best.link] = at_shutoff ? 0.0 : sl_eps_first_flow(e, s, best.link);
    if (best.lock && leaving != BOTH_DIRECTIONS) {
        w->lock[best.link] = SL_EPS_LOCKED;
    } else if (leaving == BOTH_DIRECTIONS) {
        w->lock[best.link]++;
    }
    w->conducts[best.link] = sl_eps_conducts(e, s, best.link);
    return true;
}

/* No junction is cut off, except on permanent islands. */
static void clear_cut_off(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_work *w = &e->w;
    for (int32_t i = 0; i < w->n_cut; i++) {
        w->island[w->cut[i]] = 0;
    }
    w->n_cut = e->x.n_cut_branch = 0;
    memset(s->cut_off, 0, (size_t)e->m->net->n_junction);
    for (int32_t i = 0; i < c->n_island_node; i++) {
        s->cut_off[c->island_node[i]] = 1;
        w->island[c->island_node[i]] = c->island_label[i];
    }
}

/* Cuts off the junctions in cut[0..n_cut). */
static void cut_off_junctions(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    const sl_eps_core *c = e->core;
    sl_eps_work *w = &e->w;
    for (int32_t i = 0; i < w->n_cut; i++) {
        int32_t node = w->cut[i];
        s->cut_off[node] = 1;
        s->head[node] = net->node_elevation[node];
    }
    for (int32_t b = 0; w->n_cut > 0 && b < c->n_branch; b++) {
        if (w->island[c->from[b]] || w->island[c->to[b]]) {
            e->x.cut_branch[e->x.n_cut_branch++] = b;
            e->x.q[b] = 0.0;
            if (b >= c->n_chain) {
                s->flow[c->single[b - c->n_chain]] = 0.0;
            }
        }
    }
    for (int32_t o = 0; w->n_cut > 0 && o < e->m->n_outlet; o++) {
        if (s->cut_off[e->m->outlet_node[o]]) {
            s->outlet_flow[o] = 0.0;
        }
    }
}

/* How single links conduct; true when that is as it was. An active pressure valve conducts nothing, but holds a head: that
 * is another state than closed. */
static bool same_codes(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    bool same = true;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        uint8_t conducts = sl_eps_conducts(e, s, k), code = conducts ? 1 : s->status[k] == SL_STATUS_ACTIVE ? 2 : 0;
        same &= code == e->x.code[i];
        e->x.code[i] = code;
        e->w.conducts[k] = conducts;
    }
    return same;
}

/* Lists the zones of each island, by its root, ascending. */
static void list_island_zones(sl_eps *e) {
    int32_t n = e->core->n_zone, *first = e->x.zone_first, *next = e->x.zone_next;
    for (int32_t z = 0; z <= n; z++) {
        first[z] = -1;
    }
    for (int32_t z = n - 1; z >= 0; z--) {
        next[z] = first[e->x.zone[z]];
        first[e->x.zone[z]] = z;
    }
}

/* The junctions of the island with this root, after those in cut[0..at); they get its label. Returns how many there are. */
static int32_t list_island_junctions(sl_eps *e, int32_t root, int32_t at, int32_t label) {
    const sl_eps_core *c = e->core;
    sl_eps_work *w = &e->w;
    int32_t n = 0;
    for (int32_t z = e->x.zone_first[root]; z >= 0; z = e->x.zone_next[z]) {
        for (int32_t i = c->zone_start[z]; i < c->zone_start[z + 1]; i++) {
            w->island[c->zone_node[i]] = label;
            w->cut[at + n++] = c->zone_node[i];
        }
    }
    return n;
}

/* Visits the islands without a given head one by one and connects those that can be; what is left is in cut[0..n_cut).
 * Returns how many were connected. */
static int32_t connect_islands(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_work *w = &e->w;
    int32_t opened = 0;
    for (bool again = true; again;) {
        again = false;
        clear_cut_off(e, s);
        if (join_zones(e, s)) {
            break;
        }
        list_island_zones(e);
        int32_t label = c->n_island_node, up_to = 0;
        for (int32_t z = 0; z < c->n_zone; z++) {
            int32_t root = e->x.zone[z];
            if (root == c->n_zone || e->x.zone_first[root] != z) { /* fed, or not the first of its island */
                continue;
            }
            int32_t n = list_island_junctions(e, root, up_to, ++label);
            if (open_feed_path(e, s, w->cut + up_to, n)) {
                opened++;
                again = true;
            }
            up_to += n;
        }
        w->n_cut = up_to;
    }
    /* Islands that open_feed_path() found to have heads of their own are not cut off. */
    int32_t kept = 0;
    for (int32_t i = 0; i < w->n_cut; i++) {
        if (w->island[w->cut[i]]) {
            w->cut[kept++] = w->cut[i];
        }
    }
    w->n_cut = kept;
    return opened;
}

int32_t sl_eps_islands(sl_eps *e, sl_eps_state *s, bool *moved) {
    sl_eps_work *w = &e->w;
    *moved = false;
    if (same_codes(e, s) && w->islands_valid) {
        return 0;
    }
    w->islands_valid = true;
    *moved = w->n_cut > 0;
    int32_t opened = connect_islands(e, s);
    cut_off_junctions(e, s);
    *moved |= w->n_cut > 0;
    same_codes(e, s);
    return opened;
}

void sl_eps_cut_off_dry(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_work *w = &e->w;
    clear_cut_off(e, s);
    sl_eps_find_dry(e, s);
    same_codes(e, s);
    join_zones(e, s);
    memset(e->x.zone_first, 0, ((size_t)c->n_zone + 1) * sizeof *e->x.zone_first);
    for (int32_t z = 0; z < c->n_zone; z++) {
        int32_t n = c->zone_start[z + 1] - c->zone_start[z]; /* outlets give a head too */
        e->x.zone_first[e->x.zone[z]] |=
            e->x.zone[z] == c->n_zone || outlets_of(e, s, c->zone_node + c->zone_start[z], n) != NOTHING;
    }
    w->n_cut = 0;
    for (int32_t z = 0; z < c->n_zone; z++) {
        bool cut = e->x.supply.zone[z].dry || !e->x.zone_first[e->x.zone[z]];
        for (int32_t i = c->zone_start[z]; cut && i < c->zone_start[z + 1]; i++) {
            w->island[c->zone_node[i]] = c->n_island_node + 1;
            w->cut[w->n_cut++] = c->zone_node[i];
        }
    }
    cut_off_junctions(e, s);
}
