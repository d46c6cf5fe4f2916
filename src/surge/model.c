/* SPDX-License-Identifier: MIT */
/* model.c: a surge model from a network and a study: check, steady start, grid, layout, laws. */
#include "surge/impl.h"

#include "base/context.h"
#include "base/ids.h"
#include "base/report.h"
#include "base/sized.h"
#include "network/network_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *sl_surge_alloc(sl_surge_model *m, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&m->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

void sl_surge_add_diag(const sl_surge_model *m, sl_diags *diags, sl_severity severity, sl_code code, uint32_t line,
                       const char *kind, const char *id, const char *hint, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_report(diags, severity, code, line ? &(sl_text_location){.file = m->def.file, .line = line} : NULL, kind, id,
              hint, "%s", text);
}

/* ---- Copies ------------------------------------------------------------------------------------- */

static const void *copy_of(sl_surge_model *m, const void *from, int64_t n, size_t size, bool *bad) {
    void *to = n > 0 && from ? sl_surge_alloc(m, n, size, bad) : NULL;
    if (to) {
        memcpy(to, from, (size_t)n * size);
    }
    return to;
}

static const char *text_of(sl_surge_model *m, const char *text, bool *bad) {
    char *copy = text ? sl_arena_copy(&m->arena, sl_str_z(text)) : NULL;
    *bad |= text && !copy;
    return copy;
}

#define COPY(pointer, n) ((pointer) = copy_of(m, (pointer), (n), sizeof *(pointer), &bad))
static sl_status copy_def(sl_surge_model *m, const sl_surge_def *def) {
    bool bad = false;
    m->def = sl_surge_default();
    m->fluid = sl_surge_fluid_default();
    if (!sl_sized_take(&m->def, sizeof m->def, def) || !sl_sized_take(&m->fluid, sizeof m->fluid, m->def.fluid)) {
        return SL_ERR_USE;
    }
    m->def.fluid = &m->fluid;
    m->def.file = text_of(m, m->def.file, &bad);
    COPY(m->def.pipe_wave_speed, m->net->n_pipe);
    COPY(m->def.surveys, m->def.n_survey);
    COPY(m->def.valves, m->def.n_valve);
    COPY(m->def.pumps, m->def.n_pump);
    COPY(m->def.check_valves, m->def.n_check_valve);
    COPY(m->def.outlets, m->def.n_outlet);
    COPY(m->def.triggers, m->def.n_trigger);
    COPY(m->def.events, m->def.n_event);
    COPY(m->def.probes, m->def.n_probe);
    for (int32_t i = 0; i < m->def.n_survey && !bad; i++) {
        sl_surge_survey *v = SL_SURGE_OWN(sl_surge_survey, &m->def.surveys[i]);
        COPY(v->chainage, v->n);
        COPY(v->elevation, v->n);
    }
    for (int32_t i = 0; i < m->def.n_valve && !bad; i++) {
        sl_surge_valve *v = SL_SURGE_OWN(sl_surge_valve, &m->def.valves[i]);
        COPY(v->x, v->n);
        COPY(v->phi, v->n);
    }
    for (int32_t i = 0; i < m->def.n_pump && !bad; i++) {
        sl_surge_pump *v = SL_SURGE_OWN(sl_surge_pump, &m->def.pumps[i]);
        COPY(v->suter_head, v->n_suter);
        COPY(v->suter_torque, v->n_suter);
    }
    for (int32_t i = 0; i < m->def.n_check_valve && !bad; i++) {
        sl_surge_check_valve *v = SL_SURGE_OWN(sl_surge_check_valve, &m->def.check_valves[i]);
        COPY(v->deceleration, v->n);
        COPY(v->reverse, v->n);
    }
    for (int32_t i = 0; i < m->def.n_event && !bad; i++) {
        sl_surge_event *v = SL_SURGE_OWN(sl_surge_event, &m->def.events[i]);
        COPY(v->t, v->n);
        COPY(v->x, v->n);
    }
    for (int32_t i = 0; i < m->def.n_outlet && !bad; i++) {
        sl_surge_outlet *v = SL_SURGE_OWN(sl_surge_outlet, &m->def.outlets[i]);
        v->name = text_of(m, v->name, &bad);
    }
    for (int32_t i = 0; i < m->def.n_probe && !bad; i++) {
        sl_surge_probe *v = SL_SURGE_OWN(sl_surge_probe, &m->def.probes[i]);
        v->name = text_of(m, v->name, &bad);
    }
    return bad ? SL_ERR_MEMORY : SL_OK;
}

