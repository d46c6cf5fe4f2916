/* SPDX-License-Identifier: MIT */
/* discrete_engine.h: an automaton without continuous variables and roots as an engine of sessions: its time counts steps.
 *
 * A step is one step of the discrete execution (definition 3.1.3), from t to t + 1. The execution's end is that of the model: the
 * step at which it settles by its rule, known when it is reached, or the number of steps that the rule gives. Where there is no
 * derivative, where there are several and none is to be chosen, and where a state repeats for ever, the coming step fails and
 * says why. Variables may be set at any time: t goes on, and what repeats is counted from there.
 */
#ifndef SL_AUTOMATA_DISCRETE_ENGINE_H
#define SL_AUTOMATA_DISCRETE_ENGINE_H

#include "automata/sda.h"
#include "engine/engine.h"

/* What sessions take as a model. All is borrowed. */
typedef struct sl_discrete_model {
    const sl_sda *a;
    const int32_t *start; /* [n_variable] */
    sl_sda_def def;
    bool takes_first; /* of several derivatives; else they are an error */
    uint64_t hash;    /* tells models apart */
    /* Where the first is taken: those taken before that, one after the other. */
    const int64_t *choices;
    int32_t n_choice;
} sl_discrete_model;

enum { SL_DISCRETE_STATE, SL_DISCRETE_N_FIELD };

extern const sl_engine_ops sl_discrete_engine;

#endif
