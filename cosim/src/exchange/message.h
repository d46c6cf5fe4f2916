/* SPDX-License-Identifier: MIT */
/* message.h: the messages of a co-simulation as bytes: what a text is, reading it, writing it.
 *
 * Pure functions over bytes; carriers move them, the manager (cosim.c) gives them meaning. The text is that of CoSim files
 * (docs/reference/cosim.md): TIME=, NEXT_TIMESTEP=, a header, one row for each variable; or the word END. Whoever writes it may
 * do so in place and slowly: what is there is judged by its content, never by its size. Times in seconds.
 */
#ifndef SL_EXCHANGE_MESSAGE_H
#define SL_EXCHANGE_MESSAGE_H

#include <sluice/cosim.h>

#include "base/memory.h"
#include "base/out.h"

typedef enum sl_message_kind {
    SL_MESSAGE_HELLO = 1, /* who we are and what we exchange; not in files */
    SL_MESSAGE_DATA,
    SL_MESSAGE_END
} sl_message_kind;

/* What is odd about a text that can be read all the same. The first line where it was, and how often. */
typedef enum sl_message_note {
    SL_NOTE_NO_HEADER = 0,
    SL_NOTE_FEW_ROWS,
    SL_NOTE_MANY_ROWS,
    SL_NOTE_EMPTY_VALUE,
    SL_NOTE_INFINITE,
    SL_NOTE_DECIMAL_COMMA,
    SL_NOTE_QUOTE,
    SL_NOTE_COUNT
} sl_message_note;

typedef struct sl_message_row {
    sl_cosim_entity entity;
    sl_cosim_type type; /* in HELLO only: a row of data does not say it */
    double value;       /* NaN: none */
    sl_str text;        /* borrowed from the bytes that were read */
} sl_message_row;

typedef struct sl_message {
    sl_message_kind kind;
    uint64_t seq;       /* of framed messages; in HELLO the process id */
    double time, next;  /* [s] */
    double time_within; /* how far the true time may be from what was printed [s] */
    double next_within;
    SL_ARRAY(sl_message_row) row;
    bool torn;     /* its last row is not whole, and was not taken */
    int64_t n_row; /* that came, also those beyond what was expected, which are not kept */
    int64_t n_in;  /* HELLO: so many of the rows are what the sender reads, the others what it writes */
    int64_t note[SL_NOTE_COUNT], note_line[SL_NOTE_COUNT];
    const char *error; /* why it is no message, and the line (from 1; 0: none) */
    int64_t error_line;
} sl_message;

void sl_message_init(sl_message *m);
void sl_message_fini(sl_context *ctx, sl_message *m);

typedef enum sl_text_state {
    SL_TEXT_PARTIAL = 0, /* more must come */
    SL_TEXT_DATA,
    SL_TEXT_DATA_OPEN, /* all values are there, but the last line may go on */
    SL_TEXT_END,
    SL_TEXT_BAD
} sl_text_state;

/* What the text is, so far, when n_expected rows are wanted. A value counts when what follows it has been seen, so that a
 * number torn in the middle is never taken for a shorter one. */
sl_text_state sl_text_classify(const char *text, size_t n, int64_t n_expected);

/* Reads a text that is whole or that will not become so: rows that are not there are missing in m->row. Changes the text where
 * quotes are doubled; m's texts point into it. SL_COSIM_OK, _END, _BAD_FORMAT (m->error says why) or _MEMORY. */
sl_cosim_code sl_text_read(sl_context *ctx, char *text, size_t n, int64_t n_expected, sl_message *m);

/* Appends the text of m, DATA or END. quote: descriptions in quotes as RFC 4180 has it, else cleaned so that no reader is
 * misled. Numbers that are not finite become NaN. False: no memory. */
bool sl_text_write(sl_bytes *to, const sl_message *m, bool quote);

/* A number as CoSim files have it: decimal, or one of the many ways to write NaN (*x is NaN then) and infinity.
 * within may be NULL: half a unit of the last digit printed, at least 1e-9 of it. False: it is none. */
bool sl_text_number(sl_str text, double *x, double *within);

#endif
