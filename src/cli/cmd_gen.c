/* SPDX-License-Identifier: MIT */
/* cmd_gen.c: `sluice gen`, models out of nothing; so far there is the city. */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/ids.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "gen/city.h"

static const double hour = 3600.0, year = 366 * 24 * 3600.0;
static const char *const headlosses[] = {"H-W", "D-W", NULL};

typedef struct gen_args {
    int64_t junctions, seed;
    sl_option_time duration;
    const char *output;
    int headloss;
    bool quiet;
} gen_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("junctions", 'n', COUNT, gen_args, junctions, "N",
                   "number of junctions, default 1000: 1000, 1e6, 1_000_000"),
     .min = SL_GEN_CITY_MIN, .max = SL_GEN_CITY_MAX},
    {SL_OPTION_ROW("seed", 's', COUNT, gen_args, seed, "S",
                   "seed of the random numbers, default 1; equal seeds give equal files"),
     .min = 0, .max = INT64_MAX},
    {SL_OPTION_ROW("output", 'o', TEXT, gen_args, output, "FILE.inp", "output file; - writes to standard output")},
    {SL_OPTION_ROW("headloss", 0, WORD, gen_args, headloss, "FORMULA",
                   "head loss formula: H-W (Hazen-Williams, default) or D-W (Darcy-Weisbach)"),
     .words = headlosses},
    {SL_OPTION_ROW("duration", 'd', TIME, gen_args, duration, "TIME",
                   "duration of the simulation in whole hours, default 24:00, at most 366d")},
    {.name = "quiet", .letter = 'q', .offset = offsetof(gen_args, quiet), .help = "print no closing line"},
};

typedef struct job {
    const gen_args *args;
    sl_diags *diags;
} job;

static sl_status make_city(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    (void)patch;
    const job *j = user;
    sl_gen_city_def def = sl_gen_city_default();
    def.n_junction = (int32_t)j->args->junctions;
    def.seed = (uint64_t)j->args->seed;
    def.darcy_weisbach = j->args->headloss == 1;
    def.duration = (int32_t)j->args->duration.value;
    return sl_gen_city(cli->ctx, &def, j->diags, sink);
}

static int refuse_kind(sl_cli *cli, const sl_command *command, const char *name) {
    const char *near = sl_nearest_word(name, (const char *const[]){"city", NULL});
    return sl_args_wrong(cli, command, "'%s' is no kind of model; %s%s%s", name,
                         near ? "did you mean '" : "there is: ", near ? near : "city", near ? "'?" : "");
}

static int make(sl_cli *cli, const gen_args *args) {
    job j = {.args = args};
    if (sl_diags_create(cli->ctx, &j.diags) != SL_OK) {
        return sl_exit_of(cli, SL_ERR_MEMORY);
    }
    int code = sl_output_make(cli, args->output, make_city, &j);
    sl_show_diags(cli, j.diags, &(sl_show_options){0});
    sl_diags_destroy(j.diags);
    if (code == SL_EXIT_FINE && !args->quiet && strcmp(args->output, "-") != 0) {
        char text[SL_PLURAL_MAX];
        sl_out_z(&cli->out, args->output);
        sl_out_printf(&cli->out, ": a city of %s\n", sl_plural(args->junctions, "junction", NULL, text));
    }
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    gen_args args = {.junctions = 1000, .seed = 1, .duration.value = 24 * hour};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    if (strcmp(argv[0], "city") != 0) {
        return refuse_kind(cli, command, argv[0]);
    }
    if (!args.output) {
        return sl_args_wrong(cli, command, "say where to write it: -o FILE.inp");
    }
    if (args.duration.value > year || fmod(args.duration.value, hour) != 0.0) {
        return sl_args_wrong(cli, command, "--duration %s: it is whole hours, and 366 days at most",
                             args.duration.text);
    }
    const char *dot = strrchr(args.output, '.');
    if (strcmp(args.output, "-") != 0 && dot && (strcasecmp(dot, ".json") == 0 || strcasecmp(dot, ".geojson") == 0)) {
        return sl_args_wrong(cli, command, "it writes .inp files; `sluice convert` makes %s of them", dot + 1);
    }
    return make(cli, &args);
}

const sl_command sl_cmd_gen = {
    .name = "gen",
    .summary = "generate the network of a city of any size",
    .usage = "gen city [OPTIONS] -o FILE.inp",
    .about = "Generates the network of a city for tests and benchmarks: looped streets, mains and dead ends, hills,\n"
             "pressure zones with pumps, tanks and valves, daily patterns and controls. The file depends on the\n"
             "options only; it is the same on every machine. Ctrl-C leaves no partial file.",
    .options = SL_OPTION_TABLE(options, gen_args, NULL),
    .operands = {"KIND"},
    .examples = "sluice gen city -o city.inp\n"
                "sluice gen city --junctions 1e6 --seed 7 -o big.inp\n"
                "sluice gen city -n 100 -o - | sluice info -",
    .exits = "0  success\n"
             "4  wrong use of the command line\n"
             "5  the file could not be written\n"
             "130  interrupted",
    .run = run,
};
