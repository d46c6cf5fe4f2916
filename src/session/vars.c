/* SPDX-License-Identifier: MIT */
/* vars.c: variables by name: class.'id'.quantity, or quantity alone for one of the model as a whole.
 *
 * Names are made when asked for: a city has millions of them. Ids stand in quotes, with \' and \\ for a quote and a
 * backslash in them, so that any id can be written and a name can be taken apart again. One table of ids per class is
 * built at the first search in it.
 */
#include "session/session_impl.h"

#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

/* ---- Making names ------------------------------------------------------------------------------- */

static bool put(sl_session *s, sl_str text) {
    if (!SL_RESERVE(s->ctx, &s->name, s->name.n + (int64_t)text.len + 1)) {
        return false;
    }
    if (text.len > 0) {
        memcpy(s->name.at + s->name.n, text.ptr, text.len);
    }
    s->name.n += (int64_t)text.len;
    s->name.at[s->name.n] = '\0';
    return true;
}

static bool put_quoted(sl_session *s, sl_str id) {
    bool fine = put(s, sl_str_z("'"));
    for (size_t i = 0; fine && i < id.len; i++) {
        bool escape = id.ptr[i] == '\'' || id.ptr[i] == '\\';
        fine = (!escape || put(s, sl_str_z("\\"))) && put(s, (sl_str){id.ptr + i, 1});
    }
    return fine && put(s, sl_str_z("'"));
}

static bool make_name(sl_session *s, int32_t of, sl_str id, sl_str quantity) {
    s->name.n = 0;
    bool fine = true;
    if (of != SL_CLASS_MODEL) {
        fine = put(s, sl_str_z(s->ops->classes[of].name)) && put(s, sl_str_z(".")) && put_quoted(s, id) &&
               put(s, sl_str_z("."));
    }
    return fine && put(s, quantity);
}

static bool name_of(sl_session *s, sl_var v) {
    const sl_field *f = &s->ops->fields[v.field];
    return make_name(s, f->of, sl_str_z(s->ops->element(s->engine, v.field, v.index)), sl_str_z(f->name));
}

const char *sl_session_name(sl_session *s, sl_var v) {
    return name_of(s, v) ? s->name.at : s->ops->fields[v.field].name;
}

/* ---- Variables by position ---------------------------------------------------------------------- */

int64_t sl_session_n_var(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return 0;
    }
    return s->offset[s->ops->n_field];
}

int64_t sl_session_ref(const sl_session *s, sl_var v) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return -1;
    }
    return sl_session_has(s, v) ? s->offset[v.field] + v.index : -1;
}

/* The field that the variable at this position belongs to: the last whose first variable is not after it. */
static int32_t field_at(const sl_session *s, int64_t ref) {
    int32_t low = 0, high = s->ops->n_field - 1;
    while (low < high) {
        int32_t mid = low + (high - low + 1) / 2;
        if (s->offset[mid] <= ref) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

sl_field sl_session_describe(const sl_session *s, sl_var v) {
    sl_field f = s->ops->fields[v.field];
    if (s->ops->describe) {
        s->ops->describe(s->engine, v.field, v.index, &f);
    }
    return f;
}

const char *sl_session_element(const sl_session *s, int32_t of, int32_t index) {
    return sl_engine_element(s->ops, s->engine, of, index);
}

/* Values as created: from this engine while nothing has happened to it, else from a new one. */
static sl_status start_value(sl_session *s, sl_var v, double *x) {
    const void *engine = s->touched ? s->fresh : s->engine;
    *x = (double)NAN;
    if (sl_session_uncomputed(s, v.field)) {
        return SL_OK;
    }
    if (!engine) {
        sl_status status = s->ops->create(s->ctx, s->model->model, NULL, &s->fresh);
        if (status != SL_OK) {
            return status;
        }
        engine = s->fresh;
    }
    const double *data = s->ops->data(engine, v.field);
    *x = data ? data[v.index] : (double)NAN;
    return data ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_session_var(sl_session *s, uint32_t ref, sl_var_info *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !out) {
        return SL_ERR_USE;
    }
    if (ref >= (uint64_t)sl_session_n_var(s)) {
        return sl_session_refuse(s, "a variable was asked for at a position beyond the last", NULL);
    }
    if (!sl_sized_valid(out)) {
        return sl_session_refuse(s, "the sl_var_info has no size", "set its member size");
    }
    int32_t field = field_at(s, ref);
    sl_var v = {field, (int32_t)(ref - s->offset[field])};
    const sl_field own = sl_session_describe(s, v), *f = &own;
    double start;
    sl_status status = start_value(s, v, &start);
    if (status != SL_OK || !name_of(s, v)) {
        return status != SL_OK ? status : SL_ERR_MEMORY;
    }
    bool input = f->flags & SL_FIELD_INPUT, parameter = f->flags & SL_FIELD_PARAMETER;
    bool free_range = f->min == 0.0 && f->max == 0.0;
    const sl_var_info info = {
        .var = v,
        .ref = ref,
        .name = s->name.at,
        .type = (sl_var_type)f->type,
        .causality = input       ? SL_VAR_INPUT
                     : parameter ? SL_VAR_PARAMETER
                                 : SL_VAR_OUTPUT,
        .variability = !input && parameter                                        ? SL_VAR_FIXED
                       : f->flags & SL_FIELD_DISCRETE || f->type != SL_FIELD_REAL ? SL_VAR_DISCRETE
                                                                                  : SL_VAR_CONTINUOUS,
        .unit = f->unit,
        .meaning = f->meaning,
        .start = start,
        .min = free_range ? -(double)INFINITY : f->min,
        .max = free_range ? (double)INFINITY : f->max,
        .words = f->words,
    };
    sl_sized_give(out, &info, sizeof info);
    return SL_OK;
}

int32_t sl_session_field(const sl_session *s, const char *name) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !name) {
        return -1;
    }
    return sl_engine_find_full(s->ops, name);
}

