/* SPDX-License-Identifier: MIT */
/* record.c: reports: values kept in memory, and frames for sinks.
 *
 * Report k is at start + k step [s], one multiplication and no sum, so that it is the same however the session got there.
 * A report is given exactly once, when the session's own time reaches it, never when merely the engine has: a set before
 * it may still change it. Memory for the reports up to the end is taken before the first step.
 */
#include "session/session_impl.h"

#include <math.h>
#include <string.h>

#include "base/handle.h"
#include "base/context.h"
#include "base/report.h"

enum { MAX_RESERVE = 1 << 16 }; /* reports for which room is made at once */

static double report_time(const sl_session *s, int64_t k) {
    return s->report_start + (double)k * s->report_step;
}

static bool wanted(const sl_session *s) {
    bool any = s->columns.n > 0;
    for (int64_t k = 0; k < s->sinks.n && !any; k++) {
        any = s->sinks.at[k].n_field > 0;
    }
    return any;
}

static int64_t n_element(const sl_session *s, int32_t field) {
    return s->offset[field + 1] - s->offset[field];
}

sl_status sl_session_reports_bound(sl_session *s, sl_diags *diags) {
    double start = 0.0, step = 0.0, end = s->ops->end(s->engine);
    s->ops->report(s->engine, &start, &step);
    double n = (end - fmax(start, s->t)) / step;
    if (!(step > 0.0) || !isfinite(end) || n <= SL_STEPS_MOST * s->ctx->def.effort) {
        return SL_OK;
    }
    sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL,
              "write a longer report step, or a shorter duration; --effort allows more",
              "a report every %g s until %g s would be %.3g reports", step, end, n);
    return SL_ERR_INPUT;
}

void sl_session_reports_reset(sl_session *s) {
    s->ops->report(s->engine, &s->report_start, &s->report_step);
    if (!(s->report_step > 0.0)) {
        return;
    }
    /* The quotient rounds: from a little before it on, by comparing. */
    double guess = floor((s->t - s->report_start) / s->report_step) - 1.0;
    int64_t k = guess > 0.0 ? (int64_t)fmin(guess, 0x1p52) : 0;
    while (report_time(s, k) < s->t || (s->started && report_time(s, k) == s->t)) {
        k++;
    }
    s->next_report = k;
}

