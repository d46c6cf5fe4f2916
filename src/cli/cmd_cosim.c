/* SPDX-License-Identifier: MIT */
/* cmd_cosim.c: `sluice cosim`: a model that exchanges values with a partner while it runs.
 *
 * The partner is another program that was started elsewhere, one that is started here (after --), or a second model in
 * this process. A side is a job (job.h) that a coupler moves.
 */
#include <math.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/partner.h"
#include "exchange/coupler.h"
#include "kinds/foreign.h"

typedef struct cosim_args {
    sl_texts output;
    bool strict, quiet, json;
} cosim_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("output", 'o', TEXTS, cosim_args, output, "FILE",
                   "write results; the ending selects the format: .out (EPANET's binary\n"
                   "file), .csv, .json, .h5 (values) or .rpt (report). May be repeated. For\n"
                   "two models, write `results: [FILE, ...]` into each run file")},
    SL_OPTION_ROW_STRICT(cosim_args),
    {SL_OPTION_ROW("quiet", 'q', FLAG, cosim_args, quiet, NULL, "print no summary, and no warnings unless --strict")},
    SL_OPTION_ROW_JSON(cosim_args, "print summary and messages as one JSON object per model, in SI units"),
};

/* One model, its run file and its exchange. */
typedef struct side {
    sl_cli *cli;
    const char *path; /* of the run file */
    sl_input file;
    char model[PATH_MAX];
    sl_coupling *coupling;
    sl_coupler *coupler;
    sl_coupler_end_reason reason;
    sl_cosim_stats stats;
    sl_job job;
    sl_status status;
    int code;
} side;

typedef struct sides {
    side at[2];
    int n;
    sl_partner partner;
} sides;

/* ---- Before the run ----------------------------------------------------------------------------- */

/* The model's path: from where the run file is. */
static int find_model(side *s) {
    if (!sl_path_beside(s->path, s->coupling->model, s->model)) {
        sl_cli_message(s->cli, "the path of the model is too long: %s", s->coupling->model);
        return SL_EXIT_INPUT;
    }
    return SL_EXIT_FINE;
}

/* A model, or another file that is no run file. */
static bool refuse_other(side *s) {
    sl_kind_head head;
    char hint[2 * PATH_MAX];
    sl_kind_head_init(&head, &s->file.source);
    (void)snprintf(hint, sizeof hint, "`sluice run %s` simulates it; a run file names it: `model: %s`", s->path,
                   s->path);
    return sl_foreign_recognise(&head).kind != SL_FOREIGN_COUPLING &&
           sl_foreign_report(s->cli->kinds, &head, "a run file of a coupling", hint, s->file.diags);
}

static int read_file(side *s, const cosim_args *args) {
    int code = sl_input_open(s->cli, s->path, &s->file);
    if (code == SL_EXIT_FINE) {
        sl_status status = refuse_other(s) ? SL_ERR_INPUT
                                           : sl_coupling_read(s->cli->ctx, s->file.bytes.at, s->file.bytes.n,
                                                              s->file.name, s->file.diags, &s->coupling);
        code = sl_exit_of(s->cli, status);
    }
    if (code == SL_EXIT_FINE) {
        return find_model(s);
    }
    sl_show_diags(s->cli, s->file.diags, &(sl_show_options){.json = args->json});
    return code;
}

static int add_file(side *s, const sl_command *command, const char *path) {
    if (strcmp(path, "-") == 0) {
        return sl_args_wrong(s->cli, command, "results cannot go to standard output here: name a file");
    }
    if (sl_run_same_file(path, s->model) || sl_run_same_file(path, s->path)) {
        return sl_args_wrong(s->cli, command, "%s is read here: results need another name", path);
    }
    return sl_job_add_file(&s->job, path, NULL, NULL);
}

static int settle_files(side *s, const sl_command *command, const cosim_args *args) {
    int code = SL_EXIT_FINE;
    for (int i = 0; i < args->output.n && code == SL_EXIT_FINE; i++) {
        code = add_file(s, command, args->output.at[i]);
    }
    for (int32_t i = 0; i < s->coupling->n_result && code == SL_EXIT_FINE; i++) {
        code = add_file(s, command, s->coupling->result[i]);
    }
    return code == SL_EXIT_FINE ? sl_job_settle(&s->job) : code;
}

