/* SPDX-License-Identifier: MIT */
/* messages.c: diagnostics of a solved boundary: not balanced, islands cut off, pumps and valves at their limits, negative
 * pressures. A state that lasts is reported when it begins, not at every step. */
#include "eps/impl.h"

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* The fraction by which a substance may react in one explicit step: the error is then 5 % of the decay. */
#define COARSE 0.1

const char *sl_eps_link_kind(const sl_network *net, int32_t link) {
    return link < net->n_pipe ? "pipe" : sl_is_pump(net, link) ? "pump" : "valve";
}

void sl_eps_add_diag(const sl_eps *e, double time, sl_severity severity, sl_code code, sl_diags *diags,
                     const char *kind, const char *id, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    sl_diags_add(diags, &(sl_diag){.size = sizeof(sl_diag),
                                   .severity = severity,
                                   .code = code,
                                   .text = text,
                                   .object_kind = kind,
                                   .object_id = id,
                                   .time = time});
    (void)e;
}

void sl_eps_report_balance(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    const sl_eps_solve_facts *f = &s->x->facts;
    if (f->balanced && f->method > 0) {
        static const char *const words[] = {
            "",
            "damped steps",
            "one switch at a time",
            "one switch at a time once the flows had settled",
            "one switch at a time in a fixed order once all laws held",
            "a cold start, and one switch at a time in a fixed order",
            "active valves until they settle, and one switch at a time in a fixed order",
            "active valves until they settle, from heads at elevations, and one switch at a time"};
        _Static_assert(sizeof words / sizeof *words == SL_EPS_METHODS, "one for each method");
        if (net->report.status > 0) {
            sl_eps_add_diag(e, s->x->time, SL_INFO, SL_CODE_STATUS_CYCLE, diags, NULL, NULL,
                            "statuses went round in a circle; balanced by %s", words[f->method]);
        }
    }
    if (f->balanced && f->chatters >= 0) {
        sl_eps_add_diag(
            e, s->x->time, SL_WARNING, SL_CODE_STATUS_CYCLE, diags, sl_eps_link_kind(net, f->chatters),
            sl_network_link_id(net, f->chatters),
            "controls on pressures keep switching it: with each of its statuses one of them asks for the other");
    }
    if (f->balanced) {
        return;
    }
    s->x->n_unbalanced++;
    bool link = f->worst_link >= 0, outlet = f->worst_link <= -2;
    const char *where = link     ? sl_network_link_id(net, f->worst_link)
                        : outlet ? sl_network_node_id(net, -2 - f->worst_link)
                                 : "none";
    const char *node = f->worst_node >= 0 ? sl_network_node_id(net, f->worst_node) : NULL;
    sl_eps_add_diag(
        e, s->x->time, SL_ERROR, SL_CODE_NOT_BALANCED, diags,
        link     ? sl_eps_link_kind(net, f->worst_link)
        : outlet ? "junction"
                 : NULL,
        link || outlet ? where : NULL,
        "not balanced after %d trials: flows still change by %.2g of their sum, the worst head-loss error is %.3g m "
        "(%s), the worst imbalance %.3g m3/s%s%s",
        f->trials, f->flow_change, f->head_error, where, f->mass_error, node ? " at " : "", node ? node : "");
}

/* Junctions of a part: their number, and the names of some. */
typedef struct member_list {
    int32_t first, n, n_named;
    size_t length;
    char names[160];
} member_list;

static void add_member(const sl_network *net, int32_t node, member_list *x) {
    const char *id = sl_network_node_id(net, node);
    x->first = x->n++ == 0 ? node : x->first;
    if (x->n_named < 3 && x->length + strlen(id) + 8 < sizeof x->names) {
        x->length +=
            (size_t)sl_format(x->names + x->length, sizeof x->names - x->length, "%s%s", x->n_named ? ", " : "", id);
        x->n_named++;
    }
}

