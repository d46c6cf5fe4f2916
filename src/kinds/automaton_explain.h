/* SPDX-License-Identifier: MIT */
/* automaton_explain.h: pages that explain an automaton from its text. */
#ifndef SL_KINDS_AUTOMATON_EXPLAIN_H
#define SL_KINDS_AUTOMATON_EXPLAIN_H

#include <sluice/automaton.h>

#include "base/option.h"

typedef enum sl_automaton_explain_form {
    SL_AUTOMATON_EXPLAIN_TEXT = 0,
    SL_AUTOMATON_EXPLAIN_HTML,
    SL_AUTOMATON_EXPLAIN_TEX,
    SL_AUTOMATON_EXPLAIN_JSON
} sl_automaton_explain_form;

typedef struct sl_automaton_explain_def {
    sl_automaton_explain_form form;
    sl_option_time at;           /* run to this time and show what is there; not given: do not run */
    sl_option_time duration;     /* let it run for so long; not given: as the file says */
    const char *mode;            /* "q=1,p=0": show what is in force there; NULL: everything */
    bool (*stopped)(void *user); /* with NULL: true gives up, with SL_ERR_CANCELLED; or NULL */
} sl_automaton_explain_def;

/* Reads, runs if asked to, and writes the page. SL_ERR_INPUT: the file or the mode is wrong. SL_ERR_SOLVE: the run failed before
 * that time; nothing is written. */
sl_status sl_automaton_explain(sl_context *ctx, const char *bytes, size_t n, const char *name,
                               const sl_automaton_explain_def *what, sl_diags *diags, const sl_sink *sink);

#endif
