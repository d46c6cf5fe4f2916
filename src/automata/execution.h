/* SPDX-License-Identifier: MIT */
/* execution.h: what an execution of an automaton holds; between execution.c and branch.c. */
#ifndef SL_AUTOMATA_EXECUTION_H
#define SL_AUTOMATA_EXECUTION_H

#include "automata/automaton.h"
#include "base/handle.h"
#include "base/memory.h"

struct sl_execution {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    const sl_automaton *a;
    sl_hybrid *h;
    sl_hybrid_def def;
    uint64_t hash; /* of automaton and definition */
    sl_diags *diags;
    sl_event last;          /* the last event; 0: none yet */
    SL_ARRAY(int64_t) path; /* choices since the start */
    SL_ARRAY(int32_t) active;
};

#endif
