/* SPDX-License-Identifier: MIT */
/* transport_engine.c: transport along stored hydraulics, as the contract of engine/engine.h wants it.
 *
 * The engine's steps are those of the hydraulics. Between two of them values are shown, or cut, as in any engine; after a
 * cut the rest of the step is a step of its own.
 */
#include "quality/transport_engine.h"

#include "base/ids.h"
#include "base/memory.h"
#include "base/report.h"
#include "network/elements.h"
#include "network/network_impl.h"
#include "quality/fields.h"

#include <math.h>
#include <string.h>

#define TRANSPORT_FIELDS(X) SL_QUALITY_NODE_FIELDS(X) SL_QUALITY_LINK_FIELDS(X) SL_QUALITY_MODEL_FIELDS(X)

enum {
#define TRANSPORT_FIELD(id, of, name, unit, flags, type, lo, hi, meaning) CARRY_##id,
    TRANSPORT_FIELDS(TRANSPORT_FIELD)
#undef TRANSPORT_FIELD
        CARRY_FIELD_COUNT
};

static const sl_field fields[CARRY_FIELD_COUNT] = {
#define TRANSPORT_FIELD(id, ...) [CARRY_##id] = {SL_FIELD_MEMBERS(__VA_ARGS__)},
    TRANSPORT_FIELDS(TRANSPORT_FIELD)
#undef TRANSPORT_FIELD
};

struct sl_transport_model {
    sl_context *ctx;
    const sl_network *net;
    const sl_hydraulics *hydraulics;
    sl_quality_model *quality;
    uint64_t hash;
};

typedef struct transport_run {
    sl_context *ctx;
    const sl_transport_model *m;
    sl_quality *q;
    int64_t next;       /* the stored step that comes, or that the boundary lies in */
    double before, now; /* ends of the last step [s] */
    double *cache[CARRY_FIELD_COUNT];
    bool fresh[CARRY_FIELD_COUNT];
} transport_run;

/* ---- Models ------------------------------------------------------------------------------------- */

static uint64_t hash_of(const sl_network *net, const sl_hydraulics *hydraulics) {
    int64_t n = sl_hydraulics_steps(hydraulics);
    uint64_t h = (uint64_t)net->quality.kind + sl_hash_bytes(net->node_quality, (size_t)net->n_node * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        sl_quality_flows f = sl_hydraulics_at(hydraulics, i);
        h = h * 0x9E3779B97F4A7C15u + sl_hash_bytes(&f.end, sizeof f.end);
        h = h * 0x9E3779B97F4A7C15u +
            (net->n_link > 0 ? sl_hash_bytes(f.flow, (size_t)net->n_link * sizeof(double)) : 0);
    }
    return h;
}

sl_status sl_transport_model_create(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics, bool exact,
                                    sl_diags *diags, sl_transport_model **out) {
    const char *why = net->quality.kind == SL_QUALITY_NONE   ? "the network asks for no water quality"
                      : !sl_hydraulics_fits(hydraulics, net) ? "the hydraulics are of another network"
                      : sl_hydraulics_steps(hydraulics) == 0 ? "no step of the hydraulics was kept"
                                                             : NULL;
    *out = NULL;
    if (why) {
        sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL,
                  "run the hydraulics of the same network first, and keep them", "transport cannot begin: %s", why);
        return SL_ERR_INPUT;
    }
    sl_transport_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    *m = (sl_transport_model){.ctx = ctx, .net = net, .hydraulics = hydraulics, .hash = hash_of(net, hydraulics)};
    sl_network_retain(net);
    sl_hydraulics_retain(hydraulics);
    sl_status status = sl_quality_model_create(ctx, net, exact, &m->quality);
    if (status != SL_OK) {
        sl_transport_model_destroy(m);
        return status;
    }
    *out = m;
    return SL_OK;
}

void sl_transport_model_destroy(sl_transport_model *m) {
    if (m) {
        sl_quality_model_destroy(m->quality);
        sl_hydraulics_release(m->hydraulics);
        sl_network_release(m->net);
        sl_free(m->ctx, m, sizeof *m);
    }
}

/* ---- Fields ------------------------------------------------------------------------------------- */

static int32_t count(const void *engine, int32_t field) {
    return sl_elements_count(((const transport_run *)engine)->m->net, fields[field].of);
}

