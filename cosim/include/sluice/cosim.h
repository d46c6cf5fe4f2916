/* SPDX-License-Identifier: MIT */
/* sluice/cosim.h: co-simulation: two programs exchange values at every time step.
 *
 * The protocol is that of the CoSim library: one message in each direction per step (docs/reference/cosim.md). A message is a file by
 * default; a URI selects another carrier. The library never prints and never exits. It passes warnings to one handler, and errors to
 * another handler and as a return code. One thread at a time may use an exchange. Several exchanges of a process share nothing.
 *
 *     sl_cosim_def def = sl_cosim_default();
 *     def.in = "fibonacci.cosim", def.out = "echo.cosim";
 *     sl_cosim_open(NULL, &def, &x);
 *     sl_cosim_add_in(x, 1, 0, "number");
 *     sl_cosim_add_out(x, 1, 0, "number");
 *     while (sl_cosim_read(x) == SL_COSIM_OK) {
 *         sl_cosim_value(x, 0, 1, &number);
 *         sl_cosim_write_values(x, sl_cosim_time(x), sl_cosim_next(x), &number, 1);
 *     }
 *     sl_cosim_close(x);
 */
#ifndef SLUICE_COSIM_H
#define SLUICE_COSIM_H

#include <sluice/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_cosim sl_cosim;

/* A row of a message: the number of a node or element, and the number of its quantity (from the application's own list). */
typedef int64_t sl_cosim_entity;
typedef int32_t sl_cosim_type;

/* Return codes of this header. A code below 0 is an error, for which the error handler was called. SL_COSIM_NO_DATA is the exception: it is
 * an ordinary result.
 *
 * These calls do not return sl_status for two reasons. Some outcomes are not failures (the partner has ended, no message yet). Some
 * failures need different reactions (wait longer, end the partner, delete old files), but would all be SL_ERR_IO. The values belong to
 * the protocol, appear in logs and exit codes of coupled programs, and do not change. */
typedef enum sl_cosim_code {
    SL_COSIM_OK = 0,
    SL_COSIM_END = 1,         /* the partner has ended: no data */
    SL_COSIM_AGAIN = 2,       /* no message yet */
    SL_COSIM_BAD_FORMAT = -1, /* the data is not a message */
    SL_COSIM_IO = -2,         /* a system call failed */
    SL_COSIM_TIMEOUT = -3,    /* the time-out has passed */
    SL_COSIM_GONE = -4,       /* the partner died */
    SL_COSIM_STALE = -5,      /* files of an earlier run exist */
    SL_COSIM_USE = -6,        /* the call is not allowed, e.g. a variable is added twice or too late */
    SL_COSIM_NO_DATA = -7,    /* the last message has no such value */
    SL_COSIM_LIMIT = -8,      /* larger than allowed */
    SL_COSIM_MEMORY = -9
} sl_cosim_code;

typedef enum sl_cosim_sync { SL_COSIM_SYNC_MIN = 0, SL_COSIM_SYNC_SUB } sl_cosim_sync;
typedef enum sl_cosim_phase {
    SL_COSIM_PHASE_AUTO = 0, /* found from the first message */
    SL_COSIM_PHASE_START,    /* the partner's times are those at the start of our step */
    SL_COSIM_PHASE_END,      /* they are those at the end of our step */
    SL_COSIM_PHASE_NONE      /* times are not compared */
} sl_cosim_phase;
/* Treatment of an in-file that exists before the exchange is opened. */
typedef enum sl_cosim_stale {
    SL_COSIM_STALE_AUTO = 0,
    SL_COSIM_STALE_KEEP,
    SL_COSIM_STALE_DISCARD,
    SL_COSIM_STALE_REFUSE
} sl_cosim_stale;
typedef enum sl_cosim_ack {
    SL_COSIM_ACK_DELETE = 0, /* the reader deletes each file that it has read */
    SL_COSIM_ACK_OVERWRITE   /* for a partner that never deletes */
} sl_cosim_ack;

