/* SPDX-License-Identifier: MIT */
/* laws_test.h: what the tests of element laws share: the slope of a law by differences, against the one it gives. */
#ifndef LAWS_TEST_H
#define LAWS_TEST_H

#include "sl_test.h"

/* A law of one flow: its loss and slope. */
typedef void (*laws_fn)(double q, const void *user, double *h, double *slope);

/* The slope given at q is the central difference's. The step is 1e-5 of q: the difference is then off by the third
 * derivative, some 1e-10 of the slope for the powers met here, and by rounding, 2^-53 of h over 1e-5 of q, some 1e-11 of
 * h/q. level: how much of h is a constant that only adds rounding (a pump's shut-off head). */
void laws_assert_slope(laws_fn fn, const void *user, double q, double level);

#endif
