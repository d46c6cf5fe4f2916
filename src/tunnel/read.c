/* SPDX-License-Identifier: MIT */
/* read.c: see read.h. */
#include "tunnel/read_impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "text/points.h"

#include <math.h>
#include <string.h>

void *tunnel_reader_alloc(tunnel_reader *r, size_t size) {
    void *at = sl_arena_alloc(&r->net->arena, size);
    r->is_short = r->is_short || !at;
    return at;
}

static int32_t count(const sl_yaml_node *map) {
    return map && map->kind == SL_YAML_MAP ? map->n : 0;
}

static bool is_map(tunnel_reader *r, const sl_yaml_node *node, const char *what) {
    if (node && node->kind != SL_YAML_MAP) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "write a map of names", "%s: a map is needed", what);
    }
    return node && node->kind == SL_YAML_MAP;
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

/* A list of numbers that are at least so many, each of them rising if it is to. NULL: it is not that. */
double *tunnel_read_list(tunnel_reader *r, sl_yaml_map *m, const char *key, unsigned flags, const char *unit,
                         int32_t *n, bool rises) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(m, key, flags, &list)) {
        return NULL;
    }
    double *at = tunnel_reader_alloc(r, (size_t)list->n * sizeof *at);
    int32_t k = 0;
    bool fine = at != NULL;
    for (const sl_yaml_node *e = list->first; fine && e; e = e->next, k++) {
        bool is_time = strcmp(unit, "s") == 0;
        fine = is_time ? sl_yaml_as_time(r->doc, e, 0, &at[k]) : sl_yaml_as_number(r->doc, e, 0, unit, &at[k]);
        if (fine && rises && k > 0 && !(at[k] > at[k - 1])) {
            sl_yaml_report(r->doc, e, SL_ERROR, SL_CODE_CURVE_SHAPE, "put the points in order",
                           "%s: the values must rise", key);
            fine = false;
        }
    }
    *n = k;
    return fine ? at : NULL;
}

/* The table in a file that is named. */
static sl_status read_file(tunnel_reader *r, const sl_yaml_node *node, const char *path, const char *unit,
                           sl_tunnel_series *out) {
    sl_str bytes = {NULL, 0};
    const char *name = NULL;
    sl_points points;
    if (!r->files) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_IO, "write the points here: {time: [0, 1 h], value: [3, 4]}",
                       "no file can be opened from here");
        return SL_ERR_INPUT;
    }
    sl_status status = r->files->open(r->files->user, path, r->doc, node, &bytes, &name);
    if (status == SL_OK) {
        status = sl_points_read(&r->net->arena, bytes, name, unit, r->diags, &points);
        *out = (sl_tunnel_series){points.n, points.x, points.y, NULL};
        r->files->close(r->files->user);
    }
    return status;
}

/* 3, or {time: [0, 1 h], value: [3, 4]}, or {series: inflow.csv} */
static void read_series(tunnel_reader *r, sl_yaml_map *m, const char *key, unsigned flags, const char *unit,
                        sl_tunnel_series *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    if (!node) {
        return;
    }
    if (node->kind != SL_YAML_MAP) {
        double *both = tunnel_reader_alloc(r, 2 * sizeof *both);
        if (both && sl_yaml_as_number(r->doc, node, 0, unit, &both[1])) {
            *out = (sl_tunnel_series){1, both, both + 1, NULL};
        }
        return;
    }
    sl_yaml_map table;
    int32_t n_t = 0, n_value = 0;
    const char *path = NULL;
    if (!sl_yaml_open_map(r->doc, node, &table)) {
        return;
    }
    if (sl_yaml_get(&table, "series", 0)) {
        if (sl_yaml_text(&table, "series", 0, &path)) {
            sl_status status = read_file(r, sl_yaml_get(&table, "series", 0), path, unit, out);
            r->series = r->series == SL_OK ? status : r->series;
        }
        sl_yaml_done(&table);
        return;
    }
    const double *t = tunnel_read_list(r, &table, "time", SL_YAML_NEEDED, "s", &n_t, true);
    const double *value = tunnel_read_list(r, &table, "value", SL_YAML_NEEDED, unit, &n_value, false);
    sl_yaml_done(&table);
    if (t && value && (n_t != n_value || n_t == 0)) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_CURVE_SHAPE, "write as many values as times",
                       "%s: %d times and %d values", key, (int)n_t, (int)n_value);
    } else if (t && value) {
        *out = (sl_tunnel_series){n_t, t, value, NULL};
    }
}

