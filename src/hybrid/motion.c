/* SPDX-License-Identifier: MIT */
/* motion.c: see motion.h. The equations of a mode move as one. */
#include "hybrid/motion.h"

#include "base/out.h"
#include "base/report.h"
#include "hybrid/impl.h"

#include <math.h>
#include <string.h>

bool sl_motion_create(sl_hybrid *h) {
    h->slots = sl_alloc(h->ctx, (size_t)h->def.max_mode * sizeof *h->slots);
    h->x_end = sl_alloc(h->ctx, ((size_t)sl_hybrid_n_all(h) + 1) * sizeof *h->x_end);
    for (int32_t k = 0; h->slots && k < h->def.max_mode; k++) {
        h->slots[k].id = -1;
    }
    h->running = h->shown = h->entered = -1;
    return h->slots && h->x_end;
}

void sl_motion_destroy(sl_hybrid *h) {
    sl_hybrid_close_modes(h);
    sl_free(h->ctx, h->slots, h->slots ? (size_t)h->def.max_mode * sizeof *h->slots : 0);
    sl_free(h->ctx, h->x_end, h->x_end ? ((size_t)sl_hybrid_n_all(h) + 1) * sizeof *h->x_end : 0);
}

void sl_motion_forget(sl_hybrid *h) {
    memcpy(h->x_end, h->x, (size_t)sl_hybrid_n_all(h) * sizeof *h->x);
    h->running = h->shown = -1;
}

/* ---- Equations ---------------------------------------------------------------------------------- */

sl_status sl_motion_enter(sl_hybrid *h, sl_diags *diags) {
    return sl_hybrid_find_mode(h, diags, &h->entered);
}

bool sl_motion_is_new(const sl_hybrid *h) {
    return h->slots[h->entered].id != h->now.mode;
}

bool sl_motion_goes_on(const sl_hybrid *h) {
    return h->running == h->entered && !h->now.is_moved;
}

static void hold(sl_hybrid *h, const mode_slot *s) {
    if (h->ops->hold) {
        h->ops->hold(h->instance, s->id, h->x);
    }
}

sl_status sl_motion_consistent(sl_hybrid *h, sl_diags *diags) {
    mode_slot *s = &h->slots[h->entered];
    sl_mode_gather(h, s);
    hold(h, s);
    sl_status status = sl_dae_init(s->dae, h->now.t, s->x, s->dx, NULL, diags);
    if (status == SL_OK) {
        sl_mode_scatter(s, s->x, s->dx, sl_hybrid_n_all(h), h->x, h->dx);
        h->now.mode = s->id;
        h->now.is_moved = 1;
    }
    return status;
}

/* ---- Roots -------------------------------------------------------------------------------------- */

static void find_active(sl_hybrid *h, mode_slot *s) {
    memset(s->active, 1, (size_t)s->mode.system.n_root);
    if (h->ops->active) {
        h->ops->active(h->instance, s->id, h->q, s->active);
    }
}

/* Root i wants another value for its variable than one before it. */
static sl_status report_conflict(const sl_hybrid *h, const mode_slot *s, int32_t i, sl_diags *diags) {
    const int32_t *to = s->mode.root_variables;
    const char *(*name)(const void *, int32_t) = h->ops->root_name;
    int32_t other = 0;
    while (!s->active[other] || to[other] != to[i] || s->above[other] == s->above[i]) {
        other++; /* there is one */
    }
    const char *q = h->ops->q_name(h->instance, to[i]);
    char which[160] = "two active roots";
    if (name) {
        (void)sl_format(which, sizeof which, "the roots '%.60s' and '%.60s'", name(h->instance, i < other ? i : other),
                        name(h->instance, i < other ? other : i));
    }
    sl_report(diags, SL_ERROR, SL_CODE_CONFLICT, NULL, NULL, NULL,
              "make the guards of the roots of one variable exclude each other",
              "at %.12g s %s want different values for '%s'", h->now.t, which, q);
    return SL_ERR_SOLVE;
}

/* Those of cuts decide no variable, and one that is held is not decided. */
static bool decides(const sl_hybrid *h, int32_t j) {
    return j >= 0 && !(h->def.policy == SL_HYBRID_POLICY_HOLD && h->relief[j] > h->now.t);
}

