/* SPDX-License-Identifier: MIT */
/* reduce.h: equations as one writes them become a system of index 1 in fewer unknowns.
 *
 * With the offsets c_i, d_j of offsets.h equation i is differentiated up to c_i times and variable j occurs with derivatives up to order
 * d_j. The nodes (j, 0) .. (j, d_j) are unknowns of their own then, and all equations together with their derivatives hold between them.
 * What is left of these:
 *
 *   explicit   an equation that is linear in a node, with a factor of numbers and parameters only, is solved for it by its form, and so
 *              are its derivatives: copies (y = x), sums, x' = f(x). Such nodes become expressions of the others.
 *   states     of the nodes with a derivative as many as there are free initial values move by themselves; the others, the dummy
 *              derivatives (Mattsson and Soderlind 1993), follow from the equations that remain. Any choice will do for which these
 *              have a solution: states are coordinates of the manifold of consistent values.
 *   unknowns   the rest: states, dummies, algebraic variables.
 *
 * Which nodes are states is chosen by pivots at each start, and chosen anew when dependent nodes move much more than the states do
 * (a pendulum that passes the height of its pivot). What people see (x and x' of every variable) is computed from the unknowns.
 * Theory: docs/theory/dae.md#reduction.
 */
#ifndef SL_DAE_REDUCE_H
#define SL_DAE_REDUCE_H

#include "dae/report.h"
#include "dae/system.h"
#include "expr/expr.h"

typedef struct sl_reduction sl_reduction;

typedef struct sl_reduction_def {
    const sl_exprs *g;
    sl_walk *walk;         /* of g; its context gives the memory */
    int32_t n;             /* equations and variables */
    int32_t n_part;        /* expressions */
    const sl_expr *rows;   /* [n_part] to be 0 */
    const int32_t *n_cell; /* [n_part] equations that each stands for: cells of a loop, which are taken apart. NULL: one
                               * each, and n_part is n */
    const int32_t *variables; /* [n] of the graph */
    const int32_t *of;        /* [variables of the graph] their place in variables, or -1: they stand still */
    const sl_dae_system *raw; /* pattern and names of the equations as they are; outlives the reduction */
    const sl_expr
        *factors; /* [entries of the pattern] the derivative of the equation by the highest derivative in it */
    int32_t n_root;
    const sl_expr *roots;
    const double *p;               /* values of the graph's parameters: read at each evaluation */
    const double *x;               /* of the graph's variables, for those that stand still: likewise */
    const uint8_t *of_parameter;   /* as in sl_equation_set */
    const sl_variable_hint *hints; /* likewise */
} sl_reduction_def;

/* *out NULL: there is nothing to reduce, or the equations do not determine the variables. Borrows nothing but raw, p, x. */
sl_status sl_reduction_create(const sl_reduction_def *def, sl_reduction **out);
/* Must equations be differentiated? False also where they do not determine the variables. */
sl_status sl_reduction_is_needed(const sl_reduction_def *def, bool *needed);
void sl_reduction_destroy(sl_reduction *r);
const sl_dae_system *sl_reduction_system(const sl_reduction *r);
size_t sl_reduction_size(const sl_reduction *r); /* bytes, about */

#endif
