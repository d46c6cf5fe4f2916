/* SPDX-License-Identifier: MIT */
/* bdf.c: the integrator of small systems: backward differences of variable order and step, in one block of memory.
 *
 * The method is that of IDA (ida.c): the fixed leading coefficient form of Jackson and Sacks-Davis (1980), with the control of order
 * and step of Brenan, Campbell and Petzold (1996) and the constants of Hindmarsh and others (2005). What differs is the cost: IDA's
 * vectors are objects with tables of functions, which is nothing where a vector has a thousand elements and nearly everything where it
 * has one. Thousands of parts with a few unknowns each (src/hybrid) need 1 kB instead of 8 here, and a third of the instructions.
 *
 * Sums are in IDA's order, so both give the same bits: tests/dae/test_bdf.c holds one against the other.
 */
#include "dae/bdf.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double unit_rounding = 2.220446049250313e-16;
enum { MOST_ITERATIONS = 4, MOST_FAILURES = 10 };
static const double newton_tolerance = 0.33; /* of a correction, in weights */
static const double least_ratio = 0.6,
                    most_ratio = 1.0 / 0.6; /* of leading coefficients, before the matrix is made anew */

/* ---- Life --------------------------------------------------------------------------------------- */

static sl_status create(sl_dae *d) {
    enum { N_VECTOR = BDF_COLUMNS + 7 };
    size_t n = (size_t)d->n, r = (size_t)d->n_root;
    size_t n_byte = sizeof(sl_bdf) + (N_VECTOR * n + 3 * r) * sizeof(double) + r;
    sl_bdf *b = d->bdf = sl_alloc(d->ctx, n_byte);
    if (!b) {
        return SL_ERR_MEMORY;
    }
    b->n_byte = n_byte;
    double *at = (double *)(void *)(b + 1);
    double **others[] = {&b->correction, &b->delta, &b->x_predicted, &b->dx_predicted, &b->weight, &b->x, &b->dx};
    for (int k = 0; k < BDF_COLUMNS; k++, at += n) {
        b->phi[k] = at;
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++, at += n) {
        *others[k] = at;
    }
    b->g_begin = at;
    b->g_end = at + r;
    b->g_try = at + 2 * r;
    b->is_seen = (uint8_t *)(at + 3 * r);
    b->h_inverse = d->def.max_step > 0.0 ? 1.0 / d->def.max_step : 0.0;
    return SL_OK;
}

static void destroy(sl_dae *d) {
    if (d->bdf) {
        sl_free(d->ctx, d->bdf, d->bdf->n_byte);
        d->bdf = NULL;
    }
}

static size_t size(const sl_dae *d) {
    return d->bdf->n_byte;
}

/* Tolerances and which unknowns are differential are those of d. */
static void set_differential(sl_dae *d) {
    (void)d;
}

static sl_status start(sl_dae *d) {
    sl_bdf *b = d->bdf;
    const sl_dae_point *p = &d->point;
    b->t = b->returned = p->t;
    b->h = p->h;
    b->limit = p->limit;
    b->n_step = b->order = b->order_used = 0;
    b->is_at_root = false;
    d->stats.n_restart++;
    d->fresh_pivots = true;
    memcpy(b->phi[0], d->x0, (size_t)d->n * sizeof(double));
    memcpy(b->phi[1], d->dx0, (size_t)d->n * sizeof(double));
    return SL_OK;
}

static void statistics(const sl_dae *d, sl_dae_stats *s) {
    s->order = d->bdf->order_used;
    s->last_step = d->bdf->h_used;
}

static double current(const sl_dae *d, const double **errors) {
    *errors = d->bdf->correction;
    return d->bdf->h;
}

/* ---- Norms -------------------------------------------------------------------------------------- */

static double norm(const sl_dae *d, const double *v) {
    double sum = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double e = v[j] * d->bdf->weight[j];
        sum += e * e;
    }
    return sqrt(sum / d->n);
}

/* ... of errors, in which algebraic unknowns may not count. */
static double error_norm(const sl_dae *d, const double *v) {
    if (!d->def.skip_algebraic) {
        return norm(d, v);
    }
    double sum = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double e = v[j] * d->bdf->weight[j];
        sum += d->differential[j] ? e * e : 0.0;
    }
    return sqrt(sum / d->n);
}

