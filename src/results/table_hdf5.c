/* SPDX-License-Identifier: MIT */
/* table_hdf5.c: results as an HDF5 file that is also a netCDF-4 file; docs/reference/results.md has its layout.
 *
 * Dimensions are dimension scales with the ids (and times) as their values, quantities are datasets (time, element) of
 * 4-byte floats, as in a .out file; units and meanings are attributes by the CF conventions. Frames are gathered until
 * they fill the datasets' chunks, which are so written whole and once. Nothing depends on the clock: the same run gives
 * the same bytes.
 *
 * A call on an id that could not be made fails like any other: only the first failure is looked for, at the end of
 * each step.
 */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "results/table.h"

#ifdef SLUICE_HDF5
#include "results/hdf5_api.h"

enum {
    CHUNK = 16384,      /* values: 64 kB, sixteen of which fit into the cache that readers have by default */
    MAX_PERIODS = 1024, /* of a chunk */
    GATHERED = 1 << 22, /* values kept until they are written, at most; or one period */
    TIME_CHUNK = 1024,
    DEFLATE_LEVEL = 4,
    NAME_SIZE = 64
};

typedef struct h5 {
    sl_context *ctx;
    sl_arena arena;
    const sl_table *table;
    sl_hdf5 h;
    bool compress, failed;
    char reason[SL_QUOTE_MAX]; /* it failed */
    hid_t file, text;          /* text: type of variable-length UTF-8 */
    hid_t time, scale[SL_TABLE_SIDES];
    hid_t set[SL_TABLE_SIDES][SL_TABLE_QUANTITIES];
    hsize_t n_period; /* written */
    int32_t block, n; /* periods that are written at once; that are gathered */
    double *at;       /* their times */
    float *value[SL_TABLE_SIDES][SL_TABLE_QUANTITIES];
} h5;

/* ---- Calls -------------------------------------------------------------------------------------- */

/* The innermost message; of one about the system, what the system says. */
static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *user) {
    if (n == 0 && error->desc) {
        static const char mark[] = "error message = '";
        const char *system = strstr(error->desc, mark);
        const char *text = system ? system + sizeof mark - 1 : error->desc;
        const char *quote = system ? strchr(text, '\'') : NULL;
        size_t k = quote ? (size_t)(quote - text) : strlen(text);
        k = k < SL_QUOTE_MAX - 1 ? k : SL_QUOTE_MAX - 1;
        memcpy(user, text, k);
        ((char *)user)[k] = '\0';
    }
    return 0;
}

/* The first failure: the next call forgets why. */
static void note(h5 *w, bool fine) {
    if (!fine && !w->failed) {
        w->failed = true;
        w->h.H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, w->reason);
    }
}

static hid_t id_of(h5 *w, hid_t id) {
    note(w, id >= 0);
    return id;
}

static void check(h5 *w, herr_t result) {
    note(w, result >= 0);
}

static sl_status judge(const h5 *w, sl_diags *diags) {
    if (!w->failed) {
        return SL_OK;
    }
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "the HDF5 file could not be written: %s",
              *w->reason ? w->reason : "unknown reason");
    return SL_ERR_IO;
}

/* ---- Attributes --------------------------------------------------------------------------------- */

