/* SPDX-License-Identifier: MIT */
/* YAML: nodes with their places, values with their types, what is wrong with file, line, column and remedy. */
#include "sl_test.h"

#include "text/yaml.h"

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
    sl_yaml *doc;
} fixture;

static sl_status open_text(fixture *f, const char *text) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    return sl_yaml_read(f->ctx, text, strlen(text), "a.yaml", f->diags, &f->doc);
}

static void end(fixture *f) {
    sl_yaml_destroy(f->doc);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

/* The only diagnostic: its place, code and text; hint NULL: not looked at. */
static void check_only(const fixture *f, uint32_t line, uint32_t column, sl_code code, const char *text,
                       const char *hint) {
    if (sl_diags_size(f->diags) != 1) fail_msg("%d diagnostics, expected: %s", sl_diags_size(f->diags), text);
    const sl_diag *d = sl_diags_at(f->diags, 0);
    sl_assert_z(d->text, text);
    if (hint) sl_assert_z(d->hint, hint);
    assert_int_equal(d->code, code);
    sl_assert_z(d->file, "a.yaml");
    assert_int_equal(d->line, line);
    assert_int_equal(d->column, column);
}

static void test_nodes(void **state) {
    (void)state;
    fixture f;
    sl_assert_ok(
        open_text(&f, "# a comment\nname: Über  # more\nlist: [1, {a: 2}, 'three']\nblock: |\n  two\n  lines\n"));
    const sl_yaml_node *n = sl_yaml_root(f.doc);
    assert_int_equal(n->kind, SL_YAML_MAP);
    assert_int_equal(n->n, 3);
    n = n->first;
    sl_assert_str(n->key, "name");
    sl_assert_str(n->text, "Über");
    assert_false(n->quoted);
    n = n->next;
    assert_int_equal(n->kind, SL_YAML_LIST);
    assert_int_equal(n->n, 3);
    sl_assert_str(n->first->text, "1");
    sl_assert_str(n->first->next->first->key, "a");
    assert_ptr_equal(n->first->next->first->parent->parent, n);
    assert_true(n->first->next->next->quoted);
    n = n->next;
    sl_assert_str(n->text, "two\nlines\n");
    assert_null(n->next);
    end(&f);
}

static void test_empty(void **state) {
    (void)state;
    static const char *const texts[] = {"", "# only a comment\n", "~\n", "---\n", "null"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture f;
        sl_yaml_map m;
        sl_assert_ok(open_text(&f, texts[i]));
        assert_null(sl_yaml_root(f.doc));
        assert_false(sl_yaml_open_map(f.doc, sl_yaml_root(f.doc), &m));
        check_only(&f, 0, 0, SL_CODE_MISSING_VALUE, "the file is empty", NULL);
        sl_assert_status(sl_yaml_status(f.doc), SL_ERR_INPUT);
        end(&f);
    }
}

static void test_values(void **state) {
    (void)state;
    fixture f;
    sl_yaml_map m, inner;
    sl_assert_ok(open_text(&f, "text: pump.'P1'.speed\nplain: 1e3\nhead: 50 ft\nflow: 36m3/h\npart: 25 %\ncount: -7\n"
                               "on: true\noff: false\nword: SUB\nt1: 1:30\nt2: 90\nt3: 15 min\nt4: 0.5 h\nt5: 20 ms\n"
                               "t6: 1:00:30\nnothing:\nempty: ~\nlist: [2 bar, 1e5]\nmap: {x: 1}\nt7: 2 days\n"));
    assert_true(sl_yaml_open_map(f.doc, sl_yaml_root(f.doc), &m));
    const char *text = NULL;
    double x = 0;
    int64_t k = 0;
    bool b = false;
    int word = -1;
    static const char *const words[] = {"min", "sub", NULL};
    const sl_yaml_node *list = NULL;
    assert_true(sl_yaml_text(&m, "text", SL_YAML_NEEDED, &text));
    sl_assert_z(text, "pump.'P1'.speed");
    assert_true(sl_yaml_number(&m, "plain", 0, NULL, &x));
    sl_assert_double(x, 1000);
    assert_true(sl_yaml_number(&m, "head", 0, "m", &x));
    sl_assert_rel(x, 15.24, 1e-15);
    assert_true(sl_yaml_number(&m, "flow", 0, "m3/s", &x));
    sl_assert_rel(x, 0.01, 1e-15);
    assert_true(sl_yaml_number(&m, "part", 0, "", &x));
    sl_assert_double(x, 0.25);
    assert_true(sl_yaml_int(&m, "count", 0, -10, 10, &k));
    assert_int_equal(k, -7);
    assert_true(sl_yaml_bool(&m, "on", 0, &b) && b);
    assert_true(sl_yaml_bool(&m, "off", 0, &b) && !b);
    assert_true(sl_yaml_word(&m, "word", 0, words, &word));
    assert_int_equal(word, 1);
    static const double times[] = {5400, 90, 900, 1800, 0.02, 3630, 172800};
    static const char *const keys[] = {"t1", "t2", "t3", "t4", "t5", "t6", "t7"};
    for (int i = 0; i < 7; i++) {
        assert_true(sl_yaml_time(&m, keys[i], SL_YAML_POSITIVE, &x));
        sl_assert_double(x, times[i]);
    }
    x = 3;
    assert_false(sl_yaml_number(&m, "nothing", 0, NULL, &x));
    assert_false(sl_yaml_number(&m, "empty", 0, NULL, &x));
    assert_false(sl_yaml_number(&m, "absent", 0, NULL, &x));
    sl_assert_double(x, 3);
    assert_true(sl_yaml_list(&m, "list", 0, &list));
    assert_true(sl_yaml_as_number(f.doc, list->first, 0, "Pa", &x));
    sl_assert_double(x, 200000);
    assert_true(sl_yaml_as_number(f.doc, list->first->next, 0, "Pa", &x));
    sl_assert_double(x, 100000);
    assert_true(sl_yaml_submap(&m, "map", 0, &inner));
    assert_true(sl_yaml_int(&inner, "x", 0, 0, 9, &k));
    sl_yaml_done(&inner);
    sl_yaml_done(&m);
    assert_int_equal(sl_diags_size(f.diags), 0);
    sl_assert_ok(sl_yaml_status(f.doc));
    end(&f);
}

/* One wrong value each: the taker says so and leaves the default. */
static void test_wrong_values(void **state) {
    (void)state;
    static const char *const words[] = {"auto", "keep", "discard", NULL};
    static const struct {
        const char *text, *taker;
        uint32_t line, column;
        sl_code code;
        const char *says, *hint;
    } t[] = {
        {"a: 1\nx: twelve\n", "number", 2, 4, SL_CODE_NOT_A_NUMBER, "x: 'twelve' is not a number", NULL},
        {"x: 0x10\n", "number", 1, 4, SL_CODE_UNIT, "x: 'x10' is not a unit that is known",
         "write a number with a unit such as m"},
        {"x: nan\n", "number", 1, 4, SL_CODE_NOT_A_NUMBER, "x: 'nan' is not a number", NULL},
        {"x: 1e999\n", "number", 1, 4, SL_CODE_NUMBER_RANGE, "x: '1e999' is not within the range of numbers", NULL},
        {"x: 3 psi\n", "number", 1, 4, SL_CODE_UNIT, "x: 'psi' is a unit of something else",
         "write a number with a unit such as m"},
        {"x: [1]\n", "number", 1, 1, SL_CODE_WRONG_TYPE, "x: a list is not a number", NULL},
        {"x: -1\n", "positive", 1, 4, SL_CODE_VALUE_RANGE, "x: '-1' is not above 0", NULL},
        {"x: {a: 1}\n", "text", 1, 1, SL_CODE_WRONG_TYPE, "x: a map is not a text", NULL},
        {"x: ''\n", "text", 1, 4, SL_CODE_WRONG_TYPE, "x: '' is not a text", NULL},
        {"x: 1.5\n", "int", 1, 4, SL_CODE_NOT_A_NUMBER, "x: '1.5' is not a whole number", NULL},
        {"x: 11\n", "int", 1, 4, SL_CODE_VALUE_RANGE, "x: '11' is not within 0 and 10", NULL},
        {"x: yes\n", "bool", 1, 4, SL_CODE_WRONG_TYPE, "x: 'yes' is not true or false", "write true or false"},
        {"x: kepe\n", "word", 1, 4, SL_CODE_UNKNOWN_KEYWORD, "x: 'kepe' is not one of the words that can stand here",
         "did you mean 'keep'?"},
        {"x: whatever\n", "word", 1, 4, SL_CODE_UNKNOWN_KEYWORD,
         "x: 'whatever' is not one of the words that can stand here", "write auto, keep or discard"},
        {"x: soon\n", "time", 1, 4, SL_CODE_NOT_A_TIME, "x: 'soon' is not a time", NULL},
        {"x: 3 m\n", "time", 1, 4, SL_CODE_NOT_A_TIME, "x: '3 m' is not a time", NULL},
        {"x: 3\n", "list", 1, 4, SL_CODE_WRONG_TYPE, "x: '3' is not a list", NULL},
        {"x: 3\n", "map", 1, 4, SL_CODE_WRONG_TYPE, "x: '3' is not a map", NULL},
        {"ä: 'ö'\nx:  \"ü\" \n", "int", 2, 5, SL_CODE_NOT_A_NUMBER, "x: 'ü' is not a whole number", NULL},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        fixture f;
        sl_yaml_map m, inner;
        const char *s = t[i].taker;
        double x = 7;
        const char *text = NULL;
        int64_t k = 7;
        bool b = true, good;
        int word = 7;
        const sl_yaml_node *list = NULL;
        sl_assert_ok(open_text(&f, t[i].text));
        assert_true(sl_yaml_open_map(f.doc, sl_yaml_root(f.doc), &m));
        good = strcmp(s, "number") == 0     ? sl_yaml_number(&m, "x", 0, "m", &x)
               : strcmp(s, "positive") == 0 ? sl_yaml_number(&m, "x", SL_YAML_POSITIVE, NULL, &x)
               : strcmp(s, "text") == 0     ? sl_yaml_text(&m, "x", 0, &text)
               : strcmp(s, "int") == 0      ? sl_yaml_int(&m, "x", 0, 0, 10, &k)
               : strcmp(s, "bool") == 0     ? sl_yaml_bool(&m, "x", 0, &b)
               : strcmp(s, "word") == 0     ? sl_yaml_word(&m, "x", 0, words, &word)
               : strcmp(s, "time") == 0     ? sl_yaml_time(&m, "x", 0, &x)
               : strcmp(s, "list") == 0     ? sl_yaml_list(&m, "x", 0, &list)
                                            : sl_yaml_submap(&m, "x", 0, &inner);
        assert_false(good);
        assert_true(x == 7 && !text && k == 7 && b && word == 7 && !list);
        check_only(&f, t[i].line, t[i].column, t[i].code, t[i].says, t[i].hint);
        sl_assert_status(sl_yaml_status(f.doc), SL_ERR_INPUT);
        end(&f);
    }
}

static void test_keys(void **state) {
    (void)state;
    fixture f;
    sl_yaml_map m, inner;
    const char *text = NULL;
    double x = 0;
    sl_assert_ok(open_text(&f, "modle: a\ncosim:\n  stepp: 3\n  zzzzzz: 1\n"));
    assert_true(sl_yaml_open_map(f.doc, sl_yaml_root(f.doc), &m));
    assert_false(sl_yaml_text(&m, "model", SL_YAML_NEEDED, &text));
    assert_true(sl_yaml_submap(&m, "cosim", SL_YAML_NEEDED, &inner));
    assert_false(sl_yaml_time(&inner, "step", 0, &x));
    assert_false(sl_yaml_time(&inner, "skip", SL_YAML_NEEDED, &x));
    sl_yaml_done(&inner);
    sl_yaml_done(&m);
    static const struct {
        uint32_t line, column;
        const char *text, *hint;
    } t[] = {{1, 1, "model is missing", "add `model: ...`"},
             {2, 1, "skip is missing", "add `skip: ...`"},
             {3, 3, "'stepp' is not a key that is known here", "did you mean 'step'?"},
             {4, 3, "'zzzzzz' is not a key that is known here", "there are step or skip"},
             {1, 1, "'modle' is not a key that is known here", "did you mean 'model'?"}};
    assert_int_equal(sl_diags_size(f.diags), 5);
    for (int i = 0; i < 5; i++) {
        const sl_diag *d = sl_diags_at(f.diags, i);
        sl_assert_z(d->text, t[i].text);
        sl_assert_z(d->hint, t[i].hint);
        assert_int_equal(d->line, t[i].line);
        assert_int_equal(d->column, t[i].column);
    }
    end(&f);
}

/* Texts that are refused as a whole, at this place. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        sl_code code;
        const char *says;
    } t[] = {
        {"a: 1\nb: 2\na: 3\n", 3, 1, SL_CODE_DUPLICATE_KEY, "the key 'a' is given twice"},
        {"a: {x: 1, x: 1}\n", 1, 11, SL_CODE_DUPLICATE_KEY, "the key 'x' is given twice"},
        {"a: &n 1\nb: *n\n", 1, 7, SL_CODE_SYNTAX, "anchors (&name) are not read here"},
        {"a: !!int 1\n", 1, 10, SL_CODE_SYNTAX, "tags (!name) are not read here"},
        {"a: 1\n---\nb: 2\n", 2, 1, SL_CODE_SYNTAX, "a second document begins here (---)"},
        {"? [a, b]\n: c\n", 1, 3, SL_CODE_SYNTAX, "a key must be a plain text"},
        {"a: caf\xE9\n", 1, 7, SL_CODE_NOT_TEXT, "byte e9 is not UTF-8"},
        {"a: 1\x01\n", 1, 5, SL_CODE_NOT_TEXT, "character U+0001 does not belong into text"},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        fixture f;
        sl_assert_status(open_text(&f, t[i].text), SL_ERR_INPUT);
        assert_null(f.doc);
        check_only(&f, t[i].line, t[i].column, t[i].code, t[i].says, NULL);
        end(&f);
    }
}

/* What is not YAML: one error with a place and "not YAML". */
static void test_syntax(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
    } t[] = {{"a: [1, 2\nb: 3\n", 2}, {"a: 'open\n", 1},  {"a:\n\t- b\n", 2},  {"a: }\n", 1},
             {"a: b: c\n", 1},        {"- a\nb: c\n", 2}, {"a: \"\\q\"\n", 1}, {"%YAML 9.9\n--- a\n", 1}};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        fixture f;
        sl_status status = open_text(&f, t[i].text);
        if (status != SL_ERR_INPUT || sl_diags_size(f.diags) != 1) {
            fail_msg("'%s': %s, %d diagnostics", t[i].text, sl_status_text(status), sl_diags_size(f.diags));
        }
        const sl_diag *d = sl_diags_at(f.diags, 0);
        if (strncmp(d->text, "not YAML: ", 10) != 0 || d->line < 1 || !d->hint) {
            fail_msg("'%s': %u:%u %s", t[i].text, d->line, d->column, d->text);
        }
        if (d->line > 3) fail_msg("'%s': line %u", t[i].text, d->line);
        end(&f);
    }
}