/* One warning per island, naming a member, when the islands differ from those reported last. */
static void report_cut_off(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    const sl_eps_core *c = e->core;
    double unserved = 0.0;
    int32_t n_cut = e->w.n_cut + c->n_island_node;
    for (int32_t i = 0; i < e->w.n_cut; i++) {
        unserved += fmax(s->wanted[e->w.cut[i]], 0.0);
    }
    for (int32_t i = 0; i < c->n_island_node; i++) {
        unserved += fmax(s->wanted[c->island_node[i]], 0.0);
    }
    s->x->unserved = unserved;
    uint64_t hash = n_cut ? sl_hash_bytes(s->cut_off, (size_t)net->n_junction) ^ (unserved > 0.0) : 0;
    if (hash == s->x->cut_reported) {
        return;
    }
    s->x->cut_reported = hash;
    double unit = e->m->factor[SL_Q_FLOW];
    const char *word = sl_flow_unit_word(net->hydraulics.flow_unit);
    double *reported = e->w.load; /* by island: free until the next solve */
    memset(reported, 0, (size_t)net->n_junction * sizeof *reported);
    for (int32_t i = 0; i < net->n_junction && n_cut > 0; i++) {
        int32_t part = e->w.island[i];
        if (!s->cut_off[i] || reported[part - 1] != 0.0) {
            continue;
        }
        reported[part - 1] = 1.0;
        double demand = 0.0, inflow = 0.0;
        member_list list = {.first = -1};
        for (int32_t j = i; j < net->n_junction; j++) {
            if (e->w.island[j] == part) {
                demand += fmax(s->wanted[j], 0.0);
                inflow -= fmin(s->wanted[j], 0.0);
                add_member(net, j, &list);
            }
        }
        int32_t n = list.n, named = list.n_named;
        const char *names = list.names;
        if (demand > 0.0 || inflow > 0.0) {
            sl_eps_add_diag(
                e, s->x->time, SL_WARNING, SL_CODE_UNSERVED, diags, "junction", sl_network_node_id(net, i),
                inflow <= 0.0  ? "the island of %d junction%s (%s%s) has no path to a reservoir or tank: its "
                                 "demand of %.6g %s is not served"
                : demand > 0.0 ? "the island of %d junction%s (%s%s) has no path to a reservoir or tank: its demand of "
                                 "%.6g %s is not served, its inflow of %.6g %s is not taken"
                               : "the island of %d junction%s (%s%s) has no path to a reservoir or tank: its inflow of "
                                 "%.6g %s is not taken",
                n, n == 1 ? "" : "s", names, n > named ? ", ..." : "", (demand > 0.0 ? demand : inflow) / unit, word,
                inflow / unit, word);
        } else if (net->report.status > 0) {
            sl_eps_add_diag(e, s->x->time, SL_INFO, SL_CODE_UNSERVED, diags, "junction", sl_network_node_id(net, i),
                            "the island of %d junction%s (%s%s) has no path to a reservoir or tank and no demand", n,
                            n == 1 ? "" : "s", names, n > named ? ", ..." : "");
        }
    }
}

static double share_of(const sl_eps *e, int32_t zone, bool taken) {
    const sl_eps_supply_zone *z = &e->x.supply.zone[zone];
    return taken ? z->taken : z->served;
}

/* The junctions of one share of supply.c, of demands or of inflows: one warning, when the junctions behind limits differ from those
 * reported last. */
static void report_share(sl_eps *e, const sl_eps_state *s, double share, bool taken, sl_diags *diags) {
    const sl_network *net = e->m->net;
    const sl_eps_core *c = e->core;
    double demand = 0.0, unit = e->m->factor[SL_Q_FLOW];
    const char *word = sl_flow_unit_word(net->hydraulics.flow_unit);
    member_list list = {.first = -1};
    for (int32_t z = 0; z < c->n_zone; z++) {
        for (int32_t i = c->zone_start[z]; share_of(e, z, taken) == share && i < c->zone_start[z + 1]; i++) {
            int32_t node = c->zone_node[i];
            double left = taken ? -s->unserved[node] : s->unserved[node];
            if (left > 0.0 && !s->cut_off[node]) {
                demand += fabs(s->wanted[node]);
                add_member(net, node, &list);
            }
        }
    }
    if (list.n > 0) {
        sl_eps_add_diag(
            e, s->x->time, SL_WARNING, SL_CODE_UNSERVED, diags, "junction", sl_network_node_id(net, list.first),
            taken ? "the island of %d junction%s with inflow (%s%s) cannot discharge all of it: %.6g of %.6g %s is "
                    "taken, %.4g %% of each inflow"
                  : "the island of %d junction%s with demand (%s%s) is supplied through flow control valves at "
                    "their settings: %.6g of %.6g %s is served, %.4g %% of each demand",
            list.n, list.n == 1 ? "" : "s", list.names, list.n > list.n_named ? ", ..." : "", share * demand / unit,
            demand / unit, word, 100.0 * share);
    }
}