static void put_attribute(h5 *w, hid_t of, const char *name, hid_t space, hid_t type, hid_t memory, const void *value) {
    hid_t id = id_of(w, w->h.H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    check(w, w->h.H5Awrite(id, memory, value));
    check(w, w->h.H5Aclose(id));
    check(w, w->h.H5Sclose(space));
}

static void put_text(h5 *w, hid_t of, const char *name, const char *text) {
    put_attribute(w, of, name, id_of(w, w->h.H5Screate(H5S_SCALAR)), w->text, w->text, &text);
}

static void put_number(h5 *w, hid_t of, const char *name, double x) {
    hid_t space = id_of(w, w->h.H5Screate(H5S_SCALAR));
    put_attribute(w, of, name, space, w->h.H5T_IEEE_F64LE_g, w->h.H5T_NATIVE_DOUBLE_g, &x);
}

static void put_flag(h5 *w, hid_t of, const char *name, bool x) {
    signed char c = x;
    hid_t space = id_of(w, w->h.H5Screate(H5S_SCALAR));
    put_attribute(w, of, name, space, w->h.H5T_STD_I8LE_g, w->h.H5T_NATIVE_SCHAR_g, &c);
}

static void put_unit(h5 *w, hid_t of, const char *unit, const char *meaning) {
    if (*unit) {
        put_text(w, of, "units", unit);
    }
    put_text(w, of, "long_name", meaning);
}

/* What the numbers of a code stand for, as CF has it. */
static void put_words(h5 *w, hid_t of, const sl_table_quantity *q) {
    signed char values[16];
    char meanings[256] = "";
    size_t at = 0;
    int32_t n = 0;
    for (; n < q->n_word && n < (int32_t)sizeof values; n++) {
        size_t k = strlen(q->words[n]);
        if (at + k + 2 > sizeof meanings) {
            break;
        }
        values[n] = (signed char)n;
        if (n > 0) {
            meanings[at++] = ' ';
        }
        memcpy(meanings + at, q->words[n], k + 1);
        at += k;
    }
    const hsize_t size = (hsize_t)n;
    hid_t space = id_of(w, w->h.H5Screate_simple(1, &size, NULL));
    put_attribute(w, of, "flag_values", space, w->h.H5T_STD_I8LE_g, w->h.H5T_NATIVE_SCHAR_g, values);
    put_text(w, of, "flag_meanings", meanings);
}

static void put_about(h5 *w, const sl_table *t) {
    put_text(w, w->file, "Conventions", "CF-1.8");
    put_text(w, w->file, "title", t->title);
    put_text(w, w->file, "model", t->model);
    put_text(w, w->file, "program", "sluice");
    put_text(w, w->file, "program_version", sl_version());
    put_text(w, w->file, "flow_unit", t->flow_unit);
    put_text(w, w->file, "pressure_unit", t->pressure_unit);
    put_text(w, w->file, "statistic", t->statistic);
    put_number(w, w->file, "report_start_s", t->report_start);
    put_number(w, w->file, "report_step_s", t->report_step);
    put_number(w, w->file, "duration_s", t->duration);
}

/* ---- Datasets ----------------------------------------------------------------------------------- */

static const char *join(char to[NAME_SIZE], const char *a, const char *b) {
    size_t n = strlen(a), k = strlen(b);
    memcpy(to, a, n + 1);
    to[n] = '_';
    memcpy(to + n + 1, b, k + 1);
    return to;
}

/* Properties that all datasets share. */
static hid_t properties(h5 *w) {
    hid_t p = id_of(w, w->h.H5Pcreate(w->h.H5P_CLS_DATASET_CREATE_ID_g));
    check(w, w->h.H5Pset_attr_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    check(w, w->h.H5Pset_obj_track_times(p, false));
    return p;
}

/* One value per element, whole. */
static hid_t put_column(h5 *w, const char *name, int32_t n, hid_t type, hid_t memory, const void *value) {
    const hsize_t size = (hsize_t)n;
    hid_t space = id_of(w, w->h.H5Screate_simple(1, &size, NULL)), p = properties(w);
    hid_t set = id_of(w, w->h.H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT));
    check(w, w->h.H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
    check(w, w->h.H5Pclose(p));
    check(w, w->h.H5Sclose(space));
    return set;
}

static hid_t put_ids(h5 *w, const char *name, const char *const *id, int32_t n, const char *meaning) {
    hid_t set = put_column(w, name, n, w->text, w->text, id);
    check(w, w->h.H5DSset_scale(set, name));
    put_text(w, set, "long_name", meaning);
    return set;
}

static void put_fact(h5 *w, const sl_table_fact *fact, const sl_table_elements *e, hid_t scale) {
    char name[NAME_SIZE];
    hid_t type = fact->text ? w->text : fact->real ? w->h.H5T_IEEE_F32LE_g : w->h.H5T_IEEE_F64LE_g;
    hid_t memory = fact->text ? w->text : fact->real ? w->h.H5T_NATIVE_FLOAT_g : w->h.H5T_NATIVE_DOUBLE_g;
    const void *value = fact->text ? (const void *)fact->text : fact->real ? (const void *)fact->real : fact->place;
    hid_t set = put_column(w, join(name, e->name, fact->name), e->n, type, memory, value);
    check(w, w->h.H5DSattach_scale(set, scale, 0));
    put_unit(w, set, fact->unit, fact->meaning);
    check(w, w->h.H5Dclose(set));
}

/* A dataset that grows with time: rank 1 is the times, rank 2 a quantity. */
static hid_t make_series(h5 *w, const char *name, hid_t type, int rank, hsize_t n, hsize_t rows, hsize_t columns) {
    const hsize_t size[2] = {0, n}, limit[2] = {H5S_UNLIMITED, n}, chunk[2] = {rows, columns};
    hid_t space = id_of(w, w->h.H5Screate_simple(rank, size, limit)), p = properties(w);
    check(w, w->h.H5Pset_chunk(p, rank, chunk));
    if (w->compress) {
        check(w, w->h.H5Pset_shuffle(p));
        check(w, w->h.H5Pset_deflate(p, DEFLATE_LEVEL));
    }
    hid_t set = id_of(w, w->h.H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT));
    check(w, w->h.H5Pclose(p));
    check(w, w->h.H5Sclose(space));
    return set;
}

static void make_quantity(h5 *w, int side, int32_t k) {
    const sl_table_elements *e = &w->table->side[side];
    const sl_table_quantity *q = &e->quantity[k];
    char name[NAME_SIZE];
    int32_t columns = CHUNK / w->block < e->n ? CHUNK / w->block : e->n;
    hid_t type = q->words ? w->h.H5T_STD_I8LE_g : w->h.H5T_IEEE_F32LE_g;
    hid_t set =
        make_series(w, join(name, e->name, q->name), type, 2, (hsize_t)e->n, (hsize_t)w->block, (hsize_t)columns);
    check(w, w->h.H5DSattach_scale(set, w->time, 0));
    check(w, w->h.H5DSattach_scale(set, w->scale[side], 1));
    put_unit(w, set, q->unit, q->meaning);
    if (q->words) {
        put_words(w, set, q);
    }
    w->set[side][k] = set;
}

static void make_side(h5 *w, int side) {
    const sl_table_elements *e = &w->table->side[side];
    if (e->n == 0) {
        return;
    }
    char name[NAME_SIZE];
    w->scale[side] = put_ids(w, e->name, e->id, e->n, side == SL_TABLE_NODES ? "id of a node" : "id of a link");
    hid_t kind = put_column(w, join(name, e->name, "kind"), e->n, w->text, w->text, e->kind);
    check(w, w->h.H5DSattach_scale(kind, w->scale[side], 0));
    put_text(w, kind, "long_name", "what it is");
    check(w, w->h.H5Dclose(kind));
    for (int32_t i = 0; i < e->n_fact; i++) {
        put_fact(w, &e->fact[i], e, w->scale[side]);
    }
    for (int32_t q = 0; q < e->n_quantity; q++) {
        make_quantity(w, side, q);
    }
}

static void make_file(h5 *w, const char *path) {
    w->text = id_of(w, w->h.H5Tcopy(w->h.H5T_C_S1_g));
    check(w, w->h.H5Tset_size(w->text, H5T_VARIABLE));
    check(w, w->h.H5Tset_cset(w->text, H5T_CSET_UTF8));
    hid_t p = id_of(w, w->h.H5Pcreate(w->h.H5P_CLS_FILE_CREATE_ID_g));
    check(w, w->h.H5Pset_link_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    check(w, w->h.H5Pset_attr_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    check(w, w->h.H5Pset_obj_track_times(p, false));
    w->file = id_of(w, w->h.H5Fcreate(path, SL_HDF5_ACC_TRUNC, p, H5P_DEFAULT));
    check(w, w->h.H5Pclose(p));
    put_about(w, w->table);
    w->time = make_series(w, "time", w->h.H5T_IEEE_F64LE_g, 1, 0, TIME_CHUNK, 0);
    check(w, w->h.H5DSset_scale(w->time, "time"));
    put_unit(w, w->time, "s", "time since the start of the simulation");
    make_side(w, SL_TABLE_NODES);
    make_side(w, SL_TABLE_LINKS);
}

/* ---- Frames ------------------------------------------------------------------------------------- */

static void append(h5 *w, hid_t set, int rank, hsize_t n, hid_t memory, const void *value) {
    const hsize_t size[2] = {w->n_period + (hsize_t)w->n, n}, from[2] = {w->n_period, 0}, count[2] = {(hsize_t)w->n, n};
    check(w, w->h.H5Dset_extent(set, size));
    hid_t file = id_of(w, w->h.H5Dget_space(set)), here = id_of(w, w->h.H5Screate_simple(rank, count, NULL));
    check(w, w->h.H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL));
    check(w, w->h.H5Dwrite(set, memory, here, file, H5P_DEFAULT, value));
    check(w, w->h.H5Sclose(here));
    check(w, w->h.H5Sclose(file));
}

static void write_block(h5 *w) {
    if (w->n == 0) {
        return;
    }
    append(w, w->time, 1, 0, w->h.H5T_NATIVE_DOUBLE_g, w->at);
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &w->table->side[side];
        for (int32_t q = 0; q < e->n_quantity && e->n > 0; q++) {
            append(w, w->set[side][q], 2, (hsize_t)e->n, w->h.H5T_NATIVE_FLOAT_g, w->value[side][q]);
        }
    }
    w->n_period += (hsize_t)w->n;
    w->n = 0;
}

/* A byte holds a code, and -1 for what is none. */
static void clean_codes(float *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        x[i] = x[i] >= 0.0f && x[i] <= 127.0f ? x[i] : -1.0f;
    }
}

