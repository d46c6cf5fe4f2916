/* SPDX-License-Identifier: MIT */
/* cli.h: what every command of the program knows: the context, the streams, the exit codes, how to speak.
 *
 * Results go to standard output through cli->out, messages and diagnostics to standard error. A command
 * returns one of the exit codes; sl_cli_finish turns a failed standard output or an interruption into its own.
 */
#ifndef SL_CLI_CLI_H
#define SL_CLI_CLI_H

#include <sluice/sluice.h>

#include "base/count_text.h"
#include "base/out.h"
#include "cli/file.h"
#include "cli/limits.h"
#include "cli/progress.h"

enum {
    SL_EXIT_FINE = 0,     /* warnings included */
    SL_EXIT_WARNINGS = 1, /* with --strict */
    SL_EXIT_INPUT = 2,    /* bad input */
    SL_EXIT_SOLVE = 3,    /* the simulation failed, or the time limit was over */
    SL_EXIT_USE = 4,      /* wrong use, or not available in this version */
    SL_EXIT_WORLD = 5,    /* outside world: disk, memory, partner */
    SL_EXIT_SIGNAL = 128  /* plus the signal: 130 after Ctrl-C */
};

typedef struct sl_cli {
    sl_heap heap;
    sl_context *ctx;             /* its memory is the heap's where that serves */
    const sl_kind *const *kinds; /* of models, NULL-terminated */
    sl_output_stream standard_output;
    sl_out out; /* buffered, on standard_output */
    sl_bar bar;
    sl_limits limits;
    double memory; /* [bytes] that estimates are held against; 0: not */
    bool is_late;  /* that the time limit was over was said */
    bool colour;   /* standard error shows colours */
    bool holds_standard_input;
    sl_bytes standard_input; /* what was read of it to see what it is; of whoever opens it next */
} sl_cli;

/* The program: runs the command in argv and returns the exit code. kinds: those of models that it knows, NULL-terminated; NULL: the
 * built-in ones. */
int sl_cli_main(const sl_kind *const *kinds, int argc, char **argv);

/* Prepares streams, signals and the context. False: out of memory. */
bool sl_cli_init(sl_cli *cli, const sl_kind *const *kinds);
/* A new context with so many threads (0: one per core), before anything is made from the old one. False: no memory. */
bool sl_cli_set_threads(sl_cli *cli, int32_t n_thread);
/* Flushes standard output and gives the program's exit code, given the command's. */
int sl_cli_finish(sl_cli *cli, int code);

/* Reads standard input to its end, unless that was done and nobody took it. Returns 0 or errno. */
int sl_cli_hold_standard_input(sl_cli *cli);
/* Bytes of a file, "-" is standard input, held or not; as sl_file_read. */
int sl_cli_read_file(sl_cli *cli, const char *path, sl_bytes *bytes);

/* One message on standard error: "sluice: " and the text (printf). The bar is taken away first. */
void sl_cli_message(sl_cli *cli, const char *fmt, ...) SL_PRINTF(2, 3);
/* The exit code that goes with a status; says what happened when no diagnostic does (memory, interruption). */
int sl_exit_of(sl_cli *cli, sl_status status);

/* Flushes standard output, so that what follows on standard error comes after it. */
void sl_cli_flush(sl_cli *cli);

#endif
