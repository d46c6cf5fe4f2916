/* SPDX-License-Identifier: MIT */
/* cmd_run.c: `sluice run`, the simulation of a model from its start to its end.
 *
 * What it does with the model is in job.c; here are its options, and the steps to the end.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/run_automaton.h"
#include "cli/select_args.h"
#include "cli/surge.h"

static const char *const units[] = {"CFS", "GPM", "MGD", "IMGD", "AFD", "LPS", "LPM", "MLD", "CMH", "CMD", "CMS", NULL};
_Static_assert(sizeof units / sizeof *units == SL_FLOW_UNIT_COUNT + 1, "one word for each flow unit, in its order");
static const char *const readings[] = {"epanet", "precedence", NULL};        /* sl_rule_reading */
static const char *const updates[] = {"auto", "explicit", "implicit", NULL}; /* sl_tank_update */
static const char *const steps[] = {"explicit", "exact", NULL};              /* sl_reaction_step */

/* Forms that standard output can have. */
static const char *const streams[] = {"csv", "json", "rpt", NULL};

typedef struct run_args {
    sl_texts output;
    int to;
    sl_select_args select;
    const char *report, *duration;
    int unit, rules, tanks, reactions;
    double head_error;
    int64_t threads;
    bool strict, quiet, json;
    sl_surge_args surge;
    sl_run_automaton_args automaton;
} run_args;

static const sl_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(run_args, output),
     .value = "FILE",
     .help = "write results: .out (EPANET's binary), .csv, .json, .h5 (tables) or\n.rpt (text), by the ending; may be "
             "given several times; - is standard\noutput, instead of the summary"},
    {.name = "to",
     .letter = 't',
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, to),
     .value = "FORMAT",
     .help = "form of -o -: csv, json or rpt",
     .words = streams},
    SL_OPTION_ROWS_SELECT(run_args),
    {.name = "report",
     .letter = 'r',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, report),
     .value = "FILE",
     .help = "write the text report; - is standard output, instead of the summary"},
    {.name = "duration",
     .letter = 'd',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, duration),
     .value = "TIME",
     .help = "simulate for so long, whatever the model says: 24:00, 1.5, '90 min'"},
    {.name = "units",
     .letter = 'u',
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, unit),
     .value = "UNIT",
     .help = "show results in CFS, GPM, MGD, IMGD, AFD (feet, psi), LPS, LPM,\nMLD, CMH, CMD or CMS (metres)",
     .words = units},
    {.name = "rule-logic",
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, rules),
     .value = "HOW",
     .help = "A OR B AND C in rules: epanet (in order, the default) or\nprecedence (AND binds more tightly)",
     .words = readings},
    {.name = "tanks",
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, tanks),
     .value = "HOW",
     .help = "update tanks explicit (as EPANET), implicit, or auto (the default:\nimplicit where explicit is unstable)",
     .words = updates},
    {.name = "reactions",
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, reactions),
     .value = "HOW",
     .help = "how chemicals react over a quality step: explicit (by the rate at its\n"
             "beginning, as EPANET; the default: the same numbers) or exact (decay\n"
             "by its exponential, growth and other orders to fourth order in the step)",
     .words = steps},
    {.name = "head-error",
     .kind = SL_OPTION_NUMBER,
     .offset = offsetof(run_args, head_error),
     .value = "METRES",
     .help = "head error of a link that counts as balanced"},
    {.name = "threads",
     .kind = SL_OPTION_COUNT,
     .offset = offsetof(run_args, threads),
     .value = "N",
     .help = "threads to use; 0 is one per core, 1 the default. With more than one the\n"
             ".out file is written while the run goes on, and large networks are shared\n"
             "out. Results are the same",
     .min = 0,
     .max = 1024},
    {.name = "surge",
     .offset = offsetof(run_args, surge.on),
     .help = "pressure waves (water hammer) from the steady state on; a study file\n(.yaml) says more than the options "
             "that follow. --duration, --every and\n--step are seconds then"},
    {.name = "close",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(run_args, surge.close),
     .value = "ID@START:TIME",
     .help = "of surges: close a valve (or a pipe) from START on within TIME, as V1@1:2s"},
    {.name = "open",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(run_args, surge.open),
     .value = "ID@START:TIME",
     .help = "likewise open it"},
    {.name = "trip",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(run_args, surge.trip),
     .value = "ID@START",
     .help = "of surges: the power of a pump fails, as P1@5s"},
    {.name = "wave-speed",
     .kind = SL_OPTION_NUMBER,
     .offset = offsetof(run_args, surge.wave_speed),
     .value = "M/S",
     .help = "of surges: in all pipes; 1200 unless given"},
    {.name = "step",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, surge.step),
     .value = "TIME",
     .help = "of surges: the time step; found from the pipes unless given"},
    {.name = "friction",
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, surge.friction),
     .value = "MODEL",
     .help = "of surges: steady, quasi-steady, acceleration, convolution or rthym-filter",
     .words = sl_surge_friction_words},
    {.name = "cavitation",
     .kind = SL_OPTION_WORD,
     .offset = offsetof(run_args, surge.cavitation),
     .value = "MODEL",
     .help = "of surges: dgcm, dvcm, clamp or liquid",
     .words = sl_surge_cavitation_words},
    {.name = "envelope",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(run_args, surge.envelope),
     .value = "FILE",
     .help = "of surges: write the highest and lowest heads of every point: .csv, or\na picture along a route: "
             ".svg, .png, .pdf"},
    {.name = "route",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, surge.route),
     .value = "FROM,TO",
     .help = "of surges: the shortest way between two nodes, for envelopes"},
    {.name = "events",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(run_args, automaton.events),
     .value = "FILE",
     .help = "of automata: write what happened, a row per event and variable: .csv"},
    {.name = "at-events",
     .offset = offsetof(run_args, automaton.at_events),
     .help = "of automata: rows of -o also before and after every event"},
    {.name = "steps",
     .kind = SL_OPTION_COUNT,
     .offset = offsetof(run_args, automaton.steps),
     .value = "N",
     .help = "of discrete automata: so many steps, also where nothing changes",
     .min = 0,
     .max = 100000000},
    {.name = "branches",
     .offset = offsetof(run_args, automaton.branches),
     .help = "of discrete automata: all executions, where equations have several\nsolutions"},
    {.name = "relax",
     .offset = offsetof(run_args, automaton.relax),
     .help = "of discrete automata: where equations exclude each other, executions\nbranch over the largest sets of "
             "them that do not"},
    SL_OPTION_ROW_STRICT(run_args),
    {.name = "quiet",
     .letter = 'q',
     .offset = offsetof(run_args, quiet),
     .help = "no summary and no warnings (unless --strict)"},
    SL_OPTION_ROW_JSON(run_args, "summary and messages as one JSON object on standard output, in SI units"),
};

