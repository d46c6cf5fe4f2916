/* substitute.c: an expression rebuilt with some nodes replaced. */
#include "expr/impl.h"

/* The node with its arguments mapped; itself when none changes. */
static sl_expr rebuild(sl_exprs *g, sl_expr e, const sl_expr *map, sl_expr *args) {
    const sl_node *node = sl_node_at(g, e);
    bool changed = false;
    for (int32_t i = 0; i < node->n; i++) {
        sl_expr old = sl_node_args(g, e)[i];
        args[i] = map[g->place.at[old]];
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
    return sl_expr_make(g, (sl_op)node->op, node->n, args);
}

sl_expr sl_expr_substitute(sl_exprs *g, sl_expr e, int32_t n, const sl_expr *from, const sl_expr *to) {
    sl_expr_list list = {0};
    if (e < 0) {
        return e;
    }
    if (sl_expr_below(g, 1, &e, &list) != SL_OK) {
        sl_expr_list_fini(g, &list);
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    int64_t most = 1;
    for (int64_t k = 0; k < list.n; k++) {
        most = sl_node_at(g, list.at[k])->n > most ? sl_node_at(g, list.at[k])->n : most;
    }
    size_t size = (size_t)(list.n + most) * sizeof(sl_expr);
    sl_expr *map = sl_alloc(g->ctx, size), result = map ? SL_EXPR_NONE : sl_exprs_fail(g, SL_ERR_MEMORY);
    for (int64_t k = 0; map && k < list.n; k++) {
        map[k] = SL_EXPR_NONE;
    }
    uint32_t stamp = g->stamp;
    for (int32_t i = 0; map && i < n; i++) { /* of several replacements for one node the first counts */
        if (from[i] >= 0 && g->mark.at[from[i]] == stamp && map[g->place.at[from[i]]] == SL_EXPR_NONE) {
            map[g->place.at[from[i]]] = to[i];
        }
    }
    for (int64_t k = 0; map && k < list.n; k++) {
        if (map[k] == SL_EXPR_NONE) {
            map[k] = rebuild(g, list.at[k], map, map + list.n);
        }
        result = map[k];
    }
    sl_free(g->ctx, map, size);
    sl_expr_list_fini(g, &list);
    return result;
}
