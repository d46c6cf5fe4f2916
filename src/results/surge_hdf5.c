/* SPDX-License-Identifier: MIT */
/* surge_hdf5.c: a surge run as an HDF5 file, in SI units and doubles; see surge.h and docs/reference/surge-results.md.
 *
 * time and trace (time, column) with the names of the columns; the points of all pipes one after another, each array a
 * dataset, with the pipe of each point; node arrays likewise. Nothing depends on the clock.
 */
#include <string.h>

#include "base/report.h"
#include "results/surge.h"

#ifdef SLUICE_HDF5
#include "results/hdf5_api.h"

typedef struct h5 {
    sl_hdf5 h;
    hid_t file, text;
    bool failed;
} h5;

static hid_t id_of(h5 *w, hid_t id) {
    w->failed = w->failed || id < 0;
    return id;
}

static void check(h5 *w, herr_t result) {
    w->failed = w->failed || result < 0;
}

static void put_text(h5 *w, hid_t of, const char *name, const char *text) {
    hid_t space = id_of(w, w->h.H5Screate(H5S_SCALAR));
    hid_t id = id_of(w, w->h.H5Acreate2(of, name, w->text, space, H5P_DEFAULT, H5P_DEFAULT));
    check(w, w->h.H5Awrite(id, w->text, &text));
    check(w, w->h.H5Aclose(id));
    check(w, w->h.H5Sclose(space));
}

/* A dataset of one or two dimensions (columns 0: one). */
static void put(h5 *w, const char *name, int64_t rows, int64_t columns, bool text, const void *value, const char *unit,
                const char *meaning) {
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns};
    hid_t type = text ? w->text : w->h.H5T_IEEE_F64LE_g, memory = text ? w->text : w->h.H5T_NATIVE_DOUBLE_g;
    hid_t space = id_of(w, w->h.H5Screate_simple(columns > 0 ? 2 : 1, size, NULL));
    hid_t p = id_of(w, w->h.H5Pcreate(w->h.H5P_CLS_DATASET_CREATE_ID_g));
    check(w, w->h.H5Pset_obj_track_times(p, false));
    hid_t set = id_of(w, w->h.H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT));
    check(w, w->h.H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
    if (*unit) {
        put_text(w, set, "units", unit);
    }
    put_text(w, set, "long_name", meaning);
    check(w, w->h.H5Dclose(set));
    check(w, w->h.H5Pclose(p));
    check(w, w->h.H5Sclose(space));
}

static void make_file(h5 *w, const sl_surge_outcome *r, const char *path) {
    w->text = id_of(w, w->h.H5Tcopy(w->h.H5T_C_S1_g));
    check(w, w->h.H5Tset_size(w->text, H5T_VARIABLE));
    check(w, w->h.H5Tset_cset(w->text, H5T_CSET_UTF8));
    hid_t p = id_of(w, w->h.H5Pcreate(w->h.H5P_CLS_FILE_CREATE_ID_g));
    check(w, w->h.H5Pset_obj_track_times(p, false));
    w->file = id_of(w, w->h.H5Fcreate(path, SL_HDF5_ACC_TRUNC, p, H5P_DEFAULT));
    check(w, w->h.H5Pclose(p));
    put_text(w, w->file, "program", "sluice");
    put_text(w, w->file, "program_version", sl_version());
    put_text(w, w->file, "study", r->name);
    put_text(w, w->file, "friction", sl_surge_friction_word(r->study->def.friction));
    put_text(w, w->file, "cavitation", sl_surge_cavitation_word(r->study->def.cavitation));
}

/* ---- The parts ---------------------------------------------------------------------------------- */

static bool put_traces(h5 *w, const sl_surge_outcome *r, sl_arena *arena) {
    static const char *const units[SL_SURGE_UNIT_COUNT] = {"", "m", "m", "m3/s", "m3", "N m"};
    const sl_surge_traces *t = r->traces;
    size_t n = (size_t)t->list.n;
    const char **id = sl_arena_alloc(arena, n * sizeof *id), **quantity = sl_arena_alloc(arena, n * sizeof *quantity),
               **unit = sl_arena_alloc(arena, n * sizeof *unit);
    if (!id || !quantity || !unit) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        id[k] = t->list.at[k].id;
        quantity[k] = t->list.at[k].quantity;
        unit[k] = units[t->list.at[k].unit];
    }
    put(w, "time", t->time.n, 0, false, t->time.at, "s", "time since the start of the surge run");
    if (n > 0) {
        put(w, "trace_id", t->list.n, 0, true, id, "", "node, link or probe of a column");
        put(w, "trace_quantity", t->list.n, 0, true, quantity, "", "quantity of a column");
        put(w, "trace_unit", t->list.n, 0, true, unit, "", "unit of a column");
        put(w, "trace", t->time.n, t->list.n, false, t->x.at, "", "values (time, column)");
    }
    return true;
}

