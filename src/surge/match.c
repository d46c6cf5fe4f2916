/* SPDX-License-Identifier: MIT */
/* match.c: laws that hold the steady start exactly.
 *
 * The steady solution satisfies its equations to a tolerance, and a surge run would show the rest as little waves. So the
 * law of each element is scaled to pass through its flow and loss at the start: friction by a factor that is 1 but for
 * that tolerance, a valve by its loss coefficient, a pump by a factor of its head. Where nothing flows no factor does it,
 * and the rest becomes a constant head of that element. The largest correction is reported (sl_surge_grid.residual).
 *
 * Regulating valves (PRV, PSV, PBV, FCV, GPV) hold the loss coefficient they have at the start: a wave is faster than
 * their actuators.
 */
#include "surge/impl.h"

#include "laws/constants.h"
#include "numeric/lookup.h"

#include <math.h>

/* A flow that counts as one: a thousandth of a millimetre per second. */
#define VELOCITY_REST 1e-6
/* The velocity at which the friction factor of a pipe at rest is taken [m/s]. */
#define VELOCITY_REFERENCE 0.5

static void note_residual(sl_surge_model *m, double miss) {
    if (fabs(miss) > m->grid.residual) {
        m->grid.residual = fabs(miss);
    }
}

/* The laws of a pipe over n equal lengths. */
static sl_surge_loss laws_of(const sl_surge_model *m, int32_t k, double n) {
    const sl_network *net = m->net;
    double d = net->pipe_diameter[k];
    sl_headloss law = net->hydraulics.headloss;
    double area = SL_PI * d * d / 4.0, q = VELOCITY_REFERENCE * area, r;
    sl_dw_pipe dw = sl_dw_pipe_of(d, net->pipe_roughness[k], net->hydraulics.viscosity);
    sl_surge_loss loss = {.resistance = sl_pipe_resistance(law, net->pipe_length[k], d, net->pipe_roughness[k]) / n,
                          .minor = sl_minor_loss(net->pipe_minor[k], d) / n,
                          .relative = dw.relative,
                          .re_scale = dw.re_scale};
    sl_surge_loss plain = loss;
    sl_surge_model quasi = {.net = net, .def = {.friction = SL_SURGE_QUASI_STEADY}};
    sl_surge_slope(&quasi, &plain, 1, &q, &r);
    loss.steady = r / q;
    return loss;
}

/* Scales the laws so that n lengths lose drop at flow q. */
static void match_loss(sl_surge_model *m, sl_surge_loss *loss, double n, double q, double drop, double area) {
    double r;
    sl_surge_model quasi = {.net = m->net, .def = {.friction = SL_SURGE_QUASI_STEADY}};
    sl_surge_slope(&quasi, loss, 1, &q, &r);
    double lost = n * r * q, factor = lost != 0.0 ? drop / lost : 0.0;
    note_residual(m, drop - lost);
    if (fabs(q) > VELOCITY_REST * area && factor > 0.5 && factor < 2.0) {
        loss->resistance *= factor;
        loss->minor *= factor;
        loss->steady = drop / (n * q * fabs(q));
    }
    sl_surge_slope(m, loss, 1, &q, &r);
    loss->offset = drop / n - r * q;
}

static void match_segment(sl_surge_model *m, sl_surge_segment *g) {
    const sl_surge_pipe *p = &m->pipe[g->pipe];
    /* With interpolation a wave goes less than a reach in a step: its friction is that of its way. */
    double lengths = (double)p->n_reach / g->courant, mine = (double)g->n / g->courant;
    g->loss = laws_of(m, g->pipe, lengths);
    match_loss(m, &g->loss, mine, g->flow, m->start_head[g->from] - m->start_head[g->to], g->area);
    double r;
    sl_surge_slope(m, &g->loss, 1, &g->flow, &r);
    m->pipe[g->pipe].resistance = r / g->b;
}

double sl_surge_phi(const sl_surge_curve *c, double x) {
    x = fmin(fmax(x, 0.0), 1.0);
    switch (c->kind) {
    case SL_SURGE_EQUAL_PERCENTAGE: return x > 0.0 ? pow(c->range, x - 1.0) : 0.0;
    case SL_SURGE_QUICK_OPENING: return sqrt(x);
    case SL_SURGE_TABLE:
        return sl_table_value(&(sl_lookup_table){.n = c->n, .x = c->x, .y = c->phi, .beyond = SL_TABLE_CONSTANT}, x);
    case SL_SURGE_LINEAR:
    default: return x;
    }
}