/* ---- Taking names apart ------------------------------------------------------------------------- */

/* The parts of a name; id without its escapes, in memory of its own. */
typedef struct parts {
    sl_str class, id, quantity;
    char *memory;
    size_t size;
} parts;

/* Looks for class.'id'.quantity. *quoted: it has that form. SL_ERR_MEMORY only. */
static sl_status take_apart(sl_context *ctx, const char *name, parts *p, bool *quoted) {
    const char *dot = strchr(name, '.');
    *p = (parts){.size = strlen(name) + 1};
    *quoted = false;
    if (!dot || dot[1] != '\'') {
        return SL_OK;
    }
    p->memory = sl_alloc(ctx, p->size);
    if (!p->memory) {
        return SL_ERR_MEMORY;
    }
    size_t n = 0;
    const char *c = dot + 2;
    for (; *c && *c != '\''; c++) {
        if (*c == '\\' && (c[1] == '\'' || c[1] == '\\')) {
            c++;
        }
        p->memory[n++] = *c;
    }
    *quoted = c[0] == '\'' && c[1] == '.';
    p->class = (sl_str){name, (size_t)(dot - name)};
    p->id = (sl_str){p->memory, n};
    p->quantity = sl_str_z(*quoted ? c + 2 : "");
    return SL_OK;
}

/* The table of a class, made at the first search in it. */
static sl_status class_ids(sl_session *s, int32_t field, const sl_ids **out) {
    int32_t of = s->ops->fields[field].of;
    if (!s->ids[of]) {
        int32_t n = s->ops->count(s->engine, field);
        sl_ids *ids = sl_ids_create(s->ctx);
        for (int32_t i = 0; ids && i < n; i++) {
            if (sl_ids_add(ids, sl_str_z(s->ops->element(s->engine, field, i))) == INT32_MIN) {
                sl_ids_destroy(ids);
                ids = NULL;
            }
        }
        if (!ids) {
            return SL_ERR_MEMORY;
        }
        s->ids[of] = ids;
    }
    *out = s->ids[of];
    return SL_OK;
}

/* ---- Hints -------------------------------------------------------------------------------------- */

/* How far a word may be from what was written: about a third of its letters, in half steps. */
static int reach(sl_str word) {
    return (int)(word.len < 3 ? 2 : word.len < 64 ? 2 * word.len / 3 : 42);
}

/* The field whose class is nearest to what was written, or -1. */
static int32_t nearest_class(const sl_session *s, sl_str class) {
    int limit = reach(class);
    int32_t best = -1;
    for (int32_t f = 0; f < s->ops->n_field; f++) {
        int d = sl_edit_distance(class, sl_str_z(sl_field_class(s->ops, f)), limit);
        if (s->ops->fields[f].of != SL_CLASS_MODEL && d <= limit) {
            best = f;
            limit = d - 1;
        }
    }
    return best;
}

/* The field of a class whose quantity is nearest, or -1. */
static int32_t nearest_quantity(const sl_session *s, int32_t of, sl_str quantity) {
    int limit = reach(quantity);
    int32_t best = -1;
    for (int32_t f = 0; f < s->ops->n_field; f++) {
        int d = sl_edit_distance(quantity, sl_str_z(s->ops->fields[f].name), limit);
        if (s->ops->fields[f].of == of && d <= limit) {
            best = f;
            limit = d - 1;
        }
    }
    return best;
}

/* No such variable; of the parts, those meant are guessed and put into the hint. */
static sl_status miss(sl_session *s, const char *name, const char *what, bool guessed) {
    char quoted[SL_QUOTE_MAX], hint[512];
    if (guessed) {
        (void)sl_format(hint, sizeof hint, "did you mean %s?", s->name.at);
    }
    sl_session_add_diag(s, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, guessed ? hint : NULL, "there is no variable %s: %s",
                        sl_quote(sl_str_z(name), quoted), what);
    return SL_ERR_INPUT;
}

