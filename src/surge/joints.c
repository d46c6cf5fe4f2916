/* SPDX-License-Identifier: MIT */
/* joints.c: what stands between two nodes: loss h(Q) and its slope; see joints.h.
 *
 *     h(Q) = inertia (Q - Q_old)/dt + r(Q) Q + k(x) Q|Q| + linear Q + offset - gain(Q, speed)
 *
 * with the parts that a valve, a pump, a rigid pipe has; a valve with a curve of losses adds that curve, a regulator is in
 * regulators.c. A pump without power slows down by its torque: s = s_old -
 * (T_R dt/(2 I w_R)) (beta + beta_old), solved for s at each flow.
 */
#include "surge/joints.h"

#include "laws/constants.h"
#include "laws/valve.h"
#include "numeric/curve.h"

#include <math.h>

double sl_surge_joint_k(const sl_surge_joint *j, double opening) {
    double phi = sl_surge_phi(&j->curve, opening);
    if (!(phi > 0.0)) {
        return (double)INFINITY;
    }
    return opening == j->opening ? j->k0 : fmax(j->k0 + j->k_open * j->k_unit * (1.0 / (phi * phi) - j->inverse0), 0.0);
}

bool sl_surge_joint_blocked(const sl_surge_model *m, const sl_surge_state *s, int32_t joint) {
    const sl_surge_joint *j = &m->joints[joint];
    return j->pump < 0 ? isinf(sl_surge_joint_k(j, s->opening[joint])) : s->opening[joint] == 0.0;
}

/* The speed at this flow at the end of the step, and the torque there. */
static double speed_at(const sl_surge_run *e, int32_t pump, double q, double *beta) {
    const sl_surge_machine *p = &e->m->pumps[pump];
    double v = q / p->q_rated, h, s = e->now->speed[pump];
    if (e->now->tripped[pump] == 0.0) {
        sl_surge_suter(p, v, s, &h, beta);
        return s;
    }
    double old = e->before->speed[pump], c = p->torque_rated * e->m->dt / (2.0 * p->inertia * p->speed_rated);
    double known = old - c * e->before->torque[pump];
    s = old;
    for (int n = 0; n < 20; n++) {
        double up, down, d = 1e-6;
        sl_surge_suter(p, v, s, &h, beta);
        sl_surge_suter(p, v, s + d, &h, &up);
        sl_surge_suter(p, v, s - d, &h, &down);
        double f = s - known + c * *beta, step = f / fmax(1.0 + c * (up - down) / (2.0 * d), 0.2);
        s -= step;
        if (fabs(step) < 1e-14) {
            break;
        }
    }
    s = p->ratchet ? fmax(s, 0.0) : s;
    sl_surge_suter(p, v, s, &h, beta);
    return s;
}

static double gain_of(const sl_surge_run *e, int32_t pump, double q) {
    const sl_surge_machine *p = &e->m->pumps[pump];
    double beta, h, s = e->now->tripped[pump] == 0.0 ? e->now->speed[pump] : speed_at(e, pump, q, &beta);
    sl_surge_suter(p, q / p->q_rated, s, &h, &beta);
    return p->scale * p->h_rated * h + p->offset * s * s;
}

void sl_surge_joints_begin(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    for (int32_t k = 0; k < m->n_joint; k++) {
        const sl_surge_joint *j = &m->joints[k];
        e->joint_k[k] = j->pump < 0                 ? sl_surge_joint_k(j, e->now->opening[k])
                        : e->now->opening[k] == 0.0 ? (double)INFINITY
                                                    : 0.0;
        e->joint_cap[k] = j->pump < 0 ? (double)INFINITY : m->pumps[j->pump].q_rated;
        e->joint_last[k] = 0.0;
        double was = e->before->joint_flow[k];
        bool was_shut = j->one_way && (j->check ? was == 0.0 : was <= 0.0);
        e->joint_shut[k] = isinf(e->joint_k[k]) || was_shut;
        if (e->joint_shut[k]) {
            e->now->joint_flow[k] = 0.0;
        }
    }
}

