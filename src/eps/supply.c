/* SPDX-License-Identifier: MIT */
/* supply.c: how much of the fixed demands can be supplied where flow control valves limit the supply, and how much of the inflows can
 * leave.
 *
 * A flow control valve passes at most its setting. Where a part of the network is fed through such valves alone and its fixed
 * demands exceed what they may pass, no flow exists that serves all of them. Then all demands of that part are served by the
 * same share, the largest for which a flow exists. That is a question of capacities, not of heads:
 *
 *   zones (core.h) are the nodes; a link between zones is an arc. A flow control valve has its setting as capacity in its
 *   direction, everything else that is not shut has none; check valves, pumps and pressure valves pass one direction only.
 *   Reservoirs and tanks that are not empty supply any flow, an empty tank none.
 *
 * A share s is feasible when a flow of this network covers s times every demand. If the largest flow leaves demands open, the
 * zones that nothing more can reach are a cut: s can be at most what the cut lets through over the demands behind it. That
 * bound is the next s to try; each one is smaller, and the last one is exact (Newton's method on a piecewise linear, concave
 * function: a finite number of steps). The zones behind the last cut keep that share. The others go on from 1: theirs may be larger.
 *
 * Capacities are settings less SLACK, so that a flow exists with all statuses decided: of the valves that limit the part the
 * last one is open, just below its setting, and the heads are those that smaller demands tend to.
 *
 * Inflows of junctions are the same question with all arcs turned round: what cannot leave is not taken.
 *
 * Theory: docs/theory/hydraulics.md, "Flow limits".
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

#define SLACK 1e-9
/* Inflows fill pressure-driven demands up to this part: a full one has any pressure. */
#define NEARLY_FULL (1.0 - 1e-7)
/* Flows below this share of the demands are rounding. */
#define ROUNDING 1e-12
/* More than this no pressure presses through the wall of an outlet: 1000 m of it [m3/s]. */
#define WALL_LEAK 1e-6

sl_status sl_eps_supply_create(const sl_eps_core *c, sl_arena *arena, sl_eps_supply *x) {
    *x = (sl_eps_supply){0};
    size_t n_zone = (size_t)c->n_zone, n_arc = 2 * (size_t)c->n_single;
    x->arc = sl_arena_alloc(arena, (n_arc + 1) * sizeof *x->arc);
    x->zone = sl_arena_alloc(arena, (n_zone + 1) * sizeof *x->zone);
    x->queue = sl_arena_alloc(arena, (n_zone + 1) * sizeof *x->queue);
    return x->arc && x->zone && x->queue ? SL_OK : SL_ERR_MEMORY;
}

/* What a single link may pass in its direction and against it [m3/s]. Statuses that the solution decides do not count. */
static void capacities(const sl_eps *e, const sl_eps_state *s, int32_t k, double *forward, double *back) {
    const sl_network *net = e->m->net;
    int kind = sl_valve_kind_of(net, k);
    bool shut = s->status[k] == SL_STATUS_CLOSED || sl_eps_shut_by_setting(e, s, k);
    *forward = *back = INFINITY;
    if (k < net->n_pipe && net->pipe_check[k]) {
        *back = 0.0;
    } else if (sl_is_pump(net, k)) {
        *forward = shut || s->setting[k] <= 0.0 ? 0.0 : (double)INFINITY;
        *back = 0.0;
    } else if ((kind == SL_PRV || kind == SL_PSV) && !isnan(s->setting[k])) {
        *back = 0.0;
    } else if (kind == SL_FCV && !isnan(s->setting[k])) {
        *forward = fmax(s->setting[k], 0.0) * (1.0 - SLACK);
    } else if (shut) {
        *forward = *back = 0.0;
    }
}

/* Does a junction have an emitter or a leak? It takes what comes. That an emitter lets water in below zero pressure makes it no
 * source: demands are not served by suction. */
static bool has_outlet(const sl_eps_model *m, int32_t node) {
    for (int32_t o = m->n_outlet > 0 ? sl_eps_first_outlet(m, node) : 0; o < m->n_outlet && m->outlet_node[o] == node;
         o++) {
        if (m->outlet_kind[o] != SL_OUTLET_DEMAND) { /* that takes no more than is asked for */
            return true;
        }
    }
    return false;
}

