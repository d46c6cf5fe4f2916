/* SPDX-License-Identifier: MIT */
/* partner.h: a partner program started and watched by us, in a private directory of its own.
 *
 * Whatever happens, nothing stays behind: when we end, or are killed, a small guard process ends the partner and all that
 * it started, and removes the directory. When the partner dies we know its process id and see it.
 */
#ifndef SL_CLI_PARTNER_H
#define SL_CLI_PARTNER_H

#include <sys/types.h>

#include "cli/cli.h"

typedef struct sl_partner {
    sl_cli *cli;
    const char *name;         /* the program, for messages */
    char dir[512];            /* the private directory, absolute; "" : none */
    char in[1024], out[1024]; /* our files in it */
    pid_t pid, guard;
    int leash; /* the guard ends all when this is closed; -1: none */
} sl_partner;

/* Makes the directory. in and out: our file names, plain ones. Returns an exit code, told. */
int sl_partner_prepare(sl_partner *p, sl_cli *cli, const char *in, const char *out);
/* Starts argv in it, with {in}, {out} (as the partner sees them: its in is our out), {dir} and {here} replaced in every
 * argument. Its standard output is ours, or standard error. Returns an exit code, told. */
int sl_partner_start(sl_partner *p, char **argv, bool to_stderr);
/* Lets it end by itself for a while (hurry: not), then ends it; takes the directory away. Gives SL_EXIT_WORLD, told, when it
 * did not end well. */
int sl_partner_end(sl_partner *p, bool hurry);

#endif
