/* SPDX-License-Identifier: MIT */
/* check_impl.h: a check at work: between check.c (guards and equations) and check_zeno.c (whether executions end). */
#ifndef SL_AUTOMATA_CHECK_IMPL_H
#define SL_AUTOMATA_CHECK_IMPL_H

#include "automata/search.h"

typedef struct sl_checker {
    const sl_sda *a;
    sl_check_def def;
    sl_sda_report *report;
    sl_search search;
    int32_t n_of_kind[SL_FINDING_KINDS];
    int64_t trials_left; /* combinations, of executions that are tried */
    int32_t steps_left;  /* ... of those executions */
    bool memory;         /* short of it */
} sl_checker;

/* Adds a finding; witness: with the last yes of the search. */
void sl_checker_note(sl_checker *c, sl_finding finding, bool witness);
/* Asks; a limit is noted, and then the answer is SL_SEARCH_LIMIT. */
sl_search_result sl_checker_ask(sl_checker *c, sl_expr condition, sl_finding about);
/* proved becomes unknown, everything becomes refuted. */
void sl_verdict_lower(sl_verdict *verdict, sl_verdict to);
void sl_check_zeno(sl_checker *c);

#define SL_NO_FINDING                                   \
    (sl_finding) {                                      \
        .variable = -1, .transition = {-1, -1}, .t = -1 \
    }

#endif
