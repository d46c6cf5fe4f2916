/* SPDX-License-Identifier: MIT */
/* Values of options by a table. */
#include "sl_test.h"

#include "base/option.h"

typedef struct values {
    bool flag;
    int word;
    int64_t count;
    double number;
    const char *text;
    sl_texts texts;
} values;

static const char *const words[] = {"one", "two", NULL};
static const sl_option options[] = {
    {.name = "flag", .offset = offsetof(values, flag)},
    {.name = "word", .kind = SL_OPTION_WORD, .offset = offsetof(values, word), .words = words},
    {.name = "count", .kind = SL_OPTION_COUNT, .offset = offsetof(values, count), .min = 1, .max = 2000000},
    {.name = "number", .kind = SL_OPTION_NUMBER, .offset = offsetof(values, number)},
    {.name = "text", .kind = SL_OPTION_TEXT, .offset = offsetof(values, text)},
    {.name = "texts", .kind = SL_OPTION_TEXTS, .offset = offsetof(values, texts)},
};
enum { N = sizeof options / sizeof *options };

static void values_by_name(void **state) {
    static const char *const given[] = {"flag",     "word=TWO", "count=1_000_000", "number=2.5e1",
                                        "text=a=b", "texts=x",  "texts=y"};
    values v = {0};
    char why[SL_OPTION_ERROR_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        assert_true(sl_option_set_text(options, N, given[i], &v, why));
    }
    assert_true(v.flag);
    assert_int_equal(v.word, 1);
    assert_int_equal(v.count, 1000000);
    sl_assert_double(v.number, 25.0);
    assert_string_equal(v.text, "a=b");
    assert_int_equal(v.texts.n, 2);
    assert_string_equal(v.texts.at[1], "y");
}

static void wrong_values(void **state) {
    static const struct {
        const char *text, *why;
    } rows[] = {{"flag=1", "flag takes no value"},
                {"word", "word needs a value"},
                {"word=tow", "word does not know 'tow'; did you mean two? (it takes one or two)"},
                {"count=0", "count 0 is out of range: 1 to 2000000"},
                {"count=1__0", "count '1__0' is not a whole number"},
                {"count=1.5", "count '1.5' is not a whole number"},
                {"number=-1", "number '-1' is not a number, 0 or more"},
                {"text=", "text needs a value that is not empty"},
                {"flga", "there is no option flga; did you mean flag?"},
                {"", "there is no option "}};
    values v = {0}, zero = {0};
    char why[SL_OPTION_ERROR_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(sl_option_set_text(options, N, rows[i].text, &v, why));
        assert_string_equal(why, rows[i].why);
    }
    assert_memory_equal(&v, &zero, sizeof v);
    for (int i = 0; i < SL_TEXTS_MAX; i++) {
        assert_true(sl_option_set_text(options, N, "texts=z", &v, why));
    }
    assert_false(sl_option_set_text(options, N, "texts=z", &v, why));
    assert_int_equal(v.texts.n, SL_TEXTS_MAX);
}

static void seconds(void **state) {
    static const struct {
        const char *text;
        double x;
    } rows[] = {{"20", 20.0},    {"20s", 20.0},  {"20 s", 20.0},     {"500 ms", 0.5},
                {"500ms", 0.5},  {"1e-3", 1e-3}, {"90 min", 5400.0}, {"1:30", 5400.0},
                {"2 h", 7200.0}, {"0.5", 0.5},   {"2 hours", 7200.0}};
    static const char *const wrong[] = {"", "now", "s", "ms", "20 m", "1 2", "20 s s", "5 kg"};
    double x = -1.0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(sl_option_seconds(rows[i].text, &x));
        sl_assert_double(x, rows[i].x);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (sl_option_seconds(wrong[i], &x)) {
            print_error("'%s' is %g\n", wrong[i], x);
            fail();
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_by_name), cmocka_unit_test(wrong_values),
                                       cmocka_unit_test(seconds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
