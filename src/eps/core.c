/* SPDX-License-Identifier: MIT */
/* core.c: finds the trees, chains and core of a network; see core.h. */
#include "eps/core.h"

#include "eps/impl.h"
#include "network/components.h"

#include "laws/valve.h"

#include <string.h>

/* What a pipe is. */
enum { FIXED, SHUT, SINGLE, ISLAND, TAKEN }; /* TAKEN: fixed, and in a tree or chain by now */

/* degree says all of a node: how many fixed pipes are left; INNER also of what is in a tree or on an island. With CORE it
 * stays in the core whatever hangs on it. One number, as it cannot be guessed: a branch less. */
enum { INNER = 2, CORE = 1 << 30 };

typedef struct split {
    const sl_eps_model *m;
    const sl_network *net;
    sl_arena scratch;
    uint8_t *role;          /* [n_link] */
    uint8_t *required;      /* [n_node] must be core */
    int32_t *degree;        /* [n_node] */
    int32_t *rest;          /* [n_node] the exclusive or of the pipes that are left: of one pipe, itself */
    int32_t *up, *zone;     /* [n_node] the lowest node of its zone; there: the zone's number, or -1 */
    int32_t *zone_of;       /* [n_node] that number */
    int32_t n_zone, n_left; /* n_left: fixed pipes that are not on islands */
    int32_t n_island_node, n_island_pipe;
    int32_t n_single, *single; /* links */
    /* Trees, leaves first. */
    int32_t n_tree, *leaf, *stem; /* node, and the pipe it hangs on */
    /* Chains, one after the other. */
    int32_t n_chain, n_walked, *begin; /* [n_chain + 1] first step of each */
    int32_t *step, *to;                /* pipe, ~ against the chain, and the node where it leads */
    int32_t *first;                    /* [n_chain] where they begin */
    int32_t *node;                     /* of each unknown */
} split;

static void *alloc_array(sl_arena *arena, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static int32_t other_end(const sl_network *net, int32_t k, int32_t node) {
    return net->link_from[k] + net->link_to[k] - node;
}

/* ---- Roles -------------------------------------------------------------------------------------- */

/* A position control valve whose setting shuts it. */
static bool starts_shut(const sl_network *net, int32_t k) {
    int32_t i = k - net->n_pipe - net->n_pump;
    return net->link_status[k] == SL_ACTIVE && sl_valve_is_shut(net, i, net->valve_minor[i], net->valve_setting[i]);
}

static void find_roles(split *x, const uint8_t *switched) {
    const sl_network *net = x->net;
    uint8_t *role = x->role;
#pragma omp simd
    for (int32_t k = 0; k < net->n_link; k++) {
        role[k] = net->link_status[k] == SL_CLOSED ? SHUT : FIXED;
    }
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        int kind = sl_valve_kind_of(net, k);
        bool law = kind == SL_TCV || (kind == SL_PCV && !starts_shut(net, k));
        x->role[k] = law ? x->role[k] : SINGLE;
    }
    for (int32_t i = 0; i < x->m->n_watched; i++) { /* check valves, and links at tanks */
        x->role[x->m->watched[i]] = SINGLE;
    }
    for (int32_t k = 0; switched && k < net->n_link; k++) {
        x->role[k] = switched[k] ? SINGLE : x->role[k];
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        x->role[net->controls[i].link] = SINGLE;
        if (net->controls[i].node >= 0) {
            x->required[net->controls[i].node] = 1;
        }
    }
    for (int32_t i = 0; i < net->n_action; i++) {
        x->role[net->actions[i].link] = SINGLE;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        if (x->role[k] == SINGLE) {
            x->single[x->n_single++] = k;
            x->required[net->link_from[k]] = x->required[net->link_to[k]] = 1;
        }
    }
    for (int32_t i = net->n_junction; i < net->n_node; i++) {
        x->required[i] = 1;
    }
    for (int32_t o = 0; o < x->m->n_outlet; o++) {
        x->required[x->m->outlet_node[o]] = 1;
    }
}

/* ---- Zones -------------------------------------------------------------------------------------- */

/* What fixed pipes join. A zone in which no node has to be core, because of a source, a single link or an outlet, is an
 * island, unless only a control looks at it. */
