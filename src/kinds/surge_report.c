/* SPDX-License-Identifier: MIT */
/* surge_report.c: what a run of a surge study leaves: traces, envelopes, pictures, a report, and a verdict on its limits. */

#include <string.h>

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "kinds/rows.h"
#include "results/surge.h"
#include "results/record.h"

typedef struct surge_args {
    sl_texts envelope;
    bool profiles;
} surge_args;

static const sl_option options[] = {
    {SL_OPTION_ROW(
        "envelope", 0, TEXTS, surge_args, envelope, "FILE",
        "write the highest and lowest head at every point (.csv), or a picture of\nthem along a route (.svg, .png, .pdf)")},
    {SL_OPTION_ROW("profiles", 0, FLAG, surge_args, profiles, NULL,
                   "add the heads along the routes at every report time to .csv, .json and .h5")},
};

static const char *const file_options[] = {"envelope", NULL};

typedef struct report {
    sl_report_def def;
    const sl_network *net;
    sl_study study; /* that of the model, with what the options say; its arena is the report's */
    sl_surge_outcome outcome;
    sl_digest_events events;
    sl_study_route route; /* n 0: none */
    bool has_outcome;
    sl_record_route *routes; /* of profiles */
    sl_results_attribute attributes[2];
} report;

/* ---- Files -------------------------------------------------------------------------------------- */

/* The profile of extreme heads along the route, from node to node. */
static sl_status draw_envelope(void *report_, sl_results *results, const sl_report_target *t, sl_diags *diags) {
    report *r = report_;
    if (r->route.n == 0) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "write --route FROM,TO, or `routes`",
                  "there is no path from a reservoir or tank to the highest head for an envelope");
        return SL_ERR_INPUT;
    }
    const char **ids = sl_arena_alloc(&r->study.arena, (size_t)(r->route.n + 1) * sizeof *ids);
    if (!ids) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i <= r->route.n; i++) {
        ids[i] = sl_network_node_id(r->net, r->route.nodes[i]);
    }
    sl_plot_def def = sl_plot_default();
    def.kind = SL_PLOT_PROFILE;
    def.format = sl_report_picture_format(t);
    def.route = ids;
    def.n_route = r->route.n + 1;
    return sl_plot(r->def.ctx, r->net, results, &def, diags, t->sink);
}

