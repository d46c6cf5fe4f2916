/* SPDX-License-Identifier: MIT */
/* cmd_explain.c: `sluice explain`, an automaton for people: as text, as a page of HTML, as LaTeX. */
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <stddef.h>
#include <string.h>

static const char *const forms[] = {"text", "html", "tex", NULL}; /* sl_page_form */

typedef struct explain_args {
    const char *output, *mode;
    sl_option_time at;
    int to;
    bool html;
} explain_args;

static const sl_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(explain_args, output),
     .value = "FILE",
     .help = "write to a file: .html, .tex or .txt, by the ending; - is standard output"},
    {.name = "to",
     .letter = 't',
     .kind = SL_OPTION_WORD,
     .offset = offsetof(explain_args, to),
     .value = "FORMAT",
     .help = "text (the default), html or tex, whatever the ending",
     .words = forms},
    {.name = "html", .offset = offsetof(explain_args, html), .help = "the same as --to html"},
    {.name = "at",
     .kind = SL_OPTION_TIME,
     .offset = offsetof(explain_args, at),
     .value = "TIME",
     .help = "run to this time (12s, 2min; of a discrete automaton 5steps) and show what\nis there: values, the parts "
             "in force, the kind of equations, what happened\nlast",
     .may_count = true},
    {.name = "mode",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(explain_args, mode),
     .value = "Q=1,P=0",
     .help = "show the parts in force where discrete variables have these values,\nwithout a run; of guards of the "
             "others what remains is shown"},
};

typedef struct job {
    const sl_kind *kind;
    sl_load load;
    sl_page_def page;
} job;

static bool stopped(void *user) {
    (void)user;
    return sl_interrupt_signal() != 0;
}

static sl_status make(sl_cli *cli, void *user, const sl_sink *sink) {
    const job *j = user;
    (void)cli;
    return j->kind->explain(&j->load, &j->page, sink);
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
    } endings[] = {{".html", SL_PAGE_HTML}, {".htm", SL_PAGE_HTML}, {".tex", SL_PAGE_TEX}, {".txt", SL_PAGE_TEXT}};
    if (args->to >= 0 || args->html) {
        return args->to >= 0 ? args->to : SL_PAGE_HTML;
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

static int settle(sl_cli *cli, const sl_command *command, const explain_args *args, job *j) {
    int form = form_of(args);
    j->page = (sl_page_def){.at = args->at, .mode = args->mode, .stopped = stopped};
    if (args->html && args->to >= 0 && args->to != SL_PAGE_HTML) {
        return sl_args_wrong(cli, command, "--html and --to %s do not go together", forms[args->to]);
    }
    if (form < 0) {
        return sl_args_wrong(cli, command, "%s: pages are .html, .tex or .txt; or say --to html, tex or text",
                             args->output);
    }
    if (args->at.is_given && args->mode) {
        return sl_args_wrong(cli, command, "--at and --mode both say where: give one of them");
    }
    j->page.form = (sl_page_form)form;
    return SL_EXIT_FINE;
}

static int explain(sl_cli *cli, const sl_command *command, const explain_args *args, sl_input *input, job *j) {
    int code = sl_input_recognise(cli, input, NULL, &j->kind);
    if (code == SL_EXIT_FINE && !j->kind->explain) {
        return sl_args_wrong(cli, command, "%s is %s, which has no such page; `sluice info %s` shows it", input->name,
                             j->kind->noun, input->name);
    }
    j->load = sl_input_load_def(cli, input, NULL);
    return code == SL_EXIT_FINE ? sl_output_make(cli, args->output ? args->output : "-", make, j) : code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    explain_args args = {.to = -1};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, &code) < 0) {
        return code;
    }
    sl_input input;
    job j = {0};
    code = settle(cli, command, &args, &j);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    code = sl_input_open(cli, argv[0], &input);
    code = code == SL_EXIT_FINE ? explain(cli, command, &args, &input, &j) : code;
    if (input.diags) {
        sl_show_diags(cli, input.diags, &(sl_show_options){0});
    }
    sl_input_close(&input);
    return code;
}

const sl_command sl_cmd_explain = {
    .name = "explain",
    .summary = "show the parts of an automaton, all or those in force",
    .usage = "explain [OPTIONS] FILE",
    .about =
        "Shows an automaton (.yaml; docs/reference/automaton.md) for people: its variables with their starts, its\n"
        "parameters, and its parts with the guards under which they are in force: activities (equations of motion),\n"
        "roots (a condition that decides a discrete variable), transitions (discrete steps) and actions (new values\n"
        "after steps). With --at or --mode only what is in force there. HTML pages stand alone: formulas are MathML,\n"
        "which browsers set without scripts. LaTeX needs amsmath only.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"FILE"},
    .examples = "sluice explain thermostat.yaml                    all parts, on the terminal\n"
                "sluice explain thermostat.yaml -o thermostat.html a page for the browser\n"
                "sluice explain thermostat.yaml -o thermostat.tex  for pdflatex\n"
                "sluice explain thermostat.yaml --at 12s           what is going on after 12 seconds\n"
                "sluice explain thermostat.yaml --mode heating=1   what is in force while it heats",
    .exits = "0  fine\n"
             "2  the file has errors, or there is no such variable or value\n"
             "3  the run failed before --at; nothing was written\n"
             "4  wrong use\n"
             "5  a file could not be read or written",
    .run = run,
};
