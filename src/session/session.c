/* SPDX-License-Identifier: MIT */
/* session.c: models and sessions: making them, reading and setting values.
 *
 * Values are SI. A set is looked at as a whole before anything moves: the session judges what the field list tells
 * (kind of variable, bounds, type), the engine the rest (ops->check). Only then is the engine cut at the session's time.
 */
#include "session/session_impl.h"

#include "base/number.h"
#include "base/out.h"

#include <math.h>
#include <stdarg.h>

/* ---- Models ------------------------------------------------------------------------------------- */

sl_status sl_model_from_engine(sl_context *ctx, const sl_engine_ops *ops, const void *model, sl_model **out) {
    *out = sl_alloc(ctx, sizeof **out);
    if (!*out) {
        return SL_ERR_MEMORY;
    }
    **out = (sl_model){.handle = SL_HANDLE_MODEL, .ctx = ctx, .ops = ops, .model = model};
    return SL_OK;
}

sl_status sl_model_own(sl_context *ctx, const sl_engine_ops *ops, void *model, void (*release)(void *model),
                       const sl_network *net, sl_model **out) {
    sl_status status = sl_model_from_engine(ctx, ops, model, out);
    if (status != SL_OK) {
        release(model);
        return status;
    }
    (*out)->release = release;
    (*out)->net = net;
    return SL_OK;
}

void sl_model_destroy(sl_model *model) {
    if (SL_HANDLE_IS(model, SL_HANDLE_MODEL)) {
        model->handle = SL_HANDLE_GONE;
        if (model->release) {
            model->release((void *)model->model);
        }
        if (model->release_origin) {
            model->release_origin(model->origin);
        }
        sl_free(model->ctx, model, sizeof *model);
    }
}

void sl_model_attach(sl_model *model, const struct sl_kind *kind, void *origin, void (*release)(void *origin)) {
    model->kind = kind;
    model->origin = origin;
    model->release_origin = release;
}

const struct sl_kind *sl_model_attached_kind(const sl_model *model) {
    return model->kind;
}

void *sl_model_origin(const sl_model *model) {
    return model->origin;
}

const sl_network *sl_model_network(const sl_model *model) {
    if (!SL_HANDLE_IS(model, SL_HANDLE_MODEL)) {
        return NULL;
    }
    return model->net;
}

const char *sl_model_engine(const sl_model *model) {
    if (!SL_HANDLE_IS(model, SL_HANDLE_MODEL)) {
        return NULL;
    }
    return model->ops->name;
}

/* ---- Sessions ----------------------------------------------------------------------------------- */

/* Positions of the fields' variables. */
static sl_status lay_out(sl_session *s) {
    size_t n = (size_t)s->ops->n_field + 1;
    s->offset = sl_alloc(s->ctx, n * sizeof *s->offset);
    s->ids = sl_alloc(s->ctx, (size_t)s->ops->n_class * sizeof(sl_ids *));
    if (!s->offset || !s->ids) {
        return SL_ERR_MEMORY;
    }
    for (int32_t f = 0; f < s->ops->n_field; f++) {
        s->offset[f + 1] = s->offset[f] + s->ops->count(s->engine, f);
    }
    return SL_OK;
}

sl_status sl_session_create(sl_context *ctx, const sl_model *model, sl_diags *diags, sl_session **out) {
    if (!ctx || !SL_HANDLE_IS(model, SL_HANDLE_MODEL) || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_session *s = sl_alloc(ctx, sizeof *s);
    if (!s) {
        return SL_ERR_MEMORY;
    }
    s->handle = SL_HANDLE_SESSION;
    s->ctx = ctx;
    s->model = model;
    s->ops = model->ops;
    atomic_init(&s->paused, false);
    atomic_init(&s->stopped, false);
    sl_status status = sl_diags_create(ctx, &s->diags);
    status = status == SL_OK ? s->ops->create(ctx, model->model, diags, &s->engine) : status;
    status = status == SL_OK ? lay_out(s) : status;
    if (status != SL_OK) {
        sl_session_destroy(s);
        return status;
    }
    s->t = s->begin = s->shown = s->progress_next = s->ops->time(s->engine);
    status = sl_session_reports_bound(s, diags);
    if (status != SL_OK) {
        sl_session_destroy(s);
        return status;
    }
    sl_session_reports_reset(s);
    *out = s;
    return SL_OK;
}

void sl_session_destroy(sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return;
    }
    sl_session_reports_fini(s); /* ends the sinks: the engine must still be there */
    sl_session_events_fini(s);
    sl_session_vars_fini(s);
    if (s->engine) {
        s->ops->destroy(s->engine);
    }
    sl_free(s->ctx, s->offset, s->offset ? ((size_t)s->ops->n_field + 1) * sizeof *s->offset : 0);
    sl_diags_destroy(s->diags);
    sl_model_destroy(s->owned);
    s->handle = SL_HANDLE_GONE;
    sl_free(s->ctx, s, sizeof *s);
}

