/* SPDX-License-Identifier: MIT */
/* rpt_page.c: lines and pages of the report.
 *
 * With a page size of n lines ([REPORT] PAGE n) each page begins with a form feed and a line with its number and the
 * title, which count; n = 0 is one endless page.
 */
#include "results/rpt_impl.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void new_page(sl_rpt *r) {
    r->page++;
    sl_out_printf(&r->out, "\f\n  Page %d", r->page);
    if (r->net->n_title > 0) {
        sl_out_printf(&r->out, "    %.60s", r->net->title[0]);
    }
    sl_out_z(&r->out, "\n\n");
    r->line = 3;
}

bool sl_rpt_line_begin(sl_rpt *r) {
    if (r->page_size > 0 && r->line >= r->page_size) {
        new_page(r);
        return true;
    }
    return false;
}

void sl_rpt_line_end(sl_rpt *r) {
    sl_out_char(&r->out, '\n');
    r->line++;
}

void sl_rpt_line(sl_rpt *r, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    (void)sl_rpt_line_begin(r);
    if (*text) {
        sl_out_z(&r->out, "  ");
        sl_out_z(&r->out, text);
    }
    sl_rpt_line_end(r);
}

void sl_rpt_rule(sl_rpt *r, int32_t width) {
    (void)sl_rpt_line_begin(r);
    sl_out_z(&r->out, "  ");
    for (int32_t i = 0; i < width; i++) {
        sl_out_char(&r->out, '-');
    }
    sl_rpt_line_end(r);
}

void sl_rpt_need(sl_rpt *r, int32_t lines) {
    if (r->page_size > 0 && r->line + lines > r->page_size && r->line > 3) {
        new_page(r);
    }
}

void sl_rpt_heading(sl_rpt *r, const char *text) {
    sl_rpt_need(r, 4);
    sl_rpt_line(r, "%s", "");
    sl_rpt_line(r, "%s", text);
}

/* The digits of a number of at most 2^43 last digits, from the end of text; false: by another way. Far enough from the
 * middle between two decimals, the rounding of the product cannot matter. */
static bool digits_by_hand(double scaled, int decimals, char *text, int *begin) {
    if (!(scaled < 0x1p43) || fabs(scaled - floor(scaled) - 0.5) < 0x1p-8) {
        return false;
    }
    int n = *begin;
    int64_t whole = (int64_t)rint(scaled);
    for (int i = 0; whole != 0 || i <= decimals; i++) {
        if (i == decimals && decimals > 0) {
            text[--n] = '.';
        }
        text[--n] = (char)('0' + whole % 10);
        whole /= 10;
    }
    *begin = n;
    return true;
}

/* Tables have millions of numbers, so most are written by hand; the result is that of printf, without minus zero. */
void sl_rpt_number(sl_out *out, double x, int32_t decimals, int32_t width) {
    static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    char text[64];
    int n = (int)sizeof text - 1;
    int digits = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    text[n] = 0;
    if (!isfinite(x)) {
        text[--n] = '-';
    } else if (!digits_by_hand(fabs(x) * power[digits], digits, text, &n)) {
        char *at = text + 1; /* room for the sign */
        (void)sl_format(at, sizeof text - 1, fabs(x) < 1e15 ? "%.*f" : "%.*e", digits, fabs(x));
        n = 1;
    }
    if (x < 0 && strpbrk(text + n, "123456789")) {
        text[--n] = '-';
    }
    size_t length = strlen(text + n);
    sl_out_pad(out, out->column + (length < (size_t)width ? (size_t)width - length : 0), 1);
    sl_out_bytes(out, text + n, length);
}
