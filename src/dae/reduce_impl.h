/* SPDX-License-Identifier: MIT */
/* reduce_impl.h: what a reduction holds, between plan.c and pairs.c (structure), reduce.c (expressions), states.c (the choice of states) and
 * reduced.c (evaluation). */
#ifndef SL_DAE_REDUCE_IMPL_H
#define SL_DAE_REDUCE_IMPL_H

#include "dae/equations.h"
#include "dae/graph.h"
#include "dae/offsets.h"
#include "dae/reduce.h"
#include "expr/tape.h"

#include "base/memory.h"

/* How a node is computed. */
typedef enum node_kind {
    NODE_ALGEBRAIC = 0,
    NODE_STATE,
    NODE_CHOICE, /* a state or not: see choices */
    NODE_SOLVED, /* an expression */
    NODE_RATE    /* the derivative of the node before it, which is a state, as the integrator has it */
} node_kind;

/* Of m equations of one block, differentiated equally often below the highest, and n > m nodes: m nodes follow from the others. */
typedef struct state_choice {
    int32_t n_row, n_col;
    int32_t *rows;  /* [n_row] of the remaining equations: numbers among sl_reduction.rows */
    int32_t *nodes; /* [n_col] ascending */
    int32_t *entry; /* [n_row n_col] of choice_tape's results, -1: none */
} state_choice;

/* An equation that is replaced by a combination of several, in which derivatives cancel: cancel.c. */
typedef struct sl_combination {
    int32_t row, n;
    int32_t *rows;   /* [n] equations, itself among them */
    double *factors; /* [n] */
    struct sl_combination *next;
} sl_combination;

struct sl_reduction {
    sl_context *ctx;
    sl_arena arena;
    int32_t n;
    /* structure, by rows */
    int32_t *start, *col;
    uint8_t *order, *is_solvable; /* of an entry: a factor of numbers and parameters only */
    sl_combination *combinations; /* NULL: none */
    sl_offsets offsets;
    int32_t index;        /* of the equations as they are */
    uint8_t *preferences; /* [n] sl_state_choice */
    bool insists;         /* some are always or never */
    int32_t n_block, n_largest;
    int32_t *block_start, *block_rows, *block_cols; /* [n_block + 1], [n], [n] */
    int32_t *pair_col, *pair_row;                   /* [n] explicit equations and their variables, -1: none */
    int32_t *sequence, n_pair;                      /* [n] rows of pairs in an order in which they can be solved */
    int32_t *tear_row, *tear_col;    /* [n_block] what remains of a block if that is one equation, else -1 */
    int32_t *base, *row_base;        /* [n + 1] the number of node (j, 0), of equation (i, 0) */
    int32_t n_node, n_row;           /* all of them */
    uint8_t *kind;                   /* [n_node] */
    int32_t *variable_of, *order_of; /* [n_node] */
    state_choice *choices;
    int32_t n_choice, most_choice_nodes;
    /* expressions, in a graph whose variables are the nodes */
    sl_exprs *m;
    int32_t n_input; /* parameters of m: from values of parameters and variables of the original graph */
    int32_t *input_parameter, *input_variable;
    double *inputs;
    const double *p, *x;
    sl_expr *rows; /* [n_row] as differentiated, then resolved */
    int32_t row_at_work;
    sl_expr *solved;            /* [n_node] of NODE_SOLVED */
    sl_expr *equations;         /* the set: what remains, then the rows of states */
    int32_t n_left, *left_rows; /* what remains: numbers among rows */
    int32_t n_candidate;
    int32_t *candidates;   /* [n_candidate] nodes of NODE_STATE and NODE_CHOICE whose derivative is no RATE */
    int32_t *candidate_of; /* [n_node] or -1 */
    sl_equation_set set;
    uint8_t *marks; /* [n_input] sl_equation_set.of_parameter */
    bool has_set;
    int32_t n_root;
    sl_expr *roots;
    /* evaluation */
    sl_equations *e;                /* for the present choice */
    uint8_t *state;                 /* [n_node] that choice */
    uint8_t *wanted, *by_structure; /* [n_node] others: at work; what the structure alone allows */
    int32_t n_unknown, *unknown;    /* [n_unknown] their nodes */
    int32_t *unknown_of;            /* [n_node] */
    int32_t *selected;              /* room for rows */
    sl_tape *values, *rates, *pivots;
    double *out, *rate_out, *pivot_out;
    double *node[2]; /* [n_node] */
    double *matrix;  /* room for the largest choice, twice */
    int32_t *order_room;
    void *work;
    sl_dae_system system;
    sl_dae_outside outside;
    sl_dae_report report;
    const sl_dae_system *raw;
};

/* plan.c, pairs.c: offsets, blocks, explicit pairs, kinds of nodes, choices. worth: is anything gained? */
sl_status sl_reduction_plan(sl_reduction *r, const sl_reduction_def *def, bool *worth);

/* plan.c: offsets and nodes only, with derivatives of variables up to these orders at least, [n]. full: has every equation a variable
 * of its own? Without that there is nothing. */
sl_status sl_reduction_number(sl_reduction *r, const sl_reduction_def *def, const uint8_t *least, bool *full);

/* reduce.c: equations with their derivatives, and roots, between nodes: rows, roots. Nothing is solved. out->n_node is 0 where equations
 * do not determine the variables. */
sl_status sl_reduction_expand(const sl_reduction_def *def, const uint8_t *least, sl_reduction **out);
static inline sl_expr sl_reduction_node(sl_reduction *r, int32_t node) {
    return sl_expr_variable(r->m, node, 0);
}

/* states.c */
sl_status sl_reduction_list_pivots(sl_reduction *r);
sl_status sl_reduction_choose(void *user, double t, const double *y, const double *dy, uint8_t *state);
bool sl_reduction_is_worn(void *user, double t, const double *y, const double *dy);
/* sl_dae_outside.check */
sl_status sl_reduction_check_states(void *user, sl_diags *diags);
/* Any choice that the structure allows, into wanted. */
sl_status sl_reduction_choose_by_structure(sl_reduction *r);

/* reduced.c: tapes and functions. */
sl_status sl_reduction_begin(sl_reduction *r);
/* Values of unknowns, and of inputs, to where tapes read them. */
void sl_reduction_load(sl_reduction *r, const double *y, const double *dy);
void sl_reduction_gather(sl_reduction *r);

#endif
