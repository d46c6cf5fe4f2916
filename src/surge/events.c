/* SPDX-License-Identifier: MIT */
/* events.c: what changes by itself: quantities that follow their points, and triggers that start them.
 *
 * An event starts once, at its time or so long after its trigger fired; from then on it rules its quantity, until another
 * event on the same quantity starts or somebody sets it from outside.
 */
#include "surge/points.h"

#include "laws/constants.h"
#include "numeric/lookup.h"

#include <math.h>

double sl_surge_value(const sl_surge_model *m, const sl_surge_state *s, sl_surge_quantity what, int32_t index) {
    switch (what) {
    case SL_SURGE_VALVE_OPENING: return s->opening[m->joint_of_link[index]];
    case SL_SURGE_PUMP_SPEED: return s->speed[index - m->net->n_pipe];
    case SL_SURGE_PUMP_TRIP: return s->tripped[index - m->net->n_pipe];
    case SL_SURGE_DEMAND_FACTOR: return s->factor[index];
    case SL_SURGE_DEMAND_FLOW: return s->node_out[index];
    case SL_SURGE_HEAD: return s->given[index];
    case SL_SURGE_OUTLET_OPENING: return s->outlet[index];
    default: return 0.0;
    }
}

static void set_rare(sl_surge_state *s, double *at, double x) {
    if (*at != x) {
        *at = x;
        s->x->rare = s->x->n_step + 1;
    }
}

void sl_surge_assign(const sl_surge_model *m, sl_surge_state *s, sl_surge_quantity what, int32_t index, double x) {
    switch (what) {
    case SL_SURGE_VALVE_OPENING: {
        int32_t j = m->joint_of_link[index];
        double in = x > s->opening[j] ? m->joints[j].opens_in : m->joints[j].closes_in;
        s->asked[j] = x;
        s->by_hand[j] = 1.0;
        s->opening[j] = in > 0.0 ? s->opening[j] : x;
        break;
    }
    case SL_SURGE_PUMP_SPEED:
        s->speed[index - m->net->n_pipe] = x;
        s->tripped[index - m->net->n_pipe] = 0.0;
        s->opening[m->joint_of_link[index]] = x > 0.0 ? 1.0 : s->opening[m->joint_of_link[index]];
        break;
    case SL_SURGE_PUMP_TRIP: s->tripped[index - m->net->n_pipe] = x; break;
    case SL_SURGE_DEMAND_FACTOR:
        set_rare(s, &s->factor[index], x);
        set_rare(s, &s->fixed[index], 0.0);
        break;
    case SL_SURGE_DEMAND_FLOW:
        set_rare(s, &s->factor[index], 0.0);
        set_rare(s, &s->fixed[index], x);
        break;
    case SL_SURGE_HEAD: set_rare(s, &s->given[index], x); break;
    case SL_SURGE_OUTLET_OPENING: s->outlet[index] = x; break;
    default: break;
    }
}

/* On the way to point i. A slope depends on the points beside its own, so that four points give those of the whole course. */
static double cubic_value(const sl_surge_event *v, int32_t i, double first, double t) {
    int32_t begin = i > 2 ? i - 2 : 0, n = (i + 2 < v->n ? i + 2 : v->n) - begin;
    double x[4], slopes[4];
    for (int32_t k = 0; k < n; k++) {
        x[k] = begin + k == 0 ? first : v->x[begin + k];
    }
    const sl_lookup_table table = {
        .n = n, .x = v->t + begin, .y = x, .slopes = slopes, .kind = SL_TABLE_CUBIC, .beyond = SL_TABLE_CONSTANT};
    sl_table_find_slopes(n, table.x, x, slopes);
    return sl_table_value(&table, t);
}

static double shaped(const sl_surge_event *v, double part) {
    switch (v->shape) {
    case SL_SURGE_SHAPE_HOLD: return 0.0;
    case SL_SURGE_SHAPE_SINE: return 0.5 - 0.5 * cos(SL_PI * part);
    case SL_SURGE_SHAPE_LINEAR:
    default: return v->power == 1.0 ? part : pow(part, v->power);
    }
}

/* The value of an event t after its start; from: what the quantity was then. */
static double event_value(const sl_surge_event *v, double t, double from, double soon) {
    int32_t i = sl_points_find(v->n, v->t, t + soon) + 1;
    double first = isnan(v->x[0]) ? from : v->x[0];
    if (i == 0) {
        return from;
    }
    double x0 = i == 1 ? first : v->x[i - 1];
    if (i == v->n) {
        return x0;
    }
    if (v->shape == SL_SURGE_SHAPE_CUBIC) {
        return cubic_value(v, i, first, t);
    }
    return x0 + (v->x[i] - x0) * shaped(v, fmax((t - v->t[i - 1]) / (v->t[i] - v->t[i - 1]), 0.0));
}

static double watched(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_trigger *v) {
    switch (v->watch) {
    case SL_SURGE_WATCH_PRESSURE: return s->node_head[v->index] - m->z[v->index];
    case SL_SURGE_WATCH_HEAD: return s->node_head[v->index];
    case SL_SURGE_WATCH_SPEED: return s->speed[v->index - m->net->n_pipe];
    case SL_SURGE_WATCH_FLOW:
    default: {
        int32_t j = m->joint_of_link[v->index];
        int64_t cell = 0;
        const sl_surge_segment *g = j >= 0 ? NULL : sl_surge_segment_of(m, m->point_start[v->index], &cell);
        return g ? sl_surge_flow_at(m, s, g, cell) : s->joint_flow[j];
    }
    }
}

