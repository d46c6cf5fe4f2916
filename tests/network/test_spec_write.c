/* SPDX-License-Identifier: MIT */
/* What calls accept, files can carry: a network built by calls, written and read again, is the same, or the call or
 * the compilation has refused. Text and numbers that files cannot say are the difficult ones. */
#include "net_test.h"

static void label(sl_spec *s, const char *text) {
    sl_label_def d = sl_label_default();
    d.text = text;
    sl_spec_add_label(s, &d);
}

static void tag(sl_spec *s, const char *text) {
    sl_junction_def j = sl_junction_default();
    j.id = "X";
    j.tag = text;
    sl_pipe_def p = sl_pipe_default();
    p.id = "PX";
    p.from = "A";
    p.to = "X";
    p.note = text;
    sl_spec_add_junction(s, &j);
    sl_spec_add_pipe(s, &p);
}

static void category(sl_spec *s, const char *text) {
    sl_demand_def d = sl_demand_default();
    d.junction = "A";
    d.category = text;
    sl_spec_add_demand(s, &d);
}

static void pattern_note(sl_spec *s, const char *text) {
    static const double one = 1;
    sl_pattern_def d = sl_pattern_default();
    d.id = "X";
    d.factor = &one;
    d.n_factor = 1;
    d.note = text;
    sl_spec_add_pattern(s, &d);
}

static void title(sl_spec *s, const char *text) {
    sl_spec_add_title(s, text);
    sl_spec_add_backdrop(s, text);
}

static void chemical(sl_spec *s, const char *text) {
    sl_spec_set_chemical(s, text, NULL);
}

static void mass_unit(sl_spec *s, const char *text) {
    sl_spec_set_chemical(s, NULL, text);
}

