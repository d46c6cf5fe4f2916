/* SPDX-License-Identifier: MIT */
/* What the reader says about whole files: data that is no model, many mistakes at once and their order, one report for
 * one cause, suggestions, strict and tolerant reading, the limit of kept records. */
#include "net_test.h"

static sl_status read_bytes(net_case *c, const void *bytes, size_t n, bool tolerant, sl_network **out) {
    sl_inp_read_def def = sl_inp_read_default();
    def.name = "test.inp";
    def.tolerant = tolerant;
    sl_diags_clear(c->diags);
    return sl_inp_read(c->ctx, bytes, n, &def, c->diags, out);
}

/* Not a model at all: one error, and no network however tolerant the reader is. */
static void test_not_a_model(void **state) {
    (void)state;
#define FILE_OF(text) text, sizeof text - 1
    static const struct {
        const char *bytes;
        size_t n;
        sl_code code;
        uint32_t line, column;
        const char *word;
    } row[] = {
        {FILE_OF(""), SL_CODE_NO_SECTIONS, 1, 0, "empty"},
        {FILE_OF("\xEF\xBB\xBF"), SL_CODE_NO_SECTIONS, 1, 0, "empty"},
        {FILE_OF("just words\nand more\n"), SL_CODE_NO_SECTIONS, 1, 0, "[JUNCTIONS]"},
        {FILE_OF("{\"nodes\": [1, 2]}\n"), SL_CODE_NO_SECTIONS, 1, 0, "JSON"},
        {FILE_OF("\n  {\n\"nodes\": 1}\n"), SL_CODE_NO_SECTIONS, 1, 0, "JSON"},
        {FILE_OF("<?xml version=\"1.0\"?>\n<net/>\n"), SL_CODE_NO_SECTIONS, 1, 0, "XML"},
        {FILE_OF("\xFF\xFE[\0J\0U\0N\0]\0\n\0"), SL_CODE_NOT_TEXT, 1, 0, "UTF-16"},
        {FILE_OF("\xFE\xFF\0[\0J\0]\0\n"), SL_CODE_NOT_TEXT, 1, 0, "UTF-16"},
        {FILE_OF("[\0J\0U\0N\0C\0]\0\n\0"), SL_CODE_NOT_TEXT, 1, 0, "zero bytes"},
        {FILE_OF("[JUNCTIONS]\nA 1\n\0\n"), SL_CODE_NOT_TEXT, 1, 0, "zero bytes"},
        {FILE_OF("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), SL_CODE_NOT_TEXT, 1, 0, NULL},
        {FILE_OF("[TITLE]\nx\n\n[JUNCTIONS]\nA 1\n [CONDUITS]\nC ten\n[PIPES]\nbad\n"), SL_CODE_NOT_EPANET, 6, 2,
         "SWMM"},
        {FILE_OF("[SUBCATCHMENTS]\n"), SL_CODE_NOT_EPANET, 1, 1, "SWMM"},
    };
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (int tolerant = 0; tolerant < 2; tolerant++) {
            sl_network *net = (sl_network *)1;
            sl_assert_status(read_bytes(&c, row[i].bytes, row[i].n, tolerant, &net), SL_ERR_INPUT);
            assert_null(net);
            int64_t n_error = sl_diags_count(c.diags, SL_ERROR);
            if (n_error != 1) {
                print_error("row %zu\n", i);
                net_show(&c);
            }
            assert_int_equal(n_error, 1);
            const sl_diag *d = net_only(&c, row[i].code);
            assert_int_equal(d->line, row[i].line);
            assert_int_equal(d->column, row[i].column);
            assert_string_equal(d->file, "test.inp");
            if (row[i].word) {
                assert_has(d->text, row[i].word);
            }
        }
    }
    net_end(&c);
}

static const char many[] = "[JUNCTIONS]\n"                     /* 1 */
                           "A ten x NOPE\n"                    /* 2: elevation, demand, pattern */
                           "B 1\n"                             /* 3 */
                           "B 2\n"                             /* 4: twice */
                           "[RESERVOIRS]\n"                    /* 5 */
                           "R 5\n"                             /* 6 */
                           "[PIPES]\n"                         /* 7 */
                           "P1 R A 1 1 1\n"                    /* 8 */
                           "P2 A BB 1 1 1\n"                   /* 9: unknown node */
                           "P3 A B 0 -1 0\n"                   /* 10: three values */
                           "[NOSUCH]\n"                        /* 11 */
                           "any thing\n"                       /* 12 */
                           "[OPTIONS]\n"                       /* 13 */
                           "Units furlongs\n"                  /* 14 */
                           "Trials zero\n"                     /* 15 */
                           "[CONTROLS]\n"                      /* 16 */
                           "LINK P9 OPEN IF NODE Q ABOVE x\n"; /* 17: link, node, number */

/* All of them in one pass, in the order of the file. */
static void test_all_at_once_in_order(void **state) {
    (void)state;
    static const struct {
        uint32_t line, column;
        sl_code code;
    } want[] = {{2, 3, SL_CODE_NOT_A_NUMBER},     {2, 7, SL_CODE_NOT_A_NUMBER},  {2, 9, SL_CODE_UNKNOWN_PATTERN},
                {4, 1, SL_CODE_DUPLICATE_ID},     {9, 6, SL_CODE_UNKNOWN_NODE},  {10, 8, SL_CODE_VALUE_RANGE},
                {10, 10, SL_CODE_VALUE_RANGE},    {10, 13, SL_CODE_VALUE_RANGE}, {11, 1, SL_CODE_UNKNOWN_SECTION},
                {14, 7, SL_CODE_UNKNOWN_KEYWORD}, {15, 8, SL_CODE_NOT_A_NUMBER}, {17, 6, SL_CODE_UNKNOWN_LINK},
                {17, 22, SL_CODE_UNKNOWN_NODE},   {17, 30, SL_CODE_NOT_A_NUMBER}};
    enum { N = sizeof want / sizeof *want };
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, many, false, &net), SL_ERR_INPUT);
    if (sl_diags_size(c.diags) != N) {
        net_show(&c);
    }
    assert_int_equal(sl_diags_size(c.diags), N);
    for (int32_t i = 0; i < N; i++) {
        const sl_diag *d = sl_diags_at(c.diags, i);
        if (d->line != want[i].line || d->column != want[i].column || d->code != want[i].code) {
            net_show(&c);
        }
        assert_int_equal(d->line, want[i].line);
        assert_int_equal(d->column, want[i].column);
        assert_int_equal(d->code, want[i].code);
        assert_non_null(d->source);
        assert_int_equal(d->source_column, d->column); /* these lines are short */
    }
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), N - 1);
    assert_int_equal(sl_diags_count(c.diags, SL_WARNING), 1);
    net_end(&c);
}