/* The model, its files, its diagnostics; a message says what is wrong. */
static int prepare(side *s, const sl_command *command, const cosim_args *args, const sl_kind_args *kinds) {
    s->job = sl_job_default(s->cli, command, kinds);
    s->job.verbosity = (sl_job_verbosity){args->strict, args->quiet, args->json};
    s->job.duration = s->coupling->duration;
    s->job.is_coupled = true;
    s->job.step = isfinite(s->coupling->step) ? s->coupling->step : 0.0;
    int code =
        sl_diags_create(s->cli->ctx, &s->job.extra_diags) == SL_OK ? SL_EXIT_FINE : sl_exit_of(s->cli, SL_ERR_MEMORY);
    code = code == SL_EXIT_FINE ? sl_job_open(&s->job, s->model, NULL) : code;
    code = code == SL_EXIT_FINE ? settle_files(s, command, args) : code;
    code = code == SL_EXIT_FINE ? sl_job_prepare(&s->job) : code;
    if (code != SL_EXIT_FINE && s->job.input.diags) {
        sl_show_diags(s->cli, s->job.input.diags, &(sl_show_options){.json = args->json});
    }
    return code;
}

/* Two models in one process: they meet in memory, whatever their files say. */
static int join(sides *all) {
    side *a = &all->at[0], *b = &all->at[1];
    for (int i = 0; i < 2; i++) {
        all->at[i].coupling->def.uri = "mem:models";
    }
    if (a->coupling->skip == 0 && b->coupling->skip == 0) {
        sl_cli_message(a->cli, "one of the two must go first: write `skip: 1` into %s or %s", a->path, b->path);
        return SL_EXIT_INPUT;
    }
    for (int i = 0; i < 2; i++) {
        const side *from = &all->at[i], *to = &all->at[1 - i];
        if (from->coupling->write.n != to->coupling->read.n) {
            sl_cli_message(a->cli, "%s writes %d values, %s reads %d: the lists go together, row by row", from->path,
                           (int)from->coupling->write.n, to->path, (int)to->coupling->read.n);
            return SL_EXIT_INPUT;
        }
    }
    return SL_EXIT_FINE;
}

static int start_partner(sides *all, char **argv, const cosim_args *args) {
    side *s = &all->at[0];
    if (s->coupling->def.uri) {
        sl_cli_message(s->cli, "a partner after -- needs `in` and `out` in %s, not `uri`", s->path);
        return SL_EXIT_INPUT;
    }
    int code = sl_partner_prepare(&all->partner, s->cli, s->coupling->def.in, s->coupling->def.out);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    s->coupling->def.in = all->partner.in;
    s->coupling->def.out = all->partner.out;
    s->coupling->def.transient = true;
    code = sl_partner_start(&all->partner, argv, args->json);
    s->coupling->def.partner = all->partner.pid;
    return code;
}

static void report_waiting(void *user, const char *text) {
    sl_cli *cli = user;
    sl_bar_clear(&cli->bar);
    sl_cli_message(cli, "%s", text);
}

static int open_coupler(side *s, const cosim_args *args) {
    s->coupling->waiting = args->quiet ? NULL : report_waiting;
    s->coupling->user = s->cli;
    sl_status status = sl_coupler_open(s->cli->ctx, s->coupling, s->job.session, s->job.extra_diags, &s->coupler);
    if (status != SL_OK) {
        sl_show_diags(s->cli, s->job.extra_diags, &(sl_show_options){.json = args->json});
    }
    return sl_exit_of(s->cli, status);
}

/* ---- The run ------------------------------------------------------------------------------------ */

/* To the end of one side, and its good-bye; the other one may go on. */
static void *run_side(void *user) {
    side *s = user;
    s->status = sl_coupler_run(s->coupler);
    s->reason = sl_coupler_ended(s->coupler);
    s->stats.size = sizeof s->stats;
    sl_status closed = sl_coupler_close(s->coupler, &s->stats);
    s->status = s->status == SL_OK ? closed : s->status;
    return NULL;
}

static void on_interrupt(void *user) {
    sides *all = user;
    for (int i = 0; i < all->n; i++) {
        if (all->at[i].coupler) {
            sl_coupler_abort(all->at[i].coupler);
        }
    }
}

