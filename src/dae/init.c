/* SPDX-License-Identifier: MIT */
/* init.c: values that satisfy all equations at one instant.
 *
 * One unknown per variable: x'_j where x_j is given, x_j where it is not. Newton's method, damped by the natural test of
 * Deuflhard (2004): a step is as long as the next correction, with the same matrix, is shorter than this one. That test
 * does not depend on how equations are scaled. What counts in the end are the residuals of all equations, each against
 * what errors within tolerance would make of it. IDA's own search is not used: it needs a step length, gives up on jumps,
 * and does not say which equation is the trouble.
 */
#include "dae/impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATION = 60, MAX_HALVING = 30 };
static const double close_enough = 1e-3; /* correction over tolerance */
static const double near_enough = 0.3;   /* the same, where rounding lets corrections shrink no more */

typedef struct newton {
    sl_dae *d;
    double t;
    double *x, *dx; /* being improved */
    const uint8_t *find;
    double *step, *next, *r; /* corrections, residual */
    double *trial_x, *trial_dx;
    double *scale; /* what errors within tolerance would make of each residual */
    int32_t singular;
    sl_lu *lu; /* of the unknowns */
} newton;

static bool finds_x(const newton *s, int32_t j) {
    return s->find ? s->find[j] == SL_DAE_FIND_X || !s->d->differential[j] : !s->d->differential[j];
}

static bool residual(newton *s, const double *x, const double *dx, double *r) {
    sl_dae *d = s->d;
    d->stats.n_residual++;
    if (d->system.residual(d->system.user, s->t, x, dx, r) != 0) {
        return false;
    }
    for (int32_t i = 0; i < d->n; i++) {
        if (!isfinite(r[i])) {
            return false;
        }
    }
    return true;
}

/* Both halves of the Jacobian, and what errors within tolerance in all variables would make of each residual. */
static bool halves(sl_dae *d, double t, const double *x, const double *dx, double *scale) {
    const sl_dae_pattern *p = &d->system.pattern;
    d->stats.n_jacobian++;
    if (d->system.jacobian(d->system.user, t, x, dx, 1.0, 0.0, d->values) != 0 ||
        d->system.jacobian(d->system.user, t, x, dx, 0.0, 1.0, d->other) != 0) {
        return false;
    }
    memset(scale, 0, (size_t)d->n * sizeof *scale);
    for (int32_t j = 0; j < d->n; j++) {
        double of_x = sl_dae_tolerance(d, j, x[j]), of_dx = sl_dae_tolerance(d, j, dx[j]);
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
            scale[p->row[k]] += fabs(d->values[k]) * of_x + fabs(d->other[k]) * of_dx;
        }
    }
    return true;
}

/* The largest residual over its scale. */
static double excess(const sl_dae *d, const double *r, const double *scale) {
    double most = 0.0;
    for (int32_t i = 0; i < d->n; i++) {
        double e = scale[i] > 0.0 ? fabs(r[i]) / scale[i] : r[i] != 0.0 ? (double)INFINITY : 0.0;
        most = e > most ? e : most;
    }
    return most;
}

/* ---- The matrix --------------------------------------------------------------------------------- */

/* The pattern of the unknowns: x'_j where x_j is given, x_j where it is not. Mostly much emptier than that of a step: of
 * explicit equations it is the diagonal. The usual choice (find NULL) is kept; another one is made each time. */
static sl_status prepare(newton *s) {
    sl_dae *d = s->d;
    sl_start *p = &d->start;
    const sl_dae_pattern *all = &d->system.pattern;
    if (p->lu && !s->find && p->is_usual) {
        s->lu = p->lu;
        return SL_OK;
    }
    sl_lu_destroy(p->lu);
    p->lu = NULL;
    size_t n = (size_t)d->n + 1, m = (size_t)d->n_entry;
    if (!p->begin) {
        p->n_byte = (n + 2 * m) * sizeof(int32_t);
        p->begin = sl_alloc(d->ctx, p->n_byte);
    }
    if (!p->begin) {
        return SL_ERR_MEMORY;
    }
    p->row = p->begin + n;
    p->from = p->row + m;
    p->is_usual = !s->find;
    int32_t count = 0;
    for (int32_t j = 0; j < d->n; j++) {
        p->begin[j] = count;
        for (int32_t k = all->start[j]; k < all->start[j + 1]; k++) {
            if (all->kind[k] & (finds_x(s, j) ? SL_DAE_X : SL_DAE_DX)) {
                p->row[count] = all->row[k];
                p->from[count++] = k;
            }
        }
    }
    p->begin[d->n] = count;
    sl_status status = sl_lu_create(d->ctx, &(sl_incidence){d->n, d->n, p->begin, p->row}, &p->lu);
    s->lu = p->lu;
    return status;
}

