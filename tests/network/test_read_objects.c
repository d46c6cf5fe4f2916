/* SPDX-License-Identifier: MIT */
/* The .inp reader on nodes and links: every form of a line of [JUNCTIONS] [RESERVOIRS] [TANKS] [DEMANDS] [EMITTERS]
 * [PATTERNS] [CURVES] [PIPES] [PUMPS] [VALVES] [STATUS] [LEAKAGE], with its defaults. */
#include "net_test.h"

static void test_junctions(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[JUNCTIONS]\nC -5.5 -2 D extra words\nE 7 0 D\nF 7\n[PATTERNS]\nD 1 2\n"
                                          "[PIPES]\nP4 A C 1 1 1\nP5 A E 1 1 1\nP6 A F 1 1 1\n");
    assert_int_equal(net->n_junction, 5);
    assert_int_equal(net->n_demand, 5); /* one each, also of 0 */
    int32_t k = net_node(net, "C"), d = net_pattern(net, "D");
    sl_assert_double(net->node_elevation[k], -5.5);
    sl_assert_rel(net->demand_base[net->demand_start[k]], -2.0 * 0.3048 * 0.3048 * 0.3048 / 28.317, 1e-15);
    assert_int_equal(net->demand_pattern[net->demand_start[k]], d);
    k = net_node(net, "E");
    sl_assert_double(net->demand_base[net->demand_start[k]], 0.0);
    assert_int_equal(net->demand_pattern[net->demand_start[k]], d);
    k = net_node(net, "F");
    sl_assert_double(net->demand_base[net->demand_start[k]], 0.0);
    assert_int_equal(net->demand_pattern[net->demand_start[k]], -1);
    sl_assert_double(net->emitter_coef[k], 0.0);
    sl_assert_double(net->node_quality[k], 0.0);
    assert_null(net->node_x);
    sl_network_destroy(net);
    net_end(&c);
}

/* The number of values decides between reservoir and tank, not the heading; diameter 0 makes a reservoir. */
static void test_reservoirs_and_tanks(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[RESERVOIRS]\nR2 60 D\nTR 1 2 0 3 4\n[TANKS]\nRT 70\nT2 1 2 1 3 4 55\nT3 1 2 1 3 4 0 V\nT4 1 2 1 3 4 0 *\n"
        "T5 1 2 1 3 4 0 * YES\nT6 1 2 1 3 4 0 V no\nR0 80 2 1 3 0 5 V\nT7 1 2 1 3 4 0 \"\" Yes\n"
        "[PATTERNS]\nD 1 2\n[CURVES]\nV 0 0\nV 3 50\n"
        "[PIPES]\n1 A R2 1 1 1\n2 A TR 1 1 1\n3 A RT 1 1 1\n4 A T2 1 1 1\n5 A T3 1 1 1\n6 A T4 1 1 1\n7 A T5 1 1 1\n8 A T6 1 1 1\n"
        "9 A R0 1 1 1\n10 A T7 1 1 1\n");
    assert_int_equal(net->n_reservoir, 4);
    assert_int_equal(net->n_tank, 8);
    assert_int_equal(net->reservoir_pattern[net_reservoir(net, "R2")], net_pattern(net, "D"));
    assert_int_equal(net->reservoir_pattern[net_reservoir(net, "RT")], -1);
    sl_assert_double(net->node_elevation[net_node(net, "RT")], 70.0);
    sl_assert_double(net->node_elevation[net_node(net, "R0")], 80.0);
    assert_int_equal(net->reservoir_pattern[net_reservoir(net, "R0")], -1);
    assert_int_equal(net_only(&c, SL_CODE_LEGACY)->severity, SL_WARNING); /* the diameter of 0 */
    int32_t t = net_tank(net, "TR");
    sl_assert_double(net->tank_level_init[t], 2.0);
    sl_assert_double(net->tank_level_min[t], 0.0);
    sl_assert_double(net->tank_level_max[t], 3.0);
    sl_assert_double(net->tank_diameter[t], 4.0);
    sl_assert_double(net->tank_volume_min[t], 0.0);
    assert_int_equal(net->tank_curve[t], -1);
    assert_int_equal(net->tank_overflow[t], 0);
    assert_int_equal(net->tank_mixing[t], SL_MIX_FULL);
    sl_assert_double(net->tank_mix_fraction[t], 1.0);
    assert_true(isnan(net->tank_bulk[t]));
    sl_assert_double(net->tank_volume_min[net_tank(net, "T2")], 55.0);
    static const struct {
        const char *id;
        bool curve, overflow;
    } row[] = {
        {"T3", true, false}, {"T4", false, false}, {"T5", false, true}, {"T6", true, false}, {"T7", false, true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        t = net_tank(net, row[i].id);
        assert_int_equal(net->tank_curve[t], row[i].curve ? net_curve(net, "V") : -1);
        assert_int_equal(net->tank_overflow[t], row[i].overflow);
    }
    /* EPANET's order: junctions, then reservoirs and tanks as they come */
    assert_int_equal(net->node_rank[net_node(net, "R")], 2);
    assert_int_equal(net->node_rank[net_node(net, "T")], 3);
    assert_int_equal(net->node_rank[net_node(net, "R2")], 4);
    assert_int_equal(net->node_rank[net_node(net, "TR")], 5);
    sl_network_destroy(net);
    net_end(&c);
}

