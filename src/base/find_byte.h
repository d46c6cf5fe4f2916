/* SPDX-License-Identifier: MIT */
/* find_byte.h: bytes in long texts. */
#ifndef SL_BASE_FIND_BYTE_H
#define SL_BASE_FIND_BYTE_H

#include <stddef.h>

/* The first byte c of a long text, or its end. */
const char *sl_find_byte(const char *p, const char *end, char c);
/* How many bytes c there are. */
size_t sl_count_byte(const char *p, const char *end, char c);

#endif