/* ---- Valves ------------------------------------------------------------------------------------- */

int32_t tunnel_add_valve(tunnel_reader *r, sl_str id, const sl_yaml_node *node) {
    int32_t v = sl_ids_add(r->net->valve_ids, id);
    if (v == INT32_MIN) {
        r->is_short = true;
        return -1;
    }
    if (v < 0) {
        sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_DUPLICATE_ID, "give it another name",
                           "a joint of a tunnel with kinks is called so");
        return -1;
    }
    r->valve_nodes[v] = node;
    r->net->valves[v] =
        (sl_tunnel_valve){.suction = 10.0, .hysteresis = 1e-6, .is_open = true, .rim = (double)INFINITY, .target = -1};
    r->net->n_valve = v + 1;
    return v;
}

/* to: another valve, which may follow: it is found when all are known. */
static void read_target(tunnel_reader *r, sl_yaml_map *m, const sl_tunnel_valve *valve) {
    const char *id;
    if (sl_yaml_text(m, "to", 0, &id)) {
        r->target_nodes[valve - r->net->valves] = sl_yaml_get(m, "to", 0);
        if (!isfinite(valve->rim)) {
            sl_yaml_report(r->doc, sl_yaml_get(m, "to", 0), SL_ERROR, SL_CODE_CONFLICT,
                           "give its rim, or leave `to` out", "a reservoir without a rim does not flood");
        }
    }
}

/* area and bottom, or {level: [45, 50, 55], volume: [0, 500, 2000]} */
static void read_storage(tunnel_reader *r, sl_yaml_map *m, sl_tunnel_valve *valve) {
    sl_yaml_map curve;
    int32_t n = 0, n_volume = 0;
    if (!sl_yaml_submap(m, "storage", 0, &curve)) {
        sl_yaml_number(m, "area", SL_YAML_NEEDED | SL_YAML_POSITIVE, "m2", &valve->area);
        sl_yaml_number(m, "bottom", 0, "m", &valve->bottom);
        return;
    }
    const double *level = tunnel_read_list(r, &curve, "level", SL_YAML_NEEDED, "m", &n, true);
    const double *volume = tunnel_read_list(r, &curve, "volume", SL_YAML_NEEDED, "m3", &n_volume, true);
    sl_yaml_done(&curve);
    if (level && volume && n != n_volume) {
        sl_yaml_report(r->doc, curve.node, SL_ERROR, SL_CODE_CURVE_SHAPE, "write as many volumes as levels",
                       "storage: %d levels and %d volumes", (int)n, (int)n_volume);
    } else if (level && volume && n > 0) {
        valve->storage = (sl_tunnel_series){n, volume, level, NULL};
        valve->bottom = level[0];
    }
}

static void read_reservoir(tunnel_reader *r, sl_yaml_map *tub, sl_tunnel_valve *valve) {
    sl_yaml_map m;
    if (sl_yaml_submap(tub, "reservoir", 0, &m)) {
        valve->tub = SL_TUB_RESERVOIR;
        valve->bottom = valve->elevation;
        read_storage(r, &m, valve);
        valve->level = valve->bottom;
        sl_yaml_number(&m, "level", 0, "m", &valve->level);
        sl_yaml_number(&m, "rim", 0, "m", &valve->rim);
        read_series(r, &m, "inflow", 0, "m3/s", &valve->inflow);
        read_target(r, &m, valve);
        sl_yaml_done(&m);
    }
}

