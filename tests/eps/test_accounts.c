/* SPDX-License-Identifier: MIT */
/* test_accounts.c: energy and its cost, and the books of water: by hand, and by adding up what the session shows. */
#include "eps_test.h"

/* A pump whose flow and gain are given: the demand behind it is the point of its curve. */
#define PUMPED                                                                                                       \
    "[JUNCTIONS]\nJ 0 %s\n[RESERVOIRS]\nR 10\n[PUMPS]\nU R J HEAD C %s\n[CURVES]\nC %s\nE 20 50\nE 40 70\nE 60 80\n" \
    "[PATTERNS]\nHIGH 1 2 3\nLOW 0.5 0.25\n[TIMES]\nDURATION %g\n[ENERGY]\n%s\n[OPTIONS]\nUNITS %s\n"

/* 0.05 m3/s lifted by 20 m at 75 % for an hour are 13.08 kWh: 1000 * 9.81 * 0.05 * 20 / 0.75. */
static void test_worked_example(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PUMPED, "50", "", "50 20", 1.0, "GLOBAL EFFICIENCY 75", "LPS");
    sl_assert_rel(eps_get(&r, "pump.'U'.power"), 13080.0, 2e-5); /* EPANET's litre and the tolerance of flows */
    eps_to(&r, 3600.0);
    sl_assert_abs(eps_get(&r, "pump.'U'.energy.kwh"), 13.08, 0.005);
    sl_assert_rel(eps_get(&r, "pump.'U'.energy.kwh"), 13.08, 2e-5);
    eps_end(&r);
    eps_begin(&r, PUMPED, "1.766", "", "1.766 65.6", 1.0, "GLOBAL EFFICIENCY 75", "CFS"); /* the same in ft and ft3/s */
    eps_to(&r, 3600.0);
    sl_assert_abs(eps_get(&r, "pump.'U'.energy.kwh"), 13.08, 0.005);
    eps_end(&r);
}

/* An instant counts as an hour. */
static void test_instant(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PUMPED, "50", "", "50 20", 0.0, "", "LPS");
    sl_assert_rel(eps_get(&r, "pump.'U'.energy.kwh"), 13.08, 2e-5); /* 75 % is the default */
    sl_assert_double(eps_get(&r, "pump.'U'.energy.online"), 3600.0);
    eps_end(&r);
}

static void test_efficiency_curve(void **state) {
    (void)state;
    const double flows[] = {10.0, 30.0, 50.0, 70.0}, percent[] = {50.0, 60.0, 75.0, 80.0}; /* held beyond the ends */
    for (int i = 0; i < 4; i++) {
        char demand[32], curve[32];
        snprintf(demand, sizeof demand, "%g", flows[i]);
        snprintf(curve, sizeof curve, "%g 20", flows[i]);
        eps_run r;
        eps_begin(&r, PUMPED, demand, "", curve, 2.0, "PUMP U EFFIC E", "LPS");
        eps_to(&r, 7200.0);
        double kw = 9.81 * flows[i] * EPS_LPS * 20.0 / (percent[i] / 100.0);
        sl_assert_rel(eps_get(&r, "pump.'U'.efficiency"), percent[i] / 100.0, 2e-5);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.kwh"), 2.0 * kw, 4e-5);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.peak"), kw, 4e-5);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.efficiency"), percent[i] / 100.0 * 7200.0, 2e-5);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.intensity"), kw / (flows[i] * EPS_LPS) * 7200.0, 4e-5);
        sl_assert_double(eps_get(&r, "pump.'U'.energy.online"), 7200.0);
        eps_end(&r);
    }
}