static void find_zones(split *x) {
    const sl_network *net = x->net;
    int32_t *up = x->up, *zone = x->zone;
#pragma omp simd
    for (int32_t i = 0; i < net->n_node; i++) {
        up[i] = i;
        zone[i] = -1;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        if (x->role[k] == FIXED) {
            (void)sl_components_join(up, net->link_from[k], net->link_to[k]);
        }
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        int32_t root = x->up[i] = x->up[x->up[i]]; /* what stands before i leads to its root by now */
        if (x->required[i] && x->zone[root] < 0) {
            x->zone[root] = x->n_zone++;
        }
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        bool island = (x->zone_of[i] = x->zone[x->up[i]]) < 0;
        x->n_island_node += island;
        x->degree[i] = island ? INNER : x->required[i] * CORE;
    }
}

static void count_pipes(split *x) {
    const sl_network *net = x->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t from = net->link_from[k], to = net->link_to[k];
        if (x->role[k] != FIXED) {
            continue;
        }
        if (x->zone_of[from] < 0) {
            x->role[k] = ISLAND;
            x->n_island_pipe++;
            continue;
        }
        x->n_left++;
        x->degree[from]++;
        x->degree[to]++;
        x->rest[from] ^= k;
        x->rest[to] ^= k;
    }
}

/* ---- Trees -------------------------------------------------------------------------------------- */

static void peel_trees(split *x) {
    for (int32_t i = 0; i < x->net->n_junction; i++) {
        for (int32_t at = i; x->degree[at] == 1;) {
            int32_t k = x->rest[at], up = other_end(x->net, k, at);
            x->role[k] = TAKEN;
            x->degree[at] = INNER;
            x->degree[up]--;
            x->rest[up] ^= k;
            x->leaf[x->n_tree] = at;
            x->stem[x->n_tree++] = k;
            at = up;
        }
    }
}

/* ---- Chains ------------------------------------------------------------------------------------- */

/* Follows the chain that leaves a core node by pipe k. False: it came back to where it began; then its last node is core
 * from now on and nothing was taken. */
static bool walk(split *x, int32_t from, int32_t k) {
    int32_t at = from, n = x->n_walked;
    for (;;) {
        int32_t a = x->net->link_from[k], b = x->net->link_to[k];
        x->step[n] = a == at ? k : ~k;
        x->role[k] = TAKEN;
        at = a + b - at;
        x->to[n++] = at;
        if (x->degree[at] != INNER) {
            break;
        }
        k ^= x->rest[at];
    }
    if (at == from) {
        x->degree[x->to[n - 2]] |= CORE;
        for (int32_t i = x->n_walked; i < n; i++) {
            x->role[x->step[i] < 0 ? ~x->step[i] : x->step[i]] = FIXED;
        }
        return false;
    }
    x->first[x->n_chain++] = from;
    x->begin[x->n_chain] = x->n_walked = n;
    return true;
}

/* Chains in the order of their first pipes at a core node: what is solved side by side then stands side by side in the
 * network, too. Most chains are one pipe, and run its way. */
static void walk_chains(split *x) {
    const sl_network *net = x->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t from = net->link_from[k], at = x->degree[from] != INNER ? from : net->link_to[k];
        while (x->role[k] == FIXED && x->degree[at] != INNER && !walk(x, at, k)) {}
    }
    for (int32_t k = 0; x->n_tree + x->n_walked < x->n_left; k++) { /* rings that no core node is part of */
        if (x->role[k] == FIXED) {
            x->degree[net->link_from[k]] |= CORE;
            while (x->role[k] == FIXED && !walk(x, net->link_from[k], k)) {}
        }
    }
}