static void test_limits(void **state) {
    (void)state;
    fixture f;
    enum { DEEP = 2000 };
    char *text = malloc(4 * DEEP + 1);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    text[2 * DEEP] = '\0';
    sl_assert_status(open_text(&f, text), SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(f.diags), 1);
    end(&f);
    memset(text, '[', SL_YAML_DEPTH);
    memset(text + SL_YAML_DEPTH, ']', SL_YAML_DEPTH);
    text[2 * SL_YAML_DEPTH] = '\0';
    sl_assert_ok(open_text(&f, text));
    end(&f);
    for (int i = 0; i < DEEP; i++) memcpy(text + 2 * i, "- ", 2);
    text[2 * DEEP] = '\0';
    sl_assert_status(open_text(&f, text), SL_ERR_INPUT);
    end(&f);
    free(text);
    size_t n = SL_YAML_MOST + 1;
    char *large = malloc(n + 1);
    memset(large, 'a', n);
    large[n] = '\0';
    sl_assert_status(open_text(&f, large), SL_ERR_INPUT);
    assert_int_equal(sl_diags_at(f.diags, 0)->code, SL_CODE_NOT_TEXT);
    end(&f);
    free(large);
}

/* A map of many keys takes time in proportion, and JSON is YAML. */
static void test_many(void **state) {
    (void)state;
    fixture f;
    enum { N = 20000 };
    char *text = malloc(32 * N), *p = text;
    p += sprintf(p, "{");
    for (int i = 0; i < N; i++) p += sprintf(p, "%s\"k%d\": %d", i > 0 ? ",\n" : "", i, i);
    sprintf(p, "}\n");
    sl_assert_ok(open_text(&f, text));
    assert_int_equal(sl_yaml_root(f.doc)->n, N);
    end(&f);
    free(text);
}

static void read_once(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    static const char text[] = "model: a.inp\ncosim: {in: a, list: [1, 2, x], bad: {y: 1}}\n";
    sl_diags *diags = NULL;
    sl_yaml *doc = NULL;
    sl_status status = sl_diags_create(ctx, &diags);
    status = status == SL_OK ? sl_yaml_read(ctx, text, sizeof text - 1, "a.yaml", diags, &doc) : status;
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    assert_true((status == SL_OK) == (doc != NULL));
    sl_yaml_destroy(doc);
    sl_diags_destroy(diags);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(read_once, NULL) > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),        cmocka_unit_test(test_empty),  cmocka_unit_test(test_values),
        cmocka_unit_test(test_wrong_values), cmocka_unit_test(test_keys),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_syntax),       cmocka_unit_test(test_limits), cmocka_unit_test(test_many),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
