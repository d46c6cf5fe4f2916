/* SPDX-License-Identifier: MIT */
/* report.c: what a run of any model leaves: result files by the one recorder (results/record.h), a text report, and what its kind adds;
 * see kind.h.
 */
#include <string.h>

#include "base/memory.h"
#include "kinds/kind.h"

enum { SUMMARY_ROWS = 5 }; /* of a list, for people */
enum {
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_H5,
    FORMAT_GEOJSON,
    FORMAT_GPKG,
    FORMAT_EVENTS,
    FORMAT_RPT,
    FORMAT_TXT,
    FORMAT_REPORT,
    FORMAT_SVG,
    FORMAT_PNG,
    FORMAT_PDF,
    N_FORMAT
};

const sl_report_format sl_report_formats[N_FORMAT] = {
    [FORMAT_CSV] = {"csv", NULL, SL_REPORT_SINK, true},      [FORMAT_JSON] = {"json", NULL, SL_REPORT_SINK, true},
    [FORMAT_H5] = {"h5", NULL, SL_REPORT_EITHER, true},      [FORMAT_GEOJSON] = {"geojson", NULL, SL_REPORT_SINK, true},
    [FORMAT_GPKG] = {"gpkg", NULL, SL_REPORT_SINK, true},    [FORMAT_EVENTS] = {"csv", "events", SL_REPORT_SINK, false},
    [FORMAT_RPT] = {"rpt", NULL, SL_REPORT_SINK, false},     [FORMAT_TXT] = {"txt", NULL, SL_REPORT_SINK, false},
    [FORMAT_REPORT] = {"", "report", SL_REPORT_SINK, false}, [FORMAT_SVG] = {"svg", NULL, SL_REPORT_SINK, false},
    [FORMAT_PNG] = {"png", NULL, SL_REPORT_SINK, false},     [FORMAT_PDF] = {"pdf", NULL, SL_REPORT_SINK, false},
};
const int32_t sl_report_n_format = N_FORMAT;

struct sl_run_report {
    sl_report_def def;
    const sl_report_ops *ops;
    void *own;             /* of the kind */
    sl_recorder *recorder; /* NULL: no result file is wanted */
    sl_results *kept;      /* for pictures; NULL: none is wanted */
    sl_results_select select;
};

static const sl_report_ops *ops_of(const sl_kind *kind) {
    return kind->report ? kind->report : &sl_values_report;
}

/* ---- Formats ------------------------------------------------------------------------------------ */

static const sl_report_format *find(const sl_report_format *formats, int32_t n, const char *option,
                                    const char *ending) {
    for (int32_t i = 0; i < n; i++) {
        const sl_report_format *f = &formats[i];
        bool of = option ? f->option && strcmp(option, f->option) == 0 : !f->option;
        if (of && (f->ending[0] == '\0' || !ending || sl_str_equal_nocase(sl_str_z(ending), sl_str_z(f->ending)))) {
            return f;
        }
    }
    return NULL;
}

const sl_report_format *sl_report_format_find(const sl_kind *kind, const char *option, const char *ending) {
    const sl_report_ops *ops = ops_of(kind);
    const sl_report_format *own = find(ops->formats, ops->n_format, option, ending);
    return own ? own : find(sl_report_formats, N_FORMAT, option, ending);
}

/* The number of a format of every run; N_FORMAT: it is the kind's. */
static int number_of(const sl_report_format *f) {
    for (int i = 0; i < N_FORMAT; i++) {
        if (f == &sl_report_formats[i]) {
            return i;
        }
    }
    return N_FORMAT;
}

/* The table that a file of the kind's formats holds; NULL: it is no such file. */
static const char *table_of(const sl_run_report *r, const sl_report_target *t) {
    return number_of(t->format) == N_FORMAT && r->ops->table ? r->ops->table(r->own, t->format) : NULL;
}

static bool is_recorded(const sl_run_report *r, const sl_report_target *t) {
    return number_of(t->format) <= FORMAT_EVENTS || table_of(r, t);
}

static bool has_ending(const sl_report_target *t, const char *ending) {
    return strcasecmp(t->format->ending, ending) == 0;
}

/* Of every run, or of the kind. */
static bool is_picture(const sl_report_target *t) {
    return has_ending(t, "svg") || has_ending(t, "png") || has_ending(t, "pdf");
}

sl_plot_format sl_report_picture_format(const sl_report_target *t) {
    return has_ending(t, "svg") ? SL_PLOT_SVG : has_ending(t, "png") ? SL_PLOT_PNG : SL_PLOT_PDF;
}

/* ---- Options ------------------------------------------------------------------------------------ */

