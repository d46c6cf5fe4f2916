/* SPDX-License-Identifier: MIT */
/* event_log.c: what happened in the last step, found by comparing its two ends when somebody asks: triggers that fired, devices that
 * began and ended to move, pumps that tripped, check valves that opened and closed, columns that separated and joined, tanks that
 * reached a limit. What a step decides is reported at its end; a schedule at its own time within the step.
 */
#include "surge/fields.h"
#include "surge/joints.h"
#include "surge/points.h"

#include "base/out.h"

#include <math.h>

/* The head over that of vapour below which gas counts as a cavity [m], as in cavity.c. */
#define VAPOUR_NEAR 0.1

enum { CAUSE_MAX = 48 };

struct sl_surge_log {
    sl_engine_event *list;
    char (*causes)[CAUSE_MAX];
    int32_t n, most;
    bool stale; /* the last step was not looked at */
};

bool sl_surge_log_create(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    int64_t most =
        2 * (int64_t)m->def.n_event + m->def.n_trigger + m->n_joint + m->n_node + m->n_segment + m->net->n_tank;
    sl_surge_log *log = sl_arena_alloc(&e->arena, sizeof *log);
    if (!log || most > INT32_MAX) {
        return false;
    }
    log->list = sl_arena_alloc(&e->arena, (size_t)(most + 1) * sizeof *log->list);
    log->causes = sl_arena_alloc(&e->arena, (size_t)(most + 1) * sizeof *log->causes);
    log->most = (int32_t)most;
    e->log = log;
    return log->list && log->causes;
}

/* ---- Adding ------------------------------------------------------------------------------------- */

/* Adds in order of time, after those of the same time. The cause is its own until the next step. */
static void add(sl_surge_log *log, sl_engine_event event, const char *cause) {
    if (log->n >= log->most) {
        return;
    }
    char *text = log->causes[log->n]; /* each text stays where it is: only events move */
    (void)sl_format(text, CAUSE_MAX, "%s", cause);
    event.cause = text;
    int32_t at = log->n++;
    for (; at > 0 && log->list[at - 1].time > event.time; at--) {
        log->list[at] = log->list[at - 1];
    }
    log->list[at] = event;
}

/* What a quantity of the study is in the list of fields. */
static sl_engine_event quantity_event(const sl_surge_model *m, sl_surge_quantity what, int32_t index) {
    const sl_network *net = m->net;
    switch (what) {
    case SL_SURGE_VALVE_OPENING:
        return (sl_engine_event){.of = SL_CLASS_LINK, .index = index, .field = SL_SURGE_F_OPENING};
    case SL_SURGE_PUMP_SPEED:
        return (sl_engine_event){.of = SL_CLASS_PUMP, .index = index - net->n_pipe, .field = SL_SURGE_F_SPEED};
    case SL_SURGE_PUMP_TRIP:
        return (sl_engine_event){.of = SL_CLASS_PUMP, .index = index - net->n_pipe, .field = SL_SURGE_F_TRIPPED};
    case SL_SURGE_DEMAND_FACTOR:
        return (sl_engine_event){.of = SL_CLASS_NODE, .index = index, .field = SL_SURGE_F_FACTOR};
    case SL_SURGE_DEMAND_FLOW:
        return (sl_engine_event){.of = SL_CLASS_NODE, .index = index, .field = SL_SURGE_F_DEMAND};
    case SL_SURGE_HEAD: {
        bool reservoir = index >= net->n_junction && index < net->n_junction + net->n_reservoir;
        return (sl_engine_event){.of = reservoir ? SL_CLASS_RESERVOIR : SL_CLASS_NODE,
                                 .index = reservoir ? index - net->n_junction : index,
                                 .field = reservoir ? SL_SURGE_F_RESERVOIR_HEAD : SL_SURGE_F_HEAD};
    }
    default: { /* an outlet, which has no name of its own */
        const sl_surge_outlet *o = &m->def.outlets[index];
        return (sl_engine_event){
            .of = o->node >= 0 ? SL_CLASS_NODE : SL_CLASS_LINK, .index = o->node >= 0 ? o->node : o->pipe, .field = -1};
    }
    }
}

/* ---- The schedule ------------------------------------------------------------------------------- */

