/* SPDX-License-Identifier: MIT */
/* surge_job.h: a surge study on its way through a command: its file, its network, its model. */
#ifndef SL_CLI_SURGE_JOB_H
#define SL_CLI_SURGE_JOB_H

#include <limits.h>

#include <sluice/plot.h>

#include "cli/input.h"
#include "cli/surge.h"
#include "cli/output.h"
#include "results/surge.h"
#include "surge/study.h"

typedef struct sl_surge_job {
    sl_cli *cli;
    const char *path;
    sl_input file;  /* of the study; no bytes when there is none */
    sl_input input; /* the network */
    char network[PATH_MAX];
    sl_network *converted; /* NULL: in the file's units */
    const sl_network *net; /* NULL until read */
    sl_study *study;
    sl_model *model;
} sl_surge_job;

/* Reads the study and its network; unit: sl_flow_unit of results, -1: the file's. Returns an exit code, as all below; what is
 * wrong is in the diagnostics of file and input. */
int sl_surge_job_read(sl_surge_job *j, int unit);
/* A study of an .inp file, by options. */
int sl_surge_job_from_options(sl_surge_job *j, const sl_command *command, const sl_surge_args *args);
int sl_surge_job_model(sl_surge_job *j);
void sl_surge_job_show(sl_surge_job *j, const sl_show_options *show);
int64_t sl_surge_job_count(const sl_surge_job *j, sl_severity severity);
void sl_surge_job_close(sl_surge_job *j);

/* ---- Files -------------------------------------------------------------------------------------- */

enum { SL_SURGE_FILES_MAX = 16 };

typedef struct sl_surge_file {
    const char *path; /* "-": standard output */
    const struct sl_surge_form *form;
} sl_surge_file;

typedef struct sl_surge_files {
    int n;
    sl_surge_file at[SL_SURGE_FILES_MAX];
    bool standard; /* one goes to standard output */
} sl_surge_files;

/* Notes a file, of the envelope or of all else. format: an ending that counts instead of the path's, or NULL. False: why. */
bool sl_surge_files_add(sl_surge_files *f, const char *path, const char *format, bool envelope, char *why, size_t size);
/* Can they be written? Better known before the run. Returns an exit code. */
int sl_surge_files_try(const sl_surge_files *f, sl_cli *cli);
/* Writes all; one that fails does not appear, and takes none of the others with it. route: of the envelopes; NULL: none. */
int sl_surge_files_write(const sl_surge_files *f, sl_cli *cli, const sl_surge_outcome *r, const sl_study_route *route,
                         sl_diags *diags);

/* Pictures (surge_pictures.c). */
sl_status sl_surge_picture_traces(const sl_surge_outcome *r, sl_plot_format format, sl_diags *diags,
                                  const sl_sink *sink);
sl_status sl_surge_picture_envelope(const sl_surge_outcome *r, const sl_study_route *route, sl_plot_format format,
                                    sl_diags *diags, const sl_sink *sink);

#endif