static void set_weights(sl_dae *d) {
    for (int32_t j = 0; j < d->n; j++) {
        d->bdf->weight[j] = 1.0 / (d->def.rtol * fabs(d->bdf->phi[0][j]) + d->atol[j]);
    }
}

static void scale(double *v, int32_t n, double by) {
    for (int32_t j = 0; j < n; j++) {
        v[j] *= by;
    }
}

/* ---- The formula -------------------------------------------------------------------------------- */

/* Coefficients of a step, and the differences scaled for it; returns the coefficient of the error. */
static double set_coefficients(sl_dae *d) {
    sl_bdf *b = d->bdf;
    int32_t k = b->order;
    bool same = b->h == b->h_used && k == b->order_used;
    b->n_same = same ? b->n_same : 0;
    b->n_same = b->n_same + 1 < b->order_used + 2 ? b->n_same + 1 : b->order_used + 2;
    if (k + 1 >= b->n_same) {
        double sum = b->h;
        b->beta[0] = b->alpha[0] = b->sigma[0] = 1.0;
        b->gamma[0] = 0.0;
        for (int32_t i = 1; i <= k; i++) {
            double before = b->psi[i - 1];
            b->psi[i - 1] = sum;
            b->beta[i] = b->beta[i - 1] * sum / before;
            sum = before + b->h;
            b->alpha[i] = b->h / sum;
            b->sigma[i] = i * b->sigma[i - 1] * b->alpha[i];
            b->gamma[i] = b->gamma[i - 1] + b->alpha[i - 1] / b->h;
        }
        b->psi[k] = sum;
    }
    double fixed = 0.0, variable = 0.0; /* leading coefficients, times the step */
    for (int32_t i = 0; i < k; i++) {
        fixed -= 1.0 / (i + 1);
        variable -= b->alpha[i];
    }
    b->lead_before = b->lead;
    b->lead = -fixed / b->h;
    for (int32_t i = b->n_same; i <= k; i++) {
        scale(b->phi[i], d->n, b->beta[i]);
    }
    return fmax(fabs(b->alpha[k] + fixed - variable), b->alpha[k]);
}

/* The step is taken back: time, sums of steps and differences are those before it. */
static void take_back(sl_dae *d, double t) {
    sl_bdf *b = d->bdf;
    b->t = t;
    for (int32_t i = 1; i <= b->order; i++) {
        b->psi[i - 1] = b->psi[i] - b->h;
    }
    for (int32_t i = b->n_same; i <= b->order; i++) {
        scale(b->phi[i], d->n, 1.0 / b->beta[i]);
    }
}

static void predict(sl_dae *d) {
    sl_bdf *b = d->bdf;
    for (int32_t j = 0; j < d->n; j++) {
        double x = b->phi[0][j], dx = b->gamma[1] * b->phi[1][j];
        for (int32_t i = 1; i <= b->order; i++) {
            x = b->phi[i][j] + x;
        }
        for (int32_t i = 2; i <= b->order; i++) {
            dx = b->gamma[i] * b->phi[i][j] + dx;
        }
        b->x_predicted[j] = x;
        b->dx_predicted[j] = dx;
    }
}

/* ---- Newton ------------------------------------------------------------------------------------- */

/* What came of an attempt: 0, or why not. Negative: no shorter step will help. */
enum { DONE = 0, NOT_HERE = 1, NOT_CONVERGED = 2, NOT_EXACT = 3, NEVER = -1, NO_MATRIX = -2, NO_MEMORY = -3 };

/* The residual at the prediction and a correction. */
static int residual(sl_dae *d) {
    sl_bdf *b = d->bdf;
    for (int32_t j = 0; j < d->n; j++) {
        b->x[j] = b->x_predicted[j] + b->correction[j];
        b->dx[j] = b->dx_predicted[j] + b->lead * b->correction[j];
    }
    int result = sl_integrator_residual(d, b->t, b->x, b->dx, b->delta);
    return result == 0 ? DONE : result > 0 ? NOT_HERE : NEVER;
}

