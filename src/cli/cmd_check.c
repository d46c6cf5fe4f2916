/* SPDX-License-Identifier: MIT */
/* cmd_check.c: `sluice check`, every problem of every file. */
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/interrupt.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

typedef struct check_args {
    bool json, strict, quiet, all;
    sl_check_set set;
} check_args;

static const sl_option options[] = {
    SL_OPTION_ROW_JSON(check_args, "print one JSON object per problem, one per line"),
    SL_OPTION_ROW_STRICT(check_args),
    {SL_OPTION_ROW("quiet", 'q', FLAG, check_args, quiet, NULL,
                   "print errors only: no closing lines, and no warnings unless --strict")},
    {SL_OPTION_ROW("all", 'a', FLAG, check_args, all, NULL, "print all problems of a file, not the 200 most severe")},
    {SL_OPTION_ROW("at", 0, TEXT, check_args, set.at, "Q=1,P=0",
                   "for automata: check the states with these values (t=2: at this discrete\ntime)")},
    {SL_OPTION_ROW("where", 0, TEXT, check_args, set.where, "CONDITION",
                   "for automata: check the states that satisfy a condition: 'q = 1 | p > 0'")},
};

/* The line that closes a file: on standard output, or beside it when that carries JSON. */
static void closing_line(sl_cli *cli, const check_args *args, const sl_input *input, const sl_kind_facts *facts,
                         int code) {
    char tally[SL_TALLY_MAX], line[sizeof facts->brief + SL_TALLY_MAX + 8];
    int64_t errors = sl_diags_count(input->diags, SL_ERROR);
    int64_t warnings = sl_diags_count(input->diags, SL_WARNING);
    const char *fine = warnings > 0 ? sl_tally(0, warnings, tally) : "fine";
    if (code == SL_EXIT_WORLD) {
        snprintf(line, sizeof line, "cannot be read");
    } else if (errors > 0 || code != SL_EXIT_FINE) {
        snprintf(line, sizeof line, "%s", sl_tally(errors > 0 ? errors : 1, warnings, tally));
    } else if (facts->brief[0] == '\0') {
        snprintf(line, sizeof line, "%s", fine);
    } else {
        snprintf(line, sizeof line, "%s (%s)", fine, facts->brief);
    }
    if (args->json) {
        (void)dprintf(STDERR_FILENO, "%s: %s\n", input->name, line);
    } else {
        sl_out_z(&cli->out, input->name);
        sl_out_printf(&cli->out, ": %s\n%s", line, facts->more);
    }
}

/* As the kind does it, or by loading the model and making a session of it. */
static sl_status check_model(const sl_kind *kind, const sl_load *load, const sl_check_set *set, sl_kind_facts *facts) {
    if (kind->check_set) {
        return kind->check_set(load, set, facts);
    }
    if (kind->check) {
        return kind->check(load, facts);
    }
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_status status = sl_kind_load(kind, load, &model);
    status = status == SL_OK && model ? sl_session_create(load->ctx, model, load->diags, &session) : status;
    sl_session_destroy(session);
    sl_model_destroy(model);
    return status;
}

static int check_source(sl_cli *cli, const check_args *args, sl_input *input, const sl_kind_args *kinds,
                        sl_kind_facts *facts) {
    const sl_kind *kind;
    int code = sl_input_recognise(cli, input, NULL, &kind);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    if ((args->set.at || args->set.where) && !kind->check_set) {
        sl_text_location place = {.file = input->name};
        sl_report(input->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &place, NULL, NULL, NULL,
                  "--%s is for automata, and this is %s", args->set.at ? "at" : "where", kind->noun);
        return SL_EXIT_USE;
    }
    sl_load load = sl_input_load_def(cli, input, sl_kind_args_of(kinds, kind, SL_OPTIONS_OF_LOAD));
    load.tolerant = true;
    code = sl_load_exit(cli, check_model(kind, &load, &args->set, facts));
    return code == SL_EXIT_FINE && sl_diags_count(input->diags, SL_ERROR) > 0 ? SL_EXIT_INPUT : code;
}

static int check_file(sl_cli *cli, const check_args *args, const sl_kind_args *kinds, const char *path) {
    sl_input input;
    sl_kind_facts facts = {0};
    int code = sl_input_open(cli, path, &input);
    code = code == SL_EXIT_FINE ? check_source(cli, args, &input, kinds, &facts) : code;
    if (!sl_interrupt_signal() && input.diags) {
        sl_show_options show = {.json = args->json, .errors_only = args->quiet && !args->strict, .all = args->all};
        sl_show_diags(cli, input.diags, &show);
        if (!args->quiet) {
            closing_line(cli, args, &input, &facts, code);
        }
        code = sl_strict_exit(code, args->strict, input.diags);
    }
    sl_input_close(&input);
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    check_args args = {0};
    int worst = SL_EXIT_FINE;
    int n = sl_args_parse(cli, command, argc, argv, &args, kinds, &worst);
    if (n < 0) {
        return worst;
    }
    worst = SL_EXIT_FINE;
    for (int i = 0; i < n && !sl_interrupt_signal(); i++) {
        int code = check_file(cli, &args, kinds, argv[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const sl_command sl_cmd_check = {
    .name = "check",
    .summary = "report every problem of model files",
    .usage = "check [OPTIONS] FILE...",
    .about = "Reports every problem of each file in one pass: location, the line itself, cause and remedy. FILE is a\n"
             "model of any kind; - reads standard input. For an automaton the report includes what can be proved\n"
             "without a run. Problems go to standard error, a closing line per file to standard output.",
    .options = SL_OPTION_TABLE(options, check_args, NULL),
    .kind_defaults = SL_OPTIONS_OF_LOAD,
    .operands = {"FILE"},
    .more_operands = true,
    .examples = "sluice check town.inp                 report the problems of a file\n"
                "sluice check --strict models/*.inp    fail on warnings, in a script\n"
                "sluice check --json town.inp          report to an editor or a program\n"
                "sluice check automaton.yaml           prove that an automaton is deterministic and settles",
    .exits = "0  no errors (warnings included)\n"
             "1  warnings, with --strict\n"
             "2  errors\n"
             "5  a file could not be read\n"
             "With several files, the highest code.",
    .run = run,
};
