/* SPDX-License-Identifier: MIT */
/* automaton.h: an automaton with all that it stands on and how it is to be run: behind sluice/automaton.h. The calls here are
 * those of building, with places in a file for messages; the public ones have none, and a file (read.c) is read through these.
 */
#ifndef SL_AUTOMATA_AUTOMATON_H
#define SL_AUTOMATA_AUTOMATON_H

#include <sluice/automaton.h>

#include "automata/discrete_engine.h"
#include "automata/sha.h"
#include "hybrid/engine.h"

sl_status sl_automaton_declare_parameter(sl_automaton *m, sl_located_text name, double value);
sl_status sl_automaton_declare_table(sl_automaton *m, sl_located_text name, int32_t n, const double *x, const double *y,
                                     sl_between between, sl_beyond beyond);
sl_status sl_automaton_declare_discrete(sl_automaton *m, sl_located_text name, int32_t n, int32_t start);
sl_status sl_automaton_declare_continuous(sl_automaton *m, sl_located_text name, const sl_variable_def *def);
sl_status sl_automaton_declare_initial(sl_automaton *m, const char *symbol, sl_located_text equation);

/* name: with its range, as p[1..N]. starts, values: one, or one for each element. */
sl_status sl_automaton_declare_array(sl_automaton *m, sl_located_text name, int32_t n, const double *starts,
                                     const sl_variable_def *def);
sl_status sl_automaton_declare_parameter_array(sl_automaton *m, sl_located_text name, int32_t n, const double *values);
/* Is this name one with a range? */
bool sl_automaton_is_range(sl_str name);

/* An element as texts. */
typedef struct sl_automaton_element_def {
    sl_automaton_element kind;
    const char *symbol;           /* NULL: none */
    sl_located_text range;        /* of a loop: i in 1..N; ptr NULL: it is none */
    sl_located_text variable;     /* of a root and an action; ptr NULL: an action that is an equation */
    sl_located_text formula;      /* equation, value or function */
    const sl_located_text *guard; /* [n_guard] of which one has to hold; none: always */
    int32_t n_guard;
    const sl_text_location *location; /* of the whole; NULL: messages carry the symbol instead */
} sl_automaton_element_def;
sl_status sl_automaton_add_element(sl_automaton *m, const sl_automaton_element_def *def);

/* One more owner: sl_automaton_destroy is to be called once more. Any thread. */
void sl_automaton_retain(const sl_automaton *m);
sl_context *sl_automaton_context(const sl_automaton *m);
const sl_sha *sl_automaton_get(const sl_automaton *m);
/* The engine that fits it, and the model that this engine takes: sl_hybrid_engine, or sl_discrete_engine for one that makes
 * steps. Borrowed; const once it is finished and set_run is not called any more. */
const sl_engine_ops *sl_automaton_engine(const sl_automaton *m);
const void *sl_automaton_engine_model(const sl_automaton *m);
/* The models of both engines under another run; of the automaton as a whole, relax stays its own. SL_ERR_USE when a number makes no
 * sense. */
sl_status sl_automaton_models(const sl_automaton *m, const sl_execution_def *run, sl_hybrid_model *moves,
                              sl_discrete_model *steps);
/* For sl_hybrid_engine. */
const sl_hybrid_model *sl_automaton_model(const sl_automaton *m);
bool sl_automaton_is_finished(const sl_automaton *m);
/* What went wrong in building so far. */
sl_status sl_automaton_wrong(const sl_automaton *m);
/* Tells what was added apart, whatever the run. */
uint64_t sl_automaton_hash(const sl_automaton *m);
/* Nothing but one discrete execution: no continuous variables and no roots. */
bool sl_automaton_is_discrete(const sl_automaton *m);
/* Are transitions that exclude each other a choice? */
bool sl_automaton_branches(const sl_automaton *m);
/* After how many steps a discrete execution ends whatever holds; 0: it does not. */
int32_t sl_automaton_n_step(const sl_automaton *m);
/* What src/hybrid makes of a definition; SL_ERR_USE when a number makes no sense. */
sl_status sl_execution_def_use(const sl_execution_def *def, sl_hybrid_def *out);
/* Tells automata that are executed so apart, beyond what tells the automata apart. */
uint64_t sl_execution_def_hash(const sl_execution_def *def, uint64_t automaton);

#endif
