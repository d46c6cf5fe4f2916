/* SPDX-License-Identifier: MIT */
/* ldl.c: factors and solves sparse symmetric positive definite systems on an analysed pattern; see ldl.h, and
 * docs/theory/sparse.md for the equations.
 *
 * In networks a column of the factor has two or three entries: finding out where to subtract costs more than
 * subtracting. So the head of the factor, its short columns, follows a list of targets made by the analysis. The
 * tail, long columns of large looped networks, gathers each column in a dense vector instead: its list would grow with
 * the number of multiplications.
 *
 * work holds, in this order: the diagonal, later the inverse pivots; the entries of the matrix, later of the factor, times
 * their pivot (L D); a vector; the diagonal as it was.
 */
#include "numeric/ldl.h"
#include "numeric/ldl_impl.h"
#include "numeric/vecmath.h"

#include <string.h>

/* Numbers that are computed side by side, and read past the end of a column. */
enum { OCTET = 8 };

/* A pivot this small against its diagonal entry is what rounding left of a zero. */
static const double singular = 1e-14;

const int32_t *sl_ldl_slots(const sl_ldl *p) {
    return p->slots;
}

int64_t sl_ldl_size(const sl_ldl *p) {
    return p->n + sl_ldl_fill(p);
}

int64_t sl_ldl_fill(const sl_ldl *p) {
    return p->begin[p->n];
}

double sl_ldl_multiplications(const sl_ldl *p) {
    double sum = 0; /* whole numbers: exact up to 2^53 */
    for (int32_t k = 0; k < p->n; k++) {
        double entries = p->begin[k + 1] - p->begin[k];
        sum += entries * (entries + 3) / 2;
    }
    return sum;
}

int64_t sl_ldl_work(const sl_ldl *p) {
    return 3 * (int64_t)p->n + sl_ldl_fill(p) + OCTET;
}

double *sl_ldl_matrix(const sl_ldl *p, double *work) {
    (void)p;
    return work;
}

/* y: the numbers x of unknowns, by columns. */
static void put_in_order(const sl_ldl *p, const double *restrict x, double *restrict y) {
    if (p->ordered) {
        memcpy(y, x, (size_t)p->n * sizeof *y);
        return;
    }
    for (int32_t k = 0; k < p->n; k++) {
        y[k] = x[p->order[k]];
    }
}

/* Columns of these lengths have code of their own, without inner loops: in networks nearly all are that short. */
#define SL_EACH_LENGTH(X) X(1) X(2) X(3) X(4) X(5) X(6)
enum { LONGEST = 6 };

/* Takes one finished column, with entries l[0..length) in these rows, from what is to its right. target: the places that
 * its pairs of entries change. */
static SL_INLINE void eliminate(int32_t length, double inverse, double *restrict d, double *restrict l, int32_t at,
                                const int32_t *restrict row, const int32_t *restrict target) {
    double x[LONGEST], f[LONGEST];
#pragma GCC unroll 8
    for (int32_t i = 0; i < length; i++) {
        x[i] = l[at + i];
        f[i] = x[i] * inverse;
    }
#pragma GCC unroll 8
    for (int32_t i = 0; i < length; i++) {
        d[row[at + i]] -= f[i] * x[i];
#pragma GCC unroll 8
        for (int32_t j = i + 1; j < length; j++) {
            l[*target++] -= f[i] * x[j];
        }
    }
}

static inline void eliminate_long(int32_t length, double inverse, double *restrict d, double *restrict l, int32_t at,
                                  const int32_t *restrict row, const int32_t *restrict target) {
    for (int32_t i = at; i < at + length; i++) {
        double f = l[i] * inverse;
        d[row[i]] -= f * l[i];
        for (int32_t j = i + 1; j < at + length; j++) {
            l[*target++] -= f * l[j];
        }
    }
}

