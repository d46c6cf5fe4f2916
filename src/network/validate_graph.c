/* SPDX-License-Identifier: MIT */
/* validate_graph.c: how nodes and links hang together: loops on one node, nodes without links, parts without a source,
 * and valves where their kind cannot work. See validate.h. */
#include "network/validate.h"

#include "network/components.h"
#include "network/words.h"

#include <stdlib.h>

/* ---- Connections -------------------------------------------------------------------------------- */

static int32_t root_of(const int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        i = parent[i];
    }
    return i;
}

static void check_self_loops(sl_validation *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_link; i++) {
        if (net->link_from[i] == net->link_to[i]) {
            sl_validate_report(v, SL_ERROR, SL_CODE_SELF_LOOP, sl_link_kind_words[sl_network_link_kind(net, i)],
                               sl_network_link_id(net, i), net->link_line[i], 2, "give two different nodes",
                               "joins %s to itself", sl_network_node_id(net, net->link_from[i]));
        }
    }
}

static void check_unconnected(sl_validation *v, const uint8_t *linked) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        if (linked[i]) {
            continue;
        }
        bool junction = i < net->n_junction;
        sl_validate_report(v, junction ? SL_ERROR : SL_WARNING, SL_CODE_UNCONNECTED,
                           sl_node_kind_words[sl_network_node_kind(net, i)], sl_network_node_id(net, i),
                           net->node_line[i], 0, junction ? "connect it, or delete it" : NULL, "no link leads to it");
    }
}

/* One warning for each part that no reservoir or tank belongs to. */
static void check_parts(sl_validation *v, int32_t *parent, const uint8_t *linked, int32_t *size) {
    const sl_network *net = v->net;
    int32_t n_part = net->n_node;
    for (int32_t i = 0; i < net->n_node; i++) {
        parent[i] = i;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        n_part -= sl_components_join(parent, net->link_from[i], net->link_to[i]);
    }
    if (n_part == 1) { /* which the source belongs to */
        return;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        size[root_of(parent, i)]++; /* a junction names the part */
    }
    for (int32_t i = net->n_junction; i < net->n_node; i++) {
        size[root_of(parent, i)] = 0; /* has a source */
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        if (size[i] > 0 && linked[i]) {
            sl_validate_report(v, SL_WARNING, SL_CODE_NO_SOURCE, "junction", sl_network_node_id(net, i),
                               net->node_line[i], 0, "connect the component to a reservoir or tank",
                               "belongs to a component of %d nodes without reservoir or tank", size[i]);
        }
    }
}

static void check_connections(sl_validation *v) {
    const sl_network *net = v->net;
    sl_context *ctx = v->spec->ctx;
    size_t n = (size_t)net->n_node;
    int32_t *parent = sl_alloc(ctx, n * sizeof *parent), *size = sl_alloc(ctx, n * sizeof *size);
    uint8_t *linked = sl_alloc(ctx, n);
    v->oom = v->oom || !parent || !size || !linked;
    if (!v->oom) {
        int32_t base[3] = {0, net->n_junction, net->n_junction + net->n_reservoir};
        for (int64_t h = 0; h < v->spec->node.n; h++) {
            const sl_node_rec *rec = &v->spec->node.at[h];
            linked[base[rec->kind] + rec->index] = rec->touched;
        }
        check_unconnected(v, linked);
        if (v->spec->n_dropped == 0 && net->n_junction < net->n_node) { /* no source at all is told once */
            check_parts(v, parent, linked, size);
        }
    }
    sl_free(ctx, parent, n * sizeof *parent);
    sl_free(ctx, size, n * sizeof *size);
    sl_free(ctx, linked, n);
}

/* ---- Valves ------------------------------------------------------------------------------------- */

/* A valve's end: PRV, PSV and FCV hold a head or a flow there. */
typedef enum role { PRV_UP, PRV_DOWN, PSV_UP, PSV_DOWN, FCV_UP, FCV_DOWN, N_ROLE } role;

typedef struct end {
    int32_t node, valve;
    role role;
} end;

static int compare_ends(const void *a, const void *b) {
    const end *x = a, *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    return x->valve != y->valve ? (x->valve < y->valve ? -1 : 1) : (int)x->role - (int)y->role;
}

