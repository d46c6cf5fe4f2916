/* SPDX-License-Identifier: MIT */
/* points.c: see points.h. */
#include "text/points.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/report.h"
#include "text/yaml_impl.h"

static const char time_example[] = "write seconds (90), a number with a unit (15 min, 2 h) or hours and minutes (1:30)";

typedef struct points_reader {
    const char *name;
    const sl_unit *unit;
    sl_diags *diags;
    sl_str line;
    uint32_t number; /* of the line */
    bool fine;
} points_reader;

/* Reports something about a part of the line. */
static void report(points_reader *r, sl_str at, sl_code code, const char *hint, const char *what) {
    char quoted[SL_QUOTE_MAX];
    sl_text_location place = {
        .file = r->name, .line = r->number, .text = r->line, .begin = (size_t)(at.ptr - r->line.ptr), .length = at.len};
    sl_report(r->diags, SL_ERROR, code, &place, NULL, NULL, hint, "%s%s%s", at.len > 0 ? sl_quote(at, quoted) : "",
              at.len > 0 ? " " : "", what);
    r->fine = false;
}

/* Without blanks around it, and without quotes. */
static sl_str trim(sl_str s) {
    static const char blanks[3] = {' ', '\t', '\r'};
    while (s.len > 0 && memchr(blanks, s.ptr[0], sizeof blanks)) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && memchr(blanks, s.ptr[s.len - 1], sizeof blanks)) {
        s.len--;
    }
    bool quoted = s.len >= 2 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"';
    return quoted ? trim((sl_str){s.ptr + 1, s.len - 2}) : s;
}

/* Up to a character, which *rest is behind; all of it where there is none, and *rest is NULL. */
static sl_str cut(sl_str s, char c, sl_str *rest) {
    const char *at = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;
    size_t n = at ? (size_t)(at - s.ptr) : s.len;
    *rest = at ? (sl_str){at + 1, s.len - n - 1} : (sl_str){NULL, 0};
    return (sl_str){s.ptr, n};
}

static bool read_value(points_reader *r, sl_str cell, double *out) {
    const sl_unit *own = NULL;
    sl_str unit;
    bool fine = sl_text_quantity(cell, &unit, out) && isfinite(*out);
    if (!fine) {
        report(r, cell, SL_CODE_NOT_A_NUMBER, "write a number: 12, 0.5 or 1e-3",
               cell.len > 0 ? "is not a number" : "the value is missing");
        return false;
    }
    own = unit.len > 0 ? sl_unit_find(unit) : r->unit;
    if (!own || sl_unit_convert(*out, own, r->unit, out) != SL_OK) {
        report(r, unit, SL_CODE_UNIT, "write a bare number, in SI units, or one with a unit of its quantity",
               own ? "is a unit of something else" : "is not a unit that is known");
        return false;
    }
    return true;
}

/* The row at hand. begins: it is the first one, and may be a head. False: there is no point in it. */
static bool read_row(points_reader *r, bool begins, double before, double *x, double *y) {
    sl_str rest, more;
    sl_str first = trim(cut(r->line, ',', &rest));
    if (begins && first.len > 0 && !strchr("+-.0123456789", first.ptr[0])) {
        return false;
    }
    if (!sl_text_time(first, x)) {
        report(r, first, SL_CODE_NOT_A_TIME, time_example, first.len > 0 ? "is not a time" : "the time is missing");
        return false;
    }
    sl_str second = trim(cut(rest, ',', &more));
    if (!rest.ptr || more.ptr) {
        report(r, trim(r->line), SL_CODE_SYNTAX, "write two columns: a time, a comma, a value",
               rest.ptr ? "has more than two columns" : "has one column");
        return false;
    }
    if (*x <= before) {
        report(r, first, SL_CODE_CURVE_SHAPE, "put the rows in order", "is not later than the time before");
    }
    return read_value(r, second, y);
}

static bool is_passed_over(sl_str line) {
    sl_str s = trim(line);
    return s.len == 0 || s.ptr[0] == '#';
}

static size_t count_lines(sl_str text) {
    size_t n = 0;
    for (sl_str rest = text; rest.ptr; n++) {
        (void)cut(rest, '\n', &rest);
    }
    return n;
}

sl_status sl_points_read(sl_arena *arena, sl_str text, const char *name, const char *unit, sl_diags *diags,
                         sl_points *out) {
    points_reader r = {.name = name, .unit = sl_unit_find(sl_str_z(unit)), .diags = diags, .fine = true};
    assert(r.unit && "a unit that sluice/units.h knows");
    bool marked = text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0; /* UTF-8 */
    sl_str rest = marked ? (sl_str){text.ptr + 3, text.len - 3} : text;
    size_t most = count_lines(rest);
    int32_t n = 0;
    bool begins = true;
    *out = (sl_points){0};
    double *x = most <= INT32_MAX ? sl_arena_alloc(arena, 2 * (most + 1) * sizeof *x) : NULL;
    if (!x) {
        return SL_ERR_MEMORY;
    }
    double *y = x + most + 1;
    while (rest.ptr) {
        r.line = cut(rest, '\n', &rest);
        r.number++;
        if (!is_passed_over(r.line)) {
            n += read_row(&r, begins, n > 0 ? x[n - 1] : -(double)INFINITY, &x[n], &y[n]);
            begins = false;
        }
    }
    if (n == 0 && r.fine) {
        sl_text_location place = {.file = name};
        sl_report(diags, SL_ERROR, SL_CODE_MISSING_VALUE, &place, NULL, NULL,
                  "write two columns: a time, a comma, a value", "there is no row with a time and a value");
        r.fine = false;
    }
    *out = (sl_points){n, x, y};
    return r.fine ? SL_OK : SL_ERR_INPUT;
}
