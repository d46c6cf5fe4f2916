/* SPDX-License-Identifier: MIT */
/* automaton_report.h: what commands show of an automaton beyond what every session has. */
#ifndef SL_KINDS_AUTOMATON_REPORT_H
#define SL_KINDS_AUTOMATON_REPORT_H

#include "kinds/kind.h"

extern const sl_plot_ops sl_automaton_plot;

bool sl_automaton_fits(const sl_report_def *def, char why[SL_REFUSAL_MAX]);
sl_status sl_automaton_ending(const sl_model *model, sl_session *session, sl_arena *arena, sl_ending *out);
bool sl_automaton_asks_branches(const void *load_args);
sl_status sl_automaton_explore(const sl_model *model, sl_status (*run)(void *user, const sl_model *execution),
                               void *user, sl_diags *diags);

sl_status sl_automaton_source_check(const sl_load *load, sl_kind_facts *facts);
/* SL_ERR_INPUT: the file or the mode is wrong. SL_ERR_SOLVE: the run failed before that time; nothing is written. */
sl_status sl_automaton_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);

#endif
