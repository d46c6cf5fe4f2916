/* SPDX-License-Identifier: MIT */
/* inp_values.c: what the line readers of the .inp reader share: reading numbers, words, ids and times from tokens, and
 * reporting where something is wrong. */
#include "base/number.h"
#include "network/inp_read.h"

#include <sluice/units.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reporting ---------------------------------------------------------------------------------- */

sl_text_location sl_inp_location(sl_reader *r, int32_t tok) {
    sl_text_location place = {.file = r->name, .line = r->line_no, .text = r->line};
    if (tok >= 0 && tok < r->n_tok) {
        place.begin = (size_t)(r->tok.at[tok].ptr - r->line.ptr);
        place.length = r->tok.at[tok].len;
    } else if (tok >= r->n_tok && r->n_tok > 0) { /* just behind the last token */
        sl_str last = r->tok.at[r->n_tok - 1];
        place.begin = (size_t)(last.ptr - r->line.ptr) + last.len;
    } else if (r->n_tok > 0) {
        place.begin = (size_t)(r->tok.at[0].ptr - r->line.ptr);
        place.length = (size_t)(r->tok.at[r->n_tok - 1].ptr - r->tok.at[0].ptr) + r->tok.at[r->n_tok - 1].len;
    }
    return place;
}

SL_PRINTF(6, 0)
static void report_at(sl_reader *r, sl_severity severity, int32_t tok, sl_code code, const char *hint, const char *fmt,
                      va_list args) {
    char text[600];
    vsnprintf(text, sizeof text, fmt, args);
    sl_text_location place = sl_inp_location(r, tok);
    sl_report(r->diags, severity, code, &place, NULL, NULL, hint, "%s", text);
}

void sl_inp_fail(sl_reader *r, int32_t tok, sl_code code, const char *hint, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report_at(r, SL_ERROR, tok, code, hint, fmt, args);
    va_end(args);
    r->spec->n_error++;
    if (!r->bad_line.n || r->bad_line.at[r->bad_line.n - 1] != r->line_no) {
        if (!SL_PUSH(r->ctx, &r->bad_line, r->line_no)) {
            r->oom = true;
        }
    }
}

void sl_inp_warn(sl_reader *r, int32_t tok, sl_code code, const char *hint, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report_at(r, SL_WARNING, tok, code, hint, fmt, args);
    va_end(args);
}

