/* SPDX-License-Identifier: MIT */
/* Results as JSON: every member as docs/reference/results.md has it, events in the frame that follows, memory bounded. */
#include "sl_test.h"

#include <sluice/results.h>

#include "base/out.h"

static const char *const node_ids[] = {"J1", "a \"b\",\n\xC3\xA9"}, *const pump_ids[] = {"U"};
static const double x_at[] = {0.0, -0.0}, elevations[] = {(double)NAN, (double)INFINITY};
static const char *const kinds[] = {"junction", "inf"}, *const words[] = {"closed", "open"};
static const sl_results_column node_facts[] = {{.name = "x", .unit = "m", .meaning = "east", .real = x_at},
                                               {.name = "elevation", .unit = "m", .meaning = "", .real = elevations},
                                               {.name = "kind", .unit = "", .meaning = "", .text = kinds}};
static const sl_results_column node_quantities[] = {{.name = "head", .unit = "m", .meaning = "head"}};
static const sl_results_column pump_quantities[] = {
    {.name = "status", .unit = "", .meaning = "", .words = words, .n_word = 2}};
static const sl_results_group groups[] = {
    {"node", "nodes", NULL, "x", 2, node_ids, 3, 1, node_facts, node_quantities},
    {"pump", "", "link", NULL, 1, pump_ids, 0, 1, NULL, pump_quantities},
    {"bare", "", NULL, NULL, 1, pump_ids, 0, 0, NULL, NULL},
};
static const sl_results_attribute attributes[] = {
    {"flow_unit", "L/s", 0.0}, {"step", NULL, 0.1}, {"none", NULL, (double)NAN}, {"end", NULL, -(double)INFINITY}};
static const double power[] = {1e300};
static const sl_results_column energy[] = {{.name = "id", .unit = "", .meaning = "", .text = pump_ids},
                                           {.name = "power", .unit = "kW", .meaning = "power", .real = power}};
static const sl_results_table tables[] = {{"pump_energy", "energies", 1, 2, energy}};

typedef struct json_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_bytes text;
    sl_sink sink;
    sl_results_layout layout;
    sl_results_writer *writer;
} json_case;

static void begin(json_case *c) {
    *c = (json_case){.layout = {.size = sizeof c->layout, .model = "m", .engine = "eps", .time_unit = "s"}};
    c->ctx = sl_test_context(&c->memory);
    sl_bytes_init(&c->text, c->ctx);
    c->sink = sl_bytes_sink(&c->text);
}

static sl_status create(json_case *c) {
    sl_results_target target = sl_results_target_default();
    target.format = "json";
    target.sink = &c->sink;
    return sl_results_writer_create(c->ctx, &target, &c->layout, NULL, &c->writer);
}

static void finish(json_case *c) {
    sl_results_writer_destroy(c->writer);
    sl_bytes_fini(&c->text);
    sl_test_context_end(c->ctx, &c->memory);
}

static sl_status put_event(json_case *c, double time, int32_t execution, const char *cause) {
    sl_event_info e = {.size = sizeof e,
                       .time = time,
                       .kind = "status",
                       .element_class = "pump",
                       .element = "U",
                       .quantity = "status",
                       .from = 0.0,
                       .to = (double)NAN,
                       .cause = cause,
                       .execution = execution};
    return sl_results_writer_event(c->writer, &e, NULL);
}

static sl_status put_frame(json_case *c, double time, int32_t execution, double head) {
    const double heads[] = {head, -head}, status[] = {1.0};
    const double *const values[] = {heads, status};
    const sl_results_frame frame = {time, values, execution};
    return sl_results_writer_frame(c->writer, &frame, NULL);
}

static sl_status put_end(json_case *c, bool complete) {
    const sl_results_end end = {.size = sizeof end,
                                .complete = complete,
                                .n_attribute = 1,
                                .n_table = 1,
                                .attributes = attributes,
                                .tables = tables};
    return sl_results_writer_end(c->writer, &end, NULL);
}

