/* SPDX-License-Identifier: MIT */
/* timetext.c: times as people and .inp files write them, in seconds.
 *
 * The reading is EPANET 2.3's: parts between colons, hours first, empty parts passed over, minutes and
 * seconds not limited to 59; unit words by their stems. Differences, on purpose: sums are made in seconds,
 * not hours, so that whole seconds come out whole; a negative part and more than three parts are refused.
 */
#include <sluice/units.h>

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/out.h"

static const double hour = 3600;
static const double day = 86400;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static sl_str trim(sl_str s) {
    while (s.len && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && is_blank(s.ptr[s.len - 1])) {
        s.len--;
    }
    return s;
}

static bool has_stem(sl_str word, const char *stem) {
    sl_str s = sl_str_z(stem);
    return word.len >= s.len && sl_str_equal_nocase((sl_str){word.ptr, s.len}, s);
}

/* Numbers between colons; how many, or 0 when one is bad or there are too many. last is the last one's text. */
static int split(sl_str s, double part[3], sl_str *last) {
    int n = 0;
    for (size_t i = 0; i < s.len;) {
        if (s.ptr[i] == ':') {
            i++;
            continue;
        }
        size_t end = i;
        while (end < s.len && s.ptr[end] != ':') {
            end++;
        }
        sl_str piece = {s.ptr + i, end - i};
        if (n == 3 || sl_number_parse(piece, &part[n]) != SL_NUMBER_OK || part[n] < 0) {
            return 0;
        }
        n++;
        i = end;
        *last = piece;
    }
    return n;
}

/* before + the number in text, rounded once: the fraction is read behind the sum of the whole seconds, so that
 * "0:03:55.968" is the double nearest to 235.968. */
static double add_seconds(double before, double seconds, sl_str text) {
    const char *point = memchr(text.ptr, '.', text.len);
    double whole = before + floor(seconds);
    char buf[64];
    size_t n_tail = point ? (size_t)(text.ptr + text.len - point) : 0;
    if (n_tail == 0 || n_tail > sizeof buf - SL_NUMBER_MAX || whole != floor(whole) || whole > 1e15) {
        return before + seconds;
    }
    size_t n = sl_number_format_int((int64_t)whole, buf);
    memcpy(buf + n, point, n_tail);
    double sum;
    bool plain = !memchr(point, 'e', n_tail) && !memchr(point, 'E', n_tail);
    return plain && sl_number_parse((sl_str){buf, n + n_tail}, &sum) == SL_NUMBER_OK ? sum : before + seconds;
}

/* Seconds of a plain number's unit word; 0 when it is none of them. */
static double unit_seconds(sl_str unit) {
    if (unit.len == 0 || has_stem(unit, "HOU")) {
        return hour;
    }
    if (has_stem(unit, "SEC")) {
        return 1;
    }
    if (has_stem(unit, "MIN")) {
        return 60;
    }
    return has_stem(unit, "DAY") ? day : 0;
}

/* 12 AM is midnight, 12 PM is noon; a 13th hour does not exist. */
static bool on_clock(double *t, bool pm) {
    if (*t >= 13 * hour) {
        return false;
    }
    if (*t >= 12 * hour) {
        *t -= 12 * hour;
    }
    if (pm) {
        *t += 12 * hour;
    }
    return true;
}

sl_status sl_time_parse(sl_str value, sl_str unit, double *seconds) {
    if (!seconds) {
        return SL_ERR_USE;
    }
    *seconds = 0;
    double part[3] = {0, 0, 0};
    sl_str last = {NULL, 0};
    int n = split(trim(value), part, &last);
    unit = trim(unit);
    if (n == 0) {
        return SL_ERR_INPUT;
    }
    double t = part[0] * hour + part[1] * 60;
    if (n == 3) {
        t = add_seconds(t, part[2], last);
    }
    double scale = n == 1 || unit.len == 0 ? unit_seconds(unit) : 0;
    if (n == 1 && scale > 0) {
        t = part[0] * scale;
    } else if (unit.len > 0) {
        bool pm = has_stem(unit, "PM");
        if (!(pm || has_stem(unit, "AM")) || !on_clock(&t, pm)) {
            return SL_ERR_INPUT;
        }
    }
    if (!isfinite(t)) {
        return SL_ERR_INPUT;
    }
    double whole = nearbyint(t);
    *seconds = fabs(t - whole) <= 1e-6 ? whole : t; /* 0.1 h is 360 s, not 360.00000000000006 */
    return SL_OK;
}