void sl_session_own_model(sl_session *s, sl_model *model) {
    s->owned = model;
}

const sl_diags *sl_session_diags(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return NULL;
    }
    return s->diags;
}

void sl_session_add_diag(sl_session *s, sl_severity severity, sl_code code, const char *kind, const char *id,
                         const char *hint, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    sl_diags_add(s->diags, &(sl_diag){.size = sizeof(sl_diag),
                                      .severity = severity,
                                      .code = code,
                                      .text = text,
                                      .hint = hint,
                                      .object_kind = kind,
                                      .object_id = id,
                                      .time = s->t});
}

sl_status sl_session_refuse(sl_session *s, const char *text, const char *hint) {
    sl_session_add_diag(s, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, hint, "%s", text);
    return SL_ERR_USE;
}

sl_status sl_session_fail(sl_session *s, sl_status status, int64_t errors, const char *what) {
    if (sl_diags_count(s->diags, SL_ERROR) == errors) {
        sl_session_add_diag(s, SL_ERROR, SL_CODE_STEP_FAILED, NULL, NULL, NULL, "%s: %s", what, sl_status_text(status));
    }
    s->failed = status;
    (void)sl_session_end_sinks(s, false);
    return status;
}

sl_status sl_session_show(sl_session *s, double t) {
    if (t == s->shown) {
        return SL_OK;
    }
    s->shown = (double)NAN;
    sl_status status = s->ops->show(s->engine, t, s->diags);
    if (status == SL_OK) {
        s->shown = t;
    }
    return status;
}

/* ---- Values ------------------------------------------------------------------------------------- */

bool sl_session_has(const sl_session *s, sl_var v) {
    return v.field >= 0 && v.field < s->ops->n_field && v.index >= 0 &&
           v.index < s->offset[v.field + 1] - s->offset[v.field];
}

bool sl_session_uncomputed(const sl_session *s, int32_t field) {
    return !(s->ops->fields[field].flags & (SL_FIELD_STATE | SL_FIELD_INPUT | SL_FIELD_PARAMETER));
}

sl_status sl_session_get(sl_session *s, const sl_var *v, int32_t n, double *x) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (n > 0 && (!v || !x))) {
        return SL_ERR_USE;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!sl_session_has(s, v[i])) {
            return sl_session_refuse(s, "a value was asked of a variable that does not exist", NULL);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        bool missing = !s->started && sl_session_uncomputed(s, v[i].field);
        const double *data = missing ? NULL : s->ops->data(s->engine, v[i].field);
        if (!missing && !data) {
            return SL_ERR_MEMORY;
        }
        x[i] = missing ? (double)NAN : data[v[i].index];
    }
    return SL_OK;
}

const double *sl_session_view(sl_session *s, int32_t field, int32_t *n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return NULL;
    }
    bool exists = field >= 0 && field < s->ops->n_field;
    if (n) {
        *n = exists ? (int32_t)(s->offset[field + 1] - s->offset[field]) : 0;
    }
    return exists && (s->started || !sl_session_uncomputed(s, field)) ? s->ops->data(s->engine, field) : NULL;
}

/* What is wrong with the value, as far as the field list tells; NULL: nothing. text is room for it. */
static const char *value_fault(const sl_field *f, double x, char *text, size_t size) {
    char min[SL_NUMBER_MAX], max[SL_NUMBER_MAX];
    if (!isfinite(x)) {
        return "must be a finite number";
    }
    if (f->type != SL_FIELD_REAL && x != floor(x)) {
        return "must be a whole number";
    }
    bool word = f->type == SL_FIELD_BOOL || f->type == SL_FIELD_ENUM;
    double low = word ? 0.0 : f->min, high = f->type == SL_FIELD_BOOL ? 1.0 : word ? sl_field_n_word(f) - 1.0 : f->max;
    if ((low == 0.0 && high == 0.0 && !word) || (x >= low && x <= high)) {
        return NULL;
    }
    if (isfinite(low) && isfinite(high)) {
        sl_number_format(low, min);
        sl_number_format(high, max);
        (void)sl_format(text, size, "must be in %s .. %s", min, max);
    } else {
        bool below = x < low;
        sl_number_format(below ? low : high, min);
        (void)sl_format(text, size, "must be at %s %s", below ? "least" : "most", min);
    }
    return text;
}

