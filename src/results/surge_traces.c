/* SPDX-License-Identifier: MIT */
/* surge_traces.c: chosen variables over the report times; see surge.h.
 *
 * Which variables there are is asked of the session, by name: kind.'id'.quantity. A quantity is a row of one table.
 */
#include <string.h>

#include "base/ids.h"
#include "base/report.h"
#include "results/surge.h"

enum { NAME_MAX_KEPT = 512 };

typedef struct quantity {
    const char *name;
    sl_surge_unit unit;
    bool usual; /* kept unless others are asked for */
} quantity;

static const quantity quantities[] = {
    {"head", SL_SURGE_UNIT_LENGTH, true},    {"pressure", SL_SURGE_UNIT_PRESSURE, true},
    {"flow", SL_SURGE_UNIT_FLOW, true},      {"flow.end", SL_SURGE_UNIT_FLOW, false},
    {"demand", SL_SURGE_UNIT_FLOW, false},   {"cavity", SL_SURGE_UNIT_VOLUME, false},
    {"opening", SL_SURGE_UNIT_NONE, true},   {"speed", SL_SURGE_UNIT_NONE, true},
    {"torque", SL_SURGE_UNIT_TORQUE, false}, {"level", SL_SURGE_UNIT_LENGTH, true},
};
enum { N_QUANTITY = sizeof quantities / sizeof *quantities };

const char *const sl_surge_trace_quantities[] = {"head",    "pressure", "flow",   "flow.end", "demand", "cavity",
                                                 "opening", "speed",    "torque", "level",    NULL};
_Static_assert(sizeof sl_surge_trace_quantities / sizeof *sl_surge_trace_quantities == N_QUANTITY + 1,
               "one name for each");

/* ---- What is asked for -------------------------------------------------------------------------- */

static sl_status read_what(const sl_study *study, bool wanted[N_QUANTITY], sl_diags *diags) {
    sl_status status = SL_OK;
    for (int k = 0; k < N_QUANTITY; k++) {
        wanted[k] = study->n_what == 0 && quantities[k].usual;
    }
    for (int32_t i = 0; i < study->n_what; i++) {
        bool known = false;
        for (int k = 0; k < N_QUANTITY; k++) {
            bool same = strcmp(study->what[i], quantities[k].name) == 0;
            wanted[k] = wanted[k] || same;
            known = known || same;
        }
        if (!known) {
            char quoted[SL_QUOTE_MAX];
            sl_report(diags, SL_ERROR, SL_CODE_UNKNOWN_KEYWORD, NULL, NULL, NULL,
                      "there are head, pressure, flow, flow.end, demand, cavity, opening, speed, torque and level",
                      "no trace can be kept of %s", sl_quote(sl_str_z(study->what[i]), quoted));
            status = SL_ERR_INPUT;
        }
    }
    return status;
}

static bool is_selected(const sl_study_choice *c, int32_t i) {
    bool found = c->all;
    for (int32_t k = 0; k < c->n && !found; k++) {
        found = c->at[k] == i;
    }
    return found;
}

/* An opening is worth a column where there is a valve, or where it may change. */
static bool opens(const sl_study *study, int32_t link) {
    bool found = sl_network_link_kind(study->net, link) == SL_VALVE;
    for (int32_t i = 0; i < study->def.n_event && !found; i++) {
        found = study->def.events[i].what == SL_SURGE_VALVE_OPENING && study->def.events[i].index == link;
    }
    return found;
}

static bool wants(const sl_study *study, sl_str kind, sl_str id, const char *quantity_name) {
    static const char *const of_links[] = {"link", "pump"}, *const of_nodes[] = {"node", "tank"};
    for (int k = 0; k < 2; k++) {
        if (sl_str_equal(kind, sl_str_z(of_nodes[k]))) {
            return is_selected(&study->nodes, sl_network_find_node(study->net, id));
        }
        if (sl_str_equal(kind, sl_str_z(of_links[k]))) {
            int32_t link = sl_network_find_link(study->net, id);
            return is_selected(&study->links, link) && (strcmp(quantity_name, "opening") != 0 || opens(study, link));
        }
    }
    return sl_str_equal(kind, sl_str_z("part"));
}

