/* SPDX-License-Identifier: MIT */
/* csv_read.h: reading .csv files of results, from inside.
 *
 * csv_text.c   cells and lines
 * csv_read.c   groups, times, and the forms that name every value
 * csv_rows.c   the form with one row per time and element
 *
 * The whole text is in memory. The first frame says what there is; every other frame has the same rows in the same order, which is how
 * they are written, and is compared with it byte by byte. Work and memory are in proportion to the text.
 */
#ifndef SL_RESULTS_CSV_READ_H
#define SL_RESULTS_CSV_READ_H

#include "base/ids.h"
#include "results/csv_impl.h"

/* ---- Cells -------------------------------------------------------------------------------------- */

typedef struct sl_csv_text {
    const char *file;
    sl_diags *diags;
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    bool row_ended; /* the last cell was the last one of its row */
} sl_csv_text;

typedef struct sl_csv_cell {
    sl_str raw; /* quotes included */
    bool quoted;
} sl_csv_cell;

/* The next cell of the row, and the comma or line end behind it. SL_ERR_INPUT: quotes that do not end. */
sl_status sl_csv_next(sl_csv_text *t, sl_csv_cell *cell);
/* The last cell of its row, or not. */
sl_status sl_csv_expect_end(sl_csv_text *t, bool ended);
/* What a cell says; NULL: out of memory. */
const char *sl_csv_cell_text(sl_arena *arena, sl_csv_cell cell);
/* A number, NaN where the cell is empty. False: it is no number. Eight bytes before it are readable. */
bool sl_csv_cell_number(sl_csv_cell cell, double *x);
/* Says what is wrong with text in the present line. Returns SL_ERR_INPUT. */
sl_status sl_csv_fail(sl_csv_text *t, sl_str at, const char *what);

/* ---- What is being read ------------------------------------------------------------------------- */

/* A group in the making. The values of an element are stride long, those of a quantity at its offset. */
typedef struct sl_csv_class {
    const char *name;
    int64_t first, stride; /* of its values in a frame */
    SL_ARRAY(const char *) ids, kinds;
    SL_ARRAY(sl_results_column) quantities;
    SL_ARRAY(int64_t) offsets;
    bool has_kind;
} sl_csv_class;

/* A column of ROWS. */
typedef struct sl_csv_column {
    sl_results_column quantity;
    SL_ARRAY(const char *) words;
} sl_csv_column;

typedef struct sl_csv_reader {
    sl_results *r;
    sl_csv_text text;
    bool several;
    bool bare_is_model; /* a name without dots is a quantity of the model, not a variable of an automaton */
    SL_ARRAY(sl_csv_class) parts;
    sl_ids *names;                   /* of the parts */
    sl_ids *quantities;              /* of the parts: number of the part and name */
    SL_ARRAY(sl_str) rows;           /* of the first frame: the bytes that name a row */
    SL_ARRAY(double) data;           /* all frames */
    int64_t n_value;                 /* of a frame */
    int64_t row;                     /* within the frame */
    SL_ARRAY(sl_csv_column) columns; /* of ROWS */
    SL_ARRAY(bool) used;             /* [part][column] of ROWS: it has a value */
    SL_ARRAY(double) times;
    SL_ARRAY(int32_t) executions;
    SL_ARRAY(sl_event_info) events;
} sl_csv_reader;

/* The last group, or a new one of this name. NULL: status has why. */
sl_csv_class *sl_csv_class_enter(sl_csv_reader *c, const char *name, sl_str at, int64_t stride, sl_status *status);
sl_status sl_csv_class_add_quantity(sl_csv_reader *c, sl_csv_class *p, sl_results_column quantity, int64_t offset);
sl_status sl_csv_class_add_element(sl_csv_reader *c, sl_csv_class *p, const char *kind, const char *id);
/* The execution, where there are several, and the time. */
sl_status sl_csv_time_read(sl_csv_reader *c, double *time, int32_t *execution);
/* group, kind, id. *named: all of it as it stands. */
sl_status sl_csv_element_read(sl_csv_reader *c, sl_csv_cell element[3], sl_str *named);
sl_status sl_csv_element_name(sl_csv_reader *c, const sl_csv_cell element[3], int64_t stride, sl_csv_class **out);
/* Begins a frame where there is one. named: the bytes that name the row. *first: it belongs to the first frame, which names rows. */
sl_status sl_csv_row_enter(sl_csv_reader *c, double time, int32_t execution, sl_str named, bool *first);

/* csv_rows.c: the head behind `id`, the rows, and at last the quantities of each group. */
sl_status sl_csv_rows_read_head(sl_csv_reader *c);
sl_status sl_csv_rows_read(sl_csv_reader *c);
sl_status sl_csv_rows_finish(sl_csv_reader *c);

#endif
