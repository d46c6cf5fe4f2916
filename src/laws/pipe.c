/* SPDX-License-Identifier: MIT */
/* pipe.c: head loss of pipes; see pipe.h.
 *
 * Hazen-Williams and Chezy-Manning are power laws whose slope vanishes at rest: below a floor of the slope the law is
 * the straight line of that slope, which keeps the Newton matrix finite and changes heads by less than the floor times
 * a vanishing flow. Darcy-Weisbach is linear at rest by itself.
 */
#include "laws/pipe.h"

#include "laws/constants.h"
#include "numeric/vecmath.h"

#include <math.h>

/* What a length is divided by in the law of Hazen and Williams. */
static double hw_size(double diameter, double roughness) {
    return pow(roughness, SL_HW_EXPONENT) * pow(diameter / SL_FOOT, 4.871);
}

static double hw_resistance(double length, double size) {
    return SL_HW_FIGURE * (length / SL_FOOT) / size * SL_FOOT / pow(SL_CUBIC_FOOT, SL_HW_EXPONENT);
}

double sl_pipe_resistance(sl_headloss law, double length, double diameter, double roughness) {
    double l = length / SL_FOOT, d = diameter / SL_FOOT, r;
    switch (law) {
    case SL_HAZEN_WILLIAMS: return hw_resistance(length, hw_size(diameter, roughness));
    case SL_CHEZY_MANNING:
        r = 4.0 * roughness / (SL_CM_FIGURE * SL_PI * d * d);
        r = r * r * pow(d / 4.0, -SL_CM_EXPONENT) * l;
        return r * SL_FOOT / (SL_CUBIC_FOOT * SL_CUBIC_FOOT);
    case SL_DARCY_WEISBACH:
    default: {
        double area = SL_PI * diameter * diameter / 4.0;
        return length / (2.0 * SL_LOSS_GRAVITY * diameter * area * area);
    }
    }
}

/* Powers take longer than all else that is done to a pipe before it is solved, and sizes repeat: most networks have a few
 * dozen. */
void sl_pipes_resistance(sl_headloss law, int32_t n, const double *length, const double *diameter,
                         const double *roughness, double *resistance) {
    enum { KEPT_BITS = 6 };
    struct {
        double diameter, roughness, size;
    } kept[1 << KEPT_BITS] = {{0}};
    for (int32_t k = 0; k < n; k++) {
        double d = diameter[k], c = roughness[k];
        if (law != SL_HAZEN_WILLIAMS) {
            resistance[k] = sl_pipe_resistance(law, length[k], d, c);
            continue;
        }
        uint64_t mixed = (sl_bits_of(d) ^ sl_bits_of(c) << 1) * 0x9e3779b97f4a7c15u;
        size_t i = mixed >> (64 - KEPT_BITS);
        if (kept[i].diameter != d || kept[i].roughness != c) {
            kept[i].diameter = d;
            kept[i].roughness = c;
            kept[i].size = hw_size(d, c);
        }
        resistance[k] = hw_resistance(length[k], kept[i].size);
    }
}

double sl_minor_loss(double k, double diameter) {
    double d = diameter / SL_FOOT;
    return SL_MINOR_FIGURE * k / (d * d * d * d) * SL_FOOT / (SL_CUBIC_FOOT * SL_CUBIC_FOOT);
}

/* The law r |q|^(e-1) q + m |q| q from the power |q|^(e-1). Below the floor of the slope: the chord that meets the curve
 * where its slope is the floor. */
static inline void power_law(double r, double m, double e, double power, double q, double floor, double *h,
                             double *slope) {
    double a = fabs(q), friction = r * power, s = e * friction;
    double chord = floor / e;
    friction = s < floor ? chord : friction;
    s = s < floor ? chord : s;
    *h = friction * q + m * a * q;
    *slope = s + 2.0 * m * a;
}

SL_SIMD(void, pipes_hw,
        (int32_t n, const double *restrict resistance, const double *restrict minor, const double *restrict q,
         double floor, double *restrict h, double *restrict slope),
        (n, resistance, minor, q, floor, h, slope)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double power = sl_vec_power(fabs(q[i]), SL_HW_EXPONENT - 1.0);
        power_law(resistance[i], minor[i], SL_HW_EXPONENT, power, q[i], floor, &h[i], &slope[i]);
    }
}

/* Without minor losses, as most networks are. */
SL_SIMD(void, plain_pipes_hw,
        (int32_t n, const double *restrict resistance, const double *restrict q, double floor, double *restrict h,
         double *restrict slope),
        (n, resistance, q, floor, h, slope)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double power = sl_vec_power(fabs(q[i]), SL_HW_EXPONENT - 1.0);
        double friction = resistance[i] * power, s = SL_HW_EXPONENT * friction, chord = floor / SL_HW_EXPONENT;
        h[i] = (s < floor ? chord : friction) * q[i];
        slope[i] = s < floor ? chord : s;
    }
}

