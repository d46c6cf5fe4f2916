/* SPDX-License-Identifier: MIT */
/* events.c: what happened at a boundary: links that changed their status or setting, tanks that reached a limit, solutions that
 * do not balance.
 *
 * Controls and rules are noted as they act; what the patterns and the solution changed is found afterwards by comparing with the
 * boundary before, whose statuses are bytes: where nothing happened that costs one comparison of memory. There is memory for all that
 * one step can bring before it begins.
 */
#include "eps/fields.h"
#include "eps/impl.h"

#include "base/out.h"
#include "network/elements.h"

#include <math.h>
#include <string.h>

/* The most events of a refresh or a step: each control and action acts once, and each link that can change does so by the pattern and
 * by the solution. */
static int64_t most_events(const sl_eps_model *m) {
    const sl_network *net = m->net;
    return 2 * ((int64_t)net->n_control + net->n_action + net->n_pump + net->n_valve) + m->n_watched + m->n_regulator +
           net->n_tank + 1;
}

sl_status sl_eps_events_reserve(sl_eps *e) {
    sl_eps_events *v = &e->events;
    int64_t n = v->list.n + most_events(e->m);
    if (n <= v->list.cap && n <= v->causes.cap) {
        return SL_OK;
    }
    if (!SL_RESERVE(e->ctx, &v->causes, n)) {
        return SL_ERR_MEMORY;
    }
    for (int64_t i = 0; i < v->list.n; i++) {
        v->list.at[i].cause = v->causes.at[i].text;
    }
    return SL_RESERVE(e->ctx, &v->list, n) ? SL_OK : SL_ERR_MEMORY;
}

void sl_eps_events_cut(sl_eps *e, double t) {
    while (e->events.list.n > 0 && e->events.list.at[e->events.list.n - 1].time > t) {
        e->events.list.n--;
    }
}

void sl_eps_events_fini(sl_eps *e) {
    SL_ARRAY_FINI(e->ctx, &e->events.list);
    SL_ARRAY_FINI(e->ctx, &e->events.causes);
}

const sl_engine_event *sl_eps_events_of(const void *engine, int32_t *n) {
    const sl_eps *e = engine;
    *n = (int32_t)e->events.list.n;
    return e->events.list.at;
}

/* Adds one; returns the memory of its cause, or NULL. */
static char *add(sl_eps *e, sl_engine_event event) {
    sl_eps_events *v = &e->events;
    if (v->list.n >= v->list.cap || v->list.n >= v->causes.cap) {
        return NULL;
    }
    char *cause = v->causes.at[v->list.n].text;
    cause[0] = '\0';
    event.cause = cause;
    v->list.at[v->list.n++] = event;
    return cause;
}

/* ---- Controls and rules ------------------------------------------------------------------------- */

sl_eps_single sl_eps_link_state(const sl_eps *e, const sl_eps_state *s, int32_t k) {
    return (sl_eps_single){.status = s->status[k], .setting = k < e->m->net->n_pipe ? (double)NAN : s->setting[k]};
}

/* Its status if that changed, else its setting. */
static char *add_link(sl_eps *e, double t, int32_t k, sl_eps_single from, sl_eps_single to) {
    bool status = from.status != to.status;
    return add(e, (sl_engine_event){.time = t,
                                    .kind = status ? "status" : "setting",
                                    .of = SL_CLASS_LINK,
                                    .index = k,
                                    .field = status ? SL_EPS_STATUS : SL_EPS_SETTING,
                                    .from = status ? from.status : from.setting,
                                    .to = status ? to.status : to.setting});
}

static void name_control(const sl_network *net, int32_t i, char *cause) {
    uint32_t line = net->controls[i].line;
    (void)sl_format(cause, SL_EPS_CAUSE_MAX, line ? "control of line %u" : "control %u", line ? line : (uint32_t)i + 1);
}

void sl_eps_note_control(sl_eps *e, const sl_eps_state *s, int32_t control, sl_eps_single from) {
    int32_t k = e->m->net->controls[control].link;
    char *cause = s == &e->now ? add_link(e, s->x->time, k, from, sl_eps_link_state(e, s, k)) : NULL;
    if (cause) {
        name_control(e->m->net, control, cause);
    }
}

void sl_eps_note_rule(sl_eps *e, const sl_eps_state *s, double t, int32_t rule, int32_t k, sl_eps_single from) {
    char *cause = s == &e->now ? add_link(e, t, k, from, sl_eps_link_state(e, s, k)) : NULL;
    if (cause) {
        (void)sl_format(cause, SL_EPS_CAUSE_MAX, "rule '%.38s'", e->m->net->rules[rule].name);
    }
}

/* ---- What a solution changed -------------------------------------------------------------------- */

/* The tank at an end of the link, or -1. */
static int32_t tank_at(const sl_network *net, int32_t k) {
    int32_t first = sl_first_tank(net), to = net->link_to[k], from = net->link_from[k];
    return to >= first ? to : from >= first ? from : -1;
}

static void name_tank(const sl_eps *e, int32_t node, char *cause) {
    int32_t tank = node - sl_first_tank(e->m->net);
    const char *what = sl_eps_tank_full(&e->now, tank) ? "full " : sl_eps_tank_empty(&e->now, tank) ? "empty " : "";
    (void)sl_format(cause, SL_EPS_CAUSE_MAX, "%stank '%.34s'", what, sl_network_node_id(e->m->net, node));
}

