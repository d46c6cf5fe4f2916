/* SPDX-License-Identifier: MIT */
/* graph.h: equations and unknowns as a graph: which can be solved for which, and in what blocks.
 *
 * Only where something occurs counts, not its number: a statement of structure holds for almost all numbers. Time and
 * memory grow with the entries; nothing recurses.
 */
#ifndef SL_DAE_GRAPH_H
#define SL_DAE_GRAPH_H

#include <sluice/base.h>

/* Which unknowns (columns) occur in which equations (rows), by columns: rows row[start[j]] .. row[start[j + 1] - 1].
 * Borrowed. */
typedef struct sl_incidence {
    int32_t n_row, n_col;
    const int32_t *start; /* [n_col + 1] */
    const int32_t *row;
} sl_incidence;

/* The same by rows; from, if given, tells where an entry stood: entry k of the transpose is entry from[k]. The arrays
 * have n_row + 1 and n entries. */
void sl_incidence_transpose(const sl_incidence *a, int32_t *start, int32_t *col, int32_t *from);

/* A matching of most pairs: col_of[i] for rows, row_of[j] for columns, -1 without a partner. */
sl_status sl_match(sl_context *ctx, const sl_incidence *a, int32_t *col_of, int32_t *row_of, int32_t *n_pair);

/* The subsystems of Dulmage and Mendelsohn, the same whatever the matching. */
typedef enum sl_dm_subsystem {
    SL_DM_SQUARE = 0, /* as many equations as unknowns, solvable in structure */
    SL_DM_OVER,       /* more equations than unknowns */
    SL_DM_UNDER       /* fewer equations than unknowns */
} sl_dm_subsystem;

typedef struct sl_dm_decomposition {
    int32_t n_pair;                         /* structural rank */
    uint8_t *row_subsystem, *col_subsystem; /* sl_dm_subsystem */
    int32_t *col_of, *row_of;               /* a matching */
    int32_t *block_of;                      /* [n_col] the block of a column of the square subsystem, -1 outside it */
    int32_t n_block,
        n_largest; /* strong components of the square subsystem: blocks that must be solved at once, numbered
                                    in an order in which they can be: block k needs blocks below k only */
    int32_t n_row, n_col;
    sl_context *ctx;
} sl_dm_decomposition;

sl_status sl_dm_decomposition_init(sl_dm_decomposition *p, sl_context *ctx, const sl_incidence *a);
void sl_dm_decomposition_fini(sl_dm_decomposition *p);

#endif
