/* SPDX-License-Identifier: MIT */
/* quality.c: transport of what the water carries, along hydraulics that are computed first and kept. A network is loaded so when it
 * is asked for by name. */
#include "kinds/rows.h"

#include <math.h>

#include "base/memory.h"
#include "base/report.h"

/* Flows of the whole run, or of its first step: variables are the same with any number of steps. */
static sl_status keep_hydraulics(const sl_load *load, const sl_network *net, sl_eps_def def, sl_hydraulics *kept) {
    sl_model *model = NULL;
    sl_session *s = NULL;
    def.hydraulics_only = true;
    sl_status status = sl_model_from_network(load->ctx, net, &def, load->diags, &model);
    status = status == SL_OK ? sl_session_create(load->ctx, model, load->diags, &s) : status;
    status = status == SL_OK ? sl_session_store_hydraulics(s, kept) : status;
    if (status == SL_OK) {
        double dt;
        status = load->listing ? sl_session_step(s, &dt) : sl_session_advance(s, (double)INFINITY, 0, NULL);
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    return status;
}

/* What the model is made from. */
typedef struct origin {
    sl_context *ctx;
    sl_network *net;
    sl_hydraulics *kept;
} origin;

static void release(void *origin_) {
    origin *o = origin_;
    sl_hydraulics_destroy(o->kept);
    sl_network_destroy(o->net);
    sl_free(o->ctx, o, sizeof *o);
}

static sl_status fill(const sl_load *load, origin *o, sl_model **model) {
    const sl_eps_def def = sl_network_eps_def(load);
    sl_status status = sl_network_load(load, ((const sl_network_args *)load->args)->unit, &o->net);
    if (status == SL_OK && o->net->quality.kind == SL_QUALITY_NONE) {
        sl_text_location place = {.file = load->source->name};
        sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &place, NULL, NULL, NULL,
                  "simulates no water quality: set `Quality` in its [OPTIONS]");
        return SL_ERR_USE;
    }
    status = status == SL_OK ? sl_network_bound_steps(load, o->net) : status;
    status = status == SL_OK ? sl_hydraulics_create(load->ctx, o->net, &o->kept) : status;
    status = status == SL_OK ? keep_hydraulics(load, o->net, def, o->kept) : status;
    return status == SL_OK ? sl_model_from_hydraulics(load->ctx, o->net, o->kept, &def, load->diags, model) : status;
}

sl_status sl_quality_load(const sl_load *load, sl_loaded *out) {
    origin *o = sl_alloc(load->ctx, sizeof *o);
    if (!o) {
        return SL_ERR_MEMORY;
    }
    *o = (origin){.ctx = load->ctx};
    sl_status status = fill(load, o, &out->model);
    if (status != SL_OK) {
        release(o);
        return status;
    }
    out->origin = o;
    out->release = release;
    return SL_OK;
}
