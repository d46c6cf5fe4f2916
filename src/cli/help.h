/* SPDX-License-Identifier: MIT */
/* help.h: help, man pages and completions of shells, all from the tables of options that command lines are read by. */
#ifndef SL_CLI_HELP_H
#define SL_CLI_HELP_H

#include "cli/args.h"

/* Every option of a command: its own, --help, then those of kinds of model, kind by kind. */
enum { SL_OPTION_LIST_MAX = 256 };
typedef struct sl_option_list {
    int n;
    struct {
        const sl_option *option;
        const sl_kind *kind; /* NULL: of every kind */
    } at[SL_OPTION_LIST_MAX];
    sl_option help;                        /* the row of --help */
    sl_option selects[SL_KIND_VALUES_MAX]; /* rows of options that select a kind */
    int n_select;
} sl_option_list;

void sl_option_list_init(const sl_cli *cli, const sl_command *command, sl_option_list *list);
/* The same where an option of several kinds is listed once, as that of the first of them. */
void sl_option_list_init_names(const sl_cli *cli, const sl_command *command, sl_option_list *list);
/* Does its value name a file? */
bool sl_option_is_file(const sl_option *option);

/* The page of a command on standard output: what it is, its own options; and of one kind of model ("surge"), or of all ("all"), the
 * options that the kind adds. which NULL: it says how to see them. Returns an exit code. */
int sl_command_help(sl_cli *cli, const sl_command *command, const char *which);

/* man.c: the page of a command as a manual page, in the macros of man(7); NULL: that of the program. */
void sl_command_man(sl_cli *cli, const sl_command *command);

/* completion.c: a script for a shell. */
typedef enum sl_shell { SL_SHELL_BASH = 0, SL_SHELL_ZSH, SL_SHELL_FISH } sl_shell;
void sl_completion_write(sl_cli *cli, sl_shell shell);

#endif