static int make_matrix(sl_dae *d) {
    sl_bdf *b = d->bdf;
    b->lead_factored = b->lead;
    b->convergence = 20.0;
    int result = sl_integrator_jacobian(d, b->t, b->lead, b->x, b->dx);
    if (result != 0) {
        return result > 0 ? NOT_CONVERGED : NO_MATRIX;
    }
    sl_status status = sl_integrator_factor(d);
    return status == SL_OK ? DONE : status == SL_ERR_MEMORY ? NO_MEMORY : NOT_CONVERGED;
}

/* One iteration: the correction gets better; its size over the one before says how fast. */
static int iterate(sl_dae *d, int32_t i, double *first, bool *converged) {
    sl_bdf *b = d->bdf;
    double ratio = b->lead / b->lead_factored, stretch = ratio != 1.0 ? 2.0 / (1.0 + ratio) : 1.0;
    scale(b->delta, d->n, -1.0);
    sl_lu_solve(d->lu, b->delta);
    if (ratio != 1.0) { /* the matrix is that of another step */
        scale(b->delta, d->n, stretch);
    }
    for (int32_t j = 0; j < d->n; j++) {
        b->correction[j] += b->delta[j];
    }
    double size_of = norm(d, b->delta);
    d->stats.n_newton++;
    if (i == 0) {
        *first = size_of;
        *converged = size_of <= 1e-4 * (1e-4 * newton_tolerance);
    } else {
        double rate = size_of / *first;
        rate = i == 1 || !(rate > 0.0) ? rate : pow(rate, 1.0 / i);
        if (rate > 0.9) {
            return NOT_CONVERGED;
        }
        b->convergence = rate / (1.0 - rate);
    }
    *converged = *converged || b->convergence * size_of <= newton_tolerance;
    return DONE;
}

/* iterated: the prediction could be evaluated, and a better matrix may help. */
static int solve_with(sl_dae *d, bool anew, bool *iterated) {
    double first = 0.0;
    bool converged = false;
    memset(d->bdf->correction, 0, (size_t)d->n * sizeof(double));
    int result = residual(d);
    result = result == DONE && anew ? make_matrix(d) : result;
    *iterated = result == DONE;
    for (int32_t i = 0; result == DONE; i++) {
        result = iterate(d, i, &first, &converged);
        if (result != DONE || converged) {
            return result;
        }
        result = i + 1 < MOST_ITERATIONS ? residual(d) : NOT_CONVERGED;
    }
    return result;
}

/* The equations of a step: x and dx at its end. */
static int solve(sl_dae *d) {
    sl_bdf *b = d->bdf;
    bool anew = b->n_step == 0;
    if (anew) {
        b->lead_factored = b->lead;
        b->convergence = 20.0;
    }
    double ratio = b->lead / b->lead_factored;
    anew = anew || ratio < least_ratio || ratio > most_ratio;
    b->convergence = b->lead != b->lead_before ? 100.0 : b->convergence;
    bool iterated;
    int result = solve_with(d, anew, &iterated);
    if (result > 0 && !anew && iterated) {
        d->stats.n_newton_fail++;
        result = solve_with(d, true, &iterated);
    }
    if (result != DONE) {
        d->stats.n_newton_fail++;
        return result;
    }
    for (int32_t j = 0; j < d->n; j++) {
        b->x[j] = b->x_predicted[j] + b->correction[j];
        b->dx[j] = b->dx_predicted[j] + b->lead * b->correction[j];
    }
    return DONE;
}

/* ---- Order and length --------------------------------------------------------------------------- */

/* Errors of orders k and k - 1, as they were in this step. */
typedef struct errors {
    double now, below;
} errors;

