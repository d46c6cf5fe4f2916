/* SPDX-License-Identifier: MIT */
/* json_pull.h: JSON (RFC 8259) from a source of bytes, value by value as the caller asks for them.
 *
 *     sl_json_pull_object(p);
 *     while (sl_json_pull_member(p, &key)) {
 *         ... one value ...
 *     }
 *
 * The first failure is reported with line and column and sticks: everything after it does nothing and gives false or nothing, so
 * that a caller asks once. Memory is a window on the source and the longest text; nothing is allocated because of a number in the
 * source. Strict: no comments, no trailing commas, valid UTF-8, numbers as RFC 8259 has them, no more than 64 levels. Texts without
 * NUL, because they become C texts.
 */
#ifndef SL_RESULTS_JSON_PULL_H
#define SL_RESULTS_JSON_PULL_H

#include <sluice/diag.h>
#include <sluice/results.h>

#include "base/memory.h"
#include "base/out.h"

enum {
    SL_JSON_PULL_DEPTH = 64,
    SL_JSON_PULL_NUMBER = 1024, /* characters of a number at most */
    SL_JSON_PULL_WINDOW = 1 << 16
};

typedef enum sl_json_kind {
    SL_JSON_NONE, /* no value begins here */
    SL_JSON_NULL,
    SL_JSON_BOOL,
    SL_JSON_NUMBER,
    SL_JSON_TEXT,
    SL_JSON_ARRAY,
    SL_JSON_OBJECT
} sl_json_kind;

typedef struct sl_json_pull {
    sl_source_bytes source;
    const char *file; /* for diagnostics */
    sl_diags *diags;
    sl_status status; /* the first failure */
    uint64_t value;   /* offset of the value or key that was asked for last: where it is to blame */
    uint64_t base;    /* offset of the window */
    size_t at, n;     /* next byte and end in the window */
    int depth;
    bool first[SL_JSON_PULL_DEPTH + 1];
    sl_bytes text;
    char window[8 + SL_JSON_PULL_WINDOW + 1]; /* numbers are read with up to 8 bytes before them; a NUL behind them */
} sl_json_pull;

void sl_json_pull_init(sl_json_pull *p, sl_context *ctx, const sl_source_bytes *source, const char *file,
                       sl_diags *diags);
void sl_json_pull_fini(sl_json_pull *p);

/* What comes next. */
sl_json_kind sl_json_pull_peek(sl_json_pull *p);
void sl_json_pull_object(sl_json_pull *p);
void sl_json_pull_array(sl_json_pull *p);
/* False: the object or array was closed, or there is a failure. The key is valid until the next text or key. */
bool sl_json_pull_member(sl_json_pull *p, sl_str *key);
bool sl_json_pull_element(sl_json_pull *p);
sl_str sl_json_pull_text(sl_json_pull *p); /* valid until the next text or key */
double sl_json_pull_real(sl_json_pull *p); /* as sl_json_real writes them; NaN after a failure */
bool sl_json_pull_bool(sl_json_pull *p);
void sl_json_pull_skip(sl_json_pull *p); /* one value, whatever it is */
/* The next n elements of an array of numbers, or as many as there are. */
int64_t sl_json_pull_reals(sl_json_pull *p, double *x, int64_t n);
/* After the outermost value only blanks may follow. */
void sl_json_pull_end(sl_json_pull *p);

/* Says that the value or key that was asked for last is wrong. */
void sl_json_pull_fail(sl_json_pull *p, const char *hint, const char *fmt, ...) SL_PRINTF(3, 4);
void sl_json_pull_out_of_memory(sl_json_pull *p);

#endif