/* What is wrong is left out or at its default; the rest is there. */
static void test_tolerant(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_ok(net_try(&c, many, true, &net));
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 13);
    assert_int_equal(net->n_junction, 2);
    sl_assert_double(net->node_elevation[net_node(net, "A")], 0.0);
    sl_assert_rel(net->node_elevation[net_node(net, "B")], 0.3048, 1e-15); /* the first B */
    assert_int_equal(net->n_pipe, 2);
    assert_int_equal(sl_network_find_link(net, sl_str_z("P2")), -1);
    assert_int_equal(net->hydraulics.flow_unit, SL_GPM);
    assert_int_equal(net->hydraulics.trials, 200);
    assert_int_equal(net->n_control, 0);
    sl_network_destroy(net);
    net_end(&c);
}

/* An object whose line is wrong is still known: what refers to it, or depends on it, is no second mistake. */
static void test_one_cause_one_report(void **state) {
    (void)state;
    static const struct {
        const char *text;
        sl_code code;
        uint32_t line;
    } row[] = {
        /* a junction with a bad elevation has links; with a broken link it is not unconnected */
        {"[JUNCTIONS]\nA x 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n[DEMANDS]\nA 1\n[COORDINATES]\nA 1 1\n",
         SL_CODE_NOT_A_NUMBER, 2},
        {"[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\nQ A BX 1 1 1\nS A B 1 1 1\n",
         SL_CODE_UNKNOWN_NODE, 8},
        {"[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\nQ B X 1 1 1\n", SL_CODE_UNKNOWN_NODE, 8},
        /* the only reservoir has no head, the only tank no diameter: nodes all the same */
        {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR\n[PIPES]\nP R A 1 1 1\n", SL_CODE_MISSING_VALUE, 4},
        {"[JUNCTIONS]\nA 1\n[TANKS]\nT 1 2 3 4\n[PIPES]\nP T A 1 1 1\n[MIXING]\nT FIFO\n", SL_CODE_MISSING_VALUE, 4},
        /* a curve or pattern with a bad number is not also empty, nor its pump without data */
        {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PUMPS]\nP R A HEAD K\n[CURVES]\nK 1 x\n", SL_CODE_NOT_A_NUMBER, 8},
        {"[JUNCTIONS]\nA 1 1 D\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n[PATTERNS]\nD x\n", SL_CODE_NOT_A_NUMBER, 8},
        {"[JUNCTIONS]\nA 1 1 D\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\n[PATTERNS]\nD\n", SL_CODE_MISSING_VALUE, 8},
        {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PUMPS]\nP R A HEAD NONE\n", SL_CODE_UNKNOWN_CURVE, 6},
        /* a link that could not be kept takes its ends' part of the network with it */
        {"[JUNCTIONS]\nA 1\nB 1\nC 1\n[RESERVOIRS]\nR 5\n[PIPES]\nO R C 1 1 1\nP A B 1 1 1\nQ RX A 1 1 1\n",
         SL_CODE_UNKNOWN_NODE, 10},
        {"[JUNCTIONS]\nA 1\nB 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\nQ R B 1 1 1\n[VALVES]\nV A B 9 XYZ 1\n[STATUS]\nV Open\n",
         SL_CODE_UNKNOWN_KEYWORD, 10},
        /* no source at all: said of the whole, not of every part */
        {"[JUNCTIONS]\nA 1\nB 1\nC 1\nD 1\n[PIPES]\nP A B 1 1 1\nQ C D 1 1 1\n", SL_CODE_NO_SOURCE, 1},
        /* a self loop is one mistake */
        {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[PIPES]\nP R A 1 1 1\nQ A A 1 1 1\n", SL_CODE_SELF_LOOP, 7},
    };
    int wrong = 0;
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sl_network *net = NULL;
        sl_status status = net_try(&c, row[i].text, false, &net);
        sl_network_destroy(net);
        const sl_diag *d = sl_diags_size(c.diags) == 1 ? sl_diags_at(c.diags, 0) : NULL;
        if (status != SL_ERR_INPUT || !d || d->code != row[i].code || d->line != row[i].line) {
            print_error("\n%s\n  expected one [%s] on line %u, found:\n", row[i].text, sl_code_word(row[i].code),
                        row[i].line);
            net_show(&c);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    net_end(&c);
}

/* Near ids are suggested, ids nowhere near are not. */
static void test_suggestions(void **state) {
    (void)state;
    static const struct {
        const char *id, *hint;
    } row[] = {{"Junction-12", "'Junction-1'"},
               {"junction-1", "'Junction-1'"},
               {"Jucntion-1", "'Junction-1'"},
               {"Tower", NULL},
               {"North_end", "'North_End'"}};
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char more[300];
        snprintf(
            more, sizeof more,
            "[JUNCTIONS]\nJunction-1 1\nNorth_End 1\n[PIPES]\nX A Junction-1 1 1 1\nY A North_End 1 1 1\nZ A %s 1 1 1\n",
            row[i].id);
        char *text = net_framed(more);
        sl_network *net = NULL;
        sl_assert_status(net_try(&c, text, false, &net), SL_ERR_INPUT);
        const sl_diag *d = net_only(&c, SL_CODE_UNKNOWN_NODE);
        assert_has(d->text, row[i].id);
        if (row[i].hint) {
            assert_non_null(d->hint);
            assert_has(d->hint, "did you mean");
            assert_has(d->hint, row[i].hint);
        } else {
            assert_null(d->hint);
        }
        free(text);
    }
    net_end(&c);
}

/* The list keeps so many and counts the rest; the reader goes on all the same. */
static void test_limit(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_diags_set_limit(c.diags, 5);
    sl_assert_status(net_try(&c, many, false, &net), SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(c.diags), 5);
    assert_int_equal(sl_diags_dropped(c.diags), 9);
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 13);
    net_end(&c);
}

/* Ten thousand bad lines: quick, and no more suggestions than are useful. */
static void test_many_bad_lines(void **state) {
    (void)state;
    enum { N = 10000 };
    net_case c;
    net_begin(&c);
    char *more = malloc(40 * N);
    assert_non_null(more);
    size_t n = (size_t)sprintf(more, "[JUNCTIONS]\n");
    for (int i = 0; i < N; i++) {
        n += (size_t)sprintf(more + n, "J%d x\n", i);
    }
    n += (size_t)sprintf(more + n, "[DEMANDS]\n");
    for (int i = 0; i < 200; i++) {
        n += (size_t)sprintf(more + n, "K%d 1\n", i);
    }
    char *text = net_framed(more);
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, text, false, &net), SL_ERR_INPUT);
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), N + 200);
    int32_t hints = 0;
    for (int32_t i = 0; i < sl_diags_size(c.diags); i++) {
        hints += sl_diags_at(c.diags, i)->code == SL_CODE_UNKNOWN_NODE && sl_diags_at(c.diags, i)->hint;
    }
    assert_in_range(hints, 0, 50);
    free(text);
    free(more);
    net_end(&c);
}

