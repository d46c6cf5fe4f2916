/* SPDX-License-Identifier: MIT */
/* offsets.h: how often each equation has to be differentiated, and to which order each variable then occurs (Pryce 2001).
 *
 * With sigma_ij the order of the highest derivative of variable j in equation i, the offsets are the smallest c_i >= 0 and d_j with
 * d_j - c_i >= sigma_ij everywhere and equality along a complete matching. Such a matching has the largest sum of orders; it is
 * found first, with duals that rise for all equations without a partner at once, so that the cost stays near the number of
 * entries times the largest offset. The smallest offsets then follow from it by relaxation.
 */
#ifndef SL_DAE_OFFSETS_H
#define SL_DAE_OFFSETS_H

#include <sluice/base.h>

typedef struct sl_offsets {
    int32_t n;
    int32_t *c, *d;  /* [n] of equations, of variables */
    int32_t *col_of; /* [n] the variable that each equation is matched with */
    sl_context *ctx;
    size_t n_byte;
} sl_offsets;

/* Entries by rows: variables col[start[i]] .. col[start[i + 1] - 1] occur in equation i with these orders. The pattern has full
 * structural rank. */
sl_status sl_offsets_init(sl_offsets *o, sl_context *ctx, int32_t n, const int32_t *start, const int32_t *col,
                          const uint8_t *order);
void sl_offsets_fini(sl_offsets *o);
/* The smallest offsets with d_j >= least_j: derivatives that somebody asks for and that the equations alone do not bring. */
sl_status sl_offsets_raise(sl_offsets *o, const int32_t *start, const int32_t *col, const uint8_t *order,
                           const uint8_t *least);
/* The structural index: the largest c, and one more where a variable is algebraic. */
int32_t sl_offsets_index(const sl_offsets *o);

#endif