/* kind.'id'.quantity in its parts, the id without quotes and escapes. False: it is of no element. */
static bool split(const char *name, sl_str *kind, char id[NAME_MAX_KEPT], const char **rest) {
    const char *dot = strchr(name, '.');
    if (!dot || dot[1] != '\'') {
        return false;
    }
    *kind = (sl_str){name, (size_t)(dot - name)};
    size_t n = 0;
    const char *c = dot + 2;
    for (; *c && *c != '\'' && n + 1 < NAME_MAX_KEPT; c++) {
        c += *c == '\\' && c[1];
        id[n++] = *c;
    }
    id[n] = '\0';
    *rest = c + 2;
    return c[0] == '\'' && c[1] == '.';
}

/* ---- The columns -------------------------------------------------------------------------------- */

static int32_t slot_of(sl_surge_traces *t, int32_t field) {
    int32_t k = 0;
    while (k < t->n_field && t->fields[k] != field) {
        k++;
    }
    if (k == t->n_field) {
        t->fields[t->n_field++] = field;
    }
    return k;
}

static bool add(sl_surge_traces *t, const char *id, const quantity *q, sl_var var) {
    const char *copy = sl_arena_copy(&t->arena, sl_str_z(id));
    sl_surge_trace trace = {
        .id = copy, .quantity = q->name, .unit = q->unit, .slot = slot_of(t, var.field), .index = var.index};
    return copy && SL_PUSH(t->ctx, &t->list, trace);
}

sl_status sl_surge_traces_init(sl_surge_traces *t, sl_context *ctx, const sl_study *study, sl_session *session,
                               sl_diags *diags) {
    bool wanted[N_QUANTITY];
    *t = (sl_surge_traces){.ctx = ctx, .most = (size_t)4 << 30};
    sl_arena_init(&t->arena, ctx);
    sl_status status = read_what(study, wanted, diags);
    int64_t n = status == SL_OK ? sl_session_n_var(session) : 0;
    for (int64_t ref = 0; ref < n && status == SL_OK; ref++) {
        sl_var_info info = {.size = sizeof info};
        char id[NAME_MAX_KEPT];
        const char *rest = NULL;
        sl_str kind;
        status = sl_session_var(session, (uint32_t)ref, &info);
        if (status != SL_OK || !split(info.name, &kind, id, &rest)) {
            continue;
        }
        for (int k = 0; k < N_QUANTITY; k++) {
            if (wanted[k] && strcmp(rest, quantities[k].name) == 0 && t->n_field < 63 &&
                wants(study, kind, sl_str_z(id), quantities[k].name)) {
                status = add(t, id, &quantities[k], info.var) ? SL_OK : SL_ERR_MEMORY;
            }
        }
    }
    return status;
}

void sl_surge_traces_fini(sl_surge_traces *t) {
    if (t->ctx) {
        SL_ARRAY_FINI(t->ctx, &t->x);
        SL_ARRAY_FINI(t->ctx, &t->time);
        SL_ARRAY_FINI(t->ctx, &t->list);
        sl_arena_fini(&t->arena);
    }
    *t = (sl_surge_traces){0};
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    (void)user;
    (void)layout;
    (void)diags;
    return SL_OK;
}

static sl_status take(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_surge_traces *t = user;
    if ((double)t->x.n * sizeof *t->x.at > (double)t->most) {
        sl_report(diags, SL_ERROR, SL_CODE_STEP_FAILED, NULL, NULL, NULL,
                  "keep fewer (`outputs: {nodes: [J1, J2], links: none}`), or every so often (`outputs: {step: 0.1}`)",
                  "%d traces of every time step need more than %d GB", (int)t->list.n, (int)(t->most >> 30));
        return SL_ERR_INPUT;
    }
    if (!SL_RESERVE(t->ctx, &t->x, t->x.n + t->list.n) || !SL_PUSH(t->ctx, &t->time, frame->time)) {
        return SL_ERR_MEMORY;
    }
    for (int64_t k = 0; k < t->list.n; k++) {
        t->x.at[t->x.n++] = frame->data[t->list.at[k].slot][t->list.at[k].index];
    }
    return SL_OK;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    (void)user;
    (void)complete;
    (void)diags;
    return SL_OK;
}

sl_result_sink sl_surge_traces_sink(sl_surge_traces *t) {
    return (sl_result_sink){.user = t, .begin = begin, .frame = take, .end = end};
}
