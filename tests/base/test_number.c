/* SPDX-License-Identifier: MIT */
/* Numbers: reading against strtod, writing against reading back and against printf, in any locale. */
#include "sl_test.h"

#include <errno.h>
#include <float.h>
#include <locale.h>

#include "base/number.h"

static sl_number parse(const char *z, double *x) {
    return sl_number_parse(sl_str_z(z), x);
}

/* The same in the middle of a longer text. */
static sl_number parse_within(const char *z, double *x) {
    static char longer[30000] = "12.4567890";
    size_t n = strlen(z);
    assert_true(n + 20 < sizeof longer);
    memcpy(longer + 10, z, n);
    memcpy(longer + 10 + n, "1.5", 3);
    return sl_number_parse_within((sl_str){longer + 10, n}, x);
}

static void check_value(const char *z, double expected) {
    double x = -77;
    if (parse(z, &x) != SL_NUMBER_OK) fail_msg("\"%s\" is not taken as a number", z);
    sl_assert_bits(x, expected);
    assert_int_equal(parse_within(z, &x), SL_NUMBER_OK);
    sl_assert_bits(x, expected);
}

static void test_forms(void **state) {
    (void)state;
    check_value("0", 0);
    check_value("-0", -0.0);
    check_value("5.", 5);
    check_value(".5", 0.5);
    check_value("+.5e1", 5);
    check_value("-12.50", -12.5);
    check_value("1e3", 1000);
    check_value("1E+03", 1000);
    check_value("1e-3", 0.001);
    check_value("000000000000000000000000000012", 12);
    check_value("0.000000000000000000000000000012", 1.2e-29);
    check_value("1000000000000000000000000000000e-30", 1);
    check_value("0e999999999999999999999", 0);
    check_value("1e-999999999999999999999", 0);
    check_value("9007199254740993", 9007199254740992.0);
    check_value("9007199254740993.0000000000000000000000001", 9007199254740994.0);
    check_value("2.2250738585072011e-308", 2.2250738585072011e-308);
    check_value("4.9e-324", DBL_TRUE_MIN);
    check_value("2.4703282292062327208e-324", 0);
    check_value("1.7976931348623157e308", DBL_MAX);
    const char *longest = "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863"
                          "27668781715404589535143824642343213268894641827684675467035375169860499105765512820762454900"
                          "90389328944075868508455133942304583236903222948165808559332123347747979262726.0";
    check_value(longest, strtod(longest, NULL));
}

static void test_not_numbers(void **state) {
    (void)state;
    const char *bad[] = {"",      " ",    "+",     "-",    ".",     "+.",       "e5",  "1e",  "1e+",  "1e-",
                         "1.2.3", "--1",  "1 ",    " 1",   "0x10",  "inf",      "nan", "NaN", "1,5",  "1d3",
                         "1f",    "1e5.", "1e5e5", "1e 5", "1_000", "\xC2\xB2", "1\n", ".e1", "1e++1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x = 9;
        if (parse(bad[i], &x) != SL_NUMBER_BAD) fail_msg("\"%s\" is taken as a number", bad[i]);
        sl_assert_bits(x, 0);
        assert_int_equal(parse_within(bad[i], &x), SL_NUMBER_BAD);
    }
    double x;
    assert_int_equal(sl_number_parse((sl_str){NULL, 0}, &x), SL_NUMBER_BAD);
    assert_int_equal(sl_number_parse((sl_str){"1\0002", 3}, &x), SL_NUMBER_BAD);
    assert_int_equal(sl_number_parse((sl_str){"12e", 2}, &x), SL_NUMBER_OK); /* no byte after the end is read */
    sl_assert_double(x, 12);
}

static void test_range(void **state) {
    (void)state;
    double x;
    errno = 0;
    assert_int_equal(parse("1e309", &x), SL_NUMBER_RANGE);
    sl_assert_double(x, DBL_MAX);
    assert_int_equal(parse("-1e99999999999999999999999", &x), SL_NUMBER_RANGE);
    sl_assert_double(x, -DBL_MAX);
    assert_int_equal(parse("1.7976931348623159e308", &x), SL_NUMBER_RANGE);
    assert_int_equal(errno, 0); /* left alone */
}

/* Random text of a number: 1 to 25 digits, a point somewhere or not, an exponent or not. */
static void random_text(uint64_t *seed, char buf[64]) {
    char *p = buf;
    int n = 1 + (int)sl_test_below(seed, 25);
    int point = (int)sl_test_below(seed, 2) ? (int)sl_test_below(seed, n + 1) : -1;
    if (sl_test_below(seed, 4) == 0) *p++ = '-';
    for (int i = 0; i <= n; i++) {
        if (i == point) *p++ = '.';
        if (i < n) *p++ = (char)('0' + sl_test_below(seed, 10));
    }
    if (sl_test_below(seed, 2)) {
        int span = sl_test_below(seed, 3) ? 25 : 340;
        p += snprintf(p, 8, "e%d", (int)sl_test_below(seed, 2 * span) - span);
    }
    *p = '\0';
}

