/* SPDX-License-Identifier: MIT */
/* tunnel_picture.c: see tunnel_picture.h. SI. */
#include "kinds/tunnel_picture.h"

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"

sl_status sl_tunnel_picture_refuse(const sl_tunnel_picture *j, sl_code code, const char *hint, const char *id,
                                   const char *text) {
    sl_text_location place = {.file = j->load->source->name};
    sl_report(j->load->diags, SL_ERROR, code, &place, id ? "valve" : NULL, id, hint, "%s", text);
    return SL_ERR_INPUT;
}

static sl_status start_history(sl_tunnel_picture *j) {
    int32_t n_x, n_q;
    sl_tunnel_sizes(j->net, &n_x, &n_q);
    double *x = sl_arena_alloc(&j->arena, (size_t)n_x * sizeof *x);
    int32_t *q = sl_arena_alloc(&j->arena, (size_t)n_q * sizeof *q);
    if (!x || !q) {
        return SL_ERR_MEMORY;
    }
    sl_tunnel_start(j->net, x, q);
    return sl_tunnel_history_init(&j->history, j->net, j->load->ctx, q);
}

sl_status sl_tunnel_picture_open(sl_tunnel_picture *j, const sl_load *load, const sl_picture_def *def,
                                 const sl_sink *sink) {
    const sl_plot_def *page = def->page;
    sl_tunnel_study *study = NULL;
    *j = (sl_tunnel_picture){.load = load, .def = def};
    j->page = (sl_picture){
        .ctx = load->ctx, .def = page, .diags = load->diags, .sink = sink, .theme = sl_theme_of(page->dark)};
    sl_arena_init(&j->arena, load->ctx);
    sl_arena_init(&j->page.arena, load->ctx);
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status != SL_OK) {
        return status;
    }
    j->study = study;
    j->net = study->net;
    status = sl_model_of_tunnel_study(load->ctx, study, &j->model);
    if (status != SL_OK) {
        return status;
    }
    const char *title = study->title[0] ? study->title : load->source->name;
    (void)sl_format(j->page.title, sizeof j->page.title, "%s", page->title ? page->title : title);
    return start_history(j);
}

sl_status sl_tunnel_picture_close(sl_tunnel_picture *j, sl_status status) {
    status = sl_picture_close(&j->page, status);
    sl_tunnel_history_fini(&j->history);
    sl_session_destroy(j->session);
    sl_model_destroy(j->model);
    sl_arena_fini(&j->arena);
    return status;
}

/* ---- Runs and results --------------------------------------------------------------------------- */

static sl_status take_event(sl_tunnel_picture *j, const sl_event_info *e) {
    const sl_tunnel_event event = {
        .t = e->time, .kind = e->kind, .element = e->element, .cause = e->cause, .to = e->to};
    return sl_tunnel_history_take(&j->history, &event);
}

static sl_status take_run(sl_tunnel_picture *j, double t, sl_status *run) {
    sl_status status = sl_session_create(j->load->ctx, j->model, j->load->diags, &j->session);
    status = status == SL_OK ? sl_session_record_events(j->session, true) : status;
    if (status != SL_OK) {
        return status;
    }
    double end = sl_session_end(j->session);
    if (isfinite(t) && t > end) {
        return sl_tunnel_picture_refuse(j, SL_CODE_NOT_ALLOWED, "give an earlier time, or a longer run: end", NULL,
                                        "the run ends before the time of the picture");
    }
    *run = sl_session_advance(j->session, fmin(t, end), 0, NULL);
    if (*run != SL_OK && *run != SL_ERR_SOLVE) {
        return *run;
    }
    sl_event_info e = {.size = sizeof e};
    for (int64_t i = 0; i < sl_session_n_event(j->session) && status == SL_OK; i++) {
        status = sl_session_event(j->session, i, &e);
        if (status == SL_OK && e.time > t) { /* at the end of a step that leads beyond */
            break;
        }
        status = status == SL_OK ? take_event(j, &e) : status;
    }
    return status == SL_OK ? sl_tunnel_history_end(&j->history) : status;
}

