/* SPDX-License-Identifier: MIT */
/* rules.c: rule-based controls.
 *
 * Premises are compared in the model's own units with a tolerance of 0.001, as EPANET does (so `<` is true up to 0.001
 * above the value, and `<=` only 0.001 below it). How AND and OR combine is the caller's choice; by default premises are
 * taken one after the other. Of several actions on one link at one time that of the highest priority is taken, of equal
 * ones the first.
 *
 * What premises read is compared with what it was at the last evaluation. Only premises that can have changed with it are evaluated
 * (rule_index.c), only rules of which a premise changed, and which request leads for each link only when a rule changed. All of that
 * follows from the values read, so it is no part of the state of a run.
 */
#include "eps/impl.h"

#include "base/report.h"

#include <math.h>

#define TOLERANCE 0.001

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

static bool time_premise(const sl_premise *p, const sl_eps_instant *at) {
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

static sl_link_status status_of(const sl_eps_state *s, int32_t link) {
    uint8_t code = s->status[link];
    return code <= SL_STATUS_CLOSED ? SL_CLOSED : code == SL_STATUS_ACTIVE ? SL_ACTIVE : SL_OPEN;
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

/* What the premises of a reading are compared with, in their unit; NaN when it has no value. */
static double read_value(const sl_eps *e, const sl_eps_state *s, const sl_eps_reading *r) {
    switch (r->of->variable) {
    case SL_RULE_STATUS: return (double)status_of(s, r->of->index);
    case SL_RULE_FILLTIME:
    case SL_RULE_DRAINTIME: return limit_time(e, s, r->of) / r->unit;
    default: return value_of(e, s, r->of) / r->unit;
    }
}

/* ---- What follows ------------------------------------------------------------------------------- */

static bool premise_holds(const sl_premise *p, double x, double threshold, const sl_eps_instant *at) {
    switch (p->variable) {
    case SL_RULE_TIME:
    case SL_RULE_CLOCKTIME: return time_premise(p, at);
    case SL_RULE_STATUS:
        return (p->relation == SL_RULE_EQ && x == p->status) || (p->relation == SL_RULE_NE && x != p->status);
    default: return !isnan(x) && compare(p->relation, x, threshold);
    }
}

/* The first of a reading's premises whose threshold is not below v. */
static int32_t first_from(const sl_eps_rule_index *x, const sl_eps_reading *r, double v) {
    int32_t low = r->begin, high = r->end;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (x->threshold[middle] < v) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Evaluates the premises of a reading with thresholds from low to high; rules of which one changed are queued. */
static void update_premises(sl_eps *e, const sl_eps_reading *r, double value, double low, double high,
                            const sl_eps_instant *at) {
    const sl_eps_rule_index *x = &e->m->rules;
    sl_eps_rule_memory *w = &e->w.rules;
    for (int32_t i = first_from(x, r, low); i < r->end && x->threshold[i] <= high; i++) {
        int32_t p = x->premise[i], rule = x->rule[p];
        uint8_t truth = premise_holds(&e->m->net->premises[p], value, x->threshold[i], at);
        if (truth != w->truth[p] || !w->valid) {
            w->truth[p] = truth;
            if (!w->moved[rule]) {
                w->moved[rule] = 1;
                w->queue[w->n_queue++] = rule;
            }
        }
    }
}

/* A premise on a time changes only when its threshold is passed, or has just been: it lies between the ends of the last interval and
 * of this one. When one of them contains midnight, any may change. */
static void update_times(sl_eps *e, const sl_eps_reading *r, const sl_eps_instant *at) {
    const sl_eps_rule_memory *w = &e->w.rules;
    bool of_day = r->of->variable == SL_RULE_CLOCKTIME;
    double x[] = {of_day ? at->clock_since : at->since, of_day ? at->clock : at->t,
                  of_day ? w->at.clock_since : w->at.since, of_day ? w->at.clock : w->at.t};
    bool all = !w->valid || x[1] < x[0] || x[3] < x[2];
    double low = fmin(fmin(x[0], x[1]), fmin(x[2], x[3])), high = fmax(fmax(x[0], x[1]), fmax(x[2], x[3]));
    update_premises(e, r, 0.0, all ? -(double)INFINITY : low, all ? (double)INFINITY : high, at);
}

/* Twice the tolerance, so that rounding does not count. */
static void update_values(sl_eps *e, const sl_eps_state *s, const sl_eps_reading *r, const sl_eps_instant *at) {
    sl_eps_rule_memory *w = &e->w.rules;
    double *last = &w->value[r - e->m->rules.reading], now = read_value(e, s, r);
    if (w->valid && (now == *last || (isnan(now) && isnan(*last)))) {
        return;
    }
    bool all = !w->valid || !isfinite(now - *last) || r->of->variable == SL_RULE_STATUS;
    double low = fmin(now, *last) - 2.0 * TOLERANCE, high = fmax(now, *last) + 2.0 * TOLERANCE;
    *last = now;
    update_premises(e, r, now, all ? -(double)INFINITY : low, all ? (double)INFINITY : high, at);
}

/* Premises in order: OR helps a false result so far, AND after a false result ends it. */
static bool in_order(const sl_premise *p, const uint8_t *truth, int32_t n) {
    bool result = true;
    for (int32_t i = 0; i < n; i++) {
        if (p[i].logic == SL_RULE_OR) {
            result = result || truth[i];
        } else if (!result) {
            return false;
        } else {
            result = truth[i];
        }
    }
    return result;
}

/* AND binds more tightly: an OR of groups. */
static bool by_precedence(const sl_premise *p, const uint8_t *truth, int32_t n) {
    bool group = true;
    for (int32_t i = 0; i < n; i++) {
        if (p[i].logic == SL_RULE_OR) {
            if (group) {
                return true;
            }
            group = true;
        }
        group = group && truth[i];
    }
    return group;
}

static bool rule_holds(const sl_eps *e, const sl_rule *rule) {
    const sl_premise *p = e->m->net->premises + rule->premise_start;
    const uint8_t *truth = e->w.rules.truth + rule->premise_start;
    return rule->enabled && (e->m->def.rules == SL_RULES_EPANET ? in_order(p, truth, rule->n_premise)
                                                                : by_precedence(p, truth, rule->n_premise));
}

/* Which rules hold now; true when that may differ from the last time. */
static bool update_rules(sl_eps *e, const sl_eps_state *s, const sl_eps_instant *at) {
    const sl_network *net = e->m->net;
    sl_eps_rule_memory *w = &e->w.rules;
    bool changed = !w->valid;
    for (const sl_eps_reading *r = e->m->rules.reading; r < e->m->rules.reading + e->m->rules.n_reading; r++) {
        if (r->of->variable == SL_RULE_TIME || r->of->variable == SL_RULE_CLOCKTIME) {
            update_times(e, r, at);
        } else {
            update_values(e, s, r, at);
        }
    }
    for (int32_t r = 0; !w->valid && r < net->n_rule; r++) { /* also those without premises */
        w->queue[r] = r;
        w->n_queue = net->n_rule;
    }
    for (int32_t i = 0; i < w->n_queue; i++) {
        int32_t rule = w->queue[i];
        uint8_t holds = rule_holds(e, &net->rules[rule]);
        changed |= holds != w->holds[rule];
        w->holds[rule] = holds;
        w->moved[rule] = 0;
    }
    w->n_queue = 0;
    w->at = *at;
    w->valid = true;
    return changed;
}

/* What rules want, in their order. */
static int32_t collect(const sl_network *net, const uint8_t *holds, sl_eps_rule_request *requests) {
    int32_t n = 0;
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        int32_t first = holds[r] ? rule->then_start : rule->else_start, count = holds[r] ? rule->n_then : rule->n_else;
        for (int32_t i = 0; rule->enabled && i < count; i++) {
            requests[n++] = (sl_eps_rule_request){first + i, r};
        }
    }
    return n;
}

/* Of the requests for one link keeps that of the highest priority, of equal ones the first. best: 1 + the request that leads. */
static int32_t keep_best(const sl_network *net, sl_eps_rule_request *requests, int32_t n, int32_t *best) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t *lead = &best[net->actions[requests[i].action].link];
        if (*lead == 0 || net->rules[requests[i].rule].priority > net->rules[requests[*lead - 1].rule].priority) {
            *lead = i + 1;
        }
    }
    for (int32_t i = 0; i < n; i++) { /* a link's turn is over with its best: those behind it are outdone */
        int32_t *lead = &best[net->actions[requests[i].action].link];
        if (*lead == i + 1) {
            *lead = 0;
            requests[kept++] = requests[i];
        }
    }
    return kept;
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
    sl_eps_rule_memory *w = &e->w.rules;
    double since = t - dt + 1.0;
    const sl_eps_instant at = {t, since, sl_eps_clock(net, t), sl_eps_clock(net, since)};
    bool changed = false;
    if (update_rules(e, s, &at)) {
        w->n_request = keep_best(net, w->requests, collect(net, w->holds, w->requests), w->best);
    }
    s->x->rule_time = t;
    for (int32_t i = 0; i < w->n_request; i++) {
        const sl_action *a = &net->actions[w->requests[i].action];
        sl_eps_single from = sl_eps_link_state(e, s, a->link);
        if (act(e, s, a)) {
            changed = true;
            sl_eps_note_rule(e, s, t, w->requests[i].rule, a->link, from);
            if (net->report.status > 0) {
                sl_eps_add_diag(e, t, SL_INFO, SL_CODE_CONTROL_ACTED, diags, sl_eps_link_kind(net, a->link),
                                sl_network_link_id(net, a->link), "%s by rule %s",
                                s->status[a->link] <= SL_STATUS_CLOSED ? "closed" : "opened or set",
                                net->rules[w->requests[i].rule].name);
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