/* The first option of automata that was given, or NULL. */
static const char *automaton_given(const sl_run_automaton_args *args) {
    return args->events       ? "events"
           : args->at_events  ? "at-events"
           : args->steps >= 0 ? "steps"
           : args->branches   ? "branches"
           : args->relax      ? "relax"
                              : NULL;
}

/* ---- Options ------------------------------------------------------------------------------------ */

static bool to_standard_output(const run_args *args) {
    bool found = args->report && strcmp(args->report, "-") == 0;
    for (int i = 0; i < args->output.n && !found; i++) {
        found = args->output.at[i] && strcmp(args->output.at[i], "-") == 0;
    }
    return found;
}

/* The files, each in its format. Returns an exit code. */
static int settle_files(sl_job *j, const run_args *args, const sl_command *command, const char *model) {
    char why[1024];
    bool stream = false;
    for (int i = 0; i <= args->output.n; i++) { /* the last one is the report */
        bool report = i == args->output.n;
        const char *path = report ? args->report : args->output.at[i];
        bool standard = path && !report && strcmp(path, "-") == 0;
        stream = stream || standard;
        if (standard && args->to < 0) {
            return sl_args_wrong(j->cli, command, "say in which form standard output is wanted: --to csv, json or rpt");
        }
        if (path && strcmp(model, "-") != 0 && sl_run_same_file(path, model)) {
            return sl_args_wrong(j->cli, command, "%s is the model itself: results need another name", path);
        }
        const char *format = report ? "rpt" : standard ? streams[args->to] : NULL;
        if (path && !sl_run_files_add(&j->files, path, format, why, sizeof why)) {
            return sl_args_wrong(j->cli, command, "%s", why);
        }
    }
    const char *twice = sl_run_files_twice(&j->files);
    if (twice) {
        return sl_args_wrong(j->cli, command, "%s is given twice: each file needs a name of its own", twice);
    }
    if (to_standard_output(args) && args->json) {
        return sl_args_wrong(j->cli, command, "%s - and --json both want standard output", stream ? "-o" : "--report");
    }
    if (args->to >= 0 && !stream) {
        return sl_args_wrong(j->cli, command, "--to is the form of standard output: it needs -o -");
    }
    const sl_select_targets fits = {.table = sl_run_files_have(&j->files, NULL),
                                    .csv = sl_run_files_have(&j->files, &sl_table_csv),
                                    .h5 = sl_run_files_have(&j->files, &sl_table_hdf5)};
    return sl_select_read(j->cli, command, &args->select, &fits, &j->files.tables);
}