static sl_status frame(void *writer, const sl_table_frame *frame, sl_diags *diags) {
    h5 *w = writer;
    w->at[w->n] = frame->time;
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &w->table->side[side];
        for (int32_t q = 0; q < e->n_quantity && e->n > 0; q++) {
            float *to = w->value[side][q] + (size_t)w->n * (size_t)e->n;
            memcpy(to, frame->value[side][q], (size_t)e->n * sizeof *to);
            if (e->quantity[q].words) {
                clean_codes(to, e->n);
            }
        }
    }
    if (++w->n < w->block) {
        return SL_OK;
    }
    sl_hdf5_enter(&w->h);
    write_block(w);
    sl_status status = judge(w, diags);
    sl_hdf5_leave(&w->h);
    return status;
}

/* ---- End ---------------------------------------------------------------------------------------- */

/* False: out of memory. */
static bool put_pumps(h5 *w, const sl_table_end *end) {
    const char **id = sl_arena_alloc(&w->arena, (size_t)end->n_pump * sizeof *id);
    float *x = sl_arena_alloc(&w->arena, (size_t)end->n_pump * sizeof *x);
    if (!id || !x) {
        return false;
    }
    for (int32_t i = 0; i < end->n_pump; i++) {
        id[i] = end->pump[i].id;
    }
    hid_t scale = put_ids(w, "pump", id, end->n_pump, "id of a pump");
    for (int k = 0; k < SL_TABLE_ENERGIES; k++) {
        const sl_table_fact *fact = &w->table->energy[k];
        char name[NAME_SIZE];
        for (int32_t i = 0; i < end->n_pump; i++) {
            x[i] = end->pump[i].energy[k];
        }
        hid_t set = put_column(w, join(name, "pump", fact->name), end->n_pump, w->h.H5T_IEEE_F32LE_g,
                               w->h.H5T_NATIVE_FLOAT_g, x);
        check(w, w->h.H5DSattach_scale(set, scale, 0));
        put_unit(w, set, fact->unit, fact->meaning);
        check(w, w->h.H5Dclose(set));
    }
    check(w, w->h.H5Dclose(scale));
    return true;
}

