/* SPDX-License-Identifier: MIT */
/* recognise.c: which kind of model a source holds, by its content.
 *
 * Texts of 50 MB must cost nothing here, and files with mistakes must still be told apart, so that their own reader says what is
 * wrong: nothing is parsed. Block maps are known by `key:` at the indent of their first line, flow maps and JSON by the keys at
 * the depth of their first brace, .inp text by a line that begins with [A.
 */
#include "kinds/kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/count_text.h"
#include "base/find_byte.h"
#include "kinds/foreign.h"

/* ---- Characters --------------------------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_one_of(char c, const char *set) {
    return c != '\0' && strchr(set, c);
}

static size_t skip_blanks(sl_str s, size_t i) {
    while (i < s.len && is_blank(s.ptr[i])) {
        i++;
    }
    return i;
}

static size_t line_end(sl_str s, size_t i) {
    while (i < s.len && !is_end(s.ptr[i])) {
        i++;
    }
    return i;
}

/* The first character that is neither blank nor in a line that begins with one of marks. */
static size_t skip_lines(sl_str s, size_t i, const char *marks) {
    while (i < s.len) {
        i = skip_blanks(s, i);
        if (i < s.len && !is_end(s.ptr[i]) && !is_one_of(s.ptr[i], marks)) {
            return i;
        }
        i = line_end(s, i);
        i += i < s.len;
    }
    return s.len;
}

/* After a text in quotes that begins at i. */
static size_t skip_quoted(sl_str s, size_t i) {
    char quote = s.ptr[i++];
    while (i < s.len && s.ptr[i] != quote) {
        i += quote == '"' && s.ptr[i] == '\\' ? 2 : 1;
    }
    return i < s.len ? i + 1 : s.len;
}

/* ---- Maps --------------------------------------------------------------------------------------- */

/* A key that begins at i and ends in a colon, which a blank, an end or a value in brackets or quotes follows; 0: there is none. */
static size_t take_key(sl_str s, size_t i, bool flow, sl_str *key) {
    bool quoted = i < s.len && (s.ptr[i] == '"' || s.ptr[i] == '\'');
    size_t end = i;
    if (quoted) {
        end = skip_quoted(s, i);
        *key = (sl_str){s.ptr + i + 1, end > i + 1 ? end - i - 2 : 0};
    } else {
        while (end < s.len && !is_end(s.ptr[end]) && !(flow && is_one_of(s.ptr[end], ",{}[]")) &&
               !(s.ptr[end] == ':' && (end + 1 == s.len || is_one_of(s.ptr[end + 1], " \t\r\n")))) {
            end++;
        }
        size_t last = end;
        while (last > i && is_blank(s.ptr[last - 1])) {
            last--;
        }
        *key = (sl_str){s.ptr + i, last - i};
    }
    end = skip_blanks(s, end);
    while (flow && end < s.len && is_end(s.ptr[end])) {
        end = skip_blanks(s, end + 1);
    }
    return end < s.len && s.ptr[end] == ':' && key->len > 0 ? end + 1 : 0;
}

static void add_key(sl_kind_head *h, sl_str key, size_t value) {
    if (h->n_key < SL_HEAD_KEYS_MAX) {
        h->keys[h->n_key].key = key;
        h->keys[h->n_key++].value = value;
    }
}

/* From the first character of the first line on. */
static void scan_block(sl_kind_head *h, size_t first) {
    sl_str s = h->text, key;
    size_t begin = first;
    while (begin > 0 && !is_end(s.ptr[begin - 1])) {
        begin--;
    }
    size_t indent = first - begin;
    for (size_t i = begin; i < s.len;) {
        size_t at = skip_blanks(s, i), end = line_end(s, at), value;
        if (at - i == indent && at < end && s.ptr[at] != '#' && s.ptr[at] != '-') {
            value = take_key((sl_str){s.ptr, end}, at, false, &key);
            if (value) {
                add_key(h, key, value);
            }
        }
        i = end + (end < s.len);
    }
    h->is_map = h->n_key > 0;
}

