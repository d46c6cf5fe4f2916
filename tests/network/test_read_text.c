/* SPDX-License-Identifier: MIT */
/* The .inp reader on the text itself: line ends, byte order mark, encodings, comments, quotes, headings, order of
 * sections, long lines. */
#include "net_test.h"

#define SMALL \
    "[JUNCTIONS]\nA 10 1 ;first\nB 12 2\n[RESERVOIRS]\nR 50\n[PIPES]\nP1 R A 100 200 100\nP2 A B 100 200 100\n[OPTIONS]\nUnits LPS\n"

/* Text with every "\n" as eol, and something before it. */
static char *with_eol(const char *before, const char *text, const char *eol) {
    size_t n = strlen(before), len = strlen(text);
    char *out = malloc(n + 2 * len + 1);
    assert_non_null(out);
    strcpy(out, before);
    for (const char *p = text; *p; p++) {
        if (*p == '\n') {
            n += (size_t)sprintf(out + n, "%s", eol);
        } else {
            out[n++] = *p;
        }
    }
    out[n] = '\0';
    return out;
}

/* LF, CRLF, CR alone, each with and without a byte order mark: the same network, and no word about it. */
static void test_line_ends_and_mark(void **state) {
    (void)state;
    static const char *const eols[] = {"\n", "\r\n", "\r"};
    net_case c;
    net_begin(&c);
    sl_network *plain = net_read_clean(&c, SMALL);
    for (int e = 0; e < 3; e++) {
        for (int bom = 0; bom < 2; bom++) {
            char *text = with_eol(bom ? "\xEF\xBB\xBF" : "", SMALL, eols[e]);
            sl_network *net = net_read_clean(&c, text);
            net_assert_equal(net, plain);
            assert_string_equal(net_note(net->node_notes, net->n_node_note, 0), "first");
            assert_int_equal(net->node_line[0], 2); /* lines are counted right with all of them */
            assert_int_equal(net->link_line[1], 8);
            sl_network_destroy(net);
            free(text);
        }
    }
    sl_network_destroy(plain);
    net_end(&c);
}

/* The last line without its end is read, and told. */
static void test_no_final_line_end(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, "[JUNCTIONS]\nA 10 1\n[RESERVOIRS]\nR 50\n[PIPES]\nP1 R A 100 200 100");
    assert_int_equal(net->n_pipe, 1);
    sl_assert_double(net->pipe_roughness[0], 100.0);
    assert_int_equal(sl_diags_size(c.diags), 1);
    assert_int_equal(net_only(&c, SL_CODE_NO_LINE_END)->line, 6);
    sl_network_destroy(net);
    /* a heading or a comment cannot be cut off in a way that matters */
    net = net_read_clean(&c, SMALL "[END]");
    sl_network_destroy(net);
    net = net_read_clean(&c, SMALL "; done");
    sl_network_destroy(net);
    net_end(&c);
}

static void test_end_hides_what_follows(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, SMALL "[END]\n[JUNCTIONS]\nC ten\n[NOSUCH]\nany junk \x01\xff here");
    net_only(&c, SL_CODE_NO_END); /* told once, whatever follows */
    assert_int_equal(net->n_junction, 2);
    sl_network_destroy(net);
    net = net_read(&c, SMALL "[end] trailing words\nC\n");
    assert_int_equal(net->n_junction, 2);
    sl_network_destroy(net);
    net_end(&c);
}

static void test_separators(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *plain = net_read_clean(&c, SMALL);
    sl_network *tabs = net_read_clean(
        &c, "  [JUNCTIONS]  \n\tA\t\t10\t1\t;first\n   B 12    2\t\n\n \t \n[RESERVOIRS] junk after it\nR\t50;\n"
            "[PIPES]\nP1 R A 100 200 100;no blank before\nP2 A B 100 200 100\n[OPTIONS]\nUnits\tLPS\n");
    assert_string_equal(net_note(tabs->link_notes, tabs->n_link_note, 0), "no blank before");
    char why[100] = "";
    assert_false(sl_network_equal(plain, tabs, why, sizeof why));
    assert_has(why, "link_notes"); /* that note is all that differs */
    sl_network_destroy(tabs);
    /* other characters are part of a word */
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, "[JUNCTIONS]\nA,10 1\n[RESERVOIRS]\nR\f 50\n[PIPES]\nP R\f A,10 1 1 1\n", false, &net),
                     SL_OK);
    assert_int_equal(net_node(net, "A,10"), 0);
    assert_int_equal(net_node(net, "R\f"), 1);
    sl_network_destroy(net);
    sl_network_destroy(plain);
    net_end(&c);
}

