/* SPDX-License-Identifier: MIT */
/* check_levels.c: what is known of variables that are levels of one quantity. With k levels passed or not there are k + 1 states of
 * them, not 2^k. In a question two variables at a time suffice: values that fit in pairs fit together, since the quantity is one
 * number (intervals of a line that meet in pairs have a point in common).
 */
#include <stdlib.h>

#include "automata/check_impl.h"

static int by_level(const void *a, const void *b) {
    const sl_check_level *x = a, *y = b;
    return x->quantity != y->quantity ? (x->quantity > y->quantity) - (x->quantity < y->quantity)
                                      : (x->level > y->level) - (x->level < y->level);
}

bool sl_checker_rank(sl_checker *c, sl_arena *arena) {
    int32_t n = c->def.n_level, rank = 0;
    size_t n_variable = (size_t)c->a->variables.n + 1;
    c->rank = sl_arena_alloc(arena, n_variable * sizeof *c->rank);
    c->n_rank = sl_arena_alloc(arena, ((size_t)n + 1) * sizeof *c->n_rank);
    sl_check_level *sorted = sl_arena_alloc(arena, ((size_t)n + 1) * sizeof *sorted);
    if (!c->rank || !c->n_rank || !sorted) {
        return false;
    }
    for (size_t v = 0; v < n_variable; v++) {
        c->rank[v].quantity = -1;
    }
    for (int32_t i = 0; i < n; i++) {
        sorted[i] = c->def.levels[i];
    }
    qsort(sorted, (size_t)n, sizeof *sorted, by_level);
    for (int32_t i = 0; i < n; i++) {
        bool next = i == 0 || sorted[i].quantity != sorted[i - 1].quantity;
        rank = next ? 1 : sorted[i].level > sorted[i - 1].level ? rank + 1 : rank;
        c->n_quantity += next;
        c->n_rank[c->n_quantity - 1] = rank;
        c->rank[sorted[i].variable] = (sl_check_rank){c->n_quantity - 1, rank, sorted[i].above};
    }
    return true;
}

/* The variable at a value, as a condition. */
static sl_expr has_value(sl_checker *c, int32_t variable, int32_t value) {
    sl_expr q = sl_expr_variable(c->a->g, c->a->variables.at[variable].graph, 0);
    return value ? q : sl_expr_1(c->a->g, SL_OP_NOT, q);
}

/* The condition without the pairs of values that two levels never have. */
static sl_expr exclude(sl_checker *c, sl_expr condition, int32_t v, int32_t w) {
    sl_exprs *g = c->a->g;
    const sl_check_rank *x = &c->rank[v], *y = &c->rank[w];
    for (int32_t k = 0; k < 4; k++) {
        bool possible = false;
        for (int32_t p = 0; p <= c->n_rank[x->quantity] && !possible; p++) {
            possible = sl_level_value(x, p) == k / 2 && sl_level_value(y, p) == k % 2;
        }
        if (!possible) {
            sl_expr both = sl_expr_2(g, SL_OP_AND, has_value(c, v, k / 2), has_value(c, w, k % 2));
            condition = sl_expr_2(g, SL_OP_AND, condition, sl_expr_1(g, SL_OP_NOT, both));
        }
    }
    return condition;
}

sl_expr sl_checker_with_levels(sl_checker *c, sl_expr condition, bool all) {
    const sl_sda *a = c->a;
    sl_expr_list leaves = {0};
    sl_int_array held = {0};
    bool good = condition >= 0;
    if (c->n_quantity == 0 || !good || sl_expr_op(a->g, condition) == SL_OP_CONST) {
        return condition;
    }
    good = sl_expr_leaves(a->g, 1, &condition, &leaves) == SL_OK;
    for (int64_t i = 0; good && i < leaves.n; i++) {
        bool variable = sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE && sl_expr_order(a->g, leaves.at[i]) == 0;
        int32_t v = variable ? sl_sda_variable_of(a, sl_expr_symbol(a->g, leaves.at[i])) : -1;
        good = v < 0 || c->rank[v].quantity < 0 || SL_PUSH(a->ctx, &held, v);
    }
    int64_t n_held = held.n;
    for (int32_t v = 0; good && all && v < a->variables.n; v++) {
        bool is_held = false, shares = false;
        for (int64_t i = 0; i < n_held && c->rank[v].quantity >= 0; i++) {
            is_held = is_held || held.at[i] == v;
            shares = shares || c->rank[held.at[i]].quantity == c->rank[v].quantity;
        }
        good = is_held || !shares || SL_PUSH(a->ctx, &held, v);
    }
    for (int64_t i = 0; good && i < held.n; i++) {
        for (int64_t k = 0; k < i; k++) {
            if (c->rank[held.at[i]].quantity == c->rank[held.at[k]].quantity) {
                condition = exclude(c, condition, held.at[k], held.at[i]);
            }
        }
    }
    sl_expr_list_fini(a->g, &leaves);
    SL_ARRAY_FINI(a->ctx, &held);
    return good ? condition : SL_EXPR_NONE;
}

void sl_checker_repair(const sl_checker *c, int32_t *q) {
    for (int32_t v = 0; v < c->a->variables.n; v++) {
        const sl_check_rank *x = &c->rank[v];
        for (int32_t w = 0; x->quantity >= 0 && w < v; w++) { /* as the first of them has it */
            if (c->rank[w].quantity == x->quantity) {
                q[v] = sl_level_value(x, sl_level_value(&c->rank[w], 0) == q[w] ? 0 : c->n_rank[x->quantity]);
                break;
            }
        }
    }
}
