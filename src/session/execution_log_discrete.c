/* SPDX-License-Identifier: MIT */
/* execution_log_discrete.c: the log of a discrete execution, written when it has ended: a row per discrete time, an event per
 * change.
 *
 * The history of a run is kept as changes, so rows are made by going forward from the start.
 */
#include "session/execution_log_impl.h"

#include "base/report.h"

enum { CHOICES_MAX = 16 }; /* derivatives reported as text */

/* ---- One execution ------------------------------------------------------------------------------ */

/* The derivative of every variable that has another one than 0, as "der(q) = -1, der(r) = 2". */
static const char *choice_text(sl_execution_log *t, const sl_sda_run *run, int64_t choice) {
    t->what.n = 0;
    sl_sink sink = sl_bytes_sink(&t->what);
    sl_status status = SL_OK;
    for (int32_t j = 0; j < t->n_q && status == SL_OK; j++) {
        int32_t d = sl_sda_run_derivative(run, choice, j);
        char number[32];
        int n = sl_format(number, sizeof number, ") = %d", (int)d);
        sl_str name = sl_sda_variable_name(sl_sha_discrete(t->a), j);
        if (d != 0) {
            status = sink.write(sink.user, t->what.n ? ", der(" : "der(", t->what.n ? 6 : 4);
            status = status == SL_OK ? sink.write(sink.user, name.ptr, name.len) : status;
            status = status == SL_OK ? sink.write(sink.user, number, (size_t)n) : status;
        }
    }
    const char *text = t->what.n == 0 ? "nothing changes" : NULL;
    text = text ? text : sl_arena_copy(&t->arena, (sl_str){t->what.at, (size_t)t->what.n});
    t->what.n = 0;
    t->status = t->status == SL_OK && (status != SL_OK || !text) ? SL_ERR_MEMORY : t->status;
    return text ? text : "";
}

/* The values at the start. */
static void restore_start_values(sl_execution_log *t, const sl_sda_run *run) {
    for (int32_t j = 0; j < t->n_q; j++) {
        t->q[j] = sl_sda_run_value(run, j);
    }
    for (int32_t i = sl_sda_run_time(run) - 1, n = 0; i >= 0; i--) {
        const sl_sda_change *changes = sl_sda_run_changes(run, i, &n);
        for (int32_t k = 0; k < n; k++) {
            t->q[changes[k].variable] = changes[k].from;
        }
    }
}

static sl_status report_step(sl_execution_log *t, const sl_sda_run *run, int32_t i) {
    int32_t n = 0;
    const sl_sda_change *changes = sl_sda_run_changes(run, i, &n);
    sl_status status = SL_OK;
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        sl_execution_log_name_transitions(t, changes[k].variable, i);
        status =
            sl_execution_log_add_event(t, i + 1, "transition", changes[k].variable, changes[k].from, changes[k].to);
    }
    for (int32_t k = 0; k < n; k++) {
        t->q[changes[k].variable] = changes[k].to;
    }
    return status;
}

static sl_status report_run(sl_execution_log *t, const sl_sda_run *run) {
    sl_sda_state state = sl_sda_run_state(run);
    const char *choices[CHOICES_MAX];
    restore_start_values(t, run);
    t->end.n_event = 0;
    sl_status status = sl_execution_log_add_event(t, 0.0, "init", -1, 0.0, 0.0);
    status = status == SL_OK ? sl_execution_log_add_row(t, 0.0) : status;
    for (int32_t i = 0; i < sl_sda_run_time(run) && status == SL_OK; i++) {
        status = report_step(t, run, i);
        status = status == SL_OK ? sl_execution_log_add_row(t, i + 1) : status;
    }
    status = status == SL_OK ? sl_execution_log_add_event(t, sl_sda_run_time(run), "stop", -1, 0.0, 0.0) : status;
    t->end.n_execution++;
    t->end.verdict = sl_sda_state_text(state);
    sl_sda_run_cycle(run, &t->end.cycle_first, &t->end.cycle_length);
    t->end.n_choice = state == SL_SDA_CHOICE ? sl_sda_run_n_choice(run) : 0;
    t->end.choices = choices;
    for (t->end.n_shown = 0; t->end.n_shown < t->end.n_choice && t->end.n_shown < CHOICES_MAX; t->end.n_shown++) {
        choices[t->end.n_shown] = choice_text(t, run, t->end.n_shown);
    }
    status = status == SL_OK ? t->status : status;
    status = status == SL_OK ? t->handler->ended(t->handler->user, &t->end) : status;
    t->end.choices = NULL;
    t->end.n_shown = 0;
    return status;
}

