/* number_short.c: reading the numbers that files are full of: up to 16 characters, no exponent.
 *
 * Their digits, taken as a whole number up to 2^53, and their power of ten are doubles without error, so one division
 * rounds correctly. Where vectors of 16 bytes exist, all characters are looked at together: the point is found and closed
 * up, digits are checked, and neighbours joined to pairs, fours and eights; which takes half the instructions of a loop, and
 * no branch that the processor has to guess. Everything else goes to number.c.
 */
#include "base/bytes.h"
#include "base/number.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MOST = 16 };

static const double pow10_f64[MOST] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

#ifdef __SSE2__
/* The bytes before byte k are those of the 16 at edge + 16 - k that are set. */
static const uint8_t edge[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

static inline __m128i before(int k) {
    return _mm_loadu_si128((const __m128i *)(const void *)(edge + 16 - k));
}

/* n characters, 1 <= n <= 16: the digits as a whole number, and how many stand behind a point. false: something else. */
static inline bool read_digits(const char *p, size_t n, int64_t *m, int *places) {
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    uint64_t high = 0, low;
    if (n <= 8) {
        low = (sl_load_up_to_8(p, n) ^ zeros) << (8 * (8 - n));
    } else {
        high = (sl_load8(p) ^ zeros) << (8 * (16 - n));
        low = sl_load8(p + n - 8) ^ zeros;
    }
    __m128i d =
        _mm_set_epi64x((int64_t)low, (int64_t)high); /* the last character is the last byte, zeros come before */
    int point = _mm_movemask_epi8(_mm_cmpeq_epi8(d, _mm_set1_epi8('.' ^ '0')));
    *places = 0;
    if (point) {
        int k = __builtin_ctz((unsigned)point);
        d = _mm_or_si128(_mm_andnot_si128(before(k + 1), d), _mm_slli_si128(_mm_and_si128(d, before(k)), 1));
        *places = 15 - k;
    }
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d)) != 0xffff || n == (point != 0)) {
        return false;
    }
    __m128i tens = _mm_mullo_epi16(_mm_and_si128(d, _mm_set1_epi16(0xff)), _mm_set1_epi16(10));
    __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(d, 8));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    *m = (int64_t)((both & UINT32_MAX) * 100000000 + (both >> 32));
    return true;
}
#else
static inline bool read_digits(const char *p, size_t n, int64_t *m, int *places) {
    const char *end = p + n, *point = NULL;
    *m = 0;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit < 10) {
            *m = *m * 10 + digit;
        } else if (*p == '.' && !point) {
            point = p;
        } else {
            return false;
        }
    }
    *places = point ? (int)(end - point) - 1 : 0;
    return n > (point != NULL);
}
#endif

sl_number sl_number_parse(sl_str text, double *x) {
    const int64_t exact = INT64_C(1) << 53;
    if (text.len == 1 && (unsigned char)(*text.ptr - '0') < 10) { /* every fifth number of a model */
        *x = *text.ptr - '0';
        return SL_NUMBER_OK;
    }
    size_t negative = text.len > 0 && *text.ptr == '-';
    size_t n = text.len - negative;
    int64_t m;
    int places;
    if (n == 0 || n > MOST || !read_digits(text.ptr + negative, n, &m, &places) || m > exact) {
        return sl_number_parse_any(text, x);
    }
    double v = (double)m;
    if (places) {
        v /= pow10_f64[places];
    }
    *x = negative ? -v : v;
    return SL_NUMBER_OK;
}
