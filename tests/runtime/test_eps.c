/* SPDX-License-Identifier: MIT */
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
    *n = fread(bytes, 1, (1 << 20) - 1, file);
    bytes[*n] = '\0';
    fclose(file);
    return bytes;
}

/* An example; more: lines put behind it. */
static void check_with(const char *example, const char *more, const suite_case *c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    size_t n;
    char *bytes = read_example(example, &n);
    char *end = strstr(bytes, "[END]");
    n = end ? (size_t)(end - bytes) : n;
    n += (size_t)snprintf(bytes + n, (1 << 20) - n, "%s", more);
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

static void check(const char *example, const suite_case *c) {
    check_with(example, "", c);
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
                    .n_event = 1,
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
                    .holds = true,
                    .n_part = 23};
    check("town.inp", &c);
}

/* With transport beside the hydraulics: a chemical with reactions, sources and all four models of mixing; age. */
static void test_quality(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "\n[OPTIONS]\nQUALITY Chlorine mg/L\n[REACTIONS]\nGLOBAL BULK -2\nGLOBAL WALL -0.5\nORDER TANK 2\n"
        "[SOURCES]\nA MASS 200 DAY\nC FLOWPACED 0.1\nRIVER SETPOINT 0.8 DAY\nPLUG CONCEN 0.2\n"
        "[MIXING]\nPLUG 2COMP 0.4\nSTIRRED LIFO\n",
        "\n[OPTIONS]\nQUALITY AGE\n[MIXING]\nPLUG FIFO\nSTIRRED LIFO\n",
        "\n[OPTIONS]\nQUALITY AGE\nDEMAND MODEL PDA\nREQUIRED PRESSURE 20\n[EMITTERS]\nA 0.5\nC 2\n[LEAKAGE]\nA_B 10 0.1\nB_C 20 0.2\n"};
    for (int i = 0; i < 3; i++) {
        suite_case c = {.duration = 86400.0,
                        .input = "node.'C'.wanted",
                        .values = {0.001, 0.009},
                        .bad_value = 1e9,
                        .output = "node.'C'.pressure",
                        .grows = true,
                        .holds = true,
                        .n_part = 31};
        check_with("quality.inp", kinds[i], &c);
    }
}

/* Before the first solution the state itself is shown: a value does not depend on what was read before. */
static void test_reading_changes_nothing(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_network *net = NULL;
    sl_model *model = NULL;
    size_t n;
    char *bytes = read_example("leaks.inp", &n);
    sl_assert_ok(sl_inp_read(ctx, bytes, n, NULL, NULL, &net));
    free(bytes);
    sl_assert_ok(sl_model_from_network(ctx, net, NULL, NULL, &model));
    double status[2] = {-1.0, -2.0}, shut = 0.0, before;
    for (int k = 0; k < 2; k++) {
        sl_session *s = NULL;
        sl_var open, shown;
        sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
        sl_assert_ok(sl_session_find(s, "link.'PRV1'.open", &open));
        sl_assert_ok(sl_session_find(s, "link.'PRV1'.status", &shown));
        sl_assert_ok(k == 1 ? sl_session_get(s, &shown, 1, &before) : SL_OK);
        sl_assert_ok(sl_session_set(s, &open, 1, &shut));
        sl_assert_ok(sl_session_get(s, &shown, 1, &status[k]));
        sl_session_destroy(s);
    }
    sl_assert_double(status[0], status[1]);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pump_speed),
        cmocka_unit_test(test_demand),
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_reading_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
