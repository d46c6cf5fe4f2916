/* SPDX-License-Identifier: MIT */
/* cuts.c: where the equations of a model jump or have a kink: which side is in force.
 *
 * Motion goes on with the sides that it began with until a root says that one of them is at its end. Consistent values and sides
 * depend on each other: values are found with the sides at hand, then those sides change that contradict the values, until none
 * does. Changes are counted like those of discrete variables (zeno.c), so that sides that answer each other for ever are an error.
 *
 * In a model that moves by parts a cut that changes renews the parts whose equations or roots hold it, and no other; asked are the
 * cuts of parts whose values are found.
 */
#include "hybrid/motion_impl.h"

#include "base/report.h"

static void warn(const sl_hybrid *h, int32_t cut, sl_diags *diags) {
    char name[SL_HYBRID_CUT_NAME];
    h->ops->cut_name(h->instance, cut, name);
    sl_report(diags, SL_WARNING, SL_CODE_TABLE_RANGE, NULL, "table", name,
              "give it more points, or say how it goes on beyond them",
              "at %.12g s its argument leaves the points of the table, which is constant beyond them", h->now.t);
}

/* ---- Whom a cut concerns ------------------------------------------------------------------------ */

/* Lists those parts of a list that are in force and have these marks, for a call of the model, and writes out what their cuts
 * read. */
static sl_status list_parts(sl_hybrid *h, const sl_component_list *list, uint32_t marks, sl_hybrid_cut_call *call) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    m->modes.n = 0;
    for (int64_t k = 0; k < list->n && status == SL_OK; k++) {
        int32_t p = list->at[k];
        if (!(m->parts.at[p].flags & PART_IN_FORCE) || (m->parts.at[p].flags & marks) != marks) {
            continue;
        }
        const sl_hybrid_mode *mode = &m->parts.at[p].unit->mode;
        status = SL_PUSH(h->ctx, &m->modes, mode) ? sl_component_sync(h, p) : SL_ERR_MEMORY;
        for (int32_t i = 0; i < mode->n_read && status == SL_OK; i++) {
            status = sl_motion_write_one(h, mode->reads[i]);
        }
    }
    call->parts = m->modes.at;
    call->n_part = (int32_t)m->modes.n;
    return status;
}

/* A call about the parts of a list; a model that moves as one is asked for all that it has. */
static sl_status prepare(sl_hybrid *h, sl_hybrid_cut_moment moment, const sl_component_list *list, uint32_t marks,
                         sl_hybrid_cut_call *call) {
    *call = (sl_hybrid_cut_call){.moment = moment, .t = h->now.t, .x = h->x, .dx = h->dx, .near = h->def.dae.root_tol};
    if (h->motion->all) {
        return list_parts(h, list, marks, call);
    }
    sl_motion_write(h);
    return SL_OK;
}

/* The parts whose equations or roots hold a cut. */
static sl_status renew_holders(sl_hybrid *h, int32_t cut) {
    const sl_motion *m = h->motion;
    const sl_hybrid_incidence *a = m->all;
    sl_status status = SL_OK;
    if (!a) {
        return sl_component_renew(h, m->empty);
    }
    for (int32_t k = a->cut_start[cut]; k < a->cut_start[cut + 1] && status == SL_OK; k++) {
        int32_t row = a->cut_rows[k];
        int32_t p = row < a->n_equation ? m->equation_part[row] : m->root_part[row - a->n_equation];
        status = p >= 0 ? sl_component_renew(h, p) : SL_OK;
    }
    return status;
}

static sl_status note_change(sl_hybrid *h, int32_t k, bool counts, double resolution) {
    double before = h->cuts_kept[k];
    if (h->cuts[k] == before) {
        return SL_OK;
    }
    h->cuts_kept[k] = h->cuts[k];
    if (!sl_state_keep_cut(h, k, before) || (h->is_trying && !SL_PUSH(h->ctx, &h->tried, ((old_cut){k, before})))) {
        return SL_ERR_MEMORY;
    }
    if (counts && !h->is_trying) {
        sl_zeno_count_cut(h, k, resolution);
    }
    return renew_holders(h, k);
}

/* One call of the model, and what changed. Roots of parts have been counted when they fired. */
static sl_status ask(sl_hybrid *h, const sl_hybrid_cut_call *call, double resolution, sl_diags *diags,
                     sl_hybrid_cut_result *out) {
    bool counts = call->moment != SL_HYBRID_CUTS_BEFORE && !(call->moment == SL_HYBRID_CUTS_CROSSED && h->motion->all);
    *out = (sl_hybrid_cut_result){.outside = -1};
    sl_status status = h->ops->cut(h->instance, call, h->cuts, out);
    int32_t n = out->n_changed == 0 ? 0 : out->changed ? out->n_changed : h->n_cut;
    for (int32_t i = 0; i < n && status == SL_OK; i++) {
        status = note_change(h, out->changed ? out->changed[i] : i, counts, resolution);
    }
    if (status == SL_OK && out->outside >= 0) {
        warn(h, out->outside, diags);
    }
    return status;
}

/* ---- Consistent values and sides ---------------------------------------------------------------- */

