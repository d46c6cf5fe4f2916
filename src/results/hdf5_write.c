/* SPDX-License-Identifier: MIT */
/* hdf5_write.c: results into an HDF5 file that is also a netCDF-4 file; docs/reference/results.md has its layout.
 *
 * Dimensions are dimension scales with the ids (and times) as their values, quantities are datasets (time, element) of 8-byte
 * floats, codes of bytes; units and meanings are attributes by the CF conventions. Frames are gathered in the form of the datasets'
 * chunks, which are so written whole, once. Datasets that grow are made when their first chunk is full, or at the end: then a chunk
 * is as long as there are frames. Nothing depends on the clock: the same run gives the same bytes.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "results/format.h"
#include "results/hdf5_events.h"
#include "results/hdf5_put.h"

enum {
    CHUNK = 8192,       /* values: 64 kB, sixteen of which fit into the cache that readers have by default */
    MAX_FRAMES = 1024,  /* of a chunk */
    GATHERED = 1 << 20, /* values kept until they are written, at most; or one frame */
    MOST_WORDS = 128,   /* that codes of a byte can stand for */
    NO_CODE = -1
};

/* A quantity on its way: chunks side by side, each [block][columns]. */
typedef struct gathering {
    const sl_results_column *column;
    int32_t group, n, columns, n_chunk;
    size_t size; /* of a value in the file: 8, or 1 of a code */
    char *at;
    sl_hdf5_object *set;
} gathering;

typedef struct writer {
    sl_hdf5_output out;
    sl_context *ctx;
    sl_arena arena;
    const sl_results_layout *layout;
    sl_sink sink;   /* gets the image; write NULL: there is none */
    sl_bytes image; /* the file, for a sink that cannot go back */
    bool compress;
    sl_ids *names, *attributes; /* of datasets, of attributes of the file: each once */

    sl_hdf5_object *time, *execution, **scale; /* [n_group] */
    uint64_t n_frame;                          /* written */
    int32_t block, n;                          /* frames that are written at once; that are gathered */
    double *at;                                /* their times */
    int32_t *execution_at;
    int32_t n_quantity;
    gathering *quantity;

    sl_hdf5_events events;
} writer;

/* The status of a step, its first failure. A sink that fails knows the reason itself. */
static sl_status judge(const writer *w, bool fine, sl_diags *diags) {
    if (!fine) {
        return SL_ERR_MEMORY;
    }
    if (w->out.reason) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "the HDF5 file could not be written: %s",
                  w->out.reason);
    }
    return w->out.status;
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

/* ---- Attributes --------------------------------------------------------------------------------- */

static void put_unit(writer *w, sl_hdf5_object *set, const char *unit, const char *meaning) {
    if (*unit) {
        sl_hdf5_put_text(&w->out, set, "units", unit);
    }
    sl_hdf5_put_text(&w->out, set, "long_name", meaning);
}

/* What a dataset is; of may be NULL. */
static void put_role(writer *w, sl_hdf5_object *set, const char *role, const char *of, const char *name) {
    sl_hdf5_put_text(&w->out, set, "sluice_role", role);
    if (of) {
        sl_hdf5_put_text(&w->out, set, "sluice_of", of);
    }
    sl_hdf5_put_text(&w->out, set, "sluice_name", name);
}

/* A list as one text: a line each, with \\ for a backslash and \n for a line end within. False: out of memory. */
static bool put_list(writer *w, sl_hdf5_object *of, const char *name, const char *const *text, int32_t n) {
    size_t size = 1;
    for (int32_t i = 0; i < n; i++) {
        size += 2 * strlen(text[i]) + 1;
    }
    char *joined = sl_arena_alloc(&w->arena, size), *to = joined;
    for (int32_t i = 0; joined && i < n; i++) {
        for (const char *c = text[i]; *c; c++) {
            if (*c == '\\' || *c == '\n') {
                *to++ = '\\';
            }
            *to++ = (char)(*c == '\n' ? 'n' : *c);
        }
        *to++ = '\n';
    }
    if (joined) {
        sl_hdf5_put_text(&w->out, of, name, joined);
    }
    return joined != NULL;
}

