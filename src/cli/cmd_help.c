/* SPDX-License-Identifier: MIT */
/* cmd_help.c: `sluice help`, the overview or a command's page. */
#include "cli/commands.h"

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    int code = SL_EXIT_FINE;
    int n = sl_args_parse(cli, command, argc, argv, NULL, &code);
    if (n < 0) {
        return code;
    }
    if (n == 0) {
        sl_overview(&cli->out);
        return SL_EXIT_FINE;
    }
    if (n > 1) {
        return sl_args_wrong(cli, command, "'%s' is one argument too many: sluice %s", argv[1], command->usage);
    }
    const sl_command *found = sl_command_find(cli, argv[0]);
    if (!found) {
        return SL_EXIT_USE;
    }
    sl_args_help(cli, found);
    return SL_EXIT_FINE;
}

const sl_command sl_cmd_help = {
    .name = "help",
    .summary = "show the commands, or the page of one",
    .usage = "help [COMMAND]",
    .about = "Lists the commands, or shows how one is used: its options, examples and exit codes.",
    .more_operands = true,
    .examples = "sluice help\n"
                "sluice help convert",
    .exits = "0  fine\n"
             "4  there is no such command",
    .run = run,
};
