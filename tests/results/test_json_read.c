/* SPDX-License-Identifier: MIT */
/* Results as JSON: any layout is read back bit for bit; files that are cut, damaged or made to harm are refused with their line and
 * column, and cost no more memory than their size gives reason for. */
#include "random_results.h"

#include <sluice/diag.h>

#include "base/out.h"

typedef struct json_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_bytes text;
    sl_results *r;
} json_case;

static void begin(json_case *c) {
    *c = (json_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    sl_bytes_init(&c->text, c->ctx);
}

static void finish(json_case *c) {
    sl_results_close(c->r);
    sl_bytes_fini(&c->text);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static void put(json_case *c, const char *text) {
    sl_sink sink = sl_bytes_sink(&c->text);
    sl_assert_ok(sink.write(sink.user, text, strlen(text)));
}

static sl_status open_part(json_case *c, size_t n) {
    sl_str bytes = {c->text.at, n};
    sl_source_bytes source = random_results_source(&bytes);
    sl_results_close(c->r);
    c->r = NULL;
    sl_diags_clear(c->diags);
    return sl_results_open(c->ctx, &source, "x.json", c->diags, &c->r);
}

static sl_status open_text(json_case *c, const char *text) {
    c->text.n = 0;
    put(c, text);
    return open_part(c, (size_t)c->text.n);
}

static void write_random(json_case *c, random_results *x, uint64_t seed, bool large) {
    random_results_make(x, c->ctx, seed, large);
    sl_results_table *tables = (sl_results_table *)x->end.tables;
    for (int32_t i = 0; i < x->end.n_table; i++) { /* rows without a column are none */
        tables[i].n = tables[i].n_column > 0 ? tables[i].n : 0;
    }
    sl_sink sink = sl_bytes_sink(&c->text);
    sl_results_target target = sl_results_target_default();
    target.format = "json";
    target.sink = &sink;
    sl_assert_ok(random_results_write(x, c->ctx, &target, c->diags));
}

static void any_result_is_read_back(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 303; seed++) {
        json_case c;
        random_results x;
        begin(&c);
        write_random(&c, &x, seed, seed >= 300);
        sl_status status = open_part(&c, (size_t)c.text.n);
        if (status != SL_OK) {
            print_error("seed %d: %s\n", (int)seed, sl_diags_size(c.diags) ? sl_diags_at(c.diags, 0)->text : "");
        }
        sl_assert_ok(status);
        assert_int_equal(sl_diags_size(c.diags), 0);
        random_results_compare(&x, c.r);
        random_results_free(&x);
        finish(&c);
    }
}

/* ---- What random results do not have ------------------------------------------------------------ */

/* Groups with the names of members of frames; numbers and texts that look the same; codes without words. */
static const char *const one_id[] = {""};
static const char *const infinite[] = {"inf"};
static const double ends[] = {-(double)INFINITY};
static const sl_results_column facts[] = {{.name = "", .unit = "", .meaning = "", .text = infinite},
                                          {.name = "x", .unit = "m", .meaning = "", .real = ends}};
static const sl_results_column quantities[] = {{.name = "time", .unit = "s", .meaning = ""},
                                               {.name = "c", .unit = "", .meaning = "", .words = one_id, .n_word = 0}};
static const sl_results_group groups[] = {{"time", "", NULL, "x", 1, one_id, 2, 2, facts, quantities},
                                          {"group time", "", "time", NULL, 1, one_id, 0, 1, NULL, quantities},
                                          {"events", "", NULL, NULL, 1, one_id, 0, 1, NULL, quantities},
                                          {"execution", "", NULL, NULL, 1, one_id, 0, 1, NULL, quantities}};
static const sl_results_attribute attributes[] = {
    {"text", "inf", 0.0}, {"number", NULL, (double)INFINITY}, {"", "", 0.0}, {"none", NULL, (double)NAN}};

/* Events before, between and behind two frames, more than are kept at a time. */
static void write_odd(json_case *c, int n_event) {
    const sl_results_layout layout = {.size = sizeof layout,
                                      .time_unit = "steps",
                                      .n_attribute = 4,
                                      .n_group = 4,
                                      .attributes = attributes,
                                      .groups = groups};
    sl_sink sink = sl_bytes_sink(&c->text);
    sl_results_target target = sl_results_target_default();
    sl_results_writer *w = NULL;
    target.format = "json";
    target.sink = &sink;
    sl_assert_ok(sl_results_writer_create(c->ctx, &target, &layout, NULL, &w));
    for (int time = 0; time < 3; time++) {
        sl_event_info e = {.size = sizeof e, .time = time, .kind = "k", .element_class = "", .element = "\xC3\xA9"};
        e.quantity = e.cause = "";
        for (int i = 0; i < n_event; i++) {
            e.from = i;
            sl_assert_ok(sl_results_writer_event(w, &e, NULL));
        }
        const double a = time, b = 10.0 + time, d = 20.0 + time, f = 30.0 + time, g = 40.0 + time;
        const double *const values[] = {&a, &b, &d, &f, &g};
        const sl_results_frame frame = {time, values, 0};
        if (time < 2) {
            sl_assert_ok(sl_results_writer_frame(w, &frame, NULL));
        }
    }
    const sl_results_end end = {.size = sizeof end, .n_attribute = 4, .attributes = attributes};
    sl_assert_ok(sl_results_writer_end(w, &end, NULL));
    sl_results_writer_destroy(w);
}

static void check_odd(json_case *c, int n_event) {
    const sl_results_layout *layout = sl_results_get_layout(c->r);
    int64_t n_frame;
    assert_int_equal(sl_results_times(c->r, &n_frame)[1], 1);
    assert_int_equal(n_frame, 2);
    assert_int_equal(layout->n_group, 4);
    for (int32_t q = 0; q < 5; q++) {
        double x;
        sl_assert_ok(sl_results_read(c->r, 1, q, &x));
        sl_assert_bits(x, 10.0 * q + 1.0);
        assert_int_equal(sl_results_group_of(c->r, q), q > 0 ? q - 1 : 0);
    }
    sl_assert_z(layout->groups[0].facts[0].text[0], "inf");
    sl_assert_bits(layout->groups[0].facts[1].real[0], -(double)INFINITY);
    assert_non_null(layout->groups[0].quantities[1].words);
    sl_assert_z(layout->attributes[0].text, "inf");
    assert_null(layout->attributes[1].text);
    sl_assert_bits(layout->attributes[1].number, (double)INFINITY);
    assert_true(isnan(sl_results_get_end(c->r)->attributes[3].number));
    assert_int_equal(sl_results_n_event(c->r), 3 * n_event);
    for (int i = 0; i < 3 * n_event; i++) {
        sl_event_info e = {.size = sizeof e};
        sl_assert_ok(sl_results_event(c->r, i, &e));
        assert_int_equal(e.time, i / n_event);
        assert_int_equal(e.from, i % n_event);
        sl_assert_z(e.element, "\xC3\xA9");
    }
}

static void odd_results_are_read_back(void **state) {
    (void)state;
    static const int n_events[] = {1, 12000};
    for (int i = 0; i < 2; i++) {
        json_case c;
        begin(&c);
        write_odd(&c, n_events[i]);
        sl_assert_ok(open_part(&c, (size_t)c.text.n));
        check_odd(&c, n_events[i]);
        finish(&c);
    }
}

/* ---- Damage ------------------------------------------------------------------------------------- */

static void expect_refused(json_case *c, sl_status status) {
    sl_assert_status(status, SL_ERR_INPUT);
    assert_null(c->r);
    assert_int_equal(sl_diags_count(c->diags, SL_ERROR), 1);
    assert_non_null(sl_diags_at(c->diags, 0)->hint);
}

static void files_that_are_cut_are_refused(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    write_odd(&c, 1);
    for (size_t n = 0; n + 1 < (size_t)c.text.n; n++) { /* without the line end it is whole */
        char *part = malloc(n + 1);                     /* exactly: reading beyond is found */
        memcpy(part, c.text.at, n);
        sl_str bytes = {part, n};
        sl_source_bytes source = random_results_source(&bytes);
        sl_diags_clear(c.diags);
        expect_refused(&c, sl_results_open(c.ctx, &source, "x.json", c.diags, &c.r));
        free(part);
    }
    finish(&c);
}

/* Reads all that there is. */
static void read_all(sl_results *r) {
    const sl_results_layout *layout = sl_results_get_layout(r);
    int64_t n_frame;
    size_t length = 0;
    (void)sl_results_times(r, &n_frame);
    for (int32_t q = 0; q < sl_results_n_quantity(r); q++) {
        int32_t n = layout->groups[sl_results_group_of(r, q)].n;
        double *x = malloc(((size_t)n + 1) * sizeof *x);
        for (int64_t f = 0; f < n_frame; f++) {
            sl_assert_ok(sl_results_read(r, f, q, x));
        }
        free(x);
    }
    for (int64_t i = 0; i < sl_results_n_event(r); i++) {
        sl_event_info e = {.size = sizeof e};
        sl_assert_ok(sl_results_event(r, i, &e));
        length += strlen(e.kind) + strlen(e.element_class) + strlen(e.element) + strlen(e.quantity) + strlen(e.cause);
    }
    for (int32_t g = 0; g < layout->n_group; g++) {
        for (int32_t i = 0; i < layout->groups[g].n; i++) {
            length += strlen(layout->groups[g].ids[i]);
        }
    }
    assert_true(length < 1000000);
}

static void damaged_files_do_no_harm(void **state) {
    (void)state;
    json_case c;
    int n_fine = 0;
    begin(&c);
    write_odd(&c, 2);
    for (int64_t i = 0; i < c.text.n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            c.text.at[i] ^= (char)(1 << bit);
            sl_status status = open_part(&c, (size_t)c.text.n);
            if (status == SL_OK) {
                read_all(c.r);
                n_fine++;
            } else {
                expect_refused(&c, status);
            }
            c.text.at[i] ^= (char)(1 << bit);
        }
    }
    assert_true(n_fine > 100); /* letters of ids, digits */
    finish(&c);
}

