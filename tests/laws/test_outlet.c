/* SPDX-License-Identifier: MIT */
/* test_outlet.c: emitters, leaks and demands under pressure: flow over pressure and loss over flow are inverse to each
 * other, slopes are right, and the given formulas hold. */
#include "laws_test.h"

#include "laws/outlet.h"

static const double exponents[] = {0.5, 0.75, 1.0, 1.18, 1.5};
enum { N_EXPONENT = 5 };

static void outlet(double q, const void *user, double *h, double *slope) {
    sl_outlet_loss(user, q, h, slope);
}

static void test_power(void **state) {
    (void)state;
    for (int i = 0; i < N_EXPONENT; i++) {
        for (double c = 1e-6; c < 1.0; c *= 30.0) {
            sl_outlet_law law = sl_outlet_power(c, exponents[i], true);
            for (double p = 1e-7; p < 1e3; p *= 2.7) {
                double q = sl_outlet_flow(&law, p), h, slope;
                if (p > 1e-4) { /* above the chord: the formula itself */
                    sl_assert_rel(q, c * pow(p, exponents[i]), 1e-13);
                }
                sl_outlet_loss(&law, q, &h, &slope);
                sl_assert_rel(h, p, 1e-12);
                sl_assert_rel(sl_outlet_flow(&law, -p), -q, 1e-15);
                sl_outlet_loss(&law, -q, &h, &slope);
                sl_assert_rel(h, -p, 1e-12);
                if (fabs(p / 1e-4 - 1.0) > 1e-3) {
                    laws_assert_slope(outlet, &law, q, 0.0);
                    laws_assert_slope(outlet, &law, -q, 0.0);
                }
            }
            double at, above, slope;
            sl_outlet_loss(&law, law.linear, &at, &slope);
            sl_outlet_loss(&law, law.linear * (1.0 + 1e-12), &above, &slope);
            sl_assert_rel(at, 1e-4, 1e-13); /* the chord ends at a tenth of a millimetre */
            sl_assert_rel(above, at, 1e-11);
        }
    }
}

static void test_one_way(void **state) {
    (void)state;
    sl_outlet_law law = sl_outlet_power(2e-3, 0.5, false);
    double h, slope;
    sl_assert_double(sl_outlet_flow(&law, -20.0), 0.0);
    sl_outlet_loss(&law, -1e-6 * 2e-3, &h, &slope);
    sl_assert_rel(h, -1e3, 1e-12); /* a thousand metres for a millionth of its flow at 1 m: nothing comes back */
    sl_assert_rel(slope, h / (-1e-6 * 2e-3), 1e-12);
}

typedef struct demand {
    double full, range, g;
} demand;

static void demand_loss(double q, const void *user, double *h, double *slope) {
    const demand *d = user;
    const sl_demand_law law = sl_demand_law_of(d->range, d->g);
    sl_demand_loss(&law, d->full, q, h, slope);
}

static void test_wagner(void **state) {
    (void)state;
    for (int i = 0; i < N_EXPONENT; i++) {
        for (double range = 0.1; range < 100.0; range *= 5.0) {
            demand d = {.full = 7e-3, .range = range, .g = exponents[i]};
            const sl_demand_law law = sl_demand_law_of(range, d.g);
            for (double share = 1e-3; share < 1.0; share *= 1.9) {
                double q = d.full * pow(share, d.g), h, slope;
                sl_demand_loss(&law, d.full, q, &h, &slope);
                if (share * range > 1e-4) {
                    sl_assert_rel(h, share * range, 1e-12);
                }
                if (fabs(share * range / 1e-4 - 1.0) > 1e-3) {
                    laws_assert_slope(demand_loss, &d, q, 0.0);
                }
                sl_assert_rel(sl_demand_flow(&law, d.full, h), q, 1e-12); /* and back */
            }
            double h, slope;
            sl_demand_loss(&law, d.full, d.full, &h, &slope);
            sl_assert_rel(h, range, 1e-15);
            sl_demand_loss(&law, d.full, d.full * (1.0 - 1e-12), &h, &slope);
            sl_assert_rel(h, range, 1e-11); /* no jump at the full demand, and a wall behind it */
            sl_demand_loss(&law, d.full, d.full * (1.0 + 1e-6), &h, &slope);
            sl_assert_rel(h, range + 1e3, 1e-9); /* a thousand metres for a millionth more than is asked for */
            sl_assert_rel(sl_demand_flow(&law, d.full, h), d.full * (1.0 + 1e-6), 1e-12);
            sl_demand_loss(&law, d.full, -1e-6 * d.full, &h, &slope);
            sl_assert_rel(h, -1e3, 1e-12);
            sl_assert_rel(sl_demand_flow(&law, d.full, h), -1e-6 * d.full, 1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_wagner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
