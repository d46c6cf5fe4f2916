/* SPDX-License-Identifier: MIT */
/* number.c: decimal text to double and back, correctly rounded and without the C library's locale.
 *
 * Both ways have an exact fast road in 128-bit integers. A double is f * 2^e with f < 2^53; a decimal is
 * m * 10^k with m < 10^19. For the powers of ten below 2^64 the product m * 10^k and the quotient m / 10^-k
 * are at hand exactly (the quotient with its remainder), so one rounding decides. What is outside (very
 * large or small numbers, more than 19 digits) goes through strtod and snprintf, in forms that have no
 * decimal point to read or whose point is skipped, so that the locale of the host program has no say.
 */
#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

__extension__ typedef unsigned __int128 u128;

static const uint64_t pow10_u64[20] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

/* 10^22 is the largest power of ten that a double holds exactly. */
const double sl_pow10[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t exact_int = UINT64_C(1) << 53; /* every whole number up to here is a double */

/* ---- Reading ------------------------------------------------------------------------------------ */

/* The double nearest to v * 2^e, ties to even; sticky says that a little more follows. v has more than 53
 * bits and the result is a normal number. */
static double round_u128(u128 v, int e, bool sticky) {
    uint64_t hi = (uint64_t)(v >> 64);
    int bits = hi ? 128 - __builtin_clzll(hi) : 64 - __builtin_clzll((uint64_t)v);
    int drop = bits - 53;
    assert(drop > 0);
    uint64_t top = (uint64_t)(v >> drop);
    u128 rest = v & (((u128)1 << drop) - 1);
    u128 half = (u128)1 << (drop - 1);
    if (rest > half || (rest == half && (sticky || (top & 1)))) {
        top++;
    }
    uint64_t exponent = (uint64_t)(e + drop + 52 + 1023);
    uint64_t word = (exponent << 52) + (top - (UINT64_C(1) << 52)); /* a carry to 2^53 moves on by itself */
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

/* Nearest double to m * 10^k for -19 <= k <= 19, 0 < m < 10^19. */
static double scale_exact(uint64_t m, int k) {
    if (m <= exact_int) { /* the common case: two exact doubles, one rounding */
        return k < 0 ? (double)m / sl_pow10[-k] : (double)m * sl_pow10[k];
    }
    if (k >= 0) {
        return round_u128((u128)m * pow10_u64[k], 0, false);
    }
    uint64_t d = pow10_u64[-k];
    int sm = __builtin_clzll(m);
    int sd = __builtin_clzll(d);
    u128 n = (u128)(m << sm) << 63; /* both normalised: the quotient has 63 or 64 bits */
    d <<= sd;
    u128 q = n / d;
    return round_u128(q, sd - sm - 63, q * d != n);
}

/* The parts of a decimal number in text. */
typedef struct decimal {
    const char *digits; /* from the first digit or point */
    const char *end;    /* after the last digit or point */
    uint64_t m;         /* value of the first 19 significant digits */
    int64_t n_digit;    /* significant digits, that is without leading zeros */
    int64_t exponent;   /* of ten, for all digits taken as a whole number */
    bool negative;
} decimal;

/* Eight characters as the next digits of m. False: they are not digits. */
static bool take_8_digits(const char *p, uint64_t *m) {
    uint64_t d = sl_load8(p) ^ UINT64_C(0x3030303030303030); /* "00000000" */
    if (sl_other_than_digits(d)) {
        return false;
    }
    *m = *m * 100000000 + sl_value_of_digits(d);
    return true;
}

static bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Exponent digits; saturates far beyond what a double or any memory can hold. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent) {
    bool negative = false;
    if (p < end && (*p == '+' || *p == '-')) {
        negative = *p++ == '-';
    }
    if (p == end || !is_digit(*p)) {
        return NULL;
    }
    int64_t e = 0;
    for (; p < end && is_digit(*p); p++) {
        if (e < INT64_C(100000000000000000)) {
            e = e * 10 + (*p - '0');
        }
    }
    *exponent += negative ? -e : e;
    return p;
}

static bool scan(sl_str text, decimal *d) {
    *d = (decimal){0};
    if (text.len == 0) {
        return false;
    }
    const char *p = text.ptr;
    const char *end = p + text.len;
    if (*p == '+' || *p == '-') {
        d->negative = *p++ == '-';
    }
    d->digits = p;
    uint64_t m = 0;
    int64_t n = 0;
    const char *point = NULL;
    for (; p < end; p++) {
        if (n > 0 && n <= 11 && end - p >= 8 && take_8_digits(p, &m)) {
            n += 8;
            p += 7;
        } else if (is_digit(*p)) {
            n += (n > 0) | (*p != '0');
            if (n <= 19) {
                m = m * 10 + (uint64_t)(*p - '0');
            }
        } else if (*p == '.' && !point) {
            point = p;
        } else {
            break;
        }
    }
    d->end = p;
    if (p - d->digits - (point != NULL) <= 0) {
        return false;
    }
    d->m = m;
    d->n_digit = n;
    d->exponent = point ? -(int64_t)(p - point - 1) : 0;
    if (p < end) {
        if (*p != 'e' && *p != 'E') {
            return false;
        }
        p = scan_exponent(p + 1, end, &d->exponent);
    }
    return p == end;
}

/* Any number of digits, any exponent. A double is decided by its first 767 significant digits and whether
 * anything follows; they are written as a whole number with an exponent, which no locale reads differently. */
static sl_number parse_slow(const decimal *d, double *x) {
    enum { KEPT = 780 };
    char buf[KEPT + 32];
    size_t n = 0;
    int64_t left = d->n_digit;
    bool more = false;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.' || (n == 0 && *p == '0')) {
            continue;
        }
        if (n < KEPT) {
            buf[n++] = *p;
            left--;
        } else if (*p != '0') {
            more = true;
            break;
        }
    }
    int64_t exponent = d->exponent + left;
    if (more) {
        buf[n++] = '1';
        exponent--;
    }
    if (exponent > 99999 || exponent < -99999) {
        exponent = exponent > 0 ? 99999 : -99999;
    }
    snprintf(buf + n, sizeof buf - n, "e%d", (int)exponent);
    int saved = errno; /* strtod reports underflow there, which is none of the caller's business */
    double v = strtod(buf, NULL);
    errno = saved;
    sl_number status = SL_NUMBER_OK;
    if (isinf(v)) {
        v = DBL_MAX;
        status = SL_NUMBER_RANGE;
    }
    *x = d->negative ? -v : v;
    return status;
}

