/* SPDX-License-Identifier: MIT */
/* automaton_job.h: a run of an automaton: between run_automaton.c (files) and automaton_report.c (what is reported). */
#ifndef SL_CLI_AUTOMATON_JOB_H
#define SL_CLI_AUTOMATON_JOB_H

#include "base/memory.h"
#include "cli/input.h"
#include "cli/run_automaton.h"
#include "session/execution_log.h"

typedef struct sl_automaton_range {
    double min, max, last;
} sl_automaton_range;

/* An execution of a discrete automaton, for the summary. */
typedef struct sl_automaton_execution {
    sl_execution_log_end end; /* choices are copied */
    int64_t first, n_text;    /* its rows in the text */
    double *last;             /* [n] values at the end */
} sl_automaton_execution;

typedef struct sl_automaton_job {
    sl_cli *cli;
    const sl_automaton_run *run;
    sl_input input;
    sl_arena arena;
    sl_execution_log_columns columns; /* names are copied */
    sl_automaton_range *ranges;
    bool has_ranges; /* something is in them */
    int64_t n_row;   /* of the execution at hand */
    int64_t n_shown; /* executions */
    sl_out *rows;    /* of the file of results; NULL: none */
    sl_bytes events; /* the file of events */
    sl_out *event_out;
    sl_bytes text;    /* rows of discrete executions, for people */
    sl_out *text_out; /* into it */
    int64_t n_told;   /* of its bytes, those of executions that have ended */
    SL_ARRAY(sl_automaton_execution) executions;
    sl_execution_log_end end; /* of the last one */
    sl_status status;         /* of the execution; files are written whatever it is */
} sl_automaton_job;

/* Takes values, a row or the end of an execution into the summary. */
void sl_automaton_note_point(sl_automaton_job *j, const double *values);
sl_status sl_automaton_note_row(sl_automaton_job *j, double t, const double *values);
sl_status sl_automaton_note_end(sl_automaton_job *j, const sl_execution_log_end *end);

/* The summary on standard output: text, or JSON with the messages. */
void sl_automaton_job_report(sl_automaton_job *j);
int sl_automaton_job_report_json(sl_automaton_job *j, int code);

#endif
