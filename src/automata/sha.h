/* SPDX-License-Identifier: MIT */
/* sha.h: structured hybrid automata: a discrete automaton, continuous variables, and activities, actions and roots with guards.
 * Definition 3.2.1; executions are those of src/hybrid (definitions 3.2.2 to 3.2.9), through sl_sha_ops.
 *
 *     sl_sha_create(ctx, g, &a);                                  g: a graph of expressions
 *     sl_sda_add_variable(sl_sha_discrete(a), "hot", 2, ...);     discrete variables and transitions: sda.h
 *     sl_sha_add_variable(a, "T", 20.0, 0.0, ...);                continuous ones, with their start
 *     sl_sha_add_activity(a, "cool", der(T) = 0.1*(10 - T), !heating, ...);
 *     sl_sha_add_root(a, "upper", hot, T - 22, true, ...);
 *     sl_sha_add_action(a, "bounce", v, -0.5*v, hit, ...);
 *     sl_sha_finish(a, diags);                                    from here on it is const
 *     sl_hybrid_create(ctx, &sl_sha_ops, a, &def, diags, &h);
 *
 * Guards hold discrete variables; those of actions may hold discrete time t too, which is then the length of the discrete
 * execution. Activities, roots and actions hold continuous variables, their derivatives, time and parameters. An action sets
 * a variable to a function of the values before, or is an equation for the values after: it holds these by the variables' names,
 * and those before as pre.x. All active actions are solved at once.
 *
 * A finished automaton and its graph are const: any number of threads may execute one automaton. An execution makes tapes from
 * the graph when it meets a mode for the first time, with scratch of its own; the bits of a mode do not depend on who met which
 * modes before.
 */
#ifndef SL_AUTOMATA_SHA_H
#define SL_AUTOMATA_SHA_H

#include "automata/sda.h"
#include "expr/dimension.h"
#include "hybrid/hybrid.h"

#include <sluice/automaton.h>

typedef struct sl_sha sl_sha;

/* Borrows the graph, which must outlive it. */
sl_status sl_sha_create(sl_context *ctx, sl_exprs *g, sl_sha **out);
void sl_sha_destroy(sl_sha *a);
/* Its discrete part, to which variables and transitions are added; sl_sha_finish finishes it. */
sl_sda *sl_sha_discrete(const sl_sha *a);
/* How discrete executions end and what they do about conflicts. */
void sl_sha_set_discrete_def(sl_sha *a, const sl_sda_def *def);
const sl_sda_def *sl_sha_discrete_def(const sl_sha *a);

/* Comparisons in equations, and roots, may be followed along their line (Filippov 1988): to be said before sl_sha_finish. */
void sl_sha_set_slides(sl_sha *a, bool slides);
bool sl_sha_slides(const sl_sha *a);

/* Declares the name in the graph, and pre.name. */
sl_status sl_sha_describe_variable(sl_sha *a, sl_str name, const sl_variable_def *def, const sl_text_location *place,
                                   sl_diags *diags, int32_t *out);
/* ... by its start alone. tolerance: absolute; 0: that of the run. */
sl_status sl_sha_add_variable(sl_sha *a, sl_str name, double start, double tolerance, const sl_text_location *place,
                              sl_diags *diags, int32_t *out);
/* Arrays (expr.h): n variables name[first] and so on, with the starts of each; their numbers follow each other, from *out on. */
sl_status sl_sha_add_array(sl_sha *a, sl_str name, int32_t first, int32_t n, const double *starts,
                           const sl_variable_def *def, const sl_text_location *place, sl_diags *diags, int32_t *out);
sl_status sl_sha_add_parameter_array(sl_sha *a, sl_str name, int32_t first, int32_t n, const double *values,
                                     const sl_text_location *place, sl_diags *diags);
/* The value of a parameter by its name; false: there is none. */
bool sl_sha_find_parameter(const sl_sha *a, sl_str name, double *value);
/* The dimension of n variables, or parameters, from one of the graph's numbers on: before it is asked for. */
sl_status sl_sha_set_dimension(sl_sha *a, bool is_parameter, int32_t symbol, int32_t n, const sl_dimension *d);
/* Unknown where nothing was said. */
sl_dimension sl_sha_dimension(const void *sha, bool is_parameter, int32_t symbol);
int32_t sl_sha_n_dimension(const sl_sha *a);      /* how often something was */
uint64_t sl_sha_hash_dimensions(const sl_sha *a); /* of all that was said; 0: nothing */
/* An equation of the start. */
sl_status sl_sha_add_initial(sl_sha *a, sl_str symbol, sl_expr equation, const sl_element_location *place,
                             sl_diags *diags);
