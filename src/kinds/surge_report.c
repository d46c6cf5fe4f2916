/* SPDX-License-Identifier: MIT */
/* surge_report.c: what a run of a surge study leaves: traces, envelopes, pictures, a report, and a verdict on its limits.
 *
 * Traces are kept in memory while the session moves; every file is written at the end.
 */
#include "kinds/surge_report.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "kinds/rows.h"

typedef struct surge_args {
    sl_texts node, link, what, envelope;
    const char *report;
} surge_args;

static const sl_option options[] = {
    {.name = "node",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(surge_args, node),
     .value = "ID,...",
     .help = "only these nodes over time, and only the links of --link; ALL and\nNONE are words for it"},
    {.name = "link",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(surge_args, link),
     .value = "ID,...",
     .help = "likewise these links"},
    {.name = "what",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(surge_args, what),
     .value = "NAME,...",
     .help = "only these quantities"},
    {.name = "envelope",
     .kind = SL_OPTION_TEXTS,
     .offset = offsetof(surge_args, envelope),
     .value = "FILE",
     .help = "write the highest and lowest heads of every point: .csv, or a picture\nalong a route: .svg, .png, .pdf"},
    {.name = "report",
     .letter = 'r',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(surge_args, report),
     .value = "FILE",
     .help = "write the text report; - is standard output, instead of the summary"},
};

static const char *const file_options[] = {"envelope", "report", NULL};

typedef struct report {
    sl_report_def def;
    const sl_network *net;
    sl_study study; /* that of the model, with what the options say; its arena is the report's */
    sl_surge_traces traces;
    sl_surge_outcome outcome;
    sl_study_route route; /* n 0: none */
    bool has_traces, has_outcome;
} report;

/* ---- Files -------------------------------------------------------------------------------------- */

typedef sl_status make_fn(report *r, const sl_report_target *t, sl_diags *diags);

static sl_status make_csv(report *r, const sl_report_target *t, sl_diags *diags) {
    (void)diags;
    return sl_surge_traces_csv(&r->outcome, t->sink);
}

static sl_status make_json(report *r, const sl_report_target *t, sl_diags *diags) {
    (void)diags;
    return sl_surge_json(&r->outcome, t->sink);
}

static sl_status make_hdf5(report *r, const sl_report_target *t, sl_diags *diags) {
    return sl_surge_hdf5(&r->outcome, t->file, diags);
}

static sl_status make_report(report *r, const sl_report_target *t, sl_diags *diags) {
    (void)diags;
    sl_out *out = sl_alloc(r->def.ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, t->sink);
    sl_surge_report(&r->outcome, INT32_MAX, out);
    sl_status status = sl_out_flush(out);
    sl_free(r->def.ctx, out, sizeof *out);
    return status;
}

static sl_plot_format picture_format(const sl_report_target *t) {
    return strcmp(t->format->ending, "svg") == 0   ? SL_PLOT_SVG
           : strcmp(t->format->ending, "png") == 0 ? SL_PLOT_PNG
                                                   : SL_PLOT_PDF;
}

static sl_status make_traces_picture(report *r, const sl_report_target *t, sl_diags *diags) {
    return sl_surge_picture_traces(&r->outcome, picture_format(t), diags, t->sink);
}

static sl_status make_envelope_picture(report *r, const sl_report_target *t, sl_diags *diags) {
    if (r->route.n == 0) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "write --route FROM,TO, or `routes`",
                  "there is no way from a reservoir or tank to the highest head that an envelope could follow");
        return SL_ERR_INPUT;
    }
    return sl_surge_picture_envelope(&r->outcome, &r->route, picture_format(t), diags, t->sink);
}

static sl_status make_envelope(report *r, const sl_report_target *t, sl_diags *diags) {
    (void)diags;
    return sl_surge_envelope_csv(&r->outcome, r->study.n_route > 0 ? &r->route : NULL, t->sink);
}

