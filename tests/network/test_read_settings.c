/* SPDX-License-Identifier: MIT */
/* The .inp reader on [OPTIONS] [TIMES] [ENERGY] [REPORT] [QUALITY] [SOURCES] [REACTIONS] [MIXING] and the map sections:
 * every keyword, what it does, and what holds without it. */
#include "net_test.h"

#include <stddef.h>

static const double cubic_foot = 0.3048 * 0.3048 * 0.3048;

static void test_defaults(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_clean(&c, "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n");
    const sl_hydraulic_options *h = &net->hydraulics;
    assert_int_equal(h->flow_unit, SL_GPM);
    assert_int_equal(h->pressure_unit, SL_PSI);
    assert_int_equal(h->headloss, SL_HAZEN_WILLIAMS);
    assert_int_equal(h->demand_model, SL_DDA);
    sl_assert_double(h->pressure_min, 0.0);
    sl_assert_rel(h->pressure_required, 0.1 * 0.3048 / 0.4333, 4e-16);
    sl_assert_double(h->pressure_exponent, 0.5);
    sl_assert_double(h->demand_multiplier, 1.0);
    sl_assert_double(h->emitter_exponent, 0.5);
    assert_true(h->emitter_backflow);
    sl_assert_double(h->specific_gravity, 1.0);
    assert_int_equal(h->trials, 200);
    sl_assert_double(h->accuracy, 0.001);
    sl_assert_double(h->head_error, 0.0);
    sl_assert_double(h->flow_change, 0.0);
    sl_assert_rel(h->head_tolerance, 0.0005 * 0.3048, 4e-16);
    sl_assert_rel(h->flow_tolerance, 0.0001 * cubic_foot, 4e-16);
    sl_assert_double(h->rq_tolerance, 1e-7);
    assert_int_equal(h->check_freq, 2);
    assert_int_equal(h->max_check, 10);
    sl_assert_double(h->damp_limit, 0.0);
    assert_int_equal(h->unbalanced_extra, 0); /* EPANET: -1 */
    assert_int_equal(h->default_pattern, -1);
    assert_string_equal(h->default_pattern_id, "1");
    assert_int_equal(h->hydraulics_file, 0);
    assert_string_equal(h->map_file, "");
    const sl_quality_options *q = &net->quality;
    assert_int_equal(q->kind, SL_QUALITY_NONE);
    assert_string_equal(q->chemical, "Chemical");
    assert_string_equal(q->mass_unit, "mg/L");
    assert_int_equal(q->trace_node, -1);
    sl_assert_double(q->tolerance, 0.01);
    sl_assert_double(q->bulk_order, 1.0);
    sl_assert_double(q->tank_order, 1.0);
    assert_int_equal(q->wall_order, 1);
    sl_assert_double(q->bulk_coef, 0.0);
    sl_assert_double(q->wall_coef, 0.0);
    sl_assert_double(q->limit_potential, 0.0);
    sl_assert_double(q->roughness_factor, 0.0);
    sl_assert_double(net->energy.price, 0.0);
    sl_assert_double(net->energy.efficiency, 75.0);
    sl_assert_double(net->energy.demand_charge, 0.0);
    assert_int_equal(net->energy.price_pattern, -1);
    const sl_times *t = &net->times;
    sl_assert_double(t->duration, 0.0);
    sl_assert_double(t->hydraulic_step, 3600.0);
    sl_assert_double(t->quality_step, 360.0);
    sl_assert_double(t->rule_step, 360.0);
    sl_assert_double(t->pattern_step, 3600.0);
    sl_assert_double(t->pattern_start, 0.0);
    sl_assert_double(t->report_step, 3600.0);
    sl_assert_double(t->report_start, 0.0);
    sl_assert_double(t->start_clock, 0.0);
    assert_int_equal(t->statistic, SL_STAT_SERIES);
    const sl_report_options *r = &net->report;
    assert_int_equal(r->page_size, 0);
    assert_int_equal(r->status, 0);
    assert_true(r->summary && r->messages && !r->energy);
    assert_true(r->nodes == SL_REPORT_NONE && r->links == SL_REPORT_NONE);
    assert_string_equal(r->file, "");
    for (int i = 0; i < SL_REPORT_FIELD_COUNT; i++) {
        bool on = i == SL_FIELD_DEMAND || i == SL_FIELD_HEAD || i == SL_FIELD_PRESSURE || i == SL_FIELD_QUALITY ||
                  i == SL_FIELD_FLOW || i == SL_FIELD_VELOCITY || i == SL_FIELD_HEADLOSS;
        assert_int_equal(r->field[i].enabled, on);
        assert_int_equal(r->field[i].precision, i == SL_FIELD_FRICTION ? 3 : 2);
        assert_true(isnan(r->field[i].below) && isnan(r->field[i].above));
    }
    sl_network_destroy(net);
    net_end(&c);
}

