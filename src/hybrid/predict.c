/* SPDX-License-Identifier: MIT */
/* predict.c: where the discrete execution leads that follows the present one.
 *
 * Events that a discrete execution has left pending act with the next one. Values, actions and roots in between may have to be
 * those of the structure that is then in force: bodies of water that have met share their momentum before they are one. So the
 * next discrete execution is made on a copy of q, without actions and roots, and the model goes by where it leads. It is made
 * again for each piece that asks, counts as no change of any variable, and is no part of the state.
 */
#include "hybrid/impl.h"

#include "base/memory.h"

#include <string.h>

/* Tells the model that variables of the copy have changed, and remembers them. */
static sl_status note(sl_hybrid *h, const sl_hybrid_step_result *step) {
    bool fine = true;
    h->predicted_is_any = h->predicted_is_any || !step->changed;
    for (int32_t k = 0; step->changed && k < step->n_changed && fine; k++) {
        fine = SL_PUSH(h->ctx, &h->predicted, step->changed[k]);
    }
    if (fine && h->ops->changed) {
        h->ops->changed(h->instance, step->changed ? step->n_changed : -1, step->changed, h->q_predicted);
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* Choices cannot be left open here: several ways are an error unless the first is taken anyway. */
static sl_status execute(sl_hybrid *h, sl_diags *diags) {
    int64_t way = h->def.choices == SL_HYBRID_CHOICES_FIRST ? 0 : SL_HYBRID_ONLY_CHOICE;
    sl_status status = SL_OK;
    for (int32_t i = 0; status == SL_OK; i++) {
        sl_hybrid_step_result step = {.settled = true};
        status = h->ops->discrete(h->instance, h->now.t, i, way, h->q_predicted, diags, &step);
        if (status != SL_OK || step.settled) {
            break;
        }
        status = note(h, &step);
        status = status == SL_OK ? sl_zeno_check_discrete(h, i + 1, diags) : status;
    }
    return status;
}

sl_status sl_hybrid_predict(sl_hybrid *h, sl_diags *diags) {
    const sl_hybrid_ops *ops = h->ops;
    if (!h->q_predicted || !ops->discrete || !ops->wants_prediction(h->instance, h->q)) {
        return SL_OK;
    }
    h->is_predicted = true;
    h->predicted.n = 0;
    h->predicted_is_any = false;
    h->stats.n_prediction++;
    sl_status status = execute(h, diags);
    if (ops->changed && (h->predicted_is_any || h->predicted.n > 0)) { /* back to q */
        ops->changed(h->instance, h->predicted_is_any ? -1 : (int32_t)h->predicted.n,
                     h->predicted_is_any ? NULL : h->predicted.at, h->q);
    }
    if (status == SL_OK && ops->set_prediction) {
        ops->set_prediction(h->instance, h->q_predicted);
    }
    return status;
}

void sl_hybrid_end_prediction(sl_hybrid *h) {
    if (!h->is_predicted) {
        return;
    }
    h->is_predicted = false;
    if (h->predicted_is_any) {
        memcpy(h->q_predicted, h->q, (size_t)h->n_q * sizeof *h->q);
    }
    for (int64_t k = 0; k < h->predicted.n; k++) {
        h->q_predicted[h->predicted.at[k]] = h->q[h->predicted.at[k]];
    }
    if (h->ops->set_prediction) {
        h->ops->set_prediction(h->instance, NULL);
    }
}
