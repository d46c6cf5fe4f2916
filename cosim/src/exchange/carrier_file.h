/* SPDX-License-Identifier: MIT */
/* carrier_file.h: what the two files of the file carrier share: its state, and what it finds when it opens. */
#ifndef SL_EXCHANGE_CARRIER_FILE_H
#define SL_EXCHANGE_CARRIER_FILE_H

#include "base/memory.h"
#include "base/out.h"
#include "exchange/carrier.h"
#include "exchange/system.h"

typedef struct sl_file_carrier {
    sl_context *ctx;
    sl_reporter *reporter;
    sl_arena arena; /* names */
    const char *in, *out;
    const char *in_folder, *out_folder; /* "": the current one */
    const char *out_tmp;                /* written here, then renamed to out, where files have to have names */
    const char *in_bad, *in_stale;      /* where files that cannot be used are put aside */
    size_t max_bytes;
    double short_wait;
    bool overwrite; /* the partner never deletes */
    sl_handle lock; /* on the name out, held while we live */
    sl_handle events;

    sl_bytes text; /* of the in-file */
    sl_disk_stamp seen;
    uint64_t hash;
    double seen_at;   /* when it last changed [s]; 0: there was none */
    bool held;        /* text is a message that was shown and is not done */
    char last[64];    /* overwrite: how the last message began */
    bool mine;        /* out, if it is there, is ours */
    bool put_once;    /* at least one message of ours was seen */
    double set_aside; /* TIME of the file put aside at the beginning; NaN: none */
    double set_aside_within;
    double put_time;    /* of our first message */
    bool partner_seen;  /* the lock on the name in was held by someone */
    double lock_looked; /* when */
} sl_file_carrier;

/* Files of an earlier run, ours and the partner's; takes the lock. */
sl_cosim_code sl_file_begin(sl_file_carrier *f, const sl_cosim_def *def);
/* Reads a file into f->text. AGAIN: not there, or not to be opened yet. */
sl_cosim_code sl_file_load(sl_file_carrier *f, const char *path, sl_disk_stamp *stamp);

#endif
