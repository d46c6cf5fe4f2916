/* SPDX-License-Identifier: MIT */
/* yaml.c: text into nodes, through libfyaml's events; see yaml.h.
 *
 * libfyaml finds what is a value and where; the tree is our own, in the context's memory, so that what libfyaml holds
 * (which it takes from malloc) is gone when reading ends, and nothing else of the library is relied on. Aliases are
 * refused, so that no text can stand for more than itself. Bytes that are no text are refused before libfyaml sees them.
 */
#include "text/yaml_impl.h"

#include <stdarg.h>
#include <string.h>

#include <libfyaml.h>

#include "base/foreign_memory.h"
#include "base/ids.h"
#include "base/out.h"
#include "base/utf8.h"

/* ---- Places and reports ------------------------------------------------------------------------- */

/* Lines are counted from the last place on: messages mostly come in order, and a large file may have many. */
sl_text_location sl_yaml_location(sl_yaml *doc, size_t begin, size_t end) {
    sl_str s = doc->source;
    begin = begin < s.len ? begin : s.len;
    size_t first = doc->counted, last = doc->line_end;
    if (last == 0 || begin < first ||
        begin > last) { /* another line than the last time: a long one is not searched again and again */
        for (first = begin; first > 0 && s.ptr[first - 1] != '\n';) {
            first--;
        }
        for (last = begin; last < s.len && s.ptr[last] != '\n';) {
            last++;
        }
        doc->line_end = last;
    }
    last -= last > first && s.ptr[last - 1] == '\r';
    for (; doc->counted > first; doc->counted--) {
        doc->line -= s.ptr[doc->counted - 1] == '\n';
    }
    for (; doc->counted < first; doc->counted++) {
        doc->line += s.ptr[doc->counted] == '\n';
    }
    end = end > last ? last : end;
    return (sl_text_location){.file = doc->name,
                              .line = doc->line + 1,
                              .text = {s.ptr + first, last - first},
                              .begin = begin - first,
                              .length = end > begin ? end - begin : 0};
}

uint32_t sl_yaml_line(sl_yaml *doc, const sl_yaml_node *node) {
    return sl_yaml_location(doc, node->begin, node->begin).line;
}

static void report(sl_yaml *doc, const sl_text_location *place, sl_severity severity, sl_code code, const char *hint,
                   const char *fmt, va_list args) SL_PRINTF(6, 0);
static void report(sl_yaml *doc, const sl_text_location *place, sl_severity severity, sl_code code, const char *hint,
                   const char *fmt, va_list args) {
    enum { LISTED = 1000 }; /* nobody reads more, and each has its line searched for columns */
    char text[1024];
    (void)sl_vformat(text, sizeof text, fmt, args);
    doc->n_error += severity == SL_ERROR;
    if (doc->n_error <= LISTED || severity != SL_ERROR) {
        sl_report(doc->diags, severity, code, place, NULL, NULL, hint, "%s", text);
    } else if (doc->n_error == LISTED + 1) {
        sl_report(doc->diags, SL_ERROR, SL_CODE_SYNTAX, place, NULL, NULL, "correct those above first",
                  "there are more errors from here on, which are not listed");
    }
}

