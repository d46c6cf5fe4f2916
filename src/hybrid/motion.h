/* SPDX-License-Identifier: MIT */
/* motion.h: continuous motion of an execution: all that its pieces (hybrid.c) know of equations, roots and integrators.
 *
 *     sl_motion_enter(h, diags);           the equations in force at q, compiled if need be
 *     sl_motion_consistent(h, diags);      x and dx satisfy them: the implicit continuous solution
 *     sl_motion_roots(h, diags);           q takes the sides of the active roots
 *     sl_motion_begin(h, diags);           motion begins, or begins anew, at h->now.t
 *     sl_motion_step(h, diags, &info);     x and dx move on
 *
 * x, dx, q and the time are those of the execution (impl.h). What motion consists of (modes, integrators) is its own.
 */
#ifndef SL_HYBRID_MOTION_H
#define SL_HYBRID_MOTION_H

#include "hybrid/hybrid.h"

bool sl_motion_create(sl_hybrid *h);
void sl_motion_destroy(sl_hybrid *h);
/* x, dx and q were put somewhere from outside: no motion is under way, and there is no last step. */
void sl_motion_forget(sl_hybrid *h);

/* Finds the equations in force at q. The next three are about these. */
sl_status sl_motion_enter(sl_hybrid *h, sl_diags *diags);
/* Do x and dx belong to other equations? */
bool sl_motion_is_new(const sl_hybrid *h);
/* Can the motion under way simply go on: same equations, same values? */
bool sl_motion_goes_on(const sl_hybrid *h);
sl_status sl_motion_consistent(sl_hybrid *h, sl_diags *diags);

/* The root function at x, dx. Active roots that want different values of one variable: SL_ERR_SOLVE, conflict. */
sl_status sl_motion_roots(sl_hybrid *h, sl_diags *diags);

sl_status sl_motion_begin(sl_hybrid *h, sl_diags *diags);
/* Has it made as many steps as it may without beginning anew? */
bool sl_motion_is_long(const sl_hybrid *h);
sl_status sl_motion_step(sl_hybrid *h, sl_diags *diags, sl_dae_step_info *out);

/* The last step: its roots, as sl_hybrid_fired; values at a time within it. */
bool sl_motion_has_step(const sl_hybrid *h);
const int8_t *sl_motion_fired(const sl_hybrid *h, int32_t *n_root);
const int32_t *sl_motion_root_variables(const sl_hybrid *h); /* what these decide; -1: a cut */
/* [n_root] sl_dae_resolution at its end; 0 where that cannot be computed. */
const double *sl_motion_resolution(const sl_hybrid *h);
sl_status sl_motion_interpolate(const sl_hybrid *h, double t, double *x, double *dx);

void sl_motion_add_statistics(const sl_hybrid *h, sl_dae_stats *all);

#endif
