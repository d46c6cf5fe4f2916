/* SPDX-License-Identifier: MIT */
/* option.c: values of options by the rows of a table; see option.h. */
#include "base/option.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "base/ids.h"
#include "base/number.h"
#include "base/out.h"

/* ---- Numbers ------------------------------------------------------------------------------------ */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A whole number as people write it; false if it is none. */
static bool read_count(const char *text, int64_t *x) {
    char digits[64];
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '_') { /* between digits only */
            if (c == text || !is_digit(c[-1]) || !is_digit(c[1])) {
                return false;
            }
        } else if (n + 1 == sizeof digits) {
            return false;
        } else {
            digits[n++] = *c;
        }
    }
    sl_str s = {digits, n};
    if (sl_number_parse_int(s, x) == SL_NUMBER_OK) {
        return true;
    }
    double d;
    if (sl_number_parse(s, &d) != SL_NUMBER_OK || d != floor(d) || fabs(d) > 9e15) {
        return false;
    }
    *x = (int64_t)d;
    return true;
}

/* ---- Values ------------------------------------------------------------------------------------- */

static void list_words(const char *const *words, char *buf, size_t size) {
    buf[0] = 0;
    for (int i = 0; words[i]; i++) {
        sl_append(buf, size, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
}

static bool set_word(const sl_option *o, const char *shown, const char *text, void *value, char *why) {
    for (int i = 0; o->words[i]; i++) {
        if (sl_str_equal_nocase(sl_str_z(text), sl_str_z(o->words[i]))) {
            memcpy(value, &i, sizeof i);
            return true;
        }
    }
    char list[SL_OPTION_ERROR_MAX / 2];
    list_words(o->words, list, sizeof list);
    const char *near = sl_nearest_word(text, o->words);
    (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s does not know '%s'%s%s%s (it takes %s)", shown, text,
                    near ? "; did you mean " : "", near ? near : "", near ? "?" : "", list);
    return false;
}

static bool set_count(const sl_option *o, const char *shown, const char *text, void *value, char *why) {
    int64_t x;
    if (!read_count(text, &x)) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s '%s' is not a whole number", shown, text);
    } else if (x < o->min || x > o->max) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s is out of range: %lld to %lld", shown, text, (long long)o->min,
                        (long long)o->max);
    } else {
        memcpy(value, &x, sizeof x);
        return true;
    }
    return false;
}

static bool set_number(const char *shown, const char *text, void *value, char *why) {
    double x;
    if (sl_number_parse(sl_str_z(text), &x) != SL_NUMBER_OK || !(x >= 0.0)) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s '%s' is not a number, 0 or more", shown, text);
        return false;
    }
    memcpy(value, &x, sizeof x);
    return true;
}

static bool set_time(const sl_option *o, const char *shown, const char *text, sl_option_time *time, char *why) {
    for (int i = 0; o->words && o->words[i]; i++) {
        if (sl_str_equal_nocase(sl_str_z(text), sl_str_z(o->words[i]))) {
            *time = (sl_option_time){.is_given = true, .word = o->words[i]};
            return true;
        }
    }
    if (sl_option_time_read(shown, text, o->may_count, time, why)) {
        return true;
    }
    if (o->words) {
        char list[SL_OPTION_ERROR_MAX / 4];
        size_t n = strlen(why);
        list_words(o->words, list, sizeof list);
        (void)sl_format(why + n, SL_OPTION_ERROR_MAX - n, "; or %s", list);
    }
    return false;
}

static bool set_text(const sl_option *o, const char *shown, const char *text, void *value, char *why) {
    sl_texts *texts = value;
    if (!*text) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s needs a value that is not empty", shown);
        return false;
    }
    if (o->kind == SL_OPTION_TEXT) {
        memcpy(value, &text, sizeof text);
        return true;
    }
    if (texts->n == SL_TEXTS_MAX) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s can be given %d times at most", shown, SL_TEXTS_MAX);
        return false;
    }
    texts->at[texts->n++] = text;
    return true;
}

bool sl_option_set(const sl_option *o, const char *shown, const char *text, void *values,
                   char why[SL_OPTION_ERROR_MAX]) {
    void *value = (char *)values + o->offset;
    switch (o->kind) {
    case SL_OPTION_WORD: return set_word(o, shown, text, value, why);
    case SL_OPTION_COUNT: return set_count(o, shown, text, value, why);
    case SL_OPTION_NUMBER: return set_number(shown, text, value, why);
    case SL_OPTION_TIME: return set_time(o, shown, text, value, why);
    case SL_OPTION_FLAG: *(bool *)value = true; return true;
    case SL_OPTION_TEXTS:
    case SL_OPTION_TEXT: break;
    }
    return set_text(o, shown, text, value, why);
}

/* ---- By name ------------------------------------------------------------------------------------ */

void *sl_option_values_create(sl_context *ctx, const sl_option_table *table) {
    void *values = sl_alloc(ctx, table->size + 1);
    if (values && table->fill) {
        table->fill(values);
    }
    return values;
}

void sl_option_values_destroy(sl_context *ctx, const sl_option_table *table, void *values) {
    sl_free(ctx, values, values ? table->size + 1 : 0);
}

const sl_option *sl_option_find(const sl_option_table *table, sl_str name) {
    for (int32_t i = 0; i < table->n; i++) {
        if (sl_str_equal(name, sl_str_z(table->options[i].name))) {
            return &table->options[i];
        }
    }
    return NULL;
}

static void unknown_option(const sl_option_table *table, sl_str name, char *why) {
    enum { MOST = 63 };
    const char *names[MOST + 1] = {0};
    char word[64];
    for (int32_t i = 0; i < table->n && i < MOST; i++) {
        names[i] = table->options[i].name;
    }
    (void)sl_format(word, sizeof word, "%.*s", (int)(name.len < 60 ? name.len : 60), name.ptr);
    const char *near = sl_nearest_word(word, names);
    (void)sl_format(why, SL_OPTION_ERROR_MAX, "there is no option %s%s%s%s", word, near ? "; did you mean " : "",
                    near ? near : "", near ? "?" : "");
}

bool sl_option_set_text(const sl_option_table *table, const char *text, void *values, char why[SL_OPTION_ERROR_MAX]) {
    const char *equals = strchr(text, '=');
    sl_str name = {text, equals ? (size_t)(equals - text) : strlen(text)};
    const sl_option *o = sl_option_find(table, name);
    if (!o) {
        unknown_option(table, name, why);
        return false;
    }
    if ((o->kind == SL_OPTION_FLAG) == (equals != NULL)) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, equals ? "%s takes no value" : "%s needs a value", o->name);
        return false;
    }
    return sl_option_set(o, o->name, equals ? equals + 1 : "", values, why);
}
