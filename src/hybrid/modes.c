/* SPDX-License-Identifier: MIT */
/* modes.c: the modes of an execution, compiled when first needed and kept.
 *
 * A mode is looked up by the number that the model gives it. When there are more than can be kept, the one that was not
 * used for the longest time goes. A compiled mode is a cache: whether it was kept decides no bit.
 */
#include "hybrid/impl.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static void clear(sl_hybrid *h, mode_slot *s) {
    if (s->id < 0) {
        return;
    }
    sl_dae_destroy(s->dae);
    sl_free(h->ctx, s->x, s->x ? s->n_room : 0);
    if (h->ops->release) {
        h->ops->release(h->instance, s->id);
    }
    *s = (mode_slot){.id = -1};
}

void sl_hybrid_close_modes(sl_hybrid *h) {
    for (int32_t k = 0; h->slots && k < h->def.max_mode; k++) {
        clear(h, &h->slots[k]);
    }
}

static int32_t oldest(const sl_hybrid *h) {
    int32_t best = -1;
    for (int32_t k = 0; k < h->def.max_mode; k++) {
        const mode_slot *s = &h->slots[k];
        if (s->id < 0) {
            return k;
        }
        if (k != h->running && k != h->shown && (best < 0 || s->used < h->slots[best].used)) {
            best = k;
        }
    }
    return best;
}

static sl_status compile(sl_hybrid *h, int32_t id, mode_slot *s, sl_diags *diags) {
    sl_hybrid_mode mode = {0};
    sl_status status = h->ops->compile(h->instance, id, h->q, diags, &mode);
    if (status != SL_OK) {
        return status;
    }
    sl_dae_def def = h->def.dae;
    def.n_restart = 0; /* the execution does that: it has more to remember */
    def.stall = def.stall > 0.0 ? def.stall : isfinite(h->def.end) ? 1e-12 * h->def.end : 0.0;
    def.atols = mode.atols;
    def.directions = NULL;
    def.is_checked = mode.is_checked;
    *s = (mode_slot){.id = id, .mode = mode};
    size_t n = (size_t)mode.system.pattern.n_variable, r = (size_t)mode.system.n_root;
    status = sl_dae_create(h->ctx, &mode.system, &def, diags, &s->dae);
    s->n_room = (2 * n + r + 1) * sizeof(double) + 2 * r;
    s->x = status == SL_OK ? sl_alloc(h->ctx, s->n_room) : NULL;
    if (!s->x) {
        clear(h, s);
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    s->dx = s->x + n;
    s->seconds = s->dx + n;
    s->active = (uint8_t *)(s->seconds + r + 1);
    s->above = s->active + r;
    h->stats.n_compiled++;
    return SL_OK;
}

sl_status sl_hybrid_find_mode(sl_hybrid *h, sl_diags *diags, int32_t *slot) {
    int32_t id = 0;
    sl_status status = h->ops->mode ? h->ops->mode(h->instance, h->q, diags, &id) : SL_OK;
    for (int32_t k = 0; k < h->def.max_mode && status == SL_OK; k++) {
        if (h->slots[k].id == id) {
            h->slots[k].used = ++h->clock;
            *slot = k;
            return SL_OK;
        }
    }
    if (status == SL_OK) {
        *slot = oldest(h);
        clear(h, &h->slots[*slot]);
        status = compile(h, id, &h->slots[*slot], diags);
        h->slots[*slot].used = ++h->clock;
    }
    return status;
}

void sl_mode_gather(const sl_hybrid *h, mode_slot *s) {
    int32_t n = s->mode.system.pattern.n_variable;
    for (int32_t k = 0; k < n; k++) {
        int32_t j = s->mode.variables ? s->mode.variables[k] : k;
        s->x[k] = h->x[j];
        s->dx[k] = h->dx[j];
    }
}

void sl_mode_scatter(const mode_slot *s, const double *x, const double *dx, int32_t n_to, double *to_x, double *to_dx) {
    int32_t n = s->mode.system.pattern.n_variable;
    memset(to_dx, 0, (size_t)n_to * sizeof *to_dx); /* what is in no equation stands still */
    for (int32_t k = 0; k < n; k++) {
        int32_t j = s->mode.variables ? s->mode.variables[k] : k;
        if (j < n_to) {
            to_x[j] = x[k];
            to_dx[j] = dx[k];
        }
    }
}
