/* SPDX-License-Identifier: MIT */
/* cuts.c: where the equations of a model jump or have a kink: which side is in force.
 *
 * Motion goes on with the sides that it began with until a root says that one of them is at its end. Consistent values and sides
 * depend on each other: values are found with the sides at hand, then those sides change that contradict the values, until none
 * does. Changes are counted like those of discrete variables (zeno.c), so that sides that answer each other for ever are an error.
 */
#include "hybrid/impl.h"
#include "hybrid/motion.h"

#include "base/report.h"

#include <string.h>

static sl_hybrid_cut_call call_now(sl_hybrid *h, sl_hybrid_cut_moment moment) {
    if (h->n_cut > 0) { /* else nobody looks at them */
        sl_motion_write(h);
    }
    return (sl_hybrid_cut_call){.moment = moment, .t = h->now.t, .x = h->x, .dx = h->dx, .near = h->def.dae.root_tol};
}

static void warn(const sl_hybrid *h, int32_t cut, sl_diags *diags) {
    char name[SL_HYBRID_CUT_NAME];
    h->ops->cut_name(h->instance, cut, name);
    sl_report(diags, SL_WARNING, SL_CODE_TABLE_RANGE, NULL, NULL, NULL,
              "give it more points, or say how it goes on beyond them",
              "at %.12g s the argument of '%s' leaves the points of the table, which is constant beyond them", h->now.t,
              name);
}

/* One call of the model, and what changed. */
static sl_status ask(sl_hybrid *h, const sl_hybrid_cut_call *call, double resolution, sl_diags *diags,
                     sl_hybrid_cut_result *out) {
    double *before = h->cuts_before;
    for (int32_t k = 0; k < h->n_cut; k++) {
        before[k] = h->cuts[k];
    }
    sl_status status = h->ops->cut(h->instance, call, h->cuts, out);
    for (int32_t k = 0; k < h->n_cut && out->n_changed > 0 && call->moment != SL_HYBRID_CUTS_BEFORE; k++) {
        if (h->cuts[k] != before[k] && !h->is_trying) {
            sl_zeno_count_cut(h, k, resolution);
        }
    }
    if (status == SL_OK && out->outside >= 0) {
        warn(h, out->outside, diags);
    }
    return status;
}

static sl_status enter_and_solve(sl_hybrid *h, sl_diags *diags) {
    sl_status status = sl_motion_enter(h, diags);
    status = status == SL_OK ? sl_motion_jumped(h) : status;
    return status == SL_OK ? sl_motion_consistent(h, false, diags) : status;
}

enum { MOST_TRIES = 20 };

sl_status sl_cuts_settle(sl_hybrid *h, sl_diags *diags) {
    if (h->n_cut == 0) {
        return sl_motion_consistent(h, false, diags);
    }
    sl_hybrid_cut_result result;
    sl_hybrid_cut_call call = call_now(h, SL_HYBRID_CUTS_BEFORE);
    sl_status status = ask(h, &call, 0.0, diags, &result);
    for (int32_t round = 0; status == SL_OK; round++) {
        status = enter_and_solve(h, NULL);
        bool failed = status != SL_OK;
        if (status == SL_ERR_MEMORY) {
            return status;
        }
        call = call_now(h, failed ? SL_HYBRID_CUTS_FAILED : SL_HYBRID_CUTS_AFTER);
        call.round = round;
        status = ask(h, &call, 0.0, diags, &result);
        if (status != SL_OK || result.n_changed == 0) {
            return failed && status == SL_OK ? enter_and_solve(h, diags) : status;
        }
        status = h->is_trying && round >= MOST_TRIES ? SL_ERR_SOLVE : sl_zeno_check(h, diags);
    }
    return status;
}

void sl_cuts_try(sl_hybrid *h) {
    if (h->n_cut == 0) {
        (void)sl_motion_consistent(h, true, NULL);
        return;
    }
    size_t bytes = (size_t)h->n_cut * sizeof *h->cuts;
    memcpy(h->cuts_kept, h->cuts, bytes);
    h->is_trying = true;
    bool good = sl_cuts_settle(h, NULL) == SL_OK;
    h->is_trying = false;
    if (!good) {
        memcpy(h->cuts, h->cuts_kept, bytes);
        h->ops->set_cuts(h->instance, h->cuts);
    }
}

sl_status sl_cuts_begin(sl_hybrid *h, sl_diags *diags) {
    sl_hybrid_cut_result result;
    sl_hybrid_cut_call call = call_now(h, SL_HYBRID_CUTS_BEGIN);
    return h->n_cut > 0 ? ask(h, &call, 0.0, diags, &result) : SL_OK;
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
    sl_hybrid_cut_call call = call_now(h, SL_HYBRID_CUTS_CROSSED);
    call.fired = sl_motion_fired(h, &n_root);
    sl_status status = ask(h, &call, of_cuts, diags, &result);
    *n_fired -= result.n_fired;
    if (status != SL_OK || result.n_changed == 0) {
        return status;
    }
    *jumps = true;
    if (*n_fired > 0) { /* what the roots bring about comes first: it may lead elsewhere */
        return sl_motion_jumped(h);
    }
    return sl_cuts_settle(h, diags);
}
