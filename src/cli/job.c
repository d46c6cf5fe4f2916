/* SPDX-License-Identifier: MIT */
/* job.c: a model on its way through a run; see job.h. */
#include "cli/job.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "cli/interrupt.h"

sl_job sl_job_default(sl_cli *cli, const sl_command *command, const sl_kind_args *kinds) {
    return (sl_job){.cli = cli,
                    .command = command,
                    .kinds = kinds,
                    .duration = (double)NAN,
                    .results.select.csv = -1,
                    .files.cli = cli,
                    .messages.ctx = cli->ctx};
}

/* ---- Before the run ----------------------------------------------------------------------------- */

int sl_job_open(sl_job *j, const char *path, const char *asked) {
    int code = sl_input_open(j->cli, path, &j->input);
    code = code == SL_EXIT_FINE ? sl_input_recognise(j->cli, &j->input, asked, &j->kind) : code;
    if (code == SL_EXIT_FINE) {
        j->ops = j->kind->report ? j->kind->report : &sl_values_report;
        j->load_args = sl_kind_args_of(j->kinds, j->kind, SL_OPTIONS_OF_LOAD);
        j->report_args = sl_kind_args_of(j->kinds, j->kind, SL_OPTIONS_OF_REPORT);
        code = sl_kind_args_fit(j->cli, j->command, j->kinds, j->kind, j->input.name);
    }
    return code;
}

int sl_job_add_file(sl_job *j, const char *path, const char *option, const char *ending) {
    char why[SL_REFUSAL_MAX];
    if (strcmp(path, "-") != 0 && strcmp(j->input.path, "-") != 0 && sl_run_same_file(path, j->input.path)) {
        return sl_args_wrong(j->cli, j->command, "%s is the model itself: results need another name", path);
    }
    return sl_run_files_add(&j->files, j->kind, path, option, ending, why, sizeof why)
               ? SL_EXIT_FINE
               : sl_args_wrong(j->cli, j->command, "%s", why);
}

/* The files that an option of the report names: one, or several. */
static int add_files_of(sl_job *j, const sl_option *o) {
    const char *at = (const char *)j->report_args + o->offset;
    if (o->kind == SL_OPTION_TEXT) {
        const char *path;
        memcpy(&path, at, sizeof path);
        return path ? sl_job_add_file(j, path, o->name, NULL) : SL_EXIT_FINE;
    }
    const sl_texts *texts = (const sl_texts *)(const void *)at;
    int code = SL_EXIT_FINE;
    for (int i = 0; i < texts->n && code == SL_EXIT_FINE; i++) {
        code = sl_job_add_file(j, texts->at[i], o->name, NULL);
    }
    return code;
}

static int check_files(sl_job *j) {
    char why[SL_REFUSAL_MAX];
    const char *twice = sl_run_files_twice(&j->files);
    if (twice) {
        return sl_args_wrong(j->cli, j->command, "%s is given twice: each file needs a name of its own", twice);
    }
    if (!sl_report_fits(&j->results.select, j->files.target, j->files.n, why)) {
        return sl_args_wrong(j->cli, j->command, "%s", why);
    }
    for (int i = 0; i < j->files.n && j->verbosity.json; i++) {
        const sl_report_target *t = &j->files.target[i];
        if (strcmp(t->path, "-") == 0) {
            return sl_args_wrong(j->cli, j->command, "%s%s - and --json both want standard output",
                                 t->format->option ? "--" : "-", t->format->option ? t->format->option : "o");
        }
    }
    return SL_EXIT_FINE;
}

int sl_job_settle(sl_job *j) {
    int code = j->results.events ? sl_job_add_file(j, j->results.events, "events", NULL) : SL_EXIT_FINE;
    code = code == SL_EXIT_FINE && j->results.report ? sl_job_add_file(j, j->results.report, "report", NULL) : code;
    j->duration = j->asked_duration.is_given ? j->asked_duration.value : j->duration;
    for (int i = 0; j->ops->file_options && j->ops->file_options[i] && code == SL_EXIT_FINE; i++) {
        code = add_files_of(j, sl_option_find(&j->ops->options, sl_str_z(j->ops->file_options[i])));
    }
    return code == SL_EXIT_FINE ? check_files(j) : code;
}

/* The files that the model itself asks for. */
static int add_files_of_model(sl_job *j) {
    const char *option = NULL;
    int code = SL_EXIT_FINE;
    for (int32_t i = 0; j->ops->file && code == SL_EXIT_FINE; i++) {
        const char *path = j->ops->file(j->model, i, &option);
        if (!path) {
            return i > 0 ? check_files(j) : SL_EXIT_FINE;
        }
        code = sl_job_add_file(j, path, option, NULL);
    }
    return code;
}