static bool read_args(const sl_results_args *args, const sl_report_target *targets, int32_t n,
                      sl_results_select *select, sl_results_target *form, char why[SL_REFUSAL_MAX]) {
    sl_results_fits fits = {0};
    for (int32_t i = 0; i < n; i++) {
        int format = number_of(targets[i].format);
        fits.csv = fits.csv || format == FORMAT_CSV;
        fits.h5 = fits.h5 || format == FORMAT_H5;
        fits.results = fits.results || format <= FORMAT_GPKG || (format >= FORMAT_SVG && format <= FORMAT_PDF);
    }
    return sl_results_args_read(args, &fits, select, form, why, SL_REFUSAL_MAX);
}

bool sl_report_fits(const sl_results_args *args, const sl_report_target *targets, int32_t n_target,
                    char why[SL_REFUSAL_MAX]) {
    sl_results_select select;
    sl_results_target form = sl_results_target_default();
    return read_args(args, targets, n_target, &select, &form, why);
}

/* ---- Recording ---------------------------------------------------------------------------------- */

static sl_status add_target(sl_run_report *r, const sl_results_target *form, const sl_report_target *t,
                            sl_diags *diags) {
    static const char *const formats[] = {"csv", "json", "h5", "geojson", "gpkg", "csv"};
    sl_results_target target = *form;
    int format = number_of(t->format);
    target.table = table_of(r, t);
    target.format = target.table ? "csv" : formats[format];
    target.sink = t->sink;
    target.patch = t->patch;
    target.csv = format == FORMAT_EVENTS ? SL_CSV_EVENTS : target.csv;
    return sl_recorder_add(r->recorder, &target, diags);
}

/* A chart over time records what it shows, at all times; maps and profiles need what is usual. */
static void select_for_picture(sl_run_report *r) {
    const sl_plot_def *picture = r->def.picture;
    r->select = picture->kind == SL_PLOT_SERIES && picture->select ? *picture->select : sl_results_select_default();
    r->select.from = r->select.to = r->select.every = -1.0;
}

static sl_status record(sl_run_report *r, sl_diags *diags, char why[SL_REFUSAL_MAX]) {
    const sl_report_def *d = &r->def;
    sl_results_target form = sl_results_target_default();
    sl_recorder_more more = {.several = d->several};
    bool any = false, pictures = false;
    for (int32_t i = 0; i < d->n_target; i++) {
        any = any || is_recorded(r, &d->targets[i]);
        pictures = pictures || is_picture(&d->targets[i]);
    }
    bool steps = strcmp(sl_session_time_unit(d->session), "steps") == 0;
    if (!read_args(d->results_args, d->targets, d->n_target, &r->select, &form, why) ||
        !sl_results_args_fit_time(d->results_args, steps, why, SL_REFUSAL_MAX)) {
        return SL_ERR_UNSUPPORTED;
    }
    if (!any && !pictures) {
        return SL_OK;
    }
    if (d->picture) {
        select_for_picture(r);
    }
    sl_status status = r->ops->record ? r->ops->record(r->own, &r->select, &more) : SL_OK;
    sl_recorder_def def = sl_recorder_default();
    def.name = d->name;
    def.select = &r->select;
    def.at_events = d->at_events;
    status = status == SL_OK ? sl_recorder_create_more(d->ctx, d->session, &def, &more, diags, &r->recorder) : status;
    for (int32_t i = 0; i < d->n_target && status == SL_OK; i++) {
        status = is_recorded(r, &d->targets[i]) ? add_target(r, &form, &d->targets[i], diags) : SL_OK;
    }
    return status == SL_OK && pictures ? sl_recorder_keep(r->recorder, &r->kept) : status;
}

/* ---- The report --------------------------------------------------------------------------------- */

sl_status sl_run_report_create(const sl_kind *kind, const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX],
                               sl_run_report **out) {
    sl_run_report *r = sl_alloc(def->ctx, sizeof *r);
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (sl_run_report){.def = *def, .ops = ops_of(kind)};
    sl_status status = r->ops->create(def, diags, why, &r->own);
    return status == SL_OK ? record(r, diags, why) : status;
}

sl_status sl_run_report_follow(sl_run_report *r, sl_session *session) {
    sl_status status = r->ops->follow(r->own, session);
    return status == SL_OK && r->recorder ? sl_recorder_follow(r->recorder, session) : status;
}

sl_status sl_run_report_leave(sl_run_report *r, bool complete, sl_diags *diags) {
    sl_status status = r->ops->leave(r->own, complete);
    return status == SL_OK && r->recorder ? sl_recorder_leave(r->recorder, complete, diags) : status;
}

