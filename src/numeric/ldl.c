/* ldl.c: factors and solves sparse symmetric positive definite systems on an analysed pattern; see ldl.h, and
 * docs/theory/sparse.md for the equations.
 *
 * In networks a column of the factor has two or three entries: finding out where to subtract costs more than
 * subtracting. So the head of the factor, its short columns, follows a list of targets made by the analysis. The
 * tail, long columns of large looped networks, gathers each column in a dense vector instead: its list would grow with
 * the number of multiplications.
 *
 * work holds, in this order: the inverse pivots, the entries of the factor (times their pivot: L D), a vector.
 */
#include "numeric/ldl.h"
#include "numeric/ldl_impl.h"

#include <float.h>
#include <string.h>

/* A pivot this small against its diagonal entry is what rounding left of a zero. */
static const double singular = 1e-14;

const int32_t *sl_ldl_slots(const sl_ldl *p) {
    return p->slots;
}

int64_t sl_ldl_size(const sl_ldl *p) {
    return (int64_t)p->n + p->n_slot;
}

int64_t sl_ldl_fill(const sl_ldl *p) {
    return p->begin[p->n];
}

int64_t sl_ldl_work(const sl_ldl *p) {
    return 2 * (int64_t)p->n + sl_ldl_fill(p);
}

static void load(const sl_ldl *p, const double *a, double *d, double *l) {
    for (int32_t k = 0; k < p->n; k++) {
        d[k] = a[p->order[k]];
    }
    memset(l, 0, (size_t)sl_ldl_fill(p) * sizeof *l);
    const double *slot = a + p->n;
    for (int32_t s = 0; s < p->n_slot; s++) {
        l[p->place[s]] = slot[s];
    }
}

/* Column by column: the finished column changes those to its right. */
static void factor_head(const sl_ldl *p, double *d, double *l) {
    const int32_t *target = p->target;
    for (int32_t k = 0; k < p->n_head; k++) {
        double inverse = 1.0 / d[k];
        d[k] = inverse;
        int32_t end = p->begin[k + 1];
        for (int32_t i = p->begin[k]; i < end; i++) {
            double f = l[i] * inverse;
            d[p->row[i]] -= f * l[i];
            for (int32_t j = i + 1; j < end; j++) {
                l[*target++] -= f * l[j];
            }
        }
    }
}

/* Column by column: each collects what the finished ones to its left change in it. The head has done its part. */
static void factor_tail(const sl_ldl *p, double *d, double *l, double *y) {
    const ldl_left *left = p->left;
    for (int32_t k = p->n_head; k < p->n; k++) {
        int32_t begin = p->begin[k], end = p->begin[k + 1];
        for (int32_t i = begin; i < end; i++) {
            y[p->row[i]] = l[i];
        }
        const ldl_left *left_end = p->left + p->left_begin[k - p->n_head + 1];
        double pivot = d[k];
        for (; left < left_end; left++) {
            double f = l[left->entry] * d[left->column];
            pivot -= f * l[left->entry];
            int32_t stop = p->begin[left->column + 1];
            for (int32_t i = left->entry + 1; i < stop; i++) {
                y[p->row[i]] -= f * l[i];
            }
        }
        d[k] = 1.0 / pivot;
        for (int32_t i = begin; i < end; i++) {
            l[i] = y[p->row[i]];
        }
    }
}

/* The first column whose pivot is not fit, -1 if all are. Nothing stops the factorisation at such a pivot: what comes
 * of it is not a number or infinite, and only in later columns. */
static int32_t unfit(const sl_ldl *p, const double *a, const double *d) {
    for (int32_t k = 0; k < p->n; k++) {
        if (!(d[k] > 0.0 && d[k] <= DBL_MAX && singular * a[p->order[k]] * d[k] < 1.0)) {
            return p->order[k];
        }
    }
    return -1;
}

int32_t sl_ldl_factor(const sl_ldl *p, const double *a, double *work) {
    double *d = work, *l = d + p->n, *y = l + sl_ldl_fill(p);
    load(p, a, d, l);
    factor_head(p, d, l);
    factor_tail(p, d, l, y);
    return unfit(p, a, d);
}

void sl_ldl_solve(const sl_ldl *p, double *work, double *b) {
    const double *d = work, *l = d + p->n;
    double *y = work + p->n + sl_ldl_fill(p);
    for (int32_t k = 0; k < p->n; k++) {
        y[k] = b[p->order[k]];
    }
    for (int32_t k = 0; k < p->n; k++) {
        double f = y[k] * d[k];
        for (int32_t i = p->begin[k]; i < p->begin[k + 1]; i++) {
            y[p->row[i]] -= l[i] * f;
        }
    }
    for (int32_t k = p->n - 1; k >= 0; k--) {
        double x = y[k];
        for (int32_t i = p->begin[k]; i < p->begin[k + 1]; i++) {
            x -= l[i] * y[p->row[i]];
        }
        y[k] = x * d[k];
        b[p->order[k]] = y[k];
    }
}
