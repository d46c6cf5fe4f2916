/* SPDX-License-Identifier: MIT */
/* hdf5_read.c: opens an HDF5 file with results: layout, times, events and tables are read, values as they are asked for.
 *
 * Datasets say by attributes what they are (hdf5_file.h); those that say nothing are somebody else's and passed over. A file without
 * a path is read whole and opened in memory.
 */
#include "results/format.h"

#include <string.h>

#include "base/foreign_memory.h"
#include "base/out.h"
#include "base/report.h"

bool sl_hdf5_recognise(const unsigned char *head, size_t n, uint64_t size) {
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    (void)size;
    for (size_t at = 0; at + sizeof mark <= n; at = at == 0 ? 512 : 2 * at) { /* where the library looks for it */
        if (memcmp(head + at, mark, sizeof mark) == 0) {
            return true;
        }
    }
    return false;
}

#ifdef SLUICE_HDF5
#include "results/hdf5_values.h"

enum {
    IMAGE_STEP = 4096, /* bytes; nothing grows */
    NAME_SIZE = 512
};

/* A fact, a column of a table, or a quantity, with what it belongs to. */
typedef struct member {
    const char *of;
    sl_results_column column;
    int64_t n;
    hid_t set; /* of a quantity, kept open */
} member;

typedef SL_ARRAY(member) members;

typedef struct reading {
    sl_results *r;
    sl_hdf5_reader *reader;
    sl_hdf5_file *f;
    SL_ARRAY(sl_results_group) groups;
    SL_ARRAY(sl_results_table) tables;
    members facts, columns, quantities;
    bool has_time;
    const void *event_part[SL_EVENT_FIELDS]; /* by sl_event_fields */
    int64_t n_part[SL_EVENT_FIELDS], n_execution, n_event;
} reading;

static const char *text_of(reading *g, hid_t set, const char *name) {
    return sl_hdf5_get_text(g->f, &g->r->arena, set, name);
}

static void keep(reading *g, bool kept) {
    g->f->no_memory = g->f->no_memory || !kept;
}

/* ---- Datasets ----------------------------------------------------------------------------------- */

static sl_results_column get_column(reading *g, hid_t set) {
    sl_results_column c = {.name = text_of(g, set, "sluice_name"),
                           .unit = text_of(g, set, "units"),
                           .meaning = text_of(g, set, "long_name")};
    if (sl_hdf5_has(g->f, set, "sluice_words")) {
        c.words = sl_hdf5_get_texts(g->f, &g->r->arena, set, "sluice_words", &c.n_word);
    }
    return c;
}

static void get_values(reading *g, hid_t set, member *m) {
    if (sl_hdf5_class(g->f, set) == H5T_STRING) {
        m->column.text = sl_hdf5_get_text_column(g->f, &g->r->arena, set, &m->n);
    } else {
        m->column.real = sl_hdf5_get_real_column(g->f, &g->r->arena, set, &m->n);
    }
}

static void take_time(reading *g, hid_t set) {
    if (g->has_time) {
        sl_hdf5_reject(g->f, "it has two datasets of times");
        return;
    }
    g->has_time = true;
    g->r->layout.time_unit = text_of(g, set, "units");
    g->r->times = sl_hdf5_get_real_column(g->f, &g->r->arena, set, &g->r->n_frame);
}

static void take_execution(reading *g, hid_t set) {
    g->r->layout.several = true;
    g->r->executions = sl_hdf5_get_int_column(g->f, &g->r->arena, set, &g->n_execution);
}

static void take_group(reading *g, hid_t set) {
    int64_t n = 0;
    sl_results_group group = {.name = text_of(g, set, "sluice_name"), .meaning = text_of(g, set, "long_name")};
    if (sl_hdf5_has(g->f, set, "sluice_among")) {
        group.among = text_of(g, set, "sluice_among");
    }
    if (sl_hdf5_has(g->f, set, "sluice_along")) {
        group.along = text_of(g, set, "sluice_along");
    }
    group.ids = sl_hdf5_get_text_column(g->f, &g->r->arena, set, &n);
    for (int64_t i = 0; i < g->groups.n; i++) {
        if (strcmp(g->groups.at[i].name, group.name) == 0) {
            sl_hdf5_reject(g->f, "two groups have the same name");
        }
    }
    if (n > INT32_MAX) {
        sl_hdf5_reject(g->f, "it has too many elements");
    }
    group.n = (int32_t)n;
    keep(g, SL_PUSH(g->r->ctx, &g->groups, group));
}

