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
    sl_option_time time, counted;
} values;

static const char *const words[] = {"one", "two", NULL};
static const sl_option options[] = {
    {.name = "flag", .offset = offsetof(values, flag)},
    {.name = "word", .kind = SL_OPTION_WORD, .offset = offsetof(values, word), .words = words},
    {.name = "count", .kind = SL_OPTION_COUNT, .offset = offsetof(values, count), .min = 1, .max = 2000000},
    {.name = "number", .kind = SL_OPTION_NUMBER, .offset = offsetof(values, number)},
    {.name = "text", .kind = SL_OPTION_TEXT, .offset = offsetof(values, text)},
    {.name = "texts", .kind = SL_OPTION_TEXTS, .offset = offsetof(values, texts)},
    {.name = "time", .kind = SL_OPTION_TIME, .offset = offsetof(values, time)},
    {.name = "counted", .kind = SL_OPTION_TIME, .offset = offsetof(values, counted), .words = words, .may_count = true},
};
static const sl_option_table table = SL_OPTION_TABLE(options, values, NULL);

static void values_by_name(void **state) {
    static const char *const given[] = {"flag",     "word=TWO", "count=1_000_000", "number=2.5e1",
                                        "text=a=b", "texts=x",  "texts=y"};
    values v = {0};
    char why[SL_OPTION_ERROR_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        assert_true(sl_option_set_text(&table, given[i], &v, why));
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
        assert_false(sl_option_set_text(&table, rows[i].text, &v, why));
        assert_string_equal(why, rows[i].why);
    }
    assert_memory_equal(&v, &zero, sizeof v);
    for (int i = 0; i < SL_TEXTS_MAX; i++) {
        assert_true(sl_option_set_text(&table, "texts=z", &v, why));
    }
    assert_false(sl_option_set_text(&table, "texts=z", &v, why));
    assert_int_equal(v.texts.n, SL_TEXTS_MAX);
}

static void times(void **state) {
    static const struct {
        const char *text;
        double x;
    } rows[] = {{"0", 0.0},           {"0.0", 0.0},        {"20s", 20.0},        {"20 s", 20.0},
                {" 20 s ", 20.0},     {"500 ms", 0.5},     {"500ms", 0.5},       {"1e-3 s", 1e-3},
                {"90 min", 5400.0},   {"90 MIN", 5400.0},  {"1:30", 5400.0},     {"2 h", 7200.0},
                {"0.1 h", 360.0},     {"2 hours", 7200.0}, {"2 d", 172800.0},    {"6 am", 21600.0},
                {"6am", 21600.0},     {"7:00 pm", 68400},  {"12 AM", 0.0},       {"1:30:00", 5400.0},
                {"30 sec", 30.0},     {"1 week", 604800},  {"0:00:07.25", 7.25}, {"1.5h", 5400.0},
                {"100:00", 360000.0}, {"1e3 days", 8.64e7}};
    static const struct {
        const char *text;
        sl_time_fault fault;
    } wrong[] = {{"", SL_TIME_NONE},          {"now", SL_TIME_NONE},
                 {"s", SL_TIME_NONE},         {"ms", SL_TIME_NONE},
                 {"20 m", SL_TIME_NONE},      {"1 2", SL_TIME_NONE},
                 {"20 s s", SL_TIME_NONE},    {"5 kg", SL_TIME_NONE},
                 {":30", SL_TIME_NONE},       {"6:", SL_TIME_NONE},
                 {"6::30", SL_TIME_NONE},     {"1:2:3:4", SL_TIME_NONE},
                 {"nan", SL_TIME_NONE},       {"inf", SL_TIME_NONE},
                 {"nan s", SL_TIME_NONE},     {"13 pm", SL_TIME_NONE},
                 {"20", SL_TIME_BARE},        {"1.5", SL_TIME_BARE},
                 {"1e3", SL_TIME_BARE},       {"-5 s", SL_TIME_NEGATIVE},
                 {"-1:30", SL_TIME_NEGATIVE}, {"-5", SL_TIME_NEGATIVE},
                 {"1e400 s", SL_TIME_RANGE},  {"1e400", SL_TIME_RANGE},
                 {"1e308 d", SL_TIME_RANGE},  {"2.5 steps", SL_TIME_BROKEN_STEP}};
    double x = -1.0;
    bool steps = true;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sl_time_read(sl_str_z(rows[i].text), &x, &steps), SL_TIME_FINE);
        sl_assert_double(x, rows[i].x);
        assert_false(steps);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_time_fault fault = sl_time_read(sl_str_z(wrong[i].text), &x, &steps);
        if (fault != wrong[i].fault) {
            print_error("'%s' is %d: %g\n", wrong[i].text, (int)fault, x);
            fail();
        }
    }
    assert_int_equal(sl_time_read(sl_str_z("5 steps"), &x, &steps), SL_TIME_FINE);
    assert_true(steps);
    sl_assert_double(x, 5.0);
}

/* What is said has the user's own number in it. */
static void messages_of_times(void **state) {
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"time=20", "time 20: a time has a unit: write 20 s, 20 min or 20:00 (hours)"},
        {"time=1.5", "time 1.5: a time has a unit: write 1.5 s, 1.5 min or 1.5 h"},
        {"time=-3 s", "time -3 s: a time is 0 or more"},
        {"time=1e400 s", "time 1e400 s is beyond the range of numbers"},
        {"time=3 steps", "time '3 steps' is not a time: write 20 s, 500 ms, 90 min, 1.5 h, 2 d or 6:00"},
        {"time=nan", "time 'nan' is not a time: write 20 s, 500 ms, 90 min, 1.5 h, 2 d or 6:00"},
        {"counted=4",
         "counted 4: a time has a unit: write 4 s, 4 min or 4:00 (hours); of a discrete model 4 steps; or one or two"},
        {"counted=0.5 steps", "counted 0.5 steps: steps are whole; or one or two"}};
    values v = {0}, zero = {0};
    char why[SL_OPTION_ERROR_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(sl_option_set_text(&table, rows[i].text, &v, why));
        assert_string_equal(why, rows[i].why);
    }
    assert_memory_equal(&v, &zero, sizeof v);
    assert_true(sl_option_set_text(&table, "counted=ONE", &v, why));
    assert_string_equal(v.counted.word, "one");
    assert_true(sl_option_set_text(&table, "counted=5 steps", &v, why));
    assert_true(v.counted.counts_steps && !v.counted.word);
    assert_true(sl_option_time_fits("counted", &v.counted, true, why));
    assert_false(sl_option_time_fits("counted", &v.counted, false, why));
    assert_string_equal(why, "counted 5 steps: time has no steps here: write 5 s, 5 min or 5:00 (hours)");
    assert_true(sl_option_set_text(&table, "time=0:05", &v, why));
    assert_true(sl_option_time_fits("time", &v.time, false, why));
    assert_false(sl_option_time_fits("time", &v.time, true, why));
    assert_string_equal(why, "time 0:05: time counts steps here: write a number of them, as 5 steps");
    assert_true(sl_option_set_text(&table, "time=0", &v, why));
    assert_true(sl_option_time_fits("time", &v.time, true, why));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_by_name), cmocka_unit_test(wrong_values),
                                       cmocka_unit_test(times), cmocka_unit_test(messages_of_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
