/* SPDX-License-Identifier: MIT */
/* bdf_roots.c: the first root within a step of bdf.c, by the Illinois variant of the secant method (Hiebert and Shampine 1980).
 *
 * A function is watched from `begin` on, with its value there. A change of its sign up to the end of the step is a root, which is
 * enclosed until the interval is as short as rounding of the time. One that is exactly zero at the start is not watched until it is not.
 */
#include "dae/bdf.h"

#include <math.h>
#include <string.h>

/* On the polynomial of the last step. */
static bool evaluate_at(sl_dae *d, double t, double *g) {
    sl_bdf *b = d->bdf;
    sl_bdf_values(d, t, b->x, b->dx);
    d->stats.n_root++;
    return sl_roots_evaluate(d, t, b->x, b->dx, g) == 0;
}

bool sl_bdf_start_roots(sl_dae *d) {
    sl_bdf *b = d->bdf;
    bool all = true;
    b->begin = b->t;
    b->close = sl_bdf_rounding(b);
    memset(d->fired, 0, (size_t)d->n_root);
    d->stats.n_root++;
    if (sl_roots_evaluate(d, b->t, b->phi[0], b->phi[1], b->g_begin) != 0) {
        return false;
    }
    for (int32_t i = 0; i < d->n_root; i++) {
        b->is_seen[i] = b->g_begin[i] != 0.0;
        all = all && b->is_seen[i];
    }
    if (all) {
        return true;
    }
    double ahead = fmax(b->close / b->h, 0.1) * b->h; /* those at zero may leave it at once */
    for (int32_t j = 0; j < d->n; j++) {
        b->x[j] = b->phi[0][j] + ahead * b->phi[1][j];
    }
    d->stats.n_root++;
    bool fine = sl_roots_evaluate(d, b->t + ahead, b->x, b->phi[1], b->g_end) == 0;
    for (int32_t i = 0; fine && i < d->n_root; i++) {
        if (!b->is_seen[i] && b->g_end[i] != 0.0) {
            b->is_seen[i] = 1;
            b->g_begin[i] = b->g_end[i];
        }
    }
    return fine;
}

int sl_bdf_pass_root(sl_dae *d) {
    sl_bdf *b = d->bdf;
    bool any = false, found = false;
    if (!b->is_at_root) {
        return 0;
    }
    if (!evaluate_at(d, b->begin, b->g_begin)) {
        return -1;
    }
    for (int32_t i = 0; i < d->n_root; i++) {
        d->fired[i] = b->is_seen[i] && b->g_begin[i] == 0.0;
        any = any || d->fired[i];
    }
    if (!any) {
        return 0;
    }
    b->close = sl_bdf_rounding(b);
    double next = b->begin + b->close;
    bool fine;
    if (next >= b->t) {
        for (int32_t j = 0; j < d->n; j++) {
            b->x[j] += b->close / b->h * b->phi[1][j];
        }
        d->stats.n_root++;
        fine = sl_roots_evaluate(d, next, b->x, b->dx, b->g_end) == 0;
    } else {
        fine = evaluate_at(d, next, b->g_end);
    }
    for (int32_t i = 0; fine && i < d->n_root; i++) {
        if (b->is_seen[i] && b->g_end[i] == 0.0) {
            if (d->fired[i]) {
                return -2; /* it stays at zero */
            }
            d->fired[i] = 1;
            found = true;
        } else if (d->fired[i]) {
            b->g_begin[i] = b->g_end[i];
        }
    }
    return !fine ? -1 : found;
}

static bool is_wanted(const sl_dae *d, int32_t i) {
    return d->directions[i] * d->bdf->g_begin[i] <= 0.0;
}

/* Between begin and values g at a later time: the root whose sign changes and that is nearest to begin, or -1; is one at zero there? */
static int32_t nearest(const sl_dae *d, const double *g, bool *at_zero) {
    const sl_bdf *b = d->bdf;
    double most = 0.0;
    int32_t which = -1;
    *at_zero = false;
    for (int32_t i = 0; i < d->n_root; i++) {
        if (!b->is_seen[i] || !is_wanted(d, i)) {
            continue;
        }
        if (g[i] == 0.0) {
            *at_zero = true;
        } else if (b->g_begin[i] * g[i] < 0.0) {
            double share = fabs(g[i] / (g[i] - b->g_begin[i]));
            which = share > most ? i : which;
            most = fmax(share, most);
        }
    }
    return which;
}

/* A time between, but not too near to either end. */
static double inside(const sl_bdf *b, double t) {
    double length = b->end - b->begin, share = length / b->close > 5.0 ? 0.1 : 0.5 / (length / b->close);
    if (fabs(t - b->begin) < 0.5 * b->close) {
        t = b->begin + share * length;
    }
    return fabs(b->end - t) < 0.5 * b->close ? b->end - share * length : t;
}

/* Shrinks the interval from begin to end around the first root. */
static bool enclose(sl_dae *d, int32_t which) {
    sl_bdf *b = d->bdf;
    size_t bytes = (size_t)d->n_root * sizeof(double);
    double weight = 1.0;
    int side = 0, before = -1; /* 1: the root was in the lower part, 2: in the upper one */
    while (b->end - b->begin > b->close) {
        weight = before != side ? 1.0 : side == 2 ? 2.0 * weight : 0.5 * weight;
        double secant = b->end - (b->end - b->begin) * b->g_end[which] / (b->g_end[which] - weight * b->g_begin[which]);
        double t = inside(b, secant);
        bool at_zero;
        if (!evaluate_at(d, t, b->g_try)) {
            return false;
        }
        int32_t next = nearest(d, b->g_try, &at_zero);
        before = side;
        if (next >= 0 || at_zero) {
            b->end = t;
            memcpy(b->g_end, b->g_try, bytes);
            side = 1;
            which = next;
            if (next < 0) {
                break;
            }
        } else {
            b->begin = t;
            memcpy(b->g_begin, b->g_try, bytes);
            side = 2;
        }
    }
    return true;
}

/* Which of them have fired at the end of the interval: they go to the other side there, or are at zero. */
static void mark_fired(sl_dae *d) {
    const sl_bdf *b = d->bdf;
    for (int32_t i = 0; i < d->n_root; i++) {
        bool fires = b->is_seen[i] && is_wanted(d, i) && (b->g_end[i] == 0.0 || b->g_begin[i] * b->g_end[i] < 0.0);
        d->fired[i] = (int8_t)(!fires ? 0 : b->g_begin[i] > 0.0 ? -1 : 1);
    }
}

int sl_bdf_find_root(sl_dae *d) {
    sl_bdf *b = d->bdf;
    bool at_zero;
    b->end = b->t;
    if (!evaluate_at(d, b->end, b->g_end)) {
        return -1;
    }
    b->close = sl_bdf_rounding(b);
    int32_t which = nearest(d, b->g_end, &at_zero);
    bool found = which >= 0 || at_zero;
    if (which >= 0 && !enclose(d, which)) {
        return -1;
    }
    if (found) {
        mark_fired(d);
    }
    for (int32_t i = 0; i < d->n_root; i++) {
        b->is_seen[i] = b->is_seen[i] || b->g_end[i] != 0.0;
    }
    b->begin = b->end;
    memcpy(b->g_begin, b->g_end, (size_t)d->n_root * sizeof(double));
    if (found) {
        sl_bdf_values(d, b->begin, b->x, b->dx);
    }
    return found;
}
