/* SPDX-License-Identifier: MIT */
/* ldl_pattern.c: the analysis of a sparse symmetric system: from the columns that ldl_order.c finds, the pattern of the
 * factor and the lists that spare the factorisation every search. Equations and reasons: docs/theory/sparse.md.
 */
#include "numeric/ldl_impl.h"

#include <assert.h>

static int32_t *ints(sl_arena *arena, int64_t n) {
    return sl_arena_alloc(arena, (size_t)n * sizeof(int32_t));
}

/* Numbers the columns: the head by height in the elimination tree, within one height by length; then the tail as it was
 * eliminated. Every column stays behind its descendants, so the factor is the same but for its numbering. Columns of one
 * height do not depend on each other: in a run, a pivot is final when the run begins. */
static sl_status order_by_height(sl_ldl *p, sl_arena *scratch, const ldl_columns *c) {
    enum { LENGTHS = LDL_HEAD_LENGTH + 1 };
    int32_t top = 0;
    for (int32_t i = 0; i < p->n; i++) {
        bool head = c->x[i].height < LDL_IN_TAIL;
        p->n_head += head;
        top = head && c->x[i].height > top ? c->x[i].height : top;
    }
    int64_t n_key = ((int64_t)top + 1) * LENGTHS;
    int32_t *next = ints(scratch, n_key + 1); /* where the next column of a key goes */
    p->order = ints(&p->arena, p->n);
    p->column = ints(&p->arena, p->n);
    if (!next || !p->order || !p->column) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < p->n; i++) {
        if (c->x[i].height < LDL_IN_TAIL) {
            next[(int64_t)c->x[i].height * LENGTHS + c->x[i].n + 1]++;
        }
    }
    for (int64_t key = 0; key < n_key; key++) {
        p->n_run += next[key + 1] > 0;
        next[key + 1] += next[key];
    }
    p->run = sl_arena_alloc(&p->arena, (size_t)p->n_run * sizeof *p->run);
    if (!p->run) {
        return SL_ERR_MEMORY;
    }
    for (int64_t key = 0, r = 0; key < n_key; key++) {
        if (next[key + 1] > next[key]) {
            p->run[r++] = (ldl_run){.end = next[key + 1], .length = (int32_t)(key % LENGTHS)};
        }
    }
    for (int32_t k = 0, tail = p->n_head; k < p->n; k++) {
        int32_t i = c->order[k];
        const ldl_vertex *x = &c->x[i];
        int32_t now = x->height >= LDL_IN_TAIL ? tail++ : next[(int64_t)x->height * LENGTHS + x->n]++;
        p->order[now] = i;
        p->column[i] = now;
    }
    return SL_OK;
}

/* The pattern of the factor, rows ascending in each column: what is listed by columns is listed by rows, and by columns
 * again. */
static sl_status make_pattern(sl_ldl *p, sl_arena *scratch, const ldl_columns *c) {
    int32_t n = p->n;
    p->begin = ints(&p->arena, (int64_t)n + 1);
    int32_t *next = ints(scratch, (int64_t)n + 1), *end = ints(scratch, n);
    if (!p->begin || !next || !end) {
        return SL_ERR_MEMORY;
    }
    int64_t fill = 0;
    int32_t met = 0;
    for (int32_t k = 0; k < n; k++) {
        p->begin[k] = end[k] = (int32_t)fill;
        next[k] = met;
        fill += c->x[p->order[k]].n;
        met += c->x[p->order[k]].met;
        if (fill + n > INT32_MAX) {
            return SL_ERR_UNSUPPORTED;
        }
    }
    p->begin[n] = (int32_t)fill;
    int32_t *in_row = ints(scratch, fill);
    p->row = ints(&p->arena, fill);
    if (!p->row || !in_row) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < n; k++) {
        const ldl_vertex *x = &c->x[p->order[k]];
        for (int32_t a = x->begin; a < x->begin + x->n; a++) {
            in_row[next[p->column[c->at.at[a]]]++] = k;
        }
    }
    for (int32_t i = 0, a = 0; i < n; i++) {
        for (; a < next[i]; a++) {
            p->row[end[in_row[a]]++] = i;
        }
    }
    return SL_OK;
}

/* Where a column has this row, which it has. The steps depend on the length alone: nothing is guessed wrong. */
static int32_t entry_at(const sl_ldl *p, int32_t column, int32_t row) {
    int32_t at = p->begin[column];
    for (int32_t n = p->begin[column + 1] - at; n > 1;) {
        int32_t half = n / 2;
        at += p->row[at + half - 1] < row ? half : 0;
        n -= half;
    }
    assert(p->row[at] == row);
    return at;
}

/* The slot of an edge is its entry in the factor. */
static sl_status make_slots(sl_ldl *p, const int32_t *from, const int32_t *to) {
    p->slots = ints(&p->arena, p->n_edge);
    if (!p->slots) {
        return SL_ERR_MEMORY;
    }
    for (int32_t e = 0; e < p->n_edge; e++) {
        p->slots[e] = -1;
        if (sl_ldl_is_entry(from[e], to[e])) {
            int32_t i = p->column[from[e]], j = p->column[to[e]];
            p->slots[e] = p->n + entry_at(p, i < j ? i : j, i < j ? j : i);
        }
    }
    return SL_OK;
}

