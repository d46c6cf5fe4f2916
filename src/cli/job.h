/* SPDX-License-Identifier: MIT */
/* job.h: a model on its way through a run: what `sluice run` and `sluice cosim` have in common.
 *
 * The model goes through a session; the summary and each file are sinks of its results, so that memory does not grow
 * with the duration. Whatever happens after the start, what was computed until then is written.
 */
#ifndef SL_CLI_JOB_H
#define SL_CLI_JOB_H

#include "cli/input.h"
#include "cli/run_files.h"
#include "cli/run_messages.h"
#include "results/summary.h"

/* How much is reported. */
typedef struct sl_job_verbosity {
    bool strict, quiet, json;
    bool no_summary; /* standard output is taken by something else */
} sl_job_verbosity;

typedef struct sl_job {
    sl_cli *cli;
    sl_job_verbosity verbosity;
    sl_eps_def def;
    int unit; /* sl_flow_unit of results; -1: the file's */
    bool no_map;
    sl_input input;
    sl_network *converted; /* NULL: in the file's units */
    const sl_network *net;
    sl_model *model;
    sl_session *session;
    sl_summary summary;
    sl_run_files files;
    sl_diags *told; /* said beside the session, or NULL; owned */
    sl_messages messages;
} sl_job;

/* A job with the defaults. */
sl_job sl_job_default(sl_cli *cli);
/* Reads the model and makes a session of it. Returns an exit code, as all below. */
int sl_job_prepare(sl_job *j, const char *path);
/* Opens the summary and the files that were added to j->files. */
int sl_job_open_sinks(sl_job *j);
/* After the simulation: writes all there is, gathers the messages; status: how it ended; keep: results are worth having even so
 * (those of a failed simulation always are). Gives the exit code of the run. */
int sl_job_end(sl_job *j, sl_status status, bool keep);
/* Messages and summary as text; or the members of an open JSON object, but for "diagnostics". */
void sl_job_report(sl_job *j, int code);
void sl_job_report_json(sl_job *j, int code, sl_json *json);
void sl_job_close(sl_job *j);

#endif