/* From the brace on. */
static void scan_flow(sl_kind_head *h, size_t i) {
    sl_str s = h->text, key;
    int depth = 0;
    h->is_map = true;
    while (i < s.len) {
        char c = s.ptr[i];
        bool begins = c == '{' || (c == ',' && depth == 1);
        if (c == '#' && i > 0 && (is_blank(s.ptr[i - 1]) || is_end(s.ptr[i - 1]))) {
            i = line_end(s, i);
            continue;
        }
        if (c == '"' || (c == '\'' && is_one_of(s.ptr[i - 1], " \t\r\n,:[{"))) {
            i = skip_quoted(s, i);
            continue;
        }
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        i++;
        if (begins && depth == 1) {
            i = skip_lines(s, i, "#");
            size_t value = take_key(s, i, true, &key);
            if (value) {
                add_key(h, key, value);
                i = value;
            }
        } else if (depth == 0) {
            return;
        }
    }
}

/* ---- Heads -------------------------------------------------------------------------------------- */

/* After marks of documents and directives. */
static size_t skip_prolog(sl_str s) {
    size_t i = skip_lines(s, 0, "#%");
    if (i + 3 <= s.len && memcmp(s.ptr + i, "---", 3) == 0 && (i + 3 == s.len || is_one_of(s.ptr[i + 3], " \t\r\n"))) {
        i = skip_lines(s, i + 3, "#");
    }
    return i;
}

void sl_kind_head_init(sl_kind_head *h, const sl_source *source) {
    *h = (sl_kind_head){.source = source, .text = {source->bytes ? source->bytes : "", source->n}};
    if (h->text.len >= 3 && memcmp(h->text.ptr, "\xEF\xBB\xBF", 3) == 0) {
        h->text = (sl_str){h->text.ptr + 3, h->text.len - 3};
    }
    sl_str s = h->text;
    size_t i = skip_lines(s, 0, ";");
    h->begins_with_heading = i + 1 < s.len && s.ptr[i] == '[' && is_letter(s.ptr[i + 1]);
    i = skip_prolog(s);
    if (!h->begins_with_heading && i < s.len && s.len <= SL_YAML_MOST) {
        if (s.ptr[i] == '{') {
            scan_flow(h, i);
        } else {
            scan_block(h, i);
        }
    }
}

static int32_t find_key(const sl_kind_head *h, const char *key) {
    for (int32_t k = 0; k < h->n_key; k++) {
        if (sl_str_equal(h->keys[k].key, sl_str_z(key))) {
            return k;
        }
    }
    return -1;
}

bool sl_kind_head_has_key(const sl_kind_head *h, const char *key) {
    return find_key(h, key) >= 0;
}

bool sl_kind_head_value(const sl_kind_head *h, const char *key, sl_str *out) {
    int32_t k = find_key(h, key);
    if (k < 0) {
        return false;
    }
    sl_str s = h->text;
    size_t begin = skip_blanks(s, h->keys[k].value), end = begin;
    if (begin < s.len && (s.ptr[begin] == '"' || s.ptr[begin] == '\'')) {
        end = skip_quoted(s, begin);
        *out = (sl_str){s.ptr + begin + 1, end > begin + 1 ? end - begin - 2 : 0};
        return true;
    }
    while (end < s.len && !is_end(s.ptr[end]) && !is_one_of(s.ptr[end], ",{}[]|>") &&
           !(s.ptr[end] == '#' && end > begin && is_blank(s.ptr[end - 1]))) {
        end++;
    }
    while (end > begin && is_blank(s.ptr[end - 1])) {
        end--;
    }
    *out = (sl_str){s.ptr + begin, end - begin};
    return true;
}

bool sl_kind_head_has_heading(const sl_kind_head *h) {
    const char *text = h->text.ptr, *end = text + h->text.len;
    if (h->begins_with_heading) {
        return true;
    }
    for (const char *p = text; h->text.len > 0 && (p = sl_find_byte(p, end, '[')) < end; p++) {
        const char *q = p;
        while (q > text && is_blank(q[-1])) {
            q--;
        }
        if ((q == text || is_end(q[-1])) && p + 1 < end && is_letter(p[1])) {
            return true;
        }
    }
    return false;
}

