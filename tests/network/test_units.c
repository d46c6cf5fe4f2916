/* SPDX-License-Identifier: MIT */
/* What a number in a file means: EPANET's published factors, worked out here again from the manual's tables, against
 * what the reader makes of the number 1 (or another) in every unit system. */
#include "net_test.h"

/* Products of the same factors in another order may differ in the last bits, nothing more. */
#define ROUNDING 4e-16

static const double ft = 0.3048;

/* Units in one cubic foot per second (EPANET 2 users manual, and 2.3 for CMS). */
static const struct {
    const char *word;
    sl_flow_unit unit;
    double per_cfs;
    bool metric;
} flows[] = {
    {"CFS", SL_CFS, 1.0, false},      {"GPM", SL_GPM, 448.831, false}, {"MGD", SL_MGD, 0.64632, false},
    {"IMGD", SL_IMGD, 0.5382, false}, {"AFD", SL_AFD, 1.9837, false},  {"LPS", SL_LPS, 28.317, true},
    {"LPM", SL_LPM, 1699.0, true},    {"MLD", SL_MLD, 2.4466, true},   {"CMH", SL_CMH, 101.94, true},
    {"CMD", SL_CMD, 2446.6, true},    {"CMS", SL_CMS, 0.028317, true},
};
enum { N_FLOW = sizeof flows / sizeof *flows };

static double flow_si(int i) {
    return ft * ft * ft / flows[i].per_cfs;
}

static sl_network *read_in(net_case *c, const char *options, const char *more) {
    char text[4000];
    snprintf(text, sizeof text,
             "[OPTIONS]\n%s\n"
             "[JUNCTIONS]\nA 1 1\nB 2.5 -3\n"
             "[RESERVOIRS]\nR 10\n"
             "[TANKS]\nT 1 2 1 3 4 5\n"
             "[PIPES]\nP1 R A 1 1 100 1\nP2 A B 7 2 90\nP3 B T 1 1 100\n%s",
             options, more);
    return net_read(c, text);
}

