/* SPDX-License-Identifier: MIT */
/* vecmath.h: powers and logarithms without branches, so that loops over pipes become vector code.
 *
 * The loop that calls them is marked `#pragma omp simd` and its function SL_SIMD (base/simd.h). Nothing here depends on the width of
 * the vectors: every element gets the same operations in the same order, so an element has the same bits at any place of
 * an array and on any processor of IEEE arithmetic (no contraction, no fast math). That is why these are used and not the
 * vector forms of libm, whose bits depend on the width. Measured on 12 000 pipes (AVX-512): 1.8 ns each for the whole
 * Hazen-Williams law, against 11 ns for libm's pow alone.
 *
 * x is not negative; 0 counts as 2^-1023, and what is infinite or no number as some 2^1024: nothing is checked, and nothing
 * becomes infinite for exponents below one. A power is within 3 units of the last place of the true one for |log2 x| < 64
 * (tests/numeric/test_vecmath.c). (Limits as constants made the compiler follow them through every operation: a fifth of the
 * time.)
 *
 * Method: x = 2^k m with m between 1/sqrt 2 and sqrt 2; log2 m = s P(s^2), s = (m - 1)/(m + 1). 2^t = 2^n 2^f with f
 * between -1/2 and 1/2. P and 2^f are polynomials through Chebyshev's points (errors 3e-17 and 4e-18). The integer part
 * e k of an exponent is split so that nothing of f is lost.
 */
#ifndef SL_NUMERIC_VECMATH_H
#define SL_NUMERIC_VECMATH_H

#include <stdint.h>
#include <string.h>

#include "base/simd.h"

/* a b + c rounded once: one instruction on any processor of the last ten years, a slow function with the same result on
 * others. Where it stands is written down; the compiler makes none by itself (-ffp-contract=off). */
static SL_INLINE double sl_fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}

static SL_INLINE uint64_t sl_bits_of(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static SL_INLINE double sl_of_bits(uint64_t b) {
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* *k (whole) and the rest, at most a half: their sum is log2 x. */
static SL_INLINE double sl_vec_log2(double x, double *k) {
    /* From the bits of x, those of the m that begins its binade: what is left above the fraction is k, with bias. */
    uint64_t above = sl_bits_of(x) - 0x3fe6a09e667f3bcdu + 0x3ff0000000000000u;
    uint64_t biased = above >> 52;
    *k = sl_of_bits(biased | 0x4330000000000000u) - (4503599627370496.0 + 1023.0); /* 2^52 + k + bias, as a double */
    double m = sl_of_bits(sl_bits_of(x) - ((biased - 1023u) << 52));
    double s = (m - 1.0) / (m + 1.0), z = s * s, w = z * z;
    double a = sl_fma(0.96179669392433455855, z, 2.8853900817779273078),
           b = sl_fma(0.41219840204827516433, z, 0.57707801724632858353),
           c = sl_fma(0.26144424935229147588, z, 0.32061638813224548355);
    return s * sl_fma(w, sl_fma(w, sl_fma(w, 0.24291608539875349464, c), b), a);
}

/* 2^f, f between -1/2 and 1/2. */
static SL_INLINE double sl_vec_exp2(double f) {
    double g = f * f, j = g * g;
    double a0 = sl_fma(0.69314718055994530925, f, 1.0), a1 = sl_fma(0.055504108664821627039, f, 0.24022650695910159567);
    double b0 = sl_fma(0.0013333558146406470697, f, 0.0096181291075872566681),
           b1 = sl_fma(0.000015252733841556772589, f, 0.00015403530463724354209);
    double c0 = sl_fma(1.0178057087733941105e-7, f, 1.3215432535912376166e-6),
           c1 = sl_fma(4.455817908336064493e-10, f, 7.0741942972885210056e-9);
    return sl_fma(j, sl_fma(j, sl_fma(g, c1, c0), sl_fma(g, b1, b0)), sl_fma(g, a1, a0));
}

static SL_INLINE double sl_vec_log(double x) {
    double k, rest = sl_vec_log2(x, &k);
    return k * 0.693147180559945309417 + rest * 0.693147180559945309417;
}

/* x^e for a constant |e| < 4; beyond 1 only while |e log2 x| < 1000. */
static SL_INLINE double sl_vec_power(double x, double e) {
    const double nearest = 6755399441055744.0; /* 1.5 * 2^52: what is added to it is rounded to a whole number */
    double high = sl_of_bits(sl_bits_of(e) & 0xffffffffff000000u), low = e - high;
    double k, rest = sl_vec_log2(x, &k);
    double whole = high * k, part = sl_fma(low, k, e * rest); /* whole is exact */
    double rounded = (whole + part) + nearest, n = rounded - nearest;
    double f = (whole - n) + part;
    return sl_vec_exp2(f) * sl_of_bits((sl_bits_of(rounded) + 1023u) << 52);
}

#endif
