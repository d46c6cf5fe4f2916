/* SPDX-License-Identifier: MIT */
/* model.c: models of networks: the one file of the session that knows the engines of networks. */
#include "session/session_impl.h"

#include "base/sized.h"
#include "eps/eps.h"
#include "quality/transport_engine.h"
#include "surge/surge.h"

#include <math.h>
#include <stddef.h>

static void release(void *model) {
    sl_eps_model_destroy(model);
}

sl_status sl_model_from_network(sl_context *ctx, const sl_network *net, const sl_eps_def *def, sl_diags *diags,
                                sl_model **out) {
    sl_eps_model *eps = NULL;
    *out = NULL;
    sl_status status = sl_eps_model_create(ctx, net, def, diags, &eps);
    if (status != SL_OK) {
        return status;
    }
    status = sl_model_from_engine(ctx, &sl_eps_ops, eps, out);
    if (status != SL_OK) {
        sl_eps_model_destroy(eps);
        return status;
    }
    (*out)->release = release;
    (*out)->net = net;
    return SL_OK;
}

static void release_transport(void *model) {
    sl_transport_model_destroy(model);
}

sl_status sl_model_from_hydraulics(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics,
                                   const sl_eps_def *def, sl_diags *diags, sl_model **out) {
    sl_transport_model *transport = NULL;
    *out = NULL;
    sl_eps_def own = sl_eps_default();
    if (!sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    bool exact = own.reactions == SL_REACTIONS_EXACT;
    sl_status status = sl_transport_model_create(ctx, net, hydraulics, exact, diags, &transport);
    if (status != SL_OK) {
        return status;
    }
    status = sl_model_from_engine(ctx, &sl_transport_ops, transport, out);
    if (status != SL_OK) {
        sl_transport_model_destroy(transport);
        return status;
    }
    (*out)->release = release_transport;
    (*out)->net = net;
    return SL_OK;
}

static void release_surge(void *model) {
    sl_surge_model_destroy(model);
}

sl_status sl_model_from_surge(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                              sl_model **out) {
    sl_surge_model *surge = NULL;
    *out = NULL;
    sl_status status = sl_surge_model_create(ctx, net, def, diags, &surge);
    if (status != SL_OK) {
        return status;
    }
    status = sl_model_from_engine(ctx, &sl_surge_ops, surge, out);
    if (status != SL_OK) {
        sl_surge_model_destroy(surge);
        return status;
    }
    (*out)->release = release_surge;
    (*out)->net = net;
    return SL_OK;
}
