/* SPDX-License-Identifier: MIT */
/* The writer, the collecting sink, and JSON. */
#include "sl_test.h"

#include <locale.h>

#include "base/out.h"

static sl_out out; /* large: not on the stack of a test */

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_bytes bytes;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_bytes_init(&f->bytes, f->ctx);
    sl_sink sink = sl_bytes_sink(&f->bytes);
    sl_out_init(&out, &sink);
}

static void end(fixture *f) {
    sl_bytes_fini(&f->bytes);
    sl_test_context_end(f->ctx, &f->m);
}

#define check_written(f, expected)                                \
    do {                                                          \
        sl_assert_ok(sl_out_flush(&out));                         \
        sl_assert_bytes((f)->bytes.at, (f)->bytes.n, (expected)); \
        end(f);                                                   \
    } while (0)

static void test_pieces(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_out_z(&out, "id");
    sl_out_pad(&out, 6, 1);
    sl_out_int(&out, -12);
    sl_out_pad(&out, 6, 2);
    sl_out_number(&out, 0.25);
    sl_out_char(&out, '\n');
    assert_int_equal(out.column, 0);
    sl_out_str(&out, (sl_str){"x\nyz", 4});
    assert_int_equal(out.column, 2);
    sl_out_printf(&out, "[%s|%.2f]", "p", 1.5);
    sl_out_bytes(&out, NULL, 0);
    check_written(&f, "id    -12  0.25\nx\nyz[p|1.50]");
}

static void test_more_than_the_buffer(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    enum { N = 3 * SL_OUT_BUFFER + 17 };
    char *big = malloc(N + 1);
    for (int i = 0; i < N; i++) big[i] = (char)('a' + i % 23);
    big[N] = '\0';
    sl_out_bytes(&out, big, N); /* at once */
    for (int i = 0; i < N; i++) sl_out_char(&out, big[i]);
    for (int i = 0; i < N; i += 1000) sl_out_bytes(&out, big + i, N - i < 1000 ? (size_t)(N - i) : 1000);
    sl_assert_ok(sl_out_flush(&out));
    assert_int_equal(f.bytes.n, 3 * N);
    for (int k = 0; k < 3; k++) assert_memory_equal(f.bytes.at + k * N, big, N);
    assert_int_equal(out.column, 3 * N);
    free(big);
    end(&f);
}

static void test_long_printf(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    char text[5001];
    memset(text, 'q', 5000);
    text[5000] = '\0';
    sl_out_z(&out, "a\n");
    sl_out_printf(&out, "%s", text);
    assert_int_equal(out.column, 5000);
    sl_assert_ok(sl_out_flush(&out));
    assert_int_equal(f.bytes.n, 5002);
    sl_out_printf(&out, "%*d", SL_OUT_BUFFER, 1); /* does not fit */
    sl_assert_status(sl_out_flush(&out), SL_ERR_USE);
    end(&f);
}

static sl_status refuse_third(void *user, const void *bytes, size_t n) {
    (void)bytes;
    (void)n;
    return ++*(int *)user >= 3 ? SL_ERR_IO : SL_OK;
}

static void test_failure_sticks(void **state) {
    (void)state;
    int calls = 0;
    sl_sink sink = {&calls, refuse_third};
    sl_out_init(&out, &sink);
    for (int i = 0; i < 10 * SL_OUT_BUFFER; i++) sl_out_char(&out, 'x');
    sl_out_z(&out, "more");
    sl_out_printf(&out, "%d", 5);
    sl_out_pad(&out, 1000000000, 0);
    sl_assert_status(sl_out_flush(&out), SL_ERR_IO);
    sl_assert_status(sl_out_flush(&out), SL_ERR_IO);
    assert_int_equal(calls, 3); /* never called again */
}

