/* SPDX-License-Identifier: MIT */
/* pipe.h: head loss of pipes, h(Q), odd in Q, and its slope.
 *
 * Units: m, m3/s, s/m2. Theory: docs/theory/hydraulics.md, "Pipes".
 */
#ifndef SL_LAWS_PIPE_H
#define SL_LAWS_PIPE_H

#include <sluice/network.h>

/* What a pipe's flow meets. */
typedef struct sl_pipe_law {
    double resistance; /* r: h = r |Q|^0.852 Q, r |Q| Q, or f r |Q| Q for Darcy-Weisbach */
    double minor;      /* m: adds m |Q| Q */
} sl_pipe_law;

/* The part of Darcy-Weisbach that needs more than the resistance. */
typedef struct sl_dw_pipe {
    double relative; /* roughness / (3.7 D) */
    double re_scale; /* [s/m3]: Re = re_scale |Q| */
} sl_dw_pipe;

sl_dw_pipe sl_dw_pipe_of(double diameter, double roughness, double viscosity);

double sl_pipe_resistance(sl_headloss law, double length, double diameter, double roughness);
/* The same of n pipes. */
void sl_pipes_resistance(sl_headloss law, int32_t n, const double *length, const double *diameter,
                         const double *roughness, double *resistance);
/* m of a loss coefficient K in a bore of this diameter. */
double sl_minor_loss(double k, double diameter);

/* h and dh/dQ at Q of n pipes; slope >= floor (a linear law where the true slope is less: h = slope Q). The arrays are
 * parallel; for Hazen-Williams minor may be NULL, with the same bits as zeros. */
void sl_pipes_hw(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope);
void sl_pipes_cm(int32_t n, const double *resistance, const double *minor, const double *q, double floor, double *h,
                 double *slope);
void sl_pipes_dw(int32_t n, const double *resistance, const double *minor, const sl_dw_pipe *dw, const double *q,
                 double floor, double *h, double *slope);

/* Darcy-Weisbach at n flows through one pipe: h = r Q, with Re = re_scale |Q|. */
void sl_pipe_slopes_dw(int64_t n, double resistance, double minor, double relative, double re_scale, const double *q,
                       double *r);

#endif
