/* SPDX-License-Identifier: MIT */
/* values_report.c: what a run of a kind without a report of its own has to say: the ranges of all values (values_summary.h). */
#include "kinds/values_digest.h"

typedef struct report {
    sl_report_def def;
    sl_values_summary summary;
} report;

static void destroy(void *report_) {
    report *r = report_;
    if (r) {
        sl_values_summary_fini(&r->summary);
        sl_free(r->def.ctx, r, sizeof *r);
    }
}

static sl_status follow(void *report_, sl_session *session) {
    report *r = report_;
    return sl_values_summary_follow(&r->summary, session);
}

static sl_status leave(void *report_, bool complete) {
    report *r = report_;
    return sl_values_summary_leave(&r->summary, complete);
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    report *r = sl_alloc(def->ctx, sizeof *r);
    const sl_kind *kind = sl_model_row(def->model);
    (void)diags;
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){.def = *def};
    if (kind && kind->fits && !kind->fits(def, why)) {
        return SL_ERR_UNSUPPORTED;
    }
    return sl_values_summary_init(&r->summary, def);
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    report *r = report_;
    (void)diags;
    return r->def.several ? SL_OK : leave(r, complete);
}

static sl_status digest(void *report_, int32_t rows, sl_digest *out) {
    report *r = report_;
    (void)rows;
    return sl_values_summary_digest(&r->summary, out);
}

const sl_report_ops sl_values_report = {
    .create = create,
    .follow = follow,
    .leave = leave,
    .finish = finish,
    .digest = digest,
    .destroy = destroy,
};
