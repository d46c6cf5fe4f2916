/* SPDX-License-Identifier: MIT */
/* Rewriting .inp text as text: what needs no change is kept byte for byte; in other units the quantities stay. And
 * sl_network_with_units, which does it to a network. */
#include "net_test.h"

/* Converted numbers have 10 digits: each conversion rounds by up to 5e-10, there and back twice that. */
#define TWO_ROUNDINGS 1.0001e-9
#define ONE_ROUNDING 5.0001e-10

static void assert_kept(net_case *c, const char *text) {
    char *out = net_convert(c, text, SL_FLOW_UNIT_COUNT);
    sl_assert_z(out, text);
    free(out);
}

static void keep_example(const char *name, const char *text, void *user) {
    (void)name;
    net_case c;
    net_begin(&c);
    assert_kept(&c, text);
    net_end(&c);
    ++*(int32_t *)user;
}

/* Without a change of units the text is the same, whatever it looks like. */
static void test_bytes_kept(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    assert_kept(&c, net_rich);
    assert_kept(
        &c,
        "\xEF\xBB\xBF; c\r\n[JUNCTIONS]\r\n\tA  1e0\t;note \r\n\r\n[RESERVOIRS]\r\nR  +5.00\r\n[PIPES]\r\nP R A 1 1 1\r\n[NOSUCH]\r\n junk\r\n[END]\r\nafter\r\n");
    assert_kept(&c, "[JUNCTIONS]\rA 1\r[RESERVOIRS]\rR 5\r[PIPES]\rP R A 1 1 1\r");
    assert_kept(&c, "[JUNCTIONS]\n\"A\" \"1\"\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n[TITLE]\n  \xE4;x \n\n\n");
    net_end(&c);
    int32_t n = 0;
    net_each_example(keep_example, &n);
    assert_true(n >= 10);
}

/* The last line gets its end, and nothing else changes. */
static void test_last_line(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char *out = net_convert(&c, "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1", SL_FLOW_UNIT_COUNT);
    sl_assert_z(out, "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n");
    free(out);
    out = net_convert(&c, "[JUNCTIONS]\r\nA 1\r\n[RESERVOIRS]\r\nR 5\r\n[PIPES]\r\nP R A 1 1 1", SL_FLOW_UNIT_COUNT);
    sl_assert_z(out, "[JUNCTIONS]\r\nA 1\r\n[RESERVOIRS]\r\nR 5\r\n[PIPES]\r\nP R A 1 1 1\r\n");
    free(out);
    /* The end-of-file mark of DOS editors is no data, and stays. */
    static const char marked[] = "[JUNCTIONS]\r\nA 1\r\n[RESERVOIRS]\r\nR 5\r\n[PIPES]\r\nP R A 1 1 1\r\n\x1a";
    out = net_convert(&c, marked, SL_FLOW_UNIT_COUNT);
    sl_assert_z(out, marked);
    assert_int_equal(sl_diags_size(c.diags), 0);
    free(out);
    net_end(&c);
}

/* To the same units: nothing to do. */
/* Zero bytes behind [END], and what comes after them, stay too. */
static void test_behind_zeros(void **state) {
    (void)state;
    static const char text[] = "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n[END]\nold\0\0\0more";
    net_case c;
    net_begin(&c);
    sl_inp_convert_def def = sl_inp_convert_default();
    sl_bytes out;
    sl_bytes_init(&out, c.ctx);
    sl_sink sink = sl_bytes_sink(&out);
    sl_assert_ok(sl_inp_convert(c.ctx, text, sizeof text - 1, &def, NULL, &sink));
    assert_int_equal(out.n, sizeof text - 1);
    assert_memory_equal(out.at, text, sizeof text - 1);
    sl_bytes_fini(&out);
    net_end(&c);
}

static void test_same_units(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char *out = net_convert(&c, net_rich, SL_GPM);
    sl_assert_z(out, net_rich);
    free(out);
    net_end(&c);
}

/* Only the numbers that change, columns kept where there is room. 1 m = 3.280839895 ft, 100 mm = 3.937007874 in,
 * 2 L/s = 2 * 448.831 / 28.317 gpm = 31.70046262. */
