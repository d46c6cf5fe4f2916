/* SPDX-License-Identifier: MIT */
/* tanks.c: filling and draining.
 *
 * A tank moves by V += Q dt with the net inflow of the step's beginning. That is stable while the stability number
 *
 *     dt (-dQ/dH) / A
 *
 * is below one: beyond it the level would swing over its balance. Steps with such stiff tanks are made of substeps
 * (substeps.c).
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

/* Flows below this do not move a tank within a day that anybody would notice (1e-6 ft3/s) [m3/s]. */
#define STILL 2.83168e-8

void sl_eps_tank_inflows(const sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = sl_first_tank(net) + i;
        double q = 0.0;
        for (int32_t a = e->m->at_start[node]; a < e->m->at_start[node + 1]; a++) {
            int32_t k = e->m->at_link[a];
            q += net->link_to[k] == node ? s->flow[k] : -s->flow[k];
        }
        s->inflow[i] = q;
    }
}

/* A tank is put exactly on its limit: the tenth of a micrometre is for the rounding of volume curves, the part of its head for that
 * of 4-byte files, in which a tank so near a limit stands on it. It stands there until it has left it by a band: links that opened at once would fill it again within a second, and close. A tank that comes
 * to the limit again and again within a step even so would cut the run into seconds: beyond the first few of such returns each
 * doubles its band, up to a tenth of its range. */
#define TOUCHES 1e-7  /* [m] */
#define TELLS 2.5e-7  /* of a head: four roundings of a 4-byte float */
#define LEAVES 1e-3   /* [m] */
#define TOO_SOON 0.25 /* of the hydraulic step */

static double touches(double limit) {
    return fmax(TOUCHES, TELLS * fabs(limit));
}

double sl_eps_tank_band(const sl_eps *e, const sl_eps_state *s, int32_t tank) {
    const sl_tank_law *law = &e->m->tank[tank];
    double range = law->h_max - law->h_min, least = fmin(LEAVES, 0.25 * range);
    double band = s->quick[tank] > SL_EPS_PATIENCE ? ldexp(LEAVES, s->quick[tank] - SL_EPS_PATIENCE) : least;
    return fmin(band, fmax(0.1 * range, least));
}

/* It comes to a limit, so long after the last time [s]. After a whole step in between it counts as having come to rest. */
static void count_return(const sl_eps *e, sl_eps_state *s, int32_t tank, double since) {
    double step = e->m->net->times.hydraulic_step;
    if (since < TOO_SOON * step) {
        s->quick[tank] += s->quick[tank] < SL_EPS_QUICK_MAX;
    } else if (since >= step) {
        s->quick[tank] = 0;
    }
}

static uint8_t limits_of(const sl_eps *e, const sl_eps_state *s, int32_t tank) {
    const sl_tank_law *law = &e->m->tank[tank];
    double head = s->head[sl_first_tank(e->m->net) + tank], band = sl_eps_tank_band(e, s, tank);
    double full = fmax(sl_eps_tank_full(s, tank) ? band : 0.0, touches(law->h_max));
    double empty = fmax(sl_eps_tank_empty(s, tank) ? band : 0.0, touches(law->h_min));
    bool is_full = head >= law->h_max - full && !law->overflows, is_empty = head <= law->h_min + empty;
    return (uint8_t)((is_full ? SL_EPS_FULL : 0) | (is_empty ? SL_EPS_EMPTY : 0));
}

/* Finds the limits that a tank stands on at time t: from its head, and from those in s that it stood on before. */
static void find_limit(const sl_eps *e, sl_eps_state *s, int32_t tank, double t) {
    uint8_t was = s->limit[tank], is = limits_of(e, s, tank);
    for (int side = 0; was != is && side < 2; side++) {
        int bit = side == 0 ? SL_EPS_FULL : SL_EPS_EMPTY;
        double *arrived = &s->arrived[side * e->m->net->n_tank + tank];
        if (is & ~was & bit) {
            count_return(e, s, tank, t - *arrived);
            *arrived = t;
        }
    }
    s->limit[tank] = is;
}

void sl_eps_put_tank(const sl_eps *e, sl_eps_state *s, int32_t tank) {
    s->limit[tank] = 0;
    s->quick[tank] = 0;
    s->arrived[tank] = s->arrived[e->m->net->n_tank + tank] = -(double)INFINITY;
    s->limit[tank] = limits_of(e, s, tank);
}