static void bytes_under_refusal(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_bytes b;
    sl_bytes_init(&b, ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_out_init(&out, &sink);
    for (int i = 0; i < 5 * SL_OUT_BUFFER; i++) sl_out_char(&out, 'x');
    sl_status status = sl_out_flush(&out);
    sl_assert_status(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_bytes_fini(&b);
}

static void test_bytes_sweep(void **state) {
    (void)state;
    assert_true(sl_test_sweep(bytes_under_refusal, NULL) > 4);
}

static void test_printf_ignores_the_locale(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) print_message("no locale with a decimal comma is installed here\n");
    char buf[16];
    assert_int_equal(sl_format(buf, sizeof buf, "%.1f", 2.5), 3);
    sl_assert_z(buf, "2.5");
    setlocale(LC_NUMERIC, "C");
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void sample(sl_json *json) {
    sl_json_object(json);
    sl_json_key(json, "name");
    sl_json_z(json, "a\"b\\c\n\x01");
    sl_json_key(json, "none");
    sl_json_z(json, NULL);
    sl_json_key(json, "list");
    sl_json_array(json);
    sl_json_int(json, 1);
    sl_json_number(json, 2.5);
    sl_json_number(json, (double)NAN);
    sl_json_bool(json, true);
    sl_json_end(json);
    sl_json_key(json, "empty");
    sl_json_object(json);
    sl_json_end(json);
    sl_json_key(json, "row");
    sl_json_inline(json);
    sl_json_array(json);
    sl_json_int(json, 1);
    sl_json_object(json);
    sl_json_key(json, "k");
    sl_json_null(json);
    sl_json_end(json);
    sl_json_end(json);
    sl_json_key(json, "inner");
    sl_json_array(json);
    sl_json_inline(json);
    sl_json_int(json, 1);
    sl_json_int(json, 2);
    sl_json_end(json);
    sl_json_key(json, "last");
    sl_json_array(json);
    sl_json_int(json, 3);
    sl_json_end(json);
    sl_json_end(json);
}

static void test_json_one_line(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_json json;
    sl_json_init(&json, &out, 0);
    sample(&json);
    check_written(&f, "{\"name\":\"a\\\"b\\\\c\\n\\u0001\",\"none\":null,\"list\":[1,2.5,null,true],\"empty\":{},"
                      "\"row\":[1,{\"k\":null}],\"inner\":[1,2],\"last\":[3]}");
}

static void test_json_indented(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_json json;
    sl_json_init(&json, &out, 2);
    sample(&json);
    check_written(&f, "{\n"
                      "  \"name\": \"a\\\"b\\\\c\\n\\u0001\",\n"
                      "  \"none\": null,\n"
                      "  \"list\": [\n"
                      "    1,\n"
                      "    2.5,\n"
                      "    null,\n"
                      "    true\n"
                      "  ],\n"
                      "  \"empty\": {},\n"
                      "  \"row\": [1, {\"k\": null}],\n"
                      "  \"inner\": [1, 2],\n"
                      "  \"last\": [\n"
                      "    3\n"
                      "  ]\n"
                      "}");
}

static void test_json_text(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_json json;
    sl_json_init(&json, &out, 0);
    sl_json_array(&json);
    sl_json_str(&json, (sl_str){NULL, 0});
    sl_json_str(&json, (sl_str){"a\0b", 3});
    sl_json_z(&json, "gr\xC3\xBC\xC3\x9F \xE6\xB0\xB4 \xF0\x9F\x92\xA7"); /* valid: as it is */
    sl_json_z(&json, "caf\xE9 \xC3");                                     /* Latin-1 */
    sl_json_z(&json, "\xC0\x80 \xED\xA0\x80 \x7F\t");                     /* overlong, surrogate, delete */
    sl_json_end(&json);
    check_written(&f,
                  "[\"\",\"a\\u0000b\",\"gr\xC3\xBC\xC3\x9F \xE6\xB0\xB4 \xF0\x9F\x92\xA7\",\"caf\xC3\xA9 \xC3\x83\","
                  "\"\xC3\x80\xC2\x80 \xC3\xAD\xC2\xA0\xC2\x80 \\u007f\\t\"]");
}

static void test_json_too_deep(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_json json;
    sl_json_init(&json, &out, 1);
    for (int i = 0; i < 31; i++) sl_json_array(&json);
    for (int i = 0; i < 31; i++) sl_json_end(&json);
    sl_assert_ok(sl_out_flush(&out));
    for (int i = 0; i < 100; i++) sl_json_array(&json);
    sl_json_int(&json, 1);
    for (int i = 0; i < 100; i++) sl_json_end(&json);
    sl_assert_status(sl_out_flush(&out), SL_ERR_USE);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),        cmocka_unit_test(test_more_than_the_buffer),
        cmocka_unit_test(test_long_printf),   cmocka_unit_test(test_failure_sticks),
        cmocka_unit_test(test_bytes_sweep),   cmocka_unit_test(test_printf_ignores_the_locale),
        cmocka_unit_test(test_json_one_line), cmocka_unit_test(test_json_indented),
        cmocka_unit_test(test_json_text),     cmocka_unit_test(test_json_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