/* Each column, finished, changes those to its right. */
SL_SIMD(void, factor_head, (const sl_ldl *p, double *restrict d, double *restrict l), (p, d, l)) {
    const int32_t *restrict target = p->target, *restrict row = p->row;
    int32_t k = 0, i = 0; /* column, entry */
    for (const ldl_run *run = p->run; run < p->run + p->n_run; run++) {
#pragma omp simd
        for (int32_t c = k; c < run->end; c++) {
            d[c] = 1.0 / d[c];
        }
        int32_t length = run->length, pairs = length * (length - 1) / 2;
        switch (length) {
#define SL_CASE(L)                                                         \
    case L:                                                                \
        for (; k < run->end; k++, i += (L), target += (L) * ((L)-1) / 2) { \
            eliminate(L, d[k], d, l, i, row, target);                      \
        }                                                                  \
        break;
            SL_EACH_LENGTH(SL_CASE)
#undef SL_CASE
        default:
            for (; k < run->end; k++, i += length, target += pairs) {
                eliminate_long(length, d[k], d, l, i, row, target);
            }
            break;
        }
    }
}

/* Numbers that are computed side by side. Loops run over whole octets, past the end of a column into the next one or the
 * scratch behind the last: what comes of that is not used. A loop that ends within an octet would take as long for its last
 * numbers as for all others. */
enum { CHUNK = 64 };

/* What four columns of the tail change in n rows: into t, or added to it. */
static SL_INLINE void four_columns(int32_t n, const double *const l[4], const double f[4], bool first,
                                   double *restrict t) {
    const double *restrict l0 = l[0], *restrict l1 = l[1], *restrict l2 = l[2], *restrict l3 = l[3];
    for (int32_t i = 0; i < n; i += OCTET) {
#pragma omp simd
        for (int32_t k = i; k < i + OCTET; k++) {
            double sum = (f[0] * l0[k] + f[1] * l1[k]) + (f[2] * l2[k] + f[3] * l3[k]);
            t[k] = first ? sum : t[k] + sum;
        }
    }
}

/* Subtracts from y what the columns of a block change in row j and below, and returns what they take from the pivot of
 * column j. The columns share the rows: they are added up before they go to their places, four at a time; a missing one
 * counts nothing. */
static SL_INLINE double subtract_block(const sl_ldl *p, const ldl_block *block, const double *d, const double *l,
                                       double *restrict y) {
    const int32_t *last = p->begin + 1;                              /* end of each column */
    const int32_t *row = p->row + last[block->column] - block->rest; /* row[0]: j */
    int32_t rest = block->rest;
    double pivot = 0.0, t[CHUNK];
    for (int32_t at = 0; at < rest; at += CHUNK) {
        int32_t n = rest - at < CHUNK ? rest - at : CHUNK;
        for (int32_t c = block->column; c < block->end; c += 4) {
            const double *from[4];
            double f[4];
            for (int32_t k = 0; k < 4; k++) {
                int32_t column = c + k < block->end ? c + k : c;
                const double *x = l + last[column] - rest;
                from[k] = x + at;
                f[k] = c + k < block->end ? x[0] * d[column] : 0.0;
            }
            four_columns(n, from, f, c == block->column, t);
        }
        for (int32_t i = at == 0; i < n; i++) {
            y[row[at + i]] -= t[i]; /* NOLINT(clang-analyzer-core.uninitialized.Assign): a block has columns */
        }
        pivot = at == 0 ? t[0] : pivot; /* NOLINT(clang-analyzer-core.uninitialized.Assign) */
    }
    return pivot;
}

