/* SPDX-License-Identifier: MIT */
/* csv_rows.c: .csv files with one row per time and element; see csv_read.h.
 *
 * Groups share columns. A group has the quantities of which one of its cells is not empty. A column of words is a code.
 */
#include <string.h>

#include "results/csv_read.h"
#include "results/network_columns.h"

enum { WORDS_MAX = 256 };

/* The number of a word of a column. Statuses of a network have their codes, others count as they come. */
static double find_word(sl_csv_reader *c, sl_csv_column *col, sl_csv_cell cell) {
    for (int64_t i = 0; i < col->words.n && !cell.quoted; i++) { /* nearly all are known and plain */
        if (sl_str_equal(sl_str_z(col->words.at[i]), cell.raw)) {
            return (double)i;
        }
    }
    const char *text = sl_csv_cell_text(c, cell);
    for (int i = 0; i < SL_NETWORK_STATUSES && col->words.n == 0; i++) {
        for (int k = 0; k < SL_NETWORK_STATUSES && strcmp(sl_network_statuses[i], text) == 0; k++) {
            sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &col->words, sl_network_statuses[k]));
        }
    }
    int64_t i = 0;
    while (i < col->words.n && strcmp(col->words.at[i], text) != 0) {
        i++;
    }
    if (i == WORDS_MAX) {
        sl_csv_fail(&c->text, cell.raw, "a column has more than 256 words");
    } else if (i == col->words.n) {
        sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &col->words, text));
    }
    return (double)i;
}

/* A code beyond the words is a number. What begins as a number and is none is damaged. */
static double read_coded(sl_csv_reader *c, sl_csv_column *col, sl_csv_cell cell) {
    double x;
    if (sl_csv_cell_number(cell, &x)) {
        return x;
    }
    if (!cell.quoted && strchr("+-.0123456789", cell.raw.ptr[0])) {
        sl_csv_fail(&c->text, cell.raw, "a number is expected here");
    }
    return find_word(c, col, cell);
}

/* The values of a row; all of them are kept, also the empty ones of other groups. */
static void read_row_values(sl_csv_reader *c) {
    int64_t n = c->columns.n;
    sl_csv_note(&c->text, SL_RESERVE(c->r->ctx, &c->data, c->data.n + n));
    for (int64_t i = 0; i < n && c->text.status == SL_OK; i++) {
        sl_csv_cell cell = sl_csv_next_within(&c->text);
        c->data.at[c->data.n++] = read_coded(c, &c->columns.at[i], cell);
        c->used.at[c->part * n + i] = c->used.at[c->part * n + i] || cell.raw.len > 0;
    }
    sl_csv_expect_end(&c->text, true);
}

/* Rows of later frames stand in the order of the parts. */
void sl_csv_rows_read(sl_csv_reader *c) {
    sl_csv_cell element[3];
    int32_t execution;
    double time = sl_csv_time_read(c, &execution);
    sl_str named = sl_csv_element_read(c, element);
    if (sl_csv_row_enter(c, time, execution, named)) {
        int64_t n = c->parts.n;
        (void)sl_csv_element_name(c, element, c->columns.n);
        c->part = c->parts.n - 1;
        for (int64_t i = 0; c->parts.n > n && i < c->columns.n; i++) {
            sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &c->used, false));
        }
        c->n_value += c->columns.n;
    } else if (c->text.status == SL_OK) {
        c->part = c->row == 1 ? 0 : c->left > 0 ? c->part : c->part + 1;
        c->left = (c->row == 1 || c->left == 0 ? c->parts.at[c->part].ids.n : c->left) - 1;
    }
    read_row_values(c);
}

void sl_csv_rows_finish(sl_csv_reader *c) {
    for (int64_t k = 0; k < c->columns.n; k++) {
        sl_csv_column *col = &c->columns.at[k];
        if (col->words.n > 0) {
            col->quantity.words = sl_csv_own(c, col->words.at, col->words.n, sizeof *col->words.at);
            col->quantity.n_word = (int32_t)col->words.n;
        }
    }
    for (int64_t i = 0; i < c->parts.n; i++) {
        for (int64_t k = 0; k < c->columns.n && c->text.status == SL_OK; k++) {
            if (c->used.at[i * c->columns.n + k]) {
                sl_csv_class_add_quantity(c, &c->parts.at[i], c->columns.at[k].quantity, k);
            }
        }
    }
}

void sl_csv_rows_read_head(sl_csv_reader *c) {
    while (!c->text.row_ended && c->text.status == SL_OK) {
        sl_str name = sl_str_z(sl_csv_cell_text(c, sl_csv_next(&c->text)));
        const char *unit = sl_csv_unit_take(&name);
        sl_csv_column col = {.quantity = {.name = sl_csv_copy(c, name), .unit = unit, .meaning = ""}};
        sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &c->columns, col));
    }
}