/* What the options mean and whether they fit together. Returns an exit code. */
static int settle(sl_job *j, const run_args *args, const sl_command *command, const char *model) {
    int code = settle_files(j, args, command, model);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    j->unit = args->unit;
    j->verbosity = (sl_job_verbosity){args->strict, args->quiet, args->json, to_standard_output(args)};
    /* Half of many a file is map (ky8: 47 %), and mistakes there change no result. Tables have coordinates. */
    j->no_map = !args->strict && !sl_run_files_have(&j->files, NULL);
    j->def.rules = (sl_rule_reading)args->rules;
    j->def.tanks = (sl_tank_update)args->tanks;
    j->def.reactions = (sl_reaction_step)args->reactions;
    j->def.head_error = args->head_error;
    if (args->duration && sl_time_parse_text(sl_str_z(args->duration), &j->def.duration) != SL_OK) {
        return sl_args_wrong(j->cli, command, "--duration '%s' is not a time: 24:00, 1.5 (hours) or '90 min'",
                             args->duration);
    }
    return SL_EXIT_FINE;
}

/* ---- The run ------------------------------------------------------------------------------------ */

/* Step by step, so that an interruption is seen after each. */
static sl_status simulate(sl_job *j) {
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_status status = SL_OK;
    while (status == SL_OK && step.reason == SL_REASON_EVENT) {
        status = sl_interrupt_signal() ? SL_ERR_CANCELLED
                                       : sl_session_advance(j->session, (double)INFINITY, SL_STOP_AT_EVENT, &step);
    }
    sl_bar_clear(&j->cli->bar);
    return status;
}

/* ---- What is told ------------------------------------------------------------------------------- */

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

/* A surge run knows these of all options. */
static int run_surge(sl_cli *cli, const sl_command *command, run_args *args, const char *path) {
    sl_surge_args *s = &args->surge;
    s->output = &args->output;
    s->node = &args->select.node;
    s->link = &args->select.link;
    s->what = &args->select.what;
    s->every = args->select.every;
    s->report = args->report;
    s->duration = args->duration;
    s->unit = args->unit;
    s->to = args->to;
    s->threads = args->threads;
    s->strict = args->strict;
    s->quiet = args->quiet;
    s->json = args->json;
    return sl_surge_run_study(cli, command, s, path);
}

/* A file of values, standard output, or none. */
static bool is_csv(const char *path) {
    size_t n = path ? strlen(path) : 0;
    return !path || strcmp(path, "-") == 0 || (n > 4 && strcmp(path + n - 4, ".csv") == 0);
}

/* The first option of networks that was given, or NULL. */
static const char *network_given(const run_args *args) {
    const sl_select_args *s = &args->select;
    return args->surge.on           ? "surge"
           : s->node.n > 0          ? "node"
           : s->link.n > 0          ? "link"
           : s->what.n > 0          ? "what"
           : s->from                ? "from"
           : s->until               ? "until"
           : s->every               ? "every"
           : s->one_value_per_row   ? "long"
           : s->compress            ? "compress"
           : args->rules > 0        ? "rule-logic"
           : args->tanks > 0        ? "tanks"
           : args->reactions > 0    ? "reactions"
           : args->head_error > 0.0 ? "head-error"
                                    : sl_surge_given(&args->surge);
}

