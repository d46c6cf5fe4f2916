/* SPDX-License-Identifier: MIT */
/* outlet.h: water that leaves at a junction under its pressure: emitters, leaks, pressure-driven demands.
 *
 * Each is a fictitious link from the junction to a fixed head, with the loss h(q) = k q^n for q >= 0: an emitter
 * q = C p^g has n = 1/g and k = C^-n. Such a law is convex in q, which the Newton method likes better than the
 * vertical tangent of q(p) at p = 0. Units: m, m3/s. Theory: docs/theory/hydraulics.md, "Outlets".
 */
#ifndef SL_LAWS_OUTLET_H
#define SL_LAWS_OUTLET_H

#include <sluice/network.h>

typedef enum sl_outlet_kind {
    SL_OUTLET_EMITTER = 0,  /* both ways when backflow is allowed */
    SL_OUTLET_LEAK_FIXED,   /* through cracks of fixed area: exponent 1/2 */
    SL_OUTLET_LEAK_GROWING, /* through area that grows with pressure: exponent 3/2 */
    SL_OUTLET_DEMAND        /* consumers that get less at low pressure */
} sl_outlet_kind;

typedef struct sl_outlet_law {
    double k, n;    /* h = k q^n */
    double linear;  /* below this q the law is the chord through the origin */
    double wall;    /* slope for q < 0 when that is not allowed */
    bool both_ways; /* odd in q; else all but closed for q < 0 */
} sl_outlet_law;

/* What all pressure-driven demands of a network share. */
typedef struct sl_demand_law {
    double range, g, n; /* [m] between no and full supply; exponents of q(p) and h(q) */
    double chord_head;  /* [m] below it the law is a chord */
    double chord_share; /* of the full flow there */
} sl_demand_law;

/* q = c p^g. */
sl_outlet_law sl_outlet_power(double c, double g, bool both_ways);
/* h and dh/dq. */
void sl_outlet_loss(const sl_outlet_law *law, double q, double *h, double *slope);
/* Wagner's law: q = full (p / range)^g within 0..full, p counted from the pressure of zero flow; and the flow at such a p. The same of
 * n demands, with conductances 1 / (dh/dq); those that are not above 0 have no law: all zeros. */
void sl_demand_losses(const sl_demand_law *law, int32_t n, const double *full, const double *q, double *h,
                      double *conductance);
void sl_demand_flows(const sl_demand_law *law, int32_t n, const double *full, const double *p, double *q);
sl_demand_law sl_demand_law_of(double range, double g);
void sl_demand_loss(const sl_demand_law *law, double full, double q, double *h, double *slope);
double sl_demand_flow(const sl_demand_law *law, double full, double p);
/* What the law delivers at a pressure above its zero. */
double sl_outlet_flow(const sl_outlet_law *law, double p);
/* Coefficients of the leakage of a junction at which these links end, q = fixed p^(1/2) + growing p^(3/2): half of each pipe, all of
 * it when the other end is a source. Both 0: nothing leaks there. */
void sl_leaks_at(const sl_network *net, int32_t node, int32_t n_link, const int32_t *links, double *fixed,
                 double *growing);

#endif
