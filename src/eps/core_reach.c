/* SPDX-License-Identifier: MIT */
/* core_reach.c: what pressure valves and tanks reach in the factor; see core.h.
 *
 * The flows of active pressure valves and the stiffness of tanks are products with the factor along a few of its columns
 * (numeric/ldl.h, "Right sides with few entries"). Which columns is known from the pattern: they are listed here, once.
 */
#include "eps/core.h"
#include "eps/impl.h"

typedef struct lists {
    const sl_eps_model *m;
    const sl_network *net;
    sl_arena *scratch;
} lists;

static void *alloc_array(sl_arena *arena, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static int32_t beyond(const sl_network *net, int32_t k, int32_t node) {
    return net->link_from[k] + net->link_to[k] - node;
}

static int32_t held_node(const lists *x, int32_t k) {
    return sl_valve_kind_of(x->net, k) == SL_PRV ? x->net->link_to[k] : x->net->link_from[k];
}

/* The branches at each node that a pressure valve may hold. */
static bool list_held(sl_eps_core *c, const lists *x) {
    int32_t n_held = x->m->n_regulator;
    bool bad = false;
    c->held_start = alloc_array(&c->arena, (int64_t)n_held + 2, sizeof(int32_t), &bad);
    if (bad || n_held == 0) {
        return !bad;
    }
    int32_t *first = alloc_array(x->scratch, x->net->n_node, sizeof *first, &bad); /* regulators by node */
    int32_t *next = alloc_array(x->scratch, n_held, sizeof *next, &bad);
    int32_t *end = alloc_array(x->scratch, 2 * (int64_t)c->n_branch + 1, sizeof *end, &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < x->net->n_node; i++) {
        first[i] = -1;
    }
    for (int32_t r = n_held - 1; r >= 0; r--) {
        int32_t k = x->m->regulator[r];
        int32_t held = held_node(x, k);
        next[r] = first[held];
        first[held] = r;
    }
    int32_t n_end = 0; /* ends of branches at such nodes: few */
    for (int32_t b = 0; b < c->n_branch; b++) {
        end[n_end] = 2 * b;
        n_end += first[c->from[b]] >= 0;
        end[n_end] = 2 * b + 1;
        n_end += first[c->to[b]] >= 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < n_end; i++) {
            int32_t b = end[i] / 2;
            for (int32_t r = first[end[i] % 2 ? c->to[b] : c->from[b]]; r >= 0; r = next[r]) {
                if (pass) {
                    c->held_branch[c->held_start[r + 1]++] = b;
                } else {
                    c->held_start[r + 2]++;
                }
            }
        }
        for (int32_t r = 0; r < n_held && !pass; r++) {
            c->held_start[r + 2] += c->held_start[r + 1];
        }
        if (!pass) {
            c->held_branch = alloc_array(&c->arena, c->held_start[n_held + 1], sizeof(int32_t), &bad);
            if (bad) {
                return false;
            }
        }
    }
    return true;
}

/* The unknowns around the node that a regulator holds. */
static int32_t neighbours(const sl_eps_core *c, const lists *x, int32_t r, int32_t *list) {
    int32_t k = x->m->regulator[r], n = 0;
    int32_t held = held_node(x, k);
    for (int32_t a = c->held_start[r]; a < c->held_start[r + 1]; a++) {
        int32_t b = c->held_branch[a], u = c->unknown[c->from[b] + c->to[b] - held];
        if (b != c->branch_of[k] && u != c->given) {
            list[n++] = u;
        }
    }
    return n;
}

static int32_t far_unknown(const sl_eps_core *c, const lists *x, int32_t r) {
    int32_t k = x->m->regulator[r];
    return c->unknown[sl_valve_kind_of(x->net, k) == SL_PRV ? x->net->link_from[k] : x->net->link_to[k]];
}

static int32_t slot_in(const int32_t *column, int32_t n, int32_t wanted) {
    int32_t low = 0;
    while (low < n && column[low] != wanted) {
        low++;
    }
    return low;
}

