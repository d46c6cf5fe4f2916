/* SPDX-License-Identifier: MIT */
/* build_automaton.c: models of automata. */
#include "session/session_impl.h"

#include "automata/automaton.h"

/* What the engine takes, and what owns it. */
typedef struct automaton_model {
    sl_hybrid_model engine; /* first: the engine sees this */
    sl_context *ctx;
    sl_automaton *automaton; /* owned, among others */
} automaton_model;

static void release(void *model) {
    automaton_model *m = model;
    sl_automaton_destroy(m->automaton);
    sl_free(m->ctx, m, sizeof *m);
}

sl_status sl_model_of_automaton(sl_context *ctx, const sl_automaton *automaton, sl_model **out) {
    *out = NULL;
    automaton_model *m = sl_automaton_is_finished(automaton) ? sl_alloc(ctx, sizeof *m) : NULL;
    if (!m) {
        return sl_automaton_is_finished(automaton) ? SL_ERR_MEMORY : SL_ERR_USE;
    }
    sl_automaton_retain(automaton);
    *m = (automaton_model){
        .engine = *sl_automaton_model(automaton), .ctx = ctx, .automaton = (sl_automaton *)(uintptr_t)automaton};
    sl_status status = sl_model_from_engine(ctx, &sl_hybrid_engine, m, out);
    if (status != SL_OK) {
        release(m);
        return status;
    }
    (*out)->release = release;
    return SL_OK;
}

sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                                  sl_model **out) {
    *out = NULL;
    sl_automaton *automaton = NULL;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &automaton);
    status = status == SL_OK ? sl_model_of_automaton(ctx, automaton, out) : status;
    sl_automaton_destroy(automaton); /* the model owns it too */
    return status;
}