static void test_small_text(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char *out = net_convert(&c,
                            "[TITLE]\n10 m of pipe\n"
                            "[JUNCTIONS] ;10\n"
                            ";id  10   2\n"
                            "J10  1             2.0   ;10 houses\n"
                            "[RESERVOIRS]\nR\t0\t;at sea\n"
                            "[PIPES]\nP10 R J10 1 100 130 0.5 Open\n"
                            "[COORDINATES]\nJ10 10 10\n"
                            "[OPTIONS]\nUnits   LPS ;litres\nHeadloss H-W\n",
                            SL_GPM);
    sl_assert_z(out, "[TITLE]\n10 m of pipe\n"
                     "[JUNCTIONS] ;10\n"
                     ";id  10   2\n"
                     "J10  3.280839895   31.70046262 ;10 houses\n"
                     "[RESERVOIRS]\nR\t0\t;at sea\n"
                     "[PIPES]\nP10 R J10 3.280839895 3.937007874 130 0.5 Open\n"
                     "[COORDINATES]\nJ10 10 10\n"
                     "[OPTIONS]\nUnits   GPM ;litres\nHeadloss H-W\n");
    free(out);
    net_end(&c);
}

static void check_there_and_back(net_case *c, const char *text, sl_flow_unit there, double back_tolerance) {
    sl_network *a = net_read(c, text);
    sl_flow_unit home = a->hydraulics.flow_unit;
    char *away = net_convert(c, text, there);
    sl_network *b = net_read(c, away);
    assert_int_equal(b->hydraulics.flow_unit, there);
    net_assert_near(a, b, ONE_ROUNDING);
    char *back = net_convert(c, away, home);
    sl_network *d = net_read(c, back);
    assert_int_equal(d->hydraulics.flow_unit, home);
    assert_int_equal(d->hydraulics.pressure_unit, a->hydraulics.pressure_unit);
    net_assert_near(a, d, back_tolerance);
    for (int k = 0; k < SL_REPORT_FIELD_COUNT; k++) { /* limits are in the file's units: the same again */
        if (!isnan(a->report.field[k].below)) {
            sl_assert_rel(d->report.field[k].below, a->report.field[k].below, back_tolerance);
        }
        if (!isnan(a->report.field[k].above)) {
            sl_assert_rel(d->report.field[k].above, a->report.field[k].above, back_tolerance);
        }
    }
    /* converting what is already so changes nothing */
    char *again = net_convert(c, away, there);
    sl_assert_z(again, away);
    free(again);
    free(away);
    free(back);
    sl_network_destroy(a);
    sl_network_destroy(b);
    sl_network_destroy(d);
}

static void test_rich_in_all_units(void **state) {
    (void)state;
    for (int unit = 0; unit < SL_FLOW_UNIT_COUNT; unit++) {
        net_case c;
        net_begin(&c);
        check_there_and_back(&c, net_rich, (sl_flow_unit)unit, TWO_ROUNDINGS);
        net_end(&c);
    }
}

static void convert_example(const char *name, const char *text, void *user) {
    (void)user;
    print_message("  %s\n", name);
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, text);
    bool lps = net->hydraulics.flow_unit == SL_LPS;
    sl_network_destroy(net);
    check_there_and_back(&c, text, lps ? SL_GPM : SL_LPS, TWO_ROUNDINGS);
    check_there_and_back(&c, text, SL_CMD, TWO_ROUNDINGS);
    net_end(&c);
}

static void test_examples_there_and_back(void **state) {
    (void)state;
    assert_true(net_each_example(convert_example, NULL) >= 10);
}

