/* SPDX-License-Identifier: MIT */
/* test_rpt.c: the text report: what is in it, in which order, on which pages. */
#include "fake_engine.h"

#include "results/rpt.h"
#include <sluice/results.h>

#define NETWORK                                                                                             \
    "[TITLE]\nA valve and a pump\n[JUNCTIONS]\nZ 10 5\nA 20 5\n[TANKS]\nT 50 2 0 6 10\n[RESERVOIRS]\nR 5\n" \
    "[VALVES]\nV1 Z A 200 TCV 3 0\n[PIPES]\nP1 A T 500 300 120\n[PUMPS]\nPU R Z POWER 10\n"                 \
    "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[TIMES]\nDuration 2:00\n"

typedef struct script {
    fake f;
    sl_bytes bytes;
    sl_sink sink;
    sl_rpt *rpt;
} script;

static void script_begin(script *s, const char *inp) {
    fake_begin(&s->f, inp);
    sl_bytes_init(&s->bytes, s->f.ctx);
    s->sink = sl_bytes_sink(&s->bytes);
    sl_rpt_def def = {.net = s->f.net, .name = "two.inp", .run_diags = s->f.diags, .sink = &s->sink};
    sl_assert_ok(sl_rpt_create(s->f.ctx, &def, &s->rpt));
    fake_open(&s->f, sl_rpt_sink(s->rpt));
}

/* The report; the test frees it. */
static char *script_end(script *s, bool complete) {
    fake_close(&s->f, complete);
    sl_rpt_destroy(s->rpt);
    char *text = fake_text(&s->bytes);
    sl_bytes_fini(&s->bytes);
    fake_end(&s->f);
    return text;
}

static void values(fake *f, int i) {
    fake_set(f, "node.demand", "Z", 0.005);
    fake_set(f, "node.demand", "R", -0.010);
    fake_set(f, "node.head", "Z", 60);
    fake_set(f, "node.pressure", "Z", 50 - i);
    fake_set(f, "node.pressure", "A", 20.125);
    fake_set(f, "link.flow", "P1", -0.001 * (i + 1));
    fake_set(f, "link.headloss", "P1", -2);
    fake_set(f, "link.headloss", "PU", -55);
    fake_set(f, "link.headloss", "V1", 3);
    fake_set(f, "link.status", "P1", SL_STATUS_OPEN);
    fake_set(f, "link.status", "V1", SL_STATUS_ACTIVE);
    fake_set(f, "link.status", "PU", i == 1 ? SL_STATUS_XHEAD : SL_STATUS_OPEN);
    fake_set(f, "link.setting", "V1", 3);
    fake_set(f, "link.setting", "P1", (double)NAN); /* the engine has none: the network's */
    fake_set(f, "link.setting", "PU", 1);
}

static char *run(const char *inp, int n) {
    script s;
    script_begin(&s, inp);
    for (int i = 0; i < n; i++) {
        values(&s.f, i);
        fake_frame(&s.f, 3600 * i);
    }
    return script_end(&s, true);
}

/* Elements stand in the order of the file: junctions first, then reservoirs and tanks as read; links as read. */
static void test_tables(void **unused) {
    (void)unused;
    char *text = run(NETWORK "[REPORT]\nNodes All\nLinks All\nState Yes\nSetting Yes\n[END]\n", 1);
    assert_has(text, "\n  Nodes at 0:00\n"
                     "  ---------------------------------------------\n"
                     "                     Demand      Head  Pressure\n"
                     "  Node                  L/s         m         m\n"
                     "  ---------------------------------------------\n"
                     "  Z                    5.00     60.00     50.00\n"
                     "  A                    0.00      0.00     20.12\n"
                     "  T                    0.00      0.00      0.00  Tank\n"
                     "  R                  -10.00      0.00      0.00  Reservoir\n");
    assert_has(text, "  Link                  L/s       m/s      m/km                    \n"
                     "  -----------------------------------------------------------------\n"
                     "  V1                   0.00      0.00      3.00    active      3.00  TCV\n"
                     "  P1                  -1.00      0.00      4.00      open    120.00\n"
                     "  PU                   0.00      0.00    -55.00      open      1.00  Pump\n");
    free(text);
}

static int times_in(const char *text, const char *part) {
    int n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}

static void test_what_is_asked(void **unused) {
    (void)unused;
    char *text = run(NETWORK "[END]\n", 3); /* no nodes, no links by default */
    assert_lacks(text, "Nodes at");
    assert_lacks(text, "Links at");
    assert_has(text, "Reported: no nodes");
    assert_has(text, "Junctions .......");
    free(text);
    text = run(
        NETWORK "[REPORT]\nSummary No\nNodes A\nPressure Precision 4\nDemand No\nHead No\nElevation Yes\n[END]\n", 2);
    assert_lacks(text, "Junctions ....");
    assert_int_equal(times_in(text, "Nodes at"), 2);
    assert_has(text, "                  Elevation   Pressure\n");
    assert_has(text, "  A                   20.00    20.1250\n");
    assert_lacks(text, "\n  Z ");
    free(text);
}