/* ---- What fits nothing -------------------------------------------------------------------------- */

/* "network, surge, automaton" */
static void list_kinds(const sl_kind *const *kinds, char *buf, size_t size) {
    buf[0] = '\0';
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i]->version > 0) {
            sl_append(buf, size, "%s%s", buf[0] ? ", " : "", kinds[i]->name);
        }
    }
}

/* Where a piece of the text stands. */
static sl_text_location place_of(const sl_kind_head *h, sl_str piece) {
    size_t at = (size_t)(piece.ptr - h->text.ptr), begin = at;
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++) {
        line += h->text.ptr[i] == '\n';
    }
    while (begin > 0 && !is_end(h->text.ptr[begin - 1])) {
        begin--;
    }
    return (sl_text_location){.file = h->source->name,
                              .line = line,
                              .text = {h->text.ptr + begin, line_end(h->text, at) - begin},
                              .begin = at - begin,
                              .length = piece.len};
}

static void report_text(const sl_kind_head *h, const char *hint, sl_diags *diags) {
    sl_str s = h->text;
    size_t i = skip_lines(s, 0, "");
    sl_text_location place = {.file = h->source->name, .line = 1};
    char quoted[SL_QUOTE_MAX];
    if (i == s.len) {
        sl_report(diags, SL_ERROR, SL_CODE_NO_SECTIONS, &place, NULL, NULL, hint, "no model: the input is empty");
        return;
    }
    place = place_of(h, (sl_str){s.ptr + i, line_end(s, i) - i});
    sl_report(diags, SL_ERROR, SL_CODE_NO_SECTIONS, &place, NULL, NULL, hint,
              "no model: no [SECTION] as in .inp files and no key as in YAML, but %s",
              sl_quote((sl_str){s.ptr + i, line_end(s, i) - i}, quoted));
}

static void report_map(const sl_kind_head *h, const char *hint, sl_diags *diags) {
    char quoted[SL_QUOTE_MAX], more[SL_QUOTE_MAX];
    bool two = h->n_key > 1;
    sl_text_location place =
        h->n_key > 0 ? place_of(h, h->keys[0].key) : (sl_text_location){.file = h->source->name, .line = 1};
    sl_report(diags, SL_ERROR, SL_CODE_UNKNOWN_KEY, &place, NULL, NULL, hint,
              h->n_key == 0 ? "no model: an empty map"
              : two         ? "no model: a map with the keys %s%s%s%s, and none that says of which kind it is"
                            : "no model: a map with the key %s%s%s%s, which does not say of which kind it is",
              h->n_key > 0 ? sl_quote(h->keys[0].key, quoted) : "", two ? " and " : "",
              two ? sl_quote(h->keys[1].key, more) : "", h->n_key > 2 ? " and others" : "");
}

static void hint_kinds(const sl_kind *const *kinds, char *hint, size_t size) {
    char known[256];
    list_kinds(kinds, known, sizeof known);
    (void)sl_format(hint, size,
                    "models are .inp text or YAML that begins with `sluice: KIND/VERSION`; the kinds are %s", known);
}

static void report_unknown(const sl_kind *const *kinds, const sl_kind_head *h, sl_diags *diags) {
    char hint[512];
    hint_kinds(kinds, hint, sizeof hint);
    if (h->is_map) {
        report_map(h, hint, diags);
    } else {
        report_text(h, hint, diags);
    }
}

/* ---- Kinds -------------------------------------------------------------------------------------- */

const sl_kind *sl_kind_find(const sl_kind *const *kinds, const char *name) {
    for (kinds = kinds ? kinds : sl_kinds; *kinds; kinds++) {
        if (strcmp((*kinds)->name, name) == 0) {
            return *kinds;
        }
    }
    return NULL;
}

