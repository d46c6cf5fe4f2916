/* SPDX-License-Identifier: MIT */
/* walk.c: the nodes below some roots, found without recursion and sorted: ascending numbers are an order of evaluation.
 * Cost: what is found, whatever else the graph holds. */
#include <stdlib.h>

#include "expr/impl.h"

static int by_number(const void *a, const void *b) {
    sl_expr x = *(const sl_expr *)a, y = *(const sl_expr *)b;
    return (x > y) - (x < y);
}

void sl_walk_init(sl_walk *w, sl_context *ctx) {
    *w = (sl_walk){.ctx = ctx};
}

static void free_marks(sl_walk *w) {
    sl_free(w->ctx, w->mark, w->mark ? (size_t)w->n_node * sizeof *w->mark : 0);
    sl_free(w->ctx, w->place, w->place ? (size_t)w->n_node * sizeof *w->place : 0);
    w->mark = NULL;
    w->place = NULL;
    w->n_node = 0;
}

void sl_walk_fini(sl_walk *w) {
    free_marks(w);
    SL_ARRAY_FINI(w->ctx, &w->stack);
    SL_ARRAY_FINI(w->ctx, &w->below);
    SL_ARRAY_FINI(w->ctx, &w->values);
}

/* Marks for all nodes. A graph that grows asks for more and more: some are spare. */
static bool begin(sl_walk *w, const sl_exprs *g) {
    if (w->n_node < g->nodes.n) {
        free_marks(w);
        w->n_node = w == &g->walk ? g->nodes.cap : g->nodes.n;
        w->mark = sl_alloc(w->ctx, (size_t)w->n_node * sizeof *w->mark);
        w->place = sl_alloc(w->ctx, (size_t)w->n_node * sizeof *w->place);
        w->stamp = 0;
        if (!w->mark || !w->place) {
            free_marks(w);
            return false;
        }
    }
    w->stack.n = 0;
    w->stamp++;
    return true;
}

static bool visit(sl_walk *w, sl_expr e, sl_expr_list *out) {
    if (w->mark[e] == w->stamp) {
        return true;
    }
    w->mark[e] = w->stamp;
    return SL_PUSH(w->ctx, out, e) && SL_PUSH(w->ctx, &w->stack, e);
}

sl_status sl_walk_below(sl_walk *w, const sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out) {
    int64_t before = out->n;
    if (!begin(w, g)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        if (roots[i] < 0) {
            return g->status != SL_OK ? g->status : SL_ERR_USE;
        }
        if (!visit(w, roots[i], out)) {
            return SL_ERR_MEMORY;
        }
    }
    while (w->stack.n > 0) {
        sl_expr e = w->stack.at[--w->stack.n];
        for (int32_t i = 0; i < sl_node_at(g, e)->n; i++) {
            if (!visit(w, sl_node_args(g, e)[i], out)) {
                return SL_ERR_MEMORY;
            }
        }
    }
    if (out->n > before) {
        qsort(out->at + before, (size_t)(out->n - before), sizeof *out->at, by_number);
    }
    for (int64_t i = before; i < out->n; i++) {
        w->place[out->at[i]] = (int32_t)(i - before);
    }
    return SL_OK;
}

sl_status sl_walk_leaves(sl_walk *w, const sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out) {
    int64_t kept = out->n;
    sl_status status = sl_walk_below(w, g, n, roots, out);
    for (int64_t i = kept; i < out->n; i++) {
        sl_op op = sl_node_op(g, out->at[i]);
        if (op > SL_OP_CONST && op < SL_OP_ADD) {
            out->at[kept++] = out->at[i];
        }
    }
    out->n = kept;
    return status;
}

sl_status sl_expr_below(sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out) {
    return sl_walk_below(&g->walk, g, n, roots, out);
}

sl_status sl_expr_leaves(sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out) {
    return sl_walk_leaves(&g->walk, g, n, roots, out);
}

void sl_expr_list_fini(const sl_exprs *g, sl_expr_list *list) {
    SL_ARRAY_FINI(g->ctx, list);
}

bool sl_rewrite_begin(sl_exprs *g, sl_expr e, sl_rewrite *w) {
    *w = (sl_rewrite){0};
    bool good = sl_expr_below(g, 1, &e, &w->list) == SL_OK;
    int64_t most = 1;
    for (int64_t k = 0; good && k < w->list.n; k++) {
        most = sl_node_at(g, w->list.at[k])->n > most ? sl_node_at(g, w->list.at[k])->n : most;
    }
    w->size = (size_t)(w->list.n + most) * sizeof(sl_expr);
    w->to = good ? sl_alloc(g->ctx, w->size) : NULL;
    if (!w->to) {
        sl_expr_list_fini(g, &w->list);
        return false;
    }
    for (int64_t k = 0; k < w->list.n; k++) {
        w->to[k] = SL_EXPR_NONE;
    }
    w->args = w->to + w->list.n;
    return true;
}

sl_expr sl_rewrite_end(sl_exprs *g, sl_rewrite *w) {
    sl_expr result = w->to[w->list.n - 1];
    sl_free(g->ctx, w->to, w->size);
    sl_expr_list_fini(g, &w->list);
    return result;
}
