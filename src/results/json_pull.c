/* SPDX-License-Identifier: MIT */
/* json_pull.c: see json_pull.h. Lines and columns are counted when there is something to say, from the source once more: files of
 * results have few lines, and millions of numbers on one. */
#include "results/json_pull.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

static const char *const written_again = "the file is damaged: write it again with `sluice run` or `sluice convert`";

/* ---- Failures ----------------------------------------------------------------------------------- */

typedef struct location {
    uint64_t line, line_at; /* its number from 1; offset of its first byte */
    uint64_t column;        /* from 1, in characters */
} location;

/* Counts through the source up to an offset; nothing before it is wrong, so that its characters are UTF-8. */
static location locate(const sl_json_pull *p, uint64_t offset) {
    location l = {1, 0, 1};
    char block[4096];
    for (uint64_t at = 0; at < offset; at += sizeof block) {
        size_t n = offset - at < sizeof block ? (size_t)(offset - at) : sizeof block;
        if (p->source.read(p->source.user, at, block, n) != SL_OK) {
            break;
        }
        for (size_t i = 0; i < n; i++) {
            l.column += ((unsigned char)block[i] & 0xC0) != 0x80;
            if (block[i] == '\n') {
                l = (location){l.line + 1, at + i + 1, 1};
            }
        }
    }
    return l;
}

/* The part of the line around an offset; returns the column in it. */
static uint32_t excerpt(const sl_json_pull *p, uint64_t offset, uint64_t line_at, char *text, size_t size) {
    enum { BEFORE = 60 };
    uint64_t begin = offset - line_at > BEFORE ? offset - BEFORE : line_at;
    size_t n = p->source.size - begin < size - 1 ? (size_t)(p->source.size - begin) : size - 1;
    if (p->source.read(p->source.user, begin, text, n) != SL_OK) {
        n = 0;
    }
    text[n] = '\0';
    size_t skip = 0; /* of a character that was cut */
    while (skip < 4 && ((unsigned char)text[skip] & 0xC0) == 0x80) {
        skip++;
    }
    memmove(text, text + skip, n + 1 - skip);
    text[strcspn(text, "\r\n")] = '\0';
    size_t before = (size_t)(offset - begin) - skip, len = strlen(text);
    return (uint32_t)sl_utf8_count((sl_str){text, before < len ? before : len}) + 1;
}

static void report(sl_json_pull *p, uint64_t offset, const char *hint, const char *text) {
    if (p->status != SL_OK) {
        return;
    }
    p->status = SL_ERR_INPUT;
    location l = locate(p, offset);
    char source[100];
    sl_diag d = {.size = sizeof d,
                 .severity = SL_ERROR,
                 .code = SL_CODE_RESULT_FILE,
                 .text = text,
                 .hint = hint ? hint : written_again,
                 .file = p->file,
                 .line = l.line < UINT32_MAX ? (uint32_t)l.line : UINT32_MAX,
                 .column = l.column < UINT32_MAX ? (uint32_t)l.column : UINT32_MAX,
                 .length = 1,
                 .source = source,
                 .time = (double)NAN};
    d.source_column = excerpt(p, offset, l.line_at, source, sizeof source);
    sl_diags_add(p->diags, &d);
}

void sl_json_pull_fail(sl_json_pull *p, const char *hint, const char *fmt, ...) {
    char text[600];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    report(p, p->value, hint, text);
}

void sl_json_pull_out_of_memory(sl_json_pull *p) {
    p->status = p->status == SL_OK ? SL_ERR_MEMORY : p->status;
}

/* ---- Bytes -------------------------------------------------------------------------------------- */

void sl_json_pull_init(sl_json_pull *p, sl_context *ctx, const sl_source_bytes *source, const char *file,
                       sl_diags *diags) {
    p->source = *source;
    p->file = file;
    p->diags = diags;
    p->status = SL_OK;
    p->value = p->base = 0;
    p->at = p->n = 8;
    p->depth = 0;
    memset(p->window, ' ', 8);
    p->window[8] = '\0';
    sl_bytes_init(&p->text, ctx);
}

void sl_json_pull_fini(sl_json_pull *p) {
    sl_bytes_fini(&p->text);
}

static uint64_t offset_of(const sl_json_pull *p) {
    return p->base + (p->at - 8);
}