/* A shaft of 1 m2 above the sill, which floods over its rim. */
static void read_inlet(tunnel_reader *r, sl_yaml_map *tub, sl_tunnel_valve *valve) {
    sl_yaml_map m;
    if (sl_yaml_submap(tub, "inlet", 0, &m)) {
        double height = 0.5;
        valve->tub = SL_TUB_RESERVOIR;
        valve->area = 1.0;
        valve->bottom = valve->level = valve->elevation;
        valve->hysteresis = 0.01;
        sl_yaml_number(&m, "area", SL_YAML_POSITIVE, "m2", &valve->area);
        sl_yaml_number(&m, "rim", SL_YAML_POSITIVE, "m", &height);
        valve->rim = valve->elevation + height;
        read_series(r, &m, "inflow", SL_YAML_NEEDED, "m3/s", &valve->inflow);
        read_target(r, &m, valve);
        sl_yaml_done(&m);
    }
}

/* outfall, or {level: 30}, {reservoir: {...}}, {inlet: {...}} */
static void read_tub(tunnel_reader *r, const sl_yaml_node *node, sl_tunnel_valve *valve) {
    static const char *const words[] = {"outfall", NULL};
    int word = 0;
    sl_yaml_map m;
    if (node->kind == SL_YAML_SCALAR) {
        if (sl_yaml_as_word(r->doc, node, words, &word)) {
            valve->tub = SL_TUB_OUTFALL;
        }
        return;
    }
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    int32_t n_kind = 0;
    static const char *const kinds[] = {"level", "reservoir", "inlet", NULL};
    for (int k = 0; kinds[k]; k++) {
        n_kind += sl_yaml_get(&m, kinds[k], 0) != NULL;
    }
    if (n_kind != 1) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_SYNTAX,
                       "write `outfall`, or a map with one of level, reservoir, inlet", "what is outside is not clear");
    }
    read_series(r, &m, "level", 0, "m", &valve->levels);
    valve->tub = valve->levels.n > 0 ? SL_TUB_LEVEL : valve->tub;
    read_reservoir(r, &m, valve);
    read_inlet(r, &m, valve);
    sl_yaml_number(&m, "hysteresis", SL_YAML_NOT_NEGATIVE, "m", &valve->hysteresis);
    sl_yaml_done(&m);
}

static void read_valve(tunnel_reader *r, const sl_yaml_node *node) {
    sl_yaml_map m;
    int32_t v = tunnel_add_valve(r, node->key, node);
    if (v < 0 || !sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    sl_tunnel_valve *valve = &r->net->valves[v];
    sl_yaml_number(&m, "elevation", SL_YAML_NEEDED, "m", &valve->elevation);
    sl_yaml_number(&m, "suction", SL_YAML_NOT_NEGATIVE, "m", &valve->suction);
    const sl_yaml_node *tub = sl_yaml_get(&m, "tub", 0);
    if (tub) {
        read_tub(r, tub, valve);
    }
    sl_yaml_done(&m);
}

static int32_t find_valve(tunnel_reader *r, const sl_yaml_node *node, const char *id) {
    int32_t v = sl_ids_find(r->net->valve_ids, sl_str_z(id));
    if (v < 0) {
        char hint[128];
        int32_t near = sl_ids_nearest(r->net->valve_ids, sl_str_z(id));
        (void)sl_format(hint, sizeof hint, "did you mean '%.80s'?", near >= 0 ? sl_tunnel_valve_id(r->net, near) : "");
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_UNKNOWN_NAME, near >= 0 ? hint : "write it under `valves`",
                       "there is no valve '%.80s'", id);
    }
    return v;
}

int32_t tunnel_find_valve(tunnel_reader *r, sl_yaml_map *m, const char *key) {
    const char *id = NULL;
    return sl_yaml_text(m, key, SL_YAML_NEEDED, &id) ? find_valve(r, sl_yaml_get(m, key, 0), id) : -1;
}

static void find_targets(tunnel_reader *r) {
    for (int32_t v = 0; v < r->net->n_valve; v++) {
        const char *id;
        if (r->target_nodes[v] && sl_yaml_as_text(r->doc, r->target_nodes[v], &id)) {
            r->net->valves[v].target = find_valve(r, r->target_nodes[v], id);
        }
    }
}

/* ---- Gates ---------------------------------------------------------------------------------------- */

