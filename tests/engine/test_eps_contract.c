/* test_eps_contract.c: the engine contract on a network. */
#include "sl_test.h"

#include "contract.h"
#include "eps/eps.h"
#include "eps/fields.h"

#include <sluice/network_io.h>

static void test_eps_keeps_the_contract(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_eps_model *model = NULL;
    FILE *file = fopen(SL_TEST_SOURCE_DIR "/examples/town.inp", "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    size_t n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, bytes, n, NULL, diags, &net));
    free(bytes);
    sl_assert_ok(sl_eps_model_create(ctx, net, NULL, diags, &model));
    contract_case c = {.ops = &sl_eps_ops,
                       .model = model,
                       .n_step = 20,
                       .field = SL_EPS_SPEED,
                       .value = 0.9,
                       .bad_value = -1.0,
                       .bad_field = SL_EPS_HEAD};
    contract_check(&c);
    sl_eps_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eps_keeps_the_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
