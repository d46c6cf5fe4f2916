/* SPDX-License-Identifier: MIT */
/* build_network.c: models of networks through the day. Each builder is a file of its own, so that a program links the engine it uses.
 */
#include "session/session_impl.h"

#include "eps/eps.h"

static void release(void *model) {
    sl_eps_model_destroy(model);
}

sl_status sl_model_from_network(sl_context *ctx, const sl_network *net, const sl_eps_def *def, sl_diags *diags,
                                sl_model **out) {
    if (!ctx || !net || !out) {
        return SL_ERR_USE;
    }
    sl_eps_model *eps = NULL;
    *out = NULL;
    sl_status status = sl_eps_model_create(ctx, net, def, diags, &eps);
    return status == SL_OK ? sl_model_own(ctx, &sl_eps_ops, eps, release, net, out) : status;
}
