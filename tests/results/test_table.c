/* SPDX-License-Identifier: MIT */
/* Results as tables: what a run and what a .out file become in CSV and JSON, selections, failures. Whole texts are
 * compared, worked out by hand from the values given to the engine; HDF5 is in test_table_hdf5. */
#include "table_test.h"

#include "base/out.h"

typedef struct table_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake engine;
    sl_bytes bytes;
} table_case;

/* Ids with everything in them; the pump stands before the pipe. */
static const char two_links[] =
    "[TITLE]\nTwo \"links\"\n"
    "[JUNCTIONS]\n\"A,B\" 10 5\n[RESERVOIRS]\nC\"D 60\n"
    "[PUMPS]\nU1 C\"D \"A,B\" HEAD K\n[PIPES]\nP1 C\"D \"A,B\" 500 300 120\n[CURVES]\nK 10 40\n"
    "[OPTIONS]\nUNITS LPS\n[COORDINATES]\n\"A,B\" 500000.123456789 7\n"
    "[TIMES]\nREPORT TIMESTEP 1:00\nDURATION 2:00\n";

static void begin(table_case *c, const char *more) {
    *c = (table_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    char text[4000];
    snprintf(text, sizeof text, "%s%s", two_links, more);
    c->net = fake_network(c->ctx, text);
    fake_init(&c->engine, c->net);
    sl_bytes_init(&c->bytes, c->ctx);
}

static void finish(table_case *c) {
    sl_bytes_fini(&c->bytes);
    fake_fini(&c->engine);
    sl_network_destroy(c->net);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

/* A different number everywhere. */
static void set_numbers(fake *f, int32_t period, void *user) {
    (void)user;
    for (int32_t i = 0; i < f->net->n_node; i++) {
        f->value[FAKE_DEMAND][i] = (0.1 + i) / 1000.0;
        f->value[FAKE_HEAD][i] = 50.25 + i + period;
        f->value[FAKE_PRESSURE][i] = 40.1 + i;
        f->value[FAKE_QUALITY][i] = 0.5;
    }
    for (int32_t i = 0; i < f->net->n_link; i++) {
        f->value[FAKE_FLOW][i] = -(2.0 + i) / 1000.0;
        f->value[FAKE_VELOCITY][i] = 1.5;
        f->value[FAKE_HEADLOSS][i] = 1.0;
        f->value[FAKE_STATUS][i] = period == 2 && i == 0 ? SL_STATUS_CLOSED : SL_STATUS_OPEN;
        f->value[FAKE_FRICTION][i] = 0.02;
    }
}

static sl_status run_into(table_case *c, sl_context *ctx, const sl_table_format *format, const sl_table_select *select,
                          const sl_sink *sink) {
    sl_table_def def = {.format = format, .select = sl_table_select_default(), .name = "two.inp"};
    def.target.sink = sink;
    def.select = select ? *select : def.select;
    return table_run(ctx, &c->engine, &def, set_numbers, 3, c->diags);
}

static sl_status run(table_case *c, const sl_table_format *format, const sl_table_select *select) {
    c->bytes.n = 0;
    sl_sink sink = sl_bytes_sink(&c->bytes);
    return run_into(c, c->ctx, format, select, &sink);
}

static sl_status convert(table_case *c, const sl_table_format *format, const sl_table_select *select, bool rows,
                         const fake_run *how) {
    fake_bytes file = {0};
    sl_assert_ok(fake_write(c->ctx, &c->engine, how, c->diags, &file));
    sl_source_bytes source = fake_source(&file);
    sl_outfile *out = NULL;
    sl_assert_ok(sl_outfile_open(c->ctx, &source, "two.out", c->diags, &out));
    c->bytes.n = 0;
    sl_sink sink = sl_bytes_sink(&c->bytes);
    sl_table_def def = {.format = format, .select = sl_table_select_default(), .name = "two.inp"};
    def.target.sink = &sink;
    def.target.one_value_per_row = rows;
    def.select = select ? *select : def.select;
    sl_status status = sl_table_convert(c->ctx, out, &def, c->diags);
    sl_outfile_close(out);
    fake_bytes_fini(&file);
    return status;
}

static const fake_run whole = {.ops = &fake_small_ops, .set = set_numbers, .n_period = 3};

/* ---- CSV ---------------------------------------------------------------------------------------- */

static const char csv_head[] = "time_s,element,kind,id,demand_L_per_s,head_m,pressure_m,flow_L_per_s,velocity_m_per_s,"
                               "headloss_m_per_km,status,setting,friction\n";

static void test_csv(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    sl_assert_ok(run(&c, &sl_table_csv, NULL));
    char expected[4000];
    size_t n = (size_t)snprintf(expected, sizeof expected, "%s", csv_head);
    for (int p = 0; p < 3; p++) {
        n += (size_t)snprintf(expected + n, sizeof expected - n,
                              "%d,node,junction,\"A,B\",0.099999,%g,40.1,,,,,,\n"
                              "%d,node,reservoir,\"C\"\"D\",1.09999,%g,41.1,,,,,,\n"
                              "%d,link,pump,U1,,,,-2.999984,0,1,open,0,0.02\n"
                              "%d,link,pipe,P1,,,,-1.9999893,1.5,%s,%s,120,0.02\n",
                              3600 * p, 50.25 + p, 3600 * p, 51.25 + p, 3600 * p, 3600 * p, p == 2 ? "0" : "2",
                              p == 2 ? "closed" : "open");
    }
    /* Flows go by EPANET's own litres (docs/theory/units.md): compared as numbers elsewhere, here as they come. */
    char *text = table_text(&c.bytes);
    assert_true(strncmp(text, csv_head, strlen(csv_head)) == 0);
    const char *a = text, *b = expected;
    for (; *a && *b; a = strchr(a, '\n') + 1, b = strchr(b, '\n') + 1) {
        char x[300], y[300];
        snprintf(x, sizeof x, "%.*s", (int)(strchr(a, '\n') - a), a);
        snprintf(y, sizeof y, "%.*s", (int)(strchr(b, '\n') - b), b);
        table_assert_row(x, y);
    }
    assert_true(!*a && !*b);
    free(text);
    finish(&c);
}

static void test_csv_one_value_per_row(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    const char *node[] = {"C\"D"}, *what[] = {"head, pressure"};
    sl_table_select select = sl_table_select_default();
    select.node = node;
    select.what = what;
    select.n_node = select.n_what = 1;
    select.from = 3601.0; /* not a report time: the next one is the first */
    sl_assert_ok(convert(&c, &sl_table_csv, &select, true, &whole));
    sl_assert_bytes(c.bytes.at, c.bytes.n,
                    "time_s,element,kind,id,quantity,value,unit\n"
                    "7200,node,reservoir,\"C\"\"D\",head,53.25,m\n"
                    "7200,node,reservoir,\"C\"\"D\",pressure,41.1,m\n");
    finish(&c);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void test_json(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    const char *link[] = {"U1"}, *what[] = {"velocity,status"};
    sl_table_select select = sl_table_select_default();
    select.link = link;
    select.what = what;
    select.n_link = select.n_what = 1;
    select.to = 0.0;
    sl_assert_ok(run(&c, &sl_table_json, &select));
    char *text = table_text(&c.bytes);
    assert_non_null(strstr(text, "\"model\": \"two.inp\",\n \"title\": \"Two \\\"links\\\"\",\n"));
    assert_non_null(strstr(text, "\"nodes\": {\n  \"ids\": [],"));
    assert_non_null(strstr(text, "\"ids\": [\"U1\"],\n  \"kinds\": [\"pump\"],\n  \"from\": [\"C\\\"D\"],\n"
                                 "  \"to\": [\"A,B\"],\n  \"length\": [0],\n  \"diameter\": [0],\n"));
    assert_non_null(strstr(text, " \"periods\": [\n  {\n   \"time_s\": 0,\n   \"nodes\": {},\n   \"links\": {\n"
                                 "    \"velocity\": [0],\n    \"status\": [3]\n   }\n  }\n ],\n"));
    assert_non_null(strstr(text, "\"complete\": true,\n  \"periods\": 1,\n  \"warning\": \"none\",\n"));
    free(text);
    finish(&c);
}

/* ---- Run and file ------------------------------------------------------------------------------- */

/* The same bytes, where the network has no more to tell than the file. */
static void test_run_equals_convert(void **state) {
    (void)state;
    const sl_table_format *formats[] = {&sl_table_csv, &sl_table_json};
    const char *more[] = {"", "[TIMES]\nSTATISTIC AVERAGED\n", "[TIMES]\nREPORT START 1:00\n",
                          "[OPTIONS]\nUNITS MGD\n"};
    for (size_t k = 0; k < 2 * sizeof more / sizeof *more; k++) {
        table_case c;
        begin(&c, more[k / 2]);
        const double *x = c.net->node_x;
        ((sl_network *)c.net)->node_x = NULL; /* a .out file has no map */
        fake_run how = whole;
        how.n_period = k / 2 == 2 ? 2 : 3;
        sl_assert_ok(convert(&c, formats[k % 2], NULL, false, &how));
        char *from_file = table_text(&c.bytes);
        c.bytes.n = 0;
        sl_sink sink = sl_bytes_sink(&c.bytes);
        sl_table_def def = {.format = formats[k % 2], .select = sl_table_select_default(), .name = "two.inp"};
        def.target.sink = &sink;
        sl_assert_ok(table_run(c.ctx, &c.engine, &def, set_numbers, how.n_period, c.diags));
        sl_assert_bytes(c.bytes.at, c.bytes.n, from_file);
        ((sl_network *)c.net)->node_x = x;
        free(from_file);
        finish(&c);
    }
}

/* A quality that an engine does not compute is not shown as zeros. */
static void test_quality(void **state) {
    (void)state;
    table_case c;
    begin(&c, "[OPTIONS]\nQUALITY CHLORINE mg/L\n");
    fake_run how = whole;
    how.ops = NULL;
    sl_assert_ok(convert(&c, &sl_table_csv, NULL, false, &how));
    char *text = table_text(&c.bytes);
    assert_non_null(strstr(text, ",quality_mg_per_L,")); /* one column of nodes and links */
    assert_null(strstr(strstr(text, "quality") + 1, "quality"));
    assert_non_null(strstr(text, ",reaction_mg_per_L_per_d,"));
    free(text);
    sl_assert_ok(run(&c, &sl_table_csv, NULL)); /* the small engine has none */
    text = table_text(&c.bytes);
    assert_null(strstr(text, "quality"));
    free(text);
    finish(&c);
}

/* What is no number in somebody's file is an empty cell, and null. */
static void test_not_a_number(void **state) {
    (void)state;
    table_case c;
    begin(&c, "[TIMES]\nDURATION 0\n");
    fake_bytes file = {0};
    fake_run how = whole;
    how.n_period = 1;
    sl_assert_ok(fake_write(c.ctx, &c.engine, &how, c.diags, &file));
    const float nan_value = NAN;
    size_t periods = file.n - 28 - 4 * (4 * 2 + 8 * 2);
    memcpy(file.at + periods + 4 * 2, &nan_value, 4); /* the head of the first node */
    const char *node[] = {"A,B"}, *what[] = {"head"};
    sl_table_select select = sl_table_select_default();
    select.node = node;
    select.what = what;
    select.n_node = select.n_what = 1;
    sl_source_bytes source = fake_source(&file);
    sl_sink sink = sl_bytes_sink(&c.bytes);
    for (int k = 0; k < 2; k++) {
        sl_outfile *out = NULL;
        sl_assert_ok(sl_outfile_open(c.ctx, &source, "two.out", c.diags, &out));
        sl_table_def def = {.format = k ? &sl_table_json : &sl_table_csv, .select = select};
        def.target.sink = &sink;
        c.bytes.n = 0;
        sl_assert_ok(sl_table_convert(c.ctx, out, &def, c.diags));
        sl_outfile_close(out);
        char *text = table_text(&c.bytes);
        assert_non_null(strstr(text, k ? "\"head\": [null]" : "0,node,junction,\"A,B\",\n"));
        free(text);
    }
    fake_bytes_fini(&file);
    finish(&c);
}

/* A run that stopped says so, from both sides. */
static void test_stopped(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    fake_run how = whole;
    how.n_period = 2;
    how.stopped = true;
    sl_assert_ok(convert(&c, &sl_table_json, NULL, false, &how));
    char *text = table_text(&c.bytes);
    assert_non_null(strstr(text, "\"complete\": false,\n  \"periods\": 2,\n  \"warning\": \"not balanced\""));
    free(text);
    finish(&c);
}

/* ---- Selecting ---------------------------------------------------------------------------------- */

static int count_rows(const table_case *c, const char *with) {
    char *text = table_text(&c->bytes);
    int n = 0;
    for (const char *p = text; (p = strstr(p, with)); p++) {
        n++;
    }
    free(text);
    return n;
}

static void test_select(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    static const struct {
        const char *node, *link;
        int nodes, links;
    } rows[] = {
        {NULL, NULL, 6, 6},     {"A,B", NULL, 3, 0},   {"A,B,C\"D", NULL, -1, 0}, {NULL, "P1", 0, 3},
        {NULL, "P1, U1", 0, 6}, {"ALL", NULL, 6, 0},   {"all", "none", 6, 0},     {NULL, "ALL", 0, 6},
        {"C\"D", "U1", 3, 3},   {"C\"d", NULL, -1, 0}, {"none", "P1,", 0, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_table_select select = sl_table_select_default();
        select.node = &rows[i].node;
        select.link = &rows[i].link;
        select.n_node = rows[i].node != NULL;
        select.n_link = rows[i].link != NULL;
        sl_status status = run(&c, &sl_table_csv, &select);
        sl_assert_status(status, rows[i].nodes < 0 ? SL_ERR_INPUT : SL_OK);
        if (status == SL_OK) {
            assert_int_equal(count_rows(&c, ",node,"), rows[i].nodes);
            assert_int_equal(count_rows(&c, ",link,"), rows[i].links);
        }
    }
    const sl_diag *d = sl_diags_at(c.diags, sl_diags_size(c.diags) - 1);
    assert_int_equal(d->code, SL_CODE_UNKNOWN_NODE);
    sl_assert_z(d->object_id, "C\"d");
    sl_assert_z(d->hint, "did you mean 'C\"D'?");
    finish(&c);
}

static void test_select_times(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    static const struct {
        double from, to, every;
        int periods;
    } rows[] = {{-1, -1, -1, 3}, {3600, -1, -1, 2},  {1, 7199, -1, 1},     {-1, -1, 7200, 2}, {3600, -1, 7200, 1},
                {-1, 0, -1, 1},  {7201, -1, -1, -1}, {3601, 7199, -1, -1}, {-1, -1, 5400, 1}, {0, 7200, 3600, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_table_select select = sl_table_select_default();
        select.from = rows[i].from;
        select.to = rows[i].to;
        select.every = rows[i].every;
        for (int k = 0; k < 2; k++) {
            sl_status status = k ? run(&c, &sl_table_csv, &select) : convert(&c, &sl_table_csv, &select, false, &whole);
            sl_assert_status(status, rows[i].periods < 0 ? SL_ERR_INPUT : SL_OK);
            if (status == SL_OK) {
                assert_int_equal(count_rows(&c, ",pump,"), rows[i].periods);
            }
        }
    }
    finish(&c);
}

static void test_select_quantities(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    const char *what[] = {"FLOW", "head"};
    sl_table_select select = sl_table_select_default();
    select.what = what;
    select.n_what = 2;
    sl_assert_ok(run(&c, &sl_table_csv, &select));
    assert_true(strncmp(c.bytes.at, "time_s,element,kind,id,head_m,flow_L_per_s\n", 43) == 0);
    static const char *const wrong[] = {"presure", "quality", "status"}; /* unknown; not here; none of a node */
    const char *node[] = {"A,B"};
    select.n_what = select.n_node = 1;
    select.node = node;
    for (int i = 0; i < 3; i++) {
        select.what = &wrong[i];
        sl_assert_status(run(&c, &sl_table_csv, &select), SL_ERR_INPUT);
        const sl_diag *d = sl_diags_at(c.diags, sl_diags_size(c.diags) - 1);
        assert_int_equal(d->code, SL_CODE_VARIABLE);
        if (i == 0) {
            sl_assert_z(d->hint, "did you mean pressure?");
        }
    }
    const char *near;
    assert_true(sl_table_is_quantity(sl_str_z("Velocity"), &near));
    assert_false(sl_table_is_quantity(sl_str_z("xyzzy"), &near));
    assert_null(near);
    finish(&c);
}

/* ---- Failures ----------------------------------------------------------------------------------- */

typedef struct small_disk {
    size_t left;
    bool full;
} small_disk;

static sl_status write_little(void *user, const void *bytes, size_t n) {
    (void)bytes;
    small_disk *d = user;
    assert_false(d->full); /* nothing is written after a failure */
    d->full = n > d->left;
    d->left -= d->full ? 0 : n;
    return d->full ? SL_ERR_IO : SL_OK;
}

static void test_sink_refuses(void **state) {
    (void)state;
    const sl_table_format *formats[] = {&sl_table_csv, &sl_table_json};
    for (int k = 0; k < 2; k++) {
        table_case c;
        begin(&c, "");
        small_disk disk = {.left = 300};
        sl_sink sink = {&disk, write_little};
        sl_assert_status(run_into(&c, c.ctx, formats[k], NULL, &sink), SL_ERR_IO);
        assert_true(disk.full);
        finish(&c);
    }
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    table_case *c = user;
    const char *node[] = {"A,B"}, *link[] = {"ALL"};
    sl_table_select select = sl_table_select_default();
    select.node = node;
    select.link = link;
    select.n_node = select.n_link = 1;
    const sl_table_format *formats[] = {&sl_table_csv, &sl_table_json};
    for (int k = 0; k < 2; k++) {
        sl_bytes bytes;
        sl_bytes_init(&bytes, ctx);
        sl_sink sink = sl_bytes_sink(&bytes);
        sl_status status = run_into(c, ctx, formats[k], k ? NULL : &select, &sink);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
        sl_bytes_fini(&bytes);
    }
}

static void test_short_of_memory(void **state) {
    (void)state;
    table_case c;
    begin(&c, "");
    assert_true(sl_test_sweep(short_of_memory, &c) > 60);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),          cmocka_unit_test(test_csv_one_value_per_row),
        cmocka_unit_test(test_json),         cmocka_unit_test(test_run_equals_convert),
        cmocka_unit_test(test_quality),      cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_stopped),      cmocka_unit_test(test_select),
        cmocka_unit_test(test_select_times), cmocka_unit_test(test_select_quantities),
        cmocka_unit_test(test_sink_refuses), cmocka_unit_test(test_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
