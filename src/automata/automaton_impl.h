/* SPDX-License-Identifier: MIT */
/* automaton_impl.h: what an automaton holds, between automaton.c and loops.c. */
#ifndef SL_AUTOMATA_AUTOMATON_IMPL_H
#define SL_AUTOMATA_AUTOMATON_IMPL_H

#include "automata/texts.h"
#include "base/handle.h"
#include "base/shared.h"

struct sl_automaton {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_shared owners;
    sl_arena arena;
    sl_exprs *g;
    sl_sha *a;
    const char *name;
    sl_diags *diags; /* borrowed until finish */
    sl_status wrong; /* SL_OK: nothing */
    bool is_finished;
    sl_automaton_texts texts; /* what was added */
    uint64_t hash;            /* of that and the rules, from finish on */
    sl_sda_def discrete;
    sl_execution_def run;
    sl_hybrid_model model;
    sl_discrete_model steps; /* ... or this one, of an automaton that makes steps */
};

/* automaton.c: what was declared, with its name, is kept; what went wrong is remembered. */
sl_status sl_automaton_declare(sl_automaton *m, sl_text_section section, sl_located_text name, sl_automaton_text text,
                               sl_status status);
/* ... of a continuous variable or an array of them, with all that is said of it. */
sl_status sl_automaton_declare_described(sl_automaton *m, sl_located_text name, sl_automaton_text text,
                                         const sl_variable_def *def, sl_status status);
sl_expr sl_automaton_parse_guard(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags,
                                 sl_status *status);
sl_status sl_automaton_check_equation(const sl_automaton *m, const sl_automaton_element_def *def, sl_expr formula,
                                      sl_diags *diags);

/* loops.c: whole parameters in indices. */
sl_expr_numbers sl_automaton_numbers(const sl_automaton *m);
/* An element for each cell of its range; an activity without kinks stays one loop. */
sl_status sl_automaton_add_cells(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags);

#endif