static bool find(split *x, const uint8_t *switched) {
    const sl_network *net = x->net;
    bool bad = false;
    sl_arena *s = &x->scratch;
    x->role = alloc_array(s, net->n_link, 1, &bad);
    x->required = alloc_array(s, net->n_node, 1, &bad);
    int32_t **of_nodes[] = {&x->degree, &x->rest, &x->up, &x->zone, &x->zone_of};
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++) {
        *of_nodes[i] = alloc_array(s, net->n_node, sizeof(int32_t), &bad);
    }
    x->single = alloc_array(s, net->n_link, sizeof(int32_t), &bad);
    x->leaf = alloc_array(s, net->n_junction, sizeof(int32_t), &bad);
    x->stem = alloc_array(s, net->n_junction, sizeof(int32_t), &bad);
    x->begin = alloc_array(s, (int64_t)net->n_link + 1, sizeof(int32_t), &bad);
    x->step = alloc_array(s, net->n_link, sizeof(int32_t), &bad);
    x->to = alloc_array(s, net->n_link, sizeof(int32_t), &bad);
    x->first = alloc_array(s, net->n_link, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    find_roles(x, switched);
    find_zones(x);
    count_pipes(x);
    peel_trees(x);
    walk_chains(x);
    return true;
}

/* ---- The arrays --------------------------------------------------------------------------------- */

/* Unknowns in the order of their nodes, which make_matrix changes into that of their elimination; at the end the one that stands
 * for what is given. */
