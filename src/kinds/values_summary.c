/* SPDX-License-Identifier: MIT */
/* values_summary.c: collecting the summary of a kind that has none of its own; see values_summary.h. Its digest is filled in
 * values_digest.c. */
#include "kinds/values_summary.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_MAX = 40, /* of an execution, for people */
    CELL = 2       /* characters at least */
};

/* ---- Columns ------------------------------------------------------------------------------------ */

/* The fields of the engine's list; without one, every field whose values can change. */
static bool is_shown(const sl_report_def *def, const sl_var_info *v) {
    const void *engine;
    const char *const *list = sl_session_ops(def->session, &engine)->recorded;
    for (int i = 0; list && list[i]; i++) {
        if (sl_session_field(def->session, list[i]) == v->var.field) {
            return true;
        }
    }
    return !list && v->causality != SL_VAR_PARAMETER && v->variability != SL_VAR_FIXED;
}

/* Are there others of the fields that are shown that belong to the same elements? */
static bool has_others(const sl_values_summary *r, const sl_engine_ops *ops, int32_t field) {
    int32_t n = 0;
    for (int i = 0; ops->recorded && ops->recorded[i]; i++) {
        int32_t other = sl_session_field(r->def.session, ops->recorded[i]);
        n += other >= 0 && ops->fields[other].of == ops->fields[field].of;
    }
    return n > 1;
}

/* Named by the element, and by the quantity where an element has several. */
static bool add_column(sl_values_summary *r, const sl_var_info *v) {
    const void *engine;
    const sl_engine_ops *ops = sl_session_ops(r->def.session, &engine);
    bool by_id = ops->recorded && ops->fields[v->var.field].of != SL_CLASS_MODEL;
    const char *shown = by_id ? ops->element(engine, v->var.field, v->var.index) : v->name;
    bool several = by_id && has_others(r, ops, v->var.field);
    const char *name = several ? sl_arena_format(&r->arena, "%s %s", shown, ops->fields[v->var.field].name)
                               : sl_arena_copy(&r->arena, sl_str_z(shown));
    const char *unit = v->unit && strcmp(v->unit, "1") != 0 ? v->unit : "";
    r->columns[r->n_column++] = (sl_values_column){.name = name,
                                                   .unit = unit,
                                                   .is_whole = v->type != SL_VAR_REAL,
                                                   .is_part = several,
                                                   .all_min = (double)NAN,
                                                   .all_max = (double)NAN};
    size_t width = name && several ? strlen(name) + strlen(unit) + 7 : 0;
    r->width = width > r->width ? width : r->width;
    return name != NULL;
}

static sl_status choose_columns(sl_values_summary *r) {
    sl_session *s = r->def.session;
    int64_t n = sl_session_n_var(s);
    r->columns = sl_arena_alloc(&r->arena, (size_t)(n + 1) * sizeof *r->columns);
    r->fields = sl_arena_alloc(&r->arena, (size_t)(n + 1) * sizeof *r->fields);
    r->first = sl_arena_alloc(&r->arena, (size_t)(n + 1) * sizeof *r->first);
    r->data = sl_arena_alloc(&r->arena, (size_t)(n + 1) * sizeof *r->data);
    if (!r->columns || !r->fields || !r->first || !r->data) {
        return SL_ERR_MEMORY;
    }
    for (int64_t ref = 0; ref < n; ref++) {
        sl_var_info v = {.size = sizeof v};
        sl_status status = sl_session_var(s, (uint32_t)ref, &v);
        if (status != SL_OK) {
            return status;
        }
        if (!is_shown(&r->def, &v)) {
            continue;
        }
        if (r->n_field == 0 || r->fields[r->n_field - 1] != v.var.field) {
            r->first[r->n_field] = r->n_column;
            r->fields[r->n_field++] = v.var.field;
        }
        if (!add_column(r, &v)) {
            return SL_ERR_MEMORY;
        }
    }
    r->first[r->n_field] = r->n_column;
    return SL_OK;
}

/* ---- Values and rows ---------------------------------------------------------------------------- */

/* NaN compares false: the first value is taken. */
static void widen(sl_values_column *c, double x, double t) {
    if (!(c->min <= x) && !isnan(x)) {
        c->min = x;
        c->time_of_min = t;
    }
    if (!(c->max >= x) && !isnan(x)) {
        c->max = x;
        c->time_of_max = t;
    }
}

