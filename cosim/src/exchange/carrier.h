/* SPDX-License-Identifier: MIT */
/* carrier.h: what moves messages between two programs: one table for each kind, chosen by the URI.
 *
 * A carrier moves bytes and never waits but in `wait`: the manager (cosim.c) has the only waiting loop, with its time-outs, its
 * warnings and its watch over the partner. One direction has room for at least one message. `put` makes a message visible as a
 * whole; `take` shows the next one until `done`, which gives its room back. Only files judge contents (are they whole?); the
 * others carry frames (frame.h), the first of which is a HELLO.
 */
#ifndef SL_EXCHANGE_CARRIER_H
#define SL_EXCHANGE_CARRIER_H

#include <sluice/cosim.h>

#include "exchange/reporter.h"

/* What `wait` waits for, besides the end of its time. */
enum { SL_WAIT_IN = 1, SL_WAIT_OUT = 2 };

typedef struct sl_carrier_def {
    sl_context *ctx;
    sl_reporter *reporter;
    const sl_cosim_def *def; /* copies what it keeps */
    sl_str rest;             /* the URI after its scheme; of files: empty when in and out are the definition's */
} sl_carrier_def;

typedef struct sl_carrier_ops {
    const char *scheme;
    bool framed; /* carries frames, else bare texts */
    bool wakes;  /* wait is sure to return when something happens; else the manager looks again by itself */
    sl_cosim_code (*open)(const sl_carrier_def *def, void **self);
    /* Errors are told by the carrier, but for GONE, which the manager tells. AGAIN: no room yet, or only a part has gone; call
     * again with the same bytes. */
    sl_cosim_code (*put)(void *self, const char *bytes, size_t n);
    /* Forgets the message that put did not get rid of. False: a part of it has gone, nothing can be put any more. */
    bool (*cancel)(void *self);
    /* The next message, or AGAIN; END when the partner has aborted. The bytes may be changed, and live until done. */
    sl_cosim_code (*take)(void *self, int64_t n_expected, char **bytes, size_t *n);
    sl_cosim_code (*done)(void *self, bool bad);
    bool (*is_free)(void *self); /* has everything that was put been taken? Where nobody can tell: true */
    bool (*is_gone)(void *self); /* has the partner died? May be NULL */
    bool (*is_seen)(void *self); /* would is_gone know? NULL: yes */
    void (*wait)(void *self, unsigned what, double seconds);
    void (*abort)(void *self); /* tells the partner that this is the end; safe in a signal handler */
    /* keep: what was put last stays for the partner, else nothing stays behind. */
    void (*close)(void *self, bool keep);
} sl_carrier_ops;

extern const sl_carrier_ops sl_carrier_file, sl_carrier_mem, sl_carrier_fd, sl_carrier_pipe, sl_carrier_unix,
    sl_carrier_shm;

/* `key` from "in=A;out=B", or empty text. */
sl_str sl_carrier_option(sl_str rest, const char *key);

#endif