static void report_shares(sl_eps *e, const sl_eps_state *s, bool taken, sl_diags *diags) {
    for (double share = -1.0, next;; share = next) { /* ascending */
        next = 1.0;
        for (int32_t z = 0; z < e->core->n_zone; z++) {
            double x = share_of(e, z, taken);
            next = x > share && x < next ? x : next;
        }
        if (next >= 1.0) {
            break;
        }
        report_share(e, s, next, taken, diags);
    }
}

static void report_limits(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    uint64_t hash = 0;
    for (int32_t i = 0; s->unserved && i < net->n_junction; i++) {
        if (s->unserved[i] != 0.0 && !s->cut_off[i]) {
            s->x->unserved += fmax(s->unserved[i], 0.0);
            hash = sl_hash_bytes(&i, sizeof i) ^ (hash * 31);
        }
    }
    if (hash == s->x->limit_reported) {
        return;
    }
    s->x->limit_reported = hash;
    if (hash) {
        report_shares(e, s, false, diags);
        report_shares(e, s, true, diags);
    }
}

/* HEAD_ONCE stays: a pump that comes to its shut-off head again and again is reported the first time. */
enum { REPORTED_NOTHING = 0, REPORTED_HEAD, REPORTED_FLOW, REPORTED_UNABLE, REPORTED_BREAKER, REPORTED_HEAD_ONCE = 16 };

/* Does a breaker hold less than its setting, because water does not press forwards through it? EPANET holds the loss then
 * too, and lifts water by it. Reported once: it stays so in s->reported. */
static bool breaker_rests(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    double q = s->flow[k], minor = e->m->valve_minor[k - net->n_pipe - net->n_pump];
    double dh = s->head[net->link_from[k]] - s->head[net->link_to[k]];
    return s->status[k] == SL_STATUS_ACTIVE && s->setting[k] > 0.0 && q < 0.0 && minor * q * q < s->setting[k] &&
           dh < s->setting[k] - net->hydraulics.head_tolerance;
}

static uint8_t trouble_of(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    if (sl_is_pump(net, k)) {
        double most = s->setting[k] * e->m->pump[k - net->n_pipe].q_max;
        return s->status[k] == SL_STATUS_XHEAD                                       ? REPORTED_HEAD
               : s->status[k] > SL_STATUS_CLOSED && s->flow[k] > most * (1.0 + 1e-9) ? REPORTED_FLOW
                                                                                     : REPORTED_NOTHING;
    }
    if (sl_valve_kind_of(net, k) == SL_PBV) {
        return s->reported[k] == REPORTED_BREAKER || breaker_rests(e, s, k) ? REPORTED_BREAKER : REPORTED_NOTHING;
    }
    /* A flow control valve that limits a part is open just below its setting (supply.c): it holds it. */
    bool at_limit = s->unserved && s->flow[k] >= s->setting[k] * (1.0 - 1e-6);
    bool unable = s->status[k] == SL_STATUS_XPRESSURE || (s->status[k] == SL_STATUS_XFCV && !at_limit);
    return unable ? REPORTED_UNABLE : REPORTED_NOTHING;
}

/* A pump that is closed because it stands against more than it adds. */
static void report_pump_head(sl_eps *e, const sl_eps_state *s, int32_t k, sl_diags *diags) {
    const sl_network *net = e->m->net;
    const sl_pump_law *law = &e->m->pump[k - net->n_pipe];
    int32_t from = net->link_from[k];
    double unit = e->m->factor[SL_Q_LENGTH], needed = s->head[net->link_to[k]] - s->head[from];
    const char *id = sl_network_link_id(net, k), *word = sl_flow_unit_is_metric(net->hydraulics.flow_unit) ? "m" : "ft";
    if (from < net->n_junction && s->cut_off[from]) {
        sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_PUMP_HEAD, diags, "pump", id,
                        "closed: no water comes to its suction side");
    } else if (law->kind == SL_PUMP_CONSTANT_POWER) {
        sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_PUMP_HEAD, diags, "pump", id,
                        "closed: nothing flows through it, and a pump of constant power has no head then");
    } else {
        sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_PUMP_HEAD, diags, "pump", id,
                        "closed: it stands against %.5g %s, its shut-off head is %.5g %s", needed / unit, word,
                        sl_pump_shutoff(law, s->setting[k]) / unit, word);
    }
}

