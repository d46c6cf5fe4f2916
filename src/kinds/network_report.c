/* SPDX-License-Identifier: MIT */
/* network_report.c: what a run of a network leaves: EPANET's binary results, a text report, tables, and a summary.
 *
 * The summary and each file are sinks of the session's results, so that memory does not grow with the duration.
 */
#include "kinds/network_report.h"

#include <string.h>

#include "base/memory.h"
#include "results/out_write.h"
#include "results/rpt.h"
#include "results/summary.h"

enum { FORMAT_OUT, FORMAT_RPT, FORMAT_REPORT, N_FORMAT };

static const sl_report_format formats[N_FORMAT] = {
    [FORMAT_OUT] = {"out", NULL, SL_REPORT_PATCH, false},
    [FORMAT_RPT] = {"rpt", NULL, SL_REPORT_SINK, false},
    [FORMAT_REPORT] = {"", "report", SL_REPORT_SINK, false},
};

/* A file with its writer: one of the two is there; none for files of other formats. */
typedef struct file {
    const sl_report_target *target;
    const sl_session *session;
    sl_out_writer *writer;
    sl_rpt *rpt;
} file;

typedef struct report {
    sl_report_def def;
    const sl_network *net;
    sl_summary summary;
    file *files; /* [n_target] */
    size_t n_bytes;
} report;

static int format_of(const sl_report_target *t) {
    int i = 0;
    while (i < N_FORMAT && t->format != &formats[i]) {
        i++;
    }
    return i;
}

static bool is_rpt(const sl_report_target *t) {
    return format_of(t) == FORMAT_RPT || format_of(t) == FORMAT_REPORT;
}

/* ---- Sinks -------------------------------------------------------------------------------------- */

static sl_result_sink sink_of(const file *f) {
    return f->writer ? *sl_out_writer_sink(f->writer) : sl_rpt_sink(f->rpt);
}

static sl_status file_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_result_sink sink = sink_of(user);
    return sink.begin(sink.user, layout, diags);
}

static sl_status file_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_result_sink sink = sink_of(user);
    return sink.frame(sink.user, frame, diags);
}

static sl_status file_end(void *user, bool complete, sl_diags *diags) {
    const file *f = user;
    sl_result_sink sink = sink_of(f);
    if (f->writer) {
        sl_out_writer_warn(f->writer, sl_out_warning_flag(sl_session_diags(f->session)));
    }
    return sink.end(sink.user, complete, diags);
}

static sl_status create_out(const report *r, file *f, sl_diags *diags) {
    sl_out_writer_def def = sl_out_writer_default(r->net);
    def.input_name = r->def.name;
    for (int32_t i = 0; i < r->def.n_target; i++) {
        def.report_name = is_rpt(&r->def.targets[i]) ? r->def.targets[i].path : def.report_name;
    }
    return sl_out_writer_create(r->def.ctx, r->net, &def, f->target->patch, diags, &f->writer);
}

static sl_status create_rpt(const report *r, file *f) {
    sl_rpt_def def = {.net = r->net,
                      .name = r->def.name,
                      .input_diags = r->def.load_diags,
                      .run_diags = sl_session_diags(r->def.session),
                      .sink = f->target->sink};
    return sl_rpt_create(r->def.ctx, &def, &f->rpt);
}

static sl_status add_file(report *r, file *f, sl_diags *diags) {
    int format = format_of(f->target);
    if (format == N_FORMAT) {
        return SL_OK;
    }
    sl_status status = format == FORMAT_OUT ? create_out(r, f, diags) : create_rpt(r, f);
    int32_t fields[SL_RPT_N_COLUMN], n = 0, n_column = f->rpt ? SL_RPT_N_COLUMN : SL_RPT_N_OUT_COLUMN;
    for (int32_t i = 0; i < n_column; i++) {
        int32_t field = sl_session_field(r->def.session, sl_rpt_columns[i]);
        bool known = f->writer && sl_out_writer_knows(r->net, (sl_out_variable)i); /* columns begin as variables do */
        if (field >= 0 && !known && sl_rpt_wants(r->net, i)) {
            fields[n++] = field;
        }
    }
    if (status == SL_OK) {
        sl_result_sink sink = {.user = f, .begin = file_begin, .frame = file_frame, .end = file_end};
        status = sl_session_add_sink(r->def.session, &sink, fields, n);
    }
    return status;
}

static sl_status add_summary(report *r) {
    int32_t fields[SL_SUM_COUNT], n = 0;
    /* Where nobody sees it, how it went is enough, for the verdict. */
    for (int i = r->def.summary ? 0 : SL_SUM_MODEL; i < SL_SUM_COUNT; i++) {
        bool wanted = sl_summary_wants(r->net, (sl_summary_column)i);
        int32_t field = wanted ? sl_session_field(r->def.session, sl_summary_columns[i]) : -1;
        if (field >= 0) {
            fields[n++] = field;
        }
    }
    sl_result_sink sink = sl_summary_sink(&r->summary);
    return sl_session_add_sink(r->def.session, &sink, fields, n);
}

/* ---- The report --------------------------------------------------------------------------------- */

static void destroy(void *report_) {
    report *r = report_;
    for (int32_t i = 0; r && i < r->def.n_target; i++) {
        sl_out_writer_destroy(r->files[i].writer);
        sl_rpt_destroy(r->files[i].rpt);
    }
    if (r) {
        sl_summary_fini(&r->summary);
        sl_free(r->def.ctx, r, r->n_bytes);
    }
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    (void)why;
    size_t n_bytes = sizeof(report) + (size_t)def->n_target * sizeof(file);
    report *r = sl_alloc(def->ctx, n_bytes);
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){
        .def = *def, .net = sl_model_network(def->model), .files = (file *)(void *)(r + 1), .n_bytes = n_bytes};
    for (int32_t i = 0; i < def->n_target; i++) {
        r->files[i] = (file){.target = &def->targets[i], .session = def->session};
    }
    sl_status status = sl_summary_init(&r->summary, def->ctx, r->net);
    status = status == SL_OK ? add_summary(r) : status;
    for (int32_t i = 0; i < def->n_target && status == SL_OK; i++) {
        status = add_file(r, &r->files[i], diags);
    }
    return status;
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    (void)report_, (void)complete, (void)diags;
    return SL_OK;
}

static sl_report_verdict verdict(const void *report_) {
    const report *r = report_;
    const sl_diags *diags = sl_session_diags(r->def.session);
    bool balanced = r->summary.n_unbalanced == 0;
    for (int32_t i = 0; i < sl_diags_size(diags) && balanced; i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        balanced = d->code != SL_CODE_NOT_BALANCED || d->severity == SL_INFO;
    }
    return balanced ? SL_VERDICT_FINE : SL_VERDICT_NOT_BALANCED;
}

static void write_text(void *report_, sl_out *out) {
    const report *r = report_;
    sl_summary_write_text(&r->summary, r->def.name, out);
}

static void write_json(void *report_, sl_json *json) {
    const report *r = report_;
    if (r->summary.n_frame > 0) {
        sl_json_key(json, "engine");
        sl_json_z(json, sl_model_engine(r->def.model));
        sl_json_key(json, "summary");
        sl_summary_write_json(&r->summary, json);
    }
}

const sl_report_ops sl_network_report = {
    .formats = formats,
    .n_format = N_FORMAT,
    .create = create,
    .finish = finish,
    .verdict = verdict,
    .write_text = write_text,
    .write_json = write_json,
    .destroy = destroy,
};