static void take_member(reading *g, hid_t set, members *list) {
    member m = {.of = text_of(g, set, "sluice_of"), .column = get_column(g, set)};
    get_values(g, set, &m);
    keep(g, SL_PUSH(g->r->ctx, list, m));
}

static void take_fact(reading *g, hid_t set) {
    take_member(g, set, &g->facts);
}

static void take_table_column(reading *g, hid_t set) {
    take_member(g, set, &g->columns);
}

/* Its dataset stays open. */
static void take_quantity(reading *g, hid_t set) {
    member m = {.of = text_of(g, set, "sluice_of"), .column = get_column(g, set), .set = set};
    keep(g, SL_PUSH(g->r->ctx, &g->quantities, m));
}

static void take_table(reading *g, hid_t set) {
    hsize_t size[2] = {0, 0};
    sl_results_table t = {.name = text_of(g, set, "sluice_name"), .meaning = text_of(g, set, "long_name")};
    if (sl_hdf5_get_extent(g->f, set, 1, size) && size[0] > INT32_MAX) {
        sl_hdf5_reject(g->f, "it has too many rows");
    }
    t.n = (int32_t)size[0];
    keep(g, SL_PUSH(g->r->ctx, &g->tables, t));
}

static const void *get_part(reading *g, hid_t set, const sl_event_field *part, int64_t *n) {
    sl_arena *arena = &g->r->arena;
    return part->type == SL_EVENT_TEXT   ? (const void *)sl_hdf5_get_text_column(g->f, arena, set, n)
           : part->type == SL_EVENT_REAL ? (const void *)sl_hdf5_get_real_column(g->f, arena, set, n)
                                         : (const void *)sl_hdf5_get_int_column(g->f, arena, set, n);
}

/* A part of the events, or the dataset that numbers them. */
static void take_event(reading *g, hid_t set) {
    const char *name = text_of(g, set, "sluice_name");
    hsize_t size[2] = {0, 0};
    for (int i = 0; i < SL_EVENT_FIELDS; i++) {
        if (strcmp(name, sl_event_fields[i].name) == 0) {
            g->event_part[i] = get_part(g, set, &sl_event_fields[i], &g->n_part[i]);
        }
    }
    if (!*name && sl_hdf5_get_extent(g->f, set, 1, size)) {
        g->n_event = (int64_t)size[0];
    }
}

static void take_set(reading *g, hid_t set) {
    static const struct {
        const char *role;
        void (*take)(reading *g, hid_t set);
    } roles[] = {{"time", take_time},     {"execution", take_execution}, {"group", take_group},
                 {"profile", take_group}, {"fact", take_fact},           {"quantity", take_quantity},
                 {"table", take_table},   {"column", take_table_column}, {"event", take_event}};
    const char *role = text_of(g, set, "sluice_role");
    void (*take)(reading * g, hid_t set) = NULL;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        take = strcmp(roles[i].role, role) == 0 ? roles[i].take : take;
    }
    if (take && !g->f->failed) {
        take(g, set);
    }
    if (take != take_quantity) {
        (void)sl_hdf5_release(g->f, g->f->h.H5Dclose(set));
    }
}

