/* SPDX-License-Identifier: MIT */
/* number.h: numbers from text and to text, exact and independent of the locale.
 *
 * Reading gives the double nearest to the decimal text, as strtod would: a fast path when the digits fit
 * in 2^53 and the power of ten in 10^22 (then one rounding only), the C library's strtod in the C locale
 * else. Hexadecimal, "inf" and "nan" are not numbers here.
 */
#ifndef SL_BASE_NUMBER_H
#define SL_BASE_NUMBER_H

#include "base/bytes.h"
#include <sluice/base.h>

typedef enum sl_number {
    SL_NUMBER_OK = 0,
    SL_NUMBER_BAD,  /* not a decimal number from first to last byte */
    SL_NUMBER_RANGE /* overflows a double (*x is then +-DBL_MAX) */
} sl_number;

/* [+-] digits [. digits] [e|E [+-] digits], "5." and ".5" included; only e and E start an
 * exponent. Underflow gives 0 or a denormal and is fine. */
sl_number sl_number_parse(sl_str text, double *x);
/* The same, quicker, of a part of a longer text: up to 8 bytes that stand before it are read too, though they do not count. */
sl_number sl_number_parse_within(sl_str text, double *x);
/* A whole number within int64; SL_NUMBER_BAD if there is anything but digits and a sign. */
sl_number sl_number_parse_int(sl_str text, int64_t *x);

/* Most numbers of a model are digits, up to 8, with a point between them or none. They are taken as a word, the last character
 * highest, without a loop whose end the processor would have to guess. */

/* 10^k, exact. */
extern const double sl_pow10[23];

/* Takes the one point out of the characters of d, by moving up what is below it; other marks what is not a digit. Returns how
 * many digits stand above it, or 8 when there is anything but a point. */
static inline unsigned sl_number_take_point(uint64_t *d, uint64_t other) {
    unsigned at = (unsigned)__builtin_ctzll(other) - 7; /* bits below the point */
    if ((other & (other - 1)) || ((*d >> at) & 0xff) != ('.' ^ '0')) {
        return 8;
    }
    uint64_t below = *d & ((UINT64_C(1) << at) - 1), above = *d & -(UINT64_C(0x100) << at);
    *d = above | below << 8;
    return 7 - at / 8;
}

/* n characters, 0 < n <= 8, in the upper part of the word, whatever is below. false: not such a number, nothing is said
 * about it. */
static inline bool sl_number_parse_8(uint64_t word, size_t n, double *x) {
    const uint64_t zeros = UINT64_C(0x3030303030303030); /* "00000000" */
    if (n == 1) {                                        /* every fifth number */
        *x = (double)(int)(word >> 56) - '0';
        return (word >> 56) - '0' < 10;
    }
    uint64_t d = (word ^ zeros) & sl_upper_bytes(n), other = sl_other_than_digits(d);
    if (!other) {
        *x = (double)(int64_t)sl_value_of_digits(d);
        return true;
    }
    unsigned n_decimal = sl_number_take_point(&d, other);
    *x = (double)(int64_t)sl_value_of_digits(d) / sl_pow10[n_decimal];
    return n_decimal < 8;
}

enum { SL_NUMBER_MAX = 32 }; /* bytes enough for any number written here, with the NUL */

/* The shortest decimal of up to 17 digits that reads back as exactly x; "0.5", "1e-07", "12000000".
 * Plain notation for 1e-5 <= |x| < 1e15, else exponent. -0 is written 0. NaN and infinities must not
 * be passed (asserts). Returns the length; NUL-terminated. */
size_t sl_number_format(double x, char buf[SL_NUMBER_MAX]);
/* As for a double, but of the decimals d that satisfy convert(d) == x; convert is x = d * factor. When none of up
 * to 17 digits does, the nearest is taken and normalised, so that writing what was read is a fixed point. */
size_t sl_number_format_scaled(double x, double factor, char buf[SL_NUMBER_MAX]);
/* At most digits significant digits (1..17), trailing zeros removed. */
size_t sl_number_format_digits(double x, int digits, char buf[SL_NUMBER_MAX]);
size_t sl_number_format_int(int64_t x, char buf[SL_NUMBER_MAX]);
/* The shortest decimal m * 10^k that reads back as x > 0, of several the nearest; no zeros at the end of m. False: x is too large or
 * too small for it, beyond about 1e-31 to 1e32 (number_shortest.c). */
bool sl_number_shortest(double x, uint64_t *m, int *k);
/* m * 10^k, m < 10^19, in the form of all of these. */
size_t sl_number_layout(bool negative, uint64_t m, int k, char buf[SL_NUMBER_MAX]);

#endif