/* The first line of [DEMANDS] takes the place of the junction's own demand and pattern, the others add. */
static void test_demands(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[JUNCTIONS]\nC 1 9 D\n[PIPES]\nP4 A C 1 1 1\n[PATTERNS]\nD 1 2\nE 1\n"
                                          "[DEMANDS]\nC 5\nA 6 E\nC 7 D ;x\n[DEMANDS]\nC 8 \"\"\nT 3\n");
    const double q = 0.3048 * 0.3048 * 0.3048 / 28.317;
    int32_t k = net->demand_start[net_node(net, "C")], a = net->demand_start[net_node(net, "A")];
    assert_int_equal(net->demand_start[net_node(net, "C") + 1] - k, 3);
    sl_assert_rel(net->demand_base[k], 5 * q, 1e-15);
    assert_int_equal(net->demand_pattern[k], -1); /* the junction's D is gone */
    sl_assert_rel(net->demand_base[k + 1], 7 * q, 1e-15);
    assert_int_equal(net->demand_pattern[k + 1], net_pattern(net, "D"));
    sl_assert_rel(net->demand_base[k + 2], 8 * q, 1e-15);
    sl_assert_rel(net->demand_base[a], 6 * q, 1e-15);
    assert_int_equal(net->demand_pattern[a], net_pattern(net, "E"));
    assert_int_equal(net->n_demand, 5);
    assert_int_equal(net_only(&c, SL_CODE_IGNORED)->line, net_frame_lines() + 14); /* of a tank */
    sl_network_destroy(net);
    net_end(&c);
}