static void take_sets(reading *g) {
    sl_hdf5 *h = &g->f->h;
    H5G_info_t info = {0};
    sl_hdf5_check(g->f, h->H5Gget_info(g->f->file, &info));
    for (hsize_t i = 0; i < info.nlinks && !g->f->failed && !g->f->no_memory; i++) {
        char name[NAME_SIZE] = "";
        ssize_t n =
            h->H5Lget_name_by_idx(g->f->file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        sl_hdf5_check(g->f, n >= 0 ? 0 : -1);
        if (n >= (ssize_t)sizeof name) {
            continue; /* none of ours */
        }
        hid_t object = g->f->failed ? -1 : sl_hdf5_id(g->f, h->H5Oopen(g->f->file, name, H5P_DEFAULT));
        if (object >= 0 && h->H5Iget_type(object) == H5I_DATASET) {
            take_set(g, object);
        } else if (object >= 0) {
            h->H5Oclose(object);
        }
    }
}

/* ---- Putting together --------------------------------------------------------------------------- */

/* The members of one group or table, in order; NULL: out of memory. */
static const sl_results_column *columns_of(reading *g, const members *list, const char *of, int32_t n_each,
                                           int32_t *n) {
    int32_t count = 0;
    for (int64_t i = 0; i < list->n; i++) {
        count += strcmp(list->at[i].of, of) == 0;
    }
    sl_results_column *columns = sl_arena_alloc(&g->r->arena, (size_t)count * sizeof *columns);
    keep(g, columns != NULL);
    *n = 0;
    for (int64_t i = 0; columns && i < list->n; i++) {
        const member *m = &list->at[i];
        if (strcmp(m->of, of) == 0) {
            columns[(*n)++] = m->column;
            if (m->n != n_each) {
                sl_hdf5_reject(g->f, "a dataset has another length than its elements");
            }
        }
    }
    return columns;
}

static void add_quantity(reading *g, const member *m, int32_t group) {
    sl_hdf5_reader *reader = g->reader;
    const sl_results_group *of = &g->groups.at[group];
    sl_hdf5_values *v = &reader->quantity[reader->n_quantity];
    hsize_t size[2] = {0, 0};
    H5T_class_t class = sl_hdf5_class(g->f, m->set);
    *v = (sl_hdf5_values){.set = m->set, .code = class == H5T_INTEGER, .n = of->n};
    if (sl_hdf5_get_extent(g->f, m->set, 2, size) &&
        (size[0] != (hsize_t)g->r->n_frame || size[1] != (hsize_t)of->n || (!v->code && class != H5T_FLOAT))) {
        sl_hdf5_reject(g->f, "a quantity has other dimensions than time and elements");
    }
    reader->n_quantity++;
}

/* Quantities are numbered through in the order of the groups. */
static void put_quantities(reading *g) {
    sl_results *r = g->r;
    size_t n = (size_t)g->quantities.n;
    g->reader->quantity = sl_arena_alloc(&r->arena, n * sizeof *g->reader->quantity);
    keep(g, g->reader->quantity != NULL);
    int64_t total = 0;
    for (int32_t k = 0; k < r->layout.n_group && !g->f->no_memory; k++) {
        for (int64_t i = 0; i < g->quantities.n && !g->f->failed; i++) {
            if (strcmp(g->quantities.at[i].of, g->groups.at[k].name) == 0) {
                add_quantity(g, &g->quantities.at[i], k);
                total += g->groups.at[k].n;
            }
        }
    }
    for (int32_t i = 0; i < g->reader->n_quantity && !g->f->failed; i++) {
        sl_hdf5_values_init(g->reader, &g->reader->quantity[i], total);
    }
    if (g->reader->n_quantity < g->quantities.n) {
        sl_hdf5_reject(g->f, "a quantity belongs to no group");
    }
    g->reader->n_frame = r->n_frame;
}

static void put_groups(reading *g) {
    sl_results *r = g->r;
    for (int64_t i = 0; i < g->quantities.n; i++) {
        g->quantities.at[i].n = -1;
    }
    sl_results_group *groups = sl_arena_alloc(&r->arena, (size_t)g->groups.n * sizeof *groups);
    keep(g, groups != NULL);
    for (int64_t k = 0; k < g->groups.n && groups; k++) {
        sl_results_group *group = &groups[k];
        *group = g->groups.at[k];
        group->facts = columns_of(g, &g->facts, group->name, group->n, &group->n_fact);
        group->quantities = columns_of(g, &g->quantities, group->name, -1, &group->n_quantity);
    }
    r->layout.groups = groups;
    r->layout.n_group = (int32_t)g->groups.n;
    r->layout.n_frame = (double)r->n_frame;
}

static void put_tables(reading *g) {
    sl_results_table *tables = sl_arena_alloc(&g->r->arena, (size_t)g->tables.n * sizeof *tables);
    keep(g, tables != NULL);
    for (int64_t k = 0; k < g->tables.n && tables; k++) {
        tables[k] = g->tables.at[k];
        tables[k].columns = columns_of(g, &g->columns, tables[k].name, tables[k].n, &tables[k].n_column);
    }
    g->r->end.tables = tables;
    g->r->end.n_table = (int32_t)g->tables.n;
}

/* All have a time and the rest, but only several executions a number. */
static void put_events(reading *g) {
    sl_event_info *events = sl_arena_alloc(&g->r->arena, (size_t)g->n_event * sizeof *events);
    keep(g, events != NULL);
    for (int64_t i = 0; i < g->n_event && events; i++) {
        events[i] = sl_event_none;
    }
    for (int k = 0; k < SL_EVENT_FIELDS && events && !g->f->failed; k++) {
        const sl_event_field *part = &sl_event_fields[k];
        const char *from = g->event_part[k];
        if (!from && part->type == SL_EVENT_INT) {
            continue;
        }
        if (g->n_part[k] != g->n_event || (!from && g->n_event > 0)) {
            sl_hdf5_reject(g->f, "columns of events have other lengths than the events");
        }
        for (int64_t i = 0; i < g->n_event && !g->f->failed; i++) {
            memcpy((char *)&events[i] + part->offset, from + (size_t)i * part->size, part->size);
        }
    }
    g->r->events = events;
    g->r->n_event = g->n_event;
}

/* ---- The file ----------------------------------------------------------------------------------- */

static const sl_results_attribute *get_attributes(reading *g, const char *list, const char *other, int32_t *n) {
    sl_arena *arena = &g->r->arena;
    const char *const *names = sl_hdf5_get_texts(g->f, arena, g->f->file, list, n);
    sl_results_attribute *all = sl_arena_alloc(arena, (size_t)*n * sizeof *all);
    keep(g, all != NULL);
    for (int32_t i = 0; i < *n && all && !g->f->failed; i++) {
        const char *name = sl_arena_format(arena, "%s%s", other, names[i]);
        keep(g, name != NULL);
        if (!name) {
            break;
        }
        const char *stored = sl_hdf5_has(g->f, g->f->file, name) ? name : names[i];
        all[i].name = names[i];
        if (sl_hdf5_is_text_attribute(g->f, g->f->file, stored)) {
            all[i].text = text_of(g, g->f->file, stored);
        } else if (!g->f->failed) {
            all[i].number = sl_hdf5_get_number(g->f, g->f->file, stored);
        }
    }
    return all;
}

static void get_all(reading *g) {
    sl_results *r = g->r;
    hid_t file = g->f->file;
    r->layout = (sl_results_layout){.size = sizeof r->layout, .time_unit = ""};
    r->end = (sl_results_end){.size = sizeof r->end};
    r->layout.model = text_of(g, file, "model");
    r->layout.title = text_of(g, file, "title");
    r->layout.engine = text_of(g, file, "engine");
    r->layout.attributes = get_attributes(g, SL_HDF5_ATTRIBUTES, SL_HDF5_OTHER, &r->layout.n_attribute);
    r->end.attributes = get_attributes(g, SL_HDF5_END_ATTRIBUTES, SL_HDF5_OTHER_END, &r->end.n_attribute);
    r->end.complete = sl_hdf5_get_flag(g->f, file, "complete");
    take_sets(g);
    if (!g->has_time || (r->executions && g->n_execution != r->n_frame)) {
        sl_hdf5_reject(g->f, "it has no times");
    }
    void (*const steps[])(reading * g) = {put_groups, put_tables, put_events, put_quantities};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !g->f->failed && !g->f->no_memory; i++) {
        steps[i](g);
    }
}

