/* SPDX-License-Identifier: MIT */
/* Writing clean .inp text: reading it gives an equal network, writing that the same bytes; sl_network_equal sees every
 * difference. */
#include "net_test.h"

/* read -> write -> read -> write */
static void check_round_trip(net_case *c, const char *text, bool tolerant) {
    sl_network *a = NULL, *b = NULL;
    sl_assert_ok(net_try(c, text, tolerant, &a));
    char *first = net_write(c, a);
    sl_status status = net_try(c, first, tolerant, &b);
    if (status != SL_OK) {
        print_error("what was written does not read:\n%s\n", first);
        net_show(c);
    }
    sl_assert_ok(status);
    char why[200] = "";
    if (!sl_network_equal(a, b, why, sizeof why)) {
        print_error("%s after writing:\n%s\nfrom:\n%s\n", why, first, text);
        fail();
    }
    char *second = net_write(c, b);
    sl_assert_z(second, first);
    free(first);
    free(second);
    sl_network_destroy(a);
    sl_network_destroy(b);
}

static void test_rich(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, net_rich);
    assert_int_equal(net->n_valve, 8);
    assert_int_equal(net->n_rule, 2);
    sl_network_destroy(net);
    check_round_trip(&c, net_rich, false);
    net_end(&c);
}

static void round_trip_example(const char *name, const char *text, void *user) {
    (void)name;
    net_case c;
    net_begin(&c);
    check_round_trip(&c, text, false);
    net_end(&c);
    ++*(int32_t *)user;
}

static void test_examples(void **state) {
    (void)state;
    int32_t n = 0;
    int32_t n_file = net_each_example(round_trip_example, &n);
    assert_int_equal(n_file, n);
    assert_true(n >= 10); /* the examples were found */
}

