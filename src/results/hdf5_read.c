/* SPDX-License-Identifier: MIT */
/* hdf5_read.c: opens an HDF5 file with results: layout, times, events and tables are read, values as they are asked for.
 *
 * Datasets say by attributes what they are (hdf5_form.h); those that say nothing are passed over.
 */
#include <string.h>

#include "base/out.h"
#include "base/report.h"
#include "results/format.h"
#include "results/hdf5_seal.h"
#include "results/hdf5_values.h"

bool sl_hdf5_recognise(const unsigned char *head, size_t n, uint64_t size) {
    (void)size;
    for (size_t at = 0; at + sizeof sl_hdf5_mark <= n; at = at == 0 ? 512 : 2 * at) { /* where it may stand */
        if (memcmp(head + at, sl_hdf5_mark, sizeof sl_hdf5_mark) == 0) {
            return true;
        }
    }
    return false;
}

/* A fact, a column of a table, or a quantity, with what it belongs to. */
typedef struct member {
    const char *of;
    sl_results_column column;
    int64_t n;
    uint64_t at; /* header of a quantity */
} member;

typedef SL_ARRAY(member) members;

typedef struct reading {
    sl_results *r;
    sl_hdf5_reader *reader;
    sl_hdf5_input *in;
    SL_ARRAY(sl_results_group) groups;
    SL_ARRAY(sl_results_table) tables;
    members facts, columns, quantities;
    bool has_time;
    int64_t total;                           /* values of a frame */
    const void *event_part[SL_EVENT_FIELDS]; /* by sl_event_fields */
    int64_t n_part[SL_EVENT_FIELDS], n_execution, n_event;
} reading;

static const char *text_of(reading *g, const sl_hdf5_node *set, const char *name) {
    return sl_hdf5_get_text(g->in, &g->r->arena, set, name);
}

static void keep(reading *g, bool kept) {
    (void)sl_hdf5_keep(g->in, kept);
}

/* ---- Datasets ----------------------------------------------------------------------------------- */

static sl_results_column get_column(reading *g, const sl_hdf5_node *set) {
    sl_results_column c = {.name = text_of(g, set, "sluice_name"),
                           .unit = text_of(g, set, "units"),
                           .meaning = text_of(g, set, "long_name")};
    if (sl_hdf5_has(set, "sluice_words")) {
        c.words = sl_hdf5_get_list(g->in, &g->r->arena, set, "sluice_words", &c.n_word);
    }
    return c;
}

static void get_values(reading *g, const sl_hdf5_node *set, member *m) {
    if (set->type == SL_HDF5_TEXT) {
        m->column.text = sl_hdf5_get_texts(g->in, &g->r->arena, set, &m->n);
    } else {
        m->column.real = sl_hdf5_get_reals(g->in, &g->r->arena, set, &m->n);
    }
}

static void take_time(reading *g, const sl_hdf5_node *set) {
    if (g->has_time) {
        sl_hdf5_reject(g->in, "it has two datasets of times");
        return;
    }
    g->has_time = true;
    g->r->layout.time_unit = text_of(g, set, "units");
    g->r->times = sl_hdf5_get_reals(g->in, &g->r->arena, set, &g->r->n_frame);
}

static void take_execution(reading *g, const sl_hdf5_node *set) {
    g->r->layout.several = true;
    g->r->executions = sl_hdf5_get_ints(g->in, &g->r->arena, set, &g->n_execution);
}

static void take_group(reading *g, const sl_hdf5_node *set) {
    int64_t n = 0;
    sl_results_group group = {.name = text_of(g, set, "sluice_name"), .meaning = text_of(g, set, "long_name")};
    if (sl_hdf5_has(set, "sluice_among")) {
        group.among = text_of(g, set, "sluice_among");
    }
    if (sl_hdf5_has(set, "sluice_along")) {
        group.along = text_of(g, set, "sluice_along");
    }
    group.ids = sl_hdf5_get_texts(g->in, &g->r->arena, set, &n);
    for (int64_t i = 0; i < g->groups.n; i++) {
        if (strcmp(g->groups.at[i].name, group.name) == 0) {
            sl_hdf5_reject(g->in, "two groups have the same name");
        }
    }
    if (n > INT32_MAX) {
        sl_hdf5_reject(g->in, "it has too many elements");
    }
    group.n = (int32_t)n;
    keep(g, SL_PUSH(g->r->ctx, &g->groups, group));
}