static void open_file(reading *g) {
    sl_hdf5 *h = &g->f->h;
    sl_hdf5_reader *reader = g->reader;
    char memory_name[32]; /* of a file that is nowhere; no two may have the same */
    sl_format(memory_name, sizeof memory_name, "%p", (void *)reader);
    hid_t p = sl_hdf5_id(g->f, h->H5Pcreate(h->H5P_CLS_FILE_ACCESS_ID_g));
    if (reader->image) { /* H5LTopen_file_image would do this without a copy, but leaks */
        sl_hdf5_check(g->f, h->H5Pset_fapl_core(p, IMAGE_STEP, false));
        sl_hdf5_check(g->f, h->H5Pset_file_image(p, reader->image, reader->image_size));
        sl_free(reader->ctx, reader->image, reader->image_size);
        reader->image = NULL;
        reader->image_size = 0;
    }
    g->f->file = sl_hdf5_id(g->f, h->H5Fopen(g->r->path ? g->r->path : memory_name, SL_HDF5_ACC_RDONLY, p));
    sl_hdf5_check(g->f, h->H5Pclose(p));
}

/* Says what is wrong with the file. */
static sl_status refuse(reading *g, sl_diags *diags, const char *hint, const char *what) {
    sl_text_location place = {.file = g->r->name};
    sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, &place, NULL, NULL, hint, "%s", what);
    return SL_ERR_INPUT;
}

