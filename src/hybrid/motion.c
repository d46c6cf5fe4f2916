/* SPDX-License-Identifier: MIT */
/* motion.c: see motion.h.
 *
 * Every part has a clock of its own: the end of its last step, which is not before the time of the execution. A step of the
 * execution lets the parts whose steps end at its time make one more, and goes on to the earliest end. So every part's last step
 * covers the last step of the execution, and its polynomial gives the values at any time in it. An event is a root that ended the
 * earliest step; parts that it does not concern know nothing of it.
 *
 * x and dx of the execution are written when somebody asks for them: those of a part under way are in its integrator.
 */
#include "hybrid/motion_impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

/* ---- Life --------------------------------------------------------------------------------------- */

bool sl_motion_create(sl_hybrid *h) {
    sl_motion *m = h->motion = sl_alloc(h->ctx, sizeof *m);
    if (!m) {
        return false;
    }
    m->all = h->ops->incidence ? h->ops->incidence(h->instance) : NULL;
    m->mode = m->superset = -1;
    return sl_dae_home_create(h->ctx, &m->home) == SL_OK && sl_components_create(h);
}

void sl_motion_destroy(sl_hybrid *h) {
    if (h->motion) {
        sl_units_close(h);
        sl_components_destroy(h);
        sl_dae_home_destroy(h->motion->home);
        sl_free(h->ctx, h->motion, sizeof *h->motion);
    }
}

static void free_retired(sl_hybrid *h) {
    sl_motion *m = h->motion;
    while (m->retired.n > 0) {
        sl_component_free(h, m->retired.at[--m->retired.n]);
    }
}

static void clear_fired(sl_motion *m) {
    for (int64_t k = 0; k < m->fired.n; k++) {
        const sl_hybrid_unit *u = m->parts.at[m->fired.at[k]].unit;
        m->parts.at[m->fired.at[k]].flags &= ~(uint32_t)PART_HERE;
        for (int32_t i = 0; u && m->all && i < u->n_root; i++) {
            m->fired_roots[u->rows[u->n_row + i]] = 0;
        }
    }
    m->fired.n = 0;
}

void sl_motion_forget(sl_hybrid *h, bool consistent) {
    sl_motion *m = h->motion;
    clear_fired(m);
    if (!consistent) {
        sl_components_clear(h);
    }
    free_retired(h);
    for (int32_t p = 0; p < m->parts.n; p++) {
        sl_component *at = &m->parts.at[p];
        if (at->flags & PART_IN_FORCE) {
            at->flags &= ~(uint32_t)(PART_RUNNING | PART_SHOWN | PART_FIRED | PART_HERE | PART_AT_LIMIT);
            sl_heap_remove(h, p);
            (void)sl_component_stop(h, p); /* there is nothing to be written out */
            sl_component_ask(h, p);
        }
    }
    for (int32_t j = 0; j < h->n_x && m->all; j++) {
        h->ops->stand(h->instance, j, h->x[j]);
    }
}

/* ---- Values ------------------------------------------------------------------------------------- */

void sl_unit_gather(const sl_hybrid *h, sl_hybrid_unit *u) {
    for (int32_t k = 0; k < sl_dae_n_value(&u->mode.system); k++) {
        int32_t j = u->mode.variables ? u->mode.variables[k] : k;
        u->x[k] = h->x[j];
        u->dx[k] = h->dx[j];
    }
}

void sl_unit_scatter(const sl_hybrid_unit *u, const double *x, const double *dx, int32_t n_to, double *to_x,
                     double *to_dx) {
    for (int32_t k = 0; k < sl_dae_n_value(&u->mode.system); k++) {
        int32_t j = u->mode.variables ? u->mode.variables[k] : k;
        if (j < n_to) {
            to_x[j] = x[k];
            to_dx[j] = dx[k];
        }
    }
}

/* Are its values in its integrator? */
static bool is_under_way(const sl_component *p) {
    return (p->flags & (PART_RUNNING | PART_MOVED)) == PART_RUNNING;
}

