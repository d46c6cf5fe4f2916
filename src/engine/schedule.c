/* schedule.c: what is to be set when; see schedule.h. */
#include "engine/schedule.h"

#include "base/report.h"

#include <math.h>

sl_status sl_schedule_check(const sl_schedule *s, const sl_engine_ops *ops, const void *engine, sl_diags *diags) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < s->n; i++) {
        const sl_schedule_row *row = &s->rows[i];
        const char *fault = NULL;
        if (row->field < 0 || row->field >= ops->n_field) {
            fault = "no such field";
        } else if (!(ops->fields[row->field].flags & SL_FIELD_INPUT)) {
            fault = "the field cannot be set";
        } else if (row->index < 0 || row->index >= ops->count(engine, row->field)) {
            fault = "no such element";
        } else if (!sl_series_valid(&row->series)) {
            fault = "times must rise and values be finite";
        } else if (row->series.mode != SL_SERIES_HOLD) {
            fault = "a scheduled series must hold its values";
        }
        if (fault) {
            sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "schedule", NULL, NULL, "row %d: %s", i, fault);
            status = SL_ERR_INPUT;
        }
    }
    return status;
}

double sl_schedule_next(const sl_schedule *s, double t) {
    double next = (double)INFINITY;
    for (int32_t i = 0; i < s->n; i++) {
        next = fmin(next, sl_series_next(&s->rows[i].series, t));
    }
    return next;
}

sl_status sl_schedule_apply(const sl_schedule *s, const sl_engine_ops *ops, void *engine, sl_diags *diags) {
    for (int32_t i = 0; i < s->n; i++) {
        const sl_schedule_row *row = &s->rows[i];
        double value = sl_series_value(&row->series, ops->time(engine));
        if (ops->data(engine, row->field)[row->index] == value) {
            continue;
        }
        sl_status status = ops->set(engine, row->field, row->index, value, diags);
        if (status != SL_OK) {
            return status;
        }
    }
    return SL_OK;
}
