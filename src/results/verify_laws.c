/* SPDX-License-Identifier: MIT */
/* verify_laws.c: head loss of links, from the theory, for the verifier only.
 *
 * The formulas are those that an .inp file means: Hazen-Williams, Darcy-Weisbach and Chezy-Manning as EPANET's manual
 * states them, in feet and cubic feet per second with its rounded constants (4.727, 1.49, 0.02517, g = 32.2 ft/s2),
 * because these constants are part of what the file says. So each law converts to feet, applies the published formula and
 * converts back. Written apart from src/laws on purpose; see verify.h.
 */
#include "results/verify.h"

#include <math.h>

#define FOOT 0.3048
#define CUBIC_FOOT (FOOT * FOOT * FOOT)
#define PI 3.14159265358979323846
#define GRAVITY 32.2 /* [ft/s2] */
/* No pump has more [m]: the hyperbola of constant power goes on as its tangent, see docs/theory/hydraulics.md. */
#define PUMP_HEAD_MAX 1e4

/* ---- Pipes, in feet ----------------------------------------------------------------------------- */

static double hazen_williams(double length, double diameter, double c, double q) {
    return 4.727 * length * pow(c, -1.852) * pow(diameter, -4.871) * pow(fabs(q), 0.852) * q;
}

static double chezy_manning(double length, double diameter, double n, double q) {
    double slope_root = 4.0 * n * q / (1.49 * PI * diameter * diameter);
    return copysign(slope_root * slope_root, q) * pow(diameter / 4.0, -1.333) * length;
}

/* Swamee and Jain: f = 0.25 / log10(y)^2, y = e/(3.7 D) + 5.74 Re^-0.9; also df/dRe. */
static double swamee_jain(double re, double roughness, double *slope) {
    double y = roughness / 3.7 + 5.74 * pow(re, -0.9);
    double log_y = log10(y);
    double dy = -0.9 * 5.74 * pow(re, -1.9);
    *slope = -0.5 / (log_y * log_y * log_y) * dy / (y * log(10.0));
    return 0.25 / (log_y * log_y);
}

/* Between Re 2000 (f = 64/Re) and 4000 (Swamee-Jain): the cubic with their values and slopes (Dunlop). */
static double friction(double re, double roughness) {
    double slope;
    if (re >= 4000.0) {
        return swamee_jain(re, roughness, &slope);
    }
    double f1 = swamee_jain(4000.0, roughness, &slope);
    double f0 = 64.0 / 2000.0, m0 = -64.0 / 2000.0, m1 = 2000.0 * slope; /* slopes over the interval of 2000 */
    double t = re / 2000.0 - 1.0, s = 1.0 - t;
    return s * s * ((1.0 + 2.0 * t) * f0 + t * m0) + t * t * ((1.0 + 2.0 * s) * f1 - s * m1);
}

static double darcy_weisbach(double length, double diameter, double roughness, double viscosity, double q) {
    double velocity = q / (PI * diameter * diameter / 4.0);
    double re = fabs(velocity) * diameter / viscosity;
    if (re <= 2000.0) { /* Hagen-Poiseuille, without a division by Re */
        return 32.0 * viscosity * length * velocity / (GRAVITY * diameter * diameter);
    }
    return friction(re, roughness / diameter) * length / diameter * velocity * fabs(velocity) / (2.0 * GRAVITY);
}

static double pipe_loss(const sl_network *net, int32_t p, double flow) {
    double q = flow / CUBIC_FOOT, length = net->pipe_length[p] / FOOT, diameter = net->pipe_diameter[p] / FOOT;
    double roughness = net->pipe_roughness[p], h = 0.0;
    switch (net->hydraulics.headloss) {
    case SL_HAZEN_WILLIAMS: h = hazen_williams(length, diameter, roughness, q); break;
    case SL_CHEZY_MANNING: h = chezy_manning(length, diameter, roughness, q); break;
    case SL_DARCY_WEISBACH:
        h = darcy_weisbach(length, diameter, roughness / FOOT, net->hydraulics.viscosity / (FOOT * FOOT), q);
        break;
    }
    return h * FOOT + sl_verify_minor_loss(net->pipe_minor[p], net->pipe_diameter[p], flow);
}