static int create_report(sl_job *j) {
    char why[SL_REFUSAL_MAX] = "";
    const sl_report_def def = {.ctx = j->cli->ctx,
                               .name = j->input.name,
                               .model = j->model,
                               .session = j->session,
                               .args = j->report_args,
                               .results_args = &j->results.select,
                               .at_events = j->results.at_events,
                               .load_diags = j->input.diags,
                               .targets = j->files.target,
                               .n_target = j->files.n,
                               .summary = !j->verbosity.quiet || j->verbosity.json,
                               .several = j->branches};
    sl_status status = sl_run_report_create(j->kind, &def, j->input.diags, why, &j->report);
    return why[0] ? sl_args_wrong(j->cli, j->command, "%s", why) : sl_exit_of(j->cli, status);
}

/* A model that moves in time needs an end; one that makes steps may come to rest, and a partner may end a coupling. */
static int check_end(sl_job *j) {
    if (j->is_coupled || isfinite(sl_session_end(j->session)) || strcmp(sl_session_time_unit(j->session), "s") != 0) {
        return SL_EXIT_FINE;
    }
    sl_text_location place = {.file = j->input.name};
    sl_report(j->input.diags, SL_ERROR, SL_CODE_MISSING_VALUE, &place, NULL, NULL,
              "write it into the file, or --duration TIME", "does not say how long it runs");
    return SL_EXIT_INPUT;
}

int sl_job_prepare(sl_job *j) {
    sl_cli *cli = j->cli;
    sl_load load = sl_input_load_def(cli, &j->input, j->load_args);
    load.duration = j->duration;
    if (j->kind->sets_reports && j->results.select.every.is_given && !j->results.select.every.counts_steps) {
        load.every = j->results.select.every.value;
        j->results.select.every.is_given = !(load.every > 0.0); /* what is wrong with it is said later */
    }
    load.step = j->step;
    /* Half of many a file is map (ky8: 47 %), and mistakes there change no result. Some files have coordinates. */
    load.no_map = !j->verbosity.strict && !sl_run_files_have_map(&j->files);
    int code = sl_job_bound_duration(j, &load);
    code = code == SL_EXIT_FINE ? sl_load_exit(cli, sl_kind_load(j->kind, &load, &j->model)) : code;
    sl_bytes_fini(&j->input.bytes); /* the model has copies of what it needs */
    code = code == SL_EXIT_FINE ? add_files_of_model(j) : code;
    if (code != SL_EXIT_FINE) {
        return code;
    }
    j->branches = !j->is_coupled && j->kind->branches && j->kind->branches(j->load_args);
    code = sl_exit_of(cli, sl_session_create(cli->ctx, j->model, j->input.diags, &j->session));
    code = code == SL_EXIT_FINE ? sl_job_check_times(j) : code;
    code = code == SL_EXIT_FINE ? check_end(j) : code;
    code = code == SL_EXIT_FINE ? sl_run_files_open(&j->files) : code;
    return code == SL_EXIT_FINE ? create_report(j) : code;
}

/* ---- The run ------------------------------------------------------------------------------------ */

static void stop_session(void *session) {
    sl_session_stop(session);
}

/* A model without an end may find one on the way. */
static sl_status advance(sl_session *s) {
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_status status = SL_OK;
    uint32_t flags = isinf(sl_session_end(s)) ? SL_STOP_AT_EVENT : 0;
    sl_interrupt_call(stop_session, s);
    while (status == SL_OK && step.reason == SL_REASON_EVENT) {
        status = sl_interrupt_signal() ? SL_ERR_CANCELLED : sl_session_advance(s, (double)INFINITY, flags, &step);
    }
    sl_interrupt_call(NULL, NULL);
    return sl_interrupt_signal() ? SL_ERR_CANCELLED : status;
}

/* One of several executions. What its session said goes to the messages of all. */
static sl_status run_execution(void *job, const sl_model *execution) {
    sl_job *j = job;
    sl_session *s = NULL;
    sl_status status = sl_session_create(j->cli->ctx, execution, j->input.diags, &s);
    status = status == SL_OK ? sl_run_report_follow(j->report, s) : status;
    if (status == SL_OK) {
        status = advance(s);
        sl_status left = sl_run_report_leave(j->report, status == SL_OK, j->input.diags);
        status = status == SL_OK || status == SL_ERR_SOLVE ? (left == SL_OK ? status : left) : status;
        sl_diags_add_all(j->input.diags, sl_session_diags(s));
    }
    sl_session_destroy(s);
    return status;
}

