/* SPDX-License-Identifier: MIT */
/* values_summary.h: the summary of a kind that has none of its own: ranges of all variables with their times, over all steps (of parts that have steps of their own over those); of a
 * kind whose steps are counted and which says how executions end, the first steps of each and that.
 *
 * It is a sink of the session by itself and knows nothing of files. Memory does not grow with the run.
 */
#ifndef SL_KINDS_VALUES_SUMMARY_H
#define SL_KINDS_VALUES_SUMMARY_H

#include "kinds/kind.h"
#include "results/digest.h"

enum {
    SL_VALUES_COLUMNS_MAX = 16,    /* above: no rows for people */
    SL_VALUES_EXECUTIONS_MAX = 20, /* for people */
    SL_VALUES_RANGES_MAX = 30      /* lines of ranges, for people */
};

/* A variable, over the executions that have ended and the one at hand. */
typedef struct sl_values_column {
    const char *name, *unit;                                   /* unit: of SI; "": none */
    bool is_whole;                                             /* its values are whole numbers */
    bool is_part;                                              /* its element has other quantities */
    double value, last;                                        /* now; at the last row */
    double min, max, time_of_min, time_of_max;                 /* of the execution at hand */
    double all_min, all_max, time_of_all_min, time_of_all_max; /* of all that have ended */
} sl_values_column;

/* An execution that has ended. */
typedef struct sl_values_execution {
    sl_ending ending;
    double t;     /* of its last row */
    double *last; /* [n_column] values there */
} sl_values_execution;

typedef struct sl_values_summary {
    sl_report_def def;
    sl_session *session; /* of the execution at hand */
    sl_arena arena;
    int32_t *fields; /* those that columns come from */
    int32_t n_field;
    const double **data; /* [n_field] their values at the end */
    int64_t *first;      /* [n_field + 1] the column of its first element */
    sl_values_column *columns;
    int64_t n_column, n_still; /* parts that did not change, of the execution at hand: they have no line */
    size_t width;              /* of names in text */

    sl_digest_events events; /* of all executions */
    int64_t n_counted;       /* events that the kind counts, of the execution at hand */
    int64_t n_step, n_frame;
    double begin, step_time, row_time; /* where the execution began; its last step, its last row; NaN: none */
    bool by_report;                    /* rows are at report times */
    bool complete;
    bool lists_steps; /* it has the first rows and how executions ended, not ranges */
    int64_t n_row;    /* of the execution at hand */
    sl_bytes table;   /* its first rows, for people */
    sl_bytes text;    /* the first executions that have ended */
    SL_ARRAY(sl_values_execution) executions;
} sl_values_summary;

/* values_digest.c. The kind of events that the summary counts; NULL: all. */
const char *sl_values_counted(const sl_values_summary *r);
/* Adds the execution at hand, which has ended, to the text for people. */
sl_status sl_values_add_text(sl_values_summary *r, const sl_ending *e);
/* After the last execution, as a report's function. */
sl_status sl_values_digest(void *report, int32_t rows, sl_digest *d);

#endif