/* Up to 16 characters without an exponent, by words of 8 as in number.h. false: not one of these, nothing is said about it. */

/* 8 < n <= 16. */
static inline bool parse_16(const char *p, size_t n, double *x) {
    const uint64_t zeros = UINT64_C(0x3030303030303030); /* "00000000" */
    unsigned rest = 128 - 8 * (unsigned)n;
    uint64_t low = (sl_load8(p) ^ zeros) << rest, high = sl_load8(p + n - 8) ^ zeros;
    uint64_t other_low = sl_other_than_digits(low), other_high = sl_other_than_digits(high);
    unsigned n_decimal = 0;
    if (other_high) {
        n_decimal = other_low ? 8 : sl_number_take_point(&high, other_high);
        if (n_decimal == 8) {
            return false;
        }
        high |= low >> 56;
        low <<= 8;
    } else if (other_low) {
        n_decimal = 8 + sl_number_take_point(&low, other_low);
        if (n_decimal == 16) {
            return false;
        }
    }
    uint64_t m = sl_value_of_digits(low) * 100000000 + sl_value_of_digits(high);
    *x = (double)(int64_t)m / sl_pow10[n_decimal];
    return m <= exact_int;
}

/* within: the 8 bytes before the end of text can be read. */
static inline bool parse_short(sl_str text, bool within, double *x) {
    size_t negative = text.len > 1 && text.ptr[0] == '-', n = text.len - negative;
    const char *p = text.ptr + negative;
    double v;
    if (n > 16 || n == 0) {
        return false;
    }
    if (n > 8) {
        if (!parse_16(p, n, &v)) {
            return false;
        }
    } else if (!sl_number_parse_8(within ? sl_load8(p + n - 8) : sl_last_word(p, n), n, &v)) {
        return false;
    }
    *x = negative ? -v : v;
    return true;
}

