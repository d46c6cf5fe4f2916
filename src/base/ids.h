/* SPDX-License-Identifier: MIT */
/* ids.h: interned ids. A table maps text of any length (any bytes, UTF-8 by convention, case-sensitive)
 * to the integers 0, 1, 2, ... in order of arrival, and back.
 *
 * Open addressing with linear probing on a power of two, at most 1/2 full; each slot keeps the length and the
 * last bytes so that a probe touches other memory only for a long id that is likely the one. Ids that count
 * (J1, J2, J3, ...) are kept as runs, of which only the first is in the table. Text lives in one growing pool,
 * NUL-terminated. Pointers returned by sl_ids_text are valid until the next add.
 */
#ifndef SL_BASE_IDS_H
#define SL_BASE_IDS_H

#include <sluice/base.h>

typedef struct sl_ids sl_ids;

sl_ids *sl_ids_create(sl_context *ctx); /* NULL: out of memory */
void sl_ids_destroy(sl_ids *ids);
int32_t sl_ids_count(const sl_ids *ids);
/* Index of the id, or -1. */
int32_t sl_ids_find(const sl_ids *ids, sl_str id);
/* Adds the id and returns its new index; if it is there already returns -1 - index; INT32_MIN: memory. */
int32_t sl_ids_add(sl_ids *ids, sl_str id);
/* The same of an id whose last 8 bytes the caller has as a word: sl_last_word, or quicker sl_last_word_within (bytes.h). */
int32_t sl_ids_find_word(const sl_ids *ids, sl_str id, uint64_t last);
int32_t sl_ids_add_word(sl_ids *ids, sl_str id, uint64_t last);
/* As sl_ids_find_word; looks first at the id of index *hint, where the last look-up hit (-1: none yet), and at the one behind
 * it: files name objects in the same order again and again. A hit moves the hint. */
int32_t sl_ids_find_near(const sl_ids *ids, sl_str id, uint64_t last, int32_t *hint);
/* Makes room for the text of n ids in n_byte bytes, and notes n: should the ids not count, the table grows to their
 * number at once. */
bool sl_ids_reserve(sl_ids *ids, int64_t n, int64_t n_byte);
sl_str sl_ids_text(const sl_ids *ids, int32_t index);
const char *sl_ids_z(const sl_ids *ids, int32_t index);
/* Nearest id for a mistyped one: least Damerau-Levenshtein distance (case differences cost half), within
 * about a third of the length; the first in order wins ties. -1 if none is near. Looks at the first
 * 20000 ids and, in larger tables, all ids of a similar length up to a work limit. A miss costs a
 * millisecond or two: a caller with thousands of them stops asking after the first few dozen. */
int32_t sl_ids_nearest(const sl_ids *ids, sl_str id);

/* 64-bit hash of bytes (own multiply-fold; stable within one build, not across versions). */
uint64_t sl_hash_bytes(const void *bytes, size_t n);
/* Damerau-Levenshtein distance in half steps: a change, insertion, deletion or swap of neighbours costs 2,
 * a change of case 1. Gives up beyond limit and returns limit + 1. Texts over 64 bytes count as far. */
int sl_edit_distance(sl_str a, sl_str b, int limit);
/* The word of a NULL-terminated list that was probably meant, or NULL. */
const char *sl_nearest_word(const char *word, const char *const *words);

#endif
