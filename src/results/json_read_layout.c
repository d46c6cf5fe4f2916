/* SPDX-License-Identifier: MIT */
/* json_read_layout.c: groups, attributes and tables of results as JSON; see json_read.h. */
#include <stddef.h>
#include <string.h>

#include "base/report.h"
#include "results/json_read.h"

/* ---- Members of objects ------------------------------------------------------------------------- */

const sl_json_member_row *sl_json_find_member(const sl_json_member_row *rows, sl_str name) {
    while (rows->name && !sl_str_equal(name, sl_str_z(rows->name))) {
        rows++;
    }
    return rows->name ? rows : NULL;
}

uint32_t sl_json_read_members(sl_json_reader *d, const sl_json_member_row *rows, void *into) {
    uint32_t had = 0;
    sl_str key;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        const sl_json_member_row *m = sl_json_find_member(rows, key);
        uint32_t bit = m ? UINT32_C(1) << (m - rows) : 0;
        if (had & bit) {
            sl_json_pull_fail(d->p, NULL, "the member '%s' is given twice", m->name);
        } else if (m) {
            m->read(d, into, m->offset);
        } else {
            sl_json_pull_skip(d->p);
        }
        had |= bit;
    }
    return had;
}

/* ---- Values ------------------------------------------------------------------------------------- */

const char *sl_json_keep(sl_json_reader *d, sl_str text) {
    const char *z = sl_arena_copy(&d->r->arena, text);
    if (!z) {
        sl_json_pull_out_of_memory(d->p);
    }
    return z ? z : "";
}

void sl_json_read_text(sl_json_reader *d, void *into, size_t offset) {
    *(const char **)((char *)into + offset) = sl_json_keep(d, sl_json_pull_text(d->p));
}

/* A text, or null: none. */
static void read_optional(sl_json_reader *d, void *into, size_t offset) {
    if (sl_json_pull_peek(d->p) == SL_JSON_NULL) {
        sl_json_pull_skip(d->p);
    } else {
        sl_json_read_text(d, into, offset);
    }
}

void sl_json_read_real(sl_json_reader *d, void *into, size_t offset) {
    *(double *)((char *)into + offset) = sl_json_pull_real(d->p);
}

void sl_json_read_bool(sl_json_reader *d, void *into, size_t offset) {
    *(bool *)((char *)into + offset) = sl_json_pull_bool(d->p);
}

/* An array that grows in the arena: what it outgrew stays there, as much again at most. */
typedef struct list {
    char *at;
    int32_t n, cap;
} list;

/* A new element of zeros; NULL: there is a failure. */
static void *list_add(sl_json_reader *d, list *l, size_t size) {
    if (l->n == l->cap) {
        int32_t cap = l->cap > INT32_MAX / 2 ? l->cap : 2 * l->cap + 4;
        char *at = cap > l->cap && d->p->status == SL_OK ? sl_arena_alloc(&d->r->arena, (size_t)cap * size) : NULL;
        if (!at) {
            sl_json_pull_out_of_memory(d->p);
            return NULL;
        }
        if (l->n > 0) {
            memcpy(at, l->at, (size_t)l->n * size);
        }
        l->at = at;
        l->cap = cap;
    }
    return l->at + (size_t)l->n++ * size;
}

static list read_texts(sl_json_reader *d) {
    list texts = {0};
    sl_json_pull_array(d->p);
    while (sl_json_pull_element(d->p)) {
        const char **text = list_add(d, &texts, sizeof *text);
        if (text) {
            *text = sl_json_keep(d, sl_json_pull_text(d->p));
        }
    }
    return texts;
}

static list read_reals(sl_json_reader *d) {
    list reals = {0};
    sl_json_pull_array(d->p);
    while (sl_json_pull_element(d->p)) {
        double *x = list_add(d, &reals, sizeof *x);
        if (x) {
            *x = sl_json_pull_real(d->p);
        }
    }
    return reals;
}

/* ---- Attributes and columns --------------------------------------------------------------------- */