static int simulate(sides *all) {
    sl_cli *cli = all->at[0].cli;
    pthread_t other;
    sl_interrupt_call(on_interrupt, all);
    if (sl_interrupt_signal()) { /* before there was anybody to call */
        on_interrupt(all);
    }
    bool two = all->n == 2;
    if (two && pthread_create(&other, NULL, run_side, &all->at[1]) != 0) {
        sl_cli_message(cli, "cannot start a thread: the system lacks memory or threads");
        sl_interrupt_call(NULL, NULL);
        return SL_EXIT_WORLD;
    }
    (void)run_side(&all->at[0]);
    if (two) {
        pthread_join(other, NULL);
    }
    sl_interrupt_call(NULL, NULL);
    sl_bar_clear(&cli->bar);
    return SL_EXIT_FINE;
}

/* ---- What is told ------------------------------------------------------------------------------- */

static const char *why_word(sl_coupler_end_reason why) {
    static const char *const words[] = {"stopped", "complete", "partner-ended", "partner-failed"};
    return words[why];
}

static void report_json(side *s) {
    sl_out *out = &s->cli->out;
    sl_json json;
    sl_json_init(&json, out, 2);
    sl_json_object(&json);
    sl_job_report_json(&s->job, s->code, &json);
    sl_json_key(&json, "exchange");
    sl_json_object(&json);
    sl_json_member_z(&json, "ended", why_word(s->reason));
    sl_json_member_int(&json, "read", s->stats.n_read);
    sl_json_member_int(&json, "written", s->stats.n_written);
    sl_json_member_number(&json, "waited_s", s->stats.waited);
    sl_json_end(&json);
    (void)sl_put_diags_member(out, s->cli->ctx, s->job.input.diags);
    sl_json_end(&json);
    sl_out_char(out, '\n');
}

static void report_text(side *s) {
    sl_job_report(&s->job, s->code);
    if (!s->job.verbosity.quiet && s->code <= SL_EXIT_SOLVE) {
        sl_out_printf(&s->cli->out, "  Exchange      %lld messages read, %lld written, %.3g s waited\n",
                      (long long)s->stats.n_read, (long long)s->stats.n_written, s->stats.waited);
    }
}

/* Writes the results of a side and says how it went. */
static int end_side(side *s, const cosim_args *args) {
    s->code = sl_job_end(&s->job, s->status, s->reason == SL_COUPLER_PARTNER_FAILED);
    if (s->code < SL_EXIT_SIGNAL) {
        (args->json ? report_json : report_text)(s);
    }
    return s->code;
}

static void close_side(side *s) {
    sl_coupler_destroy(s->coupler);
    if (s->job.cli) {
        sl_job_close(&s->job);
    }
    sl_coupling_destroy(s->coupling);
    sl_input_close(&s->file);
}

/* ---- The command -------------------------------------------------------------------------------- */