SL_SIMD(void, pipes_cm,
        (int32_t n, const double *restrict resistance, const double *restrict minor, const double *restrict q,
         double floor, double *restrict h, double *restrict slope),
        (n, resistance, minor, q, floor, h, slope)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        power_law(resistance[i], minor[i], 2.0, fabs(q[i]), q[i], floor, &h[i], &slope[i]);
    }
}

/* The friction factor: 64/Re up to 2000, Swamee and Jain from 4000, between them the cubic that joins both in value and slope
 * (Dunlop). relative is roughness / (3.7 D). */
enum { RE_LAMINAR = 2000, RE_TURBULENT = 4000 };

/* Swamee and Jain, f = 0.25 / log10(y)^2 with y = e/3.7D + 5.74/Re^0.9, and df/dRe. A division takes longer than all else
 * here: one serves for both. */
static SL_INLINE double swamee_jain(double re, double relative, double *slope) {
    double t = 5.74 * sl_vec_power(re, -0.9), y = relative + t, log_y = sl_vec_log(y);
    double inverse = 1.0 / (log_y * log_y * y * re);
    double f = 0.25 * 2.302585092994045684 * 2.302585092994045684 * (inverse * y * re);
    /* df/dy = -2 f / (y ln y), dy/dRe = -0.9 t / Re */
    *slope = 1.8 * f * t * (inverse * log_y);
    return f;
}

/* Both pieces above 2000 without a branch: the turbulent one at 4000 is also what the cubic below it joins. */
static SL_INLINE double not_laminar(double re, double relative, double *slope) {
    const double per_laminar = 1.0 / RE_LAMINAR;
    double s1, f1 = swamee_jain(re > RE_TURBULENT ? re : RE_TURBULENT, relative, &s1);
    /* Hermite cubic in x = Re/2000 - 1 from (0.032, -0.032 per x) to Swamee-Jain's value and slope at 4000. */
    double x = re * per_laminar - 1.0, f0 = 64.0 / RE_LAMINAR, s0 = -f0, s2 = s1 * RE_LAMINAR;
    double c2 = 3.0 * (f1 - f0) - 2.0 * s0 - s2, c3 = 2.0 * (f0 - f1) + s0 + s2;
    double between = f0 + x * (s0 + x * (c2 + x * c3)),
           between_slope = (s0 + x * (2.0 * c2 + 3.0 * c3 * x)) * per_laminar;
    *slope = re >= RE_TURBULENT ? s1 : between_slope;
    return re >= RE_TURBULENT ? f1 : between;
}

SL_SIMD(void, pipes_dw,
        (int32_t n, const double *restrict resistance, const double *restrict minor, const sl_dw_pipe *restrict dw,
         const double *restrict q, double floor, double *restrict h, double *restrict slope),
        (n, resistance, minor, dw, q, floor, h, slope)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double a = fabs(q[i]), r = resistance[i], m = minor[i];
        double re = dw[i].re_scale * a;
        double fs, f = not_laminar(re, dw[i].relative, &fs);
        double linear = 64.0 * r / dw[i].re_scale;                 /* laminar: h is linear, also at rest */
        double hf = re <= RE_LAMINAR ? linear * a : f * r * a * a; /* of |q| */
        double s = re <= RE_LAMINAR ? linear : (2.0 * f + fs * re) * r * a;
        double wide = floor * a; /* a bore so wide that it loses nothing */
        hf = s < floor ? wide : hf;
        s = s < floor ? floor : s;
        h[i] = copysign(hf + m * a * a, q[i]);
        slope[i] = s + 2.0 * m * a;
    }
}

SL_SIMD(void, slopes_dw,
        (int64_t n, double resistance, double minor, double relative, double re_scale, const double *restrict q,
         double *restrict r),
        (n, resistance, minor, relative, re_scale, q, r)) {
    double linear = 64.0 * resistance / re_scale;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double a = fabs(q[i]), re = re_scale * a, unused, f = not_laminar(re, relative, &unused);
        r[i] = (re <= RE_LAMINAR ? linear : f * resistance * a) + minor * a;
    }
}

void sl_pipe_slopes_dw(int64_t n, double resistance, double minor, double relative, double re_scale, const double *q,
                       double *r) {
    slopes_dw(n, resistance, minor, relative, re_scale, q, r);
}

sl_dw_pipe sl_dw_pipe_of(double diameter, double roughness, double viscosity) {
    return (sl_dw_pipe){.relative = roughness / (3.7 * diameter), .re_scale = 4.0 / (SL_PI * viscosity * diameter)};
}

/* Clones cannot be hidden in a shared library, so they are static. */
void sl_pipes_hw(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope) {
    if (minor) {
        pipes_hw(n, resistance, minor, q, floor, h, slope);
    } else {
        plain_pipes_hw(n, resistance, q, floor, h, slope);
    }
}

void sl_pipes_cm(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope) {
    pipes_cm(n, resistance, minor, q, floor, h, slope);
}

void sl_pipes_dw(int32_t n, const double *resistance, const double *minor, const sl_dw_pipe *dw, const double *q,
                 double floor, double *h, double *slope) {
    pipes_dw(n, resistance, minor, dw, q, floor, h, slope);
}