static const sl_report_format formats[] = {
    {"csv", "envelope", SL_REPORT_SINK, false},
    {"svg", "envelope", SL_REPORT_SINK, false},
    {"png", "envelope", SL_REPORT_SINK, false},
    {"pdf", "envelope", SL_REPORT_SINK, false},
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

/* The files that the study itself asks for. */
static const char *study_file(const sl_model *model, int32_t i, const char **option) {
    const sl_study *study = ((const sl_surge_origin *)sl_model_origin(model))->study;
    *option = i < study->n_result ? NULL : "envelope";
    return i < study->n_result                       ? study->results[i]
           : i - study->n_result < study->n_envelope ? study->envelopes[i - study->n_result]
                                                     : NULL;
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
        sl_arena_fini(&r->study.arena);
        sl_free(r->def.ctx, r, sizeof *r);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type of such functions */
static sl_status create(const sl_report_def *def, sl_diags *diags, char why[SL_REFUSAL_MAX], void **out) {
    const surge_args *args = def->args;
    (void)diags;
    *out = NULL;
    if (args->envelope.n > 0 && !((const sl_surge_origin *)sl_model_origin(def->model))->study->def.envelopes) {
        (void)sl_format(
            why, SL_REFUSAL_MAX,
            "--envelope needs the highest and lowest heads: leave out --no-envelopes and `keep_envelopes: false`");
        return SL_ERR_USE;
    }
    report *r = sl_alloc(def->ctx, sizeof *r);
    *out = r;
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (report){.def = *def,
                  .net = sl_model_network(def->model),
                  .study = *((const sl_surge_origin *)sl_model_origin(def->model))->study};
    sl_arena_init(&r->study.arena, def->ctx);
    if (r->study.n_route > 0) {
        r->route = r->study.routes[0];
    }
    sl_result_sink events = sl_digest_events_sink(&r->events);
    return sl_session_add_sink(def->session, &events, NULL, 0);
}

static sl_status finish(void *report_, bool complete, sl_diags *diags) {
    report *r = report_;
    (void)complete;
    (void)diags;
    sl_status status =
        sl_surge_outcome_init(&r->outcome, r->def.ctx, r->def.name, &r->study, r->def.model, r->def.session);
    status = status == SL_OK && r->route.n == 0 ? find_usual_route(r) : status;
    r->has_outcome = status == SL_OK;
    return status;
}

/* ---- Result files ------------------------------------------------------------------------------- */

/* What the study asks for as texts of a selection. */
static sl_status take_choice(report *r, const sl_study_choice *c, bool node, const char *const **texts, int32_t *n) {
    static const char *const all[] = {"ALL"}, *const none[] = {"NONE"};
    if (c->all || c->none) {
        *texts = c->all ? all : none;
        *n = 1;
        return SL_OK;
    }
    const char **ids = sl_arena_alloc(&r->study.arena, (size_t)(c->n + 1) * sizeof *ids);
    for (int32_t i = 0; ids && i < c->n; i++) {
        ids[i] = node ? sl_network_node_id(r->net, c->at[i]) : sl_network_link_id(r->net, c->at[i]);
    }
    *texts = ids;
    *n = c->n;
    return ids ? SL_OK : SL_ERR_MEMORY;
}

/* The points of a route, as an outcome shows them. */
static sl_status find_points(report *r, const sl_surge_outcome *at, const sl_study_route *route, sl_record_route *out) {
    size_t n = (size_t)sl_surge_along(at, route, NULL, NULL);
    double *distance = sl_arena_alloc(&r->study.arena, n * sizeof *distance);
    double *ground = sl_arena_alloc(&r->study.arena, n * sizeof *ground);
    int64_t *point = sl_arena_alloc(&r->study.arena, n * sizeof *point);
    const char **pipe = sl_arena_alloc(&r->study.arena, n * sizeof *pipe);
    if (!distance || !ground || !point || !pipe) {
        return SL_ERR_MEMORY;
    }
    (void)sl_surge_along(at, route, distance, point);
    size_t i = 0;
    for (int32_t k = 0; k < route->n; k++) {
        int32_t link = route->links[k];
        int64_t n_of = link < r->net->n_pipe ? at->view.point_start[link + 1] - at->view.point_start[link] : 0;
        const char *id = sl_results_text(&r->study.arena, sl_network_link_id(r->net, link));
        for (int64_t p = 0; p < n_of; p++, i++) {
            ground[i] = at->view.elevation[point[i]];
            pipe[i] = id ? id : "";
        }
    }
    *out = (sl_record_route){route->name ? route->name : "", (int32_t)n, distance, ground, point, pipe};
    return SL_OK;
}

/* Those of all routes of the study, from a session that stands at the start. */
static sl_status find_routes(report *r, sl_session *start) {
    sl_surge_outcome at;
    sl_status status = sl_session_refresh(start);
    status =
        status == SL_OK ? sl_surge_outcome_init(&at, r->def.ctx, r->def.name, &r->study, r->def.model, start) : status;
    for (int32_t k = 0; k < r->study.n_route && status == SL_OK; k++) {
        status = find_points(r, &at, &r->study.routes[k], &r->routes[k]);
    }
    return status;
}

static sl_status record(void *report_, sl_results_select *select, sl_recorder_more *more) {
    report *r = report_;
    const surge_args *args = r->def.args;
    sl_status status = SL_OK;
    if (select->n_node + select->n_link + select->n_variable == 0) {
        const sl_study *own = ((const sl_surge_origin *)sl_model_origin(r->def.model))->study;
        bool whole = own->nodes.all && own->links.all;
        status = whole ? SL_OK : take_choice(r, &own->nodes, true, &select->node, &select->n_node);
        status = whole || status != SL_OK ? status : take_choice(r, &own->links, false, &select->link, &select->n_link);
        select->what = select->n_what > 0 ? select->what : own->what;
        select->n_what = select->n_what > 0 ? select->n_what : own->n_what;
    }
    more->title = r->study.title;
    r->attributes[0] =
        (sl_results_attribute){.name = "friction", .text = sl_surge_friction_word(r->study.def.friction)};
    r->attributes[1] =
        (sl_results_attribute){.name = "cavitation", .text = sl_surge_cavitation_word(r->study.def.cavitation)};
    more->attributes = r->attributes;
    more->n_attribute = 2;
    r->routes = sl_arena_alloc(&r->study.arena, (size_t)(r->study.n_route + 1) * sizeof *r->routes);
    if (status != SL_OK || !r->routes) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    if (args->profiles && r->study.n_route > 0) {
        sl_session *start = NULL;
        status = sl_session_create(r->def.ctx, r->def.model, NULL, &start);
        status = status == SL_OK ? find_routes(r, start) : status;
        sl_session_destroy(start);
        more->routes = r->routes;
        more->n_route = r->study.n_route;
    }
    return status;
}

/* How the limits were kept. */
static sl_status add_limits(report *r, sl_recorder *recorder) {
    enum { N = 6 };
    static const char *const names[] = {"pressure_max", "pressure_min", "cavity_max"};
    const sl_surge_outcome *o = &r->outcome;
    size_t most = (size_t)r->study.n_limit * SL_SURGE_BOUND_COUNT;
    const char **limit = sl_arena_alloc(&recorder->arena, most * sizeof *limit);
    const char **where = sl_arena_alloc(&recorder->arena, most * sizeof *where);
    double *x = sl_arena_alloc(&recorder->arena, 4 * most * sizeof *x), *worst = x + most, *time = worst + most,
           *kept = time + most;
    if (!limit || !where || !x) {
        return SL_ERR_MEMORY;
    }
    int32_t n = 0;
    for (int32_t i = 0; i < r->study.n_limit; i++) {
        const sl_study_limit *l = &r->study.limits[i];
        const double allowed[] = {l->pressure_max, l->pressure_min, l->cavity_max};
        for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
            sl_surge_verdict v;
            if (!sl_surge_check_limit(o, l, (sl_surge_bound)b, &v)) {
                continue;
            }
            double unit = b == SL_SURGE_CAVITY ? o->shown.volume.factor : o->shown.pressure.factor;
            limit[n] = names[b];
            where[n] = v.node >= 0   ? sl_network_node_id(r->net, v.node)
                       : v.pipe >= 0 ? sl_network_link_id(r->net, v.pipe)
                                     : "";
            x[n] = allowed[b] / unit;
            worst[n] = v.value / unit;
            time[n] = v.time;
            kept[n++] = v.kept;
        }
    }
    const char *unit = o->shown.pressure.name;
    const sl_results_column columns[N] = {
        {.name = "limit", .unit = "", .meaning = "what is limited", .text = limit},
        {.name = "where", .unit = "", .meaning = "node or pipe of the worst value", .text = where},
        {.name = "allowed", .unit = unit, .meaning = "limit; of cavities a volume", .real = x},
        {.name = "worst", .unit = unit, .meaning = "worst value; of cavities a volume", .real = worst},
        {.name = "time", .unit = "s", .meaning = "when it came up first", .real = time},
        {.name = "kept", .unit = "", .meaning = "1: the limit was kept, 0: broken", .real = kept},
    };
    const sl_results_table t = {
        .name = "limits", .meaning = "limits of the study", .n = n, .n_column = N, .columns = columns};
    return n == 0 ? SL_OK : sl_record_add_table(recorder, &t);
}

static sl_status tables(void *report_, sl_recorder *recorder) {
    report *r = report_;
    sl_record_route route;
    sl_status status = r->has_outcome ? add_limits(r, recorder) : SL_OK;
    if (status != SL_OK || !r->has_outcome || r->route.n == 0) {
        return status;
    }
    status = find_points(r, &r->outcome, &r->route, &route);
    return status == SL_OK ? sl_record_envelope(recorder, "envelope", &route) : status;
}

/* --envelope: along the study's route, or every point. */
static const char *table(void *report_, const sl_report_format *format) {
    const report *r = report_;
    bool csv = format->option && strcmp(format->ending, "csv") == 0;
    return !csv ? NULL : r->study.n_route > 0 ? "envelope" : "points";
}

/* ---- The report --------------------------------------------------------------------------------- */

static sl_report_verdict verdict(const void *report_) {
    const report *r = report_;
    return r->has_outcome && sl_surge_broken(&r->outcome) > 0 ? SL_VERDICT_LIMIT : SL_VERDICT_FINE;
}

static sl_status digest(void *report_, int32_t rows, sl_digest *out) {
    const report *r = report_;
    return r->has_outcome ? sl_surge_digest(&r->outcome, &r->events, rows, out) : SL_ERR_USE;
}

const sl_report_ops sl_surge_study_report = {
    .formats = formats,
    .n_format = N_FORMAT,
    .file_options = file_options,
    .options = SL_OPTION_TABLE(options, surge_args, NULL),
    .file = study_file,
    .create = create,
    .record = record,
    .table = table,
    .tables = tables,
    .draw = draw_envelope,
    .finish = finish,
    .verdict = verdict,
    .digest = digest,
    .destroy = destroy,
};
