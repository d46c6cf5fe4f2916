/* SPDX-License-Identifier: MIT */
/* automaton_trace.c: see automaton_trace.h. */
#include "session/automaton_trace.h"

#include "automata/trace.h"

sl_status sl_trace_of_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, const sl_trace_def *def,
                                sl_diags *diags, sl_trace *out, sl_status *run) {
    sl_automaton *m = NULL;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m);
    status = status == SL_OK ? sl_automaton_trace(ctx, m, def, diags, out, run) : status;
    sl_automaton_destroy(m);
    return status;
}
