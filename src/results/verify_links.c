/* SPDX-License-Identifier: MIT */
/* verify_links.c: the verifier at links: an open one loses the head its flow asks for, a closed one carries nothing, and
 * each status is one that the heads, the flow and the model allow.
 *
 * Links with a cut-off end are judged for flow only: heads mean nothing there. Where a control or a rule may have fixed a
 * valve open or closed, the file does not say whether it regulates, so nothing is claimed. Theory: docs/theory/verify.md.
 */
#include "results/verify.h"

#include <float.h>
#include <math.h>

static const char *const status_words[] = {"XHEAD",  "TEMPCLOSED", "CLOSED", "OPEN",
                                           "ACTIVE", "XFLOW",      "XFCV",   "XPRESSURE"};

/* A link in the period at hand. */
typedef struct view {
    sl_verifier *v;
    int32_t link, from, to;
    int32_t pump, valve; /* -1: it is none */
    int status;
    double q, setting;
    double h1, h2;
    double head_slack; /* for comparisons of heads [m] */
    double flow_slack; /* for comparisons of flows [m3/s] */
} view;

static view look(sl_verifier *v, int32_t k) {
    const sl_network *net = v->net;
    view w = {.v = v, .link = k, .from = net->link_from[k], .to = net->link_to[k], .pump = -1, .valve = -1};
    if (k >= net->n_pipe + net->n_pump) {
        w.valve = k - net->n_pipe - net->n_pump;
    } else if (k >= net->n_pipe) {
        w.pump = k - net->n_pipe;
    }
    w.status = v->status[k];
    w.q = v->flow[k];
    w.setting = v->setting[k];
    w.h1 = v->head[w.from];
    w.h2 = v->head[w.to];
    /* HTOL and QTOL are the model's own word on when a status may stay. */
    w.head_slack = v->def.head_abs + net->hydraulics.head_tolerance + sl_verify_round(w.h1) + sl_verify_round(w.h2);
    w.flow_slack = v->flow_slack + net->hydraulics.flow_tolerance + sl_verify_round(w.q);
    return w;
}

static int kind_of(const view *w) {
    return w->valve >= 0 ? w->v->net->valve_kind[w->valve] : SL_VALVE_KIND_COUNT;
}

/* ---- Statements --------------------------------------------------------------------------------- */

/* One statement about a status: by how much it is broken (0 or less: not), and what to say then. */
static void state(const view *w, double broken_by, double slack, const char *what) {
    double residual = isnan(broken_by) ? broken_by : fmax(broken_by, 0.0);
    if (sl_verify_check_residual(w->v, SL_VERIFY_STATUS, w->link, residual, slack)) {
        sl_verify_add_diag(w->v, SL_VERIFY_STATUS, w->link, "%s: %s (flow %.6g %s, heads %.7g and %.7g %s)",
                           w->status < 8 ? status_words[w->status] : "no known status", what, w->q / w->v->flow_unit,
                           w->v->flow_word, w->h1 / w->v->length_unit, w->h2 / w->v->length_unit, w->v->length_word);
    }
}

static void state_not_backwards(const view *w) {
    state(w, -w->q, w->flow_slack, "water runs backwards");
}

/* A tank at a limit keeps water from entering (full, no overflow) or leaving (empty). */
static bool tank_holds_back(const view *w, int32_t tank_node, double h_other) {
    const sl_network *net = w->v->net;
    int32_t tank = tank_node - net->n_junction - net->n_reservoir;
    if (tank < 0) {
        return false;
    }
    bool full = sl_verify_tank_full(w->v, tank) && !net->tank_overflow[tank];
    bool empty = sl_verify_tank_empty(w->v, tank);
    int kind = kind_of(w);
    bool one_way = w->pump >= 0 || kind == SL_PRV || kind == SL_PSV || (w->valve < 0 && net->pipe_check[w->link]);
    if (one_way) { /* by its direction, whatever the heads */
        return (full && tank_node == w->to) || (empty && tank_node == w->from);
    }
    return (full && h_other >= w->v->head[tank_node] - w->head_slack) ||
           (empty && h_other <= w->v->head[tank_node] + w->head_slack);
}

