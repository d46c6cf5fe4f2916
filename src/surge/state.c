/* SPDX-License-Identifier: MIT */
/* state.c: the state of a run as one block of bytes: where things lie in it, how it begins, and what lies between two.
 *
 * Arrays over points come first, each padded to 64 bytes; then what is small, which a step copies whole.
 */
#include "surge/impl.h"

#include <math.h>
#include <string.h>

typedef struct layout {
    unsigned char *block; /* NULL: only counting */
    size_t at;
} layout;

static void *take(layout *l, int64_t n, size_t size) {
    size_t at = l->at;
    l->at += ((size_t)n * size + 63) / 64 * 64;
    return l->block ? l->block + at : NULL;
}

static void doubles(layout *l, int64_t n, int count, double **const *to) {
    for (int i = 0; i < count; i++) {
        *to[i] = take(l, n, sizeof(double));
    }
}
#define TAKE(n, ...) \
    doubles(&l, (n), (int)(sizeof((double **[]){__VA_ARGS__}) / sizeof(double **)), (double **[]){__VA_ARGS__})

static size_t lay_out(const sl_surge_model *m, sl_surge_state *s, unsigned char *block, size_t *small_at) {
    layout l = {block, 0};
    bool cavities = sl_surge_has_cavities(m);
    s->block = block;
    TAKE(m->n_point, &s->head, &s->qin, &s->qout, &s->r, &s->hmax, &s->hmin, &s->tmax, &s->tmin);
    if (cavities) {
        TAKE(m->n_point, &s->cavity, &s->cavity_max, &s->cavity_first, &s->cavity_time, &s->cavity_count);
    }
    TAKE(m->n_point * m->n_memory, &s->memory);
    *small_at = l.at;
    s->x = take(&l, 1, sizeof *s->x);
    TAKE(m->n_node, &s->node_head, &s->node_out, &s->node_gas, &s->factor, &s->fixed, &s->given, &s->node_max,
         &s->node_min, &s->node_tmax, &s->node_tmin, &s->node_gas_max, &s->node_first, &s->node_time, &s->node_count);
    TAKE(m->n_segment, &s->seen, &s->broken);
    TAKE(m->net->n_pipe, &s->pipe_joined);
    TAKE(m->net->n_node, &s->turned_at, &s->turns);
    TAKE(m->n_port, &s->port_flow);
    TAKE(m->n_joint, &s->joint_flow, &s->opening, &s->asked, &s->by_hand, &s->slow_flow, &s->turned);
    TAKE(m->n_pump, &s->speed, &s->torque, &s->tripped);
    TAKE(m->net->n_tank, &s->tank_in, &s->overflow);
    TAKE(m->def.n_outlet, &s->outlet);
    TAKE(m->def.n_event, &s->event_at, &s->event_from);
    TAKE(m->def.n_trigger, &s->trigger_since, &s->trigger_at);
    TAKE(m->n_target, &s->ruler);
    return l.at;
}

size_t sl_surge_state_bytes(sl_surge_model *m) {
    sl_surge_state unused;
    return lay_out(m, &unused, NULL, &m->small_at);
}

void sl_surge_state_bind(const sl_surge_model *m, sl_surge_state *s, void *block) {
    size_t unused;
    memset(s, 0, sizeof *s);
    (void)lay_out(m, s, block, &unused);
}

static void fill(double *x, int64_t n, double value) {
    for (int64_t i = 0; i < n; i++) {
        x[i] = value;
    }
}

static void start_points(const sl_surge_model *m, sl_surge_state *s) {
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        if (m->pipe[k].rigid) {
            double q = m->joints[m->joint_of_link[k]].flow;
            fill(s->qin + m->point_start[k], 2, q);
            fill(s->qout + m->point_start[k], 2, q);
        }
    }
    memcpy(s->head, m->point_start_head, (size_t)m->n_point * sizeof(double));
    for (int32_t k = 0; k < m->n_segment; k++) {
        const sl_surge_segment *g = &m->segments[k];
        fill(s->qin + g->at, g->n + 1, g->flow);
        fill(s->qout + g->at, g->n + 1, g->flow);
        sl_surge_slope(m, &g->loss, g->n + 1, s->qin + g->at, s->r + g->at);
        if (m->def.friction == SL_SURGE_RTHYM_FILTER) {
            fill(s->memory + g->at, g->n + 1, g->flow);
        }
    }
    memcpy(s->hmax, s->head, (size_t)m->n_point * sizeof(double));
    memcpy(s->hmin, s->head, (size_t)m->n_point * sizeof(double));
    for (int64_t i = 0; i < m->n_point && s->cavity; i++) {
        s->cavity[i] = s->cavity_max[i] = m->point_gas[i] / (m->point_start_head[i] - m->vapour[i]);
        s->cavity_first[i] = (double)NAN;
    }
}

