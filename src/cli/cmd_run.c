/* SPDX-License-Identifier: MIT */
/* cmd_run.c: `sluice run`, the simulation of a model of any kind from its start to its end.
 *
 * What it does with the model is in job.c; here are the options that all kinds have.
 */
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/job.h"

/* Forms that standard output can have. */
static const char *const streams[] = {"csv", "json", "rpt", NULL};

typedef struct run_args {
    sl_texts output;
    int to;
    sl_option_time duration;
    int64_t threads;
    sl_results_args select;
    const char *events, *report;
    bool strict, quiet, json, at_events;
    const char *operand[2]; /* after the model; NULL: none */
} run_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("output", 'o', TEXTS, run_args, output, "FILE",
                   "write results; the ending selects the format: .csv, .json, .h5 (values),\n"
                   ".rpt, .txt (report), .svg, .png, .pdf (picture); for networks also .out\n"
                   "(EPANET's binary file), .geojson, .gpkg (maps); - writes to standard output\n"
                   "in place of the summary; may be repeated")},
    {SL_OPTION_ROW("to", 't', WORD, run_args, to, "FORMAT", "format of the output of `-o -`: csv, json or rpt"),
     .words = streams},
    {SL_OPTION_ROW("duration", 'd', TIME, run_args, duration, "TIME",
                   "length of the simulation, in place of the model's: 24:00 (hours), 90min,\n"
                   "20s; for a discrete model 5steps"),
     .may_count = true},
    {SL_OPTION_ROW("threads", 0, COUNT, run_args, threads, "N",
                   "number of threads, default 1; 0 means one per core. Threads write the\n"
                   ".out file during the run and share the work of large networks. Results\n"
                   "do not depend on the number"),
     .min = 0, .max = 1024},
    SL_RESULTS_OPTION_ROWS(run_args),
    {SL_OPTION_ROW("events", 0, TEXT, run_args, events, "FILE", "write the events of the run, one row each: .csv")},
    {SL_OPTION_ROW("at-events", 0, FLAG, run_args, at_events, NULL,
                   "add the values before and after every event to -o")},
    {SL_OPTION_ROW("report", 'r', TEXT, run_args, report, "FILE",
                   "write the text report; - writes to standard output in place of the summary")},
    SL_OPTION_ROW_STRICT(run_args),
    {SL_OPTION_ROW("quiet", 'q', FLAG, run_args, quiet, NULL, "print no summary, and no warnings unless --strict")},
    SL_OPTION_ROW_JSON(run_args, "print summary and messages as one JSON object, in SI units"),
};

static int add_files(sl_job *j, const run_args *args) {
    bool stream = false;
    int code = SL_EXIT_FINE;
    for (int i = 0; i < args->output.n && code == SL_EXIT_FINE; i++) {
        bool standard = strcmp(args->output.at[i], "-") == 0;
        stream = stream || standard;
        if (standard && args->to < 0) {
            return sl_args_wrong(j->cli, j->command, "-o - needs a format: --to csv, json or rpt");
        }
        code = sl_job_add_file(j, args->output.at[i], NULL, standard ? streams[args->to] : NULL);
    }
    if (code == SL_EXIT_FINE && args->to >= 0 && !stream) {
        return sl_args_wrong(j->cli, j->command, "--to selects the format of standard output and needs -o -");
    }
    return code;
}

/* Is a file that is to be written a model? */
static bool is_model(sl_cli *cli, const char *path) {
    sl_input input;
    sl_kind_head head;
    if (access(path, R_OK) != 0) {
        return false;
    }
    bool model = sl_input_open(cli, path, &input) == SL_EXIT_FINE;
    if (model) {
        sl_kind_head_init(&head, &input.source);
        model = sl_kind_recognise(cli->kinds, &head, NULL) != NULL;
    }
    sl_input_close(&input);
    return model;
}

/* Does the ending say that neither a text nor EPANET's binary file is meant? */
static bool is_other_result(const sl_kind *kind, const char *ending) {
    static const char *const plain[] = {"rpt", "txt", "out"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (strcasecmp(ending, plain[i]) == 0) {
            return false;
        }
    }
    return sl_report_format_find(kind, NULL, ending) != NULL;
}

/* EPANET's form: after the model the report and the results. */
static int add_epanet_files(sl_job *j, const run_args *args) {
    static const char *const forms[2] = {"rpt", "out"};
    int code = SL_EXIT_FINE;
    for (int i = 0; i < 2 && args->operand[i] && code == SL_EXIT_FINE; i++) {
        const char *path = args->operand[i], *dot = strrchr(path, '.');
        if (dot && strcasecmp(dot + 1, forms[1 - i]) == 0) {
            return sl_args_wrong(j->cli, j->command,
                                 "the order is MODEL, report, results: sluice run %s FILE.rpt FILE.out", j->input.path);
        }
        if (strcmp(path, "-") != 0 && is_model(j->cli, path)) {
            return sl_args_wrong(j->cli, j->command, "%s is a model: one is run at a time; results go to -o FILE",
                                 path);
        }
        if (dot && is_other_result(j->kind, dot + 1)) {
            return sl_args_wrong(j->cli, j->command, "%s would be EPANET's %s: results go to -o %s", path,
                                 i == 0 ? "text report" : "binary file", path);
        }
        code = sl_job_add_file(j, path, NULL, forms[i]);
    }
    return code;
}