static void take_member(reading *g, const sl_hdf5_node *set, members *list) {
    member m = {.of = text_of(g, set, "sluice_of"), .column = get_column(g, set)};
    get_values(g, set, &m);
    keep(g, SL_PUSH(g->r->ctx, list, m));
}

static void take_fact(reading *g, const sl_hdf5_node *set) {
    take_member(g, set, &g->facts);
}

static void take_table_column(reading *g, const sl_hdf5_node *set) {
    take_member(g, set, &g->columns);
}

static void take_table(reading *g, const sl_hdf5_node *set) {
    sl_results_table t = {.name = text_of(g, set, "sluice_name"), .meaning = text_of(g, set, "long_name")};
    if (set->rank != 1 || set->shape[0] > INT32_MAX) {
        sl_hdf5_reject(g->in, "it has too many rows");
    }
    t.n = g->in->status == SL_OK ? (int32_t)set->shape[0] : 0;
    keep(g, SL_PUSH(g->r->ctx, &g->tables, t));
}

static const void *get_part(reading *g, const sl_hdf5_node *set, const sl_event_field *part, int64_t *n) {
    sl_arena *arena = &g->r->arena;
    return part->type == SL_EVENT_TEXT   ? (const void *)sl_hdf5_get_texts(g->in, arena, set, n)
           : part->type == SL_EVENT_REAL ? (const void *)sl_hdf5_get_reals(g->in, arena, set, n)
                                         : (const void *)sl_hdf5_get_ints(g->in, arena, set, n);
}

/* A part of the events, or the dataset that numbers them. */
static void take_event(reading *g, const sl_hdf5_node *set) {
    const char *name = text_of(g, set, "sluice_name");
    for (int i = 0; i < SL_EVENT_FIELDS; i++) {
        if (strcmp(name, sl_event_fields[i].name) == 0) {
            g->event_part[i] = get_part(g, set, &sl_event_fields[i], &g->n_part[i]);
        }
    }
    if (!*name) {
        (void)sl_hdf5_get_ints(g->in, &g->r->arena, set, &g->n_event);
    }
}

static void take_set(reading *g, const sl_hdf5_node *set, uint64_t at) {
    static const struct {
        const char *role;
        void (*take)(reading *g, const sl_hdf5_node *set);
    } roles[] = {{"time", take_time},     {"execution", take_execution}, {"group", take_group},
                 {"profile", take_group}, {"fact", take_fact},           {"table", take_table},
                 {"event", take_event},   {"column", take_table_column}};
    const char *role = text_of(g, set, "sluice_role");
    if (strcmp(role, "quantity") == 0) {
        member m = {.of = text_of(g, set, "sluice_of"), .column = get_column(g, set), .at = at};
        keep(g, SL_PUSH(g->r->ctx, &g->quantities, m));
    }
    for (size_t i = 0; i < sizeof roles / sizeof *roles && g->in->status == SL_OK; i++) {
        if (strcmp(roles[i].role, role) == 0) {
            roles[i].take(g, set);
        }
    }
}

static void take_sets(reading *g, const sl_hdf5_node *root) {
    for (int64_t i = 0; i < root->links.n && g->in->status == SL_OK; i++) {
        sl_hdf5_node set;
        if (sl_hdf5_get_node(g->in, root->links.at[i], &set)) {
            take_set(g, &set, root->links.at[i]);
        }
        sl_hdf5_node_fini(g->in, &set);
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
                sl_hdf5_reject(g->in, "a dataset has another length than its elements");
            }
        }
    }
    return columns;
}