/* Moves the window on so that n bytes follow, or all that there are. */
static void fill(sl_json_pull *p, size_t n) {
    size_t left = p->n - p->at;
    uint64_t end = p->base + (p->n - 8), rest = p->source.size - end;
    if (left >= n || rest == 0 || p->status != SL_OK) {
        return;
    }
    p->base = offset_of(p);
    memmove(p->window + 8, p->window + p->at, left);
    p->at = 8;
    p->n = 8 + left;
    size_t more = sizeof p->window - 1 - p->n;
    more = rest < more ? (size_t)rest : more;
    sl_status status = p->source.read(p->source.user, end, p->window + p->n, more);
    if (status != SL_OK) {
        p->status = status;
    } else {
        p->n += more;
        p->window[p->n] = '\0';
    }
}

/* The next byte, -1 at the end. */
static int peek(sl_json_pull *p) {
    if (p->at == p->n) {
        fill(p, 1);
        if (p->at == p->n || p->status != SL_OK) {
            return -1;
        }
    }
    return (unsigned char)p->window[p->at];
}

/* The next byte that is no blank; it becomes the one to blame. */
static int peek_sign(sl_json_pull *p) {
    int c = peek(p);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        p->at++;
        c = peek(p);
    }
    p->value = offset_of(p);
    return p->status == SL_OK ? c : -1;
}

/* Something else than the byte that comes next was wanted. */
static void unexpected(sl_json_pull *p, const char *wanted) {
    uint64_t here = offset_of(p);
    int c = peek(p);
    char text[200];
    if (p->status != SL_OK) {
        return;
    }
    if (c < 0) {
        report(p, here, "the file is cut off: write it again with `sluice run` or `sluice convert`",
               "the file ends where more must follow");
    } else {
        sl_format(text, sizeof text,
                  c > ' ' && c < 0x7F ? "'%c' stands where %s must follow"
                                      : "the byte 0x%02x stands where %s must follow",
                  c, wanted);
        report(p, here, NULL, text);
    }
}

static bool take(sl_json_pull *p, char sign, const char *wanted) {
    if (peek_sign(p) != sign) {
        unexpected(p, wanted);
        return false;
    }
    p->at++;
    return true;
}

/* ---- Structure ---------------------------------------------------------------------------------- */

sl_json_kind sl_json_pull_peek(sl_json_pull *p) {
    int c = peek_sign(p);
    switch (c) {
    case '{': return SL_JSON_OBJECT;
    case '[': return SL_JSON_ARRAY;
    case '"': return SL_JSON_TEXT;
    case 'n': return SL_JSON_NULL;
    case 't':
    case 'f': return SL_JSON_BOOL;
    default: return c == '-' || (c >= '0' && c <= '9') ? SL_JSON_NUMBER : SL_JSON_NONE;
    }
}

static void open_value(sl_json_pull *p, char sign, const char *wanted) {
    if (take(p, sign, wanted)) {
        if (p->depth == SL_JSON_PULL_DEPTH) {
            sl_json_pull_fail(p, NULL, "more than %d objects and arrays are inside each other", SL_JSON_PULL_DEPTH);
            return;
        }
        p->first[++p->depth] = true;
    }
}

void sl_json_pull_object(sl_json_pull *p) {
    open_value(p, '{', "an object");
}

void sl_json_pull_array(sl_json_pull *p) {
    open_value(p, '[', "an array");
}

/* Is there another? Takes the comma before it, or the sign that closes. */
static bool next(sl_json_pull *p, char closing, const char *wanted) {
    int c = peek_sign(p);
    bool first = p->first[p->depth];
    if (c == closing) {
        p->at++;
        p->depth--;
        return false;
    }
    if (!first && !take(p, ',', wanted)) {
        return false;
    }
    p->first[p->depth] = false;
    return p->status == SL_OK;
}

bool sl_json_pull_element(sl_json_pull *p) {
    assert(p->status != SL_OK || p->depth > 0);
    return p->status == SL_OK && next(p, ']', "',' or ']'");
}

bool sl_json_pull_member(sl_json_pull *p, sl_str *key) {
    assert(p->status != SL_OK || p->depth > 0);
    if (p->status != SL_OK || !next(p, '}', "',' or '}'")) {
        return false;
    }
    *key = sl_json_pull_text(p);
    uint64_t here = p->value;
    if (p->status == SL_OK && take(p, ':', "':'")) {
        p->value = here;
    }
    return p->status == SL_OK;
}

