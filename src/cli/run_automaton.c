/* SPDX-License-Identifier: MIT */
/* run_automaton.c: an automaton executed: values at report times as CSV (of a discrete automaton at every step), events as CSV,
 * and a summary (automaton_report.c). What was computed until a failure is written all the same.
 */
#include "cli/run_automaton.h"

#include <math.h>
#include <string.h>

#include "cli/automaton_job.h"
#include "cli/interrupt.h"
#include "cli/output.h"

/* ---- Rows and events ---------------------------------------------------------------------------- */

static void put_name(sl_out *out, const char *name) {
    bool quote = strpbrk(name, ",\" \n") != NULL;
    sl_out_z(out, quote ? "\"" : "");
    for (const char *c = name; *c; c++) {
        sl_out_z(out, *c == '"' ? "\"" : "");
        sl_out_char(out, *c);
    }
    sl_out_z(out, quote ? "\"" : "");
}

/* Several executions are numbered. */
static bool is_numbered(const sl_automaton_job *j) {
    return j->columns.discrete && (j->run->args.branches || j->run->args.relax);
}

static void put_time(const sl_automaton_job *j, sl_out *out, double t) {
    if (is_numbered(j)) {
        sl_out_int(out, j->executions.n + 1);
        sl_out_char(out, ',');
    }
    sl_out_number(out, t);
}

/* Options that this kind of automaton has no use for. */
static bool is_misused(const sl_automaton_job *j, bool discrete) {
    const sl_run_automaton_args *args = &j->run->args;
    if (!discrete && (args->steps >= 0 || args->branches || args->relax)) {
        sl_cli_message(
            j->cli, "--steps, --branches and --relax are for discrete automata; %s moves in time: --duration ends it",
            j->input.name);
        return true;
    }
    if (discrete && (!isnan(j->run->duration) || args->at_events)) {
        sl_cli_message(
            j->cli,
            "--duration and --at-events are for automata that move in time; %s makes steps: --steps counts them",
            j->input.name);
        return true;
    }
    return false;
}

static sl_status begin(void *user, const sl_execution_log_columns *columns) {
    sl_automaton_job *j = user;
    size_t n = (size_t)columns->n;
    if (is_misused(j, columns->discrete)) {
        return SL_ERR_UNSUPPORTED;
    }
    j->columns = *columns;
    const char **names = sl_arena_alloc(&j->arena, n * sizeof *names);
    j->columns.names = names;
    j->ranges = sl_arena_alloc(&j->arena, n * sizeof *j->ranges);
    for (size_t k = 0; k < n && names; k++) {
        names[k] = sl_arena_copy(&j->arena, sl_str_z(columns->names[k]));
        if (!names[k]) {
            return SL_ERR_MEMORY;
        }
    }
    const char *time = columns->discrete ? "t" : "time", *number = is_numbered(j) ? "execution," : "";
    if (j->rows) {
        sl_out_z(j->rows, number);
        sl_out_z(j->rows, time);
        for (size_t k = 0; k < n && names; k++) {
            sl_out_char(j->rows, ',');
            put_name(j->rows, names[k]);
        }
        sl_out_char(j->rows, '\n');
    }
    if (j->event_out) {
        sl_out_z(j->event_out, number);
        sl_out_z(j->event_out, time);
        sl_out_z(j->event_out, ",kind,what,variable,from,to\n");
    }
    return names && j->ranges ? SL_OK : SL_ERR_MEMORY;
}

static sl_status row(void *user, double t, const double *values) {
    sl_automaton_job *j = user;
    if (j->rows) {
        put_time(j, j->rows, t);
        for (int32_t k = 0; k < j->columns.n; k++) {
            sl_out_char(j->rows, ',');
            sl_out_number(j->rows, values[k]);
        }
        sl_out_char(j->rows, '\n');
    }
    sl_status status = sl_automaton_note_row(j, t, values);
    return j->rows && j->rows->status != SL_OK ? j->rows->status : status;
}

static void point(void *user, const double *values) {
    sl_automaton_note_point(user, values);
}

static sl_status event(void *user, const sl_execution_log_event *e) {
    sl_automaton_job *j = user;
    sl_out *out = j->event_out;
    put_time(j, out, e->t);
    sl_out_char(out, ',');
    sl_out_z(out, e->kind);
    sl_out_char(out, ',');
    put_name(out, e->what);
    sl_out_char(out, ',');
    if (e->variable) {
        put_name(out, e->variable);
        sl_out_char(out, ',');
        sl_out_number(out, e->from);
        sl_out_char(out, ',');
        sl_out_number(out, e->to);
    } else {
        sl_out_z(out, ",,");
    }
    sl_out_char(out, '\n');
    return out->status;
}

