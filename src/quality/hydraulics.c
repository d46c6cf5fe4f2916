/* SPDX-License-Identifier: MIT */
/* hydraulics.c: hydraulics stored step by step: of each its times, then flows of links, outflows of junctions, volumes of tanks. */
#include "quality/hydraulics.h"

#include "base/handle.h"
#include "base/memory.h"
#include "base/shared.h"

#include <string.h>

typedef struct step_times {
    double begin, end; /* [s] */
} step_times;

struct sl_hydraulics {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_shared owners;
    int32_t n_link, n_junction, n_tank;
    SL_ARRAY(step_times) spans;
    SL_ARRAY(double) x;
};

sl_status sl_hydraulics_create(sl_context *ctx, const sl_network *net, sl_hydraulics **out) {
    if (!ctx || !net || !out) {
        return SL_ERR_USE;
    }
    *out = sl_alloc(ctx, sizeof **out);
    if (!*out) {
        return SL_ERR_MEMORY;
    }
    (*out)->handle = SL_HANDLE_HYDRAULICS;
    (*out)->ctx = ctx;
    (*out)->n_link = net->n_link;
    (*out)->n_junction = net->n_junction;
    (*out)->n_tank = net->n_tank;
    return SL_OK;
}

void sl_hydraulics_retain(const sl_hydraulics *h) {
    sl_shared_retain(&((sl_hydraulics *)(uintptr_t)h)->owners);
}

void sl_hydraulics_release(const sl_hydraulics *h) {
    sl_hydraulics_destroy((sl_hydraulics *)(uintptr_t)h);
}

void sl_hydraulics_destroy(sl_hydraulics *h) {
    if (SL_HANDLE_IS(h, SL_HANDLE_HYDRAULICS) && sl_shared_release(&h->owners)) {
        h->handle = SL_HANDLE_GONE;
        SL_ARRAY_FINI(h->ctx, &h->spans);
        SL_ARRAY_FINI(h->ctx, &h->x);
        sl_free(h->ctx, h, sizeof *h);
    }
}

int64_t sl_hydraulics_steps(const sl_hydraulics *h) {
    if (!SL_HANDLE_IS(h, SL_HANDLE_HYDRAULICS)) {
        return 0;
    }
    return h->spans.n;
}

bool sl_hydraulics_fits(const sl_hydraulics *h, const sl_network *net) {
    return h->n_link == net->n_link && h->n_junction == net->n_junction && h->n_tank == net->n_tank;
}

static int64_t values_per_step(const sl_hydraulics *h) {
    return (int64_t)h->n_link + h->n_junction + h->n_tank;
}

static void append_values(sl_hydraulics *h, const double *x, int32_t n) {
    if (n > 0) {
        memcpy(h->x.at + h->x.n, x, (size_t)n * sizeof *x);
    }
    h->x.n += n;
}

sl_status sl_hydraulics_add(sl_hydraulics *h, const sl_quality_flows *f) {
    if (!SL_RESERVE(h->ctx, &h->spans, h->spans.n + 1) || !SL_RESERVE(h->ctx, &h->x, h->x.n + values_per_step(h))) {
        return SL_ERR_MEMORY;
    }
    h->spans.at[h->spans.n++] = (step_times){f->begin, f->end};
    append_values(h, f->flow, h->n_link);
    append_values(h, f->outflow, h->n_junction);
    append_values(h, f->volume, h->n_tank);
    return SL_OK;
}

void sl_hydraulics_cut(sl_hydraulics *h, double t) {
    while (h->spans.n > 0 && h->spans.at[h->spans.n - 1].begin >= t) {
        h->spans.n--;
        h->x.n -= values_per_step(h);
    }
    if (h->spans.n > 0 && h->spans.at[h->spans.n - 1].end > t) {
        h->spans.at[h->spans.n - 1].end = t;
    }
}

sl_quality_flows sl_hydraulics_at(const sl_hydraulics *h, int64_t i) {
    const double *x = h->x.at + i * values_per_step(h);
    return (sl_quality_flows){.flow = x,
                              .outflow = x + h->n_link,
                              .volume = x + h->n_link + h->n_junction,
                              .begin = h->spans.at[i].begin,
                              .end = h->spans.at[i].end};
}
