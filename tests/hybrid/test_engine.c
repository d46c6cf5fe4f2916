/* SPDX-License-Identifier: MIT */
/* Hybrid models as engines: the contract, and sessions over them. */
#include "toy.h"

#include "engine/contract.h"
#include "hybrid/engine.h"
#include "session/session.h"

#include <sluice/session.h>

static sl_hybrid_model model_of(const toy *m) {
    return (sl_hybrid_model){.ops = &toy_ops, .model = m, .def = toy_def(), .hash = 7};
}

static void check(const toy *m, int32_t index, double value) {
    sl_hybrid_model model = model_of(m);
    model.def.dae.rtol = 1e-8;
    model.def.dae.atol = 1e-10;
    model.def.dae.n_restart = 30;
    model.def.end = 12.0;
    contract_check(&(contract_case){.ops = &sl_hybrid_engine,
                                    .model = &model,
                                    .n_step = 64,
                                    .field = SL_HYBRID_VALUE,
                                    .index = index,
                                    .value = value,
                                    .bad_value = (double)NAN,
                                    .bad_field = SL_HYBRID_DERIVATIVE});
}

static void test_contract(void **state) {
    (void)state;
    toy still = toy_flower; /* one mode: warm from the beginning */
    still.mode = NULL;
    check(&still, 0, 0.75);
    check(&toy_thermostat, 0, 19.0);
}

/* A stop is no event, a set is one. */
static void test_session(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_hybrid_model hybrid = model_of(&toy_thermostat);
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_var value, heating;
    sl_assert_ok(sl_model_from_engine(ctx, &sl_hybrid_engine, &hybrid, &model));
    sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
    sl_assert_ok(sl_session_find(s, "variable.'x0'.value", &value));
    sl_assert_ok(sl_session_find(s, "discrete.'q2'.state", &heating));
    double hot = 10.0 * log(20.0 / 18.0), x, on;
    sl_assert_ok(sl_session_advance(s, 0.5, 0, NULL));
    sl_assert_ok(sl_session_get(s, &value, 1, &x));
    sl_assert_rel(x, 40.0 - 20.0 * exp(-0.05), 1e-9);
    sl_assert_ok(sl_session_advance(s, hot + 1.0, 0, NULL));
    sl_assert_ok(sl_session_get(s, &value, 1, &x));
    sl_assert_ok(sl_session_get(s, &heating, 1, &on));
    sl_assert_rel(x, 10.0 + 12.0 * exp(-0.1), 1e-9);
    sl_assert_double(on, 0.0);
    x = 17.0; /* somebody opens a window: it heats at once */
    sl_assert_ok(sl_session_set(s, &value, 1, &x));
    sl_assert_ok(sl_session_advance(s, hot + 2.0, 0, NULL));
    sl_assert_ok(sl_session_get(s, &value, 1, &x));
    sl_assert_ok(sl_session_get(s, &heating, 1, &on));
    sl_assert_double(on, 1.0);
    sl_assert_rel(x, 40.0 - 23.0 * exp(-0.1), 1e-9);
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contract), cmocka_unit_test(test_session)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