/* Everything odd that a file may say and that must survive. */
static void test_odd_models(void **state) {
    (void)state;
    static const char *const more[] = {
        "",
        "[TITLE]\n  leading; and trailing  \n\ttab\n",
        "[TITLE]\none\r\r\ntwo\r three\n",
        "[JUNCTIONS]\n\"a b\" 1\n\"[x\" 2\n\"\" 3\nq\"r 4\n[PIPES]\n\"1 2\" A \"a b\" 1 1 1\n\"[3\" A \"[x\" 1 1 1\n4 A \"\" 1 1 1\n5 A q\"r 1 1 1\n",
        "[JUNCTIONS]\n\xE4\xF6 1 ;l\xE4tin\n[PIPES]\n1 A \xE4\xF6 1 1 1\n",
        "[TAGS]\nNODE A \"  blanks around  \"\nNODE B \"\" x\nLINK P1 \"a b\" c\nLINK P2 a \"b\nNODE R a\"b\n",
        "[LABELS]\n1 2\n3 4 \"\"\n5 6 a\"b A\n7 8 \"two  words\"\n",
        "[BACKDROP]\n  DIMENSIONS 0 0\t1 1  \nFILE \"x y\";c\n",
        "[OPTIONS]\nQuality Chlorine ug/L\nQuality None\n",
        "[OPTIONS]\nQuality Chlorine ug/L\nQuality Age\n",
        "[OPTIONS]\nQuality Trace A\nQuality Chlorine\n",
        "[OPTIONS]\nQuality Chlorine ug/L\nQuality Chemical\n",
        "[OPTIONS]\nQuality \"two words\" \"mg per L\"\n",
        "[OPTIONS]\nQuality Trace A\n",
        "[OPTIONS]\nPattern \"\"\nMap \"a b\"\nHydraulics Use \"x y\"\n",
        "[OPTIONS]\nViscosity 0.001\nDiffusivity 0\n",
        "[OPTIONS]\nViscosity 0.0010001\nDiffusivity 0.0001\n",
        "[OPTIONS]\nUnits GPM\nViscosity 1.23456789012345e-5\nDiffusivity 1.23456789012345e-8\n",
        "[OPTIONS]\nPressure KPA\nMinimum Pressure 3\nPressure Exponent 0.7\n",
        "[OPTIONS]\nUnits GPM\nPressure BAR\nDemand Model PDA\nRequired Pressure 7.77\n",
        "[OPTIONS]\nHTOL 1e-9\nQTOL 1e-9\nRQTOL 0.5\nUnbalanced Continue\n",
        "[REPORT]\nNodes A\nNodes ALL\nLinks P1\nLinks NONE\n",
        "[REPORT]\nNodes ALL\nNodes A\n",
        "[JUNCTIONS]\nALLEY 1\nNONESUCH 1\n[PIPES]\nALL_OF 1 1\n1 A ALLEY 1 1 1\n2 A NONESUCH 1 1 1\n[REPORT]\nNodes ALLEY A\nNodes NONESUCH B\n",
        "[REPORT]\nFile \"a b\"\nHead Precision 2\nDemand No\nDemand Precision 0\nDemand No\nFlow Above 1e-300\nLinkQual Yes\n",
        "[TIMES]\nDuration 1000:00:01\nHydraulic Timestep 7 SEC\nStart ClockTime 23:59:59\nReport Start 999\n",
        "[PATTERNS]\n; a note\nX 1 2 3 4 5 6 7\n;ID not a note\nY 1\n",
        "[CURVES]\nX 1 2\nY 1 2 EFFIC\nZ 0 0 VOLUME\nZ 1 1\n",
        "[DEMANDS]\nA 0 ;nothing\nB 0\nB 0\n",
        "[JUNCTIONS]\nC 1 0 D\n[PIPES]\n9 A C 1 1 1\n[PATTERNS]\nD 1\n[DEMANDS]\nC 0 D\n",
        "[PUMPS]\nX1 R A 6\nX2 R A 40 10\nX5 R A 50 40 10 25 20\n",
        "[PUMPS]\nX R A POWER 5 SPEED 0\nY R A POWER 5 SPEED 0.5\n[STATUS]\nY Closed\n",
        "[PUMPS]\nX R A POWER 5 HEAD K\n[CURVES]\nK 1 2\n",
        "[VALVES]\nX A B 9 TCV\nY A B 9 PCV 120 1\n[STATUS]\nX Closed\nY Open\n",
        "[EMITTERS]\nA 0.1\n[OPTIONS]\nEmitter Exponent 0.77\n",
        "[LEAKAGE]\nP1 0 0\nP2 1e-3 0\n",
        "[MIXING]\nT 2COMP\n",
        "[REACTIONS]\nOrder Wall 0\nGlobal Wall -0.3\nWall P1 -0.7\n",
        "[CONTROLS]\nLINK P1 CLOSED AT TIME 0.0001\nLINK P1 OPEN AT CLOCKTIME 48:30\n",
        "[RULES]\nRULE \"a b\"\nIF TANK T FILLTIME > 0.3333\nTHEN PIPE P1 STATUS IS ACTIVE\nRULE \"\"\nIF SYSTEM CLOCKTIME = 30:00\nTHEN PIPE P1 SETTING IS 5\nPRIORITY 1e-9\n",
        "[COORDINATES]\nA 1e300 -1e-300\n[VERTICES]\nP2 0 0\n",
        "[SOURCES]\nA MASS -5\nA CONCEN 0\n",
        "[QUALITY]\nA 1e-20\n",
        /* a curve with two meanings and numbers that need all their digits */
        "[OPTIONS]\nUnits GPM\n[PUMPS]\nX R A HEAD K\n[TANKS]\nT2 1 2 1 3 4 0 K\n[PIPES]\n9 A T2 1 1 1\n[CURVES]\nK 0.12345678901234567 9.8765432109876543\n",
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        net_case c;
        net_begin(&c);
        char *text = net_framed(more[i]);
        sl_network *a = NULL, *b = NULL;
        char why[200] = "";
        sl_assert_ok(net_try(&c, text, true, &a));
        char *first = net_write(&c, a);
        sl_assert_ok(net_try(&c, first, true, &b));
        if (!sl_network_equal(a, b, why, sizeof why)) {
            print_error("\n%s  %s\n", more[i], why);
            wrong++;
        }
        sl_network_destroy(a);
        sl_network_destroy(b);
        free(text);
        free(first);
        net_end(&c);
    }
    assert_int_equal(wrong, 0);
}

/* Random numbers in every unit system: the shortest text that gives the same bits. */
static void test_every_number_in_every_unit(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int unit = 0; unit < SL_FLOW_UNIT_COUNT; unit++) {
        for (int digits = 1; digits <= 17; digits += 4) {
            net_case c;
            net_begin(&c);
            char text[3000];
            size_t n = (size_t)sprintf(
                text, "[OPTIONS]\nUnits %s\nPressure KPA\nEmitter Exponent 0.6\n[RESERVOIRS]\nR 1\n[JUNCTIONS]\n",
                sl_flow_unit_word((sl_flow_unit)unit));
            for (int i = 0; i < 20; i++) {
                n += (size_t)sprintf(text + n, "%d %.*g %.*g\n", i, digits, 1000 * sl_test_unit(&seed), digits,
                                     sl_test_unit(&seed) * 1e-3);
            }
            n += (size_t)sprintf(text + n, "[PIPES]\n");
            for (int i = 0; i < 20; i++) {
                n += (size_t)sprintf(text + n, "P%d R %d %.*g %.*g %.*g\n", i, i, digits, 1 + 99 * sl_test_unit(&seed),
                                     digits, 1 + sl_test_unit(&seed), digits, 1e-3 + sl_test_unit(&seed));
            }
            sprintf(text + n, "[EMITTERS]\n1 %.*g\n", digits, 1e-3 + sl_test_unit(&seed));
            check_round_trip(&c, text, false);
            net_end(&c);
        }
    }
}

