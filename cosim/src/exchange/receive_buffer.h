/* SPDX-License-Identifier: MIT */
/* receive_buffer.h: received bytes, split into frames, and the errors that carriers of frames share. */
#ifndef SL_EXCHANGE_RECEIVE_BUFFER_H
#define SL_EXCHANGE_RECEIVE_BUFFER_H

#include "base/out.h"
#include "exchange/carrier.h"
#include "exchange/frame.h"

typedef struct sl_receive_buffer {
    sl_bytes bytes;
    int64_t begin; /* of what is not done */
    size_t size;   /* of the frame that is shown; 0: none */
} sl_receive_buffer;

/* The next whole frame, which stays until done. AGAIN: more must come; *need more bytes at least, when that is known, else 0.
 * BAD_FORMAT, LIMIT: reported. */
static inline sl_cosim_code sl_receive_buffer_next(sl_receive_buffer *b, size_t most, sl_reporter *reporter,
                                                   char **bytes, size_t *n, size_t *need) {
    size_t have = (size_t)(b->bytes.n - b->begin);
    *need = 0;
    if (b->size == 0) {
        size_t size = 0;
        sl_cosim_code code = have == 0 ? SL_COSIM_AGAIN : sl_frame_find(b->bytes.at + b->begin, have, most, &size);
        if (code == SL_COSIM_OK && size > have) {
            *need = size - have;
            code = SL_COSIM_AGAIN;
        }
        if (code < 0) {
            (void)sl_reporter_error(reporter, code,
                                    code == SL_COSIM_LIMIT ? "a message larger than the %zu bytes allowed has come"
                                                           : "what has come is no message (at most %zu bytes each)",
                                    most);
        }
        if (code != SL_COSIM_OK) {
            return code;
        }
        b->size = size;
    }
    *bytes = b->bytes.at + b->begin;
    *n = b->size;
    return SL_COSIM_OK;
}

/* False: there is nothing left. */
static inline bool sl_receive_buffer_done(sl_receive_buffer *b) {
    b->begin += (int64_t)b->size;
    b->size = 0;
    if (b->begin >= b->bytes.n) {
        b->begin = b->bytes.n = 0;
    }
    return b->bytes.n > 0;
}

static inline void sl_receive_buffer_clear(sl_receive_buffer *b) {
    b->begin = b->bytes.n = 0;
    b->size = 0;
}

#endif
