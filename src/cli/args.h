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
#include "kinds/kind.h"

/* Tables of options of kinds of model. */
enum { SL_OPTIONS_OF_LOAD = 1, SL_OPTIONS_OF_REPORT = 2, SL_OPTIONS_OF_PLOT = 4 };

/* One table of one kind, and its values. */
typedef struct sl_kind_values {
    const sl_kind *kind;
    unsigned which; /* SL_OPTIONS_... */
    sl_option_table options;
    void *values;
} sl_kind_values;

enum { SL_KIND_VALUES_MAX = 48, SL_GIVEN_MAX = 64 };

/* Options of kinds: values for every kind that has them, because which one the file is is known later. */
typedef struct sl_kind_args {
    int n, n_given;
    sl_kind_values at[SL_KIND_VALUES_MAX];
    const char *given[SL_GIVEN_MAX]; /* names */
    const sl_kind *selected;         /* by an option of its own; NULL: by content */
    void *block;                     /* all values */
} sl_kind_args;

typedef struct sl_command {
    const char *name;
    const char *summary; /* a line for the list of commands, without a full stop */
    const char *usage;   /* what follows "sluice " */
    const char *about;   /* a paragraph */
    sl_option_table options;
    unsigned kind_options;   /* which tables of kinds count too: SL_OPTIONS_... */
    unsigned kind_defaults;  /* of which the defaults are wanted, without the options */
    const char *operands[3]; /* names of those that must be given */
    bool more_operands;      /* the last may be repeated */
    const char *examples;
    const char *exits;
    /* argv after the name; kinds: what sl_args_parse fills, with the defaults */
    int (*run)(sl_cli *cli, const struct sl_command *command, int argc, char **argv, sl_kind_args *kinds);
} sl_command;

/* --json, --quiet and the like, as the rows of several tables. */
#define SL_OPTION_ROW_JSON(type, text) \
    { SL_OPTION_ROW("json", 'j', FLAG, type, json, NULL, text) }
#define SL_OPTION_ROW_STRICT(type) \
    { SL_OPTION_ROW("strict", 0, FLAG, type, strict, NULL, "exit with 1 when there are warnings") }

/* Reads argv into *values and *kinds. Operands are moved to the front of argv; returns their number, or -1 when the
 * program is to end with *code (help was printed, or the use is wrong and was told). */
int sl_args_parse(sl_cli *cli, const sl_command *command, int argc, char **argv, void *values, sl_kind_args *kinds,
                  int *code);

/* Options that were not given keep their defaults. False: no memory; a message says so. */
bool sl_kind_args_init(sl_cli *cli, unsigned tables, sl_kind_args *kinds);
void sl_kind_args_fini(sl_kind_args *kinds);
/* Does the kind have all options that were given? Returns an exit code; a message names the wrong one. name: of the file. */
int sl_kind_args_fit(sl_cli *cli, const sl_command *command, const sl_kind_args *kinds, const sl_kind *kind,
                     const char *name);
sl_option_table sl_kind_options(const sl_kind *kind, unsigned which);
/* Whether a file or an option can select the kind. */
bool sl_kind_is_selectable(const sl_kind *kind);
/* The values of a table of the kind; NULL: it has none. */
void *sl_kind_args_of(const sl_kind_args *kinds, const sl_kind *kind, unsigned which);

/* Says what is wrong with the use and where the help is; returns SL_EXIT_USE. */
int sl_args_wrong(sl_cli *cli, const sl_command *command, const char *fmt, ...) SL_PRINTF(3, 4);

#endif
