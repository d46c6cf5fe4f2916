/* SPDX-License-Identifier: MIT */
/* homotopy.c: see homotopy.h. Unknowns are w = (z, l). The tangent is the null vector of the n rows [dF/dz, F(z0)]; a step along it is corrected by
 * Newton's method in the plane across it. Rows are divided by the largest entry that they have at the beginning. */
#include "dae/homotopy.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 4000, MOST_CORRECTIONS = 8, FEW_CORRECTIONS = 3 };
static const double first_length = 0.05, least_length = 1e-9, longest = 10.0; /* of unknowns of size 1 */
static const double far_away = 1e8, near_enough = 1e-7;

typedef struct follower {
    const sl_homotopy *p;
    int32_t n;                           /* unknowns without l */
    double *a, *base, *scale, *r;        /* [n n], [n] */
    double *w, *to, *tangent, *next, *b; /* [n + 1] */
    double *m;                           /* [(n + 1) (n + 1)] */
} follower;

/* m x = b by elimination with row pivots; false: singular. */
static bool solve(follower *f, double *b) {
    int32_t n = f->n + 1;
    double *m = f->m;
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++) {
            best = fabs(m[i * n + k]) > fabs(m[best * n + k]) ? i : best;
        }
        if (!(fabs(m[best * n + k]) > 1e-300)) {
            return false;
        }
        for (int32_t j = 0; j < n && best != k; j++) {
            double other = m[k * n + j];
            m[k * n + j] = m[best * n + j];
            m[best * n + j] = other;
        }
        double other = b[k];
        b[k] = b[best];
        b[best] = best != k ? other : b[best];
        for (int32_t i = k + 1; i < n; i++) {
            double factor = m[i * n + k] / m[k * n + k];
            for (int32_t j = k; j < n && factor != 0.0; j++) {
                m[i * n + j] -= factor * m[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t j = k + 1; j < n; j++) {
            b[k] -= m[k * n + j] * b[j];
        }
        b[k] /= m[k * n + k];
    }
    return true;
}

/* Residuals at w, and the matrix with the tangent as its last row. */
static bool evaluate(follower *f, const double *w, double *r) {
    int32_t n = f->n, m = n + 1;
    if (!f->p->residual(f->p->user, w, r) || !f->p->matrix(f->p->user, f->a)) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        r[i] = (r[i] - (1.0 - w[n]) * f->base[i]) / f->scale[i];
        for (int32_t j = 0; j < n; j++) {
            f->m[i * m + j] = f->a[i * n + j] / f->scale[i];
        }
        f->m[i * m + n] = f->base[i] / f->scale[i];
    }
    memcpy(f->m + (size_t)n * (size_t)m, f->tangent, (size_t)m * sizeof *f->m);
    return true;
}

/* The tangent at w, in the direction of the last one. */
static bool turn(follower *f) {
    int32_t n = f->n;
    double norm = 0.0;
    if (!evaluate(f, f->w, f->r)) {
        return false;
    }
    memset(f->b, 0, (size_t)n * sizeof *f->b);
    f->b[n] = 1.0;
    if (!solve(f, f->b)) {
        return false;
    }
    for (int32_t k = 0; k <= n; k++) {
        norm += f->b[k] * f->b[k];
    }
    for (int32_t k = 0; k <= n; k++) {
        f->tangent[k] = f->b[k] / sqrt(norm);
    }
    return isfinite(norm) && norm > 0.0;
}

/* Back to the curve from f->to. How many corrections; -1: it was not reached. */
static int correct(follower *f) {
    int32_t n = f->n;
    for (int count = 1; count <= MOST_CORRECTIONS; count++) {
        double most = 0.0;
        if (!evaluate(f, f->to, f->r)) {
            return -1;
        }
        for (int32_t k = 0; k < n; k++) {
            f->b[k] = -f->r[k];
        }
        f->b[n] = 0.0;
        if (!solve(f, f->b)) {
            return -1;
        }
        for (int32_t k = 0; k <= n; k++) {
            f->to[k] += f->b[k];
            most = fmax(most, fabs(f->b[k]) / (1.0 + fabs(f->to[k])));
        }
        if (!(most < far_away)) {
            return -1;
        }
        if (most < near_enough) {
            return count;
        }
    }
    return -1;
}

/* In one direction, until l is 1. */
static bool follow(follower *f, const double *z, double direction) {
    int32_t n = f->n;
    double length = first_length;
    memcpy(f->w, z, (size_t)n * sizeof *z);
    f->w[n] = 0.0;
    memset(f->tangent, 0, (size_t)n * sizeof *f->tangent);
    f->tangent[n] = direction;
    for (int step = 0; step < MOST_STEPS; step++) {
        if (!turn(f)) {
            return false;
        }
        int count = -1;
        while (count < 0 && length > least_length) {
            for (int32_t k = 0; k <= n; k++) {
                f->to[k] = f->w[k] + length * f->tangent[k];
            }
            count = correct(f);
            length *= count < 0 ? 0.25 : 1.0;
        }
        if (count < 0) {
            return false;
        }
        double before = f->w[n], after = f->to[n], size = 0.0;
        for (int32_t k = 0; k <= n; k++) {
            f->next[k] = f->w[k];
            f->w[k] = f->to[k];
            size = fmax(size, fabs(f->w[k]));
        }
        if (before < 1.0 && after >= 1.0) {
            double share = (1.0 - before) / (after - before);
            for (int32_t k = 0; k < n; k++) {
                f->w[k] = f->next[k] + share * (f->w[k] - f->next[k]);
            }
            return true;
        }
        if (!(size < far_away)) {
            return false;
        }
        length = count <= FEW_CORRECTIONS ? fmin(2.0 * length, longest * (1.0 + size)) : length;
    }
    return false;
}

static bool begin(follower *f, const double *z) {
    if (!f->p->residual(f->p->user, z, f->base) || !f->p->matrix(f->p->user, f->a)) {
        return false;
    }
    for (int32_t i = 0; i < f->n; i++) {
        f->scale[i] = fabs(f->base[i]);
        for (int32_t j = 0; j < f->n; j++) {
            f->scale[i] = fmax(f->scale[i], fabs(f->a[i * f->n + j]));
        }
        f->scale[i] = f->scale[i] > 0.0 ? f->scale[i] : 1.0;
    }
    return true;
}

sl_status sl_homotopy_follow(sl_context *ctx, const sl_homotopy *p, double *z) {
    size_t n = (size_t)p->n, m = n + 1, bytes = (n * n + m * m + 8 * m) * sizeof(double);
    double *room = sl_alloc(ctx, bytes);
    if (!room) {
        return SL_ERR_MEMORY;
    }
    follower f = {.p = p, .n = p->n, .a = room, .m = room + n * n};
    double **vectors[] = {&f.base, &f.scale, &f.r, &f.w, &f.to, &f.tangent, &f.next, &f.b};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = f.m + m * m + k * m;
    }
    bool found = begin(&f, z) && (follow(&f, z, 1.0) || follow(&f, z, -1.0));
    if (found) {
        memcpy(z, f.w, n * sizeof *z);
    }
    sl_free(ctx, room, bytes);
    return found ? SL_OK : SL_ERR_SOLVE;
}