static int report_json(sl_job *j, int code) {
    sl_json json;
    sl_json_init(&json, &j->cli->out, 2);
    sl_json_object(&json);
    sl_job_report_json(j, code, &json);
    sl_status status = sl_put_diags_member(&j->cli->out, j->cli->ctx, j->input.diags);
    sl_json_end(&json);
    sl_out_char(&j->cli->out, '\n');
    return status == SL_OK ? code : sl_exit_of(j->cli, status);
}

static int simulate(sl_job *j, const run_args *args, const char *path, const sl_kind *selected) {
    int code = sl_job_open(j, path, selected ? selected->name : NULL);
    code = code == SL_EXIT_FINE ? add_files(j, args) : code;
    code = code == SL_EXIT_FINE ? add_epanet_files(j, args) : code;
    code = code == SL_EXIT_FINE ? sl_job_settle(j) : code;
    code = code == SL_EXIT_FINE ? sl_job_prepare(j) : code;
    return code == SL_EXIT_FINE ? sl_job_end(j, sl_job_simulate(j), false) : code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    run_args args = {.to = -1, .threads = 1, .select.csv = -1};
    int code = SL_EXIT_FINE;
    int n = sl_args_parse(cli, command, argc, argv, &args, kinds, &code);
    if (n < 0) {
        return code;
    }
    if (n > 3) {
        return sl_args_wrong(cli, command, "'%s' is one argument too many: sluice %s", argv[3], command->usage);
    }
    args.operand[0] = n > 1 ? argv[1] : NULL;
    args.operand[1] = n > 2 ? argv[2] : NULL;
    if (args.threads != 1 && !sl_cli_set_threads(cli, (int32_t)args.threads)) {
        return sl_exit_of(cli, SL_ERR_MEMORY);
    }
    sl_job j = sl_job_default(cli, command, kinds);
    j.verbosity = (sl_job_verbosity){args.strict, args.quiet, args.json};
    j.results = (sl_job_results){args.select, args.events, args.report, args.at_events};
    j.asked_duration = args.duration;
    j.files.async = args.threads != 1;
    code = simulate(&j, &args, argv[0], kinds->selected);
    bool is_told = code == SL_EXIT_USE && j.input.diags && sl_diags_count(j.input.diags, SL_ERROR) == 0;
    if (code < SL_EXIT_SIGNAL && j.input.diags && !is_told) {
        if (args.json) {
            code = report_json(&j, code);
        } else {
            sl_job_report(&j, code);
        }
    }
    sl_job_close(&j);
    return code;
}

const sl_command sl_cmd_run = {
    .name = "run",
    .summary = "simulate a model",
    .usage = "run [OPTIONS] FILE [REPORT [RESULTS]]",
    .about = "Simulates a model to its end and prints a summary. FILE is an EPANET .inp file, a surge study, an\n"
             "automaton or a tunnel model (.yaml); - reads standard input. The content of the file, not its name,\n"
             "decides which kind it is.\n"
             "\n"
             "The summary of a network shows pressures, tanks, pumps, energy, the water balance, water quality and\n"
             "the largest residuals; that of an automaton shows the range of every variable. With --surge a network\n"
             "is simulated as a surge study: the pressure waves that --close, --open and --trip cause.\n"
             "\n"
             "Result files appear when the run ends, also when the simulation fails. REPORT and RESULTS are the\n"
             "arguments of EPANET's program: a text report and a .out file. A warning that repeats is\n"
             "printed once, with its first and last time.",
    .options = SL_OPTION_TABLE(options, run_args, NULL),
    .kind_options = SL_OPTIONS_OF_LOAD | SL_OPTIONS_OF_REPORT,
    .operands = {"FILE"},
    .more_operands = true,
    .examples = "sluice run town.inp                          print the summary\n"
                "sluice run town.inp town.rpt town.out        the arguments of EPANET's program\n"
                "sluice run town.inp -o town.out -o town.rpt  write EPANET's binary results and a report\n"
                "sluice run town.inp -o town.csv              write a table: .csv, .json, .h5\n"
                "sluice run town.inp -o t.csv --node J1,J2 --what pressure   write the pressures of two nodes\n"
                "sluice run town.inp --reactions exact        integrate chlorine decay exactly in each time step\n"
                "sluice run town.inp --report - | less        read the report that [REPORT] describes\n"
                "sluice run town.inp --json --duration 72:00  simulate three days, for a program\n"
                "sluice run surge.yaml -o traces.csv          simulate a surge study and write heads over time\n"
                "sluice run net.inp --surge --close V1@1s:2s --trip P1@5s --duration 20s --envelope env.svg\n"
                "sluice run thermostat.yaml -o room.csv       simulate an automaton\n"
                "sluice run thermostat.yaml --events e.csv    write its events with their causes\n"
                "sluice run delay.yaml --steps 4              run a discrete automaton for four steps",
    .exits = "0  success (warnings included)\n"
             "1  a limit was exceeded, or warnings with --strict; results were written\n"
             "2  the file has errors, or lacks a selected element\n"
             "3  the simulation failed, or a step is not balanced; results up to then were written\n"
             "4  wrong use of the command line\n"
             "5  a file could not be read or written",
    .run = run,
};
