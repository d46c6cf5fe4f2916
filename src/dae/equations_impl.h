/* SPDX-License-Identifier: MIT */
/* equations_impl.h: what a system of equations holds: between equations.c, which makes and evaluates it, and equations_pattern.c. */
#ifndef SL_DAE_EQUATIONS_IMPL_H
#define SL_DAE_EQUATIONS_IMPL_H

#include "base/memory.h"
#include "dae/equations.h"
#include "dae/reduce.h"
#include "expr/tape.h"

/* One half of the Jacobian. Entries of the set come one after the other, each with all its cells. */
typedef struct sl_equation_half {
    sl_tape *tape; /* NULL: every entry is a number, and out has them */
    int32_t n;
    int32_t *place; /* [n] in the pattern */
    double *out;    /* [n] */
    int32_t n_entry;
    sl_expr *entry;          /* [n_entry] */
    int32_t *n_cell, *first; /* [n_entry] of each; where its cells begin */
    uint8_t *kind;           /* [n_entry] marks */
} sl_equation_half;

struct sl_equation_space {
    sl_context *ctx;
    int32_t n_graph;
    double *x[2];      /* [n_graph] */
    int32_t *of;       /* [n_graph] -1 but while a system is made */
    uint8_t *is_fixed; /* [n_graph] no unknown */
    void *work;
    size_t n_work;
};

struct sl_equations {
    const sl_equation_set *set;
    sl_equation_space *space; /* NULL: x and work are its own */
    sl_context *ctx;
    sl_arena arena;
    sl_dae_system system;
    int32_t n_part; /* rows of the set */
    int32_t n_row, n_col, n_graph;
    const int32_t *rows; /* [n_part] */
    int32_t *first_row;  /* [n_part + 1] where the equations of each begin */
    int32_t *variables;
    int32_t *start, *row;
    uint8_t *kind;
    sl_equation_half by_x, by_dx;
    sl_tape *residual, *roots;
    sl_expr *residuals; /* [n_part] */
    int32_t *n_cell;    /* [n_part] */
    bool has_loops;
    sl_expr *factors;        /* [entries] the derivative by the highest derivative there; NONE: it is a sum */
    sl_reduction *reduction; /* NULL: the equations are integrated as they are */
    sl_dae_system raw;       /* ... as they are, else */
    void *work;
    double *x[2]; /* [n_graph] values by the graph's numbers */
    const double *p;
};

/* equations_pattern.c: unknowns: of all variables of the graph, or of those that occur. of: [variables of the graph] their place among the
 * unknowns, -1: none; of the latter it is -1 everywhere before. */
sl_status sl_equations_find_unknowns(sl_equations *e, const uint8_t *held, int32_t *of);
sl_status sl_equations_find_few_unknowns(sl_equations *e, const uint8_t *is_fixed, int32_t *of);
sl_status sl_equations_make_pattern(sl_equations *e, sl_walk *walk, const int32_t *of);

#endif
