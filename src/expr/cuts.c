/* SPDX-License-Identifier: MIT */
/* cuts.c: see cuts.h. */
#include "expr/cuts.h"

#include "base/memory.h"
#include "base/out.h"
#include "expr/impl.h"

#include <math.h>
#include <string.h>

void sl_cuts_init(sl_cuts *p, sl_context *ctx, sl_exprs *g) {
    *p = (sl_cuts){.ctx = ctx, .g = g};
}

void sl_cuts_set_only_time(sl_cuts *p, bool only_time) {
    p->n_memo = p->only_time == only_time ? p->n_memo : 0;
    p->only_time = only_time;
}

void sl_cuts_fini(sl_cuts *p) {
    SL_ARRAY_FINI(p->ctx, p);
    SL_ARRAY_FINI(p->ctx, &p->of_parameter);
    SL_ARRAY_FINI(p->ctx, &p->of_variable);
    sl_free(p->ctx, p->memo, (size_t)p->cap_memo * sizeof *p->memo);
    p->memo = NULL;
    p->n_memo = p->cap_memo = 0;
}

/* ---- Making cuts ------------------------------------------------------------------------------ */

static sl_expr plus(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_ADD, a, b);
}
static sl_expr times(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_MUL, a, b);
}

enum { HOLDS_TIME = 1, HOLDS_X = 2, HOLDS_DX = 4 };

static sl_status find_leaves(sl_cuts *p, sl_expr e, unsigned *holds) {
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(p->g, 1, &e, &leaves);
    *holds = 0;
    for (int64_t k = 0; k < leaves.n; k++) {
        sl_op op = sl_node_op(p->g, leaves.at[k]);
        bool dx = op == SL_OP_VARIABLE && sl_expr_order(p->g, leaves.at[k]) > 0;
        *holds |= op == SL_OP_TIME ? HOLDS_TIME : op == SL_OP_VARIABLE ? dx ? HOLDS_DX : HOLDS_X : 0;
    }
    sl_expr_list_fini(p->g, &leaves);
    return status;
}

/* Parameters for a cut, which nobody can name: the words are reserved. */
static sl_expr add_parameter(sl_cuts *p, int32_t cut, int32_t i, unsigned flags, sl_status *status) {
    char name[48];
    sl_expr e = SL_EXPR_NONE;
    int n = sl_format(name, sizeof name, "if[%d,%d]", (int)cut, (int)i);
    if (*status == SL_OK) {
        *status = sl_expr_declare_parameter(p->g, (sl_str){name, (size_t)n}, flags, NULL, NULL, &e);
    }
    while (*status == SL_OK && p->of_parameter.n < sl_exprs_n_parameter(p->g)) {
        bool own = p->of_parameter.n + 1 == sl_exprs_n_parameter(p->g);
        *status = SL_PUSH(p->ctx, &p->of_parameter, own ? cut : -1) ? SL_OK : SL_ERR_MEMORY;
    }
    return e;
}

/* Makes the value at rest an unknown. rest: the parameter that says so. */
static void allow_rest(sl_cuts *p, sl_cut *cut, sl_expr rest, sl_expr limit, sl_status *status) {
    sl_exprs *g = p->g;
    char name[48];
    sl_expr unknown = SL_EXPR_NONE;
    int n = sl_format(name, sizeof name, "sign[%d]", (int)(cut - p->at));
    if (*status == SL_OK) {
        *status = sl_expr_declare_variable(g, (sl_str){name, (size_t)n}, 0, NULL, NULL, &unknown);
    }
    if (*status != SL_OK) {
        return;
    }
    sl_expr one = sl_expr_const(g, 1.0), low = cut->kind == SL_CUT_SIGN ? plus(g, unknown, limit) : unknown;
    while (p->of_variable.n <= sl_expr_symbol(g, unknown)) {
        bool own = p->of_variable.n == sl_expr_symbol(g, unknown);
        if (!SL_PUSH(p->ctx, &p->of_variable, own ? (int32_t)(cut - p->at) : -1)) {
            *status = SL_ERR_MEMORY;
            return;
        }
    }
    cut->rest = sl_expr_symbol(g, rest);
    cut->unknown = sl_expr_symbol(g, unknown);
    cut->limit = limit;
    cut->at_rest = sl_expr_diff_time(g, cut->argument);
    cut->roots[0] = sl_expr_3(g, SL_OP_IF, rest, low, cut->argument);
    cut->roots[1] = sl_expr_3(g, SL_OP_IF, rest, sl_expr_minus(g, limit, unknown), one);
    cut->n_root = 2;
}

