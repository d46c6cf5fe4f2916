/* SPDX-License-Identifier: MIT */
/* input.h: a model file on its way into a command, with its diagnostics, and how they are shown. */
#ifndef SL_CLI_INPUT_H
#define SL_CLI_INPUT_H

#include "cli/cli.h"
#include "kinds/kind.h"

typedef struct sl_input {
    sl_cli *cli;
    const char *path; /* as given */
    const char *name; /* for messages */
    sl_bytes bytes;   /* none once read: a large model needs the memory for other things */
    size_t n;         /* how many there were */
    sl_source source; /* the bytes, and the files that are named in them */
    char reason[512]; /* why a named file cannot be read */
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
 * input must stay where it is and be closed in any case. */
int sl_input_open(sl_cli *cli, const char *path, sl_input *input);
/* Reads and validates, and frees the bytes. tolerant: a network even if there are errors. Returns an exit code: SL_EXIT_INPUT
 * when there are errors. */
int sl_input_read(sl_cli *cli, sl_input *input, bool tolerant);
void sl_input_close(sl_input *input);
/* The kind of model that the bytes are, by their content; asked: that kind, where it takes them. Returns an exit code; what is wrong is in
 * input->diags. */
int sl_input_recognise(sl_cli *cli, sl_input *input, const char *asked, const sl_kind **kind);
/* What a kind's functions take, with the defaults of its options; args as for sl_kind.args, or NULL. */
sl_load sl_input_load_def(sl_cli *cli, sl_input *input, const void *args);
/* The exit code of a load; diagnostics say what was wrong. */
int sl_load_exit(sl_cli *cli, sl_status status);

/* A file that cannot be read becomes an error; in_folder: what to do where the path is a folder. Returns the exit code. */
int sl_report_unreadable(sl_diags *diags, const char *path, int error, const char *in_folder);
/* Shows diagnostics, NULL: none: text on standard error, JSON lines on standard output. */
void sl_show_diags(sl_cli *cli, const sl_diags *diags, const sl_show_options *show);
/* The member "diagnostics", the last of a JSON object that is written with an indent of 2. */
sl_status sl_put_diags_member(sl_out *out, sl_context *ctx, const sl_diags *diags);
/* The exit code where warnings count, given the one without them. */
int sl_strict_exit(int code, bool strict, const sl_diags *diags);
/* "2 errors, 1 warning"; "" when there are none. Returns buf. */
enum { SL_TALLY_MAX = 160 };
const char *sl_tally(int64_t errors, int64_t warnings, char buf[SL_TALLY_MAX]);
/* Opens, reads strictly and shows what is wrong, all in one. Returns an exit code; SL_EXIT_FINE: net is there. */
int sl_input_load_network(sl_cli *cli, const char *path, const sl_show_options *show, sl_input *input);

#endif
