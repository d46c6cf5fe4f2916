/* SPDX-License-Identifier: MIT */
/* test_summary.c: what a run comes to, from frames with known values. */
#include "fake_engine.h"

#include "network/elements.h"

#include "results/summary.h"
#include <sluice/results.h>

static const char model[] =
    "[TITLE]\nTwo pumps\n"
    "[JUNCTIONS]\nA 10 5\nB 20 5\nC 5 1\n[RESERVOIRS]\nR 0\n[TANKS]\nT 50 2 0 6 10\nU 50 3 0 6 10\n"
    "[PIPES]\nP1 A B 500 300 120\nP2 B C 250 200 120\nP3 B T 100 300 120\nP4 C U 100 300 120\n"
    "[PUMPS]\nPU1 R A POWER 10\nPU2 R A POWER 5\n"
    "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[TIMES]\nDuration 2:00\n[END]\n";

/* Three hours: pressures fall, B goes under zero in the second, C is cut off, PU2 starts in the third. */
static void play(fake *f, sl_summary *s) {
    fake_open(f, sl_summary_sink(s));
    double pressure_a[] = {30, 25, 28}, pressure_b[] = {10, -2, -3}, level[] = {2, 4, 3};
    for (int i = 0; i < 3; i++) {
        fake_set(f, "node.pressure", "A", pressure_a[i]);
        fake_set(f, "node.pressure", "B", pressure_b[i]);
        fake_set(f, "node.pressure", "C", -999);
        fake_set(f, "node.cut_off", "C", 1);
        fake_set(f, "node.pressure", "R", -500); /* no junction */
        fake_set(f, "link.flow", "P2", i == 1 ? -0.020 : 0.010);
        fake_set(f, "link.velocity", "P1", 1.5);
        fake_set(f, "link.headloss", "P1", -5);
        fake_set(f, "link.headloss", "PU1", -90);
        fake_set(f, "link.status", "PU1", SL_STATUS_OPEN);
        fake_set(f, "link.status", "PU2", i == 2 ? SL_STATUS_OPEN : SL_STATUS_CLOSED);
        fake_set(f, "tank.level", "T", level[i]);
        fake_set(f, "tank.level", "U", 3);
        fake_set(f, "tank.overflow", "T", 7 * i);
        fake_set(f, "pump.energy.online", "PU1", 3600 * i);
        fake_set(f, "pump.energy.efficiency", "PU1", 0.75 * 3600 * i);
        fake_set(f, "pump.energy.kwh", "PU1", 10 * i);
        fake_set(f, "pump.energy.cost", "PU1", 2 * i);
        fake_set(f, "balance.inflow", NULL, 100 * i);
        fake_set(f, "balance.consumption", NULL, 90 * i);
        fake_set(f, "balance.ratio", NULL, 0.9999);
        fake_set(f, "energy.peak", NULL, 12);
        fake_set(f, "energy.demand_cost", NULL, 6);
        fake_set(f, "solver.steps", NULL, 1 + 2 * i);
        fake_set(f, "solver.all_trials", NULL, 5 + 7 * i);
        fake_set(f, "solver.head_error", NULL, i == 1 ? 1e-5 : 1e-7);
        fake_set(f, "solver.mass_error", NULL, 1e-9);
        fake_set(f, "solver.balanced", NULL, i != 1);
        fake_set(f, "solver.unbalanced", NULL, i >= 1);
        fake_set(f, "unserved", NULL, i == 2 ? 0.001 : 0);
        fake_frame(f, 3600 * i);
        for (int k = 0; k < (i == 0 ? 4 : i == 1); k++) { /* between report times the tank runs full and empty */
            sl_engine_event e = {.time = i == 0 ? 600 * (k + 1) : 5400,
                                 .kind = i == 0 ? "full" : "empty",
                                 .of = SL_CLASS_TANK,
                                 .field = -1,
                                 .cause = ""};
            sl_assert_ok(f->sink.event(f->sink.user, &e, f->diags));
        }
    }
}

