/* SPDX-License-Identifier: MIT */
/* Building by calls: the same model as from text, the defaults of every definition, and every way an add refuses. */
#include "net_test.h"

static sl_spec *begin_spec(net_case *c) {
    sl_spec *spec = NULL;
    net_begin(c);
    sl_assert_ok(sl_spec_create(c->ctx, c->diags, &spec));
    return spec;
}

static void end_spec(net_case *c, sl_spec *spec) {
    sl_spec_destroy(spec);
    net_end(c);
}

/* ---- A town, by calls and by text --------------------------------------------------------------- */

static void add_tables(sl_spec *s) {
    static const double day[] = {1.0, 1.25, 0.5}, flow[] = {0.0, 0.01, 0.02}, head[] = {60.0, 50.0, 30.0},
                        level[] = {0.0, 6.0}, volume[] = {0.0, 300.0}, eff[] = {60.0, 80.0, 70.0},
                        loss[] = {0.0, 1.0, 5.0}, opening[] = {0.0, 50.0, 100.0};
    const struct {
        const char *id;
        sl_curve_kind kind;
        const double *x, *y;
        int32_t n;
    } curves[] = {{"HEAD", SL_CURVE_PUMP, flow, head, 3},
                  {"VOL", SL_CURVE_VOLUME, level, volume, 2},
                  {"EFF", SL_CURVE_EFFICIENCY, flow, eff, 3},
                  {"LOSS", SL_CURVE_HEADLOSS, flow, loss, 3},
                  {"OPEN", SL_CURVE_VALVE, opening, opening, 3}};
    sl_pattern_def p = sl_pattern_default();
    p.id = "DAY";
    p.factor = day;
    p.n_factor = 3;
    p.note = "the day";
    sl_assert_ok(sl_spec_add_pattern(s, &p));
    for (int i = 0; i < 5; i++) {
        sl_curve_def k = sl_curve_default();
        k.id = curves[i].id;
        k.kind = curves[i].kind;
        k.x = curves[i].x;
        k.y = curves[i].y;
        k.n_point = curves[i].n;
        k.note = i == 0 ? "of the pump" : NULL;
        sl_assert_ok(sl_spec_add_curve(s, &k));
    }
}

static void add_nodes(sl_spec *s) {
    static const char *const ids[] = {"A", "B", "C", "D", "E"};
    for (int i = 0; i < 5; i++) {
        sl_junction_def j = sl_junction_default();
        j.id = ids[i];
        j.elevation = 10.0 + i;
        j.demand = i * 0.001;
        j.pattern = i == 1 ? "DAY" : NULL;
        j.emitter_coef = i == 2 ? 1e-4 : 0.0;
        j.quality = i == 3 ? 0.5 : 0.0;
        if (i == 0) {
            j.x = 1.5;
            j.y = 2.5;
            j.tag = "a tag";
            j.note = "a note";
        }
        sl_assert_ok(sl_spec_add_junction(s, &j));
    }
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    r.head = 20.0;
    r.pattern = "DAY";
    sl_assert_ok(sl_spec_add_reservoir(s, &r));
    sl_tank_def t = sl_tank_default();
    t.id = "T";
    t.elevation = 40.0;
    t.level_init = 3.0;
    t.level_min = 1.0;
    t.level_max = 5.0;
    t.volume_curve = "VOL";
    t.overflow = true;
    t.mixing = SL_MIX_TWO_COMPARTMENT;
    t.mix_fraction = 0.25;
    sl_assert_ok(sl_spec_add_tank(s, &t));
    sl_demand_def d = sl_demand_default();
    d.junction = "E";
    d.base = 0.002;
    d.category = "homes";
    sl_assert_ok(sl_spec_add_demand(s, &d));
    d.base = 0.003;
    d.pattern = "DAY";
    d.category = NULL;
    sl_assert_ok(sl_spec_add_demand(s, &d));
}

