/* SPDX-License-Identifier: MIT */
/* fields.c: the engine's quantities: their list, and their values from the state that is shown. */
#include "surge/fields.h"

#include "network/elements.h"
#include "surge/points.h"

#include <stddef.h>

const sl_class sl_surge_classes[SL_CLASS_SURGE_COUNT] = {
    SL_CLASS_NETWORK_ROWS, [SL_CLASS_PROBE] = {"part", "probes on pipes"}};

const sl_field sl_surge_fields[SL_SURGE_FIELD_COUNT] = {
#define SL_SURGE_FIELD(id, ...) [SL_SURGE_F_##id] = {SL_FIELD_MEMBERS(__VA_ARGS__)},
    SL_SURGE_FIELD_LIST(SL_SURGE_FIELD)
#undef SL_SURGE_FIELD
};

int32_t sl_surge_count(const void *engine, int32_t field) {
    const sl_surge_model *m = ((const sl_surge_run *)engine)->m;
    int32_t of = sl_surge_fields[field].of;
    return of == SL_CLASS_PROBE ? m->def.n_probe : sl_elements_count(m->net, of);
}

const char *sl_surge_element(const void *engine, int32_t field, int32_t index) {
    const sl_surge_model *m = ((const sl_surge_run *)engine)->m;
    int32_t of = sl_surge_fields[field].of;
    return of == SL_CLASS_PROBE ? m->def.probes[index].name : sl_elements_id(m->net, of, index);
}

/* Arrays that are shown as they are. */
#define AT(member) (offsetof(sl_surge_state, member) + 1)
static const size_t direct[SL_SURGE_FIELD_COUNT] = {
    [SL_SURGE_F_HEAD] = AT(node_head),
    [SL_SURGE_F_DEMAND] = AT(node_out),
    [SL_SURGE_F_FACTOR] = AT(factor),
    [SL_SURGE_F_CAVITY] = AT(node_gas),
    [SL_SURGE_F_CAVITY_COUNT] = AT(node_count),
    [SL_SURGE_F_OVERFLOW] = AT(overflow),
    [SL_SURGE_F_SPEED] = AT(speed),
    [SL_SURGE_F_TRIPPED] = AT(tripped),
};
#undef AT
#define AT(member) (offsetof(sl_surge_copies, member) + 1)
static const size_t on_page[SL_SURGE_FIELD_COUNT] = {
    [SL_SURGE_F_HEAD_MAX] = AT(node_max),       [SL_SURGE_F_HEAD_MIN] = AT(node_min),
    [SL_SURGE_F_TIME_MAX] = AT(node_tmax),      [SL_SURGE_F_TIME_MIN] = AT(node_tmin),
    [SL_SURGE_F_CAVITY_MAX] = AT(node_gas_max),
};

static double link_flow(const sl_surge_model *m, const sl_surge_state *s, int32_t k, bool end) {
    int32_t j = m->joint_of_link[k];
    if (k >= m->net->n_pipe || (j >= 0 && (!end || m->joints[j].rigid))) {
        return s->joint_flow[j];
    }
    int64_t cell = 0;
    const sl_surge_segment *g = sl_surge_segment_of(m, end ? m->point_start[k + 1] - 1 : m->point_start[k], &cell);
    return g ? sl_surge_flow_at(m, s, g, cell) : 0.0;
}

/* What a probe sees. In a rigid pipe that is its ends. */
static double of_probe(const sl_surge_model *m, const sl_surge_state *s, int32_t field, int32_t i) {
    int64_t point = m->probe_point[i], cell = 0;
    const sl_surge_segment *g = sl_surge_segment_of(m, point, &cell);
    int32_t pipe = m->def.probes[i].pipe;
    bool last = point == m->point_start[pipe + 1] - 1, inner = g && point > g->at && point < g->at + g->n;
    double head =
        g ? sl_surge_head_at(m, s, cell) : s->node_head[last ? m->net->link_to[pipe] : m->net->link_from[pipe]];
    switch (field) {
    case SL_SURGE_F_PROBE_HEAD: return head;
    case SL_SURGE_F_PROBE_PRESSURE: return head - m->elevation[point];
    case SL_SURGE_F_PROBE_FLOW:
        return g ? sl_surge_flow_at(m, s, g, cell) + 0.5 * sl_surge_growth_at(m, s, g, cell)
                 : s->joint_flow[m->joint_of_link[pipe]];
    default: {
        bool clamped = inner && sl_surge_has_cavities(m) && !s->cavity && sl_surge_is_torn(m, s, cell, 0.0);
        return inner && s->cavity ? s->cavity[cell] : clamped ? SL_SURGE_CLAMPED : 0.0;
    }
    }
}