double sl_verify_minor_loss(double coefficient, double diameter, double flow) {
    double q = flow / CUBIC_FOOT, d = diameter / FOOT;
    return 0.02517 * coefficient / (d * d * d * d) * q * fabs(q) * FOOT;
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

double sl_verify_curve(const sl_network *net, int32_t curve, double x) {
    const double *cx = net->curve_x + net->curve_start[curve], *cy = net->curve_y + net->curve_start[curve];
    int32_t n = net->curve_start[curve + 1] - net->curve_start[curve], i = 1;
    if (n == 1) {
        return cy[0];
    }
    while (i < n - 1 && x > cx[i]) {
        i++;
    }
    return cy[i - 1] + (cy[i] - cy[i - 1]) * (x - cx[i - 1]) / (cx[i] - cx[i - 1]);
}

/* Head at full speed: through one point a parabola from 4/3 of its head to twice its flow; through three from flow 0 a
 * power law; else pieces. */
static double full_speed_head(const sl_network *net, int32_t curve, double flow) {
    const double *q = net->curve_x + net->curve_start[curve], *h = net->curve_y + net->curve_start[curve];
    int32_t n = net->curve_start[curve + 1] - net->curve_start[curve];
    double x = fmax(flow, 0.0); /* running backwards is found elsewhere */
    if (n == 1) {
        return h[0] * (4.0 - (x / q[0]) * (x / q[0])) / 3.0;
    }
    if (n == 3 && q[0] == 0.0) {
        double exponent = log((h[0] - h[2]) / (h[0] - h[1])) / log(q[2] / q[1]);
        return h[0] - (h[0] - h[1]) * pow(x / q[1], exponent);
    }
    return sl_verify_curve(net, curve, x);
}

static double pump_gain(const sl_network *net, int32_t pump, double speed, double flow) {
    int32_t curve = net->pump_curve[pump];
    if (curve < 0) { /* constant power: 8.814 horsepowers lift a ft3/s one foot; by affinity it goes with speed^3 */
        double horsepower = net->pump_power[pump] / 745.7 * speed * speed * speed;
        double least =
            8.814 * horsepower * FOOT / PUMP_HEAD_MAX * CUBIC_FOOT; /* flow at the highest head of the curve */
        return flow > least ? 8.814 * horsepower / (flow / CUBIC_FOOT) * FOOT
                            : PUMP_HEAD_MAX * (2.0 - flow / fmax(least, 1e-300));
    }
    return speed * speed * full_speed_head(net, curve, flow / speed);
}

double sl_verify_shutoff(const sl_network *net, int32_t pump, double speed) {
    int32_t curve = net->pump_curve[pump];
    if (curve < 0) {
        return HUGE_VAL;
    }
    /* A curve of pieces may begin above flow 0. EPANET's highest head is then the first point's; the piece goes on to
     * flow 0, where it is higher. The lower one is what both ask for. */
    const double *h = net->curve_y + net->curve_start[curve];
    double at_rest = full_speed_head(net, curve, 0.0);
    bool one = net->curve_start[curve + 1] - net->curve_start[curve] == 1;
    return speed * speed * (one ? at_rest : fmin(at_rest, h[0]));
}

double sl_verify_pump_slack(const sl_network *net, int32_t pump, double speed, double flow) {
    int32_t curve = net->pump_curve[pump];
    if (curve < 0 || net->curve_start[curve + 1] - net->curve_start[curve] != 1 || !(speed > 0.0)) {
        return 0.0;
    }
    /* The other constant moves the shut-off head by 6.7e-6 h, and the curve nowhere by more than 4 times that. Far
     * beyond the curve's end it is the exponent that counts: log(1.33334/0.33334)/log 2 instead of 2. */
    const double top = 1.33334;
    double h = net->curve_y[net->curve_start[curve]] * speed * speed;
    double x = fmax(flow, 0.0) / (speed * net->curve_x[net->curve_start[curve]]);
    double other = top - (top - 1.0) * pow(x, log(top / (top - 1.0)) / log(2.0)), own = (4.0 - x * x) / 3.0;
    return (4.0 * (top - 4.0 / 3.0) + 2.0 * fabs(other - own)) * h;
}

/* ---- Valves ------------------------------------------------------------------------------------- */

/* Flow coefficient of a position control valve over that of the open valve. The curve runs from (0, 0) to (100, 100)
 * whatever its first and last points are. */
static double relative_capacity(const sl_network *net, int32_t curve, double opening) {
    double x = fmin(fmax(opening, 0.0), 100.0);
    if (curve < 0) {
        return x / 100.0;
    }
    double x0 = 0.0, y0 = 0.0;
    for (int32_t i = net->curve_start[curve]; i < net->curve_start[curve + 1]; i++) {
        double x1 = net->curve_x[i], y1 = net->curve_y[i];
        if (x <= x1) {
            return (x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1) / 100.0;
        }
        x0 = x1;
        y0 = y1;
    }
    return (x0 < 100.0 ? y0 + (100.0 - y0) * (x - x0) / (100.0 - x0) : y0) / 100.0;
}

bool sl_verify_is_shut(const sl_network *net, int32_t link, int status, double setting) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return valve >= 0 && net->valve_kind[valve] == SL_PCV && status == SL_STATUS_ACTIVE &&
           net->valve_minor[valve] > 0.0 && !(relative_capacity(net, net->valve_curve[valve], setting) > 0.0);
}

