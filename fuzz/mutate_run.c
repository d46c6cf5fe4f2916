/* SPDX-License-Identifier: MIT */
/* mutate_run.c: how libFuzzer changes .inp text for fuzz_run: numbers become others, mostly extreme ones, and lines are
 * doubled, moved and dropped, so that most inputs are still networks. Random bytes seldom are.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *const numbers[] = {
    "0",     "1",    "-1",   "2",    "0.5",   "1e-9", "1e-6",  "1e-3",  "1e-12", "1e-30", "1e-300", "1e3",  "1e6",
    "1e9",   "1e12", "1e30", "1e38", "1e300", "-1e6", "-1e-9", "-1e30", "0:01",  "0:00",  "1:00",   "24",   "100",
    "99.99", "1e5",  "1e-5", "10",   "1000",  "1.5",  "0.1",   "50",    "1e15",  "1e-15", "3600",   "86400"};

static unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int is_blank(uint8_t c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Replaces data[at, at + n) by other bytes when there is room. */
static size_t put(uint8_t *data, size_t size, size_t max_size, size_t at, size_t n, const void *bytes, size_t m) {
    if (size - n + m > max_size) {
        return size;
    }
    memmove(data + at + m, data + at + n, size - at - n);
    memcpy(data + at, bytes, m);
    return size - n + m;
}

/* A token that begins as numbers do, from a random place on; 0: none found. */
static size_t find_number(const uint8_t *data, size_t size, unsigned *seed, size_t *at) {
    size_t from = draw(seed) % size;
    for (size_t k = 0; k < size; k++) {
        size_t i = (from + k) % size;
        if ((i == 0 || is_blank(data[i - 1])) && (strchr("0123456789.-+", data[i]) && data[i])) {
            size_t end = i;
            while (end < size && !is_blank(data[end])) {
                end++;
            }
            *at = i;
            return end - i;
        }
    }
    return 0;
}

static size_t change_number(uint8_t *data, size_t size, size_t max_size, unsigned *seed) {
    size_t at = 0, n = find_number(data, size, seed, &at);
    if (n == 0 || n > 40) {
        return size;
    }
    char text[64];
    if (draw(seed) % 3 == 0) { /* another one of about this size, or some powers of ten away */
        memcpy(text, data + at, n);
        text[n] = 0;
        static const double by[] = {0.5, 2.0, 10.0, 0.1, 1e3, 1e-3, 1.0000001, 0.999, -1.0, 1e6, 1e-6};
        snprintf(text, sizeof text, "%.9g", strtod(text, NULL) * by[draw(seed) % (sizeof by / sizeof *by)]);
    } else {
        snprintf(text, sizeof text, "%s", numbers[draw(seed) % (sizeof numbers / sizeof *numbers)]);
    }
    return put(data, size, max_size, at, n, text, strlen(text));
}

/* The line around a place. */
static size_t line_at(const uint8_t *data, size_t size, size_t at, size_t *begin) {
    size_t b = at, e = at;
    while (b > 0 && data[b - 1] != '\n') {
        b--;
    }
    while (e < size && data[e] != '\n') {
        e++;
    }
    *begin = b;
    return (e < size ? e + 1 : e) - b;
}

static size_t change_lines(uint8_t *data, size_t size, size_t max_size, unsigned *seed) {
    size_t begin, n = line_at(data, size, draw(seed) % size, &begin), to;
    uint8_t line[256];
    if (n == 0 || n > sizeof line) {
        return size;
    }
    memcpy(line, data + begin, n);
    unsigned what = draw(seed) % 4;
    if (what == 0) {
        return put(data, size, max_size, begin, n, "", 0);
    }
    if (what == 1) { /* moved */
        size = put(data, size, max_size, begin, n, "", 0);
    }
    (void)line_at(data, size, size > 0 ? draw(seed) % size : 0, &to);
    return put(data, size, max_size, what == 2 ? begin : to, 0, line, n);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    unsigned how = draw(&seed) % 16, times = 1 + draw(&seed) % 4;
    if (size == 0 || how < 3) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    for (; times > 0 && size > 0; times--) {
        size = how < 13 ? change_number(data, size, max_size, &seed) : change_lines(data, size, max_size, &seed);
    }
    return size;
}
