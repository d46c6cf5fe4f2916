/* SPDX-License-Identifier: MIT */
/* The .inp reader on [CONTROLS] and [RULES]: every form, object, variable, relation and action. */
#include "net_test.h"

/* The frame with a pump, valves of all kinds that controls treat differently, and a check valve. In LPS, pressures in m. */
static const char devices[] =
    "[JUNCTIONS]\nC 1\nD 1\nE 1\n[PIPES]\nP4 E A 1 1 1\nCHECK A B 1 1 1 CV\n[PUMPS]\nPU R A HEAD K\n"
    "[VALVES]\nPRV B C 1 PRV 5\nGPV C D 1 GPV L\nFCV D E 1 FCV 5\n[CURVES]\nK 3 40\nL 0 0\nL 10 5\n";

static sl_network *read_with(net_case *c, const char *more) {
    char text[2000];
    snprintf(text, sizeof text, "%s%s", devices, more);
    return net_read_framed(c, text);
}

static void test_controls(void **state) {
    (void)state;
    static const struct {
        const char *line, *link, *node;
        sl_control_kind kind;
        sl_link_status status;
        double setting, threshold;
        bool enabled;
    } row[] = {
        {"LINK P2 OPEN IF NODE A ABOVE 20", "P2", "A", SL_CONTROL_ABOVE, SL_OPEN, NAN, 20, true},
        {"LINK P2 CLOSED IF NODE T BELOW 2.5", "P2", "T", SL_CONTROL_BELOW, SL_CLOSED, NAN, 2.5, true},
        {"link P2 closed if node T below 2.5 disabled", "P2", "T", SL_CONTROL_BELOW, SL_CLOSED, NAN, 2.5, false},
        {"PIPE P2 1 IF TANK T BELOW 2.5", "P2", "T", SL_CONTROL_BELOW, SL_OPEN, NAN, 2.5,
         true}, /* first words are not looked at */
        {"LINK P2 0 IF NODE R ABOVE 1", "P2", "R", SL_CONTROL_ABOVE, SL_CLOSED, NAN, 1, true},
        {"LINK PU OPEN AT TIME 5", "PU", NULL, SL_CONTROL_TIME, SL_OPEN, 1, 18000, true},
        {"LINK PU CLOSED AT TIME 1:30 DISABLED", "PU", NULL, SL_CONTROL_TIME, SL_CLOSED, 0, 5400, false},
        {"LINK PU 0.7 AT TIME 90 MIN", "PU", NULL, SL_CONTROL_TIME, SL_OPEN, 0.7, 5400, true},
        {"LINK PU 0 AT CLOCKTIME 6 PM", "PU", NULL, SL_CONTROL_CLOCK, SL_CLOSED, 0, 64800, true},
        {"LINK PU 1 AT CLOCKTIME 25:00", "PU", NULL, SL_CONTROL_CLOCK, SL_OPEN, 1, 3600, true},
        {"LINK PRV 12.5 AT CLOCKTIME 12:00:30 AM", "PRV", NULL, SL_CONTROL_CLOCK, SL_ACTIVE, 12.5, 30, true},
        {"LINK PRV -3 AT TIME 0", "PRV", NULL, SL_CONTROL_TIME, SL_ACTIVE, -3, 0, true},
        {"LINK PRV CLOSED AT TIME 0", "PRV", NULL, SL_CONTROL_TIME, SL_CLOSED, NAN, 0, true},
        {"LINK GPV OPEN AT TIME 0", "GPV", NULL, SL_CONTROL_TIME, SL_OPEN, NAN, 0, true},
        {"LINK FCV 8 AT TIME 36000 SEC", "FCV", NULL, SL_CONTROL_TIME, SL_ACTIVE,
         8 * (0.3048 * 0.3048 * 0.3048 / 28.317), 36000, true},
    };
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[200];
        snprintf(more, sizeof more, "[CONTROLS]\n%s\n", row[i].line);
        sl_network *net = read_with(&c, more);
        if (net->n_control != 1 || sl_diags_size(c.diags)) {
            print_error("%s: %d controls\n", row[i].line, (int)net->n_control);
            net_show(&c);
            fail();
        }
        const sl_control *k = &net->controls[0];
        assert_int_equal(k->link, net_link(net, row[i].link));
        assert_int_equal(k->node, row[i].node ? net_node(net, row[i].node) : -1);
        assert_int_equal(k->kind, row[i].kind);
        assert_int_equal(k->status, row[i].status);
        assert_int_equal(k->enabled, row[i].enabled);
        sl_assert_double(k->threshold, row[i].threshold);
        if (isnan(row[i].setting)) {
            assert_true(isnan(k->setting));
        } else {
            sl_assert_rel(k->setting, row[i].setting, 4e-16);
        }
        assert_true(k->line > net_frame_lines());
        sl_network_destroy(net);
    }
    net_end(&c);
}

