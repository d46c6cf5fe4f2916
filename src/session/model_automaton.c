/* model_automaton.c: models of automata: the one file of the session that knows them. */
#include "session/session_impl.h"

#include "automata/read.h"

/* What the engine takes, and what owns it. */
typedef struct automaton_model {
    sl_hybrid_model engine; /* first: the engine sees this */
    sl_context *ctx;
    sl_automaton *automaton;
} automaton_model;

static void release(void *model) {
    automaton_model *m = model;
    sl_automaton_destroy(m->automaton);
    sl_free(m->ctx, m, sizeof *m);
}

sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                                  sl_model **out) {
    *out = NULL;
    automaton_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m->automaton);
    if (status == SL_OK) {
        m->engine = *sl_automaton_model(m->automaton);
        status = sl_model_from_engine(ctx, &sl_hybrid_engine, m, out);
    }
    if (status != SL_OK) {
        release(m);
        return status;
    }
    (*out)->release = release;
    return SL_OK;
}
