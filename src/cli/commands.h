/* SPDX-License-Identifier: MIT */
/* commands.h: every command, once. A new one is one cmd_*.c, one line here and one row in program.c. */
#ifndef SL_CLI_COMMANDS_H
#define SL_CLI_COMMANDS_H

#include "cli/args.h"

extern const sl_command sl_cmd_run;
extern const sl_command sl_cmd_check;
extern const sl_command sl_cmd_info;
extern const sl_command sl_cmd_vars;
extern const sl_command sl_cmd_convert;
extern const sl_command sl_cmd_compare;
extern const sl_command sl_cmd_verify;
extern const sl_command sl_cmd_plot;
extern const sl_command sl_cmd_explain;
extern const sl_command sl_cmd_cosim;
extern const sl_command sl_cmd_gen;
extern const sl_command sl_cmd_help;

/* All of them in the order of the help, NULL at the end. */
extern const sl_command *const sl_commands[];
/* NULL when there is none of this name; told then. */
const sl_command *sl_command_find(sl_cli *cli, const char *name);
/* The overview: what the program is and what it can do. */
void sl_overview(sl_out *out);

#endif
