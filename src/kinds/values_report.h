/* SPDX-License-Identifier: MIT */
/* values_report.h: between values_report.c (files) and values_summary.c: what both know of a run. */
#ifndef SL_KINDS_VALUES_REPORT_H
#define SL_KINDS_VALUES_REPORT_H

#include "base/memory.h"
#include "kinds/kind.h"

/* A change of a column at an instant. */
typedef struct sl_values_change {
    int64_t column;
    double from;
} sl_values_change;

/* A variable. */
typedef struct sl_values_column {
    const char *name;
    double min, max, last;   /* of the execution at hand */
    double all_min, all_max; /* of all executions that have ended */
    bool is_whole;           /* its values are whole numbers */
} sl_values_column;

/* An execution that has ended. */
typedef struct sl_values_execution {
    sl_ending ending;
    double t;     /* of its last row */
    double *last; /* [n_column] values there */
} sl_values_execution;

typedef struct sl_values {
    sl_report_def def;
    sl_session *session; /* of the execution at hand */
    sl_arena arena;
    int32_t *fields; /* those that columns come from */
    int32_t n_field;
    int64_t *first; /* [n_field + 1] the column of its first element */
    sl_values_column *columns;
    double *scratch; /* [n_column] */
    int64_t n_column, n_event, n_counted;
    sl_out **rows; /* [n_target]; those of events are NULL */
    sl_out *events;
    const sl_engine_ops *ops; /* of the session, for names of events */
    const void *engine;
    double begin;    /* where the session began */
    double end_time; /* of the last step, whose values are in scratch; NaN: none */
    double row_time; /* of the last row; NaN: none */
    bool by_report;  /* frames come at report times */
    double instant;  /* of the last events ... */
    bool is_change;  /* ... one of which says more than that the run begins or ends */
    SL_ARRAY(sl_values_change) changes;

    bool lists_steps; /* the summary has the first rows and how executions ended, not ranges */
    int64_t n_row;    /* of the execution at hand */
    sl_bytes table;   /* its first rows, for people */
    sl_bytes text;    /* of the summary: the first executions that have ended */
    SL_ARRAY(sl_values_execution) executions;
} sl_values;

/* The kind of events that the summary counts; NULL: all. */
const char *sl_values_counted(const sl_values *r);
/* Takes the row in scratch, or the end of the execution at hand, into the summary. */
void sl_values_note_row(sl_values *r, double t);
sl_status sl_values_note_end(sl_values *r, bool complete);

void sl_values_write_text(const sl_values *r, sl_out *out);
/* Members of an open object. */
void sl_values_write_json(const sl_values *r, sl_json *json);

#endif
