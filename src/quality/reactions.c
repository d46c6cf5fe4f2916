/* SPDX-License-Identifier: MIT */
/* reactions.c: the rates of reactions.h, and the step of one segment. */
#include "quality/reactions.h"

#include <math.h>

bool sl_kinetics_linear(const sl_kinetics *x) {
    return x->order == 1.0 && !(x->limit > 0.0);
}

double sl_bulk_rate(const sl_kinetics *x, double k, double c) {
    if (k == 0.0) {
        return 0.0;
    }
    if (x->order == 0.0) {
        return k;
    }
    if (x->order < 0.0) {
        double under = x->limit + (k > 0.0 ? c : -c);
        return under > 0.0 ? k * c / under : 0.0;
    }
    if (x->order < 1.0 && !(c > 0.0)) { /* c^(n - 1) has no value there: what is not there does not react */
        return 0.0;
    }
    double apart = c;
    if (x->limit > 0.0) {
        apart = fmax(k > 0.0 ? x->limit - c : c - x->limit, 0.0);
    }
    return x->order == 1.0   ? k * apart
           : x->order == 2.0 ? k * apart * c
                             : k * apart * pow(fmax(c, 0.0), x->order - 1.0);
}

double sl_mass_transfer(double diameter, double length, double reynolds, double viscosity, double diffusivity) {
    if (!(diffusivity > 0.0) || !(diameter > 0.0)) {
        return (double)INFINITY;
    }
    double schmidt = viscosity / diffusivity, sherwood = 2.0;
    if (reynolds >= SL_TURBULENT) {
        sherwood = sl_sherwood_turbulent(pow(reynolds, 0.88), pow(schmidt, 0.333));
    } else if (reynolds >= 1.0) {
        double y = diameter / length * reynolds * schmidt;
        sherwood = 3.65 + 0.0668 * y / (1.0 + 0.04 * pow(y, 0.667));
    }
    return sherwood * diffusivity / diameter;
}

double sl_wall_first(double kw, double kf, double diameter) {
    if (kw == 0.0) {
        return 0.0;
    }
    return 4.0 / diameter * (isinf(kf) ? kw : kw * kf / (kf + fabs(kw)));
}

double sl_wall_zero(double kw, double kf, double diameter, double c) {
    if (kw == 0.0) {
        return 0.0;
    }
    double most = isinf(kf) ? (double)INFINITY : kf * fmax(c, 0.0);
    return 4.0 / diameter * copysign(fmin(fabs(kw), most), kw);
}

static void rates(const sl_reaction *r, double c, double *bulk, double *wall) {
    *bulk = sl_bulk_rate(&r->bulk, r->k, c);
    *wall = r->wall_order < 0 ? 0.0 : r->wall_order == 1 ? r->wall * c : sl_wall_zero(r->wall, r->kf, r->diameter, c);
}

double sl_react_factor(bool exact, double k, double dt) {
    double linear = 1.0 + k * dt;
    return exact ? exp(k * dt) : linear > 0.0 ? linear : 0.0;
}

/* What bulk reactions add during a step leads to the limit at most, however long the step is. */
static double held(const sl_reaction *r, double c, double more) {
    if (!(r->bulk.limit > 0.0) || !(r->bulk.order > 0.0)) {
        return more;
    }
    return r->k > 0.0 ? fmin(more, fmax(r->bulk.limit - c, 0.0)) : fmax(more, fmin(r->bulk.limit - c, 0.0));
}

enum { PARTS_MOST = 256 };

void sl_react_segment(const sl_reaction *r, bool exact, double c, double dt, double *bulk, double *wall) {
    static const double weight[2][4] = {{1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
    static const double reach[4] = {0.0, 0.5, 0.5, 1.0};
    double b, w, at = c;
    *bulk = *wall = 0.0;
    rates(r, c, &b, &w);
    if (b == 0.0 && w == 0.0) {
        return;
    }
    /* A part changes the concentration by less than a quarter, where that is not just the last of it. */
    double share = fabs(b + w) * dt / fmax(c, 1e-300);
    int n = exact && share > 0.25 && r->bulk.order != 0.0 ? (int)fmin(ceil(share / 0.25), PARTS_MOST) : 1;
    double h = dt / n;
    for (int i = 0; i < n; i++) {
        double sum_b = 0.0, sum_w = 0.0, slope = 0.0;
        for (int k = 0; k < (exact ? 4 : 1); k++) {
            rates(r, fmax(at + reach[k] * h * slope, 0.0), &b, &w);
            slope = b + w;
            sum_b += weight[exact][k] * b * h;
            sum_w += weight[exact][k] * w * h;
        }
        sum_b = held(r, at, sum_b);
        if (at + sum_b + sum_w < 0.0) { /* all is used up */
            double part = at / -(sum_b + sum_w);
            sum_b *= part;
            sum_w *= part;
        }
        *bulk += sum_b;
        *wall += sum_w;
        at = fmax(c + *bulk + *wall, 0.0);
    }
}