/* Values of a part at a time of the last step of the execution. Ends of steps that count as one instant differ by rounding. */
sl_status sl_component_values(const sl_component *p, double t, int32_t n_to, double *to_x, double *to_dx) {
    sl_hybrid_unit *u = p->unit;
    if (t >= p->t) {
        sl_unit_scatter(u, sl_dae_x(u->dae), sl_dae_dx(u->dae), n_to, to_x, to_dx);
        return SL_OK;
    }
    sl_status status = sl_dae_interpolate(u->dae, t, u->x, u->dx);
    if (status == SL_OK) {
        sl_unit_scatter(u, u->x, u->dx, n_to, to_x, to_dx);
    }
    return status;
}

sl_status sl_component_sync(sl_hybrid *h, int32_t p) {
    sl_component *at = sl_component_at(h, p);
    if (!is_under_way(at) || at->synced == h->motion->clock) {
        return SL_OK;
    }
    at->synced = h->motion->clock;
    return sl_component_values(at, h->now.t, sl_hybrid_n_all(h), h->x, h->dx);
}

void sl_motion_write(sl_hybrid *h) {
    for (int32_t p = 0; p < h->motion->parts.n; p++) {
        if (h->motion->parts.at[p].flags & PART_IN_FORCE) {
            (void)sl_component_sync(h, p); /* the present is within every last step */
        }
    }
}

sl_status sl_motion_write_one(sl_hybrid *h, int32_t j) {
    const sl_motion *m = h->motion;
    int32_t p = m->all ? m->part_of[j] : m->empty;
    return p >= 0 ? sl_component_sync(h, p) : SL_OK;
}

int32_t sl_motion_n_component(const sl_hybrid *h) {
    return h->motion->n_in_force;
}

sl_status sl_motion_interpolate(const sl_hybrid *h, double t, int32_t n, double *x, double *dx) {
    sl_status status = SL_OK;
    memcpy(x, h->x, (size_t)n * sizeof *x);
    memcpy(dx, h->dx, (size_t)n * sizeof *dx);
    for (int64_t k = 0; k < h->old_x.n; k++) {
        const old_x *old = &h->old_x.at[k];
        if (old->j < n) {
            x[old->j] = old->x;
            dx[old->j] = old->dx;
        }
    }
    for (int32_t p = 0; p < h->motion->parts.n && status == SL_OK; p++) {
        const sl_component *at = &h->motion->parts.at[p];
        if (at->flags & PART_SHOWN) {
            status = sl_component_values(at, t, n, x, dx);
        }
    }
    return status;
}

/* ---- Equations ---------------------------------------------------------------------------------- */

/* A model that moves as one has one part. */
static sl_status enter_mode(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    int32_t id = 0;
    sl_hybrid_unit *u;
    sl_status status = h->ops->mode ? h->ops->mode(h->instance, h->q, diags, &id) : SL_OK;
    if (status != SL_OK || (m->empty >= 0 && m->mode == id)) {
        return status;
    }
    m->mode = id;
    if (m->empty >= 0 && m->superset >= 0) { /* other numbers in the same places */
        return sl_component_renew(h, m->empty);
    }
    status = sl_unit_find_mode(h, m->superset >= 0 ? m->superset : id, diags, &u);
    if (status != SL_OK) {
        m->mode = -1;
        return status;
    }
    m->superset = u->mode.is_superset ? u->id : -1;
    if (m->empty >= 0) {
        status = sl_component_sync(h, m->empty);
        sl_component_retire(h, m->empty);
    }
    m->empty = sl_component_add(h, u);
    if (m->empty < 0) {
        sl_unit_drop(h, u);
        return SL_ERR_MEMORY;
    }
    return status;
}

sl_status sl_motion_enter(sl_hybrid *h, sl_diags *diags) {
    return h->motion->all ? sl_components_follow(h, diags) : enter_mode(h, diags);
}

/* Is there a part in one of these lists with one of these marks? */
static bool any(const sl_motion *m, const sl_component_list *list, uint32_t marks) {
    for (int64_t k = 0; k < list->n; k++) {
        uint32_t flags = m->parts.at[list->at[k]].flags;
        if ((flags & PART_IN_FORCE) && (flags & marks)) {
            return true;
        }
    }
    return false;
}

bool sl_motion_is_fresh(const sl_hybrid *h) {
    return any(h->motion, &h->motion->pending, PART_FRESH);
}

