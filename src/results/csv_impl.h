/* SPDX-License-Identifier: MIT */
/* csv_impl.h: names of columns in .csv files, for the writer and the reader alike. docs/reference/results.md has them in words. */
#ifndef SL_RESULTS_CSV_IMPL_H
#define SL_RESULTS_CSV_IMPL_H

#include "results/format.h"

/* "L/s" as the end of a name: "_L_per_s"; "" and "1" have none. Returns the bytes; to has 9 per byte of the unit (% is _percent). */
size_t sl_csv_unit_suffix(const char *unit, char *to);
/* "pressure_L_per_s" of a quantity and its unit, in an arena. NULL: out of memory. */
const char *sl_csv_column_name(sl_arena *arena, const char *name, const char *unit);
/* Takes a known unit off the end of a name: its name, or "" where none is known. The unit is written as it came. */
const char *sl_csv_unit_take(sl_str *name);

/* An id as a part of a name: in single quotes, with \' and \\, where it could be misread. Returns the bytes; to has twice those of the
 * id and two. */
size_t sl_csv_id_quote(const char *id, char *to);
/* Reads an id from the beginning of text, up to a dot or the end, and takes it off with the dot. *quoted: it was. Escapes are resolved
 * in the text itself. False: the quotes do not end, or something else follows them. */
bool sl_csv_id_take(sl_str *text, sl_str *id, bool *quoted);

/* A cell of RFC 4180, quoted where it must be. Returns the bytes; to has twice those of the text and two. */
size_t sl_csv_quote(const char *text, char *to);

/* Groups of automata, whose names are those of their elements. */
bool sl_csv_is_bare(const sl_results_group *group);

/* csv_read.c: as sl_results_format has them. */
bool sl_csv_recognise(const unsigned char *head, size_t n, uint64_t size);
sl_status sl_csv_open(sl_results *r, sl_diags *diags);

#endif
