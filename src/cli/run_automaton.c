/* run_automaton.c: an automaton through a session: values at report times as CSV, ranges of all variables as a summary. What was
 * computed until a failure is written all the same.
 */
#include "cli/run_automaton.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "session/session.h"

typedef struct column {
    sl_var var;
    const char *name; /* owned by names */
    bool discrete;
    double min, max, last;
    int64_t n_change;
} column;

typedef struct job {
    sl_cli *cli;
    const sl_automaton_run *run;
    sl_input input;
    sl_model *model;
    sl_session *session;
    sl_arena names;
    column *columns;
    double *values;
    int32_t n;
    int64_t n_row;
    double t, events;
    sl_status status;
} job;

/* ---- Columns ------------------------------------------------------------------------------------ */

/* class.'name'.quantity: the name */
static const char *bare(job *j, const char *full) {
    const char *from = strchr(full, '\''), *to = from ? strrchr(full, '\'') : NULL;
    return sl_arena_copy(&j->names, from && to > from ? (sl_str){from + 1, (size_t)(to - from - 1)} : sl_str_z(full));
}

static bool find_columns(job *j) {
    int64_t n = sl_session_n_var(j->session);
    j->columns = sl_arena_alloc(&j->names, (size_t)n * sizeof *j->columns);
    j->values = sl_arena_alloc(&j->names, (size_t)n * sizeof *j->values);
    for (int64_t ref = 0; j->columns && j->values && ref < n; ref++) {
        sl_var_info info;
        if (sl_session_var(j->session, (uint32_t)ref, &info) != SL_OK) {
            return false;
        }
        bool value = strncmp(info.name, "variable.", 9) == 0 && strstr(info.name, "'.value");
        bool state = strncmp(info.name, "discrete.", 9) == 0;
        if (value || state) {
            column *c = &j->columns[j->n++];
            *c = (column){.var = info.var, .name = bare(j, info.name), .discrete = state, .min = (double)INFINITY};
            c->max = -c->min;
            if (!c->name) {
                return false;
            }
        }
    }
    return j->columns && j->values;
}

static sl_status look(job *j) {
    for (int32_t k = 0; k < j->n; k++) {
        column *c = &j->columns[k];
        sl_status status = sl_session_get(j->session, &c->var, 1, &j->values[k]);
        if (status != SL_OK) {
            return status;
        }
        c->n_change += j->n_row > 0 && j->values[k] != c->last;
        c->last = j->values[k];
        c->min = fmin(c->min, c->last);
        c->max = fmax(c->max, c->last);
    }
    j->n_row++;
    return SL_OK;
}

/* ---- The run ------------------------------------------------------------------------------------ */

static void put_name(sl_out *out, const char *name) {
    bool quote = strpbrk(name, ",\" ") != NULL;
    sl_out_z(out, quote ? "\"" : "");
    sl_out_z(out, name);
    sl_out_z(out, quote ? "\"" : "");
}

static void put_row(const job *j, sl_out *out) {
    sl_out_number(out, j->t);
    for (int32_t k = 0; k < j->n; k++) {
        sl_out_char(out, ',');
        sl_out_number(out, j->values[k]);
    }
    sl_out_char(out, '\n');
}

/* From row to row; out may be NULL. Failures of the model are kept for the caller: what there is, is written. */
static sl_status make(sl_cli *cli, void *user, const sl_sink *sink) {
    job *j = user;
    static const double by_default = 0.01; /* of the whole */
    double end = sl_session_end(j->session), step = 0.0;
    end = isnan(j->run->duration) ? end : fmin(end, j->run->duration);
    step = sl_session_report_step(j->session);
    step = step > 0.0 ? step : by_default * end;
    sl_out *out = sink ? sl_arena_alloc(&j->names, sizeof *out) : NULL;
    if (sink && !out) {
        return SL_ERR_MEMORY;
    }
    if (out) {
        sl_out_init(out, sink);
        sl_out_z(out, "time");
        for (int32_t k = 0; k < j->n; k++) {
            sl_out_char(out, ',');
            put_name(out, j->columns[k].name);
        }
        sl_out_char(out, '\n');
    }
    for (int64_t row = 0; j->status == SL_OK; row++) {
        double t = fmin((double)row * step, end);
        if (sl_interrupt_signal()) {
            return SL_ERR_CANCELLED;
        }
        j->status = sl_session_advance(j->session, t, 0, NULL);
        j->status = j->status == SL_OK ? look(j) : j->status;
        if (j->status != SL_OK) {
            break;
        }
        j->t = t;
        if (out) {
            put_row(j, out);
        }
        if (t >= end) {
            break;
        }
    }
    (void)cli;
    return out ? sl_out_flush(out) : SL_OK;
}

