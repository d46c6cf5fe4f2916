/* ldl.c: factors and solves sparse symmetric positive definite systems on an analysed pattern; see ldl.h, and
 * docs/theory/sparse.md for the equations.
 *
 * In networks a column of the factor has two or three entries: finding out where to subtract costs more than
 * subtracting. So the head of the factor, its short columns, follows a list of targets made by the analysis. The
 * tail, long columns of large looped networks, gathers each column in a dense vector instead: its list would grow with
 * the number of multiplications.
 *
 * work holds, in this order: the inverse pivots; a vector; the entries of the factor, times their pivot (L D).
 */
#include "numeric/ldl.h"
#include "numeric/ldl_impl.h"

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

/* Each column, finished, changes those to its right. Most columns have one entry or two. */
static void factor_head(const sl_ldl *p, double *restrict d, double *restrict l) {
    const int32_t *restrict target = p->target, *restrict row = p->row;
    int32_t k = 0, i = 0; /* column, entry */
    for (const ldl_run *run = p->run; run < p->run + p->n_run; run++) {
#pragma omp simd
        for (int32_t c = k; c < run->end; c++) {
            d[c] = 1.0 / d[c];
        }
        if (run->length == 1) {
            for (; k < run->end; k++, i++) {
                d[row[i]] -= l[i] * d[k] * l[i];
            }
        } else if (run->length == 2) {
            for (; k < run->end; k++, i += 2) {
                double f = l[i] * d[k], g = l[i + 1] * d[k];
                d[row[i]] -= f * l[i];
                d[row[i + 1]] -= g * l[i + 1];
                l[*target++] -= f * l[i + 1];
            }
        } else {
            for (; k < run->end; k++) {
                double inverse = d[k];
                for (int32_t end = i + run->length; i < end; i++) {
                    double f = l[i] * inverse;
                    d[row[i]] -= f * l[i];
                    for (int32_t j = i + 1; j < end; j++) {
                        l[*target++] -= f * l[j];
                    }
                }
            }
        }
    }
}

/* Subtracts from y what the columns of a block change in row j and below, and returns what they take from the pivot of
 * column j. Four columns at a time: they share the rows, and so the loads and stores of y. */
static double subtract_block(const sl_ldl *p, const ldl_block *block, const double *d, const double *l,
                             double *restrict y) {
    const int32_t *last = p->begin + 1;                              /* end of each column */
    const int32_t *row = p->row + last[block->column] - block->rest; /* row[0]: j */
    int32_t c = block->column, rest = block->rest;
    double sum = 0.0;
    for (; c + 4 <= block->end; c += 4) {
        const double *l0 = l + last[c] - rest, *l1 = l + last[c + 1] - rest;
        const double *l2 = l + last[c + 2] - rest, *l3 = l + last[c + 3] - rest;
        double f0 = l0[0] * d[c], f1 = l1[0] * d[c + 1], f2 = l2[0] * d[c + 2], f3 = l3[0] * d[c + 3];
        sum += (f0 * l0[0] + f1 * l1[0]) + (f2 * l2[0] + f3 * l3[0]);
        for (int32_t i = 1; i < rest; i++) {
            y[row[i]] -= (f0 * l0[i] + f1 * l1[i]) + (f2 * l2[i] + f3 * l3[i]);
        }
    }
    for (; c < block->end; c++) {
        const double *l0 = l + last[c] - rest;
        double f = l0[0] * d[c];
        sum += f * l0[0];
        for (int32_t i = 1; i < rest; i++) {
            y[row[i]] -= f * l0[i];
        }
    }
    return sum;
}

/* Each column collects what the finished ones to its left change in it. The head has done its part. */
static void factor_tail(const sl_ldl *p, double *d, double *l, double *y) {
    const ldl_block *left = p->left;
    for (int32_t k = p->n_head; k < p->n; k++) {
        int32_t begin = p->begin[k], end = p->begin[k + 1];
        for (int32_t i = begin; i < end; i++) {
            y[p->row[i]] = l[i];
        }
        const ldl_block *left_end = p->left + p->left_begin[k - p->n_head + 1];
        double pivot = d[k];
        for (; left < left_end; left++) {
            pivot -= subtract_block(p, left, d, l, y);
        }
        d[k] = 1.0 / pivot;
        for (int32_t i = begin; i < end; i++) {
            l[i] = y[p->row[i]];
        }
    }
}

