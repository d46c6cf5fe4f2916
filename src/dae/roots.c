/* roots.c: which roots the integrator sees, and how.
 *
 * A root function that was at zero is not looked at again until it has left zero by root_tol: else the same event would
 * be found again and again, and one that stays at zero would end the run. Until then it counts as being on the side to
 * which its derivative points; when it comes out on the other side after all, that is found as a crossing then. A root
 * that is not active is constant.
 */
#include "dae/impl.h"

#include "base/report.h"

#include <math.h>
#include <string.h>

static sl_status evaluate(sl_dae *d, double t, const double *x, const double *dx, double *g, sl_diags *diags) {
    if (d->system.roots(d->system.user, t, x, dx, g) == 0) {
        return SL_OK;
    }
    sl_report(diags, SL_ERROR, SL_CODE_STEP_FAILED, NULL, NULL, NULL, "values have left the range of the root function",
              "at %.9g s a root function cannot be evaluated", t);
    return SL_ERR_SOLVE;
}

/* Judges the roots that carry the mark ROOT_NEW, at the present values. */
enum { ROOT_NEW = 8 };

static sl_status judge(sl_dae *d, sl_diags *diags) {
    sl_status status = evaluate(d, d->t, d->x, d->dx, d->g, diags);
    bool any = false;
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        uint8_t *r = &d->root[i];
        if ((*r & ROOT_NEW) && fabs(d->g[i]) > d->def.root_tol) {
            *r = ROOT_ACTIVE;
        }
        any = any || (*r & ROOT_NEW);
    }
    if (status != SL_OK || !any) {
        return status;
    }
    /* a little further on along x' */
    double *ahead = d->work[0], *g = d->g + d->n_root, h = d->point.h;
    for (int32_t j = 0; j < d->n; j++) {
        ahead[j] = d->x[j] + h * d->dx[j];
    }
    status = evaluate(d, d->t + h, ahead, d->dx, g, diags);
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        if (d->root[i] & ROOT_NEW) {
            double slope = g[i] - d->g[i], side = slope != 0.0 ? slope : d->g[i];
            d->root[i] = (uint8_t)(ROOT_ACTIVE | ROOT_WAITING | (side >= 0.0 ? ROOT_ABOVE : 0));
            d->n_waiting++;
        }
    }
    return status;
}

sl_status sl_roots_start(sl_dae *d, sl_diags *diags) {
    d->n_waiting = 0;
    for (int32_t i = 0; i < d->n_root; i++) {
        d->root[i] = d->root[i] & ROOT_ACTIVE ? ROOT_ACTIVE | ROOT_NEW : 0;
    }
    return d->n_root > 0 ? judge(d, diags) : SL_OK;
}

sl_status sl_dae_set_active(sl_dae *d, const uint8_t *active, sl_diags *diags) {
    bool any = false;
    for (int32_t i = 0; i < d->n_root; i++) {
        bool on = !active || active[i];
        if (on && !(d->root[i] & ROOT_ACTIVE)) {
            d->root[i] = ROOT_ACTIVE | ROOT_NEW;
            any = true;
        } else if (!on) {
            d->n_waiting -= (d->root[i] & ROOT_WAITING) != 0;
            d->root[i] = 0;
        }
    }
    return any && d->is_started ? judge(d, diags) : SL_OK;
}

int sl_roots_seen(sl_dae *d, double t, const double *x, const double *dx, double *g) {
    int result = d->system.roots(d->system.user, t, x, dx, g);
    for (int32_t i = 0; i < d->n_root; i++) {
        uint8_t r = d->root[i];
        if (r != ROOT_ACTIVE) {
            g[i] = !(r & ROOT_ACTIVE) || (r & ROOT_ABOVE) ? 1.0 : -1.0;
        } else if (!isfinite(g[i])) {
            result = result ? result : 1;
        }
    }
    return result;
}

sl_status sl_roots_update(sl_dae *d, bool at_root, sl_diags *diags) {
    if (!at_root && d->n_waiting == 0) {
        return SL_OK;
    }
    sl_status status = evaluate(d, d->t, d->x, d->dx, d->g, diags);
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        uint8_t *r = &d->root[i];
        bool near = fabs(d->g[i]) <= d->def.root_tol;
        if (d->fired[i]) {
            d->n_waiting += near - ((*r & ROOT_WAITING) != 0);
            *r = (uint8_t)(ROOT_ACTIVE | (near ? ROOT_WAITING : 0) | (near && d->fired[i] > 0 ? ROOT_ABOVE : 0));
        } else if ((*r & ROOT_WAITING) && !near) {
            d->n_waiting--;
            *r = ROOT_ACTIVE;
        }
    }
    return status;
}