/* EPANET's rules: what two valves may not do at one node. */
static const char *clash(role a, role b) {
    if ((a == PRV_DOWN && b == PRV_DOWN) || (a == PSV_UP && b == PSV_UP)) {
        return "both hold the pressure of";
    }
    if ((a == PRV_DOWN && b == PRV_UP) || (a == PRV_UP && b == PRV_DOWN) || (a == PSV_DOWN && b == PSV_UP) ||
        (a == PSV_UP && b == PSV_DOWN)) {
        return "are in series without a pipe between them at";
    }
    if ((a == PSV_UP && b == PRV_DOWN) || (a == PRV_DOWN && b == PSV_UP)) {
        return "both hold the pressure of";
    }
    if ((a == PSV_UP && b == FCV_DOWN) || (a == FCV_DOWN && b == PSV_UP) || (a == PRV_DOWN && b == FCV_UP) ||
        (a == FCV_UP && b == PRV_DOWN)) {
        return "ask for a pressure and a flow at";
    }
    return NULL;
}

static void check_fixed_end(sl_validation *v, int32_t link, int32_t node, int32_t tok) {
    const sl_network *net = v->net;
    if (node >= net->n_junction) {
        sl_validate_report(v, SL_ERROR, SL_CODE_VALVE_PLACE, "valve", sl_network_link_id(net, link),
                           net->link_line[link], tok, "put a junction and a short pipe between them",
                           "a %s must not stand next to the %s %s",
                           sl_valve_words[net->valve_kind[link - net->n_pipe - net->n_pump]],
                           sl_node_kind_words[sl_network_node_kind(net, node)], sl_network_node_id(net, node));
    }
}

static void report_clash(sl_validation *v, const end *a, const end *b, const char *how) {
    const sl_network *net = v->net;
    sl_validate_report(v, SL_ERROR, SL_CODE_VALVE_PLACE, "valve", sl_network_link_id(net, b->valve),
                       net->link_line[b->valve], 4, "put a junction and a pipe between them",
                       "it and valve %s %s node %s", sl_network_link_id(net, a->valve), how,
                       sl_network_node_id(net, b->node));
}

/* Ends are sorted by node: each is held against the last one of every role at its node. */
static void check_clashes(sl_validation *v, const end *e, int32_t n) {
    int32_t last[N_ROLE];
    for (int32_t i = 0; i < n; i++) {
        const char *how = NULL;
        for (int k = 0; k < N_ROLE; k++) {
            if (i == 0 || e[i - 1].node != e[i].node) {
                last[k] = -1;
            }
            const char *fault = last[k] >= 0 && e[last[k]].valve != e[i].valve ? clash((role)k, e[i].role) : NULL;
            if (fault && !how) { /* one report for a valve is enough */
                how = fault;
                report_clash(v, &e[last[k]], &e[i], how);
            }
        }
        last[e[i].role] = i;
    }
}

static void check_placement(sl_validation *v) {
    const sl_network *net = v->net;
    sl_context *ctx = v->spec->ctx;
    if (!net->n_valve) {
        return;
    }
    size_t bytes = 2 * (size_t)net->n_valve * sizeof(end);
    end *e = sl_alloc(ctx, bytes);
    if (!e) {
        v->oom = true;
        return;
    }
    int32_t n = 0;
    for (int32_t i = 0; i < net->n_valve; i++) {
        int32_t link = net->n_pipe + net->n_pump + i;
        int kind = net->valve_kind[i];
        if (kind == SL_PRV || kind == SL_PSV || kind == SL_FCV) {
            role up = kind == SL_PRV ? PRV_UP : kind == SL_PSV ? PSV_UP : FCV_UP;
            e[n++] = (end){net->link_from[link], link, up};
            e[n++] = (end){net->link_to[link], link, (role)(up + 1)};
            check_fixed_end(v, link, net->link_from[link], 1);
            check_fixed_end(v, link, net->link_to[link], 2);
        }
    }
    qsort(e, (size_t)n, sizeof *e, compare_ends);
    check_clashes(v, e, n);
    sl_free(ctx, e, bytes);
}

void sl_validate_graph(sl_validation *v) {
    check_self_loops(v);
    if (v->net->n_node > 0) {
        check_connections(v);
    }
    check_placement(v);
}