/* Is the error small enough? Suggests a lower order where errors do not fall with the order. */
static int test_error(sl_dae *d, double coefficient, errors *e) {
    sl_bdf *b = d->bdf;
    int32_t k = b->order;
    double size_of = error_norm(d, b->correction);
    e->now = b->sigma[k] * size_of;
    double truncated = (k + 1) * e->now;
    b->order_next = k;
    if (k > 1) {
        for (int32_t j = 0; j < d->n; j++) {
            b->delta[j] = b->phi[k][j] + b->correction[j];
        }
        e->below = b->sigma[k - 1] * error_norm(d, b->delta);
        double below = k * e->below;
        bool lower = k == 2 && below <= 0.5 * truncated;
        if (k > 2) {
            for (int32_t j = 0; j < d->n; j++) {
                b->delta[j] = b->phi[k - 1][j] + b->delta[j];
            }
            double second = (k - 1) * (b->sigma[k - 2] * error_norm(d, b->delta));
            lower = fmax(below, second) <= truncated;
        }
        b->order_next = lower ? k - 1 : k;
    }
    return coefficient * size_of > 1.0 ? NOT_EXACT : DONE;
}

/* How much longer a step may be whose error would be e. */
static double stretch_of(double e, int32_t order) {
    return pow(2.0 * e + 1e-4, -1.0 / (order + 1));
}

typedef struct failures {
    int32_t n_newton, n_error;
} failures;

/* After an attempt that failed, a shorter step; or why there is none. */
static sl_dae_trouble shorten(sl_dae *d, int result, const errors *e, failures *f, double *by) {
    sl_bdf *b = d->bdf;
    b->has_settled = true;
    *by = 0.25;
    if (result < 0) {
        return result == NO_MEMORY ? SL_DAE_NO_MEMORY : result == NEVER ? SL_DAE_NO_RESIDUAL : SL_DAE_NO_MATRIX;
    }
    if (result != NOT_EXACT) {
        if (++f->n_newton == MOST_FAILURES) {
            return result == NOT_HERE ? SL_DAE_NO_RESIDUAL_NEARBY : SL_DAE_NOT_SOLVED;
        }
    } else {
        d->stats.n_error_fail++;
        if (++f->n_error == MOST_FAILURES) {
            return SL_DAE_NOT_EXACT;
        }
        double error = b->order == b->order_next ? e->now : e->below;
        b->order = f->n_error > 2 ? 1 : b->order_next;
        *by = f->n_error > 1 ? 0.25 : fmax(0.25, fmin(0.9, 0.9 * stretch_of(error, b->order)));
    }
    b->h *= *by;
    return SL_DAE_NO_TROUBLE;
}

/* The order of the next step, with the error that it would have had in this one. */
static double choose_order(sl_dae *d, const errors *e, bool was_raised) {
    sl_bdf *b = d->bdf;
    int32_t k = b->order;
    if (b->order_next == k - 1) {
        b->order--;
        return e->below;
    }
    if (k == d->def.max_order || k + 1 >= b->n_same || was_raised) {
        return e->now;
    }
    for (int32_t j = 0; j < d->n; j++) {
        b->delta[j] = b->correction[j] - b->phi[k + 1][j];
    }
    double above = error_norm(d, b->delta) / (k + 2), truncated = (k + 1) * e->now, higher = (k + 2) * above;
    if (k > 1 && k * e->below <= fmin(truncated, higher)) {
        b->order--;
        return e->below;
    }
    if (higher >= (k > 1 ? truncated : 0.5 * truncated)) {
        return e->now;
    }
    b->order++;
    return above;
}

/* Length and order of the next step; the differences of this one. */
static void complete(sl_dae *d, const errors *e) {
    sl_bdf *b = d->bdf;
    int32_t k = b->order;
    bool was_raised = k - b->order_used == 1;
    b->n_step++;
    b->order_used = k;
    b->h_used = b->h;
    b->has_settled = b->has_settled || b->order_next == k - 1 || k == d->def.max_order;
    if (!b->has_settled) { /* the start: order and length grow while errors allow it */
        if (b->n_step > 1) {
            double longer = 2.0 * b->h, over = longer * b->h_inverse;
            b->order++;
            b->h = over > 1.0 ? longer / over : longer;
        }
    } else {
        double error = choose_order(d, e, was_raised), by = stretch_of(error, b->order);
        if (by >= 2.0) {
            by = 2.0 / fmax(1.0, 2.0 * b->h * b->h_inverse);
        } else {
            by = by <= 1.0 ? fmax(fmin(by, 0.9), 0.5) : 1.0;
        }
        b->h *= by;
    }
    for (int32_t j = 0; j < d->n; j++) {
        double c = b->correction[j];
        if (k < d->def.max_order) {
            b->phi[k + 1][j] = c;
        }
        for (int32_t i = k; i >= 0; i--) {
            b->phi[i][j] = c = b->phi[i][j] + c;
        }
    }
}

