/* SPDX-License-Identifier: MIT */
/* output.h: what a command makes, to a file or to standard output, with everything told that can go wrong. */
#ifndef SL_CLI_OUTPUT_H
#define SL_CLI_OUTPUT_H

#include "cli/cli.h"

/* Says that a file could not be written, of which error is the errno; returns the exit code. A reader that has had enough is none. */
int sl_output_failed(sl_cli *cli, const char *path, int error);

/* patch: the same output for formats that go back; NULL where nobody can (standard output, a pipe). */
typedef sl_status (*sl_make_fn)(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch);

/* Runs make into the file (it appears only when make succeeded) or, for "-", into standard output. Returns an
 * exit code; bad input is left to the caller's diagnostics. */
int sl_output_make(sl_cli *cli, const char *path, sl_make_fn make, void *user);

#endif
