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
    int64_t n_element, n_apart; /* of arrays; cells of loops that were taken apart */
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

/* Something that was said of it is wrong, and reported. */
static inline void sl_automaton_spoil(sl_automaton *m) {
    m->wrong = m->wrong == SL_OK ? SL_ERR_INPUT : m->wrong;
}
/* units.c: the unit of a name that is declared; that of a text; the name of what was declared, false: nothing was. */
sl_status sl_automaton_declare_dimension(sl_automaton *m, sl_str name, const sl_dimension *d);
sl_status sl_automaton_read_unit(sl_automaton *m, const sl_located_text *text, sl_dimension *d, double *factor);
bool sl_automaton_unit_text(const sl_automaton *m, sl_str name, char text[SL_DIMENSION_TEXT]);
/* Of what a formula is made; variable: which it sets, -1: none. */
sl_status sl_automaton_check_units(sl_automaton *m, sl_expr e, int32_t variable, const sl_expr_loop *loop,
                                   const sl_element_location *where, sl_diags *diags);
/* loops.c: whole parameters in indices. */
sl_expr_numbers sl_automaton_numbers(const sl_automaton *m);
/* An element for each cell of its range; an activity without kinks stays one loop. */
sl_status sl_automaton_add_cells(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags);

#endif
