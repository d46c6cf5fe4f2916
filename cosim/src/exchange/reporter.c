/* SPDX-License-Identifier: MIT */
/* reporter.c: of the warnings of a kind the first ten are passed on, then one in a thousand, and at the end how many were not. */
#include "exchange/reporter.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/out.h"

enum { SHOWN = 10, THEN_EVERY = 1000, TEXT = 1024 };

SL_PRINTF(3, 0) static void add_warning(sl_reporter *t, sl_warning_kind kind, const char *fmt, va_list args) {
    char text[TEXT];
    if (kind == SL_WARNING_WAIT && t->waiting) {
        (void)sl_vformat(text, sizeof text, fmt, args);
        t->waiting(t->user, text);
        return;
    }
    int64_t nth = ++t->count[kind];
    t->n_warning++;
    if (!t->warning || (nth > SHOWN && nth % THEN_EVERY != 0)) {
        return;
    }
    t->shown[kind]++;
    int n = sl_vformat(text, sizeof text, fmt, args);
    if (nth >= SHOWN && n > 0 && (size_t)n < sizeof text) {
        (void)sl_format(text + n, sizeof text - (size_t)n,
                        nth == SHOWN ? " (the tenth of its kind: from here on one in %d)" : " (one in %d)", THEN_EVERY);
    }
    t->warning(t->user, text);
}

SL_PRINTF(3, 0) static void add_error(sl_reporter *t, sl_cosim_code code, const char *fmt, va_list args) {
    char text[TEXT];
    if (t->error) {
        (void)sl_vformat(text, sizeof text, fmt, args);
        t->error(t->user, code, text);
    }
}

void sl_reporter_warning(sl_reporter *t, sl_warning_kind kind, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    add_warning(t, kind, fmt, args);
    va_end(args);
}

sl_cosim_code sl_reporter_content(sl_reporter *t, sl_warning_kind kind, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    if (t->strict) {
        add_error(t, SL_COSIM_BAD_FORMAT, fmt, args);
    } else {
        add_warning(t, kind, fmt, args);
    }
    va_end(args);
    return t->strict ? SL_COSIM_BAD_FORMAT : SL_COSIM_OK;
}

sl_cosim_code sl_reporter_error(sl_reporter *t, sl_cosim_code code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    add_error(t, code, fmt, args);
    va_end(args);
    return code;
}

void sl_reporter_summary(sl_reporter *t) {
    int64_t hidden = 0;
    for (int k = 0; k < SL_WARNING_KIND_COUNT; k++) {
        hidden += t->count[k] - t->shown[k];
    }
    if (hidden > 0 && t->warning) {
        char text[TEXT];
        (void)sl_format(text, sizeof text, "%lld warnings in all, %lld of them not shown", (long long)t->n_warning,
                        (long long)hidden);
        t->warning(t->user, text);
    }
}
