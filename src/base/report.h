/* SPDX-License-Identifier: MIT */
/* report.h: adding diagnostics from inside the library with little ceremony.
 *
 *     sl_report(diags, SL_ERROR, SL_CODE_SELF_LOOP, &place, "pipe", id, "joins %s to itself", node);
 *
 * A place is the input text and a byte range in it; line, character column and the excerpt are worked out
 * from it here, once, so that nobody counts columns by hand.
 */
#ifndef SL_BASE_REPORT_H
#define SL_BASE_REPORT_H

#include <sluice/diag.h>

typedef struct sl_text_location {
    const char *file; /* may be NULL */
    uint32_t line;    /* from 1; 0: no place at all */
    sl_str text;      /* the whole line without its line end; ptr NULL: line only, no column */
    size_t begin;     /* byte offset of the offending text in the line */
    size_t length;    /* its bytes; 0 points between (end of line) */
    /* Of text that its source writes otherwise (over several lines, with escapes): text is the text as it was meant, and resolve finds
     * where begin and length are in the source. It is called while the source is there. NULL: text is a line. */
    struct sl_text_location (*resolve)(const struct sl_text_location *of);
    void *source;
    const void *part; /* of the source */
} sl_text_location;

/* The line itself, of any location. */
static inline sl_text_location sl_text_location_resolve(const sl_text_location *of) {
    return of->resolve ? of->resolve(of) : *of;
}

/* Adds copies of all records of another list. diags may be NULL. */
void sl_diags_add_all(sl_diags *diags, const sl_diags *from);
/* Adds a record; place, kind, id and hint may be NULL. Text is formatted by printf rules. */
void sl_report(sl_diags *diags, sl_severity severity, sl_code code, const sl_text_location *place, const char *kind,
               const char *id, const char *hint, const char *fmt, ...) SL_PRINTF(8, 9);

/* Text for a message: quoted, control characters as \xNN, cut to 40 characters with "..." after them.
 * Returns buf. */
enum { SL_QUOTE_MAX = 256 };
const char *sl_quote(sl_str text, char buf[SL_QUOTE_MAX]);

#endif