static void test_text(void **state) {
    (void)state;
    static const char *const texts[] = {"plain",
                                        "two words",
                                        "  blanks  ",
                                        "semi;colon",
                                        "; first",
                                        "quo\"te",
                                        "\"quoted\"",
                                        "He said \"hi\" to all",
                                        "",
                                        "[bracket]",
                                        "line\nend",
                                        "tab\there",
                                        "ID list",
                                        "--- rule",
                                        "AGE",
                                        "Tracer",
                                        "none at all",
                                        "Chemistry",
                                        "h\xC3\xB6he",
                                        "\xE4",
                                        "*",
                                        "a\\b",
                                        "\v",
                                        "\"",
                                        "ALL",
                                        "1e5",
                                        "DISABLED"};
    static const struct {
        const char *name;
        void (*add)(sl_spec *s, const char *text);
    } places[] = {{"label", label}, {"tag and note", tag},  {"category", category},  {"pattern note", pattern_note},
                  {"title", title}, {"chemical", chemical}, {"mass unit", mass_unit}};
    int wrong = 0;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            net_case c;
            sl_spec *s = net_spec_begin(&c);
            sl_network *a = NULL, *b = NULL;
            places[p].add(s, texts[i]);
            if (sl_spec_compile(s, &a) == SL_OK) {
                char *text = net_write(&c, a), why[200] = "not read";
                if (net_try(&c, text, false, &b) != SL_OK || !sl_network_equal(a, b, why, sizeof why)) {
                    print_error("%s '%s': %s\n", places[p].name, texts[i], why);
                    wrong++;
                }
                free(text);
            } else {
                assert_true(sl_diags_count(c.diags, SL_ERROR) > 0); /* refused with a reason */
            }
            sl_network_destroy(a);
            sl_network_destroy(b);
            sl_spec_destroy(s);
            net_end(&c);
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

static void odd_number(sl_spec *s, int which) {
    sl_junction_def j = sl_junction_default();
    sl_control_def k = sl_control_default();
    sl_tank_def t = sl_tank_default();
    sl_pipe_def p = sl_pipe_default();
    sl_premise_def premise = {
        .object = SL_RULE_SYSTEM, .variable = SL_RULE_TIME, .relation = SL_RULE_GT, .value = 100.5};
    sl_action_def action = {.link = "P2", .status = SL_CLOSED, .setting = NAN};
    sl_rule_def rule = sl_rule_default();
    sl_label_def at = sl_label_default();
    double x = NAN, y = 1;
    j.id = "A2";
    k.link = "P2";
    k.kind = SL_CONTROL_TIME;
    t.id = "T2";
    t.level_max = 5;
    p.id = "P9";
    p.from = "A";
    p.to = "B";
    rule.name = "r";
    rule.premise = &premise;
    rule.n_premise = 1;
    rule.then_action = &action;
    rule.n_then = 1;
    sl_pipe_def to = sl_pipe_default();
    to.id = "P8";
    to.from = "A";
    to.to = which <= 2 ? "A2" : "T2";
    switch (which) {
    case 0: j.x = 5; break; /* y is not given */
    case 1: j.x = INFINITY, j.y = 0; break;
    case 2: j.x = 0, j.y = -INFINITY; break;
    case 3: t.mixing = SL_MIX_TWO_COMPARTMENT, t.mix_fraction = 1.5; break;
    case 4: t.mixing = SL_MIX_TWO_COMPARTMENT, t.mix_fraction = NAN; break;
    case 5: t.bulk = INFINITY; break;
    case 6: t.mixing = SL_MIX_FIFO, t.mix_fraction = 0.5; break; /* means nothing there */
    case 7: t.mixing = SL_MIX_TWO_COMPARTMENT, t.mix_fraction = 0; break;
    case 8: k.threshold = 10.4; break;
    case 9: k.kind = SL_CONTROL_CLOCK, k.threshold = 90000; break;
    case 10: k.link = "PRV", k.status = SL_ACTIVE; break; /* ACTIVE needs a setting */
    case 11: k.link = "P2", k.status = SL_ACTIVE; break;
    case 12: k.link = "PRV", k.setting = INFINITY; break;
    case 13: premise.value = 100.5; break;
    case 14: premise.value = -5; break;
    case 15: action.link = "PRV", action.setting = -3; break;
    case 16: action.link = "U", action.setting = INFINITY; break;
    case 17: rule.priority = NAN; break;
    case 18: at.x = NAN; break;
    case 19: sl_spec_add_vertices(s, "P2", &x, &y, 1); break;
    case 20: p.bulk = INFINITY; break;
    case 21: p.wall = -INFINITY; break;
    case 22: p.status = SL_ACTIVE; break;
    case 23: premise.variable = SL_RULE_CLOCKTIME, premise.value = 100000; break;
    case 24:
        premise.object = SL_RULE_NODE, premise.id = "T", premise.variable = SL_RULE_FILLTIME, premise.value = 100.5;
        break;
    default: break;
    }
    which <= 2 ? sl_spec_add_junction(s, &j) : SL_OK;
    which >= 3 && which <= 7 ? sl_spec_add_tank(s, &t) : SL_OK;
    which <= 7 ? sl_spec_add_pipe(s, &to) : SL_OK;
    which >= 8 && which <= 12 ? sl_spec_add_control(s, &k) : SL_OK;
    (which >= 13 && which <= 17) || which >= 23 ? sl_spec_add_rule(s, &rule) : SL_OK;
    which == 18 ? sl_spec_add_label(s, &at) : SL_OK;
    which >= 20 && which <= 22 ? sl_spec_add_pipe(s, &p) : SL_OK;
}

static void odd_option(sl_spec *s, int which) {
    sl_hydraulic_options *h = sl_spec_hydraulics(s);
    sl_quality_options *q = sl_spec_quality(s);
    switch (which) {
    case 0: h->trials = 0; break;
    case 1: h->accuracy = 5; break;
    case 2: h->specific_gravity = -1; break;
    case 3: h->viscosity = 0; break;
    case 4: h->demand_multiplier = 0; break;
    case 5: h->emitter_exponent = NAN; break;
    case 6: h->demand_model = SL_PDA, h->pressure_min = 5, h->pressure_required = 5.05; break;
    case 7: h->demand_model = SL_PDA, h->pressure_exponent = -1; break;
    case 8: h->unbalanced_extra = -7; break;
    case 9: h->head_error = -1; break;
    case 10: h->rq_tolerance = 2; break;
    case 11: q->wall_order = 2; break;
    case 12: q->tolerance = -1; break;
    case 13: q->limit_potential = -1; break;
    case 14: sl_spec_energy(s)->efficiency = 0; break;
    case 15: sl_spec_energy(s)->price = -1; break;
    case 16: sl_spec_times(s)->duration = 100.25; break;
    case 17: sl_spec_times(s)->start_clock = 100000; break;
    case 18: sl_spec_times(s)->hydraulic_step = -5; break;
    case 19: sl_spec_times(s)->duration = INFINITY; break;
    case 20: sl_spec_report(s)->page_size = 1000; break;
    case 21: sl_spec_report(s)->status = 7; break;
    case 22: sl_spec_report(s)->nodes = SL_REPORT_SOME; break; /* and no list */
    case 23: sl_spec_report(s)->field[SL_FIELD_HEAD].precision = 99; break;
    case 24: sl_spec_report(s)->field[SL_FIELD_HEAD].below = INFINITY; break;
    case 25: sl_spec_set_trace_node(s, "A"), sl_spec_set_chemical(s, NULL, NULL); break;
    case 26: q->kind = SL_QUALITY_TRACE; break; /* and no node */
    case 27: h->pressure_min = 3; break;
    case 28: q->bulk_coef = INFINITY; break;
    case 29: h->viscosity = 1e-9; break;
    case 30: q->diffusivity = 1e-15; break;
    case 31: h->default_pattern_id = "no such"; break;
    case 32: h->trials = 2000000000; break;
    default: break;
    }
}

static int check_odd(void (*change)(sl_spec *s, int which), const char *name, int n) {
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        net_case c;
        sl_spec *s = net_spec_begin(&c);
        sl_network *a = NULL, *b = NULL;
        change(s, i);
        if (sl_spec_compile(s, &a) == SL_OK) {
            char *text = net_write(&c, a), why[200] = "not read";
            if (net_try(&c, text, false, &b) != SL_OK || !sl_network_equal(a, b, why, sizeof why)) {
                print_error("%s %d: %s\n", name, i, why);
                net_show(&c);
                wrong++;
            }
            free(text);
        } else if (sl_diags_count(c.diags, SL_ERROR) == 0) {
            print_error("%s %d: refused without a reason\n", name, i);
            wrong++;
        }
        sl_network_destroy(a);
        sl_network_destroy(b);
        sl_spec_destroy(s);
        net_end(&c);
    }
    return wrong;
}

