/* test_eps.c: the suite of session semantics over networks in the eps engine. */
#include "sl_test.h"

#include "suite.h"

#include <sluice/network_io.h>

static char *read_example(const char *name, size_t *n) {
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/%s", SL_TEST_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    *n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void check(const char *example, const suite_case *c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    size_t n;
    char *bytes = read_example(example, &n);
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, bytes, n, NULL, diags, &net));
    free(bytes);
    sl_assert_ok(sl_model_from_network(ctx, net, NULL, diags, &model));
    assert_ptr_equal(sl_model_network(model), net);
    assert_string_equal(sl_model_engine(model), "eps");
    suite_case filled = *c;
    filled.model = model;
    suite_check(&filled);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void test_pump_speed(void **state) {
    (void)state;
    suite_case c = {.duration = 86400.0,
                    .input = "pump.'Main'.speed",
                    .values = {0.9, 1.05},
                    .bad_value = -1.0,
                    .output = "node.'J1'.pressure",
                    .parameter = "pipe.'P1'.diameter",
                    .parameter_value = 0.3,
                    .n_part = 37};
    check("town.inp", &c);
}

static void test_demand(void **state) {
    (void)state;
    suite_case c = {.duration = 40000.0,
                    .input = "node.'J4'.wanted",
                    .values = {0.001, 0.012},
                    .bad_value = 1e9,
                    .output = "node.'J4'.pressure",
                    .n_part = 23};
    check("town.inp", &c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pump_speed),
        cmocka_unit_test(test_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
