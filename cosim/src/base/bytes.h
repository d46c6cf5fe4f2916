/* SPDX-License-Identifier: MIT */
/* bytes.h: short texts as whole words, to be compared, hashed or converted at once instead of by the byte.
 *
 * The first byte is the lowest of the word on every machine. Nothing is read but the bytes named.
 *
 * Lengths of tokens follow no order that a processor could learn, and a branch on them costs as much as twenty
 * instructions. So what is part of a longer text is taken with the bytes before it, which are then masked.
 */
#ifndef SL_BASE_BYTES_H
#define SL_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sl_load8(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void sl_store8(char *p, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, sizeof word);
}

static inline uint64_t sl_load4(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

/* The n bytes at p, 0 <= n <= 8, zeros above them: in pieces that may overlap. */
static inline uint64_t sl_load_up_to_8(const char *p, size_t n) {
    if (n >= 4) {
        return sl_load4(p) | sl_load4(p + n - 4) << (8 * (n - 4));
    }
    if (n == 0) {
        return 0;
    }
    uint64_t first = (unsigned char)p[0], middle = (unsigned char)p[n >> 1], last = (unsigned char)p[n - 1];
    return first | middle << (8 * (n >> 1)) | last << (8 * (n - 1));
}

/* The last of the n bytes at p, up to 8, in the upper part of the word, the last one highest; zeros below them. */
static inline uint64_t sl_last_word(const char *p, size_t n) {
    return n >= 8 ? sl_load8(p + n - 8) : n > 0 ? sl_load_up_to_8(p, n) << (64 - 8 * n) : 0;
}

/* Ones in the upper n bytes, n <= 8. */
static inline uint64_t sl_upper_bytes(size_t n) {
    static const uint64_t ones[9] = {0,
                                     UINT64_C(0xff00000000000000),
                                     UINT64_C(0xffff000000000000),
                                     UINT64_C(0xffffff0000000000),
                                     UINT64_C(0xffffffff00000000),
                                     UINT64_C(0xffffffffff000000),
                                     UINT64_C(0xffffffffffff0000),
                                     UINT64_C(0xffffffffffffff00),
                                     UINT64_MAX};
    return ones[n];
}

/* The same where 8 bytes can be read that end with them, also when they are fewer. */
static inline uint64_t sl_last_word_within(const char *p, size_t n) {
    return sl_load8(p + n - 8) & sl_upper_bytes(n < 8 ? n : 8);
}

/* Of 8 characters less '0' (exclusive or), the top bit of each byte that is not a digit. */
static inline uint64_t sl_other_than_digits(uint64_t d) {
    const uint64_t each = UINT64_C(0x0101010101010101);
    return (((d & (each * 0x7f)) + each * 0x76) | d) & (each * 0x80);
}

/* The number of 8 digits, values in bytes, the last one highest: pairs, and then all at once. */
static inline uint64_t sl_value_of_digits(uint64_t d) {
    const uint64_t pair = UINT64_C(0x000000FF000000FF);
    d = d * 10 + (d >> 8);
    d = (d & pair) * (100 + (UINT64_C(1000000) << 32)) + ((d >> 16) & pair) * (1 + (UINT64_C(10000) << 32));
    return d >> 32;
}

/* Are n bytes the same? By words; memcmp is fast in some C libraries only, and in none for a few bytes. */
static inline bool sl_same_bytes(const void *a, const void *b, size_t n) {
    const char *p = a, *q = b;
    if (n < 8) {
        return sl_load_up_to_8(p, n) == sl_load_up_to_8(q, n);
    }
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t differ = 0;
        for (size_t k = 0; k < 64; k += 8) {
            differ |= sl_load8(p + i + k) ^ sl_load8(q + i + k);
        }
        if (differ) {
            return false;
        }
    }
    for (; i + 8 <= n; i += 8) {
        if (sl_load8(p + i) != sl_load8(q + i)) {
            return false;
        }
    }
    return sl_load8(p + n - 8) == sl_load8(q + n - 8);
}

#endif