/* Whether an execution came to the end that it was meant to have. */
static bool ended_as_defined(const sl_execution_log *t, const sl_sda_run *run) {
    sl_sda_state state = sl_sda_run_state(run);
    return state == SL_SDA_CONVERGED || (state == SL_SDA_BOUND && t->def->steps >= 0);
}

/* ---- All of them -------------------------------------------------------------------------------- */

typedef struct exploration {
    sl_execution_log *t;
    sl_status status;
    bool failed; /* an execution did not end well */
} exploration;

static bool on_execution(void *user, const sl_sda_run *run) {
    exploration *e = user;
    const sl_execution_log_handler *handler = e->t->handler;
    e->status = handler->stopped && handler->stopped(handler->user) ? SL_ERR_CANCELLED : report_run(e->t, run);
    if (!ended_as_defined(e->t, run)) {
        e->failed = true;
        sl_sda_run_explain(run, e->t->diags);
    }
    return e->status == SL_OK;
}

static sl_status log_all_executions(sl_execution_log *t, const sl_sda_def *def) {
    sl_sda_explore_def all = sl_sda_explore_default();
    sl_sda_explored found;
    exploration e = {.t = t};
    all.run = *def;
    all.run.overdetermined_branches = t->def->relax;
    sl_status status = sl_sda_explore(sl_sha_discrete(t->a), t->q, &all, on_execution, &e, &found);
    status = e.status != SL_OK ? e.status : status;
    bool limited = !found.complete && !e.failed && t->def->steps < 0;
    if (status == SL_OK && (limited || found.n_execution >= all.max_executions || found.n_step >= all.most_steps)) {
        sl_report(t->diags, SL_WARNING, SL_CODE_NONDETERMINISTIC, NULL, "automaton", sl_automaton_name(t->m),
                  "begin from a state nearer to what you look for, or make guards narrower",
                  "has more executions than are followed: %lld of them with %lld steps were",
                  (long long)found.n_execution, (long long)found.n_step);
    }
    return status == SL_OK && e.failed ? SL_ERR_SOLVE : status;
}

static sl_status log_one_execution(sl_execution_log *t, const sl_sda_def *def) {
    const sl_execution_log_handler *handler = t->handler;
    sl_sda_run *run = NULL;
    sl_status status = sl_sda_run_create(sl_sha_discrete(t->a), t->q, def, &run);
    while (status == SL_OK && sl_sda_run_state(run) == SL_SDA_RUNNING) {
        status = handler->stopped && handler->stopped(handler->user) ? SL_ERR_CANCELLED : SL_OK;
        (void)sl_sda_run_step(run, 0);
    }
    if (status == SL_OK && sl_sda_run_state(run) == SL_SDA_FAILED) {
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        status = report_run(t, run);
        if (!ended_as_defined(t, run)) {
            sl_sda_run_explain(run, t->diags);
            status = status == SL_OK ? SL_ERR_SOLVE : status;
        }
    }
    sl_sda_run_destroy(run);
    return status;
}

sl_status sl_execution_log_discrete(sl_execution_log *t) {
    sl_sda_def def = *sl_sha_discrete_def(t->a);
    if (t->def->steps >= 0) {
        def.rule = SL_SDA_UNTIL_BOUND;
        def.most_steps = (int32_t)(t->def->steps < INT32_MAX ? t->def->steps : INT32_MAX);
    }
    return t->def->branches || t->def->relax ? log_all_executions(t, &def) : log_one_execution(t, &def);
}
