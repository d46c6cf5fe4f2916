/* SPDX-License-Identifier: MIT */
/* find_byte.c: bytes in long texts. memchr is fast in some C libraries only, and a model's text is gone through three times. */
#include "base/find_byte.h"

#include "base/bytes.h"
#include "base/simd.h"

SL_SIMD(const char *, find_byte, (const char *p, const char *end, char c), (p, end, c)) {
    enum { LANE = 64, ROUND = 16 }; /* bytes looked at side by side, and how often before somebody asks */
    for (; end - p >= LANE * ROUND; p += LANE * ROUND) {
        uint8_t found[LANE] = {0};
        uint64_t words[LANE / 8], any = 0;
        for (int k = 0; k < ROUND; k++) {
#pragma omp simd
            for (int i = 0; i < LANE; i++) {
                found[i] |= (uint8_t)(p[LANE * k + i] == c);
            }
        }
        memcpy(words, found, sizeof words);
        for (int i = 0; i < LANE / 8; i++) {
            any |= words[i];
        }
        if (any) {
            break;
        }
    }
    for (; end - p >= 8; p += 8) { /* a byte of the word is 0 where it is c */
        const uint64_t each = UINT64_C(0x0101010101010101);
        uint64_t word = sl_load8(p) ^ each * (uint8_t)c;
        if ((word - each) & ~word & each * 0x80) {
            break;
        }
    }
    while (p < end && *p != c) {
        p++;
    }
    return p;
}

SL_SIMD(size_t, count_byte, (const char *p, const char *end, char c), (p, end, c)) {
    enum { LANE = 64, ROUND = 255 }; /* bytes counted side by side, as often as a byte can count */
    size_t n = 0;
    while (end - p >= LANE) {
        uint8_t count[LANE] = {0};
        ptrdiff_t n_round = (end - p) / LANE < ROUND ? (end - p) / LANE : ROUND;
        for (ptrdiff_t k = 0; k < n_round; k++, p += LANE) {
#pragma omp simd
            for (int i = 0; i < LANE; i++) {
                count[i] = (uint8_t)(count[i] + (p[i] == c));
            }
        }
        for (int i = 0; i < LANE; i++) {
            n += count[i];
        }
    }
    for (; p < end; p++) {
        n += *p == c;
    }
    return n;
}

const char *sl_find_byte(const char *p, const char *end, char c) {
    return find_byte(p, end, c);
}

size_t sl_count_byte(const char *p, const char *end, char c) {
    return count_byte(p, end, c);
}
