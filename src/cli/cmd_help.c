/* SPDX-License-Identifier: MIT */
/* cmd_help.c: `sluice help`: the overview, a command's page, manual pages, completions of shells. */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/help.h"

typedef struct help_args {
    bool man;
    int shell; /* sl_shell; -1: none */
} help_args;

static const char *const shells[] = {"bash", "zsh", "fish", NULL}; /* sl_shell */

static const sl_option options[] = {
    {SL_OPTION_ROW("man", 0, FLAG, help_args, man, NULL,
                   "print a manual page (roff, for man) of COMMAND or of the program")},
    {SL_OPTION_ROW("completion", 0, WORD, help_args, shell, "SHELL", "print a completion script for bash, zsh or fish"),
     .words = shells},
};

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    help_args args = {.shell = -1};
    int code = SL_EXIT_FINE;
    int n = sl_args_parse(cli, command, argc, argv, &args, kinds, &code);
    if (n < 0) {
        return code;
    }
    int most = args.shell >= 0 ? 0 : args.man ? 1 : 2;
    if (n > most) {
        return sl_args_wrong(cli, command, "'%s' is one argument too many: sluice %s", argv[most], command->usage);
    }
    const sl_command *found = n > 0 ? sl_command_find(cli, argv[0]) : NULL;
    if (n > 0 && !found) {
        return SL_EXIT_USE;
    }
    if (args.shell >= 0) {
        if (args.man) {
            return sl_args_wrong(cli, command, "--man and --completion do not go together");
        }
        sl_completion_write(cli, (sl_shell)args.shell);
    } else if (args.man) {
        sl_command_man(cli, found);
    } else if (found) {
        return sl_command_help(cli, found, n > 1 ? argv[1] : NULL);
    } else {
        sl_overview(&cli->out);
    }
    return SL_EXIT_FINE;
}

const sl_command sl_cmd_help = {
    .name = "help",
    .summary = "list the commands, or describe one",
    .usage = "help [OPTIONS] [COMMAND [KIND]]",
    .about =
        "Lists the commands, or describes one: options, examples and exit codes. KIND adds the options for a kind\n"
        "of model: network, surge, automaton, tunnel, or all. `make install` installs the same pages as manual pages, and\n"
        "completion scripts for shells.",
    .options = SL_OPTION_TABLE(options, help_args, NULL),
    .more_operands = true,
    .examples = "sluice help\n"
                "sluice help convert\n"
                "sluice help run surge                        options of `sluice run` for a surge study\n"
                "sluice help --man run | man -l -             read a manual page\n"
                "source <(sluice help --completion bash)      enable completion in this shell",
    .exits = "0  success\n"
             "4  there is no such command or kind",
    .run = run,
};
