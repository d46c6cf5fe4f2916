/* SPDX-License-Identifier: MIT */
/* Results as .csv: every form to the byte, as docs/reference/results.md has it. */
#include "sl_test.h"

#include <sluice/results.h>

#include "base/out.h"

static const char *const node_ids[] = {"J1", "a \"b\", c"}, *const link_ids[] = {"P.1"}, *const none[] = {""};
static const char *const node_kinds[] = {"junction", "tank"}, *const words[] = {"closed", "half, open"};
static const char *const x_ids[] = {"T", "it's"};
static const sl_results_column node_facts[] = {{.name = "kind", .unit = "", .meaning = "", .text = node_kinds}};
static const sl_results_column node_quantities[] = {{.name = "head", .unit = "m", .meaning = ""},
                                                    {.name = "quality", .unit = "%", .meaning = ""}};
static const sl_results_column link_quantities[] = {
    {.name = "flow", .unit = "L/s", .meaning = ""},
    {.name = "quality", .unit = "%", .meaning = ""},
    {.name = "status", .unit = "1", .meaning = "", .words = words, .n_word = 2}};
static const sl_results_column model_quantities[] = {{.name = "balance.ratio", .unit = "", .meaning = ""}};
static const sl_results_column x_quantities[] = {{.name = "value", .unit = "", .meaning = ""}};
static const sl_results_group groups[] = {
    {"node", "", NULL, NULL, 2, node_ids, 1, 2, node_facts, node_quantities},
    {"link", "", NULL, NULL, 1, link_ids, 0, 3, NULL, link_quantities},
    {"bare", "", NULL, NULL, 1, link_ids, 0, 0, NULL, NULL},
    {"model", "", NULL, NULL, 1, none, 0, 1, NULL, model_quantities},
    {"variable", "", NULL, NULL, 2, x_ids, 0, 1, NULL, x_quantities},
};
static const double head[] = {0.1, -0.0}, quality[] = {(double)NAN, 1e-300}, flow[] = {-12000000.0};
static const double link_quality[] = {(double)INFINITY}, status[] = {1.0}, ratio[] = {0.5}, x[] = {1.0 / 3.0, 7.0};
static const double *const values[] = {head, quality, flow, link_quality, status, ratio, x};
static const double power[] = {1.5, 0.0};
static const sl_results_column envelope[] = {
    {.name = "id", .unit = "", .meaning = "", .text = node_ids},
    {.name = "power", .unit = "kW", .meaning = "", .real = power},
    {.name = "at", .unit = "", .meaning = "", .real = power, .words = words, .n_word = 2}};
static const sl_results_table tables[] = {{"envelope", "", 2, 3, envelope}};

typedef struct form {
    sl_csv_form csv;
    bool several, network;
    const char *table;
} form;

static sl_status put_event(sl_results_writer *w, int32_t execution) {
    sl_event_info e = {.size = sizeof e,
                       .time = 2.5,
                       .kind = "status",
                       .element_class = "link",
                       .element = "P.1",
                       .quantity = "status",
                       .from = (double)NAN,
                       .to = 1.0,
                       .cause = "rule \"night\"",
                       .execution = execution};
    return sl_results_writer_event(w, &e, NULL);
}

static void check(form f, const char *expected) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_bytes text;
    sl_bytes_init(&text, ctx);
    const sl_sink sink = sl_bytes_sink(&text);
    const sl_results_attribute statistic = {"statistic", "series", 0.0};
    const sl_results_layout layout = {.size = sizeof layout,
                                      .model = "",
                                      .title = "",
                                      .engine = "",
                                      .time_unit = f.several ? "steps" : "s",
                                      .n_group = 5,
                                      .groups = groups,
                                      .several = f.several,
                                      .n_attribute = f.network,
                                      .attributes = &statistic};
    sl_results_target target = sl_results_target_default();
    target.format = "csv";
    target.sink = &sink;
    target.csv = f.csv;
    target.table = f.table;
    sl_results_writer *w = NULL;
    int32_t execution = f.several ? 3 : 0;
    const sl_results_frame first = {0.0, values, execution}, second = {2.5, values, execution};
    const sl_results_end end = {.size = sizeof end, .complete = true, .n_table = 1, .tables = tables};
    sl_assert_status(sl_results_writer_create(ctx, &target, &layout, NULL, &w), SL_OK);
    sl_assert_status(sl_results_writer_frame(w, &first, NULL), SL_OK);
    sl_assert_status(put_event(w, execution), SL_OK);
    sl_assert_status(sl_results_writer_frame(w, &second, NULL), SL_OK);
    sl_assert_status(sl_results_writer_end(w, &end, NULL),
                     f.table && strcmp(f.table, "envelope") != 0 ? SL_ERR_INPUT : SL_OK);
    sl_results_writer_destroy(w);
    sl_assert_bytes(text.at, (size_t)text.n, expected);
    sl_bytes_fini(&text);
    sl_test_context_end(ctx, &memory);
}

