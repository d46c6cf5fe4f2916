/* SPDX-License-Identifier: MIT */
/* carrier_stream.h: frames over two descriptors, for all carriers that are streams. Each opens its own way. */
#ifndef SL_EXCHANGE_CARRIER_STREAM_H
#define SL_EXCHANGE_CARRIER_STREAM_H

#include <sys/stat.h>

#include "exchange/receive_buffer.h"

enum { SL_STREAM_PATH = 256 };

typedef struct sl_stream {
    sl_context *ctx;
    sl_reporter *reporter;
    size_t max_bytes;
    int in, out;    /* -1: not connected yet; may be the same */
    bool socket;    /* both are: no signal, no blocking by flags of the calls */
    bool own_flags; /* opened here without blocking; else others may share them, and they are left as they are */
    sl_receive_buffer box;
    bool eof;
    size_t sent; /* of the message that is being put */
    char end[SL_FRAME_END_MOST];
    size_t n_end;
    /* Connects what is not connected: OK, AGAIN, or an error that was told. NULL: everything is. */
    sl_cosim_code (*connect)(struct sl_stream *s);
    int listener;
    ino_t listener_inode;
    char path[SL_STREAM_PATH], out_path[SL_STREAM_PATH]; /* of the socket, or of the two FIFOs */
    bool made[2];                                        /* FIFOs that were made here, and are removed */
} sl_stream;

/* A stream with nothing open; NULL: no memory. */
sl_stream *sl_stream_create(const sl_carrier_def *def);
sl_cosim_code sl_stream_put(void *self, const char *bytes, size_t n);
bool sl_stream_cancel(void *self);
sl_cosim_code sl_stream_take(void *self, int64_t n_expected, char **bytes, size_t *n);
sl_cosim_code sl_stream_done(void *self, bool bad);
bool sl_stream_is_free(void *self);
bool sl_stream_is_gone(void *self);
void sl_stream_wait(void *self, unsigned what, double seconds);
void sl_stream_abort(void *self);
void sl_stream_close(void *self, bool keep);

#define SL_STREAM_OPS(name, opener)                                                                               \
    {                                                                                                             \
        .scheme = (name), .framed = true, .wakes = true, .open = (opener), .put = sl_stream_put,                  \
        .cancel = sl_stream_cancel, .take = sl_stream_take, .done = sl_stream_done, .is_free = sl_stream_is_free, \
        .is_gone = sl_stream_is_gone, .wait = sl_stream_wait, .abort = sl_stream_abort, .close = sl_stream_close  \
    }

#endif