/* One option, one number: where it goes. Options of the frame are in LPS. */
static void test_numeric_options(void **state) {
    (void)state;
#define AT(member) offsetof(sl_hydraulic_options, member)
    static const struct {
        const char *line;
        size_t offset;
        bool whole;
        double value;
    } row[] = {
        {"Trials 40", AT(trials), true, 40},
        {"TRIALS 40.9", AT(trials), true, 40},
        {"Accuracy 0.02", AT(accuracy), false, 0.02},
        {"ACCURACY 1e-9", AT(accuracy), false, 1e-5}, /* kept within EPANET's limits */
        {"ACCURACY 1", AT(accuracy), false, 0.1},
        {"CHECKFREQ 5", AT(check_freq), true, 5},
        {"MAXCHECK 20", AT(max_check), true, 20},
        {"DAMPLIMIT 0.1", AT(damp_limit), false, 0.1},
        {"HEADERROR 0.5", AT(head_error), false, 0.5},
        {"FLOWCHANGE 2", AT(flow_change), false, 2 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
        {"RQTOL 1e-3", AT(rq_tolerance), false, 1e-3},
        {"Emitter Exponent 0.7", AT(emitter_exponent), false, 0.7},
        {"Specific Gravity 1.2", AT(specific_gravity), false, 1.2},
        {"Demand Multiplier 3", AT(demand_multiplier), false, 3},
        {"Pressure Exponent 0.8", AT(pressure_exponent), false, 0.8},
        {"Minimum Pressure 4", AT(pressure_min), false, 4},
        {"Required Pressure 4", AT(pressure_required), false, 4},
        {"Minimum Pressure 4", AT(pressure_required), false, 4.1}, /* moves with it, 0.1 above */
        {"Unbalanced Stop", AT(unbalanced_extra), true, -1},
        {"Unbalanced Continue", AT(unbalanced_extra), true, 0},
        {"UNBALANCED CONT 10", AT(unbalanced_extra), true, 10},
        {"Verify file.txt", AT(trials), true, 200},
        {"Segments 1000", AT(trials), true, 200},
    };
#undef AT
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[100];
        snprintf(more, sizeof more, "[OPTIONS]\n%s\n", row[i].line);
        sl_network *net = net_read_framed(&c, more);
        const char *base = (const char *)&net->hydraulics + row[i].offset;
        int32_t whole;
        double real;
        memcpy(&whole, base, sizeof whole);
        memcpy(&real, base, sizeof real);
        double got = row[i].whole ? whole : real;
        if (!(fabs(got - row[i].value) <= 4e-16 * fabs(row[i].value))) {
            print_error("%s gave %.17g\n", row[i].line, got);
            fail();
        }
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_word_options(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[OPTIONS]\nHeadloss d-w\nDemand Model PDA\nBackflow Allowed NO\nMap \"a map.map\"\nPattern X\nQuality Chlorine ug/L\nTolerance 0.5\n"
        "[OPTIONS]\nUnbalanced Continue 3\n[PATTERNS]\nX 1\n");
    assert_int_equal(net->hydraulics.headloss, SL_DARCY_WEISBACH);
    assert_int_equal(net->hydraulics.demand_model, SL_PDA);
    assert_false(net->hydraulics.emitter_backflow);
    assert_string_equal(net->hydraulics.map_file, "a map.map");
    assert_int_equal(net->hydraulics.default_pattern, net_pattern(net, "X"));
    assert_int_equal(net->hydraulics.unbalanced_extra, 3);
    assert_int_equal(net->quality.kind, SL_QUALITY_CHEMICAL);
    assert_string_equal(net->quality.chemical, "Chlorine");
    assert_string_equal(net->quality.mass_unit, "ug/L");
    sl_assert_double(net->quality.tolerance, 0.5);
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net = net_read_framed(&c, "[OPTIONS]\nEmitter Backflow NO\nHydraulics SAVE \"h file.hyd\"\n");
    assert_false(net->hydraulics.emitter_backflow);
    assert_int_equal(net->hydraulics.hydraulics_file, 2);
    assert_string_equal(net->hydraulics.hydraulics_path, "h file.hyd");
    net_only(&c, SL_CODE_IGNORED);
    sl_network_destroy(net);
    net_end(&c);
}

/* The default pattern: the one that PATTERN names, else "1"; none is no mistake. */
static void test_default_pattern(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[PATTERNS]\n1 2\nX 3\n");
    assert_int_equal(net->hydraulics.default_pattern, net_pattern(net, "1"));
    sl_network_destroy(net);
    net = net_read_framed(&c, "[PATTERNS]\n1 2\n[OPTIONS]\nPattern NONE\n");
    assert_int_equal(net->hydraulics.default_pattern, -1);
    assert_string_equal(net->hydraulics.default_pattern_id, "NONE");
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_quality_kinds(void **state) {
    (void)state;
    static const struct {
        const char *line;
        sl_quality_kind kind;
        const char *chemical, *unit;
    } row[] = {{"Quality None", SL_QUALITY_NONE, "Chemical", "mg/L"},
               {"Quality None mg/L", SL_QUALITY_NONE, "Chemical", "mg/L"},
               {"Quality Age", SL_QUALITY_AGE, "Chemical", "mg/L"},
               {"QUALITY CHEMICAL ug/L", SL_QUALITY_CHEMICAL, "Chemical", "ug/L"},
               {"Quality Fluoride", SL_QUALITY_CHEMICAL, "Fluoride", "mg/L"},
               {"Quality Trace R", SL_QUALITY_TRACE, "Chemical", "mg/L"}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[100];
        snprintf(more, sizeof more, "[OPTIONS]\n%s\n", row[i].line);
        sl_network *net = net_read_framed(&c, more);
        assert_int_equal(net->quality.kind, row[i].kind);
        assert_string_equal(net->quality.chemical, row[i].chemical);
        assert_string_equal(net->quality.mass_unit, row[i].unit);
        assert_int_equal(net->quality.trace_node, row[i].kind == SL_QUALITY_TRACE ? net_node(net, "R") : -1);
        sl_network_destroy(net);
    }
    net_end(&c);
}

/* Texts of times, through the duration and the clock. */
static void test_time_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } row[] = {{"24", 86400},        {"1.5", 5400},  {"1:30", 5400},     {"1:30:15", 5415},  {"90 MIN", 5400},
               {"90 minutes", 5400}, {"30 SEC", 30}, {"2 DAYS", 172800}, {"6 HOURS", 21600}, {"6 AM", 21600},
               {"6 PM", 64800},      {"12 AM", 0},   {"12 PM", 43200},   {"1:30 PM", 48600}, {"0:00:01", 1},
               {"1.4 SEC", 1},       {"1.5 SEC", 2}, {"0.1", 360}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[200];
        snprintf(more, sizeof more, "[TIMES]\nDuration %s\nPattern Start %s\n", row[i].text, row[i].text);
        sl_network *net = net_read_framed(&c, more);
        if (net->times.duration != row[i].seconds) {
            print_error("duration %s\n", row[i].text);
        }
        sl_assert_double(net->times.duration, row[i].seconds);
        sl_assert_double(net->times.pattern_start, row[i].seconds);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_times(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[TIMES]\nDuration 48\nHydraulic Timestep 0:20\nQuality Timestep 0:05\nRule Timestep 0:01\nPattern Timestep 2:00\nPattern Start 0:30\n"
        "Report Timestep 1:00\nReport Start 5:00\nStart ClockTime 30\nStatistic Maximum\nMinimum Traveltime 1\n");
    const sl_times *t = &net->times;
    sl_assert_double(t->hydraulic_step, 1200);
    sl_assert_double(t->quality_step, 300);
    sl_assert_double(t->rule_step, 60);
    sl_assert_double(t->pattern_step, 7200);
    sl_assert_double(t->pattern_start, 1800);
    sl_assert_double(t->report_step, 3600);
    sl_assert_double(t->report_start, 18000);
    sl_assert_double(t->start_clock, 6 * 3600); /* of the next day */
    assert_int_equal(t->statistic, SL_STAT_MAXIMUM);
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    /* as EPANET adjusts them: no step longer than the pattern's or the report's, the others a tenth */
    net = net_read_framed(
        &c,
        "[TIMES]\nDuration 10\nHydraulic Timestep 5:00\nReport Timestep 0:30\nQuality Timestep 9:00\nReport Start 11\n");
    sl_assert_double(net->times.hydraulic_step, 1800);
    sl_assert_double(net->times.quality_step, 1800);
    sl_assert_double(net->times.rule_step, 180);
    sl_assert_double(net->times.report_start, 0);
    sl_network_destroy(net);
    net = net_read_framed(&c, "[TIMES]\nHydraulic Timestep 5 SEC\nReport Timestep 0\n");
    sl_assert_double(net->times.report_step, 3600);
    sl_assert_double(net->times.rule_step, 1); /* a tenth of 5 s is no whole second */
    sl_network_destroy(net);
    static const char *const words[] = {"NONE", "AVERAGED", "MINIMUM", "MAXIMUM", "RANGE"};
    for (int i = 0; i < 5; i++) {
        char more[60];
        snprintf(more, sizeof more, "[TIMES]\nStatistic %s\n", words[i]);
        net = net_read_framed(&c, more);
        assert_int_equal(net->times.statistic, i);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_energy(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[PUMPS]\nU R A HEAD K\nW R A HEAD K\n[CURVES]\nK 3 40\nE 1 80\n[PATTERNS]\nD 1\n"
        "[ENERGY]\nGlobal Price 0.2\nGLOBAL PATTERN D\nGlobal Effic 66\nDemand Charge 3\nPUMP U PRICE 0.3\nPump U Pattern D\nPump U Efficiency E\n");
    sl_assert_double(net->energy.price, 0.2);
    sl_assert_double(net->energy.efficiency, 66.0);
    sl_assert_double(net->energy.demand_charge, 3.0);
    assert_int_equal(net->energy.price_pattern, net_pattern(net, "D"));
    sl_assert_double(net->pump_price[0], 0.3);
    assert_int_equal(net->pump_price_pattern[0], net_pattern(net, "D"));
    assert_int_equal(net->pump_efficiency_curve[0], net_curve(net, "E"));
    assert_true(isnan(net->pump_price[1]));
    assert_int_equal(net->pump_efficiency_curve[1], -1);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_report(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[REPORT]\nPagesize 55\nStatus Yes\nSummary No\nMessages No\nEnergy Yes\nNodes B A\nNodes T A\nLinks ALL\nFile \"out file.txt\"\n"
        "Elevation Yes\nHead Below 5\nHead Above 50.5\nHeadloss Precision 4\nDemand No\nF-Factor Precision 1\nDiameter Prec 0\nLength Yes\n"
        "State Yes\nSetting Yes\nReaction Yes\nQuality No\nFlow Below -3\nVelocity Above 2\nPressure Precision 3\n");
    const sl_report_options *r = &net->report;
    assert_int_equal(sl_diags_size(c.diags), 0);
    assert_int_equal(r->page_size, 55);
    assert_int_equal(r->status, 1);
    assert_true(!r->summary && !r->messages && r->energy);
    assert_int_equal(r->nodes, SL_REPORT_SOME);
    assert_int_equal(r->n_node_list, 3);
    assert_int_equal(r->node_list[0], net_node(net, "A")); /* sorted, once each */
    assert_int_equal(r->node_list[1], net_node(net, "B"));
    assert_int_equal(r->node_list[2], net_node(net, "T"));
    assert_int_equal(r->links, SL_REPORT_ALL);
    assert_string_equal(r->file, "out file.txt");
    sl_assert_double(r->field[SL_FIELD_HEAD].below, 5.0);
    sl_assert_double(r->field[SL_FIELD_HEAD].above, 50.5);
    assert_int_equal(r->field[SL_FIELD_HEADLOSS].precision, 4);
    assert_int_equal(r->field[SL_FIELD_FRICTION].precision, 1);
    assert_true(r->field[SL_FIELD_FRICTION].enabled); /* a precision turns the field on */
    assert_int_equal(r->field[SL_FIELD_DIAMETER].precision, 0);
    sl_assert_double(r->field[SL_FIELD_FLOW].below, -3.0);
    sl_assert_double(r->field[SL_FIELD_VELOCITY].above, 2.0);
    static const int on[] = {SL_FIELD_ELEVATION, SL_FIELD_LENGTH,   SL_FIELD_LINK_STATE,
                             SL_FIELD_SETTING,   SL_FIELD_REACTION, SL_FIELD_DIAMETER};
    for (int i = 0; i < 6; i++) {
        assert_true(r->field[on[i]].enabled);
    }
    assert_false(r->field[SL_FIELD_DEMAND].enabled);
    assert_false(r->field[SL_FIELD_QUALITY].enabled);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_quality_and_sources(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c, "[JUNCTIONS]\n1 0\n2 0\n10 0\n[PIPES]\n4 A 1 1 1 1\n5 A 2 1 1 1\n6 A 10 1 1 1\n[PATTERNS]\nD 1\n"
            "[QUALITY]\nA 0.5\n1 5 0.7\nR 1\nS U 9\n"
            "[SOURCES]\nA 3\nB MASS 4 D\nR SETPOINT 5 *\nT FLOWPACED 6\n1 CONCEN 7\nA CONCEN 8 D\n");
    sl_assert_double(net->node_quality[net_node(net, "A")], 0.5);
    sl_assert_double(net->node_quality[net_node(net, "B")], 0.0);
    sl_assert_double(net->node_quality[net_node(net, "1")], 0.7);
    sl_assert_double(net->node_quality[net_node(net, "2")], 0.7);
    sl_assert_double(net->node_quality[net_node(net, "10")], 0.0);
    sl_assert_double(net->node_quality[net_node(net, "R")], 1.0);
    sl_assert_double(net->node_quality[net_node(net, "T")], 9.0); /* by bytes: S <= T <= U */
    assert_int_equal(net->n_source, 5);
    static const struct {
        const char *node;
        sl_source_kind kind;
        double strength;
        bool pattern;
    } row[] = {{"A", SL_SOURCE_CONCEN, 8, true},
               {"B", SL_SOURCE_MASS, 4, true},
               {"1", SL_SOURCE_CONCEN, 7, false},
               {"R", SL_SOURCE_SETPOINT, 5, false},
               {"T", SL_SOURCE_FLOWPACED, 6, false}};
    for (int i = 0; i < 5; i++) { /* sorted by node; the last line of a node counts */
        assert_int_equal(net->sources[i].node, net_node(net, row[i].node));
        assert_int_equal(net->sources[i].kind, row[i].kind);
        sl_assert_double(net->sources[i].strength, row[i].strength);
        assert_int_equal(net->sources[i].pattern, row[i].pattern ? net_pattern(net, "D") : -1);
    }
    sl_network_destroy(net);
    net_end(&c);
}

static void test_reactions_and_mixing(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[TANKS]\n7 1 2 1 3 4\n8 1 2 1 3 4\nU 1 2 1 3 4\nV 1 2 1 3 4\n[PIPES]\n1 A 7 1 1 1\n2 A 8 1 1 1\n3 A U 1 1 1\n4 A V 1 1 1\n"
        "[REACTIONS]\nBulk 1 2 -86400\nWall P1 P3 -86.4\nWall P2 -172.8\nTank 7 9 -8.64\nTank T -0.864\nOrder Bulk 1.2\nOrder Tank 0.5\nLimiting Potential 0.4\n"
        "[MIXING]\n7 MIXED\n8 2COMP 0.3\nU FIFO\nV LIFO 0.5\nT 2COMP\n");
    sl_assert_rel(net->pipe_bulk[net_link(net, "1")], -1.0, 1e-15);
    sl_assert_rel(net->pipe_bulk[net_link(net, "2")], -1.0, 1e-15);
    assert_true(isnan(net->pipe_bulk[net_link(net, "3")]));
    sl_assert_rel(net->pipe_wall[net_link(net, "P1")], -1e-3, 1e-15);
    sl_assert_rel(net->pipe_wall[net_link(net, "P2")], -2e-3, 1e-15);
    sl_assert_rel(net->pipe_wall[net_link(net, "P3")], -1e-3, 1e-15);
    sl_assert_rel(net->tank_bulk[net_tank(net, "7")], -1e-4, 1e-15);
    sl_assert_rel(net->tank_bulk[net_tank(net, "8")], -1e-4, 1e-15);
    sl_assert_rel(net->tank_bulk[net_tank(net, "T")], -1e-5, 1e-15);
    assert_true(isnan(net->tank_bulk[net_tank(net, "U")]));
    sl_assert_double(net->quality.bulk_order, 1.2);
    sl_assert_double(net->quality.tank_order, 0.5);
    sl_assert_double(net->quality.limit_potential, 0.4);
    static const struct {
        const char *id;
        sl_mixing mixing;
        double fraction;
    } row[] = {{"7", SL_MIX_FULL, 1},
               {"8", SL_MIX_TWO_COMPARTMENT, 0.3},
               {"U", SL_MIX_FIFO, 1},
               {"V", SL_MIX_LIFO, 1},
               {"T", SL_MIX_TWO_COMPARTMENT, 1}};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(net->tank_mixing[net_tank(net, row[i].id)], row[i].mixing);
        sl_assert_double(net->tank_mix_fraction[net_tank(net, row[i].id)], row[i].fraction);
    }
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_map(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(
        &c,
        "[COORDINATES]\nA 1 2\nR -3.5 1e3\nA 5 6\n[VERTICES]\nP2 1 1\nP1 2 2\nP2 3 3\n"
        "[LABELS]\n1 2 \"Main Street\" A\n3 4 word\n5 6\n[TAGS]\nNODE A zone 1\nLINK P1 \"cast iron\"\nNODE A later\n"
        "[BACKDROP]\n DIMENSIONS 0 0 1 1\n;comment\nFILE x ;kept\n");
    sl_assert_double(net->node_x[net_node(net, "A")], 5.0); /* the last one */
    sl_assert_double(net->node_y[net_node(net, "R")], 1000.0);
    assert_true(isnan(net->node_x[net_node(net, "B")]));
    int32_t p1 = net_link(net, "P1"), p2 = net_link(net, "P2");
    assert_int_equal(net->vertex_start[p1 + 1] - net->vertex_start[p1], 1);
    assert_int_equal(net->vertex_start[p2 + 1] - net->vertex_start[p2], 2);
    sl_assert_double(net->vertex_x[net->vertex_start[p2]], 1.0);
    sl_assert_double(net->vertex_y[net->vertex_start[p2] + 1], 3.0);
    assert_int_equal(net->n_label, 3);
    assert_string_equal(net->labels[0].text, "Main Street");
    assert_int_equal(net->labels[0].anchor, net_node(net, "A"));
    assert_string_equal(net->labels[1].text, "word");
    assert_int_equal(net->labels[1].anchor, -1);
    assert_string_equal(net->labels[2].text, "");
    assert_int_equal(net->n_node_tag, 1);
    assert_string_equal(net_note(net->node_tags, net->n_node_tag, net_node(net, "A")), "later");
    assert_string_equal(net_note(net->link_tags, net->n_link_tag, p1), "cast iron");
    assert_int_equal(net->n_backdrop, 2);
    assert_string_equal(net->backdrop[0], " DIMENSIONS 0 0 1 1");
    assert_string_equal(net->backdrop[1], "FILE x ;kept");
    assert_int_equal(sl_diags_size(c.diags), 0);
    sl_network_destroy(net);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_numeric_options),
        cmocka_unit_test(test_word_options),
        cmocka_unit_test(test_default_pattern),
        cmocka_unit_test(test_quality_kinds),
        cmocka_unit_test(test_time_text),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_quality_and_sources),
        cmocka_unit_test(test_reactions_and_mixing),
        cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
