/* SPDX-License-Identifier: MIT */
/* pump.h: head gain of pumps at any speed.
 *
 * At speed w a curve g(Q) becomes w^2 g(Q/w) (affinity laws). Units: m, m3/s. Theory: docs/theory/hydraulics.md, "Pumps".
 */
#ifndef SL_LAWS_PUMP_H
#define SL_LAWS_PUMP_H

#include <sluice/network.h>

typedef enum sl_pump_kind { SL_PUMP_POWER_LAW = 0, SL_PUMP_CUSTOM, SL_PUMP_CONSTANT_POWER } sl_pump_kind;

typedef struct sl_pump_law {
    sl_pump_kind kind;
    double h0, r, n;     /* gain = h0 - r Q^n */
    double work;         /* constant power: gain = work / Q [m4/s] */
    const double *x, *y; /* custom curve: flow, gain */
    int32_t n_point;
    double q_design;     /* a flow in the middle of its range, to start from */
    double q_max, h_max; /* largest flow and gain at full speed; infinite for constant power */
    double h_rest;       /* gain at rest: above h_max when a custom curve begins at a flow */
} sl_pump_law;

/* The law of a network's pump. Curves are valid: the network was checked. */
sl_pump_law sl_pump_law_of(const sl_network *net, int32_t pump);

/* The loss -gain at flow q (any sign) and speed w > 0, and its slope, at least floor. Below zero flow the curve goes on
 * steeply, so that a pump does not run backwards. */
void sl_pump_loss(const sl_pump_law *law, double w, double q, double floor, double *h, double *slope);
/* The largest gain at this speed; above it the pump cannot deliver. */
double sl_pump_shutoff(const sl_pump_law *law, double w);

#endif
