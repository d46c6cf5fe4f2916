/* SPDX-License-Identifier: MIT */
/* scale.c: round steps, labels, classes; see scale.h. */
#include "plot/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/units.h>

#include "base/out.h"

static const double noise = 1e-5; /* part of a value below which differences are rounding: results are 4-byte numbers */

double sl_round_up(double x) {
    double base = pow(10.0, floor(log10(x)));
    static const double mantissa[] = {1.0, 2.0, 5.0, 10.0};
    for (int i = 0; i < 4; i++) {
        if (mantissa[i] * base >= x * (1.0 - 1e-9)) {
            return mantissa[i] * base;
        }
    }
    return 10.0 * base;
}

static void set_ticks(sl_axis *a) {
    double first = ceil(a->low / a->step - 1e-6), last = floor(a->high / a->step + 1e-6);
    a->first = first * a->step;
    a->n = last >= first ? (int32_t)(last - first) + 1 : 0;
}

sl_axis sl_axis_exact(double low, double high, int32_t max_tick) {
    sl_axis a = {.low = low, .high = high, .step = sl_round_up((high - low) / max_tick)};
    set_ticks(&a);
    while (a.n > max_tick) {
        a.step = sl_round_up(1.5 * a.step);
        set_ticks(&a);
    }
    return a;
}

sl_axis sl_axis_around(double low, double high, int32_t max_tick) {
    double size = fmax(fabs(low), fabs(high));
    if (high - low <= noise * size || size == 0.0) {
        double room = size > 0.0 ? 0.1 * size : 1.0;
        low = low >= 0.0 && low - room < 0.0 ? 0.0 : low - room;
        high += room;
    }
    if (low > 0.0 && low <= 0.4 * high) {
        low = 0.0;
    } else if (high < 0.0 && high >= 0.4 * low) {
        high = 0.0;
    }
    return sl_axis_tight(low, high, max_tick);
}

sl_axis sl_axis_tight(double low, double high, int32_t max_tick) {
    sl_axis a = {.step = sl_round_up((high - low) / (max_tick - 1))};
    for (;;) {
        a.low = a.step * floor(low / a.step + 1e-6);
        a.high = a.step * ceil(high / a.step - 1e-6);
        set_ticks(&a);
        if (a.n <= max_tick) {
            return a;
        }
        a.step = sl_round_up(1.5 * a.step);
    }
}

/* A minus sign as wide as a plus, and no negative zero. */
static const char *put_label(const char *digits, char buf[SL_LABEL_MAX]) {
    bool minus = digits[0] == '-' && strpbrk(digits, "123456789");
    sl_format(buf, SL_LABEL_MAX, "%s%s", minus ? "\xe2\x88\x92" : "", digits + (digits[0] == '-'));
    return buf;
}

const char *sl_axis_label(double x, double step, char buf[SL_LABEL_MAX]) {
    char digits[SL_LABEL_MAX - 4];
    if (fabs(x) < 1e-9 * step) {
        x = 0.0;
    }
    double size = fmax(fabs(x), step);
    int decimals = 0;
    for (double k = step; decimals < 6 && fabs(k - round(k)) > 1e-6; k *= 10.0) {
        decimals++;
    }
    if (size >= 1e7 || step < 0.9e-5) {
        sl_format(digits, sizeof digits, "%.*g", 4, x);
    } else {
        sl_format(digits, sizeof digits, "%.*f", decimals, x);
    }
    return put_label(digits, buf);
}

const char *sl_value_label(double x, char buf[SL_LABEL_MAX]) {
    char digits[SL_LABEL_MAX - 4];
    if (fabs(x) >= 1000.0 && fabs(x) < 1e7) {
        sl_format(digits, sizeof digits, "%.0f", x);
    } else {
        sl_format(digits, sizeof digits, "%.4g", x);
    }
    return put_label(digits, buf);
}

/* ---- Time --------------------------------------------------------------------------------------- */

sl_time_axis sl_time_axis_of(double from, double to, int32_t max_tick) {
    static const double minute = 60.0, hour = 3600.0, day = 86400.0;
    static const double steps[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
    if (!(to > from)) { /* one moment */
        to = from + hour;
    }
    double span = to - from;
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && span / steps[i] > max_tick - 1) {
        i++;
    }
    sl_time_axis t = {.axis = {.low = from, .high = to, .step = steps[i]}};
    if (span / steps[i] > max_tick - 1) {
        t.axis.step = day * sl_round_up(span / day / (max_tick - 1));
    }
    set_ticks(&t.axis);
    const struct {
        bool fits;
        double unit;
        const char *name;
    } units[] = {{to >= 5.0 * day && t.axis.step >= 0.25 * day, day, "d"},
                 {to > 2.0 * hour && t.axis.step >= hour, hour, "h"},
                 {to <= 5.0 * minute, 1.0, "s"},
                 {to <= 2.0 * hour && t.axis.step >= minute, minute, "min"},
                 {true, 0.0, t.axis.step >= minute ? "h:min" : "h:min:s"}};
    size_t k = 0;
    while (!units[k].fits) {
        k++;
    }
    t.unit = units[k].unit;
    t.name = units[k].name;
    return t;
}