void sl_json_pull_end(sl_json_pull *p) {
    if (peek_sign(p) >= 0) {
        unexpected(p, "the end of the file");
    }
}

/* ---- Texts -------------------------------------------------------------------------------------- */

static void append(sl_json_pull *p, const char *bytes, size_t n) {
    sl_sink sink = sl_bytes_sink(&p->text);
    if (sink.write(sink.user, bytes, n) != SL_OK) {
        sl_json_pull_out_of_memory(p);
    }
}

/* Four hexadecimal digits, or more than 0xFFFF. */
static uint32_t pull_hex(sl_json_pull *p) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    uint32_t c = 0;
    for (int i = 0; i < 4; i++) {
        int sign = peek(p);
        const char *d = sign > 0 ? strchr(digits, sign) : NULL;
        if (!d) {
            return UINT32_MAX;
        }
        c = c * 16 + (uint32_t)((d - digits) % 16);
        p->at++;
    }
    return c;
}

/* After \u; a character beyond 0xFFFF is two of them. */
static uint32_t pull_unicode(sl_json_pull *p) {
    uint32_t c = pull_hex(p);
    if (c >= 0xD800 && c < 0xDC00) {
        fill(p, 2);
        bool second = p->n - p->at >= 2 && p->window[p->at] == '\\' && p->window[p->at + 1] == 'u';
        p->at += second ? 2 : 0;
        uint32_t low = second ? pull_hex(p) : UINT32_MAX;
        return low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : UINT32_MAX;
    }
    return c < 0xDC00 || c >= 0xE000 ? c : UINT32_MAX;
}

/* After a backslash. */
static void pull_escape(sl_json_pull *p) {
    static const char letters[] = "btnfr\"\\/", meant[] = "\b\t\n\f\r\"\\/";
    uint64_t here = offset_of(p) - 1;
    int sign = peek(p);
    const char *letter = sign > 0 ? strchr(letters, sign) : NULL;
    if (sign < 0) {
        unexpected(p, "an escape");
        return;
    }
    p->at++;
    if (letter) {
        append(p, &meant[letter - letters], 1);
        return;
    }
    char u[4];
    uint32_t c = sign == 'u' ? pull_unicode(p) : UINT32_MAX;
    if (c == 0 || c > 0x10FFFF) {
        report(p, here, NULL, c == 0 ? "a text has a NUL character" : "an escape in a text is none of JSON");
        return;
    }
    append(p, u, sl_utf8_encode(c, u));
}

/* Bytes of a text up to its end, an escape, or the end of the window. */
static void pull_plain(sl_json_pull *p) {
    fill(p, 4);
    size_t begin = p->at, at = begin;
    while (at < p->n) {
        unsigned char b = (unsigned char)p->window[at];
        if (b >= 0x20 && b < 0x80 && b != '"' && b != '\\') {
            at++;
            continue;
        }
        uint32_t c;
        size_t k = b >= 0x80 ? sl_utf8_decode((sl_str){p->window + at, p->n - at}, &c) : 0;
        if (k <= 1) {
            break;
        }
        at += k;
    }
    append(p, p->window + begin, at - begin);
    p->at = at;
}

sl_str sl_json_pull_text(sl_json_pull *p) {
    p->text.n = 0;
    if (p->status != SL_OK || !take(p, '"', "a text")) {
        return (sl_str){"", 0};
    }
    uint64_t here = p->value;
    while (p->status == SL_OK) {
        pull_plain(p);
        fill(p, 4); /* a character that the window cut is whole now */
        int c = peek(p);
        uint32_t u;
        if (c == '"') {
            p->at++;
            p->value = here;
            append(p, "", 1);
            return p->status == SL_OK ? (sl_str){p->text.at, (size_t)p->text.n - 1} : (sl_str){"", 0};
        }
        if (c == '\\') {
            p->at++;
            pull_escape(p);
        } else if (c < 0) {
            unexpected(p, "the rest of a text");
        } else if (c < 0x20) {
            unexpected(p, "the rest of a text, without control characters,");
        } else if (c >= 0x80 && sl_utf8_decode((sl_str){p->window + p->at, p->n - p->at}, &u) <= 1) {
            report(p, offset_of(p), NULL, "a text is not UTF-8");
        }
    }
    return (sl_str){"", 0};
}

