/* SPDX-License-Identifier: MIT */
/* graph.c: matching, the decomposition of Dulmage and Mendelsohn, strong blocks.
 *
 * The matching grows by augmenting paths from each column, after a cheap look for a free row (Duff 1981): in the worst
 * case rows times entries, near the number of entries for what models hold. Parts are what alternating paths reach from
 * columns and rows without a partner. Blocks are strong components (Tarjan 1972) with an explicit stack.
 */
#include "dae/graph.h"

#include "base/memory.h"

#include <string.h>

void sl_incidence_transpose(const sl_incidence *a, int32_t *start, int32_t *col, int32_t *from) {
    memset(start, 0, sizeof *start * ((size_t)a->n_row + 1));
    int32_t n = a->start[a->n_col];
    for (int32_t k = 0; k < n; k++) {
        start[a->row[k] + 1]++;
    }
    for (int32_t i = 0; i < a->n_row; i++) {
        start[i + 1] += start[i];
    }
    for (int32_t j = 0; j < a->n_col; j++) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            int32_t at = start[a->row[k]]++;
            col[at] = j;
            if (from) {
                from[at] = k;
            }
        }
    }
    for (int32_t i = a->n_row; i > 0; i--) {
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

/* ---- Matching ----------------------------------------------------------------------------------- */

typedef struct search {
    const sl_incidence *a;
    int32_t *col_of, *row_of;
    int32_t *cheap; /* [n_col] rows before this one have partners */
    int32_t *next;  /* [n_col] where the walk through a column stands */
    int32_t *stack; /* [n_col] columns on the path */
    int32_t *seen;  /* [n_row] the column that looked here last, plus 1; or NOWHERE */
    int32_t *trail; /* [n_row] rows that the present search has seen */
} search;

enum { NOWHERE = INT32_MAX }; /* a search without success was here: no later path goes through */

static int32_t free_row(search *s, int32_t j) {
    while (s->cheap[j] < s->a->start[j + 1]) {
        int32_t i = s->a->row[s->cheap[j]++];
        if (s->col_of[i] < 0) {
            return i;
        }
    }
    return -1;
}

/* Looks for a path from column root to a free row and turns its pairs over. */
static bool augment(search *s, int32_t root) {
    int32_t depth = 0, n_seen = 0;
    s->stack[0] = root;
    s->next[root] = s->a->start[root];
    while (depth >= 0) {
        int32_t j = s->stack[depth], i = free_row(s, j);
        if (i >= 0) {
            for (; depth >= 0; depth--) { /* each column on the path takes the row that led on from it */
                j = s->stack[depth];
                int32_t before = s->row_of[j];
                s->row_of[j] = i;
                s->col_of[i] = j;
                i = before;
            }
            return true;
        }
        int32_t k = s->next[j];
        while (k < s->a->start[j + 1] && (s->seen[s->a->row[k]] == root + 1 || s->seen[s->a->row[k]] == NOWHERE)) {
            k++;
        }
        s->next[j] = k + 1;
        if (k == s->a->start[j + 1]) {
            depth--;
            continue;
        }
        i = s->a->row[k];
        s->seen[i] = root + 1;
        s->trail[n_seen++] = i;
        int32_t on = s->col_of[i];
        s->stack[++depth] = on;
        s->next[on] = s->a->start[on];
    }
    while (n_seen > 0) {
        s->seen[s->trail[--n_seen]] = NOWHERE;
    }
    return false;
}

sl_status sl_match(sl_context *ctx, const sl_incidence *a, int32_t *col_of, int32_t *row_of, int32_t *n_pair) {
    size_t m = (size_t)a->n_row, n = (size_t)a->n_col;
    memset(col_of, -1, m * sizeof *col_of);
    memset(row_of, -1, n * sizeof *row_of);
    *n_pair = 0;
    if (m == 0 || n == 0) {
        return SL_OK;
    }
    int32_t *room = sl_alloc(ctx, (3 * n + 2 * m) * sizeof *room);
    if (!room) {
        return SL_ERR_MEMORY;
    }
    search s = {a, col_of, row_of, room, room + n, room + 2 * n, room + 3 * n, room + 3 * n + m};
    memcpy(s.cheap, a->start, n * sizeof *s.cheap);
    for (int32_t j = 0; j < a->n_col; j++) {
        *n_pair += augment(&s, j);
    }
    sl_free(ctx, room, (3 * n + 2 * m) * sizeof *room);
    return SL_OK;
}

/* ---- Parts -------------------------------------------------------------------------------------- */

/* Marks what alternating paths reach from the vertices of one side without a partner: from each vertex to all its
 * neighbours, from those to their partners. */
static void reach(int32_t n, const int32_t *start, const int32_t *other, const int32_t *partner,
                  const int32_t *partner_back, uint8_t mark, uint8_t *own_part, uint8_t *other_part, int32_t *queue) {
    int32_t head = 0, tail = 0;
    for (int32_t v = 0; v < n; v++) {
        if (partner[v] < 0) {
            own_part[v] = mark;
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        int32_t v = queue[head++];
        for (int32_t k = start[v]; k < start[v + 1]; k++) {
            int32_t u = other[k];
            if (other_part[u] == mark) {
                continue;
            }
            other_part[u] = mark;
            int32_t w = partner_back[u]; /* has one, or the matching could grow */
            if (w >= 0 && own_part[w] != mark) {
                own_part[w] = mark;
                queue[tail++] = w;
            }
        }
    }
}

typedef struct walk {
    int32_t *low, *number, *path, *stack, *next; /* [n_col] each */
    int32_t n_number, n_path, n_stack;
} walk;

static void enter(walk *w, const sl_incidence *a, int32_t j) {
    w->low[j] = w->number[j] = ++w->n_number;
    w->path[w->n_path++] = j;
    w->stack[w->n_stack++] = j;
    w->next[j] = a->start[j];
}

static void close_block(sl_dm_decomposition *p, walk *w, int32_t j) {
    int32_t size = 0, member;
    do {
        member = w->path[--w->n_path];
        p->block_of[member] = p->n_block;
        size++;
    } while (member != j);
    p->n_block++;
    p->n_largest = size > p->n_largest ? size : p->n_largest;
}

/* An arc leads from column j, an unknown, to the columns of the equations in which it occurs: these come later. So blocks
 * close last first; they are turned round at the end. */
static void blocks(sl_dm_decomposition *p, const sl_incidence *a, walk *w) {
    for (int32_t root = 0; root < a->n_col; root++) {
        if (p->col_subsystem[root] != SL_DM_SQUARE || w->number[root]) {
            continue;
        }
        enter(w, a, root);
        while (w->n_stack > 0) {
            int32_t j = w->stack[w->n_stack - 1];
            if (w->next[j] < a->start[j + 1]) {
                int32_t i = a->row[w->next[j]++];
                int32_t on = p->row_subsystem[i] == SL_DM_SQUARE ? p->col_of[i] : -1;
                if (on >= 0 && w->number[on] == 0) {
                    enter(w, a, on);
                } else if (on >= 0 && p->block_of[on] < 0 && w->number[on] < w->low[j]) {
                    w->low[j] = w->number[on];
                }
                continue;
            }
            w->n_stack--;
            if (w->low[j] == w->number[j]) {
                close_block(p, w, j);
            }
            if (w->n_stack > 0) {
                int32_t up = w->stack[w->n_stack - 1];
                w->low[up] = w->low[j] < w->low[up] ? w->low[j] : w->low[up];
            }
        }
    }
    for (int32_t j = 0; j < a->n_col; j++) {
        p->block_of[j] = p->block_of[j] >= 0 ? p->n_block - 1 - p->block_of[j] : -1;
    }
}

static size_t decomposition_bytes(const sl_dm_decomposition *p) {
    size_t m = (size_t)p->n_row, n = (size_t)p->n_col;
    return (m + 2 * n) * sizeof(int32_t) + m + n + 1;
}

static void divide(sl_dm_decomposition *p, const sl_incidence *a, int32_t *room) {
    size_t m = (size_t)a->n_row, n = (size_t)a->n_col;
    int32_t *queue = room, *start = queue + m + n, *col = start + m + 1;
    sl_incidence_transpose(a, start, col, NULL);
    reach(a->n_col, a->start, a->row, p->row_of, p->col_of, SL_DM_UNDER, p->col_subsystem, p->row_subsystem, queue);
    reach(a->n_row, start, col, p->col_of, p->row_of, SL_DM_OVER, p->row_subsystem, p->col_subsystem, queue);
    memset(room, 0, 5 * n * sizeof *room);
    walk w = {room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, 0, 0, 0};
    blocks(p, a, &w);
}

sl_status sl_dm_decomposition_init(sl_dm_decomposition *p, sl_context *ctx, const sl_incidence *a) {
    size_t m = (size_t)a->n_row, n = (size_t)a->n_col;
    *p = (sl_dm_decomposition){.n_row = a->n_row, .n_col = a->n_col, .ctx = ctx};
    p->col_of = sl_alloc(ctx, decomposition_bytes(p));
    if (!p->col_of) {
        return SL_ERR_MEMORY;
    }
    p->row_of = p->col_of + m;
    p->block_of = p->row_of + n;
    p->row_subsystem = (uint8_t *)(p->block_of + n);
    p->col_subsystem = p->row_subsystem + m;
    memset(p->block_of, -1, n * sizeof *p->block_of);
    sl_status status = sl_match(ctx, a, p->col_of, p->row_of, &p->n_pair);
    size_t need = m + n + m + 1 + (size_t)a->start[a->n_col];
    need = need > 5 * n + 1 ? need : 5 * n + 1;
    int32_t *room = status == SL_OK ? sl_alloc(ctx, need * sizeof *room) : NULL;
    if (!room) {
        sl_dm_decomposition_fini(p);
        return SL_ERR_MEMORY;
    }
    divide(p, a, room);
    sl_free(ctx, room, need * sizeof *room);
    return SL_OK;
}

void sl_dm_decomposition_fini(sl_dm_decomposition *p) {
    if (p->col_of) {
        sl_free(p->ctx, p->col_of, decomposition_bytes(p));
    }
    *p = (sl_dm_decomposition){0};
}
