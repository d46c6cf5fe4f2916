/* SPDX-License-Identifier: MIT */
/* automaton_report.c: executions of an automaton that makes steps, one or all where they branch: a row per step as CSV, events as
 * CSV, and a summary (automaton_summary.c). What was computed until a failure is written all the same.
 */
#include "kinds/automaton_report.h"

#include <math.h>
#include <string.h>

#include "automata/automaton.h"
#include "kinds/rows.h"

/* ---- Rows and events ---------------------------------------------------------------------------- */

static void put_name(sl_out *out, const char *name) {
    bool quote = strpbrk(name, ",\" \n") != NULL;
    sl_out_z(out, quote ? "\"" : "");
    for (const char *c = name; *c; c++) {
        sl_out_z(out, *c == '"' ? "\"" : "");
        sl_out_char(out, *c);
    }
    sl_out_z(out, quote ? "\"" : "");
}

static void put_time(const sl_automaton_report *j, sl_out *out, double t) {
    if (j->several) {
        sl_out_int(out, j->executions.n + 1);
        sl_out_char(out, ',');
    }
    sl_out_number(out, t);
}

static sl_status begin(void *user, const sl_execution_log_columns *columns) {
    sl_automaton_report *j = user;
    size_t n = (size_t)columns->n;
    j->columns = *columns;
    const char **names = sl_arena_alloc(&j->arena, n * sizeof *names);
    j->columns.names = names;
    j->ranges = sl_arena_alloc(&j->arena, n * sizeof *j->ranges);
    for (size_t k = 0; k < n && names; k++) {
        names[k] = sl_arena_copy(&j->arena, sl_str_z(columns->names[k]));
        if (!names[k]) {
            return SL_ERR_MEMORY;
        }
    }
    const char *number = j->several ? "execution," : "";
    if (j->rows) {
        sl_out_z(j->rows, number);
        sl_out_z(j->rows, "t");
        for (size_t k = 0; k < n && names; k++) {
            sl_out_char(j->rows, ',');
            put_name(j->rows, names[k]);
        }
        sl_out_char(j->rows, '\n');
    }
    if (j->event_out) {
        sl_out_z(j->event_out, number);
        sl_out_z(j->event_out, "t");
        sl_out_z(j->event_out, ",kind,what,variable,from,to\n");
    }
    return names && j->ranges ? SL_OK : SL_ERR_MEMORY;
}

static sl_status row(void *user, double t, const double *values) {
    sl_automaton_report *j = user;
    if (j->rows) {
        put_time(j, j->rows, t);
        for (int32_t k = 0; k < j->columns.n; k++) {
            sl_out_char(j->rows, ',');
            sl_out_number(j->rows, values[k]);
        }
        sl_out_char(j->rows, '\n');
    }
    sl_status status = sl_automaton_note_row(j, t, values);
    return j->rows && j->rows->status != SL_OK ? j->rows->status : status;
}

static sl_status event(void *user, const sl_execution_log_event *e) {
    sl_automaton_report *j = user;
    sl_out *out = j->event_out;
    put_time(j, out, e->t);
    sl_out_char(out, ',');
    sl_out_z(out, e->kind);
    sl_out_char(out, ',');
    put_name(out, e->what);
    sl_out_char(out, ',');
    if (e->variable) {
        put_name(out, e->variable);
        sl_out_char(out, ',');
        sl_out_number(out, e->from);
        sl_out_char(out, ',');
        sl_out_number(out, e->to);
    } else {
        sl_out_z(out, ",,");
    }
    sl_out_char(out, '\n');
    return out->status;
}

static sl_status ended(void *user, const sl_execution_log_end *end) {
    return sl_automaton_note_end(user, end);
}

/* ---- The report --------------------------------------------------------------------------------- */

static void destroy(void *report) {
    sl_automaton_report *j = report;
    if (j) {
        SL_ARRAY_FINI(j->def.ctx, &j->executions);
        sl_bytes_fini(&j->text);
        sl_arena_fini(&j->arena);
        sl_free(j->def.ctx, j, sizeof *j);
    }
}

static sl_out *new_out(sl_automaton_report *j, const sl_sink *sink) {
    sl_out *out = sl_arena_alloc(&j->arena, sizeof *out);
    if (out) {
        sl_out_init(out, sink);
    }
    return out;
}

static bool drives(const sl_model *model, const void *load_args) {
    const sl_automaton_args *args = load_args;
    (void)model;
    return args->branches || args->relax;
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    const sl_automaton_args *load = def->load_args;
    sl_automaton_report *j = sl_alloc(def->ctx, sizeof *j);
    (void)diags;
    *out = j;
    if (!j) {
        return SL_ERR_MEMORY;
    }
    *j = (sl_automaton_report){.def = *def};
    j->several = load->branches || load->relax;
    sl_arena_init(&j->arena, def->ctx);
    sl_bytes_init(&j->text, def->ctx);
    sl_sink text = sl_bytes_sink(&j->text);
    j->text_out = new_out(j, &text);
    bool fine = j->text_out;
    for (int32_t i = 0; i < def->n_target && fine; i++) {
        sl_out *file = new_out(j, def->targets[i].sink);
        *(def->targets[i].format == &sl_values_formats[SL_VALUES_ROWS] ? &j->rows : &j->event_out) = file;
        fine = file;
    }
    return !fine ? SL_ERR_MEMORY : !sl_automaton_fits(def, why) ? SL_ERR_UNSUPPORTED : SL_OK;
}

static sl_status drive(void *report, sl_diags *diags) {
    sl_automaton_report *j = report;
    const sl_automaton_args *load = j->def.load_args;
    const sl_execution_log_def def = {.steps = load->steps, .branches = load->branches, .relax = load->relax};
    const sl_execution_log_handler watch = {.user = j,
                                            .begin = begin,
                                            .row = row,
                                            .event = j->event_out ? event : NULL,
                                            .ended = ended,
                                            .stopped = j->def.stopped};
    return sl_execution_log_of(j->def.ctx, sl_model_origin(j->def.model), &def, &watch, diags);
}

static sl_status finish(void *report, bool complete, sl_diags *diags) {
    sl_automaton_report *j = report;
    (void)complete, (void)diags;
    sl_status status = j->rows ? sl_out_flush(j->rows) : SL_OK;
    sl_status other = j->event_out ? sl_out_flush(j->event_out) : SL_OK;
    return status == SL_OK ? other : status;
}

static void write_text(void *report, sl_out *out) {
    sl_automaton_summary_text(report, out);
}

static void write_json(void *report, sl_json *json) {
    sl_automaton_summary_json(report, json);
}

const sl_report_ops sl_automaton_driver = {
    .drives = drives,
    .create = create,
    .drive = drive,
    .finish = finish,
    .write_text = write_text,
    .write_json = write_json,
    .destroy = destroy,
};
