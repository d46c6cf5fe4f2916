/* SPDX-License-Identifier: MIT */
/* program.c: the program `sluice` as a function: one table of commands, and the dispatch to them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ids.h"
#include "cli/commands.h"
#include "cli/crash.h"

const sl_command *const sl_commands[] = {
    &sl_cmd_run,     &sl_cmd_check,  &sl_cmd_info, &sl_cmd_vars,    &sl_cmd_convert,
    &sl_cmd_compare, &sl_cmd_verify, &sl_cmd_plot, &sl_cmd_explain, &sl_cmd_cosim,
    &sl_cmd_gen,     &sl_cmd_help,   NULL,
};

enum { N_COMMAND = sizeof sl_commands / sizeof sl_commands[0] - 1 };

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

#if defined(SLUICE_BUILD_TYPE)
#define BUILD SLUICE_BUILD_TYPE
#elif defined(__SANITIZE_ADDRESS__)
#define BUILD "debug, AddressSanitizer"
#elif defined(__SANITIZE_THREAD__)
#define BUILD "debug, ThreadSanitizer"
#elif defined(__OPTIMIZE__)
#define BUILD "release"
#else
#define BUILD "debug"
#endif

void sl_overview(sl_out *out) {
    sl_out_z(out, "Usage: sluice COMMAND [OPTIONS] ...\n\n"
                  "Simulates water under pressure: pipe networks, pressure waves, tunnels, hybrid automata.\n\n"
                  "Commands:\n");
    for (int i = 0; sl_commands[i]; i++) {
        sl_out_printf(out, "  %s", sl_commands[i]->name);
        sl_out_pad(out, 12, 2);
        sl_out_printf(out, "%s\n", sl_commands[i]->summary);
    }
    sl_out_z(out, "\n`sluice help COMMAND` lists options and examples. `sluice --version` prints the version.\n");
}

const sl_command *sl_command_find(sl_cli *cli, const char *name) {
    const char *names[N_COMMAND + 1] = {0};
    for (int i = 0; i < N_COMMAND; i++) {
        names[i] = sl_commands[i]->name;
        if (strcmp(name, names[i]) == 0) {
            return sl_commands[i];
        }
    }
    const char *near = sl_nearest_word(name, names);
    if (near) {
        sl_cli_message(cli, "there is no command '%s'; did you mean '%s'?", name, near);
    } else if (strchr(name, '.') && access(name, F_OK) == 0) {
        sl_cli_message(cli, "'%s' is a file: say what to do with it, for example `sluice check %s`", name, name);
    } else {
        sl_cli_message(cli, "there is no command '%s'", name);
    }
    sl_cli_message(cli, "`sluice help` lists the commands");
    return NULL;
}

static int dispatch(sl_cli *cli, int argc, char **argv) {
    if (argc < 2) {
        sl_output_stream errors = {.fd = STDERR_FILENO};
        sl_sink sink = sl_output_stream_sink(&errors);
        sl_out out;
        sl_out_init(&out, &sink);
        sl_overview(&out);
        (void)sl_out_flush(&out);
        return SL_EXIT_USE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        sl_out_printf(&cli->out, "sluice %s (%s, %s)\n", sl_version(), COMPILER, BUILD);
        return SL_EXIT_FINE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    } else if (name[0] == '-') {
        sl_cli_message(cli, "there is no option '%s' before a command; options follow the command", name);
        sl_cli_message(cli, "`sluice help` lists the commands");
        return SL_EXIT_USE;
    }
    const sl_command *command = sl_command_find(cli, name);
    if (!command) {
        return SL_EXIT_USE;
    }
    sl_kind_args kinds;
    bool fine = sl_kind_args_init(cli, command->kind_options | command->kind_defaults, &kinds);
    int code = fine ? command->run(cli, command, argc - 2, argv + 2, &kinds) : SL_EXIT_WORLD;
    sl_kind_args_fini(&kinds);
    return code;
}

int sl_cli_main(const sl_kind *const *kinds, int argc, char **argv) {
    sl_crash_init();
    sl_cli cli; /* sl_cli_init sets it: the buffer in it is not cleared, which would touch its pages */
    if (!sl_cli_init(&cli, kinds)) {
        (void)dprintf(STDERR_FILENO, "sluice: out of memory\n");
        sl_crash_end();
        return SL_EXIT_WORLD;
    }
    int code = sl_cli_finish(&cli, dispatch(&cli, argc, argv));
    sl_crash_end();
    return code;
}