sl_status sl_sha_add_parameter(sl_sha *a, sl_str name, double value, const sl_text_location *place, sl_diags *diags);
/* SL_ERR_INPUT and a diagnostic when a guard or an equation holds what it may not. symbol: a name for people, copied; empty:
 * one is made. */
sl_status sl_sha_add_activity(sl_sha *a, sl_str symbol, sl_expr equation, sl_expr guard,
                              const sl_element_location *place, sl_diags *diags);
/* One equation for each cell of a loop: it has no kinks (sl_expr_has_kinks). The name of the index is copied. */
sl_status sl_sha_add_loop(sl_sha *a, sl_str symbol, sl_expr equation, const sl_expr_loop *loop, sl_expr guard,
                          const sl_element_location *place, sl_diags *diags);
sl_status sl_sha_add_action(sl_sha *a, sl_str symbol, int32_t variable, sl_expr value, sl_expr guard,
                            const sl_element_location *place, sl_diags *diags);
sl_status sl_sha_add_action_equation(sl_sha *a, sl_str symbol, sl_expr equation, sl_expr guard,
                                     const sl_element_location *place, sl_diags *diags);
/* variable: of the discrete part, with two values. */
sl_status sl_sha_add_root(sl_sha *a, sl_str symbol, int32_t variable, sl_expr function, sl_expr guard,
                          const sl_element_location *place, sl_diags *diags);
/* Where a discrete variable starts: 0 unless said. SL_ERR_USE outside its domain. */
sl_status sl_sha_set_start(sl_sha *a, int32_t variable, int32_t value);
sl_status sl_sha_finish(sl_sha *a, sl_diags *diags);
/* Of a finished automaton, where something is said of the start: computes the values with which executions begin (dae/initial.h). location
 * may be NULL, and says where variable or initial equation i was read. */
sl_status sl_sha_find_start(sl_sha *a,
                            const sl_text_location *(*location)(const void *user, bool is_variable, int32_t i),
                            const void *user, sl_diags *diags);

/* ---- Looking ------------------------------------------------------------------------------------ */

typedef enum sl_sha_kind { SL_SHA_ACTIVITY = 0, SL_SHA_ACTION, SL_SHA_ROOT, SL_SHA_N_KIND } sl_sha_kind;

/* An element of the automaton. */
typedef struct sl_sha_element {
    const char *symbol;
    sl_expr guard;
    sl_expr expr;      /* to be 0; of an explicit action: the new value; of a root: the function */
    int32_t variable;  /* continuous, of an explicit action; discrete, of a root; -1: none */
    sl_expr written;   /* as it was given: a = b where expr is a - b */
    sl_expr_loop loop; /* of an activity: its cells; n = 1: it is no loop */
} sl_sha_element;

int32_t sl_sha_n_element(const sl_sha *a, sl_sha_kind kind);
sl_sha_element sl_sha_get_element(const sl_sha *a, sl_sha_kind kind, int32_t i);
int32_t sl_sha_n_variable(const sl_sha *a);                       /* continuous */
int32_t sl_sha_graph_variable(const sl_sha *a, int32_t variable); /* its number in the graph */
sl_str sl_sha_variable_name(const sl_sha *a, int32_t variable);
/* Where discrete variables start, [n]: complete once it is finished. */
const int32_t *sl_sha_start(const sl_sha *a);
const sl_exprs *sl_sha_graph(const sl_sha *a);
/* The continuous variable of this name, or -1. */
int32_t sl_sha_find_variable(const sl_sha *a, sl_str name);

/* ---- Executions --------------------------------------------------------------------------------- */

extern const sl_hybrid_ops sl_sha_ops; /* model: const sl_sha * */

/* Of an execution's instance (sl_hybrid_instance): is a part in force at q? All parts of a kind, as flags; the actions that
 * acted last, as flags. And the discrete execution under way. */
bool sl_sha_is_active(void *instance, const int32_t *q, sl_sha_kind kind, int32_t i);
const uint8_t *sl_sha_active(void *instance, const int32_t *q, sl_sha_kind kind);
const uint8_t *sl_sha_acted(const void *instance);
const sl_sda_run *sl_sha_run_of(const void *instance);
/* All equations and roots in force at q as one system, for those who only look at them: cuts are as at the start. For sl_sha_ops.release. */
sl_status sl_sha_compile_all(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_mode *out);

#endif
