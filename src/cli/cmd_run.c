/* cmd_run.c: `sluice run`, the simulation. The engines are not in this version: the file is checked, and what
 * is missing is said plainly instead of pretending. */
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"

#include <stddef.h>

typedef struct run_args {
    const char *output;
    bool json;
} run_args;

static const sl_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, output),
     .value = "FILE",
     .help = "where the results will go; nothing is written yet"},
    SL_OPTION_ROW_JSON(run_args, "problems of the file as JSON lines on standard output"),
};

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    run_args args = {0};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, &code) < 0) {
        return code;
    }
    sl_input input;
    code = sl_input_load(cli, argv[0], &(sl_show){.json = args.json}, &input);
    if (code == SL_EXIT_FINE) {
        sl_say(cli,
               "%s is a sound network, but this version cannot simulate it: the eps engine is not in it yet; "
               "`sluice check`, `sluice info` and `sluice convert` work",
               input.name);
        code = sl_exit_of(cli, SL_ERR_UNSUPPORTED);
    }
    sl_input_close(&input);
    return code;
}

const sl_command sl_cmd_run = {
    .name = "run",
    .summary = "simulate a model (not in this version yet)",
    .usage = "run [OPTIONS] FILE",
    .about = "Will simulate the model, with the engine that its content asks for. This version reads and checks the\n"
             "file, says that the eps engine is not in it yet, and ends with exit code 4.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"FILE"},
    .examples = "sluice run town.inp",
    .exits = "2  the file has errors\n"
             "4  the engine is not in this version\n"
             "5  the file could not be read",
    .run = run,
};