sl_status sl_session_reports_reserve(sl_session *s, double t) {
    if (!(s->report_step > 0.0) || s->columns.n == 0) {
        return SL_OK;
    }
    double last = isinf(t) ? -1.0 : floor((t - s->report_start) / s->report_step) + 1.0;
    double n = fmin(fmax(last - (double)s->next_report + 1.0, 0.0), MAX_RESERVE);
    int64_t rows = s->times.n + (int64_t)n;
    bool fine = SL_RESERVE(s->ctx, &s->times, rows);
    for (int64_t c = 0; fine && c < s->columns.n; c++) {
        sl_column *column = &s->columns.at[c];
        fine = SL_RESERVE(s->ctx, &column->x, (rows - column->first) * n_element(s, column->field));
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* ---- One report --------------------------------------------------------------------------------- */

static sl_status keep(sl_session *s, double t) {
    if (s->columns.n == 0) {
        return SL_OK;
    }
    for (int64_t c = 0; c < s->columns.n; c++) {
        sl_column *column = &s->columns.at[c];
        int64_t n = n_element(s, column->field);
        if (!SL_RESERVE(s->ctx, &column->x, column->x.n + n) || !s->ops->data(s->engine, column->field)) {
            return SL_ERR_MEMORY;
        }
    }
    if (!SL_PUSH(s->ctx, &s->times, t)) {
        return SL_ERR_MEMORY;
    }
    for (int64_t c = 0; c < s->columns.n; c++) {
        sl_column *column = &s->columns.at[c];
        int64_t n = n_element(s, column->field);
        if (n > 0) {
            memcpy(column->x.at + column->x.n, s->ops->data(s->engine, column->field), (size_t)n * sizeof(double));
        }
        column->x.n += n;
    }
    return SL_OK;
}

static sl_result_layout layout_of(const sl_session *s, const sl_session_sink *sink) {
    return (sl_result_layout){s->ops, s->engine, sink->fields, sink->n_field};
}

sl_status sl_session_read(sl_session *s, const int32_t *fields, int32_t n, const double **data) {
    const sl_result_layout layout = {s->ops, s->engine, fields, n};
    const sl_result_step at = {s->t, &layout, data};
    sl_status status = sl_session_show(s, s->t);
    return status == SL_OK ? sl_result_step_read(&at) : status;
}

static sl_status give_frame(const sl_session *s, const sl_session_sink *sink, const sl_result_step *at) {
    sl_status status = sl_result_step_read(at);
    const sl_result_frame frame = {at->time, at->data};
    return status == SL_OK ? sink->sink.frame(sink->sink.user, &frame, s->diags) : status;
}

/* To the sinks of frames, or of steps. */
static sl_status send(sl_session *s, double t, bool step) {
    for (int64_t k = 0; k < s->sinks.n; k++) {
        const sl_session_sink *sink = &s->sinks.at[k];
        if (!sink->begun || sink->ended || sink->n_field == 0 || (step && !sink->sink.step)) {
            continue;
        }
        const sl_result_layout layout = layout_of(s, sink);
        const sl_result_step at = {t, &layout, sink->data};
        sl_status status = step ? sink->sink.step(sink->sink.user, &at, s->diags) : give_frame(s, sink, &at);
        if (status != SL_OK) {
            return status;
        }
    }
    return SL_OK;
}

sl_status sl_session_reports_emit(sl_session *s) {
    while (s->report_step > 0.0 && report_time(s, s->next_report) <= s->t) {
        double t = report_time(s, s->next_report);
        int64_t errors = sl_diags_count(s->diags, SL_ERROR);
        sl_status status = sl_session_events_emit(s, t);
        status = status == SL_OK && wanted(s) ? sl_session_show(s, t) : status;
        status = status == SL_OK ? keep(s, t) : status;
        status = status == SL_OK ? send(s, t, false) : status;
        if (status != SL_OK) {
            s->t = t; /* as far as results go */
            return sl_session_fail(s, status, errors, "the results could not be kept");
        }
        s->next_report++;
    }
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    sl_status status = sl_session_events_emit(s, s->t);
    return status == SL_OK ? SL_OK : sl_session_fail(s, status, errors, "the events could not be kept");
}

sl_status sl_session_steps_emit(sl_session *s) {
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    sl_status status = sl_session_show(s, s->t);
    status = status == SL_OK ? send(s, s->t, true) : status;
    return status == SL_OK ? SL_OK : sl_session_fail(s, status, errors, "the results could not be kept");
}

/* ---- Values in memory --------------------------------------------------------------------------- */

static sl_column *find_column(const sl_session *s, int32_t field) {
    for (int64_t c = 0; c < s->columns.n; c++) {
        if (s->columns.at[c].field == field) {
            return &s->columns.at[c];
        }
    }
    return NULL;
}

sl_status sl_session_record(sl_session *s, const char *const *fields, int32_t n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (n > 0 && !fields)) {
        return SL_ERR_USE;
    }
    for (int32_t i = 0; i < n; i++) {
        if (sl_session_field(s, fields[i]) < 0) {
            sl_session_add_diag(s, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, "write class.quantity: node.pressure",
                                "there is no field '%s' to record", fields[i]);
            return SL_ERR_INPUT;
        }
    }
    if (!SL_RESERVE(s->ctx, &s->columns, s->columns.n + n)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t field = sl_session_field(s, fields[i]);
        if (!find_column(s, field)) {
            s->columns.at[s->columns.n++] = (sl_column){.field = field, .first = s->times.n};
        }
    }
    return SL_OK;
}

const double *sl_session_times(const sl_session *s, int32_t *n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return NULL;
    }
    if (n) {
        *n = (int32_t)s->times.n;
    }
    return s->times.at;
}

/* The row kept for this time, or -1. */
static int64_t find_row(const sl_session *s, double t) {
    double near = fmax(1e-9 * fabs(t), 1e-9); /* the resolution of the clock */
    int64_t low = 0, high = s->times.n;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (s->times.at[mid] < t - near) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low < s->times.n && fabs(s->times.at[low] - t) <= near ? low : -1;
}

sl_status sl_session_past(const sl_session *s, sl_var v, double t, double *x) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !x) {
        return SL_ERR_USE;
    }
    const sl_column *column = sl_session_has(s, v) ? find_column(s, v.field) : NULL;
    int64_t row = column ? find_row(s, t) : -1;
    if (row < 0 || row < column->first) {
        return SL_ERR_USE;
    }
    *x = column->x.at[(row - column->first) * n_element(s, v.field) + v.index];
    return SL_OK;
}

const double *sl_session_recorded(const sl_session *s, int32_t field, int32_t *n_time, int32_t *n_element_) {
    const sl_column *column =
        SL_HANDLE_IS(s, SL_HANDLE_SESSION) && field >= 0 && field < s->ops->n_field ? find_column(s, field) : NULL;
    int64_t n = column ? s->times.n - column->first : 0;
    if (n_time) {
        *n_time = (int32_t)n;
    }
    if (n_element_) {
        *n_element_ = column ? (int32_t)n_element(s, field) : 0;
    }
    return n > 0 ? column->x.at : NULL;
}

