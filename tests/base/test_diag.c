/* SPDX-License-Identifier: MIT */
/* Diagnostics: the list, its order, places and columns, and both renderings byte for byte. */
#include "sl_test.h"

#include <sluice/diag.h>

#include "base/out.h"
#include "base/report.h"
#include "base/utf8.h"

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
}

static void end(fixture *f) {
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

/* What the rendering writes, NUL-terminated, in a block the caller frees. */
static char *render(const fixture *f, int form) {
    sl_bytes b;
    sl_bytes_init(&b, f->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_ok(form == 2 ? sl_diags_render_json(f->diags, &sink) : sl_diags_render_text(f->diags, &sink, form == 1));
    char *z = malloc((size_t)b.n + 1);
    if (b.n) memcpy(z, b.at, (size_t)b.n);
    z[b.n] = '\0';
    sl_bytes_fini(&b);
    return z;
}

static void check_rendering(const fixture *f, int form, const char *expected) {
    char *z = render(f, form);
    sl_assert_z(z, expected);
    free(z);
}

/* A place at the first occurrence of word in line. */
static sl_text_location at_word(const char *file, uint32_t number, const char *line, const char *word) {
    const char *p = strstr(line, word);
    return (sl_text_location){
        .file = file, .line = number, .text = sl_str_z(line), .begin = (size_t)(p - line), .length = strlen(word)};
}

static void test_codes(void **state) {
    (void)state;
    sl_assert_z(sl_code_word(SL_CODE_NOT_A_NUMBER), "not-a-number");
    sl_assert_z(sl_code_word((sl_code)9999), "none");
    for (int i = 0; i < SL_CODE_COUNT; i++) {
        const char *word = sl_code_word((sl_code)i);
        assert_true(word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(word));
        assert_true(strlen(sl_code_meaning((sl_code)i)) > 3);
        for (int k = 0; k < i; k++) assert_string_not_equal(word, sl_code_word((sl_code)k));
    }
}

static void test_list_copies_and_counts(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    char text[] = "first";
    sl_diag d = {.size = sizeof d,
                 .severity = SL_ERROR,
                 .code = SL_CODE_SYNTAX,
                 .text = text,
                 .file = "a.inp",
                 .line = 3,
                 .time = 1.5};
    sl_diags_add(f.diags, &d);
    text[0] = 'X';
    d.severity = SL_WARNING;
    sl_diags_add(f.diags, &d);
    sl_diags_add(NULL, &d);
    assert_int_equal(sl_diags_size(f.diags), 2);
    const sl_diag *kept = sl_diags_at(f.diags, 0);
    sl_assert_z(kept->text, "first");
    assert_null(kept->hint);
    sl_assert_double(kept->time, 1.5);
    sl_assert_z(sl_diags_at(f.diags, 1)->text, "Xirst");
    sl_diags_set_limit(f.diags, 3);
    for (int i = 0; i < 5; i++) sl_diags_add(f.diags, &d);
    assert_int_equal(sl_diags_size(f.diags), 3);
    assert_int_equal(sl_diags_count(f.diags, SL_WARNING), 6);
    assert_int_equal(sl_diags_count(f.diags, SL_ERROR), 1);
    assert_int_equal(sl_diags_count(f.diags, SL_INFO), 0);
    assert_int_equal(sl_diags_dropped(f.diags), 4);
    assert_int_equal(sl_diags_size(NULL), 0);
    end(&f);
}

static void test_clear_keeps_memory(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    int64_t blocks = 0;
    for (int round = 0; round < 20; round++) {
        sl_report(f.diags, SL_ERROR, SL_CODE_SYNTAX, NULL, "pipe", "P1", "hint", "text %d", round);
        if (round == 0) blocks = f.m.n_request;
        assert_int_equal(sl_diags_count(f.diags, SL_ERROR), 1);
        sl_diags_clear(f.diags);
        assert_int_equal(sl_diags_size(f.diags), 0);
        assert_int_equal(sl_diags_count(f.diags, SL_ERROR), 0);
    }
    assert_int_equal(f.m.n_request, blocks);
    end(&f);
}

static void test_sort(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    uint64_t seed = 4;
    enum { N = 2000 };
    for (int i = 0; i < N; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        static const char *const files[] = {NULL, "a.inp", "b.inp"};
        sl_diag d = {.size = sizeof d,
                     .severity = SL_INFO,
                     .text = text,
                     .file = files[sl_test_below(&seed, 3)],
                     .line = (uint32_t)sl_test_below(&seed, 4),
                     .column = (uint32_t)sl_test_below(&seed, 3)};
        sl_diags_add(f.diags, &d);
    }
    for (int again = 0; again < 2; again++) { /* a second sort must change nothing */
        sl_diags_sort(f.diags);
        for (int i = 1; i < N; i++) {
            const sl_diag *a = sl_diags_at(f.diags, i - 1);
            const sl_diag *b = sl_diags_at(f.diags, i);
            assert_false(a->line == 0 && b->line > 0);
            int c = a->line == 0 ? 0 : strcmp(a->file ? a->file : "", b->line && b->file ? b->file : "");
            if (b->line == 0 && a->line > 0) continue;
            assert_true(c <= 0);
            if (c < 0) continue;
            if (a->line > 0) assert_true(a->line < b->line || (a->line == b->line && a->column <= b->column));
            bool tie = a->line == 0 || (a->line == b->line && a->column == b->column);
            if (tie) assert_true(atoi(a->text) < atoi(b->text));
        }
    }
    end(&f);
}

static void test_text(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_text_location p = at_word("town.inp", 7, "J2   ten   5", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NOT_A_NUMBER, &p, NULL, NULL, "write a number", "elevation %s is not a number",
              "'ten'");
    p = at_word("town.inp", 12, "P1 A A", "A A");
    p.length = 0;
    sl_report(f.diags, SL_WARNING, SL_CODE_SELF_LOOP, &p, "pipe", "P1", NULL, "joins A to itself");
    p.text = (sl_str){NULL, 0};
    p.file = NULL;
    sl_report(f.diags, SL_INFO, SL_CODE_NONE, &p, NULL, "P1", NULL, "only a line");
    sl_diag d = {.size = sizeof d,
                 .severity = SL_WARNING,
                 .code = SL_CODE_ADJUSTED,
                 .text = "closed",
                 .file = "f",
                 .time = 5400};
    sl_diags_add(f.diags, &d);
    check_rendering(&f, 0,
                    "town.inp:7:6: error: elevation 'ten' is not a number [not-a-number]\n"
                    "   7 | J2   ten   5\n"
                    "     |      ^~~\n"
                    "     = write a number\n"
                    "town.inp:12:4: warning: pipe P1: joins A to itself [self-loop]\n"
                    "  12 | P1 A A\n"
                    "     |    ^\n"
                    "line 12: info: P1: only a line\n"
                    "f: warning: closed (at 1:30) [adjusted]\n");
    end(&f);
}

static void test_caret_under_the_true_column(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    /* tab; umlaut; wide; combining; at the end; a line number of five digits */
    sl_text_location p = at_word("f", 1, "J1\t\tten", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "tab");
    p = at_word("f", 2,
                "Br\xC3\xBC"
                "cke ten",
                "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "umlaut");
    p = at_word("f", 3, "\xE6\xB0\xB4\xE5\x9D\x9D \xE5\x8D\x81x 5", "\xE5\x8D\x81x");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "wide");
    p = at_word("f", 4, "e\xCC\x81 ten", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "combining");
    p = (sl_text_location){.file = "f", .line = 5, .text = sl_str_z("J1"), .begin = 2};
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "end");
    p = at_word("f", 12345, "J1 ten", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, "hint", "far");
    p = (sl_text_location){
        .file = "f", .line = 6, .text = sl_str_z("J1"), .begin = 99, .length = 99}; /* beyond: the end */
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "beyond");
    check_rendering(&f, 0,
                    "f:1:5: error: tab\n"
                    "   1 | J1\t\tten\n"
                    "     |   \t\t^~~\n"
                    "f:2:8: error: umlaut\n"
                    "   2 | Br\xC3\xBC"
                    "cke ten\n"
                    "     |        ^~~\n"
                    "f:3:4: error: wide\n"
                    "   3 | \xE6\xB0\xB4\xE5\x9D\x9D \xE5\x8D\x81x 5\n"
                    "     |      ^~~\n"
                    "f:4:4: error: combining\n"
                    "   4 | e\xCC\x81 ten\n"
                    "     |   ^~~\n"
                    "f:5:3: error: end\n"
                    "   5 | J1\n"
                    "     |   ^\n"
                    "f:12345:4: error: far\n"
                    "12345 | J1 ten\n"
                    "      |    ^~~\n"
                    "      = hint\n"
                    "f:6:3: error: beyond\n"
                    "   6 | J1\n"
                    "     |   ^\n");
    end(&f);
}

