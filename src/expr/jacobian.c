/* SPDX-License-Identifier: MIT */
/* jacobian.c: sparse matrices of derivatives. A row is differentiated backwards: from the root down, every node gives each
 * argument what it contributes; what arrives at a leaf is the derivative by it. All columns of a row cost as much as its
 * nodes, however many they are. Docs: docs/theory/expressions.md#derivatives. */
#include <stdlib.h>

#include "expr/impl.h"

/* What is carried into the nodes of a row: lists of terms, the newest first, that end in -1. */
typedef struct term {
    sl_expr d;
    int32_t next;
} term;

typedef struct found {
    int32_t column;
    uint8_t moves;
    sl_expr entry;
} found;

typedef struct work {
    sl_exprs *g;
    const sl_jacobian_def *def;
    sl_expr_list list;     /* the row's nodes */
    SL_ARRAY(bool) wanted; /* by place in the list: a wanted leaf is at or below the node */
    SL_ARRAY(int32_t) head;
    SL_ARRAY(term) terms;
    SL_ARRAY(sl_expr) sum;
    SL_ARRAY(found) all; /* of all rows so far */
} work;

static int32_t column_of(const sl_node *node, const sl_jacobian_def *def) {
    bool is_variable = node->op == SL_OP_VARIABLE || node->op == SL_OP_ELEMENT;
    return is_variable && def->column[node->order] ? def->column[node->order][node->symbol] : -1;
}

static bool prepare(work *w) {
    sl_exprs *g = w->g;
    w->terms.n = 0;
    if (!SL_RESERVE(g->ctx, &w->wanted, w->list.n) || !SL_RESERVE(g->ctx, &w->head, w->list.n)) {
        return false;
    }
    for (int64_t k = 0; k < w->list.n; k++) {
        const sl_node *node = sl_node_at(g, w->list.at[k]);
        bool wanted = column_of(node, w->def) >= 0;
        for (int32_t i = 0, n = sl_node_n_read(node); !wanted && i < n; i++) {
            wanted = w->wanted.at[g->walk.place[sl_node_args(g, w->list.at[k])[i]]];
        }
        w->wanted.at[k] = wanted;
        w->head.at[k] = -1;
    }
    return true;
}

static bool push_term(work *w, int64_t k, sl_expr d) {
    if (d < 0 || !SL_PUSH(w->g->ctx, &w->terms, ((term){d, w->head.at[k]}))) {
        return false;
    }
    w->head.at[k] = (int32_t)w->terms.n - 1;
    return true;
}

/* The sum of what came into the k-th node, in the order of arrival. */
static sl_expr gather(work *w, int64_t k) {
    w->sum.n = 0;
    for (int32_t i = w->head.at[k]; i >= 0; i = w->terms.at[i].next) {
        if (!SL_PUSH(w->g->ctx, &w->sum, w->terms.at[i].d)) {
            return SL_EXPR_NONE;
        }
    }
    for (int64_t i = 0, last = w->sum.n - 1; i < last; i++, last--) {
        sl_expr d = w->sum.at[i];
        w->sum.at[i] = w->sum.at[last];
        w->sum.at[last] = d;
    }
    return sl_expr_make(w->g, SL_OP_ADD, (int32_t)w->sum.n, w->sum.at);
}

static bool carry(work *w, sl_expr e, sl_expr d) {
    sl_exprs *g = w->g;
    int32_t n = sl_node_n_read(sl_node_at(g, e)), n_wanted = 0;
    for (int32_t i = 0; i < n; i++) {
        n_wanted += w->wanted.at[g->walk.place[sl_node_args(g, e)[i]]];
    }
    sl_sides sides;
    bool good = sl_sides_init(g, e, n_wanted, &sides);
    for (int32_t i = 0; good && i < n; i++) {
        int32_t k = g->walk.place[sl_node_args(g, e)[i]];
        if (w->wanted.at[k]) {
            sl_expr c = sl_expr_contribute(g, e, i, d, &sides);
            good = sl_expr_is_const(g, c, 0.0) || push_term(w, k, c);
        }
    }
    sl_sides_fini(g, &sides);
    return good;
}

static int by_column(const void *a, const void *b) {
    const found *x = a, *y = b;
    return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
           : x->moves != y->moves ? (x->moves > y->moves) - (x->moves < y->moves)
                                  : (x->entry > y->entry) - (x->entry < y->entry);
}

