/* SPDX-License-Identifier: MIT */
/* theme.h: the colours of pictures.
 *
 * Lines are told apart by eight colours that stay apart for readers with any kind of colour vision (after Okabe and Ito).
 * Sizes are shown by a ramp from dark violet over blue and green to gold whose lightness rises evenly, so that equal
 * steps of the value look equal, in grey too.
 */
#ifndef SL_PLOT_THEME_H
#define SL_PLOT_THEME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sl_theme {
    uint32_t paper, ink, soft /* lesser text */, grid, neutral /* pipes without a value */;
    double ramp_start; /* where on the ramp the lowest class is: the darkest violet is lost on dark paper */
} sl_theme;

const sl_theme *sl_theme_of(bool dark);

enum { SL_LINE_COLOURS = 8 };
uint32_t sl_line_colour(int32_t i, bool dark);
/* The ramp at t in 0 to 1. */
uint32_t sl_ramp(double t);
/* The colour of class i of n. */
uint32_t sl_class_colour(const sl_theme *theme, int32_t i, int32_t n);
/* Between two colours. */
uint32_t sl_mix(uint32_t a, uint32_t b, double t);

#endif
