/* SPDX-License-Identifier: MIT */
/* convert_results.h: the part of `sluice convert` that turns a result file into a table. */
#ifndef SL_CLI_CONVERT_RESULTS_H
#define SL_CLI_CONVERT_RESULTS_H

#include "cli/cli.h"
#include "results/table.h"

/* def has format and selection; the target is set here. json, strict: how problems are shown and count. Returns an exit
 * code; a message says what is wrong. */
int sl_convert_results(sl_cli *cli, const char *in, const char *out, sl_table_def *def, bool json, bool strict);

#endif