static sl_dae_trouble make_step(sl_dae *d) {
    sl_bdf *b = d->bdf;
    double t = b->t;
    errors e = {0};
    failures f = {0};
    if (b->n_step == 0) {
        b->order = 1;
        b->order_used = b->n_same = 0;
        b->h_used = 0.0;
        b->psi[0] = b->h;
        b->lead = 1.0 / b->h;
        b->has_settled = false;
    }
    for (;;) {
        double coefficient = set_coefficients(d), by;
        b->t += b->h;
        predict(d);
        int result = solve(d);
        result = result == DONE ? test_error(d, coefficient, &e) : result;
        if (result == DONE) {
            complete(d, &e);
            scale(b->correction, d->n, coefficient);
            return SL_DAE_NO_TROUBLE;
        }
        take_back(d, t);
        sl_dae_trouble trouble = shorten(d, result, &e, &f, &by);
        if (trouble != SL_DAE_NO_TROUBLE) {
            return trouble;
        }
        if (b->n_step == 0) {
            b->psi[0] = b->h;
            scale(b->phi[1], d->n, by);
        }
    }
}

/* ---- Steps -------------------------------------------------------------------------------------- */

/* A step that would pass the limit ends there. */
static void shorten_to_limit(sl_bdf *b) {
    if (b->t + b->h > b->limit) {
        b->h = (b->limit - b->t) * (1.0 - 4.0 * unit_rounding);
    }
}

/* Before the first step. */
static sl_dae_trouble prepare(sl_dae *d) {
    sl_bdf *b = d->bdf;
    if (isfinite(b->limit) && b->limit - b->t < 2.0 * unit_rounding * (fabs(b->t) + fabs(b->limit))) {
        return SL_DAE_NO_VALUE;
    }
    b->h = d->point.h;
    b->h /= fmax(1.0, b->h * b->h_inverse);
    shorten_to_limit(b);
    set_weights(d);
    if (d->n_root > 0 && !sl_bdf_start_roots(d)) {
        return SL_DAE_NO_ROOT;
    }
    scale(b->phi[1], d->n, b->h);
    return SL_DAE_NO_TROUBLE;
}

/* What is given: the values at a time of the last step. how: 0 a step, 1 a root, 2 the limit. */
static sl_dae_trouble give(sl_dae *d, double t, int how, int *end) {
    sl_bdf *b = d->bdf;
    b->returned = t;
    *end = how;
    d->t = t;
    memcpy(d->x, b->x, (size_t)d->n * sizeof(double));
    memcpy(d->dx, b->dx, (size_t)d->n * sizeof(double));
    if (how != 1) {
        memset(d->fired, 0, (size_t)d->n_root);
    }
    return SL_DAE_NO_TROUBLE;
}

static sl_dae_trouble give_root(sl_dae *d, int found, int *end) {
    sl_bdf *b = d->bdf;
    if (found < 0) {
        return found == -1 ? SL_DAE_NO_ROOT : SL_DAE_NO_VALUE;
    }
    b->is_at_root = true;
    return give(d, b->begin, 1, end);
}

static sl_dae_trouble give_limit(sl_dae *d, int *end) {
    sl_bdf *b = d->bdf;
    double limit = b->limit;
    sl_bdf_values(d, limit, b->x, b->dx);
    b->limit = (double)INFINITY;
    return give(d, limit, 2, end);
}

/* A root in what is left of a step that a root has ended. */
static int find_next_root(sl_dae *d) {
    sl_bdf *b = d->bdf;
    int found = sl_bdf_pass_root(d);
    if (found == 0 && b->t - b->returned > sl_bdf_rounding(b)) {
        found = sl_bdf_find_root(d);
        b->is_at_root = false;
    }
    return found;
}

