/* SPDX-License-Identifier: MIT */
/* sha_relay.c: two activities of which a root chooses one, as one equation with a choice, so that the motion can follow the line
 * between them where each leads back to the other (Filippov 1988).
 *
 * A pair is one activity in force while the variable is 1 and one while it is 0, whose guards hold nothing else, each with one and
 * the same derivative, which can be brought to one side: der(x) = f and der(x) = g become der(x) = if(0 <= root, f, g). A variable
 * is taken whose activities are such pairs only, and which one root alone decides, always.
 */
#include "automata/sha_impl.h"

/* 1: the guard is the variable, 0: its opposite, 2: it holds it otherwise, -1: it does not hold it. */
static int use_of(sl_sha *a, sl_expr guard, sl_expr variable, sl_status *status) {
    sl_exprs *g = a->g;
    if (guard == variable) {
        return 1;
    }
    if (sl_expr_op(g, guard) == SL_OP_NOT && sl_expr_args(g, guard)[0] == variable) {
        return 0;
    }
    sl_expr_list leaves = {0};
    int use = -1;
    *status = *status == SL_OK ? sl_expr_leaves(g, 1, &guard, &leaves) : *status;
    for (int64_t k = 0; k < leaves.n; k++) {
        use = leaves.at[k] == variable ? 2 : use;
    }
    sl_expr_list_fini(g, &leaves);
    return use;
}

/* The only derivative in a row, and the row with that on its own: der(x) - f. SL_EXPR_NONE: it has not that form. */
static sl_expr solved(sl_sha *a, sl_expr row, sl_expr *derivative, sl_status *status) {
    sl_exprs *g = a->g;
    sl_expr_list leaves = {0};
    int32_t n = 0;
    *derivative = SL_EXPR_NONE;
    *status = *status == SL_OK ? sl_expr_leaves(g, 1, &row, &leaves) : *status;
    for (int64_t k = 0; k < leaves.n; k++) {
        if (sl_expr_op(g, leaves.at[k]) == SL_OP_VARIABLE && sl_expr_order(g, leaves.at[k]) > 0) {
            *derivative = leaves.at[k];
            n++;
        }
    }
    sl_expr factor = n == 1 ? sl_expr_diff(g, row, *derivative) : SL_EXPR_NONE;
    bool linear = factor >= 0 && !sl_expr_is_const(g, factor, 0.0);
    leaves.n = 0;
    *status = *status == SL_OK && linear ? sl_expr_leaves(g, 1, &factor, &leaves) : *status;
    for (int64_t k = 0; k < leaves.n; k++) {
        linear = linear && leaves.at[k] != *derivative;
    }
    sl_expr_list_fini(g, &leaves);
    return !linear ? SL_EXPR_NONE : sl_expr_is_const(g, factor, 1.0) ? row : sl_expr_2(g, SL_OP_DIV, row, factor);
}

/* The root that alone decides variable j, whatever else holds; -1: there is none. */
static int32_t only_root(const sl_sha *a, int32_t j) {
    int32_t found = -1, n = 0;
    for (int32_t i = 0; i < a->parts[SL_SHA_ROOT].n; i++) {
        if (a->parts[SL_SHA_ROOT].at[i].variable == j) {
            n++;
            found = sl_expr_is_const(a->g, a->parts[SL_SHA_ROOT].at[i].guard, 1.0) ? i : -1;
        }
    }
    return n == 1 ? found : -1;
}

/* Pairs the activities that hold the variable: partner[i] of those in force at 1. False: there is one without. */
static bool pair(sl_sha *a, sl_expr variable, int32_t *partner, sl_expr *rows, sl_status *status) {
    int32_t n = (int32_t)a->parts[SL_SHA_ACTIVITY].n, left = 0;
    bool any = false;
    for (int32_t i = 0; i < n && *status == SL_OK; i++) {
        int use = use_of(a, a->parts[SL_SHA_ACTIVITY].at[i].guard, variable, status);
        partner[i] = -1;
        if (use == 2) {
            return false;
        }
        left += use == 0;
        if (use != 1) {
            continue;
        }
        sl_expr mine, other;
        rows[i] = solved(a, a->equations[0][i], &mine, status);
        for (int32_t k = 0; k < n && rows[i] >= 0 && partner[i] < 0; k++) {
            if (use_of(a, a->parts[SL_SHA_ACTIVITY].at[k].guard, variable, status) == 0) {
                rows[k] = solved(a, a->equations[0][k], &other, status);
                partner[i] = rows[k] >= 0 && other == mine ? k : -1;
            }
        }
        if (partner[i] < 0) {
            return false;
        }
        any = true;
        left--;
    }
    return any && left == 0;
}

sl_status sl_sha_merge_relays(sl_sha *a) {
    size_t n = (size_t)a->parts[SL_SHA_ACTIVITY].n;
    a->merged = sl_arena_alloc(&a->arena, n);
    int32_t *partner = sl_arena_alloc(&a->arena, n * sizeof *partner);
    sl_expr *rows = sl_arena_alloc(&a->arena, n * sizeof *rows), zero = sl_expr_const(a->g, 0.0);
    sl_status status = a->merged && partner && rows ? SL_OK : SL_ERR_MEMORY;
    for (int32_t j = 0; j < sl_sda_n_variable(a->discrete) && status == SL_OK; j++) {
        sl_expr variable = sl_expr_variable(a->g, sl_sda_graph_variable(a->discrete, j), 0);
        int32_t root = only_root(a, j);
        if (root < 0 || !pair(a, variable, partner, rows, &status) || status != SL_OK) {
            continue;
        }
        sl_expr above = sl_expr_2(a->g, SL_OP_LE, zero, a->parts[SL_SHA_ROOT].at[root].expr);
        for (size_t i = 0; i < n; i++) {
            if (partner[i] >= 0) {
                a->equations[0][i] = sl_expr_3(a->g, SL_OP_IF, above, rows[i], rows[partner[i]]);
                a->merged[i] = SHA_MERGED;
                a->merged[partner[i]] = SHA_REPLACED;
            }
        }
    }
    return status == SL_OK ? sl_exprs_status(a->g) : status;
}