/* Its numbers at x, dx, factored. */
static sl_status factor(newton *s) {
    sl_dae *d = s->d;
    const sl_start *p = &d->start;
    for (int32_t j = 0; j < d->n; j++) {
        const double *from = finds_x(s, j) ? d->values : d->other;
        for (int32_t k = p->begin[j]; k < p->begin[j + 1]; k++) {
            d->entries[k] = from[p->from[k]];
            if (!isfinite(d->entries[k])) {
                return SL_ERR_INPUT;
            }
        }
    }
    return sl_lu_factor(s->lu, d->entries, &s->singular);
}

/* The correction for a residual, and its size over the tolerances. */
static double correct(newton *s, const double *r, double *step) {
    sl_dae *d = s->d;
    double sum = 0.0;
    for (int32_t i = 0; i < d->n; i++) {
        step[i] = -r[i];
    }
    sl_lu_solve(s->lu, step);
    for (int32_t j = 0; j < d->n; j++) {
        double e = step[j] / sl_dae_tolerance(d, j, finds_x(s, j) ? s->x[j] : s->dx[j]);
        sum += e * e;
    }
    return sqrt(sum / (d->n > 0 ? d->n : 1));
}

static void move(const newton *s, double length) {
    for (int32_t j = 0; j < s->d->n; j++) {
        bool x = finds_x(s, j);
        s->trial_x[j] = s->x[j] + (x ? length * s->step[j] : 0.0);
        s->trial_dx[j] = s->dx[j] + (x ? 0.0 : length * s->step[j]);
    }
}

/* One damped step. 1: on, 0: arrived, -1: no step helps. */
static int improve(newton *s) {
    size_t bytes = (size_t)s->d->n * sizeof(double);
    double size = correct(s, s->r, s->step), length = 1.0;
    for (int k = 0; k < MAX_HALVING; k++, length *= 0.5) {
        move(s, length);
        if (!residual(s, s->trial_x, s->trial_dx, s->r)) {
            continue;
        }
        double after = correct(s, s->r, s->next);
        bool rounding = k == 0 && size <= near_enough && after <= near_enough && after > 0.5 * size;
        if (after <= (1.0 - 0.25 * length) * size || after <= close_enough || rounding) {
            memcpy(s->x, s->trial_x, bytes);
            memcpy(s->dx, s->trial_dx, bytes);
            return length == 1.0 && (after <= close_enough || rounding) ? 0 : 1;
        }
    }
    return -1;
}

/* ---- What went wrong ---------------------------------------------------------------------------- */

/* Is it the structure? Reports the parts of the unknowns at the start that are not square. */
static bool report_structure(const newton *s, sl_diags *diags) {
    const sl_dae *d = s->d;
    sl_incidence a = {d->n, d->n, d->start.begin, d->start.row};
    return sl_dae_check_square(d->ctx, &a, &d->system, "the unknowns at the start", diags, NULL) == SL_ERR_INPUT;
}

double sl_dae_inconsistency(sl_dae *d, double t, const double *x, const double *dx) {
    double *r = d->work[0], *scale = d->work[1];
    newton s = {.d = d, .t = t};
    sl_dae_contract(d, &x, &dx);
    return residual(&s, x, dx, r) && halves(d, t, x, dx, scale) ? excess(d, r, scale) : (double)INFINITY;
}

