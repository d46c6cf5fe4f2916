/* SPDX-License-Identifier: MIT */
/* tunnel_plot.c: the long profile of tunnels at a moment; other pictures are those of any run. SI. */
#include "kinds/rows.h"

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "plot/waterway.h"
#include "tunnel/read.h"

typedef struct job {
    const sl_load *load;
    const sl_plot_def *page;
    const sl_tunnel_study *study; /* the model's */
    const sl_tunnel_network *net;
    sl_model *model;
    sl_session *session;
    sl_arena arena;
    int32_t *pipes; /* [n] along the line */
    bool *back;     /* [n] against the pipe's own direction */
    int32_t n, from;
} job;

static sl_status refuse(const job *j, sl_code code, const char *hint, const char *text, const char *id) {
    sl_text_location place = {.file = j->load->source->name};
    sl_report(j->load->diags, SL_ERROR, code, &place, id ? "valve" : NULL, id, hint, "%s", text);
    return SL_ERR_INPUT;
}

/* ---- The line ----------------------------------------------------------------------------------- */

static int32_t far_end(const sl_tunnel_pipe *p, int32_t v) {
    return p->ends[p->ends[0].valve == v].valve;
}

/* The shortest way from a to b by length, whatever the direction of tunnels, is put behind what there is. before: the pipe by which each
 * valve is reached, found from b on. */
static bool add_way(job *j, int32_t a, int32_t b, double *distance, int32_t *before) {
    const sl_tunnel_network *net = j->net;
    for (int32_t v = 0; v < net->n_valve; v++) {
        distance[v] = v == b ? 0.0 : (double)INFINITY;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
            const sl_tunnel_pipe *p = &net->pipes[e / 2];
            int32_t to = p->ends[e % 2].valve, from = p->ends[!(e % 2)].valve;
            if (distance[from] + p->length < distance[to]) {
                distance[to] = distance[from] + p->length;
                before[to] = e / 2;
                moved = true;
            }
        }
    }
    while (isfinite(distance[a]) && a != b) {
        j->pipes[j->n] = before[a];
        j->back[j->n++] = net->pipes[before[a]].ends[0].valve != a;
        a = far_end(&net->pipes[before[a]], a);
    }
    return a == b;
}

static sl_status find_line(job *j) {
    const sl_tunnel_network *net = j->net;
    int32_t n_route = j->page->n_route, last = -1;
    size_t most = (size_t)n_route * (size_t)net->n_pipe;
    j->pipes = sl_arena_alloc(&j->arena, most * sizeof *j->pipes);
    j->back = sl_arena_alloc(&j->arena, most * sizeof *j->back);
    double *distance = sl_arena_alloc(&j->arena, (size_t)net->n_valve * sizeof *distance);
    int32_t *before = sl_arena_alloc(&j->arena, (size_t)net->n_valve * sizeof *before);
    if (!j->pipes || !j->back || !distance || !before) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < n_route; k++) {
        int32_t v = sl_ids_find(net->valve_ids, sl_str_z(j->page->route[k]));
        if (v < 0) {
            return refuse(j, SL_CODE_UNKNOWN_NAME, "name two valves: --profile FROM,TO", "there is no such valve",
                          j->page->route[k]);
        }
        if (k > 0 && !add_way(j, last, v, distance, before)) {
            return refuse(j, SL_CODE_UNCONNECTED, NULL, "no tunnels lead there from the valve before it",
                          j->page->route[k]);
        }
        j->from = k == 0 ? v : j->from;
        last = v;
    }
    return j->n > 0 ? SL_OK
                    : refuse(j, SL_CODE_MISSING_VALUE, "name two valves: --profile FROM,TO",
                             "the line of the profile has no length", NULL);
}

/* ---- Values ------------------------------------------------------------------------------------- */

static double value_of(const job *j, const char *field, int32_t k) {
    int32_t n;
    const double *all = sl_session_view(j->session, sl_session_field(j->session, field), &n);
    return all ? all[k] : (double)NAN;
}

static sl_waterway_piece piece_of(const job *j, int32_t k, double x) {
    const sl_tunnel_pipe *p = &j->net->pipes[j->pipes[k]];
    sl_waterway_piece t = {.name = sl_tunnel_pipe_id(j->net, j->pipes[k]), .x = {x, x + p->length}};
    for (int side = 0; side < 2; side++) { /* of the picture: left, right */
        int end = side ^ (int)j->back[k];
        int32_t e = 2 * j->pipes[k] + end, v = p->ends[end].valve;
        bool full = value_of(j, "end.full", e) != 0.0, wet = value_of(j, "valve.wet", v) != 0.0;
        t.z[side] = p->ends[end].elevation;
        t.wet[side] = full ? side == 0 : value_of(j, "end.volume", e) / (p->area * p->length);
        t.head[side] = wet ? value_of(j, "valve.head", v) : full || t.wet[side] > 0.0 ? t.z[side] : (double)NAN;
        t.flow[side] = (j->back[k] ? -1.0 : 1.0) * value_of(j, "end.flow", e);
        t.shut[side] = value_of(j, "end.gate", e) == 0.0;
    }
    return t;
}