static bool put_points(h5 *w, const sl_surge_outcome *r, sl_arena *arena) {
    const sl_surge_view *v = &r->view;
    const struct {
        const char *name, *unit, *meaning;
        const double *x;
    } sets[] = {{"point_chainage", "m", "distance from the pipe's first node", v->chainage},
                {"point_elevation", "m", "elevation", v->elevation},
                {"point_head_start", "m", "head at the steady start", v->head_start},
                {"point_head_max", "m", "highest head", v->head_max},
                {"point_time_max", "s", "when it was first reached", v->time_max},
                {"point_head_min", "m", "lowest head", v->head_min},
                {"point_time_min", "s", "when it was first reached", v->time_min},
                {"point_vapour_head", "m", "head at which water turns to vapour", v->vapour_head},
                {"point_cavity_max", "m3", "largest cavity", v->cavity_max},
                {"point_cavity_first", "s", "when the first cavity opened", v->cavity_first},
                {"point_cavity_time", "s", "how long there was one", v->cavity_time},
                {"point_collapses", "", "how often one collapsed", v->cavity_count}};
    const char **pipe = sl_arena_alloc(arena, (size_t)v->n_point * sizeof *pipe);
    if (!pipe) {
        return false;
    }
    for (int32_t p = 0; p < r->net->n_pipe; p++) {
        for (int64_t i = v->point_start[p]; i < v->point_start[p + 1]; i++) {
            pipe[i] = sl_network_link_id(r->net, p);
        }
    }
    put(w, "point_pipe", v->n_point, 0, true, pipe, "", "pipe of a point");
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        if (sets[k].x) {
            put(w, sets[k].name, v->n_point, 0, false, sets[k].x, sets[k].unit, sets[k].meaning);
        }
    }
    return true;
}

static bool put_nodes(h5 *w, const sl_surge_outcome *r, sl_arena *arena) {
    int32_t n = r->net->n_node;
    const char **id = sl_arena_alloc(arena, (size_t)n * sizeof *id);
    if (!id) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        id[i] = sl_network_node_id(r->net, i);
    }
    put(w, "node", n, 0, true, id, "", "id of a node");
    put(w, "node_elevation", n, 0, false, r->net->node_elevation, "m", "elevation");
    put(w, "node_head_max", n, 0, false, r->head_max, "m", "highest head");
    put(w, "node_time_max", n, 0, false, r->time_max, "s", "when it was first reached");
    put(w, "node_head_min", n, 0, false, r->head_min, "m", "lowest head");
    put(w, "node_time_min", n, 0, false, r->time_min, "s", "when it was first reached");
    return true;
}

sl_status sl_surge_hdf5(const sl_surge_outcome *r, const char *path, sl_diags *diags) {
    h5 w = {0};
    sl_arena arena;
    sl_status status = sl_hdf5_load(&w.h, sl_hdf5_name, diags);
    if (status != SL_OK) {
        sl_hdf5_unload(&w.h);
        return status;
    }
    sl_arena_init(&arena, r->ctx);
    sl_hdf5_enter(&w.h);
    make_file(&w, r, path);
    bool fine = (!r->traces || put_traces(&w, r, &arena)) && put_points(&w, r, &arena) && put_nodes(&w, r, &arena);
    check(&w, w.h.H5Tclose(w.text));
    check(&w, w.h.H5Fclose(w.file));
    sl_hdf5_leave(&w.h);
    sl_hdf5_unload(&w.h);
    sl_arena_fini(&arena);
    if (fine && w.failed) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "the HDF5 file could not be written");
    }
    return !fine ? SL_ERR_MEMORY : w.failed ? SL_ERR_IO : SL_OK;
}

#else

sl_status sl_surge_hdf5(const sl_surge_outcome *r, const char *path, sl_diags *diags) {
    (void)r;
    (void)path;
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
              "install libhdf5-dev (Debian) and build again, or write .csv or .json",
              "this program was built without HDF5");
    return SL_ERR_UNSUPPORTED;
}
#endif
