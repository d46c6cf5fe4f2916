/* SPDX-License-Identifier: MIT */
/* theme.c: the colours of pictures; see theme.h.
 *
 * The ramp was computed in the OKLab space: lightness 0.30 to 0.87 in equal steps, hue from 300 to 85 degrees, as much
 * chroma as a screen can show, up to 0.155. Between its anchors it is straight in sRGB, which keeps the lightness even
 * (tests/plot/test_scale.c).
 */
#include "plot/theme.h"

#include <math.h>

static const uint32_t anchors[] = {0x3c046d, 0x362285, 0x223b98, 0x085592, 0x0b698e, 0x107b8e, 0x178d8e,
                                   0x16a08a, 0x1bb377, 0x6bbe5e, 0xa5c548, 0xd6c93b, 0xfecd5f};
enum { N_ANCHOR = sizeof anchors / sizeof *anchors };

static const sl_theme light = {
    .paper = 0xffffff, .ink = 0x222222, .soft = 0x666666, .grid = 0xe4e4e4, .neutral = 0xa9b2ba, .ramp_start = 0.0};
static const sl_theme dark_theme = {
    .paper = 0x16191d, .ink = 0xe6e6e6, .soft = 0xa0a6ad, .grid = 0x33383e, .neutral = 0x69727b, .ramp_start = 0.28};

const sl_theme *sl_theme_of(bool dark) {
    return dark ? &dark_theme : &light;
}

uint32_t sl_line_colour(int32_t i, bool dark) {
    static const uint32_t on_light[SL_LINE_COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                       0xe69f00, 0x56b4e9, 0x444444, 0x8c5a2b};
    static const uint32_t on_dark[SL_LINE_COLOURS] = {0x56b4e9, 0xe69f00, 0x2ec8a0, 0xe39ac4,
                                                      0xf0e442, 0xff7f3f, 0xd0d0d0, 0xb58860};
    return (dark ? on_dark : on_light)[i % SL_LINE_COLOURS];
}

static int mix_byte(uint32_t a, uint32_t b, int shift, double t) {
    double x = (double)(a >> shift & 255), y = (double)(b >> shift & 255);
    return (int)lround(x + (y - x) * t);
}

uint32_t sl_mix(uint32_t a, uint32_t b, double t) {
    return (uint32_t)(mix_byte(a, b, 16, t) << 16 | mix_byte(a, b, 8, t) << 8 | mix_byte(a, b, 0, t));
}

uint32_t sl_ramp(double t) {
    double at = fmin(fmax(t, 0.0), 1.0) * (N_ANCHOR - 1);
    int i = (int)fmin(floor(at), N_ANCHOR - 2);
    return sl_mix(anchors[i], anchors[i + 1], at - i);
}

uint32_t sl_class_colour(const sl_theme *theme, int32_t i, int32_t n) {
    double t = n > 1 ? (double)i / (n - 1) : 0.5;
    return sl_ramp(theme->ramp_start + (1.0 - theme->ramp_start) * t);
}
