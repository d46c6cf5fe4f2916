/* SPDX-License-Identifier: MIT */
/* job.c: a model on its way through a run; see job.h. */
#include "cli/job.h"

#include <errno.h>

#include "cli/interrupt.h"

sl_job sl_job_default(sl_cli *cli) {
    return (sl_job){.cli = cli, .def = sl_eps_default(), .unit = -1, .messages.ctx = cli->ctx};
}

int sl_job_prepare(sl_job *j, const char *path) {
    sl_cli *cli = j->cli;
    int code = sl_input_open(cli, path, &j->input);
    j->input.no_map = j->no_map;
    code = code == SL_EXIT_FINE ? sl_input_read(cli, &j->input, false) : code;
    if (code != SL_EXIT_FINE) {
        return code;
    }
    sl_status status = SL_OK;
    j->net = j->input.net;
    if (j->unit >= 0) {
        status = sl_network_with_units(cli->ctx, j->net, (sl_flow_unit)j->unit, j->input.diags, &j->converted);
        j->net = j->converted;
    }
    if (status == SL_OK) {
        status = sl_model_from_network(cli->ctx, j->net, &j->def, j->input.diags, &j->model);
    }
    if (status == SL_OK) {
        status = sl_session_create(cli->ctx, j->model, j->input.diags, &j->session);
    }
    if (status == SL_OK) {
        status = sl_summary_init(&j->summary, cli->ctx, j->net);
    }
    return sl_exit_of(cli, status);
}

int sl_job_open_sinks(sl_job *j) {
    int32_t fields[SL_SUM_COUNT], n = 0;
    bool unseen = j->verbosity.quiet && !j->verbosity.json; /* then how it went is enough, for the exit code */
    for (int i = unseen ? SL_SUM_MODEL : 0; i < SL_SUM_COUNT; i++) {
        bool wanted = sl_summary_wants(j->net, (sl_summary_column)i);
        int32_t field = wanted ? sl_session_field(j->session, sl_summary_columns[i]) : -1;
        if (field >= 0) {
            fields[n++] = field;
        }
    }
    sl_result_sink sink = sl_summary_sink(&j->summary);
    sl_status status = sl_session_add_sink(j->session, &sink, fields, n);
    if (status != SL_OK) {
        return sl_exit_of(j->cli, status);
    }
    j->files.cli = j->cli;
    j->files.input = &j->input;
    j->files.net = j->net;
    j->files.diags = j->input.diags;
    return sl_run_files_open(&j->files, j->session);
}

static int64_t n_warning(const sl_job *j) {
    const sl_diags *said = j->session ? sl_session_diags(j->session) : NULL;
    return sl_diags_count(j->input.diags, SL_WARNING) + (said ? sl_diags_count(said, SL_WARNING) : 0) +
           (j->told ? sl_diags_count(j->told, SL_WARNING) : 0);
}

int sl_job_end(sl_job *j, sl_status status, bool keep) {
    if (j->cli->standard_output.error == EPIPE) { /* the reader of -o - has had enough: so have we */
        return SL_EXIT_FINE;
    }
    bool cancelled = status == SL_ERR_CANCELLED || sl_interrupt_signal();
    sl_status ended = sl_session_end_sinks(j->session, false); /* those that the session has not ended itself */
    int code = sl_exit_of(j->cli, cancelled ? SL_ERR_CANCELLED : status == SL_OK ? ended : status);
    /* Results of a failed simulation are worth having; what the disk or memory cut off is not. */
    keep = keep || code == SL_EXIT_FINE || code == SL_EXIT_SOLVE;
    int written = sl_run_files_close(&j->files, keep && !cancelled);
    code = written > code ? written : code;
    const sl_diags *lists[] = {sl_session_diags(j->session), j->told};
    status = sl_messages_gather(&j->messages, j->cli->ctx, lists, j->told ? 2 : 1);
    if (status != SL_OK) {
        return sl_exit_of(j->cli, status);
    }
    if (code == SL_EXIT_FINE && (j->summary.n_unbalanced > 0 || sl_messages_have(&j->messages, SL_CODE_NOT_BALANCED))) {
        code = SL_EXIT_SOLVE;
    }
    return code == SL_EXIT_FINE && j->verbosity.strict && n_warning(j) > 0 ? SL_EXIT_WARNINGS : code;
}

void sl_job_report(sl_job *j, int code) {
    bool errors_only = j->verbosity.quiet && !j->verbosity.strict;
    sl_show_diags(j->cli, j->input.diags, &(sl_show_options){.errors_only = errors_only});
    sl_messages_show(j->cli, &j->messages, errors_only);
    bool ran = j->session && j->summary.net && (code <= SL_EXIT_WARNINGS || code == SL_EXIT_SOLVE);
    if (ran && !j->verbosity.quiet && !j->verbosity.no_summary) {
        sl_summary_write_text(&j->summary, j->input.name, &j->cli->out);
    }
}

void sl_job_report_json(sl_job *j, int code, sl_json *json) {
    sl_json_key(json, "file");
    sl_json_z(json, j->input.name);
    sl_json_key(json, "exit_code");
    sl_json_int(json, code);
    if (j->summary.n_frame > 0) {
        sl_json_key(json, "engine");
        sl_json_z(json, sl_model_engine(j->model));
        sl_json_key(json, "summary");
        sl_summary_write_json(&j->summary, json);
    }
    sl_json_key(json, "messages");
    sl_messages_write_json(&j->messages, json);
}

void sl_job_close(sl_job *j) {
    sl_messages_fini(&j->messages);
    sl_session_destroy(j->session);
    (void)sl_run_files_close(&j->files, false); /* those that never ran */
    sl_summary_fini(&j->summary);
    sl_model_destroy(j->model);
    sl_network_destroy(j->converted);
    sl_diags_destroy(j->told);
    sl_input_close(&j->input);
}
