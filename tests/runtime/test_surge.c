/* SPDX-License-Identifier: MIT */
/* test_surge.c: the suite of session semantics over pressure waves in a network. */
#include "sl_test.h"

#include "suite.h"

#include <sluice/network_io.h>

static void check(const char *example, sl_surge_friction friction, sl_surge_cavitation cavitation,
                  const suite_case *c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    char path[1024], *bytes = malloc(1 << 20);
    snprintf(path, sizeof path, "%s/examples/%s", SL_TEST_SOURCE_DIR, example);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, bytes, n, NULL, diags, &net));
    free(bytes);
    sl_surge_def def = sl_surge_default();
    def.duration = c->duration;
    def.report_step = 0.25;
    def.friction = friction;
    def.cavitation = cavitation;
    sl_surge_valve gate = sl_surge_valve_default();
    gate.link = sl_network_find_link(net, sl_str_z("P2"));
    def.valves = &gate;
    def.n_valve = 1;
    static const double t[] = {0.0, 0.5}, x[] = {(double)NAN, 0.3};
    sl_surge_event event = sl_surge_event_default();
    event.index = gate.link;
    event.start = 0.7;
    event.t = t;
    event.x = x;
    event.n = 2;
    def.events = &event;
    def.n_event = 1;
    sl_assert_ok(sl_model_from_surge(ctx, net, &def, diags, &model));
    assert_string_equal(sl_model_engine(model), "surge");
    suite_case filled = *c;
    filled.model = model;
    suite_check(&filled);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void test_opening(void **state) {
    (void)state;
    suite_case c = {.duration = 6.0,
                    .input = "link.'P2'.opening",
                    .values = {0.5, 0.0},
                    .bad_value = 1.5,
                    .n_event = 2,
                    .holds = true,
                    .n_part = 37};
    check("town.inp", SL_SURGE_QUASI_STEADY, SL_SURGE_DGCM, &c);
    check("town.inp", SL_SURGE_CONVOLUTION, SL_SURGE_DVCM, &c);
}

static void test_speed(void **state) {
    (void)state;
    suite_case c = {.duration = 5.0,
                    .input = "pump.'Main'.speed",
                    .values = {0.8, 1.02},
                    .bad_value = -1.0,
                    .n_event = 2,
                    .holds = true,
                    .n_part = 23};
    check("town.inp", SL_SURGE_ACCELERATION, SL_SURGE_LIQUID, &c);
}

static void test_demand(void **state) {
    (void)state;
    suite_case c = {.duration = 4.0,
                    .input = "node.'J4'.demand.factor",
                    .values = {0.0, 2.0},
                    .bad_value = -2.0,
                    .n_event = 2,
                    .holds = true,
                    .n_part = 29};
    check("town.inp", SL_SURGE_STEADY, SL_SURGE_CLAMP, &c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