static bool list_reach(sl_eps_core *c, const lists *x) {
    int32_t n_held = x->m->n_regulator;
    bool bad = false;
    if (n_held == 0 || n_held > SL_EPS_VALVE_MAX) {
        return true;
    }
    uint8_t *seen = alloc_array(x->scratch, c->n_unknown, 1, &bad);
    int32_t *list = alloc_array(x->scratch, c->held_start[n_held], sizeof *list, &bad);
    c->near_start = alloc_array(&c->arena, n_held + 1, sizeof(int32_t), &bad);
    int32_t *far_start = alloc_array(&c->arena, n_held + 1, sizeof(int32_t), &bad);
    for (int32_t r = 0; r < n_held && !bad; r++) {
        int32_t far = far_unknown(c, x, r);
        far_start[r + 1] = far_start[r] + (far != c->given ? sl_ldl_reach(c->ldl, 1, &far, seen, NULL) : 0);
        c->near_start[r + 1] = c->near_start[r] + sl_ldl_reach(c->ldl, neighbours(c, x, r, list), list, seen, NULL);
    }
    c->near_column = bad ? NULL : alloc_array(&c->arena, c->near_start[n_held], sizeof(int32_t), &bad);
    c->far_column = bad ? NULL : alloc_array(&c->arena, far_start[n_held], sizeof(int32_t), &bad);
    c->near_slot = alloc_array(&c->arena, c->held_start[n_held], sizeof(int32_t), &bad);
    for (int32_t r = 0; r < n_held && !bad; r++) {
        int32_t k = x->m->regulator[r], far = far_unknown(c, x, r), *near = c->near_column + c->near_start[r];
        int32_t held = held_node(x, k);
        if (far != c->given) {
            sl_ldl_reach(c->ldl, 1, &far, seen, c->far_column + far_start[r]);
        }
        int32_t n = sl_ldl_reach(c->ldl, neighbours(c, x, r, list), list, seen, near);
        for (int32_t a = c->held_start[r]; a < c->held_start[r + 1]; a++) {
            int32_t b = c->held_branch[a], u = c->unknown[c->from[b] + c->to[b] - held];
            bool counts = b != c->branch_of[k] && u != c->given;
            c->near_slot[a] = counts ? slot_in(near, n, sl_ldl_column(c->ldl, u)) : -1;
        }
    }
    c->far_start = far_start;
    return !bad;
}

static bool list_tanks(sl_eps_core *c, const lists *x) {
    const sl_network *net = x->net;
    const int32_t *at = x->m->at_start + sl_first_tank(net), first = at[0];
    bool bad = false;
    uint8_t *seen = alloc_array(x->scratch, c->n_unknown, 1, &bad);
    int32_t *list = alloc_array(x->scratch, at[net->n_tank] - first, sizeof *list, &bad);
    c->tank_slot = alloc_array(&c->arena, at[net->n_tank] - first, sizeof(int32_t), &bad);
    c->tank_start = alloc_array(&c->arena, (int64_t)net->n_tank + 1, sizeof(int32_t), &bad);
    for (int pass = 0; pass < 2 && !bad; pass++) {
        for (int32_t i = 0; i < net->n_tank; i++) {
            int32_t n = 0, *column = pass ? c->tank_column + c->tank_start[i] : NULL;
            for (int32_t a = at[i]; a < at[i + 1]; a++) {
                int32_t u = c->unknown[beyond(net, x->m->at_link[a], sl_first_tank(net) + i)];
                if (u != c->given) {
                    list[n++] = u;
                }
            }
            int32_t n_column = sl_ldl_reach(c->ldl, n, list, seen, column);
            if (!pass) {
                c->tank_start[i + 1] = c->tank_start[i] + n_column;
                c->longest_tank = n_column > c->longest_tank ? n_column : c->longest_tank;
                continue;
            }
            for (int32_t a = at[i]; a < at[i + 1]; a++) {
                int32_t u = c->unknown[beyond(net, x->m->at_link[a], sl_first_tank(net) + i)];
                c->tank_slot[a - first] = u != c->given ? slot_in(column, n_column, sl_ldl_column(c->ldl, u)) : -1;
            }
        }
        if (!pass) {
            c->tank_column = alloc_array(&c->arena, c->tank_start[net->n_tank], sizeof(int32_t), &bad);
        }
    }
    return !bad;
}

sl_status sl_eps_core_reach(sl_eps_core *c, const sl_eps_model *m, sl_arena *scratch) {
    lists x = {m, m->net, scratch};
    return list_held(c, &x) && list_reach(c, &x) && list_tanks(c, &x) ? SL_OK : SL_ERR_MEMORY;
}
