/* SPDX-License-Identifier: MIT */
/* outlet.c: emitters, leaks and pressure-driven demands; see outlet.h.
 *
 * Below a tenth of a millimetre of pressure a law is replaced by its chord: Newton's method starts there with a slope
 * that is not too far from the truth, instead of none. The flows concerned are below what any gauge can tell.
 */
#include "laws/outlet.h"

#include "laws/constants.h"

#include <math.h>

#define CHORD_HEAD 1e-4 /* [m] */
/* Where no water may pass (backwards, or more than is asked for) the law is a wall: this head pushes the outlet's own
 * measure of flow through it, so that a hundred metres bring a ten-millionth of it. [m] */
#define WALL 1e9

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

void sl_demand_loss(const sl_demand_law *law, double full, double q, double *h, double *slope) {
    double chord = full * law->chord_share, chord_slope = law->chord_head / chord, wall = WALL / full;
    if (q < 0.0) {
        *slope = wall;
        *h = wall * q;
    } else if (q <= chord) {
        *slope = chord_slope;
        *h = chord_slope * q;
    } else if (q < full) {
        double power = power_of(q / full, law->n - 1.0);
        *slope = law->n * law->range / full * power;
        *h = law->range * power * (q / full);
    } else {
        *slope = wall;
        *h = law->range + wall * (q - full);
    }
}

double sl_demand_flow(const sl_demand_law *law, double full, double p) {
    if (p <= 0.0) {
        return full / WALL * p;
    }
    if (p <= law->chord_head) {
        return full * law->chord_share * (p / law->chord_head);
    }
    if (p < law->range) {
        double share = p / law->range;
        return full * (law->g == 0.5 ? sqrt(share) : pow(share, law->g));
    }
    return full + full / WALL * (p - law->range);
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