static const sl_report_format formats[] = {
    {"csv", NULL, SL_REPORT_SINK, false},       {"json", NULL, SL_REPORT_SINK, false},
    {"h5", NULL, SL_REPORT_PATH, false},        {"rpt", NULL, SL_REPORT_SINK, false},
    {"txt", NULL, SL_REPORT_SINK, false},       {"svg", NULL, SL_REPORT_SINK, false},
    {"png", NULL, SL_REPORT_SINK, false},       {"pdf", NULL, SL_REPORT_SINK, false},
    {"csv", "envelope", SL_REPORT_SINK, false}, {"svg", "envelope", SL_REPORT_SINK, false},
    {"png", "envelope", SL_REPORT_SINK, false}, {"pdf", "envelope", SL_REPORT_SINK, false},
    {"", "report", SL_REPORT_SINK, false},
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

static make_fn *const makers[] = {
    make_csv,
    make_json,
    make_hdf5,
    make_report,
    make_report,
    make_traces_picture,
    make_traces_picture,
    make_traces_picture,
    make_envelope,
    make_envelope_picture,
    make_envelope_picture,
    make_envelope_picture,
    make_report,
};
_Static_assert(sizeof makers / sizeof *makers == N_FORMAT, "one for each format, in its order");

/* The files that the study itself asks for. */
static const char *study_file(const sl_model *model, int32_t i, const char **option) {
    const sl_study *study = ((const sl_surge_origin *)sl_model_origin(model))->study;
    *option = i < study->n_result ? NULL : "envelope";
    return i < study->n_result                       ? study->results[i]
           : i - study->n_result < study->n_envelope ? study->envelopes[i - study->n_result]
                                                     : NULL;
}

/* ---- Options ------------------------------------------------------------------------------------ */

/* --node A,B: the elements of lists of ids. */
static sl_status choose(report *r, const sl_texts *texts, bool node, sl_study_choice *c, char why[SL_REFUSAL_MAX]) {
    const sl_network *net = r->net;
    const char *word = node ? "node" : "link";
    int32_t max = node ? net->n_node : net->n_link, n = 0;
    int32_t *at = sl_arena_alloc(&r->study.arena, (size_t)max * sizeof *at);
    if (!at) {
        return SL_ERR_MEMORY;
    }
    *c = (sl_study_choice){.none = true};
    for (int i = 0; i < texts->n; i++) {
        const char *z = texts->at[i];
        while (*z) {
            sl_str id = {z, strcspn(z, ",")};
            int32_t found = node ? sl_network_find_node(net, id) : sl_network_find_link(net, id);
            bool all = sl_str_equal_nocase(id, sl_str_z("ALL")), none = sl_str_equal_nocase(id, sl_str_z("NONE"));
            if (found < 0 && !all && !none) {
                (void)sl_format(why, SL_REFUSAL_MAX, "--%s: there is no %s '%.*s'", word, word, (int)id.len, id.ptr);
                return SL_ERR_UNSUPPORTED;
            }
            c->all = c->all || (found < 0 && all);
            if (found >= 0 && n < max) {
                at[n++] = found;
            }
            z += id.len + (z[id.len] == ',');
        }
    }
    c->none = !c->all && n == 0;
    c->at = at;
    c->n = n;
    return SL_OK;
}

/* --what A,B: names of quantities. */
static sl_status choose_quantities(report *r, const sl_texts *texts) {
    enum { PER_TEXT = 16 };
    const char **what = sl_arena_alloc(&r->study.arena, (size_t)(texts->n * PER_TEXT + 1) * sizeof *what);
    int32_t n = 0;
    for (int i = 0; what && i < texts->n; i++) {
        const char *z = texts->at[i];
        while (*z && n < texts->n * PER_TEXT) {
            size_t k = strcspn(z, ", ");
            what[n] = sl_arena_copy(&r->study.arena, (sl_str){z, k});
            n += k > 0 && what[n];
            z += k + strspn(z + k, ", ");
        }
    }
    if (n > 0) {
        r->study.what = what;
        r->study.n_what = n;
    }
    return what ? SL_OK : SL_ERR_MEMORY;
}

static sl_status settle(report *r, const surge_args *a, char why[SL_REFUSAL_MAX]) {
    sl_status status = SL_OK;
    if (a->node.n + a->link.n > 0) { /* as in other runs: the one that is not named is left out */
        status = choose(r, &a->node, true, &r->study.nodes, why);
        status = status == SL_OK ? choose(r, &a->link, false, &r->study.links, why) : status;
    }
    status = status == SL_OK ? choose_quantities(r, &a->what) : status;
    if (status == SL_OK && r->study.n_route > 0) {
        r->route = r->study.routes[0];
    }
    return status;
}

/* From a source to where the head went highest. */
static sl_status find_usual_route(report *r) {
    const sl_network *net = r->net;
    int32_t to = 0;
    for (int32_t i = 0; i < net->n_junction; i++) {
        to = r->outcome.head_max[i] > r->outcome.head_max[to] ? i : to;
    }
    sl_status status = SL_ERR_INPUT;
    for (int32_t i = net->n_junction; i < net->n_node && status == SL_ERR_INPUT; i++) {
        status = sl_study_find_route(&r->study, i, to, &r->route);
    }
    return status == SL_ERR_INPUT ? SL_OK : status;
}

/* ---- The report --------------------------------------------------------------------------------- */

static void destroy(void *report_) {
    report *r = report_;
    if (r) {
        sl_surge_traces_fini(&r->traces);
        sl_arena_fini(&r->study.arena);
        sl_free(r->def.ctx, r, sizeof *r);
    }
}

static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    report *r = sl_alloc(def->ctx, sizeof *r);
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){.def = *def,
                  .net = sl_model_network(def->model),
                  .study = *((const sl_surge_origin *)sl_model_origin(def->model))->study};
    sl_arena_init(&r->study.arena, def->ctx);
    sl_status status = settle(r, def->args, why);
    if (status == SL_OK && def->n_target > 0) {
        r->has_traces = true;
        status = sl_surge_traces_init(&r->traces, def->ctx, &r->study, def->session, diags);
        sl_result_sink sink = sl_surge_traces_sink(&r->traces);
        status =
            status == SL_OK ? sl_session_add_sink(def->session, &sink, r->traces.fields, r->traces.n_field) : status;
    }
    return status;
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    report *r = report_;
    (void)complete;
    sl_status status = sl_surge_outcome_init(&r->outcome, r->def.ctx, r->def.name, &r->study, r->def.model,
                                             r->def.session, r->has_traces ? &r->traces : NULL);
    status = status == SL_OK && r->route.n == 0 ? find_usual_route(r) : status;
    r->has_outcome = status == SL_OK;
    for (int32_t i = 0; i < r->def.n_target && status == SL_OK; i++) {
        sl_report_target *t = &r->def.targets[i];
        t->status = makers[t->format - formats](r, t, diags);
    }
    return status;
}

static sl_report_verdict verdict(const void *report_) {
    const report *r = report_;
    return r->has_outcome && sl_surge_broken(&r->outcome) > 0 ? SL_VERDICT_LIMIT : SL_VERDICT_FINE;
}

static void write_text(void *report_, sl_out *out) {
    const report *r = report_;
    if (r->has_outcome) {
        sl_surge_report(&r->outcome, 5, out);
    }
}

static void write_json(void *report_, sl_json *json) {
    const report *r = report_;
    if (r->has_outcome) {
        sl_surge_json_members(&r->outcome, false, json);
    }
}

const sl_report_ops sl_surge_study_report = {
    .formats = formats,
    .n_format = N_FORMAT,
    .endings = ".csv (traces), .json or .h5 (everything), .rpt (a report), .svg, .png or .pdf (a picture of traces)",
    .file_options = file_options,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .args_size = sizeof(surge_args),
    .file = study_file,
    .create = create,
    .finish = finish,
    .verdict = verdict,
    .write_text = write_text,
    .write_json = write_json,
    .destroy = destroy,
};
