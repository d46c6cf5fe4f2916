/* SPDX-License-Identifier: MIT */
/* automaton_states.c: discrete states of an automaton as text: q=1,p=0. */
#include "kinds/rows.h"

#include <string.h>

#include "automata/automaton.h"
#include "base/ids.h"
#include "base/number.h"
#include "base/out.h"
#include "base/report.h"

typedef struct reader {
    const sl_sda *d;
    const char *option; /* for messages */
    int32_t *known;     /* [n_variable] */
    int32_t *t;         /* NULL: no time can be given */
    sl_diags *diags;
} reader;

/* The variable of this name, or -1 and an error with the nearest one. */
static int32_t find_discrete(const reader *r, sl_str name) {
    int32_t best = -1, least = 3;
    for (int32_t j = 0; j < sl_sda_n_variable(r->d); j++) {
        int32_t distance = (int32_t)sl_edit_distance(name, sl_sda_variable_name(r->d, j), least);
        if (distance == 0) {
            return j;
        }
        best = distance < least ? j : best;
        least = distance < least ? distance : least;
    }
    char hint[160];
    (void)sl_format(hint, sizeof hint, best >= 0 ? "did you mean '%.*s'?" : "write discrete variables, as q=1,p=0",
                    best >= 0 ? (int)sl_sda_variable_name(r->d, best).len : 0,
                    best >= 0 ? sl_sda_variable_name(r->d, best).ptr : "");
    sl_report(r->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, r->option, NULL, hint, "there is no discrete variable '%.*s'",
              (int)name.len, name.ptr);
    return -1;
}

static sl_str trim(sl_str text) {
    while (text.len > 0 && text.ptr[0] == ' ') {
        text = (sl_str){text.ptr + 1, text.len - 1};
    }
    while (text.len > 0 && text.ptr[text.len - 1] == ' ') {
        text.len--;
    }
    return text;
}

/* "q=1" */
static bool read_value(const reader *r, sl_str item) {
    const char *equals = memchr(item.ptr, '=', item.len);
    sl_str name = trim((sl_str){item.ptr, equals ? (size_t)(equals - item.ptr) : item.len});
    sl_str text = equals ? trim((sl_str){equals + 1, item.len - (size_t)(equals - item.ptr) - 1}) : (sl_str){"", 0};
    int64_t value = 0;
    bool time = r->t && name.len == 1 && name.ptr[0] == 't';
    int32_t j = time ? -1 : find_discrete(r, name), most = INT32_MAX;
    if (j < 0 && !time) {
        return false;
    }
    int32_t *known = time ? r->t : &r->known[j];
    if (!time) {
        most = sl_sda_domain(r->d, j) - 1;
    }
    if (!equals || sl_number_parse_int(text, &value) != SL_NUMBER_OK || value < 0 || value > most) {
        sl_report(r->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, r->option, NULL,
                  time ? "write it as t=1" : "write it as q=1", "'%.*s' needs a value from 0 to %d, not '%.*s'",
                  (int)name.len, name.ptr, (int)most, (int)text.len, text.ptr);
        return false;
    }
    if (*known >= 0 && *known != value) {
        sl_report(r->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, r->option, NULL, "give one of them",
                  "'%.*s' cannot be %d and %d", (int)name.len, name.ptr, (int)*known, (int)value);
        return false;
    }
    *known = (int32_t)value;
    return true;
}

/* Up to a comma that is not within brackets: names have indices. */
static size_t item_length(const char *at) {
    size_t n = 0;
    for (int depth = 0; at[n] && (at[n] != ',' || depth > 0); n++) {
        depth += (at[n] == '[') - (at[n] == ']');
    }
    return n;
}

bool sl_automaton_read_states(const sl_automaton *a, const char *option, const char *text, int32_t *known, int32_t *t,
                              sl_diags *diags) {
    reader r = {.d = sl_sha_discrete(sl_automaton_get(a)), .option = option, .known = known, .t = t, .diags = diags};
    bool fine = true;
    for (const char *at = text; *at;) {
        size_t n = item_length(at);
        sl_str item = trim((sl_str){at, n});
        fine = (item.len == 0 || read_value(&r, item)) && fine;
        at += n + (at[n] == ',');
    }
    return fine;
}