static void close_all(h5 *w) {
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        for (int32_t q = 0; q < SL_TABLE_QUANTITIES; q++) {
            if (w->set[side][q] > 0) {
                check(w, w->h.H5Dclose(w->set[side][q]));
            }
            w->set[side][q] = 0;
        }
        if (w->scale[side] > 0) {
            check(w, w->h.H5Dclose(w->scale[side]));
        }
        w->scale[side] = 0;
    }
    if (w->time > 0) {
        check(w, w->h.H5Dclose(w->time));
    }
    if (w->text > 0) {
        check(w, w->h.H5Tclose(w->text));
    }
    if (w->file > 0) {
        check(w, w->h.H5Fclose(w->file));
    }
    w->time = w->text = w->file = 0;
}

static sl_status end(void *writer, const sl_table_end *end, sl_diags *diags) {
    h5 *w = writer;
    sl_hdf5_enter(&w->h);
    write_block(w);
    bool fine = end->n_pump == 0 || put_pumps(w, end);
    put_flag(w, w->file, "complete", end->complete);
    put_text(w, w->file, "warning", end->warning_text);
    put_number(w, w->file, "demand_charge", (double)end->demand_charge);
    close_all(w); /* before judging: a full disk may show only now */
    sl_status status = judge(w, diags);
    sl_hdf5_leave(&w->h);
    return fine ? status : SL_ERR_MEMORY;
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *writer) {
    h5 *w = writer;
    if (w->h.library) {
        sl_hdf5_enter(&w->h);
        close_all(w);
        sl_hdf5_leave(&w->h);
        sl_hdf5_unload(&w->h);
    }
    sl_arena_fini(&w->arena);
    sl_free(w->ctx, w, sizeof *w);
}

