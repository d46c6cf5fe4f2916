/* SPDX-License-Identifier: MIT */
/* job.h: a model of any kind on its way through a run: what `sluice run` and `sluice cosim` have in common.
 *
 *     sl_job_open      reads the file and recognises its kind
 *     sl_job_settle    are the options and files those of this kind?
 *     sl_job_prepare   loads the model, makes a session, opens the files, makes the report of the kind
 *     ...              the session moves to its end
 *     sl_job_end       what was computed is written, whatever happened
 *     sl_job_report    messages and summary
 */
#ifndef SL_CLI_JOB_H
#define SL_CLI_JOB_H

#include "cli/args.h"
#include "cli/input.h"
#include "cli/run_files.h"
#include "cli/run_messages.h"

/* How much is reported. */
typedef struct sl_job_verbosity {
    bool strict, quiet, json;
} sl_job_verbosity;

/* What results hold: options that all kinds have. */
typedef struct sl_job_results {
    sl_results_args select;
    const char *events; /* file; NULL: none */
    const char *report; /* file; NULL: none */
    bool at_events;
} sl_job_results;

typedef struct sl_job {
    sl_cli *cli;
    const sl_command *command;
    sl_job_verbosity verbosity;
    sl_job_results results;
    const sl_kind_args *kinds;     /* options of all kinds */
    sl_option_time asked_duration; /* --duration */
    double duration;               /* in the model's unit of time; NaN: the model's own */
    double step;                   /* of a model that counts steps: the length of one [s]; 0: duration counts them */
    sl_input input;
    const sl_kind *kind;
    const sl_report_ops *ops;
    void *load_args, *report_args;
    sl_run_files files;
    sl_model *model;
    sl_session *session;
    sl_run_report *report;
    bool is_coupled;       /* a partner may end it, and it has one execution */
    bool branches;         /* all executions, each in a session of its own: job.session makes no step */
    bool is_finished;      /* the report: there is something to tell */
    sl_diags *extra_diags; /* diagnostics beside those of the session, or NULL; owned */
    sl_messages messages;
} sl_job;

/* A job with the defaults. */
sl_job sl_job_default(sl_cli *cli, const sl_command *command, const sl_kind_args *kinds);
/* asked: the kind that the file is to be loaded as; NULL: by its content. Each returns an exit code; what is wrong is in a message, or in the
 * diagnostics of the input. */
int sl_job_open(sl_job *j, const char *path, const char *asked);
/* Notes a file: option as in sl_run_files_add. */
int sl_job_add_file(sl_job *j, const char *path, const char *option, const char *ending);
/* After the files of -o: those of the kind's own options; do all fit together? */
int sl_job_settle(sl_job *j);
int sl_job_prepare(sl_job *j);
/* Is the duration that was asked for within the bound of this model, of which load is the load? Are it and the times of results in
 * the model's unit of time? */
int sl_job_bound_duration(sl_job *j, const sl_load *load);
int sl_job_check_times(sl_job *j);
/* To the end of the model. */
sl_status sl_job_simulate(sl_job *j);
/* After the simulation: writes all there is, gathers the messages; status: how it ended; keep: results are worth having even so
 * (those of a failed simulation always are). Gives the exit code of the run. */
int sl_job_end(sl_job *j, sl_status status, bool keep);
/* Messages and summary as text; or the members of an open JSON object, but for "diagnostics". */
void sl_job_report(sl_job *j, int code);
void sl_job_report_json(sl_job *j, int code, sl_json *json);
void sl_job_close(sl_job *j);

#endif
