/* SPDX-License-Identifier: MIT */
/* cavity.c: where the water column breaks: inner points of segments.
 *
 * With C+, C- and Z = B + w r, a point at head H has Qin = (C+ - H)/Z, Qout = (H - C-)/Z, and what it holds of gas or
 * vapour grows by dt (psi (Qout - Qin) + (1 - psi)(Qout - Qin) of the step before) = psi dt (2/Z)(H - H_liquid) + ...:
 *
 *   DGCM   V (H - Hv) = C: with y = H - Hv, p y^2 + q y - C = 0, p = 2 psi dt/Z > 0, q = V* - p y_liquid. The positive root,
 *          in the form without cancellation
 *   DVCM   V = 0 and H > Hv, or H = Hv and V > 0: liquid with the cavity filled within the step; if that is below Hv, Hv
 *   clamp  H >= Hv, and the volume is forgotten (counted as clamped): follows from C+ and C- (points.h)
 *
 * A vapour cavity is counted as one when its volume is above what gas would have at a tenth of a metre above Hv (DGCM),
 * or above zero.
 */
#include "surge/points.h"

#include "base/simd.h"

#include <math.h>

/* The head over that of vapour below which gas counts as a cavity [m]. */
#define VAPOUR_NEAR 0.1

double sl_surge_cavity_least(const sl_surge_model *m, const sl_surge_segment *g) {
    return m->def.cavitation == SL_SURGE_DGCM ? g->gas / VAPOUR_NEAR : 0.0;
}

/* n inner points, whole vectors of them, with gas c that hold the volume old already; p = 2 psi dt/Z, Z = B/ease. Returns by how much
 * the largest volume passes that of a cavity. */
enum { LANES = SL_SURGE_LANES };
SL_SIMD(double, gas_points,
        (int64_t n, double p_one, double c, const double *restrict hv, const double *restrict ease,
         const double *restrict plus, const double *restrict minus, const double *restrict old, double *restrict head,
         double *restrict v),
        (n, p_one, c, hv, ease, plus, minus, old, head, v)) {
    double most[LANES] = {0};
    for (int64_t k = 0; k < n; k += LANES) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            int64_t i = k + l;
            double p = p_one * ease[i], mean = 0.5 * (plus[i] + minus[i]), q = old[i] - p * (mean - hv[i]);
            double root = sqrt(q * q + 4.0 * p * c), over = q <= 0.0 ? root - q : 2.0 * c;
            double under = q <= 0.0 ? 2.0 * p : q + root;
            double h = hv[i] + over / under, now = old[i] + p * (h - mean);
            now = now > 0.0 && hv[i] > SL_SURGE_NO_VAPOUR ? now : 0.0;
            head[i] = h;
            v[i] = now;
            most[l] = now > most[l] ? now : most[l];
        }
    }
    for (int l = 1; l < LANES; l++) {
        most[0] = most[l] > most[0] ? most[l] : most[0];
    }
    return most[0] - c * (1.0 / VAPOUR_NEAR);
}

static int64_t gas(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = e->before, *s = e->now;
    int64_t whole = (n + LANES - 1) / LANES * LANES; /* as in passes.c */
    double psi = m->def.cavity_weight, grown[SL_SURGE_TILE], one[SL_SURGE_TILE];
    const double *old = psi < 1.0 ? grown : b->cavity + at, *ease = m->implicit > 0.0 ? s->ease + at : one;
    for (int64_t i = 0; i < whole && psi < 1.0; i++) {
        grown[i] = b->cavity[at + i] + (1.0 - psi) * m->dt * sl_surge_growth_at(m, b, g, at + i);
    }
    for (int64_t i = 0; i < whole && m->implicit <= 0.0; i++) {
        one[i] = 1.0;
    }
    double over = gas_points(whole, 2.0 * psi * m->dt / g->b, g->gas, m->cell_vapour + at, ease, s->plus + at,
                             s->minus + at, old, s->head + at, s->cavity + at);
    return over > 0.0;
}

static int64_t vapour(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = e->before, *s = e->now;
    double psi = m->def.cavity_weight, dt = m->dt;
    int64_t any = 0;
    for (int64_t i = at; i < at + n; i++) {
        double hv = m->cell_vapour[i], h = 0.5 * (s->plus[i] + s->minus[i]);
        bool was = b->cavity[i] > 0.0;
        s->cavity[i] = 0.0;
        if (was || h < hv) {
            double v = was ? b->cavity[i] + (1.0 - psi) * dt * sl_surge_growth_at(m, b, g, i) : 0.0;
            h -= v / (2.0 * psi * dt * sl_surge_admits(m, s, g, i)); /* with the cavity filled within the step */
            bool open = h < hv;
            h = open ? hv : h;
            s->head[i] = h;
            s->cavity[i] = open ? fmax(v + psi * dt * sl_surge_growth_at(m, s, g, i), 0.0) : 0.0;
        }
        s->head[i] = h;
        any += s->cavity[i] > 0.0;
    }
    return any;
}

/* Whole vectors of points: is a head below that of vapour? */
SL_SIMD(bool, below, (int64_t n, const double *restrict hv, const double *restrict plus, const double *restrict minus),
        (n, hv, plus, minus)) {
    double most[LANES] = {0};
    for (int64_t k = 0; k < n; k += LANES) {
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            double x = 2.0 * hv[k + l] - (plus[k + l] + minus[k + l]);
            most[l] = x > most[l] ? x : most[l];
        }
    }
    for (int l = 1; l < LANES; l++) {
        most[0] = most[l] > most[0] ? most[l] : most[0];
    }
    return most[0] > 0.0;
}

static int64_t clamp(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    (void)g;
    int64_t whole = (n + LANES - 1) / LANES * LANES; /* as in passes.c */
    return below(whole, e->m->cell_vapour + at, e->now->plus + at, e->now->minus + at);
}

int64_t sl_surge_cavities(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end) {
    static int64_t (*const models[SL_SURGE_CAVITATION_COUNT])(const sl_surge_run *, const sl_surge_segment *, int64_t,
                                                              int64_t) = {
        [SL_SURGE_DGCM] = gas, [SL_SURGE_DVCM] = vapour, [SL_SURGE_CLAMP] = clamp};
    return models[e->m->def.cavitation](e, g, g->cell + begin, end - begin);
}