static void test_figures(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    play(&f, &s);
    fake_close(&f, true);
    assert_true(s.complete);
    assert_int_equal(s.n_frame, 3);
    sl_assert_double(s.pressure_low.value, -3); /* C is cut off, R no junction */
    assert_int_equal(s.pressure_low.index, sl_network_find_node(f.net, sl_str_z("B")));
    sl_assert_double(s.pressure_low.time, 7200);
    sl_assert_double(s.pressure_high.value, 30);
    sl_assert_double(s.pressure_high.time, 0);
    assert_int_equal(s.n_under_zero, 1);
    sl_assert_double(s.under_zero.time, 3600);
    sl_assert_double(s.under_zero.value, -2);
    sl_assert_double(s.flow.value, 0.020);
    sl_assert_double(s.flow.time, 3600);
    sl_assert_double(s.unit_loss.value, 0.01); /* the pump's 90 m are none of a pipe */
    sl_assert_double(s.tanks[0].low.value, 2);
    sl_assert_double(s.tanks[0].high.time, 3600);
    sl_assert_double(s.tanks[0].overflow, 14);
    assert_int_equal(s.tanks[0].full.n, 4);
    sl_assert_double(s.tanks[0].full.at[1], 1200);
    assert_int_equal(s.tanks[0].empty.n, 1);
    assert_int_equal(s.tanks[1].full.n + s.tanks[1].empty.n, 0);
    assert_int_equal(s.n_under_service, 1); /* B: 10 m at the start */
    assert_int_equal(s.n_unserved_demand, 1);
    sl_assert_double(s.under_service.value, 10);
    sl_assert_double(s.service_low.value, -3);
    assert_false(sl_summary_breaks_service(&s)); /* nobody asked for a pressure */
    sl_summary_set_service(&s, 20);
    assert_true(sl_summary_breaks_service(&s));
    assert_int_equal(s.pumps[0].starts, 0); /* on from the beginning */
    assert_int_equal(s.pumps[1].starts, 1);
    sl_assert_rel(s.pumps[0].efficiency, 0.75, 1e-15); /* one division */
    assert_true(isnan(s.pumps[1].efficiency));
    sl_assert_double(s.head_error.value, 1e-5);
    sl_assert_double(s.head_error.time, 3600);
    assert_int_equal(s.n_unbalanced, 1);
    sl_assert_double(s.first_unbalanced, 3600);
    sl_assert_double(s.last[SL_COL_STEPS], 5);
    sl_assert_double(s.unserved.value, 0.001);
    sl_summary_fini(&s);
    fake_end(&f);
}

/* The run goes on after the last report time: sums are those of its end. */
static void test_end_after_last_report(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    play(&f, &s);
    f.time = f.end = 10800;
    fake_set(&f, "balance.inflow", NULL, 333);
    fake_set(&f, "pump.energy.online", "PU1", 9000);
    fake_close(&f, true);
    sl_assert_double(s.end, 10800);
    sl_assert_double(s.last[SL_COL_INFLOW], 333);
    sl_assert_double(s.pumps[0].online, 9000);
    sl_summary_fini(&s);
    fake_end(&f);
}

