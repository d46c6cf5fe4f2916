/* SPDX-License-Identifier: MIT */
/* fuzz_yaml.c: any bytes as YAML.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - what is refused has an error with the file's name, and a place within the text if it has any;
 *   - what is read is a tree: parents, counts, ends within the source, NUL-terminated texts, no key twice in a map;
 *   - every taker on every node gives a finite value or reports an error, never both.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/diag.h>

#include "text/yaml.h"

#define REQUIRE(condition, ...)                             \
    do {                                                    \
        if (!(condition)) {                                 \
            fprintf(stderr, "fuzz_yaml: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                   \
            fputc('\n', stderr);                            \
            abort();                                        \
        }                                                   \
    } while (0)

/* Of so many problems one more is not reported. */
enum { LISTED = 1000 };

/* A taker gives a value or an error. */
static void check_takers(sl_yaml *doc, const sl_yaml_node *node, const sl_diags *diags) {
    static const char *const words[] = {"min", "sub", "auto", NULL};
    for (int k = 0; k < 7; k++) {
        double x = 0.0;
        int64_t i = 0;
        bool b;
        int w = 0;
        const char *text = NULL;
        int64_t before = sl_diags_count(diags, SL_ERROR);
        bool good = k == 0   ? sl_yaml_as_text(doc, node, &text)
                    : k == 1 ? sl_yaml_as_number(doc, node, 0, "Pa", &x)
                    : k == 2 ? sl_yaml_as_number(doc, node, SL_YAML_POSITIVE, NULL, &x)
                    : k == 3 ? sl_yaml_as_time(doc, node, SL_YAML_NOT_NEGATIVE, &x)
                    : k == 4 ? sl_yaml_as_int(doc, node, -5, 5, &i)
                    : k == 5 ? sl_yaml_as_bool(doc, node, &b)
                             : sl_yaml_as_word(doc, node, words, &w);
        bool reported = sl_diags_count(diags, SL_ERROR) > before || before >= LISTED;
        REQUIRE(good ? sl_diags_count(diags, SL_ERROR) == before : reported, "taker %d", k);
        REQUIRE(isfinite(x) && i >= -5 && i <= 5 && w >= 0 && w < 3 && (k != 0 || !good || text[0]), "taker %d", k);
    }
}

static void check_node(sl_yaml *doc, const sl_yaml_node *node, size_t size, const sl_diags *diags, int depth) {
    REQUIRE(depth <= SL_YAML_DEPTH, "depth");
    REQUIRE(node->begin <= size && node->begin <= node->end, "a place at %zu", node->begin);
    REQUIRE(node->kind != SL_YAML_SCALAR || (node->n == 0 && node->text.ptr[node->text.len] == '\0'), "a scalar");
    check_takers(doc, node, diags);
    int32_t n = 0;
    for (const sl_yaml_node *c = node->first; c; c = c->next, n++) {
        REQUIRE(c->parent == node, "a child of somebody else");
        REQUIRE((c->key.ptr != NULL) == (node->kind == SL_YAML_MAP), "a key");
        int32_t k = 0;
        for (const sl_yaml_node *o = c->next; c->key.ptr && o && k < 100; o = o->next, k++) {
            REQUIRE(!sl_str_equal(o->key, c->key), "a key twice");
        }
        check_node(doc, c, size, diags, depth + 1);
    }
    REQUIRE(n == node->n, "%d elements", (int)n);
}

static void check_diags(const sl_diags *diags) {
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        REQUIRE(d->text && d->text[0] && d->file && strcmp(d->file, "fuzz.yaml") == 0, "diagnostic %d", (int)i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    const char *text = (const char *)data;
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_yaml *doc = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_status status = sl_yaml_read(ctx, text, size, "fuzz.yaml", diags, &doc);
    REQUIRE(doc ? status == SL_OK : status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0, "%s",
            sl_status_text(status));
    if (doc && sl_yaml_root(doc)) {
        check_node(doc, sl_yaml_root(doc), size, diags, 0);
    }
    check_diags(diags);
    sl_yaml_destroy(doc);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