/* Sarbu and Borza: at speed w the curve is read at Q/w and what is lost grows by w^-0.1. */
static void test_speed(void **state) {
    (void)state;
    eps_run r; /* at 0.8 the point (50, 20) moves to (40, 12.8) */
    eps_begin(&r, PUMPED, "40", "SPEED 0.8", "50 20", 1.0, "PUMP U EFFIC E", "LPS");
    double e = 1.0 - (1.0 - 0.75) / pow(0.8, 0.1);
    sl_assert_rel(eps_get(&r, "pump.'U'.efficiency"), e, 2e-5);
    sl_assert_rel(eps_get(&r, "pump.'U'.power"), 9810.0 * 40.0 * EPS_LPS * 12.8 / e, 4e-5);
    eps_end(&r);
    eps_begin(&r, PUMPED, "40", "SPEED 0.8", "50 20", 1.0, "GLOBAL EFFIC 66", "LPS"); /* without a curve: as given */
    sl_assert_rel(eps_get(&r, "pump.'U'.efficiency"), 0.66, 1e-12);
    eps_end(&r);
}

/* Water is asked for in every second hour: the pump is on all the time and pumps half of it. */
static void test_idle(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PUMPED, "50 IDLE", "", "50 20", 4.0, "GLOBAL EFFIC 75\n[PATTERNS]\nIDLE 1 0", "LPS");
    for (int hour = 1; hour <= 4; hour++) {
        double pumped = (hour + 1) / 2 * 3600.0, kw = 9.81 * 50.0 * EPS_LPS * 20.0 / 0.75;
        eps_to(&r, hour * 3600.0);
        assert_int_equal(eps_status(&r, "U"), SL_STATUS_OPEN);
        sl_assert_double(eps_get(&r, "pump.'U'.energy.online"), pumped);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.efficiency"), 0.75 * pumped, 1e-12);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.intensity"), kw / (50.0 * EPS_LPS) * pumped, 4e-5);
        sl_assert_rel(eps_get(&r, "pump.'U'.energy.kwh"), kw * pumped / 3600.0, 4e-5);
    }
    eps_end(&r);
}

static void test_prices(void **state) {
    (void)state;
    /* Own price before the global one, own pattern before the global one, each for itself. */
    static const struct {
        const char *energy;
        double hours[6];
    } table[] = {
        {"GLOBAL PRICE 0.2", {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}},
        {"GLOBAL PRICE 0.2\nGLOBAL PATTERN HIGH", {0.2, 0.4, 0.6, 0.2, 0.4, 0.6}},
        {"GLOBAL PRICE 0.2\nGLOBAL PATTERN HIGH\nPUMP U PRICE 1", {1, 2, 3, 1, 2, 3}},
        {"GLOBAL PRICE 0.2\nGLOBAL PATTERN HIGH\nPUMP U PATTERN LOW", {0.1, 0.05, 0.1, 0.05, 0.1, 0.05}},
        {"GLOBAL PRICE 0.2\nGLOBAL PATTERN HIGH\nPUMP U PATTERN LOW\nPUMP U PRICE 4", {2, 1, 2, 1, 2, 1}},
        {"PUMP U PRICE 1", {1, 1, 1, 1, 1, 1}},
        {"GLOBAL PRICE 0.2\nPUMP U PRICE 0", {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        eps_run r;
        eps_begin(&r, PUMPED, "50", "", "50 20", 6.0, table[i].energy, "LPS");
        double cost = 0.0;
        for (int h = 0; h < 6; h++) {
            eps_to(&r, (h + 1) * 3600.0);
            cost += 13.08 * table[i].hours[h];
            sl_assert_rel(eps_get(&r, "pump.'U'.energy.cost"), cost, 4e-5);
        }
        eps_end(&r);
    }
}

/* The charge is for the highest power of all pumps together, not for the sum of their own peaks. */
static void test_demand_charge(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r, "[JUNCTIONS]\nJ 0 50\nK 0 50\n[RESERVOIRS]\nR 10\n[PUMPS]\nU R J HEAD C\nW R K HEAD C\n[CURVES]\nC 50 20\n"
            "[CONTROLS]\nLINK W CLOSED AT TIME 0\nLINK U CLOSED AT TIME 1\nLINK W OPEN AT TIME 1\n"
            "[TIMES]\nDURATION 2\n[ENERGY]\nDEMAND CHARGE 7\n[OPTIONS]\nUNITS LPS\n");
    eps_to(&r, 7200.0);
    sl_assert_rel(eps_get(&r, "pump.'U'.energy.peak"), 13.08, 4e-5);
    sl_assert_rel(eps_get(&r, "pump.'W'.energy.peak"), 13.08, 4e-5);
    sl_assert_rel(eps_get(&r, "energy.peak"), 13.08, 4e-5); /* one after the other */
    sl_assert_rel(eps_get(&r, "energy.demand_cost"), 7.0 * 13.08, 4e-5);
    sl_assert_double(eps_get(&r, "pump.'U'.energy.online"), 3600.0);
    eps_end(&r);
}

/* The peak stays when the power falls: 25 L/s lifted by 25 m in the first hour, half as much flow in the second. The curve
 * through one point (50, 20) is 4/3 20 - 1/3 20 (Q/50)^2. */
static void test_peak_stays(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, PUMPED, "50 LOW", "", "50 20", 2.0, "DEMAND CHARGE 7", "LPS");
    double kw = 9.81 * 25.0 * EPS_LPS * 25.0 / 0.75;
    eps_to(&r, 5400.0);
    assert_true(eps_get(&r, "pump.'U'.power") < 600.0 * kw);
    eps_to(&r, 7200.0);
    sl_assert_rel(eps_get(&r, "pump.'U'.energy.peak"), kw, 4e-5);
    sl_assert_rel(eps_get(&r, "energy.peak"), kw, 4e-5);
    sl_assert_rel(eps_get(&r, "energy.demand_cost"), 7.0 * kw, 4e-5);
    eps_end(&r);
}