static int couple(sides *all, const sl_command *command, const cosim_args *args, const sl_kind_args *kinds,
                  char **partner) {
    int code = SL_EXIT_FINE;
    for (int i = 0; i < all->n && code == SL_EXIT_FINE; i++) {
        code = read_file(&all->at[i], args);
    }
    code = code == SL_EXIT_FINE && all->n == 2 ? join(all) : code;
    for (int i = 0; i < all->n && code == SL_EXIT_FINE; i++) {
        code = prepare(&all->at[i], command, args, kinds);
    }
    for (int i = 0; i < all->n && code == SL_EXIT_FINE; i++) { /* wrong names are known before anybody is started */
        code = sl_exit_of(all->at[i].cli, sl_coupling_bind(all->at[i].coupling, all->at[i].job.session));
        if (code != SL_EXIT_FINE) {
            sl_show_diags(all->at[i].cli, all->at[i].file.diags, &(sl_show_options){.json = args->json});
        }
    }
    code = code == SL_EXIT_FINE && partner ? start_partner(all, partner, args) : code;
    for (int i = 0; i < all->n && code == SL_EXIT_FINE; i++) {
        code = open_coupler(&all->at[i], args);
    }
    code = code == SL_EXIT_FINE ? simulate(all) : code;
    if (code != SL_EXIT_FINE) {
        return code;
    }
    bool failed = all->at[0].status != SL_OK || sl_interrupt_signal();
    if (partner) {
        sl_interrupt_grant(3); /* its last words, twice */
    }
    int ended = partner ? sl_partner_end(&all->partner, failed) : SL_EXIT_FINE;
    for (int i = 0; i < all->n; i++) {
        int k = end_side(&all->at[i], args);
        code = k > code ? k : code;
    }
    return ended > code ? ended : code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    cosim_args args = {0};
    int code = SL_EXIT_FINE, n = 0;
    char **partner = NULL;
    for (int i = 0; i < argc && !partner; i++) {
        partner = strcmp(argv[i], "--") == 0 ? argv + i + 1 : NULL;
    }
    n = sl_args_parse(cli, command, partner ? (int)(partner - argv) - 1 : argc, argv, &args, kinds, &code);
    if (n < 1) {
        return code;
    }
    if (n > 2 || (n == 2 && partner)) {
        return sl_args_wrong(cli, command, "one run file, or two of models that are coupled with each other");
    }
    if (partner && !partner[0]) {
        return sl_args_wrong(cli, command, "the partner's program is missing after --");
    }
    if (n == 2 && args.output.n > 0) {
        return sl_args_wrong(cli, command,
                             "with two models write `results: [FILE, ...]` into each run file instead of -o");
    }
    cli->bar.enabled = cli->bar.enabled && n == 1; /* two threads cannot share it */
    sides all = {.n = n, .partner.leash = -1};
    for (int i = 0; i < n; i++) {
        all.at[i].cli = cli;
        all.at[i].path = argv[i];
    }
    code = couple(&all, command, &args, kinds, partner);
    for (int i = 0; i < n; i++) {
        close_side(&all.at[i]);
    }
    (void)sl_partner_end(&all.partner, true);
    return code;
}

const sl_command sl_cmd_cosim = {
    .name = "cosim",
    .summary = "simulate a model coupled with another program",
    .usage = "cosim [OPTIONS] RUN.yaml [RUN2.yaml | -- PARTNER ARGS...]",
    .about =
        "Simulates a model and exchanges values with a partner in every time step. The partner is a controller,\n"
        "another simulator, or a second model. The run file names the model and the variables:\n"
        "\n"
        "    model: town.inp\n"
        "    cosim:\n"
        "      in: controller.cosim        # the partner writes this file\n"
        "      out: sluice.cosim           # the partner reads this one\n"
        "      skip: 1                     # this side starts; exactly one side must\n"
        "      step: 15 min                # default: every step of the model\n"
        "      read:                       # rows in the partner's order\n"
        "        - {entity: 1, variable: \"pump.'P1'.speed\"}\n"
        "      write:\n"
        "        - {entity: 2, variable: \"tank.'T1'.level\", unit: cm, description: high tank}\n"
        "\n"
        "`sluice vars MODEL` lists the variables. The command after -- starts the partner in a new directory. In its\n"
        "arguments {in} and {out} stand for its files, {dir} for the new directory and {here} for the current one.\n"
        "When one side ends, so does the other, and the directory is removed. Two run files couple two models\n"
        "within one process.",
    .options = SL_OPTION_TABLE(options, cosim_args, NULL),
    .kind_defaults = SL_OPTIONS_OF_LOAD | SL_OPTIONS_OF_REPORT,
    .operands = {"RUN.yaml"},
    .more_operands = true,
    .examples = "sluice cosim run.yaml                                       couple with a running partner\n"
                "sluice cosim run.yaml -o town.out -- ./control {in} {out}   start the partner too\n"
                "sluice cosim run.yaml -- python3 {here}/control.py {in} {out}\n"
                "sluice cosim west.yaml east.yaml                            couple two models",
    .exits = "0  success (warnings included, also when the partner ended first)\n"
             "1  warnings, with --strict; results were written\n"
             "2  a file has errors\n"
             "3  the simulation failed, or a step is not balanced; results up to then were written\n"
             "4  wrong use of the command line\n"
             "5  the partner failed, ended early or sent nothing for too long (results up to then were\n"
             "   written), or a file could not be read or written",
    .run = run,
};
