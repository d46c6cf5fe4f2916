/* SPDX-License-Identifier: MIT */
/* surge_run.c: `sluice run` of a surge study, from the file or from options to its results; see surge.h. */
#include <math.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/run_messages.h"
#include "cli/surge_job.h"
#include "session/session.h"

static const char *const streams[] = {"csv", "json", "rpt"}; /* as --to of `sluice run` */

typedef struct surge_run {
    sl_surge_job job;
    const sl_surge_args *args;
    const sl_command *command;
    sl_surge_files files;
    sl_surge_traces traces;
    sl_session *session;
    sl_messages messages;
    sl_surge_outcome outcome;
    bool ran; /* there is an outcome */
    sl_study_route route;
} surge_run;

/* ---- What is asked for -------------------------------------------------------------------------- */

static int add_file(surge_run *s, const char *path, const char *format, bool envelope) {
    char why[1024];
    return sl_surge_files_add(&s->files, path, format, envelope, why, sizeof why)
               ? SL_EXIT_FINE
               : sl_args_wrong(s->job.cli, s->command, "%s", why);
}

static int settle_files(surge_run *s) {
    const sl_surge_args *a = s->args;
    int code = SL_EXIT_FINE;
    for (int i = 0; i < a->output->n && code == SL_EXIT_FINE; i++) {
        bool standard = strcmp(a->output->at[i], "-") == 0;
        if (standard && a->to < 0) {
            return sl_args_wrong(s->job.cli, s->command,
                                 "say in which form standard output is wanted: --to csv, json or rpt");
        }
        code = add_file(s, a->output->at[i], standard ? streams[a->to] : NULL, false);
    }
    for (int i = 0; i < a->envelope.n && code == SL_EXIT_FINE; i++) {
        code = add_file(s, a->envelope.at[i], NULL, true);
    }
    code = code == SL_EXIT_FINE && a->report ? add_file(s, a->report, "rpt", false) : code;
    if (code == SL_EXIT_FINE && s->files.standard && a->json) {
        return sl_args_wrong(s->job.cli, s->command, "-o - and --json both want standard output");
    }
    return code;
}

/* The files that the study itself asks for. */
static int settle_study_files(surge_run *s) {
    const sl_study *study = s->job.study;
    int code = SL_EXIT_FINE;
    for (int32_t i = 0; i < study->n_result && code == SL_EXIT_FINE; i++) {
        code = add_file(s, study->results[i], NULL, false);
    }
    for (int32_t i = 0; i < study->n_envelope && code == SL_EXIT_FINE; i++) {
        code = add_file(s, study->envelopes[i], NULL, true);
    }
    return code;
}

/* --node A,B: the elements of a list of ids. */
static int choose(surge_run *s, const sl_texts *texts, bool node, sl_study_choice *c) {
    sl_study *study = s->job.study;
    const sl_network *net = study->net;
    int32_t *at = sl_arena_alloc(&study->arena, (size_t)(node ? net->n_node : net->n_link) * sizeof *at), n = 0;
    if (!at) {
        return sl_exit_of(s->job.cli, SL_ERR_MEMORY);
    }
    *c = (sl_study_choice){.none = true};
    for (int i = 0; i < texts->n; i++) {
        const char *z = texts->at[i];
        while (*z) {
            sl_str id = {z, strcspn(z, ",")};
            int32_t found = node ? sl_network_find_node(net, id) : sl_network_find_link(net, id);
            bool all = sl_str_equal_nocase(id, sl_str_z("ALL")), none = sl_str_equal_nocase(id, sl_str_z("NONE"));
            if (found < 0 && !all && !none) {
                return sl_args_wrong(s->job.cli, s->command, "--%s: there is no %s '%.*s'", node ? "node" : "link",
                                     node ? "node" : "link", (int)id.len, id.ptr);
            }
            c->all = c->all || (found < 0 && all);
            if (found >= 0 && n < (node ? net->n_node : net->n_link)) {
                at[n++] = found;
            }
            z += id.len + (z[id.len] == ',');
        }
    }
    c->none = !c->all && n == 0;
    c->at = at;
    c->n = n;
    return SL_EXIT_FINE;
}

static int settle_choices(surge_run *s) {
    const sl_surge_args *a = s->args;
    sl_study *study = s->job.study;
    int code = SL_EXIT_FINE;
    if (a->node->n + a->link->n > 0) { /* as in other runs: the one that is not named is left out */
        code = choose(s, a->node, true, &study->nodes);
        code = code == SL_EXIT_FINE ? choose(s, a->link, false, &study->links) : code;
    }
    const char **what = sl_arena_alloc(&study->arena, (size_t)(a->what->n * 16 + 1) * sizeof *what);
    int32_t n = 0;
    for (int i = 0; what && i < a->what->n; i++) {
        const char *z = a->what->at[i];
        while (*z && n < a->what->n * 16) {
            size_t k = strcspn(z, ", ");
            what[n] = sl_arena_copy(&study->arena, (sl_str){z, k});
            n += k > 0 && what[n];
            z += k + strspn(z + k, ", ");
        }
    }
    if (n > 0) {
        study->what = what;
        study->n_what = n;
    }
    return code;
}