/* A limit holds whether its field is shown or not; a flow is compared with its sign. */
static void test_limits(void **unused) {
    (void)unused;
    char *text = run(NETWORK "[REPORT]\nNodes All\nLinks All\nPressure Below 49.5\nPressure Above 1\n"
                             "Headloss No\nHeadloss Above 3.5\nFlow Below 0\n[END]\n",
                     2);
    assert_has(text, "with Pressure below 49.50 m");
    assert_has(text, "with Pressure above 1.00 m");
    assert_has(text, "with Head loss above 3.50 m/km");
    assert_int_equal(times_in(text, "\n  A  "), 2);
    assert_int_equal(times_in(text, "\n  Z  "), 1); /* 50, then 49 */
    assert_int_equal(times_in(text, "\n  T  "), 0);
    assert_int_equal(times_in(text, "\n  P1  "), 2);
    assert_int_equal(times_in(text, "\n  V1  "), 0);
    assert_int_equal(times_in(text, "\n  PU  "), 0);
    assert_lacks(text, "Head loss\n"); /* no such column */
    free(text);
}

static void test_statistics(void **unused) {
    (void)unused;
    static const struct {
        const char *word, *title, *pressure, *flow;
    } cases[] = {{"Average", "average", "     49.00\n", "      2.00 "},
                 {"Minimum", "minimum", "     48.00\n", "      1.00 "},
                 {"Maximum", "maximum", "     50.00\n", "      3.00 "},
                 {"Range", "range", "      2.00\n", "      2.00 "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char inp[2048], part[128];
        snprintf(inp, sizeof inp, "%sStatistic %s\n[REPORT]\nNodes All\nLinks All\n[END]\n", NETWORK, cases[i].word);
        char *text = run(inp, 3);
        snprintf(part, sizeof part, "Nodes: %s over the report times", cases[i].title);
        assert_has(text, part);
        assert_int_equal(times_in(text, "\n  Z  "), 1);
        assert_has(text, cases[i].pressure);
        assert_has(text, cases[i].flow); /* of P1: 1, 2, 3 in amount */
        free(text);
    }
}

static void test_messages(void **unused) {
    (void)unused;
    for (int status = 0; status < 2; status++) {
        script s;
        script_begin(&s, status ? NETWORK "[REPORT]\nNodes All\nStatus Yes\n[END]\n"
                                : NETWORK "[REPORT]\nNodes All\n[END]\n");
        fake_say(&s.f, 0, SL_INFO, SL_CODE_TANK_STATE, "tank", "T", "fills at 2 m");
        fake_frame(&s.f, 0);
        fake_say(&s.f, 1800, SL_INFO, SL_CODE_LINK_STATUS, "pump", "PU", "closes");
        fake_say(&s.f, 5400, SL_WARNING, SL_CODE_NEGATIVE_PRESSURE, "junction", "A", "pressure -3 m");
        fake_frame(&s.f, 3600);
        fake_frame(&s.f, 7200);
        fake_say(&s.f, 7200, SL_ERROR, SL_CODE_NOT_BALANCED, NULL, NULL, "no balance");
        char *text = script_end(&s, false);
        const char *warning = strstr(text, "    1:30      WARNING: junction A: pressure -3 m\n");
        assert_non_null(warning);
        assert_true(warning > strstr(text, "Nodes at 1:00") && warning < strstr(text, "Nodes at 2:00"));
        assert_has(text, "    2:00      ERROR: no balance\n");
        assert_has(text, "The run did NOT come to its end: it stopped at 2:00.");
        const char *closes = strstr(text, "    0:30      pump PU: closes\n");
        assert_int_equal(closes != NULL, status);
        if (closes) {
            assert_true(closes > strstr(text, "Nodes at 0:00") && closes < strstr(text, "Nodes at 1:00"));
            assert_true(strstr(text, "tank T: fills") < strstr(text, "Nodes at 0:00"));
        }
        free(text);
    }
    script s;
    script_begin(&s, NETWORK "[REPORT]\nMessages No\n[END]\n");
    fake_say(&s.f, 0, SL_WARNING, SL_CODE_NEGATIVE_PRESSURE, "junction", "A", "pressure -3 m");
    fake_frame(&s.f, 0);
    char *text = script_end(&s, true);
    assert_has(text, "did NOT come to its end: it stopped at 0:00."); /* of 2:00 */
    assert_lacks(text, "WARNING");
    free(text);
}

static void test_sums(void **unused) {
    (void)unused;
    script s;
    script_begin(&s, NETWORK "[REPORT]\nEnergy Yes\n[END]\n");
    fake_frame(&s.f, 0);
    fake_set(&s.f, "pump.energy.online", "PU", 3600);
    fake_set(&s.f, "pump.energy.efficiency", "PU", 0.75 * 3600);
    fake_set(&s.f, "pump.energy.intensity", "PU", 720.0 * 3600); /* 720 kW/(m3/s) for an hour: 0.2 kWh/m3 */
    fake_set(&s.f, "pump.energy.kwh", "PU", 15);
    fake_set(&s.f, "pump.energy.peak", "PU", 16);
    fake_set(&s.f, "pump.energy.cost", "PU", 3);
    fake_set(&s.f, "energy.demand_cost", NULL, 4);
    fake_set(&s.f, "balance.inflow", NULL, 72);
    fake_set(&s.f, "balance.ratio", NULL, 1);
    fake_frame(&s.f, 7200);
    char *text = script_end(&s, true);
    assert_has(text, "  PU                        50.00      75.00       0.20      15.00      16.00      36.00\n");
    assert_has(text, "Demand charge       4.00\n");
    assert_has(text, "Total cost       7.00\n");
    assert_has(text, "  Inflow from sources               72.000          10.000\n"); /* 72 m3 in 2 h: 10 L/s, nearly */
    assert_has(text, "The run came to its end at 2:00.");
    free(text);
}

/* No page is longer than asked for, and a table that goes on says so. */
static void test_pages(void **unused) {
    (void)unused;
    char *text = run(NETWORK "[REPORT]\nPage 20\nNodes All\nLinks All\n[END]\n", 3);
    int lines = 0, pages = 1, longest = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '\f') {
            pages++;
            lines = 0;
        } else if (*c == '\n') {
            lines++;
            longest = lines > longest ? lines : longest;
        }
    }
    assert_true(pages > 3);
    assert_true(longest <= 20);
    assert_has(text, "\f\n  Page 2    A valve and a pump\n\n");
    free(text);
    text = run(NETWORK "[REPORT]\nNodes All\n[END]\n", 3);
    assert_null(strchr(text, '\f'));
    free(text);
}

