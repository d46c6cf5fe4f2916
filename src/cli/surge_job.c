/* SPDX-License-Identifier: MIT */
/* surge_job.c: a surge study and its network, read; see surge_job.h. */
#include "cli/surge_job.h"

#include <stdio.h>
#include <string.h>

/* ---- Reading ------------------------------------------------------------------------------------ */

static int read_network(sl_surge_job *j, const char *path, int unit) {
    int code = sl_input_open(j->cli, path, &j->input);
    code = code == SL_EXIT_FINE ? sl_input_read(j->cli, &j->input, false) : code;
    if (code != SL_EXIT_FINE) {
        return code;
    }
    j->net = j->input.net;
    if (unit >= 0) {
        sl_status status =
            sl_network_with_units(j->cli->ctx, j->net, (sl_flow_unit)unit, j->input.diags, &j->converted);
        j->net = j->converted;
        return sl_exit_of(j->cli, status);
    }
    return SL_EXIT_FINE;
}

/* The network's path: from where the study is. */
static bool find_network(sl_surge_job *j) {
    const char *slash = strrchr(j->path, '/'), *network = j->study->network;
    bool from_there = slash && network[0] != '/';
    int n = snprintf(j->network, sizeof j->network, "%.*s%s", from_there ? (int)(slash - j->path) + 1 : 0, j->path,
                     network);
    return n >= 0 && n < (int)sizeof j->network;
}

int sl_surge_job_read(sl_surge_job *j, int unit) {
    sl_context *ctx = j->cli->ctx;
    int code = sl_input_open(j->cli, j->path, &j->file);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    const char *bytes = j->file.bytes.at;
    size_t n = (size_t)j->file.bytes.n;
    sl_status status = sl_study_open(ctx, bytes, n, j->file.name, j->file.diags, &j->study);
    if (status == SL_ERR_INPUT && !sl_study_is(ctx, bytes, n)) {
        sl_cli_message(
            j->cli,
            "%s is no study, which has `study:`, and no automaton, which has `automaton:`; `sluice cosim` runs "
            "files with `cosim:`",
            j->path);
    }
    if (status != SL_OK) {
        return sl_exit_of(j->cli, status);
    }
    if (!find_network(j)) {
        sl_cli_message(j->cli, "the path of the network is too long: %s", j->study->network);
        return SL_EXIT_INPUT;
    }
    code = read_network(j, j->network, unit);
    if (code >= SL_EXIT_SIGNAL) {
        return code;
    }
    int bound = sl_exit_of(j->cli, sl_study_bind(j->study, j->net)); /* all that can be said about the study too */
    return code != SL_EXIT_FINE ? code : bound;
}

/* ---- By options --------------------------------------------------------------------------------- */

static int add_events(sl_surge_job *j, const sl_command *command, const char *verb, const sl_texts *texts) {
    char why[256];
    for (int i = 0; i < texts->n; i++) {
        sl_status status = sl_study_add_event(j->study, verb, texts->at[i], why, sizeof why);
        if (status == SL_ERR_INPUT) {
            return sl_args_wrong(j->cli, command, "--%s: %s", verb, why);
        }
        if (status != SL_OK) {
            return sl_exit_of(j->cli, status);
        }
    }
    return SL_EXIT_FINE;
}

int sl_surge_job_from_options(sl_surge_job *j, const sl_command *command, const sl_surge_args *args) {
    int code = read_network(j, j->path, args->unit);
    code = code == SL_EXIT_FINE ? sl_exit_of(j->cli, sl_study_create(j->cli->ctx, j->net, &j->study)) : code;
    const struct {
        const char *verb;
        const sl_texts *texts;
    } events[] = {{"close", &args->close}, {"open", &args->open}, {"trip", &args->trip}};
    for (size_t i = 0; i < sizeof events / sizeof *events && code == SL_EXIT_FINE; i++) {
        code = add_events(j, command, events[i].verb, events[i].texts);
    }
    return code;
}

int sl_surge_job_model(sl_surge_job *j) {
    return sl_exit_of(j->cli, sl_model_from_surge(j->cli->ctx, j->net, &j->study->def, j->input.diags, &j->model));
}

/* ---- The rest ----------------------------------------------------------------------------------- */

void sl_surge_job_show(sl_surge_job *j, const sl_show_options *show) {
    if (j->file.diags) {
        sl_show_diags(j->cli, j->file.diags, show);
    }
    if (j->input.diags) {
        sl_show_diags(j->cli, j->input.diags, show);
    }
}

int64_t sl_surge_job_count(const sl_surge_job *j, sl_severity severity) {
    return (j->file.diags ? sl_diags_count(j->file.diags, severity) : 0) +
           (j->input.diags ? sl_diags_count(j->input.diags, severity) : 0);
}

void sl_surge_job_close(sl_surge_job *j) {
    sl_model_destroy(j->model);
    sl_study_destroy(j->study);
    sl_network_destroy(j->converted);
    if (j->input.diags) {
        sl_input_close(&j->input);
    }
    if (j->file.diags) {
        sl_input_close(&j->file);
    }
}