/* ---- What is wrong is named --------------------------------------------------------------------- */

typedef struct refusal {
    const char *text; /* behind the format */
    const char *why;  /* a part of the message */
    uint32_t line, column;
} refusal;

#define HEAD "{\"format\": \"sluice results 2\",\n"
#define GROUP "\"groups\": {\"n\": {\"ids\": [\"a\", \"b\"], \"quantities\": {\"h\": {}}}},\n"

static const refusal refusals[] = {
    {"", "ends where more must follow", 2, 1},
    {"\"title\": \"\xC3\xA9\" x", "'x' stands where ',' or '}' must follow", 2, 14},
    {"\"title\": 1", "'1' stands where a text must follow", 2, 10},
    {"\"title\": \"a\nb\"", "control characters", 2, 12},
    {"\"title\": \"\\q\"", "an escape in a text is none of JSON", 2, 11},
    {"\"title\": \"\\ud800\"", "an escape in a text is none of JSON", 2, 11},
    {"\"title\": \"\\udc00\\ud800\"", "an escape in a text is none of JSON", 2, 11},
    {"\"title\": \"\\u0000\"", "NUL", 2, 11},
    {"\"title\": \"a\xFF\"", "not UTF-8", 2, 12},
    {"\"title\": \"a\xED\xA0\x80\"", "not UTF-8", 2, 12},
    {"\"title\": \"a\", \"title\": \"b\"}", "'title' is given twice", 2, 15},
    {"\"x\": [1,]}", "']' stands where a value must follow", 2, 9},
    {"\"x\": {\"a\":1,}}", "'}' stands where a text must follow", 2, 13},
    {"\"x\": [01]}", "a number is none of JSON", 2, 7},
    {"\"x\": [1.]}", "a number is none of JSON", 2, 7},
    {"\"x\": [1e]}", "a number is none of JSON", 2, 7},
    {"\"x\": [-]}", "a number is none of JSON", 2, 7},
    {"\"x\": [+1]}", "'+' stands where a value must follow", 2, 7},
    {"\"x\": [.5]}", "'.' stands where a value must follow", 2, 7},
    {"\"x\": [1 2]}", "'2' stands where ',' or ']' must follow", 2, 9},
    {"\"x\": nul}", "'n' stands where a number, null", 2, 6},
    {"\"x\": trux}", "'t' stands where true or false", 2, 6},
    {"\"x\": 1e999}", "beyond 1.8e308", 2, 6},
    {"\"x\" 1}", "'1' stands where ':' must follow", 2, 5},
    {"\"frames\": []}", "frames stand before groups", 2, 1},
    {"\"groups\": {\"n\": {}, \"n\": {}}}", "the group 'n' is given twice", 2, 21},
    {"\"groups\": {\"n\": {\"quantities\": {\"h\": {}, \"h\": {}}}}}", "quantity 'h' is given twice", 2, 50},
    {"\"groups\": {\"n\": {\"ids\": [\"a\"], \"facts\": {\"x\": {\"values\": [1, 2]}}}}}", "has 2 values instead of 1",
     2, 66},
    {"\"groups\": {\"n\": {\"ids\": [\"a\"], \"facts\": {\"x\": {}}}}}", "has 0 values instead of 1", 2, 50},
    {"\"groups\": {\"n\": {\"ids\": [null]}}}", "'n' stands where a text must follow", 2, 26},
    {GROUP "\"frames\": [{\"time\": 0, \"m\": {}}]}", "'m', which is no group", 3, 24},
    {GROUP "\"frames\": [{\"time\": 0, \"n\": {\"x\": []}}]}", "'x' is none of the group", 3, 30},
    {GROUP "\"frames\": [{\"time\": 0, \"n\": {\"h\": [1]}}]}", "frame 1 has less than 2 values of 'h'", 3, 37},
    {GROUP "\"frames\": [{\"time\": 0, \"n\": {\"h\": [1, 2, 3]}}]}", "frame 1 has more than 2 values of 'h'", 3, 40},
    {GROUP "\"frames\": [{\"time\": 0, \"n\": {\"h\": [1, 2], \"h\": [1, 2]}}]}", "'h' is given twice", 3, 43},
    {GROUP "\"frames\": [{\"time\": 0}]}", "frame 1 has 0 of 1 quantities", 3, 22},
    {GROUP "\"frames\": [{}]}", "frame 1 has no time", 3, 13},
    {GROUP "\"frames\": [{\"time\": null, \"n\": {\"h\": [1, 2]}}]}", "frame 1 has no time", 3, 45},
    {GROUP "\"frames\": [{\"time\": 0, \"time\": 0}]}", "'time' is given twice", 3, 24},
    {GROUP "\"frames\": [{\"time\": 0, \"execution\": 1, \"n\": {\"h\": [1, 2]}}]}", "no time or execution", 3, 58},
    {GROUP "\"frames\": [{\"time\": 0, \"execution\": 0.5}]}", "not a whole number from 1", 3, 37},
    {GROUP "\"frames\": [{\"time\": 1, \"n\": {\"h\": [1, 2]}},\n{\"time\": 0, \"n\": {\"h\": [1, 2]}}]}",
     "frame 2 is before the one before it", 4, 31},
    {GROUP "\"frames\": [{\"events\": [{}]}]}", "an event has no time", 3, 25},
    {GROUP "\"frames\": [{\"events\": [{\"time\": 1, \"execution\": 1}]}]}", "an event has an execution", 3, 50},
    {GROUP "\"frames\": [], \"several\": true}", "'several' comes after frames", 3, 15},
    {GROUP "\"frames\": []}", "no member 'complete'", 3, 13},
    {GROUP "\"complete\": true}", "no member 'frames'", 3, 17},
    {GROUP "\"frames\": [], \"complete\": true} x", "'x' stands where the end of the file must follow", 3, 33},
    {GROUP "\"frames\": [], \"complete\": 1}", "'1' stands where true or false", 3, 27},
    {GROUP "\"frames\": [], \"complete\": true, \"tables\": {\"t\": {\"columns\": {\"a\": {\"values\": [1]},"
           " \"b\": {\"values\": []}}}}}",
     "'b' of 't' has 0 values instead of 1", 3, 104},
};