/* The sink refuses: the report stops with that status. */
static sl_status full(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return SL_ERR_IO;
}

static void test_full_disk(void **unused) {
    (void)unused;
    fake f;
    fake_begin(&f, NETWORK "[REPORT]\nNodes All\n[END]\n");
    sl_sink sink = {.write = full};
    sl_rpt *rpt = NULL;
    sl_assert_ok(sl_rpt_create(f.ctx, &(sl_rpt_def){.net = f.net, .name = "x", .sink = &sink}, &rpt));
    fake_open(&f, sl_rpt_sink(rpt));
    fake_frame(&f, 0);
    sl_assert_status(f.sink.end(f.sink.user, true, f.diags), SL_ERR_IO);
    sl_rpt_destroy(rpt);
    fake_end(&f);
}

/* Each allocation refused in turn: a status, and nothing left behind. */
static void refused(sl_context *ctx, sl_test_memory *m, void *user) {
    const fake *f = user;
    sl_bytes bytes;
    sl_bytes_init(&bytes, f->ctx); /* the reader's memory is not the report's */
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_rpt *rpt = NULL;
    sl_status status = sl_rpt_create(ctx, &(sl_rpt_def){.net = f->net, .name = "x", .sink = &sink}, &rpt);
    if (status == SL_OK) {
        sl_result_layout layout = fake_layout(f);
        sl_result_sink results = sl_rpt_sink(rpt);
        status = results.begin(results.user, &layout, f->diags);
    }
    assert_int_equal(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
    sl_rpt_destroy(rpt);
    sl_bytes_fini(&bytes);
}

static void test_memory(void **unused) {
    (void)unused;
    fake f;
    fake_begin(&f, NETWORK "Statistic Average\n[REPORT]\nNodes All\nLinks P1\n[END]\n");
    assert_true(sl_test_sweep(refused, &f) > 20); /* two, and five for each table; twice */
    fake_end(&f);
}

/* Every number that printf would write, it writes as printf: in particular rounding, signs and zero. */
void sl_rpt_number(sl_out *out, double x, int32_t decimals, int32_t width);

static void test_numbers(void **unused) {
    (void)unused;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    uint64_t state = 5;
    for (int i = 0; i < 20000; i++) {
        double x = (sl_test_unit(&state) - 0.5) * pow(10, (double)sl_test_below(&state, 9));
        int decimals = (int)sl_test_below(&state, 7);
        char expected[64];
        snprintf(expected, sizeof expected, "%12.*f", decimals, x);
        sl_bytes bytes;
        sl_bytes_init(&bytes, ctx);
        sl_sink sink = sl_bytes_sink(&bytes);
        sl_out out;
        sl_out_init(&out, &sink);
        sl_rpt_number(&out, x, decimals, 12);
        sl_assert_ok(sl_out_flush(&out));
        char *text = fake_text(&bytes);
        if (strtod(expected, NULL) == 0) {
            assert_null(strchr(text, '-')); /* no minus before zero */
        } else {
            sl_assert_z(text + (text[1] == ' ' || strlen(text) == 12 ? 0 : 1), expected);
        }
        free(text);
        sl_bytes_fini(&bytes);
    }
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),     cmocka_unit_test(test_what_is_asked), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_statistics), cmocka_unit_test(test_messages),      cmocka_unit_test(test_sums),
        cmocka_unit_test(test_pages),      cmocka_unit_test(test_full_disk),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