static void add_links(sl_spec *s) {
    static const double x[] = {7.0, 8.0}, y[] = {9.0, 10.0};
    sl_pipe_def p = sl_pipe_default();
    p.id = "P1";
    p.from = "A";
    p.to = "B";
    p.length = 200.0;
    p.diameter = 0.3;
    p.minor = 1.5;
    p.note = "main";
    sl_assert_ok(sl_spec_add_pipe(s, &p));
    p = sl_pipe_default();
    p.id = "P2";
    p.from = "A";
    p.to = "T";
    p.status = SL_CLOSED;
    sl_assert_ok(sl_spec_add_pipe(s, &p));
    p.id = "P3";
    p.status = SL_OPEN;
    p.check_valve = true;
    sl_assert_ok(sl_spec_add_pipe(s, &p));
    sl_pump_def u = sl_pump_default();
    u.id = "U";
    u.from = "R";
    u.to = "A";
    u.curve = "HEAD";
    u.speed = 0.9;
    u.efficiency_curve = "EFF";
    u.price = 0.25;
    u.price_pattern = "DAY";
    u.pattern = "DAY";
    sl_assert_ok(sl_spec_add_pump(s, &u));
    u = sl_pump_default();
    u.id = "W";
    u.from = "R";
    u.to = "A";
    u.power = 5000.0;
    u.status = SL_CLOSED;
    sl_assert_ok(sl_spec_add_pump(s, &u));
    static const struct {
        const char *id, *from, *to, *curve;
        sl_valve_kind kind;
        double setting;
        sl_link_status status;
    } valves[] = {{"V1", "B", "C", NULL, SL_PRV, 25.0, SL_ACTIVE},
                  {"V2", "C", "D", "LOSS", SL_GPV, 0.0, SL_ACTIVE},
                  {"V3", "D", "E", "OPEN", SL_PCV, 40.0, SL_OPEN}};
    for (int i = 0; i < 3; i++) {
        sl_valve_def v = sl_valve_default();
        v.id = valves[i].id;
        v.from = valves[i].from;
        v.to = valves[i].to;
        v.curve = valves[i].curve;
        v.kind = valves[i].kind;
        v.setting = valves[i].setting;
        v.status = valves[i].status;
        sl_assert_ok(sl_spec_add_valve(s, &v));
    }
    sl_assert_ok(sl_spec_add_vertices(s, "P1", x, y, 2));
}

static void add_rest(sl_spec *s) {
    sl_control_def k = sl_control_default();
    k.link = "U";
    k.kind = SL_CONTROL_ABOVE;
    k.node = "T";
    k.threshold = 4.5;
    k.status = SL_CLOSED;
    sl_assert_ok(sl_spec_add_control(s, &k));
    k = sl_control_default();
    k.link = "V1";
    k.kind = SL_CONTROL_CLOCK;
    k.threshold = 6 * 3600.0;
    k.setting = 30.0;
    k.enabled = false;
    sl_assert_ok(sl_spec_add_control(s, &k));
    sl_premise_def premise[] = {
        {.object = SL_RULE_NODE, .id = "T", .variable = SL_RULE_LEVEL, .relation = SL_RULE_LT, .value = 2.0},
        {.logic = SL_RULE_OR,
         .object = SL_RULE_SYSTEM,
         .variable = SL_RULE_TIME,
         .relation = SL_RULE_GE,
         .value = 7200.0},
        {.logic = SL_RULE_AND,
         .object = SL_RULE_LINK,
         .id = "U",
         .variable = SL_RULE_STATUS,
         .relation = SL_RULE_EQ,
         .status = SL_OPEN}};
    sl_action_def then[] = {{.link = "U", .status = SL_OPEN, .setting = NAN}, {.link = "V1", .setting = 20.0}},
                  other = {.link = "P1", .status = SL_CLOSED, .setting = NAN};
    sl_rule_def rule = sl_rule_default();
    rule.name = "r1";
    rule.premise = premise;
    rule.n_premise = 3;
    rule.then_action = then;
    rule.n_then = 2;
    rule.else_action = &other;
    rule.n_else = 1;
    rule.priority = 2.0;
    sl_assert_ok(sl_spec_add_rule(s, &rule));
    sl_source_def source = sl_source_default();
    source.node = "R";
    source.kind = SL_SOURCE_SETPOINT;
    source.strength = 1.5;
    source.pattern = "DAY";
    sl_assert_ok(sl_spec_add_source(s, &source));
    sl_label_def label = sl_label_default();
    label.x = 1;
    label.y = 2;
    label.text = "The town";
    label.anchor = "A";
    sl_assert_ok(sl_spec_add_label(s, &label));
    sl_assert_ok(sl_spec_add_title(s, "By calls"));
    sl_assert_ok(sl_spec_add_backdrop(s, "UNITS None"));
    sl_assert_ok(sl_spec_set_default_pattern(s, "DAY"));
    sl_assert_ok(sl_spec_set_price_pattern(s, "DAY"));
    sl_assert_ok(sl_spec_set_chemical(s, "Chlorine", "ug/L"));
}

/* In CMS and metres every number of a file is its SI value, but for the factor of CMS itself: 0.3048^3 / 0.028317. Flows
 * are therefore not compared by their text here; a pump's and a demand's are set from the network that was read. */