/* Sorts a row and adds what falls into one column. */
static bool finish_row(work *w, int64_t first) {
    int64_t n = w->all.n - first, kept = 0;
    if (n == 0) {
        return true;
    }
    found *row = w->all.at + first;
    if (n > 1) {
        qsort(row, (size_t)n, sizeof *row, by_column);
    }
    for (int64_t i = 0; i < n; i++) {
        if (kept > 0 && row[kept - 1].column == row[i].column && row[kept - 1].moves == row[i].moves) {
            row[kept - 1].entry = sl_expr_2(w->g, SL_OP_ADD, row[kept - 1].entry, row[i].entry);
            if (row[kept - 1].entry < 0) {
                return false;
            }
        } else {
            row[kept++] = row[i];
        }
    }
    w->all.n = first + kept;
    return true;
}

static bool make_row(work *w, sl_expr root) {
    sl_exprs *g = w->g;
    int64_t first = w->all.n;
    w->list.n = 0;
    if (sl_expr_below(g, 1, &root, &w->list) != SL_OK || !prepare(w)) {
        return false;
    }
    if (w->list.n > 0 && w->wanted.at[w->list.n - 1] && !push_term(w, w->list.n - 1, sl_expr_const(g, 1.0))) {
        return false;
    }
    for (int64_t k = w->list.n - 1; k >= 0; k--) {
        if (w->head.at[k] < 0) {
            continue;
        }
        sl_expr d = gather(w, k);
        if (d < 0) {
            return false;
        }
        const sl_node *node = sl_node_at(g, w->list.at[k]);
        if (node->n > 0) {
            if (!carry(w, w->list.at[k], d)) {
                return false;
            }
            continue;
        }
        found f = {column_of(node, w->def), node->op == SL_OP_ELEMENT, d};
        sl_expr factor = w->def->factor[node->order];
        if (factor != SL_EXPR_NONE) {
            f.entry = sl_expr_2(g, SL_OP_MUL, factor, d);
        }
        if (f.entry < 0 || (!sl_expr_is_const(g, f.entry, 0.0) && !SL_PUSH(g->ctx, &w->all, f))) {
            return false;
        }
    }
    return finish_row(w, first);
}

static bool hand_over(work *w, sl_jacobian *out) {
    out->nnz = w->all.n;
    if (out->nnz > 0) {
        out->column = sl_alloc(out->ctx, (size_t)out->nnz * sizeof *out->column);
        out->moves = sl_alloc(out->ctx, (size_t)out->nnz);
        out->entry = sl_alloc(out->ctx, (size_t)out->nnz * sizeof *out->entry);
        if (!out->column || !out->moves || !out->entry) {
            return false;
        }
    }
    for (int64_t i = 0; i < out->nnz; i++) {
        out->column[i] = w->all.at[i].column;
        out->moves[i] = w->all.at[i].moves;
        out->entry[i] = w->all.at[i].entry;
    }
    return true;
}

sl_status sl_jacobian_create(sl_exprs *g, int32_t n_row, const sl_expr *rows, const sl_jacobian_def *def,
                             sl_jacobian *out) {
    work w = {.g = g, .def = def};
    *out = (sl_jacobian){.ctx = g->ctx, .n_row = n_row};
    out->start = sl_alloc(g->ctx, ((size_t)n_row + 1) * sizeof *out->start);
    bool good = out->start != NULL;
    for (int32_t i = 0; good && i < n_row; i++) {
        good = rows[i] >= 0 && make_row(&w, rows[i]);
        out->start[i + 1] = w.all.n;
    }
    good = good && hand_over(&w, out);
    if (!good) {
        sl_jacobian_fini(out);
    }
    sl_expr_list_fini(g, &w.list);
    SL_ARRAY_FINI(g->ctx, &w.wanted);
    SL_ARRAY_FINI(g->ctx, &w.head);
    SL_ARRAY_FINI(g->ctx, &w.terms);
    SL_ARRAY_FINI(g->ctx, &w.sum);
    SL_ARRAY_FINI(g->ctx, &w.all);
    return good ? SL_OK : g->status != SL_OK ? g->status : SL_ERR_MEMORY;
}

void sl_jacobian_fini(sl_jacobian *j) {
    if (j->ctx) {
        sl_free(j->ctx, j->start, ((size_t)j->n_row + 1) * sizeof *j->start);
        sl_free(j->ctx, j->column, (size_t)j->nnz * sizeof *j->column);
        sl_free(j->ctx, j->moves, j->moves ? (size_t)j->nnz : 0);
        sl_free(j->ctx, j->entry, (size_t)j->nnz * sizeof *j->entry);
    }
    *j = (sl_jacobian){0};
}
