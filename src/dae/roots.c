/* SPDX-License-Identifier: MIT */
/* roots.c: which roots the integrator sees, and how.
 *
 * A root function that was at zero is not looked at again until it has left zero by root_tol: else the same event would
 * be found again and again, and one that stays at zero would end the run. Until then it counts as being on the side to
 * which its derivative points; when it goes to the other side after all, by twice that much, that is a crossing. A root
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

/* Step length for looking ahead along x': values change by about half a tolerance. */
static double look(const sl_dae *d, double t, const double *x, const double *dx) {
    double sum = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double e = dx[j] / sl_dae_tolerance(d, j, x[j]);
        sum += e * e;
    }
    double norm = sqrt(sum / (d->n > 0 ? d->n : 1)), h = norm > 1e-3 ? 0.5 / norm : 1e-3;
    return fmax(h, 1e-14 * fabs(t));
}

uint8_t sl_root_new(uint8_t active) {
    bool is_given = active & (SL_DAE_ROOT_BELOW | SL_DAE_ROOT_ABOVE);
    uint8_t side = (uint8_t)((is_given ? ROOT_GIVEN : 0) | (active & SL_DAE_ROOT_ABOVE ? ROOT_ABOVE : 0));
    return active == 0 ? 0 : (uint8_t)(ROOT_ACTIVE | ROOT_NEW | side);
}

/* One at zero waits on the side to which its slope points, over a time h; without a slope its value may say it. */
static uint8_t wait_side(const sl_dae *d, double g, double slope, double h) {
    bool flat = fabs(slope) <= d->def.root_rate * h;
    double side = !flat ? slope : d->def.root_rate > 0.0 ? 0.0 : g;
    return (uint8_t)(ROOT_ACTIVE | ROOT_WAITING | (side >= 0.0 ? ROOT_ABOVE : 0) | (side == 0.0 ? ROOT_UNDECIDED : 0));
}

/* Of the roots that carry the mark ROOT_NEW: which are at zero, and to which side these go. */
static sl_status judge(sl_dae *d, double t, const double *x, const double *dx, uint8_t *root, sl_diags *diags) {
    sl_status status = evaluate(d, t, x, dx, d->g, diags);
    bool any = false;
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        if ((root[i] & ROOT_NEW) && fabs(d->g[i]) > d->def.root_tol) {
            root[i] = ROOT_ACTIVE;
        } else if (root[i] & ROOT_GIVEN) {
            root[i] = (uint8_t)(ROOT_ACTIVE | ROOT_WAITING | (root[i] & ROOT_ABOVE));
        }
        any = any || (root[i] & ROOT_NEW);
    }
    if (status != SL_OK || !any) {
        return status;
    }
    double *ahead = d->work[0], *g = d->g + d->n_root, h = look(d, t, x, dx);
    for (int32_t j = 0; j < d->n; j++) {
        ahead[j] = x[j] + h * dx[j];
    }
    status = evaluate(d, t + h, ahead, dx, g, diags);
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        if (root[i] & ROOT_NEW) {
            root[i] = wait_side(d, d->g[i], g[i] - d->g[i], h);
        }
    }
    return status;
}

sl_status sl_dae_resolution(sl_dae *d, double *seconds) {
    double *before = d->work[0], *g = d->g + d->n_root, h = look(d, d->t, d->x, d->dx);
    for (int32_t j = 0; j < d->n; j++) {
        before[j] = d->x[j] - h * d->dx[j];
    }
    sl_status status = evaluate(d, d->t, d->x, d->dx, d->g, NULL);
    status = status == SL_OK ? evaluate(d, d->t - h, before, d->dx, g, NULL) : status;
    for (int32_t i = 0; i < d->n_root && status == SL_OK; i++) {
        seconds[i] = d->def.root_tol * h / fabs(d->g[i] - g[i]);
    }
    return status;
}

/* After roots were judged for the run itself: what was undecided has a side now. */
static void count_waiting(sl_dae *d) {
    d->n_waiting = 0;
    for (int32_t i = 0; i < d->n_root; i++) {
        d->root[i] &= (uint8_t)~ROOT_UNDECIDED;
        d->n_waiting += (d->root[i] & ROOT_WAITING) != 0;
    }
}