static const char town[] =
    "[TITLE]\nBy calls\n"
    "[PATTERNS]\n;the day\nDAY 1 1.25 0.5\n"
    "[CURVES]\n;of the pump\nHEAD 0 60 PUMP\nHEAD 0.01 50\nHEAD 0.02 30\nVOL 0 0 VOLUME\nVOL 6 300\nEFF 0 60 EFFICIENCY\nEFF 0.01 80\nEFF 0.02 70\n"
    "LOSS 0 0 HEADLOSS\nLOSS 0.01 1\nLOSS 0.02 5\nOPEN 0 0 VALVE\nOPEN 50 50\nOPEN 100 100\n"
    "[JUNCTIONS]\nA 10 0 ;a note\nB 11 0.001 DAY\nC 12 0.002\nD 13 0.003\nE 14 0.004\n"
    "[RESERVOIRS]\nR 20 DAY\n[TANKS]\nT 40 3 1 5 10 0 VOL YES\n[MIXING]\nT 2COMP 0.25\n[EMITTERS]\nC 0.0001\n[QUALITY]\nD 0.5\n"
    "[DEMANDS]\nE 0.002 ;homes\nE 0.003 DAY\n"
    "[PIPES]\nP1 A B 200 300 130 1.5 ;main\nP2 A T 100 254 130 0 Closed\nP3 A T 100 254 130 0 CV\n"
    "[PUMPS]\nU R A HEAD HEAD SPEED 0.9 PATTERN DAY\nW R A POWER 5\n[STATUS]\nW Closed\nV3 Open\n"
    "[VALVES]\nV1 B C 254 PRV 25\nV2 C D 254 GPV LOSS\nV3 D E 254 PCV 40 0 OPEN\n"
    "[ENERGY]\nGlobal Pattern DAY\nPump U Effic EFF\nPump U Price 0.25\nPump U Pattern DAY\n"
    "[CONTROLS]\nLINK U CLOSED IF NODE T ABOVE 4.5\nLINK V1 30 AT CLOCKTIME 6:00 DISABLED\n"
    "[RULES]\nRULE r1\nIF TANK T LEVEL < 2\nOR SYSTEM TIME >= 2:00\nAND PUMP U STATUS = OPEN\nTHEN PUMP U STATUS = OPEN\nAND VALVE V1 SETTING = 20\n"
    "ELSE PIPE P1 STATUS = CLOSED\nPRIORITY 2\n"
    "[SOURCES]\nR SETPOINT 1.5 DAY\n[VERTICES]\nP1 7 9\nP1 8 10\n[COORDINATES]\nA 1.5 2.5\n[TAGS]\nNODE A a tag\n[LABELS]\n1 2 \"The town\" A\n"
    "[BACKDROP]\nUNITS None\n[OPTIONS]\nUnits CMS\nPattern DAY\nQuality Chlorine ug/L\n";

static void test_same_as_text(void **state) {
    (void)state;
    net_case c;
    sl_spec *s = begin_spec(&c);
    sl_spec_set_units(s, SL_CMS);
    add_tables(s);
    add_nodes(s);
    add_links(s);
    add_rest(s);
    sl_network *built = NULL;
    sl_assert_ok(sl_spec_compile(s, &built));
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network *read = net_read_clean(&c, town);
    /* EPANET's CMS is 1 / 0.028317 cfs: off by 5.4e-6 from a true cubic metre per second */
    net_assert_near(built, read, 6e-6);
    for (int32_t i = 0; i < read->n_node; i++) {
        assert_string_equal(sl_network_node_id(built, i), sl_network_node_id(read, i));
    }
    /* but for flows they are the same: write what was built, read it, and compare */
    char *text = net_write(&c, built);
    sl_network *again = net_read_clean(&c, text);
    net_assert_near(built, again, 1e-15);
    char *second = net_write(&c, again);
    sl_assert_z(second, text);
    free(text);
    free(second);
    assert_int_equal(built->n_node_tag, 1);
    assert_int_equal(built->node_line[0], 0);
    assert_string_equal(built->name, "");
    sl_network_destroy(built);
    sl_network_destroy(read);
    sl_network_destroy(again);
    end_spec(&c, s);
}

