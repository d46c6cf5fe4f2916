/* SPDX-License-Identifier: MIT */
/* cmd_explain.c: `sluice explain`, a model for people: elements with their laws in numbers, or the whole; as text, HTML, LaTeX or
 * JSON. What there is to say comes from the kind of model. */
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/output.h"

#include <stddef.h>
#include <string.h>

static const char *const forms[] = {"text", "html", "tex", "json", NULL}; /* sl_page_form */

typedef struct explain_args {
    const char *output, *mode;
    sl_option_time time, duration;
    int to;
    sl_texts nodes, links;
    bool html, json;
} explain_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("output", 'o', TEXT, explain_args, output, "FILE",
                   "write to a file: .html, .tex, .json or .txt, by the ending; - is standard\noutput")},
    {SL_OPTION_ROW("to", 't', WORD, explain_args, to, "FORMAT",
                   "text (the default), html, tex or json, whatever the ending"),
     .words = forms},
    {SL_OPTION_ROW("html", 0, FLAG, explain_args, html, NULL, "the same as --to html")},
    SL_OPTION_ROW_JSON(explain_args, "the same as --to json: one JSON object, in SI units"),
    {SL_OPTION_ROW("node", 0, TEXTS, explain_args, nodes, "ID",
                   "explain this node: balance, demands, storage; may be repeated, and combined\nwith --link")},
    {SL_OPTION_ROW("link", 0, TEXTS, explain_args, links, "ID",
                   "explain this link: its law in symbols and in numbers")},
    {SL_OPTION_ROW("time", 0, TIME, explain_args, time, "TIME",
                   "time of the state to explain, default the start: 6:00, 90min, 20s; for a\n"
                   "discrete automaton 5steps"),
     .may_count = true},
    {SL_OPTION_ROW("duration", 'd', TIME, explain_args, duration, "TIME",
                   "length of the run, in place of the model's: 24:00, 20s; 5steps"),
     .may_count = true},
    {SL_OPTION_ROW("mode", 0, TEXT, explain_args, mode, "Q=1,P=0",
                   "for automata and tunnels: show the elements that can be active for these\n"
                   "values of discrete variables, with the remaining guards of an automaton,\n"
                   "without a run")},
};

typedef struct page_job {
    const sl_kind *kind;
    sl_load load;
    sl_page_def page;
    bool refused; /* what was asked for fits no such model: the diagnostics say why */
} page_job;

static bool stopped(void *user) {
    (void)user;
    return sl_interrupt_signal() != 0;
}

static sl_status make(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    (void)cli, (void)patch;
    page_job *j = user;
    sl_status status = sl_kind_explain(j->kind, &j->load, &j->page, sink);
    j->refused = status == SL_ERR_USE;
    return j->refused ? SL_ERR_INPUT : status;
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcmp(path + n - k, ending) == 0;
}

/* The form of the page; -1: the ending says none. */
static int form_of(const explain_args *args) {
    static const struct {
        const char *ending;
        int form;
    } endings[] = {{".html", SL_PAGE_HTML},
                   {".htm", SL_PAGE_HTML},
                   {".tex", SL_PAGE_TEX},
                   {".txt", SL_PAGE_TEXT},
                   {".json", SL_PAGE_JSON}};
    if (args->to >= 0 || args->html || args->json) {
        return args->to >= 0 ? args->to : args->html ? SL_PAGE_HTML : SL_PAGE_JSON;
    }
    if (!args->output || strcmp(args->output, "-") == 0) {
        return SL_PAGE_TEXT;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(args->output, endings[i].ending)) {
            return endings[i].form;
        }
    }
    return -1;
}

static int settle(sl_cli *cli, const sl_command *command, const explain_args *args, page_job *j) {
    int form = form_of(args);
    j->page = (sl_page_def){.at = args->time,
                            .duration = args->duration,
                            .mode = args->mode,
                            .nodes = &args->nodes,
                            .links = &args->links,
                            .stopped = stopped};
    if ((args->html && args->to >= 0 && args->to != SL_PAGE_HTML) ||
        (args->json && args->to >= 0 && args->to != SL_PAGE_JSON) || (args->html && args->json)) {
        return sl_args_wrong(cli, command, "--html, --json and --to each say the form: give one of them");
    }
    if (form < 0) {
        return sl_args_wrong(cli, command,
                             "%s: pages are .html, .tex, .json or .txt; or say --to html, tex, json or text",
                             args->output);
    }
    if (args->time.is_given && args->mode) {
        return sl_args_wrong(cli, command, "--time and --mode both say where: give one of them");
    }
    j->page.form = (sl_page_form)form;
    return SL_EXIT_FINE;
}

static int explain_file(sl_cli *cli, const sl_command *command, const explain_args *args, const sl_kind_args *kinds,
                        const char *path, page_job *j) {
    sl_job job = sl_job_default(cli, command, kinds);
    int code = sl_job_open(&job, path, kinds->selected ? kinds->selected->name : NULL);
    job.asked_duration = args->duration;
    job.duration = args->duration.is_given ? args->duration.value : job.duration;
    if (code == SL_EXIT_FINE) {
        j->kind = job.kind;
        j->load = sl_input_load_def(cli, &job.input, job.load_args);
        code = sl_job_bound_duration(&job, &j->load);
        j->load.duration = job.duration;
    }
    code = code == SL_EXIT_FINE ? sl_output_make(cli, args->output ? args->output : "-", make, j) : code;
    sl_show_diags(cli, job.input.diags, &(sl_show_options){0});
    sl_job_close(&job);
    return j->refused ? SL_EXIT_USE : code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    explain_args args = {.to = -1};
    page_job j = {0};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    code = settle(cli, command, &args, &j);
    return code == SL_EXIT_FINE ? explain_file(cli, command, &args, kinds, argv[0], &j) : code;
}

const sl_command sl_cmd_explain = {
    .name = "explain",
    .summary = "print the equations of a model, in symbols and in numbers",
    .usage = "explain [OPTIONS] FILE",
    .about =
        "Prints the equations of a model. For a network: sizes, laws, options, controls and rules in words. For a\n"
        "node or link at a time: its law in symbols, the law with the values of flow and heads, the residual, and\n"
        "the reason for its status. For a surge study: grid, devices, events and boundary laws. For an automaton:\n"
        "variables, parameters and elements with their guards; for tunnels: equations, roots, actions and\n"
        "transitions. With --time or --mode only the active ones.\n"
        "\n"
        "HTML pages need no other file: formulas are MathML. LaTeX pages need the package amsmath only.",
    .options = SL_OPTION_TABLE(options, explain_args, NULL),
    .operands = {"FILE"},
    .kind_options = SL_OPTIONS_OF_LOAD,
    .examples = "sluice explain town.inp                           explain a network\n"
                "sluice explain town.inp --link P7 --time 7:00     explain a link at seven o'clock\n"
                "sluice explain town.inp --node J1 --json          explain a balance, in SI units\n"
                "sluice explain thermostat.yaml                    print all equations of an automaton\n"
                "sluice explain thermostat.yaml -o thermostat.html write a page for the browser\n"
                "sluice explain thermostat.yaml -o thermostat.tex  write a page for LaTeX\n"
                "sluice explain thermostat.yaml --time 12s         explain the state after 12 seconds\n"
                "sluice explain thermostat.yaml --mode heating=1   explain the mode of heating",
    .exits = "0  success\n"
             "2  the file has errors, or there is no such element, variable or value\n"
             "3  the run failed before --time; nothing was written\n"
             "4  wrong use of the command line\n"
             "5  a file could not be read or written",
    .run = run,
};
