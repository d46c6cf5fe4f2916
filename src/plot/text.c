/* SPDX-License-Identifier: MIT */
/* text.c: how wide text becomes, without asking a font.
 *
 * The advances are those of DejaVu Sans in hundredths of the size, measured: it is wider than the fonts that are usually
 * met (Helvetica, Arial, Liberation Sans), so that what fits here fits there. Other characters count by their cells on a
 * terminal.
 */
#include <string.h>

#include "base/utf8.h"
#include "plot/draw.h"

/* clang-format off */
static const uint8_t advance[95] = { /* from blank to tilde */
    32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79, 60, 79, 70, 64, 61, 73, 68, 99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 35, 64, 63, 28, 28, 58, 28, 97, 63, 61, 64, 64, 41, 52, 39, 63, 59,
    82, 59, 59, 53, 64, 34, 64, 84};
/* clang-format on */

static const double bold_factor = 1.13, narrow_cell = 0.70, wide_cell = 1.05;

static double character_width(uint32_t c) {
    if (c >= 32 && c < 127) {
        return advance[c - 32] / 100.0;
    }
    int cells = sl_utf8_width(c);
    return cells == 0 ? 0.0 : cells == 1 ? narrow_cell : wide_cell;
}

double sl_text_width(const char *text, double size, bool bold) {
    sl_str rest = sl_str_z(text);
    double width = 0.0;
    while (rest.len > 0) {
        uint32_t c;
        size_t n = sl_utf8_decode(rest, &c);
        width += character_width(c);
        rest.ptr += n;
        rest.len -= n;
    }
    return width * size * (bold ? bold_factor : 1.0);
}

const char *sl_text_fit(const char *text, double size, bool bold, double width, char buf[SL_TEXT_MAX]) {
    static const char ellipsis[] = "…";
    double room = width / (size * (bold ? bold_factor : 1.0));
    sl_str rest = sl_str_z(text);
    size_t whole = rest.len, cut = 0; /* cut: bytes that fit with an ellipsis after them */
    double used = 0.0;
    bool fits = true;
    while (rest.len > 0 && fits) {
        uint32_t c;
        size_t n = sl_utf8_decode(rest, &c), at = (size_t)(rest.ptr - text);
        used += character_width(c);
        fits = used <= room && at + n + sizeof ellipsis <= SL_TEXT_MAX;
        if (used + narrow_cell <= room && fits) {
            cut = at + n;
        }
        rest.ptr += n;
        rest.len -= n;
    }
    size_t kept = fits ? whole : cut;
    memcpy(buf, text, kept);
    memcpy(buf + kept, fits ? "" : ellipsis, fits ? 1 : sizeof ellipsis);
    return buf;
}