static void test_numbers(void **state) {
    (void)state;
    assert_int_equal(check_odd(odd_number, "number", 25), 0);
}

static void test_options(void **state) {
    (void)state;
    assert_int_equal(check_odd(odd_option, "option", 33), 0);
}

/* SI values that no decimal in the file's unit gives: the nearest is written, and from then on nothing moves. */
static void test_nearest_number(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int unit = 0; unit < SL_FLOW_UNIT_COUNT; unit++) {
        net_case c;
        sl_spec *s = net_spec_begin(&c);
        sl_spec_set_units(s, (sl_flow_unit)unit);
        for (int i = 0; i < 50; i++) {
            char id[16];
            snprintf(id, sizeof id, "N%d", i);
            sl_junction_def j = sl_junction_default();
            j.id = id;
            j.elevation = 100 * sl_test_unit(&seed);
            j.demand = 0.01 * sl_test_unit(&seed);
            j.emitter_coef = 1e-4 * sl_test_unit(&seed);
            sl_assert_ok(sl_spec_add_junction(s, &j));
            sl_pipe_def p = sl_pipe_default();
            p.id = id;
            p.from = "A";
            p.to = id;
            p.length = 1 + 100 * sl_test_unit(&seed);
            p.diameter = 0.1 + sl_test_unit(&seed);
            sl_assert_ok(sl_spec_add_pipe(s, &p));
        }
        sl_network *a = NULL;
        sl_assert_ok(sl_spec_compile(s, &a));
        char *first = net_write(&c, a);
        sl_network *b = net_read(&c, first);
        net_assert_near(a, b, 4.5e-16); /* two units in the last place at most */
        char *second = net_write(&c, b);
        sl_network *d = net_read(&c, second);
        net_assert_equal(b, d);
        sl_assert_z(second, first);
        free(first);
        free(second);
        sl_network_destroy(a);
        sl_network_destroy(b);
        sl_network_destroy(d);
        sl_spec_destroy(s);
        net_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_nearest_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