static void test_ids(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, "[JUNCTIONS]\n"
                                   "Straße_ü 1\n"
                                   "\"a b\" 2\n"
                                   "\"\" 3\n"
                                   "a 4\nA 5\n" /* ids know upper and lower case */
                                   "x\"y 6\n"
                                   "123456789012345678901234567890123 7\n"
                                   "\xE4 8\n" /* Latin-1 */
                                   "[RESERVOIRS]\nR 50\n[PIPES]\n"
                                   "1 R Straße_ü 1 1 1\n2 R \"a b\" 1 1 1\n3 R \"\" 1 1 1\n4 R a 1 1 1\n5 R A 1 1 1\n"
                                   "6 R x\"y 1 1 1\n7 R 123456789012345678901234567890123 1 1 1\n\"8\" R \xE4 1 1 1\n");
    static const char *const ids[] = {"Straße_ü", "a b", "", "a", "A", "x\"y", "123456789012345678901234567890123",
                                      "\xE4"};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(net_node(net, ids[i]), i);
        assert_int_equal(net->link_to[i], i);
        sl_assert_rel(net->node_elevation[i], (i + 1) * 0.3048, 1e-15);
    }
    assert_int_equal(sl_diags_size(c.diags), 1); /* 33 bytes are told, nothing else */
    assert_int_equal(net_only(&c, SL_CODE_LONG_ID)->line, 8);
    assert_int_equal(sl_network_find_node(net, sl_str_z("b")), -1);
    assert_int_equal(sl_network_find_link(net, sl_str_z("a")), -1);
    sl_network_destroy(net);
    net_end(&c);
}

/* 31 bytes are fine, 32 are told, once for the definition and never for a use. */
static void test_long_ids(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    char id[40] = "", text[400];
    for (size_t n = 31; n <= 32; n++) {
        memset(id, 'n', n);
        snprintf(
            text, sizeof text,
            "[JUNCTIONS]\n%s 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R %s 1 1 1\n[DEMANDS]\n%s 2\n%s 3\n[COORDINATES]\n%s 1 1\n",
            id, id, id, id, id);
        sl_network *net = net_read(&c, text);
        assert_int_equal(sl_diags_size(c.diags), n - 31);
        sl_network_destroy(net);
    }
    net_end(&c);
}

static void test_very_long_lines(void **state) {
    (void)state;
    enum { N = 5000 };
    net_case c;
    net_begin(&c);
    char *text = malloc(60 * N + 1000);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s[PATTERNS]\nLONG", SMALL);
    for (int i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, " %d.5", i);
    }
    n += (size_t)sprintf(text + n, "\n;");
    memset(text + n, 'c', 3000); /* a comment longer than EPANET's buffer */
    n += 3000;
    sprintf(text + n, "\n[TITLE]\nt\n");
    sl_network *net = net_read(&c, text);
    int32_t p = net_pattern(net, "LONG");
    assert_int_equal(net->pattern_start[p + 1] - net->pattern_start[p], N);
    sl_assert_double(net->pattern_factor[net->pattern_start[p] + N - 1], N - 1 + 0.5);
    assert_int_equal(net->n_title, 1);
    const sl_diag *d = net_only(&c, SL_CODE_LONG_LINE);
    assert_int_equal(d->severity, SL_WARNING);
    assert_true(strlen(d->source) < 1000); /* an excerpt, not the line */
    assert_int_equal(sl_diags_size(c.diags), 1);
    sl_network_destroy(net);
    free(text);
    net_end(&c);
}