/* ---- Making ------------------------------------------------------------------------------------- */

/* Events on the same quantity share a target. */
static bool find_targets(sl_surge_model *m) {
    bool bad = false;
    m->event_target = sl_surge_alloc(m, m->def.n_event, sizeof *m->event_target, &bad);
    for (int32_t i = 0; i < m->def.n_event && !bad; i++) {
        const sl_surge_event *v = &m->def.events[i];
        int32_t k = 0;
        while (k < i && (!sl_surge_same_target(m->def.events[k].what, v->what) || m->def.events[k].index != v->index)) {
            k++;
        }
        m->event_target[i] = k < i ? m->event_target[k] : m->n_target++;
    }
    return !bad;
}

/* Heads along pipes at the start: straight between their ends. */
static void start_heads(sl_surge_model *m) {
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        if (m->pipe[k].rigid) {
            m->point_start_head[m->point_start[k]] = m->start_head[m->net->link_from[k]];
            m->point_start_head[m->point_start[k] + 1] = m->start_head[m->net->link_to[k]];
        }
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        const sl_surge_segment *g = &m->segments[k];
        double a = m->start_head[g->from], b = m->start_head[g->to];
        for (int32_t j = 0; j <= g->n; j++) {
            m->point_start_head[g->at + j] = j == g->n ? b : a + (b - a) * ((double)j / (double)g->n);
        }
    }
}

/* Vapour heads. A start below them cannot be, but is common where elevations are rough: there the water is allowed to hold
 * together at that head and a little below. */
static void vapour_heads(sl_surge_model *m, sl_diags *diags) {
    int32_t n = 0, worst = -1;
    for (int64_t i = 0; i < m->n_point; i++) {
        m->vapour[i] = fmin(m->elevation[i] + m->vapour_gauge, m->point_start_head[i] - 1.0);
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        double hv = m->z[i] + m->vapour_gauge;
        m->node_vapour[i] = fmin(hv, m->start_head[i] - 1.0);
        if (i < m->net->n_junction && m->start_head[i] < hv) {
            n++;
            worst = worst < 0 || m->start_head[i] - m->z[i] < m->start_head[worst] - m->z[worst] ? i : worst;
        }
    }
    if (n > 0 && sl_surge_has_cavities(m)) {
        sl_surge_add_diag(m, diags, SL_WARNING, SL_CODE_NEGATIVE_PRESSURE, 0, "junction",
                          sl_network_node_id(m->net, worst),
                          "check elevations and demands; cavities are not reliable there",
                          "at the start %d junctions are below vapour pressure, this one by most: %.4g m of head", n,
                          m->start_head[worst] - m->z[worst]);
    }
}