/* The loss of a valve against its opening. */
static void match_valve(sl_surge_model *m, sl_surge_joint *j, const sl_surge_steady *s) {
    const sl_network *net = m->net;
    const sl_surge_valve *record = NULL;
    for (int32_t i = 0; i < m->def.n_valve; i++) {
        record = m->def.valves[i].link == j->link ? &m->def.valves[i] : record;
    }
    sl_surge_valve plain = sl_surge_valve_default();
    record = record ? record : &plain;
    bool pipe = j->link < net->n_pipe;
    double bore = pipe ? net->pipe_diameter[j->link] : net->valve_diameter[j->link - net->n_pipe - net->n_pump];
    double q = j->flow, drop = m->start_head[j->from] - m->start_head[j->to];
    bool shut = s->closed[j->link] && (!s->held_shut[j->link] || drop > 0.0);
    j->curve = (sl_surge_curve){record->characteristic, record->range, record->x, record->phi, record->n};
    j->opening = isnan(record->opening) ? (shut ? 0.0 : 1.0) : record->opening;
    j->k_unit = sl_minor_loss(1.0, bore);
    j->linear = SL_OPEN_VALVE;
    double phi = sl_surge_phi(&j->curve, j->opening);
    double minor = pipe ? 0.0 : net->valve_minor[j->link - net->n_pipe - net->n_pump];
    bool flows = fabs(q) > VELOCITY_REST * SL_PI * bore * bore / 4.0;
    j->k0 = flows && drop * q > 0.0 && !j->rigid ? fmax(drop / (q * fabs(q)) - j->linear / fabs(q), 0.0)
                                                 : minor * j->k_unit;
    j->inverse0 = phi > 0.0 ? 1.0 / (phi * phi) : 1.0;
    j->k_open = isnan(record->k_open) ? fmax(j->k0 / j->k_unit / j->inverse0, 0.2) : record->k_open;
    if (shut) { /* what it loses once it opens: all of its open loss */
        j->k0 = j->k_open * j->k_unit;
    }
    if (j->rigid) {
        j->linear = 0.0;
    } else if (!shut && !s->held_shut[j->link]) {
        j->loss.offset = drop - (j->linear * q + j->k0 * q * fabs(q));
        note_residual(m, flows ? 0.0 : j->loss.offset);
    }
}

static void match_rigid(sl_surge_model *m, sl_surge_joint *j, const sl_surge_steady *s) {
    j->loss = laws_of(m, j->link, 1.0);
    double area = SL_PI * m->pipe[j->link].diameter * m->pipe[j->link].diameter / 4.0;
    if (!s->closed[j->link]) {
        match_loss(m, &j->loss, 1.0, j->flow, m->start_head[j->from] - m->start_head[j->to], area);
    }
}

sl_status sl_surge_match(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags) {
    const sl_network *net = m->net;
    bool bad = false, regulates = false;
    m->n_pump = net->n_pump;
    m->pumps = sl_surge_alloc(m, m->n_pump, sizeof *m->pumps, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < m->n_joint; i++) {
        sl_surge_joint *j = &m->joints[i];
        j->flow = s->flow[j->link];
        if (j->pump >= 0) {
            sl_status status = sl_surge_machine_make(m, j->pump, s, diags);
            if (status != SL_OK) {
                return status;
            }
            continue;
        }
        match_valve(m, j, s);
        if (j->rigid) {
            match_rigid(m, j, s);
        }
        int kind = j->link >= net->n_pipe ? net->valve_kind[j->link - net->n_pipe - net->n_pump] : SL_TCV;
        regulates |= kind != SL_TCV && kind != SL_PCV;
    }
    for (int32_t i = 0; i < m->n_segment; i++) {
        match_segment(m, &m->segments[i]);
        sl_surge_friction_prepare(m, &m->segments[i]);
    }
    if (regulates) {
        sl_surge_add_diag(
            m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, NULL, NULL, "drive their opening by an event to let them move",
            "regulating valves (PRV, PSV, PBV, FCV, GPV) hold the loss coefficient of the start during the run");
    }
    if (m->grid.residual > 0.01) {
        sl_surge_add_diag(m, diags, SL_WARNING, SL_CODE_NOT_BALANCED, 0, NULL, NULL,
                          "run the network by itself: its steady state is not balanced",
                          "losses of the steady start differ from their laws by up to %.3g m: laws were matched to it",
                          m->grid.residual);
    }
    return SL_OK;
}