/* What was probably meant by the name of a gate. */
static const char *meant_gate(tunnel_reader *r, sl_str key, char hint[SL_QUOTE_MAX]) {
    static const char *const ends[] = {"from", "to", NULL};
    size_t n = key.len;
    while (n > 0 && key.ptr[n - 1] != '.') {
        n--;
    }
    int32_t valve = sl_ids_nearest(r->net->valve_ids, key);
    int32_t tunnel = n > 0 ? sl_ids_nearest(r->tunnels, (sl_str){key.ptr, n - 1}) : -1;
    const char *end = n > 0 ? sl_nearest_word(key.ptr + n, ends) : NULL; /* keys are terminated */
    if (tunnel >= 0 && (end || valve < 0)) {
        (void)sl_format(hint, SL_QUOTE_MAX, "did you mean %.80s.%s?", sl_ids_z(r->tunnels, tunnel),
                        end ? end : "from or .to");
    } else if (valve >= 0) {
        (void)sl_format(hint, SL_QUOTE_MAX, "did you mean %.80s?", sl_tunnel_valve_id(r->net, valve));
    } else {
        return "name a valve for its tub, or the end of a tunnel as tunnel.from, tunnel.to";
    }
    return hint;
}

/* "side": the tub of a valve; "main.from", "main.to": the ends of a tunnel. */
static bool find_gate(tunnel_reader *r, const sl_yaml_node *node, sl_tunnel_move *out) {
    *out = (sl_tunnel_move){0};
    bool found = sl_tunnel_find_gate(r->net->valve_ids, r->tunnels, node->key, out);
    int32_t tunnel = out->end / 2;
    if (found && out->valve >= 0 && r->net->valves[out->valve].tub == SL_TUB_NONE) {
        sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_WRONG_KIND,
                           "give the valve a tub, or name the end of a tunnel",
                           "the valve has no tub: there is nothing that its gate could shut");
        return false;
    }
    if (!found || (out->valve < 0 && r->n_pipe[tunnel] == 0)) {
        char hint[SL_QUOTE_MAX];
        sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_UNKNOWN_NAME, meant_gate(r, node->key, hint),
                           "there is no such gate");
        return false;
    }
    if (out->valve < 0) { /* of its chain the first or the last */
        out->end =
            out->end % 2 == 0 ? 2 * r->first_pipe[tunnel] : 2 * (r->first_pipe[tunnel] + r->n_pipe[tunnel] - 1) + 1;
    }
    return true;
}

/* side: [{at: 0, open: 0}, {at: 600, open: 1}]; what is given for time 0 is how it begins. */
static void read_gate(tunnel_reader *r, const sl_yaml_node *node) {
    static const char *const words[] = {"0", "1", "false", "true", NULL};
    sl_tunnel_move move;
    int32_t first = r->net->n_move;
    if (node->kind != SL_YAML_LIST) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "write [{at: 600, open: 1}]", "a list is needed");
        return;
    }
    if (!find_gate(r, node, &move)) {
        return;
    }
    for (const sl_yaml_node *e = node->first; e; e = e->next) {
        sl_yaml_map m;
        int word = 0;
        if (!sl_yaml_open_map(r->doc, e, &m)) {
            continue;
        }
        bool fine = sl_yaml_time(&m, "at", SL_YAML_NEEDED | SL_YAML_NOT_NEGATIVE, &move.t);
        fine = sl_yaml_word(&m, "open", SL_YAML_NEEDED, words, &word) && fine;
        sl_yaml_done(&m);
        move.is_open = word & 1;
        for (int32_t k = first; fine && k < r->net->n_move; k++) {
            if (r->net->moves[k].t == move.t) {
                sl_yaml_report(r->doc, e, SL_ERROR, SL_CODE_CONFLICT, "leave one of them out",
                               "the gate has two openings at %.9g s", move.t);
                fine = false;
            }
        }
        if (fine && move.t > 0.0) {
            r->net->moves[r->net->n_move++] = move;
        } else if (fine) {
            *(move.valve >= 0 ? &r->net->valves[move.valve].is_open
                              : &r->net->pipes[move.end / 2].ends[move.end % 2].is_open) = move.is_open;
        }
    }
}

/* ---- Start and run ------------------------------------------------------------------------------- */

