/* SPDX-License-Identifier: MIT */
/* sides.c: the root function: discrete variables take the sides of the active roots. Those of parts that something happened to are
 * evaluated; of others the side is the one that is known, for a change of it would have been an event. */
#include "hybrid/motion_impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <string.h>

/* Two active roots that decide variable j want different values for it. */
static sl_status report_conflict(const sl_hybrid *h, int32_t a, int32_t b, int32_t j, sl_diags *diags) {
    const char *(*name)(const void *, int32_t) = h->ops->root_name;
    char which[160] = "two active roots";
    if (name) {
        (void)sl_format(which, sizeof which, "the roots '%.60s' and '%.60s'", name(h->instance, a < b ? a : b),
                        name(h->instance, a < b ? b : a));
    }
    sl_report(diags, SL_ERROR, SL_CODE_CONFLICT, NULL, NULL, NULL,
              "make the guards of the roots of one variable exclude each other",
              "at %.12g s %s want different values for '%s'", h->now.t, which, h->ops->q_name(h->instance, j));
    return SL_ERR_SOLVE;
}

static sl_status report_undecided(const sl_hybrid *h, int32_t i, int32_t j, sl_diags *diags) {
    char which[96] = "a root";
    if (h->ops->root_name) {
        (void)sl_format(which, sizeof which, "the root '%.60s'", h->ops->root_name(h->instance, i));
    }
    sl_report(diags, SL_ERROR, SL_CODE_NONDETERMINISTIC, NULL, NULL, NULL,
              "choose a policy for undecided roots: keep, zero, one",
              "at %.12g s %s of '%s' is zero and stays zero: it does not say on which side it is", h->now.t, which,
              h->ops->q_name(h->instance, j));
    return SL_ERR_SOLVE;
}

/* The side of root k of a unit, with the mark of one that is undecided: that is decided here. */
static sl_status decide(sl_hybrid *h, const sl_hybrid_unit *u, int32_t k, uint8_t *side, sl_diags *diags) {
    int32_t i = u->id < 0 ? u->rows[u->n_row + k] : k, j = sl_unit_decides(h, u, k);
    bool is_open = (*side & SL_DAE_UNDECIDED) != 0, above = true;
    *side &= 1;
    if (!is_open || h->def.undecided == SL_HYBRID_UNDECIDED_ONE || !sl_hybrid_root_decides(h, j)) {
        return SL_OK;
    }
    h->stats.n_undecided++;
    sl_status status = SL_OK;
    if (h->def.undecided == SL_HYBRID_UNDECIDED_ERROR) {
        status = report_undecided(h, i, j, diags);
    } else if (h->def.undecided == SL_HYBRID_UNDECIDED_ASK) {
        sl_motion_write(h);
        status = h->ops->decide(h->instance, h->now.t, i, j, h->x, h->dx, h->q, diags, &above);
    } else {
        above = h->def.undecided == SL_HYBRID_UNDECIDED_KEEP && h->q[j] > 0;
    }
    *side = above;
    return status;
}

/* Roots that are looked at from here on and are undecided: which side the integrator is to take them for. */
static sl_status decide_new(sl_hybrid *h, sl_hybrid_unit *u, sl_diags *diags) {
    sl_status status =
        sl_dae_sides_at(u->dae, sl_dae_time(u->dae), sl_dae_x(u->dae), sl_dae_dx(u->dae), u->above, u->side, diags);
    for (int32_t k = 0; k < u->mode.system.n_root && status == SL_OK; k++) {
        if (u->above[k] && !u->active[k] && (u->side[k] & SL_DAE_UNDECIDED)) {
            status = decide(h, u, k, &u->side[k], diags);
            u->above[k] |= u->side[k] ? SL_DAE_ROOT_ABOVE : SL_DAE_ROOT_BELOW;
        }
    }
    return status;
}

/* The integrator goes on, and looks at other roots from here on: that is noted for replaying. */
static sl_status turn(sl_hybrid *h, sl_component *at, sl_diags *diags) {
    sl_hybrid_unit *u = at->unit;
    size_t r = (size_t)u->mode.system.n_root;
    if (memcmp(u->active, u->above, r) == 0) {
        return SL_OK;
    }
    sl_status status = h->def.undecided == SL_HYBRID_UNDECIDED_ONE ? SL_OK : decide_new(h, u, diags);
    memcpy(u->active, u->above, r);
    status = status == SL_OK ? sl_component_note(h, at) : status;
    status = status == SL_OK ? sl_dae_set_active(u->dae, u->active, diags) : status;
    sl_unit_drop_hints(u);
    return status;
}

static sl_status evaluate(sl_hybrid *h, sl_component *at, sl_diags *diags) {
    sl_hybrid_unit *u = at->unit;
    if ((at->flags & (PART_RUNNING | PART_MOVED)) == PART_RUNNING) {
        sl_motion_find_active(h, u, u->above);
        sl_status status = turn(h, at, diags);
        return status == SL_OK ? sl_dae_sides(u->dae, u->above, diags) : status;
    }
    sl_motion_find_active(h, u, u->active);
    sl_unit_gather(h, u);
    sl_status status = sl_dae_sides_at(u->dae, h->now.t, u->x, u->dx, u->active, u->above, diags);
    for (int32_t k = 0; k < u->mode.system.n_root && status == SL_OK; k++) {
        status = u->active[k] ? decide(h, u, k, &u->above[k], diags) : SL_OK;
    }
    return status;
}