/* Which question: INFLOWS is that of demands the other way round. What junctions bring asks for a way out, demands and sources take
 * it, arcs lead against the water. */
typedef enum question { DEMANDS, INFLOWS } question;

/* What the junctions of a zone ask for and supply themselves. */
static void add_up_zone(sl_eps *e, const sl_eps_state *s, question of, int32_t z) {
    const sl_eps_core *c = e->core;
    sl_eps_supply_zone *zone = &e->x.supply.zone[z];
    double demand = 0.0, inflow = 0.0;
    bool outlet = false;
    for (int32_t i = c->zone_start[z]; i < c->zone_start[z + 1]; i++) {
        double d = s->wanted[c->zone_node[i]];
        demand += d > 0.0 ? d : 0.0;
        inflow -= d < 0.0 ? d : 0.0;
        outlet |= has_outlet(e->m, c->zone_node[i]);
    }
    zone->outlet = outlet;
    zone->source |= of == INFLOWS && outlet;
    zone->demand = of == DEMANDS ? demand : inflow;
    bool follows = e->m->net->hydraulics.demand_model == SL_PDA;
    zone->supply = of == DEMANDS ? inflow : zone->served * demand * (follows ? NEARLY_FULL : 1.0);
}

/* Zones, and the arcs between them. added_up: with what their junctions ask for and supply. */
static void build_graph(sl_eps *e, const sl_eps_state *s, question of, bool added_up) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    sl_eps_supply *x = &e->x.supply;
    for (int32_t z = 0; z < c->n_zone; z++) {
        sl_eps_supply_zone *zone = &x->zone[z];
        double served = zone->served;
        bool dry = of == INFLOWS && zone->dry, sucks = zone->sucks;
        *zone = (sl_eps_supply_zone){.first = -1, .share = 1.0, .served = served, .dry = dry, .sucks = sucks};
        zone->source = of == DEMANDS && sucks;
        if (added_up) {
            add_up_zone(e, s, of, z);
        }
    }
    for (int32_t i = 0; i < net->n_reservoir + net->n_tank; i++) {
        int32_t tank = i - net->n_reservoir;
        bool empty = tank >= 0 && (of == DEMANDS ? sl_eps_tank_empty(s, tank) : sl_eps_tank_full(s, tank));
        sl_eps_supply_zone *zone = &x->zone[c->source_zone[i]];
        zone->source |= !empty;
        zone->empty |= empty;
    }
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t from = of == DEMANDS ? c->zone_from[i] : c->zone_to[i], to = c->zone_from[i] + c->zone_to[i] - from;
        double forward, back;
        capacities(e, s, c->single[i], &forward, &back);
        bool loop = from == to;
        x->arc[2 * i] =
            (sl_eps_arc){.to = to, .next = x->zone[from].first, .most = loop || x->zone[from].empty ? 0.0 : forward};
        x->zone[from].first = 2 * i;
        x->arc[2 * i + 1] =
            (sl_eps_arc){.to = from, .next = x->zone[to].first, .most = loop || x->zone[to].empty ? 0.0 : back};
        x->zone[to].first = 2 * i + 1;
    }
}

/* Marks as sources what arcs without a limit connect with a source. */
static void spread_sources(sl_eps *e) {
    sl_eps_supply *x = &e->x.supply;
    int32_t n_zone = e->core->n_zone, n = 0;
    for (int32_t z = 0; z < n_zone; z++) {
        if (x->zone[z].source) {
            x->queue[n++] = z;
        }
    }
    for (int32_t at = 0; at < n; at++) {
        for (int32_t a = x->zone[x->queue[at]].first; a >= 0; a = x->arc[a].next) {
            sl_eps_supply_zone *to = &x->zone[x->arc[a].to];
            if (isinf(x->arc[a].most) && !to->source && !to->empty) {
                to->source = true;
                x->queue[n++] = x->arc[a].to;
            }
        }
    }
}

/* Breadth first from all that can still supply; marks the zones reached by the arc they were reached by. Returns the first one that
 * lacks more than least, or -1. */
