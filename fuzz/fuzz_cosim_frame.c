/* SPDX-License-Identifier: MIT */
/* fuzz_cosim_frame.c: any bytes as frames of a stream, one after the other, as a carrier cuts them.
 *
 * Asserts, for every input: a frame is found at the same size whatever has come of it so far, and never as larger than allowed;
 * what is read and written again is the same, values bit for bit in binary frames. The checksum of a binary frame is mended
 * first, so that what lies behind it is reached.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/frame.h"

enum { MOST = 1 << 16 };

#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "fuzz_cosim_frame: line %d: %s\n", __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

static void check_round(sl_context *ctx, const sl_message *m, bool binary) {
    sl_bytes b;
    sl_message back;
    sl_bytes_init(&b, ctx);
    sl_message_init(&back);
    REQUIRE(sl_frame_write(&b, m, binary, true));
    size_t size = 0;
    REQUIRE(sl_frame_find(b.at, (size_t)b.n, (size_t)b.n, &size) == SL_COSIM_OK && (int64_t)size == b.n);
    sl_cosim_code code = sl_frame_read(ctx, b.at, (size_t)b.n, m->row.n, &back);
    REQUIRE(code == (m->kind == SL_MESSAGE_END ? SL_COSIM_END : SL_COSIM_OK));
    REQUIRE(back.kind == m->kind);
    if (m->kind != SL_MESSAGE_END) {
        REQUIRE(back.row.n == m->row.n && back.n_in == (m->n_in < m->row.n ? m->n_in : back.n_in));
        for (int64_t i = 0; i < m->row.n; i++) {
            REQUIRE(back.row.at[i].entity == m->row.at[i].entity && back.row.at[i].type == m->row.at[i].type);
            REQUIRE(!binary || m->kind == SL_MESSAGE_HELLO ||
                    memcmp(&back.row.at[i].value, &m->row.at[i].value, sizeof(double)) == 0);
        }
    }
    sl_message_fini(ctx, &back);
    sl_bytes_fini(&b);
}

static void mend(char *frame, size_t n) {
    uint32_t crc = sl_crc32c(frame, n - 4);
    for (int i = 0; i < 4; i++) {
        frame[n - 4 + (size_t)i] = (char)(crc >> 8 * i & 0xFF);
    }
}

/* The frame at the begin of the bytes; its size, or 0. */
static size_t check(sl_context *ctx, const char *bytes, size_t n) {
    size_t size = 0, again = 0;
    sl_cosim_code code = sl_frame_find(bytes, n, MOST, &size);
    REQUIRE(code == SL_COSIM_OK || code == SL_COSIM_AGAIN || code == SL_COSIM_BAD_FORMAT || code == SL_COSIM_LIMIT);
    if (code != SL_COSIM_OK || size > n) {
        REQUIRE(code != SL_COSIM_OK || size <= MOST + 64);
        return 0;
    }
    REQUIRE(size > 0);
    for (size_t part = 0; part < size; part += 1 + size / 16) {
        code = sl_frame_find(bytes, part, MOST, &again);
        REQUIRE(code == SL_COSIM_AGAIN || (code == SL_COSIM_OK && again == size));
    }
    char *frame = malloc(size);
    REQUIRE(frame);
    memcpy(frame, bytes, size);
    bool binary = frame[0] == 'S';
    if (binary) {
        mend(frame, size);
    }
    sl_message m;
    sl_message_init(&m);
    code = sl_frame_read(ctx, frame, size, 100, &m);
    REQUIRE(code == SL_COSIM_OK || code == SL_COSIM_END || code == SL_COSIM_BAD_FORMAT);
    REQUIRE(code != SL_COSIM_BAD_FORMAT || m.error);
    if (code != SL_COSIM_BAD_FORMAT && (m.kind != SL_MESSAGE_HELLO || (m.row.n == m.n_row && m.seq <= INT64_MAX))) {
        check_round(ctx, &m, binary);
    }
    sl_message_fini(ctx, &m);
    free(frame);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    sl_context *ctx = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK);
    for (size_t at = 0, n = 1; n > 0 && at < size; at += n) {
        n = check(ctx, (const char *)data + at, size - at);
    }
    sl_context_destroy(ctx);
    return 0;
}
