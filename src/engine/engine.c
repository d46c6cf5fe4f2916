/* SPDX-License-Identifier: MIT */
/* engine.c: searches in an engine's lists. */
#include "engine/engine.h"
#include "engine/result_sink.h"

#include <string.h>

const char *sl_field_class(const sl_engine_ops *ops, int32_t field) {
    return ops->classes[ops->fields[field].of].name;
}

bool sl_field_has_name(const sl_engine_ops *ops, int32_t field, const char *name) {
    const sl_field *f = &ops->fields[field];
    const char *class = ops->classes[f->of].name;
    for (; *class; class ++, name++) { /* most differ in the first letter: a call would cost more */
        if (*class != *name) {
            return false;
        }
    }
    if (f->of != SL_CLASS_MODEL && *name++ != '.') {
        return false;
    }
    return *name == *f->name && strcmp(name, f->name) == 0;
}

int32_t sl_field_n_word(const sl_field *field) {
    int32_t n = 0;
    while (field->words && field->words[n]) {
        n++;
    }
    return n;
}

const char *sl_engine_element(const sl_engine_ops *ops, const void *engine, int32_t of, int32_t index) {
    for (int32_t f = 0; f < ops->n_field; f++) {
        if (ops->fields[f].of == of && index >= 0 && index < ops->count(engine, f)) {
            return ops->element(engine, f, index);
        }
    }
    return "";
}

int32_t sl_engine_find_class(const sl_engine_ops *ops, sl_str name) {
    for (int32_t i = 0; i < ops->n_class; i++) {
        if (sl_str_equal(name, sl_str_z(ops->classes[i].name))) {
            return i;
        }
    }
    return -1;
}

static int32_t find_in_class(const sl_engine_ops *ops, int32_t of, sl_str name) {
    char first = name.len > 0 ? *name.ptr : '\0';
    for (int32_t i = 0; i < ops->n_field; i++) {
        const sl_field *f = &ops->fields[i];
        if (f->of == of && *f->name == first && sl_str_equal(name, sl_str_z(f->name))) {
            return i;
        }
    }
    return -1;
}

int32_t sl_engine_find_field(const sl_engine_ops *ops, const char *class_name, sl_str name) {
    int32_t of = sl_engine_find_class(ops, sl_str_z(class_name));
    return of >= 0 ? find_in_class(ops, of, name) : -1;
}

int32_t sl_engine_find_full(const sl_engine_ops *ops, const char *name) {
    for (int32_t of = SL_CLASS_MODEL + 1; of < ops->n_class; of++) {
        const char *class = ops->classes[of].name, *at = name;
        for (; *class && *class == *at; class ++) {
            at++;
        }
        int32_t field = !*class && *at == '.' ? find_in_class(ops, of, sl_str_z(at + 1)) : -1;
        if (field >= 0) {
            return field;
        }
    }
    return find_in_class(ops, SL_CLASS_MODEL, sl_str_z(name));
}

const sl_facet *sl_engine_find_facet(const sl_engine_ops *ops, const char *name) {
    for (int32_t i = 0; i < ops->n_facet; i++) {
        if (strcmp(ops->facets[i].name, name) == 0) {
            return &ops->facets[i];
        }
    }
    return NULL;
}

/* ---- Steps, as sinks see them ------------------------------------------------------------------- */

sl_status sl_result_step_read(const sl_result_step *step) {
    const sl_result_layout *l = step->layout;
    for (int32_t i = 0; i < l->n_field; i++) {
        step->data[i] = l->ops->data(l->engine, l->fields[i]);
        if (!step->data[i]) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

const int32_t *sl_result_step_moved(const sl_result_step *step, int32_t i, int32_t *n) {
    const sl_result_layout *l = step->layout;
    *n = -1;
    return l->ops->moved ? l->ops->moved(l->engine, l->fields[i], n) : NULL;
}