static void add_quantity(reading *g, const member *m, int32_t group) {
    sl_hdf5_reader *reader = g->reader;
    const sl_results_group *of = &g->groups.at[group];
    sl_hdf5_values *v = &reader->quantity[reader->n_quantity];
    sl_hdf5_node set;
    if (sl_hdf5_get_node(g->in, m->at, &set)) {
        *v = (sl_hdf5_values){.code = set.type == SL_HDF5_CODE, .n = of->n};
        if (set.rank != 2 || set.shape[0] != (uint64_t)g->r->n_frame || set.shape[1] != (uint64_t)of->n ||
            (!v->code && set.type != SL_HDF5_REAL)) {
            sl_hdf5_reject(g->in, "a quantity has other dimensions than time and elements");
        }
        reader->n_quantity++;
        sl_hdf5_values_init(reader, v, &set, g->total);
    }
    sl_hdf5_node_fini(g->in, &set);
}

/* Quantities are numbered through in the order of the groups. */
static void put_quantities(reading *g) {
    sl_results *r = g->r;
    g->reader->quantity = sl_arena_alloc(&r->arena, (size_t)g->quantities.n * sizeof *g->reader->quantity);
    keep(g, g->reader->quantity != NULL);
    for (int pass = 0; pass < 2; pass++) { /* how many values there are, then where */
        for (int32_t k = 0; k < r->layout.n_group; k++) {
            for (int64_t i = 0; i < g->quantities.n && g->in->status == SL_OK; i++) {
                if (strcmp(g->quantities.at[i].of, g->groups.at[k].name) != 0) {
                    continue;
                }
                g->total += pass == 0 ? g->groups.at[k].n : 0;
                if (pass == 1) {
                    add_quantity(g, &g->quantities.at[i], k);
                }
            }
        }
    }
    if (g->reader->n_quantity < g->quantities.n) {
        sl_hdf5_reject(g->in, "a quantity belongs to no group");
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
    for (int k = 0; k < SL_EVENT_FIELDS && events && g->in->status == SL_OK; k++) {
        const sl_event_field *part = &sl_event_fields[k];
        const char *from = g->event_part[k];
        if (!from && part->type == SL_EVENT_INT) {
            continue;
        }
        if (g->n_part[k] != g->n_event || (!from && g->n_event > 0)) {
            sl_hdf5_reject(g->in, "columns of events have other lengths than the events");
        }
        for (int64_t i = 0; i < g->n_event && g->in->status == SL_OK; i++) {
            memcpy((char *)&events[i] + part->offset, from + (size_t)i * part->size, part->size);
        }
    }
    g->r->events = events;
    g->r->n_event = g->n_event;
}

/* ---- The file ----------------------------------------------------------------------------------- */

static const sl_results_attribute *get_attributes(reading *g, const sl_hdf5_node *root, const char *list,
                                                  const char *other, int32_t *n) {
    sl_arena *arena = &g->r->arena;
    const char *const *names = sl_hdf5_get_list(g->in, arena, root, list, n);
    sl_results_attribute *all = sl_arena_alloc(arena, (size_t)*n * sizeof *all);
    keep(g, all != NULL);
    for (int32_t i = 0; i < *n && g->in->status == SL_OK; i++) {
        const char *name = sl_arena_format(arena, "%s%s", other, names[i]);
        keep(g, name != NULL);
        const char *stored = name && sl_hdf5_has(root, name) ? name : names[i];
        all[i].name = names[i];
        if (sl_hdf5_is_text(g->in, root, stored)) {
            all[i].text = text_of(g, root, stored);
        } else {
            all[i].number = sl_hdf5_get_number(g->in, root, stored);
        }
    }
    return all;
}

static void get_all(reading *g, const sl_hdf5_node *root) {
    sl_results *r = g->r;
    r->layout = (sl_results_layout){.size = sizeof r->layout, .time_unit = ""};
    r->end = (sl_results_end){.size = sizeof r->end};
    r->layout.model = text_of(g, root, "model");
    r->layout.title = text_of(g, root, "title");
    r->layout.engine = text_of(g, root, "engine");
    r->layout.attributes = get_attributes(g, root, SL_HDF5_ATTRIBUTES, SL_HDF5_OTHER, &r->layout.n_attribute);
    r->end.attributes = get_attributes(g, root, SL_HDF5_END_ATTRIBUTES, SL_HDF5_OTHER_END, &r->end.n_attribute);
    r->end.complete = sl_hdf5_get_flag(g->in, root, "complete");
    take_sets(g, root);
    if (!g->has_time || (r->executions && g->n_execution != r->n_frame)) {
        sl_hdf5_reject(g->in, "it has no times");
    }
    void (*const steps[])(reading * g) = {put_groups, put_tables, put_events, put_quantities};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && g->in->status == SL_OK; i++) {
        steps[i](g);
    }
}