/* What the numbers of a code stand for, as CF has it and exactly; many words: exactly only. False: out of memory. */
static bool put_words(writer *w, sl_hdf5_object *set, const sl_results_column *column) {
    const char *const *words = column->words;
    size_t size = 1;
    for (int32_t i = 0; i < column->n_word; i++) {
        size += strlen(words[i]) + 1;
    }
    char *meanings = sl_arena_alloc(&w->arena, size),
         *to = meanings; /* words at blanks, which a word cannot have there */
    for (int32_t i = 0; meanings && i < column->n_word; i++) {
        for (const char *c = words[i]; *c; c++) {
            *to++ = (char)(*c == ' ' ? '_' : *c);
        }
        *to++ = (char)(i + 1 < column->n_word ? ' ' : '\0');
    }
    if (meanings && column->n_word > 0 && column->n_word <= MOST_WORDS) {
        sl_hdf5_put_codes(&w->out, set, "flag_values", column->n_word);
        sl_hdf5_put_text(&w->out, set, "flag_meanings", meanings);
    }
    return meanings && put_list(w, set, "sluice_words", words, column->n_word);
}

/* An attribute of the file by a name that is neither reserved nor taken. False: out of memory. */
static bool put_attribute(writer *w, const sl_results_attribute *a, const char *other) {
    bool reserved = !*a->name || strncmp(a->name, "sluice_", 7) == 0 || strcmp(a->name, "complete") == 0 ||
                    sl_ids_find(w->attributes, sl_str_z(a->name)) >= 0;
    const char *name = sl_arena_format(&w->arena, "%s%s", reserved ? other : "", a->name);
    if (!name || sl_ids_add(w->attributes, sl_str_z(name)) == INT32_MIN) {
        return false;
    }
    if (a->text) {
        sl_hdf5_put_text(&w->out, &w->out.root, name, a->text);
    } else {
        sl_hdf5_put_number(&w->out, &w->out.root, name, a->number);
    }
    return true;
}

/* Attributes of the result, and the list of their names. False: out of memory. */
static bool put_attributes(writer *w, const sl_results_attribute *all, int32_t n, const char *list, const char *other) {
    const char **names = sl_arena_alloc(&w->arena, (size_t)n * sizeof *names);
    bool fine = names != NULL;
    for (int32_t i = 0; i < n && fine; i++) {
        names[i] = all[i].name;
        fine = put_attribute(w, &all[i], other);
    }
    return fine && put_list(w, &w->out.root, list, names, n);
}

/* ---- What does not change ----------------------------------------------------------------------- */

/* False: out of memory. */
static bool put_about(writer *w) {
    const sl_results_layout *l = w->layout;
    const char *const about[][2] = {{"Conventions", "CF-1.8"},
                                    {SL_HDF5_FORMAT, SL_HDF5_FORMAT_NAME},
                                    {"title", l->title},
                                    {"model", l->model},
                                    {"engine", l->engine},
                                    {"program", "sluice"},
                                    {"program_version", sl_version()}};
    bool fine = true;
    for (size_t i = 0; i < sizeof about / sizeof *about && fine; i++) {
        sl_hdf5_put_text(&w->out, &w->out.root, about[i][0], about[i][1]);
        fine = sl_ids_add(w->attributes, sl_str_z(about[i][0])) != INT32_MIN;
    }
    return fine;
}

/* A fact, or a column of a table, whose scale is there. */
static bool put_values(writer *w, const char *role, const char *of, const sl_results_column *c, int32_t n,
                       sl_hdf5_object *scale) {
    const char *name = take_name(w, of, c->name);
    if (!name) {
        return false;
    }
    sl_hdf5_object *set = sl_hdf5_add_column(&w->out, name, n, c->text ? SL_HDF5_TEXT : SL_HDF5_REAL,
                                             c->text ? (const void *)c->text : (const void *)c->real);
    sl_hdf5_attach(&w->out, set, scale, 0);
    put_unit(w, set, c->unit, c->meaning);
    put_role(w, set, role, of, c->name);
    return !c->words || put_words(w, set, c);
}

static bool put_group(writer *w, int32_t g) {
    const sl_results_group *group = &w->layout->groups[g];
    const char *name = take_name(w, group->name, NULL);
    if (!name) {
        return false;
    }
    sl_hdf5_object *scale = sl_hdf5_add_column(&w->out, name, group->n, SL_HDF5_TEXT, group->ids);
    w->scale[g] = scale;
    sl_hdf5_make_scale(scale);
    put_unit(w, scale, "", group->meaning);
    put_role(w, scale, group->along ? "profile" : "group", NULL, group->name);
    if (group->among) {
        sl_hdf5_put_text(&w->out, scale, "sluice_among", group->among);
    }
    if (group->along) {
        sl_hdf5_put_text(&w->out, scale, "sluice_along", group->along);
    }
    bool fine = true;
    for (int32_t i = 0; i < group->n_fact && fine; i++) {
        fine = put_values(w, "fact", group->name, &group->facts[i], group->n, scale);
    }
    return fine;
}

