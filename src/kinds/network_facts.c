/* SPDX-License-Identifier: MIT */
/* network_facts.c: a network in numbers. Connected parts are counted over all links, open or closed, by union-find. */
#include "kinds/network_facts.h"

#include <math.h>

#include "base/memory.h"

static void widen(sl_range *range, double x) {
    range->min = range->min <= x ? range->min : x; /* NaN compares false: the first value is taken */
    range->max = range->max >= x ? range->max : x;
}

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The root of every part is its node of highest index: sources come after junctions, so a part has a source
 * if and only if its root is one. */
static bool count_islands(sl_context *ctx, const sl_network *net, sl_facts *facts) {
    if (net->n_node == 0) {
        return true;
    }
    size_t size = (size_t)net->n_node * sizeof(int32_t);
    int32_t *parent = sl_alloc(ctx, size);
    if (!parent) {
        return false;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        parent[i] = i;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t a = root_of(parent, net->link_from[k]);
        int32_t b = root_of(parent, net->link_to[k]);
        parent[a < b ? a : b] = a < b ? b : a;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        if (parent[i] == i) {
            facts->islands++;
            facts->dry_islands += i < net->n_junction;
        }
    }
    sl_free(ctx, parent, size);
    return true;
}

static void gather_nodes(const sl_network *net, sl_facts *facts) {
    for (int32_t i = 0; i < net->n_node; i++) {
        if (sl_network_node_kind(net, i) != SL_RESERVOIR) { /* whose elevation is a head */
            widen(&facts->elevation, net->node_elevation[i]);
        }
        if (net->node_x && !isnan(net->node_x[i])) {
            facts->located_nodes++;
        }
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        facts->emitters += net->emitter_coef[i] > 0;
        bool draws = false;
        for (int32_t d = net->demand_start[i]; d < net->demand_start[i + 1]; d++) {
            facts->base_demand += net->demand_base[d];
            draws = draws || net->demand_base[d] != 0;
        }
        facts->demand_junctions += draws;
    }
}

static void gather_links(const sl_network *net, sl_facts *facts) {
    for (int32_t k = 0; k < net->n_link; k++) {
        facts->closed_links += net->link_status[k] == SL_CLOSED;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        facts->pipe_length += net->pipe_length[k];
        widen(&facts->pipe_diameter, net->pipe_diameter[k]);
        facts->check_valves += net->pipe_check[k] != 0;
        facts->leaking_pipes += net->pipe_leak_area && (net->pipe_leak_area[k] > 0 || net->pipe_leak_expansion[k] > 0);
    }
    for (int32_t k = 0; k < net->n_valve; k++) {
        facts->valves[net->valve_kind[k]]++;
    }
    facts->vertices = net->vertex_start ? net->vertex_start[net->n_link] : 0;
}

bool sl_facts_gather(sl_context *ctx, const sl_network *net, sl_facts *facts) {
    *facts = (sl_facts){.pipe_diameter = {NAN, NAN}, .elevation = {NAN, NAN}};
    gather_nodes(net, facts);
    gather_links(net, facts);
    return count_islands(ctx, net, facts);
}