static void test_demands_multiply(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[DEMANDS]\nMULTIPLY 2.5\nA 1\n");
    sl_assert_double(net->hydraulics.demand_multiplier, 2.5);
    net_only(&c, SL_CODE_LEGACY);
    sl_network_destroy(net);
    /* a junction of that name is a junction */
    net = net_read_framed(&c, "[JUNCTIONS]\nMULTIPLY 1\n[PIPES]\nP4 A MULTIPLY 1 1 1\n[DEMANDS]\nMULTIPLY 2.5\n");
    sl_assert_double(net->hydraulics.demand_multiplier, 1.0);
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_emitters(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[EMITTERS]\nA 3\nA 2\nB 0\nR 5\n");
    sl_assert_rel(net->emitter_coef[net_node(net, "A")], 2 * 0.3048 * 0.3048 * 0.3048 / 28.317,
                  1e-15); /* the last one */
    sl_assert_double(net->emitter_coef[net_node(net, "B")], 0.0);
    net_only(&c, SL_CODE_IGNORED);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_patterns_and_curves(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c, "[PATTERNS]\nX 1 -2 .5\nY 1e1\nX 5. 0\nY +3\n"
            "[CURVES]\nK 1 2 effic\nL 1 2 nonsense more\nK 3 4 PUMP\nL 5 6\nM 0 0 GENERIC\nN 0 1 volume_curve\n");
    static const double x[] = {1, -2, 0.5, 5, 0};
    int32_t p = net_pattern(net, "X");
    assert_int_equal(net->pattern_start[p + 1] - net->pattern_start[p], 5);
    for (int i = 0; i < 5; i++) {
        sl_assert_double(net->pattern_factor[net->pattern_start[p] + i], x[i]);
    }
    p = net_pattern(net, "Y");
    assert_int_equal(net->pattern_start[p + 1] - net->pattern_start[p], 2);
    sl_assert_double(net->pattern_factor[net->pattern_start[p] + 1], 3.0);
    assert_int_equal(net->curve_kind[net_curve(net, "K")], SL_CURVE_PUMP); /* the last word */
    assert_int_equal(net->curve_kind[net_curve(net, "L")], SL_CURVE_GENERIC);
    assert_int_equal(net->curve_kind[net_curve(net, "M")], SL_CURVE_GENERIC);
    assert_int_equal(net->curve_kind[net_curve(net, "N")], SL_CURVE_VOLUME);
    int32_t k = net_curve(net, "L");
    assert_int_equal(net->curve_start[k + 1] - net->curve_start[k], 2);
    sl_assert_double(net->curve_x[net->curve_start[k] + 1], 5.0);
    sl_assert_double(net->curve_y[net->curve_start[k] + 1], 6.0);
    assert_int_equal(net->pattern_line[p], net_frame_lines() + 3);
    assert_int_equal(net->curve_line[k], net_frame_lines() + 8);
    sl_network_destroy(net);
    net_end(&c);
}

/* A curve with two uses appears a second time, in the units of the second use. */
static void test_curve_used_twice(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c, "[PUMPS]\nPU R A HEAD K\n[JUNCTIONS]\nC 1\n[PIPES]\nP4 A C 1 1 1\n[VALVES]\nV B C 100 GPV K\n"
            "[CURVES]\nK 3 40\nOTHER 1 1\n");
    assert_int_equal(net->n_curve_named, 2);
    assert_int_equal(net->n_curve, 3);
    int32_t first = net->pump_curve[0], second = net->valve_curve[0];
    assert_int_equal(first, net_curve(net, "K"));
    assert_int_equal(second, 2);
    assert_int_equal(net->curve_twin[0], first);
    assert_string_equal(sl_network_curve_id(net, second), "K");
    assert_int_equal(net->curve_kind[first], SL_CURVE_PUMP);
    assert_int_equal(net->curve_kind[second], SL_CURVE_HEADLOSS);
    assert_int_equal(net->curve_line[first], net->curve_line[second]);
    sl_assert_double(net->curve_y[net->curve_start[second]], 40.0);
    sl_network_destroy(net);
    net_end(&c);
}

/* ---- Links -------------------------------------------------------------------------------------- */

static void test_pipes(void **state) {
    (void)state;
    static const struct {
        const char *line;
        double minor;
        int status, check;
    } row[] = {{"X A B 10 20 30", 0, SL_OPEN, 0},
               {"X A B 10 20 30 4.5", 4.5, SL_OPEN, 0},
               {"X A B 10 20 30 CV", 0, SL_OPEN, 1},
               {"X A B 10 20 30 closed", 0, SL_CLOSED, 0},
               {"X A B 10 20 30 Open", 0, SL_OPEN, 0},
               {"X A B 10 20 30 1 CV", 1, SL_OPEN, 1},
               {"X A B 10 20 30 1 Closed", 1, SL_CLOSED, 0},
               {"X A B 10 20 30 1 OPENED extra", 1, SL_OPEN, 0}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[100];
        snprintf(more, sizeof more, "[PIPES]\n%s\n", row[i].line);
        sl_network *net = net_read_framed(&c, more);
        int32_t k = net_link(net, "X");
        assert_int_equal(sl_diags_size(c.diags), 0);
        assert_int_equal(net->link_from[k], net_node(net, "A"));
        assert_int_equal(net->link_to[k], net_node(net, "B"));
        sl_assert_double(net->pipe_length[k], 10.0);
        sl_assert_double(net->pipe_diameter[k], 20 * 1e-3);
        sl_assert_double(net->pipe_roughness[k], 30.0);
        sl_assert_double(net->pipe_minor[k], row[i].minor);
        assert_int_equal(net->link_status[k], row[i].status);
        assert_int_equal(net->pipe_check[k], row[i].check);
        assert_null(net->pipe_leak_area);
        sl_network_destroy(net);
    }
    net_end(&c);
}