static void test_unsafe_text(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    /* an escape sequence, a bare Latin-1 byte, a direction override, a delete */
    sl_text_location p = at_word("f\033", 1, "a\033[2J \xE9 \xE2\x80\xAEz\x7F ten", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, "pi\npe", "P\r", NULL, "x\by");
    check_rendering(&f, 0,
                    "f\xE2\x90\x9B:1:13: error: pi\xE2\x90\x8Ape P\xE2\x90\x8D: x\xE2\x90\x88y\n"
                    "   1 | a\xE2\x90\x9B[2J \xC3\xA9 \xEF\xBF\xBDz\xE2\x90\xA1 ten\n"
                    "     |             ^~~\n");
    end(&f);
}

static size_t line_chars(const char *z) {
    return sl_utf8_count((sl_str){z, strcspn(z, "\n")});
}

static void test_long_lines_are_cut(void **state) {
    (void)state;
    enum { N = 5000 };
    char *line = malloc(2 * N + 1);
    for (int i = 0; i < N; i++) memcpy(line + 2 * i, "\xC3\xA4", 2);
    line[2 * N] = '\0';
    for (int at = 0; at <= N; at += 50) {
        fixture f;
        begin(&f);
        if (at < N) memcpy(line + 2 * at, "#!", 2);
        sl_text_location p = {
            .file = "f", .line = 1, .text = sl_str_z(line), .begin = (size_t)(2 * at), .length = at < N ? 2 : 0};
        sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "x");
        const sl_diag *d = sl_diags_at(f.diags, 0);
        /* the two bytes of the mark are two characters, what stands before is at characters */
        assert_int_equal(d->column, at + 1);
        size_t chars = sl_utf8_count(sl_str_z(d->source));
        assert_true(chars >= 150 && chars <= 160);
        assert_true(d->source_column >= 1 && d->source_column <= chars + 1);
        char *z = render(&f, 0);
        const char *source = strchr(z, '\n') + 1;
        const char *caret = strchr(source, '\n') + 1;
        assert_true(line_chars(source) <= 7 + 106);
        size_t column = (size_t)(strchr(caret, '^') - caret);
        if (at < N) { /* the character above the caret is the mark */
            uint32_t c = 0;
            sl_str s = {source, strlen(source)};
            for (size_t i = 0; i <= column; i++) {
                size_t k = sl_utf8_decode(s, &c);
                s.ptr += k;
                s.len -= k;
            }
            assert_int_equal(c, '#');
        } else {
            assert_int_equal(column, line_chars(source));
        }
        assert_int_equal(strncmp(source + 7, "...", 3) == 0, at > 60);
        free(z);
        end(&f);
        if (at < N) memcpy(line + 2 * at, "\xC3\xA4", 2);
        if (at == 200) at = N - 400;
    }
    free(line);
}

