/* SPDX-License-Identifier: MIT */
/* test_estimate.c: the estimate of a run's time: order, limits, words. No clock is looked at. */
#include "net_test.h"

#include <sluice/estimate.h>

static double any(uint64_t *state, double high) {
    return floor(exp(sl_test_unit(state) * log(high))) - 1; /* all sizes alike, 0 included */
}

static sl_run_figures random_figures(uint64_t *state) {
    sl_run_figures f = sl_run_figures_default();
    f.n_node = (int64_t)any(state, 1e7);
    f.n_link = (int64_t)any(state, 1e7);
    f.duration = any(state, 1e8);
    f.hydraulic_step = 1 + any(state, 1e5);
    f.quality_step = 1 + any(state, 1e5);
    f.quality = sl_test_below(state, 2) == 1;
    return f;
}

/* Never less for any figure that asks for more work, all mixtures of them included. */
static void test_monotone(void **unused) {
    (void)unused;
    uint64_t state = 11;
    int grown = 0;
    for (int i = 0; i < 200000; i++) {
        sl_run_figures a = random_figures(&state), b = a;
        int64_t which = 1 + sl_test_below(&state, 63); /* which figures ask for more */
        b.n_node += which & 1 ? 1 + (int64_t)any(&state, 1e6) : 0;
        b.n_link += which & 2 ? 1 + (int64_t)any(&state, 1e6) : 0;
        b.duration += which & 4 ? any(&state, 1e7) : 0;
        b.hydraulic_step = which & 8 ? fmax(0, b.hydraulic_step - any(&state, 1e5)) : b.hydraulic_step;
        b.quality_step = which & 16 ? fmax(0, b.quality_step - any(&state, 1e5)) : b.quality_step;
        b.quality = a.quality || (which & 32);
        double ta = sl_estimate_runtime_ms(&a), tb = sl_estimate_runtime_ms(&b);
        if (!(tb >= ta)) {
            print_error("%.17g ms, but with more to do (%lld) %.17g ms\n", ta, (long long)which, tb);
            fail();
        }
        assert_true(sl_estimate_effort(tb) >= sl_estimate_effort(ta));
        grown += tb > ta;
    }
    assert_true(grown > 100000); /* it does grow: a constant would pass the rest */
}

static void test_figures_alone(void **unused) {
    (void)unused;
    sl_run_figures f = sl_run_figures_default();
    sl_assert_double(sl_estimate_runtime_ms(&f), 0); /* nothing to do */
    f.n_node = 1000, f.n_link = 1100, f.duration = 86400;
    double t = sl_estimate_runtime_ms(&f);
    sl_assert_bits(sl_estimate_runtime_ms(&f), t);
    f.quality_step = 1;
    sl_assert_bits(sl_estimate_runtime_ms(&f), t); /* quality is off: its step does not matter */
    f.quality = true;
    assert_true(sl_estimate_runtime_ms(&f) > t);
    f.hydraulic_step = 0; /* counts as a second */
    assert_true(isfinite(sl_estimate_runtime_ms(&f)));
    f.duration = NAN, f.n_node = -5;
    assert_true(sl_estimate_runtime_ms(&f) > 0);
}

static void test_effort(void **unused) {
    (void)unused;
    assert_int_equal(sl_estimate_effort(0), SL_EFFORT_LOW);
    assert_int_equal(sl_estimate_effort(999.9), SL_EFFORT_LOW);
    assert_int_equal(sl_estimate_effort(1000), SL_EFFORT_MEDIUM);
    assert_int_equal(sl_estimate_effort(59999), SL_EFFORT_MEDIUM);
    assert_int_equal(sl_estimate_effort(60000), SL_EFFORT_HIGH);
    assert_int_equal(sl_estimate_effort(INFINITY), SL_EFFORT_HIGH);
    sl_assert_z(sl_effort_word(SL_EFFORT_LOW), "low");
    sl_assert_z(sl_effort_word(SL_EFFORT_MEDIUM), "medium");
    sl_assert_z(sl_effort_word(SL_EFFORT_HIGH), "high");
}

static void test_of_network(void **unused) {
    (void)unused;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read_framed(&c, "[TIMES]\nDuration 24:00\nHydraulic Timestep 0:30\nQuality Timestep 0:02\n"
                                          "[OPTIONS]\nQuality Age\n");
    sl_run_figures f = {.size = sizeof f};
    sl_assert_ok(sl_run_figures_of(net, &f));
    assert_int_equal(f.n_node, 4);
    assert_int_equal(f.n_link, 3);
    sl_assert_double(f.duration, 86400);
    sl_assert_double(f.hydraulic_step, 1800);
    sl_assert_double(f.quality_step, 120);
    assert_true(f.quality);
    assert_int_equal(sl_estimate_effort(sl_estimate_runtime_ms(&f)), SL_EFFORT_LOW);
    sl_network_destroy(net);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_figures_alone),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_of_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
