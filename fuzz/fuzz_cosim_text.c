/* SPDX-License-Identifier: MIT */
/* fuzz_cosim_text.c: any bytes as a CoSim file: judged, read, written again.
 *
 * Asserts, for every input and several numbers of rows:
 *   - what is judged DATA or END can be read as that, or is refused with a reason and a line; what is BAD is refused;
 *   - taking bytes away from the end never turns one value into another: rows that both have are equal;
 *   - what was read and written again is judged whole, and reads back as the same.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/message.h"

#define REQUIRE(condition)                                                           \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "fuzz_cosim_text: line %d: %s\n", __LINE__, #condition); \
            abort();                                                                 \
        }                                                                            \
    } while (0)

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static sl_cosim_code read_copy(sl_context *ctx, const uint8_t *data, size_t n, int64_t rows, sl_message *m,
                               char **copy) {
    *copy = malloc(n + 1);
    REQUIRE(*copy);
    if (n > 0) {
        memcpy(*copy, data, n);
    }
    sl_message_init(m);
    return sl_text_read(ctx, *copy, n, rows, m);
}

/* What is written of a message that was read is a whole message again, and the same. */
static void check_round(sl_context *ctx, const sl_message *m, int64_t rows) {
    for (int quote = 0; quote < 2; quote++) {
        sl_bytes b;
        sl_message back;
        sl_bytes_init(&b, ctx);
        sl_message_init(&back);
        REQUIRE(sl_text_write(&b, m, quote));
        REQUIRE(sl_text_classify(b.at, (size_t)b.n, m->row.n) == SL_TEXT_DATA);
        REQUIRE(sl_text_read(ctx, b.at, (size_t)b.n, rows, &back) == SL_COSIM_OK);
        REQUIRE(back.row.n == m->row.n && back.n_row == m->row.n);
        REQUIRE(same(back.time, isfinite(m->time) ? m->time : (double)NAN));
        for (int64_t i = 0; i < m->row.n; i++) {
            REQUIRE(back.row.at[i].entity == m->row.at[i].entity);
            REQUIRE(same(back.row.at[i].value, isfinite(m->row.at[i].value) ? m->row.at[i].value : (double)NAN));
        }
        sl_message_fini(ctx, &back);
        sl_bytes_fini(&b);
    }
}

static void check(sl_context *ctx, const uint8_t *data, size_t n, int64_t rows) {
    sl_text_state is = sl_text_classify((const char *)data, n, rows);
    sl_message m, part;
    char *copy, *shorter;
    sl_cosim_code code = read_copy(ctx, data, n, rows, &m, &copy);
    REQUIRE(code == SL_COSIM_OK || code == SL_COSIM_END || code == SL_COSIM_BAD_FORMAT);
    REQUIRE((is == SL_TEXT_END) == (code == SL_COSIM_END));
    REQUIRE(is != SL_TEXT_BAD || code == SL_COSIM_BAD_FORMAT);
    REQUIRE(code != SL_COSIM_BAD_FORMAT || (m.error && m.error_line > 0));
    REQUIRE(m.row.n <= rows);
    if (code == SL_COSIM_OK) {
        REQUIRE((is == SL_TEXT_DATA || is == SL_TEXT_DATA_OPEN) == (m.row.n == rows && m.n_row >= rows) || rows == 0);
        check_round(ctx, &m, rows);
    }
    sl_cosim_code less = read_copy(ctx, data, n / 2, rows, &part, &shorter);
    if (code == SL_COSIM_OK && less == SL_COSIM_OK && !memchr(data, '"', n)) { /* a quote may join lines */
        REQUIRE(part.row.n <= m.row.n && same(part.time, m.time) && same(part.next, m.next));
        for (int64_t i = 0; i < part.row.n && part.note[SL_NOTE_NO_HEADER] == m.note[SL_NOTE_NO_HEADER]; i++) {
            REQUIRE(part.row.at[i].entity == m.row.at[i].entity && same(part.row.at[i].value, m.row.at[i].value));
        }
    }
    sl_message_fini(ctx, &m);
    sl_message_fini(ctx, &part);
    free(copy);
    free(shorter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    static const int64_t rows[] = {0, 1, 3, 100};
    sl_context *ctx = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(ctx, data, size, rows[i]);
    }
    sl_context_destroy(ctx);
    return 0;
}
