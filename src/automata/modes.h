/* modes.h: the equations that hold in a mode, compiled when the mode is first met and remembered.
 *
 * A hybrid model has a fixed list of equations and of root functions; the discrete state decides which of them are active. A mode
 * is such a choice. Its residuals, its sparse matrix dF/dx + cj dF/dx' and its roots are tapes; rows are differentiated once for
 * all modes. A mode that was met before is found by its choice, at the cost of reading it.
 *
 * Expressions may hold any variables of the graph: those with a column are the unknowns, others (discrete ones) are given. A point of
 * evaluation has all variables of the graph by their numbers.
 */
#ifndef SL_AUTOMATA_MODES_H
#define SL_AUTOMATA_MODES_H

#include "expr/tape.h"

typedef struct sl_modes sl_modes;

typedef struct sl_mode {
    int32_t number; /* in order of first meeting */
    int32_t n_equation, n_root;
    const int32_t *equations, *roots; /* which are active, ascending */
    sl_tape *residual;                /* n_equation values */
    sl_tape *matrix;                  /* nnz values, in the order of the pattern */
    sl_tape *root;                    /* n_root values */
    /* The pattern, by columns (n_column + 1 starts, rows ascending) or by rows (n_equation + 1 starts, columns ascending). Rows
     * are places in `equations`. */
    int64_t nnz;
    int64_t *start;
    int32_t *index;
    size_t work_size; /* bytes that the largest of the tapes needs */
} sl_mode;

typedef struct sl_modes_def {
    int32_t n_equation, n_root;
    const sl_expr *equations, *roots; /* copied */
    int32_t n_column;
    const int32_t *column; /* of every variable of the graph, -1: given; copied */
    sl_expr cj;            /* what dF/dx' is multiplied with, a parameter; SL_EXPR_NONE: dF/dx alone */
    bool by_rows;          /* else by columns, as KLU wants it */
} sl_modes_def;

/* The graph is borrowed. SL_ERR_MEMORY. */
sl_status sl_modes_create(sl_exprs *g, const sl_modes_def *def, sl_modes **out);
void sl_modes_destroy(sl_modes *modes);
/* The mode of these equations and roots (ascending numbers), compiled if it is new; borrowed until modes are destroyed. */
sl_status sl_modes_find(sl_modes *modes, int32_t n_equation, const int32_t *equations, int32_t n_root,
                        const int32_t *roots, const sl_mode **out);
int32_t sl_modes_count(const sl_modes *modes);

#endif