/* The unknown of the first pivot that is not fit; -1: all are. Nothing stops the factorisation at such a pivot: what
 * comes of it are wrong numbers in later columns. An inverse that is infinite fails by the product with its entry. */
static int32_t find_unfit(const sl_ldl *p, const double *a, const double *d) {
    for (int32_t k = 0; k < p->n; k++) {
        if (!(d[k] > 0.0 && singular * a[p->order[k]] * d[k] < 1.0)) {
            return p->order[k];
        }
    }
    return -1;
}

int32_t sl_ldl_factor(const sl_ldl *p, const double *a, double *work) {
    double *d = work, *y = d + p->n, *l = y + p->n;
    load(p, a, d, l);
    factor_head(p, d, l);
    factor_tail(p, d, l, y);
    return find_unfit(p, a, d);
}

/* y becomes the solution of L y = b. */
static void solve_forwards(const sl_ldl *p, const double *restrict d, const double *restrict l, double *y) {
    const int32_t *restrict row = p->row;
    int32_t k = 0, i = 0;
    for (const ldl_run *run = p->run; run < p->run + p->n_run; run++) {
        if (run->length == 1) {
            for (; k < run->end; k++, i++) {
                y[row[i]] -= l[i] * (d[k] * y[k]);
            }
        } else if (run->length == 2) {
            for (; k < run->end; k++, i += 2) {
                double f = d[k] * y[k];
                y[row[i]] -= l[i] * f;
                y[row[i + 1]] -= l[i + 1] * f;
            }
        } else {
            for (; k < run->end; k++) {
                double f = d[k] * y[k];
                for (int32_t end = i + run->length; i < end; i++) {
                    y[row[i]] -= l[i] * f;
                }
            }
        }
    }
    for (; k < p->n; k++) {
        double f = d[k] * y[k];
        for (; i < p->begin[k + 1]; i++) {
            y[row[i]] -= l[i] * f;
        }
    }
}

/* y becomes the solution of D L' x = y. */
static void solve_backwards(const sl_ldl *p, const double *restrict d, const double *restrict l, double *y) {
    const int32_t *restrict row = p->row;
    int32_t k = p->n, i = p->begin[p->n];
    while (k > p->n_head) {
        double x = y[--k];
        while (i > p->begin[k]) {
            i--;
            x -= l[i] * y[row[i]];
        }
        y[k] = d[k] * x;
    }
    for (const ldl_run *run = p->run + p->n_run; run-- > p->run;) {
        int32_t begin = run > p->run ? run[-1].end : 0;
        if (run->length == 1) {
            while (k > begin) {
                k--, i--;
                y[k] = d[k] * (y[k] - l[i] * y[row[i]]);
            }
        } else if (run->length == 2) {
            while (k > begin) {
                k--, i -= 2;
                y[k] = d[k] * (y[k] - l[i] * y[row[i]] - l[i + 1] * y[row[i + 1]]);
            }
        } else {
            while (k > begin) {
                double x = y[--k];
                for (int32_t end = i - run->length; i > end;) {
                    i--;
                    x -= l[i] * y[row[i]];
                }
                y[k] = d[k] * x;
            }
        }
    }
}

void sl_ldl_solve(const sl_ldl *p, double *work, double *b) {
    const double *d = work, *l = work + 2 * (size_t)p->n;
    double *y = work + p->n;
    for (int32_t k = 0; k < p->n; k++) {
        y[k] = b[p->order[k]];
    }
    solve_forwards(p, d, l, y);
    solve_backwards(p, d, l, y);
    for (int32_t k = 0; k < p->n; k++) {
        b[p->order[k]] = y[k];
    }
}
