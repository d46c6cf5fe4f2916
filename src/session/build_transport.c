/* SPDX-License-Identifier: MIT */
/* build_transport.c: models of transport along stored hydraulics. */
#include "session/session_impl.h"

#include "base/handle.h"
#include "base/sized.h"
#include "quality/transport_engine.h"

static void release(void *model) {
    sl_transport_model_destroy(model);
}

sl_status sl_model_from_hydraulics(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics,
                                   const sl_eps_def *def, sl_diags *diags, sl_model **out) {
    if (!ctx || !net || !SL_HANDLE_IS(hydraulics, SL_HANDLE_HYDRAULICS) || !out) {
        return SL_ERR_USE;
    }
    sl_transport_model *transport = NULL;
    *out = NULL;
    sl_eps_def own = sl_eps_default();
    if (!sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    bool exact = own.reactions == SL_REACTIONS_EXACT;
    sl_status status = sl_transport_model_create(ctx, net, hydraulics, exact, diags, &transport);
    return status == SL_OK ? sl_model_own(ctx, &sl_transport_ops, transport, release, net, out) : status;
}