static sl_cut new_cut(sl_cut_kind kind, sl_expr of, sl_expr argument) {
    return (sl_cut){.kind = kind,
                    .of = of,
                    .argument = argument,
                    .parameter = -1,
                    .rest = -1,
                    .table = -1,
                    .unknown = -1,
                    .limit = SL_EXPR_NONE,
                    .at_rest = SL_EXPR_NONE,
                    .n_root = 1,
                    .roots = {argument, SL_EXPR_NONE}};
}

/* Adds a cut of the node, with parameters; false in *any: the argument never changes, and nothing is cut. */
static sl_status add_cut(sl_cuts *p, sl_cut cut, int32_t n_parameter, unsigned flags, sl_expr *parameters, bool *any) {
    unsigned holds;
    sl_status status = cut.argument >= 0 ? find_leaves(p, cut.argument, &holds) : SL_ERR_MEMORY;
    *any = status == SL_OK && holds != 0 && (!p->only_time || holds == HOLDS_TIME);
    if (!*any) {
        return status;
    }
    cut.of_time = holds == HOLDS_TIME;
    cut.holds_dx = holds & HOLDS_DX;
    for (int32_t i = 0; i < n_parameter; i++) {
        parameters[i] = add_parameter(p, (int32_t)p->n, i, i == 0 ? flags : 0, &status);
    }
    cut.parameter = status == SL_OK ? sl_expr_symbol(p->g, parameters[0]) : -1;
    return status == SL_OK && !SL_PUSH(p->ctx, p, cut) ? SL_ERR_MEMORY : status;
}

static sl_status raw(sl_cuts *p, sl_expr e, int32_t n, const sl_expr *args, sl_expr *out) {
    const sl_node *node = sl_node_at(p->g, e);
    bool table = node->op == SL_OP_TABLE || node->op == SL_OP_SLOPE;
    *out = table ? sl_expr_table(p->g, node->symbol, node->op == SL_OP_SLOPE, args[0])
                 : sl_expr_make(p->g, (sl_op)node->op, n, args);
    return *out >= 0 ? SL_OK : SL_ERR_MEMORY;
}

/* 1 where the argument is above zero, as a parameter. */
static sl_status add_side(sl_cuts *p, sl_expr of, sl_expr argument, bool at_zero, sl_expr *side, bool *any) {
    sl_cut cut = new_cut(SL_CUT_SIDE, of, argument);
    sl_op op = sl_node_op(p->g, of);
    cut.at_zero = at_zero;
    cut.is_continuous = op == SL_OP_ABS || op == SL_OP_MIN || op == SL_OP_MAX;
    return add_cut(p, cut, 1, SL_SYMBOL_BOOLEAN, side, any);
}

static sl_status split_comparison(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    bool any;
    sl_status status =
        add_side(p, e, sl_expr_minus(p->g, args[1], args[0]), sl_node_op(p->g, e) == SL_OP_LE, out, &any);
    return status == SL_OK && !any ? raw(p, e, 2, args, out) : status;
}

static sl_status split_abs(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    bool any;
    sl_expr side;
    sl_status status = add_side(p, e, args[0], true, &side, &any);
    if (status == SL_OK && any) {
        *out = sl_expr_3(p->g, SL_OP_IF, side, args[0], sl_expr_1(p->g, SL_OP_NEG, args[0]));
        return SL_OK;
    }
    return status == SL_OK ? raw(p, e, 1, args, out) : status;
}

/* min and max of n arguments: that of the first half against that of the second, so that what a cut compares is as short as can be. */
static sl_status split_extreme(sl_cuts *p, sl_expr e, int32_t n, const sl_expr *args, sl_expr *out) {
    bool least = sl_node_op(p->g, e) == SL_OP_MIN, any;
    int32_t half = n - n / 2;
    sl_expr first, second, side;
    if (n == 1) {
        *out = args[0];
        return SL_OK;
    }
    sl_status status = split_extreme(p, e, half, args, &first);
    status = status == SL_OK ? split_extreme(p, e, n - half, args + half, &second) : status;
    if (status == SL_OK) {
        sl_expr better = least ? sl_expr_minus(p->g, first, second) : sl_expr_minus(p->g, second, first);
        status = add_side(p, e, better, false, &side, &any);
    }
    if (status == SL_OK) {
        *out =
            any ? sl_expr_3(p->g, SL_OP_IF, side, second, first) : sl_expr_2(p->g, sl_node_op(p->g, e), first, second);
    }
    return status;
}