static sl_status miss_class(sl_session *s, const char *name, const parts *p) {
    char text[SL_QUOTE_MAX + 64], quoted[SL_QUOTE_MAX];
    int32_t near = nearest_class(s, p->class);
    (void)sl_format(text, sizeof text, "the model has no class %s", sl_quote(p->class, quoted));
    return miss(s, name, text, near >= 0 && make_name(s, s->ops->fields[near].of, p->id, p->quantity));
}

static sl_status miss_quantity(sl_session *s, const char *name, const parts *p, int32_t of) {
    char text[SL_QUOTE_MAX + 64], quoted[SL_QUOTE_MAX];
    int32_t near = nearest_quantity(s, of, p->quantity);
    for (int32_t f = 0; near < 0 && f < s->ops->n_field; f++) { /* or that of another class: pump, not link */
        bool same =
            s->ops->fields[f].of != SL_CLASS_MODEL && sl_str_equal(p->quantity, sl_str_z(s->ops->fields[f].name));
        near = same ? f : -1;
    }
    (void)sl_format(text, sizeof text, "a %s has no %s", s->ops->classes[of].name, sl_quote(p->quantity, quoted));
    return miss(s, name, text,
                near >= 0 && make_name(s, s->ops->fields[near].of, p->id, sl_str_z(s->ops->fields[near].name)));
}

static sl_status miss_id(sl_session *s, const char *name, const parts *p, int32_t field, const sl_ids *ids) {
    char text[SL_QUOTE_MAX + 64], quoted[SL_QUOTE_MAX];
    const sl_field *f = &s->ops->fields[field];
    int32_t near = sl_ids_nearest(ids, p->id);
    (void)sl_format(text, sizeof text, "no %s has the id %s", s->ops->classes[f->of].name, sl_quote(p->id, quoted));
    return miss(s, name, text, near >= 0 && make_name(s, f->of, sl_ids_text(ids, near), sl_str_z(f->name)));
}

static sl_status miss_plain(sl_session *s, const char *name) {
    const char *dot = strchr(name, '.');
    sl_str class = {name, dot ? (size_t)(dot - name) : 0};
    for (int32_t f = 0; dot && f < s->ops->n_field; f++) {
        int32_t of = s->ops->fields[f].of;
        if (of != SL_CLASS_MODEL && sl_str_equal(class, sl_str_z(s->ops->classes[of].name))) {
            bool fine = make_name(s, of, sl_str_z("ID"), sl_str_z(s->ops->fields[f].name));
            return miss(s, name, "ids stand in quotes", fine);
        }
    }
    int32_t near = nearest_quantity(s, SL_CLASS_MODEL, sl_str_z(name));
    return miss(s, name, "the model has no such quantity",
                near >= 0 && make_name(s, SL_CLASS_MODEL, sl_str_z(""), sl_str_z(s->ops->fields[near].name)));
}

/* ---- Finding ------------------------------------------------------------------------------------ */

static sl_status find_element(sl_session *s, const char *name, const parts *p, sl_var *out) {
    int32_t of = SL_CLASS_MODEL;
    for (int32_t f = 0; of == SL_CLASS_MODEL && f < s->ops->n_field; f++) {
        bool same = sl_str_equal(p->class, sl_str_z(sl_field_class(s->ops, f)));
        of = same ? s->ops->fields[f].of : of;
    }
    if (of == SL_CLASS_MODEL) {
        return miss_class(s, name, p);
    }
    int32_t field = sl_engine_find_field(s->ops, s->ops->classes[of].name, p->quantity);
    if (field < 0) {
        return miss_quantity(s, name, p, of);
    }
    const sl_ids *ids;
    sl_status status = class_ids(s, field, &ids);
    if (status != SL_OK) {
        return status;
    }
    int32_t index = sl_ids_find(ids, p->id);
    if (index < 0) {
        return miss_id(s, name, p, field, ids);
    }
    *out = (sl_var){field, index};
    return SL_OK;
}

sl_status sl_session_find(sl_session *s, const char *name, sl_var *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !name || !out) {
        return SL_ERR_USE;
    }
    *out = (sl_var){-1, -1};
    parts p;
    bool quoted;
    sl_status status = take_apart(s->ctx, name, &p, &quoted);
    if (status == SL_OK && quoted) {
        status = find_element(s, name, &p, out);
    } else if (status == SL_OK) {
        int32_t field = sl_engine_find_field(s->ops, "", sl_str_z(name));
        if (field >= 0) {
            *out = (sl_var){field, 0};
        } else {
            status = miss_plain(s, name);
        }
    }
    sl_free(s->ctx, p.memory, p.memory ? p.size : 0);
    return status;
}

void sl_session_vars_fini(sl_session *s) {
    for (int32_t of = 0; s->ids && of < s->ops->n_class; of++) {
        sl_ids_destroy(s->ids[of]);
    }
    sl_free(s->ctx, (void *)s->ids, s->ids ? (size_t)s->ops->n_class * sizeof(sl_ids *) : 0);
    if (s->fresh) {
        s->ops->destroy(s->fresh);
    }
    SL_ARRAY_FINI(s->ctx, &s->name);
}