static void log_triggers(const sl_surge_run *e, sl_surge_log *log) {
    static const char *const units[SL_SURGE_WATCH_COUNT] = {" m", " m", " m3/s", ""};
    for (int32_t i = 0; i < e->m->def.n_trigger; i++) {
        const sl_surge_trigger *v = &e->m->def.triggers[i];
        if (!isnan(e->before->trigger_at[i]) || isnan(e->now->trigger_at[i])) {
            continue;
        }
        char cause[CAUSE_MAX];
        bool node = v->watch == SL_SURGE_WATCH_PRESSURE || v->watch == SL_SURGE_WATCH_HEAD;
        (void)sl_format(cause, sizeof cause, "%s to %.6g%s", v->above ? "rises" : "falls", v->threshold,
                        units[v->watch]);
        add(log,
            (sl_engine_event){.time = e->now->x->time,
                              .kind = "trigger",
                              .of = node ? SL_CLASS_NODE : SL_CLASS_LINK,
                              .index = v->index,
                              .field = -1,
                              .from = (double)NAN,
                              .to = (double)NAN},
            cause);
    }
}

static void log_schedule(const sl_surge_run *e, sl_surge_log *log) {
    const sl_surge_model *m = e->m;
    double begin = e->before->x->time, now = e->now->x->time, soon = 1e-9 * m->dt;
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        double at = e->now->event_at[i];
        if (isnan(at)) {
            continue;
        }
        const char *cause = v->trigger >= 0 ? "trigger" : "schedule";
        sl_engine_event event = quantity_event(m, v->what, v->index);
        bool trip = v->what == SL_SURGE_PUMP_TRIP;
        double end = at + (trip ? 0.0 : v->t[v->n - 1]), last = trip ? 1.0 : v->x[v->n - 1];
        event.from = event.field < 0 ? (double)NAN : e->now->event_from[i];
        event.to = event.field < 0 ? (double)NAN : last;
        if (isnan(e->before->event_at[i])) {
            event.kind = trip ? "trip" : "start";
            event.time = at > begin ? fmin(at, now) : now;
            add(log, event, cause);
        }
        bool rules = (int32_t)e->now->ruler[m->event_target[i]] == i;
        if (!trip && rules && end > begin + soon && end > at && end <= now + soon) {
            event.kind = "end";
            event.time = fmin(end, now);
            add(log, event, cause);
        }
    }
}

/* ---- What water did ----------------------------------------------------------------------------- */

static void log_checks(const sl_surge_run *e, sl_surge_log *log) {
    const sl_surge_model *m = e->m;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        double was = e->before->joint_flow[k], is = e->now->joint_flow[k];
        bool shut = sl_surge_joint_blocked(m, e->now, k) || sl_surge_joint_blocked(m, e->before, k);
        if (j->one_way && !shut && j->link >= 0 && (was == 0.0) != (is == 0.0)) {
            add(log,
                (sl_engine_event){.time = e->now->x->time,
                                  .kind = is == 0.0 ? "close" : "open",
                                  .of = SL_CLASS_LINK,
                                  .index = j->link,
                                  .field = SL_SURGE_F_FLOW,
                                  .from = was,
                                  .to = is},
                j->regulates >= 0 ? "regulator" : "check valve");
        }
    }
}

static void log_column(const sl_surge_run *e, sl_surge_log *log, bool opens, int32_t pipe, double chainage) {
    char cause[CAUSE_MAX], where[SL_SURGE_LENGTH_MAX];
    (void)sl_format(cause, sizeof cause, "at %s", sl_surge_length_text(e->m->net, chainage, where));
    add(log,
        (sl_engine_event){.time = e->now->x->time,
                          .kind = opens ? "separation" : "collapse",
                          .of = SL_CLASS_LINK,
                          .index = pipe,
                          .field = -1,
                          .from = (double)NAN,
                          .to = (double)NAN},
        cause);
}