static sl_status ended(void *user, const sl_execution_log_end *end) {
    return sl_automaton_note_end(user, end);
}

static bool stopped(void *user) {
    (void)user;
    return sl_interrupt_signal() != 0;
}

/* ---- The run ------------------------------------------------------------------------------------ */

static sl_out *new_out(sl_automaton_job *j, const sl_sink *sink) {
    sl_out *out = sl_arena_alloc(&j->arena, sizeof *out);
    if (out) {
        sl_out_init(out, sink);
    }
    return out;
}

/* Failures of the execution are kept for the caller: what there is, is written. sink may be NULL. */
static sl_status make(sl_cli *cli, void *user, const sl_sink *sink) {
    sl_automaton_job *j = user;
    const sl_run_automaton_args *args = &j->run->args;
    sl_sink events = sl_bytes_sink(&j->events), text = sl_bytes_sink(&j->text);
    j->rows = sink ? new_out(j, sink) : NULL;
    j->event_out = args->events ? new_out(j, &events) : NULL;
    j->text_out = new_out(j, &text);
    if ((sink && !j->rows) || (args->events && !j->event_out) || !j->text_out) {
        return SL_ERR_MEMORY;
    }
    const sl_execution_log_def def = {.duration = j->run->duration,
                                      .at_events = args->at_events,
                                      .steps = args->steps,
                                      .branches = args->branches,
                                      .relax = args->relax};
    const sl_execution_log_handler watch = {.user = j,
                                            .begin = begin,
                                            .row = row,
                                            .point = point,
                                            .event = args->events ? event : NULL,
                                            .ended = ended,
                                            .stopped = stopped};
    j->status = sl_execution_log_run(cli->ctx, j->input.bytes.at, (size_t)j->input.bytes.n, j->input.name, &def, &watch,
                                     j->input.diags);
    sl_status status = j->rows ? sl_out_flush(j->rows) : SL_OK;
    sl_status other = j->event_out ? sl_out_flush(j->event_out) : SL_OK;
    bool kept = j->status == SL_ERR_SOLVE && status == SL_OK;
    return kept ? other : j->status != SL_OK ? j->status : status != SL_OK ? status : other;
}

static sl_status make_events(sl_cli *cli, void *user, const sl_sink *sink) {
    const sl_automaton_job *j = user;
    (void)cli;
    return sink->write(sink->user, j->events.at, (size_t)j->events.n);
}

/* Files in their order; the exit code of the first that fails, or of the execution. */
static int execute(sl_automaton_job *j) {
    sl_cli *cli = j->cli;
    const sl_automaton_run *run = j->run;
    int code = run->output ? sl_output_make(cli, run->output, make, j) : sl_exit_of(cli, make(cli, j, NULL));
    if (code == SL_EXIT_FINE && run->args.events) {
        code = sl_output_make(cli, run->args.events, make_events, j);
    }
    return code == SL_EXIT_FINE && j->status != SL_OK ? sl_exit_of(cli, j->status) : code;
}

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

int sl_run_automaton(sl_cli *cli, const char *path, const sl_automaton_run *run) {
    sl_automaton_job j = {.cli = cli, .run = run};
    sl_arena_init(&j.arena, cli->ctx);
    sl_bytes_init(&j.events, cli->ctx);
    sl_bytes_init(&j.text, cli->ctx);
    int code = sl_input_open(cli, path, &j.input);
    code = code == SL_EXIT_FINE ? execute(&j) : code;
    if (code == SL_EXIT_FINE && run->strict && sl_diags_count(j.input.diags, SL_WARNING) > 0) {
        code = SL_EXIT_WARNINGS;
    }
    bool standard = is_standard(run->output) || is_standard(run->args.events);
    if (j.ranges && run->json && !standard) {
        code = sl_automaton_job_report_json(&j, code);
    } else if (code < SL_EXIT_SIGNAL) {
        if (j.n_shown > 0 && !run->quiet && !standard) {
            sl_automaton_job_report(&j);
        }
        sl_cli_flush(cli);
        if (j.input.diags) {
            sl_show_diags(cli, j.input.diags, &(sl_show_options){.errors_only = run->quiet && !run->strict});
        }
    }
    SL_ARRAY_FINI(cli->ctx, &j.executions);
    sl_bytes_fini(&j.text);
    sl_bytes_fini(&j.events);
    sl_arena_fini(&j.arena);
    sl_input_close(&j.input);
    return code;
}
