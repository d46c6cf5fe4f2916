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

/* A pump with a check valve lifts into a long main over a hill. */
static const char lift[] =
    "[JUNCTIONS]\nA 0 0\nB 38 0\nC 20 5\n[RESERVOIRS]\nR 5\nS 45\n[PIPES]\nP1 A B 900 200 120 0\nP2 B C 640 200 120 0\n"
    "P3 C S 500 200 120 0\n[PUMPS]\nM R A HEAD 1\n[CURVES]\n1 30 50\n[OPTIONS]\nUNITS LPS\n[END]\n";

typedef struct study {
    const char *text;
    sl_surge_friction friction;
    sl_surge_cavitation cavitation;
    bool trips;      /* the pump, at 1 s; else the valve moves from 0.2 to 0.5 s */
    int32_t n_event; /* that happen at least */
} study;

static void check(const study *of, int32_t field, double value, double bad) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_surge_model *model = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_inp_read(ctx, of->text, strlen(of->text), NULL, diags, &net));
    sl_surge_def def = sl_surge_default();
    def.friction = of->friction;
    def.cavitation = of->cavitation;
    def.duration = 60.0;
    sl_surge_probe probe = {.name = "mid", .pipe = 1, .chainage = 300.0};
    def.probes = &probe;
    def.n_probe = 1;
    static const double t[] = {0.0, 0.3}, x[] = {(double)NAN, 0.4};
    sl_surge_event event = sl_surge_event_default();
    event.what = of->trips ? SL_SURGE_PUMP_TRIP : SL_SURGE_VALVE_OPENING;
    event.index = net->n_pipe;
    event.start = of->trips ? 1.0 : 0.2;
    event.t = of->trips ? NULL : t;
    event.x = of->trips ? NULL : x;
    event.n = of->trips ? 0 : 2;
    def.events = &event;
    def.n_event = 1;
    sl_assert_ok(sl_surge_model_create(ctx, net, &def, diags, &model));
    contract_case c = {.ops = &sl_surge_ops,
                       .model = model,
                       .n_step = of->trips ? 200 : 60,
                       .field = field,
                       .index = field == SL_SURGE_F_OPENING ? net->n_pipe : 0,
                       .value = value,
                       .bad_value = bad,
                       .bad_field = SL_SURGE_F_HEAD,
                       .n_event = of->n_event,
                       .holds = true};
    contract_check(&c);
    sl_surge_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

static void test_the_contract(void **state) {
    (void)state;
    study a = {inp, SL_SURGE_QUASI_STEADY, SL_SURGE_DGCM, false, 2};
    check(&a, SL_SURGE_F_OPENING, 0.0, 2.0);
    study b = {inp, SL_SURGE_CONVOLUTION, SL_SURGE_DVCM, false, 2};
    check(&b, SL_SURGE_F_RESERVOIR_HEAD, 20.0, 1e9);
    study c = {inp, SL_SURGE_ACCELERATION, SL_SURGE_LIQUID, false, 2};
    check(&c, SL_SURGE_F_FACTOR, 0.0, -1.0);
    study d = {inp, SL_SURGE_STEADY, SL_SURGE_CLAMP, false, 2};
    check(&d, SL_SURGE_F_OPENING, 0.2, -0.5);
}

/* A pump that trips: its check valve shuts, columns separate and join. */
static void test_with_pump_and_cavities(void **state) {
    (void)state;
    study a = {lift, SL_SURGE_QUASI_STEADY, SL_SURGE_DGCM, true, 4};
    check(&a, SL_SURGE_F_SPEED, 0.9, -1.0);
    study b = {lift, SL_SURGE_STEADY, SL_SURGE_DVCM, true, 4};
    check(&b, SL_SURGE_F_TRIPPED, 1.0, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_contract),
                                       cmocka_unit_test(test_with_pump_and_cavities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
