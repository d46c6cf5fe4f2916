/* SPDX-License-Identifier: MIT */
/* ports.c: how water leaves at nodes, matched to the steady start, and who ends where.
 *
 * A demand is an orifice (or fixed) that gives what it gives at the start; emitters and leaks of the network keep their
 * exponents and are matched in their coefficients; outlets of the study come on top or take their share of the demand.
 * What rounding leaves is a fixed demand, so that every junction starts in balance.
 */
#include "surge/impl.h"

#include <math.h>

/* Below this pressure at the start a demand is taken as fixed: an orifice would have to be huge [m]. */
#define PRESSURE_LEAST 0.5

static void add_port(sl_surge_model *m, int32_t node, int32_t kind, int32_t outlet, double c, double n, double zero,
                     bool both_ways) {
    m->ports[m->n_port++] = (sl_surge_port){
        .node = node, .kind = kind, .outlet = outlet, .c = c, .n = n, .zero = zero, .both_ways = both_ways};
}

static double port_flow(const sl_surge_port *p, double factor, double head) {
    double y = head - p->zero;
    double q = factor * p->c * pow(fabs(y), p->n);
    return y >= 0.0 ? q : p->both_ways ? -q : 0.0;
}

/* Outlets at a node: those that are open take their part of what is left of the demand. */
static bool add_outlets(sl_surge_model *m, int32_t node, double *left, sl_diags *diags) {
    for (int32_t i = 0; i < m->def.n_outlet; i++) {
        const sl_surge_outlet *o = &m->def.outlets[i];
        if (o->node != node) {
            continue;
        }
        double zero = isnan(o->back) ? m->z[node] : o->back, y = m->start_head[node] - zero, c = o->coefficient;
        if (isnan(c)) {
            c = y > 0.0 && o->opening > 0.0 ? fmax(*left, 0.0) / (o->opening * pow(y, o->exponent)) : 0.0;
        }
        sl_surge_port p = {.c = c, .n = o->exponent, .zero = zero, .both_ways = o->backflow};
        double q = port_flow(&p, o->opening, m->start_head[node]);
        if (q > fmax(*left, 0.0) * (1.0 + 1e-6) + 1e-9) {
            sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_VALUE_RANGE, o->line, "outlet", o->name,
                              "let it open by an event, give the node more demand, or leave the coefficient out",
                              "open at the start it lets out %.6g m3/s, more than the demand of its node, %.6g m3/s", q,
                              *left);
            return false;
        }
        add_port(m, node, SL_PORT_OUTLET, i, c, o->exponent, zero, o->backflow);
        *left -= q;
    }
    return true;
}

static bool ports_of(sl_surge_model *m, const sl_surge_steady *s, int32_t i, sl_diags *diags) {
    const sl_network *net = m->net;
    bool junction = i < net->n_junction;
    double left = junction ? m->start_demand[i] : 0.0, z = m->z[i], y = m->start_head[i] - z;
    int32_t first = m->n_port;
    if (junction && net->emitter_coef[i] > 0.0) {
        double n = net->hydraulics.emitter_exponent, c = net->emitter_coef[i];
        c = s->emitter[i] > 0.0 && y > 0.0 ? s->emitter[i] / pow(y, n) : c;
        add_port(m, i, SL_PORT_NETWORK, -1, c, n, z, net->hydraulics.emitter_backflow);
        left -= port_flow(&m->ports[m->n_port - 1], 1.0, m->start_head[i]);
    }
    if (junction && s->leak[i] > 0.0 && y > 0.0) {
        add_port(m, i, SL_PORT_NETWORK, -1, s->leak[i] / sqrt(y), 0.5, z, false);
        left -= s->leak[i];
    }
    if (!add_outlets(m, i, &left, diags)) {
        return false;
    }
    if (junction && left > 0.0 && y > PRESSURE_LEAST && m->def.demand != SL_SURGE_DEMAND_FIXED &&
        left > SL_SURGE_DEMAND_NONE) {
        add_port(m, i, SL_PORT_DEMAND, -1, left / sqrt(y), 0.5, z, m->def.demand == SL_SURGE_DEMAND_INTRUSION);
    }
    if (junction) { /* the rest is fixed, times the factor of the demand */
        double all = 0.0;
        for (int32_t k = first; k < m->n_port; k++) {
            const sl_surge_port *p = &m->ports[k];
            all += port_flow(p, p->kind == SL_PORT_OUTLET ? m->def.outlets[p->outlet].opening : 1.0, m->start_head[i]);
        }
        m->start_demand[i] -= all;
    }
    return true;
}

