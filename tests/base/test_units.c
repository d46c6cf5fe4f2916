/* SPDX-License-Identifier: MIT */
/* Units: definitions computed another way, spelling, dimensions, conversion. */
#include "sl_test.h"

#include <sluice/units.h>

static const sl_unit *find(const char *name) {
    const sl_unit *u = sl_unit_find(sl_str_z(name));
    if (!u) fail_msg("unit \"%s\" is not known", name);
    return u;
}

static double convert(double x, const char *from, const char *to) {
    double y = 0;
    sl_status status = sl_unit_convert(x, find(from), find(to), &y);
    if (status != SL_OK) fail_msg("%s does not convert to %s", from, to);
    return y;
}

static void test_definitions(void **state) {
    (void)state;
    static const struct {
        double x;
        const char *from;
        double y;
        const char *to;
    } t[] = {
        {1, "ft", 0.3048, "m"},
        {1, "mi", 5280, "ft"},
        {1, "acre", 43560, "ft2"},
        {1, "gal", 231, "in3"},
        {1, "impgal", 4.54609, "L"},
        {1, "bbl", 42, "gal"},
        {1, "acre-ft", 43560, "ft3"},
        {1, "ML", 1000, "m3"},
        {1, "m3/h", 1000.0 / 3600, "L/s"},
        {1, "L/s", 60, "L/min"},
        {1, "ML/d", 1000, "m3/d"},
        {1, "gpm", 1440, "gpd"},
        {1, "MGD", 1e6, "gal/d"},
        {1, "MGD", 1e6 / 1440, "gpm"},
        {1, "IMGD", 4546.09, "m3/d"},
        {1, "cfs", 448.831168831168831, "gpm"},
        {1, "cfs", 86400.0 / 43560, "acre-ft/d"},
        {1, "psi", 6894.757293168361, "Pa"},
        {1, "psi", 144, "psf"},
        {1, "bar", 100, "kPa"},
        {1, "atm", 760, "torr"},
        {1, "mH2O", 9806.65, "Pa"},
        {1, "ftH2O", 0.3048, "mH2O"},
        {1, "at", 10, "mH2O"},
        {1, "mmHg", 133.322387415, "Pa"},
        {1, "GPa", 1e9, "N/m2"},
        {1, "cP", 0.001, "Pa.s"},
        {1, "cSt", 1e-6, "m2/s"},
        {1, "hp", 745.69987158227022, "W"},
        {1, "PS", 735.49875, "W"},
        {1, "kWh", 3.6, "MJ"},
        {1, "btu", 1055.05585262, "J"},
        {60, "rpm", 2 * 3.14159265358979323846, "rad/s"},
        {1, "rev/min", 6, "deg/s"},
        {180, "deg", 3.14159265358979323846, "rad"},
        {1, "lbf", 4.4482216152605, "N"},
        {1, "lbf.ft", 1.3558179483314004, "N.m"},
        {1, "slug/ft3", 515.3788183931961, "kg/m3"},
        {1, "lb/ft3", 16.018463373960138, "kg/m3"},
        {1, "mg/L", 1, "g/m3"},
        {50, "%", 0.5, "1"},
        {1, "d", 86400, "s"},
        {36, "km/h", 10, "m/s"},
        {1, "knot", 1852.0 / 3600, "m/s"},
        {1, "lb.ft2", 0.0421401100938048, "kg.m2"},
        {0, "degC", 273.15, "K"},
        {100, "degC", 212, "degF"},
        {-40, "degC", -40, "degF"},
        {0, "degR", 0, "K"},
        {32, "degF", 491.67, "degR"},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        double y = convert(t[i].x, t[i].from, t[i].to);
        if (fabs(y - t[i].y) > 4e-16 * fmax(fabs(t[i].y), 300 * (t[i].from[0] == 'd'))) {
            fail_msg("%g %s is %.17g %s, expected %.17g", t[i].x, t[i].from, y, t[i].to, t[i].y);
        }
        double back = convert(y, t[i].to, t[i].from);
        sl_assert_near(back, t[i].x, 3e-13, 1e-15);
    }
}

static void test_spelling(void **state) {
    (void)state;
    assert_ptr_equal(find("GPM"), find("gpm"));
    assert_ptr_equal(find("Psi"), find("psi"));
    assert_ptr_equal(find("m^3/h"), find("m3/h"));
    assert_ptr_equal(find("m\xC2\xB3/h"), find("m3/h"));
    assert_ptr_equal(find("\xC2\xB0"
                          "C"),
                     find("degC"));
    assert_ptr_equal(find("N*m"), find("N.m"));
    assert_ptr_equal(find("N\xC2\xB7m"), find("N.m"));
    assert_ptr_equal(find("\xC2\xB5m"), find("um"));
    assert_ptr_equal(find("\xCE\xBCm"), find("um"));
    sl_assert_double(find("MPa")->factor, 1e6);
    sl_assert_double(find("mPa")->factor, 1e-3);
    sl_assert_double(find("MW")->factor, 1e6);
    sl_assert_double(find("mW")->factor, 1e-3);
    const char *unknown[] = {"", "mpa", "MPA", "M", "S", "xyz", "m3 /h", "kn", "psig", "mw", "gallons per minute or so",
                             "^"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (sl_unit_find(sl_str_z(unknown[i]))) fail_msg("\"%s\" should not be a unit", unknown[i]);
    }
    assert_null(sl_unit_find((sl_str){NULL, 0}));
    assert_non_null(sl_unit_find((sl_str){"mm3/s", 2}));
    sl_assert_z(sl_unit_find((sl_str){"mm3/s", 2})->name, "mm");
}

static void test_epanet_flow_words(void **state) {
    (void)state;
    const char *words[] = {"CFS", "GPM", "MGD", "IMGD", "AFD", "LPS", "LPM", "MLD", "CMH", "CMD", "CMS"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_true(sl_unit_same_dimension(find(words[i]), find("m3/s")));
    }
}

static void test_dimensions(void **state) {
    (void)state;
    assert_true(sl_unit_same_dimension(find("Pa"), find("mH2O")));
    assert_false(sl_unit_same_dimension(find("Pa"), find("m")));
    assert_false(sl_unit_same_dimension(find("Pa.s"), find("m2/s")));
    double y = 7;
    sl_assert_status(sl_unit_convert(1, find("m"), find("s"), &y), SL_ERR_USE);
    sl_assert_double(y, 0);
    sl_assert_status(sl_unit_convert(1, NULL, find("s"), &y), SL_ERR_USE);
    sl_assert_double(convert(0.1, "L/s", "LPS"), 0.1); /* same unit: untouched */
    /* A product of dimensions holds: power = pressure * flow */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(find("kW")->dim[i], find("psi")->dim[i] + find("gpm")->dim[i]);
        assert_int_equal(find("Pa.s")->dim[i], find("m2/s")->dim[i] + find("kg/m3")->dim[i]);
        assert_int_equal(find("N.m")->dim[i], find("N")->dim[i] + find("m")->dim[i]);
        assert_int_equal(find("1/Pa")->dim[i], -find("Pa")->dim[i]);
        assert_int_equal(find("kg.m2")->dim[i] + 2 * find("rpm")->dim[i], find("J")->dim[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_epanet_flow_words),
        cmocka_unit_test(test_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