static void add_water(tunnel_reader *r, const sl_yaml_node *node, int32_t pipe, int32_t side, double volume) {
    const sl_tunnel_pipe *p = &r->net->pipes[pipe];
    double capacity = p->length * p->area, sum = volume;
    for (int32_t k = 0; k < r->net->n_water; k++) {
        const sl_tunnel_water *other = &r->net->waters[k];
        if (other->pipe == pipe && (other->side == side || other->side < 0 || side < 0)) {
            sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_CONFLICT, "name it once",
                           "the water at the start in '%.80s' is given twice", sl_tunnel_pipe_id(r->net, pipe));
            return;
        }
        sum += other->pipe == pipe ? other->volume : 0.0;
    }
    if (side >= 0 && capacity > 0.0 && !(sum < capacity)) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_VALUE_RANGE, "name it under `full` if it is full",
                       "%.6g m3 do not leave '%.80s' partly filled, which holds %.6g m3", sum,
                       sl_tunnel_pipe_id(r->net, pipe), capacity);
        return;
    }
    r->net->waters[r->net->n_water++] = (sl_tunnel_water){pipe, side, volume};
}

/* What was probably meant by the name of a tunnel. */
static const char *meant_tunnel(const sl_ids *ids, sl_str id, char hint[SL_QUOTE_MAX]) {
    int32_t near = sl_ids_nearest(ids, id);
    (void)sl_format(hint, SL_QUOTE_MAX, "did you mean %.80s?", near >= 0 ? sl_ids_z(ids, near) : "");
    return near >= 0 ? hint : NULL;
}

static void read_full(tunnel_reader *r, const sl_yaml_node *list) {
    for (const sl_yaml_node *e = list->first; e; e = e->next) {
        const char *id;
        if (!sl_yaml_as_text(r->doc, e, &id)) {
            continue;
        }
        int32_t tunnel = sl_ids_find(r->tunnels, sl_str_z(id)), pipe = sl_ids_find(r->net->pipe_ids, sl_str_z(id));
        if (tunnel < 0 && pipe < 0) {
            char hint[SL_QUOTE_MAX];
            const char *meant = meant_tunnel(r->tunnels, sl_str_z(id), hint);
            sl_yaml_report(r->doc, e, SL_ERROR, SL_CODE_UNKNOWN_NAME, meant ? meant : "name a tunnel",
                           "there is no tunnel '%.80s'", id);
        }
        for (int32_t k = 0; tunnel >= 0 && k < r->n_pipe[tunnel]; k++) {
            add_water(r, e, r->first_pipe[tunnel] + k, -1, 0.0);
        }
        if (tunnel < 0 && pipe >= 0) {
            add_water(r, e, pipe, -1, 0.0);
        }
    }
}

static void read_half(tunnel_reader *r, const sl_yaml_node *node) {
    sl_yaml_map m;
    double volume = 0.0;
    int32_t pipe = sl_ids_find(r->net->pipe_ids, node->key);
    if (pipe < 0) {
        char hint[SL_QUOTE_MAX];
        const char *meant = meant_tunnel(r->net->pipe_ids, node->key, hint);
        sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_UNKNOWN_NAME,
                           meant ? meant : "name a tunnel; of one with kinks a stretch, as shaft[0]",
                           "there is no such stretch of a tunnel");
        return;
    }
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    int32_t v = tunnel_find_valve(r, &m, "from");
    bool fine = sl_yaml_number(&m, "volume", SL_YAML_NEEDED | SL_YAML_POSITIVE, "m3", &volume);
    sl_yaml_done(&m);
    const sl_tunnel_end *ends = r->net->pipes[pipe].ends;
    if (v >= 0 && ends[0].valve != v && ends[1].valve != v) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_CONFLICT, "name the valve at one of its ends",
                       "the tunnel does not lead to that valve");
    } else if (v >= 0 && fine) {
        add_water(r, node, pipe, ends[0].valve == v ? 0 : 1, volume);
    }
}

