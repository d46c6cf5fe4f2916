/* SPDX-License-Identifier: MIT */
/* engine.c: looking things up in an engine's lists. */
#include "engine/engine.h"

#include <string.h>

const char *sl_field_class(sl_field_of of) {
    static const char *const words[SL_OF_COUNT] = {"",     "node",  "reservoir", "tank",     "link",    "pipe",
                                                   "pump", "valve", "part",      "variable", "discrete"};
    return words[of];
}

bool sl_field_has_name(const sl_field *field, const char *name) {
    const char *class = sl_field_class(field->of);
    for (; *class; class ++, name++) { /* most differ in the first letter: a call would cost more */
        if (*class != *name) {
            return false;
        }
    }
    if (field->of != SL_OF_MODEL && *name++ != '.') {
        return false;
    }
    return *name == *field->name && strcmp(name, field->name) == 0;
}

int32_t sl_engine_find_field(const sl_engine_ops *ops, sl_field_of of, sl_str name) {
    char first = name.len > 0 ? *name.ptr : '\0';
    for (int32_t i = 0; i < ops->n_field; i++) {
        const sl_field *f = &ops->fields[i];
        if (f->of == of && *f->name == first && sl_str_equal(name, sl_str_z(f->name))) {
            return i;
        }
    }
    return -1;
}

int32_t sl_engine_find_full(const sl_engine_ops *ops, const char *name) {
    for (sl_field_of of = SL_OF_MODEL + 1; of < SL_OF_COUNT; of++) {
        const char *class = sl_field_class(of), *at = name;
        for (; *class && *class == *at; class ++) {
            at++;
        }
        int32_t field = !*class && *at == '.' ? sl_engine_find_field(ops, of, sl_str_z(at + 1)) : -1;
        if (field >= 0) {
            return field;
        }
    }
    return sl_engine_find_field(ops, SL_OF_MODEL, sl_str_z(name));
}