static void take_value(sl_values_column *c, double x, double t) {
    widen(c, x, t);
    c->value = x;
}

/* data[i]: the values of fields[i]. */
static void take_values(sl_values_summary *r, const double *const *data, double t) {
    for (int32_t i = 0; i < r->n_field; i++) {
        for (int64_t k = r->first[i]; k < r->first[i + 1]; k++) {
            take_value(&r->columns[k], data[i][k - r->first[i]], t);
        }
    }
}

/* Of a model of many parts a step moves few: the extremes of a variable are those at ends of its own steps, whatever moves
 * beside it. */
static sl_status take_moved(sl_values_summary *r, const sl_result_step *at) {
    const sl_result_layout *l = at->layout;
    for (int32_t i = 0; i < r->n_field; i++) {
        int32_t n;
        const int32_t *moved = sl_result_step_moved(at, i, &n);
        if (n < 0) {
            sl_status status = sl_result_step_read(at);
            if (status == SL_OK) {
                take_values(r, at->data, at->time);
            }
            return status;
        }
        for (int32_t k = 0; k < n; k++) {
            take_value(&r->columns[r->first[i] + moved[k]], l->ops->value(l->engine, l->fields[i], moved[k]), at->time);
        }
    }
    return SL_OK;
}

/* Values of all columns where the session stands. */
static sl_status read_last(sl_values_summary *r) {
    sl_status status = sl_session_read(r->session, r->fields, r->n_field, r->data);
    if (status == SL_OK) {
        take_values(r, r->data, sl_session_time(r->session));
    }
    return status;
}

static void put_cell(sl_out *out, const char *name, double value, bool head) {
    size_t n = strlen(name), width = n > CELL ? n : CELL;
    if (head) {
        sl_out_printf(out, "  %*s", (int)width, name);
    } else {
        sl_out_printf(out, "  %*.0f", (int)width, value);
    }
}

static void put_row(sl_values_summary *r, double t, bool head) {
    sl_out out;
    sl_sink sink = sl_bytes_sink(&r->table);
    sl_out_init(&out, &sink);
    put_cell(&out, "t", t, head);
    for (int64_t k = 0; k < r->n_column; k++) {
        put_cell(&out, r->columns[k].name, r->columns[k].value, head);
    }
    sl_out_char(&out, '\n');
    (void)sl_out_flush(&out); /* without memory the summary fails at the end */
}

static void keep_last(sl_values_summary *r) {
    for (int64_t k = 0; k < r->n_column; k++) {
        r->columns[k].last = r->columns[k].value;
    }
}

static void note_row(sl_values_summary *r, double t) {
    r->row_time = t;
    if (r->lists_steps && r->n_row < ROWS_MAX && r->n_column <= SL_VALUES_COLUMNS_MAX &&
        r->executions.n < SL_VALUES_EXECUTIONS_MAX) {
        if (r->n_row == 0) {
            put_row(r, t, true);
        }
        put_row(r, t, false);
    }
    r->n_row++;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_values_summary *r = user;
    (void)diags;
    r->events.ops = layout->ops;
    r->events.engine = layout->engine;
    return SL_OK;
}

static sl_status frame(void *user, const sl_result_frame *f, sl_diags *diags) {
    sl_values_summary *r = user;
    (void)diags;
    r->by_report = true;
    r->n_frame++;
    take_values(r, f->data, f->time);
    keep_last(r);
    note_row(r, f->time);
    return SL_OK;
}

static sl_status step(void *user, const sl_result_step *at, sl_diags *diags) {
    sl_values_summary *r = user;
    (void)diags;
    sl_status status = take_moved(r, at);
    r->n_step += at->time > r->begin;
    r->step_time = at->time;
    if (!r->by_report && r->row_time != at->time) {
        note_row(r, at->time);
    }
    return status;
}

/* A change of a column widens its range. */
static sl_status event(void *user, const sl_engine_event *e, sl_diags *diags) {
    sl_values_summary *r = user;
    const char *counted = sl_values_counted(r);
    (void)diags;
    sl_digest_events_note(&r->events, e);
    r->n_counted += !counted || strcmp(counted, e->kind) == 0;
    for (int32_t i = 0; i < r->n_field; i++) {
        if (r->fields[i] == e->field) {
            sl_values_column *c = &r->columns[r->first[i] + e->index];
            widen(c, e->from, e->time);
            widen(c, e->to, e->time);
            break;
        }
    }
    return SL_OK;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    (void)user, (void)complete, (void)diags;
    return SL_OK;
}