/* ---- Numbers and words -------------------------------------------------------------------------- */

static bool pull_word(sl_json_pull *p, const char *word) {
    size_t n = strlen(word);
    fill(p, n);
    if (p->n - p->at < n || memcmp(p->window + p->at, word, n) != 0) {
        return false;
    }
    p->at += n;
    return true;
}

bool sl_json_pull_bool(sl_json_pull *p) {
    (void)peek_sign(p);
    if (p->status != SL_OK || pull_word(p, "true")) {
        return p->status == SL_OK;
    }
    if (!pull_word(p, "false")) {
        unexpected(p, "true or false");
    }
    return false;
}

static bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* The end of the number at s, which a byte that belongs to none follows; NULL: it is none of RFC 8259. */
static const char *number_end(const char *s) {
    s += *s == '-';
    if (!is_digit(*s) || (*s == '0' && is_digit(s[1]))) {
        return NULL;
    }
    while (is_digit(*s)) {
        s++;
    }
    if (*s == '.') {
        s++;
        if (!is_digit(*s)) {
            return NULL;
        }
        while (is_digit(*s)) {
            s++;
        }
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        if (!is_digit(*s)) {
            return NULL;
        }
        while (is_digit(*s)) {
            s++;
        }
    }
    return s;
}

static double pull_number(sl_json_pull *p) {
    double x = (double)NAN;
    fill(p, SL_JSON_PULL_NUMBER + 1);
    const char *begin = p->window + p->at, *end = number_end(begin); /* a NUL behind the window ends it */
    if (!end || (size_t)(end - begin) >= SL_JSON_PULL_NUMBER) {
        sl_json_pull_fail(p, NULL, end ? "a number has %d characters or more" : "a number is none of JSON",
                          SL_JSON_PULL_NUMBER);
        return x;
    }
    if (sl_number_parse_within((sl_str){begin, (size_t)(end - begin)}, &x) != SL_NUMBER_OK) {
        sl_json_pull_fail(p, NULL, "a number is beyond 1.8e308");
        return (double)NAN;
    }
    p->at += (size_t)(end - begin);
    return x;
}

double sl_json_pull_real(sl_json_pull *p) {
    int c = peek_sign(p);
    if (p->status != SL_OK) {
        return (double)NAN;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return pull_number(p);
    }
    if (c == 'n' && pull_word(p, "null")) {
        return (double)NAN;
    }
    if (c == '"' && pull_word(p, "\"inf\"")) {
        return (double)INFINITY;
    }
    if (c == '"' && pull_word(p, "\"-inf\"")) {
        return -(double)INFINITY;
    }
    unexpected(p, "a number, null, \"inf\" or \"-inf\"");
    return (double)NAN;
}

int64_t sl_json_pull_reals(sl_json_pull *p, double *x, int64_t n) {
    int64_t i = 0;
    while (i < n && sl_json_pull_element(p)) {
        x[i++] = sl_json_pull_real(p);
    }
    return i;
}

/* ---- Whatever it is ----------------------------------------------------------------------------- */

static void skip_simple(sl_json_pull *p, sl_json_kind kind) {
    if (kind == SL_JSON_TEXT) {
        (void)sl_json_pull_text(p);
    } else if (kind == SL_JSON_BOOL) {
        (void)sl_json_pull_bool(p);
    } else if (kind == SL_JSON_NUMBER || kind == SL_JSON_NULL) {
        (void)sl_json_pull_real(p);
    } else {
        unexpected(p, "a value");
    }
}

void sl_json_pull_skip(sl_json_pull *p) {
    bool object[SL_JSON_PULL_DEPTH + 1];
    int outside = p->depth;
    sl_str key;
    do {
        sl_json_kind kind = sl_json_pull_peek(p);
        if (kind == SL_JSON_OBJECT || kind == SL_JSON_ARRAY) {
            (kind == SL_JSON_OBJECT ? sl_json_pull_object : sl_json_pull_array)(p);
            object[p->depth] = kind == SL_JSON_OBJECT;
        } else {
            skip_simple(p, kind);
        }
        while (p->status == SL_OK && p->depth > outside &&
               !(object[p->depth] ? sl_json_pull_member(p, &key) : sl_json_pull_element(p))) {}
    } while (p->status == SL_OK && p->depth > outside);
}
