/* SPDX-License-Identifier: MIT */
/* sized.h: structures that cross the library's interface and begin with their size; see sluice/base.h.
 *
 * A caller built against another version knows fewer or more members than we do: what both know is copied, no more. Of a
 * definition the rest keeps its default; of what we fill, the rest stays as the caller left it.
 */
#ifndef SL_BASE_SIZED_H
#define SL_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Does the structure say how large it is? A caller who forgot left 0 there. */
static inline bool sl_sized_valid(const void *s) {
    size_t size;
    if (!s) {
        return false;
    }
    memcpy(&size, s, sizeof size);
    return size > sizeof size;
}

/* Copies the members that both know, without the size. */
static inline void sl_sized_copy(void *to, size_t to_size, const void *from, size_t from_size) {
    size_t n = to_size < from_size ? to_size : from_size;
    memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t), n - sizeof(size_t));
}

/* Reads a caller's definition (NULL: nothing) over ours, which has size bytes and the defaults. False: it has no size. */
static inline bool sl_sized_take(void *to, size_t size, const void *from) {
    size_t from_size = size;
    if (from) {
        if (!sl_sized_valid(from)) {
            return false;
        }
        memcpy(&from_size, from, sizeof from_size);
        sl_sized_copy(to, size, from, from_size);
    }
    memcpy(to, &size, sizeof size);
    return true;
}

/* Fills a caller's structure, which is valid, from ours of size bytes. */
static inline void sl_sized_give(void *to, const void *from, size_t size) {
    size_t to_size;
    memcpy(&to_size, to, sizeof to_size);
    sl_sized_copy(to, to_size, from, size);
}

/* Makes a caller's definition of to_size bytes from our defaults of size bytes: what only the caller knows is 0. */
static inline void sl_sized_default(void *to, size_t to_size, const void *from, size_t size) {
    if (!to || to_size < sizeof to_size) {
        return;
    }
    memset(to, 0, to_size);
    sl_sized_copy(to, to_size, from, size);
    memcpy(to, &to_size, sizeof to_size);
}

#endif
