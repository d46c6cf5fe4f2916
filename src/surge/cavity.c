/* SPDX-License-Identifier: MIT */
/* cavity.c: where the water column breaks: inner points of segments.
 *
 * With C+, C- and Z = B + w r, a point at head H has Qin = (C+ - H)/Z, Qout = (H - C-)/Z, and what it holds of gas or
 * vapour grows by dt (psi (Qout - Qin) + (1 - psi)(Qout - Qin) of the step before) = psi dt (2/Z)(H - H_liquid) + ...:
 *
 *   DGCM   V (H - Hv) = C: with y = H - Hv, p y^2 + q y - C = 0, p = 2 psi dt/Z > 0, q = V* - p y_liquid. The positive root,
 *          in the form without cancellation
 *   DVCM   V = 0 and H > Hv, or H = Hv and V > 0: liquid with the cavity filled within the step; if that is below Hv, Hv
 *   clamp  H >= Hv, and the volume is forgotten (counted as clamped)
 *
 * A vapour cavity is counted as one when its volume is above what gas would have at a tenth of a metre above Hv (DGCM),
 * or above zero.
 */
#include "surge/impl.h"

#include "numeric/vecmath.h"

#include <math.h>

/* What is known about cavities of a segment changes rarely, and a step writes into the block of the step before the last:
 * there it is brought up to date when that step, or this one, saw a cavity. */
static void follow(const sl_surge_run *e, const sl_surge_segment *g, double (*near)(const sl_surge_model *, int64_t)) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    const sl_surge_state *s = &e->now;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double least = near(m, i);
        bool was = b->cavity[i] > least, is = s->cavity[i] > least;
        s->cavity_first[i] = isnan(b->cavity_first[i]) && is ? s->x->time : b->cavity_first[i];
        s->cavity_time[i] = b->cavity_time[i] + (is ? m->dt : 0.0);
        s->cavity_count[i] = b->cavity_count[i] + (was && !is ? 1.0 : 0.0);
    }
}

static void follow_if(const sl_surge_run *e, const sl_surge_segment *g, bool any,
                      double (*near)(const sl_surge_model *, int64_t)) {
    int64_t k = g - e->m->segments;
    double step = (double)e->now.x->n_step;
    e->now.seen[k] = any ? step : e->before.seen[k];
    if (any || e->before.seen[k] >= step - 1.0) {
        follow(e, g, near);
    }
}

static double near_gas(const sl_surge_model *m, int64_t i) {
    return m->point_gas[i] / SL_SURGE_VAPOUR_NEAR;
}

static double near_zero(const sl_surge_model *m, int64_t i) {
    (void)m, (void)i;
    return 0.0;
}

/* Points 0 .. n-1 of inner ones; returns how many have, or had, a cavity. */
SL_SIMD(int64_t, gas_points,
        (int64_t n, double b, double w, double psi, double dt, const double *restrict r, const double *restrict cp,
         const double *restrict cm, const double *restrict hv, const double *restrict c, const double *restrict old_in,
         const double *restrict old_out, const double *restrict old_v, const double *restrict old_max,
         double *restrict head, double *restrict qin, double *restrict qout, double *restrict v, double *restrict vmax),
        (n, b, w, psi, dt, r, cp, cm, hv, c, old_in, old_out, old_v, old_max, head, qin, qout, v, vmax)) {
    int64_t any = 0;
#pragma omp simd reduction(+ : any)
    for (int64_t i = 0; i < n; i++) {
        double y1 = 1.0 / (b + w * r[i]), p = 2.0 * psi * dt * y1;
        double before = old_v[i] + (1.0 - psi) * dt * (old_out[i] - old_in[i]);
        double q = before - p * (head[i] - hv[i]), root = sqrt(q * q + 4.0 * p * c[i]);
        double h = hv[i] + (q <= 0.0 ? root - q : 2.0 * c[i]) / (q <= 0.0 ? 2.0 * p : q + root);
        double in = (cp[i] - h) * y1, out = (h - cm[i]) * y1, now = before + psi * dt * (out - in);
        now = now > 0.0 ? now : 0.0;
        head[i] = h;
        qin[i] = in;
        qout[i] = out;
        v[i] = now;
        vmax[i] = now > old_max[i] ? now : old_max[i];
        double near = c[i] * (1.0 / SL_SURGE_VAPOUR_NEAR);
        any += (now > near) | (old_v[i] > near);
    }
    return any;
}

static void gas(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    const sl_surge_state *s = &e->now;
    int64_t at = g->at + 1;
    int64_t any =
        gas_points(g->n - 1, g->b, m->implicit, m->def.cavity_weight, m->dt, s->r + at, e->cp + at, e->cm + at,
                   m->vapour + at, m->point_gas + at, b->qin + at, b->qout + at, b->cavity + at, b->cavity_max + at,
                   s->head + at, s->qin + at, s->qout + at, s->cavity + at, s->cavity_max + at);
    follow_if(e, g, any > 0, near_gas);
}

static void vapour(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    const sl_surge_state *s = &e->now;
    double psi = m->def.cavity_weight, dt = m->dt, w = m->implicit;
    bool any = false;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double hv = m->vapour[i], h = s->head[i];
        bool was = b->cavity[i] > 0.0;
        s->cavity[i] = 0.0;
        if (was || h < hv) {
            double z = g->b + w * s->r[i], v = was ? b->cavity[i] + (1.0 - psi) * dt * (b->qout[i] - b->qin[i]) : 0.0;
            h -= v * z / (2.0 * psi * dt); /* with the cavity filled within the step */
            bool open = h < hv;
            h = open ? hv : h;
            s->head[i] = h;
            s->qin[i] = (e->cp[i] - h) / z;
            s->qout[i] = (h - e->cm[i]) / z;
            s->cavity[i] = open ? fmax(v + psi * dt * (s->qout[i] - s->qin[i]), 0.0) : 0.0;
            any = true;
        }
        s->cavity_max[i] = s->cavity[i] > b->cavity_max[i] ? s->cavity[i] : b->cavity_max[i];
    }
    follow_if(e, g, any, near_zero);
}

/* A clamped point has no volume; one that is at the vapour head is counted as a cavity by a volume of a millionth of a
 * millilitre, so that it can be told. */
static void clamp(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    const sl_surge_state *s = &e->now;
    bool any = false;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double z = g->b + m->implicit * s->r[i], hv = m->vapour[i];
        bool below = s->head[i] < hv;
        if (below) {
            s->head[i] = hv;
            s->qin[i] = (e->cp[i] - hv) / z;
            s->qout[i] = (hv - e->cm[i]) / z;
        }
        s->cavity[i] = below ? 1e-12 : 0.0;
        s->cavity_max[i] = b->cavity_max[i];
        any |= below || b->cavity[i] > 0.0;
    }
    follow_if(e, g, any, near_zero);
}

void sl_surge_cavities(const sl_surge_run *e, const sl_surge_segment *g) {
    static void (*const models[SL_SURGE_CAVITATION_COUNT])(const sl_surge_run *, const sl_surge_segment *) = {
        [SL_SURGE_DGCM] = gas, [SL_SURGE_DVCM] = vapour, [SL_SURGE_CLAMP] = clamp};
    models[e->m->def.cavitation](e, g);
}