static void what_is_wrong_is_named(void **state) {
    (void)state;
    json_case c;
    int n_bad = 0;
    begin(&c);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *f = &refusals[i];
        char text[1000];
        snprintf(text, sizeof text, "%s%s", HEAD, f->text);
        expect_refused(&c, open_text(&c, text));
        const sl_diag *d = sl_diags_at(c.diags, 0);
        assert_has(d->text, f->why);
        sl_assert_z(d->file, "x.json");
        if (d->line != f->line || d->column != f->column) {
            print_error("%s\n%s: %u:%u instead of %u:%u\n", text, d->text, (unsigned)d->line, (unsigned)d->column,
                        (unsigned)f->line, (unsigned)f->column);
            n_bad++;
        }
    }
    assert_int_equal(n_bad, 0);
    finish(&c);
}

static void versions_are_told_apart(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    expect_refused(&c, open_text(&c, "{\n \"format\": \"sluice results 1\",\n \"program_version\": \"0.1.0\"}\n"));
    assert_has(sl_diags_at(c.diags, 0)->text, "older version");
    assert_has(sl_diags_at(c.diags, 0)->hint, "`sluice convert`");
    expect_refused(&c, open_text(&c, "{\"format\":\"sluice results 3\"}"));
    assert_has(sl_diags_at(c.diags, 0)->text, "'sluice results 3'");
    expect_refused(&c, open_text(&c, "{\"model\": 1, \"format\": \"sluice results 2\"}"));
    assert_has(sl_diags_at(c.diags, 0)->text, "is not a result");
    sl_assert_ok(
        open_text(&c, " {\t\"format\"\r\n:\"sluice results 2\",\"new\":[{\"a\":[true,false,null,-1.5E+3]},\"\\u0041\"],"
                      "\"groups\":{},\"frames\":[],\"complete\":false}"));
    assert_false(sl_results_get_end(c.r)->complete);
    finish(&c);
}

