/* SPDX-License-Identifier: MIT */
/* study_events.c: what happens in a study, and what sets it off.
 *
 * An event is one verb with what it acts on, when it starts, and how the quantity goes on from there: to a value within
 * some time, or along points. A verb is a row of one table.
 */
#include "surge/study_impl.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "base/option.h"
#include "base/out.h"
#include "base/report.h"

typedef enum target { LINK, NODE, OUTLET } target;

typedef struct verb {
    const char *word;
    sl_surge_quantity what;
    target target;
    unsigned kinds;
    const sl_study_measure *of; /* what its values are */
    double to;                  /* where it goes when nothing else is said; NaN: that has to be said */
} verb;

static const verb verbs[] = {
    {"close", SL_SURGE_VALVE_OPENING, LINK, SL_STUDY_VALVE | SL_STUDY_PIPE, &sl_study_plain, 0.0},
    {"open", SL_SURGE_VALVE_OPENING, LINK, SL_STUDY_VALVE | SL_STUDY_PIPE, &sl_study_plain, 1.0},
    {"trip", SL_SURGE_PUMP_TRIP, LINK, SL_STUDY_PUMP, &sl_study_plain, 0.0},
    {"start", SL_SURGE_PUMP_SPEED, LINK, SL_STUDY_PUMP, &sl_study_plain, 1.0},
    {"stop", SL_SURGE_PUMP_SPEED, LINK, SL_STUDY_PUMP, &sl_study_plain, 0.0},
    {"opening", SL_SURGE_VALVE_OPENING, LINK, SL_STUDY_VALVE | SL_STUDY_PIPE, &sl_study_plain, NAN},
    {"speed", SL_SURGE_PUMP_SPEED, LINK, SL_STUDY_PUMP, &sl_study_plain, NAN},
    {"demand", SL_SURGE_DEMAND_FLOW, NODE, SL_STUDY_JUNCTION, &sl_study_flow, NAN},
    {"demand_factor", SL_SURGE_DEMAND_FACTOR, NODE, SL_STUDY_JUNCTION, &sl_study_plain, NAN},
    {"head", SL_SURGE_HEAD, NODE, SL_STUDY_RESERVOIR | SL_STUDY_TANK, &sl_study_head, NAN},
    {"burst", SL_SURGE_OUTLET_OPENING, OUTLET, 0, &sl_study_plain, 1.0},
    {"outlet", SL_SURGE_OUTLET_OPENING, OUTLET, 0, &sl_study_plain, NAN},
};
enum { N_VERB = sizeof verbs / sizeof *verbs };

const char *const sl_study_verbs[] = {"close",  "open",          "trip", "start", "stop",   "opening", "speed",
                                      "demand", "demand_factor", "head", "burst", "outlet", NULL};
_Static_assert(sizeof sl_study_verbs / sizeof *sl_study_verbs == N_VERB + 1, "one word for each verb, in its order");

/* ---- What it acts on ---------------------------------------------------------------------------- */

static int32_t find_outlet(sl_study *s, const sl_yaml_node *name) {
    char quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX];
    const char *text = NULL;
    if (!sl_yaml_as_text(s->doc, name, &text)) {
        return -1;
    }
    const char *near = NULL;
    for (int32_t i = 0; i < s->def.n_outlet; i++) {
        const char *z = s->def.outlets[i].name;
        if (z && strcmp(z, text) == 0) {
            return i;
        }
        near = z && sl_edit_distance(name->text, sl_str_z(z), 4) <= 4 ? z : near;
    }
    (void)sl_format(hint, sizeof hint, near ? "did you mean '%.60s'?" : "name one of the list `outlets`", near);
    sl_yaml_report(s->doc, name, SL_ERROR, SL_CODE_UNKNOWN_KEY, hint, "there is no outlet %s",
                   sl_quote(name->text, quoted));
    return -1;
}

static int32_t find_target(sl_study *s, const verb *v, const sl_yaml_node *id) {
    return v->target == LINK   ? sl_study_link(s, id, v->kinds)
           : v->target == NODE ? sl_study_node(s, id, v->kinds)
                               : find_outlet(s, id);
}

/* ---- Triggers ----------------------------------------------------------------------------------- */

typedef struct watch {
    const char *word;
    const sl_study_measure *of;
    bool node;
    unsigned kinds;
} watch;

static const watch watches[SL_SURGE_WATCH_COUNT] = {
    [SL_SURGE_WATCH_PRESSURE] = {"pressure", &sl_study_pressure, true, SL_STUDY_ANY_NODE},
    [SL_SURGE_WATCH_HEAD] = {"head", &sl_study_head, true, SL_STUDY_ANY_NODE},
    [SL_SURGE_WATCH_FLOW] = {"flow", &sl_study_flow, false, SL_STUDY_ANY_LINK},
    [SL_SURGE_WATCH_SPEED] = {"speed", &sl_study_plain, false, SL_STUDY_PUMP},
};

