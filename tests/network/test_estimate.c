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
    f.n_tank = (int64_t)any(state, 1e4);
    f.loops = sl_test_below(state, 2) ? (int64_t)any(state, 1e7) : -1; /* not known */
    f.factor = sl_test_below(state, 2) ? any(state, 1e12) : -1;
    f.pressure_driven = sl_test_below(state, 2) == 1;
    return f;
}

/* Never less for any figure that asks for more work, all mixtures of them included. */
static void test_monotone(void **unused) {
    (void)unused;
    uint64_t state = 11;
    int grown = 0;
    for (int i = 0; i < 200000; i++) {
        sl_run_figures a = random_figures(&state), b = a;
        int64_t which = 1 + sl_test_below(&state, 1023); /* which figures ask for more */
        b.n_node += which & 1 ? 1 + (int64_t)any(&state, 1e6) : 0;
        b.n_link += which & 2 ? 1 + (int64_t)any(&state, 1e6) : 0;
        b.duration += which & 4 ? any(&state, 1e7) : 0;
        b.hydraulic_step = which & 8 ? fmax(0, b.hydraulic_step - any(&state, 1e5)) : b.hydraulic_step;
        b.quality_step = which & 16 ? fmax(0, b.quality_step - any(&state, 1e5)) : b.quality_step;
        b.quality = a.quality || (which & 32);
        b.n_tank += which & 64 ? 1 + (int64_t)any(&state, 1e4) : 0;
        b.loops += which & 128 && a.loops >= 0 ? 1 + (int64_t)any(&state, 1e6) : 0;
        b.factor += which & 256 && a.factor >= 0 ? 1 + any(&state, 1e11) : 0;
        b.pressure_driven = a.pressure_driven || (which & 512);
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

/* Counts alone suffice; what is known of the mesh makes the figure finer, in the order of density. */
static void test_density(void **unused) {
    (void)unused;
    sl_run_figures counts = sl_run_figures_default();
    counts.n_node = 3000, counts.n_link = 3600, counts.duration = 86400;
    sl_run_figures tree = counts, loops = counts, planar = counts, full = counts;
    tree.loops = 0, loops.loops = 3000;
    planar.factor = 1e5, full.factor = 1e8;
    double known = sl_estimate_runtime_ms(&counts);
    assert_true(sl_estimate_runtime_ms(&tree) < known);
    assert_true(known < sl_estimate_runtime_ms(&loops));
    assert_true(sl_estimate_runtime_ms(&full) > 10 * sl_estimate_runtime_ms(&planar));
    full.loops = 0; /* the factor says more */
    assert_true(sl_estimate_runtime_ms(&full) > 10 * sl_estimate_runtime_ms(&planar));

    /* A caller from before these figures: it knows nothing of them, whatever stands behind its structure. */
    sl_run_figures old = full;
    old.size = offsetof(sl_run_figures, n_tank);
    sl_assert_bits(sl_estimate_runtime_ms(&old), known);
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
    assert_int_equal(f.n_tank, 1);
    assert_int_equal(f.loops, 1);  /* from reservoir to tank */
    sl_assert_double(f.factor, 2); /* two junctions: one entry, a quotient and a product */
    assert_false(f.pressure_driven);
    sl_network_destroy(net);
    net_end(&c);
}

/* N junctions in a row, or each joined to all others. */
enum { N = 20 };
static double mesh_factor(bool row, int64_t *loops) {
    static const char head[] = "[RESERVOIRS]\nR 50\n[JUNCTIONS]\n";
    char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < N; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "J%d 0 1\n", i);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "[PIPES]\nP R J0 100 100 100\n");
    for (int i = 0; i < N; i++) {
        for (int k = i + 1; k < (row && i + 2 < N ? i + 2 : N); k++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "P%d-%d J%d J%d 100 100 100\n", i, k, i, k);
        }
    }
    (void)snprintf(text + n, sizeof text - n, "[OPTIONS]\nUnits LPS\n[END]\n");
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, text);
    sl_run_figures f = sl_run_figures_default();
    sl_assert_ok(sl_run_figures_of(net, &f));
    *loops = f.loops;
    sl_network_destroy(net);
    net_end(&c);
    return f.factor;
}

static void test_mesh(void **unused) {
    (void)unused;
    int64_t loops = -1;
    sl_assert_double(mesh_factor(true, &loops), 2 * (N - 1)); /* one entry in each column but the last */
    assert_int_equal(loops, 0);
    double full = 0;
    for (int entries = 0; entries < N; entries++) {
        full += entries * (entries + 3) / 2; /* a quotient each, a product for each pair */
    }
    sl_assert_double(mesh_factor(false, &loops), full);
    assert_int_equal(loops, N * (N - 1) / 2 + 1 - N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone), cmocka_unit_test(test_figures_alone), cmocka_unit_test(test_density),
        cmocka_unit_test(test_effort),   cmocka_unit_test(test_of_network),    cmocka_unit_test(test_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
