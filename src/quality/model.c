/* SPDX-License-Identifier: MIT */
/* model.c: a network made ready for transport: volumes, lists of links, coefficients; const afterwards. */
#include "network/incidence.h"
#include "quality/impl.h"

#include <math.h>

static void *alloc_array(sl_quality_model *m, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&m->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static bool list_links(sl_quality_model *m) {
    const sl_network *net = m->net;
    bool bad = false;
    int32_t *start = alloc_array(m, (int64_t)net->n_node + 2, sizeof *start, &bad);
    size_t bytes = (2 * (size_t)net->n_link + 1) * sizeof(int32_t);
    int32_t *link = sl_alloc(m->ctx, bytes);
    m->at = alloc_array(m, 2 * (int64_t)net->n_link, sizeof *m->at, &bad);
    m->at_start = start;
    if (!bad && link) {
        sl_network_incidence(net, start, link);
        for (int32_t i = 0; i < net->n_node; i++) {
            for (int32_t a = start[i]; a < start[i + 1]; a++) {
                bool from = net->link_from[link[a]] == i;
                m->at[a] = (sl_quality_incidence){(uint32_t)link[a], from,
                                                  from ? net->link_to[link[a]] : net->link_from[link[a]]};
            }
        }
    }
    bad |= link == NULL;
    sl_free(m->ctx, link, bytes);
    return !bad;
}

/* A pipe's wall coefficient: its own, the one that goes with its roughness, or the global one. */
static double wall_of(const sl_network *net, int32_t k) {
    const sl_quality_options *o = &net->quality;
    if (net->pipe_wall && !isnan(net->pipe_wall[k])) {
        return net->pipe_wall[k];
    }
    double f = o->roughness_factor, e = net->pipe_roughness[k];
    if (f == 0.0) {
        return o->wall_coef;
    }
    switch (net->hydraulics.headloss) {
    case SL_HAZEN_WILLIAMS: return e > 0.0 ? f / e : 0.0;
    case SL_DARCY_WEISBACH: {
        double log_ = fabs(log(e / net->pipe_diameter[k]));
        return log_ > 0.0 && isfinite(log_) ? f / log_ : 0.0;
    }
    default: return f * e;
    }
}

static bool take_coefficients(sl_quality_model *m) {
    const sl_network *net = m->net;
    const sl_quality_options *o = &net->quality;
    bool bad = false, pipes = false, tanks = false;
    m->kinetics = (sl_kinetics){.order = o->bulk_order, .limit = o->limit_potential};
    m->tank_kinetics = (sl_kinetics){.order = o->tank_order, .limit = o->limit_potential};
    m->bulk = alloc_array(m, net->n_pipe, sizeof(double), &bad);
    m->wall = alloc_array(m, net->n_pipe, sizeof(double), &bad);
    m->tank_bulk = alloc_array(m, net->n_tank, sizeof(double), &bad);
    if (bad) {
        return false;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        m->bulk[k] = net->pipe_bulk && !isnan(net->pipe_bulk[k]) ? net->pipe_bulk[k] : o->bulk_coef;
        m->wall[k] = wall_of(net, k);
        m->walls |= m->wall[k] != 0.0;
        pipes |= m->bulk[k] != 0.0 || m->wall[k] != 0.0;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        m->tank_bulk[i] = isnan(net->tank_bulk[i]) ? o->bulk_coef : net->tank_bulk[i];
        tanks |= m->tank_bulk[i] != 0.0;
    }
    m->linear = sl_kinetics_linear(&m->kinetics) && o->wall_order == 1;
    if (!pipes) {
        m->bulk = m->wall = NULL;
    }
    if (!tanks) {
        m->tank_bulk = NULL;
    }
    return true;
}

static bool take_sources(sl_quality_model *m) {
    const sl_network *net = m->net;
    bool bad = false;
    if (net->n_source == 0) {
        return true;
    }
    m->source_at = alloc_array(m, net->n_node, sizeof *m->source_at, &bad);
    for (int32_t i = 0; !bad && i < net->n_node; i++) {
        m->source_at[i] = -1;
    }
    for (int32_t i = 0; !bad && i < net->n_source; i++) {
        m->source_at[net->sources[i].node] = i;
    }
    return !bad;
}

/* Can a reaction make something of nothing? */
static bool creates(const sl_quality_model *m) {
    const sl_network *net = m->net;
    bool more = false;
    for (int32_t k = 0; m->bulk && k < net->n_pipe; k++) {
        more |= sl_bulk_rate(&m->kinetics, m->bulk[k], 0.0) > 0.0;
        more |= net->quality.wall_order == 0 && m->wall[k] > 0.0;
    }
    for (int32_t i = 0; m->tank_bulk && i < net->n_tank; i++) {
        more |= sl_bulk_rate(&m->tank_kinetics, m->tank_bulk[i], 0.0) > 0.0;
    }
    return more;
}

/* A source of strength 0 counts: a session may set it. */
static bool is_empty(const sl_quality_model *m) {
    const sl_network *net = m->net;
    bool some = net->n_source > 0 || m->kind != SL_QUALITY_CHEMICAL;
    for (int32_t i = 0; !some && i < net->n_node; i++) {
        some = m->initial[i] != 0.0 || signbit(m->initial[i]);
    }
    return !some && !m->creates;
}

static bool fill(sl_quality_model *m) {
    const sl_network *net = m->net;
    bool bad = false;
    m->kind = net->quality.kind;
    m->step = net->times.quality_step > 0.0 ? net->times.quality_step : net->times.hydraulic_step / 10.0;
    m->tank = alloc_array(m, net->n_tank, sizeof *m->tank, &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        m->tank[i] = sl_tank_law_of(net, i);
    }
    m->initial = m->kind == SL_QUALITY_TRACE ? alloc_array(m, net->n_node, sizeof(double), &bad) : net->node_quality;
    if (bad) {
        return false;
    }
    bool ok = m->kind != SL_QUALITY_CHEMICAL || (take_coefficients(m) && take_sources(m));
    m->creates = ok && creates(m);
    m->empty = ok && is_empty(m);
    return ok && (m->empty || list_links(m));
}

sl_status sl_quality_model_create(sl_context *ctx, const sl_network *net, bool exact, sl_quality_model **out) {
    *out = NULL;
    sl_quality_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    m->net = net;
    m->exact = exact;
    sl_arena_init(&m->arena, ctx);
    if (!fill(m)) {
        sl_quality_model_destroy(m);
        return SL_ERR_MEMORY;
    }
    *out = m;
    return SL_OK;
}

void sl_quality_model_destroy(sl_quality_model *m) {
    if (m) {
        sl_arena_fini(&m->arena);
        sl_free(m->ctx, m, sizeof *m);
    }
}
