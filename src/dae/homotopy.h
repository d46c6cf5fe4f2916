/* SPDX-License-Identifier: MIT */
/* homotopy.h: the last resort for a few equations that Newton's method does not solve from where it begins: the curve on which residuals are
 * in the proportions of those at the beginning, F(z) = (1 - l) F(z0), is followed from l = 0 by its length, past points where it turns back in
 * l, until l is 1 (Keller 1977); in both directions. */
#ifndef SL_DAE_HOMOTOPY_H
#define SL_DAE_HOMOTOPY_H

#include <sluice/base.h>

typedef struct sl_homotopy {
    int32_t n;
    void *user;
    /* False: not here. z: unknowns of a size near 1; a: [n n] by rows, dF/dz at the z of the last residual. */
    bool (*residual)(void *user, const double *z, double *r);
    bool (*matrix)(void *user, double *a);
} sl_homotopy;

/* z: where to begin; then near a solution. SL_ERR_SOLVE: none was met. */
sl_status sl_homotopy_follow(sl_context *ctx, const sl_homotopy *p, double *z);

#endif