static char *text_of(fake *f, const sl_summary *s) {
    sl_bytes bytes;
    sl_bytes_init(&bytes, f->ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_out out;
    sl_out_init(&out, &sink);
    sl_digest d;
    sl_assert_ok(sl_summary_digest(s, &(sl_summary_facts){.name = "two.inp", .engine = "eps"}, 5, &d));
    sl_assert_ok(sl_digest_write_text(&d, &out));
    sl_assert_ok(sl_out_flush(&out));
    sl_digest_fini(&d);
    char *text = fake_text(&bytes);
    sl_bytes_fini(&bytes);
    return text;
}

static void test_text(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    play(&f, &s);
    fake_close(&f, true);
    char *text = text_of(&f, &s);
    sl_assert_z(
        text,
        "two.inp: 2:00 simulated in 5 steps, 19 trials\n"
        "\n  Model         Two pumps; eps, 3 junctions, 1 reservoir, 2 tanks, 4 pipes, 2 pumps"
        "\n  Pressure      -3 m at B (2:00) to 30 m at A (0:00)"
        "\n  Percentiles   5 %: -2.995, 25 %: -1.995, 50 %: 10, 75 %: 28, 95 %: 30 m"
        "\n  Service       1 of 3 junctions below 20 m, 1 of them with a demand, first B (0:00)"
        "\n  Below zero    1 junction, first B (1:00)"
        "\n  Unserved      at most 1 L/s (2:00)"
        "\n  Velocity      at most 1.5 m/s in P1 (0:00)"
        "\n  Flow          at most 20 L/s in P2 (1:00)"
        "\n  Head loss     at most 10 m/km in P1 (0:00)"
        "\n  Tanks         T: level 2 (0:00) to 4 m (1:00), empty once (1:30), full 4 times (0:10, 0:20, 0:30, ...),"
        " overflow 14 m3"
        "\n                U: level 3 m (0:00)"
        "\n  Pumps         PU1: 100 % of the time, 20 kWh, efficiency 75 %, cost 4"
        "\n                PU2: 0 % of the time, 1 start"
        "\n  Energy        20 kWh, peak 12 kW, demand charge 6, cost 10"
        "\n  Events        4 full, 1 empty"
        "\n                0:10, tank T: full"
        "\n                0:20, tank T: full"
        "\n                0:30, tank T: full"
        "\n                0:40, tank T: full"
        "\n                1:30, tank T: empty"
        "\n  Water         200 m3 in, 180 consumed; out and stored / in 0.9999"
        "\n  Residuals     head 1.0e-05 m, flow 1.0e-06 L/s at worst"
        "\n  NOT BALANCED  1 solution (1:00)\n");
    free(text);
    sl_summary_fini(&s);
    fake_end(&f);
}

/* A model of one moment in US units, that did not get anywhere near its end; and one without a single frame. */
static void test_text_of_a_failed_run(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f,
               "[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 100\n[PIPES]\nP1 R A 1000 12 120\n[OPTIONS]\nUnits GPM\n[END]\n");
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    char *text = text_of(&f, &s);
    sl_assert_z(text, "two.inp: no results\n");
    free(text);
    fake_open(&f, sl_summary_sink(&s));
    fake_set(&f, "node.pressure", "A", 0.3048 / 0.4333); /* EPANET's psi */
    fake_set(&f, "link.velocity", "P1", 0.3048);
    fake_frame(&f, 0);
    fake_close(&f, false);
    text = text_of(&f, &s);
    assert_has(text, "two.inp: STOPPED at 0:00 of 0:00\n");
    assert_has(text, "Pressure      1 psi at A to 1 psi at A\n");
    assert_has(text, "at most 1 ft/s in P1\n");
    assert_lacks(text, "Water");
    free(text);
    sl_summary_fini(&s);
    fake_end(&f);
}

/* An engine that halts at an end of its own has not come to the end that was planned. */
static void test_halt(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    fake_open(&f, sl_summary_sink(&s));
    fake_frame(&f, 0);
    fake_frame(&f, 3600);
    fake_close(&f, true);
    assert_false(s.complete);
    char *text = text_of(&f, &s);
    assert_has(text, "two.inp: STOPPED at 1:00 of 2:00\n");
    free(text);
    sl_summary_fini(&s);
    fake_end(&f);
}

static void test_many_tanks(void **unused) {
    (void)unused;
    char inp[4096] = "[JUNCTIONS]\nA 10 5\n[TANKS]\n", row[64];
    for (int i = 0; i < 9; i++) {
        snprintf(row, sizeof row, "T%d 50 2 0 6 10\n", i);
        strcat(inp, row);
    }
    strcat(inp, "[PIPES]\n");
    for (int i = 0; i < 9; i++) {
        snprintf(row, sizeof row, "P%d A T%d 100 300 120\n", i, i);
        strcat(inp, row);
    }
    fake f;
    sl_summary s;
    fake_begin(&f, inp);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    fake_open(&f, sl_summary_sink(&s));
    fake_frame(&f, 0);
    fake_close(&f, true);
    char *text = text_of(&f, &s);
    assert_has(text, "T4: level");
    assert_lacks(text, "T5: level");
    assert_has(text, "and 4 more tanks (all of them: --json)");
    free(text);
    sl_summary_fini(&s);
    fake_end(&f);
}