/* A text, a number, or an object with a number that is "inf" or "-inf". */
static void read_attribute(sl_json_reader *d, sl_results_attribute *a) {
    static const sl_json_member_row members[] = {{"number", sl_json_read_real, offsetof(sl_results_attribute, number)},
                                                 {0}};
    switch (sl_json_pull_peek(d->p)) {
    case SL_JSON_TEXT: a->text = sl_json_keep(d, sl_json_pull_text(d->p)); break;
    case SL_JSON_OBJECT: (void)sl_json_read_members(d, members, a); break;
    default: a->number = sl_json_pull_real(d->p);
    }
}

void sl_json_read_attributes(sl_json_reader *d, const sl_results_attribute **out, int32_t *n) {
    list attributes = {0};
    sl_str key;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        sl_results_attribute *a = list_add(d, &attributes, sizeof *a);
        if (a) {
            a->name = sl_json_keep(d, key);
            read_attribute(d, a);
        }
    }
    *out = (const sl_results_attribute *)(void *)attributes.at;
    *n = attributes.n;
}

/* A column on its way. */
typedef struct column {
    sl_results_column is;
    const char *type;
    int32_t n; /* values; -1: there are none */
} column;

static void read_words(sl_json_reader *d, void *into, size_t offset) {
    (void)offset;
    static const char *const none[1] = {""};
    column *c = into;
    list words = read_texts(d);
    c->is.words = words.n > 0 ? (const char *const *)(void *)words.at : none;
    c->is.n_word = words.n;
}

static void read_values(sl_json_reader *d, void *into, size_t offset) {
    (void)offset;
    static const double no_real[1] = {0.0};
    static const char *const no_text[1] = {""};
    column *c = into;
    bool text = c->type && strcmp(c->type, "text") == 0;
    list x = text ? read_texts(d) : read_reals(d);
    if (text) {
        c->is.text = x.n > 0 ? (const char *const *)(void *)x.at : no_text;
    } else {
        c->is.real = x.n > 0 ? (const double *)(void *)x.at : no_real;
    }
    c->n = x.n;
}

static const sl_json_member_row column_members[] = {{"unit", sl_json_read_text, offsetof(column, is.unit)},
                                                    {"meaning", sl_json_read_text, offsetof(column, is.meaning)},
                                                    {"type", sl_json_read_text, offsetof(column, type)},
                                                    {"words", read_words, 0},
                                                    {"values", read_values, 0},
                                                    {0}};

static list read_columns(sl_json_reader *d) {
    list columns = {0};
    sl_str key;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        column *c = list_add(d, &columns, sizeof *c);
        if (c) {
            *c = (column){.is = {.name = sl_json_keep(d, key), .unit = "", .meaning = ""}, .n = -1};
            (void)sl_json_read_members(d, column_members, c);
        }
    }
    return columns;
}

/* Columns with n values each (-1: quantities), as they are given out. */
static const sl_results_column *give_columns(sl_json_reader *d, const list *columns, int32_t n, const char *of) {
    sl_results_column *is = sl_arena_alloc(&d->r->arena, (size_t)columns->n * sizeof *is);
    if (!is) {
        sl_json_pull_out_of_memory(d->p);
        return NULL;
    }
    char of_text[SL_QUOTE_MAX], name[SL_QUOTE_MAX];
    for (int32_t i = 0; i < columns->n && d->p->status == SL_OK; i++) {
        const column *c = (const column *)(void *)columns->at + i;
        is[i] = c->is;
        if (c->n != n) {
            sl_json_pull_fail(d->p, NULL, "%s of %s has %d values instead of %d", sl_quote(sl_str_z(c->is.name), name),
                              sl_quote(sl_str_z(of), of_text), (int)(c->n > 0 ? c->n : 0), (int)(n > 0 ? n : 0));
        }
    }
    return is;
}

/* ---- Groups ------------------------------------------------------------------------------------- */

/* A group on its way. */
typedef struct group {
    sl_results_group is;
    list facts, quantities;
} group;

static void read_ids(sl_json_reader *d, void *into, size_t offset) {
    (void)offset;
    group *g = into;
    list ids = read_texts(d);
    g->is.ids = (const char *const *)(void *)ids.at;
    g->is.n = ids.n;
}

static void read_column_list(sl_json_reader *d, void *into, size_t offset) {
    *(list *)(void *)((char *)into + offset) = read_columns(d);
}

