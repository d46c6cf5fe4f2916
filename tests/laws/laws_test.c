/* SPDX-License-Identifier: MIT */
/* laws_test.c: see laws_test.h. */
#include "laws_test.h"

void laws_assert_slope(laws_fn fn, const void *user, double q, double level) {
    double step = 1e-5 * fabs(q), h, slope, up, down, unused;
    fn(q, user, &h, &slope);
    fn(q + step, user, &up, &unused);
    fn(q - step, user, &down, &unused);
    double rounding = (fabs(h) + fabs(level)) * 0x1p-52 / step;
    sl_assert_near(slope, (up - down) / ((q + step) - (q - step)), 4.0 * rounding, 1e-8);
}