static int settle_options(surge_run *s) {
    const sl_surge_args *a = s->args;
    sl_surge_def *d = &s->job.study->def;
    const struct {
        const char *name, *text;
        double *to;
    } times[] = {
        {"duration", a->duration, &d->duration}, {"step", a->step, &d->dt}, {"every", a->every, &d->report_step}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (times[i].text && (!sl_option_seconds(times[i].text, times[i].to) || !(*times[i].to > 0.0))) {
            return sl_args_wrong(s->job.cli, s->command, "--%s '%s' is not a time: 20, '500 ms' (of surges: seconds)",
                                 times[i].name, times[i].text);
        }
    }
    if (!(d->duration > 0.0)) {
        return sl_args_wrong(s->job.cli, s->command, "say how long: --duration 20 (seconds)");
    }
    d->wave_speed = a->wave_speed > 0.0 ? a->wave_speed : d->wave_speed;
    d->friction = a->friction >= 0 ? (sl_surge_friction)a->friction : d->friction;
    d->cavitation = a->cavitation >= 0 ? (sl_surge_cavitation)a->cavitation : d->cavitation;
    return SL_EXIT_FINE;
}

/* ---- Routes ------------------------------------------------------------------------------------- */

/* --route FROM,TO; ids may have commas: every one is tried. */
static int read_route(surge_run *s) {
    const char *text = s->args->route;
    const sl_network *net = s->job.net;
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        int32_t from = sl_network_find_node(net, (sl_str){text, (size_t)(comma - text)});
        int32_t to = sl_network_find_node(net, sl_str_z(comma + 1));
        if (from >= 0 && to >= 0) {
            sl_status status = sl_study_find_route(s->job.study, from, to, &s->route);
            return status == SL_ERR_INPUT
                       ? sl_args_wrong(s->job.cli, s->command, "--route: no way leads from one to the other")
                       : sl_exit_of(s->job.cli, status);
        }
    }
    return sl_args_wrong(s->job.cli, s->command,
                         "--route '%s' is not of the form FROM,TO with two nodes of the network", text);
}

/* From a source to where the head went highest. */
static sl_status usual_route(surge_run *s) {
    const sl_network *net = s->job.net;
    int32_t to = 0;
    for (int32_t i = 0; i < net->n_junction; i++) {
        to = s->outcome.head_max[i] > s->outcome.head_max[to] ? i : to;
    }
    sl_status status = SL_ERR_INPUT;
    for (int32_t i = net->n_junction; i < net->n_node && status == SL_ERR_INPUT; i++) {
        status = sl_study_find_route(s->job.study, i, to, &s->route);
    }
    return status;
}

static int settle_route(surge_run *s) {
    sl_study *study = s->job.study;
    if (s->args->route) {
        int code = read_route(s);
        study->routes = &s->route;
        study->n_route = code == SL_EXIT_FINE ? 1 : 0;
        return code;
    }
    if (study->n_route > 0) {
        s->route = study->routes[0];
    }
    return SL_EXIT_FINE;
}

/* ---- The run ------------------------------------------------------------------------------------ */

static int prepare(surge_run *s) {
    sl_surge_job *j = &s->job;
    sl_context *ctx = j->cli->ctx;
    bool study = sl_surge_is_study(j->path);
    int code = study ? sl_surge_job_read(j, s->args->unit) : sl_surge_job_from_options(j, s->command, s->args);
    code = code == SL_EXIT_FINE && study ? settle_study_files(s) : code;
    code = code == SL_EXIT_FINE ? settle_options(s) : code;
    code = code == SL_EXIT_FINE ? settle_choices(s) : code;
    code = code == SL_EXIT_FINE ? settle_route(s) : code;
    code = code == SL_EXIT_FINE ? sl_surge_files_try(&s->files, j->cli) : code;
    code = code == SL_EXIT_FINE ? sl_surge_job_model(j) : code;
    if (code != SL_EXIT_FINE) {
        return code;
    }
    sl_status status = sl_session_create(ctx, j->model, j->input.diags, &s->session);
    if (status == SL_OK && s->files.n > 0) {
        status = sl_surge_traces_init(&s->traces, ctx, j->study, s->session, j->input.diags);
        sl_result_sink sink = sl_surge_traces_sink(&s->traces);
        status = status == SL_OK ? sl_session_add_sink(s->session, &sink, s->traces.fields, s->traces.n_field) : status;
    }
    return sl_exit_of(j->cli, status);
}