/* Clamped nodes have no volume: only their first separation is reported. */
static void log_node_cavities(const sl_surge_run *e, sl_surge_log *log) {
    const sl_surge_model *m = e->m;
    for (int32_t i = 0; i < m->n_node; i++) {
        double near = m->gas[i] > 0.0 ? m->gas[i] / VAPOUR_NEAR : 0.0;
        bool first = isnan(e->before->node_first[i]) && !isnan(e->now->node_first[i]);
        bool was = e->before->node_gas[i] > near, is = e->now->node_gas[i] > near || first;
        if (was == is) {
            continue;
        }
        if (i < m->net->n_node) {
            add(log,
                (sl_engine_event){.time = e->now->x->time,
                                  .kind = is ? "separation" : "collapse",
                                  .of = SL_CLASS_NODE,
                                  .index = i,
                                  .field = SL_SURGE_F_CAVITY,
                                  .from = e->before->node_gas[i],
                                  .to = e->now->node_gas[i]},
                "");
        } else if (m->end_start[i] < m->end_start[i + 1]) { /* one of the model's own, along a pipe */
            int32_t end = m->ends[m->end_start[i]], side = end >= m->n_segment;
            const sl_surge_segment *g = &m->segments[side ? end - m->n_segment : end];
            log_column(e, log, is, g->pipe, g->chain + (side ? g->n * g->reach : 0.0));
        }
    }
}

/* The inner point of the largest cavity of a segment, or -1. Of those without volume it is the first. */
static int32_t largest_cavity(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g) {
    double least = sl_surge_cavity_least(m, g), most = 0.0;
    int32_t at = -1;
    for (int32_t j = 1; j < g->n; j++) {
        int64_t i = sl_surge_cell(g, j);
        double v = s->cavity ? s->cavity[i] : SL_SURGE_CLAMPED;
        if (sl_surge_is_torn(m, s, i, least) && v > most) {
            at = j;
            most = v;
        }
    }
    return at;
}

static void log_cavities(const sl_surge_run *e, sl_surge_log *log) {
    const sl_surge_model *m = e->m;
    if (!sl_surge_has_cavities(m)) {
        return;
    }
    if (e->now->x->rare >= e->now->x->n_step) { /* else there was none, and is none */
        log_node_cavities(e, log);
    }
    for (int32_t k = 0; k < m->n_group; k++) {
        bool may = e->now->seen[k] >= (double)e->before->x->n_step; /* this step or the one before saw one */
        for (int32_t l = 0; l < m->groups[k].lanes && may; l++) {
            const sl_surge_segment *g = &m->segments[m->groups[k].first + l];
            int32_t was = largest_cavity(m, e->before, g), is = largest_cavity(m, e->now, g);
            if ((was < 0) != (is < 0)) {
                log_column(e, log, is >= 0, g->pipe, m->chainage[g->at + (is >= 0 ? is : was)]);
            }
        }
    }
}

static void log_tanks(const sl_surge_run *e, sl_surge_log *log) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tanks[i];
        int32_t node = net->n_junction + net->n_reservoir + i;
        double was = e->before->node_head[node], is = e->now->node_head[node];
        bool full = is >= law->h_max && was < law->h_max, empty = is <= law->h_min && was > law->h_min;
        if (full || empty) {
            add(log,
                (sl_engine_event){.time = e->now->x->time,
                                  .kind = empty            ? "empty"
                                          : law->overflows ? "overflow"
                                                           : "full",
                                  .of = SL_CLASS_TANK,
                                  .index = i,
                                  .field = SL_SURGE_F_LEVEL,
                                  .from = was - law->bottom,
                                  .to = is - law->bottom},
                "");
        }
    }
}

/* ---- The list ----------------------------------------------------------------------------------- */

void sl_surge_log_expect(const sl_surge_run *e, bool stepped) {
    e->log->n = 0;
    e->log->stale = stepped;
}

void sl_surge_log_find(const sl_surge_run *e) {
    sl_surge_log *log = e->log;
    if (log->stale) {
        log->stale = false;
        log_triggers(e, log);
        log_schedule(e, log);
        log_checks(e, log);
        log_cavities(e, log);
        log_tanks(e, log);
    }
}

void sl_surge_log_cut(const sl_surge_run *e, double t) {
    while (e->log->n > 0 && e->log->list[e->log->n - 1].time > t) {
        e->log->n--;
    }
}

const sl_engine_event *sl_surge_log_events(const void *engine, int32_t *n) {
    const sl_surge_run *e = engine;
    sl_surge_log_find(e);
    *n = e->log->n;
    return e->log->list;
}
