/* SPDX-License-Identifier: MIT */
/* sluice/diag.h: diagnostics: all errors, warnings and remarks that Sluice reports.
 *
 * A diagnostic has a severity, a stable code (a word that does not change between versions, listed in
 * sluice/diag_codes.h and docs/reference/diagnostics.md), a text, a remedy, the object that it concerns, its
 * location in the input, and the simulation time. A list collects diagnostics; other functions print them.
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

/* All text is owned by the list and NUL-terminated. Absent text is NULL; absent numbers are 0. Set the size of a copy. */
typedef struct sl_diag {
    size_t size;
    sl_severity severity;
    sl_code code;
    const char *text;        /* what is wrong */
    const char *hint;        /* remedy */
    const char *object_kind; /* "pipe" */
    const char *object_id;   /* "P1" */
    const char *file;        /* as the caller named the input */
    uint32_t line;           /* from 1 */
    uint32_t column;         /* from 1, in characters (UTF-8 code points), not bytes */
    uint32_t length;         /* characters of the offending text, at least 1 when column is set */
    const char *source;      /* the source line; of a long line, the text around the column */
    uint32_t source_column;  /* column within source, from 1, in characters */
    double time;             /* simulation time [s]; NaN when there is none */
} sl_diag;

typedef struct sl_diags sl_diags;

SL_API sl_status sl_diags_create(sl_context *ctx, sl_diags **out);
SL_API void sl_diags_destroy(sl_diags *diags);
/* Removes all records and keeps the memory. */
SL_API void sl_diags_clear(sl_diags *diags);

/* Largest number of stored records, default 10000. Further ones are only counted. */
SL_API void sl_diags_set_limit(sl_diags *diags, int32_t limit);

SL_API int32_t sl_diags_size(const sl_diags *diags);
SL_API const sl_diag *sl_diags_at(const sl_diags *diags, int32_t i);
/* Number of reported records of this severity, stored or not. */
SL_API int64_t sl_diags_count(const sl_diags *diags, sl_severity severity);
/* Number of reported records that were not stored. */
SL_API int64_t sl_diags_dropped(const sl_diags *diags);

/* Adds a copy of d. diags may be NULL. It never fails: a record that cannot be stored is counted. */
SL_API void sl_diags_add(sl_diags *diags, const sl_diag *d);

/* Stable sort: by file, line, column. Records without a location follow in their original order. */
SL_API void sl_diags_sort(sl_diags *diags);

/* Text for people, one block per record:
 *     town.inp:7:6: error: elevation 'ten' is not a number [not-a-number]
 *        7 | J2   ten   5
 *          |      ^~~
 *          = hint ...
 * With colour, ANSI escapes are added. */
SL_API sl_status sl_diags_render_text(const sl_diags *diags, const sl_sink *sink, bool colour);
/* One JSON object per line: severity code text hint object{kind,id} file line column length source time.
 * Absent members are omitted. source_column is present if the source was shortened and it differs from column. */
SL_API sl_status sl_diags_render_json(const sl_diags *diags, const sl_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
