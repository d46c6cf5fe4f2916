/* SPDX-License-Identifier: MIT */
/* yaml_values.c: values of nodes, with their types checked; see yaml.h.
 *
 * A message names the key and what was found, and shows what a good value looks like: that is the remedy.
 */
#include "text/yaml_impl.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/ids.h"
#include "base/number.h"
#include "base/out.h"

enum { HINT_MAX = 512 };

/* ---- What is said ------------------------------------------------------------------------------- */

bool sl_yaml_is_empty(const sl_yaml_node *node) {
    return node->kind == SL_YAML_SCALAR && !node->quoted &&
           (node->text.len == 0 || sl_str_equal(node->text, sl_str_z("~")) ||
            sl_str_equal(node->text, sl_str_z("null")));
}

/* The key of the node, or of the list that it is an element of: what messages call it. */
static const char *key_text(const sl_yaml_node *node, char buf[SL_QUOTE_MAX]) {
    const sl_yaml_node *n = node;
    while (n && !n->key.ptr) {
        n = n->parent;
    }
    if (!n) {
        return "the value";
    }
    (void)sl_quote(n->key, buf);
    size_t len = strlen(buf); /* without the quotes: keys are words */
    memmove(buf, buf + 1, len - 2);
    buf[len - 2] = '\0';
    return buf;
}

static const char *value_text(const sl_yaml_node *node, char buf[SL_QUOTE_MAX]) {
    static const char *const kinds[] = {NULL, "a list", "a map"};
    return node->kind == SL_YAML_SCALAR ? (sl_yaml_is_empty(node) ? "empty" : sl_quote(node->text, buf))
                                        : kinds[node->kind];
}

/* "KEY: FOUND is not WANTED". Always false. */
static bool report_wrong_value(sl_yaml *doc, const sl_yaml_node *node, sl_code code, const char *wanted,
                               const char *hint) {
    char key[SL_QUOTE_MAX], value[SL_QUOTE_MAX];
    sl_yaml_report(doc, node, SL_ERROR, code, hint, "%s: %s is not %s", key_text(node, key), value_text(node, value),
                   wanted);
    return false;
}

static bool is_scalar(sl_yaml *doc, const sl_yaml_node *node, const char *wanted, const char *hint) {
    bool fine = node->kind == SL_YAML_SCALAR && !sl_yaml_is_empty(node);
    return fine || report_wrong_value(doc, node, SL_CODE_WRONG_TYPE, wanted, hint);
}

/* The nearest of n words, or NULL. */
static const char *nearest_word(sl_str word, const char *const *words, int32_t n) {
    int limit = word.len < 6 ? 2 : 4;
    const char *best = NULL;
    for (int32_t i = 0; i < n; i++) {
        int d = sl_edit_distance(word, sl_str_z(words[i]), limit);
        if (d <= limit) {
            best = words[i];
            limit = d - 1;
        }
    }
    return best;
}

