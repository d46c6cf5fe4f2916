/* SPDX-License-Identifier: MIT */
/* model.c: a network made ready for the solver: element laws, matrix pattern, lists, all const afterwards. */
#include "eps/impl.h"

#include "base/ids.h"
#include "base/report.h"
#include "base/sized.h"
#include "laws/constants.h"
#include "laws/valve.h"
#include "network/incidence.h"
#include "network/network_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *alloc_array(sl_eps_model *m, int64_t n, size_t size, bool *short_of) {
    void *p = sl_arena_alloc(&m->arena, (size_t)n * size);
    *short_of |= p == NULL;
    return p;
}

/* Links at each node, in order of the links. */
static bool list_links(sl_eps_model *m) {
    const sl_network *net = m->net;
    bool bad = false;
    int32_t *start = alloc_array(m, net->n_node + 2, sizeof *start, &bad);
    int32_t *list = alloc_array(m, 2 * (int64_t)net->n_link, sizeof *list, &bad);
    if (bad) {
        return false;
    }
    sl_network_incidence(net, start, list);
    m->at_start = start;
    m->at_link = list;
    return true;
}

static bool make_laws(sl_eps_model *m) {
    const sl_network *net = m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    bool bad = false, dw = o->headloss == SL_DARCY_WEISBACH;
    m->pipe_resistance = alloc_array(m, net->n_pipe, sizeof(double), &bad);
    m->pipe_minor = alloc_array(m, net->n_pipe, sizeof(double), &bad);
    m->pipe_dw = dw ? alloc_array(m, net->n_pipe, sizeof *m->pipe_dw, &bad) : NULL;
    m->pump = alloc_array(m, net->n_pump, sizeof *m->pump, &bad);
    m->valve_minor = alloc_array(m, net->n_valve, sizeof(double), &bad);
    m->tank = alloc_array(m, net->n_tank, sizeof *m->tank, &bad);
    m->link_area = alloc_array(m, net->n_link, sizeof(double), &bad);
    if (bad) {
        return false;
    }
    sl_pipes_resistance(o->headloss, net->n_pipe, net->pipe_length, net->pipe_diameter, net->pipe_roughness,
                        m->pipe_resistance);
    const double *d = net->pipe_diameter;
    double *area = m->link_area;
    sl_dw_pipe *of = m->pipe_dw;
#pragma omp simd
    for (int32_t k = 0; k < net->n_pipe; k++) {
        area[k] = SL_PI * d[k] * d[k] / 4.0;
    }
    for (int32_t k = 0; k < (dw ? net->n_pipe : 0); k++) {
        of[k] = sl_dw_pipe_of(d[k], net->pipe_roughness[k], o->viscosity);
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (net->pipe_minor[k] != 0.0) { /* most have none */
            m->pipe_minor[k] = sl_minor_loss(net->pipe_minor[k], d[k]);
        }
    }
    for (int32_t i = 0; i < net->n_pump; i++) {
        m->pump[i] = sl_pump_law_of(net, i);
    }
    for (int32_t i = 0; i < net->n_valve; i++) {
        double bore = net->valve_diameter[i];
        m->valve_minor[i] = sl_minor_loss(net->valve_minor[i], bore);
        m->link_area[net->n_pipe + net->n_pump + i] = SL_PI * bore * bore / 4.0;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        m->tank[i] = sl_tank_law_of(net, i);
    }
    return true;
}

static void add_outlet(sl_eps_model *m, int32_t node, sl_outlet_kind kind, sl_outlet_law law, double zero) {
    int32_t i = m->n_outlet++;
    m->outlet_node[i] = node;
    m->outlet_kind[i] = (uint8_t)kind;
    m->outlet[i] = law;
    m->outlet_zero[i] = zero;
    m->other_outlet[m->n_other] = i;
    m->n_other += kind != SL_OUTLET_DEMAND;
}

