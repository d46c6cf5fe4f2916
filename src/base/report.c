/* SPDX-License-Identifier: MIT */
/* report.c: a record from a place in the input, with its column and excerpt worked out.
 *
 * Columns count characters, so the text before the place is decoded once. The excerpt of a long line keeps
 * the place within about 160 characters and marks the cut ends by "..."; a megabyte on one line costs its
 * reading, not its storing.
 */
#include "base/report.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/out.h"
#include "base/utf8.h"

enum {
    EXCERPT = 150, /* characters of a cut line, without the marks */
    BEFORE = 100,  /* of those, before the place */
    TEXT_MAX = 2048
};

/* Moves on by n characters or to the end; returns the bytes passed. */
static size_t skip_chars(sl_str s, size_t n) {
    size_t at = 0;
    uint32_t c;
    for (; n > 0 && at < s.len; n--) {
        at += sl_utf8_decode((sl_str){s.ptr + at, s.len - at}, &c);
    }
    return at;
}

/* The line, or the part of it around character column (from 0), into buf; NULs inside become blanks. */
static uint32_t make_excerpt(sl_str line, size_t column, char buf[(EXCERPT + 1) * 4 + 8]) {
    size_t first = 0;
    size_t total = sl_utf8_count(line);
    size_t last = total;
    if (total > EXCERPT) {
        first = column > BEFORE ? column - BEFORE : 0;
        if (first > total - EXCERPT) {
            first = total - EXCERPT;
        }
        last = first + EXCERPT;
    }
    size_t begin = skip_chars(line, first);
    size_t n = skip_chars((sl_str){line.ptr + begin, line.len - begin}, last - first);
    char *p = buf;
    if (first > 0) {
        memcpy(p, "...", 3);
        p += 3;
    }
    for (size_t i = 0; i < n; i++) {
        char c = line.ptr[begin + i];
        *p++ = c ? c : ' '; /* the text of a record ends at a NUL */
    }
    if (last < total) {
        memcpy(p, "...", 3);
        p += 3;
    }
    *p = '\0';
    return (uint32_t)(column - first + (first > 0 ? 3 : 0) + 1);
}

/* Line, column, length and excerpt from the place; excerpt lends its memory to d->source. */
static void locate(sl_diag *d, const sl_text_location *place, char excerpt[(EXCERPT + 1) * 4 + 8]) {
    d->file = place->file;
    d->line = place->line;
    if (!place->line || !place->text.ptr) {
        return;
    }
    sl_str line = place->text;
    size_t begin = place->begin < line.len ? place->begin : line.len;
    size_t length = place->length < line.len - begin ? place->length : line.len - begin;
    size_t column = sl_utf8_count((sl_str){line.ptr, begin});
    size_t n_char = sl_utf8_count((sl_str){line.ptr + begin, length});
    d->column = (uint32_t)(column + 1);
    d->length = n_char ? (uint32_t)n_char : 1;
    d->source_column = make_excerpt(line, column, excerpt);
    d->source = excerpt;
}

/* Text that did not fit ends in "...", not in half a character. */
static void mark_cut(char *text, size_t size) {
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) {
        end--;
    }
    memcpy(text + end, "...", 4);
}

void sl_diags_add_all(sl_diags *diags, const sl_diags *from) {
    for (int32_t i = 0; i < sl_diags_size(from); i++) {
        sl_diags_add(diags, sl_diags_at(from, i));
    }
}

void sl_report(sl_diags *diags, sl_severity severity, sl_code code, const sl_text_location *place, const char *kind,
               const char *id, const char *hint, const char *fmt, ...) {
    if (!diags) {
        return;
    }
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    int n = sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    if (n >= (int)sizeof text) {
        mark_cut(text, sizeof text);
    }
    char excerpt[(EXCERPT + 1) * 4 + 8];
    sl_diag d = {.size = sizeof d,
                 .severity = severity,
                 .code = code,
                 .text = text,
                 .hint = hint,
                 .object_kind = kind,
                 .object_id = id,
                 .time = (double)NAN};
    if (place) {
        sl_text_location line = sl_text_location_resolve(place);
        locate(&d, &line, excerpt);
    }
    sl_diags_add(diags, &d);
}

const char *sl_quote(sl_str text, char buf[SL_QUOTE_MAX]) {
    enum { KEPT = 40 };
    char *p = buf;
    char *end = buf + SL_QUOTE_MAX;
    *p++ = '\'';
    for (int n = 0; text.len; n++) {
        if (n == KEPT) {
            memcpy(p, "...", 3);
            p += 3;
            break;
        }
        uint32_t c;
        size_t k = sl_utf8_decode(text, &c);
        if (c < 0x20 || c == 0x7F || (k == 1 && c >= 0x80)) {
            p += sl_format(p, (size_t)(end - p), "\\x%02x", (unsigned)c);
        } else if (sl_utf8_unsafe(c)) {
            p += sl_format(p, (size_t)(end - p), "\\u%04x", (unsigned)c); /* six bytes at most: 40 of them fit */
        } else {
            memcpy(p, text.ptr, k);
            p += k;
        }
        text.ptr += k;
        text.len -= k;
    }
    *p++ = '\'';
    *p = '\0';
    return buf;
}