static int run_automaton(sl_cli *cli, const sl_command *command, const run_args *args, const char *path) {
    const char *other = network_given(args);
    sl_automaton_run r = {.json = args->json,
                          .quiet = args->quiet,
                          .strict = args->strict,
                          .duration = (double)NAN,
                          .args = args->automaton};
    const char *events = args->automaton.events;
    if (other) {
        return sl_args_wrong(cli, command, "--%s is for networks, and %s is an automaton", other, path);
    }
    if (args->output.n > 1 || args->report || args->unit >= 0) {
        return sl_args_wrong(cli, command,
                             "automata have one file of results, -o FILE.csv, and no report or flow units");
    }
    r.output = args->output.n > 0 ? args->output.at[0] : NULL;
    if (args->to > 0) { /* the first of the words is csv */
        return sl_args_wrong(cli, command, "results of automata are written as csv, not %s", streams[args->to]);
    }
    if (!is_csv(r.output) || !is_csv(events)) {
        return sl_args_wrong(cli, command, "results of automata are written as .csv: %s",
                             is_csv(r.output) ? events : r.output);
    }
    if (r.output && events && strcmp(r.output, events) == 0) {
        return sl_args_wrong(cli, command, "%s is given twice: each file needs a name of its own", events);
    }
    if (args->duration && !sl_option_seconds(args->duration, &r.duration)) {
        return sl_args_wrong(cli, command, "--duration '%s' is not a time: 20, '90 min' (of automata: seconds)",
                             args->duration);
    }
    return sl_run_automaton(cli, path, &r);
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    run_args args = {
        .unit = -1, .to = -1, .threads = 1, .surge = {.friction = -1, .cavitation = -1}, .automaton.steps = -1};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, &code) < 0) {
        return code;
    }
    if (sl_is_automaton(argv[0])) {
        return run_automaton(cli, command, &args, argv[0]);
    }
    if (automaton_given(&args.automaton)) {
        return sl_args_wrong(cli, command, "--%s is for automata, and %s is none", automaton_given(&args.automaton),
                             argv[0]);
    }
    if (args.surge.on || sl_surge_is_study(argv[0])) {
        return run_surge(cli, command, &args, argv[0]);
    }
    if (sl_surge_given(&args.surge)) {
        return sl_args_wrong(cli, command, "--%s is for surges: add --surge", sl_surge_given(&args.surge));
    }
    sl_job j = sl_job_default(cli);
    code = settle(&j, &args, command, argv[0]);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    if (args.threads != 1 && !sl_cli_set_threads(cli, (int32_t)args.threads)) {
        sl_cli_message(cli, "out of memory");
        return SL_EXIT_WORLD;
    }
    j.files.async = args.threads != 1;
    code = sl_job_prepare(&j, argv[0]);
    code = code == SL_EXIT_FINE ? sl_job_open_sinks(&j) : code;
    code = code == SL_EXIT_FINE ? sl_job_end(&j, simulate(&j), false) : code;
    if (code < SL_EXIT_SIGNAL && j.input.diags) {
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
    .usage = "run [OPTIONS] FILE",
    .about =
        "Simulates the model to its end and prints a summary: lowest and highest pressures, tanks, pumps, energy,\n"
        "where the water went, what it carries, and how well the equations were met. FILE is an EPANET .inp file,\n"
        "- for standard input, a surge study (.yaml; docs/reference/surge-study.md) or an automaton (.yaml), of which\n"
        "the ranges of all variables are told (of a discrete one its steps), and -o writes a .csv. With --surge an\n"
        ".inp file is a study: pressure waves after what the options say. Result files appear when the run is over;\n"
        "they are written also when it failed on the way. The same warning at many times is shown once, with the\n"
        "first and the last time.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"FILE"},
    .examples = "sluice run town.inp                          the summary only\n"
                "sluice run town.inp -o town.out -o town.rpt  with EPANET's binary results and a report\n"
                "sluice run town.inp -o town.csv              tables: .csv, .json, .h5\n"
                "sluice run town.inp -o t.csv --node J1,J2 --what pressure   some of it\n"
                "sluice run town.inp --reactions exact        chlorine decays exactly, however long its time step\n"
                "sluice run town.inp --report - | less        the report as [REPORT] asks for it\n"
                "sluice run town.inp --json --duration 72:00  three days, for a program\n"
                "sluice run surge.yaml -o traces.csv          a surge study, with the heads over time\n"
                "sluice run net.inp --surge --close V1@1:2s --trip P1@5s --duration 20 --envelope env.svg\n"
                "sluice run thermostat.yaml -o room.csv       an automaton\n"
                "sluice run thermostat.yaml --events e.csv    what happened in it, and why\n"
                "sluice run delay.yaml --steps 4              a discrete automaton, for four steps",
    .exits = "0  fine (warnings included)\n"
             "1  warnings, with --strict, or a limit of a study was broken; results were written\n"
             "2  the file has errors, or lacks what is selected\n"
             "3  the simulation failed or a step is not balanced; results so far were written\n"
             "4  wrong use\n"
             "5  a file could not be read or written",
    .run = run,
};
