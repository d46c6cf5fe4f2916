/* SPDX-License-Identifier: MIT */
/* args.h: commands, their options, and reading a command line by table.
 *
 * Options are long (--units LPS, --units=LPS) with an optional letter (-o FILE, -oFILE, -qa for two flags) and
 * may stand anywhere; `--` ends them, `-` alone is an operand (standard input or output). Values go straight
 * into the command's own struct.
 */
#ifndef SL_CLI_ARGS_H
#define SL_CLI_ARGS_H

#include "base/option.h"
#include "cli/cli.h"

typedef struct sl_command {
    const char *name;
    const char *summary; /* a line for the list of commands, without a full stop */
    const char *usage;   /* what follows "sluice " */
    const char *about;   /* a paragraph */
    const sl_option *options;
    int32_t n_option;
    const char *operands[3]; /* names of those that must be given */
    bool more_operands;      /* the last may be repeated */
    const char *examples;
    const char *exits;
    int (*run)(sl_cli *cli, const struct sl_command *command, int argc, char **argv); /* argv after the name */
} sl_command;

/* --json, --quiet and the like, as the rows of several tables. */
#define SL_OPTION_ROW_JSON(type, text) \
    { .name = "json", .letter = 'j', .kind = SL_OPTION_FLAG, .offset = offsetof(type, json), .help = (text) }
#define SL_OPTION_ROW_STRICT(type)                                                  \
    {                                                                               \
        .name = "strict", .kind = SL_OPTION_FLAG, .offset = offsetof(type, strict), \
        .help = "exit with 1 when there are warnings"                               \
    }

/* Reads argv into *values. Operands are moved to the front of argv; returns their number, or -1 when the
 * program is to end with *code (help was printed, or the use is wrong and was told). */
int sl_args_parse(sl_cli *cli, const sl_command *command, int argc, char **argv, void *values, int *code);

/* The command's page on standard output. */
void sl_args_help(sl_cli *cli, const sl_command *command);
/* Says what is wrong with the use and where the help is; returns SL_EXIT_USE. */
int sl_args_wrong(sl_cli *cli, const sl_command *command, const char *fmt, ...) SL_PRINTF(3, 4);

#endif