/* A tank within one second's flow of a limit is put on it: the clock knows whole seconds only. That flow is s->inflow: the one of
 * the step's beginning, or after substeps of its end. */
void sl_eps_tanks_fill(const sl_eps *e, sl_eps_state *s, const double *inflow, double dt, double t) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        double q = s->inflow[i], v = s->volume[i] + inflow[i] * dt;
        if (v > law->v_max || (q > 0.0 && v + q >= law->v_max)) {
            if (law->overflows && v > law->v_max) {
                s->overflow[i] += v - law->v_max;
                s->x->balance.overflow += v - law->v_max;
                s->x->balance.outflow += v - law->v_max;
            } else {
                s->x->balance.rounded += law->v_max - v;
            }
            v = law->v_max;
        } else if (v < law->v_min || (q < 0.0 && v + q <= law->v_min)) {
            s->x->balance.rounded += law->v_min - v;
            v = law->v_min;
        }
        s->volume[i] = v;
        s->head[sl_first_tank(net) + i] = sl_tank_head(law, v);
        find_limit(e, s, i, t);
    }
}

double sl_eps_tank_step(const sl_eps *e, const sl_eps_state *s, double dt, const double *rate) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        double q = s->inflow[i], v;
        if (fabs(q) <= STILL) {
            continue;
        }
        if (q > 0.0 && !sl_eps_tank_full(s, i) && s->volume[i] < law->v_max) {
            v = law->v_max - s->volume[i];
        } else if (q < 0.0 && !sl_eps_tank_empty(s, i)) {
            v = law->v_min - s->volume[i];
        } else {
            continue;
        }
        double t = floor(v / q + 0.5);
        /* Less than half a second away: it is reached in the shortest step there is, of which the tank takes what fits. One
         * that overflows loses nothing by a longer step. */
        if (t <= 0.0 && !(q > 0.0 && law->overflows)) {
            t = 1.0;
        }
        if (t > 0.0 && t < dt && rate[i] * t < 1.0) {
            dt = t;
        }
    }
    return dt;
}

/* -dQ/dH of a tank, all other given heads staying: the conductances of its links less what the heads beyond them
 * follow, sum p - p' A^-1 p, with the factor of the last trial and the conductances that went into it. */
static double sensitivity(sl_eps *e, int32_t tank) {
    const sl_eps_core *c = e->core;
    const double *p = e->w.tank_p;
    const int32_t *at = e->m->at_start + sl_first_tank(e->m->net), *column = c->tank_column + c->tank_start[tank];
    int32_t n = c->tank_start[tank + 1] - c->tank_start[tank];
    double *x = e->x.tank, sum = 0.0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int32_t a = at[tank] - at[0]; a < at[tank + 1] - at[0]; a++) {
        int32_t k = e->m->at_link[at[0] + a], b = c->branch_of[k];
        int32_t far = c->from[b] == sl_first_tank(e->m->net) + tank ? e->x.v[b] : e->x.u[b];
        sum += p[a];
        if (far != c->given) {
            x[c->tank_slot[a]] += p[a];
        }
    }
    sl_ldl_lower_few(c->ldl, e->x.ldl, n, column, x, e->x.few);
    return sum - sl_ldl_product_few(e->x.ldl, n, column, x, n, column, x);
}

void sl_eps_find_rates(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_network *net = e->m->net;
    memset(s->rate, 0, (size_t)net->n_tank * sizeof *s->rate);
    if (e->m->def.tanks == SL_TANKS_EXPLICIT || !(dt > 0.0)) {
        return;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = sl_first_tank(net) + i;
        double area = sl_tank_surface(&e->m->tank[i], s->head[node]), direct = 0.0;
        for (int32_t a = e->m->at_start[node]; a < e->m->at_start[node + 1]; a++) {
            direct += e->x.p[e->core->branch_of[e->m->at_link[a]]];
        }
        if (direct * dt >= area) { /* a bound of the sensitivity: most tanks are done with that */
            double answer = sensitivity(e, i);
            s->rate[i] = answer * dt >= area ? answer / area : 0.0;
        }
    }
}
