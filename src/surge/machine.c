/* SPDX-License-Identifier: MIT */
/* machine.c: pumps in all four quadrants, through trip and coast-down.
 *
 * With v = Q/Q_R and s = N/N_R, head and torque are h = (s^2 + v^2) W_H(x), beta = (s^2 + v^2) W_B(x), x = pi + atan2(v, s):
 * Suter's form of the affinity laws. The tables are those of a radial pump of specific speed 35 (SI), as printed in the
 * textbooks. Where the network gives a head curve, g(Q) at full speed, W_H is cos^2(alpha) g(Q_R tan alpha)/H_R, exactly,
 * for alpha = atan2(v, s) along the curve; beyond its ends the difference to the table fades over 0.4 rad. A factor of the
 * head makes the pump pass through the steady start. Inertia that is not given is Thorley's estimate for pump and motor.
 */
#include "surge/impl.h"

#include "laws/constants.h"
#include "laws/pump.h"

#include <math.h>

enum { TABLE = 88 };
#define FADE 0.4

static const double suter_head[TABLE + 1] = {
    0.634,  0.643,  0.646,  0.640,  0.629,  0.613,  0.595,  0.575,  0.552,  0.533,  0.516,  0.505,  0.504,
    0.510,  0.512,  0.522,  0.539,  0.559,  0.580,  0.601,  0.630,  0.662,  0.692,  0.722,  0.753,  0.782,
    0.808,  0.832,  0.857,  0.879,  0.904,  0.930,  0.959,  0.996,  1.027,  1.060,  1.090,  1.124,  1.165,
    1.204,  1.238,  1.258,  1.271,  1.282,  1.288,  1.281,  1.260,  1.225,  1.172,  1.107,  1.031,  0.942,
    0.842,  0.733,  0.617,  0.500,  0.368,  0.240,  0.125,  0.011,  -0.102, -0.168, -0.255, -0.342, -0.423,
    -0.494, -0.556, -0.620, -0.655, -0.670, -0.670, -0.660, -0.655, -0.640, -0.600, -0.570, -0.520, -0.470,
    -0.430, -0.360, -0.275, -0.160, -0.040, 0.130,  0.295,  0.430,  0.550,  0.620,  0.634};
static const double suter_torque[TABLE + 1] = {
    -0.684, -0.547, -0.414, -0.292, -0.187, -0.105, -0.053, -0.012, 0.042,  0.097,  0.156,  0.227,  0.300,
    0.371,  0.444,  0.522,  0.596,  0.672,  0.738,  0.763,  0.797,  0.837,  0.865,  0.883,  0.886,  0.877,
    0.859,  0.838,  0.804,  0.758,  0.703,  0.645,  0.583,  0.520,  0.454,  0.408,  0.370,  0.343,  0.331,
    0.329,  0.338,  0.354,  0.372,  0.405,  0.450,  0.486,  0.520,  0.552,  0.579,  0.603,  0.616,  0.617,
    0.606,  0.582,  0.546,  0.500,  0.432,  0.360,  0.288,  0.214,  0.123,  0.037,  -0.053, -0.161, -0.248,
    -0.314, -0.372, -0.580, -0.740, -0.880, -1.000, -1.120, -1.250, -1.370, -1.490, -1.590, -1.660, -1.690,
    -1.770, -1.650, -1.590, -1.520, -1.420, -1.320, -1.230, -1.100, -0.980, -0.820, -0.684};

/* A table over the whole circle at x. */
static double around(const double *table, int32_t n, double x) {
    double at = x / (2.0 * SL_PI) * n;
    int32_t i = (int32_t)fmin(fmax(floor(at), 0.0), (double)(n - 1));
    return table[i] + (table[i + 1] - table[i]) * (at - i);
}

void sl_surge_suter(const sl_surge_machine *p, double v, double s, double *h, double *beta) {
    double square = v * v + s * s, x = SL_PI + atan2(v, s);
    *h = square * around(p->head, SL_SURGE_SUTER, x);
    *beta = square * around(p->torque, SL_SURGE_SUTER, x);
}

/* The head of the network's pump at full speed, and the flow at which it ends. Constant power: 4/3 - v^2/3. */
static double curve_head(const sl_pump_law *law, const sl_surge_machine *p, double q) {
    double h, slope;
    if (law->kind == SL_PUMP_CONSTANT_POWER) {
        double v = q / p->q_rated;
        return p->h_rated * (4.0 - v * v) / 3.0;
    }
    sl_pump_loss(law, 1.0, q, 0.0, &h, &slope);
    return -h;
}

static void make_tables(const sl_surge_pump *record, const sl_pump_law *law, sl_surge_machine *p) {
    const double *head = record->suter_head ? record->suter_head : suter_head;
    const double *torque = record->suter_torque ? record->suter_torque : suter_torque;
    int32_t n_head = record->suter_head ? record->n_suter - 1 : TABLE;
    int32_t n_torque = record->suter_torque ? record->n_suter - 1 : TABLE;
    double q_end = law->kind == SL_PUMP_CONSTANT_POWER ? 2.0 * p->q_rated : law->q_max;
    double end = atan(q_end / p->q_rated);
    for (int32_t i = 0; i <= SL_SURGE_SUTER; i++) {
        double x = 2.0 * SL_PI * i / SL_SURGE_SUTER, alpha = x - SL_PI;
        double on = fmin(fmax(alpha, 0.0), end), away = fabs(alpha - on);
        double c = cos(on), mine = c * c * curve_head(law, p, p->q_rated * tan(on)) / p->h_rated;
        double fade = fmax(1.0 - away / FADE, 0.0);
        p->head[i] = around(head, n_head, x) + fade * (mine - around(head, n_head, SL_PI + on));
        p->torque[i] = around(torque, n_torque, x);
    }
}

