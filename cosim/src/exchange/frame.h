/* SPDX-License-Identifier: MIT */
/* frame.h: messages on carriers that have no files: each in a frame that says where it ends.
 *
 * Text: "COSIM/1 <bytes>\n" and so many bytes of the text of message.h, or of a HELLO. Binary, little endian:
 *     "SLCS" u16 version  u16 kind  u32 n  u32 flags  u64 seq  f64 time  f64 next
 *     i64 entity[n]  f64 value[n]  { u32 length, bytes }[n] when flags & 1  u32 crc32c of all before it
 * Values keep every bit, NaN included. A reader tells the two by the first byte. In a HELLO seq is the process id, time the time
 * of the first message or NaN, next the number of rows that the sender reads, which come first; value is the type.
 */
#ifndef SL_EXCHANGE_FRAME_H
#define SL_EXCHANGE_FRAME_H

#include "exchange/message.h"

/* The size of the frame that the bytes begin with. SL_COSIM_AGAIN: more must come; _BAD_FORMAT, _LIMIT: it is none, or larger
 * than most. Says OK as soon as the size is known: the frame is whole when n >= *size. */
sl_cosim_code sl_frame_find(const char *bytes, size_t n, size_t most, size_t *size);
/* Reads one whole frame; as sl_text_read, HELLO included (m->kind). At most n_expected rows are kept. */
sl_cosim_code sl_frame_read(sl_context *ctx, char *bytes, size_t n, int64_t n_expected, sl_message *m);
/* Appends the frame of m. False: no memory, or larger than a frame can be. */
bool sl_frame_write(sl_bytes *to, const sl_message *m, bool binary, bool quote);

/* The frames of END, for those who cannot allocate. Returns the size. */
enum { SL_FRAME_END_MOST = 64 };
size_t sl_frame_end(bool binary, char frame[SL_FRAME_END_MOST]);

uint32_t sl_crc32c(const void *bytes, size_t n);

#endif
