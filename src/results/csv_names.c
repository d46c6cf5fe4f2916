/* SPDX-License-Identifier: MIT */
/* csv_names.c: names of columns in .csv files; see csv_impl.h. */
#include <string.h>

#include "base/out.h"
#include "results/csv_impl.h"

/* ---- Units -------------------------------------------------------------------------------------- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static size_t append(char *to, const char *text) {
    const sl_str s = sl_str_z(text);
    memcpy(to, s.ptr, s.len);
    return s.len;
}

size_t sl_csv_unit_suffix(const char *unit, char *to) {
    size_t n = 0;
    bool gap = true; /* one underscore before what follows */
    if (strcmp(unit, "1") == 0) {
        return 0;
    }
    for (const char *c = unit; *c; c++) {
        if (*c == '/' || *c == '%') {
            n += append(to + n, *c == '/' ? "_per" : "_percent");
            gap = true;
        } else if (!is_letter(*c)) {
            gap = true;
        } else {
            n += append(to + n, gap ? "_" : "");
            to[n++] = *c;
            gap = false;
        }
    }
    return n;
}

const char *sl_csv_column_name(sl_arena *arena, const char *name, const char *unit) {
    char *suffix = sl_arena_alloc(arena, 9 * strlen(unit) + 1);
    (void)(suffix && sl_csv_unit_suffix(unit, suffix));
    return suffix ? sl_arena_format(arena, "%s%s", name, suffix) : NULL;
}

/* Those that engines and networks give their values. */
static const char *const known[] = {
    "m",     "ft",     "mm",     "in",     "km",     "m/s",   "ft/s", "m/km",   "ft/kft",   "m3/s",
    "L/s",   "L/min",  "ML/d",   "m3/h",   "m3/d",   "ft3/s", "gpm",  "Mgal/d", "ac-ft/d",  "Mgal(imp)/d",
    "psi",   "kPa",    "Pa",     "bar",    "m3",     "ft3",   "L",    "m2",     "ft2",      "mg/L",
    "ug/L",  "mg/L/d", "ug/L/d", "mg/L/s", "ug/L/s", "h",     "h/d",  "h/s",    "%",        "%/d",
    "%/s",   "s",      "min",    "d",      "kW",     "W",     "kWh",  "kWh/m3", "kWh/Mgal", "N m",
    "rad/s", "rpm",    "K",      "kg",     "kg/s",   "kg/m3", "J",    "V",      "A",        "Hz",
    "°C",    "rad",    "N",      "g",      "m/s2",   "kJ",    "MPa",  "mol/L",  "steps",    "m2/s2",
};

const char *sl_csv_unit_take(sl_str *name) {
    const char *found = "";
    size_t longest = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char suffix[128];
        size_t n = sl_csv_unit_suffix(known[i], suffix);
        if (n > longest && n < name->len && memcmp(name->ptr + name->len - n, suffix, n) == 0) {
            found = known[i];
            longest = n;
        }
    }
    name->len -= longest;
    return found;
}

/* ---- Ids ---------------------------------------------------------------------------------------- */

static bool is_plain(const char *id) {
    for (const char *c = id; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == '.' || *c == '\'' || *c == '"' || *c == ',') {
            return false;
        }
    }
    return *id != '\0';
}

size_t sl_csv_id_quote(const char *id, char *to) {
    if (is_plain(id)) {
        return append(to, id);
    }
    char *p = to;
    *p++ = '\'';
    for (const char *c = id; *c; c++) {
        if (*c == '\'' || *c == '\\') {
            *p++ = '\\';
        }
        *p++ = *c;
    }
    *p++ = '\'';
    return (size_t)(p - to);
}

bool sl_csv_id_take(sl_str *text, sl_str *id, bool *quoted) {
    const char *p = text->ptr, *end = p + text->len;
    *quoted = text->len > 0 && *p == '\'';
    if (!*quoted) {
        while (p < end && *p != '.') {
            p++;
        }
        *id = (sl_str){text->ptr, (size_t)(p - text->ptr)};
    } else {
        char *to = (char *)text->ptr + 1; /* the text is the reader's own */
        for (p++; p < end && *p != '\''; p++) {
            p += *p == '\\' && p + 1 < end;
            *to++ = *p;
        }
        *id = (sl_str){text->ptr + 1, (size_t)(to - text->ptr - 1)};
        if (p++ >= end || (p < end && *p != '.')) {
            return false;
        }
    }
    p += p < end;
    *text = (sl_str){p, (size_t)(end - p)};
    return true;
}

/* ---- Cells -------------------------------------------------------------------------------------- */

size_t sl_csv_quote(const char *text, char *to) {
    size_t n = strlen(text);
    if (!strpbrk(text, ",\"\r\n") && n > 0 && text[0] != ' ' && text[n - 1] != ' ') {
        return append(to, text);
    }
    char *p = to;
    *p++ = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"') {
            *p++ = '"';
        }
        *p++ = *c;
    }
    *p++ = '"';
    return (size_t)(p - to);
}

bool sl_csv_is_bare(const sl_results_group *group) {
    return group->n_quantity == 1 && (strcmp(group->name, "variable") == 0 || strcmp(group->name, "discrete") == 0);
}