static double of_model(const sl_surge_model *m, const sl_surge_state *s, int32_t field) {
    const sl_surge_balance *b = &s->x->balance;
    switch (field) {
    case SL_SURGE_F_B_INFLOW: return b->inflow;
    case SL_SURGE_F_B_OUTFLOW: return b->outflow;
    case SL_SURGE_F_B_DEMAND: return b->demand;
    case SL_SURGE_F_B_OUTLETS: return b->outlets;
    case SL_SURGE_F_B_TANKS: return b->tanks;
    case SL_SURGE_F_B_STORED: return sl_surge_balance_of(m, s).stored;
    case SL_SURGE_F_B_CAVITIES: return sl_surge_balance_of(m, s).cavities;
    case SL_SURGE_F_B_ERROR: return sl_surge_balance_of(m, s).error;
    case SL_SURGE_F_E_KINETIC: return sl_surge_balance_of(m, s).kinetic;
    case SL_SURGE_F_E_ELASTIC: return sl_surge_balance_of(m, s).elastic;
    case SL_SURGE_F_E_FRICTION: return sl_surge_balance_of(m, s).friction;
    case SL_SURGE_F_STEPS: return (double)s->x->n_step;
    case SL_SURGE_F_ITERATIONS: return (double)s->x->n_iteration;
    case SL_SURGE_F_DT: return m->dt;
    default: return (double)s->x->alarms[field - SL_SURGE_F_A_JOUKOWSKY].count;
    }
}

static double element_value(const sl_surge_model *m, const sl_surge_state *s, int32_t field, int32_t i) {
    const sl_network *net = m->net;
    int32_t tank = net->n_junction + net->n_reservoir + i;
    switch (field) {
    case SL_SURGE_F_PRESSURE: return s->node_head[i] - net->node_elevation[i];
    case SL_SURGE_F_RESERVOIR_HEAD: return s->given[net->n_junction + i];
    case SL_SURGE_F_LEVEL: return s->node_head[tank] - net->node_elevation[tank];
    case SL_SURGE_F_FLOW: return link_flow(m, s, i, false);
    case SL_SURGE_F_FLOW_END: return link_flow(m, s, i, true);
    case SL_SURGE_F_OPENING: return m->joint_of_link[i] >= 0 ? s->opening[m->joint_of_link[i]] : 1.0;
    case SL_SURGE_F_TORQUE: return s->torque[i] * m->pumps[i].torque_rated;
    case SL_SURGE_F_PROBE_HEAD:
    case SL_SURGE_F_PROBE_PRESSURE:
    case SL_SURGE_F_PROBE_FLOW:
    case SL_SURGE_F_PROBE_CAVITY: return of_probe(m, s, field, i);
    default: return of_model(m, s, field);
    }
}

const double *sl_surge_data(sl_surge_run *e, int32_t field) {
    const sl_surge_state *s = e->shown;
    if (direct[field]) {
        return *(double *const *)(const void *)((const char *)s + direct[field] - 1);
    }
    if (on_page[field]) {
        return sl_surge_page_nodes(e) ? *(double *const *)(const void *)((const char *)e->page + on_page[field] - 1)
                                      : NULL;
    }
    int32_t n = sl_surge_count(e, field);
    if (!e->cache[field]) {
        e->cache[field] = sl_alloc(e->ctx, (size_t)(n > 0 ? n : 1) * sizeof(double));
    }
    double *x = e->cache[field];
    for (int32_t i = 0; i < n && x && !e->fresh[field]; i++) {
        x[i] = element_value(e->m, s, field, i);
    }
    e->fresh[field] = x != NULL;
    return x;
}
