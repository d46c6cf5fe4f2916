/* SPDX-License-Identifier: MIT */
/* values_report.c: what a run of any model leaves, known by its session alone: values over time as CSV, events as CSV, and the
 * ranges of all values.
 *
 * Rows come at the report times of the engine and at the end; of an engine without report times after each of its steps. Ranges
 * are over all steps. The summary is in values_summary.c.
 */
#include "kinds/values_digest.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const sl_option options[] = {
    {.name = "events",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(sl_values_args, events),
     .value = "FILE",
     .help = "write what happened, a row per event and variable: .csv"},
    {.name = "at-events",
     .offset = offsetof(sl_values_args, at_events),
     .help = "rows of -o also before and after every event"},
};

static const char *const file_options[] = {"events", NULL};

const sl_report_format sl_values_formats[SL_VALUES_N_FORMAT] = {
    [SL_VALUES_ROWS] = {"csv", NULL, SL_REPORT_SINK, false},
    [SL_VALUES_EVENTS] = {"csv", "events", SL_REPORT_SINK, false},
};

/* A change of a column at an instant. */
typedef struct change {
    int64_t column;
    double from;
} change;

typedef struct report {
    sl_report_def def;
    sl_values_summary summary;
    sl_session *session; /* of the execution at hand */
    sl_arena arena;
    double *scratch; /* [n_column] */
    int64_t n_execution;
    sl_out **rows; /* [n_target]; those of events are NULL */
    sl_out *events;
    const sl_engine_ops *ops; /* of the session, for names of events */
    const void *engine;
    double begin;    /* where the session began */
    double end_time; /* of the last step, whose values are in scratch; NaN: none */
    double row_time; /* of the last row; NaN: none */
    bool by_report;  /* frames come at report times */
    double instant;  /* of the last events ... */
    bool is_change;  /* ... one of which says more than that the run begins or ends */
    SL_ARRAY(change) changes;
} report;

static const sl_kind *row_of(const report *r) {
    return sl_model_row(r->def.model);
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void put_name(sl_out *out, const char *name) {
    bool quote = strpbrk(name, ",\" \n") != NULL;
    sl_out_z(out, quote ? "\"" : "");
    for (const char *c = name; *c; c++) {
        sl_out_z(out, *c == '"' ? "\"" : "");
        sl_out_char(out, *c);
    }
    sl_out_z(out, quote ? "\"" : "");
}

static void put_head(const report *r, sl_out *out) {
    sl_out_z(out, r->def.several ? "execution," : "");
    sl_out_z(out, strcmp(sl_session_time_unit(r->def.session), "steps") == 0 ? "t" : "time");
}

/* Executions are numbered where there are several. */
static void put_time(const report *r, sl_out *out, double t) {
    if (r->def.several) {
        sl_out_int(out, r->n_execution + 1);
        sl_out_char(out, ',');
    }
    sl_out_number(out, t);
}

/* Takes values into the scratch row. data[i]: those of fields[i]. */
static void take_values(report *r, const double *const *data) {
    const sl_values_summary *v = &r->summary;
    for (int32_t i = 0; i < v->n_field; i++) {
        for (int64_t k = v->first[i]; k < v->first[i + 1]; k++) {
            r->scratch[k] = data[i][k - v->first[i]];
        }
    }
}

/* The scratch row into all files of rows. */
static sl_status put_rows(report *r, double t) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < r->def.n_target && status == SL_OK; i++) {
        sl_out *out = r->rows[i];
        if (!out) {
            continue;
        }
        put_time(r, out, t);
        for (int64_t k = 0; k < r->summary.n_column; k++) {
            sl_out_char(out, ',');
            sl_out_number(out, r->scratch[k]);
        }
        sl_out_char(out, '\n');
        status = out->status;
    }
    r->row_time = t;
    return status;
}