/* Says what is wrong with the file. */
static sl_status refuse(reading *g, sl_diags *diags, const char *hint, const char *what) {
    sl_text_location place = {.file = g->r->name};
    sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, &place, NULL, NULL, hint, "%s", what);
    return SL_ERR_INPUT;
}

static sl_status judge(reading *g, sl_diags *diags) {
    if (g->in->status == SL_OK || g->in->status == SL_ERR_MEMORY) {
        return g->in->status;
    }
    sl_text_location place = {.file = g->r->name};
    sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, &place, NULL, NULL, NULL, "the HDF5 file cannot be read: %s",
              g->in->reason);
    return g->in->status;
}

/* Is the file one of ours, and as it was written? size: of its HDF5 part. */
static sl_status check_seal(reading *g, sl_diags *diags, uint64_t *size) {
    sl_hdf5_seal_state state;
    sl_status status = sl_hdf5_seal_check(g->r->ctx, &g->r->bytes, &state, size);
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

/* All but values, when the version is known. */
static sl_status read_file(reading *g, sl_diags *diags) {
    sl_hdf5_node root;
    sl_status status = SL_OK;
    if (sl_hdf5_get_node(g->in, sl_hdf5_get_root(g->in), &root)) {
        const char *format = text_of(g, &root, SL_HDF5_FORMAT);
        if (g->in->status == SL_OK && strcmp(format, SL_HDF5_FORMAT_NAME) != 0) {
            status = refuse(g, diags, "update sluice", "is an HDF5 result of a newer sluice");
        } else {
            get_all(g, &root);
        }
    }
    sl_hdf5_node_fini(g->in, &root);
    return status == SL_OK ? judge(g, diags) : status;
}

sl_status sl_hdf5_open(sl_results *r, sl_diags *diags) {
    sl_hdf5_reader *reader = sl_alloc(r->ctx, sizeof *reader);
    if (!reader) {
        return SL_ERR_MEMORY;
    }
    reading g = {.r = r, .reader = reader, .in = &reader->in};
    uint64_t size = 0;
    reader->ctx = r->ctx;
    r->reader = reader;
    r->close = sl_hdf5_reader_close;
    r->read = sl_hdf5_values_frame;
    r->read_series = sl_hdf5_values_series;
    sl_status status = check_seal(&g, diags, &size);
    if (status == SL_OK) {
        sl_hdf5_input_init(&reader->in, r->ctx, &r->bytes, size);
        status = read_file(&g, diags);
    }
    status = status == SL_OK ? sl_hdf5_values_load(reader, diags) : status;
    SL_ARRAY_FINI(r->ctx, &g.groups);
    SL_ARRAY_FINI(r->ctx, &g.tables);
    SL_ARRAY_FINI(r->ctx, &g.facts);
    SL_ARRAY_FINI(r->ctx, &g.columns);
    SL_ARRAY_FINI(r->ctx, &g.quantities);
    return status;
}