static sl_status take_result(sl_tunnel_picture *j, double t) {
    sl_results *r = j->def->results;
    int64_t n_frame = 0, n_event = sl_results_n_event(r);
    const double *times = sl_results_times(r, &n_frame);
    if (n_event == 0) {
        return sl_tunnel_picture_refuse(j, SL_CODE_RESULT_FILE, "make it as .json or .h5, or draw the model itself",
                                        NULL, "the result has no events, from which the discrete states follow");
    }
    if (n_frame == 0 || (isfinite(t) && t > times[n_frame - 1])) {
        return sl_tunnel_picture_refuse(j, SL_CODE_NOT_ALLOWED, "give an earlier time", NULL,
                                        "the result ends before the time of the picture");
    }
    j->frame = 0;
    while (j->frame + 1 < n_frame && times[j->frame + 1] <= t) {
        j->frame++;
    }
    sl_status status = SL_OK;
    sl_event_info e = {.size = sizeof e};
    for (int64_t i = 0; i < n_event && status == SL_OK; i++) {
        status = sl_results_event(r, i, &e);
        if (status == SL_OK && e.time > t) {
            break;
        }
        status = status == SL_OK ? take_event(j, &e) : status;
    }
    status = status == SL_OK ? sl_tunnel_history_end(&j->history) : status;
    if (status == SL_ERR_INPUT) {
        (void)sl_tunnel_picture_refuse(j, SL_CODE_RESULT_FILE, "run the model again", NULL,
                                       "the events of the result are not those of this model");
    }
    return status;
}

sl_status sl_tunnel_picture_run(sl_tunnel_picture *j, double t, sl_status *run) {
    return j->def->results ? take_result(j, t) : take_run(j, t, run);
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* Those of the result, whose elements may be some of the model's in any order. */
static bool read_values(sl_tunnel_picture *j, const char *group, const char *quantity, int32_t n, double *x) {
    sl_results *r = j->def->results;
    int32_t k = sl_results_find(r, group, quantity);
    const sl_results_group *g = k >= 0 ? &sl_results_get_layout(r)->groups[sl_results_group_of(r, k)] : NULL;
    double *all = g ? sl_arena_alloc(&j->arena, (size_t)g->n * sizeof *all) : NULL;
    bool ends = strcmp(group, "end") == 0;
    if (!all || sl_results_read(r, j->frame, k, all) != SL_OK) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        char name[SL_TITLE_MAX];
        (void)sl_format(name, sizeof name, "%s%s",
                        ends ? sl_tunnel_pipe_id(j->net, i / 2) : sl_tunnel_valve_id(j->net, i),
                        !ends   ? ""
                        : i % 2 ? ".to"
                                : ".from");
        bool same = i < g->n && strcmp(g->ids[i], name) == 0;
        int32_t at = same ? i : sl_group_find(g, sl_str_z(name));
        if (at < 0) {
            return false;
        }
        x[i] = all[at];
    }
    return true;
}

const double *sl_tunnel_picture_values(sl_tunnel_picture *j, const char *group, const char *quantity) {
    char name[64];
    int32_t n;
    (void)sl_format(name, sizeof name, "%s.%s", group, quantity);
    if (j->session) {
        return sl_session_view(j->session, sl_session_field(j->session, name), &n);
    }
    n = strcmp(group, "end") == 0 ? 2 * j->net->n_pipe : j->net->n_valve;
    double *x = sl_arena_alloc(&j->arena, (size_t)n * sizeof *x);
    if (x && !read_values(j, group, quantity, n, x)) {
        (void)sl_tunnel_picture_refuse(j, SL_CODE_RESULT_FILE, "run the model again without a selection", NULL,
                                       "the result does not have what the picture shows of all valves and tunnels");
        return NULL;
    }
    return x;
}