/* In a hundred parts, so that an interruption is seen after each. */
static sl_status simulate(surge_run *s) {
    double end = s->job.study->def.duration;
    sl_status status = SL_OK;
    sl_step step = {.size = sizeof step, .reason = SL_REASON_TARGET};
    for (int i = 1; i <= 100 && status == SL_OK && step.reason != SL_REASON_END; i++) {
        double t = i < 100 ? end * i / 100.0 : (double)INFINITY;
        status = sl_interrupt_signal() ? SL_ERR_CANCELLED : sl_session_advance(s->session, t, 0, &step);
    }
    sl_bar_clear(&s->job.cli->bar);
    return status;
}

static int finish(surge_run *s, sl_status status) {
    sl_surge_job *j = &s->job;
    sl_cli *cli = j->cli;
    sl_status ended = sl_session_end_sinks(s->session, false);
    bool cancelled = status == SL_ERR_CANCELLED || sl_interrupt_signal();
    int code = sl_exit_of(cli, cancelled ? SL_ERR_CANCELLED : status == SL_OK ? ended : status);
    const sl_diags *lists[] = {sl_session_diags(s->session)};
    (void)sl_messages_gather(&s->messages, cli->ctx, lists, 1);
    if (code != SL_EXIT_FINE && code != SL_EXIT_SOLVE) {
        return code;
    }
    status = sl_surge_outcome_init(&s->outcome, cli->ctx, j->path, j->study, j->model, s->session,
                                   s->files.n > 0 ? &s->traces : NULL);
    status = status == SL_OK && s->route.n == 0 ? usual_route(s) : status;
    if (status != SL_OK && status != SL_ERR_INPUT) {
        return sl_exit_of(cli, status);
    }
    s->ran = true;
    int written = sl_surge_files_write(&s->files, cli, &s->outcome, s->route.n > 0 ? &s->route : NULL, j->input.diags);
    code = written > code ? written : code;
    bool warned = sl_surge_job_count(j, SL_WARNING) + sl_diags_count(lists[0], SL_WARNING) > 0;
    if (code == SL_EXIT_FINE && (sl_surge_broken(&s->outcome) > 0 || (s->args->strict && warned))) {
        code = SL_EXIT_WARNINGS;
    }
    return code;
}

/* ---- What is told ------------------------------------------------------------------------------- */

static void report_json(surge_run *s, int code) {
    sl_cli *cli = s->job.cli;
    sl_json json;
    sl_json_init(&json, &cli->out, 2);
    sl_json_object(&json);
    sl_json_key(&json, "file");
    sl_json_z(&json, s->job.path);
    sl_json_key(&json, "exit_code");
    sl_json_int(&json, code);
    if (s->ran) {
        sl_surge_json_members(&s->outcome, false, &json);
    }
    sl_json_key(&json, "messages");
    sl_messages_write_json(&s->messages, &json);
    (void)sl_put_diags_member(&cli->out, cli->ctx,
                              s->job.net || !s->job.file.diags ? s->job.input.diags : s->job.file.diags);
    sl_json_end(&json);
    sl_out_char(&cli->out, '\n');
}

static void report_run(surge_run *s, int code) {
    const sl_surge_args *a = s->args;
    if (a->json && s->job.input.diags) {
        report_json(s, code);
        return;
    }
    bool errors_only = a->quiet && !a->strict;
    sl_surge_job_show(&s->job, &(sl_show_options){.json = a->json, .errors_only = errors_only});
    sl_messages_show(s->job.cli, &s->messages, errors_only);
    if (s->ran && !a->quiet && !s->files.standard) {
        sl_surge_report(&s->outcome, 5, &s->job.cli->out);
    }
}

int sl_surge_run_study(sl_cli *cli, const sl_command *command, const sl_surge_args *args, const char *path) {
    surge_run s = {.job = {.cli = cli, .path = path}, .args = args, .command = command, .messages.ctx = cli->ctx};
    if (sl_surge_is_study(path) && (args->close.n + args->open.n + args->trip.n > 0)) {
        return sl_args_wrong(cli, command,
                             "--close, --open and --trip are for networks: write them into `events` of %s", path);
    }
    int code = settle_files(&s);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    if (args->threads != 1 && !sl_cli_set_threads(cli, (int32_t)args->threads)) {
        sl_cli_message(cli, "out of memory");
        return SL_EXIT_WORLD;
    }
    s.messages.ctx = cli->ctx;
    code = prepare(&s);
    code = code == SL_EXIT_FINE ? finish(&s, simulate(&s)) : code;
    if (code < SL_EXIT_SIGNAL) {
        report_run(&s, code);
    }
    sl_messages_fini(&s.messages);
    sl_session_destroy(s.session);
    sl_surge_traces_fini(&s.traces);
    sl_surge_job_close(&s.job);
    return code;
}
