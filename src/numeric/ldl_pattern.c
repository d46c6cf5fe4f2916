/* ldl_pattern.c: the analysis of a sparse symmetric system: order, pattern of the factor, and the lists that spare the
 * factorisation every search. Equations and reasons: docs/theory/sparse.md.
 *
 * The order is approximate minimum degree (AMD, Amestoy, Davis, Duff 1996 and 2004) by SuiteSparse's amd_2: the entry
 * point that works in memory of the caller, so that the context's allocator sees all of it.
 */
#include "numeric/ldl_impl.h"

#include <amd.h>
#include <assert.h>
#include <string.h>

/* Columns up to this length may be in the head, whose list of targets costs 4 bytes per multiplication. */
enum { HEAD_LENGTH = 12 };

/* Neighbours of each unknown, both ways, each once. */
typedef struct graph {
    int32_t *begin; /* [n + 1] */
    int32_t *at;
} graph;

static int32_t *ints(sl_arena *arena, int64_t n) {
    return sl_arena_alloc(arena, (size_t)n * sizeof(int32_t));
}

static bool is_entry(int32_t from, int32_t to) {
    return from >= 0 && to >= 0 && from != to;
}

/* Fills g; false: memory. */
static bool graph_make(sl_arena *arena, int32_t n, int32_t n_edge, const int32_t *from, const int32_t *to, graph *g) {
    g->begin = ints(arena, (int64_t)n + 1);
    int32_t *fill = ints(arena, n), *seen = ints(arena, n);
    if (!g->begin || !fill || !seen) {
        return false;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        if (is_entry(from[e], to[e])) {
            g->begin[from[e] + 1]++;
            g->begin[to[e] + 1]++;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        g->begin[i + 1] += g->begin[i];
        fill[i] = g->begin[i];
        seen[i] = -1;
    }
    g->at = ints(arena, g->begin[n]);
    if (!g->at) {
        return false;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        if (is_entry(from[e], to[e])) {
            g->at[fill[from[e]]++] = to[e];
            g->at[fill[to[e]]++] = from[e];
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0, p = 0; i < n; i++) { /* edges side by side count once */
        int32_t first = kept;
        for (; p < fill[i]; p++) {
            if (seen[g->at[p]] != i) {
                seen[g->at[p]] = i;
                g->at[kept++] = g->at[p];
            }
        }
        g->begin[i] = first;
    }
    g->begin[n] = kept;
    return true;
}

/* order[k]: the unknown to eliminate as k-th. */
static bool order_by_degree(sl_arena *arena, int32_t n, const graph *g, int32_t *order) {
    static_assert(sizeof(int) == sizeof(int32_t), "amd_2 works on int");
    int32_t n_entry = g->begin[n];
    int64_t room = (int64_t)n_entry + n_entry / 5 + n; /* what AMD recommends */
    int32_t *begin = ints(arena, n), *at = ints(arena, room), *length = ints(arena, n),
            *work = ints(arena, 6 * (int64_t)n);
    if (!begin || !at || !length || !work) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        begin[i] = g->begin[i];
        length[i] = g->begin[i + 1] - g->begin[i];
    }
    memcpy(at, g->at, (size_t)n_entry * sizeof *at);
    if (n > 0) {
        amd_2(n, begin, at, length, (int)room, n_entry, work, work + n, order, work + 2 * (size_t)n,
              work + 3 * (size_t)n, work + 4 * (size_t)n, work + 5 * (size_t)n, NULL, NULL);
    }
    return true;
}

static void invert(int32_t n, const int32_t *order, int32_t *inverse) {
    for (int32_t k = 0; k < n; k++) {
        inverse[order[k]] = k;
    }
}

/* Scratch of a walk over the pattern of the factor, row by row. */
typedef struct walk {
    int32_t *parent;  /* [n] in the elimination tree: the first row of a column; -1: none */
    int32_t *seen;    /* [n] the last row that met this column */
    int32_t *inverse; /* [n] column of each unknown */
    int32_t *length;  /* [n] entries of each column so far */
} walk;

/* Visits the entries of the factor by rows: column k has an entry in row i when k is i's neighbour, or lies on the way
 * from one up the elimination tree to i (Liu 1990). Counts them, or also writes rows when row is not NULL. */
static void walk_rows(int32_t n, const graph *g, const int32_t *order, walk *w, const int32_t *begin, int32_t *row) {
    invert(n, order, w->inverse);
    for (int32_t i = 0; i < n; i++) {
        w->parent[i] = -1;
        w->seen[i] = i;
        w->length[i] = 0;
        for (int32_t p = g->begin[order[i]]; p < g->begin[order[i] + 1]; p++) {
            for (int32_t k = w->inverse[g->at[p]]; k < i && w->seen[k] != i; k = w->parent[k]) {
                if (w->parent[k] < 0) {
                    w->parent[k] = i;
                }
                w->seen[k] = i;
                if (row) {
                    row[begin[k] + w->length[k]] = i;
                }
                w->length[k]++;
            }
        }
    }
}

/* Orders the columns anew: the head by height in the elimination tree, within one height by length; then the tail as it
 * is. Every column stays behind its descendants, so the factor is the same but for its numbering: lengths, on return those of
 * the new order, stay with their columns. Columns of one height do not depend on each other: no pivot has to wait for the one
 * before it. */
static bool order_by_height(sl_arena *scratch, int32_t n, walk *w, int32_t *order, int32_t *n_head) {
    int32_t *height = ints(scratch, n), *old = ints(scratch, n), *length = ints(scratch, n), top = 0;
    if (!height || !old || !length) {
        return false;
    }
    memcpy(old, order, (size_t)n * sizeof *old);
    *n_head = n;
    for (int32_t k = 0; k < n; k++) { /* height -1: in the tail, and so is everything above */
        if (w->length[k] > HEAD_LENGTH) {
            height[k] = -1;
        }
        int32_t parent = w->parent[k];
        if (height[k] < 0) {
            --*n_head;
            if (parent >= 0) {
                height[parent] = -1;
            }
        } else {
            top = height[k] > top ? height[k] : top;
            if (parent >= 0 && height[parent] >= 0 && height[parent] <= height[k]) {
                height[parent] = height[k] + 1;
            }
        }
    }
    enum { LENGTHS = HEAD_LENGTH + 1 };
    int64_t n_key = ((int64_t)top + 1) * LENGTHS;
    int32_t *next = ints(scratch, n_key + 1); /* where the next column of a key goes */
    if (!next) {
        return false;
    }
    for (int32_t k = 0; k < n; k++) {
        if (height[k] >= 0) {
            next[(int64_t)height[k] * LENGTHS + w->length[k] + 1]++;
        }
    }
    for (int64_t key = 0; key < n_key; key++) {
        next[key + 1] += next[key];
    }
    for (int32_t k = 0, tail = *n_head; k < n; k++) {
        int32_t now = height[k] < 0 ? tail++ : next[(int64_t)height[k] * LENGTHS + w->length[k]]++;
        order[now] = old[k];
        length[now] = w->length[k];
    }
    w->length = length;
    return true;
}

static int32_t entry_at(const sl_ldl *p, int32_t column, int32_t row) {
    int32_t low = p->begin[column], high = p->begin[column + 1] - 1;
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (p->row[mid] < row) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    assert(low < p->begin[column + 1] && p->row[low] == row);
    return low;
}

/* The order, its split into head and tail, and the pattern of the factor. */
static sl_status make_pattern(sl_ldl *p, sl_arena *scratch, const graph *g) {
    int32_t n = p->n;
    walk w = {ints(scratch, n), ints(scratch, n), ints(scratch, n), ints(scratch, n)};
    p->order = ints(&p->arena, n);
    p->begin = ints(&p->arena, (int64_t)n + 1);
    if (!w.parent || !w.seen || !w.inverse || !w.length || !p->order || !p->begin ||
        !order_by_degree(scratch, n, g, p->order)) {
        return SL_ERR_MEMORY;
    }
    walk_rows(n, g, p->order, &w, NULL, NULL);
    if (!order_by_height(scratch, n, &w, p->order, &p->n_head)) {
        return SL_ERR_MEMORY;
    }
    int64_t fill = 0;
    for (int32_t k = 0; k < n; k++) {
        p->begin[k] = (int32_t)fill;
        fill += w.length[k];
        if (fill + n > INT32_MAX) {
            return SL_ERR_UNSUPPORTED;
        }
    }
    p->begin[n] = (int32_t)fill;
    p->row = ints(&p->arena, fill);
    if (!p->row) {
        return SL_ERR_MEMORY;
    }
    walk_rows(n, g, p->order, &w, p->begin, p->row);
    return SL_OK;
}

/* The slot of an edge is its entry in the factor. */
static sl_status make_slots(sl_ldl *p, const int32_t *from, const int32_t *to) {
    p->column = ints(&p->arena, p->n);
    p->slots = ints(&p->arena, p->n_edge);
    if (!p->column || !p->slots) {
        return SL_ERR_MEMORY;
    }
    invert(p->n, p->order, p->column);
    for (int32_t e = 0; e < p->n_edge; e++) {
        p->slots[e] = -1;
        if (is_entry(from[e], to[e])) {
            int32_t i = p->column[from[e]], j = p->column[to[e]];
            p->slots[e] = p->n + (i < j ? entry_at(p, i, j) : entry_at(p, j, i));
        }
    }
    return SL_OK;
}

/* Columns in one run do not depend on each other: a pivot of theirs is final when the run begins. */
static sl_status make_runs(sl_ldl *p, sl_arena *scratch) {
    int32_t *height = ints(scratch, p->n);
    ldl_run *run = sl_arena_alloc(scratch, (size_t)p->n_head * sizeof *run);
    if (!height || !run) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < p->n_head; k++) {
        int32_t length = p->begin[k + 1] - p->begin[k];
        if (k == 0 || height[k] != height[k - 1] || length != run[p->n_run - 1].length) {
            run[p->n_run++].length = length;
        }
        run[p->n_run - 1].end = k + 1;
        if (length > 0) {
            int32_t parent = p->row[p->begin[k]];
            height[parent] = height[parent] > height[k] ? height[parent] : height[k] + 1;
        }
    }
    p->run = sl_arena_alloc(&p->arena, (size_t)p->n_run * sizeof *run);
    if (!p->run) {
        return SL_ERR_MEMORY;
    }
    memcpy(p->run, run, (size_t)p->n_run * sizeof *run);
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
    graph g;
    if (!graph_make(scratch, p->n, p->n_edge, from, to, &g)) {
        return SL_ERR_MEMORY;
    }
    sl_status status = make_pattern(p, scratch, &g);
    if (status == SL_OK) {
        status = make_slots(p, from, to);
    }
    if (status == SL_OK) {
        status = make_runs(p, scratch);
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
    if (2.4 * n_edge + n > INT32_MAX) { /* AMD's memory is counted in int */
        return SL_ERR_UNSUPPORTED;
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