void sl_motion_trust(sl_hybrid *h) {
    for (int32_t p = 0; p < h->motion->parts.n; p++) {
        h->motion->parts.at[p].flags &= ~(uint32_t)PART_FRESH;
    }
}

bool sl_motion_is_new(const sl_hybrid *h) {
    return sl_motion_is_fresh(h) || any(h->motion, &h->motion->asked, PART_ASKED);
}

bool sl_motion_goes_on(const sl_hybrid *h) {
    return !any(h->motion, &h->motion->pending, PART_PENDING) && !sl_motion_is_new(h);
}

void sl_motion_hold(sl_hybrid *h, const sl_hybrid_unit *u) {
    if (u->id >= 0 && h->ops->hold) {
        h->ops->hold(h->instance, u->id, h->x);
    }
}

/* Before a unit's unknowns get new values. A model that moves as one: what is in no equation stands still. */
static bool keep_values(sl_hybrid *h, const sl_hybrid_unit *u) {
    bool fine = true;
    int32_t n = u->id >= 0 ? sl_hybrid_n_all(h) : sl_dae_n_value(&u->mode.system);
    for (int32_t k = 0; k < n; k++) {
        fine = sl_state_keep_x(h, u->id < 0 && u->mode.variables ? u->mode.variables[k] : k) && fine;
    }
    if (u->id >= 0) {
        memset(h->dx, 0, (size_t)sl_hybrid_n_all(h) * sizeof *h->dx);
    }
    return fine;
}

/* gently: not where differential variables would have to jump, which is for actions to say. */
static sl_status make_consistent(sl_hybrid *h, int32_t p, bool gently, sl_diags *diags) {
    sl_hybrid_unit *u = sl_component_at(h, p)->unit;
    sl_unit_gather(h, u);
    sl_motion_hold(h, u);
    sl_status status = sl_dae_init(u->dae, h->now.t, u->x, u->dx, NULL, diags);
    static const double of_integration = 1e3; /* errors in tolerances */
    if (status == SL_OK && gently && sl_dae_distance(u->dae, h->x, u->mode.variables, u->x) > of_integration) {
        return SL_ERR_SOLVE;
    }
    if (status == SL_OK) {
        status = keep_values(h, u) ? SL_OK : SL_ERR_MEMORY;
        sl_unit_scatter(u, u->x, u->dx, sl_hybrid_n_all(h), h->x, h->dx);
        sl_component_at(h, p)->flags &= ~(uint32_t)(PART_FRESH | PART_AT_LIMIT);
        sl_component_ask(h, p);
    }
    return status;
}

sl_status sl_motion_consistent(sl_hybrid *h, bool where_possible, sl_diags *diags) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    for (int64_t k = 0; k < m->pending.n && status == SL_OK; k++) {
        int32_t p = m->pending.at[k];
        uint32_t flags = m->parts.at[p].flags;
        if ((flags & PART_IN_FORCE) && (flags & PART_FRESH)) {
            status = make_consistent(h, p, where_possible || h->is_trying, diags);
            status = where_possible && status != SL_ERR_MEMORY ? SL_OK : status;
        }
    }
    return status;
}

sl_status sl_motion_acted(sl_hybrid *h) {
    sl_motion *m = h->motion;
    int32_t n = 0;
    const int32_t *which = m->all && h->ops->acted_on ? h->ops->acted_on(h->instance, &n) : NULL;
    sl_status status = SL_OK;
    for (int32_t p = 0; p < m->parts.n && !which && status == SL_OK; p++) {
        status = m->parts.at[p].flags & PART_IN_FORCE ? sl_component_renew(h, p) : SL_OK;
    }
    for (int32_t j = 0; j < h->n_x && m->all && !which; j++) {
        h->ops->stand(h->instance, j, h->x[j]);
    }
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        int32_t j = which[k];
        h->ops->stand(h->instance, j, h->x[j]);
        status = m->part_of[j] >= 0 ? sl_component_renew(h, m->part_of[j]) : SL_OK;
        for (int32_t i = m->x_root_start[j]; i < m->x_root_start[j + 1] && status == SL_OK; i++) {
            int32_t p = m->root_part[m->x_roots[i]];
            status = p >= 0 && p != m->part_of[j] ? sl_component_renew(h, p) : SL_OK;
        }
    }
    return status;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