static bool held_back(const view *w) {
    return tank_holds_back(w, w->from, w->h2) || tank_holds_back(w, w->to, w->h1);
}

/* ---- Pipes -------------------------------------------------------------------------------------- */

static void pipe_status(const view *w) {
    const sl_network *net = w->v->net;
    bool check = net->pipe_check[w->link];
    if (w->status == SL_STATUS_TEMP_CLOSED && !check) {
        state(w, !held_back(w), 0.5, "closed for a tank, but no tank at its end is full or empty");
    } else if (!w->v->steered[w->link] && !check) {
        bool closed = net->link_status[w->link] == SL_CLOSED;
        state(w, w->status != (closed ? SL_STATUS_CLOSED : SL_STATUS_OPEN), 0.5,
              closed ? "the model has it closed, and nothing opens it"
                     : "the model has it open, and nothing closes it");
    }
    if (check && w->status > SL_STATUS_CLOSED) {
        state_not_backwards(w);
    } else if (check && !held_back(w)) {
        state(w, w->h1 - w->h2, w->head_slack, "the check valve is shut although the head pushes it open");
    }
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

/* The speed of a pump that neither a control nor a rule can change; 0: it stands. */
static double planned_speed(const view *w) {
    const sl_network *net = w->v->net;
    if (net->pump_pattern[w->pump] >= 0) {
        return sl_verify_pattern(w->v, net->pump_pattern[w->pump]);
    }
    return net->link_status[w->link] == SL_CLOSED ? 0.0 : net->pump_speed[w->pump];
}

static void pump_status(const view *w) {
    bool runs = w->status > SL_STATUS_CLOSED && w->setting > 0.0;
    bool shut = w->status == SL_STATUS_CLOSED || !(w->setting > 0.0);
    if (!w->v->steered[w->link]) {
        double speed = planned_speed(w);
        if (speed > 0.0 && !shut) {
            state(w, fabs(w->setting - speed), 1e-6 * speed, "its speed is not the model's");
        } else {
            state(w, (speed > 0.0) == shut, 0.5,
                  shut ? "the model has it running, and nothing stops it"
                       : "the model has it standing, and nothing starts it");
        }
    }
    if (runs) {
        state_not_backwards(w);
    } else if (w->status == SL_STATUS_XHEAD && w->setting > 0.0 && w->v->net->pump_curve[w->pump] >= 0) {
        /* One of constant power has no highest head: it stands where water has nowhere to go. */
        double slack = w->head_slack + sl_verify_pump_slack(w->v->net, w->pump, w->setting, 0.0);
        state(w, sl_verify_shutoff(w->v->net, w->pump, w->setting) - (w->h2 - w->h1), slack,
              "closed for lack of head, but it could deliver");
    } else if (w->status == SL_STATUS_TEMP_CLOSED) {
        state(w, !held_back(w), 0.5, "closed for a tank, but no tank at its end is full or empty");
    }
}

/* ---- Valves ------------------------------------------------------------------------------------- */

static double open_loss(const view *w) {
    return sl_verify_minor_loss(w->v->net->valve_minor[w->valve], w->v->net->valve_diameter[w->valve], w->q);
}

/* Head of the set point, which holds at node. */
static double set_head(const view *w, int32_t node) {
    return w->v->net->node_elevation[node] + w->setting;
}

/* Pressure reducing: keeps the head behind it down to the set point, and lets nothing back. */
static void prv_status(const view *w, bool regulates) {
    double set = set_head(w, w->to), slack = w->head_slack + sl_verify_round(w->setting);
    switch (w->status) {
    case SL_STATUS_ACTIVE:
        state(w, fabs(w->h2 - set), slack, "the downstream head is not the setting");
        state(w, w->h2 + open_loss(w) - w->h1, slack, "it would have to lift water to hold its setting");
        state_not_backwards(w);
        break;
    case SL_STATUS_OPEN:
        if (regulates) {
            state(w, w->h2 - set, slack, "the downstream head is above the setting");
            state_not_backwards(w);
        }
        break;
    case SL_STATUS_CLOSED:
        if (regulates) {
            state(w, fmin(w->h1 - w->h2, set - w->h2), slack,
                  "closed although there is demand downstream and water would flow");
        }
        break;
    default: break;
    }
}

/* Pressure sustaining: keeps the head before it up to the set point, and lets nothing back. */
static void psv_status(const view *w, bool regulates) {
    double set = set_head(w, w->from), slack = w->head_slack + sl_verify_round(w->setting);
    switch (w->status) {
    case SL_STATUS_ACTIVE:
        state(w, fabs(w->h1 - set), slack, "the head before it is not the set one");
        state(w, w->h2 + open_loss(w) - w->h1, slack, "it would have to lift water to hold its setting");
        state_not_backwards(w);
        break;
    case SL_STATUS_OPEN:
        if (regulates) {
            state(w, set - w->h1, slack, "the head before it is below the set one");
            state_not_backwards(w);
        }
        break;
    case SL_STATUS_CLOSED:
        if (regulates) {
            state(w, fmin(w->h1 - w->h2, w->h1 - set), slack, "closed although there is head to spare before it");
        }
        break;
    default: break;
    }
}

/* Flow control: holds its flow, or is open because less comes. It is a limit: demand behind it that is more than the set flow is
 * not served (verify_supply.c). EPANET throws it open there. */
static void fcv_status(const view *w, bool regulates) {
    double slack = w->flow_slack + sl_verify_round(w->setting);
    if (w->status == SL_STATUS_ACTIVE) {
        state(w, fabs(w->q - w->setting), slack, "the flow is not the set one");
        state(w, w->h2 + open_loss(w) - w->h1, w->head_slack, "it would have to lift water to hold its setting");
    } else if (w->status == SL_STATUS_XFCV || (w->status == SL_STATUS_OPEN && regulates)) {
        /* As the only way out of a part into which more is forced it has no choice. */
        bool forced = w->status == SL_STATUS_XFCV && w->q > w->setting + slack && !sl_verify_free_path(w->v, w->from);
        state(w, forced ? 0.0 : w->q - w->setting, slack, "more than the set flow passes");
    }
}

static void valve_status(const view *w) {
    const sl_network *net = w->v->net;
    int kind = kind_of(w), start = net->link_status[w->link];
    bool steered = w->v->steered[w->link], regulates = !steered && start == SL_ACTIVE;
    if (w->status == SL_STATUS_TEMP_CLOSED) {
        state(w, !held_back(w), 0.5, "closed for a tank, but no tank at its end is full or empty");
        return;
    }
    if (!steered && start != SL_ACTIVE) {
        state(w, (w->status <= SL_STATUS_CLOSED) != (start == SL_CLOSED), 0.5,
              start == SL_CLOSED ? "the model has it closed, and nothing opens it"
                                 : "the model has it open, and nothing closes it");
    } else if (regulates && kind != SL_GPV) {
        double set = kind == SL_PCV ? fmin(net->valve_setting[w->valve], 100.0) : net->valve_setting[w->valve];
        state(w, fabs(fmin(w->setting, kind == SL_PCV ? 100.0 : HUGE_VAL) - set), 1e-6 * fabs(set) + 1e-9,
              "its setting is not the model's");
    }
    switch (kind) {
    case SL_PRV: prv_status(w, regulates); break;
    case SL_PSV: psv_status(w, regulates); break;
    case SL_FCV: fcv_status(w, regulates); break;
    default: break;
    }
}

/* ---- Controls ----------------------------------------------------------------------------------- */

/* A link that a control has surely just set is as it says. */
static void controlled_status(const view *w) {
    const sl_control *c = sl_verify_sure_control(w->v, w->link);
    bool check = w->valve < 0 && w->pump < 0 && w->v->net->pipe_check[w->link];
    if (!c || check) {
        return;
    }
    bool shut = w->status == SL_STATUS_CLOSED || (w->pump >= 0 && !(w->setting > 0.0));
    bool pressure = kind_of(w) == SL_PRV || kind_of(w) == SL_PSV; /* shuts by itself */
    if (c->status == SL_CLOSED) {
        state(w, !shut, 0.5, "a control has just closed it");
    } else if (!pressure || c->status != SL_ACTIVE) {
        state(w, shut, 0.5, "a control has just opened it");
    }
    if (w->pump >= 0 && !shut && c->status != SL_CLOSED) {
        double speed = isnan(c->setting) ? 1.0 : c->setting;
        state(w, fabs(w->setting - speed), 1e-6 * speed, "its speed is not what a control has just set");
    } else if (w->status == SL_STATUS_ACTIVE && c->status == SL_ACTIVE && !isnan(c->setting)) {
        state(w, fabs(w->setting - c->setting), 1e-6 * fabs(c->setting) + 1e-9,
              "its setting is not what a control has just set");
    }
}

/* ---- Loss and closure --------------------------------------------------------------------------- */

/* A position valve at 0 % is shut in EPANET by a coefficient of 1e8 (ft, ft3/s), which lets a little through. */
static double shut_valve_flow(const view *w) {
    return sqrt(fabs(w->h1 - w->h2) / 0.3048 / 1e8) * 0.3048 * 0.3048 * 0.3048;
}

static void check_closed(const view *w, double leak) {
    double residual = fabs(w->q), tolerance = w->v->flow_slack + sl_verify_round(w->q) + leak;
    if (sl_verify_check_residual(w->v, SL_VERIFY_CLOSED, w->link, residual, tolerance)) {
        sl_verify_add_diag(w->v, SL_VERIFY_CLOSED, w->link, "is closed and has a flow of %.6g %s",
                           w->q / w->v->flow_unit, w->v->flow_word);
    }
}

static bool pinned(const view *w) {
    int kind = kind_of(w);
    return w->status == SL_STATUS_ACTIVE && (kind == SL_PRV || kind == SL_PSV || kind == SL_FCV);
}

/* A solver that works on heads knows the flow of a link only to the last digits of the heads (16 units in the last place
 * here) times its conductance 1/(dh/dq), and a link that loses next to nothing conducts almost without limit. The limits
 * are EPANET's, in ft3/s per ft: 1e7 times the exponent for pipes, 1e6 for open valves, 1e8 where a head or a loss is
 * pinned by a penalty. For ordinary pipes this is nothing. */
static void add_conditioning(const view *w, double slope) {
    const sl_verifier *v = w->v;
    double limit = w->valve < 0 ? 2e7 : kind_of(w) == SL_PBV || pinned(w) ? 1e8 : 1e6;
    double conductance = fmin(1.0 / fmax(slope, 1e-300), limit * 0.3048 * 0.3048);
    double slack = 16.0 * DBL_EPSILON * fmax(fabs(w->h1), fabs(w->h2)) * conductance;
    v->net_inflow_slack[w->from] += slack;
    v->net_inflow_slack[w->to] += slack;
}

/* Below this flow a valve is at rest [m3/s]: any loss from none to what it holds back keeps it there. */
#define AT_REST 1e-8

/* A pressure breaker holds its setting back, forwards; a general purpose valve what its curve begins at, both ways. */
static bool is_at_rest(const view *w, double *forward, double *back) {
    const sl_network *net = w->v->net;
    *forward = *back = 0.0;
    if (kind_of(w) == SL_PBV && w->status == SL_STATUS_ACTIVE) {
        *forward = fmax(w->setting, 0.0);
    } else if (kind_of(w) == SL_GPV) {
        *forward = *back = fmax(sl_verify_loss(net, w->link, w->status, w->setting, 0.0), 0.0);
    }
    return *forward > 0.0 && fabs(w->q) <= AT_REST;
}

static void check_loss(const view *w) {
    const sl_verifier *v = w->v;
    const sl_network *net = v->net;
    double dq = fmax(sl_verify_round(w->q), 1e-12), drop = w->h1 - w->h2;
    double loss = sl_verify_loss(net, w->link, w->status, w->setting, w->q);
    double more = sl_verify_loss(net, w->link, w->status, w->setting, w->q + dq);
    double less = sl_verify_loss(net, w->link, w->status, w->setting, w->q - dq);
    add_conditioning(w, fabs(more - less) / (2.0 * dq));
    double forward, back;
    bool rests = is_at_rest(w, &forward, &back);
    double residual = rests ? fmax(fmax(drop - forward, -back - drop), 0.0) : fabs(loss - drop);
    double tolerance =
        v->def.head_abs + fmax(fabs(more - loss), fabs(loss - less)) + sl_verify_round(w->h1) + sl_verify_round(w->h2);
    if (w->pump >= 0) { /* the speed is rounded as well, and heads go with its square */
        tolerance += sl_verify_pump_slack(net, w->pump, w->setting, w->q) + 2.0 * sl_verify_round(loss);
    } else if (w->valve >= 0) { /* so is the setting: a loss or the root of one */
        tolerance += 2.0 * sl_verify_round(loss);
    }
    if (sl_verify_check_residual(w->v, SL_VERIFY_HEADLOSS, w->link, residual, tolerance)) {
        sl_verify_add_diag(w->v, SL_VERIFY_HEADLOSS, w->link,
                           "%.6g %s should %s %.7g %s, its ends differ by %.7g (off by %.3g, allowed %.2g)",
                           w->q / v->flow_unit, v->flow_word, w->pump >= 0 ? "be lifted" : "lose",
                           (w->pump >= 0 ? -loss : loss) / v->length_unit, v->length_word,
                           (w->pump >= 0 ? -drop : drop) / v->length_unit, residual / v->length_unit,
                           tolerance / v->length_unit);
    }
}

/* A demand that does not depend on pressure draws the head behind a closed check valve, pump or pressure reducer down
 * until it opens. So if that is the last way into a part that asks for water, it cannot be the solver that closed it. */
static void starved_status(const view *w) {
    const sl_verifier *v = w->v;
    const sl_network *net = v->net;
    bool check = w->pump < 0 && w->valve < 0 && net->pipe_check[w->link];
    bool pump = w->pump >= 0 && w->status == SL_STATUS_XHEAD && w->setting > 0.0;
    bool reducer = kind_of(w) == SL_PRV && !v->steered[w->link] && net->link_status[w->link] == SL_ACTIVE;
    bool into = !v->cut[w->from] && v->cut[w->to] && w->status <= SL_STATUS_CLOSED;
    if (into && (check || pump || reducer) && net->hydraulics.demand_model == SL_DDA &&
        !tank_holds_back(w, w->from, -HUGE_VAL) && sl_verify_supplied(w->v, w->from)) {
        state(w, v->part_demand[w->to], w->flow_slack, "closed although there is demand downstream");
    }
}

void sl_verify_links(sl_verifier *v) {
    for (int32_t k = 0; k < v->net->n_link; k++) {
        view w = look(v, k);
        if (w.status > SL_STATUS_XPRESSURE) {
            state(&w, 1.0, 0.5, "the file's code for its status is none");
            continue;
        }
        bool shut_position = sl_verify_is_shut(v->net, k, w.status, w.setting);
        bool heads = !v->cut[w.from] && !v->cut[w.to];
        if (!v->open[k]) {
            check_closed(&w, shut_position ? shut_valve_flow(&w) : 0.0);
        } else if (heads && pinned(&w)) {
            add_conditioning(&w, 0.0);
        } else if (heads) {
            check_loss(&w);
        }
        controlled_status(&w);
        if (heads) {
            if (w.valve >= 0) {
                valve_status(&w);
            } else if (w.pump >= 0) {
                pump_status(&w);
            } else {
                pipe_status(&w);
            }
        } else {
            starved_status(&w);
        }
    }
}