/* Tanks that ran empty in the step before: each once in a run. */
static void report_tanks(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double unit = e->m->factor[SL_Q_LENGTH];
    for (int32_t i = 0; s->x->n_step > 0 && i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        int32_t node = sl_first_tank(net) + i;
        if (!s->ran_empty[i] && s->volume[i] <= law->v_min && e->before.volume[i] > law->v_min) {
            s->ran_empty[i] = 1;
            sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_TANK_STATE, diags, "tank", sl_network_node_id(net, node),
                            "runs empty: at its lowest level of %.5g %s it gives no water",
                            (s->head[node] - law->bottom) / unit,
                            sl_flow_unit_is_metric(net->hydraulics.flow_unit) ? "m" : "ft");
        }
    }
}

static void report_links(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double unit = e->m->factor[SL_Q_FLOW];
    const char *word = sl_flow_unit_word(net->hydraulics.flow_unit);
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        uint8_t now = trouble_of(e, s, k);
        uint8_t once = s->reported[k] & REPORTED_HEAD_ONCE;
        if (now == (s->reported[k] ^ once)) {
            continue;
        }
        s->reported[k] = now | once | (now == REPORTED_HEAD ? REPORTED_HEAD_ONCE : 0);
        const char *id = sl_network_link_id(net, k);
        if (now == REPORTED_HEAD && !once) {
            report_pump_head(e, s, k, diags);
        } else if (now == REPORTED_FLOW) {
            sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_PUMP_FLOW, diags, "pump", id,
                            "runs beyond its curve: %.5g %s, its curve ends at %.5g", s->flow[k] / unit, word,
                            s->setting[k] * e->m->pump[k - net->n_pipe].q_max / unit);
        } else if (now == REPORTED_BREAKER) {
            sl_eps_add_diag(
                e, s->x->time, SL_WARNING, SL_CODE_ADJUSTED, diags, "valve", id,
                "a pressure breaker adds no head: water that does not press forwards by %.5g m is held back, "
                "or runs back through the open valve; EPANET holds the loss there too",
                s->setting[k]);
        } else if (now == REPORTED_UNABLE) {
            bool flow = sl_valve_kind_of(net, k) == SL_FCV;
            sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_VALVE_UNABLE, diags, "valve", id,
                            flow ? "fully open: it cannot hold its flow setting (flow %.5g %s)"
                                 : "fully open: it cannot hold its pressure setting (flow %.5g %s)",
                            s->flow[k] / unit, word);
        }
    }
}

/* Nearly always there is nothing to report: this check is cheap. */
SL_SIMD(bool, any_negative,
        (int32_t n, const double *restrict head, const double *restrict elevation, const double *restrict wanted),
        (n, head, elevation, wanted)) {
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < n; i++) {
        any |= (head[i] < elevation[i]) & (wanted[i] > 0.0);
    }
    return any;
}

static void report_pressures(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    int32_t n = 0, lowest = -1;
    double least = -1e-6;
    bool look = net->hydraulics.demand_model == SL_DDA &&
                any_negative(net->n_junction, s->head, net->node_elevation, s->wanted);
    for (int32_t i = 0; look && i < net->n_junction; i++) {
        double p = s->head[i] - net->node_elevation[i];
        if (p < 0.0 && s->wanted[i] > 0.0 && !s->cut_off[i]) {
            n++;
            if (p < least) {
                least = p;
                lowest = i;
            }
        }
    }
    bool any = n > 0 && lowest >= 0;
    if (any && !s->x->negative_reported) {
        sl_eps_add_diag(
            e, s->x->time, SL_WARNING, SL_CODE_NEGATIVE_PRESSURE, diags, "junction", sl_network_node_id(net, lowest),
            "negative pressure at %d junction%s with demand, lowest %.4g m here", n, n == 1 ? "" : "s", least);
    }
    s->x->negative_reported = any;
}

