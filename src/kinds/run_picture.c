/* SPDX-License-Identifier: MIT */
/* run_picture.c: pictures of any model's results: it is run, what it records is kept, and drawn as the same result from a file would be. */
#include <math.h>
#include <string.h>

#include "kinds/rows.h"

typedef struct job {
    const sl_load *load;
    const sl_picture_def *def;
    sl_model *model;
    sl_session *session;
    sl_run_report *report;
} job;

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    if (def->dot) {
        (void)sl_format(why, SL_REFUSAL_MAX, "%s has no diagram that could be written for Graphviz (.dot)", name);
    }
    return !def->dot;
}

/* By the row's own options where none are given. */
static sl_status load_model(job *j, const sl_kind *kind) {
    sl_load load = *j->load;
    void *args = load.args ? NULL : sl_option_values_create(load.ctx, &kind->options);
    if (!load.args && !args) {
        return SL_ERR_MEMORY;
    }
    load.args = args ? args : load.args;
    sl_status status = sl_kind_load(kind, &load, &j->model);
    sl_option_values_destroy(load.ctx, &kind->options, args);
    return status;
}

/* A run that fails is drawn as far as it came. */
static sl_status run_model(job *j, sl_report_target *target, sl_status *run) {
    const sl_plot_def *page = j->def->page;
    const sl_kind *kind = j->def->kind;
    const sl_option_table *options = kind->report ? &kind->report->options : &sl_values_report.options;
    char why[SL_REFUSAL_MAX] = "";
    void *args = sl_option_values_create(j->load->ctx, options);
    const sl_results_args all = {.csv = -1};
    const sl_report_def def = {.ctx = j->load->ctx,
                               .name = j->load->source->name,
                               .model = j->model,
                               .session = j->session,
                               .args = args,
                               .results_args = &all,
                               .load_diags = j->load->diags,
                               .targets = target,
                               .n_target = 1,
                               .picture = page};
    sl_status status = args ? sl_run_report_create(kind, &def, j->load->diags, why, &j->report) : SL_ERR_MEMORY;
    double end = page->select && page->select->to >= 0.0 ? page->select->to : (double)INFINITY;
    if (status == SL_OK) {
        sl_step step = {.size = sizeof step};
        *run = sl_session_advance(j->session, fmin(end, sl_session_end(j->session)), 0, &step);
        bool shown = *run == SL_OK || *run == SL_ERR_SOLVE;
        status = shown ? sl_run_report_finish(j->report, *run == SL_OK, j->load->diags) : *run;
        status = status == SL_OK ? target->status : status;
    }
    sl_option_values_destroy(j->load->ctx, options, args);
    return status;
}

/* Times in the unit of the model, which is known only now. */
static sl_status take_times(job *j, sl_plot_def *page, sl_results_select *select) {
    const sl_picture_def *def = j->def;
    bool steps = strcmp(sl_session_time_unit(j->session), "steps") == 0;
    char why[SL_OPTION_ERROR_MAX];
    const struct {
        const char *shown;
        const sl_option_time *time;
        double *to;
    } times[] = {
        {"--time", &def->time, &page->time}, {"--from", &def->from, &select->from}, {"--until", &def->to, &select->to}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!sl_option_time_fits(times[i].shown, times[i].time, steps, why)) {
            sl_report(j->load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &(sl_text_location){.file = j->load->source->name},
                      NULL, NULL, NULL, "%s", why);
            return SL_ERR_UNSUPPORTED;
        }
        if (times[i].time->is_given && !times[i].time->word) {
            *times[i].to = times[i].time->value;
        }
    }
    return SL_OK;
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    static const char *const endings[SL_PLOT_FORMAT_COUNT] = {"svg", "png", "pdf"};
    sl_plot_def page = *def->page;
    sl_results_select select = page.select ? *page.select : sl_results_select_default();
    page.select = &select;
    sl_picture_def own = *def;
    own.page = &page;
    job j = {.load = load, .def = &own};
    sl_report_target target = {
        .path = "-", .format = sl_report_format_find(def->kind, NULL, endings[def->page->format]), .sink = sink};
    *run = SL_OK;
    sl_status status = load_model(&j, def->kind);
    if (status == SL_OK) {
        sl_diags_clear(load->diags); /* of the model's warnings a picture is not the place */
    }
    status = status == SL_OK ? sl_session_create(load->ctx, j.model, load->diags, &j.session) : status;
    status = status == SL_OK ? take_times(&j, &page, &select) : status;
    status = status == SL_OK ? run_model(&j, &target, run) : status;
    sl_session_destroy(j.session); /* its sinks are the report's */
    sl_run_report_destroy(j.report);
    sl_model_destroy(j.model);
    return status;
}

const sl_plot_ops sl_run_plot = {.fits = fits, .draw = draw};
