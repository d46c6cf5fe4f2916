/* SPDX-License-Identifier: MIT */
/* effects.c: events that cannot change anything are named when a model is made: those after the end, trips of pumps that are off,
 * events that change nothing, factors of a zero demand, outlets without a size. Other events can only be judged at the end: those
 * whose triggers did not fire are named at the end of the run.
 */
#include "surge/impl.h"

#include "base/out.h"

#include <math.h>

enum { WHY_MAX = 160 };

typedef struct idle {
    char why[WHY_MAX];
    const char *hint;
} idle;

static bool says(idle *x, const char *hint, const char *fmt, ...) SL_PRINTF(3, 4);
static bool says(idle *x, const char *hint, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(x->why, sizeof x->why, fmt, args);
    va_end(args);
    x->hint = hint;
    return true;
}

static bool is_late(const sl_surge_model *m, const sl_surge_event *v) {
    return m->def.duration > 0.0 && v->start >= m->def.duration;
}

/* No other event changes the same quantity, so that this one finds what it is at the start. */
static bool is_alone(const sl_surge_model *m, int32_t event) {
    for (int32_t i = 0; i < m->def.n_event; i++) {
        bool other = i != event && m->event_target[i] == m->event_target[event];
        if (other && !is_late(m, &m->def.events[i])) {
            return false;
        }
    }
    return true;
}

/* All its values are that of the start; NaN is the value it finds. */
static bool stays(const sl_surge_model *m, const sl_surge_event *v) {
    double start = sl_surge_start_value(m, v->what, v->index);
    for (int32_t k = 0; k < v->n; k++) {
        if (!isnan(v->x[k]) && v->x[k] != start) {
            return false;
        }
    }
    return true;
}

static bool pump_is_off(const sl_surge_model *m, int32_t link) {
    const sl_surge_joint *j = &m->joints[m->joint_of_link[link]];
    return m->pumps[link - m->net->n_pipe].speed == 0.0 || j->opening == 0.0;
}

static bool has_demand(const sl_surge_model *m, int32_t node) {
    bool some = fabs(m->start_demand[node]) > SL_SURGE_DEMAND_NONE;
    for (int32_t k = m->port_start[node]; k < m->port_start[node + 1]; k++) {
        some |= m->ports[k].kind == SL_PORT_DEMAND && m->ports[k].c > 0.0;
    }
    return some;
}

static bool outlet_is_nothing(const sl_surge_model *m, int32_t outlet) {
    for (int32_t k = 0; k < m->n_port; k++) {
        if (m->ports[k].kind == SL_PORT_OUTLET && m->ports[k].outlet == outlet && m->ports[k].c > 0.0) {
            return false;
        }
    }
    return true;
}

/* Has this pump tripped before, and does nothing start it again? */
static bool has_tripped(const sl_surge_model *m, int32_t event) {
    const sl_surge_event *v = &m->def.events[event];
    bool before = false;
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *w = &m->def.events[i];
        if (i == event || m->event_target[i] != m->event_target[event]) {
            continue;
        }
        if (w->what != SL_SURGE_PUMP_TRIP) {
            return false;
        }
        before |= w->trigger < 0 && (w->start < v->start || (w->start == v->start && i < event));
    }
    return before && v->trigger < 0;
}

/* True: the event changes nothing, and why. */
static bool is_idle(const sl_surge_model *m, int32_t event, idle *x) {
    const sl_surge_event *v = &m->def.events[event];
    bool demand = v->what == SL_SURGE_DEMAND_FACTOR || v->what == SL_SURGE_DEMAND_FLOW;
    if (is_late(m, v)) {
        return says(x, "give the run a longer duration, or the event an earlier start",
                    "it would start at %.9g s, and the run ends at %.9g s", v->start, m->def.duration);
    }
    if (v->what == SL_SURGE_OUTLET_OPENING && outlet_is_nothing(m, v->index)) {
        return says(x, "give the outlet an orifice or a coefficient", "its outlet has no size: nothing flows out");
    }
    if (v->what == SL_SURGE_PUMP_TRIP && has_tripped(m, event)) {
        return says(x, NULL, "the pump has tripped before");
    }
    if (!is_alone(m, event)) {
        return false;
    }
    if (v->what == SL_SURGE_PUMP_TRIP && pump_is_off(m, v->index)) {
        return says(x, "start from a time at which the pump runs", "the pump is off at the start: it cannot trip");
    }
    if (v->what == SL_SURGE_DEMAND_FACTOR && !has_demand(m, v->index)) {
        return says(x, "give a flow, as `demand: ID` and `to: 5 L/s`", "the junction has no demand at the start");
    }
    if (v->what == SL_SURGE_DEMAND_FLOW) {
        return !has_demand(m, v->index) && stays(m, v) &&
               says(x, NULL, "the junction has no demand at the start, and gets none");
    }
    bool pump_starts = v->what == SL_SURGE_PUMP_SPEED && pump_is_off(m, v->index) && !stays(m, v);
    if (v->what != SL_SURGE_PUMP_TRIP && !pump_starts && stays(m, v)) {
        return says(x, NULL, "%s is at the start what the event makes of it: %.6g",
                    demand                           ? "the factor of the demand"
                    : v->what == SL_SURGE_PUMP_SPEED ? "the speed"
                    : v->what == SL_SURGE_HEAD       ? "the head"
                                                     : "the opening",
                    sl_surge_start_value(m, v->what, v->index));
    }
    return false;
}

static const char *target_of(const sl_surge_model *m, const sl_surge_event *v, const char **kind) {
    switch (v->what) {
    case SL_SURGE_OUTLET_OPENING: *kind = "outlet"; return m->def.outlets[v->index].name;
    case SL_SURGE_DEMAND_FACTOR:
    case SL_SURGE_DEMAND_FLOW:
    case SL_SURGE_HEAD: *kind = "node"; return sl_network_node_id(m->net, v->index);
    default: *kind = "link"; return sl_network_link_id(m->net, v->index);
    }
}

void sl_surge_effects(const sl_surge_model *m, sl_diags *diags) {
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        idle x;
        if (is_idle(m, i, &x)) {
            const char *kind = NULL, *id = target_of(m, v, &kind);
            sl_surge_add_diag(m, diags, SL_WARNING, SL_CODE_IGNORED, v->line, kind, id, x.hint,
                              "this event has no effect: %s", x.why);
        }
    }
    if (m->def.n_event == 0) {
        sl_surge_add_diag(m, diags, SL_INFO, SL_CODE_IGNORED, 0, NULL, NULL,
                          "say what happens in `events`, or set values while the model runs",
                          "the study has no event: by itself the network stays as it is at the start");
    }
}

void sl_surge_report_waiting(const sl_surge_run *e, sl_diags *diags) {
    const sl_surge_model *m = e->m;
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        if (v->trigger >= 0 && isnan(e->now->event_at[i])) {
            bool fired = !isnan(e->now->trigger_at[v->trigger]);
            const char *kind = NULL, *id = target_of(m, v, &kind);
            sl_surge_add_diag(m, diags, SL_WARNING, SL_CODE_IGNORED, v->line, kind, id,
                              fired ? "give the run a longer duration, or the event an earlier start"
                                    : "compare the threshold with the trace of what it watches",
                              "this event did not happen: %s",
                              fired ? "the run ended before its start" : "its trigger did not fire");
        }
    }
}
