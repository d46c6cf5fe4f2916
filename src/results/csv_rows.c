/* SPDX-License-Identifier: MIT */
/* csv_rows.c: .csv files with one row per time and element; see csv_read.h.
 *
 * Groups share columns. A group has the quantities of which one of its cells is not empty. A column of words is a code.
 */
#include <math.h>
#include <string.h>

#include "results/csv_read.h"
#include "results/network_columns.h"

enum { WORDS_MAX = 256 };

/* The number of a word of a column. Statuses of a network have their codes, others count as they come. */
static sl_status find_word(sl_csv_reader *c, sl_csv_column *col, sl_csv_cell cell, double *x) {
    for (int64_t i = 0; i < col->words.n && !cell.quoted; i++) { /* nearly all are known and plain */
        if (sl_str_equal(sl_str_z(col->words.at[i]), cell.raw)) {
            *x = (double)i;
            return SL_OK;
        }
    }
    const char *text = sl_csv_cell_text(&c->r->arena, cell);
    if (!text) {
        return SL_ERR_MEMORY;
    }
    for (int i = 0; i < SL_NETWORK_STATUSES && col->words.n == 0; i++) {
        for (int k = 0; k < SL_NETWORK_STATUSES && strcmp(sl_network_statuses[i], text) == 0; k++) {
            if (!SL_PUSH(c->r->ctx, &col->words, sl_network_statuses[k])) {
                return SL_ERR_MEMORY;
            }
        }
    }
    int64_t i = 0;
    while (i < col->words.n && strcmp(col->words.at[i], text) != 0) {
        i++;
    }
    *x = (double)i;
    if (i < col->words.n) {
        return SL_OK;
    }
    if (i == WORDS_MAX) {
        return sl_csv_fail(&c->text, cell.raw, "a column has more than 256 words");
    }
    return SL_PUSH(c->r->ctx, &col->words, text) ? SL_OK : SL_ERR_MEMORY;
}

/* A code beyond the words is a number. What begins as a number and is none is damaged. */
static sl_status read_coded(sl_csv_reader *c, sl_csv_column *col, sl_csv_cell cell, double *x) {
    if (sl_csv_cell_number(cell, x)) {
        return SL_OK;
    }
    if (!cell.quoted && strchr("+-.0123456789", cell.raw.ptr[0])) {
        return sl_csv_fail(&c->text, cell.raw, "a number is expected here");
    }
    return find_word(c, col, cell, x);
}

/* The values of a row; all of them are kept, also the empty ones of other groups. */
static sl_status read_row_values(sl_csv_reader *c, int64_t part_) {
    int64_t n = c->columns.n;
    if (!SL_RESERVE(c->r->ctx, &c->data, c->data.n + n)) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_csv_expect_end(&c->text, n == 0);
    for (int64_t i = 0; i < n && status == SL_OK; i++) {
        sl_csv_cell cell = {0};
        double x = (double)NAN;
        status = sl_csv_next(&c->text, &cell);
        status = status == SL_OK ? read_coded(c, &c->columns.at[i], cell, &x) : status;
        status = status == SL_OK ? sl_csv_expect_end(&c->text, i + 1 == n) : status;
        c->data.at[c->data.n++] = x;
        c->used.at[part_ * n + i] = c->used.at[part_ * n + i] || cell.raw.len > 0;
    }
    return status;
}

/* The part of each row of later frames: rows stand in the order of the parts. */
sl_status sl_csv_rows_read(sl_csv_reader *c) {
    sl_csv_cell element[3];
    sl_str named = {0};
    double time;
    int32_t execution;
    bool first;
    int64_t at = 0, left = 0; /* part of the row, rows of it to come */
    sl_status status = SL_OK;
    while (c->text.at < c->text.end && status == SL_OK) {
        status = sl_csv_time_read(c, &time, &execution);
        status = status == SL_OK ? sl_csv_element_read(c, element, &named) : status;
        status = status == SL_OK ? sl_csv_row_enter(c, time, execution, named, &first) : status;
        if (status == SL_OK && first) {
            sl_csv_class *p;
            int64_t n = c->parts.n;
            status = sl_csv_element_name(c, element, c->columns.n, &p);
            at = c->parts.n - 1;
            for (int64_t i = 0; c->parts.n > n && i < c->columns.n && status == SL_OK; i++) {
                status = SL_PUSH(c->r->ctx, &c->used, false) ? SL_OK : SL_ERR_MEMORY;
            }
            c->n_value += c->columns.n;
        } else if (status == SL_OK) {
            at = c->row == 1 ? 0 : left > 0 ? at : at + 1;
            left = (c->row == 1 || left == 0 ? c->parts.at[at].ids.n : left) - 1;
        }
        status = status == SL_OK ? read_row_values(c, at) : status;
        c->text.line += 1;
        c->text.line_start = c->text.at;
    }
    return status;
}

sl_status sl_csv_rows_finish(sl_csv_reader *c) {
    for (int64_t k = 0; k < c->columns.n; k++) {
        sl_csv_column *col = &c->columns.at[k];
        const char **words = sl_arena_alloc(&c->r->arena, (size_t)col->words.n * sizeof *words);
        if (!words) {
            return SL_ERR_MEMORY;
        }
        if (col->words.n > 0) {
            memcpy(words, col->words.at, (size_t)col->words.n * sizeof *words);
            col->quantity.words = words;
            col->quantity.n_word = (int32_t)col->words.n;
        }
    }
    sl_status status = SL_OK;
    for (int64_t i = 0; i < c->parts.n && status == SL_OK; i++) {
        for (int64_t k = 0; k < c->columns.n && status == SL_OK; k++) {
            status = c->used.at[i * c->columns.n + k]
                         ? sl_csv_class_add_quantity(c, &c->parts.at[i], c->columns.at[k].quantity, k)
                         : SL_OK;
        }
    }
    return status;
}

/* The head of ROWS, behind `id`: name and unit of each column. */
sl_status sl_csv_rows_read_head(sl_csv_reader *c) {
    sl_status status = SL_OK;
    while (!c->text.row_ended && status == SL_OK) {
        sl_csv_cell cell;
        status = sl_csv_next(&c->text, &cell);
        const char *text = status == SL_OK ? sl_csv_cell_text(&c->r->arena, cell) : "";
        sl_str name = text ? sl_str_z(text) : (sl_str){0};
        const char *unit = text ? sl_csv_unit_take(&name) : "";
        char *own = text ? sl_arena_copy(&c->r->arena, name) : NULL;
        sl_csv_column col = {.quantity = {.name = own, .unit = unit, .meaning = ""}};
        if (status == SL_OK && (!own || !SL_PUSH(c->r->ctx, &c->columns, col))) {
            status = SL_ERR_MEMORY;
        }
    }
    return status;
}
