/* SPDX-License-Identifier: MIT */
/* test_tunnel_contract.c: the engine contract on tunnels. */
#include "sl_test.h"

#include "contract.h"
#include "tunnel/engine.h"

static const char text[] = "sluice: tunnel/1\nrun: {end: 300, tolerance: 1e-6}\nvalves:\n"
                           "  upper: {elevation: 20, tub: {reservoir: {area: 80, bottom: 18, level: 24, inflow: 1}}}\n"
                           "  side: {elevation: 20.5, tub: {level: {time: [0, 20, 40], value: [25, 26, 24]}}}\n"
                           "  fork: {elevation: 0}\n  plant: {elevation: -5, tub: outfall}\ntunnels:\n"
                           "  main: {from: upper, to: fork, length: 200, area: 4, friction: 0.02}\n"
                           "  spur: {from: side, to: fork, length: 50, area: 2, friction: 0.02}\n"
                           "  out: {from: fork, to: plant, length: 100, area: 2, friction: 0.02}\n"
                           "gates: {main.from: [{at: 0, open: 0}, {at: 1, open: 1}]}\n";

static int32_t find_field(const char *name) {
    int32_t field = sl_engine_find_full(&sl_tunnel_engine, name);
    assert_true(field >= 0);
    return field;
}

static void check(const char *field, int32_t index, double value, double bad_value, const char *bad_field) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_tunnel_study *study = NULL;
    sl_tunnel_engine_model *model = NULL;
    sl_assert_ok(sl_tunnel_read(ctx, text, sizeof text - 1, "text", NULL, NULL, &study));
    sl_assert_ok(sl_tunnel_engine_model_create(ctx, study, &model));
    contract_case c = {.ops = &sl_tunnel_engine,
                       .model = model,
                       .n_step = 400,
                       .field = find_field(field),
                       .index = index,
                       .value = value,
                       .bad_value = bad_value,
                       .bad_field = find_field(bad_field),
                       .grows = true,
                       .n_event = 20};
    contract_check(&c);
    sl_tunnel_engine_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

static void test_levels(void **state) {
    (void)state;
    check("valve.rise", 1, 0.5, (double)NAN, "valve.head");
}
static void test_inflows(void **state) {
    (void)state;
    check("valve.inflow", 0, 2.0, (double)NAN, "end.full");
}
static void test_gates(void **state) {
    (void)state;
    check("end.gate", 3, 0.0, 0.5, "valve.flow");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_inflows),
                                       cmocka_unit_test(test_gates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
