/* SPDX-License-Identifier: MIT */
/* csv_text.c: cells and lines of .csv files (RFC 4180); see csv_read.h. */
#include <math.h>

#include "base/number.h"
#include "base/report.h"
#include "results/csv_read.h"

void sl_csv_fail(sl_csv_text *t, sl_str at, const char *what) {
    enum { LINE_SHOWN = 512 }; /* bytes of a line in a message: lines can be long */
    const char *begin = t->line_start, *end = at.ptr;
    if (t->status != SL_OK) {
        return;
    }
    t->status = SL_ERR_INPUT;
    if (at.ptr < begin || at.ptr - begin > LINE_SHOWN) {
        begin = at.ptr;
    }
    while (end < t->end && *end != '\n' && end - begin < LINE_SHOWN) {
        end++;
    }
    size_t offset = (size_t)(at.ptr - begin), n = (size_t)(end - begin);
    bool column = begin == t->line_start;
    sl_report(t->diags, SL_ERROR, SL_CODE_RESULT_FILE,
              &(sl_text_location){.file = t->file,
                                  .line = t->line,
                                  .text = column ? (sl_str){begin, n} : (sl_str){NULL, 0},
                                  .begin = offset,
                                  .length = at.len < n - offset ? at.len : n - offset},
              NULL, NULL, NULL, "%s", what);
}

void sl_csv_note(sl_csv_text *t, bool kept) {
    t->status = t->status == SL_OK && !kept ? SL_ERR_MEMORY : t->status;
}

/* p is behind the opening quotes; returns what is behind the closing ones, or NULL. */
static const char *skip_quoted(sl_csv_text *t, const char *p) {
    for (; p < t->end; p++) {
        if (*p == '\n') {
            t->line++;
            t->line_start = p + 1;
        } else if (*p == '"') {
            if (p + 1 < t->end && p[1] == '"') {
                p++;
            } else {
                return p + 1;
            }
        }
    }
    return NULL;
}

sl_csv_cell sl_csv_next(sl_csv_text *t) {
    const char *begin = t->at, *p = begin, *line_start = t->line_start;
    uint32_t line = t->line;
    sl_csv_cell cell = {.raw = {begin, 0}, .quoted = p < t->end && *p == '"'};
    if (t->status != SL_OK) {
        return (sl_csv_cell){.raw = {begin, 0}};
    }
    if (cell.quoted) {
        p = skip_quoted(t, p + 1);
        if (!p) {
            t->line = line;
            t->line_start = line_start;
            sl_csv_fail(t, (sl_str){begin, 1}, "the quotes do not end");
            return cell;
        }
    } else {
        while (p < t->end && *p != ',' && *p != '\n') {
            p++;
        }
    }
    cell.raw.len = (size_t)(p - begin);
    if (!cell.quoted && cell.raw.len > 0 && (p == t->end || *p == '\n') && p[-1] == '\r') {
        cell.raw.len--;
    }
    p += cell.quoted && p + 1 < t->end && *p == '\r' && p[1] == '\n';
    if (p < t->end && *p != ',' && *p != '\n') {
        sl_csv_fail(t, (sl_str){p, 1}, "a comma or the end of the line is expected here");
    }
    t->row_ended = p == t->end || *p == '\n';
    t->at = p < t->end ? p + 1 : p;
    return cell;
}

void sl_csv_expect_end(sl_csv_text *t, bool ended) {
    if (t->row_ended != ended) {
        sl_csv_fail(t, (sl_str){t->at > t->line_start ? t->at - 1 : t->at, 0},
                    ended ? "the row has more cells than the first line"
                          : "the row has fewer cells than the first line");
    }
}

sl_csv_cell sl_csv_next_within(sl_csv_text *t) {
    sl_csv_expect_end(t, false);
    return sl_csv_next(t);
}

void sl_csv_next_line(sl_csv_text *t) {
    t->line++;
    t->line_start = t->at;
}

bool sl_csv_cell_number(sl_csv_cell cell, double *x) {
    *x = (double)NAN;
    return cell.raw.len == 0 || (!cell.quoted && sl_number_parse_within(cell.raw, x) == SL_NUMBER_OK);
}