static void escapes_are_characters(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    sl_assert_ok(open_text(&c, HEAD "\"title\": \"\\b\\t\\n\\f\\r\\\"\\\\\\/\\u00e9\\u6C34\\ud83d\\uDCA7.\","
                                    "\"groups\":{},\"frames\":[],\"complete\":true}"));
    sl_assert_z(sl_results_get_layout(c.r)->title, "\b\t\n\f\r\"\\/\xC3\xA9\xE6\xB0\xB4\xF0\x9F\x92\xA7.");
    finish(&c);
}

/* ---- Windows, depths, sizes --------------------------------------------------------------------- */

/* A text of three bytes a character that is longer than the window, moved by a byte at a time. */
static void texts_go_across_windows(void **state) {
    (void)state;
    for (int shift = 0; shift < 4; shift++) {
        json_case c;
        begin(&c);
        put(&c, HEAD "\"title\": \"");
        put(&c, &"abc"[shift]);
        for (int i = 0; i < 50000; i++) {
            put(&c, i % 10 == 9 ? "\\u6c34" : "\xE6\xB0\xB4");
        }
        put(&c, "\",\"groups\":{},\"frames\":[],\"complete\":true}");
        sl_assert_ok(open_part(&c, (size_t)c.text.n));
        const char *title = sl_results_get_layout(c.r)->title;
        assert_int_equal(strlen(title), 150000 + 3 - shift);
        for (int i = 0; i < 50000; i++) {
            assert_memory_equal(title + 3 - shift + 3 * i, "\xE6\xB0\xB4", 3);
        }
        finish(&c);
    }
}