static const char *solver_cause(const sl_eps *e, int32_t k, uint8_t from, uint8_t to) {
    const sl_network *net = e->m->net;
    int kind = sl_valve_kind_of(net, k);
    if (k < net->n_pipe && net->pipe_check[k]) {
        return "check valve";
    }
    if (sl_is_pump(net, k) && (from == SL_STATUS_XHEAD || to == SL_STATUS_XHEAD)) {
        return "shut-off head";
    }
    return kind == SL_PRV || kind == SL_PSV ? "pressure setting" : kind == SL_FCV ? "flow setting" : "solution";
}

static void name_solver(const sl_eps *e, int32_t k, uint8_t from, uint8_t to, char *cause) {
    const sl_network *net = e->m->net;
    for (int32_t i = net->n_control - 1; e->m->pressure_controls && i >= 0; i--) {
        if (e->w.acted[i] && net->controls[i].link == k) {
            name_control(net, i, cause);
            return;
        }
    }
    bool limit = from == SL_STATUS_TEMP_CLOSED || to == SL_STATUS_TEMP_CLOSED;
    if (limit && tank_at(net, k) >= 0) {
        name_tank(e, tank_at(net, k), cause);
        return;
    }
    (void)sl_format(cause, SL_EPS_CAUSE_MAX, "%s", solver_cause(e, k, from, to));
}

/* How a link was after the last that acted on it, of the events from first to end; false: none did. */
static bool last_action(const sl_eps *e, int64_t first, int64_t end, int32_t k, uint8_t *status) {
    for (int64_t i = end - 1; i >= first; i--) {
        const sl_engine_event *event = &e->events.list.at[i];
        if (event->of == SL_CLASS_LINK && event->index == k) {
            *status = event->field == SL_EPS_STATUS ? (uint8_t)event->to : *status;
            return true;
        }
    }
    return false;
}

/* A pump whose pattern gave it another speed. */
static void note_pattern(sl_eps *e, const sl_eps_state *base, int32_t pump, int64_t first) {
    const sl_network *net = e->m->net;
    int32_t k = net->n_pipe + pump;
    uint8_t none = 0;
    if (e->now.setting[k] == base->setting[k] || last_action(e, first, e->events.list.n, k, &none)) {
        return;
    }
    sl_eps_single from = sl_eps_link_state(e, base, k), to = sl_eps_link_state(e, &e->now, k);
    bool was_off = from.status == SL_STATUS_CLOSED, off = to.setting <= 0.0;
    to.status = was_off != off ? (uint8_t)(off ? SL_STATUS_CLOSED : SL_STATUS_OPEN) : from.status;
    char *cause = add_link(e, e->now.x->time, k, from, to);
    if (cause) {
        (void)sl_format(cause, SL_EPS_CAUSE_MAX, "pattern '%.36s'",
                        sl_network_pattern_id(net, net->pump_pattern[pump]));
    }
}

/* The solution left the link with another status than it began with. */
static void note_solution(sl_eps *e, int32_t k, uint8_t from) {
    uint8_t to = e->now.status[k];
    const sl_eps_single begin = {.status = from}, end = {.status = to};
    char *cause = from != to ? add_link(e, e->now.x->time, k, begin, end) : NULL;
    if (cause) {
        name_solver(e, k, from, to, cause);
    }
}

static void note_links(sl_eps *e, const sl_eps_state *base, int64_t first) {
    const sl_network *net = e->m->net;
    const uint8_t *was = base->status, *is = e->now.status;
    for (int32_t p = 0; p < net->n_pump; p++) {
        if (net->pump_pattern[p] >= 0) {
            note_pattern(e, base, p, first);
        }
    }
    int64_t end = e->events.list.n;
    bool differs = net->n_link > 0 && memcmp(is, was, (size_t)net->n_link) != 0;
    for (int32_t k = 0; differs && k < net->n_link; k++) {
        uint8_t from = was[k];
        if (is[k] != from) {
            (void)last_action(e, first, end, k, &from);
            note_solution(e, k, from);
        }
    }
    for (int64_t i = first; i < end; i++) { /* switched, and switched back by the solution */
        int32_t k = e->events.list.at[i].index;
        uint8_t from = 0;
        bool link = e->events.list.at[i].of == SL_CLASS_LINK;
        if (link && is[k] == was[k] && !last_action(e, i + 1, end, k, &from)) {
            from = was[k];
            (void)last_action(e, i, end, k, &from);
            note_solution(e, k, from);
        }
    }
}

void sl_eps_note_tanks(sl_eps *e, const sl_eps_state *base) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        double v = e->now.volume[i], was = base->volume[i];
        bool full = v >= law->v_max && was < law->v_max, empty = v <= law->v_min && was > law->v_min;
        if (full || empty) {
            int32_t node = sl_first_tank(net) + i;
            (void)add(e, (sl_engine_event){.time = e->now.x->time,
                                           .kind = empty            ? "empty"
                                                   : law->overflows ? "overflow"
                                                                    : "full",
                                           .of = SL_CLASS_TANK,
                                           .index = i,
                                           .field = SL_EPS_LEVEL,
                                           .from = base->head[node] - law->bottom,
                                           .to = e->now.head[node] - law->bottom});
        }
    }
}

void sl_eps_note_changes(sl_eps *e, const sl_eps_state *base, int64_t first) {
    note_links(e, base, first);
    bool was = base->x->facts.balanced || !(base->x->facts.trials > 0), is = e->now.x->facts.balanced;
    if (was != is) {
        (void)add(e, (sl_engine_event){.time = e->now.x->time,
                                       .kind = is ? "balanced" : "unbalanced",
                                       .of = SL_CLASS_MODEL,
                                       .field = SL_EPS_S_BALANCED,
                                       .from = was,
                                       .to = is});
    }
}