sl_status sl_time_parse_text(sl_str text, double *seconds) {
    if (!seconds) {
        return SL_ERR_USE;
    }
    sl_str s = trim(text);
    size_t i = 0;
    while (i < s.len && !is_blank(s.ptr[i])) {
        i++;
    }
    sl_str unit = trim((sl_str){s.ptr + i, s.len - i});
    for (size_t j = 0; j < unit.len; j++) {
        if (is_blank(unit.ptr[j])) {
            *seconds = 0;
            return SL_ERR_INPUT; /* a third word */
        }
    }
    return sl_time_parse((sl_str){s.ptr, i}, unit, seconds);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* The decimals of t >= 0 after its point, as short as they read back, "" for whole seconds. Taken from the
 * text of t itself: a subtraction would bring rounding dust into view. */
static void fraction_text(double t, char out[SL_NUMBER_MAX]) {
    out[0] = '\0';
    if (t == floor(t)) {
        return;
    }
    char buf[SL_NUMBER_MAX];
    if (t < 1e-5) { /* would be written with an exponent; a picosecond is fine enough */
        sl_format(buf, sizeof buf, "%.12f", t);
    } else {
        sl_number_format(t, buf);
    }
    const char *point = strchr(buf, '.');
    if (point) {
        size_t n = strlen(point + 1);
        memcpy(out, point + 1, n + 1);
    }
}

/* H:MM, H:MM:SS or H:MM:SS.fff */
static size_t put_clock(int64_t hours, int64_t rest, const char *fraction, char *buf, size_t size) {
    int n;
    int minutes = (int)(rest / 60);
    int secs = (int)(rest % 60);
    if (fraction[0]) {
        n = sl_format(buf, size, "%lld:%02d:%02d.%s", (long long)hours, minutes, secs, fraction);
    } else if (secs) {
        n = sl_format(buf, size, "%lld:%02d:%02d", (long long)hours, minutes, secs);
    } else {
        n = sl_format(buf, size, "%lld:%02d", (long long)hours, minutes);
    }
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size ? size - 1 : 0;
}

/* What is finer than a nanosecond is the rounding of a time found as n dt. Beyond a thousand hours doubles are coarser than that, and
 * below 10 us fraction_text rounds. */
static double to_nanoseconds(double t) {
    return t >= 1e-5 && t < 3.6e6 ? round(t * 1e9) / 1e9 : t;
}

size_t sl_time_format(double seconds, char *buf, size_t size) {
    if (!buf) {
        return 0;
    }
    if (size == 0) {
        return 0;
    }
    double t = to_nanoseconds(fabs(seconds));
    if (!(t < 9e18)) { /* no whole number of seconds to take apart */
        int n = isfinite(t) ? sl_format(buf, size, "%g s", seconds) : sl_format(buf, size, "?");
        return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
    }
    char fraction[SL_NUMBER_MAX];
    fraction_text(t, fraction);
    size_t sign = seconds < 0 && size > 1;
    if (sign) {
        buf[0] = '-';
    }
    int64_t whole = (int64_t)t;
    return sign + put_clock(whole / 3600, whole % 3600, fraction, buf + sign, size - sign);
}

size_t sl_clock_format(double seconds, char *buf, size_t size) {
    if (!buf) {
        return 0;
    }
    if (size == 0) {
        return 0;
    }
    if (!isfinite(seconds)) {
        return sl_time_format(seconds, buf, size);
    }
    double t = fmod(seconds, day);
    if (t < 0) {
        t += day;
        t = t < day ? t : 0; /* a tiny negative time rounds to midnight */
    }
    char fraction[SL_NUMBER_MAX];
    fraction_text(seconds > 0 ? seconds : t, fraction);
    int64_t whole = (int64_t)t;
    int64_t h = whole / 3600;
    size_t n = put_clock(h % 12 == 0 ? 12 : h % 12, whole % 3600, fraction, buf, size);
    int k = sl_format(buf + n, size - n, h < 12 ? " AM" : " PM");
    n += k < 0 ? 0 : (size_t)k;
    return n < size ? n : size - 1;
}