/* A model that differs only by warnings is a model. */
static void test_warnings_alone(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net =
        net_read_framed(&c, "[NOSUCH]\n1 2\n[JUNCTIONS]\nC\n[PIPES]\nX A C\n[OPTIONS]\nHeadlosss D-W\nAccuracy 5\n");
    assert_true(sl_diags_count(c.diags, SL_WARNING) >= 5);
    assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 0);
    assert_int_equal(net->hydraulics.headloss, SL_DARCY_WEISBACH); /* by its first letters, as EPANET does */
    sl_network_destroy(net);
    net_end(&c);
}

/* What EPANET reads in spite of damage: one warning with its line, and the network. */
static void test_damaged(void **state) {
    (void)state;
#define BODY(bore) "[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 5\n[OPTIONS]\nUNITS LPS\n[PIPES]\nP R A 100 " bore " 100\n"
    static const struct {
        const char *bytes;
        size_t n;
        sl_code code;
        uint32_t line, column;
        const char *word;
    } row[] = {
        {FILE_OF(BODY("200") "[END]\n\0\0\0"), SL_CODE_NOT_TEXT, 10, 0, "3 bytes"},
        {FILE_OF(BODY("200") " [end]\0\0"), SL_CODE_NOT_TEXT, 9, 0, "2 bytes"},
        {FILE_OF(BODY("200") "[END]\r\n;x\r\n\0[\0"), SL_CODE_NOT_TEXT, 11, 0, "3 bytes"},
        {FILE_OF(BODY("200") "[TIMES]\nSTART CLOCKTIME 6:00 \xe0m\n[END]\n"), SL_CODE_NOT_A_TIME, 10, 22, "AM or PM"},
        {FILE_OF(BODY("1e-9") "[END]\n"), SL_CODE_ADJUSTED, 8, 11, "bore"},
    };
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sl_network *net = NULL;
        sl_assert_ok(read_bytes(&c, row[i].bytes, row[i].n, false, &net));
        assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 0);
        const sl_diag *d = net_only(&c, row[i].code);
        assert_int_equal(d->severity, SL_WARNING);
        assert_int_equal(d->line, row[i].line);
        assert_int_equal(d->column, row[i].column);
        assert_has(d->text, row[i].word);
        assert_int_equal(net->n_pipe, 1);
        sl_assert_double(net->times.start_clock, 0.0);
        sl_assert_rel(net->pipe_diameter[0], i == 4 ? 1e-6 : 0.2, 1e-12);
        sl_network_destroy(net);
    }
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_model),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_all_at_once_in_order),
        cmocka_unit_test(test_tolerant),
        cmocka_unit_test(test_one_cause_one_report),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_many_bad_lines),
        cmocka_unit_test(test_warnings_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
