/* SPDX-License-Identifier: MIT */
/* sluice/cosim.h: two programs that exchange numbers every time step.
 *
 * The protocol is that of the CoSim library: one message each way for each step, in files by default (docs/reference/cosim.md);
 * other carriers are named by a URI. The library never prints and never exits: what is odd goes to a handler as a warning,
 * what is wrong is a return code and goes to the other handler. One exchange belongs to one thread at a time; several in a
 * process share nothing.
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

/* What a row is about: the number of a node or element, and what of it (the application's own list). */
typedef int64_t sl_cosim_entity;
typedef int32_t sl_cosim_type;

/* What the calls of this header return. Below 0: it went wrong, and the error handler was called (but for _NO_DATA, which is an
 * answer).
 *
 * Why not sl_status, which every other part of the library returns: a call here has outcomes that are no failures (the partner
 * has ended, nothing is there yet), and failures after which a host does different things (wait longer, end the partner, delete
 * left-over files), all of which would be SL_ERR_IO. The values belong to the protocol: they go into logs and exit codes of
 * programs that are coupled, and do not change. */
typedef enum sl_cosim_code {
    SL_COSIM_OK = 0,
    SL_COSIM_END = 1,         /* the partner has ended: no data */
    SL_COSIM_AGAIN = 2,       /* nothing there yet */
    SL_COSIM_BAD_FORMAT = -1, /* what came is no message */
    SL_COSIM_IO = -2,         /* the system refused */
    SL_COSIM_TIMEOUT = -3,    /* waited as long as allowed */
    SL_COSIM_GONE = -4,       /* the partner died */
    SL_COSIM_STALE = -5,      /* files of an earlier run exist */
    SL_COSIM_USE = -6,        /* a call that cannot be, e.g. a variable added twice or too late */
    SL_COSIM_NO_DATA = -7,    /* no such value in the last message */
    SL_COSIM_LIMIT = -8,      /* larger than allowed */
    SL_COSIM_MEMORY = -9
} sl_cosim_code;

typedef enum sl_cosim_sync { SL_COSIM_SYNC_MIN = 0, SL_COSIM_SYNC_SUB } sl_cosim_sync;
typedef enum sl_cosim_phase {
    SL_COSIM_PHASE_AUTO = 0, /* found from the first message */
    SL_COSIM_PHASE_START,    /* the partner's times are those of the beginning of our step */
    SL_COSIM_PHASE_END,      /* they are ours */
    SL_COSIM_PHASE_NONE      /* they are not compared with ours */
} sl_cosim_phase;
/* What to do with an in-file that is there before we begin. */
typedef enum sl_cosim_stale {
    SL_COSIM_STALE_AUTO = 0,
    SL_COSIM_STALE_KEEP,
    SL_COSIM_STALE_DISCARD,
    SL_COSIM_STALE_REFUSE
} sl_cosim_stale;
typedef enum sl_cosim_ack {
    SL_COSIM_ACK_DELETE = 0, /* a message is taken when its file has gone */
    SL_COSIM_ACK_OVERWRITE   /* for a partner that never deletes */
} sl_cosim_ack;

typedef struct sl_cosim_def {
    size_t size;
    const char *in, *out; /* files; default "cosim_in.cosim", "cosim_out.cosim" */
    const char *uri; /* instead of files: mem:NAME fd:IN,OUT pipe:in=A;out=B unix:PATH shm:NAME, and file:in=A;out=B */
    bool binary;     /* what we write on carriers other than files; both forms are read */
    double read_timeout, write_timeout, close_timeout; /* [s]; 0: for ever */
    double short_wait; /* how long an unfinished file may stay as it is [s]; 0: the default, 5 */
    bool strict;       /* what would be a warning about contents is an error */
    sl_cosim_sync sync;
    sl_cosim_phase phase;
    sl_cosim_stale stale;
    sl_cosim_ack ack;
    bool map_entity;  /* values go by entity number instead of by position */
    bool csv_quote;   /* descriptions quoted as RFC 4180 has it, instead of cleaned */
    int64_t partner;  /* its process id, watched while waiting; 0: not known */
    size_t max_bytes; /* largest message [bytes]; 0: the default, 64 MiB */
    double start;     /* the time of the first message expected [s], for files of an earlier run; NaN: not known */
    bool transient;   /* the folder of the files goes with the run: nothing is said to be kept there */
    void (*warning)(void *user, const char *text);
    void (*error)(void *user, sl_cosim_code code, const char *text);
    void *user;
    void (*waiting)(void *user, const char *text); /* that a wait is long, at once; NULL: it is a warning */
} sl_cosim_def;

SL_DEFAULT(sl_cosim_def, sl_cosim_default)
/* Looks at left-over files and opens the carrier; does not wait for the partner. ctx may be NULL. */
SL_API sl_cosim_code sl_cosim_open(sl_context *ctx, const sl_cosim_def *def, sl_cosim **out);
/* The variables, in the order in which they are exchanged; before the first read or write. */
SL_API sl_cosim_code sl_cosim_add_in(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text);
SL_API sl_cosim_code sl_cosim_add_out(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text);

/* Drops all values and waits for the next message. After SL_COSIM_END: the same again, at once. */
SL_API sl_cosim_code sl_cosim_read(sl_cosim *x);
SL_API sl_cosim_code sl_cosim_try_read(sl_cosim *x); /* SL_COSIM_AGAIN instead of waiting; keeps the values then */
SL_API bool sl_cosim_is_terminated(const sl_cosim *x);
SL_API double sl_cosim_time(const sl_cosim *x); /* of the last message [s] */
SL_API double sl_cosim_next(const sl_cosim *x); /* the step that the partner will take [s] */
/* Values of the store: of the last message, or what was set since. NaN counts as none. */
SL_API sl_cosim_code sl_cosim_value(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity, double *value);
SL_API sl_cosim_code sl_cosim_values(const sl_cosim *x, double *values, size_t n); /* in order; NaN where none is */
/* What came or was set with the value, else what was added; or NULL. Lives until the next read, prepare or set. */
SL_API const char *sl_cosim_text(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity);

/* Drops all values: one store serves reading and writing. */
SL_API sl_cosim_code sl_cosim_prepare(sl_cosim *x);
SL_API sl_cosim_code sl_cosim_set(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, double value,
                                  const char *text);
/* Writes the message of time t: values in order, or those of the store. Waits until the one before has been taken. What is
 * missing goes out as NaN, with a warning. After the partner's end: nothing, SL_COSIM_OK. */
SL_API sl_cosim_code sl_cosim_write_values(sl_cosim *x, double t, double dt, const double *values, size_t n);
SL_API sl_cosim_code sl_cosim_write(sl_cosim *x, double t, double dt);

/* Tells the partner that this is the end, lets it finish, waits for its end, leaves nothing behind, frees. x may be NULL: nothing.
 * After an abort it waits for a second at most, and our END stays for a partner that is late, if there ever was one. */
SL_API sl_cosim_code sl_cosim_close(sl_cosim *x);
/* Tells the partner at once, without waiting and without freeing: may be called by a signal handler. */
SL_API void sl_cosim_abort(sl_cosim *x);

/* With an init phase of `skip` steps: does this step begin with a read, does it end with a write? */
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
