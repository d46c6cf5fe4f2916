/* SPDX-License-Identifier: MIT */
/* build_automaton.c: models of automata. */
#include "session/session_impl.h"

#include "automata/automaton.h"
#include "base/ids.h"

#include <string.h>

/* What the engine takes, and what owns it. */
typedef struct automaton_model {
    union {
        sl_hybrid_model moves;
        sl_discrete_model steps;
    } engine; /* first: the engine sees this */
    sl_context *ctx;
    sl_automaton *automaton; /* owned, among others */
    int32_t n_choice;
    int64_t choices[]; /* taken where there are several derivatives */
} automaton_model;

static size_t size_of(int32_t n_choice) {
    return sizeof(automaton_model) + (size_t)n_choice * sizeof(int64_t);
}

static void release(void *model) {
    automaton_model *m = model;
    sl_automaton_destroy(m->automaton);
    sl_free(m->ctx, m, size_of(m->n_choice));
}

/* choices NULL: as run says. */
static sl_status build(sl_context *ctx, const sl_automaton *automaton, const sl_execution_def *run,
                       const int64_t *choices, int32_t n_choice, sl_model **out) {
    sl_hybrid_model moves;
    sl_discrete_model steps;
    *out = NULL;
    if (sl_automaton_models(automaton, run, &moves, &steps) != SL_OK) {
        return SL_ERR_USE;
    }
    automaton_model *m = sl_automaton_is_finished(automaton) ? sl_alloc(ctx, size_of(n_choice)) : NULL;
    if (!m) {
        return sl_automaton_is_finished(automaton) ? SL_ERR_MEMORY : SL_ERR_USE;
    }
    sl_automaton_retain(automaton);
    *m = (automaton_model){.ctx = ctx, .automaton = (sl_automaton *)(uintptr_t)automaton, .n_choice = n_choice};
    if (n_choice > 0) {
        memcpy(m->choices, choices, (size_t)n_choice * sizeof *choices);
        const uint64_t both[2] = {steps.hash, sl_hash_bytes(choices, (size_t)n_choice * sizeof *choices)};
        moves.hash = steps.hash = sl_hash_bytes(both, sizeof both);
        moves.def.choices = SL_HYBRID_CHOICES_ASK;
        steps.takes_first = true;
    }
    if (sl_automaton_is_discrete(automaton)) {
        m->engine.steps = steps;
        m->engine.steps.choices = m->choices;
        m->engine.steps.n_choice = n_choice;
    } else {
        m->engine.moves = moves;
        m->engine.moves.choices = m->choices;
        m->engine.moves.n_choice = n_choice;
    }
    return sl_model_own(ctx, sl_automaton_engine(automaton), m, release, NULL, out);
}

sl_status sl_model_of_automaton_run(sl_context *ctx, const sl_automaton *automaton, const sl_execution_def *run,
                                    sl_model **out) {
    return build(ctx, automaton, run, NULL, 0, out);
}

sl_status sl_model_of_automaton_path(sl_context *ctx, const sl_automaton *automaton, const int64_t *choices,
                                     int32_t n_choice, sl_model **out) {
    sl_execution_def run = sl_execution_default();
    (void)sl_automaton_get_run(automaton, &run);
    return build(ctx, automaton, &run, choices, n_choice, out);
}

sl_status sl_model_of_automaton(sl_context *ctx, const sl_automaton *automaton, sl_model **out) {
    if (!ctx || !SL_HANDLE_IS(automaton, SL_HANDLE_AUTOMATON) || !out) {
        return SL_ERR_USE;
    }
    sl_execution_def run = sl_execution_default();
    (void)sl_automaton_get_run(automaton, &run);
    return sl_model_of_automaton_run(ctx, automaton, &run, out);
}

sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                                  sl_model **out) {
    if (!ctx || !out || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_automaton *automaton = NULL;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &automaton);
    status = status == SL_OK ? sl_model_of_automaton(ctx, automaton, out) : status;
    sl_automaton_destroy(automaton); /* the model owns it too */
    return status;
}
