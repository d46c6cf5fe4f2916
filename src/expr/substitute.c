/* SPDX-License-Identifier: MIT */
/* substitute.c: an expression rebuilt with some nodes replaced. */
#include "expr/impl.h"

/* The node with its arguments mapped; itself when none changes. */
static sl_expr rebuild(sl_exprs *g, sl_expr e, const sl_expr *map, sl_expr *args) {
    const sl_node *node = sl_node_at(g, e);
    bool changed = false;
    for (int32_t i = 0; i < node->n; i++) {
        sl_expr old = sl_node_args(g, e)[i];
        args[i] = map[g->walk.place[old]];
        if (args[i] < 0) {
            return SL_EXPR_NONE;
        }
        changed = changed || args[i] != old;
    }
    if (!changed) {
        return e;
    }
    if (node->op == SL_OP_TABLE || node->op == SL_OP_SLOPE) {
        return sl_expr_table(g, node->symbol, node->op == SL_OP_SLOPE, args[0]);
    }
    if (node->op == SL_OP_CALL) {
        return sl_expr_call(g, node->symbol, node->n, args);
    }
    return sl_expr_make(g, (sl_op)node->op, node->n, args);
}

sl_expr sl_expr_substitute(sl_exprs *g, sl_expr e, int32_t n, const sl_expr *from, const sl_expr *to) {
    sl_rewrite w;
    if (e < 0) {
        return e;
    }
    if (!sl_rewrite_begin(g, e, &w)) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    uint32_t stamp = g->walk.stamp;
    for (int32_t i = 0; i < n; i++) { /* of several replacements for one node the first counts */
        if (from[i] >= 0 && g->walk.mark[from[i]] == stamp && w.to[g->walk.place[from[i]]] == SL_EXPR_NONE) {
            w.to[g->walk.place[from[i]]] = to[i];
        }
    }
    for (int64_t k = 0; k < w.list.n; k++) {
        if (w.to[k] == SL_EXPR_NONE) {
            w.to[k] = rebuild(g, w.list.at[k], w.to, w.args);
        }
    }
    return sl_rewrite_end(g, &w);
}
