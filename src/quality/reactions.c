/* SPDX-License-Identifier: MIT */
/* reactions.c: the rates of reactions.h, and the step of one segment. */
#include "quality/reactions.h"

#include "base/simd.h"

#include <math.h>

/* The functions of the C library that these stand for are calls, and this is done for every segment. */
static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

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
        apart = larger(k > 0.0 ? x->limit - c : c - x->limit, 0.0);
    }
    return x->order == 1.0   ? k * apart
           : x->order == 2.0 ? k * apart * c
                             : k * apart * pow(larger(c, 0.0), x->order - 1.0);
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

static SL_INLINE double wall_zero(double kw, double kf, double area, double c) {
    if (kw == 0.0) {
        return 0.0;
    }
    double most = isinf(kf) ? (double)INFINITY : kf * larger(c, 0.0);
    return area * copysign(smaller(fabs(kw), most), kw);
}

double sl_wall_zero(double kw, double kf, double diameter, double c) {
    return wall_zero(kw, kf, 4.0 / diameter, c);
}

static SL_INLINE void rates(const sl_reaction *r, double c, double *bulk, double *wall) {
    *bulk = r->bulk.order == 0.0 ? r->k : sl_bulk_rate(&r->bulk, r->k, c); /* order 0: nothing to be called */
    *wall = r->wall_order < 0 ? 0.0 : r->wall_order == 1 ? r->wall * c : wall_zero(r->wall, r->kf, r->area, c);
}

double sl_react_factor(bool exact, double k, double dt) {
    double linear = 1.0 + k * dt;
    return exact ? exp(k * dt) : linear > 0.0 ? linear : 0.0;
}

/* What bulk reactions add during a step leads to the limit at most, however long the step is. */
static SL_INLINE double held(const sl_reaction *r, double c, double more) {
    if (!(r->bulk.limit > 0.0) || !(r->bulk.order > 0.0)) {
        return more;
    }
    return r->k > 0.0 ? smaller(more, larger(r->bulk.limit - c, 0.0)) : larger(more, smaller(r->bulk.limit - c, 0.0));
}

/* A step, or a part of one, that would add so much: not more than there is. */
static SL_INLINE void limit_step(const sl_reaction *r, double c, double *bulk, double *wall) {
    *bulk = held(r, c, *bulk);
    if (c + *bulk + *wall < 0.0) { /* all is used up */
        double part = c / -(*bulk + *wall);
        *bulk *= part;
        *wall *= part;
    }
}

static SL_INLINE void step_explicitly(const sl_reaction *r, double c, double dt, double *bulk, double *wall) {
    rates(r, c, bulk, wall);
    *bulk *= dt;
    *wall *= dt;
    limit_step(r, c, bulk, wall);
}

enum { PARTS_MOST = 256 };

static void step_exactly(const sl_reaction *r, double c, double dt, double *bulk, double *wall) {
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, reach[4] = {0.0, 0.5, 0.5, 1.0};
    double b, w, at = c;
    *bulk = *wall = 0.0;
    rates(r, c, &b, &w);
    if (b == 0.0 && w == 0.0) {
        return;
    }
    /* A part changes the concentration by less than a quarter, where that is not just the last of it. */
    double share = fabs(b + w) * dt / larger(c, 1e-300);
    int n = share > 0.25 && r->bulk.order != 0.0 ? (int)smaller(ceil(share / 0.25), PARTS_MOST) : 1;
    double h = dt / n;
    for (int i = 0; i < n; i++) {
        double sum_b = 0.0, sum_w = 0.0, slope = 0.0;
        for (int k = 0; k < 4; k++) {
            rates(r, larger(at + reach[k] * h * slope, 0.0), &b, &w);
            slope = b + w;
            sum_b += weight[k] * b * h;
            sum_w += weight[k] * w * h;
        }
        limit_step(r, at, &sum_b, &sum_w);
        *bulk += sum_b;
        *wall += sum_w;
        at = larger(c + *bulk + *wall, 0.0);
    }
}

void sl_react_segment(const sl_reaction *r, bool exact, double c, double dt, double *bulk, double *wall) {
    (exact ? step_exactly : step_explicitly)(r, c, dt, bulk, wall);
}

static SL_INLINE void change_segment(sl_segment *x, double bulk, double wall, sl_reacted *sum) {
    x->c = larger(x->c + bulk + wall, 0.0);
    sum->bulk += x->v * bulk;
    sum->wall += x->v * wall;
    sum->moved += x->v * fabs(bulk + wall);
}

sl_prepared_reaction sl_reaction_prepare(const sl_reaction *r, bool exact, double dt) {
    bool walls = r->wall_order == 0;
    return (sl_prepared_reaction){.of = *r,
                                  .dt = dt,
                                  .exact = exact,
                                  .order_0 = !exact && r->bulk.order == 0.0 && r->wall_order <= 0,
                                  .limited = walls && !isinf(r->kf),
                                  .decays = r->k <= 0.0 && (!walls || r->wall <= 0.0),
                                  .bulk = r->k * dt,
                                  .most = walls ? fabs(r->wall) : 0.0,
                                  .area = copysign(r->area, r->wall)};
}

void sl_react_segments(const sl_prepared_reaction *step, sl_segment *x, uint32_t n, sl_reacted *sum) {
    double bulk, wall;
    for (uint32_t i = 0; step->order_0 && i < n; i++) {
        sl_react_at_order_0(step, &x[i], sum);
    }
    for (uint32_t i = 0; !step->order_0 && i < n; i++) {
        (step->exact ? step_exactly : step_explicitly)(&step->of, x[i].c, step->dt, &bulk, &wall);
        change_segment(&x[i], bulk, wall, sum);
    }
}
