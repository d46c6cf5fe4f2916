/* SPDX-License-Identifier: MIT */
/* study_devices.c: what a study says about valves, pumps and outlets, beyond the network. */
#include "surge/study_impl.h"

#include <math.h>

static const double kv_of_cv = 0.864978; /* [m3/h at 1 bar] for 1 gpm at 1 psi */

/* ---- Valves ------------------------------------------------------------------------------------- */

static void read_characteristic(sl_study *s, sl_yaml_map *m, sl_surge_valve *v) {
    /* sl_surge_characteristic; `table` says the last by itself. */
    static const char *const words[] = {"linear", "equal-percentage", "quick-opening", NULL};
    int word = (int)v->characteristic;
    bool named = sl_yaml_word(m, "characteristic", 0, words, &word);
    v->characteristic = (sl_surge_characteristic)word;
    sl_yaml_number(m, "range", SL_YAML_POSITIVE, NULL, &v->range);
    const sl_yaml_node *table = sl_study_list(m, "table");
    if (table && named) {
        sl_yaml_report(s->doc, table, SL_ERROR, SL_CODE_SYNTAX, "keep one of the two",
                       "characteristic and table say the same twice");
    } else if (table) {
        v->characteristic = SL_SURGE_TABLE;
        v->n = sl_study_pairs(s, table, false, NULL, &sl_study_plain, &v->x, &v->phi);
    }
}

/* One of k_open, kv and cv. */
static void read_loss(sl_study *s, sl_yaml_map *m, sl_surge_valve *v) {
    double kv = NAN, cv = NAN, gravity = isnan(s->fluid.gravity) ? 9.80665 : s->fluid.gravity;
    int n = sl_yaml_number(m, "k_open", SL_YAML_NOT_NEGATIVE, NULL, &v->k_open);
    n += sl_yaml_number(m, "kv", SL_YAML_POSITIVE, NULL, &kv);
    n += sl_yaml_number(m, "cv", SL_YAML_POSITIVE, NULL, &cv);
    if (n > 1) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX, "keep one of k_open, kv and cv",
                       "the loss of the open valve is given twice");
        return;
    }
    kv = isnan(cv) ? kv : cv * kv_of_cv;
    if (!isnan(kv) && s->net && v->link >= 0) {
        int32_t first = s->net->n_pipe + s->net->n_pump;
        double d = v->link < first ? s->net->pipe_diameter[v->link] : s->net->valve_diameter[v->link - first];
        v->k_open = sl_surge_k_of_kv(kv, d, gravity);
    }
}

static bool read_valve(sl_study *s, sl_yaml_map *m, void *to) {
    sl_surge_valve *v = to;
    const sl_yaml_node *id = sl_yaml_get(m, "valve", SL_YAML_NEEDED);
    *v = sl_surge_valve_default();
    v->line = sl_yaml_line(s->doc, m->node);
    v->link = id ? sl_study_link(s, id, SL_STUDY_VALVE | SL_STUDY_PIPE) : -1;
    read_characteristic(s, m, v);
    sl_yaml_number(m, "opening", SL_YAML_NOT_NEGATIVE, NULL, &v->opening);
    sl_yaml_time(m, "opens_in", SL_YAML_NOT_NEGATIVE, &v->opens_in);
    sl_yaml_time(m, "closes_in", SL_YAML_NOT_NEGATIVE, &v->closes_in);
    sl_yaml_time(m, "lag", SL_YAML_NOT_NEGATIVE, &v->lag);
    read_loss(s, m, v);
    sl_yaml_done(m);
    return v->link >= 0;
}

/* ---- Check valves ------------------------------------------------------------------------------- */