static void test_reading_equals_strtod(void **state) {
    (void)state;
    uint64_t seed = 2024;
    for (int i = 0; i < 400000; i++) {
        char buf[64];
        random_text(&seed, buf);
        double expected = strtod(buf, NULL);
        double x;
        sl_number status = parse(buf, &x);
        if (isinf(expected)) {
            assert_int_equal(status, SL_NUMBER_RANGE);
        } else if (status != SL_NUMBER_OK || memcmp(&x, &expected, sizeof x) != 0) {
            fail_msg("\"%s\" is read as %.17g, strtod reads %.17g", buf, x, expected);
        }
        double y;
        assert_int_equal(parse_within(buf, &y), status);
        sl_assert_bits(y, x);
    }
}

/* Decimals that lie on or next to the middle between two doubles, where a wrong rounding shows. */
static void test_reading_halfway(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++) {
        char buf[128];
        if (i % 2) { /* whole: 2^53 .. 2^63, odd multiples of half a unit, +-1 */
            int shift = 1 + (int)sl_test_below(&seed, 10);
            uint64_t m = (UINT64_C(1) << 52 | sl_test_random(&seed) >> 12) << shift | UINT64_C(1) << (shift - 1);
            m += (uint64_t)sl_test_below(&seed, 3) - 1;
            snprintf(buf, sizeof buf, "%llue-%d", (unsigned long long)m, (int)sl_test_below(&seed, 3) * 9);
        } else { /* the middle itself, written out in full, and a digit behind it or not */
            double x = ldexp(1 + sl_test_unit(&seed), (int)sl_test_below(&seed, 40) - 20);
            double half = (nextafter(x, INFINITY) - x) / 2;
            snprintf(buf, sizeof buf, "%.80Lf%s", (long double)x + (long double)half, i % 4 ? "1" : "");
        }
        double expected = strtod(buf, NULL);
        double x;
        assert_int_equal(parse(buf, &x), SL_NUMBER_OK);
        if (x != expected) fail_msg("\"%s\" is read as %.17g, strtod reads %.17g", buf, x, expected);
    }
}

static void test_reading_many_digits(void **state) {
    (void)state;
    static char buf[20000];
    /* 1 + 2^-53 is the middle between 1 and the next double; 2000 zeros and a one later it is above */
    int n = snprintf(buf, sizeof buf, "1.00000000000000011102230246251565404236316680908203125");
    check_value(buf, 1.0);
    memset(buf + n, '0', 2000);
    buf[n + 2000] = '\0';
    check_value(buf, 1.0);
    buf[n + 1999] = '1';
    check_value(buf, 1.0000000000000002);
    /* Half way between the two smallest doubles: some 750 digits, all of which decide */
    n = snprintf(buf, sizeof buf, "%.1075Lf", ldexpl(3, -1075));
    check_value(buf, 2 * DBL_TRUE_MIN);
    buf[n - 1]--;
    check_value(buf, DBL_TRUE_MIN);
    memset(buf, '9', sizeof buf - 1);
    buf[sizeof buf - 1] = '\0';
    double x;
    assert_int_equal(parse(buf, &x), SL_NUMBER_RANGE);
    memcpy(buf + 10000, "e-9999", 7);
    check_value(buf, 10);
}