/* when: {pressure: J1, below: 5 m, for: 0.5 s} */
static bool read_trigger(sl_study *s, const sl_yaml_node *node, sl_surge_trigger *t) {
    sl_yaml_map m;
    int kind = -1, n = 0;
    *t = (sl_surge_trigger){.index = -1, .line = sl_yaml_line(s->doc, node)};
    if (!sl_yaml_open_map(s->doc, node, &m)) {
        return false;
    }
    const sl_yaml_node *id = NULL;
    for (int k = 0; k < SL_SURGE_WATCH_COUNT; k++) {
        const sl_yaml_node *found = sl_yaml_get(&m, watches[k].word, 0);
        id = found ? found : id;
        kind = found ? k : kind;
        n += found != NULL;
    }
    const sl_yaml_node *above = sl_yaml_get(&m, "above", 0), *below = sl_yaml_get(&m, "below", 0);
    sl_yaml_time(&m, "for", SL_YAML_NOT_NEGATIVE, &t->after);
    sl_yaml_done(&m);
    if (n != 1 || !above == !below) {
        sl_yaml_report(s->doc, node, SL_ERROR, SL_CODE_SYNTAX,
                       "write {pressure: J1, below: 5 m}: pressure, head, flow or speed; above or below",
                       "`when` watches one value and has one threshold");
        return false;
    }
    t->watch = (sl_surge_watch)kind;
    t->above = above != NULL;
    t->index =
        watches[kind].node ? sl_study_node(s, id, watches[kind].kinds) : sl_study_link(s, id, watches[kind].kinds);
    return sl_study_as_measure(s, above ? above : below, 0, watches[kind].of, &t->threshold) && t->index >= 0;
}

/* ---- Events ------------------------------------------------------------------------------------- */

/* Two points, or one when it happens at once. False: no memory. */
static bool set_ramp(sl_study *s, sl_surge_event *e, double within, double to) {
    double *t = sl_study_alloc(s, 2, sizeof *t), *x = sl_study_alloc(s, 2, sizeof *x);
    if (!t || !x) {
        return false;
    }
    e->n = within > 0.0 ? 2 : 1;
    t[e->n - 1] = within;
    x[0] = NAN;
    x[e->n - 1] = to;
    e->t = t;
    e->x = x;
    return true;
}

/* The verb of a row: exactly one. */
static const verb *find_verb(sl_study *s, sl_yaml_map *m, const sl_yaml_node **id) {
    const verb *found = NULL;
    int n = 0;
    for (int i = 0; i < N_VERB; i++) {
        const sl_yaml_node *node = sl_yaml_get(m, verbs[i].word, 0);
        found = node ? &verbs[i] : found;
        *id = node ? node : *id;
        n += node != NULL;
    }
    if (n != 1) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX,
                       "write one of close, open, opening, trip, start, stop, speed, demand, demand_factor, head, "
                       "burst, outlet: `close: V1`",
                       n == 0 ? "the event does not say what happens" : "the event says two things at once");
    }
    return n == 1 ? found : NULL;
}

static void read_course(sl_study *s, sl_yaml_map *m, const verb *v, sl_surge_event *e) {
    static const char *const shapes[] = {"linear", "hold", "sine", "cubic", NULL}; /* sl_surge_shape */
    int shape = (int)e->shape;
    double within = 0.0, to = v->to;
    const sl_yaml_node *points = sl_study_list(m, "points"), *in = sl_yaml_get(m, "in", 0),
                       *said = sl_yaml_get(m, "to", 0);
    bool goes = !said || sl_study_as_measure(s, said, 0, v->of, &to);
    if (in) {
        (void)sl_yaml_as_time(s->doc, in, SL_YAML_NOT_NEGATIVE, &within);
    }
    sl_yaml_word(m, "shape", 0, shapes, &shape);
    sl_yaml_number(m, "power", SL_YAML_POSITIVE, NULL, &e->power);
    e->shape = (sl_surge_shape)shape;
    if (v->what == SL_SURGE_PUMP_TRIP) {
        if (points || in || said) {
            sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX,
                           "leave out `in`, `to` and `points`, or write `stop: PUMP` for a ramp of its speed",
                           "a trip has no course: the pump runs down by its inertia");
        }
    } else if (points && (in || said)) {
        sl_yaml_report(s->doc, points, SL_ERROR, SL_CODE_SYNTAX, "keep `points`, or `in` and `to`",
                       "the course is given twice");
    } else if (points) {
        e->n = sl_study_pairs(s, points, true, NULL, v->of, &e->t, &e->x);
    } else if (goes && isnan(to)) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_MISSING_VALUE,
                       "add `to: VALUE` and `in: TIME`, or `points: [[TIME, VALUE], ...]`",
                       "the event does not say where %s goes", v->word);
    } else if (goes) {
        (void)set_ramp(s, e, within, to);
    }
}

