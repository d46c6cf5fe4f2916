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
    sl_status status; /* the first failure: nothing is read after it */
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    bool row_ended; /* the last cell was the last one of its row */
} sl_csv_text;

typedef struct sl_csv_cell {
    sl_str raw; /* quotes included */
    bool quoted;
} sl_csv_cell;

/* The next cell of the row, and the comma or line end behind it; empty after a failure. */
sl_csv_cell sl_csv_next(sl_csv_text *t);
/* The same, of a row that has not ended. */
sl_csv_cell sl_csv_next_within(sl_csv_text *t);
/* The last cell was the last of its row, or not. */
void sl_csv_expect_end(sl_csv_text *t, bool ended);
void sl_csv_next_line(sl_csv_text *t);
/* A number, NaN where the cell is empty. False: it is no number. Eight bytes before it are readable. */
bool sl_csv_cell_number(sl_csv_cell cell, double *x);
/* Says what is wrong with text in the present line. */
void sl_csv_fail(sl_csv_text *t, sl_str at, const char *what);
/* Something was kept, or memory is short. */
void sl_csv_note(sl_csv_text *t, bool kept);

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
    bool bare_is_model; /* a name without dots is a quantity of the model, not a variable of an automaton */
    SL_ARRAY(sl_csv_class) parts;
    sl_ids *names;                   /* of the parts */
    sl_ids *quantities;              /* of the parts: number of the part and name */
    SL_ARRAY(sl_str) rows;           /* of the first frame: the bytes that name a row */
    SL_ARRAY(double) data;           /* all frames */
    int64_t n_value;                 /* of a frame */
    int64_t row;                     /* within the frame */
    sl_str before;                   /* of VALUES: what named the element of the row before */
    SL_ARRAY(sl_csv_column) columns; /* of ROWS */
    SL_ARRAY(bool) used;             /* [part][column] of ROWS: it has a value */
    int64_t part, left;              /* of ROWS: part of the row, rows of it to come */
} sl_csv_reader;

/* What a cell says; "" where memory is short. */
const char *sl_csv_cell_text(sl_csv_reader *c, sl_csv_cell cell);
/* A copy; "" where memory is short. */
const char *sl_csv_copy(sl_csv_reader *c, sl_str text);
/* n values of that size, where the results keep them. */
void *sl_csv_own(sl_csv_reader *c, const void *values, int64_t n, size_t size);
void sl_csv_class_add_quantity(sl_csv_reader *c, sl_csv_class *p, sl_results_column quantity, int64_t offset);
/* The execution, where there are several, and the time. */
double sl_csv_time_read(sl_csv_reader *c, int32_t *execution);
/* group, kind, id. Returns all of it as it stands. */
sl_str sl_csv_element_read(sl_csv_reader *c, sl_csv_cell element[3]);
/* The group of one more element: the last one, or a new one. NULL: it failed. */
sl_csv_class *sl_csv_element_name(sl_csv_reader *c, const sl_csv_cell element[3], int64_t stride);
/* Begins a frame where there is one. named: the bytes that name the row. True: it belongs to the first frame, which names rows. */
bool sl_csv_row_enter(sl_csv_reader *c, double time, int32_t execution, sl_str named);

/* csv_rows.c: the head behind `id`, a row, and at last the quantities of each group. */
void sl_csv_rows_read_head(sl_csv_reader *c);
void sl_csv_rows_read(sl_csv_reader *c);
void sl_csv_rows_finish(sl_csv_reader *c);

#endif