void sl_yaml_report(sl_yaml *doc, const sl_yaml_node *node, sl_severity severity, sl_code code, const char *hint,
                    const char *fmt, ...) {
    /* A map or list is told by where it begins: its key, if it has one. */
    bool by_key = node && node->kind != SL_YAML_SCALAR && node->key.ptr;
    sl_text_location place = {.file = doc->name};
    if (node) {
        place = by_key ? sl_yaml_location(doc, node->key_begin, node->key_end)
                       : sl_yaml_location(doc, node->begin, node->kind == SL_YAML_SCALAR ? node->end : node->begin + 1);
    }
    va_list args;
    va_start(args, fmt);
    report(doc, &place, severity, code, hint, fmt, args);
    va_end(args);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The bytes of an escape in double quotes. */
static size_t escape_length(char kind) {
    return kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
}

/* Where a byte of a scalar's text is in the source: both are followed side by side. Blanks stand for line ends and indentation, in
 * quotes an escape or a doubled quote for a character. Where they part ways it is the beginning. */
static size_t find_in_source(const sl_yaml *doc, const sl_yaml_node *node, size_t offset) {
    sl_str text = node->text, s = {doc->source.ptr, node->end < doc->source.len ? node->end : doc->source.len};
    size_t at = node->begin, i = 0;
    char quote = node->quoted && at < s.len ? s.ptr[at] : '\0';
    if (quote == '|' || quote == '>') { /* a block: from the next line on */
        const char *line = memchr(s.ptr + at, '\n', s.len - at);
        at = line ? (size_t)(line - s.ptr) + 1 : s.len;
    } else {
        at += quote == '"' || quote == '\'';
    }
    while (at < s.len && i <= offset && i < text.len) {
        char c = text.ptr[i], d = s.ptr[at];
        bool escaped = quote == '"' && d == '\\' && at + 1 < s.len;
        if (escaped && is_blank(s.ptr[at + 1])) { /* a line that goes on */
            for (at++; at < s.len && is_blank(s.ptr[at]); at++) {}
            continue;
        }
        if (!escaped && is_blank(c) && !is_blank(d) && i < offset) {
            i++;
            continue;
        }
        if (!escaped && c != d && !is_blank(d)) {
            return node->begin;
        }
        if (!escaped && c != d && !is_blank(c)) { /* blanks that fold away */
            at++;
            continue;
        }
        if (i == offset) {
            return at;
        }
        bool folds = !escaped && is_blank(c) && (c != d || d == '\n');
        at += escaped ? escape_length(s.ptr[at + 1]) : quote == '\'' && d == '\'' ? 2 : 1;
        for (i++; escaped && i < text.len && ((unsigned char)text.ptr[i] & 0xC0u) == 0x80u; i++) {}
        while (folds && at < s.len && is_blank(s.ptr[at])) {
            at++;
        }
    }
    while (at > node->begin && at <= s.len && is_blank(s.ptr[at - 1])) { /* its end */
        at--;
    }
    return at;
}

static sl_text_location resolve(const sl_text_location *of) {
    sl_yaml *doc = of->source;
    const sl_yaml_node *node = of->part;
    size_t begin = find_in_source(doc, node, of->begin);
    size_t last = of->length > 1 ? find_in_source(doc, node, of->begin + of->length - 1) : begin;
    bool escaped =
        node->quoted && doc->source.ptr[node->begin] == '"' && last + 1 < node->end && doc->source.ptr[last] == '\\';
    size_t wide = of->length == 0 ? 0 : escaped ? escape_length(doc->source.ptr[last + 1]) : 1;
    return sl_yaml_location(doc, begin, last >= begin ? last + wide : begin);
}

sl_text_location sl_yaml_text_location(sl_yaml *doc, const sl_yaml_node *node) {
    sl_text_location place = sl_yaml_location(doc, node->begin, node->end);
    place.begin += node->quoted;
    bool verbatim = place.text.ptr && place.begin + node->text.len <= place.text.len &&
                    (node->text.len == 0 || memcmp(place.text.ptr + place.begin, node->text.ptr, node->text.len) == 0);
    if (!verbatim) {
        place.text = node->text;
        place.begin = 0;
        place.resolve = resolve;
        place.source = doc;
        place.part = node;
    }
    place.length = node->text.len;
    return place;
}

void sl_yaml_report_key(sl_yaml *doc, const sl_yaml_node *node, sl_severity severity, sl_code code, const char *hint,
                        const char *fmt, ...) {
    sl_text_location place = sl_yaml_location(doc, node->key_begin, node->key_end);
    va_list args;
    va_start(args, fmt);
    report(doc, &place, severity, code, hint, fmt, args);
    va_end(args);
}

static void report_at(sl_yaml *doc, size_t begin, size_t end, sl_code code, const char *hint, const char *fmt, ...)
    SL_PRINTF(6, 7);
static void report_at(sl_yaml *doc, size_t begin, size_t end, sl_code code, const char *hint, const char *fmt, ...) {
    sl_text_location place = sl_yaml_location(doc, begin, end);
    va_list args;
    va_start(args, fmt);
    report(doc, &place, SL_ERROR, code, hint, fmt, args);
    va_end(args);
}

/* ---- Building ----------------------------------------------------------------------------------- */

/* The nodes that are open, and the key that waits for its value. */
typedef struct builder {
    sl_yaml *doc;
    sl_yaml_node *open[SL_YAML_DEPTH];
    sl_yaml_node *last[SL_YAML_DEPTH]; /* the newest element of each */
    int64_t map[SL_YAML_DEPTH];        /* a number for each map */
    int depth;
    int64_t n_map;
    bool has_key;
    sl_str key;
    size_t key_begin, key_end;
    sl_ids *keys; /* "17.name" for each key of each map */
    SL_ARRAY(char) name;
    int n_document;
    sl_status status;
} builder;

static void stop(builder *b, sl_status status) {
    b->status = b->status == SL_OK ? status : b->status;
}

/* Notes the key of the innermost map; false: it is there already. */
static bool note_key(builder *b, sl_str key) {
    char number[32];
    int n = sl_format(number, sizeof number, "%lld.", (long long)b->map[b->depth - 1]);
    if (!SL_RESERVE(b->doc->ctx, &b->name, (int64_t)key.len + n)) {
        stop(b, SL_ERR_MEMORY);
        return true;
    }
    memcpy(b->name.at, number, (size_t)n);
    if (key.len > 0) {
        memcpy(b->name.at + n, key.ptr, key.len);
    }
    int32_t at = sl_ids_add(b->keys, (sl_str){b->name.at, (size_t)n + key.len});
    if (at == INT32_MIN) {
        stop(b, SL_ERR_MEMORY);
        return true;
    }
    return at >= 0;
}

static bool in_map(const builder *b) {
    return b->depth > 0 && b->open[b->depth - 1]->kind == SL_YAML_MAP;
}

/* A new node as the next element of what is open. */
static sl_yaml_node *add(builder *b, sl_yaml_kind kind, size_t begin, size_t end) {
    sl_yaml_node *node = sl_arena_alloc(&b->doc->arena, sizeof *node);
    if (!node) {
        stop(b, SL_ERR_MEMORY);
        return NULL;
    }
    *node = (sl_yaml_node){.kind = kind, .begin = begin, .end = end};
    if (b->depth == 0) {
        b->doc->root = node;
        return node;
    }
    int at = b->depth - 1;
    sl_yaml_node *parent = b->open[at];
    node->parent = parent;
    if (in_map(b)) {
        node->key = b->key;
        node->key_begin = b->key_begin;
        node->key_end = b->key_end;
        b->has_key = false;
    }
    if (b->last[at]) {
        b->last[at]->next = node;
    } else {
        parent->first = node;
    }
    b->last[at] = node;
    parent->n++;
    return node;
}

static void open_node(builder *b, sl_yaml_kind kind, size_t begin) {
    if (in_map(b) && !b->has_key) {
        report_at(b->doc, begin, begin + 1, SL_CODE_SYNTAX,
                  "write `key: value`; text with { or [ in it stands in quotes", "a key must be a plain text");
        stop(b, SL_ERR_INPUT);
        return;
    }
    if (b->depth == SL_YAML_DEPTH) {
        report_at(b->doc, begin, begin + 1, SL_CODE_SYNTAX, NULL, "more than %d levels of maps and lists",
                  SL_YAML_DEPTH);
        stop(b, SL_ERR_INPUT);
        return;
    }
    sl_yaml_node *node = add(b, kind, begin, begin + 1);
    if (node) {
        b->open[b->depth] = node;
        b->last[b->depth] = NULL;
        b->map[b->depth] = b->n_map++;
        b->depth++;
    }
}

static void close_node(builder *b, size_t end) {
    if (b->depth > 0) {
        sl_yaml_node *node = b->open[--b->depth];
        node->end = end > node->begin ? end : node->begin + 1;
    }
}

static void add_scalar(builder *b, struct fy_token *token, size_t begin, size_t end) {
    size_t n = 0;
    const char *text = token ? fy_token_get_text(token, &n) : "";
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    if (sl_foreign_memory_failed()) { /* an empty text is then none */
        stop(b, SL_ERR_MEMORY);
        return;
    }
    bool in_quotes = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED; /* libfyaml's marks leave them out */
    begin -= in_quotes && begin > 0;
    end += in_quotes;
    char *copy = text ? sl_arena_copy(&b->doc->arena, (sl_str){text, n}) : NULL;
    if (!copy) {
        stop(b, SL_ERR_MEMORY);
        return;
    }
    if (in_map(b) && !b->has_key) {
        char quoted[SL_QUOTE_MAX];
        b->key = (sl_str){copy, n};
        b->key_begin = begin;
        b->key_end = end;
        b->has_key = true;
        if (!note_key(b, b->key)) {
            report_at(b->doc, begin, end, SL_CODE_DUPLICATE_KEY, "keep one of them", "the key %s is given twice",
                      sl_quote(b->key, quoted));
        }
        return;
    }
    sl_yaml_node *node = add(b, SL_YAML_SCALAR, begin, end);
    if (node) {
        node->text = (sl_str){copy, n};
        node->quoted = style != FYSS_PLAIN;
    }
}

static void refuse(builder *b, size_t begin, size_t end, const char *what) {
    report_at(b->doc, begin, end, SL_CODE_SYNTAX, "write the value out where it is needed", "%s are not read here",
              what);
    stop(b, SL_ERR_INPUT);
}

static void on_event(builder *b, struct fy_event *e) {
    const struct fy_mark *from = fy_event_start_mark(e), *to = fy_event_end_mark(e);
    size_t begin = from ? from->input_pos : 0, end = to ? to->input_pos : begin;
    struct fy_token *anchor = NULL, *tag = NULL;
    if (e->type == FYET_SCALAR || e->type == FYET_MAPPING_START || e->type == FYET_SEQUENCE_START) {
        anchor = fy_event_get_anchor_token(e);
        tag = fy_event_get_tag_token(e);
    }
    if (anchor || tag) {
        refuse(b, begin, end, anchor ? "anchors (&name)" : "tags (!name)");
    } else if (e->type == FYET_ALIAS) {
        refuse(b, begin, end, "aliases (*name)");
    } else if (e->type == FYET_MAPPING_START || e->type == FYET_SEQUENCE_START) {
        open_node(b, e->type == FYET_MAPPING_START ? SL_YAML_MAP : SL_YAML_LIST, begin);
    } else if (e->type == FYET_MAPPING_END || e->type == FYET_SEQUENCE_END) {
        close_node(b, end);
    } else if (e->type == FYET_SCALAR) {
        add_scalar(b, e->scalar.value, begin, end);
    } else if (e->type == FYET_DOCUMENT_START && ++b->n_document > 1) {
        report_at(b->doc, begin, end, SL_CODE_SYNTAX, "keep one of them in this file",
                  "a second document begins here (---)");
        stop(b, SL_ERR_INPUT);
    }
}

/* ---- libfyaml ----------------------------------------------------------------------------------- */

/* Nothing is printed: errors are collected. */
static void print_nothing(struct fy_diag *diag, void *user, const char *text, size_t n) {
    (void)diag, (void)user, (void)text, (void)n;
}

/* libfyaml counts lines from 1 and columns from 1, in characters. */
static size_t offset_of(sl_str s, int line, int column) {
    size_t at = 0;
    for (int i = 1; i < line && at < s.len; at++) {
        i += s.ptr[at] == '\n';
    }
    uint32_t c;
    for (int i = 1; i < column && at < s.len && s.ptr[at] != '\n'; i++) {
        at += sl_utf8_decode((sl_str){s.ptr + at, s.len - at}, &c);
    }
    return at;
}

/* What it found wrong: the first of its errors, the others follow from it. */
static void report_syntax(sl_yaml *doc, struct fy_diag *diag) {
    void *next = NULL;
    const struct fy_diag_error *e = fy_diag_errors_iterate(diag, &next);
    size_t at = e ? offset_of(doc->source, e->line, e->column) : 0;
    bool tab = at < doc->source.len && doc->source.ptr[at] == '\t';
    report_at(doc, at, at + 1, SL_CODE_SYNTAX,
              tab ? "indent by blanks, not by tabs"
                  : "text with : # { } [ ] or quotes in it stands in quotes; indent by blanks",
              "not YAML: %s", e && e->msg ? e->msg : "it cannot be read");
}

static void parse(builder *b, struct fy_parser *parser, struct fy_diag *diag) {
    struct fy_event *e;
    while (b->status == SL_OK && (e = fy_parser_parse(parser)) != NULL) {
        if (sl_foreign_memory_failed()) { /* it may be any event, with anything left out */
            stop(b, SL_ERR_MEMORY);
        } else {
            on_event(b, e);
        }
        fy_parser_event_free(parser, e);
    }
    if (sl_foreign_memory_failed()) {
        stop(b, SL_ERR_MEMORY);
    }
    if (b->status == SL_OK && fy_diag_got_error(diag)) {
        report_syntax(b->doc, diag);
        stop(b, SL_ERR_INPUT);
    }
}

static sl_status build(sl_yaml *doc) {
    int before = sl_foreign_memory_begin();
    builder b = {.doc = doc, .keys = sl_ids_create(doc->ctx)};
    struct fy_diag_cfg how;
    fy_diag_cfg_default(&how);
    how.fp = NULL;
    how.output_fn = print_nothing;
    how.colorize = false;
    struct fy_diag *diag = fy_diag_create(&how);
    if (diag) {
        fy_diag_set_collect_errors(diag, true);
    }
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    if (!b.keys || !parser || fy_parser_set_string(parser, doc->source.ptr, doc->source.len) != 0) {
        b.status = SL_ERR_MEMORY;
    } else {
        parse(&b, parser, diag);
    }
    if (parser) {
        fy_parser_destroy(parser);
    }
    if (diag) {
        fy_diag_destroy(diag);
    }
    sl_ids_destroy(b.keys);
    SL_ARRAY_FINI(doc->ctx, &b.name);
    if (sl_foreign_memory_end(before)) {
        return SL_ERR_MEMORY;
    }
    return b.status == SL_OK && doc->n_error > 0 ? SL_ERR_INPUT : b.status;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* UTF-8 without control characters but tabs and line ends. */
static bool is_text(sl_yaml *doc) {
    sl_str s = doc->source;
    for (size_t i = 0; i < s.len;) {
        uint32_t c;
        size_t n = sl_utf8_decode((sl_str){s.ptr + i, s.len - i}, &c);
        bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        bool special = c == 0x7F || (c >= 0x80 && c < 0xA0) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
        if (control || special || (n == 1 && c >= 0x80)) {
            report_at(doc, i, i + n, SL_CODE_NOT_TEXT, "save the file as UTF-8 text",
                      n == 1 && c >= 0x80 ? "byte %02x is not UTF-8" : "character U+%04X does not belong into text",
                      (unsigned)c);
            return false;
        }
        i += n;
    }
    return true;
}

static sl_status read_source(sl_yaml *doc, const char *bytes, size_t n, const char *name) {
    bool marked = n >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0; /* of UTF-8 */
    bytes += marked ? 3 : 0;
    n -= marked ? 3 : 0;
    doc->name = sl_arena_copy(&doc->arena, sl_str_z(name));
    if (!doc->name) {
        return SL_ERR_MEMORY;
    }
    if (n > SL_YAML_MOST) {
        sl_yaml_report(doc, NULL, SL_ERROR, SL_CODE_NOT_TEXT, NULL, "the file has %llu bytes; at most %llu are read",
                       (unsigned long long)n, (unsigned long long)SL_YAML_MOST);
        return SL_ERR_INPUT;
    }
    const char *copy = sl_arena_copy(&doc->arena, (sl_str){bytes, n});
    if (!copy) {
        return SL_ERR_MEMORY;
    }
    doc->source = (sl_str){copy, n};
    return is_text(doc) ? build(doc) : SL_ERR_INPUT;
}

sl_status sl_yaml_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags, sl_yaml **out) {
    *out = NULL;
    sl_yaml *doc = sl_alloc(ctx, sizeof *doc);
    if (!doc) {
        return SL_ERR_MEMORY;
    }
    doc->ctx = ctx;
    doc->diags = diags;
    sl_arena_init(&doc->arena, ctx);
    sl_status status = read_source(doc, bytes, n, name);
    if (status != SL_OK) {
        sl_yaml_destroy(doc);
        return status;
    }
    *out = doc;
    return SL_OK;
}

void sl_yaml_destroy(sl_yaml *doc) {
    if (doc) {
        sl_arena_fini(&doc->arena);
        sl_free(doc->ctx, doc, sizeof *doc);
    }
}

const sl_yaml_node *sl_yaml_root(const sl_yaml *doc) {
    return doc->root && !sl_yaml_is_empty(doc->root) ? doc->root : NULL;
}

sl_status sl_yaml_status(const sl_yaml *doc) {
    return doc->n_error > 0 ? SL_ERR_INPUT : SL_OK;
}