static void read_start(tunnel_reader *r, const sl_yaml_node *node) {
    sl_yaml_map m;
    if (!node || node->kind == SL_YAML_SCALAR) {
        if (node && !sl_str_equal(node->text, sl_str_z("dry"))) {
            sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_UNKNOWN_KEYWORD,
                           "write dry, or {full: [main], half: {spur: {from: side, volume: 40}}}",
                           "the start is dry, or says where water is");
        }
        return;
    }
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    const sl_yaml_node *full = NULL, *half = sl_yaml_get(&m, "half", 0);
    (void)sl_yaml_list(&m, "full", 0, &full);
    r->net->waters = tunnel_reader_alloc(r, (size_t)(2 * r->net->n_pipe + count(half) + 1) * sizeof *r->net->waters);
    if (r->is_short) {
        return;
    }
    if (full) {
        read_full(r, full);
    }
    for (const sl_yaml_node *e = half && is_map(r, half, "half") ? half->first : NULL; e; e = e->next) {
        read_half(r, e);
    }
    sl_yaml_done(&m);
}

static void read_run(tunnel_reader *r, sl_yaml_map *top) {
    static const char *const reversals[] = {"needed", "all", NULL};
    static const char *const policies[] = {"error", "hold", "widen", NULL};
    static const sl_hybrid_policy values[] = {SL_HYBRID_POLICY_ERROR, SL_HYBRID_POLICY_HOLD, SL_HYBRID_POLICY_WIDEN};
    sl_yaml_map m;
    int word = 0, policy = 2;
    if (!sl_yaml_submap(top, "run", SL_YAML_NEEDED, &m)) {
        return;
    }
    sl_yaml_time(&m, "end", SL_YAML_NEEDED | SL_YAML_POSITIVE, &r->study->end);
    sl_yaml_time(&m, "report", SL_YAML_POSITIVE, &r->study->report);
    if (sl_yaml_number(&m, "tolerance", SL_YAML_POSITIVE, NULL, &r->study->rtol) &&
        !(r->study->rtol <= 1e-2 && r->study->rtol >= 1e-12)) {
        sl_yaml_report(r->doc, sl_yaml_get(&m, "tolerance", 0), SL_ERROR, SL_CODE_VALUE_RANGE, "1e-8 is usual",
                       "the tolerance must be within 1e-12 and 1e-2");
    }
    sl_yaml_word(&m, "reversals", 0, reversals, &word);
    sl_yaml_word(&m, "chattering", 0, policies, &policy);
    sl_yaml_done(&m);
    r->study->all_reversals = word == 1;
    r->study->policy = values[policy];
}

/* ---- All ---------------------------------------------------------------------------------------- */

static void complain(void *user, bool pipe, int32_t index, sl_code code, const char *hint, const char *text) {
    tunnel_reader *r = user;
    const sl_yaml_node *node = index < 0 ? r->tunnels_node : pipe ? r->pipe_nodes[index] : r->valve_nodes[index];
    if (node) {
        sl_yaml_report_key(r->doc, node, SL_ERROR, code, hint, "%s", text);
    } else {
        sl_yaml_report(r->doc, NULL, SL_ERROR, code, hint, "%s", text);
    }
}

/* Points of all profiles: as many joints and stretches may be needed beside what is named. */
static int32_t count_points(const sl_yaml_node *tunnels) {
    int32_t n = 0;
    for (const sl_yaml_node *t = count(tunnels) ? tunnels->first : NULL; t; t = t->next) {
        for (const sl_yaml_node *key = t->kind == SL_YAML_MAP ? t->first : NULL; key; key = key->next) {
            for (const sl_yaml_node *list = key->kind == SL_YAML_MAP ? key->first : NULL; list; list = list->next) {
                n += list->kind == SL_YAML_LIST ? list->n : 0;
            }
        }
    }
    return n;
}