static bool make_outlets(sl_eps_model *m) {
    const sl_network *net = m->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    int32_t most = 0;
    double fixed, growing, emitters = 0.0;
    for (int32_t i = 0; i < net->n_junction; i++) {
        emitters = net->emitter_coef[i] > emitters ? net->emitter_coef[i] : emitters;
    }
    if (emitters <= 0.0 && !net->pipe_leak_area && o->demand_model != SL_PDA) { /* most have no outlets at all */
        return true;
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        sl_leaks_at(net, i, m->at_start[i + 1] - m->at_start[i], m->at_link + m->at_start[i], &fixed, &growing);
        most += (net->emitter_coef[i] > 0.0) + (fixed > 0.0) + (growing > 0.0) + (o->demand_model == SL_PDA);
    }
    m->demand = sl_demand_law_of(o->pressure_required - o->pressure_min, o->pressure_exponent);
    bool bad = false;
    m->outlet_node = alloc_array(m, most, sizeof *m->outlet_node, &bad);
    m->outlet_kind = alloc_array(m, most, sizeof *m->outlet_kind, &bad);
    m->outlet = alloc_array(m, most, sizeof *m->outlet, &bad);
    m->outlet_zero = alloc_array(m, most, sizeof *m->outlet_zero, &bad);
    m->other_outlet = alloc_array(m, (int64_t)most + 1, sizeof *m->other_outlet, &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        double z = net->node_elevation[i], c = net->emitter_coef[i];
        sl_leaks_at(net, i, m->at_start[i + 1] - m->at_start[i], m->at_link + m->at_start[i], &fixed, &growing);
        if (c > 0.0) {
            add_outlet(m, i, SL_OUTLET_EMITTER, sl_outlet_power(c, o->emitter_exponent, o->emitter_backflow), z);
        }
        if (fixed > 0.0) {
            add_outlet(m, i, SL_OUTLET_LEAK_FIXED, sl_outlet_power(fixed, 0.5, false), z);
        }
        if (growing > 0.0) {
            add_outlet(m, i, SL_OUTLET_LEAK_GROWING, sl_outlet_power(growing, 1.5, false), z);
        }
        if (o->demand_model == SL_PDA) {
            add_outlet(m, i, SL_OUTLET_DEMAND, (sl_outlet_law){0}, z + o->pressure_min);
        }
    }
    return true;
}

/* May a junction bring water: a demand, or a multiplier, below zero? */
static bool has_inflows(const sl_network *net) {
    int any = net->hydraulics.demand_multiplier < 0.0;
    int32_t n = net->n_pattern ? net->pattern_start[net->n_pattern] : 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < net->n_demand; i++) {
        any |= net->demand_base[i] < 0.0;
    }
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < n; i++) {
        any |= net->pattern_factor[i] < 0.0;
    }
    return any;
}

/* A valve with a curve of losses that begins above zero. */
static bool holds_back(const sl_network *net, int32_t k) {
    bool both_ways;
    return sl_valve_kind_of(net, k) == SL_GPV &&
           sl_valve_hold(net, k - net->n_pipe - net->n_pump, (double)NAN, &both_ways) > 0.0;
}

static bool make_lists(sl_eps_model *m) {
    const sl_network *net = m->net;
    int32_t first_tank = sl_first_tank(net), at_tanks = m->at_start[net->n_node] - m->at_start[first_tank], checks = 0;
#pragma omp simd reduction(+ : checks)
    for (int32_t k = 0; k < net->n_pipe; k++) {
        checks += net->pipe_check[k];
    }
    bool bad = false, pipes = at_tanks > 0 || checks > 0;
    m->watched = alloc_array(m, (int64_t)at_tanks + checks + net->n_link - net->n_pipe, sizeof *m->watched, &bad);
    m->regulator = alloc_array(m, net->n_valve, sizeof *m->regulator, &bad);
    m->breaker = alloc_array(m, net->n_valve, sizeof *m->breaker, &bad);
    if (bad) {
        return false;
    }
    bool inflows = has_inflows(net);
    for (int32_t k = pipes ? 0 : net->n_pipe; k < net->n_link; k++) {
        int kind = sl_valve_kind_of(net, k);
        bool at_tank = net->link_from[k] >= first_tank || net->link_to[k] >= first_tank;
        if ((k < net->n_pipe && net->pipe_check[k]) || sl_is_pump(net, k) || kind == SL_FCV || at_tank) {
            m->watched[m->n_watched++] = k;
        }
        bool one_way =
            (k < net->n_pipe && net->pipe_check[k]) || sl_is_pump(net, k) || kind == SL_PRV || kind == SL_PSV;
        m->limits_flow |= kind == SL_FCV;
        m->limits_supply |= (one_way || kind == SL_FCV) && inflows;
        if (kind == SL_PRV || kind == SL_PSV) {
            m->regulator[m->n_regulator++] = k;
        }
        if (kind == SL_PBV || holds_back(net, k)) {
            m->breaker[m->n_breaker++] = k;
        }
    }
    m->limits_flow &= net->hydraulics.demand_model == SL_DDA; /* pressure-driven demands take what comes */
    m->limits_supply |= m->limits_flow;
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        m->pressure_controls |= c->enabled && c->node >= 0 && c->node < net->n_junction;
    }
    return true;
}

static int compare_times(const void *a, const void *b) {
    const sl_eps_timed *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->control > y->control) - (x->control < y->control);
}

