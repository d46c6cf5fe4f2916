/* SPDX-License-Identifier: MIT */
/* outlet.c: emitters, leaks and pressure-driven demands; see outlet.h.
 *
 * Below a tenth of a millimetre of pressure a law is replaced by its chord: Newton's method starts there with a slope
 * that is not too far from the truth, instead of none. The flows concerned are below what any gauge can tell.
 */
#include "laws/outlet.h"

#include "laws/constants.h"
#include "numeric/vecmath.h"

#include <math.h>

#define CHORD_HEAD 1e-4 /* [m] */
/* Where no water may pass (backwards, or more than is asked for) the law is a wall: this head pushes the outlet's own
 * measure of flow through it, so that a hundred metres bring a ten-millionth of it. [m] */
#define WALL 1e9
/* Beyond, powers are those of the C library (vecmath.h). */
#define LARGEST_EXPONENT 4.9

/* Square-root laws, the usual ones, need no power: their slopes are linear. */
static double power_of(double x, double e) {
    return e == 1.0 ? x : e == 0.0 ? 1.0 : pow(x, e);
}

sl_outlet_law sl_outlet_power(double c, double g, bool both_ways) {
    sl_outlet_law law = {.n = 1.0 / g, .both_ways = both_ways};
    law.k = pow(c, -law.n);
    law.linear = c * pow(CHORD_HEAD, g);
    law.wall = WALL / c;
    return law;
}

void sl_outlet_loss(const sl_outlet_law *law, double q, double *h, double *slope) {
    double a = fabs(q);
    if (q < 0.0 && !law->both_ways) {
        *slope = law->wall;
        *h = law->wall * q;
    } else if (a <= law->linear) {
        *slope = CHORD_HEAD / law->linear;
        *h = *slope * q;
    } else {
        double power = power_of(a, law->n - 1.0);
        *h = law->k * power * q;
        *slope = law->n * law->k * power;
    }
}

sl_demand_law sl_demand_law_of(double range, double g) {
    return (sl_demand_law){.range = range,
                           .g = g,
                           .n = 1.0 / g,
                           .chord_head = fmin(CHORD_HEAD, 0.5 * range),
                           .chord_share = pow(fmin(CHORD_HEAD / range, 0.5), g)};
}

/* ---- Pressure-driven demands -------------------------------------------------------------------- */

/* What distinguishes the pieces is chosen, and nothing jumps: demands may be on either side of a piece's end, and a processor that
 * guesses is wrong half of the time. power: of the share of the full flow, to n - 1. */
static SL_INLINE void demand_piece(const sl_demand_law *law, double full, double q, double power, double *h,
                                   double *p) {
    double chord = full * law->chord_share;
    bool below = q < 0.0, above = q >= full, linear = q <= chord, curved = !(below || above || linear);
    double head = below || above ? WALL : linear ? law->chord_head : law->n * law->range;
    double slope = head / (linear && !below && !above ? chord : full) * (curved ? power : 1.0);
    double straight = above ? law->range + slope * (q - full) : slope * q;
    *h = full > 0.0 ? (curved ? law->range * power * (q / full) : straight) : 0.0;
    *p = full > 0.0 ? 1.0 / slope : 0.0;
}

static SL_INLINE double clamp(double x, double low, double high) {
    double y = x > low ? x : low;
    return y < high ? y : high;
}

/* Square-root laws, the usual ones: the power is the share. */
SL_SIMD(void, square_losses,
        (const sl_demand_law *law, int32_t n, const double *restrict full, const double *restrict q, double *restrict h,
         double *restrict p),
        (law, n, full, q, h, p)) {
    const sl_demand_law l = *law;
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        demand_piece(&l, full[i], q[i], clamp(q[i] / full[i], l.chord_share, 1.0), h + i, p + i);
    }
}

