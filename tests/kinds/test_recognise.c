/* SPDX-License-Identifier: MIT */
/* What a source holds is seen by its content; what fits nothing is named. */
#include "kinds_test.h"

#include "kinds/kind.h"

#define BYTES(text) (text), sizeof(text) - 1

typedef struct known {
    const char *text;
    size_t n;
    const char *kind;
} known;

static const known fine[] = {
    {BYTES("[TITLE]\nx\n"), "network"},
    {BYTES("\xEF\xBB\xBF; comment\r\n\r\n  [junctions]\r\n"), "network"},
    {BYTES("a line before\n\n[PIPES]\n"), "network"},
    {BYTES("TITLE: looks like a key\n[PIPES]\n"), "network"},
    {BYTES("study: surge\nnetwork: x\n"), "surge"},
    {BYTES("# comment\n---\n\"study\": surge\n"), "surge"},
    {BYTES("{study: surge, network: x}"), "surge"},
    {BYTES("network: x.inp\nevents:\n  - {close: V, at: 1}\nstudy: surge\n"), "surge"},
    {BYTES("  network: x.inp\n  study: surge\n"), "surge"},
    {BYTES("automaton: a\nstudies:\n  study: 3\n"), "automaton"},
    {BYTES("{\n  \"discrete\": {\"study\": [1, {\"study\": 2}]}, # study: no\n  'automaton' : 'it''s'\n}\n"),
     "automaton"},
    {BYTES("--- {a: \"b, study: c\", automaton: x}"), "automaton"},
    {BYTES("%YAML 1.2\n---\nautomaton: x\n"), "automaton"},
    {BYTES("automaton: x\ntables:\n  f:\n    x:\n      [a]\n"), "automaton"},
    {BYTES("automaton: [broken\n"), "automaton"},
    {BYTES("sluice: automaton/1\n"), "automaton"},
    {BYTES("sluice: \"surge/1\" # comment\n"), "surge"},
    {BYTES("{discrete: {}, sluice: automaton/1}"), "automaton"},
};

static void kinds_are_recognised(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        sl_kind_head head;
        sl_source source = test_source("x", fine[i].text, fine[i].n);
        sl_kind_head_init(&head, &source);
        const sl_kind *kind = sl_kind_recognise(NULL, &head, NULL);
        if (!kind || strcmp(kind->name, fine[i].kind) != 0) {
            print_error("%s: %s\n", fine[i].text, kind ? kind->name : "nothing");
        }
        assert_non_null(kind);
        assert_string_equal(kind->name, fine[i].kind);
    }
}

typedef struct unknown {
    const char *text;
    size_t n;
    sl_code code;
    uint32_t line, column;
    const char *words, *hint;
} unknown;