#define ROWS_AT(t)                                                                       \
    t ",node,junction,J1,0.1,,,,,\n" t ",node,tank,\"a \"\"b\"\", c\",-0,1e-300,,,,\n" t \
      ",link,,P.1,,,-12000000,\"half, open\",,\n" t ",model,,\"\",,,,,0.5,\n" t          \
      ",variable,,T,,,,,,0.3333333333333333\n" t ",variable,,it's,,,,,,7\n"

static void test_rows(void **state) {
    (void)state;
    const char *expected =
        "time_s,element,kind,id,head_m,quality_percent,flow_L_per_s,status,balance.ratio,value\n" ROWS_AT("0")
            ROWS_AT("2.5");
    check((form){.csv = SL_CSV_ROWS}, expected);
    check((form){.csv = SL_CSV_BY_MODEL, .network = true}, expected);
    check(
        (form){.csv = SL_CSV_ROWS, .several = true},
        "execution,time_steps,element,kind,id,head_m,quality_percent,flow_L_per_s,status,balance.ratio,value\n" ROWS_AT(
            "3,0") ROWS_AT("3,2.5"));
}

static void test_columns(void **state) {
    (void)state;
    const char *expected =
        "time_s,node.J1.head_m,node.J1.quality_percent,\"node.'a \"\"b\"\", c'.head_m\","
        "\"node.'a \"\"b\"\", c'.quality_percent\",link.'P.1'.flow_L_per_s,link.'P.1'.quality_percent,"
        "link.'P.1'.status,balance.ratio,T,'it\\'s'\n"
        "0,0.1,,-0,1e-300,-12000000,,1,0.5,0.3333333333333333,7\n"
        "2.5,0.1,,-0,1e-300,-12000000,,1,0.5,0.3333333333333333,7\n";
    check((form){.csv = SL_CSV_COLUMNS}, expected);
    check((form){.csv = SL_CSV_BY_MODEL}, expected);
}

#define VALUES_AT(t)                                                                                     \
    t ",node,junction,J1,head,0.1,m\n" t ",node,junction,J1,quality,,%\n" t                              \
      ",node,tank,\"a \"\"b\"\", c\",head,-0,m\n" t ",node,tank,\"a \"\"b\"\", c\",quality,1e-300,%\n" t \
      ",link,,P.1,flow,-12000000,L/s\n" t ",link,,P.1,quality,,%\n" t ",link,,P.1,status,1,1\n" t        \
      ",model,,\"\",balance.ratio,0.5,\n" t ",variable,,T,value,0.3333333333333333,\n" t ",variable,,it's,value,7,\n"

static void test_values(void **state) {
    (void)state;
    check((form){.csv = SL_CSV_VALUES}, "time_s,element,kind,id,quantity,value,unit\n" VALUES_AT("0") VALUES_AT("2.5"));
}

static void test_events(void **state) {
    (void)state;
    check((form){.csv = SL_CSV_EVENTS},
          "time_s,kind,class,element,quantity,from,to,cause\n2.5,status,link,P.1,status,,1,\"rule \"\"night\"\"\"\n");
    check(
        (form){.csv = SL_CSV_EVENTS, .several = true},
        "execution,time_steps,kind,class,element,quantity,from,to,cause\n3,2.5,status,link,P.1,status,,1,\"rule \"\"night\"\"\"\n");
}

static void test_table(void **state) {
    (void)state;
    check((form){.table = "envelope"}, "id,power_kW,at\nJ1,1.5,1.5\n\"a \"\"b\"\", c\",0,closed\n");
    check((form){.table = "grid"}, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),   cmocka_unit_test(test_columns), cmocka_unit_test(test_values),
        cmocka_unit_test(test_events), cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
