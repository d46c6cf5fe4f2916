/* SPDX-License-Identifier: MIT */
/* lu.c: see lu.h. The one file that includes KLU. */
#include "dae/lu.h"

#include "base/memory.h"

#include <klu.h>
#include <math.h>
#include <string.h>

struct sl_lu {
    sl_context *ctx;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int32_t *start, *row; /* KLU takes them as not const, and changes nothing */
    double *pivots;       /* [2 n] of a pattern with one entry per column, and room for a solution; NULL: another one */
    int32_t n;
    int64_t n_factor, n_refactor;
};

static const double least_rcond = 1e-30; /* below it pivots are rounding, whatever the scale */
static const double least_growth = 1e-5; /* pivots kept: smaller than this against their columns, choose anew */

static void free_pivots(sl_lu *lu) {
    sl_free(lu->ctx, lu->pivots, lu->pivots ? (2 * (size_t)lu->n + 1) * sizeof *lu->pivots : 0);
    lu->pivots = NULL;
}

/* One entry per column and row: that of explicit equations for their derivatives. marks: n zeros. */
static bool is_single(const sl_incidence *pattern, double *marks) {
    for (int32_t j = 0; j < pattern->n_col; j++) {
        if (pattern->start[j + 1] != j + 1 || marks[pattern->row[j]] != 0.0) {
            return false;
        }
        marks[pattern->row[j]] = 1.0;
    }
    return pattern->n_col > 0;
}

sl_status sl_lu_create(sl_context *ctx, const sl_incidence *pattern, sl_lu **out) {
    *out = NULL;
    sl_lu *lu = sl_alloc(ctx, sizeof *lu);
    if (!lu) {
        return SL_ERR_MEMORY;
    }
    *lu = (sl_lu){.ctx = ctx, .n = pattern->n_col};
    lu->start = (int32_t *)pattern->start;
    lu->row = (int32_t *)pattern->row;
    lu->pivots = sl_alloc(ctx, (2 * (size_t)lu->n + 1) * sizeof *lu->pivots);
    if (!lu->pivots) {
        sl_free(ctx, lu, sizeof *lu);
        return SL_ERR_MEMORY;
    }
    if (is_single(pattern, lu->pivots)) {
        *out = lu;
        return SL_OK;
    }
    free_pivots(lu);
    (void)klu_defaults(&lu->common);
    lu->common.scale = 2; /* rows by their largest entry: equations come in any unit */
    lu->symbolic = lu->n > 0 ? klu_analyze(lu->n, lu->start, lu->row, &lu->common) : NULL;
    if (lu->n > 0 && !lu->symbolic) {
        sl_status status = lu->common.status == KLU_OUT_OF_MEMORY ? SL_ERR_MEMORY : SL_ERR_SOLVE;
        sl_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return SL_OK;
}

void sl_lu_destroy(sl_lu *lu) {
    if (lu) {
        (void)klu_free_numeric(&lu->numeric, &lu->common);
        (void)klu_free_symbolic(&lu->symbolic, &lu->common);
        free_pivots(lu);
        sl_free(lu->ctx, lu, sizeof *lu);
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
        *column = lu->common.singular_col < lu->n ? lu->common.singular_col : -1;
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
    (void)klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric = klu_factor(lu->start, lu->row, values, lu->symbolic, &lu->common);
    if (!lu->numeric) {
        return lu->common.status == KLU_OUT_OF_MEMORY ? SL_ERR_MEMORY : singular(lu, column);
    }
    if (lu->common.status == KLU_SINGULAR || !klu_rcond(lu->symbolic, lu->numeric, &lu->common) ||
        !(lu->common.rcond > least_rcond)) {
        return singular(lu, column);
    }
    return SL_OK;
}

sl_status sl_lu_refactor(sl_lu *lu, double *values, int32_t *column) {
    if (!lu->numeric || lu->common.status == KLU_SINGULAR) {
        return sl_lu_factor(lu, values, column);
    }
    lu->n_refactor++;
    if (!klu_refactor(lu->start, lu->row, values, lu->symbolic, lu->numeric, &lu->common) ||
        lu->common.status != KLU_OK ||
        !klu_rgrowth(lu->start, lu->row, values, lu->symbolic, lu->numeric, &lu->common) ||
        !(lu->common.rgrowth > least_growth)) {
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
    return lu->pivots ? least / most : lu->n > 0 ? lu->common.rcond : 1.0;
}

void sl_lu_solve(sl_lu *lu, double *b) {
    if (lu->pivots) {
        double *x = lu->pivots + lu->n;
        for (int32_t j = 0; j < lu->n; j++) {
            x[j] = b[lu->row[j]] / lu->pivots[j];
        }
        memcpy(b, x, (size_t)lu->n * sizeof *b);
    } else if (lu->n > 0) {
        (void)klu_solve(lu->symbolic, lu->numeric, lu->n, 1, b, &lu->common);
    }
}

int64_t sl_lu_size(const sl_lu *lu) {
    return lu->pivots ? lu->n : lu->numeric ? (int64_t)lu->numeric->lnz + lu->numeric->unz : 0;
}

size_t sl_lu_bytes(const sl_lu *lu) {
    enum { PER_COLUMN = 120, PER_ENTRY = 12 }; /* permutations, pointers and scales; a number and its row */
    size_t n = (size_t)lu->n;
    return sizeof *lu +
           (lu->pivots ? (2 * n + 1) * sizeof *lu->pivots
                       : n * PER_COLUMN + (size_t)(lu->numeric ? sl_lu_size(lu) : 2 * lu->start[lu->n]) * PER_ENTRY);
}

void sl_lu_counts(const sl_lu *lu, int64_t *n_factor, int64_t *n_refactor) {
    *n_factor = lu->n_factor;
    *n_refactor = lu->n_refactor;
}