size_t sl_log_entry(const sl_component *at) {
    return sizeof(int32_t) + (size_t)at->unit->mode.system.n_root;
}

sl_status sl_component_note(sl_hybrid *h, sl_component *at) {
    int32_t n_step = sl_dae_n_step(at->unit->dae);
    size_t n = sl_log_entry(at);
    if (!SL_RESERVE(h->ctx, &at->log, at->log.n + (int64_t)n)) {
        return SL_ERR_MEMORY;
    }
    if (at->noted != h->motion->clock) {
        at->noted = h->motion->clock;
        at->n_before = at->log.n;
    }
    memcpy(at->log.at + at->log.n, &n_step, sizeof n_step);
    memcpy(at->log.at + at->log.n + sizeof n_step, at->unit->active, n - sizeof n_step);
    at->log.n += (int64_t)n;
    return SL_OK;
}

int64_t sl_component_n_log(const sl_hybrid *h, const sl_component *at) {
    return at->noted == h->motion->clock ? at->n_before : at->log.n;
}

void sl_motion_find_active(sl_hybrid *h, const sl_hybrid_unit *u, uint8_t *active) {
    memset(active, 1, (size_t)u->mode.system.n_root);
    if (u->id >= 0 && h->ops->active) {
        h->ops->active(h->instance, u->id, h->q, active);
    }
    for (int32_t k = 0; k < u->n_root; k++) {
        active[k] = h->motion->root_on[u->rows[u->n_row + k]];
    }
}

/* Roots at zero begin on the sides that their variables have: these were found before, and motion may just begin anew here. */
static void add_hints(const sl_hybrid *h, sl_hybrid_unit *u) {
    for (int32_t k = 0; k < u->mode.system.n_root; k++) {
        int32_t j = sl_unit_decides(h, u, k);
        if (h->ops->sense) { /* roots decide nothing: below zero something is to happen */
            u->active[k] |= u->active[k] ? SL_DAE_ROOT_ABOVE : 0;
        } else if (u->active[k] && sl_hybrid_root_decides(h, j)) {
            u->active[k] |= h->q[j] == 0 ? SL_DAE_ROOT_BELOW : SL_DAE_ROOT_ABOVE;
        }
    }
}

void sl_unit_drop_hints(sl_hybrid_unit *u) {
    for (int32_t k = 0; k < u->mode.system.n_root; k++) {
        u->active[k] &= SL_DAE_ROOT_ON;
    }
}

static sl_status start(sl_hybrid *h, int32_t p, double t, double limit, sl_diags *diags) {
    sl_component *at = sl_component_at(h, p);
    sl_hybrid_unit *u = at->unit;
    sl_motion_hold(h, u);
    sl_motion_find_active(h, u, u->active);
    add_hints(h, u);
    sl_status status = sl_dae_start(u->dae, t, u->x, u->dx, limit, u->active, diags);
    sl_unit_drop_hints(u);
    at->n_step = 0;
    at->log.n = 0;
    h->stats.n_restart++;
    return status;
}

static sl_status begin_part(sl_hybrid *h, int32_t p, sl_diags *diags) {
    sl_component *at = sl_component_at(h, p);
    double limit = h->now.limit;
    if (h->ops->part_limit && h->motion->all) {
        limit = fmin(limit, h->ops->part_limit(h->instance, &at->unit->mode, h->now.t));
    }
    sl_unit_gather(h, at->unit);
    sl_status status = start(h, p, h->now.t, limit, diags);
    if (status == SL_OK) {
        const uint32_t gone = PART_MOVED | PART_FIRED | PART_HERE | PART_AT_LIMIT;
        at->flags = (at->flags & ~gone) | PART_RUNNING | PART_SHOWN;
        at->t = h->now.t;
        at->synced = h->motion->clock;
        sl_heap_set(h, p);
    }
    return status;
}

