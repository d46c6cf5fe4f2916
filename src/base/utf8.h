/* SPDX-License-Identifier: MIT */
/* utf8.h: characters of text that claims to be UTF-8.
 *
 * A byte that does not belong to a valid sequence (overlong forms, surrogates and values beyond U+10FFFF
 * included) counts as one character, the one it would be in Latin-1. So every input has a well-defined
 * number of characters and every column points somewhere.
 */
#ifndef SL_BASE_UTF8_H
#define SL_BASE_UTF8_H

#include <sluice/base.h>

/* First character of non-empty text; returns its bytes. 1 byte with *c >= 0x80 means: not UTF-8. */
size_t sl_utf8_decode(sl_str s, uint32_t *c);
/* Returns the bytes written, 1 to 4. */
size_t sl_utf8_encode(uint32_t c, char out[4]);
size_t sl_utf8_count(sl_str s); /* characters */
/* Terminal cells: 0 combining, 2 East Asian wide, else 1. */
int sl_utf8_width(uint32_t c);
/* Would disturb a terminal or reorder text: control characters, line separators, direction overrides. */
bool sl_utf8_unsafe(uint32_t c);

/* Does the whole text fit the pattern? '*' is any text, '?' one character; the last '*' is tried again further on where the rest
 * does not fit. */
bool sl_glob_fits(const char *pattern, const char *text);

#endif
