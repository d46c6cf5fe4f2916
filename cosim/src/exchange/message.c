/* SPDX-License-Identifier: MIT */
/* message.c: the text of CoSim files: classify, read, write.
 *
 * Lines end with LF; CR and blanks before it do not count, nor do blank lines or a byte order mark. A row is cut by its first
 * two commas; what follows is its description, commas included, or a quoted text that may span lines. One scanner serves the
 * judgement and the reading, so that the two cannot differ. Time is linear in the text: a quoted text that is searched for its
 * end meets, at the latest, the next one that is so searched.
 */
#include "exchange/message.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

enum { TEXT_MOST = 200 }; /* bytes of a description that are written */

void sl_message_init(sl_message *m) {
    *m = (sl_message){.time = NAN, .next = NAN};
}

void sl_message_fini(sl_context *ctx, sl_message *m) {
    SL_ARRAY_FINI(ctx, &m->row);
}

/* ---- Scanning ----------------------------------------------------------------------------------- */

typedef struct scanner {
    const char *at, *end;
    int64_t line; /* of what was read last, from 1 */
    int64_t lines_passed;
} scanner;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}

static sl_str trim(sl_str s) {
    while (s.len > 0 && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.ptr[s.len - 1])) {
        s.len--;
    }
    return s;
}

static scanner scan(const char *text, size_t n) {
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    return (scanner){.at = text, .end = text + n};
}

/* The next line that is not blank, trimmed; *closed: its end has been seen. */
static bool next_line(scanner *s, sl_str *line, bool *closed) {
    while (s->at < s->end) {
        const char *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
        *closed = stop != NULL;
        *line = trim((sl_str){s->at, (size_t)((stop ? stop : s->end) - s->at)});
        s->line = ++s->lines_passed;
        s->at = stop ? stop + 1 : s->end;
        if (line->len > 0) {
            return true;
        }
    }
    return false;
}

typedef struct raw_row {
    sl_str entity, value, text;
    int n_comma;      /* 0, 1 or 2 (and more) */
    bool closed;      /* the end of the line has been seen */
    bool quoted;      /* text is what stands between quotes, with "" for " */
    bool open_quote;  /* it begins with a quote that has no good end */
    bool third_digit; /* four fields or more, the third all digits: 1,3,5,text */
} raw_row;

/* Where the quoted text at p (after its first quote) ends: at a quote with nothing but blanks behind it on its line. NULL: it
 * has no good end. */
static const char *quote_end(const char *p, const char *end) {
    while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
        if (p + 1 < end && p[1] == '"') {
            p += 2;
            continue;
        }
        for (const char *q = p + 1; q < end && *q != '\n'; q++) {
            if (!is_blank(*q)) {
                return NULL;
            }
        }
        return p;
    }
    return NULL;
}

static bool all_digits(sl_str s) {
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') {
            return false;
        }
    }
    return s.len > 0;
}

static void cut_text(scanner *s, raw_row *r) {
    const char *more = memchr(r->text.ptr, ',', r->text.len);
    r->third_digit = more && all_digits(trim((sl_str){r->text.ptr, (size_t)(more - r->text.ptr)}));
    sl_str text = trim(r->text);
    if (text.len == 0 || text.ptr[0] != '"') {
        r->text = text;
        return;
    }
    const char *first = text.ptr + 1, *last = quote_end(first, s->end);
    if (!last) {
        r->open_quote = true;
        r->text = text;
        return;
    }
    r->quoted = true;
    r->text = (sl_str){first, (size_t)(last - first)};
    if (last >= s->at || !r->closed) { /* it spans lines */
        for (const char *p = s->at; p < last && (p = memchr(p, '\n', (size_t)(last - p))) != NULL; p++) {
            s->lines_passed++;
        }
        const char *stop = memchr(last, '\n', (size_t)(s->end - last));
        s->lines_passed += last >= s->at;
        r->closed = stop != NULL;
        s->at = stop ? stop + 1 : s->end;
    }
}

static bool next_row(scanner *s, raw_row *r) {
    sl_str line;
    *r = (raw_row){0};
    if (!next_line(s, &line, &r->closed)) {
        return false;
    }
    const char *end = line.ptr + line.len;
    const char *first = memchr(line.ptr, ',', line.len);
    const char *second = first ? memchr(first + 1, ',', (size_t)(end - first - 1)) : NULL;
    r->n_comma = (first != NULL) + (second != NULL);
    r->entity = trim((sl_str){line.ptr, (size_t)((first ? first : end) - line.ptr)});
    if (first) {
        r->value = trim((sl_str){first + 1, (size_t)((second ? second : end) - first - 1)});
    }
    if (second) {
        r->text = (sl_str){second + 1, (size_t)(end - second - 1)};
        cut_text(s, r);
    }
    return true;
}

