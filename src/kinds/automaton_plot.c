/* SPDX-License-Identifier: MIT */
/* automaton_plot.c: an automaton's picture, from its text: its run as a trace, drawn by src/plot. */
#include <math.h>

#include "base/sized.h"
#include "kinds/automaton_trace.h"
#include "plot/automaton.h"

/* What the picture needs to know of the run. */
static sl_trace_def trace_wanted(const sl_plot_automaton_def *def) {
    sl_trace_def wanted = sl_trace_default();
    wanted.names = def->names;
    wanted.n_name = def->n_name;
    wanted.only_discrete = def->states || def->kind == SL_AUTOMATON_DIAGRAM;
    wanted.end = def->to;
    wanted.from = def->kind == SL_AUTOMATON_OVER_TIME ? def->from : (double)NAN;
    wanted.n_step = def->n_step;
    wanted.plane = def->kind == SL_AUTOMATON_PHASE ? def->plane : NULL;
    wanted.time = def->time;
    wanted.low = def->low;
    wanted.high = def->high;
    wanted.equal = def->equal;
    wanted.where = def->where;
    wanted.n_where = def->n_where;
    wanted.diagram = def->kind == SL_AUTOMATON_DIAGRAM;
    wanted.reached = def->reached;
    return wanted;
}

sl_status sl_plot_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name,
                            const sl_plot_automaton_def *caller_def, sl_diags *diags, const sl_sink *sink,
                            sl_status *run) {
    if (!ctx || !name || !caller_def || !sink || !run || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    sl_plot_automaton_def own = sl_plot_automaton_default();
    const sl_plot_automaton_def *def = &own;
    *run = SL_OK;
    if (!caller_def || !sl_sized_take(&own, sizeof own, caller_def) || !sl_automaton_def_fits(def)) {
        return SL_ERR_USE;
    }
    sl_automaton *m = NULL;
    sl_trace trace;
    sl_trace_def wanted = trace_wanted(def);
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m);
    status = status == SL_OK ? sl_automaton_trace(ctx, m, &wanted, diags, &trace, run) : status;
    sl_automaton_destroy(m);
    if (status != SL_OK) {
        return status;
    }
    status = sl_automaton_draw(ctx, &trace, def, diags, sink);
    sl_trace_fini(&trace);
    return status;
}
