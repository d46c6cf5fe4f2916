/* SPDX-License-Identifier: MIT */
/* test_machines.c: pumps and tanks: curves through their points, affinity, constant power, level and volume. */
#include "laws_test.h"

#include "laws/constants.h"
#include "laws/pump.h"
#include "laws/tank.h"

#include <sluice/network_io.h>

typedef struct laws_net {
    sl_test_memory memory;
    sl_context *ctx;
    sl_network *net;
} laws_net;

static void begin(laws_net *n, const char *text) {
    *n = (laws_net){0};
    n->ctx = sl_test_context(&n->memory);
    sl_assert_ok(sl_inp_read(n->ctx, text, strlen(text), NULL, NULL, &n->net));
}

static void end(laws_net *n) {
    sl_network_destroy(n->net);
    sl_test_context_end(n->ctx, &n->memory);
}

#define CFS (0.3048 * 0.3048 * 0.3048)
#define LPS (CFS / 28.317) /* EPANET's litre per second, see docs/theory/units.md */

static const char pumps[] = "[JUNCTIONS]\nJ 0 1\n[RESERVOIRS]\nR 0\n"
                            "[PUMPS]\nONE R J HEAD C1\nTHREE R J HEAD C3\nTWO R J HEAD C2\nFIVE R J HEAD C5\n"
                            "LATE R J HEAD C3L\nPOWER R J POWER 12\n"
                            "[CURVES]\nC1 40 60\nC3 0 90\nC3 30 80\nC3 70 40\nC2 0 50\nC2 80 10\n"
                            "C5 0 70\nC5 10 68\nC5 25 60\nC5 40 42\nC5 50 20\n"
                            "C3L 5 60\nC3L 20 50\nC3L 40 20\n[OPTIONS]\nUNITS LPS\n[END]\n";
enum { ONE, THREE, TWO, FIVE, LATE, POWER };

typedef struct turning {
    const sl_pump_law *law;
    double w;
} turning;

static void pump(double q, const void *user, double *h, double *slope) {
    const turning *t = user;
    sl_pump_loss(t->law, t->w, q, 1e-12, h, slope);
}

static double gain(const sl_pump_law *law, double w, double q) {
    double h, slope;
    sl_pump_loss(law, w, q, 1e-12, &h, &slope);
    return -h;
}

static void test_points(void **state) {
    (void)state;
    laws_net n;
    begin(&n, pumps);
    sl_pump_law law = sl_pump_law_of(n.net, ONE);
    assert_int_equal(law.kind, SL_PUMP_POWER_LAW);
    sl_assert_rel(gain(&law, 1.0, 0.0), 1.33334 * 60.0, 1e-14); /* EPANET's 4/3 */
    sl_assert_rel(gain(&law, 1.0, 40.0 * LPS), 60.0, 1e-13);
    sl_assert_abs(gain(&law, 1.0, 80.0 * LPS), 0.0, 1e-12);
    sl_assert_rel(law.n, 2.0, 1e-4); /* 4/3, 1, 0: a parabola, but for 1.33334 */
    sl_assert_rel(law.q_max, 80.0 * LPS, 1e-13);
    law = sl_pump_law_of(n.net, THREE);
    assert_int_equal(law.kind, SL_PUMP_POWER_LAW);
    sl_assert_rel(gain(&law, 1.0, 0.0), 90.0, 1e-14);
    sl_assert_rel(gain(&law, 1.0, 30.0 * LPS), 80.0, 1e-13);
    sl_assert_rel(gain(&law, 1.0, 70.0 * LPS), 40.0, 1e-13);
    sl_assert_rel(law.n, log(50.0 / 10.0) / log(70.0 / 30.0), 1e-13);
    law = sl_pump_law_of(n.net, FIVE);
    assert_int_equal(law.kind, SL_PUMP_CUSTOM);
    const double q[] = {0, 10, 25, 40, 50}, h[] = {70, 68, 60, 42, 20};
    for (int i = 0; i < 5; i++) {
        sl_assert_abs(gain(&law, 1.0, q[i] * LPS), h[i], 1e-12);
        if (i > 0) { /* straight between */
            sl_assert_abs(gain(&law, 1.0, 0.5 * (q[i] + q[i - 1]) * LPS), 0.5 * (h[i] + h[i - 1]), 1e-12);
        }
    }
    sl_assert_abs(gain(&law, 1.0, 55.0 * LPS), 9.0, 1e-12); /* the last piece goes on: -2.2 m per L/s */
    law = sl_pump_law_of(n.net, TWO);
    assert_int_equal(law.kind, SL_PUMP_CUSTOM);
    sl_assert_abs(gain(&law, 1.0, 40.0 * LPS), 30.0, 1e-12);
    law = sl_pump_law_of(n.net, LATE); /* three points, but not from zero flow: pieces */
    assert_int_equal(law.kind, SL_PUMP_CUSTOM);
    sl_assert_abs(gain(&law, 1.0, 30.0 * LPS), 35.0, 1e-12);
    end(&n);
}