/* What a line `word = ...` says, or false. */
static bool assignment(sl_str line, const char *word, sl_str *value) {
    size_t n = strlen(word);
    if (line.len < n || memcmp(line.ptr, word, n) != 0) {
        return false;
    }
    sl_str rest = trim((sl_str){line.ptr + n, line.len - n});
    if (rest.len == 0 || rest.ptr[0] != '=') {
        return false;
    }
    *value = trim((sl_str){rest.ptr + 1, rest.len - 1});
    return true;
}

/* A whole number and a number: a row where the header should be. */
static bool is_row(const raw_row *r) {
    int64_t entity;
    double value;
    return r->n_comma >= 1 && r->value.len > 0 && sl_number_parse_int(r->entity, &entity) == SL_NUMBER_OK &&
           sl_text_number(r->value, &value, NULL);
}

static bool row_is_whole(const raw_row *r) {
    return r->closed || r->n_comma >= 2;
}

/* ---- What it is --------------------------------------------------------------------------------- */

static bool is_end(sl_str line) {
    return line.len == 3 && memcmp(line.ptr, "END", 3) == 0;
}

sl_text_state sl_text_classify(const char *text, size_t n, int64_t n_expected) {
    scanner s = scan(text, n);
    sl_str line, value;
    bool closed;
    if (!next_line(&s, &line, &closed)) {
        return SL_TEXT_PARTIAL;
    }
    if (is_end(line)) {
        return next_line(&s, &line, &closed) ? SL_TEXT_BAD : SL_TEXT_END;
    }
    if (!closed) {
        return SL_TEXT_PARTIAL;
    }
    if (!assignment(line, "TIME", &value)) {
        return SL_TEXT_BAD;
    }
    if (!next_line(&s, &line, &closed) || !closed) {
        return SL_TEXT_PARTIAL;
    }
    if (!assignment(line, "NEXT_TIMESTEP", &value)) {
        return SL_TEXT_BAD;
    }
    raw_row r;
    scanner at_header = s;
    if (!next_row(&s, &r)) {
        return SL_TEXT_PARTIAL;
    }
    if (is_row(&r)) {
        s = at_header;
    } else { /* a header is one line, whatever quotes it has */
        s = at_header;
        (void)next_line(&s, &line, &closed);
        r.closed = closed;
    }
    bool whole_lines = r.closed, quotes = true;
    int64_t n_row = 0;
    while (n_row < n_expected && next_row(&s, &r)) {
        n_row += row_is_whole(&r);
        whole_lines = r.closed;
        quotes = quotes && !r.open_quote;
    }
    if (n_row < n_expected) {
        return SL_TEXT_PARTIAL;
    }
    return whole_lines && quotes ? SL_TEXT_DATA : SL_TEXT_DATA_OPEN;
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

static bool begins(sl_str s, const char *word) {
    size_t n = strlen(word);
    return s.len >= n && sl_str_equal_nocase((sl_str){s.ptr, n}, sl_str_z(word));
}

/* The forms in which printf, streams and the runtime of Visual C++ write what is no number. */
static bool not_finite(sl_str s, double *x) {
    static const struct {
        const char *word;
        bool open; /* anything in brackets may follow */
        double x;
    } forms[] = {{"nan", true, NAN},      {"1.#QNAN", false, NAN},       {"1.#SNAN", false, NAN},
                 {"1.#IND", false, NAN},  {"infinity", false, INFINITY}, {"1.#INF", false, INFINITY},
                 {"inf", false, INFINITY}};
    bool negative = s.len > 0 && s.ptr[0] == '-';
    if (s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+')) {
        s = (sl_str){s.ptr + 1, s.len - 1};
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t n = strlen(forms[i].word);
        if (begins(s, forms[i].word)) {
            sl_str rest = {s.ptr + n, s.len - n};
            bool fits = forms[i].open
                            ? rest.len == 0 || (rest.len >= 2 && rest.ptr[0] == '(' && rest.ptr[rest.len - 1] == ')')
                            : rest.len == 0 || (forms[i].word[0] == '1' && rest.ptr[0] == '0');
            *x = negative ? -forms[i].x : forms[i].x;
            return fits;
        }
    }
    return false;
}

/* Half a unit of the last digit that was printed. */
static double half_unit(sl_str s, double x) {
    int64_t exponent = 0;
    int decimals = 0;
    bool point = false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == 'e' || s.ptr[i] == 'E') {
            (void)sl_number_parse_int((sl_str){s.ptr + i + 1, s.len - i - 1}, &exponent);
            break;
        }
        decimals += point && decimals < 400;
        point = point || s.ptr[i] == '.';
    }
    double digits = (double)exponent - decimals;
    double half = digits > DBL_MAX_10_EXP ? 0.0 : 0.5 * pow(10.0, digits);
    return fmax(half, 1e-9 * fabs(x));
}