/* Comments: at the end of a node's or link's line they are its note, blanks and further semicolons taken off. */
static void test_comments(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_clean(
        &c, "; before all\n"
            "[JUNCTIONS]\n;ID elev\n"
            "A 10 1 ;;;  several ; signs  \t\nB 12 2;\n"
            "[RESERVOIRS]\nR 50 ; h\xC3\xB6he\n"
            "[PIPES]\n; whole line\nP1 R A 100 200 100 ;pipe's note\nP2 A B 100 200 100\n"
            "[DEMANDS]\nA 1 ;homes\nA 2\nA 3 ;  works\n"
            "[PATTERNS]\n;not this one\n; the day  \nD 1 2 ; not this either\nD 3\n;ID list\nE 1\n;---- a rule\nF 1\n"
            "[CURVES]\n;PUMP: one\nC 1 2\n;the second point\nC 2 3\n");
    int32_t a = net_node(net, "A");
    assert_string_equal(net_note(net->node_notes, net->n_node_note, a), "several ; signs");
    assert_string_equal(net_note(net->node_notes, net->n_node_note, net_node(net, "R")), "h\xC3\xB6he");
    assert_int_equal(net->n_node_note, 2); /* an empty comment is none */
    assert_int_equal(net->n_link_note, 1);
    assert_string_equal(net_note(net->link_notes, net->n_link_note, net_link(net, "P1")), "pipe's note");
    int32_t k = net->demand_start[a];
    assert_int_equal(net->n_demand_note, 2);
    assert_string_equal(net_note(net->demand_note, net->n_demand_note, k), "homes");
    assert_null(net_note(net->demand_note, net->n_demand_note, k + 1));
    assert_string_equal(net_note(net->demand_note, net->n_demand_note, k + 2), "works");
    assert_int_equal(net->n_pattern_note, 1); /* names of columns and rules of dashes describe nothing */
    assert_string_equal(net_note(net->pattern_notes, net->n_pattern_note, net_pattern(net, "D")), "the day");
    assert_int_equal(net->n_curve_note, 1);
    assert_string_equal(net_note(net->curve_notes, net->n_curve_note, net_curve(net, "C")), "PUMP: one");
    sl_network_destroy(net);
    net_end(&c);
}

static void test_quotes(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_clean(
        &c, "[JUNCTIONS]\n\"A\" \"10\" 1 \"\"\n\"B b\" 12 ;\"q\" c\n"
            "[RESERVOIRS]\nR 50\n[PIPES]\nP1 R A 100 200 100\n\"P 2\" \"A\" \"B b\" 100 200 100 0 \"Open\"\n"
            "[OPTIONS]\nUnits \"LPS\"\n"
            "[LABELS]\n1 2 \"two words\"\n3 4 \"open to the end\n");
    assert_int_equal(net_node(net, "B b"), 1);
    assert_int_equal(net->link_to[net_link(net, "P 2")], 1);
    sl_assert_double(net->node_elevation[0], 10.0);
    assert_int_equal(net->demand_pattern[0], -1); /* empty quotes: nothing given */
    assert_string_equal(net_note(net->node_notes, net->n_node_note, 1), "\"q\" c");
    assert_string_equal(net->labels[0].text, "two words");
    assert_string_equal(net->labels[1].text, "open to the end");
    sl_network_destroy(net);
    net_end(&c);
}

/* Every heading: whole in any case is silent; cut to four letters or misspelt behind them it is read, and told. */
static void test_headings(void **state) {
    (void)state;
    static const char *const names[] = {"TITLE",       "JUNCTIONS", "RESERVOIRS", "TANKS",   "PIPES",   "PUMPS",
                                        "VALVES",      "EMITTERS",  "DEMANDS",    "LEAKAGE", "CURVES",  "PATTERNS",
                                        "ENERGY",      "STATUS",    "CONTROLS",   "RULES",   "SOURCES", "QUALITY",
                                        "REACTIONS",   "MIXING",    "OPTIONS",    "TIMES",   "REPORT",  "TAGS",
                                        "COORDINATES", "VERTICES",  "LABELS",     "BACKDROP"};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[1000], lower[20];
        size_t n = strlen(names[i]);
        for (size_t k = 0; k <= n; k++) {
            lower[k] = (char)(names[i][k] >= 'A' && names[i][k] <= 'Z' ? names[i][k] + 32 : names[i][k]);
        }
        snprintf(text, sizeof text, "%s[%s]\n[%s]\n", SMALL, names[i], lower);
        sl_network_destroy(net_read_clean(&c, text));
        if (n > 4) {
            snprintf(text, sizeof text, "%s[%.4s]\n", SMALL, names[i]);
            sl_network_destroy(net_read(&c, text));
            assert_int_equal(sl_diags_size(c.diags), 1);
            assert_has(net_only(&c, SL_CODE_LEGACY)->text, names[i]);
        }
    }
    /* read by their four letters: what is under them counts */
    sl_network *net = net_read(
        &c,
        "[JUNC]\nA 10 1\n[RESE]\nR 50\n[PIPEZ]\nP1 R A 100 200 100\n[OPTI]\nUnits LPS\n[COORD]\nA 1 2\n[TAGS\nNODE A x\n");
    assert_int_equal(net_count(&c, SL_CODE_LEGACY), 6); /* an unclosed bracket too */
    assert_int_equal(sl_diags_size(c.diags), 6);
    assert_int_equal(net->n_pipe, 1);
    assert_int_equal(net->hydraulics.flow_unit, SL_LPS);
    sl_assert_double(net->node_y[0], 2.0);
    assert_int_equal(net->n_node_tag, 1);
    sl_network_destroy(net);
    net_end(&c);
}