static uint64_t hash_of(const sl_surge_model *m) {
    const sl_network *net = m->net;
    struct {
        const void *at;
        size_t n;
    } parts[] = {{net->link_from, (size_t)net->n_link * sizeof(int32_t)},
                 {net->link_to, (size_t)net->n_link * sizeof(int32_t)},
                 {m->start_head, (size_t)m->n_node * sizeof(double)},
                 {m->z, (size_t)m->n_node * sizeof(double)},
                 {m->elevation, (size_t)m->n_point * sizeof(double)},
                 {&m->dt, sizeof m->dt},
                 {&m->state_size, sizeof m->state_size},
                 {&m->history_size, sizeof m->history_size},
                 {&m->def.balances, sizeof m->def.balances},
                 {&m->def.friction, sizeof m->def.friction},
                 {&m->def.cavitation, sizeof m->def.cavitation},
                 {&m->def.duration, sizeof m->def.duration}};
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        h = h * 0x9E3779B97F4A7C15u + (parts[i].n ? sl_hash_bytes(parts[i].at, parts[i].n) : i);
    }
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        double head[4] = {(double)v->what, (double)v->index, v->start, (double)v->trigger};
        h = h * 0x9E3779B97F4A7C15u + sl_hash_bytes(head, sizeof head);
        h = h * 31u + (v->n ? sl_hash_bytes(v->x, (size_t)v->n * sizeof(double)) : 0);
    }
    return h;
}

static sl_status make(sl_surge_model *m, const sl_surge_def *def, sl_diags *diags) {
    sl_status copied = copy_def(m, def);
    if (copied != SL_OK) {
        return copied;
    }
    if (!sl_surge_check(m, diags)) {
        return SL_ERR_INPUT;
    }
    (void)sl_surge_fluid_complete(&m->fluid, m->net->hydraulics.specific_gravity, m->net->hydraulics.viscosity);
    m->vapour_gauge =
        (m->fluid.vapour_pressure - m->fluid.atmospheric_pressure) / (m->fluid.density * m->fluid.gravity);
    m->implicit = m->def.integration == SL_SURGE_EXPLICIT ? 0.0 : 0.5;
    m->n_memory = sl_surge_friction_memory(m);
    sl_surge_steady steady = {0};
    sl_status status = sl_surge_steady_find(m, diags, &steady);
    status = status == SL_OK ? sl_surge_grid_find(m, &steady, diags) : status;
    status = status == SL_OK ? sl_surge_layout(m, &steady, diags) : status;
    status = status == SL_OK ? sl_surge_match(m, &steady, diags) : status;
    status = status == SL_OK ? sl_surge_ports(m, &steady, diags) : status;
    if (status == SL_OK && !find_targets(m)) {
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        start_heads(m);
        vapour_heads(m, diags);
        sl_surge_bounds_find(m);
        sl_surge_nodes_prepare(m);
        status = sl_surge_lay_cells(m);
    }
    if (status == SL_OK) {
        sl_surge_history unused;
        m->state_size = sl_surge_state_bytes(m);
        m->history_size = sl_surge_history_bind(m, &unused, NULL);
        m->grid.state_bytes = 2 * m->state_size + m->history_size;
        m->hash = hash_of(m);
        sl_surge_effects(m, diags);
    }
    if (status == SL_OK && m->def.friction == SL_SURGE_RTHYM_FILTER) {
        sl_surge_add_diag(
            m, diags, SL_WARNING, SL_CODE_UNSOUND, 0, NULL, NULL, "use it to compare with that program only",
            "friction rthym-filter is no friction: it adds energy, and heads may exceed what is possible");
    }
    return status;
}

sl_status sl_surge_model_create(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                                sl_surge_model **out) {
    *out = NULL;
    sl_surge_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    m->net = net;
    m->grid.worst_pipe = m->grid.step_pipe = -1;
    sl_network_retain(net);
    sl_arena_init(&m->arena, ctx);
    sl_status status = make(m, def, diags);
    if (status != SL_OK) {
        sl_surge_model_destroy(m);
        return status;
    }
    *out = m;
    return SL_OK;
}

void sl_surge_model_destroy(sl_surge_model *m) {
    if (m) {
        sl_ldl_destroy(m->ldl);
        sl_arena_fini(&m->arena);
        sl_network_release(m->net);
        sl_free(m->ctx, m, sizeof *m);
    }
}

void sl_surge_model_grid(const sl_surge_model *m, sl_surge_grid *out) {
    *out = m->grid;
}
