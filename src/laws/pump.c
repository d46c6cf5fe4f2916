/* SPDX-License-Identifier: MIT */
/* pump.c: head gain of pumps; see pump.h. */
#include "laws/pump.h"

#include "laws/constants.h"
#include "numeric/curve.h"

#include <math.h>

/* [m], ten times the highest lift of any pump that moves water. */
#define HIGHEST_GAIN 1e4
/* Of the design flow. */
#define NEAR_REST 1e-3

sl_pump_law sl_pump_law_of(const sl_network *net, int32_t pump) {
    sl_pump_law law = {.q_max = (double)INFINITY, .h_max = (double)INFINITY, .h_rest = (double)INFINITY};
    int32_t c = net->pump_curve[pump];
    if (c < 0) {
        law.kind = SL_PUMP_CONSTANT_POWER;
        law.work = SL_POWER_FIGURE * (net->pump_power[pump] / SL_HORSEPOWER) * SL_FOOT * SL_CUBIC_FOOT;
        law.q_design = SL_CUBIC_FOOT;
        return law;
    }
    int32_t at = net->curve_start[c], n = net->curve_start[c + 1] - at;
    const double *x = net->curve_x + at, *y = net->curve_y + at;
    bool one = n == 1, three = n == 3 && x[0] == 0.0;
    if (one || three) {
        /* One point is the middle of a curve from 4/3 of its head (as 1.33334) to twice its flow. */
        double h0 = one ? 1.33334 * y[0] : y[0], q1 = one ? x[0] : x[1], h1 = one ? y[0] : y[1];
        double q2 = one ? 2.0 * x[0] : x[2], h2 = one ? 0.0 : y[2];
        law.h0 = h0;
        law.q_design = q1;
        if (sl_power_fit(h0, q1, h1, q2, h2, &law.r, &law.n)) {
            law.kind = SL_PUMP_POWER_LAW;
            law.h_max = law.h_rest = h0;
            law.q_max = pow(h0 / law.r, 1.0 / law.n);
            return law;
        }
    }
    law.kind = SL_PUMP_CUSTOM;
    law.x = x;
    law.y = y;
    law.n_point = n;
    law.q_design = 0.5 * (x[0] + x[n - 1]);
    law.h_max = y[0];
    law.h_rest = n > 1 ? y[0] + (y[0] - y[1]) / (x[1] - x[0]) * x[0] : y[0];
    law.q_max = x[n - 1];
    return law;
}

double sl_pump_shutoff(const sl_pump_law *law, double w) {
    return w * w * law->h_max;
}

/* The straight piece of a custom curve around a flow at full speed: gain = a - b q. The end pieces go on. */
static void piece_at(const sl_pump_law *law, double q, double *a, double *b) {
    int32_t k = 1;
    while (k < law->n_point - 1 && q > law->x[k]) {
        k++;
    }
    *b = (law->y[k - 1] - law->y[k]) / (law->x[k] - law->x[k - 1]);
    *a = law->y[k - 1] + *b * law->x[k - 1];
}

void sl_pump_loss(const sl_pump_law *law, double w, double q, double floor, double *h, double *slope) {
    if (law->kind == SL_PUMP_CUSTOM) {
        if (law->n_point < 2) { /* a level line */
            *h = -w * w * law->h_max + floor * q;
            *slope = floor;
            return;
        }
        double a, b;
        piece_at(law, q / w, &a, &b);
        *slope = fmax(w * b, floor);
        *h = *slope * q - w * w * a;
        return;
    }
    if (law->kind == SL_PUMP_CONSTANT_POWER) {
        /* Gain work/Q, as a loss -work/Q with slope work/Q^2. Beyond a gain that no pump has, and where the curve is all
         * but level, its tangent goes on: heads stay within reach of the Newton method, and a pump at rest shows. */
        double work = w * w * w * law->work; /* the affinity laws: power goes with the cube of speed */
        double q_low = work / HIGHEST_GAIN, q_high = sqrt(work / SL_FLAT);
        double at = fmin(fmax(q, q_low), q_high);
        *slope = work / (at * at);
        *h = -work / at + *slope * (q - at);
        return;
    }
    /* Near rest the law is its chord: a thousandth of the design flow is a millionth of the head or less, but a flat
     * curve would leave several pumps at their shut-off head undecided about their flows. */
    double n = law->n, scale = law->r * pow(w, 2.0 - n), chord = n > 1.0 ? NEAR_REST * w * law->q_design : 0.0;
    double a = fabs(q), power = pow(fmax(a, chord), n - 1.0), s = (a < chord ? 1.0 : n) * scale * power;
    double hf = scale * power * q;
    if (!(s >= floor)) {
        s = floor;
        hf = floor * q;
    }
    if (s > SL_STEEP && n < 1.0) { /* vertical at rest; others may be as steep as they like far out */
        s = SL_STEEP;
        hf = SL_STEEP * q;
    }
    *h = hf - w * w * law->h0;
    *slope = s;
}
