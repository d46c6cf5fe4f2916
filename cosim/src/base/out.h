/* SPDX-License-Identifier: MIT */
/* out.h: buffered text into a sink, with a sticky status, and JSON on top of it. */
#ifndef SL_BASE_OUT_H
#define SL_BASE_OUT_H

#include <sluice/base.h>

#include "base/memory.h"

#include <stdarg.h>

/* vsnprintf in the C locale, whatever the host program has set: the decimal point is '.'. */
int sl_vformat(char *buf, size_t size, const char *fmt, va_list args) SL_PRINTF(3, 0);
int sl_format(char *buf, size_t size, const char *fmt, ...) SL_PRINTF(3, 4);
/* The text in an arena. NULL: out of memory. */
char *sl_arena_format(sl_arena *arena, const char *fmt, ...) SL_PRINTF(2, 3);

enum { SL_OUT_BUFFER = 1 << 16 };

typedef struct sl_out {
    sl_sink sink;
    sl_status status; /* first failure; nothing is written after it */
    size_t n;
    size_t column; /* bytes since the last line end, for alignment */
    char buf[SL_OUT_BUFFER];
} sl_out;

void sl_out_init(sl_out *out, const sl_sink *sink);
sl_status sl_out_flush(sl_out *out); /* also returns the status */
void sl_out_bytes(sl_out *out, const void *bytes, size_t n);
void sl_out_str(sl_out *out, sl_str s);
void sl_out_z(sl_out *out, const char *z);
void sl_out_char(sl_out *out, char c);
void sl_out_int(sl_out *out, int64_t x);
void sl_out_number(sl_out *out, double x); /* shortest exact */
/* Up to SL_OUT_BUFFER - 1 bytes at a time (longer: SL_ERR_USE); a decimal point is always '.'. */
void sl_out_printf(sl_out *out, const char *fmt, ...) SL_PRINTF(2, 3);
/* Blanks up to the column (bytes), at least min_blanks. */
void sl_out_pad(sl_out *out, size_t column, size_t min_blanks);

/* JSON writer (src/base/json.c, no part of the CoSim library): commas, nesting and escapes are kept by it. Bytes that are not UTF-8 are taken as Latin-1.
 * Non-finite numbers become null. indent 0: one line, no blanks. Nothing is written after the outermost
 * value: a line end is the caller's. More than 31 levels give SL_ERR_USE in the writer's status. */
typedef struct sl_json {
    sl_out *out;
    int indent;
    int depth;
    bool first[32]; /* nothing written at this depth yet */
    bool after_key;
    bool object[32];  /* what is open at this depth: object or array */
    int inline_depth; /* no line breaks at this depth and below it; 0: none */
} sl_json;

void sl_json_init(sl_json *json, sl_out *out, int indent);
void sl_json_object(sl_json *json); /* { */
void sl_json_array(sl_json *json);  /* [ */
/* No line breaks within the value that follows (right after a key) or that is open (anywhere else). */
void sl_json_inline(sl_json *json);
void sl_json_end(sl_json *json); /* closes what is open, object or array */
void sl_json_key(sl_json *json, const char *key);
void sl_json_str(sl_json *json, sl_str s);
void sl_json_z(sl_json *json, const char *z); /* NULL: null */
void sl_json_number(sl_json *json, double x);
void sl_json_int(sl_json *json, int64_t x);
/* A number that reads back bit for bit: null for NaN, "inf" and "-inf" as text, -0.0. */
void sl_json_real(sl_json *json, double x);
/* An array of them on one line. For millions. */
void sl_json_reals(sl_json *json, const double *x, int64_t n);
/* A value that is JSON already. */
void sl_json_raw(sl_json *json, sl_str text);
void sl_json_bool(sl_json *json, bool x);
void sl_json_null(sl_json *json);
/* A key and its value. */
void sl_json_member_z(sl_json *json, const char *key, const char *z);
void sl_json_member_int(sl_json *json, const char *key, int64_t x);
void sl_json_member_number(sl_json *json, const char *key, double x);
void sl_json_member_bool(sl_json *json, const char *key, bool x);

/* A sink that collects bytes in memory. */
typedef struct sl_bytes {
    sl_context *ctx;
    char *at; /* not NUL-terminated */
    int64_t n;
    int64_t cap;
} sl_bytes;

void sl_bytes_init(sl_bytes *b, sl_context *ctx);
void sl_bytes_fini(sl_bytes *b);
sl_sink sl_bytes_sink(sl_bytes *b);

#endif
