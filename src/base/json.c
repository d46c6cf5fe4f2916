/* SPDX-License-Identifier: MIT */
/* json.c: writing JSON (RFC 8259).
 *
 * Layout: with an indent every member and element has its own line; inline values are written on one line
 * with ", " and ": "; without an indent no blank is written at all.
 */
#include "base/out.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum { MAX_DEPTH = 31 };

void sl_json_init(sl_json *json, sl_out *out, int indent) {
    *json = (sl_json){.out = out, .indent = indent};
    json->first[0] = true;
}

static bool broken_lines(const sl_json *json) {
    return json->indent > 0 && (json->inline_depth == 0 || json->depth < json->inline_depth);
}

static void new_line(sl_json *json) {
    sl_out_char(json->out, '\n');
    sl_out_pad(json->out, (size_t)json->indent * (size_t)json->depth, 0);
}

/* Before a key, or before a value that has no key: the comma and the place. */
static void separate(sl_json *json) {
    if (json->depth == 0) {
        return;
    }
    bool first = json->first[json->depth];
    json->first[json->depth] = false;
    if (!first) {
        sl_out_char(json->out, ',');
    }
    if (broken_lines(json)) {
        new_line(json);
    } else if (!first && json->indent > 0) {
        sl_out_char(json->out, ' ');
    }
}

static void before_value(sl_json *json) {
    if (json->depth > MAX_DEPTH) {
        return; /* the status is set: nothing is written any more */
    }
    assert(json->depth == 0 || json->after_key == json->object[json->depth]);
    if (json->after_key) {
        json->after_key = false;
    } else {
        separate(json);
    }
}

/* Called when a value is complete: an inline mark that was set for it ends here. */
static void after_value(sl_json *json) {
    if (json->inline_depth > json->depth) {
        json->inline_depth = 0;
    }
}

static void open_value(sl_json *json, bool object) {
    before_value(json);
    if (json->depth >= MAX_DEPTH) {
        if (json->out->status == SL_OK) {
            json->out->status = SL_ERR_USE;
        }
        json->depth++; /* counted, so that the matching end comes back to the right level */
        return;
    }
    sl_out_char(json->out, object ? '{' : '[');
    json->depth++;
    json->first[json->depth] = true;
    json->object[json->depth] = object;
}

void sl_json_object(sl_json *json) {
    open_value(json, true);
}

void sl_json_array(sl_json *json) {
    open_value(json, false);
}

void sl_json_inline(sl_json *json) {
    int depth = json->after_key || json->depth == 0 ? json->depth + 1 : json->depth;
    if (json->inline_depth == 0) {
        json->inline_depth = depth;
    }
}

void sl_json_end(sl_json *json) {
    assert(json->depth > 0 && !json->after_key);
    if (json->depth > MAX_DEPTH) {
        json->depth--;
        return;
    }
    bool object = json->object[json->depth];
    bool line = broken_lines(json) && !json->first[json->depth];
    json->depth--;
    if (line) {
        new_line(json);
    }
    sl_out_char(json->out, object ? '}' : ']');
    after_value(json);
}

static void escape(sl_out *out, uint32_t c) {
    static const char names[] = "\b\t\n\f\r\"\\";
    static const char letters[] = "btnfr\"\\";
    const char *at = c < 0x80 && c != 0 ? strchr(names, (int)c) : NULL;
    if (at) {
        sl_out_char(out, '\\');
        sl_out_char(out, letters[at - names]);
    } else {
        sl_out_printf(out, "\\u%04x", (unsigned)c);
    }
}

static void quoted(sl_out *out, sl_str s) {
    sl_out_char(out, '"');
    size_t plain = 0; /* start of the run that needs no change */
    for (size_t i = 0; i < s.len;) {
        uint32_t c = (unsigned char)s.ptr[i];
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
            i++;
            continue;
        }
        size_t k = sl_utf8_decode((sl_str){s.ptr + i, s.len - i}, &c);
        if (k > 1) {
            i += k;
            continue;
        }
        sl_out_bytes(out, s.ptr + plain, i - plain);
        if (c < 0x80) {
            escape(out, c);
        } else {
            char u[4];
            sl_out_bytes(out, u, sl_utf8_encode(c, u));
        }
        i++;
        plain = i;
    }
    sl_out_bytes(out, s.ptr + plain, s.len - plain);
    sl_out_char(out, '"');
}