static void read_event(sl_study *s, const sl_yaml_node *row, sl_surge_event *events, sl_surge_trigger *triggers) {
    sl_yaml_map m;
    const sl_yaml_node *id = NULL;
    sl_surge_event e = sl_surge_event_default();
    if (!sl_yaml_open_map(s->doc, row, &m)) {
        return;
    }
    const verb *v = find_verb(s, &m, &id);
    const sl_yaml_node *when = sl_yaml_get(&m, "when", 0);
    e.line = sl_yaml_line(s->doc, row);
    sl_yaml_time(&m, "at", SL_YAML_NOT_NEGATIVE, &e.start);
    /* Also without a verb, so that the other keys of the row are known. */
    read_course(s, &m, v ? v : &verbs[0], &e);
    sl_yaml_done(&m);
    if (when && read_trigger(s, when, &triggers[s->def.n_trigger])) {
        e.trigger = s->def.n_trigger++;
    }
    if (v) {
        e.what = v->what;
        e.index = find_target(s, v, id);
        if (e.index >= 0) {
            events[s->def.n_event++] = e;
        }
    }
}

void sl_study_read_events(sl_study *s, sl_yaml_map *m) {
    const sl_yaml_node *list = sl_study_list(m, "events");
    if (!list) {
        return;
    }
    sl_surge_event *events = sl_study_alloc(s, (size_t)list->n, sizeof *events);
    sl_surge_trigger *triggers = sl_study_alloc(s, (size_t)list->n, sizeof *triggers);
    for (const sl_yaml_node *row = list->first; row && events && triggers; row = row->next) {
        read_event(s, row, events, triggers);
    }
    s->def.events = events;
    s->def.triggers = triggers;
}

/* ---- On a command line -------------------------------------------------------------------------- */

/* A time between '@', ':' and the end: seconds, 0 or with a unit; there is no colon in it. False: why not. */
static bool read_seconds(sl_str text, const char *whole, double *out, char *why, size_t size) {
    bool steps;
    sl_time_fault fault = sl_time_read(text, out, &steps);
    if (fault == SL_TIME_FINE && !steps) {
        return true;
    }
    int n = (int)(text.len < 40 ? text.len : 40);
    if (fault == SL_TIME_BARE) {
        (void)sl_format(why, size, "'%.80s': a time has a unit: write %.*ss or %.*smin", whole, n, text.ptr, n,
                        text.ptr);
    } else {
        (void)sl_format(why, size, "'%.80s': '%.*s' is not a time: write 2s, 500ms or 1min", whole, n, text.ptr);
    }
    return false;
}

static sl_status add(sl_study *s, const sl_surge_event *e) {
    sl_surge_event *events = sl_study_alloc(s, (size_t)s->def.n_event + 1, sizeof *events);
    if (!events) {
        return SL_ERR_MEMORY;
    }
    if (s->def.n_event > 0) {
        memcpy(events, s->def.events, (size_t)s->def.n_event * sizeof *events);
    }
    events[s->def.n_event++] = *e;
    s->def.events = events;
    return SL_OK;
}

sl_status sl_study_add_event(sl_study *s, const char *verb_word, const char *text, char *why, size_t size) {
    const verb *v = NULL;
    for (int i = 0; i < N_VERB && !v; i++) {
        v = strcmp(verb_word, verbs[i].word) == 0 ? &verbs[i] : NULL;
    }
    const char *at = strrchr(text, '@');
    const char *colon = at ? strchr(at, ':') : NULL;
    sl_str id = {text, at ? (size_t)(at - text) : strlen(text)};
    sl_surge_event e = sl_surge_event_default();
    double within = 0.0;
    if (!v || id.len == 0 || (colon && v->what == SL_SURGE_PUMP_TRIP) || (colon && strchr(colon + 1, ':'))) {
        (void)sl_format(why, size, "'%.80s' is not of the form ID@START%s, with times as 1s, 500ms or 0", text,
                        v && v->what == SL_SURGE_PUMP_TRIP ? "" : ":DURATION");
        return SL_ERR_INPUT;
    }
    sl_str start = at ? (sl_str){at + 1, colon ? (size_t)(colon - at) - 1 : strlen(at + 1)} : sl_str_z("0");
    if (!read_seconds(start, text, &e.start, why, size) ||
        (colon && !read_seconds(sl_str_z(colon + 1), text, &within, why, size))) {
        return SL_ERR_INPUT;
    }
    e.what = v->what;
    e.index = sl_network_find_link(s->net, id);
    if (e.index < 0 || !((1u << sl_network_link_kind(s->net, e.index)) & v->kinds)) {
        (void)sl_format(why, size, "there is no %s '%.*s' in the network",
                        v->kinds & SL_STUDY_PUMP ? "pump" : "valve or pipe", (int)(id.len < 40 ? id.len : 40), id.ptr);
        return SL_ERR_INPUT;
    }
    if (v->what != SL_SURGE_PUMP_TRIP && !set_ramp(s, &e, within, v->to)) {
        return SL_ERR_MEMORY;
    }
    return add(s, &e);
}