/* For each pair of entries of a head column, rows i < j: the entry (j, i). */
static sl_status make_targets(sl_ldl *p) {
    int64_t n_target = 0;
    for (int32_t k = 0; k < p->n_head; k++) {
        int64_t length = p->begin[k + 1] - p->begin[k];
        n_target += length * (length - 1) / 2;
    }
    p->target = ints(&p->arena, n_target);
    if (!p->target) {
        return SL_ERR_MEMORY;
    }
    int32_t *next = p->target;
    for (int32_t k = 0; k < p->n_head; k++) {
        for (int32_t i = p->begin[k]; i < p->begin[k + 1]; i++) {
            int32_t at =
                p->begin[p->row[i]]; /* column row[i] has all rows of this one that are below it, in the same order */
            for (int32_t j = i + 1; j < p->begin[k + 1]; j++) {
                at += p->row[at] < p->row[j]; /* nine of ten are at most two further: no branch to be guessed */
                at += p->row[at] < p->row[j];
                while (p->row[at] < p->row[j]) {
                    at++;
                }
                *next++ = at++;
            }
        }
    }
    return SL_OK;
}

/* The end of the columns, from k on, whose patterns are one pattern, each without its own row (a supernode). */
static int32_t block_end(const sl_ldl *p, int32_t k) {
    int32_t end = k + 1;
    while (end < p->n && p->begin[end] > p->begin[end - 1] && p->row[p->begin[end - 1]] == end &&
           p->begin[end + 1] - p->begin[end] == p->begin[end] - p->begin[end - 1] - 1) {
        end++;
    }
    return end;
}

/* What each row of the tail meets to its left. */
static sl_status make_left(sl_ldl *p) {
    int32_t n_tail = p->n - p->n_head;
    p->left_begin = ints(&p->arena, (int64_t)n_tail + 2);
    if (!p->left_begin) {
        return SL_ERR_MEMORY;
    }
    int32_t *next = p->left_begin + 1; /* where the next block of a row goes; in the end, where the next row begins */
    for (int32_t k = p->n_head; k < p->n; k = block_end(p, k)) {
        for (int32_t q = p->begin[k]; q < p->begin[k + 1]; q++) {
            next[p->row[q] - p->n_head + 1]++;
        }
    }
    for (int32_t j = 0; j < n_tail; j++) {
        next[j + 1] += next[j];
    }
    p->left = sl_arena_alloc(&p->arena, (size_t)next[n_tail] * sizeof *p->left);
    if (!p->left) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = p->n_head, end; k < p->n; k = end) {
        end = block_end(p, k);
        for (int32_t q = p->begin[k]; q < p->begin[k + 1]; q++) {
            int32_t row = p->row[q], rest = p->begin[k + 1] - q;
            p->left[next[row - p->n_head]++] = (ldl_block){k, row < end ? row : end, rest};
        }
    }
    return SL_OK;
}

static sl_status analyse(sl_ldl *p, sl_arena *scratch, const int32_t *from, const int32_t *to) {
    ldl_columns c = {0};
    sl_status status = sl_ldl_find_columns(p, scratch, from, to, &c);
    if (status == SL_OK) {
        status = order_by_height(p, scratch, &c);
    }
    if (status == SL_OK) {
        status = make_pattern(p, scratch, &c);
    }
    SL_ARRAY_FINI(p->ctx, &c.at);
    if (status == SL_OK) {
        status = make_slots(p, from, to);
    }
    if (status == SL_OK) {
        status = make_targets(p);
    }
    return status == SL_OK ? make_left(p) : status;
}

sl_status sl_ldl_create(sl_context *ctx, int32_t n, int32_t n_edge, const int32_t *from, const int32_t *to,
                        sl_ldl **out) {
    *out = NULL;
    if (n < 0 || n_edge < 0) {
        return SL_ERR_USE;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        if (from[e] >= n || to[e] >= n) {
            return SL_ERR_USE;
        }
    }
    sl_ldl *p = sl_alloc(ctx, sizeof *p);
    if (!p) {
        return SL_ERR_MEMORY;
    }
    p->ctx = ctx;
    p->n = n;
    p->n_edge = n_edge;
    sl_arena_init(&p->arena, ctx);
    sl_arena scratch;
    sl_arena_init(&scratch, ctx);
    sl_status status = analyse(p, &scratch, from, to);
    sl_arena_fini(&scratch);
    if (status != SL_OK) {
        sl_ldl_destroy(p);
        return status;
    }
    *out = p;
    return SL_OK;
}

void sl_ldl_destroy(sl_ldl *p) {
    if (p) {
        sl_arena_fini(&p->arena);
        sl_free(p->ctx, p, sizeof *p);
    }
}