static sl_status judge(reading *g, sl_diags *diags) {
    if (g->f->no_memory || g->f->is_lost || sl_foreign_memory_failed()) {
        return SL_ERR_MEMORY;
    }
    if (g->f->failed) {
        sl_text_location place = {.file = g->r->name};
        sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, &place, NULL, NULL, NULL, "the HDF5 file cannot be read: %s",
                  *g->f->reason ? g->f->reason : "unknown reason");
        return SL_ERR_INPUT;
    }
    return SL_OK;
}

/* Before libhdf5 sees it: is the file one of ours, and as it was written? */
static sl_status check_seal(reading *g, sl_diags *diags) {
    sl_hdf5_seal_state state;
    sl_status status = sl_hdf5_seal_check(g->r->ctx, &g->r->bytes, &state);
    if (status != SL_OK) {
        return status;
    }
    switch (state) {
    case SL_HDF5_SEAL_WHOLE: return SL_OK;
    case SL_HDF5_SEAL_OLD:
        return refuse(g, diags, "write it again: run the model with this version",
                      "is an HDF5 result of an older sluice");
    case SL_HDF5_SEAL_FOREIGN: return refuse(g, diags, NULL, "is an HDF5 file, but no result of sluice");
    case SL_HDF5_SEAL_BROKEN: break;
    }
    return refuse(g, diags, "write it again, or copy it again",
                  "is damaged, cut off, or was changed by another program");
}

/* Of which version is it? */
static sl_status identify(reading *g, sl_diags *diags) {
    const char *format = text_of(g, g->f->file, SL_HDF5_FORMAT);
    if (g->f->failed || strcmp(format, SL_HDF5_FORMAT_NAME) == 0) {
        return judge(g, diags);
    }
    return refuse(g, diags, "update sluice", "is an HDF5 result of a newer sluice");
}

static sl_status read_image(sl_results *r, sl_hdf5_reader *reader) {
    if (r->path) {
        return SL_OK;
    }
    if (r->bytes.size > SIZE_MAX / 2) {
        return SL_ERR_MEMORY;
    }
    reader->image = sl_alloc(r->ctx, (size_t)r->bytes.size);
    reader->image_size = reader->image ? (size_t)r->bytes.size : 0;
    return reader->image ? r->bytes.read(r->bytes.user, 0, reader->image, reader->image_size) : SL_ERR_MEMORY;
}

sl_status sl_hdf5_open(sl_results *r, sl_diags *diags) {
    sl_hdf5_reader *reader = sl_alloc(r->ctx, sizeof *reader);
    if (!reader) {
        return SL_ERR_MEMORY;
    }
    reading g = {.r = r, .reader = reader, .f = &reader->f};
    reader->ctx = r->ctx;
    reader->f.size = r->bytes.size;
    reader->f.budget = (int64_t)(r->bytes.size < INT64_MAX / 64 ? r->bytes.size * 8 : INT64_MAX / 8) + 4096;
    r->reader = reader;
    r->close = sl_hdf5_reader_close;
    r->read = sl_hdf5_values_frame;
    r->read_series = sl_hdf5_values_series;
    sl_status status = check_seal(&g, diags);
    status = status == SL_OK ? read_image(r, reader) : status;
    status = status == SL_OK ? sl_hdf5_file_init(&reader->f, diags) : status;
    if (status != SL_OK) {
        return status;
    }
    sl_hdf5_enter(&reader->f.h);
    open_file(&g);
    status = judge(&g, diags);
    status = status == SL_OK ? identify(&g, diags) : status;
    if (status == SL_OK) {
        get_all(&g);
        status = judge(&g, diags);
    }
    for (int64_t i = 0; i < g.quantities.n && status != SL_OK; i++) {
        (void)sl_hdf5_release(&reader->f, reader->f.h.H5Dclose(g.quantities.at[i].set));
    }
    reader->n_quantity = status == SL_OK ? reader->n_quantity : 0;
    sl_hdf5_leave(&reader->f.h);
    SL_ARRAY_FINI(r->ctx, &g.groups);
    SL_ARRAY_FINI(r->ctx, &g.tables);
    SL_ARRAY_FINI(r->ctx, &g.facts);
    SL_ARRAY_FINI(r->ctx, &g.columns);
    SL_ARRAY_FINI(r->ctx, &g.quantities);
    return status;
}

#else

sl_status sl_hdf5_open(sl_results *r, sl_diags *diags) {
    (void)r;
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
              "install libhdf5-dev (Debian) and build again, or take .csv or .json",
              "this program was built without HDF5");
    return SL_ERR_UNSUPPORTED;
}
#endif