static sl_dae_trouble step(sl_dae *d, int *end) {
    sl_bdf *b = d->bdf;
    sl_dae_trouble trouble = SL_DAE_NO_TROUBLE;
    if (b->n_step == 0) {
        trouble = prepare(d);
    } else {
        int found = d->n_root > 0 ? find_next_root(d) : 0;
        if (found != 0) {
            return give_root(d, found, end);
        }
        if (b->t > b->returned) { /* that was all of it */
            sl_bdf_values(d, b->t, b->x, b->dx);
            return give(d, b->t, 0, end);
        }
        if (fabs(b->t - b->limit) <= sl_bdf_rounding(b)) {
            return give_limit(d, end);
        }
        shorten_to_limit(b);
        set_weights(d);
    }
    if (trouble == SL_DAE_NO_TROUBLE && d->def.rtol < unit_rounding && unit_rounding * error_norm(d, b->phi[0]) > 1.0) {
        trouble = SL_DAE_TOO_EXACT;
    }
    trouble = trouble == SL_DAE_NO_TROUBLE ? make_step(d) : trouble;
    if (trouble != SL_DAE_NO_TROUBLE) {
        return trouble;
    }
    b->t = fabs(b->t - b->limit) <= sl_bdf_rounding(b) ? b->limit : b->t;
    int found = d->n_root > 0 ? sl_bdf_find_root(d) : 0;
    if (found != 0) {
        return give_root(d, found, end);
    }
    if (fabs(b->t - b->limit) <= sl_bdf_rounding(b)) {
        return give_limit(d, end);
    }
    shorten_to_limit(b);
    return give(d, b->t, 0, end);
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* Coefficients of the differences in x and dx, by recursion over the columns. There are two such, which differ by rounding: this one for
 * the ends of steps and for roots, and that of interpolate. */
static void set_polynomial(const sl_bdf *b, double t, double c[BDF_COLUMNS], double e[BDF_COLUMNS]) {
    double ahead = t - b->t, ratio = ahead / b->psi[0];
    c[0] = 1.0;
    e[0] = 0.0;
    for (int32_t i = 1; i <= b->order_used; i++) {
        e[i] = e[i - 1] * ratio + c[i - 1] / b->psi[i - 1];
        c[i] = c[i - 1] * ratio;
        ratio = (ahead + b->psi[i - 1]) / b->psi[i];
    }
}

static void combine(const sl_dae *d, const double *c, const double *e, double *x, double *dx) {
    const sl_bdf *b = d->bdf;
    for (int32_t j = 0; j < d->n; j++) {
        double sum = b->phi[0][j], slope = e[1] * b->phi[1][j];
        for (int32_t i = 1; i <= b->order_used; i++) {
            sum = c[i] * b->phi[i][j] + sum;
        }
        for (int32_t i = 2; i <= b->order_used; i++) {
            slope = e[i] * b->phi[i][j] + slope;
        }
        x[j] = sum;
        dx[j] = slope;
    }
}

void sl_bdf_values(const sl_dae *d, double t, double *x, double *dx) {
    double c[BDF_COLUMNS], e[BDF_COLUMNS];
    set_polynomial(d->bdf, t, c, e);
    combine(d, c, e, x, dx);
}

static sl_status interpolate(const sl_dae *d, double t, double *x, double *dx) {
    const sl_bdf *b = d->bdf;
    double c[BDF_COLUMNS] = {1.0}, e[BDF_COLUMNS] = {0.0}, ahead = t - b->t, reach = 0.0;
    if (b->order_used == 0 || t < b->t - b->h_used - sl_bdf_rounding(b)) {
        return SL_ERR_USE;
    }
    for (int32_t i = 1; i <= b->order_used; i++) {
        c[i] = c[i - 1] * (ahead + reach) / b->psi[i - 1];
        e[i] = i > 1 ? (c[i - 1] + e[i - 1] * (ahead + reach)) / b->psi[i - 1] : 1.0 / b->psi[0];
        reach = b->psi[i - 1];
    }
    combine(d, c, e, x, dx);
    return SL_OK;
}

const sl_integrator sl_bdf_integrator = {.create = create,
                                         .destroy = destroy,
                                         .set_differential = set_differential,
                                         .size = size,
                                         .start = start,
                                         .step = step,
                                         .interpolate = interpolate,
                                         .statistics = statistics,
                                         .current = current};
