/* SPDX-License-Identifier: MIT */
/* search.c: see search.h. */
#include "automata/search.h"

#include <math.h>

#include "base/context.h"

void sl_search_init(sl_search *s, const sl_sda *a, int64_t most_cases) {
    *s = (sl_search){.a = a, .most_cases = most_cases, .work_left = INT64_MAX};
    sl_intervals_init(&s->ranges, a->g, sl_exprs_walk(a->g));
}
void sl_search_fini(sl_search *s) {
    sl_context *ctx = s->a->ctx;
    sl_intervals_fini(&s->ranges);
    SL_ARRAY_FINI(ctx, &s->order);
    SL_ARRAY_FINI(ctx, &s->value);
    SL_ARRAY_FINI(ctx, &s->uses);
    SL_ARRAY_FINI(ctx, &s->witness);
}

/* The variable of a leaf, or -1: t, which is never tried. */
static int32_t variable_of(const sl_search *s, int64_t leaf) {
    sl_expr e = s->ranges.leaves.at[leaf];
    return sl_expr_op(s->a->g, e) == SL_OP_VARIABLE ? sl_sda_variable_of(s->a, sl_expr_symbol(s->a->g, e)) : -1;
}
static bool is_derivative(const sl_search *s, int64_t leaf) {
    return sl_expr_order(s->a->g, s->ranges.leaves.at[leaf]) > 0;
}
static int32_t least_of(const sl_search *s, int64_t leaf) {
    return is_derivative(s, leaf) ? 1 - s->a->variables.at[variable_of(s, leaf)].n : 0;
}
static int32_t most_of(const sl_search *s, int64_t leaf) {
    return s->a->variables.at[variable_of(s, leaf)].n - 1;
}
static void open_leaf(sl_search *s, int64_t leaf) {
    if (variable_of(s, leaf) >= 0) {
        sl_intervals_set(&s->ranges, leaf, least_of(s, leaf), most_of(s, leaf));
    } else {
        sl_intervals_set(&s->ranges, leaf, 0.0, INFINITY);
    }
}

/* Leaves in the order of trying: those with most users first. */
static bool put_in_order(sl_search *s) {
    sl_context *ctx = s->a->ctx;
    sl_intervals *r = &s->ranges;
    int64_t n = r->leaves.n;
    s->order.n = 0;
    if (!SL_RESERVE(ctx, &s->order, n) || !SL_RESERVE(ctx, &s->value, n) || !SL_RESERVE(ctx, &s->uses, r->nodes.n)) {
        return false;
    }
    for (int64_t k = 0; k < r->nodes.n; k++) {
        s->uses.at[k] = 0;
        int32_t first = r->first_arg[k], n_arg = sl_expr_n_arg(s->a->g, r->nodes.at[k]);
        for (int32_t i = 0; i < n_arg; i++) {
            s->uses.at[r->args[first + i]]++;
        }
    }
    for (int64_t leaf = 0; leaf < n; leaf++) {
        open_leaf(s, leaf);
        if (variable_of(s, leaf) < 0) {
            continue;
        }
        int64_t k = s->order.n++;
        for (; k > 0 && s->uses.at[r->leaf_place[s->order.at[k - 1]]] < s->uses.at[r->leaf_place[leaf]]; k--) {
            s->order.at[k] = s->order.at[k - 1];
        }
        s->order.at[k] = (int32_t)leaf;
    }
    return true;
}

static sl_search_result answer_yes(sl_search *s, int64_t n_tried) {
    for (int64_t k = 0; k < n_tried; k++) {
        int32_t leaf = s->order.at[k];
        if (!is_derivative(s, leaf) &&
            !SL_PUSH(s->a->ctx, &s->witness, ((sl_assignment){variable_of(s, leaf), s->value.at[k]}))) {
            return SL_SEARCH_OUT_OF_MEMORY;
        }
    }
    return SL_SEARCH_YES;
}

static void try_value(sl_search *s, int64_t depth, int32_t value) {
    s->value.at[depth] = value;
    sl_intervals_set(&s->ranges, s->order.at[depth], value, value);
}

sl_search_result sl_search_ask(sl_search *s, sl_expr condition) {
    sl_exprs *g = s->a->g;
    s->witness.n = 0;
    condition = sl_expr_simplify(g, condition);
    if (condition < 0) {
        return SL_SEARCH_OUT_OF_MEMORY;
    }
    if (sl_expr_op(g, condition) == SL_OP_CONST) {
        return sl_expr_value(g, condition) != 0.0 ? SL_SEARCH_YES : SL_SEARCH_NO;
    }
    if (sl_intervals_open(&s->ranges, condition) != SL_OK || !put_in_order(s)) {
        return SL_SEARCH_OUT_OF_MEMORY;
    }
    int64_t depth = -1, cases = 0;
    for (;;) {
        sl_interval range = sl_intervals_eval(&s->ranges);
        s->n_case++;
        if (sl_interval_is_true(range)) {
            return answer_yes(s, depth + 1);
        }
        bool open = !sl_interval_is_false(range);
        s->work_left -= s->ranges.nodes.n;
        if (cases % 1024 == 0 && !sl_progress_report(s->a->ctx, "checking", 0.0, 0.0)) {
            s->cancelled = true;
            s->work_left = 0;
        }
        if (++cases > s->most_cases || s->work_left <= 0 || (open && depth + 1 == s->order.n)) {
            return SL_SEARCH_LIMIT;
        }
        if (open) {
            depth++;
            try_value(s, depth, least_of(s, s->order.at[depth]));
            continue;
        }
        while (depth >= 0 && s->value.at[depth] == most_of(s, s->order.at[depth])) {
            open_leaf(s, s->order.at[depth]);
            depth--;
        }
        if (depth < 0) {
            return SL_SEARCH_NO;
        }
        try_value(s, depth, s->value.at[depth] + 1);
    }
}
