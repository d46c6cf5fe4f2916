/* SPDX-License-Identifier: MIT */
/* hdf5_write.c: results into an HDF5 file that is also a netCDF-4 file; docs/reference/results.md has its layout.
 *
 * Dimensions are dimension scales with the ids (and times) as their values, quantities are datasets (time, element) of 8-byte
 * floats, codes of bytes; units and meanings are attributes by the CF conventions. Frames are gathered in the form of the datasets'
 * chunks, which are so written whole, once, and without libhdf5 taking them apart. Datasets that grow are made when their first
 * chunk is full, or at the end: then a chunk is as long as there are frames. Nothing depends on the clock: the same run gives the
 * same bytes.
 */
#include <string.h>

#include "base/foreign_memory.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "results/format.h"

#ifdef SLUICE_HDF5
#include "results/hdf5_events.h"
#include "results/hdf5_file.h"

enum {
    CHUNK = 8192,         /* values: 64 kB, sixteen of which fit into the cache that readers have by default */
    MAX_FRAMES = 1024,    /* of a chunk */
    GATHERED = 1 << 20,   /* values kept until they are written, at most; or one frame */
    IMAGE_STEP = 4 << 20, /* bytes by which a file in memory grows */
    NO_CODE = -1
};

/* A quantity on its way: chunks side by side, each [block][columns]. */
typedef struct gathering {
    const sl_results_column *column;
    int32_t group, n, columns, n_chunk;
    size_t size; /* of a value in the file: 8, or 1 of a code */
    char *at;
    hid_t set;
} gathering;

typedef struct writer {
    sl_hdf5_file f;
    sl_context *ctx;
    sl_arena arena;
    const sl_results_layout *layout;
    sl_sink sink;          /* write NULL: the file has a path */
    const char *path;      /* NULL: the sink takes it */
    sl_hdf5_ranges ranges; /* of values in the file */
    bool compress;
    sl_ids *names; /* of datasets, each once */

    hid_t time, execution, *scale; /* [n_group] */
    hsize_t n_frame;               /* written */
    int32_t block, n;              /* frames that are written at once; that are gathered */
    double *at;                    /* their times */
    int32_t *execution_at;
    int32_t n_quantity;
    gathering *quantity;

    sl_hdf5_events events;
} writer;

static sl_status judge(const writer *w, sl_diags *diags) {
    if (w->f.is_lost || sl_foreign_memory_failed()) {
        return SL_ERR_MEMORY;
    }
    if (!w->f.failed) {
        return SL_OK;
    }
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "the HDF5 file could not be written: %s",
              *w->f.reason ? w->f.reason : "unknown reason");
    return SL_ERR_IO;
}

/* ---- Names -------------------------------------------------------------------------------------- */

/* A name that no dataset has: parts with '_' between them (second NULL: one part), '/' made '_', a number where it is taken.
 * NULL: out of memory. */
static const char *take_name(writer *w, const char *first, const char *second) {
    char *base = sl_arena_format(&w->arena, second ? "%s_%s" : "%s", first, second), *name = base;
    for (char *c = base; c && *c; c++) {
        *c = (char)(*c == '/' ? '_' : *c);
    }
    if (base && (!*base || strcmp(base, ".") == 0)) {
        name = base = "_";
    }
    int32_t k = name ? sl_ids_add(w->names, sl_str_z(name)) : INT32_MIN;
    for (int i = 2; k < 0 && k != INT32_MIN; i++) {
        name = sl_arena_format(&w->arena, "%s_%d", base, i);
        k = name ? sl_ids_add(w->names, sl_str_z(name)) : INT32_MIN;
    }
    return k >= 0 ? name : NULL;
}

/* ---- What does not change ----------------------------------------------------------------------- */

static void put_about(writer *w) {
    const sl_results_layout *l = w->layout;
    sl_hdf5_put_text(&w->f, w->f.file, "Conventions", "CF-1.8");
    sl_hdf5_put_text(&w->f, w->f.file, SL_HDF5_FORMAT, SL_HDF5_FORMAT_NAME);
    sl_hdf5_put_text(&w->f, w->f.file, "title", l->title);
    sl_hdf5_put_text(&w->f, w->f.file, "model", l->model);
    sl_hdf5_put_text(&w->f, w->f.file, "engine", l->engine);
    sl_hdf5_put_text(&w->f, w->f.file, "program", "sluice");
    sl_hdf5_put_text(&w->f, w->f.file, "program_version", sl_version());
}