/* Missing columns: EPANET 2.3's defaults for the file's units and formula, wherever [OPTIONS] stands. */
static void test_pipe_defaults(void **state) {
    (void)state;
    static const struct {
        const char *options;
        double length, diameter, roughness;
    } row[] = {{"Units LPS", 100, 0.254, 130},
               {"Units GPM", 330 * 0.3048, 10 * 0.3048 / 12, 130},
               {"Units LPS\nHeadloss D-W", 100, 0.254, 0.0005e-3},
               {"Units GPM\nHeadloss D-W", 330 * 0.3048, 10 * 0.3048 / 12, 0.0005e-3 * 0.3048},
               {"Units LPS\nHeadloss C-M", 100, 0.254, 0.01}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A\nQ R A 7\nS R A 7 8\n[OPTIONS]\n%s\n",
                 row[i].options);
        sl_network *net = net_read(&c, text);
        assert_int_equal(net_count(&c, SL_CODE_MISSING_VALUE), 3);
        assert_int_equal(sl_diags_size(c.diags), 3);
        sl_assert_rel(net->pipe_length[0], row[i].length, 4e-16);
        sl_assert_rel(net->pipe_diameter[0], row[i].diameter, 4e-16);
        sl_assert_rel(net->pipe_roughness[0], row[i].roughness, 4e-16);
        assert_true(net->pipe_length[1] < 7.1 && net->pipe_diameter[1] == net->pipe_diameter[0]);
        assert_true(net->pipe_diameter[2] != net->pipe_diameter[0] && net->pipe_roughness[2] == net->pipe_roughness[0]);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_pumps(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[PUMPS]\n1 R A HEAD K\n2 R A POWER 5\n3 R A SPEED 1.5 PATT D HEAD K\n4 R A POWER 5 HEAD K\n"
        "5 R A head K power 7\n6 R A HEADCURVE K SPEE 0\n7 R A HEAD K HEAD L\n[CURVES]\nK 3 40\nL 4 50\n[PATTERNS]\nD 1\n");
    int32_t k = net_curve(net, "K");
    assert_int_equal(net->n_pump, 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(net->pump_curve[i], i == 1 ? -1 : i == 6 ? net_curve(net, "L") : k);
        sl_assert_double(net->pump_power[i], i == 1 ? 5000.0 : 0.0); /* a head curve wins */
        sl_assert_double(net->pump_speed[i], i == 2 ? 1.5 : i == 5 ? 0.0 : 1.0);
        assert_int_equal(net->pump_pattern[i], i == 2 ? net_pattern(net, "D") : -1);
        assert_int_equal(net->link_status[net->n_pipe + i], SL_OPEN);
        assert_int_equal(net->pump_efficiency_curve[i], -1);
        assert_true(isnan(net->pump_price[i]));
        assert_int_equal(net->pump_price_pattern[i], -1);
    }
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net_end(&c);
}

