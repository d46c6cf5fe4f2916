/* SPDX-License-Identifier: MIT */
/* test_eps_contract.c: the engine contract on a network. */
#include "sl_test.h"

#include "contract.h"
#include "eps/eps.h"
#include "eps/fields.h"

#include <sluice/network_io.h>

/* A file with lines put behind it: the kind of quality. */
static void check(const char *path, const char *quality, int32_t field, double value, double bad_value, int32_t n_event,
                  bool holds) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_eps_model *model = NULL;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    size_t n = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    bytes[n] = '\0';
    char *end = strstr(bytes, "[END]");
    n = end ? (size_t)(end - bytes) : n;
    n += (size_t)snprintf(bytes + n, (1 << 20) - n, "%s", quality);
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, bytes, n, NULL, diags, &net));
    free(bytes);
    sl_assert_ok(sl_eps_model_create(ctx, net, NULL, diags, &model));
    contract_case c = {.ops = &sl_eps_ops,
                       .model = model,
                       .n_step = 20,
                       .field = field,
                       .value = value,
                       .bad_value = bad_value,
                       .bad_field = SL_EPS_HEAD,
                       .n_event = n_event,
                       .holds = holds};
    contract_check(&c);
    sl_eps_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void test_eps_keeps_the_contract(void **state) {
    (void)state;
    check(SL_TEST_SOURCE_DIR "/examples/town.inp", "", SL_EPS_SPEED, 0.9, -1.0, 1, false);
}

/* With every kind of quality. */
static void test_with_quality(void **state) {
    (void)state;
    const char *town = SL_TEST_SOURCE_DIR "/examples/town.inp";
    check(town, "\n[OPTIONS]\nQUALITY AGE\n", SL_EPS_SPEED, 0.9, -1.0, 1, false);
    check(town, "\n[OPTIONS]\nQUALITY TRACE Hill\n", SL_EPS_SPEED, 0.9, -1.0, 1, false);
    check(SL_TEST_SOURCE_DIR "/examples/quality.inp", "\n[OPTIONS]\nQUALITY Chlorine mg/L\n", SL_EPS_WANTED, 0.0031,
          1e9, 0, true);
    check(SL_TEST_SOURCE_DIR "/examples/quality.inp",
          "\n[OPTIONS]\nQUALITY Chlorine mg/L\nDEMAND MODEL PDA\nREQUIRED PRESSURE 20\n[EMITTERS]\nA 0.5\nC 2\n"
          "[LEAKAGE]\nA_B 10 0.1\nB_C 20 0.2\n",
          SL_EPS_WANTED, 0.0031, 1e9, 0, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eps_keeps_the_contract),
        cmocka_unit_test(test_with_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