/* A fact, or a column of a table, whose scale is there. */
static bool put_values(writer *w, const char *role, const char *of, const sl_results_column *c, int32_t n,
                       hid_t scale) {
    const char *name = take_name(w, of, c->name);
    if (!name) {
        return false;
    }
    hid_t type = c->text ? w->f.text : w->f.h.H5T_IEEE_F64LE_g,
          memory = c->text ? w->f.text : w->f.h.H5T_NATIVE_DOUBLE_g;
    const void *value = c->text ? (const void *)c->text : (const void *)c->real;
    hid_t set = sl_hdf5_put_column(&w->f, name, (hsize_t)n, type, memory, value);
    sl_hdf5_check(&w->f, w->f.h.H5DSattach_scale(set, scale, 0));
    sl_hdf5_put_unit(&w->f, set, c->unit, c->meaning);
    sl_hdf5_put_role(&w->f, set, role, of, c->name);
    bool fine = !c->words || sl_hdf5_put_words(&w->f, &w->arena, set, c->words, c->n_word);
    sl_hdf5_check(&w->f, w->f.h.H5Dclose(set));
    return fine;
}

static bool put_group(writer *w, int32_t g) {
    const sl_results_group *group = &w->layout->groups[g];
    const char *name = take_name(w, group->name, NULL);
    if (!name) {
        return false;
    }
    hid_t scale = sl_hdf5_put_column(&w->f, name, (hsize_t)group->n, w->f.text, w->f.text, group->ids);
    w->scale[g] = scale;
    sl_hdf5_check(&w->f, w->f.h.H5DSset_scale(scale, name));
    sl_hdf5_put_unit(&w->f, scale, "", group->meaning);
    sl_hdf5_put_role(&w->f, scale, group->along ? "profile" : "group", NULL, group->name);
    if (group->among) {
        sl_hdf5_put_text(&w->f, scale, "sluice_among", group->among);
    }
    if (group->along) {
        sl_hdf5_put_text(&w->f, scale, "sluice_along", group->along);
    }
    bool fine = true;
    for (int32_t i = 0; i < group->n_fact && fine; i++) {
        fine = put_values(w, "fact", group->name, &group->facts[i], group->n, scale);
    }
    return fine;
}