static void test_flow_units(void **state) {
    (void)state;
    assert_int_equal(N_FLOW, SL_FLOW_UNIT_COUNT);
    for (int i = 0; i < N_FLOW; i++) {
        net_case c;
        net_begin(&c);
        char options[50];
        snprintf(options, sizeof options, "Units %s", flows[i].word);
        sl_network *net = read_in(&c, options, "[VALVES]\nV A B 1 FCV 6 2\n[PUMPS]\nPU A B POWER 3\n");
        double q = flow_si(i), length = flows[i].metric ? 1.0 : ft;
        assert_int_equal(net->hydraulics.flow_unit, flows[i].unit);
        assert_string_equal(sl_flow_unit_word(flows[i].unit), flows[i].word);
        assert_int_equal(sl_flow_unit_is_metric(flows[i].unit), flows[i].metric);
        sl_assert_rel(net->demand_base[0], q, ROUNDING);
        sl_assert_rel(net->demand_base[1], -3.0 * q, ROUNDING);
        sl_assert_rel(net->valve_setting[0], 6.0 * q, ROUNDING);
        sl_assert_rel(net->node_elevation[net_node(net, "B")], 2.5 * length, ROUNDING);
        sl_assert_rel(net->node_elevation[net_node(net, "R")], 10.0 * length, ROUNDING);
        sl_assert_rel(net->tank_level_init[0], 2.0 * length, ROUNDING);
        sl_assert_rel(net->tank_diameter[0], 4.0 * length, ROUNDING); /* ft or m, not in or mm */
        sl_assert_rel(net->tank_volume_min[0], 5.0 * length * length * length, ROUNDING);
        sl_assert_rel(net->pipe_length[net_link(net, "P2")], 7.0 * length, ROUNDING);
        sl_assert_rel(net->pipe_diameter[net_link(net, "P2")], flows[i].metric ? 2e-3 : 2.0 * ft / 12.0, ROUNDING);
        sl_assert_double(net->pipe_minor[net_link(net, "P1")], 1.0);
        sl_assert_rel(net->pump_power[0], flows[i].metric ? 3000.0 : 3.0 * 745.7, ROUNDING);
        assert_int_equal(net->hydraulics.pressure_unit, flows[i].metric ? SL_METERS : SL_PSI);
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* The words are matched by their beginning, in any case; SI is an old word for LPS. */
static void test_flow_words(void **state) {
    (void)state;
    static const struct {
        const char *word;
        sl_flow_unit unit;
    } row[] = {{"gpm", SL_GPM}, {"Lps", SL_LPS},    {"IMGD", SL_IMGD},
               {"SI", SL_LPS},  {"cmhour", SL_CMH}, {"LPSX", SL_LPS}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        net_case c;
        net_begin(&c);
        char options[50];
        snprintf(options, sizeof options, "UNITS %s", row[i].word);
        sl_network *net = read_in(&c, options, "");
        assert_int_equal(net->hydraulics.flow_unit, row[i].unit);
        sl_network_destroy(net);
        net_end(&c);
    }
    sl_flow_unit unit;
    assert_true(sl_flow_unit_parse(sl_str_z("mld"), &unit));
    assert_int_equal(unit, SL_MLD);
    assert_false(sl_flow_unit_parse(sl_str_z("LPSX"), &unit));
    assert_false(sl_flow_unit_parse(sl_str_z(""), &unit));
}

/* Pressure per foot of head: 0.4333 psi; 6.895 kPa and 0.068948 bar per psi. These three are weights of the fluid, so
 * the specific gravity counts; METERS and FEET are heads of the fluid itself. Whatever the flow unit is. */
static void test_pressure_units(void **state) {
    (void)state;
    static const struct {
        const char *word;
        sl_pressure_unit unit;
        double per_foot;
        bool gravity;
    } row[] = {{"PSI", SL_PSI, 0.4333, true},
               {"KPA", SL_KPA, 6.895 * 0.4333, true},
               {"BAR", SL_BAR, 0.068948 * 0.4333, true},
               {"METERS", SL_METERS, 0.3048, false},
               {"FEET", SL_FEET, 1.0, false}};
    static const double gravity[] = {1.0, 0.85, 1.3};
    static const char *const flow[] = {"GPM", "LPS"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (int g = 0; g < 3; g++) {
            for (int f = 0; f < 2; f++) {
                net_case c;
                net_begin(&c);
                char options[200];
                snprintf(
                    options, sizeof options,
                    "Pressure %s\nSpecific Gravity %g\nUnits %s\nDemand Model PDA\nMinimum Pressure 2\nRequired Pressure 20",
                    row[i].word, gravity[g], flow[f]);
                sl_network *net =
                    read_in(&c, options,
                            "[JUNCTIONS]\nC 1\nD 1\n[PIPES]\nP4 D A 1 1 100\n"
                            "[VALVES]\nV1 B C 1 PRV 8\nV2 C D 1 PBV 4\n"
                            "[CONTROLS]\nLINK P2 OPEN IF NODE A ABOVE 9\nLINK P2 OPEN IF NODE T ABOVE 2\n");
                double si = 0.3048 / (row[i].per_foot * (row[i].gravity ? gravity[g] : 1.0));
                assert_int_equal(net->hydraulics.pressure_unit, row[i].unit);
                assert_string_equal(sl_pressure_unit_word(row[i].unit), row[i].word);
                sl_assert_rel(net->valve_setting[net_valve(net, "V1")], 8.0 * si, ROUNDING);
                sl_assert_rel(net->valve_setting[net_valve(net, "V2")], 4.0 * si, ROUNDING);
                sl_assert_rel(net->hydraulics.pressure_min, 2.0 * si, ROUNDING);
                sl_assert_rel(net->hydraulics.pressure_required, 20.0 * si, ROUNDING);
                sl_assert_rel(net->controls[0].threshold, 9.0 * si, ROUNDING);           /* a junction's pressure */
                sl_assert_rel(net->controls[1].threshold, f ? 2.0 : 2.0 * ft, ROUNDING); /* a tank's level */
                sl_network_destroy(net);
                net_end(&c);
            }
        }
    }
}

/* q = C p^e with p in psi (US) or m (metric), whatever PRESSURE says; psi with, metres without specific gravity. */
static void test_emitters(void **state) {
    (void)state;
    static const double exponent[] = {0.5, 0.75, 1.2};
    for (int i = 0; i < N_FLOW; i++) {
        for (int e = 0; e < 3; e++) {
            net_case c;
            net_begin(&c);
            char options[200];
            snprintf(options, sizeof options, "Units %s\nPressure KPA\nSpecific Gravity 0.9\nEmitter Exponent %g",
                     flows[i].word, exponent[e]);
            sl_network *net = read_in(&c, options, "[EMITTERS]\nB 2\n");
            double head = flows[i].metric ? 1.0 : ft / (0.4333 * 0.9); /* metres of head in one psi */
            /* pow may differ in its last bit from one form to another */
            sl_assert_rel(net->emitter_coef[net_node(net, "B")], 2.0 * flow_si(i) * pow(head, -exponent[e]),
                          4.0 * ROUNDING);
            sl_assert_double(net->emitter_coef[net_node(net, "A")], 0.0);
            sl_network_destroy(net);
            net_end(&c);
        }
    }
}

/* [LEAKAGE]: mm2 per 100 ft or m of pipe; its growth per metre of head in both systems. */
static void test_leakage(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        net_case c;
        net_begin(&c);
        sl_network *net = read_in(&c, f ? "Units LPS" : "Units GPM", "[LEAKAGE]\nP2 3 0.5\n");
        double per_metre = 1e-6 / 100.0 / (f ? 1.0 : ft);
        assert_non_null(net->pipe_leak_area);
        sl_assert_rel(net->pipe_leak_area[net_link(net, "P2")], 3.0 * per_metre, ROUNDING);
        sl_assert_rel(net->pipe_leak_expansion[net_link(net, "P2")], 0.5 * per_metre, ROUNDING);
        sl_assert_double(net->pipe_leak_area[net_link(net, "P1")], 0.0);
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* Per day to per second; wall order 1 is a speed, order 0 a mass flow per area (1 g/m2 = 1e-3 g/L * m). The order may
 * stand behind the coefficients, and in another section of the same name. */
static void test_reaction_coefficients(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        for (int order = 0; order < 2; order++) {
            net_case c;
            net_begin(&c);
            char more[300];
            snprintf(
                more, sizeof more,
                "[REACTIONS]\nGlobal Bulk -2\nGlobal Wall -3\nWall P2 -4\nBulk P2 5\nTank T 6\nRoughness Correlation 7\n"
                "[REACTIONS]\nOrder Wall %d\n",
                order);
            sl_network *net = read_in(&c, f ? "Units LPS" : "Units GPM", more);
            double length = f ? 1.0 : ft, wall = order ? length / 86400.0 : 1e-3 / (length * length) / 86400.0;
            assert_int_equal(net->quality.wall_order, order);
            sl_assert_rel(net->quality.bulk_coef, -2.0 / 86400.0, ROUNDING);
            sl_assert_rel(net->quality.wall_coef, -3.0 * wall, ROUNDING);
            sl_assert_rel(net->pipe_wall[net_link(net, "P2")], -4.0 * wall, ROUNDING);
            sl_assert_rel(net->pipe_bulk[net_link(net, "P2")], 5.0 / 86400.0, ROUNDING);
            sl_assert_rel(net->tank_bulk[0], 6.0 / 86400.0, ROUNDING);
            sl_assert_rel(net->quality.roughness_factor, 7.0 * wall, ROUNDING);
            assert_true(isnan(net->pipe_wall[net_link(net, "P1")]));
            assert_true(isnan(net->pipe_bulk[net_link(net, "P1")]));
            sl_network_destroy(net);
            net_end(&c);
        }
    }
}

/* Hazen-Williams C and Manning n are plain; Darcy-Weisbach is in 1e-3 ft or mm. */
static void test_roughness(void **state) {
    (void)state;
    static const struct {
        const char *options;
        sl_headloss headloss;
        double factor;
    } row[] = {
        {"Units GPM\nHeadloss H-W", SL_HAZEN_WILLIAMS, 1.0},  {"Units GPM\nHeadloss D-W", SL_DARCY_WEISBACH, 0.3048e-3},
        {"Units GPM\nHeadloss C-M", SL_CHEZY_MANNING, 1.0},   {"Units LPS\nHeadloss H-W", SL_HAZEN_WILLIAMS, 1.0},
        {"Units LPS\nHeadloss D-W", SL_DARCY_WEISBACH, 1e-3}, {"Units LPS\nHeadloss C-M", SL_CHEZY_MANNING, 1.0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        net_case c;
        net_begin(&c);
        sl_network *net = read_in(&c, row[i].options, "");
        assert_int_equal(net->hydraulics.headloss, row[i].headloss);
        sl_assert_rel(net->pipe_roughness[net_link(net, "P2")], 90.0 * row[i].factor, ROUNDING);
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* Viscosity and diffusivity: above the limit a multiple of the standard, else the value in the file's units. */
static void test_fluid_properties(void **state) {
    (void)state;
    static const struct {
        const char *options;
        double viscosity, diffusivity;
    } row[] = {
        {"Units GPM", 1.1e-5 * 0.3048 * 0.3048, 1.3e-8 * 0.3048 * 0.3048},
        {"Units LPS", 1.1e-5 * 0.3048 * 0.3048, 1.3e-8 * 0.3048 * 0.3048},
        {"Units LPS\nViscosity 1.5\nDiffusivity 2", 1.5 * 1.1e-5 * 0.3048 * 0.3048, 2 * 1.3e-8 * 0.3048 * 0.3048},
        {"Units LPS\nViscosity 0.0011\nDiffusivity 0.00011", 0.0011 * 1.1e-5 * 0.3048 * 0.3048,
         0.00011 * 1.3e-8 * 0.3048 * 0.3048},
        {"Units LPS\nViscosity 0.001\nDiffusivity 0.0001", 0.001, 0.0001},
        {"Units GPM\nViscosity 1.2e-5\nDiffusivity 2e-8", 1.2e-5 * 0.3048 * 0.3048, 2e-8 * 0.3048 * 0.3048},
        {"Viscosity 1.2e-6\nDiffusivity 2e-9\nUnits LPS", 1.2e-6, 2e-9},
        /* a later line takes the place of an earlier one, whatever form it had */
        {"Units GPM\nViscosity 1.2e-5\nViscosity 1\nDiffusivity 2e-8\nDiffusivity 1", 1.1e-5 * 0.3048 * 0.3048,
         1.3e-8 * 0.3048 * 0.3048},
        {"Units GPM\nViscosity 1\nViscosity 1.2e-5", 1.2e-5 * 0.3048 * 0.3048, 1.3e-8 * 0.3048 * 0.3048}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        net_case c;
        net_begin(&c);
        sl_network *net = read_in(&c, row[i].options, "");
        sl_assert_rel(net->hydraulics.viscosity, row[i].viscosity, ROUNDING);
        sl_assert_rel(net->quality.diffusivity, row[i].diffusivity, ROUNDING);
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* HTOL and QTOL are in feet and cfs in every file; HEADERROR and FLOWCHANGE in the file's units. */
static void test_solver_limits(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        net_case c;
        net_begin(&c);
        char options[200];
        snprintf(options, sizeof options, "HTOL 0.001\nQTOL 0.0003\nHEADERROR 0.02\nFLOWCHANGE 0.4\nUnits %s",
                 f ? "CMH" : "MGD");
        sl_network *net = read_in(&c, options, "");
        sl_assert_rel(net->hydraulics.head_tolerance, 0.001 * ft, ROUNDING);
        sl_assert_rel(net->hydraulics.flow_tolerance, 0.0003 * ft * ft * ft, ROUNDING);
        sl_assert_rel(net->hydraulics.head_error, 0.02 * (f ? 1.0 : ft), ROUNDING);
        sl_assert_rel(net->hydraulics.flow_change, 0.4 * ft * ft * ft / (f ? 101.94 : 0.64632), ROUNDING);
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* A curve's numbers mean what its use makes of them. */
static void test_curves_by_use(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        net_case c;
        net_begin(&c);
        sl_network *net =
            read_in(&c, f ? "Units LPS" : "Units CFS",
                    "[JUNCTIONS]\nC 1\nD 1\nE 1\n[TANKS]\nT2 1 2 1 3 4 0 VOL\n[PIPES]\nP4 E T2 1 1 1\n"
                    "[PUMPS]\nPU R A HEAD HEAD\n[VALVES]\nV1 B C 1 GPV LOSS\nV2 C D 1 PCV 50 0 OPEN\nV3 D E 1 TCV 5\n"
                    "[ENERGY]\nPump PU Efficiency EFF\n"
                    "[CURVES]\nHEAD 2 3\nEFF 2 3\nVOL 0 0\nVOL 8 3\nLOSS 0 0\nLOSS 2 3\nOPEN 2 3\nFREE 2 3\n"
                    "DECLARED 2 3 PUMP\n");
        double l = f ? 1.0 : ft, q = ft * ft * ft / (f ? 28.317 : 1.0);
        const struct {
            const char *id;
            int32_t point;
            sl_curve_kind kind;
            double x, y;
        } row[] = {{"HEAD", 0, SL_CURVE_PUMP, 2 * q, 3 * l},
                   {"EFF", 0, SL_CURVE_EFFICIENCY, 2 * q, 3},
                   {"VOL", 1, SL_CURVE_VOLUME, 8 * l, 3 * l * l * l},
                   {"LOSS", 1, SL_CURVE_HEADLOSS, 2 * q, 3 * l},
                   {"OPEN", 0, SL_CURVE_VALVE, 2, 3},
                   {"FREE", 0, SL_CURVE_GENERIC, 2, 3},
                   {"DECLARED", 0, SL_CURVE_PUMP, 2 * q, 3 * l}};
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            int32_t k = net_curve(net, row[i].id);
            assert_int_equal(net->curve_kind[k], row[i].kind);
            sl_assert_rel(net->curve_x[net->curve_start[k] + row[i].point], row[i].x, ROUNDING);
            sl_assert_rel(net->curve_y[net->curve_start[k] + row[i].point], row[i].y, ROUNDING);
        }
        sl_network_destroy(net);
        net_end(&c);
    }
}

/* The same physical network in gallons and in litres. EPANET's factors for the two do not agree with each other:
 * 448.831 gpm and 28.317 L/s are the same flow only to 6e-6 (exact: 448.83117, 28.316847), so flows may differ by
 * 1e-5; lengths and diameters are exact in both. */
static void test_same_network_in_two_systems(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *us = net_read(&c, "[OPTIONS]\nUnits GPM\n[JUNCTIONS]\nA 100 475.5096\n[RESERVOIRS]\nR 200\n"
                                  "[PIPES]\nP R A 1000 12 100\n[EMITTERS]\nA 15.850323\n");
    /* 475.5096 gpm = 30 L/s; 15.850323 gpm per root psi = 1 L/s per root psi = 1 / sqrt(0.70325) L/s per root m */
    sl_network *si = net_read(&c, "[OPTIONS]\nUnits LPS\n[JUNCTIONS]\nA 30.48 30\n[RESERVOIRS]\nR 60.96\n"
                                  "[PIPES]\nP R A 304.8 304.8 100\n[EMITTERS]\nA 1.19239\n");
    sl_assert_rel(us->node_elevation[0], si->node_elevation[0], ROUNDING);
    sl_assert_rel(us->node_elevation[1], si->node_elevation[1], ROUNDING);
    sl_assert_rel(us->pipe_length[0], si->pipe_length[0], ROUNDING);
    sl_assert_rel(us->pipe_diameter[0], si->pipe_diameter[0], ROUNDING);
    sl_assert_rel(us->demand_base[0], si->demand_base[0], 1e-5);
    assert_true(us->demand_base[0] != si->demand_base[0]);         /* the inconsistency is EPANET's and is kept */
    sl_assert_rel(us->emitter_coef[0], si->emitter_coef[0], 2e-4); /* 0.4333 psi per foot is 0.433 to 4 digits */
    sl_network_destroy(us);
    sl_network_destroy(si);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow_units),
        cmocka_unit_test(test_flow_words),
        cmocka_unit_test(test_pressure_units),
        cmocka_unit_test(test_emitters),
        cmocka_unit_test(test_leakage),
        cmocka_unit_test(test_reaction_coefficients),
        cmocka_unit_test(test_roughness),
        cmocka_unit_test(test_fluid_properties),
        cmocka_unit_test(test_solver_limits),
        cmocka_unit_test(test_curves_by_use),
        cmocka_unit_test(test_same_network_in_two_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
