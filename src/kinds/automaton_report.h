/* SPDX-License-Identifier: MIT */
/* automaton_report.h: what commands show of an automaton beyond what every session has. */
#ifndef SL_KINDS_AUTOMATON_REPORT_H
#define SL_KINDS_AUTOMATON_REPORT_H

#include "base/memory.h"
#include "kinds/kind.h"
#include "session/execution_log.h"

extern const sl_report_ops sl_automaton_driver;
extern const sl_plot_ops sl_automaton_plot;

bool sl_automaton_fits(const sl_report_def *def, char why[SL_REFUSAL_MAX]);
sl_status sl_automaton_ending(const sl_model *model, sl_session *session, sl_arena *arena, sl_ending *out);

sl_status sl_automaton_source_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_automaton_source_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);

/* ---- Between automaton_report.c (files) and automaton_summary.c --------------------------------- */

typedef struct sl_automaton_range {
    double min, max, last;
} sl_automaton_range;

/* An execution, for the summary. */
typedef struct sl_automaton_execution {
    sl_execution_log_end end; /* choices are copied */
    int64_t first, n_text;    /* its rows in the text */
    double *last;             /* [n] values at the end */
} sl_automaton_execution;

typedef struct sl_automaton_report {
    sl_report_def def;
    bool several; /* executions, which are numbered */
    sl_arena arena;
    sl_execution_log_columns columns; /* names are copied */
    sl_automaton_range *ranges;
    bool has_ranges;   /* something is in them */
    int64_t n_row;     /* of the execution at hand */
    int64_t n_shown;   /* executions */
    sl_out *rows;      /* of the file of results; NULL: none */
    sl_out *event_out; /* of the file of events; NULL: none */
    sl_bytes text;     /* rows of executions, for people */
    sl_out *text_out;  /* into it */
    int64_t n_told;    /* of its bytes, those of executions that have ended */
    SL_ARRAY(sl_automaton_execution) executions;
    sl_execution_log_end end; /* of the last one */
} sl_automaton_report;

/* Takes a row or the end of an execution into the summary. */
sl_status sl_automaton_note_row(sl_automaton_report *j, double t, const double *values);
sl_status sl_automaton_note_end(sl_automaton_report *j, const sl_execution_log_end *end);

void sl_automaton_summary_text(sl_automaton_report *j, sl_out *out);
/* Members of an open object. */
void sl_automaton_summary_json(sl_automaton_report *j, sl_json *json);

#endif