static double gpv_loss(const sl_network *net, int32_t curve, double flow) {
    int32_t first = net->curve_start[curve];
    if (net->curve_start[curve + 1] - first == 1) { /* in proportion to the one point */
        return net->curve_y[first] * flow / net->curve_x[first];
    }
    return (flow < 0.0 ? -1.0 : 1.0) * sl_verify_curve(net, curve, fabs(flow)); /* a loss may be a gain */
}

static double valve_loss(const sl_network *net, int32_t valve, int status, double setting, double flow) {
    int kind = net->valve_kind[valve];
    double diameter = net->valve_diameter[valve], k = net->valve_minor[valve];
    if (kind == SL_GPV) {
        return gpv_loss(net, net->valve_curve[valve], flow);
    }
    if (status == SL_STATUS_ACTIVE && kind == SL_TCV) {
        k = setting;
    } else if (status == SL_STATUS_ACTIVE && kind == SL_PCV) {
        /* No more than EPANET's 1e8 (ft, ft3/s) of a valve that is shut, unless the open valve has that already. */
        double y = fmax(relative_capacity(net, net->valve_curve[valve], setting), 0.0);
        double d = diameter / FOOT, shut = fmax(k, 1e8 / 0.02517 * d * d * d * d);
        k = k > 0.0 ? fmin(k / (y * y), shut) : 0.0;
    }
    double loss = sl_verify_minor_loss(k, diameter, flow);
    bool broken = status == SL_STATUS_ACTIVE && kind == SL_PBV && flow >= 0.0; /* forwards only */
    return broken && !(loss > setting) ? setting : loss;
}

double sl_verify_loss(const sl_network *net, int32_t link, int status, double setting, double flow) {
    if (link < net->n_pipe) {
        return pipe_loss(net, link, flow);
    }
    if (link < net->n_pipe + net->n_pump) {
        return -pump_gain(net, link - net->n_pipe, setting, flow);
    }
    return valve_loss(net, link - net->n_pipe - net->n_pump, status, setting, flow);
}

/* ---- Leaks -------------------------------------------------------------------------------------- */

/* FAVAD: an orifice (coefficient 0.6) whose area grows with the pressure. */
double sl_verify_leak(double area, double expansion, double pressure_head) {
    double h = fmax(pressure_head, 0.0);
    return 0.6 * sqrt(2.0 * GRAVITY * FOOT) * (area + expansion * h) * sqrt(h);
}
