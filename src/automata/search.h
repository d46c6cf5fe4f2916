/* SPDX-License-Identifier: MIT */
/* search.h: can a condition over discrete variables hold? Values are tried one variable after the other, those first that are
 * used most; bounds of the condition (expr/interval.h) cut off what cannot matter, so that most questions are decided after a few
 * cases. With every variable given a value it is decided anyway: no means never. */
#ifndef SL_AUTOMATA_SEARCH_H
#define SL_AUTOMATA_SEARCH_H

#include "automata/check.h"
#include "automata/sda_impl.h"
#include "expr/interval.h"

typedef enum sl_search_result {
    SL_SEARCH_NO = 0,
    SL_SEARCH_YES,
    SL_SEARCH_LIMIT,
    SL_SEARCH_OUT_OF_MEMORY
} sl_search_result;

typedef struct sl_search {
    const sl_sda *a;
    sl_intervals ranges;
    int64_t most_cases;
    int64_t n_case;    /* of all questions */
    bool cancelled;    /* by the caller of the library: every answer is SL_SEARCH_LIMIT from then on */
    int64_t work_left; /* nodes that may be evaluated by all questions to come */
    sl_int_array order, value, uses;
    SL_ARRAY(sl_assignment) witness; /* of the last yes */
} sl_search;

void sl_search_init(sl_search *s, const sl_sda *a, int64_t most_cases);
void sl_search_fini(sl_search *s);
sl_search_result sl_search_ask(sl_search *s, sl_expr condition);

#endif