/* Schedules of pumps are thousands of controls AT TIME, of which an instant concerns a few. */
static bool sort_controls(sl_eps_model *m) {
    const sl_network *net = m->net;
    bool bad = false;
    m->timed = alloc_array(m, net->n_control, sizeof *m->timed, &bad);
    m->untimed = alloc_array(m, net->n_control, sizeof *m->untimed, &bad);
    for (int32_t i = 0; i < net->n_control && !bad; i++) {
        const sl_control *c = &net->controls[i];
        if (c->enabled && c->kind == SL_CONTROL_TIME) {
            m->timed[m->n_timed++] = (sl_eps_timed){c->threshold, i};
        } else if (c->enabled) {
            m->untimed[m->n_untimed++] = i;
        }
    }
    if (!bad && m->n_timed > 1) {
        qsort(m->timed, (size_t)m->n_timed, sizeof *m->timed, compare_times);
    }
    return !bad;
}

/* Tells models apart: sizes, ends of links, and the numbers that shape a run. */
static uint64_t hash_of(const sl_eps_model *m) {
    const sl_network *net = m->net;
    uint64_t h = 0;
    struct {
        const void *at;
        size_t n;
    } parts[] = {
        {net->link_from, (size_t)net->n_link * sizeof(int32_t)},
        {net->link_to, (size_t)net->n_link * sizeof(int32_t)},
        {net->node_elevation, (size_t)net->n_node * sizeof(double)},
        {m->pipe_resistance, (size_t)net->n_pipe * sizeof(double)},
        {net->demand_base, (size_t)net->n_demand * sizeof(double)},
        {net->pattern_factor, net->n_pattern ? (size_t)net->pattern_start[net->n_pattern] * sizeof(double) : 0},
        {net->valve_setting, (size_t)net->n_valve * sizeof(double)},
        {&m->state_size, sizeof m->state_size},
        {&m->duration, sizeof m->duration},
        {&net->quality.kind, sizeof net->quality.kind},
        {net->node_quality, m->quality ? (size_t)net->n_node * sizeof(double) : 0},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        h = h * 0x9E3779B97F4A7C15u + (parts[i].n ? sl_hash_bytes(parts[i].at, parts[i].n) : i);
    }
    return h;
}

sl_status sl_eps_model_create(sl_context *ctx, const sl_network *net, const sl_eps_def *def, sl_diags *diags,
                              sl_eps_model **out) {
    *out = NULL;
    sl_eps_def own = sl_eps_default();
    if (!sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_eps_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    m->net = net;
    sl_network_retain(net);
    m->def = own;
    int32_t other = net->n_demand ^ net->n_junction;
#pragma omp simd reduction(| : other)
    for (int32_t i = 0; i < net->n_junction; i++) {
        other |= net->demand_start[i] ^ i;
    }
    m->one_demand_each = other == 0;
    m->duration = isnan(m->def.duration) ? net->times.duration : m->def.duration;
    sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    sl_epanet_factors(&units, m->factor);
    sl_arena_init(&m->arena, ctx);
    sl_status status = SL_ERR_MEMORY;
    if (list_links(m) && make_laws(m) && make_outlets(m) && make_lists(m) && sort_controls(m) &&
        sl_eps_rule_index_create(m)) {
        status = sl_eps_core_create(m, NULL, &m->core);
    }
    if (status == SL_OK && !sl_eps_model_is_consistent(m, diags)) {
        status = SL_ERR_INPUT;
    }
    if (status == SL_OK && net->quality.kind != SL_QUALITY_NONE && !m->def.hydraulics_only) {
        status = sl_quality_model_create(ctx, net, m->def.reactions == SL_REACTIONS_EXACT, &m->quality);
    }
    if (status != SL_OK) {
        sl_eps_model_destroy(m);
        return status;
    }
    m->state_size = sl_eps_state_bytes(m);
    m->hash = hash_of(m);
    sl_eps_rules_warn(m, diags);
    if (net->hydraulics.hydraulics_file == 1) {
        sl_report(diags, SL_WARNING, SL_CODE_IGNORED, NULL, NULL, NULL,
                  "the hydraulics are computed; take the line out of [OPTIONS]", "HYDRAULICS USE %s is not followed",
                  net->hydraulics.hydraulics_path);
    }
    *out = m;
    return SL_OK;
}

void sl_eps_model_destroy(sl_eps_model *m) {
    if (m) {
        sl_quality_model_destroy(m->quality);
        sl_eps_core_destroy(m->core);
        sl_arena_fini(&m->arena);
        sl_network_release(m->net);
        sl_free(m->ctx, m, sizeof *m);
    }
}
