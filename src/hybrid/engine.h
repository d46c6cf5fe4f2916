/* SPDX-License-Identifier: MIT */
/* engine.h: a hybrid model as an engine of sessions: its continuous variables, their derivatives, its discrete variables.
 *
 * The engine's step is one step of continuous motion with all that happens at its end. Variables may be set at any time:
 * what was set is made consistent (x is kept where x' occurs in the equations), roots and discrete execution follow.
 */
#ifndef SL_HYBRID_ENGINE_H
#define SL_HYBRID_ENGINE_H

#include "engine/engine.h"
#include "hybrid/hybrid.h"

/* What sessions take as a model. All is borrowed. */
typedef struct sl_hybrid_model {
    const sl_hybrid_ops *ops;
    const void *model;
    sl_hybrid_def def;
    double report_start, report_step; /* [s]; step 0: none */
    uint64_t hash;                    /* tells models apart */
    /* Where def has choices asked for: those taken one after the other; after them the first. */
    const int64_t *choices;
    int32_t n_choice;
} sl_hybrid_model;

enum { SL_HYBRID_VALUE, SL_HYBRID_DERIVATIVE, SL_HYBRID_STATE, SL_HYBRID_EVENTS, SL_HYBRID_N_FIELD };

extern const sl_engine_ops sl_hybrid_engine;

#endif