/* Names the three equations that are farthest from holding. */
static void report_residuals(newton *s, const char *why, sl_diags *diags) {
    sl_dae *d = s->d;
    double *r = s->trial_x, *scale = s->scale;
    char text[4 * SL_DAE_NAME] = "", name[SL_DAE_NAME];
    size_t len = 0;
    if (residual(s, s->x, s->dx, r) && halves(d, s->t, s->x, s->dx, scale)) {
        for (int count = 0; count < 3; count++) {
            int32_t worst = -1;
            double most = 1.0;
            for (int32_t i = 0; i < d->n; i++) {
                double e = fabs(r[i]) / fmax(scale[i], 1e-300);
                if (e > most) {
                    most = e;
                    worst = i;
                }
            }
            if (worst < 0) {
                break;
            }
            int wrote = sl_format(
                text + len, sizeof text - len, "%s%s (off by %.3g)",
                count ? ", " : "; farthest from holding: ", sl_dae_name(&d->system, true, worst, name), r[worst]);
            len = wrote > 0 && (size_t)wrote < sizeof text - len ? len + (size_t)wrote : sizeof text - 1;
            r[worst] = 0.0;
        }
    }
    sl_report(diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL,
              "give better initial values, or check these equations", "at %.9g s: %s%s", s->t, why, text);
}

static void report_singular(const newton *s, sl_diags *diags) {
    char name[SL_DAE_NAME];
    if (report_structure(s, diags)) {
        return;
    }
    if (s->singular >= 0) {
        sl_report(diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL,
                  "check for equations that say the same twice, or for a derivative that is zero here",
                  "at %.9g s the equations do not determine %s'%s': the Jacobian is singular", s->t,
                  finds_x(s, s->singular) ? "" : "the derivative of ",
                  sl_dae_name(&s->d->system, false, s->singular, name));
    } else {
        report_residuals((newton *)s, "the Jacobian is singular", diags);
    }
}

/* ---- The search --------------------------------------------------------------------------------- */

/* What is given must be numbers. */
static bool given(const newton *s, sl_diags *diags) {
    char name[SL_DAE_NAME];
    for (int32_t j = 0; j < s->d->n; j++) {
        if (!isfinite(s->x[j]) || !isfinite(s->dx[j])) {
            sl_report(diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL, NULL, "at %.9g s '%s' is not a number",
                      s->t, sl_dae_name(&s->d->system, false, j, name));
            return false;
        }
    }
    return true;
}

static sl_status search(newton *s, sl_diags *diags) {
    sl_dae *d = s->d;
    if (!given(s, diags)) {
        return SL_ERR_SOLVE;
    }
    if (!residual(s, s->x, s->dx, s->r)) {
        report_residuals(s, "the equations cannot be evaluated with the values given", diags);
        return SL_ERR_SOLVE;
    }
    for (int k = 0; k < MAX_ITERATION; k++) {
        sl_status status = halves(d, s->t, s->x, s->dx, s->scale) ? factor(s) : SL_ERR_INPUT;
        if (status == SL_ERR_INPUT) {
            report_residuals(s, "the derivatives of the equations cannot be evaluated", diags);
            return SL_ERR_SOLVE;
        }
        if (status != SL_OK) {
            if (status == SL_ERR_SOLVE) {
                report_singular(s, diags);
            }
            return status;
        }
        int on = improve(s);
        if (on == 0 && excess(d, s->r, s->scale) <= 1.0) {
            return SL_OK;
        }
        if (on < 0) {
            break;
        }
    }
    static const double rounding = 1e-12; /* of pivots against each other */
    report_residuals(s,
                     sl_lu_condition(s->lu) > rounding
                         ? "no consistent values were found"
                         : "no consistent values were found: the Jacobian is singular up to rounding",
                     diags);
    return SL_ERR_SOLVE;
}

sl_status sl_dae_search(sl_dae *d, double t, double *x, double *dx, const uint8_t *find, sl_diags *diags) {
    size_t n = (size_t)d->n, bytes = n * sizeof(double);
    double *kept = d->kept;
    newton s = {.d = d,
                .t = t,
                .x = kept,
                .dx = kept + n,
                .find = find,
                .step = d->work[0],
                .next = d->work[1],
                .r = d->work[2],
                .trial_x = d->work[3],
                .trial_dx = d->work[4],
                .scale = d->work[5],
                .singular = -1};
    memcpy(s.x, x, bytes);
    memcpy(s.dx, dx, bytes);
    for (int32_t j = 0; j < d->n; j++) {
        s.dx[j] = d->differential[j] ? s.dx[j] : 0.0;
    }
    sl_status status = prepare(&s);
    status = status == SL_OK ? search(&s, diags) : status;
    if (status == SL_OK) {
        memcpy(x, s.x, bytes);
        memcpy(dx, s.dx, bytes);
    }
    return status;
}