/* ---- Water -------------------------------------------------------------------------------------- */

typedef struct books {
    double in, out, consumed, emitter, leak, deficit;
} books;

static const double *field(eps_run *r, const char *name) {
    int32_t n;
    const double *x = sl_session_view(r->s, sl_session_field(r->s, name), &n);
    assert_non_null(x);
    return x;
}

/* What the shown flows bring in dt. */
static books rates(eps_run *r) {
    const sl_network *net = r->net;
    const double *served = field(r, "node.consumption"), *wanted = field(r, "node.wanted"),
                 *demand = field(r, "node.demand"), *emitter = field(r, "node.emitter"), *leak = field(r, "node.leak");
    books b = {0};
    for (int32_t i = 0; i < net->n_junction; i++) {
        b.in += fmax(-served[i], 0.0);
        b.consumed += fmax(served[i], 0.0);
        b.emitter += emitter[i];
        b.leak += leak[i];
        b.deficit += fmax(wanted[i] - served[i], 0.0);
    }
    b.out = b.consumed + b.emitter + b.leak;
    for (int32_t i = net->n_junction; i < net->n_junction + net->n_reservoir; i++) {
        b.in += fmax(-demand[i], 0.0);
        b.out += fmax(demand[i], 0.0);
    }
    return b;
}

static void keep_books(const char *example, double ratio_tolerance) {
    size_t n;
    char *bytes = eps_file(example, &n);
    assert_non_null(bytes);
    eps_run r;
    eps_begin_bytes(&r, NULL, 1, bytes, n);
    free(bytes);
    books sum = {0}, now = rates(&r);
    double t = 0.0;
    while (eps_step(&r)) {
        double dt = sl_session_time(r.s) - t;
        sum.in += now.in * dt;
        sum.out += now.out * dt;
        sum.consumed += now.consumed * dt;
        sum.emitter += now.emitter * dt;
        sum.leak += now.leak * dt;
        sum.deficit += now.deficit * dt;
        now = rates(&r);
        t += dt;
    }
    double size = sum.in + sum.out;
    if (eps_said(&r, SL_CODE_STIFF_TANK, NULL) == 0) { /* else flows within steps are not those shown */
        sl_assert_abs(eps_get(&r, "balance.inflow"), sum.in, 1e-9 * size);
        sl_assert_abs(eps_get(&r, "balance.outflow") - eps_get(&r, "balance.overflow"), sum.out, 1e-9 * size);
        sl_assert_abs(eps_get(&r, "balance.consumption"), sum.consumed, 1e-9 * size);
        sl_assert_abs(eps_get(&r, "balance.emitter"), sum.emitter, 1e-9 * size);
        sl_assert_abs(eps_get(&r, "balance.leak"), sum.leak, 1e-9 * size);
        sl_assert_abs(eps_get(&r, "balance.deficit"), sum.deficit, 1e-6 * size);
    }
    double storage = 0.0;
    for (int32_t i = 0; i < r.net->n_tank; i++) {
        storage += field(&r, "tank.volume")[i];
    }
    double stored = eps_get(&r, "balance.storage"), in = eps_get(&r, "balance.inflow"),
           out = eps_get(&r, "balance.outflow");
    assert_true(storage >= stored);
    if (in + fmax(-stored, 0.0) > 0.0) { /* an instant moves nothing */
        sl_assert_rel(eps_get(&r, "balance.ratio"), (out + fmax(stored, 0.0)) / (in + fmax(-stored, 0.0)), 1e-12);
    }
    sl_assert_abs(eps_get(&r, "balance.ratio"), 1.0, ratio_tolerance);
    eps_end(&r);
}