enum { NOT_REACHED = -1, BEGIN = -2 };
static int32_t find_path(sl_eps *e, double least) {
    sl_eps_supply *x = &e->x.supply;
    int32_t n = 0;
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        bool begins = x->zone[z].source || x->zone[z].spare > least;
        x->zone[z].by = begins ? BEGIN : NOT_REACHED;
        if (begins) {
            x->queue[n++] = z;
        }
    }
    for (int32_t at = 0; at < n; at++) {
        int32_t z = x->queue[at];
        if (!x->zone[z].source && x->zone[z].lacks > least) {
            return z;
        }
        for (int32_t a = x->zone[z].first; a >= 0; a = x->arc[a].next) {
            sl_eps_supply_zone *to = &x->zone[x->arc[a].to];
            if (x->arc[a].spare > least && to->by == NOT_REACHED) {
                to->by = a;
                x->queue[n++] = x->arc[a].to;
            }
        }
    }
    return -1;
}

/* Sends all that the path to a zone may carry. */
static void send_along(sl_eps *e, int32_t end) {
    sl_eps_supply *x = &e->x.supply;
    double q = x->zone[end].lacks;
    int32_t z = end;
    for (; x->zone[z].by != BEGIN; z = x->arc[x->zone[z].by ^ 1].to) {
        q = fmin(q, x->arc[x->zone[z].by].spare);
    }
    q = x->zone[z].source ? q : fmin(q, x->zone[z].spare);
    x->zone[z].spare -= q;
    x->zone[end].lacks -= q;
    for (z = end; x->zone[z].by != BEGIN; z = x->arc[x->zone[z].by ^ 1].to) {
        x->arc[x->zone[z].by].spare -= q;
        x->arc[x->zone[z].by ^ 1].spare += q;
    }
}

/* The largest flow to zones that want this share, or the share they have already. Returns what it leaves open. */
static double largest_flow(sl_eps *e, double share, double least) {
    sl_eps_supply *x = &e->x.supply;
    double left = 0.0;
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        sl_eps_supply_zone *zone = &x->zone[z];
        zone->lacks = zone->source ? 0.0 : (zone->limited ? zone->share : share) * zone->demand;
        zone->spare = zone->source ? 0.0 : zone->supply;
    }
    for (int32_t a = 0; a < 2 * e->core->n_single; a++) {
        x->arc[a].spare = x->arc[a].most;
    }
    for (int32_t end; (end = find_path(e, least)) >= 0;) {
        send_along(e, end);
    }
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        left += x->zone[z].lacks;
    }
    return left;
}

/* The share that the cut behind the last search for a path leaves to the zones behind it. Not a number: all of them have
 * theirs already. */
static double share_of_cut(sl_eps *e) {
    sl_eps_supply *x = &e->x.supply;
    double through = 0.0, open = 0.0;
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        const sl_eps_supply_zone *zone = &x->zone[z];
        for (int32_t a = zone->first; zone->by != NOT_REACHED && a >= 0; a = x->arc[a].next) {
            through += x->zone[x->arc[a].to].by == NOT_REACHED ? x->arc[a].most : 0.0;
        }
        if (zone->by == NOT_REACHED) {
            through += zone->supply - (zone->limited ? zone->share * zone->demand : 0.0);
            open += zone->limited ? 0.0 : zone->demand;
        }
    }
    return open > 0.0 ? fmax(through, 0.0) / open : (double)NAN;
}

/* Gives one more set of zones its share. Returns whether there was one. */
static bool limit_zones(sl_eps *e, double least) {
    sl_eps_supply *x = &e->x.supply;
    double share = 1.0, next;
    while (largest_flow(e, share, least) > e->core->n_zone * least) {
        next = share_of_cut(e);
        for (int32_t z = 0; z < e->core->n_zone; z++) {
            x->zone[z].behind = x->zone[z].by == NOT_REACHED;
        }
        if (!(next < share * (1.0 - ROUNDING))) {
            break; /* what is left open is rounding */
        }
        share = next;
    }
    if (share >= 1.0) {
        return false;
    }
    bool any = false;
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        sl_eps_supply_zone *zone = &x->zone[z];
        if (zone->behind && !zone->limited && zone->demand > 0.0) {
            zone->limited = any = true;
            zone->share = share;
        }
    }
    return any;
}