static int compare_lines(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* bad_line is sorted when reading ends. */
bool sl_inp_is_bad(const sl_reader *r, uint32_t line) {
    return r->bad_line.n && bsearch(&line, r->bad_line.at, (size_t)r->bad_line.n, sizeof line, compare_lines);
}

bool sl_inp_need(sl_reader *r, int32_t n, const char *want, const char *form) {
    if (r->n_tok >= n) {
        return true;
    }
    char hint[160];
    snprintf(hint, sizeof hint, "the form is: %s", form);
    sl_inp_fail(r, r->n_tok, SL_CODE_MISSING_VALUE, hint, "the line ends where %s is expected", want);
    return false;
}

/* ---- Words -------------------------------------------------------------------------------------- */

int32_t sl_inp_words(const sl_reader *r, int32_t i, const char *const *stem, int32_t n) {
    for (int32_t k = 0; k < n && i < r->n_tok; k++) {
        if (sl_word(r->tok.at[i], stem[k])) {
            return k;
        }
    }
    return -1;
}

const char *sl_inp_near_word(sl_str word, const char *const *words, int32_t n, char *buf, size_t size) {
    char lower[64], other[64];
    if (word.len == 0 || word.len >= sizeof lower) {
        return NULL;
    }
    for (size_t i = 0; i < word.len; i++) {
        lower[i] = (char)(word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' ? word.ptr[i] + 32 : word.ptr[i]);
    }
    int best = -1, best_distance = word.len <= 3 ? 2 : 4; /* half steps: one or two slips */
    for (int32_t k = 0; k < n; k++) {
        size_t len = strlen(words[k]);
        for (size_t i = 0; i <= len && i < sizeof other; i++) {
            other[i] = (char)(words[k][i] >= 'A' && words[k][i] <= 'Z' ? words[k][i] + 32 : words[k][i]);
        }
        int d = sl_edit_distance((sl_str){lower, word.len}, (sl_str){other, len}, best_distance);
        if (d < best_distance || (d == best_distance && best < 0)) {
            best = k;
            best_distance = d;
        }
    }
    if (best < 0) {
        return NULL;
    }
    snprintf(buf, size, "did you mean %s?", words[best]);
    return buf;
}

/* ---- Numbers and times -------------------------------------------------------------------------- */

/* The number at token i, of which only the first few of a file have nothing before them. */
static inline sl_number parse_token(const sl_reader *r, int32_t i, double *x) {
    sl_str tok = r->tok.at[i];
    return tok.ptr - r->text >= 8 ? sl_number_parse_within(tok, x) : sl_number_parse(tok, x);
}

bool sl_inp_number(const sl_reader *r, int32_t i, double *x) {
    return i < r->n_tok && parse_token(r, i, x) == SL_NUMBER_OK;
}

static void push_edit(sl_reader *r, sl_edit e) {
    if (r->record && !SL_PUSH(r->ctx, &r->edit, e)) {
        r->oom = true;
    }
}

void sl_inp_edit(sl_reader *r, int32_t i, int quantity, int32_t curve, double value) {
    push_edit(r, (sl_edit){.offset = (size_t)(r->tok.at[i].ptr - r->text),
                           .length = (uint32_t)r->tok.at[i].len,
                           .curve = curve,
                           .quantity = (uint8_t)quantity,
                           .value = value});
}

void sl_inp_edit_end(sl_reader *r, int quantity, double value) {
    sl_str last = r->tok.at[r->n_tok - 1];
    push_edit(r, (sl_edit){.offset = (size_t)(last.ptr + last.len - r->text),
                           .curve = -1,
                           .quantity = (uint8_t)quantity,
                           .value = value});
}

/* What is wrong with the number at token i. */
static bool report_bad_number(sl_reader *r, int32_t i, sl_number parsed, const char *what) {
    char quoted[SL_QUOTE_MAX];
    if (i >= r->n_tok) {
        sl_inp_fail(r, i, SL_CODE_MISSING_VALUE, NULL, "the line ends where %s is expected", what);
    } else if (parsed == SL_NUMBER_BAD) {
        bool comma = memchr(r->tok.at[i].ptr, ',', r->tok.at[i].len) != NULL;
        sl_inp_fail(r, i, SL_CODE_NOT_A_NUMBER, comma ? "write the decimal point as '.'" : NULL,
                    "%s %s is not a number", what, sl_quote(r->tok.at[i], quoted));
    } else {
        sl_inp_fail(r, i, SL_CODE_NUMBER_RANGE, "the largest number is about 1.8e308", "%s %s is out of range", what,
                    sl_quote(r->tok.at[i], quoted));
    }
    return false;
}

/* Any number, or none. A function of its own, so that the quick way has nothing to save. */
__attribute__((noinline)) static bool read_any_number(sl_reader *r, int32_t i, sl_quantity q, const char *what,
                                                      double *x) {
    double value = 0.0;
    sl_number parsed = i < r->n_tok ? parse_token(r, i, &value) : SL_NUMBER_BAD;
    double si = value * r->factor[q];
    if (parsed != SL_NUMBER_OK || !isfinite(si)) {
        return report_bad_number(r, i, parsed == SL_NUMBER_OK ? SL_NUMBER_RANGE : parsed, what);
    }
    if (r->record && q != SL_Q_NONE) {
        sl_inp_edit(r, i, q, -1, value);
    }
    *x = si;
    return true;
}

bool sl_inp_read_value(sl_reader *r, int32_t i, sl_quantity q, const char *what, double *x) {
    if (i < r->n_tok && !r->record) {
        sl_str tok = r->tok.at[i];
        double value;
        if (tok.len - 1 < 8 && tok.ptr - r->text >= 8 &&
            sl_number_parse_8(sl_load8(tok.ptr + tok.len - 8), tok.len, &value)) {
            *x = value * r->factor[q];
            return true;
        }
    }
    return read_any_number(r, i, q, what, x);
}

bool sl_inp_read_value_min(sl_reader *r, int32_t i, sl_quantity q, const char *what, double min, double *x) {
    double value = 0.0;
    if (!sl_inp_read_value(r, i, q, what, &value)) {
        return false;
    }
    if (value < min) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_fail(r, i, SL_CODE_VALUE_RANGE, NULL, "%s %s must not be below %g", what, sl_quote(r->tok.at[i], quoted),
                    min);
        return false;
    }
    *x = value;
    return true;
}

bool sl_inp_time(sl_reader *r, int32_t i, const char *what, double *seconds) {
    char quoted[SL_QUOTE_MAX];
    if (i >= r->n_tok) {
        sl_inp_fail(r, i, SL_CODE_MISSING_VALUE, NULL, "the line ends where %s is expected", what);
        return false;
    }
    sl_str none = {0};
    double t;
    if (sl_time_parse(r->tok.at[i], i + 1 < r->n_tok ? r->tok.at[i + 1] : none, &t) == SL_OK) {
        /* Whole seconds, and within what a file can say again. */
        if (t > 1e12) {
            sl_inp_fail(r, i, SL_CODE_VALUE_RANGE, NULL, "%s %s is too long", what, sl_quote(r->tok.at[i], quoted));
            return false;
        }
        *seconds = floor(t + 0.5);
        return true;
    }
    static const char *const hint =
        "a time is hours (1.5), h:mm (1:30), h:mm:ss, or a number with SEC, MIN, HOURS, DAYS, AM or PM";
    if (i + 1 < r->n_tok && sl_time_parse(r->tok.at[i], none, &t) == SL_OK) {
        sl_inp_fail(r, i + 1, SL_CODE_NOT_A_TIME, hint, "%s is not a time unit that goes with %.*s",
                    sl_quote(r->tok.at[i + 1], quoted), (int)(r->tok.at[i].len < 20 ? r->tok.at[i].len : 20),
                    r->tok.at[i].ptr);
    } else {
        sl_inp_fail(r, i, SL_CODE_NOT_A_TIME, hint, "%s %s is not a time", what, sl_quote(r->tok.at[i], quoted));
    }
    return false;
}

/* ---- Ids ---------------------------------------------------------------------------------------- */

static int32_t report_unknown_id(sl_reader *r, int32_t i, const sl_ids *ids, sl_code code, const char *what) {
    char quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32], near_quoted[SL_QUOTE_MAX];
    int32_t near = -1;
    if (r->n_suggest > 0) {
        r->n_suggest--;
        near = sl_ids_nearest(ids, r->tok.at[i]);
    }
    if (near >= 0) {
        snprintf(hint, sizeof hint, "did you mean %s?", sl_quote(sl_ids_text(ids, near), near_quoted));
    }
    sl_inp_fail(r, i, code, near >= 0 ? hint : NULL, "%s %s is not defined", what, sl_quote(r->tok.at[i], quoted));
    return -1;
}

