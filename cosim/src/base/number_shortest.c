/* SPDX-License-Identifier: MIT */
/* number_shortest.c: the shortest decimal that reads back as a given double, by the method of R. Giulietti ("The Schubfach way to
 * render doubles", 2020): no digits are tried, nothing is divided but by constants.
 *
 * x = c * 2^q lies in an interval whose decimals all read as x. With 10^k the largest power of ten below the width of the interval, the
 * interval holds one or more of the numbers s * 10^k, and perhaps one of those times ten, which is then the shortest. The ends of the
 * interval and x are compared with them in units of 10^k / 4, of which a rounded product with a 128-bit power of ten keeps enough.
 */
#include "base/number.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum { FIRST_POWER = -16, LAST_POWER = 47 }; /* decimals of about 1e-31 to 1e32 */

/* 10^i * 2^b rounded up, with b such that the highest bit of 128 is set: high word, low word. */
static const uint64_t powers[LAST_POWER - FIRST_POWER + 1][2] = {
    {0xe69594bec44de15b, 0x4c2ebe687989a9b4}, {0x901d7cf73ab0acd9, 0x0f9d37014bf60a11},
    {0xb424dc35095cd80f, 0x538484c19ef38c95}, {0xe12e13424bb40e13, 0x2865a5f206b06fba},
    {0x8cbccc096f5088cb, 0xf93f87b7442e45d4}, {0xafebff0bcb24aafe, 0xf78f69a51539d749},
    {0xdbe6fecebdedd5be, 0xb573440e5a884d1c}, {0x89705f4136b4a597, 0x31680a88f8953031},
    {0xabcc77118461cefc, 0xfdc20d2b36ba7c3e}, {0xd6bf94d5e57a42bc, 0x3d32907604691b4d},
    {0x8637bd05af6c69b5, 0xa63f9a49c2c1b110}, {0xa7c5ac471b478423, 0x0fcf80dc33721d54},
    {0xd1b71758e219652b, 0xd3c36113404ea4a9}, {0x83126e978d4fdf3b, 0x645a1cac083126ea},
    {0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4}, {0xcccccccccccccccc, 0xcccccccccccccccd},
    {0x8000000000000000, 0x0000000000000000}, {0xa000000000000000, 0x0000000000000000},
    {0xc800000000000000, 0x0000000000000000}, {0xfa00000000000000, 0x0000000000000000},
    {0x9c40000000000000, 0x0000000000000000}, {0xc350000000000000, 0x0000000000000000},
    {0xf424000000000000, 0x0000000000000000}, {0x9896800000000000, 0x0000000000000000},
    {0xbebc200000000000, 0x0000000000000000}, {0xee6b280000000000, 0x0000000000000000},
    {0x9502f90000000000, 0x0000000000000000}, {0xba43b74000000000, 0x0000000000000000},
    {0xe8d4a51000000000, 0x0000000000000000}, {0x9184e72a00000000, 0x0000000000000000},
    {0xb5e620f480000000, 0x0000000000000000}, {0xe35fa931a0000000, 0x0000000000000000},
    {0x8e1bc9bf04000000, 0x0000000000000000}, {0xb1a2bc2ec5000000, 0x0000000000000000},
    {0xde0b6b3a76400000, 0x0000000000000000}, {0x8ac7230489e80000, 0x0000000000000000},
    {0xad78ebc5ac620000, 0x0000000000000000}, {0xd8d726b7177a8000, 0x0000000000000000},
    {0x878678326eac9000, 0x0000000000000000}, {0xa968163f0a57b400, 0x0000000000000000},
    {0xd3c21bcecceda100, 0x0000000000000000}, {0x84595161401484a0, 0x0000000000000000},
    {0xa56fa5b99019a5c8, 0x0000000000000000}, {0xcecb8f27f4200f3a, 0x0000000000000000},
    {0x813f3978f8940984, 0x4000000000000000}, {0xa18f07d736b90be5, 0x5000000000000000},
    {0xc9f2c9cd04674ede, 0xa400000000000000}, {0xfc6f7c4045812296, 0x4d00000000000000},
    {0x9dc5ada82b70b59d, 0xf020000000000000}, {0xc5371912364ce305, 0x6c28000000000000},
    {0xf684df56c3e01bc6, 0xc732000000000000}, {0x9a130b963a6c115c, 0x3c7f400000000000},
    {0xc097ce7bc90715b3, 0x4b9f100000000000}, {0xf0bdc21abb48db20, 0x1e86d40000000000},
    {0x96769950b50d88f4, 0x1314448000000000}, {0xbc143fa4e250eb31, 0x17d955a000000000},
    {0xeb194f8e1ae525fd, 0x5dcfab0800000000}, {0x92efd1b8d0cf37be, 0x5aa1cae500000000},
    {0xb7abc627050305ad, 0xf14a3d9e40000000}, {0xe596b7b0c643c719, 0x6d9ccd05d0000000},
    {0x8f7e32ce7bea5c6f, 0xe4820023a2000000}, {0xb35dbf821ae4f38b, 0xdda2802c8a800000},
    {0xe0352f62a19e306e, 0xd50b2037ad200000}, {0x8c213d9da502de45, 0x4526f422cc340000},
};

/* floor(log2(10^i)), |i| < 1233. */
static int log2_pow10(int i) {
    return (int)((int64_t)i * 1741647 >> 19);
}

/* The high word of g * x / 2^64; its lowest bit says that something is lost, too. */
static uint64_t multiply_to_odd(const uint64_t g[2], uint64_t x) {
    uint64_t low = (uint64_t)((u128)g[1] * x >> 64);
    u128 high = (u128)g[0] * x + low;
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Zeros at the end of m go into k. */
static void strip_zeros(uint64_t *m, int *k) {
    if (*m % 100000000 == 0) {
        *m /= 100000000;
        *k += 8;
    }
    while (*m % 10 == 0) {
        *m /= 10;
        *k += 1;
    }
}

bool sl_number_shortest(double x, uint64_t *m, int *k10) {
    const uint64_t hidden = UINT64_C(1) << 52;
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    uint64_t fraction = word & (hidden - 1);
    int exponent = (int)(word >> 52), q = exponent - 1075;
    bool narrow = fraction == 0; /* the neighbour below is nearer */
    int k = (int)(((int64_t)q * 1262611 - (narrow ? 524031 : 0)) >> 22);
    if (exponent == 0 || -k < FIRST_POWER || -k > LAST_POWER) {
        return false;
    }
    uint64_t c = hidden | fraction;
    uint64_t outside = c & 1; /* the ends themselves read as x when c is even */
    int h = q + log2_pow10(-k) + 1;
    const uint64_t *g = powers[-k - FIRST_POWER];
    uint64_t low = multiply_to_odd(g, (4 * c - 2 + narrow) << h) + outside;
    uint64_t high = multiply_to_odd(g, (4 * c + 2) << h) - outside;
    uint64_t v = multiply_to_odd(g, (4 * c) << h), s = v / 4, ten = s / 10;
    bool below = low <= 40 * ten, above = 40 * ten + 40 <= high;
    *k10 = k;
    if (below != above) {
        *m = ten + above;
        *k10 = k + 1;
        strip_zeros(m, k10);
        return true;
    }
    below = low <= 4 * s;
    above = 4 * s + 4 <= high;
    bool up = v > 4 * s + 2 || (v == 4 * s + 2 && (s & 1));
    *m = s + (below != above ? above : up);
    return true;
}