/* Values taken from a network that was read: then it is the same to the last bit. */
static void test_equal_bit_for_bit(void **state) {
    (void)state;
    net_case c;
    sl_spec *s = begin_spec(&c);
    sl_network *read = net_read_clean(
        &c,
        "[JUNCTIONS]\nA 10 7.7\nB 20\n[RESERVOIRS]\nR 33.3\n[PIPES]\nP R A 1000 12 100\nQ A B 100 8 90 2 Closed\n[OPTIONS]\nUnits GPM\n");
    for (int i = 0; i < 2; i++) {
        sl_junction_def j = sl_junction_default();
        j.id = sl_network_node_id(read, i);
        j.elevation = read->node_elevation[i];
        j.demand = read->demand_base[i];
        sl_assert_ok(sl_spec_add_junction(s, &j));
    }
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    r.head = read->node_elevation[2];
    sl_assert_ok(sl_spec_add_reservoir(s, &r));
    for (int i = 0; i < 2; i++) {
        sl_pipe_def p = sl_pipe_default();
        p.id = sl_network_link_id(read, i);
        p.from = sl_network_node_id(read, read->link_from[i]);
        p.to = sl_network_node_id(read, read->link_to[i]);
        p.length = read->pipe_length[i];
        p.diameter = read->pipe_diameter[i];
        p.roughness = read->pipe_roughness[i];
        p.minor = read->pipe_minor[i];
        p.status = (sl_link_status)read->link_status[i];
        sl_assert_ok(sl_spec_add_pipe(s, &p));
    }
    sl_network *built = NULL;
    sl_assert_ok(sl_spec_compile(s, &built));
    net_assert_equal(read, built);
    sl_network_destroy(read);
    sl_network_destroy(built);
    end_spec(&c, s);
}

/* The spec stays as it is: compiled again it gives the same, extended it gives more. */
static void test_compile_twice(void **state) {
    (void)state;
    net_case c;
    sl_spec *s = begin_spec(&c);
    add_tables(s);
    add_nodes(s);
    add_links(s);
    add_rest(s);
    sl_network *a = NULL, *b = NULL, *d = NULL;
    sl_assert_ok(sl_spec_compile(s, &a));
    sl_assert_ok(sl_spec_compile(s, &b));
    net_assert_equal(a, b);
    sl_junction_def j = sl_junction_default();
    j.id = "NEW";
    sl_pipe_def p = sl_pipe_default();
    p.id = "PN";
    p.from = "A";
    p.to = "NEW";
    sl_assert_ok(sl_spec_add_junction(s, &j));
    sl_assert_ok(sl_spec_add_pipe(s, &p));
    sl_assert_ok(sl_spec_compile(s, &d));
    assert_int_equal(d->n_junction, a->n_junction + 1);
    assert_int_equal(d->link_to[net_link(d, "PN")], net_node(d, "NEW"));
    assert_int_equal(sl_network_find_node(a, sl_str_z("NEW")), -1);
    sl_spec_destroy(s); /* networks outlive their spec */
    assert_string_equal(sl_network_node_id(a, 0), "A");
    sl_network_destroy(a);
    sl_network_destroy(b);
    sl_network_destroy(d);
    net_end(&c);
}

/* ---- Defaults ----------------------------------------------------------------------------------- */

static void test_definition_defaults(void **state) {
    (void)state;
    sl_junction_def j = sl_junction_default();
    assert_int_equal(j.size, sizeof j);
    assert_null(j.id);
    assert_true(j.elevation == 0 && j.demand == 0 && j.emitter_coef == 0 && j.quality == 0 && isnan(j.x) && isnan(j.y));
    sl_reservoir_def r = sl_reservoir_default();
    assert_true(r.size == sizeof r && r.head == 0 && isnan(r.x) && !r.pattern);
    sl_tank_def t = sl_tank_default();
    assert_int_equal(t.size, sizeof t);
    sl_assert_double(t.diameter, 10.0);
    sl_assert_double(t.mix_fraction, 1.0);
    assert_true(isnan(t.bulk) && isnan(t.x) && !t.overflow && t.mixing == SL_MIX_FULL && t.volume_min == 0);
    sl_pipe_def p = sl_pipe_default();
    assert_int_equal(p.size, sizeof p);
    sl_assert_double(p.length, 100.0);
    sl_assert_double(p.diameter, 0.254);
    sl_assert_double(p.roughness, 130.0);
    assert_true(p.minor == 0 && p.status == SL_OPEN && !p.check_valve && isnan(p.bulk) && isnan(p.wall) &&
                p.leak_area == 0 && p.leak_expansion == 0);
    sl_pump_def u = sl_pump_default();
    assert_true(u.size == sizeof u && u.speed == 1.0 && u.power == 0 && u.status == SL_OPEN && isnan(u.price) &&
                !u.curve);
    sl_valve_def v = sl_valve_default();
    assert_true(v.size == sizeof v && v.diameter == 0.254 && v.status == SL_ACTIVE && v.setting == 0 && v.minor == 0);
    sl_control_def k = sl_control_default();
    assert_true(k.size == sizeof k && isnan(k.setting) && k.enabled && k.status == SL_OPEN);
    sl_rule_def rule = sl_rule_default();
    assert_true(rule.size == sizeof rule && rule.enabled && rule.priority == 0);
    assert_int_equal(sl_pattern_default().size, sizeof(sl_pattern_def));
    assert_int_equal(sl_curve_default().size, sizeof(sl_curve_def));
    assert_int_equal(sl_demand_default().size, sizeof(sl_demand_def));
    assert_int_equal(sl_source_default().size, sizeof(sl_source_def));
    assert_int_equal(sl_label_default().size, sizeof(sl_label_def));
}

