/* SPDX-License-Identifier: MIT */
/* layout.c: the network as the engine sees it: nodes, segments with their points, joints.
 *
 * A pipe with travel time is a segment, or several when outlets divide it. A pipe that is closed, has a check valve or an
 * opening that can change has a shut-off at its first node: a joint, and a node of its own behind it. Rigid pipes, pumps
 * and valves are joints. Points lie pipe by pipe, in the order of the network.
 */
#include "surge/impl.h"

#include "laws/constants.h"
#include "numeric/curve.h"

#include <math.h>

/* Marks pipes that need a shut-off. */
static void mark_gates(const sl_surge_model *m, const sl_surge_steady *s, uint8_t *gate) {
    const sl_network *net = m->net;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        gate[k] = net->pipe_check[k] || s->closed[k];
    }
    for (int32_t i = 0; i < m->def.n_event; i++) {
        if (m->def.events[i].what == SL_SURGE_VALVE_OPENING && m->def.events[i].index < net->n_pipe) {
            gate[m->def.events[i].index] = 1;
        }
    }
    for (int32_t i = 0; i < m->def.n_valve; i++) {
        if (m->def.valves[i].link < net->n_pipe) {
            gate[m->def.valves[i].link] = 1;
        }
    }
}

/* The next outlet of a pipe after a reach, or n_reach. */
static int32_t next_cut(const sl_surge_model *m, int32_t pipe, int32_t after) {
    const sl_surge_pipe *p = &m->pipe[pipe];
    int32_t next = p->n_reach;
    for (int32_t i = 0; i < m->def.n_outlet; i++) {
        const sl_surge_outlet *o = &m->def.outlets[i];
        if (o->node < 0 && o->pipe == pipe && !p->rigid) {
            int32_t at = (int32_t)fmin(fmax(round(o->chainage / p->reach), 0.0), (double)p->n_reach);
            next = at > after && at < next ? at : next;
        }
    }
    return next;
}

static void count_things(sl_surge_model *m, const uint8_t *gate, int32_t *n_extra) {
    const sl_network *net = m->net;
    *n_extra = 0;
    m->n_segment = 0;
    m->n_joint = net->n_pump + net->n_valve;
    m->n_point = 0;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (m->pipe[k].rigid) {
            m->n_joint++;
            m->n_point += 2;
            continue;
        }
        m->n_joint += gate[k];
        *n_extra += gate[k];
        int32_t at = 0;
        while (at < m->pipe[k].n_reach) {
            at = next_cut(m, k, at);
            m->n_segment++;
            *n_extra += at < m->pipe[k].n_reach;
        }
        m->n_point += m->pipe[k].n_reach + 1;
    }
}

static int32_t add_node(sl_surge_model *m, double z, double head) {
    int32_t i = m->n_node++;
    m->z[i] = z;
    m->start_head[i] = head;
    m->kind[i] = SL_NODE_FREE;
    return i;
}

static sl_surge_joint *add_joint(sl_surge_model *m, int32_t link, int32_t from, int32_t to) {
    sl_surge_joint *j = &m->joints[m->n_joint++];
    *j = (sl_surge_joint){.link = link,
                          .from = from,
                          .to = to,
                          .pump = -1,
                          .opening = 1.0,
                          .inverse0 = 1.0,
                          .regulates = -1,
                          .loss_curve = -1};
    m->joint_of_link[link] = (int32_t)(j - m->joints);
    return j;
}

/* Outlets at this place of the pipe stand at this node. */
static void place_outlets(sl_surge_model *m, int32_t pipe, int32_t reach, int32_t node) {
    for (int32_t i = 0; i < m->def.n_outlet; i++) {
        sl_surge_outlet *o = SL_SURGE_OWN(sl_surge_outlet, &m->def.outlets[i]);
        const sl_surge_pipe *p = &m->pipe[pipe];
        if (o->node < 0 && o->pipe == pipe) {
            int32_t at = p->rigid ? (o->chainage > 0.5 * p->length ? 1 : 0)
                                  : (int32_t)fmin(fmax(round(o->chainage / p->reach), 0.0), (double)p->n_reach);
            o->node = at == reach ? node : o->node;
        }
    }
}