/* May this variable be set or released now? Says why not. */
static sl_status judge_kind(sl_session *s, sl_var v, const char *act) {
    if (!sl_session_has(s, v)) {
        char text[80];
        (void)sl_format(text, sizeof text, "a variable that does not exist was to be %s", act);
        return sl_session_refuse(s, text, NULL);
    }
    uint32_t flags = s->ops->fields[v.field].flags;
    bool parameter = (flags & SL_FIELD_PARAMETER) && !(flags & SL_FIELD_INPUT);
    if (!(flags & (SL_FIELD_INPUT | SL_FIELD_PARAMETER)) || (parameter && s->started)) {
        sl_session_add_diag(s, SL_ERROR, SL_CODE_VARIABLE, sl_field_class(s->ops, v.field),
                            s->ops->element(s->engine, v.field, v.index), NULL,
                            parameter ? "%s is a parameter: it can be %s before the first step only"
                                      : "%s is an output",
                            sl_session_name(s, v), act);
        return SL_ERR_INPUT;
    }
    return SL_OK;
}

/* May it be set to this? */
static sl_status judge_value(sl_session *s, sl_var v, double x) {
    const sl_field f = sl_session_describe(s, v);
    const char *kind = sl_field_class(s->ops, v.field), *id = s->ops->element(s->engine, v.field, v.index);
    char text[128], number[SL_NUMBER_MAX] = "NaN";
    const char *fault = value_fault(&f, x, text, sizeof text);
    if (fault) {
        if (isfinite(x)) {
            sl_number_format(x, number);
        } else if (isinf(x)) {
            (void)sl_format(number, sizeof number, x < 0.0 ? "-infinity" : "infinity");
        }
        sl_session_add_diag(s, SL_ERROR, isfinite(x) ? SL_CODE_VALUE_RANGE : SL_CODE_NOT_A_NUMBER, kind, id, NULL,
                            "%s cannot be %s: it %s", sl_session_name(s, v), number, fault);
        return SL_ERR_INPUT;
    }
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    sl_status status = s->ops->check(s->engine, v.field, v.index, x, s->diags);
    if (status != SL_OK && sl_diags_count(s->diags, SL_ERROR) == errors) {
        sl_number_format(x, number);
        sl_session_add_diag(s, SL_ERROR, SL_CODE_VALUE_RANGE, kind, id, NULL, "%s cannot be %s", sl_session_name(s, v),
                            number);
    }
    return status;
}

/* Makes the session's time a boundary of the engine. */
static sl_status cut_engine(sl_session *s) {
    if (!(s->t < s->ops->time(s->engine))) {
        return SL_OK;
    }
    sl_status status = s->ops->cut(s->engine, s->t, s->diags);
    s->shown = s->ops->time(s->engine);
    if (status != SL_OK) {
        (void)sl_session_show(s, s->t);
        return status;
    }
    sl_session_events_cut(s);
    return SL_OK;
}

/* Sets (x) or releases (NULL) what was judged. */
static sl_status change_values(sl_session *s, const sl_var *v, int32_t n, const double *x) {
    sl_status status = n > 0 ? cut_engine(s) : SL_OK;
    for (int32_t i = 0; i < n && status == SL_OK; i++) {
        int64_t errors = sl_diags_count(s->diags, SL_ERROR);
        status = x ? s->ops->set(s->engine, v[i].field, v[i].index, x[i], s->diags)
                   : s->ops->release(s->engine, v[i].field, v[i].index, s->diags);
        s->shown = s->ops->time(s->engine);
        s->touched = true;
        if (status != SL_OK &&
            i > 0) { /* it was judged, so memory is short; what was done before cannot be taken back */
            status =
                sl_session_fail(s, status, errors, x ? "a value could not be set" : "a value could not be released");
        }
    }
    return status;
}

sl_status sl_session_set(sl_session *s, const sl_var *v, int32_t n, const double *x) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (n > 0 && (!v || !x))) {
        return SL_ERR_USE;
    }
    if (s->failed != SL_OK) {
        return sl_session_refuse(s, "the session has failed: nothing can be set", "restore a saved state first");
    }
    for (int32_t i = 0; i < n; i++) {
        sl_status status = judge_kind(s, v[i], "set");
        status = status == SL_OK ? judge_value(s, v[i], x[i]) : status;
        if (status != SL_OK) {
            return status;
        }
    }
    return change_values(s, v, n, x);
}

sl_status sl_session_release(sl_session *s, const sl_var *v, int32_t n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (n > 0 && !v)) {
        return SL_ERR_USE;
    }
    if (s->failed != SL_OK) {
        return sl_session_refuse(s, "the session has failed: nothing can be released", "restore a saved state first");
    }
    for (int32_t i = 0; i < n; i++) {
        sl_status status = judge_kind(s, v[i], "released");
        if (status != SL_OK) {
            return status;
        }
    }
    return s->ops->release ? change_values(s, v, n, NULL) : SL_OK; /* without one no set holds */
}

const sl_engine_ops *sl_session_ops(const sl_session *s, const void **engine) {
    *engine = s->engine;
    return s->ops;
}

sl_context *sl_session_context(const sl_session *s) {
    return s->ctx;
}

const sl_model *sl_session_model(const sl_session *s) {
    return s->model;
}