sl_status sl_motion_roots(sl_hybrid *h, sl_diags *diags) {
    mode_slot *s = &h->slots[h->entered];
    sl_status status = SL_OK;
    find_active(h, s);
    if (sl_motion_goes_on(h)) {
        status = sl_dae_set_active(s->dae, s->active, diags);
        status = status == SL_OK ? sl_dae_sides(s->dae, s->above, diags) : status;
    } else {
        sl_mode_gather(h, s);
        status = sl_dae_sides_at(s->dae, h->now.t, s->x, s->dx, s->active, s->above, diags);
    }
    const int32_t *to = s->mode.root_variables;
    for (int32_t i = 0; i < s->mode.system.n_root && status == SL_OK; i++) {
        if (s->active[i] && decides(h, to[i])) {
            h->q[to[i]] = s->above[i];
        }
    }
    for (int32_t i = 0; i < s->mode.system.n_root && status == SL_OK; i++) {
        if (s->active[i] && decides(h, to[i]) && h->q[to[i]] != s->above[i]) {
            status = report_conflict(h, s, i, diags);
        }
    }
    return status;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

sl_status sl_motion_begin(sl_hybrid *h, sl_diags *diags) {
    sl_status status = sl_state_mark(h);
    status = status == SL_OK ? sl_motion_enter(h, diags) : status;
    if (status == SL_OK && sl_motion_is_new(h)) {
        status = sl_cuts_settle(h, diags);
    }
    status = status == SL_OK ? sl_cuts_begin(h, diags) : status;
    if (status != SL_OK) {
        h->running = -1;
        return status;
    }
    mode_slot *s = &h->slots[h->entered];
    double limit = h->ops->limit ? h->ops->limit(h->instance, h->now.t, h->q) : (double)INFINITY;
    limit = fmin(limit, sl_zeno_limit(h));
    sl_mode_gather(h, s);
    hold(h, s);
    find_active(h, s);
    status = sl_dae_start(s->dae, h->now.t, s->x, s->dx, fmin(limit, h->def.end), s->active, diags);
    h->running = status == SL_OK ? h->entered : -1;
    h->now.is_moved = 0;
    h->now.n_step = 0;
    h->stats.n_restart++;
    return status;
}

bool sl_motion_is_long(const sl_hybrid *h) {
    return h->def.dae.n_restart > 0 && h->now.n_step >= h->def.dae.n_restart;
}

sl_status sl_motion_step(sl_hybrid *h, sl_diags *diags, sl_dae_step_info *out) {
    mode_slot *s = &h->slots[h->running];
    sl_status status = sl_dae_step(s->dae, diags, out);
    if (status == SL_OK) {
        sl_mode_scatter(s, sl_dae_x(s->dae), sl_dae_dx(s->dae), sl_hybrid_n_all(h), h->x, h->dx);
        memcpy(h->x_end, h->x, (size_t)sl_hybrid_n_all(h) * sizeof *h->x);
        h->shown = h->running;
        h->now.n_step++;
    }
    return status;
}

bool sl_motion_has_step(const sl_hybrid *h) {
    return h->shown >= 0;
}

const int32_t *sl_motion_root_variables(const sl_hybrid *h) {
    return h->slots[h->shown].mode.root_variables;
}

const double *sl_motion_resolution(const sl_hybrid *h) {
    mode_slot *s = &h->slots[h->shown];
    sl_status status = sl_dae_resolution(s->dae, s->seconds);
    for (int32_t i = 0; i < s->mode.system.n_root && status != SL_OK; i++) {
        s->seconds[i] = 0.0;
    }
    return s->seconds;
}

const int8_t *sl_motion_fired(const sl_hybrid *h, int32_t *n_root) {
    *n_root = h->shown >= 0 ? h->slots[h->shown].mode.system.n_root : 0;
    return h->shown >= 0 ? sl_dae_fired(h->slots[h->shown].dae) : NULL;
}

sl_status sl_motion_interpolate(const sl_hybrid *h, double t, double *x, double *dx) {
    mode_slot *s = &h->slots[h->shown];
    sl_status status = sl_dae_interpolate(s->dae, t, s->x, s->dx);
    if (status == SL_OK) {
        memcpy(x, h->x_end, (size_t)h->n_x * sizeof *x);
        sl_mode_scatter(s, s->x, s->dx, h->n_x, x, dx);
    }
    return status;
}

void sl_motion_add_statistics(const sl_hybrid *h, sl_dae_stats *all) {
    for (int32_t k = 0; k < h->def.max_mode; k++) {
        if (h->slots[k].id >= 0) {
            sl_dae_stats s = sl_dae_statistics(h->slots[k].dae);
            all->n_step += s.n_step;
            all->n_restart += s.n_restart;
            all->n_residual += s.n_residual;
            all->n_jacobian += s.n_jacobian;
            all->n_newton += s.n_newton;
            all->n_error_fail += s.n_error_fail;
            all->n_newton_fail += s.n_newton_fail;
            all->n_root += s.n_root;
            all->n_factor += s.n_factor;
            all->n_refactor += s.n_refactor;
        }
    }
}