/* sign(v), stick(v, limit) */
static sl_status split_sign(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    sl_exprs *g = p->g;
    bool any, stick = sl_node_op(g, e) == SL_OP_STICK;
    sl_expr q[2];
    sl_status status = add_cut(p, new_cut(SL_CUT_SIGN, e, args[0]), 2, 0, q, &any);
    if (status != SL_OK || !any) {
        return status == SL_OK ? raw(p, e, stick ? 2 : 1, args, out) : status;
    }
    sl_cut *cut = &p->at[p->n - 1];
    *out = q[0];
    if (!cut->of_time && !cut->holds_dx) {
        allow_rest(p, cut, q[1], stick ? args[1] : sl_expr_const(g, 1.0), &status);
        *out = status == SL_OK ? sl_expr_variable(g, cut->unknown, 0) : SL_EXPR_NONE;
    }
    return status;
}

/* floor(a) and what is made of it */
static sl_status split_floor(sl_cuts *p, sl_expr e, sl_expr argument, sl_expr *whole, bool *any) {
    sl_exprs *g = p->g;
    sl_expr q;
    sl_status status = add_cut(p, new_cut(SL_CUT_WHOLE, e, argument), 1, 0, &q, any);
    if (status == SL_OK && *any) {
        sl_cut *cut = &p->at[p->n - 1];
        cut->roots[0] = sl_expr_minus(g, argument, q);
        cut->roots[1] = sl_expr_minus(g, plus(g, q, sl_expr_const(g, 1.0)), argument);
        cut->n_root = 2;
        *whole = q;
    }
    return status;
}

static sl_status split_round(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    sl_exprs *g = p->g;
    sl_op op = sl_node_op(g, e);
    bool any = false;
    sl_expr q = SL_EXPR_NONE;
    sl_expr argument = op == SL_OP_FLOOR  ? args[0]
                       : op == SL_OP_CEIL ? sl_expr_1(g, SL_OP_NEG, args[0])
                                          : sl_expr_2(g, SL_OP_DIV, args[0], args[1]);
    sl_status status = split_floor(p, e, argument, &q, &any);
    if (status != SL_OK || !any) {
        return status == SL_OK ? raw(p, e, op == SL_OP_MOD ? 2 : 1, args, out) : status;
    }
    *out = op == SL_OP_FLOOR  ? q
           : op == SL_OP_CEIL ? sl_expr_1(g, SL_OP_NEG, q)
                              : sl_expr_minus(g, args[0], times(g, args[1], q));
    return SL_OK;
}

/* A cubic table is smooth as far as its points reach: its argument is kept within them where it is constant beyond. */
static sl_status split_cubic(sl_cuts *p, sl_expr e, sl_expr argument, sl_expr *out) {
    sl_exprs *g = p->g;
    int32_t table = sl_node_at(g, e)->symbol;
    const sl_lookup_table t = g->tables.at[table];
    bool slope = sl_node_op(g, e) == SL_OP_SLOPE, any[2] = {false, false};
    sl_expr x = argument, side[2] = {SL_EXPR_NONE, SL_EXPR_NONE};
    sl_status status = SL_OK;
    for (int i = 0; i < 2 && t.beyond != SL_TABLE_EXTEND && status == SL_OK; i++) {
        sl_expr end = sl_expr_const(g, t.x[i == 0 ? 0 : t.n - 1]);
        sl_expr beyond = i == 0 ? sl_expr_minus(g, end, argument) : sl_expr_minus(g, argument, end);
        status = add_side(p, e, beyond, false, &side[i], &any[i]);
        if (status == SL_OK && any[i]) {
            p->at[p->n - 1].table = table;
            p->at[p->n - 1].is_continuous = !slope;
            x = sl_expr_3(g, SL_OP_IF, side[i], end, x);
        }
    }
    *out = status == SL_OK ? sl_expr_table(g, table, slope, x) : SL_EXPR_NONE;
    for (int i = 0; i < 2 && slope && any[i]; i++) {
        *out = sl_expr_3(g, SL_OP_IF, side[i], sl_expr_const(g, 0.0), *out);
    }
    return status == SL_OK && *out < 0 ? SL_ERR_MEMORY : status;
}

