/* SPDX-License-Identifier: MIT */
/* lu.c: see lu.h. The one file that includes KLU. */
#include "dae/lu.h"

#include "base/memory.h"

#include <klu.h>
#include <math.h>
#include <string.h>

/* What KLU holds. */
typedef struct klu {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} klu;

struct sl_lu {
    sl_context *ctx;
    size_t n_byte;
    int32_t *start, *row; /* KLU takes them as not const, and changes nothing */
    klu *klu;             /* NULL: */
    double *pivots;       /* [2 n] of a pattern with one entry per column, and room for a solution */
    int32_t n;
    int64_t n_factor, n_refactor;
};

static const double least_rcond = 1e-30; /* below it pivots are rounding, whatever the scale */
static const double least_growth = 1e-5; /* pivots kept: smaller than this against their columns, choose anew */

/* One entry per column and row: that of explicit equations for their derivatives. marks: n zeros, and so they stay. */
static bool is_single(const sl_incidence *pattern, double *marks) {
    bool single = pattern->n_col > 0;
    for (int32_t j = 0; j < pattern->n_col && single; j++) {
        single = pattern->start[j + 1] == j + 1 && marks[pattern->row[j]] == 0.0;
        marks[pattern->row[j]] += single;
    }
    memset(marks, 0, (size_t)pattern->n_col * sizeof *marks);
    return single;
}

/* A block with what a pattern needs behind it. */
static sl_lu *alloc(sl_context *ctx, const sl_incidence *pattern, size_t behind) {
    sl_lu *lu = sl_alloc(ctx, sizeof *lu + behind);
    if (lu) {
        *lu = (sl_lu){.ctx = ctx, .n_byte = sizeof *lu + behind, .n = pattern->n_col};
        lu->start = (int32_t *)pattern->start;
        lu->row = (int32_t *)pattern->row;
    }
    return lu;
}

sl_status sl_lu_create(sl_context *ctx, const sl_incidence *pattern, sl_lu **out) {
    sl_lu *lu = *out = alloc(ctx, pattern, 2 * (size_t)pattern->n_col * sizeof(double));
    if (!lu) {
        return SL_ERR_MEMORY;
    }
    if (is_single(pattern, (double *)(void *)(lu + 1))) {
        lu->pivots = (double *)(void *)(lu + 1);
        return SL_OK;
    }
    sl_lu_destroy(lu);
    lu = *out = alloc(ctx, pattern, sizeof(klu));
    if (!lu) {
        return SL_ERR_MEMORY;
    }
    klu *k = lu->klu = (klu *)(void *)(lu + 1);
    (void)klu_defaults(&k->common);
    k->common.scale = 2; /* rows by their largest entry: equations come in any unit */
    k->symbolic = lu->n > 0 ? klu_analyze(lu->n, lu->start, lu->row, &k->common) : NULL;
    if (lu->n > 0 && !k->symbolic) {
        sl_status status = k->common.status == KLU_OUT_OF_MEMORY ? SL_ERR_MEMORY : SL_ERR_SOLVE;
        sl_lu_destroy(lu);
        *out = NULL;
        return status;
    }
    return SL_OK;
}

void sl_lu_destroy(sl_lu *lu) {
    if (lu) {
        if (lu->klu) {
            (void)klu_free_numeric(&lu->klu->numeric, &lu->klu->common);
            (void)klu_free_symbolic(&lu->klu->symbolic, &lu->klu->common);
        }
        sl_free(lu->ctx, lu, lu->n_byte);
    }
}

static sl_status take_pivots(sl_lu *lu, const double *values, int32_t *column) {
    for (int32_t j = 0; j < lu->n; j++) {
        if (!(fabs(values[j]) > 0.0) || !isfinite(values[j])) {
            if (column) {
                *column = j;
            }
            return SL_ERR_SOLVE;
        }
        lu->pivots[j] = values[j];
    }
    return SL_OK;
}

static sl_status singular(const sl_lu *lu, int32_t *column) {
    if (column) {
        *column = lu->klu->common.singular_col < lu->n ? lu->klu->common.singular_col : -1;
    }
    return SL_ERR_SOLVE;
}

sl_status sl_lu_factor(sl_lu *lu, double *values, int32_t *column) {
    if (lu->n == 0) {
        return SL_OK;
    }
    lu->n_factor++;
    if (lu->pivots) {
        return take_pivots(lu, values, column);
    }
    (void)klu_free_numeric(&lu->klu->numeric, &lu->klu->common);
    lu->klu->numeric = klu_factor(lu->start, lu->row, values, lu->klu->symbolic, &lu->klu->common);
    if (!lu->klu->numeric) {
        return lu->klu->common.status == KLU_OUT_OF_MEMORY ? SL_ERR_MEMORY : singular(lu, column);
    }
    if (lu->klu->common.status == KLU_SINGULAR || !klu_rcond(lu->klu->symbolic, lu->klu->numeric, &lu->klu->common) ||
        !(lu->klu->common.rcond > least_rcond)) {
        return singular(lu, column);
    }
    return SL_OK;
}

sl_status sl_lu_refactor(sl_lu *lu, double *values, int32_t *column) {
    if (!lu->klu || !lu->klu->numeric || lu->klu->common.status == KLU_SINGULAR) {
        return sl_lu_factor(lu, values, column);
    }
    lu->n_refactor++;
    if (!klu_refactor(lu->start, lu->row, values, lu->klu->symbolic, lu->klu->numeric, &lu->klu->common) ||
        lu->klu->common.status != KLU_OK ||
        !klu_rgrowth(lu->start, lu->row, values, lu->klu->symbolic, lu->klu->numeric, &lu->klu->common) ||
        !(lu->klu->common.rgrowth > least_growth)) {
        return sl_lu_factor(lu, values, column);
    }
    return SL_OK;
}

double sl_lu_condition(const sl_lu *lu) {
    double least = (double)INFINITY, most = 0.0;
    for (int32_t j = 0; lu->pivots && j < lu->n; j++) {
        least = fmin(least, fabs(lu->pivots[j]));
        most = fmax(most, fabs(lu->pivots[j]));
    }
    return lu->pivots ? least / most : lu->n > 0 ? lu->klu->common.rcond : 1.0;
}

void sl_lu_solve(sl_lu *lu, double *b) {
    if (lu->pivots) {
        double *x = lu->pivots + lu->n;
        for (int32_t j = 0; j < lu->n; j++) {
            x[j] = b[lu->row[j]] / lu->pivots[j];
        }
        memcpy(b, x, (size_t)lu->n * sizeof *b);
    } else if (lu->n > 0) {
        (void)klu_solve(lu->klu->symbolic, lu->klu->numeric, lu->n, 1, b, &lu->klu->common);
    }
}

int64_t sl_lu_size(const sl_lu *lu) {
    return lu->pivots ? lu->n : lu->klu->numeric ? (int64_t)lu->klu->numeric->lnz + lu->klu->numeric->unz : 0;
}

size_t sl_lu_bytes(const sl_lu *lu) {
    enum { PER_COLUMN = 120, PER_ENTRY = 12 }; /* permutations, pointers and scales; a number and its row */
    int64_t n_entry = lu->klu && lu->klu->numeric ? sl_lu_size(lu) : 2 * (int64_t)lu->start[lu->n];
    return lu->n_byte + (lu->klu ? (size_t)lu->n * PER_COLUMN + (size_t)n_entry * PER_ENTRY : 0);
}

void sl_lu_counts(const sl_lu *lu, int64_t *n_factor, int64_t *n_refactor) {
    *n_factor = lu->n_factor;
    *n_refactor = lu->n_refactor;
}