/* Without the version. */
static const char expected[] =
    " \"model\": \"m\",\n \"title\": \"\",\n \"engine\": \"eps\",\n \"time_unit\": \"s\",\n \"several\": true,\n"
    " \"attributes\": {\n  \"flow_unit\": \"L/s\",\n  \"step\": 0.1,\n  \"none\": null,\n"
    "  \"end\": {\"number\": \"-inf\"}\n },\n"
    " \"groups\": {\n  \"node\": {\n   \"meaning\": \"nodes\",\n   \"among\": null,\n   \"along\": \"x\",\n"
    "   \"ids\": [\"J1\", \"a \\\"b\\\",\\n\xC3\xA9\"],\n"
    "   \"facts\": {\n    \"x\": {\"unit\": \"m\", \"meaning\": \"east\", \"values\": [0,-0.0]},\n"
    "    \"elevation\": {\"unit\": \"m\", \"meaning\": \"\", \"values\": [null,\"inf\"]},\n"
    "    \"kind\": {\"unit\": \"\", \"meaning\": \"\", \"type\": \"text\", \"values\": [\"junction\", \"inf\"]}\n   },\n"
    "   \"quantities\": {\n    \"head\": {\"unit\": \"m\", \"meaning\": \"head\"}\n   }\n  },\n"
    "  \"pump\": {\n   \"meaning\": \"\",\n   \"among\": \"link\",\n   \"along\": null,\n   \"ids\": [\"U\"],\n"
    "   \"facts\": {},\n   \"quantities\": {\n"
    "    \"status\": {\"unit\": \"\", \"meaning\": \"\", \"words\": [\"closed\", \"open\"]}\n   }\n  },\n"
    "  \"bare\": {\n   \"meaning\": \"\",\n   \"among\": null,\n   \"along\": null,\n   \"ids\": [\"U\"],\n"
    "   \"facts\": {},\n   \"quantities\": {}\n  }\n },\n"
    " \"frames\": [\n  {\n   \"time\": 0,\n   \"execution\": 1,\n   \"node\": {\n    \"head\": [1.5,-1.5]\n   },\n"
    "   \"pump\": {\n    \"status\": [1]\n   }\n  },\n"
    "  {\n   \"time\": 2,\n   \"execution\": 1,\n   \"node\": {\n    \"head\": [\"inf\",\"-inf\"]\n   },\n"
    "   \"pump\": {\n    \"status\": [1]\n   },\n"
    "   \"events\": [{\"time\": 1, \"execution\": 1, \"kind\": \"status\", \"class\": \"pump\", \"element\": \"U\","
    " \"quantity\": \"status\", \"from\": 0, \"to\": null, \"cause\": \"rule 'a'\"},"
    " {\"time\": 1, \"execution\": 1, \"kind\": \"status\", \"class\": \"pump\", \"element\": \"U\","
    " \"quantity\": \"status\", \"from\": 0, \"to\": null, \"cause\": \"\"}]\n  }\n ],\n"
    " \"complete\": true,\n \"end_attributes\": {\n  \"flow_unit\": \"L/s\"\n },\n"
    " \"tables\": {\n  \"pump_energy\": {\n   \"meaning\": \"energies\",\n   \"columns\": {\n"
    "    \"id\": {\"unit\": \"\", \"meaning\": \"\", \"type\": \"text\", \"values\": [\"U\"]},\n"
    "    \"power\": {\"unit\": \"kW\", \"meaning\": \"power\", \"values\": [1e+300]}\n   }\n  }\n },\n"
    " \"events\": [{\"time\": 0, \"execution\": 2, \"kind\": \"status\", \"class\": \"pump\", \"element\": \"U\","
    " \"quantity\": \"status\", \"from\": 0, \"to\": null, \"cause\": \"late\"}]\n}\n";

static void writes_every_member(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    c.layout.several = true;
    c.layout.n_group = 3;
    c.layout.groups = groups;
    c.layout.n_attribute = 4;
    c.layout.attributes = attributes;
    sl_assert_ok(create(&c));
    sl_assert_ok(put_frame(&c, 0.0, 1, 1.5));
    sl_assert_ok(put_event(&c, 1.0, 1, "rule 'a'"));
    sl_assert_ok(put_event(&c, 1.0, 1, ""));
    sl_assert_ok(put_frame(&c, 2.0, 1, (double)INFINITY));
    sl_assert_ok(put_event(&c, 0.0, 2, "late"));
    sl_assert_ok(put_end(&c, true));
    char head[100];
    int n = snprintf(head, sizeof head, "{\n \"format\": \"sluice results 2\",\n \"program_version\": \"%s\",\n",
                     sl_version());
    assert_true(c.text.n > n);
    sl_assert_bytes(c.text.at, n, head);
    sl_assert_bytes(c.text.at + n, c.text.n - n, expected);
    finish(&c);
}

/* Events without frames in between: some elements of the array have events only. */
static void keeps_no_more_than_a_megabyte_of_events(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    sl_assert_ok(create(&c));
    int64_t most = 0, before = 0;
    for (int i = 0; i < 30000; i++) { /* of 120 bytes each */
        before = c.text.cap;
        sl_assert_ok(put_event(&c, i, 0, "one of very many"));
        int64_t here = c.memory.n_byte - c.text.cap;
        most = c.text.cap == before && here > most ? here : most;
    }
    sl_assert_ok(put_end(&c, false));
    assert_true(c.text.n > 3500000);
    assert_true(most < 3000000);
    const char *only = "\"frames\": [\n  {\n   \"events\": [{\"time\": 0,";
    sl_sink sink = c.sink;
    sl_assert_ok(sink.write(sink.user, "", 1));
    assert_has(c.text.at, only);
    finish(&c);
}

static sl_status refuse_bytes(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return SL_ERR_IO;
}

static void gives_the_failure_of_the_sink(void **state) {
    (void)state;
    json_case c;
    begin(&c);
    c.sink.write = refuse_bytes;
    sl_assert_ok(create(&c));
    sl_assert_ok(put_event(&c, 0.0, 0, ""));
    sl_assert_status(put_end(&c, true), SL_ERR_IO);
    finish(&c);
}

static void write_short(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    json_case c = {.ctx = ctx, .layout = {.size = sizeof c.layout, .n_group = 3, .groups = groups}};
    sl_bytes_init(&c.text, ctx);
    c.sink = sl_bytes_sink(&c.text);
    sl_status status = create(&c);
    status = status == SL_OK ? put_event(&c, 0.0, 0, "") : status;
    status = status == SL_OK ? put_frame(&c, 0.0, 0, 1.0) : status;
    status = status == SL_OK ? put_end(&c, true) : status;
    sl_results_writer_destroy(c.writer);
    sl_bytes_fini(&c.text);
    sl_assert_status(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
}

static void survives_refused_memory(void **state) {
    (void)state;
    sl_test_sweep(write_short, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_member),
        cmocka_unit_test(keeps_no_more_than_a_megabyte_of_events),
        cmocka_unit_test(gives_the_failure_of_the_sink),
        cmocka_unit_test(survives_refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