/* The line of a part: parameters x0, c0, c1; then where the part begins and ends. */
static sl_status split_table(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    enum { N = SL_CUT_PARAMETERS };
    sl_exprs *g = p->g;
    int32_t table = sl_node_at(g, e)->symbol;
    bool slope = sl_node_op(g, e) == SL_OP_SLOPE, any;
    const sl_lookup_table *t = &g->tables.at[table];
    if (t->kind == SL_TABLE_CUBIC) {
        return split_cubic(p, e, args[0], out);
    }
    sl_expr q[N];
    sl_cut cut = new_cut(SL_CUT_TABLE, e, args[0]);
    cut.table = table;
    cut.is_continuous = !slope && t->kind != SL_TABLE_HOLD;
    sl_status status = add_cut(p, cut, N, 0, q, &any);
    if (status != SL_OK || !any) {
        return status == SL_OK ? raw(p, e, 1, args, out) : status;
    }
    p->at[p->n - 1].roots[0] = sl_expr_minus(g, args[0], q[3]);
    p->at[p->n - 1].roots[1] = sl_expr_minus(g, q[4], args[0]);
    p->at[p->n - 1].n_root = 2;
    sl_expr line = plus(g, q[1], times(g, sl_expr_minus(g, args[0], q[0]), q[2]));
    *out = slope ? q[2] : t->kind == SL_TABLE_HOLD ? q[1] : line;
    return *out >= 0 ? SL_OK : SL_ERR_MEMORY;
}

