/* SPDX-License-Identifier: MIT */
/* reactions.h: how fast substances grow and decay. Rates are dc/dt [conc/s], negative: decay.
 *
 * Bulk, coefficient k (its sign tells growth from decay), order n, limiting concentration L (0: none):
 *     n = 0       k
 *     n > 0       k c^n; with L: k (L - c) c^(n-1) for growth, k (c - L) c^(n-1) for decay, 0 beyond the limit;
 *                 with n < 1 what is not there (c = 0) does not react
 *     n < 0       Michaelis-Menten: k c / (L + c) for growth, k c / (L - c) for decay below L
 * Wall, per area: first order kw c, zero order kw, both at most what mass transfer brings: see sl_mass_transfer.
 */
#ifndef SL_QUALITY_REACTIONS_H
#define SL_QUALITY_REACTIONS_H

#include "base/simd.h"
#include "quality/segments.h"

typedef struct sl_kinetics {
    double order, limit;
} sl_kinetics;

/* Is the rate k c and nothing else? */
bool sl_kinetics_linear(const sl_kinetics *x);
double sl_bulk_rate(const sl_kinetics *x, double k, double c);

/* Mass transfer to a pipe's wall [m/s]: Sherwood number times diffusivity over diameter; stagnant, laminar (Graetz) and
 * turbulent (Notter and Sleicher). Infinite without diffusivity: the wall alone decides. */
#define SL_TURBULENT 2300.0 /* Reynolds number */
static inline double sl_sherwood_turbulent(double reynolds_to_088, double schmidt_to_0333) {
    return 0.0149 * reynolds_to_088 * schmidt_to_0333;
}
double sl_mass_transfer(double diameter, double length, double reynolds, double viscosity, double diffusivity);
/* First order at the wall through mass transfer, per volume of water [1/s]. */
double sl_wall_first(double kw, double kf, double diameter);
/* Zero order: the rate at concentration c [conc/s]. */
double sl_wall_zero(double kw, double kf, double diameter, double c);

/* One segment. wall_order -1: no wall. */
typedef struct sl_reaction {
    sl_kinetics bulk;
    double k; /* bulk coefficient */
    int32_t wall_order;
    double wall;     /* order 1: apparent rate [1/s]; order 0: coefficient [conc m/s] */
    double kf, area; /* order 0: mass transfer [m/s], area of the wall per volume [1/m] */
} sl_reaction;

/* One segment over dt: by the rate at the beginning, or, exact, by the classical Runge-Kutta method of fourth order in as
 * many parts as its rate asks for. *bulk and *wall are what each added; the new concentration, c + *bulk + *wall, is never
 * below 0. */
void sl_react_segment(const sl_reaction *r, bool exact, double c, double dt, double *bulk, double *wall);
/* What reactions added to segments: mass, by both, and without its sign. */
typedef struct sl_reacted {
    double bulk, wall, moved;
} sl_reacted;

/* A reaction over dt, made ready for many segments. Of order 0 in the water and, if anywhere, at the wall, stepped by the rate at
 * the beginning, it has parts that do not depend on the concentration. */
typedef struct sl_prepared_reaction {
    sl_reaction of;
    double dt;
    bool exact;
    bool order_0;
    bool limited, decays; /* of order 0: by mass transfer; nothing comes of nothing */
    double bulk, most,
        area; /* of order 0: of the water in all; at the wall at most; area with the sign of the wall's doing */
} sl_prepared_reaction;
sl_prepared_reaction sl_reaction_prepare(const sl_reaction *r, bool exact, double dt);
/* The same for n segments side by side, which take their new concentrations; adds to the sum. */
void sl_react_segments(const sl_prepared_reaction *step, sl_segment *x, uint32_t n, sl_reacted *sum);

/* One segment of a reaction of order 0. The functions of the C library for the larger and the smaller of two are calls, and this is
 * done for every segment. */
static SL_INLINE void sl_react_at_order_0(const sl_prepared_reaction *step, sl_segment *x, sl_reacted *sum) {
    double c = x->c, bulk = step->bulk, most = step->most;
    if (c == 0.0 && step->decays) {
        return; /* all is used up already */
    }
    if (step->limited) {
        double brought = step->of.kf * (c > 0.0 ? c : 0.0);
        most = most < brought ? most : brought;
    }
    double wall = step->area * most * step->dt;
    if (c + bulk + wall < 0.0) { /* all is used up */
        double part = c / -(bulk + wall);
        bulk *= part;
        wall *= part;
    }
    double left = c + bulk + wall;
    x->c = left > 0.0 ? left : 0.0;
    sum->bulk += x->v * bulk;
    sum->wall += x->v * wall;
    sum->moved += x->v * __builtin_fabs(bulk + wall);
}

/* All of first order: the factor over dt of a concentration that changes by k c. */
double sl_react_factor(bool exact, double k, double dt);

#endif