static sl_status list_ends(sl_surge_model *m) {
    bool bad = false;
    m->end_start = sl_surge_alloc(m, (int64_t)m->n_node + 2, sizeof *m->end_start, &bad);
    m->ends = sl_surge_alloc(m, 2 * (int64_t)m->n_segment, sizeof *m->ends, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        m->end_start[m->segments[k].from + 2]++;
        m->end_start[m->segments[k].to + 2]++;
    }
    for (int32_t i = 2; i <= m->n_node + 1; i++) {
        m->end_start[i] += m->end_start[i - 1];
    }
    for (int32_t k = 0; k < m->n_segment; k++) {
        for (int32_t side = 0; side < 2; side++) {
            int32_t node = side ? m->segments[k].to : m->segments[k].from;
            m->ends[m->end_start[node + 1]++] = side * m->n_segment + k;
        }
    }
    return SL_OK;
}

/* Nodes at joints are solved together. */
static sl_status join(sl_surge_model *m) {
    bool bad = false;
    m->node_slot = sl_surge_alloc(m, m->n_node, sizeof *m->node_slot, &bad);
    m->slot_node = sl_surge_alloc(m, m->n_node, sizeof *m->slot_node, &bad);
    int32_t *from = sl_surge_alloc(m, m->n_joint, sizeof *from, &bad);
    int32_t *to = sl_surge_alloc(m, m->n_joint, sizeof *to, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        m->node_slot[i] = -1;
    }
    for (int32_t k = 0; k < m->n_joint; k++) {
        int32_t node[2] = {m->joints[k].from, m->joints[k].to}, slot[2];
        for (int i = 0; i < 2; i++) {
            if (m->node_slot[node[i]] < 0 && m->kind[node[i]] != SL_NODE_FIXED) {
                m->slot_node[m->n_slot] = node[i];
                m->node_slot[node[i]] = m->n_slot++;
            }
            slot[i] = m->node_slot[node[i]];
        }
        from[k] = slot[0];
        to[k] = slot[1];
    }
    return m->n_joint > 0 ? sl_ldl_create(m->ctx, m->n_slot, m->n_joint, from, to, &m->ldl) : SL_OK;
}

static void fill_gas(sl_surge_model *m) {
    if (m->def.cavitation != SL_SURGE_DGCM) {
        return;
    }
    double head = (m->fluid.atmospheric_pressure - m->fluid.vapour_pressure) / (m->fluid.density * m->fluid.gravity);
    for (int32_t k = 0; k < m->n_segment; k++) {
        sl_surge_segment *g = &m->segments[k];
        double c = head * m->def.gas_fraction * g->area * g->reach;
        g->gas = c;
        m->gas[g->from] += 0.5 * c;
        m->gas[g->to] += 0.5 * c;
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        m->gas[i] = m->kind[i] == SL_NODE_FREE ? m->gas[i] : 0.0;
    }
}

sl_status sl_surge_ports(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags) {
    const sl_network *net = m->net;
    bool bad = false, fine = true;
    m->ports = sl_surge_alloc(m, 3 * (int64_t)net->n_junction + m->def.n_outlet, sizeof *m->ports, &bad);
    m->port_start = sl_surge_alloc(m, (int64_t)m->n_node + 1, sizeof *m->port_start, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < m->n_node; i++) {
        m->port_start[i] = m->n_port;
        fine = ports_of(m, s, i, diags) && fine;
    }
    m->port_start[m->n_node] = m->n_port;
    fill_gas(m);
    sl_status status = fine ? list_ends(m) : SL_ERR_INPUT;
    return status == SL_OK ? join(m) : status;
}
