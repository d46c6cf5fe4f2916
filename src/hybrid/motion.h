/* SPDX-License-Identifier: MIT */
/* motion.h: continuous motion of an execution: all that its pieces (hybrid.c) know of equations, roots and integrators.
 *
 *     sl_motion_enter(h, diags);           the equations in force at q, compiled if need be
 *     sl_motion_consistent(h, diags);      x and dx satisfy them: the implicit continuous solution
 *     sl_motion_roots(h, diags);           q takes the sides of the active roots
 *     sl_motion_begin(h, diags);           motion begins, or begins anew, at h->now.t
 *     sl_motion_step(h, diags, &info);     x and dx move on
 *
 * x, dx, q and the time are those of the execution (impl.h). What motion consists of (compiled equations, parts, integrators) is
 * its own (motion_impl.h): x and dx of what is under way are there, until sl_motion_write.
 */
#ifndef SL_HYBRID_MOTION_H
#define SL_HYBRID_MOTION_H

#include "hybrid/hybrid.h"

bool sl_motion_create(sl_hybrid *h);
void sl_motion_destroy(sl_hybrid *h);
/* x, dx and q were put somewhere from outside: no motion is under way, and there is no last step. consistent: but for what sl_motion_enter
 * finds, x and dx belong to the equations that were in force. */
void sl_motion_forget(sl_hybrid *h, bool consistent);

/* Finds the equations in force at q. The next three are about these. */
sl_status sl_motion_enter(sl_hybrid *h, sl_diags *diags);
/* Do x and dx belong to other equations, for all that is known? They are known to be of these. */
bool sl_motion_is_fresh(const sl_hybrid *h);
void sl_motion_trust(sl_hybrid *h);
/* The same, or are there roots that were not asked yet? */
bool sl_motion_is_new(const sl_hybrid *h);
/* Can the motion under way simply go on: same equations, same values? */
bool sl_motion_goes_on(const sl_hybrid *h);
/* Makes consistent what is not known to be; where_possible: what cannot be stays as it is. */
sl_status sl_motion_consistent(sl_hybrid *h, bool where_possible, sl_diags *diags);
/* Actions have changed x: values of parts that this concerns are not known to be consistent any more. */
sl_status sl_motion_acted(sl_hybrid *h);
/* Functions of the model are others: all begins anew. */
sl_status sl_motion_restart(sl_hybrid *h);
/* Values of parts whose steps ended here at their limits are not known to be consistent any more: something has jumped. */
sl_status sl_motion_jumped(sl_hybrid *h);

/* The root function at x, dx. Active roots that want different values of one variable: SL_ERR_SOLVE, conflict. */
sl_status sl_motion_roots(sl_hybrid *h, sl_diags *diags);
void sl_motion_answered(sl_hybrid *h); /* no root has to be asked any more */

typedef struct sl_motion_info {
    double begin, end; /* [s] */
    int32_t n_fired;   /* roots at the end */
    bool at_limit;
    bool restarted; /* a part began anew */
} sl_motion_info;

/* What is not under way begins, at h->now.t. */
sl_status sl_motion_begin(sl_hybrid *h, sl_diags *diags);
sl_status sl_motion_step(sl_hybrid *h, sl_diags *diags, sl_motion_info *out);

/* The number of the mode that x and dx belong to; -1: none, or the model moves by parts. */
int32_t sl_motion_mode(const sl_hybrid *h);
/* Writes x and dx of parts under way to those of the execution. */
void sl_motion_write(sl_hybrid *h);
int32_t sl_motion_n_component(const sl_hybrid *h);
sl_status sl_motion_write_one(sl_hybrid *h, int32_t j);
/* The last step: its roots, as sl_hybrid_fired; values at a time within it. */
const int8_t *sl_motion_fired(const sl_hybrid *h, int32_t *n_root);
sl_status sl_motion_interpolate(const sl_hybrid *h, double t, int32_t n, double *x, double *dx); /* of the first n */
int32_t sl_motion_n_fired(const sl_hybrid *h);                                                   /* how many ended it */
/* Counts the roots that fired; those of cuts too where they are known one by one, else of these the resolution [s]. */
void sl_motion_count_fired(sl_hybrid *h, double *of_cuts);

/* Parts under way as bytes: of the last step, so that they come to it again. */
size_t sl_motion_save_size(const sl_hybrid *h);
void sl_motion_save(const sl_hybrid *h, char *bytes);
/* SL_ERR_INPUT: they are not of these equations. */
sl_status sl_motion_restore(sl_hybrid *h, const char *bytes, size_t n, size_t *n_used, int32_t *n_fired,
                            sl_diags *diags);

void sl_motion_add_statistics(const sl_hybrid *h, sl_hybrid_stats *all);

#endif
