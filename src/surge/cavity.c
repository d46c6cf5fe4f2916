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

/* n inner points with gas c; b: of the pipe. Returns how many have a cavity. */
SL_SIMD(int64_t, gas_points,
        (int64_t n, double b, bool implicit, double psi, double dt, double c, const double *restrict hv,
         const double *restrict ease, const double *restrict plus, const double *restrict minus,
         const double *restrict old_plus, const double *restrict old_minus, const double *restrict old_ease,
         const double *restrict old_head, const double *restrict old_v, double *restrict head, double *restrict v),
        (n, b, implicit, psi, dt, c, hv, ease, plus, minus, old_plus, old_minus, old_ease, old_head, old_v, head, v)) {
    int64_t any = 0;
    double admits = 1.0 / b, near = c * (1.0 / VAPOUR_NEAR), part = (1.0 - psi) * dt * admits;
#pragma omp simd reduction(+ : any)
    for (int64_t i = 0; i < n; i++) {
        double p = 2.0 * psi * dt * admits * (implicit ? ease[i] : 1.0), mean = 0.5 * (plus[i] + minus[i]);
        double grew = (2.0 * old_head[i] - (old_plus[i] + old_minus[i])) * (implicit ? old_ease[i] : 1.0);
        double before = old_v[i] + part * grew;
        double q = before - p * (mean - hv[i]), root = sqrt(q * q + 4.0 * p * c);
        double h = hv[i] + (q <= 0.0 ? root - q : 2.0 * c) / (q <= 0.0 ? 2.0 * p : q + root);
        double now = before + p * (h - mean);
        now = now > 0.0 ? now : 0.0;
        head[i] = h;
        v[i] = now;
        any += now > near;
    }
    return any;
}

static int64_t gas(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before, *s = &e->now;
    return gas_points(n, g->b, m->implicit > 0.0, m->def.cavity_weight, m->dt, g->gas, m->cell_vapour + at, s->ease + at,
                      s->plus + at, s->minus + at, b->plus + at, b->minus + at, b->ease + at, b->head + at, b->cavity + at,
                      s->head + at, s->cavity + at);
}

static int64_t vapour(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before, *s = &e->now;
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

static int64_t clamp(const sl_surge_run *e, const sl_surge_segment *g, int64_t at, int64_t n) {
    (void)g;
    int64_t any = 0;
    for (int64_t i = at; i < at + n; i++) {
        any += e->now.plus[i] + e->now.minus[i] < 2.0 * e->m->cell_vapour[i];
    }
    return any;
}

int64_t sl_surge_cavities(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end) {
    static int64_t (*const models[SL_SURGE_CAVITATION_COUNT])(const sl_surge_run *, const sl_surge_segment *, int64_t,
                                                              int64_t) = {
        [SL_SURGE_DGCM] = gas, [SL_SURGE_DVCM] = vapour, [SL_SURGE_CLAMP] = clamp};
    return models[e->m->def.cavitation](e, g, g->cell + begin, end - begin);
}