static void depths_and_lengths_have_bounds(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    put(&c, HEAD "\"x\": ");
    for (int i = 0; i < 1000000; i++) {
        put(&c, i % 2 ? "{\"a\":" : "[");
    }
    expect_refused(&c, open_part(&c, (size_t)c.text.n));
    assert_has(sl_diags_at(c.diags, 0)->text, "inside each other");

    c.text.n = 0;
    put(&c, HEAD "\"x\": 1");
    for (int i = 0; i < 200000; i++) {
        put(&c, "0");
    }
    expect_refused(&c, open_part(&c, (size_t)c.text.n));
    assert_has(sl_diags_at(c.diags, 0)->text, "1024 characters or more");
    finish(&c);
}

/* Many small things: memory is proportional to the text. */
static void memory_follows_the_size(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    put(&c, HEAD "\"groups\": {");
    for (int i = 0; i < 20000; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s\"%d\":{\"quantities\":{\"%d\":{}}}", i ? "," : "", i, i);
        put(&c, text);
    }
    put(&c, "}, \"frames\": [], \"complete\": true}");
    int64_t before = c.memory.n_byte;
    sl_assert_ok(open_part(&c, (size_t)c.text.n));
    assert_int_equal(sl_results_n_quantity(c.r), 20000);
    assert_true(c.memory.n_byte - before < 64 * c.text.n);
    finish(&c);
}

static void read_short(sl_context *ctx, sl_test_memory *m, void *user) {
    const json_case *c = user;
    sl_str bytes = {c->text.at, (size_t)c->text.n};
    sl_source_bytes source = random_results_source(&bytes);
    sl_results *r = NULL;
    sl_status status = sl_results_open(ctx, &source, "x.json", NULL, &r);
    sl_assert_status(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
    sl_results_close(r);
}

static void survives_refused_memory(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    write_odd(&c, 3);
    sl_test_sweep(read_short, &c);
    finish(&c);
}

static sl_status refuse_later(void *user, uint64_t offset, void *bytes, size_t n) {
    const sl_str *all = user;
    if (offset > 0) {
        return SL_ERR_IO;
    }
    memcpy(bytes, all->ptr, n);
    return SL_OK;
}

static void gives_the_failure_of_the_source(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    write_odd(&c, 3000);
    sl_str bytes = {c.text.at, (size_t)c.text.n};
    sl_source_bytes source = {.user = &bytes, .size = bytes.len, .read = refuse_later};
    sl_assert_status(sl_results_open(c.ctx, &source, "x.json", c.diags, &c.r), SL_ERR_IO);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_result_is_read_back),        cmocka_unit_test(odd_results_are_read_back),
        cmocka_unit_test(files_that_are_cut_are_refused), cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(what_is_wrong_is_named),         cmocka_unit_test(versions_are_told_apart),
        cmocka_unit_test(escapes_are_characters),         cmocka_unit_test(texts_go_across_windows),
        cmocka_unit_test(depths_and_lengths_have_bounds), cmocka_unit_test(memory_follows_the_size),
        cmocka_unit_test(survives_refused_memory),        cmocka_unit_test(gives_the_failure_of_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