static void loss_of(sl_surge_run *e, int32_t k, double q, double *loss, double *slope) {
    const sl_surge_model *m = e->m;
    const sl_surge_joint *j = &m->joints[k];
    double a = fabs(q), kq = isinf(e->joint_k[k]) ? 0.0 : e->joint_k[k] * a;
    *loss = (j->linear + kq) * q + j->loss.offset;
    *slope = j->linear + 2.0 * kq;
    if (j->loss_curve >= 0) {
        double h, rise;
        sl_valve_loss(m->net, j->loss_curve, 0.0, (double)NAN, q, SL_FLAT, &h, &rise);
        *loss += j->curve_factor * h;
        *slope += j->curve_factor * rise;
    }
    if (j->rigid) {
        double r, inertia = j->inertia / m->dt;
        sl_surge_slope(m, &j->loss, 1, &q, &r);
        *loss += r * q + inertia * (q - e->before->joint_flow[k]);
        *slope += 2.0 * r + inertia;
    }
    if (j->pump >= 0) {
        const sl_surge_machine *p = &m->pumps[j->pump];
        double d = 1e-4 * p->q_rated;
        /* At rest two quadrants meet, whose slopes differ: that of the flow's own side counts. */
        double right = q >= 0.0 || q <= -d ? d : 0.0, left = q < 0.0 || q >= d ? d : 0.0;
        double up = gain_of(e, j->pump, q + right), down = gain_of(e, j->pump, q - left);
        *loss -= gain_of(e, j->pump, q);
        *slope += fmax((down - up) / (left + right), 0.05 * p->h_rated / p->q_rated);
    }
}

void sl_surge_joints_losses(sl_surge_run *e) {
    for (int32_t k = 0; k < e->m->n_joint; k++) {
        if (!e->joint_shut[k]) {
            const sl_surge_joint *j = &e->m->joints[k];
            loss_of(e, k, e->now->joint_flow[k], &e->joint_loss[k], &e->joint_slope[k]);
            /* From rest a square law has no slope: that of the flow that the heads would drive. Half of the slope at the
             * solution, so that it does not count there. */
            double drop = fabs(e->now->node_head[j->from] - e->now->node_head[j->to]);
            e->joint_slope[k] = fmax(e->joint_slope[k], sqrt(e->joint_k[k] * drop));
        }
    }
}

double sl_surge_joint_static_loss(sl_surge_run *e, int32_t joint) {
    double loss, slope;
    loss_of(e, joint, 0.0, &loss, &slope);
    return loss;
}

/* The points of a curve, level beyond its ends. */
static double reverse_velocity(const sl_surge_check_valve *v, double deceleration) {
    return sl_curve_value(v->deceleration, v->reverse, v->n,
                          fmin(fmax(deceleration, v->deceleration[0]), v->deceleration[v->n - 1]), false);
}

static double deceleration_at(const sl_surge_run *e, int32_t joint, double q) {
    double was = e->before->joint_flow[joint];
    return was < 0.0 ? e->before->turned[joint] : (was - q) / (e->m->joints[joint].check_area * e->m->dt);
}

double sl_surge_joint_back(const sl_surge_run *e, int32_t joint, double q) {
    const sl_surge_joint *j = &e->m->joints[joint];
    return j->check ? -j->check_area * reverse_velocity(j->check, deceleration_at(e, joint, q)) : 0.0;
}

void sl_surge_joints_end(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    for (int32_t i = 0; i < m->n_pump; i++) {
        double q = e->now->joint_flow[m->pumps[i].joint];
        e->now->speed[i] = speed_at(e, i, q, &e->now->torque[i]);
    }
    for (int32_t k = 0; k < m->n_joint && m->def.n_check_valve > 0; k++) {
        if (m->joints[k].check) {
            e->now->turned[k] = deceleration_at(e, k, e->now->joint_flow[k]);
        }
    }
}
