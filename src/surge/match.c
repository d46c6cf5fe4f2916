/* SPDX-License-Identifier: MIT */
/* match.c: laws that hold the steady start exactly.
 *
 * The steady solution satisfies its equations to a tolerance, and a surge run would show the rest as little waves. So the
 * law of each element is scaled to pass through its flow and loss at the start: friction by a factor that is 1 but for
 * that tolerance, a valve by its loss coefficient, a pump by a factor of its head. Where nothing flows no factor does it,
 * and the rest becomes a constant head of that element. The largest correction is reported (sl_surge_grid.residual).
 *
 * Valves are in valves.c, those that regulate in regulators.c.
 */
#include "surge/regulators.h"

#include "surge/study.h"

#include "laws/constants.h"

#include <math.h>

/* The velocity at which the friction factor of a pipe at rest is taken [m/s]. */
#define VELOCITY_REFERENCE 0.5

void sl_surge_note_residual(sl_surge_model *m, double miss) {
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
    sl_surge_note_residual(m, drop - lost);
    if (fabs(q) > SL_SURGE_VELOCITY_SMALL * area && factor > 0.5 && factor < 2.0) {
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
    m->pipe[g->pipe].resistance = fabs(g->flow) > SL_SURGE_VELOCITY_SMALL * g->area ? r / g->b : 0.0;
}

static void match_rigid(sl_surge_model *m, sl_surge_joint *j, const sl_surge_steady *s) {
    j->loss = laws_of(m, j->link, 1.0);
    double area = SL_PI * m->pipe[j->link].diameter * m->pipe[j->link].diameter / 4.0;
    if (!s->closed[j->link]) {
        match_loss(m, &j->loss, 1.0, j->flow, m->start_head[j->from] - m->start_head[j->to], area);
    }
}

/* Check valves that shut late. */
static void match_checks(sl_surge_model *m) {
    const sl_network *net = m->net;
    for (int32_t i = 0; i < m->def.n_check_valve; i++) {
        const sl_surge_check_valve *v = &m->def.check_valves[i];
        sl_surge_joint *j = &m->joints[m->joint_of_link[v->link]];
        double bore = v->link < net->n_pipe ? net->pipe_diameter[v->link] : 0.0;
        for (int32_t k = 0; k < net->n_pipe && v->link >= net->n_pipe; k++) {
            bool meets = net->link_from[k] == j->to || net->link_to[k] == j->to;
            bore = meets ? fmax(bore, net->pipe_diameter[k]) : bore;
        }
        bore = isnan(v->bore) ? bore : v->bore;
        j->check = bore > 0.0 ? v : NULL;
        j->check_area = SL_PI * bore * bore / 4.0;
    }
}

sl_status sl_surge_match(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags) {
    const sl_network *net = m->net;
    bool bad = false;
    int32_t n_silent = 0;
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
        if (!sl_surge_valve_match(m, j, s)) {
            return SL_ERR_MEMORY;
        }
        if (j->rigid) {
            match_rigid(m, j, s);
        }
        m->n_regulator += j->regulates >= 0;
        n_silent += j->regulates >= 0 && !sl_regulator_has_record(m, j);
    }
    match_checks(m);
    for (int32_t i = 0; i < m->n_segment; i++) {
        match_segment(m, &m->segments[i]);
        sl_surge_friction_prepare(m, &m->segments[i]);
    }
    if (n_silent > 0) {
        sl_surge_add_diag(m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, NULL, NULL,
                          "give `opens_in` and `closes_in` of the valves that matter",
                          "%d regulating valve%s would move over %.3g s from open to shut: the study does not say",
                          n_silent, n_silent == 1 ? "" : "s", SL_REGULATOR_STROKE);
    }
    if (m->grid.residual > 0.01) {
        sl_surge_add_diag(m, diags, SL_WARNING, SL_CODE_NOT_BALANCED, 0, NULL, NULL,
                          "run the network by itself: its steady state is not balanced",
                          "losses of the steady start differ from their laws by up to %.3g m: laws were matched to it",
                          m->grid.residual);
    }
    return SL_OK;
}
