/* SPDX-License-Identifier: MIT */
/* cmd_check.c: `sluice check`, every problem of every file. */
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/run_automaton.h"
#include "cli/surge.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

typedef struct check_args {
    bool json, strict, quiet, all;
} check_args;

static const sl_option options[] = {
    SL_OPTION_ROW_JSON(check_args, "one JSON object per problem and line on standard output"),
    SL_OPTION_ROW_STRICT(check_args),
    {.name = "quiet",
     .letter = 'q',
     .offset = offsetof(check_args, quiet),
     .help = "errors only: no warnings (unless --strict), no closing lines"},
    {.name = "all",
     .letter = 'a',
     .offset = offsetof(check_args, all),
     .help = "show all problems of a file, not the 200 most important"},
};

/* The line that closes a file: on standard output, or beside it when that carries JSON. */
static void closing_line(sl_cli *cli, const check_args *args, const sl_input *input, int code) {
    char counts[SL_COUNTS_MAX], tally[SL_TALLY_MAX], line[SL_COUNTS_MAX + SL_TALLY_MAX + 8];
    int64_t errors = sl_diags_count(input->diags, SL_ERROR);
    int64_t warnings = sl_diags_count(input->diags, SL_WARNING);
    if (code == SL_EXIT_WORLD) {
        snprintf(line, sizeof line, "cannot be read");
    } else if (errors > 0 || code != SL_EXIT_FINE) {
        snprintf(line, sizeof line, "%s", sl_tally(errors > 0 ? errors : 1, warnings, tally));
    } else if (!input->net) {
        snprintf(line, sizeof line, "%s", warnings > 0 ? sl_tally(0, warnings, tally) : "fine");
    } else {
        snprintf(line, sizeof line, "%s (%s)", warnings > 0 ? sl_tally(0, warnings, tally) : "fine",
                 sl_counts_text(input->net, counts));
    }
    if (args->json) {
        (void)dprintf(STDERR_FILENO, "%s: %s\n", input->name, line);
    } else {
        sl_out_z(&cli->out, input->name);
        sl_out_printf(&cli->out, ": %s\n", line);
    }
}

/* Reads the model, or examines the automaton. */
static int read_any(sl_cli *cli, sl_input *input, sl_automaton_facts *facts) {
    if (sl_is_automaton(input->path)) {
        return sl_exit_of(cli, sl_automaton_check(cli->ctx, input->bytes.at, (size_t)input->bytes.n, input->name,
                                                  input->diags, facts));
    }
    return sl_input_read(cli, input, true);
}

static void report_automaton(sl_cli *cli, const sl_automaton_facts *f) {
    char a[SL_PLURAL_MAX], b[SL_PLURAL_MAX], c[SL_PLURAL_MAX], d[SL_PLURAL_MAX];
    sl_out *out = &cli->out;
    sl_out_printf(out, "  Discrete      %s, %s; deterministic: %s; zeno-free: %s",
                  sl_plural(f->n_discrete, "variable", NULL, a), sl_plural(f->n_transition, "transition", NULL, b),
                  f->deterministic, f->zeno_free);
    if (f->bound > 0) {
        sl_out_printf(out, ", at most %s", sl_plural(f->bound, "step", NULL, c));
    }
    sl_out_printf(out, "\n  Continuous    %s, %s, %s, %s\n", sl_plural(f->n_continuous, "variable", NULL, a),
                  sl_plural(f->n_activity, "activity", "activities", b), sl_plural(f->n_root, "root", NULL, c),
                  sl_plural(f->n_action, "action", NULL, d));
    if (f->n_equation > 0 && f->index >= 0) {
        sl_out_printf(out, "  At the start  %s: %s; index %d\n", sl_plural(f->n_equation, "equation", NULL, a), f->form,
                      (int)f->index);
    }
}

static int check_file(sl_cli *cli, const check_args *args, const char *path) {
    sl_input input;
    if (sl_surge_is_study(path)) {
        return sl_surge_check_study(cli, path, args->json, args->strict, args->quiet, args->all);
    }
    int code = sl_input_open(cli, path, &input);
    sl_automaton_facts facts = {.size = sizeof facts};
    if (code == SL_EXIT_FINE) {
        code = read_any(cli, &input, &facts);
    }
    if (!sl_interrupt_signal() && input.diags) {
        sl_show_options show = {.json = args->json, .errors_only = args->quiet && !args->strict, .all = args->all};
        sl_show_diags(cli, input.diags, &show);
        if (!args->quiet) {
            closing_line(cli, args, &input, code);
            if (facts.deterministic && facts.n_discrete + facts.n_continuous > 0 && !args->json) {
                report_automaton(cli, &facts);
            }
        }
        if (code == SL_EXIT_FINE && args->strict && sl_diags_count(input.diags, SL_WARNING) > 0) {
            code = SL_EXIT_WARNINGS;
        }
    }
    sl_input_close(&input);
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    check_args args = {0};
    int worst = SL_EXIT_FINE;
    int n = sl_args_parse(cli, command, argc, argv, &args, &worst);
    if (n < 0) {
        return worst;
    }
    worst = SL_EXIT_FINE;
    for (int i = 0; i < n && !sl_interrupt_signal(); i++) {
        int code = check_file(cli, &args, argv[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const sl_command sl_cmd_check = {
    .name = "check",
    .summary = "report every problem of model files",
    .usage = "check [OPTIONS] FILE...",
    .about = "Reads each file to its end and reports everything that is wrong with it: file, line and column, the\n"
             "line itself, and what to do. Then it goes on to the next file. FILE is an EPANET .inp file, a surge\n"
             "study or an automaton (.yaml), or - for standard input; of an automaton it is also told what can be\n"
             "proved without running it. Problems go to standard error, a closing line per file to standard output.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"FILE"},
    .more_operands = true,
    .examples = "sluice check town.inp                 what is wrong with this file?\n"
                "sluice check --strict models/*.inp    in a script: warnings count too\n"
                "sluice check --json town.inp          for an editor or a program\n"
                "sluice check automaton.yaml           is it deterministic, does it come to rest?",
    .exits = "0  no errors (warnings included)\n"
             "1  warnings, with --strict\n"
             "2  errors\n"
             "5  a file could not be read\n"
             "The highest of several files counts.",
    .run = run,
};