/* Changes of status since the boundary before, for those who asked for them ([REPORT] STATUS). */
static void report_changes(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    static const char *const words[] = {"closed: cannot deliver the head",
                                        "temporarily closed",
                                        "closed",
                                        "open",
                                        "active",
                                        "open beyond its curve",
                                        "open: cannot hold its flow",
                                        "open: cannot hold its pressure"};
    for (int32_t k = 0; net->report.status > 0 && s->x->n_step > 0 && k < net->n_link; k++) {
        if (s->status[k] != e->before.status[k]) {
            sl_eps_add_diag(e, s->x->time, SL_INFO, SL_CODE_LINK_STATUS, diags, sl_eps_link_kind(net, k),
                            sl_network_link_id(net, k), "%s (was %s)", words[s->status[k]], words[e->before.status[k]]);
        }
    }
}

/* Water that came from nowhere or went there because a tank was set to its limit: reported once, when it is more than a
 * thousandth of what came in. */
static void report_rounding(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_eps_balance *b = &s->x->balance;
    if (!s->x->rounding_reported && fabs(b->rounded) > 1e-3 * b->inflow + 1e-3) {
        s->x->rounding_reported = true;
        sl_eps_add_diag(
            e, s->x->time, SL_WARNING, SL_CODE_TANK_STATE, diags, NULL, NULL,
            "tanks at their limits have %s %.4g m3 by now, because steps are whole seconds: a shorter hydraulic step "
            "may help",
            b->rounded > 0.0 ? "gained" : "lost", fabs(b->rounded));
    }
}

/* Tanks that are back on a limit at once, time after time: each is reported once. */
static void report_held(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (s->quick[i] > SL_EPS_PATIENCE && !s->held[i]) {
            s->held[i] = 1;
            sl_eps_add_diag(e, s->x->time, SL_WARNING, SL_CODE_CHATTERING, diags, "tank",
                            sl_network_node_id(net, sl_first_tank(net) + i),
                            "it is %s again and again within one hydraulic step: links that would "
                            "bring it back stay closed until it is %.4g m away, and farther if that is not enough; a "
                            "valve that throttles the flow %s the tank, or controls with two levels, mend that",
                            sl_eps_tank_full(s, i) ? "full" : "empty", sl_eps_tank_band(e, s, i),
                            sl_eps_tank_full(s, i) ? "into" : "out of");
        }
    }
}

/* Explicit reactions in steps that are long for them; the flows that the walls' share depends on are those of the first
 * step, after which this is asked once. */
void sl_eps_report_step_error(const sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    int32_t row;
    double part = sl_quality_step_error(e->quality, &row);
    if (!(part > COARSE)) {
        return;
    }
    char text[256], hint[256];
    (void)sl_format(
        text, sizeof text,
        "the concentration changes by %.3g %% in one quality step; with explicit reactions, as in EPANET, the error "
        "of the decay is about half of that",
        100.0 * part);
    (void)sl_format(hint, sizeof hint, "use a Quality Timestep %.0f times shorter, or --reactions exact",
                    ceil(part / COARSE));
    bool tank = row >= net->n_link;
    const char *id =
        tank ? sl_network_node_id(net, sl_first_tank(net) + row - net->n_link) : sl_network_link_id(net, row);
    sl_diags_add(diags, &(sl_diag){.size = sizeof(sl_diag),
                                   .severity = SL_WARNING,
                                   .code = SL_CODE_COARSE_STEP,
                                   .text = text,
                                   .hint = hint,
                                   .object_kind = tank ? "tank" : "pipe",
                                   .object_id = id,
                                   .time = e->before.x->time});
}

void sl_eps_report(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    sl_eps_report_balance(e, s, diags);
    report_cut_off(e, s, diags);
    report_limits(e, s, diags);
    report_links(e, s, diags);
    report_tanks(e, s, diags);
    report_pressures(e, s, diags);
    report_changes(e, s, diags);
    report_rounding(e, s, diags);
    report_held(e, s, diags);
}