/* Every variable with its object, its unit, and every relation with its words. */
static void test_premises(void **state) {
    (void)state;
    static const struct {
        const char *text;
        sl_rule_object object;
        const char *id;
        sl_rule_variable variable;
        sl_rule_operator relation;
        double value; /* or status */
    } row[] = {
        {"NODE A DEMAND = 3", SL_RULE_NODE, "A", SL_RULE_DEMAND, SL_RULE_EQ, 3 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
        {"JUNCTION A HEAD <> 3", SL_RULE_NODE, "A", SL_RULE_HEAD, SL_RULE_NE, 3},
        {"JUNC A GRADE <= 3", SL_RULE_NODE, "A", SL_RULE_GRADE, SL_RULE_LE, 3},
        {"RESERVOIR R HEAD >= 3", SL_RULE_NODE, "R", SL_RULE_HEAD, SL_RULE_GE, 3},
        {"TANK T LEVEL < 3", SL_RULE_NODE, "T", SL_RULE_LEVEL, SL_RULE_LT, 3},
        {"TANK T PRESSURE > 3", SL_RULE_NODE, "T", SL_RULE_PRESSURE, SL_RULE_GT, 3},
        {"JUNCTION A PRESSURE IS 3", SL_RULE_NODE, "A", SL_RULE_PRESSURE, SL_RULE_EQ, 3},
        {"tank T filltime NOT 1.5", SL_RULE_NODE, "T", SL_RULE_FILLTIME, SL_RULE_NE, 5400},
        {"TANK T DRAINTIME BELOW 2", SL_RULE_NODE, "T", SL_RULE_DRAINTIME, SL_RULE_LT, 7200},
        {"LINK P2 FLOW ABOVE 3", SL_RULE_LINK, "P2", SL_RULE_FLOW, SL_RULE_GT, 3 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
        {"PIPE P2 STATUS IS OPEN", SL_RULE_LINK, "P2", SL_RULE_STATUS, SL_RULE_EQ, SL_OPEN},
        {"VALVE PRV STATUS = ACTIVE", SL_RULE_LINK, "PRV", SL_RULE_STATUS, SL_RULE_EQ, SL_ACTIVE},
        {"PUMP PU STATUS NOT CLOSED", SL_RULE_LINK, "PU", SL_RULE_STATUS, SL_RULE_NE, SL_CLOSED},
        {"PUMP PU SETTING < 0.9", SL_RULE_LINK, "PU", SL_RULE_SETTING, SL_RULE_LT, 0.9},
        {"VALVE FCV SETTING < 3", SL_RULE_LINK, "FCV", SL_RULE_SETTING, SL_RULE_LT,
         3 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
        {"VALVE PRV SETTING < 3", SL_RULE_LINK, "PRV", SL_RULE_SETTING, SL_RULE_LT, 3},
        {"PUMP PU POWER > 2.5", SL_RULE_LINK, "PU", SL_RULE_POWER, SL_RULE_GT, 2500},
        {"SYSTEM DEMAND > 3", SL_RULE_SYSTEM, NULL, SL_RULE_DEMAND, SL_RULE_GT,
         3 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
        {"SYSTEM TIME > 1:30", SL_RULE_SYSTEM, NULL, SL_RULE_TIME, SL_RULE_GT, 5400},
        {"SYSTEM CLOCKTIME >= 8 AM", SL_RULE_SYSTEM, NULL, SL_RULE_CLOCKTIME, SL_RULE_GE, 28800},
        {"SYSTEM CLOCKTIME < 12:30 PM", SL_RULE_SYSTEM, NULL, SL_RULE_CLOCKTIME, SL_RULE_LT, 45000},
    };
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[200];
        snprintf(more, sizeof more, "[RULES]\nRULE x\nIF %s\nTHEN PIPE P2 STATUS IS CLOSED\n", row[i].text);
        sl_network *net = read_with(&c, more);
        if (net->n_rule != 1 || sl_diags_size(c.diags)) {
            print_error("%s: %d rules\n", row[i].text, (int)net->n_rule);
            net_show(&c);
            fail();
        }
        const sl_premise *p = &net->premises[0];
        assert_int_equal(p->logic, SL_RULE_IF);
        assert_int_equal(p->object, row[i].object);
        assert_int_equal(p->variable, row[i].variable);
        assert_int_equal(p->relation, row[i].relation);
        int32_t index = row[i].object == SL_RULE_NODE   ? net_node(net, row[i].id)
                        : row[i].object == SL_RULE_LINK ? net_link(net, row[i].id)
                                                        : -1;
        assert_int_equal(p->index, index);
        if (p->variable == SL_RULE_STATUS) {
            assert_int_equal(p->status, (int)row[i].value);
            assert_true(isnan(p->value));
        } else {
            sl_assert_rel(p->value, row[i].value, 4e-16);
        }
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_actions(void **state) {
    (void)state;
    static const struct {
        const char *text, *link;
        sl_link_status status;
        double setting;
    } row[] = {{"PIPE P2 STATUS IS OPEN", "P2", SL_OPEN, NAN},
               {"LINK P2 STATUS = CLOSED", "P2", SL_CLOSED, NAN},
               {"PUMP PU STATUS IS CLOSED", "PU", SL_CLOSED, NAN},
               {"PUMP PU SETTING IS 1.25", "PU", SL_OPEN, 1.25},
               {"PUMP PU SETTING IS 0", "PU", SL_CLOSED, 0},
               {"PIPE P2 SETTING IS 0", "P2", SL_CLOSED, NAN},
               {"VALVE PRV SETTING IS 6", "PRV", SL_ACTIVE, 6},
               {"VALVE PRV STATUS IS ACTIVE", "PRV", SL_ACTIVE, NAN},
               {"VALVE FCV SETTING IS 6", "FCV", SL_ACTIVE, 6 * (0.3048 * 0.3048 * 0.3048 / 28.317)},
               {"VALVE GPV STATUS IS OPEN", "GPV", SL_OPEN, NAN}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[200];
        snprintf(more, sizeof more, "[RULES]\nRULE x\nIF SYSTEM TIME > 1\nTHEN %s\n", row[i].text);
        sl_network *net = read_with(&c, more);
        assert_int_equal(sl_diags_size(c.diags), 0);
        assert_int_equal(net->n_action, 1);
        assert_int_equal(net->actions[0].link, net_link(net, row[i].link));
        assert_int_equal(net->actions[0].status, row[i].status);
        if (isnan(row[i].setting)) {
            assert_true(isnan(net->actions[0].setting));
        } else {
            sl_assert_rel(net->actions[0].setting, row[i].setting, 4e-16);
        }
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_whole_rules(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = read_with(
        &c,
        "[RULES]\n; a comment between\nRULE 1\nIF SYSTEM TIME > 1\nAND TANK T LEVEL > 1\n\nOR TANK T LEVEL < 2 ;end\nTHEN PUMP PU STATUS IS OPEN\nAND PIPE P2 STATUS IS OPEN\n"
        "ELSE PUMP PU STATUS IS CLOSED\nAND PIPE P2 STATUS IS CLOSED\nAND PIPE P3 STATUS IS CLOSED\nPRIORITY 4.5\n"
        "RULE two\nIF SYSTEM TIME > 2\nTHEN PUMP PU SETTING IS 1\nPRIORITY 2\nDISABLED\n"
        "[RULES]\nRULE two\nIF SYSTEM TIME > 3\nTHEN PUMP PU SETTING IS 2\nELSE PUMP PU SETTING IS 3\nDISABLED\n"
        "RULE \"last one\"\nIF SYSTEM TIME > 4\nTHEN PUMP PU SETTING IS 4\n");
    assert_int_equal(sl_diags_size(c.diags), 0);
    assert_int_equal(net->n_rule, 4);
    static const struct {
        const char *name;
        int n_premise, n_then, n_else;
        double priority;
        bool enabled;
    } row[] = {{"1", 3, 2, 3, 4.5, true},
               {"two", 1, 1, 0, 2, false},
               {"two", 1, 1, 1, 0, false},
               {"last one", 1, 1, 0, 0, true}};
    int32_t premise = 0, action = 0;
    for (int i = 0; i < 4; i++) {
        const sl_rule *r = &net->rules[i];
        assert_string_equal(r->name, row[i].name);
        assert_int_equal(r->n_premise, row[i].n_premise);
        assert_int_equal(r->n_then, row[i].n_then);
        assert_int_equal(r->n_else, row[i].n_else);
        sl_assert_double(r->priority, row[i].priority);
        assert_int_equal(r->enabled, row[i].enabled);
        assert_int_equal(r->premise_start, premise);
        assert_int_equal(r->then_start, action);
        assert_int_equal(r->else_start, action + r->n_then);
        premise += r->n_premise;
        action += r->n_then + r->n_else;
    }
    assert_int_equal(net->n_premise, premise);
    assert_int_equal(net->n_action, action);
    static const sl_rule_logic logic[] = {SL_RULE_IF, SL_RULE_AND, SL_RULE_OR};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(net->premises[i].logic, logic[i]);
    }
    assert_int_equal(net->actions[net->rules[0].else_start + 2].link, net_link(net, "P3"));
    sl_network_destroy(net);
    net_end(&c);
}

/* A mistake in one rule leaves that rule out and no other. */
static void test_broken_rule_alone_is_lost(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char more[2000];
    snprintf(
        more, sizeof more,
        "%s[RULES]\nRULE a\nIF SYSTEM TIME > 1\nTHEN PUMP PU STATUS IS OPEN\n"
        "RULE b\nIF SYSTEM TIME > 1\nAND TANK NONE LEVEL > 1\nTHEN PUMP PU STATUS IS OPEN\nELSE PUMP PU STATUS IS CLOSED\n"
        "RULE c\nIF SYSTEM TIME > 1\nTHEN PUMP PU STATUS IS OPEN\nAND PUMP PU STATUS IS AJAR\n"
        "RULE d\nIF SYSTEM TIME > 4\nTHEN PIPE P2 STATUS IS CLOSED\n",
        devices);
    char *text = net_framed(more);
    sl_network *net = NULL;
    sl_assert_ok(net_try(&c, text, true, &net));
    assert_int_equal(net->n_rule, 2);
    assert_string_equal(net->rules[1].name, "d");
    assert_int_equal(net->n_premise, 2);
    assert_int_equal(net->n_action, 2);
    sl_assert_double(net->premises[net->rules[1].premise_start].value, 4 * 3600.0);
    assert_int_equal(net->actions[net->rules[1].then_start].link, net_link(net, "P2"));
    assert_int_equal(sl_diags_size(c.diags), 2);
    sl_network_destroy(net);
    free(text);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_premises),
        cmocka_unit_test(test_actions),
        cmocka_unit_test(test_whole_rules),
        cmocka_unit_test(test_broken_rule_alone_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