/* In the rich model every line without quantities is still there, and every comment. */
static void test_lines_and_comments_kept(void **state) {
    (void)state;
    static const char *const kept[] = {
        "A rich model; this is still the title\n  second line\n; not a title\n\n[JUNCTIONS]\n;ID  Elev  Demand  Pattern\n",
        ";at the pumps\n",
        ";; an inflow\n",
        ";an id with a blank\n",
        "PU4  R1    J1    HEAD THREE\n",
        " ;baker\n",
        ";homes\n",
        "DAY   1.0  1.2  1.4\nNIGHT 2    0    0.5\nDAY   0.9\n",
        ";PUMP: one point\n",
        "OPENING 50   30\n",
        "SPARE  1     2\n",
        "RULE first\n",
        "AND  SYSTEM CLOCKTIME >= 8 AM\n",
        "AND  PUMP PU3 SETTING IS 0.85\n",
        "Pump PU1 Price 0.2\n",
        "J6   MASS 12\n",
        "Global Bulk -0.5\n",
        "T1   2COMP 0.4\n",
        "Duration 48:00\n",
        "Flow Precision 4\n",
        "HTOL 0.0004\nQTOL 0.0002\n",
        "NODE J1 pump house\n",
        "J1 1.5 2\n",
        "5 6 \"The lake\" R1\n",
        "DIMENSIONS 0 0 10000 10000\nUNITS None\nFILE \"a map.bmp\" ; kept\n\n[END]\n"};
    net_case c;
    net_begin(&c);
    char *out = net_convert(&c, net_rich, SL_LPS);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        assert_has(net_rich, kept[i]); /* the table is right */
        assert_has(out, kept[i]);
    }
    assert_has(out, "Units LPS\n");
    assert_lacks(out, "Units GPM");
    size_t n[2] = {0, 0};
    const char *both[2] = {net_rich, out};
    for (int k = 0; k < 2; k++) {
        for (const char *p = both[k]; *p; p++) {
            n[k] += *p == '\n';
        }
    }
    assert_int_equal(n[0], n[1]);
    free(out);
    net_end(&c);
}

/* A file that does not say its units is in GPM: the line is put in, in [OPTIONS], before [END], or at the end. */
static void test_missing_units_line(void **state) {
    (void)state;
    static const char *const ends[] = {"[OPTIONS]\nHeadloss H-W\n[TIMES]\nDuration 1\n",
                                       "[END]\n",
                                       "",
                                       "[OPTIONS]\n",
                                       "\n  [END]  \n\n",
                                       "[TITLE]\nlast line without end"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        net_case c;
        net_begin(&c);
        char text[300];
        snprintf(text, sizeof text, "[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A 100 12 100\n%s", ends[i]);
        sl_network *a = net_read(&c, text);
        char *out = net_convert(&c, text, SL_LPS);
        sl_network *b = net_read_clean(&c, out);
        assert_int_equal(b->hydraulics.flow_unit, SL_LPS);
        net_assert_near(a, b, ONE_ROUNDING);
        free(out);
        /* and the line ends are the file's */
        char crlf[600];
        size_t n = 0;
        for (const char *p = text; *p; p++) {
            n += (size_t)sprintf(crlf + n, *p == '\n' ? "\r\n" : "%c", *p);
        }
        out = net_convert(&c, crlf, SL_LPS);
        for (const char *p = out; *p; p++) {
            assert_true(*p != '\n' || p[-1] == '\r');
        }
        free(out);
        sl_network_destroy(a);
        sl_network_destroy(b);
        net_end(&c);
    }
}

/* PDA without a required pressure: 0.1 of the file's unit above the minimum. 0.1 m is 0.142 psi and must be said in the
 * new file; 0.1 psi is 0.07 m, which a file in metres may not say (EPANET wants 0.1): then psi stay. */
static void test_pda_default_is_made_explicit(void **state) {
    (void)state;
    static const char *const options[] = {
        "Units LPS\nDemand Model PDA\nMinimum Pressure 2\n", "Units GPM\nDemand Model PDA\nMinimum Pressure 2\n",
        "Demand Model PDA\n", "Units GPM\nPressure PSI\nDemand Model PDA\nMinimum Pressure 2\nRequired Pressure 2.11\n",
        "Units GPM\nDemand Model PDA\nMinimum Pressure 2\nRequired Pressure 2.2\n"};
    static const bool metric_pressure[] = {false, false, false, false, true};
    for (int i = 0; i < 5; i++) {
        net_case c;
        net_begin(&c);
        char text[400];
        snprintf(text, sizeof text, "[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A 100 12 100\n[OPTIONS]\n%s",
                 options[i]);
        sl_network *a = net_read(&c, text), *u = NULL;
        sl_flow_unit to = i == 0 ? SL_GPM : SL_LPS;
        char *out = net_convert(&c, text, to);
        sl_network *b = net_read(&c, out);
        assert_int_equal(b->hydraulics.flow_unit, to);
        assert_int_equal(b->hydraulics.pressure_unit, metric_pressure[i] ? SL_METERS : SL_PSI);
        net_assert_near(a, b, ONE_ROUNDING);
        if (i == 0) {
            assert_has(out, "Required Pressure");
        }
        sl_assert_ok(sl_network_with_units(c.ctx, a, to, NULL, &u));
        net_assert_near(a, u, ONE_ROUNDING);
        free(out);
        sl_network_destroy(a);
        sl_network_destroy(b);
        sl_network_destroy(u);
        net_end(&c);
    }
}

