/* SPDX-License-Identifier: MIT */
/* sluice/diag.h: diagnostics, the one way in which Sluice says what is wrong.
 *
 * A diagnostic has a severity, a stable code (a word that will not change between versions, listed in
 * sluice/diag_codes.h and docs/reference/diagnostics.md), text, a remedy, the object it is about, its
 * place in the input, and the simulation time. A list collects them; rendering is separate.
 */
#ifndef SLUICE_DIAG_H
#define SLUICE_DIAG_H

#include <sluice/base.h>
#include <sluice/diag_codes.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_code {
#define SL_CODE(name, word, meaning) SL_CODE_##name,
    SL_CODE_LIST(SL_CODE)
#undef SL_CODE
        SL_CODE_COUNT
} sl_code;

/* The stable word of a code ("not-a-number") and its one-line meaning. */
SL_API const char *sl_code_word(sl_code code);
SL_API const char *sl_code_meaning(sl_code code);

/* All text is owned by the list and NUL-terminated; absent text is NULL, absent numbers are 0. Who copies one sets the size of
 * the copy. */
typedef struct sl_diag {
    size_t size;
    sl_severity severity;
    sl_code code;
    const char *text;        /* what is wrong */
    const char *hint;        /* what to do about it */
    const char *object_kind; /* "pipe" */
    const char *object_id;   /* "P1" */
    const char *file;        /* as the caller named the input */
    uint32_t line;           /* from 1 */
    uint32_t column;         /* from 1, in characters (UTF-8 code points), not bytes */
    uint32_t length;         /* characters of the offending text, at least 1 when column is set */
    const char *source;      /* the source line or, if it is long, the part around the column */
    uint32_t source_column;  /* column within source, from 1, in characters */
    double time;             /* simulation time [s]; NaN when there is none */
} sl_diag;

typedef struct sl_diags sl_diags;

SL_API sl_status sl_diags_create(sl_context *ctx, sl_diags **out);
SL_API void sl_diags_destroy(sl_diags *diags);
/* Forgets all records, keeps the memory. */
SL_API void sl_diags_clear(sl_diags *diags);

/* Records kept; further ones are counted only (default 10000). */
SL_API void sl_diags_set_limit(sl_diags *diags, int32_t limit);

SL_API int32_t sl_diags_size(const sl_diags *diags);
SL_API const sl_diag *sl_diags_at(const sl_diags *diags, int32_t i);
/* How many of this severity were reported, kept or not. */
SL_API int64_t sl_diags_count(const sl_diags *diags, sl_severity severity);
/* How many were reported but not kept. */
SL_API int64_t sl_diags_dropped(const sl_diags *diags);

/* Adds a copy of d. diags may be NULL. Never fails: what cannot be kept is counted. */
SL_API void sl_diags_add(sl_diags *diags, const sl_diag *d);

/* Stable sort: by file, line, column. Records without a place keep their order after those with one. */
SL_API void sl_diags_sort(sl_diags *diags);

/* Text for people, one block per record:
 *     town.inp:7:6: error: elevation 'ten' is not a number [not-a-number]
 *        7 | J2   ten   5
 *          |      ^~~
 *          = hint ...
 * With colour, ANSI escapes are added. */
SL_API sl_status sl_diags_render_text(const sl_diags *diags, const sl_sink *sink, bool colour);
/* One JSON object per line: severity code text hint object{kind,id} file line column length source time.
 * Absent members are left out; source_column is there when the source was cut and it differs from column. */
SL_API sl_status sl_diags_render_json(const sl_diags *diags, const sl_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