/* Up to when nothing jumps by itself: where that has changed, all parts begin anew. */
static sl_status set_limit(sl_hybrid *h) {
    sl_motion *m = h->motion;
    double limit = h->ops->limit ? h->ops->limit(h->instance, h->now.t, h->q) : (double)INFINITY;
    sl_status status = SL_OK;
    limit = fmin(fmin(limit, sl_zeno_limit(h)), h->def.end);
    for (int32_t p = 0; p < m->parts.n && limit != h->now.limit && status == SL_OK; p++) {
        status =
            is_under_way(&m->parts.at[p]) && (m->parts.at[p].flags & PART_IN_FORCE) ? sl_component_renew(h, p) : SL_OK;
    }
    h->now.limit = limit;
    return status;
}

sl_status sl_motion_begin(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    sl_status status = sl_motion_enter(h, diags);
    status = status == SL_OK ? set_limit(h) : status;
    if (status == SL_OK && sl_motion_is_fresh(h)) {
        status = sl_cuts_settle(h, diags);
    }
    status = status == SL_OK ? sl_cuts_begin(h, diags) : status;
    if (status != SL_OK) {
        return status;
    }
    clear_fired(m); /* from here on the last step cannot be shown any more */
    free_retired(h);
    for (int64_t k = 0; k < m->pending.n && status == SL_OK; k++) {
        int32_t p = m->pending.at[k];
        uint32_t flags = m->parts.at[p].flags;
        m->parts.at[p].flags &= ~(uint32_t)PART_PENDING;
        if ((flags & PART_IN_FORCE) && (flags & PART_PENDING)) {
            status = begin_part(h, p, diags);
        }
    }
    m->pending.n = 0;
    sl_motion_answered(h);
    return status;
}

/* One step of one part, whose last one ended at the present. */
static sl_status step_part(sl_hybrid *h, int32_t p, bool *restarted, sl_diags *diags) {
    sl_component *at = sl_component_at(h, p);
    sl_hybrid_unit *u = at->unit;
    sl_status status = SL_OK;
    sl_dae_step_info info;
    if (h->def.dae.n_restart > 0 && at->n_step >= h->def.dae.n_restart) {
        size_t bytes = (size_t)sl_dae_n_value(&u->mode.system) * sizeof(double);
        memcpy(u->x, sl_dae_x(u->dae), bytes);
        memcpy(u->dx, sl_dae_dx(u->dae), bytes);
        status = start(h, p, at->t, sl_dae_limit(u->dae), diags);
        *restarted = true;
    }
    status = status == SL_OK ? sl_dae_step(u->dae, diags, &info) : status;
    if (status != SL_OK) {
        return status;
    }
    at->t = info.end;
    at->n_step++;
    at->log.n = info.restarted ? 0 : at->log.n;
    at->flags &= ~(uint32_t)(PART_FIRED | PART_HERE | PART_AT_LIMIT);
    at->flags |= (info.n_fired > 0 ? PART_FIRED : 0) | (info.at_limit ? PART_AT_LIMIT : 0);
    sl_heap_set(h, p);
    return status;
}

/* Ends of steps that differ by rounding are one instant. */
static double same_instant(double t) {
    return t + 100.0 * 2.2e-16 * fabs(t);
}

void sl_component_notice_fired(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    sl_component *at = &m->parts.at[p];
    const int8_t *fired = sl_dae_fired(at->unit->dae);
    at->flags |= PART_HERE;
    m->fired.at[m->fired.n++] = p;
    sl_component_ask(h, p);
    for (int32_t i = 0; m->all && i < at->unit->n_root; i++) {
        m->fired_roots[at->unit->rows[at->unit->n_row + i]] = fired[i];
    }
}

/* Parts whose roots end the step of the execution; the time becomes the last of theirs. */
static void find_fired(sl_hybrid *h, double *t) {
    sl_motion *m = h->motion;
    sl_heap_find_due(h, same_instant(*t));
    for (int64_t k = 0; k < m->due.n; k++) {
        int32_t p = m->due.at[k].part;
        sl_component *at = &m->parts.at[p];
        if (at->flags & PART_FIRED) {
            *t = fmax(*t, at->t);
            sl_component_notice_fired(h, p);
        }
    }
}

