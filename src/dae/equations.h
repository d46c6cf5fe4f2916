/* SPDX-License-Identifier: MIT */
/* equations.h: systems of equations from expressions: residuals, exact sparse Jacobians and roots as tapes.
 *
 * A set holds all equations that a model may have, with their derivatives, made once. A system is made of some of them (those
 * of a mode): its unknowns are the variables that these mention, in the order of the graph. Making one builds tapes and a
 * pattern, and no new expressions in that graph: a system that is reduced has a graph of its own.
 *
 *     sl_equation_set_init(&set, g, n, equations, symbol, user);
 *     sl_equations_create(&set, &walk, n_row, rows, n_root, roots, p, &e);
 *     sl_dae_create(ctx, sl_equations_system(e), ...);
 *
 * Equations hold variables, their first derivatives, time and parameters. A set is const once it is made, as its graph has to be
 * from there on: any number of threads may make systems of it, each with a walk of its own. The bits of a system follow from the
 * set, its rows and roots alone.
 */
#ifndef SL_DAE_EQUATIONS_H
#define SL_DAE_EQUATIONS_H

#include "dae/system.h"
#include "expr/expr.h"

typedef struct sl_equation_set {
    const sl_exprs *g;
    int32_t n;
    const sl_expr *equations; /* [n] to be 0; borrowed */
    const int32_t
        *n_cell; /* [n] cells of a loop (expr.h); NULL: one each. Borrowed, to be set before systems are made */
    sl_jacobian by_x, by_dx; /* columns: variables of the graph */
    /* the name of an equation; NULL: its text is used */
    const char *(*symbol)(const void *user, int32_t equation);
    const void *user;
    sl_context *ctx;
    /* Marks (system.h) of what depends on a parameter that somebody changes on the way; NULL: all are constant. Borrowed, to be
     * set before systems are made. */
    const uint8_t *of_parameter;
    const sl_variable_hint *hints; /* [variables of the graph], likewise; NULL: nothing is said of any */
    bool
        reduces; /* systems are reduced where that helps (reduce.h): fewer unknowns, index 1. To be set before they are made */
} sl_equation_set;

/* SL_ERR_MEMORY; SL_ERR_INPUT and a diagnostic for a derivative of higher order. */
sl_status sl_equation_set_init(sl_equation_set *s, sl_context *ctx, sl_exprs *g, int32_t n, const sl_expr *equations,
                               const char *(*symbol)(const void *user, int32_t equation), const void *user,
                               sl_diags *diags);
void sl_equation_set_fini(sl_equation_set *s);

typedef struct sl_equations sl_equations;

/* rows: which equations of the set, [n_row]; a loop has as many equations as cells, one behind the other. roots: expressions, [n_root]. p: values of the graph's parameters, borrowed:
 * they are read at each evaluation. held: [variables of the graph] those that are no unknowns here whatever mentions them, NULL:
 * none. The set must outlive it. Memory is from the walk's context, which is scratch only. Any number of equations is taken:
 * whether they are enough is for sl_dae_analyse to say. */
sl_status sl_equations_create(const sl_equation_set *set, sl_walk *walk, int32_t n_row, const int32_t *rows,
                              int32_t n_root, const sl_expr *roots, const double *p, const uint8_t *held,
                              sl_equations **out);
/* What many small systems of one thread share: values of all variables of the graph, scratch. Then making and keeping one costs what
 * it holds, whatever the graph has. hold is the same for all of them. */
typedef struct sl_equation_space sl_equation_space;
sl_status sl_equation_space_create(sl_context *ctx, const sl_exprs *g, sl_equation_space **out);
void sl_equation_space_destroy(sl_equation_space *space);
/* The value of a variable that is no unknown of a system. */
void sl_equation_space_hold(sl_equation_space *space, int32_t variable, double value);
/* Systems made from here on do not have this variable as an unknown, or have it again. */
void sl_equation_space_fix(sl_equation_space *space, int32_t variable, bool is_fixed);
sl_status sl_equations_create_in(sl_equation_space *space, const sl_equation_set *set, sl_walk *walk, int32_t n_row,
                                 const int32_t *rows, int32_t n_root, const sl_expr *roots, const double *p,
                                 sl_equations **out);
size_t sl_equations_size(const sl_equations *e); /* bytes, about */
void sl_equations_destroy(sl_equations *e);
const sl_dae_system *sl_equations_system(const sl_equations *e);
/* [sl_dae_n_value] the variables of the graph that its values are, ascending. */
const int32_t *sl_equations_variables(const sl_equations *e);
/* [entries of the pattern] the derivative of each equation by the highest derivative in it. */
const sl_expr *sl_equations_factors(const sl_equations *e);
/* The value of a variable of the graph that is no unknown, as roots may hold: 0 unless said. */
void sl_equations_hold(sl_equations *e, int32_t variable, double value);

#endif