/* ---- What is told ------------------------------------------------------------------------------- */

static void tell(job *j) {
    sl_out *out = &j->cli->out;
    sl_out_printf(out, "%s: %.9g s simulated, %.0f crossings\n\n", j->input.name, j->t, j->events);
    for (int32_t k = 0; k < j->n; k++) {
        const column *c = &j->columns[k];
        sl_out_printf(out, "  %s", c->name);
        sl_out_pad(out, 16, 2);
        if (c->discrete) {
            sl_out_printf(out, "%.0f to %.0f, at the end %.0f\n", c->min, c->max, c->last);
        } else {
            sl_out_printf(out, "%.6g to %.6g, at the end %.6g\n", c->min, c->max, c->last);
        }
    }
}

static int tell_json(job *j, int code) {
    sl_json json;
    sl_json_init(&json, &j->cli->out, 2);
    sl_json_object(&json);
    sl_json_key(&json, "time");
    sl_json_number(&json, j->t);
    sl_json_key(&json, "crossings");
    sl_json_number(&json, j->events);
    sl_json_key(&json, "variables");
    sl_json_object(&json);
    for (int32_t k = 0; k < j->n; k++) {
        const column *c = &j->columns[k];
        sl_json_key(&json, c->name);
        sl_json_inline(&json);
        sl_json_object(&json);
        sl_json_key(&json, "min");
        sl_json_number(&json, c->min);
        sl_json_key(&json, "max");
        sl_json_number(&json, c->max);
        sl_json_key(&json, "end");
        sl_json_number(&json, c->last);
        sl_json_end(&json);
    }
    sl_json_end(&json);
    sl_status status = sl_put_diags_member(&j->cli->out, j->cli->ctx, sl_session_diags(j->session));
    sl_json_end(&json);
    sl_out_char(&j->cli->out, '\n');
    return status == SL_OK ? code : sl_exit_of(j->cli, status);
}

static int open_job(job *j, const char *path) {
    int code = sl_input_open(j->cli, path, &j->input);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    sl_status status = sl_model_from_automaton(j->cli->ctx, j->input.bytes.at, (size_t)j->input.bytes.n, j->input.name,
                                               j->input.diags, &j->model);
    status = status == SL_OK ? sl_session_create(j->cli->ctx, j->model, j->input.diags, &j->session) : status;
    code = sl_exit_of(j->cli, status);
    if (code == SL_EXIT_FINE && isnan(j->run->duration) && !isfinite(sl_session_end(j->session))) {
        sl_say(j->cli, "%s does not say how long it runs: write run: {end: 60}, or use --duration", path);
        return SL_EXIT_INPUT;
    }
    if (code == SL_EXIT_FINE && !find_columns(j)) {
        code = sl_exit_of(j->cli, SL_ERR_MEMORY);
    }
    return code;
}

static void count_events(job *j) {
    sl_var events;
    if (sl_session_find(j->session, "events", &events) == SL_OK) {
        (void)sl_session_get(j->session, &events, 1, &j->events);
    }
}

int sl_run_automaton(sl_cli *cli, const char *path, const sl_automaton_run *run) {
    job j = {.cli = cli, .run = run};
    sl_arena_init(&j.names, cli->ctx);
    int code = open_job(&j, path);
    bool opened = code == SL_EXIT_FINE;
    if (opened) {
        code = run->output ? sl_output_make(cli, run->output, make, &j) : sl_exit_of(cli, make(cli, &j, NULL));
        code = code == SL_EXIT_FINE && j.status != SL_OK ? sl_exit_of(cli, j.status) : code;
        count_events(&j);
    }
    bool standard = run->output && strcmp(run->output, "-") == 0;
    const sl_diags *diags = j.session ? sl_session_diags(j.session) : j.input.diags;
    if (opened && run->json && !standard) {
        code = tell_json(&j, code);
    } else {
        if (opened && !run->quiet && !standard && j.n_row > 0) {
            tell(&j);
        }
        sl_cli_flush(cli);
        if (diags) {
            sl_show_diags(cli, diags, &(sl_show){.errors_only = run->quiet});
        }
    }
    sl_session_destroy(j.session);
    sl_model_destroy(j.model);
    sl_input_close(&j.input);
    sl_arena_fini(&j.names);
    return code;
}