int32_t sl_motion_n_fired(const sl_hybrid *h) {
    const sl_motion *m = h->motion;
    int32_t n = 0;
    for (int64_t k = 0; k < m->fired.n; k++) {
        const sl_hybrid_unit *u = m->parts.at[m->fired.at[k]].unit;
        for (int32_t i = 0; i < u->mode.system.n_root; i++) {
            n += sl_dae_fired(u->dae)[i] != 0;
        }
    }
    return n;
}

sl_status sl_motion_step(sl_hybrid *h, sl_diags *diags, sl_motion_info *out) {
    sl_motion *m = h->motion;
    double t = h->now.t;
    sl_status status = SL_OK;
    *out = (sl_motion_info){.begin = t, .end = t};
    clear_fired(m);
    free_retired(h); /* also where all others just go on, and nothing begins */
    sl_heap_find_due(h, t);
    for (int64_t k = 0; k < m->due.n; k++) {
        int32_t p = m->due.at[k].part;
        bool here = m->parts.at[p].flags & PART_AT_LIMIT;
        status = status == SL_OK && !here ? step_part(h, p, &out->restarted, diags) : status;
    }
    if (status != SL_OK) {
        return status;
    }
    const sl_component *first = &m->parts.at[m->heap.at[0].part];
    out->end = fmax(t, first->t);
    m->clock++;
    if (first->flags & PART_FIRED) {
        find_fired(h, &out->end);
        out->n_fired = sl_motion_n_fired(h);
    } else {
        out->at_limit = first->flags & PART_AT_LIMIT;
    }
    return SL_OK;
}

sl_status sl_motion_restart(sl_hybrid *h) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    for (int32_t p = 0; p < m->parts.n && status == SL_OK; p++) {
        status = m->parts.at[p].flags & PART_IN_FORCE ? sl_component_stop(h, p) : SL_OK;
    }
    return status;
}

sl_status sl_motion_jumped(sl_hybrid *h) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    sl_heap_find_due(h, h->now.t);
    for (int64_t k = 0; k < m->due.n; k++) {
        int32_t p = m->due.at[k].part;
        status = status == SL_OK && (m->parts.at[p].flags & PART_AT_LIMIT) ? sl_component_renew(h, p) : status;
    }
    return status;
}

const int8_t *sl_motion_fired(const sl_hybrid *h, int32_t *n_root) {
    const sl_motion *m = h->motion;
    *n_root = 0;
    if (m->all) {
        *n_root = h->now.has_step ? m->all->n_root : 0;
        return h->now.has_step ? m->fired_roots : NULL;
    }
    for (int32_t p = 0; p < m->parts.n; p++) {
        if (m->parts.at[p].flags & PART_SHOWN) {
            *n_root = m->parts.at[p].unit->mode.system.n_root;
            return sl_dae_fired(m->parts.at[p].unit->dae);
        }
    }
    return NULL;
}

int32_t sl_motion_mode(const sl_hybrid *h) {
    const sl_motion *m = h->motion;
    return !m->all && m->empty >= 0 && !(m->parts.at[m->empty].flags & PART_FRESH) ? m->mode : -1;
}

/* ---- Roots of cuts ------------------------------------------------------------------------------ */

void sl_motion_count_fired(sl_hybrid *h, double *of_cuts) {
    const sl_motion *m = h->motion;
    *of_cuts = 0.0;
    for (int64_t k = 0; k < m->fired.n; k++) {
        sl_hybrid_unit *u = m->parts.at[m->fired.at[k]].unit;
        const int8_t *fired = sl_dae_fired(u->dae);
        bool known = sl_dae_resolution(u->dae, u->seconds) == SL_OK;
        for (int32_t i = 0; i < u->mode.system.n_root; i++) {
            int32_t j = sl_unit_decides(h, u, i);
            double seconds = known ? u->seconds[i] : 0.0;
            if (fired[i] && j >= 0) {
                sl_zeno_count_root(h, j, seconds);
            } else if (fired[i] && m->all) {
                sl_zeno_count_cut(h, m->all->root_cuts[u->rows[u->n_row + i]], seconds);
            } else if (fired[i]) {
                *of_cuts = fmax(*of_cuts, seconds);
            }
        }
    }
}
