/* SPDX-License-Identifier: MIT */
/* count_text.h: numbers of things and of bytes in words. */
#ifndef SL_BASE_COUNT_TEXT_H
#define SL_BASE_COUNT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/out.h"

enum { SL_PLURAL_MAX = 64 };
/* "1 pipe", "2 pipes"; the plural ends in s unless given. Returns buf. */
const char *sl_plural(int64_t n, const char *one, const char *many, char buf[SL_PLURAL_MAX]);
/* "812 B", "29.9 kB". Returns buf. */
const char *sl_size_text(uint64_t n, char buf[SL_PLURAL_MAX]);

/* Appends to a text in buf, by printf rules; what does not fit is cut. For lists: "%s%s", buf[0] ? ", " : "", word. */
void sl_append(char *buf, size_t size, const char *fmt, ...) SL_PRINTF(3, 4);

#endif
