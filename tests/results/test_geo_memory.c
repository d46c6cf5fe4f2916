/* SPDX-License-Identifier: MIT */
/* Maps of results when memory is short, when a sink takes nothing, and without coordinates. */
#include "base/out.h"
#include "random_results.h"

static const char *const node_ids[] = {"A", "B", "C"}, *const link_ids[] = {"P", "Q"},
                         *const words[] = {"closed", "open"};
static const char *const from[] = {"A", "B"}, *const to[] = {"B", "nowhere"};
static const double x_at[] = {1.0, 2.0, (double)NAN}, y_at[] = {5.0, 6.0, 7.0};
static const sl_results_column node_facts[] = {{.name = "x", .unit = "", .meaning = "", .real = x_at},
                                               {.name = "y", .unit = "", .meaning = "", .real = y_at}};
static const sl_results_column link_facts[] = {{.name = "from", .unit = "", .meaning = "", .text = from},
                                               {.name = "to", .unit = "", .meaning = "", .text = to}};
static const sl_results_column head[] = {{.name = "head", .unit = "m", .meaning = ""}};
static const sl_results_column status[] = {
    {.name = "it's \"on\"", .unit = "", .meaning = "", .words = words, .n_word = 2}};
static const sl_results_group groups[] = {
    {.name = "node",
     .meaning = "it's",
     .n = 3,
     .ids = node_ids,
     .n_fact = 2,
     .n_quantity = 1,
     .facts = node_facts,
     .quantities = head},
    {.name = "link",
     .meaning = "",
     .n = 2,
     .ids = link_ids,
     .n_fact = 2,
     .n_quantity = 1,
     .facts = link_facts,
     .quantities = status},
};

static sl_results_layout layout_of(int32_t n_group) {
    return (sl_results_layout){.size = sizeof(sl_results_layout),
                               .model = "m",
                               .title = "",
                               .engine = "eps",
                               .time_unit = "s",
                               .n_group = n_group,
                               .groups = groups};
}

static sl_status write_map(sl_context *ctx, const char *format, const sl_sink *sink, const sl_results_layout *layout,
                           sl_diags *diags) {
    static const double heads[] = {1.0, 2.0, (double)NAN}, codes[] = {1.0, (double)NAN};
    const double *const values[] = {heads, codes};
    const sl_results_frame frame = {.time = 3.0, .values = values};
    const sl_results_end end = {.size = sizeof end, .complete = true};
    sl_results_target target = sl_results_target_default();
    sl_results_writer *w = NULL;
    target.format = format;
    target.sink = sink;
    sl_status result = sl_results_writer_create(ctx, &target, layout, diags, &w);
    result = result == SL_OK ? sl_results_writer_frame(w, &frame, diags) : result;
    result = result == SL_OK ? sl_results_writer_end(w, &end, diags) : result;
    sl_results_writer_destroy(w);
    return result;
}

static void test_geojson(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    const sl_sink sink = sl_bytes_sink(&bytes);
    const sl_results_layout layout = layout_of(2);
    sl_assert_ok(write_map(ctx, "geojson", &sink, &layout, NULL));
    sl_assert_ok(sink.write(sink.user, "", 1));
    assert_has(bytes.at, "\"coordinates\": [[1, 5], [2, 6]]");
    assert_has(bytes.at, "\"geometry\": null");
    assert_has(bytes.at, "\"it's \\\"on\\\"\": \"open\"");
    assert_has(bytes.at, "\"head_m\": 2");
    assert_has(bytes.at, "\"head_m\": null");
    sl_bytes_fini(&bytes);
    sl_test_context_end(ctx, &m);
}

static sl_status take_no_byte(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_ERR_IO;
}

static void test_refusals(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    const sl_sink sink = {.write = take_no_byte};
    const sl_results_layout layout = layout_of(2), none = layout_of(0);
    sl_assert_status(write_map(ctx, "geojson", &sink, &layout, diags), SL_ERR_IO);
    sl_assert_status(write_map(ctx, "geojson", &sink, &none, diags), SL_ERR_INPUT);
    assert_int_equal(sl_diags_at(diags, 0)->code, SL_CODE_NO_COORDINATES);
    if (sl_format_gpkg.ready(NULL) == SL_OK) {
        sl_assert_status(write_map(ctx, "gpkg", &sink, &layout, diags), SL_ERR_IO);
    }
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    const char *format = user;
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    const sl_sink sink = sl_bytes_sink(&bytes);
    const sl_results_layout layout = layout_of(2);
    sl_status result = write_map(ctx, format, &sink, &layout, NULL);
    assert_true(result == SL_OK || result == SL_ERR_MEMORY);
    sl_bytes_fini(&bytes);
}

static void test_memory(void **state) {
    (void)state;
    static char geojson[] = "geojson", gpkg[] = "gpkg";
    assert_true(sl_test_sweep(short_of_memory, geojson) > 10);
    if (sl_format_gpkg.ready(NULL) == SL_OK) {
        assert_true(sl_test_sweep(short_of_memory, gpkg) > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_geojson), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