static void inspect_triggers(const sl_surge_model *m, sl_surge_state *s, double t) {
    for (int32_t i = 0; i < m->def.n_trigger; i++) {
        const sl_surge_trigger *v = &m->def.triggers[i];
        if (!isnan(s->trigger_at[i])) {
            continue;
        }
        double x = watched(m, s, v);
        bool beyond = v->above ? x >= v->threshold : x <= v->threshold;
        s->trigger_since[i] = beyond ? (isnan(s->trigger_since[i]) ? t : s->trigger_since[i]) : (double)NAN;
        if (beyond && t - s->trigger_since[i] >= v->after) {
            s->trigger_at[i] = t;
        }
    }
}

/* Openings go where they are asked to, as fast as their actuators can. */
static void move_openings(const sl_surge_model *m, sl_surge_state *s) {
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        double x = s->opening[k], asked = s->asked[k], in = asked > x ? j->opens_in : j->closes_in;
        if (j->moves && asked != x) {
            s->opening[k] = asked > x ? fmin(asked, x + m->dt / in) : fmax(asked, x - m->dt / in);
        }
    }
}

/* s is the state at the end of the step before, about to become that at t. */
void sl_surge_events(const sl_surge_model *m, sl_surge_state *s, double t) {
    inspect_triggers(m, s, s->x->time);
    double soon = 1e-9 * m->dt; /* a start on a step's end is not missed by rounding */
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        double start = v->trigger < 0 ? v->start : s->trigger_at[v->trigger] + v->start;
        if (isnan(s->event_at[i]) && start <= t + soon) {
            s->event_at[i] = start;
            s->event_from[i] = sl_surge_value(m, s, v->what, v->index);
            s->ruler[m->event_target[i]] = i;
        }
    }
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        if ((int32_t)s->ruler[m->event_target[i]] == i) {
            double x = v->what == SL_SURGE_PUMP_TRIP ? 1.0 : event_value(v, t - s->event_at[i], s->event_from[i], soon);
            sl_surge_assign(m, s, v->what, v->index, x);
        }
    }
    move_openings(m, s);
}

/* ---- Releases ----------------------------------------------------------------------------------- */

static sl_surge_quantity kin(sl_surge_quantity what) {
    return what == SL_SURGE_PUMP_TRIP     ? SL_SURGE_PUMP_SPEED
           : what == SL_SURGE_DEMAND_FLOW ? SL_SURGE_DEMAND_FACTOR
                                          : what;
}

bool sl_surge_same_target(sl_surge_quantity a, sl_surge_quantity b) {
    return kin(a) == kin(b);
}

/* The event on this quantity that started last, or -1. */
static int32_t last_started(const sl_surge_model *m, const sl_surge_state *s, sl_surge_quantity what, int32_t index) {
    int32_t last = -1;
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        bool same = sl_surge_same_target(v->what, what) && v->index == index && !isnan(s->event_at[i]);
        last = same && (last < 0 || s->event_at[i] >= s->event_at[last]) ? i : last;
    }
    return last;
}

double sl_surge_start_value(const sl_surge_model *m, sl_surge_quantity what, int32_t index) {
    switch (what) {
    case SL_SURGE_VALVE_OPENING: return m->joints[m->joint_of_link[index]].opening;
    case SL_SURGE_PUMP_SPEED: return m->pumps[index - m->net->n_pipe].speed;
    case SL_SURGE_DEMAND_FACTOR: return 1.0;
    case SL_SURGE_HEAD: return m->start_head[index];
    case SL_SURGE_OUTLET_OPENING: return m->def.outlets[index].opening;
    default: return 0.0;
    }
}

/* Can it be set at all? A link without a joint has no opening. */
static bool exists(const sl_surge_model *m, sl_surge_quantity what, int32_t index) {
    return what != SL_SURGE_VALVE_OPENING || m->joint_of_link[index] >= 0;
}

bool sl_surge_is_held(const sl_surge_model *m, const sl_surge_state *s, sl_surge_quantity what, int32_t index) {
    if (!exists(m, what, index)) {
        return false;
    }
    int32_t last = last_started(m, s, what, index);
    if (last >= 0) {
        return s->ruler[m->event_target[last]] < 0.0;
    }
    if (what == SL_SURGE_VALVE_OPENING) {
        return s->by_hand[m->joint_of_link[index]] != 0.0;
    }
    bool pump = kin(what) == SL_SURGE_PUMP_SPEED;
    return sl_surge_value(m, s, kin(what), index) != sl_surge_start_value(m, kin(what), index) ||
           (pump && s->tripped[index - m->net->n_pipe] != 0.0);
}

static void release_valve(const sl_surge_model *m, sl_surge_state *s, int32_t joint) {
    s->by_hand[joint] = 0.0;
    s->asked[joint] = m->joints[joint].regulates >= 0 ? s->opening[joint] : s->asked[joint];
}

void sl_surge_release(const sl_surge_model *m, sl_surge_state *s, sl_surge_quantity what, int32_t index) {
    int32_t last = last_started(m, s, what, index);
    if (last < 0) {
        double start = sl_surge_start_value(m, kin(what), index);
        sl_surge_assign(m, s, kin(what), index, start);
        if (kin(what) == SL_SURGE_PUMP_SPEED) {
            s->opening[m->joint_of_link[index]] = m->joints[m->joint_of_link[index]].opening;
        } else if (what == SL_SURGE_VALVE_OPENING) { /* a regulator goes on from where it is */
            release_valve(m, s, m->joint_of_link[index]);
        }
        return;
    }
    const sl_surge_event *v = &m->def.events[last];
    double t = s->x->time - s->event_at[last];
    double x = v->what == SL_SURGE_PUMP_TRIP ? 1.0 : event_value(v, t, s->event_from[last], 1e-9 * m->dt);
    s->ruler[m->event_target[last]] = last;
    sl_surge_assign(m, s, v->what, index, x);
}