/* "did you mean 'a'?", or the words to choose from. */
static const char *suggest_word(sl_str word, const char *const *words, int32_t n, const char *all,
                                char hint[HINT_MAX]) {
    const char *near = nearest_word(word, words, n);
    if (near) {
        (void)sl_format(hint, HINT_MAX, "did you mean '%s'?", near);
        return hint;
    }
    size_t at = (size_t)sl_format(hint, HINT_MAX, "%s", all);
    for (int32_t i = 0; i < n && words[i] && at + strlen(words[i]) + 8 < HINT_MAX; i++) {
        at += (size_t)sl_format(hint + at, HINT_MAX - at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    }
    return hint;
}

/* ---- Values of nodes ---------------------------------------------------------------------------- */

bool sl_yaml_as_text(sl_yaml *doc, const sl_yaml_node *node, const char **out) {
    if (!is_scalar(doc, node, "a text", "write a text, in quotes if need be")) {
        return false;
    }
    if (node->text.len == 0 || memchr(node->text.ptr, 0, node->text.len)) {
        return report_wrong_value(doc, node, SL_CODE_WRONG_TYPE, "a text", "write at least one character, and no \\0");
    }
    *out = node->text.ptr;
    return true;
}

/* Splits "5 MPa" or "5MPa" into number and unit. */
static void split_unit(sl_str text, sl_str *number, sl_str *unit) {
    size_t i = 0, n = text.len;
    bool digits = false;
    while (i < n) {
        char c = text.ptr[i];
        bool sign = (c == '+' || c == '-') && (i == 0 || text.ptr[i - 1] == 'e' || text.ptr[i - 1] == 'E');
        bool digit = c >= '0' && c <= '9';
        /* e begins an exponent only when a number follows */
        bool follows = i + 1 < n && strchr("+-0123456789", text.ptr[i + 1]) && text.ptr[i + 1];
        bool exponent = (c == 'e' || c == 'E') && digits && follows;
        if (!digit && !sign && !exponent && c != '.') {
            break;
        }
        digits = digits || digit;
        i++;
    }
    *number = (sl_str){text.ptr, i};
    while (i < n && (text.ptr[i] == ' ' || text.ptr[i] == '\t')) {
        i++;
    }
    *unit = (sl_str){text.ptr + i, n - i};
}

/* Is the number allowed by the flags? */
static bool in_bounds(sl_yaml *doc, const sl_yaml_node *node, unsigned flags, double x) {
    if (flags & SL_YAML_POSITIVE && !(x > 0.0)) {
        return report_wrong_value(doc, node, SL_CODE_VALUE_RANGE, "above 0", "write a number above 0");
    }
    if (flags & SL_YAML_NOT_NEGATIVE && !(x >= 0.0)) {
        return report_wrong_value(doc, node, SL_CODE_VALUE_RANGE, "0 or more", "write a number of 0 or more");
    }
    return true;
}

/* The unit that text names, if it has the dimension of `in`. */
static const sl_unit *unit_of(sl_yaml *doc, const sl_yaml_node *node, sl_str text, const sl_unit *in) {
    char key[SL_QUOTE_MAX], value[SL_QUOTE_MAX], hint[HINT_MAX];
    const sl_unit *unit = sl_unit_find(text);
    if (unit && sl_unit_same_dimension(unit, in)) {
        return unit;
    }
    bool plain = in->name[0] == '-' || in->name[0] == '1';
    (void)sl_format(hint, sizeof hint,
                    plain ? "write a number without a unit" : "write a number with a unit such as %s", in->name);
    sl_yaml_report(doc, node, SL_ERROR, SL_CODE_UNIT, hint, "%s: %s is %s", key_text(node, key), sl_quote(text, value),
                   unit ? "a unit of something else" : "not a unit that is known");
    return NULL;
}

bool sl_yaml_as_number(sl_yaml *doc, const sl_yaml_node *node, unsigned flags, const char *unit, double *out) {
    const sl_unit *in = sl_unit_find(sl_str_z(unit && unit[0] ? unit : "-"));
    assert(in && "a unit that sluice/units.h knows");
    static const char example[] = "write a number: 12, 0.5 or 1e-3";
    if (!is_scalar(doc, node, "a number", example)) {
        return false;
    }
    sl_str number, rest;
    double x;
    split_unit(node->text, &number, &rest);
    sl_number how = sl_number_parse(number, &x);
    if (how != SL_NUMBER_OK) {
        return report_wrong_value(doc, node, how == SL_NUMBER_RANGE ? SL_CODE_NUMBER_RANGE : SL_CODE_NOT_A_NUMBER,
                                  how == SL_NUMBER_RANGE ? "within the range of numbers" : "a number", example);
    }
    if (rest.len > 0) {
        const sl_unit *from = unit_of(doc, node, rest, in);
        if (!from || sl_unit_convert(x, from, in, &x) != SL_OK) {
            return false;
        }
    }
    if (!isfinite(x)) {
        return report_wrong_value(doc, node, SL_CODE_NUMBER_RANGE, "within the range of numbers", example);
    }
    if (!in_bounds(doc, node, flags, x)) {
        return false;
    }
    *out = x;
    return true;
}

bool sl_text_quantity(sl_str text, sl_str *unit, double *out) {
    sl_str number;
    split_unit(text, &number, unit);
    return sl_number_parse(number, out) == SL_NUMBER_OK;
}

bool sl_text_time(sl_str text, double *out) {
    sl_str rest;
    bool fine = sl_text_quantity(text, &rest, out);
    if (fine && rest.len > 0) {
        const sl_unit *unit = sl_unit_find(rest);
        fine = unit && sl_unit_convert(*out, unit, sl_unit_find(sl_str_z("s")), out) == SL_OK;
    }
    return (fine || sl_time_parse_text(text, out) == SL_OK) && isfinite(*out);
}

bool sl_yaml_as_time(sl_yaml *doc, const sl_yaml_node *node, unsigned flags, double *out) {
    static const char example[] = "write seconds (90), a number with a unit (15 min, 2 h) or hours and minutes (1:30)";
    double x = 0.0;
    if (!is_scalar(doc, node, "a time", example)) {
        return false;
    }
    if (!sl_text_time(node->text, &x)) {
        return report_wrong_value(doc, node, SL_CODE_NOT_A_TIME, "a time", example);
    }
    if (!in_bounds(doc, node, flags, x)) {
        return false;
    }
    *out = x;
    return true;
}

bool sl_yaml_as_int(sl_yaml *doc, const sl_yaml_node *node, int64_t min, int64_t max, int64_t *out) {
    char key[SL_QUOTE_MAX], value[SL_QUOTE_MAX];
    static const char example[] = "write a whole number, as 3";
    int64_t x;
    if (!is_scalar(doc, node, "a whole number", example)) {
        return false;
    }
    if (sl_number_parse_int(node->text, &x) != SL_NUMBER_OK) {
        return report_wrong_value(doc, node, SL_CODE_NOT_A_NUMBER, "a whole number", example);
    }
    if (x < min || x > max) {
        sl_yaml_report(doc, node, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "%s: %s is not within %lld and %lld",
                       key_text(node, key), value_text(node, value), (long long)min, (long long)max);
        return false;
    }
    *out = x;
    return true;
}

bool sl_yaml_as_bool(sl_yaml *doc, const sl_yaml_node *node, bool *out) {
    bool yes = sl_str_equal(node->text, sl_str_z("true")), no = sl_str_equal(node->text, sl_str_z("false"));
    if (node->kind != SL_YAML_SCALAR || (!yes && !no)) {
        return report_wrong_value(doc, node, SL_CODE_WRONG_TYPE, "true or false", "write true or false");
    }
    *out = yes;
    return true;
}

bool sl_yaml_as_word(sl_yaml *doc, const sl_yaml_node *node, const char *const *words, int *out) {
    char hint[HINT_MAX];
    int32_t n = 0;
    while (words[n]) {
        n++;
    }
    for (int i = 0; i < n && node->kind == SL_YAML_SCALAR; i++) {
        if (sl_str_equal_nocase(node->text, sl_str_z(words[i]))) {
            *out = i;
            return true;
        }
    }
    return report_wrong_value(doc, node, SL_CODE_UNKNOWN_KEYWORD, "one of the words that can stand here",
                              suggest_word(node->text, words, n, "write ", hint));
}

/* ---- Maps --------------------------------------------------------------------------------------- */

bool sl_yaml_open_map(sl_yaml *doc, const sl_yaml_node *node, sl_yaml_map *out) {
    *out = (sl_yaml_map){.doc = doc, .node = node};
    if (!node) {
        sl_yaml_report(doc, NULL, SL_ERROR, SL_CODE_MISSING_VALUE, "write lines of the form `key: value`",
                       "the file is empty");
        return false;
    }
    return node->kind == SL_YAML_MAP ||
           report_wrong_value(doc, node, SL_CODE_WRONG_TYPE, "a map", "write lines of the form `key: value`");
}

const sl_yaml_node *sl_yaml_get(sl_yaml_map *m, const char *key, unsigned flags) {
    assert(m->n < SL_YAML_KEYS_MAX);
    m->asked[m->n++] = key;
    const sl_yaml_node *node = m->node->first;
    while (node && !sl_str_equal(node->key, sl_str_z(key))) {
        node = node->next;
    }
    if (node && !sl_yaml_is_empty(node)) {
        return node;
    }
    if (flags & SL_YAML_NEEDED) {
        char hint[HINT_MAX];
        (void)sl_format(hint, sizeof hint, "add `%s: ...`", key);
        if (node) {
            sl_yaml_report_key(m->doc, node, SL_ERROR, SL_CODE_MISSING_VALUE, NULL, "%s has no value", key);
        } else {
            sl_yaml_report(m->doc, m->node, SL_ERROR, SL_CODE_MISSING_VALUE, hint, "%s is missing", key);
        }
    }
    return NULL;
}

void sl_yaml_done(sl_yaml_map *m) {
    char quoted[SL_QUOTE_MAX], hint[HINT_MAX];
    for (const sl_yaml_node *node = m->node->first; node; node = node->next) {
        bool known = false;
        for (int32_t i = 0; i < m->n && !known; i++) {
            known = sl_str_equal(node->key, sl_str_z(m->asked[i]));
        }
        if (!known) {
            bool torn = memchr(node->key.ptr, ')', node->key.len) != NULL; /* {equation: y = min(a, b)} */
            sl_yaml_report_key(m->doc, node, SL_ERROR, SL_CODE_UNKNOWN_KEY,
                               torn ? "within { } a text with a comma in it stands in quotes"
                                    : suggest_word(node->key, m->asked, m->n, "there are ", hint),
                               "%s is not a key that is known here", sl_quote(node->key, quoted));
        }
    }
}

bool sl_yaml_text(sl_yaml_map *m, const char *key, unsigned flags, const char **out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_text(m->doc, node, out);
}

bool sl_yaml_number(sl_yaml_map *m, const char *key, unsigned flags, const char *unit, double *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_number(m->doc, node, flags, unit, out);
}

int32_t sl_yaml_as_points(sl_yaml *doc, const sl_yaml_node *list, bool times, const char *unit_x,
                          bool (*read_y)(void *user, const sl_yaml_node *node, double *out), void *user, double *x,
                          double *y) {
    int32_t n = 0;
    for (const sl_yaml_node *pair = list->first; pair; pair = pair->next) {
        if (pair->kind != SL_YAML_LIST || pair->n != 2) {
            sl_yaml_report(doc, pair, SL_ERROR, SL_CODE_WRONG_TYPE, "write pairs: [[0, 1], [2.5, 0]]",
                           "a pair of numbers is needed here");
            continue;
        }
        const sl_yaml_node *first = pair->first;
        bool fine = times ? sl_yaml_as_time(doc, first, SL_YAML_NOT_NEGATIVE, &x[n])
                          : sl_yaml_as_number(doc, first, 0, unit_x, &x[n]);
        fine =
            (read_y ? read_y(user, first->next, &y[n]) : sl_yaml_as_number(doc, first->next, 0, NULL, &y[n])) && fine;
        if (fine && n > 0 && !(x[n] > x[n - 1])) {
            sl_yaml_report(doc, first, SL_ERROR, SL_CODE_VALUE_RANGE,
                           "put the pairs in order, each first number only once", "the first numbers of pairs rise");
            continue;
        }
        n += fine;
    }
    return n;
}

bool sl_yaml_time(sl_yaml_map *m, const char *key, unsigned flags, double *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_time(m->doc, node, flags, out);
}

bool sl_yaml_int(sl_yaml_map *m, const char *key, unsigned flags, int64_t min, int64_t max, int64_t *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_int(m->doc, node, min, max, out);
}

bool sl_yaml_bool(sl_yaml_map *m, const char *key, unsigned flags, bool *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_bool(m->doc, node, out);
}

bool sl_yaml_word(sl_yaml_map *m, const char *key, unsigned flags, const char *const *words, int *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_as_word(m->doc, node, words, out);
}

bool sl_yaml_signature(sl_yaml_map *m, const char *kind, int version) {
    const sl_yaml_node *node = sl_yaml_get(m, "sluice", 0);
    char text[64], hint[80];
    const char *written = NULL;
    if (!node || !sl_yaml_as_text(m->doc, node, &written)) {
        return false;
    }
    for (int v = 1; v <= version; v++) {
        (void)sl_format(text, sizeof text, "%s/%d", kind, v);
        if (strcmp(written, text) == 0) {
            return true;
        }
    }
    (void)sl_format(hint, sizeof hint, "write %s/%d", kind, version);
    return report_wrong_value(m->doc, node, SL_CODE_WRONG_KIND, text, hint);
}

bool sl_yaml_list(sl_yaml_map *m, const char *key, unsigned flags, const sl_yaml_node **out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    if (!node) {
        return false;
    }
    if (node->kind != SL_YAML_LIST) {
        return report_wrong_value(m->doc, node, SL_CODE_WRONG_TYPE, "a list",
                                  "write one line `- ...` for each element, or [a, b]");
    }
    *out = node;
    return true;
}

bool sl_yaml_submap(sl_yaml_map *m, const char *key, unsigned flags, sl_yaml_map *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_yaml_open_map(m->doc, node, out);
}
