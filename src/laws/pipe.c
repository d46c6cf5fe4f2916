/* pipe.c: head loss of pipes; see pipe.h.
 *
 * Hazen-Williams and Chezy-Manning are power laws whose slope vanishes at rest: below a floor of the slope the law is
 * the straight line of that slope, which keeps the Newton matrix finite and changes heads by less than the floor times
 * a vanishing flow. Darcy-Weisbach is linear at rest by itself.
 */
#include "laws/pipe.h"

#include "laws/constants.h"

#include <math.h>

double sl_pipe_resistance(sl_headloss law, double length, double diameter, double roughness) {
    double l = length / SL_FOOT, d = diameter / SL_FOOT, r;
    switch (law) {
    case SL_HAZEN_WILLIAMS:
        r = SL_HW_FIGURE * l / (pow(roughness, SL_HW_EXPONENT) * pow(d, 4.871));
        return r * SL_FOOT / pow(SL_CUBIC_FOOT, SL_HW_EXPONENT);
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

double sl_minor_loss(double k, double diameter) {
    double d = diameter / SL_FOOT;
    return SL_MINOR_FIGURE * k / (d * d * d * d) * SL_FOOT / (SL_CUBIC_FOOT * SL_CUBIC_FOOT);
}

/* The law r |q|^(e-1) q + m |q| q from the power |q|^(e-1). */
static inline void power_law(double r, double m, double e, double power, double q, double floor, double *h,
                             double *slope) {
    double a = fabs(q);
    double friction = r * power, s = e * friction;
    double hf = friction * q;
    if (s < floor) { /* the chord that meets the curve where its slope is the floor */
        s = floor / e;
        hf = s * q;
    }
    *h = hf + m * a * q;
    *slope = s + 2.0 * m * a;
}

void sl_pipes_hw(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope) {
    for (int32_t i = 0; i < n; i++) {
        power_law(resistance[i], minor[i], SL_HW_EXPONENT, pow(fabs(q[i]), SL_HW_EXPONENT - 1.0), q[i], floor, &h[i],
                  &slope[i]);
    }
}

void sl_pipes_cm(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope) {
    for (int32_t i = 0; i < n; i++) {
        power_law(resistance[i], minor[i], 2.0, fabs(q[i]), q[i], floor, &h[i], &slope[i]);
    }
}

/* Swamee and Jain, f = 0.25 / log10(y)^2 with y = e/3.7D + 5.74/Re^0.9, and df/dRe. */
static double swamee_jain(double re, double relative, double *slope) {
    double t = 5.74 / pow(re, 0.9), y = relative + t;
    double log_y = log(y);
    double f = 0.25 * 2.302585092994045684 * 2.302585092994045684 / (log_y * log_y);
    /* df/dy = -2 f / (y ln y), dy/dRe = -0.9 t / Re */
    *slope = 1.8 * f * t / (y * log_y * re);
    return f;
}

enum { RE_LAMINAR = 2000, RE_TURBULENT = 4000 };

double sl_friction_factor(double re, double relative, double *slope) {
    if (re >= RE_TURBULENT) {
        return swamee_jain(re, relative, slope);
    }
    if (re <= RE_LAMINAR) {
        *slope = -64.0 / (re * re);
        return 64.0 / re;
    }
    /* Hermite cubic in x = Re/2000 - 1 from (0.032, -0.032 per x) to Swamee-Jain's value and slope at 4000. */
    double s1, f1 = swamee_jain(RE_TURBULENT, relative, &s1);
    double x = re / RE_LAMINAR - 1.0, f0 = 64.0 / RE_LAMINAR, s0 = -f0;
    s1 *= RE_LAMINAR;
    double c2 = 3.0 * (f1 - f0) - 2.0 * s0 - s1, c3 = 2.0 * (f0 - f1) + s0 + s1;
    *slope = (s0 + x * (2.0 * c2 + 3.0 * c3 * x)) / RE_LAMINAR;
    return f0 + x * (s0 + x * (c2 + x * c3));
}

void sl_pipes_dw(int32_t n, const double *resistance, const double *minor, const sl_dw_pipe *dw, const double *q,
                 double floor, double *h, double *slope) {
    for (int32_t i = 0; i < n; i++) {
        double a = fabs(q[i]), r = resistance[i], m = minor[i];
        double re_per_flow = 4.0 / (SL_PI * dw[i].laminar), re = re_per_flow * a;
        double s, hf; /* of |q| */
        if (re <= RE_LAMINAR) {
            s = 64.0 * r / re_per_flow;
            hf = s * a;
        } else {
            double fs, f = sl_friction_factor(re, dw[i].relative, &fs);
            hf = f * r * a * a;
            s = 2.0 * f * r * a + fs * re_per_flow * r * a * a;
        }
        if (s < floor) { /* a bore so wide that it loses nothing */
            s = floor;
            hf = floor * a;
        }
        h[i] = copysign(hf + m * a * a, q[i]);
        slope[i] = s + 2.0 * m * a;
    }
}
