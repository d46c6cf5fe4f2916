/* SPDX-License-Identifier: MIT */
/* hidden.c: roots that go through zero and back within one step.
 *
 * The integrator compares signs at the ends of its steps, and steps are as long as the motion allows: a function that dips
 * below zero in between looks as if nothing had happened. So a step is looked at in its middle too, unless all roots are far
 * from zero for what they change. Where the sign is the other one there, the pair of zeros is found; where the parabola through beginning, middle and end comes near zero in
 * between, the lowest place of the function is looked for on the integrator's own polynomial, by parabolas through the last
 * three places. The step then ends at the first zero that is wanted, and the run starts anew from there with its next step:
 * until then the polynomial of the whole step shows what was before.
 *
 * What has several dips within a step may still be missed. Roots that wait are not looked at.
 */
#include "dae/impl.h"

#include <math.h>
#include <string.h>

/* A parabola whose lowest place is above this share of the largest value does not lead to zero. */
#define NEAR 0.25
enum { MOST_LOOKS = 5, MOST_HALVES = 200 };

/* Root i at a time of the last step; not a number where it cannot be computed. */
static double value_at(sl_dae *d, int32_t i, double t) {
    double *g = d->g + 5 * (size_t)d->n_root;
    bool fine = d->integrator->interpolate(d, t, d->work[1], d->work[2]) == SL_OK &&
                d->system.roots(d->system.user, t, d->work[1], d->work[2], g) == 0;
    return fine ? g[i] : (double)NAN;
}

/* A place and the function there, times the sign at the ends: the dip is where it is below zero. */
typedef struct place {
    double t, g;
} place;

/* The lowest place of the parabola through three, or not a number where it opens downwards or lies outside. */
static place lowest(const place p[3]) {
    double a = p[0].t - p[1].t, b = p[2].t - p[1].t, ga = (p[0].g - p[1].g) / a, gb = (p[2].g - p[1].g) / b;
    double bend = (gb - ga) / (b - a), slope = ga - bend * a, at = -0.5 * slope / bend;
    bool inside = bend > 0.0 && at > a && at < b;
    return inside ? (place){p[1].t + at, p[1].g + 0.5 * slope * at} : (place){(double)NAN, (double)NAN};
}

/* A place of root i below zero by more than its tolerance, between p[0] and p[2], which are above it. */
static bool find_dip(sl_dae *d, int32_t i, double sign, place p[3], place *dip) {
    double most = fmax(fmax(p[0].g, fabs(p[1].g)), p[2].g);
    for (int look = 0; look < MOST_LOOKS; look++) {
        if (p[1].g < -d->def.root_tol) {
            *dip = p[1];
            return true;
        }
        place low = lowest(p);
        if (!(low.g < NEAR * most) || low.t == p[1].t) {
            return false;
        }
        low.g = sign * value_at(d, i, low.t);
        if (isnan(low.g)) {
            return false;
        }
        bool before = low.t < p[1].t;
        place other = p[1]; /* the two lowest stay, with a higher one on either side */
        if (low.g < other.g) {
            p[before ? 2 : 0] = other;
            p[1] = low;
        } else {
            p[before ? 0 : 2] = low;
        }
    }
    return false;
}

/* The first time after the zero between a and b, which have different signs. */
static double first_after(sl_dae *d, int32_t i, double sign, place a, place b) {
    bool begins_above = a.g > 0.0;
    double close = 100.0 * 2.2e-16 * (fabs(a.t) + fabs(b.t));
    for (int k = 0; k < MOST_HALVES && b.t - a.t > close; k++) {
        /* A secant, or half of what is left where that leads nowhere. */
        double t = a.t + (b.t - a.t) * a.g / (a.g - b.g), edge = 0.02 * (b.t - a.t);
        t = k % 3 == 2 || !(t > a.t && t < b.t) ? 0.5 * (a.t + b.t) : fmin(fmax(t, a.t + edge), b.t - edge);
        place c = {t, sign * value_at(d, i, t)};
        if (!(t > a.t && t < b.t) || isnan(c.g)) {
            break;
        }
        *((c.g > 0.0) == begins_above ? &a : &b) = c;
    }
    return b.t;
}

