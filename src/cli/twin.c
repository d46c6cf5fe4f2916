/* twin.c: gives a command to the twin; see twin.h. */
#include "cli/twin.h"

#include "cli/commands.h"
#include "cli/surge.h"

#ifndef SLUICE_STATIC

int sl_twin_take_over(sl_cli *cli) {
    (void)cli;
    return SL_EXIT_FINE;
}

bool sl_twin_reads(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return false;
}

#else

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "sluice-dynamic" in the folder of this program, whatever it is called itself. False: too long, or /proc is not there. */
static bool find_twin(char path[PATH_MAX]) {
    const char *const name = "sluice-dynamic";
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    if (!slash || folder + strlen(name) >= PATH_MAX) {
        return false;
    }
    memcpy(path + folder, name, strlen(name) + 1);
    return true;
}

int sl_twin_take_over(sl_cli *cli) {
    char path[PATH_MAX];
    sl_cli_flush(cli);
    errno = ENOENT;
    bool found = find_twin(path);
    if (found) {
        execv(path, cli->argv);
    }
    sl_say(
        cli,
        "this is done by %s, which cannot be started: %s\n"
        "  Programs come in pairs: install both (`make install` does). One is enough for networks (.inp), results as\n"
        "  .out, .csv or .json, and pictures as .svg",
        found ? path : "sluice-dynamic", sl_file_reason(errno));
    return SL_EXIT_WORLD;
}

bool sl_twin_reads(int argc, char **argv) {
    bool found = false;
    for (int i = 0; i < argc && !found; i++) {
        const char *ending = strrchr(argv[i], '.');
        found = (ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0)) ||
                strcmp(argv[i], "--surge") == 0;
    }
    return found;
}

/* Studies never get here: sl_twin_reads sees them. */
int sl_surge_run_study(sl_cli *cli, const sl_command *command, const sl_surge_args *args, const char *path) {
    (void)command;
    (void)args;
    (void)path;
    return sl_twin_take_over(cli);
}

int sl_surge_check_study(sl_cli *cli, const char *path, bool json, bool strict, bool quiet, bool all) {
    (void)path;
    (void)json;
    (void)strict;
    (void)quiet;
    (void)all;
    return sl_twin_take_over(cli);
}

int sl_surge_info_study(sl_cli *cli, const char *path, bool json, bool strict) {
    (void)path;
    (void)json;
    (void)strict;
    return sl_twin_take_over(cli);
}

static int never(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    (void)command;
    (void)argc;
    (void)argv;
    return sl_twin_take_over(cli);
}

const sl_command sl_cmd_explain = {.name = "explain", .summary = SL_CMD_EXPLAIN_SUMMARY, .twins = true, .run = never};
const sl_command sl_cmd_cosim = {.name = "cosim", .summary = SL_CMD_COSIM_SUMMARY, .twins = true, .run = never};

#endif