/* if(a < b, u, v) that may slide: the mean of both sides while it does. */
static sl_status split_choice(sl_cuts *p, sl_expr e, const sl_expr *args, sl_expr *out) {
    sl_exprs *g = p->g;
    sl_op op = sl_node_op(g, sl_node_args(g, e)[0]);
    sl_status status = SL_OK;
    sl_expr then = args[1], otherwise = args[2];
    *out = sl_expr_make(g, SL_OP_IF, 3, args);
    int32_t k = *out >= 0 ? sl_cuts_of_leaf(p, args[0]) : -1;
    if (!p->slide || (op != SL_OP_LT && op != SL_OP_LE) || k < 0 || p->at[k].of_time || p->at[k].holds_dx) {
        return *out >= 0 ? SL_OK : SL_ERR_MEMORY;
    }
    if (p->at[k].unknown < 0) {
        sl_expr rest = add_parameter(p, k, 1, SL_SYMBOL_BOOLEAN, &status);
        allow_rest(p, &p->at[k], rest, sl_expr_const(g, 1.0), &status);
    }
    if (status == SL_OK) {
        sl_expr share = sl_expr_variable(g, p->at[k].unknown, 0);
        sl_expr mean = plus(g, otherwise, times(g, share, sl_expr_minus(g, then, otherwise)));
        *out = sl_expr_3(g, SL_OP_IF, sl_expr_parameter(g, p->at[k].rest), mean, *out);
        status = *out >= 0 ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

/* What is below has no kinks, or none that count. */
static bool is_opaque(const sl_exprs *g, sl_expr e) {
    const sl_node *node = sl_node_at(g, e);
    return node->op == SL_OP_SMOOTH || (node->op == SL_OP_CALL && sl_calls[node->symbol].is_smooth);
}

static sl_status split_node(sl_cuts *p, sl_expr e, int32_t n, const sl_expr *args, sl_expr *out) {
    switch ((int)sl_node_op(p->g, e)) {
    case SL_OP_LT:
    case SL_OP_LE: return split_comparison(p, e, args, out);
    case SL_OP_ABS: return split_abs(p, e, args, out);
    case SL_OP_SIGN:
    case SL_OP_STICK: return split_sign(p, e, args, out);
    case SL_OP_MIN:
    case SL_OP_MAX: return split_extreme(p, e, n, args, out);
    case SL_OP_FLOOR:
    case SL_OP_CEIL:
    case SL_OP_MOD: return split_round(p, e, args, out);
    case SL_OP_TABLE:
    case SL_OP_SLOPE: return split_table(p, e, args, out);
    case SL_OP_IF: return split_choice(p, e, args, out);
    case SL_OP_SMOOTH: *out = sl_node_args(p->g, e)[0]; return SL_OK;
    case SL_OP_CALL: *out = is_opaque(p->g, e) ? sl_node_args(p->g, e)[0] : args[0]; return SL_OK;
    default: return raw(p, e, n, args, out);
    }
}

static bool is_cut(sl_op op) {
    return op == SL_OP_LT || op == SL_OP_LE || op == SL_OP_ABS || op == SL_OP_SIGN || op == SL_OP_STICK ||
           op == SL_OP_MIN || op == SL_OP_MAX || op == SL_OP_FLOOR || op == SL_OP_CEIL || op == SL_OP_MOD ||
           op == SL_OP_TABLE || op == SL_OP_SLOPE || op == SL_OP_SMOOTH || op == SL_OP_CALL;
}

/* Room to remember what the nodes that there are have become. */
static bool reserve_memo(sl_cuts *p) {
    int64_t n = p->g->nodes.n;
    if (!sl_array_reserve(p->ctx, (void **)&p->memo, &p->cap_memo, n, sizeof *p->memo)) {
        return false;
    }
    for (; p->n_memo < n; p->n_memo++) {
        p->memo[p->n_memo] = SL_EXPR_NONE;
    }
    return true;
}

/* The nodes of a walk that count: ascending, those below what is opaque left out. False: memory. */
static bool keep_visible(sl_exprs *g, sl_expr_list *list) {
    size_t bytes = (size_t)list->n + 1;
    bool *seen = sl_alloc(g->ctx, bytes);
    int64_t kept = list->n;
    if (!seen) {
        return false;
    }
    seen[list->n > 0 ? list->n - 1 : 0] = true;
    for (int64_t k = list->n - 1; k >= 0; k--) {
        sl_expr e = list->at[k];
        for (int32_t i = 0, n = seen[k] && !is_opaque(g, e) ? sl_node_n_read(sl_node_at(g, e)) : 0; i < n; i++) {
            seen[g->walk.place[sl_node_args(g, e)[i]]] = true;
        }
        if (seen[k]) {
            list->at[--kept] = e;
        }
    }
    for (int64_t k = kept; k < list->n; k++) {
        list->at[k - kept] = list->at[k];
    }
    list->n -= kept;
    sl_free(g->ctx, seen, bytes);
    return true;
}

bool sl_expr_has_kinks(sl_exprs *g, sl_expr e) {
    sl_expr_list list = {0};
    bool any = sl_expr_below(g, 1, &e, &list) != SL_OK || !keep_visible(g, &list);
    for (int64_t k = 0; k < list.n && !any; k++) {
        any = (is_cut(sl_node_op(g, list.at[k])) && !is_opaque(g, list.at[k])) || sl_node_op(g, list.at[k]) == SL_OP_IF;
    }
    sl_expr_list_fini(g, &list);
    return any;
}

sl_status sl_cuts_split(sl_cuts *p, sl_expr e, sl_expr *out) {
    sl_exprs *g = p->g;
    sl_expr_list list = {0};
    SL_ARRAY(sl_expr) args = {0};
    bool any = false;
    *out = e;
    sl_status status = sl_expr_below(g, 1, &e, &list);
    for (int64_t k = 0; k < list.n && status == SL_OK && !any; k++) {
        any = is_cut(sl_node_op(g, list.at[k]));
    }
    status = status == SL_OK && any && !keep_visible(g, &list) ? SL_ERR_MEMORY : status;
    status = status == SL_OK && any && !reserve_memo(p) ? SL_ERR_MEMORY : status;
    for (int64_t k = 0; k < list.n && status == SL_OK && any; k++) {
        sl_expr at = list.at[k], to = at;
        int32_t n = sl_node_at(g, at)->n;
        if (p->memo[at] >= 0) {
            continue;
        }
        bool changed = is_cut(sl_node_op(g, at)) || (p->slide && sl_node_op(g, at) == SL_OP_IF);
        args.n = 0;
        for (int32_t i = 0; i < n && status == SL_OK; i++) {
            sl_expr old = sl_node_args(g, at)[i];
            changed = changed || p->memo[old] != old;
            status = SL_PUSH(p->ctx, &args, p->memo[old]) ? SL_OK : SL_ERR_MEMORY;
        }
        if (status == SL_OK && n > 0 && changed) {
            status = split_node(p, at, n, args.at, &to);
        }
        status = status == SL_OK && to < 0 ? SL_ERR_MEMORY : status;
        if (status == SL_OK) {
            p->memo[at] = to;
        }
    }
    if (status == SL_OK && any) {
        *out = p->memo[e];
    }
    SL_ARRAY_FINI(p->ctx, &args);
    sl_expr_list_fini(g, &list);
    return status;
}

int32_t sl_cuts_of_leaf(const sl_cuts *p, sl_expr leaf) {
    int32_t symbol = sl_node_at(p->g, leaf)->symbol;
    if (sl_node_op(p->g, leaf) == SL_OP_PARAMETER) {
        return symbol < p->of_parameter.n ? p->of_parameter.at[symbol] : -1;
    }
    if (sl_node_op(p->g, leaf) == SL_OP_VARIABLE) {
        return symbol < p->of_variable.n ? p->of_variable.at[symbol] : -1;
    }
    return -1;
}

/* ---- States ------------------------------------------------------------------------------------- */

/* Between two numbers of a rising row: where v is, going in the direction of slope from one of them. */
static double whole_state(double v, double slope, double near) {
    double k = round(v), state = fabs(v - k) <= near && slope != 0.0 ? k - (slope < 0.0) : floor(v);
    return fmin(fmax(state, -0x1p52), 0x1p52);
}

static double table_state(const sl_lookup_table *t, double v, double slope, double near) {
    int32_t i = sl_points_find(t->n, t->x, v);
    if (slope > 0.0 && i + 1 < t->n && t->x[i + 1] - v <= near) {
        return i + 1;
    }
    return slope < 0.0 && i >= 0 && v - t->x[i] <= near ? i - 1 : i;
}

double sl_cut_state(const sl_exprs *g, const sl_cut *cut, double v, double slope, double near) {
    double side = fabs(v) > near ? v : slope;
    switch (cut->kind) {
    case SL_CUT_SIDE: return side > 0.0 ? 1.0 : side < 0.0 ? 0.0 : cut->at_zero;
    case SL_CUT_SIGN: return (double)(side > 0.0) - (double)(side < 0.0);
    case SL_CUT_WHOLE: return whole_state(v, slope, near);
    default: return table_state(&g->tables.at[cut->table], v, slope, near);
    }
}

double sl_cut_next(const sl_exprs *g, const sl_cut *cut, int32_t root, bool up, double now) {
    double low = cut->kind == SL_CUT_SIGN ? -1.0 : 0.0;
    if (cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN) {
        bool rises = now == SL_CUT_HELD ? root == 1 : up;
        return now == SL_CUT_HELD && up ? now : rises ? 1.0 : low;
    }
    double last = cut->kind == SL_CUT_TABLE ? g->tables.at[cut->table].n - 1 : 0x1p52;
    double next = up ? now : root == 0 ? now - 1.0 : now + 1.0;
    return fmin(fmax(next, cut->kind == SL_CUT_TABLE ? -1.0 : -0x1p52), last);
}

bool sl_cut_state_is_valid(const sl_exprs *g, const sl_cut *cut, double state) {
    bool rest = state == SL_CUT_HELD && cut->unknown >= 0;
    switch (cut->kind) {
    case SL_CUT_SIDE: return rest || state == 0.0 || state == 1.0;
    case SL_CUT_SIGN: return rest || state == 0.0 || fabs(state) == 1.0;
    case SL_CUT_WHOLE: return state == floor(state) && fabs(state) <= 0x1p52;
    default: return state == floor(state) && state >= -1.0 && state < g->tables.at[cut->table].n;
    }
}

double sl_cut_known(const sl_cut *cut, double state) {
    (void)cut;
    return state == SL_CUT_HELD ? 0.0 : state;
}

void sl_cut_apply(const sl_exprs *g, const sl_cut *cut, double state, double *parameters) {
    double *to = parameters + cut->parameter;
    if (cut->rest >= 0) {
        parameters[cut->rest] = state == SL_CUT_HELD;
    }
    if (cut->kind != SL_CUT_TABLE) {
        to[0] = cut->kind != SL_CUT_WHOLE && state == SL_CUT_HELD ? 0.0 : state;
        return;
    }
    const sl_lookup_table *t = &g->tables.at[cut->table];
    int32_t i = (int32_t)state;
    double c[5];
    sl_table_segment(t, i, c);
    memcpy(to, c, 3 * sizeof *c);
    to[3] = i >= 0 ? t->x[i] : -1e300;
    to[4] = i + 1 < t->n ? t->x[i + 1] : 1e300;
}

bool sl_cut_is_outside(const sl_exprs *g, const sl_cut *cut, double state) {
    const sl_lookup_table *t = cut->table >= 0 ? &g->tables.at[cut->table] : NULL;
    if (!t || t->beyond != SL_TABLE_WARN || t->n < 2) {
        return false;
    }
    return cut->kind == SL_CUT_SIDE ? state == 1.0 : state < 0.0 || state >= t->n - 1;
}