void sl_json_key(sl_json *json, const char *key) {
    assert(json->depth > 0 && !json->after_key && (json->depth > MAX_DEPTH || json->object[json->depth]));
    if (json->depth > MAX_DEPTH) {
        return;
    }
    separate(json);
    quoted(json->out, sl_str_z(key));
    sl_out_z(json->out, json->indent > 0 ? ": " : ":");
    json->after_key = true;
}

void sl_json_str(sl_json *json, sl_str s) {
    before_value(json);
    quoted(json->out, s.len ? s : sl_str_z(""));
    after_value(json);
}

static void word(sl_json *json, const char *z) {
    before_value(json);
    sl_out_z(json->out, z);
    after_value(json);
}

void sl_json_z(sl_json *json, const char *z) {
    if (z) {
        sl_json_str(json, sl_str_z(z));
    } else {
        word(json, "null");
    }
}

void sl_json_number(sl_json *json, double x) {
    if (!isfinite(x)) {
        word(json, "null");
        return;
    }
    before_value(json);
    sl_out_number(json->out, x);
    after_value(json);
}

void sl_json_int(sl_json *json, int64_t x) {
    before_value(json);
    sl_out_int(json->out, x);
    after_value(json);
}

/* The bytes of a real, no more than SL_NUMBER_MAX. */
static size_t format_real(double x, char *text) {
    if (x > 0 && x < 10 && x == (double)(int)x) { /* codes, counts, settings */
        *text = (char)('0' + (int)x);
        return 1;
    }
    const char *word = isnan(x) ? "null" : x > 0 ? "\"inf\"" : x < 0 ? "\"-inf\"" : "-0.0";
    if (isfinite(x) && (x != 0 || !signbit(x))) {
        return sl_number_format(x, text);
    }
    const sl_str s = sl_str_z(word);
    memcpy(text, s.ptr, s.len);
    return s.len;
}

void sl_json_real(sl_json *json, double x) {
    char text[SL_NUMBER_MAX];
    before_value(json);
    sl_out_bytes(json->out, text, format_real(x, text));
    after_value(json);
}

/* Straight into the buffer: a result has a hundred million bytes of these. */
void sl_json_reals(sl_json *json, const double *x, int64_t n) {
    sl_out *out = json->out;
    before_value(json);
    sl_out_char(out, '[');
    for (int64_t i = 0; i < n; i++) {
        if (out->n > SL_OUT_BUFFER - SL_NUMBER_MAX - 1) {
            sl_out_flush(out);
        }
        char *at = out->buf + out->n;
        if (i > 0) {
            *at++ = ',';
        }
        at += format_real(x[i], at);
        size_t n_byte = (size_t)(at - out->buf) - out->n;
        out->n += n_byte;
        out->column += n_byte;
    }
    sl_out_char(out, ']');
    after_value(json);
}

void sl_json_raw(sl_json *json, sl_str text) {
    before_value(json);
    sl_out_str(json->out, text);
    after_value(json);
}

void sl_json_bool(sl_json *json, bool x) {
    word(json, x ? "true" : "false");
}

void sl_json_null(sl_json *json) {
    word(json, "null");
}

void sl_json_member_z(sl_json *json, const char *key, const char *z) {
    sl_json_key(json, key);
    sl_json_z(json, z);
}

void sl_json_member_int(sl_json *json, const char *key, int64_t x) {
    sl_json_key(json, key);
    sl_json_int(json, x);
}

void sl_json_member_number(sl_json *json, const char *key, double x) {
    sl_json_key(json, key);
    sl_json_number(json, x);
}

void sl_json_member_bool(sl_json *json, const char *key, bool x) {
    sl_json_key(json, key);
    sl_json_bool(json, x);
}
