/* SPDX-License-Identifier: MIT */
/* rules.c: rule-based controls.
 *
 * Premises are compared in the model's own units with a tolerance of 0.001, as EPANET does (so `<` is true up to 0.001
 * above the value, and `<=` only 0.001 below it). How AND and OR combine is the caller's choice; by default premises are
 * taken one after the other. Of several actions on one link at one time that of the highest priority is taken, of equal
 * ones the first.
 */
#include "eps/impl.h"

#include "base/report.h"

#include <math.h>

#define TOLERANCE 0.001

/* The instant rules are looked at: now, and one second after the last look [s], of the run and of the day. */
typedef struct instant {
    double t, since, clock, clock_since;
} instant;

static bool compare(sl_rule_operator relation, double x, double v) {
    switch (relation) {
    case SL_RULE_EQ: return fabs(x - v) <= TOLERANCE;
    case SL_RULE_NE: return fabs(x - v) >= TOLERANCE;
    case SL_RULE_LT: return x <= v + TOLERANCE;
    case SL_RULE_LE: return x <= v - TOLERANCE;
    case SL_RULE_GT: return x >= v - TOLERANCE;
    case SL_RULE_GE:
    default: return x >= v + TOLERANCE;
    }
}

static bool time_premise(const sl_premise *p, const instant *at) {
    bool of_day = p->variable == SL_RULE_CLOCKTIME;
    double now = of_day ? at->clock : at->t, since = of_day ? at->clock_since : at->since, v = p->value;
    bool passed = now < since ? v >= since || v <= now : v >= since && v <= now; /* midnight lies between */
    switch (p->relation) {
    case SL_RULE_EQ: return passed;
    case SL_RULE_NE: return !passed;
    case SL_RULE_LT: return now < v;
    case SL_RULE_LE: return now <= v;
    case SL_RULE_GT: return now > v;
    case SL_RULE_GE:
    default: return now >= v;
    }
}

static bool status_premise(const sl_eps_state *s, const sl_premise *p) {
    uint8_t code = s->status[p->index];
    sl_link_status is = code <= SL_STATUS_CLOSED ? SL_CLOSED : code == SL_STATUS_ACTIVE ? SL_ACTIVE : SL_OPEN;
    return p->relation == SL_RULE_EQ ? is == p->status : p->relation == SL_RULE_NE && is != p->status;
}

/* Time until a tank is full or empty [s]; infinite when it does not fill or drain, so that `> v` and `<> v` hold.
 * EPANET takes every such premise as false (docs/reference/differences.md). */
static double limit_time(const sl_eps *e, const sl_eps_state *s, const sl_premise *p) {
    int32_t tank = p->index - sl_first_tank(e->m->net);
    if (tank < 0) {
        return (double)INFINITY;
    }
    const sl_tank_law *law = &e->m->tank[tank];
    double q = s->inflow[tank];
    if (p->variable == SL_RULE_FILLTIME) {
        return q > 1e-9 ? (law->v_max - s->volume[tank]) / q : (double)INFINITY;
    }
    return q < -1e-9 ? (law->v_min - s->volume[tank]) / q : (double)INFINITY;
}

static double node_demand(const sl_eps *e, const sl_eps_state *s, int32_t node) {
    const sl_network *net = e->m->net;
    double q = 0.0;
    for (int32_t a = e->m->at_start[node]; a < e->m->at_start[node + 1]; a++) {
        int32_t k = e->m->at_link[a];
        q += net->link_to[k] == node ? s->flow[k] : -s->flow[k];
    }
    return q;
}

/* The present value of what a premise looks at, in SI; NaN when it has none. */
static double value_of(const sl_eps *e, const sl_eps_state *s, const sl_premise *p) {
    const sl_network *net = e->m->net;
    int32_t i = p->index;
    switch (p->variable) {
    case SL_RULE_DEMAND:
        if (p->object == SL_RULE_SYSTEM) {
            double sum = 0.0;
            for (int32_t j = 0; j < net->n_junction; j++) {
                sum += s->wanted[j];
            }
            return sum;
        }
        return node_demand(e, s, i);
    case SL_RULE_HEAD:
    case SL_RULE_GRADE: return s->head[i];
    case SL_RULE_PRESSURE:
    case SL_RULE_LEVEL: return s->head[i] - net->node_elevation[i];
    case SL_RULE_FLOW: return fabs(s->flow[i]);
    case SL_RULE_SETTING: return i < net->n_pipe ? net->pipe_roughness[i] : s->setting[i];
    case SL_RULE_POWER: {
        double efficiency;
        return sl_is_pump(net, i) ? sl_eps_pump_power(e, s, i - net->n_pipe, &efficiency) : (double)NAN;
    }
    default: return (double)NAN;
    }
}

static sl_quantity quantity_of(const sl_network *net, const sl_premise *p) {
    int kind = p->object == SL_RULE_LINK ? sl_valve_kind_of(net, p->index) : -1;
    if (p->variable == SL_RULE_SETTING && kind >= 0) {
        return sl_valve_setting_quantity((sl_valve_kind)kind);
    }
    if (p->variable == SL_RULE_SETTING && p->index < net->n_pipe) {
        return SL_Q_ROUGHNESS;
    }
    return sl_rule_quantity(p->variable);
}

static bool premise_holds(const sl_eps *e, const sl_eps_state *s, const sl_premise *p, const instant *at) {
    switch (p->variable) {
    case SL_RULE_TIME:
    case SL_RULE_CLOCKTIME: return time_premise(p, at);
    case SL_RULE_STATUS: return status_premise(s, p);
    case SL_RULE_FILLTIME:
    case SL_RULE_DRAINTIME: return compare(p->relation, limit_time(e, s, p) / 3600.0, p->value / 3600.0);
    default: {
        double x = value_of(e, s, p), factor = e->m->factor[quantity_of(e->m->net, p)];
        return !isnan(x) && compare(p->relation, x / factor, p->value / factor);
    }
    }
}

