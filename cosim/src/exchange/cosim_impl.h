/* SPDX-License-Identifier: MIT */
/* cosim_impl.h: an exchange, as the files of the manager see it. */
#ifndef SL_EXCHANGE_COSIM_IMPL_H
#define SL_EXCHANGE_COSIM_IMPL_H

#include <stdatomic.h>

#include "exchange/carrier.h"
#include "exchange/message.h"
#include "exchange/store.h"
#include "exchange/system.h"

enum {
    SL_COSIM_MEMORY_OF_TIMES = 8
}; /* messages that one side may be ahead of the other, for the comparison of times */

/* Times of one direction: those of the last messages, by number. */
typedef struct sl_cosim_times {
    int64_t n; /* messages so far */
    double time[SL_COSIM_MEMORY_OF_TIMES], next[SL_COSIM_MEMORY_OF_TIMES];
    double time_within[SL_COSIM_MEMORY_OF_TIMES], next_within[SL_COSIM_MEMORY_OF_TIMES];
} sl_cosim_times;

typedef struct sl_cosim_checks {
    sl_cosim_times theirs, ours;
    int64_t n_compared; /* pairs of the two */
    int phase;          /* steps by which their times are ahead of ours: -1, 0, 1 */
    bool phase_known;
    SL_ARRAY(sl_cosim_entity) entity; /* of the first message */
    bool entity_known;
} sl_cosim_checks;

struct sl_cosim {
    sl_context *ctx, *own; /* own: made here, freed at the end */
    sl_cosim_def def;      /* its texts are copies */
    sl_reporter reporter;
    sl_arena arena; /* descriptions, names */
    const sl_carrier_ops *ops;
    void *carrier;
    sl_store store;
    SL_ARRAY(int64_t) in, out; /* entries of the store, in order */
    bool begun;                /* the lists are fixed */
    bool by_entity;            /* the numbers of the in-list are unique, and wanted to count */
    sl_message got, put;
    sl_bytes bytes; /* of the message that is put */
    uint64_t seq;
    bool greeted, was_greeted;
    bool terminated, gone;
    double patience; /* a read or write that ended by time-out had waited so long [s]; 0: none */
    bool closing;
    atomic_bool aborted;
    atomic_bool parted; /* our END is out */
    sl_handle partner;  /* watched */
    double time, next;
    sl_cosim_checks checks;
    sl_cosim_stats stats;
};

/* What messages come from or go to, for people: a file, or the URI. */
static inline const char *sl_cosim_endpoint_name(const sl_cosim *x, bool out) {
    return x->def.uri ? x->def.uri : out ? x->def.out : x->def.in;
}

typedef sl_cosim_code (*sl_cosim_attempt)(sl_cosim *x, void *user);

/* Attempts until it is not AGAIN, limit seconds have passed (0: for ever), the partner has died or the exchange is aborted (END).
 * Tells what went wrong. */
sl_cosim_code sl_cosim_wait(sl_cosim *x, sl_cosim_attempt attempt, void *user, unsigned what, double limit);
/* One attempt. */
sl_cosim_code sl_cosim_attempt_once(sl_cosim *x, sl_cosim_attempt attempt, void *user);

/* Makes x->bytes from x->put.row; puts them, *(bool *)dropped when the partner's END makes that pointless. */
sl_cosim_code sl_cosim_encode(sl_cosim *x, sl_message_kind kind, double t, double dt);
sl_cosim_code sl_cosim_try_put(sl_cosim *x, void *dropped);
void sl_cosim_free(sl_cosim *x);
/* From the first message on the lists are fixed. */
sl_cosim_code sl_cosim_fix_lists(sl_cosim *x);

/* Is the message that came fine? Warnings, or SL_COSIM_BAD_FORMAT when strict. */
sl_cosim_code sl_cosim_check_got(sl_cosim *x, const sl_message *m);
/* A message of ours has gone out. */
sl_cosim_code sl_cosim_check_put(sl_cosim *x, double time, double next);
/* A greeting has come. */
sl_cosim_code sl_cosim_check_hello(sl_cosim *x, const sl_message *m);

#endif
