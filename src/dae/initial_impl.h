/* SPDX-License-Identifier: MIT */
/* initial_impl.h: the system of a start, between initial.c (its structure), initial_choice.c (which start values hold) and initial_blocks.c
 * (its solution).
 *
 * Conditions are numbered: equations with their derivatives, initial equations, then values of variables (value k is condition n_row + k).
 */
#ifndef SL_DAE_INITIAL_IMPL_H
#define SL_DAE_INITIAL_IMPL_H

#include "dae/initial.h"
#include "dae/reduce_impl.h"
#include "dae/structure.h"

typedef struct sl_start_system {
    sl_context *ctx;
    sl_arena arena;
    const sl_initial_def *def;
    const int32_t *variables; /* [n] of the graph */
    sl_equation_set set;      /* of the equations as they are written */
    sl_equations *equations;
    sl_reduction *r; /* nodes and differentiated equations */
    int32_t n, n_node;
    int32_t n_equation, n_row; /* equations with their derivatives; ... and initial equations */
    sl_expr *rows;             /* [n_row] */
    sl_jacobian by;            /* of rows by nodes */
    int32_t n_value;           /* conditions that are values of variables: those that are fixed first */
    int32_t n_fixed;
    int32_t *value_of; /* [n_value] variable */
    uint8_t *is_in;    /* [n_row + n_value] the condition is one of those that are solved */
    uint8_t *is_open;  /* [n_node] nodes that equations and fixed values do not determine */
    double *z;         /* [n_node] */
    double *nominal, *low, *high;
    sl_initial *out;
    sl_diags *diags;
    bool lacks_memory; /* an evaluation had none: what it gave is not to be used */
} sl_start_system;

static inline int32_t sl_start_n_condition(const sl_start_system *s) {
    return s->n_row + s->n_value;
}

/* The conditions that are in, as columns, and the nodes in each, as rows. col_condition: which condition a column is. In the arena. */
sl_status sl_start_list_conditions(sl_start_system *s, const uint8_t *is_in, sl_incidence *a, int32_t **col_condition);

/* "equation 'rod', differentiated"; "der(x)" */
void sl_start_name_condition(const sl_start_system *s, int32_t condition, char *text, size_t room);
void sl_start_name_node(const sl_start_system *s, int32_t node, char *text, size_t room);

/* initial_choice.c: of the start values of open nodes those hold that leave the others with the largest pivots. */
sl_status sl_start_choose(sl_start_system *s);

/* initial_blocks.c: solves the blocks whose nodes are open, or those that are not. */
sl_status sl_start_solve_blocks(sl_start_system *s, bool open);

/* The value of an expression at the present values. */
double sl_start_evaluate(sl_start_system *s, sl_expr e);

static inline sl_expr_point sl_start_point(const sl_start_system *s) {
    return (sl_expr_point){.t = s->def->t, .x = {s->z}, .p = s->r->inputs};
}

#endif