void sl_session_reports_drop(sl_session *s) {
    while (s->times.n > 0 && (s->times.at[s->times.n - 1] > s->t || !s->started)) {
        s->times.n--;
    }
    for (int64_t c = 0; c < s->columns.n; c++) {
        sl_column *column = &s->columns.at[c];
        column->first = column->first < s->times.n ? column->first : s->times.n;
        column->x.n = (s->times.n - column->first) * n_element(s, column->field);
    }
}

/* ---- Sinks -------------------------------------------------------------------------------------- */

static void free_sink(sl_session *s, const sl_session_sink *sink) {
    sl_free(s->ctx, sink->fields, sink->fields ? (size_t)sink->n_field * sizeof *sink->fields : 0);
    sl_free(s->ctx, (void *)sink->data, sink->data ? (size_t)sink->n_field * sizeof *sink->data : 0);
}

sl_status sl_session_add_sink(sl_session *s, const sl_result_sink *sink, const int32_t *fields, int32_t n_field) {
    bool fine = !s->started && (n_field > 0 || sink->event);
    for (int32_t i = 0; i < n_field; i++) {
        fine = fine && fields[i] >= 0 && fields[i] < s->ops->n_field;
    }
    if (!fine) {
        return sl_session_refuse(
            s, "a sink needs fields that exist or takes events, and is added before the first step", NULL);
    }
    sl_session_sink row = {.sink = *sink, .n_field = n_field};
    row.fields = n_field > 0 ? sl_alloc(s->ctx, (size_t)n_field * sizeof *row.fields) : NULL;
    row.data = n_field > 0 ? sl_alloc(s->ctx, (size_t)n_field * sizeof *row.data) : NULL;
    if ((n_field > 0 && (!row.fields || !row.data)) || !SL_PUSH(s->ctx, &s->sinks, row)) {
        free_sink(s, &row);
        return SL_ERR_MEMORY;
    }
    s->has_step_sink = s->has_step_sink || sink->step;
    for (int32_t i = 0; i < n_field; i++) {
        row.fields[i] = fields[i];
    }
    return SL_OK;
}

sl_status sl_session_sinks_begin(sl_session *s) {
    for (int64_t k = 0; k < s->sinks.n; k++) {
        sl_session_sink *sink = &s->sinks.at[k];
        if (sink->begun) {
            continue;
        }
        int64_t errors = sl_diags_count(s->diags, SL_ERROR);
        const sl_result_layout layout = layout_of(s, sink);
        sl_status status = sink->sink.begin(sink->sink.user, &layout, s->diags);
        if (status != SL_OK) {
            return sl_session_fail(s, status, errors, "the results could not be begun");
        }
        sink->begun = true;
        s->events.n_taker += sink->sink.event != NULL;
    }
    return SL_OK;
}

void sl_session_drop_sink(sl_session *s, const void *user) {
    int64_t kept = 0;
    for (int64_t k = 0; k < s->sinks.n; k++) {
        const sl_session_sink *sink = &s->sinks.at[k];
        if (sink->sink.user != user) {
            s->sinks.at[kept++] = *sink;
            continue;
        }
        s->events.n_taker -= sink->begun && !sink->ended && sink->sink.event;
        free_sink(s, sink);
    }
    s->sinks.n = kept;
}

sl_status sl_session_end_sinks(sl_session *s, bool complete) {
    sl_status first = SL_OK;
    for (int64_t k = 0; k < s->sinks.n; k++) {
        sl_session_sink *sink = &s->sinks.at[k];
        if (sink->begun && !sink->ended) {
            sink->ended = true;
            s->events.n_taker -= sink->sink.event != NULL;
            sl_status status = sink->sink.end ? sink->sink.end(sink->sink.user, complete, s->diags) : SL_OK;
            first = first == SL_OK ? status : first;
        }
    }
    return first;
}

bool sl_session_has_open_sink(const sl_session *s) {
    for (int64_t k = 0; k < s->sinks.n; k++) {
        if (s->sinks.at[k].begun && !s->sinks.at[k].ended) {
            return true;
        }
    }
    return false;
}

void sl_session_reports_fini(sl_session *s) {
    (void)sl_session_end_sinks(s, false);
    for (int64_t k = 0; k < s->sinks.n; k++) {
        const sl_session_sink *sink = &s->sinks.at[k];
        if (sink->sink.destroy) {
            sink->sink.destroy(sink->sink.user);
        }
        free_sink(s, sink);
    }
    SL_ARRAY_FINI(s->ctx, &s->sinks);
    for (int64_t c = 0; c < s->columns.n; c++) {
        SL_ARRAY_FINI(s->ctx, &s->columns.at[c].x);
    }
    SL_ARRAY_FINI(s->ctx, &s->columns);
    SL_ARRAY_FINI(s->ctx, &s->times);
}
