/* SPDX-License-Identifier: MIT */
/* ldl.h: symmetric positive definite sparse systems of one fixed pattern, factored again and again.
 *
 * The pattern is that of a network: n unknowns joined by edges. It is analysed once (ordering by approximate minimum
 * degree, symbolic factor) and is const after that: threads share it. Numbers live with the caller. Unknowns keep the
 * caller's numbering at every call; the ordering is an inner matter.
 *
 *     a[i]                  diagonal of unknown i, 0 <= i < n
 *     a[sl_ldl_slots(p)[e]] what edge e adds off the diagonal; edges between the same two unknowns share a slot
 *
 * a lives in work, where the factor takes its place: the caller clears all of it, fills it, and has it factored.
 */
#ifndef SL_NUMERIC_LDL_H
#define SL_NUMERIC_LDL_H

#include <sluice/base.h>

typedef struct sl_ldl sl_ldl;

/* Edges e join from[e] and to[e], 0 .. n-1, or a negative number for an end that is no unknown. n >= 0. */
sl_status sl_ldl_create(sl_context *ctx, int32_t n, int32_t n_edge, const int32_t *from, const int32_t *to,
                        sl_ldl **out);
void sl_ldl_destroy(sl_ldl *p);

/* Renumbers the unknowns: from now on they are in the order of elimination, and nothing has to be put in order at each
 * solution. order[k] becomes what unknown k was called before. Slots stay. */
void sl_ldl_take_order(sl_ldl *p, int32_t *order);

/* Slot of each edge in a; -1 when an end is no unknown or both are the same. */
const int32_t *sl_ldl_slots(const sl_ldl *p);
/* Doubles in a: n diagonals, the slots, and room for what the factor has more. */
int64_t sl_ldl_size(const sl_ldl *p);
/* Doubles the caller provides as work: the matrix or factor, and scratch. */
int64_t sl_ldl_work(const sl_ldl *p);
/* a, within work. */
double *sl_ldl_matrix(const sl_ldl *p, double *work);
/* Entries of the factor below its diagonal. */
int64_t sl_ldl_fill(const sl_ldl *p);
/* Multiplications of one factorisation: of a column of c entries c (c + 3) / 2. */
double sl_ldl_multiplications(const sl_ldl *p);

/* Factors a. Returns -1, or the unknown at which the matrix is not positive definite (pivot not above
 * threshold times the diagonal entry, threshold about 1e-14, or not finite); work is not usable then. */
int32_t sl_ldl_factor(const sl_ldl *p, double *work);
/* Solves with the factor, b in place. work's scratch part is used: not two threads on one work. */
void sl_ldl_solve(const sl_ldl *p, double *work, double *b);

/* ---- Right sides with few entries --------------------------------------------------------------- */

/* With A = L D L', a number c' A^-1 b is (L^-1 c)' D^-1 (L^-1 b), and L^-1 of a vector with few entries has entries only on
 * the ways from these up the elimination tree. So such numbers cost little, and a solution may be stopped half way (after
 * L), looked at, corrected, and finished. Columns are the inner numbering. */

/* Columns of L^-1 b for b with entries at these unknowns, ascending, into column when that is not NULL (room for n). Returns
 * their number. seen: n zeros, zeros again afterwards. */
int32_t sl_ldl_reach(const sl_ldl *p, int32_t n_entry, const int32_t *unknown, uint8_t *seen, int32_t *column);
/* The column of an unknown. */
int32_t sl_ldl_column(const sl_ldl *p, int32_t unknown);
/* x holds b at its columns; becomes L^-1 b. scratch: n zeros, zeros again afterwards. */
void sl_ldl_lower_few(const sl_ldl *p, const double *work, int32_t n, const int32_t *column, double *x,
                      double *scratch);
/* x' D^-1 y of two such vectors. */
double sl_ldl_product_few(const double *work, int32_t n_x, const int32_t *at_x, const double *x, int32_t n_y,
                          const int32_t *at_y, const double *y);
/* The first half of sl_ldl_solve: L^-1 b is kept in work, at the columns of the returned vector. */
double *sl_ldl_lower(const sl_ldl *p, double *work, const double *b);
/* The same product with that vector. */
double sl_ldl_product(const sl_ldl *p, const double *work, int32_t n, const int32_t *column, const double *x);
/* The second half of sl_ldl_solve. */
void sl_ldl_upper(const sl_ldl *p, double *work, double *x);

#endif