static void test_affinity(void **state) {
    (void)state;
    laws_net n;
    begin(&n, pumps);
    const double speeds[] = {0.3, 0.85, 1.0, 1.2};
    for (int32_t k = ONE; k <= LATE; k++) {
        sl_pump_law law = sl_pump_law_of(n.net, k);
        for (int i = 0; i < 4; i++) {
            double w = speeds[i];
            sl_assert_rel(sl_pump_shutoff(&law, w), w * w * law.h_max, 1e-14);
            turning t = {&law, w};
            for (double q = 1.0 * LPS; q < 45.0 * LPS; q *= 1.61) {
                sl_assert_near(gain(&law, w, w * q), w * w * gain(&law, 1.0, q), 1e-12, 1e-12);
                double piece = fabs(remainder(q / LPS, 5.0)); /* not across the points of a piecewise curve */
                if (law.kind == SL_PUMP_POWER_LAW || piece > 1e-2) {
                    laws_assert_slope(pump, &t, w * q, w * w * law.h_max);
                }
            }
        }
    }
    end(&n);
}

static void test_constant_power(void **state) {
    (void)state;
    laws_net n;
    begin(&n, pumps);
    sl_pump_law law = sl_pump_law_of(n.net, POWER);
    assert_int_equal(law.kind, SL_PUMP_CONSTANT_POWER);
    turning t = {&law, 1.0};
    double hp = 12000.0 / 745.7; /* h = 8.814 P/Q in feet, horsepower, ft3/s */
    for (double q = 1e-3; q < 1.0; q *= 2.0) {
        sl_assert_rel(gain(&law, 1.0, q), 0.3048 * 8.814 * hp / (q / CFS), 1e-13);
        laws_assert_slope(pump, &t, q, 0.0);
    }
    /* Beyond a gain of 10 km the tangent goes on, without a jump, also through zero. */
    double low = law.work / 1e4, at, slope, h;
    sl_pump_loss(&law, 1.0, low, 0.0, &at, &slope);
    sl_pump_loss(&law, 1.0, low * (1.0 - 1e-9), 0.0, &h, &slope);
    sl_assert_rel(h, at, 1e-8);
    sl_assert_rel(slope, 1e4 / low, 1e-12);
    sl_pump_loss(&law, 1.0, 0.0, 0.0, &h, &slope);
    sl_assert_rel(h, 2.0 * at, 1e-12); /* the tangent of -W/Q at Q meets zero flow at -2 W/Q */
    end(&n);
}

static const char tanks[] =
    "[JUNCTIONS]\nJ 0 1\n[TANKS]\nPLAIN 100 3 1 5 10 0\nHEEL 50 2 1 4 8 77\nCURVED 20 2 1 6 10 0 V\n"
    "[PIPES]\nP1 PLAIN J 10 100 100\nP2 HEEL J 10 100 100\nP3 CURVED J 10 100 100\n"
    "[CURVES]\nV 0 5\nV 1 12\nV 2 40\nV 4.5 90\nV 7 100\n[OPTIONS]\nUNITS LPS\n[END]\n";

static void test_cylinders(void **state) {
    (void)state;
    laws_net n;
    begin(&n, tanks);
    assert_int_equal(n.net->n_tank, 3);
    sl_tank_law law = sl_tank_law_of(n.net, 0);
    double area = SL_PI * 25.0;
    sl_assert_rel(law.v_min, area, 1e-14); /* without a volume of its own, the minimum level's */
    sl_assert_rel(law.v_max, 5.0 * area, 1e-14);
    sl_assert_rel(law.v_init, 3.0 * area, 1e-14);
    sl_assert_double(law.h_min, 101.0);
    sl_assert_double(law.h_max, 105.0);
    law = sl_tank_law_of(n.net, 1);
    area = SL_PI * 16.0;
    sl_assert_rel(law.v_min, 77.0, 1e-14);
    sl_assert_rel(law.v_max, 77.0 + 3.0 * area, 1e-14);
    for (double h = 51.0; h <= 54.0; h += 0.25) {
        double v = sl_tank_volume(&law, h);
        sl_assert_rel(v, 77.0 + area * (h - 51.0), 1e-14);
        sl_assert_rel(sl_tank_head(&law, v), h, 1e-14);
        sl_assert_rel(sl_tank_surface(&law, h), area, 1e-14);
    }
    end(&n);
}

static void test_volume_curve(void **state) {
    (void)state;
    laws_net n;
    begin(&n, tanks);
    sl_tank_law law = sl_tank_law_of(n.net, 2);
    sl_assert_rel(law.v_min, 12.0, 1e-14);
    sl_assert_rel(law.v_init, 40.0, 1e-14);
    sl_assert_rel(law.v_max, 96.0, 1e-14);                         /* level 6: 90 + 1.5 of 2.5 times 10 */
    sl_assert_rel(sl_tank_volume(&law, 20.0 + 3.25), 65.0, 1e-14); /* half way from 40 to 90 */
    for (double level = 0.05; level < 7.0; level += 0.1) {
        double v = sl_tank_volume(&law, 20.0 + level), d = 1e-4;
        sl_assert_rel(sl_tank_head(&law, v), 20.0 + level, 1e-14);
        double slope = (sl_tank_volume(&law, 20.0 + level + d) - sl_tank_volume(&law, 20.0 + level - d)) / (2.0 * d);
        if (fabs(level - 1.0) > d && fabs(level - 2.0) > d && fabs(level - 4.5) > d) {
            sl_assert_rel(sl_tank_surface(&law, 20.0 + level), slope, 1e-9); /* rounding: 1e-14 of 100 m3 over 0.2 mm */
        }
    }
    end(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),    cmocka_unit_test(test_affinity),     cmocka_unit_test(test_constant_power),
        cmocka_unit_test(test_cylinders), cmocka_unit_test(test_volume_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