/* Each column collects what the finished ones to its left change in it. The head has done its part. */
SL_SIMD(void, factor_tail, (const sl_ldl *p, double *d, double *restrict l, double *restrict y), (p, d, l, y)) {
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
SL_SIMD(int32_t, find_unfit, (const sl_ldl *p, const double *restrict was, const double *restrict d), (p, was, d)) {
    int unfit = 0;
#pragma omp simd reduction(| : unfit)
    for (int32_t k = 0; k < p->n; k++) {
        unfit |= !((d[k] > 0.0) & (singular * was[k] * d[k] < 1.0));
    }
    for (int32_t k = 0; unfit && k < p->n; k++) {
        if (!(d[k] > 0.0 && singular * was[k] * d[k] < 1.0)) {
            return p->order[k];
        }
    }
    return -1;
}

static double *vector_of(const sl_ldl *p, double *work) {
    return work + sl_ldl_size(p);
}

int32_t sl_ldl_factor(const sl_ldl *p, double *work) {
    double *d = work, *l = work + p->n, *y = vector_of(p, work), *was = y + p->n;
    put_in_order(p, d, was);
    if (!p->ordered) {
        memcpy(d, was, (size_t)p->n * sizeof *d);
    }
    factor_head(p, d, l);
    factor_tail(p, d, l, y);
    return find_unfit(p, was, d);
}

static SL_INLINE void forwards(int32_t length, const double *restrict l, const int32_t *restrict row, double f,
                               double *restrict y) {
#pragma GCC unroll 8
    for (int32_t i = 0; i < length; i++) {
        y[row[i]] -= l[i] * f;
    }
}

static SL_INLINE double backwards(int32_t length, const double *restrict l, const int32_t *restrict row,
                                  const double *restrict y) {
    double x = 0.0;
#pragma GCC unroll 8
    for (int32_t i = 0; i < length; i++) {
        x += l[i] * y[row[i]];
    }
    return x;
}

/* y becomes the solution of L y = b. */
static void solve_forwards(const sl_ldl *p, const double *restrict d, const double *restrict l, double *y) {
    const int32_t *restrict row = p->row;
    int32_t k = 0, i = 0;
    for (const ldl_run *run = p->run; run < p->run + p->n_run; run++) {
        switch (run->length) {
#define SL_CASE(L)                                       \
    case L:                                              \
        for (; k < run->end; k++, i += (L)) {            \
            forwards(L, l + i, row + i, d[k] * y[k], y); \
        }                                                \
        break;
            SL_EACH_LENGTH(SL_CASE)
#undef SL_CASE
        default:
            for (; k < run->end; k++, i += run->length) {
                forwards(run->length, l + i, row + i, d[k] * y[k], y);
            }
            break;
        }
    }
    for (; k < p->n; i = p->begin[++k]) {
        forwards(p->begin[k + 1] - i, l + i, row + i, d[k] * y[k], y);
    }
}

/* y becomes the solution of D L' x = y. */
static void solve_backwards(const sl_ldl *p, const double *restrict d, const double *restrict l, double *y) {
    const int32_t *restrict row = p->row;
    int32_t k = p->n, i = p->begin[p->n];
    while (k > p->n_head) {
        k--;
        i = p->begin[k];
        y[k] = d[k] * (y[k] - backwards(p->begin[k + 1] - i, l + i, row + i, y));
    }
    for (const ldl_run *run = p->run + p->n_run; run-- > p->run;) {
        int32_t begin = run > p->run ? run[-1].end : 0;
        switch (run->length) {
#define SL_CASE(L)                                                  \
    case L:                                                         \
        while (k > begin) {                                         \
            k--, i -= (L);                                          \
            y[k] = d[k] * (y[k] - backwards(L, l + i, row + i, y)); \
        }                                                           \
        break;
            SL_EACH_LENGTH(SL_CASE)
#undef SL_CASE
        default:
            while (k > begin) {
                k--, i -= run->length;
                y[k] = d[k] * (y[k] - backwards(run->length, l + i, row + i, y));
            }
            break;
        }
    }
}

double *sl_ldl_lower(const sl_ldl *p, double *work, const double *b) {
    double *y = vector_of(p, work);
    put_in_order(p, b, y);
    solve_forwards(p, work, work + p->n, y);
    return y;
}

void sl_ldl_upper(const sl_ldl *p, double *work, double *x) {
    double *y = vector_of(p, work);
    solve_backwards(p, work, work + p->n, y);
    if (p->ordered) {
        memcpy(x, y, (size_t)p->n * sizeof *x);
        return;
    }
    for (int32_t k = 0; k < p->n; k++) {
        x[p->order[k]] = y[k];
    }
}

void sl_ldl_solve(const sl_ldl *p, double *work, double *b) {
    sl_ldl_lower(p, work, b);
    sl_ldl_upper(p, work, b);
}