int32_t sl_inp_find_node(sl_reader *r, int32_t i) {
    return sl_ids_find_near(r->spec->node_ids, r->tok.at[i], sl_inp_last(r, i), &r->hint_node);
}

int32_t sl_inp_find_link(sl_reader *r, int32_t i) {
    return sl_ids_find_near(r->spec->link_ids, r->tok.at[i], sl_inp_last(r, i), &r->hint_link);
}

int32_t sl_inp_node(sl_reader *r, int32_t i) {
    /* A line that begins with a node is about it, and the lines come in the order of nodes; the ends of links do not. */
    int32_t at = i == 0 ? sl_inp_find_node(r, i) : sl_ids_find_word(r->spec->node_ids, r->tok.at[i], sl_inp_last(r, i));
    return at >= 0 ? at : report_unknown_id(r, i, r->spec->node_ids, SL_CODE_UNKNOWN_NODE, "node");
}

int32_t sl_inp_link(sl_reader *r, int32_t i) {
    int32_t at = sl_inp_find_link(r, i);
    return at >= 0 ? at : report_unknown_id(r, i, r->spec->link_ids, SL_CODE_UNKNOWN_LINK, "link");
}

int32_t sl_inp_pattern(sl_reader *r, int32_t i, const char *what) {
    int32_t at = sl_ids_find_near(r->spec->pattern_ids, r->tok.at[i], sl_inp_last(r, i), &r->hint_pattern);
    return at >= 0 ? at : report_unknown_id(r, i, r->spec->pattern_ids, SL_CODE_UNKNOWN_PATTERN, what);
}

int32_t sl_inp_curve(sl_reader *r, int32_t i, const char *what) {
    int32_t at = sl_ids_find(r->spec->curve_ids, r->tok.at[i]);
    return at >= 0 ? at : report_unknown_id(r, i, r->spec->curve_ids, SL_CODE_UNKNOWN_CURVE, what);
}

const char *sl_inp_copy(sl_reader *r, sl_str text) {
    const char *z = sl_arena_copy(&r->spec->text, text);
    if (!z) {
        r->oom = true;
    }
    return z;
}

void sl_inp_note(sl_reader *r, sl_notes *notes, int32_t index, sl_str text) {
    if (text.len == 0) {
        return;
    }
    sl_note note = {index, sl_inp_copy(r, text)};
    if (!note.text || !SL_PUSH(r->ctx, notes, note)) {
        r->oom = true;
    }
}

/* As C's atol: leading digits, 0 without any. */
static int64_t leading_int(sl_str s) {
    int64_t x = 0;
    for (size_t i = 0; i < s.len && i < 18 && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++) {
        x = 10 * x + (s.ptr[i] - '0');
    }
    return x;
}

static int compare_bytes(sl_str a, sl_str b) {
    int c = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

bool sl_inp_in_range(const sl_reader *r, int32_t i, const char *id) {
    sl_str low = r->tok.at[i], high = r->tok.at[i + 1], z = sl_str_z(id);
    int64_t a = leading_int(low), b = leading_int(high);
    if (a > 0 && b > 0) {
        int64_t x = leading_int(z);
        return x >= a && x <= b;
    }
    return compare_bytes(z, low) >= 0 && compare_bytes(z, high) <= 0;
}
