/* SPDX-License-Identifier: MIT */
/* integrate.c: what integrators share: who makes the steps, functions of the system with a look at their results, what is said where no
 * step can be made.
 */
#include "dae/impl.h"

#include "base/out.h"
#include "base/report.h"

#include <math.h>

/* Unknowns up to which bdf.c makes the steps: beyond, what objects cost is nothing against the arithmetic. */
enum { MOST_SMALL = 64 };

const sl_integrator *sl_integrator_of(int32_t n) {
    return n <= MOST_SMALL ? &sl_bdf_integrator : &sl_ida_integrator;
}

/* ---- Functions of the system -------------------------------------------------------------------- */

static bool all_finite(const double *v, int32_t n) {
    double sum = 0.0; /* stays 0 unless something is not finite */
    for (int32_t i = 0; i < n; i++) {
        sum += v[i] * 0.0;
    }
    return sum == 0.0;
}

int sl_integrator_residual(sl_dae *d, double t, const double *x, const double *dx, double *r) {
    d->stats.n_residual++;
    int result = d->system.residual(d->system.user, t, x, dx, r);
    return result != 0 ? result : all_finite(r, d->n) ? 0 : 1;
}

int sl_integrator_jacobian(sl_dae *d, double t, double c, const double *x, const double *dx) {
    d->stats.n_jacobian++;
    int result = d->system.jacobian(d->system.user, t, x, dx, 1.0, c, d->values);
    return result != 0 ? result : all_finite(d->values, d->n_entry) ? 0 : 1;
}

sl_status sl_integrator_factor(sl_dae *d) {
    d->singular = -1;
    sl_status status =
        d->fresh_pivots ? sl_lu_factor(d->lu, d->values, &d->singular) : sl_lu_refactor(d->lu, d->values, &d->singular);
    d->fresh_pivots = false;
    return status;
}

/* ---- Messages ----------------------------------------------------------------------------------- */

static const struct {
    const char *text, *hint;
} reasons[] = {
    [SL_DAE_NOT_EXACT] = {"the local error cannot be kept within the tolerance",
                          "loosen the tolerance, or look for a jump in the equations that no root announces"},
    [SL_DAE_NOT_SOLVED] = {"the equations of a step could not be solved",
                           "look for a kink or jump that no root announces, or for values that leave the range of the "
                           "equations"},
    [SL_DAE_NO_MATRIX] = {"the Jacobian is singular or cannot be computed",
                          "some unknowns are not determined here, or the equations have a high index"},
    [SL_DAE_NO_RESIDUAL] = {"the equations cannot be evaluated", "values have left the range of the equations"},
    [SL_DAE_NO_RESIDUAL_NEARBY] = {"the equations cannot be evaluated, however short the step",
                                   "values have left the range of the equations"},
    [SL_DAE_NO_RESIDUAL_AT_ONCE] = {"the equations cannot be evaluated at the start", "check the initial values"},
    [SL_DAE_NO_ROOT] = {"a root function cannot be evaluated", "values have left the range of the root function"},
    [SL_DAE_TOO_EXACT] = {"the tolerance is below what rounding allows",
                          "loosen the tolerance, the absolute one of this variable first"},
    [SL_DAE_STALLED] = {"the run makes no progress: its steps stay this short",
                        "check this variable: its value grows without bound, or its equation switches back and forth"},
    [SL_DAE_NO_VALUE] = {"a value is not a number, or a root function stays at zero",
                         "make a root inactive where it means nothing"},
    [SL_DAE_OTHER] = {"the integrator failed", NULL},
};

/* The variable with the largest estimated error over its tolerance. */
static int32_t hardest(const sl_dae *d, const double *errors) {
    int32_t worst = -1;
    double most = 0.0;
    for (int32_t j = 0; errors && j < d->n; j++) {
        double e = fabs(errors[j]) / sl_dae_tolerance(d, j, d->x[j]);
        if (e > most) {
            most = e;
            worst = j;
        }
    }
    return worst;
}

static void report(sl_dae *d, sl_dae_trouble trouble, sl_diags *diags) {
    char name[SL_DAE_NAME], about[SL_DAE_NAME + 64] = "";
    const double *errors = NULL;
    double h = d->integrator->current(d, &errors);
    bool singular = trouble == SL_DAE_NO_MATRIX && d->singular >= 0;
    int32_t worst = singular ? d->singular : hardest(d, errors);
    if (worst >= 0) {
        (void)sl_format(about, sizeof about,
                        singular ? "; '%s' has no equation left" : "; the hardest variable is '%s'",
                        sl_dae_name(&d->system, false, worst, name));
    }
    sl_report(diags, SL_ERROR, SL_CODE_STEP_FAILED, NULL, NULL, NULL, reasons[trouble].hint,
              "at %.9g s, with steps of %.3g s: %s%s", d->t, h, reasons[trouble].text, about);
}

void sl_integrator_report_stuck(sl_dae *d, sl_diags *diags) {
    report(d, d->def.stall > 0.0 ? SL_DAE_STALLED : SL_DAE_TOO_EXACT, diags);
}

sl_status sl_integrator_step(sl_dae *d, int *end, sl_diags *diags) {
    sl_dae_trouble trouble = d->integrator->step(d, end);
    if (trouble == SL_DAE_NO_TROUBLE || trouble == SL_DAE_NO_MEMORY) {
        return trouble == SL_DAE_NO_TROUBLE ? SL_OK : SL_ERR_MEMORY;
    }
    report(d, trouble, diags);
    return SL_ERR_SOLVE;
}
