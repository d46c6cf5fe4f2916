/* SPDX-License-Identifier: MIT */
/* session_files.c: EPANET's files as sinks of a session; see session_files.h. */
#include "results/session_files.h"

#include <math.h>

#include "base/handle.h"
#include "base/memory.h"
#include "results/rpt.h"
#include "session/session.h"

/* A file with its writer: one of the two is there. Owned by the session. */
typedef struct file {
    sl_context *ctx;
    sl_arena arena;
    const sl_session *session;
    sl_out_writer *writer;
    sl_rpt *rpt;
    sl_summary summary; /* of a report */
    sl_sink sink;
    sl_patch_sink patch;
} file;

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

static void file_destroy(void *user) {
    file *f = user;
    if (f) {
        sl_out_writer_destroy(f->writer);
        sl_rpt_destroy(f->rpt);
        sl_summary_fini(&f->summary);
        sl_arena_fini(&f->arena);
        sl_free(f->ctx, f, sizeof *f);
    }
}

static const sl_network *network_of(const sl_session *s) {
    return sl_model_network(sl_session_model(s));
}

/* Of a network over hours: it has all that the files show. */
static bool fits(const sl_session *s) {
    const sl_network *net = network_of(s);
    for (int32_t i = 0; net && i < SL_COL_N_OUT; i++) {
        if (sl_session_field(s, sl_run_columns[i]) < 0 && !sl_out_writer_knows(net, (sl_out_variable)i)) {
            return false;
        }
    }
    return net != NULL;
}

static file *create(sl_session *s) {
    sl_context *ctx = sl_session_context(s);
    file *f = sl_alloc(ctx, sizeof *f);
    if (f) {
        *f = (file){.ctx = ctx, .session = s};
        sl_arena_init(&f->arena, ctx);
    }
    return f;
}

/* The session owns the file from here on; where it refuses, nobody does. */
static sl_status add(sl_session *s, file *f, sl_status status) {
    const sl_network *net = network_of(s);
    int32_t fields[SL_COL_COUNT], n = 0, n_column = f->rpt ? SL_COL_COUNT : SL_COL_N_OUT;
    for (int32_t i = 0; i < n_column; i++) {
        int32_t field = sl_session_field(s, sl_run_columns[i]);
        bool known = f->writer && sl_out_writer_knows(net, (sl_out_variable)i); /* columns begin as variables do */
        if (field >= 0 && !known && sl_run_column_is_for(net, (sl_run_column)i, SL_FOR_REPORT)) {
            fields[n++] = field;
        }
    }
    if (status == SL_OK) {
        sl_result_sink sink = {
            .user = f, .begin = file_begin, .frame = file_frame, .end = file_end, .destroy = file_destroy};
        status = sl_session_add_sink(s, &sink, fields, n);
    }
    if (status != SL_OK) {
        sl_session_drop_sink(s, &f->summary);
        file_destroy(f);
    }
    return status;
}

/* ---- Adding ------------------------------------------------------------------------------------- */

sl_status sl_session_add_summary(sl_session *s, sl_summary *summary, bool whole) {
    int32_t fields[SL_COL_COUNT], n = 0;
    for (int i = whole ? 0 : SL_COL_MODEL; i < SL_COL_COUNT; i++) {
        bool wanted = sl_run_column_is_for(summary->net, (sl_run_column)i, SL_FOR_SUMMARY);
        int32_t field = wanted ? sl_session_field(s, sl_run_columns[i]) : -1;
        if (field >= 0) {
            fields[n++] = field;
        }
    }
    sl_result_sink sink = sl_summary_sink(summary);
    sink.event = whole ? sink.event : NULL;
    return sl_session_add_sink(s, &sink, fields, n);
}

static const char *copy(file *f, const char *z, sl_status *status) {
    const char *text = z ? sl_arena_copy(&f->arena, sl_str_z(z)) : NULL;
    *status = z && !text ? SL_ERR_MEMORY : *status;
    return text;
}

sl_status sl_session_add_out(sl_session *s, const sl_out_writer_def *def, const sl_patch_sink *sink, sl_diags *diags) {
    if (!fits(s)) {
        return SL_ERR_USE;
    }
    file *f = create(s);
    if (!f) {
        return SL_ERR_MEMORY;
    }
    sl_out_writer_def own = def ? *def : sl_out_writer_default(network_of(s));
    sl_status status = SL_OK;
    own.input_name = copy(f, own.input_name, &status);
    own.report_name = copy(f, own.report_name, &status);
    f->patch = *sink;
    status = status == SL_OK ? sl_out_writer_create(f->ctx, network_of(s), &own, &f->patch, diags, &f->writer) : status;
    return add(s, f, status);
}

sl_status sl_session_add_rpt(sl_session *s, const sl_report_file_def *def, const sl_sink *sink) {
    if (!fits(s)) {
        return SL_ERR_USE;
    }
    file *f = create(s);
    if (!f) {
        return SL_ERR_MEMORY;
    }
    sl_status status = SL_OK;
    f->sink = *sink;
    sl_rpt_def own = {.net = network_of(s),
                      .name = copy(f, def->name ? def->name : "", &status),
                      .engine = sl_model_engine(sl_session_model(s)),
                      .input_diags = def->input_diags,
                      .run_diags = sl_session_diags(s),
                      .summary = &f->summary,
                      .sink = &f->sink};
    status = status == SL_OK ? sl_summary_init(&f->summary, f->ctx, own.net) : status;
    if (status == SL_OK && !isnan(def->service)) {
        sl_summary_set_service(&f->summary, def->service);
    }
    if (status == SL_OK && !isnan(def->unserved)) {
        sl_summary_set_unserved(&f->summary, def->unserved);
    }
    status = status == SL_OK ? sl_rpt_create(f->ctx, &own, &f->rpt) : status;
    /* The summary ends before the report that closes with it. */
    status = status == SL_OK ? sl_session_add_summary(s, &f->summary, true) : status;
    return add(s, f, status);
}

/* ---- For programs ------------------------------------------------------------------------------- */

sl_status sl_write_out(sl_session *s, const sl_patch_sink *sink, const char *input_name, const char *report_name,
                       sl_flow_unit flow_unit) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !sink || !sink->write || !sink->patch || !fits(s) ||
        (unsigned)flow_unit > SL_FLOW_UNIT_COUNT) {
        return SL_ERR_USE;
    }
    sl_out_writer_def def = sl_out_writer_default(network_of(s));
    def.input_name = input_name ? input_name : "";
    def.report_name = report_name;
    def.flow_unit = flow_unit == SL_FLOW_UNIT_COUNT ? def.flow_unit : flow_unit;
    return sl_session_add_out(s, &def, sink, NULL);
}

sl_status sl_write_report(sl_session *s, const sl_sink *sink, const char *input_name) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !sink || !sink->write) {
        return SL_ERR_USE;
    }
    const sl_report_file_def def = {.name = input_name, .service = (double)NAN, .unserved = (double)NAN};
    return sl_session_add_rpt(s, &def, sink);
}