/* Sections in any order, cut into pieces, links before nodes, the units last. */
static void test_order_of_sections(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *plain = net_read_clean(
        &c,
        "[TITLE]\none\ntwo\n[OPTIONS]\nUnits LPS\nQuality Trace R\nPattern D\n[PATTERNS]\nD 1 2\nD 3\n[JUNCTIONS]\nA 10 1 D\nB 12 2\n[RESERVOIRS]\nR 50\n"
        "[PIPES]\nP1 R A 100 200 100\nP2 A B 100 200 100\n[PUMPS]\nPU R B HEAD C\n[CURVES]\nC 10 20\n[DEMANDS]\nB 5 D\n[STATUS]\nP2 Closed\n"
        "[CONTROLS]\nLINK P2 OPEN IF NODE B BELOW 3\n[RULES]\nRULE 1\nIF NODE B PRESSURE > 3\nTHEN PUMP PU STATUS IS OPEN\n"
        "[REPORT]\nNodes B\n[COORDINATES]\nA 1 2\n[VERTICES]\nP1 3 4\n[REACTIONS]\nWall P2 3\nOrder Wall 0\n[TAGS]\nLINK P1 t\n");
    sl_network *mixed = net_read_clean(
        &c,
        "[TAGS]\nLINK P1 t\n[VERTICES]\nP1 3 4\n[COORDINATES]\nA 1 2\n[REPORT]\nNodes B\n[RULES]\nRULE 1\nIF NODE B PRESSURE > 3\nTHEN PUMP PU STATUS IS OPEN\n"
        "[CONTROLS]\nLINK P2 OPEN IF NODE B BELOW 3\n[REACTIONS]\nWall P2 3\n[STATUS]\nP2 Closed\n[DEMANDS]\nB 5 D\n[PUMPS]\nPU R B HEAD C\n"
        "[PIPES]\nP1 R A 100 200 100\n[TITLE]\none\n[RESERVOIRS]\nR 50\n[JUNCTIONS]\nA 10 1 D\n[PIPES]\nP2 A B 100 200 100\n[JUNCTIONS]\nB 12 2\n"
        "[CURVES]\nC 10 20\n[PATTERNS]\nD 1 2\n[OPTIONS]\nPattern D\n[PATTERNS]\nD 3\n[TITLE]\ntwo\n[REACTIONS]\nOrder Wall 0\n"
        "[OPTIONS]\nQuality Trace R\nUnits LPS\n");
    net_assert_equal(plain, mixed);
    assert_int_equal(plain->quality.trace_node, net_node(plain, "R"));
    sl_network_destroy(plain);
    sl_network_destroy(mixed);
    net_end(&c);
}

static void test_titles(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net =
        net_read_clean(&c, "[TITLE]\n\nOne; two\n  ;not one\n  indented\tand tabbed\nthree\nfour\n" SMALL);
    assert_int_equal(net->n_title, 4);
    assert_string_equal(net->title[0], "One; two");
    assert_string_equal(net->title[1], "  indented\tand tabbed");
    assert_string_equal(net->title[3], "four");
    assert_string_equal(net->name, "test.inp");
    sl_network_destroy(net);
    net_end(&c);
}

/* Lines are cut 64 bytes at a time: whatever is moved through two such pieces, by one blank after the other, is read the same.
 * Only places in the lines change, so the same network must come out, with the same notes, for all line ends, and with
 * the last line cut off where the text ends. */