/* Marks the zones that no water can reach, from sources alone or from inflows of junctions too. */
static void mark_dry_zones(sl_eps *e, bool from_inflows) {
    const sl_eps_core *c = e->core;
    sl_eps_supply *x = &e->x.supply;
    int32_t n = 0;
    for (int32_t z = 0; z < c->n_zone; z++) {
        x->zone[z].dry = !x->zone[z].source && !(from_inflows && x->zone[z].supply > 0.0);
        if (!x->zone[z].dry) {
            x->queue[n++] = z;
        }
    }
    for (int32_t at = 0; at < n; at++) {
        for (int32_t a = x->zone[x->queue[at]].first; a >= 0; a = x->arc[a].next) {
            sl_eps_supply_zone *to = &x->zone[x->arc[a].to];
            if (x->arc[a].most > 0.0 && to->dry) {
                to->dry = false;
                x->queue[n++] = x->arc[a].to;
            }
        }
    }
}

void sl_eps_find_dry(sl_eps *e, const sl_eps_state *s) {
    build_graph(e, s, DEMANDS, true);
    mark_dry_zones(e, true);
}

static bool is_empty_tank(const sl_eps *e, const sl_eps_state *s, int32_t node) {
    int32_t tank = node - sl_first_tank(e->m->net);
    return tank >= 0 && sl_eps_tank_empty(s, tank);
}

/* Does a single link end at an empty tank, with a zone that no water can reach at the other end? */
static bool parts_dry_from_empty(const sl_eps *e, const sl_eps_state *s, int32_t i) {
    const sl_eps_core *c = e->core;
    const sl_eps_supply_zone *zone = e->x.supply.zone;
    int32_t k = c->single[i], from = e->m->net->link_from[k], to = e->m->net->link_to[k];
    return (is_empty_tank(e, s, from) && zone[c->zone_to[i]].dry) ||
           (is_empty_tank(e, s, to) && zone[c->zone_from[i]].dry);
}

/* Is a single link a check valve between two zones that no water can reach? It joins no demand to a part that has water: as at any
 * other place it is open where the heads, those of outlets, open it. */
static bool stays_open(const sl_eps *e, int32_t i) {
    const sl_eps_core *c = e->core;
    const sl_eps_supply_zone *zone = e->x.supply.zone;
    return c->single[i] < e->m->net->n_pipe && zone[c->zone_from[i]].dry && zone[c->zone_to[i]].dry;
}

/* Closes what could only draw from zones that no water can reach: pumps, check valves and pressure valves out of such a zone.
 * Left open, they would join its demands to those of a part that has water. A flow control valve there is open: it brings
 * nothing. Links to an empty tank close too: it gives such a zone neither water nor a head. */
static void close_dry_zones(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_supply *x = &e->x.supply;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        double forward, back;
        capacities(e, s, k, &forward, &back);
        bool draws = x->zone[c->zone_from[i]].dry && s->status[k] > SL_STATUS_CLOSED;
        bool at_tank = e->m->net->link_from[k] >= sl_first_tank(e->m->net);
        if (draws && forward > 0.0 && back == 0.0 && !stays_open(e, i)) {
            s->status[k] = at_tank                    ? SL_STATUS_TEMP_CLOSED
                           : sl_is_pump(e->m->net, k) ? SL_STATUS_XHEAD
                                                      : SL_STATUS_CLOSED;
            s->flow[k] = 0.0;
        } else if (draws && s->status[k] == SL_STATUS_ACTIVE && sl_valve_kind_of(e->m->net, k) == SL_FCV) {
            s->status[k] = SL_STATUS_XFCV;
        }
        if (s->status[k] > SL_STATUS_CLOSED && parts_dry_from_empty(e, s, i)) {
            s->status[k] = SL_STATUS_TEMP_CLOSED;
            s->flow[k] = 0.0;
        }
    }
}

/* Do outlets of a zone let water in, those that may, or those that let nothing in but for the rounding of a wall? */
static bool lets_water_in(const sl_eps *e, const sl_eps_state *s, int32_t z, bool by_walls) {
    const sl_eps_core *c = e->core;
    const sl_eps_model *m = e->m;
    bool any = false;
    for (int32_t i = c->zone_start[z]; i < c->zone_start[z + 1]; i++) {
        int32_t node = c->zone_node[i];
        for (int32_t o = sl_eps_first_outlet(m, node); o < m->n_outlet && m->outlet_node[o] == node; o++) {
            any |= (bool)m->outlet[o].both_ways != by_walls && s->outlet_flow[o] < -WALL_LEAK;
        }
    }
    return any;
}