/* Parts whose values are about to be found: from here on their cuts are asked for. */
static sl_status look_at_fresh(sl_hybrid *h) {
    sl_motion *m = h->motion;
    for (int64_t k = 0; k < m->pending.n; k++) {
        int32_t p = m->pending.at[k];
        uint32_t flags = m->parts.at[p].flags;
        if ((flags & PART_IN_FORCE) && (flags & PART_FRESH) && !(flags & PART_LOOKED)) {
            if (!SL_PUSH(h->ctx, &m->looked, p)) {
                return SL_ERR_MEMORY;
            }
            m->parts.at[p].flags |= PART_LOOKED;
        }
    }
    return SL_OK;
}

static void look_away(sl_motion *m) {
    for (int64_t k = 0; k < m->looked.n; k++) {
        m->parts.at[m->looked.at[k]].flags &= ~(uint32_t)PART_LOOKED;
    }
    m->looked.n = 0;
}

static sl_status enter_and_solve(sl_hybrid *h, sl_diags *diags) {
    sl_status status = sl_motion_enter(h, diags);
    sl_status looked = look_at_fresh(h);
    return status == SL_OK && looked == SL_OK ? sl_motion_consistent(h, false, diags)
           : looked != SL_OK                  ? looked
                                              : status;
}

/* What failed: equations that make no system, or the first part without values; others were not tried. */
static sl_status prepare_failed(sl_hybrid *h, sl_hybrid_cut_call *call) {
    const sl_motion *m = h->motion;
    sl_status status = prepare(h, SL_HYBRID_CUTS_FAILED, &m->pending, PART_FRESH, call);
    call->n_orphan = (int32_t)m->orphans.n;
    call->orphans = m->orphans.at;
    call->n_part = call->n_orphan > 0 ? 0 : call->n_part > 1 ? 1 : call->n_part;
    return status;
}

enum { MOST_TRIES = 20 };

static sl_status settle(sl_hybrid *h, sl_diags *diags) {
    sl_hybrid_cut_result result;
    sl_hybrid_cut_call call;
    sl_status status = look_at_fresh(h);
    status = status == SL_OK ? prepare(h, SL_HYBRID_CUTS_BEFORE, &h->motion->looked, 0, &call) : status;
    status = status == SL_OK ? ask(h, &call, 0.0, diags, &result) : status;
    for (int32_t round = 0; status == SL_OK; round++) {
        status = enter_and_solve(h, NULL);
        bool failed = status != SL_OK;
        if (status == SL_ERR_MEMORY) {
            return status;
        }
        status = failed ? prepare_failed(h, &call)
                        : prepare(h, SL_HYBRID_CUTS_AFTER, &h->motion->looked, PART_LOOKED, &call);
        call.round = round;
        status = status == SL_OK ? ask(h, &call, 0.0, diags, &result) : status;
        if (status != SL_OK || result.n_changed == 0) {
            return failed && status == SL_OK ? enter_and_solve(h, diags) : status;
        }
        status = h->is_trying && round >= MOST_TRIES ? SL_ERR_SOLVE : sl_zeno_check(h, diags);
    }
    return status;
}

sl_status sl_cuts_settle(sl_hybrid *h, sl_diags *diags) {
    if (h->n_cut == 0) {
        return sl_motion_consistent(h, false, diags);
    }
    sl_status status = settle(h, diags);
    look_away(h->motion);
    return status;
}

sl_status sl_cuts_try(sl_hybrid *h) {
    if (h->n_cut == 0) {
        return sl_motion_consistent(h, true, NULL) == SL_ERR_MEMORY ? SL_ERR_MEMORY : SL_OK;
    }
    h->tried.n = 0;
    h->is_trying = true;
    sl_status status = sl_cuts_settle(h, NULL);
    h->is_trying = false;
    if (status == SL_OK || status == SL_ERR_MEMORY) {
        return status;
    }
    status = SL_OK;
    for (int64_t i = h->tried.n - 1; i >= 0 && status == SL_OK; i--) {
        const old_cut *old = &h->tried.at[i];
        h->cuts[old->k] = h->cuts_kept[old->k] = old->state;
        h->ops->set_cuts(h->instance, 1, &old->k, h->cuts);
        status = renew_holders(h, old->k);
    }
    return status;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

sl_status sl_cuts_begin(sl_hybrid *h, sl_diags *diags) {
    sl_hybrid_cut_result result = {.outside = h->n_cut > 0 ? 0 : -1};
    sl_hybrid_cut_call call;
    sl_status status =
        h->n_cut > 0 ? prepare(h, SL_HYBRID_CUTS_BEGIN, &h->motion->pending, PART_PENDING, &call) : SL_OK;
    while (status == SL_OK && result.outside >= 0) { /* one at a time */
        status = ask(h, &call, 0.0, diags, &result);
    }
    return status;
}

sl_status sl_cuts_cross(sl_hybrid *h, sl_diags *diags, int32_t *n_fired, bool *jumps) {
    int32_t n_root;
    double of_cuts;
    *jumps = false;
    sl_motion_count_fired(h, &of_cuts);
    if (h->n_cut == 0) {
        return SL_OK;
    }
    sl_hybrid_cut_result result;
    sl_hybrid_cut_call call;
    sl_status status = prepare(h, SL_HYBRID_CUTS_CROSSED, &h->motion->fired, 0, &call);
    call.fired = sl_motion_fired(h, &n_root);
    status = status == SL_OK ? ask(h, &call, of_cuts, diags, &result) : status;
    if (status != SL_OK) {
        return status;
    }
    *n_fired -= result.n_fired;
    *jumps = result.n_changed > 0;
    /* What other roots bring about comes first: it may lead elsewhere. */
    return *jumps && *n_fired == 0 ? sl_cuts_settle(h, diags) : SL_OK;
}