static const sl_json_member_row group_members[] = {{"meaning", sl_json_read_text, offsetof(group, is.meaning)},
                                                   {"among", read_optional, offsetof(group, is.among)},
                                                   {"along", read_optional, offsetof(group, is.along)},
                                                   {"ids", read_ids, 0},
                                                   {"facts", read_column_list, offsetof(group, facts)},
                                                   {"quantities", read_column_list, offsetof(group, quantities)},
                                                   {0}};

/* A name that must be new. Returns its number. */
static int32_t add_name(sl_json_reader *d, sl_ids *names, sl_str key, const char *what, const char *name) {
    char text[SL_QUOTE_MAX];
    int32_t i = d->p->status == SL_OK ? sl_ids_add(names, key) : 0;
    if (i == INT32_MIN) {
        sl_json_pull_out_of_memory(d->p);
    } else if (i < 0) {
        sl_json_pull_fail(d->p, NULL, "the %s %s is given twice", what, sl_quote(sl_str_z(name), text));
    }
    return i;
}

sl_str sl_json_quantity_key(sl_json_reader *d, int32_t number_of_group, sl_str name) {
    char number[16];
    int n = sl_format(number, sizeof number, "%d/", (int)number_of_group);
    sl_sink sink = sl_bytes_sink(&d->key);
    d->key.n = 0;
    if (sink.write(sink.user, number, (size_t)n) != SL_OK || sink.write(sink.user, name.ptr, name.len) != SL_OK) {
        sl_json_pull_out_of_memory(d->p);
        return (sl_str){"", 0};
    }
    return (sl_str){d->key.at, (size_t)d->key.n};
}

static void read_group(sl_json_reader *d, list *groups, sl_str key) {
    sl_results_group *out = list_add(d, groups, sizeof *out);
    if (!out) {
        return;
    }
    group g = {.is = {.name = sl_json_keep(d, key), .meaning = ""}};
    int32_t number = add_name(d, d->groups, key, "group", g.is.name);
    (void)sl_json_read_members(d, group_members, &g);
    g.is.n_fact = g.facts.n;
    g.is.facts = give_columns(d, &g.facts, g.is.n, g.is.name);
    g.is.n_quantity = g.quantities.n;
    g.is.quantities = give_columns(d, &g.quantities, -1, g.is.name);
    for (int32_t q = 0; q < g.is.n_quantity && d->p->status == SL_OK; q++) {
        const char *name = g.is.quantities[q].name;
        (void)add_name(d, d->quantities, sl_json_quantity_key(d, number, sl_str_z(name)), "quantity", name);
    }
    *out = g.is;
}

void sl_json_read_groups(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    list groups = {0};
    sl_str key;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        read_group(d, &groups, key);
    }
    if (d->p->status != SL_OK) {
        return;
    }
    d->r->layout.groups = (const sl_results_group *)(void *)groups.at;
    d->r->layout.n_group = groups.n;
    size_t n = (size_t)sl_ids_count(d->quantities);
    d->seen = sl_arena_alloc(&d->r->arena, n * sizeof *d->seen);
    if (!d->seen || sl_results_number_quantities(d->r) != SL_OK) {
        sl_json_pull_out_of_memory(d->p);
    }
    d->has_groups = true;
}

/* ---- Tables ---------------------------------------------------------------------------------------- */

/* A table on its way. */
typedef struct table {
    sl_results_table is;
    list columns;
} table;

void sl_json_read_tables(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    static const sl_json_member_row members[] = {{"meaning", sl_json_read_text, offsetof(table, is.meaning)},
                                                 {"columns", read_column_list, offsetof(table, columns)},
                                                 {0}};
    list tables = {0};
    sl_str key;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        sl_results_table *out = list_add(d, &tables, sizeof *out);
        table t = {.is = {.name = sl_json_keep(d, key), .meaning = ""}};
        (void)sl_json_read_members(d, members, &t);
        if (!out || d->p->status != SL_OK) {
            return;
        }
        int32_t n = t.columns.n > 0 ? ((const column *)(void *)t.columns.at)->n : 0;
        t.is.n = n > 0 ? n : 0;
        t.is.n_column = t.columns.n;
        t.is.columns = give_columns(d, &t.columns, t.is.n, t.is.name);
        *out = t.is;
    }
    d->r->end.tables = (const sl_results_table *)(void *)tables.at;
    d->r->end.n_table = tables.n;
}