/* Room for the periods that are written at once. False: out of memory. */
static bool alloc_buffers(h5 *w) {
    int64_t n = 0;
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        n += (int64_t)w->table->side[side].n * w->table->side[side].n_quantity;
    }
    int64_t block = n > 0 ? GATHERED / n : MAX_PERIODS;
    block = block < MAX_PERIODS ? block : MAX_PERIODS;
    block = block < w->table->n_period ? block : w->table->n_period;
    w->block = block > 1 ? (int32_t)block : 1;
    w->at = sl_arena_alloc(&w->arena, (size_t)w->block * sizeof *w->at);
    bool fine = w->at != NULL;
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &w->table->side[side];
        for (int32_t q = 0; q < e->n_quantity && fine; q++) {
            w->value[side][q] = sl_arena_alloc(&w->arena, (size_t)w->block * (size_t)e->n * sizeof(float));
            fine = w->value[side][q] != NULL;
        }
    }
    return fine;
}

static sl_status create(sl_context *ctx, const sl_table *table, const sl_table_target *target, sl_diags *diags,
                        void **out) {
    h5 *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->table = table;
    w->compress = target->compress;
    sl_arena_init(&w->arena, ctx);
    sl_status status = alloc_buffers(w) ? sl_hdf5_load(&w->h, sl_hdf5_name, diags) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_hdf5_enter(&w->h);
        make_file(w, target->path);
        status = judge(w, diags);
        sl_hdf5_leave(&w->h);
    }
    if (status != SL_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return SL_OK;
}

static sl_status ready(sl_diags *diags) {
    sl_hdf5 h;
    sl_status status = sl_hdf5_load(&h, sl_hdf5_name, diags);
    sl_hdf5_unload(&h);
    return status;
}

#else /* built without libhdf5 */

static sl_status ready(sl_diags *diags) {
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
              "install libhdf5-dev (Debian) and build again, or write .csv or .json",
              "this program was built without HDF5");
    return SL_ERR_UNSUPPORTED;
}

static sl_status create(sl_context *ctx, const sl_table *table, const sl_table_target *target, sl_diags *diags,
                        void **out) {
    (void)ctx;
    (void)table;
    (void)target;
    (void)out;
    return ready(diags);
}

static sl_status frame(void *writer, const sl_table_frame *frame, sl_diags *diags) {
    (void)writer;
    (void)frame;
    (void)diags;
    return SL_ERR_UNSUPPORTED;
}

static sl_status end(void *writer, const sl_table_end *end, sl_diags *diags) {
    (void)writer;
    (void)end;
    (void)diags;
    return SL_ERR_UNSUPPORTED;
}

static void destroy(void *writer) {
    (void)writer;
}
#endif

const sl_table_format sl_table_hdf5 = {.ending = "h5",
                                       .needs_path = true,
                                       .ready = ready,
                                       .create = create,
                                       .frame = frame,
                                       .end = end,
                                       .destroy = destroy};
