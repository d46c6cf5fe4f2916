/* SPDX-License-Identifier: MIT */
/* scalar.h: operations on numbers, one place for all who evaluate, so that a tape, a walk and a folded constant have the
 * same bits. A comparison with what is not a number is false. */
#ifndef SL_EXPR_SCALAR_H
#define SL_EXPR_SCALAR_H

#include <math.h>
#include <stdbool.h>

/* The first of equals. */
static inline double sl_min2(double a, double b) {
    return b < a ? b : a;
}
static inline double sl_max2(double a, double b) {
    return b > a ? b : a;
}
static inline double sl_sign1(double a) {
    return (double)(a > 0.0) - (double)(a < 0.0);
}
/* The sign of b, as in arithmetic modulo b. */
static inline double sl_mod2(double a, double b) {
    return a - b * floor(a / b);
}

/* Whether a power is done by multiplications: whole exponents up to 16. */
static inline bool sl_power_is_whole(double e) {
    return e == floor(e) && fabs(e) <= 16.0;
}
/* x^n, 0 <= n <= 16, by squares from the highest bit down. */
static inline double sl_power_whole(double x, int n) {
    double y = 1.0;
    for (int bit = 16; bit > 0; bit >>= 1) {
        y = y * y;
        y = (n & bit) ? y * x : y;
    }
    return y;
}
static inline double sl_pow2(double x, double e) {
    if (sl_power_is_whole(e)) {
        double y = sl_power_whole(x, (int)fabs(e));
        return e < 0.0 ? 1.0 / y : y;
    }
    return e == 0.5 ? sqrt(x) : pow(x, e);
}

#endif
