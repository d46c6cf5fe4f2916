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

sl_status sl_model_surge_grid(const sl_model *model, sl_surge_grid *out) {
    if (model->ops != &sl_surge_ops || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_surge_grid grid;
    sl_surge_model_grid(model->model, &grid);
    sl_sized_give(out, &grid, sizeof grid);
    return SL_OK;
}

sl_status sl_session_surge(sl_session *s, sl_surge_view *out) {
    if (s->ops != &sl_surge_ops || !s->started || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_surge_view view;
    sl_status status = sl_session_show(s, s->t);
    status = status == SL_OK ? sl_surge_get_view(s->engine, &view) : status;
    if (status == SL_OK) {
        sl_sized_give(out, &view, sizeof view);
    }
    return status;
}

sl_status sl_session_store_hydraulics(sl_session *s, sl_hydraulics *hydraulics) {
    if (s->ops != &sl_eps_ops || s->t != s->ops->time(s->engine) ||
        (hydraulics && !sl_hydraulics_fits(hydraulics, s->model->net))) {
        return SL_ERR_USE;
    }
    return sl_eps_store_hydraulics(s->engine, hydraulics);
}

sl_status sl_session_step_quality(sl_session *s, double *dt) {
    const sl_network *net = s->model->net;
    double before = s->t, step = net ? net->times.quality_step : 0.0;
    if (!(step > 0.0)) {
        return SL_ERR_USE;
    }
    /* Quality steps count from the beginning of the engine's step. */
    double begin = s->t < s->ops->time(s->engine) ? s->quality_begin : s->t;
    double target = begin + (floor((s->t - begin) / step * (1.0 + 1e-12)) + 1.0) * step, end = sl_session_end(s);
    sl_status status = sl_session_advance(s, target < end ? target : end, SL_STOP_AT_EVENT, NULL);
    s->quality_begin = begin;
    if (dt) {
        *dt = s->t - before;
    }
    return status;
}
