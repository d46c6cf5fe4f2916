/* SPDX-License-Identifier: MIT */
/* session_files.h: EPANET's files as sinks of a session: .out and the text report are written while it moves. The session owns what it
 * needs for them; files and networks outlive the session. */
#ifndef SL_RESULTS_SESSION_FILES_H
#define SL_RESULTS_SESSION_FILES_H

#include "results/out_write.h"
#include "results/summary.h"

/* Adds the summary to a session, before its first step. whole: all that a digest says; else how well the equations were met. */
sl_status sl_session_add_summary(sl_session *s, sl_summary *summary, bool whole);

/* def NULL: as the network is. diags gets what the writer says before the first step; NULL: the session's. */
sl_status sl_session_add_out(sl_session *s, const sl_out_writer_def *def, const sl_patch_sink *sink, sl_diags *diags);

typedef struct sl_report_file_def {
    const char *name;            /* of the input */
    const sl_diags *input_diags; /* what reading it gave; NULL: nothing */
    double service;              /* pressure that is asked for [m]; NaN: none is */
    double unserved;             /* share of the demand that may stay unserved [1]; NaN: the usual one */
} sl_report_file_def;

sl_status sl_session_add_rpt(sl_session *s, const sl_report_file_def *def, const sl_sink *sink);

#endif