/* The rows before and after the events of this instant. */
static sl_status put_rows_at_event(report *r, double t, const double *const *data) {
    for (int64_t i = r->changes.n - 1; i >= 0; i--) { /* the first change of a column last */
        r->scratch[r->changes.at[i].column] = r->changes.at[i].from;
    }
    sl_status status = put_rows(r, t);
    take_values(r, data);
    return status == SL_OK ? put_rows(r, t) : status;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *report_, const sl_result_layout *layout, sl_diags *diags) {
    report *r = report_;
    (void)diags;
    r->ops = layout->ops;
    r->engine = layout->engine;
    return SL_OK;
}

static sl_status frame(void *report_, const sl_result_frame *f, sl_diags *diags) {
    report *r = report_;
    (void)diags;
    r->by_report = true;
    take_values(r, f->data);
    return put_rows(r, f->time);
}

static sl_status end(void *report_, bool complete, sl_diags *diags) {
    (void)report_, (void)complete, (void)diags;
    return SL_OK;
}

/* The variable of an event as columns have it: by its element where the kind's list says so. */
static void put_variable(const report *r, sl_out *out, const sl_engine_event *e) {
    bool by_id = row_of(r) && row_of(r)->columns;
    const sl_field *f = &r->ops->fields[e->field];
    const char *id = r->ops->element(r->engine, e->field, e->index);
    char name[256];
    if (f->of == SL_CLASS_MODEL || by_id) {
        (void)sl_format(name, sizeof name, "%s", f->of == SL_CLASS_MODEL ? f->name : id);
    } else {
        (void)sl_format(name, sizeof name, "%s.'%s'.%s", r->ops->classes[f->of].name, id, f->name);
    }
    put_name(out, name);
}

/* A change of a column is kept for the rows of its instant. */
static sl_status note_event(report *r, const sl_engine_event *e) {
    const char *counted = sl_values_counted(&r->summary);
    bool is_counted = !counted || strcmp(counted, e->kind) == 0;
    int32_t i = 0;
    if (r->instant != e->time) {
        r->changes.n = 0;
        r->is_change = false;
    }
    r->instant = e->time;
    r->is_change = r->is_change || e->field >= 0 || (counted && is_counted);
    while (i < r->summary.n_field && r->summary.fields[i] != e->field) {
        i++;
    }
    if (i == r->summary.n_field) {
        return SL_OK;
    }
    change fresh = {r->summary.first[i] + e->index, e->from};
    return SL_PUSH(r->def.ctx, &r->changes, fresh) ? SL_OK : SL_ERR_MEMORY;
}

static void put_event(const report *r, sl_out *out, const sl_engine_event *e) {
    put_time(r, out, e->time);
    sl_out_char(out, ',');
    sl_out_z(out, e->kind);
    sl_out_char(out, ',');
    put_name(out, e->cause ? e->cause : "");
    sl_out_char(out, ',');
    if (e->field >= 0) {
        put_variable(r, out, e);
        sl_out_char(out, ',');
        sl_out_number(out, e->from);
        sl_out_char(out, ',');
        sl_out_number(out, e->to);
    } else {
        sl_out_z(out, ",,");
    }
    sl_out_char(out, '\n');
}

static sl_status event(void *report_, const sl_engine_event *e, sl_diags *diags) {
    report *r = report_;
    (void)diags;
    if (r->events) {
        put_event(r, r->events, e);
    }
    sl_status status = note_event(r, e);
    return status == SL_OK && r->events ? r->events->status : status;
}

static sl_status step(void *report_, const sl_result_frame *f, sl_diags *diags) {
    report *r = report_;
    const sl_values_args *args = r->def.args;
    double t = f->time;
    (void)diags;
    take_values(r, f->data);
    r->end_time = t;
    if (args->at_events && r->is_change && r->instant == t && t > r->begin && r->row_time != t) {
        return put_rows_at_event(r, t, f->data);
    }
    return r->row_time != t && !r->by_report ? put_rows(r, t) : SL_OK;
}

/* ---- The report --------------------------------------------------------------------------------- */

static void destroy(void *report_) {
    report *r = report_;
    if (r) {
        SL_ARRAY_FINI(r->def.ctx, &r->changes);
        sl_values_summary_fini(&r->summary);
        sl_arena_fini(&r->arena);
        sl_free(r->def.ctx, r, sizeof *r);
    }
}