/* Do demands live on what comes in by outlets that let nothing in? Not in parts that hang on a given head (islands.c): where friction
 * draws these down by millions of metres something comes in as well. */
static bool draws_through_walls(const sl_eps *e, const sl_eps_state *s) {
    bool any = false;
    for (int32_t z = 0; e->m->n_outlet > 0 && z < e->core->n_zone; z++) {
        any |= e->x.zone[z] != e->core->n_zone && lets_water_in(e, s, z, true);
    }
    return any;
}

/* Is a part of a zone's demand served, and a part not? A zone that nothing is left for has no friction to blame: what goes round between
 * its emitters serves no demand. */
static bool lacks_some(const sl_eps *e, const sl_eps_state *s, int32_t z) {
    const sl_eps_core *c = e->core;
    bool any = false;
    for (int32_t i = c->zone_start[z]; e->x.supply.zone[z].served > 0.0 && i < c->zone_start[z + 1]; i++) {
        any |= s->unserved[c->zone_node[i]] > 0.0;
    }
    return any;
}

/* Do arcs without a limit lead from a zone to one that lacks some, or is it one? */
static bool leads_to_want(sl_eps *e, const sl_eps_state *s, int32_t from) {
    sl_eps_supply *x = &e->x.supply;
    int32_t n = 0;
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        x->zone[z].by = NOT_REACHED;
    }
    x->zone[from].by = BEGIN;
    x->queue[n++] = from;
    bool any = false;
    for (int32_t at = 0; at < n && !any; at++) {
        any = lacks_some(e, s, x->queue[at]);
        for (int32_t a = x->zone[x->queue[at]].first; a >= 0; a = x->arc[a].next) {
            sl_eps_supply_zone *to = &x->zone[x->arc[a].to];
            if (isinf(x->arc[a].most) && to->by == NOT_REACHED) {
                to->by = a;
                x->queue[n++] = x->arc[a].to;
            }
        }
    }
    return any;
}

/* Do emitters let water in that could reach a zone that is not served in full? Where friction lets less through than the limits, they
 * do, and the share that capacities leave is not the solution: their zone counts as supplied from then on. Returns whether there was
 * one. */
static bool find_suction(sl_eps *e, const sl_eps_state *s) {
    bool any = false, built = false;
    for (int32_t z = 0; s->unserved && e->m->n_outlet > 0 && z < e->core->n_zone; z++) {
        if (e->x.supply.zone[z].sucks || !lets_water_in(e, s, z, false)) {
            continue;
        }
        if (!built) {
            build_graph(e, s, DEMANDS, false);
            built = true;
        }
        bool reaches = leads_to_want(e, s, z);
        e->x.supply.zone[z].sucks = reaches;
        any |= reaches;
    }
    return any;
}

void sl_eps_supply_begin(sl_eps *e) {
    for (int32_t z = 0; e->m->limits_supply && z < e->core->n_zone; z++) {
        e->x.supply.zone[z].sucks = false;
    }
}

/* Do pressure-driven demands take more than is asked for? Water is forced upon them then, by heads beyond all reason. */
static bool floods_demands(const sl_eps *e, const sl_eps_state *s) {
    const sl_eps_model *m = e->m;
    bool any = false;
    for (int32_t o = 0; o < m->n_outlet; o++) {
        double full = fmax(s->wanted[m->outlet_node[o]], 0.0);
        any |= m->outlet_kind[o] == SL_OUTLET_DEMAND && s->outlet_flow[o] > full * (1.0 + 1e-6) + WALL_LEAK;
    }
    return any;
}

bool sl_eps_supply_is_right(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    if (e->m->net->hydraulics.demand_model != SL_DDA) {
        return !floods_demands(e, s) && !draws_through_walls(e, s);
    }
    if (find_suction(e, s)) {
        return false;
    }
    if (e->w.n_cut == 0) {
        return !draws_through_walls(e, s);
    }
    build_graph(e, s, DEMANDS, true);
    mark_dry_zones(e, false);
    for (int32_t z = 0; z < c->n_zone; z++) {
        const sl_eps_supply_zone *zone = &e->x.supply.zone[z];
        int32_t first = c->zone_start[z] < c->zone_start[z + 1] ? c->zone_node[c->zone_start[z]] : -1;
        if (first >= 0 && s->cut_off[first] && zone->demand > 0.0 && !zone->dry &&
            sl_eps_cut_off_demand(e, s, first) > 0.0) {
            return false;
        }
    }
    return !draws_through_walls(e, s);
}

