/* SPDX-License-Identifier: MIT */
/* build_tunnel.c: models of tunnels. */
#include "session/session_impl.h"

#include "tunnel/build.h"
#include "tunnel/engine.h"

static void release(void *model) {
    sl_tunnel_engine_model_destroy(model);
}

sl_status sl_model_of_tunnel_study(sl_context *ctx, sl_tunnel_study *study, sl_model **out) {
    sl_tunnel_engine_model *model = NULL;
    *out = NULL;
    sl_status status = sl_tunnel_engine_model_create(ctx, study, &model);
    if (status != SL_OK) {
        sl_tunnel_study_destroy(study);
        return status;
    }
    return sl_model_own(ctx, &sl_tunnel_engine, model, release, NULL, out);
}

sl_status sl_model_from_tunnel(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                               sl_model **out) {
    if (!ctx || !out || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_tunnel_study *study = NULL;
    sl_status status = sl_tunnel_read(ctx, bytes, n, name, NULL, diags, &study);
    return status == SL_OK ? sl_model_of_tunnel_study(ctx, study, out) : status;
}

sl_status sl_model_of_tunnels(sl_context *ctx, const sl_tunnels *tunnels, const sl_tunnels_run *run, sl_diags *diags,
                              sl_model **out) {
    if (!ctx || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_tunnel_study *study = NULL;
    sl_status status = sl_tunnels_study(ctx, tunnels, run, diags, &study);
    return status == SL_OK ? sl_model_of_tunnel_study(ctx, study, out) : status;
}