static bool write_q(sl_hybrid *h, int32_t j, int32_t value) {
    if (h->q[j] == value) {
        return true;
    }
    h->q[j] = value;
    return SL_PUSH(h->ctx, &h->touched, j);
}

/* All roots of a model that moves as one. */
static sl_status apply_mode(sl_hybrid *h, const sl_hybrid_unit *u, sl_diags *diags) {
    const int32_t *to = u->mode.root_variables;
    int32_t n = u->mode.system.n_root;
    for (int32_t i = 0; i < n; i++) {
        if (u->active[i] && sl_hybrid_root_decides(h, to[i]) && !write_q(h, to[i], u->above[i])) {
            return SL_ERR_MEMORY;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        if (u->active[i] && sl_hybrid_root_decides(h, to[i]) && h->q[to[i]] != u->above[i]) {
            int32_t other = 0;
            while (!u->active[other] || to[other] != to[i] || u->above[other] == u->above[i]) {
                other++; /* there is one */
            }
            return report_conflict(h, i, other, to[i], diags);
        }
    }
    return SL_OK;
}

/* All active roots of one variable. */
static sl_status apply_variable(sl_hybrid *h, int32_t j, sl_diags *diags) {
    const sl_motion *m = h->motion;
    int32_t last = -1, first = -1;
    if (!sl_hybrid_root_decides(h, j)) {
        return SL_OK;
    }
    for (int32_t k = m->q_root_start[j]; k < m->q_root_start[j + 1]; k++) {
        int32_t r = m->q_roots[k];
        if (m->root_on[r] && m->root_part[r] >= 0) {
            first = first < 0 ? r : first;
            last = r;
            if (m->above[r] != m->above[first]) {
                return report_conflict(h, first, r, j, diags);
            }
        }
    }
    return last < 0 || write_q(h, j, m->above[last]) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status apply_parts(sl_hybrid *h, sl_diags *diags) {
    const sl_motion *m = h->motion;
    sl_status status = SL_OK;
    for (int64_t k = 0; k < m->asked.n && status == SL_OK; k++) {
        const sl_component *at = &m->parts.at[m->asked.at[k]];
        for (int32_t i = 0; (at->flags & PART_IN_FORCE) && i < at->unit->n_root && status == SL_OK; i++) {
            int32_t r = at->unit->rows[at->unit->n_row + i];
            status = m->root_on[r] ? apply_variable(h, m->all->decides[r], diags) : SL_OK;
        }
    }
    for (int64_t k = 0; k < h->turned.n && status == SL_OK; k++) {
        status = apply_variable(h, h->turned.at[k], diags);
    }
    return status;
}

static void write_value(void *user, int32_t j) {
    (void)sl_motion_write_one(user, j); /* the present is within every last step */
}

/* The model decides by itself. */
static sl_status apply_sense(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    const int32_t *changed = NULL;
    int32_t n = 0;
    m->modes.n = 0;
    for (int64_t k = 0; k < m->asked.n; k++) {
        const sl_component *at = &m->parts.at[m->asked.at[k]];
        if ((at->flags & PART_IN_FORCE) && !SL_PUSH(h->ctx, &m->modes, &at->unit->mode)) {
            return SL_ERR_MEMORY;
        }
    }
    const sl_hybrid_sense_call call = {.t = h->now.t,
                                       .x = h->x,
                                       .dx = h->dx,
                                       .need = write_value,
                                       .user = h,
                                       .all = !h->now.has_step,
                                       .parts = m->modes.at,
                                       .n_part = (int32_t)m->modes.n};
    sl_status status = h->ops->sense(h->instance, &call, h->q, diags, &changed, &n);
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        status = SL_PUSH(h->ctx, &h->touched, changed[k]) ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

void sl_motion_answered(sl_hybrid *h) {
    sl_motion *m = h->motion;
    for (int64_t k = 0; k < m->asked.n; k++) {
        m->parts.at[m->asked.at[k]].flags &= ~(uint32_t)PART_ASKED;
    }
    m->asked.n = 0;
    h->turned.n = 0;
}

sl_status sl_motion_roots(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    if (!m->all) {
        sl_component_ask(h, m->empty);
    }
    for (int64_t k = 0; k < m->asked.n && status == SL_OK; k++) {
        sl_component *at = &m->parts.at[m->asked.at[k]];
        status = at->flags & PART_IN_FORCE ? evaluate(h, at, diags) : SL_OK;
        for (int32_t i = 0; (at->flags & PART_IN_FORCE) && i < at->unit->n_root; i++) {
            m->above[at->unit->rows[at->unit->n_row + i]] = at->unit->above[i];
        }
    }
    if (status == SL_OK) {
        status = h->ops->sense ? apply_sense(h, diags)
                 : m->all      ? apply_parts(h, diags)
                               : apply_mode(h, m->parts.at[m->empty].unit, diags);
    }
    sl_motion_answered(h);
    return status;
}
