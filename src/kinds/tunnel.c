/* SPDX-License-Identifier: MIT */
/* tunnel.c: tunnels that fill and run dry, as YAML. */
#include "kinds/rows.h"

#include <math.h>

#include "base/report.h"
#include "tunnel/engine.h"
#include "tunnel/guards.h"

/* A file that the source names, while it is read. */
typedef struct series_file {
    const sl_source *from;
    sl_source opened;
} series_file;

static sl_status open_series(void *user, const char *path, sl_yaml *doc, const sl_yaml_node *node, sl_str *bytes,
                             const char **name) {
    series_file *f = user;
    sl_status status = sl_source_open_named(f->from, path, doc, node, &f->opened);
    *bytes = (sl_str){f->opened.bytes, f->opened.n};
    *name = f->opened.name ? f->opened.name : path;
    return status;
}

static void close_series(void *user) {
    series_file *f = user;
    sl_source_close_named(f->from, &f->opened);
}

static sl_status read_source(const sl_load *load, sl_tunnel_study **out) {
    const sl_source *source = load->source;
    series_file file = {.from = source};
    sl_tunnel_files files = {open_series, close_series, &file};
    return sl_tunnel_read(load->ctx, source->bytes, source->n, source->name, &files, load->diags, out);
}

/* Options of the command line take the place of what the file says. */
static sl_status apply(const sl_load *load, sl_tunnel_study *study) {
    study->report = load->every > 0.0 ? load->every : study->report;
    study->end = isnan(load->duration) ? study->end : load->duration;
    if (study->end > 0.0) {
        return SL_OK;
    }
    sl_text_location place = {.file = load->source->name};
    sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &place, NULL, NULL, NULL,
              "the duration must be more than 0 s");
    return SL_ERR_USE;
}

sl_status sl_tunnel_study_load(const sl_load *load, sl_tunnel_study **out) {
    sl_tunnel_study *study = NULL;
    *out = NULL;
    sl_status status = read_source(load, &study);
    status = status == SL_OK ? apply(load, study) : status;
    if (status != SL_OK) {
        sl_tunnel_study_destroy(study);
        return status;
    }
    *out = study;
    return SL_OK;
}

static sl_status load_tunnel(const sl_load *load, sl_loaded *out) {
    sl_tunnel_study *study = NULL;
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status != SL_OK) {
        return status;
    }
    int32_t n_x, n_q;
    sl_tunnel_sizes(study->net, &n_x, &n_q);
    sl_kind_choose_report(load, n_x, study->end, &study->report);
    return sl_model_of_tunnel_study(load->ctx, study, &out->model);
}

static const char *const forms[] = {"yaml", NULL};

/* The discrete model as an automaton, from where the file begins. */
static sl_status write_automaton(const sl_load *load, const sl_sink *sink) {
    sl_tunnel_study *study = NULL;
    sl_automaton *a = NULL;
    sl_status status = read_source(load, &study);
    if (status != SL_OK) {
        return status;
    }
    int32_t n_x, n_q;
    sl_arena *arena = &study->net->arena;
    sl_tunnel_sizes(study->net, &n_x, &n_q);
    double *x = sl_arena_alloc(arena, (size_t)n_x * sizeof *x);
    int32_t *q = sl_arena_alloc(arena, (size_t)n_q * sizeof *q);
    status = x && q ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_tunnel_start(study->net, x, q);
        status = sl_tunnel_automaton(study->net, load->ctx, study->title[0] ? study->title : load->source->name, q,
                                     load->diags, &a);
    }
    status = status == SL_OK ? sl_automaton_write(a, sink) : status;
    sl_automaton_destroy(a);
    sl_tunnel_study_destroy(study);
    return status;
}

const sl_kind sl_kind_tunnel = {.name = "tunnel",
                                .noun = "a tunnel model",
                                .version = 1,
                                .load = load_tunnel,
                                .forms = forms,
                                .write = write_automaton,
                                .sets_reports = true,
                                .counted_event = "crossing",
                                .check = sl_tunnel_check,
                                .info = sl_tunnel_info,
                                .explain = sl_tunnel_explain,
                                .plot = &sl_tunnel_plot};