static void test_whole_numbers(void **state) {
    (void)state;
    int64_t x;
    assert_int_equal(sl_number_parse_int(sl_str_z("-42"), &x), SL_NUMBER_OK);
    assert_int_equal(x, -42);
    assert_int_equal(sl_number_parse_int(sl_str_z("9223372036854775807"), &x), SL_NUMBER_OK);
    assert_true(x == INT64_MAX);
    assert_int_equal(sl_number_parse_int(sl_str_z("9223372036854775808"), &x), SL_NUMBER_RANGE);
    assert_true(x == INT64_MAX);
    assert_int_equal(sl_number_parse_int(sl_str_z("-9223372036854775808"), &x), SL_NUMBER_OK);
    assert_true(x == INT64_MIN);
    assert_int_equal(sl_number_parse_int(sl_str_z("-9223372036854775809"), &x), SL_NUMBER_RANGE);
    assert_int_equal(sl_number_parse_int(sl_str_z("99999999999999999999999"), &x), SL_NUMBER_RANGE);
    const char *bad[] = {"", "+", "-", "1.0", "1e3", " 1", "1 ", "0x1", "--1", "99999999999999999999999x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(sl_number_parse_int(sl_str_z(bad[i]), &x), SL_NUMBER_BAD);
    }
    assert_int_equal(sl_number_parse_int((sl_str){NULL, 0}, &x), SL_NUMBER_BAD);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static void check_text(double x, const char *expected) {
    char buf[SL_NUMBER_MAX];
    size_t n = sl_number_format(x, buf);
    sl_assert_z(buf, expected);
    assert_int_equal(n, strlen(buf));
}

static void test_shape(void **state) {
    (void)state;
    check_text(0, "0");
    check_text(-0.0, "0");
    check_text(0.5, "0.5");
    check_text(-0.1, "-0.1");
    check_text(0.3, "0.3");
    check_text(123.45, "123.45");
    check_text(12000000, "12000000");
    check_text(1e14, "100000000000000");
    check_text(999999999999999, "999999999999999");
    check_text(1e15, "1e+15");
    check_text(-1.5e15, "-1.5e+15");
    check_text(1e-5, "0.00001");
    check_text(0.00001234, "0.00001234");
    check_text(9.99e-6, "9.99e-06");
    check_text(1e-7, "1e-07");
    check_text(1e100, "1e+100");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(1.0 / 3, "0.3333333333333333");
    check_text(-1.0 / 81920, "-0.00001220703125");
    check_text(DBL_MAX, "1.7976931348623157e+308");
    check_text(DBL_TRUE_MIN, "5e-324");
    check_text(DBL_MIN, "2.2250738585072014e-308");
    check_text(9007199254740993.0, "9.007199254740992e+15");
    /* The nearest decimal of 16 digits is outside what reads as 2^-44, whose neighbour below is nearer; the next one above is not. */
    check_text(0x1p-44, "5.684341886080802e-14");
    check_text(0x1p89, "6.189700196426902e+26");
}

/* A double of any magnitude, or a short decimal, or one beside it. */
static double random_double(uint64_t *seed) {
    double x;
    switch (sl_test_below(seed, 4)) {
    case 0: {
        uint64_t word = sl_test_random(seed);
        memcpy(&x, &word, sizeof x);
        return isfinite(x) ? x : 1;
    }
    case 1: return ldexp(sl_test_unit(seed) - 0.5, (int)sl_test_below(seed, 70) - 20);
    case 2: return (double)sl_test_below(seed, 1000000000) / pow(10, (double)sl_test_below(seed, 12));
    default: x = (double)sl_test_below(seed, 100000) / 1000; return nextafter(x, sl_test_below(seed, 2) ? 1e9 : -1e9);
    }
}

static int count_digits(const char *z) {
    int n = 0;
    int zeros = 0;
    for (; *z && *z != 'e'; z++) {
        if (*z < '0' || *z > '9') continue;
        if (*z == '0') {
            zeros += n > 0;
        } else {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

static void test_writing_reads_back_and_is_short(void **state) {
    (void)state;
    uint64_t seed = 99;
    for (int i = 0; i < 400000; i++) {
        double x = random_double(&seed);
        char buf[SL_NUMBER_MAX];
        memset(buf, 'Z', sizeof buf);
        size_t n = sl_number_format(x, buf);
        assert_true(n < SL_NUMBER_MAX && buf[n] == '\0');
        double back = strtod(buf, NULL);
        if (back != x) fail_msg("%a is written %s, which reads %a", x, buf, back);
        bool plain = fabs(x) >= 1e-5 && fabs(x) < 1e15;
        if (x != 0 && plain != (strchr(buf, 'e') == NULL)) fail_msg("%s is in the wrong notation", buf);
        /* Not longer than what printf needs */
        char ref[64];
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(ref, sizeof ref, "%.*e", digits - 1, x);
            if (strtod(ref, NULL) == x) break;
            if (digits < 13 && i % 8) digits = 13; /* save time */
        }
        if (count_digits(buf) > count_digits(ref)) fail_msg("%s is longer than %s", buf, ref);
    }
}

static void test_digits_equal_printf(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (int i = 0; i < 100000; i++) {
        double x = random_double(&seed);
        int digits = 1 + (int)sl_test_below(&seed, 17);
        if (i % 5 == 0) { /* exact ties */
            x = (double)(2 * sl_test_below(&seed, 100000) + 1) / 16;
            digits = 1 + (int)sl_test_below(&seed, 8);
        }
        char buf[SL_NUMBER_MAX];
        char ref[64];
        sl_number_format_digits(x, digits, buf);
        snprintf(ref, sizeof ref, "%.*e", digits - 1, x);
        if (strtod(buf, NULL) != strtod(ref, NULL) || count_digits(buf) > digits) {
            fail_msg("%.17g to %d digits is %s, printf says %s", x, digits, buf, ref);
        }
    }
    char buf[SL_NUMBER_MAX];
    sl_number_format_digits(0, 5, buf);
    sl_assert_z(buf, "0");
    sl_number_format_digits(9.9996, 4, buf);
    sl_assert_z(buf, "10");
    sl_number_format_digits(-1234567, 3, buf);
    sl_assert_z(buf, "-1230000");
    sl_number_format_digits(999999.5, 6, buf);
    sl_assert_z(buf, "1000000");
    sl_number_format_digits(2.5, 1, buf);
    sl_assert_z(buf, "2");
}

static void test_scaled(void **state) {
    (void)state;
    const double factors[] = {0.3048, 0.0254, 0.001, 1.0 / 3600, 6894.757293168361, 6.30901964e-05, 1, 1e-6, 745.7};
    uint64_t seed = 11;
    int kept = 0;
    for (int i = 0; i < 200000; i++) {
        double factor = factors[i % 9];
        double d = (double)sl_test_below(&seed, 100000000) / pow(10, (double)sl_test_below(&seed, 8));
        char ref[SL_NUMBER_MAX];
        char buf[SL_NUMBER_MAX];
        sl_number_format(d, ref);
        sl_number_format_scaled(d * factor, factor, buf);
        double v = strtod(buf, NULL);
        /* What a person wrote comes back, or something as short that means the same */
        if (v * factor != d * factor) fail_msg("%s with factor %g comes back as %s", ref, factor, buf);
        if (strlen(buf) > strlen(ref)) fail_msg("%s with factor %g comes back as %s", ref, factor, buf);
        kept += strcmp(buf, ref) == 0;
    }
    assert_true(kept > 199900);
}

static void test_scaled_is_a_fixed_point(void **state) {
    (void)state;
    const double factors[] = {0.3048, 1.0 / 3600, 6894.757293168361, 0.001, 3.7};
    uint64_t seed = 12;
    for (int i = 0; i < 200000; i++) {
        double factor = factors[i % 5];
        double x = random_double(&seed);
        if (fabs(x) > 1e290 || fabs(x) < 1e-290) continue;
        char first[SL_NUMBER_MAX];
        char second[SL_NUMBER_MAX];
        sl_number_format_scaled(x, factor, first);
        double back = strtod(first, NULL) * factor;
        sl_assert_rel(back, x, 3e-16);
        sl_number_format_scaled(back, factor, second);
        sl_assert_z(second, first);
    }
    char buf[SL_NUMBER_MAX];
    sl_number_format_scaled(DBL_MAX, 1e-10, buf); /* the quotient overflows */
    sl_assert_z(buf, "1.7976931348623157e+308");
    sl_number_format_scaled(DBL_TRUE_MIN, 1e10, buf);
    sl_assert_z(buf, "0");
    sl_number_format_scaled(-3.048, 0.3048, buf);
    sl_assert_z(buf, "-10");
}

static void test_integers(void **state) {
    (void)state;
    const int64_t x[] = {0, 7, -7, 10, 99, 100, -12345, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        char buf[SL_NUMBER_MAX];
        char ref[32];
        size_t n = sl_number_format_int(x[i], buf);
        snprintf(ref, sizeof ref, "%lld", (long long)x[i]);
        sl_assert_z(buf, ref);
        assert_int_equal(n, strlen(ref));
    }
}

/* A host program may have set a decimal comma; every road must ignore it. */
static void test_foreign_locale(void **state) {
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++) found = setlocale(LC_NUMERIC, names[i]) != NULL;
    check_value("1.5", 1.5);
    check_value("1.5e-30", 1.5e-30);
    check_value("0.12345678901234567890123456789", 0.12345678901234567890123456789);
    check_text(1.5, "1.5");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(1.2345e-30, "1.2345e-30");
    char buf[SL_NUMBER_MAX];
    sl_number_format_digits(1.25e-20, 2, buf);
    sl_assert_z(buf, "1.2e-20");
    setlocale(LC_NUMERIC, "C");
    if (!found) print_message("no locale with a decimal comma is installed here\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_reading_equals_strtod),
        cmocka_unit_test(test_reading_halfway),
        cmocka_unit_test(test_reading_many_digits),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_writing_reads_back_and_is_short),
        cmocka_unit_test(test_digits_equal_printf),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_scaled_is_a_fixed_point),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_foreign_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