/* Without a line of the rich model it is another model: sl_network_equal sees it, for every line. But for the lines that
 * say what holds anyway. */
static void test_equal_sees_every_line(void **state) {
    (void)state;
    static const char *const defaults[] = {"Units GPM",     "Headloss H-W", "Order Wall 1", "[END]",
                                           "; not a title", ";ID  Elev",    "[TITLE]"};
    net_case c;
    net_begin(&c);
    sl_network *whole = net_read(&c, net_rich);
    size_t len = strlen(net_rich);
    int32_t n_line = 0;
    for (const char *line = net_rich; *line;) {
        const char *end = strchr(line, '\n') + 1;
        bool expect_same = *line == '\n';
        for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
            expect_same = expect_same || strncmp(line, defaults[i], strlen(defaults[i])) == 0;
        }
        if (*line != '[' || expect_same) {
            char *text = malloc(len + 1), why[200] = "";
            assert_non_null(text);
            size_t before = (size_t)(line - net_rich);
            memcpy(text, net_rich, before);
            strcpy(text + before, end);
            sl_network *net = NULL;
            sl_assert_ok(net_try(&c, text, true, &net));
            bool same = sl_network_equal(whole, net, why, sizeof why), back = sl_network_equal(net, whole, NULL, 0);
            if (same != expect_same && strncmp(line, "[TITLE]", 7) != 0) {
                print_error("without the line %.*s: %s\n", (int)(end - line - 1), line, same ? "equal" : why);
                fail();
            }
            assert_int_equal(same, back);
            assert_int_equal(same, *why == '\0');
            sl_network_destroy(net);
            free(text);
            n_line++;
        }
        line = end;
    }
    assert_true(n_line > 200);
    sl_network_destroy(whole);
    net_end(&c);
}

/* A sink that takes so many bytes and then refuses. */
typedef struct narrow {
    size_t room;
} narrow;

static sl_status write_narrow(void *user, const void *bytes, size_t n) {
    (void)bytes;
    narrow *s = user;
    if (n > s->room) {
        return SL_ERR_IO;
    }
    s->room -= n;
    return SL_OK;
}

static void test_sink_refuses(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, net_rich);
    narrow s = {10};
    sl_sink sink = {&s, write_narrow};
    sl_assert_status(sl_inp_write(c.ctx, net, &sink), SL_ERR_IO);
    sl_assert_status(sl_network_write_json(net, &sink), SL_ERR_IO);
    sl_assert_status(sl_network_write_geojson(net, c.diags, &sink), SL_ERR_IO);
    sl_assert_status(sl_inp_convert(c.ctx, net_rich, strlen(net_rich), NULL, c.diags, &sink), SL_ERR_IO);
    s.room = 1000000;
    sl_assert_ok(sl_inp_write(c.ctx, net, &sink));
    sl_network_destroy(net);
    net_end(&c);
}

/* The program may ask to stop. */
static bool stop_writing(void *user, const sl_progress *p) {
    const char *phase = user;
    return strcmp(p->phase, phase) != 0;
}

static void test_cancelled(void **state) {
    (void)state;
    static char phases[][10] = {"reading", "writing"};
    for (int i = 0; i < 2; i++) {
        sl_context_def def = sl_context_default();
        def.progress = stop_writing;
        def.progress_user = phases[i];
        sl_context *ctx = NULL;
        sl_assert_ok(sl_context_create(&def, &ctx));
        sl_network *net = NULL;
        sl_status status = sl_inp_read(ctx, net_rich, strlen(net_rich), NULL, NULL, &net);
        sl_assert_status(status, i == 0 ? SL_ERR_CANCELLED : SL_OK);
        if (net) {
            narrow s = {1000000};
            sl_sink sink = {&s, write_narrow};
            sl_assert_status(sl_inp_write(ctx, net, &sink), SL_ERR_CANCELLED);
        }
        sl_network_destroy(net);
        sl_context_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rich),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_odd_models),
        cmocka_unit_test(test_every_number_in_every_unit),
        cmocka_unit_test(test_equal_sees_every_line),
        cmocka_unit_test(test_sink_refuses),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