/* ---- Executions --------------------------------------------------------------------------------- */

static sl_status follow(void *report, sl_session *session) {
    sl_values_summary *r = report;
    r->session = session;
    r->begin = sl_session_time(session);
    r->step_time = r->row_time = (double)NAN;
    r->by_report = false;
    r->n_row = r->n_counted = r->n_step = r->n_frame = 0;
    for (int64_t k = 0; k < r->n_column; k++) {
        r->columns[k].min = r->columns[k].max = (double)NAN;
    }
    sl_result_sink sink = {.user = r, .begin = begin, .frame = frame, .end = end, .event = event, .step = step};
    return sl_session_add_sink(session, &sink, r->fields, r->n_field);
}

/* The range of all executions. */
static void join(sl_values_column *c) {
    if (!(c->all_min <= c->min)) {
        c->all_min = c->min;
        c->time_of_all_min = c->time_of_min;
    }
    if (!(c->all_max >= c->max)) {
        c->all_max = c->max;
        c->time_of_all_max = c->time_of_max;
    }
}

/* Values at the last row. A report time need not be the end: the last step has its row too. */
static sl_status end_rows(sl_values_summary *r, bool complete) {
    bool missing = complete && r->row_time < r->step_time;
    if (isnan(r->step_time) || (r->by_report && !missing)) {
        return SL_OK;
    }
    sl_status status = read_last(r);
    keep_last(r);
    if (missing) {
        note_row(r, r->step_time);
    }
    r->row_time = sl_session_time(r->session);
    return status;
}

static sl_status leave(void *report, bool complete) {
    sl_values_summary *r = report;
    const sl_kind *row = sl_model_row(r->def.model);
    sl_status status = end_rows(r, complete);
    r->complete = complete;
    sl_values_execution e = {.ending.verdict = complete ? "complete" : "failed", .t = r->row_time};
    e.last = sl_arena_alloc(&r->arena, ((size_t)r->n_column + 1) * sizeof *e.last);
    status = e.last ? status : SL_ERR_MEMORY;
    for (int64_t k = 0; k < r->n_column && e.last; k++) {
        e.last[k] = r->columns[k].last;
        join(&r->columns[k]);
    }
    if (status == SL_OK && r->lists_steps) {
        status = row->ending(r->def.model, r->session, &r->arena, &e.ending);
    }
    if (status == SL_OK && !isnan(r->row_time) && r->executions.n < SL_VALUES_EXECUTIONS_MAX) {
        status = sl_values_add_text(r, &e.ending);
    }
    r->table.n = 0;
    return status == SL_OK && !SL_PUSH(r->def.ctx, &r->executions, e) ? SL_ERR_MEMORY : status;
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    sl_values_summary *r = sl_alloc(def->ctx, sizeof *r);
    const sl_kind *row = sl_model_row(def->model);
    (void)diags;
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (sl_values_summary){.def = *def};
    sl_arena_init(&r->arena, def->ctx);
    sl_bytes_init(&r->table, def->ctx);
    sl_bytes_init(&r->text, def->ctx);
    if (row && row->fits && !row->fits(def, why)) {
        return SL_ERR_UNSUPPORTED;
    }
    r->lists_steps = row && row->ending && strcmp(sl_session_time_unit(def->session), "steps") == 0;
    sl_status status = choose_columns(r);
    return status == SL_OK && !def->several ? follow(r, def->session) : status;
}

static sl_status finish(void *report, bool complete, sl_diags *diags) {
    const sl_values_summary *r = report;
    (void)diags;
    return r->def.several ? SL_OK : leave(report, complete);
}

static void destroy(void *report) {
    sl_values_summary *r = report;
    SL_ARRAY_FINI(r->def.ctx, &r->executions);
    sl_bytes_fini(&r->table);
    sl_bytes_fini(&r->text);
    sl_arena_fini(&r->arena);
    sl_free(r->def.ctx, r, sizeof *r);
}

const sl_report_ops sl_values_report = {
    .create = create,
    .follow = follow,
    .leave = leave,
    .finish = finish,
    .digest = sl_values_digest,
    .destroy = destroy,
};