sl_status sl_job_simulate(sl_job *j) {
    sl_status status = j->branches ? j->kind->explore(j->model, run_execution, j, j->input.diags) : advance(j->session);
    sl_bar_clear(&j->cli->bar);
    return status;
}

/* ---- After the run ------------------------------------------------------------------------------ */

static int64_t n_warning(const sl_job *j) {
    const sl_diags *said = j->session ? sl_session_diags(j->session) : NULL;
    return sl_diags_count(j->input.diags, SL_WARNING) + (said ? sl_diags_count(said, SL_WARNING) : 0) +
           (j->extra_diags ? sl_diags_count(j->extra_diags, SL_WARNING) : 0);
}

static sl_status gather_messages(sl_job *j) {
    const sl_diags *lists[2];
    int n = 0;
    if (j->session) {
        lists[n++] = sl_session_diags(j->session);
    }
    if (j->extra_diags) {
        lists[n++] = j->extra_diags;
    }
    return sl_messages_gather(&j->messages, j->cli->ctx, lists, n);
}

static int verdict_code(const sl_job *j) {
    static const int codes[] = {[SL_VERDICT_FINE] = SL_EXIT_FINE,
                                [SL_VERDICT_LIMIT] = SL_EXIT_WARNINGS,
                                [SL_VERDICT_NOT_BALANCED] = SL_EXIT_SOLVE};
    return codes[sl_run_report_judge(j->report)];
}

int sl_job_end(sl_job *j, sl_status status, bool keep) {
    if (j->cli->standard_output.error == EPIPE) { /* the reader of -o - has had enough: so have we */
        return SL_EXIT_FINE;
    }
    bool late = sl_interrupt_hear_time_limit(); /* what there is so far counts */
    status = late && status == SL_OK ? SL_ERR_CANCELLED : status;
    bool cancelled = (status == SL_ERR_CANCELLED && !late) || sl_interrupt_signal();
    /* Sinks that the session has not ended itself. */
    sl_status ended = j->session ? sl_session_end_sinks(j->session, false) : SL_OK;
    int code = sl_exit_of(j->cli, cancelled || late ? SL_ERR_CANCELLED : status == SL_OK ? ended : status);
    /* Results of a failed simulation are worth having; what the disk or memory cut off is not. */
    keep = (keep || code == SL_EXIT_FINE || code == SL_EXIT_SOLVE) && !cancelled;
    if (keep) {
        int finished = sl_exit_of(j->cli, sl_run_report_finish(j->report, status == SL_OK, j->input.diags));
        j->is_finished = finished == SL_EXIT_FINE;
        code = finished > code ? finished : code;
    }
    int written = sl_run_files_close(&j->files, keep);
    code = written > code ? written : code;
    status = gather_messages(j);
    if (status != SL_OK) {
        return sl_exit_of(j->cli, status);
    }
    code = code == SL_EXIT_FINE ? verdict_code(j) : code;
    return code == SL_EXIT_FINE && j->verbosity.strict && n_warning(j) > 0 ? SL_EXIT_WARNINGS : code;
}

void sl_job_report(sl_job *j, int code) {
    bool errors_only = j->verbosity.quiet && !j->verbosity.strict;
    sl_show_diags(j->cli, j->input.diags, &(sl_show_options){.errors_only = errors_only});
    sl_messages_show(j->cli, &j->messages, errors_only);
    bool ran = j->is_finished && (code <= SL_EXIT_WARNINGS || code == SL_EXIT_SOLVE);
    if (ran && !j->verbosity.quiet && !sl_run_files_take_standard_output(&j->files)) {
        sl_run_report_write_text(j->report, &j->cli->out);
    }
}

void sl_job_report_json(sl_job *j, int code, sl_json *json) {
    sl_json_member_z(json, "file", j->input.name);
    sl_json_member_int(json, "exit_code", code);
    if (j->is_finished) {
        sl_run_report_write_json(j->report, json);
    }
    sl_json_key(json, "messages");
    sl_messages_write_json(&j->messages, json);
}

void sl_job_close(sl_job *j) {
    sl_messages_fini(&j->messages);
    if (j->session) {
        (void)sl_session_end_sinks(j->session, false); /* of a run that never began: they are in the report */
    }
    sl_run_report_destroy(j->report); /* its recorder is a sink of the session */
    sl_session_destroy(j->session);
    (void)sl_run_files_close(&j->files, false); /* those that never ran */
    sl_model_destroy(j->model);
    sl_diags_destroy(j->extra_diags);
    sl_input_close(&j->input);
}
