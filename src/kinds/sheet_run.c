/* SPDX-License-Identifier: MIT */
/* sheet_run.c: the session whose values a page shows. */
#include "kinds/sheet.h"

#include <math.h>
#include <string.h>

#include <sluice/units.h>

bool sl_sheet_has_elements(const sl_page_def *def) {
    return (def->nodes && def->nodes->n > 0) || (def->links && def->links->n > 0);
}

sl_status sl_sheet_refuse_elements(const sl_page_def *def, sl_diags *diags, const char *noun, const char *hint) {
    if (!sl_sheet_has_elements(def)) {
        return SL_OK;
    }
    sl_report(diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, hint, "%s has no nodes and links", noun);
    return SL_ERR_USE;
}

static void time_text(sl_session *s, double t, bool clock, char *buf, size_t size) {
    if (clock) {
        (void)sl_time_format(t, buf, size);
    } else {
        (void)sl_format(buf, size, "%.9g %s", t, sl_session_time_unit(s));
    }
}

const char *sl_sheet_when(const sl_page_def *def, sl_session *session, bool clock, char buf[SL_WHEN_MAX]) {
    char text[SL_WHEN_MAX - 8];
    buf[0] = '\0';
    if (session) {
        time_text(session, def->at.is_given ? def->at.value : sl_session_time(session), clock, text, sizeof text);
        (void)sl_format(buf, SL_WHEN_MAX, " at %s", text);
    }
    return buf;
}

double sl_sheet_get(sl_sheet *p, const char *field, int32_t index) {
    double x = (double)NAN;
    sl_var v = {sl_session_field(p->session, field), index};
    if (v.field >= 0 && index >= 0) {
        sl_status status = sl_session_get(p->session, &v, 1, &x);
        p->status = p->status == SL_OK ? status : p->status;
    }
    return x;
}

sl_status sl_sheet_advance(sl_session *s, const sl_page_def *def) {
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_status status = sl_session_refresh(s);
    while (status == SL_OK && step.reason == SL_REASON_EVENT && def->at.is_given) {
        status = def->stopped && def->stopped(NULL) ? SL_ERR_CANCELLED
                                                    : sl_session_advance(s, def->at.value, SL_STOP_AT_EVENT, &step);
    }
    return status;
}

sl_status sl_sheet_run(sl_context *ctx, const sl_model *model, const sl_page_def *def, sl_diags *diags,
                       sl_session **session) {
    sl_status status = sl_session_create(ctx, model, diags, session);
    if (status != SL_OK) {
        return status;
    }
    char why[SL_OPTION_ERROR_MAX];
    double end = sl_session_end(*session);
    bool steps = strcmp(sl_session_time_unit(*session), "steps") == 0;
    if (!sl_option_time_fits("--duration", &def->duration, steps, why) ||
        !sl_option_time_fits("--time", &def->at, steps, why)) {
        sl_report(diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL, "%s", why);
        return SL_ERR_USE;
    }
    if (def->at.is_given && def->at.value > end) {
        char asked[48], ends[48];
        bool clock = end >= 600.0;
        time_text(*session, def->at.value, clock, asked, sizeof asked);
        time_text(*session, end, clock, ends, sizeof ends);
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL,
                  "take an earlier time, or let the model run longer", "the model ends at %s, before %s", ends, asked);
        return SL_ERR_INPUT;
    }
    status = sl_session_record_events(*session, true);
    status = status == SL_OK ? sl_sheet_advance(*session, def) : status;
    if (status != SL_OK) {
        sl_diags_add_all(diags, sl_session_diags(*session));
    }
    return status;
}

sl_status sl_sheet_explain(const sl_kind *kind, const sl_load *load, const sl_page_def *def, const sl_sink *sink,
                           sl_status (*explain)(const sl_load *load, const sl_page_def *def, const sl_model *model,
                                                const sl_sink *sink)) {
    sl_model *model = NULL;
    if (def->mode) {
        sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL,
                  "--mode is for an automaton, not for %s", kind->noun);
        return SL_ERR_USE;
    }
    sl_status status = sl_kind_load(kind, load, &model);
    status = status == SL_OK ? explain(load, def, model, sink) : status;
    sl_model_destroy(model);
    return status;
}