/* Premises in order: OR helps a false result so far, AND after a false result ends it. */
static bool in_order(const sl_eps *e, const sl_eps_state *s, const sl_rule *rule, const instant *at) {
    bool result = true;
    for (int32_t i = 0; i < rule->n_premise; i++) {
        const sl_premise *p = &e->m->net->premises[rule->premise_start + i];
        if (p->logic == SL_RULE_OR) {
            result = result || premise_holds(e, s, p, at);
        } else if (!result) {
            return false;
        } else {
            result = premise_holds(e, s, p, at);
        }
    }
    return result;
}

/* AND binds more tightly: an OR of groups. */
static bool by_precedence(const sl_eps *e, const sl_eps_state *s, const sl_rule *rule, const instant *at) {
    bool group = true;
    for (int32_t i = 0; i < rule->n_premise; i++) {
        const sl_premise *p = &e->m->net->premises[rule->premise_start + i];
        if (p->logic == SL_RULE_OR) {
            if (group) {
                return true;
            }
            group = true;
        }
        group = group && premise_holds(e, s, p, at);
    }
    return group;
}

/* What rules want, in their order. */
static int32_t collect(const sl_network *net, const uint8_t *holds, sl_eps_rule_request *rule_requests) {
    int32_t n = 0;
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        int32_t first = holds[r] ? rule->then_start : rule->else_start, count = holds[r] ? rule->n_then : rule->n_else;
        for (int32_t i = 0; rule->enabled && i < count; i++) {
            rule_requests[n++] = (sl_eps_rule_request){first + i, r};
        }
    }
    return n;
}

/* Does another rule of a higher priority, or an earlier one of the same, act on the link of wish i? */
static bool outdone(const sl_network *net, const sl_eps_rule_request *rule_requests, int32_t n, int32_t i) {
    int32_t link = net->actions[rule_requests[i].action].link;
    double priority = net->rules[rule_requests[i].rule].priority;
    for (int32_t j = 0; j < n; j++) {
        double other = net->rules[rule_requests[j].rule].priority;
        if (net->actions[rule_requests[j].action].link == link && (other > priority || (other == priority && j < i))) {
            return true;
        }
    }
    return false;
}

/* A rule's OPEN acts on what is closed, its CLOSED on what is not, and a setting when it differs by more than the
 * tolerance: so OPEN neither changes the speed of a running pump nor takes the setting from a valve. */
static bool act(sl_eps *e, sl_eps_state *s, const sl_action *a) {
    const sl_network *net = e->m->net;
    bool closed = s->status[a->link] <= SL_STATUS_CLOSED, number = a->link >= net->n_pipe && !isnan(a->setting);
    if (number) {
        int kind = sl_valve_kind_of(net, a->link);
        double unit = kind >= 0 ? e->m->factor[sl_valve_setting_quantity((sl_valve_kind)kind)] : 1.0;
        if (fabs(s->setting[a->link] - a->setting) <= TOLERANCE * unit) {
            return false;
        }
    } else if (a->status == SL_OPEN ? !closed : closed) {
        return false;
    }
    return sl_eps_apply(e, s, a->link, a->status, a->setting);
}

bool sl_eps_rules(sl_eps *e, sl_eps_state *s, double t, double dt, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double since = t - dt + 1.0;
    const instant at = {t, since, sl_eps_clock(net, t), sl_eps_clock(net, since)};
    bool changed = false;
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        e->w.holds[r] = rule->enabled && (e->m->def.rules == SL_RULES_EPANET ? in_order(e, s, rule, &at)
                                                                             : by_precedence(e, s, rule, &at));
    }
    s->x->rule_time = t;
    sl_eps_rule_request *rule_requests = e->w.rule_requests;
    int32_t n = collect(net, e->w.holds, rule_requests);
    for (int32_t i = 0; i < n; i++) {
        const sl_action *a = &net->actions[rule_requests[i].action];
        sl_eps_single from = sl_eps_link_state(e, s, a->link);
        if (!outdone(net, rule_requests, n, i) && act(e, s, a)) {
            changed = true;
            sl_eps_note_rule(e, s, t, rule_requests[i].rule, a->link, from);
            if (net->report.status > 0) {
                sl_eps_add_diag(e, t, SL_INFO, SL_CODE_CONTROL_ACTED, diags, sl_eps_link_kind(net, a->link),
                                sl_network_link_id(net, a->link), "%s by rule %s",
                                s->status[a->link] <= SL_STATUS_CLOSED ? "closed" : "opened or set",
                                net->rules[rule_requests[i].rule].name);
            }
        }
    }
    return changed;
}

void sl_eps_rules_warn(const sl_eps_model *m, sl_diags *diags) {
    const sl_network *net = m->net;
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        bool has_and = false, has_or = false;
        for (int32_t i = 0; i < rule->n_premise; i++) {
            has_and |= net->premises[rule->premise_start + i].logic == SL_RULE_AND;
            has_or |= net->premises[rule->premise_start + i].logic == SL_RULE_OR;
        }
        if (has_and && has_or && rule->enabled) {
            sl_text_location place = {.file = net->name, .line = rule->line};
            sl_report(diags, SL_WARNING, SL_CODE_RULE_LOGIC, rule->line ? &place : NULL, "rule", rule->name,
                      "split it into two rules, or choose with --rule-logic", "AND and OR are mixed: %s",
                      m->def.rules == SL_RULES_EPANET
                          ? "its premises are taken in order, as EPANET does; by precedence AND would bind first"
                          : "AND binds first here; EPANET takes the premises in order");
        }
    }
}
