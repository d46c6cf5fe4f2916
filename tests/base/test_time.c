/* SPDX-License-Identifier: MIT */
/* Time text: EPANET's readings, whole seconds without dust, and writing that reads back. */
#include "sl_test.h"

#include <sluice/units.h>

static void check(const char *text, double expected) {
    double t = -1;
    sl_status status = sl_time_parse_text(sl_str_z(text), &t);
    if (status != SL_OK) fail_msg("\"%s\" is not taken as a time", text);
    if (t != expected) fail_msg("\"%s\" is read as %.17g s, expected %.17g s", text, t, expected);
}

static void test_reading(void **state) {
    (void)state;
    check("0", 0);
    check("1:30", 5400);
    check("1:30:15", 5415);
    check("1.5", 5400);
    check("0.1", 360);
    check("0.7", 2520);
    check("90 MIN", 5400);
    check("0.1 minutes", 6);
    check("2 days", 172800);
    check("0.3 DAY", 25920);
    check("30 sec", 30);
    check("0.25 SEC", 0.25);
    check("24 HOURS", 86400);
    check("24 hou", 86400);
    check("100:00", 360000);
    check("1:90", 9000); /* parts are not limited */
    check("1::30", 5400);
    check("0:00:07.25", 7.25);
    check("\t 6  PM \r", 64800);
}

static void test_clock(void **state) {
    (void)state;
    check("12 AM", 0);
    check("12 PM", 43200);
    check("6 PM", 64800);
    check("6:30 am", 23400);
    check("6:30 pm", 66600);
    check("12:30 AM", 1800);
    check("12:59:59 PM", 46799);
    check("11:59:59 PM", 86399);
    check("0 PM", 43200);
}

static void test_refusals(void **state) {
    (void)state;
    const char *bad[] = {"",    "  ",     "x",        "-1",      "-1:30", "1:-30", "1:30 HOURS", "1 HR",
                         "1 h", "13 PM",  "13:00 AM", "1:2:3:4", "inf",   "nan",   "1e999",      "1:x",
                         ":",   "5 PM x", "1:30 MIN", "1 2",     "1 se",  "0x10",  "1e308 days", "1:30:-5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double t = 5;
        if (sl_time_parse_text(sl_str_z(bad[i]), &t) != SL_ERR_INPUT) fail_msg("\"%s\" gives %g s", bad[i], t);
        sl_assert_double(t, 0);
    }
    double t;
    sl_assert_status(sl_time_parse((sl_str){NULL, 0}, (sl_str){NULL, 0}, &t), SL_ERR_INPUT);
}

static void test_two_texts(void **state) {
    (void)state;
    double t;
    sl_assert_ok(sl_time_parse(sl_str_z("90"), sl_str_z("min"), &t));
    sl_assert_double(t, 5400);
    sl_assert_ok(sl_time_parse(sl_str_z("2"), (sl_str){NULL, 0}, &t));
    sl_assert_double(t, 7200);
    sl_assert_ok(sl_time_parse(sl_str_z("2:30"), sl_str_z("PM"), &t));
    sl_assert_double(t, 52200);
}

/* Every second of two days, given as decimal hours with 15 digits, must come out whole. */
static void test_no_dust(void **state) {
    (void)state;
    for (int s = 0; s < 172800; s += 7) {
        char buf[40];
        double t;
        snprintf(buf, sizeof buf, "%.15g", s / 3600.0);
        sl_assert_ok(sl_time_parse_text(sl_str_z(buf), &t));
        sl_assert_double(t, s);
        snprintf(buf, sizeof buf, "%.12g DAYS", s / 86400.0);
        sl_assert_ok(sl_time_parse_text(sl_str_z(buf), &t));
        sl_assert_double(t, s);
    }
}

static void check_format(double t, const char *expected) {
    char buf[32];
    size_t n = sl_time_format(t, buf, sizeof buf);
    sl_assert_z(buf, expected);
    assert_int_equal(n, strlen(expected));
}

static void test_writing(void **state) {
    (void)state;
    check_format(0, "0:00");
    check_format(5400, "1:30");
    check_format(5415, "1:30:15");
    check_format(7.25, "0:00:07.25");
    check_format(90000.1, "25:00:00.1");
    check_format(59.9, "0:00:59.9");
    check_format(303 * 0.01, "0:00:03.03"); /* 3.0300000000000002 */
    check_format(1e-7, "0:00:00.000000100000");
    check_format(360000000, "100000:00");
    check_format(-5400, "-1:30");
    check_format((double)NAN, "?");
    check_format(1e300, "1e+300 s");
    char small[4];
    assert_int_equal(sl_time_format(5415, small, sizeof small), 3);
    sl_assert_z(small, "1:3");
    assert_int_equal(sl_time_format(5415, small, 0), 0);
}

static void test_writing_reads_back(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 100000; i++) {
        double s = (double)sl_test_below(&seed, 1000000);
        double x = s + (i % 2 ? (double)(1 + sl_test_below(&seed, 999)) / 1000 : 0);
        char buf[32];
        double t;
        sl_time_format(x, buf, sizeof buf);
        sl_assert_ok(sl_time_parse_text(sl_str_z(buf), &t));
        sl_assert_double(t, x);
    }
}

static void check_clock(double t, const char *expected) {
    char buf[32];
    size_t n = sl_clock_format(t, buf, sizeof buf);
    sl_assert_z(buf, expected);
    assert_int_equal(n, strlen(expected));
}

static void test_clock_writing(void **state) {
    (void)state;
    check_clock(0, "12:00 AM");
    check_clock(66600, "6:30 PM");
    check_clock(43200, "12:00 PM");
    check_clock(43199, "11:59:59 AM");
    check_clock(86400 * 3 + 3600, "1:00 AM");
    check_clock(-3600, "11:00 PM");
    check_clock(-1e-20, "12:00 AM");
    check_clock(3600.5, "1:00:00.5 AM");
    check_clock((double)INFINITY, "?");
    char small[6];
    assert_int_equal(sl_clock_format(66600, small, sizeof small), 5);
    sl_assert_z(small, "6:30 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_two_texts),
        cmocka_unit_test(test_no_dust),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_writing_reads_back),
        cmocka_unit_test(test_clock_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