static sl_waterway_place place_of(const job *j, int32_t v, double x) {
    const sl_tunnel_valve *valve = &j->net->valves[v];
    bool has_level = valve->tub == SL_TUB_LEVEL || valve->tub == SL_TUB_RESERVOIR;
    return (sl_waterway_place){.name = sl_tunnel_valve_id(j->net, v),
                               .x = x,
                               .z = valve->elevation,
                               .level = has_level ? value_of(j, "valve.level", v) : (double)NAN};
}

/* A gate of an outside stands at the beginning of its tunnel, or at its end. */
static bool is_shut(const job *j, int32_t v) {
    return j->net->valves[v].tub != SL_TUB_NONE && value_of(j, "valve.gate", v) == 0.0;
}

static sl_status draw_line(job *j, const sl_sink *sink) {
    sl_picture p = {.ctx = j->load->ctx,
                    .def = j->page,
                    .diags = j->load->diags,
                    .sink = sink,
                    .theme = sl_theme_of(j->page->dark)};
    sl_waterway_piece *pieces = sl_arena_alloc(&j->arena, (size_t)j->n * sizeof *pieces);
    sl_waterway_place *places = sl_arena_alloc(&j->arena, ((size_t)j->n + 1) * sizeof *places);
    char second[SL_TITLE_MAX];
    double x = 0.0;
    int32_t v = j->from;
    if (!pieces || !places) {
        return SL_ERR_MEMORY;
    }
    places[0] = place_of(j, v, x);
    for (int32_t k = 0; k < j->n; k++) {
        pieces[k] = piece_of(j, k, x);
        pieces[k].shut[0] = pieces[k].shut[0] || (k == 0 && is_shut(j, v));
        x = pieces[k].x[1];
        v = far_end(&j->net->pipes[j->pipes[k]], v);
        places[k + 1] = place_of(j, v, x);
    }
    pieces[j->n - 1].shut[1] = pieces[j->n - 1].shut[1] || is_shut(j, v);
    (void)sl_format(second, sizeof second, "from %.60s to %.60s, at %.6g s", places[0].name, places[j->n].name,
                    sl_session_time(j->session));
    const char *title = j->study->title[0] ? j->study->title : j->load->source->name;
    (void)sl_format(p.title, sizeof p.title, "%s", j->page->title ? j->page->title : title);
    const sl_waterway w = {.second = second, .pieces = pieces, .places = places, .n_piece = j->n, .n_place = j->n + 1};
    sl_arena_init(&p.arena, j->load->ctx);
    return sl_picture_close(&p, sl_waterway_draw(&p, &w));
}

/* ---- Functions of the row ----------------------------------------------------------------------- */

/* Runs to the moment; a run that fails is drawn where it came to. */
static sl_status run_to(job *j, sl_status *run) {
    double t = isnan(j->page->time) ? 0.0 : j->page->time;
    if (t > sl_session_end(j->session)) {
        return refuse(j, SL_CODE_NOT_ALLOWED, "give an earlier --time, or a longer --duration",
                      "the run ends before the time of the profile", NULL);
    }
    *run = sl_session_advance(j->session, t, 0, NULL);
    bool shown = *run == SL_OK || *run == SL_ERR_SOLVE;
    return shown ? SL_OK : *run;
}

static sl_status draw_profile(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    job j = {.load = load, .page = def->page};
    sl_tunnel_study *study = NULL;
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status != SL_OK) {
        return status;
    }
    j.study = study;
    j.net = study->net;
    sl_arena_init(&j.arena, load->ctx);
    status = sl_model_of_tunnel_study(load->ctx, study, &j.model);
    status = status == SL_OK ? find_line(&j) : status;
    status = status == SL_OK ? sl_session_create(load->ctx, j.model, load->diags, &j.session) : status;
    status = status == SL_OK ? run_to(&j, run) : status;
    status = status == SL_OK ? draw_line(&j, sink) : status;
    sl_session_destroy(j.session);
    sl_model_destroy(j.model);
    sl_arena_fini(&j.arena);
    return status;
}

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    if (def->page->kind == SL_PLOT_MAP) {
        (void)sl_format(why, SL_REFUSAL_MAX,
                        "%s has no coordinates for a map: draw a --profile FROM,TO between two valves", name);
        return false;
    }
    return sl_run_plot.fits(def, name, why);
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    *run = SL_OK;
    return (def->page->kind == SL_PLOT_PROFILE ? draw_profile : sl_run_plot.draw)(load, def, sink, run);
}

const sl_plot_ops sl_tunnel_plot = {.fits = fits, .draw = draw};
