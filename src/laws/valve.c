/* SPDX-License-Identifier: MIT */
/* valve.c: head loss of valves; see valve.h. */
#include "laws/valve.h"

#include "laws/constants.h"
#include "laws/pipe.h"
#include "numeric/curve.h"

#include <math.h>

void sl_quadratic_loss(double m, double q, double floor, double *h, double *slope) {
    if (m > 0.0) {
        double s = 2.0 * m * fabs(q);
        if (s < floor) {
            *slope = 0.5 * floor;
            *h = 0.5 * floor * q;
        } else {
            *slope = s;
            *h = m * fabs(q) * q;
        }
    } else {
        *slope = SL_OPEN_VALVE;
        *h = SL_OPEN_VALVE * q;
    }
}

/* [s/m2] A hundred metres within 1e-9 m3/s: less could be seen, more would drown in the digits of the flow. */
#define HOLD_FALL 1e11

/* The straight piece of a head-loss curve around |q|, odd in q. One point means the line from no flow and no loss through
 * it, as in EPANET. A curve that begins above zero (that of a backflow preventer, say) holds so much back in either direction: the
 * loss changes from one side to the other steeply, not at once. */
static void curve_loss(const sl_network *net, int32_t c, double q, double floor, double *h, double *slope) {
    int32_t at = net->curve_start[c], n = net->curve_start[c + 1] - at;
    const double *x = net->curve_x + at, *y = net->curve_y + at;
    double a = fabs(q);
    if (n < 2) { /* its flow is above 0: the network was checked */
        *slope = fmax(y[0] / x[0], SL_OPEN_VALVE);
        *h = *slope * q;
        return;
    }
    int32_t k = 1;
    while (k < n - 1 && a > x[k]) {
        k++;
    }
    double b = (y[k] - y[k - 1]) / (x[k] - x[k - 1]);
    double h0 = y[k - 1] - b * x[k - 1];
    if (k == 1 && HOLD_FALL * a < h0 + b * a) {
        *slope = HOLD_FALL;
        *h = HOLD_FALL * q;
        return;
    }
    /* On the curve, also where it falls: only the step of the iteration is that of a rising line. */
    *slope = fmax(b, floor);
    *h = (q < 0.0 ? -1.0 : 1.0) * h0 + b * q;
}

/* The share of its full flow coefficient that a position control valve has at an opening [%]; more than 100 % is fully open, as in
 * EPANET. */
static double position_share(const sl_network *net, int32_t valve, double opening) {
    int32_t c = net->valve_curve[valve];
    opening = fmin(fmax(opening, 0.0), 100.0);
    if (c < 0 || opening <= 0.0) {
        return opening / 100.0;
    }
    int32_t at = net->curve_start[c], n = net->curve_start[c + 1] - at;
    const double *x = net->curve_x + at, *y = net->curve_y + at;
    double share = opening < x[0] ? opening / x[0] * y[0] /* the curve is led on to (0, 0) and (100, 100) */
                   : opening > x[n - 1] && x[n - 1] < 100.0
                       ? y[n - 1] + (opening - x[n - 1]) / (100.0 - x[n - 1]) * (100.0 - y[n - 1])
                       : sl_curve_value(x, y, n, opening, false);
    return share / 100.0;
}

double sl_position_loss(const sl_network *net, int32_t valve, double open_loss, double opening) {
    double share = position_share(net, valve, opening), shut = fmax(open_loss, SL_SHUT);
    return share > 0.0 ? fmin(open_loss / (share * share), shut) : shut;
}

bool sl_valve_is_shut(const sl_network *net, int32_t valve, double minor, double setting) {
    return net->valve_kind[valve] == SL_PCV && minor > 0.0 && !isnan(setting) &&
           !(position_share(net, valve, setting) > 0.0);
}

/* A breaker takes its setting off the head of water that passes forwards, and no more than its minor loss off what comes
 * back: it adds no head. Between, where 0 < H1 - H2 < setting, nothing passes: the loss falls from the setting to that of
 * the open valve at rest, steeply, not at once. */
static void breaker_loss(double minor, double setting, double q, double floor, double *h, double *slope) {
    if (q >= 0.0 && setting > minor * q * q) {
        *slope = SL_FLAT;
        *h = setting + SL_FLAT * q;
        return;
    }
    sl_quadratic_loss(minor, q, floor, h, slope);
    double steep = setting + HOLD_FALL * q;
    if (q < 0.0 && steep > *h) {
        *slope = HOLD_FALL;
        *h = steep;
    }
}

double sl_valve_hold(const sl_network *net, int32_t valve, double setting, bool *both_ways) {
    int32_t c = net->valve_curve[valve];
    *both_ways = net->valve_kind[valve] == SL_GPV;
    if (net->valve_kind[valve] == SL_PBV) {
        return setting > 0.0 ? setting : 0.0; /* not a number: its status OPEN governs */
    }
    if (!*both_ways || c < 0 || net->curve_start[c + 1] - net->curve_start[c] < 2) {
        return 0.0;
    }
    const double *x = net->curve_x + net->curve_start[c], *y = net->curve_y + net->curve_start[c];
    return fmax(y[0] - (y[1] - y[0]) / (x[1] - x[0]) * x[0], 0.0);
}

double sl_valve_dead_band(double hold) {
    return hold / HOLD_FALL;
}

double sl_valve_minor(const sl_network *net, int32_t valve, double minor, double setting) {
    int kind = net->valve_kind[valve];
    if (isnan(setting)) { /* its status OPEN governs */
        return minor;
    }
    return kind == SL_TCV                  ? sl_minor_loss(setting, net->valve_diameter[valve])
           : kind == SL_PCV && minor > 0.0 ? sl_position_loss(net, valve, minor, setting)
                                           : minor;
}

void sl_valve_loss(const sl_network *net, int32_t valve, double minor, double setting, double q, double floor,
                   double *h, double *slope) {
    int kind = net->valve_kind[valve];
    if (kind == SL_PBV && setting > 0.0) { /* not a number: its status OPEN governs */
        breaker_loss(minor, setting, q, floor, h, slope);
    } else if (kind == SL_GPV && net->valve_curve[valve] >= 0) {
        curve_loss(net, net->valve_curve[valve], q, floor, h, slope);
    } else {
        sl_quadratic_loss(sl_valve_minor(net, valve, minor, setting), q, floor, h, slope);
    }
}
