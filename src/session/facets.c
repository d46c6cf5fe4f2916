/* SPDX-License-Identifier: MIT */
/* facets.c: what only one engine has, by name. The session knows names and sizes; what a structure means is between its engine and
 * the caller.
 */
#include "session/session_impl.h"

#include "base/sized.h"
#include "engine/facets.h"

#include <math.h>
#include <stddef.h>

/* The structure that the caller gave may be older or newer than the engine's: both begin with their size. */
static sl_status get_facet(sl_context *ctx, const sl_facet *f, void *from, void *out) {
    max_align_t small[64] = {{0}}; /* what is asked for at every step takes no memory, and so never lacks it */
    void *own = f->size <= sizeof small ? small : sl_alloc(ctx, f->size);
    if (!own) {
        return SL_ERR_MEMORY;
    }
    (void)sl_sized_take(own, f->size, out);
    sl_status status = f->get(from, own);
    if (status == SL_OK) {
        sl_sized_give(out, own, f->size);
    }
    sl_free(ctx, own == small ? NULL : own, f->size);
    return status;
}

sl_status sl_model_facet(const sl_model *model, const char *name, void *out) {
    if (!SL_HANDLE_IS(model, SL_HANDLE_MODEL) || !name || !out) {
        return SL_ERR_USE;
    }
    const sl_facet *f = sl_engine_find_facet(model->ops, name);
    bool fine = f && f->of_model && sl_sized_valid(out);
    return fine ? get_facet(model->ctx, f, (void *)model->model, out) : SL_ERR_USE;
}

sl_status sl_session_facet(sl_session *s, const char *name, void *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !name || !out) {
        return SL_ERR_USE;
    }
    const sl_facet *f = sl_engine_find_facet(s->ops, name);
    if (f && f->of_model) {
        return sl_model_facet(s->model, name, out);
    }
    bool here = f && (!f->at_boundary || s->t == s->ops->time(s->engine));
    if (!here || !sl_sized_valid(out) || (!f->at_boundary && !s->started)) {
        return SL_ERR_USE;
    }
    sl_status status = f->at_boundary ? SL_OK : sl_session_show(s, s->t);
    return status == SL_OK ? get_facet(s->ctx, f, s->engine, out) : status;
}

sl_status sl_model_surge_grid(const sl_model *model, sl_surge_grid *out) {
    if (!SL_HANDLE_IS(model, SL_HANDLE_MODEL) || !out) {
        return SL_ERR_USE;
    }
    return sl_model_facet(model, SL_FACET_SURGE_GRID, out);
}

sl_status sl_session_surge(sl_session *s, sl_surge_view *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !out) {
        return SL_ERR_USE;
    }
    return sl_session_facet(s, SL_FACET_SURGE_VIEW, out);
}

sl_status sl_session_store_hydraulics(sl_session *s, sl_hydraulics *hydraulics) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (hydraulics && !SL_HANDLE_IS(hydraulics, SL_HANDLE_HYDRAULICS))) {
        return SL_ERR_USE;
    }
    sl_facet_hydraulics request = {.size = sizeof request, .hydraulics = hydraulics};
    return sl_session_facet(s, SL_FACET_HYDRAULICS, &request);
}

sl_status sl_session_step_quality(sl_session *s, double *dt) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return SL_ERR_USE;
    }
    double before = s->t, step = s->ops->substep ? s->ops->substep(s->engine) : 0.0;
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
