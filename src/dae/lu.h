/* SPDX-License-Identifier: MIT */
/* lu.h: unsymmetric sparse systems of one fixed pattern, factored again and again: the door to KLU.
 *
 * KLU (Davis and Palamadai Natarajan 2010) permutes to block triangular form, orders the blocks, and factors left-looking
 * with partial pivoting. sl_lu_factor chooses pivots by the numbers; sl_lu_refactor keeps the last ones, which is several
 * times faster, and falls back to choosing when they have become poor. So that results do not depend on what was factored
 * before, a run that begins anew begins with sl_lu_factor.
 *
 * A pattern with one entry per column, as explicit equations have it for their derivatives, needs no KLU: a division each.
 *
 * KLU allocates from the C library, not from the context: its hooks know no user.
 */
#ifndef SL_DAE_LU_H
#define SL_DAE_LU_H

#include "dae/graph.h"

typedef struct sl_lu sl_lu;

/* Analyses a square pattern of full structural rank, which it borrows. */
sl_status sl_lu_create(sl_context *ctx, const sl_incidence *pattern, sl_lu **out);
void sl_lu_destroy(sl_lu *lu);

/* values in the order of the pattern. SL_ERR_SOLVE: singular to working precision; column, if given, gets the unknown
 * at which no pivot was left, or -1. */
sl_status sl_lu_factor(sl_lu *lu, double *values, int32_t *column);
sl_status sl_lu_refactor(sl_lu *lu, double *values, int32_t *column);
/* Of the last sl_lu_factor: the smallest pivot over the largest. */
double sl_lu_condition(const sl_lu *lu);
/* b becomes the solution. */
void sl_lu_solve(sl_lu *lu, double *b);

/* Entries of both factors, of the last factorisation; work done so far. */
int64_t sl_lu_size(const sl_lu *lu);
size_t sl_lu_bytes(const sl_lu *lu); /* memory, about */
void sl_lu_counts(const sl_lu *lu, int64_t *n_factor, int64_t *n_refactor);

#endif
