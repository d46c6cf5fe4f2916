/* core.c: finds the trees, chains and core of a network; see core.h. */
#include "eps/core.h"

#include "eps/impl.h"

#include <string.h>

/* What a pipe is. */
enum { FIXED, SHUT, SINGLE, ISLAND };

typedef struct split {
    const sl_eps_model *m;
    const sl_network *net;
    sl_arena scratch;
    uint8_t *role;      /* [n_link] */
    uint8_t *required;  /* [n_node] stays in the core whatever hangs on it */
    uint8_t *gone;      /* [n_node] in a tree or on an island */
    uint8_t *walked;    /* [n_link] in a chain */
    int32_t *degree;    /* [n_node] fixed pipes that are left */
    int32_t *rest;      /* [n_node] the exclusive or of those pipes: of one pipe, itself */
    int32_t *up, *zone; /* [n_node] the lowest node of its zone; there: the zone's number, or -1 */
    /* Trees, leaves first. */
    int32_t n_zone, n_tree, *leaf, *stem; /* node, and the pipe it hangs on */
    /* Chains, one after the other. */
    int32_t n_chain, n_walked, *begin, *step; /* [n_chain + 1] first step of each; pipes, ~ against the chain */
    int32_t *first, *last;                    /* [n_chain] their nodes */
} split;

