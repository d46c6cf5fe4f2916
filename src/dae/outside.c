/* SPDX-License-Identifier: MIT */
/* outside.c: an integrator whose unknowns are not the variables that callers know (system.h, reduce.h): values go in and out through the
 * system, and which unknowns are differential is chosen at each start, as a function of the values there alone. */
#include "dae/impl.h"
#include "dae/report.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

void sl_dae_contract(sl_dae *d, const double **x, const double **dx) {
    if (d->outside) {
        d->outside->contract(d->system.user, *x, *dx, d->y, d->dy);
        *x = d->y;
        *dx = d->dy;
    }
}

sl_status sl_dae_enter(sl_dae *d, double t, const double **x, const double **dx, sl_diags *diags) {
    sl_dae_contract(d, x, dx);
    return d->outside && d->outside->has_inner ? sl_dae_search(d, t, d->y, d->dy, NULL, diags) : SL_OK;
}

void sl_dae_show(sl_dae *d) {
    if (d->outside) {
        d->outside->expand(d->system.user, d->t, d->x, d->dx, d->x_out, d->dx_out);
    }
}

/* What follows from constraints carries the errors of the states that these join, and no fewer where it passes zero: of it no smaller
 * absolute error than of the states can be asked. */
static const double of_dependent = 1e3;

void sl_dae_mark_differential(sl_dae *d) {
    const sl_dae_pattern *p = &d->system.pattern;
    for (int32_t j = 0; j < d->n; j++) {
        d->differential[j] = 0;
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
            d->differential[j] |= (p->kind[k] & SL_DAE_DX) != 0;
        }
        if (d->outside && d->outside->report->index > 1) {
            d->atol[j] = (d->differential[j] ? 1.0 : of_dependent) * d->atol_state[j];
        }
    }
}

/* Another pattern: what was made from the old one, which is gone, goes too. */
static void take_pattern(sl_dae *d, const sl_dae_system *system) {
    int64_t n_factor = 0, n_refactor = 0;
    if (d->lu) {
        sl_lu_counts(d->lu, &n_factor, &n_refactor);
    }
    d->stats.n_factor += n_factor;
    d->stats.n_refactor += n_refactor;
    d->is_started = false;
    sl_lu_destroy(d->lu);
    d->lu = NULL;
    sl_lu_destroy(d->start.lu);
    sl_free(d->ctx, d->start.begin, d->start.begin ? d->start.n_byte : 0);
    d->start = (sl_start){0};
    d->system = *system;
    d->n_entry = system->pattern.start[d->n];
    sl_dae_mark_differential(d);
    d->integrator->set_differential(d);
}

sl_status sl_dae_apply_states(sl_dae *d, const uint8_t *states) {
    sl_dae_system system;
    bool changed = false;
    if (!d->outside || !d->outside->apply) {
        return SL_OK;
    }
    sl_status status = d->outside->apply(d->system.user, states, &system, &changed);
    if (status == SL_OK && changed) {
        take_pattern(d, &system);
    }
    if (status == SL_OK && !d->lu) { /* memory was short the last time, or the pattern is new */
        const sl_dae_pattern *p = &d->system.pattern;
        status = sl_lu_create(d->ctx, &(sl_incidence){p->n_equation, p->n_variable, p->start, p->row}, &d->lu);
    }
    return status;
}

sl_status sl_dae_settle(sl_dae *d, double t, double *x, double *dx, sl_diags *diags) {
    sl_status status = SL_OK;
    if (d->outside && d->outside->choose) {
        status = d->outside->choose(d->system.user, t, x, dx, d->states);
        status = status == SL_OK ? sl_dae_apply_states(d, d->states) : status;
    }
    status = status == SL_OK && d->outside && d->outside->check ? d->outside->check(d->system.user, diags) : status;
    status = status == SL_OK ? sl_dae_search(d, t, x, dx, NULL, diags) : status;
    if (status == SL_OK && d->outside) {
        d->outside->complete(d->system.user, t, x, dx);
    }
    return status;
}

sl_status sl_dae_init(sl_dae *d, double t, double *x, double *dx, const uint8_t *find, sl_diags *diags) {
    if (!d->outside) {
        return sl_dae_search(d, t, x, dx, find, diags);
    }
    if (find) {
        return SL_ERR_USE; /* which unknowns are given is chosen */
    }
    d->outside->contract(d->system.user, x, dx, d->y, d->dy);
    sl_status status = sl_dae_settle(d, t, d->y, d->dy, diags);
    if (status == SL_OK) {
        d->outside->expand(d->system.user, t, d->y, d->dy, x, dx);
    }
    return status;
}

static bool is_differential(const sl_dae_pattern *p, int32_t j) {
    bool moves = false;
    for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
        moves = moves || (p->kind[k] & SL_DAE_DX);
    }
    return moves;
}

double sl_dae_distance(const sl_dae *d, const double *from, const int32_t *place, const double *to) {
    const sl_dae_pattern *p = &sl_dae_raw(&d->system)->pattern;
    double most = 0.0;
    for (int32_t j = 0; d->outside && j < p->n_variable; j++) {
        double was = from[place ? place[j] : j], tolerance = d->def.rtol * fabs(was) + d->def.atol;
        most = is_differential(p, j) ? fmax(most, fabs(to[j] - was) / tolerance) : most;
    }
    return most;
}