/* Numbers instead of keywords: power; head and flow; shutoff head and two points. */
static void test_old_pumps(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[PUMPS]\nX1 R A 6\nX2 R A 40 10\nX5 R A 50 40 10 25 20\n[CURVES]\nX2 1 1\n");
    assert_int_equal(net_count(&c, SL_CODE_LEGACY), 3);
    sl_assert_double(net->pump_power[0], 6000.0);
    int32_t one = net->pump_curve[1], three = net->pump_curve[2];
    const double q = 0.3048 * 0.3048 * 0.3048 / 28.317;
    assert_int_equal(net->curve_start[one + 1] - net->curve_start[one], 1);
    sl_assert_rel(net->curve_x[net->curve_start[one]], 10 * q, 1e-15);
    sl_assert_double(net->curve_y[net->curve_start[one]], 40.0);
    assert_true(strcmp(sl_network_curve_id(net, one), "X2") != 0); /* that id was taken */
    assert_string_equal(sl_network_curve_id(net, three), "X5");
    static const double x[] = {0, 10, 20}, y[] = {50, 40, 25};
    for (int i = 0; i < 3; i++) {
        sl_assert_rel(net->curve_x[net->curve_start[three] + i], x[i] * q, 1e-15);
        sl_assert_double(net->curve_y[net->curve_start[three] + i], y[i]);
    }
    sl_network_destroy(net);
    net_end(&c);
}