static const unknown strange[] = {
    {BYTES(""), SL_CODE_NO_SECTIONS, 1, 0, "empty", ".inp"},
    {BYTES(" \n\t\n"), SL_CODE_NO_SECTIONS, 1, 0, "empty", ".inp"},
    {BYTES("\n just words\nmore\n"), SL_CODE_NO_SECTIONS, 2, 2, "'just words'", ".inp"},
    {BYTES("[1, 2]"), SL_CODE_NO_SECTIONS, 1, 1, "'[1, 2]'", ".inp"},
    {BYTES("- study: surge\n"), SL_CODE_NO_SECTIONS, 1, 1, "'- study: surge'", ".inp"},
    {BYTES("a: 1\nb: 2\nc: 3\n"), SL_CODE_UNKNOWN_KEY, 1, 1, "'a' and 'b' and others",
     "surge, automaton, tunnel, network"},
    {BYTES("{}"), SL_CODE_UNKNOWN_KEY, 1, 0, "empty map", "sluice: KIND"},
    {BYTES("cosim: {}\nmodel: x\n"), SL_CODE_WRONG_KIND, 1, 0, "run file", "sluice cosim"},
    {BYTES("sluice: cosim/1\nmodel: x\n"), SL_CODE_WRONG_KIND, 1, 0, "run file", "sluice cosim"},
    {BYTES("# x\nsluice: tunnels/1\n"), SL_CODE_WRONG_KIND, 2, 9, "'tunnels'", "surge, automaton, tunnel, network"},
    {BYTES("a: 2\nsluice: automaton/2\n"), SL_CODE_VALUE_RANGE, 2, 9, "up to version 1, not 2", "automaton/1"},
    {BYTES("sluice: automaton\n"), SL_CODE_SYNTAX, 1, 9, "KIND/VERSION", "kinds are"},
    {BYTES("sluice: automaton/1x\n"), SL_CODE_SYNTAX, 1, 9, "KIND/VERSION", "kinds are"},
    {BYTES("sluice: automaton/0\n"), SL_CODE_SYNTAX, 1, 9, "KIND/VERSION", "kinds are"},
    {BYTES("sluice: automaton/99999999999999999999\n"), SL_CODE_SYNTAX, 1, 9, "KIND/VERSION", "kinds are"},
    {BYTES("sluice:\n"), SL_CODE_SYNTAX, 1, 8, "KIND/VERSION", "kinds are"},
    {BYTES("sluice: {a: b}\n"), SL_CODE_SYNTAX, 1, 9, "KIND/VERSION", "kinds are"},
    {BYTES("\x59\x48\xC3\x1E\0\0\0\0"), SL_CODE_WRONG_KIND, 1, 0, "EPANET's .out", "model"},
    {BYTES("\x89HDF\r\n\x1A\n...."), SL_CODE_WRONG_KIND, 1, 0, "HDF5", "model"},
    {BYTES("{\"format\": \"sluice results 2\"}"), SL_CODE_WRONG_KIND, 1, 0, "a result (JSON)", "sluice plot"},
    {BYTES("time_s,element,kind,id\n"), SL_CODE_WRONG_KIND, 1, 0, "a result (.csv)", "sluice plot"},
    {BYTES("  Sluice 1: report of a run\n"), SL_CODE_WRONG_KIND, 1, 0, "a report", "-o FILE.out"},
    {BYTES("SLstate\nxyz"), SL_CODE_WRONG_KIND, 1, 0, "saved state", "restores"},
    {BYTES("sl-exe1\0abc"), SL_CODE_WRONG_KIND, 1, 0, "saved state of an execution", "restores"},
    {BYTES("\x1F\x8B\x08"), SL_CODE_WRONG_KIND, 1, 0, "gzip", "gunzip"},
    {BYTES("PK\x03\x04"), SL_CODE_WRONG_KIND, 1, 0, "zip", "unpack"},
    {BYTES("<?xml?>"), SL_CODE_WRONG_KIND, 1, 0, "XML", ".inp"},
    {BYTES("\xFF\xFE[\0T\0"), SL_CODE_NOT_TEXT, 1, 0, "UTF-16", "UTF-8"},
    {BYTES("ab\0cd"), SL_CODE_NOT_TEXT, 1, 0, "zero bytes", ".inp"},
};

static void what_fits_nothing_is_named(void **state) {
    (void)state;
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    sl_assert_ok(sl_diags_create(ctx, &diags));
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        const unknown *u = &strange[i];
        sl_source source = test_source("x.yaml", u->text, u->n);
        sl_model *model = NULL;
        sl_diags_clear(diags);
        sl_status status = sl_model_load(ctx, &source, NULL, diags, &model);
        const sl_diag *d = sl_diags_size(diags) == 1 ? sl_diags_at(diags, 0) : NULL;
        char said[2048];
        if (!d || d->code != u->code || d->line != u->line || d->column != u->column || !strstr(d->text, u->words) ||
            !d->hint || !strstr(d->hint, u->hint)) {
            print_error("%zu: %s\nsaid: %s", i, u->text, test_said(diags, said, sizeof said));
        }
        sl_assert_status(status, SL_ERR_INPUT);
        assert_null(model);
        assert_non_null(d);
        assert_int_equal(d->code, u->code);
        assert_int_equal(d->line, u->line);
        assert_int_equal(d->column, u->column);
        assert_non_null(strstr(d->text, u->words));
        assert_non_null(d->hint);
        assert_non_null(strstr(d->hint, u->hint));
        assert_string_equal(d->file, "x.yaml");
    }
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
}

/* Any bytes, in a block of their own size: what reads beyond it is found by the sanitizer. */
static void hostile_bytes(void **state) {
    (void)state;
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    uint64_t x = 88172645463325252u;
    static const char letters[] = "{}[]:,'\"#-\n\r \t\\%|>ab\0sluice: automaton/1\nstudy: ";
    for (int trial = 0; trial < 20000; trial++) {
        size_t n = 0;
        char text[96];
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t wanted = x % sizeof text;
        while (n < wanted) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            text[n++] = x % 16 == 0 ? (char)(x >> 32) : letters[(x >> 8) % (sizeof letters - 1)];
        }
        char *own = malloc(n ? n : 1);
        assert_non_null(own);
        memcpy(own, text, n);
        sl_source source = {.size = sizeof source, .bytes = own, .n = n};
        sl_kind_head head;
        sl_kind_head_init(&head, &source);
        sl_diags *diags = NULL;
        sl_assert_ok(sl_diags_create(ctx, &diags));
        const sl_kind *kind = sl_kind_recognise(NULL, &head, diags);
        assert_true(kind != NULL || sl_diags_count(diags, SL_ERROR) == 1);
        sl_diags_destroy(diags);
        free(own);
    }
    sl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_are_recognised),
                                       cmocka_unit_test(what_fits_nothing_is_named), cmocka_unit_test(hostile_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