static sl_status make(tunnel_reader *r, sl_yaml_map *top) {
    const sl_yaml_node *valves = sl_yaml_get(top, "valves", SL_YAML_NEEDED);
    const sl_yaml_node *tunnels = sl_yaml_get(top, "tunnels", SL_YAML_NEEDED);
    const sl_yaml_node *gates = sl_yaml_get(top, "gates", 0), *start = sl_yaml_get(top, "start", 0);
    const char *title = "";
    r->tunnels_node = tunnels;
    int32_t more = count_points(tunnels), n_valve = count(valves) + more, n_tunnel = count(tunnels), n_move = 0;
    r->net = r->study->net = sl_tunnel_network_create(r->study->ctx, n_valve, n_tunnel + more);
    if (!r->net) {
        return SL_ERR_MEMORY;
    }
    for (const sl_yaml_node *g = count(gates) ? gates->first : NULL; g; g = g->next) {
        n_move += g->n;
    }
    r->valve_nodes = tunnel_reader_alloc(r, (size_t)n_valve * sizeof(sl_yaml_node *));
    r->target_nodes = tunnel_reader_alloc(r, (size_t)n_valve * sizeof(sl_yaml_node *));
    r->pipe_nodes = tunnel_reader_alloc(r, (size_t)(n_tunnel + more) * sizeof(sl_yaml_node *));
    r->first_pipe = tunnel_reader_alloc(r, 2 * (size_t)n_tunnel * sizeof *r->first_pipe);
    r->net->moves = tunnel_reader_alloc(r, (size_t)n_move * sizeof *r->net->moves);
    r->n_pipe = r->first_pipe + n_tunnel;
    (void)sl_yaml_text(top, "title", 0, &title);
    r->study->title = sl_arena_copy(&r->net->arena, sl_str_z(title));
    read_run(r, top);
    sl_yaml_done(top);
    for (const sl_yaml_node *e = is_map(r, valves, "valves") ? valves->first : NULL; e && !r->is_short; e = e->next) {
        read_valve(r, e);
    }
    if (!r->is_short) {
        find_targets(r);
    }
    for (const sl_yaml_node *e = is_map(r, tunnels, "tunnels") ? tunnels->first : NULL; e && !r->is_short;
         e = e->next) {
        tunnel_read_tunnel(r, e);
    }
    for (const sl_yaml_node *e = gates && is_map(r, gates, "gates") ? gates->first : NULL; e && !r->is_short;
         e = e->next) {
        read_gate(r, e);
    }
    r->study->n_tunnel = sl_ids_count(r->tunnels);
    if (!r->is_short) {
        read_start(r, start);
    }
    sl_status status = r->is_short || !r->study->title ? SL_ERR_MEMORY
                       : r->series != SL_OK            ? r->series
                                                       : sl_yaml_status(r->doc);
    return status == SL_OK ? sl_tunnel_network_finish(r->net, complain, r) : status;
}

sl_status sl_tunnel_read(sl_context *ctx, const char *bytes, size_t n, const char *name, const sl_tunnel_files *files,
                         sl_diags *diags, sl_tunnel_study **out) {
    tunnel_reader r = {.files = files, .diags = diags};
    *out = NULL;
    sl_tunnel_study *study = sl_alloc(ctx, sizeof *study);
    if (!study) {
        return SL_ERR_MEMORY;
    }
    *study = (sl_tunnel_study){.ctx = ctx, .rtol = 1e-8, .policy = SL_HYBRID_POLICY_WIDEN};
    r.study = study;
    sl_yaml_map top;
    sl_status status = sl_yaml_read(ctx, bytes, n, name, diags, &r.doc);
    r.tunnels = status == SL_OK ? sl_ids_create(ctx) : NULL;
    status = status == SL_OK && !r.tunnels ? SL_ERR_MEMORY : status;
    if (status == SL_OK) {
        if (sl_yaml_open_map(r.doc, sl_yaml_root(r.doc), &top)) {
            (void)sl_yaml_signature(&top, "tunnel", 1);
            status = make(&r, &top);
        } else {
            status = sl_yaml_status(r.doc);
        }
    }
    sl_ids_destroy(r.tunnels);
    sl_yaml_destroy(r.doc);
    if (status != SL_OK) {
        sl_tunnel_study_destroy(study);
        return status;
    }
    *out = study;
    return SL_OK;
}

void sl_tunnel_study_destroy(sl_tunnel_study *study) {
    if (study) {
        sl_tunnel_network_destroy(study->net);
        sl_free(study->ctx, study, sizeof *study);
    }
}
