/* SPDX-License-Identifier: MIT */
/* record_groups.c: groups and quantities of an engine's fields, without knowledge of the engine; see record.h.
 *
 * The engine names the fields that are usually recorded (ops->recorded); without a list they are those that can change. Others are
 * there when they are asked for.
 */
#include "results/record.h"

#include <string.h>

sl_record_group *sl_record_find_group(sl_recorder *r, const char *name) {
    for (int64_t i = 0; i < r->groups.n; i++) {
        if (strcmp(r->groups.at[i].shown.name, name) == 0) {
            return &r->groups.at[i];
        }
    }
    return NULL;
}

sl_record_quantity *sl_record_find_quantity(const sl_record_group *g, const char *name) {
    for (int64_t i = 0; i < g->quantities.n; i++) {
        if (strcmp(g->quantities.at[i].column.name, name) == 0) {
            return &g->quantities.at[i];
        }
    }
    return NULL;
}

sl_record_group *sl_record_add_group(sl_recorder *r, const sl_results_group *shown, const int32_t *order) {
    sl_record_group g = {.shown = *shown, .of = -1, .order = order};
    return SL_PUSH(r->ctx, &r->groups, g) ? &r->groups.at[r->groups.n - 1] : NULL;
}

sl_status sl_record_add_table(sl_recorder *r, const sl_results_table *table) {
    sl_results_table own = *table;
    own.columns = sl_arena_keep(&r->arena, table->columns, (size_t)table->n_column * sizeof *table->columns);
    return own.columns && SL_PUSH(r->ctx, &r->tables, own) ? SL_OK : SL_ERR_MEMORY;
}

/* ---- What is usual, and what is asked for ------------------------------------------------------- */

static bool is_usual(const sl_recorder *r, int32_t field) {
    const sl_field *f = &r->ops->fields[field];
    for (int i = 0; r->ops->recorded && r->ops->recorded[i]; i++) {
        if (sl_field_has_name(r->ops, field, r->ops->recorded[i])) {
            return true;
        }
    }
    return !r->ops->recorded && !(f->flags & SL_FIELD_PARAMETER);
}

static bool usual_has_name(const sl_recorder *r, const char *name) {
    for (int32_t i = 0; i < r->ops->n_field; i++) {
        if (strcmp(r->ops->fields[i].name, name) == 0 && is_usual(r, i)) {
            return true;
        }
    }
    return false;
}

/* Does a list of --what name this field: by itself only where no usual one has the name, or with its class? */
static bool is_named(const sl_recorder *r, int32_t field, const char *list) {
    const sl_field *f = &r->ops->fields[field];
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        sl_str name = {at, strcspn(at, ", ")};
        const char *of = f->of == SL_CLASS_MODEL ? "model" : r->ops->classes[f->of].name;
        size_t n = strlen(of);
        bool full = name.len > n + 1 && memcmp(name.ptr, of, n) == 0 && name.ptr[n] == '.' &&
                    sl_str_equal_nocase((sl_str){name.ptr + n + 1, name.len - n - 1}, sl_str_z(f->name));
        if (full || (sl_str_equal_nocase(name, sl_str_z(f->name)) && !usual_has_name(r, f->name))) {
            return true;
        }
        at += name.len;
    }
    return false;
}

static bool is_wanted(const sl_recorder *r, int32_t field) {
    const sl_results_select *s = r->def.select;
    bool wanted = is_usual(r, field) || (s && s->n_variable > 0);
    for (int32_t i = 0; s && i < s->n_what && !wanted; i++) {
        wanted = is_named(r, field, s->what[i]);
    }
    return wanted;
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static bool add_quantity(sl_recorder *r, sl_record_group *g, int32_t field) {
    sl_field f = r->ops->fields[field];
    if (r->ops->describe && g->shown.n > 0) {
        r->ops->describe(r->engine, field, 0, &f);
        f.unit = r->ops->fields[field].unit; /* that of all of them */
    }
    sl_record_quantity q = {.column = {.name = f.name,
                                       .unit = strcmp(f.unit, "1") == 0 ? "" : f.unit,
                                       .meaning = f.meaning,
                                       .words = f.words,
                                       .n_word = sl_field_n_word(&f)},
                            .fields = {field, -1},
                            .slots = {-1, -1},
                            .by = 1.0,
                            .usual = is_usual(r, field)};
    return SL_PUSH(r->ctx, &g->quantities, q);
}

/* The usual ones in the order of the engine's list, then the others. */
static bool add_quantities(sl_recorder *r, sl_record_group *g) {
    bool fine = true;
    for (int i = 0; r->ops->recorded && r->ops->recorded[i] && fine; i++) {
        int32_t field = sl_engine_find_full(r->ops, r->ops->recorded[i]);
        fine = field < 0 || r->ops->fields[field].of != g->of || add_quantity(r, g, field);
    }
    for (int32_t i = 0; i < r->ops->n_field && fine; i++) {
        bool listed = r->ops->recorded && is_usual(r, i);
        fine = r->ops->fields[i].of != g->of || listed || !is_wanted(r, i) || add_quantity(r, g, i);
    }
    return fine;
}

static sl_status add_class(sl_recorder *r, int32_t of) {
    int32_t field = 0;
    while (field < r->ops->n_field && r->ops->fields[field].of != of) {
        field++;
    }
    int32_t n = field < r->ops->n_field ? r->ops->count(r->engine, field) : 0;
    if (n == 0) {
        return SL_OK;
    }
    const char **ids = sl_arena_alloc(&r->arena, (size_t)n * sizeof *ids);
    for (int32_t i = 0; ids && i < n; i++) {
        const char *id = r->ops->element(r->engine, field, i);
        ids[i] = sl_results_text(&r->arena, id ? id : "");
        ids = ids[i] ? ids : NULL;
    }
    const sl_class *c = &r->ops->classes[of];
    bool whole = of == SL_CLASS_MODEL;
    sl_results_group shown = {
        .name = whole ? "model" : c->name, .meaning = whole ? "the model as a whole" : c->meaning, .n = n, .ids = ids};
    sl_record_group *g = ids ? sl_record_add_group(r, &shown, NULL) : NULL;
    if (!g) {
        return SL_ERR_MEMORY;
    }
    g->of = of;
    return add_quantities(r, g) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_record_groups_make(sl_recorder *r) {
    sl_status status = SL_OK;
    for (int32_t of = 1; of < r->ops->n_class && status == SL_OK; of++) {
        status = add_class(r, of);
    }
    return status == SL_OK ? add_class(r, SL_CLASS_MODEL) : status;
}
