/* SPDX-License-Identifier: MIT */
/* build_surge.c: models of pressure waves in networks. */
#include "session/session_impl.h"

#include "surge/surge.h"

static void release(void *model) {
    sl_surge_model_destroy(model);
}

sl_status sl_model_from_surge(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                              sl_model **out) {
    if (!ctx || !net || !out) {
        return SL_ERR_USE;
    }
    sl_surge_model *surge = NULL;
    *out = NULL;
    sl_status status = sl_surge_model_create(ctx, net, def, diags, &surge);
    return status == SL_OK ? sl_model_own(ctx, &sl_surge_ops, surge, release, net, out) : status;
}