static void start_nodes(const sl_surge_model *m, sl_surge_state *s) {
    size_t bytes = (size_t)m->n_node * sizeof(double);
    memcpy(s->node_head, m->start_head, bytes);
    memcpy(s->given, m->start_head, bytes);
    memcpy(s->node_max, m->start_head, bytes);
    memcpy(s->node_min, m->start_head, bytes);
    memcpy(s->turned_at, m->start_head, (size_t)m->net->n_node * sizeof(double));
    fill(s->factor, m->n_node, 1.0);
    fill(s->node_first, m->n_node, (double)NAN);
    for (int32_t i = 0; i < m->n_node; i++) {
        s->node_gas[i] = s->node_gas_max[i] = m->gas[i] / (m->start_head[i] - m->node_vapour[i]);
        s->node_out[i] = m->start_demand[i];
    }
    for (int32_t i = 0; i < m->def.n_outlet; i++) {
        s->outlet[i] = m->def.outlets[i].opening;
    }
    for (int32_t i = 0; i < m->n_port; i++) {
        const sl_surge_port *p = &m->ports[i];
        double y = fmax(m->start_head[p->node] - p->zero, 0.0);
        s->port_flow[i] = (p->kind == SL_PORT_OUTLET ? s->outlet[p->outlet] : 1.0) * p->c * pow(y, p->n);
        s->node_out[p->node] += s->port_flow[i];
    }
    for (int32_t i = 0; i < m->net->n_tank; i++) {
        s->tank_in[i] = m->start_demand[m->net->n_junction + m->net->n_reservoir + i];
    }
}

void sl_surge_state_start(const sl_surge_model *m, sl_surge_state *s) {
    memset(s->block, 0, m->state_size);
    start_points(m, s);
    start_nodes(m, s);
    for (int32_t i = 0; i < m->n_joint; i++) {
        s->joint_flow[i] = s->slow_flow[i] = m->joints[i].flow;
        s->opening[i] = s->asked[i] = m->joints[i].opening;
    }
    for (int32_t i = 0; i < m->n_pump; i++) {
        const sl_surge_machine *p = &m->pumps[i];
        double h;
        s->speed[i] = p->speed;
        sl_surge_suter(p, m->joints[p->joint].flow / p->q_rated, p->speed, &h, &s->torque[i]);
    }
    fill(s->seen, m->n_segment, -1.0);
    fill(s->event_at, m->def.n_event, (double)NAN);
    fill(s->trigger_since, m->def.n_trigger, (double)NAN);
    fill(s->trigger_at, m->def.n_trigger, (double)NAN);
    fill(s->ruler, m->n_target, -1.0);
    for (int i = 0; i < SL_SURGE_ALARM_COUNT; i++) {
        s->x->alarms[i] =
            (sl_surge_alarm_state){.first = (double)NAN, .time = (double)NAN, .node = -1, .pipe = -1, .chainage = -1.0};
    }
    s->x->broke_node = s->x->broke_pipe = -1;
    sl_surge_balance_start(m, s);
}

static void mix(double *to, const double *a, const double *b, int64_t n, double part) {
    for (int64_t i = 0; i < n; i++) {
        to[i] = a[i] + (b[i] - a[i]) * part;
    }
}

void sl_surge_state_between(const sl_surge_model *m, sl_surge_state *to, const sl_surge_state *a,
                            const sl_surge_state *b, double t) {
    double part = (t - a->x->time) / (b->x->time - a->x->time);
    memcpy(to->block, a->block, m->state_size);
    mix(to->head, a->head, b->head, m->n_point, part);
    mix(to->qin, a->qin, b->qin, m->n_point, part);
    mix(to->qout, a->qout, b->qout, m->n_point, part);
    mix(to->r, a->r, b->r, m->n_point, part);
    mix(to->memory, a->memory, b->memory, m->n_point * m->n_memory, part);
    if (to->cavity) {
        mix(to->cavity, a->cavity, b->cavity, m->n_point, part);
    }
    mix(to->node_head, a->node_head, b->node_head, m->n_node, part);
    mix(to->node_out, a->node_out, b->node_out, m->n_node, part);
    mix(to->node_gas, a->node_gas, b->node_gas, m->n_node, part);
    mix(to->port_flow, a->port_flow, b->port_flow, m->n_port, part);
    mix(to->joint_flow, a->joint_flow, b->joint_flow, m->n_joint, part);
    mix(to->opening, a->opening, b->opening, m->n_joint, part);
    mix(to->speed, a->speed, b->speed, m->n_pump, part);
    mix(to->torque, a->torque, b->torque, m->n_pump, part);
    mix(to->tank_in, a->tank_in, b->tank_in, m->net->n_tank, part);
    mix(to->overflow, a->overflow, b->overflow, m->net->n_tank, part);
    const double *from = (const double *)(const void *)&a->x->balance,
                 *until = (const double *)(const void *)&b->x->balance;
    mix((double *)(void *)&to->x->balance, from, until, (int64_t)(sizeof(sl_surge_balance) / sizeof(double)), part);
    to->x->begin = to->x->time = t;
    to->x->n = 0;
}