static bool number_unknowns(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    c->unknown = alloc_array(&c->arena, net->n_node, sizeof(int32_t), &bad);
    c->tank_unknown = alloc_array(&c->arena, net->n_tank, sizeof(int32_t), &bad);
    x->node = alloc_array(&x->scratch, (int64_t)net->n_node + 1, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    int32_t n = 0, first_tank = sl_first_tank(net);
    for (int32_t i = 0; i < net->n_node; i++) {
        bool core = (x->degree[i] != INNER) & ((i < net->n_junction) | (i >= first_tank));
        c->unknown[i] = core ? n : -1;
        x->node[n] = i;
        n += core;
    }
    c->given = n;
    x->node[n] = 0;
    c->n_unknown = n + 1;
    for (int32_t i = net->n_junction; i < first_tank; i++) {
        c->unknown[i] = c->given;
    }
    return true;
}

/* Rows of valves, whose law is another one. */
static bool find_valve_rows(sl_eps_core *c, const sl_network *net) {
    bool bad = false;
    c->valve_row = alloc_array(&c->arena, net->n_valve, sizeof *c->valve_row, &bad);
    for (int32_t r = 0; !bad && net->n_valve > 0 && r < c->n_row; r++) {
        if ((c->pipe[r] < 0 ? ~c->pipe[r] : c->pipe[r]) >= net->n_pipe) {
            c->valve_row[c->n_valve_row++] = r;
            c->n_chain_valve += r < c->n_chain_row;
        }
    }
    return !bad;
}

/* Chains by their length, in the order in which they were found; their rows. */
static bool take_chains(sl_eps_core *c, const split *x, int32_t longest, int32_t *place) {
    bool bad = false;
    c->n_level = longest;
    c->level = alloc_array(&c->arena, (int64_t)longest + 2, sizeof *c->level, &bad);
    c->length = alloc_array(&c->arena, c->n_chain, sizeof *c->length, &bad);
    c->last = alloc_array(&c->arena, c->n_chain, sizeof *c->last, &bad);
    if (bad) {
        return false;
    }
    int32_t chain = 0, row = 0;
    for (int32_t t = 0; t < longest; t++) {
        int32_t n = place[t + 1];
        c->level[t] = (sl_eps_level){.chain = chain, .row = row};
        row += c->n_chain - chain;
        place[t + 1] = chain; /* where those of this length begin */
        chain += n;
    }
    c->level[longest] = c->level[longest + 1] = (sl_eps_level){.chain = chain, .row = row};
    for (int32_t i = 0; i < x->n_chain; i++) {
        int32_t begin = x->begin[i], end = x->begin[i + 1], b = place[end - begin]++;
        c->from[b] = x->first[i];
        c->to[b] = x->to[end - 1];
        c->length[b] = end - begin;
        c->last[b] = x->step[end - 1];
        for (int32_t t = begin; t < end; t++) {
            const sl_eps_level *level = c->level + (t - begin);
            int32_t r = level->row + b - level->chain;
            c->pipe[r] = x->step[t];
            c->inner[r] = x->to[t];
        }
    }
    return true;
}

static bool make_branches(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    int32_t longest = 0;
    for (int32_t i = 0; i < x->n_chain; i++) {
        int32_t length = x->begin[i + 1] - x->begin[i];
        longest = length > longest ? length : longest;
    }
    int32_t *place = alloc_array(&x->scratch, (int64_t)longest + 1, sizeof *place,
                                 &bad); /* chains of each length; where they begin */
    c->n_single = x->n_single;
    c->n_chain = x->n_chain;
    c->n_branch = c->n_chain + c->n_single;
    c->n_chain_row = x->n_walked;
    c->n_row = x->n_walked + x->n_tree;
    c->from = alloc_array(&c->arena, c->n_branch, sizeof(int32_t), &bad);
    c->to = alloc_array(&c->arena, c->n_branch, sizeof(int32_t), &bad);
    c->single = alloc_array(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->branch_of = alloc_array(&c->arena, net->n_link, sizeof(int32_t), &bad);
    c->pipe = alloc_array(&c->arena, c->n_row, sizeof(int32_t), &bad);
    c->inner = alloc_array(&c->arena, c->n_row, sizeof(int32_t), &bad);
    c->parent = alloc_array(&c->arena, x->n_tree, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < x->n_chain; i++) {
        place[x->begin[i + 1] - x->begin[i]]++;
    }
    memset(c->branch_of, -1, (size_t)net->n_link * sizeof *c->branch_of);
    for (int32_t i = 0, b = c->n_chain; i < c->n_single; i++, b++) {
        int32_t k = c->single[i] = x->single[i];
        c->from[b] = net->link_from[k];
        c->to[b] = net->link_to[k];
        c->branch_of[k] = b;
    }
    for (int32_t t = 0; t < x->n_tree; t++) { /* leaves first become parents first */
        int32_t r = c->n_row - 1 - t, k = x->stem[t], leaf = x->leaf[t];
        c->inner[r] = leaf;
        c->parent[r - c->n_chain_row] = other_end(net, k, leaf);
        c->pipe[r] = net->link_to[k] == leaf ? k : ~k;
    }
    return take_chains(c, x, longest, place) && find_valve_rows(c, net);
}

static sl_status make_matrix(sl_eps_core *c, split *x) {
    bool bad = false;
    int32_t *from = alloc_array(&x->scratch, c->n_branch, sizeof *from, &bad),
            *to = alloc_array(&x->scratch, c->n_branch, sizeof *to, &bad),
            *order = alloc_array(&x->scratch, c->n_unknown, sizeof *order, &bad);
    c->slot = alloc_array(&c->arena, c->n_branch, sizeof *c->slot, &bad);
    c->u = alloc_array(&c->arena, c->n_branch, sizeof *c->u, &bad);
    c->v = alloc_array(&c->arena, c->n_branch, sizeof *c->v, &bad);
    c->feed = alloc_array(&c->arena, c->n_branch, sizeof *c->feed, &bad);
    c->node = alloc_array(&c->arena, c->n_unknown, sizeof *c->node, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t b = 0; b < c->n_branch; b++) {
        int32_t u = c->unknown[c->from[b]], v = c->unknown[c->to[b]];
        from[b] = u != c->given ? u : -1;
        to[b] = v != c->given ? v : -1;
    }
    sl_status status = sl_ldl_create(c->ctx, c->n_unknown, c->n_branch, from, to, &c->ldl);
    if (status != SL_OK) {
        return status;
    }
    memcpy(c->slot, sl_ldl_slots(c->ldl), (size_t)c->n_branch * sizeof *c->slot);
    sl_ldl_take_order(c->ldl, order);
    int32_t given = c->given;
    for (int32_t k = 0; k < c->n_unknown; k++) {
        int32_t node = c->node[k] = x->node[order[k]];
        if (order[k] == given) {
            c->given = k;
        } else {
            c->unknown[node] = k;
        }
    }
    for (int32_t i = x->net->n_junction; i < sl_first_tank(x->net); i++) {
        c->unknown[i] = c->given;
    }
    for (int32_t i = 0; i < x->net->n_tank; i++) {
        c->tank_unknown[i] = c->unknown[sl_first_tank(x->net) + i];
    }
    for (int32_t b = 0; b < c->n_branch; b++) {
        c->u[b] = c->unknown[c->from[b]];
        c->v[b] = c->unknown[c->to[b]];
        c->feed[c->n_feed] = b;
        c->n_feed += (c->from[b] >= x->net->n_junction) != (c->to[b] >= x->net->n_junction);
    }
    return SL_OK;
}

/* ---- Zones and islands -------------------------------------------------------------------------- */

static bool make_zones(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    int32_t n_source = net->n_reservoir + net->n_tank;
    c->n_zone = x->n_zone;
    c->zone_from = alloc_array(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->zone_to = alloc_array(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->zone_start = alloc_array(&c->arena, (int64_t)c->n_zone + 2, sizeof(int32_t), &bad);
    c->zone_node = alloc_array(&c->arena, net->n_junction, sizeof(int32_t), &bad);
    c->source_zone = alloc_array(&c->arena, n_source, sizeof(int32_t), &bad);
    c->held_zone = alloc_array(&c->arena, x->m->n_regulator, sizeof(int32_t), &bad);
    c->far_zone = alloc_array(&c->arena, x->m->n_regulator, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < c->n_single; i++) {
        c->zone_from[i] = x->zone_of[net->link_from[c->single[i]]];
        c->zone_to[i] = x->zone_of[net->link_to[c->single[i]]];
    }
    for (int32_t i = 0; i < n_source; i++) {
        c->source_zone[i] = x->zone_of[net->n_junction + i];
    }
    for (int32_t r = 0; r < x->m->n_regulator; r++) {
        int32_t i = c->branch_of[x->m->regulator[r]] - c->n_chain;
        bool reducing = sl_valve_kind_of(net, x->m->regulator[r]) == SL_PRV;
        c->held_zone[r] = reducing ? c->zone_to[i] : c->zone_from[i];
        c->far_zone[r] = reducing ? c->zone_from[i] : c->zone_to[i];
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        int32_t zone = x->zone_of[i]; /* -1: an island, counted where nobody looks */
        c->zone_start[zone + 2] += zone >= 0;
    }
    for (int32_t z = 0; z < c->n_zone; z++) {
        c->zone_start[z + 2] += c->zone_start[z + 1];
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        int32_t zone = x->zone_of[i];
        if (zone >= 0) {
            c->zone_node[c->zone_start[zone + 1]++] = i;
        }
    }
    return true;
}

static bool make_islands(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    if (x->n_island_node == 0) {
        return true;
    }
    c->island_node = alloc_array(&c->arena, x->n_island_node, sizeof(int32_t), &bad);
    c->island_label = alloc_array(&c->arena, x->n_island_node, sizeof(int32_t), &bad);
    c->island_pipe = alloc_array(&c->arena, x->n_island_pipe, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0, part = 0; i < net->n_junction; i++) {
        int32_t root = x->up[i];
        if (x->zone_of[i] < 0) {
            part += root == i; /* the lowest node is the root; degrees are no longer needed */
            x->degree[root] = root == i ? part : x->degree[root];
            c->island_node[c->n_island_node] = i;
            c->island_label[c->n_island_node++] = x->degree[root];
        }
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        if (x->role[k] == ISLAND) {
            c->island_pipe[c->n_island_pipe++] = k;
        }
    }
    return true;
}

sl_status sl_eps_core_create(const sl_eps_model *m, const uint8_t *switched, sl_eps_core **out) {
    *out = NULL;
    sl_eps_core *c = sl_alloc(m->ctx, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    c->ctx = m->ctx;
    sl_arena_init(&c->arena, m->ctx);
    split x = {.m = m, .net = m->net};
    sl_arena_init(&x.scratch, m->ctx);
    sl_status status = SL_ERR_MEMORY;
    if (find(&x, switched) && number_unknowns(c, &x) && make_branches(c, &x) && make_zones(c, &x) &&
        make_islands(c, &x)) {
        status = make_matrix(c, &x);
    }
    status = status == SL_OK ? sl_eps_core_reach(c, m, &x.scratch) : status;
    sl_arena_fini(&x.scratch);
    if (status != SL_OK) {
        sl_eps_core_destroy(c);
        return status;
    }
    *out = c;
    return SL_OK;
}

void sl_eps_core_destroy(sl_eps_core *c) {
    if (c) {
        sl_ldl_destroy(c->ldl);
        sl_arena_fini(&c->arena);
        sl_free(c->ctx, c, sizeof *c);
    }
}
