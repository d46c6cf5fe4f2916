/* SPDX-License-Identifier: MIT */
/* number_float.c: the shortest decimal that reads back as a given float.
 *
 * Results are stored as 4-byte floats. Written as the doubles they equal they would show up to 17 digits, of which nine
 * at most mean something. A float x is f * 2^e with f < 2^24; every decimal between the midpoints to its two neighbours
 * reads as x (the midpoints themselves when f is even). Both midpoints are taken at nine digits, exactly, in 128-bit
 * integers; then digits are cut off as long as a whole number is left between them.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

__extension__ typedef unsigned __int128 u128;

static const uint64_t pow10_u64[15] = {
    1u,         10u,         100u,         1000u,         10000u,         100000u,         1000000u,         10000000u,
    100000000u, 1000000000u, 10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u,
};

/* Very large, very small, denormal: by trying. */
static size_t format_slow(float x, char buf[SL_NUMBER_MAX]) {
    size_t n = 0;
    for (int digits = fabsf(x) < 1.2e-38f ? 1 : 6; digits <= 9; digits++) { /* a normal float holds any six */
        n = sl_number_format_digits((double)x, digits, buf);
        double back;
        if (sl_number_parse((sl_str){buf, n}, &back) == SL_NUMBER_OK && (float)back == x) {
            break;
        }
    }
    return n;
}

/* quarters / 4 * 2^-shift * 10^k, rounded down; *exact says that nothing was lost. */
static uint64_t scaled(uint64_t quarters, int shift, int k, bool *exact) {
    int right = shift + 2;
    u128 n = (u128)quarters * (k > 0 ? pow10_u64[k] : 1);
    u128 d = k < 0 ? pow10_u64[-k] : 1;
    if (right >= 0) {
        d <<= right;
    } else {
        n <<= -right;
    }
    uint64_t q = k < 0 ? (uint64_t)n / (uint64_t)d : (uint64_t)(right >= 0 ? n >> right : n);
    *exact = (u128)q * d == n;
    return q;
}

size_t sl_number_format_float(float x, char buf[SL_NUMBER_MAX]) {
    assert(isfinite(x));
    float a = fabsf(x);
    if (a < 16777216.0f && a == (float)(uint32_t)a) {
        return sl_number_layout(x < 0, (uint32_t)a, 0, buf);
    }
    if (!(a >= 1e-5f && a < 1e15f)) {
        return format_slow(x, buf);
    }
    uint32_t word;
    memcpy(&word, &a, sizeof word);
    uint64_t f = (word & 0x7FFFFFu) | 0x800000u;
    int shift = 150 - (int)(word >> 23);     /* a = f / 2^shift, -26 <= shift <= 40 */
    int lead = ((23 - shift) * 19728) >> 16; /* floor(log10 a) or one less: nine digits or ten */
    int k = 8 - lead;
    bool exact, inside = f % 2 == 0;
    uint64_t low = scaled(4 * f - (f == 0x800000u ? 1 : 2), shift, k, &exact);
    low += !exact || !inside;
    uint64_t high = scaled(4 * f + 2, shift, k, &exact);
    high -= exact && !inside;
    uint64_t m = scaled(4 * f, shift, k, &exact), cut = 1;
    while ((low + 9) / 10 <= high / 10) {
        low = (low + 9) / 10;
        high /= 10;
        cut *= 10;
        k--;
    }
    m = cut > 1 ? (m + cut / 2) / cut : m;
    m = m < low ? low : m > high ? high : m;
    return sl_number_layout(x < 0, m, -k, buf);
}