typedef struct sl_cosim_def {
    size_t size;
    const char *in, *out; /* files; default "cosim_in.cosim", "cosim_out.cosim" */
    const char *uri; /* instead of files: mem:NAME fd:IN,OUT pipe:in=A;out=B unix:PATH shm:NAME, and file:in=A;out=B */
    bool binary;     /* write binary messages on carriers other than files; both forms are read */
    double read_timeout, write_timeout, close_timeout; /* [s]; 0: for ever */
    double short_wait; /* time that an incomplete file may stay unchanged [s]; 0: the default, 5 */
    bool strict;       /* warnings about contents are errors */
    sl_cosim_sync sync;
    sl_cosim_phase phase;
    sl_cosim_stale stale;
    sl_cosim_ack ack;
    bool map_entity;  /* values are assigned by entity number instead of position */
    bool csv_quote;   /* descriptions are quoted as in RFC 4180 instead of altered */
    int64_t partner;  /* its process id, monitored while waiting; 0: not known */
    size_t max_bytes; /* largest message [bytes]; 0: the default, 64 MiB */
    double start;     /* expected time of the first message [s], to recognise files of an earlier run; NaN: not known */
    bool transient;   /* the folder of the files is removed after the run: messages do not name files kept there */
    void (*warning)(void *user, const char *text);
    void (*error)(void *user, sl_cosim_code code, const char *text);
    void *user;
    void (*waiting)(void *user, const char *text); /* called when a wait is long; NULL: a warning */
} sl_cosim_def;

SL_DEFAULT(sl_cosim_def, sl_cosim_default)
/* Checks for files of an earlier run and opens the carrier; does not wait for the partner. ctx may be NULL. */
SL_API sl_cosim_code sl_cosim_open(sl_context *ctx, const sl_cosim_def *def, sl_cosim **out);
/* Adds a variable. Add them in the order in which they are exchanged, before the first read or write. */
SL_API sl_cosim_code sl_cosim_add_in(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text);
SL_API sl_cosim_code sl_cosim_add_out(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text);

/* Removes all values and waits for the next message. After SL_COSIM_END it returns SL_COSIM_END again, at once. */
SL_API sl_cosim_code sl_cosim_read(sl_cosim *x);
SL_API sl_cosim_code
sl_cosim_try_read(sl_cosim *x); /* returns SL_COSIM_AGAIN instead of waiting, and then keeps the values */
SL_API bool sl_cosim_is_terminated(const sl_cosim *x);
SL_API double sl_cosim_time(const sl_cosim *x); /* of the last message [s] */
SL_API double sl_cosim_next(const sl_cosim *x); /* the step that the partner will take [s] */
/* Stored values: those of the last message, or those set since. NaN counts as a missing value. */
SL_API sl_cosim_code sl_cosim_value(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity, double *value);
SL_API sl_cosim_code sl_cosim_values(const sl_cosim *x, double *values, size_t n); /* in order; NaN: missing */
/* The text that was received or set with the value, else the text of the variable, else NULL. Valid until the next read, prepare or set. */
SL_API const char *sl_cosim_text(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity);

/* Removes all values. Reading and writing use the same store. */
SL_API sl_cosim_code sl_cosim_prepare(sl_cosim *x);
SL_API sl_cosim_code sl_cosim_set(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, double value,
                                  const char *text);
/* Writes the message of time t: the given values in order, or the stored ones. dt is the next step [s]. Waits until the previous message
 * has been read. A missing value is written as NaN, with a warning. After the partner's end, it writes nothing and returns SL_COSIM_OK. */
SL_API sl_cosim_code sl_cosim_write_values(sl_cosim *x, double t, double dt, const double *values, size_t n);
SL_API sl_cosim_code sl_cosim_write(sl_cosim *x, double t, double dt);

/* Sends END, waits for the partner's END, removes the files and frees the exchange. x may be NULL: the call does nothing. After an abort
 * it waits for one second at most, and our END remains for a partner that reads late, if there ever was a partner. */
SL_API sl_cosim_code sl_cosim_close(sl_cosim *x);
/* Sends END at once, without waiting and without freeing. A signal handler may call it. */
SL_API void sl_cosim_abort(sl_cosim *x);

/* With an init phase of `skip` steps: whether this step begins with a read, and whether it ends with a write. */
SL_API bool sl_cosim_reads(int64_t step, int64_t skip);
SL_API bool sl_cosim_writes(int64_t step, int64_t skip);

typedef struct sl_cosim_stats {
    size_t size;
    int64_t n_read, n_written, n_drained; /* messages; drained: taken while closing */
    int64_t bytes_read, bytes_written;
    double waited; /* [s] */
    int64_t n_warning;
} sl_cosim_stats;
SL_API sl_status sl_cosim_get_stats(const sl_cosim *x, sl_cosim_stats *out);
SL_API const char *sl_cosim_code_text(sl_cosim_code code);

#ifdef __cplusplus
}
#endif
#endif