/* sluice: KIND/VERSION */
static const sl_kind *signed_kind(const sl_kind *const *kinds, const sl_kind_head *h, sl_str text, sl_diags *diags) {
    char name[64], known[256], hint[320], quoted[SL_QUOTE_MAX];
    const char *slash = text.len > 0 ? memchr(text.ptr, '/', text.len) : NULL;
    size_t n = slash ? (size_t)(slash - text.ptr) : text.len, digits = n + 1;
    int64_t version = 0;
    sl_text_location place = place_of(h, text);
    while (digits < text.len && text.ptr[digits] >= '0' && text.ptr[digits] <= '9' && version < 100000) {
        version = 10 * version + (text.ptr[digits++] - '0');
    }
    (void)sl_format(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), text.ptr);
    const sl_kind *kind = sl_kind_find(kinds, name);
    list_kinds(kinds, known, sizeof known);
    (void)sl_format(hint, sizeof hint, "the kinds are %s", known);
    if (!slash || n == 0 || digits != text.len || version == 0) {
        sl_report(diags, SL_ERROR, SL_CODE_SYNTAX, &place, NULL, NULL, hint,
                  "`sluice:` is followed by KIND/VERSION, as in automaton/1, not by %s", sl_quote(text, quoted));
    } else if (!kind) {
        sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, &place, NULL, NULL, hint, "there is no kind of model %s",
                  sl_quote((sl_str){text.ptr, n}, quoted));
    } else if (version > kind->version) {
        (void)sl_format(hint, sizeof hint, "write %s/%d, or use a newer version of Sluice", name, (int)kind->version);
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, &place, NULL, NULL, hint,
                  "%s is read up to version %d, not %lld", name, (int)kind->version, (long long)version);
    } else {
        return kind;
    }
    return NULL;
}

/* A file that is no model. */
static bool is_foreign(const sl_kind *const *kinds, const sl_kind_head *h, sl_diags *diags) {
    sl_foreign other = sl_foreign_recognise(h);
    char hint[512];
    if (!other.what) {
        return false;
    }
    hint_kinds(kinds, hint, sizeof hint);
    sl_report(diags, SL_ERROR, other.code, &(sl_text_location){.file = h->source->name, .line = 1}, NULL, NULL,
              other.hint ? other.hint : hint, "no model: this is %s", other.what);
    return true;
}

const sl_kind *sl_kind_recognise(const sl_kind *const *kinds, const sl_kind_head *h, sl_diags *diags) {
    sl_str text;
    kinds = kinds ? kinds : sl_kinds;
    if (is_foreign(kinds, h, diags)) {
        return NULL;
    }
    if (sl_kind_head_value(h, "sluice", &text)) {
        return signed_kind(kinds, h, text, diags);
    }
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i]->recognise && kinds[i]->recognise(h)) {
            return kinds[i];
        }
    }
    report_unknown(kinds, h, diags);
    return NULL;
}

static bool takes(const sl_kind *kind, const sl_kind *content) {
    bool found = kind == content;
    for (int i = 0; kind->takes && kind->takes[i] && !found; i++) {
        found = strcmp(kind->takes[i], content->name) == 0;
    }
    return found;
}

const sl_kind *sl_kind_choose(const sl_kind *const *kinds, const char *asked, const sl_kind_head *h, sl_diags *diags) {
    const sl_kind *found = sl_kind_recognise(kinds, h, diags), *kind = asked ? sl_kind_find(kinds, asked) : found;
    if (found && asked && (!kind || !takes(kind, found))) {
        char known[256], hint[320];
        list_kinds(kinds ? kinds : sl_kinds, known, sizeof known);
        (void)sl_format(hint, sizeof hint, "the kinds are %s", known);
        sl_text_location place = {.file = h->source->name};
        if (kind) {
            (void)sl_format(hint, sizeof hint, "`sluice run`, `check`, `info`, `vars` and `cosim` take it");
        }
        sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, &place, NULL, NULL, hint,
                  kind ? "this is %s, and not %s" : "this is %s; there is no kind of model '%s'", found->noun,
                  kind ? kind->noun : asked);
        return NULL;
    }
    return found ? kind : NULL;
}