static const char *element(const void *engine, int32_t field, int32_t index) {
    return sl_elements_id(((const transport_run *)engine)->m->net, fields[field].of, index);
}

static const double *data(const void *engine, int32_t field) {
    transport_run *e = (transport_run *)engine; /* what is shown is no part of the run */
    int32_t first = fields[field].of == SL_CLASS_NODE   ? CARRY_QUALITY
                    : fields[field].of == SL_CLASS_LINK ? CARRY_LINK_QUALITY
                                                        : CARRY_Q_INITIAL;
    if (!e->cache[field]) {
        int32_t n = count(e, field);
        e->cache[field] = sl_alloc(e->ctx, (size_t)(n > 0 ? n : 1) * sizeof(double));
    }
    if (e->cache[field] && !e->fresh[field]) {
        sl_quality_field(e->q, fields[field].of, field - first, e->cache[field]);
        e->fresh[field] = true;
    }
    return e->cache[field];
}

static void stale(transport_run *e) {
    memset(e->fresh, 0, sizeof e->fresh);
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void destroy(void *engine) {
    transport_run *e = engine;
    if (!e) {
        return;
    }
    for (int32_t f = 0; f < CARRY_FIELD_COUNT; f++) {
        int32_t n = count(e, f);
        sl_free(e->ctx, e->cache[f], (size_t)(n > 0 ? n : 1) * sizeof(double));
    }
    sl_quality_destroy(e->q);
    sl_free(e->ctx, e, sizeof *e);
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    (void)diags;
    const sl_transport_model *m = model;
    *engine = NULL;
    transport_run *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    e->ctx = ctx;
    e->m = m;
    e->before = e->now = sl_hydraulics_at(m->hydraulics, 0).begin;
    sl_status status = sl_quality_create(ctx, m->quality, &e->q);
    if (status == SL_OK) {
        status = sl_quality_start(e->q, sl_hydraulics_at(m->hydraulics, 0).volume);
    }
    if (status != SL_OK) {
        destroy(e);
        return status;
    }
    *engine = e;
    return SL_OK;
}

/* ---- Moving ------------------------------------------------------------------------------------- */

static double time_of(const void *engine) {
    return ((const transport_run *)engine)->now;
}

static double end_of(const void *engine) {
    const transport_run *e = engine;
    return sl_hydraulics_at(e->m->hydraulics, sl_hydraulics_steps(e->m->hydraulics) - 1).end;
}

static double next_event(const void *engine) {
    const transport_run *e = engine;
    return e->now >= end_of(e) ? (double)INFINITY : sl_hydraulics_at(e->m->hydraulics, e->next).end;
}

static void report(const void *engine, double *first, double *step) {
    const sl_times *t = &((const transport_run *)engine)->m->net->times;
    *first = t->report_start;
    *step = t->report_step;
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    (void)diags;
    transport_run *e = engine;
    *out = (sl_engine_step){.begin = e->now, .end = e->now};
    if (e->now >= end_of(e)) {
        out->finished = true;
        return SL_ERR_USE;
    }
    sl_quality_flows f = sl_hydraulics_at(e->m->hydraulics, e->next);
    bool rest = e->now > f.begin; /* what a cut left of it: tanks hold what they held then */
    f.begin = e->now;
    f.volume = rest ? NULL : f.volume;
    sl_status status = sl_quality_step(e->q, &f);
    if (status != SL_OK) {
        return status;
    }
    e->before = e->now;
    e->now = f.end;
    e->next++;
    stale(e);
    out->end = e->now;
    out->finished = e->now >= end_of(e);
    out->n_iteration = 1;
    return SL_OK;
}

static sl_status refresh(void *engine, sl_diags *diags) {
    (void)engine, (void)diags;
    return SL_OK;
}

static sl_status show(void *engine, double t, sl_diags *diags) {
    (void)diags;
    transport_run *e = engine;
    if (t < e->before || t > e->now) {
        return SL_ERR_USE;
    }
    sl_status status = sl_quality_show(e->q, t);
    stale(e);
    return status;
}

static sl_status cut(void *engine, double t, sl_diags *diags) {
    transport_run *e = engine;
    if (t < e->before || t > e->now) {
        return SL_ERR_USE;
    }
    sl_status status = show(e, t, diags);
    if (status == SL_OK && t < e->now) {
        status = sl_quality_cut(e->q);
        if (status == SL_OK) {
            e->now = t;
            e->next--;
        }
    }
    return status;
}

static sl_status check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    const transport_run *e = engine;
    if (field < 0 || field >= CARRY_FIELD_COUNT || index < 0 || index >= count(e, field)) {
        return SL_ERR_USE;
    }
    const char *why = field != CARRY_SOURCE                                    ? "it is a result"
                      : !sl_quality_has_source(e->q, index)                    ? "it has no source"
                      : !isfinite(value)                                       ? "the value is not a finite number"
                      : value < fields[field].min || value > fields[field].max ? "the value is out of bounds"
                                                                               : NULL;
    if (why) {
        sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, NULL, sl_field_class(&sl_transport_ops, field),
                  element(e, field, index), NULL, "%s of %s '%s' cannot be set: %s", fields[field].name,
                  sl_field_class(&sl_transport_ops, field), element(e, field, index), why);
        return SL_ERR_INPUT;
    }
    return SL_OK;
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    transport_run *e = engine;
    sl_status status = check(e, field, index, value, diags);
    if (status == SL_OK) {
        sl_quality_set_source(e->q, index, value);
        e->fresh[CARRY_SOURCE] = false;
    }
    return status;
}

