/* SPDX-License-Identifier: MIT */
/* option_time.c: times on a command line; see option.h.
 *
 * A number alone would be hours to one reader and seconds to another, so it is refused, but for 0. Units are those of
 * <sluice/units.h>; what has a colon, and clock times (6 am), are read as in .inp files, hours first, without their
 * empty parts (":30" would be 30 hours there).
 */
#include "base/option.h"

#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/number.h"
#include "base/out.h"

enum { SHOWN_MAX = 40 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t skip_blanks(sl_str s, size_t i) {
    while (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\t')) {
        i++;
    }
    return i;
}

/* How long the number is that a text begins with; an e is its exponent only where digits follow. */
static size_t number_length(sl_str s) {
    size_t i = 0;
    while (i < s.len) {
        char c = s.ptr[i];
        bool after_e = i > 0 && (s.ptr[i - 1] == 'e' || s.ptr[i - 1] == 'E');
        bool sign = (c == '+' || c == '-') && (i == 0 || after_e);
        size_t next = i + 1 < s.len && (s.ptr[i + 1] == '+' || s.ptr[i + 1] == '-') ? i + 2 : i + 1;
        bool exponent = (c == 'e' || c == 'E') && i > 0 && next < s.len && is_digit(s.ptr[next]);
        if (!is_digit(c) && c != '.' && !sign && !exponent) {
            break;
        }
        i++;
    }
    return i;
}

static sl_str trimmed(sl_str s) {
    size_t i = skip_blanks(s, 0);
    s = (sl_str){s.ptr + i, s.len - i};
    while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t')) {
        s.len--;
    }
    return s;
}

static bool is_word(sl_str s, const char *word) {
    return sl_str_equal_nocase(s, sl_str_z(word));
}

static bool is_steps(sl_str unit) {
    return is_word(unit, "steps") || is_word(unit, "step");
}

static bool is_clock(sl_str unit) {
    return is_word(unit, "am") || is_word(unit, "pm");
}

static const sl_unit *unit_of_time(sl_str unit) {
    const sl_unit *found = sl_unit_find(unit);
    /* "MIN" and "SEC" are what .inp files say; the table of units knows some of their words in small letters only. */
    found = found ? found : is_word(unit, "min") || is_word(unit, "mins") ? sl_unit_find(sl_str_z("min")) : NULL;
    found = found ? found : is_word(unit, "secs") ? sl_unit_find(sl_str_z("s")) : NULL;
    found = found ? found : is_word(unit, "hrs") ? sl_unit_find(sl_str_z("h")) : NULL;
    return found && sl_unit_same_dimension(found, sl_unit_find(sl_str_z("s"))) ? found : NULL;
}

bool sl_option_is_time_unit(const char *word) {
    sl_str s = sl_str_z(word);
    return s.len > 0 && (is_steps(s) || is_clock(s) || unit_of_time(s));
}

bool sl_option_wants_time_unit(const char *text) {
    return *text && text[strspn(text, "0123456789.:eE+-")] == '\0';
}

/* Colons, or a clock time. Every part between colons has digits. */
static sl_time_fault read_clock(sl_str text, double *x) {
    for (size_t i = 0; i < text.len; i++) {
        bool before = i > 0 && is_digit(text.ptr[i - 1]), after = i + 1 < text.len && is_digit(text.ptr[i + 1]);
        if (text.ptr[i] == ':' && !(before && after)) {
            return SL_TIME_NONE;
        }
    }
    if (text.len > 0 && text.ptr[0] == '-') {
        return SL_TIME_NEGATIVE;
    }
    size_t n = 0;
    while (n < text.len && (is_digit(text.ptr[n]) || text.ptr[n] == ':' || text.ptr[n] == '.')) {
        n++;
    }
    sl_str unit = trimmed((sl_str){text.ptr + n, text.len - n});
    bool fine = (unit.len == 0 || is_clock(unit)) && sl_time_parse((sl_str){text.ptr, n}, unit, x) == SL_OK;
    return fine ? SL_TIME_FINE : SL_TIME_NONE;
}

