/* SPDX-License-Identifier: MIT */
/* network_report.c: what a run of a network leaves: EPANET's binary results, a text report, tables, and a summary.
 *
 * The summary and each file are sinks of the session's results, so that memory does not grow with the duration.
 */
#include "kinds/rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "results/session_files.h"

enum { FORMAT_OUT, FORMAT_RPT, FORMAT_REPORT, N_FORMAT };

static const sl_report_format formats[N_FORMAT] = {
    [FORMAT_OUT] = {"out", NULL, SL_REPORT_PATCH, false},
    [FORMAT_RPT] = {"rpt", NULL, SL_REPORT_SINK, false},
    [FORMAT_REPORT] = {"", "report", SL_REPORT_SINK, false},
};

typedef struct network_args {
    const char *service, *unserved; /* as given; NULL: not */
} network_args;

static const sl_option options[] = {
    {SL_OPTION_ROW(
        "service-pressure", 0, TEXT, network_args, service, "P",
        "pressure that junctions with a demand must have: '20 m', '28 psi', a plain\nnumber in the file's unit; "
        "exit with 1 where one has less")},
    {SL_OPTION_ROW(
        "unserved", 0, TEXT, network_args, unserved, "SHARE",
        "share of the demand that may stay unserved: '5 %', 0.05, or none for no limit;\nexit with 1 above it; default 1 % "
        "in demand-driven runs, none in pressure-driven ones")},
};

typedef struct report {
    sl_report_def def;
    const sl_network *net;
    sl_summary summary;
    double service;  /* pressure that is asked for [m]; NaN: none is */
    double unserved; /* share that is allowed [1]; NaN: the usual one */
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

/* ---- Files -------------------------------------------------------------------------------------- */

static sl_status add_out(const report *r, const sl_report_target *t, sl_diags *diags) {
    sl_out_writer_def def = sl_out_writer_default(r->net);
    def.input_name = r->def.name;
    for (int32_t i = 0; i < r->def.n_target; i++) {
        def.report_name = is_rpt(&r->def.targets[i]) ? r->def.targets[i].path : def.report_name;
    }
    return sl_session_add_out(r->def.session, &def, t->patch, diags);
}

static sl_status add_file(const report *r, const sl_report_target *t, sl_diags *diags) {
    const sl_report_file_def rpt = {
        .name = r->def.name, .input_diags = r->def.load_diags, .service = r->service, .unserved = r->unserved};
    return format_of(t) == FORMAT_OUT ? add_out(r, t, diags)
           : is_rpt(t)                ? sl_session_add_rpt(r->def.session, &rpt, t->sink)
                                      : SL_OK;
}

/* ---- The report --------------------------------------------------------------------------------- */

static void destroy(void *report_) {
    report *r = report_;
    if (r) {
        sl_summary_fini(&r->summary);
        sl_free(r->def.ctx, r, sizeof *r);
    }
}

static sl_status take_service(report *r, const network_args *args, char why[SL_REFUSAL_MAX]) {
    if (!args->service) {
        return SL_OK;
    }
    if (!sl_display_read_pressure(r->net, args->service, &r->service)) {
        (void)sl_format(why, SL_REFUSAL_MAX,
                        "--service-pressure '%s' is no pressure: 20 m, 28 psi, 2 bar, 200 kPa, 60 ft", args->service);
        return SL_ERR_UNSUPPORTED;
    }
    sl_summary_set_service(&r->summary, r->service);
    return SL_OK;
}

/* "5 %", "0.05", "none". */
static bool read_share(const char *text, double *share) {
    size_t n = strcspn(text, " %");
    const char *unit = text + n + strspn(text + n, " ");
    double x = 0.0;
    if (strcmp(text, "none") == 0) {
        *share = (double)INFINITY;
        return true;
    }
    bool fine = sl_number_parse((sl_str){text, n}, &x) == SL_NUMBER_OK && (*unit == '\0' || strcmp(unit, "%") == 0);
    *share = *unit ? x / 100.0 : x;
    return fine && *share >= 0.0 && *share <= 1.0;
}

static sl_status take_unserved(report *r, const network_args *args, char why[SL_REFUSAL_MAX]) {
    if (!args->unserved) {
        return SL_OK;
    }
    if (!read_share(args->unserved, &r->unserved)) {
        (void)sl_format(why, SL_REFUSAL_MAX, "--unserved '%s' is no share from 0 to 1: 5 %%, 0.05, none",
                        args->unserved);
        return SL_ERR_UNSUPPORTED;
    }
    sl_summary_set_unserved(&r->summary, r->unserved);
    return SL_OK;
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    report *r = sl_alloc(def->ctx, sizeof *r);
    const network_args *args = def->args;
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){.def = *def, .net = sl_model_network(def->model), .service = (double)NAN, .unserved = (double)NAN};
    sl_status status = sl_summary_init(&r->summary, def->ctx, r->net);
    status = status == SL_OK ? take_service(r, args, why) : status;
    status = status == SL_OK ? take_unserved(r, args, why) : status;
    /* Where nobody sees it, how it went is enough, for the verdict. */
    bool whole = def->summary || args->service;
    status = status == SL_OK ? sl_session_add_summary(def->session, &r->summary, whole) : status;
    for (int32_t i = 0; i < def->n_target && status == SL_OK; i++) {
        status = add_file(r, &def->targets[i], diags);
    }
    return status;
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    const report *r = report_;
    (void)complete;
    sl_summary_report_limits(&r->summary, diags);
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
    return !balanced                                                                           ? SL_VERDICT_NOT_BALANCED
           : sl_summary_breaks_service(&r->summary) || sl_summary_breaks_unserved(&r->summary) ? SL_VERDICT_LIMIT
                                                                                               : SL_VERDICT_FINE;
}

static sl_status digest(void *report_, int32_t rows, sl_digest *out) {
    const report *r = report_;
    const sl_summary_facts facts = {
        .name = r->def.name, .engine = sl_model_engine(r->def.model), .diags = sl_session_diags(r->def.session)};
    return sl_summary_digest(&r->summary, &facts, rows, out);
}

const sl_report_ops sl_network_report = {
    .formats = formats,
    .n_format = N_FORMAT,
    .options = SL_OPTION_TABLE(options, network_args, NULL),
    .create = create,
    .finish = finish,
    .verdict = verdict,
    .digest = digest,
    .destroy = destroy,
};