const char *sl_time_label(const sl_time_axis *t, double time, char buf[SL_LABEL_MAX]) {
    if (t->unit == 0.0) {
        sl_time_format(time, buf, SL_LABEL_MAX);
        return buf;
    }
    return sl_axis_label(time / t->unit, t->axis.step / t->unit, buf);
}

/* ---- Classes ------------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sl_sort(double *x, int64_t n) {
    qsort(x, (size_t)n, sizeof *x, compare);
}

double sl_quantile(const double *ordered, int64_t n, double part) {
    double at = part * (double)(n - 1);
    int64_t i = (int64_t)at;
    return i + 1 < n ? ordered[i] + (at - (double)i) * (ordered[i + 1] - ordered[i]) : ordered[n - 1];
}

static void add_limit(sl_classes *c, double x) {
    if (c->n <= SL_CLASS_MAX) {
        c->limit[c->n++] = x;
    }
}

/* From end to end, divided at round numbers. */
static void divide(sl_classes *c, double low, double high) {
    sl_axis a = sl_axis_exact(low, high, SL_CLASS_MAX - 2);
    add_limit(c, low);
    for (int32_t i = 0; i < a.n; i++) {
        double x = a.first + i * a.step;
        if (x > low + 0.1 * a.step && x < high - 0.1 * a.step) {
            add_limit(c, x);
        }
    }
    add_limit(c, high);
}

/* 1, 2, 5, 10, ... from about low up to high; whole powers of ten when those are too many. */
static void grow(sl_classes *c, double low, double high) {
    static const double mantissa[] = {1.0, 2.0, 5.0};
    double top = sl_round_up(high);
    bool tens = 3.0 * log10(top / low) > SL_CLASS_MAX - 1;
    int step = tens ? 3 : 1;
    int k = (int)lround(3.0 * floor(log10(top) + 1e-9)); /* thirds of powers of ten */
    while (mantissa[k % 3 < 0 ? k % 3 + 3 : k % 3] * pow(10.0, floor(k / 3.0)) < top * (1.0 - 1e-9)) {
        k++;
    }
    k = tens ? 3 * (int)ceil(k / 3.0) : k;
    double limit[SL_CLASS_MAX + 1];
    int n = 0;
    for (; n < SL_CLASS_MAX; k -= step) {
        limit[n++] = mantissa[((k % 3) + 3) % 3] * pow(10.0, floor(k / 3.0));
        if (limit[n - 1] <= low) {
            break;
        }
    }
    if (c->min < limit[n - 1]) {
        limit[n++] = 0.0;
    }
    while (n > 0) {
        add_limit(c, limit[--n]);
    }
}

sl_classes sl_classes_of(double *x, int64_t n, double low, double high) {
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            x[kept++] = x[i];
        }
    }
    sl_classes c = {0};
    if (kept == 0) {
        return c;
    }
    sl_sort(x, kept);
    c.min = x[0];
    c.max = x[kept - 1];
    double a = isnan(low) ? sl_quantile(x, kept, 0.02) : low, b = isnan(high) ? sl_quantile(x, kept, 0.98) : high;
    bool given = !isnan(low) || !isnan(high);
    if (!given && b - a <= noise * fmax(fabs(a), fabs(b))) { /* nearly all are one: the others decide */
        a = c.min;
        b = c.max;
    }
    if (given && !(b > a) && isnan(high)) { /* all lie below the one end that was given */
        b = a + fmax(1.0, 0.1 * fabs(a));
    } else if (given && !(b > a) && isnan(low)) {
        a = b - fmax(1.0, 0.1 * fabs(b));
    }
    double middle = sl_quantile(x, kept, 0.5);
    if (!(b - a > noise * fmax(fabs(a), fabs(b)))) {
        c.n = 1;
        c.limit[0] = c.limit[1] = a;
        return c;
    }
    if (given) {
        divide(&c, a, b);
    } else if (c.min >= 0.0 && middle < 0.15 * b && b > 0.0) {
        double least = fmax(sl_quantile(x, kept, 0.1), 1e-4 * b);
        grow(&c, least, b);
    } else {
        double step = sl_round_up((b - a) / (SL_CLASS_MAX - 1.5)), first = floor(a / step + 1e-6);
        for (int k = 0; k == 0 || (first + k - 1) * step < b - 1e-6 * step; k++) {
            add_limit(&c, (first + k) * step);
        }
    }
    c.n--; /* limits are one more than classes */
    c.below = c.min < c.limit[0];
    c.above = c.max > c.limit[c.n];
    return c;
}

int32_t sl_class_of(const sl_classes *c, double x) {
    if (isnan(x) || c->n == 0) {
        return -1;
    }
    int32_t i = 0;
    while (i + 1 < c->n && x >= c->limit[i + 1]) {
        i++;
    }
    return i;
}