/* Everything else. A function of its own, so that the short way has nothing to save. */
__attribute__((noinline)) static sl_number parse_any(sl_str text, double *x) {
    decimal d;
    *x = 0;
    if (!scan(text, &d)) {
        return SL_NUMBER_BAD;
    }
    double v = 0;
    if (d.n_digit > 0) {
        bool fits = d.n_digit <= 19;
        if (fits && d.m <= exact_int && d.exponent >= -22 && d.exponent <= 22) {
            int k = (int)d.exponent;
            v = k < 0 ? (double)d.m / sl_pow10[-k] : (double)d.m * sl_pow10[k];
        } else if (fits && d.exponent >= -19 && d.exponent <= 19) {
            v = scale_exact(d.m, (int)d.exponent);
        } else {
            return parse_slow(&d, x);
        }
    }
    *x = d.negative ? -v : v;
    return SL_NUMBER_OK;
}

sl_number sl_number_parse(sl_str text, double *x) {
    return parse_short(text, false, x) ? SL_NUMBER_OK : parse_any(text, x);
}

sl_number sl_number_parse_within(sl_str text, double *x) {
    return parse_short(text, true, x) ? SL_NUMBER_OK : parse_any(text, x);
}

sl_number sl_number_parse_int(sl_str text, int64_t *x) {
    *x = 0;
    if (text.len == 0) {
        return SL_NUMBER_BAD;
    }
    const char *p = text.ptr;
    const char *end = p + text.len;
    bool negative = false;
    if (*p == '+' || *p == '-') {
        negative = *p++ == '-';
    }
    if (p == end) {
        return SL_NUMBER_BAD;
    }
    uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t v = 0;
    bool over = false;
    for (; p < end; p++) {
        if (!is_digit(*p)) {
            return SL_NUMBER_BAD;
        }
        uint64_t digit = (uint64_t)(*p - '0');
        if (v > (limit - digit) / 10) {
            over = true;
        } else {
            v = v * 10 + digit;
        }
    }
    if (over) {
        *x = negative ? INT64_MIN : INT64_MAX;
        return SL_NUMBER_RANGE;
    }
    *x = negative ? (int64_t)(0 - v) : (int64_t)v;
    return SL_NUMBER_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* A decimal of a fixed number of digits: m * 10^k. */
typedef struct rounded {
    uint64_t m;
    int k;
} rounded;

/* x > 0 to n digits by the C library; a foreign decimal point is skipped. */
static rounded round_slow(double x, int n) {
    char buf[64];
    snprintf(buf, sizeof buf, "%.*e", n - 1, x);
    rounded r = {0, 0};
    const char *p = buf;
    for (; *p != 'e'; p++) {
        if (is_digit(*p)) {
            r.m = r.m * 10 + (uint64_t)(*p - '0');
        }
    }
    r.k = atoi(p + 1) - (n - 1);
    return r;
}

/* x > 0 to n digits (1..17), exact value rounded to nearest, ties to even. */
static rounded round_digits(double x, int n) {
    if (!(x >= 1e-5 && x < 1e15)) {
        return round_slow(x, n);
    }
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    uint64_t f = (word & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int shift = 1075 - (int)(word >> 52);    /* x = f / 2^shift, 3 <= shift <= 69 */
    int lead = ((52 - shift) * 19728) >> 16; /* log10(2) = 19728 / 65536: floor(log10 x) or one less */
    /* Too many digits, because lead was one less or rounding carried: one decimal place fewer. */
    for (int k = n - 1 - lead; k <= 19; k--) {
        u128 num = k >= 0 ? (u128)f * pow10_u64[k] : f; /* below 2^117 */
        u128 den = (u128)(k >= 0 ? 1 : pow10_u64[-k]) << shift;
        uint64_t m = (uint64_t)(k >= 0 ? num >> shift : num / den);
        u128 rest = num - m * den;
        m += 2 * rest > den || (2 * rest == den && (m & 1));
        if (m < pow10_u64[n]) {
            return (rounded){m, -k};
        }
    }
    return round_slow(x, n);
}

/* The double that m * 10^k reads as. */
static double value_of(rounded r) {
    if (r.k >= -19 && r.k <= 19) {
        return scale_exact(r.m, r.k);
    }
    decimal d = {0};
    char digits[SL_NUMBER_MAX];
    d.digits = digits;
    d.n_digit = (int64_t)sl_number_format_int((int64_t)r.m, digits);
    d.end = digits + d.n_digit;
    d.exponent = r.k;
    double x;
    return parse_slow(&d, &x) == SL_NUMBER_OK ? x : (double)INFINITY;
}

/* For decimals with few places: the least k in 0..9 for which a whole m < 2^53 has m / 10^k * factor == x.
 * q is x / factor. */
static bool few_places(double q, double x, double factor, rounded *out) {
    if (!(q >= 1e-5 && q < 1e15)) {
        return false;
    }
    for (int k = 0; k <= 9; k++) {
        double scaled = q * sl_pow10[k];
        if (scaled > 9007199254740991.0) {
            return false;
        }
        /* Nearest whole number; the product and q carry a rounding each, so it need not be whole itself. The
         * first test spares the division. */
        double m = (double)(int64_t)(scaled + 0.5);
        if (fabs(scaled - m) <= scaled * 1e-15 && m / sl_pow10[k] * factor == x) {
            *out = (rounded){(uint64_t)m, -k};
            return true;
        }
    }
    return false;
}

static rounded shortest(double x) {
    rounded r;
    if (x < 1e15 && x == (double)(int64_t)x) {
        return (rounded){(uint64_t)x, 0};
    }
    if (sl_number_shortest(x, &r.m, &r.k)) {
        return r;
    }
    /* A normal double holds any 15 digits, so fewer need not be tried: their zeros fall off. */
    for (int n = x < DBL_MIN ? 1 : 15; n < 17; n++) {
        r = round_digits(x, n);
        if (value_of(r) == x) {
            return r;
        }
    }
    return round_digits(x, 17);
}

size_t sl_number_format(double x, char buf[SL_NUMBER_MAX]) {
    assert(isfinite(x));
    if (x == 0) {
        return sl_number_layout(false, 0, 0, buf);
    }
    rounded r = shortest(fabs(x));
    return sl_number_layout(x < 0, r.m, r.k, buf);
}

/* Decimals that times factor give x > 0 exactly, the shortest found. */
static bool shortest_scaled(double x, double factor, rounded *r) {
    double q = x / factor;
    if (!(q > 0 && q <= DBL_MAX)) {
        return false;
    }
    if (few_places(q, x, factor, r)) {
        return true;
    }
    for (int n = 15; n <= 17; n++) {
        *r = round_digits(q, n);
        if (value_of(*r) * factor == x) {
            return true;
        }
    }
    /* The quotient was rounded: a neighbour may be the one that multiplies back. */
    double below = nextafter(q, 0);
    double above = nextafter(q, DBL_MAX);
    if (above * factor == x || below * factor == x) {
        *r = shortest(above * factor == x ? above : below);
        return true;
    }
    return false;
}

size_t sl_number_format_scaled(double x, double factor, char buf[SL_NUMBER_MAX]) {
    assert(isfinite(x) && isfinite(factor) && factor > 0);
    if (x == 0) {
        return sl_number_layout(false, 0, 0, buf);
    }
    rounded r;
    double a = fabs(x);
    if (!shortest_scaled(a, factor, &r)) {
        /* No decimal reads as x. The nearest one reads as x'; writing x' must give the same text, so x' is
         * what is written from the start. */
        double q = a / factor;
        if (!(q <= DBL_MAX)) {
            q = DBL_MAX;
        }
        if (q == 0) {
            return sl_number_layout(false, 0, 0, buf);
        }
        double again = q * factor;
        if (!(again > 0 && isfinite(again)) || !shortest_scaled(again, factor, &r)) {
            r = shortest(q);
        }
    }
    return sl_number_layout(x < 0, r.m, r.k, buf);
}

size_t sl_number_format_digits(double x, int digits, char buf[SL_NUMBER_MAX]) {
    assert(isfinite(x) && digits >= 1 && digits <= 17);
    if (x == 0) {
        return sl_number_layout(false, 0, 0, buf);
    }
    rounded r = round_digits(fabs(x), digits);
    return sl_number_layout(x < 0, r.m, r.k, buf);
}