static sl_status release(void *engine, int32_t field, int32_t index, sl_diags *diags) {
    transport_run *e = engine;
    (void)diags;
    if (field != CARRY_SOURCE || index < 0 || index >= count(e, field)) {
        return SL_ERR_INPUT;
    }
    if (sl_quality_has_source(e->q, index) && sl_quality_source_is_set(e->q, index)) {
        sl_quality_release_source(e->q, index);
        e->fresh[CARRY_SOURCE] = false;
    }
    return SL_OK;
}

/* ---- Saving ------------------------------------------------------------------------------------- */

typedef struct saved {
    double before, now;
    int64_t next;
} saved;

static size_t save_size(const void *engine) {
    return sizeof(saved) + sl_quality_save_size(((const transport_run *)engine)->q);
}

static void save(const void *engine, void *bytes) {
    const transport_run *e = engine;
    saved head = {e->before, e->now, e->next};
    memcpy(bytes, &head, sizeof head);
    sl_quality_save(e->q, (unsigned char *)bytes + sizeof head);
}

static sl_status restore(void *engine, const void *bytes, size_t n) {
    transport_run *e = engine;
    saved head;
    sl_quality *q;
    if (n < sizeof head) {
        return SL_ERR_INPUT;
    }
    memcpy(&head, bytes, sizeof head);
    if (!(head.before <= head.now) || head.next < 0 || head.next > sl_hydraulics_steps(e->m->hydraulics)) {
        return SL_ERR_INPUT;
    }
    sl_status status =
        sl_quality_restore(e->ctx, e->m->quality, (const unsigned char *)bytes + sizeof head, n - sizeof head, &q);
    if (status != SL_OK) {
        return status;
    }
    sl_quality_destroy(e->q);
    e->q = q;
    e->before = head.before;
    e->now = head.now;
    e->next = head.next;
    stale(e);
    return SL_OK;
}

static uint64_t model_hash(const void *engine) {
    return ((const transport_run *)engine)->m->hash;
}

static double substep(const void *engine) {
    return ((const transport_run *)engine)->m->net->times.quality_step;
}

const sl_engine_ops sl_transport_ops = {
    .name = "quality",
    .classes = sl_network_classes,
    .n_class = SL_CLASS_NETWORK_COUNT,
    .time_unit = "s",
    .fields = fields,
    .n_field = CARRY_FIELD_COUNT,
    .create = create,
    .destroy = destroy,
    .count = count,
    .element = element,
    .time = time_of,
    .end = end_of,
    .next_event = next_event,
    .report = report,
    .substep = substep,
    .step = step,
    .refresh = refresh,
    .show = show,
    .data = data,
    .cut = cut,
    .check = check,
    .set = set,
    .release = release,
    .save_size = save_size,
    .save = save,
    .restore = restore,
    .model_hash = model_hash,
};
