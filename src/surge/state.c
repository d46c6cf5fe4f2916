/* SPDX-License-Identifier: MIT */
/* state.c: the state of a run as one block of bytes: where things lie in it, how it begins, and what lies between two.
 *
 * Arrays over cells and nodes, which a step writes whole, come first, each padded to 64 bytes; then what rarely changes, which a
 * step copies where it did; then what is small, which it copies whole.
 */
#include "surge/points.h"

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

typedef struct parts {
    size_t rare, small;
} parts;

static size_t lay_out(const sl_surge_model *m, sl_surge_state *s, unsigned char *block, parts *at) {
    layout l = {block, 0};
    bool gas = m->def.cavitation == SL_SURGE_DGCM || m->def.cavitation == SL_SURGE_DVCM;
    s->block = block;
    TAKE(m->n_cell, &s->plus, &s->minus, &s->ease);
    if (gas) {
        TAKE(m->n_cell, &s->head, &s->cavity);
    }
    TAKE(m->n_cell * m->n_memory, &s->memory);
    if (m->def.friction == SL_SURGE_CONVOLUTION) {
        TAKE(m->n_cell, &s->pull);
    }
    TAKE(m->n_group, &s->seen);
    TAKE(m->net->n_node, &s->turned_at, &s->turns);
    TAKE(m->n_node, &s->node_head, &s->node_out, &s->node_gas);
    at->rare = l.at;
    TAKE(m->n_node, &s->factor, &s->fixed, &s->given, &s->node_first, &s->node_time, &s->node_count);
    TAKE(m->n_segment, &s->broken);
    TAKE(m->net->n_pipe, &s->pipe_joined);
    at->small = l.at;
    s->x = take(&l, 1, sizeof *s->x);
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
    parts at;
    memset(&unused, 0, sizeof unused);
    size_t bytes = lay_out(m, &unused, NULL, &at);
    m->rare_at = at.rare;
    m->small_at = at.small;
    return bytes;
}

void sl_surge_state_bind(const sl_surge_model *m, sl_surge_state *s, void *block) {
    parts unused;
    memset(s, 0, sizeof *s);
    (void)lay_out(m, s, block, &unused);
}

size_t sl_surge_history_bind(const sl_surge_model *m, sl_surge_history *h, void *block) {
    layout l = {block, 0};
    memset(h, 0, sizeof *h);
    h->block = block;
    TAKE(1, &h->until);
    if (m->def.envelopes) {
        TAKE(m->n_cell, &h->hmax, &h->hmin, &h->tmax, &h->tmin);
    }
    if (sl_surge_has_cavities(m)) {
        TAKE(m->n_cell, &h->cavity_max, &h->cavity_first, &h->cavity_time, &h->cavity_count);
    }
    TAKE(m->n_node, &h->node_max, &h->node_min, &h->node_tmax, &h->node_tmin, &h->node_gas_max);
    return l.at;
}

static void fill(double *x, int64_t n, double value) {
    for (int64_t i = 0; i < n; i++) {
        x[i] = value;
    }
}

static void start_segment(const sl_surge_model *m, sl_surge_state *s, const sl_surge_segment *g) {
    double r, w = m->implicit;
    sl_surge_slope(m, &g->loss, 1, &g->flow, &r);
    double ease = w > 0.0 ? g->b / (g->b + w * r) : 1.0 - 0.5 * r / g->b, z = g->b + w * r;
    for (int32_t j = 0; j <= g->n; j++) {
        int64_t i = sl_surge_cell(g, j);
        double h = m->point_start_head[g->at + j];
        s->plus[i] = h + z * g->flow;
        s->minus[i] = h - z * g->flow;
        s->ease[i] = ease;
        if (s->head) {
            s->head[i] = h;
            s->cavity[i] = j > 0 && j < g->n ? g->gas / (h - m->vapour[g->at + j]) : 0.0;
        }
        if (m->def.friction == SL_SURGE_RTHYM_FILTER) {
            s->memory[i] = g->flow;
        }
    }
}

static void start_nodes(const sl_surge_model *m, sl_surge_state *s) {
    size_t bytes = (size_t)m->n_node * sizeof(double);
    memcpy(s->node_head, m->start_head, bytes);
    memcpy(s->given, m->start_head, bytes);
    memcpy(s->turned_at, m->start_head, (size_t)m->net->n_node * sizeof(double));
    fill(s->factor, m->n_node, 1.0);
    fill(s->node_first, m->n_node, (double)NAN);
    for (int32_t i = 0; i < m->n_node; i++) {
        s->node_gas[i] = m->gas[i] / (m->start_head[i] - m->node_vapour[i]);
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
    for (int32_t k = 0; k < m->n_segment; k++) {
        start_segment(m, s, &m->segments[k]);
    }
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
    fill(s->seen, m->n_group, -1.0);
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
    mix(to->plus, a->plus, b->plus, m->n_cell, part);
    mix(to->minus, a->minus, b->minus, m->n_cell, part);
    mix(to->ease, a->ease, b->ease, m->n_cell, part);
    mix(to->memory, a->memory, b->memory, m->n_cell * m->n_memory, part);
    if (to->head) {
        mix(to->head, a->head, b->head, m->n_cell, part);
        mix(to->cavity, a->cavity, b->cavity, m->n_cell, part);
    }
    if (to->pull) {
        mix(to->pull, a->pull, b->pull, m->n_cell, part);
    }
    for (int32_t k = 0; k < m->n_group; k++) { /* there may be a cavity where there is one before or after */
        to->seen[k] = sl_surge_seen(b, k) ? (double)a->x->n_step : a->seen[k];
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