/* False: out of memory. */
static bool make_file(writer *w, const char *path) {
    sl_hdf5 *h = &w->f.h;
    char memory_name[32]; /* of a file that is nowhere; no two may have the same */
    sl_format(memory_name, sizeof memory_name, "%p", (void *)w);
    hid_t p = sl_hdf5_id(&w->f, h->H5Pcreate(h->H5P_CLS_FILE_CREATE_ID_g));
    sl_hdf5_check(&w->f, h->H5Pset_link_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    sl_hdf5_check(&w->f, h->H5Pset_attr_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    sl_hdf5_check(&w->f, h->H5Pset_obj_track_times(p, false));
    hid_t access = sl_hdf5_id(&w->f, h->H5Pcreate(h->H5P_CLS_FILE_ACCESS_ID_g));
    if (!path) {
        sl_hdf5_check(&w->f, h->H5Pset_fapl_core(access, IMAGE_STEP, false));
    }
    w->f.file = sl_hdf5_id(&w->f, h->H5Fcreate(path ? path : memory_name, SL_HDF5_ACC_TRUNC, p, access));
    sl_hdf5_check(&w->f, h->H5Pclose(access));
    sl_hdf5_check(&w->f, h->H5Pclose(p));
    if (w->f.failed) {
        return true;
    }
    put_about(w);
    bool fine = sl_hdf5_put_attributes(&w->f, &w->arena, w->layout->attributes, w->layout->n_attribute,
                                       SL_HDF5_ATTRIBUTES, SL_HDF5_OTHER);
    fine = fine && take_name(w, "time", NULL) && take_name(w, "execution", NULL) && take_name(w, "event", NULL);
    for (int i = 0; i < SL_EVENT_FIELDS && fine; i++) {
        fine = take_name(w, "event", sl_hdf5_event_field(i)->name);
    }
    for (int32_t g = 0; g < w->layout->n_group && fine; g++) {
        fine = put_group(w, g);
    }
    return fine;
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* The datasets that grow with time, whose first block is there. */
static bool make_series(writer *w) {
    const hsize_t rows = w->n > 0 ? (hsize_t)w->n : 1, chunk[2] = {rows, 0};
    const char *unit = w->layout->time_unit;
    w->time = sl_hdf5_put_series(&w->f, "time", w->f.h.H5T_IEEE_F64LE_g, 1, 0, chunk, false);
    sl_hdf5_check(&w->f, w->f.h.H5DSset_scale(w->time, "time"));
    sl_hdf5_put_unit(&w->f, w->time, unit, "time since the start of the simulation");
    sl_hdf5_put_role(&w->f, w->time, "time", NULL, "time");
    if (w->layout->several) {
        w->execution = sl_hdf5_put_series(&w->f, "execution", w->f.h.H5T_STD_I32LE_g, 1, 0, chunk, false);
        sl_hdf5_check(&w->f, w->f.h.H5DSattach_scale(w->execution, w->time, 0));
        sl_hdf5_put_unit(&w->f, w->execution, "", "number of the execution, from 1");
        sl_hdf5_put_role(&w->f, w->execution, "execution", NULL, "execution");
    }
    for (int32_t i = 0; i < w->n_quantity; i++) {
        gathering *q = &w->quantity[i];
        const sl_results_group *group = &w->layout->groups[q->group];
        const hsize_t part[2] = {rows, (hsize_t)q->columns};
        const char *name = take_name(w, group->name, q->column->name);
        if (!name) {
            return false;
        }
        hid_t type = q->size == 1 ? w->f.h.H5T_STD_I8LE_g : w->f.h.H5T_IEEE_F64LE_g;
        q->set = sl_hdf5_put_series(&w->f, name, type, 2, (hsize_t)q->n, part, w->compress);
        sl_hdf5_check(&w->f, w->f.h.H5DSattach_scale(q->set, w->time, 0));
        sl_hdf5_check(&w->f, w->f.h.H5DSattach_scale(q->set, w->scale[q->group], 1));
        sl_hdf5_put_unit(&w->f, q->set, q->column->unit, q->column->meaning);
        sl_hdf5_put_role(&w->f, q->set, "quantity", group->name, q->column->name);
        if (q->column->words && !sl_hdf5_put_words(&w->f, &w->arena, q->set, q->column->words, q->column->n_word)) {
            return false;
        }
    }
    return true;
}

/* Through libhdf5, which compresses or turns bytes around. */
static void write_part(writer *w, const gathering *q, const hsize_t from[2], const void *value) {
    const hsize_t here[2] = {(hsize_t)w->n, (hsize_t)q->columns}, left = (hsize_t)q->n - from[1], zero[2] = {0, 0};
    const hsize_t count[2] = {(hsize_t)w->n, left < here[1] ? left : here[1]};
    hid_t file = sl_hdf5_id(&w->f, w->f.h.H5Dget_space(q->set));
    hid_t memory = sl_hdf5_id(&w->f, w->f.h.H5Screate_simple(2, here, NULL));
    hid_t type = q->size == 1 ? w->f.h.H5T_NATIVE_SCHAR_g : w->f.h.H5T_NATIVE_DOUBLE_g;
    sl_hdf5_check(&w->f, w->f.h.H5Sselect_hyperslab(memory, H5S_SELECT_SET, zero, NULL, count, NULL));
    sl_hdf5_check(&w->f, w->f.h.H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL));
    sl_hdf5_check(&w->f, w->f.h.H5Dwrite(q->set, type, memory, file, H5P_DEFAULT, value));
    sl_hdf5_check(&w->f, w->f.h.H5Sclose(memory));
    sl_hdf5_check(&w->f, w->f.h.H5Sclose(file));
}

static void write_quantity(writer *w, gathering *q, hsize_t rows) {
    const hsize_t size[2] = {w->n_frame + (hsize_t)w->n, (hsize_t)q->n};
    const size_t row = (size_t)q->columns * q->size, bytes = (size_t)w->block * row;
    sl_hdf5_check(&w->f, w->f.h.H5Dset_extent(q->set, size));
    for (int32_t k = 0; k < q->n_chunk; k++) {
        char *chunk = q->at + (size_t)k * bytes;
        const hsize_t from[2] = {w->n_frame, (hsize_t)k * (hsize_t)q->columns};
        if (w->compress || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
            write_part(w, q, from, chunk);
        } else {
            memset(chunk + (size_t)w->n * row, 0, ((size_t)rows - (size_t)w->n) * row);
            sl_hdf5_check(&w->f, w->f.h.H5Dwrite_chunk(q->set, H5P_DEFAULT, 0, from, (size_t)rows * row, chunk));
        }
    }
}

/* False: out of memory. */
static bool write_block(writer *w) {
    if (w->time == 0 && !make_series(w)) {
        return false;
    }
    hsize_t rows = w->n_frame == 0 ? (hsize_t)w->n : (hsize_t)w->block; /* of a chunk */
    if (w->n > 0) {
        sl_hdf5_append(&w->f, w->time, w->n_frame, (hsize_t)w->n, w->f.h.H5T_NATIVE_DOUBLE_g, w->at);
        if (w->execution > 0) {
            sl_hdf5_append(&w->f, w->execution, w->n_frame, (hsize_t)w->n, w->f.h.H5T_NATIVE_INT_g, w->execution_at);
        }
        for (int32_t i = 0; i < w->n_quantity; i++) {
            write_quantity(w, &w->quantity[i], rows);
        }
    }
    w->n_frame += (hsize_t)w->n;
    w->n = 0;
    return true;
}

static void gather_codes(signed char *to, const double *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        to[i] = (signed char)(x[i] >= 0.0 && x[i] <= 127.0 ? x[i] : NO_CODE);
    }
}

static void gather(const writer *w, gathering *q, const double *x) {
    const size_t row = (size_t)q->columns * q->size, bytes = (size_t)w->block * row;
    for (int32_t k = 0; k < q->n_chunk; k++) {
        char *to = q->at + (size_t)k * bytes + (size_t)w->n * row;
        int32_t first = k * q->columns, n = q->n - first < q->columns ? q->n - first : q->columns;
        if (q->size == 1) {
            gather_codes((signed char *)to, x + first, n);
        } else {
            memcpy(to, x + first, (size_t)n * sizeof *x);
        }
    }
}

static sl_status frame(void *self, const sl_results_frame *frame, sl_diags *diags) {
    writer *w = self;
    w->at[w->n] = frame->time;
    w->execution_at[w->n] = frame->execution;
    for (int32_t i = 0; i < w->n_quantity; i++) {
        gather(w, &w->quantity[i], frame->values[i]);
    }
    if (++w->n < w->block) {
        return SL_OK;
    }
    sl_hdf5_enter(&w->f.h);
    bool fine = write_block(w);
    sl_status status = judge(w, diags);
    sl_hdf5_leave(&w->f.h);
    return fine ? status : SL_ERR_MEMORY;
}

static sl_status event(void *self, const sl_event_info *event, sl_diags *diags) {
    writer *w = self;
    if (!sl_hdf5_events_add(&w->events, &w->arena, event)) {
        return SL_ERR_MEMORY;
    }
    if (w->events.n < SL_HDF5_EVENTS) {
        return SL_OK;
    }
    sl_hdf5_enter(&w->f.h);
    sl_hdf5_events_write(&w->events, &w->f, w->layout);
    sl_status status = judge(w, diags);
    sl_hdf5_leave(&w->f.h);
    return status;
}

/* ---- End ---------------------------------------------------------------------------------------- */

/* Rows are named by the texts of a column "id", else numbered from 1. */
static bool put_table(writer *w, const sl_results_table *t) {
    const char *name = take_name(w, t->name, NULL);
    const sl_results_column *id = sl_results_find_column(t->columns, t->n_column, "id");
    const char *const *ids = id ? id->text : NULL;
    int32_t *numbers = sl_arena_alloc(&w->arena, (size_t)t->n * sizeof *numbers);
    bool fine = name && numbers;
    for (int32_t i = 0; i < t->n && fine; i++) {
        numbers[i] = i + 1;
    }
    if (!fine) {
        return false;
    }
    hid_t scale =
        ids ? sl_hdf5_put_column(&w->f, name, (hsize_t)t->n, w->f.text, w->f.text, ids)
            : sl_hdf5_put_column(&w->f, name, (hsize_t)t->n, w->f.h.H5T_STD_I32LE_g, w->f.h.H5T_NATIVE_INT_g, numbers);
    sl_hdf5_check(&w->f, w->f.h.H5DSset_scale(scale, name));
    sl_hdf5_put_unit(&w->f, scale, "", t->meaning);
    sl_hdf5_put_role(&w->f, scale, "table", NULL, t->name);
    for (int32_t i = 0; i < t->n_column && fine; i++) {
        fine = put_values(w, "column", t->name, &t->columns[i], t->n, scale);
    }
    sl_hdf5_check(&w->f, w->f.h.H5Dclose(scale));
    return fine;
}

static void close_sets(writer *w) {
    for (int32_t i = 0; w->quantity && i < w->n_quantity; i++) {
        sl_hdf5_close_set(&w->f, &w->quantity[i].set);
    }
    for (int32_t g = 0; w->scale && g < w->layout->n_group; g++) {
        sl_hdf5_close_set(&w->f, &w->scale[g]);
    }
    sl_hdf5_close_set(&w->f, &w->time);
    sl_hdf5_close_set(&w->f, &w->execution);
    sl_hdf5_events_close(&w->events, &w->f);
}

/* Where the chunks of values are, which the seal leaves out. False: out of memory. */
static bool list_chunks(writer *w) {
    bool fine = true;
    for (int32_t i = 0; i < w->n_quantity && !w->f.failed; i++) {
        const gathering *q = &w->quantity[i];
        for (hsize_t f = 0; f < w->n_frame && fine; f += (hsize_t)w->block) {
            for (int32_t k = 0; k < q->n_chunk && fine; k++) {
                const hsize_t at[2] = {f, (hsize_t)k * (hsize_t)q->columns};
                unsigned filters = 0;
                haddr_t from = 0;
                hsize_t n = 0;
                sl_hdf5_check(&w->f, w->f.h.H5Dget_chunk_info_by_coord(q->set, at, &filters, &from, &n));
                const sl_hdf5_range range = {from, n};
                fine = SL_PUSH(w->ctx, &w->ranges, range);
            }
        }
    }
    sl_hdf5_ranges_join(&w->ranges);
    return fine;
}

/* The file in memory, as bytes. */
static sl_status take_image(writer *w, char **image, size_t *size) {
    ssize_t n = w->f.h.H5Fget_file_image(w->f.file, NULL, 0);
    sl_hdf5_check(&w->f, n > 0 ? 0 : -1);
    if (w->f.failed) {
        return SL_OK; /* judged later */
    }
    *size = (size_t)n;
    *image = sl_alloc(w->ctx, *size);
    if (*image) {
        sl_hdf5_check(&w->f, w->f.h.H5Fget_file_image(w->f.file, *image, *size) == n ? 0 : -1);
    }
    return *image ? SL_OK : SL_ERR_MEMORY;
}

static sl_status read_image(void *user, uint64_t offset, void *bytes, size_t n) {
    memcpy(bytes, (const char *)user + offset, n);
    return SL_OK;
}

/* Image and seal into the sink. */
static sl_status send_image(writer *w, char *image, size_t size) {
    const sl_source_bytes bytes = {.user = image, .size = size, .read = read_image};
    char *seal = NULL;
    size_t n = 0;
    sl_status status = sl_hdf5_seal_make(w->ctx, &bytes, &w->ranges, &seal, &n);
    status = status == SL_OK ? w->sink.write(w->sink.user, image, size) : status;
    status = status == SL_OK ? w->sink.write(w->sink.user, seal, n) : status;
    sl_free(w->ctx, seal, n);
    return status;
}

/* What is known at the end. False: out of memory. */
static bool put_end(writer *w, const sl_results_end *end) {
    bool fine = write_block(w);
    sl_hdf5_events_write(&w->events, &w->f, w->layout);
    for (int32_t i = 0; i < end->n_table && fine; i++) {
        fine = put_table(w, &end->tables[i]);
    }
    sl_hdf5_put_flag(&w->f, w->f.file, "complete", end->complete);
    fine = fine && sl_hdf5_put_attributes(&w->f, &w->arena, end->attributes, end->n_attribute, SL_HDF5_END_ATTRIBUTES,
                                          SL_HDF5_OTHER_END);
    sl_hdf5_check(&w->f, w->f.h.H5Fflush(w->f.file, H5F_SCOPE_GLOBAL));
    return fine && list_chunks(w);
}

static sl_status end(void *self, const sl_results_end *end, sl_diags *diags) {
    writer *w = self;
    char *image = NULL;
    size_t size = 0;
    sl_hdf5_enter(&w->f.h);
    sl_status status = put_end(w, end) ? SL_OK : SL_ERR_MEMORY;
    close_sets(w);
    status = status == SL_OK && !w->path ? take_image(w, &image, &size) : status;
    sl_hdf5_file_close(&w->f); /* before judging: a full disk may show only now */
    if (status == SL_OK && w->path && !w->f.failed) {
        status = sl_hdf5_put_seal(&w->f, w->ctx, w->path, &w->ranges);
    }
    status = status == SL_OK || status == SL_ERR_IO ? judge(w, diags) : status;
    sl_hdf5_leave(&w->f.h);
    status = image && status == SL_OK ? send_image(w, image, size) : status;
    sl_free(w->ctx, image, size);
    return status;
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *self) {
    writer *w = self;
    if (w->f.h.library) {
        sl_hdf5_enter(&w->f.h);
        close_sets(w);
        sl_hdf5_file_close(&w->f);
        sl_hdf5_leave(&w->f.h);
        sl_hdf5_unload(&w->f.h);
    }
    SL_ARRAY_FINI(w->ctx, &w->ranges);
    sl_ids_destroy(w->names);
    sl_hdf5_events_fini(&w->events);
    sl_arena_fini(&w->arena);
    sl_free(w->ctx, w, sizeof *w);
}

/* Buffers of one quantity. */
static bool alloc_gathering(writer *w, gathering *q, int32_t g, int32_t k) {
    const sl_results_group *group = &w->layout->groups[g];
    *q = (gathering){.column = &group->quantities[k], .group = g, .n = group->n};
    q->size = q->column->words && q->column->n_word <= 128 ? 1 : sizeof(double);
    q->columns = CHUNK / w->block < q->n ? CHUNK / w->block : q->n;
    q->columns = q->columns > 0 ? q->columns : 1;
    q->n_chunk = (q->n + q->columns - 1) / q->columns;
    q->at = sl_arena_alloc(&w->arena, (size_t)q->n_chunk * (size_t)w->block * (size_t)q->columns * q->size);
    return q->at != NULL;
}

/* Memory for the frames that are written at once. False: out of memory. */
static bool alloc_buffers(writer *w) {
    const sl_results_layout *l = w->layout;
    int64_t n = 0;
    for (int32_t g = 0; g < l->n_group; g++) {
        n += (int64_t)l->groups[g].n * l->groups[g].n_quantity;
    }
    int64_t block = n > 0 ? GATHERED / n : MAX_FRAMES;
    block = block < MAX_FRAMES ? block : MAX_FRAMES;
    block = l->n_frame >= 1.0 && l->n_frame < (double)block ? (int64_t)l->n_frame : block;
    w->block = block > 1 ? (int32_t)block : 1;
    w->n_quantity = sl_results_count_quantities(l);
    w->at = sl_arena_alloc(&w->arena, (size_t)w->block * sizeof *w->at);
    w->execution_at = sl_arena_alloc(&w->arena, (size_t)w->block * sizeof *w->execution_at);
    w->scale = sl_arena_alloc(&w->arena, (size_t)l->n_group * sizeof *w->scale);
    w->quantity = sl_arena_alloc(&w->arena, (size_t)w->n_quantity * sizeof *w->quantity);
    w->names = sl_ids_create(w->ctx);
    bool fine = w->at && w->execution_at && w->scale && w->quantity && w->names;
    int32_t i = 0;
    for (int32_t g = 0; g < l->n_group; g++) {
        for (int32_t k = 0; k < l->groups[g].n_quantity && fine; k++) {
            fine = alloc_gathering(w, &w->quantity[i++], g, k);
        }
    }
    return fine;
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    if (!target->path && !target->sink) {
        return SL_ERR_USE;
    }
    writer *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->layout = layout;
    w->compress = target->compress;
    w->sink = target->path ? (sl_sink){0} : *target->sink;
    sl_arena_init(&w->arena, ctx);
    w->path = target->path ? sl_arena_copy(&w->arena, sl_str_z(target->path)) : NULL;
    sl_hdf5_events_init(&w->events, ctx);
    sl_status status = (w->path || !target->path) && alloc_buffers(w) ? sl_hdf5_file_init(&w->f, diags) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_hdf5_enter(&w->f.h);
        bool fine = make_file(w, w->path);
        status = fine ? judge(w, diags) : SL_ERR_MEMORY;
        sl_hdf5_leave(&w->f.h);
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
              "install libhdf5-dev (Debian) and build again, or take .csv or .json",
              "this program was built without HDF5");
    return SL_ERR_UNSUPPORTED;
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    (void)ctx;
    (void)target;
    (void)layout;
    (void)out;
    return ready(diags);
}

#endif

/* Without the library, create is refused and nothing else called. */
const sl_results_format sl_format_hdf5 = {.ending = "h5",
                                          .what = "results in HDF5 (.h5)",
                                          .ready = ready,
                                          .create = create,
#ifdef SLUICE_HDF5
                                          .event = event,
                                          .frame = frame,
                                          .end = end,
                                          .destroy = destroy,
#endif
                                          .recognise = sl_hdf5_recognise,
                                          .open = sl_hdf5_open};
