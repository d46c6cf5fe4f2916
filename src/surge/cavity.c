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

#include <math.h>
#include <string.h>

/* The head over that of vapour below which gas counts as a cavity [m]. */
#define VAPOUR_NEAR 0.1

static void follow(const sl_surge_run *e, sl_surge_state *s, int64_t i, bool was, bool is) {
    const sl_surge_state *b = &e->before;
    s->cavity_max[i] = fmax(b->cavity_max[i], s->cavity[i]);
    s->cavity_first[i] = isnan(b->cavity_first[i]) && is ? s->x->time : b->cavity_first[i];
    s->cavity_time[i] = b->cavity_time[i] + (is ? e->m->dt : 0.0);
    s->cavity_count[i] = b->cavity_count[i] + (was && !is ? 1.0 : 0.0);
}

static void gas(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    sl_surge_state *s = (sl_surge_state *)&e->now;
    double psi = m->def.cavity_weight, dt = m->dt, w = m->implicit;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double z = g->b + w * s->r[i], hv = m->vapour[i], c = m->point_gas[i];
        double p = 2.0 * psi * dt / z;
        double v = b->cavity[i] + (1.0 - psi) * dt * (b->qout[i] - b->qin[i]);
        double q = v - p * (s->head[i] - hv), root = sqrt(q * q + 4.0 * p * c);
        double y = q <= 0.0 ? (root - q) / (2.0 * p) : 2.0 * c / (q + root);
        double h = hv + y;
        s->head[i] = h;
        s->qin[i] = (e->cp[i] - h) / z;
        s->qout[i] = (h - e->cm[i]) / z;
        s->cavity[i] = v + psi * dt * (s->qout[i] - s->qin[i]);
        s->cavity[i] = fmax(s->cavity[i], 0.0);
        double near = c / VAPOUR_NEAR;
        follow(e, s, i, b->cavity[i] > near, s->cavity[i] > near);
    }
}

static void vapour(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    const sl_surge_state *b = &e->before;
    sl_surge_state *s = (sl_surge_state *)&e->now;
    double psi = m->def.cavity_weight, dt = m->dt, w = m->implicit;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double z = g->b + w * s->r[i], hv = m->vapour[i];
        double v = b->cavity[i] + (1.0 - psi) * dt * (b->qout[i] - b->qin[i]);
        double h = s->head[i] - (b->cavity[i] > 0.0 ? v * z / (2.0 * psi * dt) : 0.0);
        bool open = h < hv;
        s->cavity[i] = 0.0;
        if (open || b->cavity[i] > 0.0) {
            h = open ? hv : h;
            s->head[i] = h;
            s->qin[i] = (e->cp[i] - h) / z;
            s->qout[i] = (h - e->cm[i]) / z;
            s->cavity[i] = open ? fmax((b->cavity[i] > 0.0 ? v : 0.0) + psi * dt * (s->qout[i] - s->qin[i]), 0.0) : 0.0;
        }
        follow(e, s, i, b->cavity[i] > 0.0, open);
    }
}

static void clamp(const sl_surge_run *e, const sl_surge_segment *g) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = (sl_surge_state *)&e->now;
    for (int64_t i = g->at + 1; i < g->at + g->n; i++) {
        double z = g->b + m->implicit * s->r[i], hv = m->vapour[i];
        bool below = s->head[i] < hv;
        s->cavity[i] = 0.0;
        if (below) {
            s->head[i] = hv;
            s->qin[i] = (e->cp[i] - hv) / z;
            s->qout[i] = (hv - e->cm[i]) / z;
        }
        follow(e, s, i, e->before.head[i] <= hv, below);
    }
}

void sl_surge_cavities(const sl_surge_run *e, const sl_surge_segment *g) {
    static void (*const models[SL_SURGE_CAVITATION_COUNT])(const sl_surge_run *, const sl_surge_segment *) = {
        [SL_SURGE_DGCM] = gas, [SL_SURGE_DVCM] = vapour, [SL_SURGE_CLAMP] = clamp};
    models[e->m->def.cavitation](e, g);
}