/* Elevation along a pipe: surveyed, or straight between its nodes. */
static double elevation_at(const sl_surge_model *m, int32_t pipe, double chainage) {
    const sl_network *net = m->net;
    if (m->survey_of[pipe] >= 0) {
        const sl_surge_survey *v = &m->def.surveys[m->survey_of[pipe]];
        return sl_curve_value(v->chainage, v->elevation, v->n, chainage, false);
    }
    /* A reservoir's elevation is its head: the pipe is taken to leave it at the level of its other end. */
    int32_t a = net->link_from[pipe], b = net->link_to[pipe], first = net->n_junction, last = first + net->n_reservoir;
    double za = net->node_elevation[a >= first && a < last ? b : a];
    double zb = net->node_elevation[b >= first && b < last ? a : b];
    bool both = a >= first && a < last && b >= first && b < last;
    za = both ? fmin(net->node_elevation[a], net->node_elevation[b]) : za;
    zb = both ? za : zb;
    return za + (zb - za) * (chainage / net->pipe_length[pipe]);
}

static void add_points(sl_surge_model *m, sl_surge_segment *g, const sl_surge_pipe *p, int32_t first) {
    for (int32_t j = 0; j <= g->n; j++) {
        double x = (double)(first + j) / (double)p->n_reach * p->length;
        m->chainage[g->at + j] = x;
        m->elevation[g->at + j] = elevation_at(m, g->pipe, x);
    }
}

static void lay_pipe(sl_surge_model *m, int32_t k, const sl_surge_steady *s) {
    const sl_network *net = m->net;
    const sl_surge_pipe *p = &m->pipe[k];
    int32_t to = net->link_to[k], node = net->link_from[k], at = 0;
    if (m->joint_of_link[k] == -2) { /* a shut-off; what is behind it has the pressure of the far end when it is shut */
        int32_t inner = add_node(m, elevation_at(m, k, 0.0), s->closed[k] ? m->start_head[to] : m->start_head[node]);
        sl_surge_joint *j = add_joint(m, k, node, inner);
        j->one_way = net->pipe_check[k];
        j->moves = true;
        node = inner;
    } else {
        m->joint_of_link[k] = -1;
    }
    double h_from = m->start_head[node], h_to = m->start_head[to];
    double area = SL_PI * p->diameter * p->diameter / 4.0;
    place_outlets(m, k, 0, node);
    while (at < p->n_reach) {
        int32_t next = next_cut(m, k, at);
        double x = (double)next / (double)p->n_reach;
        int32_t end =
            next < p->n_reach ? add_node(m, elevation_at(m, k, x * p->length), h_from + (h_to - h_from) * x) : to;
        sl_surge_segment *g = &m->segments[m->n_segment++];
        *g = (sl_surge_segment){.pipe = k,
                                .from = node,
                                .to = end,
                                .n = next - at,
                                .at = m->n_point,
                                .chain = (double)at * p->reach,
                                .reach = p->reach,
                                .a = p->wave_speed_used,
                                .b = p->wave_speed_used / (m->fluid.gravity * area),
                                .area = area,
                                .diameter = p->diameter,
                                .courant = p->courant,
                                .flow = s->flow[k],
                                .datum = 0.5 * (h_from + h_to)};
        add_points(m, g, p, at);
        m->n_point += g->n + 1;
        place_outlets(m, k, next, end);
        node = end;
        at = next;
    }
}

static void lay_rigid(sl_surge_model *m, int32_t k) {
    const sl_network *net = m->net;
    const sl_surge_pipe *p = &m->pipe[k];
    double area = SL_PI * p->diameter * p->diameter / 4.0, g = m->fluid.gravity;
    int32_t from = net->link_from[k], to = net->link_to[k];
    sl_surge_joint *j = add_joint(m, k, from, to);
    j->rigid = true;
    j->one_way = net->pipe_check[k];
    j->moves = true;
    j->inertia = p->length / (g * area);
    double storage = g * area * p->length / (p->wave_speed * p->wave_speed);
    m->storage[from] += 0.5 * storage;
    m->storage[to] += 0.5 * storage;
    for (int i = 0; i < 2; i++, m->n_point++) {
        m->chainage[m->n_point] = i ? p->length : 0.0;
        m->elevation[m->n_point] = elevation_at(m, k, m->chainage[m->n_point]);
    }
    place_outlets(m, k, 0, from);
    place_outlets(m, k, 1, to);
}

static void lay_machines(sl_surge_model *m) {
    const sl_network *net = m->net;
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        sl_surge_joint *j = add_joint(m, k, net->link_from[k], net->link_to[k]);
        j->pump = k < net->n_pipe + net->n_pump ? k - net->n_pipe : -1;
        j->moves = j->pump < 0;
    }
}