SL_SIMD(void, power_losses,
        (const sl_demand_law *law, int32_t n, const double *restrict full, const double *restrict q, double *restrict h,
         double *restrict p),
        (law, n, full, q, h, p)) {
    const sl_demand_law l = *law;
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double power = sl_vec_power(clamp(q[i] / full[i], l.chord_share, 1.0), l.n - 1.0);
        demand_piece(&l, full[i], q[i], power, h + i, p + i);
    }
}

void sl_demand_losses(const sl_demand_law *law, int32_t n, const double *full, const double *q, double *h, double *p) {
    if (law->n == 2.0) {
        square_losses(law, n, full, q, h, p);
    } else if (law->n < LARGEST_EXPONENT) {
        power_losses(law, n, full, q, h, p);
    } else {
        for (int32_t i = 0; i < n; i++) {
            double share = clamp(q[i] / full[i], law->chord_share, 1.0);
            demand_piece(law, full[i], q[i], power_of(share, law->n - 1.0), h + i, p + i);
        }
    }
}

void sl_demand_loss(const sl_demand_law *law, double full, double q, double *h, double *slope) {
    double p;
    sl_demand_losses(law, 1, &full, &q, h, &p);
    *slope = 1.0 / p;
}

/* The flow at a pressure; curve: the share of the full flow there. */
static SL_INLINE double flow_at(const sl_demand_law *law, double full, double p, double curve) {
    bool below = p <= 0.0, above = p >= law->range;
    double inside = p <= law->chord_head ? full * law->chord_share * (p / law->chord_head) : full * curve;
    double beyond = (above ? full : 0.0) + full / WALL * (above ? p - law->range : p);
    return full > 0.0 ? (below || above ? beyond : inside) : 0.0;
}

SL_SIMD(void, square_flows,
        (const sl_demand_law *law, int32_t n, const double *restrict full, const double *restrict p,
         double *restrict q),
        (law, n, full, p, q)) {
    const sl_demand_law l = *law;
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        q[i] = flow_at(&l, full[i], p[i], __builtin_sqrt(clamp(p[i] / l.range, 0.0, 1.0)));
    }
}

void sl_demand_flows(const sl_demand_law *law, int32_t n, const double *full, const double *p, double *q) {
    if (law->g == 0.5) {
        square_flows(law, n, full, p, q);
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        bool inside = p[i] > law->chord_head && p[i] < law->range;
        q[i] = flow_at(law, full[i], p[i], inside ? pow(p[i] / law->range, law->g) : 0.0);
    }
}

double sl_demand_flow(const sl_demand_law *law, double full, double p) {
    double q;
    sl_demand_flows(law, 1, &full, &p, &q);
    return q;
}

double sl_outlet_flow(const sl_outlet_law *law, double p) {
    double a = fabs(p), q = a <= CHORD_HEAD ? law->linear * (a / CHORD_HEAD) : pow(a / law->k, 1.0 / law->n);
    return p >= 0.0 ? q : law->both_ways ? -q : 0.0;
}

/* q = 0.6 sqrt(2 g) (area + growth h) sqrt(h); the figure is EPANET's 4.8149866e-6 of docs/theory/hydraulics.md. */
void sl_leaks_at(const sl_network *net, int32_t node, int32_t n_link, const int32_t *links, double *fixed,
                 double *growing) {
    *fixed = *growing = 0.0;
    if (!net->pipe_leak_area) {
        return;
    }
    for (int32_t a = 0; a < n_link; a++) {
        int32_t k = links[a];
        if (k < net->n_pipe) {
            int32_t other = net->link_from[k] + net->link_to[k] - node;
            double share = (other < net->n_junction ? 0.5 : 1.0) * net->pipe_length[k];
            *fixed += share * net->pipe_leak_area[k];
            *growing += share * net->pipe_leak_expansion[k];
        }
    }
    /* From [m2] and [m2/m]: the figure is per mm2, for h in feet and q in ft3/s. */
    double figure = 4.8149866e-6 * 1e6 / (SL_FOOT * SL_FOOT) * SL_CUBIC_FOOT / sqrt(SL_FOOT);
    *fixed *= figure;
    *growing *= figure;
}