sl_time_fault sl_time_read(sl_str text, double *x, bool *steps) {
    text = trimmed(text);
    *x = 0.0;
    *steps = false;
    size_t n = number_length(text);
    sl_str unit = trimmed((sl_str){text.ptr + n, text.len - n});
    if (n > 0 && unit.len > 0 && (memchr(unit.ptr, ':', unit.len) || is_clock(unit))) {
        return read_clock(text, x);
    }
    double value;
    sl_number how = sl_number_parse((sl_str){text.ptr, n}, &value);
    const sl_unit *of_time = unit.len > 0 ? unit_of_time(unit) : NULL;
    *steps = is_steps(unit);
    if (how == SL_NUMBER_RANGE && (of_time || *steps || unit.len == 0)) {
        return SL_TIME_RANGE;
    }
    if (how != SL_NUMBER_OK || (unit.len > 0 && !of_time && !*steps)) {
        return SL_TIME_NONE;
    }
    if (value < 0.0) {
        return SL_TIME_NEGATIVE;
    }
    if (unit.len == 0 && value != 0.0) {
        return SL_TIME_BARE;
    }
    if (*steps && value != floor(value)) {
        return SL_TIME_BROKEN_STEP;
    }
    if (of_time && sl_unit_convert(value, of_time, sl_unit_find(sl_str_z("s")), &value) != SL_OK) {
        return SL_TIME_RANGE;
    }
    double whole = nearbyint(value);
    *x = fabs(value - whole) <= 1e-12 * fabs(value) ? whole : value; /* 0.1 h is 360 s, not 360.00000000000006 */
    return isfinite(value) ? SL_TIME_FINE : SL_TIME_RANGE;
}

/* ---- What is wrong ------------------------------------------------------------------------------ */

/* The spellings that would be right, with the user's own number. */
static void suggest_units(const char *number, bool may_count, char *buf, size_t size) {
    bool whole = strspn(number, "0123456789") == strlen(number);
    const char *steps = may_count && whole ? number : "";
    (void)sl_format(buf, size, "%s s, %s min or %s%s%s%s%s", number, number, number, whole ? ":00 (hours)" : " h",
                    *steps ? "; of a discrete model " : "", steps, *steps ? " steps" : "");
}

bool sl_option_time_read(const char *shown, const char *text, bool may_count, sl_option_time *time,
                         char why[SL_OPTION_ERROR_MAX]) {
    sl_str s = trimmed(sl_str_z(text));
    char given[SHOWN_MAX + 1], right[5 * SHOWN_MAX];
    (void)sl_format(given, sizeof given, "%.*s", (int)(s.len < SHOWN_MAX ? s.len : SHOWN_MAX), s.ptr);
    sl_option_time read = {.is_given = true};
    sl_time_fault fault = s.len > SHOWN_MAX ? SL_TIME_NONE : sl_time_read(s, &read.value, &read.counts_steps);
    if (fault == SL_TIME_FINE && read.counts_steps && !may_count) {
        fault = SL_TIME_NONE;
    }
    switch (fault) {
    case SL_TIME_FINE:
        memcpy(read.text, given, sizeof given);
        *time = read;
        return true;
    case SL_TIME_BARE:
        suggest_units(given, may_count, right, sizeof right);
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s: a time has a unit: write %s", shown, given, right);
        return false;
    case SL_TIME_NEGATIVE:
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s: a time is 0 or more", shown, given);
        return false;
    case SL_TIME_RANGE:
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s is beyond the range of numbers", shown, given);
        return false;
    case SL_TIME_BROKEN_STEP:
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s: steps are whole", shown, given);
        return false;
    case SL_TIME_NONE: break;
    }
    (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s '%s' is not a time: write 20 s, 500 ms, 90 min, 1.5 h, 2 d or 6:00%s",
                    shown, given, may_count ? "; of a discrete model 5 steps" : "");
    return false;
}

bool sl_option_time_fits(const char *shown, const sl_option_time *time, bool counts_steps,
                         char why[SL_OPTION_ERROR_MAX]) {
    char number[SHOWN_MAX + 1], right[5 * SHOWN_MAX];
    if (!time->is_given || time->word || time->value == 0.0 || time->counts_steps == counts_steps) {
        return true;
    }
    if (counts_steps) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s: time counts steps here: write a number of them, as 5 steps",
                        shown, time->text);
        return false;
    }
    (void)sl_format(number, sizeof number, "%.*s", (int)number_length(sl_str_z(time->text)), time->text);
    suggest_units(number, false, right, sizeof right);
    (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s %s: time has no steps here: write %s", shown, time->text, right);
    return false;
}