static void test_json(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    play(&f, &s);
    fake_close(&f, true);
    sl_bytes bytes;
    sl_bytes_init(&bytes, f.ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_out out;
    sl_out_init(&out, &sink);
    sl_json json;
    sl_json_init(&json, &out, 0);
    sl_digest d;
    sl_assert_ok(sl_summary_digest(&s, &(sl_summary_facts){.name = "two.inp", .engine = "eps"}, 5, &d));
    sl_assert_ok(sl_digest_write_json(&d, &json));
    sl_assert_ok(sl_out_flush(&out));
    sl_digest_fini(&d);
    char *text = fake_text(&bytes);
    assert_has(
        text,
        "\"complete\":true,\"begin_s\":0,\"end_s\":7200,\"until_s\":7200,\"report_times\":3,\"steps\":5,\"trials\":19");
    assert_has(text, "\"pressure_min_m\":{\"value\":-3,\"node\":\"B\",\"time_s\":7200}");
    assert_has(text, "{\"id\":\"PU2\",\"online_s\":0,\"starts\":1,\"energy_kwh\":0,\"power_kw\":0,\"efficiency\":null");
    assert_has(text, "\"unbalanced\":1,\"first_unbalanced_s\":3600}}");
    free(text);
    sl_bytes_fini(&bytes);
    sl_summary_fini(&s);
    fake_end(&f);
}

/* Percentiles against sorted values: within a centimetre, beyond the counts the least and the greatest. */
static void test_percentiles(void **unused) {
    (void)unused;
    enum { N = 5000 };
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_percentiles p;
    static double x[N];
    sl_assert_ok(sl_percentiles_init(&p, ctx));
    assert_true(isnan(sl_percentiles_get(&p, 0.5)));
    for (int i = 0; i < N; i++) { /* every value once, from -20 m to 80 m, and one far out */
        x[i] = i < N - 1 ? -20.0 + 100.0 * i / N : 900.0;
        sl_percentiles_add(&p, x[i]);
    }
    static const int shares[] = {0, 5, 25, 50, 75, 95, 100};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        int rank = (shares[k] * N + 99) / 100;
        sl_assert_abs(sl_percentiles_get(&p, shares[k] / 100.0), x[rank > 0 ? rank - 1 : 0], 0.01);
    }
    sl_percentiles_fini(&p);
    sl_test_context_end(ctx, &memory);
}

/* An instant has a power, no energy. */
static void test_instant(void **unused) {
    (void)unused;
    fake f;
    sl_summary s;
    fake_begin(&f, model);
    sl_assert_ok(sl_summary_init(&s, f.ctx, f.net));
    f.end = 0;
    fake_open(&f, sl_summary_sink(&s));
    fake_set(&f, "link.status", "PU1", SL_STATUS_OPEN);
    fake_set(&f, "pump.power", "PU1", 12000);
    fake_set(&f, "pump.efficiency", "PU1", 0.8);
    fake_set(&f, "tank.level", "T", 0);
    fake_set(&f, "tank.level", "U", 6);
    fake_frame(&f, 0);
    fake_close(&f, true);
    char *text = text_of(&f, &s);
    assert_has(text, "two.inp: one moment simulated\n");
    assert_has(text,
               "  Tanks         T: level 0 m, empty once (0:00)\n                U: level 6 m, full once (0:00)\n");
    assert_has(text, "  Pumps         PU1: on, 12 kW, efficiency 80 %\n                PU2: off\n");
    assert_has(text, "  Energy        12 kW\n");
    assert_lacks(text, "kWh");
    free(text);
    sl_summary_fini(&s);
    fake_end(&f);
}

static void refused(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_summary s;
    sl_status status = sl_summary_init(&s, ctx, user);
    assert_int_equal(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
    sl_summary_fini(&s);
}

static void test_memory(void **unused) {
    (void)unused;
    fake f;
    fake_begin(&f, model);
    assert_int_equal(sl_test_sweep(refused, f.net), 12); /* five requests, and none; twice */
    fake_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),     cmocka_unit_test(test_end_after_last_report),
        cmocka_unit_test(test_text),        cmocka_unit_test(test_text_of_a_failed_run),
        cmocka_unit_test(test_halt),        cmocka_unit_test(test_many_tanks),
        cmocka_unit_test(test_json),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_percentiles), cmocka_unit_test(test_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