static sl_status write_text(sl_run_report *r, int32_t rows, sl_out *out) {
    sl_digest d = {0};
    sl_status status = r->ops->digest(r->own, rows, &d);
    status = status == SL_OK ? sl_digest_write_text(&d, out) : status;
    sl_digest_fini(&d);
    return status;
}

static sl_status write_report(sl_run_report *r, const sl_report_target *t) {
    sl_out *out = sl_alloc(r->def.ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, t->sink);
    sl_status status = write_text(r, INT32_MAX, out);
    status = status == SL_OK ? sl_out_flush(out) : status;
    sl_free(r->def.ctx, out, sizeof *out);
    return status;
}

/* The picture that was asked for, or a chart of what was recorded; of the kind's own formats as the kind draws them. */
static sl_status draw(sl_run_report *r, const sl_report_target *t, sl_diags *diags) {
    sl_plot_def def = r->def.picture ? *r->def.picture : sl_plot_default();
    def.format = sl_report_picture_format(t);
    def.select = r->def.picture ? def.select : &r->select;
    return number_of(t->format) == N_FORMAT ? r->ops->draw(r->own, r->kept, t, diags)
                                            : sl_plot(r->def.ctx, r->recorder->net, r->kept, &def, diags, t->sink);
}

/* Ends the files of the recorder. One that failed takes none of the others with it; without the recorder's end there is none. */
static void end_recording(sl_run_report *r, bool complete, sl_diags *diags) {
    size_t size = ((size_t)r->recorder->writers.n + 1) * sizeof(sl_status);
    sl_status *each = sl_alloc(r->def.ctx, size);
    sl_status status = !each ? SL_ERR_MEMORY : r->ops->tables ? r->ops->tables(r->own, r->recorder) : SL_OK;
    int64_t n = 0, n_writer = status == SL_OK ? r->recorder->writers.n : 0;
    if (status == SL_OK) {
        (void)sl_recorder_end_each(r->recorder, complete, diags, each);
    }
    for (int32_t i = 0; i < r->def.n_target; i++) {
        sl_report_target *t = &r->def.targets[i];
        if (is_recorded(r, t)) {
            t->status = n < n_writer ? each[n++] : status;
        }
    }
    sl_status kept = n < n_writer ? each[n] : status; /* for pictures: it was added last */
    for (int32_t i = 0; i < r->def.n_target; i++) {
        sl_report_target *t = &r->def.targets[i];
        if (is_picture(t) && r->kept) {
            t->status = kept == SL_OK ? draw(r, t, diags) : kept;
        }
    }
    sl_free(r->def.ctx, each, size);
}

sl_status sl_run_report_finish(sl_run_report *r, bool complete, sl_diags *diags) {
    sl_status status = r->ops->finish ? r->ops->finish(r->own, complete, diags) : SL_OK;
    if (r->recorder && status == SL_OK) {
        end_recording(r, complete, diags); /* each file has its own status */
        sl_results_close(r->kept);
        r->kept = NULL;
        sl_recorder_destroy(r->recorder);
        r->recorder = NULL;
    }
    for (int32_t i = 0; i < r->def.n_target; i++) {
        sl_report_target *t = &r->def.targets[i];
        int format = number_of(t->format);
        if (status != SL_OK) { /* nothing is whole */
            t->status = status;
        } else if (format >= FORMAT_RPT && format <= FORMAT_REPORT) {
            t->status = write_report(r, t);
        }
    }
    return status;
}

sl_report_verdict sl_run_report_judge(const sl_run_report *r) {
    return r->ops->verdict ? r->ops->verdict(r->own) : SL_VERDICT_FINE;
}

void sl_run_report_write_text(sl_run_report *r, sl_out *out) {
    sl_status status = write_text(r, SUMMARY_ROWS, out);
    out->status = out->status == SL_OK ? status : out->status;
}

void sl_run_report_write_json(sl_run_report *r, sl_json *json) {
    sl_digest d = {0};
    sl_json_key(json, "engine");
    sl_json_z(json, sl_model_engine(r->def.model));
    sl_json_key(json, "summary");
    if (r->ops->digest(r->own, SUMMARY_ROWS, &d) == SL_OK && d.head.has_results) {
        (void)sl_digest_write_json(&d, json);
    } else {
        sl_json_null(json);
    }
    sl_digest_fini(&d);
}

void sl_run_report_destroy(sl_run_report *r) {
    if (r) {
        sl_results_close(r->kept);
        sl_recorder_destroy(r->recorder);
        if (r->own) {
            r->ops->destroy(r->own);
        }
        sl_free(r->def.ctx, r, sizeof *r);
    }
}