/* False: out of memory. */
static bool begin_file(writer *w) {
    bool fine = put_about(w) &&
                put_attributes(w, w->layout->attributes, w->layout->n_attribute, SL_HDF5_ATTRIBUTES, SL_HDF5_OTHER);
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
    const uint64_t rows = w->n > 0 ? (uint64_t)w->n : 1, chunk[2] = {rows, 1};
    w->time = sl_hdf5_add_series(&w->out, "time", SL_HDF5_REAL, 1, 0, chunk, false);
    sl_hdf5_make_scale(w->time);
    put_unit(w, w->time, w->layout->time_unit, "time since the start of the simulation");
    put_role(w, w->time, "time", NULL, "time");
    if (w->layout->several) {
        w->execution = sl_hdf5_add_series(&w->out, "execution", SL_HDF5_INT, 1, 0, chunk, false);
        sl_hdf5_attach(&w->out, w->execution, w->time, 0);
        put_unit(w, w->execution, "", "number of the execution, from 1");
        put_role(w, w->execution, "execution", NULL, "execution");
    }
    bool fine = true;
    for (int32_t i = 0; i < w->n_quantity && fine; i++) {
        gathering *q = &w->quantity[i];
        const sl_results_group *group = &w->layout->groups[q->group];
        const uint64_t part[2] = {rows, (uint64_t)q->columns};
        const char *name = take_name(w, group->name, q->column->name);
        if (!name) {
            return false;
        }
        q->set =
            sl_hdf5_add_series(&w->out, name, q->size == 1 ? SL_HDF5_CODE : SL_HDF5_REAL, 2, q->n, part, w->compress);
        sl_hdf5_attach(&w->out, q->set, w->time, 0);
        sl_hdf5_attach(&w->out, q->set, w->scale[q->group], 1);
        put_unit(w, q->set, q->column->unit, q->column->meaning);
        put_role(w, q->set, "quantity", group->name, q->column->name);
        fine = !q->column->words || put_words(w, q->set, q->column);
    }
    return fine;
}

static void write_quantity(writer *w, gathering *q, size_t rows) {
    const size_t row = (size_t)q->columns * q->size, bytes = (size_t)w->block * row;
    for (int32_t k = 0; k < q->n_chunk; k++) {
        char *chunk = q->at + (size_t)k * bytes;
        memset(chunk + (size_t)w->n * row, 0, (rows - (size_t)w->n) * row);
        sl_hdf5_put_chunk(&w->out, q->set, chunk, rows * row);
    }
    if (q->set) {
        q->set->size[0] += (uint64_t)w->n;
    }
}

/* False: out of memory. */
static bool write_block(writer *w) {
    if (!w->time && !make_series(w)) {
        return false;
    }
    size_t rows = w->n_frame == 0 ? (size_t)w->n : (size_t)w->block; /* of a chunk */
    if (w->n > 0) {
        sl_hdf5_put_next(&w->out, w->time, w->n, w->at);
        sl_hdf5_put_next(&w->out, w->execution, w->n, w->execution_at);
        for (int32_t i = 0; i < w->n_quantity; i++) {
            write_quantity(w, &w->quantity[i], rows);
        }
    }
    w->n_frame += (uint64_t)w->n;
    w->n = 0;
    return true;
}

static void gather_codes(char *to, const double *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        signed char code = x[i] >= 0.0 && x[i] <= 127.0 ? (signed char)x[i] : NO_CODE;
        to[i] = (char)((double)code == x[i] ? code : NO_CODE); /* one and a half is no code */
    }
}

static void gather_reals(char *to, const double *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, x + i, sizeof word);
        sl_store8(to + 8 * (size_t)i, word);
    }
}

static void gather(const writer *w, gathering *q, const double *x) {
    const size_t row = (size_t)q->columns * q->size, bytes = (size_t)w->block * row;
    for (int32_t k = 0; k < q->n_chunk; k++) {
        char *to = q->at + (size_t)k * bytes + (size_t)w->n * row;
        int32_t first = k * q->columns, n = q->n - first < q->columns ? q->n - first : q->columns;
        (q->size == 1 ? gather_codes : gather_reals)(to, x + first, n);
    }
}

static sl_status frame(void *self, const sl_results_frame *frame, sl_diags *diags) {
    writer *w = self;
    w->at[w->n] = frame->time;
    w->execution_at[w->n] = frame->execution;
    for (int32_t i = 0; i < w->n_quantity; i++) {
        gather(w, &w->quantity[i], frame->values[i]);
    }
    return ++w->n < w->block ? SL_OK : judge(w, write_block(w), diags);
}

