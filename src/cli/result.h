/* SPDX-License-Identifier: MIT */
/* result.h: a result file on its way into a command, read where it lies. */
#ifndef SL_CLI_RESULT_H
#define SL_CLI_RESULT_H

#include <sluice/results.h>

#include "cli/cli.h"

typedef struct sl_result {
    const char *name;
    int fd;         /* -1: it is in bytes */
    sl_bytes bytes; /* of standard input, which cannot be read anywhere */
    int error;      /* errno of the first failed read */
    sl_source_bytes source;
    sl_diags *diags;
    sl_results *results; /* NULL when it cannot be read */
    sl_outfile *file;    /* instead, of sl_result_open_out */
} sl_result;

/* Does the file begin as a result does? "-" is standard input, which is held for whoever opens it. False also for what cannot be
 * read, and for other pipes. */
bool sl_result_is(sl_cli *cli, const char *path);
/* Of any engine and format. Returns an exit code; what is wrong is in result->diags. The result must stay in place and be closed in
 * any case. */
int sl_result_open(sl_cli *cli, const char *path, sl_result *result);
/* The same of EPANET's .out alone. */
int sl_result_open_out(sl_cli *cli, const char *path, sl_result *result);
/* Says why reading failed, when it did so after the opening. */
void sl_result_report(const sl_result *result);
void sl_result_close(sl_result *result);

#endif