static void *room(sl_arena *arena, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static int32_t other_end(const sl_network *net, int32_t k, int32_t node) {
    return net->link_from[k] + net->link_to[k] - node;
}

/* ---- Roles -------------------------------------------------------------------------------------- */

static void find_roles(split *x, const uint8_t *switched) {
    const sl_network *net = x->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        bool at_tank = net->link_from[k] >= sl_first_tank(net) || net->link_to[k] >= sl_first_tank(net);
        bool plain = k < net->n_pipe && !net->pipe_check[k] && !at_tank && !(switched && switched[k]);
        x->role[k] = !plain ? SINGLE : net->link_status[k] == SL_CLOSED ? SHUT : FIXED;
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
        x->required[net->link_from[k]] |= x->role[k] == SINGLE;
        x->required[net->link_to[k]] |= x->role[k] == SINGLE;
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
    for (int32_t i = 0; i < net->n_node; i++) {
        x->up[i] = i;
        x->zone[i] = -1;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (x->role[k] == FIXED) {
            int32_t a = sl_eps_root(x->up, net->link_from[k]), b = sl_eps_root(x->up, net->link_to[k]);
            x->up[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        int32_t root = x->up[i] = x->up[x->up[i]]; /* what stands before i leads to its root by now */
        if (x->required[i] && x->zone[root] < 0) {
            x->zone[root] = x->n_zone++;
        }
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        x->gone[i] = x->zone[x->up[i]] < 0;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        int32_t from = net->link_from[k], to = net->link_to[k];
        if (x->role[k] != FIXED) {
            continue;
        }
        if (x->gone[from]) {
            x->role[k] = ISLAND;
            continue;
        }
        x->degree[from]++;
        x->degree[to]++;
        x->rest[from] ^= k;
        x->rest[to] ^= k;
    }
}

/* ---- Trees -------------------------------------------------------------------------------------- */

static void peel_trees(split *x) {
    for (int32_t i = 0; i < x->net->n_junction; i++) {
        for (int32_t at = i; x->degree[at] == 1 && !x->required[at];) {
            int32_t k = x->rest[at], up = other_end(x->net, k, at);
            x->gone[at] = 1;
            x->degree[at] = 0;
            x->degree[up]--;
            x->rest[up] ^= k;
            x->leaf[x->n_tree] = at;
            x->stem[x->n_tree++] = k;
            at = up;
        }
    }
}

/* ---- Chains ------------------------------------------------------------------------------------- */

static bool inside(const split *x, int32_t node) {
    return x->degree[node] == 2 && !x->required[node];
}

/* Follows the chain that leaves a core node by pipe k. False: it came back to where it began; then its last node is core
 * from now on and nothing was taken. */
static bool walk(split *x, int32_t from, int32_t k) {
    int32_t at = from, before = from, n = x->n_walked;
    for (;;) {
        x->step[n++] = x->net->link_from[k] == at ? k : ~k;
        before = at;
        at = other_end(x->net, k, at);
        if (!inside(x, at)) {
            break;
        }
        k ^= x->rest[at];
    }
    if (at == from) {
        x->required[before] = 1;
        return false;
    }
    for (int32_t i = x->n_walked; i < n; i++) {
        x->walked[x->step[i] < 0 ? ~x->step[i] : x->step[i]] = 1;
    }
    x->first[x->n_chain] = from;
    x->last[x->n_chain++] = at;
    x->begin[x->n_chain] = x->n_walked = n;
    return true;
}

static void walk_from(split *x, int32_t node) {
    for (int32_t a = x->m->at_start[node]; a < x->m->at_start[node + 1]; a++) {
        int32_t k = x->m->at_link[a];
        if (x->role[k] == FIXED && !x->gone[other_end(x->net, k, node)]) {
            while (!x->walked[k] && !walk(x, node, k)) {}
        }
    }
}

static void walk_chains(split *x) {
    for (int32_t i = 0; i < x->net->n_node; i++) {
        if (!x->gone[i] && !inside(x, i)) {
            walk_from(x, i);
        }
    }
    for (int32_t i = 0; i < x->net->n_junction; i++) { /* rings that no core node is part of */
        for (int32_t a = x->m->at_start[i]; inside(x, i) && a < x->m->at_start[i + 1]; a++) {
            int32_t k = x->m->at_link[a];
            if (x->role[k] == FIXED && !x->gone[other_end(x->net, k, i)] && !x->walked[k]) {
                x->required[i] = 1;
                walk_from(x, i);
            }
        }
    }
}

static bool find(split *x, const uint8_t *switched) {
    const sl_network *net = x->net;
    bool bad = false;
    sl_arena *s = &x->scratch;
    x->role = room(s, net->n_link, 1, &bad);
    x->required = room(s, net->n_node, 1, &bad);
    x->gone = room(s, net->n_node, 1, &bad);
    x->walked = room(s, net->n_link, 1, &bad);
    x->degree = room(s, net->n_node, sizeof(int32_t), &bad);
    x->rest = room(s, net->n_node, sizeof(int32_t), &bad);
    x->up = room(s, net->n_node, sizeof(int32_t), &bad);
    x->zone = room(s, net->n_node, sizeof(int32_t), &bad);
    x->leaf = room(s, net->n_junction, sizeof(int32_t), &bad);
    x->stem = room(s, net->n_junction, sizeof(int32_t), &bad);
    x->begin = room(s, (int64_t)net->n_pipe + 1, sizeof(int32_t), &bad);
    x->step = room(s, net->n_pipe, sizeof(int32_t), &bad);
    x->first = room(s, net->n_pipe, sizeof(int32_t), &bad);
    x->last = room(s, net->n_pipe, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    find_roles(x, switched);
    find_zones(x);
    peel_trees(x);
    walk_chains(x);
    return true;
}

/* ---- The arrays --------------------------------------------------------------------------------- */

static bool number_unknowns(sl_eps_core *c, const split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    c->unknown = room(&c->arena, net->n_node, sizeof(int32_t), &bad);
    c->tank_unknown = room(&c->arena, net->n_tank, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        bool reservoir = i >= net->n_junction && i < sl_first_tank(net);
        c->unknown[i] = x->gone[i] || inside(x, i) || reservoir ? -1 : c->n_unknown++;
    }
    c->given = c->n_unknown++;
    for (int32_t i = net->n_junction; i < sl_first_tank(net); i++) {
        c->unknown[i] = c->given;
    }
    c->node = room(&c->arena, c->n_unknown, sizeof(int32_t), &bad);
    return !bad;
}

/* Chains by their length, in the order in which they were found; their rows. */
static bool take_chains(sl_eps_core *c, const split *x, int32_t longest, int32_t *place) {
    bool bad = false;
    for (int32_t length = 1; length <= longest; length++) {
        c->n_group += place[length] > 0;
    }
    c->group = room(&c->arena, c->n_group, sizeof *c->group, &bad);
    if (bad) {
        return false;
    }
    int32_t chain = 0, row = 0, g = 0;
    for (int32_t length = 1; length <= longest; length++) {
        if (place[length] > 0) {
            c->group[g] = (sl_eps_group){.length = length, .chain = chain, .n = place[length], .row = row};
            chain += place[length];
            row += place[length] * length;
            place[length] = g++;
        }
    }
    int32_t *taken = room((sl_arena *)&x->scratch, c->n_group, sizeof *taken, &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < x->n_chain; i++) {
        int32_t g_of = place[x->begin[i + 1] - x->begin[i]], j = taken[g_of]++, at = x->first[i];
        const sl_eps_group *group = &c->group[g_of];
        c->from[group->chain + j] = x->first[i];
        c->to[group->chain + j] = x->last[i];
        for (int32_t t = 0; t < group->length; t++) {
            int32_t r = group->row + t * group->n + j, step = x->step[x->begin[i] + t];
            at = other_end(x->net, step < 0 ? ~step : step, at);
            c->pipe[r] = step;
            c->inner[r] = at;
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
    int32_t *place =
        room(&x->scratch, (int64_t)longest + 1, sizeof *place, &bad); /* chains of each length; its group */
    for (int32_t k = 0; k < net->n_link; k++) {
        c->n_single += x->role[k] == SINGLE;
    }
    c->n_chain = x->n_chain;
    c->n_branch = c->n_chain + c->n_single;
    c->n_chain_row = x->n_walked;
    c->n_row = x->n_walked + x->n_tree;
    c->from = room(&c->arena, c->n_branch, sizeof(int32_t), &bad);
    c->to = room(&c->arena, c->n_branch, sizeof(int32_t), &bad);
    c->single = room(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->branch_of = room(&c->arena, net->n_link, sizeof(int32_t), &bad);
    c->pipe = room(&c->arena, c->n_row, sizeof(int32_t), &bad);
    c->inner = room(&c->arena, c->n_row, sizeof(int32_t), &bad);
    c->parent = room(&c->arena, x->n_tree, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < x->n_chain; i++) {
        place[x->begin[i + 1] - x->begin[i]]++;
    }
    int32_t b = c->n_chain;
    for (int32_t k = 0; k < net->n_link; k++) {
        c->branch_of[k] = -1;
        if (x->role[k] == SINGLE) {
            c->single[b - c->n_chain] = k;
            c->from[b] = net->link_from[k];
            c->to[b] = net->link_to[k];
            c->branch_of[k] = b++;
        }
    }
    for (int32_t t = 0; t < x->n_tree; t++) { /* leaves first become parents first */
        int32_t r = c->n_row - 1 - t, k = x->stem[t], leaf = x->leaf[t];
        c->inner[r] = leaf;
        c->parent[r - c->n_chain_row] = other_end(net, k, leaf);
        c->pipe[r] = net->link_to[k] == leaf ? k : ~k;
    }
    return take_chains(c, x, longest, place);
}

static sl_status make_matrix(sl_eps_core *c, split *x) {
    bool bad = false;
    int32_t *from = room(&x->scratch, c->n_branch, sizeof *from, &bad),
            *to = room(&x->scratch, c->n_branch, sizeof *to, &bad),
            *order = room(&x->scratch, c->n_unknown, sizeof *order, &bad),
            *now = room(&x->scratch, c->n_unknown, sizeof *now, &bad);
    c->slot = room(&c->arena, c->n_branch, sizeof *c->slot, &bad);
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
    for (int32_t k = 0; k < c->n_unknown; k++) {
        now[order[k]] = k;
    }
    c->given = now[c->given];
    c->node[c->given] = 0;
    for (int32_t i = 0; i < x->net->n_node; i++) {
        if (c->unknown[i] >= 0) {
            c->unknown[i] = now[c->unknown[i]];
            c->node[c->unknown[i]] = c->unknown[i] == c->given ? 0 : i;
        }
    }
    for (int32_t i = 0; i < x->net->n_tank; i++) {
        c->tank_unknown[i] = c->unknown[sl_first_tank(x->net) + i];
    }
    return SL_OK;
}

/* ---- Zones and islands -------------------------------------------------------------------------- */

static bool make_zones(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    int32_t n_source = net->n_reservoir + net->n_tank;
    c->n_zone = x->n_zone;
    c->zone_from = room(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->zone_to = room(&c->arena, c->n_single, sizeof(int32_t), &bad);
    c->zone_start = room(&c->arena, (int64_t)c->n_zone + 2, sizeof(int32_t), &bad);
    c->zone_node = room(&c->arena, net->n_junction, sizeof(int32_t), &bad);
    c->source_zone = room(&c->arena, n_source, sizeof(int32_t), &bad);
    c->held_zone = room(&c->arena, x->m->n_regulator, sizeof(int32_t), &bad);
    c->far_zone = room(&c->arena, x->m->n_regulator, sizeof(int32_t), &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < c->n_single; i++) {
        c->zone_from[i] = x->zone[x->up[net->link_from[c->single[i]]]];
        c->zone_to[i] = x->zone[x->up[net->link_to[c->single[i]]]];
    }
    for (int32_t i = 0; i < n_source; i++) {
        c->source_zone[i] = x->zone[x->up[net->n_junction + i]];
    }
    for (int32_t r = 0; r < x->m->n_regulator; r++) {
        int32_t i = c->branch_of[x->m->regulator[r]] - c->n_chain;
        bool reducing = sl_valve_kind_of(net, x->m->regulator[r]) == SL_PRV;
        c->held_zone[r] = reducing ? c->zone_to[i] : c->zone_from[i];
        c->far_zone[r] = reducing ? c->zone_from[i] : c->zone_to[i];
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        int32_t zone = x->zone[x->up[i]]; /* -1: an island, counted where nobody looks */
        c->zone_start[zone + 2] += zone >= 0;
    }
    for (int32_t z = 0; z < c->n_zone; z++) {
        c->zone_start[z + 2] += c->zone_start[z + 1];
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        int32_t zone = x->zone[x->up[i]];
        if (zone >= 0) {
            c->zone_node[c->zone_start[zone + 1]++] = i;
        }
    }
    return true;
}

static bool make_islands(sl_eps_core *c, split *x) {
    const sl_network *net = x->net;
    bool bad = false;
    for (int pass = 0; pass < 2; pass++) {
        int32_t n = 0, part = 0;
        for (int32_t i = 0; i < net->n_junction; i++) {
            int32_t root = x->up[i];
            if (x->zone[root] >= 0) {
                continue;
            }
            if (pass) {
                part += root == i; /* the lowest node is the root; degrees are no longer needed */
                x->degree[root] = root == i ? part : x->degree[root];
                c->island_node[n] = i;
                c->island_part[n] = x->degree[root];
            }
            n++;
        }
        c->n_island_node = n;
        n = 0;
        for (int32_t k = 0; k < net->n_pipe; k++) {
            if (x->role[k] == ISLAND) {
                if (pass) {
                    c->island_pipe[n] = k;
                }
                n++;
            }
        }
        c->n_island_pipe = n;
        if (!pass) {
            c->island_node = room(&c->arena, c->n_island_node, sizeof(int32_t), &bad);
            c->island_part = room(&c->arena, c->n_island_node, sizeof(int32_t), &bad);
            c->island_pipe = room(&c->arena, c->n_island_pipe, sizeof(int32_t), &bad);
            if (bad) {
                return false;
            }
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