/* When root i, above or below zero at both ends, first goes through it in a wanted direction; INFINITY: never. */
static double crossing(sl_dae *d, int32_t i, double from, const double g[3], int8_t *fired) {
    double sign = g[0] > 0.0 ? 1.0 : -1.0, middle = from + 0.5 * (d->t - from);
    place p[3] = {{from, sign * g[0]}, {middle, sign * g[1]}, {d->t, sign * g[2]}}, ends[2] = {p[0], p[2]}, dip;
    if (!find_dip(d, i, sign, p, &dip)) {
        return (double)INFINITY;
    }
    int8_t wanted = d->directions[i];
    *fired = (int8_t)-sign;
    if (wanted == 0 || wanted * sign < 0.0) {
        return first_after(d, i, sign, ends[0], dip);
    }
    *fired = (int8_t)sign;
    return first_after(d, i, sign, dip, ends[1]);
}

static bool is_looked_at(const sl_dae *d, int32_t i) {
    return (d->root[i] & (ROOT_ACTIVE | ROOT_WAITING)) == ROOT_ACTIVE;
}

/* g of all roots at both ends of the step; false: they cannot be computed. Mostly both are known: the integrator has just
 * been at the end, and the beginning was the last end. */
static bool inspect_ends(sl_dae *d, double from, double *begin, double *now) {
    size_t bytes = (size_t)d->n_root * sizeof *now;
    bool fine = true;
    d->has_older = d->g_time == from;
    if (d->has_older) {
        memcpy(d->g_older, begin, bytes);
        memcpy(begin, now, bytes);
        d->older_step = d->g_step;
    } else {
        fine = d->integrator->interpolate(d, from, d->work[1], d->work[2]) == SL_OK &&
               d->system.roots(d->system.user, from, d->work[1], d->work[2], begin) == 0;
    }
    if (d->seen_time == d->t) {
        memcpy(now, d->g_seen, bytes);
    } else {
        fine = fine && d->system.roots(d->system.user, d->t, d->x, d->dx, now) == 0;
    }
    d->g_time = fine ? d->t : (double)NAN;
    d->g_step = d->t - from;
    return fine;
}

/* Far from zero for what it changes in this step and would change by the slope of the last one: no dip can hide. */
static bool is_far(const sl_dae *d, double older, double begin, double now) {
    double steps = d->g_step / d->older_step, distance = 0.5 * fmin(fabs(begin), fabs(now));
    return d->has_older && fabs(now - begin) <= distance && fabs(begin - older) * steps <= distance;
}

bool sl_roots_hidden(sl_dae *d, double from) {
    size_t r = (size_t)d->n_root;
    double *const g[3] = {d->g + 2 * r, d->g + 3 * r, d->g + 4 * r};
    bool any = false;
    if (d->n_root == 0 || !(d->t > from) || !inspect_ends(d, from, g[0], g[2])) {
        return false;
    }
    for (int32_t i = 0; i < d->n_root; i++) {
        any = any || (is_looked_at(d, i) && !is_far(d, d->g_older[i], g[0][i], g[2][i]));
    }
    double middle = from + 0.5 * (d->t - from);
    if (!any || d->integrator->interpolate(d, middle, d->work[1], d->work[2]) != SL_OK ||
        d->system.roots(d->system.user, middle, d->work[1], d->work[2], g[1]) != 0) {
        return false;
    }
    double first = (double)INFINITY, *when = g[1]; /* of those that are done with */
    bool found = false;
    for (int32_t i = 0; i < d->n_root; i++) {
        const double of[3] = {g[0][i], g[1][i], g[2][i]};
        bool same = is_looked_at(d, i) && of[0] * of[2] > 0.0 && d->fired[i] == 0;
        int8_t way = 0;
        double t = same ? crossing(d, i, from, of, &way) : (double)INFINITY;
        when[i] = t < d->t ? t : (double)INFINITY;
        d->passed[i] = way;
        first = fmin(first, when[i]);
        found = found || when[i] < d->t;
    }
    if (!found || d->integrator->interpolate(d, first, d->work[1], d->work[2]) != SL_OK) {
        return false;
    }
    double close = 1e-13 * (fabs(first) + (d->t - from));
    for (int32_t i = 0; i < d->n_root; i++) {
        d->fired[i] = when[i] <= first + close ? d->passed[i] : 0;
    }
    memcpy(d->x, d->work[1], (size_t)d->n * sizeof *d->x);
    memcpy(d->dx, d->work[2], (size_t)d->n * sizeof *d->dx);
    d->t = first;
    d->g_time = (double)NAN;
    return true;
}
