/* SPDX-License-Identifier: MIT */
/* test_surge_contract.c: the engine contract on pressure waves. */
#include "sl_test.h"

#include "contract.h"
#include "surge/fields.h"
#include "surge/surge.h"

#include <sluice/network_io.h>

static const char inp[] =
    "[JUNCTIONS]\nA 5 0\nB 3 20\nC 0 10\n[RESERVOIRS]\nR 60\n[TANKS]\nT 40 3 0 5 10 0\n"
    "[PIPES]\nP1 R A 800 300 120 0\nP2 B C 640 200 120 0\nP3 C T 900 250 120 0\nP4 A T 20 200 120 0\n"
    "[VALVES]\nV A B 200 TCV 2 0\n[OPTIONS]\nUNITS LPS\n[END]\n";

static void check(sl_surge_friction friction, sl_surge_cavitation cavitation, int32_t field, double value, double bad) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_surge_model *model = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, inp, sizeof inp - 1, NULL, diags, &net));
    sl_surge_def def = sl_surge_default();
    def.friction = friction;
    def.cavitation = cavitation;
    def.duration = 60.0;
    sl_surge_probe probe = {.name = "mid", .pipe = 1, .chainage = 300.0};
    def.probes = &probe;
    def.n_probe = 1;
    sl_assert_ok(sl_surge_model_create(ctx, net, &def, diags, &model));
    contract_case c = {.ops = &sl_surge_ops,
                       .model = model,
                       .n_step = 60,
                       .field = field,
                       .index = field == SL_SURGE_F_OPENING ? net->n_pipe : 0,
                       .value = value,
                       .bad_value = bad,
                       .bad_field = SL_SURGE_F_HEAD};
    contract_check(&c);
    sl_surge_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void test_the_contract(void **state) {
    (void)state;
    check(SL_SURGE_QUASI_STEADY, SL_SURGE_DGCM, SL_SURGE_F_OPENING, 0.0, 2.0);
    check(SL_SURGE_CONVOLUTION, SL_SURGE_DVCM, SL_SURGE_F_RESERVOIR_HEAD, 20.0, 1e9);
    check(SL_SURGE_ACCELERATION, SL_SURGE_LIQUID, SL_SURGE_F_FACTOR, 0.0, -1.0);
    check(SL_SURGE_STEADY, SL_SURGE_CLAMP, SL_SURGE_F_OPENING, 0.2, -0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_contract)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