bool sl_eps_comes_from_dry(const sl_eps *e, const sl_eps_state *s, int32_t link, bool forward) {
    const sl_eps_core *c = e->core;
    int32_t i = c->branch_of[link] - c->n_chain;
    return e->m->limits_supply && i >= 0 &&
           ((e->x.supply.zone[forward ? c->zone_from[i] : c->zone_to[i]].dry && !stays_open(e, i)) ||
            parts_dry_from_empty(e, s, i));
}

/* Outlets of zones that no water can reach give heads also to such zones that links join with theirs: they stand at rest and are not
 * cut off. */
static void spread_outlets(sl_eps *e) {
    const sl_eps_core *c = e->core;
    sl_eps_supply *x = &e->x.supply;
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < c->n_single; i++) {
            sl_eps_supply_zone *a = &x->zone[c->zone_from[i]], *b = &x->zone[c->zone_to[i]];
            bool joins = x->arc[2 * i + 1].most > 0.0 || stays_open(e, i); /* else it is closed: it draws */
            bool stays = joins && !a->empty && !b->empty;
            if (a->dry && b->dry && a->outlet != b->outlet && stays) {
                a->outlet = b->outlet = again = true;
            }
        }
    }
}

/* The share of what junctions ask for, or bring, for which a flow exists, zone by zone. Returns whether it is less than 1 anywhere.
 * Demands of zones that sources reach without a limit, as a rule all, do not count and are not added up. */
static bool find_shares(sl_eps *e, const sl_eps_state *s, question of) {
    double total = 0.0;
    bool any = false;
    build_graph(e, s, of, of == INFLOWS && e->m->n_outlet > 0); /* outlets are sources then */
    spread_sources(e);
    for (int32_t z = 0; z < e->core->n_zone; z++) {
        if (!e->x.supply.zone[z].source) {
            add_up_zone(e, s, of, z);
            total += e->x.supply.zone[z].demand;
        }
    }
    while (total > 0.0 && limit_zones(e, ROUNDING * total)) {
        any = true;
    }
    return any;
}

/* Does a junction bring water now? */
static bool brings_water(const sl_eps *e, const sl_eps_state *s) {
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < e->m->net->n_junction; i++) {
        any |= s->wanted[i] < 0.0;
    }
    return any;
}

void sl_eps_limit_supply(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_supply_zone *zone = e->x.supply.zone;
    if (!e->m->limits_supply) {
        return;
    }
    memset(s->unserved, 0, (size_t)e->m->net->n_junction * sizeof *s->unserved);
    for (question of = DEMANDS; of <= INFLOWS; of++) {
        double sign = of == DEMANDS ? 1.0 : -1.0;
        bool asked = of == DEMANDS ? e->m->limits_flow : brings_water(e, s);
        bool any = asked && find_shares(e, s, of);
        if (of == DEMANDS && any) {
            mark_dry_zones(e, true);
            spread_outlets(e);
        }
        for (int32_t z = 0; z < c->n_zone; z++) {
            double share = any && zone[z].share < 1.0 - 2.0 * SLACK ? zone[z].share : 1.0; /* all of it just passes */
            zone[z].dry &= any || of == INFLOWS;
            bool cut = of == DEMANDS && zone[z].dry && !zone[z].outlet; /* islands.c finds that it is */
            for (int32_t i = c->zone_start[z]; share < 1.0 && !cut && i < c->zone_start[z + 1]; i++) {
                double d = s->wanted[c->zone_node[i]];
                s->unserved[c->zone_node[i]] += sign * d > 0.0 ? d * (1.0 - share) : 0.0;
            }
            *(of == DEMANDS ? &zone[z].served : &zone[z].taken) = share;
        }
        if (of == DEMANDS && any) {
            close_dry_zones(e, s);
        }
    }
}