static double thorley(double watt, double speed) {
    double kw = watt / 1000.0, krpm = speed * 60.0 / (2.0 * SL_PI) / 1000.0;
    return 0.03768 * pow(kw / (krpm * krpm * krpm), 0.9556) + 0.0043 * pow(kw / krpm, 1.48);
}

static double given(double x, double fallback) {
    return isnan(x) ? fallback : x;
}

/* Less than this part of the curve's middle flow at the start is no rated point: the pump stands, or runs far from its best. */
#define RATED_LEAST 0.5

/* A rated point when none is given: the start's, brought to full speed, or the middle of the curve. */
static void rate(const sl_surge_pump *record, const sl_pump_law *law, double q0, double gain0, sl_surge_machine *p) {
    bool runs = q0 > RATED_LEAST * law->q_design * p->speed && gain0 > 0.0 && p->speed > 0.0;
    double q = law->q_design, h, slope;
    sl_pump_loss(law, 1.0, q, 0.0, &h, &slope);
    p->q_rated = given(record->rated_flow, runs ? q0 / p->speed : q);
    p->h_rated = given(record->rated_head, runs ? gain0 / (p->speed * p->speed) : fmax(-h, 1e-3));
}

sl_status sl_surge_machine_make(sl_surge_model *m, int32_t pump, const sl_surge_steady *s, sl_diags *diags) {
    const sl_network *net = m->net;
    sl_surge_machine *p = &m->pumps[pump];
    int32_t link = net->n_pipe + pump;
    sl_surge_joint *j = &m->joints[m->joint_of_link[link]];
    sl_surge_pump plain = sl_surge_pump_default();
    const sl_surge_pump *record = &plain;
    for (int32_t i = 0; i < m->def.n_pump; i++) {
        record = m->def.pumps[i].link == link ? &m->def.pumps[i] : record;
    }
    bool bad = false, trips = false;
    p->head = sl_surge_alloc(m, SL_SURGE_SUTER + 1, sizeof(double), &bad);
    p->torque = sl_surge_alloc(m, SL_SURGE_SUTER + 1, sizeof(double), &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    double gain0 = m->start_head[j->to] - m->start_head[j->from], rho_g = m->fluid.density * m->fluid.gravity;
    p->joint = (int32_t)(j - m->joints);
    p->speed = s->closed[link] && !s->held_shut[link] ? 0.0 : s->speed[link];
    p->ratchet = record->ratchet;
    sl_pump_law law = sl_pump_law_of(net, pump);
    rate(record, &law, j->flow, gain0, p);
    p->speed_rated = given(record->rated_speed, 1480.0 * 2.0 * SL_PI / 60.0);
    double power = rho_g * p->q_rated * p->h_rated / given(record->rated_efficiency, 0.8);
    p->torque_rated = power / p->speed_rated;
    p->inertia = given(record->inertia, thorley(power, p->speed_rated));
    make_tables(record, &law, p);
    j->one_way = record->check_valve;
    j->linear = 1e-9 * p->h_rated / p->q_rated;
    p->scale = 1.0;
    /* A pump that is off is shut off; so is one that the steady state shut though its curve could deliver here. */
    double rest, unused;
    sl_surge_suter(p, 0.0, p->speed, &rest, &unused);
    bool could = s->held_shut[link] && p->h_rated * rest > gain0;
    j->opening = (s->closed[link] && !s->held_shut[link]) || could ? 0.0 : 1.0;
    if (!s->closed[link]) {
        double h, beta;
        sl_surge_suter(p, j->flow / p->q_rated, p->speed, &h, &beta);
        double wanted = gain0 + j->linear * j->flow, factor = wanted / (p->h_rated * h);
        p->scale = factor > 0.5 && factor < 2.0 ? factor : 1.0;
        p->offset = (wanted - p->scale * p->h_rated * h) / (p->speed * p->speed);
    }
    for (int32_t i = 0; i < m->def.n_event; i++) {
        trips |= m->def.events[i].what == SL_SURGE_PUMP_TRIP && m->def.events[i].index == link;
    }
    if (trips && isnan(record->inertia)) {
        sl_surge_add_diag(
            m, diags, SL_WARNING, SL_CODE_ADJUSTED, 0, "pump", sl_network_link_id(net, link),
            "give its inertia: it decides how fast the pump runs down",
            "its inertia is not given: %.3g kg m2 is taken, Thorley's estimate for %.3g kW at %.0f per minute",
            p->inertia, power / 1000.0, p->speed_rated * 60.0 / (2.0 * SL_PI));
    }
    return SL_OK;
}