static bool read_check_valve(sl_study *s, sl_yaml_map *m, void *to) {
    static const sl_study_measure velocity = {"m/s", SL_STUDY_NUMBER};
    sl_surge_check_valve *v = to;
    *v = sl_surge_check_valve_default();
    v->line = sl_yaml_line(s->doc, m->node);
    const sl_yaml_node *id = sl_yaml_get(m, "link", SL_YAML_NEEDED), *curve = NULL;
    v->link = id ? sl_study_link(s, id, SL_STUDY_PIPE | SL_STUDY_PUMP) : -1;
    if (sl_yaml_list(m, "curve", SL_YAML_NEEDED, &curve)) {
        v->n = sl_study_pairs(s, curve, false, "m/s2", &velocity, &v->deceleration, &v->reverse);
    }
    sl_yaml_number(m, "bore", SL_YAML_POSITIVE, "m", &v->bore);
    sl_yaml_done(m);
    return v->link >= 0 && v->n > 0;
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

static const double *read_suter(sl_study *s, sl_yaml_map *m, const char *key, int32_t *n) {
    const sl_yaml_node *list = NULL;
    *n = 0;
    if (!sl_yaml_list(m, key, SL_YAML_NEEDED, &list)) {
        return NULL;
    }
    double *x = sl_study_alloc(s, (size_t)list->n, sizeof *x);
    for (const sl_yaml_node *v = list->first; v && x; v = v->next) {
        *n += sl_yaml_as_number(s->doc, v, 0, NULL, &x[*n]);
    }
    return x;
}

static void read_quadrants(sl_study *s, sl_yaml_map *m, sl_surge_pump *p) {
    sl_yaml_map sub;
    int32_t n = 0, k = 0;
    if (!sl_yaml_submap(m, "suter", 0, &sub)) {
        return;
    }
    p->suter_head = read_suter(s, &sub, "head", &n);
    p->suter_torque = read_suter(s, &sub, "torque", &k);
    sl_yaml_done(&sub);
    if (p->suter_head && p->suter_torque && (n != k || n < 4)) {
        sl_yaml_report(s->doc, sub.node, SL_ERROR, SL_CODE_VALUE_RANGE,
                       "give both for the same angles, evenly from 0 to 2 pi",
                       "suter has %d values of head and %d of torque", (int)n, (int)k);
    }
    p->n_suter = n;
}

static bool read_pump(sl_study *s, sl_yaml_map *m, void *to) {
    sl_surge_pump *p = to;
    const sl_yaml_node *id = sl_yaml_get(m, "pump", SL_YAML_NEEDED);
    *p = sl_surge_pump_default();
    p->line = sl_yaml_line(s->doc, m->node);
    p->link = id ? sl_study_link(s, id, SL_STUDY_PUMP) : -1;
    sl_study_take(s, m, "flow", SL_YAML_POSITIVE, &sl_study_flow, &p->rated_flow);
    sl_study_take(s, m, "head", SL_YAML_POSITIVE, &sl_study_head, &p->rated_head);
    sl_yaml_number(m, "speed", SL_YAML_POSITIVE, "rad/s", &p->rated_speed);
    sl_yaml_number(m, "efficiency", SL_YAML_POSITIVE, NULL, &p->rated_efficiency);
    sl_yaml_number(m, "inertia", SL_YAML_POSITIVE, "kg.m2", &p->inertia);
    sl_yaml_bool(m, "check_valve", 0, &p->check_valve);
    sl_yaml_bool(m, "ratchet", 0, &p->ratchet);
    read_quadrants(s, m, p);
    sl_yaml_done(m);
    return p->link >= 0;
}

/* ---- Outlets ------------------------------------------------------------------------------------ */

/* By its coefficient, or as an orifice of a bore. */
static void read_size(sl_study *s, sl_yaml_map *m, sl_surge_outlet *o) {
    double bore = NAN, discharge = 0.6, gravity = isnan(s->fluid.gravity) ? 9.80665 : s->fluid.gravity;
    bool coefficient = sl_yaml_number(m, "coefficient", SL_YAML_POSITIVE, NULL, &o->coefficient);
    bool orifice = sl_yaml_number(m, "orifice", SL_YAML_POSITIVE, "m", &bore);
    sl_yaml_number(m, "discharge", SL_YAML_POSITIVE, NULL, &discharge);
    if (coefficient && orifice) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX, "keep the coefficient or the orifice",
                       "the size of the outlet is given twice");
    } else if (orifice) {
        o->coefficient = discharge * 0.25 * 3.14159265358979323846 * bore * bore * sqrt(2.0 * gravity);
    }
}

/* At a node, or at a place of a pipe. */
static void read_place(sl_study *s, sl_yaml_map *m, sl_surge_outlet *o) {
    const sl_yaml_node *node = sl_yaml_get(m, "node", 0), *pipe = sl_yaml_get(m, "pipe", 0);
    if (!node == !pipe) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX, "write `node: ID`, or `pipe: ID` and `at: 300 m`",
                       "an outlet is at a node or at a location of a pipe");
    }
    o->node = node ? sl_study_node(s, node, SL_STUDY_JUNCTION) : -1;
    o->pipe = pipe ? sl_study_link(s, pipe, SL_STUDY_PIPE) : -1;
    sl_yaml_number(m, "at", SL_YAML_NOT_NEGATIVE | (pipe ? SL_YAML_NEEDED : 0), "m", &o->chainage);
}

static bool read_outlet(sl_study *s, sl_yaml_map *m, void *to) {
    sl_surge_outlet *o = to;
    *o = sl_surge_outlet_default();
    o->line = sl_yaml_line(s->doc, m->node);
    sl_yaml_text(m, "name", SL_YAML_NEEDED, &o->name);
    read_place(s, m, o);
    read_size(s, m, o);
    sl_yaml_number(m, "exponent", SL_YAML_POSITIVE, NULL, &o->exponent);
    sl_study_take(s, m, "back", 0, &sl_study_head, &o->back);
    sl_yaml_number(m, "opening", SL_YAML_NOT_NEGATIVE, NULL, &o->opening);
    sl_yaml_bool(m, "backflow", 0, &o->backflow);
    sl_yaml_done(m);
    return true; /* also those with errors: events name them */
}

void sl_study_read_devices(sl_study *s, sl_yaml_map *m) {
    const sl_yaml_node *valves = sl_study_list(m, "valves"), *pumps = sl_study_list(m, "pumps"),
                       *outlets = sl_study_list(m, "outlets"), *checks = sl_study_list(m, "check_valves");
    s->def.valves = sl_study_rows(s, valves, sizeof *s->def.valves, read_valve, &s->def.n_valve);
    s->def.pumps = sl_study_rows(s, pumps, sizeof *s->def.pumps, read_pump, &s->def.n_pump);
    s->def.check_valves =
        sl_study_rows(s, checks, sizeof *s->def.check_valves, read_check_valve, &s->def.n_check_valve);
    s->def.outlets = sl_study_rows(s, outlets, sizeof *s->def.outlets, read_outlet, &s->def.n_outlet);
}
