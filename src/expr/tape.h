/* SPDX-License-Identifier: MIT */
/* tape.h: many expressions compiled for fast evaluation.
 *
 * What several expressions share is computed once. Expressions of equal shape (the cells of a pipe, the pipes of a
 * network) become one loop over an array of cells, run in blocks that stay in the cache, each operation vector code.
 * A tape is const: threads may share it, each with its own work. Every evaluation gives the bits of sl_expr_eval.
 * Of an if the side that no cell of a block takes is left out, where nothing else uses what it is made of.
 */
#ifndef SL_EXPR_TAPE_H
#define SL_EXPR_TAPE_H

#include "expr/expr.h"

typedef struct sl_tape sl_tape;

/* Memory is from the walk's context. SL_ERR_MEMORY. */
sl_status sl_tape_create(const sl_exprs *g, sl_walk *walk, int32_t n_root, const sl_expr *roots, sl_tape **out);
/* ... of which some are loops: root i stands for n_cell[i] values, its cells, one behind the other in what an evaluation gives. Each
 * is one loop of the tape, however many cells it has; it shares nothing with other roots. NULL: one cell each. */
sl_status sl_tape_create_loops(const sl_exprs *g, sl_walk *walk, int32_t n_root, const sl_expr *roots,
                               const int32_t *n_cell, sl_tape **out);
void sl_tape_destroy(sl_tape *tape);
/* Bytes of work that an evaluation needs, aligned for doubles; they carry nothing from one to the next. */
size_t sl_tape_work_size(const sl_tape *tape);
size_t sl_tape_size(const sl_tape *tape); /* its bytes */
/* out[i] is the value of roots[i], or of the i-th cell of them all. Allocates nothing. out must not overlap what is read. */
void sl_tape_eval(const sl_tape *tape, const sl_expr_point *at, void *work, double *out);

typedef struct sl_tape_stats {
    int32_t n_loop;        /* groups of cells of equal shape */
    int32_t n_instruction; /* in all loops together */
    int64_t n_cell;
    int64_t n_operation; /* one evaluation's */
    int32_t n_shared;    /* values that several expressions use */
    int32_t n_side;      /* sides of choices that are left out where no cell takes them */
} sl_tape_stats;
sl_tape_stats sl_tape_get_stats(const sl_tape *tape);

#endif
