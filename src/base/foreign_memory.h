/* SPDX-License-Identifier: MIT */
/* foreign_memory.h: did a library that takes memory from the C library get all it wanted?
 *
 * Libraries do not always say so: some go on without a part, and what they then say of a file or a model is wrong. But an allocation
 * of the C library that fails sets errno to ENOMEM, and none that succeeds sets it back. So calls stand between begin and end, and
 * errno is looked at before anything is made of what they say.
 */
#ifndef SL_BASE_FOREIGN_MEMORY_H
#define SL_BASE_FOREIGN_MEMORY_H

#include <errno.h>
#include <stdbool.h>

/* Returns what end wants back. */
static inline int sl_foreign_memory_begin(void) {
    int before = errno;
    errno = 0;
    return before;
}

static inline bool sl_foreign_memory_failed(void) {
    return errno == ENOMEM;
}

/* True: something was refused since begin. The caller's errno is as it was. */
static inline bool sl_foreign_memory_end(int before) {
    bool failed = errno == ENOMEM;
    errno = before;
    return failed;
}

#endif