static bool make_arrays(sl_surge_model *m, int32_t n_extra) {
    const sl_network *net = m->net;
    bool bad = false;
    int64_t most = (int64_t)net->n_node + n_extra, points = m->n_point + n_extra;
    double **of_nodes[] = {&m->z, &m->start_head, &m->start_demand, &m->storage, &m->gas, &m->node_vapour};
    for (int i = 0; i < 6; i++) {
        *of_nodes[i] = sl_surge_alloc(m, most, sizeof(double), &bad);
    }
    m->kind = sl_surge_alloc(m, most, 1, &bad);
    m->node_plain = sl_surge_alloc(m, most, 1, &bad);
    double **of_points[] = {&m->chainage, &m->elevation, &m->vapour, &m->point_start_head};
    for (int i = 0; i < 4; i++) {
        *of_points[i] = sl_surge_alloc(m, points, sizeof(double), &bad);
    }
    m->segments = sl_surge_alloc(m, m->n_segment, sizeof *m->segments, &bad);
    m->joints = sl_surge_alloc(m, m->n_joint, sizeof *m->joints, &bad);
    m->point_start = sl_surge_alloc(m, (int64_t)net->n_pipe + 1, sizeof *m->point_start, &bad);
    m->survey_of = sl_surge_alloc(m, net->n_pipe, sizeof *m->survey_of, &bad);
    m->joint_of_link = sl_surge_alloc(m, net->n_link, sizeof *m->joint_of_link, &bad);
    m->probe_point = sl_surge_alloc(m, m->def.n_probe, sizeof *m->probe_point, &bad);
    m->tanks = sl_surge_alloc(m, net->n_tank, sizeof *m->tanks, &bad);
    return !bad;
}

static void lay_nodes(sl_surge_model *m, const sl_surge_steady *s) {
    const sl_network *net = m->net;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        m->survey_of[k] = -1;
    }
    for (int32_t i = 0; i < m->def.n_survey; i++) {
        m->survey_of[m->def.surveys[i].pipe] = i;
    }
    int32_t first_tank = net->n_junction + net->n_reservoir;
    m->n_node = net->n_node;
    for (int32_t i = 0; i < net->n_node; i++) {
        m->z[i] = net->node_elevation[i];
        m->start_head[i] = s->head[i];
        m->start_demand[i] = s->demand[i];
        m->kind[i] = i < net->n_junction                                     ? SL_NODE_FREE
                     : i < first_tank || m->def.tanks == SL_SURGE_TANKS_HOLD ? SL_NODE_FIXED
                                                                             : SL_NODE_TANK;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        m->tanks[i] = sl_tank_law_of(net, i);
    }
    for (int32_t i = 0; i < m->def.n_event; i++) { /* a head that is given */
        const sl_surge_event *v = &m->def.events[i];
        if (v->what == SL_SURGE_HEAD) {
            m->kind[v->index] = SL_NODE_FIXED;
        }
    }
}

static void place_probes(sl_surge_model *m) {
    for (int32_t i = 0; i < m->def.n_probe; i++) {
        const sl_surge_probe *v = &m->def.probes[i];
        int64_t best = m->point_start[v->pipe];
        for (int64_t p = best; p < m->point_start[v->pipe + 1]; p++) {
            if (fabs(m->chainage[p] - v->chainage) < fabs(m->chainage[best] - v->chainage)) {
                best = p;
            }
        }
        m->probe_point[i] = best;
    }
}

sl_status sl_surge_layout(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags) {
    (void)diags;
    const sl_network *net = m->net;
    int32_t n_extra = 0;
    uint8_t *gate = sl_alloc(m->ctx, (size_t)net->n_pipe + 1);
    if (!gate) {
        return SL_ERR_MEMORY;
    }
    mark_gates(m, s, gate);
    count_things(m, gate, &n_extra);
    if (!make_arrays(m, n_extra)) {
        sl_free(m->ctx, gate, (size_t)net->n_pipe + 1);
        return SL_ERR_MEMORY;
    }
    lay_nodes(m, s);
    m->n_segment = m->n_joint = 0;
    m->n_point = 0;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        m->point_start[k] = m->n_point;
        m->joint_of_link[k] = gate[k] ? -2 : -1;
        if (m->pipe[k].rigid) {
            lay_rigid(m, k);
        } else {
            lay_pipe(m, k, s);
        }
    }
    sl_free(m->ctx, gate, (size_t)net->n_pipe + 1);
    m->point_start[net->n_pipe] = m->n_point;
    lay_machines(m);
    place_probes(m);
    m->grid.n_point = m->n_point;
    return sl_surge_group_segments(m);
}