static sl_status open_files(report *r) {
    r->rows = sl_arena_alloc(&r->arena, (size_t)(r->def.n_target + 1) * sizeof(sl_out *));
    for (int32_t i = 0; i < r->def.n_target && r->rows; i++) {
        const sl_report_target *t = &r->def.targets[i];
        sl_out *out = sl_arena_alloc(&r->arena, sizeof *out);
        if (!out) {
            return SL_ERR_MEMORY;
        }
        sl_out_init(out, t->sink);
        r->rows[i] = t->format == &sl_values_formats[SL_VALUES_ROWS] ? out : NULL;
        put_head(r, out);
        for (int64_t k = 0; k < r->summary.n_column && r->rows[i]; k++) {
            sl_out_char(out, ',');
            put_name(out, r->summary.columns[k].name);
        }
        r->events = r->rows[i] ? r->events : out;
        sl_out_z(out, r->rows[i] ? "\n" : ",kind,what,variable,from,to\n");
    }
    return r->rows ? SL_OK : SL_ERR_MEMORY;
}

/* The next execution, before its first step. */
static sl_status follow(void *report_, sl_session *session) {
    report *r = report_;
    r->session = session;
    r->begin = sl_session_time(session);
    r->end_time = r->row_time = r->instant = (double)NAN;
    r->by_report = r->is_change = false;
    r->changes.n = 0;
    sl_result_sink sink = {.user = r, .begin = begin, .frame = frame, .end = end, .event = event, .step = step};
    sl_status status = sl_session_add_sink(session, &sink, r->summary.fields, r->summary.n_field);
    return status == SL_OK && r->def.several ? sl_values_summary_follow(&r->summary, session) : status;
}

/* A report time need not be the end: the last step has its row too. */
static sl_status leave(void *report_, bool complete) {
    report *r = report_;
    sl_status status = complete && r->row_time < r->end_time ? put_rows(r, r->end_time) : SL_OK;
    r->n_execution++;
    return status == SL_OK ? sl_values_summary_leave(&r->summary, complete) : status;
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    report *r = sl_alloc(def->ctx, sizeof *r);
    (void)diags;
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){.def = *def};
    sl_arena_init(&r->arena, def->ctx);
    if (row_of(r) && row_of(r)->fits && !row_of(r)->fits(def, why)) {
        return SL_ERR_UNSUPPORTED;
    }
    sl_status status = sl_values_summary_init(&r->summary, def);
    if (status == SL_OK) {
        r->scratch = sl_arena_alloc(&r->arena, (size_t)(r->summary.n_column + 1) * sizeof *r->scratch);
        status = r->scratch ? SL_OK : SL_ERR_MEMORY;
    }
    status = status == SL_OK ? open_files(r) : status;
    return status == SL_OK && !def->several ? follow(r, def->session) : status;
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    report *r = report_;
    (void)diags;
    sl_status status = r->def.several ? SL_OK : leave(r, complete);
    for (int32_t i = 0; i < r->def.n_target; i++) {
        sl_out *out = r->rows[i] ? r->rows[i] : r->events;
        sl_status flushed = sl_out_flush(out);
        status = status == SL_OK ? flushed : status;
    }
    return status == SL_OK ? sl_values_summary_finish(&r->summary) : status;
}

static void write_text(void *report_, sl_out *out) {
    const report *r = report_;
    (void)sl_digest_write_text(&r->summary.digest, out);
}

static void write_json(void *report_, sl_json *json) {
    const report *r = report_;
    sl_json_key(json, "engine");
    sl_json_z(json, sl_model_engine(r->def.model));
    sl_json_key(json, "summary");
    (void)sl_digest_write_json(&r->summary.digest, json);
}

const sl_report_ops sl_values_report = {
    .formats = sl_values_formats,
    .n_format = SL_VALUES_N_FORMAT,
    .endings = ".csv (a table)",
    .file_options = file_options,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .args_size = sizeof(sl_values_args),
    .create = create,
    .follow = follow,
    .leave = leave,
    .finish = finish,
    .write_text = write_text,
    .write_json = write_json,
    .destroy = destroy,
};