static void test_every_offset(void **state) {
    (void)state;
    static const char *const eols[] = {"\n", "\r\n", "\r"};
    static const char *const form =
        "[JUNCTIONS]\n%*sA 10 1 ;first; of two\n;%*s;only a comment \"\n\n%*s\"B\" 12\t2;  second\n"
        "[RESERVOIRS]\nR 50;\n[OPTIONS]\nUnits LPS\n[PIPES]\n"
        "P1%*sR A 100 200 100 ;\nP2 A B 100%*s 200%*s100";
    net_case c;
    net_begin(&c);
    for (int shift = 0; shift < 6 * 130; shift++) {
        int gap[6] = {0};
        char plain[600], *text;
        gap[shift / 130] = shift % 130;
        sprintf(plain, form, gap[0], "", gap[1], "", gap[2], "", 1 + gap[3], "", gap[4], "", 1 + gap[5], "");
        text = with_eol("", plain, eols[shift % 3]);
        sl_network *net = net_read(&c, text);
        assert_int_equal(net->n_node, 3);
        assert_int_equal(net->n_link, 2);
        assert_true(net->pipe_length[1] == 100.0 && net->pipe_roughness[1] == 100.0);
        assert_true(net->node_elevation[net_node(net, "B")] == 12.0);
        assert_string_equal(net_note(net->node_notes, net->n_node_note, net_node(net, "A")), "first; of two");
        assert_string_equal(net_note(net->node_notes, net->n_node_note, net_node(net, "B")), "second");
        assert_int_equal(net->n_link_note, 0);
        assert_int_equal(net->node_line[net_node(net, "B")], 5);
        sl_network_destroy(net);
        free(text);
    }
    net_end(&c);
}

/* What no result depends on is passed over, whatever stands there. Quotes within comments are part of them. */
static void test_no_map(void **state) {
    (void)state;
    static const char bare[] = "[JUNCTIONS]\nA 10 1\nB 12 2\n[RESERVOIRS]\nR 50\n"
                               "[PIPES]\nP1 R A 100 200 100\nP2 A B 100 200 100\n"
                               "[DEMANDS]\nA 1\n[PATTERNS]\nD 1 2\n";
    static const char full[] = "[JUNCTIONS]\nA 10 1 ; a \"first\" note; and more\nB 12 2\n[RESERVOIRS]\nR 50\n"
                               "[PIPES]\nP1 R A 100 200 100 ; note\nP2 A B 100 200 100\n"
                               "[DEMANDS]\nA 1 ;homes\n[PATTERNS]\n;the day\nD 1 2\n"
                               "[COORDINATES]\nA 1 2\nB 3 4\nB 5 6\nnobody what where\n[VERTICES]\nP1 7 8\n"
                               "[TAGS]\nNODE A tag\n[LABELS]\n1 2 \"label\"\n[BACKDROP]\nUNITS None\n";
    net_case c;
    net_begin(&c);
    sl_network *plain = net_read_clean(&c, bare), *whole = net_read(&c, full), *net = NULL;
    int32_t a = net_node(whole, "A");
    assert_string_equal(net_note(whole->node_notes, whole->n_node_note, a), "a \"first\" note; and more");
    sl_assert_double(whole->node_y[net_node(whole, "B")], 6); /* the last place counts */
    assert_true(isnan(whole->node_x[net_node(whole, "R")]));
    sl_inp_read_def def = sl_inp_read_default();
    def.no_map = true;
    sl_diags_clear(c.diags);
    sl_assert_ok(sl_inp_read(c.ctx, full, strlen(full), &def, c.diags, &net));
    assert_int_equal(sl_diags_size(c.diags), 0);
    assert_null(net->node_x);
    net_assert_equal(plain, net);
    sl_network_destroy(plain);
    sl_network_destroy(whole);
    sl_network_destroy(net);
    net_end(&c);
}

/* Nothing but the default definition, no diagnostics, no name. */
static void test_optional_arguments(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_ok(sl_inp_read(c.ctx, SMALL, strlen(SMALL), NULL, NULL, &net));
    assert_string_equal(net->name, "");
    sl_network_destroy(net);
    net = (sl_network *)1;
    sl_assert_status(sl_inp_read(c.ctx, "", 0, NULL, NULL, &net), SL_ERR_INPUT);
    assert_null(net);
    sl_network_destroy(NULL);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends_and_mark),
        cmocka_unit_test(test_no_final_line_end),
        cmocka_unit_test(test_end_hides_what_follows),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_long_ids),
        cmocka_unit_test(test_very_long_lines),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_headings),
        cmocka_unit_test(test_order_of_sections),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_every_offset),
        cmocka_unit_test(test_no_map),
        cmocka_unit_test(test_optional_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