bool sl_text_number(sl_str text, double *x, double *within) {
    sl_str s = trim(text);
    sl_number is = sl_number_parse(s, x);
    if (is == SL_NUMBER_BAD && !not_finite(s, x)) {
        *x = NAN;
        return false;
    }
    if (is == SL_NUMBER_RANGE) {
        *x = *x < 0 ? -INFINITY : INFINITY;
    }
    if (within) {
        *within = is == SL_NUMBER_OK ? half_unit(s, *x) : 0.0;
    }
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static void note(sl_message *m, sl_message_note what, int64_t line) {
    if (m->note[what]++ == 0) {
        m->note_line[what] = line;
    }
}

static sl_cosim_code bad(sl_message *m, int64_t line, const char *why) {
    m->error = why;
    m->error_line = line;
    return SL_COSIM_BAD_FORMAT;
}

static sl_cosim_code read_head(scanner *s, sl_message *m) {
    static const struct {
        const char *word, *missing, *bad;
    } lines[] = {
        {"TIME", "the first line is not TIME=<seconds>", "TIME is not a number (a decimal comma?)"},
        {"NEXT_TIMESTEP", "the second line is not NEXT_TIMESTEP=<seconds>",
         "NEXT_TIMESTEP is not a number (a decimal comma?)"},
    };
    double *x[] = {&m->time, &m->next}, *within[] = {&m->time_within, &m->next_within};
    for (int i = 0; i < 2; i++) {
        sl_str line, value;
        bool closed;
        if (!next_line(s, &line, &closed)) {
            return bad(m, s->lines_passed + 1, "it ends before its second line does");
        }
        if (i == 0 && is_end(line)) {
            m->kind = SL_MESSAGE_END;
            return next_line(s, &line, &closed) ? bad(m, s->line, "something follows the word END") : SL_COSIM_END;
        }
        if (!assignment(line, lines[i].word, &value)) {
            return bad(m, s->line, lines[i].missing);
        }
        if (!closed) {
            return bad(m, s->line, "it ends before its second line does");
        }
        if (!sl_text_number(value, x[i], within[i])) {
            return bad(m, s->line, lines[i].bad);
        }
    }
    return SL_COSIM_OK;
}

/* Doubled quotes become single ones, in place. */
static sl_str unquote(char *base, const char *text_base, sl_str s) {
    char *from = base + (s.ptr - text_base), *to = from, *end = from + s.len;
    for (char *p = from; p < end; p++) {
        *to++ = *p;
        p += *p == '"' && p + 1 < end && p[1] == '"';
    }
    return (sl_str){from, (size_t)(to - from)};
}

static sl_cosim_code read_row(const scanner *s, const raw_row *raw, sl_message *m, sl_message_row *row) {
    if (raw->n_comma == 0) {
        return bad(m, s->line, "a row has no comma: entity,value,description");
    }
    if (sl_number_parse_int(raw->entity, &row->entity) != SL_NUMBER_OK) {
        return bad(m, s->line, "an entity is not a whole number");
    }
    row->value = NAN;
    if (raw->value.len == 0) {
        note(m, SL_NOTE_EMPTY_VALUE, s->line);
    } else if (!sl_text_number(raw->value, &row->value, NULL)) {
        return bad(m, s->line, "a value is not a number");
    }
    if (isinf(row->value)) {
        note(m, SL_NOTE_INFINITE, s->line);
    }
    if (raw->third_digit) {
        note(m, SL_NOTE_DECIMAL_COMMA, s->line);
    }
    if (raw->open_quote) {
        note(m, SL_NOTE_QUOTE, s->line);
    }
    return SL_COSIM_OK;
}

static void reset(sl_message *m) {
    sl_message fresh;
    sl_message_init(&fresh);
    fresh.row.at = m->row.at;
    fresh.row.cap = m->row.cap;
    fresh.kind = SL_MESSAGE_DATA;
    *m = fresh;
}

sl_cosim_code sl_text_read(sl_context *ctx, char *text, size_t n, int64_t n_expected, sl_message *m) {
    reset(m);
    scanner s = scan(text, n);
    sl_cosim_code code = read_head(&s, m);
    if (code != SL_COSIM_OK) {
        return code;
    }
    if (!SL_RESERVE(ctx, &m->row, n_expected)) {
        return SL_COSIM_MEMORY;
    }
    raw_row raw;
    scanner at_header = s;
    if (next_row(&s, &raw)) {
        bool closed, headless = is_row(&raw);
        sl_str header;
        s = at_header;
        if (headless) {
            note(m, SL_NOTE_NO_HEADER, s.lines_passed + 1);
        } else {
            (void)next_line(&s, &header, &closed);
        }
    }
    while (next_row(&s, &raw)) {
        if (!row_is_whole(&raw)) {
            m->torn = true; /* its value may be longer than what is there */
            break;
        }
        if (m->n_row++ >= n_expected) {
            note(m, SL_NOTE_MANY_ROWS, s.line);
            continue;
        }
        sl_message_row row = {0};
        code = read_row(&s, &raw, m, &row);
        if (code != SL_COSIM_OK) {
            return code;
        }
        row.text = raw.quoted ? unquote(text, text, raw.text) : raw.text;
        m->row.at[m->row.n++] = row;
    }
    if (m->row.n < n_expected) {
        m->note[SL_NOTE_FEW_ROWS] = n_expected - m->row.n;
        m->note_line[SL_NOTE_FEW_ROWS] = s.lines_passed;
    }
    return SL_COSIM_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static bool put(sl_bytes *to, const char *text, size_t n) {
    if (!SL_RESERVE(to->ctx, to, to->n + (int64_t)n)) {
        return false;
    }
    if (n > 0) {
        memcpy(to->at + to->n, text, n);
        to->n += (int64_t)n;
    }
    return true;
}

static bool put_number(sl_bytes *to, double x) {
    char text[SL_NUMBER_MAX];
    return isfinite(x) ? put(to, text, sl_number_format(x, text)) : put(to, "NaN", 3);
}

static bool put_int(sl_bytes *to, int64_t x) {
    char text[SL_NUMBER_MAX];
    return put(to, text, sl_number_format_int(x, text));
}

/* Not more than TEXT_MOST bytes, and no character of UTF-8 in two. */
static sl_str cut(sl_str s) {
    if (s.len > TEXT_MOST) {
        s.len = TEXT_MOST;
        while (s.len > TEXT_MOST - 4 && ((unsigned char)s.ptr[s.len] & 0xC0) == 0x80) {
            s.len--;
        }
    }
    return s;
}

static bool put_clean(sl_bytes *to, sl_str s) {
    char text[TEXT_MOST];
    s = cut(s);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        text[i] = (char)(c == ',' ? ';' : c == '"' ? '\'' : c < ' ' || c == 0x7F ? ' ' : c);
    }
    return put(to, text, s.len);
}

static bool put_quoted(sl_bytes *to, sl_str s) {
    s = cut(s);
    bool ok = put(to, "\"", 1);
    for (size_t i = 0; ok && i < s.len; i++) {
        ok = s.ptr[i] == '"' ? put(to, "\"\"", 2) : put(to, s.ptr + i, 1);
    }
    return ok && put(to, "\"", 1);
}

static bool needs_quotes(sl_str s) {
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == ',' || c == '"' || c < ' ' || c == 0x7F) {
            return true;
        }
    }
    return s.len > 0 && (is_blank(s.ptr[0]) || is_blank(s.ptr[s.len - 1]));
}

bool sl_text_write(sl_bytes *to, const sl_message *m, bool quote) {
    if (m->kind == SL_MESSAGE_END) {
        return put(to, "END\n", 4);
    }
    bool ok = put(to, "TIME=", 5) && put_number(to, m->time) && put(to, "\nNEXT_TIMESTEP=", 15) &&
              put_number(to, m->next) && put(to, "\nentity,value,description\n", 26);
    for (int64_t i = 0; ok && i < m->row.n; i++) {
        const sl_message_row *r = &m->row.at[i];
        ok = put_int(to, r->entity) && put(to, ",", 1) && put_number(to, r->value) && put(to, ",", 1) &&
             (quote && needs_quotes(r->text) ? put_quoted(to, r->text) : put_clean(to, r->text)) && put(to, "\n", 1);
    }
    return ok;
}