static sl_status event(void *self, const sl_event_info *event, sl_diags *diags) {
    writer *w = self;
    if (!sl_hdf5_events_add(&w->events, &w->arena, event)) {
        return SL_ERR_MEMORY;
    }
    if (w->events.n < SL_HDF5_EVENTS) {
        return SL_OK;
    }
    sl_hdf5_events_write(&w->events, &w->out, w->layout);
    return judge(w, true, diags);
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
    sl_hdf5_object *scale = sl_hdf5_add_column(&w->out, name, t->n, ids ? SL_HDF5_TEXT : SL_HDF5_INT,
                                               ids ? (const void *)ids : (const void *)numbers);
    sl_hdf5_make_scale(scale);
    put_unit(w, scale, "", t->meaning);
    put_role(w, scale, "table", NULL, t->name);
    for (int32_t i = 0; i < t->n_column && fine; i++) {
        fine = put_values(w, "column", t->name, &t->columns[i], t->n, scale);
    }
    return fine;
}

/* What is known at the end. False: out of memory. */
static bool put_end(writer *w, const sl_results_end *end) {
    bool fine = write_block(w);
    sl_hdf5_events_write(&w->events, &w->out, w->layout);
    for (int32_t i = 0; i < end->n_table && fine; i++) {
        fine = put_table(w, &end->tables[i]);
    }
    sl_hdf5_put_flag(&w->out, &w->out.root, "complete", end->complete);
    fine = fine && put_attributes(w, end->attributes, end->n_attribute, SL_HDF5_END_ATTRIBUTES, SL_HDF5_OTHER_END);
    if (fine) {
        sl_hdf5_output_end(&w->out);
    }
    return fine;
}

static sl_status end(void *self, const sl_results_end *end, sl_diags *diags) {
    writer *w = self;
    bool fine = put_end(w, end);
    sl_status status = judge(w, fine, diags);
    return status == SL_OK && w->sink.write ? w->sink.write(w->sink.user, w->image.at, (size_t)w->image.n) : status;
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *self) {
    writer *w = self;
    sl_hdf5_output_fini(&w->out);
    sl_bytes_fini(&w->image);
    sl_ids_destroy(w->names);
    sl_ids_destroy(w->attributes);
    sl_hdf5_events_fini(&w->events);
    sl_arena_fini(&w->arena);
    sl_free(w->ctx, w, sizeof *w);
}

/* Buffers of one quantity. */
static bool alloc_gathering(writer *w, gathering *q, int32_t g, int32_t k) {
    const sl_results_group *group = &w->layout->groups[g];
    *q = (gathering){.column = &group->quantities[k], .group = g, .n = group->n};
    q->size = q->column->words && q->column->n_word <= MOST_WORDS ? 1 : sizeof(double);
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
    w->attributes = sl_ids_create(w->ctx);
    bool fine = w->at && w->execution_at && w->scale && w->quantity && w->names && w->attributes;
    int32_t i = 0;
    for (int32_t g = 0; g < l->n_group; g++) {
        for (int32_t k = 0; k < l->groups[g].n_quantity && fine; k++) {
            fine = alloc_gathering(w, &w->quantity[i++], g, k);
        }
    }
    return fine;
}

static sl_status write_image(void *user, const void *bytes, size_t n) {
    const sl_sink sink = sl_bytes_sink(user);
    return sink.write(sink.user, bytes, n);
}

static sl_status patch_image(void *user, uint64_t offset, const void *bytes, size_t n) {
    const sl_bytes *image = user;
    memcpy(image->at + offset, bytes, n);
    return SL_OK;
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    writer *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    const sl_patch_sink image = {.user = &w->image, .write = write_image, .patch = patch_image};
    w->ctx = ctx;
    w->layout = layout;
    w->compress = target->compress;
    w->sink = target->patch ? (sl_sink){0} : *target->sink;
    sl_arena_init(&w->arena, ctx);
    sl_bytes_init(&w->image, ctx);
    sl_hdf5_events_init(&w->events, ctx);
    sl_status status = alloc_buffers(w) ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        status = sl_hdf5_output_init(&w->out, ctx, target->patch ? target->patch : &image, w->compress, diags);
    }
    if (status == SL_OK) {
        status = judge(w, begin_file(w), diags);
    }
    if (status != SL_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return SL_OK;
}

const sl_results_format sl_format_hdf5 = {.ending = "h5",
                                          .what = "results in HDF5 (.h5)",
                                          .create = create,
                                          .event = event,
                                          .frame = frame,
                                          .end = end,
                                          .destroy = destroy,
                                          .recognise = sl_hdf5_recognise,
                                          .open = sl_hdf5_open};
