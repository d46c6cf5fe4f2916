/* SPDX-License-Identifier: MIT */
/* save.c: a run as bytes, and back.
 *
 * The states that the next steps need, values that were set, and the transport. What comes back is examined before anything is
 * taken over: bytes from outside may be anything.
 */
#include "eps/fields.h"
#include "eps/impl.h"

#include <math.h>
#include <string.h>

typedef struct saved {
    int64_t n_override, n_quality; /* values set, bytes of the transport */
    uint8_t dirty, started;
    uint8_t n_state; /* now, before, older, and the last solution when something was set since */
} saved;

static uint8_t states_of(const sl_eps *e) {
    return e->dirty && e->shown == &e->other ? 4 : 3;
}

size_t sl_eps_save_size(const void *engine) {
    const sl_eps *e = engine;
    return sizeof(saved) + states_of(e) * e->m->state_size + (size_t)e->overrides.n * sizeof(sl_eps_override) +
           (e->quality ? sl_quality_save_size(e->quality) : 0);
}

void sl_eps_save(const void *engine, void *bytes) {
    const sl_eps *e = engine;
    unsigned char *at = bytes;
    saved head;
    memset(&head, 0, sizeof head);
    head.n_override = e->overrides.n;
    head.n_quality = e->quality ? (int64_t)sl_quality_save_size(e->quality) : 0;
    head.dirty = e->dirty;
    head.started = e->started;
    head.n_state = states_of(e);
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    const sl_eps_state *list[] = {&e->now, &e->before, &e->older, &e->other};
    for (int i = 0; i < head.n_state; i++, at += e->m->state_size) {
        memcpy(at, list[i]->block, e->m->state_size);
    }
    if (e->overrides.n > 0) {
        memcpy(at, e->overrides.at, (size_t)e->overrides.n * sizeof(sl_eps_override));
        at += (size_t)e->overrides.n * sizeof(sl_eps_override);
    }
    if (e->quality) {
        sl_quality_save(e->quality, at);
    }
}

static sl_status restore_core(sl_eps *e, const unsigned char *list, int64_t n) {
    size_t bytes = (size_t)n * sizeof(sl_eps_override);
    sl_eps_override *copy = n > 0 ? sl_alloc(e->ctx, bytes) : NULL; /* aligned */
    if (n > 0 && !copy) {
        return SL_ERR_MEMORY;
    }
    if (n > 0) {
        memcpy(copy, list, bytes);
    }
    sl_status status = sl_eps_select_core(e, copy, n);
    sl_free(e->ctx, copy, bytes);
    return status;
}

/* Whether the parts are as long as they must be. */
static bool head_fits(const sl_eps *e, const saved *head, size_t n) {
    size_t before_list = sizeof *head + head->n_state * e->m->state_size;
    if (head->dirty > 1 || head->started > 1 || head->n_state < 3 || head->n_state > 4 || n < before_list ||
        head->n_override < 0 || head->n_quality < 0 || (uint64_t)head->n_quality > n - before_list ||
        (head->n_quality > 0) != (e->quality != NULL)) {
        return false;
    }
    size_t list = n - before_list - (size_t)head->n_quality;
    return (size_t)head->n_override == list / sizeof(sl_eps_override) && list % sizeof(sl_eps_override) == 0;
}

static bool override_fits(const sl_eps *e, const sl_eps_override *o) {
    if (o->field < 0 || o->field >= SL_EPS_FIELD_COUNT || o->index < 0 || o->index >= sl_eps_count(e, o->field)) {
        return false;
    }
    const sl_field *f = &sl_eps_fields[o->field];
    bool bounded = f->min != 0.0 || f->max != 0.0;
    return (f->flags & (SL_FIELD_INPUT | SL_FIELD_PARAMETER)) != 0 && isfinite(o->value) &&
           (!bounded || (o->value >= f->min && o->value <= f->max));
}

/* Whether bytes that fit together can be a run of this model. */
static sl_status examine(const sl_eps *e, const saved *head, const unsigned char *at) {
    size_t size = e->m->state_size;
    void *block = sl_alloc(e->ctx, size); /* aligned */
    if (!block) {
        return SL_ERR_MEMORY;
    }
    bool good = true;
    double time[4] = {0};
    for (int i = 0; i < head->n_state && good; i++, at += size) {
        memcpy(block, at, size);
        good = sl_eps_state_is_consistent(e->m, block);
        time[i] = ((const sl_eps_scalars *)block)->time; /* first in it */
    }
    good = good && time[1] <= time[0] && time[2] <= time[0];
    for (int64_t i = 0; i < head->n_override && good; i++, at += sizeof(sl_eps_override)) {
        sl_eps_override o;
        memcpy(&o, at, sizeof o);
        good = override_fits(e, &o);
    }
    sl_free(e->ctx, block, size);
    return good ? SL_OK : SL_ERR_INPUT;
}

sl_status sl_eps_restore(void *engine, const void *bytes, size_t n) {
    sl_eps *e = engine;
    const unsigned char *at = bytes;
    saved head;
    if (n < sizeof head) {
        return SL_ERR_INPUT;
    }
    memcpy(&head, at, sizeof head);
    if (!head_fits(e, &head, n)) {
        return SL_ERR_INPUT;
    }
    sl_status status = examine(e, &head, at + sizeof head);
    if (status != SL_OK) {
        return status;
    }
    const unsigned char *list = at + sizeof head + head.n_state * e->m->state_size;
    if (!SL_RESERVE(e->ctx, &e->overrides, head.n_override) || sl_eps_make_scratch_state(e) != SL_OK ||
        sl_eps_own_pipes(e, list, head.n_override) != SL_OK) {
        return SL_ERR_MEMORY;
    }
    sl_quality *quality = NULL;
    status = e->quality ? sl_quality_restore(e->ctx, e->m->quality, (const unsigned char *)bytes + n - head.n_quality,
                                             (size_t)head.n_quality, &quality)
                        : SL_OK;
    if (status == SL_OK) {
        status = restore_core(e, list, head.n_override);
    }
    if (status != SL_OK) {
        sl_quality_destroy(quality);
        return status;
    }
    sl_quality_destroy(e->quality);
    e->quality = quality;
    sl_eps_state *const to[] = {&e->now, &e->before, &e->older, &e->other};
    at += sizeof head;
    for (int i = 0; i < head.n_state; i++, at += e->m->state_size) {
        memcpy(to[i]->block, at, e->m->state_size);
    }
    if (head.n_override > 0) {
        memcpy(e->overrides.at, list, (size_t)head.n_override * sizeof(sl_eps_override));
    }
    e->overrides.n = head.n_override;
    e->dirty = head.dirty;
    e->started = head.started;
    sl_eps_show_state(e, head.n_state == 4 ? &e->other : &e->now);
    sl_eps_load_parameters(e);
    if (e->quality) {
        sl_quality_pipes(e->quality, e->diameter, e->length);
    }
    if (e->stored_hydraulics) {
        sl_hydraulics_cut(e->stored_hydraulics, e->now.x->time);
    }
    e->rows_stale = true;
    e->events.list.n = 0;
    return SL_OK;
}
