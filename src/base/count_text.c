/* SPDX-License-Identifier: MIT */
/* count_text.c: see count_text.h. */
#include "base/count_text.h"

#include <stdarg.h>
#include <string.h>

const char *sl_plural(int64_t n, const char *one, const char *many, char buf[SL_PLURAL_MAX]) {
    if (n == 1) {
        (void)sl_format(buf, SL_PLURAL_MAX, "1 %s", one);
    } else {
        (void)sl_format(buf, SL_PLURAL_MAX, "%lld %s%s", (long long)n, many ? many : one, many ? "" : "s");
    }
    return buf;
}

const char *sl_size_text(uint64_t n, char buf[SL_PLURAL_MAX]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double x = (double)n;
    size_t i = 0;
    while (x >= 999.5 && i + 1 < sizeof units / sizeof *units) {
        x /= 1000;
        i++;
    }
    (void)sl_format(buf, SL_PLURAL_MAX, i > 0 && x < 99.95 ? "%.1f %s" : "%.0f %s", x, units[i]);
    return buf;
}

void sl_append(char *buf, size_t size, const char *fmt, ...) {
    size_t n = strlen(buf);
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(buf + n, size - n, fmt, args);
    va_end(args);
}