/* The options of a spec start as those of a file without [OPTIONS], [TIMES] and the rest. */
static void test_option_defaults(void **state) {
    (void)state;
    net_case c;
    sl_spec *s = begin_spec(&c);
    sl_junction_def j = sl_junction_default();
    j.id = "A";
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    r.head = 1 * 0.3048;
    sl_pipe_def p = sl_pipe_default();
    p.id = "P";
    p.from = "R";
    p.to = "A";
    p.length = 330 * 0.3048;
    p.diameter = 10 * (0.3048 / 12);
    sl_assert_ok(sl_spec_add_junction(s, &j));
    sl_assert_ok(sl_spec_add_reservoir(s, &r));
    sl_assert_ok(sl_spec_add_pipe(s, &p));
    sl_network *built = NULL, *read = net_read(&c, "[JUNCTIONS]\nA 0\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 330 10 130\n");
    sl_assert_ok(sl_spec_compile(s, &built));
    net_assert_equal(read, built);
    sl_network_destroy(built);
    /* and can be changed in place */
    sl_spec_hydraulics(s)->trials = 7;
    sl_spec_quality(s)->kind = SL_QUALITY_AGE;
    sl_spec_energy(s)->price = 0.5;
    sl_spec_times(s)->duration = 7200;
    sl_spec_report(s)->status = 2;
    sl_spec_set_units(s, SL_CMH);
    sl_assert_ok(sl_spec_compile(s, &built));
    assert_int_equal(built->hydraulics.trials, 7);
    assert_int_equal(built->quality.kind, SL_QUALITY_AGE);
    sl_assert_double(built->energy.price, 0.5);
    sl_assert_double(built->times.duration, 7200);
    assert_int_equal(built->report.status, 2);
    assert_int_equal(built->hydraulics.pressure_unit, SL_METERS);
    sl_assert_double(built->hydraulics.pressure_required, 0.1); /* 0.1 of the unit of the file */
    sl_network_destroy(built);
    sl_network_destroy(read);
    end_spec(&c, s);
}

/* Reports on some nodes and links, in order and once each. */
static void test_report_lists(void **state) {
    (void)state;
    net_case c;
    sl_spec *s = net_spec_begin(&c);
    sl_network *net = NULL;
    sl_junction_def j = sl_junction_default();
    sl_reservoir_def r = sl_reservoir_default();
    sl_pipe_def p = sl_pipe_default();
    r.id = "LAKE";
    sl_spec_add_reservoir(s, &r);
    j.id = "ONE";
    sl_spec_add_junction(s, &j);
    p.id = "MAIN";
    p.from = "LAKE";
    p.to = "ONE";
    sl_spec_add_pipe(s, &p);
    sl_assert_ok(sl_spec_add_report_node(s, "LAKE"));
    sl_assert_ok(sl_spec_add_report_node(s, "ONE"));
    sl_assert_ok(sl_spec_add_report_node(s, "LAKE"));
    sl_assert_ok(sl_spec_add_report_link(s, "MAIN"));
    sl_assert_ok(sl_spec_compile(s, &net));
    assert_int_equal(net->report.nodes, SL_REPORT_SOME);
    assert_int_equal(net->report.n_node_list, 2);
    sl_assert_z(sl_network_node_id(net, net->report.node_list[0]), "ONE");
    assert_int_equal(net->report.n_link_list, 1);
    sl_network_destroy(net);
    sl_assert_status(sl_spec_add_report_node(s, "TWO"), SL_ERR_INPUT);
    sl_assert_status(sl_spec_add_report_link(s, "ONE"), SL_ERR_INPUT);
    sl_spec_destroy(s);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_lists),        cmocka_unit_test(test_same_as_text),
        cmocka_unit_test(test_equal_bit_for_bit),   cmocka_unit_test(test_compile_twice),
        cmocka_unit_test(test_definition_defaults), cmocka_unit_test(test_option_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
