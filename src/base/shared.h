/* SPDX-License-Identifier: MIT */
/* shared.h: objects with several owners: whoever makes one owns it, others add themselves, and the last one to go destroys it. From
 * any thread.
 */
#ifndef SL_BASE_SHARED_H
#define SL_BASE_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>

/* All zero: one owner. */
typedef struct sl_shared {
    atomic_int others; /* owners beside one */
} sl_shared;

static inline void sl_shared_retain(sl_shared *s) {
    atomic_fetch_add_explicit(&s->others, 1, memory_order_relaxed);
}

/* True: that was the last owner. */
static inline bool sl_shared_release(sl_shared *s) {
    return atomic_fetch_sub_explicit(&s->others, 1, memory_order_acq_rel) == 0;
}

#endif