/* A pressure unit that is not the usual one of the file stays; the usual one goes with the flow unit. */
static void test_pressure_unit(void **state) {
    (void)state;
    static const struct {
        const char *options;
        sl_flow_unit to;
        sl_pressure_unit pressure;
        const char *line;
    } row[] = {{"Units GPM\nPressure PSI\n", SL_LPS, SL_METERS, "Pressure METERS\n"},
               {"Units GPM\nPressure KPA\n", SL_LPS, SL_KPA, "Pressure KPA\n"},
               {"Units GPM\n", SL_CMH, SL_METERS, NULL},
               {"Units LPS\nPressure BAR\n", SL_GPM, SL_BAR, "Pressure BAR\n"},
               {"Units LPS\n", SL_CMH, SL_METERS, NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        net_case c;
        net_begin(&c);
        char text[400];
        snprintf(
            text, sizeof text,
            "[JUNCTIONS]\nA 10 5\nB 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A 100 12 100\n[VALVES]\nV A B 9 PRV 40\n[OPTIONS]\n%s",
            row[i].options);
        sl_network *a = net_read(&c, text);
        char *out = net_convert(&c, text, row[i].to);
        sl_network *b = net_read(&c, out);
        assert_int_equal(b->hydraulics.pressure_unit, row[i].pressure);
        net_assert_near(a, b, ONE_ROUNDING);
        if (row[i].line) {
            assert_has(out, row[i].line);
        } else {
            assert_lacks(out, "Pressure");
        }
        free(out);
        sl_network_destroy(a);
        sl_network_destroy(b);
        net_end(&c);
    }
}

/* One curve, two uses whose units change differently. */
static const char shared_curve[] =
    "[OPTIONS]\nUnits GPM\n[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 50\n[TANKS]\nT 10 2 1 9 30 0 K\n[PIPES]\nP T A 100 12 100\n"
    "[PUMPS]\nU R A HEAD L\nW R A HEAD L\n[ENERGY]\nPump U Efficiency K\n[CURVES]\nK 0 0\nK 10 60\nL 100 50\n";

/* One set of numbers cannot change in two ways: refused by name, and nothing is written. */
static void test_curve_with_two_uses(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *a = net_read(&c, shared_curve), *other = NULL;
    assert_int_equal(a->n_curve, a->n_curve_named + 1);
    sl_inp_convert_def def = sl_inp_convert_default();
    def.change_units = true;
    def.flow_unit = SL_LPS;
    sl_bytes b;
    sl_bytes_init(&b, c.ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_status(sl_inp_convert(c.ctx, shared_curve, strlen(shared_curve), &def, c.diags, &sink), SL_ERR_INPUT);
    assert_int_equal(b.n, 0);
    net_only(&c, SL_CODE_CURVE_SHAPE);
    sl_assert_status(sl_network_with_units(c.ctx, a, SL_LPS, c.diags, &other), SL_ERR_INPUT);
    assert_null(other);
    sl_assert_ok(sl_network_with_units(c.ctx, a, a->hydraulics.flow_unit, c.diags, &other));
    net_assert_equal(a, other);
    sl_bytes_fini(&b);
    sl_network_destroy(a);
    sl_network_destroy(other);
    net_end(&c);
}

/* Values that a pipe line leaves out have defaults that depend on the units: they are written. */
static void test_omitted_pipe_values(void **state) {
    (void)state;
    static const char *const models[] = {"H-W", "D-W"};
    for (int m = 0; m < 2; m++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "[OPTIONS]\nUnits GPM\nHeadloss %s\n[JUNCTIONS]\nA 10 5\nB 10\nC 10\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A\nQ A B 50 ;short\nS B C 60 8\n",
            models[m]);
        net_case c;
        net_begin(&c);
        sl_network *a = net_read(&c, text);
        char *out = net_convert(&c, text, SL_LPS);
        sl_network *b = net_read(&c, out);
        net_assert_near(a, b, ONE_ROUNDING);
        free(out);
        sl_network_destroy(a);
        sl_network_destroy(b);
        net_end(&c);
    }
}

/* One number for pumps and valves cannot change for the valves only. */
static void test_status_of_several_kinds(void **state) {
    (void)state;
    static const char text[] =
        "[OPTIONS]\nUnits GPM\n[JUNCTIONS]\nA 10 5\nB 10\n[RESERVOIRS]\nR 50\n[PUMPS]\nU1 R A POWER 5\n"
        "[VALVES]\nU2 A B 12 PRV 30\n[STATUS]\nU1 U2 1.5\n";
    net_case c;
    net_begin(&c);
    sl_inp_convert_def def = sl_inp_convert_default();
    def.change_units = true;
    def.flow_unit = SL_LPS;
    sl_bytes b;
    sl_bytes_init(&b, c.ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_status(sl_inp_convert(c.ctx, text, sizeof text - 1, &def, c.diags, &sink), SL_ERR_INPUT);
    net_only(&c, SL_CODE_SYNTAX);
    assert_int_equal(sl_diags_at(c.diags, 0)->line, 13);
    assert_int_equal(b.n, 0);
    def.flow_unit = SL_CFS; /* psi stays psi */
    sl_assert_ok(sl_inp_convert(c.ctx, text, sizeof text - 1, &def, c.diags, &sink));
    sl_bytes_fini(&b);
    net_end(&c);
}

/* A roughness correlation for Darcy-Weisbach means something else in other units: told. */
static void test_roughness_correlation(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    const char *text =
        "[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 50\n[PIPES]\nP R A 100 12 0.1\n[OPTIONS]\nUnits GPM\nHeadloss D-W\n[REACTIONS]\nRoughness Correlation 2\n";
    free(net_convert(&c, text, SL_LPS));
    net_only(&c, SL_CODE_ADJUSTED);
    free(net_convert(&c, text, SL_CFS));
    assert_int_equal(sl_diags_size(c.diags), 0);
    net_end(&c);
}

/* What does not read is not rewritten. */
static void test_bad_text(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_bytes b;
    sl_bytes_init(&b, c.ctx);
    sl_sink sink = sl_bytes_sink(&b);
    static const char text[] = "[JUNCTIONS]\nA ten\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n";
    sl_assert_status(sl_inp_convert(c.ctx, text, sizeof text - 1, NULL, c.diags, &sink), SL_ERR_INPUT);
    assert_int_equal(b.n, 0);
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 1); /* and what is wrong is said once */
    sl_bytes_fini(&b);
    net_end(&c);
}

static void with_units_of(const char *text) {
    for (int unit = 0; unit < SL_FLOW_UNIT_COUNT; unit++) {
        net_case c;
        net_begin(&c);
        sl_network *a = net_read(&c, text), *b = NULL;
        sl_assert_ok(sl_network_with_units(c.ctx, a, (sl_flow_unit)unit, NULL, &b));
        assert_int_equal(b->hydraulics.flow_unit, unit);
        net_assert_near(a, b, ONE_ROUNDING);
        if (unit == (int)a->hydraulics.flow_unit) {
            net_assert_equal(a, b);
        } else {
            char *out = net_write(&c, b);
            char line[40];
            snprintf(line, sizeof line, "Units                 %s\n", sl_flow_unit_word((sl_flow_unit)unit));
            assert_has(out, line);
            free(out);
        }
        sl_network_destroy(a);
        sl_network_destroy(b);
        net_end(&c);
    }
}

static void test_network_with_units(void **state) {
    (void)state;
    with_units_of(net_rich);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_kept),
        cmocka_unit_test(test_last_line),
        cmocka_unit_test(test_behind_zeros),
        cmocka_unit_test(test_same_units),
        cmocka_unit_test(test_small_text),
        cmocka_unit_test(test_rich_in_all_units),
        cmocka_unit_test(test_examples_there_and_back),
        cmocka_unit_test(test_lines_and_comments_kept),
        cmocka_unit_test(test_missing_units_line),
        cmocka_unit_test(test_pda_default_is_made_explicit),
        cmocka_unit_test(test_pressure_unit),
        cmocka_unit_test(test_curve_with_two_uses),
        cmocka_unit_test(test_roughness_correlation),
        cmocka_unit_test(test_omitted_pipe_values),
        cmocka_unit_test(test_status_of_several_kinds),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_network_with_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