static void test_colour(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_text_location p = at_word("f", 1, "a b", "b");
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, &p, NULL, NULL, NULL, "x");
    char *plain = render(&f, 0);
    char *colour = render(&f, 1);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(colour, "\033[1;31merror:\033[0m"));
    char *to = colour; /* without the escapes it is the plain text */
    for (const char *from = colour; *from;) {
        if (*from == '\033') {
            from = strchr(from, 'm') + 1;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    sl_assert_z(colour, plain);
    free(plain);
    free(colour);
    end(&f);
}

static void test_json(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_text_location p = at_word("to\"wn.inp", 7, "J\xC3\xA4   ten", "ten");
    sl_report(f.diags, SL_ERROR, SL_CODE_NOT_A_NUMBER, &p, "junction", "J\xC3\xA4", "h", "bad");
    sl_diag d = {.size = sizeof d, .severity = SL_INFO, .text = "note", .time = 0.5};
    sl_diags_add(f.diags, &d);
    check_rendering(&f, 2,
                    "{\"severity\":\"error\",\"code\":\"not-a-number\",\"text\":\"bad\",\"hint\":\"h\","
                    "\"object\":{\"kind\":\"junction\",\"id\":\"J\xC3\xA4\"},\"file\":\"to\\\"wn.inp\",\"line\":7,"
                    "\"column\":6,\"length\":3,\"source\":\"J\xC3\xA4   ten\"}\n"
                    "{\"severity\":\"info\",\"code\":\"none\",\"text\":\"note\",\"time\":0.5}\n");
    end(&f);
}

static void test_quote(void **state) {
    (void)state;
    char buf[SL_QUOTE_MAX];
    sl_assert_z(sl_quote(sl_str_z("ten"), buf), "'ten'");
    sl_assert_z(sl_quote((sl_str){NULL, 0}, buf), "''");
    sl_assert_z(sl_quote((sl_str){"a\0\t\xE9", 4}, buf), "'a\\x00\\x09\\xe9'");
    sl_assert_z(sl_quote(sl_str_z("\xC3\xA4\xE2\x80\xAE"), buf), "'\xC3\xA4\\u202e'");
    char many[400];
    memset(many, 'x', sizeof many);
    sl_quote((sl_str){many, 40}, buf);
    assert_int_equal(strlen(buf), 42);
    sl_quote((sl_str){many, 41}, buf);
    assert_int_equal(strlen(buf), 45);
    sl_assert_z(buf + 40, "x...'");
    for (int i = 0; i < 100; i++) memcpy(many + 3 * i, "\xE2\x80\xAE", 3); /* the longest escapes */
    assert_true(strlen(sl_quote((sl_str){many, 300}, buf)) < SL_QUOTE_MAX);
}

static void test_long_message(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    char *long_text = malloc(6001);
    for (int i = 0; i < 3000; i++) memcpy(long_text + 2 * i, "\xC3\xA4", 2);
    long_text[6000] = '\0';
    sl_report(f.diags, SL_ERROR, SL_CODE_NONE, NULL, NULL, NULL, NULL, "%s", long_text);
    const char *text = sl_diags_at(f.diags, 0)->text;
    size_t n = strlen(text);
    assert_true(n > 2000 && n < 2048);
    sl_assert_z(text + n - 3, "...");
    assert_true(memcmp(text + n - 5, "\xC3\xA4", 2) == 0); /* no half character */
    free(long_text);
    end(&f);
}

static void diags_under_refusal(sl_context *ctx, sl_test_memory *m, void *user) {
    int pad = *(const int *)user;
    sl_diags *diags = NULL;
    if (sl_diags_create(ctx, &diags) != SL_OK) {
        assert_null(diags);
        return;
    }
    sl_text_location p = at_word("file", 1, "some line", "line");
    for (int i = 0; i < 100; i++) {
        sl_report(diags, SL_ERROR, SL_CODE_SYNTAX, &p, "kind", "id", i % 2 ? "a hint" : "another", "a text, number %*d",
                  pad, i);
    }
    assert_int_equal(sl_diags_count(diags, SL_ERROR), 100);
    assert_int_equal(sl_diags_size(diags) + sl_diags_dropped(diags), 100);
    assert_int_equal(sl_diags_dropped(diags) > 0, m->n_refused > 0);
    sl_diags_sort(diags);
    for (int i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        assert_true(d->text && d->hint && d->object_kind && d->object_id && d->file && d->source);
    }
    sl_bytes b;
    sl_bytes_init(&b, ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_status status = sl_diags_render_text(diags, &sink, false);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    sl_bytes_fini(&b);
    sl_diags_destroy(diags);
}

static void test_sweep(void **state) {
    (void)state;
    for (int pad = 1; pad < 400; pad += 16) { /* so that each of a record's texts is once the refused one */
        assert_true(sl_test_sweep(diags_under_refusal, &pad) > 10);
    }
}

static void test_characters(void **state) {
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 37) { /* every encoding decodes to itself */
        if (c >= 0xD800 && c < 0xE000) continue;
        char u[4];
        size_t n = sl_utf8_encode(c, u);
        uint32_t back = 0;
        assert_int_equal(sl_utf8_decode((sl_str){u, n}, &back), n);
        assert_int_equal(back, c);
        if (n > 1) { /* cut short, it is bytes */
            assert_int_equal(sl_utf8_decode((sl_str){u, n - 1}, &back), 1);
            assert_int_equal(back, (unsigned char)u[0]);
        }
    }
    assert_int_equal(sl_utf8_count(sl_str_z("\xF4\x90\x80\x80")), 4); /* beyond Unicode */
    assert_int_equal(sl_utf8_width('a'), 1);
    assert_int_equal(sl_utf8_width(0x301), 0);
    assert_int_equal(sl_utf8_width(0x6C34), 2);
    assert_int_equal(sl_utf8_width(0xFF21), 2);
    assert_int_equal(sl_utf8_width(0xAC00), 2);
    assert_int_equal(sl_utf8_width(0x1F4A7), 2);
    assert_int_equal(sl_utf8_width(0x394), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_list_copies_and_counts),
        cmocka_unit_test(test_clear_keeps_memory),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_caret_under_the_true_column),
        cmocka_unit_test(test_unsafe_text),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
