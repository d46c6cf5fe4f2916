/* SPDX-License-Identifier: MIT */
/* input.h: a model file on its way into a command, with its diagnostics, and how they are shown. */
#ifndef SL_CLI_INPUT_H
#define SL_CLI_INPUT_H

#include "cli/cli.h"

typedef struct sl_input {
    const char *path; /* as given */
    const char *name; /* for messages */
    sl_bytes bytes;   /* none once read: a large model needs the memory for other things */
    size_t n;         /* how many there were */
    bool no_map; /* set between open and read: nobody wants map or comments, and nobody is told of mistakes in them */
    sl_diags *diags;
    sl_network *net; /* NULL until read, and when it cannot be */
} sl_input;

typedef struct sl_show_options {
    bool json;        /* JSON lines instead of text */
    bool errors_only; /* text: leave warnings out */
    bool all;         /* text: however many there are */
    bool to_stderr;   /* JSON: standard output is taken by something else */
} sl_show_options;

enum { SL_SHOW_MAX = 200 }; /* diagnostics of one file shown as text unless all are asked for */

/* Loads the bytes. A file that cannot be read becomes an error in input->diags. Returns an exit code; the
 * input must be closed in any case. */
int sl_input_open(sl_cli *cli, const char *path, sl_input *input);
/* Reads and validates, and frees the bytes. tolerant: a network even if there are errors. Returns an exit code: SL_EXIT_INPUT
 * when there are errors. */
int sl_input_read(sl_cli *cli, sl_input *input, bool tolerant);
void sl_input_close(sl_input *input);

/* Shows diagnostics: text on standard error, JSON lines on standard output. */
void sl_show_diags(sl_cli *cli, const sl_diags *diags, const sl_show_options *show);
/* The member "diagnostics", the last of a JSON object that is written with an indent of 2. */
sl_status sl_put_diags_member(sl_out *out, sl_context *ctx, const sl_diags *diags);
/* "2 errors, 1 warning"; "" when there are none. Returns buf. */
enum { SL_TALLY_MAX = 160 };
const char *sl_tally(int64_t errors, int64_t warnings, char buf[SL_TALLY_MAX]);
/* "92 junctions, 3 tanks, 117 pipes": kinds that are there. Returns buf. */
enum { SL_COUNTS_MAX = 256 };
const char *sl_counts_text(const sl_network *net, char buf[SL_COUNTS_MAX]);
/* Opens, reads strictly and shows what is wrong, all in one. Returns an exit code; SL_EXIT_FINE: net is there. */
int sl_input_load(sl_cli *cli, const char *path, const sl_show_options *show, sl_input *input);

#endif