static void test_valves(void **state) {
    (void)state;
    static const struct {
        const char *line;
        sl_valve_kind kind;
        double setting, minor;
        int status;
        const char *curve;
    } row[] = {{"X C D 12 PRV 5", SL_PRV, 5, 0, SL_ACTIVE, NULL},
               {"X C D 12 psv -3 0.5", SL_PSV, -3, 0.5, SL_ACTIVE, NULL},
               {"X C D 12 PBV 5 0 K", SL_PBV, 5, 0, SL_ACTIVE, NULL},
               {"X C D 12 TCV 8 1", SL_TCV, 8, 1, SL_ACTIVE, NULL},
               {"X C D 12 GPV K", SL_GPV, 0, 0, SL_OPEN, "K"},
               {"X C D 12 GPV K 2", SL_GPV, 0, 2, SL_OPEN, "K"},
               {"X C D 12 PCV 60", SL_PCV, 60, 0, SL_ACTIVE, NULL},
               {"X C D 12 PCV 60 1 K", SL_PCV, 60, 1, SL_ACTIVE, "K"},
               {"X C D 12 PCV 160 1 K", SL_PCV, 100, 1, SL_ACTIVE, "K"},
               {"X C D 12 PCV 160 1", SL_PCV, 160, 1, SL_ACTIVE, NULL}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[200];
        snprintf(
            more, sizeof more,
            "[JUNCTIONS]\nC 1\nD 1\n[PIPES]\nP4 A C 1 1 1\nP5 D B 1 1 1\n[CURVES]\nK 0 0\nK 100 100\n[VALVES]\n%s\n",
            row[i].line);
        sl_network *net = net_read_framed(&c, more);
        assert_int_equal(net->n_valve, 1);
        assert_int_equal(net->valve_kind[0], row[i].kind);
        sl_assert_double(net->valve_diameter[0], 12 * 1e-3);
        sl_assert_double(net->valve_setting[0], row[i].setting);
        sl_assert_double(net->valve_minor[0], row[i].minor);
        assert_int_equal(net->link_status[net_link(net, "X")], row[i].status);
        assert_int_equal(net->valve_curve[0], row[i].curve ? net_curve(net, row[i].curve) : -1);
        assert_int_equal(sl_diags_size(c.diags), 0);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static const char devices[] =
    "[JUNCTIONS]\n10 1\n11 1\n12 1\n13 1\n[PIPES]\n1 A 10 1 1 1\n2 A 10 1 1 1\n3 A 10 1 1 1 CV\nB1 A 10 1 1 1\n5 12 13 1 1 1\n"
    "[PUMPS]\n6 R A HEAD K SPEED 1.5\n7 R A HEAD K\n[CURVES]\nK 3 40\n[VALVES]\n8 10 11 1 PRV 5\n9 11 12 1 GPV K\n20 10 12 1 TCV 5\n";

/* [STATUS]: one link, or a range of ids: by number when both ends are numbers, else by bytes. */
static void test_status(void **state) {
    (void)state;
    static const struct {
        const char *line, *link;
        int status;
        double setting; /* speed or valve setting, NaN: not looked at */
    } row[] = {{"1 Closed", "1", SL_CLOSED, NAN},
               {"1 OPEN", "1", SL_OPEN, NAN},
               {"6 Closed", "6", SL_CLOSED, 0},
               {"6 Open", "6", SL_OPEN, 1},
               {"6 0.7", "6", SL_OPEN, 0.7},
               {"6 0", "6", SL_CLOSED, 0},
               {"8 Closed", "8", SL_CLOSED, 5},
               {"8 open", "8", SL_OPEN, 5},
               {"8 7.5", "8", SL_ACTIVE, 7.5},
               {"9 Closed", "9", SL_CLOSED, 0},
               {"1 2 Closed", "1", SL_CLOSED, NAN},
               {"1 2 Closed", "2", SL_CLOSED, NAN},
               {"1 2 Closed", "5", SL_OPEN, NAN},
               {"1 8 Closed", "3", SL_OPEN, NAN} /* a check valve is passed over */,
               {"1 8 Closed", "6", SL_CLOSED, 0},
               {"1 8 Closed", "B1", SL_OPEN, NAN},
               {"A C Closed", "B1", SL_CLOSED, NAN},
               {"A C Closed", "1", SL_OPEN, NAN},
               {"6 8 0.5", "7", SL_OPEN, 0.5},
               {"6 9 0.5", "8", SL_ACTIVE, 0.5},
               {"8 9 0.5", "9", SL_OPEN, 0},
               {"20 20 9", "20", SL_ACTIVE, 9},
               {"1 2 junk Closed", "2", SL_CLOSED, NAN}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[700];
        snprintf(more, sizeof more, "%s[STATUS]\n%s\n", devices, row[i].line);
        sl_network *net = net_read_framed(&c, more);
        int32_t link = net_link(net, row[i].link), pump = link - net->n_pipe, valve = pump - net->n_pump;
        if (net->link_status[link] != row[i].status) {
            print_error("%s: link %s has status %d\n", row[i].line, row[i].link, net->link_status[link]);
        }
        assert_int_equal(net->link_status[link], row[i].status);
        if (!isnan(row[i].setting)) {
            sl_assert_double(valve >= 0 ? net->valve_setting[valve] : net->pump_speed[pump], row[i].setting);
        }
        assert_int_equal(sl_diags_size(c.diags), 0);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_leakage(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char more[700];
    snprintf(more, sizeof more, "%s[LEAKAGE]\nP2 4 0\n3 0 5\n6 1 1\n", devices);
    sl_network *net = net_read_framed(&c, more);
    sl_assert_rel(net->pipe_leak_area[net_link(net, "P2")], 4e-8, 1e-15);
    sl_assert_rel(net->pipe_leak_expansion[net_link(net, "3")], 5e-8, 1e-15); /* one with a check valve may leak */
    sl_assert_double(net->pipe_leak_area[net_link(net, "3")], 0.0);
    net_only(&c, SL_CODE_IGNORED); /* the pump's */
    sl_network_destroy(net);
    net_end(&c);
}

/* Links by kind, in the order of the file within a kind; the rank is EPANET's order. */
static void test_order_of_links(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(
        &c,
        "[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 9\n[VALVES]\nV A B 1 TCV 1\n[PIPES]\nP A B 1 1 1\n[PUMPS]\nU R A POWER 1\n[PIPES]\nQ A B 1 1 1\n");
    static const char *const ids[] = {"P", "Q", "U", "V"};
    static const int32_t rank[] = {1, 3, 2, 0};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(sl_network_link_id(net, i), ids[i]);
        assert_int_equal(sl_network_find_link(net, sl_str_z(ids[i])), i);
        assert_int_equal(net->link_rank[i], rank[i]);
    }
    sl_network_destroy(net);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_junctions),        cmocka_unit_test(test_reservoirs_and_tanks),
        cmocka_unit_test(test_demands),          cmocka_unit_test(test_demands_multiply),
        cmocka_unit_test(test_emitters),         cmocka_unit_test(test_patterns_and_curves),
        cmocka_unit_test(test_curve_used_twice), cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_pipe_defaults),    cmocka_unit_test(test_pumps),
        cmocka_unit_test(test_old_pumps),        cmocka_unit_test(test_valves),
        cmocka_unit_test(test_status),           cmocka_unit_test(test_leakage),
        cmocka_unit_test(test_order_of_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
