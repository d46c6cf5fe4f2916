/* SPDX-License-Identifier: MIT */
/* number_layout.c: digits and powers of ten as text: "0.5", "1e-07", "12000000". See number.h. */
#include "base/number.h"

#include <string.h>

static const char two_digits[] = "00010203040506070809"
                                 "10111213141516171819"
                                 "20212223242526272829"
                                 "30313233343536373839"
                                 "40414243444546474849"
                                 "50515253545556575859"
                                 "60616263646566676869"
                                 "70717273747576777879"
                                 "80818283848586878889"
                                 "90919293949596979899";

/* All eight digits of x < 10^8: chains of their own, which a processor follows at once. */
static void put_eight(uint32_t x, char *to) {
    uint32_t high = x / 10000, low = x % 10000;
    memcpy(to, two_digits + 2 * (high / 100), 2);
    memcpy(to + 2, two_digits + 2 * (high % 100), 2);
    memcpy(to + 4, two_digits + 2 * (low / 100), 2);
    memcpy(to + 6, two_digits + 2 * (low % 100), 2);
}

/* Digits of m < 10^8 without zeros before them; returns how many (at least one). */
static int put_few(uint32_t m, char *to) {
    char tmp[8];
    int at = 8;
    while (m >= 100) {
        at -= 2;
        memcpy(tmp + at, two_digits + 2 * (m % 100), 2);
        m /= 100;
    }
    if (m >= 10) {
        at -= 2;
        memcpy(tmp + at, two_digits + 2 * m, 2);
    } else {
        tmp[--at] = (char)('0' + m);
    }
    for (int i = at; i < 8; i++) {
        *to++ = tmp[i];
    }
    return 8 - at;
}

/* Digits of m into buf, no NUL; returns how many (at least one). */
static int put_digits(uint64_t m, char buf[20]) {
    const uint64_t eight = 100000000;
    if (m < eight) {
        return put_few((uint32_t)m, buf);
    }
    uint64_t high = m / eight;
    int n = high < eight ? put_few((uint32_t)high, buf) : put_few((uint32_t)(high / eight), buf);
    if (high >= eight) {
        put_eight((uint32_t)(high % eight), buf + n);
        n += 8;
    }
    put_eight((uint32_t)(m % eight), buf + n);
    return n + 8;
}

/* n <= 20 digits. More are copied, because that is quicker, but never beyond SL_NUMBER_MAX: at most 17 bytes stand before them, 13 where
 * n > 8, 8 where n > 16. */
static char *copy_digits(char *to, const char *from, int n) {
    if (n <= 8) {
        memcpy(to, from, 8);
    } else if (n <= 16) {
        memcpy(to, from, 16);
    } else {
        memcpy(to, from, 20);
    }
    return to + n;
}

/* Plain when the first digit stands for 10^-5 to 10^14. */
size_t sl_number_layout(bool negative, uint64_t m, int k, char buf[SL_NUMBER_MAX]) {
    char *p = buf;
    if (m == 0) {
        memcpy(buf, "0", 2);
        return 1;
    }
    while (m % 10 == 0) {
        m /= 10;
        k++;
    }
    if (negative) {
        *p++ = '-';
    }
    char digits[40]; /* copied from beyond their end */
    int n = put_digits(m, digits);
    int lead = n - 1 + k; /* power of ten of the first digit */
    if (lead < -5 || lead > 14) {
        *p++ = digits[0];
        if (n > 1) {
            *p++ = '.';
            p = copy_digits(p, digits + 1, n - 1);
        }
        *p++ = 'e';
        *p++ = lead < 0 ? '-' : '+';
        int e = lead < 0 ? -lead : lead;
        if (e >= 100) {
            *p++ = (char)('0' + e / 100);
        }
        memcpy(p, two_digits + 2 * (e % 100), 2);
        p += 2;
    } else if (k >= 0) {
        memcpy(p, digits, (size_t)n);
        p += n;
        memset(p, '0', (size_t)k);
        p += k;
    } else if (lead >= 0) {
        p = copy_digits(p, digits, lead + 1);
        *p++ = '.';
        p = copy_digits(p, digits + lead + 1, -k);
    } else {
        memcpy(p, "0.0000", 6);
        p += 1 - lead;
        p = copy_digits(p, digits, n);
    }
    *p = '\0';
    return (size_t)(p - buf);
}

size_t sl_number_format_int(int64_t x, char buf[SL_NUMBER_MAX]) {
    char *p = buf;
    if (x < 0) {
        *p++ = '-';
    }
    char digits[20];
    int n = put_digits(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, digits);
    memcpy(p, digits, (size_t)n);
    p[n] = '\0';
    return (size_t)(p - buf) + (size_t)n;
}
