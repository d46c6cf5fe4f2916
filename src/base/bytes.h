/* bytes.h: short texts as whole words, to be compared, hashed or converted at once instead of by the byte.
 *
 * The first byte is the lowest of the word on every machine. Nothing is read but the bytes named.
 */
#ifndef SL_BASE_BYTES_H
#define SL_BASE_BYTES_H

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

#endif