static void test_balance(void **state) {
    (void)state;
    for (int i = 0; eps_examples[i]; i++) {
        /* Mass is solved to 1e-6 of the throughput; a tank put on its limit is within one second's flow. */
        keep_books(eps_examples[i], 1e-6);
    }
    /* No limit is met there. A dead end without loss turns the rounding of heads into some 1e-10 of 1e-2 m3/s. */
    keep_books("examples/pump-and-tank.inp", 1e-7);
}

static void test_deficit(void **state) {
    (void)state;
    eps_run r; /* half the pressure that full service needs: the square root of it is served */
    eps_begin(&r, "[JUNCTIONS]\nJ 0 1\n[RESERVOIRS]\nR 10\n[PIPES]\nP R J 1 1000 150\n"
                  "[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\nDEMAND MODEL PDA\nREQUIRED PRESSURE 20\n");
    eps_to(&r, 5.0 * 3600.0);
    double asked = 1.0 * EPS_LPS * 5.0 * 3600.0;
    sl_assert_rel(eps_get(&r, "balance.consumption"), asked * sqrt(0.5), 1e-5);
    sl_assert_rel(eps_get(&r, "balance.deficit"), asked * (1.0 - sqrt(0.5)), 2e-5);
    sl_assert_abs(eps_get(&r, "balance.ratio"), 1.0, 1e-9);
    eps_end(&r);
}

/* What a junction behind a closed pipe would bring, or take, reaches nobody: the books hold R's water only. */
static void test_cut_off(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r,
              "[JUNCTIONS]\nJ 0 1\nIN 0 -2\nOUT 0 3\n[RESERVOIRS]\nR 10\n[PIPES]\nP R J 1 1000 150\n"
              "Q J IN 1 1000 150 0 CLOSED\nS J OUT 1 1000 150 0 CLOSED\n[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\n");
    eps_to(&r, 5.0 * 3600.0);
    double served = 1.0 * EPS_LPS * 5.0 * 3600.0;
    sl_assert_rel(eps_get(&r, "balance.inflow"), served, 1e-6);
    sl_assert_rel(eps_get(&r, "balance.outflow"), served, 1e-6);
    sl_assert_rel(eps_get(&r, "balance.consumption"), served, 1e-6);
    sl_assert_rel(eps_get(&r, "balance.unserved"), 3.0 * served, 1e-6);
    sl_assert_double(eps_get(&r, "balance.deficit"), 0.0);
    sl_assert_abs(eps_get(&r, "balance.ratio"), 1.0, 1e-9);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_example),   cmocka_unit_test(test_instant),
        cmocka_unit_test(test_efficiency_curve), cmocka_unit_test(test_speed),
        cmocka_unit_test(test_prices),           cmocka_unit_test(test_idle),
        cmocka_unit_test(test_demand_charge),    cmocka_unit_test(test_peak_stays),
        cmocka_unit_test(test_cut_off),          cmocka_unit_test(test_balance),
        cmocka_unit_test(test_deficit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
