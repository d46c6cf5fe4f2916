/* SPDX-License-Identifier: MIT */
/* execution_log.c: the log of an execution: buffers, names, events and rows; see execution_log.h. */
#include "session/execution_log_impl.h"

#include "base/report.h"

#include <math.h>
#include <string.h>

sl_execution_log_def sl_execution_log_default(void) {
    return (sl_execution_log_def){.steps = -1};
}

/* ---- Buffers ------------------------------------------------------------------------------------ */

static bool collect_names(sl_execution_log *t) {
    t->names = sl_arena_alloc(&t->arena, (size_t)t->n_q * sizeof *t->names);
    for (int32_t j = 0; t->names && j < t->n_q; j++) {
        t->names[j] = sl_arena_copy(&t->arena, sl_sda_variable_name(sl_sha_discrete(t->a), j));
        if (!t->names[j]) {
            return false;
        }
    }
    return t->names != NULL;
}

sl_status sl_execution_log_init(sl_execution_log *t, sl_context *ctx, const sl_automaton *m,
                                const sl_execution_log_def *def, const sl_execution_log_handler *handler,
                                sl_diags *diags) {
    const sl_sha *a = sl_automaton_get(m);
    const sl_hybrid_model *model = sl_automaton_model(m);
    *t = (sl_execution_log){.ctx = ctx, .m = m, .a = a, .def = def, .handler = handler, .diags = diags};
    t->n_q = sl_sda_n_variable(sl_sha_discrete(a));
    t->end = (sl_execution_log_end){.verdict = "", .t = -1.0, .complete = true};
    sl_arena_init(&t->arena, ctx);
    sl_bytes_init(&t->what, ctx);
    size_t n_q = (size_t)t->n_q, n_graph = (size_t)sl_exprs_n_variable(sl_sha_graph(a));
    t->q = sl_arena_alloc(&t->arena, n_q * sizeof *t->q);
    t->values = sl_arena_alloc(&t->arena, n_q * sizeof *t->values);
    t->graph = sl_arena_alloc(&t->arena, n_graph * sizeof *t->graph);
    if (!t->q || !t->values || !t->graph || !collect_names(t)) {
        return SL_ERR_MEMORY;
    }
    void *instance = NULL;
    double begin, none[1]; /* there are no continuous variables */
    sl_status status = model->ops->open(ctx, model->model, diags, &instance);
    if (status == SL_OK) {
        model->ops->start(instance, &begin, none, t->q);
        model->ops->close(instance);
    }
    return status;
}

void sl_execution_log_fini(sl_execution_log *t) {
    sl_bytes_fini(&t->what);
    sl_arena_fini(&t->arena);
}

/* ---- Events and rows ---------------------------------------------------------------------------- */

static void append_name(sl_execution_log *t, const char *text, size_t n) {
    sl_sink sink = sl_bytes_sink(&t->what);
    t->status = t->status == SL_OK ? sink.write(sink.user, text, n) : t->status;
}

void sl_execution_log_name(sl_execution_log *t, const char *name) {
    if (t->handler->event && name[0] != '\0') {
        append_name(t, ", ", t->what.n > 0 ? 2 : 0);
        append_name(t, name, strlen(name));
    }
}

void sl_execution_log_name_transitions(sl_execution_log *t, int32_t variable, int32_t i) {
    const sl_sda *d = sl_sha_discrete(t->a);
    sl_expr_point at = {.t = i, .x = {t->graph}};
    int32_t n = 0;
    const int32_t *users = sl_sda_equations_of(d, variable, &n);
    n = t->handler->event ? n : 0; /* nobody wants to know */
    for (int32_t j = 0; j < t->n_q && n > 0; j++) {
        t->graph[sl_sda_graph_variable(d, j)] = t->q[j];
    }
    for (int32_t k = 0; k < n; k++) {
        double holds = 0.0;
        sl_status status = sl_expr_eval(sl_sha_graph(t->a), sl_sda_guard(d, users[k]), &at, &holds);
        t->status = t->status == SL_OK ? status : t->status;
        if (status == SL_OK && holds != 0.0) {
            sl_execution_log_name(t, sl_sda_symbol(d, users[k]));
        }
    }
}

sl_status sl_execution_log_add_event(sl_execution_log *t, double time, const char *kind, int32_t j, double from,
                                     double to) {
    t->end.n_event++;
    append_name(t, "", 1); /* a NUL */
    if (t->status == SL_OK && t->handler->event) {
        sl_execution_log_event event = {.t = time,
                                        .kind = kind,
                                        .what = t->what.at,
                                        .variable = j >= 0 ? t->names[j] : NULL,
                                        .from = from,
                                        .to = to};
        t->status = t->handler->event(t->handler->user, &event);
    }
    t->what.n = 0;
    return t->status;
}

sl_status sl_execution_log_add_row(sl_execution_log *t, double time) {
    for (int32_t j = 0; j < t->n_q; j++) {
        t->values[j] = t->q[j];
    }
    t->end.t = time;
    return t->handler->row ? t->handler->row(t->handler->user, time, t->values) : SL_OK;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static sl_status execute(sl_execution_log *t) {
    sl_execution_log_columns columns = {.n = t->n_q, .names = t->names};
    sl_status status = t->handler->begin(t->handler->user, &columns);
    return status == SL_OK ? sl_execution_log_discrete(t) : status;
}

sl_status sl_execution_log_of(sl_context *ctx, const sl_automaton *m, const sl_execution_log_def *def,
                              const sl_execution_log_handler *handler, sl_diags *diags) {
    sl_execution_log t;
    if (!sl_automaton_is_discrete(m)) {
        return SL_ERR_USE;
    }
    sl_status status = sl_execution_log_init(&t, ctx, m, def, handler, diags);
    status = status == SL_OK ? execute(&t) : status;
    sl_execution_log_fini(&t);
    return status;
}

sl_status sl_execution_log_run(sl_context *ctx, const char *bytes, size_t n, const char *name,
                               const sl_execution_log_def *def, const sl_execution_log_handler *handler,
                               sl_diags *diags) {
    sl_automaton *m = NULL;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m);
    status = status == SL_OK ? sl_execution_log_of(ctx, m, def, handler, diags) : status;
    sl_automaton_destroy(m);
    return status;
}