sl_status sl_roots_start(sl_dae *d, sl_diags *diags) {
    for (int32_t i = 0; i < d->n_root; i++) { /* a run that starts itself anew leaves them where they wait */
        uint8_t r = d->root[i];
        bool stays = (r & ROOT_ACTIVE) && !(r & ROOT_NEW);
        d->root[i] = stays ? (uint8_t)((r & ~ROOT_WAITING) | ROOT_NEW | (r & ROOT_WAITING ? ROOT_GIVEN : 0)) : r;
    }
    sl_status status = d->n_root > 0 ? judge(d, d->t, d->x, d->dx, d->root, diags) : SL_OK;
    count_waiting(d);
    return status;
}

sl_status sl_dae_set_active(sl_dae *d, const uint8_t *active, sl_diags *diags) {
    bool any = false;
    for (int32_t i = 0; i < d->n_root; i++) {
        bool on = !active || active[i];
        if (on && !(d->root[i] & ROOT_ACTIVE)) {
            d->root[i] = sl_root_new(active ? active[i] : SL_DAE_ROOT_ON);
            any = true;
        } else if (!on) {
            d->root[i] = 0;
        }
    }
    sl_status status = any ? judge(d, d->t, d->x, d->dx, d->root, diags) : SL_OK;
    count_waiting(d);
    return status;
}

void sl_dae_get_active(const sl_dae *d, uint8_t *active) {
    for (int32_t i = 0; i < d->n_root; i++) {
        active[i] = (d->root[i] & ROOT_ACTIVE) != 0;
    }
}

static void sides(const sl_dae *d, const uint8_t *root, uint8_t *above) {
    for (int32_t i = 0; i < d->n_root; i++) {
        above[i] = root[i] & ROOT_WAITING ? (root[i] & ROOT_ABOVE) != 0 : d->g[i] > 0.0;
        above[i] |= root[i] & ROOT_UNDECIDED ? SL_DAE_UNDECIDED : 0;
    }
}

sl_status sl_dae_sides(sl_dae *d, uint8_t *above, sl_diags *diags) {
    sl_status status = d->n_root > 0 ? evaluate(d, d->t, d->x, d->dx, d->g, diags) : SL_OK;
    if (status == SL_OK) {
        sides(d, d->root, above);
        for (int32_t i = 0; i < d->n_root; i++) {
            above[i] &= 1;
        }
    }
    return status;
}

sl_status sl_dae_sides_at(sl_dae *d, double t, const double *x, const double *dx, const uint8_t *active, uint8_t *above,
                          sl_diags *diags) {
    uint8_t *root = d->scratch_root;
    for (int32_t i = 0; i < d->n_root; i++) {
        root[i] = sl_root_new(active ? active[i] : SL_DAE_ROOT_ON);
    }
    sl_status status = d->n_root > 0 ? sl_dae_enter(d, t, &x, &dx, diags) : SL_OK;
    status = d->n_root > 0 && status == SL_OK ? judge(d, t, x, dx, root, diags) : status;
    if (status == SL_OK) {
        sides(d, root, above);
    }
    return status;
}

int sl_roots_evaluate(sl_dae *d, double t, const double *x, const double *dx, double *g) {
    int result = d->system.roots(d->system.user, t, x, dx, g);
    memcpy(d->g_seen, g, (size_t)d->n_root * sizeof *g);
    d->seen_time = t;
    for (int32_t i = 0; i < d->n_root; i++) {
        uint8_t r = d->root[i];
        if (!(r & ROOT_ACTIVE)) {
            g[i] = 1.0;
        } else if (r & ROOT_WAITING) { /* of the sign of its side, until it has gone clearly to the other */
            g[i] += (r & ROOT_ABOVE ? 2.0 : -2.0) * d->def.root_tol;
        }
        result = result || isfinite(g[i]) ? result : 1;
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
        bool left = (*r & ROOT_ABOVE ? d->g[i] : -d->g[i]) > d->def.root_tol;
        if (d->fired[i]) {
            d->n_waiting += near - ((*r & ROOT_WAITING) != 0);
            *r = (uint8_t)(ROOT_ACTIVE | (near ? ROOT_WAITING : 0) | (near && d->fired[i] > 0 ? ROOT_ABOVE : 0));
        } else if ((*r & ROOT_WAITING) && left) {
            d->n_waiting--;
            *r = ROOT_ACTIVE;
        }
    }
    return status;
}
